"""Panels of lessons 03 and 04: the ACS and the CE example."""

from functools import partial
from types import SimpleNamespace

import numpy as np

from synthrisk_edu.matching import (
    at_maximizing_radius,
    baseline,
    count_unique,
    match,
    maximizing_radius,
)
from synthrisk_edu.plots import examples as pictures
from synthrisk_edu.plots.look import DARK, ORANGE, figure, legend
from synthrisk_edu.plots.matching import draw_summaries, frame_summaries
from synthrisk_edu.tradeoff import average_of_m, quartiles
from synthrisk_edu.widgets.panel import (
    Canvas,
    Panel,
    Ticks,
    choice,
    radius_slider,
    slider,
    step_slider,
)
from synthrisk_edu.words import listing, say

MARGINS = {"left": 0.11, "right": 0.97, "top": 0.9, "bottom": 0.14}  # around one picture

# Lesson 03 (a): what the intruder knows


def known_panel(confidential, synthetic, variables, ticked, synthesized):
    """Build the panel of known variables: s, K, F and the three summaries."""
    margins = {"left": 0.08, "right": 0.99, "top": 0.84, "bottom": 0.22, "wspace": 0.3}
    drawing, axes = figure(3.6, 4, margins=margins, width_ratios=[2.2, 1, 1, 1])
    most = baseline(confidential, variables, synthesized).summary()
    limits = [most.expected_match_risk, most.true_match_rate, 1.0]

    def compute(known):
        return {
            "confidential": baseline(confidential, list(known), synthesized),
            "synthetic": match(confidential, synthetic, list(known), synthesized),
        }

    def frame(axes):
        pictures.frame_unique(axes[0], len(confidential))
        frame_summaries(axes[1:], limits)

    def draw(axes, matches):
        pictures.draw_unique(axes[0], matches)
        draw_summaries(axes[1:], matches)

    ticks = Ticks("the intruder knows", variables, ticked)
    return Panel({"known": ticks}, compute, draw, say_known, Canvas(drawing, axes, frame))


def say_known(matches):
    """Read s, K, F and the expected match risk aloud."""
    found = matches["synthetic"]
    true_file, made_file = count_unique(matches["confidential"]), count_unique(found)
    risk = {name: one.summary().expected_match_risk for name, one in matches.items()}
    known = f"{listing(found.known)} and " if len(found.known) else "only "
    unique = f", {made_file.K:,} of them true and {made_file.F:,} false" if made_file.s else ""
    all_true = ", all true" if true_file.s else ""
    return (
        f"Knowing {known}the true {listing(found.synthesized)}, an intruder finds "
        f"s = {made_file.s:,} unique matches in the synthetic file{unique} "
        f"(confidential: {true_file.s:,}{all_true}), and expects to "
        f"be right {say(risk['synthetic'])} times (confidential: {say(risk['confidential'])})."
    )


# Lesson 03 (b): several data sets


def data_sets(m, word):
    """Say how many data sets are averaged; one alone is not."""
    return f"{word} m = {m} data sets" if m > 1 else "In a single data set (m = 1)"


def average(values):
    """Say an average with its range; a single value has none."""
    mean, low, high = values.mean(), values.min(), values.max()
    return (
        f"{mean:.1f} on average (from {low:.1f} to {high:.1f})"
        if len(values) > 1
        else f"{mean:.1f}"
    )


def average_panel(table):
    """Build the panel of averages over the first m data sets; `table` is from `match_all`."""
    margins = {"left": 0.07, "right": 0.98, "top": 0.82, "bottom": 0.18, "wspace": 0.45}
    drawing, axes = figure(3.3, 3, margins=margins)
    return Panel(
        {"m": slider("data sets m", 1, len(table), 1)},
        lambda m: SimpleNamespace(m=m, mean=table.iloc[:m].mean(), table=table.iloc[:m]),
        lambda axes, now: pictures.draw_averages(axes, table, now.m),
        say_average,
        Canvas(drawing, axes, lambda axes: pictures.frame_averages(axes, table)),
    )


def say_average(now):
    """Read the averages aloud, and how many false match rates were undefined."""
    undefined = int(now.table.false_match_rate.isna().sum())
    skipped = f" ({undefined} undefined, left out)" if undefined else ""
    return (
        f"{data_sets(now.m, 'Over')} the expected match risk is "
        f"{average(now.table.expected_match_risk)}, the true match rate "
        f"{say(now.mean.true_match_rate)}, and the false match rate "
        f"{say(now.mean.false_match_rate)}{skipped}."
    )


# Lesson 03 (c): the number of classes


def classes_panel(results):
    """Build the panel of mixture classes: risk and utility side by side."""
    margins = {"left": 0.07, "right": 0.98, "top": 0.88, "bottom": 0.17, "wspace": 0.2}
    drawing, axes = figure(3.4, 2, margins=margins)
    mean = results.groupby("classes")[["expected_match_risk", "pmse_ratio"]].mean()
    steps = [(str(classes), place) for place, classes in enumerate(mean.index)]

    def compute(step):
        return SimpleNamespace(place=step, mean=mean, now=mean.iloc[step])

    return Panel(
        {"step": step_slider("largest number of classes", steps, 2)},
        compute,
        lambda axes, result: pictures.draw_classes(axes, result.place, result.now),
        say_classes,
        Canvas(drawing, axes, lambda axes: pictures.frame_classes(axes, results)),
    )


def say_classes(result):
    """Read risk and utility aloud."""
    most, best = result.mean.index[-1], result.mean.iloc[-1]
    return (
        f"With at most {result.now.name} classes the expected match risk is "
        f"{result.now.expected_match_risk:.1f} and the pMSE ratio {result.now.pmse_ratio:.1f} on "
        f"average; the largest number tried, {most}, gives {best.expected_match_risk:.1f} and "
        f"{best.pmse_ratio:.1f}."
    )


