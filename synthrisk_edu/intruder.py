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

from collections.abc import Mapping, Sequence
from copy import copy

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.cells import label_cells
from synthrisk_edu.counting import PAIRS_AT_ONCE, portions
from synthrisk_edu.data import plain_names
from synthrisk_edu.matching import BOUNDS, SHAPES, Match, floor, match
from synthrisk_edu.words import say

TIE = 1e-9  # probabilities this close count as equal
THRESHOLD = 0.2  # a higher probability than this is perceived as a match


def intruder_risk(
    confidential: pd.DataFrame,
    draws: Sequence[pd.DataFrame],
    known: Sequence[str],
    synthesized: Sequence[str],
    *,
    radius: float | Mapping[str, float] | None = None,
    relative: bool = False,
    shape: str = "ellipse",
    bounds: str = "closed",
    threshold: float = THRESHOLD,
    population: pd.Series | float | None = None,
    weights: Sequence[float] | None = None,
) -> "IntruderRisk":
    """Compute every target's match probabilities over draws, and the three risks.

    Args:
        confidential: the true data; every record is a target.
        draws: a list of frames, each a plausible version of the synthesized variables.
        known: names of the columns that were not changed; the intruder knows them.
        synthesized: names of the synthesized columns; the intruder knows the true values.
        radius: how near numbers must be, as for `match`; by default a Euclidean distance.
        relative: as for `match`.
        shape: as for `match`.
        bounds: as for `match`.
        threshold: a match is perceived when the highest probability exceeds this.
        population: totals N_t by the levels of known + synthesized, if the target may be elsewhere;
            one number, N, if there is nothing to match on.
        weights: survey weights; N_t is then the sum of the weights of the records that agree.

    >>> confidential = pd.DataFrame({"sex": list("FFM"), "job": list("aba")})
    >>> draw = pd.DataFrame({"sex": list("FFM"), "job": list("abb")})
    >>> intruder_risk(confidential, [draw], ["sex"], ["job"]).records.round(2)
       c  I  K  highest
    0  1  1  1      1.0
    1  1  1  1      1.0
    2  1  1  1      1.0

    With nothing to match on (both lists are empty) Pr(j) = 1 / N for each of the n records, and
    (N − n) / N for "not in file"; without `population` or `weights` N is n:

    >>> intruder_risk(confidential, [draw], [], [], population=12).match_probabilities(0).round(3)
    0              0.083
    1              0.083
    2              0.083
    not in file    0.750
    Name: probability, dtype: float64
    """
    known, synthesized = checks.roles(known, synthesized)
    draws = checks.frames("draws", draws)
    files = {"confidential": confidential} | checks.by_place("draws", draws)
    checks.pairing(files, known, synthesized)
    checks.one_of("shape", shape, SHAPES)
    checks.one_of("bounds", bounds, BOUNDS)
    radius = checks.radii(radius, files, known, synthesized, relative)
    if population is not None and weights is not None:
        raise ValueError("population and weights both give N_t; pass one of them.")
    if population is not None:
        population = _population_totals(confidential, known + synthesized, population)
    if weights is not None:
        weights = checks.weights(weights, len(confidential))
    confidential = confidential.copy()  # later changes by the caller do not reach the result
    matches = []
    for draw in draws:
        matched = Match(
            confidential,
            draw.copy(),
            known=known,
            synthesized=synthesized,
            radius=radius,
            relative=relative,
            shape=shape,
            bounds=bounds,
            fallback=False,
        )
        matches.append(matched)
    return IntruderRisk(
        matches,
        threshold=checks.number("threshold", threshold, 0, 1),
        population=population,
        weights=weights,
    )


def _population_totals(confidential, variables, population):
    """Return N_t of every target: its total in `population`, at least the count of the file."""
    if not variables:  # nothing to match on: everybody in the population could be the target
        N = checks.number("population", population, len(confidential))
        return np.full(len(confidential), float(N))
    if not isinstance(population, pd.Series):
        raise TypeError(
            "population must be a Series of totals, indexed by the levels of known and "
            "synthesized; one number will do only where both are empty."
        )
    if population.index.nlevels != len(variables) or population.index.has_duplicates:
        raise ValueError(
            "population must be indexed by the levels of known and synthesized, "
            f"{len(variables)} in all, each combination once."
        )
    levels = population.index.to_frame(index=False).set_axis(variables, axis=1)
    t_of_record, t_of_total = label_cells([confidential, levels], variables)
    total = np.full(max(t_of_record.max(), t_of_total.max()) + 1, np.nan)
    total[t_of_total] = population
    N_t = total[t_of_record]
    n_t = np.bincount(t_of_record)[t_of_record]
    too_few = np.flatnonzero(~(N_t >= n_t))
    if len(too_few):
        i = too_few[0]
        t = ", ".join(map(str, confidential[variables].iloc[i]))
        raise ValueError(
            f"population has {N_t[i]:g} units for {t}, but {n_t[i]} such records are in the file; "
            "give a total for every combination, at least as large as the file's."
        )
    return N_t


