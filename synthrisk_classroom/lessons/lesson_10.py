"""Lesson 10: where the papers, their code and we differ, each on a small table of its own."""

from synthrisk_classroom.forms import Estimate
from synthrisk_classroom.prediction import prediction

TITLE = "Where the paper and the code differ"


def data(seed=None):
    """Make no tables: each is typed where the lesson speaks of it."""
    return {}


@prediction(
    "10.a",
    Estimate(near=0),
    "For the person of 50 the record of 60 counts down to r = 20 %. Down to which r, in whole per "
    "cent, does the record of 50 count for the person of 60?",
    mistakes={"That is the other way round: it depends on who is the target.": {"target": 0}},
    words=lambda panel, r: (
        f"They are 10 years apart. {r} % of 60 is {60 * r / 100:g}, {r} % of 50 is "
        f"{50 * r / 100:g}: a relative radius is wider around larger values."
    ),
)
def smallest_radius(panel, target=4):
    """The smallest r at which one of the two persons, 50 and 60, is a candidate for the other."""
    other = 4 - target
    return next(
        r
        for r in range(61)
        if panel.compute(target=target, r=r, relative=True).match.matches(target)[other]
    )
