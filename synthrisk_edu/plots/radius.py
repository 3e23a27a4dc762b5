"""Pictures of what a radius does: `interval` and `box` around a target, `sweep` and `surface`."""

from collections.abc import Mapping
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.plots import look
from synthrisk_edu.plots.matching import target_tiles
from synthrisk_edu.plots.picture import (
    Edge,
    Mark,
    Shown,
    Tile,
    columns,
    dots,
    own_record_tile,
    picture,
)
from synthrisk_edu.words import rounded, say

STAR, LABEL = -0.16, 1.2  # the height of the target below all records, and of words above them
ABOVE = (0, 0, 1, 0.915)  # of a picture with a key above it: what is left for the axes
MOST_MARKS = 400  # of more records only those are marked that matter, or a sample of these
GRAB = {"x": 0.2, "y": 0.05}  # of an axis: so far from its middle any edge can be grabbed
RANGE = {"facecolor": (look.BLUE, 0.15), "edgecolor": look.BLUE, "linewidth": 1.2}


# ------------------------------------------------------------------ a range around a target


def unit_of(*files, variables):
    """Choose the unit of an axis: 1, or 1000 where the numbers are large."""
    columns = (file[name] for file in files for name in variables)
    return 1000 if any(column.abs().max() >= 10_000 for column in columns) else 1


def limits_of(*files, variable, unit):
    """Leave some room around all values of a variable."""
    values = np.concatenate([_values(file, variable, unit) for file in files])
    room = 0.05 * (np.nanmax(values) - np.nanmin(values))
    return np.nanmin(values) - room, np.nanmax(values) + room


def axis_name(variable, data, unit, whose="synthetic "):
    """Name an axis in words, with its unit where that is not 1."""
    (word,) = labels([variable], data).values()
    return f"{whose}{word}" + ("" if unit == 1 else " (thousand)")


@picture(
    height=2.72,
    rect=ABOVE,
    touch="Click a dot to make that person the target. Drag an edge of the blue range.",
)
def interval_picture(ax, variable, axis, limits, unit=1):
    """One variable: the range around a target, and every synthetic value; `unit` divides them.

    `axis` names the axis. Height has no meaning: it only keeps the dots apart, and the target
    below them.
    """
    look.tidy(ax, "", f"{axis}; height has no meaning", xlim=limits, yticks=[], grid="x")
    ax.set_ylim(2 * STAR, LABEL + 0.12)
    ax.spines["left"].set_visible(False)

    def move(now):
        match, i = now.match, now.target
        values = _values(match.synthetic, variable, unit)
        heights = look.spread(np.arange(len(values)))
        _draw_range(ax, match, i, variable, unit)
        _draw_roles(ax, now.matches, i, values, heights)
        ax.plot([_values(match.confidential, variable, unit)[i]], [STAR], **look.TARGET)
        _draw_key(ax, match, now.matches[i], i, [variable])
        return Shown(
            f"{match.explain(i, counts=False)} {_say_half_width(match, i, variable)}",
            target_tiles(match, i),
            _marks(ax, match, now.matches, i, values, heights, [variable]),
            _edges(ax, match, i, variable, unit, "r"),
        )

    return move


def _draw_range(ax, match, i, variable, unit):
    """Draw the range of one variable, and say its ends above all dots."""
    ends = match.range(i, variable)
    low, high = (bound / unit for bound in ends)
    if not np.isfinite(low):
        return
    bottom, top = ax.get_ylim()
    ax.axvspan(low, high, 0, (LABEL - 0.11 - bottom) / (top - bottom), **RANGE)
    left, right = ax.get_xlim()
    room = 0.13 * (right - left)  # for half of the words
    middle = np.clip((low + high) / 2, left + room, right - room)
    words = " to ".join(dict.fromkeys(map(_exactly, ends)))
    centred = {"ha": "center", "va": "center", "bbox": look.ON_PAPER}
    look.label(ax, middle, LABEL, f"searched: {words}", look.BLUE, **centred)


