"""Pictures of lesson 04: what is synthesized, at which radius, and risk beside usefulness.

A synthetic risk stands between two lines that every picture names: that of the confidential data,
and the floor.
"""

import numpy as np

from synthrisk_edu.plots import look
from synthrisk_edu.plots.examples import BESIDE, RISK, SCENARIO_LOOKS
from synthrisk_edu.plots.picture import (
    Mark,
    Shown,
    Tile,
    candidates_tile,
    columns,
    own_record_tile,
    picture,
)
from synthrisk_edu.words import counted, listing, rounded, say

INTRUDERS = {
    "fixed": "This intruder knows all six variables",
    "paper": "The paper's intruder knows three variables and what was synthesized",
}
SHORT = dict(zip(SCENARIO_LOOKS, ("income", "+ tenure", "+ expenditure", "+ both"), strict=True))
SCALE = "each step: about three times"  # of an axis on which 30, 100, 300 are equally far apart

GIVES_UP = look.LINES["synthetic"] | {"marker": "o", "markersize": 4}
FALLS_BACK = look.LINES["synthetic"] | {"linewidth": 1, "linestyle": (0, (6, 1.5))}
FALLING = {"marker": "o", "color": look.GREEN, "fillstyle": "none", "linestyle": "none"}
ONE_FILE = {"marker": ".", "color": look.GREEN, "alpha": 0.5, "linestyle": "none"}
AT_ONCE = {"marker": "s", "color": look.BLUE, "markersize": 9, "linestyle": "none", "zorder": 4}
HERE = {"color": look.ORANGE, "alpha": 0.15, "linewidth": 0}  # where the slider stands


def risk_axis(ax, lowest=22, highest=7500):
    """Let the risk go up to 6,000, each step about three times as much as the one before."""
    steps = [step for step in (30, 100, 300, 1000, 3000) if step > lowest]
    ax.set(yscale="log", ylim=(lowest, highest))
    ax.set_yticks(steps, [f"{step:,}" for step in steps])
    ax.minorticks_off()


def in_words(scenario):
    """Name what is synthesized, as it stands beside a mark.

    >>> in_words("Tenure+Income")
    'tenure + income'
    """
    return scenario.lower().replace("+", " + ")


def in_a_sentence(scenario):
    """Name what is synthesized.

    >>> in_a_sentence("Tenure+Income")
    'tenure and income'
    """
    return listing(scenario.lower().split("+"))


def at_radius(radius, radii):
    """Say a radius, and whether it is an edge of the grid."""
    ends = {min(radii): "the lower edge", max(radii): "the upper edge"}
    edge = f", {ends[radius]}" if radius in ends and len(radii) > 1 else ""
    return f"r = {say(100 * radius)} %{edge}"


# ------------------------------------------------------------------------------ draw by draw
TICKET, COUNT = 0.72, 0.14  # heights of a unit's squares, and of its numbers of candidates
FOUND = look.TRUE_RECORD | {"markersize": 13}
MISSED = FOUND | {"fillstyle": "none", "markeredgewidth": 1.5}
NOT_DRAWN = look.EVERYONE_ELSE | {"markersize": 5}


@picture(
    height=2.7,
    rows=2,
    height_ratios=[1, 2.1],
    sharex=True,
    rect=(0, 0, 0.82, 1),
    touch="Click a draw to go there.",
)
def draws_picture(axes, n, draws, floor):
    """One unit's luck in every draw, and below it the sum of the whole file of n units."""
    unit, file = axes
    look.tidy(
        unit,
        "One unit: is its own record among its c candidates?",
        xlim=(0.4, draws + 0.6),
        ylim=(-0.1, 1.1),
        yticks=[],
    )
    unit.spines[:].set_visible(False)
    unit.tick_params(bottom=False, labelbottom=False)
    look.tidy(file, "The whole file: expected match risk", grid="y")
    file.set(yscale="log", ylim=(max(0.7, floor / 5), 1.4 * n))
    powers = [10**power for power in range(len(str(n))) if 10**power > floor / 5]
    file.set_yticks(powers, [f"{power:,}" for power in powers])
    file.minorticks_off()
    fifths = range(5, draws + 1, 5)
    file.set_xticks([1, *fifths], ["draw 1", *fifths])
    file.axhline(floor, **look.FLOOR)

    def move(now):
        for ax in axes:
            ax.axvspan(now.draw - 0.5, now.draw + 0.5, **HERE)
        _draw_tickets(unit, now, draws)
        _draw_sums(file, now)
        marks = _ticket_marks(unit, now, draws) + _sum_marks(file, now, draws)
        return Shown(_say_draws(now), _draw_tiles(now), marks)

    return move


