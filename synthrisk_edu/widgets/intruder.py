"""Panels of lesson 05: what if the intruder knows more?"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.cells import label_cells
from synthrisk_edu.intruder import by_sampling_fraction, intruder_baselines, intruder_risk
from synthrisk_edu.plots import intruder as pictures
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.widgets.controls import choice, menu, picker, step_slider
from synthrisk_edu.widgets.panel import Panel


def target_panel(
    confidential: pd.DataFrame,
    draws: Mapping[str, Sequence[pd.DataFrame]],
    known: Sequence[str],
    synthesized: Sequence[str],
    *,
    target: int = 0,
    threshold: float = 0.2,
) -> Panel:
    """Build panel (a), of one target; `draws` maps what the intruder knows to a list of draws."""
    if not isinstance(draws, Mapping):
        raise TypeError("draws must be a mapping from what the intruder knows to a list of draws.")

    @cache
    def risk(knows):
        """The risk from one list of draws, when it is looked at for the first time."""
        return intruder_risk(confidential, draws[knows], known, synthesized, threshold=threshold)

    controls = {
        "target": picker("target", len(confidential), target),
        "knows": choice("the intruder has", list(draws)),
    }

    def compute(target, knows):
        return pictures.likeliest(risk(knows), target)

    return Panel(pictures.probabilities_picture, controls, compute)


def threshold_panel(
    confidential: pd.DataFrame,
    released: Sequence[pd.DataFrame],
    known: Sequence[str],
    synthesized: Sequence[str],
    files: Sequence[int] = (2, 3, 5, 10),
) -> Panel:
    """Build panel (b), of the threshold, for several numbers of released data sets.

    What the intruder holds about a target, t, may be wrong: for a share of the targets the first
    synthesized variable is that of somebody else.
    """
    thresholds = [round(0.05 * k, 2) for k in range(2, 19)]
    shares_wrong = [0, 5, 10, 20, 30, 50, 75, 100]
    for m in files:  # of fewer files than it says the risk would be another one
        checks.number("each of files", m, 1, len(released), whole=True)

    @cache
    def table(m, wrong):
        """The three risks at every threshold, if t is wrong for so many per cent of the targets."""
        t = redraw(confidential, synthesized[:1], [], wrong / 100, seed=1)
        risk = intruder_risk(t, released[:m], known, synthesized)
        return pd.DataFrame({one: risk.summary(one) for one in thresholds}).T

    baselines = intruder_baselines(confidential, known, synthesized)

    def compute(threshold, m, wrong):
        return SimpleNamespace(
            threshold=threshold, m=m, wrong=wrong, table=table(m, wrong), baselines=baselines
        )

    ends = [table(m, wrong) for m in files for wrong in (0, 100)]
    most = max(pd.concat(ends).perceived.max(), baselines.expected["confidential"])
    controls = {
        "threshold": step_slider("threshold", [(f"{one:.2f}", one) for one in thresholds], 0.2),
        "m": choice("released files m", files),
        "wrong": step_slider("t is wrong for", [(f"{one} %", one) for one in shares_wrong], 0),
    }
    return Panel(pictures.threshold_picture, controls, compute, thresholds, most, baselines)


def knowledge_panel(table: pd.DataFrame, baselines: pd.DataFrame) -> Panel:
    """Build panel (c), of knowledge.

    `table` has columns run, m, knows, perceived, expected and true; `baselines` comes from
    `intruder_baselines`.
    """
    order = list(dict.fromkeys(table.knows))
    files = sorted(table.m.unique().tolist())
    runs = table.run.nunique()
    by_kind = table.groupby(["m", "knows"])[["perceived", "expected", "true"]]
    risks = by_kind.agg(["mean", "min", "max"])
    top = 1.05 * max(baselines.expected["confidential"], risks.max(axis=None))

    def compute(m, step):
        return SimpleNamespace(
            m=m, step=step, risks=risks.loc[m].loc[order], runs=runs, baselines=baselines
        )

    controls = {
        "m": choice("released files m", files),
        "step": menu("the intruder knows", [(name, step) for step, name in enumerate(order)]),
    }
    return Panel(pictures.knowledge_picture, controls, compute, order, top, baselines)


def population_panel(
    confidential: pd.DataFrame,
    draws: Sequence[pd.DataFrame],
    known: Sequence[str],
    synthesized: Sequence[str],
    *,
    target: int = 0,
) -> Panel:
    """Build panel (d), of the sampling fraction: the target may not be in the file."""
    fractions = np.round(np.concatenate([[0.01, 0.02], np.arange(0.05, 1.001, 0.05)]), 2)
    risk = intruder_risk(confidential, draws, known, synthesized)
    (t,) = label_cells([confidential], [*known, *synthesized])
    steps = [(f"{100 * f:.0f} %", f) for f in fractions]

    @lru_cache(maxsize=64)
    def curve(target):
        """The probabilities of a target against the sampling fraction."""
        return by_sampling_fraction(risk, target, fractions)

    def compute(target, fraction):
        N_t = int((t == t[target]).sum())
        return SimpleNamespace(target=target, fraction=fraction, curve=curve(target), N_t=N_t)

    controls = {
        "target": picker("target", len(confidential), target),
        "fraction": step_slider("sampling fraction", steps, fractions[5]),
    }
    return Panel(pictures.population_picture, controls, compute)
