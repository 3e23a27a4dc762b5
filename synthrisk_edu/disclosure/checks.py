"""Checks of disclosure: keys, targets, levels and exclusions."""

from collections.abc import Iterator, Mapping, Set
from numbers import Number

import numpy as np
import pandas as pd

from synthrisk_edu.old_checks import *


def data_sets(original, synthetic, single=False, what=""):
    """Return the original and all synthetic frames, by what the caller calls each."""
    first, second = f"original{what}", f"synthetic{what}"
    files = {first: frame(first, original)}
    if single or isinstance(synthetic, pd.DataFrame):
        return files | {second: frame(second, synthetic)}
    several = enumerate(frames(second, synthetic))
    return files | {f"{second}[{number}]": one for number, one in several}


def keys(files, value):
    """Return the keys: at least one, different, in every data set and of the same kind."""
    value = names("keys", value, "variable the intruder knows")
    columns_of_one_kind(files, value)
    return value


def target(files, key_names, value):
    """Return the target: a single variable that is no key, in every data set of the same kind."""
    several = is_list(value) or isinstance(value, Mapping | pd.DataFrame)
    if several and not isinstance(value, tuple):
        raise TypeError("target must be one column name; use multi_disclosure for several.")
    if name_of_column("target", value) in key_names:
        raise ValueError(f"{value!r} is both a key and the target; leave it in one place.")
    columns_of_one_kind(files, [value])
    return value


def targets(files, key_names, value):
    """Return the targets: the named ones, or every shared variable that is no key."""
    if value is None:
        first, *others = files.values()
        shared = [name for name in first.columns if all(name in data.columns for data in others)]
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
            given = mapping(option, options.pop(option), target_names, "one of the targets")
            for name in given:
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


def counts(files, variables):
    """Return the column `count` of every frame."""
    return [row_counts(label, data, variables) for label, data in files.items()]


def level(variable, levels, wanted):
    """Return the code of a level; it must exist, in the data or as the label of a group."""
    kinds = (Number | np.bool_, str, type(wanted))  # be they Python's or NumPy's
    for code, one in enumerate(levels):
        if any(isinstance(one, k) and isinstance(wanted, k) for k in kinds) and one == wanted:
            return code
    shown = ", ".join(map(show, levels[:8])) + (", …" if len(levels) > 8 else "")
    raise ValueError(f"{variable!r} has no level {show(wanted)}; its levels are {shown}.")


def keys_without_missing(value, key_names):
    """Return the keys whose missing values do not count."""
    if isinstance(value, Mapping):
        each = mapping("missing_keys", value, key_names, "a key")
        return [name for name, one in each.items() if not flag(f"missing_keys[{name!r}]", one)]
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"missing_keys must be True, False or a mapping by key, not {show(value)}.")
    return [] if value else list(key_names)


def triples(value, key_names):
    """Return the triples (key, key level, target level) to leave out."""
    value = listed("exclude", value, "triples (key, key level, target level)")
    found = [tuple(one) if is_list(one) else one for one in value]
    for one in found:
        if not isinstance(one, tuple) or len(one) != 3:
            raise ValueError(f"exclude holds {show(one)}; write (key, key level, target level).")
        if one[0] not in key_names:
            raise KeyError(f"exclude names {show(one[0])}, which is not a key.")
    return found


def thresholds(argument, value):
    """Return a pair (number, per cent)."""
    if not is_list(value) or isinstance(value, Set) or len(pair := list(value)) != 2:
        raise TypeError(f"{argument} must be a pair (number, per cent), not {show(value)}.")
    most = number(f"the number of {argument}", pair[0], 0)
    return most, number(f"the per cent of {argument}", pair[1], 0, 100)
