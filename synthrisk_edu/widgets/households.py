"""Panels of lesson 07: what about people who live together?"""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.data import plain_names
from synthrisk_edu.households import qi_names
from synthrisk_edu.households.risk import PERSON_QIS, is_near, near_range
from synthrisk_edu.plots import households as pictures
from synthrisk_edu.widgets.controls import Ticks, choice, slider, step_slider
from synthrisk_edu.widgets.panel import Panel


def qis_panel(knowledge: pd.DataFrame) -> Panel:
    """Build panel (a), of quasi-identifiers; `knowledge` is load_results("household_knowledge")."""
    rows = knowledge.set_index(["qis", "r"])

    def compute(person, respondents, residents):
        household = ["state", "rural"] + ["residents"] * residents
        qis = " ".join(qi_names(respondents if person else 0, household, person))
        return SimpleNamespace(
            estimated=rows.loc[(qis, "estimated")],
            true=rows.loc[(qis, "true")],
            person=person,
            respondents=respondents,
            household=household,
        )

    controls = {
        "person": Ticks("the intruder knows", plain_names(PERSON_QIS, knowledge), PERSON_QIS),
        "respondents": choice("people known", [("one", 1), ("two", 2)], 2),
        "residents": choice("residents counted", [("no", 0), ("yes", 1)], 1),
    }

    def grey(_change=None):
        """Grey the number of people while nothing is known of them."""
        controls["respondents"].disabled = not controls["person"].value

    controls["person"].observe(grey, names="value")
    grey()
    most = int(knowledge["su_cu"].max())
    return Panel(pictures.uniques_picture, controls, compute, most)


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
        worst_first = near.sort_values(["hit", "r"], ascending=False)
        return SimpleNamespace(
            R=R,
            b=b,
            near=near,
            read=worst_first.head(pictures.MOST_MARKS),
            hits=int(hit.sum()),
            shares=[hit.mean(), chosen[f"a2({b})"].mean()],
        )

    controls = {
        "R": step_slider("R: r above", chances, 0.1),
        "b": step_slider("b: within (%)", percents, 50),
    }
    return Panel(pictures.incomes_picture, controls, compute)


def fraction_panel(fractions: pd.DataFrame) -> Panel:
    """Build panel (c), of the sampling fraction, from load_results("household_fractions")."""
    table = fractions.assign(
        mean_r=fractions["sum_r"] / fractions["unique"],
        mean_true=fractions["sum_true"] / fractions["unique"],
    )
    steps = [(f"{100 * one:g} %", place) for place, one in enumerate(table["fraction"])]

    def compute(row):
        return table.iloc[row]

    controls = {"row": step_slider("sampling fraction", steps, min(4, len(table) - 1))}
    return Panel(pictures.fraction_picture, controls, compute, table)


def protection_panel(methods: pd.DataFrame) -> Panel:
    """Build panel (d), of down-weighting, from load_results("household_methods")."""
    columns = ["ratio", "r > 0.1", *pictures.RISKS, "certain"]
    mean = methods.groupby("method", sort=False)[columns].mean()
    families = [one for one in pictures.METHOD_LOOKS if mean.index.str.startswith(one).any()]
    first = "tree only" if "tree only" in families else families[0]
    cutoffs = [("r > 0.9", 0.9), ("r > 0.5", 0.5), ("r > 0", 0.0)]

    def compute(family, cutoff):
        name = f"{family}, cutoff {cutoff:g}" if family.startswith("tree") else family
        return SimpleNamespace(
            family=family, cutoff=cutoff, row=mean.loc[name], plain=mean.loc["no protection"]
        )

    controls = {
        "family": choice("protection", families, first),
        "cutoff": step_slider("weight 0 for", cutoffs, 0.9),
    }

    def grey(_change=None):
        """Grey the cutoff of weights where there are no weights."""
        controls["cutoff"].disabled = not controls["family"].value.startswith("tree")

    controls["family"].observe(grey, names="value")
    return Panel(pictures.protection_picture, controls, compute, methods, mean)


def sizes_panel(sizes: pd.DataFrame, respondents: Sequence[int]) -> Panel:
    """Build panel (e), of H, from load_results("household_sizes") and respondents per household."""
    largest = sorted(int(one) for one in sizes["largest"].unique())
    size = np.asarray(respondents)
    people = int(size.sum())
    cut = pd.Series({H: int(np.maximum(size - H, 0).sum()) for H in largest})
    mean = sizes.groupby("largest")["ratio"].mean()

    def compute(H):
        homes = int((size > H).sum())
        return SimpleNamespace(H=H, ratio=mean[H], cut=cut[H], homes=homes, people=people)

    controls = {"H": slider("most respondents H", largest[0], largest[-1], 8)}
    return Panel(pictures.sizes_picture, controls, compute, sizes, mean, cut)
