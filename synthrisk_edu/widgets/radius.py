"""Panels of lesson 02: a range around a number, the sweep over the radius, and the surface."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.data import plain_names
from synthrisk_edu.matching import Match, floor, match
from synthrisk_edu.plots import radius as pictures
from synthrisk_edu.progress import track
from synthrisk_edu.sweep import maximizing_radius, radius_sweep
from synthrisk_edu.widgets.controls import (
    choice,
    percent_slider,
    picker,
    play_button,
    radius_slider,
    slider,
)
from synthrisk_edu.widgets.panel import SLOW, Panel

SAME = [("any", False), ("same", True)]  # of a category
STEP = 2  # per cent, from one radius of the sweep panel to the next


def interval_panel(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    variable: str,
    *,
    limits: tuple | None = None,
    target: int = 0,
) -> Panel:
    """Build panel 02 (a), of one variable: a target, a radius, and the range around it.

    A relative r is in per cent, an absolute one in the unit of the picture. `limits` are the ends
    of the axis, in this unit; by default all values fit.
    """
    files = _files_with_numbers(confidential, synthetic, [variable])
    unit = pictures.unit_of(*files, variables=[variable])
    whole = pictures.limits_of(*files, variable=variable, unit=unit)
    limits = whole if limits is None else limits
    found = {}
    for rule in (True, False):
        found[rule] = match(
            confidential, synthetic, known=[], synthesized=[variable], radius=0, relative=rule
        )

    def compute(target, r, relative):
        radius = r / 100 if relative else r * unit
        now = found[relative].at(radius)
        return SimpleNamespace(match=now, target=target, matches=now.matches(target))

    absolute = "absolute" if unit == 1 else "absolute, in thousands"
    rules = [("relative, in %", True), (absolute, False)]
    controls = {
        "target": picker("target", len(confidential), target),
        "r": slider("radius r", 0, 60, 20),
        "relative": choice("r is", rules),
    }
    _grey_around_zero(
        controls["r"], confidential[variable], controls["target"], controls["relative"]
    )
    axis = pictures.axis_name(variable, confidential, unit)
    return Panel(pictures.interval_picture, controls, compute, variable, axis, limits, unit)


def box_panel(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    x: str,
    y: str,
    category: str,
    *,
    limits: tuple | None = None,
    target: int = 0,
) -> Panel:
    """Build panel 02 (b), of two variables: box or ellipse, with a category to filter.

    `limits` are those of x and of y, in the unit of the picture; by default all values fit.
    """
    files = _files_with_numbers(confidential, synthetic, [x, y])
    unit = pictures.unit_of(*files, variables=[x, y])
    whole = [pictures.limits_of(*files, variable=v, unit=unit) for v in (x, y)]
    limits = whole if limits is None else limits
    for label, data in {"confidential": confidential, "synthetic": synthetic}.items():
        checks.frame(label, data, [category])
    plain = plain_names([x, y, category], confidential)

    def compute(target, percent_x, percent_y, shape, same):
        radius = {x: percent_x / 100, y: percent_y / 100}
        known = [category] if same else []
        found = match(
            confidential, synthetic, known=known, synthesized=[x, y], radius=radius, shape=shape
        )
        return SimpleNamespace(match=found, target=target, matches=found.matches(target))

    controls = {
        "target": picker("target", len(confidential), target),
        "percent_x": percent_slider(f"r of {plain[x]}", 0, 60, 30),
        "percent_y": percent_slider(f"r of {plain[y]}", 0, 60, 30),
        "shape": choice("shape", ["box", "ellipse"]),
        "same": choice(plain[category], SAME),
    }
    _grey_around_zero(controls["percent_x"], confidential[x], controls["target"])
    _grey_around_zero(controls["percent_y"], confidential[y], controls["target"])
    axes = [pictures.axis_name(name, confidential, unit) for name in (x, y)]
    return Panel(pictures.box_picture, controls, compute, (x, y), axes, limits, unit)


def _grey_around_zero(radius, values, target, relative=None):
    """Grey the control of a radius in per cent around 0, or nothing: there it has no width."""

    def grey(_change=None):
        is_share = relative is None or relative.value
        has_width = abs(values.iloc[target.value]) > 0
        radius.disabled = bool(is_share and not has_width)

    target.observe(grey, names="value")
    if relative is not None:
        relative.observe(grey, names="value")
    grey()


def _files_with_numbers(confidential, synthetic, names):
    """Return both files, which have these columns, with numbers in them."""
    for label, data in {"confidential": confidential, "synthetic": synthetic}.items():
        checks.frame(label, data, names)
        checks.quantities(label, data, names)
    return confidential, synthetic


def _at_every_radius(confidential, synthetic, known, synthesized, radii, fixed):
    """Return c, T and risk of every record at every radius: an array radius × record × column."""
    found = match(confidential, synthetic, known, synthesized, fixed)
    files = {"confidential": confidential, "synthetic": synthetic}
    varied = checks.meant_by_one_number(files, list(synthesized), relative=True)
    tables = []
    for r in track(radii, "trying one radius after the other", after=SLOW):
        found = found.at((fixed or {}) | dict.fromkeys(varied, r))
        tables.append(found.records[["c", "T", "risk"]])
    return np.stack(tables)


def _file_path(records, radii):
    """Summarize every radius: the expected match risk, % with T = 1, and their typical c."""
    rows = []
    for c, T, risk in (at_one.T for at_one in records):
        typical = np.median(c[T == 1]) if T.any() else 0
        rows.append({"risk": risk.sum(), "T": 100 * T.mean(), "c": typical})
    return pd.DataFrame(rows, index=radii)


def sweep_panel(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    known: Sequence[str],
    synthesized: Sequence[str],
    *,
    fixed: Mapping[str, float] | None = None,
    target: int = 0,
    most: int = 60,
) -> Panel:
    """Build panel 02 (c), of the sweep: a file's risk against the radius, and why it is so."""
    checks.number("most", most, 10, 100, whole=True)  # in per cent
    radii = [percent / 100 for percent in range(0, most + 1, STEP)]
    records = _at_every_radius(confidential, synthetic, known, synthesized, radii, fixed)
    path = _file_path(records, radii)
    some = sorted({*radii[::3], radii[-1]})  # its curve only falls: a third of the radii will do
    own = radius_sweep(confidential, [confidential], known, synthesized, some, fixed=fixed)
    own_risk = own.set_index("radius").expected_match_risk
    lowest = floor(confidential, known, fixed).summary().expected_match_risk

    def compute(target, percent):
        place = percent // STEP
        record = pd.Series(records[place, target], index=["c", "T", "risk"])
        return SimpleNamespace(path=path, radius=radii[place], target=target, record=record)

    percent = percent_slider("radius r", 0, most, 10, STEP)
    controls = {"target": picker("target", len(confidential), target), "percent": percent}
    stays = path, path.risk.idxmax(), own_risk, lowest
    return Panel(pictures.sweep_picture, controls, compute, *stays, extra=[play_button(percent)])


