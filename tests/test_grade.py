"""What was handed in is stored as plain values, and is graded without running anything."""

import csv
import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from html import escape

import made_up_class
import nbformat
import numpy as np
import pandas as pd
import pytest
from IPython.core.formatters import DisplayFormatter
from notebook_runner import ids_in
from test_exercises import ALL, check, data, hand_in, number, right_answers

import synthrisk_edu as sr
from synthrisk_classroom import grade, lesson, papers
from synthrisk_classroom.exercise import EXERCISES
from synthrisk_classroom.forms import Choice, Form
from synthrisk_classroom.grade_pages import NAMES, class_page, feedback_pages
from synthrisk_classroom.handed_in import MIME, MOST, VERSION, Unreadable, from_plain, to_plain
from synthrisk_classroom.lesson import exercises
from synthrisk_classroom.papers import is_answer, is_check, read_folder, read_paper, stored_in
from synthrisk_classroom.running import is_further, lesson_paths
from synthrisk_classroom.verdict import NOT_RIGHT, Kind
from synthrisk_edu.pages import csv_text, html_table

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
        assert record["kind"] == verdict.kind and record["exercise"] == exercise.id
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
    for verdict in (my.check("01.1", ...), my.check("01.4", still_dots)):
        assert (stored(verdict)["kind"], stored(verdict)["attempts"]) == ("open", 0)
    assert stored(my.check("01.4", lambda c, T: 0))["attempts"] == 1


def test_a_lesson_as_it_comes_hands_in_nothing(executed):
    """Run All on a clean lesson is no attempt, not even the empty form of 01.0."""
    records = [one for cell in executed.notebook.cells for one in stored_in(cell)]
    assert {(one["kind"], one["attempts"]) for one in records} <= {("open", 0)}
    assert not any(map(is_answer, records)) and all(map(is_check, records))


def test_in_a_lesson_as_it_comes_nothing_is_typed():
    for path in lesson_paths().values():
        paper = read_paper(path, path.name)
        assert (paper.lesson, paper.student, paper.typed) == (path.name[:2], "", {}), path.name
        assert paper.further == is_further(path)
        exercised, asked = ids_in(nbformat.read(path, as_version=4).cells)
        empty = [] if paper.further and not exercised else ["nothing was typed or run in it"]
        assert paper.notes == empty and list(paper.asks) == asked


def test_an_empty_form_that_was_stored_is_not_tried(tmp_path):
    form = pd.DataFrame(index=list(right("01.0", None).index), columns=["c", "T"])
    form.loc["Cleo"] = 2, 1
    empty = record("01.0", form, None) | {"kind": "wrong", "attempts": 1}
    write(tmp_path, "a", notebook(empty, record("01.1", [9, 9, 9])))
    assert graded(tmp_path).mark(only(tmp_path), "01.0").kind == "open"
    form.loc["Ana"] = 1, 1
    assert stored(check("01.0", form))["kind"] == "wrong"


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


def test_a_forged_answer_is_read_as_far_as_check_would_have_written_it():
    assert len(from_plain([0] * (MOST + 5))) == MOST
    assert from_plain([[[[1]]]]) == [[[[1]]]]
    assert isinstance(from_plain([[[[[1]]]]])[0][0][0][0][0], Unreadable)


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
    """The grades of a folder."""
    return grade.grade(folder, **how)


def most(count_functions=False):
    """The points of the core of lesson 01."""
    asked = [one for one in exercises("01").values() if not one.further]
    return sum(one.points for one in asked if one.form.is_stored or count_functions)


def only(folder, **how):
    """The only student in a folder."""
    (student,) = graded(folder, **how).students
    return student


def verdicts(student):
    """The verdicts of a student by exercise."""
    return {id: str(mark.kind) for id, mark in student.marks.items()}


def test_verdicts_are_computed_anew_from_the_stored_answers(tmp_path):
    d = lesson("01", student="anna").data
    mistake = sr.match(d.confidential, d.synthetic, ["Sex", "Town"], ["Job"]).records[["c", "T"]]
    write(tmp_path, "a", notebook(
        record("01.0", right("01.0", None)),
        record("01.1", right("01.1")), record("01.2", mistake, attempts=3),
        record("01.6", right("01.6")), record("01.3", [9, 9, 9]), record("01.3", right("01.3")),
    ))  # fmt: skip
    grades = graded(tmp_path)
    (anna,) = grades.students
    assert anna.id == "anna" and anna.notes == []
    good = ["01.0", "01.1", "01.3", "01.6"]  # of 01.3 the last of two
    assert verdicts(anna) == dict.fromkeys(good, "right") | {"01.2": "mistake"}
    assert anna.marks["01.2"].mistake == "That is with the town; leave Town out."
    assert anna.marks["01.2"].attempts == 3
    assert grades.total(anna) == 4 and grades.most == most()  # 01.4 is a function


