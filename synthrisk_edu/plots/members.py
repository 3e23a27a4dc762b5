"""Pictures of members and others: what was added, against the leaf, and against copying."""

import numpy as np
from IPython.display import Image

from synthrisk_edu.data import plain_names
from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Picture
from synthrisk_edu.words import listing, say_percent

DOTS = (
    {"marker": "o", "color": look.BLUE, "markersize": 7},  # of members
    {"marker": "^", "color": look.DARK, "markersize": 7, "fillstyle": "none"},  # of others
)
CROWD = 30  # with more splits than this, dots and lines are drawn finer
CURVES = ((look.BLUE, "-", "members"), (look.DARK, "--", "others"))
LEAF_PARTS = {
    "DiSCO of marital (%)": ["members", "others"],
    "copied rows (%)": ["copies_members", "copies_others"],
    "pMSE ratio": ["ratio_members", "ratio_others"],
}
COPY_PARTS = {
    "copied rows (%)": ["copies", "copies_others"],
    "DiSCO of marital (%)": ["disco_members", "disco_others"],
    "distance to the closest": ["distance", "distance_others"],
    "pMSE ratio": ["ratio"],
}


def members_and_others(found) -> Image:
    """Draw members and others of every measure in every split; `found` is a `Members`."""
    summary, names = found.summary(), plain_names(found.splits.measure.unique(), found.splits)
    figure, axes = look.figure(3.2, len(names), squeeze=False)
    for ax, (name, title) in zip(axes[0], names.items(), strict=True):
        splits = found.splits[found.splits.measure == name]
        _frame_splits(ax, title, 1.15 * splits[["members", "others"]].to_numpy().max())
        _draw_splits(ax, splits, summary.loc[name])
    words = "; ".join(
        f"{name}: members {say_percent(row.members)}, others {say_percent(row.others)}"
        for name, row in summary.iterrows()
    )
    return look.show(figure, f"Dots for members and for others in every split. {words}.")


def _frame_splits(ax, title, top):
    """Draw the empty picture of members beside others, in per cent up to `top`."""
    ax.set_xticks([0, 1], ["members\n(in the file)", "others\n(never took part)"])
    look.tidy(ax, title, "", "DiSCO (% of the persons)", xlim=(-0.5, 1.5), ylim=(0, top))


def _draw_splits(ax, splits, row):
    """Draw one measure: a line for each split, and the two means."""
    pairs = splits[["members", "others"]].to_numpy()
    is_crowd = len(pairs) > CROWD
    line = {"linewidth": 0.4, "alpha": 0.4} if is_crowd else {"linewidth": 0.8}
    for pair in pairs:
        ax.plot([0, 1], pair, color=look.LIGHT, zorder=1, **line)
    for place, (style, mean) in enumerate(zip(DOTS, (row.members, row.others), strict=True)):
        dot = style | {"markersize": 3, "alpha": 0.6} if is_crowd else style
        ax.plot(np.full(len(pairs), place), pairs[:, place], linestyle="none", **dot)
        ax.plot([place - 0.22, place + 0.22], [mean, mean], color=look.ORANGE, linewidth=3)
        ax.text(place + 0.25, mean, say_percent(mean), va="center", fontsize=look.NORMAL)


def frame_members(axes, top):
    """Draw the empty pictures of members beside others, and of the difference."""
    _frame_splits(axes[0], "members and others, split by split", top)
    axes[1].axhline(0, color=look.DARK, linewidth=1)
    axes[1].set_xticks([0], ["added by\ntaking part"])
    axes[1].set(xlim=(-0.8, 0.8), ylim=(-6, 30))
    look.tidy(axes[1], "members − others", "", "percentage points")


def draw_members(axes, now):
    """Show every split, and the difference with its interval; `now.row` is of the summary."""
    row = now.row
    _draw_splits(axes[0], now.splits, row)
    reach = [[row.added - row.low], [row.high - row.added]]
    style = {"fmt": "D", "color": look.PURPLE, "markersize": 9, "capsize": 8, "linewidth": 2}
    axes[1].errorbar([0], [row.added], yerr=reach, **style)
    axes[1].text(0.25, row.added, say_percent(row.added), va="center", fontsize=look.NORMAL)


def say_members(now):
    """Read members, others and what was added aloud."""
    row, splits = now.row.round(1), now.splits.split.nunique()
    *known, target = plain_names([*now.known, now.target], now.splits).values()
    start = f"Knowing {listing(known)}, an intruder gets a single and right answer on {target} for "
    if row.members == row.others == 0:
        return f"{start}hardly anybody, member or not: nothing is added."
    none = f"holds 0: these {splits} splits cannot tell it from nothing"
    sure = none if row.low <= 0 <= row.high else "leaves out 0"
    point = "point" if row.added == 1 else "points"
    return (
        f"{start}{say_percent(row.members)} % of the members and {say_percent(row.others)} % of "
        f"the others. Taking part has added {say_percent(row.added)} percentage {point}"
        f"{_rounding(row.members, row.others, row.added)}. The interval, {say_percent(row.low)} "
        f"to {say_percent(row.high)}, {sure}."
    )


def _rounding(members, others, added):
    """Say that shares are rounded where their difference, as written, is another number.

    >>> _rounding(28.6, 15.2, 13.4), _rounding(28.6, 15.6, 13.0), _rounding(2.4, 1.6, 0.8)
    (' (the two shares are rounded)', '', '')
    """
    first, second, difference = (float(say_percent(one)) for one in (members, others, added))
    return "" if abs(first - second - difference) < 0.05 else " (the two shares are rounded)"


