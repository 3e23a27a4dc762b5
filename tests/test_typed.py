"""What people type is read as they mean it: by Python, and by the page without Python."""

import json
import math
from pathlib import Path

import pytest

from synthrisk_classroom.forms import Estimate, OneOf
from synthrisk_classroom.prediction import Prediction
from synthrisk_classroom.typed import number_in

TABLE = json.loads(Path(__file__).with_name("typed_numbers.json").read_text("utf-8"))


# ----------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(("text", "right", "value"), TABLE)
def test_python_reads_a_number_as_people_type_it(text, right, value):
    if value is not None:
        assert number_in(text, right) == value
        return
    with pytest.raises(ValueError) as caught:
        number_in(text, right)
    assert str(caught.value) == f"“{text}” is no number; write it in digits."


def test_the_page_reads_the_same_numbers(script):
    """JSON writes NaN, the script's word for no number, as null."""
    numbers = script("data.map(([text, right]) => readNumber(text, right))", TABLE)
    read = dict(zip([text + f" near {right}" for text, right, _ in TABLE], numbers, strict=True))
    assert read == {f"{text} near {right}": value for text, right, value in TABLE}


def test_per_cent_stay_per_cent_where_nothing_is_near(script):
    """What is right may be missing: then 5 % are 5, here and there."""
    assert number_in("5 %", math.nan) == script('readNumber("5 %", "nan")', None) == 5


# ------------------------------------------------------------------------- guesses on the page


def asked(form, truth, mistakes=None):
    """What the page gets of a prediction."""
    question = Prediction(
        "01.z", form, "How?", lambda panel: truth, lambda panel, r: "So.", mistakes or {}, None
    )
    return question, json.loads(json.dumps(question.page(None)))


MISTAKES = {"The first.": lambda panel, r: 80.0}


@pytest.mark.parametrize(
    ("typed", "kind", "words"),
    [
        ("x", "unreadable", "Not yet: “x” is no number; write it in digits."),
        ("nan", "unreadable", "Not yet: “nan” is no number; write it in digits."),
        ("40", "right", "Right: it is 40. So."),
        ("40.4", "right", "Right: you said 40.4; it is 40. So."),  # which is said as 40
        ("48", "close", "Close: you said 48; it is 40. So."),  # one fifth away
        ("49", "wrong", "No: you said 49; it is 40. So."),
        ("4 000 %", "right", "Right: you said 4 000 %; it is 40. So."),
        ("81,5", "mistake", "No: you said 81,5; it is 40. The first. So."),
    ],
)
def test_the_page_judges_a_guess(script, typed, kind, words):
    _, page = asked(Estimate(), 40.0, MISTAKES)
    assert script("judgeGuess(...data)", [page, [typed]]) == [kind, words]


def test_the_page_judges_a_choice(script):
    form = OneOf({"up": "it rises", "down": "it falls"})
    question, page = asked(form, "up", {"Not here.": lambda panel, r: "down"})
    told = [script("judgeGuess(...data)", [page, [name]]) for name in ("up", "down")]
    here = [question.judge(name, None) for name in ("up", "down")]
    assert told == [[record["kind"], record["words"]] for record in here]
    assert [kind for kind, _ in told] == ["right", "mistake"]


@pytest.mark.parametrize(
    ("typed", "kind", "begins"),
    [
        (["1", "2"], "right", "Right: they are 1 (25 %) and 2 (75 %)."),
        (["1", "2,1"], "close", "Close: you said"),
        (["1", "9"], "close", "Close, 1 of 2: you said"),
        (["7", "9"], "wrong", "No: you said"),
    ],
)
def test_a_guess_of_several_numbers_fools_where_none_is_close(script, typed, kind, begins):
    question, page = asked(Estimate("25 %", "75 %"), {"25 %": 1.0, "75 %": 2.0})
    told_kind, words = script("judgeGuess(...data)", [page, typed])
    given = dict(
        zip(["25 %", "75 %"], [float(one.replace(",", ".")) for one in typed], strict=True)
    )
    record = question.judge(given, None)
    assert told_kind == record["kind"] == kind
    assert words.startswith(begins) and record["words"].startswith(begins)