def test_a_forged_verdict_is_seen_and_nobody_is_accused(tmp_path):
    write(tmp_path, "a", notebook(record("01.1", [9, 9, 9], kind="right")))
    anna = only(tmp_path)
    assert verdicts(anna) == {"01.1": "wrong"} and graded(tmp_path).total(anna) == 0
    words = "01.1 stored as right and wrong when computed anew: another version of the lesson?"
    assert anna.notes == [words]


def test_the_answers_of_a_neighbour_are_judged_with_ones_own_tables(tmp_path):
    forged = record("01.2", right("01.2", "bert"), "bert") | {"student": "anna"}
    write(tmp_path, "a", notebook(forged))
    assert set(verdicts(only(tmp_path)).values()) <= {"mistake", "wrong"}


def in_other_words(monkeypatch):
    """From now on every sentence of a verdict is another one."""
    for form in (Form, Choice):
        monkeypatch.setattr(form, "begins", dict.fromkeys(Kind, "Hm!"))
        monkeypatch.setattr(form, "tell", lambda self, kind, sentence: f"{kind.name}? So, so.")


def test_grades_do_not_hang_on_words(tmp_path, monkeypatch):
    """Every kind of verdict, stored in today's words, graded in others: the same marks."""

    def never(c, T): ...

    my = lesson("01", student="anna")
    d = my.data
    usual = sr.match(d.confidential, d.synthetic, ["Sex", "Town"], ["Job"]).records[["c", "T"]]
    tries = {"01.1": right("01.1"), "01.2": usual, "01.3": [9, 9, 9], "01.5": "12", "01.4": never}
    cells = []
    for id, answer in tries.items():
        shown, _ = DisplayFormatter().format(my.check(id, answer))
        source = f'my.check("{id}", answer)'  # which was typed after the cell was run, in 01.4
        output = {"output_type": "execute_result", "data": shown}
        cells.append({"cell_type": "code", "source": source, "outputs": [output]})
    write(tmp_path, "a", json.loads(json.dumps({"cells": cells})))
    before = graded(tmp_path)
    in_other_words(monkeypatch)
    after = graded(tmp_path)
    kinds = {"01.1": "right", "01.2": "mistake", "01.3": "wrong", "01.5": "unreadable"}
    assert verdicts(before.students[0]) == kinds | {"01.4": "typed"} == verdicts(after.students[0])
    assert before.students[0].notes == after.students[0].notes
    assert grade.points_table(before).equals(grade.points_table(after))
    assert grade.mistakes(before) == grade.mistakes(after)
    assert after.students[0].marks["01.2"].words == "MISTAKE? So, so."
    assert my.check("01.5", ...).handed_in["attempts"] == 1  # dots are no attempt, in any words


def test_the_teacher_sees_who_made_which_mistake(tmp_path):
    """Without the words around it: neither a beginning nor the way to a hint."""
    d = lesson("01", student="anna").data
    usual = sr.match(d.confidential, d.synthetic, ["Sex", "Town"], ["Job"]).records[["c", "T"]]
    tries = record("01.2", usual), record("01.3", [9, 9, 9]), record("01.5", "12")
    write(tmp_path, "a", notebook(*tries))
    assert grade.mistakes(graded(tmp_path)) == [
        ("01.2", "That is with the town; leave Town out.", ["anna"]),
        (
            "01.3",
            "expected_match_risk, true_match_rate and false_match_rate are not right.",
            ["anna"],
        ),
        ("01.5", "the answer is a text, '12'; write the number without quotes.", ["anna"]),
    ]


# ------------------------------------------------------------------- a class, and its list


@pytest.fixture(scope="module")
def class_folder(tmp_path_factory):
    """Twelve students of lesson 01, made up: every way of handing in occurs once."""
    folder = tmp_path_factory.mktemp("class")
    made_up_class.make(folder, names=made_up_class.NAMES[:12])
    return folder


@pytest.fixture(scope="module")
def class_grades(class_folder):
    """Their grades."""
    return graded(class_folder, ids=grade.read_ids(class_folder / "ids.csv"))


