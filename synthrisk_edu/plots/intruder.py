"""Pictures of intruder knowledge: one target's probabilities, and the three risks.

`baselines` come from `intruder_baselines`.
"""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.data import plain_names
from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Mark, Shown, Tile, columns, picture
from synthrisk_edu.words import counted, rounded, say

RISKS = {
    "perceived": {"color": look.ORANGE, "marker": "s"},
    "expected": {"color": look.BLUE, "marker": "o"},
    "true": {"color": look.GREEN, "marker": "^"},
}
DASHED = {"color": look.DARK, "linestyle": "--", "linewidth": 1}
FAR_MORE = 1.5  # so many believed for each correct guess are "more"


# ------------------------------------------------------------------ who could one target be?
MOST = 25  # records shown of a target
FOOT = 1e-4  # the lowest probability on the axis; a smaller one stands there as well
FEW = 6  # records, or fewer, stand wide apart and have their probabilities written beside them
WIDE = 4.5  # so far from each other, where 1 is the usual
APART = MOST + 1.5  # where the target's own record stands if it is not among those shown
WIDTH = 33  # of the axis, in records: the own record and its name have room on the right


def likeliest(risk, target: int) -> SimpleNamespace:
    """Find out who a target could be; `risk` comes from `intruder_risk`.

    `shown` are the positions of the likeliest records, `MOST` at most, and of the target's own
    record where it is not one of them. For these, `chances` has the probabilities and `fits` the
    number of draws in which they fit. Of all records, so many are `possible`, and so many are
    `likelier` than the target's own; `outside` is the probability of "not in the file".
    """
    chances, outside = risk.probabilities(target)
    possible = int((chances > 0).sum())
    shown = np.argsort(-chances, kind="stable")[: min(MOST, possible)]
    is_own_apart = target not in shown
    if is_own_apart:
        shown = np.append(shown, target)
    fits = sum(draw.matches(target)[shown].astype(int) for draw in risk.draws)
    return SimpleNamespace(
        risk=risk,
        target=target,
        shown=shown,
        is_own_apart=is_own_apart,
        chances=chances[shown],
        own=chances[target],
        fits=fits,
        possible=possible,
        likelier=int((chances > chances[target] + 1e-9).sum()),
        outside=outside,
    )


@picture(height=3.0, touch="Click a record to make that person the target.")
def probabilities_picture(ax):
    """Who could the target be? A mark for each of the likeliest records, the likeliest first."""
    look.tidy(
        ax,
        "Who could the target be?",
        "the likeliest records, from the left to the right",
        "probability",
        grid="y",
        xlim=(-0.8, WIDTH),
        yscale="log",
        ylim=(0.8 * FOOT, 4),
        xticks=[],
    )
    ax.set_yticks([0.0001, 0.001, 0.01, 0.1, 1], ["0.0001", "0.001", "0.01", "0.1", "1"])
    ax.minorticks_off()

    def move(now):
        threshold = now.risk.threshold
        ax.axhline(threshold, **DASHED)
        right = {"ha": "right", "va": "top"}
        look.label(ax, WIDTH, threshold, f"threshold {say(threshold)}", away=(0, -3), **right)
        places = np.arange(len(now.shown)) * (WIDE if now.possible <= FEW else 1.0)
        if now.is_own_apart:
            places[-1] = APART
        heights = np.maximum(now.chances, FOOT)
        is_own = now.shown == now.target
        ax.vlines(places, 0.1 * FOOT, heights, color=look.SOFT, linewidth=1.5)
        ax.plot(places[~is_own], heights[~is_own], zorder=4, **look.CANDIDATE)
        _draw_own(ax, now, *places[is_own], *heights[is_own])
        if now.possible <= FEW:
            _write_probabilities(ax, places[~is_own], heights[~is_own], now.chances[~is_own])
        many = counted(now.possible, "record is possible", "records are possible")
        shown = f"{many}; these are the {MOST} likeliest" if now.possible > MOST else many
        look.label(ax, WIDTH, 2, shown, look.GREY, ha="right", va="center")
        marks = _marks_of_records(ax, now, places, heights)
        return Shown(_say_probabilities(now), _probability_tiles(now), marks)

    return move


