"""What was handed in is stored as plain values, and is graded without running anything."""

import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from IPython.core.formatters import DisplayFormatter
from test_exercises import ALL, check, data, hand_in, number, right_answers

import synthrisk_edu as sr
from synthrisk_classroom import grade, lesson
from synthrisk_classroom.handed_in import MIME, MOST, VERSION, Unreadable, from_plain, to_plain
from synthrisk_classroom.lesson import exercises

# Lessons that are computed at once; they have every form of answer.
QUICK = [e for e in ALL if e.lesson in ("01", "02") and e.form.is_stored]


def stored(verdict):
    """What the cell's output holds once the notebook was saved and read again."""
    data, _ = DisplayFormatter().format(verdict)
    return json.loads(json.dumps(data.get(MIME), allow_nan=False))


# ------------------------------------------------------------------ what check stores


@pytest.mark.parametrize("exercise", QUICK, ids=number)
def test_what_is_stored_gets_the_same_verdict(exercise):
    """Right answers in every type, and every usual mistake."""
    d = data(exercise)
    wrong = [hand_in(exercise, sentence, d) for sentence in exercise.mistakes]
    for answer in [*right_answers(exercise, d), *wrong]:
        verdict = check(exercise.id, answer)
        record = stored(verdict)
        assert record["right"] == verdict.right and record["exercise"] == exercise.id
        assert exercise.judge(from_plain(record["answer"]), d) == verdict


def test_a_verdict_shows_words_and_stores_the_answer_beside_them():
    my = lesson("01", student="Anna ")
    verdict = my.check("01.1", [1, 0, np.float64(0.5)])
    shown, _ = DisplayFormatter().format(verdict)
    assert set(shown) == {"text/plain", "text/html", MIME}
    record = stored(verdict)
    assert (record["student"], record["answer"], record["version"]) == (
        "anna",
        [1, 0, 0.5],
        VERSION,
    )
    assert stored(my.check("01.1", [1, 0, 0]))["attempts"] == record["attempts"] + 1 == 2


def test_dots_are_no_attempt():
    def still_dots(c, T): ...

    my = lesson("01")
    assert stored(my.check("01.1", ...)) is stored(my.check("01.4", still_dots)) is None
    assert stored(my.check("01.4", lambda c, T: 0))["attempts"] == 1


def test_a_lesson_as_it_comes_hands_in_nothing(executed):
    """Run All on a clean lesson is no attempt, not even the empty form of 01.0."""
    assert grade.stored_in(executed.notebook) == []


def test_an_empty_form_that_was_stored_is_not_tried(tmp_path):
    form = pd.DataFrame(index=list(right("01.0", None).index), columns=["c", "T"])
    form.loc["Cleo"] = 2, 1
    plain = {"version": VERSION, "exercise": "01.0", "student": None, "attempts": 1, "right": False}
    write(tmp_path, "a", notebook(plain | {"answer": to_plain(form)}, record("01.1", [9, 9, 9])))
    assert graded(tmp_path).loc["a.ipynb", "01.0"] == "not tried"
    form.loc["Ana"] = 1, 1
    assert stored(check("01.0", form)) is not None


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
)  # fmt: skip
def test_forged_values_stand_for_nothing(forged):
    assert isinstance(from_plain(forged), Unreadable)


# --------------------------------------------------------------- a folder of notebooks


def notebook(*records, cells=()):
    """A notebook as JSON, with these answers stored in it."""
    outputs = [{"output_type": "execute_result", "data": {MIME: one}} for one in records]
    made = [{"cell_type": "code", "source": "", "outputs": [output]} for output in outputs]
    return {"nbformat": 4, "cells": [*made, *cells]}


def record(exercise, answer, student="anna", **other):
    """What `my.check` stores."""
    verdict = check(exercise, answer, student)
    return json.loads(json.dumps(verdict.handed_in)) | {"attempts": 1} | other


def right(id, student="anna"):
    """The right answer of a student."""
    exercise = exercises(id[:2])[id]
    return right_answers(exercise, data(exercise, student))[0]


def write(folder, name, content):
    """Put a notebook into the folder: as JSON, or as the text or the bytes it is."""
    path = folder / f"{name}.ipynb"
    path.parent.mkdir(exist_ok=True)
    content = json.dumps(content) if isinstance(content, dict) else content
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def graded(folder, **how):
    """The table of grades, by file."""
    return grade.grade_table(grade.grade(folder), **how).set_index("file")


