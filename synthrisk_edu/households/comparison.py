"""Is a synthetic household file still useful? The same look at both files, on the right level.

Persons live together, so what is said of a household is repeated for everyone in it. A table of
household variables alone must count households: counted on persons, the same household comes
several times, and the ratio no longer has its null expectation of 1.
"""

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.households.structure import KEYS, unflatten
from synthrisk_edu.households.weights import WEIGHT, check_survey_weights
from synthrisk_edu.utility import pmse_tables

NOT_COMPARED = ["region", "weight", "head_gender"]  # follows from state; a weight; not released
LOWER_SECONDARY = "middle"  # where the first of three groups of education ends
TERTIARY = "degree"  # where the last one begins


def tables(confidential: pd.DataFrame, synthetic: pd.DataFrame, ways: int = 2) -> pd.DataFrame:
    """Return the pMSE ratio of every table of `ways` variables of two wide files, worst first.

    Tables of household variables alone are counted on households, all others on persons.
    """
    homes, persons = _files_compared(confidential)
    their_homes, their_persons = _files_compared(synthetic)
    table = pmse_tables(persons, their_persons, ways)
    if ways <= homes.shape[1]:
        on_homes = table.filter(like="variable").isin(list(homes)).all(axis=1)
        table_of_homes = pmse_tables(homes, their_homes, ways)
        table = pd.concat([table[~on_homes], table_of_homes])
    table.attrs = confidential.attrs
    return table.sort_values("ratio", ascending=False, kind="stable", ignore_index=True)


def _files_compared(wide):
    """What is compared of the households, and of the persons with the variables of their home."""
    persons, households = unflatten(wide)
    persons = persons.drop(columns=NOT_COMPARED, errors="ignore")
    households = households.drop(columns=NOT_COMPARED, errors="ignore")
    persons = persons.merge(households, on="household", suffixes=("", "_household"))
    return households.drop(columns="household"), persons.drop(columns=KEYS)


def mean_ratios(tables: pd.DataFrame) -> pd.Series:
    """Return for every variable the mean ratio of the tables it is in, largest first.

    >>> tables = pd.DataFrame({"variable_1": ["age", "age"], "variable_2": ["adl", "work"],
    ...                        "pmse": [0, 0], "ratio": [9.0, 1.0]})
    >>> mean_ratios(tables).to_dict()
    {'adl': 9.0, 'age': 5.0, 'work': 1.0}
    """
    checks.frame("tables", tables, ["variable_1", "ratio"])
    names = [name for name in tables if name.startswith("variable_")]
    ratios = pd.concat([tables.set_index(name)["ratio"] for name in names])
    return ratios.groupby(level=0).mean().sort_values(ascending=False, kind="stable")


def marginals(wide: pd.DataFrame, *, weighted: bool = False) -> pd.DataFrame:
    """Return shares and means of a wide file with 95 % intervals, as in the report's Table 3.

    Columns: estimate, low, high. Shares are in percent. A weighted mean m = Σ w x / Σ w has the
    standard error √(Σ_h (Σ_{i in h} w_i (x_i − m))²) / Σ w, with a sum for every household h: who
    lives together was not sampled independently.
    """
    persons, households = unflatten(wide)
    means = ["education_years", "health", "adl", "earnings"]
    checks.frame("persons", persons, ["gender", "age", "education", "working", *means])
    checks.frame("households", households, ["residents", "respondents"])
    w = np.ones(len(persons))
    w_of_homes = np.ones(len(households))
    if weighted:
        checks.frame("persons", persons, [WEIGHT])
        checks.frame("households", households, [WEIGHT])
        check_survey_weights(persons, households)
        w = persons[WEIGHT].to_numpy()
        w_of_homes = households[WEIGHT].to_numpy()

    rows = {}
    home = pd.factorize(persons["household"])[0]
    for name, is_in_group in _groups(persons).items():
        rows[name] = 100 * _mean(is_in_group.to_numpy(dtype=float), w, home)
    for name in means:
        rows["mean " + name] = _mean(persons[name].to_numpy(dtype=float), w, home)
    earnings = persons["earnings"].to_numpy(dtype=float)
    paid = earnings > 0
    rows["mean earnings above 0"] = _mean(earnings[paid], w[paid], home[paid])
    each_home = np.arange(len(households))
    for name in ("residents", "respondents"):
        values = households[name].to_numpy(dtype=float)
        rows["mean " + name] = _mean(values, w_of_homes, each_home)
    return pd.DataFrame(rows, index=["estimate", "low", "high"]).T


