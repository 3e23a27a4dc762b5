"""Pictures of matching: one target, and a whole file; `radius` draws what a radius does."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import (
    Mark,
    Shown,
    Tile,
    candidates_tile,
    columns,
    dots,
    own_record_tile,
    picture,
)
from synthrisk_edu.words import listing, rounded, say

SUMMARIES = ("expected_match_risk", "true_match_rate", "false_match_rate")
SUMMARY_TITLES = {name: name.replace("_", " ") for name in SUMMARIES}
RISKIER = dict.fromkeys(SUMMARIES, "higher is riskier") | {"false_match_rate": "lower is riskier"}
BINS = {"0": 0, "1": 1, "2": 2, "3–5": 5, "6–10": 10, "11–100": 100, "101–1,000": 1000}
BINS |= {"more": np.inf}  # the most candidates in each


# ------------------------------------------------------------------- facts, one by one

SHORTEST = 0.04  # lets the bar of a single person be seen although log10(1) is 0
BARS_END = 0.88  # of the width: beyond it stand the numbers
LETTER = 0.081  # inches


@picture(height=3.0, touch="Click a fact: the intruder then knows everything down to it.")
def narrowing_picture(ax, facts, n):
    """A bar for the people who still fit after each fact; `facts` names those to be learnt, of n.

    The scale is logarithmic: ten times fewer people make a bar shorter by always the same step.
    """
    title = "How many people still fit? (where ten times fewer fit, a bar is one step shorter)"
    rows = len(facts) + 1
    right = (np.log10(n) + SHORTEST) / BARS_END
    look.tidy(ax, title, "", "facts learnt", xlim=(0, right), xticks=[])
    ax.set(ylim=(rows - 0.5, -0.55), yticks=range(rows))
    ax.tick_params(axis="y", length=0)
    ax.spines[:].set_visible(False)

    def move(steps):
        for y, (fact, left) in enumerate(zip(steps.fact, steps.left, strict=True)):
            _draw_row(ax, y, fact, left)
            is_first_alone = left == 1 and steps.left.iloc[y - 1] > 1
            number = "unique: 1" if is_first_alone else f"{left:,}"
            color = look.ORANGE if left == 1 else look.DARK
            _write(ax, right, y, number, color, size=look.NORMAL, weight="bold", ha="right")
        for y in range(len(steps), rows):
            _write(ax, 0, y, facts[y - 1], look.GREY)
        return Shown(_say_narrowing(steps), _narrowing_tiles(steps), _rows(ax, steps, facts))

    return move


def _draw_row(ax, y, fact, left):
    """Draw the bar of a fact, with its name inside, or beyond its end where it is too short."""
    end = np.log10(left) + SHORTEST
    color = look.ORANGE if left == 1 else look.BLUE
    ax.barh([y], [end], color=color, alpha=0.18, height=0.8)
    ax.plot([end, end], [y - 0.4, y + 0.4], color=color, linewidth=4, solid_capstyle="butt")
    width = ax.figure.get_figwidth() - 0.8  # inches: without the words on the left
    fits = LETTER * len(fact) < width * end / ax.get_xlim()[1]
    _write(ax, 0 if fits else end, y, fact, look.DARK)


def _write(ax, x, y, text, color, **how):
    """Write words in a row, or at its right end."""
    away = -2 if how.get("ha") == "right" else 8
    look.label(ax, x, y, text, color, away=(away, 0), va="center_baseline", **how)


def _narrowing_tiles(steps):
    """Return how many facts are known, how many people still fit, and what a guess is worth."""
    left = steps.left.iloc[-1]
    color = look.ORANGE if left == 1 else look.BLUE
    return [
        Tile("facts", str(len(steps) - 1), "the intruder knows"),
        Tile("still fit", f"{left:,}", f"of {steps.left.iloc[0]:,} people", color),
        Tile("a guess", f"1 in {left:,}", "chance to be right"),
    ]


def _rows(ax, steps, facts):
    """Return a mark for every fact, known or not; a click learns all facts down to it."""
    left, right = ax.get_xlim()
    made = []
    for y in range(len(facts) + 1):
        if y < len(steps):
            words = f"{steps.fact.iloc[y]}\n{steps.left.iloc[y]:,} of {steps.left.iloc[0]:,} fit"
        else:
            words = f"{facts[y - 1]}\nnot learnt yet"
        box = (left, y + 0.5, right, y - 0.5)
        made.append(Mark(ax, right / 2, y, words, {"facts": y}, box))
    return made


def _say_narrowing(steps):
    """Say what the last fact did."""
    left = steps.left.iloc[-1]
    known = len(steps) - 1
    if known == 0:
        return f"Knowing nothing, the intruder faces all {left:,} people."
    before = steps.left.iloc[-2]
    fact = steps.fact.iloc[-1]
    if before == 1:
        enough = int((steps.left > 1).sum())
        return (
            f"With {enough} fact{'s' if enough > 1 else ''} nobody else was left. This combination "
            f"is unique in the file, and to learn {fact} as well changes nothing."
        )
    if left == 1:
        return (
            f"Of the {before:,} people who fitted before, nobody else has {fact}: this "
            "combination of facts is unique in the file."
        )
    if left == before:
        all_left = "both" if left == 2 else f"all {left:,}"
        return f"The last fact, {fact}, tells the intruder nothing: {all_left} people share it."
    return (
        f"The last fact, {fact}, leaves {left:,} of the {before:,} people who fitted before. "
        "To this intruder they all look alike."
    )


def narrowing(steps: pd.DataFrame) -> look.Standing:
    """Picture how many people are left after each fact; `steps` comes from `narrow_down`."""
    return narrowing_picture.show(steps, list(steps.fact[1:]), steps.left[0])


# ------------------------------------------------------------------- one target

OWN = 1.85  # inches, on the left: the place of the target's own record
EMPTY = 2.0  # inches: a field without anybody
LARGEST = 1.4  # inches: the place of each candidate where there are few
NAMED = 0.55  # inches: a place in which a record's name has room
DRAWN = 10_000  # candidates at most
TOUCHED = 420  # a crowd of more is one mark: nobody can be pointed at


@picture(height=2.6, touch="Click a circle to make that person the target.")
def lineup_picture(ax):
    """All candidates for a target in one field; the target's own record stands in it or beside.

    Lengths are in inches. The fewer candidates there are, the larger they are drawn.
    """
    look.tidy(ax, "The line-up: every record in the blue field fits what the intruder knows")
    width, height = ax.figure.get_size_inches() - (0.15, 0.4)  # without edges and title
    ax.set(xlim=(0, width), ylim=(height, 0), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)

    def move(now):
        others = now.candidates[now.candidates != now.target][:DRAWN]
        is_found = now.target in now.candidates
        x, y, side = _places(len(others), width - OWN, height)
        x = x + OWN
        y = y - (0.08 if side >= NAMED else 0)  # there are names below
        _draw_field(ax, height, 0.0 if is_found else OWN, _end(x, side, is_found))
        if not len(now.candidates):
            middle = {"ha": "center", "va": "center", "size": look.NORMAL}
            look.label(ax, OWN + EMPTY / 2, height / 2, "no record fits", look.GREY, **middle)
        own = _draw_own(ax, height, is_found)
        size = max(1.5, 72 * 0.62 * side)  # points
        ax.plot(x, y, **look.CANDIDATE | {"markersize": size, "markeredgewidth": 0})
        if side >= NAMED:
            _name_candidates(ax, now.match, others, x, y, size / 2)
        marks = _marks(ax, now, own, others, x, y)
        words = now.match.explain(now.target, counts=False)
        if len(others) < len(now.candidates) - is_found:
            words += f" ({DRAWN:,} of them are drawn.)"
        return Shown(words, target_tiles(now.match, now.target), marks)

    return move


def _places(number, width, height):
    """Return where so many candidates stand, row by row, and how much room each of them has."""
    if not number:
        return np.array([]), np.array([]), LARGEST
    rows = np.arange(1, 200)
    sides = np.minimum(height / rows, (width - 0.1) / np.ceil(number / rows))
    best = np.argmax(np.minimum(sides, LARGEST))
    side = min(sides[best], LARGEST)
    in_a_row = int(np.ceil(number / rows[best]))
    place = np.arange(number)
    top = (height - side * rows[best]) / 2
    return 0.05 + side * (place % in_a_row + 0.5), top + side * (place // in_a_row + 0.5), side


def _end(x, side, is_found):
    """Return where the field ends."""
    if len(x):
        return x.max() + side / 2 + 0.05
    return OWN if is_found else OWN + EMPTY


def _draw_field(ax, height, left, right):
    """Draw the field of the candidates."""
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle((left, 0), right - left, height, **look.RANGE))


def _draw_own(ax, height, is_found):
    """Draw the target's own record, filled if it fits, and return where it stands."""
    x = 0.47 * OWN
    y = 0.44 * height
    fill = "full" if is_found else "none"
    large = {"markersize": 48, "markeredgewidth": 4, "fillstyle": fill}
    ax.plot([x], [y], **look.TRUE_RECORD | large)
    fits = "fits" if is_found else "does not fit"
    below = {"ha": "center", "va": "top"}
    text = f"the target's own\nrecord {fits}"
    look.label(ax, x, y, text, away=(0, -31), **below)
    return x, y


