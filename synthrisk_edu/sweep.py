"""What if there are several synthetic files, or several radii?

The three summaries are computed per synthetic data set and then averaged; the risk of a single
record is averaged over the data sets too. A sweep repeats that over a grid of radii, because no
radius is right by itself: the one that shows most risk is the one to report.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.matching import BOUNDS, SHAPES, Match


def match_all(
    confidential: pd.DataFrame,
    synthetics: Sequence[pd.DataFrame],
    known: Sequence[str],
    synthesized: Sequence[str],
    radius: float | Mapping[str, float] | None = None,
    *,
    relative: bool = True,
    shape: str = "box",
    bounds: str = "closed",
    fallback: bool = False,
) -> pd.DataFrame:
    """Match with each of m synthetic data sets: one row of the summary per data set.

    Take `.mean()` for the average over the m data sets; it skips an undefined (NaN) false match
    rate. Further arguments as for `match`.

    >>> confidential = pd.DataFrame({"Sex": list("FFMMM"), "Income": [20, 30, 20, 30, 30]})
    >>> match_all(confidential, [confidential, confidential], ["Sex"], ["Income"]).mean()
    expected_match_risk    4.0
    true_match_rate        0.6
    false_match_rate       0.0
    unique_matches         3.0
    dtype: float64
    """
    matches = _match_each(
        confidential,
        synthetics,
        known,
        synthesized,
        radius,
        relative=relative,
        shape=shape,
        bounds=bounds,
        fallback=fallback,
    )
    rows = [matched.summary() for matched in matches]
    return pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1, name="dataset"))


def record_risk(
    confidential: pd.DataFrame,
    synthetics: Sequence[pd.DataFrame],
    known: Sequence[str],
    synthesized: Sequence[str],
    radius: float | Mapping[str, float] | None = None,
    *,
    relative: bool = True,
    shape: str = "box",
    bounds: str = "closed",
    fallback: bool = False,
) -> pd.DataFrame:
    """Return each record's risk T_i/c_i in every synthetic data set, and their mean.

    One column per data set, numbered from 1, and a last column "mean". Further arguments as for
    `match`.

    >>> confidential = pd.DataFrame({"Income": [20, 30]})
    >>> record_risk(confidential, [confidential], [], ["Income"])
         1  mean
    0  1.0   1.0
    1  1.0   1.0
    """
    matches = _match_each(
        confidential,
        synthetics,
        known,
        synthesized,
        radius,
        relative=relative,
        shape=shape,
        bounds=bounds,
        fallback=fallback,
    )
    risks = {dataset: matched.records.risk for dataset, matched in enumerate(matches, start=1)}
    table = pd.DataFrame(risks)
    return table.assign(mean=table.mean(axis=1))


def _match_each(
    confidential, synthetics, known, synthesized, radius, *, relative, shape, bounds, fallback
):
    """Match with each of the data sets; all are checked, once, before the first is matched."""
    known, synthesized = checks.roles(known, synthesized)
    synthetics = checks.frames("synthetics", synthetics)
    files = {"confidential": confidential} | checks.by_place("synthetics", synthetics)
    checks.pairing(files, known, synthesized)
    checks.one_of("shape", shape, SHAPES)
    checks.one_of("bounds", bounds, BOUNDS)
    radius = checks.radii(radius, files, known, synthesized, relative)
    matches = []
    for synthetic in synthetics:
        matched = Match(
            confidential,
            synthetic,
            known=known,
            synthesized=synthesized,
            radius=radius,
            relative=relative,
            shape=shape,
            bounds=bounds,
            fallback=fallback,
        )
        matches.append(matched)
    return matches


def radius_sweep(
    confidential: pd.DataFrame,
    synthetics: Sequence[pd.DataFrame],
    known: Sequence[str],
    synthesized: Sequence[str],
    radii: Sequence[float] | Mapping[str, Sequence[float]],
    *,
    vary: Sequence[str] | None = None,
    fixed: Mapping[str, float] | None = None,
    relative: bool = True,
    shape: str = "box",
    bounds: str = "closed",
    fallback: bool = False,
) -> pd.DataFrame:
    """Match at every radius of a grid with each of the m synthetic data sets.

    `radii` is a list of radii for the variables in `vary` (by default the numeric synthesized
    ones), or a mapping of two variables to lists. `fixed` holds radii that stay put, such as
    {"Age": 0.1}. Further arguments as for `match`.

    One row per radius and data set: `radius` (or two `radius_<variable>`), `dataset`, summary.
    """
    matches = _match_each(
        confidential,
        synthetics,
        known,
        synthesized,
        fixed,
        relative=relative,
        shape=shape,
        bounds=bounds,
        fallback=fallback,
    )
    fixed = matches[0].radius
    axes = _axes(radii, vary, matches)
    rows = []
    for dataset, matched in enumerate(matches, start=1):
        for radius_of_axis in product(*(axis.radii for axis in axes)):
            radius = dict(fixed)
            row = {}
            for axis, r in zip(axes, radius_of_axis, strict=True):
                radius.update(dict.fromkeys(axis.variables, r))
                row[axis.column] = r
            matched = matched.moved_to(radius)
            rows.append(row | {"dataset": dataset} | dict(matched.summary()))
    order = [*(axis.column for axis in axes), "dataset"]
    table = pd.DataFrame(rows).sort_values(order, kind="stable", ignore_index=True)
    table.attrs = confidential.attrs  # so that a panel can name the variables
    return table


class Axis(NamedTuple):
    """One direction of the grid: its column in the table, and the variables that take its radii."""

    column: str
    variables: list[str]
    radii: list[float]


def _axes(radii, vary, matches):
    """Return the directions of the grid: one for a list of radii, two for a mapping."""
    asked = matches[0]
    files = {"confidential": asked.confidential}
    files |= checks.by_place("synthetics", [matched.synthetic for matched in matches])
    if isinstance(radii, Mapping):
        axes = [Axis(f"radius_{name}", [name], values) for name, values in radii.items()]
    elif vary is None:
        numbers = checks.meant_by_one_number(files, asked.synthesized, asked.relative)
        axes = [Axis("radius", numbers, radii)]
    else:
        axes = [Axis("radius", checks.names("vary", vary, "numeric variable"), radii)]
    for axis in axes:
        checks.apart({"fixed": list(asked.radius), "vary": axis.variables})
        values = checks.listed("radii", axis.radii, "radii, such as [0.01, 0.1]")
        if not values:
            raise ValueError("radii is empty; give at least one radius, such as [0.1].")
        for r in values:
            checks.radius_value("a radius", r, asked.relative)
        radius = dict.fromkeys(axis.variables, values[0])
        checks.radii(radius, files, asked.known, asked.synthesized, asked.relative)
    return [axis._replace(radii=list(axis.radii)) for axis in axes]


def maximizing_radius(sweep: pd.DataFrame) -> float | dict[str, float]:
    """Return the radius with the highest expected match risk, averaged over the data sets.

    It is the one to report, because no other radius of the grid shows more risk. On ties the
    smallest radius wins. A sweep over two variables gives a dict variable → radius.

    >>> sweep = pd.DataFrame({"radius": [0.1, 0.2, 0.3], "expected_match_risk": [5.0, 8.0, 8.0]})
    >>> maximizing_radius(sweep)
    0.2
    """
    checks.frame("sweep", sweep, ["expected_match_risk"])
    grid = [name for name in sweep if name.split("_")[0] == "radius"]
    mean = sweep.groupby(grid).expected_match_risk.mean()  # sorted from small to large radii
    best = mean.index[np.isclose(mean, mean.max(), rtol=1e-12, atol=0)][0]
    if len(grid) == 1:
        return float(best)
    names = [name.removeprefix("radius_") for name in grid]
    return {name: float(r) for name, r in zip(names, best, strict=True)}


def at_maximizing_radius(sweeps: pd.DataFrame, by: str) -> pd.DataFrame:
    """Keep the rows of several sweeps that stand at the maximizing radius of their own sweep.

    `by` names the column that tells the sweeps apart. This is how releases are compared fairly.
    """
    checks.frame("sweeps", sweeps, ["radius", by])
    at_best = []
    for _, sweep in sweeps.groupby(by, sort=False):
        at_best.append(sweep[sweep.radius == maximizing_radius(sweep)])
    return pd.concat(at_best)
