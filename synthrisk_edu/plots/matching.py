"""Pictures of matching: one target, and a whole file; `radius` draws what a radius does.

A lesson calls `narrowing`, `lineup`, `whole_file` or `share`, and gets a whole picture with words
for those who cannot see it. A panel draws its `frame_*` once and its `draw_*` at each move, which
is what makes it quick.
"""

import numpy as np

from synthrisk_edu.plots import look
from synthrisk_edu.words import about, listing

SUMMARIES = ("expected_match_risk", "true_match_rate", "false_match_rate")
SUMMARY_TITLES = {name: name.replace("_", " ") for name in SUMMARIES}
RISKIER = dict.fromkeys(SUMMARIES, "higher is riskier") | {"false_match_rate": "lower is riskier"}
BINS = {"0": 0, "1": 1, "2": 2, "3–5": 5, "6–10": 10, "11–100": 100, "101–1,000": 1000}
BINS |= {"more": np.inf}  # the most candidates in each
FILE_WIDTHS = [1.5, 1, 1, 1]  # the counts, and the three summaries
TINY = 8.5  # points, for names and numbers that stand close together
SHORT = {"confidential": "conf.", "synthetic": "synth.", "floor": "floor"}
ROLES = [
    ("candidate", look.CANDIDATE),
    ("true record, matched", look.TRUE_RECORD),
    ("true record, not matched", look.TRUE_RECORD | {"fillstyle": "none"}),
]


def frame_narrowing(ax, facts, n):
    """Draw the empty picture for at most `facts` facts about one of n persons."""
    powers = range(len(str(n)))
    ax.set_xlim(0, max(powers) + 0.7)
    ax.set_xticks(powers, [f"{10**power:,}" for power in powers])
    ax.set(ylim=(facts + 0.6, -0.6), yticks=[])
    look.tidy(ax, "persons who still fit", "number of persons (each step: ten times as many)")


def draw_narrowing(ax, steps):
    """Show how many persons are left after each fact; `steps` has columns `fact` and `left`."""
    place, length = np.arange(len(steps)), np.log10(steps.left)
    ax.barh(place, length + 0.03, color=look.BLUE, height=0.7)
    at_axis = ax.get_yaxis_transform()
    for y, fact, left, end in zip(place, steps.fact, steps.left, length, strict=True):
        ax.text(-0.01, y, fact, transform=at_axis, ha="right", va="center", fontsize=look.SMALL)
        ax.text(end + 0.08, y, f"{left:,}", va="center", fontsize=look.NORMAL)


def narrowing(steps):
    """Picture how many persons are left after each fact; `steps` comes from `narrow_down`."""
    figure, ax = look.figure(3.6)
    frame_narrowing(ax, len(steps) - 1, steps.left[0])
    draw_narrowing(ax, steps)
    counts = ", ".join(f"{left:,}" for left in steps.left)
    return look.show(figure, f"Bars, one per fact: the persons who still fit are {counts}.")


