"""Lesson 04, the CE example: trees and a hat, risk beside usefulness, one file or many."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_classroom.dora import Dora
from synthrisk_classroom.exercise import exercise, recall
from synthrisk_classroom.forms import Choice, Estimate, Function, Numbers, OneOf
from synthrisk_classroom.lesson import draw_until, tells_apart
from synthrisk_classroom.prediction import Draw, prediction
from synthrisk_edu.data import in_words, load_ce, load_results
from synthrisk_edu.matching import baseline, floor, match
from synthrisk_edu.sweep import maximizing_radius
from synthrisk_edu.synthesis import synthesize_cart
from synthrisk_edu.utility import average_of_m, ecdf_distance, pmse, quartiles
from synthrisk_edu.words import counted, rounded, say

TITLE = "The CE example"

INCOME = [60, 70, 80, 90, 20, 25, 30, 40]  # four owners, four tenants
NEW_INCOME = [70, 70, 90, 60, 25, 40, 30, 20]
SCENARIOS = {
    "1": "Income",
    "2": "Tenure+Income",
    "3": "Expenditure+Income",
    "4": "Tenure+Expenditure+Income",
}


def data(seed=None):
    """Make the eight units, the file with its trees and its hat, and the stored results.

    With a seed: other draws within the leaves, 3,000 units, 12 of the 20 data sets of every
    scenario, and 250 of the 400 in the pool.
    """
    ce, releases, pool = load_ce(), load_results("ce_releases"), load_results("ce_pool")
    pool = pool.assign(risk=pool.risk / len(ce))
    eight = eight_units(NEW_INCOME)
    if seed is not None:
        rng = np.random.default_rng(seed)
        eight = draw_until(lambda: drawn_in_leaves(rng), lambda d: tells_apart(d, "04.1"))
        ce = ce.iloc[np.sort(rng.choice(len(ce), 3000, replace=False))].reset_index(drop=True)
        releases = releases[releases.dataset.isin(rng.choice(20, 12, replace=False) + 1)]
        pool = pool.iloc[np.sort(rng.choice(len(pool), 250, replace=False))]
    seed = 1 if seed is None else seed
    return {
        **vars(eight),
        "ce": ce,
        "units": in_words(ce, "ce"),
        "trees": synthesize_cart(ce, ["Income"], seed=seed)[0],
        "hat": synthesize_cart(ce, ["Income"], predictors={"Income": []}, seed=seed)[0],
        "known": ["Age", "Urban", "Marital"],
        "releases": releases.reset_index(drop=True),
        "pool": pool.reset_index(drop=True),
    }


def eight_units(new_income):
    """Make the two small tables."""
    eight = pd.DataFrame({"Tenure": ["own"] * 4 + ["rent"] * 4, "Income": INCOME})
    return SimpleNamespace(eight=eight, drawn=eight.assign(Income=new_income))


def drawn_in_leaves(rng):
    """Draw every income anew among those of the same tenure."""
    return eight_units([*rng.choice(INCOME[:4], 4), *rng.choice(INCOME[4:], 4)])


# What lesson 03 has taught
BEFORE = "03_acs_example"

recall(
    "04.r1",
    {
        "a": "it takes a random part of the persons",
        "b": "it looks for the one best class of every person, and stops there",
        "c": "it draws the classes given the tables, then the tables given the classes, in turn",
    },
    "c",
    "It never stops at one answer: each step is one more draw of what is plausible.",
    (BEFORE, "2. Ten persons and their hidden classes"),
)
recall(
    "04.r2",
    {
        "a": "guess among the records that agree on what was not synthesized",
        "b": "take the record whose synthesized values are nearest",
        "c": "give up, and count 0 for this target",
    },
    "a",
    "What was not synthesized is still true, and the own record is always among those alike.",
    (BEFORE, "4. Nobody matches: give up, or fall back?"),
)
recall(
    "04.r3",
    {
        "a": "it rises, because every file tells the intruder more",
        "b": "it gets steadier, and goes neither up nor down",
        "c": "it falls, because more files protect better",
    },
    "b",
    "All files are made in the same way; only an intruder who combines them gains with m.",
    (BEFORE, "5. Several files"),
)


# Dora
DORA = "units", 2146
LIKE = {"Marital": "widowed", "Urban": "rural", "Age": 58}


def dora(d, r=0.1):
    """What scenario 3 does to her: expenditure and income by trees, both searched within 10 %."""
    row, variables = DORA[1], ["Expenditure", "Income"]
    file = synthesize_cart(d.ce, variables, seed=2021)[0]
    radius = {"Age": 0.1, "Expenditure": r, "Income": r}
    c, hit, risk = match(d.ce, file, d.known, variables, radius).records.loc[
        row, ["c", "T", "risk"]
    ]
    true = baseline(d.ce, d.known, variables, radius).records.c[row]
    alike = floor(d.ce, d.known, {"Age": 0.1}).records.c[row]
    words = (
        f"With the confidential file {counted(true, 'record fits', 'records fit')} her within "
        f"{100 * r:.0f} %. In the synthetic file it is {c:.0f}. Who falls back, or ignores both "
        f"amounts (the floor), guesses among {alike} widowed units in rural areas of about her "
        f"age: a risk of {1 / alike:.2f}."
    )
    return Dora("5,571 units, expenditure and income by trees (file 1)", c, hit, risk, words)


# 04.1 count
COUNTED = ["c", "T"]


@exercise(
    "04.1",
    Numbers("c", "T", "risk", digits=2),
    hints=[
        "The range is 20 % of 25 to either side, and only tenants can be candidates.",
        "c counts drawn incomes of tenants in the range; T asks for the unit's own.",
    ],
    mistakes={
        "You counted the open range; here both ends, 20 and 30, belong to it.": (
            lambda d, r: sixth(d, bounds="open")[COUNTED]
        ),
        "Your range lies around the drawn income; it lies around the true one, 25.": (
            lambda d, r: sixth(d, target="drawn")[COUNTED]
        ),
        "You counted among the true incomes; the intruder sees the drawn ones.": (
            lambda d, r: sixth(d, among="eight")[COUNTED]
        ),
        "You counted the whole leaf; a candidate's income must be in the range as well.": (
            lambda d, r: {"c": (d.eight.Tenure == "rent").sum(), "T": 1}
        ),
        "The risk is T/c, not 1/c: what is T?": lambda d, r: {"risk": 1 / (r.c or np.inf)},
    },
    code="""found = sr.match(mine.eight, mine.drawn, ["Tenure"], ["Income"], radius=0.2)
