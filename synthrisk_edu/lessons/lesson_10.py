"""Lesson 10: where the papers, their code and we differ."""

import pandas as pd

from synthrisk_edu.classroom.engine import LessonPanel
from synthrisk_edu.widgets import interval_panel

TITLE = "Where the paper and the code differ"


def data(seed=None):
    """Return the five ages of section 1.3; every other difference has its own small table."""
    return {"ages": pd.DataFrame({"Age": [50, 45, 46, 55, 60]})}


EXERCISES = []

PANELS = [
    LessonPanel(
        "ends",
        "The ends of the range",
        "Five ages and one range with closed ends: who is inside, and from whose side?",
        lambda d: interval_panel(d.ages, d.ages, "Age", limits=(20, 100)),
    ),
]
