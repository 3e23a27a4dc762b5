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

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import prod

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from synthrisk_edu import cells, checks
from synthrisk_edu.households.loglinear import CellGrid, fit, list_cells, main_effects

PENALTIES = (4, 2.8, 2, 1.4, 1, 0.7, 0.5, 0.35, 0.25)
MOST_STRATA = 3  # sampling fractions may depend on so many QIs
MOST_LEVELS = 2000  # of all QIs together
MOST_CELLS = 2e9  # a step of the search takes half a second then
FEW = 0.005  # below this λ the first powers of μ say what a cell adds


def chance_right(h):
    """Return r = E[1/(1 + Poisson(h))] = (1 − e^{−h}) / h, which is 1 for h = 0.

    >>> chance_right(np.array([0.0, 1e-9, 1.0])).round(3).tolist()
    [1.0, 1.0, 0.632]
    """
    return np.divide(-np.expm1(-h), h, out=np.ones_like(h), where=h > 0)


def population_risk(
    table: pd.DataFrame,
    qis: Sequence[str],
    fraction: float | Iterable[float],
    *,
    penalty: float | None = None,
    unique: bool = False,
) -> pd.Series | pd.DataFrame:
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
    penalties = PENALTIES if penalty is None else [penalty]
    records, _ = fit_population_model(table, qis, fraction, penalties)
    return records[["r", "unique"]] if unique else records["r"]


