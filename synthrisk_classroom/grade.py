"""Who got what right? `synthrisk grade FOLDER --class ids.csv`.

Reads the notebooks of one lesson that students have handed in (see `papers`) and writes, for every
student on the list: a table of points, a page for the teacher, a page of feedback for each student,
and the key. Right and wrong are computed anew from the answer that `my.check` stored and the
student's own tables; what the notebook says about itself counts for nothing. No cell is run, and no
function either: its mark is the notebook's own, shown as *not checked*, and outside the total
unless the teacher wants it in. So are the exercises of notebooks that go further than the lesson.
"""

import argparse
import csv
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from synthrisk_classroom.command import folder_of
from synthrisk_classroom.grade_pages import class_page, feedback_pages
from synthrisk_classroom.handed_in import from_plain
from synthrisk_classroom.lesson import exercises, numbers, predictions, student_id, tables
from synthrisk_classroom.papers import find, most_common, read_folder
from synthrisk_classroom.verdict import NOT_RIGHT, Kind
from synthrisk_edu.pages import csv_text
from synthrisk_edu.words import counted, listing

BEST_FIRST = (
    Kind.RIGHT,
    Kind.NOT_CHECKED,
    Kind.MISTAKE,
    Kind.WRONG,
    Kind.UNREADABLE,
    Kind.TYPED,
    Kind.OPEN,
)
LONGEST = 300  # letters of what a notebook says, on a page


@dataclass
class Mark:
    """One exercise of one student: the kind of verdict, and the sentence that goes with it."""

    kind: Kind = Kind.OPEN
    words: str = ""
    mistake: str = ""  # what went wrong, without the words around it
    advice: str = ""  # what to do about an answer that is only typed
    answer: str = ""
    key: str = ""
    attempts: int = 0
    says_right: bool = False  # what the notebook says; it counts for functions only, if at all
    file: str = ""


@dataclass
class Student:
    """One row of the grades: the papers of a student, the marks by exercise, and notes."""

    id: str
    papers: list = field(default_factory=list)
    marks: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)
    guesses: dict = field(default_factory=dict)


@dataclass
class Grades:
    """One lesson of a class: who is on the list, what else was found, what an exercise counts."""

    lesson: str
    students: list
    others: list  # papers of nobody on the list, each a row of its own
    points: dict
    count_functions: bool = False

    def has(self, student):
        """Tell whether a student has handed in something of this lesson."""
        return any(paper.lesson in (self.lesson, "") for paper in student.papers)

    def mark(self, student, id):
        """Return the mark of a student in an exercise."""
        return student.marks.get(id, Mark())

    def counts(self, id):
        """Tell whether an exercise is in the total."""
        return self.points[id] > 0 and (self.count_functions or find(id).form.is_stored)

    def shows(self, id):
        """Tell whether pages show an exercise; a further one must count, or somebody did it."""
        if self.points[id] > 0 or not find(id).further:
            return True
        return any(id in student.marks for student in [*self.students, *self.others])

    def earned(self, student, id):
        """Return the points of an exercise; undefined where it is not checked and not counted."""
        mark = self.mark(student, id)
        if not self.counts(id):
            return math.nan
        says = mark.kind is Kind.NOT_CHECKED and mark.says_right
        return self.points[id] * (mark.kind is Kind.RIGHT or says)

    def total(self, student):
        """Return the points of a student."""
        return sum(self.earned(student, id) for id in self.points if self.counts(id))

    @property
    def papers(self):
        """All notebooks, also those of nobody on the list."""
        return [paper for row in [*self.students, *self.others] for paper in row.papers]

    @property
    def most(self):
        """The points of somebody who has everything right."""
        return sum(points for id, points in self.points.items() if self.counts(id))


def grade(folder, ids=None, lesson=None, points=None, count_functions=False, count_further=False):
    """Grade the notebooks in a folder: one lesson (without a name, the one most of them are).

    `ids` are those on the class list; without a list everybody who is found is on it. `points`
    holds the exercises that count other than their lesson says. Those of notebooks that go further
    count nothing unless `count_further`, so that a class that does the lesson loses nothing.
    """
    papers = read_folder(folder)
    lesson = lesson or most_common(paper.lesson for paper in papers if paper.lesson)
    if not lesson:
        raise ValueError(
            f"no notebook in {folder} is a lesson's; name another folder, or --lesson."
        )
    worth = {}
    for id, exercise in sorted(exercises(lesson).items(), key=lambda item: item[1].further):
        worth[id] = exercise.points if count_further or not exercise.further else 0
    for id, number in (points or {}).items():
        if id in worth:
            worth[id] = number
    if ids:
        students, others = rows_of_list(papers, ids)
    else:
        students, others = rows_of_all(papers), {}
    on_list = students if ids else {}
    for student in [*students.values(), *others.values()]:
        lay_together(student, lesson, on_list)
    return Grades(
        lesson=lesson,
        students=list(students.values()),
        others=list(others.values()),
        points=worth,
        count_functions=count_functions,
    )


