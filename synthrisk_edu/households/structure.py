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

from synthrisk_edu.households import checks

KEYS = ["household", "couple", "place"]
FLAG = "present"
SLOT_COLUMN = re.compile(r"(.+)_(\d+)_([12])", re.DOTALL)


def slot_column(variable, slot):
    """Name the column of a variable in a slot: age in (1, 2) is age_1_2."""
    return f"{variable}_{slot[0]}_{slot[1]}"


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


def check_wide(wide):
    """Return the person variables of a wide file that keeps the three rules, and who is there.

    Who is there is a mapping from each slot to an array: which households have such a person?
    """
    checks.usable_frame("wide", wide)
    checks.columns("wide", wide, ["household", slot_column(FLAG, (1, 1))])
    checks.different_ids("wide", wide["household"])
    _, variables, slots = layout(wide)
    firsts = [(couple, 1) for couple in range(1, slots[-1][0])]  # couples fill in order
    flags = [slot_column(FLAG, slot) for slot in [*slots, *firsts]]
    columns = {slot: [slot_column(name, slot) for name in variables] for slot in slots}
    for wanted in (flags, *columns.values()):
        checks.columns("wide", wide, wanted)
    for name in flags:
        if not np.isin(wide[name].to_numpy(), [0, 1]).all():
            raise ValueError(f"column {name!r} of wide must be 0 or 1 everywhere; correct it.")
    present = {slot: wide[slot_column(FLAG, slot)].to_numpy() == 1 for slot in slots}
    checks.household_rules("wide", wide, present)
    for slot, there in present.items():
        checks.nobody_no_values(wide, columns[slot], there)
    return variables, present


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
    checks.household_files(persons, households, KEYS, SLOT_COLUMN)
    persons = persons.astype({"couple": np.int64, "place": np.int64})  # files often say 1.0
    checks.one_person_a_place(persons, KEYS)
    rows = _rows_of_slots(persons, households)
    checks.household_rules("households", households, {slot: row >= 0 for slot, row in rows.items()})
    wide = households.copy()
    if max_respondents is not None:
        rows = _first_respondents(rows, checks.count("max_respondents", max_respondents))
        if "respondents" in wide:
            wide["respondents"] = wide["respondents"].clip(upper=max_respondents)
    parts = {}
    for slot, row in rows.items():
        parts[slot_column(FLAG, slot)] = (row >= 0).astype(np.int64)
        for name in persons.columns.drop(KEYS):
            parts[slot_column(name, slot)] = spread(persons[name], row)
    wide = pd.concat([wide, pd.DataFrame(parts, index=wide.index)], axis=1)
    wide.attrs = households.attrs
    return wide


def _rows_of_slots(persons, households):
    """Map each slot that occurs to the row of every household's person in it, −1 for nobody."""
    home = pd.Index(households["household"]).get_indexer(persons["household"])
    rows = {}
    for slot, here in sorted(persons.groupby(["couple", "place"]).indices.items()):
        rows[slot] = np.full(len(households), -1)
        rows[slot][home[here]] = here
    return rows


def _first_respondents(rows, most):
    """Keep the first respondents of each household, and the slots in which somebody is left."""
    kept, before = {}, 0
    for slot, row in rows.items():
        kept[slot] = np.where(before < most, row, -1)
        before = before + (row >= 0)
    return {slot: row for slot, row in kept.items() if (row >= 0).any()}


def spread(column, positions):
    """Take the values at some positions; where the position is −1 the value is missing.

    Whole numbers stay whole: a column with gaps becomes pandas' Int64.
    """
    if (positions >= 0).all():
        return column.array.take(positions)
    nullable = {"i": "Int64", "u": "UInt64", "b": "boolean"}
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in nullable:
        column = column.astype(nullable[column.dtype.kind])
    return column.array.take(positions, allow_fill=True)


def unflatten(wide):
    """Return the two files `persons, households` that a wide file stands for.

    It undoes `flatten` exactly: persons come in the order of household, couple and place, and
    every variable has the type it has in the first slot, which is never empty. In a file not made
    by `flatten` that type may not hold every value; then pandas finds one that does.

    >>> persons = pd.DataFrame(
    ...     {"household": [7, 7, 9], "couple": [1, 2, 1], "place": [1, 1, 1], "age": [46, 65, 50]}
    ... )
    >>> households = pd.DataFrame({"household": [7, 9], "respondents": [2, 1]})
    >>> back = unflatten(flatten(persons, households))
    >>> back[0].equals(persons), back[1].equals(households)
    (True, True)
    """
    variables, present = check_wide(wide)
    homes = [np.flatnonzero(there) for there in present.values()]
    home = np.concatenate(homes)
    order = np.argsort(home, kind="stable")  # slots come in order, so within a home they stay so
    couple, place = np.repeat(list(present), [len(one) for one in homes], axis=0).T
    persons = {
        "household": wide["household"].array.take(home[order]),
        "couple": couple[order],
        "place": place[order],
    }
    for name in variables:
        columns = [wide[slot_column(name, slot)] for slot in present]
        answers = [one.iloc[here] for one, here in zip(columns, homes, strict=True)]
        dtype = columns[0].dtype
        if all(fits(one, dtype) for one in answers):
            answers = [one.astype(dtype) for one in answers]
        persons[name] = pd.concat(answers, ignore_index=True).array.take(order)
    return pd.DataFrame(persons), wide[["household", *layout(wide)[0]]].copy()


def fits(column, dtype):
    """Say whether a column can take a type without changing any value.

    >>> whole = np.dtype("int64")
    >>> fits(pd.Series([1.0, 2.0]), whole), fits(pd.Series([1.0, 2.5]), whole)
    (True, False)
    """
    if column.dtype == dtype:
        return True
    if isinstance(dtype, pd.CategoricalDtype):
        return bool(column.dropna().isin(dtype.categories).all())
    try:
        with np.errstate(invalid="ignore"):
            cast = column.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        return False
    there = column.notna()
    same = cast[there].astype(object) == column[there].astype(object)
    return bool(same.all() and cast.notna().equals(there))
