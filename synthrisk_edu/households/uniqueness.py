"""Who is unique in the population? The risk r of a household that is unique in the sample.

F_k households of the population and f_k of the sample share the QIs of cell k. An intruder who
finds a sample unique (f_k = 1) picks the right one of the F_k with probability 1/F_k. F_k is not
known, but a model of the counts (see `loglinear`) says how many to expect: λ_k. The F_k − 1 others
were not sampled, and their number is Poisson with mean h = (1 − π)λ. Hence

    r = E[1/F_k | f_k = 1] = E[1/(1 + Poisson(h))] = (1 − e^{−h}) / h

The chance that there is nobody else, that the household is unique in the population too, is another
number: Pr(F_k = 1 | f_k = 1) = e^{−h}. It is smaller than r: where two households share the QIs,
neither is unique, and yet the intruder picks the right one half of the time.

How strongly the model is penalised decides how good λ is. Skinner and Shlomo (2008) estimate the
bias of Σ r from the sample alone; we take the penalty for which this estimate B is nearest to 0.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.polynomial import Polynomial
from threadpoolctl import threadpool_limits

from synthrisk_edu.households import checks
from synthrisk_edu.households.loglinear import Cells, block, fit, main_effects
from synthrisk_edu.levels import combine
from synthrisk_edu.progress import track
from synthrisk_edu.words import say

PENALTIES = (4, 2.8, 2, 1.4, 1, 0.7, 0.5, 0.35, 0.25)
MOST_STRATA = 3  # sampling fractions may depend on so many QIs
SMALL = 0.05  # below this h a series is more exact than a difference
FEW = 0.005  # below this λ the first powers of μ say what a cell adds

# The series of e^h, of φ = r − e^{−h} = h/2 − h²/3 + h³/8 − … and of ψ = φ − ½ h e^{−h} = h²/6 − …
J = np.arange(10)
EXP = Polynomial(1 / np.cumprod([1, *J[1:]]))
R = Polynomial((-1.0) ** J / np.cumprod(J + 1))
PHI = (R - EXP(Polynomial([0, -1]))).cutdeg(9)
PSI = (PHI - Polynomial([0, 0.5]) * EXP(Polynomial([0, -1]))).cutdeg(9)


def population_risk(table, qis, fraction, *, penalty=None, unique=False):
    """Return r = E[1/F_k | f_k = 1] for every sample unique; missing for all other records.

    Args:
        table: one row for each record of the sample.
        qis: names of the quasi-identifiers: categories, text or whole numbers. Missing is a level;
            QIs that are always missing together, as of a second person who is not there, are
            absent together.
        fraction: the sampling fraction: one number, or one for each record. It may depend on at
            most three of the QIs.
        penalty: how strongly interactions are held back; None takes the one with the least
            estimated bias, infinity leaves main effects only.
        unique: return a frame with two columns: r, and unique, the chance e^{−h} of being unique
            in the population.

    Half of the population is in the sample. The one household from B is expected to have h = ½ · 2
    others like it, so that r = (1 − e^{−1}) / 1:

    >>> table = pd.DataFrame({"town": list("AAAB")})
    >>> population_risk(table, ["town"], 0.5).round(2).tolist()
    [nan, nan, nan, 0.63]
    >>> population_risk(table, ["town"], 0.5, unique=True).round(2).loc[3].to_dict()
    {'r': 0.63, 'unique': 0.37}
    """
    penalties = PENALTIES if penalty is None else [checks.penalty("penalty", penalty)]
    unique = checks.flag("unique", unique)
    model = fit_population_model(table, qis, fraction, penalties=penalties)
    return pd.DataFrame({"r": model.risk, "unique": model.unique}) if unique else model.risk


@dataclass(frozen=True)
class PopulationModel:
    """A model of the population's counts, and what it says about the records of the sample.

    risk: r of every sample unique, missing for all other records.
    unique: the chance e^{−h} that a sample unique is unique in the population too.
    expected: λ, how many households of the population are expected to share a record's QIs.
    penalty: the chosen penalty, and `note` says why.
    path: a row for each penalty tried, with the estimated bias B, z = B/√V (beyond ±2 it is more
        than chance), the sum of r, and how many interactions are not 0.
    strata: the QIs that the sampling fraction depends on.
    """

    risk: pd.Series
    unique: pd.Series
    expected: pd.Series
    penalty: float
    note: str
    path: pd.DataFrame
    strata: list


def fit_population_model(table, qis, fraction, *, penalties=PENALTIES, progress=False):
    """Fit the model with every penalty, and keep the one whose estimated bias is nearest to 0.

    Arguments as for `population_risk`; `penalties` lists those to try.

    >>> table = pd.DataFrame({"town": list("AAAB"), "sex": list("FMMF")})
    >>> model = fit_population_model(table, ["town", "sex"], 0.5, penalties=[float("inf")])
    >>> model.expected.round(3).tolist()  # independent town and sex: 8 · ¾ · ½ and 8 · ¼ · ½
    [3.0, 3.0, 3.0, 1.0]
    >>> model.note
    'The penalty was given: infinity.'
    """
    qis = checks.categorical_qis(table, qis)
    pi = checks.sampling_fraction(fraction, len(table))
    penalties = checks.penalties(penalties)
    progress = checks.flag("progress", progress)
    codes = {name: _codes(table[name]) for name in qis}
    strata = _strata(codes, pi)
    cells = _cells(table, codes, strata, pi)
    once = cells.f[cells.which] == 1
    rows, fitted = [], []
    for penalty, T in _fits(cells, penalties, progress):
        lam = np.exp(cells.log_lambda(T))
        r = np.where(once, mean_inverse((1 - pi) * lam), np.nan)
        B, V = bias(cells, T)
        z = B / np.sqrt(V) if V > 0 else 0.0
        rows.append((penalty, B, z, np.nansum(r), np.count_nonzero(np.triu(T, 1))))
        fitted.append((r, lam))
    path = pd.DataFrame(rows, columns=["penalty", "B", "z", "sum_r", "interactions"])
    best = int(path.B.abs().argmin())
    r, lam = fitted[best]
    unique = np.where(once, np.exp(-(1 - pi) * lam), np.nan)
    columns = pd.DataFrame({"r": r, "unique": unique, "expected": lam}, index=table.index)
    per_record = (columns[name] for name in columns)
    return PopulationModel(*per_record, penalties[best], _note(path, best), path, strata)


def _fits(cells, penalties, progress):
    """Yield every penalty with its fit, each begun where the one before ended.

    One thread: several wait for each other in products of this size, and round differently.
    """
    with threadpool_limits(1):
        main = T = main_effects(cells)
        E = cells.expected(main)[0]
        for penalty in track(penalties, "fitting the population", progress):
            T = main if penalty == np.inf else fit(cells, E, penalty, T)
            yield penalty, T


def _codes(column):
    """Number the levels of a QI in their order, missing last."""
    codes, levels = pd.factorize(column, sort=True)
    return np.where(codes < 0, len(levels), codes)


def _strata(codes, pi):
    """Find the fewest QIs in whose cells the sampling fraction is constant.

    >>> codes = {"age": np.array([0, 0, 1]), "state": np.array([0, 1, 1])}
    >>> _strata(codes, np.array([0.1, 0.2, 0.2]))
    ['state']
    """
    for size in range(MOST_STRATA + 1):
        for names in combinations(codes, size):
            stratum = combine([codes[name] for name in names], len(pi))
            last_seen = np.empty(stratum.max() + 1)
            last_seen[stratum] = pi
            if np.allclose(last_seen[stratum], pi, rtol=1e-9, atol=0):
                return list(names)
    raise ValueError(
        f"fraction is not constant within the cells of any {MOST_STRATA} or fewer of the QIs, so "
        "cells without a record have no known fraction; add the variables that sampling was "
        "stratified by to qis, or give one number."
    )


def _cells(table, codes, strata, pi):
    """Lay the QIs out in three blocks, the strata first, what is absent together last."""
    together = _missing_together(table, [name for name in codes if name not in strata])
    absent = None
    if together:
        absent = table[together[0]].isna().to_numpy()
        codes = codes | {name: np.where(absent, 0, codes[name]) for name in together}
    levels = {name: int(code.max()) + 1 for name, code in codes.items()}
    checks.few_cells(levels)
    first, second, third = (
        [codes[name] for name in names] for names in _three_blocks(levels, strata, together)
    )
    n = len(table)
    blocks = [block(first, n), block(second, n), block(third, n, absent)]
    stratum = block([codes[name] for name in strata], n)
    fraction = np.zeros(len(stratum.D))  # a stratum without a record stays without cells
    fraction[stratum.cell] = pi
    return Cells(blocks, np.repeat(fraction, len(blocks[0].D) // len(fraction)))


def _missing_together(table, names):
    """Return the largest group of QIs, two or more, that are missing in the same rows.

    >>> table = pd.DataFrame({"a": [1, None], "b": [None, 2], "c": [3, None]})
    >>> _missing_together(table, list("abc"))
    ['a', 'c']
    """
    groups = {}
    for name in names:
        missing = table[name].isna().to_numpy()
        if missing.any() and not missing.all():
            groups.setdefault(missing.tobytes(), []).append(name)
    largest = max(groups.values(), key=len, default=[])
    return largest if len(largest) > 1 else []


def _three_blocks(levels, first, last):
    """Share the QIs out among three blocks: those with many levels first, each to the smallest.

    >>> _three_blocks({"state": 35, "age": 9, "sex": 2, "job": 20}, ["state"], [])
    [['state'], ['job'], ['age', 'sex']]
    """
    blocks = [list(first), [], list(last)]
    open_blocks = blocks[:2] if last else blocks
    others = [name for name in levels if name not in first and name not in last]
    for name in sorted(others, key=levels.get, reverse=True):
        min(open_blocks, key=lambda one: np.prod([levels[name] for name in one])).append(name)
    return blocks


def mean_inverse(h):
    """Return E[1/(1 + Poisson(h))] = (1 − e^{−h}) / h, which is 1 for h = 0.

    >>> mean_inverse(np.array([0.0, 1e-9, 1.0])).round(3).tolist()
    [1.0, 1.0, 0.632]
    """
    return np.divide(-np.expm1(-h), h, out=np.ones_like(h), where=h > 0)


def bias(cells, T):
    """Estimate the bias of Σ r, and its variance: B and V of Skinner and Shlomo, over all cells.

        B = Σ a (f − μ) + b [(f − μ)² − f],     V = Σ a² μ + 2 b² μ²
        a = e^{−μ} r − e^{−λ},     b = [e^{−μ} r − e^{−λ} (1 + h/2)] / μ

    With φ and ψ of `_phi_psi`, a = e^{−μ} φ and b = e^{−μ} ψ / μ, so that an empty cell adds
    b μ² − a μ = −½ μ h e^{−λ} to B. This is summed over all cells, and the cells with records add
    what is missing: a f + b [f² − f − 2 f μ].
    """

    def summed(rows):
        """Sum over the cells of some rows."""
        return sum((_slab(mu, pi) for mu, pi in cells.slabs(T, rows)), start=np.zeros(2))

    B, V = sum(cells.in_parts(summed))
    f, pi = cells.f, cells.pi_of_record[cells.example]
    lam = np.exp(cells.log_lambda(T)[cells.example])
    mu, h = pi * lam, (1 - pi) * lam
    phi, psi = _phi_psi(h)
    missing = np.exp(-mu) * (phi * f + psi / mu * (f**2 - f - 2 * f * mu))
    return float(B + missing.sum()), float(V)


def _slab(mu, pi):
    """Sum what cells with the same sampling fraction add to B, were they empty, and to V.

    Most cells expect next to nobody. What these add is summed by the first powers of μ; the others
    are computed as written.
    """
    if pi == 1:
        return np.zeros(2)  # a census leaves nobody out
    mu = mu.ravel()
    some = mu > FEW * pi
    few, mu = mu * ~some, mu[some]
    square = few * few
    cube = square * few
    powers = [few @ few, few @ square, square @ square, square @ cube, cube @ cube]
    h = (1 - pi) / pi * mu
    not_sampled, not_there = np.exp(-mu), np.exp(-h)
    phi = (1 - not_there) / h - not_there
    psi = phi - h / 2 * not_there
    B = -0.5 * (mu * h) @ (not_sampled * not_there)
    V = not_sampled**2 @ (phi**2 * mu + 2 * psi**2)
    return _factors_of_powers(pi) @ powers + [B, V]


@cache
def _factors_of_powers(pi):
    """Return the factors of μ², …, μ⁶ in what a cell adds to B, were it empty, and to V."""
    mu = Polynomial([0, 1])
    h = (1 - pi) / pi * mu
    phi, psi = PHI(h), PSI(h)
    B = -0.5 * mu * h * EXP(-mu / pi)
    V = EXP(-2 * mu) * (phi**2 * mu + 2 * psi**2)
    return np.array([B.coef[2:7], V.coef[2:7]])


def _phi_psi(h):
    """Return φ = r − e^{−h} and ψ = φ − ½ h e^{−h}, by their series where h is small."""
    phi = mean_inverse(h) - np.exp(-h)
    psi = phi - h / 2 * np.exp(-h)
    small = h < SMALL
    phi[small], psi[small] = PHI(h[small]), PSI(h[small])
    return phi, psi


def _note(path, best):
    """Say in words why this penalty was chosen."""
    chosen, B = say(path.penalty[best]), path.B
    if len(path) == 1:
        return f"The penalty was given: {chosen}."
    if B.min() <= 0 <= B.max():
        return f"The penalty {chosen} has the estimated bias nearest to 0: B = {B[best]:.1f}."
    return (
        f"The estimated bias B has no zero among the penalties tried; {chosen} has the one nearest "
        f"to it: B = {B[best]:.1f}."
    )
