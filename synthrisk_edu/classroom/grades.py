"""Who got what right? `python3 start.py grade FOLDER [-o grades.csv] [--run]`.

Reads the notebooks that students have handed in, and writes a table with one row for each and a
page for the class. Every verdict is computed anew from the answer that `check` stored and the
student's own tables; what the notebook says about itself counts for nothing. No cell is run.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from synthrisk_edu.classroom.engine import check, exercises, find, seed_for
from synthrisk_edu.classroom.forms import Function
from synthrisk_edu.classroom.handed_in import MIME, from_plain
from synthrisk_edu.classroom.running import run_function, warning
from synthrisk_edu.report.command import Parser
from synthrisk_edu.report.page import csv_text, html_document, html_table
from synthrisk_edu.words import counted, listing

VERDICTS = ("right", "wrong", "not run", "broken", "not tried")
LARGEST = 50_000_000  # bytes; a lesson with all its pictures has about one million


@dataclass
class Mark:
    """One exercise of one student: right, wrong (and how), not run, broken or not tried."""

    verdict: str = "not tried"
    mistake: str = ""
    attempts: int = 0

    def __str__(self):
        """Show the verdict and, for a wrong answer, the mistake."""
        return f"{self.verdict}: {self.mistake}" if self.mistake else self.verdict


@dataclass
class Paper:
    """One notebook: whose it is, its marks by exercise, and what the teacher should know."""

    file: str
    student: str = ""
    marks: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)

    @property
    def lesson(self):
        """The lesson most of its answers belong to, or nothing."""
        return most_common(number[:2] for number in self.marks)


def grade(folder, run=False):
    """Return a `Paper` for every notebook in a folder and the folders inside it."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"there is no folder {folder}; name the one with the students' notebooks.")
    paths = [p for p in sorted(folder.rglob("*.ipynb")) if ".ipynb_checkpoints" not in p.parts]
    papers = [read_paper(path, str(path.relative_to(folder)), run) for path in paths]
    compare(papers)
    return papers


# ---------------------------------------------------------------------- one notebook
def read_paper(path, name, run=False):
    """Return the paper of one notebook; one that cannot be read has a note that says why."""
    try:
        records, broken = records_in(path)
    except (OSError, ValueError, RecursionError) as error:  # it is no notebook
        reason = error.strerror if isinstance(error, OSError) else "no notebook, or a broken one"
        return Paper(name, notes=[f"cannot be read: {reason}"])
    paper = Paper(name, student=most_common(one["id"] for one in records if one["id"]))
    if broken:
        paper.notes.append(f"{counted(broken, 'stored answer is', 'stored answers are')} broken")
    if not records:
        paper.notes.append("no answers in it: was it saved after its cells were run?")
    paper.notes += notes_on_seeds(records, paper.student)
    for record in records:
        add_mark(paper, record, run)
    return paper


def records_in(path):
    """Return what `check` stored in a notebook, and how many such entries are broken."""
    if path.stat().st_size > LARGEST:
        raise OSError(0, f"larger than {LARGEST // 10**6} MB")
    notebook = json.loads(path.read_text("utf-8-sig"))
    outputs = [out for cell in dicts(notebook, "cells") for out in dicts(cell, "outputs")]
    bundles = [out["data"] for out in outputs if isinstance(out.get("data"), dict)]
    stored = [bundle[MIME] for bundle in bundles if MIME in bundle]
    records = [one for one in stored if is_record(one)]
    return records, len(stored) - len(records)


def dicts(value, name):
    """Return the mappings in a list inside a mapping; whatever else stands there is left out."""
    inside = value.get(name) if isinstance(value, dict) else None
    return [one for one in inside if isinstance(one, dict)] if isinstance(inside, list) else []


def is_record(stored):
    """Tell whether something looks like what `check` stores."""
    if not isinstance(stored, dict) or stored.get("exercise") not in list(exercises()):
        return False
    student, seed, attempts = (stored.get(name) for name in ("id", "seed", "attempts"))
    whole = all(type(one) is int and 0 <= one < 2**32 for one in (seed or 0, attempts))
    return whole and (student is None or isinstance(student, str)) and "answer" in stored


def notes_on_seeds(records, student):
    """Say where ids and seeds do not fit each other."""
    notes = []
    ids = {one["id"] for one in records if one["id"]}
    if len(ids) > 1:
        notes.append(f"several ids: {', '.join(sorted(ids))[:100]}")
    seeds = {one["seed"] for one in records if one["seed"] is not None}
    if student and own_seed(student) is None:
        notes.append("the id is no id")
    elif student and seeds - {own_seed(student)}:
        notes.append("a stored seed does not fit the id; judged with the tables of the id")
    elif seeds and not student:
        notes.append("a seed without an id")
    # Exercise 0 of a lesson is about everybody's tables.
    common = [one for one in records if one["seed"] is None and one["exercise"][2:] != ".0"]
    if student and common:
        notes.append("some answers are about the lesson's own tables")
    return notes


def own_seed(student):
    """Return the seed of an id, or None if it is none."""
    try:
        return seed_for(student)
    except (TypeError, ValueError):
        return None


# ------------------------------------------------------------------------- one answer
def add_mark(paper, record, run):
    """Judge a stored answer anew; of several answers to one exercise the last counts."""
    exercise, seed = find(record["exercise"]), record["seed"]
    if seed is not None and paper.student:
        seed = own_seed(paper.student)
    if isinstance(exercise.form, Function) and isinstance(record["answer"], dict) and not run:
        verdict = "right" if record.get("right") is True else "wrong"
        mark = Mark("not run", f"a function; its notebook says {verdict}")
    else:
        mark = judge(exercise, record["answer"], seed)
        if record.get("right") is True and mark.verdict == "wrong":
            paper.notes.append(f"{exercise.id} is stored as right, and is wrong")
    mark.attempts = record["attempts"]
    if mark.verdict != "not tried":
        paper.marks[exercise.id] = mark


