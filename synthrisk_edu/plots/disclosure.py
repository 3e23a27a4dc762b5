"""Pictures of disclosure: one person looked up, a whole file, many targets, many files."""

from dataclasses import replace
from textwrap import fill
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Mark, Shown, Tile, columns, picture
from synthrisk_edu.words import counted, listing, percent, say, say_percent

CENTRED = {"ha": "center", "va": "center"}
# DiSCO is the risk of the synthetic file, and Dorig that of the confidential one: they have the
# colours of their files in every picture of this lesson.
DISCO = look.GREEN
DORIG = look.DARK


# ------------------------------------------------------------------------- one person looked up

QUESTIONS = [
    "Found?",
    "All the same\nanswer?",
    "Is it right?",
    "Told by the\noriginal, too?",
]
LINKS = {True: "yes", False: "no", None: "–"}
BOX = {"boxstyle": "round,pad=0.45", "linewidth": 1.6}
LINK_BOXES = {
    True: BOX | {"facecolor": look.BLUE, "edgecolor": look.BLUE},
    False: BOX | {"facecolor": "white", "edgecolor": look.word(look.ORANGE)},
    None: BOX | {"facecolor": "white", "edgecolor": look.LIGHT},
}
LINK_WORDS = {True: "white", False: look.word(look.ORANGE), None: look.GREY}
MOST_ANSWERS = 5  # rows of answers; the last line says how many more there are
MOST_DOTS = 9  # in a row; a number says how many there are
NAMES_END = 12.6  # where the names of the answers end; a small dot is 1 wide
ANSWERS_END = 26.6  # the right edge of the answers
PERSON = look.EVERYONE_ELSE | {"marker": "o"}


def looked_up(found, person: int) -> SimpleNamespace:
    """Look original record `person` up: the chain, the answers, the people with the same keys."""
    answers = found.look_up(person)
    truth = found.truth(person)
    people = found.same_keys(person)
    others = people[people.index != person]
    return SimpleNamespace(
        found=found,
        person=person,
        links=found.links(person),
        answers=answers,
        truth=truth,
        shown=answers_to_show(answers, truth),
        others=others.groupby(others, sort=False).groups,
        disco=found.attribute.DiSCO.mean(),
    )


def answers_to_show(answers, truth, most=MOST_ANSWERS):
    """Return the most frequent answers, highest first, and always the truth."""
    answers = answers.sort_values(["synthetic", "original"], ascending=False, kind="stable")
    first = answers.head(most)
    if truth not in first.index:
        first = pd.concat([answers.head(most - 1), answers.loc[[truth]]])
    return first


@picture(
    height=2.74,
    columns=3,
    width_ratios=[1, 2.5, 1.75],
    touch="Click a dot on the right to look that person up.",
)
def look_up_picture(axes):
    """Draw the four questions, the answers under the keys, and the people who have them."""
    chain, answers, people = axes
    look.tidy(chain, "The chain", xlim=(-0.8, 0.6), ylim=(3.6, -0.6), xticks=[])
    chain.set_yticks(range(4), QUESTIONS)
    chain.yaxis.tick_right()
    chain.tick_params(length=0, pad=0, labelcolor=look.DARK)
    chain.spines[:].set_visible(False)
    look.tidy(answers, "Synthetic records with these keys", xlim=(0, ANSWERS_END))
    look.tidy(people, "In the original (★ the person)", xlim=(-0.7, 13.5))
    for ax in (answers, people):
        ax.set(ylim=(MOST_ANSWERS + 0.5, -0.6), xticks=[], yticks=[])
        ax.spines[["bottom"]].set_visible(False)
        ax.spines[["left"]].set_color(look.SOFT)

    def move(now):
        _draw_chain(chain, now.links)
        rows = _lay_rows(now)
        for row in rows:
            _draw_answer(answers, row)
            _draw_people(people, row)
        more = len(now.answers) - len(rows)
        if more:
            words = f"and {counted(more, 'other answer', 'other answers')}"
            style = {"ha": "right", "va": "center"}
            look.label(answers, NAMES_END, rows[-1].y + 1, words, look.GREY, **style)
        marks = _people_marks(people, rows, now) + _answer_marks(answers, rows, now)
        return Shown(now.found.explain(now.person), _look_up_tiles(now), marks)

    return move


