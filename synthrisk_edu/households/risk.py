"""Who can be found, and what would one learn? Identification and attribute risk of households.

An intruder knows some quasi-identifiers (QIs) of a household: where it is, how many live there, and
a few things about the first two respondents. A household that is alone with its QIs in the
confidential file (confidential unique, CU), and whose QIs stand exactly once in the synthetic file
(synthetic unique, SU), is *SU-CU*: the intruder finds one synthetic household, and believes it.
Whether belief is justified depends on the population: r_i = E[1/F_k | f_k = 1] is the chance that
a match with this household is the right one (see `uniqueness`).
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.data import PERSON_QIS
from synthrisk_edu.households.structure import unflatten, with_gaps
from synthrisk_edu.households.synthesis import LEAF
from synthrisk_edu.synthesis.cart import Tree, code_table, matrix

THRESHOLDS = (0.1, 0.5, 0.95)
RANGES = (50, 20, 10)
HOUSEHOLD_QIS = ("state", "rural", "residents")


def qi_names(
    respondents: int = 2,
    household: Sequence[str] = HOUSEHOLD_QIS,
    person: Sequence[str] = PERSON_QIS,
) -> list[str]:
    """Name the quasi-identifiers: of the household, and of its first respondents.

    >>> qi_names(1)
    ['state', 'rural', 'residents', 'age_1', 'gender_1', 'education_1', 'working_1']
    """
    qis = checks.names("household", household)
    person = checks.names("person", person)
    for k in range(1, respondents + 1):
        qis += [f"{name}_{k}" for name in person]
    return qis


def qi_table(
    wide: pd.DataFrame,
    *,
    respondents: int = 2,
    household: Sequence[str] = HOUSEHOLD_QIS,
    person: Sequence[str] = PERSON_QIS,
    total: str | None = "earnings",
) -> pd.DataFrame:
    """Return what an intruder may know of each household, one row per household.

    The household's variables; those of its first, second, … respondent in the order of couple and
    place (missing when there are fewer); and the household's income, the sum of a person variable.

    >>> wide = pd.DataFrame({"household": [7], "state": ["N1"], "present_1_1": [1], "age_1_1": [46],
    ...                      "present_1_2": [0], "age_1_2": [pd.NA], "present_2_1": [1],
    ...                      "age_2_1": [65]})
    >>> qi_table(wide, household=["state"], person=["age"], total=None).to_numpy().tolist()
    [['N1', 46, 65]]
    """
    household = checks.names("household", household)
    person = checks.names("person", person)
    persons, homes = unflatten(wide)
    checks.frame("households", homes, household)
    checks.frame("persons", persons, person)
    table = homes[["household", *household]]
    number = persons.groupby("household").cumcount() + 1
    for k in range(1, respondents + 1):
        people = persons[number == k].set_index("household")[person]
        if len(people) < len(homes):
            people = with_gaps(people)
        table = table.join(people.add_suffix(f"_{k}"), on="household")
    if total is not None:
        checks.frame("persons", persons, [total])
        checks.quantities("persons", persons, [total])
        income = persons.groupby("household")[total].sum()  # who has no value adds nothing
        table["income"] = cells.as_floats(table["household"].map(income))
    return table.drop(columns="household")


def unique_pairs(
    confidential: pd.DataFrame, synthetic: pd.DataFrame, qis: Sequence[str]
) -> pd.DataFrame:
    """Find the SU-CU households: a frame with the positions of each in both files.

    >>> data = pd.DataFrame({"state": list("AABC"), "age": [50, 50, 60, 70]})
    >>> other = pd.DataFrame({"state": list("ABBC"), "age": [50, 60, 60, 70]})
    >>> unique_pairs(data, other, ["state", "age"]).to_numpy().tolist()
    [[3, 3]]
    """
    qis = checks.names("qis", qis, "variable the intruder knows")
    checks.same_kind({"confidential": confidential, "synthetic": synthetic}, qis)
    (k, k_star), (f, f_star) = cells.count_cells([confidential, synthetic], qis)
    found = np.flatnonzero((f[k] == 1) & (f_star[k] == 1))
    row_of = np.zeros(len(f), dtype=int)
    row_of[k_star] = np.arange(len(k_star))
    return pd.DataFrame({"confidential": found, "synthetic": row_of[k[found]]})


def unique_uniques(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    qis: Sequence[str],
    r: Iterable[float] | None = None,
    thresholds: Iterable[float] = THRESHOLDS,
) -> pd.DataFrame:
    """Count SU-CU households, and those of them with r above each threshold.

    Both files have one row per household, and may have different numbers of them; `qis` names the
    quasi-identifiers. `r` says for each confidential household how likely a match is right, as
    `population_risk` gives it, missing for those that are not unique; None counts without it.

    >>> data = pd.DataFrame({"state": list("AABC"), "age": [50, 50, 60, 70]})
    >>> unique_uniques(data, data, ["state", "age"], r=[None, None, 0.2, 1.0], thresholds=[0.5])
             households  percent
    all               4    100.0
    SU-CU             2     50.0
    r > 0.5           1     25.0
    """
    found = unique_pairs(confidential, synthetic, qis)["confidential"]
    rows = {"all": len(confidential), "SU-CU": len(found)}
    if r is not None:
        r_of_found = _probabilities("r", r, len(confidential))[found]
        for threshold in thresholds:
            rows[f"r > {threshold:g}"] = int((r_of_found > threshold).sum())
    counts = pd.Series(rows, name="households")
    return pd.DataFrame({"households": counts, "percent": 100 * counts / len(confidential)})


def attribute_risk(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    qis: Sequence[str],
    value: str,
    r: Iterable[float],
    *,
    thresholds: Iterable[float] = THRESHOLDS,
    b: Iterable[float] = RANGES,
) -> pd.DataFrame:
    """Return a1 and a2: how near the synthetic file leads to a household's income x.

    Looked at are SU-CU households with r > R and x ≠ 0. With b' = 1 + b/100, near means strictly
    between x/b' and x·b'.

        a1(b, R)   how many of them have a synthetic counterpart (same QIs) with an income near x
        a2(b, R)   the mean share of incomes near x in the household's leaf, in a tree of income on
                   the QIs grown on the synthetic file

    The result has one row for each R: records, a1(50), …, a2(50), … (a2 is missing where no record
    is looked at). `value` names the income, and `b` lists the ranges in percent; the other
    arguments are those of `unique_uniques`.
    """
    near = near_incomes(confidential, synthetic, qis, value, b=b)
    r_of_near = _probabilities("r", r, len(confidential))[near["confidential"]]
    thresholds = list(thresholds)
    rows = []
    for threshold in thresholds:
        chosen = near[r_of_near > threshold]
        a1 = chosen.filter(like="a1").sum().astype(int)
        a2 = chosen.filter(like="a2").mean()
        rows.append({"records": len(chosen), **a1, **a2})
    return pd.DataFrame(rows, index=pd.Index(thresholds, name="R"))


def near_incomes(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    qis: Sequence[str],
    value: str,
    *,
    b: Iterable[float] = RANGES,
) -> pd.DataFrame:
    """Return the SU-CU households with an income x ≠ 0, one row each: what a1 and a2 add up.

    Columns: the positions in both files, x, the income of the synthetic counterpart, and for each
    b whether the counterpart's income is near, a1(b), and the share of near incomes in the leaf,
    a2(b).
    """
    qis = checks.names("qis", qis)
    near = unique_pairs(confidential, synthetic, qis)
    for argument, data in (("confidential", confidential), ("synthetic", synthetic)):
        checks.frame(argument, data, [value])
        checks.quantities(argument, data, [value, *checks.numeric_names(qis, [data])])
        checks.complete(argument, data, [value])
    incomes = cells.as_floats(confidential[value])
    synthetic_incomes = cells.as_floats(synthetic[value])
    near["x"] = incomes[near["confidential"]]
    near["x_synthetic"] = synthetic_incomes[near["synthetic"]]
    near = near[near["x"] != 0].reset_index(drop=True)
    targets = confidential.iloc[near["confidential"]]
    leaves = _leaf_incomes(targets[qis], synthetic[qis], synthetic_incomes)
    b = list(b)
    for percent in b:
        near[f"a1({percent:g})"] = is_near(near["x_synthetic"], near["x"], percent)
    for percent in b:
        shares = []
        for leaf, x in zip(leaves, near["x"], strict=True):
            shares.append(is_near(leaf, x, percent).mean())
        near[f"a2({percent:g})"] = shares
    return near


def is_near(income, x, b):
    """Say whether an income is strictly inside the range around x; see `near_range`.

    >>> is_near(np.array([125.0, 124.0, 79.0]), 100.0, 25).tolist()
    [False, True, False]
    """
    low, high = near_range(x, b)
    return (income > low) & (income < high)


def near_range(x, b):
    """Return the ends of the range around x: x/b' and x·b' with b' = 1 + b/100, lower end first.

    >>> near_range(np.array([100.0, -100.0]), 25)
    (array([  80., -125.]), array([125., -80.]))
    """
    ends = x / (1 + b / 100), x * (1 + b / 100)
    return np.minimum(*ends), np.maximum(*ends)


def _leaf_incomes(targets, synthetic, income):
    """For each target, the synthetic incomes in the leaf it falls into."""
    if not len(targets):
        return []
    files = pd.concat([synthetic, targets], ignore_index=True)
    coded, levels = code_table(files, [[name] for name in files])
    x = matrix(coded, list(files), files.index)
    x_synthetic, x_targets = np.split(x, [len(synthetic)])
    rng = np.random.default_rng(0)  # only breaks ties between equally good splits
    weights = np.ones(len(synthetic))
    tree = Tree(x_synthetic, list(levels.values()), income, weights=weights, min_leaf=LEAF, rng=rng)
    rows_of_leaf = pd.Series(income).groupby(tree.leaf_of_donor).indices
    return [income[rows_of_leaf[leaf]] for leaf in tree.leaves(x_targets)]


def _probabilities(argument, value, n=None):
    """Return a probability for each of n records as an array; missing for those without one."""
    numbers = checks.numbers(argument, value, n)
    if ((numbers < 0) | (numbers > 1)).any():
        raise ValueError(f"{argument} holds a number outside 0 to 1; it is a probability.")
    return numbers


# Protection


def down_weights(r: Iterable[float], cutoff: float) -> pd.Series:
    """Return the weight each household gets in the synthesis, by its risk r.

        0         if r > cutoff
        1 − r²    if r ≤ cutoff
        1         if the household is not unique in the sample (r is missing)

    >>> down_weights(pd.Series([None, 0.1, 0.6, 1.0]), 0.5).tolist()
    [1.0, 0.99, 0.0, 0.0]
    """
    checks.number("cutoff", cutoff, 0, 1)
    risk = _probabilities("r", r)
    not_unique = np.isnan(risk)
    weights = np.select([not_unique, risk > cutoff], [1.0, 0.0], default=1 - risk**2)
    index = r.index if isinstance(r, pd.Series) else None
    return pd.Series(weights, index=index, name="weight")


# The population, where it is known


def population_counts(
    population: pd.DataFrame, table: pd.DataFrame, qis: Sequence[str]
) -> pd.Series:
    """Return F_k for every row of a table: how many households of the population share its QIs.

    >>> population = pd.DataFrame({"state": list("AAB"), "age": [50, 60, 50], "count": [9, 1, 4]})
    >>> population_counts(population, pd.DataFrame({"state": ["A", "B"]}), ["state"]).tolist()
    [10, 4]
    """
    qis = checks.names("qis", qis)
    checks.same_kind({"table": table, "population": population}, qis)
    counts = checks.counts("population", population)
    return pd.Series(_count_like(table, population, counts, qis), index=table.index, name="F")


def _count_like(table, file, counts, names):
    """For every row of a table, count the households of a file that have the same values.

    `counts` says how many households every row of the file stands for.
    """
    ours, theirs = cells.label_cells([table, file], names)
    total = np.bincount(theirs, counts, minlength=ours.max() + 1)
    return total[ours].astype(np.int64)


def sampling_fractions(
    population: pd.DataFrame, table: pd.DataFrame, strata: Sequence[str] = ("state", "rural")
) -> pd.Series:
    """Return the sampling fraction π of every row's stratum: sampled over existing households."""
    strata = checks.names("strata", strata)
    checks.same_kind({"table": table, "population": population}, strata)
    counts = checks.counts("population", population)
    sampled = _count_like(table, table, np.ones(len(table)), strata)
    existing = _count_like(table, population, counts, strata)
    too_many = np.flatnonzero(sampled > existing)
    if len(too_many):
        i = too_many[0]
        raise ValueError(
            f"row {i} is one of {sampled[i]} sampled households of its stratum, but the "
            f"population has {existing[i]}; take the population the sample was drawn from."
        )
    return pd.Series(sampled / existing, index=table.index, name="fraction")


