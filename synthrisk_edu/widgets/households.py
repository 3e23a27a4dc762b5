"""Panels of lesson 07: what about people who live together?"""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.data import plain_names
from synthrisk_edu.households import qi_names
from synthrisk_edu.households.risk import PERSON_QIS, is_near, near_range
from synthrisk_edu.plots import households as pictures
from synthrisk_edu.widgets.panel import Panel, Ticks, choice, slider, step_slider
from synthrisk_edu.words import counted


def qis_panel(knowledge: pd.DataFrame) -> Panel:
    """Build panel (a), of quasi-identifiers; `knowledge` is load_results("household_knowledge")."""
    rows = knowledge.set_index(["qis", "r"])

    def compute(person, respondents, residents):
        household = ["state", "rural"] + ["residents"] * residents
        qis = " ".join(qi_names(respondents if person else 0, household, person))
        found = {one: rows.loc[(qis, one)] for one in ("estimated", "true")}
        known = {"person": person, "respondents": respondents, "household": household}
        return SimpleNamespace(**found, **known)

    controls = {
        "person": Ticks("the intruder knows", plain_names(PERSON_QIS, knowledge), PERSON_QIS),
        "respondents": choice("persons known", [("one", 1), ("two", 2)], 2),
        "residents": choice("residents counted", [("no", 0), ("yes", 1)], 1),
    }
    return Panel(pictures.UNIQUES, controls, compute, int(knowledge["unique"].max()))


def attribute_panel(incomes: pd.DataFrame) -> Panel:
    """Build panel (b), of a1 and a2 with thresholds R and b.

    A row of load_results("household_incomes") is an SU-CU household with an income x: where it is,
    r, x, the income of the synthetic household with the same QIs, and a2(b), the share of incomes
    near x in its leaf.
    """
    percents = [int(name[3:-1]) for name in incomes if name.startswith("a2")]
    chances = [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]

    def compute(R, b):
        chosen = incomes[incomes["r"] > R]
        low, high = near_range(chosen["x"], b)
        hit = is_near(chosen["x_synthetic"], chosen["x"], b)
        near = chosen.assign(low=low, high=high, hit=hit)
        shares = [hit.mean(), chosen[f"a2({b})"].mean()]
        return SimpleNamespace(R=R, b=b, near=near, shares=shares)

    controls = {
        "R": step_slider("R: r above", chances, 0.1),
        "b": step_slider("b: within (%)", percents, 50),
    }
    return Panel(pictures.INCOMES, controls, compute, table=riskiest_homes)


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


def fraction_panel(fractions: pd.DataFrame) -> Panel:
    """Build panel (c), of the sampling fraction, from load_results("household_fractions")."""
    table = fractions.assign(
        mean_r=fractions["sum_r"] / fractions["unique"],
        mean_true=fractions["sum_true"] / fractions["unique"],
    )
    steps = [(f"{100 * one:g} %", place) for place, one in enumerate(table["fraction"])]
    controls = {"row": step_slider("sampling fraction", steps, 4)}
    return Panel(pictures.FRACTIONS, controls, lambda row: table.iloc[row], table)


def protection_panel(methods: pd.DataFrame) -> Panel:
    """Build panel (d), of down-weighting, from load_results("household_methods")."""
    columns = ["ratio", "r > 0.1", *pictures.RISKS, "certain"]
    mean = methods.groupby("method", sort=False)[columns].mean()
    cutoffs = [("r > 0.9", 0.9), ("r > 0.5", 0.5), ("r > 0", 0.0)]

    def compute(family, cutoff):
        name = f"{family}, cutoff {cutoff:g}" if family.startswith("tree") else family
        found = {"row": mean.loc[name], "plain": mean.loc["no protection"]}
        return SimpleNamespace(family=family, cutoff=cutoff, **found)

    controls = {
        "family": choice("protection", list(pictures.METHOD_LOOKS), "tree only"),
        "cutoff": step_slider("weight 0 for", cutoffs, 0.9),
    }
    return Panel(pictures.PROTECTION, controls, compute, methods, mean)


def sizes_panel(sizes: pd.DataFrame, respondents: Sequence[int]) -> Panel:
    """Build panel (e), of H, from load_results("household_sizes") and respondents per household."""
    largest = sorted(int(one) for one in sizes["largest"].unique())
    size = np.asarray(respondents)
    cut = pd.Series({H: int(np.maximum(size - H, 0).sum()) for H in largest})
    mean = sizes.groupby("largest")["ratio"].mean()

    def compute(H):
        return SimpleNamespace(H=H, ratio=mean[H], cut=cut[H], homes=int((size > H).sum()))

    controls = {"H": slider("most respondents H", largest[0], largest[-1], 8)}
    return Panel(pictures.SIZES, controls, compute, sizes, cut)