def _lay_rows(now):
    """Say where each answer stands, and how large its dots are: a few are shown large."""
    lines = len(now.shown) + (len(now.answers) > len(now.shown))
    apart = 1.6 if lines <= 3 else 1
    step = 1.5 if now.shown.to_numpy().max() <= 6 else 1
    middle = 0.5 * MOST_ANSWERS
    rows = []
    for place, (level, n) in enumerate(now.shown.iterrows()):
        rows.append(
            SimpleNamespace(
                y=middle + apart * (place - (lines - 1) / 2),
                level=level,
                synthetic=int(n.synthetic),
                original=int(n.original),
                is_true=level == now.truth,
                step=step,
                size=7 * step,
            )
        )
    return rows


def _draw_chain(ax, links):
    """Write the four answers, joined as far as the chain goes."""
    settled = sum(link is not None for link in links)
    ax.plot([0, 0], [0, 3], color=look.SOFT, linewidth=2, zorder=1)
    ax.plot([0, 0], [0, settled - 1], color=look.DARK, linewidth=2, zorder=1)
    for row, link in enumerate(links):
        style = CENTRED | {"fontsize": look.NORMAL, "fontweight": "bold"}
        ax.text(0, row, LINKS[link], color=LINK_WORDS[link], bbox=LINK_BOXES[link], **style)


def _draw_answer(ax, row):
    """Write one answer, and beside it a dot for each synthetic record that gives it."""
    name = shortened_label(say(row.level), 20)
    style = {"ha": "right", "va": "center"}
    if row.is_true:
        look.label(ax, NAMES_END, row.y, "(the truth)", away=(0, -7), fontweight="bold", **style)
    look.label(ax, NAMES_END, row.y, name, away=(0, 7 if row.is_true else 0), **style)
    _draw_dots(ax, NAMES_END + 1, row, row.synthetic, look.CANDIDATE)


def _draw_people(ax, row):
    """Draw a dot for each original record with this answer, and a star for the person."""
    _draw_dots(ax, 0.5, row, row.original, PERSON, has_star=row.is_true)
    if row.is_true:
        ax.plot([0.5], [row.y], **look.TARGET | {"markersize": 9 + 4 * row.step})


def _draw_dots(ax, x, row, n, style, has_star=False):
    """Draw a row of dots from x on, and write behind them how many records there are."""
    places = np.arange(has_star, min(n, MOST_DOTS))
    ax.plot(x + row.step * places, np.full(len(places), row.y), **style | {"markersize": row.size})
    end = x + row.step * (min(n, MOST_DOTS) - 0.5)
    text = f"{n:,}" if n <= MOST_DOTS else f"… {n:,}"
    look.label(ax, end, row.y, text, look.GREY, away=(3, 0), va="center")


def _people_marks(ax, rows, now):
    """Return a mark for everybody who is drawn; a click looks that person up."""
    marks = []
    for row in rows:
        if row.is_true:
            words = f"the person, number {now.person}\n{say(row.level)}"
            marks.append(Mark(ax, 0.5, row.y, words))
        others = now.others.get(row.level, [])
        for place, other in enumerate(others[: MOST_DOTS - row.is_true], start=row.is_true):
            words = f"person {other}, with the same keys\n{say(row.level)}"
            marks.append(Mark(ax, 0.5 + row.step * place, row.y, words, {"person": int(other)}))
    return marks


def _answer_marks(ax, rows, now):
    """Return a mark for every answer; these records are nobody's, so that there is no click."""
    total = counted(now.answers.synthetic.sum(), "synthetic record", "synthetic records")
    marks = []
    for row in rows:
        words = f"{say(row.level)}: {row.synthetic:,} of {total} with these keys"
        words += "\n(they belong to nobody)" if row.synthetic else ""
        box = (0, row.y - 0.5, ANSWERS_END, row.y + 0.5)
        marks.append(Mark(ax, NAMES_END + 1, row.y, words, box=box))
    return marks


def _look_up_tiles(now):
    """Return what was found, how many answers there are, and what that gives away."""
    found, single, right, _ = now.links
    n = int(now.answers.synthetic.sum())
    different = int((now.answers.synthetic > 0).sum())
    outcome = "one answer, right" if right else "one answer, wrong"
    if not single:
        outcome = "answers differ" if found else "not found"
    agree = {None: "nobody to ask", True: "all agree", False: "they differ"}[single]
    return [
        Tile("found", f"{n:,}", "record" if n == 1 else "records", look.BLUE),
        Tile("answers", f"{different:,}", agree, look.BLUE),
        Tile("disclosed", "yes" if right else "no", outcome),
        Tile("DiSCO", percent(now.disco), "of all people", DISCO),
    ]


def look_up(found, i: int) -> look.Standing:
    """Look original record i up: how far the chain goes, and the answers under the keys."""
    return look_up_picture.show(looked_up(found, i))


# ----------------------------------------------------------------------------------- the funnel

