"""How many households of each kind are there? A log-linear model, fitted without listing cells.

A cell k is a combination of levels of all QIs; f_k households of the sample lie in it, and

    f_k ~ Poisson(μ_k),  μ_k = π_k λ_k,  log λ_k = d'T d

d holds a 1 for every level the cell has and a 0 for all others. T is a triangle: its diagonal has
the main effects, and above it stands an interaction for every two levels of different QIs. The
interactions are held back by an L1 penalty, the main effects are free:

    minimise Σ_k (μ_k − f_k log μ_k) + penalty · Σ_{i<j} √E_ij |T_ij|

E_ij is the number of sampled households expected to have levels i and j if main effects were all
there is. A count has about the variance it is expected to have, so an interaction stays 0 exactly
as long as observed and fitted number differ by at most `penalty` standard deviations.

The cells may be many millions. But every two QIs lie in one of three blocks or in two of them
(think of household, first person, second person), so that μ is a product of three matrices' entries

    μ[x, y, z] = XY[x, y] · YZ[y, z] · XZ[x, z]

and every sum over cells is a matrix product: Σ_z μ[x, y, z] = XY · (XZ YZ'), entry by entry.
"""

from dataclasses import dataclass
from itertools import pairwise, product
from math import prod

import numpy as np
from threadpoolctl import threadpool_limits

from synthrisk_edu.cells import dummies
from synthrisk_edu.threads import map_parts

# The search ends when observed and fitted numbers differ from what the minimum asks for by at most
# gtol standard deviations. With so many cells that a step takes long, a tenth of one will do.
EXACT = {"gtol": 1e-6, "ftol": 0.0}
FAST = {"gtol": 0.1, "ftol": 1e-9}
STRONGEST = 30.0  # no interaction is stronger: at e to the −30 the model expects nobody
FAR_TOO_MANY = 1e6  # a step was too long if the model then expects so many times more records
MANY_CELLS = 10**6  # with more cells than this a step takes long, and two cores share the work
PARTS = 2  # of the cells, one for each of these cores
AT_ONCE = 100_000  # so many cells are looked at together, so that the memory stays bounded
SEARCH = {"maxiter": 5000, "maxfun": 10000, "maxcor": 40}


@dataclass
class Block:
    """The cells of some QIs: D has a row for each and a 0/1 column for each level they may have.

    `cell` says in which of these cells every record lies.
    """

    D: np.ndarray
    cell: np.ndarray


def list_cells(codes, n, absent=None):
    """List all combinations of some QIs' levels; `codes` has an array per QI, a code for n records.

    Records that are `absent` have no level of any of them: one more cell and one more column.

    >>> list_cells([np.array([0, 1, 1])], 3, np.array([False, False, True])).D
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    """
    sizes = [int(code.max()) + 1 for code in codes]
    columns = [np.empty((prod(sizes), 0))]
    cell = np.zeros(n, int)
    for code, size, level in zip(codes, sizes, np.indices(sizes), strict=True):
        columns.append(dummies(level.ravel(), size))
        cell = cell * size + code
    D = np.hstack(columns)
    if absent is None:
        return Block(D, cell)
    D = np.pad(D, (0, 1))
    D[-1, -1] = 1
    return Block(D, np.where(absent, len(D) - 1, cell))