answer = found.records.loc[5, ["c", "T", "risk"]]""",
    words=lambda d, r: (
        f"From 20 to 30, ends included, there are c = {r.c:.0f} of the tenants' drawn incomes; the "
        f"unit's own is {d.drawn.Income[5]}, so T = {r['T']:.0f} and the risk is {say(r.risk)}."
    ),
)
def sixth(d, target="eight", among="drawn", **how):
    """c, T and risk of the sixth unit, with a true income of 25; mistakes take a wrong table."""
    tables = getattr(d, target), getattr(d, among)
    return match(*tables, ["Tenure"], ["Income"], 0.2, **how).records.loc[5, ["c", "T", "risk"]]


# 04.2 read
def results_of(d, number, intruder="fixed"):
    """The stored results of one scenario, by default for the intruder who knows all six."""
    chosen = (d.releases.synthesized == SCENARIOS[number]) & (d.releases.intruder == intruder)
    return d.releases[chosen]


def mean_risk(d, number, radius=None, intruder="fixed", column="expected_match_risk"):
    """The average risk of a scenario at a radius, by default at its own maximizing one."""
    results = results_of(d, number, intruder)
    radius = maximizing_radius(results) if radius is None else radius
    return results[column][results.radius == radius].mean()


def mean_pmse(d, number):
    """The average of pMSE × 1,000; it does not depend on the radius."""
    return 1000 * results_of(d, number).pmse.mean()


def saved(d, to="3", **how):
    """The risk that the step from scenario 1 to another saves."""
    return mean_risk(d, "1", **how) - mean_risk(d, to, **how)


def over_all_radii(d):
    """The risk saved when every radius of the grid counts alike."""
    one, three = (results_of(d, number).expected_match_risk.mean() for number in "13")
    return one - three


@exercise(
    "04.2",
    Numbers("saved", "paid", digits=2, within=0.01),
    hints=[
        'Take the rows of mine.releases with intruder == "fixed"; the column synthesized is '
        '"Income" or "Expenditure+Income".',
        "sr.maximizing_radius(rows of one scenario) is its own radius; pMSE has none.",
    ],
    mistakes={
        "That is the step to scenario 2, with tenure.": {"to": "2"},
        "That is the paper's intruder; take the one who knows all six.": (
            lambda d, r: {"saved": saved(d, intruder="paper")}
        ),
        "You took both at r = 1 %; scenario 3 is riskiest at another radius.": (
            lambda d, r: {"saved": saved(d, radius=0.01)}
        ),
        "You averaged over all radii; average over the files at one radius.": (
            lambda d, r: {"saved": over_all_radii(d)}
        ),
        "That is who falls back; take the column expected_match_risk.": (
            lambda d, r: {"saved": saved(d, column="falling_back")}
        ),
        "These are the two risks; hand in what the step saves, and what it costs.": (
            lambda d, r: {"saved": mean_risk(d, "1"), "paid": mean_risk(d, "3")}
        ),
        "The risk falls: hand in the first number without a minus.": (
            lambda d, r: {"saved": -r["saved"]}
        ),
        "Your pMSE is right, but asked for is pMSE × 1,000.": (
            lambda d, r: {"paid": r["paid"] / 1000}
        ),
    },
    code="""risk, pmse = [], []
