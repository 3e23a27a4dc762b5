"""Checks of the synthesis and utility rooms."""

from collections.abc import Iterable, Mapping
from math import isinf
from numbers import Integral, Real

import numpy as np
import pandas as pd

from synthrisk_edu.checks.matching import columns, frame, is_numeric, names, same_kind


def to_synthesize(data, variables):
    """Return the names of the variables to synthesize: there, and with something to draw."""
    listed = names("variables", variables)
    if not listed:
        raise ValueError("variables is empty; name at least one variable to synthesize.")
    columns("data", data, listed)
    for name in listed:
        if data[name].isna().all():
            raise ValueError(
                f"column {name!r} has no value at all, so none can be drawn; leave it out of "
                "variables."
            )
        if data[name].nunique(dropna=False) == 1:
            raise ValueError(
                f"column {name!r} has the same value in every row, so there is nothing to "
                "synthesize; leave it out of variables."
            )
    return listed


LARGEST = 1e38  # the trees compute in single precision, which ends here


def bounded(argument, data, names):
    """No number of these columns is infinite, or so large that no model can compute with it."""
    for name in names:
        if not is_numeric(data[name]):
            continue
        try:
            beyond = np.abs(data[name].to_numpy(dtype=float, na_value=np.nan)) > LARGEST
        except OverflowError:  # a whole number beyond every float
            beyond = np.array([True])
        if beyond.any():
            raise ValueError(
                f"column {name!r} of {argument} holds an infinite value or one beyond {LARGEST:g}; "
                "make it missing or remove the row."
            )


def generator(seed):
    """Return the source of randomness that a seed stands for."""
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError) as error:
        raise type(error)(f"seed must be None or a whole number from 0, not {seed!r}.") from None


def unique_columns(data):
    """Every name stands once among the columns."""
    columns("data", data, data.columns[data.columns.duplicated()])


def special_codes(column, name, codes):
    """Return the special codes of a variable: numbers, if the column holds numbers."""
    if isinstance(codes, str | Mapping) or not isinstance(codes, Iterable):
        raise TypeError(f"special[{name!r}] must be a list of codes, such as [-8], not {codes!r}.")
    listed = list(codes)
    for one in listed:
        if is_numeric(column) and (isinstance(one, bool) or not isinstance(one, Real)):
            raise TypeError(
                f"special[{name!r}] holds {one!r}, but the column holds numbers; write the code "
                "as a number."
            )
    return listed


def count(argument, value, least=1):
    """Return a whole number that is at least `least`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{argument} must be a whole number, {least} or more, not {value!r}.")
    return int(value)


def weights(value, n):
    """Return one weight per record as an array; without weights every record has weight 1."""
    if value is None:
        return np.ones(n)
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError("weights must be a list of numbers, one for each record.")
    listed = np.asarray(list(value), dtype=object)
    try:
        numbers = listed.astype(float)
    except (TypeError, ValueError):
        raise TypeError("weights must be numbers, one for each record.") from None
    if numbers.ndim > 1:
        raise TypeError("weights must be a list of numbers, one for each record, not a table.")
    if len(numbers) != n:
        raise ValueError(
            f"weights has {len(numbers)} entries and data has {n} rows; give one each."
        )
    if not np.isfinite(numbers).all() or (numbers < 0).any():
        raise ValueError("weights must be finite numbers, 0 or more; one of them is not.")
    if numbers.sum() == 0:
        raise ValueError("weights are all 0, so no record is left to learn from; raise some.")
    return numbers


def mapping(argument, value, allowed):
    """Return a mapping whose keys are among `allowed`; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError(f"{argument} must be a mapping such as {{{allowed[0]!r}: [...]}}.")
    for name in value:
        if name not in allowed:
            raise KeyError(f"{argument} names {name!r}, which is not one of the variables.")
    return dict(value)


def predictors(variable, chosen, usable):
    """Return the predictors of a variable: it may not depend on what is synthesized later."""
    for name in chosen:
        if name not in usable:
            raise ValueError(
                f"{variable!r} cannot be predicted from {name!r}, which is missing from data or "
                "synthesized at the same time or later; choose among the others."
            )
    return chosen


MOST_CODES = 100