def test_everybody_on_the_list_has_a_row_with_a_note_of_its_own(class_grades):
    rows = {one.id: one for one in class_grades.students}
    assert list(rows) == made_up_class.NAMES[:12] and class_grades.lesson == "01"
    notes = {id: "; ".join(one.notes) for id, one in rows.items()}
    asked = made_up_class.known("01")
    *_, last = [id for id, one in asked if one.form.is_stored]
    assert notes == {
        "ana": "",
        "bela": "",
        "cai": "02_cai.ipynb is lesson 02; nothing of lesson 01",
        "dina": f"no output is stored, and {len(asked)} answers are typed: cleared before it was "
        "saved, or never run",
        "emre": f"{last} typed, and its cell was not run since",
        "fay": "put here by the name of its file; `student` was left out: judged on the lesson's "
        "own tables",
        "gita": "2 files, and the better answer counts: 01_gita.ipynb and again/01_gita (1).ipynb",
        "hans": notes["hans"],
        "ines": "nothing handed in",
        "jiro": "its id “jirro” is not on the list; put here by the name of its file",
        "kofi": "",
        "lena": "",
    }
    assert "stored as right and wrong when computed anew" in notes["hans"]
    totals = {id: class_grades.total(one) for id, one in rows.items()}
    assert totals["ana"] == totals["fay"] == totals["jiro"] == class_grades.most == most()
    assert totals["emre"] == most() - 1 and totals["gita"] == 2
    assert [totals[id] for id in ("cai", "dina", "hans", "ines")] == [0, 0, 0, 0]
    assert set(verdicts(rows["dina"]).values()) == {"typed"}
    assert verdicts(rows["emre"])[last] == "typed"


def test_what_belongs_to_nobody_on_the_list_is_shown_apart(class_grades):
    notes = {one.id: one.notes for one in class_grades.others}
    assert notes == {
        "=cmd()<b>.ipynb": ["its id “=1+1<script>” is not on the list"],
        "broken.ipynb": ["cannot be read: no notebook, or a broken one"],
        "no name.ipynb": ["`student` was left out: judged on the lesson's own tables"],
    }


def test_a_misfiled_notebook_adds_no_columns(class_folder, class_grades):
    table = grade.points_table(class_grades)
    first, *columns, last = table
    assert (first, last) == ("id", "total") and {name[:2] for name in columns} == {"01"}
    other = graded(class_folder, ids=["cai"], lesson="02")
    assert other.total(other.students[0]) == other.most > 0


def test_the_whole_class_in_files(class_folder, tmp_path, capsys):
    words = [str(class_folder), "--class", str(class_folder / "ids.csv"), "-o", str(tmp_path)]
    assert not grade.main(words)
    said = capsys.readouterr().out
    assert "Lesson 01: 12 students, 10 handed in" in said and "--lesson 02 grades that one" in said
    table = pd.read_csv(tmp_path / "01_points.csv", encoding="utf-8-sig")
    assert table.id.tolist() == made_up_class.NAMES[:12]
    assert table["01.4"].isna().all()  # a function: it has a column, and no points
    assert table.total.equals(table.drop(columns=["id", "total"]).sum(axis=1).astype(int))
    page = (tmp_path / "01_class.html").read_text("utf-8")
    assert "<script" not in page and "&lt;script&gt;" in page and "{{ 7 * 7 }}" in page
    assert "What fooled the class?" in page and "Whose are these?" in page
    assert 'href="01_feedback/ana.html"' in page
    assert sorted(path.stem for path in (tmp_path / "01_feedback").iterdir()) == sorted(table.id)
    key = pd.read_csv(tmp_path / "01_key.csv", dtype=str)
    mine = key[(key.exercise == "01.1") & (key.student == "ana")].answer.item()
    assert check("01.1", eval(mine), "ana").right
    assert (key.exercise == "01.0").sum() == (key.exercise == "01.4").sum() == 1  # for everybody
    assert set(key.student) >= {"everybody", "'=1+1<script>", "jirro"} - {"cai"}


def test_a_student_gets_the_sentences_back_and_no_right_answers(class_grades):
    pages = {id: page for id, (_, page) in feedback_pages(class_grades).items()}
    rows = {one.id: one for one in class_grades.students}
    for id, mark in (rows["bela"].marks | rows["ana"].marks).items():
        whose = "ana" if mark is rows["ana"].marks.get(id) else "bela"
        if mark.kind != "not checked":
            assert escape(mark.words) in pages[whose].replace("&#34;", "&quot;"), id
    wrong = [mark for mark in rows["bela"].marks.values() if mark.kind in NOT_RIGHT]
    assert wrong and not any(escape(mark.key) in pages["bela"] for mark in wrong)
    assert "No notebook of yours was found" in pages["ines"]
    assert "after its cell had been run: run the cell again, save the notebook" in pages["emre"]
    assert "another version" not in pages["hans"] and "01_gita" not in pages["gita"]


