"""Exercises accept what is right, know the usual mistakes, and never answer with a traceback.

No mistake gives the right answer, on anybody's tables. Where two mistakes give the same, only one
of them can be told: `coinciding.txt` lists these, for the lessons' own tables and five students.
After a change that was meant:

    python tests/test_exercises.py
"""

import hashlib
import re
import signal
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import nbformat
import numpy as np
import pandas as pd
import pytest
from notebook_runner import cells_of, ids_in, solved

import synthrisk_edu as sr
from synthrisk_classroom import exercise as engine
from synthrisk_classroom import forms, lesson
from synthrisk_classroom.exercise import Exercise
from synthrisk_classroom.forms import (
    Choice,
    Function,
    Names,
    Number,
    Numbers,
    OneOf,
    Release,
    Table,
)
from synthrisk_classroom.lesson import (
    draw_until,
    exercises,
    numbers,
    own_exercises,
    seed_of,
    student_id,
    tables,
)
from synthrisk_classroom.lessons import lesson_02
from synthrisk_classroom.lessons.lesson_01 import found_last
from synthrisk_classroom.lessons.lesson_04 import everybody
from synthrisk_classroom.running import cores
from synthrisk_classroom.solutions import DOTS, exercise_in, fill_in, source
from synthrisk_classroom.verdict import address_of

COINCIDING = Path(__file__).with_name("coinciding.txt")
STUDENTS = [f"student-{number}" for number in range(5)]
ALL = [one for number in numbers() for one in exercises(number).values()]
CHOICES = [one for one in ALL if isinstance(one.form, Choice)]
LESSONS = sorted({one.lesson for one in ALL})
lesson_module = import_module("synthrisk_classroom.lesson")  # the package's `lesson` is a function
BOTH_GRIDS = lesson_02.FEWER, lesson_02.RADII


def number(exercise):
    return exercise.id


def check(id, answer, student=None):
    return lesson(id[:2], student=student).check(id, answer)


def data(exercise, student=None):
    """The tables of an exercise, not to be changed."""
    return tables(exercise.lesson, None if exercise.story else student)


@pytest.fixture(scope="module", autouse=True)
def nothing_is_forgotten():
    """A classroom forgets old results; here each is computed once for all tests of this file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "once", cache(engine.once.__wrapped__))
        yield


def right_answers(exercise, d):
    """Everything a student may hand in that is right: exact, rounded, in other types."""
    form = exercise.form
    if isinstance(form, Release):
        return [exercise.function(d), lambda members: exercise.function(d)]
    if isinstance(form, Function):
        return [exercise.function]
    right = exercise.result(d)
    if isinstance(form, Choice):
        return [pair for pair, (fine, _) in right.items() if fine]
    if isinstance(form, OneOf):
        return [right, right.upper(), [right]]
    if isinstance(form, Number):
        rounded = round(float(right), form.digits or 0)
        return [right, np.float64(right), np.float32(rounded), rounded, pd.Series([right])]
    if isinstance(form, Numbers):
        listed = [float(right[part]) for part in form.parts]
        rounded = [round(one, form.digits or 0) for one in listed]
        by_name = dict(zip(form.parts, listed, strict=True))
        return [listed, rounded, np.array(listed), pd.Series(by_name), by_name | {"more": 1}]
    if isinstance(form, Table):
        return [right, right.astype(float), right.iloc[::-1], right.assign(more=0)]
    return [right, set(right), [name.upper() for name in right], pd.Index(right, dtype=object)]


def hand_in(exercise, sentence, d):
    """What a student who made a mistake hands in."""
    if isinstance(exercise.form, Function):
        return exercise.form.variant(exercise.function, exercise.mistakes[sentence])
    wrong = exercise.wrong(d)[sentence]
    if isinstance(exercise.form, Number):
        return wrong["answer"]
    if isinstance(exercise.form, Numbers):
        return exercise.right(d) | wrong
    return wrong


# -------------------------------------------------------------------- right ones


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_right_answers_are_accepted(exercise):
    answers = right_answers(exercise, data(exercise))
    assert answers
    for answer in answers:
        verdict = check(exercise.id, answer)
        assert verdict.right, (answer, verdict)


def test_every_solution_of_a_lesson_is_right(lesson, executed):
    """The lines that `my.solution` shows, run in the lesson's own cells."""
    verdicts = solved(executed, lesson.name[:2])
    assert list(verdicts) == ids_in(executed.notebook.cells)[0]
    assert [one for one in verdicts.values() if not one.right] == []