def frame_lineup(ax, columns=36, rows=8):
    """Draw the empty line-up."""
    ax.set(xlim=(-1, columns), ylim=(rows - 0.3, -0.7), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    look.legend(ax, ROLES, ncols=3, loc="upper left", bbox_to_anchor=(0, 0.02))


def draw_lineup(ax, match, i, columns=36, rows=8):
    """Show the candidates for target i: circles, and a square for the true record."""
    found = np.flatnonzero(match.matches(i))
    c, T = match.records.c.iloc[i], match.records["T"].iloc[i]
    shown = found[: columns * rows - 1]
    if T == 1 and i not in shown:
        shown = np.append(shown, i)
    x, y = np.arange(len(shown)) % columns, np.arange(len(shown)) // columns
    ax.plot(x[shown != i], y[shown != i], **look.CANDIDATE)
    if T == 1:
        ax.plot(x[shown == i], y[shown == i], **look.TRUE_RECORD)
    else:  # in the last place, which no candidate ever takes
        ax.plot([columns - 1], [rows - 1], fillstyle="none", **look.TRUE_RECORD)
    more = "" if len(shown) == c else f" ({len(shown):,} candidates shown)"
    look.headline(ax, f"the line-up: {verdict(match, i)}{more}")


def lineup(match, i):
    """Picture every candidate for target i, and the true record among them or beside them."""
    figure, ax = look.figure(1.5)
    frame_lineup(ax, rows=2)
    draw_lineup(ax, match, i, rows=2)
    return look.show(figure, f"The line-up for record {i}: {verdict(match, i)}.")


def verdict(match, i):
    """Say c, T and the risk of target i."""
    record = match.records.iloc[i]
    return f"c = {int(record.c):,},  T = {int(record['T'])},  risk T/c = {about(record.risk)}"


def frame_match_counts(ax, n):
    """Draw the empty picture of how many candidates each of n records has.

    Each step upwards is ten times as many records, so that a handful of uniques can be seen.
    """
    ax.set_xticks(range(len(BINS)), BINS, rotation=45, ha="right", rotation_mode="anchor")
    ax.set_xlim(-0.6, len(BINS) - 0.4)
    look.count_axis(ax, n)
    look.name_bars(ax)
    look.tidy(ax, "how many candidates?", "number of candidates c", "number of records")
    look.legend(ax, loc="upper left")


def draw_match_counts(ax, matches):
    """Show the number of records with 0, 1, 2, … candidates, for each Match of a mapping."""
    edges = [most + 0.5 for most in BINS.values()]
    width = 0.8 / len(matches)
    for place, (name, match) in enumerate(matches.items()):
        records = np.bincount(np.searchsorted(edges, match.records.c), minlength=len(BINS))
        some = np.flatnonzero(records)
        x = some + (place - (len(matches) - 1) / 2) * width
        height = np.log10(records[some]) + look.FOOT
        look.bars(ax, x, height, width, -look.FOOT, **look.BARS[name])


def frame_summaries(axes, limits, names=("confidential", "synthetic")):
    """Draw three empty pictures, one for each summary, with these upper limits."""
    for ax, (key, title), limit in zip(axes, SUMMARY_TITLES.items(), limits, strict=True):
        ax.set(xlim=(-0.6, len(names) - 0.4), ylim=(0, 1.2 * limit), yticks=[])
        ax.set_xticks(range(len(names)), [SHORT[name] for name in names])
        look.tidy(ax, title.replace(" ", "\n", 1), RISKIER[key])
        ax.tick_params(axis="x", labelsize=TINY)
        ax.spines["left"].set_visible(False)


def draw_summaries(axes, matches):
    """Show the three summaries, side by side for each Match of a mapping."""
    for place, (name, match) in enumerate(matches.items()):
        summary = match.summary()
        for ax, key in zip(axes, SUMMARY_TITLES, strict=True):
            value = np.nan_to_num(summary[key])
            look.bars(ax, [place], [value], 0.6, **look.BARS[name])
            text = "no\nunique\nmatch" if np.isnan(summary[key]) else about(value)
            above = value + 0.02 * ax.get_ylim()[1]
            ax.text(place, above, text, ha="center", fontsize=TINY)


def whole_file(matches):
    """Picture how many candidates everybody has, and the three summaries beside it.

    `matches` is a mapping from "confidential", "synthetic" and "floor" to a Match each.
    """
    margins = {"left": 0.1, "right": 0.99, "wspace": 0.25}
    figure, axes = look.figure(3.6, 4, margins=margins, width_ratios=FILE_WIDTHS)
    n = len(matches["confidential"].records)
    frame_match_counts(axes[0], n)
    draw_match_counts(axes[0], matches)
    axes[0].set_ylim(top=1.5 * np.log10(n) + 0.5)  # room for the legend above the bars
    frame_summaries(axes[1:], summary_limits(matches["confidential"]), list(matches))
    draw_summaries(axes[1:], matches)
    risks = [f"{name} {about(found.summary().iloc[0])}" for name, found in matches.items()]
    words = "Bars of records by number of candidates; expected match risk"
    return look.show(figure, f"{words}: {listing(risks)}.")


def summary_limits(confidential):
    """Choose upper limits for the three summaries: what the confidential file has, and 1."""
    most = confidential.summary()
    return [most.expected_match_risk, max(most.true_match_rate, 1e-6), 1.0]


def frame_share(axes, curve, floor):
    """Draw the three summaries against the share of records redrawn; `floor` is a Match."""
    for ax, (key, title) in zip(axes, SUMMARY_TITLES.items(), strict=True):
        ax.axhline(curve[key].iloc[0], label="confidential", **look.LINES["confidential"])
        ax.plot(100 * curve.share, curve[key], label="synthetic", **look.LINES["synthetic"])
        lowest = np.nan_to_num(floor.summary()[key])  # no unique match: none that is false
        ax.axhline(lowest, label="floor", **look.LINES["floor"])
        top = max(np.nan_to_num(curve[key].max()), 1e-9)
        ax.set(xlim=(-4, 104), ylim=(-0.05 * top, 1.1 * top))
        look.tidy(ax, f"{title}\n({RISKIER[key]})", "% of records redrawn")
    look.legend(axes[-1], loc="upper left")


def draw_share(axes, now):
    """Mark where we are now: a row of the curve."""
    look.draw_now(axes, 100 * now.share, now[list(SUMMARIES)])


def share(curve, floor):
    """Picture the three summaries against the share of records redrawn; see `share_curve`."""
    figure, axes = look.figure(3.1, 3, margins={"wspace": 0.45})
    frame_share(axes, curve, floor)
    first, last = (about(risk) for risk in curve.expected_match_risk.iloc[[0, -1]])
    lowest = about(floor.summary().expected_match_risk)
    words = "Three curves from 0 to 100 % of the records redrawn; the expected match risk goes"
    return look.show(figure, f"{words} from {first} to {last}, and the floor is {lowest}.")