def _draw_own(ax, now, place, height):
    """Draw the target's own record, filled if it is among the likeliest, with its name."""
    is_among_them = now.risk.records.I.iloc[now.target]
    filling = look.ORANGE if is_among_them else look.PAPER
    style = look.TRUE_RECORD | {"markersize": 11, "markerfacecolor": filling, "zorder": 5}
    ax.plot([place], [height], clip_on=False, **style)
    if now.is_own_apart:
        text = "the target's\nown record"
        side = {"away": (11, 0), "va": "center" if height > 2 * FOOT else "bottom"}
    else:  # those on the right of it are not higher
        text = "the target's own record"
        side = {"away": (6, 8), "va": "bottom", "bbox": look.ON_PAPER}
    look.label(ax, place, height, text, look.ORANGE, **side)


def _write_probabilities(ax, places, heights, chances):
    """Write the probabilities beside the marks."""
    beside = {"away": (9, 0), "va": "center", "bbox": look.ON_PAPER}
    for place, height, chance in zip(places, heights, chances, strict=True):
        look.label(ax, place, height, rounded(chance), look.BLUE, **beside)


def _marks_of_records(ax, now, places, heights):
    """Return a mark for every record that is shown; a click makes that person the target."""
    bottom, top = ax.get_ylim()
    words = _records_in_words(now)
    half = (WIDE if now.possible <= FEW else 1) / 2
    marks = []
    for place, height, record, text in zip(places, heights, now.shown, words, strict=True):
        box = (place - half, bottom, place + half, top)
        marks.append(Mark(ax, place, height, text, {"target": int(record)}, box))
    return marks


def _records_in_words(now):
    """Return for every record that is shown who it truly is, and how likely."""
    risk = now.risk
    plain = plain_names(risk.known + risk.synthesized, risk.confidential)
    draws = counted(len(risk.draws), "draw", "draws")
    rows = risk.confidential[list(plain)].iloc[now.shown].itertuples(name=None)
    words = []
    for record, row, chance, fits in zip(now.shown, rows, now.chances, now.fits, strict=True):
        label, *values = row
        own = ", the target's own" if record == now.target else ""
        facts = [f"{word} {say(value)}" for word, value in zip(plain.values(), values, strict=True)]
        lines = [f"record {label}{own}", ", ".join(facts)]
        lines.append(f"fits in {fits} of {draws}")
        lines.append(f"probability {rounded(chance)}")
        words.append("\n".join(line for line in lines if line))
    return words


def _probability_tiles(now):
    """Return the highest probability, that of the own record, and the chance of a guess."""
    record = now.risk.records.iloc[now.target]
    c = int(record.c)
    is_among_them = bool(record.I)
    threshold = say(now.risk.threshold)
    is_over = record.highest > now.risk.threshold
    over = f"{'' if is_over else 'not '}over {threshold}"
    if now.own == 0:
        place = "does not fit"
    elif now.likelier == 0:
        place = "none is likelier"
    else:
        place = counted(now.likelier, "is likelier", "are likelier")
    tiles = [
        Tile("highest", rounded(record.highest), over, look.BLUE),
        Tile("own record", rounded(now.own), place, look.ORANGE, square=is_among_them),
        Tile("risk I/c", f"1 in {c:,}" if is_among_them else "0", "chance of a correct guess"),
    ]
    if now.outside > 0:
        tiles.append(Tile("not in file", rounded(now.outside), "probability", look.LIGHT))
    return tiles


def _say_probabilities(now):
    """Say who stands out, what the intruder believes, and whether it is so."""
    record = now.risk.records.iloc[now.target]
    who = now.risk.explain(now.target, counts=False)
    if record.highest <= now.risk.threshold:
        belief = "No probability exceeds the threshold, so the intruder believes in no match."
    elif not record.I:
        belief = "The intruder is sure, and wrong."
    elif record.c == 1:
        belief = "The intruder is sure, and right."
    else:
        belief = f"The intruder is sure, and a guess is right one time in {int(record.c):,}."
    return f"{who} {belief}"


def probabilities(risk, i: int) -> look.Standing:
    """Picture who target i could be; `risk` comes from `intruder_risk`."""
    return probabilities_picture.show(likeliest(risk, i))


