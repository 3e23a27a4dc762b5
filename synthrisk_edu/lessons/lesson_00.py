"""Lesson 00: how few facts single a person out."""

from synthrisk_edu.classroom.engine import LessonPanel
from synthrisk_edu.data import in_words, load_acs
from synthrisk_edu.widgets import matching

TITLE = "Start here"


def data(seed=None):
    """Take the 10,000 persons, and the facts an intruder may learn, in this order."""
    facts = ["SEX", "MAR", "RACE", "WAOB", "DIS", "HICOV", "MIG", "SCH"]
    return {"people": in_words(load_acs(), "acs"), "facts": facts}


EXERCISES = []

PANELS = [
    LessonPanel(
        "narrowing",
        "How few facts does it take?",
        "Choose a person, and see who still fits as the intruder learns more.",
        lambda d: matching.narrowing_panel(d.people, d.facts, person=3),
    ),
]
