"""Who can be found, and what would one learn? Identification and attribute risk of households.

An intruder knows some quasi-identifiers (QIs) of a household: where it is, how many live there, and
a few things about the first two respondents. A household that is alone with its QIs in the
confidential file (confidential unique, CU), and whose QIs stand exactly once in the synthetic file
(synthetic unique, SU), is *SU-CU*: the intruder finds one synthetic household, and believes it.
Whether belief is justified depends on the population: r_i = E[1/F_k | f_k = 1] is the chance that
a match with this household is the right one (see `uniqueness`).
"""

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


def qi_names(respondents=2, household=HOUSEHOLD_QIS, person=PERSON_QIS):
    """Name the quasi-identifiers: of the household, and of its first respondents.

    >>> qi_names(1)
    ['state', 'rural', 'residents', 'age_1', 'gender_1', 'education_1', 'working_1']
    """
    household, person = checks.names("household", household), checks.names("person", person)
    return [*household, *(f"{name}_{k}" for k in range(1, respondents + 1) for name in person)]


def qi_table(wide, *, respondents=2, household=HOUSEHOLD_QIS, person=PERSON_QIS, total="earnings"):
    """Return what an intruder may know of each household, one row per household.

    The household's variables; those of its first, second, … respondent in the order of couple and
    place (missing when there are fewer); and the household's income, the sum of a person variable.

    >>> wide = pd.DataFrame({"household": [7], "state": ["N1"], "present_1_1": [1], "age_1_1": [46],
    ...                      "present_1_2": [0], "age_1_2": [pd.NA], "present_2_1": [1],
    ...                      "age_2_1": [65]})
    >>> qi_table(wide, household=["state"], person=["age"], total=None).to_numpy().tolist()
    [['N1', 46, 65]]
    """
    household, person = checks.names("household", household), checks.names("person", person)
    persons, homes = unflatten(wide)
    checks.columns("households", homes, household)
    checks.columns("persons", persons, person if total is None else [*person, total])
    table, number = homes[["household", *household]], persons.groupby("household").cumcount() + 1
    for k in range(1, respondents + 1):
        one = persons[number == k].set_index("household")[person]
        one = one if len(one) == len(homes) else with_gaps(one)
        table = table.join(one.add_suffix(f"_{k}"), on="household")
    if total is not None:
        checks.numeric("persons", persons, [total])
        income = persons.groupby("household")[total].sum()  # who has no value adds nothing
        table["income"] = cells.as_floats(table["household"].map(income))
    return table.drop(columns="household")


def unique_pairs(confidential, synthetic, qis):
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


def unique_uniques(confidential, synthetic, qis, r=None, thresholds=THRESHOLDS):
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
        r = checks.probabilities("r", r, len(confidential))[found]
        rows |= {f"r > {threshold:g}": int((r > threshold).sum()) for threshold in thresholds}
    counts = pd.Series(rows, name="households")
    return pd.DataFrame({"households": counts, "percent": 100 * counts / len(confidential)})


def attribute_risk(confidential, synthetic, qis, value, r, *, thresholds=THRESHOLDS, b=RANGES):
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
    r, rows = checks.probabilities("r", r, len(confidential))[near["confidential"]], []
    for threshold in thresholds:
        chosen = near[r > threshold]
        hits = chosen.filter(like="a1").sum().astype(int)
        rows.append({"records": len(chosen), **hits, **chosen.filter(like="a2").mean()})
    return pd.DataFrame(rows, index=pd.Index(thresholds, name="R"))


def near_incomes(confidential, synthetic, qis, value, *, b=RANGES):
    """Return the SU-CU households with an income x ≠ 0, one row each: what a1 and a2 add up.

    Columns: the positions in both files, x, the income of the synthetic counterpart, and for each
    b whether the counterpart's income is near, a1(b), and the share of near incomes in the leaf,
    a2(b).
    """
    qis = checks.names("qis", qis)
    found = unique_pairs(confidential, synthetic, qis)
    for argument, data in (("confidential", confidential), ("synthetic", synthetic)):
        checks.columns(argument, data, [value])
        checks.numeric(argument, data, [value, *checks.numeric_names(qis, [data])])
        checks.complete(argument, data, [value])
    found["x"] = cells.as_floats(confidential[value])[found["confidential"]]
    found["x_synthetic"] = cells.as_floats(synthetic[value])[found["synthetic"]]
    found = found[found["x"] != 0].reset_index(drop=True)
    targets = confidential.iloc[found["confidential"]]
    leaves = _leaf_incomes(targets[qis], synthetic[qis], cells.as_floats(synthetic[value]))
    for percent in b:
        found[f"a1({percent:g})"] = is_near(found["x_synthetic"], found["x"], percent)
    for percent in b:
        pairs = zip(leaves, found["x"], strict=True)
        found[f"a2({percent:g})"] = [is_near(leaf, x, percent).mean() for leaf, x in pairs]
    return found


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
    both = pd.concat([synthetic, targets], ignore_index=True)
    coded, levels = code_table(both, [[name] for name in both])
    x, x_of_target = np.split(matrix(coded, list(both), both.index), [len(synthetic)])
    how = {"weights": np.ones(len(synthetic)), "min_leaf": LEAF}
    rng = np.random.default_rng(0)  # only breaks ties between equally good splits
    tree = Tree(x, list(levels.values()), income, rng=rng, **how)
    rows_of_leaf = pd.Series(income).groupby(tree.leaf_of_donor).indices
    return [income[rows_of_leaf[leaf]] for leaf in tree.leaves(x_of_target)]