def _groups(persons):
    """Say for every group of Table 3 which persons are in it."""
    levels = list(persons["education"].cat.categories)
    lower_secondary = checks.level("education", levels, LOWER_SECONDARY)
    tertiary = checks.level("education", levels, TERTIARY)
    education = persons["education"].cat.codes
    groups = {
        "% female": persons["gender"] == "female",
        "% less than lower secondary": education < lower_secondary,
        "% upper secondary or vocational": (education >= lower_secondary) & (education < tertiary),
        "% tertiary": education >= tertiary,
        "% working": persons["working"] == "yes",
        "% with earnings": persons["earnings"] > 0,
    }
    for age in persons["age"].cat.categories:
        groups[f"% age {age}"] = persons["age"] == age
    return groups


def _mean(x, w, household):
    """The weighted mean and the ends of its 95 % interval; `household` numbers the households.

    In two households of two, one old and one young, the ages say as much as two persons.

    >>> _mean(np.array([60.0, 60.0, 50.0, 50.0]), np.ones(4), np.array([0, 0, 1, 1])).round(1)
    array([55. , 48.1, 61.9])
    """
    mean = (w * x).sum() / w.sum()
    of_households = np.bincount(household, w * (x - mean))
    reach = 1.96 * np.sqrt((of_households**2).sum()) / w.sum()
    return np.array([mean, mean - reach, mean + reach])


def spouses(wide: pd.DataFrame, variable: str) -> pd.DataFrame:
    """Return a variable of woman and man of every mixed couple: columns female and male.

    The few couples of two women or two men are left out, as in the report.
    """
    persons, _ = unflatten(wide)
    checks.frame("persons", persons, [variable, "gender"])
    persons = persons.assign(value=_as_numbers(persons, variable))
    first = persons[persons["place"] == 1]
    second = persons[persons["place"] == 2]
    pairs = first.merge(second, on=["household", "couple"], suffixes=("", "_partner"))
    pairs = pairs.dropna(subset=["gender", "gender_partner"])  # unknown: not known as mixed
    mixed = pairs[pairs["gender"].astype(str) != pairs["gender_partner"].astype(str)]
    woman_first = mixed["gender"] == "female"
    her = mixed["value"].where(woman_first, mixed["value_partner"])
    his = mixed["value_partner"].where(woman_first, mixed["value"])
    return pd.DataFrame({"female": her, "male": his}).reset_index(drop=True)


def extremes(wide: pd.DataFrame, variable: str) -> pd.DataFrame:
    """Return the lowest and highest value in every household with at least two respondents."""
    persons, _ = unflatten(wide)
    checks.frame("persons", persons, [variable])
    values = _as_numbers(persons, variable).groupby(persons["household"], sort=False)
    ends = values.agg(lowest="min", highest="max")
    return ends[values.size() > 1].reset_index(drop=True)


def _as_numbers(persons, name):
    """A column as floats: numbers as they are, ordered levels as 0, 1, 2, …; missing is NaN."""
    if isinstance(persons[name].dtype, pd.CategoricalDtype):
        return persons[name].cat.codes.astype(float).replace(-1.0, np.nan)
    checks.quantities("persons", persons, [name])
    return pd.Series(cells.as_floats(persons[name]))
