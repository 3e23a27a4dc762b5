"""Panels of lessons 03 and 04: the ACS and the CE example."""

from functools import cache, lru_cache
from types import SimpleNamespace

from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.match import baseline, count_unique, three_matches
from synthrisk_edu.plots import examples as pictures
from synthrisk_edu.plots.look import DARK, NOW, ORANGE, draw_now, figure, legend
from synthrisk_edu.plots.matching import draw_summaries, frame_summaries
from synthrisk_edu.sweep import at_maximizing_radius, maximizing_radius
from synthrisk_edu.utility import average_of_m, quartiles
from synthrisk_edu.widgets.panel import (
    Canvas,
    Panel,
    Ticks,
    choice,
    radius_slider,
    slider,
    step_slider,
)
from synthrisk_edu.words import counted, listing, say

NOBODY = "if nobody matches"  # what does the intruder do then?
GIVES_UP_OR_NOT = [("gives up", False), ("falls back", True)]
MARGINS = {"left": 0.11, "right": 0.97, "top": 0.9, "bottom": 0.14}  # around one picture


def known_panel(confidential, synthetic, variables, ticked, synthesized):
    """Build panel 03 (a), of known variables: s, K, F and the three summaries."""
    margins = {"left": 0.08, "right": 0.99, "top": 0.84, "bottom": 0.22, "wspace": 0.22}
    drawing = figure(3.6, 4, margins=margins, width_ratios=[2.55, 1.1, 1.4, 1.4])
    most = baseline(confidential, variables, synthesized).summary()
    limits = [most.expected_match_risk, most.true_match_rate, 1.0]

    @lru_cache(maxsize=16)
    def compute(known, fallback):
        question = confidential, synthetic, list(known), synthesized
        return three_matches(*question, fallback=fallback)

    def frame(axes):
        pictures.frame_unique(axes[0], len(confidential))
        frame_summaries(axes[1:], limits, ("confidential", "synthetic", "floor"))

    def draw(axes, matches):
        pictures.draw_unique(axes[0], matches)
        draw_summaries(axes[1:], matches)

    ticks = Ticks("known (not synthesized)", plain_names(variables, confidential), ticked)
    controls = {"known": ticks, "fallback": choice(NOBODY, GIVES_UP_OR_NOT)}
    return Panel(controls, compute, draw, say_known, Canvas(*drawing, frame))


def say_known(matches):
    """Read s, K, F and the expected match risk aloud, with what they stand beside."""
    found = matches["synthetic"]
    unique = {name: count_unique(one) for name, one in matches.items()}
    risk = {name: round(one.summary().expected_match_risk) for name, one in matches.items()}
    then = labels(found.known + found.synthesized, found.confidential)
    # Many names would not fit with their codes, which stand beside the boxes.
    first = plain_names(then, found.confidential) if len(then) <= 6 else then
    known = f"{listing(first[name] for name in found.known)} and " if found.known else "only "
    drawn = listing(first[name] for name in found.synthesized)
    made, alone = unique["synthetic"], unique["floor"].s
    back = " and falling back where nobody matches," if found.fallback else ""
    parts = f" ({made.K:,} true, {made.F:,} false)" if made.s else ""
    return (
        f"Knowing {known}the true {drawn},{back} an intruder finds "
        f"{counted(made.s, 'unique match', 'unique matches')}{parts} in the synthetic file, and "
        f"expects to be right {counted(risk['synthetic'], 'time', 'times')}. The confidential file "
        f"gives {unique['confidential'].s:,} and {risk['confidential']:,}. Ignoring "
        f"{listing(then[name] for name in found.synthesized)} (the floor): {alone:,}"
        f"{', all true,' if alone else ''} and {risk['floor']:,}."
    )


def in_files(m, word):
    """Say how many files are averaged; one alone is not."""
    return f"{word} m = {m} files" if m > 1 else "In a single file (m = 1)"


def at_once(m):
    """Say how an intruder uses m files."""
    return {1: "it", 2: "both at once"}.get(m, f"all {m} at once")


def average(values):
    """Say an average with its range; a single value has none."""
    span = f" on average (from {values.min():,.0f} to {values.max():,.0f})"
    return f"{values.mean():,.0f}{span if len(values) > 1 else ''}"


