"""Checks of matching: radii, grids of radii, and what a sweep is."""

from collections.abc import Mapping

import pandas as pd

from synthrisk_edu.old_checks import *


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
    among = f"among the matched variables: {', '.join(map(str, variables))}"
    radius = mapping("radius", radius, variables, among)
    for name in radius:
        if name not in numeric:
            raise TypeError(
                f"radius names {name!r}, which is not numeric in both frames; only numbers have "
                "a radius, so leave it out or convert the column."
            )
    return {name: radius_value(f"radius[{name!r}]", r) for name, r in radius.items()}


def radius_value(argument, r):
    """Return r as a float if it is a finite number, 0 or more."""
    if not is_number(r):
        allowed = "a number or a mapping from variables to numbers"
        allowed = allowed if argument == "radius" else "a number such as 0.1"
        raise TypeError(f"{argument} must be {allowed}, not {type_of(r)}.")
    return number(argument, r, 0)


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
    value = listed(argument, value, "radii, such as [0.01, 0.1]")
    if not value:
        raise ValueError(f"{argument} is empty; give at least one radius.")
    return [radius_value(f"each entry of {argument}", r) for r in value]


def fixed_radii(fixed, grid, variables):
    """Return the radii that stay put during a sweep; none of them may vary at the same time."""
    fixed = mapping("fixed", fixed, variables)
    for name in fixed:
        if any(name in varied for varied, _ in grid.values()):
            raise ValueError(f"{name!r} is both fixed and varied; leave it in one of the two.")
    return fixed


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