STEPS = {
    "all": "all people of the original",
    "iS": "found",
    "DiS": "… all the same answer",
    "DiSCO": "… and it is right",
    "DiSDiO": "… told by the original, too",
}
FUNNEL = {"height": 2.4}
BETWEEN = "#edf0f3"  # what joins two steps of the funnel: nobody has to see it
EXACT = 60  # where the exact values stand, behind 30 groups
ABOVE_0 = 4  # the lowest height of a name: on the axis it would touch the word below


def of_the_file(found, dropped=(), grouped=False) -> SimpleNamespace:
    """Count how far an intruder gets with everybody; means over the syntheses.

    `dropped` lists the levels of the target that were left out on demand; `grouped` says that none
    could be, because the target is in groups.
    """
    by_synthesis = found.exclusions.groupby("synthesis")
    return SimpleNamespace(
        found=found,
        attribute=found.attribute.mean(),
        identity=found.identity.mean(),
        plain_guess=found.plain_guess.mean(),
        left_out=by_synthesis.original.sum().mean(),
        dropped=list(dropped),
        grouped=grouped,
    )


@picture(**FUNNEL)
def funnel_picture(ax):
    """Draw how many people are left at each step, one below the other."""
    look.tidy(ax, "How far an intruder gets with everybody", xlim=(-1, 132), ylim=(4.55, -0.55))
    ax.set_xticks([])
    ax.set_yticks(range(len(STEPS)), STEPS.values())
    ax.tick_params(length=0, labelcolor=look.DARK)
    ax.spines[:].set_visible(False)

    def move(now):
        widths = [100, *now.attribute[["iS", "DiS", "DiSCO", "DiSDiO"]]]
        for row in range(len(widths) - 1):
            _join_steps(ax, row, widths[row], widths[row + 1])
        for row, (name, width) in enumerate(zip(STEPS, widths, strict=True)):
            _draw_step(ax, row, name, width)
        return Shown(_say_funnel(now), _funnel_tiles(now))

    return move


def _draw_step(ax, row, name, width):
    """Draw one step as a bar in the middle, with its number and its short name beside it."""
    style = {"color": DISCO if name == "DiSCO" else look.LIGHT}
    if name == "all":
        style = look.BARS["confidential"] | {"edgecolor": look.LIGHT}
    ax.barh(row, width, 0.62, 50 - width / 2, **style)
    words = percent(width) if name == "all" else f"{percent(width)}  {name}"
    weight = "bold" if name == "DiSCO" else "normal"
    color = DISCO if name == "DiSCO" else look.DARK
    style = {"va": "center", "fontweight": weight}
    look.label(ax, 50 + width / 2, row, words, color, away=(6, 0), **style)


def _join_steps(ax, row, upper, lower):
    """Join the lower side of a bar and the upper side of the next one, as in a funnel."""
    sides = [50 - upper / 2, 50 + upper / 2, 50 + lower / 2, 50 - lower / 2]
    ax.fill(sides, [row + 0.31] * 2 + [row + 0.69] * 2, color=BETWEEN, linewidth=0, zorder=0)


def _funnel_tiles(now):
    """Return DiSCO, and what it is compared with."""
    return [
        Tile("DiSCO", percent(now.attribute.DiSCO), "single, right", DISCO),
        Tile("Dorig", percent(now.attribute.Dorig), "the original", DORIG),
        Tile("repU", percent(now.identity.repU), f"UiO {percent(now.identity.UiO)}", DISCO),
        Tile("plain guess", percent(now.plain_guess), "commonest", look.LIGHT),
    ]


def _say_funnel(now):
    """Read the funnel aloud."""
    found = now.found
    *keys, asked_for = plain_names([*found.keys, found.target], found).values()
    mean = now.attribute.map(percent)
    disco = now.attribute.DiSCO
    whom = "fewer people than" if disco < now.attribute.Dorig else "more people than"
    if mean.DiSCO == mean.Dorig:
        whom = "as many people as"
    return (
        f"Knowing {listing(keys)}, an intruder finds {mean.iS} of the people and gets a single "
        f"answer on {asked_for} for {mean.DiS}. The file discloses {whom} the original "
        f"would.{_say_left_out(now)}"
    )


def _say_left_out(now):
    """Say who does not count, by choice."""
    target = labels([now.found.target], now.found)[now.found.target]
    words = ""
    if now.left_out:
        words = f" {counted(now.left_out, 'record is', 'records are')} left out"
        for level in now.dropped:
            name = f"{level:g}" if isinstance(level, float) else level
            words += f", among them all with {target} = {name}"
        words += "."
    if now.grouped:
        words += f" The groups of {target} are about equal in size: none is left out."
    return words


