"""How many points lie in each box, without looking at every pair?

The question behind c_i is always the same: given n points, each in a group, and n boxes, each
belonging to a group, how many points of its own group lie in each box? Comparing every box with
every point takes n × n steps. This module answers it with sorting instead:

| sides of the box | idea | steps |
|---|---|---|
| 0 | count the group | n |
| 1 | sort by group and value: the points inside stand next to each other, in a *window* | n log n |
| 2 or more | the same, then rows of bits for the further sides, joined by AND | n × window / 64 |

Where few points stand next to each other, looking at each of them is quicker than all of that.
Windows grow with n unless groups are small, so that with three sides and no group at all the last
line grows far faster than n: a million points take some ten seconds.

You can use and trust `match` without reading this module: a test compares it with the double
loop on thousands of random tables.
"""

from functools import cached_property, lru_cache

import numpy as np

BLOCK = 1024  # points that share one table of bits; their number fits into 16 bits
SHORT = 32  # so many points of a window are looked at one by one
PAIRS_AT_ONCE = 1_000_000  # keeps the memory of these and of the ellipse bounded …
BOXES_AT_ONCE = 4_000  # … and the rows of bits near the processor
WORTH_SORTING = 1_000  # from so many values on, sorting them first pays


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
            self.first_side, rank = ranked(points[:, 0])
            key = groups * (n + 1) + rank
            self.order = np.argsort(key)  # no two keys are equal
            self.keys = key[self.order]
        else:  # without a side, the window of a group is all of it
            self.order = np.argsort(groups, kind="stable")
            self.sizes = np.append(np.bincount(groups), 0)  # the last: a group of nobody

    def count(self, groups, low, high):
        """Count, for each box, the points of its group inside it.

        `groups` says which group each box belongs to; `low` and `high` have a row for each box and
        a column for each side: the lowest and the highest number inside.
        """
        start, stop = self.window(groups, low, high)
        counts = stop - start
        if self.sides < 2:
            return counts
        # If windows are short on average, the few long ones are not worth rows of bits.
        is_short = (counts <= SHORT) | (counts.mean() <= SHORT)
        short = np.flatnonzero((counts > 0) & is_short)
        long = np.flatnonzero(~is_short)
        if len(short):
            counts[short] = self._count_each(start[short], stop[short], low[short], high[short])
        if len(long):
            counts[long] = self._count_many(start[long], stop[long], low[long], high[long])
        return counts

    def window(self, groups, low, high):
        """Say where, in `order`, the points of the group on the first side start and stop."""
        if not self.sides:
            group = np.minimum(groups, len(self.sizes) - 1)
            stop = np.cumsum(self.sizes)[group]
            return stop - self.sizes[group], stop
        first, last = search(self.first_side, low[:, 0], high[:, 0])
        key = groups * (len(self.keys) + 1)
        return search(self.keys, key + first, key + last - 1)

    def pairs(self, groups, low, high):
        """Yield the pairs of a box and a point inside it, a bounded number at a time."""
        start, stop = self.window(groups, low, high)
        return self._pairs_inside(start, stop, low, high)

    def _pairs_inside(self, start, stop, low, high):
        """Yield the same for the points of these windows: side after side, for ever fewer pairs."""
        for boxes in portions(stop - start, PAIRS_AT_ONCE):
            box, place = places_in_windows(boxes, start, stop)
            point = self.order[place]
            for side in range(1, self.sides):
                value = self.points[point, side]
                inside = (low[box, side] <= value) & (value <= high[box, side])
                box = box[inside]
                point = point[inside]
            yield box, point

    def _count_each(self, start, stop, low, high):
        """Look at every point of the windows, which are short."""
        counts = np.zeros(len(start), dtype=np.int64)
        for box, _ in self._pairs_inside(start, stop, low, high):
            counts += np.bincount(box, minlength=len(start))
        return counts

    def _count_many(self, start, stop, low, high):
        """Count by the ranks of the further sides: those with low ≤ rank < high are inside."""
        rank_low = np.empty((self.sides - 1, len(start)), dtype=np.int64)
        rank_high = np.empty_like(rank_low)
        for place, (sorted_values, _) in enumerate(self._further):
            side = place + 1
            ends = search(sorted_values, low[:, side], high[:, side])
            rank_low[place], rank_high[place] = ends
        return self._blocks.count(start, stop, rank_low, rank_high)

    @cached_property
    def _further(self):
        """The further sides: sorted, and the rank of each point in its place."""
        return [ranked(self.points[self.order, side]) for side in range(1, self.sides)]

    @cached_property
    def _blocks(self):
        """What counts by ranks; made when the first long window asks for it."""
        return BitBlocks(np.array([rank for _, rank in self._further]))


def search(sorted_values, low, high):
    """Say where the sorted values with low ≤ value ≤ high start and stop, for each low and high.

    >>> search(np.array([1, 3, 3, 7]), low=np.array([2, 8]), high=np.array([3, 9]))
    (array([1, 4]), array([3, 4]))
    """
    if len(low) < WORTH_SORTING:
        start = np.searchsorted(sorted_values, low, "left")
        stop = np.searchsorted(sorted_values, high, "right")
    else:  # what is searched for in its order is found several times faster
        order = np.argsort(low)
        start = np.empty(len(order), dtype=np.int64)
        stop = np.empty(len(order), dtype=np.int64)
        start[order] = np.searchsorted(sorted_values, low[order], "left")
        stop[order] = np.searchsorted(sorted_values, high[order], "right")
    return start, np.maximum(start, stop)


