"""Panels of lesson 07: what about people who live together?"""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.households import near_incomes, qi_names, with_family
from synthrisk_edu.households.risk import PERSON_QIS, near_range
from synthrisk_edu.plots import households as pictures
from synthrisk_edu.plots import look
from synthrisk_edu.plots.households import TWO
from synthrisk_edu.widgets.panel import Canvas, Panel, Ticks, choice, slider, step_slider
from synthrisk_edu.words import listing, say

THRESHOLDS = (0.1, 0.5, 0.95)

# (a) what the intruder knows


def qis_panel(knowledge):
    """Build the panel of quasi-identifiers; `knowledge` is load_results("household_knowledge")."""
    rows = knowledge.set_index(["qis", "r"])
    bins = [name for name in knowledge if name.startswith("bin_")]
    figure, axes = look.figure(3.6, 2, margins=TWO, width_ratios=[1.2, 1])
    bars = ["all", *(f"r > {R:g}" for R in THRESHOLDS)]
    most = int(knowledge["unique"].max())

    def compute(person, respondents, residents):
        household = ["state", "rural"] + ["residents"] * residents
        qis = qi_names(respondents if person else 0, household, person)
        estimated, true = (rows.loc[(" ".join(qis), one)] for one in ("estimated", "true"))
        counts = [estimated["su_cu"], *(estimated[f"above_{R:g}"] for R in THRESHOLDS)]
        return SimpleNamespace(qis=qis, estimated=estimated, true=true, counts=counts)

    def draw(axes, now):
        pictures.draw_uniques(axes, now.estimated[bins], now.true[bins], now.counts)

    return Panel(
        {
            "person": Ticks("known of a person", PERSON_QIS, PERSON_QIS),
            "respondents": choice("persons known", [("one", 1), ("two", 2)], 2),
            "residents": choice("residents counted", [("no", 0), ("yes", 1)], 1),
        },
        compute,
        draw,
        say_qis,
        Canvas(figure, axes, lambda axes: pictures.frame_uniques(axes, most, bars)),
    )


def say_qis(now):
    """Read the uniques aloud."""
    persons = [name for name in now.qis if name[-2:] in ("_1", "_2")]
    known = sorted({name[:-2] for name in persons}, key=list(PERSON_QIS).index)
    whose = "two persons" if "_2" in "".join(persons) else "one person"
    about_persons = f", and {listing(known)} of {whose}" if persons else ""
    place = listing([name for name in now.qis if name not in persons])
    return (
        f"The intruder knows {place}{about_persons}. {say(now.estimated['unique'])} "
        f"households are alone in the sample with that, and {say(now.counts[0])} of them stand "
        f"alone in the synthetic file too; for {say(now.counts[1])} of these a match is right with "
        f"a chance above 0.1, for {say(now.counts[3])} above 0.95 (in truth for "
        f"{say(now.true['above_0.1'])} and {say(now.true['above_0.95'])})."
    )


# (b) attribute risk


def attribute_panel(confidential, synthetic, qis, r, value="income"):
    """Build the panel of a1 and a2 with thresholds R and b, and the households behind them."""
    percents = list(range(5, 105, 5))
    near = near_incomes(confidential, synthetic, qis, value, b=percents)
    near = near[near["x"] > 0].reset_index(drop=True)
    near["r"] = np.asarray(r, dtype=float)[near["confidential"]]
    homes = confidential.iloc[near["confidential"]].reset_index(drop=True)
    figure, axes = look.figure(3.9, 2, margins=TWO, width_ratios=[2.2, 1])
    chances = [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]

    def compute(R, b):
        chosen = near[near["r"] > R].assign(hit=lambda t: t[f"a1({b})"])
        shares = [chosen["hit"].mean(), chosen[f"a2({b})"].mean()]
        return SimpleNamespace(R=R, b=b, near=chosen, shares=shares)

    def households(now):
        shown = now.near.sort_values(["hit", "r"], ascending=False).head(5)
        first = homes.loc[shown.index, ["state", "rural", "residents"]].astype(str)
        low, high = near_range(shown["x"].to_numpy(), now.b)
        return first.assign(
            r=shown["r"].map("{:.2f}".format),
            income=shown["x"].map("{:,.0f}".format),
            near=[f"{a:,.0f} to {b:,.0f}" for a, b in zip(low, high, strict=True)],
            synthetic=shown["x_synthetic"].map("{:,.0f}".format),
            hit=np.where(shown["hit"], "yes", "no"),
        )

    return Panel(
        {
            "R": step_slider("R: r above", [(f"{one:g}", one) for one in chances], 0.1),
            "b": step_slider("b: within (%)", [(str(one), one) for one in percents], 50),
        },
        compute,
        lambda axes, now: pictures.draw_incomes(axes, now.near, 1 + now.b / 100, now.shares),
        say_attribute,
        Canvas(figure, axes, pictures.frame_incomes),
        table=households,
    )


def say_attribute(now):
    """Read a1 and a2 aloud."""
    n, hits = len(now.near), int(now.near["hit"].sum())
    if not n:
        return f"No SU-CU household with an income has r > {say(now.R)}; a1 = 0, a2 is undefined."
    return (
        f"{say(n)} SU-CU households with an income have r > {say(now.R)}. For {say(hits)} of them "
        f"the synthetic household with the same QIs has an income within {now.b} % (above x/"
        f"{say(1 + now.b / 100)} and below x·{say(1 + now.b / 100)}): a1({now.b}, {say(now.R)}) = "
        f"{say(hits)}. A tree grown on the synthetic file puts on average {say(now.shares[1])} of "
        f"its probability there: a2({now.b}, {say(now.R)}) = {say(now.shares[1])}."
    )


