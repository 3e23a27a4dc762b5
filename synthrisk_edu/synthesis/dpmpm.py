"""Synthesis by DPMPM: a Dirichlet process mixture of products of multinomials.

Every record belongs to a hidden class. Within a class the variables are independent: class k has a
table φ_kj of probabilities for each variable j. Classes mixed together give any dependence.

    z_i ~ π        x_ij | z_i = k ~ φ_kj        φ_kj ~ Dirichlet(1, …, 1)
    π_k = V_k Π_{l<k} (1 − V_l),   V_k ~ Beta(1, α),   α ~ Gamma(¼, ¼)

The Gibbs sampler draws z, φ, V and α in turn, many times. A synthetic data set takes one such
draw: each record keeps its class, and its synthesized variables are drawn anew from that class.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.progress import track
from synthrisk_edu.synthesis import doors
from synthrisk_edu.synthesis.lookalikes import pick, take_values

PRIOR = 0.25  # both parameters of the Gamma prior of α
TINY = 1e-300  # keeps the logarithms of tables and of the first shares finite


def synthesize_dpmpm(
    data: pd.DataFrame,
    variables: Sequence[str],
    m: int = 1,
    *,
    classes: int = 40,
    iterations: int = 1000,
    seed: int | None = None,
    progress: bool = False,
) -> list[pd.DataFrame]:
    """Replace categorical `variables` by draws from a mixture; return m data sets.

    Args:
        data: the confidential data; every column is a category and takes part in the model.
        variables: names of the variables to synthesize.
        m: how many synthetic data sets to make.
        classes: the largest number of classes; those not needed stay empty.
        iterations: steps of the Gibbs sampler. The first half is not used; the m data sets come
            from draws spread evenly over the second half.
        seed: equal seeds, equal data sets.
        progress: show a line of progress.
    """
    variables = doors.to_synthesize(data, variables)
    checks.categories("data", data, list(data.columns))
    doors.no_numbers_as_text(data, data.columns)
    checks.number("m", m, 1, whole=True)
    checks.number("classes", classes, 2, whole=True)
    checks.number("iterations", iterations, 2 * m, whole=True)
    sampler = GibbsSampler(data, classes, checks.generator(seed))
    taken = set(np.linspace(iterations - 1, iterations // 2, m).round().astype(int))
    synthetics = []
    for iteration in track(range(iterations), "DPMPM", progress):
        sampler.step()
        if iteration in taken:
            synthetics.append(sampler.synthesize(data, variables))
    return synthetics


def watch_classes(
    data: pd.DataFrame, *, classes: int = 3, steps: int = 40, seed: int | None = None
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Run the Gibbs sampler, and keep what it draws: who is in which class, π and φ.

    Returns three frames with a row for each step, beginning with the start (step 0): the class of
    every record; the share π of every class; the chance φ of (variable, level, class).

    >>> z, pi, phi = watch_classes(pd.DataFrame({"job": list("aab")}), classes=2, steps=5, seed=1)
    >>> z.shape, pi.sum(axis=1).round(9).unique().tolist()
    ((6, 3), [1.0])
    """
    checks.categories("data", data, list(data.columns))
    checks.number("classes", classes, 2, whole=True)
    checks.number("steps", steps, 1, whole=True)
    sampler = GibbsSampler(data, classes, checks.generator(seed))
    z, pi, phi = [], [], []
    for step in range(steps + 1):
        if step > 0:
            sampler.step()
        z.append(sampler.deal())
        pi.append(np.exp(sampler.log_pi))
        phi.append(sampler.phi.ravel())
    places = []  # of the numbers in φ: variable, level and class
    for name, examples in zip(data, sampler.example, strict=True):
        for level in data[name].iloc[examples]:
            places += [(name, level, k) for k in range(classes)]
    columns = pd.MultiIndex.from_tuples(places)
    return pd.DataFrame(z), pd.DataFrame(pi), pd.DataFrame(phi, columns=columns)


