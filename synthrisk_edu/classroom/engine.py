"""Did I get it? Exercises that answer back.

An `Exercise` knows its right answer (computed, never typed in), the usual mistakes and what to say
about them, some hints and a solution; its question stands in the lesson. The modules of
`synthrisk_edu.lessons` are found by their names. Each has `data(seed)`, what the lesson is about
(with a seed: tables that nobody else has), `EXERCISES` and `PANELS`. Start reading at `check`.
"""

import ast
import hashlib
import inspect
import pkgutil
import re
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import cache, lru_cache
from html import escape
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from unicodedata import normalize

from synthrisk_edu import checks
from synthrisk_edu.classroom.forms import Form
from synthrisk_edu.classroom.handed_in import MIME, to_plain

COLOURS = {True: "#009E73", False: "#E69F00"}  # told apart by colour-blind readers, too
_hints_given, _attempts, _ids = Counter(), Counter(), {}


def check(exercise, answer, *, seed=None):
    """Say whether an answer is right, and if it is a usual mistake, what went wrong.

    Args:
        exercise: the id, such as "01.1".
        answer: what you found; `...` stands for no answer yet.
        seed: None for the lesson's own data, or the number that `seed_for` gave you.

    >>> check("01.1", ...)
    Not answered yet: hand in a list [c, T, risk], to 2 digits after the point.
    >>> check("01.1", [1, 0, 1]).right
    False
    """
    exercise = find(exercise)
    seed = _student_seed(seed)
    if is_open(answer):
        return exercise.open()
    verdict = exercise.judge(answer, _data(exercise.lesson, seed))
    return verdict if verdict == exercise.open() else with_answer(verdict, exercise, answer, seed)


