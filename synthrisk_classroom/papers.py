"""What stands in a notebook that was handed in? It is read as plain JSON, and nothing in it is run.

A `Paper` is one notebook: whose it says it is, the answers and predictions stored in it, and what
was typed without a verdict. Whatever is broken or forged becomes a note, and stops nobody.
"""

import ast
import json
import re
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tokenize import TokenError

from IPython.core.displayhook import DisplayHook

from synthrisk_classroom.handed_in import MIME, VERSION
from synthrisk_classroom.lesson import exercises, numbers, predictions, student_id
from synthrisk_classroom.solutions import DOTS, exercise_in, prediction_in
from synthrisk_classroom.verdict import Kind
from synthrisk_edu.words import counted, listing

LARGEST = 50_000_000  # bytes; a lesson with all its pictures has about one million
LESSON = re.compile(r"""\blesson\(\s*["'](\d\d)["']([^()\n]*)""")
FURTHER = re.compile(r"# \d\d further · ")  # how the title of such a notebook begins
STUDENT = re.compile(r"""\bstudent\s*=\s*["']([^"'\n]*)["']""")
CHECKED = (Kind.RIGHT, Kind.MISTAKE, Kind.WRONG, Kind.UNREADABLE, Kind.OPEN)  # by `my.check`
GUESSED = (Kind.RIGHT, Kind.MISTAKE, Kind.WRONG, Kind.OPEN)  # what a prediction may store


@dataclass(frozen=True)
class NoVerdict:
    """Why an answer that was typed has no verdict."""

    note: str  # for the teacher, after the ids of the exercises
    advice: str  # for the student, who then saves the notebook and hands it in again


CLEARED = NoVerdict(
    "typed; no output is stored",
    "No outputs are stored in the notebook: run all its cells",
)
NOT_RUN = NoVerdict(
    "typed, and its cell was not run",
    "Its cell was not run: run it",
)
NOT_RUN_SINCE = NoVerdict(
    "typed, and its cell was not run since",
    "You typed it after its cell had been run: run the cell again",
)
PRINTED = NoVerdict(
    "run inside print(...), which stores nothing",
    "Inside print(...) the answer is shown but not stored: leave out print and run the cell again",
)
SEMICOLON = NoVerdict(
    "run with ; at the end of the cell, so nothing is stored",
    "The cell ends with ; so the answer was not stored: remove it and run the cell again",
)
NOT_LAST = NoVerdict(
    "typed and run, and no verdict is stored: is my.check the last line?",
    "Make my.check the last line of its cell and run the cell again",
)
# The kernel of a browser leaves out of a record what is None.
MAYBE_NONE = dict.fromkeys(("student", "given", "said", "truth"))


@dataclass
class Paper:
    """One notebook, and what the teacher should know about it."""

    file: str
    student: str = ""  # as `my.check` stored it; where nothing is stored, as it was typed
    lesson: str = ""
    further: bool = False  # not the lesson itself, but what goes further from it
    asks: dict = field(default_factory=dict)  # prediction → the id of the cell that asks it
    answers: list = field(default_factory=list)  # what `my.check` stored, from top to bottom
    guesses: dict = field(default_factory=dict)  # prediction → what it stored
    typed: dict = field(default_factory=dict)  # exercise → `NoVerdict`, of what was only typed
    notes: list = field(default_factory=list)


