"""Panels of lessons 00 and 01."""

from collections.abc import Sequence
from functools import lru_cache, partial
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.first_steps import narrow_down, share_curve
from synthrisk_edu.matching import baseline, floor, match, three_matches
from synthrisk_edu.plots import matching as pictures
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.widgets.panel import Panel, Ticks, percent_slider, picker, slider


def narrowing_panel(data: pd.DataFrame, variables: Sequence[str], person: int = 0) -> Panel:
    """Build the panel of lesson 00: move the number of facts, see how many persons still fit."""
    checks.frame("data", data, checks.names("variables", variables))
    controls = {
        "person": picker("person", len(data), person),
        "facts": slider("facts learnt", 0, len(variables), 2),
    }
    compute = partial(narrow_down, data, variables)
    return Panel(pictures.NARROWING, controls, compute, len(variables), len(data))


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
        found = match(*redraw_ticked(data, variables, seed, knows, synthesized))
        return SimpleNamespace(match=found, target=target)

    controls = {
        "target": picker("target", len(data), target),
        "knows": Ticks("the intruder knows", plain, variables),
        "synthesized": Ticks("synthesized", plain, ticked),
    }
    table = partial(list_candidates, variables)
    return Panel(pictures.LINEUP, controls, compute, nothing=NOTHING_KNOWN, table=table)


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


def file_panel(
    data: pd.DataFrame, variables: Sequence[str], ticked: Sequence[str], *, seed: int = 1
) -> Panel:
    """Build panel 01 (b), of the whole file: c and the three summaries as variables are ticked."""
    checks.frame("data", data, checks.names("variables", variables))
    plain = plain_names(variables, data)
    most = baseline(data, variables, [])

    @lru_cache(maxsize=16)
    def compute(knows, synthesized):
        if not knows:
            return None
        return three_matches(*redraw_ticked(data, variables, seed, knows, synthesized))

    controls = {
        "knows": Ticks("the intruder knows", plain, variables),
        "synthesized": Ticks("synthesized", plain, ticked),
    }
    return Panel(pictures.FILE, controls, compute, most, nothing=NOTHING_KNOWN)


def share_panel(
    data: pd.DataFrame, known: Sequence[str], synthesized: Sequence[str], *, seed: int = 1
) -> Panel:
    """Build panel 01 (c), of the share: what if only some records are redrawn?"""
    curve = share_curve(data, known, synthesized, seed=seed)
    lowest = floor(data, known)

    def compute(percent):
        now = curve[curve.share == percent / 100].iloc[0]
        return SimpleNamespace(now=now, start=curve.iloc[0], floor=lowest.summary())

    controls = {"percent": percent_slider("records redrawn", 0, 100, 0, step=5)}
    return Panel(pictures.SHARE, controls, compute, curve, lowest)
