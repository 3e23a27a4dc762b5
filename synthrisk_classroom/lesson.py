"""`my = lesson("01")`: the tables of a lesson, and its exercises.

    my.story    the tables the text speaks of, the same for everybody
    my.data     the tables of the exercises; with lesson("01", student="your id") your own
    my.check("01.1", answer)    my.hint("01.1")    my.solution("01.1")
    my.predict("01.a", panel)   the question first, then the panel
    my.predictions()            how many of this notebook were near enough, and which fooled you
    my.fold(table)              what answers a question in the text, seen when it is unfolded
    my.dora()                   what the release of this lesson does to Dora of lesson 01

The modules of `synthrisk_classroom.lessons` say what there is: `TITLE`, `data(seed)`, exercises and
predictions.
"""

import hashlib
import os
import pkgutil
import re
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, cached_property, lru_cache
from importlib import import_module
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unicodedata import normalize

import ipywidgets
import pandas as pd
from IPython import get_ipython

from synthrisk_classroom import lessons as folder
from synthrisk_classroom.dora import all_of_her
from synthrisk_classroom.errors import show_own_lines
from synthrisk_classroom.exercise import EXERCISES, Note
from synthrisk_classroom.handed_in import VERSION, to_plain
from synthrisk_classroom.prediction import PREDICTIONS, Asked, Folded, Predicted, this_cell
from synthrisk_classroom.verdict import Kind, Verdict
from synthrisk_edu import checks

PLACEHOLDERS = ("your student id", "your id", "their student id", "…", "...")  # in our texts
PREDICTED = {}  # (lesson, student) → what was predicted, as long as the kernel runs


def lesson(
    number: str, *unnamed: object, student: str | int | None = None, predict: bool = True
) -> "Lesson":
    """Return a lesson by its number; with a student's id the exercises have tables of their own.

    With predict=False every panel is open at once: for speakers, and if you are in a hurry.

    >>> my = lesson("01")
    >>> my.check("01.1", ...)
    Not answered yet: hand in a list [c, T, risk], to 2 digits after the point.
    >>> my.data
    Tables of lesson 01: confidential, synthetic, people, released, known, synthesized
    >>> mine = lesson("01", student="Anna")
    The exercises have the tables of anna.
    """
    if unnamed:
        raise TypeError(
            f"{checks.show(unnamed[0])} has no name here; if it is your id, write "
            f"lesson({checks.show(number)}, student={checks.show(unnamed[0])})."
        )
    show_own_lines(get_ipython())
    made = Lesson(number, student, predict)
    if made.student is not None:
        print(f"The exercises have the tables of {made.student}.")
    return made