fixed = mine.releases[mine.releases.intruder == "fixed"]
for name in ("Income", "Expenditure+Income"):
    rows = fixed[fixed.synthesized == name]
    risk.append(rows[rows.radius == sr.maximizing_radius(rows)].expected_match_risk.mean())
    pmse.append(1000 * rows.pmse.mean())
answer = [risk[0] - risk[1], pmse[1] - pmse[0]]""",
    words=lambda d, r: (
        f"The risk falls by {r['saved']:.2f}, from {mean_risk(d, '1'):.0f} to "
        f"{mean_risk(d, '3'):.0f}, because no amount of money stays as it was. pMSE × 1,000 rises "
        f"by {r['paid']:.2f}, from {mean_pmse(d, '1'):.2f} to {mean_pmse(d, '3'):.2f}, because a "
        "second column was drawn anew."
    ),
)
def bought(d, to="3"):
    """What the step from scenario 1 to another saves in risk and costs in pMSE × 1,000."""
    return {"saved": saved(d, to), "paid": mean_pmse(d, to) - mean_pmse(d, "1")}


# 04.3 itself, by luck
def at_one_per_cent(d, file, age=0.1):
    """Match by income within 1 %, age within 10 %."""
    return match(d.ce, file, d.known, ["Income"], {"Age": age, "Income": 0.01}).records


def told_of_both(d, hat, trees):
    """Say what the hat gives back, and what trees do."""
    zero = (d.hat.Income.eq(0) & d.ce.Income.eq(0)).sum()
    return (
        f"With the hat {hat['units']} units get their own income back, {zero} of them an income of "
        f"0, which many units have. They carry a share of {hat['share']:.2f} of the risk. With "
        f"trees {trees['units']} get it back, and carry {trees['share']:.2f}, because a unit is "
        "one of about ten donors in its leaf, and in the hat one of thousands."
    )


@exercise(
    "04.3",
    Numbers("units", "share", digits=2),
    hints=[
        "mine.hat.Income == mine.ce.Income says who got their own income back.",
        "Match as section 3 of the core does for at_one, and add up their column risk.",
    ],
    mistakes={
        "These are the trees of section 3 of the core, not the hat.": {"file": "trees"},
        "You counted T = 1, near enough; the question is who gets the very same income.": (
            lambda d, r: {"units": at_one_per_cent(d, d.hat)["T"].sum()}
        ),
        "That is the sum of their risks; divide it by the sum of all risks.": (
            lambda d, r: {"share": r["share"] * at_one_per_cent(d, d.hat).risk.sum()}
        ),
        "For units you have a share; hand in how many they are.": (
            lambda d, r: {"units": r["units"] / len(d.ce)}
        ),
        "That is their share of the units; add up their risks, and divide by all risks.": (
            lambda d, r: {"share": r["units"] / len(d.ce)}
        ),
        'You matched the age exactly; it may differ by 10 %: {"Age": 0.1, "Income": 0.01}.': (
            lambda d, r: {"share": itself(d, age=0)["share"]}
        ),
        "Hand in the share between 0 and 1, not per cent.": (
            lambda d, r: {"share": 100 * r["share"]}
        ),
    },
    code="""radius = {"Age": 0.1, "Income": 0.01}
