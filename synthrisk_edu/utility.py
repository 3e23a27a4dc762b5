"""Is it still useful, and what does protection cost? Utility stands beside every measure of risk.

**Can a model tell synthetic from confidential records?** Put both files together, n_c + n_s = N
records, share c = n_s / N synthetic, and predict for each record how likely it is to be synthetic
(its propensity p̂). If nothing distinguishes the files, p̂ = c for everybody:

    pMSE = Σ (p̂ − c)² / N          0 is perfect; with equal sizes the worst is ¼

Even a perfect synthesis has a pMSE above 0, by chance. The ratio divides by what chance gives:

    ratio = pMSE / E₀[pMSE]         about 1 for a file drawn anew from the true one, 0 for a copy;
                                    below 10 is usually called acceptable

E₀ is k_s c (1 − c)² / N. For a logistic model k_s counts the coefficients that can differ by
chance: all but the one in front if every variable was synthesized, and in a partial synthesis those
that involve a synthesized variable. For a table with k occupied cells it is k − 1; for a tree E₀ is
found by resampling the confidential data.

**Does an analysis give the same answer?** `ecdf_distance`, `combine_partially_synthetic` and
`interval_overlap` compare a distribution, an estimate and its interval. `quartiles` and
`average_of_m` sum up many synthetic files.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from synthrisk_edu import cells, checks
from synthrisk_edu.synthesis.logistic import fit_logistic, shares

MODELS = ("logistic", "cart")
SMALL_RIDGE = 1e-9  # a cell with records of one file only would ask for an infinite slope
LEAF_SHARE = 0.005  # the smallest leaf of the tree that tells the files apart
RESAMPLES = 20
QUINTILES = [0.2, 0.4, 0.6, 0.8]  # where a numeric variable is cut in a table
MOST_COLUMNS = 2_000  # a model with more would take minutes, and know every record by its id
CELLS_AT_ONCE = 4_000_000  # of the matrix of the logistic model

# ------------------------------------------------------------------------------------- pMSE


def pmse(confidential, synthetic, variables=None, *, model="logistic"):
    """Return the propensity score mean squared error of a synthetic file, Σ (p̂ − c)² / N.

    `synthetic` may have another number of rows. `variables` are those the model may use, by default
    all that both frames have. The model is "logistic" (main effects and all two-way interactions)
    or "cart".

    >>> data = pd.DataFrame({"Town": list("AABB"), "Age": [20, 30, 40, 50]})
    >>> round(pmse(data, data), 12)
    0.0
    """
    p, _ = propensities(confidential, synthetic, variables, model)
    c = len(synthetic) / len(p)
    return float(np.mean((p - c) ** 2))


def pmse_ratio(
    confidential, synthetic, variables=None, *, model="logistic", synthesized=None, seed=0
):
    """Return pMSE divided by its expectation E₀ if the synthesis were perfect.

    With the logistic model E₀ = k_s c (1 − c)² / N. `synthesized` names the variables of a partial
    synthesis: k_s then counts only coefficients that involve one of them, for the others cannot
    differ. With the tree E₀ is the mean pMSE of pairs of resamples of the confidential data, times
    1 − c (a pair of independent samples differs more than data and a draw from its model). Where
    chance alone makes no difference, as with a constant, the ratio is undefined: NaN.
    """
    variables = _compared(confidential, synthetic, variables)
    p, k = propensities(confidential, synthetic, variables, model)
    value = np.mean((p - len(synthetic) / len(p)) ** 2)
    if model == "cart":
        if synthesized is not None:
            raise ValueError("synthesized goes with the logistic model; leave it or model out.")
        return _over(value, resampled_null(confidential[variables], len(synthetic), seed=seed))
    fixed = _not_synthesized(variables, synthesized)
    k_fixed = propensities(confidential, synthetic, fixed, model)[1] if fixed else 1
    return _over(value, expected_pmse(k - k_fixed, len(confidential), len(synthetic)))


def _not_synthesized(variables, synthesized):
    """Return the variables that a partial synthesis has left alone; None says: all are new."""
    synthesized = variables if synthesized is None else checks.names("synthesized", synthesized)
    checks.mapping("synthesized", dict.fromkeys(synthesized), variables)
    return [name for name in variables if name not in synthesized]


def expected_pmse(k_s, n_confidential, n_synthetic):
    """E₀ = k_s c (1 − c)² / N.

    >>> expected_pmse(1, 50, 50)
    0.00125
    """
    n = n_confidential + n_synthetic
    c = n_synthetic / n
    return k_s * c * (1 - c) ** 2 / n


def resampled_null(confidential, n_synthetic=None, *, seed=0):
    """Return what the tree's pMSE would be by chance: its mean over pairs of resamples of the data.

    It depends on the confidential data only, so that many syntheses of it need it once. By default
    there are as many synthetic records as confidential ones.
    """
    rng, n = checks.generator(seed), len(checks.frame("confidential", confidential))
    sizes, values = (n, n if n_synthetic is None else n_synthetic), []
    for _ in range(RESAMPLES):
        drawn = [rng.integers(n, size=size) for size in sizes]
        values.append(pmse(*(confidential.iloc[rows] for rows in drawn), model="cart"))
    # Two samples differ by k c (1 − c) / N, a sample and a draw from its model by 1 − c of that.
    return float(np.mean(values)) * sizes[0] / sum(sizes)


def _over(value, null):
    """The ratio; undefined where chance makes no difference, as with constants."""
    return float(value / null) if null > 0 else np.nan


def pmse_tables(confidential, synthetic, ways=2):
    """Return pMSE and its ratio for every table of `ways` variables, worst first.

    In a table the propensity of a cell is simply its synthetic share. Numeric variables are cut
    into five groups of equal size of the confidential data, and missing is a group of its own.

    >>> data = pd.DataFrame({"Town": list("AABB"), "Job": ["cook", "cook", "cook", "nurse"]})
    >>> pmse_tables(data, data, ways=1).ratio.tolist()
    [0.0, 0.0]
    """
    variables = _compared(confidential, synthetic, None)
    if checks.number("ways", ways, 1, whole=True) > len(variables):
        raise ValueError(
            f"ways is {ways}, but the frames share only {len(variables)} variables; take fewer "
            "ways."
        )
    effects = {name: _effect(confidential[name], synthetic[name]) for name in variables}
    codes = {name: _grouped(one, len(confidential)) for name, one in effects.items()}
    rows = [
        (*names, *table_pmse([codes[name] for name in names], len(confidential)))
        for names in combinations(variables, ways)
    ]
    columns = [f"variable_{place}" for place in range(1, ways + 1)]
    table = pd.DataFrame(rows, columns=[*columns, "pmse", "ratio"])
    table.attrs = confidential.attrs  # so that a picture can name the variables
    return table.sort_values("ratio", ascending=False, kind="stable", ignore_index=True)


def table_pmse(codes, n):
    """Return pMSE and ratio of a table; the first n records are confidential, the others not.

    With o confidential and s synthetic records in a cell, p̂ = s / (o + s).

    >>> table_pmse([np.array([0, 0, 0, 1, 0, 1, 1, 1])], 4)
    (0.0625, 4.0)
    """
    cell = cells.combine(codes, len(codes[0]))
    o, s = (np.bincount(part, minlength=cell.max() + 1) for part in (cell[:n], cell[n:]))
    p, c = s / (o + s), s.sum() / len(cell)
    value = float(((o + s) * (p - c) ** 2).sum() / len(cell))
    return value, _over(value, expected_pmse(len(o) - 1, n, len(cell) - n))


def _grouped(effect, n):
    """Cut numbers at the quintiles of the first n records; missing, 0, is a group of its own."""
    if effect.dtype.kind == "i":
        return effect
    ours = effect[:n][~np.isnan(effect[:n])]
    # A quintile may be the smallest value or the largest: it divides all the same.
    inner = np.unique(np.quantile(ours, QUINTILES)) if len(ours) else []
    return 1 + cells.quantile_groups(effect, [-np.inf, *inner, np.inf])


# ------------------------------------------------------------------------- the two models


def propensities(confidential, synthetic, variables=None, model="logistic"):
    """Predict for each record of both files how likely it is to be synthetic.

    Returns p̂, and the number of parameters of the model; a tree has none.
    """
    variables = _compared(confidential, synthetic, variables)
    fit = _logistic if checks.one_of("model", model, MODELS) == "logistic" else _tree
    effects = {name: _effect(confidential[name], synthetic[name]) for name in variables}
    return fit(effects, np.arange(len(confidential) + len(synthetic)) >= len(confidential))


def _compared(confidential, synthetic, variables):
    """Return the variables to compare: the named ones, or all that both frames have."""
    files = {"confidential": confidential, "synthetic": synthetic}
    variables = checks.shared_columns("variables", variables, files)
    for label, data in files.items():
        checks.numeric(label, data, checks.numeric_names(variables, [data]))
    return variables


def _are_quantities(*columns):
    """Say whether a variable is a quantity in every file; what has no value at all may be one."""
    return all(checks.is_numeric(column) or column.isna().all() for column in columns)


def _effect(confidential, synthetic):
    """Return a variable of both files as an array: numbers as floats, categories as codes."""
    columns = [confidential, synthetic]
    if _are_quantities(*columns):
        return np.concatenate([cells.as_floats(column) for column in columns])
    return cells.combine([cells.label_levels(columns)], sum(map(len, columns)))


def _count_levels(effect):
    """Count the levels of an effect; a number counts as two, and as three if it may be missing."""
    return int(effect.max()) + 1 if effect.dtype.kind == "i" else 2 + int(np.isnan(effect).any())


def count_parameters(confidential, synthetic, variables=None):
    """Count the columns that the logistic model would have: a one, main effects and their products.

    >>> data = pd.DataFrame({"Town": list("ABC"), "Age": [20, 30, 40]})
    >>> count_parameters(data, data)
    6
    """
    variables = _compared(confidential, synthetic, variables)
    effects = {name: _effect(confidential[name], synthetic[name]) for name in variables}
    return _with_products({name: _count_levels(one) for name, one in effects.items()})


def _with_products(levels):
    """Count a one, the main effects, and the products of every two."""
    main = [number - 1 for number in levels.values()]
    return 1 + sum(main) + sum(a * b for a, b in combinations(main, 2))


def _few_columns(levels, columns):
    """A model has no more columns than it can handle; the widest variable is the culprit."""
    if columns > MOST_COLUMNS:
        name = max(levels, key=levels.get)
        raise ValueError(
            f"the model would need {columns:,} columns and can have {MOST_COLUMNS:,}: "
            f"{checks.show(name)} has {levels[name]:,} levels, as an identifier has; leave it out "
            "of variables or group its levels."
        )


def _logistic(effects, synthetic_row):
    """Fit main effects and all two-way interactions; return p̂ and the number of parameters."""
    with threadpool_limits(1):  # many small products wait for each other otherwise
        design = Design(effects, synthetic_row)
        blocks = list(design) if len(design.parts) == 1 else design
        k = len(design.kept)
        beta, _ = fit_logistic(blocks, 2, np.full(k, SMALL_RIDGE), close=1e-9)
        return np.concatenate([shares(x @ beta.T)[:, 1] for x, _ in blocks]), k


class Design:
    """The matrix of the logistic model: a one, the main effects, and the products of every two.

    Columns that are a combination of others are left out; the others have length 1. The matrix is
    made a few rows at a time, and is never whole in memory: to go through it is to make it.
    """

    def __init__(self, effects, synthetic_row):
        """Find the columns that say something new."""
        levels = {name: _count_levels(one) for name, one in effects.items()}
        columns = _with_products(levels)
        _few_columns(levels, columns)
        self.main = [_main_effect(one) for one in effects.values()]
        self.counts = cells.dummies(synthetic_row, 2)
        step = max(1, CELLS_AT_ONCE // columns)
        starts = range(0, len(synthetic_row), step)
        self.parts = [slice(start, start + step) for start in starts]
        self.kept, self.length = _independent(self.rows(part) for part in self.parts)

    def rows(self, part):
        """Make some rows of the matrix, with all columns."""
        main = [table[codes[part]] for codes, table in self.main]
        n = len(main[0])
        products = (a[:, :, None] * b[:, None, :] for a, b in combinations(main, 2))
        return np.column_stack([np.ones(n), *main, *(one.reshape(n, -1) for one in products)])

    def __iter__(self):
        """Go through the matrix: some rows, and which of the two files each is in."""
        for part in self.parts:
            yield self.rows(part)[:, self.kept] / self.length, self.counts[part]


def _main_effect(values):
    """Return codes, and a table with the columns that each code has in the matrix.

    A number enters standardised, with a sign for missing; a category as one column a level but the
    first.
    """
    if values.dtype.kind == "i":
        levels = values.max() + 1
        return values, cells.dummies(np.arange(levels), levels)[:, 1:]
    missing = np.isnan(values)
    known = values[~missing] if not missing.all() else np.zeros(1)
    standard = np.where(missing, 0.0, (values - known.mean()) / (known.std() or 1.0))
    columns = [standard, missing] if missing.any() else [standard]
    return np.arange(len(values)), np.column_stack(columns)


def _independent(blocks):
    """Return which columns of a matrix are no combination of those before them, and their lengths.

    R of a QR decomposition has the same dependences as the whole matrix, and is small. In it one
    column is looked at after the other, by the method of Gram and Schmidt.
    """
    r = None
    for x in blocks:  # R of the rows so far is all that QR needs of them
        r = np.linalg.qr(x if r is None else np.concatenate([r, x]), mode="r")
    length = np.linalg.norm(r, axis=0)
    columns, basis, kept = (r / np.where(length > 0, length, 1)).T, np.zeros_like(r), []
    for place, rest in enumerate(columns):
        for _ in range(2):  # twice is enough against rounding
            rest = rest - basis @ (basis.T @ rest)
        if np.linalg.norm(rest) > 1e-7:
            basis[:, len(kept)] = rest / np.linalg.norm(rest)
            kept.append(place)
    return kept, length[kept]


def _tree(effects, synthetic_row):
    """Grow a tree that tells the files apart, and return p̂."""
    from sklearn.tree import DecisionTreeClassifier  # slow to import

    levels, columns = {name: _count_levels(one) for name, one in effects.items()}, []
    _few_columns(levels, sum(levels.values()))
    for one in effects.values():
        if one.dtype.kind == "i":
            columns.append(cells.dummies(one, _count_levels(one)).astype(np.float32))
        else:
            # From the lowest on: the tree has only seven digits to tell numbers apart.
            lowest = np.nanmin(one) if not np.isnan(one).all() else 0.0
            columns.append(np.where(np.isnan(one), -1.0, one - lowest).astype(np.float32))
    x, leaf = np.column_stack(columns), max(5, round(LEAF_SHARE * len(synthetic_row)))
    tree = DecisionTreeClassifier(min_samples_leaf=leaf, random_state=0).fit(x, synthetic_row)
    return tree.predict_proba(x)[:, 1], None


# ----------------------------------------------------------------- distributions and estimates


class EcdfDistance(NamedTuple):
    """The largest absolute, and the mean squared, difference of two distribution functions."""

    largest: float
    mean_squared: float


def ecdf_distance(x, y):
    """Compare the empirical distribution functions of two samples, at every pooled record.

    >>> ecdf_distance([1, 2, 3, 4], [1, 2, 3, 8])
    EcdfDistance(largest=0.25, mean_squared=0.0078125)
    """
    x, y = np.sort(_finite("x", x)), np.sort(_finite("y", y))
    pooled = np.concatenate([x, y])
    below = [np.searchsorted(sample, pooled, side="right") / len(sample) for sample in (x, y)]
    gap = below[0] - below[1]
    return EcdfDistance(float(np.abs(gap).max()), float((gap**2).mean()))


class CombinedEstimates(NamedTuple):
    """Coefficients of m data sets combined."""

    mean: np.ndarray
    within: np.ndarray
    between: np.ndarray
    total: np.ndarray


def combine_estimates(estimates, covariances):
    """Combine the estimates β and covariances Σ of m partially synthetic data sets.

        mean = Σ β / m    within = Σ Σ / m    between = Var(β)    total = within + between / m

    With one data set the between variance is 0.

    >>> combine_estimates([[1.0], [3.0]], [[[0.5]], [[0.5]]]).total
    array([[1.5]])
    """
    beta, sigma = np.array([*estimates], dtype=float), np.array([*covariances], dtype=float)
    if beta.ndim != 2 or sigma.shape != (*beta.shape, beta.shape[1]):
        raise ValueError("estimates and covariances must be lists of as many vectors and matrices.")
    m, mean, within = len(beta), beta.mean(axis=0), sigma.mean(axis=0)
    gap = beta - mean
    between = gap.T @ gap / (m - 1) if m > 1 else np.zeros_like(within)
    return CombinedEstimates(mean, within, between, within + between / m)


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
    """Combine the estimates q and their variances v of m data sets, by `combine_estimates`.

        q̄ = mean of q      T = b/m + v̄      df = (m − 1) (1 + v̄ / (b/m))²

    b is the variance of the q. With m = 1 or b = 0, T = v̄ and the degrees of freedom are infinite.

    >>> combine_partially_synthetic([10, 12], [1, 3])
    Combined(estimate=11.0, variance=3.0, degrees_of_freedom=9.0)
    """
    q, v = _finite("estimates", estimates), _finite("variances", variances, lowest=0)
    checks.same_length({"estimates": q, "variances": v})
    combined = combine_estimates(q[:, None], v[:, None, None])
    mean, within, between, total = (one.item() for one in combined)
    m = len(q)
    df = (m - 1) * (1 + within / (between / m)) ** 2 if between else np.inf
    return Combined(mean, total, df)


def interval_overlap(a, b):
    """Return how much two intervals overlap: the shared length over each length, averaged.

    1 when they are equal, 0 when they do not touch.

    >>> interval_overlap((0, 4), (2, 4))
    0.75
    """
    a, b = checks.interval("a", a), checks.interval("b", b)
    shared = max(0.0, min(a[1], b[1]) - max(a[0], b[0]))
    return (shared / (a[1] - a[0]) + shared / (b[1] - b[0])) / 2


def _finite(argument, values, lowest=-np.inf):
    """Return a list of finite numbers, none of them below `lowest`, as an array."""
    array = checks.numbers(argument, values)
    if not len(array) or not np.isfinite(array).all() or (array < lowest).any():
        below = "" if lowest == -np.inf else f", {lowest} or more"
        raise ValueError(f"{argument} must hold numbers{below}, none missing or infinite.")
    return array


# ----------------------------------------------------------------- many synthetic files at once


def quartiles(results):
    """Return the minimum, the quartiles and the maximum of every column: a box in each direction.

    >>> quartiles(pd.DataFrame({"risk": [1, 2, 3, 4, 5]})).risk.tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0]
    """
    checks.numeric("results", checks.frame("results", results), results.columns)
    levels = {"minimum": 0, "first": 0.25, "median": 0.5, "third": 0.75, "maximum": 1}
    return results.quantile(list(levels.values())).set_axis(list(levels))


def average_of_m(pool, m, repeats=1000, seed=0):
    """Average m different data sets drawn at random from a pool, many times over.

    One row per repeat: what an office would report if these were the m data sets that it made.

    >>> pool = pd.DataFrame({"risk": [1.0, 2.0, 3.0]})
    >>> average_of_m(pool, m=3, repeats=2).risk.tolist()
    [2.0, 2.0]
    """
    checks.numeric("pool", checks.frame("pool", pool), pool.columns)
    checks.number("repeats", repeats, 1, whole=True)
    if checks.number("m", m, 1, whole=True) > len(pool):
        raise ValueError(f"m is {m}, but the pool has only {len(pool)} data sets; take fewer.")
    chosen = checks.generator(seed).random((repeats, len(pool))).argpartition(m - 1, axis=1)[:, :m]
    return pd.DataFrame({name: pool[name].to_numpy()[chosen].mean(axis=1) for name in pool})