# ---------------------------------------------------------------------- the three risks
def _risk_tiles(perceived, expected, true, baselines):
    """Return the three risks; the expected one beside what it is compared with."""
    floor, confidential = baselines.expected[["floor", "confidential"]]
    compared = f"floor {rounded(floor)}, confidential {rounded(confidential)}"
    return [
        Tile("perceived", f"{perceived:,.0f}", "matches believed in", look.ORANGE),
        Tile("expected correct", rounded(expected), compared, look.BLUE),
        Tile("true", rounded(true), "correct, alone on top", look.GREEN),
    ]


def _say_belief(perceived, expected):
    """Say how far what the intruder believes is from what is correct."""
    if perceived == 0:
        return "The intruder believes in no match, because no probability exceeds the threshold."
    if expected == 0:
        return "The intruder believes in matches, and no guess is correct."
    if perceived > FAR_MORE * expected:
        ratio = rounded(perceived / expected)
        return f"The intruder believes in {ratio} matches for each guess that is correct."
    if expected > FAR_MORE * perceived:
        return (
            "More guesses are correct than the intruder believes in: the likeliest record may be "
            "the true one although its probability is low."
        )
    return (
        "The intruder believes in about as many matches as guesses are correct; they need not be "
        "the same people."
    )


@picture(height=2.7, touch="Click the curve to move the threshold there.")
def threshold_picture(ax, thresholds, most, baselines):
    """Draw the three risks against the threshold.

    The axis has room for `most` targets; up to 1 it is even, above each line is about three times
    as many, so that a handful of correct guesses can be told from hundreds of believed ones.
    """
    look.tidy(
        ax,
        "What the intruder believes, and what is correct",
        "threshold that a probability must exceed",
        "number of targets",
        grid="y",
        xlim=(thresholds[0] - 0.02, thresholds[-1] + 0.02),
    )
    ax.set_yscale("symlog", linthresh=1, linscale=0.4)
    ax.set_ylim(-0.25, 2.6 * most)
    ticks = [tick for tick in (0, 1, 3, 10, 30, 100, 300, 1000, 3000) if tick <= 2.6 * most]
    ax.set_yticks(ticks, [f"{tick:,}" for tick in ticks])
    ax.minorticks_off()
    for name in ("confidential", "floor"):
        style = look.LINES[name]
        height = baselines.expected[name]
        ax.axhline(height, **style)
    room = {"away": (6, 0), "alpha": 0}  # for the names, which may move
    look.label(ax, ax.get_xlim()[1], 1, "confidential", **room)

    def move(now):
        row = now.table.loc[now.threshold]
        for name, style in RISKS.items():
            ax.plot(now.table.index, now.table[name], color=style["color"], linewidth=2.2)
        _name_risks(ax, now.table, now.baselines)
        at = row.perceived
        ax.vlines([now.threshold], 0, at, color=look.ORANGE, linewidth=1)
        ax.plot([now.threshold], [at], clip_on=False, **look.NOW)
        words = [_threshold_in_words(*one) for one in now.table.itertuples(name=None)]
        marks = columns(ax, now.table.index, now.table.perceived, words, "threshold")
        tiles = _risk_tiles(*row[list(RISKS)], now.baselines)
        return Shown(_say_threshold(now, row), tiles, marks)

    return move


def _name_risks(ax, table, baselines):
    """Write the names of the lines: that of the falling one above it, the others at their ends."""
    first = table.index[0]
    name = "perceived: matches believed in"
    how = {"va": "bottom", "away": (9, 3), "bbox": look.ON_PAPER}
    look.label(ax, first, table.perceived.iloc[0], name, look.ORANGE, **how)
    heights = baselines.expected.to_dict() | table[["expected", "true"]].iloc[-1].to_dict()
    styles = look.LINES | RISKS
    look.name_ends(ax, [(height, name, styles[name]["color"]) for name, height in heights.items()])


def _threshold_in_words(threshold, perceived, expected, _true):
    """Read one threshold."""
    believed = counted(perceived, "match", "matches")
    return f"threshold {say(threshold)}\n{believed} believed in\n{rounded(expected)} correct"


def _say_threshold(now, row):
    """Say what the intruder believes, and what is wrong with what they know."""
    words = f"{counted(now.m, 'file', 'files')}, threshold {say(now.threshold)}: "
    belief = _say_belief(row.perceived, row.expected)
    words += belief[0].lower() + belief[1:]
    if now.wrong:
        words += f" For {now.wrong} % of the targets, what they hold is wrong."
    return words


