"""Pictures of what a radius does: `interval` and `box` around a target, `sweep` and `surface`."""

from collections.abc import Mapping
from types import SimpleNamespace

import numpy as np
import pandas as pd
from IPython.display import Image

from synthrisk_edu.data import plain_names
from synthrisk_edu.plots import look
from synthrisk_edu.plots.matching import ONE, ROLES, TINY, say_target, verdict
from synthrisk_edu.plots.picture import Picture
from synthrisk_edu.words import rounded, say

SMALL_FILE, MOST_NAMES = 12, 7  # a file that can all be named; candidates of a larger one
CORNERS = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)])  # right above, right below, left …
AXIS = -0.13  # the height of the target in a picture of one variable, below all records
RADIUS_ROLES = [("target, true value", look.TARGET), *ROLES, ("everyone else", look.EVERYONE_ELSE)]


def unit_of(*files, variables):
    """Choose the unit of an axis: 1, or 1000 where the numbers are large."""
    columns = (file[name] for file in files for name in variables)
    return 1000 if any(column.abs().max() >= 10_000 for column in columns) else 1


def limits_of(*files, variable, unit):
    """Leave some room around all values of a variable."""
    values = np.concatenate([_values(file, variable, unit) for file in files])
    room = 0.05 * (np.nanmax(values) - np.nanmin(values))
    return np.nanmin(values) - room, np.nanmax(values) + room


def frame_interval(ax, variable, limits, unit=1):
    """Draw the empty picture of one variable; `unit` divides its values, for example 1000."""
    look.tidy(ax, "", _axis_label(variable, unit), xlim=limits, ylim=(2 * AXIS, 1.12), yticks=[])
    look.legend(ax, RADIUS_ROLES, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.24))


def draw_interval(ax, result):
    """Show one variable: the range around a target i and every synthetic value.

    Height has no meaning here: it only keeps the points apart, and the target below them.
    """
    match, i, variable, unit = result.match, result.target, result.variable, result.unit
    low, high = (bound / unit for bound in match.range(i, variable))
    ax.axvspan(low, high, **look.RANGE)
    height = (np.arange(len(match.synthetic)) * 0.618034) % 1
    values = _values(match.synthetic, variable, unit)
    _draw_roles(ax, match, i, values, height)
    target = _values(match.confidential, variable, unit)[i], AXIS
    ax.plot(*target, **look.TARGET)
    _name_points(ax, match, i, values, height, target)
    _ring(ax, result.dot, values, height)
    look.headline(ax, verdict(match, i))


def say_interval(result):
    """Read aloud who the target's candidates are and how wide the search was, or the ring."""
    if result.dot is not None:
        return say_dot(result, [result.variable])
    match, r = result.match, result.match.radius[result.variable]
    whose = f"{say(100 * r)} % of the target's own value" if match.relative else "for every target"
    low, high = match.range(result.target, result.variable)
    return f"{say_target(result)} The half-width R is {rounded((high - low) / 2)}, {whose}."


def dots_from_the_left(synthetic, variables):
    """List the records that have a dot in the picture, by position, from the left to the right."""
    drawn = synthetic[variables].notna().all(axis=1).to_numpy()
    order = np.argsort(synthetic[variables[0]].to_numpy(dtype=float), kind="stable")
    return [int(place) for place in order if drawn[place]]


def say_dot(result, variables):
    """Read the record with the ring: what is true, what was published, is it a candidate?"""
    match, dot, i = result.match, result.dot, result.target
    plain = plain_names(variables, match.confidential)
    values = " and ".join(
        f"{plain[name]} {_said(match.confidential, name, dot)}, published as "
        f"{_said(match.synthetic, name, dot)}"
        for name in variables
    )
    names, own = match.confidential.index, " That is the target's own record." * (dot == i)
    is_one = "a candidate" if match.matches(i)[dot] else "no candidate"
    return (
        f"The ring is around record {names[dot]}: {values}. It is {is_one} for record {names[i]}."
        f"{own} Record {names[i]} has {verdict(match, i)}."
    )


