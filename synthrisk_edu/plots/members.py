"""Pictures of members and others: what was added, against the leaf, and against copying."""

import numpy as np

from synthrisk_edu.data import plain_names
from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Mark, Shown, Tile, columns, picture
from synthrisk_edu.words import counted, listing, percent, rounded, say_percent

# Who is asked about: people in the file, and people who never took part.
MEMBERS = {"color": look.BLUE, "linestyle": "-", "linewidth": 2.2}
OTHERS = {"color": look.DARK, "linestyle": "--", "linewidth": 1.8}
ADDED = look.word(look.PURPLE)
SMALL_NOW = look.NOW | {"markersize": 8}  # in a small picture

ROWS = {"members": 2, "others": 1, "added": 0}  # of the picture of the splits, from below
ROW_NAMES = {
    "members": "members\n(in the file)",
    "others": "others\n(never took part)",
    "added": "added\n(the difference)",
}
SPREAD = 0.6  # of the height of a row: so far dots lie apart that would hide each other


def _draw_rows(ax, title, low, high):
    """Draw the empty rows of members, others and what was added, from `low` to `high`."""
    look.tidy(ax, title, "% of the people; added: points", grid="x", xlim=(low, high))
    ax.set(ylim=(-0.5, 2.62))
    ax.set_yticks(list(ROWS.values()), ROW_NAMES.values())
    ax.tick_params(axis="y", labelcolor=look.DARK, length=0)
    ax.spines["left"].set_visible(False)
    ax.axvline(0, color=look.LIGHT, linewidth=1.2, zorder=1)


def split_limits(splits):
    """Return the ends of an axis on which every split can be drawn."""
    added = splits["members"] - splits["others"]
    top = splits[["members", "others"]].max(axis=None)
    return min(0, added.min()) - 0.03 * top - 0.5, 1.1 * top + 0.5


def _draw_splits(ax, splits, row):
    """Draw a dot for each split, the means, and the interval of what was added."""
    values = {
        "members": splits["members"],
        "others": splits["others"],
        "added": splits["members"] - splits["others"],
    }
    apart = SPREAD * (look.spread(np.arange(len(splits))) - 0.5)
    looks = {
        "members": {"marker": "o", "color": look.BLUE},
        "others": {"marker": "^", "color": look.DARK, "fillstyle": "none", "alpha": 0.4},
        "added": {"marker": ".", "color": ADDED},
    }
    for name, height in ROWS.items():
        style = {"linestyle": "none", "markersize": 4, "alpha": 0.6} | looks[name]
        ax.plot(values[name], height + apart, **style)
        _draw_mean(ax, row[name], height, looks[name]["color"], name)
    if np.isfinite(row.low):
        low_and_high = [row.low, row.high]
        ax.fill_between(low_and_high, -0.32, 0.32, color=ADDED, alpha=0.35, zorder=2)
    return [values[name].to_numpy() for name in ROWS], apart


def _draw_mean(ax, mean, height, color, name):
    """Mark a mean by a bar through its row, and write it above."""
    ax.plot([mean, mean], [height - 0.32, height + 0.32], color=color, linewidth=3, zorder=3)
    text = f"{say_percent(mean)} points" if name == "added" else percent(mean)
    above = {"away": (0, 3), "ha": "center", "bbox": look.ON_PAPER}
    look.label(ax, mean, height + 0.34, text, color, **above)


def members_and_others(found) -> look.Standing:
    """Draw members and others of every measure in every split; `found` is a `Members`."""
    summary = found.summary()
    names = plain_names(found.splits.measure.unique(), found.splits)
    figure, axes = look.figure(3.1, len(names), sharey=True, squeeze=False)
    for ax, (name, title) in zip(axes[0], names.items(), strict=True):
        splits = found.splits[found.splits.measure == name]
        _draw_rows(ax, title, *split_limits(splits))
        _draw_splits(ax, splits, summary.loc[name])
    words = "; ".join(
        f"{names[name]}: members {percent(row.members)}, others {percent(row.others)}, "
        f"{_interval(row)}"
        for name, row in summary.iterrows()
    )
    words = f"Dots for members and for others in every split. {words}."
    return look.show(figure, words, _measure_tiles(summary, names))


