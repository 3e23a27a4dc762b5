"""Checks of the classroom: what a student hands in, and what nobody can compare."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from numbers import Real
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pandas as pd

from synthrisk_edu.old_checks import count, generator, is_number, shortened, show
from synthrisk_edu.words import counted


def lesson_number(value, known):
    """Return the number of a lesson that has exercises, such as "02"."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(
            f"there is no lesson {show(value)} with exercises, only {', '.join(known)}."
        )
    return value


def exercise_id(value, known):
    """Return the id of an exercise, else name the ones that look like it.

    >>> exercise_id("02.1", ["02.1", "02.2"])
    '02.1'
    """
    if isinstance(value, str) and value in known:
        return value
    text = str(value) if isinstance(value, str) or is_number(value) else ""
    near = [one for one in known if one.split(".")[0] == text.split(".")[0].zfill(2)]
    near = near or get_close_matches(text, known, n=6, cutoff=0.4) or known
    raise ValueError(f"there is no exercise {show(value)}; look among {shortened(near)}.")


def student_id(value):
    r"""Return a student's id as text: no blanks around it, no capitals, letters in one form.

    >>> student_id(" Anna.K "), student_id("007"), student_id("E\u0301va") == "éva"
    ('anna.k', '007', True)
    """
    text = str(value).strip().lower() if isinstance(value, str | int) else ""
    if not text:
        raise TypeError(f'a student id is a text such as "anna.k" or a number, not {show(value)}.')
    return normalize("NFC", text)


def new_folder(arguments, usual):
    """Return the folder that pages are written into: the one that is named, or the usual one."""
    if len(arguments) > 1 or "".join(arguments).startswith("-"):
        raise ValueError("name one folder and no options, or nothing.")
    folder = Path(*(arguments or [usual]))
    for path in (folder, *folder.parents):
        if path.exists() and not path.is_dir():
            raise ValueError(f"{path} is a file: name a folder, new or old.")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def csv_file(value):
    """Return where a table is written: never in place of somebody's notebook."""
    path = Path(value)
    if path.suffix.lower() != ".csv":
        raise ValueError(f"a table is written as CSV: name a file such as grades.csv, not {path}.")
    return path


def student_seed(value):
    """Return a whole number, or None for the lesson's own data."""
    if value is None:
        return None
    if is_number(value, whole=True) and value >= 0:
        return int(value)
    raise ValueError(
        f"seed must be None or a whole number from 0, not {show(value)}; seed_for(...) makes one "
        "from a student id."
    )


def one_number(value, what="the answer", right=0.0):
    """Return what a student gave for a number as a float; missing is NaN.

    A text such as "5 %" is 0.05 or, where per cent are asked for, 5: whichever is nearer.

    >>> one_number(pd.Series([2])), one_number("5%", right=0.05), one_number("5 %", right=5.2)
    (2.0, 0.05, 5.0)
    """
    if isinstance(value, str):
        if re.fullmatch(r"\s*-?\d+(\.\d+)?\s*%\s*", value):
            number = float(value.replace("%", ""))
            return min((number / 100, number), key=lambda one: abs(one - right))
        raise TypeError(f"{what} is a text, {value!r}; write the number without quotes.")
    if value is None:
        raise TypeError(f"{what} is None; did the last step return anything?")
    if callable(value):
        raise TypeError(f"{what} is a function; call it, and hand in what it returns.")
    unordered = isinstance(value, Mapping | set | frozenset)
    parts = list(value) if unordered else np.asarray(value, dtype=object).ravel()
    if unordered or len(parts) != 1:
        raise TypeError(f"{what} has {len(parts)} parts; hand in one number.")
    try:
        return np.nan if parts[0] is pd.NA else float(parts[0])
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{what} is {kind_of(parts[0])}; hand in a number.") from None


