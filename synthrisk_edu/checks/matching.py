"""Checks that all rooms share, and those of matching."""

import math
from collections.abc import Hashable, Iterable, Mapping
from numbers import Integral, Real

import numpy as np
import pandas as pd


def one_of(argument, value, options):
    """Return `value` if it is one of `options`, else say which ones there are.

    >>> one_of("shape", "box", ("box", "ellipse"))
    'box'
    """
    options = list(options)
    if not isinstance(value, str) or value not in options:
        listed = ", ".join(repr(option) for option in options)
        raise ValueError(f"{argument} must be one of {listed}, not {value!r}.")
    return value


def data_file_missing(path):
    """Raise: a file that ships with the package is not where it should be."""
    raise FileNotFoundError(
        f"The data file {path.name} is missing from this installation; get the project again, "
        "or run data/make_data.py to make it anew."
    )


def frame(argument, value):
    """Return `value` if it is a data frame with at least one row."""
    if not isinstance(value, pd.DataFrame):
        remedy = (
            "pass one frame, or use match_all for several synthetic ones"
            if isinstance(value, list | tuple)
            else "turn it into one with pandas.DataFrame(...)"
        )
        raise TypeError(f"{argument} must be a pandas DataFrame, not {_type(value)}; {remedy}.")
    if len(value) == 0:
        raise ValueError(f"{argument} is an empty frame; it needs at least one row.")
    return value


def frames(argument, value):
    """Return `value` as a list of data frames: the m synthetic data sets."""
    if isinstance(value, pd.DataFrame):
        raise TypeError(
            f"{argument} must be a list of data frames; put the single frame into brackets: "
            f"[{argument.removesuffix('s')}]."
        )
    if not _is_list(value):
        raise TypeError(f"{argument} must be a list of data frames, not {_type(value)}.")
    listed = list(value)
    if not listed:
        raise ValueError(f"{argument} is an empty list; it needs at least one data frame.")
    return [frame(f"{argument}[{number}]", one) for number, one in enumerate(listed)]


def pair(confidential, synthetic, variables, argument="synthetic"):
    """Both frames can be matched on the variables; `argument` is what the caller calls the second.

    Rows pair by position, so the frames are equally long; they have every variable, and in both
    it holds the same kind of values.
    """
    if len(confidential) != len(synthetic):
        raise ValueError(
            f"confidential has {len(confidential)} rows and {argument} has {len(synthetic)}; rows "
            "pair by position, so both need the same number."
        )
    columns("confidential", confidential, variables)
    columns(argument, synthetic, variables)
    for name in variables:
        same_kind(confidential, synthetic, name, argument)


def names(argument, value):
    """Return `value` as a list of different column names."""
    if not _is_list(value):
        example = [value] if isinstance(value, str) else ["Age", "Income"]
        raise TypeError(
            f"{argument} must be a list of column names, such as {example}, not {_type(value)}."
        )
    # A set comes in another order in every session; what we say about it should not.
    listed = sorted(value, key=str) if isinstance(value, set | frozenset) else list(value)
    for name in listed:
        if not isinstance(name, Hashable) or name is pd.NA:
            raise TypeError(f"{argument} holds {name!r}, which is no column name; list names only.")
        if listed.count(name) > 1:
            raise ValueError(f"{argument} names {name!r} more than once; name it once.")
    return listed


def roles(known, synthesized):
    """Return both lists of names; no variable may play both roles, and some must play one."""
    known, synthesized = names("known", known), names("synthesized", synthesized)
    for name in known:
        if name in synthesized:
            raise ValueError(
                f"{name!r} is both known and synthesized; leave it in one of the two lists."
            )
    if not known + synthesized:
        raise ValueError(
            "known and synthesized are both empty; name at least one variable to match on."
        )
    return known, synthesized


def columns(argument, data, wanted):
    """Every wanted column is in the frame, exactly once."""
    for name in wanted:
        found = int(np.sum([column == name for column in data.columns]))
        if found == 0:
            present = ", ".join(str(column) for column in data.columns)
            raise KeyError(f"{argument} has no column {name!r}; its columns are: {present}.")
        if found > 1:
            raise ValueError(
                f"{argument} has {found} columns named {name!r}; rename them so that each name "
                "stands once."
            )