@pytest.mark.slow
def test_every_solution_is_right_on_the_tables_of_students(lesson, executed):
    for student in STUDENTS:
        verdicts = solved(executed, lesson.name[:2], student)
        assert [one for one in verdicts.values() if not one.right] == [], student


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_rounding_by_more_than_the_digits_asked_for_is_not_accepted(exercise):
    form, d = exercise.form, data(exercise)
    if not isinstance(form, Numbers | Table):
        return  # nothing to round
    step = 1 if form.digits is None else 10**-form.digits
    if isinstance(form, Table):
        wrong = [exercise.right(d) + 0.6]
    else:
        right = exercise.right(d)
        steps = {part: 2 * (form.reach(part) or step / 2) for part in form.parts}
        wrong = [right | {part: right[part] + 0.6 * steps[part]} for part in form.parts]
        wrong = [one["answer"] for one in wrong] if isinstance(form, Number) else wrong
    assert not any(check(exercise.id, answer).right for answer in wrong)


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_an_exercise_is_complete(exercise):
    assert 1 <= len(exercise.hints) <= 3
    assert isinstance(exercise.form, Choice | OneOf | Release) or len(exercise.mistakes) >= 3


# ------------------------------------------------------------------ usual mistakes


def coincidences(number, students):
    """List the mistakes that cannot be told on some tables, and what they coincide with."""
    lines = []
    for student in students:
        for exercise in exercises(number).values():
            if exercise.story and student is not None:
                continue
            d = data(exercise, student)
            for sentence in exercise.mistakes:
                verdict = exercise.judge(hand_in(exercise, sentence, d), d)
                told = "the right answer" if verdict.right else verdict.mistake
                if told != sentence:
                    whose = student or "everybody"
                    lines.append(f"{exercise.id} {whose}: {sentence} Coincides with: {told}")
    return lines


def listed(number, students):
    """What `coinciding.txt` says of a lesson and these tables."""
    whose = {student or "everybody" for student in students}
    lines = COINCIDING.read_text("utf-8").splitlines()
    return [one for one in lines if one[:2] == number and one.split(":")[0].split()[1] in whose]


@pytest.mark.parametrize("number", LESSONS)
def test_each_mistake_gets_its_sentence_or_is_listed(number):
    assert coincidences(number, [None]) == listed(number, [None])


@pytest.mark.slow
@pytest.mark.parametrize("number", LESSONS)
def test_each_mistake_gets_its_sentence_on_the_tables_of_students(number):
    assert coincidences(number, STUDENTS) == listed(number, STUDENTS)


def told_right(number, student):
    """List the mistakes that are right on some tables, exactly or with the digits asked for."""
    lines = []
    for exercise in exercises(number).values():
        d = data(exercise, student)
        for sentence in exercise.mistakes:
            given = hand_in(exercise, sentence, d)
            answers = [given]
            digits = getattr(exercise.form, "digits", None)
            if digits is not None and isinstance(given, float):
                answers.append(round(given, digits))
            elif digits is not None and isinstance(given, dict):
                answers.append({part: round(one, digits) for part, one in given.items()})
            elif digits is not None:
                answers.append(given.round(digits))
            lines += [(exercise.id, sentence) for one in answers if exercise.judge(one, d).right]
    return lines


@pytest.mark.parametrize("number", LESSONS, scope="module")  # to draw each lesson's tables once
def test_no_mistake_gives_the_right_answer_on_anybodys_tables(number):
    """Whoever makes it would get the point; 01.1 gave it to every second student id."""
    for student in (None, *STUDENTS):
        assert told_right(number, student) == [], student
    assert "the right answer" not in COINCIDING.read_text("utf-8")


def test_tables_are_drawn_again_while_a_mistake_gives_the_right_answer(monkeypatch):
    """Also one that does so only once it is rounded; each draw has another seed."""
    seeds = []

    def draw(seed):
        seeds.append(seed)
        return {"value": {1: 0.6, 2: 0.5 + 0.1 * 0.49, 3: 0.9}[len(seeds)]}

    module = SimpleNamespace(data=draw)
    mistakes = {"Half.": lambda d, r: 0.6, "Nearly.": lambda d, r: 0.5}
    half = made(Number(digits=1), lambda d: d.value, **mistakes)
    monkeypatch.setattr(lesson_module, "module", lambda number: module)
    monkeypatch.setattr(lesson_module, "exercises", lambda number: {"99.1": half})
    monkeypatch.setitem(engine.EXERCISES, "99.1", half)
    assert tables.__wrapped__("99", "anna").value == 0.9
    assert seeds == [seed_of("anna", again) for again in range(3)] and len(set(seeds)) == 3


def test_whoever_cannot_be_served_gets_the_last_tables_drawn():
    """A student is never left with an error or an endless loop; the test above fails instead."""
    drawn = iter(range(10))
    assert draw_until(lambda: next(drawn), lambda number: False, tries=4) == 3


def written(value):
    """Write tables, lists and numbers as text, whatever pandas calls their types."""
    if isinstance(value, pd.DataFrame | pd.Series):
        return value.to_csv(float_format="%.12g", lineterminator="\n")
    if isinstance(value, list):
        return "\n".join(map(written, value))
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def digest_of(number, student):
    """A short digest of a student's own tables in a lesson, and of the right answers on them."""
    drawn = tables(number, student)
    texts = [f"{name}\n{written(value)}" for name, value in vars(drawn).items()]
    for id in own_exercises(number):
        asked = exercises(number)[id]
        texts.append(f"{id}\n{asked.form.shown(asked, drawn)}")
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]