def _exactly(bound):
    """Say the end of a range as the sentence does: thousands without decimals."""
    return rounded(bound) if abs(bound) >= 1000 else say(bound)


def _say_half_width(match, i, variable):
    """Say how far the range goes to either side, and whether everybody's is as wide."""
    low, high = match.range(i, variable)
    if not np.isfinite(low):
        return "Around a missing value there is no range."
    half = rounded((high - low) / 2)
    if not match.relative:
        return f"The half-width R is {half}, the same for every target."
    percent = say(100 * match.radius[variable])
    return f"The half-width R is {half}, {percent} % of the target's own value."


def _draw_key(ax, match, is_hit, i, names):
    """Say above the picture what each mark is, with the values of the target's two marks.

    Each has a place of its own, so that nothing jumps when the target changes.
    """
    true = " and ".join(_said(match.confidential[name].iloc[i]) for name in names)
    published = " and ".join(_said(match.synthetic[name].iloc[i]) for name in names)
    square = look.TRUE_RECORD | {"fillstyle": "full" if is_hit else "none"}
    _draw_entries(
        ax,
        [
            (0.02, f"the target: {true}", look.TARGET),
            (0.33, f"its own record: {published}", square),
            (0.69, "candidates", look.CANDIDATE),
            (0.83, "everyone else", look.EVERYONE_ELSE),
        ],
    )


def _draw_entries(ax, entries, height=(1 + ABOVE[3]) / 2, across="figure fraction"):
    """Draw a key in one line; `entries` lists (place, words, look), in shares of `across`."""
    where = ax.figure.transFigure if across == "figure fraction" else ax.transAxes
    for place, words, style in entries:
        drawn = style | {"markersize": min(style["markersize"], 12)}
        at_place = {"transform": where, "clip_on": False, "in_layout": False}
        ax.plot([place], [height], **at_place, **drawn)
        at_height = {"xycoords": across, "va": "center", "in_layout": False}
        look.label(ax, place, height, words, style["color"], away=(11, 0), **at_height)


def _edges(ax, match, i, variable, unit, control, along="x", ends=None):
    """Return the two ends of a range, to be dragged; the control is in per cent, or in units.

    An end out of sight has no length (it stays, since it may be the one that is dragged); a short
    one, of a box without height, is made longer.
    """
    true = _values(match.confidential, variable, unit)[i]
    per = abs(true) / 100 if match.relative else 1.0
    if not per > 0:  # around 0, or nothing, a share has no width
        return []
    if not np.isfinite([true, *(ends or ())]).all():  # nothing is searched around a missing value
        return []
    limits = [ax.get_xlim(), ax.get_ylim()]
    own, across = limits if along == "x" else limits[::-1]
    ends = _to_grab(across if ends is None else ends, across, GRAB[along])
    made = []
    for bound, one in zip(match.range(i, variable), (true - per, true + per), strict=True):
        at = np.clip(bound / unit, *own)
        seen = ends if at == bound / unit else (ends[0], ends[0])
        made.append(Edge(ax, along, at, seen, zero=true, one=one, sets=control))
    return made


def _to_grab(ends, limits, least):
    """Return the part of an edge that lies in the picture, long enough for a hand.

    It goes from its middle to either side over `least` of the axis, or more.
    """
    low, high = limits
    start, end = ends
    middle = (start + end) / 2
    half = max((end - start) / 2, least * (high - low))
    return tuple(np.clip([middle - half, middle + half], low, high))


def _marks(ax, match, matches, i, x, y, variables):
    """Return a mark for every record, from the left to the right; a click makes it the target."""
    order = np.argsort(x, kind="stable")
    if len(order) > MOST_MARKS:
        matter = matches | (np.arange(len(matches)) == i)
        order = _some_of(order[matter[order]], i)
    plain = plain_names(variables, match.confidential)
    files = match.confidential, match.synthetic
    values = {word: [file[name].tolist() for file in files] for name, word in plain.items()}
    words = []
    for j in order:
        own = ", the target's own" if j == i else ""
        lines = [f"record {match.confidential.index[j]}{own}"]
        for word, (true, published) in values.items():
            lines.append(f"{word} {_said(true[j])}, published as {_said(published[j])}")
        lines.append("a candidate" if matches[j] else "no candidate")
        words.append("\n".join(lines))
    return dots(ax, x[order], y[order], words, "target", order.tolist())