SHIFTS = {"perceived": -0.24, "expected": 0.0, "true": 0.24}  # of a row's three marks


@picture(height=3.0, touch="Click a row to choose what the intruder knows.")
def knowledge_picture(ax, levels, top, baselines):
    """Draw the three risks for every kind of knowledge, a row each, up to `top` targets.

    A mark is the mean of the runs; the bar behind it reaches from the lowest to the highest run.
    """
    title = "What the intruder believes, and what is correct: means and range of the runs"
    look.tidy(ax, title, "number of targets", grid="x", xlim=(-0.01 * top, top))
    ax.set_ylim(len(levels) - 0.5, -1.05)
    ax.set_yticks(range(len(levels)), levels, color=look.DARK)
    ax.tick_params(axis="y", length=0)
    ax.hlines(np.arange(len(levels) + 1) - 0.5, *ax.get_xlim(), color=look.SOFT, linewidth=0.8)
    for name, side in {"confidential": -1, "floor": 1}.items():
        style = look.LINES[name]
        place = baselines.expected[name]
        ax.axvline(place, **style)
        how = {"ha": "left" if side > 0 else "right", "va": "center", "away": (5 * side, 0)}
        look.label(ax, place, -0.8, f"{name} {rounded(place)}", style["color"], **how)

    def move(now):
        ax.axhspan(now.step - 0.5, now.step + 0.5, facecolor=look.ORANGE, alpha=0.12)
        for name, style in RISKS.items():
            risk = now.risks[name]
            rows = np.arange(len(risk)) + SHIFTS[name]
            color = style["color"]
            ax.hlines(rows, risk["min"], risk["max"], color=color, linewidth=3.5, alpha=0.35)
            ax.plot(risk["mean"], rows, linestyle="none", markersize=6.5, **style)
        _name_first_row(ax, now.risks.iloc[0])
        row = now.risks.iloc[now.step]
        risks = (row[name, "mean"] for name in RISKS)
        tiles = _risk_tiles(*risks, now.baselines)
        return Shown(_say_knowledge(now, row), tiles, _marks_of_rows(ax, now))

    return move


def _name_first_row(ax, row):
    """Write beside the marks of the first row what they are, on the side where there is more room.

    What stands on the right begins behind all bars of that side, so no name lies on a bar.
    """
    middle = np.mean(ax.get_xlim())
    ends = [row[name, "max"] for name in RISKS]
    behind = max([end for end in ends if end < middle], default=middle)
    for name, style in RISKS.items():
        is_left = row[name, "max"] < middle
        side = {"ha": "left" if is_left else "right", "va": "center"}
        end = behind if is_left else row[name, "min"]
        away = (7 if is_left else -7, -17 * SHIFTS[name])  # names need more room than marks
        look.label(ax, end, SHIFTS[name], name, style["color"], away=away, **side)


def _marks_of_rows(ax, now):
    """Return a mark for every row, its name included; a click chooses what the intruder knows."""
    top = ax.get_xlim()[1]
    marks = []
    for step, (name, row) in enumerate(now.risks.iterrows()):
        expected = row["expected"]
        words = (
            f"{name}\nbelieves in {row['perceived', 'mean']:.0f}\n"
            f"{expected['mean']:.0f} correct ({expected['min']:.0f} to {expected['max']:.0f})"
        )
        box = (-0.25 * top, step - 0.5, top, step + 0.5)
        marks.append(Mark(ax, expected["mean"], step, words, {"step": step}, box))
    return marks


def _say_knowledge(now, row):
    """Say what one kind of knowledge lets an intruder believe, and find."""
    expected = row["expected"]
    belief = _say_belief(row["perceived", "mean"], expected["mean"])
    return (
        f"The intruder knows: {row.name}, with m = {now.m} files. {belief} In single runs "
        f"{expected['min']:.0f} to {expected['max']:.0f} guesses are correct; the numbers above "
        f"are means of {now.runs} runs."
    )


