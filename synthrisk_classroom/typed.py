"""What did they mean? What people type or hand in, read as numbers, tables, names and choices.

Every function returns a value in the form in which answers are compared, or says in one sentence
(a TypeError or a ValueError) what is wrong and what to hand in. `site.js` reads numbers by the same
grammar as `number_in`; `tests/typed_numbers.json` holds both to it.
"""

import inspect
import math
import re
from collections.abc import Mapping
from numbers import Real

import numpy as np
import pandas as pd

from synthrisk_edu.words import counted, listing

# The grammar of a number that is typed, without its sign and without "%". A blank may be one that
# no line breaks at, or a thin one.
COMMAS = re.compile(r"[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?")  # 1,234,567.5
BLANKS = re.compile(r"[1-9][0-9]{0,2}([ \u00a0\u2009\u202f][0-9]{3})+([.,][0-9]*)?")  # 10 000,5
DIGITS = re.compile(r"([0-9]+([.,][0-9]*)?|[.,][0-9]+)(e[-+]?[0-9]+)?", re.IGNORECASE)  # 0,05

TRAP = 'records.T turns the whole table on its side; the column T is records["T"].'


# --------------------------------------------------------------------------------- numbers
def number_in(text, right=0.0):
    """Return the number that a text says, written with a point or with a comma.

    Per cent are a share or, where per cent are asked for, themselves: whichever is nearer to what
    is right.

    >>> number_in("1,000"), number_in("10 000"), number_in("0,05"), number_in("−3")
    (1000.0, 10000.0, 0.05, -3.0)
    >>> number_in("5,5 %", right=0.05), number_in("5,5 %", right=5)
    (0.055, 5.5)
    >>> number_in("up")
    Traceback (most recent call last):
    ValueError: “up” is no number; write it in digits.
    """
    written = text.strip()
    is_per_cent = written.endswith("%")
    sign, digits = split_sign(written.removesuffix("%"))
    if COMMAS.fullmatch(digits):
        digits = digits.replace(",", "")
    elif BLANKS.fullmatch(digits):
        digits = re.sub(r"\s", "", digits)
    if not DIGITS.fullmatch(digits):
        raise ValueError(f"“{written}” is no number; write it in digits.")
    number = sign * float(digits.replace(",", "."))
    if not math.isfinite(number):
        raise ValueError(f"“{written}” is no number; write it in digits.")
    return share_or_per_cent(number, right) if is_per_cent else number


def split_sign(text):
    """Return the sign of a number as 1 or -1, and what is written behind it.

    >>> split_sign(" -5 "), split_sign("+5"), split_sign("− 5")
    ((-1, '5'), (1, '5'), (-1, '5'))
    """
    text = text.strip()
    sign = -1 if text[:1] in ("-", "−") else 1
    if text[:1] in ("-", "−", "+"):
        text = text[1:].strip()
    return sign, text


def share_or_per_cent(number, right):
    """Return what "5 %" stands for: 0.05 or 5, whichever is nearer to what is right.

    >>> share_or_per_cent(5, right=0.06), share_or_per_cent(5, right=5.2)
    (0.05, 5)
    """
    share = number / 100
    return share if abs(share - right) <= abs(number - right) else number


def one_number(value, what="the answer", right=0.0):
    """Return what a student gave for a number as a float; missing is NaN.

    A text is taken only with its sign for per cent; see `number_in`.

    >>> one_number(pd.Series([2])), one_number("5%", right=0.05), one_number("5 %", right=5.2)
    (2.0, 0.05, 5.0)
    """
    if isinstance(value, str):
        return per_cent(value, what, right)
    refuse_transposed(value)
    if value is None:
        raise TypeError(f"{what} is None; did the last step return anything?")
    if callable(value):
        raise TypeError(f"{what} is a function; call it, and hand in what it returns.")
    unordered = isinstance(value, Mapping | set | frozenset)
    parts = list(value) if unordered else np.asarray(value, dtype=object).ravel()
    if unordered or len(parts) != 1:
        raise TypeError(f"{what} has {len(parts)} parts; hand in one number.")
    number = np.nan if parts[0] is pd.NA else parts[0]
    try:
        return float(number)
    except (TypeError, ValueError):
        raise TypeError(f"{what} is {kind_of(number)}; hand in a number.") from None


