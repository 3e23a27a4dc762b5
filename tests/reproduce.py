"""Which published figures do we get? `python3 start.py reproduce` prints and writes one table.

A row for every figure of the five sources: what was published, what we get on the simulated files
that ship with the lessons, what we get on the published files where they are at hand, and a
verdict, one of three: it agrees; it differs, and why; it needs a file that is not here. Only the
published figures are typed in here. Everything of ours is computed, and so is the verdict.

    python3 start.py reproduce                 into the folder where you are
    python3 start.py reproduce results         into the folder `results`
    python3 start.py reproduce . --only acs ce     some parts only; the names are those in PARTS

The environment variable SYNTHRISK_EDU_REFERENCE names the folder of the published files; we may
not pass these on. Without it those cells say so, and the verdict is about the simulated files.
"""

import argparse
import importlib.util
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

import synthrisk_edu as sr
from synthrisk_edu import households as hh
from synthrisk_edu.data import LEFT_OUT, load_acs_synthetics, load_results
from synthrisk_edu.utility import average_of_m, quartiles

PROJECT = Path(__file__).resolve().parent.parent
VERDICTS = "agrees", "differs", "needs a file"  # one of these begins every verdict
COLUMNS = ["section", "figure", "published", "simulated data", "reference files", "verdict"]
NO_FILES, NOT_FLAGGED = "reference files not present", "not flagged"
ON_SIMULATED = " (simulated data)"  # ends the verdict of a row that was not judged on real data
NEAR = 0.05  # a difference up to this share of the published figure is called agreement


# ---------------------------------------------------------------- rows and verdicts


class Row(NamedTuple):
    """One line of the table."""

    section: str
    figure: str
    published: str
    simulated: str
    reference: str
    verdict: str


class Ours(NamedTuple):
    """What we got: numbers, and for draws the lowest and the highest of each."""

    values: list
    low: list | None = None
    high: list | None = None


def point(*values):
    """Results that do not depend on chance, or of the very draws that were published."""
    return Ours([float(value) for value in values])


def draws(table):
    """The mean, the lowest and the highest of several draws, column by column."""
    table = pd.DataFrame(table)
    return Ours(*(table.agg(how).astype(float).tolist() for how in ("mean", "min", "max")))


def decimals(word):
    """Count the digits after the point: '64.78361' has 5."""
    return len(word.partition(".")[2])


def shown(values, published):
    """Write our values with as many digits as the published ones."""
    words = zip(values, published.split(), strict=True)
    return " ".join("undefined" if np.isnan(v) else f"{v:.{decimals(w)}f}" for v, w in words)


def cell(ours, published):
    """Write what we got into a cell; a text says why there is nothing."""
    if isinstance(ours, str):
        return ours
    text = shown(ours.values, published)
    if ours.low is None:
        return text
    return f"{text} ({shown(ours.low, published)} to {shown(ours.high, published)})"


def gap(values, published):
    """Return the largest difference, as a share of the published figure (of 1 if that is 0)."""
    theirs = np.array(published.split(), dtype=float)
    return float(np.max(np.abs(np.array(values) - theirs) / np.where(theirs == 0, 1, abs(theirs))))


def inside(ours, published):
    """Tell whether every published figure lies between our lowest and highest draw."""
    theirs = np.array(published.split(), dtype=float)
    return bool(np.all((np.array(ours.low) <= theirs) & (theirs <= np.array(ours.high))))


def judge(ours, published, why):
    """Say whether our numbers agree with the published ones, and if not, why."""
    if ours == NOT_FLAGGED:
        return f"differs: {why}"
    if shown(ours.values, published) == published:
        return "agrees"
    if ours.low is not None and inside(ours, published):
        return "agrees: within the range of our draws"
    away = gap(ours.values, published)
    if away <= NEAR:
        return f"agrees within {100 * away:.1f} %"
    most = "up to " if len(ours.values) > 1 else ""
    return f"differs by {most}{100 * away:.0f} %: {why}"


def figure(section, name, published, simulated, reference, why):
    """Return the row of one published figure, or of several that belong together.

    `published` is text, so that the digits printed are known; `simulated` and `reference` are
    `Ours`, or text that says why there is nothing; `why` is the reason if ours differ. The verdict
    is about the published files where we have them.
    """
    cells = cell(simulated, published), cell(reference, published)
    if is_result(reference):
        verdict = judge(reference, published, why)
    elif is_result(simulated):
        verdict = judge(simulated, published, why) + ON_SIMULATED
    else:
        verdict = "needs a file: " + simulated
    return Row(section, name, published, *cells, verdict)


def finding(section, name, simulated, reference, why):
    """Return the row of a published finding in words; each of ours is (does it hold, numbers)."""
    told = [one if isinstance(one, str) else one[1] for one in (simulated, reference)]
    where = ON_SIMULATED if isinstance(reference, str) else ""
    judged = simulated if isinstance(reference, str) else reference
    if isinstance(judged, str):
        return Row(section, name, "yes", *told, "needs a file: " + judged)
    verdict = "agrees" if judged[0] else f"differs: {why}"
    return Row(section, name, "yes", *told, verdict + where)


def is_result(ours):
    """Say whether there is something to judge, and not only a text that says why not."""
    return not isinstance(ours, str) or ours == NOT_FLAGGED


def reference_folder():
    """Return the folder of published files, or None."""
    named = os.environ.get("SYNTHRISK_EDU_REFERENCE")
    return Path(named) if named and Path(named).is_dir() else None


def from_files(folder, compute):
    """Return compute(folder), or the sentence for those who do not have the files."""
    return NO_FILES if folder is None else compute(folder)


def pick(ours, choose):
    """Return choose(ours), unless it is the sentence that says why there is nothing."""
    return ours if isinstance(ours, str) else choose(ours)


# ------------------------------------------------------ section 1: matching, the lecture


ACS_KNOWN, ACS_SYNTHESIZED = ["SEX", "RACE", "MAR"], ["DIS", "HICOV"]
SUMMARIES = {
    "expected_match_risk": "expected match risk",
    "true_match_rate": "true match rate",
    "false_match_rate": "false match rate",
    "unique_matches": "unique matches s",
}
ACS_CONFIDENTIAL, ACS_SYNTHETIC = ("173", "0.003", "0", "30"), ("64.78361", "0.0007", "0.72", "25")
CE_CONFIDENTIAL = "101.41", "0.0045", "0", "23"
CE_SYNTHETIC = "10.5975", "0.0003896357", "0.9230769", "26"


