"""Pictures of lesson 07: households in both files, who is unique, and what protection costs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from synthrisk_edu.data import labels
from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Mark, Shown, Tile, columns, picture
from synthrisk_edu.words import counted, listing, percent, rounded, say

OURS = {"color": look.DARK, "linestyle": "--", "linewidth": 1.8}  # confidential, or the truth
THEIRS = {"color": look.GREEN, "linestyle": "-", "linewidth": 2.2}  # synthetic
ESTIMATED = {"color": look.BLUE, "linestyle": "-", "linewidth": 2.2}
CHANCE = {"color": look.LIGHT, "linestyle": ":", "linewidth": 1.8}  # of a ratio: 1
ACCEPTABLE = 10  # a pMSE ratio up to this is usually acceptable


def _most_files(results, column):
    """Count the files of each value of a column; where they differ, the most."""
    return int(results.groupby(column).size().max())


# How many respondents


def _draw_sizes(ax, results, mean, cut):
    """Draw the pMSE ratio of every file for every H, and their mean; below stands who is cut."""
    files = counted(_most_files(results, "largest"), "file", "files")
    look.tidy(
        ax,
        f"pMSE ratio of the whole file: a dot for each of {files}",
        "H, most respondents of a household that are kept; below: people who are cut",
        "pMSE ratio",
        grid="y",
        xlim=(mean.index[0] - 0.6, mean.index[-1] + 0.6),
        ylim=(0, 1.08 * results["ratio"].max()),
    )
    names = [f"{H}\n{lost:,}" for H, lost in cut.items()]
    ax.set_xticks(cut.index, names)
    ax.axhline(1, **CHANCE)
    look.label(ax, mean.index[0] - 0.5, 1, "1: chance", look.LIGHT, away=(0, 3), va="bottom")
    dot = {"marker": "o", "markersize": 3.5, "linestyle": "none", "alpha": 0.35}
    ax.plot(results["largest"], results["ratio"], color=look.GREEN, **dot)
    ax.plot(mean.index, mean, **THEIRS)


@picture(height=3.4, touch="Click the curve to cut the file there.")
def sizes_picture(ax, results, mean, cut):
    """The pMSE ratio for every H, and how many people each of them cuts."""
    _draw_sizes(ax, results, mean, cut)
    words = [
        f"H = {H}\npMSE ratio {rounded(mean[H])}\n{counted(cut[H], 'person', 'people')} cut"
        for H in mean.index
    ]
    files = counted(_most_files(results, "largest"), "file", "files")
    places = [int(H) for H in mean.index]
    marks = columns(ax, mean.index, mean, words, "H", places)

    def move(now):
        ax.plot([now.H], [now.ratio], **look.NOW)
        tiles = [
            Tile("pMSE ratio", rounded(now.ratio), f"mean of {files}; chance: 1", look.GREEN),
            Tile("people cut", f"{now.cut:,}", f"of {now.people:,}", look.DARK),
            Tile("households", f"{now.homes:,}", "lose somebody", look.DARK),
        ]
        return Shown(_say_size(now), tiles, marks)

    return move


def _say_size(now):
    """Say what one H means."""
    if not now.cut:
        return f"With H = {now.H} every household keeps all of its respondents."
    homes = counted(now.homes, "household has", "households have")
    return (
        f"With H = {now.H} the file keeps at most {now.H} respondents of a household; {homes} "
        "more and lose the rest."
    )


def most_respondents(results: pd.DataFrame, cut: pd.Series) -> look.Standing:
    """Draw the pMSE ratio for every H, a dot a file, and how many people each H cuts.

    `results` is load_results("household_sizes"), `cut` a Series: H → people who are cut.
    """
    figure, ax = look.figure(3.4)
    means = results.groupby("largest")["ratio"].mean()
    _draw_sizes(ax, results, means, cut)
    words = [f"{means[H]:.1f} for H = {H} ({say(cut[H])} people cut)" for H in means.index]
    words = f"The pMSE ratio of every file; the means are {listing(words)}."
    return look.show(figure, words, _size_tiles(means, cut))


def _size_tiles(means, cut):
    """Return the ratio of the smallest H, of the H from which on it is flat, and of the largest."""
    flat = means.index[means <= 1.1 * means.min()][0]
    words = {H: f"{counted(cut[H], 'person', 'people')} cut" for H in means.index}
    words[flat] = f"flat from here: {say(cut[flat])} cut"
    chosen = dict.fromkeys([means.index[0], flat, means.index[-1]])  # each once
    return [Tile(f"pMSE ratio, H = {H}", rounded(means[H]), words[H], look.GREEN) for H in chosen]


# Usefulness


def estimates(confidential, synthetic) -> look.Standing:
    """Draw estimates with their intervals from both files, one row each, relative to ours.

    Both frames have the columns estimate, low and high. Everything is divided by the confidential
    estimate, so that shares, years and money fit on one axis.
    """
    figure, ax = look.figure(5.8)
    place = np.arange(len(confidential))[::-1]
    whole = confidential["estimate"]
    ax.axvline(1, color=look.LIGHT, linewidth=1)
    for name, file, aside, color, marker in (
        ("confidential", confidential, 0.15, look.DARK, "|"),
        ("synthetic", synthetic, -0.15, look.GREEN, "o"),
    ):
        y = place + aside
        ax.hlines(y, file["low"] / whole, file["high"] / whole, color=color, linewidth=2)
        dot = {"marker": marker, "color": color, "linestyle": "none", "markersize": 6}
        ax.plot(file["estimate"] / whole, y, **dot)
        is_right = name == "confidential"  # of the two in the first row, one on each side
        end = (file["high" if is_right else "low"] / whole).iloc[0]
        side = {"ha": "left" if is_right else "right", "va": "center"}
        look.label(ax, end, y[0], name, color, away=(8 if is_right else -8, 2), **side)
    ax.set_yticks(place, confidential.index)
    title = "Estimates with 95 % intervals, divided by the confidential estimate"
    look.tidy(ax, title, "1: as in the confidential file", grid="x")
    ratio = synthetic["estimate"] / whole
    pairs = [f"{name} {100 * (one - 1):+.1f} %" for name, one in ratio.items()]
    words = f"Synthetic less confidential estimates: {listing(pairs)}."
    return look.show(figure, words, _estimate_tiles(confidential, synthetic))


def _estimate_tiles(ours, theirs):
    """Return how many intervals overlap or hold our estimate, and who is farthest off."""
    overlap = (theirs["low"] <= ours["high"]) & (ours["low"] <= theirs["high"])
    inside = ours["estimate"].between(theirs["low"], theirs["high"])
    off = 100 * (theirs["estimate"] / ours["estimate"] - 1)
    farthest = off.abs().idxmax()
    rows = len(ours)
    return [
        Tile("intervals overlap", str(overlap.sum()), f"of {rows} pairs", look.GREEN),
        Tile("confidential inside", str(inside.sum()), f"of {rows} synthetic intervals", look.DARK),
        Tile("farthest off", f"{off[farthest]:+.1f} %", farthest, look.GREEN),
    ]


def table_ratios(means) -> look.Standing:
    """Draw the mean pMSE ratio of every variable as bars; `means` maps a title to such a Series.

    A dashed line stands at 1, as good as a new draw, and an orange one at 10.
    """
    figure, axes = look.figure(4.2, len(means), squeeze=False)
    words = []
    tiles = []
    for ax, (title, ratios) in zip(axes.flat, means.items(), strict=True):
        place = np.arange(len(ratios))[::-1]
        drawn = ax.barh(place, ratios, color=look.GREEN, height=0.6)
        ax.bar_label(drawn, [rounded(one) for one in ratios], padding=3, fontsize=look.SMALL)
        ax.set_yticks(place, labels(ratios.index, ratios).values())
        ax.axvline(1, **OURS)
        ax.axvline(ACCEPTABLE, color=look.ORANGE, linewidth=1.6)
        most = max(ratios.max(), ACCEPTABLE)
        look.tidy(ax, f"Mean pMSE ratio: {title}", xlim=(0, 1.18 * most))
        ax.set_xticks([1, ACCEPTABLE], ["1: chance", f"{ACCEPTABLE}: usually\nacceptable"])
        ax.spines["bottom"].set_visible(False)
        ax.tick_params(length=0)
        pairs = listing([f"{name} {ratio:.1f}" for name, ratio in ratios.items()])
        words.append(f"Mean pMSE ratios, {title}: {pairs}.")
        bad = (ratios > ACCEPTABLE).sum()
        said = f"above {ACCEPTABLE}: {bad} of {len(ratios)}"
        tiles.append(Tile(f"highest, {title}", rounded(ratios.max()), said, look.GREEN))
    return look.show(figure, " ".join(words), tiles)


def ratio_map(tables) -> look.Standing:
    """Draw the pMSE ratio of every two-way table as a square, dark when it is large.

    `tables` has the columns variable_1, variable_2 and ratio; the worst variable comes first.
    """
    turned = {"variable_1": "variable_2", "variable_2": "variable_1"}
    both = pd.concat([tables, tables.rename(columns=turned)])
    square = both.pivot(index="variable_1", columns="variable_2", values="ratio")
    order = square.mean().sort_values(ascending=False).index
    square = square.loc[order, order].rename(index=labels(order, tables))
    figure, ax = look.figure(6.4)
    shown = ax.imshow(np.log10(square.clip(lower=0.1)), cmap="Greens", vmin=-1, vmax=1.7)
    for (row, column), ratio in np.ndenumerate(square.to_numpy()):
        ground = shown.cmap(shown.norm(np.log10(max(ratio, 0.1))))
        color = look.readable_on(ground)
        at = {"ha": "center", "va": "center", "color": color, "fontsize": look.SMALL}
        ax.text(column, row, _ratio(ratio), **at)
    places = np.arange(len(order))
    ax.set_xticks(places, square.index, rotation=45, ha="right")
    ax.set_yticks(places, square.index)
    look.tidy(ax, "pMSE ratio of every pair of variables: dark is worse")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    bad = tables[tables["ratio"] > ACCEPTABLE].sort_values("ratio", ascending=False)
    pairs = [f"{one.variable_1} and {one.variable_2} ({one.ratio:.1f})" for one in bad.itertuples()]
    words = f"The pMSE ratios of {len(tables)} pairs; above {ACCEPTABLE}: {listing(pairs)}."
    return look.show(figure, words, _pair_tiles(tables, labels(order, tables)))


def _pair_tiles(tables, names):
    """Return the worst pair, how many are bad, and how many are as good as a draw."""
    ratio = tables["ratio"]
    worst = tables.loc[ratio.idxmax()]
    pair = f"{names[worst['variable_1']]} and {names[worst['variable_2']]}"
    few = f"of {len(tables)} pairs"
    return [
        Tile("highest", _ratio(ratio.max()), pair, look.GREEN),
        Tile(f"above {ACCEPTABLE}", str((ratio > ACCEPTABLE).sum()), few, look.ORANGE),
        Tile("up to 1", str((ratio <= 1).sum()), f"{few}: as good as a draw", look.GREEN),
    ]


def _ratio(value):
    """Write a ratio in at most three characters."""
    if np.isnan(value):
        return ""
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"


def differences(couples, homes, unit) -> look.Standing:
    """Draw how far couples and households lie apart, in both files.

    `couples` holds the `spouses` of the confidential and of the synthetic file, `homes` the
    `extremes` of both.
    """
    import seaborn
    from matplotlib.ticker import MaxNLocator

    figure, axes = look.figure(3.2, 2)
    apart = {
        "Couples: his minus hers": [one["male"] - one["female"] for one in couples],
        "Households: highest minus lowest": [one["highest"] - one["lowest"] for one in homes],
    }
    steps = {"discrete": True, "stat": "percent", "element": "step", "fill": False}
    words = []
    tiles = []
    for ax, (title, (ours, theirs)) in zip(axes, apart.items(), strict=True):
        seaborn.histplot(x=ours, ax=ax, **steps, **OURS)
        seaborn.histplot(x=theirs, ax=ax, **steps, **THEIRS)
        ax.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))
        look.tidy(ax, f"{title} (%)", unit, grid="y", ylim=(0, 1.1 * ax.get_ylim()[1]))
        for text, height, color in (
            ("confidential (dashed)", 0.95, look.DARK),
            ("synthetic", 0.85, look.GREEN),
        ):
            place = {"xycoords": "axes fraction", "ha": "right", "va": "top"}
            look.label(ax, 0.99, height, text, color, **place)
        equal, equal_too = (percent(100 * (one == 0).mean()) for one in (ours, theirs))
        mean, mean_too = (f"{one.mean():.2f}" for one in (ours, theirs))
        words.append(
            f"{title}: 0 {unit} in {equal} (confidential) and {equal_too} (synthetic), on average "
            f"{mean} and {mean_too}."
        )
        who = title.partition(":")[0].lower()
        label = f"{who}: 0 {unit} apart"
        tiles.append(Tile(label, equal_too, f"confidential: {equal}", look.GREEN))
    return look.show(figure, " ".join(words), tiles)


# Estimated and true r


def risk_by_tenth(true, estimates) -> look.Standing:
    """Draw mean estimated r of each tenth of the sample uniques against the mean true 1/F.

    `estimates` maps the name of a model to its ten means.
    """
    figure, ax = look.figure(3.8)
    ax.plot([0, 1], [0, 1], **OURS)
    look.label(ax, 0.08, 0.08, "as it should be", look.DARK, away=(8, -8), va="top")
    looks = ({"color": look.BLUE, "marker": "o"}, {"color": look.ORANGE, "marker": "^"})
    tiles = [Tile("in truth", f"{true.mean():.2f}", "mean 1/F", look.DARK)]
    words = []
    for (name, values), style, place in zip(estimates.items(), looks, (7, 4), strict=False):
        ax.plot(true, values, markersize=8, **style)
        is_above = place == 4
        side = {"ha": "right" if is_above else "left", "va": "bottom" if is_above else "top"}
        away = (-8, 4) if is_above else (8, -6)
        point = true.iloc[place], values.iloc[place]
        look.label(ax, *point, name, style["color"], away=away, **side)
        off = f"{(values - true).abs().max():.2f}"
        said = f"mean r; off by up to {off}"
        tiles.append(Tile(name, f"{values.mean():.2f}", said, style["color"]))
        times = values.sum() / true.sum()
        words.append(f"{name}: {off} at most, and in sum {times:.2f} times the truth")
    look.tidy(
        ax,
        "A dot is a tenth of the sample uniques",
        "true mean 1/F",
        "mean estimated r",
        grid="y",
        xlim=(-0.02, 1.02),
        ylim=(-0.02, 1.05),
    )
    words = f"How far estimated r and true 1/F lie apart in ten groups: {'; '.join(words)}."
    return look.show(figure, words, tiles)


def counts(bars) -> look.Standing:
    """Draw a few counts as bars with their numbers; `bars` maps a title to a Series of counts."""
    figure, axes = look.figure(2.7, len(bars), squeeze=False)
    words = []
    for ax, (title, heights) in zip(axes.flat, bars.items(), strict=True):
        place = np.arange(len(heights))
        drawn = ax.bar(place, heights, 0.6, color=look.BLUE)
        ax.bar_label(drawn, [f"{one:,.0f}" for one in heights], fontsize=look.SMALL, padding=2)
        names = [f"{say(100 * one)} %" if isinstance(one, float) else one for one in heights.index]
        ax.set_xticks(place, names)
        look.tidy(ax, title, ylim=(0, 1.12 * max(heights.max(), 1)), yticks=[])
        ax.spines["left"].set_visible(False)
        ax.tick_params(length=0, labelcolor=look.DARK)
        pairs = [f"{one:,.0f} ({name})" for one, name in zip(heights, names, strict=True)]
        words.append(f"{title}: {listing(pairs)}.")
    return look.show(figure, " ".join(words))


# What the intruder knows

CHANCES = {
    "above_0.1": "… a match is right\nwith a chance above 0.1",
    "above_0.5": "… above 0.5",
    "above_0.95": "… above 0.95",
}


@picture(height=2.72)
def uniques_picture(ax, most):
    """How many households are alone in both files, and for how many a match is likely right.

    No count is above `most`.
    """
    places = [*np.arange(len(CHANCES))[::-1], len(CHANCES)]
    ax.set_yticks(places, [*CHANCES.values(), "alone in both files\n(SU-CU)"])
    title = "Households that an intruder finds, and how likely a match is right"
    look.tidy(ax, title, xlim=(0, 1.2 * most), ylim=(-0.5, 3.5), xticks=[])
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(length=0, labelcolor=look.DARK)

    def move(now):
        _draw_bar(ax, 3, now.estimated["su_cu"], 0.62, "", {"color": look.LIGHT})
        for y, name in zip(places, CHANCES, strict=False):
            _draw_bar(ax, y + 0.19, now.estimated[name], 0.32, "by estimated r", ESTIMATED_BAR)
            truth = look.BARS["confidential"]
            _draw_bar(ax, y - 0.19, now.true[name], 0.32, "in truth, by 1/F", truth)
        return Shown(_say_uniques(now), _unique_tiles(now))

    return move


ESTIMATED_BAR = {"color": look.BLUE}


def _draw_bar(ax, y, count, height, name, style):
    """Draw a bar that lies, with its number, and what it is."""
    ax.barh([y], [count], height, **style)
    color = look.BLUE if style is ESTIMATED_BAR else look.DARK
    text = f"{count:,}  {name}".rstrip()
    look.label(ax, count, y, text, color, away=(5, 0), va="center")


def _unique_tiles(now):
    """Return who is alone, in one file and in both, and who is at risk, as tiles."""
    found = now.estimated
    in_truth = f"in truth {now.true['above_0.5']:,}"
    return [
        Tile("sample uniques", f"{found['unique']:,}", "alone in the sample", look.DARK),
        Tile("SU-CU", f"{found['su_cu']:,}", "alone in both files", look.LIGHT),
        Tile("r > 0.5", f"{found['above_0.5']:,}", in_truth, look.BLUE),
    ]


def _say_uniques(now):
    """Say what is known, and what follows."""
    home, persons = (
        listing(labels(known, now.estimated).values()) for known in (now.household, now.person)
    )
    whose = f"; of {'one person' if now.respondents == 1 else 'two people'} {persons}"
    knows = f"The intruder knows {home}{whose if now.person else ''}."
    if not now.estimated["unique"]:
        return f"{knows} No household is alone in the sample with that, and so none is found."
    if not now.estimated["su_cu"]:
        return f"{knows} No household is alone with that in both files."
    alone = now.true["above_0.95"]
    certain = (
        f"{say(alone)} of them are alone in the population too: there a match is right for certain."
        if alone
        else "None of them is alone in the population: no match is certain."
    )
    return (
        f"{knows} For {say(now.estimated['su_cu'])} exactly one synthetic household fits. {certain}"
    )


# Incomes

NOTHING_AT = 1.6  # where an income of 0 stands on the axis of powers of ten
MOST_MARKS = 400  # of more households those can be read that are found or at risk


def _power(income):
    """Return where incomes stand on an axis of powers of ten, 0 below all others."""
    return np.log10(income.clip(lower=1)).where(income > 0, NOTHING_AT)


@picture(height=3.05, touch="Point at a dot to read the household.")
def incomes_picture(ax):
    """The income of the synthetic household that was found, against the true one."""
    powers = range(3, 7)
    numbers = [f"{10**power:,}" for power in powers]
    ax.set_xticks(powers, numbers)
    ax.set_yticks([NOTHING_AT, *powers], ["none", *numbers])
    look.tidy(
        ax,
        "Each dot: a household alone in both files, with an income",
        "true income x",
        "synthetic income",
        grid="y",
        xlim=(2.4, 6.6),
        ylim=(1.3, 6.6),
    )

    def move(now):
        ends = np.array(ax.get_xlim())
        reach = np.log10(1 + now.b / 100)
        ax.fill_between(ends, ends - reach, ends + reach, **look.RANGE)
        text = f"near: within {now.b} %"
        look.label(ax, 2.45, 3.3 + reach, text, look.BLUE)
        hit = now.near["hit"]
        for some, style in (
            (now.near[~hit], look.EVERYONE_ELSE),
            (now.near[hit], look.CANDIDATE | {"markersize": 6}),
        ):
            ax.plot(np.log10(some["x"]), _power(some["x_synthetic"]), **style)
        return Shown(_say_incomes(now), _income_tiles(now), _income_marks(ax, now.read))

    return move


def _income_marks(ax, near):
    """Return a mark for every household that can be read."""
    rows = zip(near.itertuples(), np.log10(near["x"]), _power(near["x_synthetic"]), strict=True)
    return [Mark(ax, x, y, _read_household(home)) for home, x, y in rows]


def _read_household(home):
    """Read one household: where it is, its risk, and both incomes."""
    found = "near" if home.hit else "not near"
    return (
        f"{home.state}, {home.rural}, {counted(home.residents, 'resident', 'residents')}, "
        f"r = {home.r:.2f}\ntrue income {home.x:,.0f}\n"
        f"near: {home.low:,.0f} to {home.high:,.0f}\n"
        f"synthetic income {home.x_synthetic:,.0f}: {found}"
    )


def _income_tiles(now):
    """Return how many households there are, a1 and a2 as tiles."""
    a1, a2 = now.shares
    share = "of none" if np.isnan(a1) else f"{percent(100 * a1)} of these"
    mean = "–" if np.isnan(a2) else f"{a2:.2f}"
    return [
        Tile("households", f"{len(now.near):,}", f"with r > {say(now.R)}", look.DARK),
        Tile("a1", f"{now.hits:,}", f"near: {share}", look.BLUE),
        Tile("a2", mean, "share of the leaf", look.DARK),
    ]


def _say_incomes(now):
    """Say what a1 and a2 mean."""
    if not len(now.near):
        return f"No SU-CU household with an income has r > {say(now.R)}; a1 = 0, a2 is undefined."
    factor = say(1 + now.b / 100)
    found = counted(now.hits, "synthetic household has", "synthetic households have")
    return (
        f"a1({now.b}, {say(now.R)}) = {say(now.hits)}: {found} an income within {now.b} % of the "
        f"true one, above x/{factor} and below x·{factor}. a2({now.b}, {say(now.R)}) = "
        f"{now.shares[1]:.2f}: so much of its probability a tree that was grown on the synthetic "
        "file puts there, on average."
    )


# Small states


@picture(height=3.4, touch="Click a curve to sample that share of the state.")
def fraction_picture(ax, table):
    """How likely a match with a sample unique is right, the more of a small state is sampled."""
    sampled = 100 * table["fraction"]
    look.tidy(
        ax,
        "How likely is a match with a sample unique to be right?",
        "households of the state that are in the sample (%)",
        "chance",
        grid="y",
        xlim=(-2, 102),
        ylim=(0, 1.06),
    )
    ax.plot(sampled, table["mean_true"], **OURS)
    ax.plot(sampled, table["mean_r"], **ESTIMATED)
    near = table.iloc[len(table) // 4]
    at = 100 * near["fraction"]
    down = {"ha": "left", "va": "top"}
    look.label(ax, at, near["mean_r"], "estimated r", look.BLUE, away=(6, -8), **down)
    up = {"ha": "right", "va": "bottom"}
    look.label(ax, at, near["mean_true"], "true 1/F", look.DARK, away=(4, 6), **up)
    words = [_read_fraction(row) for _, row in table.iterrows()]
    marks = columns(ax, sampled, table["mean_true"], words, "row", list(range(len(table))))

    def move(now):
        place = 100 * now["fraction"]
        ax.plot([place, place], [now["mean_r"], now["mean_true"]], **look.NOW)
        tiles = [
            Tile("true 1/F", f"{now['mean_true']:.2f}", "mean chance", look.DARK),
            Tile("estimated r", f"{now['mean_r']:.2f}", "mean, by the model", look.BLUE),
            Tile("sample uniques", say(now["unique"]), f"of {say(now['sampled'])}", look.DARK),
        ]
        return Shown(_say_fraction(now), tiles, marks)

    return move


def _read_fraction(row):
    """Read one sampling fraction."""
    return (
        f"{100 * row['fraction']:g} % in the sample\ntrue chance {row['mean_true']:.2f}\n"
        f"estimated {row['mean_r']:.2f}"
    )


def _say_fraction(row):
    """Say who is alone in the sample, and who in the whole state."""
    return (
        f"With {100 * row['fraction']:g} % of the state in the sample, {say(row['unique'])} of "
        f"{say(row['sampled'])} sampled households are alone in the sample, and "
        f"{say(row['alone'])} of these are alone in the whole state."
    )


# Protection

METHOD_LOOKS = {
    "no protection": {"color": look.DARK, "marker": "X"},
    "tree only": {"color": look.BLUE, "marker": "o"},
    "tree and classes": {"color": look.GREEN, "marker": "^"},
    "tree and donors": {"color": look.ORANGE, "marker": "s"},
    "grouped states": {"color": look.PURPLE, "marker": "D"},
    "grouped trees": {"color": look.PURPLE, "marker": "P"},
}
# Where the names of the methods stand beside their points: which cutoff, and on which side.
METHOD_NAMES = {
    "no protection": (0, "right", (-22, 0)),
    "tree only": (-1, "left", (8, 6)),
    "tree and classes": (0, "left", (9, 4)),
    "tree and donors": (0, "left", (10, 4)),
    "grouped states": (0, "left", (10, -4)),
    "grouped trees": (0, "right", (-22, -10)),
}
RISKS = {
    "r > 0.5": "SU-CU households with r > 0.5",
    "r > 0.95": "… with r > 0.95",
    "right": "Correct matches, in truth",
}
RATIOS = [1, 3, 10, 30, 100]


def _draw_methods(ax, methods, mean, risk, title, size=8):
    """Draw risk against usefulness: small dots for files, large ones for means.

    A line joins the cutoffs of a method; `mean` has the mean of each of its methods.
    """
    for family, style in METHOD_LOOKS.items():
        files = methods[methods["method"].str.startswith(family)]
        if files.empty:
            continue
        single = style | {"linestyle": "none", "alpha": 0.22, "markersize": 3.5}
        ax.plot(np.log10(files["ratio"]), files[risk], **single)
        means = mean[mean.index.str.startswith(family)]
        joined = style | {"linestyle": "-", "linewidth": 1, "markersize": size, "label": family}
        ax.plot(np.log10(means["ratio"]), means[risk], **joined)
    ax.set_xticks(np.log10(RATIOS), RATIOS)
    most = max(1.2 * methods["ratio"].max(), 12)
    limits = {"xlim": (np.log10(0.55), np.log10(most)), "ylim": (0, 1.08 * methods[risk].max())}
    look.tidy(ax, title, "pMSE ratio (chance: 1)", grid="y", **limits)


def _name_methods(ax, mean, risk):
    """Write beside the points of each method what it is."""
    for family, (cutoff, side, away) in METHOD_NAMES.items():
        rows = mean[mean.index.str.startswith(family)]
        if rows.empty:
            continue
        row = rows.iloc[cutoff]
        color = METHOD_LOOKS[family]["color"]
        look.label(ax, np.log10(row["ratio"]), row[risk], family, color, away=away, ha=side)


@picture(
    height=2.78,
    mosaic=[["r > 0.5", "r > 0.95"], ["r > 0.5", "right"]],
    width_ratios=[2, 1],
    touch="Click a large mark to choose that protection.",
)
def protection_picture(axes, methods, mean):
    """Risk against usefulness of every protection: one risk large, two others beside it."""
    for risk, title in RISKS.items():
        is_main = risk == "r > 0.5"
        _draw_methods(axes[risk], methods, mean, risk, title, size=8 if is_main else 6)
    axes["r > 0.5"].set_xlabel("pMSE ratio (chance: 1); to the right: less useful")
    axes["r > 0.95"].set_xlabel("")
    axes["r > 0.95"].tick_params(labelbottom=False)
    _name_methods(axes["r > 0.5"], mean, "r > 0.5")
    marks = [mark for risk in RISKS for mark in _method_marks(axes[risk], mean, risk)]
    files = counted(_most_files(methods, "method"), "file", "files")

    def move(now):
        for risk, ax in axes.items():
            size = 16 if risk == "r > 0.5" else 12
            style = look.NOW | {"markersize": size, "fillstyle": "none", "markeredgewidth": 2.5}
            ax.plot([np.log10(now.row["ratio"])], [now.row[risk]], clip_on=False, **style)
        return Shown(_say_method(now, files), _method_tiles(now), marks)

    return move


def _method_marks(ax, mean, risk):
    """Return a mark for the mean of every method; a click chooses it."""
    made = []
    for name, row in mean.iterrows():
        family, _, cutoff = name.partition(", cutoff ")
        sets = {"family": family}
        if cutoff:
            sets["cutoff"] = float(cutoff)
        words = (
            f"{family}{f', weight 0 for r > {cutoff}' if cutoff else ''}\n"
            f"{row['r > 0.5']:,.0f} households with r > 0.5\n"
            f"{row['right']:,.0f} correct matches in truth\npMSE ratio {rounded(row['ratio'])}"
        )
        made.append(Mark(ax, np.log10(row["ratio"]), row[risk], words, sets))
    return made


def _method_tiles(now):
    """Return risk and usefulness, beside those without protection, as tiles."""
    found = {name: f"{now.row[name]:,.0f}" for name in RISKS}
    without = {name: f"without: {now.plain[name]:,.0f}" for name in RISKS}
    plain_ratio = f"without: {rounded(now.plain['ratio'])}"
    return [
        Tile("r > 0.5", found["r > 0.5"], without["r > 0.5"], look.BLUE),
        Tile("r > 0.95", found["r > 0.95"], without["r > 0.95"], look.BLUE),
        Tile("correct matches", found["right"], without["right"], look.DARK),
        Tile("pMSE ratio", rounded(now.row["ratio"]), plain_ratio, look.GREEN),
    ]


WHAT_IT_DOES = {
    "no protection": "Nobody is protected, so no weight is set",
    "grouped states": "Small states are joined to others in the release, and no weight is set",
    "grouped trees": "The trees see small states joined, the release has them as they are, and no "
    "weight is set",
    "tree only": "Weights act on the tree only",
    "tree and classes": "Weights act on the tree and on the donors of categories",
    "tree and donors": "Weights act on tree and donors",
}


def _say_method(now, files):
    """Say what a method does, and what the tiles leave out; `files` says how many there are."""
    what = WHAT_IT_DOES[now.family]
    if now.family.startswith("tree"):
        zero = f"households with r > {now.cutoff:g}, 1 − r² for other sample uniques"
        what += f": 0 for {zero if now.cutoff else 'every sample unique'}"
    found = {name: f"{now.row[name]:,.0f}" for name in now.row.index}
    return (
        f"{what}. Means over {files}: {found['r > 0.1']} SU-CU households have r > 0.1 (without "
        f"protection {now.plain['r > 0.1']:,.0f}). Of the correct matches {found['certain']} are "
        "certain, because F = 1."
    )


def risk_and_utility(methods: pd.DataFrame, risks: Sequence[str]) -> look.Standing:
    """Draw risk against utility of every method of protection.

    `methods` is load_results("household_methods"); `risks` maps a column of it to a title.
    """
    figure, axes = look.figure(3.7, len(risks), squeeze=False)
    mean = methods.groupby("method", sort=False)[["ratio", *risks]].mean()
    for ax, (risk, title) in zip(axes.flat, risks.items(), strict=True):
        _draw_methods(ax, methods, mean, risk, title)
    marks, names = axes.flat[0].get_legend_handles_labels()
    _names_above(figure, marks, names)
    words = [
        f"{name}: ratio {row.ratio:.1f}, {listing(f'{risks[one]} {row[one]:.3g}' for one in risks)}"
        for name, row in mean.iterrows()
    ]
    words = f"Risk against utility of {len(mean)} methods. {'; '.join(words)}."
    return look.show(figure, words, _utility_tiles(mean, risks))


def _utility_tiles(mean, risks):
    """Return how many protections leave the file useful, and the least risk that these have."""
    plain = mean.loc["no protection"]
    protections = mean.drop("no protection")
    useful = protections[protections["ratio"] <= ACCEPTABLE]
    few = f"of {len(protections)} protections"
    tiles = [Tile(f"ratio up to {ACCEPTABLE}", str(len(useful)), few, look.GREEN)]
    for risk, title in risks.items():
        least = useful[risk].idxmin()
        family = least.partition(",")[0]
        words = f"{family}; without {_risk(plain[risk])}"
        color = METHOD_LOOKS[family]["color"]
        tiles.append(Tile(f"of these least {title}", _risk(useful[risk][least]), words, color))
    return tiles


def _risk(value):
    """Write a count as a whole number, and a share with three digits.

    >>> _risk(344.6), _risk(0.1)
    ('345', '0.100')
    """
    return f"{value:,.0f}" if value >= 1 else f"{value:.3f}"


def _names_above(figure, marks, names):
    """Name marks in a line above all axes: there are too many to name each where it stands."""
    row = {"loc": "outside upper left", "ncols": 3, "columnspacing": 1.2, "frameon": False}
    figure.legend(marks, names, fontsize=look.SMALL, **row)


def states_by_variable(states) -> look.Standing:
    """Draw the mean three-way pMSE ratio of every variable within each state, for every method.

    `states` is load_results("household_states"); the variable that loses most comes first.
    """
    mean = states.groupby(["state", "variable", "method"], sort=False)["ratio"].mean()
    names = list(mean.groupby("variable").max().sort_values().index)
    number = states["state"].nunique()
    figure, axes = look.figure(4.4, number, sharey=True, sharex=True, squeeze=False)
    words = []
    for ax, state in zip(axes[0], states["state"].unique(), strict=True):
        for method, values in mean[state].unstack()[list(states["method"].unique())].items():
            style = METHOD_LOOKS[method.split(",")[0]] | {"linestyle": "none", "markersize": 7}
            ax.plot(values[names], range(len(names)), label=method, **style)
            worst = labels([values.idxmax()], states)[values.idxmax()]
            words.append(f"{state}, {method}: {values.min():.1f} to {values.max():.1f} ({worst})")
        ax.set_yticks(range(len(names)), labels(names, states).values())
        ax.axvline(1, **CHANCE)
        look.tidy(ax, f"State {state}", "mean three-way pMSE ratio (chance: 1)", grid="x")
        ax.set_xlim(left=0)
    _names_above(figure, *axes[0, 0].get_legend_handles_labels())
    words = f"Ratios of {len(names)} variables within states. {'; '.join(words)}."
    return look.show(figure, words, _state_tiles(states))


def _state_tiles(states):
    """Return the mean ratio of every method in the first state, beside that of the others."""
    mean = states.groupby(["method", "state"], sort=False)["ratio"].mean().unstack()
    first, *others = mean.columns
    return [
        Tile(
            method,
            rounded(row[first]),
            "; ".join([f"in {first}", *(f"{one}: {rounded(row[one])}" for one in others)]),
            METHOD_LOOKS[method.partition(",")[0]]["color"],
        )
        for method, row in mean.iterrows()
    ]
