"""Lesson 10: where the papers, their code and we differ."""

TITLE = "Where the paper and the code differ"


def data(seed=None):
    """Nothing: every difference is shown on a table of a few rows."""
    return {}


EXERCISES = []

PANELS = []
