"""In which form is an answer given, and when are two answers the same?

Every form can do this, and nothing elsewhere asks which form it is:

    asked                       how to hand in an answer, in words
    fields                      what there is to fill in: labels, and options to choose from
    said(value)                 an answer as one says it aloud
    result(function, data)      what an answer or a mistake comes to on these tables
    value(result)               the same in the form in which answers are compared
    mistake(exercise, how, data)  what a usual mistake comes to
    written(value)              the same, written down with the digits asked for
    read(given, right, data)    what a student handed in, in the form of the right answer; says in
                                one sentence if that is not possible
    same(given, value)          is it the same, to the digits asked for?
    also(given, wrong, right)   what else is wrong in an answer with a usual mistake; "" if nothing
    remark(given, right)        what to say of an answer that is wrong in an unknown way
    praise(given, right)        what to say of a right one; "" where the exercise says it
    plain(exercise, data)       the right answer as plain values, for the key
    shown(exercise, data)       the right answer as HTML, for a handout; "" where its words say it
    page(exercise, data)        what a page without Python needs to answer back, or None

A form that predictions have, `Estimate` or `OneOf`, can also do this:

    invitation                  what to do with its fields, in words
    guess(texts, right)         what was typed or chosen in them, in the form of the right answer
"""

import math
import signal
from collections.abc import Mapping
from contextlib import contextmanager, redirect_stdout
from copy import deepcopy
from functools import partial
from io import StringIO
from threading import current_thread, main_thread

import numpy as np
import pandas as pd

from synthrisk_classroom.typed import (
    choice_and_reason,
    kind_of,
    name_set,
    named_numbers,
    number_in,
    number_table,
    one_number,
    one_option,
    trap_of,
)
from synthrisk_classroom.verdict import Kind
from synthrisk_edu.words import counted, listing, rounded

SECONDS = 10  # for one call of a student's function
AGAIN = 0.02  # seconds after which a call that goes on is stopped again

BEGINS = {  # how a verdict of each kind begins
    Kind.RIGHT: "Right.",
    Kind.MISTAKE: "Not yet.",
    Kind.WRONG: "Not yet.",
    Kind.UNREADABLE: "Not yet:",
    Kind.OPEN: "Not answered yet:",
}


class Form:
    """What most forms share: an answer is a function of the data, and right is just right."""

    begins = BEGINS
    is_stored = True  # what was handed in can be judged again from the stored answer

    def tell(self, kind, sentence):
        """Begin a sentence with the words that say which kind of verdict it is."""
        return f"{self.begins[kind]} {sentence}"

    def result(self, function, data):
        """Compute an answer, as its function gives it."""
        return function(data)

    def value(self, result):
        """Return a result in the form in which answers are compared."""
        return result

    def mistake(self, exercise, how, data):
        """Compute a usual mistake: other arguments, or a function of tables and right answer."""
        if isinstance(how, Mapping):
            return exercise.function(data, **how)
        return how(data, exercise.result(data))

    def written(self, value):
        """Return an answer as it is: there is nothing to round."""
        return value

    def also(self, given, wrong, right):
        """Say nothing more: a mistake is about the whole answer."""
        return ""

    def praise(self, given, right):
        """Leave it to the exercise to say why it is right."""
        return ""

    def shown(self, exercise, data):
        """Leave it to the exercise's words to tell the answer."""
        return ""

    def page(self, exercise, data):
        """Say that a page cannot compare such answers: that needs the notebook."""
        return None


def close(given, value, digits):
    """Compare numbers: equal to the digits asked for, or equal at all when digits is None.

    >>> close(0.33, 1 / 3, digits=2), close(0.3, 1 / 3, digits=2), close(3.0, 3, digits=None)
    (True, False, True)
    """
    tolerance = 1e-9 if digits is None else 0.5 * 10**-digits * (1 + 1e-9)
    return bool(np.isclose(given, value, rtol=0, atol=tolerance, equal_nan=True))


def to_digits(digits):
    """Say how exact a number must be, such as "to 2 digits after the point"."""
    if digits is None:
        return "a whole number"
    return f"to {digits} digit{'' if digits == 1 else 's'} after the point"


def is_per_cent(given, right, digits):
    """Notice per cent where a share is asked for.

    >>> is_per_cent(33, 1 / 3, digits=2), is_per_cent(0.33, 1 / 3, digits=2)
    (True, False)
    """
    return bool(digits and 0 < abs(right) <= 1 and close(given / 100, right, digits))


