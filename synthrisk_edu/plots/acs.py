"""Pictures of lesson 03: hidden classes, unique matches, averages over files.

`beside` holds what a synthetic risk is compared with: that of the confidential data, and the floor.
"""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.data import labels
from synthrisk_edu.plots import look
from synthrisk_edu.plots.examples import BESIDE, SCENARIO_LOOKS
from synthrisk_edu.plots.picture import Shown, Tile, columns, picture
from synthrisk_edu.words import counted, listing, rounded

FILES = {"marker": ".", "linestyle": "none", "color": look.GREEN, "markersize": 7}
ALL_FILES = {"color": look.BLUE, "marker": "s", "markersize": 4, "linewidth": 1.5}
FALSE = {"edgecolor": look.GREEN, "fill": False, "hatch": "xxx", "linewidth": 1.2}
ROWS = {
    "confidential": "confidential file",
    "synthetic": "synthetic file",
    "floor": "floor: known alone",
}
TEXT = 0.55  # of the longest bar: room for the words behind it
MANY = 6  # facts: with more of them their names fill the sentence


def count_unique(found):
    """Count the unique matches of a `Match`: s of them, ΣK true and ΣF false, so s = ΣK + ΣF."""
    K = found.records.K.sum()
    F = found.records.F.sum()
    return pd.Series({"s": K + F, "K": K, "F": F})


def unique_in(matches):
    """Return what the picture of unique matches shows of "confidential", "synthetic", "floor"."""
    unique = {name: count_unique(found) for name, found in matches.items()}
    summaries = {name: found.summary() for name, found in matches.items()}
    return SimpleNamespace(matches=matches, unique=unique, summaries=summaries)


def unique_matches(matches) -> look.Standing:
    """Show s, ΣK and ΣF; `matches` maps "confidential", "synthetic" and "floor" to a `Match`."""
    now = unique_in(matches)
    longest = max(of_file.s for of_file in now.unique.values())
    return unique_picture.show(now, longest)


@picture(height=2.1)
def unique_picture(ax, longest):
    """The unique matches of three files: a bar is s long, ΣK of it are true and ΣF false.

    `longest` is the largest s that there can be: the bars of all states have one scale.
    """
    title = "Unique matches: s = Σ K true + Σ F false ones (crossed out)"
    look.tidy(ax, title, yticks=range(len(ROWS)), xticks=[])
    ax.set_yticklabels(ROWS.values())
    ax.set(xlim=(0, (1 + TEXT) * max(longest, 1)), ylim=(len(ROWS) - 0.5, -0.5))
    ax.spines["bottom"].set_visible(False)
    ax.tick_params(axis="y", length=0, labelcolor=look.DARK)

    def move(now):
        for place, name in enumerate(ROWS):
            _draw_unique(ax, place, now.unique[name], look.BARS[name])
        return Shown(_say_known(now), _summary_tiles(now.summaries))

    return move


def _draw_unique(ax, place, unique, style):
    """Draw s as a bar: first the true ones, then the false ones, and the numbers behind it."""
    if unique.K:
        ax.barh([place], [unique.K], 0.62, **style)
    if unique.F:
        ax.barh([place], [unique.F], 0.62, left=unique.K, **FALSE)
    text = f"{unique.s:,} = {unique.K:,} true + {unique.F:,} false"
    text = text if unique.s else "none"
    look.label(ax, unique.s, place, text, away=(7, 0), va="center", size=look.NORMAL)


def _summary_tiles(summaries):
    """Return the three summaries of the synthetic file, and what they are compared with."""
    confidential, own, floor = (summaries[name] for name in ROWS)
    most = rounded(confidential.expected_match_risk)
    least = rounded(floor.expected_match_risk)
    risk = f"confidential {most}, floor {least}"
    true = f"confidential {rounded(confidential.true_match_rate)}"
    wrong = rounded(own.false_match_rate), "lower is riskier"
    if own.unique_matches == 0:
        wrong = "–", "no unique match"
    return [
        Tile("expected match risk", rounded(own.expected_match_risk), risk, look.GREEN),
        Tile("true match rate", rounded(own.true_match_rate), true, look.GREEN),
        Tile("false match rate", *wrong, look.GREEN),
    ]


