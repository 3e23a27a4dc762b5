"""Panels of lesson 08: members and others."""

from collections.abc import Sequence
from types import SimpleNamespace

import pandas as pd

from synthrisk_edu.data import plain_names
from synthrisk_edu.members import Members
from synthrisk_edu.plots import members as pictures
from synthrisk_edu.widgets.panel import Panel, Ticks, percent_slider, step_slider, variable_menu

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
    top = 1.15 * results[["members", "others"]].max(axis=None)
    return Panel(pictures.MEMBERS, controls, compute, top, nothing=NOTHING)


def leaf_panel(results: pd.DataFrame, risks: pd.DataFrame, keys: Sequence[str]) -> Panel:
    """Build panel (b), of the smallest leaf: risk, copies and usefulness.

    `results` are stored for every leaf, `risks` (DiSCO) for every leaf and choice of `keys`. The
    curves grow from the largest leaf down to the one that is chosen.
    """
    mean = results.drop(columns=["members", "others"]).groupby("min_leaf").mean()
    risk = risks.groupby(["keys", "min_leaf"])[["members", "others"]].mean()
    leaves = mean.index.tolist()

    def compute(min_leaf, known):
        if not known:
            return None
        table = risk.loc["+".join(known)].join(mean)
        table.attrs = dict(risks.attrs)
        return SimpleNamespace(known=known, so_far=table.loc[min_leaf:], row=table.loc[min_leaf])

    controls = {
        "min_leaf": step_slider("smallest leaf", leaves, leaves[-1]),
        "known": Ticks("the intruder knows", plain_names(keys, risks), keys),
    }
    parts = pictures.LEAF_PARTS.values()
    tops = [(risk if "members" in part else mean[part]).max(axis=None) for part in parts]
    return Panel(pictures.LEAVES, controls, compute, tops, nothing=NOTHING)


def copies_panel(results: pd.DataFrame) -> Panel:
    """Build panel (c), of copying: which measures notice? The curves grow with the slider."""
    table = results.set_index("percent")

    def compute(percent):
        return SimpleNamespace(so_far=table.loc[:percent], row=table.loc[percent])

    controls = {"percent": percent_slider("rows copied", 0, 100, 0, step=5)}
    tops = [table[part].max(axis=None) for part in pictures.COPY_PARTS.values()]
    return Panel(pictures.COPIES, controls, compute, tops)
