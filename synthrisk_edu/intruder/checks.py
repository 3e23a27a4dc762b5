"""Checks of the intruder's room: populations, distances, estimates."""

import numpy as np
import pandas as pd

from synthrisk_edu.checks import (
    count,
    frame,
    frames,
    is_numeric,
    names,
    number,
    pair,
    position,
    roles,
)
from synthrisk_edu.checks import weights as weight_list


def distance(value, confidential, synthesized):
    """Return the metric, the reach, and the numeric synthesized variables it applies to."""
    if value is None:
        return None, None, []
    try:
        metric, reach = value
    except (TypeError, ValueError):
        raise TypeError('distance must be a pair such as ("euclidean", 100).') from None
    if metric not in ("euclidean", "mahalanobis"):
        raise ValueError(f"distance must be 'euclidean' or 'mahalanobis', not {metric!r}.")
    reach = number("the reach of distance", reach, 0)
    ranged = [name for name in synthesized if is_numeric(confidential[name])]
    if not ranged:
        raise TypeError("distance needs a numeric synthesized variable, and there is none.")
    for name in ranged:
        if confidential[name].isna().any():
            raise ValueError(f"column {name!r} has missing values; distance needs all of them.")
    return metric, reach, ranged


def population(totals, weights, confidential, names):
    """Return a function that gives N_t of every group of targets in a draw, or None."""
    if totals is not None and weights is not None:
        raise ValueError("population and weights both give N_t; pass one of them.")
    if weights is not None:
        listed = weight_list(weights, len(confidential))
        return lambda q, group, record: np.bincount(group, listed[record], len(q.group_size))
    if totals is None:
        return None
    if not isinstance(totals, pd.Series):
        raise TypeError("population must be a Series of totals indexed by the levels.")

    def of_groups(q, _group, _record):
        rows = q.confidential.iloc[q.first][names]
        keys = [
            row[0] if len(names) == 1 else row for row in rows.itertuples(index=False, name=None)
        ]
        found = totals.reindex(
            pd.Index(keys) if len(names) == 1 else pd.MultiIndex.from_tuples(keys)
        )
        values = found.to_numpy(dtype=float)
        for key, value, size in zip(keys, values, q.group_size, strict=True):
            if not value >= size:
                raise ValueError(
                    f"population has {value:g} units for {key!r}, but {size} such records are in "
                    "the file; give a total for every combination, at least as large as the file's."
                )
        return values

    return of_groups


def allowed(function, draw, n):
    """Return which records of a draw are possible, or None if the whole draw is not."""
    if function is None:
        return np.ones(n, dtype=bool)
    answer = np.asarray(function(draw))
    if answer.shape == ():
        return np.ones(n, dtype=bool) if bool(answer) else None
    if answer.shape != (n,) or answer.dtype != bool:
        raise TypeError("allowed must return True or False for each record, or for the whole draw.")
    return answer


def some_draw(used):
    """At least one draw is left."""
    if used == 0:
        raise ValueError("allowed rules out every draw, so nothing is left; check the function.")


def estimates(beta, sigma):
    """One covariance matrix for each vector of estimates, of fitting size."""
    if beta.ndim != 2 or sigma.ndim != 3 or len(beta) != len(sigma) or len(beta) == 0:
        raise ValueError("estimates and covariances must be lists of as many vectors and matrices.")
    if sigma.shape[1:] != (beta.shape[1],) * 2:
        raise ValueError("each covariance must be a square matrix with a row for every estimate.")


def invertible(covariance):
    """Return the inverse of a covariance matrix; a singular one measures no distance."""
    if not np.isfinite(covariance).all() or np.linalg.matrix_rank(covariance) < len(covariance):
        raise ValueError(
            "the covariance of the numeric synthesized variables is singular: one of them is "
            "constant or a combination of the others; leave it out, or use 'euclidean'."
        )
    return np.linalg.inv(covariance)
