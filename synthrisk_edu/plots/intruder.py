"""Pictures of intruder knowledge: one target's probabilities, and the three risks.

`baselines` come from `intruder_baselines`.
"""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from IPython.display import Image

from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Picture
from synthrisk_edu.words import counted, rounded, say

MARGINS = {"left": 0.09, "right": 0.97, "top": 0.9, "bottom": 0.16}
MOST = 25  # records shown of a target
LOWEST = -3.4  # the power of ten at the foot of the bars
SMALL = {"markersize": 9, "markeredgecolor": "white"}  # the true record's square inside a bar
DASHED = {"color": look.DARK, "linestyle": "--", "linewidth": 1}
RISKS = {name: f"{name} match risk" for name in ("perceived", "expected", "true")}
LINES = {
    "perceived": {"color": look.ORANGE, "marker": "s"},
    "expected": {"color": look.BLUE, "marker": "o"},
    "true": {"color": look.GREEN, "marker": "^"},
}
BASELINES = [
    ("expected, confidential file", look.LINES["confidential"]),
    ("expected, known alone (floor)", look.FLOOR),
]
ABOVE = {"loc": "lower left", "bbox_to_anchor": (-0.06, 1.0), "ncols": 3, "columnspacing": 1.2}


def frame_probabilities(ax):
    """Draw the empty picture of the most likely records."""
    ax.set(xlim=(-0.8, MOST + 1.6), ylim=(LOWEST, 0.15))
    ax.set_yticks([-3, -2, -1, 0], ["0.001", "0.01", "0.1", "1"])
    ax.set_xticks([MOST + 0.8], ["not in\nthe file"])
    title = "who could it be? the most likely records (each step: ten times as likely)"
    look.tidy(ax, title, "", "probability")
    entries = [("threshold", DASHED), ("a record", look.CANDIDATE)]
    look.legend(ax, [*entries, ("true record", look.TRUE_RECORD)], loc="upper right", ncols=3)


def draw_probabilities(ax, now):
    """Show the highest probabilities as bars; the true record is orange and has a square."""
    chances = now.risk.match_probabilities(now.target).to_numpy()
    inside, outside = chances[:-1], chances[-1]
    shown = np.argsort(-inside, kind="stable")[:MOST]
    if now.target not in shown and inside[now.target] > 0:
        shown[-1] = now.target
    for place, record in enumerate(shown[inside[shown] > 0]):
        is_true = record == now.target
        _log_bar(ax, place, inside[record], look.ORANGE if is_true else look.BLUE)
        if is_true:  # inside the bar: on its top the square would make it look higher
            middle = (max(np.log10(inside[record]), LOWEST) + LOWEST) / 2
            ax.plot([place], [middle], **look.TRUE_RECORD | SMALL)
    _log_bar(ax, MOST + 0.8, outside, look.LIGHT)
    ax.axhline(np.log10(now.risk.threshold), **DASHED)


def _log_bar(ax, place, probability, color):
    """Draw a bar on the axis of powers of ten; nothing for what is too small to see."""
    if probability > 10**LOWEST:
        ax.bar([place], [np.log10(probability) - LOWEST], 0.7, bottom=LOWEST, color=color)


PROBABILITIES = Picture(
    frame_probabilities,
    draw_probabilities,
    lambda now: now.risk.explain(now.target),
    {"height": 3.5, "margins": MARGINS},
)


def probabilities(risk, i: int) -> Image:
    """Picture who target i could be; `risk` comes from `intruder_risk`."""
    return PROBABILITIES.show(SimpleNamespace(risk=risk, target=i))


def _draw_baselines(ax, baselines):
    """Draw the right matches in the confidential file, and by the known variables alone."""
    for name in ("confidential", "floor"):
        ax.axhline(baselines.expected[name], **look.LINES[name])


def _say_baselines(baselines):
    """Say what the risk is compared with."""
    confidential, floor = baselines.expected[["confidential", "floor"]]
    return (
        f"(In the confidential file {confidential:.0f} guesses would be right; by the known "
        f"variables alone, the floor, {floor:.0f}.)"
    )