# Protection


def down_weights(r, cutoff):
    """Return the weight each household gets in the synthesis, by its risk r.

        0         if r > cutoff
        1 − r²    if r ≤ cutoff
        1         if the household is not unique in the sample (r is missing)

    >>> down_weights(pd.Series([None, 0.1, 0.6, 1.0]), 0.5).tolist()
    [1.0, 0.99, 0.0, 0.0]
    """
    risk, cutoff = checks.probabilities("r", r), checks.number("cutoff", cutoff, 0, 1)
    weights = np.select([np.isnan(risk), risk > cutoff], [1.0, 0.0], 1 - risk**2)
    return pd.Series(weights, index=r.index if isinstance(r, pd.Series) else None, name="weight")


# The population, where it is known


def population_counts(population, table, qis):
    """Return F_k for every row of a table: how many households of the population share its QIs.

    >>> population = pd.DataFrame({"state": list("AAB"), "age": [50, 60, 50], "count": [9, 1, 4]})
    >>> population_counts(population, pd.DataFrame({"state": ["A", "B"]}), ["state"]).tolist()
    [10, 4]
    """
    qis = checks.names("qis", qis)
    checks.same_kind({"table": table, "population": population}, qis)
    counts = checks.counts("population", population)
    ours, theirs = cells.label_cells([table, population], qis)
    total = np.bincount(theirs, counts, minlength=ours.max() + 1)
    return pd.Series(total[ours].astype(np.int64), index=table.index, name="F")


def sampling_fractions(population, table, strata=("state", "rural")):
    """Return the sampling fraction π of every row's stratum: sampled over existing households."""
    strata = checks.names("strata", strata)
    checks.columns("table", table, strata)
    sampled = population_counts(table[strata].assign(count=1), table, strata)
    existing = population_counts(population, table, strata)
    for i in np.flatnonzero(sampled > existing)[:1]:
        raise ValueError(
            f"row {i} is one of {sampled.iloc[i]} sampled households of its stratum, but the "
            f"population has {existing.iloc[i]}; take the population the sample was drawn from."
        )
    return (sampled / existing).rename("fraction")


def draw_sample(population, sizes, *, strata=("state", "rural"), without=None, seed=None):
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
    strata, rng = checks.names("strata", strata, "column"), checks.generator(seed)
    checks.columns("population", population, strata)
    existing = checks.counts("population", population).astype(np.int64)
    if without is not None:
        existing = existing - _sampled(population, without)
    rows_of_stratum, rows = population.groupby(strata, observed=True).indices, []
    sizes = sizes.to_dict() if isinstance(sizes, pd.Series) else sizes
    sizes = checks.mapping("sizes", sizes, rows_of_stratum, "a stratum of the population")
    for stratum, here in rows_of_stratum.items():
        most = int(existing[here].sum())
        size = checks.number(f"sizes[{stratum!r}]", sizes.get(stratum, 0), 0, most, whole=True)
        drawn = rng.multivariate_hypergeometric(existing[here], size, method="marginals")
        rows.append(np.repeat(here, drawn))
    return population.drop(columns="count").iloc[np.concatenate(rows)].reset_index(drop=True)


def _sampled(population, sample):
    """For every row of the population, how many of its households are in the sample."""
    kinds = [name for name in population if name != "count"]
    checks.same_kind({"population": population, "without": sample}, kinds)
    (theirs, ours), (rows, _) = cells.count_cells([population, sample], kinds)
    row_of_cell = np.zeros(len(rows), dtype=int)
    row_of_cell[theirs] = np.arange(len(theirs))
    sampled = np.bincount(row_of_cell[ours], minlength=len(population))
    if not rows[ours].all() or (sampled > population["count"]).any():
        raise ValueError(
            "without holds more households of some kind than the population has; take the "
            "population the sample was drawn from."
        )
    return sampled
