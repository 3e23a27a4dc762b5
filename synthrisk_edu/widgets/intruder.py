"""Panels of lesson 05: what if the intruder knows more?"""

from collections.abc import Mapping
from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.intruder import by_sampling_fraction, intruder_baselines, intruder_risk
from synthrisk_edu.plots import intruder as pictures
from synthrisk_edu.plots import look
from synthrisk_edu.widgets.panel import Canvas, Panel, choice, menu, picker, step_slider
from synthrisk_edu.words import about, counted, say

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
    """Build panel (b), of the threshold, for several numbers of released data sets."""
    thresholds = [round(0.05 * k, 2) for k in range(2, 19)]
    for m in files:  # of fewer files than it says the risk would be another one
        checks.number("each of files", m, 1, len(released), whole=True)
    risks = {m: intruder_risk(confidential, released[:m], known, synthesized) for m in files}
    tables = {
        m: pd.DataFrame({one: risk.summary(one) for one in thresholds}).T
        for m, risk in risks.items()
    }
    baselines = intruder_baselines(confidential, known, synthesized)
    highest = pd.concat(tables.values()).max()
    top = 1.05 * max(highest.perceived, baselines.expected["confidential"])
    figure = look.figure(3.6, 2, margins=MARGINS | {"top": 0.78, "wspace": 0.16})
    frame = thresholds[0], thresholds[-1], [top, min(top, 2.5 * highest.expected)], baselines
    steps = [(f"{one:.2f}", one) for one in thresholds]
    return Panel(
        {"threshold": step_slider("threshold", steps, 0.2), "m": choice("released files m", files)},
        lambda threshold, m: SimpleNamespace(threshold=threshold, m=m, table=tables[m]),
        lambda axes, now: pictures.draw_threshold(axes, now.table, now.threshold),
        lambda now: f"{say_threshold(now)} {say_baselines(baselines)}",
        Canvas(*figure, pictures.frame_threshold, *frame),
    )


def say_threshold(now):
    """Read the three risks aloud."""
    row = now.table.loc[now.threshold]
    return (
        f"With m = {now.m} files and a threshold of {say(now.threshold)}, the intruder believes in "
        f"{counted(round(row.perceived), 'match', 'matches')}. Of the guesses for all youths about "
        f"{row.expected:.0f} would be right; for {counted(row.true, 'youth', 'youths')} the true "
        "record alone is the most likely one."
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
    n, question = len(confidential), (confidential, draws, known, synthesized)
    half = intruder_risk(*question, weights=np.full(n, 2.0))  # one of two is in the file
    everybody = intruder_risk(*question)  # is in the file, and the intruder knows it
    steps = [(f"{100 * f:.0f} %", f) for f in fractions]

    @lru_cache(maxsize=64)
    def curve(target):
        """Both probabilities of a target against the sampling fraction."""
        both = (risk.match_probabilities(target) for risk in (half, everybody))
        return by_sampling_fraction(*both, fractions)

    def compute(target, fraction):
        return SimpleNamespace(target=target, fraction=fraction, curve=curve(target))

    def say_population(now):
        """Read both probabilities aloud."""
        row = now.curve.loc[now.fraction]
        return (
            f"If {say(100 * now.fraction)} % of all such youths are in the file, the most likely "
            f"record of target {now.target} has a probability of {about(row.highest)}. With a "
            f"probability of {about(row.outside)} the target is not in the file at all."
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
