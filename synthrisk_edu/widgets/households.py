"""Panels of lesson 07: what about people who live together?"""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.households import qi_names
from synthrisk_edu.households.risk import PERSON_QIS, is_near, near_range
from synthrisk_edu.plots import households as pictures
from synthrisk_edu.plots import look
from synthrisk_edu.plots.households import TWO, with_family
from synthrisk_edu.widgets.panel import Canvas, Panel, Ticks, choice, slider, step_slider
from synthrisk_edu.words import counted, listing, say, say_rounded

THRESHOLDS = (0.1, 0.5, 0.95)


def qis_panel(knowledge):
    """Build panel (a), of quasi-identifiers; `knowledge` is load_results("household_knowledge")."""
    rows = knowledge.set_index(["qis", "r"])
    bins = [name for name in knowledge if name.startswith("bin_")]
    figure = look.figure(3.6, 2, margins=TWO, width_ratios=[1.2, 1])
    bars = ["all", *(f"r > {R:g}" for R in THRESHOLDS)]
    most = int(knowledge["unique"].max())

    def compute(person, respondents, residents):
        household = ["state", "rural"] + ["residents"] * residents
        qis = qi_names(respondents if person else 0, household, person)
        estimated, true = (rows.loc[(" ".join(qis), one)] for one in ("estimated", "true"))
        counts = [estimated["su_cu"], *(estimated[f"above_{R:g}"] for R in THRESHOLDS)]
        now = {"qis": qis, "estimated": estimated, "true": true, "counts": counts}
        return SimpleNamespace(knowledge=knowledge, **now)

    def draw(axes, now):
        pictures.draw_uniques(axes, now.estimated[bins], now.true[bins], now.counts)

    controls = {
        "person": Ticks("the intruder knows", plain_names(PERSON_QIS, knowledge), PERSON_QIS),
        "respondents": choice("persons known", [("one", 1), ("two", 2)], 2),
        "residents": choice("residents counted", [("no", 0), ("yes", 1)], 1),
    }
    canvas = Canvas(*figure, pictures.frame_uniques, most, bars)
    return Panel(controls, compute, draw, say_qis, canvas)


def say_qis(now):
    """Read the uniques aloud."""
    persons = [name for name in now.qis if name[-2:] in ("_1", "_2")]
    known = sorted({name[:-2] for name in persons}, key=list(PERSON_QIS).index)
    names = labels([*known, *(name for name in now.qis if name not in persons)], now.knowledge)
    whose = "two persons" if "_2" in "".join(persons) else "one person"
    of_persons = f"; of {whose} {listing(names.pop(name) for name in known)}"
    knows = f"The intruder knows {listing(names.values())}{of_persons if persons else ''}."
    if not now.estimated["unique"]:
        return f"{knows} No household is alone in the sample with that, and so none is found."
    return (
        f"{knows} {say(now.estimated['unique'])} households are "
        f"alone in the sample with that, and {say(now.counts[0])} of them stand "
        f"alone in the synthetic file too; for {say(now.counts[1])} of these a match is right with "
        f"a chance above 0.1, for {say(now.counts[3])} above 0.95 (in truth for "
        f"{say(now.true['above_0.1'])} and {say(now.true['above_0.95'])})."
    )


def attribute_panel(incomes):
    """Build panel (b), of a1 and a2 with thresholds R and b.

    A row of load_results("household_incomes") is an SU-CU household with an income x: where it is,
    r, x, the income of the synthetic household with the same QIs, and a2(b), the share of incomes
    near x in its leaf.
    """
    percents = [int(name[3:-1]) for name in incomes if name.startswith("a2")]
    chances = [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]
    margins = TWO | {"left": 0.14, "bottom": 0.24}
    figure = look.figure(2.4, 2, margins=margins, width_ratios=[2.2, 1])

    def compute(R, b):
        chosen = incomes[incomes["r"] > R]
        low, high = near_range(chosen["x"], b)
        hit = is_near(chosen["x_synthetic"], chosen["x"], b)
        near = chosen.assign(low=low, high=high, hit=hit)
        shares = [hit.mean(), chosen[f"a2({b})"].mean()]
        return SimpleNamespace(R=R, b=b, near=near, shares=shares)

    return Panel(
        {
            "R": step_slider("R: r above", chances, 0.1),
            "b": step_slider("b: within (%)", percents, 50),
        },
        compute,
        lambda axes, now: pictures.draw_incomes(axes, now.near, 1 + now.b / 100, now.shares),
        say_attribute,
        Canvas(*figure, pictures.frame_incomes),
        table=riskiest_homes,
    )


def riskiest_homes(now):
    """List the households with the highest r, those whose income is met first."""
    shown = now.near.sort_values(["hit", "r"], ascending=False).head(5)
    money = "{:,.0f}".format
    rows = [
        (
            f"{one.state}, {one.rural}, {counted(one.residents, 'resident', 'residents')}",
            f"{one.r:.2f}",
            money(one.x),
            f"{money(one.low)} to {money(one.high)}",
            money(one.x_synthetic) + (" (near)" if one.hit else ""),
        )
        for one in shown.itertuples()
    ]
    return pd.DataFrame(rows, columns=["household", "r", "income", "range", "synthetic"])


def say_attribute(now):
    """Read a1 and a2 aloud."""
    n, hits = len(now.near), int(now.near["hit"].sum())
    if not n:
        return f"No SU-CU household with an income has r > {say(now.R)}; a1 = 0, a2 is undefined."
    factor = say(1 + now.b / 100)
    return (
        f"{say(n)} SU-CU households with an income have r > {say(now.R)}. For "
        f"{say(hits or 'none')} of them the synthetic household with the same QIs has an income "
        f"within {now.b} % (above x/{factor} and below x·{factor}): a1({now.b}, {say(now.R)}) = "
        f"{say(hits)}. A tree grown on the synthetic file puts on average {now.shares[1]:.2f} of "
        f"its probability there: a2({now.b}, {say(now.R)}) = {now.shares[1]:.2f}."
    )


