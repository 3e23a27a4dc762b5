"""Lesson 09: a report on one's own pair of files."""

import pandas as pd

from synthrisk_edu.classroom.engine import LessonPanel
from synthrisk_edu.data import in_words, load_ce
from synthrisk_edu.synthesis import synthesize_cart
from synthrisk_edu.widgets import report_panel

TITLE = "Your own data"


def data(seed=None):
    """Return the office's eight persons and the consumer units, each with its released file."""
    office = pd.DataFrame(
        {
            "Sex": list("FFFFMMMM"),
            "Town": list("AABBAABB"),
            "Job": "cook nurse cook cook nurse nurse cook pilot".split(),
        }
    )
    released = office.assign(Job="cook cook cook nurse nurse cook cook cook".split())
    units = in_words(load_ce(), "ce")
    made = synthesize_cart(units, ["Expenditure", "Income"], seed=1 if seed is None else seed)[0]
    return {"office": office, "released": released, "units": units, "made": made}


EXERCISES = []

PANELS = [
    LessonPanel(
        "report",
        "A report on two files of yours",
        "Upload a confidential and a synthetic CSV file; they stay on this machine.",
        lambda d: report_panel(d.units, d.made),
    ),
]