@dataclass
class CellGrid:
    """All cells: three blocks, the sampling fraction π of every cell of the first, and the counts.

    π is 0 where nothing was sampled, for what is not sampled cannot be estimated.
    """

    blocks: list
    pi: np.ndarray

    def __post_init__(self):
        """Lay the three blocks' columns side by side: `sides` says which are whose."""
        X, Y, Z = (block.D for block in self.blocks)
        x, y, z = (block.cell for block in self.blocks)
        ends = np.cumsum([0, X.shape[1], Y.shape[1], Z.shape[1]])
        self.sides = [slice(begin, end) for begin, end in pairwise(ends)]
        self.size = len(X) * len(Y) * len(Z)
        self.cell = (x * len(Y) + y) * len(Z) + z  # a number for each of all cells
        # The cells that have records: a record in each, the one every record is in, and their f.
        _, self.example, self.which, self.f = np.unique(
            self.cell, return_index=True, return_inverse=True, return_counts=True
        )
        self.pi_of_record = self.pi[x]
        self.d = np.hstack([X[x], Y[y], Z[z]])
        self.observed = self.d.T @ self.d  # entry ij: how many records have levels i and j

    def in_parts(self, function):
        """Call `function(rows)` for parts of the first block's rows, and list what it returns.

        Each part has a core of its own where there are two. The parts are the same on every
        machine, and so are sums.
        """
        if self.size <= MANY_CELLS:
            return [function(slice(0, len(self.pi)))]
        ends = np.linspace(0, len(self.pi), 1 + PARTS, dtype=int)
        rows = [slice(begin, end) for begin, end in pairwise(ends)]
        return map_parts(function, rows)

    def slabs(self, T, rows=slice(None)):
        """Yield μ and π of all cells in some rows, a bounded number with the same π at a time.

        >>> blocks = [list_cells([np.array([0, 1])], 2), list_cells([], 2), list_cells([], 2)]
        >>> toy = CellGrid(blocks, pi=np.array([0.5, 0.5]))
        >>> [(mu.item(), pi) for mu, pi in toy.slabs(np.diag(np.log([2, 6])))]
        [(1.0, 0.5), (3.0, 0.5)]
        """
        XY, XZ = self.factors_of_first(T, rows)
        YZ = self.factor_of_others(T)
        pi = self.pi[rows]
        step = max(1, AT_ONCE // YZ.shape[1])
        for x in np.flatnonzero(pi):
            for begin in range(0, len(YZ), step):
                y = slice(begin, begin + step)
                mu = XY[x, y, None] * YZ[y] * XZ[x]
                yield mu, pi[x].item()

    def factors_of_first(self, T, rows):
        """Return some rows of XY and XZ; what belongs to the first block alone goes to XY."""
        X, Y, Z = (block.D for block in self.blocks)
        x, y, z = self.sides
        X = X[rows]
        XY = X @ T[x, y] @ Y.T
        XZ = X @ T[x, z] @ Z.T
        XY += ((X @ T[x, x]) * X).sum(axis=1, keepdims=True)
        np.exp(XY, out=XY)  # in place: no array of this size is made twice
        np.exp(XZ, out=XZ)
        XY *= self.pi[rows, None]
        return XY, XZ

    def factor_of_others(self, T):
        """Return YZ, with what belongs to the second or the third block alone."""
        _, Y, Z = (block.D for block in self.blocks)
        _, y, z = self.sides
        YZ = Y @ T[y, z] @ Z.T
        YZ += ((Y @ T[y, y]) * Y).sum(axis=1, keepdims=True)
        YZ += ((Z @ T[z, z]) * Z).sum(axis=1)
        return np.exp(YZ, out=YZ)

    def expected(self, T):
        """Return the matrix of Σ_k μ_k d_i d_j: how many records should have levels i and j.

        Also their sum over all cells.
        """
        _, Y, Z = (block.D for block in self.blocks)
        _, y, z = self.sides
        YZ = self.factor_of_others(T)
        with np.errstate(over="ignore", invalid="ignore"):  # `too_many` sends the search back
            parts = self.in_parts(lambda rows: self._expected_in(rows, T, YZ))
            M = sum(M_of_part for M_of_part, _ in parts)
            over_x = sum(over_x_of_part for _, over_x_of_part in parts)
            yz = YZ * over_x
            M[y, y] = Y.T @ (yz.sum(axis=1)[:, None] * Y)
            M[z, z] = Z.T @ (yz.sum(axis=0)[:, None] * Z)
            M[y, z] = Y.T @ yz @ Z
        return np.triu(M) + np.triu(M, 1).T, yz.sum()

    def _expected_in(self, rows, T, YZ):
        """Return the part of some rows: where levels of the first block take part, and XY' XZ."""
        X, Y, Z = (block.D for block in self.blocks)
        x, y, z = self.sides
        X = X[rows]
        M = np.zeros_like(T)
        with np.errstate(over="ignore", invalid="ignore"):
            XY, XZ = self.factors_of_first(T, rows)
            xy = XY * (XZ @ YZ.T)
            xz = XZ * (XY @ YZ)
            M[x, x] = X.T @ (xy.sum(axis=1)[:, None] * X)
            M[x, y] = X.T @ xy @ Y
            M[x, z] = X.T @ xz @ Z
            return M, XY.T @ XZ

    def log_lambda(self, T):
        """Return d'T d of every record."""
        return ((self.d @ np.triu(T)) * self.d).sum(axis=1)

    def every_cell(self, T):
        """List d, π, λ and f of all cells, one by one: the definition, for small tables and tests.

        >>> blocks = [list_cells([np.array([0, 1, 1])], 3), list_cells([], 3), list_cells([], 3)]
        >>> toy = CellGrid(blocks, pi=np.array([0.5, 0.5]))
        >>> d, pi, lam, f = toy.every_cell(np.diag(np.log([2, 6])))
        >>> d.tolist(), pi.tolist(), lam.round(9).tolist(), f.tolist()
        ([[1.0, 0.0], [0.0, 1.0]], [0.5, 0.5], [2.0, 6.0], [1, 2])
        """
        X, Y, Z = (block.D for block in self.blocks)
        d = np.array([np.concatenate(rows) for rows in product(X, Y, Z)])
        lam = np.exp([row @ np.triu(T) @ row for row in d])
        pi = np.repeat(self.pi, len(d) // len(self.pi))
        f = np.bincount(self.cell, minlength=len(d))
        return d, pi, lam, f


def main_effects(grid):
    """Return T of the model without any interaction."""
    nothing = np.zeros_like(grid.observed)
    return fit(grid, nothing, penalty=0.0, T=nothing, precision=EXACT)


def fit(grid, E, penalty, T, precision=None):
    """Return the T that minimises the penalised objective; the search begins at `T`.

    Only interactions with E > 0 take part. Each is a difference of two numbers, plus − minus, both
    0 or more: at the minimum one of them is 0, so that their sum is |T_ij|, and the objective has
    a slope everywhere. Without a penalty, and where two levels never meet, the minimum lies at −∞;
    the search ends near it.
    """
    from scipy.optimize import minimize  # slow to import

    if precision is None:
        precision = FAST if grid.size > MANY_CELLS else EXACT
    moves = Coordinates(grid, E)
    too_many = FAR_TOO_MANY * (len(grid.d) + grid.expected(T)[1])
    weight = np.tile(penalty * np.sqrt(E[moves.i, moves.j]) / moves.sd, 2)

    def objective(theta):
        """Return the penalised objective and its slopes."""
        main, plus, minus = np.split(theta, moves.ends)
        T = moves.triangle(main, plus - minus)
        expected, total = grid.expected(T)
        if not total < too_many:  # also when it is no number any more
            return too_many, np.zeros_like(theta)
        value = total - (T * grid.observed).sum() + weight @ theta[len(T) :]
        slope_main, slope_pairs = moves.slopes(expected - grid.observed)
        slope_interactions = weight + np.concatenate([slope_pairs, -slope_pairs])
        return value, np.concatenate([slope_main, slope_interactions])

    main, pairs = moves.coordinates(T)
    start = np.concatenate([main, np.maximum(pairs, 0), np.maximum(-pairs, 0)])
    bounds = [(None, None)] * len(T) + [(0, STRONGEST * sd) for sd in np.tile(moves.sd, 2)]
    # `too_many` sends the search back. One thread: those of scipy would take turns with our own.
    with np.errstate(over="ignore", invalid="ignore"), threadpool_limits(1):
        best = minimize(
            objective,
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options=SEARCH | precision,
        )
    main, plus, minus = np.split(best.x, moves.ends)
    return moves.triangle(main, plus - minus)


class Coordinates:
    """What the search moves: main effects and interactions, counted from the mean.

    With p_i the share of households that have level i, the model can be written

        log λ = Σ_i main_i d_i + Σ_{i<j} T_ij (d_i − p_i)(d_j − p_j)

    If QIs are independent, none of these products is correlated with another, so that the search
    can move one interaction without putting all others right again: half as many steps. Multiplied
    out, it is d'T d. All are counted in standard deviations, to be alike to the search.
    """

    def __init__(self, grid, E):
        """Take the shares from E, the numbers expected from main effects alone."""
        i, j = np.nonzero(np.triu(E > 0, 1))  # the interactions that take part
        p = np.diag(E) / len(grid.d)
        self.i = i
        self.j = j
        self.p = p
        self.sd_main = np.sqrt(np.diag(grid.observed))
        self.sd = np.sqrt(E[i, j] * np.maximum((1 - p[i]) * (1 - p[j]), 0.01))
        self.ends = np.cumsum([len(E), len(i)])
        # One for every cell: so much of each main effect of the first block adds up to 1.
        X = grid.blocks[0].D
        self.one = np.zeros(len(E))
        self.one[grid.sides[0]] = np.linalg.lstsq(X, np.ones(len(X)))[0]

    def triangle(self, main, pairs):
        """Return T of the coordinates."""
        T = np.zeros((len(main), len(main)))
        T[self.i, self.j] = pairs / self.sd
        return T + np.diag(main / self.sd_main - self._moved(T))

    def coordinates(self, T):
        """Return the main effects and the interactions of T; the other way round."""
        main = np.diag(T) + self._moved(np.triu(T, 1))
        return main * self.sd_main, T[self.i, self.j] * self.sd

    def _moved(self, pairs):
        """Return by how much the main effects differ: Σ_j T_ij p_j, less a constant."""
        return (pairs + pairs.T) @ self.p - self.one * (self.p @ pairs @ self.p)

    def slopes(self, excess):
        """Return the slopes by main effects and by interactions, from those by T."""
        i, j, p = self.i, self.j, self.p
        main = np.diag(excess)
        pairs = excess[i, j] - p[j] * main[i] - p[i] * main[j] + p[i] * p[j] * (self.one @ main)
        return main / self.sd_main, pairs / self.sd