def read_folder(folder):
    """Return a `Paper` for every notebook in a folder and the folders inside it."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"there is no folder {folder}; name the one with the students' notebooks.")
    papers = []
    for path in sorted(folder.rglob("*.ipynb")):
        name = path.relative_to(folder)
        if ".ipynb_checkpoints" not in name.parts:  # the copies that Jupyter keeps
            papers.append(read_paper(path, name.as_posix()))
    return papers


def read_paper(path, name):
    """Return the paper of one notebook; one that cannot be read has a note that says why."""
    try:
        if path.stat().st_size > LARGEST:
            raise OSError(0, f"larger than {LARGEST // 10**6} MB")
        notebook = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no notebook, or a broken one"
        return Paper(name, notes=[f"cannot be read: {reason}"])
    cells = dicts(notebook, "cells")
    stored = [record for cell in cells for record in stored_in(cell)]
    paper = Paper(name)
    paper.further = any(FURTHER.match(joined(cell.get("source"))) for cell in cells[:1])
    paper.asks = asked_in(cells)
    paper.answers = [MAYBE_NONE | record for record in stored if is_answer(record)]
    guesses = [MAYBE_NONE | record for record in stored if is_guess(record)]
    paper.guesses = {record["prediction"]: record for record in guesses}
    paper.typed = typed_in(cells, {record["exercise"] for record in paper.answers})
    paper.lesson, paper.student = whose(paper, cells)
    add_notes(paper, cells, stored)
    return paper


# --------------------------------------------------------------------------- what is stored
def dicts(value, name):
    """Return the mappings in a list inside a mapping; whatever else stands there is left out."""
    entries = value.get(name) if isinstance(value, dict) else None
    if not isinstance(entries, list):
        return []
    return [entry for entry in entries if isinstance(entry, dict)]


def stored_in(cell):
    """Return what `my.check` and `my.predict` stored in the outputs of a cell."""
    bundles = [output.get("data") for output in dicts(cell, "outputs")]
    return [bundle[MIME] for bundle in bundles if isinstance(bundle, dict) and MIME in bundle]


def is_check(stored):
    """Tell whether something looks like what `my.check` stores."""
    if not isinstance(stored, dict) or find(stored.get("exercise")) is None:
        return False
    student = stored.get("student")
    attempts = stored.get("attempts")
    named = student is None or (isinstance(student, str) and student.strip() != "")
    counted = type(attempts) is int and 0 <= attempts < 2**32
    known = stored.get("version") == VERSION and stored.get("kind") in CHECKED
    return named and counted and known and "answer" in stored


def is_answer(stored):
    """Tell whether it is an answer that `my.check` has judged, and not still the dots."""
    return is_check(stored) and stored["kind"] != Kind.OPEN


def is_guess(stored):
    """Tell whether something looks like what a prediction stores."""
    if not isinstance(stored, dict):
        return False
    id, said, truth = (stored.get(name) for name in ("prediction", "said", "truth"))
    known = isinstance(id, str) and id[:2] in numbers() and id in predictions(id[:2])
    texts = isinstance(said, str | None) and isinstance(truth, str | None)
    return known and texts and stored.get("kind") in GUESSED


def find(id):
    """Return the exercise with this id, or None."""
    number = id[:2] if isinstance(id, str) else ""
    return exercises(number).get(id) if number in numbers() else None


# ---------------------------------------------------------------------------- what is typed
def text_of(cell):
    """Return what was typed into a cell of code."""
    return joined(cell.get("source")) if cell.get("cell_type") == "code" else ""


def joined(text):
    """Return a text that a notebook holds as one or as a list of lines; else nothing."""
    lines = text if isinstance(text, list) else [text]
    return "".join(line for line in lines if isinstance(line, str))


def asked_in(cells):
    """Return prediction → id of its cell, for all that a notebook asks."""
    asks = {}
    for cell in cells:
        id = prediction_in({"cell_type": "code", "source": text_of(cell)})
        if id:
            asks[id] = joined(cell.get("id"))
    return asks


def exercises_in(cells):
    """Return the ids of the exercises that the cells of a notebook check, from top to bottom."""
    ids = [exercise_in({"cell_type": "code", "source": text_of(cell)}) for cell in cells]
    return [id for id in ids if id]


def typed_in(cells, answered):
    """Return exercise → why it has no verdict, of those typed and not among the answered."""
    saved = any(dicts(cell, "outputs") for cell in cells)
    typed = {}
    for cell in cells:
        text = text_of(cell)
        id = exercise_in({"cell_type": "code", "source": text})
        if find(id) and id not in answered and not DOTS.search(text):
            typed[id] = why_no_verdict(cell) if saved else CLEARED
    return typed


def why_no_verdict(cell):
    """Say why a cell in which an answer was typed holds no verdict."""
    outputs = dicts(cell, "outputs")
    errors = [output for output in outputs if output.get("output_type") == "error"]
    if errors:
        # A browser's kernel writes <class 'NameError'>.
        name = joined(errors[0].get("ename")).removeprefix("<class '").removesuffix("'>")[:40]
        return NoVerdict(
            f"typed; its cell stopped with {name}",
            f"Its cell stopped with {name}: correct it and run the cell again",
        )
    if any(is_check(record) for record in stored_in(cell)):  # Run All came before the answer
        return NOT_RUN_SINCE
    if not outputs and not cell.get("execution_count"):
        return NOT_RUN
    if is_printed(text_of(cell)):
        return PRINTED
    if ends_with_semicolon(text_of(cell)):
        return SEMICOLON
    return NOT_LAST


def is_printed(text):
    """Tell whether `my.check` stands inside print(...), where Jupyter does not see its verdict.

    >>> is_printed('print("so:", my.check("01.1", 3))'), is_printed('print(3), my.check("01.1", 3)')
    (True, False)
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # about what a student wrote
            tree = ast.parse(text)
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        printed = [ast.unparse(call) for call in calls if ast.unparse(call.func) == "print"]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any("my.check(" in call for call in printed)


