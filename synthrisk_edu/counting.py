"""How many points lie in each box, without looking at every pair?

The question behind c_i is always the same: given n points, each in a group, and n boxes, each
belonging to a group, how many points of its own group lie in each box? Comparing every box with
every point takes n × n steps. This module answers it with sorting instead:

| sides of the box | idea | steps |
|---|---|---|
| 0 | count the group | n |
| 1 | sort by group and value: the points inside stand next to each other | n log n |
| 2 | the same, then a wavelet matrix counts the second side | n log n |
| 3 or more | the same, then rows of bits, 64 points at a time, joined by AND | n × window / 64 |

Where few points stand next to each other, looking at each of them is quicker than all of that.

You can use and trust `match` without reading this module: a test compares it with the double
loop on thousands of random tables.
"""

from functools import cached_property

import numpy as np

BLOCK = 1024  # points that share one table of bits
SHORT = 64  # so many points of a window are looked at one by one
PAIRS_AT_ONCE = 1_000_000  # keeps the memory of these and of the ellipse bounded …
BOXES_AT_ONCE = 50_000  # … and that of the rows of bits
WORTH_SORTING = 50_000  # from so many values on, sorting them first pays


class BoxCounter:
    """Points in groups, prepared once; `count` then answers for any set of boxes.

    >>> counter = BoxCounter(np.array([0, 0, 1]), np.array([[10.0], [12.0], [12.0]]))
    >>> counter.count(np.array([0]), low=np.array([[11.0]]), high=np.array([[13.0]]))
    array([1])
    """

    def __init__(self, groups, points):
        """Sort the points by group and, within it, by the first side."""
        n, self.sides = points.shape
        self.points = points
        if self.sides:
            self.first_side, rank = _ranked(points[:, 0])
            key = groups * (n + 1) + rank
            self.order = np.argsort(key)  # no two keys are equal
            self.keys = key[self.order]
        else:  # without a side, the window of a group is all of it
            self.order = np.argsort(groups, kind="stable")
            self.sizes = np.bincount(groups)

    def count(self, groups, low, high):
        """Count, for each box, the points of its group inside it.

        `groups` says which group each box belongs to; `low` and `high` have a row for each box and
        a column for each side: the lowest and the highest number inside.
        """
        start, stop = self.window(groups, low, high)
        counts = stop - start
        if self.sides < 2:
            return counts
        for counter, boxes in (
            (self._count_each, np.flatnonzero((counts > 0) & (counts <= SHORT))),
            (self._count_many, np.flatnonzero(counts > SHORT)),
        ):
            if len(boxes):
                counts[boxes] = counter(start[boxes], stop[boxes], low[boxes], high[boxes])
        return counts

    def window(self, groups, low, high):
        """Say where, in `order`, the points of the group on the first side start and stop."""
        if not self.sides:
            until = np.append(np.cumsum(self.sizes), len(self.order))  # the last: a group of nobody
            groups, size = np.minimum(groups, len(self.sizes)), np.append(self.sizes, 0)
            return until[groups] - size[groups], until[groups]
        first = search(self.first_side, low[:, 0], "left")
        last = np.maximum(first, search(self.first_side, high[:, 0], "right"))
        key = groups * (len(self.keys) + 1)
        return search(self.keys, key + first, "left"), search(self.keys, key + last, "left")

    def _count_each(self, start, stop, low, high):
        """Look at every point of the windows, which are short."""
        found = self._inside(start, stop, low, high)
        return sum(np.bincount(box, minlength=len(start)) for box, _ in found)

    def pairs(self, groups, low, high):
        """Yield the pairs of a box and a point inside it, a bounded number at a time."""
        return self._inside(*self.window(groups, low, high), low, high)

    def _inside(self, start, stop, low, high):
        """Yield the same for the points of these windows: side after side, for ever fewer pairs."""
        for portion in portions(stop - start, PAIRS_AT_ONCE):
            box, place = pairs(portion, start, stop)
            point = self.order[place]
            for side in range(1, self.sides):
                value = self.points[point, side]
                inside = (low[box, side] <= value) & (value <= high[box, side])
                box, point = box[inside], point[inside]
            yield box, point

    def _count_many(self, start, stop, low, high):
        """Count by the ranks of the further sides: those with first ≤ rank < last are inside."""
        ranks = []
        for side, (ordered, _) in enumerate(self._further, start=1):
            first = search(ordered, low[:, side], "left")
            ranks.append((first, np.maximum(first, search(ordered, high[:, side], "right"))))
        return self._many.count(start, stop, ranks)

    @cached_property
    def _further(self):
        """The further sides: sorted, and the rank of each point in its place."""
        return [_ranked(self.points[self.order, side]) for side in range(1, self.sides)]

    @cached_property
    def _many(self):
        """What counts by ranks; made when the first long window asks for it."""
        ranks = np.column_stack([rank for _, rank in self._further])
        return WaveletMatrix(ranks[:, 0]) if self.sides == 2 else BitBlocks(ranks)


def search(ordered, values, side):
    """Do what np.searchsorted does; many values are sorted first, which is several times faster."""
    if len(values) < WORTH_SORTING:
        return np.searchsorted(ordered, values, side)
    order, found = np.argsort(values), np.empty(len(values), dtype=np.int64)
    found[order] = np.searchsorted(ordered, values[order], side)
    return found


