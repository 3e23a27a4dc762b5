"""Is a synthetic household file still useful? The same look at both files, on the right level.

Persons live together, so what is said of a household is repeated for everyone in it. A table of
household variables alone must count households: counted on persons, the same household comes
several times, and the ratio no longer has its null expectation of 1.
"""

import numpy as np
import pandas as pd

from synthrisk_edu.households import checks
from synthrisk_edu.households.structure import (
    FLAG,
    SLOT_COLUMN,
    check_wide,
    household_variables,
    slot_column,
    unflatten,
)
from synthrisk_edu.utility import pmse_tables

NOT_COMPARED = (
    "region",
    "weight",
    "head_gender",
)  # known from state; used as weights; not released
LOWER_SECONDARY, TERTIARY = "middle", "degree"  # where the three groups of education part


def whole_file(wide, like=None):
    """Return a wide file as the tree that tells two files apart gets it.

    Ids, weights, flags and what is not released are left out; ordered categories become numbers,
    state stays a category.

    Args:
        wide: a wide file.
        like: another wide file whose slots the result should have; missing ones stay empty.
    """
    checks.frame("wide", wide)
    columns = {}
    for name in checks.frame("like", wide if like is None else like).columns:
        slot = SLOT_COLUMN.fullmatch(str(name))
        if (slot[1] if slot else name) in (FLAG, "household", *NOT_COMPARED):
            continue
        column = wide[name] if name in wide else pd.Series(np.nan, index=wide.index)
        if isinstance(column.dtype, pd.CategoricalDtype) and name != "state":
            column = column.cat.codes.replace(-1, np.nan)
        columns[name] = column
    return pd.DataFrame(columns)


def person_table(wide):
    """Return one row per person with the person's variables and those of the household."""
    persons, households = unflatten(wide)
    return persons.merge(households, on="household", suffixes=("", "_household"))


def household_tables(confidential, synthetic, ways=2):
    """Return the pMSE ratio of every table of `ways` variables of two wide files, worst first.

    Tables of household variables alone are counted on households, all others on persons.
    """
    frames = []
    for argument, wide in (("confidential", confidential), ("synthetic", synthetic)):
        checks.frame(argument, wide)
        y = [name for name in household_variables(wide) if name not in NOT_COMPARED]
        persons = person_table(wide).drop(columns=["household", "couple", "place"])
        persons = persons[
            [name for name in persons if name.split("_household")[0] not in NOT_COMPARED]
        ]
        frames.append((wide[y], persons))
    (homes, persons), (their_homes, their_persons) = frames
    table = pmse_tables(persons, their_persons, ways)
    if ways <= homes.shape[1]:
        names = table.filter(like="variable").isin(list(homes))
        table = pd.concat([table[~names.all(axis=1)], pmse_tables(homes, their_homes, ways)])
    return table.sort_values("ratio", ascending=False, kind="stable", ignore_index=True)


def mean_ratios(tables):
    """Return for every variable the mean ratio of the tables it is in, largest first.

    >>> tables = pd.DataFrame({"variable_1": ["age", "age"], "variable_2": ["adl", "work"],
    ...                        "pmse": [0, 0], "ratio": [9.0, 1.0]})
    >>> mean_ratios(tables).to_dict()
    {'adl': 9.0, 'age': 5.0, 'work': 1.0}
    """
    checks.frame("tables", tables)
    checks.columns("tables", tables, ["variable_1", "ratio"])
    names = [name for name in tables if name.startswith("variable_")]
    long = pd.concat([tables.set_index(name)["ratio"] for name in names])
    return long.groupby(level=0).mean().sort_values(ascending=False, kind="stable")


