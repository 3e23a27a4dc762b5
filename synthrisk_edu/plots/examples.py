"""Pictures of lessons 03 and 04: many synthetic data sets, and risk beside utility.

`beside` holds what a synthetic risk is compared with: that of the confidential data, and the floor.
"""

import numpy as np
import pandas as pd
from IPython.display import Image

from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.plots import look
from synthrisk_edu.plots.matching import (
    RISKIER,
    SUMMARY_TITLES,
    TINY,
    draw_summaries,
    frame_summaries,
    summary_limits,
)
from synthrisk_edu.plots.picture import Picture
from synthrisk_edu.words import counted, listing, rounded, say

UNIQUE = {"s": "unique\nmatches s", "K": "true\nones Σ K", "F": "false\nones Σ F"}
DOTS = {"marker": ".", "linestyle": "none", "color": look.GREEN, "alpha": 0.5, "markersize": 7}
SCENARIO_LOOKS = {
    "Income": {"color": look.BLUE, "marker": "o"},
    "Tenure+Income": {"color": look.ORANGE, "marker": "s"},
    "Expenditure+Income": {"color": look.GREEN, "marker": "^"},
    "Tenure+Expenditure+Income": {"color": look.PURPLE, "marker": "D"},
}
NEAR = 0.02  # of the last average: so near an average has settled
BAND = {"color": look.GREEN, "alpha": 0.2, "linewidth": 0}
ALL_FILES = {"color": look.BLUE, "marker": "s", "markersize": 4, "linewidth": 1.5}
ALL_AT_ONCE = ALL_FILES | {"markersize": 9, "linestyle": "none"}
FALLS_BACK = look.LINES["synthetic"] | {"linewidth": 1}  # where nobody matches
RISK = "expected_match_risk"
BESIDE = ("confidential", "floor")  # what a synthetic risk is compared with
RISK_LABEL = "expected match risk\n(each step: about three times)"
INTRUDERS = {
    "fixed": "This intruder knows all six variables, whatever was synthesized",
    "paper": "The paper's intruder knows age, area, marital status and what was synthesized",
}
LABELLED_BELOW = ("Income", "Tenure+Income", "Tenure+Expenditure+Income")  # room for words
SHORT = dict(zip(SCENARIO_LOOKS, ("Income", "+ Tenure", "+ Expenditure", "+ both"), strict=True))


def unique_matches(matches) -> Image:
    """Show s, ΣK and ΣF; `matches` maps "confidential", "synthetic" and "floor" to a `Match`."""
    figure, ax = look.figure(2.8)
    frame_unique(ax, max(len(found.records) for found in matches.values()))
    draw_unique(ax, matches)
    words = []
    for name, found in matches.items():
        s, K, F = count_unique(found)
        words.append(f"{name}: {s:,} unique matches, {K:,} of them true and {F:,} false.")
    return look.show(figure, " ".join(words))


def count_unique(found):
    """Count the unique matches of a `Match`: s of them, ΣK true and ΣF false, so s = ΣK + ΣF."""
    K, F = found.records.K.sum(), found.records.F.sum()
    return pd.Series({"s": K + F, "K": K, "F": F})


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


def frame_known(axes, confidential):
    """Draw the empty picture of unique matches and summaries; `confidential` is a Match."""
    frame_unique(axes[0], len(confidential.records))
    frame_summaries(axes[1:], summary_limits(confidential))


def draw_known(axes, matches):
    """Show s, ΣK and ΣF, and the three summaries beside them."""
    draw_unique(axes[0], matches)
    draw_summaries(axes[1:], matches)