def judge(exercise, plain, seed):
    """Return the mark of an answer in plain values; a function is run, in a process of its own."""
    try:
        if isinstance(exercise.form, Function) and isinstance(plain, dict):
            answer = run_function(exercise, plain, seed)
        else:
            answer = from_plain(plain)
        verdict = check(exercise.id, answer, seed=seed)
    except Exception as error:  # whatever was forged, the others get their marks
        return Mark("broken", f"the answer cannot be judged ({type(error).__name__})")
    if verdict == exercise.open():
        return Mark()
    if verdict.right:
        return Mark("right")
    words = verdict.message.removeprefix("Not yet.").removeprefix("Not yet:")
    return Mark("wrong", words.split("Try sr.hint(")[0].strip()[:300])


# --------------------------------------------------------------------- several papers
def compare(papers):
    """Note ids that stand in several notebooks of a lesson, and lessons other than most."""
    usual = most_common(paper.lesson for paper in papers if paper.lesson)
    owners = [(paper.student, paper.lesson) for paper in papers]
    for paper, owner in zip(papers, owners, strict=True):
        same = zip(papers, owners, strict=True)
        twins = [one.file for one, other in same if other == owner and one is not paper]
        if twins and paper.student:
            paper.notes.append(f"the same id as in {listing(twins[:3])}")
        if paper.lesson and paper.lesson != usual:
            paper.notes.append(f"lesson {paper.lesson}, and most here are lesson {usual}")


def most_common(values):
    """Return the value that occurs most often, the first of several; without any an empty text."""
    counted = Counter(values).most_common(1)
    return counted[0][0] if counted else ""


# ------------------------------------------------------------------- the table, the page
def asked(papers):
    """List the exercises of all lessons that occur."""
    occurring = {number[:2] for paper in papers for number in paper.marks}
    return [number for number in exercises() if number[:2] in occurring]


def grade_table(papers, short=False):
    """Return one row for each paper: file, id, notes, and each exercise's verdict and attempts.

    In short only right, wrong and so on.
    """
    rows = []
    for paper in papers:
        row = {"file": paper.file, "id": paper.student, "note": "; ".join(paper.notes)}
        for number in asked(papers):
            mark = paper.marks.get(number, Mark())
            long = {number: str(mark), f"{number} attempts": mark.attempts}
            row |= {number: mark.verdict} if short else long
        rows.append(row)
    return pd.DataFrame(rows)


def class_table(papers):
    """Return one row for each exercise: how many are right, wrong, not run, not tried."""
    rows = []
    for number in asked(papers):
        verdicts = Counter(paper.marks.get(number, Mark()).verdict for paper in papers)
        rows.append({"exercise": number} | {name: verdicts[name] for name in VERDICTS})
    return pd.DataFrame(rows)


def mistake_table(papers):
    """Return one row for each mistake in each exercise: how often, and in which notebooks."""
    found = {}
    for paper in papers:
        for number, mark in paper.marks.items():
            if mark.verdict == "wrong":
                found.setdefault((number, mark.mistake), []).append(paper.file)
    columns = ["exercise", "what went wrong", "students", "who"]
    rows = [(*what, len(files), ", ".join(files)) for what, files in found.items()]
    table = pd.DataFrame(rows, columns=columns)
    return table.sort_values(["exercise", "students"], ascending=[True, False], kind="stable")


def class_page(papers):
    """Return the page for the class; every text is escaped."""
    notes = pd.DataFrame(
        [(paper.file, paper.student, "; ".join(paper.notes)) for paper in papers if paper.notes],
        columns=["file", "id", "note"],
    )
    tables = {
        "How did each exercise go?": class_table(papers),
        "Which mistakes, and whose?": mistake_table(papers),
        "Look at these yourself": notes,
        "Everybody": grade_table(papers, short=True),
    }
    shown = [html_table(table, title, len(table)) for title, table in tables.items() if len(table)]
    number = counted(len(papers), "notebook", "notebooks")
    words = f"<p>{number}; every verdict was computed anew.</p>"
    return html_document("Grades of a class", "<h1>Grades</h1>" + words + "\n".join(shown))


def csv_file(value):
    """Return where a table is written: never in place of somebody's notebook."""
    path = Path(value)
    if path.suffix.lower() != ".csv":
        raise ValueError(f"a table is written as CSV: name a file such as grades.csv, not {path}.")
    return path


def main(arguments):
    """Grade a folder, write the table and the page, and say where they are."""
    parser = Parser(prog="grade", description="Grade notebooks without running them.")
    parser.add_argument("folder", help="where the students' notebooks are")
    words = "a CSV file; the page is beside it"
    parser.add_argument("-o", "--output", default="grades.csv", help=words)
    parser.add_argument("--run", action="store_true", help="run the functions that were handed in")
    given = parser.parse_args(arguments)
    output = csv_file(given.output)
    if given.run:
        print(warning(), flush=True)
    papers = grade(given.folder, given.run)
    output.write_text(csv_text(grade_table(papers)), "utf-8-sig")
    output.with_suffix(".html").write_text(class_page(papers), "utf-8")
    number = counted(len(papers), "notebook", "notebooks")
    print(f"{number}: {output} and {output.with_suffix('.html')}")
