"""Who agrees with whom? Every target's probabilities, averaged over the draws.

Targets with the same t share their probabilities: they are one *group*. Records are sorted once in
every draw, so that those that agree with a group stand next to each other. Pairs of a group and a
record are listed for some groups at a time: memory does not grow with targets × records.
"""

import numpy as np

from synthrisk_edu.intruder import checks
from synthrisk_edu.levels import number_combinations
from synthrisk_edu.matching.counting import PAIRS_AT_ONCE, BoxCounter, Side, pairs, portions
from synthrisk_edu.matching.matcher import numbers

TIE = 1e-9  # probabilities, and distances, this close count as equal


class Question:
    """What the intruder asks of which draws; see `intruder_risk` for the arguments."""

    def __init__(
        self,
        confidential,
        draws,
        known,
        synthesized,
        distance=None,
        allowed=None,
        population=None,
        weights=None,
    ):
        """Put targets into groups, and sort every draw."""
        self.confidential, self.known, self.synthesized = confidential, known, synthesized
        metric, reach, ranged = checks.distance(distance, [confidential, *draws], synthesized)
        exact = [name for name in [*known, *synthesized] if name not in ranged]
        self.known_class = number_combinations([confidential], known)[0]
        self.class_size = np.bincount(self.known_class)
        self.group = number_combinations([confidential], [*known, *synthesized])[0]
        self.group_size = np.bincount(self.group)
        self._first = np.unique(self.group, return_index=True)[1]  # one target of each group
        self.group_class = self.known_class[self._first]
        cell, *draw_cells = number_combinations([confidential, *draws], exact)
        self._cell, self._values = cell[self._first], numbers(confidential, ranged)[self._first]
        self._draws = []
        for draw, cells in zip(draws, draw_cells, strict=True):
            usable = checks.allowed(allowed, draw, len(confidential))
            if usable is not None:
                self._draws.append(_Draw(cells, numbers(draw, ranged), usable, metric, reach))
        if not self._draws:
            raise ValueError("allowed rules out every draw; let it leave at least one.")
        if population is not None and weights is not None:
            raise ValueError("population and weights both give N_t; pass one of them.")
        self._weights = None if weights is None else checks.weights(weights, len(confidential))
        self._totals = None if population is None else self._population_totals(population)

    def _population_totals(self, population):
        """N_t of every group, from the totals in `population`."""
        names = [*self.known, *self.synthesized]
        checks.population(population, names)
        targets = self.confidential.iloc[self._first][names]
        levels = population.index.to_frame(index=False).set_axis(names, axis=1)
        ours, theirs = number_combinations([targets, levels], names)
        total = np.full(max(ours.max(), theirs.max()) + 1, np.nan)
        total[theirs] = population.to_numpy(dtype=float, na_value=np.nan)
        checks.large_enough(total[ours], self.group_size, targets)
        return total[ours]

    def portions(self):
        """Cut the groups into runs with a bounded number of pairs each."""
        windows = (draw.window(self._cell, self._values) for draw in self._draws)
        lengths = sum(stop - start for start, stop in windows)
        for run in portions(lengths, PAIRS_AT_ONCE):
            yield np.arange(run.start, run.stop)

    def average(self, groups):
        """Average over the draws, for some groups: Pr(j | t) in a sparse table, and what is left.

        What is left goes in equal parts to all records of the class that agrees on the known
        variables (first array) or, with a population, to "not in the file" (second array).
        """
        from scipy.sparse import csr_array  # slow to import

        used, rows, records, values = len(self._draws), [], [], []
        fallback, outside = np.zeros(len(groups)), np.zeros(len(groups))
        for draw in self._draws:
            row, record = draw.agreeing(self._cell[groups], self._values[groups])
            n_t = np.bincount(row, minlength=len(groups))
            if self._weights is None and self._totals is None:
                size = n_t
                fallback += (n_t == 0) / self.class_size[self.group_class[groups]]
            else:  # N_t: the given totals, or the weights of the records that agree
                if self._totals is not None:
                    N_t = self._totals[groups]
                else:
                    N_t = np.bincount(row, self._weights[record], len(groups))
                size = np.maximum(N_t, n_t)
                outside += np.where(n_t == 0, 1.0, 1 - n_t / np.maximum(size, 1))
            rows.append(row)
            records.append(record)
            values.append(1 / size[row] / used)
        places = np.concatenate(rows), np.concatenate(records)
        shape = len(groups), len(self.confidential)
        table = csr_array((np.concatenate(values), places), shape=shape)  # adds the draws up
        return table, fallback / used, outside / used


def most_likely(table, alike):
    """Return the highest probability of every row, how many records have it, and where it is 0.

    Where it is 0, no record agreed in any draw. Then all records that agree on the known variables
    are equally likely; `alike` says how many they are.
    """
    top = table.max(axis=1).toarray().ravel()
    row = np.repeat(np.arange(len(top)), np.diff(table.indptr))
    c = np.bincount(row[table.data >= top[row] - TIE], minlength=len(top))
    nobody = top <= TIE
    return top, np.where(nobody, alike, c), nobody


class _Draw:
    """One draw, its usable records sorted by cell and by the first variable with a distance."""

    def __init__(self, cells, values, usable, metric, reach):
        self.records = np.flatnonzero(usable & ~np.isnan(values).any(axis=1))
        self.values, self.reach, self.inverse = values[self.records], reach, None
        first = self.values[:, :1] if values.shape[1] else np.zeros((len(self.records), 1))
        self.width = np.inf if reach is None else reach
        if metric == "mahalanobis":
            covariance = np.atleast_2d(np.cov(values, rowvar=False))
            self.inverse = np.linalg.inv(checks.invertible(covariance))
            self.width = reach * np.sqrt(covariance[0, 0])  # how far the first variable can be
        self.counter = BoxCounter(cells[self.records], first)

    def window(self, cells, values):
        """Say where the records stand that may agree with targets of these cells and values."""
        first = values[:, 0] if values.shape[1] else np.zeros(len(cells))
        width = self.width * (1 + 1e-6) + np.abs(first) * 1e-9  # a little more: `near` decides
        return self.counter.window(cells, Side(first - width, first + width))

    def agreeing(self, cells, values):
        """List the pairs (target, record) that agree."""
        target, place = pairs(slice(0, len(cells)), *self.window(cells, values))
        record = self.counter.order[place]
        if self.reach is not None:
            near = self.near(values[target] - self.values[record])
            target, record = target[near], record[near]
        return target, self.records[record]

    def near(self, gap):
        """Say which differences are within reach: Euclidean, or Mahalanobis with this draw's S."""
        if self.inverse is None:
            squared = (gap**2).sum(axis=1)
        else:
            squared = np.einsum("ij,jk,ik->i", gap, self.inverse, gap)
        return squared <= self.reach**2 * (1 + TIE)