risk = sr.match(mine.ce, mine.hat, mine.known, ["Income"], radius).records.risk
itself = mine.hat.Income == mine.ce.Income
answer = [itself.sum(), risk[itself].sum() / risk.sum()]""",
    words=lambda d, r: told_of_both(d, r, itself(d, "trees")),
    further=True,
)
def itself(d, file="hat", age=0.1):
    """How many units got their own income back, and their share of the risk at 1 %."""
    file = getattr(d, file)
    same, risk = file.Income == d.ce.Income, at_one_per_cent(d, file, age).risk
    return {"units": same.sum(), "share": risk[same].sum() / risk.sum()}


# 04.4 highest risk
def mean_of_highest(results):
    """Lets every data set have a radius of its own."""
    return results.groupby("dataset").expected_match_risk.max().mean()


def scenario_cases(d):
    """The results of every scenario for both intruders."""
    return [
        (results_of(d, number, intruder),)
        for intruder in ("fixed", "paper")
        for number in SCENARIOS
    ]


@exercise(
    "04.4",
    Function("risk_at_own_radius(results)", scenario_cases),
    hints=[
        'results.groupby("radius") keeps together what has the same radius.',
        "Which comes first: the average over the files, or the highest over the radii?",
    ],
    mistakes={
        "You took one file; average over the files first.": (
            lambda results: results.expected_match_risk.max()
        ),
        "You let each file choose a radius; there is one for all.": mean_of_highest,
        "You averaged over the radii, too; take the highest of them.": (
            lambda results: results.expected_match_risk.mean()
        ),
        "You return the radius; asked for is the risk there.": maximizing_radius,
        "You return one number for each radius; take the highest.": (
            lambda results: results.groupby("radius").expected_match_risk.mean()
        ),
        "You took the smallest radius; it is not always the riskiest.": (
            lambda results: results.groupby("radius").expected_match_risk.mean().iloc[0]
        ),
    },
    words=lambda d, r: (
        "First the average over the files at each radius, then the highest, because a report names "
        f"one radius for all files; in scenario 3 it gives "
        f"{risk_at_own_radius(results_of(d, '3')):.2f}. The other way round, every file at its own "
        f"radius, it would be {mean_of_highest(results_of(d, '3')):.2f}: never less, because each "
        "file then brings its own luck."
    ),
)
def risk_at_own_radius(results):
    """Average over the data sets at every radius, then take the highest."""
    return results.groupby("radius").expected_match_risk.mean().max()


# 04.5 the hat
ECDF, PMSE = ["ecdf_trees", "ecdf_hat"], ["pmse_trees", "pmse_hat"]


def distances(d, which="largest"):
    """The largest or another ECDF distance of income, with trees and with the hat."""
    found = [ecdf_distance(d.ce.Income, file.Income) for file in (d.trees, d.hat)]
    return pd.Series([getattr(one, which) for one in found], ECDF)


def price(d, variables=None):
    """The pMSE × 1,000 of some variables or all, with trees and with the hat."""
    return pd.Series([1000 * pmse(d.ce, file, variables) for file in (d.trees, d.hat)], PMSE)


@exercise(
    "04.5",
    Numbers(*ECDF, *PMSE, digits=3),
    hints=[
        "sr.ecdf_distance(mine.ce.Income, mine.trees.Income).largest is the first number.",
        "sr.pmse(mine.ce, mine.trees) is the third, once multiplied by 1,000.",
    ],
    mistakes={
        "You have exchanged trees and hat.": (
            lambda d, r: r.set_axis([*reversed(ECDF), *reversed(PMSE)])
        ),
        "These are the mean squared distances; take the largest.": (
            lambda d, r: distances(d, "mean_squared")
        ),
        "Your pMSE is right, but asked for is pMSE × 1,000.": lambda d, r: r[PMSE] / 1000,
        "Your pMSE looks at income alone; compare the files with all their variables.": (
            lambda d, r: price(d, ["Income"])
        ),
    },
    code="""files = [mine.trees, mine.hat]
