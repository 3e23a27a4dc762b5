"""Checks of the room of households."""

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from synthrisk_edu.old_checks import *
from synthrisk_edu.synthesis.checks import weigh_donors

# Files of persons and households


def household_files(persons, households, keys, slot_column):
    """Both files have their ids and usable names, and every person's household is there."""
    for argument, data, ids in (("persons", persons, keys), ("households", households, keys[:1])):
        columns(argument, usable_frame(argument, data), ids)
        for name in data.columns:
            if not isinstance(name, str) or slot_column.fullmatch(name) or name in ("present", ""):
                raise ValueError(
                    f"column {name!r} has a name that the wide file needs for itself, or none; "
                    "give it a name in words, without an ending such as _1_2."
                )
    complete("persons", persons, keys)
    for name, allowed, most in (("couple", "1, 2, 3, …", 1e9), ("place", "1 or 2", 2)):
        column = persons[name]
        whole = is_numeric(column) and (column == column.round()).all()
        if not whole or column.min() < 1 or column.max() > most:
            raise ValueError(f"{name} must be {allowed} for every person; number them so.")
    different_ids("households", households["household"])
    homeless = persons["household"][~persons["household"].isin(households["household"])]
    if len(homeless):
        raise ValueError(
            f"{len(homeless)} persons live in no household of the file, the first in household "
            f"{homeless.tolist()[0]!r}; add their households, or leave these persons out."
        )


def different_ids(argument, ids):
    """Every household has an id, and no two have the same."""
    wrong = ids[ids.isna() | ids.duplicated()]
    if len(wrong):
        raise ValueError(
            f"the household id {wrong.tolist()[0]!r} stands more than once in {argument}, or is "
            "missing; give every household an id of its own."
        )


def one_person_a_place(persons, keys):
    """No two persons have the same household, couple and place."""
    for home, couple, place in persons.loc[persons.duplicated(keys), keys].to_numpy().tolist()[:1]:
        raise ValueError(
            f"household {home!r} has two persons in place {place} of couple {couple}; number one "
            "of them 2, or give each a couple of its own."
        )


def household_rules(argument, households, present):
    """Couples fill in order, a second person needs the first, and respondents are counted right.

    `present` says for each slot which households have such a person.
    """
    ids, nobody = households["household"].tolist(), np.zeros(len(households), dtype=bool)
    broken = {}
    for (couple, place), there in present.items():
        if place == 2:
            alone = there & ~present.get((couple, 1), nobody)
            broken[f"a second person but no first in couple {couple}"] = alone
        elif couple > 1:
            gap = there & ~present.get((couple - 1, 1), nobody)
            broken[f"couple {couple} but no couple {couple - 1}"] = gap
    broken["no person"] = ~present.get((1, 1), nobody)
    for what, wrong in broken.items():
        if wrong.any():
            raise ValueError(
                f"household {ids[np.argmax(wrong)]!r} of {argument} has {what}; number its couples "
                "1, 2, 3, … and the persons of each 1, 2, or leave it out."
            )
    if "respondents" in households:
        numeric(argument, households, "respondents")
        persons = sum(there.astype(int) for there in present.values())
        for i in np.flatnonzero(households["respondents"].to_numpy() != persons)[:1]:
            raise ValueError(
                f"household {ids[i]!r} of {argument} has respondents = "
                f"{households['respondents'].iloc[i]}, but the number of its persons is "
                f"{persons[i]}; put the number right."
            )


def nobody_no_values(wide, columns, there):
    """Who is not there has no values."""
    for name in columns:
        ghost = wide[name].notna().to_numpy() & ~there
        if ghost.any():
            raise ValueError(
                f"household {wide['household'].tolist()[np.argmax(ghost)]!r} of wide has a value "
                f"in {name}, but no such person; make wide with flatten or synthesize_households."
            )


# Synthesis and weights


