"""Synthesis by a chain of multinomial regressions (Reiter & Mitra 2009).

For a variable with levels 0 … K and predictors x (a one in front),

    Pr(level k) = exp(x'β_k) / (1 + Σ_l exp(x'β_l)),   β_0 = 0

Variables come one after the other, each also predicted from those before it. The chain keeps its
estimates and their covariances, because an intruder may know them, or fit them anew. A small ridge,
RIDGE·|β|²/2, keeps estimates finite where a small group separates perfectly.
"""

from functools import cached_property

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from synthrisk_edu.levels import number_combinations
from synthrisk_edu.synthesis import checks
from synthrisk_edu.synthesis.logistic import fit_logistic, shares
from synthrisk_edu.synthesis.lookalikes import pick

RIDGE = 0.1


def fit_multinomial(data, variables, predictors):
    """Fit a chain of multinomial regressions.

    Args:
        data: the data; categories enter as one column a level but the first.
        variables: names of the categorical variables, in the order of the chain.
        predictors: names of the predictors of all of them.

    Returns:
        A `MultinomialChain` with `.estimates`, `.covariances` and `.draw`.
    """
    variables = checks.to_synthesize(data, variables)
    predictors = checks.names("predictors", predictors)
    checks.columns_of_one_kind({"data": data}, predictors)
    checks.predictors(variables[0], predictors, [n for n in data.columns if n not in variables])
    checks.bounded("data", data, predictors)
    checks.some_values(data, predictors)
    return MultinomialChain(data, variables, predictors)


def synthesize_multinomial(data, variables, m=1, *, predictors=None, seed=None):
    """Fit the chain on the data and draw m data sets at its estimates.

    >>> data = pd.DataFrame({"town": list("AABB") * 20, "job": list("cccn") * 20})
    >>> made = synthesize_multinomial(data, ["job"], 2, seed=1)
    >>> [one.town.equals(data.town) for one in made]
    [True, True]
    """
    variables, m = checks.to_synthesize(data, variables), checks.count("m", m)
    if predictors is None:
        predictors = [name for name in data.columns if name not in variables]
    chain = fit_multinomial(data, variables, predictors)
    rng = checks.generator(seed)
    return chain.draws(data, rng, [None] * m)


class MultinomialChain:
    """Fitted multinomial regressions, one for each variable of the chain."""

    def __init__(self, data, variables, predictors):
        """Fit every variable; use `fit_multinomial` to get here."""
        self.variables, self.predictors = variables, predictors
        self.columns = {name: _Column(data[name]) for name in [*predictors, *variables]}
        self.estimates, self.covariances = [], []
        with threadpool_limits(1):  # many small products wait for each other otherwise
            for name in variables:
                checks.few_parameters(name, self._parameters(name))
                x, record = self._different(data, self._before(name))
                counts = np.zeros((len(x), len(self.columns[name].levels)))
                np.add.at(counts, (record, self.columns[name].codes(data)), 1)
                ridge = _penalty(x.shape[1])
                beta, information = fit_logistic([(x, counts)], counts.shape[1], ridge)
                self.estimates.append(beta.ravel())
                self.covariances.append(np.linalg.inv(information))

    def _before(self, name):
        """Name the predictors of a variable: the common ones, and the variables before it."""
        return [*self.predictors, *self.variables[: self.variables.index(name)]]

    def _parameters(self, name):
        """Count the coefficients of a variable."""
        columns = 1 + sum(self.columns[other].width for other in self._before(name))
        return (len(self.columns[name].levels) - 1) * columns

    def _different(self, data, names):
        """The matrix of some predictors, a one in front: a row for each kind of record, and whose.

        Many records are alike, and the rest of the work is done once for all that are.
        """
        (kind,) = number_combinations([data], names)
        data = data.iloc[np.unique(kind, return_index=True)[1]]
        blocks = [self.columns[name].block(data) for name in names]
        return np.column_stack([np.ones(len(data)), *blocks]), kind

    def draw(self, data, rng, estimates=None):
        """Return the data with the variables drawn anew, at the given or the fitted estimates."""
        return self.draws(data, rng, [estimates])[0]

    def draws(self, data, rng, many):
        """Return one draw for each of many estimates; None stands for the fitted ones."""
        checks.random_source("rng", rng)
        checks.columns_of_one_kind({"data": data}, self.predictors)
        wanted = {name: self._parameters(name) for name in self.variables}
        many = checks.listed("many", many, "estimates")
        many = [self.estimates if one is None else checks.estimates(one, wanted) for one in many]
        with threadpool_limits(1):
            x, kind = self._different(data, self.predictors)
            return [self._draw_once(data, x, kind, estimates, rng) for estimates in many]

    def _draw_once(self, data, x, kind, estimates, rng):
        """Draw one variable after the other; `x` has the known predictors of each kind."""
        drawn, level = data.copy(), {}
        for name, flat in zip(self.variables, estimates, strict=True):
            beta = flat.reshape(len(self.columns[name].levels) - 1, -1)
            eta, place = (x @ beta[:, : x.shape[1]].T)[kind], x.shape[1]
            for other in level:  # what the variables before it add, by their drawn levels
                of_levels = self.columns[other].block_of_levels
                end = place + of_levels.shape[1]
                eta += (of_levels @ beta[:, place:end].T)[level[other]]
                place = end
            level[name] = pick(shares(eta).cumsum(axis=1), rng)
            drawn[name] = self.columns[name].take(level[name])
        return drawn