def rows_of_list(papers, ids):
    """Return id → student for a class list, and file → row for the papers of nobody on it."""
    students = {student_id(id): Student(id) for id in ids}
    others = {}
    for paper in papers:
        owner = owner_of(paper, students)
        if owner:
            students[owner].papers.append(paper)
        else:
            others[paper.file] = Student(paper.file, [paper])
    return students, others


def rows_of_all(papers):
    """Return id → student of everybody who is found; a paper without an id has its file's name."""
    students = {}
    for paper in papers:
        name = paper.student or paper.file
        students.setdefault(name, Student(name)).papers.append(paper)
    return students


# ------------------------------------------------------------------------------ whose is it?
def owner_of(paper, ids):
    """Return the id on the list that a paper belongs to: its own, or the one in its file's name."""
    return paper.student if paper.student in ids else named_in(paper.file, ids)


def named_in(file, ids):
    """Return the one id that a file's name holds, or None.

    No letter or digit may stand beside it; the lesson's number in front is no id, nor is the
    number in brackets that a browser adds.

    >>> named_in("Kern, Anna/01_anna.k (2).ipynb", ["anna", "anna.k", "01", "2"])
    'anna.k'
    """
    name = re.sub(r"(?<![^/])(my_)?\d\d_|\(\d+\)", "", student_id(file))
    inside = [id for id in ids if re.search(rf"(?<![^\W_]){re.escape(id)}(?![^\W_])", name)]
    longest = [id for id in inside if not any(id in other for other in inside if other != id)]
    return longest[0] if len(longest) == 1 else None


def lay_together(student, lesson, ids):
    """Judge the papers of a student; of several answers to an exercise the best counts."""
    papers = [paper for paper in student.papers if paper.lesson in (lesson, "")]
    if not student.papers:
        student.notes.append("nothing handed in")
    elif not papers:
        others = listing(f"{paper.file} is lesson {paper.lesson}" for paper in student.papers)
        student.notes.append(f"{others}; nothing of lesson {lesson}")
    cores = [paper for paper in papers if not paper.further]
    if papers and not cores and has_core(lesson):
        student.notes.append("what goes further, and not the lesson itself")
    if len(cores) > 1:
        files = listing(paper.file for paper in cores)
        student.notes.append(f"{len(cores)} files, and the better answer counts: {files}")
    for paper in papers:
        for id, mark in marks_of(paper, lesson).items():
            student.marks[id] = min(student.marks.get(id, Mark()), mark, key=rank)
        where = f"{paper.file}: " if len(papers) > 1 else ""
        student.notes += [where + note for note in id_notes(paper, ids) + paper.notes]
        student.guesses = paper.guesses | student.guesses  # the first file's come first


def has_core(lesson):
    """Tell whether a lesson has exercises in its core."""
    return not all(exercise.further for exercise in exercises(lesson).values())


def rank(mark):
    """Order marks, the best first."""
    return BEST_FIRST.index(mark.kind), not mark.says_right


def id_notes(paper, ids):
    """Note an id that is not on the list, and a file whose name decides, or says another id."""
    named = named_in(paper.file, ids)
    if not ids or paper.student in ids:
        if named and named != paper.student:
            return [f"its file is named like {named}, and its id is {paper.student}"]
        return []
    notes = []
    if paper.student:
        notes.append(f"its id “{paper.student[:40]}” is not on the list")
    if named:
        notes.append("put here by the name of its file")
    return notes


# ------------------------------------------------------------------------------- one answer
def marks_of(paper, lesson):
    """Return the marks of a paper by exercise; of several answers to one the last counts."""
    marks = {}
    for id, why in paper.typed.items():
        if id[:2] == lesson:
            marks[id] = Mark(Kind.TYPED, why.note, advice=why.advice)
    for stored in paper.answers:
        if stored["exercise"][:2] == lesson:
            marks[stored["exercise"]] = mark_of(stored, paper)
    for mark in marks.values():
        mark.file = paper.file
    differ = [id for id, mark in marks.items() if mark.kind in NOT_RIGHT and mark.says_right]
    if differ:
        note = "stored as right and wrong when computed anew: another version of the lesson?"
        paper.notes.append(f"{listing(differ)} {note}")
    return {id: mark for id, mark in marks.items() if mark.kind is not Kind.OPEN}


