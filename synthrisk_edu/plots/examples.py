"""Pictures of lessons 03 and 04: many synthetic data sets, and risk beside utility."""

import warnings

import numpy as np
from matplotlib import MatplotlibDeprecationWarning
from matplotlib.patches import Rectangle

from synthrisk_edu.matching import count_unique
from synthrisk_edu.plots import look
from synthrisk_edu.plots.matching import RISKIER, SUMMARY_TITLES
from synthrisk_edu.tradeoff import quartiles
from synthrisk_edu.words import listing, say

UNIQUE = {"s": "unique\nmatches s", "K": "true\nones ΣK", "F": "false\nones ΣF"}
DOTS = {"marker": ".", "linestyle": "none", "color": look.GREEN, "alpha": 0.5, "markersize": 7}
SCENARIO_LOOKS = {
    "Income": {"color": look.BLUE, "marker": "o"},
    "Tenure+Income": {"color": look.ORANGE, "marker": "s"},
    "Expenditure+Income": {"color": look.GREEN, "marker": "^"},
    "Tenure+Expenditure+Income": {"color": look.PURPLE, "marker": "D"},
}
SHORT = dict(zip(SCENARIO_LOOKS, ("Income", "+ Tenure", "+ Expenditure", "+ both"), strict=True))


# s, K and F


def unique_matches(matches):
    """Show s, ΣK and ΣF; `matches` maps "confidential" and "synthetic" to a `Match` each."""
    figure, ax = look.figure(2.8)
    frame_unique(ax, max(len(found.records) for found in matches.values()))
    draw_unique(ax, matches)
    counts = {name: count_unique(found) for name, found in matches.items()}
    words = [
        f"In the {name} file {n.s:,} unique matches, {n.K:,} of them true and {n.F:,} false."
        for name, n in counts.items()
    ]
    return look.show(figure, " ".join(words))


def frame_unique(ax, n):
    """Draw the empty picture of the unique matches; each step up is ten times as many."""
    ax.set_xlim(-0.6, 2.6)
    ax.set_xticks(range(3), UNIQUE.values())
    look.count_axis(ax, n)
    for name in ("confidential", "synthetic"):
        ax.bar([-9], [0], label=name, **look.BARS[name])
    look.tidy(ax, "unique matches", "", "number of records")
    look.legend(ax, loc="upper right")


def draw_unique(ax, matches):
    """Show s, ΣK and ΣF of both files."""
    for shift, (name, found) in zip((-0.2, 0.2), matches.items(), strict=True):
        counts = count_unique(found)
        for place, number in zip(np.arange(3) + shift, counts[list(UNIQUE)], strict=True):
            height = np.log10(number) + look.FOOT if number else 0
            ax.bar([place], [height], 0.4, bottom=-look.FOOT, **look.BARS[name])
            above = height - look.FOOT + 0.05
            ax.text(place, above, f"{number:,}", ha="center", fontsize=look.SMALL)


# m data sets


def frame_averages(axes, table):
    """Draw the summaries of each data set, and their running average."""
    m = np.arange(1, len(table) + 1)
    for ax, (key, title) in zip(axes, SUMMARY_TITLES.items(), strict=True):
        values = table[key].to_numpy()
        ax.plot(m, values, label="one data set", **DOTS)
        ax.plot(m, table[key].expanding().mean(), color=look.DARK, label="average so far")
        low, high = np.nanmin(values), np.nanmax(values)
        spread = high - low or 1.0
        ax.set_ylim(max(0, low - 0.55 * spread), high + 0.15 * spread)
        ax.set_xlim(0, len(table) + 1)
        look.tidy(ax, f"{title}\n({RISKIER[key]})", "data sets m")
    look.legend(axes[0], loc="lower right")
    axes[0].get_legend().set_frame_on(True)  # or its dot looks like one more data set


def draw_averages(axes, table, m):
    """Mark the average of the first m data sets."""
    for ax, key in zip(axes, SUMMARY_TITLES, strict=True):
        ax.axvspan(0, m + 0.5, facecolor=look.ORANGE, alpha=0.08)
        ax.plot([m], [table[key].iloc[:m].mean()], **look.NOW)


# The number of classes