def marginals(wide, *, weighted=False):
    """Return shares and means of a wide file with 95 % intervals, as in the report's Table 3.

    Columns: estimate, low, high. Shares are in percent. A weighted mean m = Σ w x / Σ w has the
    standard error √(Σ w² (x − m)²) / Σ w; with w = 1 it is the usual one.
    """
    persons, households = unflatten(wide)
    checks.marginal_variables(persons, households, weighted)
    education = persons["education"].cat.codes.to_numpy()
    levels = list(persons["education"].cat.categories)
    below, upper = levels.index(LOWER_SECONDARY), levels.index(TERTIARY)
    groups = {
        "% female": persons["gender"] == "female",
        "% less than lower secondary": education < below,
        "% upper secondary or vocational": (education >= below) & (education < upper),
        "% tertiary": education >= upper,
        "% working": persons["working"] == "yes",
        **{f"% age {age}": persons["age"] == age for age in persons["age"].cat.categories},
    }
    w = persons["weight"].to_numpy() if weighted else np.ones(len(persons))
    rows = {name: 100 * _mean(np.asarray(member, float), w) for name, member in groups.items()}
    for name in ("education_years", "health", "adl", "earnings"):
        rows["mean " + name] = _mean(persons[name].to_numpy(dtype=float), w)
    w = households["weight"].to_numpy() if weighted else np.ones(len(households))
    for name in ("residents", "respondents"):
        rows["mean " + name] = _mean(households[name].to_numpy(dtype=float), w)
    return pd.DataFrame(rows, index=["estimate", "low", "high"]).T


def _mean(x, w):
    """The weighted mean and the ends of its 95 % interval."""
    mean = (w * x).sum() / w.sum()
    reach = 1.96 * np.sqrt((w**2 * (x - mean) ** 2).sum()) / w.sum()
    return np.array([mean, mean - reach, mean + reach])


def spouses(wide, variable):
    """Return a variable of woman and man of every mixed couple: columns female and male.

    The few couples of two women or two men are left out, as in the report.
    """
    _, all_slots = check_wide(wide)
    checks.columns("wide", wide, [slot_column(name, (1, 1)) for name in (variable, "gender")])
    couples = [couple for couple, place in all_slots if place == 2]
    checks.some_couples(couples)
    pairs = pd.concat([_pair(wide, variable, couple) for couple in couples], ignore_index=True)
    pairs = pairs.dropna(subset=["gender_1", "gender_2"])  # of unknown gender: not known as mixed
    mixed = pairs[pairs["gender_1"] != pairs["gender_2"]]
    first_is_woman = mixed["gender_1"] == "female"
    return pd.DataFrame(
        {
            "female": mixed["value_1"].where(first_is_woman, mixed["value_2"]),
            "male": mixed["value_2"].where(first_is_woman, mixed["value_1"]),
        }
    ).reset_index(drop=True)


def _pair(wide, variable, couple):
    """The values and genders of both persons of one couple, where there are two."""
    there = (wide[slot_column(FLAG, (couple, 2))] == 1).to_numpy()
    columns = {}
    for place in (1, 2):
        columns[f"value_{place}"] = as_numbers(wide, slot_column(variable, (couple, place)))
        columns[f"gender_{place}"] = wide[slot_column("gender", (couple, place))].astype(str)
    return pd.DataFrame(columns)[there]


def extremes(wide, variable):
    """Return the lowest and highest value in every household with at least two respondents."""
    _, all_slots = check_wide(wide)
    checks.columns("wide", wide, ["respondents", slot_column(variable, (1, 1))])
    columns = [as_numbers(wide, slot_column(variable, slot)) for slot in all_slots]
    values = pd.concat(columns, axis=1)[(wide["respondents"] > 1).to_numpy()]
    return pd.DataFrame({"lowest": values.min(axis=1), "highest": values.max(axis=1)})


def as_numbers(wide, name):
    """A column as floats: numbers as they are, ordered levels as 0, 1, 2, …; missing is NaN."""
    column = wide[name]
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.astype(float).replace(-1.0, np.nan)
    checks.summable("wide", wide, name)
    return column.astype("Float64").astype(float)


def with_family(methods):
    """Split the name of a method of protection into its family and its cutoff.

    Without a cutoff nobody is cut: the cutoff is 1, for no risk is above it.

    >>> with_family(pd.DataFrame({"method": ["no protection", "tree only, cutoff 0.9"]}))
                      method         family  cutoff
    0          no protection  no protection     1.0
    1  tree only, cutoff 0.9      tree only     0.9
    """
    checks.frame("methods", methods)
    checks.columns("methods", methods, ["method"])
    parts = methods["method"].str.partition(", cutoff ")
    cutoff = pd.to_numeric(parts[2], errors="coerce").fillna(1.0)
    return methods.assign(family=parts[0], cutoff=cutoff)
