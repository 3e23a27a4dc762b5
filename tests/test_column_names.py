"""Column names that are no text: numbers, tuples, dates work everywhere, True and None nowhere.

Every public function that takes a table of the user's is called twice: with names as words, and
with other names for the same columns. Both must give the same numbers. True, None and NaN are no
names: the same sentence says so, whatever the function.
"""

import inspect
from datetime import date
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from test_bad_input import DATA, LONG, PUBLIC, good_arguments, table

import synthrisk_edu as sr
from synthrisk_edu import widgets

WORDS = list(DATA)
USABLE = {
    "whole numbers": [3, 2, 1, 0],  # not where pandas would count them
    "numbers": [0, 1.5, -2, 10**20],
    "numpy's numbers": list(np.arange(4)),
    "tuples": [("a", 1), ("a", 2), (), ("b", None)],
    "dates": [date(2020, 1, day) for day in (1, 2, 3, 4)],
    "times": list(pd.date_range("2020", periods=4)),
    "numbers beside their words": [1, "1", 2, "2"],
    "signs": ["<b>", "$x$", "_", ""],
}
SENTENCE = ", which is no column name; rename that column, or list names only."
NO_NAMES = {"True": True, "None": None, "NaN": float("nan"), "NA": pd.NA}


def rename(value, names):
    """Put other names in place of words, wherever they stand in an argument."""
    if isinstance(value, pd.DataFrame):
        columns = [names.get(name, name) for name in value.columns]
        return value.set_axis(pd.Index(columns, dtype=object, tupleize_cols=False), axis=1)
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [rename(one, names) for one in value]
    if isinstance(value, dict):
        return {rename(key, names): rename(one, names) for key, one in value.items()}
    return value


def holds_our_table(value):
    """Say whether an argument is the table of the walk over bad input, or a list of such."""
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, pd.DataFrame) and set(WORDS[:2]) <= set(first)


# Files have text for names; a chain was fitted on words; to compare, the caller names no column.
NO_NEED = {"read_pair", "model_draws", "compare_members"}
HOLD_NAMES = ("target", "variable", "variable_1", "variable_2")  # columns of results
TAKES_TABLES = [
    name
    for name, function in PUBLIC.items()
    if name not in NO_NEED and any(map(holds_our_table, good_arguments(name, function).values()))
]


def numbers_in(result):
    """List all numbers of a result, in order, whatever the names around them are."""
    if isinstance(result, pd.DataFrame):
        kept = [k for k, name in enumerate(result.columns) if name not in HOLD_NAMES]
        return [one for k in kept for one in numbers_in(result.iloc[:, k])]
    if isinstance(result, pd.Series):
        return result.astype(float).tolist() if pd.api.types.is_numeric_dtype(result) else []
    if isinstance(result, list | tuple | np.ndarray):
        return [number for one in result for number in numbers_in(one)]
    if isinstance(result, sr.Matcher):
        return numbers_in(result.at({}))
    for attribute in ("records", "attribute", "numbers"):
        found = getattr(result, attribute, None)
        if isinstance(found, pd.DataFrame):
            return numbers_in(found)
    return [float(result)] if isinstance(result, float | int | np.number) else []


def call(name, names):
    """Call a function with other names for its columns; equal seeds."""
    function = PUBLIC[name]
    arguments = {key: rename(one, names) for key, one in good_arguments(name, function).items()}
    if "seed" in inspect.signature(function).parameters:
        arguments["seed"] = 1
    if "rng" in arguments:
        arguments["rng"] = np.random.default_rng(1)
    return function(**arguments)


def test_many_functions_are_looked_at():
    assert len(TAKES_TABLES) > 25
    assert {"match", "disclosure", "risk_report", "synthesize_cart", "pmse"} <= set(TAKES_TABLES)


@pytest.mark.parametrize("name", TAKES_TABLES)
def test_other_names_give_the_same_numbers(name):
    expected = numbers_in(call(name, {}))
    for kind, names in USABLE.items():
        if name in LONG and kind not in ("whole numbers", "tuples"):
            continue
        found = numbers_in(call(name, dict(zip(WORDS, names, strict=True))))
        np.testing.assert_allclose(found, expected, err_msg=f"{name} with {kind}")