def test_computed_anew_is_said_only_where_it_was(class_grades, tmp_path):
    text = class_page(class_grades, dict.fromkeys(made_up_class.NAMES, "x"), [], [])
    for one in class_grades.students + class_grades.others:
        for id, mark in one.marks.items():
            head = escape(f"{one.id}, {id}: {NAMES[mark.kind]}")
            anew = mark.kind not in ("not checked", "typed")
            assert (f"<b>{head}</b>, computed anew" in text) == anew, head
    write(tmp_path, "a", notebook())
    empty = graded(tmp_path, lesson="01")
    assert "computed anew" not in class_page(empty, {"a.ipynb": "x"}, [], [])


@pytest.mark.slow
def test_the_page_of_the_teacher_fits_1280_pixels(class_grades, chromium):
    links = dict.fromkeys(made_up_class.NAMES, "x")
    wide = chromium.new_page(viewport={"width": 1280, "height": 800})
    made = class_page(class_grades, links, grade.mistakes(class_grades), grade.fooled(class_grades))
    wide.set_content(made)
    assert wide.evaluate("document.documentElement.scrollWidth") <= 1280
    last = wide.locator("summary").last
    for square in (wide.locator("summary").first, last):
        square.click()
        box = wide.locator("details[open] > div").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 1280
        assert wide.locator("details[open]").count() == 1  # the one before has closed
    wide.close()


def test_what_has_no_points_is_practice(tmp_path, monkeypatch):
    practice = replace(exercises("01")["01.1"], points=0)
    monkeypatch.setitem(EXERCISES, "01.1", practice)
    write(tmp_path, "a", notebook(record("01.1", right("01.1")), record("01.3", right("01.3"))))
    grades = graded(tmp_path)
    (anna,) = grades.students
    assert verdicts(anna) == {"01.1": "right", "01.3": "right"} and grades.total(anna) == 1
    assert "01.1" not in grade.points_table(grades)
    assert "practice" in feedback_pages(grades)["anna"][1]


@pytest.fixture
def two_notebooks(tmp_path):
    """A folder with the core of anna and what goes further, where 01.5 stands in the second."""
    write(tmp_path, "01_core", notebook(record("01.1", right("01.1"))))
    made = notebook(record("01.5", right("01.5")))
    made["cells"].insert(0, {"cell_type": "markdown", "source": ["# 01 further · A title"]})
    write(tmp_path, "01_more", made)
    return tmp_path


def test_what_goes_further_counts_only_if_the_teacher_asks(two_notebooks):
    grades = graded(two_notebooks)
    (anna,) = grades.students
    assert [paper.further for paper in anna.papers] == [False, True] and anna.notes == []
    assert verdicts(anna) == {"01.1": "right", "01.5": "right"} and grades.total(anna) == 1
    assert grades.most == most() and "01.5" not in grade.points_table(grades)
    assert "01.5 go further and give no points" in grade.summary(grades, "x")
    asked = graded(two_notebooks, count_further=True)
    assert asked.total(anna) == 2 and asked.most == most() + 1
    assert list(grade.points_table(asked))[-3:] == ["01.5", "01.7", "total"]
    assert "--further" not in grade.summary(asked, "x")
    chosen = graded(two_notebooks, points={"01.5": 3})
    assert chosen.total(anna) == 4


def test_the_key_lists_what_goes_further_apart(two_notebooks):
    key = grade.key(graded(two_notebooks))
    assert key.part.tolist() == sorted(key.part) and set(key[key.part == "further"].exercise) == {
        "01.5",
        "01.7",
    }


def test_a_class_that_did_the_core_sees_nothing_else(two_notebooks):
    (two_notebooks / "01_more.ipynb").unlink()
    grades = graded(two_notebooks)
    assert "01.5" not in class_page(grades, {"anna": "x"}, [], [])
    assert "01.5" not in feedback_pages(grades)["anna"][1] and "--further" not in grade.summary(
        grades, "x"
    )


