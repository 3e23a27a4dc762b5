"""Panels of lessons 03 and 04: the ACS and the CE example."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.data import plain_names
from synthrisk_edu.intruder import THRESHOLD, IntruderRisk
from synthrisk_edu.matching import Match, baseline, floor, match, three_matches
from synthrisk_edu.plots import examples as pictures
from synthrisk_edu.sweep import at_maximizing_radius, maximizing_radius
from synthrisk_edu.synthesis import synthesize_cart
from synthrisk_edu.synthesis.dpmpm import watch_classes
from synthrisk_edu.utility import average_of_m, quartiles
from synthrisk_edu.widgets.panel import (
    Panel,
    Picker,
    Ticks,
    choice,
    picker,
    play_button,
    radius_slider,
    slider,
    step_slider,
)

NOBODY = "if nobody matches"  # what does the intruder do then?
GIVES_UP_OR_NOT = [("gives up", False), ("falls back", True)]


def gibbs_panel(
    data: pd.DataFrame,
    variable: str,
    level: object,
    *,
    classes: int = 3,
    steps: int = 40,
    runs: int = 5,
) -> Panel:
    """Build panel 03 (a), of a few persons who change class, step by step of the Gibbs sampler.

    Args:
        data: the categories of a few persons.
        variable: one of them, whose table is shown for every class.
        level: the value of it whose chance is shown.
        classes: the largest number of classes, at most four.
        steps: how many steps there are to see.
        runs: how often the sampler starts anew.
    """
    checks.frame("data", data, [variable])
    checks.number("classes", classes, 2, len(pictures.CLASS_LOOKS), whole=True)
    checks.one_of("level", level, list(data[variable].unique()))
    event = f"“{level}” ({variable})"

    @cache
    def watch(run):
        return watch_classes(data, classes=classes, steps=steps, seed=run)

    def compute(step, run):
        z, pi, phi = watch(run)
        now = {"z": z.to_numpy()[: step + 1], "weights": pi.loc[step].to_numpy()}
        chances = phi.loc[step][variable][level].to_numpy()
        return SimpleNamespace(step=step, run=run, event=event, chances=chances, **now)

    names = [
        f"{place}  {', '.join(map(str, row))}"
        for place, row in enumerate(data.itertuples(index=False))
    ]
    step = slider("step of the Gibbs sampler", 0, steps, 0)
    controls = {"step": step, "run": slider("run (another start)", 1, runs, 1)}
    stays = names, steps, classes, event
    return Panel(pictures.GIBBS, controls, compute, *stays, extra=[play_button(step)])


def known_panel(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    variables: Sequence[str],
    ticked: Sequence[str],
    synthesized: Sequence[str],
) -> Panel:
    """Build panel 03 (c), of known variables: s, K, F and the three summaries."""
    most = baseline(confidential, variables, synthesized)

    @lru_cache(maxsize=16)
    def compute(known, drawn=tuple(synthesized), fallback=False):
        if not (known or drawn):
            return None
        question = confidential, synthetic, list(known), list(drawn)
        return three_matches(*question, fallback=fallback)

    ticks = Ticks("known (not synthesized)", plain_names(variables, confidential), ticked)
    words = plain_names(synthesized, confidential)
    drawn = Ticks("synthesized, but known", words, synthesized)
    controls = {"known": ticks, "drawn": drawn, "fallback": choice(NOBODY, GIVES_UP_OR_NOT)}
    nothing = "Knowing nothing, an intruder guesses one of all, and expects to be right once."
    return Panel(pictures.KNOWN, controls, compute, most, nothing=nothing)


MARKS = (1, 2, 5, 10)  # numbers of files used at once: all twenty would take most of a second


def average_panel(matches: Sequence[Match], beside: Mapping[str, float]) -> Panel:
    """Build panel 03 (b), of averages over m data sets, beside all m used at once.

    Args:
        matches: a `Match` for each data set, of the same confidential file.
        beside: the expected match risk of the confidential data and the floor.
    """
    files = len(matches)
    summaries = [of_file.summary() for of_file in matches]
    table = pd.DataFrame(summaries, index=pd.RangeIndex(1, files + 1, name="dataset"))
    with_all = IntruderRisk(matches, threshold=THRESHOLD)

    @lru_cache(maxsize=files**2)
    def at_once(places):
        """Return the expected match risk of an intruder who uses these data sets at once."""
        return with_all.with_draws([matches[place] for place in places]).summary().expected

    risks = [*table.expected_match_risk, at_once(tuple(range(files))), beside["floor"]]
    limits = 0.85 * min(risks), 1.2 * max(risks)  # with room for a word on what lies above

    def compute(m, file=1):
        order = (np.arange(m) + file - 1) % files  # after the last comes the first
        first = table.iloc[order].reset_index(drop=True)
        marks = [k for k in MARKS if k < m] + [m]
        together = {}
        for k in marks:
            together[k] = at_once(tuple(order[:k].tolist()))
        return SimpleNamespace(
            m=m,
            file=file,
            first=first,
            means=first.expanding().mean(),
            together=pd.Series(together),
            beside=beside,
        )

    controls = {
        "m": slider("files m", 1, files, 1),
        "file": Picker("file that comes first", 1, files, 1),
    }
    return Panel(pictures.AVERAGES, controls, compute, table, beside, limits)


def classes_panel(results: pd.DataFrame, beside: Mapping[str, float]) -> Panel:
    """Build panel 03 (d), of mixture classes: risk and utility side by side.

    `beside` holds the expected match risk of the confidential data and the floor.
    """
    mean = results.groupby("classes")[["expected_match_risk", "pmse_ratio"]].mean()
    steps = [(str(classes), place) for place, classes in enumerate(mean.index)]

    def compute(step):
        return SimpleNamespace(place=step, files=results, mean=mean, beside=beside)

    controls = {"step": step_slider("largest number of classes", steps, 0)}
    return Panel(pictures.CLASSES, controls, compute, results, list(mean.index), beside)


DRAWS, RADII = 20, (0, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1)  # to choose from


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

    def compute(chosen, draw, radius, target):
        return draws.up_to(tuple(chosen), draw, radius, target) if chosen else None

    stays = len(confidential), DRAWS, draws.floor.sum()
    nothing = "Nothing is synthesized: you publish the truth. Tick at least one variable."
    return Panel(pictures.DRAWS, controls, compute, *stays, nothing=nothing)


PAPER = "the paper's intruder"


def both_intruders(releases):
    """Return the results of each intruder by name."""
    return {name: releases[releases.intruder == name] for name in pictures.INTRUDERS}


def both_sums(releases):
    """Return the results by intruder and whether that one falls back where nobody matches."""
    back = releases.assign(expected_match_risk=releases.falling_back)
    sums = {False: both_intruders(releases), True: both_intruders(back)}
    return {(name, falls): sums[falls][name] for falls in sums for name in sums[falls]}


def scenario_panel(releases: pd.DataFrame, together: pd.DataFrame) -> Panel:
    """Build panel 04 (b), of the four scenarios: boxplots over r, and the first m data sets.

    `together` has the risk of an intruder who uses the first m data sets at once.
    """
    scenarios = [(f"({k})", name) for k, name in enumerate(pictures.SCENARIO_LOOKS, start=1)]
    radii, files = sorted(releases.radius.unique()), int(releases.dataset.max())
    by_view = both_sums(releases)
    all_at_once = together.set_index(["intruder", "synthesized", "radius", "m"]).risk

    def compute(paper, scenario, falls_back, radius, m):
        view = "paper" if paper else "fixed", falls_back
        results = by_view[view][by_view[view].synthesized == scenario]
        best = maximizing_radius(results)
        return SimpleNamespace(
            view=view,
            scenario=scenario,
            radius=radius,
            radii=radii,
            m=m,
            files=files,
            first=results[(results.radius == radius) & (results.dataset <= m)],
            together=all_at_once[view[0], scenario, radius, m],
            best=best,
            highest=results.expected_match_risk[results.radius == best].mean(),
        )

    controls = {
        "paper": Ticks("intruder", [PAPER]),
        "scenario": choice("scenario", scenarios),
        "falls_back": choice(NOBODY, GIVES_UP_OR_NOT),
        "radius": radius_slider("radius r", radii),
        "m": slider("files m", 1, files, 5),
    }
    return Panel(pictures.SCENARIOS, controls, compute, views=by_view)


CHOICES = ["Tenure", "Expenditure", "Income"]


def release_panel(releases: pd.DataFrame) -> Panel:
    """Build panel 04 (c), in which the student chooses what to synthesize."""
    by_intruder = both_intruders(releases)
    points = {
        name: at_maximizing_radius(results, by="synthesized")
        for name, results in by_intruder.items()
    }

    def compute(paper, chosen):
        view = "paper" if paper else "fixed"
        every, name = by_intruder[view], "+".join(one for one in CHOICES if one in chosen)
        now = points[view][points[view].synthesized == name]
        box = quartiles(now[["expected_match_risk", "pmse"]]) if name else None
        radii = every.radius[every.synthesized == name]
        return SimpleNamespace(view=view, chosen=now, box=box, radii=radii)

    controls = {
        "paper": Ticks("intruder", [PAPER]),
        "chosen": Ticks("synthesize", plain_names(CHOICES, releases), ["Income"]),
    }
    return Panel(pictures.RELEASES, controls, compute, views=points)


def pool_panel(
    pool: pd.DataFrame, together: pd.DataFrame, beside: Mapping[str, float], repeats: int = 1000
) -> Panel:
    """Build panel 04 (d), of m: averages over m data sets, beside all m used at once.

    Args:
        pool: risk per record and pMSE of many data sets.
        together: risk per record of an intruder with m data sets: columns m and risk.
        beside: risk per record of the confidential data and the floor.
        repeats: how often m data sets are drawn from the pool.
    """
    whole, sizes = quartiles(pool), sorted(together.m.unique())
    lines = {**beside, "one file": pool.risk.mean()}

    def compute(m):
        averages, so_far = average_of_m(pool, m, repeats), together[together.m <= m]
        now = {"together": so_far, "mean": so_far.groupby("m").risk.mean(), "beside": lines}
        return SimpleNamespace(m=m, averages=averages, box=quartiles(averages), **now)

    controls = {"m": step_slider("files m", sizes, 1)}
    return Panel(pictures.POOL, controls, compute, whole, sizes, repeats, lines)