def _name_candidates(ax, match, others, x, y, radius):
    """Write below each candidate which record it is, if that is short."""
    for j, left, top in zip(others, x, y, strict=True):
        name = str(match.confidential.index[j])
        if len(name) <= 8:
            below = {"ha": "center", "va": "top"}
            look.label(ax, left, top, name, look.GREY, away=(0, -radius - 3), **below)


def _marks(ax, now, own, others, x, y):
    """Return a mark for the target's own record and for every other candidate, or for the crowd."""
    if len(others) > TOUCHED:
        crowd = (
            f"{len(others):,} other candidates\nnothing that this intruder knows tells them apart"
        )
        (read,) = _read(now, [now.target])
        box = (x.min(), y.max(), x.max(), y.min())
        middle = (x.mean(), y.mean())
        return [Mark(ax, *own, read), Mark(ax, *middle, crowd, box=box)]
    read = _read(now, [now.target, *others])
    marks = [Mark(ax, *own, read[0])]
    return marks + dots(ax, x, y, read[1:], "target", [int(j) for j in others])


def _read(now, places):
    """Read some records: what was published, and beside it what is true where that differs."""
    names = list(now.variables)
    words = labels(names, now.match.confidential).values()
    files = now.match.confidential, now.match.synthetic
    true, published = (file[names].iloc[places].astype(object).to_numpy() for file in files)
    read = []
    for row, j in enumerate(places):
        whose = "the target's own" if j == now.target else "a candidate"
        facts = []
        for word, is_so, is_said in zip(words, true[row], published[row], strict=True):
            differs = "" if say(is_so) == say(is_said) else f" (true: {say(is_so)})"
            facts.append(f"{word} {say(is_said)}{differs}")
        read.append(f"record {now.match.confidential.index[j]}, {whose}\n{', '.join(facts)}")
    return read


