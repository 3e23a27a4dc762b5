"""What a lesson's prose says, held to the numbers that its cells compute.

A claim is a function in `tests/claims/lesson_NN.py`, marked with the id of the cell it follows:

    @after("2ead710b")
    def synthesis_brings_the_risk_down(both):
        assert both.synthetic.expected_match_risk.round() == 57

Its arguments are names of the lesson. `notebook_runner.run_lesson` runs the lesson once, as a
student gets it, and every claim right after its cell.
"""

import inspect
import traceback
from importlib import import_module


def after(cell):
    """Mark a claim: it is checked right after the cell with this id."""

    def mark(function):
        function.cell = cell
        return function

    return mark


def claims_of(lesson):
    """List the claims about a lesson."""
    module = import_module(f"claims.lesson_{lesson}")
    return [one for one in vars(module).values() if hasattr(one, "cell")]


def hold(lesson, cell, names):
    """Check the claims about one cell with the names of the running lesson."""
    for claim in claims_of(lesson):
        if claim.cell == cell:
            _hold(claim, names)


def _hold(claim, names):
    """Call a claim; if it fails, say which, and in which line."""
    try:
        claim(*(names[name] for name in inspect.signature(claim).parameters))
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[-1].line
        raise AssertionError(
            f"{claim.__name__}: {line} ({type(error).__name__}: {error})"
        ) from None
