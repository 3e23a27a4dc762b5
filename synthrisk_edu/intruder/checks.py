"""Checks of the intruder's room: populations, distances, estimates."""

import numpy as np
import pandas as pd

from synthrisk_edu.levels import number_combinations
from synthrisk_edu.old_checks import *


def distance(value, data_sets, synthesized):
    """Return the metric, the reach, and the numeric synthesized variables it applies to."""
    if value is None:
        return None, None, []
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError('distance must be a pair such as ("euclidean", 100).')
    metric = one_of("the first part of distance", value[0], ("euclidean", "mahalanobis"))
    reach = number("the reach of distance", value[1], 0)
    ranged = numeric_names(synthesized, data_sets)
    if not ranged:
        raise TypeError("distance needs a numeric synthesized variable, and there is none.")
    for place, data in enumerate(data_sets):
        bounded(f"draws[{place - 1}]" if place else "confidential", data, ranged)
    complete("confidential", data_sets[0], ranged)
    return metric, reach, ranged


def draws(confidential, value, known, synthesized):
    """Return the draws as a list: frames that go with the confidential data, row by row."""
    frame("confidential", confidential)
    found = frames("draws", value)
    for place, draw in enumerate(found):
        pair(confidential, draw, known + synthesized, f"draws[{place}]")
        unchanged(confidential, draw, known, f"draws[{place}]")
    return found


def unchanged(confidential, synthetic, known, argument="synthetic"):
    """Known variables are the same in both files, record by record."""
    for name in known:
        if confidential[name].array.equals(synthetic[name].array):
            continue  # as it should be, and quickly seen
        ours, theirs = number_combinations([confidential, synthetic], [name])
        if (ours != theirs).any():
            raise ValueError(
                f"column {name!r} differs between confidential and {argument}; name it in "
                "synthesized, because known variables are those that were not synthesized."
            )


def population(totals, variables):
    """Totals are a Series of numbers indexed by the levels of the variables, each once."""
    if not isinstance(totals, pd.Series) or not is_numeric(totals):
        raise TypeError("population must be a Series of totals indexed by the levels.")
    if totals.index.nlevels != len(variables) or totals.index.has_duplicates:
        raise ValueError(
            "population must be indexed by the levels of known and synthesized, "
            f"{len(variables)} in all, each combination once."
        )


def large_enough(totals, sizes, targets):
    """No total is missing, or smaller than what is in the file."""
    for place in np.flatnonzero(~(totals >= sizes))[:1]:
        levels = tuple(targets.iloc[place].astype(object))
        raise ValueError(
            f"population has {totals[place]:g} units for "
            f"{show(levels[0] if len(levels) == 1 else levels)}, but {sizes[place]} such records "
            "are in the file; give a total for every combination, at least as large as the file's."
        )


def allowed(function, draw, n):
    """Return which records of a draw are possible, or None if the whole draw is not."""
    if function is None:
        return np.ones(n, dtype=bool)
    if not callable(function):
        raise TypeError(f"allowed must be a function of a draw, not {type_of(function)}.")
    answer = np.asarray(function(draw))
    if answer.shape == () and answer.dtype == bool:
        return np.ones(n, dtype=bool) if answer else None
    if answer.shape != (n,) or answer.dtype != bool:
        raise TypeError("allowed must return True or False for each record, or for the whole draw.")
    return answer


def fits(value):
    """Return fitted chains of multinomial regressions as a list: at least one."""
    found = listed("fits", value, "chains that fit_multinomial returned")
    if not found or not all(hasattr(one, "covariances") for one in found):
        raise TypeError("fits must be a list of chains that fit_multinomial returned.")
    return found


def invertible(covariance):
    """Return a covariance matrix that has an inverse; a singular one measures no distance."""
    if not np.isfinite(covariance).all() or np.linalg.matrix_rank(covariance) < len(covariance):
        raise ValueError(
            "the covariance of the numeric synthesized variables is singular: one of them is "
            "constant or a combination of the others; leave it out, or use 'euclidean'."
        )
    return covariance