def ranked(values):
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


def places_in_windows(boxes, start, stop):
    """List every box of a slice with every place in its window, as two long arrays.

    >>> places_in_windows(slice(0, 2), start=np.array([5, 0]), stop=np.array([7, 1]))
    (array([0, 0, 1]), array([5, 6, 0]))
    """
    lengths = stop[boxes] - start[boxes]
    box = np.repeat(np.arange(boxes.start, boxes.stop), lengths)
    before = np.cumsum(lengths) - lengths
    place = np.arange(lengths.sum()) + np.repeat(start[boxes] - before, lengths)
    return box, place


class BitBlocks:
    """All points in their order, cut into blocks that are counted with rows of bits."""

    def __init__(self, ranks):
        """Cut the points; `ranks` has a row for each further side and a column for each point."""
        n = ranks.shape[1]
        self.blocks = []
        for first in range(0, n, BLOCK):
            self.blocks.append(BitBlock(first, ranks[:, first : first + BLOCK], n))

    def count(self, start, stop, low, high):
        """Count, for each box, the places start … stop−1 with low ≤ rank < high on every side.

        `low` and `high` have a row for each further side and a column for each box.
        """
        # In this order the boxes that reach into a block stand next to each other.
        order = np.argsort(start)
        start = start[order]
        stop = stop[order]
        low = low[:, order]
        high = high[:, order]
        furthest_stop = np.maximum.accumulate(stop)
        counts = np.zeros(len(order), dtype=np.int64)
        for block in self.blocks:
            from_box = np.searchsorted(furthest_stop, block.first, "right")
            to_box = np.searchsorted(start, block.last, "left")
            if from_box < to_box:
                now = slice(from_box, to_box)
                counts[now] += block.count(start[now], stop[now], low[:, now], high[:, now])
        in_first_order = np.empty_like(counts)
        in_first_order[order] = counts
        return in_first_order


class BitBlock:
    """Some points that follow each other, for which each side of a box is one row of bits.

    For every side, row k of a table has a 1 for each of the k smallest points of the block. Two
    rows differ exactly in the points between two places, so a side is one XOR, a box one AND over
    its sides, and the answer the number of bits left. The place in the order is a side as well:
    the first one.

    >>> block = BitBlock(0, np.array([[3, 0, 2, 1]]), n=4)
    >>> start, stop, low, high = np.array([[0], [3], [1], [4]])
    >>> block.count(start, stop, low[None], high[None])  # of 3, 0 and 2 those from 1 to 3
    array([2])
    """

    def __init__(self, first, ranks, n):
        """Make the tables; `ranks` has a row for each further side, with ranks out of n."""
        size = ranks.shape[1]
        self.first = first
        self.last = first + size
        self.tables = [sets_in_order(size)]
        self.steps = []  # from rank to rank: how often to repeat 0, 1, 2, … in `below`
        for side in ranks:
            order = np.argsort(side)
            self.tables.append(growing_sets(order))
            self.steps.append(np.diff(side[order], prepend=-1, append=n))

    def count(self, start, stop, low, high):
        """Count the points of this block in each box; the arguments as for `BitBlocks`."""
        place_low = [np.clip(start, self.first, self.last) - self.first]
        place_high = [np.clip(stop, self.first, self.last) - self.first]
        for side, steps in enumerate(self.steps):
            # How many points of the block are below each rank 0 … n.
            below = np.repeat(np.arange(len(steps), dtype=np.int16), steps)
            place_low.append(below[low[side]])
            place_high.append(below[high[side]])
        counts = np.empty(len(start), dtype=np.int64)
        is_whole = place_high[0] - place_low[0] == self.last - self.first
        part = np.flatnonzero(~is_whole)
        whole = np.flatnonzero(is_whole)  # their windows hold the block: that side leaves out none
        counts[part] = count_bits(self.tables, place_low, place_high, part)
        counts[whole] = count_bits(self.tables[1:], place_low[1:], place_high[1:], whole)
        return counts


def count_bits(tables, low, high, boxes):
    """Count, for each of some boxes, the points between two places of every table."""
    if len(tables) == 1:  # no bits are needed
        return high[0][boxes] - low[0][boxes]
    counts = np.empty(len(boxes), dtype=np.int64)
    for first in range(0, len(boxes), BOXES_AT_ONCE):
        now = slice(first, first + BOXES_AT_ONCE)
        inside = ~np.uint64(0)
        for table, place_low, place_high in zip(tables, low, high, strict=True):
            inside = inside & (table[place_high[boxes[now]]] ^ table[place_low[boxes[now]]])
        counts[now] = np.bitwise_count(inside).sum(axis=1)
    return counts


def growing_sets(members):
    """Row k of the result has a bit for each of the first k members: numbers 0 … n−1, mixed."""
    n = len(members)
    rows = np.zeros((n + 1, (n + 63) // 64), dtype=np.uint64)
    rows[np.arange(1, n + 1), members // 64] = np.uint64(1) << (members % 64).astype(np.uint64)
    return np.bitwise_or.accumulate(rows, axis=0)


@lru_cache(maxsize=2)  # a whole block, and the last one
def sets_in_order(size):
    """Return the growing sets of the order itself: the same in every block."""
    return growing_sets(np.arange(size))
