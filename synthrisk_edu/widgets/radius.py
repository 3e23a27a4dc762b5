"""Panels of lesson 02: a range around a number, the sweep over the radius, and the surface."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.data import plain_names
from synthrisk_edu.match import floor, match
from synthrisk_edu.plots import look
from synthrisk_edu.plots import radius as pictures
from synthrisk_edu.progress import track
from synthrisk_edu.sweep import maximizing_radius, radius_sweep
from synthrisk_edu.widgets.matching import ONE
from synthrisk_edu.widgets.panel import (
    SLOW,
    Canvas,
    Panel,
    choice,
    percent_slider,
    picker,
    play_button,
    radius_slider,
    slider,
)
from synthrisk_edu.words import about, say

SAME = [("any", False), ("same", True)]  # of a category
STEP = 2  # per cent, from one radius of the sweep panel to the next


def interval_panel(confidential, synthetic, variable, *, limits=None, target=0):
    """Build panel 02 (a), of one variable: a target, a radius, and the range around it.

    A relative r is in per cent, an absolute one in the unit of the picture. `limits` are the ends
    of the axis, in this unit; by default all values fit.
    """
    files = _files_with_numbers(confidential, synthetic, [variable])
    unit = pictures.unit_of(*files, variables=[variable])
    whole = pictures.limits_of(*files, variable=variable, unit=unit)
    limits = whole if limits is None else limits
    figure = look.figure(3.7, margins=ONE | {"bottom": 0.33})
    found = {rule: match(*files, [], [variable], radius=0, relative=rule) for rule in (True, False)}

    def compute(target, r, relative):
        radius = r / 100 if relative else r * unit
        return SimpleNamespace(match=found[relative].at(radius), target=target, variable=variable)

    rules = [("relative, in %", True), (f"absolute{f', in {unit:,}' if unit > 1 else ''}", False)]
    return Panel(
        {
            "target": picker("target", len(confidential), target),
            "r": slider("radius r", 0, 60, 20),
            "relative": choice("r is", rules),
        },
        compute,
        lambda ax, now: pictures.draw_interval(ax, now.match, now.target, variable, unit),
        say_interval,
        Canvas(*figure, pictures.frame_interval, variable, limits, unit),
    )


def say_interval(now):
    """Read aloud what the target's candidates are, and how wide the search for them was."""
    found, r = now.match, now.match.radius[now.variable]
    whose = f"{say(100 * r)} % of the target's own value" if found.relative else "for every target"
    low, high = found.range(now.target, now.variable)
    return f"{found.explain(now.target)} The half-width R is {about((high - low) / 2)}, {whose}."


def box_panel(confidential, synthetic, x, y, category, *, limits=None, target=0):
    """Build panel 02 (b), of two variables: box or ellipse, with a category to filter.

    `limits` are those of x and of y, in the unit of the picture; by default all values fit.
    """
    files = _files_with_numbers(confidential, synthetic, [x, y])
    unit = pictures.unit_of(*files, variables=[x, y])
    whole = [pictures.limits_of(*files, variable=v, unit=unit) for v in (x, y)]
    limits = whole if limits is None else limits
    figure = look.figure(3.7, margins=ONE | {"left": 0.09, "right": 0.7, "bottom": 0.13})
    plain = plain_names([x, y, category], confidential)

    def compute(target, percent_x, percent_y, shape, same):
        radius = {x: percent_x / 100, y: percent_y / 100}
        found = match(*files, [category] if same else [], [x, y], radius, shape=shape)
        return SimpleNamespace(match=found, target=target)

    return Panel(
        {
            "target": picker("target", len(confidential), target),
            "percent_x": percent_slider(f"r of {plain[x]}", 0, 60, 30),
            "percent_y": percent_slider(f"r of {plain[y]}", 0, 60, 30),
            "shape": choice("shape", ["box", "ellipse"]),
            "same": choice(plain[category], SAME),
        },
        compute,
        lambda ax, now: pictures.draw_box(ax, now.match, now.target, x, y, unit),
        lambda now: now.match.explain(now.target),
        Canvas(*figure, pictures.frame_box, x, y, limits, unit),
    )


def _files_with_numbers(confidential, synthetic, names):
    """Return both files, which have these columns, with numbers in them."""
    for label, data in {"confidential": confidential, "synthetic": synthetic}.items():
        checks.columns(label, data, names)
        checks.numeric(label, data, names)
    return confidential, synthetic


def _at_every_radius(confidential, synthetic, known, synthesized, radii, fixed):
    """Return c, T and risk of every record at every radius: an array radius × record × column."""
    found, tables = match(confidential, synthetic, known, synthesized, fixed), []
    varied = [name for name in synthesized if name in found.numeric]
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


