"""Panels of lessons 00 and 01."""

from functools import lru_cache, partial
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.match import baseline, floor, match, three_matches
from synthrisk_edu.plots import look
from synthrisk_edu.plots import matching as pictures
from synthrisk_edu.sweep import narrow_down, share_curve
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.widgets.panel import Canvas, Panel, Ticks, percent_slider, picker, slider
from synthrisk_edu.words import about, counted, listing, say

ROWS = 5  # of the line-up
ONE = {"left": 0.04, "right": 0.98, "top": 0.89, "bottom": 0.16}  # margins around one picture


def narrowing_panel(data, variables, person=0):
    """Build the panel of lesson 00: move the number of facts, see how many persons still fit."""
    figure = look.figure(3.9, margins=ONE | {"left": 0.53})
    canvas = Canvas(*figure, pictures.frame_narrowing, len(variables), len(data))
    controls = {
        "person": picker("person", len(data), person),
        "facts": slider("facts learnt", 0, len(variables), 2),
    }
    compute = partial(narrow_down, data, variables)
    return Panel(controls, compute, pictures.draw_narrowing, say_narrowing, canvas)


def say_narrowing(steps):
    """Read the last step aloud."""
    left, facts = steps.left.iloc[-1], len(steps) - 1
    if facts == 0:
        return f"Knowing nothing, the intruder faces all {left:,} persons."
    known = listing(steps.fact[1:])
    if left == 1:
        return f"Knowing {known}, one person is left: this combination is unique in the file."
    return f"Knowing {known}, {left:,} of the {steps.left.iloc[0]:,} persons still fit."


def redraw_ticked(data, variables, seed, knows, synthesized):
    """Redraw the ticked variables among records that agree on all others: what `match` needs.

    What the intruder knows is split into what was left as it was and what was synthesized.
    """
    given = [name for name in variables if name not in synthesized]
    synthetic = redraw(data, list(synthesized), given, seed=seed)
    known = [name for name in knows if name not in synthesized]
    return data, synthetic, known, [name for name in knows if name in synthesized]


NOTHING_KNOWN = (
    "An intruder who knows nothing cannot look for anybody: every record fits. "
    "Tick at least one fact."
)


def candidates_panel(data, variables, ticked, *, target=0, seed=1):
    """Build panel 01 (a), of one target: who could this be?"""
    plain = plain_names(variables, data)

    def compute(target, knows, synthesized):
        if not knows:
            return None
        found = match(*redraw_ticked(data, variables, seed, knows, synthesized))
        return SimpleNamespace(match=found, target=target)

    return Panel(
        {
            "target": picker("target", len(data), target),
            "knows": Ticks("the intruder knows", plain, variables),
            "synthesized": Ticks("synthesized", plain, ticked),
        },
        compute,
        lambda ax, now: pictures.draw_lineup(ax, now.match, now.target, rows=ROWS),
        lambda now: now.match.explain(now.target),
        Canvas(*look.figure(1.9, margins=ONE | {"top": 0.86}), pictures.frame_lineup, rows=ROWS),
        nothing=NOTHING_KNOWN,
        table=partial(list_candidates, variables),
    )


def list_candidates(variables, result, most=50):
    """List the candidates, the true record first and marked."""
    if result is None:
        return pd.DataFrame()
    i, found = result.target, np.flatnonzero(result.match.matches(result.target))
    places = [i, *[j for j in found if j != i]][: most + 1]
    table = result.match.synthetic[list(variables)].iloc[places].astype(str)
    table = table.rename(columns=labels(variables, result.match.confidential))
    table.insert(0, "record", [str(place) for place in places])
    note = ["true record, a candidate" if i in found else "true record, NOT a candidate"]
    table = table.assign(role=note + ["candidate"] * (len(places) - 1))
    hidden = len(found) - (len(places) - (i not in found))
    if hidden:
        table.loc["more"] = ["…"] * (len(table.columns) - 1) + [f"and {hidden:,} more candidates"]
    return table