def _some_of(order, i):
    """Return at most `MOST_MARKS` records in their order: i, and an even sample of the others."""
    if len(order) <= MOST_MARKS:
        return order
    others = order[order != i]
    places = np.linspace(0, len(others) - 1, MOST_MARKS - 1).astype(int)
    return order[np.isin(order, [i, *others[places]])]


def _said(value):
    """Say one value, or that there is none."""
    return "missing" if pd.isna(value) else rounded(value)


def interval(match, i: int, variable: str) -> look.Standing:
    """Picture the range of one variable around target i, and who falls into it."""
    files = match.confidential, match.synthetic
    unit = unit_of(*files, variables=[variable])
    limits = limits_of(*files, variable=variable, unit=unit)
    axis = axis_name(variable, match.confidential, unit)
    result = SimpleNamespace(match=match, target=i, matches=match.matches(i))
    return interval_picture.show(result, variable, axis, limits, unit)


@picture(
    height=2.74,
    rect=ABOVE,
    touch="Click a dot to make that person the target. Drag a side of the blue field.",
)
def box_picture(ax, variables, axes, limits, unit=1):
    """Two variables: the box (or ellipse) around a target, and every synthetic record.

    `variables`, names of the `axes` and `limits` are those of x and of y.
    """
    x, y = variables
    look.tidy(ax, "", axes[0], xlim=limits[0], ylim=limits[1], grid="both")
    ax.set_title(axes[1], fontsize=look.SMALL, loc="left", color=look.DARK)
    ax.spines["left"].set_visible(False)

    def move(now):
        match, i = now.match, now.target
        across = _values(match.synthetic, x, unit)
        up = _values(match.synthetic, y, unit)
        left, right = (bound / unit for bound in match.range(i, x))
        bottom, top = (bound / unit for bound in match.range(i, y))
        _draw_field(ax, (left, right), (bottom, top), match.shape)
        _draw_roles(ax, now.matches, i, across, up)
        true = [[_values(match.confidential, name, unit)[i]] for name in (x, y)]
        ax.plot(*true, **look.TARGET)
        _draw_key(ax, match, now.matches[i], i, [x, y])
        edges = _edges(ax, match, i, x, unit, "percent_x", "x", (bottom, top))
        edges += _edges(ax, match, i, y, unit, "percent_y", "y", (left, right))
        return Shown(
            match.explain(i, counts=False),
            target_tiles(match, i),
            _marks(ax, match, now.matches, i, across, up, [x, y]),
            edges,
        )

    return move


def _draw_field(ax, across, up, shape):
    """Draw the box, or the ellipse, with these ends."""
    from matplotlib.patches import Ellipse, Rectangle

    (left, right), (bottom, top) = across, up
    width = right - left
    height = top - bottom
    if shape == "ellipse":
        centre = (left + width / 2, bottom + height / 2)
        ax.add_patch(Ellipse(centre, width, height, **RANGE))
    else:
        ax.add_patch(Rectangle((left, bottom), width, height, **RANGE))


def box(match, i: int, x: str, y: str) -> look.Standing:
    """Picture the box (or ellipse) of two variables around target i, and who falls into it."""
    files = match.confidential, match.synthetic
    unit = unit_of(*files, variables=[x, y])
    limits = [limits_of(*files, variable=name, unit=unit) for name in (x, y)]
    axes = [axis_name(name, match.confidential, unit) for name in (x, y)]
    result = SimpleNamespace(match=match, target=i, matches=match.matches(i))
    return box_picture.show(result, (x, y), axes, limits, unit)


