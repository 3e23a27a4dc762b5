"""One logistic regression for all: of two levels for pMSE, of many for multinomial synthesis.

    Pr(level k) = exp(x'β_k) / (1 + Σ_l exp(x'β_l)),   β_0 = 0

What is minimised is minus the log-likelihood, and a ridge, Σ penalty·β²/2, which keeps estimates
finite where a small group separates perfectly.
"""

from collections.abc import Iterable

import numpy as np

MOST_STEPS = 100
ROUNDING = 1e-13  # relative to the loss: a smaller gain cannot be seen in it


def fit_logistic(
    blocks: Iterable[tuple[np.ndarray, np.ndarray]],
    levels: int,
    penalty: np.ndarray,
    close: float = 1e-6,
) -> tuple[np.ndarray, np.ndarray]:
    """Return β, a row for each level but the first, and its information matrix.

    `blocks` are pairs (x, counts), all rows or a few at a time: counts says how many of the records
    with a row of x have each level. `penalty` is the ridge of each column of x.

    Newton's method: the step from β is H⁻¹g, with the gradient g and the information H of what is
    minimised. It is halved until it leads downhill. The search ends `close` standard deviations
    from the minimum.
    """
    beta = np.zeros((levels - 1, len(penalty)))
    loss, gradient, information = derivatives(beta, blocks, penalty)
    for _ in range(MOST_STEPS):
        step = np.linalg.solve(information, gradient.ravel()).reshape(beta.shape)
        gain = (gradient * step).sum()
        if gain < close**2:
            break
        new_loss, new_gradient, new_information = derivatives(beta - step, blocks, penalty)
        while new_loss > loss - gain / 4 + ROUNDING * loss and gain > close**2:
            step = step / 2
            gain = gain / 2
            new_loss, new_gradient, new_information = derivatives(beta - step, blocks, penalty)
        beta = beta - step
        loss, gradient, information = new_loss, new_gradient, new_information
    return beta, information


def derivatives(
    beta: np.ndarray, blocks: Iterable[tuple[np.ndarray, np.ndarray]], penalty: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return what is minimised, at β, with its gradient and the information matrix."""
    loss = gradient = information = 0.0
    for x, counts in blocks:
        n = counts.sum(axis=1)
        p = shares(x @ beta.T)
        loss = loss - (counts * np.log(np.maximum(p, 1e-300))).sum()
        gradient = gradient + (n[:, None] * p - counts)[:, 1:].T @ x
        information = information + information_matrix(x, n, p[:, 1:])
    ridge = np.diag(np.tile(penalty, len(beta)))
    loss = loss + (penalty * beta**2).sum() / 2
    return loss, gradient + penalty * beta, information + ridge


def information_matrix(x: np.ndarray, n: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return the information on β: row i of x stands for n_i records with probabilities p_i.

    Block (a, b) is Σ_i n_i p_a (1[a = b] − p_b) x x': one product for all, less the diagonal.
    """
    levels = p.shape[1]
    k = x.shape[1]
    x = np.sqrt(n)[:, None] * x
    p_x = (p[:, :, None] * x[:, None, :]).reshape(len(x), levels * k)  # p_a x, level after level
    information = -(p_x.T @ p_x)
    for a in range(levels):
        block = slice(a * k, (a + 1) * k)
        information[block, block] += x.T @ p_x[:, block]
    return information


def shares(eta: np.ndarray) -> np.ndarray:
    """Pr(level k) = exp(η_k) / Σ_l exp(η_l), with η = 0 for a first level that is put in front.

    >>> shares(np.log([[1.0, 2.0]])).tolist()
    [[0.25, 0.25, 0.5]]
    """
    p = np.zeros((len(eta), 1 + eta.shape[1]))
    p[:, 1:] = eta
    p -= p.max(axis=1, keepdims=True)
    np.exp(p, out=p)
    p /= p.sum(axis=1, keepdims=True)
    return p