def in_lineup(match, i, variables):
    """Return what the line-up of target i shows; of each record these variables are read."""
    candidates = np.flatnonzero(match.matches(i))
    return SimpleNamespace(match=match, target=i, candidates=candidates, variables=variables)


def lineup(match, i: int) -> look.Standing:
    """Picture every candidate for target i, and the true record among them or beside them."""
    return lineup_picture.show(in_lineup(match, i, match.known + match.synthesized))


def target_tiles(match, i):
    """Return c, T and the risk of target i as tiles."""
    record = match.records.iloc[i]
    c = int(record.c)
    T = int(record["T"])
    own = "own record among them" if T else "own record not among them"
    chance = f"1 in {c:,}" if T else "0"
    right = "chance of a correct guess" if T else "no guess can be correct"
    return [
        candidates_tile(c),
        own_record_tile(T, own),
        Tile("risk T/c", chance, right),
    ]


# ------------------------------------------------------------------- a whole file


def of_files(matches):
    """Return what the picture of a whole file shows of "confidential", "synthetic" and "floor".

    `counts` says how many people have 0, 1, 2, 3 to 5, … candidates, see `BINS`.
    """
    edges = [most + 0.5 for most in BINS.values()]
    counts = {}
    for name, match in matches.items():
        place = np.searchsorted(edges, match.records.c)
        counts[name] = np.bincount(place, minlength=len(BINS))
    summaries = {name: match.summary() for name, match in matches.items()}
    return SimpleNamespace(matches=matches, counts=counts, summaries=summaries)