def _draw_roles(ax, matches, i, x, y):
    """The true record, filled if it matches, else hollow; on this large square the others."""
    is_true = np.arange(len(matches)) == i
    fill = "full" if matches[i] else "none"
    ax.plot(x[~matches & ~is_true], y[~matches & ~is_true], **look.EVERYONE_ELSE)
    ax.plot(x[is_true], y[is_true], fillstyle=fill, **look.TRUE_RECORD)
    ax.plot(x[matches & ~is_true], y[matches & ~is_true], **look.CANDIDATE)


def _values(data, variable, unit):
    """Return the values of a variable in the unit of the picture."""
    return data[variable].to_numpy(dtype=float, na_value=np.nan) / unit


# --------------------------------------------------------------- where values are drawn from

SHOWN = 6  # the lines of the tenths that are shown; the fields beyond are too wide
FIELD = {"facecolor": (look.DARK, 0.22), "edgecolor": look.DARK, "linewidth": 1.6}


@picture(height=3.2, rect=(0, 0, 1, 0.925))
def tenths_picture(ax, data, tenths, axes, unit=1):
    """All units, and the lines that cut both variables into ten parts of equal size."""
    x, y = tenths
    right, top = tenths.iloc[SHOWN] / unit
    look.tidy(ax, "", axes[0], xlim=(0, right), ylim=(0, top))
    ax.set_title(axes[1], fontsize=look.SMALL, loc="left", color=look.DARK)
    everyone = look.EVERYONE_ELSE | {"markersize": 3}
    ax.plot(_values(data, x, unit), _values(data, y, unit), **everyone)
    ax.vlines(tenths[x] / unit, 0, top, color=look.DARK, lw=0.6)
    ax.hlines(tenths[y] / unit, 0, right, color=look.DARK, lw=0.6)

    def move(now):
        from matplotlib.patches import Rectangle

        ends = [np.array(ends) / unit for ends in now.field.values()]
        (left, right), (bottom, top) = ends
        ax.add_patch(Rectangle((left, bottom), right - left, top - bottom, **FIELD))
        small = look.TRUE_RECORD | {"markersize": 9}  # the field is hardly larger
        ax.plot(*([value / unit] for value in now.new), **small)
        ax.plot(*([value / unit] for value in now.true), **look.TARGET)
        _draw_entries(
            ax,
            [
                (0.02, f"unit {now.target}, true values", look.TARGET),
                (0.30, "the same unit, as published", look.TRUE_RECORD),
                (0.62, "all units, true values", look.EVERYONE_ELSE),
            ],
        )
        names = plain_names(tenths, data)
        tiles = [
            Tile(word, rounded(now.new[name]), f"published; true {rounded(now.true[name])}")
            for name, word in names.items()
        ]
        tiles.append(Tile("units in its field", f"{now.inside:,}", "one has lent it both values"))
        return Shown(_say_tenths(now, names), tiles)

    return move


def _say_tenths(now, names):
    """Say where the unit's field is, and that its new values come from there."""
    field = " and ".join(
        f"{names[name]} from {rounded(low)} to {rounded(high)}"
        for name, (low, high) in now.field.items()
    )
    return (
        f"Each unit gets the values of a random unit in its own field. That of unit {now.target} "
        f"goes over {field}."
    )


def tenths(
    data: pd.DataFrame, released: pd.DataFrame, i: int, tenths: pd.DataFrame
) -> look.Standing:
    """Picture where the values of unit i came from: a unit of the same tenth in both variables.

    `tenths` has the nine values that cut each of the two variables.
    """
    names = list(tenths)
    true, new = (file[names].iloc[i] for file in (data, released))
    field, is_inside = {}, np.ones(len(data), dtype=bool)
    for name in names:
        places = np.searchsorted(tenths[name], data[name])
        ends = [-np.inf, *tenths[name], np.inf]
        field[name] = tuple(ends[places[i] :][:2])
        is_inside &= places == places[i]
    unit = unit_of(tenths, variables=names)
    axes = [axis_name(name, data, unit, whose="") for name in names]
    result = SimpleNamespace(target=i, true=true, new=new, field=field, inside=is_inside.sum())
    return tenths_picture.show(result, data, tenths, axes, unit)


