"""Pictures of lesson 07: households in both files, who is unique, and what protection costs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from IPython.display import Image

from synthrisk_edu.data import labels
from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Picture
from synthrisk_edu.words import listing, say, say_percent

OURS = {"color": look.DARK, "linestyle": "--", "linewidth": 1.6}  # confidential, or the truth
THEIRS = {"color": look.GREEN, "linestyle": "-", "linewidth": 2}  # synthetic
ESTIMATED = {"color": look.BLUE, "linestyle": "-", "linewidth": 2}
METHOD_LOOKS = {
    "no protection": {"color": look.DARK, "marker": "X"},
    "tree only": {"color": look.BLUE, "marker": "o"},
    "tree and classes": {"color": look.GREEN, "marker": "^"},
    "tree and donors": {"color": look.ORANGE, "marker": "s"},
    "grouped states": {"color": look.PURPLE, "marker": "D"},
    "grouped trees": {"color": look.PURPLE, "marker": "P"},
}
RISKS = {
    "r > 0.5": "SU-CU with r > 0.5",
    "r > 0.95": "SU-CU with r > 0.95",
    "right": "in truth: right matches",
}
SU_CU = {"su_cu": "all"} | {f"above_{R}": f"r > {R}" for R in (0.1, 0.5, 0.95)}
TWO = {"left": 0.12, "right": 0.98, "top": 0.88, "bottom": 0.17, "wspace": 0.3}


def frame_sizes(axes, results, cut):
    """Draw the pMSE ratio for every H, and how many persons are cut."""
    left, right = axes
    look.boxplot(left, results, x="largest", y="ratio", native_scale=True, **look.BOXES)
    left.set(xticks=cut.index, xticklabels=cut.index, ylim=(0, 1.05 * results["ratio"].max()))
    look.tidy(
        left, "usefulness: pMSE ratio of the whole file (chance: 1)", "H, most respondents kept"
    )
    some = cut[cut > 0]
    right.bar(some.index, np.log10(some) + look.FOOT, 0.6, bottom=-look.FOOT, color=look.LIGHT)
    right.set_xticks(cut.index[::2], cut.index[::2])  # or two-digit numbers touch
    right.set_xlim(cut.index[0] - 0.8, cut.index[-1] + 0.8)
    look.count_axis(right, int(cut.max()))
    right.set_ylim(top=np.log10(cut.max()) + 0.2)
    look.tidy(right, "persons cut", "H")


def draw_size(axes, now):
    """Mark one H in both pictures; a dot for nobody lies on the axis, whole."""
    look.draw_now(axes, now.H, [now.ratio, np.log10(now.cut) if now.cut else 0.13 - look.FOOT])


def say_size(now):
    """Read one H aloud."""
    homes, lost = "no household has", "and nobody is cut"
    if now.cut:
        homes, lost = f"{say(now.homes)} households have", f"and {say(now.cut)} persons are cut"
    return (
        f"H = {now.H}: {homes} more than {now.H} respondents, {lost}. The whole-file pMSE "
        f"ratio is {say_percent(now.ratio)} on average over 30 synthetic files."
    )


SIZES = Picture(
    frame_sizes,
    draw_size,
    say_size,
    {"height": 3.6, "columns": 2, "margins": TWO, "width_ratios": [1.7, 1]},
)


def most_respondents(results: pd.DataFrame, cut: pd.Series) -> Image:
    """Draw the pMSE ratio for every H as a boxplot, and how many persons each H cuts.

    `results` is load_results("household_sizes"), `cut` a Series: H → persons who are cut.
    """
    figure, axes = SIZES.figure()
    frame_sizes(axes, results, cut)
    middle = results.groupby("largest")["ratio"].median()
    words = [f"{middle[H]:.1f} for H = {H} ({say(cut[H])} persons cut)" for H in middle.index]
    return look.show(figure, f"Boxplots of the pMSE ratio; the medians are {listing(words)}.")


# Utility


def estimates(confidential, synthetic) -> Image:
    """Draw estimates with their intervals from both files, one row each, relative to ours.

    Both frames have the columns estimate, low and high. Everything is divided by the confidential
    estimate, so that shares, years and money fit on one axis.
    """
    figure, ax = look.figure(5.6)
    place, whole = np.arange(len(confidential))[::-1], confidential["estimate"]
    ours = {"marker": "|", "color": look.DARK, "label": "confidential"}
    theirs = {"marker": "o", "color": look.GREEN, "label": "synthetic"}
    for y, file, style in ((place + 0.15, confidential, ours), (place - 0.15, synthetic, theirs)):
        ax.hlines(y, file["low"] / whole, file["high"] / whole, color=style["color"], linewidth=2)
        ax.plot(file["estimate"] / whole, y, linestyle="none", markersize=6, **style)
    ax.axvline(1, color=look.LIGHT, linewidth=1)
    ax.set_yticks(place, confidential.index)
    look.tidy(ax, "", "relative to the confidential estimate")
    look.legend(ax, loc="best")
    ratio = synthetic["estimate"] / whole
    pairs = [f"{name} {100 * (one - 1):+.1f} %" for name, one in ratio.items()]
    return look.show(figure, f"Synthetic less confidential estimates: {listing(pairs)}.")


def table_ratios(means) -> Image:
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


def ratio_map(tables) -> Image:
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


def differences(couples, homes, unit) -> Image:
    """Draw how far couples and households lie apart, in both files.

    `couples` holds the `spouses` of the confidential and of the synthetic file, `homes` the
    `extremes` of both.
    """
    import seaborn
    from matplotlib.ticker import MaxNLocator

    figure, axes = look.figure(3.4, 2, margins={"wspace": 0.28})
    apart = {
        "couples: his minus hers": [one["male"] - one["female"] for one in couples],
        "households: highest minus lowest": [one["highest"] - one["lowest"] for one in homes],
    }
    steps, words = {"discrete": True, "stat": "percent", "element": "step", "fill": False}, []
    for ax, (title, (ours, theirs)) in zip(axes, apart.items(), strict=True):
        seaborn.histplot(x=ours, ax=ax, label="confidential", **steps, **OURS)
        seaborn.histplot(x=theirs, ax=ax, label="synthetic", **steps, **THEIRS)
        ax.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))
        look.tidy(ax, title, unit, "%", ylim=(0, 1.3 * ax.get_ylim()[1]))
        look.legend(ax, loc="upper right")
        equal = [f"{100 * (one == 0).mean():.0f} %" for one in (ours, theirs)]
        words.append(f"{title}: 0 {unit} in {equal[0]} (confidential) and {equal[1]} (synthetic).")
    return look.show(figure, " ".join(words))


# Estimated and true r


def risk_by_tenth(true, estimates) -> Image:
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


def counts(bars) -> Image:
    """Draw a few counts as bars with their numbers; `bars` maps a title to a Series of counts."""
    figure, axes = look.figure(2.8, len(bars), margins={"wspace": 0.3}, squeeze=False)
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


def frame_uniques(axes, n):
    """Draw the empty pictures of r and of the SU-CU households; steps up are ten times as many."""
    left, right = axes
    _risk_axis(left, n)
    right.set_xticks(range(len(SU_CU)), SU_CU.values())
    look.count_axis(right, n)
    look.tidy(right, "unique in both files (SU-CU)", xlim=(-0.6, len(SU_CU) - 0.4))


def draw_uniques(axes, now):
    """Show both histograms of r, and the SU-CU households by threshold."""
    _histograms(axes[0], now.estimated.filter(like="bin_"), now.true.filter(like="bin_"))
    for place, count in enumerate(now.estimated[list(SU_CU)]):
        top = np.log10(count) if count else -look.FOOT
        axes[1].bar([place], [top + look.FOOT], 0.6, bottom=-look.FOOT, color=look.BLUE)
        axes[1].text(place, top + 0.05, f"{count:,}", ha="center", fontsize=look.SMALL)


def say_uniques(now):
    """Read aloud what is known, and who is unique with it."""
    estimated, true = now.estimated.map(say), now.true.map(say)
    home, persons = (
        listing(labels(known, now.estimated).values()) for known in (now.household, now.person)
    )
    whose = f"; of {'one person' if now.respondents == 1 else 'two persons'} {persons}"
    knows = f"The intruder knows {home}{whose if now.person else ''}."
    if estimated["unique"] == "0":
        return f"{knows} No household is alone in the sample with that, and so none is found."
    return (
        f"{knows} {estimated['unique']} households are alone in the sample with that, and "
        f"{estimated['su_cu']} of them stand alone in the synthetic file too; for "
        f"{estimated['above_0.1']} of these a match is right with a chance above 0.1, for "
        f"{estimated['above_0.95']} above 0.95 (in truth for {true['above_0.1']} and "
        f"{true['above_0.95']})."
    )


UNIQUES = Picture(
    frame_uniques,
    draw_uniques,
    say_uniques,
    {"height": 3.3, "columns": 2, "margins": TWO, "width_ratios": [1.2, 1]},
)


def frame_incomes(axes):
    """Draw the empty pictures of incomes, and of a1 and a2."""
    (left, right), top = axes, 6.5
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


def draw_incomes(axes, now):
    """Show the incomes of the households looked at, the range around x, and both shares."""
    left, right = axes
    ends, reach, hit = np.array(left.get_xlim()), np.log10(1 + now.b / 100), now.near["hit"]
    left.fill_between(ends, ends - reach, ends + reach, **look.RANGE)
    for some, style in ((now.near[~hit], look.EVERYONE_ELSE), (now.near[hit], look.CANDIDATE)):
        other = np.log10(some["x_synthetic"].clip(lower=1)).where(some["x_synthetic"] > 0, 2.2)
        left.plot(np.log10(some["x"]), other, **style)
    for place, share in enumerate(now.shares):
        if not np.isnan(share):
            right.bar([place], [share], 0.6, color=look.BLUE)
            right.text(place, share + 0.02, f"{share:.2f}", ha="center", fontsize=look.SMALL)


def say_incomes(now):
    """Read a1 and a2 aloud."""
    n, hits = len(now.near), int(now.near["hit"].sum())
    if not n:
        return f"No SU-CU household with an income has r > {say(now.R)}; a1 = 0, a2 is undefined."
    factor = say(1 + now.b / 100)
    return (
        f"{say(n)} SU-CU households with an income have r > {say(now.R)}. For "
        f"{say(hits or 'none')} of them the synthetic household with the same QIs has an income "
        f"within {now.b} % (above x/{factor} and below x·{factor}): a1({now.b}, {say(now.R)}) = "
        f"{say(hits)}. A tree grown on the synthetic file puts on average {now.shares[1]:.2f} of "
        f"its probability there: a2({now.b}, {say(now.R)}) = {now.shares[1]:.2f}."
    )


INCOMES = Picture(
    frame_incomes,
    draw_incomes,
    say_incomes,
    {
        "height": 1.9,
        "columns": 2,
        "margins": TWO | {"left": 0.14, "top": 0.83, "bottom": 0.29},
        "width_ratios": [2.2, 1],
    },
)


def frame_fractions(axes, table):
    """Draw the empty pictures of a small state that is sampled more and more."""
    left, right = axes
    left.plot(100 * table["fraction"], table["mean_r"], label="mean estimated r", **ESTIMATED)
    left.plot(100 * table["fraction"], table["mean_true"], label="mean true 1/F", **OURS)
    left.set(xlim=(0, 100), ylim=(0, 1.03))
    look.tidy(left, "how likely a match is right", "sampling fraction (%)")
    look.legend(left, loc="lower right")
    _risk_axis(right, int(table["unique"].max()))


def draw_fraction(axes, row):
    """Mark one sampling fraction, and show its histograms of r."""
    axes[0].plot(2 * [100 * row["fraction"]], [row["mean_r"], row["mean_true"]], **look.NOW)
    _histograms(axes[1], row.filter(like="estimated_"), row.filter(like="true_"))


def say_fraction(row):
    """Read one sampling fraction aloud."""
    return (
        f"With {100 * row['fraction']:g} % of the state in the sample, {say(row['sampled'])} "
        f"households, {say(row['unique'])} are sample unique. On average a match with one of them "
        f"is right with a chance of {row['mean_true']:.2f}; the model says {row['mean_r']:.2f}. "
        f"{say(row['alone'])} are alone in the whole state."
    )


FRACTIONS = Picture(
    frame_fractions, draw_fraction, say_fraction, {"height": 3.6, "columns": 2, "margins": TWO}
)


# Protection


def frame_methods(axes, methods, mean, risks=RISKS):
    """Draw risk against utility: thirty small dots a method, and its mean; a line joins cutoffs.

    `methods` is load_results("household_methods"), `mean` the mean of each of its methods; `risks`
    maps a column to a title.
    """
    ticks = [1, 3, 10, 30, 100]
    for ax, (risk, title) in zip(axes, risks.items(), strict=True):
        for family, style in METHOD_LOOKS.items():
            files = methods[methods["method"].str.startswith(family)]
            single = style | {"linestyle": "none", "alpha": 0.25, "markersize": 4}
            ax.plot(np.log10(files["ratio"]), files[risk], **single)
            means = mean[mean.index.str.startswith(family)]
            joined = style | {"linestyle": "-", "linewidth": 0.8, "markersize": 8, "label": family}
            ax.plot(np.log10(means["ratio"]), means[risk], **joined)
        ax.set_xticks(np.log10(ticks), ticks)
        ax.set_xlim(np.log10(0.9), np.log10(max(1.2 * methods["ratio"].max(), 12)))
        look.tidy(ax, title, "pMSE ratio (chance: 1)", ylim=(0, 1.05 * methods[risk].max()))
    marks, names = axes[0].get_legend_handles_labels()
    row = {"loc": "upper center", "ncols": 3, "columnspacing": 1.2}
    axes[0].figure.legend(marks, names, fontsize=look.SMALL, frameon=False, **row)


def draw_method(axes, now):
    """Put a ring around one method, whole, also at the edge of a picture."""
    ring = look.NOW | {"markersize": 15, "fillstyle": "none", "markeredgewidth": 2.5}
    for ax, risk in zip(axes, RISKS, strict=True):
        ax.plot([np.log10(now.row["ratio"])], [now.row[risk]], clip_on=False, **ring)


def say_method(now):
    """Read risk and utility of one method aloud."""
    what = {
        "no protection": "Nobody is protected, so no weight is set",
        "grouped states": "Small states are joined to others in the release, and no weight is set",
        "grouped trees": "The trees see small states joined, the release has them as "
        "they are, and no weight is set",
        "tree only": "Weights act on the tree only",
        "tree and classes": "Weights act on the tree and on the donors of categories",
        "tree and donors": "Weights act on tree and donors",
    }[now.family]
    if now.family.startswith("tree"):
        zero = f"households with r > {now.cutoff:g}, 1 − r² for other sample uniques"
        what += f": 0 for {zero if now.cutoff else 'every sample unique'}"
    found = {name: f"{now.row[name]:,.0f} ({now.plain[name]:,.0f})" for name in now.row.index}
    ratio, without = say_percent(now.row["ratio"]), say_percent(now.plain["ratio"])
    return (
        f"{what}. Means over 30 files, in brackets those without protection: "
        f"{found['r > 0.1']} SU-CU households have r > 0.1, {found['r > 0.5']} r > 0.5 and "
        f"{found['r > 0.95']} r > 0.95. In truth {found['right']} matches would be right, "
        f"{found['certain']} of them for certain, because F = 1. The pMSE ratio is "
        f"{ratio} ({without})."
    )


PROTECTION = Picture(
    frame_methods,
    draw_method,
    say_method,
    {
        "height": 3.32,
        "columns": 3,
        "margins": {"left": 0.06, "right": 0.99, "top": 0.76, "bottom": 0.16, "wspace": 0.22},
    },
)


def risk_and_utility(methods: pd.DataFrame, risks: Sequence[str]) -> Image:
    """Draw risk against utility of every method of protection.

    `methods` is load_results("household_methods"); `risks` maps a column of it to a title.
    """
    margins = {"wspace": 0.3, "top": 0.76}
    figure, axes = look.figure(3.9, len(risks), margins=margins, squeeze=False)
    mean = methods.groupby("method", sort=False)[["ratio", *risks]].mean()
    frame_methods(axes.flat, methods, mean, risks)
    words = [
        f"{name}: ratio {row.ratio:.1f}, {listing(f'{risks[one]} {row[one]:.3g}' for one in risks)}"
        for name, row in mean.iterrows()
    ]
    return look.show(figure, f"Risk against utility of {len(mean)} methods. {'; '.join(words)}.")


def states_by_variable(states) -> Image:
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
