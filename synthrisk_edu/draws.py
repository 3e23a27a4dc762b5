"""What does the intruder believe the synthesized values were? One frame for each draw.

A *draw* is one plausible version of the synthesized variables of all records. Which draws an
intruder has depends on what is known about the synthesis: the released files themselves, the mode
of each record (`mode_guess`), or simulations from the model (`model_draws`). An intruder who knows
why records were chosen simulates again what cannot be true (`simulate_again`). If the rows of the
files were shuffled, the intruder first puts them side by side again (`relink`).
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.cells import label_cells, label_levels
from synthrisk_edu.synthesis.lookalikes import draw_donors
from synthrisk_edu.synthesis.multinomial import MultinomialChain
from synthrisk_edu.utility import combine_estimates

MANY_LEVELS = 1_000  # of a variable whose ties are broken level by level
TRIES = 1_000  # to simulate a record that is possible


def mode_guess(
    released: Sequence[pd.DataFrame], synthesized: Sequence[str], rng: np.random.Generator
) -> pd.DataFrame:
    """Guess each record's synthesized values: the most frequent released one, ties at random.

    Returns a frame like the first released one, with a guess for every synthesized variable.

    >>> released = [pd.DataFrame({"job": [job]}) for job in "aab"]
    >>> mode_guess(released, ["job"], np.random.default_rng(1)).job.tolist()
    ['a']
    """
    released = checks.frames("released", released)
    synthesized = checks.names("synthesized", synthesized)
    checks.pairing(checks.by_place("released", released), [], synthesized)
    guess = released[0].copy()
    n = len(guess)
    for name in synthesized:
        columns = [data[name] for data in released]
        shown = label_levels(columns).reshape(-1, n)  # one row a data set
        times = sum((shown == row).astype(int) for row in shown)
        # A random part below 1 decides between levels that are equally frequent. A quantity has
        # too many levels for that; there every value that is shown gets a part of its own.
        levels = shown.max() + 1
        if levels <= MANY_LEVELS:
            chance = rng.random((levels, n))[shown, np.arange(n)]
        else:
            chance = rng.random(shown.shape)
        best = (times + 0.5 * chance).argmax(axis=0)
        values = pd.concat(columns, ignore_index=True)
        guess[name] = values.array.take(best * n + np.arange(n))
    return guess


def relink(released: Sequence[pd.DataFrame], by: Sequence[str]) -> list[pd.DataFrame]:
    """Put the rows of shuffled files in the order of the first, as far as some columns tell.

    `by` names columns that were not synthesized. Rows that agree on all of them are put side by
    side. Among rows with equal values (ties) nobody can tell which is which: they come in the order
    in which they stand.

    >>> first = pd.DataFrame({"town": list("ABA"), "job": list("xyz")})
    >>> second = pd.DataFrame({"town": list("BAA"), "job": list("wuv")})
    >>> relink([first, second], ["town"])[1]  # B is back; the two of A may be exchanged
      town job
    0    A   u
    1    B   w
    2    A   v
    """
    released = checks.frames("released", released)
    files = checks.by_place("released", released)
    by = checks.names("by", by, "column that was not synthesized")
    checks.same_kind(files, by)
    checks.same_length(files)
    first, *_ = labels = label_cells(released, by)
    place = np.argsort(first, kind="stable")  # where the rows of the first file are, sorted
    linked = []
    for (name, data), label in zip(files.items(), labels, strict=True):
        order = np.argsort(label, kind="stable")
        if not np.array_equal(label[order], first[place]):
            raise ValueError(
                f"released[0] and {name} have different values in {', '.join(map(str, by))}; "
                "link by columns that were not synthesized."
            )
        row = np.empty(len(data), dtype=int)
        row[place] = order
        linked.append(data.iloc[row].set_axis(released[0].index))
    return linked


def model_draws(
    fits: Sequence[MultinomialChain],
    data: pd.DataFrame,
    rng: np.random.Generator,
    h: int = 100,
    *,
    drawn: bool = False,
    possible: Callable[[pd.DataFrame], Sequence[bool]] | None = None,
    among: Sequence[bool] | None = None,
) -> list[pd.DataFrame]:
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
    chain = fits[0]
    betas_by_variable = []
    for k in range(len(chain.variables)):
        estimates = [fit.estimates[k] for fit in fits]
        covariances = [fit.covariances[k] for fit in fits]
        mean, *_, total = combine_estimates(estimates, covariances)
        if drawn:
            betas_by_variable.append(rng.multivariate_normal(mean, total, h, method="cholesky"))
        else:
            betas_by_variable.append([mean] * h)
    betas = list(zip(*betas_by_variable, strict=True))  # one β of every variable for each draw
    draws = chain.draws(data, rng, betas)
    if among is not None:
        draws = [draw.where(pd.Series(among, data.index), data, axis=0) for draw in draws]
    if possible is None:
        return draws
    possible_draws = []
    for draw, beta in zip(draws, betas, strict=True):

        def again(wrong, beta=beta):
            """Draw these records anew from the same β."""
            return chain.draw(data.iloc[wrong], rng, beta)

        possible_draws.append(_until_possible(draw, again, possible))
    return possible_draws


def simulate_again(
    draw: pd.DataFrame,
    variables: Sequence[str],
    possible: Callable[[pd.DataFrame], Sequence[bool]],
    given: Sequence[str],
    rng: np.random.Generator,
    *,
    among: Sequence[bool] | None = None,
) -> pd.DataFrame:
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
    variables = checks.names("variables", variables)
    given = checks.names("given", given)
    checks.frame("draw", draw, [*variables, *given])
    (cell,) = label_cells([draw], given)
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
