"""The simplest synthesizer there is, good enough to see risk fall in the first lessons.

A record's values are replaced by those of a random record that looks like it. Every synthesizer
that borrows true values works this way: it puts records into groups (people who look alike, or the
leaves of a tree), and each record that needs a value draws a donor at random from its own group.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.synthesis import doors

GROUPS = 10  # a numeric variable to look alike on is cut into this many groups of equal size


def redraw(
    data: pd.DataFrame,
    variables: Sequence[str],
    given: Sequence[str],
    share: float = 1.0,
    *,
    seed: int | None = None,
) -> pd.DataFrame:
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
    checks.same_kind({"data": data}, list(dict.fromkeys([*variables, *given])))
    numbers = checks.numeric_names(given, [data])
    checks.quantities("data", data, numbers)
    doors.no_numbers_as_text(data, given)
    _free_to_change(data, variables, given)
    checks.number("share", share, 0, 1)
    rng = checks.generator(seed)

    alike = data[given].copy()
    for name in numbers:
        values = cells.as_floats(data[name])
        breaks = cells.quantile_breaks(values, GROUPS)
        alike[name] = cells.quantile_groups(values, breaks, right=True)
    (group,) = cells.label_cells([alike], given)
    donors = draw_donors(group, group, rng)
    chosen = rng.random(len(data)) < share
    source = np.where(chosen, donors, np.arange(len(data)))
    synthetic = data.copy()
    for name in variables:
        synthetic[name] = take_values(data[name], source)
    return synthetic


def _free_to_change(data, variables, given):
    """No category is redrawn among those who have the same: nobody would get another."""
    for name in variables:
        if name in given and not checks.is_numeric(data[name]):
            raise ValueError(
                f"{checks.show(name)} is both in variables and in given, so everybody would keep "
                "it; leave it in one of the two."
            )


def take_values(column: pd.Series, donors: np.ndarray) -> pd.Series:
    """Return the column with every record's value replaced by its donor's; index and dtype stay."""
    return column.take(donors).set_axis(column.index)


def draw_donors(
    group_of_donor: np.ndarray,
    group: np.ndarray,
    rng: np.random.Generator,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    """Draw a donor from the same group for each record; return the donors' positions.

    Every donor of a group is equally likely, or as likely as its share of the group's weights.

    >>> draw_donors(np.array([0, 1, 1]), np.array([0, 0]), np.random.default_rng(1))
    array([0, 0])
    """
    order = np.argsort(group_of_donor, kind="stable")  # the donors of a group stand together
    size = np.bincount(group_of_donor, minlength=group.max() + 1)
    first, size = (np.cumsum(size) - size)[group], size[group]
    if weights is None:
        place = np.floor(rng.random(len(group)) * size).astype(int)
        return order[first + place]
    # Lay all weights end to end: a group is a stretch of that line, and a donor a piece of it.
    line = np.concatenate([[0], np.cumsum(weights[order])])
    start, stop = line[first], line[first + size]
    point = start + rng.random(len(group)) * (stop - start)
    place = np.searchsorted(line, point, side="right") - 1
    # Rounding may put a point at the very end of its stretch: take the last piece with a weight.
    last = np.searchsorted(line, stop, side="left") - 1
    return order[np.minimum(place, last)]


def pick(cumulated: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw one column for each row of cumulated probabilities.

    >>> pick(np.array([[0.0, 1.0], [1.0, 1.0]]), np.random.default_rng(1)).tolist()
    [1, 0]
    """
    point = rng.random(len(cumulated)) * cumulated[:, -1]
    return (point[:, None] >= cumulated[:, :-1]).sum(axis=1)
