"""Pictures of members and others: what was added, against the leaf, and against copying."""

import numpy as np

from synthrisk_edu.data import plain_names
from synthrisk_edu.plots import look
from synthrisk_edu.words import say_rounded

MEMBERS = {"marker": "o", "color": look.BLUE, "markersize": 7}
OTHERS = {"marker": "^", "color": look.DARK, "markersize": 7, "fillstyle": "none"}


def members_and_others(found, whole=100):
    """Draw members and others of every measure in every split; `found` is a `Members`."""
    summary, names = found.summary(whole), plain_names(found.splits.measure.unique(), found.splits)
    figure, axes = look.figure(3.2, len(names), squeeze=False)
    for ax, (name, title) in zip(axes[0], names.items(), strict=True):
        splits = found.splits[found.splits.measure == name]
        frame_members(ax, title, 1.15 * splits[["members", "others"]].to_numpy().max())
        draw_members(ax, splits)
    words = "; ".join(
        f"{name}: members {say_rounded(row.members)}, others {say_rounded(row.others)}"
        for name, row in summary.iterrows()
    )
    return look.show(figure, f"Dots for members and for others in every split. {words}.")


def frame_members(ax, title, top):
    """Draw the empty picture of members beside others, in per cent up to `top`."""
    ax.set_xticks([0, 1], ["members\n(in the file)", "others\n(never took part)"])
    look.tidy(ax, title, "", "DiSCO (% of the persons)", xlim=(-0.5, 1.5), ylim=(0, top))


def draw_members(ax, splits):
    """Draw one measure: a line for each split, and the two means."""
    pairs = splits[["members", "others"]].to_numpy()
    for pair in pairs:
        ax.plot([0, 1], pair, color=look.LIGHT, linewidth=0.8, zorder=1)
    for place, style in enumerate((MEMBERS, OTHERS)):
        ax.plot(np.full(len(pairs), place), pairs[:, place], linestyle="none", **style)
        mean = pairs[:, place].mean()
        ax.plot([place - 0.22, place + 0.22], [mean, mean], color=look.ORANGE, linewidth=3)
        ax.text(place + 0.25, mean, say_rounded(mean), va="center", fontsize=look.NORMAL)


def draw_added(ax, row):
    """Draw the difference with its interval, in axes of its own."""
    reach = [[row.added - row.low], [row.high - row.added]]
    style = {"fmt": "D", "color": look.PURPLE, "markersize": 9, "capsize": 8, "linewidth": 2}
    ax.errorbar([0], [row.added], yerr=reach, **style)
    ax.text(0.25, row.added, say_rounded(row.added), va="center", fontsize=look.NORMAL)


def frame_added(ax, top):
    """Draw the empty picture of the difference."""
    ax.axhline(0, color=look.DARK, linewidth=1)
    ax.set_xticks([0], ["added by\ntaking part"])
    ax.set(xlim=(-0.8, 0.8), ylim=(-0.2 * top, top))
    look.tidy(ax, "members − others", "", "percentage points")


LEAF_PARTS = {
    "DiSCO of marital (%)": ("members", "others"),
    "copied rows (%)": ("copies_members", "copies_others"),
    "pMSE ratio": ("ratio_members", "ratio_others"),
}
COPY_PARTS = {
    "copied rows (%)": ("copies", "copies_others"),
    "DiSCO of marital (%)": ("disco_members", "disco_others"),
    "distance to the closest": ("distance", "distance_others"),
    "pMSE ratio": ("ratio",),
}


def frame_leaves(axes, table):
    """Draw the curves against the smallest leaf."""
    mean = table.groupby("min_leaf").mean()
    places = range(len(mean))
    for ax, (title, columns) in zip(axes, LEAF_PARTS.items(), strict=True):
        _two_curves(ax, places, mean, columns)
        ax.set_xticks(places[::3], [str(leaf) for leaf in mean.index[::3]])
        look.tidy(ax, title, "smallest leaf")
    look.legend(axes[0], loc="upper right")


def frame_copying(axes, table):
    """Draw the curves against the share that is copied."""
    mean = table.set_index("percent")
    for ax, (title, columns) in zip(axes, COPY_PARTS.items(), strict=True):
        _two_curves(ax, mean.index, mean, columns)
        look.tidy(ax, title, "copied (%)", xlim=(-6, 106))  # so that no dot is cut
    look.legend(axes[0], loc="upper left")


def _two_curves(ax, x, mean, columns):
    """Draw members as a full line and others as a dashed one, from a little below 0."""
    looks = ((look.BLUE, "-", "members"), (look.DARK, "--", "others"))
    for column, (colour, line, label) in zip(columns, looks, strict=False):
        ax.plot(x, mean[column], color=colour, linestyle=line, label=label)
    top = mean[list(columns)].to_numpy().max()
    ax.set_ylim(-0.05 * top, 1.12 * top)  # so that a dot at 0 is seen whole