def _draw_tickets(ax, now, draws):
    """A square for every draw, filled where T = 1, with c below it."""
    steps = np.arange(1, now.draw + 1)
    later = np.arange(now.draw + 1, draws + 1)
    for is_found, style in ((now.T == 1, FOUND), (now.T == 0, MISSED)):
        ax.plot(steps[is_found], np.full(is_found.sum(), TICKET), **style)
    ax.plot(later, np.full(len(later), TICKET), **NOT_DRAWN)
    for step, c in zip(steps, now.c, strict=True):
        look.label(ax, step, COUNT, short_count(c), look.BLUE, ha="center", va="center")
    names = [
        (TICKET, "filled: T = 1", look.ORANGE),
        (COUNT, "candidates c", look.BLUE),
    ]
    look.name_ends(ax, names)


def short_count(count):
    """Write a count into a narrow place.

    >>> short_count(7.0), short_count(240), short_count(1830)
    ('7', '240', '1.8k')
    """
    return f"{count:.0f}" if count < 1000 else f"{count / 1000:.1f}k"


def _draw_sums(ax, now):
    """Draw the sums of the file in every draw so far, and what they are compared with."""
    ax.axhline(now.confidential, **look.LINES["confidential"])
    lowest = ax.get_ylim()[0]  # who is never right stands at the foot
    steps = np.arange(1, now.draw + 1)
    gives_up = np.maximum(now.gives_up, lowest)
    falls_back = np.maximum(now.falls_back, lowest)
    ax.plot(steps, falls_back, **FALLS_BACK)
    ax.plot(steps[-1:], falls_back[-1:], markersize=7, **FALLING)
    ax.plot(steps, gives_up, **GIVES_UP)
    names = [
        (now.confidential, f"confidential {rounded(now.confidential)}", look.DARK),
        (falls_back[-1], f"falls back {rounded(now.falls_back[-1])}", look.GREEN),
        (gives_up[-1], f"gives up {rounded(now.gives_up[-1])}", look.GREEN),
        (now.floor, f"floor {rounded(now.floor)}", look.WINE),
    ]
    here = now.draw + 0.6
    right = ax.get_xlim()[1]
    look.name_ends(ax, names, [right, here, here, right], bbox=look.ON_PAPER)


def _ticket_marks(ax, now, draws):
    """Return a mark for the square of every draw."""
    low, high = ax.get_ylim()
    marks = []
    for draw in range(1, draws + 1):
        words = f"draw {draw}: not made yet"
        if draw <= now.draw:
            c, T = now.c[draw - 1], now.T[draw - 1]
            own = "own record among them" if T else "own record not among them"
            words = f"draw {draw}\n{counted(c, 'candidate', 'candidates')}\nT = {T:.0f}: {own}"
        box = (draw - 0.5, low, draw + 0.5, high)
        marks.append(Mark(ax, draw, TICKET, words, {"draw": draw}, box))
    return marks


def _sum_marks(ax, now, draws):
    """Return a mark for the sums of every draw."""
    heights = np.full(draws, now.floor)
    heights[: now.draw] = np.maximum(now.gives_up, ax.get_ylim()[0])
    words = [f"draw {draw}: not made yet" for draw in range(1, draws + 1)]
    for place in range(now.draw):
        words[place] = (
            f"draw {place + 1}, the whole file\ngives up: {rounded(now.gives_up[place])}\n"
            f"falls back: {rounded(now.falls_back[place])}"
        )
    steps = list(range(1, draws + 1))
    return columns(ax, steps, heights, words, "draw", steps)


def _draw_tiles(now):
    """Return c and T of the unit in this draw, T in all draws so far, and the sum of the file."""
    c = int(now.c[-1])
    T = int(now.T[-1])
    own = "own record found" if T else "not found"
    draws = "in 1 draw" if now.draw == 1 else f"in {now.draw} draws"
    return [
        candidates_tile(c),
        own_record_tile(T, own),
        Tile("T = 1 so far", f"{now.T.sum():.0f}", draws, look.ORANGE),
        Tile("whole file", rounded(now.gives_up[-1]), "correct matches", look.GREEN),
    ]


def _say_draws(now):
    """Say what the unit was given, and how much its luck and the file's sum change."""
    drawn = listing(
        f"{word} {rounded_or_said(true)} ({_given(true, made)})"
        for word, true, made in now.values.itertuples()
    )
    beside = f"confidential {rounded(now.confidential)}, floor {rounded(now.floor)}"
    if now.draw == 1:
        gives_up, falls_back = rounded(now.gives_up[0]), rounded(now.falls_back[0])
        return (
            f"Unit {now.target}: {drawn}. In this draw {gives_up} correct matches are expected in "
            f"the whole file if the intruder gives up where nobody matches, {falls_back} falling "
            f"back ({beside})."
        )
    times = f"{now.T.sum():.0f} of {now.draw} draws"
    return (
        f"Unit {now.target}: {drawn}. Its own record matches in {times}. The sum of the file lies "
        f"{_where(now.gives_up)}, falling back {_where(now.falls_back)} "
        f"({beside})."
    )