def per_cent(text, what, right):
    """Return the number of a text such as "5 %"; any other text is refused.

    >>> per_cent("12,5 %", "the rate", right=0.1)
    0.125
    """
    try:
        if text.rstrip().endswith("%"):
            return number_in(text, right)
    except ValueError:
        pass  # no number stands before the sign
    raise TypeError(f"{what} is a text, {text!r}; write the number without quotes.")


def named_numbers(value, parts, right):
    """Return part → number: from a list in the order asked, or from anything that has names.

    >>> named_numbers([2, "50 %"], ("c", "share"), right={"c": 2, "share": 0.5})
    {'c': 2.0, 'share': 0.5}
    """
    refuse_transposed(value)
    if isinstance(value, pd.DataFrame) and len(value) == 1:
        value = value.iloc[0]
    has_names = isinstance(value, Mapping | pd.Series) and all(part in value for part in parts)
    if not has_names:
        value = named_in_order(value, parts)
    return {part: one_number(value[part], part, right[part]) for part in parts}


def named_in_order(value, parts):
    """Give the entries of a list the names of the parts.

    >>> named_in_order([2, 1], ("c", "T"))
    {'c': 2, 'T': 1}
    """
    asked = ", ".join(parts)
    unordered = str | Mapping | set | frozenset | pd.DataFrame
    if isinstance(value, unordered) or not np.iterable(value):
        raise TypeError(f"the answer is {kind_of(value)}; hand in a list: [{asked}].")
    entries = list(value)
    if len(entries) != len(parts):
        raise ValueError(
            f"the answer has {counted(len(entries), 'entry', 'entries')}, and {len(parts)} are "
            f"asked for: [{asked}]."
        )
    return dict(zip(parts, entries, strict=True))


# ---------------------------------------------------------------------------------- tables
def number_table(value, right):
    """Return a student's table as numbers, with the rows and columns of the right one.

    >>> right = pd.DataFrame({"c": [1, 2]}, index=["Ana", "Bea"])
    >>> number_table(pd.DataFrame({"c": ["2", 1]}, index=["Bea", "Ana"]), right).c.tolist()
    [1.0, 2.0]
    """
    refuse_transposed(value)
    if isinstance(right, pd.Series):
        return number_table(as_frame(value), right.to_frame("answer"))["answer"]
    columns = "the columns " + ", ".join(str(name) for name in right)
    if not isinstance(value, pd.DataFrame):
        raise TypeError(f"the answer is {kind_of(value)}; hand in a table with {columns}.")
    missing = [name for name in right if name not in value]
    if missing:
        raise ValueError(f"the answer has no column {missing[0]!r}; it needs {columns}.")
    if len(value) != len(right):
        raise ValueError(f"the answer has {len(value)} rows and should have {len(right)}.")
    has_labels = value.index.is_unique and set(value.index) == set(right.index)
    table = value[list(right)].set_axis(value.index if has_labels else right.index)
    try:
        return table.loc[right.index].astype(float)
    except (TypeError, ValueError):
        raise TypeError("the answer holds something that is no number; hand in numbers.") from None


def as_frame(value):
    """Return a column of numbers as a frame with the column "answer"."""
    if isinstance(value, pd.DataFrame) and value.shape[1] == 1:
        return value.set_axis(["answer"], axis=1)
    if isinstance(value, str | pd.DataFrame | set | frozenset) or not np.iterable(value):
        raise TypeError(f"the answer is {kind_of(value)}; hand in one number for each row.")
    column = value if isinstance(value, pd.Series | Mapping) else list(value)
    return pd.Series(column, dtype=object).to_frame("answer")