def five_cases(folder):
    """Yield Hornby and Hu's five illustrations (Figures 1 to 5), on nine units of our own."""
    income = [50, 38, 45, 62, 57, 20, 30, 75, 90]
    true = pd.DataFrame({"Income": income, "Tenure": "own"})
    true["Expenditure"] = [10, 8, 12, 11, 14, 6, 7, 16, 18]
    one = true.assign(Income=[46, 41, 52, 55, 59, 22, 33, 68, 80])
    three = one.assign(Expenditure=[9, 8.5, 11, 11.5, 14, 5, 7, 13, 17])
    moved = three.Expenditure.where(three.index > 0, 13)
    rented = three.assign(Tenure=["own", "own", "rent", "own", *["rent"] * 5])
    both = ["Income", "Expenditure"]
    cases = {
        "1 (interval)": ("5 1", one, ["Income"]),
        "2 (interval, lost)": ("4 0", one.assign(Income=[66, *one.Income[1:]]), ["Income"]),
        "3 (rectangle)": ("4 1", three, both),
        "4 (one outside)": ("3 0", three.assign(Expenditure=moved), both),
        "5 (and a category)": ("3 1", rented, [*both, "Tenure"]),
    }
    for name, (published, synthetic, synthesized) in cases.items():
        found = sr.match(true, synthetic, [], synthesized, radius=0.2).records.iloc[0]
        ours = point(found.c, found["T"])
        label = f"Hornby–Hu, Figure {name}: c T"
        yield figure("1", label, published, ours, "drawn, not data", "our drawing is another one")


def summaries(section, name, published, simulated, reference, why):
    """Yield the four rows of a table of summaries; ours are frames with a row per draw."""

    def column_of(table, column):
        return draws(table[[column]]) if len(table) > 1 else point(*table[column])

    for (column, label), text in zip(SUMMARIES.items(), published, strict=True):
        ours = [
            pick(t, lambda t, column=column: column_of(t, column)) for t in (simulated, reference)
        ]
        yield figure(section, f"{name}: {label}", text, *ours, why)


def one_row(summary):
    """A summary as a frame of one row."""
    return summary.to_frame().T


def acs(folder):
    """Yield the lecture's ACS example: the confidential file, and a synthesis by DPMPM."""
    question = ACS_KNOWN, ACS_SYNTHESIZED
    simulated, real = sr.load_acs(), from_files(folder, lambda f: acs_file(f, "ACSdata"))
    yield from summaries(
        "1", "lecture, ACS confidential", ACS_CONFIDENTIAL,
        one_row(sr.baseline(simulated, *question).summary()),
        pick(real, lambda r: one_row(sr.baseline(r, *question).summary())),
        "simulated persons stand in for the sample",
    )  # fmt: skip
    drawn = pick(real, lambda r: sr.synthesize_dpmpm(r, ACS_SYNTHESIZED, 10, seed=1))
    theirs = pick(drawn, lambda d: sr.match_all(real, d, *question))
    ours = sr.match_all(simulated, load_acs_synthetics(), *question)
    why = "one draw of the lecture's against the mean of ours"
    yield from summaries("1", "lecture, ACS synthetic", ACS_SYNTHETIC, ours, theirs, why)
    yield from dpmpm_ranges(ours, theirs)


def acs_file(folder, name):
    """Read one of the ACS files."""
    return pd.read_csv(folder / "acs" / f"{name}.csv").astype("category")


def dpmpm_ranges(ours, theirs):
    """Yield the ranges that section 6 gives for repeated draws on the real file."""
    ranges = {"expected_match_risk": "63 72", "true_match_rate": "0.0006 0.0011",
              "unique_matches": "30 41"}  # fmt: skip
    for column, published in ranges.items():
        spread = [
            pick(t, lambda t, column=column: point(t[column].min(), t[column].max()))
            for t in (ours, theirs)
        ]
        name = f"prototype, DPMPM on the real ACS file: {SUMMARIES[column]}, lowest highest"
        yield figure("6", name, published, *spread, "ten draws of one chain, not the same ones")


def lecture_ce(folder):
    """Yield the lecture's CE example: expenditure from a line on income, r = 20 %."""
    why = "the lecture's file (5,133 units with Race) is not available; our intruder knows Marital"

    def both(ce):
        ce = ce[(ce.Income > 0) & (ce.Expenditure > 0)]
        question = ["Urban", "Marital"], ["Expenditure"], 0.2
        made = sr.synthesize_linear(ce, "Expenditure", ["Income"], m=5, seed=1)
        own = one_row(sr.baseline(ce, *question).summary())
        return own, sr.match_all(ce, made, *question)

    simulated, real = both(sr.load_ce()), from_files(folder, lambda f: both(ce_file(f)))
    for place, (name, published) in enumerate(
        [("lecture, CE confidential", CE_CONFIDENTIAL), ("lecture, CE synthetic", CE_SYNTHETIC)]
    ):
        theirs = pick(real, lambda r, place=place: r[place])
        for row in summaries("1", name, published, simulated[place], theirs, why):
            if row.verdict.startswith("agrees"):  # other units, another variable: by chance
                row = row._replace(verdict=f"needs a file: {why}; the same number is chance here")
            yield row


def ce_file(folder):
    """Read the CE file of Hornby and Hu."""
    codes = dict.fromkeys(["Urban", "Tenure", "Educ", "Marital"], "category")
    return pd.read_csv(folder / "ce" / "CEdata.csv").astype(codes)


# ------------------------------------------------- section 1: Hornby and Hu's four scenarios


SCENARIOS = {1: "Income", 2: "Tenure+Income", 3: "Expenditure+Income",
             4: "Tenure+Expenditure+Income"}  # fmt: skip
CE_KNOWN, RADII = ["Age", "Urban", "Marital"], [0.01, 0.025, 0.05, 0.1, 0.2, 0.3]
AGE = {"Age": 0.1}


def sweep(ce, made, synthesized, bounds):
    """Return the expected match risk of every data set at the six radii."""
    numbers = [name for name in synthesized if name != "Tenure"]
    options = {"vary": numbers, "fixed": AGE, "bounds": bounds}
    return sr.radius_sweep(ce, made, CE_KNOWN, synthesized, RADII, **options)


def by_radius(table):
    """Turn a sweep into a frame with a row per data set and a column per radius."""
    return table.pivot(index="dataset", columns="radius", values="expected_match_risk")


def real_releases(folder, m=10):
    """Do on the real file what data/make_synthetic.py does on the simulated one."""
    ce, parts = ce_file(folder), []
    for name in SCENARIOS.values():
        made = sr.synthesize_cart(ce, name.split("+"), m, seed=1)
        utility = {number: sr.pmse(ce, one) for number, one in enumerate(made, start=1)}
        table = sweep(ce, made, name.split("+"), "open")
        parts.append(table.assign(synthesized=name, pmse=table.dataset.map(utility)))
    return pd.concat(parts, ignore_index=True)


