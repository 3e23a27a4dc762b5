"""Pictures of intruder knowledge: one target's probabilities, and the three risks.

`probabilities`, `knowledge` and `calibration` are whole pictures; `baselines` come from
`intruder_baselines`.
"""

import numpy as np

from synthrisk_edu.plots import look

LOWEST = -3.4  # the power of ten at the foot of the bars
SMALL = {"markersize": 9, "markeredgecolor": "white"}  # the true record's square inside a bar
THRESHOLD = {"color": look.DARK, "linestyle": "--", "linewidth": 1}
RISKS = {name: f"{name} match risk" for name in ("perceived", "expected", "true")}
LINES = {
    "perceived": {"color": look.ORANGE, "marker": "s"},
    "expected": {"color": look.BLUE, "marker": "o"},
    "true": {"color": look.GREEN, "marker": "^"},
}


def probabilities(risk, i):
    """Return the picture of who target i could be; `risk` comes from `intruder_risk`."""
    figure, ax = look.figure(3.2)
    frame_probabilities(ax)
    draw_probabilities(ax, risk.match_probabilities(i), i, risk.threshold)
    return look.show(figure, f"Bars, one for each of the most likely records. {risk.explain(i)}")


def frame_probabilities(ax, most=25):
    """Draw the empty picture of the most likely records."""
    ax.set(xlim=(-0.8, most + 1.6), ylim=(LOWEST, 0.15))
    ax.set_yticks([-3, -2, -1, 0], ["0.001", "0.01", "0.1", "1"])
    ax.set_xticks([most + 0.8], ["not in\nthe file"])
    title = "who could it be? the most likely records (each step: ten times as likely)"
    look.tidy(ax, title, "", "probability")
    entries = [("threshold", THRESHOLD), ("a record", look.CANDIDATE)]
    look.legend(ax, [*entries, ("true record", look.TRUE_RECORD)], loc="upper right", ncols=3)


def draw_probabilities(ax, probabilities, i, threshold, most=25):
    """Show the highest probabilities as bars; the true record is orange and has a square."""
    inside = probabilities.to_numpy()[:-1]
    shown = np.argsort(-inside, kind="stable")[:most]
    if i not in shown and inside[i] > 0:
        shown[-1] = i
    for place, record in enumerate(shown[inside[shown] > 0]):
        is_true = record == i
        _log_bar(ax, place, inside[record], look.ORANGE if is_true else look.BLUE)
        if is_true:  # inside the bar: on its top the square would make it look higher
            middle = (max(np.log10(inside[record]), LOWEST) + LOWEST) / 2
            ax.plot([place], [middle], **look.TRUE_RECORD | SMALL)
    _log_bar(ax, most + 0.8, probabilities.iloc[-1], look.LIGHT)
    ax.axhline(np.log10(threshold), **THRESHOLD)


def _log_bar(ax, place, probability, color):
    """Draw a bar on the axis of powers of ten; nothing for what is too small to see."""
    if probability > 10**LOWEST:
        ax.bar([place], [np.log10(probability) - LOWEST], 0.7, bottom=LOWEST, color=color)


# The three risks


def draw_baselines(ax, baselines):
    """Draw the right matches in the confidential file, and by the known variables alone."""
    for name in ("confidential", "floor"):
        ax.axhline(baselines.expected[name], **look.LINES[name])


BASELINES = [
    ("expected, confidential file", look.LINES["confidential"]),
    ("expected, known alone (floor)", look.FLOOR),
]
ABOVE = {"loc": "lower left", "bbox_to_anchor": (-0.06, 1.0), "ncols": 3, "columnspacing": 1.2}


def frame_threshold(axes, low, high, tops, baselines):
    """Draw the empty pictures of the three risks against the threshold: whole, and the foot."""
    for ax, top, title in zip(axes, tops, ("the three risks", "the same, near 0"), strict=True):
        draw_baselines(ax, baselines)
        look.tidy(ax, title, "threshold", "", xlim=(low, high), ylim=(0, top))
    axes[0].set_ylabel("number of youths", fontsize=look.SMALL)
    looks = [(RISKS[name], {"color": LINES[name]["color"], "linewidth": 2}) for name in RISKS]
    where = ABOVE | {"bbox_to_anchor": (-0.12, 1.1)}
    look.legend(axes[0], [*looks, *BASELINES], **where)


def draw_threshold(axes, table, now):
    """Show the three risks against the threshold, and mark the one chosen."""
    for ax in axes:
        for name in RISKS:
            ax.plot(table.index, table[name], color=LINES[name]["color"], lw=2)
            ax.plot([now], [table.loc[now, name]], **look.NOW | {"markersize": 8})


def frame_knowledge(ax, levels, top, baselines):
    """Draw the empty picture of the risks against what the intruder knows."""
    ax.set(xlim=(-0.5, len(levels) - 0.5), ylim=(0, top))
    _name_knowledge(ax, levels)
    draw_baselines(ax, baselines)
    looks = [(RISKS[name], {"linestyle": "none"} | LINES[name]) for name in RISKS]
    look.tidy(ax, "", "what the intruder knows", "number of youths")
    look.legend(ax, [*looks, *BASELINES], **ABOVE)