def sweep_panel(confidential, synthetic, known, synthesized, *, fixed=None, target=0, most=60):
    """Build panel 02 (c), of the sweep: file-level and record-level risk against the radius."""
    checks.number("most", most, 10, 100, whole=True)  # in per cent
    radii = [percent / 100 for percent in range(0, most + 1, STEP)]
    records = _at_every_radius(confidential, synthetic, known, synthesized, radii, fixed)
    path = _file_path(records, radii)
    most_c = np.quantile(records[-1, :, 0], 0.9)
    question = known, synthesized, radii[::3]  # of the confidential file: its curve only falls
    baseline_sweep = radius_sweep(confidential, [confidential], *question, fixed=fixed)
    lowest = floor(confidential, known, fixed)
    margins = {"left": 0.07, "right": 0.98, "top": 0.94, "bottom": 0.12, "wspace": 0.14}
    ratios = {"rows": 3, "height_ratios": [2.4, 1, 1], "sharex": True}
    figure = look.figure(3.8, 2, margins=margins | {"hspace": 0.42}, **ratios)

    def compute(target, percent):
        record = pd.DataFrame(records[:, target], columns=["c", "T", "risk"], index=radii)
        now = {"record": record, "target": target, "now": radii[percent // STEP]}
        return SimpleNamespace(path=path, floor=lowest, **now)

    def draw(axes, result):
        pictures.draw_growing(axes, result.path, result.record, result.now)

    percent = percent_slider("radius r", 0, most, 10, STEP)
    controls = {"target": picker("target", len(confidential), target), "percent": percent}
    canvas = Canvas(*figure, pictures.frame_growing, path, most_c, baseline_sweep, lowest)
    return Panel(controls, compute, draw, say_sweep, canvas, extra=[play_button(percent)])


def say_sweep(result):
    """Read aloud the risk of the file and of the record at this radius."""
    so_far, record = result.path.risk.loc[: result.now], result.record.loc[result.now]
    top = f"The highest up to here is {about(so_far.max())}, at r = {say(100 * so_far.idxmax())} %."
    top = "That is the highest up to here." if so_far.idxmax() == result.now else top
    return (
        f"At r = {say(100 * result.now)} % the file's expected match risk is about "
        f"{about(so_far.iloc[-1])} (floor: {about(result.floor.summary().iloc[0])}). {top} Record "
        f"{result.target} has c = {say(record.c)} and T = {say(record['T'])}: its risk is "
        f"{about(record.risk)}."
    )


def surface_panel(surface, confidential, floor):
    """Build panel 02 (d), of the surface.

    `surface` and `confidential` are sweeps of both files over two variables, `floor` is a Match.
    """
    names = [name[7:] for name in surface.columns if name.startswith("radius_")]
    grids = [sorted(surface[f"radius_{name}"].unique()) for name in names]
    best, plain = maximizing_radius(surface), plain_names(names, surface)
    top = pictures.three_risks(best, surface, confidential, floor)["synthetic"]
    margins = {"left": 0.08, "right": 0.99, "top": 0.88, "bottom": 0.15, "wspace": 0.2}
    figure = look.figure(4.0, 2, margins=margins, width_ratios=pictures.SURFACE_WIDTHS)

    def compute(first, second):
        now = {names[0]: first, names[1]: second}
        risks = pictures.three_risks(now, surface, confidential, floor)
        return SimpleNamespace(now=now, risks=risks, best=best, top=top, plain=plain)

    def draw(axes, result):
        pictures.draw_surface(axes[0], result.now, names)
        pictures.draw_three_risks(axes[1], result.risks, "at these two radii")

    def frame(axes):
        pictures.frame_surface(axes, surface, best, [("now", look.NOW)])
        axes[1].set_ylim(0, 1.1 * confidential.expected_match_risk.max())

    controls = {
        "first": radius_slider(f"radius of {plain[names[0]]}", grids[0]),
        "second": radius_slider(f"radius of {plain[names[1]]}", grids[1]),
    }
    return Panel(controls, compute, draw, say_surface, Canvas(*figure, frame))


def say_surface(result):
    """Read aloud the three risks at these two radii, and where the synthetic one is highest."""
    at, top = (
        " and ".join(f"{say(100 * r)} % for {result.plain[name]}" for name, r in radius.items())
        for radius in (result.now, result.best)
    )
    risks = {name: about(risk) for name, risk in result.risks.items()}
    return (
        f"With a radius of {at}, the expected match risk is about {risks['synthetic']} "
        f"(confidential: {risks['confidential']}, floor: {risks['floor']}). The maximum of the "
        f"grid, {about(result.top)}, is at {top}: that is the one to report."
    )