DIGESTS = {
    "01": "4bbfd614 02165f61 3feeba90 885647ba b25ffc6b",
    "02": "90c543b6 d4522a9e fd1e0249 58b2c8f1 76265d91",
    "03": "432ac1ef 5b237750 dd056bd8 ed911e98 75179e73",
    "04": "bfe10446 e65febd1 dcf9e350 c5ce5726 4b201945",
    "05": "e89b83eb 3f139191 db3ca8f2 5e3fd376 0661aa33",
    "06": "150572b5 57f3bfb7 916291ce 6009a648 5021cb51",
    "07": "49ef8442 c909bbb4 46b7823e adc49322 701a413c",
    "08": "6cfc1fad aa8fbd8e f698e6ee beedcc31 eb12f7af",
    "09": "c663f499 c663f499 c663f499 c663f499 c663f499",
    "10": "f2c8272d f2c8272d f2c8272d f2c8272d f2c8272d",
}


@pytest.mark.parametrize("number", LESSONS, scope="module")
def test_a_students_tables_and_right_answers_are_the_same_everywhere(number):
    """Written down once: a teacher's libraries may be older or newer than a student's."""
    assert [digest_of(number, student) for student in STUDENTS] == DIGESTS[number].split()


def test_a_mistake_that_coincides_does_so_in_number():
    """Whatever the list says, the value is that of another mistake."""
    for line in COINCIDING.read_text("utf-8").splitlines():
        id, student = line.split(":")[0].split()
        exercise = exercises(id[:2])[id]
        d = data(exercise, None if student == "everybody" else student)
        if student != "everybody":
            continue  # the slow test has held these
        sentence = next(one for one in exercise.mistakes if f": {one} Coincides" in line)
        given = exercise.form.read(hand_in(exercise, sentence, d), exercise.right(d), d)
        others = [one for words, one in exercise.wrong(d).items() if words != sentence]
        assert any(exercise.form.same(given, one) for one in others), line


@pytest.mark.parametrize("exercise", CHOICES, ids=number)
def test_every_choice_and_reason_gets_its_own_words_with_numbers(exercise):
    pairs = [(a, b) for a in exercise.form.choices for b in exercise.form.reasons]
    verdicts = [check(exercise.id, pair) for pair in pairs]
    assert len({verdict.message for verdict in verdicts}) == len(pairs)
    assert {verdict.right for verdict in verdicts} == {True, False}
    for verdict in verdicts:
        assert not verdict.right or sum(c.isdigit() for c in verdict.message) >= 4, verdict


@pytest.mark.parametrize("exercise", CHOICES, ids=number)
def test_the_example_of_a_choice_is_not_an_answer(exercise):
    told = str(check(exercise.id, "something else"))
    choice, reason = re.search(r'such as \("(.*)", "(.*)"\)', told).groups()
    assert not check(exercise.id, (choice, reason)).right


def test_a_usual_mistake_does_not_hide_a_second_wrong_number():
    says("08.1", [6, 7], "is it always the right one? And members is not right yet.")
    says("08.1", [6, 9], "also be single, and right. And members is not right yet.")
    says("08.1", [6, 5], "before you look them up. And members is not right yet.")


def made(form, function, **mistakes):
    """An exercise of no lesson."""
    return Exercise("99.1", form, function, ["Count."], lambda d, r: "3.", mistakes)


def test_right_beats_a_mistake_that_happens_to_give_the_same():
    mistakes = {"Never said.": lambda d, r: r, "One too many.": {"more": 1}}
    exercise = made(Number(), lambda d, more=0: 3 + more, **mistakes)
    assert exercise.judge(3, None).right
    assert exercise.judge(4, None).message == "Not yet. One too many."
    told = repr(exercise.judge(5, None))
    assert told == 'Not yet. That is another number. Try my.hint("99.1").'


def test_a_mistake_in_one_number_does_not_hide_another():
    mistakes = {"Take the other town.": lambda d, r: {"c": 5}}
    exercise = made(Numbers("c", "T", "K"), lambda d: {"c": 3, "T": 1, "K": 0}, **mistakes)
    assert exercise.judge([5, 1, 0], None).message == "Not yet. Take the other town."
    told = exercise.judge([5, 0, 0], None).message
    assert told == "Not yet. Take the other town. And T is not right yet."


def test_a_mistake_that_is_right_on_these_tables_is_never_told():
    """Neither here nor on the page: another number is wrong, and the reader would look there."""
    mistakes = {"Take the other town.": lambda d, r: {"c": 3}}
    exercise = made(Numbers("c", "T"), lambda d: {"c": 3, "T": 1}, **mistakes)
    verdict = exercise.judge([3, 0], None)
    assert verdict.kind == "wrong" and verdict.mistake == "c is right, T is not."
    sentences = [words for _, _, words in exercise.form.page(exercise, None)["rows"]]
    assert not any("other town" in words for words in sentences)