class IntruderRisk:
    """Match probabilities of every target, and what they add up to; see `intruder_risk`.

    `.records` has for each target the `highest` probability, the number c of records that reach it,
    I = 1 if the true one is among them, and K = 1 if it is alone there.
    """

    def probabilities(self, i: int) -> tuple[np.ndarray, float]:
        """Return Pr(J = j) of the target at position i for every record, and for "not in file".

        In each draw n_t records agree with t, and N_t units of the population; N_t = n_t if the
        target is known to be in the file. The draws are averaged:

            Pr(j) = 1 / N_t for the n_t records, and (N_t − n_t) / N_t for "not in file"
            Pr(j) = 1 / n*_t for those alike on `known`, if none agrees but the target is there
        """
        Pr = np.zeros(len(self.confidential))
        outside = 0.0
        for draw in self.draws:
            agree = draw.matches(i)
            n_t = agree.sum()
            N_t = self.population_size(i, agree)
            if n_t > 0:
                Pr = Pr + agree / N_t
                outside = outside + (N_t - n_t) / N_t
            elif self.is_in_file:
                alike = self.on_known.matches(i)
                Pr = Pr + alike / alike.sum()
            else:
                outside = outside + 1
        return Pr / len(self.draws), outside / len(self.draws)

    def summary(self, threshold: float | None = None) -> pd.Series:
        """Return perceived, expected and true match risk, as numbers of targets.

        perceived = how many have highest > threshold    expected = Σ I / c    true = Σ K
        """
        threshold = self.threshold if threshold is None else threshold
        checks.number("threshold", threshold, 0, 1)
        c = self.records.c.to_numpy()
        I = self.records.I.to_numpy()  # noqa: E741
        chance_right = np.divide(I, c, out=np.zeros(len(c)), where=c > 0)
        return pd.Series(
            {
                "perceived": (self.records.highest > threshold).sum(),
                "expected": chance_right.sum(),
                "true": self.records.K.sum(),
            },
            dtype=float,
        )

    def population_size(self, i: int, agree: np.ndarray) -> float:
        """Return N_t of the target at position i, if these records agree with it."""
        n_t = agree.sum()
        if self.population is not None:
            return max(self.population[i], n_t)
        if self.weights is not None:
            return max(self.weights[agree].sum(), n_t)
        return n_t

    # ------------------------------------------------------ the same for all targets, quickly

    def __init__(
        self,
        draws: list[Match],
        *,
        threshold: float,
        population: np.ndarray | None = None,
        weights: np.ndarray | None = None,
    ):
        """Take a `Match` for each draw; use `intruder_risk` to get here, which checks all of it."""
        first = draws[0]
        self.draws = draws
        self.confidential = first.confidential
        self.known = first.known
        self.synthesized = first.synthesized
        self.threshold = threshold
        self.population = population
        self.weights = weights
        self.is_in_file = population is None and weights is None
        self.on_known = Match(
            first.confidential,
            first.confidential,
            known=first.known,
            synthesized=[],
            radius={name: r for name, r in first.radius.items() if name in first.known},
            relative=first.relative,
            shape=first.shape,
            bounds=first.bounds,
            fallback=False,
        )
        self.records = self.measure()

    def with_draws(self, draws: list[Match]) -> "IntruderRisk":
        """Ask the same with other draws of the same file, matched before; nobody matches anew."""
        other = copy(self)
        other.draws = draws
        other.records = other.measure()
        return other

    def measure(self) -> pd.DataFrame:
        """Return c, I, K and the highest probability of every target.

        Targets with the same t have the same probabilities: each different t is asked for once, so
        many at a time that the pairs of a target and a record fit into memory.
        """
        (t,) = label_cells([self.confidential], self.known + self.synthesized)
        example = np.unique(t, return_index=True)[1]  # a target for each t
        pairs = sum(draw.records.c.to_numpy()[example] for draw in self.draws)
        parts = []
        for portion in portions(pairs, PAIRS_AT_ONCE):
            targets = np.flatnonzero((t >= portion.start) & (t < portion.stop))
            place = t[targets] - portion.start
            parts.append(self._measure_some(example[portion], targets, place))
        return pd.concat(parts).sort_index().set_axis(self.confidential.index)

    def _measure_some(self, asked, targets, place):
        """Return c, I, K and highest of some targets.

        `asked` has one target for each different t, and target k has the t of `asked[place[k]]`.
        """
        Pr, fallback = self._average(asked)
        top = Pr.max(axis=1).toarray().ravel()  # without what all alike on known get more
        row = np.repeat(np.arange(len(asked)), np.diff(Pr.indptr))
        reach_top = np.bincount(row[Pr.data >= top[row] - TIE], minlength=len(asked))
        n_star = self.on_known.records.c.to_numpy()[asked]
        nobody = top <= TIE  # no record agrees in any draw
        highest = top + fallback
        c = np.where(nobody, n_star, reach_top)
        c = np.where(highest <= TIE, 0, c)[place]
        own = np.asarray(Pr[place, targets]).ravel()
        is_among_them = nobody[place] | (own >= top[place] - TIE)
        I = ((c > 0) & is_among_them) * 1  # noqa: E741
        K = (c * I == 1) * 1
        columns = {"c": c, "I": I, "K": K, "highest": highest[place]}
        return pd.DataFrame(columns, index=targets)

    def _average(self, asked):
        """Return Pr(j) of some targets in a sparse table, and what all alike on known get more."""
        from scipy.sparse import csr_array  # slow to import

        h = len(self.draws)
        n_star = self.on_known.records.c.to_numpy()[asked]
        fallback = np.zeros(len(asked))
        rows = []
        records = []
        values = []
        for draw in self.draws:
            pairs = list(draw.candidate_pairs(asked))
            row = np.concatenate([place for place, _ in pairs])
            j = np.concatenate([candidate for _, candidate in pairs])
            n_t = np.bincount(row, minlength=len(asked))
            if self.population is not None:
                N_t = np.maximum(n_t, self.population[asked])
            elif self.weights is not None:
                N_t = np.maximum(n_t, np.bincount(row, self.weights[j], len(asked)))
            else:
                N_t = n_t
                fallback += (n_t == 0) / n_star
            rows.append(row)
            records.append(j)
            values.append(1 / N_t[row])
        values = np.concatenate(values) / h
        places = np.concatenate(rows), np.concatenate(records)
        shape = len(asked), len(self.confidential)
        return csr_array((values, places), shape=shape), fallback / h

    # ----------------------------------------------------------------- one target

    def match_probabilities(self, i: int) -> pd.Series:
        """Return Pr(J = j) for the target at position i: every record, then "not in file"."""
        i = checks.position("i", i, len(self.confidential))
        Pr, outside = self.probabilities(i)
        index = self.confidential.index.append(pd.Index(["not in file"]))
        return pd.Series(np.append(Pr, outside), index=index, name="probability")

    def explain(self, i: int, *, counts: bool = True) -> str:
        """Tell in plain words what the intruder believes about the target at position i.

        Without `counts`, the probability and the threshold are left out: they stand beside it.
        """
        i = checks.position("i", i, len(self.confidential))
        record = self.records.iloc[i]
        row = self.confidential.iloc[i]
        plain = plain_names(self.known + self.synthesized, self.confidential)
        facts = [f"{word} = {say(row[name])}" for name, word in plain.items()]
        t = " and ".join(facts) or "nothing to match on"
        if record.c == 0:
            return f"Record {i} ({t}): no released record is possible, so nothing is matched."
        c = int(record.c)
        negation = "" if record.I else "not "
        who = "one record stands" if c == 1 else f"{c:,} records stand"
        hit = f"it is {negation}the true one" if c == 1 else f"the true one is {negation}among them"
        story = f"Record {i} ({t}): {who} out"
        if not counts:
            return f"{story}; {hit}."
        highest = say(float(f"{record.highest:.2g}"))  # two digits, as one says it
        sure = "exceeds" if record.highest > self.threshold else "does not exceed"
        return (
            f"{story} with a probability of {highest}, which "
            f"{sure} the threshold of {say(self.threshold)}; {hit}."
        )


