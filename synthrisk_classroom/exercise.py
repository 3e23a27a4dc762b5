"""Did I get it? An exercise is a function: it computes the right answer from a lesson's tables.

    @exercise(
        "05.1",
        Numbers("highest", "c", digits=2),
        hints=["In each file, find the boys in A.", …],
        mistakes={
            "That is the first file alone; average two.": {"files": ["first"]},
            "You added up the two files; average them.": lambda d, r: {"highest": 2 * r.highest},
        },
        code="answer = …",
        words=lambda d, r: f"Averaged, the highest probability is {r.highest:.2f}.",
    )
    def target_4(d, files=("first", "second")):
        …

A usual mistake is the same function with other arguments or, where it is none, a function of the
tables d and the right answer r. So every number an exercise speaks of is computed, never typed in.
"""

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from textwrap import dedent

from synthrisk_classroom.forms import Form, OneOf
from synthrisk_classroom.verdict import Kind, Verdict

EXERCISES = {}  # id → Exercise, of every lesson that was imported


def exercise(id, form, *, hints, words, mistakes=None, **more):
    """Make an exercise of the function below it; the arguments are those of `Exercise`."""

    def keep(function):
        """Remember the exercise; the function stays what it is."""
        EXERCISES[id] = Exercise(
            id=id,
            form=form,
            function=function,
            hints=hints,
            words=words,
            mistakes=mistakes or {},
            **more,
        )
        return function

    return keep


def recall(id, options, right, why, see):
    """Ask for what the lesson before has taught: one of three options, and no points.

    Args:
        id: the lesson that asks and a number, such as "02.r1".
        options: short name → its words.
        right: the short name of the right one.
        why: one sentence that says why, told with the right answer.
        see: where to read it again: the file's name and the heading of its section.
    """
    file, heading = see
    EXERCISES[id] = Exercise(
        id=id,
        form=OneOf(options),
        function=lambda d: right,
        hints=[f"It is in lesson {file[:2]}, section {heading}."],
        words=lambda d, r: why,
        mistakes={},
        code=f'answer = "{right}"',
        story=True,
        points=0,
        see=see,
    )


@dataclass(frozen=True, eq=False)
class Exercise:
    """The right answer to one question of a lesson, what usually goes wrong, and help.

    Args:
        id: the lesson and a number, such as "02.3".
        form: what kind of answer it has, and to how many digits; see `forms`.
        function: of the tables (for the form `Function`, the function to be written itself).
        hints: up to three, each saying a little more.
        words: of the tables and the right answer; says why it is right, with its numbers. Told with
            the solution, and to everybody who has found the answer.
        mistakes: what to say → other arguments of the function, or a function of tables and answer.
            The sentence says which way to look, not the answer. If two fit, the first is told.
        code: lines that can stand in place of the line with the dots in the lesson's cell; for a
            function that is asked for, its own lines.
        story: the question is about the tables of the text, which are the same for everybody.
        points: what it counts in grades; 0 for practice.
        further: it stands in a notebook that goes further, and counts only if the teacher asks.
        see: where a wrong answer sends the reader: the file's name and the heading of a section.
    """

    id: str
    form: Form
    function: Callable
    hints: list[str]
    words: Callable
    mistakes: Mapping
    code: str = ""
    story: bool = False
    points: int = 1
    further: bool = False
    see: tuple[str, str] | None = None

    @property
    def lesson(self):
        """The number of the lesson, as text."""
        return self.id.split(".")[0]

    @property
    def solution(self):
        """Return the lines of the solution: `code`, or the body of the function asked for."""
        return self.code or body_of(self.function)

    def result(self, data):
        """Compute the right answer on these tables, as the function gives it."""
        return once(self.form.result, self.function, data)

    def right(self, data):
        """Return the right answer in the form it is compared in."""
        return self.form.value(self.result(data))

    def wrong(self, data):
        """Compute what each usual mistake gives: sentence → value."""
        return {words: self.form.value(once(self._mistake, words, data)) for words in self.mistakes}

    def _mistake(self, words, data):
        """Compute one usual mistake."""
        return self.form.mistake(self, self.mistakes[words], data)

    def tells_apart(self, data):
        """Say whether no usual mistake gives the right answer on these tables.

        Neither as it is computed, nor written with the digits asked for.
        """
        if not self.mistakes:
            return True
        right = self.right(data)
        for words in self.mistakes:
            wrong = self.form.value(once(self._mistake, words, data))
            written = self.form.written(wrong)
            if self.form.same(right, wrong) or self.form.same(right, written):
                return False
        return True

    def why(self, data):
        """Say why the right answer is right."""
        return self.words(data, self.result(data))

    def open(self):
        """Remind of the question, and of how to hand in an answer."""
        return Verdict(Kind.OPEN, self.form.tell(Kind.OPEN, f"hand in {self.form.asked}."))

    def judge(self, answer, data):
        """Compare with the right answer first, then with every usual mistake."""
        if is_open(answer):
            return self.open()
        right = self.right(data)
        try:
            given = self.form.read(answer, right, data)
        except (TypeError, ValueError) as error:  # one sentence, written in `typed` or `forms`
            sentence = str(error)
            return Verdict(
                Kind.UNREADABLE, self.form.tell(Kind.UNREADABLE, sentence), mistake=sentence
            )
        if given is ...:
            return self.open()
        if self.form.same(given, right):
            why = self.form.praise(given, right) or self.why(data)
            return Verdict(Kind.RIGHT, self.form.tell(Kind.RIGHT, why))
        for sentence, wrong in self.wrong(data).items():
            if self.form.same(given, wrong) and not self.form.same(right, wrong):
                also = self.form.also(given, wrong, right)
                message = self.form.tell(Kind.MISTAKE, sentence + also)
                return Verdict(Kind.MISTAKE, message, mistake=sentence)
        remark = self.form.remark(given, right)
        return Verdict(
            Kind.WRONG,
            self.form.tell(Kind.WRONG, remark),
            mistake=remark,
            hint=self.id,
            see=self.see,
        )


@lru_cache(maxsize=2000)
def once(function, *arguments):
    """Compute something once, however often a student tries."""
    return function(*arguments)


def is_open(answer):
    """Say whether an answer still has its dots.

    >>> is_open(...), is_open([1, ...]), is_open([1, 2])
    (True, True, False)
    """
    parts = answer if isinstance(answer, list | tuple) else [answer]
    return any(part is ... for part in parts)


def body_of(function):
    """Return the lines inside a function, without decorators, head and docstring."""
    text = dedent(inspect.getsource(function))
    definition = ast.parse(text).body[0]
    first = definition.body[1 if ast.get_docstring(definition) else 0]
    return dedent("\n".join(text.splitlines()[first.lineno - 1 :]))


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
