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

import numpy as np
import pandas as pd

from synthrisk_edu.data import plain_names
from synthrisk_edu.intruder import checks
from synthrisk_edu.intruder.agreement import TIE, Question, most_likely
from synthrisk_edu.levels import number_levels, stack
from synthrisk_edu.utility import combine_estimates
from synthrisk_edu.words import say

MOST_LEVELS = 1_000  # of a variable whose ties are broken level by level
THRESHOLD = 0.2  # a higher probability than this is perceived as a match


def intruder_risk(
    confidential,
    draws,
    known,
    synthesized,
    *,
    threshold=THRESHOLD,
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
        allowed: a function from a draw to a bool per record (or one for all): whether it is
            consistent with what is known of why records were synthesized.
        distance: ("euclidean" | "mahalanobis", d): synthesized numbers may lie within d.

    >>> confidential = pd.DataFrame({"sex": list("FFM"), "job": list("aba")})
    >>> draw = pd.DataFrame({"sex": list("FFM"), "job": list("abb")})
    >>> intruder_risk(confidential, [draw], ["sex"], ["job"]).records.round(2)
       c  I  K  highest
    0  1  1  1      1.0
    1  1  1  1      1.0
    2  1  1  1      1.0
    """
    known, synthesized = checks.roles(known, synthesized)
    draws = checks.draws(confidential, draws, known, synthesized)
    threshold = checks.number("threshold", threshold, 0, 1, inside=True)
    further = distance, allowed, population, weights
    return IntruderRisk(Question(confidential, draws, known, synthesized, *further), threshold)


class IntruderRisk:
    """Match probabilities of every target, and what they add up to; see `intruder_risk`."""

    def __init__(self, question, threshold):
        """Find each target's most likely records; use `intruder_risk` to get here."""
        self._question, self.threshold = question, threshold
        targets = np.argsort(question.group, kind="stable")  # those of a group stand together
        until = np.append(0, np.cumsum(question.group_size))
        found = [
            self._best(groups, targets[until[groups[0]] : until[groups[-1] + 1]])
            for groups in question.portions()
        ]
        self.records = pd.concat(found).sort_index().set_axis(question.confidential.index)

    def _best(self, groups, targets):
        """c, I, K and the highest probability of the targets of some groups."""
        q = self._question
        table, fallback, _ = q.average(groups)
        top, c, nobody = most_likely(table, q.class_size[q.group_class[groups]])
        highest = top + fallback
        hopeless = highest <= TIE
        at = q.group[targets] - groups[0]
        of_true_record = np.asarray(table[at, targets]).ravel()
        hit = (nobody[at] | (of_true_record >= top[at] - TIE)) & ~hopeless[at]
        c = np.where(hopeless, 0, c)[at]
        columns = {"c": c, "I": hit * 1, "K": (c * hit == 1) * 1, "highest": highest[at]}
        return pd.DataFrame(columns, index=targets)

    def summary(self, threshold=None):
        """Return perceived, expected and true match risk, as numbers of targets.

        Only the perceived one depends on the threshold; None is the one given at the beginning.
        """
        threshold = self.threshold if threshold is None else threshold
        checks.number("threshold", threshold, 0, 1, inside=True)
        r = self.records
        expected = np.divide(r.I, r.c, out=np.zeros(len(r)), where=r.c.to_numpy() > 0).sum()
        perceived = (r.highest > threshold).sum()
        values = {"perceived": perceived, "expected": expected, "true": r.K.sum()}
        return pd.Series(values, dtype=float)

    def match_probabilities(self, i):
        """Return Pr(J = j) for the target at position i: every record, then "not in file"."""
        q = self._question
        i = checks.position("i", i, len(q.group))
        group = q.group[i]
        table, fallback, outside = q.average(np.array([group]))
        same_class = q.known_class == q.group_class[group]
        values = np.append(table.toarray().ravel() + fallback * same_class, outside)
        index = q.confidential.index.append(pd.Index(["not in file"]))
        return pd.Series(values, index=index, name="probability")

    def explain(self, i):
        """Tell in plain words what the intruder believes about the target at position i."""
        q = self._question
        record = self.records.iloc[checks.position("i", i, len(q.group))]
        row = q.confidential.iloc[i]
        plain = plain_names(q.known + q.synthesized)
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
    draws = checks.draws(confidential, [confidential], known, synthesized)
    rows = {
        name: IntruderRisk(Question(confidential, draws, known, variables), THRESHOLD).summary()
        for name, variables in {"confidential": synthesized, "floor": []}.items()
    }
    return pd.DataFrame(rows).T


def by_sampling_fraction(half, everybody, fractions):
    """Return the highest match probability and the one of nobody, by the sampling fraction.

    At the fraction f a record stands for 1/f people, so Pr(j) = 1 / (n_t / f) = f / n_t grows in
    proportion to f. `half` are the probabilities of one target at f = ½, where each record has the
    weight 2; `everybody` those at f = 1, where the target is known to be in the file. The last of
    the `fractions` is 1.

    >>> by_sampling_fraction([0.5, 0.0, 0.5], [1.0, 0.0, 0.0], np.array([0.25, 0.5, 1.0]))
          highest  outside
    0.25     0.25     0.75
    0.50     0.50     0.50
    1.00     1.00     0.00
    """
    *in_file, outside = half
    times = 2 * fractions[:-1]
    both = {"highest": times * max(in_file), "outside": 1 - times * (1 - outside)}
    table = pd.DataFrame(both, index=fractions[:-1])
    *in_file, outside = everybody
    table.loc[1.0] = max(in_file), outside
    return table


def mode_guess(released, synthesized, rng):
    """Guess each record's synthesized values: the most frequent released one, ties at random.

    Returns a frame like the first released one, with a guess for every synthesized variable.

    >>> released = [pd.DataFrame({"job": [job]}) for job in "aab"]
    >>> mode_guess(released, ["job"], np.random.default_rng(1)).job.tolist()
    ['a']
    """
    released = checks.frames("released", released)
    synthesized = checks.names("synthesized", synthesized)
    for number, data in enumerate(released):
        checks.pair(released[0], data, synthesized, f"released[{number}]", "released[0]")
    checks.random_source("rng", rng)
    guess, n = released[0].copy(), len(released[0])
    for name in synthesized:
        codes = number_levels([data[name] for data in released])
        shown = codes.reshape(-1, n)  # one row a data set
        times = sum((shown == row).astype(int) for row in shown)
        # A random part below 1 decides between values that are equally frequent.
        best = (times + 0.5 * _tie_breaks(codes, n, rng).reshape(-1, n)).argmax(axis=0)
        values = stack([data[name] for data in released])
        guess[name] = values.array.take(best * n + np.arange(n))
    return guess


def _tie_breaks(codes, n, rng):
    """Draw a number for every level and record, and return those of the levels that are shown.

    A quantity has too many levels for that. There every value that is shown gets its own number:
    values that are equally frequent are shown as often, so that each has the same chances.
    """
    if codes.max() > MOST_LEVELS:
        return rng.random(len(codes))
    drawn, order = np.empty(len(codes)), np.argsort(codes, kind="stable")
    for shown in np.split(order, np.cumsum(np.bincount(codes))[:-1]):  # a level at a time
        drawn[shown] = rng.random(n)[shown % n]
    return drawn


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
    h, fits, drawn = checks.count("h", h), checks.fits(fits), checks.flag("drawn", drawn)
    checks.random_source("rng", rng)
    betas, draw_normal = [], rng.multivariate_normal
    for k in range(len(fits[0].variables)):
        estimates = [fit.estimates[k] for fit in fits]
        mean, *_, total = combine_estimates(estimates, [fit.covariances[k] for fit in fits])
        betas.append(draw_normal(mean, total, h, method="cholesky") if drawn else [mean] * h)
    return fits[0].draws(data, rng, zip(*betas, strict=True))
