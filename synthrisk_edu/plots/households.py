"""Pictures of lesson 07: households in both files, who is unique, and what protection costs."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from synthrisk_edu.plots import look

OURS = {"color": look.DARK, "linestyle": "--", "linewidth": 1.6}  # confidential, or the truth
THEIRS = {"color": look.GREEN, "linestyle": "-", "linewidth": 2}  # synthetic
ESTIMATED = {"color": look.BLUE, "linestyle": "-", "linewidth": 2}
METHOD_LOOKS = {
    "no protection": {"color": look.DARK, "marker": "X"},
    "tree only": {"color": look.BLUE, "marker": "o"},
    "tree and donors": {"color": look.ORANGE, "marker": "s"},
    "grouped states": {"color": look.PURPLE, "marker": "D"},
}


# Utility


def draw_intervals(ax, confidential, synthetic):
    """Show estimates with their intervals from both files, one row each, relative to ours.

    Both frames have the columns estimate, low and high. Everything is divided by the confidential
    estimate, so that shares, years and money fit on one axis.
    """
    place = np.arange(len(confidential))[::-1]
    whole = confidential["estimate"].to_numpy()
    for shift, frame, style, label in (
        (0.15, confidential, OURS | {"linestyle": "-", "marker": "|"}, "confidential"),
        (-0.15, synthetic, THEIRS | {"marker": "o"}, "synthetic"),
    ):
        ends = frame[["low", "high"]].to_numpy() / whole[:, None]
        ax.hlines(place + shift, *ends.T, color=style["color"], linewidth=2)
        ax.plot(frame["estimate"] / whole, place + shift, linestyle="none", markersize=6,
                marker=style["marker"], color=style["color"], label=label)  # fmt: skip
    ax.axvline(1, color=look.LIGHT, linewidth=1)
    ax.set_yticks(place, confidential.index)
    look.tidy(ax, "", "relative to the confidential estimate")
    look.legend(ax, loc="best")


def draw_ratios(ax, ratios, title=""):
    """Show the mean pMSE ratio of every variable as a bar; lines at 1 (dashed) and 10 (orange)."""
    place = np.arange(len(ratios))[::-1]
    ax.barh(place, ratios, color=look.GREEN, height=0.6)
    ax.set_yticks(place, ratios.index)
    ax.axvline(1, **OURS)
    ax.axvline(10, color=look.ORANGE, linewidth=1.6)
    look.tidy(ax, title, "mean pMSE ratio")


def draw_ratio_map(ax, tables, variables):
    """Show the pMSE ratio of every two-way table as a square, dark when it is large."""
    place = {name: k for k, name in enumerate(variables)}
    square = np.full((len(variables), len(variables)), np.nan)
    for first, second, ratio in zip(
        tables["variable_1"], tables["variable_2"], tables["ratio"], strict=True
    ):
        square[place[first], place[second]] = square[place[second], place[first]] = ratio
    ax.imshow(np.log10(np.maximum(square, 0.1)), cmap="Greens", vmin=-1, vmax=1.7)
    for i, j in zip(*np.nonzero(~np.isnan(square)), strict=True):
        number = f"{square[i, j]:.1f}" if square[i, j] < 10 else f"{square[i, j]:.0f}"
        ink = "white" if square[i, j] > 6 else "black"
        ax.text(j, i, number, ha="center", va="center", fontsize=look.SMALL, color=ink)
    ax.set_xticks(range(len(variables)), variables, rotation=45, ha="right")
    ax.set_yticks(range(len(variables)), variables)
    look.tidy(ax, "pMSE ratio of every two-way table")


def draw_differences(ax, confidential, synthetic, title, xlabel, steps=None):
    """Compare the distribution of a whole-numbered difference in both files."""
    low = int(min(confidential.min(), synthetic.min()))
    high = int(max(confidential.max(), synthetic.max()))
    if steps:
        low, high = max(low, steps[0]), min(high, steps[1])
    edges = np.arange(low, high + 2) - 0.5
    for values, style, label in (
        (confidential, OURS, "confidential"),
        (synthetic, THEIRS, "synthetic"),
    ):
        share = 100 * np.histogram(values, edges)[0] / len(values)
        ax.stairs(share, edges, label=label, **style)
    ax.set_ylim(0, 1.3 * ax.get_ylim()[1])
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    look.tidy(ax, title, xlabel, "%")
    look.legend(ax, loc="upper right")


def draw_bars(ax, counts, title):
    """Show a few counts as bars with their numbers; `counts` is a Series."""
    place = np.arange(len(counts))
    ax.bar(place, counts, 0.6, color=look.BLUE)
    for x, count in zip(place, counts, strict=True):
        ax.text(x, count, f"{count:,.0f}", ha="center", va="bottom", fontsize=look.SMALL)
    labels = [f"{100 * one:.0f} %" if isinstance(one, float) else one for one in counts.index]
    ax.set_xticks(place, labels)
    ax.set_ylim(0, 1.12 * max(counts.max(), 1))
    look.tidy(ax, title)


# Estimated and true r


def draw_deciles(ax, true, estimates):
    """Show mean estimated r of each tenth of the sample uniques against the mean true 1/F.

    `estimates` maps the name of a model to its ten means.
    """
    ax.plot([0, 1], [0, 1], label="as it should be", **OURS)
    looks = ({"color": look.BLUE, "marker": "o"}, {"color": look.ORANGE, "marker": "^"})
    for (name, values), style in zip(estimates.items(), looks, strict=False):
        ax.plot(true, values, label=name, markersize=8, **style)
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.02, 1.02)
    look.tidy(ax, "ten groups of sample uniques", "true mean 1/F", "mean estimated r")
    look.legend(ax, loc="lower right")


def _risk_axis(ax, n):
    """Make an axis for histograms of r, with room for the legend above them."""
    ax.set_xlim(0, 1.01)
    look.count_axis(ax, n)
    ax.set_ylim(top=ax.get_ylim()[1] + 1.1)
    ax.plot([], [], label="estimated r", **ESTIMATED)
    ax.plot([], [], label="true 1/F", **OURS)
    look.tidy(ax, "sample uniques by their risk", "r", "households")
    look.legend(ax, loc="upper left")


def _histograms(ax, estimated, true):
    """Show both histograms of r."""
    for counts, style in ((true, OURS), (estimated, ESTIMATED)):
        edges = np.linspace(0, 1, len(counts) + 1)
        heights = np.log10(np.maximum(counts, 10**-look.FOOT))
        ax.stairs(heights, edges, baseline=-look.FOOT, **style)


def frame_uniques(axes, n, bins):
    """Draw the empty pictures of r and of the SU-CU households; steps up are ten times as many."""
    left, right = axes
    _risk_axis(left, n)
    right.set_xlim(-0.6, len(bins) - 0.4)
    right.set_xticks(range(len(bins)), bins)
    look.count_axis(right, n)
    look.tidy(right, "unique in both files (SU-CU)", "", "")


def draw_uniques(axes, estimated, true, bars):
    """Show both histograms of r, and the SU-CU households by threshold."""
    _histograms(axes[0], estimated, true)
    for place, count in enumerate(bars):
        top = np.log10(count) if count else -look.FOOT
        axes[1].bar([place], [top + look.FOOT], 0.6, bottom=-look.FOOT, color=look.BLUE)
        axes[1].text(place, top + 0.05, f"{count:,}", ha="center", fontsize=look.SMALL)


# Attribute risk


def frame_incomes(axes, top=6.5):
    """Draw the empty pictures of incomes, and of a1 and a2."""
    left, right = axes
    left.set_xlim(2.5, top)
    left.set_ylim(1.9, top)
    powers = range(3, int(top) + 1)
    left.set_xticks(powers, [f"{10**power:,}" for power in powers])
    left.set_yticks([2.2, *powers], ["0", *(f"{10**power:,}" for power in powers)])
    look.tidy(left, "", "confidential income x", "synthetic income")
    near = look.CANDIDATE | {"label": "near: counts for a1"}
    left.plot([], [], **near)
    left.plot([], [], **look.EVERYONE_ELSE | {"label": "not near"})
    look.legend(left, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    right.set_xlim(-0.6, 1.6)
    right.set_ylim(0, 1.05)
    right.set_xticks([0, 1], ["a1 as\na share", "a2"])
    look.tidy(right, "", "", "share")


def draw_incomes(axes, near, factor, shares):
    """Show the incomes of the households looked at, the range around x, and both shares."""
    left, right = axes
    ends = np.array(left.get_xlim())
    reach = np.log10(factor)
    left.fill_between(ends, ends - reach, ends + reach, **look.RANGE)
    for member, style in ((~near["hit"], look.EVERYONE_ELSE), (near["hit"], look.CANDIDATE)):
        x, other = near.loc[member, "x"], near.loc[member, "x_synthetic"]
        left.plot(np.log10(x), np.where(other > 0, np.log10(np.maximum(other, 1)), 2.2), **style)
    for place, share in enumerate(shares):
        if not np.isnan(share):
            right.bar([place], [share], 0.6, color=look.BLUE)
            right.text(place, share + 0.02, f"{share:.2f}", ha="center", fontsize=look.SMALL)


# The sampling fraction


def frame_fractions(axes, table, counts_to):
    """Draw the empty pictures of a small state that is sampled more and more."""
    left, right = axes
    left.set_xlim(0, 100)
    left.set_ylim(0, 1.03)
    left.plot(100 * table["fraction"], table["mean_r"], label="mean estimated r", **ESTIMATED)
    left.plot(100 * table["fraction"], table["mean_true"], label="mean true 1/F", **OURS)
    look.tidy(left, "how likely a match is right", "sampling fraction (%)", "")
    look.legend(left, loc="lower right")
    _risk_axis(right, counts_to)


def draw_fraction(axes, row, estimated, true):
    """Mark one sampling fraction, and show its histograms of r."""
    axes[0].plot(2 * [100 * row["fraction"]], [row["mean_r"], row["mean_true"]], **look.NOW)
    _histograms(axes[1], estimated, true)


# Protection


def frame_methods(ax, results, risk, label):
    """Draw risk against utility of every method: thirty small dots and their mean.

    `results` has the columns family, cutoff, ratio and the risk.
    """
    for family, style in METHOD_LOOKS.items():
        ours = results[results["family"] == family]
        ax.plot(np.log10(ours["ratio"]), ours[risk], linestyle="none", alpha=0.25, markersize=4,
                **style)  # fmt: skip
        mean = ours.groupby("cutoff")[["ratio", risk]].mean()
        ax.plot(np.log10(mean["ratio"]), mean[risk], linestyle="-", linewidth=0.8, markersize=8,
                label=family, **style)  # fmt: skip
    ticks = [1, 3, 10, 30, 100]
    ax.set_xticks(np.log10(ticks), ticks)
    ax.set_xlim(np.log10(0.9), np.log10(max(1.2 * results["ratio"].max(), 12)))
    ax.set_ylim(0, 1.6 * results[risk].max())  # room for the legend
    look.tidy(ax, label, "pMSE ratio (1 is best)")


def draw_method(ax, ratio, risk):
    """Mark one method."""
    ax.plot([np.log10(ratio)], [risk], **look.NOW | {"markersize": 15, "fillstyle": "none",
                                                     "markeredgewidth": 2.5})  # fmt: skip


# The most respondents kept


def frame_sizes(axes, results, cut):
    """Draw the pMSE ratio for every H, and how many persons are cut."""
    left, right = axes
    sizes = sorted(results["largest"].unique())
    groups = [results.loc[results["largest"] == one, "ratio"] for one in sizes]
    style = {"color": look.GREEN}
    left.boxplot(groups, positions=sizes, widths=0.6, boxprops=style, capprops=style,
                 whiskerprops=style, medianprops={"color": look.DARK},
                 flierprops={"marker": ".", "markeredgecolor": look.GREEN})  # fmt: skip
    left.set_xticks(sizes, sizes)
    left.set_ylim(0, 1.05 * results["ratio"].max())
    look.tidy(left, "utility: pMSE ratio of the whole file (1 is best)", "H, most respondents kept")
    some = cut[cut > 0]
    heights = np.log10(some) + look.FOOT
    right.bar(some.index, heights, 0.6, bottom=-look.FOOT, color=look.LIGHT)
    right.set_xticks(cut.index[::2], cut.index[::2])  # or two-digit numbers touch
    look.count_axis(right, int(cut.max()))
    right.set_ylim(top=np.log10(cut.max()) + 0.2)
    look.tidy(right, "persons cut", "H", "")


def draw_size(axes, largest, ratio, cut):
    """Mark one H in both pictures."""
    axes[0].plot([largest], [ratio], **look.NOW)
    axes[1].plot([largest], [np.log10(cut) if cut else -look.FOOT], **look.NOW)