def is_too_short(given, right, digits):
    """Notice a number that is right as far as it goes, but has too few digits.

    >>> [is_too_short(given, 56.73, digits=2) for given in (57, 56.7, 56.8)]
    [True, True, False]
    """
    return bool(digits and given) and given in [round(right, fewer) for fewer in range(digits)]


class Numbers(Form):
    """Several numbers with names: `Numbers("c", "T", digits=2)`. A mistake may name only some.

    A difference of two numbers printed to one digit may be off by 0.1: `within=0.1`. A number that
    one says as a whole may be off by one half, whatever the others: `within={"risk": 0.5}`.
    """

    def __init__(self, *parts, digits=None, within=None):
        """Name the parts in the order they are asked for."""
        self.parts = parts
        self.digits = digits
        self.within = within
        exact = "" if digits is None else f", {to_digits(digits)}"
        if isinstance(within, Mapping):
            for part, reach in within.items():
                exact += f"; {part} to within {reach}"
        self.asked = f"a list [{', '.join(parts)}]{exact}"
        self.fields = [{"label": part} for part in parts]

    def value(self, result):
        """Return the parts: a mapping from name to number."""
        result = dict(result)
        return {part: float(result[part]) for part in self.parts if part in result}

    def written(self, value):
        """Round every part to the digits asked for."""
        if self.digits is None:
            return value
        return {part: round(number, self.digits) for part, number in value.items()}

    def read(self, given, right, data):
        """Return the parts by name."""
        return named_numbers(given, self.parts, right)

    def same(self, given, value):
        """Compare the parts that `value` names."""
        return all(self._agree(part, given[part], value[part]) for part in value)

    def reach(self, part):
        """Return how far from the right one a part may be, or None: as the digits say."""
        return self.within.get(part) if isinstance(self.within, Mapping) else self.within

    def _agree(self, part, given, value):
        """Compare one part."""
        if self.reach(part) is not None:
            return abs(given - value) <= self.reach(part) * (1 + 1e-9)
        return close(given, value, self.digits)

    def also(self, given, wrong, right):
        """Name the parts that are wrong, too, if the mistake is only about some."""
        others = [part for part in right if part not in wrong]
        bad = [part for part in others if not self._agree(part, given[part], right[part])]
        is_or_are = "is" if len(bad) == 1 else "are"
        return f" And {listing(bad)} {is_or_are} not right yet." if bad else ""

    def plain(self, exercise, data):
        """Return the numbers by name, rounded as asked for."""
        return with_digits(exercise.right(data), self.digits)

    def page(self, exercise, data):
        """Return a field for each part, and what is said of the numbers one may hand in."""
        right = exercise.right(data)
        verdicts = [(right, Kind.RIGHT, exercise.why(data))]
        for sentence, wrong in exercise.wrong(data).items():
            if not self.same(right, wrong):
                verdicts.append((wrong, Kind.MISTAKE, sentence))
        for near in self._near(right):
            verdicts.append((near, Kind.WRONG, self.remark(near, right)))
        rows = []
        for value, kind, sentence in verdicts:
            numbers = [to_json(value.get(part)) for part in self.parts]
            rows.append((numbers, kind, self.tell(kind, sentence)))
        exact = 1e-9 if self.digits is None else 0.5 * 10**-self.digits
        return {
            "fields": self.fields,
            "within": [self.reach(part) or exact for part in self.parts],
            "rows": rows,
            "else": self.tell(Kind.WRONG, "These numbers are not right."),
        }

    def said(self, value):
        """Say the numbers as one says them."""
        return listing(f"{rounded(value[part])} ({part})" for part in self.parts if part in value)

    def _near(self, right):
        """Return the right numbers in per cent, and with fewer digits than asked for."""
        near = [{part: 100 * number for part, number in right.items()}]
        if all(np.isfinite(number) for number in right.values()):
            for digits in range(self.digits or 0):
                near.append({part: round(number, digits) for part, number in right.items()})
        return [numbers for numbers in near if not self.same(numbers, right)]

    def remark(self, given, right):
        """Notice per cent and missing digits, else say which parts are right."""
        good = [part for part in self.parts if self._agree(part, given[part], right[part])]
        bad = [part for part in self.parts if part not in good]
        if all(is_per_cent(given[part], right[part], self.digits) for part in bad):
            return f"For {listing(bad)} you have per cent; hand in shares, between 0 and 1."
        if all(is_too_short(given[part], right[part], self.digits) for part in bad):
            return f"Very near: hand in {listing(bad)} {to_digits(self.digits)}."
        wrong = f"{listing(bad)} {'is' if len(bad) == 1 else 'are'} not"
        if not good:
            return f"{wrong} right."
        return f"{listing(good)} {'is' if len(good) == 1 else 'are'} right, {wrong}."


