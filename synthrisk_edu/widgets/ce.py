"""Panels of lesson 04: the CE example."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.data import plain_names
from synthrisk_edu.matching import floor, match
from synthrisk_edu.plots import ce as pictures
from synthrisk_edu.sweep import at_maximizing_radius, maximizing_radius
from synthrisk_edu.synthesis import synthesize_cart
from synthrisk_edu.utility import average_of_m, quartiles
from synthrisk_edu.widgets.controls import (
    Ticks,
    choice,
    picker,
    radius_slider,
    slider,
    step_slider,
)
from synthrisk_edu.widgets.panel import Panel

DRAWS, RADII = 20, (0, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1)  # to choose from
INTRUDERS = [("knows all six", False), ("the paper's", True)]
IF_NOBODY_MATCHES = [("gives up", False), ("falls back", True)]
CHOICES = ["Tenure", "Expenditure", "Income"]


class Draws:
    """Files synthesized from the same truth with one draw after the other, and their matches."""

    def __init__(self, confidential, known, fixed):
        """Take the truth, what the intruder knows of it, and the radius of known numbers."""
        self.confidential = confidential
        self.known = known
        self.fixed = fixed or {}
        self.floor = floor(confidential, known, fixed).records.risk.to_numpy()
        # Moving the unit must not synthesize or match anew, and the draw only match one file more.
        self.files = lru_cache(2)(self._files)
        self.matched = lru_cache(2 * (DRAWS + 1))(self._matched)
        self.records = lru_cache(8 * (DRAWS + 1))(self._records)

    def _files(self, chosen):
        """Return the truth, and then every file in which these variables are synthesized."""
        synthetic = synthesize_cart(self.confidential, list(chosen), DRAWS, seed=1)
        return [self.confidential, *synthetic]

    def _radius(self, chosen, radius):
        """Return the radius of each number: of the known ones, and the same for those chosen."""
        numeric = checks.numeric_names(chosen, [self.confidential])
        return self.fixed | dict.fromkeys(numeric, radius)

    def _matched(self, chosen, draw):
        """Match with the file of a draw, at the first radius: others are asked from there."""
        file = self.files(chosen)[draw]
        radius = self._radius(chosen, RADII[1])
        return match(self.confidential, file, self.known, list(chosen), radius)

    def _records(self, chosen, draw, radius):
        """Return c, T and risk of every unit in the file of a draw; 0 is the truth."""
        matched = self.matched(chosen, draw)
        if radius != RADII[1]:
            matched = matched.at(self._radius(chosen, radius))
        return matched.records[["c", "T", "risk"]].to_numpy().T

    def up_to(self, chosen, draw, radius, target):
        """Return what is seen after so many draws: the sums of the file, c and T of one unit."""
        so_far = [self.records(chosen, number, radius) for number in range(1, draw + 1)]
        c, T, risk = np.stack(so_far, axis=1)
        _, _, own_risk = self.records(chosen, 0, radius)
        synthetic = self.files(chosen)[draw]
        plain = plain_names(list(chosen), self.confidential)
        values = []
        for name in chosen:
            values.append([self.confidential[name].iloc[target], synthetic[name].iloc[target]])
        return SimpleNamespace(
            draw=draw,
            radius=radius,
            target=target,
            values=pd.DataFrame(values, index=list(plain.values())),
            confidential=own_risk.sum(),
            floor=self.floor.sum(),
            gives_up=risk.sum(axis=1),
            # Where nobody matches, whoever falls back guesses like the floor.
            falls_back=np.where(c == 0, self.floor, risk).sum(axis=1),
            c=c[:, target],
            T=T[:, target],
        )


def draws_panel(
    confidential: pd.DataFrame,
    known: Sequence[str],
    synthesized: Sequence[str],
    *,
    ticked: Sequence[str] | None = None,
    fixed: Mapping[str, float] | None = None,
    target: int = 0,
) -> Panel:
    """Build panel 04 (a), live: what is synthesized, draw by draw, for a file and one of its units.

    Args:
        confidential: the true data.
        known: names of the variables the intruder knows and that are not synthesized.
        synthesized: names of the variables to choose from; they are synthesized in this order.
        ticked: which of them are chosen at first; by default all.
        fixed: the radius of known numbers.
        target: the unit to look at first.
    """
    checks.frame("confidential", confidential, [*known, *synthesized])
    numbers = checks.numeric_names(synthesized, [confidential])
    if numbers:  # one slider is the radius of all of them, and codes have none
        checks.meant_by_one_number({"confidential": confidential}, numbers, relative=True)
    draws = Draws(confidential, known, fixed)
    plain = plain_names(synthesized, confidential)
    controls = {
        "chosen": Ticks("synthesize", plain, synthesized if ticked is None else ticked),
        "draw": slider("draw", 1, DRAWS, 1),
        "radius": step_slider("radius r", [(f"{100 * r:g} %", r) for r in RADII], RADII[1]),
        "target": picker("unit", len(confidential), target),
    }

    def grey(_change=None):
        """Grey the radius where no number is synthesized."""
        synthesized_now = checks.numeric_names(controls["chosen"].value, [confidential])
        controls["radius"].disabled = not synthesized_now

    controls["chosen"].observe(grey, names="value")
    grey()

    def compute(chosen, draw, radius, target):
        return draws.up_to(tuple(chosen), draw, radius, target) if chosen else None

    stays = len(confidential), DRAWS, draws.floor.sum()
    return Panel(pictures.draws_picture, controls, compute, *stays, nothing=pictures.NOTHING)


def by_intruder(releases):
    """Return the results of each intruder by name."""
    return {name: releases[releases.intruder == name] for name in pictures.INTRUDERS}


def by_sum(releases):
    """Return the results by intruder and whether that one falls back where nobody matches."""
    gives_up = by_intruder(releases)
    falls_back = by_intruder(releases.assign(expected_match_risk=releases.falling_back))
    views = {}
    for name in pictures.INTRUDERS:
        views[name, False] = gives_up[name]
        views[name, True] = falls_back[name]
    return views


def curves_of(results):
    """Return for every scenario a table by radius: the files' risk, and what it stands beside."""
    curves = {}
    for name in pictures.SCENARIO_LOOKS:
        by_radius = results[results.synthesized == name].groupby("radius")
        curves[name] = pd.DataFrame(
            {
                "mean": by_radius.expected_match_risk.mean(),
                "lowest": by_radius.expected_match_risk.min(),
                "highest": by_radius.expected_match_risk.max(),
                "confidential": by_radius.confidential.mean(),
                "floor": by_radius.floor.mean(),
            }
        )
    return curves


