"""What if the intruder knows more? Identification risk over draws (Reiter & Mitra 2009).

The intruder holds t, the true values of the known and the synthesized variables of a target, and
asks which of the n released records it is: Pr(J = j), j = 1 … n, and n + 1 for "not in the file".
What was synthesized is uncertain, so the intruder works with *draws*: plausible versions of the
synthesized variables of all records. In each draw the intruder does what `match` does,

    n_t = records that agree with t on the known variables and on the drawn synthesized ones
    Pr(j) = 1 / n_t for those; if there is none, 1 / n*_t for those that agree on the known ones

and the draws are averaged. What the intruder knows about the synthesis decides which draws: the m
released data sets, their modes, or simulations from the model. Start reading at
`IntruderRisk.probabilities`.
"""

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.cells import label_cells
from synthrisk_edu.counting import PAIRS_AT_ONCE, portions
from synthrisk_edu.data import plain_names
from synthrisk_edu.matching import Match
from synthrisk_edu.words import say

TIE = 1e-9  # probabilities this close count as equal
THRESHOLD = 0.2  # a higher probability than this is perceived as a match


def intruder_risk(
    confidential,
    draws,
    known,
    synthesized,
    *,
    radius=None,
    relative=False,
    shape="ellipse",
    bounds="closed",
    threshold=THRESHOLD,
    population=None,
    weights=None,
):
    """Compute every target's match probabilities over draws, and the three risks.

    Args:
        confidential: the true data; every record is a target.
        draws: a list of frames, each a plausible version of the synthesized variables.
        known: names of the variables the intruder knows and that were not synthesized.
        synthesized: names of the synthesized variables; the intruder knows the true values.
        radius: how near numbers must be, as for `match`; by default a Euclidean distance.
        relative: as for `match`.
        shape: as for `match`.
        bounds: as for `match`.
        threshold: a match is perceived when the highest probability exceeds this.
        population: totals N_t by the levels of known + synthesized, if the target may be elsewhere.
        weights: survey weights; N_t is then the sum of the weights of the records that agree.

    >>> confidential = pd.DataFrame({"sex": list("FFM"), "job": list("aba")})
    >>> draw = pd.DataFrame({"sex": list("FFM"), "job": list("abb")})
    >>> intruder_risk(confidential, [draw], ["sex"], ["job"]).records.round(2)
       c  I  K  highest
    0  1  1  1      1.0
    1  1  1  1      1.0
    2  1  1  1      1.0
    """
    known, synthesized = checks.roles(known, synthesized)
    question = known, synthesized, radius, relative, shape, bounds, False
    return IntruderRisk(_matched(confidential, draws, *question), threshold, population, weights)


def _matched(confidential, draws, known, synthesized, *how):
    """Match with every draw; what is known must be the same in all of them."""
    draws = checks.frames("draws", draws)
    for place, draw in enumerate(draws):
        files = {"confidential": confidential, f"draws[{place}]": draw}
        checks.same_kind(files, known + synthesized)
        checks.same_length(files)
        checks.unchanged(files, known)
    return [Match(confidential, draw, known, synthesized, *how) for draw in draws]


def _population_totals(confidential, variables, population):
    """Return N_t of every target: its total in `population`, at least the count of the file."""
    if population.index.nlevels != len(variables) or population.index.has_duplicates:
        raise ValueError(
            "population must be indexed by the levels of known and synthesized, "
            f"{len(variables)} in all, each combination once."
        )
    levels = population.index.to_frame(index=False).set_axis(variables, axis=1)
    ours, theirs = label_cells([confidential, levels], variables)
    total, count = np.full(max(ours.max(), theirs.max()) + 1, np.nan), np.bincount(ours)
    total[theirs] = population
    for i in np.flatnonzero(~(total[ours] >= count[ours]))[:1]:
        t = ", ".join(map(str, confidential[variables].iloc[i]))
        raise ValueError(
            f"population has {total[ours[i]]:g} units for {t}, but {count[ours[i]]} such records "
            "are in the file; give a total for every combination, at least as large as the file's."
        )
    return total[ours]


