"""Synthesis by a Bayesian regression line, as in the lecture's CE example.

    y = Xβ + ε,  ε ~ N(0, σ²),  prior p(β, σ²) ∝ 1/σ²

For each synthetic data set σ² and β are drawn from their posterior, then every value anew:

    σ² ~ RSS / χ²(n − k)      β ~ N(β̂, σ² (X'X)⁻¹)      y* = Xβ + N(0, σ²)
"""

import numpy as np
import pandas as pd

from synthrisk_edu.synthesis import checks


def synthesize_linear(data, variable, predictors, m=1, *, log=True, seed=None):
    """Replace one numeric variable by draws from a Bayesian linear regression; m data sets.

    Args:
        data: the confidential data, without missing values in the variables used.
        variable: the name of the variable to synthesize.
        predictors: names of the predictors; categories enter as one column a level but the first.
        m: how many synthetic data sets to make; each has parameters of its own.
        log: work with logarithms of the variable and of numeric predictors; all must be positive.
        seed: equal seeds, equal data sets.

    >>> data = pd.DataFrame({"Income": [1.0, 2, 4, 8, 16], "Expenditure": [2.0, 4, 8, 16, 32]})
    >>> made = synthesize_linear(data, "Expenditure", ["Income"], seed=1)[0]
    >>> bool(np.allclose(made.Expenditure, data.Expenditure))  # a perfect line leaves no freedom
    True
    """
    predictors, m = checks.names("predictors", predictors), checks.count("m", m)
    checks.to_synthesize(data, [variable])
    checks.columns("data", data, predictors)
    checks.predictors(variable, predictors, [name for name in data.columns if name != variable])
    checks.bounded("data", data, [variable, *predictors])
    checks.complete("data", data, [variable, *predictors])
    checks.numeric("data", data, variable)
    log = checks.flag("log", log)
    y = _scaled(data, variable, log)
    x = _design(data, predictors, log)
    checks.enough_rows(*x.shape)
    rng = checks.generator(seed)
    made = [data.copy() for _ in range(m)]
    for synthetic in made:
        drawn = _draw(x, y, rng)
        synthetic[variable] = np.exp(drawn) if log else drawn
    return made


def _scaled(data, name, log):
    """A numeric variable as it enters the line."""
    if log:
        checks.positive(data, name)
    values = data[name].to_numpy(dtype=float)
    return np.log(values) if log else values


def _design(data, predictors, log):
    """The matrix X: a column of ones, then the predictors."""
    columns = [np.ones(len(data))]
    for name in predictors:
        if checks.is_numeric(data[name]):
            columns.append(_scaled(data, name, log))
        else:
            levels = data[name].astype("category").cat.remove_unused_categories()
            columns += list(pd.get_dummies(levels, drop_first=True).to_numpy(float).T)
    return np.column_stack(columns)


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
