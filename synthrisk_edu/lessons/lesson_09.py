"""Lesson 09: a report on one's own pair of files."""

from synthrisk_edu.classroom.engine import LessonPanel
from synthrisk_edu.widgets.report import report_panel

TITLE = "Your own data"


def data(seed=None):
    """Nothing: the lesson makes its own pair of files, and the reader brings another."""
    return {}


EXERCISES = []

PANELS = [
    LessonPanel(
        "report",
        "A report on two files of yours",
        "Upload a confidential and a synthetic CSV file; they stay on this machine.",
        lambda d: report_panel(),
    ),
]
