"""What a lesson's prose says, held to the numbers that its cells compute.

A claim is a function in `tests/claims/lesson_NN.py`, marked with the id of the cell it follows:

    @after("2ead710b")
    def synthesis_brings_the_risk_down(both):
        assert both.synthetic.expected_match_risk.round() == 57

Its arguments are names of the lesson. `notebook_runner.run_lesson` runs the lesson once, with its
exercises solved, and every claim right after its cell; a claim that did not run fails the test.
"""

import inspect
import traceback
from importlib import import_module
from math import prod

import pandas as pd

import synthrisk_edu as sr
from synthrisk_edu.classroom.engine import lessons
from synthrisk_edu.classroom.states import MOST_STATES, all_of, offer


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
    """Check the claims about one cell with the names of the running lesson; print each."""
    for claim in claims_of(lesson):
        if claim.cell == cell:
            _hold(claim, names)
            print(f"claim {claim.__name__}")


def _hold(claim, names):
    """Call a claim; if it fails, say which, and in which line."""
    try:
        claim(*(names[name] for name in inspect.signature(claim).parameters))
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[-1].line
        raise AssertionError(
            f"{claim.__name__}: {line} ({type(error).__name__}: {error})"
        ) from None


def hold_tables(lesson, names):
    """A name that the lesson shares with its `data()` means the same table in both."""
    for name, value in vars(sr.data_for(lesson)).items():
        if name in names and name != "lesson":
            assert same(names[name], value), f"{name} of the lesson is not that of data()"
            print(f"table {name}")


def same(one, other):
    """Compare tables, lists of tables, and anything else."""
    if isinstance(one, pd.DataFrame | pd.Series):
        return type(one) is type(other) and one.equals(other)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def hold_panels(lesson, shown):
    """The panels that a lesson has shown are those that its module builds, in the same order."""
    shown = [one for one in shown if "synthrisk-panel" in getattr(one, "_dom_classes", ())]
    entries, data = lessons()[lesson].PANELS, sr.data_for(lesson)
    assert len(shown) == len(entries), f"{len(shown)} panels shown, {len(entries)} in PANELS"
    for panel, entry in zip(shown, entries, strict=True):
        built = entry.build(data)
        assert panel.error is None and built.error is None, entry.name
        for part in {"sentence", "picture"} & vars(panel).keys():
            assert getattr(panel, part).value == getattr(built, part).value, entry.name
        hold_offers(entry, built)
        print(f"panel {entry.name}")


def hold_offers(entry, panel):
    """What the website offers are values of the controls, and not too many combinations."""
    assert entry.offers.keys() <= vars(panel).get("controls", {}).keys(), entry.name
    if entry.offers:
        every = panel.controls.items()
        offers = [offer(name, one, entry.offers.get(name)) for name, one in every]
        for one in offers:
            assert set(one.values) <= set(all_of(panel.controls[one.name])[1]), one.name
        assert prod(len(one.values) for one in offers) <= MOST_STATES, entry.name
