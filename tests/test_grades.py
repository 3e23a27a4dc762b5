"""What was handed in is stored as plain values, and is read back without running anything."""

import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from IPython.core.formatters import DisplayFormatter
from test_exercises import ALL, hand_in, number, right_answers, tables

import synthrisk_edu as sr
from synthrisk_edu.classroom import engine
from synthrisk_edu.classroom.forms import Function
from synthrisk_edu.classroom.handed_in import MIME, MOST, Unreadable, from_plain, to_plain

# Lessons that are computed at once; they have every form of answer. Functions: only with --run.
QUICK = [e for e in ALL if e.lesson in ("01", "02") and not isinstance(e.form, Function)]


def stored(verdict):
    """What the cell's output holds once the notebook was saved and read again."""
    data, _ = DisplayFormatter().format(verdict)
    return json.loads(json.dumps(data.get(MIME), allow_nan=False))


def judged_again(record):
    """The verdict on what was stored."""
    exercise = engine.find(record["exercise"])
    return exercise.judge(from_plain(record["answer"]), tables(exercise, record["seed"]))


# ------------------------------------------------------------------ what check stores


@pytest.mark.parametrize("exercise", QUICK, ids=number)
def test_what_is_stored_gets_the_same_verdict(exercise):
    """Right answers in every type, and every usual mistake."""
    d = tables(exercise, None)
    wrong = [hand_in(exercise, mistake, d) for mistake in exercise.mistakes.values()]
    for answer in [*right_answers(exercise, d), *wrong]:
        verdict = sr.check(exercise.id, answer)
        record = stored(verdict)
        assert record["right"] == verdict.right and record["exercise"] == exercise.id
        assert judged_again(record) == verdict


def test_a_verdict_shows_words_and_stores_the_answer_beside_them():
    seed = sr.seed_for("anna")
    verdict = sr.check("01.1", [1, 0, np.float64(0.5)], seed=seed)
    data, _ = DisplayFormatter().format(verdict)
    assert set(data) == {"text/plain", "text/html", MIME}
    record = stored(verdict)
    assert record["id"] == "anna" and record["seed"] == seed == sr.seed_for(record["id"])
    assert record["answer"] == [1, 0, 0.5]
    assert stored(sr.check("01.1", [1, 0, 0], seed=seed))["attempts"] == record["attempts"] + 1


def test_dots_are_no_attempt():
    def still_dots(c, T): ...

    before = stored(sr.check("01.4", lambda c, T: 0))["attempts"]
    assert stored(sr.check("01.1", ...)) is stored(sr.check("01.4", still_dots)) is None
    assert stored(sr.check("01.4", lambda c, T: 0))["attempts"] == before + 1


def test_a_function_is_stored_as_it_was_typed():
    def true_match_rate(c, T):
        return 1  # not yet

    plain = to_plain(true_match_rate)
    assert plain["name"] == "true_match_rate"
    assert plain["function"].splitlines()[1] == "    return 1  # not yet"
    assert to_plain(len) == {"other": "builtin_function_or_method"}


NESTED = []
NESTED.append(NESTED)
TWO_LEVELS = pd.Series([1, 2], index=pd.MultiIndex.from_tuples([("F", 1), ("M", 2)]))


@pytest.mark.parametrize(
    "value",
    [None, True, 3, 0.5, "a", [1, [2]], {"c": 1, 2: [3]}, {"a", "b"}, TWO_LEVELS],
    ids=repr,
)
def test_plain_values_come_back(value):
    back = from_plain(json.loads(json.dumps(to_plain(value), allow_nan=False)))
    assert back.equals(value) if isinstance(value, pd.Series) else back == value


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.bool_(True), True),
        (Decimal("0.5"), 0.5),
        (Fraction(1, 2), 0.5),
        (pd.NA, {"number": "nan"}),
        (-np.inf, {"number": "-inf"}),
        (np.array(2), 2),
        ((1, 2), [1, 2]),
        (range(2), [0, 1]),
        (1j, {"other": "complex"}),
        (list(range(MOST + 1)), {"other": "list"}),
        (np.zeros((MOST, 2)), {"other": "ndarray"}),
        (10.0 ** np.arange(2), [1.0, 10.0]),
    ],
    ids=repr,
)
def test_other_values_become_plain(value, plain):
    assert to_plain(value) == plain


def test_what_has_no_end_is_stored_all_the_same():
    assert json.dumps(to_plain(NESTED)).count("other") == 1


@pytest.mark.parametrize(
    "forged",
    [
        {}, {"number": []}, {"mapping": 3}, {"mapping": [[1]]}, {"set": [{"mapping": []}]},
        {"column": [1], "index": []}, {"column": 1}, {"table": {"a": 1}, "index": [1]},
        {"table": [["a", [1, 2]]], "index": [1]}, {"function": "boom"}, {"number": "x"},
    ],
    ids=str,
)  # fmt: skip
def test_forged_values_stand_for_nothing(forged):
    assert isinstance(from_plain(forged), Unreadable)