def say_known(matches):
    """Read s, K, F and the expected match risk aloud, with what they stand beside."""
    found = matches["synthetic"]
    unique = {name: count_unique(one) for name, one in matches.items()}
    risk = {name: round(one.summary().expected_match_risk) for name, one in matches.items()}
    then = labels(found.known + found.synthesized, found.confidential)
    # Many names would not fit with their codes, which stand beside the boxes.
    first = plain_names(then, found.confidential) if len(then) <= 6 else then
    known = listing(first[name] for name in found.known)
    if found.synthesized:
        drawn = f"the true {listing(first[name] for name in found.synthesized)}"
        known = f"{known} and {drawn}" if found.known else f"only {drawn}"
    made, alone = unique["synthetic"], unique["floor"].s
    back = " and falling back where nobody matches," if found.fallback else ""
    drawn = listing(then[name] for name in found.synthesized)
    ignoring = f"Ignoring {drawn}" if drawn else "Without a look at anything synthesized"
    parts = f" ({made.K:,} true, {made.F:,} false)" if made.s else ""
    return (
        f"Knowing {known},{back} an intruder finds "
        f"{counted(made.s, 'unique match', 'unique matches')}{parts} in the synthetic file, and "
        f"expects to be right {counted(risk['synthetic'], 'time', 'times')}. The confidential file "
        f"gives {unique['confidential'].s:,} and {risk['confidential']:,}. "
        f"{ignoring} (the floor): {alone:,}"
        f"{', all true,' if alone else ''} and {risk['floor']:,}."
    )


KNOWN = Picture(
    frame_known,
    draw_known,
    say_known,
    {
        "height": 2.65,
        "columns": 4,
        "margins": {"left": 0.08, "right": 0.99, "top": 0.8, "bottom": 0.28, "wspace": 0.22},
        "width_ratios": [2.55, 1.1, 1.4, 1.4],
    },
)


# Ten persons and their hidden classes


CLASS_LOOKS = list(SCENARIO_LOOKS.values())  # so many classes can be told apart
PAST = {"linestyle": "none", "markersize": 4, "alpha": 0.6}
PRESENT = {"linestyle": "none", "markersize": 9}


EMPTY = " (The table of an empty class, pale here, is drawn at random.)"


def class_name(k):
    """Name a class by a letter."""
    return "ABCD"[k]


def frame_gibbs(axes, persons, steps, classes, event):
    """Draw the empty picture of persons who change class; `event` is what may happen in one."""
    people, weights, chances = axes
    people.set_yticks(range(len(persons)), persons)
    look.tidy(people, "everybody's class, step by step")
    people.set(xlim=(-1, steps + 1.5), ylim=(len(persons) - 0.4, -0.6))
    for ax, title in ((weights, "weight of\nthe class"), (chances, f"chance of\n{event}")):
        ax.set_xticks(range(classes), [class_name(k) for k in range(classes)])
        look.tidy(ax, title, "class", xlim=(-0.6, classes - 0.4), ylim=(0, 1.12))
    entries = [(f"class {class_name(k)}", CLASS_LOOKS[k] | PRESENT) for k in range(classes)]
    where = {"loc": "upper left", "bbox_to_anchor": (0.2, -0.13), "borderaxespad": 0}
    look.legend(people, entries, ncols=classes, columnspacing=1, handlelength=1, **where)


def draw_gibbs(axes, now):
    """Show who was in which class so far, and the classes of this step."""
    people, weights, chances = axes
    for k, (weight, chance) in enumerate(zip(now.weights, now.chances, strict=True)):
        style = CLASS_LOOKS[k]
        steps, persons = np.nonzero(now.z[:-1] == k)
        people.plot(steps, persons, **style | PAST)
        here = np.flatnonzero(now.z[-1] == k)
        people.plot(np.full(len(here), now.step), here, **style | PRESENT)
        for ax, value in ((weights, weight), (chances, chance)):
            ax.bar([k], [value], 0.7, color=style["color"], alpha=1 if len(here) else 0.3)
            ax.text(k, value + 0.02, f"{value:.2f}", ha="center", fontsize=look.SMALL)