def _said(data, name, place):
    """Say one value, or that there is none."""
    value = data[name].iloc[place]
    return "missing" if value != value else rounded(value)


INTERVAL = Picture(
    frame_interval,
    draw_interval,
    say_interval,
    {"height": 3.3, "margins": ONE | {"bottom": 0.34}},
)


def interval(match, i: int, variable: str) -> Image:
    """Picture the range of one variable around target i, and who falls into it."""
    files = match.confidential, match.synthetic
    unit = unit_of(*files, variables=[variable])
    limits = limits_of(*files, variable=variable, unit=unit)
    result = SimpleNamespace(match=match, target=i, variable=variable, unit=unit, dot=None)
    return INTERVAL.show(result, variable, limits, unit)


def frame_box(ax, x, y, limits, unit=1):
    """Draw the empty picture of two variables; `limits` are those of x and of y."""
    look.tidy(ax, "", _axis_label(x, unit), _axis_label(y, unit), xlim=limits[0], ylim=limits[1])
    look.legend(ax, RADIUS_ROLES, loc="center left", bbox_to_anchor=(1.0, 0.5))


def draw_box(ax, result):
    """Show two variables: the box (or ellipse) around a target i and every synthetic record."""
    from matplotlib.patches import Ellipse, Rectangle

    match, i, x, y, unit = result.match, result.target, result.x, result.y, result.unit
    (left, right), (bottom, top) = (np.array(match.range(i, v)) / unit for v in (x, y))
    width, height = right - left, top - bottom
    if match.shape == "ellipse":
        centre = (left + width / 2, bottom + height / 2)
        ax.add_patch(Ellipse(centre, width, height, **look.RANGE))
    else:
        ax.add_patch(Rectangle((left, bottom), width, height, **look.RANGE))
    values = [_values(match.synthetic, v, unit) for v in (x, y)]
    _draw_roles(ax, match, i, *values)
    target = [_values(match.confidential, v, unit)[i] for v in (x, y)]
    ax.plot(*target, **look.TARGET)
    _name_points(ax, match, i, *values, target)
    _ring(ax, result.dot, *values)
    look.headline(ax, verdict(match, i))


def say_box(result):
    """Read aloud who the target's candidates are, or the record with the ring."""
    return say_target(result) if result.dot is None else say_dot(result, [result.x, result.y])


BOX = Picture(
    frame_box,
    draw_box,
    say_box,
    {"height": 2.97, "margins": ONE | {"left": 0.09, "right": 0.7, "bottom": 0.16}},
)


def box(match, i: int, x: str, y: str) -> Image:
    """Picture the box (or ellipse) of two variables around target i, and who falls into it."""
    files = match.confidential, match.synthetic
    unit = unit_of(*files, variables=[x, y])
    limits = [limits_of(*files, variable=name, unit=unit) for name in (x, y)]
    result = SimpleNamespace(match=match, target=i, x=x, y=y, unit=unit, dot=None)
    return BOX.show(result, x, y, limits, unit)


SHOWN = 6  # the lines of the tenths that are shown; the fields beyond are too wide
FIELD = {"facecolor": look.LIGHT, "edgecolor": look.DARK, "alpha": 0.5}
DONOR_ROLES = [
    ("the unit, true values", look.TARGET),
    ("the same unit, as published", look.TRUE_RECORD),
    ("all units, true values", look.EVERYONE_ELSE),
]


def frame_tenths(ax, data, tenths, unit=1):
    """Draw all units, and the lines that cut both variables into ten parts of equal size."""
    x, y = tenths
    ax.plot(
        _values(data, x, unit), _values(data, y, unit), **look.EVERYONE_ELSE | {"markersize": 3}
    )
    right, top = tenths.iloc[SHOWN] / unit
    ax.vlines(tenths[x] / unit, 0, top, color=look.DARK, lw=0.6)
    ax.hlines(tenths[y] / unit, 0, right, color=look.DARK, lw=0.6)
    look.tidy(ax, "", _axis_label(x, unit), _axis_label(y, unit), xlim=(0, right), ylim=(0, top))
    look.legend(ax, DONOR_ROLES, loc="center left", bbox_to_anchor=(1.0, 0.5))