def test_verdicts_are_computed_anew_from_the_stored_answers(tmp_path):
    d = lesson("01", student="anna").data
    mistake = sr.match(d.confidential, d.synthetic, ["Sex", "Town"], ["Job"]).records[["c", "T"]]
    write(tmp_path, "a", notebook(
        record("01.0", right("01.0", None)),
        record("01.1", right("01.1")), record("01.2", mistake, attempts=3),
        record("01.6", right("01.6")), record("01.5", 1), record("01.5", right("01.5")),
    ))  # fmt: skip
    row = graded(tmp_path).loc["a.ipynb"]
    assert row["id"] == "anna" and row["note"] == ""
    assert row["01.0"] == row["01.1"] == row["01.6"] == row["01.5"] == "right"  # the last of two
    assert row["01.2"] == "wrong: That is with the town; leave Town out."
    assert (row["01.2 attempts"], row["01.3"], row["01.3 attempts"]) == (3, "not tried", 0)
    assert row["total"] == 4


def test_a_forged_verdict_is_seen(tmp_path):
    write(tmp_path, "a", notebook(record("01.1", [9, 9, 9], right=True)))
    row = graded(tmp_path).loc["a.ipynb"]
    assert row["01.1"].startswith("wrong: ") and "01.1 is stored as right" in row["note"]


def test_the_answers_of_a_neighbour_are_judged_with_ones_own_tables(tmp_path):
    forged = record("01.1", right("01.1", "bert"), "bert") | {"student": "anna"}
    write(tmp_path, "a", notebook(forged))
    assert graded(tmp_path).loc["a.ipynb", "01.1"].startswith("wrong")


def test_notes_tell_what_a_teacher_should_look_at(tmp_path):
    write(tmp_path, "a", notebook(record("01.1", right("01.1"))))
    write(tmp_path, "sub/b", notebook(record("01.1", right("01.1"))))
    write(tmp_path, "c", notebook(record("02.1", ["Ana"], "carl")))
    both = record("01.1", right("01.1", None), None), record("01.2", 1, "dora")
    write(tmp_path, "d", notebook(*both))
    write(tmp_path, "e", notebook())
    two = record("01.1", [1, 1, 1], "finn"), record("01.2", 1, "gus")
    write(tmp_path, "f", notebook(*two))
    write(tmp_path, ".ipynb_checkpoints/a", notebook())
    table = graded(tmp_path)
    notes = table.note
    assert len(notes) == 6
    assert notes["a.ipynb"] == "the same id as in sub/b.ipynb"
    assert notes["c.ipynb"] == "lesson 02, and most here are lesson 01"
    assert notes["d.ipynb"] == "some answers are about the lesson's own tables"
    assert table.loc["d.ipynb", "01.1"] == "right"  # judged on those
    assert notes["e.ipynb"] == "no answers in it: was it saved after its cells were run?"
    assert notes["f.ipynb"] == "several ids: finn, gus"


def test_a_notebook_of_the_old_version_is_told_from_an_empty_one(tmp_path):
    """It stored a seed, and no version; its cells called sr.check."""
    old = {"exercise": "01.1", "id": "anna", "seed": 5, "answer": [1, 0, 0], "attempts": 1}
    cell = {"cell_type": "code", "source": ["answer = ...\n", 'sr.check("01.1", answer, seed=me)']}
    write(tmp_path, "old", notebook(old, cells=[cell]))
    write(tmp_path, "old_and_empty", notebook(cells=[cell]))
    notes = graded(tmp_path).note
    assert notes["old.ipynb"] == notes["old_and_empty.ipynb"]
    assert notes["old.ipynb"].startswith("a lesson of version 0.1")


FORGED = {"version": VERSION, "exercise": "01.1", "student": "x", "answer": 1, "attempts": 1}
BROKEN = {
    "empty": "", "text": "no JSON", "list": "[1]", "number": "3", "bytes": b"\xff\xfe\x00",
    "deep": "[" * 100_000, "no cells": {"cells": 3}, "odd cells": {"cells": [1, {"outputs": 2}]},
    "odd data": {"cells": [{"outputs": [{"data": 1}, 7, {"data": {MIME: [1]}}]}]},
    "digits": '{"cells": ' + "9" * 5000 + "}",
    "old": notebook({"exercise": "01.1", "id": "a", "seed": 1, "answer": 1, "attempts": 1}),
    "id": notebook(FORGED | {"student": ["a"]}),
    "list id": notebook(FORGED | {"exercise": ["01.1"]}),
    "blank": notebook(FORGED | {"student": " "}),
    "other": notebook(FORGED | {"exercise": "77.1"}),
    "attempts": notebook(FORGED | {"attempts": "x"}),
}  # fmt: skip
ANSWERS = [None, [], {}, "x", 10**400, [[[[[[1]]]]]], {"table": 3}, {"number": "inf"},
           {"mapping": [[{"set": []}, 1]]}, {"column": [{}], "index": [[[]]]}, "=1+1"]  # fmt: skip