def intruder_baselines(
    confidential: pd.DataFrame, known: Sequence[str], synthesized: Sequence[str]
) -> pd.DataFrame:
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
    truth = match(confidential, confidential, known, synthesized)
    on_known = floor(confidential, known)
    return pd.DataFrame(
        {
            "confidential": IntruderRisk([truth], threshold=THRESHOLD).summary(),
            "floor": IntruderRisk([on_known], threshold=THRESHOLD).summary(),
        }
    ).T


def by_sampling_fraction(
    risk: IntruderRisk, i: int, fractions: Sequence[float], *, seed: int = 0
) -> pd.DataFrame:
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
    i = checks.position("i", i, len(risk.confidential))
    rank = np.random.default_rng(seed).permutation(len(risk.confidential))
    rank = np.where(rank < rank[i], rank + 1, rank)
    rank[i] = 0  # the target comes first
    agree = np.array([draw.matches(i) for draw in risk.draws])
    (t,) = label_cells([risk.confidential], risk.known + risk.synthesized)
    N_t = (t == t[i]).sum()
    rows = []
    for f in fractions:
        in_file = rank < max(1, round(f * len(rank)))
        inside = agree[:, in_file]
        n_t = inside.sum(axis=1, keepdims=True)
        census = (inside / np.maximum(N_t, n_t)).mean(axis=0)
        weights = (inside / np.maximum(n_t / f, 1)).mean(axis=0)
        rows.append((census.max(), weights.max(), 1 - census.sum()))
    return pd.DataFrame(rows, index=fractions, columns=["census", "weights", "outside"])
