"""Synthesis by a chain of multinomial regressions (Reiter & Mitra 2009).

For a variable with levels 0 … K and predictors x (a one in front),

    Pr(level k) = exp(x'β_k) / (1 + Σ_l exp(x'β_l)),   β_0 = 0

Variables come one after the other, each also predicted from those before it. The chain keeps its
estimates and their covariances, because an intruder may know them, or fit them anew. A small ridge,
RIDGE·|β|²/2, keeps estimates finite where a small group separates perfectly.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd
from threadpoolctl import ThreadpoolController, threadpool_limits

from synthrisk_edu import cells, checks
from synthrisk_edu.synthesis import doors
from synthrisk_edu.synthesis.logistic import fit_logistic, shares
from synthrisk_edu.synthesis.lookalikes import pick

RIDGE = 0.1
MOST_COEFFICIENTS = 5_000


@cache
def thread_pools():
    """Find the libraries that compute in threads, once: it takes longer than a small draw."""
    return ThreadpoolController()


def fit_multinomial(
    data: pd.DataFrame, variables: Sequence[str], predictors: Sequence[str]
) -> "MultinomialChain":
    """Fit a chain of multinomial regressions.

    Args:
        data: the data; categories enter as one column a level but the first.
        variables: names of the categorical variables, in the order of the chain.
        predictors: names of the predictors of all of them.

    Returns:
        A `MultinomialChain` with `.estimates`, `.covariances`, `.draw` and `.draws`.

    >>> data = pd.DataFrame({"town": list("AABB") * 20, "job": list("cncn") * 20})
    >>> chain = fit_multinomial(data, ["job"], ["town"])
    >>> chain.estimates[0].round(3).tolist()  # in both towns one half is n: log(½ / ½) = 0
    [0.0, 0.0]
    >>> chain.draw(data, np.random.default_rng(1)).town.equals(data.town)
    True
    """
    variables = doors.to_synthesize(data, variables)
    checks.categories("data", data, variables)
    predictors = checks.names("predictors", predictors)
    checks.same_kind({"data": data}, predictors)
    doors.predictors(variables[0], predictors, data.columns.drop(variables))
    doors.some_values(data, predictors)
    checks.quantities("data", data, checks.numeric_names(predictors, [data]))
    doors.no_numbers_as_text(data, [*variables, *predictors])
    return MultinomialChain(data, variables, predictors)


class MultinomialChain:
    """Fitted multinomial regressions, one for each variable of the chain."""

    def __init__(self, data: pd.DataFrame, variables: list[str], predictors: list[str]) -> None:
        """Fit every variable; use `fit_multinomial` to get here."""
        self.variables = variables
        self.predictors = predictors
        self.columns = {name: RegressionColumns(data[name]) for name in [*predictors, *variables]}
        for name in variables:
            self._check_size(name)
        self.estimates = []
        self.covariances = []
        with threadpool_limits(1):  # many small products wait for each other otherwise
            for name in variables:
                self._fit(data, name)

    def _fit(self, data, name):
        """Fit the regression of one variable, and keep its estimates and their covariances."""
        x, row_of = self._different(data, self._before(name))
        levels = len(self.columns[name].levels)
        counts = np.zeros((len(x), levels))  # how many records of a combination have each level
        np.add.at(counts, (row_of, self.columns[name].codes(data)), 1)
        beta, information = fit_logistic([(x, counts)], levels, _penalty(x.shape[1]))
        self.estimates.append(beta.ravel())
        self.covariances.append(np.linalg.inv(information))

    def _before(self, name):
        """Name the predictors of a variable: the common ones, and the variables before it."""
        return [*self.predictors, *self.variables[: self.variables.index(name)]]

    def _shape(self, name):
        """How many coefficients a variable has: a row for each level but the first, a column each.

        The columns are the one in front and those of all that stands before the variable.
        """
        columns = 1 + sum(self.columns[other].width for other in self._before(name))
        return len(self.columns[name].levels) - 1, columns

    def _check_size(self, name):
        """Refuse a variable with more coefficients than a fit can handle."""
        rows, columns = self._shape(name)
        coefficients = rows * columns
        if coefficients > MOST_COEFFICIENTS:
            raise ValueError(
                f"the regression of {name!r} would have {coefficients:,} coefficients and can have "
                f"{MOST_COEFFICIENTS:,}; leave out variables with many levels, such as "
                "identifiers, or group their levels."
            )

    def _different(self, data, names):
        """The matrix of some predictors, a one in front: a row for each combination, and whose.

        Many records are alike, and the rest of the work is done once for all that are.
        """
        (row_of,) = cells.label_cells([data], names)
        _, first_rows = np.unique(row_of, return_index=True)
        different = data.iloc[first_rows]
        blocks = [self.columns[name].design(different) for name in names]
        return np.column_stack([np.ones(len(different)), *blocks]), row_of

    def draw(
        self,
        data: pd.DataFrame,
        rng: np.random.Generator,
        estimates: Sequence[np.ndarray] | None = None,
    ) -> pd.DataFrame:
        """Return the data with the variables drawn anew, at the given or the fitted estimates."""
        return self.draws(data, rng, [estimates])[0]

    def draws(
        self,
        data: pd.DataFrame,
        rng: np.random.Generator,
        many: Sequence[Sequence[np.ndarray] | None],
    ) -> list[pd.DataFrame]:
        """Return one draw for each of many estimates; None stands for the fitted ones."""
        checks.same_kind({"data": data}, self.predictors)
        for name in self.predictors:
            self.columns[name].check(data)
        drawn = []
        with thread_pools().limit(limits=1):
            x, row_of = self._different(data, self.predictors)
            for estimates in many:
                if estimates is None:
                    estimates = self.estimates
                drawn.append(self._draw_once(data, x, row_of, estimates, rng))
        return drawn

    def _draw_once(self, data, x, row_of, estimates, rng):
        """Draw one variable after the other; `x` has the known predictors of each combination."""
        drawn = data.copy()
        level = {}
        for name, flat in zip(self.variables, estimates, strict=True):
            beta = np.reshape(flat, self._shape(name))
            start = x.shape[1]
            eta = (x @ beta[:, :start].T)[row_of]
            for other in level:  # what the variables before it add, by their drawn levels
                of_levels = self.columns[other].design_of_levels()
                end = start + of_levels.shape[1]
                eta += (of_levels @ beta[:, start:end].T)[level[other]]
                start = end
            level[name] = pick(shares(eta).cumsum(axis=1), rng)
            drawn[name] = self.columns[name].take(level[name])
        return drawn


class RegressionColumns:
    """How a variable enters a regression, the same for every data set."""

    def __init__(self, column: pd.Series) -> None:
        """Remember the levels of a category, and middle and spread of a quantity."""
        self.name = column.name
        self.dtype = column.dtype
        self.numeric = checks.is_numeric(column)
        self.missing = bool(column.isna().any())
        if self.numeric:
            values = cells.as_floats(column)
            self.middle = np.nanmean(values)
            self.spread = np.nanstd(values) or 1.0
        # The levels a category declares count even where nobody has them, so that the chain has
        # the same shape in every data set; missing is a level if it occurs.
        if isinstance(self.dtype, pd.CategoricalDtype):
            levels = list(self.dtype.categories)
        else:
            levels = sorted(column.dropna().unique(), key=str)
        if self.missing:
            levels.append(np.nan)
        self.levels = pd.Index(levels, dtype=object)
        self.width = 1 + self.missing if self.numeric else len(self.levels) - 1

    def check(self, data: pd.DataFrame) -> None:
        """The variable is in other data what it was in those of the fit, and nothing is new."""
        if self.numeric:
            checks.quantities("data", data, [self.name])
            if not self.missing:
                checks.complete("data", data, [self.name])
        else:
            _, values = pd.factorize(data[self.name], use_na_sentinel=False)
            place = self.levels.get_indexer(pd.Index(values.astype(object)))
            for new in values[place < 0]:  # at the first of them it stops
                checks.level(self.name, list(self.levels), new)

    def codes(self, data: pd.DataFrame) -> np.ndarray:
        """The level of every record, as a whole number."""
        codes, seen = pd.factorize(data[self.name], use_na_sentinel=False)
        place = self.levels.get_indexer(pd.Index(seen.astype(object)))
        return place[codes]

    def design(self, data: pd.DataFrame) -> np.ndarray:
        """The columns of the variable in a design matrix."""
        if not self.numeric:
            return cells.dummies(self.codes(data), len(self.levels))[:, 1:]
        values = cells.as_floats(data[self.name])
        standard = np.nan_to_num((values - self.middle) / self.spread)
        if self.missing:
            return np.column_stack([standard, np.isnan(values)])
        return standard[:, None]

    def design_of_levels(self) -> np.ndarray:
        """The columns of each level in a design matrix."""
        every_level = self.take(np.arange(len(self.levels)))
        return self.design(pd.DataFrame({self.name: every_level}))

    def take(self, level: np.ndarray) -> pd.api.extensions.ExtensionArray:
        """The values with these level numbers, in the dtype of the data."""
        if isinstance(self.dtype, pd.CategoricalDtype):
            missing = level >= len(self.dtype.categories)  # the level after the declared ones
            return pd.Categorical.from_codes(np.where(missing, -1, level), dtype=self.dtype)
        return pd.Series(self.levels.take(level)).astype(self.dtype).array


def _penalty(k):
    """The ridge of each of k coefficients; the ones in front are hardly held back."""
    return RIDGE * np.array([0.01] + [1.0] * (k - 1))