@picture(**FUNNEL, columns=2, width_ratios=[1.2, 1], touch="Click the curve to set the groups.")
def funnel_and_groups_picture(axes, name, control):
    """Draw the funnel, and what becomes of DiSCO where one of the keys is put into groups.

    `name` is that key in plain words, and `control` the one that sets its number of groups.
    """
    funnel, curve = axes
    move_funnel = funnel_picture.function(funnel)
    look.tidy(curve, f"DiSCO with {name} in groups", "number of groups", grid="y")
    curve.set(xscale="log", xlim=(1.6, 200), ylim=(0, 100))
    curve.set_xticks([2, 5, 10, 30, EXACT], ["2", "5", "10", "30", "exact"])
    curve.minorticks_off()
    curve.set_yticks([0, 50, 100], ["0 %", "50 %", "100 %"])

    def move(now):
        shown = move_funnel(now)
        if now.by_groups is None:
            words = f"The intruder does not\nknow {name}: no groups."
            curve.text(15, 25, words, color=look.GREY, fontsize=look.SMALL, **CENTRED)
            return shown
        return replace(shown, marks=_draw_groups(curve, now.by_groups, now.groups, name, control))

    return move


def _draw_groups(ax, table, groups, name, control):
    """Draw DiSCO and Dorig against the number of groups, and return the marks of the curve.

    The last row of `table`, 0 groups, has the exact values; `groups` is what the slider says.
    """
    x = np.array([*table.index[:-1], EXACT], dtype=float)
    ends = []
    for measure, role, color in (("Dorig", "confidential", DORIG), ("DiSCO", "synthetic", DISCO)):
        values = table[measure].to_numpy()
        ax.plot(x[:-1], values[:-1], **look.LINES[role])
        ax.plot(x[-2:], values[-2:], color=color, linewidth=1, linestyle=(0, (1, 3)))
        ax.plot(x[-1:], values[-1:], marker="o", markersize=5, color=color)
        ends.append((max(ABOVE_0, values[-1]), measure, color))
    look.name_ends(ax, ends, EXACT, gap=9, fontweight="bold")
    place = table.index.get_loc(groups)
    ax.plot(x[place], table.DiSCO.iloc[place], **look.NOW, clip_on=False)
    words = []
    for k, row in table.iterrows():
        how = f"{name} in {k} groups" if k else f"exact {name}"
        words.append(f"{how}\nDiSCO {percent(row.DiSCO)}\nDorig {percent(row.Dorig)}")
    return columns(ax, x, table.DiSCO, words, control, [int(k) for k in table.index])


def funnel(found) -> look.Standing:
    """Show how far an intruder gets with everybody."""
    return funnel_picture.show(of_the_file(found))


# ---------------------------------------------------------------------------------- plain guess

INTRUDERS = [
    "believes single answers\n(all keys: DiSCO)",
    "guesses the commonest answer\nof rows with the ticked keys",
    "gives everybody\nthe same answer",
]


@picture(height=2.3, rect=(0, 0, 0.95, 1))
def guess_picture(ax):
    """Draw a row for each of three intruders: for how many of all people is it right?"""
    title = "For how many people is each intruder right?"
    look.tidy(ax, title, "% of the people", grid="x", xlim=(0, 100), ylim=(2.6, -0.6))
    ax.set_xticks([0, 25, 50, 75, 100])
    ax.set_yticks(range(3), INTRUDERS)
    ax.tick_params(axis="y", length=0, labelcolor=look.DARK)

    def move(now):
        values = [now.believed, now.guessed, now.same]
        for row, value in enumerate(values):
            color = [DISCO, look.BLUE, look.LIGHT][row]
            ax.barh(row, 100, 0.6, facecolor="white", edgecolor=look.SOFT, linewidth=0.8)
            ax.barh(row, value, 0.6, color=color)
            style = {"va": "center", "fontweight": "bold", "annotation_clip": False}
            look.label(ax, value, row, percent(value), away=(5, 0), **style)
        tiles = [
            Tile("DiSCO", percent(now.believed), "believes single answers", DISCO),
            Tile("plain guess", percent(now.guessed), "guesses for everyone", look.BLUE),
            Tile("commonest", percent(now.same), "one answer for all", look.LIGHT),
        ]
        return Shown(_say_guess(now), tiles)

    return move