def test_a_file_that_was_not_made_is_no_attempt():
    release = next(one for one in ALL if isinstance(one.form, Release))
    assert check(release.id, lambda members: None).kind == "open"
    assert check(release.id, None).kind == "unreadable"


def says(id, answer, *words):
    """The verdict is no, and says this."""
    verdict = check(id, answer)
    assert not verdict.right
    assert all(word in verdict.message for word in words), verdict


def test_a_function_that_only_rounds_is_told_so():
    def rounded(c, T):
        return round(sum(one * hit == 1 for one, hit in zip(c, T, strict=True)) / len(c), 2)

    says("01.4", rounded, "Very near: return the numbers as they are, without rounding.")


def test_differences_of_the_printed_means_are_right_in_04_2():
    """Whoever reads the table of section 6, two digits each, and subtracts, is right."""
    for student in ("bert", "dan", "leo"):
        d = lesson("04", student=student).data
        best = sr.at_maximizing_radius(d.releases[d.releases.intruder == "fixed"], by="synthesized")
        printed = best.groupby("synthesized")[["expected_match_risk", "pmse"]].mean()
        printed = printed.assign(pmse=1000 * printed.pmse).round(2)
        one, three = printed.loc["Income"], printed.loc["Expenditure+Income"]
        saved = round(one.expected_match_risk - three.expected_match_risk, 2)
        assert check("04.2", [saved, round(three.pmse - one.pmse, 2)], student).right


def test_differences_of_the_printed_means_are_right_in_05_6():
    """Printed to one digit, as in the table of section 5; and the exact ones; not much else."""
    results = lesson("05").data.results
    table = results[results.m == 3].groupby("knows").expected.mean()
    steps = ["nothing (averaged)", "models (mean β)", "f(β) (mode)"]
    for digits in (1, 9):
        files, models, coefficients = table.round(digits)[steps]
        assert check("05.6", [models - files, coefficients - models]).right
    says("05.6", [models - files + 0.2, coefficients - models], "coefficients is right, models is")


def test_the_whole_number_of_a_risk_is_right_in_02_5_and_the_radius_is_no_luck():
    """Of the six radii of section 5 two have nearly the same risk; of the four none has."""
    assert all(check("02.5", [0.15, risk]).right for risk in (367, 367.1, 367.08))
    says("02.5", [0.15, 366], "radius is right, risk is not")
    says("02.5", [0.1, 361.41], "You took the six radii of section 5")
    d = tables("02", None)
    highest = []
    for seed in range(2, 12):
        released = sr.redraw(d.ce, ["Expenditure", "Income"], ["Income", "Expenditure"], seed=seed)
        other = SimpleNamespace(ce=d.ce, released=released, known=d.known)
        highest.append([lesson_02.reported(other, radii=radii).radius for radii in BOTH_GRIDS])
    of_four, of_six = zip(*highest, strict=True)
    assert set(of_four) == {0.15} and set(of_six) == {0.1, 0.2}


def test_doing_nothing_can_be_right_and_prices_are_compared_at_the_released_level():
    assert check("06.7", ("nothing", "price")).right
    assert check("06.7", ("bands", "risk")).right
    says("06.7", ("regions", "price"), "DiSCO does not fall")
    says("06.7", ("regions", "price"), "a pMSE ratio of 1.3")
    says("06.7", ("uniques", "price"), "The tables get worse")


# ------------------------------------------------------------------------- traps


def test_records_turned_on_their_side_are_noticed():
    records = found_in_01().records
    for id, answer in {"01.1": records.T, "01.2": records.T, "01.5": records.T}.items():
        says(id, answer, 'the column T is records["T"]')


def found_in_01():
    d = lesson("01").data
    return sr.match(d.confidential, d.synthetic, ["Sex", "Town"], ["Job"])


def test_a_function_that_turns_a_table_on_its_side_is_told_so():
    def turned(found, k):
        return (found.records.T & (found.records.c <= k)).mean()

    says("03.3", turned, "your function stopped with", 'the column T is records["T"]')


RECALLED = [one for one in ALL if one.see]


@pytest.mark.parametrize("exercise", RECALLED, ids=number)
def test_a_wrong_answer_leads_to_a_section_that_is_there(exercise, monkeypatch):
    file, heading = exercise.see
    path = cores()[file]  # recall asks about cores only
    line = rf"^#+ {re.escape(heading)}$"
    cells = [one.id for one in nbformat.read(path, 4).cells if re.search(line, source(one), re.M)]
    monkeypatch.chdir(path.parent)  # where a lesson is read
    for name in set(exercise.form.options) - {exercise.result(None)}:
        verdict = check(exercise.id, name)
        assert not verdict.right
        assert f'href="{file}.ipynb#cell-id={cells[0]}"' in verdict._repr_html_()
    assert exercise.points == 0 and check(exercise.id, exercise.result(None)).right


