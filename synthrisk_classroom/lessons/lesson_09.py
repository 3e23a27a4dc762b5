"""Lesson 09: a report on one's own pair of files."""

import numpy as np
import pandas as pd

from synthrisk_edu.data import in_words, load_ce
from synthrisk_edu.members import halves
from synthrisk_edu.synthesis import synthesize_cart

TITLE = "Your own data"

NUMBERS = ["Expenditure", "Income"]


def data(seed=None):
    """Return the office's eight persons, and the consumer units with three releases of them.

    `made` is a good release, `careless` moves every amount by at most two per cent, `shuffled` is
    the confidential file itself, `disguised` a shuffled copy with ages a year off and amounts moved
    by at most one per cent. `took_part` and `others` are two halves of the units, and
    `half_made` was synthesized from the first half alone.
    """
    office = pd.DataFrame(
        {
            "Sex": list("FFFFMMMM"),
            "Town": list("AABBAABB"),
            "Job": "cook nurse cook cook nurse nurse cook pilot".split(),
        }
    )
    released = office.assign(Job="cook cook cook nurse nurse cook cook cook".split())
    rng = np.random.default_rng(1)
    units = in_words(load_ce(), "ce")
    moved = units[NUMBERS] * rng.uniform(0.98, 1.02, (len(units), 2))
    took_part, others = halves(units, rng)
    shuffled = units.sample(frac=1, random_state=1, ignore_index=True)
    year_off = shuffled.Age + rng.choice([-1, 1], len(units))
    nearly = shuffled[NUMBERS] * rng.uniform(0.99, 1.01, (len(units), 2))
    return {
        "office": office,
        "released": released,
        "units": units,
        "made": synthesize_cart(units, NUMBERS, seed=1)[0],
        "careless": units.assign(**moved.round().astype(units[NUMBERS].dtypes)),
        "shuffled": shuffled,
        "disguised": shuffled.assign(Age=year_off, **nearly.round()),
        "took_part": took_part,
        "others": others,
        "half_made": synthesize_cart(took_part, NUMBERS, seed=1)[0],
    }
