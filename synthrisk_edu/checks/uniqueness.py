"""Checks of the population model: who is unique in the population?"""

import math
from collections.abc import Iterable, Mapping
from numbers import Real

import numpy as np

from synthrisk_edu.checks.matching import columns, frame, kind, names
from synthrisk_edu.checks.synthesis import categorical

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
