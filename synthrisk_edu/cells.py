"""Which combination is this, and how many have it?

Every measure of this package begins here: records that agree on some variables lie in the same
*cell*. Missing is a level like any other, and it equals only itself.
"""

from itertools import pairwise

import numpy as np
import pandas as pd

LARGEST = 2**62  # of the numbers that stand for combinations


def label_cells(frames, names):
    """Number the combinations of some variables over several frames; one array for each frame.

    Records with equal numbers agree on every variable: 1 and 1.0 are the same, and missing equals
    missing. Without variables everybody is alike.

    >>> one, two = pd.DataFrame({"Town": ["A", None]}), pd.DataFrame({"Town": ["B", None, "A"]})
    >>> [cell.tolist() for cell in label_cells([one, two], ["Town"])]
    [[0, 1], [2, 1, 0]]
    """
    lengths = [len(frame) for frame in frames]
    codes = [label_levels([frame[name] for frame in frames]) for name in names]
    return np.split(combine(codes, sum(lengths)), np.cumsum(lengths)[:-1])


def count_cells(frames, names):
    """Number the combinations, and count the records of each: two lists, an array for each frame.

    >>> one, two = pd.DataFrame({"Town": ["A", "A"]}), pd.DataFrame({"Town": ["A", "B"]})
    >>> [times.tolist() for times in count_cells([one, two], ["Town"])[1]]
    [[2, 0], [1, 1]]
    """
    cells = label_cells(frames, names)
    size = max(cell.max() for cell in cells) + 1
    return cells, [np.bincount(cell, minlength=size) for cell in cells]


def label_levels(columns):
    """Number the levels of one variable over several columns, below each other; 0 is missing.

    >>> label_levels([pd.Series([1, None]), pd.Series([2.0, 1.0])]).tolist()
    [1, 0, 2, 1]
    """
    column = pd.concat(columns, ignore_index=True)
    if column.dtype == "Float64":  # it may hold NaN beside <NA>: both are missing
        column = as_floats(column)
    return pd.factorize(column)[0] + 1  # factorize calls missing −1


def combine(codes, length):
    """Number the combinations of several variables' codes, whole numbers from 0.

    >>> combine([np.array([0, 0, 1]), np.array([5, 5, 5])], 3).tolist()
    [0, 0, 1]
    """
    combined = np.zeros(length, dtype=np.int64)
    size = 1
    for code in codes:
        levels = int(code.max()) + 1
        if size * levels >= LARGEST:  # number anew: the numbers stay small, however many codes
            combined = pd.factorize(combined)[0]
            size = int(combined.max()) + 1
        combined = combined * levels + code
        size = size * levels
    return pd.factorize(combined)[0]


def dummies(codes, levels):
    """Return a 0/1 column for each level: row i has its 1 in the column of its own code.

    >>> dummies(np.array([0, 2]), 3)
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    return (np.asarray(codes)[:, None] == np.arange(levels)).astype(float)


# ------------------------------------------------------------------- numbers in groups


def as_floats(column):
    """Return a column of numbers as an array of floats; missing is NaN."""
    return column.to_numpy(dtype=float, na_value=np.nan)


def special_levels(values, codes=()):
    """Say what is no quantity in an array of numbers: 0 for a quantity, 1 missing, 2, 3, … codes.

    >>> special_levels(np.array([1200, -8, np.nan, -9]), codes=[-8, -9]).tolist()
    [0, 2, 1, 3]
    """
    level = np.isnan(values).astype(np.int64)
    for number, code in enumerate(codes, start=2):
        level[values == code] = number
    return level


def quantile_groups(values, breaks, right=False):
    """Say in which group between breaks each number lies: 0, 1, …; −1 where it is missing.

    A group is [a, b), the last one [a, b], as in synthpop; with `right` it is (a, b], the first
    one [a, b]. What lies beyond the first or the last break belongs to the group there.

    >>> quantile_groups(np.array([1, 2, 3, np.nan]), breaks=[1, 2, 3]).tolist()
    [0, 1, 1, -1]
    """
    place = np.searchsorted(breaks[1:-1], values, side="left" if right else "right")
    return np.where(np.isnan(values), -1, place)


def quantile_breaks(values, k, counts=None):
    """Return the breaks of at most k groups of equal size; duplicates and missing are dropped.

    The quantiles are interpolated between neighbours. `counts` says how many records each value
    stands for.

    >>> quantile_breaks(np.array([1, 2, 3, 4, 5, np.nan]), 2)
    array([1., 3., 5.])
    """
    counts = np.ones(len(values)) if counts is None else counts
    order = np.argsort(values)
    order = order[(counts[order] > 0) & ~np.isnan(values[order])]
    if len(order) == 0:
        return np.empty(0)
    values = values[order] + 0.0  # −0.0 is 0.0
    until = np.cumsum(counts[order])
    position = np.linspace(0, 1, k + 1) * (until[-1] - 1)
    low = np.floor(position)
    below = values[np.searchsorted(until, low, side="right")]
    above = values[np.searchsorted(until, np.minimum(low + 1, until[-1] - 1), side="right")]
    return np.unique(below + (position - low) * (above - below))


def group_labels(breaks):
    """Name the groups between breaks, with as many digits as it takes to tell them apart.

    >>> group_labels([1, 2.5, 4])
    ['[1, 2.5)', '[2.5, 4]']
    """
    for digits in range(6, 18):
        shown = [f"{value:.{digits}g}" for value in breaks]
        if len(set(shown)) == len(shown):
            break
    if len(shown) == 1:
        return [f"[{shown[0]}]"]
    labels = [f"[{low}, {high})" for low, high in pairwise(shown)]
    labels[-1] = f"[{shown[-2]}, {shown[-1]}]"
    return labels


def group_alike(columns, k, codes=()):
    """Put numbers of several columns into the same k groups, of equal size in the first column.

    Zero, special codes and missing are levels of their own. Groups that only the first column
    decides are the same whatever it is compared with.

    >>> true, made = pd.Series([0, 0, 1, 2, 3, 4]), pd.Series([0, 9, np.nan])
    >>> [column.tolist() for column in group_alike([true, made], k=2)]
    [['0', '0', '[1, 2.5)', '[1, 2.5)', '[2.5, 4]', '[2.5, 4]'], ['0', '[2.5, 4]', None]]
    """
    codes = [0, *codes]
    names = np.array(["", None, *map(str, codes)], dtype=object)
    breaks = None
    grouped = []
    for column in columns:
        values = as_floats(column)
        level = special_levels(values, codes)
        amounts = np.where(level == 0, values, np.nan)
        if breaks is None:
            breaks = quantile_breaks(amounts, k)
            labels = np.array([*group_labels(breaks), ""] if len(breaks) else [""], dtype=object)
        group = labels[quantile_groups(amounts, breaks)] if len(breaks) else names[level]
        grouped.append(pd.Series(np.where(level == 0, group, names[level]), dtype=object))
    return grouped