def at_best(releases):
    """Return for every scenario its maximizing radius, and its data sets at that radius."""
    best, chosen = {}, {}
    for number, name in SCENARIOS.items():
        one = releases[releases.synthesized == name]
        best[number] = sr.maximizing_radius(one)
        chosen[number] = one[one.radius == best[number]]
    return best, chosen


def scenarios(folder):
    """Yield what Hornby and Hu find in four scenarios (Figures 6 to 9)."""
    stored = load_results("ce_releases")  # of two intruders, on a wider grid than the paper's
    ours = at_best(stored[(stored.intruder == "paper") & stored.radius.isin(RADII)])
    theirs = from_files(folder, lambda f: at_best(real_releases(f)))
    why = "with all other variables as predictors the peaks lie elsewhere (04_published, section 2)"
    for number, published in zip(SCENARIOS, ("2.5", "2.5", "10", "10"), strict=True):
        radius = [
            pick(r, lambda r, number=number: point(100 * r[0][number])) for r in (ours, theirs)
        ]
        label = f"Hornby–Hu, scenario {number}: maximizing r in %"
        yield figure("1", label, published, *radius, why)
    for name, holds, why in SCENARIO_FINDINGS:
        answers = [pick(r, lambda r, holds=holds: holds(*means(r[1]))) for r in (ours, theirs)]
        yield finding("1", f"Hornby–Hu: {name}", *answers, why)


def means(chosen):
    """Return mean risk, mean pMSE × 1,000, and the distance between the quartiles of both."""
    risk = {k: one.expected_match_risk.mean() for k, one in chosen.items()}
    price = {k: 1000 * one.pmse.mean() for k, one in chosen.items()}
    box = {k: quartiles(one[["expected_match_risk", "pmse"]]) for k, one in chosen.items()}
    size = {k: one.loc["third"] - one.loc["first"] for k, one in box.items()}
    return risk, price, {k: (s.expected_match_risk, 1000 * s.pmse) for k, s in size.items()}


def words(values, digits=1):
    """Write some numbers, one after the other."""
    return " ".join(f"{value:.{digits}f}" for value in values)


def falls(risk, price, size):
    """More synthesized variables, less risk."""
    return risk[1] > risk[2] > risk[3] > risk[4], f"risk {words(risk.values())}"


def number_protects(risk, price, size):
    """A second number protects more than a category."""
    return risk[3] < risk[2], f"risk {risk[3]:.1f} against {risk[2]:.1f}"


def number_is_cheap(risk, price, size):
    """… and costs less usefulness."""
    return price[3] < price[2], f"pMSE × 1,000 {price[3]:.2f} against {price[2]:.2f}"


def tenure_adds_little(risk, price, size):
    """Adding tenure to scenario 3 changes little: both within a tenth."""
    little = abs(risk[4] / risk[3] - 1) < 0.1 and abs(price[4] / price[3] - 1) < 0.1
    told = f"risk {risk[3]:.1f} → {risk[4]:.1f}, pMSE × 1,000 {price[3]:.2f} → {price[4]:.2f}"
    return little, told


def third_spreads_least(risk, price, size):
    """Scenario 3 has the smallest spread, in both directions."""
    least = [min(size, key=lambda k, way=way: size[k][way]) for way in (0, 1)]
    told = f"smallest in risk: scenario {least[0]}, in pMSE: scenario {least[1]}"
    return least == [3, 3], told


ALL_PREDICT = "not so in our syntheses, in which all other variables predict"
SCENARIO_FINDINGS = [
    ("more synthesized variables, less risk", falls, ALL_PREDICT),
    ("a second number protects more than a category", number_protects, ALL_PREDICT),
    ("a second number costs less utility than a category", number_is_cheap, ALL_PREDICT),
    ("adding tenure to scenario 3 changes little", tenure_adds_little,
     "in our syntheses all other variables predict, and tenure lowers the risk and costs utility"),
    ("scenario 3 has the smallest spread", third_spreads_least,
     "scenario 1 changes one variable only, and its pMSE is the smallest and spreads least"),
]  # fmt: skip


def number_of_files(folder, size=200):
    """Yield the smallest and largest risk per record over 1,000 repeats, by m (Figure 10)."""
    why = "trees with predictors; only income drawn out of a hat comes near the published risk"

    def pool(f):
        ce = ce_file(f)
        made = sr.synthesize_cart(ce, ["Income"], size, seed=1)
        table = sr.match_all(ce, made, CE_KNOWN, ["Income"], AGE | {"Income": 0.01}, bounds="open")
        return pd.DataFrame({"risk": table.expected_match_risk / len(ce)})

    ours = load_results("ce_pool")[["risk"]] / len(sr.load_ce())
    theirs = from_files(folder, pool)
    published = {1: "0.0076 0.0126", 10: "0.0087 0.011", 20: "0.0090 0.0108"}
    for m, figures in published.items():
        ends = [pick(p, lambda p, m=m: point(*ends_of(p, m))) for p in (ours, theirs)]
        label = f"Hornby–Hu, m = {m}: smallest largest risk per record"
        yield figure("1", label, figures, *ends, why)
    spread = [pick(p, widest_at_one) for p in (ours, theirs)]
    yield finding("1", "Hornby–Hu: m = 1 has the widest spread by far", *spread,
                  "not in 1,000 averages over our pool of syntheses")  # fmt: skip
    lowest = [pick(p, lowest_at_one) for p in (ours, theirs)]
    why = "chance: the average of m data sets has the same expectation for every m"
    yield finding("1", "Hornby–Hu: m = 1 has the lowest mean risk", *lowest, why)


def ends_of(pool, m):
    """Return the smallest and the largest of 1,000 averages of m data sets."""
    return average_of_m(pool, m).risk.agg(["min", "max"])


def widest_at_one(pool):
    """Tell whether the spread at m = 1 is at least twice that at m = 10, which is above m = 20."""
    width = [float(np.ptp(ends_of(pool, m))) for m in (1, 10, 20)]
    return width[0] > 2 * width[1] and width[1] > width[2], f"widths {words(width, 4)}"


def lowest_at_one(pool):
    """Tell whether the mean at m = 1 is below the others by more than its standard error."""
    mean = [average_of_m(pool, m).risk.mean() for m in (1, 10, 20)]
    error = average_of_m(pool, 1).risk.sem()
    return mean[0] < min(mean[1:]) - 2 * error, f"means {words(mean, 5)}"