def test_where_the_other_lesson_is_not_at_hand_a_link_names_the_heading(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert address_of("01_matching_approach", "1. One person") == (
        "01_matching_approach.ipynb#1.-One-person"
    )


# ----------------------------------------------------------- data of one's own


def test_students_have_other_right_answers():
    plain = [e for e in ALL if e.lesson == "01" and e.form.is_stored and not e.story]
    answers = [[str(one.form.plain(one, data(one, who))) for one in plain] for who in STUDENTS]
    assert len({str(one) for one in answers}) == len(STUDENTS)


def test_seeds_are_whole_numbers_that_depend_on_the_id_alone():
    seeds = [seed_of(f"student {n}") for n in range(1000)]
    assert len(set(seeds)) == 1000 and all(0 <= seed < 2**32 for seed in seeds)
    # SHA-256 of "abc" begins with ba7816bf, as its definition (FIPS 180-4) shows.
    assert seed_of("abc") == 0xBA7816BF
    assert lesson("01", student=123).student == lesson("01", student=" 123 ").student == "123"


def test_equal_ids_give_equal_tables_and_nobody_can_spoil_them():
    one, two = lesson("01", student="anna"), lesson("01", student="Anna ")
    pd.testing.assert_frame_equal(one.data.released, two.data.released)
    right = exercises("01")["01.1"].function(one.data)
    one.data.synthetic.loc[:, "Job"] = "spoilt"
    one.data.known.append("spoilt")
    assert one.check("01.1", right).right
    assert lesson("01", student="anna").data.known == two.data.known


def test_the_hand_count_of_lesson_01_is_about_the_story_for_everybody():
    anna = lesson("01", student="anna")
    by_hand = sr.match(anna.story.confidential, anna.story.synthetic, ["Sex", "Town"], ["Job"])
    assert anna.check("01.0", by_hand.records[["c", "T"]]).right
    assert not anna.data.synthetic.equals(anna.story.synthetic)


def test_a_students_function_cannot_spoil_the_tables():
    def greedy(x_i, x_star, r):
        close = sum(abs(x - x_i) <= r * abs(x_i) for x in x_star)
        x_star.iloc[:] = 0
        return close

    assert check("02.4", greedy).right
    assert check("02.4", greedy).right


# -------------------------------------------------- not answered, or not an answer


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_dots_are_no_answer(exercise):
    for dots in (..., [...], (1, ...)):
        verdict = check(exercise.id, dots)
        assert verdict.kind == "open"
        assert verdict.message.startswith("Not answered yet: hand in ")


def test_a_function_of_dots_is_not_answered():
    def untouched(c, T):
        """Say what it does."""
        ...

    assert check("01.4", untouched).kind == "open"


ODD = ["12", "", None, [], {}, print, np.nan, -1, True, [1], [1] * 50, ["a", None], ("Z",),
       {"c": "x"}, pd.NA, pd.DataFrame(), pd.Series(["x"]), np.zeros((3, 3)), [[1, 2], [3]],
       pd.DataFrame({"c": ["x"] * 10, "T": 1}), lambda *a: "text", lambda *a: [1, 2, 3],
       lambda *a: 1 / 0, lambda: 1, range(3)]  # fmt: skip


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_no_odd_answer_is_right_or_ends_in_a_traceback(exercise):
    for answer in ODD:
        verdict = check(exercise.id, answer)
        assert not verdict.right, answer
        assert verdict.message.startswith(("Not yet", "Not answered yet")), answer
        assert "\n" not in verdict.message and len(verdict.message) < 400
        assert "positional argument" not in verdict.message.split(" stopped with ")[0], answer


HALF_FILLED = pd.DataFrame(index=tables("01", None).synthetic.index, columns=["c", "T"])
HALF_FILLED.loc[["Ana", "Cleo"]] = [[1, 1], [2, 1]]
DORA_WRONG = HALF_FILLED.copy()
DORA_WRONG.loc["Dora"] = [0, 1]
FILLED_WITH_7 = DORA_WRONG.where(DORA_WRONG.notna(), 7)
HALF_A_LINE = HALF_FILLED.copy()
HALF_A_LINE.loc["Ana", "T"] = np.nan


def out_of_s(c, T):
    """Divide by s, which stopped with a ZeroDivisionError where nobody is unique."""
    return sum(one * hit == 1 for one, hit in zip(c, T, strict=True)) / c.count(1)


@pytest.mark.parametrize(
    ("id", "answer", "words"),
    [
        ("01.5", "172", "without quotes"),
        ("01.5", None, "return anything"),
        ("01.5", len, "call it"),
        ("01.5", [1, 2], "2 parts"),
        ("01.1", 1, "hand in a list: [c, T, risk]"),
        ("01.1", [1, 0], "2 entries, and 3 are asked for"),
        ("08.4", pd.DataFrame({"rows": [1, 2]}), "a whole table; hand in a list: [members, others"),
        ("01.1", [1], "the answer has 1 entry, and 3 are asked for"),
        ("01.1", [7, 0, 0], "T and risk are right, c is not"),
        ("01.2", pd.DataFrame({"c": range(9), "T": 0}), "9 rows and should have 10"),
        ("01.2", pd.DataFrame({"c": range(10)}), "no column 'T'"),
        ("01.2", [1] * 10, "hand in a table with the columns c, T"),
        ("01.4", 0.2, "hand in the function itself"),
        ("01.4", lambda c: 0.2, "stopped with TypeError"),
        ("01.4", lambda c, T: sum(c) / 0, "stopped with ZeroDivisionError (division by zero) in"),
        ("01.4", lambda c, T: "much", "returns a text"),
        ("01.6", "A", "choice and your reason"),
        ("01.6", ("D", "risk"), "no choice 'D'; the choices are 'A', 'B', 'C'"),
        ("01.6", ("A", "luck"), "no reason 'luck'"),
        ("02.1", 5, "hand in names"),
        ("02.1", ["Eva", "Dan"], "1 of your 2 names belongs there, and none is missing"),
        ("07.2", "Ahn, Dutta, Iyer", "2 of your 3 names belong there, and 1 is missing"),
        ("07.2", [0, 3, 6], "the answer holds 0, which is no name; hand in names"),
        ("07.2", np.array([True, False]), "the answer holds True, which is no name; hand in names"),
        ("02.1", ["Dan"], "None of your names belongs there, and 1 is missing"),
        ("02.1", [], "None of your names belongs there, and 1 is missing"),
        ("01.0", HALF_FILLED, "All 4 entries so far are right; Bea is still empty."),
        ("01.0", HALF_A_LINE, "All 3 entries so far are right; Ana is still empty."),
        ("01.0", DORA_WRONG, "5 of 6 entries so far are right; look again at Dora."),
        ("01.0", FILLED_WITH_7, "5 of 20 entries are right; look again at Bea."),
        ("01.3", found_last().summary(targets=[0, 1, 2, 3]), "is the match of the 10,000; match"),
        ("01.3", found_last().summary(), "the match of the 10,000, and these are all its targets"),
        ("01.3", [1.5, 0.5, 0.5], "In the true match rate you divided by s"),
        ("01.4", out_of_s, "You divide by s"),
        ("01.4", lambda c, T: found_last().records.K.mean(), "Your function looks at `found`"),
        ("04.8", lambda leaf, i: [everybody(leaf, i)], "a list within a list (1 × 4 numbers)"),
        ("05.3", lambda i, true, files: [[1] * 10], "(1 × 10 numbers) where a list of 10 numbers"),
        ("05.3", lambda i, true, files: 1, "returns one number where a list of 10 numbers should"),
        ("06.2", [87.5, 75, 37.5], "or you asked for an original that tells the same"),
        ("01.3", [1.5, 25, 50], "For true_match_rate and false_match_rate you have per cent"),
        ("01.5", 956, "all ten columns; the intruder has five facts"),
        ("02.5", [15, 367.08], "For radius you have per cent; hand in shares"),
        ("03.2", 24, "Very near: hand in the number rounded to 1 digit"),
        ("03.4", 74.26, "per cent"),
        ("03.4", 0.7427, "rounded to 4 digits"),
        ("05.r1", ["b", "c"], "the answer has 2 parts; hand in one of '"),
        ("05.r1", [], "the answer has 0 parts; hand in one of '"),
        ("05.r1", pd.Series(["b", "c"]), "the answer has 2 parts; hand in one of '"),
        (
            "01.4",
            pd.Series([1, 2]),
            "is a pandas Series; hand in the function itself: true_m",
        ),
        ("01.4", [1, 2], "the answer is a list; hand in the function itself"),
        ("02.4", lambda x_i, x_star, r: x_star.mode, "of type method in "),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(id, answer, words):
    verdict = check(id, answer)
    assert not verdict.right
    assert words in verdict.message


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_right_says_why_in_whole_sentences(exercise):
    d = data(exercise)
    told = [*exercise.mistakes, exercise.why(d)]
    if isinstance(exercise.form, Choice):  # a choice is told what the numbers say of it
        told += [words for _, words in exercise.right(d).values()]
    else:
        assert check(exercise.id, right_answers(exercise, d)[0]).message == f"Right. {told[-1]}"
    for sentence in told:
        assert re.match(r"[A-Z0-9(]|(c|h|nunique) ", sentence), sentence  # or a name of the code
        assert sentence.endswith((".", "?")) and not re.search(r"\bnan\b", sentence), sentence


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("01.3", [1.5, "25%", "50 %"]),
        ("01.3", [1.5, 0.25, 0.5]),
        ("02.5", ["15 %", 367.08]),
        ("02.6", ("5%", "this intruder")),
        ("02.6", ("BOTH", "This  Intruder")),
        ("06.2", ["87.5 %", "75%", 50]),
    ],
)
def test_per_cent_signs_and_blanks_are_read_as_they_are_meant(id, answer):
    plain = {"01.3": [1.5, 0.25, 0.5], "02.5": [0.15, 367.08], "06.2": [87.5, 75, 50]}
    if id == "02.6":
        plain[id] = ("5 %" if answer[0] == "5%" else "both", "this intruder")
    assert check(id, answer).message == check(id, plain[id]).message


def test_a_column_that_a_function_gets_is_called_by_its_name():
    """A long Series was called "a list", and a short one written as one."""

    def stops(c, T):
        return c.append(1)

    cases = [(pd.Series([1, 2]), 0.5), (pd.Series(range(100)), [1])]
    for case, words in zip(
        cases, ("f(pd.Series([1, 2]), 0.5)", "f(a pandas Series, [1])"), strict=True
    ):
        form = Function("f(c, T)", lambda data, case=case: [case])
        with pytest.raises(ValueError, match=re.escape(f"in {words}.")):
            form.read(stops, None, None)


def test_a_column_with_the_names_beside_it_is_read_as_names():
    d = lesson("02").data
    relative = sr.match(d.true, d.synthetic, [], ["Income"], 0.2).records
    absolute = sr.match(d.true, d.synthetic, [], ["Income"], 10, relative=False).records
    differ = relative.c != absolute.c
    for answer in (differ, relative[differ], relative.c[differ], differ.index[differ]):
        assert check("02.3", answer).right
    assert not check("02.3", ~differ).right


def test_a_function_that_prints_in_place_of_returning_is_told_so(capsys):
    def printing(c, T):
        print(sum(a * b == 1 for a, b in zip(c, T, strict=True)) / len(c))

    says("01.4", printing, "true_match_rate(c, T) prints", "return in place of print")
    assert capsys.readouterr().out == ""
    assert "which returns its result" in check("01.4", lambda c, T: None).message


def test_a_series_may_stand_in_any_order():
    exercise = made(Table(digits=1), lambda d: pd.Series([1.5, 2.0], index=["a", "b"]))
    for answer in ([1.5, 2], {"b": 2, "a": 1.5}, pd.Series([2, 1.52], index=["b", "a"])):
        assert exercise.judge(answer, None).right
    assert "1 of 2 entries is right; look again at b" in exercise.judge([1.5, 3], None).message
    assert "no number" in exercise.judge(["x", 3], None).message
    assert "one number for each row" in exercise.judge("x", None).message


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: lesson("01").check("01.99", 1), "no exercise '01.99' in lesson 01: the exercises"),
        (
            lambda: lesson("01").hint("02.1"),
            "no exercise '02.1' in lesson 01: the exercises are 01",
        ),
        (lambda: lesson("00").solution("nonsense"), "'nonsense' in lesson 00: it has no exercises"),
        (lambda: lesson("99"), "number must be one of '00', '01'"),
        (lambda: lesson("01").hint("01.1", 0), "number must be a whole number, 1 or more"),
    ],
)
def test_wrong_calls_are_said_in_a_sentence(call, words):
    with pytest.raises(ValueError) as caught:
        call()
    assert words in str(caught.value)