@pytest.mark.parametrize("no_name", NO_NAMES)
@pytest.mark.parametrize("name", TAKES_TABLES)
def test_what_is_no_name_gets_the_same_sentence(name, no_name):
    """In the place of each column in turn: where it is used, it is refused in the same words."""
    refused = 0
    for word in WORDS:
        try:
            call(name, {word: NO_NAMES[no_name]})
        except TypeError as error:
            assert str(error).endswith(SENTENCE), error
            refused += 1
    assert refused


# ------------------------------------------------------------------------------ panels

SLOW = pytest.mark.slow

PANELS = {
    "box_panel": lambda n: widgets.box_panel(n.numbers, n.numbers, n.Income, n.Spent, n.Sex),
    "candidates_panel": lambda n: widgets.candidates_panel(n.data, [n.Sex, n.Town], [n.Sex]),
    "exclusions_panel": lambda n: widgets.exclusions_panel(n.data, n.made, [n.Sex], [n.Job]),
    "file_panel": lambda n: widgets.file_panel(n.data, [n.Sex, n.Job], [n.Sex]),
    "funnel_panel": lambda n: widgets.funnel_panel(n.data, [n.made] * 2, [n.Sex, n.Town], [n.Job]),
    "identity_panel": lambda n: widgets.identity_panel(n.data, [n.made] * 2, [n.Sex, n.Town]),
    "interval_panel": lambda n: widgets.interval_panel(n.data, n.made, n.Income),
    "known_panel": lambda n: widgets.known_panel(n.data, n.made, [n.Sex, n.Town], [n.Sex], [n.Job]),
    "look_up_panel": lambda n: widgets.look_up_panel(n.data, n.made, [n.Sex, n.Town], [n.Job]),
    "narrowing_panel": lambda n: widgets.narrowing_panel(n.data, [n.Sex, n.Town, n.Job]),
    "report_panel": lambda n: widgets.report_panel(n.data, n.made),
    "share_panel": lambda n: widgets.share_panel(n.data, [n.Sex, n.Town], [n.Job]),
    "sweep_panel": lambda n: widgets.sweep_panel(n.data, n.made, [n.Sex], [n.Income]),
    "targets_panel": lambda n: widgets.targets_panel(n.data, n.made, [n.Sex, n.Town], [n.Job]),
}


@pytest.mark.parametrize(
    "kind",
    ["tuples", *(pytest.param(one, marks=SLOW) for one in ("signs", "whole numbers", "dates"))],
)
@pytest.mark.parametrize("panel", PANELS)
def test_panels_show_other_names(panel, kind):
    names = dict(zip(WORDS, USABLE[kind], strict=True)) | {"Spent": "other"}
    both = DATA.assign(Spent=DATA.Income * 0.8)
    tables = {"data": DATA, "made": table(2).assign(Sex=DATA.Sex, Town=DATA.Town), "numbers": both}
    renamed = {key: rename(one, names) for key, one in tables.items()}
    shown = PANELS[panel](SimpleNamespace(**names, **renamed))
    assert shown.error is None, shown.error


# ------------------------------------------------------------------------------ lists

LISTS = [
    (name, argument)
    for name, function in PUBLIC.items()
    for argument, value in good_arguments(name, function).items()
    if isinstance(value, list)
]


@pytest.mark.parametrize(("name", "argument"), LISTS)
def test_what_can_be_read_once_is_as_good_as_a_list(name, argument):
    """A function that goes through its argument twice would find it empty the second time."""

    def numbers(turn):
        given = good_arguments(name, PUBLIC[name])
        if "rng" in given:
            given["rng"] = np.random.default_rng(1)
        if "seed" in inspect.signature(PUBLIC[name]).parameters:
            given["seed"] = 1
        return numbers_in(PUBLIC[name](**(given | {argument: turn(given[argument])})))

    np.testing.assert_equal(numbers(iter), numbers(list))