def _given(true, made):
    """Say which value was drawn for a unit."""
    drawn = rounded_or_said(made)
    return "drawn: the same" if drawn == rounded_or_said(true) else f"drawn: {drawn}"


def rounded_or_said(value):
    """Round a number as one says it; a category is said as it is."""
    is_number = isinstance(value, float | int | np.number) and not isinstance(value, bool)
    return rounded(value) if is_number else say(value)


def _where(values):
    """Say between which values all of them lie."""
    lowest, highest = rounded(values.min()), rounded(values.max())
    return f"at {lowest}" if lowest == highest else f"between {lowest} and {highest}"


# -------------------------------------------------------------------- four scenarios, every r
def radius_boxes(releases) -> look.Standing:
    """Show boxplots of the risk over r, one picture for each of the four scenarios.

    The boxes are the intruder who gives up where nobody matches, the thin line one who falls back.
    """
    figure, axes = look.figure(3.6, 4, sharey=True)
    words = []
    tiles = []
    for number, (ax, name) in enumerate(zip(axes, SCENARIO_LOOKS, strict=True), start=1):
        results = releases[releases.synthesized == name]
        mean = results.groupby("radius").mean(numeric_only=True)
        risk = mean.expected_match_risk
        back = mean.falling_back
        _draw_boxes(ax, results, mean)
        look.tidy(ax, "", "radius r (%)", grid="y")
        title = f"({number}) {SHORT[name]}"
        ax.set_title(title, fontsize=look.SMALL, loc="left", color=look.DARK)
        where = f"top at r = {say(100 * risk.idxmax())} %"
        tiles.append(Tile(title, f"{risk.max():.0f}", where, look.PURPLE))
        words.append(
            f"{listing(name.split('+'))} synthesized: the average risk is highest, "
            f"{risk.max():.0f}, at r = {say(100 * risk.idxmax())} %, floor "
            f"{mean.floor[risk.idxmax()]:.0f}; falling back where nobody matches it is highest, "
            f"{back.max():.0f}, at r = {say(100 * back.idxmax())} %."
        )
    axes[0].set_ylabel(f"expected match risk\n({SCALE})", fontsize=look.SMALL)
    ends = mean.iloc[-1]
    names = [
        (ends.confidential, "confidential", look.DARK),
        (ends.falling_back, "falls back (line)", look.GREEN),
        (ends.expected_match_risk, "gives up (boxes)", look.GREEN),
        (ends.floor, "floor", look.WINE),
    ]
    look.name_ends(axes[-1], names)
    return look.show(figure, " ".join(words), tiles)


def _draw_boxes(ax, results, mean):
    """Draw a box of the risk for every radius, with the lines it is compared with."""
    place = range(len(mean))
    look.boxplot(ax, results, x="radius", y=RISK, linewidth=1.2, **look.BOXES)
    for line in BESIDE:
        ax.plot(place, mean[line], **look.LINES[line])
    ax.plot(place, mean.falling_back, **FALLS_BACK)
    for values, fill in ((mean.falling_back, "none"), (mean[RISK], "full")):
        ax.plot([values.argmax()], [values.max()], fillstyle=fill, **look.MAXIMUM)
    shown = place[::3]
    ax.set_xticks(shown, [f"{100 * mean.index[k]:g}" for k in shown])
    ax.set_xlim(-0.7, len(mean) - 0.3)
    risk_axis(ax)


@picture(
    height=2.7,
    mosaic=[["large", ".", "one", "two"], ["large", ".", "three", "four"]],
    width_ratios=[4.1, 1.05, 1.45, 1.45],
    touch="Click the large picture to move the radius there, a small one to choose its scenario.",
)
def scenario_picture(axes, curves):
    """One scenario large, its risk at every radius; all four small, to choose from.

    `curves` maps a scenario to a table by radius: mean, lowest and highest expected match risk of
    the files, and the means of the confidential data and of the floor.
    """
    large = axes["large"]
    small = dict(zip(SCENARIO_LOOKS, [axes[name] for name in list(axes)[1:]], strict=True))
    radii = next(iter(curves.values())).index
    look.tidy(large, "Expected match risk", "radius r (%)", SCALE, grid="y")
    large.set_xticks(range(len(radii)), [f"{100 * r:g}" for r in radii])
    large.set_xlim(-0.5, len(radii) - 0.5)
    risk_axis(large)
    for number, (name, ax) in enumerate(small.items(), start=1):
        _draw_small(ax, curves[name], f"({number}) {SHORT[name]}")
    choose = [_scenario_mark(small[name], name, curves[name]) for name in small]

    def move(now):
        curve = curves[now.scenario]
        chosen = small[now.scenario]
        place = list(radii).index(now.radius)
        _frame(chosen)
        chosen.plot([place], [curve["mean"][now.radius]], **look.NOW | {"markersize": 7})
        _draw_large(large, now, curve, place)
        marks = _radius_marks(large, curve, now.files) + choose
        return Shown(_say_scenarios(now), _scenario_tiles(now), marks)

    return move