def frame_classes(axes, results):
    """Draw risk and pMSE ratio against the largest number of classes."""
    steps = sorted(results.classes.unique())
    titles = {
        "expected_match_risk": "risk: expected match risk",
        "pmse_ratio": "utility: pMSE ratio (1 is best)",
    }
    for ax, (key, title) in zip(axes, titles.items(), strict=True):
        ax.plot(results.classes.map(steps.index), results[key], **DOTS)
        ax.plot(range(len(steps)), results.groupby("classes")[key].mean(), color=look.DARK)
        ax.set_xticks(range(len(steps)), steps)
        ax.set_xlim(-0.5, len(steps) - 0.5)
        ax.set_ylim(0, 1.1 * results[key].max())
        look.tidy(ax, title, "largest number of classes")


def draw_classes(axes, place, now):
    """Mark the chosen number of classes; `now` holds the two means."""
    for ax, value in zip(axes, now, strict=True):
        ax.plot([place], [value], **look.NOW)


# Risk over r, scenario by scenario


def radius_boxes(releases):
    """Show boxplots of the risk over r, one picture for each of the four scenarios."""
    figure, axes = look.figure(3.2, 4, margins={"wspace": 0.45})
    frame_radius_boxes(axes, releases)
    words = []
    for name in SCENARIO_LOOKS:
        mean = _scenario(releases, name).groupby("radius").expected_match_risk.mean()
        words.append(
            f"{listing(name.split('+'))} synthesized: the average risk is highest, "
            f"{mean.max():.0f}, at r = {say(100 * mean.idxmax())} %."
        )
    return look.show(figure, " ".join(words))


def frame_radius_boxes(axes, releases):
    """Draw a boxplot of the expected match risk for each scenario and radius."""
    for number, (ax, name) in enumerate(zip(axes, SCENARIO_LOOKS, strict=True), start=1):
        results = _scenario(releases, name)
        mean = results.groupby("radius").expected_match_risk.mean()
        _boxplots(ax, results, "radius", [f"{100 * r:g}" for r in mean.index])
        ax.plot([mean.argmax()], [mean.max()], **look.MAXIMUM)
        ylabel = "expected match risk" if number == 1 else ""
        look.tidy(ax, f"scenario ({number})\n{SHORT[name]}", "radius r (%)", ylabel)
        ax.tick_params(axis="x", labelrotation=60)


def draw_radius(axes, releases, scenario, radius, m):
    """Show the first m data sets of a scenario at one radius, and their average."""
    ax, results = axes[list(SCENARIO_LOOKS).index(scenario)], _scenario(releases, scenario)
    place = sorted(results.radius.unique()).index(radius)
    chosen = results[(results.radius == radius) & (results.dataset <= m)].expected_match_risk
    spread = 0.5 * (np.arange(len(chosen)) * 0.618034 % 1 - 0.5)
    ax.plot(place + spread, chosen, **DOTS | {"color": look.ORANGE})
    ax.plot([place], [chosen.mean()], **look.NOW)


def scenario_boxes(at_best):
    """Show a boxplot for each scenario, at its own maximizing radius."""
    figure, ax = look.figure(3.4)
    shown = at_best[at_best.synthesized.isin(SCENARIO_LOOKS)]
    groups = shown.groupby("synthesized")
    radius = groups.radius.first()[list(SCENARIO_LOOKS)]
    labels = [f"{n.replace('+', chr(10) + '+ ')}\nr = {100 * r:g} %" for n, r in radius.items()]
    _boxplots(ax, shown, "synthesized", labels, order=list(SCENARIO_LOOKS))
    look.tidy(ax, "each scenario at its maximizing radius", "", "expected match risk")
    mean = groups.expected_match_risk.mean()[list(SCENARIO_LOOKS)]
    words = [f"{listing(name.split('+'))}: {value:.0f}" for name, value in mean.items()]
    return look.show(figure, f"Average risk by what is synthesized. {'; '.join(words)}.")


def _scenario(releases, name):
    """Return the results of one scenario."""
    return releases[releases.synthesized == name]


def _boxplots(ax, results, x, labels, order=None):
    """Draw a box of the expected match risk for every value of the column x."""
    import seaborn  # slow to import, and needed only here

    style = {"color": look.GREEN, "fill": False, "width": 0.6, "linewidth": 1.2, "fliersize": 3}
    style["medianprops"] = {"color": look.DARK}
    with warnings.catch_warnings():  # seaborn 0.13 calls matplotlib 3.11 in its old way
        warnings.simplefilter("ignore", MatplotlibDeprecationWarning)
        seaborn.boxplot(results, x=x, y="expected_match_risk", order=order, ax=ax, **style)
    ax.set_xticks(range(len(labels)), labels)
    ax.set_xlim(-0.6, len(labels) - 0.4)
    ax.set_ylim(0, 1.15 * results.expected_match_risk.max())


