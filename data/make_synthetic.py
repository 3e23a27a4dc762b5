"""Make the synthetic data sets and the stored results that lessons 03, 04 and 05 show.

    python data/make_synthetic.py             make all files anew (about 45 minutes)
    python data/make_synthetic.py classes     make one of them, by its name in RECIPES

Everything starts from the simulated files acs.csv and ce.csv and a fixed seed.
"""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

import synthrisk_edu as sr
from synthrisk_classroom import lesson
from synthrisk_edu.progress import track
from synthrisk_edu.synthesis import cart, synthesize_cart, synthesize_dpmpm
from synthrisk_edu.synthesis.dpmpm import watch_classes
from synthrisk_edu.synthesis.lookalikes import draw_donors
from synthrisk_edu.utility import pmse, pmse_ratio

FOLDER = Path(__file__).parent
SEED = 2021

# The lecture's ACS example
ACS_KNOWN, ACS_SYNTHESIZED = ["SEX", "RACE", "MAR"], ["DIS", "HICOV"]
ACS_UNTOUCHED = [*ACS_KNOWN, "LANX", "WAOB", "MIG", "SCH", "HISP"]
COUNTED = ("one", "two", "three")
CLASSES = (2, 3, 4, 6, 8, 12, 20, 40)

# Reiter and Mitra's example
YOUTH_KNOWN, YOUTH_SYNTHESIZED = ["ethnicity"], ["facility", "race"]
YOUTH_PREDICTORS = ["ethnicity", "age", "sex", "crime", "weight"]

# Hornby and Hu's CE example
CE_KNOWN = ["Age", "Urban", "Marital"]
CE_CHOICES = ["Tenure", "Expenditure", "Income"]
CE_NUMBERS = ["Expenditure", "Income"]
CE_SCENARIOS = [["Income"], ["Tenure", "Income"], CE_NUMBERS, CE_CHOICES]
RADII = [0, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1]
CE_UNTOUCHED = [*CE_KNOWN, "Tenure", "Educ", "Expenditure"]  # where income alone is synthesized
AGE = {"Age": 0.1}
AT_ONE = AGE | {"Income": 0.01}


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
        back = sr.match_all(acs, sets, ACS_KNOWN, ACS_SYNTHESIZED, fallback=True)
        both, how = ACS_KNOWN + ACS_SYNTHESIZED, {"synthesized": ACS_SYNTHESIZED}
        ratio = [pmse_ratio(acs, one, both, **how) for one in sets]
        table["falls_back"] = back.expected_match_risk.to_numpy()
        rows.append(table.assign(classes=classes, pmse_ratio=ratio))
    return pd.concat(rows, ignore_index=True).round(6)


def make_luck(draws=100):
    """What other files would have given: ten by the model and one redrawn, a hundred times over.

    `eight` is the expected match risk if the intruder knows all eight columns and falls back;
    `at_once` that of an intruder who uses all ten files.
    """
    acs = sr.load_acs()
    rows = []
    for draw in track(range(1, draws + 1), "luck"):
        ten = synthesize_dpmpm(acs, ACS_SYNTHESIZED, 10, seed=draw)
        redrawn = sr.redraw(acs, ACS_SYNTHESIZED, given=ACS_KNOWN, seed=draw)
        for made, file in (("model", ten[0]), ("redrawn", redrawn)):
            found = sr.match(acs, file, ACS_KNOWN, ACS_SYNTHESIZED).summary()
            back = sr.match(acs, file, ACS_KNOWN, ACS_SYNTHESIZED, fallback=True).summary()
            eight = sr.match(acs, file, ACS_UNTOUCHED, ACS_SYNTHESIZED, fallback=True).summary()
            row = {"made": made, "draw": draw, **found}
            row["falls_back"] = back.expected_match_risk
            row["eight"] = eight.expected_match_risk
            row["at_once"] = acs_at_once(acs, ten) if made == "model" else np.nan
            rows.append(row)
    return pd.DataFrame(rows).round(6)


def make_steps(runs=100, steps=2000):
    """In which share of the steps the ten people of lesson 03 are in one, two and three classes."""
    ten = lesson("03").story.ten[["MAR", "DIS"]]
    rows = []
    for run in track(range(1, runs + 1), "steps"):
        z, _, _ = watch_classes(ten, classes=3, steps=steps, seed=run)
        used = z.iloc[1:].nunique(axis=1)
        shares = {name: (used == number).mean() for number, name in enumerate(COUNTED, start=1)}
        rows.append({"run": run, **shares})
    return pd.DataFrame(rows)


