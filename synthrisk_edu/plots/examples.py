"""Pictures of lessons 03 and 04: many synthetic data sets, and risk beside utility.

`beside` holds what a synthetic risk is compared with: that of the confidential data, and the floor.
"""

import numpy as np

from synthrisk_edu.match import count_unique
from synthrisk_edu.plots import look
from synthrisk_edu.plots.matching import RISKIER, SUMMARY_TITLES, TINY
from synthrisk_edu.utility import quartiles
from synthrisk_edu.words import listing, say

UNIQUE = {"s": "unique\nmatches s", "K": "true\nones Σ K", "F": "false\nones Σ F"}
DOTS = {"marker": ".", "linestyle": "none", "color": look.GREEN, "alpha": 0.5, "markersize": 7}
SCENARIO_LOOKS = {
    "Income": {"color": look.BLUE, "marker": "o"},
    "Tenure+Income": {"color": look.ORANGE, "marker": "s"},
    "Expenditure+Income": {"color": look.GREEN, "marker": "^"},
    "Tenure+Expenditure+Income": {"color": look.PURPLE, "marker": "D"},
}
ALL_FILES = {"color": look.BLUE, "marker": "s", "markersize": 4, "linewidth": 1.5}
ALL_AT_ONCE = ALL_FILES | {"markersize": 9, "linestyle": "none"}
FALLS_BACK = look.LINES["synthetic"] | {"linewidth": 1}  # where nobody matches
BESIDE = ("confidential", "floor")  # what a synthetic risk is compared with
RISK_LABEL = "expected match risk\n(each step: about three times)"
SHORT = dict(zip(SCENARIO_LOOKS, ("Income", "+ Tenure", "+ Expenditure", "+ both"), strict=True))


def unique_matches(matches):
    """Show s, ΣK and ΣF; `matches` maps "confidential", "synthetic" and "floor" to a `Match`."""
    figure, ax = look.figure(2.8)
    frame_unique(ax, max(len(found.records) for found in matches.values()))
    draw_unique(ax, matches)
    words = []
    for name, found in matches.items():
        s, K, F = count_unique(found)
        words.append(f"{name}: {s:,} unique matches, {K:,} of them true and {F:,} false.")
    return look.show(figure, " ".join(words))


def frame_unique(ax, n):
    """Draw the empty picture of the unique matches; each step up is ten times as many."""
    ax.set_xticks(range(3), UNIQUE.values())
    look.count_axis(ax, n)
    look.tidy(ax, "unique matches", "", "number of records", xlim=(-0.6, 2.6))
    look.name_bars(ax)
    look.legend(ax, loc="upper right", ncols=2, columnspacing=1)


def draw_unique(ax, matches):
    """Show s, ΣK and ΣF as bars, side by side for each Match of a mapping."""
    width = 0.84 / len(matches)
    for side, (name, found) in enumerate(matches.items()):
        places = np.arange(3) + (side - (len(matches) - 1) / 2) * width
        numbers = count_unique(found)
        heights = np.where(numbers > 0, np.log10(np.maximum(numbers, 1)) + look.FOOT, 0)
        look.bars(ax, places, heights, width, -look.FOOT, **look.BARS[name])
        for place, height, number in zip(places, heights, numbers, strict=True):
            above = height - look.FOOT + 0.05
            ax.text(place, above, f"{number:,}", ha="center", fontsize=TINY)


def frame_averages(axes, table, beside):
    """Draw the summaries of each data set; the second picture is for all files at once."""
    most = len(table)
    for ax, (key, title) in zip(axes[[0, 2, 3]], SUMMARY_TITLES.items(), strict=True):
        values = table[key].to_numpy()
        ax.plot(range(1, most + 1), values, label="one file", **DOTS)
        low, high = np.nanmin(values), np.nanmax(values)
        spread = high - low or 1.0
        ax.set_ylim(max(0, low - 0.15 * spread), high + 0.15 * spread)
        look.tidy(ax, f"{title}\n({RISKIER[key]})", "files m")
        ax.locator_params(axis="y", nbins=5)
    axes[2].yaxis.set_major_formatter("{x:.4f}")
    axes[0].set_title("expected match risk\none file at a time", fontsize=look.NORMAL, loc="left")
    axes[0].axhline(beside["floor"], **look.FLOOR)
    axes[0].set_ylim(top=1.03 * axes[0].get_ylim()[1])  # room for a word on what lies above
    above = {"transform": axes[0].transAxes, "fontsize": look.SMALL, "va": "top"}
    axes[0].text(0.02, 0.98, f"↑ confidential {beside['confidential']:.0f}", **above)
    _lines_beside(axes[1], beside)
    look.tidy(axes[1], "expected match risk\nall m files at once", "files m")
    axes[1].set_ylim(0, 1.08 * beside["confidential"])
    for ax in axes:
        ax.set_xlim(0, most + 1)
    look.legend(axes[1], loc="lower right")


