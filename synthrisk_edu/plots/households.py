"""Pictures of lesson 07: households in both files, who is unique, and what protection costs."""

import numpy as np
import pandas as pd

from synthrisk_edu.data import labels
from synthrisk_edu.plots import look
from synthrisk_edu.words import listing, say

OURS = {"color": look.DARK, "linestyle": "--", "linewidth": 1.6}  # confidential, or the truth
THEIRS = {"color": look.GREEN, "linestyle": "-", "linewidth": 2}  # synthetic
ESTIMATED = {"color": look.BLUE, "linestyle": "-", "linewidth": 2}
METHOD_LOOKS = {
    "no protection": {"color": look.DARK, "marker": "X"},
    "tree only": {"color": look.BLUE, "marker": "o"},
    "tree and classes": {"color": look.GREEN, "marker": "^"},
    "tree and donors": {"color": look.ORANGE, "marker": "s"},
    "grouped states": {"color": look.PURPLE, "marker": "D"},
}
TWO = {"left": 0.12, "right": 0.98, "top": 0.88, "bottom": 0.17, "wspace": 0.3}


def most_respondents(results, cut):
    """Draw the pMSE ratio for every H as a boxplot, and how many persons each H cuts.

    `results` is load_results("household_sizes"), `cut` a Series: H → persons who are cut.
    """
    figure, axes = look.figure(3.4, 2, margins=TWO, width_ratios=[1.7, 1])
    frame_sizes(axes, results, cut)
    middle = results.groupby("largest")["ratio"].median()
    words = [f"{middle[H]:.1f} for H = {H} ({say(cut[H])} persons cut)" for H in middle.index]
    return look.show(figure, f"Boxplots of the pMSE ratio; the medians are {listing(words)}.")


def frame_sizes(axes, results, cut):
    """Draw the pMSE ratio for every H, and how many persons are cut."""
    left, right = axes
    look.boxplot(left, results, x="largest", y="ratio", native_scale=True, **look.BOXES)
    left.set(xticks=cut.index, xticklabels=cut.index, ylim=(0, 1.05 * results["ratio"].max()))
    look.tidy(
        left, "usefulness: pMSE ratio of the whole file (1 is best)", "H, most respondents kept"
    )
    some = cut[cut > 0]
    right.bar(some.index, np.log10(some) + look.FOOT, 0.6, bottom=-look.FOOT, color=look.LIGHT)
    right.set_xticks(cut.index[::2], cut.index[::2])  # or two-digit numbers touch
    right.set_xlim(cut.index[0] - 0.8, cut.index[-1] + 0.8)
    look.count_axis(right, int(cut.max()))
    right.set_ylim(top=np.log10(cut.max()) + 0.2)
    look.tidy(right, "persons cut", "H")


def draw_size(axes, largest, ratio, cut):
    """Mark one H in both pictures; a dot for nobody lies on the axis, whole."""
    look.draw_now(axes, largest, [ratio, np.log10(cut) if cut else 0.13 - look.FOOT])


# Utility


def estimates(confidential, synthetic):
    """Draw estimates with their intervals from both files, one row each, relative to ours.

    Both frames have the columns estimate, low and high. Everything is divided by the confidential
    estimate, so that shares, years and money fit on one axis.
    """
    figure, ax = look.figure(5.6)
    place, whole = np.arange(len(confidential))[::-1], confidential["estimate"].to_numpy()
    ours, theirs = {"marker": "|", "color": look.DARK}, {"marker": "o", "color": look.GREEN}
    _intervals(ax, confidential, whole, place + 0.15, ours | {"label": "confidential"})
    _intervals(ax, synthetic, whole, place - 0.15, theirs | {"label": "synthetic"})
    ax.axvline(1, color=look.LIGHT, linewidth=1)
    ax.set_yticks(place, confidential.index)
    look.tidy(ax, "", "relative to the confidential estimate")
    look.legend(ax, loc="best")
    ratio = synthetic["estimate"] / confidential["estimate"]
    pairs = [f"{name} {100 * (one - 1):+.1f} %" for name, one in ratio.items()]
    return look.show(figure, f"Synthetic less confidential estimates: {listing(pairs)}.")


def _intervals(ax, frame, whole, place, style):
    """Draw the estimates of one file with their intervals, divided by `whole`."""
    ends = frame[["low", "high"]].to_numpy() / whole[:, None]
    ax.hlines(place, *ends.T, color=style["color"], linewidth=2)
    ax.plot(frame["estimate"] / whole, place, linestyle="none", markersize=6, **style)