def test_who_hands_in_only_what_goes_further_gets_a_note(two_notebooks):
    (two_notebooks / "01_core.ipynb").unlink()
    assert only(two_notebooks).notes == ["what goes further, and not the lesson itself"]


def test_a_file_may_set_other_points(tmp_path):
    write(tmp_path, "a", notebook(record("01.1", right("01.1")), record("01.3", right("01.3"))))
    (tmp_path / "points.csv").write_text("exercise;points\n01.1;2.5\n01.3;0\n02.1;4\n")
    points = grade.read_points(tmp_path / "points.csv")
    grades = graded(tmp_path, points=points)
    assert grades.total(grades.students[0]) == 2.5
    assert grades.most == graded(tmp_path).most + 0.5
    assert "01.3" not in grade.points_table(grades)


def test_ids_are_found_in_lists_as_spreadsheets_write_them(tmp_path):
    path = tmp_path / "ids.csv"
    for text in ("anna\nBert \n\nanna\n", "\ufeffname;ID\nA;anna\nB;Bert\n", "id\nanna\nBert"):
        path.write_text(text, "utf-8")
        assert grade.read_ids(path) == ["anna", "Bert"]
    path.write_bytes("id\nzoë".encode("cp1252"))
    assert grade.read_ids(path) == ["zoë"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("--class", "name,mail\nA,b", "has no column id"),
        ("--class", "\n", "lists no ids"),
        ("--class", None, "cannot be read"),
        ("--points", "01.99,1", "“01.99,1” is no exercise with its points"),
        ("--points", "01.1,-1", "is no exercise with its points"),
        ("--points", "01.1", "is no exercise with its points"),
    ],
)
def test_a_list_that_is_none_is_told_in_a_sentence(name, text, said, tmp_path, capsys):
    path = tmp_path / "list.csv"
    if text is not None:
        path.write_text(text)
    with pytest.raises(SystemExit):
        grade.main([str(tmp_path), name, str(path), "-o", str(tmp_path / "out")])
    assert said in capsys.readouterr().err


def test_the_name_of_a_file_decides_only_where_the_id_is_not_on_the_list(tmp_path):
    write(tmp_path, "01_bert", notebook(record("01.1", right("01.1"))))
    write(tmp_path, "01_anna", notebook(record("01.1", [9, 9, 9])))
    anna, bert = graded(tmp_path, ids=["Anna", "bert"]).students
    assert verdicts(anna) == {"01.1": "right"}  # the better of two
    assert anna.notes[1] == "01_bert.ipynb: its file is named like bert, and its id is anna"
    assert bert.notes == ["nothing handed in"]


def test_the_copies_that_jupyter_keeps_are_no_papers(tmp_path):
    """Nor is a folder of somebody who is called so, almost."""
    write(tmp_path, "01_anna", notebook(record("01.1", [9, 9, 9])))
    write(
        tmp_path, ".ipynb_checkpoints/01_anna-checkpoint", notebook(record("01.1", right("01.1")))
    )
    write(tmp_path, "ipynb_checkpoints/01_bert", notebook(record("01.1", right("01.1"), "bert")))
    assert [paper.file for paper in read_folder(tmp_path)] == [
        "01_anna.ipynb",
        "ipynb_checkpoints/01_bert.ipynb",
    ]
    anna, _ = graded(tmp_path).students
    assert verdicts(anna) == {"01.1": "wrong"} and anna.notes == []


def test_of_two_files_the_guesses_of_the_first_count(tmp_path):
    """A second file adds what the first has not; it does not change a guess."""
    answer = record("01.1", [9, 9, 9])
    write(tmp_path, "a", notebook(guessed("01.b", said="57"), answer))
    better = guessed("01.b", said="12", kind="right")
    write(tmp_path, "b", notebook(better, guessed("01.c", said="3"), answer))
    guesses = only(tmp_path).guesses
    assert {id: guess["said"] for id, guess in guesses.items()} == {"01.b": "57", "01.c": "3"}


def test_the_key_has_a_row_for_everybody_where_somebody_left_the_id_out(tmp_path):
    write(tmp_path, "a", notebook(record("01.1", right("01.1"))))
    key = grade.key(graded(tmp_path))
    assert key[key.exercise == "01.1"].student.tolist() == ["anna"]
    common = record("01.1", right("01.1", None), None)
    write(tmp_path, "a", notebook(record("01.5", right("01.5")), common))  # of one paper, both
    key = grade.key(graded(tmp_path)).set_index(["exercise", "student"]).answer
    assert key["01.1"].index.tolist() == ["everybody", "anna"]
    assert check("01.1", eval(key["01.1", "everybody"])).right
    assert check("01.1", eval(key["01.1", "anna"]), "anna").right
    assert not check("01.1", eval(key["01.1", "everybody"]), "anna").right