def _draw_small(ax, curve, title):
    """Draw the three lines of a scenario, without words."""
    place = range(len(curve))
    risk_axis(ax)
    look.tidy(ax, "", xticks=[], yticks=[], xlim=(-1, len(curve)), ylim=(18, 10_000))
    ax.set_title(title, fontsize=look.SMALL, loc="left", color=look.DARK)
    ax.spines[:].set_visible(False)
    ax.plot(place, curve.confidential, color=look.LIGHT, linestyle="--", linewidth=1)
    ax.plot(place, curve.floor, **look.FLOOR | {"linewidth": 1.4})
    ax.plot(place, curve["mean"], **look.LINES["synthetic"])


def _frame(ax):
    """Frame the small picture of the scenario that is chosen."""
    from matplotlib.patches import Rectangle

    style = {"fill": False, "edgecolor": look.ORANGE, "linewidth": 2.5, "clip_on": False}
    ax.add_patch(Rectangle((0, 0), 1, 1, transform=ax.transAxes, **style))


def _draw_large(ax, now, curve, place):
    """Draw every file of a scenario, their means, and where the slider stands."""
    places = np.arange(len(curve))
    ax.axvspan(place - 0.5, place + 0.5, **HERE)
    for name in BESIDE:
        ax.plot(places, curve[name], **look.LINES[name])
    at = {radius: k for k, radius in enumerate(curve.index)}
    across = now.results.radius.map(at) + _spread(now.results.dataset)
    ax.plot(across, now.results[RISK], **ONE_FILE | {"markersize": 4})
    ax.plot(places, curve["mean"], **look.LINES["synthetic"])
    ax.plot([at[now.best]], [now.highest], **look.MAXIMUM)
    first = now.first
    ax.plot(place + _spread(first.dataset), first[RISK], **ONE_FILE | {"color": look.ORANGE})
    ax.plot([place], [now.mean], **look.NOW)
    ax.plot([place], [now.together], **AT_ONCE)
    _name_large(ax, now, curve.iloc[-1])


def _name_large(ax, now, ends):
    """Write what is large, and the names of its lines beside their right ends."""
    together = "falling back" if now.m == 1 else f"{now.m} files at once"
    corner = {"xycoords": "axes fraction", "ha": "right", "va": "top"}
    look.label(ax, 0.99, 0.98, f"■ {together}", look.BLUE, **corner)
    scenario = list(SCENARIO_LOOKS).index(now.scenario) + 1
    title = f"({scenario}) {in_words(now.scenario)}"
    above = {"xycoords": "axes fraction", "ha": "right", "size": look.NORMAL}
    look.label(ax, 1.2, 1.035, title, look.ORANGE, **above)
    names = [
        (ends.confidential, "confidential", look.DARK),
        (ends["mean"], "falls back" if now.view[1] else "gives up", look.GREEN),
        (ends.floor, "floor", look.WINE),
    ]
    look.name_ends(ax, names)


def _spread(numbers):
    """Place files of one radius beside each other, each always at the same place."""
    return 0.5 * (look.spread(numbers) - 0.5)


def _radius_marks(ax, curve, files):
    """Return a mark for every radius of a scenario."""
    words = []
    for radius, row in curve.iterrows():
        words.append(
            f"r = {say(100 * radius)} %\nmean of {files} files {rounded(row['mean'])} "
            f"({rounded(row.lowest)} to {rounded(row.highest)})\n"
            f"confidential {rounded(row.confidential)}, floor {rounded(row.floor)}"
        )
    radii = [float(radius) for radius in curve.index]
    return columns(ax, range(len(curve)), curve["mean"], words, "radius", radii)


def _scenario_mark(ax, name, curve):
    """Return a mark for the small picture of a scenario."""
    best = curve["mean"].idxmax()
    words = (
        f"synthesized: {in_words(name)}\n"
        f"highest mean {rounded(curve['mean'][best])}, at {at_radius(best, list(curve.index))}"
    )
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    middle = (len(curve) - 1) / 2
    return Mark(ax, middle, 300, words, {"scenario": name}, (left, bottom, right, top))


