"""Panels of lessons 00 and 01."""

from collections.abc import Sequence
from functools import lru_cache, partial

import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.data import plain_names
from synthrisk_edu.first_steps import narrow_down, share_curve
from synthrisk_edu.matching import floor, match, three_matches
from synthrisk_edu.plots import matching as pictures
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.widgets.controls import Ticks, percent_slider, picker, slider
from synthrisk_edu.widgets.panel import Panel


def narrowing_panel(data: pd.DataFrame, variables: Sequence[str], person: int = 0) -> Panel:
    """Build the panel of lesson 00: move the number of facts, see how many people still fit."""
    checks.frame("data", data, checks.names("variables", variables))
    controls = {
        "person": picker("person", len(data), person),
        "facts": slider("facts learnt", 0, len(variables), 2),
    }
    compute = partial(narrow_down, data, variables)
    facts = list(plain_names(variables, data).values())
    return Panel(pictures.narrowing_picture, controls, compute, facts, len(data))


def redraw_ticked(data, variables, seed, knows, synthesized):
    """Redraw the ticked variables among records that agree on all others.

    Returns the synthetic file, and what the intruder knows: the variables that were left as they
    were, and those that were synthesized.
    """
    given = [name for name in variables if name not in synthesized]
    synthetic = redraw(data, list(synthesized), given, seed=seed)
    known = [name for name in knows if name not in synthesized]
    drawn = [name for name in knows if name in synthesized]
    return synthetic, known, drawn


NOTHING_KNOWN = (
    "An intruder who knows nothing cannot look for anybody: every record fits. "
    "Tick at least one fact."
)


def candidates_panel(
    data: pd.DataFrame,
    variables: Sequence[str],
    ticked: Sequence[str],
    *,
    target: int = 0,
    seed: int = 1,
) -> Panel:
    """Build panel 01 (a), of one target: who could this be?"""
    checks.frame("data", data, checks.names("variables", variables))
    plain = plain_names(variables, data)

    def compute(target, knows, synthesized):
        if not knows:
            return None
        synthetic, known, drawn = redraw_ticked(data, variables, seed, knows, synthesized)
        found = match(data, synthetic, known=known, synthesized=drawn)
        return pictures.in_lineup(found, target, variables)

    controls = {
        "target": picker("target", len(data), target),
        "knows": Ticks("the intruder knows", plain, variables),
        "synthesized": Ticks("synthesized", plain, ticked),
    }
    return Panel(pictures.lineup_picture, controls, compute, nothing=NOTHING_KNOWN)


def file_panel(
    data: pd.DataFrame, variables: Sequence[str], ticked: Sequence[str], *, seed: int = 1
) -> Panel:
    """Build panel 01 (b), of the whole file: c and the three summaries as variables are ticked."""
    checks.frame("data", data, checks.names("variables", variables))
    plain = plain_names(variables, data)

    @lru_cache(maxsize=16)
    def compute(knows, synthesized):
        if not knows:
            return None
        synthetic, known, drawn = redraw_ticked(data, variables, seed, knows, synthesized)
        matches = three_matches(data, synthetic, known=known, synthesized=drawn)
        return pictures.of_files(matches)

    controls = {
        "knows": Ticks("the intruder knows", plain, variables),
        "synthesized": Ticks("synthesized", plain, ticked),
    }
    return Panel(pictures.file_picture, controls, compute, len(data), nothing=NOTHING_KNOWN)


def share_panel(
    data: pd.DataFrame, known: Sequence[str], synthesized: Sequence[str], *, seed: int = 1
) -> Panel:
    """Build panel 01 (c), of the share: what if only some records are redrawn?"""
    curve = share_curve(data, known, synthesized, seed=seed)
    lowest = floor(data, known).summary()

    def compute(percent):
        return pictures.at_share(curve, percent / 100, lowest)

    controls = {"percent": percent_slider("records redrawn", 0, 100, 0, step=5)}
    return Panel(pictures.share_picture, controls, compute, curve, lowest)
