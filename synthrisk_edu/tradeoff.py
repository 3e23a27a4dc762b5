"""How do risk and utility go together? Summaries of many synthetic data sets at once."""

import pandas as pd

from synthrisk_edu import old_checks as checks


def quartiles(results):
    """Return the minimum, the quartiles and the maximum of every column: a box in each direction.

    >>> quartiles(pd.DataFrame({"risk": [1, 2, 3, 4, 5]})).risk.tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0]
    """
    _numbers_only("results", results)
    levels = {"minimum": 0, "first": 0.25, "median": 0.5, "third": 0.75, "maximum": 1}
    return results.quantile(list(levels.values())).set_axis(list(levels))


def average_of_m(pool, m, repeats=1000, seed=0):
    """Average m different data sets drawn at random from a pool, many times over.

    One row per repeat: what an office would report if these were the m data sets that it made.

    >>> pool = pd.DataFrame({"risk": [1.0, 2.0, 3.0]})
    >>> average_of_m(pool, m=3, repeats=2).risk.tolist()
    [2.0, 2.0]
    """
    _numbers_only("pool", pool)
    m, repeats, rng = checks.count("m", m), checks.count("repeats", repeats), checks.generator(seed)
    if m > len(pool):
        raise ValueError(f"m is {m}, but the pool has only {len(pool)} data sets; take fewer.")
    chosen = rng.random((repeats, len(pool))).argpartition(m - 1, axis=1)[:, :m]
    return pd.DataFrame({name: pool[name].to_numpy()[chosen].mean(axis=1) for name in pool})


def _numbers_only(argument, data):
    """Every column of a frame holds numbers; there is at least one row."""
    for name in checks.usable_frame(argument, data).columns:
        checks.numeric(argument, data, name)