def mark_of(stored, paper):
    """Judge a stored answer anew; of a function, take down what its notebook says."""
    exercise = find(stored["exercise"])
    student = paper.student if stored["student"] else None
    says_right = stored["kind"] == Kind.RIGHT
    if not exercise.form.is_stored and isinstance(stored["answer"], dict):
        says = "right" if says_right else "wrong"
        mark = Mark(Kind.NOT_CHECKED, f"Not computed anew: the notebook itself says {says}.")
    else:
        mark = judge(exercise, stored["answer"], student)
        mark.key = short(right_answer(exercise, student))
    mark.says_right = says_right
    mark.attempts = stored["attempts"]
    mark.answer = short(stored["answer"])
    return mark


def judge(exercise, plain, student):
    """Return the mark of an answer in plain values, on the student's own tables."""
    try:
        verdict = exercise.judge(from_plain(plain), tables_of(exercise, student))
    except Exception as error:  # whatever was forged, the others get their marks
        mistake = f"The stored answer cannot be read ({type(error).__name__})."
        todo = "Run its cell again, save the notebook and hand it in again."
        return Mark(Kind.UNREADABLE, f"{mistake} {todo}", mistake)
    return Mark(verdict.kind, repr(verdict)[: 2 * LONGEST], verdict.mistake)


def tables_of(exercise, student):
    """Return the tables that an exercise is about: the story's, or the student's own."""
    return tables(exercise.lesson, None if exercise.story else student)


def short(plain):
    """Write what was handed in, or would be right, on a line or two."""
    try:
        text = str(plain)
    except (ValueError, RecursionError):  # a number of 5,000 digits, or lists without end
        text = "something too long to write down"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


# ----------------------------------------------------------------------------------- tables
def points_table(grades):
    """Return one row for each student: id, points by exercise, total. For a learning platform.

    What is practice is left out; a function that is not counted has a column and no points.
    """
    worth = [id for id, points in grades.points.items() if points > 0]
    rows = []
    for student in grades.students:
        earned = [grades.earned(student, id) for id in worth]
        rows.append([student.id, *earned, grades.total(student)])
    return pd.DataFrame(rows, columns=["id", *worth, "total"])


def mistakes(grades):
    """Return (exercise, what went wrong, ids) for every mistake, the most frequent first."""
    who = {}
    for student in grades.students:
        for id, mark in student.marks.items():
            if mark.kind in NOT_RIGHT:
                who.setdefault((id, mark.mistake), []).append(student.id)
    rows = [(id, mistake, students) for (id, mistake), students in who.items()]
    return sorted(rows, key=lambda row: -len(row[2]))


def fooled(grades):
    """Return a row for each prediction that was answered: what fooled most comes first.

    All of it is as the notebooks say.
    """
    rows = []
    for id, prediction in predictions(grades.lesson).items():
        guesses = [student.guesses[id] for student in grades.students if id in student.guesses]
        wrong = [guess for guess in guesses if guess["kind"] in NOT_RIGHT]
        kinds = [guess["kind"] for guess in guesses]
        if guesses:
            row = {
                "id": id,
                "question": prediction.question,
                "most_said": most_common(guess["said"] or "" for guess in wrong)[:60],
                "truth": most_common(guess.get("truth") or "" for guess in guesses)[:60],
                "fooled": len(wrong),
                "near": kinds.count(Kind.RIGHT),
                "looked": kinds.count(Kind.OPEN),
            }
            rows.append(row)
    return sorted(rows, key=lambda row: -row["fooled"])


def key(grades):
    """Return the right answers: a row for each exercise and everybody whose tables it is about.

    Those of notebooks that go further come last.
    """
    papers = [paper for paper in grades.papers if paper.lesson == grades.lesson]
    ids = sorted({paper.student for paper in papers if paper.student})
    if any(on_common_tables(paper) for paper in papers):
        ids = [None, *ids]
    rows = []
    for exercise in map(find, grades.points):
        is_same = exercise.story or not exercise.form.is_stored
        for id in [None] if is_same else ids:
            part = "further" if exercise.further else "core"
            rows.append((part, exercise.id, id or "everybody", right_answer(exercise, id)))
    return pd.DataFrame(rows, columns=["part", "exercise", "student", "answer"])


def on_common_tables(paper):
    """Tell whether something in a paper is about the lesson's own tables: its id was left out."""
    return not paper.student or any(not stored["student"] for stored in paper.answers)


def right_answer(exercise, student):
    """Write the right answer on a student's tables."""
    return str(exercise.form.plain(exercise, tables_of(exercise, student)))


