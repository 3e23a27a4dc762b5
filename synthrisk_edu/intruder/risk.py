"""What if the intruder knows more? Identification risk over draws (Reiter & Mitra 2009).

The intruder holds t, the true values of the known and the synthesized variables of a target, and
asks which of the n released records it is: Pr(J = j), j = 1 … n, and n + 1 for "not in the file".
What was synthesized is uncertain, so the intruder works with *draws*: plausible versions of the
synthesized variables of all records. In each draw

    n_t = records that agree with t on the known variables and on the drawn synthesized ones
    Pr(j) = 1 / n_t for those; if there is none, 1 / n*_t for those that agree on the known ones

and the draws are averaged. What the intruder knows about the synthesis decides which draws: the m
released data sets, their modes, or simulations from the model.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from synthrisk_edu.intruder import checks
from synthrisk_edu.levels import number_combinations, number_levels
from synthrisk_edu.words import say

TIE = 1e-9  # probabilities this close count as equal


def intruder_risk(
    confidential,
    draws,
    known,
    synthesized,
    *,
    threshold=0.2,
    population=None,
    weights=None,
    allowed=None,
    distance=None,
):
    """Compute every target's match probabilities over draws, and the three risks.

    Args:
        confidential: the true data; every record is a target.
        draws: a list of frames, each a plausible version of the synthesized variables.
        known: names of the variables the intruder knows and that were not synthesized.
        synthesized: names of the synthesized variables; the intruder knows the true values.
        threshold: a match is perceived when the highest probability exceeds this.
        population: totals N_t, a Series indexed by the levels of known + synthesized, when the
            target may not be in the file.
        weights: survey weights; N_t is then the sum of the weights of the records that agree.
        allowed: a function from a draw to a bool per record (or one for the whole draw): whether
            it is consistent with what is known of why records were synthesized.
        distance: ("euclidean" | "mahalanobis", d): numeric synthesized variables need not be equal
            but lie within d.

    >>> confidential = pd.DataFrame({"sex": list("FFM"), "job": list("aba")})
    >>> draw = pd.DataFrame({"sex": list("FFM"), "job": list("abb")})
    >>> intruder_risk(confidential, [draw], ["sex"], ["job"]).records.round(2)
       c  I  K  highest
    0  1  1  1      1.0
    1  1  1  1      1.0
    2  1  1  1      1.0
    """
    checks.frame("confidential", confidential)
    draws = checks.frames("draws", draws)
    known, synthesized = checks.roles(known, synthesized)
    for number, draw in enumerate(draws):
        checks.pair(confidential, draw, known + synthesized, f"draws[{number}]")
    checks.number("threshold", threshold, 0, 1, inside=True)
    question = _Question(confidential, draws, known, synthesized, distance)
    totals = checks.population(population, weights, confidential, known + synthesized)
    return IntruderRisk(question, _average(question, draws, totals, allowed), threshold)


class _Question:
    """Who agrees with whom: targets in groups that ask for the same, and every draw in codes."""

    def __init__(self, confidential, draws, known, synthesized, distance):
        self.confidential, self.known, self.synthesized = confidential, known, synthesized
        self.metric, self.reach, self.ranged = checks.distance(distance, confidential, synthesized)
        exact = [name for name in synthesized if name not in self.ranged]
        self.known_class = number_combinations([confidential], known)[0]
        self.cell, *self.draw_cells = number_combinations([confidential, *draws], [*known, *exact])
        n = len(confidential)
        values = [confidential[name].to_numpy(dtype=float) for name in self.ranged]
        self.values = np.column_stack(values) if values else np.empty((n, 0))
        self.group = number_combinations([confidential], [*known, *synthesized])[0]  # the same t
        first = np.unique(self.group, return_index=True)[1]
        self.group_cell, self.group_class = self.cell[first], self.known_class[first]
        self.group_values, self.group_size = self.values[first], np.bincount(self.group)
        self.class_size = np.bincount(self.known_class)
        self.first = first

    def agreeing(self, number, draw, usable):
        """List the pairs (group of targets, record) that agree in one draw."""
        cells = np.where(usable, self.draw_cells[number], -1)
        groups = np.argsort(self.group_cell, kind="stable")
        sorted_cells = self.group_cell[groups]
        low = np.searchsorted(sorted_cells, cells, "left")
        high = np.searchsorted(sorted_cells, cells, "right")
        counts = high - low
        record = np.repeat(np.arange(len(cells)), counts)
        offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        group = groups[np.repeat(low, counts) + offset]
        if not self.ranged:
            return group, record
        drawn = np.column_stack([draw[name].to_numpy(dtype=float) for name in self.ranged])
        near = self._near(self.group_values[group] - drawn[record], drawn)
        return group[near], record[near]

    def _near(self, gap, drawn):
        """Say which differences are within reach."""
        if self.metric == "mahalanobis":
            inverse = checks.invertible(np.atleast_2d(np.cov(drawn, rowvar=False)))
            squared = np.einsum("ij,jk,ik->i", gap, inverse, gap)
        else:
            squared = (gap**2).sum(axis=1)
        return squared <= self.reach**2 * (1 + TIE)


def _average(question, draws, totals, allowed):
    """Average over the draws: Pr(j | t) in a sparse table, the fallback, and Pr(n + 1)."""
    groups, n = len(question.group_size), len(question.confidential)
    rows, columns, values = [], [], []
    fallback, outside = np.zeros(groups), np.zeros(groups)
    used = 0
    for number, draw in enumerate(draws):
        usable = checks.allowed(allowed, draw, n)
        if usable is None:
            continue
        used += 1
        group, record = question.agreeing(number, draw, usable)
        n_t = np.bincount(group, minlength=groups)
        if totals is None:
            size = n_t
            fallback += (n_t == 0) / question.class_size[question.group_class]
        else:
            size = np.maximum(totals(question, group, record), n_t)
            outside += np.where(n_t == 0, 1.0, 1 - n_t / np.maximum(size, 1))
        rows.append(group)
        columns.append(record)
        values.append(1 / size[group])
    checks.some_draw(used)
    table = (np.concatenate(values) / used, (np.concatenate(rows), np.concatenate(columns)))
    # Adding up the draws is what makes entries that stand twice one.
    probability = sparse.coo_array(table, shape=(groups, n)).tocsr()
    return probability, fallback / used, outside / used


class IntruderRisk:
    """Match probabilities of every target, and what they add up to; see `intruder_risk`."""

    def __init__(self, question, averaged, threshold):
        """Find each target's most likely records; use `intruder_risk` to get here."""
        self._question, self.threshold = question, threshold
        self._probability, self._fallback, self._outside = averaged
        self.records = self._records()

    def _records(self):
        """c, I, K and the highest probability of every target."""
        q, table = self._question, self._probability
        top = np.asarray(table.max(axis=1).toarray()).ravel()
        entry_row = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
        at_top = table.data >= top[entry_row] - TIE
        c = np.bincount(entry_row[at_top], minlength=table.shape[0])
        # Where no record ever agreed, all records of the class share what is left.
        nobody = top <= TIE
        c = np.where(nobody, q.class_size[q.group_class], c)
        highest = top + self._fallback
        hopeless = highest <= TIE
        own = self._own()
        hit = (nobody[q.group] | (own >= top[q.group] - TIE)) & ~hopeless[q.group]
        c = np.where(hopeless, 0, c)[q.group]
        records = {"c": c, "I": hit * 1, "K": (c * hit == 1) * 1, "highest": highest[q.group]}
        return pd.DataFrame(records, index=q.confidential.index)

    def _own(self):
        """The probability, without the fallback, of every target's own record."""
        everyone = np.arange(len(self._question.group))
        return np.asarray(self._probability[self._question.group, everyone]).ravel()

    def summary(self, threshold=None):
        """Return perceived, expected and true match risk, as numbers of targets.

        Only the perceived one depends on the threshold; None is the one given at the beginning.
        """
        threshold = self.threshold if threshold is None else threshold
        checks.number("threshold", threshold, 0, 1, inside=True)
        r = self.records
        expected = np.divide(r.I, r.c, out=np.zeros(len(r)), where=r.c.to_numpy() > 0).sum()
        perceived = int((r.highest > threshold).sum())
        values = {"perceived": perceived, "expected": expected, "true": int(r.K.sum())}
        return pd.Series(values, dtype=float)

    def match_probabilities(self, i):
        """Return Pr(J = j) for the target at position i: every record, then "not in file"."""
        q = self._question
        i = checks.position("i", i, len(q.group))
        group = q.group[i]
        same_class = q.known_class == q.group_class[group]
        values = self._probability[[group]].toarray().ravel() + self._fallback[group] * same_class
        index = [*q.confidential.index, "not in file"]
        return pd.Series([*values, self._outside[group]], index=index, name="probability")

    def explain(self, i):
        """Tell in plain words what the intruder believes about the target at position i."""
        q = self._question
        record = self.records.iloc[checks.position("i", i, len(q.group))]
        row = q.confidential.iloc[i]
        t = " and ".join(f"{name} = {say(row[name])}" for name in q.known + q.synthesized)
        if record.c == 0:
            return f"Record {i} ({t}): no released record is possible, so nothing is matched."
        c = int(record.c)
        who = "one record stands" if c == 1 else f"{c:,} records stand"
        right = "the true one is among them" if c > 1 else "it is the true one"
        wrong = "the true one is not among them" if c > 1 else "it is not the true one"
        sure = "exceeds" if record.highest > self.threshold else "does not exceed"
        return (
            f"Record {i} ({t}): {who} out with a probability of {say(record.highest)}, which "
            f"{sure} the threshold of {say(self.threshold)}; {right if record.I else wrong}."
        )