def frame_threshold(axes, thresholds, tops, baselines):
    """Draw the empty pictures of the three risks against the threshold: whole, and the foot."""
    ends = thresholds[0], thresholds[-1]
    for ax, top, title in zip(axes, tops, ("the three risks", "the same, near 0"), strict=True):
        _draw_baselines(ax, baselines)
        look.tidy(ax, title, "threshold", "", xlim=ends, ylim=(0, top))
    axes[0].set_ylabel("number of youths", fontsize=look.SMALL)
    looks = [(RISKS[name], {"color": LINES[name]["color"], "linewidth": 2}) for name in RISKS]
    where = ABOVE | {"bbox_to_anchor": (-0.12, 1.1)}
    look.legend(axes[0], [*looks, *BASELINES], **where)


def draw_threshold(axes, now):
    """Show the three risks against the threshold, and mark the one chosen."""
    for ax in axes:
        for name in RISKS:
            ax.plot(now.table.index, now.table[name], color=LINES[name]["color"], lw=2)
            at = now.table.loc[now.threshold, name]
            ax.plot([now.threshold], [at], **look.NOW | {"markersize": 8})


def say_threshold(now):
    """Read the three risks aloud."""
    row = now.table.loc[now.threshold]
    wrong = f", and what is known of {now.wrong} % of the targets is wrong" if now.wrong else ""
    return (
        f"There are m = {now.m} files, the threshold is {say(now.threshold)}{wrong}. The intruder "
        f"believes in {counted(round(row.perceived), 'match', 'matches')}. Of the guesses for all "
        f"youths about {row.expected:.0f} would be right; for "
        f"{counted(row.true, 'youth', 'youths')} the true record alone is the most likely one. "
        f"{_say_baselines(now.baselines)}"
    )


THRESHOLD = Picture(
    frame_threshold,
    draw_threshold,
    say_threshold,
    {"height": 3.3, "columns": 2, "margins": MARGINS | {"top": 0.76, "wspace": 0.16}},
)


def frame_knowledge(ax, levels, top, baselines):
    """Draw the empty picture of the risks against what the intruder knows."""
    ax.set(xlim=(-0.5, len(levels) - 0.5), ylim=(0, top))
    _name_knowledge(ax, levels)
    _draw_baselines(ax, baselines)
    looks = [(RISKS[name], {"linestyle": "none"} | LINES[name]) for name in RISKS]
    look.tidy(ax, "", "what the intruder knows", "number of youths")
    look.legend(ax, [*looks, *BASELINES], **ABOVE)


def draw_knowledge(ax, now):
    """Show the three risks for every kind of knowledge, and shade one of them.

    `now.risks` has the columns `mean`, `min` and `max` of each risk: a bar reaches from the lowest
    to the highest run.
    """
    ax.axvspan(now.step - 0.45, now.step + 0.45, facecolor=look.ORANGE, alpha=0.12)
    for shift, name in zip((-0.2, 0, 0.2), RISKS, strict=True):
        place, risk = np.arange(len(now.risks)) + shift, now.risks[name]
        ax.vlines(place, risk["min"], risk["max"], color=LINES[name]["color"], linewidth=1.5)
        ax.plot(place, risk["mean"], linestyle="none", markersize=8, **LINES[name])


def _name_knowledge(ax, levels):
    """Write what the intruder knows below the axis, in two lines: the bracket is the second."""
    ax.set_xticks(range(len(levels)), [name.replace(" (", "\n(", 1) for name in levels])


def say_knowledge(now):
    """Read the risks of one kind of knowledge aloud."""
    row = now.risks.iloc[now.step]
    expected = row["expected"]
    return (
        f"What the intruder knows: {row.name}; released files: m = {now.m}. The intruder believes "
        f"to have found {counted(round(row['perceived', 'mean']), 'youth', 'youths')}, and "
        f"{expected['mean']:.0f} of all guesses are right. These are means of {now.runs} runs; in "
        f"single runs {expected['min']:.0f} to {expected['max']:.0f} are right. "
        f"{_say_baselines(now.baselines)}"
    )


KNOWLEDGE = Picture(
    frame_knowledge,
    draw_knowledge,
    say_knowledge,
    {"height": 3.6, "margins": MARGINS | {"top": 0.84, "bottom": 0.22}},
)