# Risk against utility


def tradeoff(at_best, scenarios):
    """Show risk against utility: a point a data set, a rectangle of quartiles a scenario.

    `at_best` has the columns synthesized, expected_match_risk and pmse; the axes have room for all
    of it, so that pictures of different scenarios can be compared.
    """
    points = at_best.rename(columns={"expected_match_risk": "risk"})
    shown = points[points.synthesized.isin(SCENARIO_LOOKS)]
    figure, ax = look.figure(3.6)
    frame_tradeoff(ax, ((0, 1150 * shown.pmse.max()), (0, 1.15 * shown.risk.max())))
    words = []
    for name in scenarios:
        one = shown.loc[shown.synthesized == name, ["risk", "pmse"]]
        draw_tradeoff(ax, one, name.replace("+", " + "), SCENARIO_LOOKS[name])
        words.append(
            f"{listing(name.split('+'))} synthesized: a risk of {one.risk.mean():.0f} and a pMSE "
            f"× 1,000 of {1000 * one.pmse.mean():.2f} on average."
        )
    look.legend(ax, loc="upper right")
    return look.show(figure, " ".join(words))


def frame_tradeoff(ax, limits, title="", risk="expected match risk"):
    """Draw the empty picture of utility against risk; `limits` are those of pMSE and of risk."""
    ax.set_xlim(limits[0])
    ax.set_ylim(limits[1])
    look.tidy(ax, title, "pMSE × 1,000 (left is more useful)", risk)


def draw_tradeoff(ax, points, label, style):
    """Show data sets as points, with the rectangle of their quartiles."""
    ax.plot(1000 * points.pmse, points.risk, linestyle="none", alpha=0.5, markersize=5, **style)
    _rectangle(ax, quartiles(points), style["color"], label)


def draw_release(ax, points, label="", below=False, **style):
    """Show data sets as grey points, with a name above or below them."""
    ax.plot(1000 * points.pmse, points.risk, **look.EVERYONE_ELSE | style)
    y, side, away = (points.risk.min(), "top", -4) if below else (points.risk.max(), "bottom", 4)
    where = {"xytext": (0, away), "textcoords": "offset points", "ha": "center", "va": side}
    ax.annotate(label, (1000 * points.pmse.mean(), y), fontsize=look.SMALL, **where)


# Averages over m data sets


def two_way_boxes(averages):
    """Show a two-dimensional boxplot for every m; `averages` maps m to a frame of averages."""
    widest = quartiles(next(iter(averages.values())))
    figure, ax = look.figure(3.8)
    frame_tradeoff(ax, box_limits(widest), "averages over m", "risk per record")
    words = []
    for (m, results), style in zip(averages.items(), SCENARIO_LOOKS.values(), strict=False):
        box = quartiles(results)
        draw_two_way_box(ax, box, style["color"], f"m = {m}")
        words.append(
            f"m = {m}: the risk per record lies between {box.risk['minimum']:.4f} and "
            f"{box.risk['maximum']:.4f}, with a median of {box.risk['median']:.4f}."
        )
    look.legend(ax, loc="upper right")
    return look.show(figure, " ".join(words))


def box_limits(box):
    """Return limits of pMSE × 1,000 and of risk that leave a little room around a box."""
    pad = 0.05 * (box.loc["maximum"] - box.loc["minimum"])
    low, high = box.loc["minimum"] - pad, box.loc["maximum"] + pad
    return (1000 * low.pmse, 1000 * high.pmse), (low.risk, high.risk)


def draw_two_way_box(ax, box, color, label):
    """Show a two-dimensional boxplot: quartiles as a rectangle, the range as whiskers."""
    _rectangle(ax, box, color, label)
    x, y = 1000 * box.pmse, box.risk
    line = {"color": color, "linewidth": 1.2, "zorder": 4}
    for low, high in (("minimum", "first"), ("third", "maximum")):
        ax.plot([x[low], x[high]], [y["median"]] * 2, **line)
        ax.plot([x["median"]] * 2, [y[low], y[high]], **line)


def _rectangle(ax, box, color, label):
    x, y = 1000 * box.pmse, box.risk
    width, height = x["third"] - x["first"], y["third"] - y["first"]
    style = {"fill": False, "edgecolor": color, "linewidth": 2, "zorder": 4, "label": label}
    ax.add_patch(Rectangle((x["first"], y["first"]), width, height, **style))