class Number(Numbers):
    """One number, to `digits` digits after the point; None stands for a whole number."""

    def __init__(self, digits=None):
        """Say how to hand it in."""
        super().__init__("answer", digits=digits)
        self.asked = "a whole number" if digits is None else f"a number {to_digits(digits)}"

    def value(self, result):
        """Return the number."""
        return {"answer": float(result)}

    def read(self, given, right, data):
        """Return the number."""
        return {"answer": one_number(given, right=right["answer"])}

    def plain(self, exercise, data):
        """Return the number, rounded as asked for."""
        return super().plain(exercise, data)["answer"]

    def remark(self, given, right):
        """Notice per cent in place of a share, and digits that are missing or cut off."""
        given = given["answer"]
        right = right["answer"]
        if is_per_cent(given, right, self.digits):
            return "That looks like per cent; hand in the share, between 0 and 1."
        cut_off = self.digits is not None and abs(given - right) < 10**-self.digits
        if cut_off or is_too_short(given, right, self.digits):
            return f"Very near: hand in the number rounded {to_digits(self.digits)}."
        return "That is another number."


def with_digits(number, digits):
    """Round a number, or all in a dict, to the digits asked for; whole ones are written as such.

    >>> with_digits(1 / 3, 2), with_digits({"c": 2.0, "risk": 0.125}, 2), with_digits(57.0, None)
    (0.33, {'c': 2, 'risk': 0.12}, 57)
    """
    if isinstance(number, dict):
        return {name: with_digits(part, digits) for name, part in number.items()}
    number = float(number) if digits is None else round(float(number), digits)
    return int(number) if number.is_integer() else number


def to_json(number):
    """Return a number for the page; a missing one is "nan", and one that is not asked for None."""
    return number if number is None or np.isfinite(number) else str(number)


class Estimate(Numbers):
    """Numbers that are guessed: `near` of the true one is near enough, as are `within` of it.

    `Estimate()` is one number without a name.
    """

    def __init__(self, *parts, near=0.2, within=0.0):
        """Name the parts in the order they are asked for."""
        super().__init__(*(parts or [""]), within=within)
        self.near = near
        self.verb = "they are" if len(parts) > 1 else "it is"
        self.asked = "a number" if not parts else f"numbers for {listing(parts)}"
        self.invitation = f"write {self.asked}"

    def value(self, result):
        """Return the numbers by name; a single one has none."""
        return super().value(result if isinstance(result, Mapping | pd.Series) else {"": result})

    def guess(self, texts, right):
        """Return the numbers that were typed, by name."""
        typed = zip(self.parts, texts, strict=True)
        return {part: number_in(text, right[part]) for part, text in typed}

    def said(self, value):
        """Say the numbers as one says them."""
        return rounded(value[""]) if self.parts == ("",) else super().said(value)

    def exactly(self, right):
        """Return for each part how far a guess may be that is said like the right number.

        >>> Estimate("share", "people", "none").exactly({"share": 0.338, "people": 56.9, "none": 0})
        [0.005, 0.5, 0.0]
        """
        return [half_of_last_digit(right[part]) for part in self.parts]

    def closeness(self, given, right):
        """Tell how many numbers are right, how many others are close, and of how many.

        >>> Estimate("a", "b", "c").closeness({"a": 10, "b": 18, "c": 99}, dict(a=10, b=20, c=50))
        (1, 1, 3)
        """
        number_right = number_close = 0
        for part, exact in zip(self.parts, self.exactly(right), strict=True):
            if abs(given[part] - right[part]) <= exact + 1e-9:
                number_right += 1
            elif self._agree(part, given[part], right[part]):
                number_close += 1
        return number_right, number_close, len(self.parts)

    def _agree(self, part, given, value):
        """Tell whether a guess is near enough."""
        return bool(abs(given - value) <= max(self.near * abs(value), self.within) + 1e-9)


def half_of_last_digit(number):
    """Return half of the last digit with which a number is said: whole from 10 upwards, else two.

    >>> half_of_last_digit(56.7), half_of_last_digit(2.0), half_of_last_digit(0.0338)
    (0.5, 0.05, 0.0005)
    """
    if number == 0:
        return 0.0
    power = math.floor(math.log10(abs(number)))
    return 0.5 * 10.0 ** min(power - 1, 0)