@pytest.mark.parametrize("student", ["your student id", " Your ID", "…"])
def test_the_words_that_stand_for_an_id_are_no_id(student):
    with pytest.raises(ValueError, match="write your own id in place of"):
        student_id(student)


def test_a_lesson_says_whose_tables_it_has(capsys):
    lesson("01")
    assert capsys.readouterr().out == ""
    lesson("01", student=" Anna")
    assert capsys.readouterr().out == "The exercises have the tables of anna.\n"


@pytest.mark.parametrize("student", ["", 1.5, True, ["a"]])
def test_a_student_id_is_a_text(student):
    if student is not True:
        with pytest.raises(TypeError, match="a student id is a text"):
            lesson("01", student=student)
    assert student_id("É") == student_id("E\u0301")


# ------------------------------------------------------------- hints and solutions


def test_hints_come_one_after_the_other():
    my, hints = lesson("01"), exercises("01")["01.1"].hints
    for number, text in enumerate(hints, start=1):
        assert repr(my.hint("01.1")) == f"Hint {number} of {len(hints)}. {text}"
    assert 'my.solution("01.1")' in repr(my.hint("01.1"))
    assert repr(my.hint("01.1", 1)).endswith(hints[0])


@pytest.mark.parametrize("exercise", ALL, ids=number)
def test_solutions_have_code_and_words(exercise):
    note = lesson(exercise.lesson).solution(exercise.id)
    assert exercise.solution in repr(note) and len(note.message) > 40