def _lines_beside(ax, beside):
    """Draw what a synthetic risk is compared with, across the picture."""
    for name in BESIDE:
        ax.axhline(beside[name], label=name, **look.LINES[name])


def draw_averages(axes, table, together, m):
    """Show the average of the first m data sets, and the risk when all m are used at once."""
    steps = np.arange(1, m + 1)
    for ax, key in zip(axes[[0, 2, 3]], SUMMARY_TITLES, strict=True):
        so_far = table[key].expanding().mean().iloc[:m]
        ax.plot(steps, so_far, color=look.DARK)
        ax.plot([m], so_far.iloc[-1:], **look.NOW)
    axes[1].plot(steps, together.iloc[:m], **ALL_FILES)
    axes[1].plot([m], [together.iloc[m - 1]], **look.NOW)


def frame_classes(axes, results, beside):
    """Draw risk and pMSE ratio against the largest number of classes."""
    steps = sorted(results.classes.unique())
    titles = {
        "expected_match_risk": "risk: expected match risk",
        "pmse_ratio": "usefulness: pMSE ratio (chance: 1)",
    }
    for ax, (key, title) in zip(axes, titles.items(), strict=True):
        ax.plot(results.classes.map(steps.index), results[key], **DOTS)
        ax.plot(range(len(steps)), results.groupby("classes")[key].mean(), color=look.DARK)
        ax.set_xticks(range(len(steps)), steps)
        ax.set(xlim=(-0.5, len(steps) - 0.5), ylim=(0, 1.1 * results[key].max()))
        look.tidy(ax, title, "largest number of classes")
    _lines_beside(axes[0], beside)
    axes[0].set_ylim(0, 1.1 * beside["confidential"])
    look.legend(axes[0], [("synthetic", DOTS)], loc="center right")


# Risk over r, scenario by scenario


def radius_boxes(releases):
    """Show boxplots of the risk over r, one picture for each of the four scenarios.

    The boxes are the intruder who gives up where nobody matches, the thin line one who falls back.
    """
    figure, axes = look.figure(3.6, 4, margins={"wspace": 0.08}, sharey=True)
    frame_radius_boxes(axes, releases, [("falls back (average)", FALLS_BACK)])
    words = []
    for ax, name in zip(axes, SCENARIO_LOOKS, strict=True):
        mean = releases[releases.synthesized == name].groupby("radius").mean(numeric_only=True)
        risk, back = mean.expected_match_risk, mean.falling_back
        ax.plot(range(len(back)), back, **FALLS_BACK)
        ax.plot([back.argmax()], [back.max()], **look.MAXIMUM | {"fillstyle": "none"})
        words.append(
            f"{listing(name.split('+'))} synthesized: the average risk is highest, "
            f"{risk.max():.0f}, at r = {say(100 * risk.idxmax())} %, floor "
            f"{mean.floor[risk.idxmax()]:.0f}; falling back where nobody matches it is highest, "
            f"{back.max():.0f}, at r = {say(100 * back.idxmax())} %."
        )
    return look.show(figure, " ".join(words))


def frame_radius_boxes(axes, releases, entries=()):
    """Draw a boxplot of the expected match risk for each scenario and radius.

    Beside the boxes stand the confidential data (dashed) and the floor (dotted); `entries` are
    further lines of the legend.
    """
    for number, (ax, name) in enumerate(zip(axes, SCENARIO_LOOKS, strict=True), start=1):
        results = releases[releases.synthesized == name]
        mean = results.groupby("radius")[["expected_match_risk", "confidential", "floor"]].mean()
        _boxplots(ax, results, "radius", [f"{100 * r:g}" for r in mean.index])
        place, risk = range(len(mean)), mean.expected_match_risk
        for line in BESIDE:
            ax.plot(place, mean[line], label=line, **look.LINES[line])
        ax.plot([risk.argmax()], [risk.max()], **look.MAXIMUM)
        look.tidy(ax, f"scenario ({number})\n{SHORT[name]}", "radius r (%)")
        ax.tick_params(axis="x", labelrotation=90)
        ax.tick_params(axis="y", labelleft=number == 1)
        _risk_axis(ax)
    axes[0].set_ylabel(RISK_LABEL, fontsize=look.SMALL)
    entries = [("synthetic", {"color": look.GREEN}), ("maximum", look.MAXIMUM), *entries]
    look.legend(
        axes[0], entries, loc="upper left", bbox_to_anchor=(-0.5, -0.3), ncols=6, columnspacing=1
    )


