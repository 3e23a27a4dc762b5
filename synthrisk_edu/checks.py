"""Which mistakes get a sentence? Those that people really make.

Each check looks at one thing a caller may get wrong. It returns the value, ready for use, or raises
one sentence that names the culprit and says what to do. Nothing is repaired in silence. What nobody
does by mistake is not looked at: it gets Python's own error.
"""

from collections.abc import Iterable, Mapping
from math import inf
from numbers import Integral, Real

import numpy as np
import pandas as pd

LONGEST = 60  # characters of a value in a sentence
PER_CENT = 2  # a relative radius above this was meant in per cent


# ---------------------------------------------------------------- tables and their columns


def frame(argument, value):
    """Return a data frame that has at least one row."""
    if isinstance(value, list | tuple):
        raise TypeError(f"{argument} must be one data frame, not a list; pass one of them.")
    if not isinstance(value, pd.DataFrame):
        raise TypeError(
            f"{argument} must be a pandas DataFrame, not {type_of(value)}; turn it into one with "
            "pandas.DataFrame(...)."
        )
    if len(value) == 0:
        raise ValueError(f"{argument} is an empty frame; it needs at least one row.")
    return value


def frames(argument, value):
    """Return a list of data frames: the m synthetic data sets."""
    if isinstance(value, pd.DataFrame):
        raise TypeError(
            f"{argument} must be a list of data frames; put the single frame into brackets: "
            f"[{argument.removesuffix('s')}]."
        )
    value = listed(argument, value, "data frames")
    if not value:
        raise ValueError(f"{argument} is an empty list; it needs at least one data frame.")
    return [frame(f"{argument}[{place}]", one) for place, one in enumerate(value)]


def columns(argument, data, wanted):
    """Every wanted column is in the frame, exactly once."""
    frame(argument, data)
    for name in wanted:
        times = list(data.columns).count(name)
        if times == 0:
            there = shortened(map(str, data.columns))
            raise KeyError(f"{argument} has no column {show(name)}; its columns are: {there}.")
        if times > 1:
            raise ValueError(
                f"{argument} has {times} columns named {show(name)}; rename them so that each name "
                "stands once."
            )


def same_length(files):
    """Two files have the same number of rows; `files` maps what the caller calls each to it."""
    (first, ours), (second, theirs) = files.items()
    if len(ours) != len(theirs):
        raise ValueError(
            f"{first} has {len(ours)} rows and {second} has {len(theirs)}; rows pair by position, "
            "so both need the same number."
        )


def same_kind(files, wanted):
    """The files have the wanted columns, each of one kind everywhere: text never equals a number.

    `files` maps what the caller calls a file to the file.
    """
    for label, data in files.items():
        columns(label, data, wanted)
    for name in wanted:
        kinds = {label: kind(label, data, name) for label, data in files.items()}
        kinds = {label: one for label, one in kinds.items() if one}  # all missing: of any kind
        for label, one in kinds.items():
            first, ours = next(iter(kinds.items()))
            if one != ours:
                raise TypeError(
                    f"column {show(name)} holds {ours} in {first} and {one} in {label}; convert "
                    "one of them, for example with .astype(), so that values can be equal."
                )


def unchanged(files, known):
    """Known variables are the same in both files, record by record."""
    (first, ours), (second, theirs) = files.items()
    for name in known:
        if ours[name].array.equals(theirs[name].array):  # as it should be, and quickly seen
            continue
        one, other = (data[name].astype(object).reset_index(drop=True) for data in (ours, theirs))
        if not ((one == other) | (one.isna() & other.isna())).all():
            raise ValueError(
                f"column {show(name)} differs between {first} and {second}; name it in "
                "synthesized, because known variables are those that were not synthesized."
            )


def another_file(alone, found):
    """The control holds other people: not nearly all that stand only once in the file."""
    if alone and found >= 0.9 * alone:
        raise ValueError(
            f"{found:,} of the {alone:,} rows that stand only once in the confidential file are in "
            "the control too: it is the same file. A control holds people who did not take part; "
            "name another file, or leave control out."
        )


