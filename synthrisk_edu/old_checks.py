"""Is this a usable number, name or frame? The checks that several rooms share.

Each function looks at one thing a caller may get wrong. It returns the checked value, or raises
with one sentence that names the culprit and says what to do. Nothing is ever changed or repaired
silently. What only one room asks for stands in that room, in its own `checks`.
"""

from collections.abc import Iterable, Mapping, Set
from math import inf
from numbers import Integral, Real

import numpy as np
import pandas as pd
from pandas.api.types import is_hashable, is_scalar


def is_number(value, whole=False):
    """Say whether a value is one real number; True, False and a span of time are none.

    >>> is_number(0.5), is_number(0.5, whole=True), is_number(True), is_number("1")
    (True, False, False, False)
    """
    no_number = bool | np.bool_ | np.timedelta64  # which NumPy calls a whole number
    return isinstance(value, Integral if whole else Real) and not isinstance(value, no_number)


def number(argument, value, low=-inf, high=inf, *, whole=False, inside=False):
    """Return a finite number from `low` to `high`; `inside` leaves out the two ends.

    >>> number("share", 1, 0, 1), number("m", 3, 1, whole=True)
    (1.0, 3)
    """
    most = MACHINE if whole else LARGEST_FLOAT
    usable = is_number(value, whole) and low <= value <= high and abs(value) <= most
    if not usable or (inside and value in (low, high)):
        wanted = "a whole number" if whole else "a finite number" if high == inf else "a number"
        if high < inf:
            wanted += f" between {low:g} and {high:g}" if inside else f" from {low:g} to {high:g}"
        elif low > -inf:
            wanted += f" above {low:g}" if inside else f", {low:g} or more"
        raise ValueError(f"{argument} must be {wanted}, not {show(value)}.")
    return int(value) if whole else float(value)


def count(argument, value, least=1):
    """Return a whole number that is at least `least`."""
    return number(argument, value, least, whole=True)


def row_counts(argument, data, variables=()):
    """Return the column `count` of a frame: how many records stand behind each of its rows."""
    columns(argument, data, ["count"])
    values = np.array([np.nan])
    if is_numeric(data["count"]):
        bounded(argument, data, ["count"])
        values = data["count"].to_numpy(dtype=float, na_value=np.nan)
    if not (np.isfinite(values).all() and (values >= 0).all() and (values % 1 == 0).all()):
        raise ValueError(f"count of {argument} must hold whole numbers, 0 or more.")
    if values.sum() == 0:
        raise ValueError(f"count of {argument} is 0 in every row; it needs at least one record.")
    no_count(variables)
    return values


def no_count(variables):
    """No variable is called `count`: a table of counts needs this name."""
    if "count" in variables:
        raise ValueError("count holds the counts and cannot be one of the variables.")


