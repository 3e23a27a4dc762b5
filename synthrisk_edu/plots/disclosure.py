"""Pictures of disclosure: one person looked up, a whole file, many targets, many files."""

from dataclasses import replace
from textwrap import fill
from types import SimpleNamespace

import numpy as np
import pandas as pd
from IPython.display import Image

from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Picture
from synthrisk_edu.words import listing, say, say_percent

MARGINS = {"left": 0.08, "right": 0.98, "top": 0.9, "bottom": 0.16}
QUESTIONS = ["found?", "all the same\nanswer?", "is it right?", "and told by the\noriginal too?"]
LINKS = {True: ("yes", look.BLUE), False: ("no", look.ORANGE), None: ("–", look.LIGHT)}
CHAIN = {
    "iS": "found (iS)",
    "DiS": "… all the same answer (DiS)",
    "DiSCO": "… and it is right (DiSCO)",
    "DiSDiO": "… and told by the original too (DiSDiO)",
}
INTRUDERS = [
    "believes a single answer\n(DiSCO, all keys)",
    "guesses the commonest answer\n(of rows with the keys ticked)",
    "says the same of everybody",
]
MEASURED = ["UiO", "repU", "Dorig", "DiSCO"]
POINTS = {"linestyle": "none", "markersize": 10}
IN_ORIGINAL = POINTS | {"marker": "D", "color": look.DARK, "fillstyle": "none"}
IN_SYNTHETIC = POINTS | {"marker": "o", "color": look.GREEN}
A_FILE = {"marker": "o", "linestyle": "none", "color": look.GREEN, "alpha": 0.5, "markersize": 7}
LOWEST = 0.6  # the pMSE ratio at the left edge; a copy, which has 0, stands there too
# What is said of a synthetic file, over which axis, and what the original has there.
SYNTHESIZERS = {
    "repU": ("identity: repU", "% of the original records", "UiO"),
    "DiSCO": ("attribute: DiSCO", "% of the original records", "Dorig"),
    "ratio": ("usefulness: pMSE ratio", "near 1 is best\n(each step: three times)", None),
}


def frame_chain(axes):
    """Draw the four questions, and the empty picture of the answers."""
    chain, answers = axes
    for place, question in enumerate(QUESTIONS):
        chain.text(0.3, 3 - place, question, va="center", fontsize=look.NORMAL)
    chain.set(xlim=(0, 1), ylim=(-0.7, 3.7))
    chain.set_axis_off()
    answers.set(xlim=(0, 100), ylim=(5.6, -0.6), yticks=[])
    below = "% of the synthetic records with these keys"
    look.tidy(answers, "answers found under these keys", below)


def draw_chain(axes, now):
    """Show how far the chain of a person goes, and the answers that stand under the keys."""
    chain, bars = axes
    for place, link in enumerate(now.found.links(now.person)):
        sign, color = LINKS[link]
        box = {"boxstyle": "round,pad=0.4", "facecolor": color, "edgecolor": "none"}
        style = {"color": "white", "va": "center", "ha": "center", "fontsize": look.NORMAL}
        chain.text(0.13, 3 - place, sign, bbox=box, **style)
    answers = now.found.look_up(now.person).synthetic
    _draw_answers(bars, answers[answers > 0], now.found.truth(now.person))


def _draw_answers(bars, answers, truth):
    """One bar for each of the most frequent answers; the truth is blue."""
    shown = _answers_to_show(answers, truth)
    lines = ["nobody"] if answers.empty else []
    for place, (level, n) in enumerate(shown.items()):
        right = level == truth
        color = look.BLUE if right else look.LIGHT
        bars.barh(place, 100 * n / answers.sum(), 0.7, color=color, alpha=0.5)
        lines.append(f"{say(level)}: {n}" + (" (the truth)" if right else ""))
    more = len(answers) - len(shown)
    if more:
        lines.append(f"and {more} other answer{'s' if more > 1 else ''}")
    for place, line in enumerate(lines):
        bars.text(1, place, line, va="center", fontsize=look.SMALL)


