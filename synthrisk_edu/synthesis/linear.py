"""Synthesis by a Bayesian regression line, as in the lecture's CE example.

    y = Xβ + ε,  ε ~ N(0, σ²),  prior p(β, σ²) ∝ 1/σ²

For each synthetic data set σ² and β are drawn from their posterior, then every value anew:

    σ² ~ RSS / χ²(n − k)      β ~ N(β̂, σ² (X'X)⁻¹)      y* = Xβ + N(0, σ²)
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.synthesis import doors


def synthesize_linear(
    data: pd.DataFrame,
    variable: str,
    predictors: Sequence[str],
    m: int = 1,
    *,
    log: bool = True,
    seed: int | None = None,
) -> list[pd.DataFrame]:
    """Replace one numeric variable by draws from a Bayesian linear regression; m data sets.

    Args:
        data: the confidential data, without missing values in the variables used.
        variable: the name of the variable to synthesize.
        predictors: names of the predictors; categories enter as one column a level but the first.
        m: how many synthetic data sets to make; each has parameters of its own.
        log: work with logarithms of the variable and of numeric predictors; all must be positive.
        seed: equal seeds, equal data sets.

    >>> data = pd.DataFrame({"Income": [1.0, 2, 4, 8, 16], "Expenditure": [2.0, 4, 8, 16, 32]})
    >>> synthetic = synthesize_linear(data, "Expenditure", ["Income"], seed=1)[0]
    >>> bool(np.allclose(synthetic.Expenditure, data.Expenditure))  # on a line
    True
    """
    predictors = checks.names("predictors", predictors)
    checks.same_kind({"data": data}, [variable, *predictors])
    doors.predictors(variable, predictors, data.columns.drop(variable))
    doors.no_numbers_as_text(data, predictors)
    checks.complete("data", data, [variable, *predictors])
    numbers = [variable, *checks.numeric_names(predictors, [data])]
    checks.quantities("data", data, numbers)
    if log:
        _positive(data, numbers)
    checks.number("m", m, 1, whole=True)
    rng = checks.generator(seed)
    y = _scaled(data[variable], log)
    x = _design(data, predictors, log)
    _more_rows_than_columns(x)

    synthetics = []
    for _ in range(m):
        drawn = _draw(x, y, rng)
        synthetic = data.copy()
        synthetic[variable] = np.exp(drawn) if log else drawn
        synthetics.append(synthetic)
    return synthetics


def _positive(data, names):
    """Every number of these columns has a logarithm."""
    for name in names:
        without = int((data[name] <= 0).sum())
        if without:
            raise ValueError(
                f"column {checks.show(name)} of data has {without} values that are 0 or negative "
                "and have no logarithm; keep only the rows with positive values, or pass log=False."
            )


def _more_rows_than_columns(x):
    """A regression has fewer coefficients than records."""
    n, k = x.shape
    if n <= k:
        raise ValueError(
            f"data has {n} rows for {k} coefficients; a regression needs more rows than "
            "coefficients, so name fewer predictors."
        )


def _scaled(column, log):
    """A numeric variable as it enters the line."""
    values = cells.as_floats(column)
    return np.log(values) if log else values


def _design(data, predictors, log):
    """The matrix X: a column of ones, then the predictors."""
    blocks = [np.ones(len(data))]
    for name in predictors:
        if checks.is_numeric(data[name]):
            blocks.append(_scaled(data[name], log))
        else:
            codes, levels = pd.factorize(data[name], sort=True)
            blocks.append(cells.dummies(codes, len(levels))[:, 1:])
    return np.column_stack(blocks)


def _draw(x, y, rng):
    """Draw σ², then β, then the values."""
    n, k = x.shape
    beta_hat, *_ = np.linalg.lstsq(x, y, rcond=None)
    rss = ((y - x @ beta_hat) ** 2).sum()
    sigma = np.sqrt(rss / rng.chisquare(n - k))
    # With X = QR, β̂ + σ R⁻¹ N(0, I) has the covariance σ² (X'X)⁻¹. If two columns of X are equal,
    # R has no inverse, and pinv takes the nearest thing to it.
    noise = np.linalg.pinv(np.linalg.qr(x, mode="r")) @ rng.standard_normal(k)
    beta = beta_hat + sigma * noise
    return x @ beta + sigma * rng.standard_normal(n)
