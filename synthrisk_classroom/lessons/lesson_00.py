"""Lesson 00: how few facts single a person out."""

import pandas as pd

from synthrisk_classroom.forms import Estimate
from synthrisk_classroom.prediction import prediction

TITLE = "Start here"


def data(seed=None):
    """Make the five people, as they are and as they are published."""
    confidential = pd.DataFrame(
        {"Sex": list("FFMMM"), "Town": list("AABBB"), "Income": [21, 34, 18, 52, 47]},
        index=["Ana", "Bea", "Cem", "Dan", "Eli"],
    )
    return {
        "confidential": confidential,
        "synthetic": confidential.assign(Income=[23, 34, 20, 45, 49]),
    }


@prediction(
    "00.a",
    Estimate(near=0, within=1),
    "Person 3 was alone after seven facts. How many facts does it take until person 95 is alone?",
    mistakes={"That was person 3.": {"person": 3}},
    words=lambda panel, r: (
        "Her race is rare: it leaves {3} of {2:,} people, and with her place of birth she is "
        "alone. Most people share all their values with many: even eight facts leave a crowd."
    ).format(*panel.compute(person=95, facts=r).left),
    at={"person": 95, "facts": 4},
)
def facts_needed(panel, person=95):
    """The number of facts after which nobody else fits."""
    left = panel.compute(person=person, facts=8).left
    return int((left > 1).sum())
