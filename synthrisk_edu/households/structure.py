"""Three levels in one row: flattening households, couples and persons, and back.

A survey of households comes as two files. `households` has one row per household: its id
`household`, and household variables Y. `persons` has one row per respondent: the id of the
`household`, the number l of the `couple` in it, the `place` r in the couple (1 or 2), and person
variables X. A couple may have one person.

The *wide* file has one row per household: Y, and then for every slot (l, r) a flag Z_lr, 1 if there
is such a person, and that person's variables X_lr, missing if there is not:

    household  respondents  present_1_1  age_1_1  present_1_2  age_1_2  present_2_1  age_2_1
            7            2            1    46            0       –            1        65

Three rules make it a household: couples fill in order, the second person of a couple needs the
first, and the flags sum to the number of respondents.
"""

import re

import numpy as np
import pandas as pd

from synthrisk_edu import checks

KEYS = ["household", "couple", "place"]
FLAG = "present"
SLOT_COLUMN = re.compile(r"(.+)_(\d+)_([12])", re.DOTALL)
NULLABLE = {"i": "Int64", "u": "UInt64", "b": "boolean"}  # types that know missing values


def flatten(persons, households, *, max_respondents=None):
    """Return the wide file: one row per household, in the order of `households`.

    Args:
        persons: one row per respondent, with the columns household, couple and place.
        households: one row per household, with the column household. A column respondents, if
            there is one, must be the number of the household's persons.
        max_respondents: H. Households with more are cut to their first H respondents, in the order
            of couple and place; None cuts nobody.

    >>> persons = pd.DataFrame(
    ...     {"household": [7, 7, 9], "couple": [1, 2, 1], "place": [1, 1, 1], "age": [46, 65, 50]}
    ... )
    >>> wide = flatten(persons, pd.DataFrame({"household": [7, 9], "respondents": [2, 1]}))
    >>> wide.filter(regex="present|age").to_numpy(dtype=float, na_value=-1).tolist()
    [[1.0, 46.0, 1.0, 65.0], [1.0, 50.0, 0.0, -1.0]]
    """
    checks.household_rules(persons, households)
    wide, persons = households.copy(), persons.astype({"couple": int, "place": int})
    if max_respondents is not None:
        most = checks.number("max_respondents", max_respondents, 1, whole=True)
        persons = persons.sort_values(KEYS).groupby("household").head(most)
        if "respondents" in wide:
            wide["respondents"] = wide["respondents"].clip(upper=most)
    persons = persons.assign(present=1)
    variables = [FLAG, *persons.columns.drop([*KEYS, FLAG])]
    slots = with_gaps(persons).pivot(index="household", columns=["couple", "place"])
    slots[FLAG] = slots[FLAG].fillna(0)  # nobody is there
    order = sorted(slots[FLAG].columns)
    slots = slots[[(name, *slot) for slot in order for name in variables]]
    own_type = {one: persons[one[0]].dtype for one in slots.columns[slots.notna().all()]}
    slots = slots.astype(own_type)
    slots.columns = [slot_column(name, slot) for name, *slot in slots.columns]
    wide = wide.join(slots, on="household")
    wide.attrs = households.attrs
    return wide


def with_gaps(persons):
    """Return whole numbers, and yes and no, in types that know missing values."""
    types = {name: one.kind for name, one in persons.dtypes.items() if isinstance(one, np.dtype)}
    return persons.astype({name: NULLABLE[kind] for name, kind in types.items() if kind in "iub"})


def unflatten(wide):
    """Return the two files `persons, households` that a wide file stands for.

    It undoes `flatten` exactly: persons come in the order of household, couple and place, and
    every variable has the type it has in the first slot, which is never empty, if that type can
    hold all its values.

    >>> persons = pd.DataFrame(
    ...     {"household": [7, 7, 9], "couple": [1, 2, 1], "place": [1, 1, 1], "age": [46, 65, 50]}
    ... )
    >>> households = pd.DataFrame({"household": [7, 9], "respondents": [2, 1]})
    >>> back = unflatten(flatten(persons, households))
    >>> back[0].equals(persons), back[1].equals(households)
    (True, True)
    """
    checks.columns("wide", wide, ["household", slot_column(FLAG, (1, 1))])
    household, variables, slots = layout(wide)
    parts = []
    for couple, place in slots:
        names = [slot_column(name, (couple, place)) for name in (FLAG, *variables)]
        checks.columns("wide", wide, names)
        part = wide[["household", *names]].set_axis(["household", FLAG, *variables], axis=1)
        part = part.assign(couple=couple, place=place).reset_index(drop=True)
        parts.append(part[part[FLAG] == 1])
    persons = pd.concat(parts).sort_index(kind="stable", ignore_index=True)[[*KEYS, *variables]]
    for name in variables:
        persons[name] = _in_type(persons[name], wide[slot_column(name, (1, 1))].dtype)
    households = wide[["household", *household]].copy()
    checks.household_rules(persons, households)
    return persons, households


def _in_type(column, dtype):
    """Return a column in another type, such as whole numbers, if that changes no value."""
    if column.dtype == dtype or isinstance(dtype, pd.CategoricalDtype):
        return column
    try:
        cast = column.astype(dtype)
    except (TypeError, ValueError):
        return column
    return cast if ((cast == column) | (cast.isna() & column.isna())).all() else column


def layout(wide):
    """Return the household variables Y, the person variables X and the slots (l, r) of a wide file.

    >>> layout(pd.DataFrame(columns=["household", "state", "present_1_1", "age_1_1"]))
    (['state'], ['age'], [(1, 1)])
    """
    found = [(name, SLOT_COLUMN.fullmatch(str(name))) for name in wide.columns]
    household = [name for name, one in found if not one and name != "household"]
    columns = [(one[1], (int(one[2]), int(one[3]))) for _, one in found if one]
    person = [name for name, slot in columns if slot == (1, 1) and name != FLAG]
    return household, person, sorted({slot for name, slot in columns if name == FLAG})


def slot_column(variable, slot):
    """Name the column of a variable in a slot: age in (1, 2) is age_1_2."""
    return f"{variable}_{slot[0]}_{slot[1]}"