def average_panel(table, together, beside):
    """Build panel 03 (b), of averages over the first m data sets, beside all m used at once.

    Args:
        table: the summaries of each data set, from `match_all`.
        together: for m = 1, 2, …, the expected match risk of an intruder with m data sets.
        beside: the expected match risk of the confidential data and the floor.
    """
    margins = {"left": 0.05, "right": 0.99, "top": 0.82, "bottom": 0.18, "wspace": 0.5}
    drawing = figure(3.3, 4, margins=margins)

    def compute(m):
        first = table.iloc[:m]
        return SimpleNamespace(m=m, first=first, together=together.iloc[m - 1], beside=beside)

    return Panel(
        {"m": slider("files m", 1, len(table), 1)},
        compute,
        lambda axes, now: pictures.draw_averages(axes, table, together, now.m),
        say_average,
        Canvas(*drawing, pictures.frame_averages, table, beside),
    )


def say_average(now):
    """Read the averages aloud, and how many false match rates were undefined."""
    undefined = int(now.first.false_match_rate.isna().sum())
    skipped = f" ({undefined} undefined, left out)" if undefined else ""
    mean = now.first.mean()
    return (
        f"{in_files(now.m, 'Over')} the expected match risk is "
        f"{average(now.first.expected_match_risk)}; confidential {now.beside['confidential']:.0f}, "
        f"floor {now.beside['floor']:.0f}. The true match rate is {mean.true_match_rate:.4f} and "
        f"the false match rate {say(round(mean.false_match_rate, 2))}{skipped}. An intruder who "
        f"uses {at_once(now.m)}, and guesses where nobody matches, "
        f"expects {now.together:.0f}."
    )


def classes_panel(results, beside):
    """Build panel 03 (c), of mixture classes: risk and utility side by side.

    `beside` holds the expected match risk of the confidential data and the floor.
    """
    margins = {"left": 0.07, "right": 0.98, "top": 0.88, "bottom": 0.17, "wspace": 0.2}
    drawing = figure(3.4, 2, margins=margins)
    mean = results.groupby("classes")[["expected_match_risk", "pmse_ratio"]].mean()
    steps = [(str(classes), place) for place, classes in enumerate(mean.index)]

    def compute(step):
        return SimpleNamespace(place=step, mean=mean, now=mean.iloc[step], beside=beside)

    return Panel(
        {"step": step_slider("largest number of classes", steps, 0)},
        compute,
        lambda axes, result: draw_now(axes, result.place, result.now),
        say_classes,
        Canvas(*drawing, pictures.frame_classes, results, beside),
    )


def say_classes(result):
    """Read risk and utility aloud."""
    most, best, beside = result.mean.index[-1], result.mean.iloc[-1], result.beside
    beyond = f"; with at most {most} they are {best.expected_match_risk:.0f} and "
    beyond += f"{best.pmse_ratio:.1f}"
    return (
        f"With at most {result.now.name} classes the expected match risk is "
        f"{result.now.expected_match_risk:.0f} (confidential {beside['confidential']:.0f}, floor "
        f"{beside['floor']:.0f}) and the pMSE ratio {result.now.pmse_ratio:.1f} on average"
        f"{beyond if result.now.name != most else ''}."
    )


PAPER = "the paper's intruder"
ENTRIES = [("average over m", NOW), ("all m at once", pictures.ALL_AT_ONCE)]  # of the legend
INTRUDERS = {
    "fixed": "This intruder knows all six variables, whatever was synthesized",
    "paper": "The paper's intruder knows age, area, marital status and what was synthesized",
}


class Canvases:
    """A canvas for each view of a panel, of the same size; a result says which is its `view`."""

    def __init__(self, make, first):
        """Call `make` with a view when its canvas is first drawn on; `first` is the first one."""
        self.canvas_of = cache(make)
        self.first = self.canvas_of(first)
        self.size, self.backdrop = self.first.size, self.first.backdrop

    def png(self, draw, result):
        """Draw on the canvas of the result's view."""
        return self.canvas_of(result.view).png(draw, result)

    def pixels(self, draw, result):
        """Draw on the canvas of the result's view."""
        return self.canvas_of(result.view).pixels(draw, result)


def both_intruders(releases):
    """Return the results of each intruder by name."""
    return {name: releases[releases.intruder == name] for name in INTRUDERS}