def out_of_a_hat(folder):
    """Yield the risk of income drawn without predictors, at 1 % and at 30 %."""

    def ends(ce, bounds):
        made = sr.synthesize_cart(ce, ["Income"], m=5, predictors={"Income": []}, seed=1)
        return draws(by_radius(sweep(ce, made, ["Income"], bounds))[[0.01, 0.3]])

    ours = ends(sr.load_ce(), "closed")
    theirs = from_files(folder, lambda f: ends(ce_file(f), "open"))
    name = "income drawn without predictors, scenario 1: risk at 1 % and 30 %"
    yield figure("1", name, "15 46", ours, theirs, "five other draws")


def cart_against_synthpop(folder):
    """Yield the risk that synthpop's trees give on the real CE file, and ours (section 6)."""
    published = {1: "326 158 125", 3: "70 85 80"}
    for number, figures in published.items():
        synthesized = SCENARIOS[number].split("+")

        def risks(ce, bounds, made=None, synthesized=synthesized):
            made = made or sr.synthesize_cart(ce, synthesized, 5, seed=1)
            table = by_radius(sweep(ce, made, synthesized, bounds))
            return table[[0.01, 0.1, 0.3]]

        ours = draws(risks(sr.load_ce(), "closed"))
        theirs = from_files(folder, lambda f, risks=risks: draws(risks(ce_file(f), "open")))
        name = f"synthpop, scenario {number} on the real CE file: risk at 1, 10, 30 %"
        why = "our trees draw other values"
        yield figure("6", f"{name}; our trees", figures, ours, theirs, why)
        same = from_files(
            folder,
            lambda f, risks=risks, number=number: point(
                *risks(ce_file(f), "open", scenario_files(f, number)).mean()
            ),
        )
        label, nothing = f"{name}; its own files", "synthpop's own files hold real data"
        yield figure("6", label, figures, nothing, same, "other files of synthpop's")


def scenario_files(folder, number):
    """Read the five files that synthpop made for a scenario."""
    codes = dict.fromkeys(["Urban", "Tenure", "Educ", "Marital"], "category")
    paths = [folder / "ce" / f"scenario{number}_{k}.csv" for k in range(1, 6)]
    return [pd.read_csv(path).astype(codes) for path in paths]


# ----------------------------------------------------------- section 2: intruder knowledge


KNOWLEDGE = {
    ("nothing (averaged)", 2): "143 17.8 3",
    ("nothing (averaged)", 3): "115 21.9 13",
    ("nothing (averaged)", 10): "12 24.1 24",
    ("nothing (mode)", 2): "142 11.8 0",
    ("nothing (mode)", 3): "167 11.6 1",
    ("nothing (mode)", 10): "142 15.2 2",
    ("models (mean β)", 2): "18 30.6 30",
    ("models (mean β)", 3): "9 27.7 27",
    ("models (mean β)", 10): "4 31.4 31",
    ("models (drawn β)", 2): "3 19.0 19",
    ("models (drawn β)", 3): "1 30.0 30",
    ("models (drawn β)", 10): "3 29.1 29",
    ("f(β) (mode)", 10): "10 48.2 48",
    ("f(β) (drawn)", 10): "5 39.0 39",
}
YOUTH_KNOWN, YOUTH_SYNTHESIZED = ["ethnicity"], ["facility", "race"]