def _scenario_tiles(now):
    """Return the risk at this radius, the highest one, and the floor."""
    files = "a single file" if now.m == 1 else f"mean of {now.m} files"
    here = f"at r = {say(100 * now.radius)} %"
    best = f"at r = {say(100 * now.best)} %"
    floor = now.first.floor.iloc[0]
    return [
        Tile("expected match risk", rounded(now.mean), files, look.GREEN),
        Tile("highest", rounded(now.highest), best, look.PURPLE),
        Tile("floor", rounded(floor), here, look.WINE),
    ]


def _say_scenarios(now):
    """Say who asks, what is synthesized, and where the risk is highest."""
    intruder, falls_back = now.view
    does = "falls back" if falls_back else "gives up"
    together = f"{now.together:,.0f}"
    if now.m == 1:
        risks = f"falling back gives {together} in this file"
    else:
        both = "both" if now.m == 2 else f"all {now.m}"
        where = _where(now.first[RISK])
        risks = f"{now.m} files lie {where}; {both} at once, falling back, give {together}"
    return (
        f"{INTRUDERS[intruder]}, and {does} where nobody matches. Synthesized: "
        f"{in_a_sentence(now.scenario)}. At r = {say(100 * now.radius)} %, "
        f"{risks}. The mean of all {now.files} is highest at {at_radius(now.best, now.radii)}."
    )


# ------------------------------------------------------------------------- risk and usefulness
def scenario_boxes(at_best) -> look.Standing:
    """Show a boxplot for each scenario, at its own maximizing radius."""
    figure, ax = look.figure(3.6)
    shown = at_best[at_best.synthesized.isin(SCENARIO_LOOKS)]
    mean = shown.groupby("synthesized").mean(numeric_only=True).loc[list(SCENARIO_LOOKS)]
    place = np.arange(len(mean))
    boxes = look.BOXES | {"linewidth": 1.2, "order": list(SCENARIO_LOOKS)}
    look.boxplot(ax, shown, x="synthesized", y=RISK, **boxes)
    for line in BESIDE:
        ax.hlines(mean[line], place - 0.4, place + 0.4, **look.LINES[line])
    title = "Each scenario at the radius where its risk is highest"
    look.tidy(ax, title, "", f"expected match risk\n({SCALE})", grid="y")
    names = [f"({k}) {in_words(name)}" for k, name in enumerate(mean.index, start=1)]
    names = [name.replace(" +", "\n+") for name in names]
    labels = [f"{name}\nr = {100 * r:g} %" for name, r in zip(names, mean.radius, strict=True)]
    ax.set_xticks(place, labels)
    ax.set_xlim(-0.5, len(mean) - 0.5)
    risk_axis(ax, lowest=38, highest=9000)
    for x, (_, row) in zip(place, mean.iterrows(), strict=True):
        beside = {"ha": "center", "va": "bottom"}
        look.label(ax, x, row.confidential, rounded(row.confidential), away=(0, 3), **beside)
        highest = shown[shown.synthesized == mean.index[x]][RISK].max()
        look.label(ax, x, highest, rounded(row[RISK]), look.GREEN, away=(0, 5), **beside)
        under = beside | {"va": "top"}
        look.label(ax, x, row.floor, rounded(row.floor), look.WINE, away=(0, -3), **under)
    last = mean.iloc[-1]
    lines = [
        (last.confidential, "confidential", look.DARK),
        (last[RISK], "synthetic", look.GREEN),
        (last.floor, "floor", look.WINE),
    ]
    look.name_ends(ax, lines, gap=0)
    words = [
        f"{listing(name.split('+'))}: {row.expected_match_risk:.0f}, floor {row.floor:.0f}, "
        f"confidential {row.confidential:.0f}"
        for name, row in mean.iterrows()
    ]
    tiles = [
        Tile(f"({k}) {SHORT[name]}", f"{row[RISK] / row.floor:.1f}", "times the floor", look.GREEN)
        for k, (name, row) in enumerate(mean.iterrows(), start=1)
    ]
    return look.show(figure, f"Average risk by what is synthesized. {'; '.join(words)}.", tiles)


PRICE = "loss of usefulness: pMSE × 1,000 (further left is more useful)"


