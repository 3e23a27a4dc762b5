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

from collections.abc import Iterator, Mapping, Sequence
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


def pmse(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    variables: Sequence[str] | None = None,
    *,
    model: str = "logistic",
) -> float:
    """Return the propensity score mean squared error of a synthetic file, Σ (p̂ − c)² / N.

    `synthetic` may have another number of rows. `variables` are those the model may use, by default
    all; then both frames have the same. The model is "logistic" (main effects and all two-way
    interactions) or "cart".

    >>> data = pd.DataFrame({"Town": list("AABB"), "Age": [20, 30, 40, 50]})
    >>> round(pmse(data, data), 12)
    0.0
    """
    variables = _to_compare(confidential, synthetic, variables)
    checks.one_of("model", model, MODELS)
    p = propensities(confidential, synthetic, variables, model)
    c = len(synthetic) / len(p)
    return float(np.mean((p - c) ** 2))


def pmse_ratio(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    variables: Sequence[str] | None = None,
    *,
    model: str = "logistic",
    synthesized: Sequence[str] | None = None,
    seed: int = 0,
) -> float:
    """Return pMSE divided by its expectation E₀ if the synthesis were perfect.

    With the logistic model E₀ = k_s c (1 − c)² / N. `synthesized` names the variables of a partial
    synthesis: k_s then counts only coefficients that involve one of them, for the others cannot
    differ. With the tree E₀ is the mean pMSE of pairs of resamples of the confidential data, times
    1 − c (a pair of independent samples differs more than data and a draw from its model). Where
    chance alone makes no difference, as with a constant, the ratio is undefined: NaN.
    """
    variables = _to_compare(confidential, synthetic, variables)
    checks.one_of("model", model, MODELS)
    rng = checks.generator(seed)
    fixed = _not_synthesized(variables, synthesized, model)
    if model == "cart":
        p = propensities(confidential, synthetic, variables, model)
        expected = resampled_null(confidential[variables], len(synthetic), seed=rng)
    else:
        design = make_design(confidential, synthetic, variables)
        p = _fit_logistic(design)
        k_fixed = 1  # the one in front
        if fixed:
            k_fixed = len(make_design(confidential, synthetic, fixed).kept)
        k_s = len(design.kept) - k_fixed
        expected = expected_pmse(k_s, len(confidential), len(synthetic))
    c = len(synthetic) / len(p)
    return _ratio(np.mean((p - c) ** 2), expected)


def _not_synthesized(variables, synthesized, model):
    """Return the variables that a partial synthesis has left alone; None says: all are new."""
    if synthesized is None:
        return []
    if model == "cart":
        raise ValueError("synthesized goes with the logistic model; leave it or model out.")
    synthesized = checks.names("synthesized", synthesized, "variable that was synthesized")
    checks.mapping("synthesized", dict.fromkeys(synthesized), variables)
    return [name for name in variables if name not in synthesized]


def expected_pmse(k_s: int, n_confidential: int, n_synthetic: int) -> float:
    """E₀ = k_s c (1 − c)² / N.

    >>> expected_pmse(1, 50, 50)
    0.00125
    """
    n = n_confidential + n_synthetic
    c = n_synthetic / n
    return k_s * c * (1 - c) ** 2 / n


def resampled_null(
    confidential: pd.DataFrame,
    n_synthetic: int | None = None,
    *,
    seed: int | np.random.Generator = 0,
) -> float:
    """Return what the tree's pMSE would be by chance: its mean over pairs of resamples of the data.

    It depends on the confidential data only, so that many syntheses of it need it once. By default
    there are as many synthetic records as confidential ones.
    """
    rng = np.random.default_rng(seed)
    variables = list(confidential.columns)
    n = len(confidential)
    if n_synthetic is None:
        n_synthetic = n
    c = n_synthetic / (n + n_synthetic)
    values = []
    for _ in range(RESAMPLES):
        sample = confidential.iloc[rng.integers(n, size=n)]
        other_sample = confidential.iloc[rng.integers(n, size=n_synthetic)]
        p = propensities(sample, other_sample, variables, "cart")
        values.append(float(np.mean((p - c) ** 2)))
    # Two samples differ by k c (1 − c) / N, a sample and a draw from its model by 1 − c of that.
    return float(np.mean(values)) * n / (n + n_synthetic)