def kind(argument, data, name):
    """Return what a column holds: 'numbers', 'text', 'dates', …, or None when all is missing.

    A category counts as whatever its levels are. A column that mixes kinds is an error: nobody
    could say whether its 1 equals its "1".

    >>> kind("confidential", pd.DataFrame({"Age": [31, 58]}), "Age")
    'numbers'
    """
    column = data[name]
    if column.isna().all():
        return None
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.cat.categories
    inferred = pd.api.types.infer_dtype(column, skipna=True)
    if inferred in ("mixed", "mixed-integer"):
        raise TypeError(
            f"column {name!r} of {argument} mixes different kinds of values, or holds a kind that "
            "cannot be compared; convert it to one kind, for example with .astype(str)."
        )
    if inferred.startswith("datetime") and getattr(column.dropna().array[0], "tzinfo", None):
        return "times with a time zone"
    return _KINDS.get(inferred, f"{inferred} values")


_KINDS = {
    "integer": "numbers",
    "floating": "numbers",
    "mixed-integer-float": "numbers",
    "decimal": "numbers",
    "boolean": "numbers",
    "complex": "complex numbers",
    "string": "text",
    "datetime64": "times",
    "datetime": "times",
    "date": "dates",
    "empty": None,
}


def same_kind(confidential, synthetic, name, argument="synthetic"):
    """Both columns hold the same kind of values: text never equals a number."""
    ours, theirs = kind("confidential", confidential, name), kind(argument, synthetic, name)
    if ours is not None and theirs is not None and ours != theirs:
        raise TypeError(
            f"column {name!r} holds {ours} in confidential and {theirs} in {argument}; convert "
            "one of them, for example with .astype(), so that values can be equal."
        )


def is_numeric(column):
    """Say whether a column holds quantities: numbers, but not codes (category) or yes/no (bool).

    >>> is_numeric(pd.Series([1, 2])), is_numeric(pd.Series([1, 2], dtype="category"))
    (True, False)
    """
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype) or pd.api.types.is_bool_dtype(dtype):
        return False
    if pd.api.types.is_object_dtype(dtype):
        quantities = ("integer", "floating", "mixed-integer-float", "decimal")
        return pd.api.types.infer_dtype(column, skipna=True) in quantities
    return pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_complex_dtype(dtype)


def numeric_names(variables, data_sets):
    """Return those of the variables that hold quantities in every data set."""
    return [name for name in variables if all(is_numeric(data[name]) for data in data_sets)]


def radii(radius, variables, numeric):
    """Return the radius as a mapping variable → r.

    None means no radius at all; one number stands for every numeric variable; a mapping is taken
    as it is. Each r must be a finite number, 0 or more.

    >>> radii(0.1, ["Sex", "Income"], ["Income"])
    {'Income': 0.1}
    """
    if radius is None:
        return {}
    if not isinstance(radius, Mapping):
        return dict.fromkeys(numeric, radius_value("radius", radius))
    for name in radius:
        if name not in variables:
            listed = ", ".join(str(variable) for variable in variables)
            raise KeyError(
                f"radius names {name!r}, which is not among the matched variables: {listed}."
            )
        if name not in numeric:
            raise TypeError(
                f"radius names {name!r}, which is not numeric in both frames; only numbers have "
                "a radius, so leave it out or convert the column."
            )
    return {name: radius_value(f"radius[{name!r}]", r) for name, r in radius.items()}


def radius_value(argument, r):
    """Return r as a float if it is a finite number, 0 or more."""
    if isinstance(r, bool | np.bool_) or not isinstance(r, Real):
        allowed = "a number or a mapping from variables to numbers"
        allowed = allowed if argument == "radius" else "a number such as 0.1"
        raise TypeError(f"{argument} must be {allowed}, not {_type(r)}.")
    try:
        number = float(r)
    except OverflowError:  # a whole number beyond every float
        number = math.inf
    if not 0 <= number < math.inf:
        raise ValueError(f"{argument} must be a finite number, 0 or more, not {number}.")
    return number


def has_radius(variable, ranged):
    """Return where `variable` stands among the variables that have a radius."""
    if variable not in ranged:
        listed = ", ".join(map(str, ranged)) or "none"
        raise KeyError(f"{variable!r} has no radius in this match; those that have one: {listed}.")
    return ranged.index(variable)


