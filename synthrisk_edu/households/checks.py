"""Checks of the room of households."""

import math
from collections.abc import Iterable, Mapping
from numbers import Real

import numpy as np
import pandas as pd

from synthrisk_edu.checks import (
    _type,
    bounded,
    categorical,
    columns,
    complete,
    count,
    flag,
    frame,
    generator,
    is_numeric,
    kind,
    names,
    numeric,
    same_kind,
    share,
    unique_columns,
    weights,
)


def household_files(persons, households, keys, slot_column):
    """Both files have their ids, none is missing, and every person's household is there."""
    frame("persons", persons)
    frame("households", households)
    for data in (persons, households):
        unique_columns(data)
    columns("persons", persons, keys)
    columns("households", households, ["household"])
    for name in (*persons.columns, *households.columns):
        if not isinstance(name, str) or slot_column.fullmatch(name) or name in ("present", ""):
            raise ValueError(
                f"column {name!r} has a name that the wide file needs for itself, or none; give "
                "it a name in words, without an ending such as _1_2."
            )
    for name in keys:
        missing = np.flatnonzero(persons[name].isna())
        if len(missing):
            raise ValueError(
                f"{name} of the person in row {missing[0]} is missing; every person needs a "
                "household, a couple and a place."
            )
    _numbered(persons)
    _own_ids("households", households["household"])
    homeless = persons["household"][~persons["household"].isin(households["household"])]
    if len(homeless):
        raise ValueError(
            f"{len(homeless)} persons live in no household of the file, the first in household "
            f"{homeless.tolist()[0]!r}; add their households, or leave these persons out."
        )


def _numbered(persons):
    """Couples and places are whole numbers from 1."""
    for name, allowed, most in (("couple", "1, 2, 3, …", 1e9), ("place", "1 or 2", 2)):
        column = persons[name]
        whole = is_numeric(column) and (column == column.round()).all()
        if not whole or column.min() < 1 or column.max() > most:
            raise ValueError(f"{name} must be {allowed} for every person; number them so.")


def _own_ids(argument, ids):
    """Every household has an id of its own."""
    twice = ids[ids.isna() | ids.duplicated()]
    if len(twice):
        raise ValueError(
            f"the household id {twice.tolist()[0]!r} stands more than once in {argument}, or is "
            "missing; give every household an id of its own."
        )


def _respondents_counted(argument, data):
    """The number of respondents, if it is there, is a number."""
    if "respondents" in data and not is_numeric(data["respondents"]):
        raise TypeError(
            f"column 'respondents' of {argument} must hold numbers; convert it, for example with "
            ".astype(int)."
        )


def household_structure(persons, households, home):
    """Couples fill in order, the second person needs the first, nobody sits on another's place.

    `persons` are in the order of household, couple and place; `home` is each one's household, as a
    position in `households`.
    """
    ids = households["household"].tolist()
    couple, place = persons["couple"].to_numpy(), persons["place"].to_numpy()
    same_home = np.r_[False, home[1:] == home[:-1]]
    before = np.where(same_home, np.r_[0, couple[:-1]], 0)  # the couple of the person before
    same_couple = couple == before
    place_before = np.where(same_couple, np.r_[0, place[:-1]], 0)
    for wrong, what, remedy in (
        (place == place_before, "two persons in place {r} of couple {l}", "number one of them 2"),
        ((place == 2) & ~same_couple, "a second person but no first in couple {l}",
         "number the person 1"),
        (~same_couple & (couple != before + 1), "couple {l} but no couple {k}",
         "number couples 1, 2, 3, …"),
    ):  # fmt: skip
        if wrong.any():
            i = np.flatnonzero(wrong)[0]
            said = what.format(r=place[i], l=couple[i], k=couple[i] - 1)
            raise ValueError(f"household {ids[home[i]]!r} has {said}; {remedy}.")
    size = np.bincount(home, minlength=len(ids))
    if (size == 0).any():
        lonely = ids[int(np.argmin(size))]
        raise ValueError(f"household {lonely!r} has no person; leave it out, or add its persons.")
    _respondents_counted("households", households)
    if "respondents" in households:
        differs = np.flatnonzero(households["respondents"].to_numpy() != size)
        if len(differs):
            i = differs[0]
            raise ValueError(
                f"household {ids[i]!r} has {size[i]} persons, but its respondents are "
                f"{households['respondents'].iloc[i]}; put the number right."
            )


