"""What if every count gets some noise? Differential privacy, beside DiSCO.

A method is ε-differentially private if one person more or less changes nothing by much. For every
two tables that differ by one person, and for every result that the method may publish,

    Pr(result | with the person) ≤ e^ε · Pr(result | without the person)

and the other way round. The promise is about the method, not about one file.

Counts keep it with **Laplace noise**. A person stands in one cell of a table, so that taking part
changes one count, by 1. Noise of density ε/2 · e^(−ε·|x|), with scale 1/ε, is added to every count,
also to those that are 0. Rounding afterwards, and writing the counts out as records, uses nothing
but what was published already: the promise stays.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.disco import chain

LEAST, MOST = 0.001, 1000.0  # of ε: outside of it nothing is left of the counts, or of the promise
MOST_CELLS = 2_000_000


def noisy_counts(counts: pd.Series, epsilon: float, *, seed: int | None = None) -> pd.Series:
    """Add Laplace noise with scale 1/ε to every count; it may get below 0.

    `counts` has an entry for every cell that is possible, also for the empty ones: a cell that is
    left out where nobody is tells that nobody is there.

    >>> noisy_counts(pd.Series({"single": 2, "widowed": 1, "divorced": 0}), 1, seed=1).round(1)
    single      2.0
    widowed     3.3
    divorced   -1.2
    dtype: float64
    """
    checks.number("epsilon", epsilon, LEAST, MOST)
    noise = checks.generator(seed).laplace(loc=0, scale=1 / epsilon, size=len(counts))
    return counts + noise


def possible_counts(data: pd.DataFrame) -> pd.Series:
    """Count every combination of the columns' categories, whether anybody has it or not.

    >>> jobs = pd.Categorical(["baker", "cook", "baker"], ["baker", "cook", "nurse"])
    >>> possible_counts(pd.DataFrame({"Job": jobs})).to_dict()
    {'baker': 2, 'cook': 1, 'nurse': 0}
    """
    _check_levels(data)
    return data.groupby(list(data), observed=False).size()


def synthesize_noisy(
    data: pd.DataFrame, epsilon: float, *, seed: int | None = None
) -> pd.DataFrame:
    """Write noisy counts out as records: rounded, and none below 0.

    All columns hold categories, whose levels were fixed beforehand. The file has about as many
    records as the data, or more: where nobody is, noise can only add. A second file made in this
    way costs as much again: both together promise 2ε.

    >>> jobs = pd.Categorical(["baker", "cook", "baker"], ["baker", "cook", "nurse"])
    >>> synthesize_noisy(pd.DataFrame({"Job": jobs}), 1, seed=1).Job.tolist()
    ['baker', 'baker', 'cook', 'cook', 'cook']
    """
    counts = possible_counts(data)
    times = as_records(noisy_counts(counts, epsilon, seed=seed))
    rows = counts.index.repeat(times).to_frame(index=False)
    return rows.astype(data.dtypes)


def as_records(noisy):
    """Turn noisy counts into numbers of records: whole, and 0 or more.

    >>> as_records(pd.Series([1.6, -0.7, 0.4])).tolist()
    [2, 0, 0]
    """
    return noisy.round().clip(lower=0).astype(int)


def noise_draws(
    data: pd.DataFrame,
    keys: Sequence[str],
    target: str,
    epsilon: float,
    *,
    looked_at: Sequence[str],
    files: int = 100,
    seed: int | None = None,
) -> pd.DataFrame:
    """Make many noisy files, and say of each what two intruders get from it.

    | column | |
    |---|---|
    | `DiSCO` | an intruder believes a single answer under the keys: right for so many per cent |
    | `guess` | another guesses the commonest answer of the rows that agree on `looked_at` |
    | `off` | by how many records the cells are off, all in all, in per cent of the people |
    | `records` | the number of records in the file |

    >>> jobs = pd.Categorical(["baker", "cook", "baker"], ["baker", "cook", "nurse"])
    >>> people = pd.DataFrame({"Town": pd.Categorical(["A", "B", "A"]), "Job": jobs})
    >>> noise_draws(people, ["Town"], "Job", 100, looked_at=["Town"], files=1, seed=1)
       DiSCO  guess  off  records
    0  100.0  100.0  0.0        3
    """
    keys = checks.names("keys", keys, "key")
    looked_at = checks.names("looked_at", looked_at, "key")
    checks.apart({"keys": keys, "target": [target]})
    checks.frame("data", data, [*keys, target])
    checks.mapping("looked_at", dict.fromkeys(looked_at), keys, "one of the keys")
    checks.number("files", files, 1, whole=True)
    rng = checks.generator(seed)

    counts = possible_counts(data[[*keys, target]])
    d = counts.to_numpy()
    q = counts.groupby(level=keys, observed=False).ngroup().to_numpy()
    group = counts.groupby(level=looked_at, observed=False).ngroup().to_numpy()
    answer = counts.index.get_level_values(target).codes.astype(int)
    true_answers = _by_group(group, answer, d)
    rows = []
    for _ in range(files):
        noisy = noisy_counts(counts, epsilon, seed=int(rng.integers(2**31)))
        s = as_records(noisy).to_numpy()
        _, _, correct, _ = chain(q, d, s)
        commonest = _by_group(group, answer, s).argmax(axis=1)
        guessed_right = true_answers[np.arange(len(true_answers)), commonest]
        rows.append(
            {
                "DiSCO": 100 * d[correct].sum() / d.sum(),
                "guess": 100 * guessed_right.sum() / d.sum(),
                "off": 100 * np.abs(s - d).sum() / d.sum(),
                "records": s.sum(),
            }
        )
    return pd.DataFrame(rows)


def _by_group(group, answer, counts):
    """Return a table of counts: a row for each group, a column for each answer."""
    groups = group.max() + 1
    answers = answer.max() + 1
    sums = np.bincount(group * answers + answer, counts, minlength=groups * answers)
    return sums.reshape(groups, answers)


def _check_levels(data):
    """All columns hold categories, nothing is missing, and there are not too many cells."""
    checks.frame("data", data)
    checks.complete("data", data, list(data))
    cells = 1
    for name in data:
        if not isinstance(data[name].dtype, pd.CategoricalDtype):
            raise TypeError(
                f"column {checks.show(name)} of data holds no categories; say beforehand which "
                "levels there are: pandas.Categorical(values, levels). Levels that are taken from "
                "the data tell that somebody has them."
            )
        cells *= len(data[name].cat.categories)
    if cells > MOST_CELLS:
        raise ValueError(
            f"data has {cells:,} possible combinations, and each gets its noise: more than "
            f"{MOST_CELLS:,} are too many. Leave a column out, or merge levels."
        )