# (c) the sampling fraction


def fraction_panel(fractions):
    """Build the panel of the sampling fraction, from load_results("household_fractions")."""
    table = fractions.assign(
        mean_r=fractions["sum_r"] / fractions["unique"],
        mean_true=fractions["sum_true"] / fractions["unique"],
    )
    estimated, true = (
        [name for name in table if name.startswith(kind)] for kind in ("estimated_", "true_")
    )
    figure, axes = look.figure(3.6, 2, margins=TWO)
    most = int(table["unique"].max())

    def compute(row):
        return SimpleNamespace(row=table.iloc[row])

    def draw(axes, now):
        pictures.draw_fraction(axes, now.row, now.row[estimated], now.row[true])

    steps = [(f"{100 * one:g} %", place) for place, one in enumerate(table["fraction"])]
    return Panel(
        {"row": step_slider("sampling fraction", steps, 4)},
        compute,
        draw,
        say_fraction,
        Canvas(figure, axes, lambda axes: pictures.frame_fractions(axes, table, most)),
    )


def say_fraction(now):
    """Read one sampling fraction aloud."""
    row = now.row
    return (
        f"With {100 * row['fraction']:g} % of the state in the sample, {say(row['sampled'])} "
        f"households, {say(row['unique'])} are sample unique. On average a match with one of them "
        f"is right with a chance of {say(row['mean_true'])}; the model says {say(row['mean_r'])}. "
        f"{say(row['alone'])} are alone in the whole state."
    )


# (d) down-weighting


def protection_panel(methods):
    """Build the panel of down-weighting, from load_results("household_methods")."""
    results = with_family(methods)
    risks = [f"r > {R:g}" for R in THRESHOLDS]
    mean = results.groupby(["family", "cutoff"])[["ratio", *risks]].mean()
    margins = {"left": 0.06, "right": 0.99, "top": 0.9, "bottom": 0.16, "wspace": 0.22}
    figure, axes = look.figure(3.9, 3, margins=margins)
    cutoffs = [("nobody", 1.0), ("r > 0.9", 0.9), ("r > 0.5", 0.5), ("r > 0", 0.0)]

    def compute(cutoff, acts):
        key = ("no protection", 1.0) if cutoff == 1 else (acts, cutoff)
        return SimpleNamespace(
            family=key[0], cutoff=cutoff, row=mean.loc[key], plain=mean.loc[("no protection", 1.0)]
        )

    def frame(axes):
        for ax, risk in zip(axes, risks, strict=True):
            pictures.frame_methods(ax, results, risk, f"SU-CU with {risk}")
        look.legend(axes[-1], loc="upper right")

    def draw(axes, now):
        for ax, risk in zip(axes, risks, strict=True):
            pictures.draw_method(ax, now.row["ratio"], now.row[risk])

    return Panel(
        {
            "cutoff": step_slider("weight 0 for", cutoffs, 0.9),
            "acts": choice("weights act on", ["tree only", "tree and donors"]),
        },
        compute,
        draw,
        say_protection,
        Canvas(figure, axes, frame),
    )


def say_protection(now):
    """Read risk and utility of one method aloud."""

    def count(row, R):
        return f"{row[f'r > {R:g}']:,.0f}"

    ends = {1.0: "Nobody is weighted down", 0.0: "Every sample unique gets weight 0"}
    what = ends.get(now.cutoff, f"Households with r > {now.cutoff:g} get weight 0, others 1 − r²")
    acts = "" if now.cutoff == 1 else f", on the {now.family.replace('tree only', 'tree alone')}"
    return (
        f"{what}{acts}. On average over 30 files, {count(now.row, 0.1)} SU-CU households have "
        f"r > 0.1, {count(now.row, 0.5)} r > 0.5 and {count(now.row, 0.95)} r > 0.95 (without "
        f"protection {count(now.plain, 0.1)}, {count(now.plain, 0.5)} and "
        f"{count(now.plain, 0.95)}). The pMSE ratio is {now.row['ratio']:.1f} (without protection "
        f"{now.plain['ratio']:.1f})."
    )


# (e) the most respondents kept


def sizes_panel(sizes, respondents):
    """Build the panel of H, from load_results("household_sizes") and respondents per household."""
    largest = sorted(int(one) for one in sizes["largest"].unique())
    size = np.asarray(respondents)
    cut = pd.Series({H: int(np.maximum(size - H, 0).sum()) for H in largest})
    mean = sizes.groupby("largest")["ratio"].mean()
    figure, axes = look.figure(3.6, 2, margins=TWO, width_ratios=[1.7, 1])

    def compute(H):
        return SimpleNamespace(H=H, ratio=mean[H], cut=cut[H], homes=int((size > H).sum()))

    def say_size(now):
        lost = (
            f"{say(now.homes)} households have more than {now.H} respondents, and "
            f"{say(now.cut)} persons are cut"
            if now.cut
            else f"No household has more than {now.H} respondents, nobody is cut"
        )
        return (
            f"H = {now.H}: {lost}. The whole-file pMSE ratio is {now.ratio:.2f} on average over "
            "30 synthetic files."
        )

    return Panel(
        {"H": slider("H", largest[0], largest[-1], 8)},
        compute,
        lambda axes, now: pictures.draw_size(axes, now.H, now.ratio, now.cut),
        say_size,
        Canvas(figure, axes, lambda axes: pictures.frame_sizes(axes, sizes, cut)),
    )
