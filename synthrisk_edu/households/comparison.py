"""Is a synthetic household file still useful? The same look at both files, on the right level.

Persons live together, so what is said of a household is repeated for everyone in it. A table of
household variables alone must count households: counted on persons, the same household comes
several times, and the ratio no longer has its null expectation of 1.
"""

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.households.structure import KEYS, unflatten
from synthrisk_edu.utility import pmse_tables

NOT_COMPARED = ["region", "weight", "head_gender"]  # follows from state; a weight; not released
LOWER_SECONDARY, TERTIARY = "middle", "degree"  # where the three groups of education part


def tables(confidential, synthetic, ways=2):
    """Return the pMSE ratio of every table of `ways` variables of two wide files, worst first.

    Tables of household variables alone are counted on households, all others on persons.
    """
    (homes, persons), (their_homes, their_persons) = (
        _files_compared(confidential),
        _files_compared(synthetic),
    )
    table = pmse_tables(persons, their_persons, ways)
    if ways <= homes.shape[1]:
        names = table.filter(like="variable").isin(list(homes))
        table = pd.concat([table[~names.all(axis=1)], pmse_tables(homes, their_homes, ways)])
    table.attrs = confidential.attrs
    return table.sort_values("ratio", ascending=False, kind="stable", ignore_index=True)


def _files_compared(wide):
    """What is compared of the households, and of the persons with the variables of their home."""
    files = unflatten(wide)
    persons, households = (file.drop(columns=NOT_COMPARED, errors="ignore") for file in files)
    persons = persons.merge(households, on="household", suffixes=("", "_household"))
    return households.drop(columns="household"), persons.drop(columns=KEYS)


def mean_ratios(tables):
    """Return for every variable the mean ratio of the tables it is in, largest first.

    >>> tables = pd.DataFrame({"variable_1": ["age", "age"], "variable_2": ["adl", "work"],
    ...                        "pmse": [0, 0], "ratio": [9.0, 1.0]})
    >>> mean_ratios(tables).to_dict()
    {'adl': 9.0, 'age': 5.0, 'work': 1.0}
    """
    checks.columns("tables", tables, ["variable_1", "ratio"])
    names = [name for name in tables if name.startswith("variable_")]
    long = pd.concat([tables.set_index(name)["ratio"] for name in names])
    return long.groupby(level=0).mean().sort_values(ascending=False, kind="stable")


def marginals(wide, *, weighted=False):
    """Return shares and means of a wide file with 95 % intervals, as in the report's Table 3.

    Columns: estimate, low, high. Shares are in percent. A weighted mean m = Σ w x / Σ w has the
    standard error √(Σ_h (Σ_{i in h} w_i (x_i − m))²) / Σ w, with a sum for every household h: who
    lives together was not sampled independently.
    """
    persons, households = unflatten(wide)
    wanted = ["gender", "age", "education", "education_years", "health", "adl", "working"]
    checks.columns("persons", persons, [*wanted, "earnings", *["weight"] * weighted])
    checks.columns("households", households, ["residents", "respondents", *["weight"] * weighted])
    levels, education = list(persons["education"].cat.categories), persons["education"].cat.codes
    below, upper = (checks.level("education", levels, one) for one in (LOWER_SECONDARY, TERTIARY))
    groups = {
        "% female": persons["gender"] == "female",
        "% less than lower secondary": education < below,
        "% upper secondary or vocational": (education >= below) & (education < upper),
        "% tertiary": education >= upper,
        "% working": persons["working"] == "yes",
        "% with earnings": persons["earnings"] > 0,
        **{f"% age {age}": persons["age"] == age for age in persons["age"].cat.categories},
    }
    w = persons["weight"].to_numpy() if weighted else np.ones(len(persons))
    home = pd.factorize(persons["household"])[0]
    rows = {name: 100 * _mean(np.asarray(one, float), w, home) for name, one in groups.items()}
    for name in ("education_years", "health", "adl", "earnings"):
        rows["mean " + name] = _mean(persons[name].to_numpy(dtype=float), w, home)
    earnings = persons["earnings"].to_numpy(dtype=float)
    paid = earnings > 0
    rows["mean earnings above 0"] = _mean(earnings[paid], w[paid], home[paid])
    n = len(households)
    w = households["weight"].to_numpy() if weighted else np.ones(n)
    for name in ("residents", "respondents"):
        rows["mean " + name] = _mean(households[name].to_numpy(dtype=float), w, np.arange(n))
    return pd.DataFrame(rows, index=["estimate", "low", "high"]).T


def _mean(x, w, household):
    """The weighted mean and the ends of its 95 % interval; `household` numbers the households.

    In two households of two, one old and one young, the ages say as much as two persons.

    >>> _mean(np.array([60.0, 60.0, 50.0, 50.0]), np.ones(4), np.array([0, 0, 1, 1])).round(1)
    array([55. , 48.1, 61.9])
    """
    mean = (w * x).sum() / w.sum()
    reach = 1.96 * np.sqrt((np.bincount(household, w * (x - mean)) ** 2).sum()) / w.sum()
    return np.array([mean, mean - reach, mean + reach])


def spouses(wide, variable):
    """Return a variable of woman and man of every mixed couple: columns female and male.

    The few couples of two women or two men are left out, as in the report.
    """
    persons, _ = unflatten(wide)
    checks.columns("persons", persons, [variable, "gender"])
    persons = persons.assign(value=_as_numbers(persons, variable))
    couple, first = ["household", "couple"], persons["place"] == 1
    pairs = persons[first].merge(persons[~first], on=couple, suffixes=("", "_partner"))
    pairs = pairs.dropna(subset=["gender", "gender_partner"])  # unknown: not known as mixed
    mixed = pairs[pairs["gender"].astype(str) != pairs["gender_partner"].astype(str)]
    woman_first = mixed["gender"] == "female"
    her = mixed["value"].where(woman_first, mixed["value_partner"])
    his = mixed["value_partner"].where(woman_first, mixed["value"])
    return pd.DataFrame({"female": her, "male": his}).reset_index(drop=True)


def extremes(wide, variable):
    """Return the lowest and highest value in every household with at least two respondents."""
    persons, _ = unflatten(wide)
    checks.columns("persons", persons, [variable])
    values = _as_numbers(persons, variable).groupby(persons["household"], sort=False)
    return values.agg(lowest="min", highest="max")[values.size() > 1].reset_index(drop=True)


def _as_numbers(persons, name):
    """A column as floats: numbers as they are, ordered levels as 0, 1, 2, …; missing is NaN."""
    if isinstance(persons[name].dtype, pd.CategoricalDtype):
        return persons[name].cat.codes.astype(float).replace(-1.0, np.nan)
    checks.numeric("persons", persons, [name])
    return pd.Series(cells.as_floats(persons[name]))