def test_a_teacher_can_withhold_solutions(tmp_path, monkeypatch):
    inside = tmp_path / "class" / "notebooks"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    my = lesson("01")
    assert my.solution("01.1").code
    (tmp_path / "class" / "class.toml").write_text("solutions = false\n", "utf-8")
    assert not my.solution("01.1").code and "keeps the solutions" in my.solution("01.1").message
    assert "my.solution" not in my.hint("01.1", 9).message


@pytest.mark.parametrize(
    ("line", "withheld"),
    [
        ("solutions = no", True), ('solutions = "no"', True),
        ("solutions=False # until June", True), ("title = 1\nsolutions = 0", True),
        ("solutions = true", False), ("solutions = TRUE", False), ("", False),
        ("# solutions = no", False), ("all_solutions = no", False),
    ],
)  # fmt: skip
def test_any_word_but_true_withholds_solutions(tmp_path, monkeypatch, line, withheld):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class.toml").write_text(line, "utf-8")
    assert bool(lesson("01").solution("01.1").code) is not withheld


def test_of_two_class_files_the_nearer_one_counts(tmp_path, monkeypatch):
    (tmp_path / "inside").mkdir()
    monkeypatch.chdir(tmp_path / "inside")
    (tmp_path / "class.toml").write_text("solutions = no", "utf-8")
    (tmp_path / "inside" / "class.toml").write_text("solutions = true", "utf-8")
    assert lesson("01").solution("01.1").code


