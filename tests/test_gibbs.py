"""The Gibbs sampler of the mixture, held to the exact posterior of the ten people of lesson 03.

Ten people and three classes have 3¹⁰ = 59,049 assignments z, few enough to weigh each one:

    Pr(z | x) ∝ Pr(x | z) · ∫ Pr(z | α) p(α) dα

- Pr(x | z): each class and variable has a table from Dirichlet(1, …, 1). With the table integrated
  out, L levels counted n_1 … n_L in the class give (L − 1)! · Π n_l! / (n + L − 1)!.
- Pr(z | α): V_k ~ Beta(1, α) for every class but the last. With V integrated out, n people in
  class k and `later` people in the classes after it give B(1 + n, α + later) / B(1, α).
- p(α) is Gamma(¼, ¼). With α = u⁴ its density 4u³ p(u⁴) ∝ exp(−u⁴ / 4) has no pole at 0.

None of this uses the code of the sampler, and nothing is drawn.
"""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.special import betaln, digamma, gammaln, polygamma

from synthrisk_classroom.lessons import lesson_03
from synthrisk_edu.synthesis.dpmpm import GibbsSampler

CLASSES = 3


@pytest.fixture(scope="module")
def ten():
    return lesson_03.data()["ten"][["MAR", "DIS"]]


def exact_shares(data):
    """The posterior shares of one, two and three classes with somebody in them."""
    z = np.array(list(product(range(CLASSES), repeat=len(data))))
    log_weight = log_likelihood(data, z) + log_prior(z)
    weight = np.exp(log_weight - log_weight.max())
    used = np.array([len(set(classes)) for classes in z.tolist()])
    return np.bincount(used, weight)[1:] / weight.sum()


def in_each(z, chosen=slice(None)):
    """How many of the chosen people are in each class, a row for each assignment."""
    return np.column_stack([(z[:, chosen] == k).sum(axis=1) for k in range(CLASSES)])


def log_likelihood(data, z):
    """log Pr(x | z), the tables of all classes integrated out."""
    of_class = in_each(z)
    total = np.zeros(len(z))
    for name in data:
        levels = data[name].unique()
        table = gammaln(len(levels)) - gammaln(of_class + len(levels))
        for level in levels:
            table += gammaln(1 + in_each(z, np.flatnonzero(data[name] == level)))
        total += table.sum(axis=1)
    return total


def log_prior(z):
    """log Pr(z), the sticks and α integrated out; the integral over u is a sum over a fine grid."""
    counts, which = np.unique(in_each(z), axis=0, return_inverse=True)
    later = counts[:, ::-1].cumsum(axis=1)[:, ::-1] - counts
    u = (np.arange(20_000) + 0.5) / 20_000 * 4  # α up to 256, where exp(−α / 4) has long vanished
    alpha = u**4
    density = np.exp(-alpha / 4)
    prior = []
    for n, after in zip(counts, later, strict=True):
        log_z = np.zeros(len(u))
        for k in range(CLASSES - 1):
            log_z += betaln(1 + n[k], alpha + after[k]) - betaln(1, alpha)
        prior.append(np.log((np.exp(log_z) * density).sum()))
    return np.array(prior)[which.ravel()]


def test_the_long_run_has_the_exact_shares_of_one_two_and_three_classes(ten):
    """Within four standard errors, which follow from the run itself.

    Steps that follow each other are alike, so 20,000 of them tell as much as a few hundred
    independent draws. The means of long batches hardly depend on each other: their spread is the
    standard error. It must be small, or the comparison would say nothing.
    """
    exact = exact_shares(ten)
    assert exact.round(3).tolist() == [0.279, 0.334, 0.387]
    batches = 40
    used = classes_used(ten, steps=20_000, seed=1)
    for number, truth in enumerate(exact, start=1):
        of_batches = (used == number).reshape(batches, -1).mean(axis=1)
        error = of_batches.std(ddof=1) / batches**0.5
        assert error < 0.05
        assert abs(of_batches.mean() - truth) < 4 * error


def classes_used(data, steps, seed):
    """In how many classes the people are, step by step."""
    sampler = GibbsSampler(data, CLASSES, np.random.default_rng(seed))
    used = []
    for _ in range(steps):
        sampler.step()
        used.append(np.count_nonzero(sampler.counts.sum(axis=0)))
    return np.array(used)


@pytest.mark.parametrize("b", [1e-3, 0.005, 0.25, 1, 4.5, 300])
@pytest.mark.parametrize("a", [1, 3, 5_000])
def test_sticks_have_the_means_of_their_logarithms(a, b):
    """Of V ~ Beta(a, b): log V has the mean ψ(a) − ψ(a + b), and log(1 − V) ψ(b) − ψ(a + b)."""
    draws = 20_000
    sampler = GibbsSampler(pd.DataFrame({"job": list("ab")}), 2, np.random.default_rng(1))
    log_v, log_rest = sampler._draw_log_sticks(np.full(draws, a), np.full(draws, b))
    assert np.exp(log_v) + np.exp(log_rest) == pytest.approx(1)
    assert log_rest.max() < 0 and np.isfinite(log_rest).all()
    for logs, shape in ((log_v, a), (log_rest, b)):
        mean = digamma(shape) - digamma(a + b)
        variance = polygamma(1, shape) - polygamma(1, a + b)
        assert abs(logs.mean() - mean) < 4 * (variance / draws) ** 0.5 + 1e-12