def draw_sample(
    population: pd.DataFrame,
    sizes: Mapping | pd.Series,
    *,
    strata: Sequence[str] = ("state", "rural"),
    without: pd.DataFrame | None = None,
    seed: int | None = None,
) -> pd.DataFrame:
    """Draw households from the population, without replacement, so many from every stratum.

    `population` has a column count, `strata` names the columns that make the strata, and `sizes`
    maps their levels to the number of households to draw. `without` may be a sample of this
    population, one row per household: these are left out, so that nobody is in both samples.
    Returns a frame with one row per drawn household and the columns of population but count.

    >>> population = pd.DataFrame({"state": list("AA"), "age": [50, 60], "count": [2, 1]})
    >>> sample = pd.DataFrame({"state": ["A"], "age": [60]})
    >>> others = draw_sample(population, {"A": 2}, strata=["state"], without=sample)
    >>> others.age.tolist()
    [50, 50]
    """
    strata = checks.names("strata", strata, "column")
    rng = checks.generator(seed)
    checks.frame("population", population, strata)
    existing = checks.counts("population", population).astype(np.int64)
    if without is not None:
        existing = existing - _count_sampled(population, without)
    rows_of_stratum = population.groupby(strata, observed=True).indices
    if isinstance(sizes, pd.Series):
        sizes = sizes.to_dict()
    sizes = checks.mapping("sizes", sizes, rows_of_stratum, "a stratum of the population")
    drawn_rows = []
    for stratum, rows in rows_of_stratum.items():
        most = int(existing[rows].sum())
        size = sizes.get(stratum, 0)
        checks.number(f"sizes[{stratum!r}]", size, 0, most, whole=True)
        times = rng.multivariate_hypergeometric(existing[rows], size, method="marginals")
        drawn_rows.append(np.repeat(rows, times))
    kinds = population.drop(columns="count")
    return kinds.iloc[np.concatenate(drawn_rows)].reset_index(drop=True)


def _count_sampled(population, sample):
    """For every row of the population, how many of its households are in the sample."""
    kinds = [name for name in population if name != "count"]
    checks.same_kind({"population": population, "without": sample}, kinds)
    (theirs, ours), (rows_of_kind, _) = cells.count_cells([population, sample], kinds)
    row_of_kind = np.zeros(len(rows_of_kind), dtype=int)
    row_of_kind[theirs] = np.arange(len(theirs))
    sampled = np.bincount(row_of_kind[ours], minlength=len(population))
    unknown = rows_of_kind[ours] == 0
    if unknown.any() or (sampled > population["count"]).any():
        raise ValueError(
            "without holds more households of some kind than the population has; take the "
            "population the sample was drawn from."
        )
    return sampled