MEMBERS = Picture(
    frame_members,
    draw_members,
    say_members,
    {
        "height": 3.5,
        "columns": 2,
        "margins": {"left": 0.09, "right": 0.98, "top": 0.9, "bottom": 0.2, "wspace": 0.3},
        "width_ratios": [2, 1],
    },
)


LEAF_TICKS = [1, 2, 5, 10, 20, 50, 100]  # each twice or two and a half times the one before


def frame_leaves(axes, tops):
    """Draw the empty pictures against the smallest leaf; `tops` are the highest values in them."""
    for ax, title, top in zip(axes, LEAF_PARTS, tops, strict=True):
        ax.set_xscale("log")
        ax.set_xticks(LEAF_TICKS, LEAF_TICKS)
        ax.minorticks_off()
        look.tidy(ax, title, "smallest leaf", xlim=(0.75, 133), ylim=_from_below_0(top))
    _name_curves(axes[0], "upper right")


def _from_below_0(top):
    """Return the ends of an axis, such that a dot at 0 or at the top is seen whole."""
    return -0.05 * top, 1.12 * top


def _name_curves(ax, place):
    """Say which line is of members and which is of others, before there is any."""
    for colour, line, label in CURVES:
        ax.plot([], [], color=colour, linestyle=line, label=label)
    look.legend(ax, loc=place)


def _draw_so_far(axes, parts, so_far, now):
    """Draw members as a full line and others as a dashed one, as far as the slider has come."""
    for ax, columns in zip(axes, parts.values(), strict=True):
        for column, (colour, line, _) in zip(columns, CURVES, strict=False):
            ax.plot(so_far.index, so_far[column], color=colour, linestyle=line)
    look.draw_now(axes, now.name, [now[columns] for columns in parts.values()])


def draw_leaf(axes, now):
    """Draw the curves from the largest leaf down to this one."""
    _draw_so_far(axes, LEAF_PARTS, now.so_far, now.row)


def say_leaf(now):
    """Read the three pictures aloud."""
    row, added = now.row, now.row.members - now.row.others
    known = listing(plain_names(now.known, now.so_far).values())
    return (
        f"With at least {row.name} record{'s' if row.name > 1 else ''} in a leaf, and an intruder "
        f"who knows {known}, DiSCO is {say_percent(row.members)} % for members and "
        f"{say_percent(row.others)} % for others: "
        f"{say_percent(added)} points added{_rounding(row.members, row.others, added)}. "
        f"{say_percent(row.copies_members)} % of the rows copy a member, "
        f"{say_percent(row.copies_others)} % equal one of the others. The pMSE ratio is "
        f"{say_percent(row.ratio_members)} on members and {say_percent(row.ratio_others)} on "
        "others."
    )


LEAVES = Picture(
    frame_leaves,
    draw_leaf,
    say_leaf,
    {
        "height": 3.4,
        "columns": 3,
        "margins": {"left": 0.06, "right": 0.99, "top": 0.88, "bottom": 0.17, "wspace": 0.25},
    },
)


def frame_copies(axes, tops):
    """Draw the empty pictures against the share that is copied; `tops` as in `frame_leaves`."""
    for ax, title, top in zip(axes, COPY_PARTS, tops, strict=True):
        look.tidy(ax, title, "copied (%)", xlim=(-6, 106), ylim=_from_below_0(top))
    _name_curves(axes[0], "upper left")


def draw_copies(axes, now):
    """Draw the curves from the honest file up to this share."""
    _draw_so_far(axes, COPY_PARTS, now.so_far, now.row)


def say_copies(now):
    """Say what each measure sees of the copying."""
    row, percent, honest = now.row, now.row.name, say_percent(now.so_far.ratio[0])
    nearer = f"nearer than {row.distance:.3f} to" if row.distance >= 0.0005 else "equal to"
    end = f", better than the {honest} of the honest file: usefulness praises the copying."
    return (
        f"With {percent} % of the rows copied from members, {say_percent(row.copies)} % of "
        f"the file copies a member ({say_percent(row.copies_others)} % one of the others). "
        f"DiSCO is {say_percent(row.disco_members)} % for members and "
        f"{say_percent(row.disco_others)} % for others. Half of the rows are {nearer} a member "
        f"(nearer than {row.distance_others:.3f} to one of the others). "
        f"The pMSE ratio is {say_percent(row.ratio)}"
        + (end if percent else ". This is the honest file itself.")
    )


COPIES = Picture(
    frame_copies,
    draw_copies,
    say_copies,
    {
        "height": 3.2,
        "columns": 4,
        "margins": {"left": 0.05, "right": 0.98, "top": 0.88, "bottom": 0.18, "wspace": 0.3},
    },
)


def distances(made: np.ndarray, others: np.ndarray) -> Image:
    """Picture how near synthetic records, and other people, are to the nearest true record.

    `made` and `others` come from `nearest_distances`.
    """
    figure, ax = look.figure(2.7, margins={"left": 0.1, "right": 0.98, "top": 0.9, "bottom": 0.2})
    for values, label, line in (
        (others, "other people", "confidential"),
        (made, "synthetic rows", "synthetic"),
    ):
        steps = np.arange(1, len(values) + 1) / len(values)
        ax.plot(np.sort(values), 100 * steps, label=label, **look.LINES[line])
    ax.set(xlim=(0, max(np.quantile(others, 0.99), 1e-9) * 1.05), ylim=(0, 104))
    look.tidy(ax, "how far is the nearest person?", "distance at most", "% of the rows")
    look.legend(ax, loc="lower right")
    middle = np.median(others)
    share = say_percent(100 * np.mean(made <= middle))
    words = f"{share} % of the synthetic rows are at most {middle:.3f} away from the nearest person"
    return look.show(figure, f"{words}; of other people it is half.")