def _answers_to_show(answers, truth, most=5):
    """The most frequent answers, highest first, and always the truth if it is among them."""
    answers = answers.sort_values(ascending=False, kind="stable")
    if truth in answers.index[most:]:
        return answers.loc[[*answers.index[: most - 1], truth]]
    return answers.head(most)


LOOK_UP = Picture(
    frame_chain,
    draw_chain,
    lambda now: now.found.explain(now.person),
    {
        "height": 3.3,
        "columns": 2,
        "margins": {"left": 0.02, "right": 0.98, "top": 0.9, "bottom": 0.16, "wspace": 0.05},
        "width_ratios": [1, 1.3],
    },
)


def look_up(found, i: int) -> Image:
    """Look original record i up: how far the chain goes, and the answers under the keys."""
    return LOOK_UP.show(SimpleNamespace(found=found, person=i))


def frame_funnel(ax):
    """Draw the empty funnel."""
    ax.set(xlim=(0, 108), ylim=(5.6, -0.6))
    words = ["original records (100 %)", *CHAIN.values(), "disclosive in the original (Dorig)"]
    ax.set_yticks(range(6), words)
    look.tidy(ax, "how far an intruder gets", "% of the original records")
    ax.tick_params(labelsize=look.SMALL, length=0)


def draw_funnel(ax, now):
    """Show the chain from iS to DiSDiO, and Dorig beside it; means over the syntheses."""
    values = [100, *now.found.attribute.mean()[[*CHAIN, "Dorig"]]]
    look.bars(ax, [0], values[:1], 0.65, across=True, color=look.LIGHT)
    look.bars(ax, range(1, 5), values[1:5], 0.65, across=True, color=look.GREEN)
    look.bars(ax, [5], values[5:], 0.65, across=True, **look.BARS["confidential"])
    for place, value in enumerate(values):
        ax.text(min(value, 100) + 0.6, place, f"{value:.1f}", va="center", fontsize=look.SMALL)


def say_funnel(now):
    """Read the funnel aloud."""
    found = now.found
    *keys, asked_for = plain_names([*found.keys, found.target], found).values()
    target = labels([found.target], found)[found.target]
    mean, u = found.attribute.mean().map(say_percent), found.identity.mean().map(say_percent)
    left_out = found.exclusions.groupby("synthesis").original.sum().mean()
    note = f" {left_out:,.0f} original records are left out by your choices" if left_out else ""
    for level in now.dropped:
        word = f"{level:g}" if isinstance(level, float) else level
        note += f", among them all with {target} = {word}"
    note += "." if note else ""
    if now.grouped:
        note += f" The groups of {target} are about equal in size: none is left out."
    return (
        f"Of all original records {mean.iS} % are found in the synthetic data by {listing(keys)}, "
        f"{mean.DiS} % get a single answer for {asked_for}, and for {mean.DiSCO} % it "
        f"is right (DiSCO); in the original itself {mean.Dorig} % are disclosed. Unique in the "
        f"original: {u.UiO} %, in both: {u.repU} %.{note}"
    )


FUNNEL = Picture(
    frame_funnel,
    draw_funnel,
    say_funnel,
    {"height": 2.6, "margins": MARGINS | {"left": 0.38, "bottom": 0.19}},
)


def funnel(found) -> Image:
    """Show how far an intruder gets with everybody."""
    return FUNNEL.show(SimpleNamespace(found=found, dropped=[], grouped=False))


def frame_guess(ax):
    """Draw the empty picture: a row for each intruder."""
    ax.set(xlim=(0, 108), ylim=(2.6, -0.6))
    ax.set_yticks(range(3), INTRUDERS)
    look.tidy(ax, "for how many people is the intruder right?", "% of the original records")
    ax.tick_params(labelsize=look.SMALL, length=0)