def say_gibbs(now):
    """Read the classes of this step aloud."""
    sizes = [(now.z[-1] == k).sum() for k in range(len(now.weights))]
    parts = listing(
        f"class {class_name(k)} {counted(size, 'person', 'persons')} (weight {now.weights[k]:.2f})"
        for k, size in enumerate(sizes)
    )
    moved = "This is the start."
    if now.step:
        changed = (now.z[-1] != now.z[-2]).sum()
        who = counted(changed, "person has", "persons have") if changed else "Nobody has"
        moved = f"{who} changed class in this step."
    most = int(np.argmax(sizes))
    return (
        f"Run {now.run}, step {now.step}: {parts}. {moved} A synthetic value comes from the table "
        f"of the class: whoever is in class {class_name(most)} now draws {now.event} with a "
        f"chance of {now.chances[most]:.2f}.{EMPTY if 0 in sizes else ''}"
    )


GIBBS = Picture(
    frame_gibbs,
    draw_gibbs,
    say_gibbs,
    {
        "height": 3.3,
        "columns": 3,
        "margins": {"left": 0.16, "right": 0.99, "top": 0.86, "bottom": 0.16, "wspace": 0.2},
        "width_ratios": [3.6, 1, 1],
    },
)


# Several files


def in_files(m):
    """Say how many stored files are averaged; one alone is not."""
    return f"Over m = {m} stored files" if m > 1 else "In a single stored file (m = 1)"


def beginning(now):
    """Say how many files are averaged, and with which the row begins."""
    if now.m == 1:
        return f"In file {now.file} alone (m = 1)"
    return f"Over m = {now.m} files, from file {now.file} on,"


def at_once(m):
    """Say how an intruder uses m files."""
    return {1: "it", 2: "both at once"}.get(m, f"all {m} at once")


def average(values):
    """Say an average with its range; a single value has none."""
    span = f" on average (from {values.min():,.0f} to {values.max():,.0f})"
    return f"{values.mean():,.0f}{span if len(values) > 1 else ''}"


def frame_averages(axes, table, beside, limits):
    """Draw the axes, what a risk is compared with, and how near to the last average is near.

    `limits` are those of both risks, so that the two pictures can be compared.
    """
    most = len(table)
    for ax, (key, title) in zip(axes[[0, 2, 3]], SUMMARY_TITLES.items(), strict=True):
        low, high = table[key].min(), table[key].max()
        room = 0.15 * (high - low or 1.0)
        last = table[key].mean()  # of all files, in whichever order they come
        ax.axhspan((1 - NEAR) * last, (1 + NEAR) * last, **BAND)
        ax.set_ylim(max(0, low - room), high + room)
        look.tidy(ax, f"{title}\n({RISKIER[key]})", "files m")
        ax.locator_params(axis="y", nbins=5)
    axes[2].yaxis.set_major_formatter("{x:.4f}")
    for ax, title in zip(axes[:2], ("one file at a time", "all m files at once"), strict=True):
        look.tidy(ax, f"expected match risk\n{title}", "files m")
        ax.axhline(beside["floor"], **look.FLOOR)
        ax.set_ylim(*limits)
        above = {"transform": ax.transAxes, "fontsize": look.SMALL, "va": "top"}
        ax.text(0.02, 0.98, f"↑ confidential {beside['confidential']:.0f}", **above)
    for ax in axes:
        ax.set_xlim(0, most + 1)
    entries = {"one file": DOTS, "average of m files": {"color": look.DARK}}
    entries |= {"all m at once": ALL_FILES, "now": look.NOW, "floor": look.FLOOR}
    band = f"within {100 * NEAR:g} % of the last average"
    entries |= {band: BAND | {"linewidth": 8}}
    where = {"loc": "upper left", "bbox_to_anchor": (-0.3, -0.22), "borderaxespad": 0}
    look.legend(axes[0], entries.items(), ncols=6, columnspacing=1, handlelength=1.4, **where)


def _lines_beside(ax, beside):
    """Draw what a synthetic risk is compared with, across the picture."""
    for name in BESIDE:
        ax.axhline(beside[name], label=name, **look.LINES[name])