def test_a_file_too_large_is_not_read(tmp_path, monkeypatch):
    write(tmp_path, "a", notebook(record("01.1", [9, 9, 9])))
    monkeypatch.setattr(papers, "LARGEST", 100)
    (paper,) = read_folder(tmp_path)
    assert paper.answers == [] and paper.notes == ["cannot be read: larger than 0 MB"]


def test_what_stands_in_a_comment_was_not_typed(tmp_path):
    lines = ['my = lesson("01", student="anna")', '# my = lesson("02", student="bert")']
    cell = {"cell_type": "code", "source": "\n".join([lines[1], lines[1], lines[0]])}
    write(tmp_path, "a", notebook(cells=[cell]))
    (paper,) = read_folder(tmp_path)
    assert (paper.lesson, paper.student) == ("01", "anna")


def test_a_file_named_like_two_is_nobodys():
    assert grade.named_in("01_anna_bert.ipynb", ["anna", "bert"]) is None
    assert grade.named_in("01_anna_and_bob.ipynb", ["anna", "bert"]) == "anna"


def test_of_two_functions_the_one_that_its_notebook_calls_right_counts(tmp_path):
    function = {"answer": {"function": "def true_match_rate(c, T): ...", "name": "f"}}
    for name, kind in {"a": "wrong", "b": "right", "c": "wrong"}.items():
        write(tmp_path, name, notebook(record("01.4", 1) | function | {"kind": kind}))
    grades = graded(tmp_path, count_functions=True)
    assert grades.total(grades.students[0]) == 1


def test_everybody_has_a_page_of_feedback(tmp_path):
    """Also where two ids are the same as names of files."""
    for name, id in {"a": "a b", "b": "a_b", "c": "a/b"}.items():
        write(tmp_path, name, notebook(record("01.1", [9, 9, 9], id)))
    pages = feedback_pages(graded(tmp_path))
    names = [name for name, _ in pages.values()]
    assert sorted(names) == ["a_b.html", "a_b_2.html", "a_b_3.html"]


def test_notes_tell_what_a_teacher_should_look_at(tmp_path):
    both = record("01.1", right("01.1", None), None), record("01.2", 1, "dora")
    write(tmp_path, "d", notebook(*both))
    two = record("01.1", [1, 1, 1], "finn"), record("01.2", 1, "gus")
    write(tmp_path, "f", notebook(*two))
    stopped = {"cell_type": "code", "source": 'answer = x\nmy.check("01.3", answer)'}
    stopped["outputs"] = [{"output_type": "error", "ename": "NameError"}]
    shown = {"cell_type": "code", "source": 'my.check("01.5", 3)\nprint(1)', "execution_count": 4}
    late = {"cell_type": "code", "source": 'my.check("01.6", ("A", "risk"))'}
    cells = [stopped, shown, late]
    write(tmp_path, "g", notebook(record("01.1", [1, 1, 1], "hal"), cells=cells))
    rows = {one.id: one for one in graded(tmp_path).students}
    assert rows["dora"].notes == ["01.1 on the lesson's own tables"]
    assert verdicts(rows["dora"])["01.1"] == "right"  # judged on those
    assert rows["finn"].notes == ["several ids (finn, gus): judged as finn"]
    assert rows["hal"].notes == [
        "01.3 typed; its cell stopped with NameError",
        "01.5 typed and run, and no verdict is stored: is my.check the last line?",
        "01.6 typed, and its cell was not run",
    ]


def in_a_browser(record):
    """A record as the kernel of a browser stores it: what is None is left out."""
    return {name: value for name, value in record.items() if value is not None}


def test_a_notebook_from_a_browser_is_read_as_any_other(tmp_path):
    answers = record("01.1", [1, 1, 1], None), record("01.2", 1, None)
    looked = guessed("01.c", said=None, given=None, kind="open")
    rows = []
    for name, as_stored in (("a", dict), ("b", in_a_browser)):
        (tmp_path / name).mkdir()
        write(tmp_path / name, "same", notebook(*map(as_stored, (*answers, guessed(), looked))))
        grades = graded(tmp_path / name)
        rows.append((verdicts(grades.students[0]), grade.fooled(grades), grades.students[0].notes))
    assert "student" not in in_a_browser(answers[0]) and rows[0] == rows[1]


