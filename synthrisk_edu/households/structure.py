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
from typing import NamedTuple

import numpy as np
import pandas as pd

from synthrisk_edu import checks

KEYS = ["household", "couple", "place"]
FLAG = "present"
SLOT_COLUMN = re.compile(r"(.+)_(\d+)_([12])", re.DOTALL)
NULLABLE = {"i": "Int64", "u": "UInt64", "b": "boolean"}  # types that know missing values


def flatten(
    persons: pd.DataFrame, households: pd.DataFrame, *, max_respondents: int | None = None
) -> pd.DataFrame:
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
    _check_households(persons, households)
    _check_household_names(households)
    persons = persons.astype({"couple": int, "place": int}).assign(present=1)
    wide = households.copy()
    if max_respondents is not None:
        checks.number("max_respondents", max_respondents, 1, whole=True)
        persons = persons.sort_values(KEYS).groupby("household").head(max_respondents)
        if "respondents" in wide:
            wide["respondents"] = wide["respondents"].clip(upper=max_respondents)
    by_slot = with_gaps(persons).pivot(index="household", columns=["couple", "place"])
    by_slot[FLAG] = by_slot[FLAG].fillna(0)  # nobody is there
    variables = [FLAG, *persons.columns.drop([*KEYS, FLAG])]
    columns = {}
    for slot in sorted(by_slot[FLAG].columns):
        for name in variables:
            column = by_slot[(name, *slot)]
            if column.notna().all():  # no gap: the type it had before
                column = column.astype(persons[name].dtype)
            columns[slot_column(name, slot)] = column
    wide = wide.join(pd.DataFrame(columns), on="household")
    wide.attrs = households.attrs
    return wide


def with_gaps(persons):
    """Return whole numbers, and yes and no, in types that know missing values."""
    types = {}
    for name, dtype in persons.dtypes.items():
        if isinstance(dtype, np.dtype) and dtype.kind in NULLABLE:
            types[name] = NULLABLE[dtype.kind]
    return persons.astype(types)