def make_relinked(shuffles=100):
    """Risk of an intruder who uses 20 shuffled files at once, relinked by 3, 4, … columns.

    The columns are those that were not synthesized, in the order of ACS_UNTOUCHED and CE_UNTOUCHED.
    `facts` says how many of them the intruder has of a target. Linking takes no facts: the columns
    stand in the files. The first file keeps its order, which is as good as any.
    """
    acs, ce = sr.load_acs(), sr.load_ce()
    of_acs, of_ce = sr.load_acs_synthetics(), synthesize_cart(ce, ["Income"], 20, seed=SEED)
    rows = []
    for shuffle in track(range(shuffles), "relinked"):
        rng = np.random.default_rng(SEED + shuffle)
        shuffled = shuffle_but_the_first(of_acs, rng)
        for columns in range(3, len(ACS_UNTOUCHED) + 1):
            files = sr.relink(shuffled, ACS_UNTOUCHED[:columns])
            risk = acs_at_once(acs, files)
            rows.append(("acs", 3, columns, shuffle, risk))
        risk = acs_at_once(acs, files, ACS_UNTOUCHED)  # who knows all eight links by all eight
        rows.append(("acs", 8, 8, shuffle, risk))
        shuffled = shuffle_but_the_first(of_ce, rng)
        for columns in range(3, len(CE_UNTOUCHED) + 1):
            files = sr.relink(shuffled, CE_UNTOUCHED[:columns])
            risk = right_at_once(ce, files, CE_KNOWN, ["Income"], AT_ONE)
            rows.append(("ce", 3, columns, shuffle, risk))
    names = ["data", "facts", "columns", "shuffle", "risk"]
    return pd.DataFrame(rows, columns=names).sort_values(names[:-1]).round(6)


def acs_at_once(acs, files, known=ACS_KNOWN):
    """The right guesses of an intruder who uses several files of ACS at once."""
    return sr.intruder_risk(acs, files, known, ACS_SYNTHESIZED).summary().expected


def shuffle_but_the_first(files, rng):
    """Shuffle the rows of every file but the first."""
    shuffled = [files[0]]
    for file in files[1:]:
        shuffled.append(file.sample(frac=1, random_state=rng, ignore_index=True))
    return shuffled


def make_releases(m=20):
    """Risk from r = 0 to 100 %, and pMSE, of every choice of variables to synthesize.

    The fixed intruder knows all six variables, whatever was synthesized. The paper's intruder knows
    the three basic ones, and of the others those that were synthesized.
    """
    ce = sr.load_ce()
    choices = [list(c) for k in (1, 2, 3) for c in combinations(CE_CHOICES, k)]
    rows = []
    for chosen in track(choices, "releases"):
        sets = synthesize_cart(ce, chosen, m, seed=SEED)
        utility = {number: pmse(ce, one) for number, one in enumerate(sets, start=1)}
        for intruder, known in intruders_of(chosen).items():
            results = risk_over_radii(ce, sets, known, chosen)
            results = results.assign(pmse=results.dataset.map(utility))
            rows.append(results.assign(intruder=intruder, synthesized="+".join(chosen)))
    return pd.concat(rows, ignore_index=True).round(8)


def risk_over_radii(ce, sets, known, chosen):
    """Return the expected match risk of each data set at every radius, with what it stands beside.

    One r holds for all amounts of money that the intruder knows, synthesized or not. Where nobody
    matches, the intruder of `expected_match_risk` gives up, and that of `falling_back` guesses
    among those who agree on `known`. `confidential` is the risk of the true file, `floor` that of
    ignoring what was synthesized.
    """
    numbers = [name for name in CE_NUMBERS if name in known + chosen]
    kept = sweep_numbers(ce, sets, known, chosen, numbers)
    again = sweep_numbers(ce, sets, known, chosen, numbers, fallback=True)
    confidential, floor = {}, {}
    for r in kept.radius.unique():
        radius = AGE | dict.fromkeys(numbers, r)
        untouched = {name: radius[name] for name in radius if name in known}
        confidential[r] = sr.baseline(ce, known, chosen, radius).summary().expected_match_risk
        floor[r] = sr.floor(ce, known, untouched).summary().expected_match_risk
    beside = {"confidential": kept.radius.map(confidential), "floor": kept.radius.map(floor)}
    return kept.assign(falling_back=again.expected_match_risk, **beside)