def _measure_tiles(summary, names):
    """Return the tiles of the only measure, or what was added to each of the first four."""
    if len(summary) == 1:
        return _member_tiles(summary.iloc[0])
    return [
        Tile(names[name], f"+{say_percent(row.added)}".replace("+-", "−"), "points added", ADDED)
        for name, row in summary.head(4).iterrows()
    ]


def _interval(row):
    """Say the interval of what was added; one split has none."""
    if np.isnan(row.low):
        return "one split: no interval"
    return f"95 % interval: {_digit(row.low)} to {_digit(row.high)}"


@picture(height=3.05, touch="Point at a dot to read its split.")
def members_picture(ax, limits):
    """DiSCO of members and of others in every split, and the difference with its interval."""
    _draw_rows(ax, "DiSCO, one dot for each way to split the people into halves", *limits)

    def move(now):
        values, apart = _draw_splits(ax, now.splits, now.row)
        marks = _split_marks(ax, now.splits, values, apart)
        return Shown(_say_members(now), _member_tiles(now.row), marks)

    return move


def _split_marks(ax, splits, values, apart):
    """Return a mark for every dot; the three dots of a split say the same."""
    words = [_read_split(split) for split in splits.itertuples()]
    made = []
    for height, row in zip(ROWS.values(), values, strict=True):
        for value, aside, text in zip(row, apart, words, strict=True):
            made.append(Mark(ax, value, height + aside, text))
    return made


def _read_split(split):
    """Read one split."""
    return (
        f"split {split.split}\nmembers {percent(split.members)}, "
        f"others {percent(split.others)}\n"
        f"added: {say_percent(split.members - split.others)} points"
    )


def _member_tiles(row):
    """Return members, others and what was added as tiles."""
    return [
        Tile("members", percent(row.members), "in the file", look.BLUE),
        Tile("others", percent(row.others), "never took part", look.DARK),
        Tile("points added", say_percent(row.added), _interval(row), ADDED),
    ]


def _say_members(now):
    """Say what is measured, what was added, and whether that is more than chance."""
    row = now.row
    *known, target = plain_names([*now.known, now.target], now.splits).values()
    if max(row.members, row.others) < 0.05:
        return (
            f"Knowing {listing(known)}, the intruder gets a single and right answer on {target} "
            "for hardly anybody, member or not: nothing is added."
        )
    rounding = _rounding(row.members, row.others, row.added)
    return (
        f"How often does an intruder who knows {listing(known)} get a single and right answer on "
        f"{target}? Taking part has added {_points(row.added)}{rounding}. "
        f"{_say_interval(row, now.splits.split.nunique())}"
    )


def _say_interval(row, number):
    """Say whether what was added is more than chance, as far as so many splits can tell."""
    if np.isnan(row.low):
        return "One split has no interval."
    splits = counted(number, "split", "splits")
    if round(row.low, 1) <= 0 <= round(row.high, 1):
        return f"The interval holds 0: these {splits} cannot tell it from nothing."
    return f"The interval leaves out 0: in {splits} this is more than chance."


def _digit(value):
    """Write a number with one digit after the point.

    >>> _digit(13.44), _digit(-0.04), _digit(2.0)
    ('13.4', '0', '2')
    """
    return f"{round(value, 1) + 0.0:g}"


def _points(added):
    """Say a difference of percentages.

    >>> _points(1.0), _points(13.4), _points(0.0)
    ('1 percentage point', '13 percentage points', '0 percentage points')
    """
    return f"{say_percent(added)} percentage point{'' if round(added, 1) == 1 else 's'}"


def _rounding(members, others, added):
    """Say that shares are rounded where their difference, as written, is another number.

    >>> _rounding(28.6, 15.2, 13.4), _rounding(28.6, 15.6, 13.0), _rounding(2.4, 1.6, 0.8)
    (' (the two shares are rounded)', '', '')
    """
    first, second, difference = (float(say_percent(one)) for one in (members, others, added))
    return "" if abs(first - second - difference) < 0.05 else " (the two shares are rounded)"


# Curves

WHOSE_RATIO = ("on members", "on others")
LEAF_TICKS = [1, 2, 5, 10, 20, 50, 100]  # each twice or two and a half times the one before


def _from_below_0(top):
    """Return the ends of an axis, such that dots and words at 0 or at the top are seen whole."""
    return -0.14 * top, 1.16 * top


def _draw_curves(ax, table, names):
    """Draw the curve of members and, if there is one, that of others; `names` are columns."""
    for name, style in zip(names, (MEMBERS, OTHERS), strict=False):
        ax.plot(table.index, table[name], **style)


