"""Which mistakes get a sentence? Those that people really make.

Public functions call these at their door; what stands behind the door trusts its arguments. Each
check looks at one thing a caller may get wrong. It returns the value, ready for use, or raises one
sentence that names the culprit and says what to do. Nothing is repaired in silence. What nobody
does by mistake is not looked at: it gets Python's own error. A check that one door alone needs
stands beside that door.
"""

from collections.abc import Iterable, Mapping
from math import inf
from numbers import Integral, Real

import numpy as np
import pandas as pd

LONGEST = 60  # characters of a value in a sentence
FEW_VALUES = 20  # a column of so few whole numbers may hold codes …
MANY_ROWS = 100  # … in a file of more rows than this
ROUNDING = 1e-9  # numbers that differ by less, as a share of their size, differ by rounding


# ---------------------------------------------------------------- tables and their columns


def frame(argument, value, wanted=()):
    """Return a data frame that has at least one row, and each of the wanted columns once."""
    if isinstance(value, list | tuple):
        raise TypeError(f"{argument} must be one data frame, not a list; pass one of them.")
    if not isinstance(value, pd.DataFrame):
        raise TypeError(
            f"{argument} must be a pandas DataFrame, not {type_of(value)}; turn it into one with "
            "pandas.DataFrame(...)."
        )
    if len(value) == 0:
        raise ValueError(f"{argument} is an empty frame; it needs at least one row.")
    for name in wanted:
        times = list(value.columns).count(name)
        if times == 0:
            there = shortened(map(str, value.columns))
            raise KeyError(f"{argument} has no column {show(name)}; its columns are: {there}.")
        if times > 1:
            raise ValueError(
                f"{argument} has {times} columns named {show(name)}; rename them so that each name "
                "stands once."
            )
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
    return value


def by_place(argument, data_sets):
    """Return several frames by what the caller calls each: "synthetics[0]", "synthetics[1]", …."""
    return {f"{argument}[{place}]": data for place, data in enumerate(data_sets)}


def same_length(files):
    """All files have as many rows as the first; `files` maps what the caller calls each to it."""
    first = next(iter(files))
    for label, data in files.items():
        if len(data) != len(files[first]):
            raise ValueError(
                f"{first} has {len(files[first])} rows and {label} has {len(data)}; rows pair by "
                "position, so both need the same number."
            )


def same_kind(files, wanted):
    """Return what each wanted column holds; all files have it, and it is the same everywhere.

    Text never equals a number. `files` maps what the caller calls a file to the file.
    """
    for label, data in files.items():
        frame(label, data, wanted)
    kinds = {}
    for name in wanted:
        for label, data in files.items():
            here = kind(label, data[name])
            if here is None:  # all missing: of any kind
                continue
            first, there = kinds.setdefault(name, (label, here))
            if here != there:
                raise TypeError(
                    f"column {show(name)} holds {there} in {first} and {here} in {label}; convert "
                    "one of them, for example with .astype(), so that values can be equal."
                )
    return {name: what for name, (_, what) in kinds.items()}


def pairing(files, known, synthesized):
    """The rows of each further file pair with those of the first, row j with row j.

    A known variable was not synthesized, so it is the same in both files, record by record. Where
    nothing is known, the labels of the rows must not stand in another order.
    """
    kinds = same_kind(files, known + synthesized)
    same_length(files)
    spelt_alike(files, [name for name in synthesized if kinds.get(name) == "text"])
    (first, ours), *others = files.items()
    for label, theirs in others:
        for name in known:
            unchanged(name, ours[name], theirs[name], between=f"{first} and {label}")
        if not known and another_order(ours.index, theirs.index):
            raise ValueError(
                f"{first} and {label} have the same row labels in another order, and rows pair by "
                "position; sort one like the other, or call .reset_index(drop=True) on both if the "
                "rows do pair."
            )


def unchanged(name, ours, theirs, *, between):
    """A known variable is the same in both files, record by record; missing equals missing."""
    if ours.array.equals(theirs.array):  # as it should be, and quickly seen
        return
    ours = ours.astype(object).to_numpy()
    theirs = theirs.astype(object).to_numpy()
    both_missing = pd.isna(ours) & pd.isna(theirs)
    differs = np.flatnonzero(~((ours == theirs) | both_missing).astype(bool))
    if len(differs) == 0:
        return
    row = int(differs[0])
    if all(differ_by_rounding(ours[i], theirs[i]) for i in differs):
        raise ValueError(
            f"column {show(name)} differs by rounding between {between}, first in row {row}; round "
            "both in the same way."
        )
    raise ValueError(
        f"column {show(name)} differs between {between}, first in row {row}: {show(ours[row])} and "
        f"{show(theirs[row])}. Are the rows in the same order? A known variable was not "
        "synthesized; one that was changed belongs in synthesized."
    )


