"""Checks of synthesis: what can be synthesized, and from what."""

import numpy as np

from synthrisk_edu.old_checks import *


def to_synthesize(data, variables):
    """Return the names of the variables to synthesize: there, and with something to draw."""
    variables = names("variables", variables, "variable to synthesize")
    columns_of_one_kind({"data": data}, variables)
    some_values(data, variables)
    for name in variables:
        if data[name].nunique(dropna=False) == 1:
            raise ValueError(
                f"column {name!r} has the same value in every row, so there is nothing to "
                "synthesize; leave it out of variables."
            )
    return variables


def some_values(data, variables):
    """No column is missing in every record."""
    for name in variables:
        if data[name].isna().all():
            raise ValueError(
                f"column {name!r} has no value at all, so nothing can be learnt or drawn from it; "
                "leave it out."
            )


def predictors(variable, chosen, usable):
    """Return the predictors of a variable: it may not depend on what is synthesized later."""
    for name in chosen:
        if name not in usable:
            raise ValueError(
                f"{variable!r} cannot be predicted from {name!r}, which is missing from data or "
                "synthesized at the same time or later; choose among the others."
            )
    return chosen


def weigh_donors(value):
    """Return which values are drawn by weight: none (False), all (True) or those of "classes"."""
    if isinstance(value, str) and value == "classes":
        return value
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"weigh_donors must be True, False or 'classes', not {show(value)}.")
    return bool(value)


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


MOST_PARAMETERS = 5_000


def few_parameters(name, parameters):
    """A regression has no more coefficients than it can handle."""
    if parameters > MOST_PARAMETERS:
        raise ValueError(
            f"the regression of {name!r} would have {parameters:,} coefficients and can have "
            f"{MOST_PARAMETERS:,}; leave out variables with many levels, such as identifiers, or "
            "group their levels."
        )


def estimates(value, wanted):
    """Return a vector of finite numbers, of the right length, for each variable of a chain."""
    found = listed("estimates", value, "vectors")
    if len(found) != len(wanted):
        raise ValueError(f"estimates has {len(found)} entries for {len(wanted)} variables.")
    for number, (name, length) in enumerate(wanted.items()):
        try:
            found[number] = np.asarray(found[number], dtype=float).ravel()
        except (TypeError, ValueError, OverflowError):
            found[number] = np.empty(0)
        if len(found[number]) != length or not (np.abs(found[number]) <= LARGEST).all():
            raise ValueError(
                f"the estimates of {name!r} must be {length} finite numbers, none beyond "
                f"{LARGEST:g}."
            )
    return found


def seen_before(name, levels, known):
    """Every level of a predictor was there when the chain was fitted."""
    if not known.all():
        unseen = levels[int(np.argmin(known))]
        raise ValueError(
            f"column {name!r} of data has the level {show(unseen)}, which the chain was not fitted "
            "with; fit it on data with that level, or leave those records out."
        )
