"""Panels of lesson 05: what if the intruder knows more?"""

from collections.abc import Mapping
from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.cells import number_combinations
from synthrisk_edu.intruder import by_sampling_fraction, intruder_baselines, intruder_risk
from synthrisk_edu.plots import intruder as pictures
from synthrisk_edu.plots import look
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.widgets.panel import Canvas, Panel, choice, menu, picker, step_slider
from synthrisk_edu.words import about, counted, say

WRONG = [(f"{share} %", share) for share in (0, 5, 10, 20, 30, 50, 75, 100)]
MARGINS = {"left": 0.09, "right": 0.97, "top": 0.9, "bottom": 0.16}


def target_panel(confidential, draws, known, synthesized, *, target=0, threshold=0.2):
    """Build panel (a), of one target; `draws` maps what the intruder knows to a list of draws."""
    if not isinstance(draws, Mapping):
        raise TypeError("draws must be a mapping from what the intruder knows to a list of draws.")

    @cache
    def risk(knows):
        """The risk from one list of draws, when it is looked at for the first time."""
        return intruder_risk(confidential, draws[knows], known, synthesized, threshold=threshold)

    def compute(target, knows):
        return SimpleNamespace(target=target, risk=risk(knows))

    def draw(ax, now):
        probabilities = now.risk.match_probabilities(now.target)
        pictures.draw_probabilities(ax, probabilities, now.target, threshold)

    controls = {
        "target": picker("target", len(confidential), target),
        "knows": choice("the intruder has", list(draws)),
    }
    canvas = Canvas(*look.figure(3.5, margins=MARGINS), pictures.frame_probabilities)
    return Panel(controls, compute, draw, lambda now: now.risk.explain(now.target), canvas)


def threshold_panel(confidential, released, known, synthesized, files=(2, 3, 5, 10)):
    """Build panel (b), of the threshold, for several numbers of released data sets.

    What the intruder holds about a target, t, may be wrong: for a share of the targets the first
    synthesized variable is that of somebody else.
    """
    thresholds = [round(0.05 * k, 2) for k in range(2, 19)]
    for m in files:  # of fewer files than it says the risk would be another one
        checks.number("each of files", m, 1, len(released), whole=True)

    @cache
    def table(m, wrong):
        """The three risks at every threshold, if t is wrong for so many per cent of the targets."""
        t = redraw(confidential, synthesized[:1], [], wrong / 100, seed=1)
        risk = intruder_risk(t, released[:m], known, synthesized)
        return pd.DataFrame({one: risk.summary(one) for one in thresholds}).T

    baselines = intruder_baselines(confidential, known, synthesized)
    highest = pd.concat([table(m, 0) for m in files]).max()
    top = 1.05 * max(highest.perceived, baselines.expected["confidential"])
    figure = look.figure(3.6, 2, margins=MARGINS | {"top": 0.78, "wspace": 0.16})
    frame = thresholds[0], thresholds[-1], [top, min(top, 2.5 * highest.expected)], baselines
    steps = [(f"{one:.2f}", one) for one in thresholds]
    return Panel(
        {
            "threshold": step_slider("threshold", steps, 0.2),
            "m": choice("released files m", files),
            "wrong": step_slider("t is wrong for", WRONG, 0),
        },
        lambda threshold, m, wrong: SimpleNamespace(
            threshold=threshold, m=m, wrong=wrong, table=table(m, wrong)
        ),
        lambda axes, now: pictures.draw_threshold(axes, now.table, now.threshold),
        lambda now: f"{say_threshold(now)} {say_baselines(baselines)}",
        Canvas(*figure, pictures.frame_threshold, *frame),
    )


def say_threshold(now):
    """Read the three risks aloud."""
    row = now.table.loc[now.threshold]
    wrong = f", and what is known of {now.wrong} % of the targets is wrong" if now.wrong else ""
    return (
        f"There are m = {now.m} files, the threshold is {say(now.threshold)}{wrong}. The intruder "
        f"believes in {counted(round(row.perceived), 'match', 'matches')}. Of the guesses for all "
        f"youths about {row.expected:.0f} would be right; for "
        f"{counted(row.true, 'youth', 'youths')} the true record alone is the most likely one."
    )