answer = [sr.ecdf_distance(mine.ce.Income, file.Income).largest for file in files]
answer += [1000 * sr.pmse(mine.ce, file) for file in files]""",
    words=lambda d, r: (
        f"The distance is {r.ecdf_trees:.3f} and {r.ecdf_hat:.3f}, tiny in both: a hat leaves the "
        "distribution of incomes as it was. What is lost is which income goes with which unit, and "
        f"that pMSE sees: {r.pmse_trees:.1f} and {r.pmse_hat:.1f}."
    ),
    further=True,
)
def usefulness(d):
    """ECDF distance of income, and pMSE × 1,000, with trees and with the hat."""
    return pd.concat([distances(d), price(d)])


# 04.6 half a box
@exercise(
    "04.6",
    Function("half_width(m, pool)", lambda d: [(m, d.pool) for m in (1, 4, 16)]),
    hints=[
        "sr.average_of_m(pool, m) averages m files a thousand times; leave its seed alone.",
        'sr.quartiles(...).risk has the entries "first" and "third".',
    ],
    mistakes={
        "That is the whole distance; halve it.": lambda m, pool: 2 * half_width(m, pool),
        "You went from the smallest to the largest, not the quartiles.": (
            lambda m, pool: np.ptp(average_of_m(pool, m).risk) / 2
        ),
        "That is the standard deviation; use the quartiles.": (
            lambda m, pool: average_of_m(pool, m).risk.std()
        ),
        "Your result does not depend on m: average m files first.": (
            lambda m, pool: half_width(1, pool)
        ),
        "You took pMSE; the question is about the risk.": (
            lambda m, pool: half_width(m, pool.assign(risk=pool.pmse))
        ),
    },
    code="""box = sr.quartiles(sr.average_of_m(pool, m)).risk