def test_what_a_student_typed_is_escaped():
    verdict = check("01.6", ("<b>", "risk"))
    assert "<b>" in verdict.message
    assert "<b>" not in verdict._repr_html_() and "&lt;b&gt;" in verdict._repr_html_()
    note = lesson("02").solution("02.4")
    assert "<=" in note.code and "<=" not in note._repr_html_()


@pytest.mark.parametrize("number", LESSONS)
def test_every_exercise_stands_in_one_notebook_of_its_lesson_and_untouched(number):
    notebooks = cells_of(number).values()
    ids = [ids_in(cells)[0] for cells in notebooks]
    assert sorted(id for there in ids for id in there) == sorted(exercises(number))
    for there in ids:
        assert there == [id for id in exercises(number) if id in there], "in their order"
    places = [(cells, n) for cells in notebooks for n in range(len(cells)) if exercise_in(cells[n])]
    for cells, n in places:
        id = exercise_in(cells[n])
        assert len(DOTS.findall(source(cells[n]))) == 1
        question, form = source(cells[n - 1]), exercises(number)[id].form
        assert question.startswith(f"**{id} ")
        if isinstance(form, Choice):
            assert all(f'"{name}"' in question for name in [*form.choices, *form.reasons])


def test_a_solution_takes_the_place_of_the_dots_and_nothing_else():
    text = 'def f(x):\n    """Say ... this."""\n    ...\n\n\nmy.check("01.4", f)'
    filled = fill_in(text, "y = x\nreturn y")
    assert filled == text.replace("    ...\n", "    y = x\n    return y\n")
    assert fill_in("answer = ...\nrest", "answer = 1") == "answer = 1\nrest"
    assert fill_in("a = ...\nb = ...", "a = 1") == "a = 1\nb = ..."


def test_names_are_compared_as_a_set():
    form = Names()
    assert form.value(["Ana", "Bob"]) == form.read("bob ana".split(), None, None)


# ------------------------------------------------------------- loops without an end

FORM = Function("f(x)", lambda data: [(1,), (2,)])


def endless(x):
    while True:
        with suppress(Exception):
            x += 1


def endless_whatever_comes(x):
    while True:
        try:
            x = abs(abs(abs(abs(x))))
        except:  # noqa: E722 (what a student may write)
            x = 0


@pytest.mark.parametrize("function", [endless, endless_whatever_comes])
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")
def test_a_function_that_never_ends_is_stopped_with_a_sentence(monkeypatch, function):
    monkeypatch.setattr(forms, "SECONDS", 0.2)
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(
        ValueError,
        match=r"stopped after 0.2 seconds in f\(1\); see .* ever end, or find a shorter way\.$",
    ):
        FORM.read(function, [1, 2], None)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert FORM.read(lambda x: x, [1, 2], None) == [1, 2]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")
def test_a_timer_of_somebody_else_goes_on():
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 50)
    try:
        FORM.read(lambda x: x, [1, 2], None)
        assert 40 < signal.getitimer(signal.ITIMER_REAL)[0] <= 50
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_in_another_thread_a_function_is_left_to_itself():
    found = []
    thread = Thread(target=lambda: found.append(FORM.read(lambda x: x, [1, 2], None)))
    thread.start()
    thread.join()
    assert found == [[1, 2]]


if __name__ == "__main__":  # pragma: no cover
    everybody = [None, *STUDENTS]
    lines = [line for number in LESSONS for line in coincidences(number, everybody)]
    COINCIDING.write_text("".join(f"{line}\n" for line in lines), "utf-8")