def _say_guess(now):
    """Say which of the intruders is right more often."""
    *_, asked_for = plain_names([*now.keys, now.target], now).values()
    looked_at = listing(labels(now.looked_at, now).values())
    rows = f"the rows with the same {looked_at}" if now.looked_at else "all rows"
    return (
        f"About {asked_for} the commonest answer of {rows} is right "
        f"{_compared(now.guessed, now.believed)} single answers under all {len(now.keys)} keys, "
        f"and {_compared(now.guessed, now.same)} the same answer for everybody."
    )


def _compared(value, other):
    """Compare how often two intruders are right, as far as it can be read."""
    if say_percent(value) == say_percent(other):
        return "as often as"
    return "more often than" if value > other else "less often than"


# ------------------------------------------------------------------------------------- identity


@picture(height=3.0, touch="Click a step to let the intruder know the keys up to there.")
def identity_picture(ax, n, top=100):
    """Draw how many people are alone as n keys are added; `top` is where the axis ends."""
    title = "Alone with their keys: in the original (UiO, left), in both files (repU, right)"
    look.tidy(ax, title, "", "% of the people", grid="y")
    ax.set(xlim=(-0.5, n - 0.5), ylim=(0, top))
    ax.set_xticks(range(n), [f"{counted(k, 'key', 'keys')}\n" for k in range(1, n + 1)])
    ax.set_yticks(range(0, min(top, 100) + 1, 20))
    ax.tick_params(axis="x", length=0)

    def move(steps):
        names = labels(steps.index, steps)
        if len(steps) < n:
            words = "click to add\nthe next key"
            look.label(ax, len(steps), 0, words, look.GREY, away=(0, 8), ha="center")
        for place, (key, row) in enumerate(steps.iterrows()):
            word = names[key] if place == 0 else f"+ {names[key]}"
            style = {"ha": "center", "va": "top", "fontweight": "bold", "annotation_clip": False}
            look.label(ax, place, 0, word, away=(0, -19), **style)
            _draw_alone(ax, place, row, is_last=place == len(steps) - 1)
        last = steps.iloc[-1]
        tiles = [
            Tile("UiO", percent(last.UiO), "alone in the original", DORIG),
            Tile("UiOiS", percent(last.UiOiS), "alone, and found", look.LIGHT),
            Tile("repU", percent(last.repU), "alone in both files", DISCO),
        ]
        return Shown(_say_identity(steps), tiles, _step_marks(ax, steps, n))

    return move


def _draw_alone(ax, place, row, is_last):
    """Draw UiO and repU of one step, with their numbers; the last step names them."""
    for x, name, role in ((place - 0.2, "UiO", "confidential"), (place + 0.2, "repU", "synthetic")):
        ax.bar(x, row[name], 0.36, **look.BARS[role])
        words = f"{name}\n{percent(row[name])}" if is_last else percent(row[name])
        color = DISCO if name == "repU" else DORIG
        weight = "bold" if is_last else "normal"
        look.label(
            ax, x, row[name], words, color, away=(0, 3), ha="center", va="bottom", fontweight=weight
        )


def _step_marks(ax, steps, n):
    """Return a mark for every step, also for those that are not shown yet."""
    names = list(labels(steps.index, steps).values())
    bottom, top = ax.get_ylim()
    marks = []
    for place in range(n):
        words = f"{place + 1} keys: not shown yet"
        height = 0
        if place < len(steps):
            row = steps.iloc[place]
            height = row.UiO
            words = f"knowing {listing(names[: place + 1])}\nUiO {percent(row.UiO)}: alone in the "
            words += f"original\nrepU {percent(row.repU)}: alone in both files"
        box = (place - 0.5, bottom, place + 0.5, top)
        marks.append(Mark(ax, place, height, words, {"known": place + 1}, box))
    return marks


def _say_identity(steps):
    """Say what the last key adds."""
    keys = list(plain_names(steps.index, steps).values())
    last = steps.iloc[-1]
    if len(steps) == 1:
        alone = f"{percent(last.UiO)} of the people are" if last.UiO else "nobody is"
        return f"Knowing {keys[0]} only, {alone} alone in the original."
    added = last - steps.iloc[-2]
    return (
        f"Knowing {listing(keys)}: the last of these keys {_adds(added.UiO)} UiO, and "
        f"{_adds(added.repU)} repU."
    )


def _adds(points):
    """Say how much a key adds to a measure, or takes from it.

    >>> _adds(37.02), _adds(-0.3), _adds(0.01)
    ('adds 37 points to', 'takes 0.3 points from', 'adds nothing to')
    """
    size = say_percent(abs(points))
    if size == "0":
        return "adds nothing to"
    return f"adds {size} points to" if points > 0 else f"takes {size} points from"