def categorical(data):
    """Every column is categorical: a mixture of tables knows no quantities.

    Whole numbers with few different values pass as codes, as a CSV file has them.
    """
    for name in data.columns:
        if not is_numeric(data[name]):
            continue
        values = data[name].dropna().unique()
        if len(values) > MOST_CODES or any(isinf(one) or one != round(one) for one in values):
            raise TypeError(
                f"column {name!r} holds quantities, and this method needs categories; leave the "
                "column out, or cut it into groups first, for example with pandas.cut."
            )


def classes(value, n):
    """Return the number of classes of a mixture: at least 2, and no more than records."""
    value = count("classes", value, 2)
    if value > n:
        raise ValueError(f"classes is {value}, but there are only {n} records; take fewer classes.")
    return value


def complete(argument, data, names):
    """No value of these columns is missing."""
    for name in names:
        if data[name].isna().any():
            raise ValueError(
                f"column {name!r} of {argument} has missing values; drop those rows first, for "
                "example with .dropna()."
            )


def numeric(argument, data, name):
    """A column holds quantities."""
    if not is_numeric(data[name]):
        raise TypeError(f"column {name!r} of {argument} must hold numbers; choose another column.")


def positive(data, name):
    """Every number of a column has a logarithm."""
    low = int((data[name] <= 0).sum())
    if low:
        raise ValueError(
            f"column {name!r} has {low} values that are 0 or negative and have no logarithm; keep "
            "only the rows with positive values, or pass log=False."
        )


def enough_rows(n, parameters):
    """A regression needs more records than coefficients."""
    if n <= parameters:
        raise ValueError(
            f"data has {n} rows for {parameters} coefficients; a regression needs more rows than "
            "coefficients, so name fewer predictors."
        )


def shared_columns(confidential, synthetic, variables):
    """Return the variables to compare: the named ones, or all that both frames have."""
    frame("confidential", confidential)
    frame("synthetic", synthetic)
    if variables is None:
        variables = [name for name in confidential.columns if name in synthetic.columns]
        if not variables:
            raise ValueError("confidential and synthetic have no column in common; rename them.")
    variables = names("variables", variables)
    if not variables:
        raise ValueError("variables is empty; name at least one variable to compare.")
    columns("confidential", confidential, variables)
    columns("synthetic", synthetic, variables)
    for name in variables:
        same_kind(confidential, synthetic, name)
    bounded("confidential", confidential, variables)
    bounded("synthetic", synthetic, variables)
    return variables


def numbers(argument, values, *, least=1, lowest=-np.inf):
    """Return a list of finite numbers, none of them below `lowest`, as an array."""
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise TypeError(f"{argument} must be a list of numbers, not {type(values).__name__}.")
    try:
        listed = pd.Series(list(values))
        if not (is_numeric(listed) or listed.dtype == bool or listed.isna().all()):
            raise TypeError
        array = listed.to_numpy(dtype=float, na_value=np.nan)
    except (TypeError, ValueError):
        raise TypeError(f"{argument} must hold numbers only.") from None
    except OverflowError:  # a whole number beyond every float
        array = np.array([np.inf] * least)
    if len(array) < least:
        raise ValueError(f"{argument} has {len(array)} values and needs at least {least}.")
    if not np.isfinite(array).all():
        raise ValueError(
            f"{argument} holds a missing or infinite value; leave it out before comparing."
        )
    if (array < lowest).any():
        raise ValueError(f"{argument} holds {array.min():g}; none may be below {lowest:g}.")
    return array


def same_number(first_name, first, second_name, second):
    """Two lists belong together entry by entry."""
    if len(first) != len(second):
        raise ValueError(
            f"{first_name} has {len(first)} entries and {second_name} has {len(second)}; give one "
            "of each per data set."
        )


def interval(argument, value):
    """Return an interval as (low, high), with low below high."""
    low_high = numbers(argument, value, least=2)
    if len(low_high) != 2 or not low_high[0] < low_high[1]:
        raise ValueError(f"{argument} must be (low, high) with low below high, not {value!r}.")
    return float(low_high[0]), float(low_high[1])


def pool_size(m, available):
    """Return m if that many data sets can be drawn from a pool."""
    m = count("m", m)
    if m > available:
        raise ValueError(f"m is {m}, but the pool has only {available} data sets; take fewer.")
    return m


def too_many_ways(ways, available):
    """Raise: a table of more variables than there are."""
    raise ValueError(
        f"ways is {ways}, but the frames share only {available} variables; take fewer ways."
    )