# ----------------------------------------------------------------------- names and choices
def name_set(value):
    """Return names as a set of plain texts; one text may hold a name, or several with commas.

    In a table, or a column of numbers, they stand beside the rows; True and False mark them.

    >>> sorted(name_set(["Eva ", "ANA"])), sorted(name_set(pd.Series([3, 5], ["Ana", "Bob"])))
    (['ana', 'eva'], ['ana', 'bob'])
    >>> sorted(name_set("Ana, Eva"))
    ['ana', 'eva']
    >>> sorted(name_set(pd.Series([True, False], ["Ana", "Bob"])))
    ['ana']
    """
    wanted = 'hand in names, such as ["Ana", "Bob"].'
    names = names_beside(value)
    if isinstance(names, Mapping) or not np.iterable(names):
        raise TypeError(f"the answer is {kind_of(value)}; {wanted}")
    names = list(names)
    for name in names:
        if isinstance(name, Real | np.bool_):
            raise TypeError(f"the answer holds {name}, which is no name; {wanted}")
    return frozenset(str(name).strip().casefold() for name in names)


def names_beside(value):
    """Return the names that a text holds, or that stand beside the rows; else the value itself."""
    if isinstance(value, str):
        return value.split(",")
    if isinstance(value, pd.DataFrame):
        return value.index
    if isinstance(value, pd.Series) and value.dtype == bool:
        return value.index[value]
    if isinstance(value, pd.Series) and pd.api.types.is_numeric_dtype(value):
        return value.index
    return value


def one_option(value, options):
    """Return the one option that was meant, spelled as it is listed; a list of one is that one.

    >>> one_option(["B "], ["a", "b"])
    'b'
    >>> one_option(["a", "b"], ["a", "b"])
    Traceback (most recent call last):
    TypeError: the answer has 2 parts; hand in one of 'a' and 'b'.
    """
    if isinstance(value, str | Mapping) or not np.iterable(value):
        return listed("answer", value, options)
    parts = list(value)
    if len(parts) != 1:
        number = counted(len(parts), "part", "parts")
        wanted = listing(repr(option) for option in options)
        raise TypeError(f"the answer has {number}; hand in one of {wanted}.")
    return listed("answer", parts[0], options)


def choice_and_reason(value, choices, reasons):
    """Return a choice and a reason, spelled as they are listed."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        example = f'("{next(iter(choices))}", "{next(iter(reasons))}")'
        raise TypeError(f"hand in your choice and your reason, such as {example}.")
    choice, reason = value
    return listed("choice", choice, choices), listed("reason", reason, reasons)


def listed(what, value, options):
    """Return the option that was meant, whatever the case of the letters and the blanks.

    >>> listed("choice", "5%", ["5 %", "both"])
    '5 %'
    """
    for option in options:
        if letters(option) == letters(value):
            return option
    there = ", ".join(repr(option) for option in options)
    raise ValueError(f"there is no {what} {value!r}; the {what}s are {there}.")


def letters(value):
    """Return a text without blanks and capitals.

    >>> letters("This  Intruder")
    'thisintruder'
    """
    return "".join(str(value).split()).casefold()


# ------------------------------------------------------------------- what else it may be
def kind_of(value):
    """Say in plain words what somebody handed in.

    >>> kind_of([1]), kind_of(pd.Series([1])), kind_of(np.float32(1)), kind_of(1j)
    ('a list', 'a pandas Series', 'one number', 'of type complex')
    """
    words = {
        bool: "True or False",
        np.bool_: "True or False",
        Real: "one number",
        str: "a text",
        type(None): "None",
        dict: "a dict",
        list: "a list",
        tuple: "a tuple",
        set: "a set",
        np.ndarray: "an array",
        pd.Series: "a pandas Series",
        pd.DataFrame: "a whole table",
    }
    for kind, word in words.items():
        if isinstance(value, kind):
            return word
    return f"of type {type(value).__name__}"


def refuse_transposed(value):
    """Notice a table of records that was turned on its side: pandas takes .T for "transpose"."""
    if isinstance(value, pd.DataFrame) and {"c", "T"} <= set(value.index):
        raise TypeError(TRAP)


def trap_of(function):
    """Name the trap of pandas that a student's function has stepped into, if it has.

    >>> trap_of(lambda found: found.records.T.mean())
    ' (records.T turns the whole table on its side; the column T is records["T"].)'
    """
    try:
        lines = inspect.getsource(function)
    except (OSError, TypeError):
        return ""
    return f" ({TRAP})" if re.search(r"\.T\b", lines) else ""