def flag(argument, value):
    """Return a switch as a bool."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{argument} must be True or False, not {show(value)}.")
    return bool(value)


def one_of(argument, value, options):
    """Return `value` if it is one of `options`, else say which ones there are."""
    options = list(options)
    if not isinstance(value, str) or value not in options:
        known = ", ".join(map(repr, options))
        raise ValueError(f"{argument} must be one of {known}, not {show(value)}.")
    return value


def frame(argument, value):
    """Return `value` if it is a data frame with at least one row."""
    if not isinstance(value, pd.DataFrame):
        remedy = "turn it into one with pandas.DataFrame(...)"
        if isinstance(value, list | tuple):
            remedy = "pass one frame, or use match_all for several synthetic ones"
        raise TypeError(f"{argument} must be a pandas DataFrame, not {type_of(value)}; {remedy}.")
    if len(value) == 0:
        raise ValueError(f"{argument} is an empty frame; it needs at least one row.")
    if any(name is pd.NA for name in value.columns):  # nothing can be compared with it
        name_of_column(argument, pd.NA)
    return value


def usable_frame(argument, value):
    """Return a frame all of whose columns can be named, each name once: it is used as a whole."""
    columns(argument, frame(argument, value), value.columns[value.columns.duplicated()])
    for name in value.columns:
        name_of_column(argument, name)
    return value


def frames(argument, value):
    """Return `value` as a list of data frames: the m synthetic data sets."""
    if isinstance(value, pd.DataFrame):
        raise TypeError(
            f"{argument} must be a list of data frames; put the single frame into brackets: "
            f"[{argument.removesuffix('s')}]."
        )
    found = listed(argument, value, "data frames")
    if not found:
        raise ValueError(f"{argument} is an empty list; it needs at least one data frame.")
    return [frame(f"{argument}[{number}]", one) for number, one in enumerate(found)]


def listed(argument, value, what):
    """Return `value` as a list of `what`; one text, mapping, frame or number is no list."""
    if not is_list(value):
        raise TypeError(f"{argument} must be a list of {what}, not {type_of(value)}.")
    return list(value)


def pair(confidential, synthetic, variables, argument="synthetic", first="confidential"):
    """Both frames are equally long and have every variable, with the same kind of values."""
    if len(confidential) != len(synthetic):
        raise ValueError(
            f"{first} has {len(confidential)} rows and {argument} has {len(synthetic)}; rows pair "
            "by position, so both need the same number."
        )
    columns_of_one_kind({first: confidential, argument: synthetic}, variables)


def names(argument, value, wanted=None):
    """Return `value` as a list of different column names; at least one if `wanted` says of what."""
    example = [value] if isinstance(value, str) and len(value) < LONGEST else ["Age", "Income"]
    found = listed(argument, value, f"column names, such as {example}")
    if wanted and not found:
        raise ValueError(f"{argument} is empty; name at least one {wanted}.")
    # A set comes in another order in every session; what we say about it should not.
    found = sorted(found, key=str) if isinstance(value, set | frozenset) else found
    seen = set()
    for name in found:
        if name_of_column(argument, name) in seen:
            raise ValueError(f"{argument} names {show(name)} more than once; name it once.")
        seen.add(name)
    return found


def name_of_column(argument, name):
    """A column can have this name: text, a number, a date, or a tuple of these."""
    if isinstance(name, bool | np.bool_) or not is_hashable(name) or _is_missing(name):
        raise TypeError(
            f"{argument} holds {show(name)}, which is no column name; rename that column, or list "
            "names only."
        )
    return name


def _is_missing(name):
    return is_scalar(name) and pd.isna(name)


def roles(known, synthesized, *, empty=False):
    """Return both lists of names: no variable plays both roles, and (unless `empty`) some one."""
    known, synthesized = names("known", known), names("synthesized", synthesized)
    for name in known:
        if name in synthesized:
            raise ValueError(
                f"{show(name)} is both known and synthesized; leave it in one of the two lists."
            )
    if not (known or synthesized or empty):
        raise ValueError(
            "known and synthesized are both empty; name at least one variable to match on."
        )
    return known, synthesized


def columns(argument, data, wanted):
    """Every wanted column is in the frame, exactly once."""
    # Nothing equals what is missing, nor does a column have a whole table for a name.
    present = [name for name in frame(argument, data).columns if not _is_missing(name)]
    for name in wanted:
        usable = is_hashable(name) and not _is_missing(name)
        found = sum(bool(column == name) for column in present) if usable else 0
        if found == 0:
            known = shortened([" ".join(str(column).split()) for column in data.columns])
            raise KeyError(f"{argument} has no column {show(name)}; its columns are: {known}.")
        if found > 1:
            raise ValueError(
                f"{argument} has {found} columns named {show(name)}; rename them so that each name "
                "stands once."
            )


def kind(argument, data, name):
    """Return what a column holds: 'numbers', 'text', 'dates', …, or None when all is missing.

    A category counts as whatever its levels are. A column that mixes kinds is an error: nobody
    could say whether its 1 equals its "1".
    """
    column = data[name]
    if column.array[:1].isna().all() and column.isna().all():  # the first value settles it for most
        return None
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.cat.categories
    inferred = pd.api.types.infer_dtype(column, skipna=True)
    if inferred in ("mixed", "mixed-integer"):
        raise TypeError(
            f"column {show(name)} of {argument} mixes different kinds of values, or holds a kind "
            "that cannot be compared; convert it to one kind, for example with .astype(str)."
        )
    if inferred.startswith("datetime") and getattr(column.dropna().array[0], "tzinfo", None):
        return "times with a time zone"
    return _KINDS.get(inferred, f"{inferred} values")


_QUANTITIES = ("integer", "floating", "mixed-integer-float", "decimal")
_KINDS = dict.fromkeys((*_QUANTITIES, "boolean"), "numbers")
_KINDS |= {"complex": "complex numbers", "string": "text", "empty": None}
_KINDS |= {"datetime64": "times", "datetime": "times", "date": "dates"}


def same_kind(files, name):
    """A column holds the same kind of values in all files: text never equals a number.

    `files` maps what the caller calls a file to the file.
    """
    first = ours = None
    for label, data in files.items():
        theirs = kind(label, data, name)
        if ours is None:
            first, ours = label, theirs
        elif theirs not in (None, ours):
            raise TypeError(
                f"column {show(name)} holds {ours} in {first} and {theirs} in {label}; convert one "
                "of them, for example with .astype(), so that values can be equal."
            )


def columns_of_one_kind(files, wanted):
    """All files are frames with the wanted columns, each of one kind everywhere; `same_kind`."""
    for label, data in files.items():
        columns(label, data, wanted)
    for name in wanted:
        same_kind(files, name)


def shared_columns(argument, value, files, besides=()):
    """Return the columns to compare: the named ones, or all that the files share besides some."""
    if value is None:
        first, *others = (frame(label, data) for label, data in files.items())
        shared = [name for name in first.columns if all(name in data.columns for data in others)]
        value = [name for name in shared if name not in besides]
        if not value:
            raise ValueError(f"{' and '.join(files)} have no column in common; rename them.")
    value = names(argument, value, "column to compare")
    columns_of_one_kind(files, value)
    return value


def is_numeric(column):
    """Say whether a column holds quantities: numbers, but not codes (category) or yes/no (bool).

    >>> is_numeric(pd.Series([1, 2])), is_numeric(pd.Series([1, 2], dtype="category"))
    (True, False)
    """
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype) or pd.api.types.is_bool_dtype(dtype):
        return False
    if pd.api.types.is_object_dtype(dtype):
        return pd.api.types.infer_dtype(column, skipna=True) in _QUANTITIES
    return pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_complex_dtype(dtype)


def numeric_names(variables, data_sets):
    """Return those of the variables that hold quantities in every data set."""
    return [name for name in variables if all(is_numeric(data[name]) for data in data_sets)]


def position(argument, value, n, what="record"):
    """Return a 0-based position as int if there is such a record."""
    if not is_number(value, whole=True):
        raise TypeError(
            f"{argument} must be a whole number, the 0-based position of a {what}, not "
            f"{type_of(value)}."
        )
    if not 0 <= value < n:
        raise IndexError(
            f"{argument} is {show(value)}, but there are {n} {what}s: positions run from 0 to "
            f"{n - 1}."
        )
    return int(value)


def positions(argument, values, n):
    """Return 0-based positions as an array: at least one, each of them once."""
    values = listed(argument, values, "0-based positions")
    found = [position(f"each entry of {argument}", value, n) for value in values]
    if not found:
        raise ValueError(f"{argument} is empty; name at least one record.")
    if len(set(found)) < len(found):
        raise ValueError(f"{argument} names a record more than once; name each target once.")
    return np.array(found)


def is_list(value):
    """Say whether `value` lists things, rather than being one text, mapping, frame or number."""
    single = str | bytes | bytearray | memoryview | Mapping | pd.DataFrame
    several = isinstance(value, Iterable) and not isinstance(value, single)
    return several and getattr(value, "ndim", 1) > 0  # a NumPy number can be an array without sides


def type_of(value):
    """Say what `value` is, as a reader would: 'a list', 'None', 'an int'."""
    name = "array" if isinstance(value, np.ndarray) else type(value).__name__
    return "None" if value is None else f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def shortened(names, most=300):
    """List names up to some length, and say how many more there are."""
    joined = ", ".join(names)
    if len(joined) <= most:
        return joined
    kept = joined[:most].count(", ")
    return ", ".join(names[:kept]) + f", … ({len(names):,} in all)"


def show(value):
    """Write a value in a sentence: a short one as it is, a long one by its kind and size.

    >>> show("Age"), show([0] * 1000), show(np.float64(0.5))
    ("'Age'", 'a list of 1,000', '0.5')
    """
    if is_number(value, whole=True) and abs(value) > MACHINE:
        return f"a whole number of about {int(value).bit_length() * 0.30103:,.0f} digits"
    value = value.item() if isinstance(value, np.generic) else value
    shape = getattr(value, "shape", None)
    has_shape = isinstance(shape, tuple)  # as arrays and frames have, and not a matcher's "box"
    written = None if has_shape else repr(value)
    if written is not None and len(written) <= LONGEST and "\n" not in written:
        return written
    if not has_shape:
        shape = [len(value)] if hasattr(value, "__len__") and not isinstance(value, type) else []
    size = " × ".join(f"{length:,}" for length in shape)
    return f"{type_of(value)} of {size}" if size else type_of(value)


LONGEST = 60  # characters of a value in a sentence
LARGEST_FLOAT = 1.7976931348623157e308
MACHINE = 2**63 - 1  # the largest whole number that fits into one of the machine's words
LARGEST = 1e38  # the trees compute in single precision, which ends here


def bounded(argument, data, names, most=LARGEST):
    """No number of these columns is infinite or too large for a model; none mixes kinds."""
    for name in names:
        if not is_numeric(data[name]):
            kind(argument, data, name)
            continue
        try:
            beyond = np.abs(data[name].to_numpy(dtype=float, na_value=np.nan)) > most
        except OverflowError:  # a whole number beyond every float
            beyond = np.array([True])
        if beyond.any():
            raise ValueError(
                f"column {show(name)} of {argument} holds an infinite value or one beyond "
                f"{most:g}; make it missing or remove the row."
            )


def generator(seed):
    """Return the source of randomness that a seed stands for."""
    if seed is not None and not (is_number(seed, whole=True) and seed >= 0):
        kind = ValueError if is_number(seed) else TypeError
        raise kind(f"seed must be None or a whole number from 0, not {show(seed)}.")
    return np.random.default_rng(seed)


def random_source(argument, value):
    """Return a generator of random numbers, which the caller has made."""
    if not isinstance(value, np.random.Generator):
        raise TypeError(
            f"{argument} must be a generator such as numpy.random.default_rng(1), not "
            f"{type_of(value)}."
        )
    return value


def special_codes(column, name, codes):
    """Return the special codes of a variable: numbers, if the column holds numbers."""
    codes = listed(f"special[{show(name)}]", codes, "codes, such as [-8]")
    for one in codes:
        if is_numeric(column) and not is_number(one):
            raise TypeError(
                f"special[{show(name)}] holds {show(one)}, but the column holds numbers; write the "
                "code as a number."
            )
    return codes


def numbers(argument, value, n=None):
    """Return a list of numbers, n if it is given, as an array of floats; missing is NaN.

    >>> numbers("weights", [1, None, 2.5]).tolist()
    [1.0, nan, 2.5]
    """
    if isinstance(value, Set):  # in no order, and each value once
        raise TypeError(f"{argument} must be a list of numbers, not {type_of(value)}.")
    column = pd.Series(listed(argument, value, "numbers"))
    if not (is_numeric(column) or column.dtype == bool or column.isna().all()):
        raise TypeError(f"{argument} must hold numbers only.")
    if n is not None and len(column) != n:
        raise ValueError(
            f"{argument} must hold {n} numbers, one for each record, not {len(column)}."
        )
    if column.empty:
        raise ValueError(f"{argument} is empty; give at least one number.")
    try:
        return column.to_numpy(dtype=float, na_value=np.nan)
    except OverflowError:  # a whole number beyond every float
        return np.full(len(column), inf)


def weights(value, n):
    """Return one weight per record as an array; without weights every record has weight 1."""
    if value is None:
        return np.ones(n)
    found = numbers("weights", value, n)
    if not (np.isfinite(found) & (found >= 0)).all():
        raise ValueError("weights must be finite numbers, 0 or more; one of them is not.")
    if found.max() > LARGEST:
        raise ValueError(f"weights go beyond {LARGEST:g}; divide all of them by the same number.")
    if found.sum() == 0:
        raise ValueError("weights are all 0, so no record is left to learn from; raise some.")
    return found


def mapping(argument, value, allowed, what="one of the variables"):
    """Return a mapping whose keys are among `allowed`; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError(
            f"{argument} must be a mapping from variables to values, not {type_of(value)}."
        )
    for name in value:
        if _is_missing(name) or name not in allowed:
            raise KeyError(f"{argument} names {show(name)}, which is not {what}.")
    return dict(value)