def draw_guess(ax, now):
    """Show DiSCO, a guess, and the same answer for everybody; means over the syntheses."""
    values = [now.believed, now.guessed, now.same]
    look.bars(ax, [0], values[:1], 0.65, across=True, color=look.GREEN)
    look.bars(ax, [1], values[1:2], 0.65, across=True, color=look.BLUE)
    look.bars(ax, [2], values[2:], 0.65, across=True, color=look.LIGHT)
    for place, value in enumerate(values):
        ax.text(min(value, 100) + 0.6, place, f"{value:.1f}", va="center", fontsize=look.SMALL)


def say_guess(now):
    """Read the three numbers aloud."""
    *_, asked_for = plain_names([*now.keys, now.target], now).values()
    looked_at = listing(labels(now.looked_at, now).values())
    rows = f"the rows with the same {looked_at}" if now.looked_at else "all rows"
    return (
        f"The intruder who knows all {len(now.keys)} keys, and believes only single answers, is "
        f"right about {asked_for} for {say_percent(now.believed)} % (DiSCO). The one who guesses "
        f"the commonest answer of {rows} is right for {say_percent(now.guessed)} %. The same "
        f"answer for everybody, the commonest of the file, is right for {say_percent(now.same)} %."
    )


GUESS = Picture(
    frame_guess,
    draw_guess,
    say_guess,
    {"height": 2.1, "margins": MARGINS | {"left": 0.34, "top": 0.87, "bottom": 0.24}},
)


def frame_identity(ax, n):
    """Draw the empty picture of uniques as n keys are added."""
    ax.set(xlim=(-0.6, n - 0.4), ylim=(0, 100), xticks=range(n), xticklabels=[""] * n)
    ax.bar([-9], [0], label="UiO: unique in the original", **look.BARS["confidential"])
    ax.bar([-9], [0], label="repU: unique in both", **look.BARS["synthetic"])
    look.tidy(ax, "records alone with their keys", "\nkeys the intruder knows", "% of records")
    look.legend(ax, loc="upper left")


def draw_identity(ax, steps):
    """Show UiO and repU for the first keys, one by one; `steps` has a row for each."""
    place = np.arange(len(steps))
    ax.bar(place - 0.2, steps.UiO, 0.4, **look.BARS["confidential"])
    ax.bar(place + 0.2, steps.repU, 0.4, **look.BARS["synthetic"])
    centred, names = {"ha": "center", "fontsize": look.SMALL}, labels(steps.index, steps)
    for x, row in zip(place, steps.itertuples(), strict=True):
        name = names[row.Index] if x == 0 else f"+ {names[row.Index]}"
        ax.annotate(name, (x, 0), (0, -8), textcoords="offset points", va="top", **centred)
        ax.text(x - 0.2, row.UiO + 1, f"{row.UiO:.1f}", **centred)
        ax.text(x + 0.2, row.repU + 1, f"{row.repU:.1f}", **centred)


def say_identity(steps):
    """Read the last step aloud."""
    last, keys = steps.iloc[-1].map(say_percent), plain_names(steps.index, steps).values()
    return (
        f"Knowing {listing(keys)}, {last.UiO} % of the original records are alone (UiO); "
        f"{last.UiOiS} % are alone and found in the synthetic data, and {last.repU} % are alone in "
        "both (repU)."
    )


IDENTITY = Picture(
    frame_identity,
    draw_identity,
    say_identity,
    {"height": 3.5, "margins": MARGINS | {"bottom": 0.17}},
)


def identity(steps: pd.DataFrame) -> Image:
    """Show UiO and repU as keys are added; `steps` has a row for each key, in their order."""
    return IDENTITY.show(steps, len(steps))


def frame_targets(ax, words):
    """Draw the empty picture: a row for each target, with room for its numbers on the right."""
    ax.set(xlim=(0, 100), ylim=(len(words) - 0.4, -0.6))
    ax.set_yticks(range(len(words)), words)
    look.tidy(ax, "", "% of the original records disclosed")
    ax.tick_params(axis="y", length=0, pad=9)  # a mark at 0 does not touch the name beside it
    entries = [("original (Dorig)", IN_ORIGINAL), ("synthetic (DiSCO)", IN_SYNTHETIC)]
    look.legend(ax, entries, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)


