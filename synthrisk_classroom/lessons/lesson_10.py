"""Lesson 10: where the papers, their code and we differ, each on a small table of its own."""

import pandas as pd

from synthrisk_classroom.exercise import exercise
from synthrisk_classroom.forms import Estimate, Function
from synthrisk_classroom.prediction import prediction
from synthrisk_edu.data import load_ce

TITLE = "Where the paper and the code differ"


def data(seed=None):
    """Make no tables: each is typed where the lesson speaks of it."""
    return {}


# 10.1 change one line
def incomes(d):
    """Incomes of the CE file, and small columns with zeros, losses and values on the bound."""
    small, ce = pd.Series([1000.0, 0, 0, -500, 850, 750, 1250, -400]), load_ce().Income
    targets = [*((x, small) for x in (1000.0, 0.0, -500.0)), (ce[1], ce.head(500))]
    return [(x, x_star, 0.25 * x) for x, x_star in targets]


def told_of_the_sign(d, r):
    """Say how many units of the CE file find nobody under the signed rule."""
    income = load_ce().Income
    lost = (income <= 0).sum()
    return (
        f"For an income of 1,000 it counts {r[0]:.0f}; on the bound nobody counts any more. For 0 "
        f"and for −500 it counts {r[1]:.0f} and {r[2]:.0f}. So {lost} of the {len(income):,} "
        "consumer units of lesson 02, those with an income of 0 or below, would find nobody, not "
        "even themselves."
    )


@exercise(
    "10.1",
    Function("c_in_r(x_i, x_star, R)", incomes),
    further=True,
    hints=[
        "Open ends: x_star must be above x_i - R and below x_i + R, and not on them.",
        "A column cannot stand in a < x < b. Write two comparisons, each in brackets, join them by "
        "&, and count the True with .sum().",
    ],
    mistakes={
        "You count the ends as well; the R package leaves them out.": (
            lambda x_i, x_star, R: x_star.between(x_i - R, x_i + R).sum()
        ),
        "You took the sign of R away; the R package keeps it.": (
            lambda x_i, x_star, R: (abs(x_star - x_i) < abs(R)).sum()
        ),
        "That is our own rule, |x| and closed ends; change it to the R package's.": (
            lambda x_i, x_star, R: (abs(x_star - x_i) <= abs(R)).sum()
        ),
        "You count all records with len(), True and False; .sum() counts the True.": (
            lambda x_i, x_star, R: len(x_star)
        ),
        "You return the column of True and False; .sum() counts the True.": (
            lambda x_i, x_star, R: (x_star > x_i - R) & (x_star < x_i + R)
        ),
    },
    words=told_of_the_sign,
)
def c_in_r(x_i, x_star, R):
    """Count x* strictly between x − R and x + R; R = r·x has the sign of x."""
    return ((x_star > x_i - R) & (x_star < x_i + R)).sum()


@prediction(
    "10.a",
    Estimate(near=0, within=0.5),  # 16.7, from 10/60, is the same answer as 17
    "For the person of 50 the record of 60 counts down to r = 20 %. Down to which r, in whole per "
    "cent, does the record of 50 count for the person of 60?",
    mistakes={"That is the other way round: it depends on who is the target.": {"target": 0}},
    words=lambda panel, r: (
        f"They are 10 years apart. {r} % of 60 is {60 * r / 100:g}, {r} % of 50 is "
        f"{50 * r / 100:g}, because a relative radius is wider around larger values. (Exactly, it "
        "is a sixth of 60: 16.7 %.)"
    ),
    at={"target": 4, "r": 17, "relative": True},
)
def smallest_radius(panel, target=4):
    """The smallest r at which one of the two persons, 50 and 60, is a candidate for the other."""
    other = 4 - target
    return next(
        r
        for r in range(61)
        if panel.compute(target=target, r=r, relative=True).match.matches(target)[other]
    )