def shared_columns(argument, value, files):
    """Return the columns to compare: the named ones, or all that the files share."""
    if value is None:
        first, *others = (frame(label, data).columns for label, data in files.items())
        value = [name for name in first if all(name in other for other in others)]
        if not value:
            raise ValueError(f"{' and '.join(files)} have no column in common; rename them.")
    value = names(argument, value, "column to compare")
    same_kind(files, value)
    return value


def kind(argument, data, name):
    """Return what a column holds: 'numbers', 'text', …, or None when all of it is missing.

    A category counts as whatever its levels are. A column that mixes kinds is a mistake: nobody
    could say whether its 1 equals its "1".
    """
    column = data[name]
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.cat.categories
    if pd.api.types.is_numeric_dtype(column.dtype):  # yes and no too: True is 1
        return "numbers" if column.notna().any() else None
    found = pd.api.types.infer_dtype(column, skipna=True)
    if found in ("mixed", "mixed-integer"):
        raise TypeError(
            f"column {show(name)} of {argument} mixes different kinds of values; convert it to one "
            "kind, for example with .astype(str)."
        )
    if found == "empty" or column.isna().all():
        return None
    number = found in ("integer", "floating", "mixed-integer-float", "decimal", "boolean")
    return "numbers" if number else "text" if found == "string" else f"{found} values"


def is_numeric(column):
    """Say whether a column holds quantities: numbers, but not codes (category) or yes/no (bool).

    >>> is_numeric(pd.Series([1, 2])), is_numeric(pd.Series([1, 2], dtype="category"))
    (True, False)
    """
    is_number_type = pd.api.types.is_numeric_dtype(column.dtype)
    return is_number_type and not pd.api.types.is_bool_dtype(column.dtype)


def numeric_names(variables, data_sets):
    """Return those of the variables that hold quantities in every data set."""
    return [name for name in variables if all(is_numeric(data[name]) for data in data_sets)]


def numeric(argument, data, wanted):
    """These columns hold quantities, and none of them is infinite."""
    for name in wanted:
        if not is_numeric(data[name]):
            raise TypeError(f"column {show(name)} of {argument} must hold numbers; convert it.")
        if np.isinf(data[name].to_numpy(dtype=float, na_value=np.nan)).any():
            raise ValueError(
                f"column {show(name)} of {argument} holds an infinite value; make it missing, or "
                "leave the row out."
            )


def positive(argument, data, wanted):
    """Every number of these columns has a logarithm."""
    for name in wanted:
        low = int((data[name] <= 0).sum())
        if low:
            raise ValueError(
                f"column {show(name)} of {argument} has {low} values that are 0 or negative and "
                "have no logarithm; keep only the rows with positive values, or pass log=False."
            )


def complete(argument, data, wanted):
    """No value of these columns is missing."""
    for name in wanted:
        if data[name].isna().any():
            raise ValueError(
                f"column {show(name)} of {argument} has missing values; drop those rows first, for "
                "example with .dropna()."
            )


def some_values(argument, data, wanted):
    """No column is missing in every record."""
    for name in wanted:
        if data[name].isna().all():
            raise ValueError(
                f"column {show(name)} of {argument} has no value at all, so nothing can be learnt "
                "from it; leave it out."
            )


def counts(argument, data):
    """Return the column `count` of a frame: how many records stand behind each of its rows."""
    columns(argument, data, ["count"])
    found = data["count"]
    if not is_numeric(found) or not ((found >= 0) & (found % 1 == 0)).all():
        raise ValueError(f"count of {argument} must hold whole numbers, 0 or more.")
    if found.sum() == 0:
        raise ValueError(f"count of {argument} is 0 in every row; it needs at least one record.")
    return found.to_numpy(dtype=float)


# ------------------------------------------------------------------------------- names


def listed(argument, value, what):
    """Return a list of `what`; one text, mapping or frame is no list."""
    single = isinstance(value, str | Mapping | pd.DataFrame)
    if single or not isinstance(value, Iterable):
        raise TypeError(f"{argument} must be a list of {what}, not {type_of(value)}.")
    return list(value)


def names(argument, value, wanted=None):
    """Return a list of different column names; at least one if `wanted` says of what."""
    example = [value] if isinstance(value, str) else ["Age", "Income"]
    found = listed(argument, value, f"column names, such as {example}")
    if wanted and not found:
        raise ValueError(f"{argument} is empty; name at least one {wanted}.")
    for name in found:
        if found.count(name) > 1:
            raise ValueError(f"{argument} names {show(name)} more than once; name it once.")
    return found