def _ratio(value, expected):
    """The ratio; undefined where chance makes no difference, as with constants."""
    return float(value / expected) if expected > 0 else np.nan


def pmse_tables(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    ways: int = 2,
    variables: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Return pMSE and its ratio for every table of `ways` variables, worst first.

    In a table the propensity of a cell is simply its synthetic share. Numeric variables are cut
    into five groups of equal size of the confidential data, and missing is a group of its own.
    `variables` are those to make tables of, by default all; then both frames have the same.

    >>> data = pd.DataFrame({"Town": list("AABB"), "Job": ["cook", "cook", "cook", "nurse"]})
    >>> pmse_tables(data, data, ways=1).ratio.tolist()
    [0.0, 0.0]
    """
    variables = _to_compare(confidential, synthetic, variables)
    checks.number("ways", ways, 1, whole=True)
    if ways > len(variables):
        raise ValueError(
            f"ways is {ways}, but the frames share only {len(variables)} variables; take fewer "
            "ways."
        )
    n = len(confidential)
    codes = {}
    for name in variables:
        codes[name] = _grouped(_effect(confidential[name], synthetic[name]), n)
    rows = []
    for names in combinations(variables, ways):
        value, ratio = table_pmse([codes[name] for name in names], n)
        rows.append((*names, value, ratio))
    columns = [f"variable_{place}" for place in range(1, ways + 1)]
    table = pd.DataFrame(rows, columns=[*columns, "pmse", "ratio"])
    table.attrs = confidential.attrs  # so that a picture can name the variables
    return table.sort_values("ratio", ascending=False, kind="stable", ignore_index=True)


def table_pmse(codes: Sequence[np.ndarray], n: int) -> tuple[float, float]:
    """Return pMSE and ratio of a table; the first n records are confidential, the others not.

    With o confidential and s synthetic records in a cell, p̂ = s / (o + s).

    >>> table_pmse([np.array([0, 0, 0, 1, 0, 1, 1, 1])], 4)
    (0.0625, 4.0)
    """
    cell = cells.combine(codes, len(codes[0]))
    k = cell.max() + 1
    o = np.bincount(cell[:n], minlength=k)
    s = np.bincount(cell[n:], minlength=k)
    p = s / (o + s)
    c = s.sum() / len(cell)
    value = float(((o + s) * (p - c) ** 2).sum() / len(cell))
    return value, _ratio(value, expected_pmse(k - 1, n, len(cell) - n))


def _grouped(effect, n):
    """Cut numbers at the quintiles of the first n records; missing, 0, is a group of its own."""
    if effect.dtype.kind == "i":
        return effect
    confidential = effect[:n]
    present = confidential[~np.isnan(confidential)]
    # A quintile may be the smallest value or the largest: it divides all the same.
    inner = np.unique(np.quantile(present, QUINTILES)) if len(present) else []
    return 1 + cells.quantile_groups(effect, [-np.inf, *inner, np.inf])


# ------------------------------------------------------------------------- the two models


def propensities(
    confidential: pd.DataFrame, synthetic: pd.DataFrame, variables: Sequence[str], model: str
) -> np.ndarray:
    """Predict for each record of both files how likely it is to be synthetic: its p̂.

    Confidential records come first, then the synthetic ones.
    """
    if model == "logistic":
        return _fit_logistic(make_design(confidential, synthetic, variables))
    effects = _effects(confidential, synthetic, variables)
    return _fit_tree(effects, _synthetic_rows(confidential, synthetic))


def _to_compare(confidential, synthetic, variables):
    """Return the variables to compare: the named ones, or all if both frames have the same."""
    files = {"confidential": confidential, "synthetic": synthetic}
    compared = checks.shared_columns("variables", variables, files)
    for label, data in files.items():
        checks.quantities(label, data, checks.numeric_names(compared, [data]))
    return compared


def _effects(confidential, synthetic, variables):
    """Return the variables of both files as arrays, by name."""
    return {name: _effect(confidential[name], synthetic[name]) for name in variables}


def _synthetic_rows(confidential, synthetic):
    """Say which rows are synthetic where the synthetic file stands below the confidential one."""
    return np.arange(len(confidential) + len(synthetic)) >= len(confidential)


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


def count_parameters(
    confidential: pd.DataFrame, synthetic: pd.DataFrame, variables: Sequence[str]
) -> int:
    """Count the columns that the logistic model would have: a one, main effects and their products.

    >>> data = pd.DataFrame({"Town": list("ABC"), "Age": [20, 30, 40]})
    >>> count_parameters(data, data, ["Town", "Age"])
    6
    """
    return _with_products(_levels(_effects(confidential, synthetic, variables)))


def _levels(effects):
    """Count the levels of every variable."""
    return {name: _count_levels(effect) for name, effect in effects.items()}


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


def make_design(
    confidential: pd.DataFrame, synthetic: pd.DataFrame, variables: Sequence[str]
) -> "Design":
    """Make the matrix of the logistic model; `kept` are the columns that say something new.

    >>> data = pd.DataFrame({"Town": list("AAB"), "Region": list("NNS")})  # the same twice
    >>> make_design(data, data, ["Town", "Region"]).kept
    [0, 1]
    """
    effects = _effects(confidential, synthetic, variables)
    with threadpool_limits(1):  # many small products wait for each other otherwise
        return Design(effects, _synthetic_rows(confidential, synthetic))


def _fit_logistic(design):
    """Fit main effects and all two-way interactions; return p̂."""
    with threadpool_limits(1):
        blocks = list(design) if len(design.parts) == 1 else design  # made once if all fits
        penalty = np.full(len(design.kept), SMALL_RIDGE)
        beta, _ = fit_logistic(blocks, 2, penalty, close=1e-9)
        p = [shares(x @ beta.T)[:, 1] for x, _ in blocks]
        return np.concatenate(p)


class Design:
    """The matrix of the logistic model: a one, the main effects, and the products of every two.

    Columns that are a combination of others are left out; the others have length 1. The matrix is
    made a few rows at a time, and is never whole in memory: to go through it is to make it.
    """

    def __init__(self, effects: Mapping[str, np.ndarray], synthetic_row: np.ndarray) -> None:
        """Find the columns that say something new."""
        levels = _levels(effects)
        columns = _with_products(levels)
        _few_columns(levels, columns)
        self.main = [_main_effect(effect) for effect in effects.values()]
        self.counts = cells.dummies(synthetic_row, 2)
        step = max(1, CELLS_AT_ONCE // columns)
        starts = range(0, len(synthetic_row), step)
        self.parts = [slice(start, start + step) for start in starts]
        self.kept, self.length = _independent(self.rows(part) for part in self.parts)

    def rows(self, part: slice) -> np.ndarray:
        """Make some rows of the matrix, with all columns."""
        main = [table[codes[part]] for codes, table in self.main]
        n = len(main[0])
        products = []
        for a, b in combinations(main, 2):
            product = a[:, :, None] * b[:, None, :]
            products.append(product.reshape(n, -1))
        return np.column_stack([np.ones(n), *main, *products])

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Go through the matrix: some rows, and which of the two files each is in."""
        for part in self.parts:
            x = self.rows(part)[:, self.kept] / self.length
            yield x, self.counts[part]


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
    columns = (r / np.where(length > 0, length, 1)).T
    basis = np.zeros_like(r)
    kept = []
    for place, rest in enumerate(columns):
        for _ in range(2):  # twice is enough against rounding
            rest = rest - basis @ (basis.T @ rest)
        if np.linalg.norm(rest) > 1e-7:
            basis[:, len(kept)] = rest / np.linalg.norm(rest)
            kept.append(place)
    return kept, length[kept]


def _fit_tree(effects, synthetic_row):
    """Grow a tree that tells the files apart, and return p̂."""
    levels = _levels(effects)
    _few_columns(levels, sum(levels.values()))
    from sklearn.tree import DecisionTreeClassifier  # slow to import

    columns = []
    for name, effect in effects.items():
        if effect.dtype.kind == "i":
            column = cells.dummies(effect, levels[name])
        else:
            # From the lowest on: the tree has only seven digits to tell numbers apart.
            lowest = np.nanmin(effect) if not np.isnan(effect).all() else 0.0
            column = np.where(np.isnan(effect), -1.0, effect - lowest)
        columns.append(column.astype(np.float32))
    x = np.column_stack(columns)
    leaf = max(5, round(LEAF_SHARE * len(synthetic_row)))
    tree = DecisionTreeClassifier(min_samples_leaf=leaf, random_state=0)
    tree.fit(x, synthetic_row)
    return tree.predict_proba(x)[:, 1]


# ----------------------------------------------------------------- distributions and estimates


class EcdfDistance(NamedTuple):
    """The largest absolute, and the mean squared, difference of two distribution functions."""

    largest: float
    mean_squared: float


def ecdf_distance(x: Sequence[float], y: Sequence[float]) -> EcdfDistance:
    """Compare the empirical distribution functions of two samples, at every pooled record.

    >>> ecdf_distance([1, 2, 3, 4], [1, 2, 3, 8])
    EcdfDistance(largest=0.25, mean_squared=0.0078125)
    """
    x = np.sort(_finite("x", x))
    y = np.sort(_finite("y", y))
    pooled = np.concatenate([x, y])
    share_of_x = np.searchsorted(x, pooled, side="right") / len(x)  # at most as large as this
    share_of_y = np.searchsorted(y, pooled, side="right") / len(y)
    gap = share_of_x - share_of_y
    return EcdfDistance(largest=float(np.abs(gap).max()), mean_squared=float((gap**2).mean()))


class CombinedEstimates(NamedTuple):
    """Coefficients of m data sets combined."""

    mean: np.ndarray
    within: np.ndarray
    between: np.ndarray
    total: np.ndarray


def combine_estimates(
    estimates: Sequence[np.ndarray], covariances: Sequence[np.ndarray]
) -> CombinedEstimates:
    """Combine the estimates β and covariances Σ of m partially synthetic data sets.

        mean = Σ β / m    within = Σ Σ / m    between = Var(β)    total = within + between / m

    With one data set the between variance is 0.

    >>> combine_estimates([[1.0], [3.0]], [[[0.5]], [[0.5]]]).total
    array([[1.5]])
    """
    beta = np.array([*estimates], dtype=float)
    sigma = np.array([*covariances], dtype=float)
    if beta.ndim != 2 or sigma.shape != (*beta.shape, beta.shape[1]):
        raise ValueError("estimates and covariances must be lists of as many vectors and matrices.")
    m = len(beta)
    mean = beta.mean(axis=0)
    within = sigma.mean(axis=0)
    gap = beta - mean
    between = gap.T @ gap / (m - 1) if m > 1 else np.zeros_like(within)
    return CombinedEstimates(mean, within, between, within + between / m)


class Combined(NamedTuple):
    """What m partially synthetic data sets say about a quantity."""

    estimate: float
    variance: float
    degrees_of_freedom: float

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval (low, high)."""
        from scipy.special import stdtrit  # a quantile of Student's t; slow to import

        checks.number("level", level, 0, 1)
        reach = stdtrit(self.degrees_of_freedom, (1 + level) / 2) * np.sqrt(self.variance)
        return float(self.estimate - reach), float(self.estimate + reach)


def combine_partially_synthetic(estimates: Sequence[float], variances: Sequence[float]) -> Combined:
    """Combine the estimates q and their variances v of m data sets, by `combine_estimates`.

        q̄ = mean of q      T = b/m + v̄      df = (m − 1) (1 + v̄ / (b/m))²

    b is the variance of the q. With m = 1 or b = 0, T = v̄ and the degrees of freedom are infinite.

    >>> combine_partially_synthetic([10, 12], [1, 3])
    Combined(estimate=11.0, variance=3.0, degrees_of_freedom=9.0)
    """
    q = _finite("estimates", estimates)
    v = _finite("variances", variances, lowest=0)
    checks.same_length({"estimates": q, "variances": v})
    combined = combine_estimates(q[:, None], v[:, None, None])
    within = combined.within.item()
    between = combined.between.item()
    m = len(q)
    df = (m - 1) * (1 + within / (between / m)) ** 2 if between else np.inf
    return Combined(
        estimate=combined.mean.item(), variance=combined.total.item(), degrees_of_freedom=df
    )


def interval_overlap(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Return how much two intervals overlap: the shared length over each length, averaged.

    1 when they are equal, 0 when they do not touch.

    >>> interval_overlap((0, 4), (2, 4))
    0.75
    """
    low_a, high_a = _interval("a", a)
    low_b, high_b = _interval("b", b)
    shared = max(0.0, min(high_a, high_b) - max(low_a, low_b))
    return (shared / (high_a - low_a) + shared / (high_b - low_b)) / 2


def _interval(argument, value):
    """Return an interval as (low, high), with low below high."""
    ends = checks.numbers(argument, value)
    if len(ends) != 2 or not -np.inf < ends[0] < ends[1] < np.inf:
        raise ValueError(
            f"{argument} must be (low, high) with low below high, not {checks.show(value)}."
        )
    return float(ends[0]), float(ends[1])


def _finite(argument, values, lowest=-np.inf):
    """Return a list of finite numbers, none of them below `lowest`, as an array."""
    array = checks.numbers(argument, values)
    if not len(array) or not np.isfinite(array).all() or (array < lowest).any():
        below = "" if lowest == -np.inf else f", {lowest} or more"
        raise ValueError(f"{argument} must hold numbers{below}, none missing or infinite.")
    return array


# ----------------------------------------------------------------- many synthetic files at once


def quartiles(results: pd.DataFrame) -> pd.DataFrame:
    """Return the minimum, the quartiles and the maximum of every column: a box in each direction.

    >>> quartiles(pd.DataFrame({"risk": [1, 2, 3, 4, 5]})).risk.tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0]
    """
    checks.quantities("results", checks.frame("results", results), results.columns)
    levels = {"minimum": 0, "first": 0.25, "median": 0.5, "third": 0.75, "maximum": 1}
    return results.quantile(list(levels.values())).set_axis(list(levels))


def average_of_m(
    pool: pd.DataFrame, m: int, repeats: int = 1000, seed: int | None = 0
) -> pd.DataFrame:
    """Average m different data sets drawn at random from a pool, many times over.

    One row per repeat: what an office would report if these were the m data sets that it made.

    >>> pool = pd.DataFrame({"risk": [1.0, 2.0, 3.0]})
    >>> average_of_m(pool, m=3, repeats=2).risk.tolist()
    [2.0, 2.0]
    """
    checks.quantities("pool", checks.frame("pool", pool), pool.columns)
    checks.number("repeats", repeats, 1, whole=True)
    checks.number("m", m, 1, whole=True)
    if m > len(pool):
        raise ValueError(f"m is {m}, but the pool has only {len(pool)} data sets; take fewer.")
    rng = checks.generator(seed)
    lots = rng.random((repeats, len(pool)))
    chosen = lots.argpartition(m - 1, axis=1)[:, :m]  # the m lowest lots of every repeat
    return pd.DataFrame({name: pool[name].to_numpy()[chosen].mean(axis=1) for name in pool})