def wide_file(data, variables, slots, column_of):
    """A wide file keeps the three rules of a household, and nobody's values stand without a person.

    `column_of(variable, slot)` is the name of a column.
    """
    _own_ids("wide", data["household"])
    _respondents_counted("wide", data)
    for slot in slots:
        columns("wide", data, [column_of(name, slot) for name in ["present", *variables]])
    flags = {slot: data[column_of("present", slot)].to_numpy() for slot in slots}
    if not all(np.isin(flag, [0, 1]).all() for flag in flags.values()):
        raise ValueError("the flags present_… of wide must be 0 or 1 everywhere; correct them.")
    flags = {slot: flag.astype(bool) for slot, flag in flags.items()}
    _refuse(data, ~flags[1, 1], "no first person")
    for slot in slots:
        couple, place = slot
        needed = (couple, 1) if place == 2 else (couple - 1, 1)
        if slot != (1, 1):
            columns("wide", data, [column_of("present", needed)])
            alone = flags[slot] & ~flags[needed]
            said = f"a person {place} in couple {couple}, but no person 1 in couple {needed[0]}"
            _refuse(data, alone, said)
        for name in variables:
            column = column_of(name, slot)
            ghost = data[column].notna().to_numpy() & ~flags[slot]
            _refuse(data, ghost, f"a value in {column}, but no such person")
    if "respondents" in data:
        differs = data["respondents"].to_numpy() != sum(flag.astype(int) for flag in flags.values())
        _refuse(data, differs, "flags that do not sum to its respondents")


def _refuse(data, wrong, what):
    """Raise if any household of a wide file is wrong."""
    if wrong.any():
        raise ValueError(
            f"household {data['household'][wrong].tolist()[0]!r} of wide has {what}; make wide "
            "with flatten or synthesize_households."
        )


def households_to_synthesize(data, variables, slots, column_of):
    """A wide file has what the synthesis of households needs, and values that trees can take."""
    columns("wide", data, ["respondents"])
    bounded("wide", data, data.columns)
    for name in data.columns:
        kind("wide", data, name)
    for name in variables:  # a slot without donors borrows from another
        kinds = {kind("wide", data, column_of(name, slot)) for slot in slots} - {None}
        if len(kinds) > 1:
            raise TypeError(
                f"variable {name!r} of wide holds {' and '.join(sorted(kinds))}; convert it, so "
                "that it is of the same kind for all persons."
            )
    survey_weights("wide", data, slots, column_of)


def survey_weights(argument, data, slots, column_of):
    """Every household and every person has a survey weight of 0 or more, where there are any."""
    everyone = np.ones(len(data), dtype=bool)
    there = {"weight": everyone}
    there |= {column_of("weight", s): data[column_of("present", s)] == 1 for s in slots}
    for name in there:
        if name not in data or not there[name].any():
            continue
        numeric(argument, data, name)
        weights = data[name].to_numpy(dtype=float, na_value=np.nan)
        if not (weights[there[name]] >= 0).all():
            raise ValueError(
                f"column {name!r} of {argument} holds a missing or negative weight; correct it, "
                "or leave the weights out."
            )


def somebody_lends(lends, data):
    """With weights on donors, every region has a household that may lend."""
    if not lends.any():
        where = f" of region {data['region'].iloc[0]!r}" if "region" in data else ""
        raise ValueError(
            f"every household{where} has weight 0, so nobody is left to lend a value; take a "
            "higher cutoff, or weigh_donors=False."
        )