def with_answer(verdict, exercise, answer, seed):
    """Put what was handed in beside the verdict, for `grades`; it is stored where this is shown."""
    _attempts[exercise.id] += 1
    handed_in = {
        "exercise": exercise.id,
        "id": _ids.get(seed),
        "seed": seed,
        "answer": to_plain(answer),
        "right": verdict.right,
        "attempts": _attempts[exercise.id],
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    return replace(verdict, handed_in=handed_in)


def hint(exercise, number=None):
    """Show the next hint of an exercise, or the hint with this number.

    >>> hint("01.1", 1)
    Hint 1 of 2. Look up Finn's Sex, Town and true Job, and go through the synthetic table...
    """
    exercise = find(exercise)
    if number is None:
        number = _hints_given[exercise.id] = _hints_given[exercise.id] + 1
    last = len(exercise.hints)
    if checks.number("number", number, 1, whole=True) > last:
        more = "" if is_withheld() else f' sr.solution("{exercise.id}") shows one way.'
        return Note(f"There are no more hints.{more}")
    return Note(f"Hint {number} of {last}. {exercise.hints[number - 1]}")


def solution(exercise, *, seed=None):
    """Show one way to do it: what can stand in place of the dots, and a sentence about it."""
    exercise = find(exercise).id
    if is_withheld():
        return Note(f'Your teacher keeps the solutions for later; sr.hint("{exercise}") helps.')
    words = solution_words(exercise, seed=seed)
    return Note(f"{words} In place of the dots:", find(exercise).solution)


def is_withheld():
    """Tell whether solutions are kept for later: a file class.toml says `solutions = false`.

    It may stand in this folder or above. A fence, not a wall: the answers are in the package.
    """
    here = Path.cwd()
    for path in (folder / "class.toml" for folder in (here, *here.parents)):
        if path.is_file():
            found = re.search(r"^solutions *= *(\w+)", path.read_text("utf-8", "replace"), re.M)
            return bool(found) and found[1].lower() != "true"
    return False


def solution_words(exercise, *, seed=None):
    """Tell a solution in words, with the numbers of the data at hand."""
    exercise = find(exercise)
    return once(exercise.words, _data(exercise.lesson, _student_seed(seed)))


def seed_for(student):
    """Return a student's own seed: the same whole number on every computer.

    >>> seed_for("anna"), seed_for(" anna ") == seed_for("anna") != seed_for("bert")
    (1431804757, True)
    """
    student = student_id(student)
    seed = int.from_bytes(hashlib.sha256(student.encode("utf-8")).digest()[:4], "big")
    _ids[seed] = student
    return seed


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
    return normalize("NFC", text)


def _student_seed(value):
    """Return a whole number, or None for the lesson's own data."""
    if value is not None and not (checks.is_number(value, whole=True) and value >= 0):
        raise ValueError(
            f"seed must be None or a whole number from 0, not {checks.show(value)}; seed_for(...) "
            "makes one from a student id."
        )
    return value


def data_for(lesson, *, seed=None):
    """Return a copy of what a lesson's exercises are about; see the lesson for the names in it.

    >>> data_for("01")
    Tables of lesson 01: confidential, synthetic, people, released, known, synthesized
    """
    return deepcopy(_data(lesson_number(lesson, list(lessons())), _student_seed(seed)))


def lesson_number(value, known):
    """Return the number of a lesson that has exercises, such as "02"."""
    if value not in known:
        raise ValueError(
            f"there is no lesson {checks.show(value)} with exercises, only {', '.join(known)}."
        )
    return value


def draw_until(draw, is_telling):
    """Draw a student's tables again until an exercise about them has something to count.

    >>> numbers = iter([0, 0, 3])
    >>> draw_until(lambda: next(numbers), lambda number: number > 0)
    3
    """
    while not is_telling(drawn := draw()):
        pass
    return drawn


class Tables(SimpleNamespace):
    """Tables and lists by name: what the exercises of a lesson are about."""

    __hash__ = object.__hash__  # told apart by who they are, so that results can be remembered
    __eq__ = object.__eq__

    def __repr__(self):
        """Name what there is, rather than print it all."""
        return f"Tables of lesson {self.lesson}: {', '.join(list(vars(self))[1:])}"


@lru_cache(maxsize=32)
def _data(lesson, seed):
    """Make a lesson's tables once; whoever gets them from here must not change them."""
    return Tables(lesson=lesson, **lessons()[lesson].data(seed))


@lru_cache(maxsize=2000)
def once(function, *arguments):
    """Compute something once, however often a student tries."""
    return function(*arguments)


@cache
def lessons():
    """Find the lessons' modules beside this one: "01" → module, in order."""
    folder = Path(__file__).parent.parent / "lessons"
    names = sorted(module.name for module in pkgutil.iter_modules([str(folder)]))
    return {name[-2:]: import_module(f"synthrisk_edu.lessons.{name}") for name in names}


@cache
def exercises():
    """List all exercises by their id."""
    return {one.id: one for module in lessons().values() for one in module.EXERCISES}


def find(exercise):
    """Return the exercise with this id, else name the ones that look like it."""
    known = list(exercises())
    if exercise in known:
        return exercises()[exercise]
    text = str(exercise)
    near = [one for one in known if one.split(".")[0] == text.split(".")[0].zfill(2)]
    near = near or get_close_matches(text, known, n=6, cutoff=0.4) or known
    raise ValueError(
        f"there is no exercise {checks.show(exercise)}; look among {checks.shortened(near)}."
    )


def is_open(answer):
    """Say whether an answer still has its dots.

    >>> is_open(...), is_open([1, ...]), is_open([1, 2])
    (True, True, False)
    """
    parts = answer if isinstance(answer, list | tuple) else [answer]
    return any(part is ... for part in parts)


@dataclass(frozen=True)
class Exercise:
    """The right answer to one question of a lesson, what usually goes wrong, and help.

    Args:
        id: the lesson and a number, such as "02.3".
        form: what kind of answer it has, and to how many digits; see `forms`.
        answer: a function of the lesson's data (for `Function`, the function to be written).
        words: a function of the data that says why the answer is right, with its numbers; told
            with the solution, and to everybody who has found the answer.
        hints: up to three, each saying a little more.
        code: lines that can stand in place of the line with the dots in the lesson's cell; for a
            function that is asked for, its own source.
        mistakes: what to say to someone who made a usual mistake → what the mistake gives. The
            sentence says which way to look, not the answer. If two fit, the first is told.
    """

    id: str
    form: Form
    answer: Callable
    words: Callable
    hints: list[str]
    code: str = ""
    mistakes: dict[str, Callable] = field(default_factory=dict)

    @property
    def lesson(self):
        """The number of the lesson, as text."""
        return self.id.split(".")[0]

    @property
    def solution(self):
        """Return the lines of the solution: `code`, or the body of the function asked for."""
        return self.code or body_of(self.answer)

    def open(self):
        """Remind of the question, and of how to hand in an answer."""
        return Verdict(False, f"Not answered yet: hand in {self.form.asked}.")

    def judge(self, answer, data):
        """Compare with the right answer first, then with every usual mistake."""
        right = once(self.form.value, self.answer, data)
        try:
            given = self.form.read(answer, right, data)
        except (TypeError, ValueError) as error:  # one sentence, written in `forms`
            return Verdict(False, f"Not yet: {error}")
        if given is ...:
            return self.open()
        if self.form.same(given, right):
            why = self.form.praise(given, right) or once(self.words, data)
            return Verdict(True, f"{self.form.good} {why}")
        for sentence, mistake in self.mistakes.items():
            wrong = once(self.form.value, mistake, data)
            if self.form.same(given, wrong) and not self.form.same(right, wrong):
                return Verdict(False, f"Not yet. {sentence}")
        return Verdict(False, self.not_yet(self.form.remark(given, right)))

    def not_yet(self, remark):
        """Say that an answer is wrong in an unknown way."""
        return f'Not yet. {remark} Try sr.hint("{self.id}").'


def body_of(function):
    """Return the lines inside a function, without its docstring."""
    lines = inspect.getsource(function).splitlines()
    definition = ast.parse(dedent("\n".join(lines))).body[0]
    first = definition.body[1 if ast.get_docstring(definition) else 0]
    return dedent("\n".join(lines[first.lineno - 1 :]))


@dataclass(frozen=True)
class LessonPanel:
    """A panel of a lesson: its name, its title, what to try, and how to build it from the data.

    `offers` says what the website can show, where no Python runs: the name of a control → the
    values to choose from. What it does not name is offered whole, or in even steps.
    """

    name: str
    title: str
    sentence: str
    build: Callable
    offers: dict = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class Verdict:
    """What `check` has to say: `.right`, and `.message`, a sentence or two."""

    right: bool
    message: str
    handed_in: dict | None = field(default=None, compare=False)

    def __repr__(self):
        """Show the message."""
        return self.message

    def _repr_html_(self):
        """Show the message with a coloured line beside it."""
        look = f"border-left: 4px solid {COLOURS[self.right]}; padding-left: 0.6em"
        return f'<p class="synthrisk-verdict" style="{look}">{escape(self.message)}</p>'

    def _repr_mimebundle_(self, **_):
        """Store in the cell's output what was handed in; no reader sees it."""
        return {MIME: self.handed_in} if self.handed_in else {}


@dataclass(frozen=True, repr=False)
class Note:
    """A hint or a solution: words, and lines of code if there are any."""

    message: str
    code: str = ""

    def __repr__(self):
        """Show words, then code."""
        return f"{self.message}\n\n{self.code}" if self.code else self.message

    def _repr_html_(self):
        """Show words, then code, all escaped."""
        code = f"<pre>{escape(self.code)}</pre>" if self.code else ""
        return f'<div class="synthrisk-note"><p>{escape(self.message)}</p>{code}</div>'