return (box["third"] - box["first"]) / 2""",
    words=lambda d, r: (
        f"For m = 1, 4 and 16 it gives {r[0]:.4f}, {r[1]:.4f} and {r[2]:.4f}: about a half and a "
        "quarter of the first. It falls with the square root of m, because high and low files make "
        "up for each other."
    ),
    further=True,
)
def half_width(m, pool):
    """Half the distance of the quartiles of the average risk of m data sets."""
    box = quartiles(average_of_m(pool, m)).risk
    return (box["third"] - box["first"]) / 2


# 04.7 decide
# What to say to each choice and reason; the numbers are those of the scenarios.
VERDICTS = {
    ("1", "most useful"): "Its pMSE × 1,000 is the lowest, {cost[1]}, because one column alone was "
    "drawn anew. But expenditure stays as it was: whoever falls back, or ignores the income, and "
    "searches for the exact expenditure is right {back[1]} times.",
    ("1", "safest"): "It is the riskiest, because expenditure stays as it was: {risk[1]}, or "
    "{back[1]} if the intruder falls back where nobody matches; scenario 4 has {risk[4]}, or "
    "{back[4]}.",
    ("1", "bargain"): "Nothing is bought here yet, because expenditure stays as it was: the risk "
    "is {risk[1]}, or {back[1]} if the intruder falls back where nobody matches; in scenario 3 it "
    "is {risk[3]}, or {back[3]}.",
    ("2", "most useful"): "Scenarios 1 and 3 are more useful, because tenure costs most if it is "
    "drawn anew: {cost[1]} and {cost[3]}, against {cost[2]}.",
    ("2", "safest"): "Scenarios 3 and 4 are safer, because expenditure stays as it was in this "
    "one: {risk[3]} and {risk[4]}, against {risk[2]}. If the intruder falls back where nobody "
    "matches: {back[3]} and {back[4]}, against {back[2]}.",
    ("2", "bargain"): "Scenario 3 beats it on both counts, because a second number hides more than "
    "a category and costs less: a risk of {risk[3]} against {risk[2]}, and a pMSE × 1,000 of "
    "{cost[3]} against {cost[2]}.",
    ("3", "most useful"): "By pMSE × 1,000 scenario 1 is more useful, because one column alone was "
    "drawn anew there: {cost[1]} against {cost[3]}.",
    ("3", "safest"): "Scenario 4 is safer, because tenure was drawn anew there, too: {risk[4]} "
    "against {risk[3]}, or {back[4]} against {back[3]} if the intruder falls back where nobody "
    "matches.",
    ("3", "bargain"): "Much risk goes, because no amount of money stays as it was: it falls from "
    "{risk[1]} to {risk[3]}. If the intruder falls back where nobody matches, it falls from "
    "{back[1]} (floor {floor[1]}) to {back[3]} (floor {floor[3]}). Every sum stands at the radius "
    "where it is highest. pMSE × 1,000 rises from {cost[1]} to {cost[3]}. Say for which intruder "
    "and radius you report it, and what users can no longer study.",
    ("4", "most useful"): "It is the least useful, because all three columns were drawn anew: a "
    "pMSE × 1,000 of {cost[4]}.",
    ("4", "safest"): "It is, because of all this intruder knows only age, area and marital status "
    "stay as they were: the risk is {risk[4]}, or {back[4]} if the intruder falls back where "
    "nobody matches (floor {floor[4]}); in scenario 3 it is {risk[3]}, or {back[3]} (floor "
    "{floor[3]}). Every sum stands at the radius where it is highest. The price: pMSE × 1,000 is "
    "{cost[4]} instead of {cost[3]}.",
    ("4", "bargain"): "After scenario 3 it costs much, because tenure is dear: the risk falls from "
    "{risk[3]} to {risk[4]}, but pMSE × 1,000 rises from {cost[3]} to {cost[4]}, almost three "
    "times as much.",
}


def defensible(d):
    """List the choices that can be defended, each with its reason."""
    risk = {number: mean_risk(d, number) for number in SCENARIOS}
    cost = {number: mean_pmse(d, number) for number in SCENARIOS}
    pairs = {(min(cost, key=cost.get), "most useful"), (min(risk, key=risk.get), "safest")}
    if risk["3"] < risk["2"] and cost["3"] < cost["2"]:
        pairs.add(("3", "bargain"))
    return {(number, reason) for number, reason in pairs if not hides_nobody(d, number)}


def hides_nobody(d, number):
    """Say whether ignoring what was synthesized still finds more than half of all units."""
    results = results_of(d, number)
    return results.floor.max() > results.confidential.max() / 2


def highest_back(d, number):
    """The highest average of whoever falls back, over all radii, and the floor at that radius."""
    mean = results_of(d, number).groupby("radius")[["falling_back", "floor"]].mean()
    return mean.loc[mean.falling_back.idxmax()]


@exercise(
    "04.7",
    Choice(
        {number: name.replace("+", ", ") for number, name in SCENARIOS.items()},
        {
            "safest": "the risk is the lowest of the four",
            "most useful": "pMSE is the lowest of the four",
            "bargain": "much risk goes for little usefulness",
        },
    ),
    hints=[
        "Section 6 has a table of all; which row is lowest in which column?",
        "What has an intruder who falls back where nobody matches? Look at that column, too.",
        "Is there a scenario that another one beats on both counts?",
    ],
    code='answer = ("3", "bargain")',
    words=lambda d, r: f"Two can be defended, 3 and 4. For 3: {r['3', 'bargain'][1]}",
)
def decide(d):
    """What speaks for and against each scenario, with the numbers."""
    numbers = {
        "risk": {int(n): f"{mean_risk(d, n):,.0f}" for n in SCENARIOS},
        "cost": {int(n): f"{mean_pmse(d, n):.2f}" for n in SCENARIOS},
        "back": {int(n): f"{highest_back(d, n).falling_back:,.0f}" for n in SCENARIOS},
        "floor": {int(n): f"{highest_back(d, n).floor:,.0f}" for n in SCENARIOS},
    }
    good = defensible(d)
    return {pair: (pair in good, words.format(**numbers)) for pair, words in VERDICTS.items()}


# 04.8 change one line
def told_of_donors(trees):
    """Say what hangs on the line in the student's tables, and what it does to the whole file."""
    repels = load_results("ce_repels").query("radius == 0").groupby("donors").falls_back.mean()
    return (
        f"In mine.trees {trees['units']} units got their own income back, and they carry a share "
        f"of {trees['share']:.2f} of the risk at r = 1 %. Whoever borrows from itself is among "
        "them, and your line forbids it. In the whole file, over a hundred draws, whoever falls "
        f"back at r = 0 is right {repels['anybody']:.0f} times with CART's line and "
        f"{repels['never itself']:.0f} times with yours. The floor is 73: your release repels, "
        "because the own record is now the one that cannot hold a rare income. There is a price: a "
        "unit alone in its leaf has nobody left to borrow from, and whoever knows your rule can "
        "rule out a record that fits too well."
    )


