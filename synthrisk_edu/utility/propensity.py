"""Can a model tell synthetic from confidential records? pMSE and its ratio.

Put both files together, n_c + n_s = N records, share c = n_s / N synthetic, and predict for each
record how likely it is to be synthetic (its propensity p̂). If nothing distinguishes the files,
p̂ = c for everybody:

    pMSE = Σ (p̂ − c)² / N          0 is perfect; with equal sizes the worst is ¼

Even a perfect synthesis has a pMSE above 0, by chance. The ratio divides by what chance gives:

    ratio = pMSE / E₀[pMSE]         about 1 is as good as can be, below 10 is usually acceptable

E₀ is (k − 1) c (1 − c)² / N for a logistic model with k parameters, or for a table with k occupied
cells; for a tree it is found by resampling the confidential data.
"""

from itertools import combinations
from math import prod

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from synthrisk_edu.levels import combine, number_levels, stack
from synthrisk_edu.utility import checks

MODELS = ("logistic", "cart")
LEAF_SHARE = 0.005  # the smallest leaf of the tree that tells the files apart
RESAMPLES = 20
CELLS_AT_ONCE = 4_000_000  # of the design matrix of the logistic model
GROUPS = 5  # a numeric variable in a table is cut into this many groups of equal size


def pmse(confidential, synthetic, variables=None, *, model="logistic"):
    """Return the propensity score mean squared error of a synthetic file.

    Args:
        confidential: the true data.
        synthetic: the synthetic data; it may have another number of rows.
        variables: the variables the model may use; by default all that both frames have.
        model: "logistic" (main effects and all two-way interactions) or "cart".

    >>> data = pd.DataFrame({"Town": list("AABB"), "Age": [20, 30, 40, 50]})
    >>> round(pmse(data, data), 12)
    0.0
    """
    variables = checks.compared(confidential, synthetic, variables)
    checks.one_of("model", model, MODELS)
    ours, theirs = confidential[variables], synthetic[variables]
    return _tree_pmse(ours, theirs) if model == "cart" else _logistic_pmse(ours, theirs)[0]


def pmse_ratio(confidential, synthetic, variables=None, *, model="logistic", seed=0):
    """Return pMSE divided by its expectation if the synthesis were perfect.

    With the logistic model the expectation is (k − 1) c (1 − c)² / N. With the tree it is the mean
    pMSE of pairs of resamples of the confidential data, halved when both files are of equal size
    (a pair of independent samples differs twice as much as data and a draw from its model). Where
    chance alone makes no difference, as with a constant, the ratio is undefined: NaN.
    """
    variables = checks.compared(confidential, synthetic, variables)
    checks.one_of("model", model, MODELS)
    checks.generator(seed)
    ours, theirs = confidential[variables], synthetic[variables]
    if model == "cart":
        return _over(_tree_pmse(ours, theirs), resampled_null(ours, len(theirs), seed=seed))
    value, k = _logistic_pmse(ours, theirs)
    return _over(value, _null(k, len(ours), len(theirs)))


def _over(value, null):
    """The ratio; undefined where chance makes no difference, as with constants."""
    return float(value / null) if null > 0 else np.nan


def _null(k, n_confidential, n_synthetic):
    """E₀ = (k − 1) c (1 − c)² / N."""
    n = n_confidential + n_synthetic
    c = n_synthetic / n
    return (k - 1) * c * (1 - c) ** 2 / n


def resampled_null(confidential, n_synthetic=None, *, seed=0):
    """Return what the tree's pMSE would be by chance: its mean over pairs of resamples of the data.

    It depends on the confidential data only, so that many syntheses of it need it once. By default
    there are as many synthetic records as confidential ones.
    """
    checks.frame("confidential", confidential)
    sizes = len(confidential), len(confidential) if n_synthetic is None else n_synthetic
    rng = checks.generator(seed)
    values = []
    for _ in range(RESAMPLES):
        drawn = [rng.integers(len(confidential), size=size) for size in sizes]
        values.append(_tree_pmse(*(confidential.iloc[rows] for rows in drawn)))
    # Two samples differ twice as much as a sample and a draw from its model.
    return float(np.mean(values)) / (2 if sizes[0] == sizes[1] else 1)


def _are_quantities(*columns):
    """Say whether a variable is a quantity in every file; what has no value at all may be one."""
    return all(checks.is_numeric(column) or column.isna().all() for column in columns)