# ------------------------------------------------------------- the teacher's own two small files
def read_rows(path):
    """Return the rows of a small CSV file, as a spreadsheet saves it."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:  # an older spreadsheet
        text = data.decode("cp1252", "replace")
    comma = max(",;\t", key=text.partition("\n")[0].count)
    rows = [
        [cell.strip() for cell in row] for row in csv.reader(text.splitlines(), delimiter=comma)
    ]
    return [row for row in rows if any(row)]


def read_ids(path):
    """Return the ids of a class list: its column "id", or its only column."""
    rows = read_rows(path)
    heads = [head.casefold() for head in rows[0]] if rows else []
    if "id" not in heads and len(heads) > 1:
        raise ValueError(f"{path} has no column id: write “id” above the column of the ids.")
    column = 0
    if "id" in heads:
        column = heads.index("id")
        rows = rows[1:]
    cells = [row[column] for row in rows if len(row) > column and row[column]]
    ids = {student_id(cell): cell for cell in cells}
    if not ids:
        raise ValueError(f"{path} lists no ids: write one in each line.")
    return list(ids.values())


def read_points(path):
    """Return exercise → points from a file with a line for each, such as 01.3,2."""
    points = {}
    for row in read_rows(path):
        if row[0].casefold() == "exercise":
            continue
        try:
            id, number = row[0], float(row[1])
        except (IndexError, ValueError):
            id, number = row[0], -1.0
        if find(id) is None or not 0 <= number < math.inf:
            raise ValueError(
                f"{path}: “{','.join(row)[:60]}” is no exercise with its points, such as 01.3,2."
            )
        points[id] = number
    return points


# ---------------------------------------------------------------------------------- the command
def main(arguments=None):
    """Grade a folder, write everything, and say where it is."""
    parser = argparse.ArgumentParser(prog="grade", description="Grade notebooks; nothing is run.")
    parser.add_argument("folder", help="where the students' notebooks are")
    parser.add_argument("--class", dest="ids", metavar="IDS.csv", help="who is in the class")
    parser.add_argument("--points", metavar="POINTS.csv", help="what exercises count, as 01.3,2")
    parser.add_argument("--lesson", choices=numbers(), help="else the one that most notebooks are")
    parser.add_argument("-o", "--output", type=folder_of, default="grades", help="a folder")
    functions = "count functions in the total as their notebooks say"
    parser.add_argument("--count-functions", action="store_true", help=functions)
    further = "count the exercises of notebooks that go further than the lesson, too"
    parser.add_argument("--further", action="store_true", help=further)
    given = parser.parse_args(arguments)
    try:
        ids = read_ids(given.ids) if given.ids else None
        points = read_points(given.points) if given.points else None
        grades = grade(
            given.folder, ids, given.lesson, points, given.count_functions, given.further
        )
    except ValueError as error:
        parser.error(str(error))
    write(grades, given.output)
    print(summary(grades, given.output))


def write(grades, folder):
    """Write the pages, the points and the key into a folder."""
    begin = f"{folder}/{grades.lesson}"
    pages = feedback_pages(grades)
    feedback = Path(f"{begin}_feedback")
    feedback.mkdir(exist_ok=True)
    for name, page in pages.values():
        (feedback / name).write_text(page, "utf-8")
    links = {id: f"{feedback.name}/{name}" for id, (name, _) in pages.items()}
    page = class_page(grades, links, mistakes(grades), fooled(grades))
    Path(f"{begin}_class.html").write_text(page, "utf-8")
    Path(f"{begin}_points.csv").write_text(csv_text(points_table(grades)), "utf-8-sig")
    Path(f"{begin}_key.csv").write_text(csv_text(key(grades)), "utf-8-sig")


def summary(grades, folder):
    """Say what was written and where, and what else is in the folder."""
    number = grades.lesson
    students = counted(len(grades.students), "student", "students")
    here = sum(grades.has(student) for student in grades.students)
    lines = [f"Lesson {number}: {students}, {here} handed in. In {folder} are"]
    lines += [
        f"  {number}_class.html    the page for you: open it in a browser",
        f"  {number}_points.csv    points and totals, for a learning platform",
        f"  {number}_feedback      a page for each student, to send",
        f"  {number}_key.csv       the right answers: keep these to yourself",
    ]
    if grades.others:
        files = counted(len(grades.others), "notebook is", "notebooks are")
        lines.append(f"{files} of nobody on the list: see the page.")
    left_out = [id for id in grades.points if grades.shows(id) and find(id).further]
    if left_out and not any(map(grades.counts, left_out)):
        lines.append(f"{listing(left_out)} go further and give no points: --further counts them.")
    lessons = Counter(paper.lesson for paper in grades.papers)
    for lesson, number_of_files in lessons.items():
        if lesson in ("", grades.lesson):
            continue
        files = counted(number_of_files, "notebook is", "notebooks are")
        lines.append(f"{files} of lesson {lesson}: --lesson {lesson} grades that one.")
    return "\n".join(lines)
