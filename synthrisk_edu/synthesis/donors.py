"""Drawing donors: who lends a value to whom; and drawing levels by their probabilities.

Every synthesizer that borrows true values works the same way. It puts records into cells (people
who look alike, or the leaves of a tree), and each record that needs a value draws a donor at random
from its own cell.
"""

import numpy as np


def take_values(column, donors):
    """The column with every record's value replaced by its donor's; index and dtype stay."""
    return column.take(donors).set_axis(column.index)


def is_weighed(weigh_donors, is_class):
    """Say whether a value is drawn by its donors' weights: True, False, or "classes" alone.

    >>> is_weighed("classes", True), is_weighed("classes", False), is_weighed(True, False)
    (True, False, True)
    """
    return is_class if weigh_donors == "classes" else weigh_donors


def draw_donors(cell_of_donor, cell, rng, weights=None):
    """Draw a donor from the same cell for each record; return the donors' positions.

    Every donor of a cell is equally likely, or as likely as its share of the cell's weights.

    >>> draw_donors(np.array([0, 1, 1]), np.array([0, 0]), np.random.default_rng(1))
    array([0, 0])
    """
    order = np.argsort(cell_of_donor, kind="stable")
    size = np.bincount(cell_of_donor, minlength=cell.max() + 1)
    first = np.cumsum(size) - size
    if weights is None:
        place = np.floor(rng.random(len(cell)) * size[cell]).astype(int)
        return order[first[cell] + place]
    # Lay all weights end to end: a cell is a stretch of that line, and a donor a piece of it.
    line = np.concatenate([[0], np.cumsum(weights[order])])
    start, stop = line[first[cell]], line[first[cell] + size[cell]]
    point = start + rng.random(len(cell)) * (stop - start)
    place = np.searchsorted(line, point, side="right") - 1
    # Rounding may put a point at the very end of its stretch: take the last piece with a weight.
    last = np.searchsorted(line, stop, side="left") - 1
    return order[np.minimum(place, last)]


def pick(cumulated, rng):
    """Draw one column for each row of cumulated probabilities."""
    point = rng.random(len(cumulated)) * cumulated[:, -1]
    return (point[:, None] >= cumulated[:, :-1]).sum(axis=1)
