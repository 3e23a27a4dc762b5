"""Panels of lesson 08: members and others."""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.members import Members
from synthrisk_edu.plots import members as pictures
from synthrisk_edu.widgets.controls import Ticks, percent_slider, step_slider, variable_menu
from synthrisk_edu.widgets.panel import Panel

NOTHING = "An intruder who knows nothing can look nobody up: tick at least one key."


def members_panel(results: pd.DataFrame, keys: Sequence[str], targets: Sequence[str]) -> Panel:
    """Build panel (a), of keys and target; `results` are the stored DiSCO of every choice."""

    def compute(known, target):
        splits = results[(results["keys"] == "+".join(known)) & (results.target == target)]
        if splits.empty:
            return None
        row = Members(splits.assign(measure=target)).summary().iloc[0]
        return SimpleNamespace(known=known, target=target, splits=splits, row=row)

    controls = {
        "known": Ticks("the intruder knows", plain_names(keys, results), keys),
        "target": variable_menu("wants to learn", plain_names(targets, results)),
    }
    limits = pictures.split_limits(results)
    return Panel(pictures.members_picture, controls, compute, limits, nothing=NOTHING)


def leaf_panel(
    results: pd.DataFrame, risks: pd.DataFrame, keys: Sequence[str], target: str = "marital"
) -> Panel:
    """Build panel (b), of the smallest leaf: risk, copies and usefulness.

    `results` are stored for every leaf, `risks` (DiSCO of `target`) for every leaf and choice of
    `keys`.
    """
    mean = results.drop(columns=["members", "others"]).groupby("min_leaf").mean()
    risk = risks.groupby(["keys", "min_leaf"])[["members", "others"]].mean()
    leaves = mean.index.tolist()

    def compute(min_leaf, known):
        if not known:
            return None
        table = risk.loc["+".join(known)].join(mean)
        table.attrs = dict(risks.attrs)
        return SimpleNamespace(known=known, table=table, row=table.loc[min_leaf])

    controls = {
        "min_leaf": step_slider("smallest leaf", leaves, leaves[-1]),
        "known": Ticks("the intruder knows", plain_names(keys, risks), keys),
    }
    top = risk.max(axis=None)
    name = labels([target], risks)[target]
    return Panel(pictures.leaf_picture, controls, compute, mean, top, name, nothing=NOTHING)


def copies_panel(results: pd.DataFrame) -> Panel:
    """Build panel (c), of copying: which measures notice?"""
    table = results.set_index("percent")

    def compute(percent):
        return SimpleNamespace(row=table.loc[percent], honest=table["ratio"].iloc[0])

    first = int(table.index[0])
    last = int(table.index[-1])
    step = int(np.diff(table.index).min(initial=100))
    controls = {"percent": percent_slider("rows copied", first, last, first, step=step)}
    return Panel(pictures.copies_picture, controls, compute, table)
