"""Checks of utility: what can be compared, and what a model can hold."""

import numpy as np

from synthrisk_edu.old_checks import *

MOST_COLUMNS = 2_000  # a model with more would take minutes, and know every record by its id
MOST_CELLS = 100_000_000  # of the table a tree is grown on


def compared(confidential, synthetic, variables):
    """Return the variables to compare: the named ones, or all that both frames have."""
    files = {"confidential": confidential, "synthetic": synthetic}
    variables = shared_columns("variables", variables, files)
    for argument, data in files.items():
        bounded(argument, data, variables)
    return variables


def finite_numbers(argument, values, *, least=1, lowest=-np.inf):
    """Return a list of finite numbers, none of them below `lowest`, as an array."""
    array = numbers(argument, values)
    if len(array) < least:
        raise ValueError(f"{argument} has {len(array)} values and needs at least {least}.")
    if not np.isfinite(array).all():
        raise ValueError(
            f"{argument} holds a missing or infinite value; leave it out before comparing."
        )
    if (array < lowest).any():
        raise ValueError(f"{argument} holds {array.min():g}; none may be below {lowest:g}.")
    return array


def interval(argument, value):
    """Return an interval as (low, high), with low below high."""
    low_high = finite_numbers(argument, value, least=2)
    if len(low_high) != 2 or not low_high[0] < low_high[1]:
        raise ValueError(f"{argument} must be (low, high) with low below high, not {show(value)}.")
    return float(low_high[0]), float(low_high[1])


def few_columns(data, levels, columns):
    """A model needs no more columns than it can handle; the widest variable is the culprit."""
    if columns > MOST_COLUMNS:
        name = data.columns[int(np.argmax(levels))]
        raise ValueError(
            f"the model would need {columns:,} columns and can have {MOST_COLUMNS:,}: {name!r} has "
            f"{max(levels):,} levels, as an identifier has; leave it out of variables or group "
            "its levels."
        )


def few_cells(n, columns):
    """A tree is grown in memory."""
    if n * columns > MOST_CELLS:
        raise ValueError(
            f"the tree would need a table of {n:,} records and {columns:,} columns, more "
            "than memory should hold; compare random samples, for example with .sample(100_000)."
        )
