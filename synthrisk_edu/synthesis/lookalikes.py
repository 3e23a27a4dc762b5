"""The simplest synthesizer there is, good enough to see risk fall in the first lessons.

A record's values are replaced by those of a random record that looks like it.
"""

import numpy as np
import pandas as pd

from synthrisk_edu.levels import number_combinations
from synthrisk_edu.synthesis import checks
from synthrisk_edu.synthesis.donors import draw_donors, take_values

GROUPS = 10  # a numeric variable to look alike on is cut into this many groups of equal size


def redraw(data, variables, given, share=1.0, *, seed=None):
    """Replace `variables` in a share of the records by those of a record that looks alike.

    Two records look alike when they agree on every variable in `given`; numbers agree when they
    fall into the same tenth of the file. Each record draws its donor at random among those that
    look like it, itself included. With equal seeds a larger share redraws the same records and
    more, from the same donors, so that a slider over the share moves smoothly.

    >>> people = pd.DataFrame({"Town": list("AABBB"), "Job": ["baker", "cook", *["nurse"] * 3]})
    >>> redraw(people, ["Job"], ["Town"], share=0, seed=1).equals(people)
    True
    >>> redraw(people, ["Job"], ["Town"], seed=1).Job.tolist()[2:]
    ['nurse', 'nurse', 'nurse']
    """
    checks.frame("data", data)
    variables, given = checks.names("variables", variables), checks.names("given", given)
    checks.columns("data", data, [*variables, *given])
    checks.bounded("data", data, given)
    share = checks.number("share", share, 0, 1)
    rng = checks.generator(seed)
    grouped = data[given].copy()
    for name in given:
        if checks.is_numeric(data[name]):
            grouped[name] = _tenths(data[name])
    cell = number_combinations([grouped], given)[0]
    donors = draw_donors(cell, cell, rng)
    chosen = rng.random(len(data)) < share
    source = np.where(chosen, donors, np.arange(len(data)))
    synthetic = data.copy()
    for name in variables:
        synthetic[name] = take_values(data[name], source)
    return synthetic


def _tenths(column):
    """The tenth of the file each number falls into; missing stays missing."""
    values = pd.Series(column.to_numpy(dtype=float, na_value=np.nan), index=column.index)
    tenth = pd.qcut(values, GROUPS, labels=False, duplicates="drop")
    return tenth.mask(tenth.isna() & values.notna(), 0)  # all numbers equal: one group