def table_ratios(means):
    """Draw the mean pMSE ratio of every variable as bars; `means` maps a title to such a Series.

    A dashed line stands at 1, as good as a new draw, and an orange one at 10.
    """
    figure, axes = look.figure(4.2, len(means), margins={"wspace": 0.45}, squeeze=False)
    words = []
    for ax, (title, ratios) in zip(axes.flat, means.items(), strict=True):
        place = np.arange(len(ratios))[::-1]
        ax.barh(place, ratios, color=look.GREEN, height=0.6)
        ax.set_yticks(place, labels(ratios.index, ratios).values())
        ax.axvline(1, **OURS)
        ax.axvline(10, color=look.ORANGE, linewidth=1.6)
        look.tidy(ax, title, "mean pMSE ratio")
        pairs = listing([f"{name} {ratio:.1f}" for name, ratio in ratios.items()])
        words.append(f"Mean pMSE ratios, {title}: {pairs}.")
    return look.show(figure, " ".join(words))


def ratio_map(tables):
    """Draw the pMSE ratio of every two-way table as a square, dark when it is large.

    `tables` has the columns variable_1, variable_2 and ratio; the worst variable comes first.
    """
    import seaborn

    turned = {"variable_1": "variable_2", "variable_2": "variable_1"}
    both = pd.concat([tables, tables.rename(columns=turned)])
    square = both.pivot(index="variable_1", columns="variable_2", values="ratio")
    order = square.mean().sort_values(ascending=False).index
    square = square.loc[order, order].rename(index=labels(order, tables))
    figure, ax = look.figure(6.4)
    shade = {"cmap": "Greens", "vmin": -1, "vmax": 1.7, "cbar": False, "square": True}
    numbers = {"annot": square.map(_ratio), "fmt": "", "annot_kws": {"fontsize": look.SMALL}}
    seaborn.heatmap(np.log10(square.clip(lower=0.1)), ax=ax, **shade, **numbers)
    ax.set_xticks(np.arange(len(order)) + 0.5, square.index, rotation=45, ha="right")
    look.tidy(ax, "pMSE ratio of every two-way table")
    worst = tables.nlargest(1, "ratio").iloc[0]
    pair = f"{worst.variable_1} and {worst.variable_2} ({worst.ratio:.1f})"
    return look.show(figure, f"The pMSE ratios of {len(tables)} pairs; the largest is {pair}.")


def _ratio(value):
    """Write a ratio in at most three characters."""
    return "" if np.isnan(value) else f"{value:.1f}" if value < 10 else f"{value:.0f}"


def differences(couples, homes, unit):
    """Draw how far couples and households lie apart, in both files.

    `couples` holds the `spouses` of the confidential and of the synthetic file, `homes` the
    `extremes` of both.
    """
    figure, axes = look.figure(3.4, 2, margins={"wspace": 0.28})
    apart = {
        "couples: his minus hers": [one["male"] - one["female"] for one in couples],
        "households: highest minus lowest": [one["highest"] - one["lowest"] for one in homes],
    }
    words = []
    for ax, (title, (ours, theirs)) in zip(axes, apart.items(), strict=True):
        _distributions(ax, ours, theirs)
        look.tidy(ax, title, unit, "%")
        look.legend(ax, loc="upper right")
        equal = [f"{100 * (one == 0).mean():.0f} %" for one in (ours, theirs)]
        words.append(f"{title}: 0 {unit} in {equal[0]} (confidential) and {equal[1]} (synthetic).")
    return look.show(figure, " ".join(words))


def _distributions(ax, ours, theirs):
    """Draw the shares of whole-numbered values in both files; the outermost are not shown."""
    import seaborn
    from matplotlib.ticker import MaxNLocator

    steps = {"discrete": True, "stat": "percent", "element": "step", "fill": False}
    for values, style, label in ((ours, OURS, "confidential"), (theirs, THEIRS, "synthetic")):
        seaborn.histplot(x=values, ax=ax, label=label, **steps, **style)
    low, high = np.nanquantile(ours, [0.0005, 0.9995])
    ax.set(xlim=(low - 1, high + 1), ylim=(0, 1.3 * ax.get_ylim()[1]))
    ax.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))


# Estimated and true r


def risk_by_tenth(true, estimates):
    """Draw mean estimated r of each tenth of the sample uniques against the mean true 1/F.

    `estimates` maps the name of a model to its ten means.
    """
    figure, ax = look.figure(3.8, margins={"right": 0.65})
    ax.plot([0, 1], [0, 1], label="as it should be", **OURS)
    looks = ({"color": look.BLUE, "marker": "o"}, {"color": look.ORANGE, "marker": "^"})
    for (name, values), style in zip(estimates.items(), looks, strict=False):
        ax.plot(true, values, label=name, markersize=8, **style)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    look.tidy(ax, "ten groups of sample uniques", "true mean 1/F", "mean estimated r")
    look.legend(ax, loc="lower right")
    off = [f"{name}: at most {(one - true).abs().max():.2f}" for name, one in estimates.items()]
    return look.show(figure, f"Estimated r less true 1/F in ten groups, {listing(off)}.")


