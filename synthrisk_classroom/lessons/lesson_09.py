"""Lesson 09: a report on one's own pair of files."""

import numpy as np
import pandas as pd

from synthrisk_classroom.dora import Dora
from synthrisk_classroom.exercise import exercise, recall
from synthrisk_classroom.forms import Function
from synthrisk_edu.data import in_words, load_ce
from synthrisk_edu.matching import baseline, floor, match
from synthrisk_edu.members import halves
from synthrisk_edu.nearest import nearest_distances
from synthrisk_edu.synthesis import synthesize_cart
from synthrisk_edu.words import counted

TITLE = "Your own data"

NUMBERS = ["Expenditure", "Income"]


def data(seed=None):
    """Return the office's eight people, and the consumer units with releases of them.

    `made` is a partial release: the two amounts come from trees. In `full` every column does.
    `careless` moves every amount by at most two per cent, `shuffled` is the confidential file
    itself, `disguised` a shuffled copy with ages a year off and amounts moved by at most one per
    cent, `new_income` a copy with the incomes shuffled. `took_part` and `others` are two halves of
    the units, and `half_made` was synthesized, all of it, from the first half alone.
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
    return {
        "office": office,
        "released": released,
        "units": units,
        "made": synthesize_cart(units, NUMBERS, seed=1)[0],
        "full": synthesize_cart(units, list(units), seed=1)[0],
        "careless": units.assign(**moved.round().astype(units[NUMBERS].dtypes)),
        "shuffled": shuffled,
        "disguised": disguise(shuffled, rng),
        "new_income": units.assign(Income=rng.permutation(units.Income)),
        "took_part": took_part,
        "others": others,
        "half_made": synthesize_cart(took_part, list(units), seed=1)[0],
    }


def disguise(units, rng):
    """Return the same units with ages a year off and amounts moved by at most one per cent."""
    year_off = units.Age + rng.choice([-1, 1], len(units))
    nearly = units[NUMBERS] * rng.uniform(0.99, 1.01, (len(units), 2))
    return units.assign(Age=year_off, **nearly.round())


# Dora
DORA = "units", 2146
LIKE = {"Marital": "widowed", "Urban": "rural", "Age": 58}
KNOWN = ["Age", "Urban", "Tenure", "Educ", "Marital"]


def dora(d, r=0.3):
    """What the partial release does to her, at the radius of the report."""
    row = DORA[1]
    how = KNOWN, NUMBERS, dict.fromkeys(NUMBERS, r)
    c, hit, risk = match(d.units, d.made, *how).records.loc[row, ["c", "T", "risk"]]
    true = baseline(d.units, *how).records.c[row]
    alike = floor(d.units, KNOWN).records.c[row]
    fits = {name: counted(n, "unit fits", "units fit") for name, n in [("true", true), ("made", c)]}
    words = (
        f"At a radius of {100 * r:.0f} % {fits['true']} her in the confidential file, and "
        f"{fits['made']} her in the synthetic one. By the five columns that were not synthesized "
        f"alone (the floor) it is {alike}, a risk of {1 / alike:.2g}. A report shows sums over all "
        "units; Dora is one of those they are made of."
    )
    return Dora("5,571 units, the partial release", c, hit, risk, words)


# What lesson 08 has taught
recall(
    "09.r1",
    {
        "a": "29 points",
        "b": "14 points",
        "c": "44 points",
    },
    "b",
    "What is also said of others is general knowledge; the difference was added.",
    ("08_members_and_others", "3. Five thousand persons: two halves"),
)
recall(
    "09.r2",
    {
        "a": "nothing is wrong: nobody was copied",
        "b": "usefulness must be bad",
        "c": "every row may still be a real person with small changes",
    },
    "c",
    "Exact copies are easy to avoid; how near the rows are tells more.",
    ("08_members_and_others", "6. Near is not the same as copied"),
)
recall(
    "09.r3",
    {
        "a": "the members, all of them",
        "b": "people who were kept away from the synthesizer",
        "c": "a second synthetic file",
    },
    "b",
    "Only people whom the synthesizer has not seen can show what is true of people in general.",
    ("08_members_and_others", "8. What a hold-out costs"),
)


# 09.1 another mark
def distances(d):
    """How near the rows of an honest and of a disguised file are to members, and others are."""
    files = [d.half_made, disguise(d.took_part, np.random.default_rng(2))]
    return [nearest_distances(d.took_part, file, d.others) for file in files]


def cases(d):
    """Both files, each with several marks; and a small case with ties."""
    tied = np.array([0.1, 0.2, 0.2]), np.array([0.2, 0.2, 0.4, 0.4])
    return [(*pair, share) for pair in [*distances(d), tied] for share in (0.05, 0.25, 0.5)]


@exercise(
    "09.1",
    Function("share_nearer(near, apart, share)", cases),
    hints=[
        "np.quantile(apart, share) is the mark: the distance within which `share` of the others "
        "are.",
        "near <= mark is True for the rows within the mark, and the mean of True and False is a "
        "share.",
    ],
    mistakes={
        "You take the mark from `near`; but other people set it, because the synthetic rows are "
        "what is judged.": (lambda near, apart, share: (near <= np.quantile(near, share)).mean()),
        "The mark stays at 5 %, because `share` has no effect in your function.": (
            lambda near, apart, share: share_nearer(near, apart, 0.05)
        ),
        "You leave out rows that lie on the mark; within it counts, because of the others, too, "
        "those on the mark are within.": (
            lambda near, apart, share: (near < np.quantile(apart, share)).mean()
        ),
        "That is the share of the others, which is `share` by the making of the mark; count the "
        "synthetic rows.": lambda near, apart, share: (apart <= np.quantile(apart, share)).mean(),
        "Your function gives per cent; return the share, between 0 and 1, because `share` is one, "
        "too.": lambda near, apart, share: 100 * share_nearer(near, apart, share),
        "You count the rows; return their share, because files have different lengths.": (
            lambda near, apart, share: (near <= np.quantile(apart, share)).sum()
        ),
    },
    words=lambda d, r: (
        "With the mark at 5 %, {:.0f} % of the honest file are as near, and {:.0f} "
        "% of the disguised one; with the mark at 50 % it is {:.0f} and {:.0f} %. The low mark "
        "misses the disguise, because 5 % of other people are nearer than one year of age is. The "
        "high mark shows it, because everybody's own unit is within it. Which mark shows a "
        "disguise depends on how near people are to each other in a file; so the report shows "
        "four marks beside other people, and lets none of them warn.".format(
            *(100 * share_nearer(*pair, share) for share in (0.05, 0.5) for pair in distances(d))
        )
    ),
)
def share_nearer(near, apart, share):
    """Return the share of the synthetic rows that are as near as `share` of other people."""
    mark = np.quantile(apart, share)
    return (near <= mark).mean()