def knowledge(results: pd.DataFrame, means: pd.DataFrame, baselines: pd.DataFrame) -> look.Standing:
    """Picture the expected match risk of every run, by what the intruder knows and by m.

    `results` has the columns knows, m and expected, a row for each run; `means` their means by
    knows and m.
    """
    figure, ax = look.figure(3.4)
    files = sorted(results.m.unique())
    levels = results.knows.unique()
    boxes = {name: value for name, value in look.BOXES.items() if name != "width"}
    boxes |= {"palette": [look.GREEN] * len(files), "width": 0.75, "gap": 0.15, "legend": False}
    del boxes["color"]
    look.boxplot(ax, results, x="knows", y="expected", hue="m", **boxes)
    shifts = 0.75 * ((np.arange(len(files)) + 0.5) / len(files) - 0.5)
    ax.set_xticks(np.add.outer(np.arange(len(levels)), shifts).ravel(), files * len(levels))
    below = {"ha": "center", "va": "top", "annotation_clip": False}
    for place, name in enumerate(levels):
        two_lines = name.replace(" (", "\n(", 1)
        look.label(ax, place, 0, two_lines, away=(0, -22), **below)
    look.label(ax, -0.5, 0, "m =", look.GREY, away=(-4, -5), **below | {"ha": "right"})
    floor, confidential = baselines.expected[["floor", "confidential"]]
    ax.axhline(floor, **look.FLOOR)
    ax.set(xlim=(-0.5, len(levels) - 0.5), ylim=(0, 1.1 * results.expected.max()))
    look.tidy(ax, "Correct guesses: a box for the runs", "", "expected match risk", grid="y")
    ax.tick_params(axis="x", length=0)
    right = {"ha": "right", "va": "bottom"}
    look.label(ax, len(levels) - 0.5, floor, "floor", look.WINE, away=(0, 2), **right)
    ends = {"lowest mean": means.expected.idxmin(), "highest mean": means.expected.idxmax()}
    tiles = [
        Tile(label, rounded(means.expected[end]), _kind_and_files(end), look.GREEN)
        for label, end in ends.items()
    ]
    tiles.append(Tile("floor", rounded(floor), "by what is known", look.WINE))
    tiles.append(Tile("confidential", rounded(confidential), "above the picture"))
    listed = "; ".join(f"{_kind_and_files(end)}: {one:.0f}" for end, one in means.expected.items())
    return look.show(figure, f"Boxplots of correct guesses in each run; means: {listed}.", tiles)


def _kind_and_files(end):
    """Say what an intruder knows, and how many files there are."""
    name, m = end
    return f"{name}, m = {m}"


# Of each kind: its look, and where its name stands beside the point with the fewest files.
KINDS = {
    "nothing (mode)": ({"color": look.ORANGE, "marker": "s", "fillstyle": "none"}, (0, -16)),
    "nothing (averaged)": ({"color": look.ORANGE, "marker": "s"}, (0, -16)),
    "models (drawn β)": ({"color": look.BLUE, "marker": "o", "fillstyle": "none"}, (-11, -2)),
    "models (mean β)": ({"color": look.BLUE, "marker": "o"}, (24, -48)),
    "f(β) (drawn)": ({"color": look.GREEN, "marker": "^", "fillstyle": "none"}, (-11, 0)),
    "f(β) (mode)": ({"color": look.GREEN, "marker": "^"}, (-11, 2)),
}