def draw_radius(axes, releases, scenario, radius, m, together):
    """Show the first m data sets of a scenario at one radius, their average, and all at once."""
    ax = axes[list(SCENARIO_LOOKS).index(scenario)]
    results = releases[releases.synthesized == scenario]
    place = sorted(results.radius.unique()).index(radius)
    chosen = results[(results.radius == radius) & (results.dataset <= m)].expected_match_risk
    spread = 0.5 * (np.arange(len(chosen)) * 0.618034 % 1 - 0.5)
    ax.plot(place + spread, chosen, **DOTS | {"color": look.ORANGE})
    ax.plot([place], [chosen.mean()], **look.NOW)
    ax.plot([place], [together], **ALL_AT_ONCE)


def scenario_boxes(at_best):
    """Show a boxplot for each scenario, at its own maximizing radius."""
    figure, ax = look.figure(3.6)
    shown = at_best[at_best.synthesized.isin(SCENARIO_LOOKS)]
    mean = shown.groupby("synthesized").mean(numeric_only=True).loc[list(SCENARIO_LOOKS)]
    names = [name.replace("+", "\n+ ") for name in mean.index]
    labels = [f"{n}\nr = {100 * r:g} %" for n, r in zip(names, mean.radius, strict=True)]
    _boxplots(ax, shown, "synthesized", labels, order=list(SCENARIO_LOOKS))
    place = np.arange(len(mean))
    for line in BESIDE:
        ax.hlines(mean[line], place - 0.4, place + 0.4, label=line, **look.LINES[line])
    _risk_axis(ax)
    look.tidy(ax, "each scenario at its maximizing radius", "", RISK_LABEL)
    look.legend(ax, [("synthetic", {"color": look.GREEN})], loc="lower left", ncols=3)
    words = [
        f"{listing(name.split('+'))}: {row.expected_match_risk:.0f}, floor {row.floor:.0f}, "
        f"confidential {row.confidential:.0f}"
        for name, row in mean.iterrows()
    ]
    return look.show(figure, f"Average risk by what is synthesized. {'; '.join(words)}.")


def _risk_axis(ax):
    """Let the risk go from 25 to 6,000, each step about three times as much as the one before."""
    steps = [30, 100, 300, 1000, 3000]
    ax.set(yscale="log", ylim=(22, 7000))
    ax.set_yticks(steps, [f"{step:,}" for step in steps])
    ax.minorticks_off()


def _boxplots(ax, results, x, labels, order=None):
    """Draw a box of the expected match risk for every value of the column x."""
    style = look.BOXES | {"linewidth": 1.2, "order": order}
    look.boxplot(ax, results, x=x, y="expected_match_risk", **style)
    ax.set_xticks(range(len(labels)), labels)
    ax.set_xlim(-0.6, len(labels) - 0.4)


# Risk against utility


def tradeoff(at_best, scenarios):
    """Show risk against utility: a point a data set, a rectangle of quartiles a scenario.

    `at_best` has the columns synthesized, expected_match_risk, confidential, floor and pmse. The
    axes have room for all scenarios, so that pictures of different ones can be compared.
    """
    points = at_best.rename(columns={"expected_match_risk": "risk"})
    figure, ax = look.figure(3.6)
    frame_tradeoff(ax, (0, 1150 * points.pmse.max()))
    _risk_axis(ax)
    words = []
    for name in scenarios:
        one = points[points.synthesized == name]
        draw_tradeoff(ax, one[["risk", "pmse"]], name.replace("+", " + "), SCENARIO_LOOKS[name])
        draw_release_lines(ax, one)
        words.append(
            f"{listing(name.split('+'))} synthesized: a risk of {one.risk.mean():.0f} (floor "
            f"{one.floor.mean():.0f}) and a pMSE × 1,000 of {1000 * one.pmse.mean():.2f}."
        )
    entries = [(name, look.LINES[name]) for name in BESIDE]
    look.legend(ax, entries, loc="upper left", bbox_to_anchor=(-0.1, -0.16), ncols=3)
    return look.show(figure, " ".join(words))