def both_sums(releases):
    """Return the results by intruder and whether that one falls back where nobody matches."""
    back = releases.assign(expected_match_risk=releases.falling_back)
    given_up, fallen_back = both_intruders(releases), both_intruders(back)
    return {(name, False): given_up[name] for name in INTRUDERS} | {
        (name, True): fallen_back[name] for name in INTRUDERS
    }


def scenario_words(scenario, releases):
    """Name what a scenario synthesizes, such as "Tenure+Income", in plain words."""
    return listing(plain_names(scenario.split("+"), releases).values())


def at_radius(radius, radii):
    """Say a radius, and whether it is an edge of the grid."""
    ends = {min(radii): "the lower edge", max(radii): "the upper edge"}
    edge = f", {ends[radius]}" if radius in ends and len(radii) > 1 else ""
    return f"r = {say(100 * radius)} %{edge}"


def scenario_panel(releases, together):
    """Build panel 04 (a), of the four scenarios: boxplots over r, and the first m data sets.

    `together` has the risk of an intruder who uses the first m data sets at once.
    """
    scenarios = [(f"({k})", name) for k, name in enumerate(pictures.SCENARIO_LOOKS, start=1)]
    radii = sorted(releases.radius.unique())
    by_view = both_sums(releases)
    all_at_once = together.set_index(["intruder", "synthesized", "radius", "m"]).risk

    def canvas(view):
        """Draw what stays: the results of one intruder who gives up, or falls back."""
        margins = {"left": 0.12, "right": 0.99, "top": 0.87, "bottom": 0.27, "wspace": 0.08}
        drawing = figure(3.9, 4, margins=margins, sharey=True)
        what = {"releases": by_view[view], "entries": ENTRIES}
        return Canvas(*drawing, pictures.frame_radius_boxes, **what)

    def compute(paper, scenario, falls_back, radius, m):
        now = {"intruder": "paper" if paper else "fixed", "scenario": scenario}
        now |= {"radius": radius, "m": m}
        now["together"] = all_at_once[tuple(now.values())]
        view = now["intruder"], falls_back
        every = by_view[view]
        results = every[every.synthesized == scenario]
        return SimpleNamespace(view=view, every=every, results=results, **now)

    def draw(axes, now):
        pictures.draw_radius(axes, now.every, now.scenario, now.radius, now.m, now.together)

    controls = {
        "paper": Ticks("intruder", [PAPER]),
        "scenario": choice("scenario", scenarios),
        "falls_back": choice(NOBODY, GIVES_UP_OR_NOT),
        "radius": radius_slider("radius r", radii),
        "m": slider("files m", 1, int(releases.dataset.max()), 5),
    }
    return Panel(controls, compute, draw, say_scenario, Canvases(canvas, ("fixed", False)))


def say_scenario(now):
    """Read one scenario at one radius aloud."""
    here = now.results[now.results.radius == now.radius]
    first = here[here.dataset <= now.m].expected_match_risk
    does = "falls back" if now.view[1] else "gives up"
    best = maximizing_radius(now.results)
    highest = now.results.expected_match_risk[now.results.radius == best].mean()
    return (
        f"{INTRUDERS[now.intruder]}, and {does} where nobody matches. Synthesized: "
        f"{scenario_words(now.scenario, now.results)}. "
        f"{in_files(now.m, 'Over')}, at r = {say(100 * now.radius)} %, the expected "
        f"match risk is {average(first)}; confidential {here.confidential.iloc[0]:,.0f}, floor "
        f"{here.floor.iloc[0]:,.0f}. Using {at_once(now.m)}, falling back: "
        f"{now.together:,.0f}. The average of all {now.results.dataset.nunique()} is "
        f"highest at {at_radius(best, now.results.radius)}: {highest:,.0f}."
    )


CHOICES = ["Tenure", "Expenditure", "Income"]
LABELLED_BELOW = ("Income", "Tenure+Income", "Tenure+Expenditure+Income")  # room for words


