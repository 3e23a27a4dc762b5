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

from synthrisk_edu.data import PERSON_QIS
from synthrisk_edu.households import checks
from synthrisk_edu.households.structure import check_wide, slot_column, spread
from synthrisk_edu.levels import count_combinations
from synthrisk_edu.synthesis.cart import Tree, code_columns

THRESHOLDS = (0.1, 0.5, 0.95)
RANGES = (50, 20, 10)
LEAF = 15
HOUSEHOLD_QIS = ("state", "rural", "residents")


def qi_names(respondents=2, household=HOUSEHOLD_QIS, person=PERSON_QIS):
    """Name the quasi-identifiers: of the household, and of its first respondents.

    >>> qi_names(1)
    ['state', 'rural', 'residents', 'age_1', 'gender_1', 'education_1', 'working_1']
    """
    household, person = checks.names("household", household), checks.names("person", person)
    numbers = range(1, checks.count("respondents", respondents, 0) + 1)
    return [*household, *(f"{name}_{number}" for number in numbers for name in person)]


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
    _, present = check_wide(wide)
    columns = {name: [slot_column(name, slot) for slot in present] for name in person}
    for wanted in (household, *columns.values()):
        checks.columns("wide", wide, wanted)
    there = np.column_stack(list(present.values()))
    table = {name: wide[name].array for name in household}
    for number in range(1, checks.count("respondents", respondents, 0) + 1):
        is_this_one = there & (there.cumsum(axis=1) == number)
        place = np.where(is_this_one.any(axis=1), is_this_one.argmax(axis=1), -1)
        for name in person:
            table[f"{name}_{number}"] = _pick([wide[column] for column in columns[name]], place)
    if total is not None:
        earned = [slot_column(total, slot) for slot in present]
        checks.summable("wide", wide, earned)
        income = wide[earned].astype("Float64").sum(axis=1)  # who has no value adds nothing
        table["income"] = income.to_numpy(dtype=float)
    return pd.DataFrame(table, index=wide.index)


def _pick(columns, place):
    """For every row, the value in the column with the number `place`; missing where it is −1."""
    if (place == 0).all():
        return columns[0].array
    stacked, n = pd.concat(columns, ignore_index=True), len(place)
    return spread(stacked, np.where(place >= 0, place * n + np.arange(n), -1))


def unique_pairs(confidential, synthetic, qis):
    """Find the SU-CU households: a frame with the positions of each in both files.

    >>> data = pd.DataFrame({"state": list("AABC"), "age": [50, 50, 60, 70]})
    >>> other = pd.DataFrame({"state": list("ABBC"), "age": [50, 60, 60, 70]})
    >>> unique_pairs(data, other, ["state", "age"]).to_numpy().tolist()
    [[3, 3]]
    """
    files = {"confidential": confidential, "synthetic": synthetic}
    (ours, theirs), (f, f_star) = _cells(files, qis)
    found = np.flatnonzero((f[ours] == 1) & (f_star[ours] == 1))
    row_of = np.zeros(len(f), dtype=int)
    row_of[theirs] = np.arange(len(theirs))
    return pd.DataFrame({"confidential": found, "synthetic": row_of[ours[found]]})


def _cells(files, qis, counted=False):
    """Return the cell of QIs of every row, and the records of every cell: a pair of arrays each.

    `files` maps what the caller calls a file to the file; `counted` files have a column `count`.
    """
    qis = checks.names("qis", qis, "variable the intruder knows")
    checks.columns_of_one_kind(files, qis)
    counts = [checks.row_counts(*one, qis) for one in files.items()] if counted else None
    return count_combinations(list(files.values()), qis, counts)


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
    found = unique_pairs(confidential, synthetic, qis)["confidential"].to_numpy()
    return _count_unique_uniques(confidential, len(confidential), found, r, thresholds)