def draw_averages(axes, now):
    """Show the first m files and their average, and the risk when all m are used at once."""
    m, steps = now.m, np.arange(1, now.m + 1)
    for ax, key in zip(axes[[0, 2, 3]], SUMMARY_TITLES, strict=True):
        ax.plot(steps, now.first[key], **DOTS)
        ax.plot(steps, now.means[key], color=look.DARK)
        ax.plot([m], now.means[key].iloc[-1:], **look.NOW)
    axes[1].plot(now.together.index, now.together, **ALL_FILES)
    axes[1].plot([m], now.together.iloc[-1:], **look.NOW)


def say_averages(now):
    """Read the averages aloud, and how many false match rates were undefined."""
    undefined = int(now.first.false_match_rate.isna().sum())
    skipped = f" ({undefined} undefined, left out)" if undefined else ""
    mean = now.means.iloc[-1]
    return (
        f"{beginning(now)} the expected match risk is "
        f"{average(now.first.expected_match_risk)}; confidential {now.beside['confidential']:.0f}, "
        f"floor {now.beside['floor']:.0f}. The true match rate is {mean.true_match_rate:.4f} and "
        f"the false match rate {say(round(mean.false_match_rate, 2))}{skipped}. An intruder who "
        f"uses {at_once(now.m)}, and guesses where nobody matches, "
        f"expects {now.together.iloc[-1]:.0f}."
    )


AVERAGES = Picture(
    frame_averages,
    draw_averages,
    say_averages,
    {
        "height": 3.5,
        "columns": 4,
        "margins": {"left": 0.05, "right": 0.99, "top": 0.83, "bottom": 0.27, "wspace": 0.5},
    },
)


def frame_classes(axes, results, steps, beside):
    """Draw the axes of risk and pMSE ratio against the largest number of classes."""
    titles = {
        "expected_match_risk": "risk: expected match risk",
        "pmse_ratio": "usefulness: pMSE ratio (chance: 1)",
    }
    for ax, (key, title) in zip(axes, titles.items(), strict=True):
        ax.set_xticks(range(len(steps)), steps)
        ax.set(xlim=(-0.5, len(steps) - 0.5), ylim=(0, 1.1 * results[key].max()))
        look.tidy(ax, title, "largest number of classes")
    _lines_beside(axes[0], beside)
    axes[0].set_ylim(0, 1.1 * beside["confidential"])
    one = [("one file", DOTS), ("average", {"color": look.DARK})]
    look.legend(axes[0], one, loc="upper right", bbox_to_anchor=(1, 0.9), ncols=2)


def draw_classes(axes, result):
    """Show the files and their averages up to where we are now."""
    steps = list(result.mean.index[: result.place + 1])
    so_far = result.files[result.files.classes.isin(steps)]
    for ax, key in zip(axes, result.mean, strict=True):
        ax.plot(so_far.classes.map(steps.index), so_far[key], **DOTS)
        ax.plot(range(len(steps)), result.mean[key].loc[steps], color=look.DARK)
    look.draw_now(axes, result.place, result.mean.iloc[result.place])


def say_classes(result):
    """Read risk and utility aloud."""
    now, beside = result.mean.iloc[result.place], result.beside
    few, first = result.mean.index[0], result.mean.iloc[0]
    before = f"; with at most {few} they are {first.expected_match_risk:.0f} and "
    before += f"{first.pmse_ratio:.1f}"
    return (
        f"With at most {now.name} classes the expected match risk is "
        f"{now.expected_match_risk:.0f} (confidential {beside['confidential']:.0f}, floor "
        f"{beside['floor']:.0f}) and the pMSE ratio {now.pmse_ratio:.1f} on average"
        f"{before if now.name != few else ''}."
    )