def calibration(means: pd.DataFrame, baselines: pd.DataFrame) -> look.Standing:
    """Picture what intruders believe against what is right, a point for each m.

    `means`, by knows (all `KINDS`, or some) and m, has the columns believed (the sum of the highest
    probabilities) and expected (the correct matches).
    """
    figure, ax = look.figure(3.4)
    right = 1.1 * means.believed.max()
    top = 1.3 * means.expected.max()
    ax.set(xlim=(0, right), ylim=(0, top))
    title = "Correct guesses, and how many an intruder expects"
    look.tidy(ax, title, "correct guesses the intruder expects", "correct guesses", grid="y")
    ax.plot([0, top], [0, top], **DASHED)
    diagonal = {"ha": "left", "va": "center"}
    look.label(ax, 0.97 * top, 0.95 * top, "as many as expected", away=(6, 0), **diagonal)
    floor = baselines.expected["floor"]
    ax.axhline(floor, **look.FLOOR)
    edge = {"ha": "right", "va": "bottom", "away": (0, 2)}
    look.label(ax, right, floor, f"floor {rounded(floor)}", look.WINE, **edge)
    kinds = means.index.unique(0)
    for name, (style, away) in KINDS.items():
        if name not in kinds:
            continue
        points = means.loc[name]
        ax.plot(points.believed, points.expected, linestyle="none", markersize=9, **style)
        side = "center" if away[0] == 0 else "left" if away[0] > 0 else "right"
        how = {"away": away, "ha": side, "va": "center"}
        if abs(away[1]) > 20:  # so far that only a line tells whose name it is
            how["arrowprops"] = {"arrowstyle": "-", "color": look.LIGHT, "relpos": (0, 1)}
        look.label(ax, *points[["believed", "expected"]].iloc[0], name, style["color"], **how)
    above = {"away": (0, 9), "ha": "center"}
    if "nothing (averaged)" in kinds:
        for m, point in means.loc["nothing (averaged)", ["believed", "expected"]].iterrows():
            look.label(ax, *point, f"m = {m}", look.ORANGE, **above)
    per_correct = means.believed / means.expected
    tiles = []
    for end in (per_correct.idxmax(), per_correct.idxmin()):
        number = rounded(per_correct[end])
        tiles.append(Tile(_kind_and_files(end), number, "expected per correct guess"))
    listed = "; ".join(
        f"{_kind_and_files(end)}: {row.believed:.0f} expected, {row.expected:.0f} correct"
        for end, row in means.iterrows()
    )
    return look.show(figure, f"A point for each kind of knowledge and each m. {listed}.", tiles)


# -------------------------------------------------------------- perhaps not in the file
POPULATION_LINES = {
    "census": ({"color": look.BLUE, "linewidth": 2.2}, "by census"),
    "weights": ({"color": look.GREEN, "linewidth": 2.2, "linestyle": "-."}, "by weights"),
    "outside": ({"color": look.DARK, "linewidth": 2.2, "linestyle": "--"}, "not in the file"),
}


@picture(height=3.0, rect=(0, 0, 0.88, 1), touch="Click a curve to move the fraction there.")
def population_picture(ax):
    """Draw the probabilities of a target that may not be in the file."""
    look.tidy(
        ax,
        "How likely is the likeliest record if the target may not be in the file?",
        "share of the population that is in the file (%)",
        "probability",
        grid="y",
        xlim=(0, 101),
        ylim=(-0.03, 1.06),
    )

    def move(now):
        here = now.curve.loc[now.fraction]
        percent = 100 * now.curve.index
        for name, (style, _) in POPULATION_LINES.items():
            ax.plot(percent, now.curve[name], clip_on=False, **style)
            ax.plot([100 * now.fraction], [here[name]], clip_on=False, **look.NOW)
        _name_curves(ax, now.curve)
        words = [_fraction_in_words(fraction, one) for fraction, one in now.curve.iterrows()]
        fractions = [float(fraction) for fraction in now.curve.index]
        marks = columns(ax, percent, now.curve.census, words, "fraction", fractions)
        tiles = [
            Tile("by census", rounded(here.census), "likeliest record", look.BLUE),
            Tile("by weights", rounded(here.weights), "likeliest record", look.GREEN),
            Tile("not in the file", rounded(here.outside), "by census"),
        ]
        return Shown(_say_population(now), tiles, marks)

    return move


def _name_curves(ax, curve):
    """Write the names of the curves beside their ends, above each other where they meet."""
    ends = []
    for name in ("outside", "weights", "census"):
        style, text = POPULATION_LINES[name]
        ends.append((curve[name].iloc[-1], text, style["color"]))
    look.name_ends(ax, ends)


def _fraction_in_words(fraction, chances):
    """Read one sampling fraction."""
    return (
        f"{say(100 * fraction)} % are in the file\nby census {rounded(chances.census)}\n"
        f"by weights {rounded(chances.weights)}\nnot in the file {rounded(chances.outside)}"
    )


def _say_population(now):
    """Say what the two intruders count on."""
    fits = counted(now.N_t, "person of the population fits", "people of the population fit")
    return (
        f"{fits} target {now.target}, and {say(100 * now.fraction)} % of all people are in the "
        "file. An intruder with the census counts everybody who fits, in the file or not; by "
        f"weights every record in the file stands for {rounded(1 / now.fraction)}."
    )
