"""What is right, for everybody? `sr.answer`, and `python3 start.py key IDS.csv [-o key.csv]`.

The ids stand one below the other in a CSV file, in the column "id" or in the first. The key has one
row for each exercise and student; it is the teacher's, so keep it where students do not look.
"""

import csv
import sys
from pathlib import Path

import pandas as pd

from synthrisk_edu.classroom.engine import (
    data_for,
    exercises,
    find,
    is_withheld,
    lesson_number,
    lessons,
    seed_for,
)
from synthrisk_edu.classroom.forms import Choice, Function, Names, Numbers, Table
from synthrisk_edu.classroom.grades import csv_file
from synthrisk_edu.report.command import Parser
from synthrisk_edu.report.page import csv_text

HEADS = ("id", "ids", "student", "student id", "student_id")


def answer(exercise, *, seed=None):
    """Return the right answer as plain values: numbers, names, or the lines of a function.

    For a decision these are all pairs of a choice and a reason that can be defended.

    >>> answer("01.1"), answer("01.5"), answer("01.2")["c"]["Cleo"]
    ({'c': 1, 'T': 0, 'risk': 0}, 172, 2)
    """
    exercise = find(exercise)
    if is_withheld():
        raise PermissionError("the teacher keeps the answers for later; sr.hint helps you on.")
    return plain_answer(exercise, data_for(exercise.lesson, seed=seed))


def plain_answer(exercise, data):
    """Return the right answer on these tables as plain values."""
    form = exercise.form
    if isinstance(form, Function):
        return exercise.solution
    right = exercise.answer(data)
    if isinstance(form, Choice):
        return [list(pair) for pair, (fine, _) in right.items() if fine]
    if isinstance(form, Names):
        return sorted(str(name) for name in right)
    if isinstance(form, Table):
        right = right.to_dict()
    elif type(form) is Numbers:
        right = {part: right[part] for part in form.parts}
    return rounded(right, form.digits)


def rounded(number, digits):
    """Round a number, or all in a dict, to the digits asked for; whole ones are written as such.

    >>> rounded(1 / 3, 2), rounded({"c": 2.0, "risk": 0.125}, 2), rounded(57.0, None)
    (0.33, {'c': 2, 'risk': 0.12}, 57)
    """
    if isinstance(number, dict):
        return {name: rounded(one, digits) for name, one in number.items()}
    number = float(number) if digits is None else round(float(number), digits)
    return int(number) if number.is_integer() else number


# ------------------------------------------------------------------- a class's key
def read_ids(path):
    """Return the ids in a CSV file as they stand there: 007 keeps its zeros."""
    text = Path(path).read_text("utf-8-sig")
    first = text.splitlines()[0] if text.strip() else ""
    separator = max(",;\t", key=first.count)
    cells = csv.reader(text.splitlines(), delimiter=separator)
    rows = [row for row in ([cell.strip() for cell in one] for one in cells) if any(row)]
    heads = [cell.casefold() for cell in rows[0]] if rows else []
    known = [heads.index(name) for name in HEADS if name in heads]
    column = known[0] if known else 0
    ids = [row[column] for row in rows[bool(known) :] if len(row) > column and row[column]]
    if not ids:
        raise ValueError(f"{path} holds no ids; write one in each line, or in a column named id.")
    return ids


def key_of_class(ids, numbers):
    """Return the key: a row for each exercise of these lessons and each student."""
    rows = []
    for number in numbers:
        print(f"lesson {number} ...", file=sys.stderr, flush=True)
        for student in ids:
            seed = seed_for(student)
            data = data_for(number, seed=seed)
            for one in lessons()[number].EXERCISES:
                rows.append((one.id, student, seed, str(plain_answer(one, data))))
    key = pd.DataFrame(rows, columns=["exercise", "student", "seed", "answer"])
    return key.sort_values("exercise", kind="stable")


def main(arguments):
    """Write the key of a class, and say where it is."""
    with_exercises = list(dict.fromkeys(number[:2] for number in exercises()))
    parser = Parser(prog="key", description="Write the right answers of a class.")
    parser.add_argument("ids", help="a CSV file with the ids of the students")
    parser.add_argument("-o", "--output", default="key.csv")
    parser.add_argument("--lesson", nargs="+", default=with_exercises, help="such as 01 02")
    given = parser.parse_args(arguments)
    output, ids = csv_file(given.output), read_ids(given.ids)
    numbers = [lesson_number(number, with_exercises) for number in given.lesson]
    output.write_text(csv_text(key_of_class(ids, numbers)), "utf-8-sig")
    print(f"The key of {len(ids)} students is in {output}; keep it to yourself.")