def release_panel(releases):
    """Build panel 04 (b), in which the student chooses what to synthesize."""
    by_intruder = both_intruders(releases)
    short = {"expected_match_risk": "risk"}
    points = {
        name: at_maximizing_radius(results, by="synthesized").rename(columns=short)
        for name, results in by_intruder.items()
    }

    def canvas(intruder):
        """Draw what stays, for the results of one intruder."""
        what = {"points": points[intruder], "below": LABELLED_BELOW}
        return Canvas(*figure(4.2, margins=MARGINS), pictures.frame_releases, **what)

    def compute(paper, chosen):
        intruder = "paper" if paper else "fixed"
        name = "+".join(one for one in CHOICES if one in chosen)
        every, now = by_intruder[intruder], points[intruder]
        radii = every.radius[every.synthesized == name]
        return SimpleNamespace(view=intruder, now=now[now.synthesized == name], radii=radii)

    def draw(ax, result):
        if len(result.now):
            style = {"color": ORANGE, "marker": "o"}
            pictures.draw_tradeoff(ax, result.now[["risk", "pmse"]], None, style)
            pictures.draw_release_lines(ax, result.now, ["confidential"])

    controls = {
        "paper": Ticks("intruder", [PAPER]),
        "chosen": Ticks("synthesize", plain_names(CHOICES, releases), ["Income"]),
    }
    return Panel(controls, compute, draw, say_release, Canvases(canvas, "fixed"))


def say_release(result):
    """Read risk and utility of the chosen release aloud, with what they stand beside."""
    now = result.now
    if now.empty:
        return "Nothing is synthesized: you publish the truth. Tick at least one variable."
    first = now.iloc[0]
    return (
        f"{INTRUDERS[result.view]}. Synthesizing {scenario_words(first.synthesized, now)}, the "
        f"expected match risk is highest at {at_radius(first.radius, result.radii)}: "
        f"{now.risk.mean():,.0f} on average (falling back where nobody matches: "
        f"{now.falling_back.mean():,.0f}), against {first.confidential:,.0f} in the confidential "
        f"file and {first.floor:,.0f} for whoever ignores what was synthesized (the floor). "
        f"pMSE × 1,000 is {1000 * now.pmse.mean():.2f}."
    )


def pool_panel(pool, together, beside, repeats=1000):
    """Build panel 04 (c), of m: averages over m data sets, beside all m used at once.

    Args:
        pool: risk per record and pMSE of many data sets.
        together: risk per record of an intruder with m data sets: columns m and risk.
        beside: risk per record of the confidential data and the floor.
        repeats: how often m data sets are drawn from the pool.
    """
    margins = {"left": 0.1, "right": 0.98, "top": 0.9, "bottom": 0.16, "wspace": 0.22}
    drawing = figure(4.0, 2, margins=margins, width_ratios=[1.7, 1])
    whole, sizes = quartiles(pool), sorted(together.m.unique())
    lines = {**beside, "one file": pool.risk.mean()}

    def compute(m):
        averages = average_of_m(pool, m, repeats)
        so_far = together[together.m <= m]
        return SimpleNamespace(m=m, averages=averages, together=so_far, beside=lines)

    def frame(axes):
        pictures.frame_two_way(axes[0], whole, f"averages over m files, {repeats:,} times over")
        pictures.draw_two_way_box(axes[0], whole, DARK, "m = 1 (the whole pool)")
        pictures.frame_together(axes[1], sizes, lines)

    def draw(axes, now):
        pictures.draw_release(axes[0], now.averages, alpha=0.35, markersize=4)
        pictures.draw_two_way_box(axes[0], quartiles(now.averages), ORANGE, f"m = {now.m}")
        legend(axes[0], loc="upper right")
        pictures.draw_together(axes[1], now.together)

    m = step_slider("files m", sizes, 1)
    return Panel({"m": m}, compute, draw, say_pool, Canvas(*drawing, frame))


def say_pool(now):
    """Read mean and spread aloud, beside what m files give together."""
    risk, beside = now.averages.risk, now.beside
    all_at_once = now.together.risk[now.together.m == now.m].mean()
    few = "a single file (m = 1)" if now.m == 1 else f"m = {now.m} files"
    return (
        f"With {few}, the average risk per unit lies between {risk.min():.3f} and "
        f"{risk.max():.3f} over {len(risk):,} repeats; its mean is {risk.mean():.3f}. An intruder "
        f"who uses {at_once(now.m)}, and falls back where nobody "
        f"matches, gets {all_at_once:.3f} (confidential {beside['confidential']:.3f}, floor "
        f"{beside['floor']:.3f})."
    )