def _say_known(now):
    """Say what the intruder knows, whom that singles out, and whether to trust the file."""
    found = now.matches["synthetic"]
    unique = now.unique["synthetic"]
    name = labels(found.known + found.synthesized, found.confidential)
    back = ", and falling back where nobody matches," if found.fallback else ","
    alone = "finds nobody with a single candidate"
    if unique.s:
        wrong = f"for {unique.F:,} of them it is" if unique.s > 1 else "it is"
        whose = f"{wrong} somebody else's" if unique.F else "always the right one"
        people = counted(unique.s, "person", "people")
        alone = f"finds a single candidate for {people}, and {whose}"
    if found.synthesized:
        ignored = listing(name[one] for one in found.synthesized)
        floor = f"Whoever ignores {ignored} (the floor) is right {_how_often(now.summaries)}."
    else:
        floor = "Nothing that was synthesized is used, so this is the floor itself."
    return f"Knowing {_facts(found, name)}{back} an intruder {alone}. {floor}"


def _facts(found, name):
    """List what the intruder knows about everybody."""
    if len(name) > MANY:
        return f"{len(name)} facts about everybody"
    known = listing(name[one] for one in found.known)
    true = f"the true {listing(name[one] for one in found.synthesized)}"
    if not found.synthesized:
        return known
    return f"{known} and {true}" if found.known else f"only {true}"


def _how_often(summaries):
    """Say how often an intruder who ignores what was synthesized is right, beside one who asks."""
    risk = summaries["synthetic"].expected_match_risk
    floor = summaries["floor"].expected_match_risk
    if rounded(risk) == rounded(floor):
        return "about as often"
    return "more often" if floor > risk else "less often"


CLASS_LOOKS = list(SCENARIO_LOOKS.values())  # so many classes can be told apart
PAST = {"linestyle": "none", "markersize": 4, "markeredgewidth": 0}
PRESENT = {"linestyle": "none", "markersize": 9}


def class_name(k):
    """Name a class by a letter."""
    return "ABCD"[k]


