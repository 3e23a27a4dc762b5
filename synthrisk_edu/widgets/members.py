"""Panels of lesson 08: members and others."""

from types import SimpleNamespace

from synthrisk_edu.data import plain_names
from synthrisk_edu.members import Members
from synthrisk_edu.plots import look
from synthrisk_edu.plots import members as pictures
from synthrisk_edu.plots.members import COPY_PARTS, LEAF_PARTS
from synthrisk_edu.widgets.panel import (
    Canvas,
    Panel,
    Ticks,
    percent_slider,
    step_slider,
    variable_menu,
)
from synthrisk_edu.words import listing, say_rounded


def members_panel(results, keys, targets):
    """Build panel (a), of keys and target; `results` are the stored DiSCO of every choice."""
    margins = {"left": 0.09, "right": 0.98, "top": 0.9, "bottom": 0.2, "wspace": 0.3}
    figure = look.figure(3.5, 2, margins=margins, width_ratios=[2, 1])
    top = 1.15 * results[["members", "others"]].to_numpy().max()

    def frame(axes):
        pictures.frame_members(axes[0], "members and others, split by split", top)
        pictures.frame_added(axes[1], 30)

    def compute(known, target):
        chosen = results[(results["keys"] == "+".join(known)) & (results.target == target)]
        if chosen.empty:
            return None
        found = Members(chosen.assign(measure=target))
        return SimpleNamespace(found=found, known=known, target=target)

    def draw(axes, now):
        pictures.draw_members(axes[0], now.found.splits)
        pictures.draw_added(axes[1], now.found.summary(100).iloc[0])

    controls = {
        "known": Ticks("the intruder knows", plain_names(keys, results), keys),
        "target": variable_menu("wants to learn", plain_names(targets, results)),
    }
    nothing = "An intruder who knows nothing can look nobody up: tick at least one key."
    return Panel(controls, compute, draw, say_members, Canvas(*figure, frame), nothing=nothing)


def say_members(now):
    """Read members, others and what was added aloud."""
    row, splits = now.found.summary(100).iloc[0].round(1), now.found.splits.split.nunique()
    *known, target = plain_names([*now.known, now.target], now.found.splits).values()
    start = f"Knowing {listing(known)}, an intruder gets a single and right answer on {target} for "
    if row.members == row.others == 0:
        return f"{start}hardly anybody, member or not: nothing is added."
    none = f"holds 0: these {splits} splits cannot tell it from nothing"
    sure = none if row.low <= 0 <= row.high else "leaves out 0"
    point = "point" if row.added == 1 else "points"
    return (
        f"{start}{say_rounded(row.members)} % of the members and {say_rounded(row.others)} % of "
        f"the others. Taking part has added {say_rounded(row.added)} percentage {point}"
        f"{_rounding(row.members, row.others, row.added)}. The interval, {say_rounded(row.low)} "
        f"to {say_rounded(row.high)}, {sure}."
    )


def _rounding(members, others, added):
    """Say that shares are rounded where their difference, as written, is another number.

    >>> _rounding(28.6, 15.2, 13.4), _rounding(28.6, 15.6, 13.0), _rounding(2.4, 1.6, 0.8)
    (' (the two shares are rounded)', '', '')
    """
    first, second, difference = (float(say_rounded(one)) for one in (members, others, added))
    return "" if abs(first - second - difference) < 0.05 else " (the two shares are rounded)"


def leaf_panel(results):
    """Build panel (b), of the smallest leaf: risk, copies and usefulness."""
    mean = results.groupby("min_leaf").mean()
    margins = {"left": 0.06, "right": 0.99, "top": 0.88, "bottom": 0.17, "wspace": 0.25}

    def compute(min_leaf):
        place = list(mean.index).index(min_leaf)
        return SimpleNamespace(leaf=min_leaf, place=place, row=mean.loc[min_leaf])

    def draw(axes, now):
        values = [[now.row[column] for column in columns] for columns in LEAF_PARTS.values()]
        look.draw_now(axes, now.place, values)

    controls = {"min_leaf": step_slider("smallest leaf", mean.index.tolist(), 5)}
    canvas = Canvas(*look.figure(3.4, 3, margins=margins), pictures.frame_leaves, results)
    return Panel(controls, compute, draw, say_leaf, canvas)


def say_leaf(now):
    """Read the three pictures aloud."""
    row, added = now.row, now.row.members - now.row.others
    return (
        f"With at least {now.leaf} record{'s' if now.leaf > 1 else ''} in a leaf, DiSCO is "
        f"{say_rounded(row.members)} % for members and {say_rounded(row.others)} % for others: "
        f"{say_rounded(added)} points added{_rounding(row.members, row.others, added)}. "
        f"{say_rounded(row.copies_members)} % of the rows copy a member, "
        f"{say_rounded(row.copies_others)} % equal one of the others. The pMSE ratio is "
        f"{say_rounded(row.ratio_members)} on members and {say_rounded(row.ratio_others)} on "
        "others."
    )


def copies_panel(results):
    """Build panel (c), of copying: which measures notice?"""
    table = results.set_index("percent")
    margins = {"left": 0.05, "right": 0.98, "top": 0.88, "bottom": 0.18, "wspace": 0.3}

    def compute(percent):
        return SimpleNamespace(percent=percent, row=table.loc[percent], honest=table.loc[0])

    def draw(axes, now):
        values = [[now.row[name] for name in columns] for columns in COPY_PARTS.values()]
        look.draw_now(axes, now.percent, values)

    controls = {"percent": percent_slider("rows copied", 0, 100, 20, step=5)}
    canvas = Canvas(*look.figure(3.2, 4, margins=margins), pictures.frame_copying, results)
    return Panel(controls, compute, draw, say_copies, canvas)


def say_copies(now):
    """Say what each measure sees of the copying."""
    row, honest = now.row, say_rounded(now.honest.ratio)
    nearer = f"nearer than {row.distance:.3f} to" if row.distance >= 0.0005 else "equal to"
    end = f", better than the {honest} of the honest file: usefulness praises the copying."
    return (
        f"With {now.percent} % of the rows copied from members, {say_rounded(row.copies)} % of "
        f"the file copies a member ({say_rounded(row.copies_others)} % one of the others). "
        f"DiSCO is {say_rounded(row.disco_members)} % for members and "
        f"{say_rounded(row.disco_others)} % for others. Half of the rows are {nearer} a member "
        f"(nearer than {row.distance_others:.3f} to one of the others). "
        f"The pMSE ratio is {say_rounded(row.ratio)}"
        + (end if now.percent else ". This is the honest file itself.")
    )