def tradeoff(at_best, boxes, scenarios) -> look.Standing:
    """Show risk against utility: a point a data set, a rectangle of quartiles a scenario.

    `at_best` has the columns synthesized, expected_match_risk, confidential, floor and pmse,
    `boxes` maps a scenario to the `quartiles` of expected_match_risk and pmse. The axes have room
    for all scenarios, so that pictures of different ones can be compared.
    """
    figure, ax = look.figure(3.6)
    look.tidy(ax, "", PRICE, f"expected match risk\n({SCALE})", grid="y")
    ax.set_xlim(0, 1250 * at_best.pmse.max())
    risk_axis(ax)
    words = []
    tiles = []
    right_ends = {}  # of all lines of one kind at one height: they get their name once
    for name in scenarios:
        points = at_best[at_best.synthesized == name]
        style = SCENARIO_LOOKS[name] | {"linestyle": "none", "alpha": 0.5, "markersize": 5}
        ax.plot(1000 * points.pmse, points[RISK], **style)
        _rectangle(ax, 1000 * boxes[name].pmse, boxes[name][RISK], style["color"])
        number = list(SCENARIO_LOOKS).index(name) + 1
        loss = f"loss of {1000 * points.pmse.mean():.2f}"
        risk = rounded(points[RISK].mean())
        tiles.append(Tile(f"({number}) {SHORT[name]}", risk, loss, style["color"]))
        _name_cloud(ax, _beside_cloud(points), f"({number}) {in_words(name)}", style["color"])
        left, right = 1000 * points.pmse.min(), 1000 * points.pmse.max()
        for line in BESIDE:
            height = points[line].mean()
            ax.plot([left, right], [height, height], **look.LINES[line])
            place = (line, round(height))
            right_ends[place] = max(right, right_ends.get(place, 0))
        words.append(
            f"{listing(name.split('+'))} synthesized: a risk of {points[RISK].mean():.0f} (floor "
            f"{points.floor.mean():.0f}) and a pMSE × 1,000 of {1000 * points.pmse.mean():.2f}."
        )
    for (line, height), right in right_ends.items():
        color = look.LINES[line]["color"]
        look.label(ax, right, height, line, color, away=(5, 0), va="center")
    return look.show(figure, " ".join(words), tiles)


def _beside_cloud(points, side="above"):
    """Return where the name of a release stands: above or below its points, or left of them."""
    x = 1000 * points.pmse
    return {
        "above": ((x.mean(), points[RISK].max()), (0, 5), {"ha": "center", "va": "bottom"}),
        "below": ((x.mean(), points[RISK].min()), (0, -5), {"ha": "center", "va": "top"}),
        "left": ((x.min(), points[RISK].mean()), (-6, 0), {"ha": "right", "va": "center"}),
    }[side]


def _name_cloud(ax, beside, words, color):
    """Write the name of a release beside its points; see `_beside_cloud`."""
    place, away, how = beside
    look.label(ax, *place, words, color, away=away, bbox=look.ON_PAPER, **how)


def _rectangle(ax, x, y, color):
    """Draw the rectangle between the quartiles of x and of y."""
    from matplotlib.patches import Rectangle

    width = x["third"] - x["first"]
    height = y["third"] - y["first"]
    style = {"fill": False, "edgecolor": color, "linewidth": 2, "zorder": 4}
    ax.add_patch(Rectangle((x["first"], y["first"]), width, height, **style))


SIDES = {"Income": "below", "Tenure+Expenditure+Income": "below", "Tenure+Income": "left"}


@picture(height=3.0, rect=(0, 0, 0.84, 1), touch="Click a cloud of points to choose that release.")
def release_picture(ax, points):
    """Every release as a cloud of its data sets, each at its maximizing radius."""
    title = "Every release at the radius where its risk is highest"
    look.tidy(ax, title, PRICE, f"expected match risk\n({SCALE})", grid="y")
    ax.set_xlim(0, 1080 * points.pmse.max())
    risk_axis(ax, lowest=38)
    beside = {}
    marks = []
    for name, files in points.groupby("synthesized"):
        ax.plot(1000 * files.pmse, files[RISK], **look.EVERYONE_ELSE)
        beside[name] = _beside_cloud(files, SIDES.get(name, "above"))
        marks += _file_marks(ax, files, name)

    def move(now):
        if len(now.chosen):
            _draw_chosen(ax, now)
        for name in beside:
            color = look.ORANGE if name == now.name else look.GREY
            _name_cloud(ax, beside[name], in_words(name), color)
        if len(now.chosen):
            return Shown(_say_release(now), _release_tiles(now), marks)
        tiles = [Tile(label, "–", "", color) for label, color in RELEASE_TILES.items()]
        return Shown(NOTHING, tiles, marks)

    return move


NOTHING = "Nothing is synthesized: you publish the truth. Tick at least one variable."
RELEASE_TILES = {
    "gives up": look.ORANGE,
    "falls back": look.GREEN,
    "floor": look.WINE,
    "pMSE × 1,000": look.DARK,
}


