"""Pictures of matching: one target, and a whole file; `radius` draws what a radius does."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from IPython.display import Image

from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Picture
from synthrisk_edu.words import counted, listing, rounded, say

SUMMARIES = ("expected_match_risk", "true_match_rate", "false_match_rate")
SUMMARY_TITLES = {name: name.replace("_", " ") for name in SUMMARIES}
RISKIER = dict.fromkeys(SUMMARIES, "higher is riskier") | {"false_match_rate": "lower is riskier"}
BINS = {"0": 0, "1": 1, "2": 2, "3–5": 5, "6–10": 10, "11–100": 100, "101–1,000": 1000}
BINS |= {"more": np.inf}  # the most candidates in each
COLUMNS, ROWS = 36, 5  # of the line-up
ONE = {"left": 0.04, "right": 0.98, "top": 0.89, "bottom": 0.16}  # margins around one picture
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


def say_narrowing(steps):
    """Read the last step aloud."""
    left, facts = steps.left.iloc[-1], len(steps) - 1
    if facts == 0:
        return f"Knowing nothing, the intruder faces all {left:,} persons."
    known = listing(steps.fact[1:])
    if left == 1:
        return f"Knowing {known}, one person is left: this combination is unique in the file."
    return f"Knowing {known}, {left:,} of the {steps.left.iloc[0]:,} persons still fit."


NARROWING = Picture(
    frame_narrowing,
    draw_narrowing,
    say_narrowing,
    {"height": 3.5, "margins": ONE | {"left": 0.53}},
)


def narrowing(steps: pd.DataFrame) -> Image:
    """Picture how many persons are left after each fact; `steps` comes from `narrow_down`."""
    return NARROWING.show(steps, len(steps) - 1, steps.left[0])


def frame_lineup(ax):
    """Draw the empty line-up."""
    ax.set(xlim=(-1, COLUMNS), ylim=(ROWS - 0.3, -0.7), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    look.legend(ax, ROLES, ncols=3, loc="upper left", bbox_to_anchor=(0, 0.02))


def draw_lineup(ax, result):
    """Show the candidates for a target i: circles, and a square for the true record."""
    match, i = result.match, result.target
    found = np.flatnonzero(match.matches(i))
    c, T = match.records.c.iloc[i], match.records["T"].iloc[i]
    shown = found[: COLUMNS * ROWS - 1]
    if T == 1 and i not in shown:
        shown = np.append(shown, i)
    x, y = np.arange(len(shown)) % COLUMNS, np.arange(len(shown)) // COLUMNS
    ax.plot(x[shown != i], y[shown != i], **look.CANDIDATE)
    if T == 1:
        ax.plot(x[shown == i], y[shown == i], **look.TRUE_RECORD)
    else:  # in the last place, which no candidate ever takes
        ax.plot([COLUMNS - 1], [ROWS - 1], fillstyle="none", **look.TRUE_RECORD)
    more = "" if len(shown) == c else f" ({len(shown):,} candidates shown)"
    look.headline(ax, f"the line-up: {verdict(match, i)}{more}")


def say_target(result):
    """Tell whom the intruder looks for, finds, and what that is worth."""
    return result.match.explain(result.target)


LINEUP = Picture(
    frame_lineup, draw_lineup, say_target, {"height": 1.76, "margins": ONE | {"top": 0.86}}
)


def lineup(match, i: int) -> Image:
    """Picture every candidate for target i, and the true record among them or beside them."""
    return LINEUP.show(SimpleNamespace(match=match, target=i))


def verdict(match, i):
    """Say c, T and the risk of target i."""
    record = match.records.iloc[i]
    return f"c = {int(record.c):,}, T = {int(record['T'])}, risk T/c = {rounded(record.risk)}"


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


def summary_limits(confidential):
    """Choose upper limits for the three summaries: what the confidential file has, and 1."""
    most = confidential.summary()
    return [most.expected_match_risk, max(most.true_match_rate, 1e-6), 1.0]


def frame_summaries(axes, limits):
    """Draw three empty pictures, one for each summary, with these upper limits."""
    for ax, (key, title), limit in zip(axes, SUMMARY_TITLES.items(), limits, strict=True):
        ax.set(xlim=(-0.6, len(SHORT) - 0.4), ylim=(0, 1.2 * limit), yticks=[])
        ax.set_xticks(range(len(SHORT)), SHORT.values())
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
            text = "no\nunique\nmatch" if np.isnan(summary[key]) else rounded(value)
            above = value + 0.02 * ax.get_ylim()[1]
            ax.text(place, above, text, ha="center", fontsize=TINY)


def frame_file(axes, confidential):
    """Draw the empty picture of a whole file; `confidential` is its Match with itself."""
    frame_match_counts(axes[0], len(confidential.records))
    frame_summaries(axes[1:], summary_limits(confidential))


def draw_file(axes, matches):
    """Show how many candidates everybody has, and the three summaries beside it."""
    draw_match_counts(axes[0], matches)
    draw_summaries(axes[1:], matches)


def say_unique(summary):
    """Read aloud how many unique matches there are, and how many of them are false."""
    s = summary.unique_matches
    if s == 0:
        return "Nobody has a unique match, so the false match rate is undefined."
    false = round(s * summary.false_match_rate)
    if s == 1:
        return f"1 person has a unique match, and it is {'false' if false else 'true'}."
    wrong = counted(false, "of these is", "of these are") if false else "none of these is"
    wrong = "all of these are" if false == s else wrong
    return f"{s:,.0f} persons have a unique match; {wrong} false."


def say_file(matches):
    """Read the three lines aloud: confidential, synthetic and floor."""
    asked = matches["synthetic"]
    n, summary = len(asked.records), asked.summary()
    risk = {name: rounded(one.summary().expected_match_risk) for name, one in matches.items()}
    question = asked.known + asked.synthesized, asked.confidential
    first, then = plain_names(*question), labels(*question)
    used = {"": asked.known, "the synthesized ": asked.synthesized}
    parts = [how + listing(first[name] for name in names) for how, names in used.items() if names]
    alone = f"matching on {listing(then[name] for name in asked.known)} alone"
    alone = alone if asked.known else "pointing at anybody"
    return (
        f"Matching on {', and on '.join(parts)}, an intruder expects to be right about "
        f"{risk['synthetic']} times in {n:,}. In the confidential file it would be "
        f"{risk['confidential']}. The floor, {alone}, is {risk['floor']}. {say_unique(summary)}"
    )


FILE = Picture(
    frame_file,
    draw_file,
    say_file,
    {
        "height": 3.6,
        "columns": 4,
        "margins": {"left": 0.1, "right": 0.99, "top": 0.84, "bottom": 0.3, "wspace": 0.25},
        "width_ratios": [1.5, 1, 1, 1],  # the counts, and the three summaries
    },
)


def whole_file(matches) -> Image:
    """Picture how many candidates everybody has, and the three summaries beside it.

    `matches` is a mapping from "confidential", "synthetic" and "floor" to a Match each.
    """
    return FILE.show(matches, matches["confidential"])


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


def draw_share(axes, result):
    """Mark where we are now."""
    look.draw_now(axes, 100 * result.now.share, result.now[list(SUMMARIES)])


def say_share(result):
    """Read the expected match risk at this share aloud, and what became of the unique matches."""
    risk, before, lowest = (
        rounded(row.expected_match_risk) for row in (result.now, result.start, result.floor)
    )
    share = f"{say(100 * result.now.share)} % of the records" if result.now.share else "no record"
    compared = f" With none redrawn it is {before}." if result.now.share else ""
    return (
        f"With {share} redrawn, the expected match risk is {risk}.{compared} An intruder who "
        f"ignores what was synthesized has {lowest}, the floor. {say_unique(result.now)}"
    )


SHARE = Picture(
    frame_share,
    draw_share,
    say_share,
    {
        "height": 3.3,
        "columns": 3,
        "margins": {"left": 0.06, "right": 0.98, "top": 0.82, "bottom": 0.18, "wspace": 0.4},
    },
)


def share(curve: pd.DataFrame, floor) -> Image:
    """Picture the three summaries against the share of records redrawn; see `share_curve`."""
    ends = SimpleNamespace(now=curve.iloc[-1], start=curve.iloc[0], floor=floor.summary())
    return SHARE.show(ends, curve, floor)