def unflatten(wide: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
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
    _check_slots(wide)
    persons, households = persons_and_households(wide)
    _check_households(persons, households)
    _check_absent(wide)
    return persons, households


def persons_and_households(wide):
    """Return the two files of a wide file that is known to keep the rules; see `unflatten`."""
    names = columns_of_wide(wide)
    slots = []
    for couple, place in names.slots:
        here = is_there(wide, (couple, place))
        if not here.any():
            continue
        columns = [slot_column(name, (couple, place)) for name in names.of_persons]
        people = wide[["household", *columns]].reset_index(drop=True)
        people.columns = ["household", *names.of_persons]
        slots.append(people.assign(couple=couple, place=place)[here])
    # Column by column: before pandas 3 frames are joined as if all-missing columns had no type.
    columns = {name: pd.concat([people[name] for people in slots]) for name in slots[0]}
    persons = pd.DataFrame(columns).sort_index(kind="stable", ignore_index=True)
    persons = persons[[*KEYS, *names.of_persons]]
    for name in names.of_persons:
        dtype = wide[slot_column(name, (1, 1))].dtype
        persons[name] = _in_type(persons[name], dtype)
    households = wide[["household", *names.of_households]].copy()
    return persons, households


def is_there(wide, slot):
    """Say for every household whether it has a person in a slot."""
    flag = wide[slot_column(FLAG, slot)]
    return (flag == 1).to_numpy(dtype=bool, na_value=False)


def _in_type(column, dtype):
    """Return a column in another type, such as whole numbers, if that changes no value."""
    if column.dtype == dtype or isinstance(dtype, pd.CategoricalDtype):
        return column
    try:
        cast = column.astype(dtype)
    except (TypeError, ValueError):
        return column
    unchanged = (cast == column) | (cast.isna() & column.isna())
    return cast if unchanged.all() else column


# ------------------------------------------------------------------ the columns of a wide file


class WideColumns(NamedTuple):
    """What stands in a wide file: the names of Y and of X, and the slots (l, r)."""

    of_households: list
    of_persons: list
    slots: list


def columns_of_wide(wide):
    """Return the household variables Y, the person variables X and the slots (l, r) of a wide file.

    >>> columns_of_wide(pd.DataFrame(columns=["household", "state", "present_1_1", "age_1_1"]))
    WideColumns(of_households=['state'], of_persons=['age'], slots=[(1, 1)])
    """
    of_households = []
    of_persons = []
    slots = set()
    for column in wide.columns:
        variable, slot = split_slot_column(column)
        if slot is None:
            if column != "household":
                of_households.append(column)
        elif variable == FLAG:
            slots.add(slot)
        elif slot == (1, 1):
            of_persons.append(variable)
    return WideColumns(of_households, of_persons, sorted(slots))


def slot_column(variable, slot):
    """Name the column of a variable in a slot: age in (1, 2) is age_1_2."""
    return f"{variable}_{slot[0]}_{slot[1]}"


def split_slot_column(column):
    """Return the variable and the slot of a column; the slot is None if it belongs to no person.

    >>> split_slot_column("age_1_2"), split_slot_column("state")
    (('age', (1, 2)), ('state', None))
    """
    parts = SLOT_COLUMN.fullmatch(str(column))
    if parts is None:
        return column, None
    return parts[1], (int(parts[2]), int(parts[3]))


# -------------------------------------------------------------- mistakes that get a sentence


def _check_households(persons, households):
    """Persons and households fit together, and every household keeps the rules.

    Everybody has a household, an id stands once, a place has one person, couples fill in order, a
    second person needs the first, and respondents are counted right.
    """
    checks.frame("persons", persons, KEYS)
    checks.same_kind({"persons": persons, "households": households}, ["household"])
    checks.complete("persons", persons, KEYS)
    if FLAG in persons:
        raise ValueError("persons has a column 'present', which the wide file needs; rename it.")
    ids = households["household"]
    home = persons["household"]
    couples = persons.groupby("household")["couple"]
    gaps = couples.transform("max") != couples.transform("nunique")
    first_place = persons.groupby(["household", "couple"])["place"].transform("min")
    counted = ids.map(home.value_counts())
    miscounted = counted != households.get("respondents", counted)
    broken = {
        "stands more than once in households": ids[ids.duplicated()],
        "has persons, but is not among the households": home[~home.isin(ids)],
        "has no person": ids[~ids.isin(home)],
        "has a place that is neither 1 nor 2": home[~persons["place"].isin([1, 2])],
        "has two persons in the same place of a couple": home[persons.duplicated(KEYS)],
        "has couples that are not numbered 1, 2, 3, …": home[gaps],
        "has a second person, but not the first of that couple": home[first_place != 1],
        "has another number of respondents than of persons": ids[miscounted],
    }
    for what, wrong in broken.items():
        if len(wrong):
            raise ValueError(
                f"household {checks.show(wrong.iloc[0])} {what}; correct it or leave it out."
            )


def _check_household_names(households):
    """No household variable is named like a person's: the wide file could not tell them apart."""
    for column in households.columns:
        _, slot = split_slot_column(column)
        if slot is not None:
            raise ValueError(
                f"column {checks.show(column)} of households is named like a column of the person "
                f"in slot {slot} of the wide file; rename it."
            )


def _check_slots(wide):
    """Every slot has its flag and all person variables, and no column belongs to no slot."""
    checks.frame("wide", wide, ["household", slot_column(FLAG, (1, 1))])
    names = columns_of_wide(wide)
    for slot in names.slots:
        wanted = [slot_column(name, slot) for name in (FLAG, *names.of_persons)]
        checks.frame("wide", wide, wanted)
    for column in wide.columns:
        variable, slot = split_slot_column(column)
        if slot is not None and slot not in names.slots:
            lacking = slot_column(FLAG, slot)
        elif slot is not None and variable not in (FLAG, *names.of_persons):
            lacking = slot_column(variable, (1, 1))
        else:
            continue
        raise ValueError(
            f"column {checks.show(column)} of wide would be lost, because there is no column "
            f"{lacking!r}; add that one, or rename or drop the first."
        )


def _check_absent(wide):
    """Nobody who is absent has a value, which would be lost."""
    names = columns_of_wide(wide)
    for slot in names.slots:
        flag = slot_column(FLAG, slot)
        absent = ~is_there(wide, slot)
        for name in names.of_persons:
            column = slot_column(name, slot)
            lost = wide["household"][absent & wide[column].notna().to_numpy()]
            if len(lost):
                raise ValueError(
                    f"household {checks.show(lost.iloc[0])} has a value of {column!r}, but its "
                    f"{flag!r} says that nobody is there; write 1 there, or make the value missing."
                )