CLASSES = Picture(
    frame_classes,
    draw_classes,
    say_classes,
    {
        "height": 3.4,
        "columns": 2,
        "margins": {"left": 0.07, "right": 0.98, "top": 0.88, "bottom": 0.17, "wspace": 0.2},
    },
)


# Draw by draw: a file and one of its units

GIVES_UP = {"marker": "o", "color": look.GREEN, "markersize": 7, "linestyle": "none"}
FALLING = GIVES_UP | {"fillstyle": "none"}
FOUND = look.TRUE_RECORD | {"markersize": 9}
MISSED = FOUND | {"fillstyle": "none"}


def frame_draws(axes, n, draws, floor):
    """Draw the empty picture of a file's sums and of one unit's c; both axes count up to n."""
    for ax in axes:
        look.count_axis(ax, n)
        look.tidy(ax, xlim=(0, draws + 1))
        ax.set_ylim(top=np.log10(n) + 0.15)
        ax.set_xlabel("draw", fontsize=look.SMALL)
    powers = axes[1].get_yticks()
    axes[1].set_yticks([-look.FOOT, *powers], ["0", *(f"{10 ** int(p):,}" for p in powers)])
    axes[1].set_ylim(bottom=-look.FOOT - 0.2)
    axes[0].set_title("the file: expected match risk", fontsize=look.NORMAL, loc="left")
    axes[0].axhline(np.log10(floor), **look.FLOOR)
    entries = {"gives up": GIVES_UP, "falls back": FALLING}
    entries |= {name: look.LINES[name] for name in BESIDE}
    close = {"columnspacing": 0.9, "handlelength": 1.3, "handletextpad": 0.4, "borderaxespad": 0}
    where = close | {"loc": "upper left", "ncols": 4}
    look.legend(axes[0], entries.items(), bbox_to_anchor=(-0.12, -0.2), **where)
    own = {"T = 1 (its own is one of them)": FOUND, "T = 0": MISSED}
    look.legend(axes[1], own.items(), bbox_to_anchor=(0, -0.2), **where)


def draw_draws(axes, now):
    """Show the sums of the file and the unit's c in every draw so far."""
    file, unit = axes
    steps = np.arange(1, now.draw + 1)
    file.axhline(np.log10(now.confidential), **look.LINES["confidential"])
    for values, style in ((now.gives_up, GIVES_UP), (now.falls_back, FALLING)):
        file.plot(steps, _count_place(values), **style)
    look.headline(unit, f"unit {now.target}: its candidates c")
    place = _count_place(now.c)
    unit.plot(steps, place, color=look.LIGHT, linewidth=1)
    for is_found, style in ((now.T == 1, FOUND), (now.T == 0, MISSED)):
        unit.plot(steps[is_found], place[is_found], **style)
    for ax in axes:
        ax.axvspan(now.draw - 0.5, now.draw + 0.5, color=look.ORANGE, alpha=0.15, linewidth=0)


def _count_place(values):
    """Place numbers on a `look.count_axis`; less than one record stands at its foot."""
    values = np.asarray(values, dtype=float)
    return np.where(values < 0.5, -look.FOOT, np.log10(np.maximum(values, 0.5)))


def say_draws(now):
    """Read the sums of the file and c and T of the unit aloud."""
    drawn = listing(
        f"{word} {say(true)}, drawn {say(made)}" for word, true, made in now.values.itertuples()
    )
    c, T = int(now.c[-1]), int(now.T[-1])
    risk = rounded(T / c) if c else "0"
    so_far = f" So far T = 1 in {now.T.sum():.0f} of {now.draw} draws." if now.draw > 1 else ""
    return (
        f"Draw {now.draw} of {listing(now.values.index)}, r = {say(100 * now.radius)} %. The file: "
        f"{rounded(now.gives_up[-1])} right matches if the intruder gives up where nobody matches, "
        f"{rounded(now.falls_back[-1])} falling back (confidential {rounded(now.confidential)}, "
        f"floor {rounded(now.floor)}). Unit {now.target}: {drawn}; c = {c:,}, T = {T}, "
        f"risk {risk}.{so_far}"
    )