def draw_tenths(ax, result):
    """Mark one unit, its field, and what was published for it."""
    from matplotlib.patches import Rectangle

    (left, right), (bottom, top) = (np.array(ends) / result.unit for ends in result.field.values())
    ax.add_patch(Rectangle((left, bottom), right - left, top - bottom, **FIELD))
    small = look.TRUE_RECORD | {"markersize": 9}  # the field is hardly larger
    for values, style in ((result.new, small), (result.true, look.TARGET)):
        ax.plot(*([value / result.unit] for value in values), **style)
    look.headline(ax, "each unit gets the values of a unit in its own field")


def say_tenths(result):
    """Read aloud where the unit's field is, and what it was given."""
    field = " and ".join(
        f"{name} from {rounded(low)} to {rounded(high)}"
        for name, (low, high) in result.field.items()
    )
    true, new = (" and ".join(map(rounded, values)) for values in (result.true, result.new))
    return f"Record {result.target} has {true}, in the field with {field}. Published: {new}."


TENTHS = Picture(
    frame_tenths,
    draw_tenths,
    say_tenths,
    {"height": 3.0, "margins": ONE | {"left": 0.09, "right": 0.68, "bottom": 0.16}},
)


def tenths(data: pd.DataFrame, released: pd.DataFrame, i: int, tenths: pd.DataFrame) -> Image:
    """Picture where the values of unit i came from: a unit of the same tenth in both variables.

    `tenths` has the nine values that cut each of the two variables, as `DataFrame.quantile` gives.
    """
    names = list(tenths)
    true, new = (file[names].iloc[i] for file in (data, released))
    ends = {name: [-np.inf, *tenths[name], np.inf] for name in names}
    place = {name: np.searchsorted(tenths[name], true[name]) for name in names}
    field = {name: tuple(ends[name][place[name] :][:2]) for name in names}
    unit = unit_of(tenths, variables=names)
    result = SimpleNamespace(target=i, true=true, new=new, field=field, unit=unit)
    return TENTHS.show(result, data, tenths, unit)


def _draw_roles(ax, match, i, x, y):
    """The true record, filled if it matches, else hollow; on this large square the others."""
    found = match.matches(i)
    is_true = np.arange(len(found)) == i
    ax.plot(x[is_true], y[is_true], fillstyle="full" if found[i] else "none", **look.TRUE_RECORD)
    ax.plot(x[~found & ~is_true], y[~found & ~is_true], **look.EVERYONE_ELSE)
    ax.plot(x[found & ~is_true], y[found & ~is_true], **look.CANDIDATE)


def _ring(ax, dot, x, y):
    """Put a ring around the record that is being read, if there is one."""
    if dot is not None:
        ax.plot(x[[dot]], y[[dot]], **look.READ)


def _name_points(ax, match, i, x, y, target):
    """Write names beside the points: all of a small file, else the candidates and the true one.

    Each name stands at one of four corners of its point, where it is farthest from the other
    points, from the star of the `target` and from the names before it.
    """
    named = match.matches(i)
    named[i] = True
    if len(x) <= SMALL_FILE:
        named[:] = True
    elif named.sum() > MOST_NAMES:
        named[:] = np.arange(len(x)) == i
    marks = ax.transData.transform(np.column_stack([[*x, target[0]], [*y, target[1]]]))
    taken = list(marks)
    for j in np.flatnonzero(named & np.isfinite(marks[:-1]).all(axis=1)):
        name, point = str(match.confidential.index[j]), ax.figure.dpi / 72
        corners = marks[j] + CORNERS * point * (9 + 3 * len(name), 10)
        others = np.delete(taken, j, axis=0)
        away = [np.abs((others - one) / (2, 1)).sum(axis=1) for one in corners]
        room = np.nan_to_num(away, nan=np.inf).min(axis=1)
        ends = marks[j] + 1.7 * (corners - marks[j])  # of the names, away from the point
        inside = [ax.bbox.contains(*end) for end in ends]
        best = corners[np.argmax(np.where(inside, room, 0))]
        where = {"xytext": (best - marks[j]) / point, "textcoords": "offset points"}
        centred = {"ha": "center", "va": "center", "fontsize": TINY}
        ax.annotate(name, (x[j], y[j]), clip_on=True, **where, **centred)
        taken.append(best)