def frame_releases(ax, points, below):
    """Draw every release as grey points with its name, and its floor; `below`: names under them."""
    limits = -50 * points.pmse.max(), 1150 * points.pmse.max()
    frame_tradeoff(ax, limits, "each release at its maximizing radius")
    _risk_axis(ax)
    for name, one in points.groupby("synthesized"):
        draw_release(ax, one, name.replace("+", " + "), below=name in below)
        draw_release_lines(ax, one, ["floor"])  # the confidential risk of the chosen one follows
    look.legend(ax, [(name, look.LINES[name]) for name in BESIDE], loc="lower left")


def frame_tradeoff(ax, limits, title="", risk=RISK_LABEL):
    """Draw the empty picture of utility against risk; `limits` are those of pMSE × 1,000."""
    look.tidy(ax, title, "pMSE × 1,000 (left is more useful)", risk, xlim=limits)


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


def draw_release_lines(ax, points, names=BESIDE):
    """Mark the confidential risk and the floor of a release, as wide as its data sets lie apart."""
    ends = 1000 * points.pmse.min(), 1000 * points.pmse.max()
    for name in names:
        ax.plot(ends, [points[name].mean()] * 2, **look.LINES[name])


# Averages over m data sets


def two_way_boxes(averages):
    """Show a two-dimensional boxplot for every m; `averages` maps m to a frame of averages."""
    figure, ax = look.figure(3.8)
    frame_two_way(ax, quartiles(next(iter(averages.values()))), "averages over m")
    words = []
    for (m, results), style in zip(averages.items(), SCENARIO_LOOKS.values(), strict=False):
        box = quartiles(results)
        draw_two_way_box(ax, box, style["color"], f"m = {m}")
        words.append(
            f"m = {m}: the risk per unit lies between {box.risk['minimum']:.4f} and "
            f"{box.risk['maximum']:.4f}, with a median of {box.risk['median']:.4f}."
        )
    look.legend(ax, loc="upper right")
    return look.show(figure, " ".join(words))


def frame_two_way(ax, widest, title):
    """Draw the empty picture of averages, with a little room around the widest box."""
    pad = 0.05 * (widest.loc["maximum"] - widest.loc["minimum"])
    low, high = widest.loc["minimum"] - pad, widest.loc["maximum"] + pad
    frame_tradeoff(ax, (1000 * low.pmse, 1000 * high.pmse), title, "risk per unit")
    ax.set_ylim(low.risk, high.risk)


def frame_together(ax, sizes, beside):
    """Draw the empty picture of an intruder who uses m files at once; beside it also one file."""
    ax.axhline(beside["confidential"], label="confidential", **look.LINES["confidential"])
    ax.axhline(beside["one file"], color=look.GREEN, label="one file at a time")
    ax.axhline(beside["floor"], label="floor", **look.FLOOR)
    ax.set_xscale("log")
    ax.set_xticks(sizes, sizes)
    ax.minorticks_off()
    ax.set(xlim=(0.8, 1.25 * max(sizes)), ylim=(0, 1.08 * beside["confidential"]))
    look.tidy(ax, "all m files at once", "files m")
    look.legend(ax, loc="center right", bbox_to_anchor=(1, 0.7))


def draw_together(ax, together):
    """Show the risk of using m files at once, for every m so far: all repeats and their mean."""
    mean = together.groupby("m").risk.mean()
    ax.plot(together.m, together.risk, **DOTS | {"color": look.BLUE})
    ax.plot(mean.index, mean, **ALL_FILES)
    ax.plot(mean.index[-1:], mean.iloc[-1:], **look.NOW)


def draw_two_way_box(ax, box, color, label):
    """Show a two-dimensional boxplot: quartiles as a rectangle, the range as whiskers."""
    _rectangle(ax, box, color, label)
    x, y = 1000 * box.pmse, box.risk
    line = {"color": color, "linewidth": 1.2, "zorder": 4}
    for low, high in (("minimum", "first"), ("third", "maximum")):
        ax.plot([x[low], x[high]], [y["median"]] * 2, **line)
        ax.plot([x["median"]] * 2, [y[low], y[high]], **line)


def _rectangle(ax, box, color, label):
    from matplotlib.patches import Rectangle

    x, y = 1000 * box.pmse, box.risk
    width, height = x["third"] - x["first"], y["third"] - y["first"]
    style = {"fill": False, "edgecolor": color, "linewidth": 2, "zorder": 4, "label": label}
    ax.add_patch(Rectangle((x["first"], y["first"]), width, height, **style))
