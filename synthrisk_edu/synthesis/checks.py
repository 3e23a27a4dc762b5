"""Checks of synthesis: what can be synthesized, and from what."""

from synthrisk_edu.checks import (
    bounded,
    categorical,
    columns,
    complete,
    count,
    flag,
    frame,
    generator,
    is_numeric,
    mapping,
    names,
    numeric,
    share,
    special_codes,
    unique_columns,
    weights,
)


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


def predictors(variable, chosen, usable):
    """Return the predictors of a variable: it may not depend on what is synthesized later."""
    for name in chosen:
        if name not in usable:
            raise ValueError(
                f"{variable!r} cannot be predicted from {name!r}, which is missing from data or "
                "synthesized at the same time or later; choose among the others."
            )
    return chosen


def classes(value, n):
    """Return the number of classes of a mixture: at least 2, and no more than records."""
    value = count("classes", value, 2)
    if value > n:
        raise ValueError(f"classes is {value}, but there are only {n} records; take fewer classes.")
    return value


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


def both_roles(name):
    """Raise: a variable predicts itself."""
    raise ValueError(f"{name!r} is both a variable and a predictor; leave it in one of the two.")


def as_many(argument, values, variables):
    """One entry for each variable of a chain."""
    if len(values) != len(variables):
        raise ValueError(f"{argument} has {len(values)} entries for {len(variables)} variables.")