@picture(height=3.0, touch="Point at a bar to compare the two files.")
def file_picture(ax, n):
    """How many of n people have 0, 1, 2, … candidates: bars, and lines for the confidential file.

    Each step upwards is ten times as many people, so that a handful of uniques can be seen.
    """
    look.tidy(
        ax, "How many candidates do people have? (log scale)", "number of candidates c", yticks=[]
    )
    ax.set(xlim=(-0.5, len(BINS) - 0.5), ylim=(-look.FOOT, np.log10(n) + 0.35))
    ax.set_xticks(range(len(BINS)), BINS)
    ax.tick_params(axis="x", length=0)
    ax.spines["left"].set_visible(False)
    key = {"xycoords": "axes fraction", "va": "bottom", "ha": "right"}
    look.label(ax, 0.68, 1.02, "bars: synthetic file", look.GREEN, **key)
    look.label(ax, 1, 1.02, "dashed lines: confidential file", look.DARK, **key)

    def move(now):
        _draw_people(ax, now.counts["synthetic"], now.counts["confidential"])
        three = [now.summaries[name] for name in ("synthetic", "confidential", "floor")]
        return Shown(_say_file(now), summary_tiles(*three), _bins(ax, now.counts))

    return move


WIDE = 0.7  # of the place of a bar


def _draw_people(ax, synthetic, confidential):
    """Draw bars for the synthetic file, with numbers, and lines for the confidential one."""
    places = np.arange(len(BINS))
    bar = _heights(synthetic)
    some = synthetic > 0
    height = bar[some] + look.FOOT
    look.bars(ax, places[some], height, WIDE, -look.FOOT, **look.BARS["synthetic"])
    line = _heights(confidential)
    some = confidential > 0
    half = WIDE / 2 + 0.05
    style = look.LINES["confidential"] | {"linewidth": 2.4, "linestyle": (0, (3, 1))}
    ax.hlines(line[some], places[some] - half, places[some] + half, **style)
    has_room = line - bar > 0.12 * np.ptp(ax.get_ylim())  # for the number, below the line
    tops = np.where(has_room, bar, np.maximum(bar, line))
    for x, number, top in zip(places, synthetic, tops, strict=True):
        color = look.GREEN if number else look.GREY
        weight = "bold" if number else "normal"
        above = {"ha": "center", "va": "bottom", "size": look.NORMAL, "weight": weight}
        look.label(ax, x, top, f"{number:,}", color, away=(0, 4), **above)


def _heights(counts):
    """Return how high the bars of so many people reach; nobody has none."""
    return np.where(counts > 0, np.log10(np.maximum(counts, 1)), -look.FOOT)