class IntruderRisk:
    """Match probabilities of every target, and what they add up to; see `intruder_risk`.

    `.records` has for each target the `highest` probability, the number c of records that reach it,
    I = 1 if the true one is among them, and K = 1 if it is alone there.
    """

    def probabilities(self, i):
        """Return Pr(J = j) of the target at position i for every record, and for "not in file".

        In each draw n_t records agree with t, and N_t units of the population; N_t = n_t if the
        target is known to be in the file. The draws are averaged:

            Pr(j) = 1 / N_t for the n_t records, and (N_t − n_t) / N_t for "not in file"
            Pr(j) = 1 / n*_t for those alike on `known`, if none agrees but the target is there
        """
        Pr, outside = np.zeros(len(self.confidential)), 0.0
        for draw in self.draws:
            agree = draw.matches(i)
            n_t, N_t = agree.sum(), self.population_size(i, agree)
            if n_t > 0:
                Pr, outside = Pr + agree / N_t, outside + (N_t - n_t) / N_t
            elif self.is_in_file:
                alike = self.alike.matches(i)
                Pr = Pr + alike / alike.sum()
            else:
                outside = outside + 1
        return Pr / len(self.draws), outside / len(self.draws)

    def summary(self, threshold=None):
        """Return perceived, expected and true match risk, as numbers of targets.

        perceived = how many have highest > threshold    expected = Σ I / c    true = Σ K
        """
        threshold = self.threshold if threshold is None else threshold
        checks.number("threshold", threshold, 0, 1)
        r = self.records
        expected = np.divide(r.I, r.c, out=np.zeros(len(r)), where=r.c.to_numpy() > 0)
        risks = {"perceived": (r.highest > threshold).sum(), "expected": expected.sum()}
        return pd.Series(risks | {"true": r.K.sum()}, dtype=float)

    def population_size(self, i, agree):
        """Return N_t of the target at position i, if these records agree with it."""
        if self.population is not None:
            return max(self.population[i], agree.sum())
        return agree.sum() if self.weights is None else max(self.weights[agree].sum(), agree.sum())

    # ------------------------------------------------------ the same for all targets, quickly

    def __init__(self, draws, threshold, population, weights):
        """Take one `Match` for each draw; use `intruder_risk` to get here."""
        if population is not None and weights is not None:
            raise ValueError("population and weights both give N_t; pass one of them.")
        self.draws, one = draws, draws[0]
        self.threshold = checks.number("threshold", threshold, 0, 1)
        self.confidential = one.confidential
        self.known, self.synthesized = one.known, one.synthesized
        self.is_in_file = population is None and weights is None
        self.population, self.weights = population, weights
        if population is not None:
            variables = self.known + self.synthesized
            self.population = _population_totals(self.confidential, variables, population)
        if weights is not None:
            self.weights = checks.weights(weights, len(self.confidential))
        radius = {name: r for name, r in one.radius.items() if name in one.known}
        how = one.relative, one.shape, one.bounds, False
        self.alike = Match(one.confidential, one.confidential, one.known, [], radius, *how)
        self.records = self._find()

    def _find(self):
        """Return c, I, K and the highest probability of every target.

        Targets with the same t have the same probabilities: each different t is asked for once, so
        many at a time that the pairs of a target and a record fit into memory.
        """
        (t,) = label_cells([self.confidential], self.known + self.synthesized)
        first = np.unique(t, return_index=True)[1]  # a target for each t
        pairs = sum(draw.records.c.to_numpy()[first] for draw in self.draws)
        found = []
        for some in portions(pairs, PAIRS_AT_ONCE):
            targets = np.flatnonzero((t >= some.start) & (t < some.stop))
            found.append(self._best(first[some], targets, t[targets] - some.start))
        return pd.concat(found).sort_index().set_axis(self.confidential.index)

    def _best(self, asked, targets, at):
        """Return c, I, K and highest of some targets; t of target k is that of `asked[at[k]]`."""
        table, fallback = self._average(asked)
        top = table.max(axis=1).toarray().ravel()
        row = np.repeat(np.arange(len(asked)), np.diff(table.indptr))
        c = np.bincount(row[table.data >= top[row] - TIE], minlength=len(asked))
        nobody, highest = top <= TIE, top + fallback
        n_star = self.alike.records.c.to_numpy()[asked]
        c = np.where(highest <= TIE, 0, np.where(nobody, n_star, c))[at]
        own = np.asarray(table[at, targets]).ravel()
        hit = (c > 0) & (nobody[at] | (own >= top[at] - TIE))
        columns = {"c": c, "I": hit * 1, "K": (c * hit == 1) * 1, "highest": highest[at]}
        return pd.DataFrame(columns, index=targets)

    def _average(self, asked):
        """Return Pr(j) of some targets in a sparse table, and what all alike on known get more."""
        from scipy.sparse import csr_array  # slow to import

        rows, records, values, fallback = [], [], [], np.zeros(len(asked))
        n_star = self.alike.records.c.to_numpy()[asked]
        for draw in self.draws:
            row, j = (np.concatenate(one) for one in zip(*draw.pairs(asked), strict=True))
            n_t = N_t = np.bincount(row, minlength=len(asked))
            if self.population is not None:
                N_t = np.maximum(n_t, self.population[asked])
            elif self.weights is not None:
                N_t = np.maximum(n_t, np.bincount(row, self.weights[j], len(asked)))
            else:
                fallback += (n_t == 0) / n_star
            rows, records, values = [*rows, row], [*records, j], [*values, 1 / N_t[row]]
        places, h = (np.concatenate(rows), np.concatenate(records)), len(self.draws)
        shape = len(asked), len(self.confidential)
        return csr_array((np.concatenate(values) / h, places), shape=shape), fallback / h

    # ----------------------------------------------------------------- one target

    def match_probabilities(self, i):
        """Return Pr(J = j) for the target at position i: every record, then "not in file"."""
        i = checks.position("i", i, len(self.confidential))
        index = self.confidential.index.append(pd.Index(["not in file"]))
        return pd.Series(np.append(*self.probabilities(i)), index=index, name="probability")

    def explain(self, i):
        """Tell in plain words what the intruder believes about the target at position i."""
        record = self.records.iloc[checks.position("i", i, len(self.confidential))]
        row = self.confidential.iloc[i]
        plain = plain_names(self.known + self.synthesized, self.confidential)
        t = " and ".join(f"{word} = {say(row[name])}" for name, word in plain.items())
        if record.c == 0:
            return f"Record {i} ({t}): no released record is possible, so nothing is matched."
        c, negation = int(record.c), "" if record.I else "not "
        who = "one record stands" if c == 1 else f"{c:,} records stand"
        hit = f"it is {negation}the true one" if c == 1 else f"the true one is {negation}among them"
        highest = say(float(f"{record.highest:.2g}"))  # two digits, as one says it
        sure = "exceeds" if record.highest > self.threshold else "does not exceed"
        return (
            f"Record {i} ({t}): {who} out with a probability of {highest}, which "
            f"{sure} the threshold of {say(self.threshold)}; {hit}."
        )