def fit_population_model(
    table: pd.DataFrame,
    qis: Sequence[str],
    fraction: float | Iterable[float],
    penalties: Iterable[float] = PENALTIES,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Fit the model with every penalty, and keep the one whose estimated bias is nearest to 0.

    Returns a frame with a row for each record (r and unique as in `population_risk`, and expected,
    λ of its cell), and one with a row for each penalty tried: the estimated bias B, z = B/√V
    (beyond ±2 it is more than chance), the sum of r, and how many interactions are not 0.

    >>> table = pd.DataFrame({"town": list("AAAB"), "sex": list("FMMF")})
    >>> records, _ = fit_population_model(table, ["town", "sex"], 0.5, [np.inf])
    >>> records.expected.round(3).tolist()  # independent town and sex: 8 · ¾ · ½ and 8 · ¼ · ½
    [3.0, 3.0, 3.0, 1.0]
    """
    qis = checks.names("qis", qis, "variable the intruder knows")
    checks.categories("table", table, qis)
    pi = _sampling_fraction(fraction, len(table))
    penalties = _penalties(penalties)
    grid = make_cell_grid(table[qis], pi)
    once = grid.f[grid.which] == 1
    candidates = []
    path = []
    with threadpool_limits(1):  # several threads wait for each other here, and round differently
        main = main_effects(grid)
        E = grid.expected(main)[0]
        T = main
        for penalty in sorted(penalties, reverse=True):  # each begins where the one before ended
            T = main if penalty == np.inf else fit(grid, E, penalty, T)
            lam = np.exp(grid.log_lambda(T))
            h = np.where(once, (1 - pi) * lam, np.nan)
            r = np.where(once, chance_right(h), np.nan)
            records = {"r": r, "unique": np.exp(-h), "expected": lam}
            candidates.append(pd.DataFrame(records, index=table.index))
            B, V = bias(grid, T)
            z = B / np.sqrt(V) if V > 0 else 0.0
            interactions = np.count_nonzero(np.triu(T, 1))
            path.append((penalty, B, z, np.nansum(r), interactions))
    path = pd.DataFrame(path, columns=["penalty", "B", "z", "sum_r", "interactions"])
    least_biased = path["B"].abs().argmin()
    return candidates[least_biased], path


def _sampling_fraction(value, n):
    """Return the sampling fraction of n records as an array; one number stands for all of them."""
    if checks.is_number(value):
        fraction = np.full(n, value, dtype=float)
    else:
        fraction = checks.numbers("fraction", value, n)
    if not ((fraction > 0) & (fraction <= 1)).all():
        raise ValueError(
            "fraction must be above 0 and at most 1, the share of the population that was sampled: "
            "write 0.1 for 10 %."
        )
    return fraction


def _penalties(value):
    """Return the penalties to try: numbers, 0 or more, or infinity."""
    penalties = checks.listed("penalties", value, "numbers, such as [1, 0.5]")
    for penalty in penalties:
        if penalty != np.inf:
            checks.number("penalty", penalty, 0)
    if not penalties:
        raise ValueError("penalties is empty; give at least one number.")
    return penalties


# ----------------------------------------------------------------- the estimated bias


def bias(grid, T):
    """Estimate the bias of Σ r, and its variance: B and V of Skinner and Shlomo, over all cells.

        B = Σ a (f − μ) + b [(f − μ)² − f],     V = Σ a² μ + 2 b² μ²
        a = e^{−μ} r − e^{−λ},     b = [e^{−μ} r − e^{−λ} (1 + h/2)] / μ

    With N ~ Poisson(h), a = e^{−μ} Pr(N ≥ 2)/h and b = e^{−μ} Pr(N ≥ 3)/(h μ). An empty cell adds
    b μ² − a μ = −½ μ h e^{−λ} to B. This is summed over all cells, and the cells with records add
    what is missing: a f + b [f² − f − 2 f μ].
    """
    from scipy.special import gammainc  # Pr(N ≥ k) = gammainc(k, h); slow to import

    def as_if_empty(rows):
        """Sum over the cells of some rows of the grid."""
        B_and_V = np.zeros(2)
        for mu, pi in grid.slabs(T, rows):
            B_and_V = B_and_V + _as_if_empty(mu, pi)
        return B_and_V

    B, V = sum(grid.in_parts(as_if_empty))
    # The cells with records, but for those of a census: it leaves nobody out.
    pi = grid.pi_of_record[grid.example]
    lam = np.exp(grid.log_lambda(T)[grid.example])
    sampled = pi < 1
    f = grid.f[sampled]
    mu = (pi * lam)[sampled]
    h = ((1 - pi) * lam)[sampled]
    a = np.exp(-mu) * gammainc(2, h) / h
    b = np.exp(-mu) * gammainc(3, h) / h / mu
    B = B + (a * f + b * (f**2 - f - 2 * f * mu)).sum()
    return float(B), float(V)


def _as_if_empty(mu, pi):
    """Sum what cells with the same sampling fraction add to B, were they empty, and to V.

    Most of the many million cells expect next to nobody. What these add is summed by the first
    powers of μ; the others are computed as written.
    """
    if pi == 1:
        return np.zeros(2)  # a census leaves nobody out
    odds = (1 - pi) / pi  # h = odds · μ
    mu = mu.ravel()
    is_few = mu <= FEW * pi
    few = mu * is_few
    square = few * few
    sum_2 = few @ few  # Σ μ²
    sum_3 = few @ square
    sum_4 = square @ square
    B = -odds / 2 * (sum_2 - sum_3 / pi + sum_4 / (2 * pi**2))
    V = odds**2 * (sum_3 / 4 + (odds**2 / 18 - odds / 3 - 1 / 2) * sum_4)
    mu = mu[~is_few]
    h = odds * mu
    nobody = np.exp(-h)
    phi = (1 - nobody) / h - nobody  # Pr(N ≥ 2)/h
    psi = phi - h / 2 * nobody  # Pr(N ≥ 3)/h
    B -= (mu * h) @ np.exp(-mu - h) / 2
    V += np.exp(-2 * mu) @ (phi**2 * mu + 2 * psi**2)
    return np.array([B, V])


# -------------------------------------------------------------- the QIs in three blocks


def make_cell_grid(table, pi):
    """Return the grid of all cells of a table's QIs, with π of every record in `pi`.

    The QIs lie in three blocks: the strata in the first, what is absent together in the last.
    """
    n = len(table)
    codes = {name: _codes(table[name]) for name in table}
    strata = _strata(codes, pi)
    together = _missing_together(table.drop(columns=strata))
    absent = None
    if together:
        absent = table[together[0]].isna().to_numpy()
        for name in together:
            codes[name] = np.where(absent, 0, codes[name])
    levels = {name: int(code.max()) + 1 for name, code in codes.items()}
    _few_cells(levels)
    first, second, third = _three_blocks(levels, strata, together)
    blocks = [
        list_cells([codes[name] for name in first], n),
        list_cells([codes[name] for name in second], n),
        list_cells([codes[name] for name in third], n, absent),
    ]
    stratum = list_cells([codes[name] for name in strata], n)
    pi_of_stratum = np.zeros(len(stratum.D))  # a stratum without a record stays without cells
    pi_of_stratum[stratum.cell] = pi
    cells_of_stratum = len(blocks[0].D) // len(pi_of_stratum)
    return CellGrid(blocks, pi=np.repeat(pi_of_stratum, cells_of_stratum))


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
            stratum = cells.combine([codes[name] for name in names], len(pi))
            last_seen = np.empty(stratum.max() + 1)
            last_seen[stratum] = pi
            if np.allclose(last_seen[stratum], pi, rtol=1e-9, atol=0):
                return list(names)
    raise ValueError(
        f"fraction is not constant within the cells of any {MOST_STRATA} or fewer of the QIs, so "
        "cells without a record have no known fraction; add the variables that sampling was "
        "stratified by to qis, or give one number."
    )


def _missing_together(table):
    """Return the largest group of QIs, two or more, that are missing in the same rows.

    >>> _missing_together(pd.DataFrame({"a": [1, None], "b": [None, 2], "c": [3, None]}))
    ['a', 'c']
    >>> _missing_together(pd.DataFrame({"a": [1, None], "b": [None, 2]}))
    []
    """
    groups = {}
    for name in table:
        missing = table[name].isna().to_numpy()
        if missing.any() and not missing.all():
            groups.setdefault(missing.tobytes(), []).append(name)
    largest = max(groups.values(), key=len, default=[])
    return largest if len(largest) > 1 else []


def _few_cells(levels):
    """The QIs do not have too many levels (`levels` maps a QI to how many) or combinations."""
    total = sum(levels.values())
    combinations_of_all = prod(levels.values())
    if total > MOST_LEVELS or combinations_of_all > MOST_CELLS:
        largest = max(levels, key=levels.get)
        raise ValueError(
            f"the QIs have {total:,} levels and {combinations_of_all:,} combinations, too many to "
            f"model; {largest!r} has most of the levels: leave out QIs or join levels."
        )


def _three_blocks(levels, first, last):
    """Share the QIs out among three blocks: those with many levels first, each to the smallest.

    What is absent together has the last block for itself.

    >>> _three_blocks({"state": 35, "age": 9, "sex": 2, "job": 20}, ["state"], [])
    [['state'], ['job'], ['age', 'sex']]
    >>> _three_blocks({"state": 35, "age": 9, "job": 20, "sex_2": 2}, ["state"], ["sex_2"])
    [['state'], ['job', 'age'], ['sex_2']]
    """
    blocks = [list(first), [], list(last)]
    open_blocks = blocks[:2] if last else blocks
    others = [name for name in levels if name not in first and name not in last]
    for name in sorted(others, key=levels.get, reverse=True):
        sizes = [prod(levels[qi] for qi in block) for block in open_blocks]
        smallest = sizes.index(min(sizes))
        open_blocks[smallest].append(name)
    return blocks