class _Column:
    """How a variable enters a regression, the same for every data set."""

    def __init__(self, column):
        self.name = column.name
        self.numeric = checks.is_numeric(column)
        values = column.to_numpy(dtype=float, na_value=np.nan) if self.numeric else None
        if self.numeric:
            self.middle, self.spread = np.nanmean(values), np.nanstd(values) or 1.0
            self.missing = bool(np.isnan(values).any())
        # The levels a category declares count even where nobody has them, so that the chain has
        # the same shape in every data set; missing is a level if it occurs.
        self.dtype = column.dtype
        declared = isinstance(self.dtype, pd.CategoricalDtype)
        levels = self.dtype.categories if declared else sorted(column.dropna().unique(), key=str)
        absent = [np.nan] if column.isna().any() else []
        self.levels = pd.Index([*levels, *absent], dtype=object)
        self.width = 1 + self.missing if self.numeric else len(self.levels) - 1

    def codes(self, data):
        """The level of every record, as a whole number."""
        codes, seen = pd.factorize(data[self.name], use_na_sentinel=False)
        place = self.levels.get_indexer(pd.Index(seen.astype(object)))
        checks.seen_before(self.name, seen, place >= 0)
        return place[codes]

    def block(self, data):
        """The columns of the variable in a design matrix."""
        if not self.numeric:
            return np.eye(len(self.levels))[self.codes(data)][:, 1:]
        checks.numeric("data", data, self.name)
        checks.bounded("data", data, [self.name])
        values = data[self.name].to_numpy(dtype=float, na_value=np.nan)
        if not self.missing:
            checks.complete("data", data, [self.name])
        standard = np.nan_to_num((values - self.middle) / self.spread)
        return np.column_stack([standard, np.isnan(values)]) if self.missing else standard[:, None]

    @cached_property
    def block_of_levels(self):
        """The columns of each level in a design matrix."""
        return self.block(pd.DataFrame({self.name: self.take(np.arange(len(self.levels)))}))

    def take(self, level):
        """The values with these level numbers, in the dtype of the data."""
        if isinstance(self.dtype, pd.CategoricalDtype):
            missing = level >= len(self.dtype.categories)  # the level after the declared ones
            return pd.Categorical.from_codes(np.where(missing, -1, level), dtype=self.dtype)
        return pd.Series(self.levels.take(level)).astype(self.dtype).array


def _penalty(k):
    """The ridge of each of k coefficients; the ones in front are hardly held back."""
    return RIDGE * np.array([0.01] + [1.0] * (k - 1))
