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
from synthrisk_edu.widgets.panel import (
    SLOW,
    Panel,
    choice,
    percent_slider,
    picker,
    play_button,
    radius_slider,
    slider,
)

DOT = "read dot number"  # counted from the left
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

    `dot` puts a ring around one record, counted from the left (0: none), and reads it aloud. A
    relative r is in per cent, an absolute one in the unit of the picture. `limits` are the ends
    of the axis, in this unit; by default all values fit.
    """
    files = _files_with_numbers(confidential, synthetic, [variable])
    unit = pictures.unit_of(*files, variables=[variable])
    whole = pictures.limits_of(*files, variable=variable, unit=unit)
    limits = whole if limits is None else limits
    found = {rule: match(*files, [], [variable], radius=0, relative=rule) for rule in (True, False)}
    dots = [None, *pictures.dots_from_the_left(synthetic, [variable])]

    def compute(target, r, relative, dot=0):
        radius = r / 100 if relative else r * unit
        now = {"match": found[relative].at(radius), "target": target, "dot": dots[dot]}
        return SimpleNamespace(**now, variable=variable, unit=unit)

    rules = [("relative, in %", True), (f"absolute{f', in {unit:,}' if unit > 1 else ''}", False)]
    controls = {
        "target": picker("target", len(confidential), target),
        "r": slider("radius r", 0, 60, 20),
        "dot": slider(DOT, 0, len(dots) - 1, 0),
        "relative": choice("r is", rules),
    }
    return Panel(pictures.INTERVAL, controls, compute, variable, limits, unit)


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

    `limits` are those of x and of y, in the unit of the picture; by default all values fit. `dot`
    as in `interval_panel`.
    """
    files = _files_with_numbers(confidential, synthetic, [x, y])
    unit = pictures.unit_of(*files, variables=[x, y])
    whole = [pictures.limits_of(*files, variable=v, unit=unit) for v in (x, y)]
    limits = whole if limits is None else limits
    for label, data in {"confidential": confidential, "synthetic": synthetic}.items():
        checks.frame(label, data, [category])
    plain = plain_names([x, y, category], confidential)
    dots = [None, *pictures.dots_from_the_left(synthetic, [x, y])]

    def compute(target, percent_x, percent_y, shape, same, dot=0):
        radius = {x: percent_x / 100, y: percent_y / 100}
        found = match(*files, [category] if same else [], [x, y], radius, shape=shape)
        return SimpleNamespace(match=found, target=target, x=x, y=y, unit=unit, dot=dots[dot])

    controls = {
        "target": picker("target", len(confidential), target),
        "percent_x": percent_slider(f"r of {plain[x]}", 0, 60, 30),
        "percent_y": percent_slider(f"r of {plain[y]}", 0, 60, 30),
        "shape": choice("shape", ["box", "ellipse"]),
        "same": choice(plain[category], SAME),
        "dot": slider(DOT, 0, len(dots) - 1, 0),
    }
    return Panel(pictures.BOX, controls, compute, x, y, limits, unit)


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
    """Build panel 02 (c), of the sweep: file-level and record-level risk against the radius."""
    checks.number("most", most, 10, 100, whole=True)  # in per cent
    radii = [percent / 100 for percent in range(0, most + 1, STEP)]
    records = _at_every_radius(confidential, synthetic, known, synthesized, radii, fixed)
    path = _file_path(records, radii)
    most_c = records[-1, :, 0].max()
    question = known, synthesized, radii[::3]  # of the confidential file: its curve only falls
    baseline_sweep = radius_sweep(confidential, [confidential], *question, fixed=fixed)
    lowest = floor(confidential, known, fixed)

    def compute(target, percent):
        record = pd.DataFrame(records[:, target], columns=["c", "T", "risk"], index=radii)
        now = {"record": record, "target": target, "now": radii[percent // STEP]}
        return SimpleNamespace(path=path, floor=lowest, **now)

    percent = percent_slider("radius r", 0, most, 10, STEP)
    controls = {"target": picker("target", len(confidential), target), "percent": percent}
    stays = path, most_c, baseline_sweep, lowest
    return Panel(pictures.GROWING, controls, compute, *stays, extra=[play_button(percent)])


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
        place: radius_slider(f"radius of {plain[name]}", grid)
        for place, name, grid in zip(("first", "second"), names, grids, strict=True)
    }
    for control, name in zip(controls.values(), names, strict=True):
        control.value = start[name]
    return Panel(pictures.SURFACE, controls, compute, surface, names, confidential)