def differ_by_rounding(x, y):
    """Say whether two values are numbers that differ by next to nothing.

    >>> differ_by_rounding(0.3, 0.1 + 0.2), differ_by_rounding(20, 21), differ_by_rounding("a", 1)
    (True, False, False)
    """
    return is_number(x) and is_number(y) and abs(x - y) <= ROUNDING * max(abs(x), abs(y))


def another_order(labels, others):
    """Say whether two files have the same row labels, each of them once, in another order."""
    if labels.equals(others) or not (labels.is_unique and others.is_unique):
        return False
    return bool(others.isin(labels).all())


def spelt_alike(files, names):
    """No text of a further file is one of the first file's, but for blanks or upper case.

    "NO " is not "NO": such a release would seem to hide everybody.
    """
    first = next(iter(files))
    for name in names:
        levels = text_levels(files[first][name])
        plain = {level.strip().casefold(): level for level in levels}
        for label, data in files.items():
            for level in sorted(text_levels(data[name]) - levels):
                meant = plain.get(level.strip().casefold())
                if meant is not None:
                    raise ValueError(
                        f"column {show(name)} has {show(level)} in {label} where {first} has "
                        f"{show(meant)}; write both in the same way, for example with .str.strip()."
                    )


def text_levels(column):
    """Return the different texts of a column; a column of numbers has none.

    >>> sorted(text_levels(pd.Series(["yes", "no", "yes", None])))
    ['no', 'yes']
    """
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.cat.categories
    if pd.api.types.is_numeric_dtype(column.dtype):
        return set()
    return {level for level in column.unique() if isinstance(level, str)}


def shared_columns(argument, value, files):
    """Return the columns to compare: the named ones, or all if every file has the same.

    A column that is in one file only would be left out, and its loss would cost nothing.
    """
    if value is None:
        first, ours = next(iter(files.items()))
        value = list(frame(first, ours).columns)
        for label, data in files.items():
            theirs = list(frame(label, data).columns)
            if not set(value) & set(theirs):
                raise ValueError(f"{' and '.join(files)} have no column in common; rename them.")
            lost(argument, missing_in=label, there=value, here=theirs, has_it=first)
            lost(argument, missing_in=first, there=theirs, here=value, has_it=label)
    value = names(argument, value, "column to compare")
    kinds = same_kind(files, value)
    spelt_alike(files, [name for name in value if kinds.get(name) == "text"])
    return value


def lost(argument, *, missing_in, here, has_it, there):
    """No column of one file is missing in the other."""
    for name in there:
        if name not in here:
            raise KeyError(
                f"{missing_in} has no column {show(name)}, which {has_it} has; add it, or name "
                f"the columns to compare in {argument}=[…]."
            )


def kind(argument, column):
    """Return what a column holds: 'numbers', 'text', …, or None when all of it is missing.

    A category counts as whatever its levels are. A column that mixes kinds is a mistake: nobody
    could say whether its 1 equals its "1".
    """
    name = column.name
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.cat.categories
    if pd.api.types.is_numeric_dtype(column.dtype):  # yes and no too: True is 1
        return "numbers" if column.notna().any() else None
    inferred = pd.api.types.infer_dtype(column, skipna=True)
    if inferred in ("mixed", "mixed-integer"):
        raise TypeError(
            f"column {show(name)} of {argument} mixes different kinds of values; convert it to one "
            "kind, for example with .astype(str)."
        )
    if inferred == "empty" or column.isna().all():
        return None
    if inferred in ("integer", "floating", "mixed-integer-float", "decimal", "boolean"):
        return "numbers"
    return "text" if inferred == "string" else f"{inferred} values"


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


def quantities(argument, data, wanted):
    """These columns hold quantities, and none of them is infinite."""
    for name in wanted:
        if not is_numeric(data[name]):
            raise TypeError(f"column {show(name)} of {argument} must hold numbers; convert it.")
        if np.isinf(data[name].to_numpy(dtype=float, na_value=np.nan)).any():
            raise ValueError(
                f"column {show(name)} of {argument} holds an infinite value; make it missing, or "
                "leave the row out."
            )


def complete(argument, data, wanted):
    """No value of these columns is missing."""
    for name in wanted:
        if data[name].isna().any():
            raise ValueError(
                f"column {show(name)} of {argument} has missing values; drop those rows first, for "
                "example with .dropna()."
            )


def counts(argument, data):
    """Return the column `count` of a frame: how many records stand behind each of its rows."""
    times = frame(argument, data, ["count"])["count"]
    if not is_numeric(times) or not ((times >= 0) & (times % 1 == 0)).all():
        raise ValueError(f"count of {argument} must hold whole numbers, 0 or more.")
    if times.sum() == 0:
        raise ValueError(f"count of {argument} is 0 in every row; it needs at least one record.")
    return times.to_numpy(dtype=float)


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
    chosen = listed(argument, value, f"column names, such as {example}")
    if wanted and not chosen:
        raise ValueError(f"{argument} is empty; name at least one {wanted}.")
    for name in chosen:
        if chosen.count(name) > 1:
            raise ValueError(f"{argument} names {show(name)} more than once; name it once.")
    return chosen


