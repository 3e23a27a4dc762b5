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
from synthrisk_edu.cells import number_combinations, number_levels
from synthrisk_edu.counting import PAIRS_AT_ONCE, portions
from synthrisk_edu.data import plain_names
from synthrisk_edu.match import Match
from synthrisk_edu.synthesis.lookalikes import draw_donors
from synthrisk_edu.utility import combine_estimates
from synthrisk_edu.words import say

TIE = 1e-9  # probabilities this close count as equal
MANY_LEVELS = 1_000  # of a variable whose ties are broken level by level
TRIES = 1_000  # to simulate a record that is possible
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
    ours, theirs = number_combinations([confidential, levels], variables)
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
        (t,) = number_combinations([self.confidential], self.known + self.synthesized)
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
    (t,) = number_combinations([risk.confidential], risk.known + risk.synthesized)
    N_t, rows = (t == t[i]).sum(), []
    for f in fractions:
        inside = agree[:, rank < max(1, round(f * len(rank)))]
        n_t = inside.sum(axis=1, keepdims=True)
        census = (inside / np.maximum(N_t, n_t)).mean(axis=0)
        weights = (inside / np.maximum(n_t / f, 1)).mean(axis=0)
        rows.append((census.max(), weights.max(), 1 - census.sum()))
    return pd.DataFrame(rows, index=fractions, columns=["census", "weights", "outside"])


# ---------------------------------------------------------- which draws? what the intruder knows


def mode_guess(released, synthesized, rng):
    """Guess each record's synthesized values: the most frequent released one, ties at random.

    Returns a frame like the first released one, with a guess for every synthesized variable.

    >>> released = [pd.DataFrame({"job": [job]}) for job in "aab"]
    >>> mode_guess(released, ["job"], np.random.default_rng(1)).job.tolist()
    ['a']
    """
    released = checks.frames("released", released)
    synthesized = checks.names("synthesized", synthesized)
    for place, data in enumerate(released):
        files = {"released[0]": released[0], f"released[{place}] ": data}
        checks.same_kind(files, synthesized)
        checks.same_length(files)
    guess, n = released[0].copy(), len(released[0])
    for name in synthesized:
        columns = [data[name] for data in released]
        shown = number_levels(columns).reshape(-1, n)  # one row a data set
        times = sum((shown == row).astype(int) for row in shown)
        # A random part below 1 decides between levels that are equally frequent. A quantity has
        # too many levels for that; there every value that is shown gets a part of its own.
        levels = shown.max() + 1
        few = levels <= MANY_LEVELS
        chance = rng.random((levels, n))[shown, np.arange(n)] if few else rng.random(shown.shape)
        best = (times + 0.5 * chance).argmax(axis=0)
        values = pd.concat(columns, ignore_index=True)
        guess[name] = values.array.take(best * n + np.arange(n))
    return guess


def model_draws(fits, data, rng, h=100, *, drawn=False, possible=None, among=None):
    """Simulate h draws for an intruder who knows the models, fitted by `fit_multinomial`.

    `fits` has one fitted chain for each released data set; who knows f(β) has the office's own
    chain, `[chain]`. All draws use the mean of β over the fits or, with `drawn`, each draw uses
    a new β from N(mean, total); see `combine_estimates`.

    Who knows why records were chosen (R) may say `among` which ones the synthesized are, a bool for
    each (the others keep the values of `data`), and by `possible(draw)` whether each record can be
    true: one that cannot is drawn again, until it can.

    >>> from synthrisk_edu.synthesis import fit_multinomial
    >>> data = pd.DataFrame({"town": list("AABB") * 20, "job": list("cccn") * 20})
    >>> chain = fit_multinomial(data, ["job"], ["town"])
    >>> draws = model_draws([chain], data, np.random.default_rng(1), h=3, drawn=True)
    >>> [one.town.equals(data.town) for one in draws]
    [True, True, True]
    """
    fits = checks.listed("fits", fits, "chains that fit_multinomial returned")
    checks.number("h", h, 1, whole=True)
    betas, draw_normal = [], rng.multivariate_normal
    for k in range(len(fits[0].variables)):
        estimates = [fit.estimates[k] for fit in fits]
        mean, *_, total = combine_estimates(estimates, [fit.covariances[k] for fit in fits])
        betas.append(draw_normal(mean, total, h, method="cholesky") if drawn else [mean] * h)
    betas, chain = list(zip(*betas, strict=True)), fits[0]
    draws = chain.draws(data, rng, betas)
    if among is not None:
        draws = [draw.where(pd.Series(among, data.index), data, axis=0) for draw in draws]
    if possible is None:
        return draws
    redraw = [lambda wrong, b=b: chain.draw(data.iloc[wrong], rng, b) for b in betas]
    return [_until_possible(*one, possible) for one in zip(draws, redraw, strict=True)]


def simulate_again(draw, variables, possible, given, rng, *, among=None):
    """Replace what cannot be true in a released file: R tells why records were chosen.

    `possible(draw)` says for each record whether it can be true. A record that cannot gets the
    `variables` of a random record that agrees with it on `given`, of those in `among` (a bool for
    each record; None is all), again and again until it can.

    >>> file, marked = pd.DataFrame({"race": list("WWWWB")}), np.array([0, 0, 0, 1, 1]) == 1
    >>> def not_white(draw):
    ...     return ~marked | (draw.race != "W")
    >>> rng = np.random.default_rng(1)
    >>> simulate_again(file, ["race"], not_white, [], rng, among=marked).race.tolist()
    ['W', 'W', 'W', 'B', 'B']
    """
    variables, given = checks.names("variables", variables), checks.names("given", given)
    checks.columns("draw", draw, [*variables, *given])
    (cell,) = number_combinations([draw], given)
    donors = np.arange(len(draw)) if among is None else np.flatnonzero(among)
    released = draw[variables]

    def again(wrong):
        """Give each of these records the values of a random donor that looks like it."""
        alone = ~np.isin(cell[wrong], cell[donors])
        if alone.any():
            raise ValueError(
                f"record {wrong[alone][0]} is not possible, and no record of among agrees with it "
                "on given; name fewer variables in given."
            )
        return released.iloc[donors[draw_donors(cell[donors], cell[wrong], rng)]]

    return _until_possible(draw, again, possible)


def _until_possible(draw, again, possible):
    """Simulate those records anew that are not possible, until all are; `again(wrong)` does it."""
    draw = draw.copy()
    for _ in range(TRIES):
        wrong = np.flatnonzero(~np.asarray(possible(draw), dtype=bool))
        if len(wrong) == 0:
            return draw
        for name, values in again(wrong).items():
            draw.iloc[wrong, draw.columns.get_loc(name)] = values.to_numpy()
    raise ValueError(
        f"{len(wrong)} records are still not possible after {TRIES:,} tries, the first of them "
        f"record {wrong[0]}; look whether possible leaves them any value."
    )