def mode_guess(released, synthesized, rng):
    """Guess each record's synthesized values: the most frequent released one, ties at random.

    Returns a frame like the first released data set, with the guesses in place of the synthesized
    variables; variable by variable.

    >>> released = [pd.DataFrame({"job": [job]}) for job in "aab"]
    >>> mode_guess(released, ["job"], np.random.default_rng(1)).job.tolist()
    ['a']
    """
    released = checks.frames("released", released)
    synthesized = checks.names("synthesized", synthesized)
    guess = released[0].copy()
    n = len(guess)
    for name in synthesized:
        codes = number_levels([data[name] for data in released]).reshape(-1, n)
        times = (codes[:, None, :] == codes[None, :, :]).sum(axis=1)
        # A random part below 1 decides between values that are equally frequent: the first of the
        # data sets that show a winning value is as good as any other that shows it.
        ties = rng.random((codes.max() + 1, n))
        best = (times + 0.5 * ties[codes, np.arange(n)]).argmax(axis=0)
        values = pd.concat([frame[name] for frame in released], ignore_index=True)
        guess[name] = values.array.take(best * n + np.arange(n))
    return guess


class CombinedEstimates(NamedTuple):
    """Coefficients of m data sets combined."""

    mean: np.ndarray
    within: np.ndarray
    between: np.ndarray
    total: np.ndarray