def surface_panel(
    surface: pd.DataFrame,
    confidential: pd.DataFrame,
    floor: Match,
    *,
    start: Mapping[str, float] | None = None,
) -> Panel:
    """Build panel 02 (d), of the surface.

    `surface` and `confidential` are sweeps of both files over two variables, `floor` is a Match.
    `start` has the two radii to begin with, by name; by default the maximizing ones.
    """
    best = maximizing_radius(surface)
    start = best if start is None else start
    names, plain = list(best), plain_names(best, surface)
    grids = [sorted(surface[f"radius_{name}"].unique()) for name in names]
    top = pictures.three_risks(best, surface, confidential, floor)["synthetic"]

    def compute(first, second):
        now = {names[0]: first, names[1]: second}
        risks = pictures.three_risks(now, surface, confidential, floor)
        return SimpleNamespace(now=now, risks=risks, best=best, top=top, plain=plain)

    controls = {
        "first": radius_slider(f"radius of {plain[names[0]]}", grids[0]),
        "second": radius_slider(f"radius of {plain[names[1]]}", grids[1]),
    }
    for control, name in zip(controls.values(), names, strict=True):
        control.value = start[name]
    risk = pictures.risk_table(surface, names)
    most = confidential.expected_match_risk.max()
    return Panel(pictures.surface_picture, controls, compute, risk, best, plain, most)