def raking(weights, groups, totals):
    """Return what raking needs: the groups as a frame, and each margin's totals as a Series.

    Every label has a total and every total a record with a weight to carry it, and all margins
    have the same sum.
    """
    if not isinstance(groups, pd.DataFrame):
        raise TypeError(
            f"groups must be a frame with one column for each margin, not {_type(groups)}."
        )
    if len(groups) != len(weights):
        raise ValueError(
            f"groups has {len(groups)} rows and there are {len(weights)} weights; both need one "
            "for each record."
        )
    unique_columns(groups)
    if not isinstance(totals, Mapping) or set(totals) != set(groups.columns) or not len(totals):
        raise ValueError(
            "totals must be a mapping with one Series of totals for each column of groups: "
            f"{', '.join(map(str, groups.columns))}."
        )
    margins = {name: _margin(weights, groups[name], totals[name]) for name in groups}
    sums = {name: float(total.sum()) for name, total in margins.items()}
    if max(sums.values()) > min(sums.values()) * (1 + 1e-9):
        said = ", ".join(f"{name} {value:,.2f}" for name, value in sums.items())
        raise ValueError(
            f"the totals of the margins have different sums ({said}), so no weights can meet them "
            "all; bring them to the same sum."
        )
    return margins


def _margin(weights, labels, total):
    """Return the totals of one margin, for labels that occur."""
    name = labels.name
    if not isinstance(total, pd.Series) or not is_numeric(total) or total.index.has_duplicates:
        raise TypeError(f"totals[{name!r}] must be a Series of numbers, one for each label.")
    if labels.isna().any():
        raise ValueError(f"column {name!r} of groups has missing labels; name their group.")
    if not (np.isfinite(total.to_numpy(dtype=float)) & (total >= 0)).all():
        raise ValueError(f"totals[{name!r}] holds a missing, negative or infinite total.")
    unknown = labels[~labels.isin(total.index)]
    if not len(unknown):  # True is no label where 1 is one
        unknown = labels[total.index.get_indexer(labels) < 0]
    if len(unknown):
        raise ValueError(
            f"label {unknown.tolist()[0]!r} of {name!r} has no total; add it to totals[{name!r}]."
        )
    carried = pd.Series(weights).groupby(labels.to_numpy(), observed=True).sum()
    wanted = total[total > 0]
    empty = wanted.index[~wanted.index.isin(carried.index[carried > 0])]
    if len(empty):
        raise ValueError(
            f"the total of {name!r} = {empty[0]!r} cannot be met: no record with a weight has this "
            "label; join it with another label."
        )
    return total


def not_raked(error):
    """Raise: raking goes round in circles, for the margins contradict each other."""
    raise ValueError(
        f"the margins cannot be met at the same time: after many rounds a total is still off by "
        f"{error:.2g} of the sum of all; join labels that few records have, or correct the totals."
    )


def to_trim(weights, within):
    """Return the weights to trim as an array: numbers, as many as there are group labels."""
    try:
        numbers = np.asarray(weights, dtype=float)
    except (TypeError, ValueError):
        raise TypeError("weights must be numbers, one for each record.") from None
    if within is not None and len(within) != len(numbers):
        raise ValueError(
            f"within has {len(within)} labels and there are {len(numbers)} weights; give one each."
        )
    return numbers


def trim_bounds(argument, value):
    """Return (low, high), or None: positive factors of the median weight between which to trim."""
    if value is None:
        return None
    try:
        low, high = (float(one) for one in value)
    except (TypeError, ValueError):
        low, high = 1.0, 0.0
    if not 0 <= low <= 1 <= high:
        raise ValueError(
            f"{argument} must be None or two numbers around 1, such as (0.2, 5), not {value!r}."
        )
    return low, high