def roles(known, synthesized):
    """Return both lists of names: no variable plays both roles.

    Both may be empty: then there is nothing to match on, and everybody is a candidate.
    """
    known = names("known", known)
    synthesized = names("synthesized", synthesized)
    apart({"known": known, "synthesized": synthesized})
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


def positions(argument, value, n):
    """Return a list of 0-based positions of records, at least one."""
    chosen = listed(argument, value, "0-based positions, such as [0, 5]")
    if not chosen:
        raise ValueError(f"{argument} is empty; name at least one position, such as [0].")
    return [position(argument, place, n) for place in chosen]


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


def weights(value, n):
    """Return one weight per record as an array; without weights every record has weight 1."""
    if value is None:
        return np.ones(n)
    each = numbers("weights", value, n)
    if not (np.isfinite(each) & (each >= 0)).all() or each.sum() == 0:
        raise ValueError("weights must be finite numbers, 0 or more, and not all of them 0.")
    return each


def radii(radius, files, known, synthesized, relative=True):
    """Return the radius as a mapping variable → r.

    None means no radius at all. One number stands for every synthesized number; where nothing is
    synthesized, for every known one. A mapping is taken as it is.

    >>> data = pd.DataFrame({"Age": [20, 30], "Income": [1.5, 2.5]})
    >>> radii(0.1, {"data": data}, ["Age"], ["Income"])
    {'Income': 0.1}
    """
    if radius is None:
        return {}
    if isinstance(radius, Mapping):
        radius = mapping("radius", radius, known + synthesized)
        numeric = numeric_names(radius, files.values())
        for name, r in radius.items():
            radius_value(f"radius[{show(name)}]", r, relative)
            if name not in numeric:
                raise TypeError(
                    f"radius names {show(name)}, which is not numeric in both frames; only numbers "
                    "have a radius, so leave it out or convert the column."
                )
    else:
        radius_value("radius", radius, relative)
        meant = meant_by_one_number(files, synthesized or known, relative)
        radius = dict.fromkeys(meant, radius)
    for label, data in files.items():
        quantities(label, data, radius)
    return radius


def meant_by_one_number(files, variables, relative):
    """Return the variables that one radius stands for: the quantities, and codes are none."""
    numeric = numeric_names(variables, files.values())
    data = next(iter(files.values()))
    if not numeric:
        why = shortened([why_no_quantity(files, name) for name in variables])
        raise TypeError(
            f"radius touches no synthesized variable: {why}; only numbers have a radius, so "
            "convert the column, or leave radius out."
        )
    for name in numeric:
        if relative and may_be_codes(data[name]):
            raise ValueError(
                f"{show(name)} has {data[name].nunique()} different whole numbers: if they are "
                "codes, make it a category, with .astype('category'); if they are quantities, "
                f"name its radius in a mapping, such as {{{show(name)}: 0.1}}."
            )
    return numeric


def why_no_quantity(files, name):
    """Say what a column holds in place of quantities, in the first file where it does."""
    label, data = next((label, data) for label, data in files.items() if not is_numeric(data[name]))
    if isinstance(data[name].dtype, pd.CategoricalDtype):
        return f"{name} is a category in {label}"
    return f"{name} holds {kind(label, data[name])} in {label}"


def may_be_codes(column):
    """Say whether a column of a large file holds few different numbers, all of them whole.

    >>> may_be_codes(pd.Series([1, 2] * 100)), may_be_codes(pd.Series([1, 2]))
    (True, False)
    """
    if len(column) <= MANY_ROWS or column.head(MANY_ROWS).nunique() > FEW_VALUES:
        return False
    different = column.dropna().unique()
    return 1 < len(different) <= FEW_VALUES and bool((different % 1 == 0).all())


def radius_value(argument, r, relative=True):
    """Return r if it is a usable radius: a number, 0 or more, and no per cent."""
    if isinstance(r, str):
        raise ValueError(f"{argument} is {show(r)}; write a share: 0.2 for 20 %.")
    if relative and is_number(r) and r > 1:
        raise ValueError(f"{argument} is {show(r)}; write a share: {r / 100:g} for {r:g} %.")
    return number(argument, r, 0)


# --------------------------------------------------------------------------- synthesis

MOST_CODES = 100  # a column of numbers with more different values holds quantities


def categories(argument, data, wanted):
    """These columns hold categories; whole numbers with few different values pass as codes."""
    same_kind({argument: data}, wanted)
    coded = numeric_names(wanted, [data])
    quantities(argument, data, coded)
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
