"""Panels of lesson 05: what if the intruder knows more?"""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.intruder import intruder_risk
from synthrisk_edu.plots import intruder as pictures
from synthrisk_edu.plots import look
from synthrisk_edu.widgets.panel import Canvas, Panel, choice, slider, step_slider
from synthrisk_edu.words import say

MARGINS = {"left": 0.09, "right": 0.97, "top": 0.9, "bottom": 0.16}

# (a) one target


def target_panel(confidential, draws, known, synthesized, *, target=0, threshold=0.2):
    """Build the panel of one target; `draws` maps what the intruder knows to a list of draws."""
    figure, ax = look.figure(3.5, margins=MARGINS)
    risks = {
        name: intruder_risk(confidential, one, known, synthesized, threshold=threshold)
        for name, one in draws.items()
    }

    def compute(target, knows):
        return SimpleNamespace(target=target, risk=risks[knows])

    def draw(ax, now):
        probabilities = now.risk.match_probabilities(now.target)
        pictures.draw_probabilities(ax, probabilities, now.target, threshold)

    return Panel(
        {
            "target": slider("target", 0, len(confidential) - 1, target),
            "knows": choice("the intruder has", list(draws)),
        },
        compute,
        draw,
        lambda now: now.risk.explain(now.target),
        Canvas(figure, ax, pictures.frame_probabilities),
    )


# (b) the threshold


def threshold_panel(confidential, released, known, synthesized, files=(2, 3, 5, 10)):
    """Build the panel of the threshold, for several numbers of released data sets."""
    thresholds = [round(0.05 * k, 2) for k in range(1, 19)]
    risks = {m: intruder_risk(confidential, released[:m], known, synthesized) for m in files}
    tables = {
        m: pd.DataFrame({one: risk.summary(one) for one in thresholds}).T
        for m, risk in risks.items()
    }
    top = 1.05 * max(table.to_numpy().max() for table in tables.values())
    figure, ax = look.figure(3.5, margins=MARGINS)

    def frame(ax):
        pictures.frame_threshold(ax, thresholds[0], thresholds[-1], top)

    steps = [(f"{one:.2f}", one) for one in thresholds]
    return Panel(
        {
            "threshold": step_slider("threshold", steps, 0.2),
            "m": choice("released data sets m", [(str(m), m) for m in files]),
        },
        lambda threshold, m: SimpleNamespace(threshold=threshold, m=m, table=tables[m]),
        lambda ax, now: pictures.draw_threshold(ax, now.table, now.threshold),
        say_threshold,
        Canvas(figure, ax, frame),
    )


def say_threshold(now):
    """Read the three risks aloud."""
    row = now.table.loc[now.threshold]
    return (
        f"With m = {now.m} released data sets, {row.perceived:.0f} youths have a record whose "
        f"probability exceeds {say(now.threshold)}: so many matches the intruder perceives. The "
        f"expected number of right ones is {say(row.expected)}, and {row.true:.0f} are right and "
        "alone on top, whatever the threshold."
    )


# (c) knowledge


def knowledge_panel(table):
    """Build the panel of knowledge; `table` has columns m, knows, perceived, expected, true."""
    order = list(dict.fromkeys(table.knows))
    files = sorted(table.m.unique())
    mean = table.groupby(["m", "knows"])[["perceived", "expected", "true"]].mean()
    figure, ax = look.figure(3.7, margins=MARGINS | {"bottom": 0.24})
    top = 1.1 * mean.to_numpy().max()

    def frame(ax):
        pictures.frame_knowledge(ax, [name.replace(" ", "\n", 1) for name in order], top)

    def compute(m, step):
        rows = mean.loc[m].loc[order]
        return SimpleNamespace(m=m, step=step, knows=order[step], rows=rows)

    return Panel(
        {
            "m": choice("released data sets m", [(str(m), int(m)) for m in files]),
            "step": step_slider("the intruder knows", [(n, k) for k, n in enumerate(order)], 0),
        },
        compute,
        lambda ax, now: pictures.draw_knowledge(ax, now.rows, now.step),
        say_knowledge,
        Canvas(figure, ax, frame),
    )


def say_knowledge(now):
    """Read the risks of one kind of knowledge aloud."""
    row = now.rows.iloc[now.step]
    return (
        f"Knowing {now.knows}, with m = {now.m}: {row.perceived:.0f} perceived matches, "
        f"{row.expected:.1f} expected to be right, {row.true:.1f} right and alone on top, on "
        "average over several runs."
    )


# (d) the population


def population_panel(confidential, draws, known, synthesized, *, target=0):
    """Build the panel of the sampling fraction: the target may not be in the file."""
    fractions = np.round(np.concatenate([[0.01, 0.02], np.arange(0.05, 1.001, 0.05)]), 2)
    n, question = len(confidential), (confidential, draws, known, synthesized)
    risks = {one: intruder_risk(*question, weights=np.full(n, 1 / one)) for one in fractions}
    figure, ax = look.figure(3.4, margins=MARGINS)

    def compute(target, fraction):
        ends = [risks[one].match_probabilities(target) for one in fractions]
        curve = pd.DataFrame(
            {"highest": [p.iloc[:-1].max() for p in ends], "outside": [p.iloc[-1] for p in ends]},
            index=fractions,
        )
        return SimpleNamespace(target=target, fraction=fraction, curve=curve)

    def say_population(now):
        row = now.curve.loc[now.fraction]
        return (
            f"If {say(100 * now.fraction)} % of all such youths are in the file, the most likely "
            f"record of target {now.target} has a probability of {say(row.highest)}, and with "
            f"{say(row.outside)} the target is not in the file at all."
        )

    return Panel(
        {
            "target": slider("target", 0, len(confidential) - 1, target),
            "fraction": step_slider(
                "sampling fraction", [(f"{100 * f:.0f} %", f) for f in fractions], fractions[5]
            ),
        },
        compute,
        lambda ax, now: pictures.draw_population(ax, now.curve, now.fraction),
        say_population,
        Canvas(figure, ax, pictures.frame_population),
    )
