"""Pictures of lessons 03 and 04: many synthetic data sets, and risk beside utility."""

import numpy as np
from matplotlib.patches import Rectangle

from synthrisk_edu.plots import look
from synthrisk_edu.plots.matching import BARS, RISKIER, SUMMARY_TITLES

UNIQUE = {"unique matches s": "s", "true ones ΣK": "K", "false ones ΣF": "F"}
DOTS = {"marker": ".", "linestyle": "none", "color": look.GREEN, "alpha": 0.5, "markersize": 7}
SCENARIO_LOOKS = {
    "Income": {"color": look.BLUE, "marker": "o"},
    "Tenure+Income": {"color": look.ORANGE, "marker": "s"},
    "Expenditure+Income": {"color": look.GREEN, "marker": "^"},
    "Tenure+Expenditure+Income": {"color": look.PURPLE, "marker": "D"},
}


# s, K and F


def frame_unique(ax, n):
    """Draw the empty picture of the unique matches; each step up is ten times as many."""
    ax.set_xlim(-0.6, 2.6)
    ax.set_xticks(range(3), [name.replace(" ", "\n", 1) for name in UNIQUE])
    look.count_axis(ax, n)
    for name, style in BARS.items():
        ax.bar([-9], [0], label=name, edgecolor=style["color"], **style)
    look.tidy(ax, "unique matches", "", "number of records")
    look.legend(ax, loc="upper right")


def draw_unique(ax, counts):
    """Show s, K and F; `counts` maps "confidential" and "synthetic" to a mapping of the three."""
    for shift, (name, values) in zip((-0.2, 0.2), counts.items(), strict=True):
        for place, key in enumerate(UNIQUE.values()):
            if values[key]:
                height = np.log10(values[key]) + look.FOOT
                style = BARS[name]
                ax.bar([place + shift], [height], 0.4, bottom=-look.FOOT, edgecolor=style["color"],
                       **style)  # fmt: skip
            top = np.log10(values[key]) if values[key] else -look.FOOT
            text = f"{values[key]:,}"
            ax.text(place + shift, top + 0.05, text, ha="center", fontsize=look.SMALL)


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
    classes = sorted(results.classes.unique())
    for ax, key, title in zip(
        axes,
        ("expected_match_risk", "pmse_ratio"),
        ("risk: expected match risk", "utility: pMSE ratio (1 is best)"),
        strict=True,
    ):
        place = results.classes.map(classes.index)
        ax.plot(place, results[key], **DOTS)
        ax.plot(range(len(classes)), results.groupby("classes")[key].mean(), color=look.DARK)
        ax.set_xticks(range(len(classes)), classes)
        ax.set_xlim(-0.5, len(classes) - 0.5)
        ax.set_ylim(0, 1.1 * results[key].max())
        look.tidy(ax, title, "largest number of classes")


def draw_classes(axes, place, now):
    """Mark the chosen number of classes; `now` holds the two means."""
    for ax, value in zip(axes, now, strict=True):
        ax.plot([place], [value], **look.NOW)


# Risk over r, scenario by scenario


def frame_boxes(ax, releases, title, top=None):
    """Draw a boxplot of the expected match risk for each radius."""
    radii = sorted(releases.radius.unique())
    groups = [releases.expected_match_risk[releases.radius == r] for r in radii]
    _boxplots(ax, groups, [f"{100 * r:g}" for r in radii])
    mean = [group.mean() for group in groups]
    ax.plot([np.argmax(mean)], [max(mean)], **look.MAXIMUM)
    ax.set_ylim(0, top or 1.15 * releases.expected_match_risk.max())
    look.tidy(ax, title, "radius r (%)", "expected match risk")


def draw_boxes(ax, releases, radius, m):
    """Show the first m data sets at one radius, and their average."""
    place = sorted(releases.radius.unique()).index(radius)
    chosen = releases[(releases.radius == radius) & (releases.dataset <= m)].expected_match_risk
    spread = 0.5 * (np.arange(len(chosen)) * 0.618034 % 1 - 0.5)
    ax.plot(place + spread, chosen, **DOTS | {"color": look.ORANGE})
    ax.plot([place], [chosen.mean()], **look.NOW)


def frame_scenarios(ax, releases, best):
    """Draw a boxplot for each scenario, at its own maximizing radius."""
    groups, labels = [], []
    for name, radius in best.items():
        chosen = (releases.synthesized == name) & (releases.radius == radius)
        groups.append(releases.expected_match_risk[chosen])
        labels.append(f"{name.replace('+', ' +')}\nr = {100 * radius:g} %".replace(" +", "\n+ "))
    _boxplots(ax, groups, labels)
    ax.set_ylim(0, 1.15 * max(group.max() for group in groups))
    look.tidy(ax, "each scenario at its maximizing radius", "", "expected match risk")


def _boxplots(ax, groups, labels):
    style = {"color": look.GREEN}
    ax.boxplot(groups, positions=range(len(groups)), widths=0.6, boxprops=style, capprops=style,
               whiskerprops=style, medianprops={"color": look.DARK},
               flierprops={"marker": ".", "markeredgecolor": look.GREEN})  # fmt: skip
    ax.set_xticks(range(len(groups)), labels)
    ax.set_xlim(-0.6, len(groups) - 0.4)


# Risk against utility


def frame_tradeoff(ax, limits, title="", risk="expected match risk"):
    """Draw the empty picture of utility against risk; `limits` are those of pMSE and of risk."""
    ax.set_xlim(limits[0])
    ax.set_ylim(limits[1])
    look.tidy(ax, title, "pMSE × 1,000 (left is more useful)", risk)


def draw_tradeoff(ax, results, box, label, style):
    """Show data sets as points, with the rectangle of their quartiles."""
    ax.plot(1000 * results.pmse, results.risk, linestyle="none", alpha=0.5, markersize=5, **style)
    _rectangle(ax, box, style["color"], label)


def draw_release(ax, results, label="", below=False, **style):
    """Show data sets as grey points, with a name above or below them."""
    ax.plot(1000 * results.pmse, results.risk, **look.EVERYONE_ELSE | style)
    y, side, away = (results.risk.min(), "top", -4) if below else (results.risk.max(), "bottom", 4)
    ax.annotate(label, (1000 * results.pmse.mean(), y), (0, away), textcoords="offset points",
                fontsize=look.SMALL, ha="center", va=side)  # fmt: skip


def draw_two_way_box(ax, box, style, label):
    """Show a two-dimensional boxplot: quartiles as a rectangle, the range as whiskers."""
    _rectangle(ax, box, style["color"], label)
    x, y = 1000 * box.pmse, box.risk
    line = {"color": style["color"], "linewidth": 1.2, "zorder": 4}
    for low, high in (("minimum", "first"), ("third", "maximum")):
        ax.plot([x[low], x[high]], [y["median"]] * 2, **line)
        ax.plot([x["median"]] * 2, [y[low], y[high]], **line)


def _rectangle(ax, box, color, label):
    x, y = 1000 * box.pmse, box.risk
    width, height = x["third"] - x["first"], y["third"] - y["first"]
    corner = (x["first"], y["first"])
    look_of = {"fill": False, "edgecolor": color, "linewidth": 2, "zorder": 4, "label": label}
    ax.add_patch(Rectangle(corner, width, height, **look_of))
