"""What was handed in, as plain values: written into a notebook by `my.check`, read by `grade`.

Numbers, texts and lists stay what they are. What JSON cannot hold becomes a mapping with one key
that says what it was, so that nothing has to be run to read it:

    {"number": "nan"}                          a number that is missing or infinite
    {"mapping": [[key, value], …]}             a dict
    {"set": […]}                               a set
    {"column": […], "index": […]}              a Series
    {"table": [[name, […]], …], "index": […]}  a data frame
    {"function": "def …", "name": "f"}         a function, as it was typed
    {"other": "Match"}                         anything else: only what kind of thing it is
"""

import inspect
from collections.abc import Collection, Mapping
from numbers import Integral, Number
from textwrap import dedent

import numpy as np
import pandas as pd

MIME = "application/vnd.synthrisk-edu+json"
VERSION = "0.2"  # of what is stored; answers of older lessons are about other tables
MOST, DEEPEST, LONGEST = 2000, 4, 10_000  # entries, lists within lists, letters of a text


def to_plain(value):
    """Return an answer as plain values, or only its kind when it is too large or too strange.

    >>> to_plain([np.float64(0.5), 1, np.nan]), to_plain({"c": 2})
    ([0.5, 1, {'number': 'nan'}], {'mapping': [['c', 2]]})
    """
    try:
        return _plain(value, 0)
    except Exception:  # whatever it is, the student gets a verdict
        return {"other": type(value).__name__}


def _plain(value, deep):
    """Return a value as plain values; `deep` counts the lists around it."""
    if value is None or isinstance(value, bool | np.bool_):
        return value if value is None else bool(value)
    if isinstance(value, str):
        return str(value[:LONGEST])
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Number) or value is pd.NA:
        number = np.nan if value is pd.NA else float(value)
        return number if np.isfinite(number) else {"number": str(number)}
    if callable(value):
        return _plain_function(value)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _plain(value.item(), deep)
    if deep < DEEPEST and isinstance(value, Collection) and _size(value) <= MOST:
        return _plain_parts(value, lambda part: _plain(part, deep + 1))
    return {"other": type(value).__name__}


def _size(value):
    """Count the entries of a list, a table or an array."""
    return value.size if isinstance(value, pd.DataFrame | np.ndarray) else len(value)


def _plain_function(function):
    """Return a function as it was typed; one without a source is only named by its kind."""
    try:
        source = dedent(inspect.getsource(function))[:LONGEST]
    except (OSError, TypeError):
        return {"other": type(function).__name__}
    return {"function": source, "name": str(getattr(function, "__name__", ""))}


def _plain_parts(value, plain):
    """Return what holds several values, each of them made plain."""
    if isinstance(value, pd.DataFrame):
        columns = [[plain(name), [plain(one) for one in column]] for name, column in value.items()]
        return {"table": columns, "index": [plain(one) for one in value.index]}
    if isinstance(value, pd.Series):
        index = [plain(one) for one in value.index]
        return {"column": [plain(one) for one in value], "index": index}
    if isinstance(value, Mapping):
        return {"mapping": [[plain(key), plain(one)] for key, one in value.items()]}
    if isinstance(value, set | frozenset):
        return {"set": sorted((plain(one) for one in value), key=str)}
    return [plain(one) for one in value]


class Unreadable:
    """Stands for what could not be written down; no exercise takes it for an answer."""


def from_plain(plain, deep=0):
    """Return the answer that plain values stand for; whoever forged them gets `Unreadable`.

    A function stays text, which nobody runs.

    >>> from_plain({"mapping": [["c", 2]]}), from_plain({"number": "nan"})
    ({'c': 2}, nan)
    >>> from_plain({"column": [1, 0], "index": ["Ana", "Bea"]})["Ana"]
    np.int64(1)
    """
    if deep > DEEPEST:
        return Unreadable()
    if isinstance(plain, list):
        return [from_plain(one, deep + 1) for one in plain[:MOST]]
    if not isinstance(plain, dict):
        return plain
    try:
        return _parts_from(plain, lambda part: from_plain(part, deep + 1))
    except (KeyError, TypeError, ValueError, AttributeError):
        return Unreadable()


def _parts_from(plain, read):
    """Return what a mapping with a telling key stands for."""
    if "number" in plain:
        return float(plain["number"])
    if "mapping" in plain:
        return {_label(read(key)): read(one) for key, one in plain["mapping"]}
    if "set" in plain:
        return {_label(read(one)) for one in plain["set"]}
    if "column" in plain:
        return pd.Series(read(plain["column"]), index=[_label(one) for one in read(plain["index"])])
    if "table" in plain:
        columns = {_label(read(name)): read(column) for name, column in plain["table"]}
        return pd.DataFrame(columns, index=[_label(one) for one in read(plain["index"])])
    return Unreadable()


def _label(value):
    """Return the name of a row or a column; one of several parts is a tuple."""
    return tuple(value) if isinstance(value, list) else value
