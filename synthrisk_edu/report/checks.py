"""Checks of the report: tables, roles, intruders and weights.

No sentence here repeats a value of the data: a message may be copied into a letter.
"""

from collections.abc import Mapping
from datetime import date

import numpy as np
import pandas as pd

from synthrisk_edu.old_checks import *
from synthrisk_edu.report.section import brief
from synthrisk_edu.words import listing


def options(given, allowed):
    """Return the options of a report as a new mapping; there are no others."""
    for name in given:
        if name not in allowed:
            raise TypeError(f"there is no option {name!r}; the options are {', '.join(allowed)}.")
    return dict(given)


def grouping(given, variables, what):
    """Return the options `groups` and `special` as mappings by variable."""
    return [mapping(name, given.get(name), variables, what) for name in ("groups", "special")]


def quoted(name):
    """Return a column name as a message shows it: on one line, and not endless."""
    return repr(brief(name))


def written(argument, value):
    """Return a title or a date as text; a number or a date can be written, and a table cannot."""
    if not isinstance(value, str | date) and not is_number(value):
        raise TypeError(f"{argument} must be text, not {type_of(value)}.")
    return str(value)


def report_tables(confidential, synthetic, control):
    """Return the tables of a report by name: one confidential, one or more synthetic, a control."""
    several = isinstance(synthetic, list | tuple)
    made = frames("synthetic", synthetic) if several else [synthetic]
    each = [f"synthetic {j}" for j in range(1, len(made) + 1)] if len(made) > 1 else ["synthetic"]
    tables = {"confidential": confidential} | dict(zip(each, made, strict=True))
    tables |= {} if control is None else {"control": control}
    return {name: _full_precision(frame(name, table)) for name, table in tables.items()}


def _full_precision(data):
    """Return numbers of half or long precision, which pandas cannot count, as ordinary ones."""
    odd = [name for name, dtype in data.dtypes.items() if dtype in (np.float16, np.longdouble)]
    return data.astype(dict.fromkeys(odd, float)) if odd else data


def each_once(argument, names):
    """Raise if a column name stands more than once."""
    twice = pd.Index(names)[pd.Index(names).duplicated()]
    if len(twice):
        raise ValueError(
            f"{argument} has more than one column named {quoted(twice[0])}; rename them so that "
            "each name stands once."
        )


def common_columns(tables):
    """Return the columns that all tables have; at least one, each once and of the same kind."""
    for argument, data in tables.items():
        each_once(argument, data.columns)
    first, *others = tables.values()
    shared = [name for name in first.columns if all(name in data.columns for data in others)]
    if not shared:
        raise ValueError(
            f"{listing(tables)} have no column name in common; give equal columns equal names "
            "(capital letters and blanks count)."
        )
    for name in shared:
        name_of_column(listing(tables), name)
        same_kind(tables, name)
        for argument, data in tables.items():
            if data[name].dtype == object:  # whole numbers may be beyond the machine's
                bounded(argument, data, [name])
    return shared


def intruders(value):
    """Return intruders by name, each with the list of columns it knows; None is nobody."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise TypeError(
            "intruders must be a mapping from a name to the columns this intruder knows, such as "
            f"{{'a neighbour': ['Age', 'Town']}}, not {show(value)}."
        )
    return {name: names(f"intruder {name!r}", columns) for name, columns in value.items()}


def intruders_know(given, columns, what):
    """Return the intruders, each of whom knows at least one column, and only such as there are."""
    for name, knows in given.items():
        missing = [one for one in knows if one not in columns]
        if missing or not knows:
            culprit = f"{quoted(missing[0])}, which is not" if missing else "nothing; name"
            raise KeyError(f"the intruder {quoted(name)} knows {culprit} {what}.")
    return given


def weights(table, name, given):
    """Return the weights in a column: how many people each record stands for, at least 1."""
    if given is not None:
        raise ValueError("give weights or fraction, not both: they say the same.")
    columns("confidential", table, names("weights", [name]))
    numeric("confidential", table, name)
    values = table[name].to_numpy(dtype=float, na_value=np.nan)
    if not (np.isfinite(values).all() and (values >= 1).all()):
        raise ValueError(
            f"{quoted(name)} cannot hold weights: each must be a number of people, 1 or more."
        )
    return values


def report_records(value):
    """Return which records may enter the report: False, True, or a list of positions."""
    if isinstance(value, bool):
        return value
    if not is_list(value):
        raise TypeError(
            f"records must be False, True or a list of 0-based positions, not {show(value)}."
        )
    return list(value)