def combine_estimates(estimates, covariances):
    """Combine the estimates β and covariances Σ of m data sets.

        mean = Σ β / m    within = Σ Σ / m    between = Var(β)    total = within + between / m

    With one data set the between variance is 0.

    >>> combine_estimates([[1.0], [3.0]], [[[0.5]], [[0.5]]]).total
    array([[1.5]])
    """
    beta = np.array([np.asarray(one, dtype=float) for one in estimates])
    sigma = np.array([np.asarray(one, dtype=float) for one in covariances])
    checks.estimates(beta, sigma)
    mean, within = beta.mean(axis=0), sigma.mean(axis=0)
    gap = beta - mean
    m = len(beta)
    between = gap.T @ gap / (m - 1) if m > 1 else np.zeros_like(within)
    return CombinedEstimates(mean, within, between, within + between / m)


def model_draws(fits, data, rng, h=100, *, drawn=False):
    """Simulate h draws for an intruder who knows the models, fitted by `fit_multinomial`.

    `fits` has one fitted chain for each released data set; who knows f(β) has the office's own
    chain, `[chain]`. All draws use the mean of β over the fits or, with `drawn`, each draw uses
    a new β from N(mean, total); see `combine_estimates`.

    >>> from synthrisk_edu.synthesis import fit_multinomial
    >>> data = pd.DataFrame({"town": list("AABB") * 20, "job": list("cccn") * 20})
    >>> chain = fit_multinomial(data, ["job"], ["town"])
    >>> draws = model_draws([chain], data, np.random.default_rng(1), h=3, drawn=True)
    >>> [one.town.equals(data.town) for one in draws]
    [True, True, True]
    """
    h = checks.count("h", h)
    combined = [
        combine_estimates([fit.estimates[k] for fit in fits], [fit.covariances[k] for fit in fits])
        for k in range(len(fits[0].variables))
    ]
    if drawn:
        betas = [
            rng.multivariate_normal(one.mean, one.total, h, method="cholesky") for one in combined
        ]
    else:
        betas = [[one.mean] * h for one in combined]
    return [fits[0].draw(data, rng, beta) for beta in zip(*betas, strict=True)]