def probabilities(argument, value, n):
    """Return one probability per record as an array; missing for those that have none.

    `n` is the number of records, or None if any will do.
    """
    listed = isinstance(value, Iterable) and not isinstance(value, str | Mapping | pd.DataFrame)
    numbers = value if isinstance(value, pd.Series) else pd.Series(list(value) if listed else [])
    right_length = len(numbers) > 0 if n is None else len(numbers) == n
    if not right_length or not (is_numeric(numbers) or numbers.isna().all()):
        many = "a list of numbers" if n is None else f"{n} numbers"
        raise ValueError(f"{argument} must hold {many}, one for each confidential record.")
    array = numbers.to_numpy(dtype=float, na_value=np.nan)
    if ((array < 0) | (array > 1)).any():
        raise ValueError(f"{argument} holds a number outside 0 to 1; it is a probability.")
    return array


def cutoffs(argument, value, highest=np.inf):
    """Return a list of numbers from 0, none of them twice."""
    try:
        listed = [float(one) for one in value]
    except (TypeError, ValueError):
        listed = [-1.0]
    different = len({f"{one:g}" for one in listed}) == len(listed)
    if not all(0 <= one <= highest for one in listed) or not different:
        raise ValueError(
            f"{argument} must be a list of different numbers, 0 or more"
            f"{'' if np.isinf(highest) else f' and at most {highest:g}'}, not {value!r}."
        )
    return listed


def state_mapping(levels, value):
    """Return which states join which: a mapping between states, without chains."""
    if not isinstance(value, Mapping):
        raise TypeError(
            f"mapping must say which state joins which, such as {{'N1': 'N2'}}, not {_type(value)}."
        )
    for small, large in value.items():
        for one in (small, large):
            if one not in levels:
                raise KeyError(f"mapping names {one!r}, which is no state of the frame.")
        if small == large:
            raise ValueError(f"mapping sends {small!r} to itself; leave it out.")
        if large in value:
            raise ValueError(
                f"mapping sends {small!r} to {large!r}, which is itself sent to "
                f"{value[large]!r}; send both to the same state."
            )
    return dict(value)


def quasi_identifiers(value):
    """Return the names of the quasi-identifiers: at least one."""
    listed = names("qis", value)
    if not listed:
        raise ValueError("qis is empty; name at least one quasi-identifier.")
    return listed


def household_population(data, strata=()):
    """Return the strata; a population has them, and whole numbers of households."""
    frame("population", data)
    strata = names("strata", strata)
    columns("population", data, ["count", *strata])
    numeric("population", data, "count")
    count = data["count"].to_numpy(dtype=float, na_value=np.nan)
    if not ((count >= 0) & (count == np.round(count)) & np.isfinite(count)).all():
        raise ValueError(
            "column 'count' of population must hold numbers of households, whole and 0 or more; "
            "correct it."
        )
    return strata


def some_strata(strata):
    """Return the strata: at least one."""
    if not strata:
        raise ValueError("strata is empty; name at least one column, or add one that is constant.")
    return strata


def some_couples(couples):
    """A wide file has slots for second persons."""
    if not couples:
        raise ValueError("wide has no couple of two persons, so there are no spouses to compare.")


def marginal_variables(persons, households, weighted):
    """Both files have the variables of the survey, with age and education as categories."""
    wanted = ["gender", "age", "education", "education_years", "health", "adl", "working"]
    weight = ["weight"] if weighted else []
    columns("persons", persons, [*wanted, "earnings", *weight])
    columns("households", households, ["residents", "respondents", *weight])
    for name in ("age", "education"):
        if not isinstance(persons[name].dtype, pd.CategoricalDtype):
            raise TypeError(
                f"variable {name!r} must be a category with its levels in order; convert it, for "
                "example with pandas.Categorical."
            )


def summable(argument, data, name):
    """A column holds numbers, or yes and no, or nothing."""
    column = data[name]
    if not (pd.api.types.is_bool_dtype(column.dtype) or column.isna().all()):
        numeric(argument, data, name)


def sizes(value, strata):
    """Return how many to draw from each stratum that exists, as a mapping."""
    if not isinstance(value, pd.Series | Mapping):
        raise TypeError(f"sizes must be a Series, how many to draw by stratum, not {_type(value)}.")
    value = pd.Series(value, dtype=object)
    for stratum, size in value.items():
        if stratum not in strata or value.index.has_duplicates:
            raise KeyError(
                f"sizes names the stratum {stratum!r}, which the population has not, or names one "
                "twice; name each stratum of the population once."
            )
        if isinstance(size, bool) or not isinstance(size, Real) or size != np.floor(size):
            raise ValueError(
                f"sizes asks for {size!r} households in {stratum!r}; give a whole number."
            )
    return {stratum: int(size) for stratum, size in value.items()}


