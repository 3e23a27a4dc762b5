"""Panels of lessons 03 and 04: the ACS and the CE example."""

from functools import partial
from types import SimpleNamespace

import numpy as np

from synthrisk_edu import plots
from synthrisk_edu.matching import baseline, match, maximizing_radius
from synthrisk_edu.plots.examples import SCENARIO_LOOKS
from synthrisk_edu.plots.look import DARK, ORANGE, legend
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


def match_known(confidential, synthetic, synthesized, known):
    """Match everybody on the known and the synthesized variables, in both files."""
    return {
        "confidential": baseline(confidential, list(known), synthesized),
        "synthetic": match(confidential, synthetic, list(known), synthesized),
    }


def count_unique(matches):
    """Return s, ΣK and ΣF of each file."""
    return {
        name: {
            "s": int((found.records.c == 1).sum()),
            "K": int(found.records.K.sum()),
            "F": int(found.records.F.sum()),
        }
        for name, found in matches.items()
    }


def known_panel(confidential, synthetic, variables, ticked, synthesized):
    """Build the panel of known variables: s, K, F and the three summaries."""
    margins = {"left": 0.08, "right": 0.99, "top": 0.84, "bottom": 0.22, "wspace": 0.3}
    figure, axes = plots.figure(3.6, 4, margins=margins, width_ratios=[2.2, 1, 1, 1])
    most = baseline(confidential, variables, synthesized).summary()
    limits = [most.expected_match_risk, most.true_match_rate, 1.0]

    def frame(axes):
        plots.frame_unique(axes[0], len(confidential))
        plots.frame_summaries(axes[1:], limits)

    def draw(axes, matches):
        plots.draw_unique(axes[0], count_unique(matches))
        plots.draw_summaries(axes[1:], matches)

    return Panel(
        {"known": Ticks("the intruder knows", variables, ticked)},
        partial(match_known, confidential, synthetic, synthesized),
        draw,
        say_known,
        Canvas(figure, axes, frame),
    )