def draw_targets(ax, table):
    """Show Dorig and DiSCO of every target, with its flags; the index says in which row."""
    beside = ax.get_yaxis_transform()
    ax.hlines(table.index, table.DiSCO, table.Dorig, color=look.LIGHT, zorder=1)
    ax.plot(table.Dorig, table.index, **IN_ORIGINAL, clip_on=False)
    ax.plot(table.DiSCO, table.index, **IN_SYNTHETIC, clip_on=False)
    for row in table.itertuples():
        flags = [name for name, on in (("1-way", row.one_way), ("2-way", row.two_way)) if on]
        text = f"{row.DiSCO:.1f} against {row.Dorig:.1f}"
        if flags:  # many targets leave room for one line each
            text += f"\ncheck {' and '.join(flags)}" if len(table) <= 6 else ", flagged"
        ax.text(1.03, row.Index, text, transform=beside, va="center", fontsize=look.SMALL)


def say_targets(table):
    """Read the highest and the lowest target aloud."""
    first, then = plain_names(table.target, table), labels(table.target, table)
    shown = table.assign(**table[MEASURED].map(say_percent))
    most, least = shown.iloc[0], shown.iloc[-1]
    whose = f" for {then[most.target]}" if table.UiO.nunique() > 1 else ""
    flagged = [then[row.target] for row in table.itertuples() if row.one_way or row.two_way]
    note = f" Flagged, so have a look: {listing(flagged)}."
    if not flagged:
        note = " No target is flagged; that does not say that nothing is disclosed."
    return (
        f"Disclosed most is {first[most.target]}: {most.DiSCO} % of the original records from the "
        f"synthetic data, {most.Dorig} % from the original; least {first[least.target]}: "
        f"{least.DiSCO} % and {least.Dorig} %.{note} UiO is {most.UiO} %, repU {most.repU} %"
        f"{whose}."
    )


TARGETS = Picture(
    frame_targets,
    draw_targets,
    say_targets,
    {"height": 3.0, "margins": {"left": 0.24, "right": 0.77, "top": 0.87, "bottom": 0.17}},
)


def targets(table) -> Image:
    """Show Dorig and DiSCO of every target of `multi_disclosure`, with its flags."""
    height = max(3.0, 1.0 + 0.26 * len(table))  # inches: a line of text for each target
    edges = {"left": 0.24, "right": 0.74, "top": 1 - 0.4 / height, "bottom": 0.5 / height}
    picture = replace(TARGETS, size={"height": height, "margins": edges})
    words = [shortened_label(word) for word in plain_names(table.target, table).values()]
    return picture.show(table, words)


def shortened_label(name):
    """Return a name that can be drawn: printable, short, and never a formula.

    >>> print(shortened_label("a name of far too many characters"))
    a name of far too many…
    """
    text = "".join(sign if sign.isprintable() else " " for sign in str(name))
    text = text if len(text) <= 24 else text[:22] + "…"
    return text.replace("$", r"\$")


def frame_exclusions(ax, variants, words):
    """Draw the empty table of what is left after each kind of exclusion."""
    ax.set(xlim=(0, len(variants)), ylim=(len(words), 0))
    ax.set_xticks(np.arange(len(variants)) + 0.5, [fill(name, 12) for name in variants])
    ax.set_yticks(np.arange(len(words)) + 0.5, words)
    look.tidy(ax, "% of the original records disclosed", "what is left out")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def draw_exclusions(ax, now):
    """Show one row a target, one column for each kind of exclusion; the more, the darker."""
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("green", ["#edf5f2", look.GREEN])
    ax.pcolormesh(now.table, vmin=0, vmax=100, cmap=shades, edgecolors="white", linewidth=2)
    centred = {"ha": "center", "va": "center", "fontsize": look.NORMAL}
    for (row, column), value in np.ndenumerate(now.table):
        ax.text(column + 0.5, row + 0.5, f"{value:.1f}", **centred)