def _draw_chosen(ax, now):
    """Draw the files of the chosen release, and across the picture what they stand beside."""
    style = {"color": look.ORANGE, "marker": "o", "linestyle": "none", "markersize": 5}
    ax.plot(1000 * now.chosen.pmse, now.chosen[RISK], alpha=0.5, **style)
    _rectangle(ax, 1000 * now.box.pmse, now.box[RISK], look.ORANGE)
    for line in BESIDE:
        ax.axhline(now.mean[line], **look.LINES[line])
    ax.axhline(now.mean.falling_back, **FALLS_BACK)
    names = [
        (now.mean.confidential, "confidential", look.DARK),
        (now.mean.falling_back, "falls back", look.GREEN),
        (now.mean[RISK], "gives up", look.ORANGE),
        (now.mean.floor, "floor", look.WINE),
    ]
    look.name_ends(ax, names)


def _file_marks(ax, files, name):
    """Return a mark for every file of a release; a click chooses the release."""
    chosen = {"chosen": name.split("+")}
    marks = []
    for file in files.itertuples():
        risk = file.expected_match_risk
        words = (
            f"synthesized: {in_words(name)}\nfile {file.dataset}: {rounded(risk)} correct "
            f"matches,\npMSE × 1,000 of {1000 * file.pmse:.2f}"
        )
        marks.append(Mark(ax, 1000 * file.pmse, risk, words, chosen))
    return marks


def _release_tiles(now):
    """Return both sums of the chosen release, its floor, and its price."""
    numbers = [rounded(now.mean[name]) for name in (RISK, "falling_back", "floor")]
    numbers.append(f"{1000 * now.mean.pmse:.2f}")
    words = [f"r = {say(100 * now.mean.radius)} %", "same r", "same r", "0 is perfect"]
    rows = zip(RELEASE_TILES.items(), numbers, words, strict=True)
    return [Tile(label, number, said, color) for (label, color), number, said in rows]


def _say_release(now):
    """Say who asks, what is synthesized, and on which side of the floor both sums lie."""
    gives_up = _side(now.mean[RISK], now.mean.floor)
    falls_back = _side(now.mean.falling_back, now.mean.floor)
    floor = "the floor of whoever ignores what was synthesized"
    if gives_up == falls_back:
        sides = f"There both sums lie {gives_up} {floor}."
    else:
        sides = f"There it lies {gives_up} {floor}, and the sum of falling back {falls_back} it."
    synthesized = in_a_sentence(now.name)
    return (
        f"{INTRUDERS[now.view]}. With {synthesized} synthesized, the risk of giving up where "
        f"nobody matches is highest at {at_radius(now.mean.radius, now.radii)} (confidential "
        f"{rounded(now.mean.confidential)}). {sides}"
    )


def _side(value, floor):
    """Say on which side of the floor a risk lies."""
    if round(value) == round(floor):
        return "at"
    return "above" if value > floor else "below"


# ------------------------------------------------------------------------------ how many files
def two_way_boxes(boxes) -> look.Standing:
    """Show a two-dimensional boxplot for every m; `boxes` maps m to `quartiles` of averages."""
    figure, ax = look.figure(3.8)
    look.tidy(ax, "Averages over m files: the box holds the middle half in each direction", PRICE)
    ax.set_ylabel("expected match risk per unit", fontsize=look.SMALL)
    zoom(ax, next(iter(boxes.values())))
    words = []
    tiles = []
    colors = [look.GREY, look.BLUE, look.ORANGE, look.GREEN]
    for number, (m, box) in enumerate(boxes.items()):
        color = colors[number % len(colors)]
        draw_two_way_box(ax, box, color)
        side = "right" if number % 2 else "left"  # or the names of narrow boxes would meet
        _name_box(ax, box, f"m = {m}", color, side, va="bottom" if number else "top")
        width = box.risk["maximum"] - box.risk["minimum"]
        tiles.append(Tile(f"m = {m}", f"{width:.4f}", "from end to end", color))
        words.append(
            f"m = {m}: the risk per unit lies between {box.risk['minimum']:.4f} and "
            f"{box.risk['maximum']:.4f}, with a median of {box.risk['median']:.4f}."
        )
    return look.show(figure, " ".join(words), tiles)


def zoom(ax, widest):
    """Set the axes so that the widest box fits."""
    room = 0.05 * (widest.loc["maximum"] - widest.loc["minimum"])
    low = widest.loc["minimum"] - room
    high = widest.loc["maximum"] + room
    ax.set(xlim=(1000 * low.pmse, 1000 * high.pmse), ylim=(low.risk, high.risk))


def draw_two_way_box(ax, box, color):
    """Show a two-dimensional boxplot: quartiles as a rectangle, the range as whiskers."""
    x = 1000 * box.pmse
    y = box.risk
    _rectangle(ax, x, y, color)
    line = {"color": color, "linewidth": 1.2, "zorder": 4}
    for low, high in (("minimum", "first"), ("third", "maximum")):
        ax.plot([x[low], x[high]], [y["median"]] * 2, **line)
        ax.plot([x["median"]] * 2, [y[low], y[high]], **line)