# ------------------------------------------------------------------------- the whole file

NOW = look.NOW | {"markeredgecolor": "white", "markeredgewidth": 1}
UP_TO_NOW = look.LINES["synthetic"] | {"linewidth": 3.2}
WHOLE = look.LINES["synthetic"] | {"linewidth": 1.2}
IN_CORNER = {"xycoords": "axes fraction", "bbox": look.ON_PAPER}
LOW_CORNER = {"at": (0.98, 0.1), "how": IN_CORNER | {"ha": "right", "va": "bottom"}}
HIGH_CORNER = {"at": (0.03, 0.94), "how": IN_CORNER | {"ha": "left", "va": "top"}}
AT_NOW = {"color": look.LIGHT, "linewidth": 1}


@picture(
    height=2.72,
    columns=2,
    rows=2,
    width_ratios=[2.1, 1],
    touch="Click the large curve to move the radius there.",
)
def sweep_picture(axes, path, best, confidential, floor):
    """The risk of a file against the radius; beside it, why it rises and falls.

    `path` has a row for each radius: the expected match risk, the per cent with T = 1, and their
    typical c. The risk is highest at `best`; `confidential` is the expected match risk of the
    confidential file by radius, `floor` that of the intruder who ignores what was synthesized.
    """
    whole = _one_beside_two(axes)
    share, typical = axes[:, 1]
    r = 100 * path.index
    _draw_whole(whole, path.risk, confidential, floor)
    words = [_read_radius(*row) for row in path.itertuples()]
    percent = [round(one) for one in r]
    marks = columns(whole, r, path.risk, words, "percent", percent)
    _draw_reason(share, path["T"], "records with T = 1", 100)
    _draw_reason(typical, path.c, "typical c where T = 1", path.c.max() or 1)
    share.tick_params(labelbottom=False)
    typical.set_xlabel("radius r (%)", fontsize=look.SMALL, color=look.DARK)

    def move(now):
        here = path.loc[now.radius]
        for ax, name in ((whole, "risk"), (share, "T"), (typical, "c")):
            so_far = path[name].loc[: now.radius]
            ax.axvline(100 * now.radius, **AT_NOW)
            ax.plot(100 * so_far.index, so_far, **UP_TO_NOW)
            ax.plot([100 * now.radius], [here[name]], **NOW)
        _draw_highest(whole, path.risk, best)
        _write_reason(share, f"{here['T']:.0f} %", "pushes the risk up", LOW_CORNER)
        _write_reason(typical, say(here.c), "pushes the risk down", HIGH_CORNER)
        return Shown(_say_sweep(now, here), _sweep_tiles(now, path, best, floor), marks)

    return move


def _one_beside_two(axes):
    """Make one large picture of the two on the left."""
    grid = axes[0, 0].get_gridspec()
    for ax in axes[:, 0]:
        ax.remove()
    return grid.figure.add_subplot(grid[:, 0])


def _draw_whole(ax, risk, confidential, floor):
    """Draw the risk of a file against the radius, thin, with what it is compared with."""
    most = 100 * risk.index.max()
    look.tidy(ax, "Expected match risk of the whole file", "radius r (%)", grid="y")
    ax.set(xlim=(-0.02 * most, 1.02 * most), ylim=(0, 1.28 * risk.max() or 1))
    ax.yaxis.set_major_formatter("{x:,.6g}")
    ax.yaxis.set_major_locator(_few_ticks())
    ax.plot(100 * risk.index, risk, **WHOLE)
    _draw_bounds(ax, confidential, floor)
    ends = [(risk.iloc[-1], "synthetic", look.GREEN)]
    if confidential is not None:
        ends.append((confidential.iloc[-1], "confidential", look.DARK))
    if floor is not None:
        ends.append((floor, "floor", look.WINE))
    look.name_ends(ax, ends)


