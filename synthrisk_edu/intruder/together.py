"""What if the intruder uses all m released files at once?

An average over m files says what one file gives away. An intruder who has all of them can do
better: a record that matches in many files is more likely the right one. In file l the guess is

    Pr(j) = 1 / c_i  for the c_i records that match target i
    Pr(j) = 1 / n_i  for the n_i records that agree on the known variables, if none matches

and the m guesses are averaged (section 2 of the methods, with the released files as draws).
"""

from itertools import accumulate

import numpy as np
import pandas as pd

from synthrisk_edu.intruder import checks
from synthrisk_edu.intruder.agreement import TIE, most_likely
from synthrisk_edu.matching import floor, match
from synthrisk_edu.matching.counting import PAIRS_AT_ONCE, portions


def match_together(confidential, synthetics, known, synthesized, radius=None, **how):
    """Match with all m synthetic data sets at once; arguments as for `match_all`.

    Returns one row per target: c, the number of records that share the highest probability; I,
    whether the true record is among them; and risk, I/c. The sum of the risks is the expected match
    risk of the intruder who has all files. Without a radius it is that of `intruder_risk`.

    >>> confidential = pd.DataFrame({"Income": [20, 30, 40]})
    >>> files = [pd.DataFrame({"Income": values}) for values in ([20, 20, 30], [20, 40, 40])]
    >>> match_together(confidential, files, [], ["Income"])
       c  I  risk
    0  1  1   1.0
    1  1  0   0.0
    2  2  1   0.5
    """
    found = _by_m(confidential, synthetics, known, synthesized, radius, how)
    return pd.concat(by_m[-1] for by_m in found).set_axis(confidential.index)


def together_by_m(confidential, synthetics, known, synthesized, radius=None, **how):
    """The expected match risk of `match_together` with the first file, the first two, and so on."""
    found = _by_m(confidential, synthetics, known, synthesized, radius, how)
    risk = sum(np.array([one["risk"].sum() for one in by_m]) for by_m in found)
    return pd.Series(risk, index=pd.RangeIndex(1, len(risk) + 1, name="m"))


def _by_m(confidential, synthetics, known, synthesized, radius, how):
    """Yield, for some targets at a time, what is found with 1, 2, … m files."""
    synthetics = checks.frames("synthetics", synthetics)
    known, synthesized = checks.roles(known, synthesized)
    matches = [match(confidential, one, known, synthesized, radius, **how) for one in synthetics]
    of_known = {name: r for name, r in matches[0].radius.items() if name in known}
    alike = floor(confidential, known, of_known, **how).records.c.to_numpy()
    lengths = sum(found.records["c"].to_numpy() for found in matches)
    for targets in portions(lengths, PAIRS_AT_ONCE):  # a bounded number of pairs
        sums = enumerate(accumulate(_guess(found, targets) for found in matches), start=1)
        yield [_best(guess / m, targets, alike[targets]) for m, guess in sums]


def _guess(found, targets):
    """Pr(j) for some targets i in one file, as a sparse table: 1/c_i where j matches i."""
    from scipy.sparse import csr_array  # slow to import

    target, candidate = found.pairs(targets)
    chance = 1 / found.records.c.to_numpy()[target]
    shape = targets.stop - targets.start, len(found.records)
    return csr_array((chance, (target - targets.start, candidate)), shape=shape)


def _best(guess, targets, alike):
    """c, I and the risk I/c of some targets, from their average guess."""
    highest, c, nobody = most_likely(guess, alike)
    hit = nobody | (guess.diagonal(targets.start) >= highest - TIE)
    return pd.DataFrame({"c": c, "I": hit * 1, "risk": hit / c})