def knowledge(results: pd.DataFrame, means: pd.DataFrame, baselines: pd.DataFrame) -> Image:
    """Picture the expected match risk of every run, by what the intruder knows and by m.

    `results` has the columns knows, m and expected, a row for each run; `means` their means by
    knows and m.
    """
    figure, ax = look.figure(3.6)
    shades = {"palette": [look.LIGHT, look.BLUE, look.GREEN], "linewidth": 1}
    look.boxplot(ax, results, x="knows", y="expected", hue="m", **shades)
    _name_knowledge(ax, results.knows.unique())
    ax.set_ylim(0, 1.1 * results.expected.max())
    floor = baselines.expected["floor"]
    ax.axhline(floor, **look.FLOOR)
    ax.text(5.45, floor + 1, "floor", color=look.WINE, ha="right", fontsize=look.SMALL)
    look.tidy(ax, "expected match risk: a box for the runs", "", "right matches")
    look.legend(ax, loc="lower right", title="files m", ncols=3, bbox_to_anchor=(1, 0.08))
    words = "; ".join(f"{name}, m = {m}: {one:.0f}" for (name, m), one in means.expected.items())
    return look.show(
        figure, f"Boxplots of right matches; means: {words}. {_say_baselines(baselines)}"
    )


KINDS = {
    "nothing (mode)": {"color": look.ORANGE, "marker": "s", "fillstyle": "none"},
    "nothing (averaged)": {"color": look.ORANGE, "marker": "s"},
    "models (drawn β)": {"color": look.BLUE, "marker": "o", "fillstyle": "none"},
    "models (mean β)": {"color": look.BLUE, "marker": "o"},
    "f(β) (drawn)": {"color": look.GREEN, "marker": "^", "fillstyle": "none"},
    "f(β) (mode)": {"color": look.GREEN, "marker": "^"},
}


def calibration(means: pd.DataFrame, baselines: pd.DataFrame) -> Image:
    """Picture what intruders believe against what is right, a point for each m.

    `means`, by knows and m, has the columns believed (the sum of the highest probabilities) and
    expected (the right matches).
    """
    figure, ax = look.figure(3.6)
    ax.plot([0, 80], [0, 80], **DASHED)
    ax.text(64, 68, "as many right\nas counted on", ha="right", fontsize=look.SMALL)
    ax.axhline(baselines.expected["floor"], label="floor", **look.FLOOR)
    for name, style in KINDS.items():
        points = style | {"linestyle": "none", "markersize": 9, "label": name}
        ax.plot(means.loc[name].believed, means.loc[name].expected, **points)
    below = {"textcoords": "offset points", "ha": "center", "fontsize": look.SMALL}
    for m, point in means.loc["nothing (averaged)", ["believed", "expected"]].iterrows():
        ax.annotate(f"m = {m}", point, (0, -16), **below)
    ax.set(xlim=(0, 230), ylim=(0, 80))
    look.tidy(ax, "", "right matches the intruder counts on", "right matches")
    look.legend(ax, loc="upper right", ncols=2)
    words = "; ".join(
        f"{name}, m = {m}: {row.believed:.0f} believed, {row.expected:.0f} right"
        for (name, m), row in means.iterrows()
    )
    return look.show(figure, f"Points, one for each m: {words}. {_say_baselines(baselines)}")


POPULATION_LINES = {
    "census": {"color": look.BLUE, "lw": 2, "label": "most likely record, by census"},
    "weights": {"color": look.GREEN, "lw": 2, "linestyle": "-.", "label": "the same, by weights"},
    "outside": {"color": look.DARK, "lw": 2, "linestyle": "--", "label": "not in file, by census"},
}


def frame_population(ax):
    """Draw the empty picture of a target that may not be in the file."""
    look.tidy(ax, "", "sampling fraction (%)", "probability", xlim=(0, 102), ylim=(0, 1.02))
    for style in POPULATION_LINES.values():
        ax.plot([], [], **style)
    look.legend(ax, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3)


def draw_population(ax, now):
    """Show the probabilities against the sampling fraction, and mark where we are."""
    for name, style in POPULATION_LINES.items():
        ax.plot(100 * now.curve.index, now.curve[name], **style)
        at = now.curve.loc[now.fraction, name]
        ax.plot([100 * now.fraction], [at], clip_on=False, **look.NOW)


def say_population(now):
    """Read the probabilities aloud."""
    row = now.curve.loc[now.fraction]
    return (
        f"{counted(now.N_t, 'youth of the population fits', 'youths of the population fit')} "
        f"target {now.target}. If {say(100 * now.fraction)} % of all are in the file, the most "
        f"likely record has a probability of {rounded(row.census)} for an intruder who has the "
        f"census, and of {rounded(row.weights)} for one who goes by weights. With the census, "
        f"the target is elsewhere with a probability of {rounded(row.outside)}."
    )


POPULATION = Picture(
    frame_population, draw_population, say_population, {"height": 3.4, "margins": MARGINS}
)
