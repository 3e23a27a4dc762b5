"""What stands in a notebook that was handed in? It is read as plain JSON, and nothing in it is run.

A `Paper` is one notebook: whose it says it is, the answers and predictions stored in it, and what
was typed without a verdict. Whatever is broken or forged becomes a note, and stops nobody.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from synthrisk_classroom.handed_in import MIME, VERSION
from synthrisk_classroom.lesson import exercises, numbers, predictions, student_id
from synthrisk_classroom.solutions import DOTS, exercise_in
from synthrisk_edu.words import counted, listing

LARGEST = 50_000_000  # bytes; a lesson with all its pictures has about one million
LESSON = re.compile(r"""\blesson\(\s*["'](\d\d)["']([^()\n]*)""")
STUDENT = re.compile(r"""\bstudent\s*=\s*["']([^"'\n]*)["']""")


@dataclass
class Paper:
    """One notebook, and what the teacher should know about it."""

    file: str
    student: str = ""  # as `my.check` stored it; where nothing is stored, as it was typed
    lesson: str = ""
    answers: list = field(default_factory=list)  # what `my.check` stored, from top to bottom
    guesses: dict = field(default_factory=dict)  # prediction → what it stored
    typed: dict = field(default_factory=dict)  # exercise → why what was typed has no verdict
    notes: list = field(default_factory=list)


def read_folder(folder):
    """Return a `Paper` for every notebook in a folder and the folders inside it."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"there is no folder {folder}; name the one with the students' notebooks.")
    paths = [p for p in sorted(folder.rglob("*.ipynb")) if ".ipynb_checkpoints" not in p.parts]
    return [read_paper(path, path.relative_to(folder).as_posix()) for path in paths]


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
    stored = [one for cell in cells for one in stored_in(cell)]
    paper = Paper(name, answers=[one for one in stored if is_answer(one)])
    paper.guesses = {one["prediction"]: one for one in stored if is_guess(one)}
    paper.typed = typed_in(cells, {one["exercise"] for one in paper.answers})
    paper.lesson, paper.student = whose(paper, cells)
    add_notes(paper, cells, stored)
    return paper


# --------------------------------------------------------------------------- what is stored
def dicts(value, name):
    """Return the mappings in a list inside a mapping; whatever else stands there is left out."""
    inside = value.get(name) if isinstance(value, dict) else None
    return [one for one in inside if isinstance(one, dict)] if isinstance(inside, list) else []


def stored_in(cell):
    """Return what `my.check` and `my.predict` stored in the outputs of a cell."""
    bundles = [one["data"] for one in dicts(cell, "outputs") if isinstance(one.get("data"), dict)]
    return [bundle[MIME] for bundle in bundles if MIME in bundle]


def is_answer(stored):
    """Tell whether something looks like what `my.check` stores."""
    if not isinstance(stored, dict) or find(stored.get("exercise")) is None:
        return False
    student, attempts = stored.get("student"), stored.get("attempts")
    fine = type(attempts) is int and 0 <= attempts < 2**32
    named = student is None or (isinstance(student, str) and student.strip() != "")
    return fine and named and stored.get("version") == VERSION and "answer" in stored


def is_guess(stored):
    """Tell whether something looks like what a prediction stores."""
    if not isinstance(stored, dict):
        return False
    id, said, truth = (stored.get(name) for name in ("prediction", "said", "truth"))
    known = isinstance(id, str) and id[:2] in numbers() and id in predictions(id[:2])
    texts = isinstance(said, str | None) and isinstance(truth, str | None)
    return known and texts and stored.get("right") in (True, False, None)


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


def typed_in(cells, answered):
    """Return exercise → why it has no verdict, of those typed and not among the answered."""
    saved = any(dicts(cell, "outputs") for cell in cells)
    typed = {}
    for cell in cells:
        text = text_of(cell)
        id = exercise_in({"cell_type": "code", "source": text})
        if find(id) and id not in answered and not DOTS.search(text):
            typed[id] = why_no_verdict(cell, id) if saved else "typed; no output is stored"
    return typed


def why_no_verdict(cell, id):
    """Say why a cell in which an answer was typed holds no verdict."""
    outputs = dicts(cell, "outputs")
    errors = [joined(one.get("ename"))[:40] for one in outputs if one.get("output_type") == "error"]
    shown = [one["data"].get("text/plain") for one in outputs if isinstance(one.get("data"), dict)]
    if errors:
        return f"typed; its cell stopped with {errors[0]}"
    if find(id).open().message in "".join(map(joined, shown)):  # Run All came before the answer
        return "typed, and its cell was not run since"
    if outputs or cell.get("execution_count"):
        return "typed and run, and no verdict is stored: is my.check the last line?"
    return "typed, and its cell was not run"


def whose(paper, cells):
    """Return lesson and student of a paper: as stored or, where nothing is, as typed."""
    lesson = most_common(one["exercise"][:2] for one in paper.answers)
    student = most_common(student_id(one["student"]) for one in paper.answers if one["student"])
    code = (line.split("#")[0] for cell in cells for line in text_of(cell).splitlines())
    typed = [found for line in code if "lesson(" in line for found in LESSON.findall(line)]
    lesson = lesson or most_common(number for number, _ in typed if number in numbers())
    if not paper.answers:
        ids = [found[1] for _, rest in typed if (found := STUDENT.search(rest))]
        student = most_common(student_id(id) for id in ids if id.strip())
    return lesson or most_common(id[:2] for id in paper.guesses), student


def most_common(values):
    """Return the value that occurs most often, the first of several; without any an empty text."""
    counts = Counter(values).most_common(1)
    return counts[0][0] if counts else ""


# ------------------------------------------------------------------ what a teacher should know
def add_notes(paper, cells, stored):
    """Note what is missing, broken or not as usual in a notebook."""
    ids = sorted({one["student"] for one in paper.answers if one["student"]})
    if len(ids) > 1:
        paper.notes.append(f"several ids ({', '.join(ids)[:100]}): judged as {paper.student[:40]}")
    common = [one["exercise"] for one in paper.answers if not one["student"]]
    if common and ids:
        paper.notes.append(f"{listing(dict.fromkeys(common))} on the lesson's own tables")
    elif common:
        paper.notes.append("`student` was left out: judged on the lesson's own tables")
    known = len(paper.answers) + sum(is_guess(one) for one in stored)
    if is_old(cells):
        paper.notes.append("a lesson of version 0.1, about other tables: not judged")
    elif len(stored) > known:
        number = counted(len(stored) - known, "stored answer is", "stored answers are")
        paper.notes.append(f"{number} broken")
    elif not paper.answers:
        paper.notes.append(why_empty(paper, cells))
    if any(dicts(cell, "outputs") for cell in cells):
        for why in dict.fromkeys(paper.typed.values()):
            paper.notes.append(
                f"{listing(id for id in paper.typed if paper.typed[id] == why)} {why}"
            )


def is_old(cells):
    """Tell whether a notebook is a lesson of the version before, which said `sr.check`."""
    return any("sr.check(" in text_of(cell) for cell in cells)


def why_empty(paper, cells):
    """Say why there are no answers in a notebook."""
    if any(dicts(cell, "outputs") for cell in cells):
        return "no answer is stored in it"
    if not paper.typed:
        return "nothing was typed or run in it"
    typed = counted(len(paper.typed), "answer is", "answers are")
    return f"no output is stored, and {typed} typed: cleared before it was saved, or never run"