class Lesson:
    """The tables and exercises of one lesson, for one student or for everybody."""

    def __init__(self, number: str, student: str | int | None = None, predict: bool = True):
        """Look the lesson up; its tables are made when they are asked for."""
        self.predicts = predict
        self.number = checks.one_of("number", number, numbers())
        self.student = None if student is None else student_id(student)
        self._hints = Counter()
        self._attempts = Counter()

    def __repr__(self):
        """Say which lesson it is, and whose tables the exercises have."""
        whose = "the lesson's own tables"
        if self.student is not None:
            whose = f"the tables of {self.student}"
        return f"Lesson {self.number}, {module(self.number).TITLE}; exercises on {whose}"

    @cached_property
    def story(self) -> "Tables":
        """The tables the text speaks of, the same for everybody."""
        return deepcopy(tables(self.number, None))

    @cached_property
    def data(self) -> "Tables":
        """The tables of the exercises: the student's own, or the lesson's."""
        return deepcopy(tables(self.number, self.student))

    def check(self, exercise: str, answer: Any) -> Verdict:
        """Say whether an answer is right, and if it is a usual mistake, what went wrong.

        `answer` is what you found; `...` stands for no answer yet.
        """
        asked = self._find(exercise)
        verdict = asked.judge(answer, self._tables(asked))
        if verdict.kind is not Kind.OPEN:
            self._attempts[exercise] += 1
        handed_in = {
            "version": VERSION,
            "exercise": exercise,
            "student": self.student,
            "answer": to_plain(answer),
            "kind": verdict.kind.value,
            "attempts": self._attempts[exercise],
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        return replace(verdict, handed_in=handed_in)

    def hint(self, exercise: str, number: int | None = None) -> Note:
        """Show the next hint of an exercise, or the hint with this number.

        >>> lesson("01").hint("01.1")
        Hint 1 of 2. Look up Finn's Sex, Town and true Job, and go through the synthetic table...
        """
        hints = self._find(exercise).hints
        if number is None:
            self._hints[exercise] += 1
            number = self._hints[exercise]
        if checks.number("number", number, 1, whole=True) > len(hints):
            more = "" if is_withheld() else f' my.solution("{exercise}") shows one way.'
            return Note(f"There are no more hints.{more}")
        return Note(f"Hint {number} of {len(hints)}. {hints[number - 1]}")

    def solution(self, exercise: str) -> Note:
        """Show one way to do it: what can stand in place of the dots, and a sentence about it."""
        asked = self._find(exercise)
        if is_withheld():
            return Note(f'Your teacher keeps the solutions for later; my.hint("{exercise}") helps.')
        return Note(f"{asked.why(self._tables(asked))} In place of the dots:", asked.solution)

    def predict(self, prediction: str, panel: ipywidgets.Widget) -> ipywidgets.Widget:
        """Put the question before a panel, which stands veiled until it is answered.

        The first answer counts; if you run the cell again you see it, and can guess again.
        """
        asked = predictions(self.number)
        if prediction not in asked:
            raise ValueError(
                f"there is no prediction {checks.show(prediction)} in lesson {self.number}: there "
                f"are {', '.join(asked)}."
            )
        if not self.predicts:
            return panel
        kept = self._predicted.kept
        self._predicted.questions[prediction] = asked[prediction]
        self._predicted.cells[prediction] = this_cell()

        def tell(record):
            """Keep the first answer, and show it in the table of all."""
            kept[prediction] = record
            self._predicted.update()

        return Asked(asked[prediction], panel, tell, kept.get(prediction))

    def predictions(self) -> Predicted:
        """Show the predictions of this notebook: near enough in 5 of 8; these two fooled you.

        They are those that were asked here, or stand in the notebook as it was saved.
        """
        return self._predicted

    def fold(self, shown: Any) -> Folded:
        """Show a table, a picture or a text only when it is unfolded: what answers a question."""
        return Folded(shown)

    def dora(self) -> Folded:
        """Tell, folded, what the release of this lesson does to the double of Dora."""
        return Folded(self._dora(self.number), "And Dora?")

    def dora_everywhere(self) -> pd.DataFrame:
        """Return a table of Dora's c, T and risk: a row for every lesson up to this one."""
        doras = {}
        for number in numbers():
            if number <= self.number and hasattr(module(number), "dora"):
                doras[number] = self._dora(number)
        return all_of_her(doras)

    def _dora(self, number):
        """Ask the module of a lesson for Dora, on the tables of the text."""
        return module(number).dora(tables(number, None))

    @property
    def _predicted(self):
        """What was predicted so far, also before the first cell of the lesson was run again."""
        mine = self.number, self.student
        if mine not in PREDICTED:
            PREDICTED[mine] = predicted_before(self.number)
        return PREDICTED[mine]

    def _find(self, exercise):
        """Return the exercise with this id."""
        known = exercises(self.number)
        if exercise not in known:
            there = f"the exercises are {', '.join(known)}" if known else "it has no exercises"
            raise ValueError(
                f"there is no exercise {checks.show(exercise)} in lesson {self.number}: {there}."
            )
        return known[exercise]

    def _tables(self, asked):
        """Return the tables that an exercise is about; nobody may change them."""
        return tables(self.number, None if asked.story else self.student)


def is_withheld():
    """Tell whether solutions are kept for later: a file class.toml says `solutions = false`.

    It may stand in this folder or above; any other word than true keeps them, too. A fence, not a
    wall: the answers are in the package.
    """
    here = Path.cwd()
    for folder_above in (here, *here.parents):
        path = folder_above / "class.toml"
        if path.is_file():
            text = path.read_text("utf-8", "replace")
            line = re.search(r"""^solutions *= *["']?(\w+)""", text, re.MULTILINE)
            return line is not None and line[1].lower() != "true"
    return False


# ------------------------------------------------------------- what the lessons' modules say
@cache
def numbers():
    """List the numbers of all lessons, such as "01"."""
    return sorted(module.name[-2:] for module in pkgutil.iter_modules(folder.__path__))


def module(number):
    """Return the module of a lesson."""
    return import_module(f"synthrisk_classroom.lessons.lesson_{number}")


def exercises(number):
    """Return the exercises of a lesson by their id, as they stand there: recall comes first."""
    module(number)  # which makes them
    ids = [id for id in EXERCISES if id.startswith(number)]
    return {id: EXERCISES[id] for id in sorted(ids, key=lambda id: (".r" not in id, id))}


def predictions(number):
    """Return the predictions of a lesson by their id."""
    module(number)  # which makes them
    return {id: PREDICTIONS[id] for id in sorted(PREDICTIONS) if id.startswith(number)}


def predicted_before(number):
    """Return what this notebook asks, and what was answered before its kernel was started."""
    from synthrisk_classroom.papers import Paper, read_paper  # a room that needs this one

    path = Path(os.environ.get("JPY_SESSION_NAME", ""))  # Jupyter says where the notebook lies
    paper = read_paper(path, path.name) if path.suffix == ".ipynb" else Paper("")
    kept = {}
    for id, guess in paper.guesses.items():
        is_whole = {"given", "words"} <= guess.keys()
        if is_whole and id in predictions(number):
            kept[id] = guess
    here = {*paper.asks, *kept}
    questions = {id: asked for id, asked in predictions(number).items() if id in here}
    return Predicted(questions, kept, {id: paper.asks.get(id, "") for id in questions})


class Tables(SimpleNamespace):
    """Tables and lists by name: what the text or the exercises of a lesson are about."""

    __hash__ = object.__hash__  # told apart by who they are, so that results can be remembered
    __eq__ = object.__eq__

    def __repr__(self):
        """Name what there is, rather than print it all."""
        return f"Tables of lesson {self.lesson}: {', '.join(list(vars(self))[1:])}"


@lru_cache(maxsize=32)
def tables(number, student):
    """Make the tables of a lesson once; whoever gets them from here must not change them.

    A student's own are drawn again, with another seed, as long as some usual mistake gives the
    right answer on them: else whoever makes it is never told.
    """
    if student is None:
        return Tables(lesson=number, **module(number).data(None))
    seeds = (seed_of(student, again) for again in count())
    return draw_until(
        lambda: Tables(lesson=number, **module(number).data(next(seeds))),
        lambda drawn: tells_apart(drawn, *own_exercises(number)),
        tries=20,
    )


def own_exercises(number):
    """List the exercises of a lesson that are about a student's own tables."""
    return [id for id, asked in exercises(number).items() if not asked.story]


def seed_of(student, again=0):
    """Return a student's own seed, and others for drawing again: the same on every computer.

    >>> seed_of("anna"), seed_of("bert"), seed_of("anna", again=1)
    (1431804757, 848854091, 29413187)
    """
    text = f"{student}\n{again}" if again else student
    return int.from_bytes(hashlib.sha256(text.encode("utf-8")).digest()[:4], "big")


def student_id(value):
    r"""Return a student's id as text: no blanks around it, no capitals, letters in one form.

    >>> student_id(" Anna.K "), student_id("007"), student_id("E\u0301va") == "éva"
    ('anna.k', '007', True)
    """
    text = str(value).strip().lower() if isinstance(value, str | int) else ""
    if not text:
        raise TypeError(
            f'a student id is a text such as "anna.k" or a number, not {checks.show(value)}.'
        )
    if text in PLACEHOLDERS:
        raise ValueError(f'write your own id in place of "{text}", such as "anna.k".')
    return normalize("NFC", text)


def draw_until(draw, is_telling, tries=1000):
    """Draw a student's tables again until they tell what they are to tell.

    After so many tries the last ones are taken: nobody is left without tables, and the tests fail.

    >>> numbers = iter([0, 0, 3])
    >>> draw_until(lambda: next(numbers), lambda number: number > 0)
    3
    >>> draw_until(lambda: 0, lambda number: number > 0, tries=5)
    0
    """
    for _ in range(tries):
        drawn = draw()
        if is_telling(drawn):
            break
    return drawn


def tells_apart(drawn, *ids):
    """Say whether on these tables no usual mistake of the exercises gives the right answer.

    A lesson asks it of its small tables alone, which are drawn in no time; `tables` asks it of all.
    """
    made = drawn if isinstance(drawn, Tables) else Tables(**vars(drawn))
    return all(EXERCISES[id].tells_apart(made) for id in ids)