def draw_knowledge(ax, runs, now):
    """Show the three risks for every kind of knowledge, and shade one of them.

    `runs` has the columns `mean`, `min` and `max` of each risk: a bar reaches from the lowest to
    the highest run.
    """
    ax.axvspan(now - 0.45, now + 0.45, facecolor=look.ORANGE, alpha=0.12)
    for shift, name in zip((-0.2, 0, 0.2), RISKS, strict=True):
        place, risk = np.arange(len(runs)) + shift, runs[name]
        ax.vlines(place, risk["min"], risk["max"], color=LINES[name]["color"], linewidth=1.5)
        ax.plot(place, risk["mean"], linestyle="none", markersize=8, **LINES[name])


def _name_knowledge(ax, levels):
    """Write what the intruder knows below the axis, in two lines: the bracket is the second."""
    ax.set_xticks(range(len(levels)), [name.replace(" (", "\n(", 1) for name in levels])


def knowledge(results, baselines):
    """Show the expected match risk of every run, by what the intruder knows and by m.

    `results` has the columns knows, m and expected, a row for each run.
    """
    figure, ax = look.figure(3.6)
    shades = {"palette": [look.LIGHT, look.BLUE, look.GREEN], "linewidth": 1}
    look.boxplot(ax, results, x="knows", y="expected", hue="m", **shades)
    _name_knowledge(ax, results.knows.unique())
    ax.set_ylim(0, 1.1 * results.expected.max())
    confidential, floor = baselines.expected[["confidential", "floor"]]
    ax.axhline(floor, **look.FLOOR)
    ax.text(5.45, floor + 1, "floor", color=look.WINE, ha="right", fontsize=look.SMALL)
    look.tidy(ax, "expected match risk: a box for the runs", "", "right matches")
    look.legend(ax, loc="lower right", title="files m", ncols=3, bbox_to_anchor=(1, 0.08))
    means = results.groupby(["knows", "m"], sort=False).expected.mean()
    words = "; ".join(f"{name}, m = {m}: {value:.0f}" for (name, m), value in means.items())
    beside = f"{confidential:.0f}, the known variables alone {floor:.0f}"
    words = f"Means: {words}. The confidential file would give {beside}."
    return look.show(figure, f"Boxplots of the expected match risk. {words}")


KINDS = {
    "nothing (mode)": {"color": look.ORANGE, "marker": "s", "fillstyle": "none"},
    "nothing (averaged)": {"color": look.ORANGE, "marker": "s"},
    "models (drawn β)": {"color": look.BLUE, "marker": "o", "fillstyle": "none"},
    "models (mean β)": {"color": look.BLUE, "marker": "o"},
    "f(β) (drawn)": {"color": look.GREEN, "marker": "^", "fillstyle": "none"},
    "f(β) (mode)": {"color": look.GREEN, "marker": "^"},
}


def calibration(results, baselines):
    """Show what intruders believe against what is right: means over the runs, a point for each m.

    `results` has the columns knows, m, believed (the sum of the highest probabilities) and
    expected (the right matches), a row for each run.
    """
    figure, ax = look.figure(3.6)
    means = results.groupby(["knows", "m"], sort=False)[["believed", "expected"]].mean()
    ax.plot([0, 80], [0, 80], color=look.DARK, linestyle="--", linewidth=1)
    ax.text(66, 70, "as many right as counted on", ha="right", fontsize=look.SMALL)
    confidential, floor = baselines.expected[["confidential", "floor"]]
    ax.axhline(floor, label="floor", **look.FLOOR)
    for name, style in KINDS.items():
        points = style | {"linestyle": "none", "markersize": 9, "label": name}
        ax.plot(means.loc[name].believed, means.loc[name].expected, **points)
    below = {"textcoords": "offset points", "ha": "center", "fontsize": look.SMALL}
    for m, point in means.loc["nothing (averaged)"].iterrows():
        ax.annotate(f"m = {m}", point, (0, -16), **below)
    ax.set(xlim=(0, 230), ylim=(0, 80))
    look.tidy(ax, "", "right matches the intruder counts on", "right matches")
    look.legend(ax, loc="upper right", ncols=2)
    words = "; ".join(
        f"{name}, m = {m}: {row.believed:.0f} believed, {row.expected:.0f} right"
        for (name, m), row in means.iterrows()
    )
    beside = f"confidential file: {confidential:.0f} right, floor: {floor:.0f}"
    return look.show(figure, f"Points, right matches against believed ones. {words}; {beside}.")


POPULATION = {
    "census": {"color": look.BLUE, "lw": 2, "label": "most likely record, by census"},
    "weights": {"color": look.GREEN, "lw": 2, "linestyle": "-.", "label": "the same, by weights"},
    "outside": {"color": look.DARK, "lw": 2, "linestyle": "--", "label": "not in file, by census"},
}


def frame_population(ax):
    """Draw the empty picture of a target that may not be in the file."""
    look.tidy(ax, "", "sampling fraction (%)", "probability", xlim=(0, 102), ylim=(0, 1.02))
    for style in POPULATION.values():
        ax.plot([], [], **style)
    look.legend(ax, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3)


def draw_population(ax, curve, now):
    """Show the probabilities against the sampling fraction, and mark where we are."""
    for name, style in POPULATION.items():
        ax.plot(100 * curve.index, curve[name], **style)
        ax.plot([100 * now], [curve.loc[now, name]], clip_on=False, **look.NOW)