def end_of_axis(highest):
    """Return where an axis of per cent ends: a multiple of 10, with room for words on a bar.

    >>> end_of_axis(48), end_of_axis(0.1), end_of_axis(99)
    (70, 20, 130)
    """
    return max(20, 10 * int(np.ceil(1.3 * highest / 10)))


def identity(steps: pd.DataFrame) -> look.Standing:
    """Show UiO and repU as keys are added; `steps` has a row for each key, in their order."""
    still = replace(identity_picture, size={"height": 2.2})
    return still.show(steps, len(steps), end_of_axis(steps.UiO.max()))


# --------------------------------------------------------------------------- all targets at once

MARK = {"linestyle": "none", "markersize": 10}
IN_ORIGINAL = MARK | {"marker": "D", "color": DORIG, "markerfacecolor": "white"}
IN_SYNTHETIC = MARK | {"marker": "o", "color": DISCO}
ALL_OF_THEM = 100  # per cent
FLAGS_AT = 116  # where the words about flags begin, behind all numbers


@picture(height=2.4, touch="Point at a row to read it.")
def targets_picture(ax, words):
    """Draw a row for each target; `words` are their names."""
    title = "What the synthetic file gives away, and what the original would (% of the people)"
    look.tidy(ax, title, xlim=(-13, 170), ylim=(len(words) - 0.5, -0.75))
    ax.set_xticks([])
    ax.set_yticks(range(len(words)), words)
    ax.tick_params(length=0, labelcolor=look.DARK)
    ax.spines[:].set_visible(False)
    ax.hlines(range(len(words)), 0, ALL_OF_THEM, color=look.SOFT, linewidth=0.6, zorder=0)

    def move(table):
        ax.hlines(table.index, table.DiSCO, table.Dorig, color=look.LIGHT, linewidth=2, zorder=1)
        ax.plot(table.Dorig, table.index, **IN_ORIGINAL)
        ax.plot(table.DiSCO, table.index, **IN_SYNTHETIC)
        for row in table.itertuples():
            _write_target(ax, row, is_first=row.Index == table.index.min())
        marks = [_target_mark(ax, row, words) for row in table.sort_index().itertuples()]
        return Shown(_say_targets(table), _targets_tiles(table), marks)

    return move


def _write_target(ax, row, is_first):
    """Write the numbers of a target beside its marks, and its flags behind them."""
    numbers = [("DiSCO", row.DiSCO, DISCO), ("Dorig", row.Dorig, DORIG)]
    numbers.sort(key=lambda number: number[1])  # the lower one is written on the left
    for (name, value, color), side in zip(numbers, (-1, 1), strict=True):
        style = {"ha": "left" if side > 0 else "right", "va": "center"}
        look.label(ax, value, row.Index, f"{value:.1f}", color, away=(9 * side, 0), **style)
        if is_first:
            style = {"ha": style["ha"], "va": "bottom", "fontweight": "bold"}
            look.label(ax, value, row.Index, name, color, away=(2 * side, 8), **style)
    flags = _flags(row)
    if flags:
        style = {"va": "center", "fontweight": "bold"}
        look.label(ax, FLAGS_AT, row.Index, f"⚑ {', '.join(flags)}", look.ORANGE, **style)


def _flags(row):
    """Name the flags of a target."""
    flags = {"one-way": row.one_way, "two-way": row.two_way}
    return [name for name, is_raised in flags.items() if is_raised]


def _target_mark(ax, row, words):
    """Read a target aloud."""
    text = f"{words[row.Index]}\nDiSCO {row.DiSCO:.1f} %, Dorig {row.Dorig:.1f} %"
    flags = _flags(row)
    text += f"\nflagged: {listing(flags)}" if flags else "\nno flag"
    box = (-13, row.Index - 0.5, 170, row.Index + 0.5)
    return Mark(ax, row.DiSCO, row.Index, text, box=box)


def _targets_tiles(table):
    """Return the highest DiSCO, and what it is compared with."""
    most = table.iloc[0]
    flagged = int((table.one_way | table.two_way).sum())
    name = shortened_label(labels([most.target], table)[most.target], 16)
    return [
        Tile("highest DiSCO", percent(most.DiSCO), name, DISCO),
        Tile("its Dorig", percent(most.Dorig), "the original", DORIG),
        Tile("flagged", f"{flagged} of {len(table)}", "targets", look.ORANGE),
        Tile("repU", percent(most.repU), f"UiO {percent(most.UiO)}", DISCO),
    ]