@picture(
    height=3.4,
    mosaic=[["at once", ".", "averages"]],
    width_ratios=[3.6, 1.0, 3.4],
    touch="Click the curve on the left to use that many files.",
)
def pool_picture(axes, whole, sizes, beside):
    """An intruder who uses m files at once, and beside it averages over m files.

    `whole` is the box of single files, `beside` the risks to compare with.
    """
    together, averages = axes["at once"], axes["averages"]
    look.tidy(together, "All m files at once", "files m", "expected match risk per unit", grid="y")
    together.set_xscale("log")
    together.set_xticks(sizes, sizes)
    together.minorticks_off()
    together.set(xlim=(0.8, 1.25 * max(sizes)), ylim=(0, 1.08 * beside["confidential"]))
    for name in BESIDE:
        together.axhline(beside[name], **look.LINES[name])
    together.axhline(beside["one file"], color=look.GREEN, linewidth=1.2)
    look.tidy(averages, "Averages over m files (enlarged)", "loss of usefulness: pMSE × 1,000")
    zoom(averages, whole)
    averages.locator_params(nbins=6)
    draw_two_way_box(averages, whole, look.GREY)
    _name_box(averages, whole, "m = 1", look.GREY, va="top")

    def move(now):
        _draw_together(together, now, beside)
        dots = look.EVERYONE_ELSE | {"alpha": 0.35, "markersize": 4}
        averages.plot(1000 * now.averages.pmse, now.averages.risk, **dots)
        draw_two_way_box(averages, now.box, look.ORANGE)
        if now.m > 1:
            _name_box(averages, now.box, f"m = {now.m}", look.ORANGE)
        return Shown(_say_pool(now), _pool_tiles(now), _size_marks(together, now, sizes))

    return move


def _draw_together(ax, now, beside):
    """Draw the risk of using m files at once, for every m so far: all repeats and their mean."""
    dots = {"marker": ".", "linestyle": "none", "color": look.BLUE, "alpha": 0.5}
    ax.plot(now.together.m, now.together.risk, **dots)
    ax.plot(now.mean.index, now.mean, color=look.BLUE, linewidth=2)
    ax.plot([now.m], [now.mean[now.m]], **look.NOW)
    names = [
        (beside["confidential"], "confidential", look.DARK),
        (beside["one file"], "average", look.GREEN),
        (beside["floor"], "floor", look.WINE),
    ]
    look.name_ends(ax, names)
    words = "1 file" if now.m == 1 else f"{now.m} at once"
    above = {"ha": "center", "va": "bottom"}
    look.label(ax, now.m, now.mean[now.m], words, look.BLUE, away=(0, 10), **above)


def _name_box(ax, box, words, color, ha="left", va="bottom"):
    """Write words beside the upper end of a two-dimensional boxplot."""
    place = 1000 * box.pmse["median"], box.risk["maximum"]
    look.label(ax, *place, words, color, away=(6 if ha == "left" else -6, 0), ha=ha, va=va)


def _size_marks(ax, now, sizes):
    """Return a mark for every number of files; what was not used yet is not told."""
    words, heights = [], []
    for m in sizes:
        files = "1 file" if m == 1 else f"{m} files at once"
        if m <= now.m:
            files += f": {now.mean[m]:.3f}\n({now.lowest[m]:.3f} to {now.highest[m]:.3f})"
        words.append(files)
        heights.append(now.mean.get(m, now.mean[now.m]))
    return columns(ax, sizes, heights, words, "m", [int(m) for m in sizes])


def _pool_tiles(now):
    """Return what m files give at once, and place and height of the box of averages."""
    height = now.box.risk["third"] - now.box.risk["first"]
    files = "1 file" if now.m == 1 else f"{now.m} files"
    at_once_now = "1 file" if now.m == 1 else f"{now.m} at once"
    return [
        Tile(at_once_now, f"{now.mean[now.m]:.3f}", "risk per unit", look.BLUE),
        Tile("average", f"{now.average:.3f}", f"over {files}", look.GREEN),
        Tile("box height", rounded(height), "middle half", look.ORANGE),
    ]


def _say_pool(now):
    """Say what m files give at once, and what an average over them gives."""
    risk = now.box.risk
    files = "one file" if now.m == 1 else f"{now.m} files"
    used = files if now.m == 1 else f"{files} at once"
    return (
        f"An intruder who uses {used}, and falls back where nobody matches, gets "
        f"{now.mean[now.m]:.3f} (confidential {now.beside['confidential']:.3f}, floor "
        f"{now.beside['floor']:.3f}). Averages over {files} of the stored pool lie between "
        f"{risk['minimum']:.3f} and {risk['maximum']:.3f} over {len(now.averages):,} repeats."
    )