def unique_uniques_from_counts(
    confidential_counts, synthetic_counts, qis, r=None, thresholds=THRESHOLDS
):
    """Do the same as `unique_uniques` from frames with the QIs and a column `count`.

    For files that do not fit into memory: let a database count, with one GROUP BY over the QIs for
    each file. `r` has a probability for each row of `confidential_counts`.
    """
    files = {"confidential_counts": confidential_counts, "synthetic_counts": synthetic_counts}
    (ours, _), (f, f_star) = _cells(files, qis, counted=True)
    # A row that counts nobody may stand beside the one that counts the household.
    some = confidential_counts["count"].to_numpy(dtype=float) > 0
    found = np.flatnonzero((f[ours] == 1) & (f_star[ours] == 1) & some)
    return _count_unique_uniques(confidential_counts, int(f.sum()), found, r, thresholds)


def _count_unique_uniques(confidential, n, found, r, thresholds):
    """Put the SU-CU households among n, and those with r above each threshold, into a table."""
    rows, thresholds = {"all": n, "SU-CU": len(found)}, checks.cutoffs("thresholds", thresholds, 1)
    if r is not None:
        r = checks.probabilities("r", r, len(confidential))
        for threshold in thresholds:
            rows[f"r > {threshold:g}"] = int((r[found] > threshold).sum())
    counts = pd.Series(rows, name="households")
    return pd.DataFrame({"households": counts, "percent": 100 * counts / n})


def attribute_risk(
    confidential, synthetic, qis, value, r, *, thresholds=THRESHOLDS, b=RANGES, min_leaf=LEAF
):
    """Return a1 and a2: how near the synthetic file leads to a household's income x.

    Looked at are SU-CU households with r > R and x ≠ 0. With b' = 1 + b/100, near means strictly
    between x/b' and x·b'.

        a1(b, R)   how many of them have a synthetic counterpart (same QIs) with an income near x
        a2(b, R)   the mean share of incomes near x in the household's leaf, in a tree of income on
                   the QIs grown on the synthetic file

    The result has one row for each R: records, a1(50), …, a2(50), … (a2 is missing where no record
    is looked at). `value` names the income, `b` lists the ranges in percent, and `min_leaf` is the
    smallest leaf of the tree behind a2; the other arguments are those of `unique_uniques`.
    """
    near = near_incomes(confidential, synthetic, qis, value, b=b, min_leaf=min_leaf)
    r = checks.probabilities("r", r, len(confidential))[near["confidential"].to_numpy()]
    rows, thresholds = [], checks.cutoffs("thresholds", thresholds, 1)
    for threshold in thresholds:
        chosen = near[r > threshold]
        hits = chosen.filter(like="a1").sum().astype(int)
        rows.append({"records": len(chosen), **hits, **chosen.filter(like="a2").mean()})
    return pd.DataFrame(rows, index=pd.Index(thresholds, name="R"))


def near_incomes(confidential, synthetic, qis, value, *, b=RANGES, min_leaf=LEAF):
    """Return the SU-CU households with an income x ≠ 0, one row each: what a1 and a2 add up.

    Columns: the positions in both files, x, the income of the synthetic counterpart, and for each
    b whether the counterpart's income is near, a1(b), and the share of near incomes in the leaf,
    a2(b).
    """
    qis, min_leaf = checks.names("qis", qis), checks.count("min_leaf", min_leaf)
    found = unique_pairs(confidential, synthetic, qis)
    for argument, data in (("confidential", confidential), ("synthetic", synthetic)):
        checks.columns(argument, data, [value])
        checks.numeric(argument, data, value)
        checks.complete(argument, data, [value])
        checks.bounded(argument, data, [value])
    found["x"] = confidential[value].to_numpy(dtype=float)[found["confidential"]]
    found["x_synthetic"] = synthetic[value].to_numpy(dtype=float)[found["synthetic"]]
    found = found[found["x"] != 0].reset_index(drop=True)
    targets = confidential.iloc[found["confidential"]]
    leaves = _leaf_incomes(targets, synthetic, qis, value, min_leaf)
    ranges = checks.cutoffs("b", b)
    for percent in ranges:
        found[f"a1({percent:g})"] = is_near(found["x_synthetic"], found["x"], percent)
    for percent in ranges:
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