def script():
    """Load data/make_synthetic.py, which knows the predictors of the youths' models."""
    path = PROJECT / "data" / "make_synthetic.py"
    spec = importlib.util.spec_from_file_location("make_synthetic", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def real_youths(folder):
    """Read the Survey of Youth in Custody as the paper uses it; missing is a level."""
    data = pd.read_csv(folder / "syc" / "syc.csv")
    data = data[~data.psu.isin(LEFT_OUT)].reset_index(drop=True)
    names = {"psu": "facility", "ethnicty": "ethnicity", "crimtype": "crime", "finalwt": "weight"}
    data = data.rename(columns=names)
    data = data[["facility", "race", "ethnicity", "age", "sex", "crime", "weight"]]
    for name in ("facility", "race", "ethnicity", "sex", "crime"):
        data[name] = data[name].astype(object).fillna("missing").astype(str).astype("category")
    return data


def knowledge(data, runs=2):
    """Return the three risks by what the intruder knows, m and run, and who is truly matched."""
    predictors = script().YOUTH_PREDICTORS
    truth = sr.fit_multinomial(data, YOUTH_SYNTHESIZED, predictors)
    rows, uniques = [], []
    for run in range(runs):
        rng = np.random.default_rng(run)
        released = truth.draws(data, rng, [None] * 10)
        fits = [sr.fit_multinomial(one, YOUTH_SYNTHESIZED, predictors) for one in released]
        for knows, m in KNOWLEDGE:
            made = intruders_draws(knows, released[:m], fits[:m], truth, data, rng)
            risk = sr.intruder_risk(data, made, YOUTH_KNOWN, YOUTH_SYNTHESIZED)
            rows.append({"knows": knows, "m": m, "run": run, **risk.summary()})
            if knows == "f(β) (mode)":
                uniques.append(unique_among_true(data, risk))
    return pd.DataFrame(rows), uniques


def intruders_draws(knows, released, fits, truth, data, rng):
    """Return the draws that the intruder of this row has."""
    if knows == "nothing (averaged)":
        return released
    if knows == "nothing (mode)":
        return [sr.mode_guess(released, YOUTH_SYNTHESIZED, rng)]
    models = [truth] if knows.startswith("f(β)") else fits
    return sr.model_draws(models, data, rng, drawn="drawn" in knows)


def unique_among_true(data, risk):
    """Return how many of the true matches are sample uniques, and how many there are."""
    cells = data.groupby(YOUTH_KNOWN + YOUTH_SYNTHESIZED, observed=True)
    alone = cells["age"].transform("size") == 1
    true = risk.records.K == 1
    return int((true & alone.to_numpy()).sum()), int(true.sum())


def sizes(data):
    """Return the number of youths, of facilities and of sample uniques."""
    cells = data.groupby(YOUTH_KNOWN + YOUTH_SYNTHESIZED, observed=True).size()
    return point(len(data), data.facility.nunique(), (cells == 1).sum())


def intruder(folder):
    """Yield Reiter and Mitra's table: perceived, expected and true match risk."""
    youths, real = sr.prepare_youth(sr.load_youth()), from_files(folder, real_youths)
    name = "Reiter–Mitra: youths, facilities, sample uniques"
    yield figure("2", name, "2562 46 64", sizes(youths), pick(real, sizes), "simulated youths")
    ours = load_results("youth_knowledge")
    both = pick(real, knowledge)
    theirs = pick(both, lambda b: b[0])
    why = "theirs is one run and all other variables predict; ours are means, five variables "
    why += "predict, and a ridge holds the coefficients back"
    for (knows, m), published in KNOWLEDGE.items():
        risks = [
            pick(t, lambda t, k=knows, m=m: draws(t[(t.knows == k) & (t.m == m)][RISKS]))
            for t in (ours, theirs)
        ]
        label = knows if knows.startswith("f(β)") else f"{knows}, m = {m}"
        name = f"Reiter–Mitra, intruder knows {label}: perceived expected true"
        yield figure("2", name, published, *risks, why)
    truth = sr.fit_multinomial(youths, YOUTH_SYNTHESIZED, script().YOUTH_PREDICTORS)
    rng = np.random.default_rng(0)
    made = truth.draws(youths, rng, [None] * 100)
    found = unique_among_true(
        youths, sr.intruder_risk(youths, made, YOUTH_KNOWN, YOUTH_SYNTHESIZED)
    )
    name = "Reiter–Mitra: uniques among the true matches, true matches (f(β), mode)"
    yield figure("2", name, "5 48", point(*found), pick(both, lambda b: draws(b[1])), why)
    for name, holds in INTRUDER_FINDINGS.items():
        answers = [pick(t, lambda t, holds=holds: holds(table_of(t))) for t in (ours, theirs)]
        why = "few runs: the difference is smaller than the spread between them"
        yield finding("2", f"Reiter–Mitra: {name}", *answers, why)
    same = m_does_not_matter(table_of(ours))
    label = "Reiter–Mitra: given f(β), m does not matter"
    yield finding("2", label, same, "computed once", "the files of one m differ from the next")


RISKS = ["perceived", "expected", "true"]


def table_of(results):
    """Return the mean risks by knowledge and m."""
    return results.groupby(["knows", "m"])[RISKS].mean()


def more_knowledge(table):
    """More about M, more expected and true matches; compared at m = 10."""
    chain = ["nothing (averaged)", "models (mean β)", "f(β) (mode)"]
    expected, true = ([table.loc[(k, 10), risk] for k in chain] for risk in ("expected", "true"))
    rising = all(pd.Series(one).is_monotonic_increasing for one in (expected, true))
    return rising, f"expected {words(expected)}, true {words(true)}"


def point_beats_drawn(table):
    """Point estimates beat drawn ones, on average over m."""
    point_, drawn = (table.loc[f"models ({k} β)"].expected.mean() for k in ("mean", "drawn"))
    return point_ > drawn, f"expected {point_:.1f} against {drawn:.1f}"


def averaging_beats_mode(table):
    """Probability-based beats mode-based, on average over m."""
    averaged, mode = (table.loc[f"nothing ({k})"].expected.mean() for k in ("averaged", "mode"))
    return averaged > mode, f"expected {averaged:.1f} against {mode:.1f}"


def perceived_falls(table):
    """Perceived risk falls with m under averaging, and not under the mode (by half or more)."""
    averaged, mode = (table.loc[f"nothing ({k})"].perceived for k in ("averaged", "mode"))
    holds = averaged[2] > averaged[3] > averaged[10] and mode[10] > mode[2] / 2
    return holds, f"averaged {words(averaged)}, mode {words(mode)}"


def m_does_not_matter(table):
    """Given f(β) the expected matches move less with m than those of averaging do."""
    beta, files = table.loc["f(β) (mode)"].expected, table.loc["nothing (averaged)"].expected
    return np.ptp(beta) < np.ptp(files), f"f(β) {words(beta)}, files {words(files)}"


INTRUDER_FINDINGS = {
    "more about M, more expected and true matches": more_knowledge,
    "point estimates beat drawn ones": point_beats_drawn,
    "probability-based beats mode-based": averaging_beats_mode,
    "perceived risk falls with m under averaging, not under the mode": perceived_falls,
}


# ------------------------------------------------------------- section 3: keys and targets


SD_KEYS, SD_TARGETS = ["sex", "age", "region", "placesize"], "income depress ls marital workab"
SD_GROUPS = {"groups": {"income": 20}, "special": {"income": [-8]}}
DEPRESS = {
    "UiO": "48.38 48.38 48.38 48.38 48.38",
    "repU": "14.86 13.96 13.62 13.78 14.62",
    "UiS": "37.34 35.44 35.18 34.90 36.14",
    "UiOiS": "22.68 22.24 21.98 22.08 22.00",
    "Dorig": "53.30 53.30 53.30 53.30 53.30",
    "Dsyn": "46.26 44.80 44.60 45.80 44.52",
    "iS": "64.90 64.00 64.02 63.88 63.44",
    "DiS": "34.18 32.50 32.14 33.38 31.46",
    "DiSCO": "9.54 10.26 9.10 9.20 9.34",
    "DiSDiO": "6.14 6.78 5.92 5.52 5.80",
    "max_denom": "3 4 4 4 4",
    "mean_denom": "1.16 1.19 1.19 1.21 1.23",
    "baseCAPd": "9.81 9.81 9.81 9.81 9.81",
    "CAPd": "74.15 74.15 74.15 74.15 74.15",
    "CAPs": "69.78 69.36 69.24 69.87 69.00",
    "DCAP": "16.39 17.45 16.20 15.92 16.17",
    "TCAP": "14.70 16.03 14.21 14.40 14.72",
}
# The bars of Figure 1. The text prints none of these: they are synthpop's for `synthetic_contna`.
BY_TARGET = {"income": "52.34 6.14", "depress": "53.30 9.54", "ls": "58.46 13.78",
             "marital": "79.24 35.18", "workab": "90.90 52.10"}  # fmt: skip
OF_ONE = {"income": "3.36", "depress": "7.02", "ls": "9.84", "marital": "15.40",
          "workab": "20.48"}  # fmt: skip
# target level, age: persons in such cells, with this answer at that age, at that age
PAIRS = {("SINGLE", 19): "10 91 92", ("MARRIED", 41): "5 59 73", ("SINGLE", 18): "5 91 92",
         ("SINGLE", 22): "5 85 91"}  # fmt: skip


class Survey(NamedTuple):
    """The original, five syntheses of it, and the one behind the by-target figures."""

    original: pd.DataFrame
    five: list
    one: pd.DataFrame


def simulated_survey():
    """Return the simulated persons of lesson 06, synthesized as there."""
    persons = sr.load_diagnosis()
    special = {"income": [-8]}
    made = sr.synthesize_cart(persons, list(persons.columns), m=5, special=special, seed=1)
    return Survey(persons, made, made[0])


def real_survey(folder):
    """Read SD2011 and the paper's own syntheses."""
    names = ["original", *(f"synthetic_{k}" for k in range(1, 6)), "synthetic_contna"]
    files = [pd.read_csv(folder / "sd2011" / f"{name}.csv") for name in names]
    return Survey(files[0], files[1:6], files[6])


def keys(folder):
    """Yield Raab, Nowok and Dibben's tables for SD2011."""
    surveys = simulated_survey(), from_files(folder, real_survey)
    yield from depress(surveys)
    yield from by_target(surveys)
    yield from denominators_of_one(surveys)
    yield from flags(surveys)


def depress(surveys):
    """Yield the seventeen measures of five syntheses."""

    def measured(survey):
        found = sr.disclosure(survey.original, survey.five, SD_KEYS, "depress")
        return pd.concat([found.identity, found.attribute, found.cap], axis=1)

    tables = [pick(survey, measured) for survey in surveys]
    for name, published in DEPRESS.items():
        ours = [pick(t, lambda t, name=name: point(*t[name])) for t in tables]
        label = f"Raab, SD2011, target depress: {name} of five syntheses"
        yield figure("3", label, published, *ours, "simulated persons, syntheses of our own")


def multi(survey, **options):
    """Return the table of all targets for the single synthesis."""
    targets = SD_TARGETS.split()
    found = sr.multi_disclosure(survey.original, survey.one, SD_KEYS, targets, **options)
    return found.set_index("target")


def by_target(surveys):
    """Yield Dorig and DiSCO of every target, and which targets are flagged."""
    tables = [pick(survey, lambda s: multi(s, **SD_GROUPS)) for survey in surveys]
    for target, published in BY_TARGET.items():
        ours = [pick(t, lambda t, k=target: point(t.Dorig[k], t.DiSCO[k])) for t in tables]
        label = f"Raab, SD2011, Figure 1 (bars, not printed), {target}: Dorig DiSCO"
        yield figure("3", label, published, *ours, "simulated persons, a synthesis of our own")
    for way, published in {"one_way": ["workab"], "two_way": ["marital", "workab"]}.items():
        flagged = [pick(t, lambda t, way=way: sorted(t.index[t[way]])) for t in tables]
        answers = [pick(f, lambda f, p=published: (f == p, " ".join(f))) for f in flagged]
        label = f"Raab, SD2011: {way.replace('_', '-')} flags for {' and '.join(published)} alone"
        yield finding("3", label, *answers, "other targets are flagged on this file")
    prose = [
        pick(s, lambda s: multi(s._replace(one=s.five[0]), **SD_GROUPS).DiSCO) for s in surveys
    ]
    ours = [pick(p, lambda p: point(p["marital"], p["workab"])) for p in prose]
    label = "Raab, SD2011, the text's DiSCO of marital and workab (first of five syntheses)"
    yield figure("3", label, "37 53", *ours, "simulated persons, a synthesis of our own")


def denominators_of_one(surveys):
    """Yield the table with denominators of 1 and income ungrouped."""
    tables = [pick(survey, lambda s: multi(s, denom_limit=1)) for survey in surveys]
    why = "simulated persons, a synthesis of our own"
    ours = [pick(t, lambda t: point(t.UiO["depress"], t.repU["depress"])) for t in tables]
    yield figure("3", "Raab, denominators of 1, depress: UiO repU", "50.26 16.36", *ours, why)
    for target, published in OF_ONE.items():
        ours = [pick(t, lambda t, k=target: point(t.Dorig[k], t.DiSCO[k])) for t in tables]
        label = f"Raab, denominators of 1, {target}: Dorig DiSCO"
        yield figure("3", label, f"48.38 {published}", *ours, why)


def flags(surveys):
    """Yield what the one-way and the two-way check print."""
    why = "simulated persons: other ages stand out"
    checks = {
        name: [
            pick(s, lambda s, name=name: sr.disclosure(s.original, s.one, SD_KEYS, name))
            for s in surveys
        ]
        for name in ("workab", "marital")
    }
    ours = [pick(c, no_abroad) for c in checks["workab"]]
    label = "Raab, workab, level NO: % of all, DiSCO records with it, DiSCO records"
    yield figure("3", label, "88.64 2482 2605", *ours, why)
    ours = [pick(c, lambda c: point(len(c.two_way))) for c in checks["workab"]]
    yield figure("3", "Raab, workab: number of two-way pairs", "26", *ours, why)
    for (level, age), published in PAIRS.items():
        ours = [
            pick(c, lambda c, level=level, age=age: pair(c, level, age)) for c in checks["marital"]
        ]
        label = f"Raab, marital, {level} at {age}: pairs, with answer, at that age"
        yield figure("3", label, published, *ours, why)


def no_abroad(found):
    """Return what the one-way check says of the level NO."""
    row = found.one_way.iloc[0]
    return point(row.pct_all, row.n_level, row.disclosive)


def pair(found, level, age):
    """Return the counts of a flagged pair, or that it is not flagged."""
    table = found.two_way
    here = table[(table.target_level == level) & (table.key == "age") & (table.key_level == age)]
    if here.empty:
        return NOT_FLAGGED
    return point(*here.iloc[0][["pairs", "key_target_total", "key_total"]])


# Dorig with nothing left out; target levels dropped; that, missing values out and denominators of
# 1; denominators of 1 alone.
ADULT = {
    "capital-gain": "22.55 0.21 0.19 2.68",
    "capital-loss": "30.61 0.08 0.08 2.68",
    "education": "3.71 3.71 2.45 2.68",
    "fnlwgt": "2.70 2.70 2.45 2.68",
    "hours-per-week": "4.36 4.36 2.45 2.68",
    "income": "4.97 4.97 1.58 2.68",
    "marital-status": "8.23 8.23 2.45 2.68",
    "native-country": "17.09 0.94 0.67 2.68",
    "relationship": "5.17 5.17 2.45 2.68",
    "workclass": "14.27 14.27 2.45 2.68",
}
# DiSCO in the same four columns.
ADULT_DISCO = {
    "capital-gain": "19.87 0.00 0.00 1.17",
    "capital-loss": "27.71 0.00 0.00 1.26",
    "education": "0.93 0.93 0.46 0.50",
    "fnlwgt": "0.00 0.00 0.00 0.00",
    "hours-per-week": "0.19 0.19 0.12 0.13",
    "income": "2.10 2.10 0.50 0.82",
    "marital-status": "5.27 5.27 0.68 0.74",
    "native-country": "13.55 0.08 0.04 0.87",
    "relationship": "2.64 2.64 0.69 0.73",
    "workclass": "11.64 11.64 0.85 0.96",
}
DROPPED = {"capital-gain": [0], "capital-loss": [0], "native-country": ["United-States"]}


def adult(folder):
    """Yield the paper's Table 1: Dorig and DiSCO of the Adult file under five exclusions."""
    why = "the printed column repeats the one before it; computed, the values fall"
    real = from_files(folder, adult_table)
    nothing = "no simulated file stands in for Adult"
    for target, published in ADULT.items():
        theirs = pick(real, lambda r, k=target: point(*r[["none", "levels", "all", "one"]].loc[k]))
        label = f"Raab, Adult, {target}: Dorig by exclusion"
        yield figure("3", label, published, nothing, theirs, "another edition of the file")
        theirs = pick(real, lambda r, k=target: point(r.missing[k]))
        repeated = published.split()[1]  # what the paper prints once more
        label = f"Raab, Adult, {target}: Dorig, missing values out"
        yield figure("3", label, repeated, nothing, theirs, why)
    made = from_files(folder, adult_disco)
    for target, published in ADULT_DISCO.items():
        theirs = pick(made, lambda r, k=target: point(*r[["none", "levels", "all", "one"]].loc[k]))
        label = f"Raab, Adult, {target}: DiSCO by exclusion"
        why = "a synthesis of our own; the paper's is not at hand"
        yield figure("3", label, published, nothing, theirs, why)


def adult_file(folder):
    """Read Adult as the paper has it: ten targets, and no income in the test part."""
    data = pd.read_csv(folder / "adult.csv.gz")
    data["income"] = data.income.mask(data.part == "test")
    return data.drop(columns=["part", "education-num"])


def adult_table(folder):
    """Return Dorig by target and exclusion; the original stands in for synthetic data."""
    data = adult_file(folder)
    return by_exclusion(data, data, "Dorig")


def adult_disco(folder):
    """Return DiSCO by target and exclusion, for one synthesis by our CART."""
    data = adult_file(folder)
    return by_exclusion(data, sr.synthesize_cart(data, list(data), seed=1), "DiSCO")


def by_exclusion(data, made, measure):
    """Return one column for each kind of exclusion, a row for each target."""
    complete = {"drop_target": DROPPED, "missing_keys": False, "missing_target": False}
    ways = {"none": {}, "levels": {"drop_target": DROPPED}, "missing": complete,
            "all": complete | {"denom_limit": 1}, "one": {"denom_limit": 1}}  # fmt: skip
    question = ["age", "occupation", "race", "sex"], list(ADULT)
    as_it_is = {"fnlwgt": None}  # the paper's weights are not grouped
    found = {
        way: sr.multi_disclosure(data, made, *question, groups=as_it_is, **how)
        for way, how in ways.items()
    }
    return pd.DataFrame({way: one.set_index("target")[measure] for way, one in found.items()})


# ----------------------------------------------------------------- section 4: households


SU_CU = {"all": "42311", "SU-CU": "2505", "r > 0.1": "686", "r > 0.5": "215", "r > 0.95": "86"}
# R = 0.1, 0.5, 0.95
ATTRIBUTE = {
    "records": "294 91 34",
    "a1(50)": "67 23 9",
    "a1(20)": "34 12 4",
    "a1(10)": "20 6 1",
    "a2(50)": "0.30 0.22 0.22",
    "a2(20)": "0.11 0.073 0.075",
    "a2(10)": "0.06 0.034 0.038",
}
NOT_PUBLIC = "LASI is not public"
SIMULATED = "simulated households, not LASI"
TREES = "in the simulated file trees lose more of working and earnings than of ADL"
LARGEST = 8


def one_synthesis():
    """Return the QI tables of the simulated households and of one synthesis of them, and r."""
    data = sr.load_households()
    wide = sr.households.flatten(data.persons, data.households, max_respondents=LARGEST)
    made = sr.households.synthesize(wide, seed=1)[0]
    return wide, made, hh.qi_table(wide), hh.qi_table(made)


def household(folder):
    """Yield the LASI report's tables of SU-CU households and of attribute risk."""
    wide, made, true, synthetic = one_synthesis()
    stored = load_results("household_risk")
    qis = hh.qi_names()
    found = sr.households.unique_uniques(true, synthetic, qis, stored["r"])
    for name, published in SU_CU.items():
        ours = point(found.households[name])
        yield figure("4", f"LASI, households: {name}", published, ours, NOT_PUBLIC, SIMULATED)
    ours = point(found.percent["SU-CU"])
    yield figure("4", "LASI, households: SU-CU in %", "5.92", ours, NOT_PUBLIC, SIMULATED)
    near = sr.households.attribute_risk(true, synthetic, qis, "income", stored["r"])
    for name, published in ATTRIBUTE.items():
        label = f"LASI, attribute risk, R = 0.1, 0.5, 0.95: {name}"
        yield figure("4", label, published, point(*near[name]), NOT_PUBLIC, SIMULATED)
    yield known_truth(stored)
    yield main_effects(stored)
    yield two_way_ratios(wide, made)
    yield weights_agree(wide, made)
    yield from stored_findings()


def known_truth(stored):
    """Return the row that compares Σ r with the true Σ 1/F, which the report could not do."""
    unique = stored[stored.r.notna()]
    estimated, true = unique.r.sum(), (1 / unique.F).sum()
    away = estimated / true - 1
    told = f"Σ r = {estimated:.0f}, Σ 1/F = {true:.0f} ({100 * away:+.1f} %)"
    label = "prototype: Σ r within 4 % of the true Σ 1/F"
    why = "on this sample the estimate is farther off than on the prototype's"
    return finding("4", label, (abs(away) <= 0.04, told), NOT_PUBLIC, why)


def main_effects(stored):
    """Return the row of the model without interactions."""
    unique = stored[stored.r.notna()]
    above = unique.r_main_effects.sum() / (1 / unique.F).sum() - 1
    name = "prototype: main effects alone overstate Σ r, in %"
    why = "another simulated population than the prototype's"
    return figure("4", name, "40", point(100 * above), NOT_PUBLIC, why)


def two_way_ratios(wide, made):
    """Return the row of the two-way pMSE ratios: below 10, except for ADL."""
    tables = hh.tables(wide, made, 2)
    above = tables[tables.ratio > 10]
    bad = above[(above.variable_1 != "adl") & (above.variable_2 != "adl")]
    told = f"{len(above)} of {len(tables)} tables above 10, {len(bad)} of them without ADL: "
    told += ", ".join(f"{row.variable_1} × {row.variable_2}" for row in bad.itertuples())
    label = "LASI: two-way pMSE ratios are below 10 except for ADL"
    return finding("4", label, (bad.empty, told), NOT_PUBLIC, TREES)


def weights_agree(wide, made):
    """Return the row of weighted and unweighted marginals: about as many intervals overlap."""
    shares = []
    for weighted in (False, True):
        true, ours = (hh.marginals(file, weighted=weighted) for file in (wide, made))
        shares.append(((true.low <= ours.high) & (ours.low <= true.high)).mean())
    told = f"intervals overlap in {100 * shares[0]:.0f} % of rows, weighted {100 * shares[1]:.0f} %"
    label = "LASI: weighted and unweighted results agree (shares within a tenth)"
    why = "weights move the simulated households' shares more than a tenth"
    return finding("4", label, (abs(shares[0] - shares[1]) <= 0.1, told), NOT_PUBLIC, why)


def stored_table(name):
    """Return stored results, or that they are not there."""
    try:
        return load_results(name)
    except (FileNotFoundError, ValueError):
        return f"{name}.csv is not there"


def stored_findings():
    """Yield the findings that rest on hundreds of syntheses."""
    sizes_ = pick(stored_table("household_sizes"), flattens)
    why = "on the simulated households the ratio goes on falling beyond 8"
    yield finding("4", "LASI: utility flattens at H = 7 to 8", sizes_, NOT_PUBLIC, why)
    methods = stored_table("household_methods")
    for name, (holds, why) in METHOD_FINDINGS.items():
        yield finding("4", name, pick(methods, holds), NOT_PUBLIC, why)


def flattens(results):
    """Tell whether beyond H = 8 the mean ratio falls by less than a tenth of its fall up to 8."""
    ratio = results.groupby("largest").ratio.mean()
    before, after = ratio[2] - ratio[8], ratio[8] - ratio[12]
    return after < before / 10, "ratio by H " + " ".join(f"{h}: {v:.2f}" for h, v in ratio.items())


def mean_of(results, method):
    """Return the mean pMSE ratio and the mean number of SU-CU with r > 0.95 of a method."""
    one = results[results.method == method]
    return one["ratio"].mean(), one["r > 0.95"].mean()


def tree_only(results):
    """Down-weighting in the trees alone cuts the riskiest and costs little (below twice)."""
    plain, light = (mean_of(results, m) for m in ("no protection", "tree only, cutoff 0.9"))
    told = f"ratio {plain[0]:.1f} → {light[0]:.1f}, r > 0.95 {plain[1]:.1f} → {light[1]:.1f}"
    return light[1] < plain[1] and light[0] < 2 * plain[0], told


def with_donors(results):
    """Weights on the donors too protect strongly, and utility collapses (more than ten times)."""
    plain, heavy = (mean_of(results, m) for m in ("no protection", "tree and donors, cutoff 0.9"))
    told = f"ratio {plain[0]:.1f} → {heavy[0]:.1f}, r > 0.95 {plain[1]:.1f} → {heavy[1]:.1f}"
    return heavy[1] < plain[1] / 2 and heavy[0] > 10 * plain[0], told


def grouping(results):
    """Grouping states costs more utility than weights on the trees, and removes fewer.

    The report looks into single states, so its release has them: grouped are the trees.
    """
    light, grouped = (mean_of(results, m) for m in ("tree only, cutoff 0.9", "grouped trees"))
    told = f"ratio {grouped[0]:.1f} against {light[0]:.1f}, "
    told += f"r > 0.95 {grouped[1]:.1f} against {light[1]:.1f}"
    return grouped[0] > light[0] and grouped[1] > light[1], told


METHOD_FINDINGS = {
    "LASI: down-weighting cuts the riskiest SU-CU with little utility lost": (
        tree_only,
        "the riskiest are not fewer, or the ratio doubles",
    ),
    "prototype: weights on donors too make utility collapse": (
        with_donors,
        "the ratio passes 10, the limit of the acceptable, but is not ten times as high",
    ),
    "LASI: grouping states costs utility and buys little": (
        grouping,
        "on the whole file it costs no more than weights do; within a small state it costs more, "
        "and where the release is grouped, too, it buys a good deal (lesson 07)",
    ),
}


# ----------------------------------------------------------------------- the table


PARTS = {
    "cases": five_cases,
    "acs": acs,
    "lecture_ce": lecture_ce,
    "scenarios": scenarios,
    "number_of_files": number_of_files,
    "hat": out_of_a_hat,
    "synthpop": cart_against_synthpop,
    "intruder": intruder,
    "keys": keys,
    "adult": adult,
    "households": household,
}


def reproduce(parts, folder, say=print):
    """Return the table of the named parts, sorted by section; say what is being computed."""
    rows = []
    for number, name in enumerate(parts, start=1):
        start = time.perf_counter()
        rows += PARTS[name](folder)
        say(f"[{number}/{len(parts)}] {name} ({time.perf_counter() - start:.0f} s)")
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.sort_values("section", kind="stable", ignore_index=True)


def as_markdown(table, folder):
    """Return the table as a page, with a line that counts the verdicts."""
    lines = ["# Published figures and ours", "", count(table), ""]
    if folder is None:
        lines += ["The published files are not here: `SYNTHRISK_EDU_REFERENCE` names none.", ""]
    lines += ["| " + " | ".join(table.columns) + " |", "|" + "---|" * len(table.columns)]
    lines += ["| " + " | ".join(row) + " |" for row in table.astype(str).to_numpy()]
    return "\n".join(lines) + "\n"


def count(table):
    """Say in a sentence how many rows have each verdict, and how many rest on simulated data."""
    agree, differ, need = (table.verdict.str.startswith(word).sum() for word in VERDICTS)
    simulated = table.verdict.str.endswith(ON_SIMULATED).sum()
    return (
        f"{len(table)} rows: {agree} agree, {differ} differ and say why, {need} need a file that "
        f"is not here. {simulated} are judged on simulated data."
    )


def main(arguments):
    """Compute, print and write the table."""
    parser = argparse.ArgumentParser(prog="python3 start.py reproduce", description=__doc__)
    parser.add_argument("folder", nargs="?", default=".", type=Path, help="where to write")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), help="some parts only")
    chosen = parser.parse_args(arguments)
    if not chosen.folder.is_dir():
        parser.error(f"the folder {str(chosen.folder)!r} does not exist: make it, or name another")
    folder = reference_folder()
    table = reproduce(chosen.only or list(PARTS), folder)
    for row in table.itertuples(index=False):
        print(f"{row[0]}  {row[1]}\n     published {row[2]}\n     simulated {row[3]}\n"
              f"     reference {row[4]}\n     {row[5]}")  # fmt: skip
    table.to_csv(chosen.folder / "reproduction.csv", index=False, lineterminator="\n")
    (chosen.folder / "reproduction.md").write_text(as_markdown(table, folder), "utf-8")
    print(count(table))
    print("Written: reproduction.md and reproduction.csv.")


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # a console may lack a letter such as β
    main(sys.argv[1:])