def sampled_from(sampled, existing):
    """No stratum of a sample has more households than there are in the population."""
    more = np.flatnonzero(sampled.to_numpy() > existing.to_numpy())
    if len(more):
        i = more[0]
        raise ValueError(
            f"row {i} is one of {sampled.iloc[i]} sampled households of its stratum, but the "
            f"population has {existing.iloc[i]}; take the population the sample was drawn from."
        )


def enough(what, wanted, there, where):
    """No more is drawn than there is."""
    if not 0 <= wanted <= there:
        raise ValueError(
            f"{wanted} {what} cannot be drawn from the {there} in {where!r}; ask for fewer."
        )


MOST_LEVELS = 2000  # of all QIs together


MOST_CELLS = 2e9  # a step of the search takes half a second then


def categorical_qis(table, qis):
    """Return the QIs: at least one, different, all of them categories in the table."""
    frame("table", table)
    qis = names("qis", qis)
    if not qis:
        raise ValueError("qis is empty; name at least one variable the intruder knows.")
    columns("table", table, qis)
    for name in qis:
        kind("table", table, name)
    categorical(table[qis])
    return qis


def sampling_fraction(value, n):
    """Return the sampling fraction of every record, above 0 and at most 1, as an array."""
    if isinstance(value, Real) and not isinstance(value, bool | np.bool_):
        listed = [value] * n
    elif isinstance(value, Iterable) and not isinstance(value, str | Mapping):
        listed = list(value)
    else:
        raise TypeError(
            f"fraction must be a number such as 0.01, or one for each record, not {value!r}."
        )
    if len(listed) != n:
        raise ValueError(
            f"fraction has {len(listed)} entries and table has {n} rows; give one number, or one "
            "for each row."
        )
    for one in listed:
        if isinstance(one, bool | np.bool_) or not isinstance(one, Real) or not 0 < one <= 1:
            raise ValueError(
                f"fraction must be above 0 and at most 1, the share of the population that was "
                f"sampled, not {one!r}."
            )
    return np.array(listed, dtype=float)


def no_strata(most):
    """Raise: the sampling fraction differs among records that the QIs cannot tell apart."""
    raise ValueError(
        f"fraction is not constant within the cells of any {most} or fewer of the QIs, so cells "
        "without a record have no known fraction; add the variables that sampling was stratified "
        "by to qis, or give one number."
    )


def penalty(argument, value):
    """Return a penalty: a number, 0 or more; infinity leaves no interaction."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or math.isnan(value):
        raise TypeError(f"{argument} must be a number such as 1.0, not {value!r}.")
    if value < 0:
        raise ValueError(f"{argument} must be 0 or more, not {value!r}; infinity is allowed.")
    return float(value)


def penalties(value):
    """Return the penalties to try, from large to small, each of them once."""
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise TypeError(f"penalties must be a list of numbers such as [2, 1, 0.5], not {value!r}.")
    listed = {penalty("each of penalties", one) for one in value}
    if not listed:
        raise ValueError("penalties is empty; give at least one number.")
    return sorted(listed, reverse=True)


def few_cells(levels):
    """The QIs do not have too many levels, nor their combinations; `levels` maps a QI to how many.

    >>> few_cells({"state": 35, "rural": 2})
    """
    if sum(levels.values()) > MOST_LEVELS or math.prod(levels.values()) > MOST_CELLS:
        most = max(levels, key=levels.get)
        raise ValueError(
            f"the QIs have {sum(levels.values()):,} levels and {math.prod(levels.values()):,} "
            f"combinations, too many to model ({most!r} alone has {levels[most]:,}); name fewer "
            "QIs or join levels."
        )