DRAWS = Picture(
    frame_draws,
    draw_draws,
    say_draws,
    {
        "height": 3.3,
        "columns": 2,
        "margins": {"left": 0.075, "right": 0.99, "top": 0.91, "bottom": 0.25, "wspace": 0.17},
    },
)


# Risk over r, scenario by scenario


def radius_boxes(releases) -> Image:
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


def frame_radius_boxes(axes, releases, entries):
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


def _say_replayed(ax):
    """Write into a corner of the figure that nothing is computed anew here."""
    look_of = {"fontsize": TINY, "color": look.DARK, "ha": "right", "va": "top"}
    ax.figure.text(0.995, 0.995, "replays stored results", **look_of)


def frame_scenarios(axes, releases):
    """Draw the boxplots, with room for the first m files in the legend."""
    entries = [("average over m", look.NOW), ("all m at once", ALL_AT_ONCE)]
    frame_radius_boxes(axes, releases, entries)
    _say_replayed(axes[0])


def draw_scenarios(axes, now):
    """Show the first m data sets of a scenario at one radius, their average, and all at once."""
    ax = axes[list(SCENARIO_LOOKS).index(now.scenario)]
    place, risk = list(now.radii).index(now.radius), now.first.expected_match_risk
    spread = 0.5 * (np.arange(len(risk)) * 0.618034 % 1 - 0.5)
    ax.plot(place + spread, risk, **DOTS | {"color": look.ORANGE})
    ax.plot([place], [risk.mean()], **look.NOW)
    ax.plot([place], [now.together], **ALL_AT_ONCE)


def say_scenarios(now):
    """Read one scenario at one radius aloud."""
    intruder, falls_back = now.view
    does = "falls back" if falls_back else "gives up"
    beside = now.first.iloc[0]
    return (
        f"{INTRUDERS[intruder]}, and {does} where nobody matches. Synthesized: "
        f"{scenario_words(now.scenario, now.first)}. "
        f"{in_files(now.m)}, at r = {say(100 * now.radius)} %, the expected "
        f"match risk is {average(now.first.expected_match_risk)}; confidential "
        f"{beside.confidential:,.0f}, floor {beside.floor:,.0f}. Using {at_once(now.m)}, falling "
        f"back: {now.together:,.0f}. The average of all {now.files} is highest at "
        f"{at_radius(now.best, now.radii)}: {now.highest:,.0f}."
    )


def scenario_words(scenario, releases):
    """Name what a scenario synthesizes, such as "Tenure+Income", in plain words."""
    return listing(plain_names(scenario.split("+"), releases).values())


def at_radius(radius, radii):
    """Say a radius, and whether it is an edge of the grid."""
    ends = {min(radii): "the lower edge", max(radii): "the upper edge"}
    edge = f", {ends[radius]}" if radius in ends and len(radii) > 1 else ""
    return f"r = {say(100 * radius)} %{edge}"


SCENARIOS = Picture(
    frame_scenarios,
    draw_scenarios,
    say_scenarios,
    {
        "height": 3.3,
        "columns": 4,
        "margins": {"left": 0.12, "right": 0.99, "top": 0.79, "bottom": 0.3, "wspace": 0.08},
        "sharey": True,
    },
)


def scenario_boxes(at_best) -> Image:
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