def test_an_error_in_a_browser_has_the_same_name(tmp_path):
    stopped = {"cell_type": "code", "source": 'my.check("01.3", x)'}
    stopped["outputs"] = [{"output_type": "error", "ename": "<class 'NameError'>"}]
    write(tmp_path, "a", notebook(record("01.1", [1, 1, 1]), cells=[stopped]))
    assert only(tmp_path).notes == ["01.3 typed; its cell stopped with NameError"]


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        ('print(my.check("01.5", 3))', "Inside print(...) the answer is shown but not stored: "
         "leave out print and run the cell again"),
        ('answer = 3\nprint(\n    "so:", my.check("01.5", answer),\n)', "Inside print(...)"),
        ('my.check("01.5", 3);', "The cell ends with ; so the answer was not stored: remove it "
         "and run the cell again"),
        ('answer = 3; my.check("01.5", answer) ;  # done\n', "The cell ends with ;"),
        ('my.check("01.5", 3)  # print(my.check(...));', "Make my.check the last line"),
        ('print("now"), my.check("01.5", 3)\nanswer', "Make my.check the last line"),
        ('%time my.check("01.5", 3)', "Make my.check the last line"),
        ('my.check("01.5", "\\d" """', "Make my.check the last line"),
    ],
)  # fmt: skip
def test_who_ran_a_cell_that_stores_nothing_is_told_what_to_change(tmp_path, source, advice):
    cell = {"cell_type": "code", "source": source, "execution_count": 3, "outputs": []}
    write(tmp_path, "a", notebook(record("01.1", [1, 1, 1]), cells=[cell]))
    grades = graded(tmp_path)
    assert verdicts(grades.students[0])["01.5"] == "typed"
    assert escape(advice) in feedback_pages(grades)["anna"][1]
    assert "save the notebook and hand it in again." in feedback_pages(grades)["anna"][1]


# ------------------------------------------------------------------------ broken and forged

FORGED = {"version": VERSION, "exercise": "01.1", "student": "x", "answer": 1, "attempts": 1}
FORGED |= {"kind": "right"}
BROKEN = {
    "empty": "", "text": "no JSON", "list": "[1]", "number": "3", "bytes": b"\xff\xfe\x00",
    "deep": "[" * 100_000, "no cells": {"cells": 3}, "odd cells": {"cells": [1, {"outputs": 2}]},
    "odd data": {"cells": [{"outputs": [{"data": 1}, 7, {"data": {MIME: [1]}}]}]},
    "digits": '{"cells": ' + "9" * 5000 + "}",
    "version": notebook(FORGED | {"version": "0.0"}),
    "no kind": notebook(FORGED | {"kind": ["right"]}),
    "a sentence": notebook(FORGED | {"kind": "Right."}),
    "id": notebook(FORGED | {"student": ["a"]}),
    "list id": notebook(FORGED | {"exercise": ["01.1"]}),
    "blank": notebook(FORGED | {"student": " "}),
    "other": notebook(FORGED | {"exercise": "77.1"}),
    "attempts": notebook(FORGED | {"attempts": "x"}),
    "true": notebook(FORGED | {"attempts": True}),
}  # fmt: skip
DEEP = json.loads("[" * 900 + "]" * 900)
ANSWERS = [DEEP, {"mapping": DEEP},
           None, [], {}, "x", 10**400, [[[[[[1]]]]]], {"table": 3}, {"number": "inf"},
           {"mapping": [[{"set": []}, 1]]}, {"column": [{}], "index": [[[]]]}, "=1+1"]  # fmt: skip


def test_broken_and_forged_notebooks_give_a_row_each(tmp_path):
    for number_, (name, content) in enumerate(list(BROKEN.items()) * 8):
        write(tmp_path, f"{name} {number_}", content)
    for number_, answer in enumerate(ANSWERS * 6):
        forged = FORGED | {"exercise": f"01.{number_ % 7}", "answer": answer}
        write(tmp_path, f"answer {number_}", notebook(forged | {"student": f"x{number_}"}))
    odd = {"ename": DEEP, "output_type": "error", "data": {"text/plain": DEEP}}
    odd_cells = [{"cell_type": "code", "source": [DEEP, 'my.check("01.3", 1)'], "outputs": [odd]}]
    odd_guess = {
        "version": VERSION,
        "prediction": "01.b",
        "said": "1",
        "kind": "right",
        "truth": DEEP,
    }
    write(tmp_path, "odd", notebook(odd_guess, cells=odd_cells))
    (tmp_path / "folder.ipynb").mkdir()
    (tmp_path / "nowhere.ipynb").symlink_to(tmp_path / "missing")
    grades = graded(tmp_path)
    assert len(grades.students) == 8 * len(BROKEN) + 6 * len(ANSWERS) + 3 > 100
    assert all(one.notes for one in grades.students if one.id.endswith(".ipynb"))
    assert not any("right" in verdicts(one).values() for one in grades.students)
    page = class_page(grades, {one.id: "x" for one in grades.students}, [], grade.fooled(grades))
    assert "<script" not in page