def counts(bars, height=2.8):
    """Draw a few counts as bars with their numbers; `bars` maps a title to a Series of counts."""
    figure, axes = look.figure(height, len(bars), margins={"wspace": 0.3}, squeeze=False)
    words = []
    for ax, (title, heights) in zip(axes.flat, bars.items(), strict=True):
        place = np.arange(len(heights))
        drawn = ax.bar(place, heights, 0.6, color=look.BLUE)
        ax.bar_label(drawn, [f"{one:,.0f}" for one in heights], fontsize=look.SMALL)
        names = [f"{100 * one:.0f} %" if isinstance(one, float) else one for one in heights.index]
        ax.set_xticks(place, names)
        ax.yaxis.set_major_formatter("{x:,.0f}")
        look.tidy(ax, title, ylim=(0, 1.12 * max(heights.max(), 1)))
        pairs = [f"{one:,.0f} ({name})" for one, name in zip(heights, names, strict=True)]
        words.append(f"{title}: {listing(pairs)}.")
    return look.show(figure, " ".join(words))


def _risk_axis(ax, n):
    """Make an axis for histograms of r, with room for the legend above them."""
    look.count_axis(ax, n)
    ax.set_ylim(top=ax.get_ylim()[1] + 1.1)
    look.tidy(ax, "sample uniques by their risk", "r", "households", xlim=(0, 1.01))
    look.legend(ax, [("estimated r", ESTIMATED), ("true 1/F", OURS)], loc="upper left")


def _histograms(ax, estimated, true):
    """Show both histograms of r."""
    for heights, style in ((true, OURS), (estimated, ESTIMATED)):
        edges = np.linspace(0, 1, len(heights) + 1)
        tops = np.log10(np.maximum(heights, 10**-look.FOOT))
        ax.stairs(tops, edges, baseline=-look.FOOT, **style)


def frame_uniques(axes, n, bins):
    """Draw the empty pictures of r and of the SU-CU households; steps up are ten times as many."""
    left, right = axes
    _risk_axis(left, n)
    right.set_xticks(range(len(bins)), bins)
    look.count_axis(right, n)
    look.tidy(right, "unique in both files (SU-CU)", xlim=(-0.6, len(bins) - 0.4))


def draw_uniques(axes, estimated, true, bars):
    """Show both histograms of r, and the SU-CU households by threshold."""
    _histograms(axes[0], estimated, true)
    for place, count in enumerate(bars):
        top = np.log10(count) if count else -look.FOOT
        axes[1].bar([place], [top + look.FOOT], 0.6, bottom=-look.FOOT, color=look.BLUE)
        axes[1].text(place, top + 0.05, f"{count:,}", ha="center", fontsize=look.SMALL)


