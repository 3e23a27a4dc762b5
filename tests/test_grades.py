"""What was handed in is stored as plain values, and is read back without running anything."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from IPython.core.formatters import DisplayFormatter
from test_exercises import ALL, hand_in, number, right_answers, tables

import synthrisk_edu as sr
from synthrisk_edu.__main__ import main
from synthrisk_edu.classroom import engine, grades, keys
from synthrisk_edu.classroom.engine import lessons
from synthrisk_edu.classroom.forms import Choice, Function, Table
from synthrisk_edu.classroom.handed_in import MIME, MOST, Unreadable, from_plain, to_plain

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
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


def shipped_cells():
    """The cell of every exercise, as the lessons come."""
    for path in sorted(NOTEBOOKS.glob("0*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        yield from (source for source in sources if "\nsr.check(" in source)


def test_a_cell_as_it_comes_is_not_tried():
    """Run All on a clean lesson hands in nothing, not even the empty form of 01.0."""
    tried = []
    for source in shipped_cells():
        *before, call = source.splitlines()
        names = {"sr": sr, "pd": pd, "me": None}
        exec("\n".join(before), names)
        verdict = eval(call, names)
        if stored(verdict) is not None or "Not answered yet" not in verdict.message:
            tried.append(call)
    assert tried == []


def test_an_empty_form_that_was_stored_is_not_tried(tmp_path):
    form = pd.DataFrame(index=list(right("01.0", None).index), columns=["c", "T"])
    form.loc["Cleo"] = 2, 1
    plain = {"exercise": "01.0", "id": None, "seed": None, "attempts": 1, "right": False}
    write(tmp_path, "a", notebook(plain | {"answer": to_plain(form)}, record("01.1", [9, 9, 9])))
    assert graded(tmp_path).loc["a.ipynb", "01.0"] == "not tried"
    form.loc["Ana"] = 1, 1
    assert stored(sr.check("01.0", form)) is not None


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
    """What `check` stores."""
    seed = None if student is None else sr.seed_for(student)
    verdict = sr.check(exercise, answer, seed=seed)
    return json.loads(json.dumps(verdict.handed_in)) | {"attempts": 1} | other


def right(exercise, student="anna"):
    """The right answer of a student."""
    seed = None if student is None else sr.seed_for(student)
    return right_answers(engine.find(exercise), tables(engine.find(exercise), seed))[0]


def write(folder, name, content):
    """Put a notebook into the folder: as JSON, or as the text or the bytes it is."""
    path = folder / f"{name}.ipynb"
    path.parent.mkdir(exist_ok=True)
    content = json.dumps(content) if isinstance(content, dict) else content
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def graded(folder):
    """The table of grades, by file."""
    return grades.grade_table(grades.grade(folder)).set_index("file")


def test_verdicts_are_computed_anew_from_the_stored_answers(tmp_path):
    d = tables(engine.find("01.1"), sr.seed_for("anna"))
    mistake = sr.match(d.confidential, d.synthetic, ["Sex", "Town"], ["Job"]).records[["c", "T"]]
    write(tmp_path, "a", notebook(
        record("01.1", right("01.1")), record("01.2", mistake, attempts=3),
        record("01.6", right("01.6")), record("01.5", 1), record("01.5", right("01.5")),
    ))  # fmt: skip
    row = graded(tmp_path).loc["a.ipynb"]
    assert row["id"] == "anna" and row["note"] == ""
    assert row["01.1"] == row["01.6"] == row["01.5"] == "right"  # of two answers the last
    assert row["01.2"] == "wrong: That is with the town; leave Town out."
    assert (row["01.2 attempts"], row["01.3"], row["01.3 attempts"]) == (3, "not tried", 0)


def test_a_forged_verdict_is_seen(tmp_path):
    write(tmp_path, "a", notebook(record("01.1", [9, 9, 9], right=True)))
    row = graded(tmp_path).loc["a.ipynb"]
    assert row["01.1"].startswith("wrong: ") and "01.1 is stored as right" in row["note"]


def test_the_answers_of_a_neighbour_are_judged_with_ones_own_tables(tmp_path):
    forged = record("01.1", right("01.1", "bert"), "bert") | {"id": "anna"}
    write(tmp_path, "a", notebook(forged))
    row = graded(tmp_path).loc["a.ipynb"]
    assert right("01.1", "bert") is not None and row["01.1"].startswith("wrong")
    assert "a stored seed does not fit the id" in row["note"]


def test_notes_tell_what_a_teacher_should_look_at(tmp_path):
    write(tmp_path, "a", notebook(record("01.1", right("01.1"))))
    write(tmp_path, "sub/b", notebook(record("01.1", right("01.1"))))
    write(tmp_path, "c", notebook(record("02.1", ["Ana"], "carl")))
    write(tmp_path, "d", notebook(record("01.1", right("01.1", None), None) | {"id": "dora"}))
    write(tmp_path, "e", notebook(record("01.1", [1, 1, 1], "emil") | {"id": None}))
    two = record("01.1", [1, 1, 1], "finn"), record("01.2", 1, "gus")
    write(tmp_path, "f", notebook(*two))
    write(tmp_path, ".ipynb_checkpoints/a", notebook())
    notes = graded(tmp_path).note
    assert len(notes) == 6
    assert notes["a.ipynb"] == "the same id as in sub/b.ipynb"
    assert notes["c.ipynb"] == "lesson 02, and most here are lesson 01"
    assert notes["d.ipynb"] == "some answers are about the lesson's own tables"
    assert notes["e.ipynb"] == "a seed without an id"
    assert notes["f.ipynb"].startswith("several ids: finn, gus; a stored seed does not fit")


BROKEN = {
    "empty": "", "text": "no JSON", "list": "[1]", "number": "3", "bytes": b"\xff\xfe\x00",
    "deep": "[" * 100_000, "no cells": {"cells": 3}, "odd cells": {"cells": [1, {"outputs": 2}]},
    "odd data": {"cells": [{"outputs": [{"data": 1}, 7, {"data": {MIME: [1]}}]}]},
    "digits": '{"cells": ' + "9" * 5000 + "}",
    "seed": notebook({"exercise": "01.1", "id": "a", "seed": -1, "answer": 1, "attempts": 1}),
    "huge": notebook({"exercise": "01.1", "id": "a", "seed": 2**40, "answer": 1, "attempts": 1}),
    "id": notebook({"exercise": "01.1", "id": ["a"], "seed": 1, "answer": 1, "attempts": 1}),
    "list id": notebook({"exercise": ["01.1"], "id": "a", "seed": 1, "answer": 1, "attempts": 1}),
    "blank": notebook({"exercise": "01.1", "id": " ", "seed": 1, "answer": 1, "attempts": 1}),
    "other": notebook({"exercise": "77.1", "id": "a", "seed": 1, "answer": 1, "attempts": 1}),
    "attempts": notebook({"exercise": "01.1", "id": "a", "seed": 1, "answer": 1, "attempts": "x"}),
}  # fmt: skip
ANSWERS = [None, [], {}, "x", 10**400, [[[[[[1]]]]]], {"table": 3}, {"number": "inf"},
           {"mapping": [[{"set": []}, 1]]}, {"column": [{}], "index": [[[]]]}, "=1+1"]  # fmt: skip


def test_two_hundred_broken_and_forged_notebooks_give_a_row_each(tmp_path):
    for number_, (name, content) in enumerate(list(BROKEN.items()) * 8):
        write(tmp_path, f"{name} {number_}", content)
    for number_, answer in enumerate(ANSWERS * 6):
        forged = {"exercise": f"01.{number_ % 7}", "id": "x", "seed": 1, "attempts": 1}
        write(tmp_path, f"answer {number_}", notebook(forged | {"answer": answer}))
    (tmp_path / "folder.ipynb").mkdir()
    (tmp_path / "nowhere.ipynb").symlink_to(tmp_path / "missing")
    table = graded(tmp_path)
    assert len(table) == 8 * len(BROKEN) + 6 * len(ANSWERS) + 2 > 200
    broken = table[~table.index.str.startswith("answer")]
    assert (broken.note != "").all()
    assert not table.drop(columns=["id", "note"]).isin(["right"]).any(axis=None)


def test_functions_are_not_run_unless_asked_for(tmp_path):
    source = "open('trap', 'w').write('run')\ndef true_match_rate(c, T):\n    return 1"
    forged = record("01.4", 1) | {"answer": {"function": source, "name": "true_match_rate"}}
    write(tmp_path, "a", notebook(forged | {"right": True}))
    row = graded(tmp_path).loc["a.ipynb"]
    assert row["01.4"] == "not run: a function; its notebook says right"
    assert not list(tmp_path.rglob("trap"))


FUNCTIONS = {
    "right": "return sum(a == b == 1 for a, b in zip(c, T)) / len(c)",
    "wrong: You count every c = 1": "return c.count(1) / len(c)",
    "wrong: your function stopped with NameError": "return no_such_name",
    "wrong: your function stopped with PermissionError (open": "open('trap', 'w')",
    "wrong: your function stopped with PermissionError (socket": "import socket; socket.socket()",
    "wrong: your function stopped with PermissionError (os.system": "import os; os.system('true')",
    "wrong: your function stopped with TimeoutError": "while True: pass",
    "wrong: your function stopped with MemoryError": "return len([0] * 10**10)",
}


@pytest.mark.slow
def test_functions_are_run_inside_a_fence(tmp_path, capsys):
    for number_, body in enumerate(FUNCTIONS.values()):
        source = f"def true_match_rate(c, T):\n    {body}"
        forged = record("01.4", 1) | {"answer": {"function": source, "name": "true_match_rate"}}
        write(tmp_path, str(number_), notebook(forged))
    grades.main([str(tmp_path), "-o", str(tmp_path / "g.csv"), "--run"])
    assert "a fence, not a wall" in capsys.readouterr().out
    table = pd.read_csv(tmp_path / "g.csv", dtype=str, keep_default_na=False).set_index("file")
    for number_, verdict in enumerate(FUNCTIONS):
        assert table.loc[f"{number_}.ipynb", "01.4"].startswith(verdict)


def test_the_table_and_the_page_run_nothing_themselves(tmp_path, capsys):
    write(tmp_path, "=cmd()<b>", notebook(record("01.1", [9, 9, 9], "=1+1")))
    write(tmp_path, "a", notebook(record("01.1", right("01.1"))))
    output = tmp_path / "g.csv"
    grades.main([str(tmp_path), "-o", str(output)])
    assert "2 notebooks: " in capsys.readouterr().out
    text, page = output.read_text("utf-8-sig"), output.with_suffix(".html").read_text("utf-8")
    assert '"\'=cmd()<b>.ipynb","\'=1+1"' in text
    assert "<b>" not in page and "=cmd()&lt;b&gt;.ipynb" in page
    assert "How did each exercise go?" in page and "Which mistakes, and whose?" in page


def test_what_cannot_be_graded_is_told_in_a_sentence(tmp_path, capsys):
    assert main(["grade", str(tmp_path / "none")]) == 1
    assert "grade: there is no folder" in capsys.readouterr().err
    assert main(["grade", str(tmp_path), "-o", "anna.ipynb"]) == 1
    assert "name a file such as grades.csv" in capsys.readouterr().err
    assert not main(["grade", str(tmp_path), "-o", str(tmp_path / "g.csv")])  # nobody handed in


# --------------------------------------------------------------------------------- keys


@pytest.mark.parametrize("exercise", [e for e in ALL if e.lesson in ("01", "02")], ids=number)
def test_the_answer_in_plain_values_is_right(exercise):
    answer = sr.answer(exercise.id, seed=7)
    assert json.loads(json.dumps(answer)) is not None
    if isinstance(exercise.form, Function):
        assert answer == exercise.solution
        return
    if isinstance(exercise.form, Table):
        answer = pd.DataFrame(answer)
    answers = answer if isinstance(exercise.form, Choice) else [answer]
    assert answers and all(sr.check(exercise.id, one, seed=7).right for one in answers)


def test_ids_are_forgiving():
    seed = sr.seed_for("anna")
    assert seed == 1431804757  # as it always was
    assert sr.seed_for(" Anna ") == sr.seed_for("ANNA") == seed
    assert sr.seed_for("E\u0301va") == sr.seed_for("\u00e9va")
    assert sr.seed_for("007") != sr.seed_for("7") == sr.seed_for(7)


@pytest.mark.parametrize(
    "text",
    [
        "id,name\n007,A\nAnna,B\n",
        "\ufeffname;ID\nA;007\nB;Anna\n",
        "007\n\nAnna\n",
        '"007"\r\n"Anna"',
    ],
)
def test_ids_are_read_as_text(tmp_path, text):
    (tmp_path / "ids.csv").write_bytes(text.encode())
    assert keys.read_ids(tmp_path / "ids.csv") == ["007", "Anna"]


def test_the_key_of_a_class(tmp_path, capsys):
    (tmp_path / "ids.csv").write_text("id\n007\nAnna\n")
    output = tmp_path / "key.csv"
    keys.main([str(tmp_path / "ids.csv"), "-o", str(output), "--lesson", "01"])
    key = pd.read_csv(output, dtype=str)
    assert len(key) == 2 * 7 and set(key.student.str.strip("'")) == {"007", "Anna"}
    row = key[(key.exercise == "01.5") & (key.student == "Anna")].iloc[0]
    assert int(row.seed) == sr.seed_for("anna")
    assert row.answer == str(sr.answer("01.5", seed=sr.seed_for("anna")))
    (tmp_path / "none.csv").write_text("\n")
    assert main(["key", str(tmp_path / "none.csv")]) == 1
    assert "holds no ids" in capsys.readouterr().err


def is_degenerate(value):
    """Nothing to count: only zeros, no names, or no number where one is asked for."""
    if isinstance(value, frozenset):
        return not value
    numbers = np.ravel(list(value.values()) if isinstance(value, dict) else value).astype(float)
    return np.isnan(numbers).any() or not numbers.any()


TOYS = ["01.0", "01.1", "01.2", "01.3", "02.1", "02.2", "02.3"]


def toy_tables(lesson, seed):
    """The small tables that a student counts in."""
    rng = np.random.default_rng(seed)
    if lesson == "01":
        return lessons()[lesson].own_ten(rng)
    return lessons()[lesson].own_nine(tables(engine.find("02.1")).true, rng)


@pytest.mark.parametrize(
    "seeds", [range(100, 160), pytest.param(range(160, 260), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("lesson", ["01", "02"])
def test_toy_tables_of_many_students_have_something_to_count(lesson, seeds):
    for seed in seeds:
        d = toy_tables(lesson, seed)
        for exercise in [engine.find(one) for one in TOYS if one[:2] == lesson]:
            assert not is_degenerate(exercise.form.value(exercise.answer, d)), (exercise.id, seed)


def test_the_toy_tables_are_those_of_the_students():
    for lesson, name in (("01", "synthetic"), ("02", "synthetic")):
        pd.testing.assert_frame_equal(
            getattr(toy_tables(lesson, 3), name), getattr(sr.data_for(lesson, seed=3), name)
        )


@pytest.mark.slow
@pytest.mark.parametrize("lesson", ["03", "04", "05", "06", "07", "08"])
def test_the_other_lessons_have_something_to_count_too(lesson):
    slow = ("03.4", "03.5", "03.6")  # averages over twenty files
    chosen = [e for e in ALL if e.lesson == lesson and e.id not in slow]
    for seed in range(10):
        d = engine.Tables(lesson=lesson, **lessons()[lesson].data(seed))
        for exercise in chosen:
            if not isinstance(exercise.form, Function | Choice):
                assert not is_degenerate(exercise.form.value(exercise.answer, d))


def test_a_teacher_can_withhold_solutions(tmp_path, monkeypatch):
    inside = tmp_path / "notebooks"
    inside.mkdir()
    monkeypatch.chdir(inside)
    assert "In place of the dots" in repr(sr.solution("01.1")) and sr.answer("01.5") == 172
    (tmp_path / "class.toml").write_text("# our class\nsolutions = false\n")
    assert repr(sr.solution("01.1")).startswith("Your teacher keeps the solutions for later")
    assert "sr.solution" not in repr(sr.hint("01.1", 9))
    with pytest.raises(PermissionError, match="the teacher keeps the answers"):
        sr.answer("01.5")
    (tmp_path / "class.toml").write_text("solutions = true")
    assert sr.answer("01.5") == 172