def households_to_synthesize(wide, variables):
    """A wide file has what the synthesis needs; `variables` maps each to its columns, one a slot.

    A slot without donors borrows from another, so a variable is of one kind in all slots.
    """
    columns("wide", wide, ["respondents"])
    bounded("wide", wide, wide.columns)
    kinds = {name: kind("wide", wide, name) for name in wide.columns}
    for variable, slots in variables.items():
        found = {kinds[name] for name in slots} - {None}
        if len(found) > 1:
            raise TypeError(
                f"variable {variable!r} of wide holds {' and '.join(sorted(found))}; convert it, "
                "so that it is of the same kind for all persons."
            )


def survey_weights(wide, name, there):
    """Every household or person that is there has a survey weight of 0 or more."""
    numeric("wide", wide, name)
    if not (wide[name].to_numpy(dtype=float, na_value=np.nan)[there] >= 0).all():
        raise ValueError(
            f"column {name!r} of wide holds a missing or negative weight; correct it, or leave "
            "the weights out."
        )


def some_donor(may_be_donor, data):
    """With weights on donors, every region has a household whose values may be drawn."""
    if not may_be_donor.any():
        where = f" of region {data['region'].iloc[0]!r}" if "region" in data else ""
        raise ValueError(
            f"every household{where} has weight 0, so there is nobody to draw a value from; take a "
            "higher cutoff, or weigh_donors=False."
        )


def raking(weights, groups, totals):
    """Every label has a total, every total a record to carry it, and all margins the same sum."""
    if not isinstance(totals, Mapping) or set(totals) != set(groups.columns) or not len(totals):
        raise ValueError(
            "totals must be a mapping with one Series of totals for each column of groups: "
            f"{', '.join(map(str, groups.columns))}."
        )
    for name in groups:
        _margin(weights, groups, name, totals[name])
    sums = {name: float(totals[name].sum()) for name in groups}
    if max(sums.values()) > min(sums.values()) * (1 + 1e-9):
        listed = ", ".join(f"{name} {value:,.2f}" for name, value in sums.items())
        raise ValueError(
            f"the totals of the margins have different sums ({listed}), so no weights can meet "
            "them all; bring them to the same sum."
        )


def _margin(weights, groups, name, total):
    """The totals of one margin are numbers, and can be met."""
    kind("groups", groups, name)
    complete("groups", groups, [name])
    if not isinstance(total, pd.Series) or not is_numeric(total) or total.index.has_duplicates:
        raise TypeError(f"totals[{name!r}] must be a Series of numbers, one for each label.")
    if not (np.isfinite(total.to_numpy(dtype=float)) & (total >= 0)).all():
        raise ValueError(f"totals[{name!r}] holds a missing, negative or infinite total.")
    place = total.index.get_indexer(groups[name])
    if (place < 0).any():
        label = groups[name].tolist()[np.argmin(place)]
        raise ValueError(f"label {label!r} of {name!r} has no total; add it to totals[{name!r}].")
    carried = np.bincount(place, weights, minlength=len(total))
    empty = total.index[(total > 0).to_numpy() & (carried == 0)]
    if len(empty):
        raise ValueError(
            f"the total of {name!r} = {empty[0]!r} cannot be met: no record with a weight has this "
            "label; join it with another label."
        )


def trim_bounds(value):
    """Return (low, high), or None: factors of the median weight between which to trim."""
    if value is None:
        return None
    ends = list(value) if is_list(value) else []
    if len(ends) != 2 or not all(map(is_number, ends)) or not 0 <= ends[0] <= 1 <= ends[1]:
        raise ValueError(
            f"trim must be None or two numbers around 1, such as (0.2, 5), not {show(value)}."
        )
    return ends


# Risk and protection


def probabilities(argument, value, n=None):
    """Return a probability for each of n records as an array; missing for those without one."""
    array = numbers(argument, value, n)
    if ((array < 0) | (array > 1)).any():
        raise ValueError(f"{argument} holds a number outside 0 to 1; it is a probability.")
    return array


def cutoffs(argument, value, highest=math.inf):
    """Return a list of numbers from 0, none of them twice."""
    value = listed(argument, value, "numbers")
    found = [number(f"each of {argument}", one, 0, highest) for one in value]
    if len({f"{one:g}" for one in found}) < len(found):
        raise ValueError(f"{argument} must be different numbers, not {show(value)}.")
    return found