def _draw_highest(ax, risk, best):
    """Mark where the risk is highest."""
    ax.plot([100 * best], [risk[best]], **look.MAXIMUM)
    left, right = ax.get_xlim()
    place = np.clip(100 * best, left + 0.07 * (right - left), right)  # no word on the axis
    above = {"away": (0, 10), "ha": "center", "bbox": look.ON_PAPER}
    look.label(ax, place, risk[best], "highest", look.PURPLE, **above)


def _few_ticks(whole=False):
    """Return what chooses about four ticks at round numbers, or at whole ones."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10], integer=whole)


def _draw_bounds(ax, confidential, floor):
    """Draw what a sweep is compared with: the confidential file above, the floor below."""
    if confidential is not None:
        ax.plot(100 * confidential.index, confidential, **look.LINES["confidential"])
    if floor is not None:
        ax.axhline(floor, **look.FLOOR)


def _draw_reason(ax, values, title, top):
    """Draw one of the two reasons, thin."""
    most = 100 * values.index.max()
    look.tidy(ax, "", grid="y", xlim=(-0.04 * most, 1.04 * most), ylim=(-0.06 * top, 1.12 * top))
    ax.set_title(title, fontsize=look.SMALL, loc="left", color=look.DARK)
    ax.yaxis.set_major_locator(_few_ticks(whole=True))
    ax.plot(100 * values.index, values, **WHOLE)


def _write_reason(ax, number, words, corner):
    """Write above a reason what it is now, and in a corner that is free what it does."""
    at_end = {"xycoords": "axes fraction", "ha": "right", "weight": "bold"}
    look.label(ax, 1, 1, number, look.ORANGE, away=(0, 5), **at_end)
    look.label(ax, *corner["at"], words, look.GREY, **corner["how"])


def _read_radius(radius, risk, share, c):
    """Read a point of the curve."""
    return (
        f"r = {say(100 * radius)} %\nexpected match risk {rounded(risk)}\n"
        f"T = 1 for {share:.0f} % of the records\nwith a typical c of {say(c)}"
    )


def _sweep_tiles(now, path, best, floor):
    """The file now, beside the floor; where it is highest; and the chosen record now."""
    risk = path.risk
    here = f"{_at(now.radius)}, floor {rounded(floor)}"
    c = int(now.record.c)
    T = int(now.record["T"])
    record = f"c = {c:,}, risk {f'1/{c:,}' if T and c > 1 else T}"
    return [
        Tile("expected match risk", rounded(risk[now.radius]), here, look.GREEN),
        Tile("highest", rounded(risk[best]), _at(best), look.PURPLE),
        own_record_tile(T, record, f"T of record {now.target}"),
    ]


def _at(radius):
    """Say at which radius."""
    return f"at r = {say(100 * radius)} %"


def _say_sweep(now, here):
    """Say what a search of this width finds, of the file and of the chosen record."""
    share = rounded(here["T"])
    found = (
        f"the own record of {share} % of the targets, typically as one of {say(here.c)} candidates"
    )
    if here["T"] == 0:
        found = "nobody's own record"
    elif here.c == 1:
        found = f"the own record of {share} % of the targets, typically as the only candidate"
    record = _say_record(now.target, int(now.record.c), now.record["T"], now.record.risk)
    return f"{_at(now.radius).capitalize()} the search finds {found}. {record}"


def _say_record(target, c, T, risk):
    """Say who the candidates of a record are, and what that is worth."""
    if c == 0:
        return f"Record {target} has no candidate: risk 0."
    if c == 1:
        whose = "its own record" if T else "somebody else's record"
        return f"Record {target} has 1 candidate, {whose}: risk {rounded(risk)}."
    own = "its own record among them" if T else "its own record not among them"
    return f"Record {target} has {c:,} candidates, {own}: risk {rounded(risk)}."


def sweep(
    synthetic: pd.DataFrame, best: float, confidential: pd.DataFrame | None = None, floor=None
) -> look.Standing:
    """Picture the expected match risk against the radius, which is highest at `best`.

    `synthetic` and `confidential` are sweeps of the two files, `floor` is a Match.
    """
    risk = synthetic.groupby("radius").expected_match_risk.mean()
    own = None
    if confidential is not None:
        own = confidential.groupby("radius").expected_match_risk.mean()
    lowest = None if floor is None else floor.summary().expected_match_risk
    figure, ax = look.figure(3.2)
    _draw_whole(ax, risk, own, lowest)
    ax.plot(100 * risk.index, risk, **UP_TO_NOW)
    _draw_highest(ax, risk, best)
    if synthetic.dataset.nunique() > 1:
        for _, one in synthetic.groupby("dataset"):
            ax.plot(100 * one.radius, one.expected_match_risk, color=look.GREEN, lw=0.6)
    tiles = [Tile("highest", rounded(risk[best]), _at(best), look.PURPLE)]
    if own is not None and best in own:
        tiles.append(Tile("confidential", rounded(own[best]), "at the same r"))
    words = f"The expected match risk against the radius is highest, {rounded(risk[best])}, at "
    words += f"{say(100 * best)} %"
    if lowest is not None:
        tiles.append(Tile("floor", rounded(lowest), "at every r", look.WINE))
        words += f"; the floor is {rounded(lowest)}"
    return look.show(figure, f"{words}.", tiles)


# ----------------------------------------------------------------------------- two radii

GREENS = ["#eef6f2", "#8fd0b8", look.GREEN, "#00543d"]  # on a dark page they shine the other way
CELL = {"edgecolor": look.PAPER, "linewidth": 1.5}
ON_MAP = {"markeredgecolor": "white", "markeredgewidth": 1.2, "markersize": 15}
ON_DOT = {
    "markeredgecolor": "white",
    "markersize": 8,
    "zorder": 6,
}  # where they meet, both are seen


@picture(
    height=3.06,
    columns=2,
    width_ratios=[1.45, 1],
    touch="Click a cell of the map to move both radii there.",
)
def surface_picture(axes, risk, best, plain, most):
    """The expected match risk over two radii, and beside it what it stands between.

    `risk` has a column for each radius of the first variable and a row for each of the second;
    it is highest at `best`. `plain` names both variables, and `most` is the longest bar.
    """
    ax, beside = axes
    first, second = plain.values()
    _draw_map(ax, risk)
    names = [f"radius of {name} (%)" for name in (first, second)]
    look.tidy(ax, "Greener is riskier", *names)
    ax.set_xticks(range(risk.shape[1]), [f"{100 * r:g}" for r in risk.columns])
    ax.set_yticks(range(risk.shape[0]), [f"{100 * r:g}" for r in risk.index])
    ax.tick_params(length=0)
    marks = _cells(ax, risk, first, second)
    look.tidy(beside, "At these two radii", xlim=(0, 1.25 * most), ylim=(2.6, -0.6), xticks=[])
    beside.set_yticks(range(3), look.BARS)
    beside.tick_params(length=0, labelcolor=look.DARK)
    beside.spines["bottom"].set_visible(False)

    def move(now):
        _draw_entries(
            ax,
            [(0.48, "these radii", look.NOW), (0.8, "highest", look.MAXIMUM)],
            height=1.06,
            across="axes fraction",
        )
        ax.plot(*_place(risk, now.now.values()), **look.NOW | ON_MAP)
        ax.plot(*_place(risk, best.values()), **look.MAXIMUM | ON_DOT)
        for place, (name, style) in enumerate(look.BARS.items()):
            height = now.risks[name]
            look.bars(beside, [place], [height], 0.6, across=True, **style)
            at = {"va": "center", "color": look.word(style["edgecolor"]), "size": look.NORMAL}
            look.label(beside, height, place, rounded(height), away=(5, 0), **at)
        return Shown(_say_surface(now), _surface_tiles(now), marks)

    return move


def _draw_map(ax, risk):
    """Draw a cell for each pair of radii, and what their colour means."""
    from matplotlib.colors import LinearSegmentedColormap

    greens = LinearSegmentedColormap.from_list("greens", GREENS)
    places = [range(number) for number in risk.shape[::-1]]
    mesh = ax.pcolormesh(*places, risk.to_numpy(), shading="nearest", cmap=greens, **CELL)
    scale = ax.figure.colorbar(mesh, ax=ax, fraction=0.05, pad=0.02)
    scale.outline.set_edgecolor(look.LIGHT)
    scale.outline.set_linewidth(0.6)
    scale.ax.tick_params(labelsize=look.SMALL, labelcolor=look.GREY, length=0)
    scale.ax.yaxis.set_major_locator(_few_ticks())
    scale.ax.yaxis.set_major_formatter("{x:,.6g}")
    scale.set_label("expected match risk", fontsize=look.SMALL, color=look.DARK)


def _place(risk, radii):
    """Return the column and the row of a pair of radii, each as a list."""
    first, second = radii
    return [risk.columns.get_loc(first)], [risk.index.get_loc(second)]


def _cells(ax, risk, first, second):
    """Return a mark for every cell of the map; a click moves both radii there."""
    made = []
    for y, row in enumerate(risk.index):
        for x, column in enumerate(risk.columns):
            words = (
                f"{first} within {say(100 * column)} %\n{second} within {say(100 * row)} %\n"
                f"expected match risk {rounded(risk.iloc[y, x])}"
            )
            cell = (x - 0.5, y - 0.5, x + 0.5, y + 0.5)
            made.append(Mark(ax, x, y, words, {"first": column, "second": row}, cell))
    return made


def _surface_tiles(now):
    """The risk at these radii, where it is highest, and the floor."""
    first, second = (say(100 * r) for r in now.best.values())
    return [
        Tile("expected match risk", rounded(now.risks["synthetic"]), "at these radii", look.GREEN),
        Tile("highest", rounded(now.top), f"at {first} % and {second} %", look.PURPLE),
        Tile("floor", rounded(now.risks["floor"]), "ignoring both", look.WINE),
    ]


def _say_surface(now):
    """Say which radii these are, and how the risk there compares with the highest."""
    at = " and ".join(f"{say(100 * r)} % for {now.plain[name]}" for name, r in now.now.items())
    risk = now.risks["synthetic"]
    own = rounded(now.risks["confidential"])
    if now.now == now.best:
        return (
            f"With a radius of {at} the risk is the highest of the map, so these are the radii to "
            f"report. In the confidential file it would be {own} there."
        )
    share = f"{100 * risk / now.top:.0f}" if now.top else "0"
    return (
        f"With a radius of {at} the risk is {share} % of the highest on the map. In the "
        f"confidential file it would be {own} there."
    )


def risk_table(sweep, names):
    """Return the expected match risk by the radius of the first name (across) and the second."""
    first, second = (f"radius_{name}" for name in names)
    return sweep.groupby([first, second]).expected_match_risk.mean().unstack(first)


def three_risks(at, synthetic, confidential, floor):
    """Read off the risk at one pair of radii in both files (sweeps), and the floor."""
    risks = {}
    for name, sweep in {"confidential": confidential, "synthetic": synthetic}.items():
        here = np.all([sweep[f"radius_{variable}"] == r for variable, r in at.items()], axis=0)
        risks[name] = sweep.expected_match_risk[here].mean()
    return risks | {"floor": floor.summary().expected_match_risk}


def surface(
    synthetic: pd.DataFrame, best: Mapping[str, float], confidential: pd.DataFrame, floor
) -> look.Standing:
    """Picture the expected match risk over two radii, and what it stands beside at its maximum.

    `synthetic` and `confidential` are sweeps of the two files over two variables, `best` is the
    maximizing radius of the first, `floor` is a Match.
    """
    risks = three_risks(best, synthetic, confidential, floor)
    plain = plain_names(best, synthetic)
    result = SimpleNamespace(now=best, best=best, risks=risks, top=risks["synthetic"], plain=plain)
    most = confidential.expected_match_risk.max()
    return surface_picture.show(result, risk_table(synthetic, best), best, plain, most)
