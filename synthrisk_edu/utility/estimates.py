"""Does an analysis give the same answer? One distribution, one estimate and its interval."""

from typing import NamedTuple

import numpy as np

from synthrisk_edu.utility import checks


class EcdfDistance(NamedTuple):
    """The largest absolute, and the mean squared, difference of two distribution functions."""

    largest: float
    mean_squared: float


def ecdf_distance(x, y):
    """Compare the empirical distribution functions of two samples, at every pooled record.

    >>> ecdf_distance([1, 2, 3, 4], [1, 2, 3, 8])
    EcdfDistance(largest=0.25, mean_squared=0.0078125)
    """
    x = np.sort(checks.finite_numbers("x", x))
    y = np.sort(checks.finite_numbers("y", y))
    pooled = np.concatenate([x, y])
    below = [np.searchsorted(sample, pooled, side="right") / len(sample) for sample in (x, y)]
    gap = below[0] - below[1]
    return EcdfDistance(float(np.abs(gap).max()), float((gap**2).mean()))


class Combined(NamedTuple):
    """What m partially synthetic data sets say about a quantity."""

    estimate: float
    variance: float
    degrees_of_freedom: float

    def interval(self, level=0.95):
        """Return the confidence interval (low, high)."""
        from scipy.special import stdtrit  # a quantile of Student's t; slow to import

        level = checks.number("level", level, 0, 1)
        reach = stdtrit(self.degrees_of_freedom, (1 + level) / 2) * np.sqrt(self.variance)
        return float(self.estimate - reach), float(self.estimate + reach)


def combine_partially_synthetic(estimates, variances):
    """Combine the estimates q and their variances v of m data sets.

        q̄ = mean of q      T = b/m + v̄      df = (m − 1) (1 + v̄ / (b/m))²

    b is the variance of the q. With m = 1 or b = 0, T = v̄ and the degrees of freedom are infinite.

    >>> combine_partially_synthetic([10, 12], [1, 3])
    Combined(estimate=11.0, variance=3.0, degrees_of_freedom=9.0)
    """
    q = checks.finite_numbers("estimates", estimates)
    v = checks.finite_numbers("variances", variances, lowest=0)
    if len(q) != len(v):
        raise ValueError(
            f"estimates has {len(q)} entries and variances has {len(v)}; give one of each per data "
            "set."
        )
    m, mean_v = len(q), float(v.mean())
    b = float(q.var(ddof=1)) if m > 1 else 0.0
    df = (m - 1) * (1 + mean_v / (b / m)) ** 2 if b else np.inf
    return Combined(float(q.mean()), b / m + mean_v, df)


def interval_overlap(a, b):
    """Return how much two intervals overlap: the shared length over each length, averaged.

    1 when they are equal, 0 when they do not touch.

    >>> interval_overlap((0, 4), (2, 4))
    0.75
    """
    a, b = checks.interval("a", a), checks.interval("b", b)
    shared = max(0.0, min(a[1], b[1]) - max(a[0], b[0]))
    return (shared / (a[1] - a[0]) + shared / (b[1] - b[0])) / 2


class CombinedEstimates(NamedTuple):
    """Coefficients of m data sets combined."""

    mean: np.ndarray
    within: np.ndarray
    between: np.ndarray
    total: np.ndarray


def combine_estimates(estimates, covariances):
    """Combine the estimates β and covariances Σ of m data sets."""
    beta, sigma = np.array(estimates, dtype=float), np.array(covariances, dtype=float)
    mean, within = beta.mean(axis=0), sigma.mean(axis=0)
    gap = beta - mean
    m = len(beta)
    between = gap.T @ gap / (m - 1) if m > 1 else np.zeros_like(within)
    return CombinedEstimates(mean, within, between, within + between / m)