def _bins(ax, counts):
    """Return a mark for every number of candidates, which reads both files."""
    bottom, top = ax.get_ylim()
    made = []
    for place, name in enumerate(BINS):
        c = "1 candidate" if name == "1" else f"{name} candidates"
        c = "more than 1,000 candidates" if name == "more" else c
        lines = [f"people with {c}:"]
        for file in ("confidential", "synthetic"):
            lines.append(f"{counts[file][place]:,} in the {file} file")
        words = "\n".join(lines)
        box = (place - 0.5, bottom, place + 0.5, top)
        made.append(Mark(ax, place, bottom, words, box=box))
    return made


def summary_tiles(now, before, floor):
    """Return the three summaries of a file, beside those of the confidential file and the floor."""
    s = round(now.unique_matches)
    false = "–" if s == 0 else f"{rounded(100 * now.false_match_rate)} %"
    of = "no unique match" if s == 0 else f"{round(s * now.false_match_rate)} of {s:,} unique"
    risk, confidential, lowest = (rounded(one.expected_match_risk) for one in (now, before, floor))
    rates = [f"{rounded(100 * one.true_match_rate)} %" for one in (now, before)]
    compared = f"{confidential} before, floor {lowest}"
    return [
        Tile("expected match risk", risk, compared, look.GREEN),
        Tile("true match rate", rates[0], f"{rates[1]} before", look.GREEN),
        Tile("false match rate", false, of, look.GREEN),
    ]


def say_unique(summary):
    """Say how many unique matches there are, and how many of them are false."""
    s = round(summary.unique_matches)
    if s == 0:
        return "Nobody has a unique match, so the false match rate is undefined."
    false = round(s * summary.false_match_rate)
    if s == 1:
        return f"1 person has a unique match, and it is {'false' if false else 'true'}."
    if false == 0:
        return f"{s:,} people have a unique match, and all of these matches are true."
    if false == s:
        return f"{s:,} people have a unique match, and all of these matches are false."
    return f"{s:,} people have a unique match, and {false:,} of these matches are false."


def _say_file(now):
    """Say what the intruder matches on, and who is the floor."""
    asked = now.matches["synthetic"]
    variables = asked.known + asked.synthesized
    first = plain_names(variables, asked.confidential)
    then = labels(variables, asked.confidential)
    used = {"": asked.known, "the synthesized ": asked.synthesized}
    parts = [how + listing(first[name] for name in names) for how, names in used.items() if names]
    floor = (
        f"The floor is the intruder who matches on {listing(then[n] for n in asked.known)} alone."
    )
    if not asked.known:
        floor = "The floor is the intruder who points at anybody."
    if not asked.synthesized:
        floor = "None of these is synthesized, so the floor is as high."
    return (
        f"This intruder tries all {len(asked.records):,} people and matches on "
        f"{', and on '.join(parts)}. {floor} {say_unique(now.summaries['synthetic'])}"
    )


def whole_file(matches) -> look.Standing:
    """Picture how many candidates everybody has, with the three summaries above it.

    `matches` is a mapping from "confidential", "synthetic" and "floor" to a Match each.
    """
    return file_picture.show(of_files(matches), len(matches["confidential"].records))


# ------------------------------------------------------------------- a share of a file


def at_share(curve, share, floor):
    """Return what the picture shows at one share; `floor` is a summary, `curve` a `share_curve`."""
    now = curve[np.isclose(curve.share, share)].iloc[0]
    return SimpleNamespace(now=now, start=curve.iloc[0], floor=floor)


@picture(
    height=3.3,
    mosaic=[["risk", "true"], ["risk", "false"]],
    width_ratios=[2.1, 1],
    touch="Click a curve to redraw that share of the records.",
)
def share_picture(axes, curve, floor):
    """The expected match risk against the share of records redrawn, and both rates beside it.

    `floor` is the summary of the intruder who ignores what was synthesized.
    """
    places = list(axes.values())
    marks = []
    for ax, key in zip(places, SUMMARIES, strict=True):
        marks += _draw_curve(ax, key, curve, floor)
    axes["true"].set_xlabel("")
    _name_curves(axes["risk"], curve, floor)

    def move(now):
        share = round(100 * now.now.share)
        for ax, key in zip(places, SUMMARIES, strict=True):
            ax.plot([share], [PER[key] * now.now[key]], clip_on=False, **look.NOW)
        return Shown(_say_share(now), summary_tiles(now.now, now.start, now.floor), marks)

    return move


