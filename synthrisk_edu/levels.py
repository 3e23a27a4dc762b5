"""Which level is this? Records as codes, numbers as groups, missing as a level of its own."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from synthrisk_edu import old_checks as checks

MISSING = "Missing"
EXACT = 2**53  # up to here a float holds every whole number
LARGEST = 2**62  # of the numbers that stand for combinations


def number_combinations(frames, names):
    """Number the combinations of some variables over several frames; one array for each frame.

    Records with equal numbers agree on every variable. Numbers are equal when they are the same
    number, whatever their type (1 and 1.0; but not 2**53 + 1 and 2.0**53), and missing is a level
    of its own. Without variables everybody is alike.

    >>> one, two = pd.DataFrame({"Town": ["A", None]}), pd.DataFrame({"Town": ["B", None, "A"]})
    >>> [codes.tolist() for codes in number_combinations([one, two], ["Town"])]
    [[0, 1], [2, 1, 0]]
    """
    codes = [_category_numbers([frame[name] for frame in frames]) for name in names]
    lengths = [len(frame) for frame in frames]
    return np.split(combine(codes, sum(lengths)), np.cumsum(lengths)[:-1])


def count_combinations(frames, names, counts=None):
    """Number the combinations, and count the records of each: two lists, an array for each frame.

    `counts` may say for each frame how many records stand behind each of its rows.

    >>> one, two = pd.DataFrame({"Town": ["A", "A"]}), pd.DataFrame({"Town": ["A", "B"]})
    >>> [times.tolist() for times in count_combinations([one, two], ["Town"])[1]]
    [[2, 0], [1, 1]]
    """
    cells = number_combinations(frames, names)
    size = max(cell.max() for cell in cells) + 1
    counts = [None] * len(cells) if counts is None else counts
    return cells, [np.bincount(*one, minlength=size) for one in zip(cells, counts, strict=True)]


def number_levels(columns):
    """Number the levels of one variable over several columns, below each other; 0 is missing.

    >>> number_levels([pd.Series([1, None]), pd.Series([2.0, 1.0])]).tolist()
    [1, 0, 2, 1]
    """
    return pd.factorize(stack(columns))[0] + 1  # factorize calls missing −1


def _category_numbers(columns):
    """Number the levels of one variable; 0 is missing, the order of the others does not matter.

    Categories with the same levels are numbered already.
    """
    levels = [getattr(column.dtype, "categories", None) for column in columns]
    first = levels[0]  # pandas calls levels equal that are so as floats: look at their type too
    if all(one is not None and one.dtype == first.dtype and one.equals(first) for one in levels):
        return np.concatenate([column.cat.codes for column in columns]).astype(np.int64) + 1
    return number_levels(columns)


def stack(columns):
    """Put columns below each other so that two values are equal exactly if they were before.

    A float holds every whole number up to 2**53 and not all beyond. Where longer whole numbers meet
    another type, pandas would round them to floats, so all values stay Python's own instead.
    """
    if len({column.dtype for column in columns}) > 1 and any(map(_needs_objects, columns)):
        columns = [column.astype(object) for column in columns]
    stacked = pd.concat(columns, ignore_index=True)
    if isinstance(stacked.dtype, pd.Float64Dtype):  # it can hold NaN beside <NA>: both are missing
        stacked = pd.Series(stacked.to_numpy(dtype=float, na_value=np.nan))
    return stacked


def _needs_objects(column):
    """Say whether pandas would round a column beside another type, or cannot put it there.

    It rounds whole numbers that are too long for a float, and fails where a category without any
    level meets dates.
    """
    is_category = isinstance(column.dtype, pd.CategoricalDtype)
    values = column.cat.categories if is_category else column
    if values.isna().all():
        return is_category
    is_whole = pd.api.types.is_integer_dtype(values.dtype)
    return is_whole and bool(values.max() > EXACT or values.min() < -EXACT)


def combine(codes, length=0):
    """Number the combinations of several variables' codes; without any variable all are alike."""
    combined, size = np.zeros(length or 1, dtype=np.int64), 1
    for code in codes:
        levels = int(code.max()) + 1
        if size * levels >= LARGEST:  # number anew: the numbers stay small, however many codes
            combined = pd.factorize(combined)[0]
            size = int(combined.max()) + 1
        combined, size = combined * levels + code, size * levels
    return pd.factorize(combined)[0]


@dataclass
class Variable:
    """One variable of all data sets below each other: a code per record, and what codes mean."""

    codes: np.ndarray
    levels: list  # as in the data, or the label of a group, or "Missing" (then the last)
    has_missing: bool


def code(data_sets, counts, names, groups, special):
    """Turn variables of all data sets below each other into codes: a mapping name → `Variable`."""
    weight = None if counts is None else np.concatenate(counts)
    return {
        name: code_variable(data_sets, weight, name, groups.get(name), special.get(name, ()))
        for name in names
    }


def code_variable(data_sets, weight, name, k, special):
    """Code one variable: grouped if asked, missing as the last level."""
    column = stack([data[name] for data in data_sets])
    special = checks.special_codes(column, name, special)
    if k is not None:
        column = _group(column, weight, checks.group_count(data_sets, name, k), special)
    codes, levels = pd.factorize(column)
    has_missing = bool((codes < 0).any())
    names = [*levels, MISSING] if has_missing else list(levels)
    return Variable(np.where(codes < 0, len(levels), codes), names, has_missing)


def _group(column, weight, k, special):
    """Cut numbers into at most k groups of equal size; missing and special codes stay as they are.

    Breaks are the quantiles (linear interpolation) of all data sets pooled, duplicates dropped; a
    group is [a, b), and the last one [a, b].
    """
    values = column.to_numpy(dtype=float, na_value=np.nan)
    quantity = ~np.isnan(values) & ~np.isin(values, list(special))
    each = np.ones(len(values)) if weight is None else weight
    counted = quantity & (each > 0)
    if not counted.any():
        return column.astype(object)
    breaks = np.unique(_quantiles(values[counted], each[counted], np.linspace(0, 1, k + 1)))
    labels = _labels(breaks)
    codes = np.clip(np.searchsorted(breaks, values, side="right") - 1, 0, len(labels) - 1)
    others, levels = pd.factorize(column[~quantity].astype(object))
    codes[~quantity] = np.where(others < 0, -1, others + len(labels))
    return pd.Series(pd.Categorical.from_codes(codes, [*labels, *levels]))


def _labels(breaks):
    """Name the groups between breaks, with as many digits as it takes to tell them apart."""
    for digits in range(6, 18):
        shown = [f"{one:.{digits}g}" for one in breaks]
        if len(set(shown)) == len(shown):
            break
    labels = [f"[{a}, {b})" for a, b in pairwise(shown)]
    return [*labels[:-1], labels[-1][:-1] + "]"] if labels else [f"[{shown[0]}]"]


def _quantiles(values, counts, levels):
    """Quantiles, by linear interpolation, of values that each stand for several records."""
    order = np.argsort(values)
    values, until = values[order] + 0.0, np.cumsum(counts[order])  # −0.0 is 0.0
    position = levels * (until[-1] - 1)
    low = np.floor(position)
    below = values[np.searchsorted(until, low, side="right")]
    above = values[np.searchsorted(until, np.minimum(low + 1, until[-1] - 1), side="right")]
    return below + (position - low) * (above - below)