def _effects(confidential, synthetic):
    """Every variable of both files below each other: an array of numbers, or of level codes."""
    effects = []
    for name in confidential:
        columns = [confidential[name], synthetic[name]]
        if _are_quantities(*columns):
            effects.append(stack(columns).to_numpy(dtype=float, na_value=np.nan))
        else:
            effects.append(combine([number_levels(columns)]))
    return effects


class _Design:
    """The design matrix of the logistic model: a one, the main effects, and their products.

    A number enters standardised, with a sign for missing; a category as one column a level but the
    first. The matrix is made a few rows at a time, and is never whole in memory.
    """

    def __init__(self, confidential, synthetic):
        self.n = len(confidential) + len(synthetic)
        self.synthetic_row = np.arange(self.n) >= len(confidential)
        self.blocks = [
            (one, np.arange(1, one.max() + 1)) if one.dtype.kind == "i" else (_standard(one), None)
            for one in _effects(confidential, synthetic)
        ]
        widths = [x.shape[1] if levels is None else len(levels) for x, levels in self.blocks]
        columns = 1 + sum(widths) + (sum(widths) ** 2 - sum(w**2 for w in widths)) // 2
        checks.few_columns(confidential, [width + 1 for width in widths], columns)
        self.step, self._whole = max(1, CELLS_AT_ONCE // columns), None
        self.scale = np.sqrt(sum((x**2).sum(axis=0) for _, x in self._rows()))
        self.kept = self.scale > 0
        self.kept = np.flatnonzero(self.kept)[self._independent()]
        self._whole = list(self.rows()) if self.n <= self.step else None

    def _rows(self):
        """Make the matrix a few rows at a time: which rows, and all their columns."""
        for start in range(0, self.n, self.step):
            rows = slice(start, min(start + self.step, self.n))
            main = [x[rows] if k is None else x[rows, None] == k for x, k in self.blocks]
            length = rows.stop - rows.start
            products = [
                (first[:, :, None] * second[:, None, :]).reshape(length, -1)
                for first, second in combinations(main, 2)
            ]
            yield rows, np.column_stack([np.ones(length), *main, *products]).astype(float)

    def rows(self):
        """The same with the columns that say something new, each of length 1."""
        if self._whole is not None:
            return self._whole
        return ((rows, x[:, self.kept] / self.scale[self.kept]) for rows, x in self._rows())

    def _independent(self):
        """Say which columns are no combination of those before them."""
        if self.kept.sum() > self.n:
            return _first_independent(np.concatenate([x for _, x in self.rows()]))
        r = np.empty((0, self.kept.sum()))
        for _, x in self.rows():  # R of the rows so far is all that QR needs of them
            r = np.linalg.qr(np.concatenate([r, x]), mode="r")
        return np.abs(np.diag(r)) > 1e-7


def _standard(values):
    """A number as columns: standardised, and whether it is missing if it ever is."""
    missing = np.isnan(values)
    if missing.all():
        return np.ones((len(values), 1))
    spread = np.nanstd(values) or 1.0
    standard = np.where(missing, 0.0, (values - np.nanmean(values)) / spread)
    return np.column_stack([standard, missing]) if missing.any() else standard[:, None]


def _first_independent(x):
    """Say which columns are no combination of those before them, also if they outnumber the rows.

    One column after the other, by the method of Gram and Schmidt.
    """
    basis, kept = np.zeros((len(x), 0)), np.zeros(x.shape[1], dtype=bool)
    for place, column in enumerate(x.T):
        rest = column - basis @ (basis.T @ column)
        rest = rest - basis @ (basis.T @ rest)  # twice is enough against rounding
        length = np.linalg.norm(rest)
        if length > 1e-7:
            kept[place] = True
            basis = np.column_stack([basis, rest / length])
    return kept


def _logistic_pmse(confidential, synthetic):
    """Return the pMSE of the logistic model, and the number of its parameters."""
    with threadpool_limits(1):  # many small products wait for each other otherwise
        design = _Design(confidential, synthetic)
        p = _propensities(design)
    return float(np.mean((p - design.synthetic_row.mean()) ** 2)), len(design.kept)


def _propensities(design, steps=26):
    """Fit the logistic model by Newton's method and return p̂ of every record."""
    y = design.synthetic_row.astype(float)
    c, k, beta = y.mean(), len(design.kept), None
    eta = np.full(design.n, np.log(c / (1 - c)))
    for _ in range(steps):
        # A very small ridge: a cell with records of one file only would ask for an infinite slope.
        information, score, moved = 1e-9 * np.eye(k), np.zeros(k), np.inf if beta is None else 0.0
        for rows, x in design.rows():
            if beta is not None:
                new = np.clip(x @ beta, -30, 30)
                moved, eta[rows] = max(moved, np.abs(new - eta[rows]).max()), new
            p = 1 / (1 + np.exp(-eta[rows]))
            weight = np.maximum(p * (1 - p), 1e-9)
            information += x.T @ (x * weight[:, None])
            score += x.T @ (weight * eta[rows] + y[rows] - p)
        if moved < 1e-8:
            break
        beta = np.linalg.solve(information, score)
    return 1 / (1 + np.exp(-eta))


def _tree_pmse(confidential, synthetic):
    """Grow a tree that tells the files apart, and return its pMSE."""
    effects = _effects(confidential, synthetic)
    widths = [one.max() + 1 if one.dtype.kind == "i" else 1 for one in effects]
    checks.few_columns(confidential, widths, sum(widths))
    checks.few_cells(len(effects[0]), sum(widths))
    x = np.empty((len(effects[0]), sum(widths)), dtype=np.float32)  # as the trees compute
    for one, width, last in zip(effects, widths, np.cumsum(widths), strict=True):
        if one.dtype.kind == "i":
            x[:, last - width : last] = one[:, None] == np.arange(width)  # a column a level
        else:
            lowest = np.nanmin(one) if np.isfinite(one).any() else 0.0
            # From the lowest on: the tree has only seven digits to tell numbers apart.
            x[:, last - 1] = np.where(np.isnan(one), -1.0, one - lowest)
    from sklearn.tree import DecisionTreeClassifier  # slow to import

    synthetic_row = np.arange(len(x)) >= len(confidential)
    leaf = max(5, round(LEAF_SHARE * len(x)))
    tree = DecisionTreeClassifier(min_samples_leaf=leaf, random_state=0).fit(x, synthetic_row)
    return float(np.mean((tree.predict_proba(x)[:, 1] - synthetic_row.mean()) ** 2))


def pmse_tables(confidential, synthetic, ways=2):
    """Return pMSE and its ratio for every table of `ways` variables, worst first.

    In a table the propensity of a cell is simply its synthetic share. Numeric variables are cut
    into five groups of equal size of the confidential data, and missing is a group of its own.

    >>> data = pd.DataFrame({"Town": list("AABB"), "Job": ["cook", "cook", "cook", "nurse"]})
    >>> pmse_tables(data, data, ways=1).ratio.tolist()
    [0.0, 0.0]
    """
    variables = checks.compared(confidential, synthetic, None)
    ways = checks.count("ways", ways)
    if ways > len(variables):
        raise ValueError(
            f"ways is {ways}, but the frames share only {len(variables)} variables; take fewer "
            "ways."
        )
    codes = {name: _table_codes(confidential[name], synthetic[name]) for name in variables}
    rows = [
        (*names, *_table_pmse([codes[name] for name in names], len(confidential)))
        for names in combinations(variables, ways)
    ]
    columns = [f"variable_{place}" for place in range(1, ways + 1)]
    table = pd.DataFrame(rows, columns=[*columns, "pmse", "ratio"])
    table.attrs = confidential.attrs  # so that plots can name the variables
    return table.sort_values("ratio", ascending=False, kind="stable", ignore_index=True)


def _table_codes(confidential, synthetic):
    """A variable of both files as whole numbers, one for each level or group."""
    if not _are_quantities(confidential, synthetic):
        return number_levels([confidential, synthetic])
    values = stack([confidential, synthetic]).to_numpy(dtype=float, na_value=np.nan)
    known = values[: len(confidential)]
    known = known[~np.isnan(known)]
    inner = np.unique(np.quantile(known, np.arange(1, GROUPS) / GROUPS)) if len(known) else []
    return np.where(np.isnan(values), GROUPS, np.searchsorted(inner, values, side="right"))


def _table_pmse(codes, n):
    """PMSE and ratio of a table; the first n records are confidential, the others synthetic.

    A table with fewer cells than records is counted as it is; a larger one is numbered first.
    """
    sizes = [int(code.max()) + 1 for code in codes]
    small = prod(sizes) < len(codes[0])
    cell = np.ravel_multi_index(codes, sizes) if small else combine(codes)
    o, s = (np.bincount(part, minlength=cell.max() + 1) for part in (cell[:n], cell[n:]))
    o, s = o[o + s > 0], s[o + s > 0]
    c = s.sum() / len(cell)
    value = ((o + s) * (s / (o + s) - c) ** 2).sum() / len(cell)
    return value, _over(value, _null(len(o), n, len(cell) - n))
