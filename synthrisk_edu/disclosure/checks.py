"""Checks of disclosure: keys, targets, levels and exclusions."""

from collections.abc import Iterable, Iterator, Mapping
from numbers import Real

import numpy as np
import pandas as pd

from synthrisk_edu.checks import *
from synthrisk_edu.checks import _is_list


def data_sets(original, synthetic, single=False):
    """Return the original and all synthetic frames in one list."""
    frame("original", original)
    if single or isinstance(synthetic, pd.DataFrame):
        return [original, frame("synthetic", synthetic)]
    return [original, *frames("synthetic", synthetic)]


def _labelled(listed):
    """Each data set, after what the caller calls it."""
    several = [f"synthetic[{k}]" for k in range(len(listed) - 1)]
    labels = ["synthetic"] if len(several) == 1 else several
    return zip(["original", *labels], listed, strict=True)


def keys(listed, value):
    """Return the keys: at least one, different, in every data set and of the same kind."""
    value = names("keys", value)
    if not value:
        raise ValueError("keys is empty; name at least one variable the intruder knows.")
    _same_columns(listed, value)
    return value


def _same_columns(listed, wanted):
    for label, data in _labelled(listed):
        columns(label, data, wanted)
        for name in wanted:
            same_kind(listed[0], data, name, label, "original")


def target(listed, key_names, value):
    """Return the target: a single variable that is no key, in every data set of the same kind."""
    several = _is_list(value) or isinstance(value, Mapping | pd.DataFrame)
    if several and not isinstance(value, tuple):
        raise TypeError("target must be one column name; use multi_disclosure for several.")
    if name_of_column("target", value) in key_names:
        raise ValueError(f"{value!r} is both a key and the target; leave it in one place.")
    _same_columns(listed, [value])
    return value


def targets(listed, key_names, value):
    """Return the targets: the named ones, or every shared variable that is no key."""
    if value is None:
        shared = [n for n in listed[0].columns if all(n in data.columns for data in listed)]
        value = [name for name in shared if name not in key_names]
    value = names("targets", value)
    if not value:
        raise ValueError("there is no target: every shared variable is a key; name fewer keys.")
    return value


def per_target(options, target_names):
    """Split options that may differ by target off, and return them for each target."""
    result = {name: {} for name in target_names}
    for option in ("missing_target", "drop_target", "exclude"):
        if isinstance(options.get(option), Mapping):
            given = options.pop(option)
            for name in given:
                if name not in result:
                    raise KeyError(f"{option} names {name!r}, which is not one of the targets.")
                result[name][option] = given[name]
        elif isinstance(options.get(option), Iterator):  # every target goes through it anew
            options[option] = list(options[option])
    return result


def options(given, allowed):
    """Return the options of `disclosure` as a new mapping; there are no others."""
    for name in given:
        if name not in allowed:
            raise TypeError(f"there is no option {name!r}; the options are {', '.join(allowed)}.")
    return dict(given)


def grouping(given, variables, what):
    """Return the options `groups` and `special` as mappings by variable."""
    return [mapping(name, given.get(name), variables, what) for name in ("groups", "special")]


def counts(listed, variables):
    """Return the column `count` of every frame."""
    return [row_counts(label, data, variables) for label, data in _labelled(listed)]


def level_list(value):
    """Return a list of levels."""
    if not _is_list(value):
        raise TypeError(f"drop_target must be a list of levels, such as [{show(value)}].")
    return list(value)


def level(variable, levels, wanted):
    """Return the code of a level; it must exist, in the data or as the label of a group."""
    kinds = (Real | np.bool_, str, type(wanted))  # be they Python's or NumPy's
    for code, one in enumerate(levels):
        if any(isinstance(one, k) and isinstance(wanted, k) for k in kinds) and one == wanted:
            return code
    shown = ", ".join(map(show, levels[:8])) + (", …" if len(levels) > 8 else "")
    raise ValueError(f"{variable!r} has no level {show(wanted)}; its levels are {shown}.")


def keys_without_missing(value, key_names):
    """Return the keys whose missing values do not count."""
    if isinstance(value, Mapping):
        for name, one in value.items():
            if name not in key_names:
                raise KeyError(f"missing_keys names {name!r}, which is not a key.")
            flag(f"missing_keys[{name!r}]", one)
        return [name for name, one in value.items() if not one]
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"missing_keys must be True, False or a mapping by key, not {show(value)}.")
    return [] if value else list(key_names)


def triples(value, key_names):
    """Return the triples (key, key level, target level) to leave out."""
    if not _is_list(value):
        raise TypeError("exclude must be a list of triples (key, key level, target level).")
    listed = [tuple(one) if _is_list(one) else one for one in value]
    for one in listed:
        if not isinstance(one, tuple) or len(one) != 3:
            raise ValueError(f"exclude holds {show(one)}; write (key, key level, target level).")
        if one[0] not in key_names:
            raise KeyError(f"exclude names {show(one[0])}, which is not a key.")
    return listed


def synthesis_number(value, m):
    """Return the 0-based number of a synthesis as int if there is such a one."""
    if not is_number(value, whole=True):
        raise TypeError(f"l must be the 0-based number of a synthesis, not {show(value)}.")
    if not 0 <= value < m:
        raise IndexError(f"l is {value}, but the syntheses are numbered from 0 to {m - 1}.")
    return int(value)


def thresholds(argument, value):
    """Return a pair (number, per cent)."""
    if not _is_list(value) or len(pair := list(value)) != 2:
        raise TypeError(f"{argument} must be a pair (number, per cent), not {show(value)}.")
    most = number(f"the number of {argument}", pair[0], 0)
    return most, number(f"the per cent of {argument}", pair[1], 0, 100)