def fraction_panel(fractions):
    """Build panel (c), of the sampling fraction, from load_results("household_fractions")."""
    table = fractions.assign(
        mean_r=fractions["sum_r"] / fractions["unique"],
        mean_true=fractions["sum_true"] / fractions["unique"],
    )
    estimated, true = (
        [name for name in table if name.startswith(kind)] for kind in ("estimated_", "true_")
    )
    figure, most = look.figure(3.6, 2, margins=TWO), int(table["unique"].max())
    steps = [(f"{100 * one:g} %", place) for place, one in enumerate(table["fraction"])]
    return Panel(
        {"row": step_slider("sampling fraction", steps, 4)},
        lambda row: table.iloc[row],
        lambda axes, now: pictures.draw_fraction(axes, now, now[estimated], now[true]),
        say_fraction,
        Canvas(*figure, pictures.frame_fractions, table, most),
    )


def say_fraction(row):
    """Read one sampling fraction aloud."""
    return (
        f"With {100 * row['fraction']:g} % of the state in the sample, {say(row['sampled'])} "
        f"households, {say(row['unique'])} are sample unique. On average a match with one of them "
        f"is right with a chance of {row['mean_true']:.2f}; the model says {row['mean_r']:.2f}. "
        f"{say(row['alone'])} are alone in the whole state."
    )


def protection_panel(methods):
    """Build panel (d), of down-weighting, from load_results("household_methods")."""
    results = with_family(methods)
    risks = {
        "r > 0.5": "SU-CU with r > 0.5",
        "r > 0.95": "SU-CU with r > 0.95",
        "right": "in truth: right matches",
    }
    columns = ["ratio", "r > 0.1", *risks, "certain"]
    mean = results.groupby(["family", "cutoff"])[columns].mean()
    margins = {"left": 0.06, "right": 0.99, "top": 0.82, "bottom": 0.16, "wspace": 0.22}
    figure = look.figure(3.6, 3, margins=margins)
    cutoffs = [("r > 0.9", 0.9), ("r > 0.5", 0.5), ("r > 0", 0.0)]
    plain = mean.loc["no protection"].iloc[0]

    def compute(family, cutoff):
        row = mean.loc[(family, cutoff if family.startswith("tree") else 1.0)]
        return SimpleNamespace(family=family, cutoff=cutoff, row=row, plain=plain)

    def draw(axes, now):
        for ax, risk in zip(axes, risks, strict=True):
            pictures.draw_method(ax, now.row["ratio"], now.row[risk])

    controls = {
        "family": choice("protection", list(pictures.METHOD_LOOKS), "tree only"),
        "cutoff": step_slider("weight 0 for", cutoffs, 0.9),
    }
    canvas = Canvas(*figure, pictures.frame_methods, results, risks)
    return Panel(controls, compute, draw, say_protection, canvas)


def say_protection(now):
    """Read risk and utility of one method aloud."""
    what = {
        "no protection": "Nobody is protected, so no weight is set",
        "grouped states": "Small states are joined to others, and no weight is set",
        "tree only": "Weights act on the tree only",
        "tree and classes": "Weights act on the tree and on the donors of categories",
        "tree and donors": "Weights act on tree and donors",
    }[now.family]
    if now.family.startswith("tree"):
        zero = f"households with r > {now.cutoff:g}, 1 − r² for other sample uniques"
        what += f": 0 for {zero if now.cutoff else 'every sample unique'}"
    found = {name: f"{now.row[name]:,.0f} ({now.plain[name]:,.0f})" for name in now.row.index}
    ratio, without = say_rounded(now.row["ratio"]), say_rounded(now.plain["ratio"])
    return (
        f"{what}. Means over 30 files, in brackets those without protection: "
        f"{found['r > 0.1']} SU-CU households have r > 0.1, {found['r > 0.5']} r > 0.5 and "
        f"{found['r > 0.95']} r > 0.95. In truth {found['right']} matches would be right, "
        f"{found['certain']} of them for certain, because F = 1. The pMSE ratio is "
        f"{ratio} ({without})."
    )


def sizes_panel(sizes, respondents):
    """Build panel (e), of H, from load_results("household_sizes") and respondents per household."""
    largest = sorted(int(one) for one in sizes["largest"].unique())
    size = np.asarray(respondents)
    cut = pd.Series({H: int(np.maximum(size - H, 0).sum()) for H in largest})
    mean = sizes.groupby("largest")["ratio"].mean()
    figure = look.figure(3.6, 2, margins=TWO, width_ratios=[1.7, 1])

    def compute(H):
        return SimpleNamespace(H=H, ratio=mean[H], cut=cut[H], homes=int((size > H).sum()))

    def say_size(now):
        """Read one H aloud."""
        homes, lost = "no household has", "and nobody is cut"
        if now.cut:
            homes, lost = f"{say(now.homes)} households have", f"and {say(now.cut)} persons are cut"
        return (
            f"H = {now.H}: {homes} more than {now.H} respondents, {lost}. The whole-file pMSE "
            f"ratio is {say_rounded(now.ratio)} on average over 30 synthetic files."
        )

    return Panel(
        {"H": slider("most respondents H", largest[0], largest[-1], 8)},
        compute,
        lambda axes, now: pictures.draw_size(axes, now.H, now.ratio, now.cut),
        say_size,
        Canvas(*figure, pictures.frame_sizes, sizes, cut),
    )
