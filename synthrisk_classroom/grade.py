"""Who got what right? `python3 start.py grade FOLDER [-o grades.csv] [--count-functions]`.

Reads the notebooks that students have handed in, and writes a table with one row for each, a page
for the class, and the key. A verdict is computed anew from the answer that `my.check` stored and
the student's own tables; what the notebook says about itself counts for nothing. No cell is run,
and no function either: its mark is the notebook's own, shown as *not checked*, and outside the
total unless the teacher wants it in.
"""

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from synthrisk_classroom.handed_in import MIME, VERSION, from_plain
from synthrisk_classroom.lesson import exercises, numbers, predictions, student_id, tables
from synthrisk_edu.pages import csv_text, html_document, html_table
from synthrisk_edu.words import counted, listing

VERDICTS = ("right", "wrong", "not checked", "broken", "not tried")
LARGEST = 50_000_000  # bytes; a lesson with all its pictures has about one million


@dataclass
class Mark:
    """One exercise of one student: right, wrong (and how), not checked, broken or not tried."""

    verdict: str = "not tried"
    mistake: str = ""
    attempts: int = 0
    says_right: bool = False  # what the notebook says of a function, which nobody runs

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
    guesses: dict = field(default_factory=dict)

    @property
    def lesson(self):
        """The lesson most of its answers belong to, or nothing."""
        return most_common(number[:2] for number in self.marks)


def grade(folder):
    """Return a `Paper` for every notebook in a folder and the folders inside it."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"there is no folder {folder}; name the one with the students' notebooks.")
    paths = [p for p in sorted(folder.rglob("*.ipynb")) if ".ipynb_checkpoints" not in p.parts]
    papers = [read_paper(path, str(path.relative_to(folder))) for path in paths]
    compare(papers)
    return papers


# ---------------------------------------------------------------------- one notebook
def read_paper(path, name):
    """Return the paper of one notebook; one that cannot be read has a note that says why."""
    try:
        notebook = read_notebook(path)
    except (OSError, ValueError, RecursionError) as error:  # it is no notebook
        reason = error.strerror if isinstance(error, OSError) else "no notebook, or a broken one"
        return Paper(name, notes=[f"cannot be read: {reason}"])
    stored = stored_in(notebook)
    guesses = [one for one in stored if isinstance(one, dict) and "prediction" in one]
    stored = [one for one in stored if one not in guesses]
    records = [one for one in stored if is_record(one)]
    ids = {one["student"] for one in records if one["student"]}
    paper = Paper(name, student=most_common(one["student"] for one in records if one["student"]))
    if len(ids) > 1:
        paper.notes.append(f"several ids: {', '.join(sorted(ids))[:100]}")
    if len(stored) > len(records) and not is_old(notebook):
        number = len(stored) - len(records)
        paper.notes.append(f"{counted(number, 'stored answer is', 'stored answers are')} broken")
    if not records:
        paper.notes.append(why_empty(notebook))
    if paper.student and not all(one["student"] for one in records):
        paper.notes.append("some answers are about the lesson's own tables")
    for record in records:
        add_mark(paper, record)
    paper.guesses = {one["prediction"]: one for one in guesses if is_guess(one)}
    return paper


def read_notebook(path):
    """Return a notebook as plain JSON."""
    if path.stat().st_size > LARGEST:
        raise OSError(0, f"larger than {LARGEST // 10**6} MB")
    return json.loads(path.read_text("utf-8-sig"))


def stored_in(notebook):
    """Return what `my.check` stored in the outputs of a notebook."""
    outputs = [out for cell in dicts(notebook, "cells") for out in dicts(cell, "outputs")]
    bundles = [out["data"] for out in outputs if isinstance(out.get("data"), dict)]
    return [bundle[MIME] for bundle in bundles if MIME in bundle]


def dicts(value, name):
    """Return the mappings in a list inside a mapping; whatever else stands there is left out."""
    inside = value.get(name) if isinstance(value, dict) else None
    return [one for one in inside if isinstance(one, dict)] if isinstance(inside, list) else []


def is_old(notebook):
    """Tell whether a notebook is a lesson of the version before, which said `sr.check`."""
    texts = [one.get("source") for one in dicts(notebook, "cells")]
    return any("sr.check(" in "".join(map(str, text or ""))[:LARGEST] for text in texts)


def why_empty(notebook):
    """Say why there are no answers in a notebook."""
    if is_old(notebook):
        return "a lesson of version 0.1: its answers are about other tables, so they are not judged"
    return "no answers in it: was it saved after its cells were run?"


def is_record(stored):
    """Tell whether something looks like what `my.check` stores."""
    if not isinstance(stored, dict) or find(stored.get("exercise")) is None:
        return False
    student, attempts = stored.get("student"), stored.get("attempts")
    fine = type(attempts) is int and 0 <= attempts < 2**32
    named = student is None or (isinstance(student, str) and student.strip() != "")
    return fine and named and stored.get("version") == VERSION and "answer" in stored


def is_guess(stored):
    """Tell whether something looks like what a prediction stores."""
    id, said, right = (stored.get(name) for name in ("prediction", "said", "right"))
    known = isinstance(id, str) and id[:2] in numbers() and id in predictions(id[:2])
    return known and isinstance(said, str | None) and right in (True, False, None)


def find(id):
    """Return the exercise with this id, or None."""
    number = id[:2] if isinstance(id, str) else ""
    return exercises(number).get(id) if number in numbers() else None


# ------------------------------------------------------------------------- one answer
def add_mark(paper, record):
    """Judge a stored answer anew; of several answers to one exercise the last counts."""
    exercise = find(record["exercise"])
    mark = judge(exercise, record["answer"], paper.student if record["student"] else None)
    if not exercise.form.is_stored and isinstance(record["answer"], dict):
        says = record.get("right") is True
        words = f"a function; its notebook says {'right' if says else 'wrong'}"
        mark = Mark("not checked", words, says_right=says)
    elif record.get("right") is True and mark.verdict == "wrong":
        paper.notes.append(f"{exercise.id} is stored as right, and is wrong")
    mark.attempts = record["attempts"]
    if mark.verdict != "not tried":
        paper.marks[exercise.id] = mark


def judge(exercise, plain, student):
    """Return the mark of an answer in plain values, on the student's own tables."""
    try:
        verdict = exercise.judge(from_plain(plain), tables_of(exercise, student))
    except Exception as error:  # whatever was forged, the others get their marks
        return Mark("broken", f"the answer cannot be judged ({type(error).__name__})")
    if verdict == exercise.open():
        return Mark()
    if verdict.right:
        return Mark("right")
    words = verdict.message.removeprefix("Not yet.").removeprefix("Not yet:")
    return Mark("wrong", words.split("Try my.hint(")[0].strip()[:300])