def _say_targets(table):
    """Say which targets are disclosed most and least, and which ask for a look."""
    first = plain_names(table.target, table)
    then = labels(table.target, table)
    most = table.target.iloc[0]
    least = table.target.iloc[-1]
    flagged = [then[row.target] for row in table.itertuples() if _flags(row)]
    note = f"Flagged, so have a look: {listing(flagged)}."
    if not flagged:
        note = "No target is flagged; that does not say that nothing is disclosed."
    whose = ""
    if table.UiO.nunique() > 1:
        whose = f" UiO and repU differ from target to target; above are those of {then[most]}."
    ends = f"Disclosed most is {first[most]}, least {first[least]}. "
    if table.DiSCO.nunique() == 1:
        ends = "All targets are disclosed alike. "
    return f"{ends if len(table) > 1 else ''}{note}{whose}"


def targets(table) -> look.Standing:
    """Show Dorig and DiSCO of every target of `multi_disclosure`, with its flags."""
    height = max(1.6, 0.7 + 0.34 * len(table))  # inches: a row for each target
    words = [shortened_label(word) for word in plain_names(table.target, table).values()]
    table = table.reset_index(drop=True)
    return replace(targets_picture, size={"height": height}).show(table, words)


def shortened_label(name, most=26):
    """Return a name that can be drawn: printable, short, and never a formula.

    >>> print(shortened_label("a name of far too many characters"))
    a name of far too many c…
    """
    text = "".join(sign if sign.isprintable() else " " for sign in str(name))
    text = text if len(text) <= most else text[: most - 2] + "…"
    return text


# ----------------------------------------------------------------------------------- exclusions


@picture(height=3.0, touch="Point at a cell to read it.")
def exclusions_picture(ax, variants, words):
    """Draw a table: a row for each target, a column for each kind of exclusion."""
    title = "% of the people disclosed, by what is left out"
    look.tidy(ax, title, xlim=(0, len(variants)), ylim=(len(words) + 0.05, -0.05))
    ax.set_xticks(range(len(variants)), [fill(name, 14) for name in variants], ha="left")
    ax.set_yticks(np.arange(len(words)) + 0.5, words)
    ax.xaxis.tick_top()
    ax.tick_params(length=0, labelcolor=look.DARK)
    ax.spines[:].set_visible(False)
    ax.hlines(range(1, len(words)), 0, len(variants), color=look.SOFT, linewidth=0.6)

    def move(now):
        is_disco = now.measure == "DiSCO"
        for (row, column), value in np.ndenumerate(now.table):
            _draw_cell(ax, row, column, value, now.original.iloc[row, column], is_disco)
        marks = _cell_marks(ax, now, list(variants), words)
        return Shown(_say_exclusions(now), _exclusions_tiles(now), marks)

    return move


CELL = 0.9  # how wide 100 % is, in columns


def _draw_cell(ax, row, column, value, original, is_disco):
    """Draw one cell: a bar of Dorig, on it DiSCO where it is asked for, and the number above."""
    outline = {"edgecolor": look.LIGHT, "facecolor": "white", "linewidth": 1}
    style = outline if is_disco else look.BARS["confidential"] | {"linewidth": 1}
    ax.barh(row + 0.68, CELL * original / 100, 0.34, column, **style)
    if is_disco:
        ax.barh(row + 0.68, CELL * value / 100, 0.34, column, color=DISCO)
    color = DISCO if is_disco else DORIG
    style = {"va": "center", "fontweight": "bold", "size": look.NORMAL}
    look.label(ax, column, row + 0.27, f"{value:.1f} %", color, away=(0, 0), **style)


def _cell_marks(ax, now, variants, words):
    """Return a mark for every cell."""
    marks = []
    for (row, column), original in np.ndenumerate(now.original):
        disco = now.disco.iloc[row, column]
        text = f"{words[row]}\n{variants[column]}\nDorig {original:.1f} %, DiSCO {disco:.1f} %"
        box = (column, row, column + 1, row + 1)
        marks.append(Mark(ax, column + 0.3, row + 0.5, text, box=box))
    return marks


def _exclusions_tiles(now):
    """Return what leaving things out does to the target that loses most."""
    values = now.table.loc[now.lost].map(percent)
    name = shortened_label(labels([now.lost], now.table)[now.lost], 18)
    color = DISCO if now.measure == "DiSCO" else DORIG
    return [
        Tile("nothing left out", values["nothing left out"], name, color),
        Tile("commonest left out", values["commonest levels"], name, color),
        Tile("denominators of 1", values["denominators above 1 alone"], name, color),
    ]