def _name_curves(ax, table, names, k, words=("members", "others"), gap=9):
    """Write beside point k of both curves what they are: above the higher one, below the lower.

    `gap` points lie in between, so that the dot of the chosen point fits there.
    A table that ends before k is named at its last point. Where a curve falls or rises, the words
    begin or end at the point, so that it does not cross them.
    """
    members, others = (table[name] for name in names)
    last = len(table) - 1
    k = min(k, last)
    is_above = members.iloc[k] >= others.iloc[k]
    for text, curve, style, up in (
        (words[0], members, MEMBERS, is_above),
        (words[1], others, OTHERS, not is_above),
    ):
        is_rising = curve.iloc[min(k + 1, last)] > curve.iloc[max(k - 1, 0)]
        side = {
            "ha": "right" if is_rising == up else "left",
            "va": "bottom" if up else "top",
            "annotation_clip": False,
        }
        away = (0, gap if up else -gap)
        look.label(ax, table.index[k], curve.iloc[k], text, style["color"], away=away, **side)


def _curve_marks(ax, table, names, words, control):
    """Return a mark for every point of the first of some curves."""
    places = [value.item() for value in table.index.to_numpy()]
    return columns(ax, places, table[names[0]], words, control, places)


@picture(
    height=3.05,
    mosaic=[["risk", "copies"], ["risk", "ratio"]],
    width_ratios=[2.1, 1],
    touch="Click a curve to move the smallest leaf there.",
)
def leaf_picture(axes, mean, top, target):
    """DiSCO against the smallest leaf, large; copies and usefulness small beside it.

    `mean` has the copies and the pMSE ratios of every leaf; no DiSCO is higher than `top`.
    `target` is what the intruder wants to learn, in words.
    """
    copies = ["copies_members", "copies_others"]
    ratios = ["ratio_members", "ratio_others"]
    for ax in axes.values():
        ax.set(xscale="log", xlim=(0.8, 125))
        ax.minorticks_off()
    risk_ax = axes["risk"]
    risk_ax.set_xticks(LEAF_TICKS, LEAF_TICKS)
    look.tidy(
        risk_ax,
        f"DiSCO of {target} (% of the people)",
        "smallest leaf: at least so many records",
        grid="y",
        ylim=_from_below_0(top),
    )
    for name, title, parts in (
        ("copies", "Copied rows (%)", copies),
        ("ratio", "pMSE ratio", ratios),
    ):
        ax = axes[name]
        ax.set_xticks([1, 10, 100], [1, 10, 100])
        look.tidy(ax, title, grid="y", ylim=_from_below_0(mean[parts].max(axis=None)))
        _draw_curves(ax, mean, parts)
    axes["ratio"].set_xlabel("smallest leaf", fontsize=look.SMALL)
    _name_curves(axes["ratio"], mean, ratios, len(mean) // 2, WHOSE_RATIO, gap=4)
    beside = _leaf_marks(axes, mean, copies, ratios)

    def move(now):
        _draw_curves(risk_ax, now.table, ["members", "others"])
        _name_curves(risk_ax, now.table, ["members", "others"], 1)
        risk_ax.plot([now.row.name] * 2, now.row[["members", "others"]], **look.NOW)
        axes["copies"].plot([now.row.name] * 2, now.row[copies], **SMALL_NOW)
        axes["ratio"].plot([now.row.name] * 2, now.row[ratios], **SMALL_NOW)
        words = [_read_risk(row) for _, row in now.table.iterrows()]
        marks = _curve_marks(risk_ax, now.table, ["members"], words, "min_leaf")
        return Shown(_say_leaf(now), _leaf_tiles(now.row), [*marks, *beside])

    return move


def _records(leaf):
    """Say the size of the smallest leaf."""
    return f"at least {counted(leaf, 'record', 'records')} in a leaf"


def _read_risk(row):
    """Read one point of the curves of DiSCO."""
    return (
        f"{_records(row.name)}\nDiSCO of members {percent(row.members)}\n"
        f"DiSCO of others {percent(row.others)}"
    )


def _leaf_marks(axes, mean, copies, ratios):
    """Return the marks of copies and of usefulness, which no control changes."""
    of_copies = [
        f"{_records(row.name)}\n{percent(row.copies_members)} of the rows copy a member\n"
        f"{percent(row.copies_others)} equal one of the others"
        for _, row in mean.iterrows()
    ]
    of_ratios = [
        f"{_records(row.name)}\npMSE ratio on members {rounded(row.ratio_members)}\n"
        f"on others {rounded(row.ratio_others)}"
        for _, row in mean.iterrows()
    ]
    return [
        *_curve_marks(axes["copies"], mean, copies, of_copies, "min_leaf"),
        *_curve_marks(axes["ratio"], mean, ratios, of_ratios, "min_leaf"),
    ]


def _leaf_tiles(row):
    """Return DiSCO of both, the copies and the pMSE ratio of one leaf as tiles."""
    return [
        Tile("members", percent(row.members), "DiSCO", look.BLUE),
        Tile("others", percent(row.others), "DiSCO", look.DARK),
        Tile("copied", percent(row.copies_members), "of the rows", look.BLUE),
        Tile("pMSE ratio", rounded(row.ratio_others), "on others", look.DARK),
    ]


def _say_leaf(now):
    """Say what taking part adds with one leaf."""
    row = now.row
    added = row.members - row.others
    known = listing(plain_names(now.known, now.table).values())
    rounding = _rounding(row.members, row.others, added)
    return (
        f"With {_records(row.name)}, and an intruder who knows {known}, taking part adds "
        f"{_points(added)} of DiSCO{rounding}. Of the rows of the file "
        f"{percent(row.copies_others)} equal somebody who never took part."
    )


@picture(
    height=3.4,
    mosaic=[["distance", "copies"], ["distance", "disco"], ["distance", "ratio"]],
    width_ratios=[2.1, 1],
    touch="Click a curve to copy that share of the rows.",
)
def copies_picture(axes, table):
    """The distance to the closest person against copying, large; other measures beside it."""
    parts = {
        "distance": ["distance", "distance_others"],
        "copies": ["copies", "copies_others"],
        "disco": ["disco_members", "disco_others"],
        "ratio": ["ratio"],
    }
    titles = {
        "distance": "Half of the rows are at least this near to somebody",
        "copies": "Copied rows (%)",
        "disco": "DiSCO (%)",
        "ratio": "pMSE ratio",
    }
    for name, columns_of in parts.items():
        ax = axes[name]
        top = table[columns_of].max(axis=None)
        look.tidy(ax, titles[name], grid="y", xlim=(-4, 104), ylim=_from_below_0(top))
        ax.set_xticks([0, 25, 50, 75, 100])
        _draw_curves(ax, table, columns_of)
    axes["ratio"].lines[0].set_color(look.GREEN)  # of the file, whoever is asked about
    for name in ("copies", "disco"):
        axes[name].tick_params(labelbottom=False)
    axes["distance"].set_xlabel("copied rows (%)", fontsize=look.SMALL)
    axes["distance"].set_ylabel("median distance", fontsize=look.SMALL)
    axes["ratio"].set_xlabel("copied rows (%)", fontsize=look.SMALL)
    whose = ("to the closest member", "to the closest other")
    _name_curves(axes["distance"], table, parts["distance"], 2 * len(table) // 5, whose)
    last = table.iloc[max(len(table) - 2, 0)]
    at_end = {"ha": "right", "va": "bottom", "away": (0, 3)}
    look.label(axes["disco"], last.name, last.disco_others, "others", look.DARK, **at_end)
    above = table.iloc[len(table) // 2]
    look.label(axes["disco"], above.name, above.disco_members, "members", look.BLUE, **at_end)
    marks = _copy_marks(axes, table, parts)

    def move(now):
        for name, columns_of in parts.items():
            style = look.NOW if name == "distance" else SMALL_NOW
            axes[name].plot([now.row.name] * len(columns_of), now.row[columns_of], **style)
        return Shown(_say_copies(now), _copy_tiles(now), marks)

    return move


def _copy_marks(axes, table, parts):
    """Return a mark for every share of copied rows, in every picture."""
    rows = [row for _, row in table.iterrows()]
    words = {
        "distance": [
            f"to the closest member {row.distance:.3f}\n"
            f"to the closest other {row.distance_others:.3f}"
            for row in rows
        ],
        "copies": [
            f"{percent(row.copies)} of the rows copy a member\n"
            f"{percent(row.copies_others)} equal one of the others"
            for row in rows
        ],
        "disco": [
            f"DiSCO of members {percent(row.disco_members)}\n"
            f"DiSCO of others {percent(row.disco_others)}"
            for row in rows
        ],
        "ratio": [f"pMSE ratio {rounded(row.ratio)}" for row in rows],
    }
    made = []
    for name, columns_of in parts.items():
        texts = [
            f"{copied} % of the rows copied\n{text}"
            for copied, text in zip(table.index, words[name], strict=True)
        ]
        made += _curve_marks(axes[name], table, columns_of, texts, "percent")
    return made


def _copy_tiles(now):
    """Return what three measures see of the copying as tiles."""
    row = now.row
    distance = f"{row.distance:.3f}" if row.distance >= 0.0005 else "0"
    honest = f"honest: {rounded(now.honest)}"
    return [
        Tile("median distance", distance, "to a member", look.BLUE),
        Tile("DiSCO", percent(row.disco_members), "of members", look.BLUE),
        Tile("pMSE ratio", rounded(row.ratio), honest, look.GREEN),
    ]


HARDLY = 2  # per cent: fewer rows are hardly any


def _say_copies(now):
    """Say which measures notice the copying."""
    row = now.row
    if row.name == 0:
        few = "hardly a row copies a member"
        copied = few if row.copies < HARDLY else f"{percent(row.copies)} of the rows copy a member"
        return (
            f"The honest file: {copied}, half of the rows are within {row.distance:.3f} of a "
            f"member, and of somebody who never took part within {row.distance_others:.3f}."
        )
    return (
        f"With {row.name} % of the rows copied from members, DiSCO of the others is "
        f"{percent(row.disco_others)}: a copy says nothing of them. The pMSE ratio is "
        f"{_compared(row.ratio, now.honest)}"
    )


def _compared(ratio, honest):
    """Say how the pMSE ratio of a file with copies compares with that of the honest file.

    >>> _compared(0.9, 1.4)
    'better than the 1.4 of the honest file: usefulness praises the copying.'
    >>> _compared(1.41, 1.4), _compared(1.5, 1.4)
    ('as good as the 1.4 of the honest file.', 'worse than the 1.4 of the honest file.')
    """
    whose = f"the {rounded(honest)} of the honest file"
    if rounded(ratio) == rounded(honest):
        return f"as good as {whose}."
    if ratio < honest:
        return f"better than {whose}: usefulness praises the copying."
    return f"worse than {whose}."


def distances(made: np.ndarray, others: np.ndarray) -> look.Standing:
    """Picture how near synthetic records, and other people, are to the nearest true record.

    `made` and `others` come from `nearest_distances`.
    """
    figure, ax = look.figure(2.8)
    end = max(np.quantile(others, 0.99), 1e-9) * 1.05
    look.tidy(
        ax,
        "How far is the nearest person?",
        "distance to the nearest person",
        "% of the rows within it",
        grid="y",
        xlim=(0, end),
        ylim=(0, 104),
    )
    made_is_nearer = np.median(made) <= np.median(others)
    for values, text, line, is_nearer in (
        (others, "other people", "confidential", not made_is_nearer),
        (made, "synthetic rows", "synthetic", made_is_nearer),
    ):
        steps = np.arange(1, len(values) + 1) / len(values)
        style = look.LINES[line]
        ax.plot(np.sort(values), 100 * steps, **style)
        _name_steps(ax, values, text, style["color"], end, is_nearer)
    middle = np.median(others)
    share = percent(100 * np.mean(made <= middle))
    words = (
        f"Two rising curves: {share} of the synthetic rows are at most {middle:.3f} away from the "
        f"nearest person, of other people it is half; half of the synthetic rows are within "
        f"{np.median(made):.3f}."
    )
    tiles = [
        Tile("synthetic rows", f"{np.median(made):.3f}", "median distance", look.GREEN),
        Tile("other people", f"{middle:.3f}", "median distance", look.DARK),
        Tile("within that", share, "of the synthetic rows", look.GREEN),
    ]
    return look.show(figure, words, tiles)


def _name_steps(ax, values, text, color, end, is_nearer):
    """Write beside a rising curve what it is: on its left if it is the nearer one, if possible."""
    level = 75 if is_nearer else 45
    at = np.quantile(values, level / 100)
    is_left = is_nearer and at > 0.25 * end
    side = {"ha": "right" if is_left else "left", "va": "center"}
    look.label(ax, at, level, text, color, away=(-9 if is_left else 9, 0), **side)
