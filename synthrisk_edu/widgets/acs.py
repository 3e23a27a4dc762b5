"""Panels of lesson 03: the ACS example."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.intruder import THRESHOLD, IntruderRisk
from synthrisk_edu.matching import Match, three_matches
from synthrisk_edu.plots import acs as pictures
from synthrisk_edu.synthesis.dpmpm import watch_classes
from synthrisk_edu.widgets.controls import (
    Picker,
    Ticks,
    choice,
    play_button,
    slider,
    step_slider,
)
from synthrisk_edu.widgets.panel import Panel

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
    (word,) = labels([variable], data).values()
    event = f"“{level}” ({word})"

    @cache
    def watch(run):
        return watch_classes(data, classes=classes, steps=steps, seed=run)

    def compute(step, run):
        z, pi, phi = watch(run)
        so_far = z.to_numpy()[: step + 1]
        before = so_far[max(step - 1, 0)]
        return SimpleNamespace(
            step=step,
            run=run,
            z=so_far,
            sizes=np.bincount(so_far[-1], minlength=classes),
            moved=np.count_nonzero(so_far[-1] != before),
            weights=pi.loc[step].to_numpy(),
            chances=phi.loc[step][variable][level].to_numpy(),
        )

    people = [
        f"{place}  {', '.join(map(str, row))}"
        for place, row in enumerate(data.itertuples(index=False))
    ]
    step = slider("step of the Gibbs sampler", 0, steps, 0)
    controls = {"step": step, "run": slider("run (another start)", 1, runs, 1)}
    stays = people, steps, classes, event
    return Panel(pictures.gibbs_picture, controls, compute, *stays, extra=[play_button(step)])


def known_panel(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    variables: Sequence[str],
    ticked: Sequence[str],
    synthesized: Sequence[str],
) -> Panel:
    """Build panel 03 (c), of known variables: s, K, F and the three summaries."""

    @lru_cache(maxsize=16)
    def compute(known, drawn=tuple(synthesized), fallback=False):
        if not (known or drawn):
            return None
        matches = three_matches(
            confidential,
            synthetic,
            known=list(known),
            synthesized=list(drawn),
            fallback=fallback,
        )
        return pictures.unique_in(matches)

    longest = 0
    for fallback in (False, True):  # whoever knows everything finds most unique matches
        unique = compute(tuple(variables), fallback=fallback).unique
        longest = max(longest, *(of_file.s for of_file in unique.values()))

    words = plain_names(synthesized, confidential)
    known = Ticks("known (not synthesized)", plain_names(variables, confidential), ticked)
    drawn = Ticks("synthesized, but known", words, synthesized)
    falls_back = choice(NOBODY, GIVES_UP_OR_NOT)

    def grey(_change=None):
        """Grey the last choice where somebody matches every target, or no question is asked."""
        now = compute(known.value, drawn.value)
        found = now and now.matches["synthetic"]
        falls_back.disabled = found is None or bool((found.records.c > 0).all())

    known.observe(grey, names="value")
    drawn.observe(grey, names="value")
    grey()
    controls = {"known": known, "drawn": drawn, "fallback": falls_back}
    nothing = "Knowing nothing, an intruder guesses one of all, and expects to be right once."
    return Panel(pictures.unique_picture, controls, compute, longest, nothing=nothing)


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
    limits = 0.9 * min(risks), 1.1 * max(risks)

    def compute(m, file=1):
        order = (np.arange(m) + file - 1) % files  # after the last comes the first
        first = table.iloc[order].reset_index(drop=True)
        risks = first.expected_match_risk
        marks = [k for k in MARKS if k < m] + [m]
        together = {}
        for k in marks:
            together[k] = at_once(tuple(order[:k].tolist()))
        return SimpleNamespace(
            m=m,
            file=file,
            first=first,
            means=first.expanding().mean(),
            lowest=risks.min(),
            highest=risks.max(),
            undefined=int(first.false_match_rate.isna().sum()),
            together=pd.Series(together),
        )

    controls = {
        "m": slider("files m", 1, files, 1),
        "file": Picker("file that comes first", 1, files, 1),
    }
    last = table.expected_match_risk.mean()  # of all files, in whichever order they come
    return Panel(pictures.average_picture, controls, compute, files, last, beside, limits)


def classes_panel(results: pd.DataFrame, beside: Mapping[str, float]) -> Panel:
    """Build panel 03 (d), of mixture classes: risk and utility side by side.

    `beside` holds the expected match risk of the confidential data and the floor.
    """
    mean = results.groupby("classes")[["expected_match_risk", "falls_back", "pmse_ratio"]].mean()
    steps = [(str(classes), place) for place, classes in enumerate(mean.index)]

    def compute(step):
        classes = mean.index[step]
        return SimpleNamespace(classes=classes, mean=mean)

    controls = {"step": step_slider("largest number of classes", steps, 0)}
    return Panel(pictures.classes_picture, controls, compute, results, mean, beside)