class OneOf(Form):
    """One of several answers: `OneOf({"up": "it goes up", "down": "it goes down"})`."""

    invitation = "choose an answer"
    verb = "the answer is"

    def __init__(self, options):
        """List what can be answered: short name → words."""
        self.options = options
        self.asked = f"one of {listing(map(repr, options))}"
        self.fields = [{"label": "", "options": options}]

    def read(self, given, right, data):
        """Return the answer, spelled as it is listed; a list of one is that one."""
        return one_option(given, self.options)

    def guess(self, texts, right):
        """Return the option that was chosen."""
        return one_option(texts, self.options)

    def same(self, given, value):
        """Compare the names."""
        return given == value

    def closeness(self, given, right):
        """Tell whether the option is the right one: nothing is close to an option."""
        return int(given == right), 0, 1

    def said(self, value):
        """Say the words of an option."""
        return f"“{self.options[value]}”"

    def remark(self, given, right):
        """Say that another option is meant; which one, the reader finds."""
        return f"It is not {self.said(given)}."

    def plain(self, exercise, data):
        """Return the name of the right option."""
        return exercise.right(data)

    def page(self, exercise, data):
        """Return one field to choose in, and what is said of every option."""
        verdicts = {name: exercise.judge(name, data) for name in self.options}
        rows = [([name], verdict.kind, str(verdict)) for name, verdict in verdicts.items()]
        return {"fields": self.fields, "rows": rows}


class Table(Form):
    """One number for each row (a Series), or a frame of numbers.

    `filled` names the rows that the lesson has filled in; a form with no others is still empty.
    """

    def __init__(self, digits=None, filled=()):
        """Say how to hand it in."""
        self.digits = digits
        self.filled = filled
        self.asked = f"a table, each {to_digits(digits)}"
        if digits is None:
            self.asked = "a table of whole numbers"

    def read(self, given, right, data):
        """Return the table in the shape of the right one, or dots for an empty form."""
        table = number_table(given, right)
        written = table.drop(index=list(self.filled)).to_numpy()
        return ... if np.isnan(written).all() else table

    def written(self, value):
        """Round every entry to the digits asked for."""
        return value if self.digits is None else value.round(self.digits)

    def same(self, given, value):
        """Compare every entry."""
        return bool(self._agree(given, value).all())

    def shown(self, exercise, data):
        """Return the filled-in table."""
        return pd.DataFrame(exercise.right(data)).to_html(border=0, float_format="{:g}".format)

    def plain(self, exercise, data):
        """Return the table as dicts of numbers, rounded as asked for."""
        return with_digits(exercise.right(data).to_dict(), self.digits)

    def _agree(self, given, value):
        """Say for every entry whether it is the same."""
        pairs = zip(np.ravel(given), np.ravel(np.asarray(value, dtype=float)), strict=True)
        return np.array([close(entry, number, self.digits) for entry, number in pairs])

    def remark(self, given, right):
        """Count what is right of what is filled in, and name the first row that is not right.

        An entry that is missing, and should not be, is empty: neither right nor wrong. Only where
        all others are right the first row with such an entry is named.
        """
        shape = len(right), -1
        agree = self._agree(given, right).reshape(shape)
        empty = np.isnan(np.asarray(given, dtype=float)).reshape(shape) & ~agree
        wrong = ~agree & ~empty
        if not wrong.any():
            name = right.index[np.argmax(empty.any(axis=1))]
            return f"All {agree.sum()} entries so far are right; {name} is still empty."
        name = right.index[np.argmax(wrong.any(axis=1))]
        entries = f"of {(~empty).sum()} entries{' so far' if empty.any() else ''}"
        good = counted(agree.sum(), f"{entries} is right", f"{entries} are right")
        return f"{good}; look again at {name}."


class Names(Form):
    """A set of names; order and capital letters do not matter."""

    asked = 'a list of names, such as ["Ana", "Bob"]'

    def value(self, result):
        """Return the names, spelled as `read` spells them."""
        return name_set(result)

    def read(self, given, right, data):
        """Return the names as a set."""
        return name_set(given)

    def same(self, given, value):
        """Compare the sets."""
        return given == value

    def plain(self, exercise, data):
        """List the names as they are spelled in the tables."""
        return sorted(map(str, self.result(exercise.function, data)))

    def remark(self, given, right):
        """Count what belongs and what is missing."""
        names = f"of your {counted(len(given), 'name', 'names')}"
        belong = "None of your names belongs"
        if given & right:
            belong = counted(len(given & right), f"{names} belongs", f"{names} belong")
        missing = "none is missing"
        if right - given:
            missing = counted(len(right - given), "is missing", "are missing")
        return f"{belong} there, and {missing}."