def _values(data, variable, unit):
    """Return the values of a variable in the unit of the picture."""
    return data[variable].to_numpy(dtype=float, na_value=np.nan) / unit


def _axis_label(variable, unit):
    """Name an axis, and its unit where that is not 1."""
    return str(variable) if unit == 1 else f"{variable} (in {unit:,})"


def frame_sweep(ax, sweep, best, baseline=None, floor=None):
    """Draw the expected match risk of the file against the radius, a thin line a data set.

    `best` is the maximizing radius, `baseline` the sweep of the confidential data with itself,
    `floor` the Match of the intruder who ignores what was synthesized.
    """
    mean = sweep.groupby("radius").expected_match_risk.mean()
    if sweep.dataset.nunique() > 1:
        for _, one in sweep.groupby("dataset"):
            ax.plot(100 * one.radius, one.expected_match_risk, color=look.GREEN, lw=0.6, alpha=0.6)
    _draw_bounds(ax, baseline, floor)
    ax.plot(100 * mean.index, mean, label="synthetic", **look.LINES["synthetic"])
    ax.plot([100 * best], [mean[best]], label="maximum", **look.MAXIMUM)
    ax.set(xlim=np.array([-4, 104]) * mean.index.max(), ylim=(0, 1.6 * mean.max()))
    look.tidy(ax, "the whole file", "radius r (%)", "expected match risk")
    ax.yaxis.set_major_formatter("{x:,.6g}")
    look.legend(ax, loc="upper right", ncols=2)


def _draw_bounds(ax, baseline, floor):
    """Draw what a sweep is compared with: the confidential file above, the floor below."""
    if baseline is not None:
        mean = baseline.groupby("radius").expected_match_risk.mean()
        ax.plot(100 * mean.index, mean, label="confidential", **look.LINES["confidential"])
    if floor is not None:
        ax.axhline(floor.summary().expected_match_risk, label="floor", **look.FLOOR)


def sweep(
    synthetic: pd.DataFrame, best: float, confidential: pd.DataFrame | None = None, floor=None
) -> Image:
    """Picture the expected match risk against the radius, which is highest at `best`.

    `synthetic` and `confidential` are sweeps of the two files, `floor` is a Match.
    """
    figure, ax = look.figure(3.2)
    frame_sweep(ax, synthetic, best, confidential, floor)
    top = synthetic.expected_match_risk[synthetic.radius == best].mean()
    words = f"The expected match risk against the radius is highest, {rounded(top)}, at {best:.0%}"
    lowest = "" if floor is None else f"; the floor is {rounded(floor.summary().iloc[0])}"
    return look.show(figure, f"{words}{lowest}.")


GROWING_TITLES = [  # why the curve rises and falls: a file and one of its records, side by side
    ("the whole file: expected match risk", "the chosen record: risk T/c"),
    ("% of the records with T = 1", "its T"),
    ("typical c where T = 1 (median)", "its c"),
]


def frame_growing(axes, path, most_c, baseline, floor):
    """Draw the empty picture of a file (left) and of one record (right) as the radius grows.

    `path` is the table that `draw_growing` draws for the file; the record's c goes to `most_c`.
    """
    most = path.index.max()
    tops = [(1.25 * path.risk.max(), 1.08), (108, 1.3), (1.1 * path.c.max(), most_c)]
    for row, limits, titles in zip(axes, tops, GROWING_TITLES, strict=True):
        for ax, top, title in zip(row, limits, titles, strict=True):
            look.tidy(ax, xlim=(-4 * most, 104 * most), ylim=(-0.04 * top, top))
            ax.set_title(title, fontsize=look.SMALL, loc="left")
    for ax in axes[-1]:
        ax.set_xlabel("radius r (%)", fontsize=look.SMALL)
    axes[1, 1].set_yticks([0, 1])
    _few_and_many(axes[2, 1], most_c)
    _draw_bounds(axes[0, 0], baseline, floor)
    _name_bounds(axes[0, 0], baseline, floor, path.risk.max())


