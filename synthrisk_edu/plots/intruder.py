"""Pictures of intruder knowledge: one target's probabilities, and the three risks.

`probabilities` is a whole picture. `frame_*` draws what stays while a slider moves, `draw_*` what
moves.
"""

import numpy as np

from synthrisk_edu.plots import look

LOWEST = -3.4  # the power of ten at the foot of the bars
RISKS = {
    "perceived": "perceived match risk",
    "expected": "expected match risk",
    "true": "true match risk",
}
LINES = {
    "perceived": {"color": look.ORANGE, "marker": "s"},
    "expected": {"color": look.BLUE, "marker": "o"},
    "true": {"color": look.GREEN, "marker": "^"},
}


# One target


def probabilities(risk, i):
    """Return the picture of who target i could be; `risk` comes from `intruder_risk`."""
    figure, ax = look.figure(3.2)
    frame_probabilities(ax)
    draw_probabilities(ax, risk.match_probabilities(i), i, risk.threshold)
    return look.show(figure, f"Bars, one for each of the most likely records. {risk.explain(i)}")


def frame_probabilities(ax, most=25):
    """Draw the empty picture of the most likely records."""
    ax.set_xlim(-0.8, most + 1.6)
    ax.set_ylim(LOWEST, 0.15)
    ax.set_yticks([-3, -2, -1, 0], ["0.001", "0.01", "0.1", "1"])
    ax.set_xticks([most + 0.8], ["not in\nthe file"])
    title = "who could it be? the most likely records (each step: ten times as likely)"
    look.tidy(ax, title, "", "probability")
    entries = [("a record", look.CANDIDATE), ("true record", look.TRUE_RECORD)]
    look.legend(ax, entries, loc="upper right")


def draw_probabilities(ax, probabilities, i, threshold, most=25):
    """Show the highest probabilities as bars; the true record is orange and has a square."""
    inside = probabilities.to_numpy()[:-1]
    shown = np.argsort(-inside, kind="stable")[:most]
    if i not in shown and inside[i] > 0:
        shown[-1] = i
    for place, record in enumerate(shown[inside[shown] > 0]):
        own = record == i
        _log_bar(ax, place, inside[record], look.ORANGE if own else look.BLUE)
        if own:
            ax.plot([place], [max(np.log10(inside[record]), LOWEST + 0.1)], **look.TRUE_RECORD)
    _log_bar(ax, most + 0.8, probabilities.iloc[-1], look.LIGHT)
    ax.axhline(np.log10(threshold), color=look.DARK, linestyle="--", linewidth=1)


def _log_bar(ax, place, probability, color):
    """Draw a bar on the axis of powers of ten; nothing for what is too small to see."""
    if probability > 10**LOWEST:
        ax.bar([place], [np.log10(probability) - LOWEST], 0.7, bottom=LOWEST, color=color)


# The three risks


def frame_threshold(ax, low, high, top):
    """Draw the empty picture of the three risks against the threshold."""
    ax.set_xlim(low, high)
    ax.set_ylim(0, top)
    for name in RISKS:
        ax.plot([], [], lw=2, label=RISKS[name], color=LINES[name]["color"])
    look.tidy(ax, "", "threshold", "number of youths")
    look.legend(ax, loc="upper right")


def draw_threshold(ax, table, now):
    """Show the three risks against the threshold, and mark the one chosen."""
    for name in RISKS:
        ax.plot(table.index, table[name], color=LINES[name]["color"], lw=2)
        ax.plot([now], [table.loc[now, name]], **look.NOW)


def frame_knowledge(ax, levels, top):
    """Draw the empty picture of the risks against what the intruder knows."""
    ax.set_xlim(-0.4, len(levels) - 0.6)
    ax.set_ylim(0, top)
    ax.set_xticks(range(len(levels)), levels)
    entries = [(words, LINES[name] | {"linestyle": "-"}) for name, words in RISKS.items()]
    look.tidy(ax, "", "what the intruder knows", "number of youths")
    look.legend(ax, entries, loc="upper right")


def draw_knowledge(ax, table, now):
    """Show the three risks for every kind of knowledge, and mark one of them."""
    ax.axvspan(now - 0.35, now + 0.35, facecolor=look.ORANGE, alpha=0.12)
    for name in RISKS:
        ax.plot(range(len(table)), table[name], lw=1.5, markersize=8, **LINES[name])


# A target that may not be in the file


def frame_population(ax):
    """Draw the empty picture of a target that may not be in the file."""
    ax.set_xlim(0, 102)
    ax.set_ylim(0, 1.02)
    look.tidy(ax, "", "sampling fraction (%)", "probability")
    ax.plot([], [], color=look.BLUE, lw=2, label="the most likely record")
    ax.plot([], [], color=look.DARK, lw=2, linestyle="--", label="not in the file")
    look.legend(ax, loc="center right")


def draw_population(ax, curve, now):
    """Show both probabilities against the sampling fraction, and mark where we are."""
    ax.plot(100 * curve.index, curve.highest, color=look.BLUE, lw=2)
    ax.plot(100 * curve.index, curve.outside, color=look.DARK, lw=2, linestyle="--")
    for name in ("highest", "outside"):
        ax.plot([100 * now], [curve.loc[now, name]], **look.NOW)
