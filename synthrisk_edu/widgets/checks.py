"""Checks of the panels: an argument of the same name is the same thing in every panel."""

from collections.abc import Mapping
from functools import wraps
from inspect import signature

from synthrisk_edu.checks import interval
from synthrisk_edu.old_checks import *

TABLES = ("confidential", "original", "data", "synthetic")
LISTS_OF_TABLES = ("synthetics", "released")
LISTS = {"variables": "variable", "keys": "key", "targets": "target"}  # at least one of these
LISTS |= dict.fromkeys(("ticked", "known", "synthesized"))
QUANTITIES, RECORDS = ("variable", "x", "y"), ("target", "person")
MAPPINGS = ("fixed", "groups", "special")


def checked(build):
    """Build a panel only of tables that have the named columns; what is a list comes as a list."""

    @wraps(build)
    def panel(*arguments, **named):
        """Look at the arguments, and build the panel of what they are."""
        given = signature(build).bind(*arguments, **named)
        given.apply_defaults()
        files = _files(given.arguments)
        return build(**{name: _usable(name, one, files) for name, one in given.arguments.items()})

    return panel


def two_intervals(argument, value):
    """Return the limits of two axes, each (low, high)."""
    value = listed(argument, value, "two pairs (low, high)")
    if len(value) != 2:
        raise ValueError(f"{argument} must be two pairs (low, high), not {len(value)}.")
    return [interval(f"each of {argument}", one) for one in value]


def how_many(argument, value, most):
    """Return some numbers of files, of which there are `most`."""
    found = [
        number(f"each of {argument}", one, 1, most, whole=True)
        for one in listed(argument, value, "whole numbers")
    ]
    if not found:
        raise ValueError(f"{argument} is empty; give at least one number of files.")
    return found


def draws_by_knowledge(value):
    """Return a mapping from what the intruder knows to a list of draws; at least one."""
    if not isinstance(value, Mapping) or not value:
        raise TypeError("draws must be a mapping from what the intruder knows to a list of draws.")
    return {name: frames(f"draws[{show(name)}]", one) for name, one in value.items()}


def _files(given):
    """Return all tables of a panel, by what the caller calls each."""
    files = {name: frame(name, given[name]) for name in TABLES if name in given}
    for name in LISTS_OF_TABLES:
        if name in given:
            given[name] = frames(name, given[name])
            files |= {f"{name}[{place}]": one for place, one in enumerate(given[name])}
    return files


def _usable(name, value, files):
    """Return an argument of a panel; what has another name is looked at by the panel itself."""
    first = next(iter(files.values()))
    if name in LISTS:
        value = names(name, value, LISTS[name])
        columns_of_one_kind(files, value)
    elif name in (*QUANTITIES, "category"):
        columns_of_one_kind(files, [name_of_column(name, value)])
    elif name in RECORDS:
        value = position(name, value, len(first))
    elif name in MAPPINGS and value is not None:
        value = mapping(name, value, list(first.columns), "a column")
    if name in QUANTITIES:
        for label, data in files.items():
            numeric(label, data, value)
            bounded(label, data, [value])
    return value