def sweep_numbers(ce, sets, known, chosen, numbers, **how):
    """Sweep over one r for these numbers; tenure alone has no radius to vary."""
    if numbers:
        sweep = sr.radius_sweep(ce, sets, known, chosen, RADII, vary=numbers, fixed=AGE, **how)
    else:
        sweep = sr.match_all(ce, sets, known, chosen, AGE, **how).reset_index().assign(radius=0.0)
    return sweep[["radius", "dataset", "expected_match_risk"]]


def make_scenarios(m=20):
    """Risk of an intruder who uses the first 1, 2, … m files at once, for the paper's scenarios."""
    ce, rows = sr.load_ce(), []
    for chosen in track(CE_SCENARIOS, "scenarios"):
        sets = synthesize_cart(ce, chosen, m, seed=SEED)
        for intruder, known in intruders_of(chosen).items():
            numbers = [name for name in CE_NUMBERS if name in known + chosen]
            for r in RADII:
                radius = AGE | dict.fromkeys(numbers, r)
                for files in range(1, m + 1):
                    risk = right_at_once(ce, sets[:files], known, chosen, radius)
                    rows.append((intruder, "+".join(chosen), r, files, risk))
    columns = ["intruder", "synthesized", "radius", "m", "risk"]
    return pd.DataFrame(rows, columns=columns).round(6)


def right_at_once(ce, files, known, synthesized, radius):
    """The right guesses of an intruder who uses several files at once, and matches in each."""
    how = {"relative": True, "shape": "box"}
    return sr.intruder_risk(ce, files, known, synthesized, radius=radius, **how).summary().expected


def intruders_of(chosen):
    """What each intruder knows that was not synthesized, when `chosen` was."""
    others = [name for name in CE_CHOICES if name not in chosen]
    return {"fixed": [*CE_KNOWN, *others], "paper": CE_KNOWN}


def make_pool(size=400):
    """Risk at r = 1 %, and pMSE, of many independent syntheses of income; the paper's intruder."""
    ce = sr.load_ce()
    rows = []
    for one in track(income_sets(ce, size), "pool"):
        risk = sr.match(ce, one, CE_KNOWN, ["Income"], AT_ONE).summary().expected_match_risk
        rows.append({"risk": risk, "pmse": pmse(ce, one)})
    return pd.DataFrame(rows).round(8)


def make_together(repeats=100, sizes=(1, 2, 4, 8, 16)):
    """Risk of an intruder who uses m files at once, for a hundred sets of files.

    The first set is the beginning of the pool; every other has a seed of its own.
    """
    ce = sr.load_ce()
    rows = []
    for repeat in track(range(repeats), "together"):
        files = income_sets(ce, max(sizes), seed=SEED + 1 + repeat)
        for m in sizes:
            risk = right_at_once(ce, files[:m], CE_KNOWN, ["Income"], AT_ONE)
            rows.append({"repeat": repeat, "m": m, "risk": risk})
    return pd.DataFrame(rows).round(8)


def income_sets(ce, size, seed=SEED + 1):
    """Synthesize income so many times; a smaller pool is the beginning of a larger one."""
    return synthesize_cart(ce, ["Income"], size, seed=seed)


def make_spread(m=100):
    """How far a hundred other files of each scenario lie apart, in both sums and in pMSE.

    `tops` says how many of them have their highest risk at this radius, `below` how many lie below
    the floor. pMSE (times 1,000) has no radius and no intruder.
    """
    ce, rows = sr.load_ce(), []
    for chosen in track(CE_SCENARIOS, "spread"):
        sets = synthesize_cart(ce, chosen, m, seed=SEED + 2)
        scenario = {"synthesized": "+".join(chosen)}
        utility = pd.Series([1000 * pmse(ce, one) for one in sets])
        rows.append(scenario | {"measure": "pmse"} | spread_of(utility))
        for intruder, known in intruders_of(chosen).items():
            results = risk_over_radii(ce, sets, known, chosen)
            for measure in ("expected_match_risk", "falling_back"):
                tops = results.radius[results.groupby("dataset")[measure].idxmax()]
                for r, at_r in results.groupby("radius"):
                    risk = at_r[measure]
                    row = {"measure": measure, "intruder": intruder, "radius": r}
                    row |= {"floor": at_r.floor.iloc[0], "tops": (tops == r).sum()}
                    row |= {"below": (risk < at_r.floor - 1e-6).sum()}
                    rows.append(scenario | row | spread_of(risk))
    columns = ["synthesized", "measure", "intruder", "radius", "mean", "lowest", "first", "third"]
    return pd.DataFrame(rows)[[*columns, "highest", "floor", "tops", "below"]].round(4)