class Function(Form):
    """A function the student writes; `cases(data)` lists the arguments it is tried on.

    The answer and the mistakes are functions of the same arguments.
    """

    is_stored = False  # only its text is, and nobody runs what a student wrote

    def __init__(self, shape, cases):
        """Say what a call looks like, and on what the function is tried."""
        self.shape = shape
        self.cases = cases
        self.asked = f"the function {shape}, which returns its result"

    def result(self, function, data):
        """Compute what a function gives in every case."""
        return [np.asarray(function(*case), dtype=float) for case in self.cases(data)]

    def variant(self, function, how):
        """Return the function that makes a mistake: other arguments, or another function."""
        return partial(function, **how) if isinstance(how, Mapping) else how

    def mistake(self, exercise, how, data):
        """Compute what the mistaken function gives in every case."""
        return self.result(self.variant(exercise.function, how), data)

    def plain(self, exercise, data):
        """Return the lines of the function."""
        return exercise.solution

    def read(self, given, right, data):
        """Return what the student's function gives in every case; it gets copies."""
        if not callable(given):
            kind = kind_of(given)
            raise TypeError(f"the answer is {kind}; hand in the function itself: {self.shape}.")
        cases = self.cases(data)
        with redirect_stdout(StringIO()) as printed:
            results = [self.run(given, case) for case in cases]
        if any(result is not None and result is not ... for result in results):
            pairs = zip(results, cases, strict=True)
            return [self.numbers(result, case) for result, case in pairs]
        if printed.getvalue().strip():
            raise TypeError(
                f"{self.shape} prints and returns nothing; write return in place of print, so that "
                "others can go on with the result."
            )
        return ...  # the body is still made of dots

    def numbers(self, result, case):
        """Return what a student's function returned, as an array of numbers."""
        try:
            return np.asarray(result, dtype=float)
        except (TypeError, ValueError, OverflowError):
            raise TypeError(
                f"your function returns {kind_of(result)} in {self.call(case)}; return a number."
            ) from None

    def run(self, function, case):
        """Call a student's function on a copy of the arguments; say so if it stops."""
        try:
            with time_limit(SECONDS):
                return function(*deepcopy(case))
        except OutOfTime:
            words = f"was stopped after {SECONDS} seconds in {self.call(case)}; see whether a loop "
            words += "in it can ever end, or find a shorter way."
        except Exception as error:  # whatever a student's function may raise
            reason = str(error).splitlines()[0] if str(error) else "no further words"
            words = f"stopped with {type(error).__name__} ({reason}) in {self.call(case)}."
        raise ValueError(f"your function {words}{trap_of(function)}")

    def call(self, case):
        """Write a call the way one would type it, or name the kinds of its longer arguments."""
        name = self.shape.split("(")[0]
        return f"{name}({', '.join(map(written, case))})"

    def same(self, given, value):
        """Compare in every case."""
        return all(same_numbers(*pair) for pair in zip(given, value, strict=True))

    def remark(self, given, right):
        """Notice numbers that are only rounded, else say in how many cases it is right."""
        for digits in range(1, 7):
            if self.same(given, [np.round(numbers, digits) for numbers in right]):
                return "Very near: return the numbers as they are, without rounding."
        good = 0
        for returned, asked in zip(given, right, strict=True):
            if returned.shape != asked.shape:
                return (
                    f"Your function returns {arranged(returned)} where {arranged(asked)} should be "
                    "returned."
                )
            good += same_numbers(returned, asked)
        if good == 0:
            return f"Your function is right in none of {len(right)} cases."
        which = f"{good} of {len(right)} cases"
        return f"Your function is right in {which}; look for what is special in the others."


def arranged(numbers):
    """Say how many numbers there are, and how they are arranged.

    >>> arranged(np.array(0.5)), arranged(np.array([1, 2, 3])), arranged(np.array([[1, 2, 3]]))
    ('one number', 'a list of 3 numbers', 'a list within a list (1 × 3 numbers)')
    """
    if numbers.ndim == 0:
        return "one number"
    if numbers.ndim == 1:
        return f"a list of {counted(numbers.size, 'number', 'numbers')}"
    return f"a list within a list ({' × '.join(map(str, numbers.shape))} numbers)"