def test_broken_and_forged_notebooks_give_a_row_each(tmp_path):
    for number_, (name, content) in enumerate(list(BROKEN.items()) * 8):
        write(tmp_path, f"{name} {number_}", content)
    for number_, answer in enumerate(ANSWERS * 6):
        forged = FORGED | {"exercise": f"01.{number_ % 7}", "answer": answer}
        write(tmp_path, f"answer {number_}", notebook(forged))
    (tmp_path / "folder.ipynb").mkdir()
    (tmp_path / "nowhere.ipynb").symlink_to(tmp_path / "missing")
    table = graded(tmp_path)
    assert len(table) == 8 * len(BROKEN) + 6 * len(ANSWERS) + 2 > 100
    broken = table[~table.index.str.startswith("answer")]
    assert (broken.note != "").all()
    assert not table.drop(columns=["id", "note"]).isin(["right"]).any(axis=None)


def test_functions_are_not_run_and_not_counted_unless_wanted(tmp_path):
    source = "open('trap', 'w').write('run')\ndef true_match_rate(c, T):\n    return 1"
    forged = record("01.4", 1) | {"answer": {"function": source, "name": "true_match_rate"}}
    write(tmp_path, "a", notebook(forged | {"right": True}))
    row = graded(tmp_path).loc["a.ipynb"]
    assert row["01.4"] == "not checked: a function; its notebook says right"
    assert row["total"] == 0 and graded(tmp_path, count_functions=True).loc["a.ipynb", "total"] == 1
    assert not list(tmp_path.rglob("trap"))


def test_the_table_the_page_and_the_key_run_nothing_themselves(tmp_path, capsys):
    write(tmp_path, "=cmd()<b>", notebook(record("01.1", [9, 9, 9], "=1+1")))
    write(tmp_path, "a", notebook(record("01.1", right("01.1"))))
    output = tmp_path / "g.csv"
    grade.main([str(tmp_path), "-o", str(output)])
    assert "2 notebooks: " in capsys.readouterr().out
    text, page = output.read_text("utf-8-sig"), output.with_suffix(".html").read_text("utf-8")
    assert '"\'=cmd()<b>.ipynb","\'=1+1"' in text
    assert "<b>" not in page and "=cmd()&lt;b&gt;.ipynb" in page
    assert "How did each exercise go?" in page and "Which mistakes, and whose?" in page
    key = pd.read_csv(tmp_path / "g_key.csv", dtype=str)
    assert set(key.student) == {"everybody", "'=1+1", "anna"}
    mine = key[(key.exercise == "01.1") & (key.student == "anna")].answer.item()
    assert check("01.1", eval(mine), "anna").right
    assert (key.exercise == "01.0").sum() == 1  # about the story, for everybody


@pytest.mark.parametrize(
    ("words", "said"), [(["none"], "there is no folder none"), ([".", "-o", "a.ipynb"], "as CSV")]
)
def test_what_cannot_be_graded_is_told_in_a_sentence(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        grade.main(words)
    assert said in capsys.readouterr().err
    assert not grade.main([".", "-o", "g.csv"])  # nobody handed in


@pytest.mark.parametrize("exercise", QUICK, ids=number)
def test_the_key_in_plain_values_is_right(exercise):
    d = data(exercise, "anna")
    plain = exercise.form.plain(exercise, d)
    plain = pd.DataFrame(plain) if isinstance(exercise.right(d), pd.DataFrame) else plain
    answers = [tuple(pair) for pair in plain] if exercise.id in ("01.6", "02.6") else [plain]
    assert answers and all(exercise.judge(one, d).right for one in answers)


def guessed(id="01.b", **other):
    """What a prediction stores."""
    return {
        "version": VERSION,
        "prediction": id,
        "said": "57",
        "truth": "12",
        "right": False,
    } | other


def test_predictions_are_read_and_forged_ones_left_out(tmp_path):
    write(tmp_path, "a", notebook(guessed(), guessed("01.c", said=None, right=None)))
    write(tmp_path, "b", notebook(guessed(said="12", right=True), record("01.1", [9, 9, 9])))
    forged = [guessed("77.z"), guessed(["01.b"]), guessed(right="yes"), guessed(said=[1])]
    write(tmp_path, "c", notebook(*forged))
    papers = grade.grade(tmp_path)
    table = grade.guess_table(papers).set_index("prediction")
    assert table.loc["01.b", ["near enough", "fooled", "show me"]].tolist() == [1, 1, 0]
    assert table.loc["01.b", "most said, and wrong"] == "57"
    assert table.loc["01.c", "show me"] == 1 and list(table.index) == ["01.b", "01.c"]
    assert "broken" not in str(graded(tmp_path).note.tolist())
    assert "What was predicted?" in grade.class_page(papers)