@picture(
    height=2.7,
    mosaic=[["everybody", "weights"], ["everybody", "chances"]],
    width_ratios=[1.9, 1],
    touch="Click a step to go there.",
)
def gibbs_picture(axes, people, steps, classes, event):
    """Draw a few people who change class, step by step; `event` is what may happen in one.

    Beside them, the weight of every class now, and the chance of the event in it.
    """
    everybody = axes["everybody"]
    weights = axes["weights"]
    chances = axes["chances"]
    look.tidy(everybody, "Everybody's class, step by step", "step of the sampler")
    everybody.set_yticks(range(len(people)), people)
    everybody.set(xlim=(-1, steps + 3), ylim=(len(people) - 0.4, -0.6))
    everybody.set_xticks(range(0, steps + 1, max(1, steps // 4)))
    everybody.hlines(range(len(people)), 0, steps, color=look.SOFT, lw=0.6, zorder=0)
    everybody.spines["left"].set_visible(False)
    everybody.tick_params(axis="y", length=0)
    for ax, title in ((weights, "Weight of the class"), (chances, f"Chance of {event}")):
        _name_classes(ax, title, classes)

    def move(now):
        _draw_people(everybody, now)
        for ax, values in ((weights, now.weights), (chances, now.chances)):
            _draw_classes(ax, values, now.sizes)
        marks = _steps(everybody, now, steps)
        return Shown(_say_gibbs(now), _class_tiles(now, event), marks)

    return move


def _name_classes(ax, title, classes):
    """Draw an empty row for every class, with its letter and its marker."""
    look.tidy(ax, title, xticks=[], xlim=(-0.15, 1.3), ylim=(classes - 0.4, -0.6))
    ax.set_yticks(range(classes), [class_name(k) for k in range(classes)], weight="bold")
    ax.spines[:].set_visible(False)
    ax.tick_params(axis="y", length=0)
    for k, text in enumerate(ax.get_yticklabels()):
        text.set_color(look.word(CLASS_LOOKS[k]["color"]))
        ax.plot([-0.08], [k], **CLASS_LOOKS[k] | PRESENT, clip_on=False)


def _draw_people(ax, now):
    """Draw who was in which class so far; the letters name the classes of this step."""
    for k in range(len(now.sizes)):
        style = CLASS_LOOKS[k]
        steps, people = np.nonzero(now.z[:-1] == k)
        ax.plot(steps, people, **style | PAST)
        here = np.flatnonzero(now.z[-1] == k)
        ax.plot(np.full(len(here), now.step), here, **style | PRESENT)
        for person in here:
            beside = {"away": (8, 0), "va": "center_baseline", "weight": "bold"}
            look.label(ax, now.step, person, class_name(k), style["color"], **beside)


def _draw_classes(ax, values, sizes):
    """Draw a bar for every class, with its number; that of an empty class is hollow."""
    for k, value in enumerate(values):
        color = CLASS_LOOKS[k]["color"]
        fill = color if sizes[k] else look.PAPER
        look.bars(ax, [k], [value], 0.6, across=True, edgecolor=color, facecolor=fill)
        look.label(ax, value, k, f"{value:.2f}", away=(5, 0), va="center_baseline")


def _steps(ax, now, steps):
    """Return a mark for every step: who was in which class."""
    words = []
    for step in range(steps + 1):
        if step > now.step:
            words.append(f"step {step}\nnot drawn yet: go there")
            continue
        lines = [f"step {step}"]
        for k in range(len(now.sizes)):
            members = np.flatnonzero(now.z[step] == k)
            who = ", ".join(map(str, members)) if len(members) else "nobody"
            lines.append(f"class {class_name(k)}: {who}")
        words.append("\n".join(lines))
    middle = len(now.z[0]) / 2
    return columns(ax, range(steps + 1), [middle] * (steps + 1), words, "step")


def _class_tiles(now, event):
    """Return how many classes are in use, the biggest one, and what it gives."""
    most = int(np.argmax(now.sizes))
    name = class_name(most)
    color = CLASS_LOOKS[most]["color"]
    size = f"{now.sizes[most]} of {sum(now.sizes)} people"
    tied = ", tied" if sum(now.sizes == now.sizes[most]) > 1 else ""
    in_use = np.count_nonzero(now.sizes)
    return [
        Tile("classes in use", f"{in_use}", f"of {len(now.sizes)} allowed"),
        Tile("the biggest class", name, f"{size}{tied}", color),
        Tile(f"chance of {event}", f"{now.chances[most]:.2f}", f"for all in class {name}", color),
    ]


def _say_gibbs(now):
    """Say who has moved, and where a synthetic value comes from."""
    moved = "This is the start: nobody has moved yet."
    if now.step:
        who = counted(now.moved, "person has", "people have") if now.moved else "nobody has"
        moved = f"In this step {who} changed class."
    empty = [class_name(k) for k, size in enumerate(now.sizes) if not size]
    alone = ""
    if empty:
        which = f"class {empty[0]}" if len(empty) == 1 else f"classes {listing(empty)}"
        alone = f" The chances in {which}, now empty, rest on no data (hollow)."
    return (
        f"Run {now.run}, step {now.step}. {moved} A synthetic value would now be drawn by the "
        f"chances of the person's own class.{alone}"
    )


NEAR = 0.02  # of the last average: so near an average has settled
BAND = {"color": look.GREEN, "alpha": 0.2, "linewidth": 0}


@picture(height=3.05, touch="Click a place to average so many files.")
def average_picture(ax, files, last, beside, limits):
    """Draw the risk of one file at a time, its average over m files, and that of all m at once.

    `last` is the average over all files, and `limits` are those of the risk.
    """
    title = "Expected match risk: one file after the other, and all m at once"
    look.tidy(ax, title, "number of files m", grid="y")
    ax.set(xlim=(0.3, 1.14 * files + 1), ylim=limits)
    ax.set_xticks([m for m in (1, 5, 10, 15, 20, 50, 100) if m <= files])
    ax.axhspan((1 - NEAR) * last, (1 + NEAR) * last, **BAND)
    ax.axhline(beside["floor"], **look.FLOOR)
    _name_margin(ax, last, beside)

    def move(now):
        steps = np.arange(1, now.m + 1)
        ax.plot(steps, now.first.expected_match_risk, **FILES)
        ax.plot(steps, now.means.expected_match_risk, **look.LINES["synthetic"])
        ax.plot(now.together.index, now.together, **ALL_FILES)
        _name_now(ax, now)
        return Shown(_say_averages(now), _average_tiles(now), _files(ax, now, files))

    return move


def _name_margin(ax, last, beside):
    """Write what the risks are compared with into the margin on the right."""
    if beside["confidential"] <= ax.get_ylim()[1]:
        ax.axhline(beside["confidential"], **look.LINES["confidential"])
    names = [
        (beside["confidential"], f"confidential\n{rounded(beside['confidential'])}", look.DARK),
        (last, f"final average\n± {100 * NEAR:g} %", look.GREEN),
        (beside["floor"], f"floor {rounded(beside['floor'])}", look.WINE),
    ]
    look.name_ends(ax, names)


def _name_now(ax, now):
    """Mark the two risks at m with orange dots, and write on their right what they are."""
    mean, together = now.means.expected_match_risk.iloc[-1], now.together.iloc[-1]
    ax.plot([now.m, now.m], [mean, together], **look.NOW)
    right = {"away": (11, 0), "va": "center", "bbox": look.ON_PAPER}
    for risk, text, color in (
        (mean, "average" if now.m > 1 else f"file {now.file}, giving up", look.GREEN),
        (together, "all at once" if now.m > 1 else "the same, falling back", look.BLUE),
    ):
        look.label(ax, now.m, risk, text, color, **right)


def _files(ax, now, files):
    """Return a mark for every m: the file that joins, and the average."""
    words = [f"m = {m}\nnot drawn yet: go there" for m in range(1, files + 1)]
    heights = [now.means.expected_match_risk.iloc[-1]] * files
    for place in range(now.m):
        number = (now.file - 1 + place) % files + 1
        risk = now.first.expected_match_risk.iloc[place]
        mean = now.means.expected_match_risk.iloc[place]
        heights[place] = mean
        words[place] = (
            f"m = {place + 1}: file {number} joins\nits risk {rounded(risk)}\n"
            f"average so far {rounded(mean)}"
        )
    return columns(ax, range(1, files + 1), heights, words, "m")


def _average_tiles(now):
    """Return both risks at m, and the average rates."""
    mean = now.means.iloc[-1]
    wrong = "–" if np.isnan(mean.false_match_rate) else rounded(mean.false_match_rate)
    files = f"average of {now.m} files" if now.m > 1 else f"file {now.file}, giving up"
    return [
        Tile("one file at a time", rounded(mean.expected_match_risk), files, look.GREEN),
        Tile("all files at once", rounded(now.together.iloc[-1]), "falling back", look.BLUE),
        Tile("false match rate", wrong, f"true match rate {mean.true_match_rate:.4f}"),
    ]


def _say_averages(now):
    """Say where both risks have gone since the first file, and how many rates were undefined."""
    skipped = ""
    if now.undefined:
        files = counted(now.undefined, "file", "files")
        skipped = f" The false match rate of {files} is undefined and left out."
    if now.m == 1:
        return (
            f"With file {now.file} alone the two risks differ only where nobody matches: one "
            f"intruder gives up there, and the other falls back.{skipped}"
        )
    means = now.means.expected_match_risk
    average = _went(means.iloc[0], means.iloc[-1])
    together = _went(now.together.iloc[0], now.together.iloc[-1])
    return (
        f"Single files range from {rounded(now.lowest)} to {rounded(now.highest)}. From file "
        f"{now.file} alone to m = {now.m}, the average has {average}; an intruder who uses "
        f"{at_once(now.m)}, and falls back where nobody matches, has {together}.{skipped}"
    )


def _went(first, last):
    """Say from where to where a risk has gone, as one rounds it."""
    first = rounded(first)
    last = rounded(last)
    return f"stayed at {last}" if first == last else f"gone from {first} to {last}"


ACCEPTABLE = 10  # a pMSE ratio below is acceptable, by a rule of thumb


@picture(height=3.3, columns=2, touch="Click a curve to move the number of classes there.")
def classes_picture(axes, results, mean, beside):
    """Draw risk and pMSE ratio against the largest number of classes; `mean` has the averages."""
    risk, use = axes
    for ax, key in ((risk, "expected_match_risk"), (use, "pmse_ratio")):
        ax.plot(results.classes, results[key], **FILES)
        ax.plot(mean.index, mean[key], **look.LINES["synthetic"])
        _class_axis(ax, mean.index)
    look.tidy(risk, "Expected match risk", "largest number of classes", grid="y")
    look.tidy(use, "pMSE ratio: lower is more useful", "largest number of classes", grid="y")
    risk.set_ylim(0, 1.12 * beside["confidential"])
    risk.locator_params(axis="y", nbins=4)
    use.set_ylim(0, 1.1 * results.pmse_ratio.max())
    _name_risks(risk, results, mean.index, beside)
    use.axhline(ACCEPTABLE, color=look.LIGHT, lw=1)
    words = f"below {ACCEPTABLE}: acceptable"
    look.label(use, mean.index[-1], ACCEPTABLE, words, look.GREY, away=(0, 4), ha="right")
    words = _read_classes(mean)
    places = range(len(mean))
    marks = columns(risk, mean.index, mean.expected_match_risk, words, "step", places)
    marks += columns(use, mean.index, mean.pmse_ratio, words, "step", places)

    def move(now):
        here = mean.loc[now.classes]
        risk.plot([now.classes], [here.expected_match_risk], **look.NOW)
        use.plot([now.classes], [here.pmse_ratio], **look.NOW)
        return Shown(_say_classes(now), _risk_tiles(here, beside), marks)

    return move


def _class_axis(ax, steps):
    """Lay numbers of classes along the x-axis: twice as many is always as far."""
    ax.set_xscale("log")
    ax.set_xlim(steps[0] / 1.2, 1.2 * steps[-1])
    ax.set_xticks(steps, [str(classes) for classes in steps])
    ax.minorticks_off()


def _name_risks(ax, results, steps, beside):
    """Draw what the risk is compared with, and write on the lines what they are."""
    lines_beside(ax, beside)
    for name, color in (("confidential", look.DARK), ("floor", look.WINE)):
        text = f"{name} {rounded(beside[name])}"
        look.label(ax, steps[0], beside[name], text, color, away=(0, 4))
    low = results.expected_match_risk.min()
    words = "a dot is one file, the line their mean"
    look.label(ax, steps[-1], low, words, look.GREEN, away=(0, -6), ha="right", va="top")


def _read_classes(mean):
    """Read both curves at every number of classes."""
    return [
        f"at most {classes} classes\nexpected match risk {rounded(row.expected_match_risk)}\n"
        f"pMSE ratio {rounded(row.pmse_ratio)}"
        for classes, row in mean.iterrows()
    ]


def _risk_tiles(here, beside):
    """Return both sums and the pMSE ratio at this number of classes."""
    bounds = [f"{name} {rounded(beside[name])}" for name in ("floor", "confidential")]
    risk = rounded(here.expected_match_risk)
    return [
        Tile("expected match risk", risk, "giving up if no match", look.GREEN),
        Tile("falling back", rounded(here.falls_back), ", ".join(bounds), look.GREEN),
        Tile("pMSE ratio", rounded(here.pmse_ratio), "copy 0, chance 1", look.GREEN),
    ]


def _say_classes(now):
    """Compare this number of classes with the largest, or that with the smallest."""
    most = now.mean.index[-1]
    classes = now.classes if now.classes != most else now.mean.index[0]
    many, few = now.mean.loc[most], now.mean.loc[classes]
    first = "This is the largest number tried. " if now.classes == most else ""
    return (
        f"{first}From at most {most} classes down to {classes}, the expected match risk goes from "
        f"{rounded(many.expected_match_risk)} to {rounded(few.expected_match_risk)}, and the pMSE "
        f"ratio from {rounded(many.pmse_ratio)} to {rounded(few.pmse_ratio)}."
    )


def at_once(m):
    """Say how an intruder uses m files."""
    return {1: "it", 2: "both at once"}.get(m, f"all {m} at once")


def lines_beside(ax, beside):
    """Draw what a synthetic risk is compared with, across the picture."""
    for name in BESIDE:
        ax.axhline(beside[name], **look.LINES[name])