def state_mapping(levels, value):
    """Return which states join which: a mapping between states, without chains."""
    if not isinstance(value, Mapping):
        raise TypeError(
            "mapping must say which state joins which, such as {'N1': 'N2'}, not "
            f"{type_of(value)}."
        )
    for small, large in value.items():
        for one in (small, large):
            if one is pd.NA or one not in levels:
                raise KeyError(f"mapping names {show(one)}, which is no state of the frame.")
        if small == large:
            raise ValueError(f"mapping sends {small!r} to itself; leave it out.")
        if large in value:
            raise ValueError(
                f"mapping sends {small!r} to {large!r}, which is itself sent to "
                f"{value[large]!r}; send both to the same state."
            )
    return dict(value)


def summable(argument, data, wanted):
    """These columns are there, and hold numbers, or yes and no, or nothing."""
    columns(argument, data, wanted)
    for name in wanted:
        if not (pd.api.types.is_bool_dtype(data[name].dtype) or data[name].isna().all()):
            numeric(argument, data, name)


# The population and its samples


def strata(value, population):
    """Return the columns of a population that make the strata: at least one."""
    row_counts("population", population)
    value = names("strata", value, "column, or add one that is constant")
    columns("population", population, value)
    return value


def sample_sizes(value, available):
    """Return how many to draw from each stratum; `available` says how many there are."""
    if not isinstance(value, pd.Series | Mapping):
        raise TypeError(f"sizes must be a Series, how many to draw by stratum, not {show(value)}.")
    value = pd.Series(value, dtype=object)
    for stratum in value.index:
        if stratum not in available or value.index.has_duplicates:
            raise KeyError(
                f"sizes names the stratum {stratum!r}, which the population has not, or names one "
                "twice; name each stratum of the population once."
            )
    return {
        stratum: number(f"sizes[{stratum!r}]", size, 0, available[stratum], whole=True)
        for stratum, size in value.items()
    }


# The model of the population

SMALLEST = 1e-12  # of all fractions: no population is a million million times its sample
MOST_LEVELS = 2000  # of all QIs together
MOST_CELLS = 2e9  # a step of the search takes half a second then


def categorical_qis(table, qis):
    """Return the QIs: at least one, different, all of them categories in the table."""
    qis = names("qis", qis, "variable the intruder knows")
    columns("table", table, qis)
    categorical("table", table[qis])
    return qis


def sampling_fraction(value, n):
    """Return the sampling fraction of every record, above 0 and at most 1, as an array."""
    each = list(value) if is_list(value) else [value] * n
    if len(each) != n:
        raise ValueError(
            f"fraction has {len(each)} entries and table has {n} rows; give one number, or one "
            "for each row."
        )
    return np.array([number("fraction", one, SMALLEST, 1) for one in each])


def penalty(argument, value):
    """Return a penalty: a number, 0 or more; infinity leaves no interaction."""
    return math.inf if is_number(value) and value == math.inf else number(argument, value, 0)


def penalties(value):
    """Return the penalties to try, from large to small, each of them once."""
    value = listed("penalties", value, "numbers, such as [2, 1, 0.5]")
    if not value:
        raise ValueError("penalties is empty; give at least one number.")
    return sorted({penalty("each of penalties", one) for one in value}, reverse=True)


def few_cells(levels):
    """The QIs do not have too many levels (`levels` maps a QI to how many) or combinations."""
    if sum(levels.values()) > MOST_LEVELS or math.prod(levels.values()) > MOST_CELLS:
        most = max(levels, key=levels.get)
        raise ValueError(
            f"the QIs have {sum(levels.values()):,} levels and {math.prod(levels.values()):,} "
            f"combinations, too many to model ({most!r} alone has {levels[most]:,}); name fewer "
            "QIs or join levels."
        )


# Comparison


def marginal_variables(persons, households, weighted, borders):
    """Both files have the variables of the survey; `borders` are two levels of education."""
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
    for level in borders:
        if level not in persons["education"].cat.categories:
            raise ValueError(
                f"variable 'education' has no level {level!r}, where its groups part; name its "
                "levels as load_households does."
            )