def _ranked(values):
    """Return the values sorted, and the rank of each: 0 … n−1, no two alike."""
    order = np.argsort(values, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return values[order], rank


def portions(lengths, most):
    """Cut a list of windows into runs that hold about `most` pairs together."""
    total = np.concatenate([[0], np.cumsum(lengths)])
    first = 0
    while first < len(lengths):
        last = int(np.searchsorted(total, total[first] + most, side="right")) - 1
        last = max(last, first + 1)  # one long window may exceed the limit by itself
        yield slice(first, last)
        first = last


def pairs(boxes, start, stop):
    """List every (box, place in the window of that box), as two long arrays."""
    lengths = stop[boxes] - start[boxes]
    box = np.repeat(np.arange(boxes.start, boxes.stop), lengths)
    before = np.cumsum(lengths) - lengths
    place = np.arange(lengths.sum()) + np.repeat(start[boxes] - before, lengths)
    return box, place


class WaveletMatrix:
    """A list of numbers 0 … n−1, prepared to count how many in a stretch are below a bound.

    The numbers are looked at bit by bit, highest bit first. At each level those with a 0 move to
    the front and those with a 1 to the back, order kept; a running count of zeros says where a
    stretch goes. Comparing with a bound then takes one step a bit, whatever the stretch.

    >>> zero, one, three, four = np.array([[0], [1], [3], [4]])
    >>> WaveletMatrix(np.array([3, 0, 2, 1])).count(zero, three, [(one, four)])
    array([2])
    """

    def __init__(self, values):
        """Store, for each bit, the running count of zeros."""
        self.levels = []
        for bit in reversed(range(len(values).bit_length())):
            is_zero = (values >> bit) & 1 == 0
            zeros_before = np.concatenate([[0], np.cumsum(is_zero)]).astype(np.int32)
            self.levels.append((bit, zeros_before))
            values = np.concatenate([values[is_zero], values[~is_zero]])

    def count(self, start, stop, ranks):
        """Count the places start … stop−1 whose number is at least `low` and below `high`."""
        ((low, high),) = ranks
        both = self.below(np.tile(start, 2), np.tile(stop, 2), np.concatenate([high, low]))
        return both[: len(start)] - both[len(start) :]

    def below(self, start, stop, bound):
        """Count the places start … stop−1 whose number is below `bound`."""
        counts = np.zeros(len(bound), dtype=np.int64)
        for bit, zeros_before in self.levels:
            zero_start, zero_stop = zeros_before[start], zeros_before[stop]
            one = (bound >> bit) & 1 == 1
            # Where the bound has a 1, every number with a 0 here is below it.
            counts += np.where(one, zero_stop - zero_start, 0)
            start = np.where(one, zeros_before[-1] + start - zero_start, zero_start)
            stop = np.where(one, zeros_before[-1] + stop - zero_stop, zero_stop)
        return counts


class BitBlocks:
    """All points in their order, cut into blocks in which each side of a box is one row of bits.

    For every side, row k of a table has a 1 for each of the k smallest points of the block. Two
    rows differ exactly in the points between two places, so a side is one XOR, a box one AND over
    its sides, and the answer the number of bits left.
    """

    def __init__(self, ranks):
        """Build the tables; `ranks` has a row for each point and a column for each side."""
        n, self.blocks = len(ranks), []
        runs = _growing_sets(np.arange(min(n, BLOCK)))  # of the order itself: the same everywhere
        for first in range(0, n, BLOCK):
            block = ranks[first : first + BLOCK]
            steps = np.diff(np.sort(block, axis=0), axis=0, prepend=-1, append=n)
            tables = [_growing_sets(column) for column in np.argsort(block, axis=0).T]
            run = runs[: len(block) + 1, : tables[0].shape[1]]
            self.blocks.append((first, first + len(block), steps, tables, run))

    def count(self, start, stop, ranks):
        """Count the places start … stop−1 whose ranks are at least `low` and below `high`."""
        counts = np.zeros(len(start), dtype=np.int64)
        for first, last, steps, tables, run in self.blocks:
            touched = np.flatnonzero((start < last) & (stop > first))
            # How many points of the block are below each rank 0 … n, side after side.
            below = [np.repeat(np.arange(len(s)), s) for s in steps.T] if len(touched) else []
            for some in range(0, len(touched), BOXES_AT_ONCE):
                boxes = touched[some : some + BOXES_AT_ONCE]
                inside = run[np.minimum(stop[boxes], last) - first]
                inside ^= run[np.maximum(start[boxes], first) - first]
                for table, place, (low, high) in zip(tables, below, ranks, strict=True):
                    inside &= table[place[high[boxes]]] ^ table[place[low[boxes]]]
                counts[boxes] += np.bitwise_count(inside).sum(axis=1, dtype=np.int64)
        return counts


def _growing_sets(ranked):
    """Row k of the result has a bit for each of the first k members of `ranked`."""
    n = len(ranked)
    rows = np.zeros((n + 1, (n + 63) // 64), dtype=np.uint64)
    rows[np.arange(1, n + 1), ranked // 64] = np.uint64(1) << (ranked % 64).astype(np.uint64)
    return np.bitwise_or.accumulate(rows, axis=0)