def leaves(d):
    """The leaves of the eight units, and some others, each with a unit that borrows."""
    tenure, four = d.eight.Tenure.to_numpy(), np.array([1, 1, 2, 1])
    return [*((tenure, i) for i in (0, 3, 5)), *((four, i) for i in range(4))]


def everybody(leaf, i):
    """Return everybody in the leaf: the line as it was."""
    return np.flatnonzero(leaf == leaf[i])


@exercise(
    "04.8",
    Function("donors(leaf, i)", leaves),
    hints=[
        "np.arange(len(leaf)) != i is False for unit i and True for all others.",
        "np.flatnonzero(a & b) gives the positions where both are True; put each comparison in "
        "brackets.",
    ],
    mistakes={
        "That is the line as it was: unit i is still among its own donors.": everybody,
        "You return True and False; np.flatnonzero makes positions of them.": (
            lambda leaf, i: (leaf == leaf[i]) & (np.arange(len(leaf)) != i)
        ),
        "These are the units of the other leaves; a donor must be in the same leaf.": (
            lambda leaf, i: np.flatnonzero(leaf != leaf[i])
        ),
        "You left out the first unit of the leaf; leave out unit i.": (
            lambda leaf, i: everybody(leaf, i)[1:]
        ),
        "These are all other units; a donor must be in the same leaf.": (
            lambda leaf, i: np.flatnonzero(np.arange(len(leaf)) != i)
        ),
    },
    words=lambda d, r: told_of_donors(itself(d, "trees")),
)
def donors(leaf, i):
    """Return the positions of the other units in the leaf of unit i."""
    return np.flatnonzero((leaf == leaf[i]) & (np.arange(len(leaf)) != i))


# What the panels are asked


@prediction(
    "04.a",
    Estimate(near=0.25, within=2),
    "Only income is synthesized, r = 1 %. In draw 1 the own record of unit 47 matches: T = 1. In "
    "how many of 20 draws is T = 1?",
    mistakes={
        "Every draw is made anew, and T with it.": lambda panel, r: 20,
        "In a leaf there are more donors than two.": lambda panel, r: 10,
    },
    words=lambda panel, r: (
        "Luck decides about a unit, because only some of the donors in its leaf fit. The sum of "
        "the file moves less, from {:.0f} to {:.0f}.".format(
            *np.quantile(draws_of(panel).gives_up, [0, 1])
        )
    ),
    at={"chosen": ("Income",), "draw": 20, "radius": 0.01, "target": 47},
)
def own_record_matches(panel):
    """In how many draws the own record of the unit matches."""
    return draws_of(panel).T.sum()


def draws_of(panel):
    """All draws of income for unit 47, at r = 1 %."""
    last = panel.controls["draw"].max
    return panel.compute(chosen=("Income",), draw=last, radius=0.01, target=47)


