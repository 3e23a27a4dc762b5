"""Make the synthetic data sets and the stored results that lessons 03, 04 and 05 show.

    python data/make_synthetic.py             make all files anew (about half an hour)
    python data/make_synthetic.py classes     make one of them: acs, classes, releases, pool, youth

Everything starts from the simulated files acs.csv and ce.csv and a fixed seed.
"""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

import synthrisk_edu as sr
from synthrisk_edu.progress import track
from synthrisk_edu.synthesis import synthesize_cart, synthesize_dpmpm
from synthrisk_edu.utility import pmse, pmse_ratio

FOLDER = Path(__file__).parent
SEED = 2021

# The lecture's ACS example
ACS_KNOWN, ACS_SYNTHESIZED = ["SEX", "RACE", "MAR"], ["DIS", "HICOV"]
CLASSES = (2, 3, 4, 6, 8, 12, 20, 40)

# Reiter and Mitra's example
YOUTH_KNOWN, YOUTH_SYNTHESIZED = ["ethnicity"], ["facility", "race"]
YOUTH_PREDICTORS = ["ethnicity", "age", "sex", "crime", "weight"]

# Hornby and Hu's CE example
CE_KNOWN = ["Age", "Urban", "Marital"]
CE_CHOICES = ["Tenure", "Expenditure", "Income"]
RADII = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3]
AGE = {"Age": 0.1}


def make_acs(m=20):
    """Synthesize DIS and HICOV m times; one column per variable and data set."""
    acs = sr.load_acs()
    sets = synthesize_dpmpm(acs, ACS_SYNTHESIZED, m, iterations=4000, seed=SEED)
    columns = {
        f"{name}_{number}": one[name]
        for number, one in enumerate(sets, start=1)
        for name in ACS_SYNTHESIZED
    }
    return pd.DataFrame(columns)


def make_classes(m=10):
    """Risk and utility of the mixture for different largest numbers of classes."""
    acs = sr.load_acs()
    rows = []
    for classes in track(CLASSES, "classes"):
        sets = synthesize_dpmpm(acs, ACS_SYNTHESIZED, m, classes=classes, seed=SEED)
        table = sr.match_all(acs, sets, ACS_KNOWN, ACS_SYNTHESIZED).reset_index()
        ratio = [pmse_ratio(acs, one, ACS_KNOWN + ACS_SYNTHESIZED) for one in sets]
        rows.append(table.assign(classes=classes, pmse_ratio=ratio))
    return pd.concat(rows, ignore_index=True).round(6)


def make_releases(m=20):
    """Risk at six radii, and pMSE, of every choice of variables to synthesize."""
    ce = sr.load_ce()
    choices = [list(c) for k in (1, 2, 3) for c in combinations(CE_CHOICES, k)]
    rows = []
    for chosen in track(choices, "releases"):
        sets = synthesize_cart(ce, chosen, m, seed=SEED)
        numbers = [name for name in chosen if name != "Tenure"]
        if numbers:
            sweep = sr.radius_sweep(ce, sets, CE_KNOWN, chosen, RADII, vary=numbers, fixed=AGE)
        else:  # tenure alone has no radius to vary
            sweep = sr.match_all(ce, sets, CE_KNOWN, chosen, AGE).reset_index().assign(radius=0.0)
        utility = {number: pmse(ce, one) for number, one in enumerate(sets, start=1)}
        rows.append(sweep.assign(synthesized="+".join(chosen), pmse=sweep.dataset.map(utility)))
    return pd.concat(rows, ignore_index=True).round(8)


def make_pool(size=400, radius=0.01):
    """Risk and pMSE of many independent syntheses of income, at the radius of highest risk."""
    ce = sr.load_ce()
    sets = synthesize_cart(ce, ["Income"], size, seed=SEED + 1)
    at = AGE | {"Income": radius}
    rows = [
        {"risk": sr.match(ce, one, CE_KNOWN, ["Income"], at).summary().expected_match_risk,
         "pmse": pmse(ce, one)}
        for one in track(sets, "pool")
    ]  # fmt: skip
    return pd.DataFrame(rows).round(8)


def make_youth(runs=20, sizes=(2, 3, 10)):
    """The three risks by what the intruder knows and by m, several runs over.

    `believed` is the sum of the highest probabilities: so many right matches the intruder counts
    on. `uniques` says how many of the true matches are sample uniques.
    """
    data = sr.prepare_youth(sr.load_youth())
    alone = data.groupby(YOUTH_KNOWN + YOUTH_SYNTHESIZED, observed=True).age.transform("size") == 1
    office = sr.fit_multinomial(data, YOUTH_SYNTHESIZED, YOUTH_PREDICTORS)
    rows = []
    for run in track(range(runs), "youth"):
        rng = np.random.default_rng(SEED + run)
        released = [office.draw(data, rng) for _ in range(max(sizes))]
        fits = [sr.fit_multinomial(one, YOUTH_SYNTHESIZED, YOUTH_PREDICTORS) for one in released]
        for m in sizes:
            for knows, draws in intruders(released[:m], fits[:m], office, data, rng):
                risk = sr.intruder_risk(data, draws, YOUTH_KNOWN, YOUTH_SYNTHESIZED)
                believed = risk.records.highest.sum()
                uniques = int(risk.records.K[alone].sum())
                found = {**risk.summary(), "believed": believed, "uniques": uniques}
                rows.append({"run": run, "m": m, "knows": knows, **found})
    return pd.DataFrame(rows).round(6)


def intruders(released, fits, office, data, rng):
    """Yield what each intruder knows, and the draws it gives; `fits` has one model a file."""
    yield "nothing (mode)", [sr.mode_guess(released, YOUTH_SYNTHESIZED, rng)]
    yield "nothing (averaged)", released
    yield "models (drawn β)", sr.model_draws(fits, data, rng, drawn=True)
    yield "models (mean β)", sr.model_draws(fits, data, rng)
    yield "f(β) (drawn)", sr.model_draws([office], data, rng, drawn=True)
    yield "f(β) (mode)", sr.model_draws([office], data, rng)


RECIPES = {
    "acs": ("acs_dpmpm.csv", make_acs),
    "classes": ("acs_classes.csv", make_classes),
    "releases": ("ce_releases.csv", make_releases),
    "pool": ("ce_pool.csv", make_pool),
    "youth": ("youth_knowledge.csv", make_youth),
}


def main(names):
    """Make the named files, or all of them."""
    for name in names or RECIPES:
        file_name, recipe = RECIPES[name]
        recipe().to_csv(FOLDER / file_name, index=False, lineterminator="\n")
        print(f"made {file_name}")


if __name__ == "__main__":
    main(sys.argv[1:])