def roles(known, synthesized):
    """Return both lists of names: no variable plays both roles, and some variable plays one."""
    known, synthesized = names("known", known), names("synthesized", synthesized)
    apart({"known": known, "synthesized": synthesized})
    if not known and not synthesized:
        raise ValueError(
            "known and synthesized are both empty; name at least one variable to match on."
        )
    return known, synthesized


def apart(lists):
    """No name is in both of two lists; `lists` maps what the caller calls each to it."""
    (first, ours), (second, theirs) = lists.items()
    for name in ours:
        if name in theirs:
            raise ValueError(
                f"{show(name)} is both in {first} and in {second}; leave it in one of the two."
            )


def mapping(argument, value, allowed, what="one of the variables"):
    """Return a mapping whose keys are among `allowed`; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError(f"{argument} must be a mapping by variable, not {type_of(value)}.")
    for name in value:
        if name not in allowed:
            raise KeyError(
                f"{argument} names {show(name)}, which is not {what}: "
                f"{shortened(map(str, allowed))}."
            )
    return dict(value)


def one_of(argument, value, options):
    """Return the value if it is one of the options, else say which ones there are."""
    if value not in options:
        raise ValueError(
            f"{argument} must be one of {', '.join(map(repr, options))}, not {show(value)}."
        )
    return value


def level(variable, levels, wanted):
    """Return the place of a level of a variable, else say which levels there are."""
    for place, one in enumerate(levels):
        if one == wanted and isinstance(one, str) == isinstance(wanted, str):
            return place
    there = shortened(map(repr, levels), most=100)
    raise ValueError(f"{show(variable)} has no level {show(wanted)}; its levels are: {there}.")


# ----------------------------------------------------------------------------- numbers


def is_number(value, whole=False):
    """Say whether a value is one real number; True and False are none.

    >>> is_number(0.5), is_number(0.5, whole=True), is_number(True), is_number("1")
    (True, False, False, False)
    """
    return isinstance(value, Integral if whole else Real) and not isinstance(value, bool | np.bool_)


def number(argument, value, low=-inf, high=inf, *, whole=False):
    """Return a finite number from `low` to `high`.

    >>> number("share", 0.5, 0, 1), number("m", 3, 1, whole=True)
    (0.5, 3)
    """
    if not (is_number(value, whole) and low <= value <= high and abs(value) < inf):
        wanted = "a whole number" if whole else "a number"
        if high < inf:
            wanted += f" from {low:g} to {high:g}"
        elif low > -inf:
            wanted += f", {low:g} or more"
        error = ValueError if is_number(value) else TypeError
        raise error(f"{argument} must be {wanted}, not {show(value)}.")
    return value


def position(argument, value, n, what="record"):
    """Return a 0-based position if there is such a record."""
    if not is_number(value, whole=True):
        raise TypeError(
            f"{argument} must be the 0-based position of a {what}, not {type_of(value)}."
        )
    if not 0 <= value < n:
        raise IndexError(
            f"{argument} is {value}, but there are {n} {what}s: positions run from 0 to {n - 1}."
        )
    return int(value)


def generator(seed):
    """Return the source of randomness that a seed stands for."""
    if seed is not None:
        number("seed", seed, 0, whole=True)
    return np.random.default_rng(seed)


def numbers(argument, value, n=None):
    """Return a list of numbers, n of them if n is given, as an array of floats; missing is NaN.

    >>> numbers("weights", [1, None, 2.5]).tolist()
    [1.0, nan, 2.5]
    """
    column = pd.Series(listed(argument, value, "numbers"))
    if not (pd.api.types.is_numeric_dtype(column.dtype) or column.isna().all()):
        raise TypeError(f"{argument} must hold numbers only.")
    if n is not None and len(column) != n:
        raise ValueError(
            f"{argument} has {len(column)} numbers for {n} records; give one for each."
        )
    return column.to_numpy(dtype=float, na_value=np.nan)


def interval(argument, value):
    """Return an interval as (low, high), with low below high."""
    ends = numbers(argument, value)
    if len(ends) != 2 or not -inf < ends[0] < ends[1] < inf:
        raise ValueError(f"{argument} must be (low, high) with low below high, not {show(value)}.")
    return float(ends[0]), float(ends[1])


def weights(value, n):
    """Return one weight per record as an array; without weights every record has weight 1."""
    if value is None:
        return np.ones(n)
    found = numbers("weights", value, n)
    if not (np.isfinite(found) & (found >= 0)).all() or found.sum() == 0:
        raise ValueError("weights must be finite numbers, 0 or more, and not all of them 0.")
    return found


def radii(radius, variables, numeric, relative=True):
    """Return the radius as a mapping variable → r.

    None means no radius at all; one number stands for every numeric variable; a mapping is taken
    as it is.

    >>> radii(0.1, ["Sex", "Income"], ["Income"])
    {'Income': 0.1}
    """
    if radius is None:
        return {}
    if not isinstance(radius, Mapping):
        radius = dict.fromkeys(numeric, radius_value("radius", radius, relative))
    for name, r in mapping("radius", radius, variables).items():
        radius_value(f"radius[{show(name)}]", r, relative)
        if name not in numeric:
            raise TypeError(
                f"radius names {show(name)}, which is not numeric in both frames; only numbers "
                "have a radius, so leave it out or convert the column."
            )
    return dict(radius)


def radius_value(argument, r, relative=True):
    """Return r if it is a usable radius: a number, 0 or more, and no per cent."""
    if isinstance(r, str) or (relative and is_number(r) and r > PER_CENT):
        raise ValueError(f"{argument} is {show(r)}; write a share: 0.2 for 20 %.")
    return number(argument, r, 0)


# --------------------------------------------------------------------------- synthesis

MOST_CODES = 100  # a column of numbers with more different values holds quantities


def to_synthesize(data, variables):
    """Return the names of the variables to synthesize: each is there, with a value to draw."""
    variables = names("variables", variables, "variable to synthesize")
    same_kind({"data": data}, variables)
    some_values("data", data, variables)
    return variables


def predictors(variable, chosen, usable):
    """Return the predictors of a variable: not itself, nor what is synthesized later."""
    chosen = names("predictors", chosen)
    for name in chosen:
        if name not in usable:
            raise ValueError(
                f"{show(variable)} cannot be predicted from {show(name)}, which is missing from "
                "data or synthesized at the same time or later; choose among the others."
            )
    return chosen


def special_codes(value, data, variables):
    """Return the special codes by variable: lists of numbers where the variable holds numbers."""
    value = mapping("special", value, variables)
    for name, codes in value.items():
        for code in listed(f"special[{show(name)}]", codes, "codes, such as [-8]"):
            if is_numeric(data[name]) and not is_number(code):
                raise TypeError(
                    f"special[{show(name)}] holds {show(code)}, but the column holds numbers; "
                    "write the code as a number."
                )
    return value


def categories(argument, data, wanted):
    """These columns hold categories; whole numbers with few different values pass as codes."""
    same_kind({argument: data}, wanted)
    coded = numeric_names(wanted, [data])
    numeric(argument, data, coded)
    for name in coded:
        found = data[name].dropna().unique()
        if len(found) > MOST_CODES or (found % 1 != 0).any():
            raise TypeError(
                f"column {show(name)} of {argument} holds quantities, and this method needs "
                "categories; leave it out, or cut it into groups first, for example with "
                "pandas.cut."
            )


# -------------------------------------------------------------------- how a sentence says it


def type_of(value):
    """Say what a value is, as a reader would: 'a list', 'None', 'an int'."""
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def show(value):
    """Write a value in a sentence: a short one as it is, a long one by its type.

    >>> show("Age"), show([0] * 1000), show(np.float64(0.5))
    ("'Age'", 'a list', '0.5')
    """
    written = repr(value.item() if isinstance(value, np.generic) else value)
    return written if len(written) <= LONGEST and "\n" not in written else type_of(value)


def shortened(words, most=300):
    """List words up to some length, and say how many there are.

    >>> shortened(["Age", "Income", "Town"], most=14)
    'Age, Income, … (3 in all)'
    """
    words = list(words)
    joined = ", ".join(words)
    if len(joined) <= most:
        return joined
    kept = joined[:most].count(", ") or 1
    return ", ".join(words[:kept]) + f", … ({len(words):,} in all)"