def tradeoff(at_best, boxes, scenarios) -> Image:
    """Show risk against utility: a point a data set, a rectangle of quartiles a scenario.

    `at_best` has the columns synthesized, expected_match_risk, confidential, floor and pmse,
    `boxes` maps a scenario to the `quartiles` of expected_match_risk and pmse. The axes have room
    for all scenarios, so that pictures of different ones can be compared.
    """
    figure, ax = look.figure(3.6)
    frame_tradeoff(ax, (0, 1150 * at_best.pmse.max()))
    _risk_axis(ax)
    words = []
    for name in scenarios:
        one = at_best[at_best.synthesized == name]
        draw_tradeoff(ax, one, boxes[name], SCENARIO_LOOKS[name], name.replace("+", " + "))
        draw_release_lines(ax, one)
        words.append(
            f"{listing(name.split('+'))} synthesized: a risk of {one[RISK].mean():.0f} (floor "
            f"{one.floor.mean():.0f}) and a pMSE × 1,000 of {1000 * one.pmse.mean():.2f}."
        )
    entries = [(name, look.LINES[name]) for name in BESIDE]
    look.legend(ax, entries, loc="upper left", bbox_to_anchor=(-0.1, -0.16), ncols=3)
    return look.show(figure, " ".join(words))


def frame_releases(ax, points):
    """Draw every release as grey points with its name, and its floor."""
    limits = -50 * points.pmse.max(), 1150 * points.pmse.max()
    frame_tradeoff(ax, limits, "each release at its maximizing radius")
    _risk_axis(ax)
    for name, one in points.groupby("synthesized"):
        draw_release(ax, one, name.replace("+", " + "), below=name in LABELLED_BELOW)
        draw_release_lines(ax, one, ["floor"])  # the confidential risk of the chosen one follows
    look.legend(ax, [(name, look.LINES[name]) for name in BESIDE], loc="lower left")
    _say_replayed(ax)


def draw_releases(ax, result):
    """Show the chosen release, where one is chosen."""
    if len(result.chosen):
        draw_tradeoff(ax, result.chosen, result.box, {"color": look.ORANGE, "marker": "o"})
        draw_release_lines(ax, result.chosen, ["confidential"])


def say_releases(result):
    """Read risk and utility of the chosen release aloud, with what they stand beside."""
    chosen = result.chosen
    if chosen.empty:
        return "Nothing is synthesized: you publish the truth. Tick at least one variable."
    first = chosen.iloc[0]
    return (
        f"{INTRUDERS[result.view]}. Synthesizing {scenario_words(first.synthesized, chosen)}, the "
        f"stored expected match risk is highest at {at_radius(first.radius, result.radii)}: "
        f"{chosen[RISK].mean():,.0f} on average (falling back where nobody matches: "
        f"{chosen.falling_back.mean():,.0f}), against {first.confidential:,.0f} in the "
        f"confidential file and {first.floor:,.0f} for whoever ignores what was synthesized (the "
        f"floor). pMSE × 1,000 is {1000 * chosen.pmse.mean():.2f}."
    )


RELEASES = Picture(
    frame_releases,
    draw_releases,
    say_releases,
    {"height": 3.6, "margins": {"left": 0.11, "right": 0.97, "top": 0.9, "bottom": 0.14}},
)


def frame_tradeoff(ax, limits, title="", risk=RISK_LABEL):
    """Draw the empty picture of utility against risk; `limits` are those of pMSE × 1,000."""
    look.tidy(ax, title, "pMSE × 1,000 (left is more useful)", risk, xlim=limits)


def draw_tradeoff(ax, points, box, style, label=None):
    """Show data sets as points, with the rectangle of their quartiles."""
    dots = {"linestyle": "none", "alpha": 0.5, "markersize": 5}
    ax.plot(1000 * points.pmse, points[RISK], **dots, **style)
    _rectangle(ax, 1000 * box.pmse, box[RISK], style["color"], label)


def draw_release(ax, points, label, below):
    """Show data sets as grey points, with a name above or below them."""
    risk = points[RISK]
    ax.plot(1000 * points.pmse, risk, **look.EVERYONE_ELSE)
    y, side, away = (risk.min(), "top", -4) if below else (risk.max(), "bottom", 4)
    where = {"xytext": (0, away), "textcoords": "offset points", "ha": "center", "va": side}
    ax.annotate(label, (1000 * points.pmse.mean(), y), fontsize=look.SMALL, **where)