def scenario_panel(releases: pd.DataFrame, together: pd.DataFrame) -> Panel:
    """Build panel 04 (b), of the four scenarios: the risk over r, and the first m data sets.

    `together` has the risk of an intruder who uses the first m data sets at once.
    """
    scenarios = [(f"({k})", name) for k, name in enumerate(pictures.SCENARIO_LOOKS, start=1)]
    radii = sorted(releases.radius.unique())
    files = int(releases.dataset.max())
    results_of = by_sum(releases)
    curves = {view: curves_of(results) for view, results in results_of.items()}
    all_at_once = together.set_index(["intruder", "synthesized", "radius", "m"]).risk

    def compute(paper, scenario, falls_back, radius, m):
        intruder = "paper" if paper else "fixed"
        view = (intruder, falls_back)
        results = results_of[view][results_of[view].synthesized == scenario]
        first = results[(results.radius == radius) & (results.dataset <= m)]
        best = maximizing_radius(results)
        return SimpleNamespace(
            view=view,
            scenario=scenario,
            radius=radius,
            radii=radii,
            m=m,
            files=files,
            results=results,
            first=first,
            mean=first.expected_match_risk.mean(),
            together=all_at_once[intruder, scenario, radius, m],
            best=best,
            highest=curves[view][scenario]["mean"][best],
        )

    controls = {
        "paper": choice("intruder", INTRUDERS),
        "falls_back": choice("if nobody matches", IF_NOBODY_MATCHES),
        "scenario": choice("scenario", scenarios),
        "radius": radius_slider("radius r", radii),
        "m": slider("files m", 1, files, 5),
    }
    return Panel(pictures.scenario_picture, controls, compute, views=curves)


def release_panel(releases: pd.DataFrame) -> Panel:
    """Build panel 04 (c), in which the student chooses what to synthesize."""
    results_of = by_intruder(releases)
    points = {}
    for intruder, results in results_of.items():
        points[intruder] = at_maximizing_radius(results, by="synthesized")

    def compute(paper, chosen):
        intruder = "paper" if paper else "fixed"
        name = "+".join(one for one in CHOICES if one in chosen)
        now = points[intruder][points[intruder].synthesized == name]
        results = results_of[intruder]
        return SimpleNamespace(
            view=intruder,
            name=name,
            chosen=now,
            mean=now.mean(numeric_only=True),
            box=quartiles(now[["expected_match_risk", "pmse"]]) if name else None,
            radii=results.radius[results.synthesized == name],
        )

    controls = {
        "paper": choice("intruder", INTRUDERS),
        "chosen": Ticks("synthesize", plain_names(CHOICES, releases), ["Income"]),
    }
    return Panel(pictures.release_picture, controls, compute, views=points)


def pool_panel(
    pool: pd.DataFrame, together: pd.DataFrame, beside: Mapping[str, float], repeats: int = 1000
) -> Panel:
    """Build panel 04 (d), of m: all m data sets used at once, beside averages over m of them.

    Args:
        pool: risk per record and pMSE of many data sets.
        together: risk per record of an intruder with m data sets: columns m and risk.
        beside: risk per record of the confidential data and the floor.
        repeats: how often m data sets are drawn from the pool.
    """
    sizes = [int(m) for m in sorted(together.m.unique())]
    lines = {**beside, "one file": pool.risk.mean()}

    def compute(m):
        averages = average_of_m(pool, m, repeats)
        so_far = together[together.m <= m]
        risk = so_far.groupby("m").risk
        return SimpleNamespace(
            m=m,
            averages=averages,
            average=averages.risk.mean(),
            box=quartiles(averages),
            together=so_far,
            mean=risk.mean(),
            lowest=risk.min(),
            highest=risk.max(),
            beside=lines,
        )

    controls = {"m": step_slider("files m", sizes, 1)}
    return Panel(pictures.pool_picture, controls, compute, quartiles(pool), sizes, lines)