def intruder_baselines(confidential, known, synthesized):
    """Return the three risks with the truth in hand, and with the known variables alone.

    `confidential`: nothing was synthesized, the one draw is the truth. `floor`: the intruder
    ignores what was synthesized and guesses among the records equal on the known variables.

    >>> confidential = pd.DataFrame({"sex": list("FFM"), "job": list("aba")})
    >>> intruder_baselines(confidential, ["sex"], ["job"])
                  perceived  expected  true
    confidential        3.0       3.0   3.0
    floor               3.0       2.0   1.0
    """
    known, synthesized = checks.roles(known, synthesized)
    rows, how = {}, (None, False, "box", "closed", False)
    for name, variables in {"confidential": synthesized, "floor": []}.items():
        found = Match(confidential, confidential, known, variables, *how)
        rows[name] = IntruderRisk([found], THRESHOLD, None, None).summary()
    return pd.DataFrame(rows).T


def by_sampling_fraction(risk, i, fractions, *, seed=0):
    """Say how sure of target i an intruder is if only a fraction of the records were in the file.

    The records of `risk`, an `IntruderRisk`, are the whole population then. The target is always in
    the file; the others come in at random, and a larger fraction keeps those of a smaller one. The
    population that fits has N_t units, known in two ways:

        census     N_t is counted, for every t
        weights    every record in the file stands for 1 / f of them: N_t = n_t / f

    Returns for each fraction f the highest Pr(j) by census and by weights, and the probability of
    "not in file" by census.

    >>> one = pd.DataFrame({"town": list("AAAB")})
    >>> risk = intruder_risk(one, [one], [], ["town"])
    >>> by_sampling_fraction(risk, 3, [0.25, 1.0])  # the only one from B in the population
          census  weights  outside
    0.25     1.0     0.25      0.0
    1.00     1.0     1.00      0.0
    """
    rank = np.random.default_rng(seed).permutation(len(risk.confidential))
    rank = np.where(rank < rank[i], rank + 1, rank)
    rank[i] = 0  # the target comes first
    agree = np.array([draw.matches(i) for draw in risk.draws])
    (t,) = label_cells([risk.confidential], risk.known + risk.synthesized)
    N_t, rows = (t == t[i]).sum(), []
    for f in fractions:
        inside = agree[:, rank < max(1, round(f * len(rank)))]
        n_t = inside.sum(axis=1, keepdims=True)
        census = (inside / np.maximum(N_t, n_t)).mean(axis=0)
        weights = (inside / np.maximum(n_t / f, 1)).mean(axis=0)
        rows.append((census.max(), weights.max(), 1 - census.sum()))
    return pd.DataFrame(rows, index=fractions, columns=["census", "weights", "outside"])
