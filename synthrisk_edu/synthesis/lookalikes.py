"""The simplest synthesizer there is, good enough to see risk fall in the first lessons.

A record's values are replaced by those of a random record that looks like it. Every synthesizer
that borrows true values works this way: it puts records into cells (people who look alike, or the
leaves of a tree), and each record that needs a value draws a donor at random from its own cell.
"""

import numpy as np
import pandas as pd

from synthrisk_edu.levels import number_combinations
from synthrisk_edu.synthesis import checks

GROUPS = 10  # a numeric variable to look alike on is cut into this many groups of equal size


def redraw(data, variables, given, share=1.0, *, seed=None):
    """Replace `variables` in a share of the records by those of a record that looks alike.

    Two records look alike when they agree on every variable in `given`; numbers agree when they
    fall into the same tenth of the file. Each record draws its donor at random among those that
    look like it, itself included. With equal seeds a larger share redraws the same records and
    more, from the same donors, so that a slider over the share moves smoothly.

    >>> people = pd.DataFrame({"Town": list("AABBB"), "Job": ["baker", "cook", *["nurse"] * 3]})
    >>> redraw(people, ["Job"], ["Town"], share=0, seed=1).equals(people)
    True
    >>> redraw(people, ["Job"], ["Town"], seed=1).Job.tolist()[2:]
    ['nurse', 'nurse', 'nurse']
    """
    variables, given = checks.names("variables", variables), checks.names("given", given)
    checks.columns("data", data, [*variables, *given])
    checks.bounded("data", data, given)
    share = checks.number("share", share, 0, 1)
    rng = checks.generator(seed)
    grouped = data[given].copy()
    for name in given:
        if checks.is_numeric(data[name]):
            grouped[name] = _tenths(data[name])
    cell = number_combinations([grouped], given)[0]
    donors = draw_donors(cell, cell, rng)
    chosen = rng.random(len(data)) < share
    source = np.where(chosen, donors, np.arange(len(data)))
    synthetic = data.copy()
    for name in variables:
        synthetic[name] = take_values(data[name], source)
    return synthetic


def _tenths(column):
    """The tenth of the file each number falls into; missing stays missing."""
    values = pd.Series(column.to_numpy(dtype=float, na_value=np.nan), index=column.index)
    tenth = pd.qcut(values, GROUPS, labels=False, duplicates="drop")
    return tenth.mask(tenth.isna() & values.notna(), 0)  # all numbers equal: one group


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