@prediction(
    "04.b",
    Estimate(near=0.1),
    "Only income is synthesized. This intruder knows all six facts, searches for equal amounts of "
    "money (r = 0), and falls back where nobody matches. How many of the 5,571 units are found?",
    mistakes={
        "That is the paper's intruder.": {"paper": True},
        "That is who gives up where nobody matches.": {"falls_back": False},
        "That is the paper's intruder, giving up.": {
            "paper": True,
            "falls_back": False,
        },
    },
    words=lambda panel, r: (
        "Everybody, because no two units agree in all that was left as it was. (The paper's "
        f"intruder may not know the expenditure, and finds {rounded(all_six(panel, paper=True))}.) "
        "Now press “gives up”."
    ),
    at={"paper": False, "falls_back": True, "scenario": "Income", "radius": 0, "m": 20},
)
def all_six(panel, paper=False, falls_back=True, radius=0):
    """The expected match risk of scenario 1, on average over all files."""
    files = {"m": panel.controls["m"].max, "scenario": "Income"}
    now = panel.compute(paper=paper, falls_back=falls_back, radius=radius, **files)
    return now.first.expected_match_risk.mean()


RELEASES = {
    "Tenure": "tenure",
    "Income": "income",
    "Expenditure": "expenditure",
    "Tenure+Income": "tenure and income",
}


@prediction(
    "04.c",
    OneOf(RELEASES),
    "The intruder knows all six facts, and gives up where nobody matches. What is synthesized in "
    "the riskiest of these four releases, each at the radius where its risk is highest?",
    mistakes={
        "One of the two amounts of money is drawn anew there.": lambda panel, r: "Income",
        "One of the two amounts is drawn anew there.": lambda panel, r: "Expenditure",
        "Two of the six facts are drawn anew there.": lambda panel, r: "Tenure+Income",
    },
    words=lambda panel, r: (
        f"{release(panel, 'Tenure'):,.0f} correct matches, because both amounts stay as they were; "
        f"{release(panel, 'Income'):,.0f} with income. (Whoever falls back at r = 0 finds "
        f"{exact_back('Tenure'):,.1f} with tenure and {exact_back('Income'):,.1f} with income.)"
    ),
    at={"paper": False, "chosen": ("Tenure",)},
)
def riskiest(panel):
    """The release with the highest expected match risk, each at its maximizing radius."""
    return max(RELEASES, key=lambda name: release(panel, name))


def release(panel, name):
    """The average expected match risk of a release, for the intruder who knows all six."""
    now = panel.compute(paper=False, chosen=tuple(name.split("+")))
    return now.chosen.expected_match_risk.mean()


def exact_back(name):
    """The average of whoever falls back, knows all six and searches for equal amounts."""
    rows = load_results("ce_releases").query("intruder == 'fixed' and radius == 0")
    return rows.falling_back[rows.synthesized == name].mean()


FILES = (2, 4, 16)


@prediction(
    "04.d",
    Estimate(*(f"{m} files" for m in FILES), near=0.15),
    "With one file an intruder finds 7 of 100 units. And with 2, 4 or 16 files, used all at once?",
    mistakes={
        "A second file mostly finds the same units again.": lambda panel, r: {
            f"{m} files": m * of_100(panel, 1) for m in FILES
        },
        "An average over files would stay, but this intruder combines them.": lambda panel, r: (
            dict.fromkeys(r, of_100(panel, 1))
        ),
    },
    words=lambda panel, r: (
        "Each doubling adds about 2 of 100, because a unit may get its own income back in one file "
        "only."
    ),
    draw=Draw([(0, m) for m in FILES], per=0.01, moves="m"),
    at={"m": max(FILES)},
)
def found_at_once(panel):
    """Of 100 units, how many an intruder finds with m files at once."""
    return {f"{m} files": of_100(panel, m) for m in FILES}


def of_100(panel, m):
    """Of 100 units, how many an intruder finds with m files at once, on average."""
    return 100 * panel.compute(m=m).mean[m]