# Lesson 04 (a): scenario, radius, m


def scenario_panel(releases):
    """Build the panel of the four scenarios: boxplots over r, and the first m data sets."""
    scenarios = {f"({k})": name for k, name in enumerate(pictures.SCENARIO_LOOKS, start=1)}
    margins = {"left": 0.08, "right": 0.98, "top": 0.84, "bottom": 0.2, "wspace": 0.28}
    drawing, axes = figure(3.6, 4, margins=margins)
    radii = sorted(releases.radius[releases.synthesized == "Income"].unique())

    def compute(scenario, radius, m):
        results = releases[releases.synthesized == scenario]
        first = results[(results.radius == radius) & (results.dataset <= m)]
        return SimpleNamespace(scenario=scenario, radius=radius, m=m, results=results, first=first)

    def draw(axes, now):
        pictures.draw_radius(axes, releases, now.scenario, now.radius, now.m)

    controls = {
        "scenario": choice("scenario", list(scenarios.items())),
        "radius": radius_slider("radius r", radii),
        "m": slider("data sets m", 1, int(releases.dataset.max()), 5),
    }
    canvas = Canvas(drawing, axes, lambda axes: pictures.frame_radius_boxes(axes, releases))
    return Panel(controls, compute, draw, say_scenario, canvas)


def say_scenario(now):
    """Read one scenario at one radius aloud."""
    names = listing(now.scenario.split("+"))
    best = maximizing_radius(now.results)
    highest = now.results.expected_match_risk[now.results.radius == best].mean()
    return (
        f"Synthesized: {names}. {data_sets(now.m, 'Over the first')}, at r = "
        f"{say(100 * now.radius)} %, the expected match risk is "
        f"{average(now.first.expected_match_risk)}. Over all data sets it is highest at r = "
        f"{say(100 * best)} %, with {highest:.1f}: the radius to report."
    )


# Lesson 04 (b): choose your release

CHOICES = ["Tenure", "Expenditure", "Income"]
LABELLED_BELOW = ("Expenditure", "Tenure+Income", "Tenure+Expenditure+Income")  # room for words


def release_panel(releases):
    """Build the panel in which the student chooses what to synthesize."""
    every = at_maximizing_radius(releases, by="synthesized")
    every = every.rename(columns={"expected_match_risk": "risk"})
    points = dict(tuple(every.groupby("synthesized")))
    limits = (-50 * every.pmse.max(), 1150 * every.pmse.max()), (0, 1.12 * every.risk.max())
    drawing, ax = figure(4.2, margins=MARGINS)

    def frame(ax):
        pictures.frame_tradeoff(ax, limits, "each release at its maximizing radius")
        for name, one in points.items():
            below = name in LABELLED_BELOW
            pictures.draw_release(ax, one, name.replace("+", " + "), below=below)

    def compute(chosen):
        return points.get("+".join(name for name in CHOICES if name in chosen))

    def draw(ax, now):
        if now is not None:
            style = {"color": ORANGE, "marker": "o"}
            pictures.draw_tradeoff(ax, now[["risk", "pmse"]], None, style)

    ticks = Ticks("synthesize", CHOICES, ["Income"])
    say_one = partial(say_release, len(points))
    return Panel({"chosen": ticks}, compute, draw, say_one, Canvas(drawing, ax, frame))


def say_release(n, now):
    """Read risk and utility of the chosen release aloud."""
    if now is None:
        return "Nothing is synthesized: you publish the truth. Tick at least one variable."
    radius, names = now.radius.iloc[0], now.synthesized.iloc[0].split("+")
    at = f"at its maximizing radius, {say(100 * radius)} %" if radius else "matched exactly"
    return (
        f"Synthesizing {listing(names)}, the expected match risk is {now.risk.mean():.1f} on "
        f"average ({at}), and pMSE × 1,000 is {1000 * now.pmse.mean():.2f}. Of the {n} releases, "
        "is any better on both counts?"
    )


# Lesson 04 (c): how many data sets


def pool_panel(pool, n, repeats=1000):
    """Build the panel of m: what an office reports that happens to make these m data sets."""
    per_record = pool.assign(risk=pool.risk / n)
    whole = quartiles(per_record)
    drawing, ax = figure(4.2, margins=MARGINS)

    def compute(m):
        averages = average_of_m(per_record, m, repeats)
        return SimpleNamespace(m=m, averages=averages, box=quartiles(averages), pool=per_record)

    def frame(ax):
        title = f"averages over m data sets, {repeats:,} times over"
        pictures.frame_tradeoff(ax, pictures.box_limits(whole), title, "risk per record")
        pictures.draw_two_way_box(ax, whole, DARK, "m = 1 (the whole pool)")

    def draw(ax, now):
        pictures.draw_release(ax, now.averages, alpha=0.35, markersize=4)
        pictures.draw_two_way_box(ax, now.box, ORANGE, f"m = {now.m}")
        legend(ax, loc="upper right")

    m = slider("data sets m", 1, 40, 10)
    return Panel({"m": m}, compute, draw, say_pool, Canvas(drawing, ax, frame))


def say_pool(now):
    """Read mean and spread aloud."""
    risk = now.averages.risk
    few = "a single data set (m = 1)" if now.m == 1 else f"m = {now.m} data sets"
    return (
        f"With {few}, the reported risk per record lies between {risk.min():.4f} and "
        f"{risk.max():.4f} over {len(risk):,} repeats, its middle half within "
        f"{np.subtract(*risk.quantile([0.75, 0.25])):.4f}. Its mean is {risk.mean():.4f}; that of "
        f"the whole pool is {now.pool.risk.mean():.4f}."
    )