def say_exclusions(now):
    """Read aloud what leaving things out does to the target that loses most."""
    lost = (now.table["nothing left out"] - now.table["commonest levels"]).idxmax()
    whole, drop, missing, limit, limit_alone = now.table.loc[lost].map(say_percent)
    return (
        f"{now.measure} of {plain_names([lost], now.table)[lost]} falls most when the commonest "
        f"levels are left out: from {whole} to {drop} %, then to {missing} % without missing "
        f"values and to {limit} % with denominators of 1 only; denominators of 1 alone give "
        f"{limit_alone} %."
    )


EXCLUSIONS = Picture(
    frame_exclusions,
    draw_exclusions,
    say_exclusions,
    {"height": 3.4, "margins": MARGINS | {"left": 0.24, "bottom": 0.24}},
)


def synthesizers(results) -> Image:
    """Show risk and usefulness of files that were synthesized in several ways.

    `results` has a row for each file: the column `synthesizer`, then UiO, repU, Dorig and DiSCO in
    per cent, and the pMSE `ratio`.
    """
    mean = results.groupby("synthesizer", sort=False).mean(numeric_only=True)
    margins = {"wspace": 0.16, "top": 0.8}
    figure, axes = look.figure(1.3 + 0.42 * len(mean), 3, margins=margins, sharey=True)
    frame_synthesizers(axes, mean)
    draw_synthesizers(axes, results, mean)
    words = [
        f"{row.Index}: repU {row.repU:.0f} %, DiSCO {row.DiSCO:.0f} %, pMSE ratio {row.ratio:.1f}"
        for row in mean.itertuples()
    ]
    original = f"the original: UiO {mean.UiO.mean():.0f} %, Dorig {mean.Dorig.mean():.0f} %"
    return look.show(figure, f"Means over the files. {'; '.join(words)}; {original}.")


def frame_synthesizers(axes, mean):
    """Draw a row for each synthesizer, and a line for what the original itself gives away."""
    for ax, (title, below, beside) in zip(axes, SYNTHESIZERS.values(), strict=True):
        look.tidy(ax, title, below, xlim=(0, 100), ylim=(len(mean) - 0.4, -0.6))
        across = {"transform": ax.get_yaxis_transform(), "color": look.LIGHT, "linewidth": 0.5}
        ax.hlines(range(len(mean)), 0, 1, **across)
        ax.tick_params(axis="y", length=0)
        if beside:
            ax.axvline(mean[beside].mean(), **look.LINES["confidential"], zorder=4)
    axes[0].set_yticks(range(len(mean)), mean.index)
    ticks = [1, 3, 10, 30]
    axes[2].set_xticks(np.log10(ticks), ticks)
    axes[2].set_xlim(np.log10(LOWEST), np.log10(max(3.5 * mean.ratio.max(), 12)))
    entries = [("one synthetic file, and the mean", A_FILE)]
    entries += [("the original: UiO, Dorig", look.LINES["confidential"])]
    look.legend(axes[1], entries, loc="lower center", bbox_to_anchor=(0.3, 1.12), ncols=2)


def draw_synthesizers(axes, results, mean):
    """Show every file as a dot, and the mean of each synthesizer beside its dots."""
    row_of = {name: row for row, name in enumerate(mean.index)}
    beside = {"textcoords": "offset points", "va": "center", "fontsize": look.SMALL}
    beside["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    for ax, name in zip(axes, SYNTHESIZERS, strict=True):
        as_drawn = results[name]
        if name == "ratio":
            as_drawn = np.log10(as_drawn.clip(lower=LOWEST))
        ax.plot(as_drawn, results.synthesizer.map(row_of), **A_FILE, clip_on=False)
        highest = as_drawn.groupby(results.synthesizer).max()
        for synthesizer, row in row_of.items():
            value = mean.loc[synthesizer, name]
            number = f"{value:.1f}" if name == "ratio" else f"{value:.0f}"
            ax.annotate(number, (highest[synthesizer], row), (8, 0), **beside)
