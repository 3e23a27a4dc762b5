"""Checks of the report: tables, roles, intruders and weights; those of files are in `files`.

No sentence here repeats a value of the data: a message may be copied into a letter.
"""

import importlib.util
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from synthrisk_edu.checks import (
    _is_list,
    bounded,
    columns,
    count,
    flag,
    frame,
    frames,
    is_numeric,
    mapping,
    name_of_column,
    names,
    number,
    numeric_names,
    one_of,
    pair,
    positions,
    roles,
    row_counts,
    same_kind,
    show,
)
from synthrisk_edu.disclosure.checks import options
from synthrisk_edu.report.files import no_reader, shortened
from synthrisk_edu.words import listing

SMALLEST_FRACTION = 1e-12


def report_tables(confidential, synthetic, control):
    """Return the tables of a report by name: one confidential, one or more synthetic, a control."""
    tables = {"confidential": confidential}
    if isinstance(synthetic, list | tuple):
        several = frames("synthetic", synthetic)
        tables |= {
            f"synthetic {j}" if len(several) > 1 else "synthetic": one
            for j, one in enumerate(several, start=1)
        }
    else:
        tables["synthetic"] = synthetic
    tables |= {} if control is None else {"control": control}
    return {name: _full_precision(frame(name, table)) for name, table in tables.items()}


def _full_precision(data):
    """Return numbers of half precision, which pandas cannot count, as ordinary ones."""
    half = [name for name, dtype in data.dtypes.items() if dtype == np.float16]
    return data.astype(dict.fromkeys(half, float)) if half else data


def common_columns(tables):
    """Return the columns that all tables have; at least one, each once and of the same kind."""
    for argument, data in tables.items():
        twice = data.columns[data.columns.duplicated()]
        if len(twice):
            raise ValueError(
                f"{argument} has more than one column named {shortened(twice[0])}; rename them so "
                "that each name stands once."
            )
    first, *others = tables.values()
    shared = [name for name in first.columns if all(name in data.columns for data in others)]
    if not shared:
        raise ValueError(
            f"{listing(tables)} have no column name in common; give equal columns equal names "
            "(capital letters and blanks count)."
        )
    for name in shared:
        name_of_column(listing(tables), name)
        for argument, data in list(tables.items())[1:]:
            same_kind(first, data, name, argument)
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
            culprit = f"{shortened(missing[0])}, which is not" if missing else "nothing; name"
            raise KeyError(f"the intruder {shortened(name)} knows {culprit} {what}.")
    return given


def fraction(value):
    """Return the share of the population that is in the table, above 0 and at most 1, or None."""
    return None if value is None else number("fraction", value, SMALLEST_FRACTION, 1)


def weights(table, name, given):
    """Return the weights in a column: how many people each record stands for, at least 1."""
    if given is not None:
        raise ValueError("give weights or fraction, not both: they say the same.")
    columns("confidential", table, names("weights", [name]))
    values = pd.to_numeric(table[name], errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    if not (np.isfinite(values).all() and (values >= 1).all()):
        raise ValueError(
            f"{shortened(name)} cannot hold weights: each must be a number of people, 1 or more."
        )
    return values


def counted(name, table, variables):
    """Return the named columns of a frame of counts, a row for each combination."""
    columns(name, frame(name, table), variables)
    row_counts(name, table, variables)
    return table[[*variables, "count"]]


def keys_and_targets(keys, targets):
    """Return the columns to count: keys and targets, at least one of each."""
    if not (keys and targets):
        raise ValueError("counting needs keys and targets; name at least one of each.")
    return [*keys, *targets]


def one_file(paths):
    """Return the one synthetic file that is counted."""
    if len(paths) > 1:
        raise ValueError(f"--count takes one synthetic file, not {len(paths)}; make a report each.")
    return paths[0]


def counter():
    """Return DuckDB, which counts files of any size, if it is installed."""
    if importlib.util.find_spec("duckdb") is None:
        no_reader("the file", "to be counted", "duckdb")
    return importlib.import_module("duckdb")


def rows_that_pair(confidential, synthetic):
    """Raise: roles were named, but the rows cannot pair."""
    if len(confidential) != len(synthetic):
        raise ValueError(
            f"confidential has {len(confidential):,} rows and synthetic has {len(synthetic):,}, so "
            "rows do not pair and nothing can be matched; leave known and synthesized out, and "
            "name keys and targets instead."
        )


def configuration(path, read):
    """Return the options of a configuration file, if there is one and it can be read."""
    if path is None:
        return {}
    try:
        return read(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ValueError(
            f"the configuration {Path(path).name!r} cannot be read ({reason})."
        ) from None


def limit(text):
    """Return the measure and its limit from a text such as "repU=2"."""
    measure, sign, most = text.rpartition("=")
    try:
        return measure, float(most) if sign else float("nope")
    except ValueError:
        raise ValueError(
            f"a limit is written as MEASURE=MOST, for example --limit 'repU=2', not {text!r}."
        ) from None


def intruder(text):
    """Return the name and the columns from a text such as "a neighbour=Age,Town"."""
    name, sign, listed = text.partition("=")
    if not (sign and name and listed):
        raise ValueError(
            "an intruder is written as NAME=COLUMN,COLUMN, for example --intruder "
            f"'a neighbour=Age,Town', not {text!r}."
        )
    return name, listed.split(",")


def report_records(value):
    """Return which records may enter the report: False, True, or a list of positions."""
    if isinstance(value, bool):
        return value
    if not _is_list(value):
        raise TypeError(
            f"records must be False, True or a list of 0-based positions, not {show(value)}."
        )
    return list(value)