def _say_exclusions(now):
    """Read aloud what leaving things out does to the target that loses most."""
    lost = plain_names([now.lost], now.table)[now.lost]
    values = now.table.loc[now.lost].map(percent)
    if values["nothing left out"] == values["commonest levels"]:
        return f"Leaving out the commonest levels takes nothing from any target's {now.measure}."
    return (
        f"{now.measure} of {lost} falls most when the commonest levels are left out. It is "
        f"{values['+ missing values']} without missing values, too, and "
        f"{values['+ denominators above 1']} if only denominators of 1 count as well."
    )


# --------------------------------------------------------------------------------- synthesizers

A_FILE = {"marker": "o", "linestyle": "none", "color": look.GREEN, "markersize": 7}
A_FILE |= {"markerfacecolor": "#009e7366"}
LOWEST = 0.6  # the pMSE ratio at the left edge; a copy, which has 0, stands there too
# What is said of a synthetic file, over which axis, and what the original has there.
SYNTHESIZERS = {
    "repU": ("Identity: repU", "% of the people", "UiO"),
    "DiSCO": ("Attribute: DiSCO", "% of the people", "Dorig"),
    "ratio": ("Usefulness: pMSE ratio", "near 1 is best", None),
}


def synthesizers(results) -> look.Standing:
    """Show risk and usefulness of files that were synthesized in several ways.

    `results` has a row for each file: the column `synthesizer`, then UiO, repU, Dorig and DiSCO in
    per cent, and the pMSE `ratio`.
    """
    mean = results.groupby("synthesizer", sort=False).mean(numeric_only=True)
    figure, axes = look.figure(1.3 + 0.36 * len(mean), 3, sharey=True)
    _draw_rows(axes, mean)
    _draw_files(axes, results, mean)
    words = [
        f"{row.Index}: repU {row.repU:.0f} %, DiSCO {row.DiSCO:.0f} %, pMSE ratio {row.ratio:.1f}"
        for row in mean.itertuples()
    ]
    original = f"the original: UiO {mean.UiO.mean():.0f} %, Dorig {mean.Dorig.mean():.0f} %"
    sentence = f"Means over the files. {'; '.join(words)}; {original}."
    most = mean.DiSCO.idxmax()
    least = mean.DiSCO.idxmin()
    tiles = [
        Tile("highest DiSCO", percent(mean.DiSCO[most]), shortened_label(most, 20), DISCO),
        Tile("lowest DiSCO", percent(mean.DiSCO[least]), shortened_label(least, 20), DISCO),
        Tile("Dorig", percent(mean.Dorig.mean()), "by the original", DORIG),
    ]
    return look.show(figure, sentence, tiles)


def _draw_rows(axes, mean):
    """Draw a row for each synthesizer, and a line for what the original itself gives away."""
    for ax, (title, below, beside) in zip(axes, SYNTHESIZERS.values(), strict=True):
        look.tidy(ax, title, below, xlim=(0, 100), ylim=(len(mean) - 0.4, -1.1))
        across = {"transform": ax.get_yaxis_transform(), "color": look.SOFT, "linewidth": 0.6}
        ax.hlines(range(len(mean)), 0, 1, **across)
        ax.tick_params(axis="y", length=0, labelcolor=look.DARK)
        ax.spines["left"].set_visible(False)
        if beside:
            value = mean[beside].mean()
            ax.vlines(value, -0.6, len(mean) - 0.4, **look.LINES["confidential"], zorder=4)
            words = f"{beside} {value:.0f} %"
            look.label(ax, value, -0.7, words, DORIG, ha="center", va="bottom")
    axes[0].set_yticks(range(len(mean)), mean.index)
    ticks = [1, 3, 10, 30]
    axes[2].set_xticks(np.log10(ticks), ticks)
    axes[2].set_xlim(np.log10(LOWEST), np.log10(max(3.5 * mean.ratio.max(), 12)))


def _draw_files(axes, results, mean):
    """Show every file as a dot, and the mean of each synthesizer beside its dots."""
    row_of = {name: row for row, name in enumerate(mean.index)}
    beside = {"va": "center", "fontweight": "bold", "zorder": 5, "bbox": look.ON_PAPER}
    for ax, name in zip(axes, SYNTHESIZERS, strict=True):
        as_drawn = results[name]
        if name == "ratio":
            as_drawn = np.log10(as_drawn.clip(lower=LOWEST))
        ax.plot(as_drawn, results.synthesizer.map(row_of), **A_FILE, clip_on=False)
        highest = as_drawn.groupby(results.synthesizer).max()
        for synthesizer, row in row_of.items():
            value = mean.loc[synthesizer, name]
            number = f"{value:.1f}" if name == "ratio" else f"{value:.0f}"
            look.label(ax, highest[synthesizer], row, number, away=(9, 0), **beside)