def _few_and_many(ax, most):
    """Count on the y-axis so that 1, 2 and 3 can be told apart, and hundreds have room as well.

    Up to 3 all steps are equally high; above, ten times as many is always as far.
    """
    ax.set_yscale("symlog", linthresh=3, linscale=2)
    ax.set_ylim(-0.3, max(4, 1.5 * most))
    ticks = [tick for tick in (0, 1, 2, 3, 10, 100, 1000) if tick <= max(3, most)]
    named = ["" if tick in (0, 2, 3) else f"{tick:,}" for tick in ticks]  # else they touch
    ax.set_yticks(ticks, named, fontsize=TINY)
    ax.hlines(ticks[1:], *ax.get_xlim(), color=look.LIGHT, lw=0.4)
    ax.minorticks_off()


def _name_bounds(ax, baseline, floor, top):
    """Write the names of the two lines where they leave the synthetic curve free."""
    end, risk = ax.get_xlim()[1], floor.summary().expected_match_risk
    ax.text(end, risk + 0.04 * top, "floor", color=look.WINE, ha="right", fontsize=look.SMALL)
    last = baseline.iloc[-1].expected_match_risk
    place = {"ha": "right", "va": "bottom", "fontsize": look.SMALL, "color": look.DARK}
    ax.text(end, min(last + 0.3 * top, 1.1 * top), "confidential", **place)


def draw_growing(axes, result):
    """Draw the curves up to the radius `now`.

    `path` (the file) and `record` have a row per radius: risk, T (per cent, or 0 and 1) and c.
    """
    path, record, now = result.path, result.record, result.now
    dot = look.NOW | {"markersize": 8, "clip_on": False}  # whole also at the edge
    for column, table, step in ((0, path, "default"), (1, record, "steps-post")):
        shown = table.loc[:now]
        for ax, name in zip(axes[:, column], ["risk", "T", "c"], strict=True):
            ax.plot(100 * shown.index, shown[name], drawstyle=step, **look.LINES["synthetic"])
            ax.plot([100 * now], [shown[name].iloc[-1]], **dot)
    above = {"xytext": (0, 6), "textcoords": "offset points", "ha": "center"}
    axes[2, 1].annotate(say(record.c[now]), (100 * now, record.c[now]), fontsize=TINY, **above)


def say_growing(result):
    """Read aloud the risk of the file and of the record at this radius."""
    so_far, record = result.path.risk.loc[: result.now], result.record.loc[result.now]
    top = (
        f"The highest up to here is {rounded(so_far.max())}, at r = {say(100 * so_far.idxmax())} %."
    )
    top = "That is the highest up to here." if so_far.idxmax() == result.now else top
    return (
        f"At r = {say(100 * result.now)} % the file's expected match risk is about "
        f"{rounded(so_far.iloc[-1])} (floor: {rounded(result.floor.summary().iloc[0])}). {top} "
        f"Record {result.target} has c = {say(record.c)} and T = {say(record['T'])}: its risk is "
        f"{rounded(record.risk)}."
    )


GROWING = Picture(
    frame_growing,
    draw_growing,
    say_growing,
    {
        "height": 3.3,
        "columns": 2,
        "rows": 3,
        "height_ratios": [1.8, 0.6, 1.7],
        "sharex": True,
        "margins": {"left": 0.07, "right": 0.98, "top": 0.92, "bottom": 0.15}
        | {"wspace": 0.14, "hspace": 0.45},
    },
)


SURFACE_MARKS = {  # the diamond lies on the dot: where they meet, both can be seen
    "maximum": look.MAXIMUM | {"markeredgecolor": "white", "markersize": 6, "zorder": 6},
    "now": look.NOW | {"markeredgecolor": "white"},
}