def tables_of(exercise, student):
    """Return the tables that an exercise is about: the story's, or the student's own."""
    own = student is not None and not exercise.story
    return tables(exercise.lesson, student_id(student) if own else None)


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
    occurring = sorted({number[:2] for paper in papers for number in paper.marks})
    return [id for number in occurring for id in exercises(number)]


def grade_table(papers, count_functions=False, short=False):
    """Return one row for each paper: file, id, notes, total, and each exercise's verdict.

    In short only right, wrong and so on; else with the mistakes and the numbers of attempts.
    """
    rows = []
    for paper in papers:
        marks = {id: paper.marks.get(id, Mark()) for id in asked(papers)}
        total = sum(one.verdict == "right" for one in marks.values())
        total += sum(one.says_right for one in marks.values()) if count_functions else 0
        row = {"file": paper.file, "id": paper.student, "note": "; ".join(paper.notes)}
        row["total"] = total
        for id, mark in marks.items():
            row |= {id: mark.verdict} if short else {id: str(mark), f"{id} attempts": mark.attempts}
        rows.append(row)
    return pd.DataFrame(rows)


def class_table(papers):
    """Return one row for each exercise: how many are right, wrong, not checked, not tried."""
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


def guess_table(papers):
    """Return one row for each prediction: near enough, fooled, only looked; as stored."""
    rows = []
    for id in sorted({id for paper in papers for id in paper.guesses}):
        kept = [paper.guesses[id] for paper in papers if id in paper.guesses]
        row = {"prediction": id, "question": predictions(id[:2])[id].question}
        words = {"near enough": True, "fooled": False, "show me": None}
        row |= {name: sum(one["right"] is value for one in kept) for name, value in words.items()}
        said = [str(one["said"])[:60] for one in kept if one["right"] is False]
        rows.append(row | {"most said, and wrong": most_common(said)})
    return pd.DataFrame(rows)


def class_page(papers, count_functions=False):
    """Return the page for the class; every text is escaped."""
    notes = pd.DataFrame(
        [(paper.file, paper.student, "; ".join(paper.notes)) for paper in papers if paper.notes],
        columns=["file", "id", "note"],
    )
    tables = {
        "How did each exercise go?": class_table(papers),
        "Which mistakes, and whose?": mistake_table(papers),
        "What was predicted?": guess_table(papers),
        "Look at these yourself": notes,
        "Everybody": grade_table(papers, count_functions, short=True),
    }
    shown = [html_table(table, title, len(table)) for title, table in tables.items() if len(table)]
    number = counted(len(papers), "notebook", "notebooks")
    inside = "in" if count_functions else "outside"
    words = (
        f"<p>{number}. Every verdict was computed anew, except those of functions, which are not "
        f"checked and stand {inside} the total.</p>"
    )
    return html_document("Grades of a class", "<h1>Grades</h1>" + words + "\n".join(shown))


def key(papers):
    """Return the right answers: a row for each exercise that occurs and each student."""
    students = list(dict.fromkeys(paper.student or None for paper in papers if paper.marks))
    rows = []
    for exercise in map(find, asked(papers)):
        for student in [None] if exercise.story else students:
            answer = exercise.form.plain(exercise, tables_of(exercise, student))
            rows.append((exercise.id, student or "everybody", str(answer)))
    return pd.DataFrame(rows, columns=["exercise", "student", "answer"])


def main(arguments=None):
    """Grade a folder, write the table, the page and the key, and say where they are."""
    parser = argparse.ArgumentParser(prog="grade", description="Grade notebooks; nothing is run.")
    parser.add_argument("folder", help="where the students' notebooks are")
    parser.add_argument("-o", "--output", default="grades.csv", help="page and key stand beside it")
    functions = "count functions in the total as their notebooks say"
    parser.add_argument("--count-functions", action="store_true", help=functions)
    given = parser.parse_args(arguments)
    output = Path(given.output)
    if output.suffix.lower() != ".csv":  # never in place of somebody's notebook
        parser.error(f"a table is written as CSV: name a file such as grades.csv, not {output}")
    try:
        papers = grade(given.folder)
    except ValueError as error:
        parser.error(str(error))
    page, answers = output.with_suffix(".html"), output.with_name(f"{output.stem}_key.csv")
    output.write_text(csv_text(grade_table(papers, given.count_functions)), "utf-8-sig")
    page.write_text(class_page(papers, given.count_functions), "utf-8")
    answers.write_text(csv_text(key(papers)), "utf-8-sig")
    number = counted(len(papers), "notebook", "notebooks")
    print(f"{number}: {output}, {page}, and {answers} (keep that one to yourself)")


if __name__ == "__main__":
    sys.exit(main())