def ends_with_semicolon(text):
    """Tell whether the last sign of a cell is one that keeps Jupyter from showing a result.

    >>> ends_with_semicolon("my.check(1);  # so"), ends_with_semicolon("my.check(1)  # so;")
    (True, False)
    """
    try:
        return DisplayHook.semicolon_at_end_of_expression(text)
    except (SyntaxError, TokenError):
        return False


def whose(paper, cells):
    """Return lesson and student of a paper: as stored or, where nothing is, as typed."""
    calls = calls_of_lesson(cells)
    lesson = (
        most_common(stored["exercise"][:2] for stored in paper.answers)
        or most_common(number for number, _ in calls if number in numbers())
        or most_common(id[:2] for id in paper.guesses)
    )
    ids = [stored["student"] for stored in paper.answers if stored["student"]]
    if not paper.answers:
        ids = [id for _, options in calls for id in STUDENT.findall(options) if id.strip()]
    return lesson, most_common(student_id(id) for id in ids)


def calls_of_lesson(cells):
    """Return (number, the other arguments) of every `lesson(…)` that was typed, but in comments."""
    calls = []
    for cell in cells:
        for line in text_of(cell).splitlines():
            calls += LESSON.findall(line.split("#")[0])
    return calls


def most_common(values):
    """Return the value that occurs most often, the first of several; without any an empty text."""
    counts = Counter(values).most_common(1)
    return counts[0][0] if counts else ""


# ------------------------------------------------------------------ what a teacher should know
def add_notes(paper, cells, stored):
    """Note what is missing, broken or not as usual in a notebook."""
    ids = sorted({stored["student"] for stored in paper.answers if stored["student"]})
    if len(ids) > 1:
        paper.notes.append(f"several ids ({', '.join(ids)[:100]}): judged as {paper.student[:40]}")
    common = [stored["exercise"] for stored in paper.answers if not stored["student"]]
    if common and ids:
        paper.notes.append(f"{listing(dict.fromkeys(common))} on the lesson's own tables")
    elif common:
        paper.notes.append("`student` was left out: judged on the lesson's own tables")
    broken = [record for record in stored if not is_check(record) and not is_guess(record)]
    if broken:
        number = counted(len(broken), "stored answer is", "stored answers are")
        paper.notes.append(f"{number} broken")
    elif not paper.answers and (exercises_in(cells) or not paper.further):
        paper.notes.append(why_empty(paper, cells))
    if any(dicts(cell, "outputs") for cell in cells):
        for why in dict.fromkeys(paper.typed.values()):
            ids = [id for id in paper.typed if paper.typed[id] == why]
            paper.notes.append(f"{listing(ids)} {why.note}")


def why_empty(paper, cells):
    """Say why there are no answers in a notebook."""
    if any(dicts(cell, "outputs") for cell in cells):
        return "no answer is stored in it"
    if not paper.typed:
        return "nothing was typed or run in it"
    typed = counted(len(paper.typed), "answer is", "answers are")
    return f"no output is stored, and {typed} typed: cleared before it was saved, or never run"