def draw_release_lines(ax, points, names=BESIDE):
    """Mark the confidential risk and the floor of a release, as wide as its data sets lie apart."""
    ends = 1000 * points.pmse.min(), 1000 * points.pmse.max()
    for name in names:
        ax.plot(ends, [points[name].mean()] * 2, **look.LINES[name])


# Averages over m data sets


def two_way_boxes(boxes) -> Image:
    """Show a two-dimensional boxplot for every m; `boxes` maps m to `quartiles` of averages."""
    figure, ax = look.figure(3.8)
    frame_two_way(ax, next(iter(boxes.values())), "averages over m")
    words = []
    for (m, box), style in zip(boxes.items(), SCENARIO_LOOKS.values(), strict=False):
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


def draw_together(ax, together, mean):
    """Show the risk of using m files at once, for every m so far: all repeats and their mean."""
    ax.plot(together.m, together.risk, **DOTS | {"color": look.BLUE})
    ax.plot(mean.index, mean, **ALL_FILES)
    ax.plot(mean.index[-1:], mean.iloc[-1:], **look.NOW)


def draw_two_way_box(ax, box, color, label):
    """Show a two-dimensional boxplot: quartiles as a rectangle, the range as whiskers."""
    x, y = 1000 * box.pmse, box.risk
    _rectangle(ax, x, y, color, label)
    line = {"color": color, "linewidth": 1.2, "zorder": 4}
    for low, high in (("minimum", "first"), ("third", "maximum")):
        ax.plot([x[low], x[high]], [y["median"]] * 2, **line)
        ax.plot([x["median"]] * 2, [y[low], y[high]], **line)


def _rectangle(ax, x, y, color, label):
    """Draw the rectangle between the quartiles of x and of y."""
    from matplotlib.patches import Rectangle

    width, height = x["third"] - x["first"], y["third"] - y["first"]
    style = {"fill": False, "edgecolor": color, "linewidth": 2, "zorder": 4, "label": label}
    ax.add_patch(Rectangle((x["first"], y["first"]), width, height, **style))


def frame_pool(axes, whole, sizes, repeats, beside):
    """Draw the box of the whole pool, and the empty picture of m files at once beside it."""
    frame_two_way(axes[0], whole, f"averages over m files, {repeats:,} times over")
    draw_two_way_box(axes[0], whole, look.DARK, "m = 1 (the whole pool)")
    frame_together(axes[1], sizes, beside)
    _say_replayed(axes[0])


def draw_pool(axes, now):
    """Show the averages of m files with their box, and what m files give at once."""
    dots = look.EVERYONE_ELSE | {"alpha": 0.35, "markersize": 4}
    axes[0].plot(1000 * now.averages.pmse, now.averages.risk, **dots)
    draw_two_way_box(axes[0], now.box, look.ORANGE, f"m = {now.m}")
    look.legend(axes[0], loc="upper right")
    draw_together(axes[1], now.together, now.mean)


def say_pool(now):
    """Read mean and spread aloud, beside what m files give together."""
    risk, beside = now.averages.risk, now.beside
    few = "a single file (m = 1)" if now.m == 1 else f"m = {now.m} files"
    few += " of the stored pool"
    return (
        f"With {few}, the average risk per unit lies between {risk.min():.3f} and "
        f"{risk.max():.3f} over {len(risk):,} repeats; its mean is {risk.mean():.3f}. An intruder "
        f"who uses {at_once(now.m)}, and falls back where nobody "
        f"matches, gets {now.mean.iloc[-1]:.3f} (confidential {beside['confidential']:.3f}, floor "
        f"{beside['floor']:.3f})."
    )


POOL = Picture(
    frame_pool,
    draw_pool,
    say_pool,
    {
        "height": 3.9,
        "columns": 2,
        "margins": {"left": 0.1, "right": 0.98, "top": 0.9, "bottom": 0.16, "wspace": 0.22},
        "width_ratios": [1.7, 1],
    },
)