def _leaf_incomes(targets, synthetic, qis, value, min_leaf):
    """For each target, the synthetic incomes in the leaf it falls into."""
    if not len(targets):
        return []
    checks.bounded("confidential", targets, qis)
    checks.bounded("synthetic", synthetic, qis)
    income, weights = synthetic[value].to_numpy(dtype=float), np.ones(len(synthetic))
    rng = np.random.default_rng(0)  # only breaks ties between equally good splits
    how = {"min_leaf": min_leaf, "weights": weights, "rng": rng}
    tree = Tree(code_columns(synthetic, qis), income, **how)
    rows_of_leaf = pd.Series(income).groupby(tree.donor_leaf).indices
    leaves = tree.leaves(tree.encode(code_columns(targets, qis), len(targets)))
    return [income[rows_of_leaf[leaf]] for leaf in leaves]


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


def group_states(frame, mapping):
    """Return the frame with small states joined to others: coarser, and harder to find.

    `mapping` says for a small state which one it joins. The group is called by both names.

    >>> frame = pd.DataFrame({"state": ["N1", "N2", "N3"]})
    >>> group_states(frame, {"N1": "N3"})["state"].tolist()
    ['N3+N1', 'N2', 'N3+N1']
    """
    checks.columns_of_one_kind({"frame": frame}, ["state"])
    levels = list(frame["state"].dropna().unique())
    mapping = checks.state_mapping(levels, mapping)
    joined = {}
    for small, large in sorted(mapping.items(), key=lambda pair: str(pair[0])):
        joined.setdefault(large, []).append(small)
    names = {large: "+".join(map(str, [large, *small])) for large, small in joined.items()}
    target = {level: names.get(mapping.get(level, level), level) for level in levels}
    grouped = frame["state"].astype(object).map(target)
    if isinstance(frame["state"].dtype, pd.CategoricalDtype):
        kept = [level for level in frame["state"].cat.categories if level in target]
        grouped = pd.Categorical(grouped, categories=list(dict.fromkeys(map(target.get, kept))))
    return frame.assign(state=grouped)


# The population, where it is known


def population_counts(population, table, qis):
    """Return F_k for every row of a table: how many households of the population share its QIs.

    >>> population = pd.DataFrame({"state": list("AAB"), "age": [50, 60, 50], "count": [9, 1, 4]})
    >>> population_counts(population, pd.DataFrame({"state": ["A", "B"]}), ["state"]).tolist()
    [10, 4]
    """
    counts = checks.row_counts("population", population)
    ours, theirs = _cells({"table": table, "population": population}, qis)[0]
    total = np.bincount(theirs, counts, minlength=ours.max() + 1)
    return pd.Series(total[ours].astype(np.int64), index=table.index, name="F")


def sampling_fractions(population, table, strata=("state", "rural")):
    """Return the sampling fraction π of every row's stratum: sampled over existing households."""
    strata = checks.strata(strata, population)
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
    rng = checks.generator(seed)
    strata = checks.strata(strata, population)
    existing = population["count"].to_numpy(dtype=np.int64)
    if without is not None:
        existing = existing - _sampled(population, without)
    rows_of_stratum = population.groupby(strata, observed=True).indices
    available = {stratum: int(existing[here].sum()) for stratum, here in rows_of_stratum.items()}
    sizes = checks.sample_sizes(sizes, available)
    rows = []
    for stratum, here in rows_of_stratum.items():
        size = sizes.get(stratum, 0)
        drawn = rng.multivariate_hypergeometric(existing[here], size, method="marginals")
        rows.append(np.repeat(here, drawn))
    return population.drop(columns="count").iloc[np.concatenate(rows)].reset_index(drop=True)


def _sampled(population, sample):
    """For every row of the population, how many of its households are in the sample."""
    kinds = [name for name in population if name != "count"]
    (theirs, ours), (rows, _) = _cells({"population": population, "without": sample}, kinds)
    row_of_cell = np.zeros(len(rows), dtype=int)
    row_of_cell[theirs] = np.arange(len(theirs))
    sampled = np.bincount(row_of_cell[ours], minlength=len(population))
    if not rows[ours].all() or (sampled > population["count"]).any():
        raise ValueError(
            "without holds more households of some kind than the population has; take the "
            "population the sample was drawn from."
        )
    return sampled