def spread_of(values):
    """The mean of some numbers, the lowest and the highest, and the quartiles between them."""
    first, third = values.quantile([0.25, 0.75])
    ends = {"lowest": values.min(), "highest": values.max()}
    return {"mean": values.mean(), "first": first, "third": third, **ends}


def make_surface(m=20):
    """Average risk of scenarios 3 and 4 over two radii, for the files of `make_releases`."""
    ce, tables = sr.load_ce(), []
    both = dict.fromkeys(CE_NUMBERS, RADII)
    for chosen in track(CE_SCENARIOS[2:], "surface"):
        sets = synthesize_cart(ce, chosen, m, seed=SEED)
        question = CE_KNOWN, chosen, both
        kept = sr.radius_sweep(ce, sets, *question, fixed=AGE)
        again = sr.radius_sweep(ce, sets, *question, fixed=AGE, fallback=True)
        own = sr.radius_sweep(ce, [ce], *question, fixed=AGE)
        pair = [f"radius_{name}" for name in CE_NUMBERS]
        table = pd.DataFrame(
            {
                "expected_match_risk": kept.groupby(pair).expected_match_risk.mean(),
                "falling_back": again.groupby(pair).expected_match_risk.mean(),
                "confidential": own.groupby(pair).expected_match_risk.mean(),
            }
        )
        tables.append(table.reset_index().assign(synthesized="+".join(chosen)))
    return pd.concat(tables, ignore_index=True).round(6)


def make_repels(seeds=100, radii=(0, 0.01, 0.1, 0.3)):
    """Risk of income by trees: a unit borrows from anybody in its leaf, or never from itself.

    The paper's intruder, who gives up or falls back where nobody matches.
    """
    ce, rows = sr.load_ce(), []
    for seed in track(range(1, seeds + 1), "repels"):
        rng = np.random.default_rng(seed)
        leaf = leaves_of_income(ce, rng)
        donors = {"anybody": draw_donors(leaf, leaf, rng), "never itself": never_itself(leaf, rng)}
        for who, positions in donors.items():
            file = ce.assign(Income=ce.Income.to_numpy()[positions])
            for r in radii:
                question = ce, file, CE_KNOWN, ["Income"], AGE | {"Income": r}
                gives_up = sr.match(*question).summary().expected_match_risk
                falls_back = sr.match(*question, fallback=True).summary().expected_match_risk
                row = {"seed": seed, "donors": who, "radius": r}
                rows.append(row | {"gives_up": gives_up, "falls_back": falls_back})
    return pd.DataFrame(rows).round(4)


def leaves_of_income(ce, rng):
    """The leaf of every unit in the tree that `synthesize_cart` grows for income."""
    predictors = [name for name in ce if name != "Income"]
    coded, levels = cart.code_table(ce, [[name] for name in [*predictors, "Income"]])
    trees = cart.VariableTrees(
        x=cart.matrix(coded, predictors, np.arange(len(ce))),
        levels=[levels[name] for name in predictors],
        outcome=coded["Income"],
        levels_of_outcome=None,
        weights=np.ones(len(ce)),
        min_leaf=5,
        rng=rng,
    )
    return trees.value_tree.leaf_of_donor


def never_itself(group, rng):
    """Draw for every record another one of its group, each equally likely; return positions.

    Some places further on, and at the end of the group from its beginning: never all the way round.
    """
    donors = np.arange(len(group))
    for positions in pd.Series(group).groupby(group).indices.values():
        size = len(positions)
        if size > 1:  # whoever is alone has nobody else to borrow from
            step = rng.integers(1, size, size=size)
            donors[positions] = positions[(np.arange(size) + step) % size]
    return donors


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
        released = office.draws(data, rng, [None] * max(sizes))
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
    "luck": ("acs_luck.csv", make_luck),
    "steps": ("acs_steps.csv", make_steps),
    "relinked": ("acs_relinked.csv", make_relinked),
    "releases": ("ce_releases.csv", make_releases),
    "pool": ("ce_pool.csv", make_pool),
    "scenarios": ("ce_scenarios.csv", make_scenarios),
    "together": ("ce_together.csv", make_together),
    "spread": ("ce_spread.csv", make_spread),
    "surface": ("ce_surface.csv", make_surface),
    "repels": ("ce_repels.csv", make_repels),
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
