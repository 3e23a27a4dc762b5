"""What if the intruder uses all m released files at once?

An average over m files says what one file gives away. An intruder who has all of them can do
better: a record that matches in many files is more likely the right one. In file l the guess is

    Pr(j) = 1 / c_i  for the c_i records that match target i
    Pr(j) = 1 / n_i  for the n_i records that agree on the known variables, if none matches

and the m guesses are averaged (section 2 of the methods, with the released files as draws).
"""

import numpy as np
import pandas as pd

from synthrisk_edu.intruder import checks
from synthrisk_edu.intruder.agreement import TIE
from synthrisk_edu.matching import floor, match


def match_together(confidential, synthetics, known, synthesized, radius=None, **how):
    """Match with all m synthetic data sets at once; takes the arguments of `match_all`.

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
    synthetics = checks.frames("synthetics", synthetics)
    known, synthesized = checks.roles(known, synthesized)
    matches = [match(confidential, one, known, synthesized, radius, **how) for one in synthetics]
    exact = {name: r for name, r in matches[0].radius.items() if name in matches[0].known}
    alike = floor(confidential, known, exact, **how).records.c.to_numpy()
    guess = sum(_guess(found) for found in matches) / len(matches)
    highest = guess.max(axis=1).toarray().ravel()
    row = np.repeat(np.arange(len(alike)), np.diff(guess.indptr))
    at_top = np.bincount(row[guess.data >= highest[row] - TIE], minlength=len(alike))
    nobody = highest <= TIE  # no file has a match: all who agree on the known variables are alike
    c = np.where(nobody, alike, at_top)
    hit = nobody | (guess.diagonal() >= highest - TIE)
    return pd.DataFrame({"c": c, "I": hit * 1, "risk": hit / c}, index=confidential.index)


def _guess(found):
    """Return Pr(j) for every target i in one file, as a sparse table: 1/c_i where j matches i."""
    from scipy.sparse import csr_array  # slow to import

    target, candidate = found.pairs()
    chance = 1 / found.records.c.to_numpy()[target]
    return csr_array((chance, (target, candidate)), shape=(len(found.records),) * 2)