def named_numbers(value, parts, right):
    """Return part → number: from a list in the order asked, or from anything that has names.

    >>> named_numbers([2, "50 %"], ("c", "share"), right={"c": 2, "share": 0.5})
    {'c': 2.0, 'share': 0.5}
    """
    asked = ", ".join(parts)
    if isinstance(value, pd.DataFrame) and len(value) == 1:
        value = value.iloc[0]
    if not (isinstance(value, Mapping | pd.Series) and all(part in value for part in parts)):
        if isinstance(value, str | Mapping | set | frozenset) or not np.iterable(value):
            raise TypeError(f"the answer is {kind_of(value)}; hand in a list: [{asked}].")
        listed = list(value)
        if len(listed) != len(parts):
            raise ValueError(
                f"the answer has {counted(len(listed), 'entry', 'entries')}, and {len(parts)} are "
                f"asked for: [{asked}]."
            )
        value = dict(zip(parts, listed, strict=True))
    return {part: one_number(value[part], part, right[part]) for part in parts}


def number_table(value, right):
    """Return a student's table as numbers, with the rows and columns of the right one."""
    if isinstance(right, pd.Series):
        return number_table(_as_frame(value), right.to_frame("answer"))["answer"]
    columns = "the columns " + ", ".join(str(name) for name in right)
    if not isinstance(value, pd.DataFrame):
        raise TypeError(f"the answer is {kind_of(value)}; hand in a table with {columns}.")
    missing = [name for name in right if name not in value]
    if missing:
        raise ValueError(f"the answer has no column {missing[0]!r}; it needs {columns}.")
    if len(value) != len(right):
        raise ValueError(f"the answer has {len(value)} rows and should have {len(right)}.")
    labels = value.index.is_unique and set(value.index) == set(right.index)
    table = value[list(right)].set_axis(value.index if labels else right.index)
    try:
        return table.loc[right.index].astype(float)
    except (TypeError, ValueError):
        raise TypeError("the answer holds something that is no number; hand in numbers.") from None


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
    listed = value.split(",") if isinstance(value, str) else value
    if isinstance(value, pd.Series) and value.dtype == bool:
        listed = value.index[value]
    elif isinstance(value, pd.DataFrame) or (
        isinstance(value, pd.Series) and pd.api.types.is_numeric_dtype(value)
    ):
        listed = value.index
    if isinstance(listed, Mapping) or not np.iterable(listed):
        raise TypeError(f'the answer is {kind_of(value)}; hand in names, such as ["Ana", "Bob"].')
    listed = list(listed)
    for one in listed:
        if isinstance(one, Real | np.bool_):
            raise TypeError(
                f'the answer holds {one}, which is no name; hand in names, such as ["Ana", "Bob"].'
            )
    return frozenset(str(one).strip().casefold() for one in listed)


def choice_and_reason(value, choices, reasons):
    """Return a choice and a reason, spelled as they are listed."""
    example = f'("{next(iter(choices))}", "{next(iter(reasons))}")'
    if isinstance(value, str) or not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(f"hand in your choice and your reason, such as {example}.")
    return _listed("choice", value[0], choices), _listed("reason", value[1], reasons)


def _listed(what, value, options):
    """Return the option a student meant, whatever the case of the letters and the blanks.

    >>> _listed("choice", "5%", ["5 %", "both"])
    '5 %'
    """
    meant, *known = ("".join(str(one).split()).casefold() for one in (value, *options))
    if meant not in known:
        listed = ", ".join(repr(one) for one in options)
        raise ValueError(f"there is no {what} {value!r}; the {what}s are {listed}.")
    return list(options)[known.index(meant)]


def _as_frame(value):
    """Return a column of numbers as a frame with the column "answer"."""
    if isinstance(value, pd.DataFrame) and value.shape[1] == 1:
        return value.set_axis(["answer"], axis=1)
    if isinstance(value, str | pd.DataFrame | set | frozenset) or not np.iterable(value):
        raise TypeError(f"the answer is {kind_of(value)}; hand in one number for each row.")
    column = value if isinstance(value, pd.Series | Mapping) else list(value)
    return pd.Series(column, dtype=object).to_frame("answer")


def kind_of(value):
    """Say in plain words what somebody handed in."""
    words = {str: "a text", bool: "True or False", type(None): "None", dict: "a dict"}
    words |= {int: "one number", float: "one number", pd.DataFrame: "a whole table"}
    return words.get(type(value), f"of type {type(value).__name__}")
