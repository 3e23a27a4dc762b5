"""Is this input usable? Every error message of the package is written here.

Each function looks at one thing a caller may get wrong. It returns the checked value, or raises
with one sentence that names the culprit and says what to do. Nothing is ever changed or repaired
silently.
"""

from collections.abc import Iterable, Mapping
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
    """Return `value` if it is a data frame with at least one row and unambiguous columns."""
    if not isinstance(value, pd.DataFrame):
        hint = (
            " Pass one frame, or use match_all for several."
            if isinstance(value, list | tuple)
            else " Turn it into one with pandas.DataFrame(...)."
        )
        raise TypeError(f"{argument} must be a pandas DataFrame, not {_type(value)}.{hint}")
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
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise TypeError(f"{argument} must be a list of data frames, not {_type(value)}.")
    listed = list(value)
    if not listed:
        raise ValueError(f"{argument} is an empty list; it needs at least one data frame.")
    return [frame(f"{argument}[{number}]", one) for number, one in enumerate(listed)]


def same_length(confidential, synthetic):
    """Rows pair by position, so both frames need the same number of them."""
    if len(confidential) != len(synthetic):
        raise ValueError(
            f"confidential has {len(confidential)} rows and synthetic has {len(synthetic)}; rows "
            "pair by position, so both need the same number."
        )


def names(argument, value):
    """Return `value` as a list of different column names."""
    if isinstance(value, str) or not isinstance(value, Iterable) or isinstance(value, Mapping):
        raise TypeError(f"{argument} must be a list of column names, such as [{value!r}].")
    listed = list(value)
    for name in listed:
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
    """Return what a column holds: 'number', 'text', 'date', …, or None when all is missing.

    A category counts as whatever its levels are. A column that mixes kinds is an error: nobody
    could say whether its 1 equals its "1".

    >>> kind("confidential", pd.DataFrame({"Age": [31, 58]}), "Age")
    'number'
    """
    column = data[name]
    if column.isna().all():
        return None
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.cat.categories
    inferred = pd.api.types.infer_dtype(column, skipna=True)
    if inferred in ("mixed", "mixed-integer"):
        raise TypeError(
            f"column {name!r} of {argument} mixes different kinds of values; convert it to one "
            "kind, for example with .astype(str)."
        )
    return _KINDS.get(inferred, inferred)


_KINDS = {
    "integer": "number",
    "floating": "number",
    "mixed-integer-float": "number",
    "decimal": "number",
    "boolean": "number",
    "complex": "complex number",
    "string": "text",
    "datetime64": "date",
    "datetime": "date",
    "date": "date",
    "empty": None,
}


def same_kind(confidential, synthetic, name):
    """Both columns hold the same kind of values: text never equals a number."""
    ours, theirs = kind("confidential", confidential, name), kind("synthetic", synthetic, name)
    if ours is not None and theirs is not None and ours != theirs:
        raise TypeError(
            f"column {name!r} holds {ours}s in confidential and {theirs}s in synthetic; convert "
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
        raise TypeError(
            f"{argument} must be a number or a mapping from variables to numbers, not {_type(r)}."
        )
    if not np.isfinite(r) or r < 0:
        raise ValueError(f"{argument} must be a finite number, 0 or more, not {r}.")
    return float(r)


def finite(argument, data, name):
    """A variable with a radius holds no infinite number: nothing is near infinity."""
    values = data[name].to_numpy(dtype=float, na_value=np.nan)
    if np.isinf(values).any():
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
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise TypeError(f"{argument} must be a list of 0-based positions, not {_type(values)}.")
    listed = [position(argument, value, n) for value in values]
    if not listed:
        raise ValueError(f"{argument} is empty; name at least one record.")
    if len(set(listed)) < len(listed):
        raise ValueError(f"{argument} names a record more than once; name each target once.")
    return np.array(listed)


def radius_grid(value, vary, numeric):
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
    variables = list(numeric) if vary is None else names("vary", vary)
    if not variables:
        raise ValueError(
            "no synthesized variable is numeric, so no radius can vary; name the variables in vary."
        )
    return {"radius": (variables, _radius_list("radii", value))}


def _radius_list(argument, value):
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise TypeError(f"{argument} must be a list of radii, such as [0.01, 0.1].")
    listed = [radius_value(f"each entry of {argument}", r) for r in value]
    if not listed:
        raise ValueError(f"{argument} is empty; give at least one radius.")
    return listed


def fixed_radii(fixed, varying):
    """Return the radii that stay put during a sweep; none of them may vary at the same time."""
    if fixed is None:
        return {}
    if not isinstance(fixed, Mapping):
        raise TypeError(f"fixed must be a mapping such as {{'Age': 0.1}}, not {_type(fixed)}.")
    for name in fixed:
        if name in varying:
            raise ValueError(f"{name!r} is both fixed and varied; leave it in one of the two.")
    return dict(fixed)


def sweep(value):
    """Return the radius columns of a frame that `radius_sweep` made."""
    columns_needed = "expected_match_risk"
    if not isinstance(value, pd.DataFrame) or columns_needed not in value.columns:
        raise TypeError("sweep must be the frame that radius_sweep returns.")
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


def _type(value):
    """Say what `value` is, as a reader would: 'a list', 'None', 'a str'."""
    return "None" if value is None else f"a {type(value).__name__}"