def same_numbers(given, right):
    """Compare two arrays: as many numbers, and the same ones; missing is the same as missing.

    >>> same_numbers(np.array([0.5, np.nan]), np.array([0.5, np.nan]))
    True
    """
    if given.shape != right.shape:
        return False
    return bool(np.allclose(given, right, rtol=1e-9, equal_nan=True))


def written(argument):
    """Write an argument as one would type it; of a longer one only what it is.

    >>> written(pd.Series([1, 2])), written(pd.Series(range(100))), written(0.5)
    ('pd.Series([1, 2])', 'a pandas Series', '0.5')
    """
    is_series = isinstance(argument, pd.Series)
    text = f"pd.Series({argument.tolist()})" if is_series else repr(argument)
    return text if len(text) <= 60 and "\n" not in text else kind_of(argument)


class Release(Function):
    """A file that the student makes of the members, or a function `make(members)` that makes it.

    `readable(data, file)` returns the file as it is judged, or says what is wrong with it;
    `judged(data, file)` returns whether it is what was asked for, and what to say of it.
    """

    def __init__(self, readable, judged):
        """Say how to hand it in."""
        super().__init__("make(members)", lambda data: [(data.members,)])
        self.readable = readable
        self.judged = judged
        self.asked = "a table with the columns of mine.members, or a function make(members)"

    def result(self, function, data):
        """Make a file."""
        return function(data)

    def read(self, given, right, data):
        """Return whether the file is good, and what to say; dots if there is none yet."""
        (case,) = self.cases(data)
        file = self.run(given, case) if callable(given) else given
        if file is ... or (file is None and callable(given)):
            return ...
        if not isinstance(file, pd.DataFrame):
            raise TypeError(f"your file is {kind_of(file)}; hand in {self.asked}.")
        return self.judged(data, self.readable(data, file))

    def same(self, given, value):
        """Say whether the file is good."""
        return given[0]

    def remark(self, given, right):
        """Say what was found."""
        return given[1]

    praise = remark


class OutOfTime(BaseException):
    """Not an Exception, so that a student's own `except Exception` does not catch it."""


@contextmanager
def time_limit(seconds):
    """Raise OutOfTime in the block after some seconds, and again while the block goes on.

    A loop around `try: …` and a bare `except:` catches even this. Sooner or later it is between two
    rounds when the time is up again, and there nothing is caught.

    Only where the system has timers (not on Windows) and in the main thread, as in a notebook;
    elsewhere the block may take as long as it likes. A timer set before goes on afterwards.
    """
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return

    def stop(*_):
        """End the block: the time is up."""
        raise OutOfTime

    handler = signal.signal(signal.SIGALRM, stop)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, *timer)


class Choice(Form):
    """What would you release, and why? A choice and a reason, both from a list.

    The answer is a mapping (choice, reason) → (defensible, what the numbers say).
    """

    begins = BEGINS | {Kind.RIGHT: "That can be defended."}

    def __init__(self, choices, reasons):
        """List what can be chosen and what can be said for it: short name → words."""
        self.choices = choices
        self.reasons = reasons
        self.fields = [
            {"label": "choice", "options": choices},
            {"label": "reason", "options": reasons},
        ]
        all_choices = "; ".join(f"{name!r}: {words}" for name, words in choices.items())
        all_reasons = "; ".join(f"{name!r}: {words}" for name, words in reasons.items())
        self.asked = f"a choice and a reason. Choices: {all_choices}. Reasons: {all_reasons}"

    def read(self, given, right, data):
        """Return the pair, spelled as it is listed."""
        return choice_and_reason(given, self.choices, self.reasons)

    def same(self, given, value):
        """Say whether the pair can be defended."""
        return value[given][0]

    def plain(self, exercise, data):
        """List the pairs that can be defended."""
        return [list(pair) for pair, (fine, _) in exercise.right(data).items() if fine]

    def page(self, exercise, data):
        """Return two fields to choose in, and what is said of every pair."""
        rows = []
        for pair, (fine, words) in exercise.right(data).items():
            kind = Kind.RIGHT if fine else Kind.WRONG
            rows.append((pair, kind, self.tell(kind, words)))
        return {"fields": self.fields, "rows": rows}

    def remark(self, given, right):
        """Say what the choice overlooks."""
        return right[given][1]

    praise = remark