def test_functions_are_not_run_and_not_counted_unless_wanted(tmp_path):
    source = "open('trap', 'w').write('run')\ndef true_match_rate(c, T):\n    return 1"
    forged = record("01.4", 1) | {"answer": {"function": source, "name": "true_match_rate"}}
    write(tmp_path, "a", notebook(forged | {"kind": "right"}))
    for counted in (False, True):
        grades = graded(tmp_path, count_functions=counted)
        (anna,) = grades.students
        assert verdicts(anna) == {"01.4": "not checked"} and grades.total(anna) == counted
        assert grades.most == most(counted)
    assert not list(tmp_path.rglob("trap"))


@pytest.mark.parametrize("sign", ["=", "+", "-", "@"])
def test_no_head_and_no_cell_of_a_csv_is_a_formula(sign):
    text = csv_text(pd.DataFrame({f"{sign}1+1": [f"{sign}2+2", "a"], "good": [-1.5, 2]}))
    head, first, second = csv.reader(text.splitlines())
    assert head == [f"'{sign}1+1", "good"] and first == [f"'{sign}2+2", "-1.5"]
    assert second == ["a", "2"]


def test_caption_heads_and_cells_of_a_table_are_escaped():
    made = html_table(pd.DataFrame({"<i>": ["<u>"]}), "<b>caption</b> & more")
    assert "<caption>&lt;b&gt;caption&lt;/b&gt; &amp; more</caption>" in made
    assert "&lt;i&gt;</th>" in made and "&lt;u&gt;</td>" in made


def test_names_are_no_formulas_no_tags_and_no_paths(tmp_path):
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    write(folder, "a", notebook(record("01.1", [9, 9, 9], "=1+1<b>")))
    write(folder, "b", notebook(record("01.1", [9, 9, 9], "../../up")))
    assert not grade.main([str(folder), "-o", str(out)])
    assert '"\'=1+1<b>"' in (out / "01_points.csv").read_text("utf-8-sig")
    names = sorted(path.name for path in (out / "01_feedback").iterdir())
    assert names == ["1_1_b.html", "up.html"]
    for page in out.rglob("*.html"):
        assert "1+1<b>" not in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none"], "there is no folder none"),
        ([".", "-o", "a"], "a is a file"),
        (["."], "no notebook in . is a lesson's"),
    ],
)
def test_what_cannot_be_graded_is_told_in_a_sentence(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").touch()
    with pytest.raises(SystemExit):
        grade.main(words)
    assert said in capsys.readouterr().err
    assert not grade.main([".", "-o", "g", "--lesson", "01"])  # nobody handed in


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
        "kind": "wrong",
    } | other


def test_predictions_are_read_and_forged_ones_left_out(tmp_path):
    write(tmp_path, "a", notebook(guessed(), guessed("01.c", said=None, kind="open")))
    write(tmp_path, "b", notebook(guessed(said="12", kind="right"), record("01.1", [9, 9, 9])))
    write(tmp_path, "c", notebook(guessed(), record("01.1", [9, 9, 9], "bert")))
    forged = [guessed("77.z"), guessed(["01.b"]), guessed(kind="yes"), guessed(said=[1])]
    write(tmp_path, "d", notebook(*forged))
    grades = graded(tmp_path)
    table = pd.DataFrame(grade.fooled(grades)).set_index("id")
    assert list(table.index) == ["01.b", "01.c"]  # what fooled most comes first
    assert table.loc["01.b", ["near", "fooled", "looked"]].tolist() == [1, 2, 0]
    assert table.loc["01.b", ["most_said", "truth"]].tolist() == ["57", "12"]
    assert table.loc["01.c", "looked"] == 1
    assert "4 stored answers are broken" in str(graded(tmp_path).students[-1].notes)
    assert "that was near enough" in feedback_pages(grades)["anna"][1]