def say_known(matches):
    """Read s, K, F and the expected match risk aloud."""
    found, counts = matches["synthetic"], count_unique(matches)
    ours, theirs = counts["confidential"], counts["synthetic"]
    own, released = matches["confidential"].summary(), found.summary()
    known = f"{listing(found.known)} and " if len(found.known) else "only "
    unique = f", {theirs['K']:,} of them true and {theirs['F']:,} false" if theirs["s"] else ""
    true = ", all true" if ours["s"] else ""
    return (
        f"Knowing {known}the true {listing(found.synthesized)}, an intruder finds "
        f"s = {theirs['s']:,} unique matches in the synthetic file{unique} "
        f"(confidential: {ours['s']:,}{true}), and expects to "
        f"be right {say(released.expected_match_risk)} times (confidential: "
        f"{say(own.expected_match_risk)})."
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
    figure, axes = plots.figure(3.3, 3, margins=margins)
    return Panel(
        {"m": slider("data sets m", 1, len(table), 1)},
        lambda m: SimpleNamespace(m=m, mean=table.iloc[:m].mean(), table=table.iloc[:m]),
        lambda axes, now: plots.draw_averages(axes, table, now.m),
        say_average,
        Canvas(figure, axes, lambda axes: plots.frame_averages(axes, table)),
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
    figure, axes = plots.figure(3.4, 2, margins=margins)
    mean = results.groupby("classes")[["expected_match_risk", "pmse_ratio"]].mean()
    steps = [(str(classes), place) for place, classes in enumerate(mean.index)]

    def compute(step):
        return SimpleNamespace(
            place=step, classes=mean.index[step], now=mean.iloc[step], best=mean.iloc[-1],
            most=mean.index[-1],
        )  # fmt: skip

    return Panel(
        {"step": step_slider("largest number of classes", steps, 2)},
        compute,
        lambda axes, result: plots.draw_classes(axes, result.place, result.now),
        say_classes,
        Canvas(figure, axes, lambda axes: plots.frame_classes(axes, results)),
    )


def say_classes(result):
    """Read risk and utility aloud."""
    return (
        f"With at most {result.classes} classes the expected match risk is "
        f"{result.now.expected_match_risk:.1f} and the pMSE ratio {result.now.pmse_ratio:.1f} on "
        f"average; the largest number tried, {result.most}, gives "
        f"{result.best.expected_match_risk:.1f} and {result.best.pmse_ratio:.1f}."
    )


# Lesson 04 (a): scenario, radius, m

SHORT = dict(zip(SCENARIO_LOOKS, ("Income", "+ Tenure", "+ Expenditure", "+ both"), strict=True))


def scenario_panel(releases):
    """Build the panel of the four scenarios: boxplots over r, and the first m data sets."""
    scenarios = {f"({k})": name for k, name in enumerate(SCENARIO_LOOKS, start=1)}
    margins = {"left": 0.08, "right": 0.98, "top": 0.84, "bottom": 0.2, "wspace": 0.28}
    figure, axes = plots.figure(3.6, 4, margins=margins)
    of = {name: releases[releases.synthesized == name] for name in SCENARIO_LOOKS}
    best = {name: maximizing_radius(results) for name, results in of.items()}
    radii = sorted(of["Income"].radius.unique())

    def frame(axes):
        for ax, (label, name) in zip(axes, scenarios.items(), strict=True):
            plots.frame_boxes(ax, of[name], f"scenario {label}\n{SHORT[name]}")
            ax.set_ylabel("expected match risk" if label == "(1)" else "")
            ax.tick_params(axis="x", labelrotation=60)

    def compute(scenario, radius, m):
        chosen = of[scenario]
        first = chosen[(chosen.radius == radius) & (chosen.dataset <= m)]
        return SimpleNamespace(
            scenario=scenario, radius=radius, m=m, first=first, best=best[scenario],
            highest=chosen[chosen.radius == best[scenario]].expected_match_risk.mean(),
        )  # fmt: skip

    def draw(axes, now):
        ax = axes[list(scenarios.values()).index(now.scenario)]
        plots.draw_boxes(ax, of[now.scenario], now.radius, now.m)

    return Panel(
        {
            "scenario": choice("scenario", list(scenarios.items())),
            "radius": radius_slider("radius r", radii),
            "m": slider("data sets m", 1, int(releases.dataset.max()), 5),
        },
        compute,
        draw,
        say_scenario,
        Canvas(figure, axes, frame),
    )


def say_scenario(now):
    """Read one scenario at one radius aloud."""
    names = listing(now.scenario.split("+"))
    risk = now.first.expected_match_risk
    return (
        f"Synthesized: {names}. {data_sets(now.m, 'Over the first')}, at r = "
        f"{say(100 * now.radius)} %, the expected match risk is {average(risk)}. Over all data "
        f"sets it is highest at r = {say(100 * now.best)} %, with {now.highest:.1f}: the radius "
        f"to report."
    )


# Lesson 04 (b): choose your release


LABELLED_BELOW = ("Expenditure", "Tenure+Income", "Tenure+Expenditure+Income")  # room for words


def release_points(releases):
    """Return, for each release, its data sets at the maximizing radius: risk and pMSE."""
    points = {}
    for name, results in releases.groupby("synthesized", sort=False):
        at = results[results.radius == maximizing_radius(results)]
        columns = {"expected_match_risk": "risk", "radius": "radius", "pmse": "pmse"}
        points[name] = at[list(columns)].rename(columns=columns)
    return points


def release_panel(releases):
    """Build the panel in which the student chooses what to synthesize."""
    points = release_points(releases)
    names = ["Tenure", "Expenditure", "Income"]
    top = max(one.risk.max() for one in points.values())
    right = 1000 * max(one.pmse.max() for one in points.values())
    figure, ax = plots.figure(4.2, margins=MARGINS)

    def frame(ax):
        plots.frame_tradeoff(ax, ((-0.05 * right, 1.15 * right), (0, 1.12 * top)),
                             "each release at its maximizing radius")  # fmt: skip
        for name, one in points.items():
            plots.draw_release(ax, one, name.replace("+", " + "), below=name in LABELLED_BELOW)

    def compute(chosen):
        name = "+".join(name for name in names if name in chosen)
        if not name:
            return None
        one = points[name]
        return SimpleNamespace(name=name, points=one, box=quartiles(one[["risk", "pmse"]]))

    def draw(ax, now):
        if now is not None:
            style = {"color": ORANGE, "marker": "o"}
            plots.draw_tradeoff(ax, now.points, now.box, None, style)

    return Panel(
        {"chosen": Ticks("synthesize", names, ["Income"])},
        compute,
        draw,
        partial(say_release, len(points)),
        Canvas(figure, ax, frame),
    )


def say_release(n, now):
    """Read risk and utility of the chosen release aloud."""
    if now is None:
        return "Nothing is synthesized: you publish the truth. Tick at least one variable."
    radius = now.points.radius.iloc[0]
    at = f"at its maximizing radius, {say(100 * radius)} %" if radius else "matched exactly"
    return (
        f"Synthesizing {listing(now.name.split('+'))}, the expected match risk is "
        f"{now.points.risk.mean():.1f} on average ({at}), and pMSE × 1,000 is "
        f"{1000 * now.points.pmse.mean():.2f}. Of the {n} releases, is any better on both counts?"
    )


# Lesson 04 (c): how many data sets


def pool_panel(pool, n, repeats=1000):
    """Build the panel of m: what an office reports that happens to make these m data sets."""
    per_record = pool.assign(risk=pool.risk / n)
    whole = quartiles(per_record)
    pad = 0.05 * (whole.loc["maximum"] - whole.loc["minimum"])
    low, high = whole.loc["minimum"] - pad, whole.loc["maximum"] + pad
    limits = ((1000 * low.pmse, 1000 * high.pmse), (low.risk, high.risk))
    figure, ax = plots.figure(4.2, margins=MARGINS)

    def compute(m):
        averages = average_of_m(per_record, m, repeats)
        return SimpleNamespace(m=m, averages=averages, box=quartiles(averages), mean=per_record)

    def frame(ax):
        title = "averages over m data sets, 1,000 times over"
        plots.frame_tradeoff(ax, limits, title, "risk per record")
        plots.draw_two_way_box(ax, whole, {"color": DARK}, "m = 1 (the whole pool)")

    def draw(ax, now):
        plots.draw_release(ax, now.averages, alpha=0.35, markersize=4)
        plots.draw_two_way_box(ax, now.box, {"color": ORANGE}, f"m = {now.m}")
        legend(ax, loc="upper right")

    return Panel({"m": slider("data sets m", 1, 40, 10)}, compute, draw, say_pool,
                 Canvas(figure, ax, frame))  # fmt: skip


def say_pool(now):
    """Read mean and spread aloud."""
    risk = now.averages.risk
    few = "a single data set (m = 1)" if now.m == 1 else f"m = {now.m} data sets"
    return (
        f"With {few}, the reported risk per record lies between {risk.min():.4f} and "
        f"{risk.max():.4f} over {len(risk):,} repeats, its middle half within "
        f"{np.subtract(*risk.quantile([0.75, 0.25])):.4f}. Its mean is {risk.mean():.4f}; that of "
        f"the whole pool is {now.mean.risk.mean():.4f}."
    )