PER = dict.fromkeys(SUMMARIES, 100) | {"expected_match_risk": 1}  # rates are shown in per cent
HINTS = {"true_match_rate": (0.98, 0.7), "false_match_rate": (0.98, 0.1)}  # where curves are not


def _draw_curve(ax, key, curve, floor):
    """Draw one summary against the share, with both lines, and return a mark for every share."""
    percent = 100 * curve.share
    values = PER[key] * curve[key]
    lowest = PER[key] * floor[key]
    name = SUMMARY_TITLES[key]
    is_rate = key in HINTS
    title = "Expected match risk: how many guesses are correct"
    if is_rate:
        title = f"{name.capitalize()} (%)"
        how = {"xycoords": "axes fraction", "ha": "right"}
        look.label(ax, *HINTS[key], RISKIER[key], look.GREY, **how)
    top = max(np.nan_to_num(values.max()), np.nan_to_num(lowest), 1e-9)
    look.tidy(ax, title, "records redrawn (%)", grid="y", xlim=(-3, 103), ylim=(0, 1.15 * top))
    ax.locator_params(axis="y", nbins=3 if is_rate else 6)
    ax.plot(percent, values, **look.LINES["synthetic"])
    ax.axhline(values.iloc[0], **look.LINES["confidential"])
    ax.axhline(lowest, **look.FLOOR)
    unit = " %" if is_rate else ""
    words = []
    for p, value in zip(percent, values, strict=True):
        read = "undefined" if np.isnan(value) else f"{rounded(value)}{unit}"
        words.append(f"{p:.0f} % redrawn\n{name} {read}")
    values = values.fillna(0)  # a click there is one as well
    return columns(ax, percent, values, words, "percent", [round(p) for p in percent])


def _name_curves(ax, curve, floor):
    """Write what the curve and the two lines are, where they leave room."""
    risk = curve.expected_match_risk
    third = len(curve) // 3
    look.label(ax, 100, risk.iloc[0], "confidential file", away=(0, 5), ha="right")
    on_grid = {"bbox": look.ON_PAPER, "va": "top"}
    place = (0, floor.expected_match_risk)
    text = "floor: the synthesized facts are ignored"
    look.label(ax, *place, text, look.WINE, away=(0, -6), **on_grid)
    place = (100 * curve.share.iloc[third], risk.iloc[third])
    look.label(ax, *place, "synthetic file", look.GREEN, away=(10, 4))


def _say_share(now):
    """Say how far down to the floor the risk has come, and what happened to unique matches."""
    share = round(100 * now.now.share)
    unique = say_unique(now.now)
    if share == 0:
        return f"No record is redrawn yet: this is the confidential file. {unique}"
    fall = now.start.expected_match_risk - now.floor.expected_match_risk
    if not fall > 0:
        return (
            f"With {share} % of the records redrawn the risk cannot fall: it is the floor. {unique}"
        )
    way = (now.start.expected_match_risk - now.now.expected_match_risk) / fall
    whole = f"has come {100 * way:.0f} % of the way from the confidential file down to the floor"
    reached = "has come down to the floor, give or take chance" if way > 0.99 else whole
    return f"With {share} % of the records redrawn, the expected match risk {reached}. {unique}"


def share(curve: pd.DataFrame, floor) -> look.Standing:
    """Picture the three summaries against the share of records redrawn; see `share_curve`."""
    lowest = floor.summary()
    return share_picture.show(at_share(curve, curve.share.iloc[-1], lowest), curve, lowest)