class GibbsSampler:
    """The state of the Gibbs sampler.

    Records that agree on everything have the same class probabilities, so the sampler works on
    the distinct rows and on how many records share each. The tables φ of all variables stand below
    each other in one array, a line for each level of each variable and a column for each class;
    `has` says which of these levels a row has.
    """

    def __init__(self, data: pd.DataFrame, classes: int, rng: np.random.Generator) -> None:
        """Begin with everybody in the class of a random record."""
        from scipy.sparse import csr_array  # slow to import

        self.rng = rng
        self.classes = classes
        self.alpha = 1.0
        codes = [pd.factorize(data[name], use_na_sentinel=False)[0] for name in data]
        # A record in which each level stands, to take the level from.
        self.example = [np.unique(code, return_index=True)[1] for code in codes]
        self.levels = [len(examples) for examples in self.example]
        rows, row_of, self.size = np.unique(
            np.array(codes), axis=1, return_inverse=True, return_counts=True
        )
        self.row_of = row_of.ravel()
        has_level = []  # of every variable, a column for each level
        for codes_of_rows, levels in zip(rows, self.levels, strict=True):
            has_level.append(cells.dummies(codes_of_rows, levels))
        self.has = csr_array(np.hstack(has_level))
        self.counts = self._first_classes()  # of every row, how many are in each class
        shares = self.counts.sum(axis=0) / len(data)
        self.log_pi = np.log(np.maximum(shares, TINY))
        self.phi = self._draw_phi(self.counts)

    def _first_classes(self):
        """Start from random records: everybody joins the one he or she agrees with most.

        A start in which all classes look the same takes far longer to find good ones.
        """
        n = len(self.size)
        centres = self.rng.choice(n, min(self.classes, n), False, self.size / self.size.sum())
        agree = (self.has @ self.has[centres].T).toarray()
        nearest = (agree + 0.5 * self.rng.random(agree.shape)).argmax(axis=1)  # ties at random
        return self.size[:, None] * cells.dummies(nearest, self.classes)

    def step(self) -> None:
        """Draw everybody's class z, the tables φ, the shares π of the classes, and α once each."""
        self.counts = counts = self.rng.multinomial(self.size, self.class_probabilities())
        self.phi = self._draw_phi(counts)
        in_class = counts.sum(axis=0)
        later = in_class[::-1].cumsum()[::-1] - in_class  # how many are in the classes after k
        log_v, log_rest = self._draw_log_sticks(1 + in_class[:-1], self.alpha + later[:-1])
        log_left = np.concatenate([[0.0], np.cumsum(log_rest)])  # log Π_{l<k} (1 − V_l)
        self.log_pi = np.concatenate([log_v, [0.0]]) + log_left
        rate = PRIOR - self.log_pi[-1]
        self.alpha = self.rng.gamma(PRIOR + self.classes - 1, 1 / rate)

    def _draw_log_sticks(self, a, b):
        """Draw V ~ Beta(a, b) as G_a / (G_a + G_b), two Gamma draws; return log V and log(1 − V).

        With few records b is small, and V so near to 1 that 1 − V rounds to 0; its logarithm does
        not. A Gamma draw of a shape below 1 may itself round to 0: there G_b = G_{b+1} · U^{1/b}.
        """
        shape = np.column_stack([a, b])
        small = shape < 1
        log_gamma = np.log(self.rng.standard_gamma(shape + small))
        log_gamma[small] -= self.rng.standard_exponential(small.sum()) / shape[small]
        log_a, log_b = log_gamma.T
        log_sum = np.logaddexp(log_a, log_b)
        return log_a - log_sum, log_b - log_sum

    def class_probabilities(self) -> np.ndarray:
        """Pr(z = k | x) of every distinct row, proportional to π_k Π_j φ_kj[x_j]."""
        log_p = self.has @ np.log(self.phi) + self.log_pi
        p = np.exp(log_p - log_p.max(axis=1, keepdims=True))
        return p / p.sum(axis=1, keepdims=True)

    def _draw_phi(self, counts):
        """Draw the table of each class and variable from Dirichlet(1 + counts)."""
        gamma = self.rng.standard_gamma(1 + self.has.T @ counts)
        first = np.cumsum([0, *self.levels[:-1]])  # the first line of each variable
        total = np.add.reduceat(gamma, first, axis=0)
        return np.maximum(gamma / np.repeat(total, self.levels, axis=0), TINY)

    def deal(self) -> np.ndarray:
        """Return a class for every record: of those who agree on everything, as many as counted."""
        dealt = []
        for in_class in self.counts.astype(int):  # the records of one row, counted by class
            classes = np.repeat(np.arange(self.classes), in_class)
            dealt.append(self.rng.permutation(classes))
        z = np.empty(len(self.row_of), dtype=int)
        z[np.argsort(self.row_of, kind="stable")] = np.concatenate(dealt)
        return z

    def synthesize(self, data: pd.DataFrame, variables: Sequence[str]) -> pd.DataFrame:
        """Draw each record's class, then its synthesized variables from that class."""
        z = pick(self.class_probabilities().cumsum(axis=1)[self.row_of], self.rng)
        tables = np.split(self.phi, np.cumsum(self.levels)[:-1])
        synthetic = data.copy()
        for name in variables:
            j = data.columns.get_loc(name)
            level = pick(tables[j].T.cumsum(axis=1)[z], self.rng)
            synthetic[name] = take_values(data[name], self.example[j][level])
        return synthetic