def frame_incomes(axes, top=6.5):
    """Draw the empty pictures of incomes, and of a1 and a2."""
    left, right = axes
    powers = range(3, int(top) + 1)
    numbers = [f"{10**power:,}" for power in powers]
    left.set_xticks(powers, numbers)
    left.set_yticks([2.2, *powers], ["0", *numbers])
    look.tidy(left, "", "confidential income x", "synthetic income")
    left.set(xlim=(2.5, top), ylim=(1.9, top))
    entries = [("near: counts for a1", look.CANDIDATE), ("not near", look.EVERYONE_ELSE)]
    look.legend(left, entries, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    right.set_xticks([0, 1], ["a1 as\na share", "a2"])
    look.tidy(right, "", "", "share", xlim=(-0.6, 1.6), ylim=(0, 1.05))


def draw_incomes(axes, near, factor, shares):
    """Show the incomes of the households looked at, the range around x, and both shares."""
    left, right = axes
    ends, reach = np.array(left.get_xlim()), np.log10(factor)
    left.fill_between(ends, ends - reach, ends + reach, **look.RANGE)
    for member, style in ((~near["hit"], look.EVERYONE_ELSE), (near["hit"], look.CANDIDATE)):
        x, other = near.loc[member, "x"], near.loc[member, "x_synthetic"]
        left.plot(np.log10(x), np.where(other > 0, np.log10(np.maximum(other, 1)), 2.2), **style)
    for place, share in enumerate(shares):
        if not np.isnan(share):
            right.bar([place], [share], 0.6, color=look.BLUE)
            right.text(place, share + 0.02, f"{share:.2f}", ha="center", fontsize=look.SMALL)


def frame_fractions(axes, table, most):
    """Draw the empty pictures of a small state that is sampled more and more."""
    left, right = axes
    left.plot(100 * table["fraction"], table["mean_r"], label="mean estimated r", **ESTIMATED)
    left.plot(100 * table["fraction"], table["mean_true"], label="mean true 1/F", **OURS)
    left.set(xlim=(0, 100), ylim=(0, 1.03))
    look.tidy(left, "how likely a match is right", "sampling fraction (%)")
    look.legend(left, loc="lower right")
    _risk_axis(right, most)


def draw_fraction(axes, row, estimated, true):
    """Mark one sampling fraction, and show its histograms of r."""
    axes[0].plot(2 * [100 * row["fraction"]], [row["mean_r"], row["mean_true"]], **look.NOW)
    _histograms(axes[1], estimated, true)


# Protection


def with_family(methods):
    """Split the name of a method of protection into its family and its cutoff.

    Without a cutoff nobody is cut: the cutoff is 1, for no risk is above it.

    >>> with_family(pd.DataFrame({"method": ["no protection", "tree only, cutoff 0.9"]}))
                      method         family  cutoff
    0          no protection  no protection     1.0
    1  tree only, cutoff 0.9      tree only     0.9
    """
    parts = methods["method"].str.partition(", cutoff ")
    cutoff = pd.to_numeric(parts[2], errors="coerce").fillna(1.0)
    return methods.assign(family=parts[0], cutoff=cutoff)


def risk_and_utility(methods, risks):
    """Draw risk against utility of every method of protection.

    `methods` is load_results("household_methods"); `risks` maps a column of it to a title.
    """
    margins = {"wspace": 0.3, "top": 0.82}
    figure, axes = look.figure(3.6, len(risks), margins=margins, squeeze=False)
    frame_methods(axes.flat, with_family(methods), risks)
    mean = methods.groupby("method", sort=False)[["ratio", *risks]].mean()
    words = [
        f"{name}: ratio {row.ratio:.1f}, {listing(f'{risks[one]} {row[one]:.3g}' for one in risks)}"
        for name, row in mean.iterrows()
    ]
    return look.show(figure, f"Risk against utility of {len(mean)} methods. {'; '.join(words)}.")


def frame_methods(axes, results, risks):
    """Draw a picture for each risk, and name the methods once above them all.

    `results` has the columns family, cutoff, ratio and the risks; `risks` gives them titles.
    """
    for ax, (risk, title) in zip(axes, risks.items(), strict=True):
        _methods(ax, results, risk, title)
    marks, names = axes[0].get_legend_handles_labels()
    row = {"loc": "upper center", "ncols": len(names), "columnspacing": 1.2}
    axes[0].figure.legend(marks, names, fontsize=look.SMALL, frameon=False, **row)


def _methods(ax, results, risk, title):
    """Draw one risk against utility of every method: thirty small dots and their mean."""
    for family, style in METHOD_LOOKS.items():
        ours = results[results["family"] == family]
        single = style | {"linestyle": "none", "alpha": 0.25, "markersize": 4}
        ax.plot(np.log10(ours["ratio"]), ours[risk], **single)
        mean = ours.groupby("cutoff")[["ratio", risk]].mean()
        joined = style | {"linestyle": "-", "linewidth": 0.8, "markersize": 8, "label": family}
        ax.plot(np.log10(mean["ratio"]), mean[risk], **joined)
    ticks = [1, 3, 10, 30, 100]
    ax.set_xticks(np.log10(ticks), ticks)
    ax.set_xlim(np.log10(0.9), np.log10(max(1.2 * results["ratio"].max(), 12)))
    ax.set_ylim(0, 1.05 * results[risk].max())
    look.tidy(ax, title, "pMSE ratio (1 is best)")


def draw_method(ax, ratio, risk):
    """Mark one method."""
    ring = look.NOW | {"markersize": 15, "fillstyle": "none", "markeredgewidth": 2.5}
    ring |= {"clip_on": False}  # whole, also at the edge of the picture
    ax.plot([np.log10(ratio)], [risk], **ring)


def states_by_variable(states):
    """Draw the mean three-way pMSE ratio of every variable within each state, for every method.

    `states` is load_results("household_states"); the variable that loses most comes first.
    """
    mean = states.groupby(["state", "variable", "method"], sort=False)["ratio"].mean()
    names = list(mean.groupby("variable").max().sort_values().index)
    figure, axes = look.figure(4.2, states["state"].nunique(), sharey=True, sharex=True)
    words = []
    for ax, state in zip(axes, states["state"].unique(), strict=True):
        for method, values in mean[state].unstack()[list(states["method"].unique())].items():
            style = METHOD_LOOKS[method.split(",")[0]] | {"linestyle": "none", "markersize": 7}
            ax.plot(values[names], range(len(names)), label=method, **style)
            words.append(f"{state}, {method}: {values.min():.1f} to {values.max():.1f}")
        ax.set_yticks(range(len(names)), labels(names, states).values())
        ax.axvline(1, **OURS)
        look.tidy(ax, state, "mean three-way pMSE ratio")
    look.legend(axes[-1], loc="lower right")
    return look.show(figure, f"Ratios of {len(names)} variables within states. {'; '.join(words)}.")