MOST_CODES = 100


def categorical(argument, data):
    """Every column is categorical: a mixture of tables knows no quantities.

    Whole numbers with few different values pass as codes, as a CSV file has them.
    """
    for name in data.columns:
        if not is_numeric(data[name]):
            kind(argument, data, name)
            continue
        codes = data[name].dropna().unique()
        whole = (abs(one) <= LARGEST and one == round(one) for one in codes)
        if len(codes) > MOST_CODES or not all(whole):
            raise TypeError(
                f"column {show(name)} holds quantities, and this method needs categories; leave "
                "the column out, or cut it into groups first, for example with pandas.cut."
            )


def complete(argument, data, names):
    """No value of these columns is missing."""
    for name in names:
        if data[name].isna().any():
            raise ValueError(
                f"column {show(name)} of {argument} has missing values; drop those rows first, for "
                "example with .dropna()."
            )


def numeric(argument, data, name):
    """A column holds quantities."""
    if not is_numeric(data[name]):
        raise TypeError(
            f"column {show(name)} of {argument} must hold numbers; choose another column."
        )


MOST_GROUPS = 10_000


def group_count(data_sets, name, k):
    """Return the number of groups of a numeric variable: at least 2."""
    if not all(is_numeric(data[name]) for data in data_sets):
        raise TypeError(
            f"groups names {show(name)}, which is not numeric; only numbers are grouped."
        )
    for data in data_sets:
        bounded("a file to be grouped", data, [name], LARGEST_FLOAT)
    return number(f"groups[{show(name)}]", k, 2, MOST_GROUPS, whole=True)