def say_baselines(baselines):
    """Say what the risk is compared with."""
    confidential, floor = baselines.expected[["confidential", "floor"]]
    return (
        f"(In the confidential file {confidential:.0f} guesses would be right; by the known "
        f"variables alone, the floor, {floor:.0f}.)"
    )


def knowledge_panel(table, baselines):
    """Build panel (c), of knowledge.

    `table` has columns run, m, knows, perceived, expected and true; `baselines` comes from
    `intruder_baselines`.
    """
    order = list(dict.fromkeys(table.knows))
    files = sorted(table.m.unique().tolist())
    risks = table.groupby(["m", "knows"])[["perceived", "expected", "true"]]
    runs = risks.agg(["mean", "min", "max"])
    figure = look.figure(3.7, margins=MARGINS | {"top": 0.84, "bottom": 0.22})
    top = 1.05 * max(baselines.expected["confidential"], runs.max(axis=None))

    def compute(m, step):
        return SimpleNamespace(m=m, step=step, knows=order[step], runs=runs.loc[m].loc[order])

    return Panel(
        {
            "m": choice("released files m", files),
            "step": menu("the intruder knows", [(name, step) for step, name in enumerate(order)]),
        },
        compute,
        lambda ax, now: pictures.draw_knowledge(ax, now.runs, now.step),
        lambda now: f"{say_knowledge(now, table.run.nunique())} {say_baselines(baselines)}",
        Canvas(*figure, pictures.frame_knowledge, order, top, baselines),
    )


def say_knowledge(now, runs):
    """Read the risks of one kind of knowledge aloud."""
    row = now.runs.iloc[now.step]
    expected = row["expected"]
    return (
        f"What the intruder knows: {now.knows}; released files: m = {now.m}. The intruder believes "
        f"to have found {counted(round(row['perceived', 'mean']), 'youth', 'youths')}, and "
        f"{expected['mean']:.0f} of all guesses are right. These are means of {runs} runs; in "
        f"single runs {expected['min']:.0f} to {expected['max']:.0f} are right."
    )


def population_panel(confidential, draws, known, synthesized, *, target=0):
    """Build panel (d), of the sampling fraction: the target may not be in the file."""
    fractions = np.round(np.concatenate([[0.01, 0.02], np.arange(0.05, 1.001, 0.05)]), 2)
    risk = intruder_risk(confidential, draws, known, synthesized)
    (t,) = number_combinations([confidential], [*known, *synthesized])
    steps = [(f"{100 * f:.0f} %", f) for f in fractions]

    @lru_cache(maxsize=64)
    def curve(target):
        """The probabilities of a target against the sampling fraction."""
        return by_sampling_fraction(risk, target, fractions)

    def compute(target, fraction):
        N_t = int((t == t[target]).sum())
        now = {"target": target, "fraction": fraction, "curve": curve(target)}
        return SimpleNamespace(**now, N_t=N_t)

    def say_population(now):
        """Read the probabilities aloud."""
        row = now.curve.loc[now.fraction]
        return (
            f"{counted(now.N_t, 'youth of the population fits', 'youths of the population fit')} "
            f"target {now.target}. If {say(100 * now.fraction)} % of all are in the file, the most "
            f"likely record has a probability of {about(row.census)} for an intruder who has the "
            f"census, and of {about(row.weights)} for one who goes by weights. With the census, "
            f"the target is elsewhere with a probability of {about(row.outside)}."
        )

    return Panel(
        {
            "target": picker("target", len(confidential), target),
            "fraction": step_slider("sampling fraction", steps, fractions[5]),
        },
        compute,
        lambda ax, now: pictures.draw_population(ax, now.curve, now.fraction),
        say_population,
        Canvas(*look.figure(3.4, margins=MARGINS), pictures.frame_population),
    )