def file_panel(data, variables, ticked, *, seed=1):
    """Build panel 01 (b), of the whole file: c and the three summaries as variables are ticked."""
    margins = {"left": 0.1, "right": 0.99, "top": 0.84, "bottom": 0.3, "wspace": 0.25}
    figure = look.figure(3.9, 4, margins=margins, width_ratios=pictures.FILE_WIDTHS)
    limits = pictures.summary_limits(baseline(data, variables, []))

    @lru_cache(maxsize=16)
    def compute(knows, synthesized):
        if not knows:
            return None
        return three_matches(*redraw_ticked(data, variables, seed, knows, synthesized))

    def frame(axes):
        pictures.frame_match_counts(axes[0], len(data))
        pictures.frame_summaries(axes[1:], limits, list(look.BARS))

    def draw(axes, matches):
        pictures.draw_match_counts(axes[0], matches)
        pictures.draw_summaries(axes[1:], matches)

    plain = plain_names(variables, data)
    controls = {
        "knows": Ticks("the intruder knows", plain, variables),
        "synthesized": Ticks("synthesized", plain, ticked),
    }
    return Panel(controls, compute, draw, say_file, Canvas(*figure, frame), nothing=NOTHING_KNOWN)


def say_file(matches):
    """Read the three lines aloud: confidential, synthetic and floor."""
    asked = matches["synthetic"]
    n, summary = len(asked.records), asked.summary()
    risk = {name: about(one.summary().expected_match_risk) for name, one in matches.items()}
    question = asked.known + asked.synthesized, asked.confidential
    first, then = plain_names(*question), labels(*question)
    used = {"": asked.known, "the synthesized ": asked.synthesized}
    parts = [how + listing(first[name] for name in names) for how, names in used.items() if names]
    alone = f"matching on {listing(then[name] for name in asked.known)} alone"
    alone = alone if asked.known else "pointing at anybody"
    return (
        f"Matching on {', and on '.join(parts)}, an intruder expects to be right about "
        f"{risk['synthetic']} times in {n:,}. In the confidential file it would be "
        f"{risk['confidential']}. The floor, {alone}, is {risk['floor']}. {say_unique(summary)}"
    )


def say_unique(summary):
    """Read aloud how many unique matches there are, and how many of them are false."""
    s = summary.unique_matches
    if s == 0:
        return "Nobody has a unique match, so the false match rate is undefined."
    false = round(s * summary.false_match_rate)
    if s == 1:
        return f"1 person has a unique match, and it is {'false' if false else 'true'}."
    wrong = counted(false, "of these is", "of these are") if false else "none of these is"
    wrong = "all of these are" if false == s else wrong
    return f"{s:,.0f} persons have a unique match; {wrong} false."


def share_panel(data, known, synthesized, *, seed=1):
    """Build panel 01 (c), of the share: what if only some records are redrawn?"""
    curve = share_curve(data, known, synthesized, seed=seed)
    lowest = floor(data, known)
    margins = {"left": 0.06, "right": 0.98, "top": 0.82, "bottom": 0.18, "wspace": 0.4}
    figure = look.figure(3.3, 3, margins=margins)

    def compute(percent):
        now = curve[curve.share == percent / 100].iloc[0]
        return SimpleNamespace(now=now, start=curve.iloc[0], floor=lowest.summary())

    return Panel(
        {"percent": percent_slider("records redrawn", 0, 100, 0, step=5)},
        compute,
        lambda axes, result: pictures.draw_share(axes, result.now),
        say_share,
        Canvas(*figure, pictures.frame_share, curve, lowest),
    )


def say_share(result):
    """Read the expected match risk at this share aloud, and what became of the unique matches."""
    risk, before, lowest = (
        about(row.expected_match_risk) for row in (result.now, result.start, result.floor)
    )
    share = f"{say(100 * result.now.share)} % of the records" if result.now.share else "no record"
    compared = f" With none redrawn it is {before}." if result.now.share else ""
    return (
        f"With {share} redrawn, the expected match risk is {risk}.{compared} An intruder who "
        f"ignores what was synthesized has {lowest}, the floor. {say_unique(result.now)}"
    )