def frame_surface(axes, surface, names, confidential):
    """Draw the expected match risk over two radii as a map (brighter is riskier), and room beside.

    `surface` and `confidential` are sweeps of both files, `names` the two variables.
    """
    ax, beside = axes
    first, second = (f"radius_{name}" for name in names)
    mean = surface.groupby([first, second]).expected_match_risk.mean().unstack(first)
    x, y = 100 * mean.columns.to_numpy(), 100 * mean.index.to_numpy()
    mesh = ax.pcolormesh(x, y, mean.to_numpy(), shading="nearest", cmap="cividis")
    ax.figure.colorbar(mesh, ax=ax, fraction=0.05, pad=0.02).ax.tick_params(labelsize=look.SMALL)
    ax.set_xlim(mesh.get_coordinates()[0, [0, -1], 0])
    ax.set_ylim(mesh.get_coordinates()[[0, -1], 0, 1])
    look.tidy(ax, "expected match risk", *[f"radius of {name} (%)" for name in names])
    look.legend(ax, SURFACE_MARKS.items(), loc="lower right", bbox_to_anchor=(1.12, 0.98), ncols=2)
    beside.set_xticks(range(len(look.BARS)), look.BARS)
    look.tidy(beside, xlim=(-0.6, len(look.BARS) - 0.4), yticks=[])  # each bar has its number
    beside.set_ylim(0, 1.1 * confidential.expected_match_risk.max())


def draw_surface(axes, result):
    """Mark a pair of radii on the map, and show the three risks there as bars."""
    ax, beside = axes
    for radii, style in zip((result.best, result.now), SURFACE_MARKS.values(), strict=True):
        ax.plot(*([100 * r] for r in radii.values()), **style)
    look.headline(beside, "at these two radii")
    for place, (name, style) in enumerate(look.BARS.items()):
        risk = result.risks[name]
        beside.bar([place], [risk], 0.7, **style)
        above = {"xytext": (0, 3), "textcoords": "offset points", "ha": "center"}
        beside.annotate(rounded(risk), (place, risk), fontsize=look.SMALL, **above)


def say_surface(result):
    """Read aloud the three risks at these two radii, and where the synthetic one is highest."""
    at, top = (
        " and ".join(f"{say(100 * r)} % for {result.plain[name]}" for name, r in radius.items())
        for radius in (result.now, result.best)
    )
    risks = {name: rounded(risk) for name, risk in result.risks.items()}
    return (
        f"With a radius of {at}, the expected match risk is about {risks['synthetic']} "
        f"(confidential: {risks['confidential']}, floor: {risks['floor']}). The maximum of the "
        f"grid, {rounded(result.top)}, is at {top}: that is the one to report."
    )


SURFACE = Picture(
    frame_surface,
    draw_surface,
    say_surface,
    {
        "height": 3.62,
        "columns": 2,
        "margins": {"left": 0.08, "right": 0.99, "top": 0.88, "bottom": 0.15, "wspace": 0.2},
        "width_ratios": [1.2, 1],  # the map, and the bars beside it
    },
)


def three_risks(at, synthetic, confidential, floor):
    """Read off the risk at one pair of radii in both files (sweeps), and the floor."""
    risks = {}
    for name, sweep in {"confidential": confidential, "synthetic": synthetic}.items():
        here = np.all([sweep[f"radius_{variable}"] == r for variable, r in at.items()], axis=0)
        risks[name] = sweep.expected_match_risk[here].mean()
    return risks | {"floor": floor.summary().expected_match_risk}


def surface(
    synthetic: pd.DataFrame, best: Mapping[str, float], confidential: pd.DataFrame, floor
) -> Image:
    """Picture the expected match risk over two radii, and what it stands beside at its maximum.

    `synthetic` and `confidential` are sweeps of the two files over two variables, `best` is the
    maximizing radius of the first, `floor` is a Match.
    """
    risks = three_risks(best, synthetic, confidential, floor)
    plain = plain_names(best, synthetic)
    there = {"now": best, "best": best, "risks": risks, "top": risks["synthetic"], "plain": plain}
    return SURFACE.show(SimpleNamespace(**there), synthetic, best, confidential)