def finite(argument, data, name):
    """A variable with a radius holds no infinite number: nothing is near infinity."""
    try:
        infinite = np.isinf(data[name].to_numpy(dtype=float, na_value=np.nan)).any()
    except OverflowError:  # a whole number beyond every float
        infinite = True
    if infinite:
        raise ValueError(
            f"column {name!r} of {argument} holds an infinite value; make it missing or remove "
            "the row before matching with a radius."
        )


def position(argument, value, n):
    """Return a 0-based position as int if record `value` exists."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral):
        raise TypeError(
            f"{argument} must be a whole number, the 0-based position of a record, not "
            f"{_type(value)}."
        )
    if not 0 <= value < n:
        raise IndexError(
            f"{argument} is {value}, but there are {n} records: positions run from 0 to {n - 1}."
        )
    return int(value)


def positions(argument, values, n):
    """Return 0-based positions as an array: at least one, each of them once.

    >>> positions("targets", [0, 2], 3)
    array([0, 2])
    """
    if not _is_list(values):
        raise TypeError(f"{argument} must be a list of 0-based positions, not {_type(values)}.")
    listed = [position(argument, value, n) for value in values]
    if not listed:
        raise ValueError(f"{argument} is empty; name at least one record.")
    if len(set(listed)) < len(listed):
        raise ValueError(f"{argument} names a record more than once; name each target once.")
    return np.array(listed)


def radius_grid(value, vary, synthesized, data_sets):
    """Return the grid of a sweep as a mapping: column of the result → (variables, radii)."""
    if isinstance(value, Mapping):
        if vary is not None:
            raise ValueError(
                "vary goes with a plain list of radii; a mapping already says which variables vary."
            )
        if len(value) != 2:
            raise ValueError(
                f"radii as a mapping needs exactly two variables, not {len(value)}; for one, "
                "pass a list and name the variable in vary."
            )
        return {
            f"radius_{name}": ([name], _radius_list(f"radii[{name!r}]", grid))
            for name, grid in value.items()
        }
    variables = numeric_names(synthesized, data_sets) if vary is None else names("vary", vary)
    if not variables:
        why = "no synthesized variable is numeric" if vary is None else "vary is empty"
        raise ValueError(f"{why}, so no radius can vary; name numeric variables in vary.")
    return {"radius": (variables, _radius_list("radii", value))}


def _radius_list(argument, value):
    if not _is_list(value):
        raise TypeError(f"{argument} must be a list of radii, such as [0.01, 0.1].")
    listed = [radius_value(f"each entry of {argument}", r) for r in value]
    if not listed:
        raise ValueError(f"{argument} is empty; give at least one radius.")
    return listed


def fixed_radii(fixed, grid):
    """Return the radii that stay put during a sweep; none of them may vary at the same time."""
    if fixed is None:
        return {}
    if not isinstance(fixed, Mapping):
        raise TypeError(f"fixed must be a mapping such as {{'Age': 0.1}}, not {_type(fixed)}.")
    for name in fixed:
        if any(name in variables for variables, _ in grid.values()):
            raise ValueError(f"{name!r} is both fixed and varied; leave it in one of the two.")
    return dict(fixed)


def sweep(value):
    """Return the radius columns of a frame that `radius_sweep` made."""
    risk = "expected_match_risk"
    if not isinstance(value, pd.DataFrame) or risk not in value.columns:
        raise TypeError("sweep must be the frame that radius_sweep returns.")
    if not is_numeric(value[risk]) or value[risk].isna().any():
        raise ValueError(f"{risk} of sweep is missing or no number; make it with radius_sweep.")
    found = [name for name in value.columns if str(name).split("_")[0] == "radius"]
    if not found or len(value) == 0:
        raise ValueError("sweep has no row or no radius column; make it with radius_sweep.")
    return found


def share(argument, value):
    """Return a share as a float between 0 and 1."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real) or not 0 <= value <= 1:
        raise ValueError(f"{argument} must be a number from 0 to 1, not {value!r}.")
    return float(value)


def flag(argument, value):
    """Return a switch as a bool."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{argument} must be True or False, not {value!r}.")
    return bool(value)


def _is_list(value):
    """Say whether `value` lists things, rather than being one text, mapping, frame or number."""
    single = str | bytes | Mapping | pd.DataFrame
    several = isinstance(value, Iterable) and not isinstance(value, single)
    return several and getattr(value, "ndim", 1) > 0  # a NumPy number can be an array without sides


def _type(value):
    """Say what `value` is, as a reader would: 'a list', 'None', 'an int'."""
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
