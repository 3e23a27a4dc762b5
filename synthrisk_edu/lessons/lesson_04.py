"""Lesson 04, the CE example: trees and a hat, risk beside usefulness, one file or many."""

from functools import lru_cache

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.classroom.engine import Exercise, LessonPanel
from synthrisk_edu.classroom.forms import Choice, Function, Numbers
from synthrisk_edu.data import load_ce, load_results
from synthrisk_edu.match import match
from synthrisk_edu.sweep import maximizing_radius
from synthrisk_edu.synthesis import synthesize_cart
from synthrisk_edu.utility import average_of_m, ecdf_distance, pmse, quartiles
from synthrisk_edu.widgets import examples
from synthrisk_edu.words import say

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
    together = load_results("ce_together")
    new_income, units = NEW_INCOME, len(ce)
    if seed is not None:
        rng = checks.generator(seed)
        new_income = [*rng.choice(INCOME[:4], 4), *rng.choice(INCOME[4:], 4)]
        ce = ce.iloc[np.sort(rng.choice(len(ce), 3000, replace=False))].reset_index(drop=True)
        releases = releases[releases.dataset.isin(rng.choice(20, 12, replace=False) + 1)]
        pool = pool.iloc[np.sort(rng.choice(len(pool), 250, replace=False))]
    seed = 1 if seed is None else seed
    eight = pd.DataFrame({"Tenure": ["own"] * 4 + ["rent"] * 4, "Income": INCOME})
    return {
        "eight": eight,
        "drawn": eight.assign(Income=new_income),
        "ce": ce,
        "trees": synthesize_cart(ce, ["Income"], seed=seed)[0],
        "hat": synthesize_cart(ce, ["Income"], predictors={"Income": []}, seed=seed)[0],
        "known": ["Age", "Urban", "Marital"],
        "releases": releases.reset_index(drop=True),
        "pool": pool.assign(risk=pool.risk / units).reset_index(drop=True),
        "together": together.assign(risk=together.risk / units),
    }


def beside(d):
    """Return the risk per record of the confidential file, and the floor, where the pool stands."""
    results = results_of(d, "1", "paper")
    row = results[results.radius == 0.01].iloc[0]
    return {name: row[name] / len(d.ce) for name in ("confidential", "floor")}


# 04.1 count
def sixth(true, drawn, synthesized=("Income",), radius=0.2, **how):
    """c, T and risk of the sixth unit, with a true income of 25."""
    found = match(true, drawn, ["Tenure"], list(synthesized), radius, **how)
    return found.records.loc[5, ["c", "T", "risk"]]


EXERCISE_1 = Exercise(
    id="04.1",
    form=Numbers("c", "T", "risk", digits=2),
    answer=lambda d: sixth(d.eight, d.drawn),
    mistakes={
        "You counted the open range; here both ends, 20 and 30, belong to it.": (
            lambda d: sixth(d.eight, d.drawn, bounds="open")[["c", "T"]]
        ),
        "Your range lies around the drawn income; it lies around the true one, 25.": (
            lambda d: sixth(d.drawn, d.drawn)[["c", "T"]]
        ),
        "You counted among the true incomes; the intruder sees the drawn ones.": (
            lambda d: sixth(d.eight, d.eight)[["c", "T"]]
        ),
        "You counted the whole leaf; a candidate's income must be in the range as well.": (
            lambda d: sixth(d.eight, d.eight, synthesized=(), radius=None)[["c", "T"]]
        ),
        "The risk is T/c, not 1/c: what is T?": (
            lambda d: {"risk": 1 / (sixth(d.eight, d.drawn).c or np.inf)}
        ),
    },
    hints=[
        "The range is 20 % of 25 to either side, and only tenants can be candidates.",
        "c counts drawn incomes of tenants in the range; T asks for the unit's own.",
    ],
    code="""found = sr.match(mine.eight, mine.drawn, ["Tenure"], ["Income"], radius=0.2)
answer = found.records.loc[5, ["c", "T", "risk"]]""",
    words=lambda d: (
        "From 20 to 30, ends included, there are c = {c:.0f} of the tenants' drawn incomes; the "
        "unit's own is {own}, so T = {T:.0f} and the risk is {T_over_c}.".format(
            own=d.drawn.Income[5],
            T_over_c=say(sixth(d.eight, d.drawn).risk),
            **sixth(d.eight, d.drawn),
        )
    ),
)


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


def bought(d, to="3", radius=None, intruder="fixed"):
    """What the step from scenario 1 to another saves in risk and costs in pMSE × 1,000."""
    return {
        "saved": mean_risk(d, "1", radius, intruder) - mean_risk(d, to, radius, intruder),
        "paid": mean_pmse(d, to) - mean_pmse(d, "1"),
    }


def over_all_radii(d):
    """The risk saved when every radius of the grid counts alike."""
    one, three = (results_of(d, number).expected_match_risk.mean() for number in "13")
    return {"saved": one - three}


EXERCISE_2 = Exercise(
    id="04.2",
    form=Numbers("saved", "paid", digits=2, within=0.01),
    answer=bought,
    mistakes={
        "That is the step to scenario 2, with tenure.": lambda d: bought(d, "2"),
        "That is the paper's intruder; take the one who knows all six.": (
            lambda d: {"saved": bought(d, intruder="paper")["saved"]}
        ),
        "You took both at r = 1 %; scenario 3 is riskiest at another radius.": (
            lambda d: {"saved": bought(d, radius=0.01)["saved"]}
        ),
        "You averaged over all radii; average over the files at one radius.": over_all_radii,
        "Your pMSE is right, but asked for is pMSE × 1,000.": (
            lambda d: {"paid": bought(d)["paid"] / 1000}
        ),
    },
    hints=[
        'Take the rows of mine.releases with intruder == "fixed"; the column synthesized is '
        '"Income" or "Expenditure+Income".',
        "sr.maximizing_radius(rows of one scenario) is its own radius; pMSE has none.",
    ],
    code="""risk, pmse = [], []
fixed = mine.releases[mine.releases.intruder == "fixed"]
for name in ("Income", "Expenditure+Income"):
    rows = fixed[fixed.synthesized == name]
    risk.append(rows[rows.radius == sr.maximizing_radius(rows)].expected_match_risk.mean())
    pmse.append(1000 * rows.pmse.mean())
answer = [risk[0] - risk[1], pmse[1] - pmse[0]]""",
    words=lambda d: (
        f"The risk falls by {bought(d)['saved']:.2f}, from {mean_risk(d, '1'):.0f} to "
        f"{mean_risk(d, '3'):.0f}; pMSE × 1,000 rises by {bought(d)['paid']:.2f}, from "
        f"{mean_pmse(d, '1'):.2f} to {mean_pmse(d, '3'):.2f}."
    ),
)


# 04.3 itself, by luck
def at_one_per_cent(d, synthetic, age=0.1):
    """Match by income within 1 %, age within 10 %."""
    return match(d.ce, synthetic, d.known, ["Income"], {"Age": age, "Income": 0.01}).records


def itself(d, synthetic, age=0.1):
    """How many units got their own income back, and their share of the risk at 1 %."""
    same, risk = synthetic.Income == d.ce.Income, at_one_per_cent(d, synthetic, age).risk
    return {"units": same.sum(), "share": risk[same].sum() / risk.sum()}


EXERCISE_3 = Exercise(
    id="04.3",
    form=Numbers("units", "share", digits=2),
    answer=lambda d: itself(d, d.hat),
    mistakes={
        "These are the trees of section 3, not the hat.": lambda d: itself(d, d.trees),
        "You counted T = 1, near enough; the question is who gets the very same income.": (
            lambda d: {"units": at_one_per_cent(d, d.hat)["T"].sum()}
        ),
        "That is their share of the units; add up their risks, and divide by all risks.": (
            lambda d: {"share": itself(d, d.hat)["units"] / len(d.ce)}
        ),
        'You matched the age exactly; it may differ by 10 %: {"Age": 0.1, "Income": 0.01}.': (
            lambda d: {"share": itself(d, d.hat, age=0)["share"]}
        ),
        "Hand in the share between 0 and 1, not per cent.": (
            lambda d: {"share": 100 * itself(d, d.hat)["share"]}
        ),
    },
    hints=[
        "mine.hat.Income == mine.ce.Income says who got their own income back.",
        "Match as section 3 does for at_one, and add up the column risk over these units.",
    ],
    code="""radius = {"Age": 0.1, "Income": 0.01}
risk = sr.match(mine.ce, mine.hat, mine.known, ["Income"], radius).records.risk
itself = mine.hat.Income == mine.ce.Income
answer = [itself.sum(), risk[itself].sum() / risk.sum()]""",
    words=lambda d: (
        f"With the hat {itself(d, d.hat)['units']} units get their own income back, "
        f"{(d.hat.Income.eq(0) & d.ce.Income.eq(0)).sum()} of them an income of 0, which many "
        f"units have. They carry a share of {itself(d, d.hat)['share']:.2f} of the risk. With "
        f"trees {itself(d, d.trees)['units']} get it back, and carry "
        f"{itself(d, d.trees)['share']:.2f}."
    ),
)


# 04.4 highest risk
def risk_at_own_radius(results):
    """Average over the data sets at every radius, then take the highest."""
    return results.groupby("radius").expected_match_risk.mean().max()


def mean_of_highest(results):
    """Lets every data set have a radius of its own."""
    return results.groupby("dataset").expected_match_risk.max().mean()


EXERCISE_4 = Exercise(
    id="04.4",
    form=Function(
        "risk_at_own_radius(results)",
        lambda d: [
            (results_of(d, number, intruder),)
            for intruder in ("fixed", "paper")
            for number in SCENARIOS
        ],
    ),
    answer=risk_at_own_radius,
    mistakes={
        "You took one file; average over the files first.": (
            lambda results: results.expected_match_risk.max()
        ),
        "You let each file choose a radius; there is one for all.": mean_of_highest,
        "You averaged over the radii, too; take the highest of them.": (
            lambda results: results.expected_match_risk.mean()
        ),
        "You return the radius; asked for is the risk there.": maximizing_radius,
        "You took the smallest radius; it is not always the riskiest.": (
            lambda results: results.groupby("radius").expected_match_risk.mean().iloc[0]
        ),
    },
    hints=[
        'results.groupby("radius") keeps together what has the same radius.',
        "Which comes first: the average over the files, or the highest over the radii?",
    ],
    words=lambda d: (
        "First the average over the files at each radius, then the highest; in scenario 3 it "
        f"gives {risk_at_own_radius(results_of(d, '3')):.2f}. The other way round, every file at "
        f"its own radius, it would be {mean_of_highest(results_of(d, '3')):.2f}."
    ),
)


# 04.5 the hat
PARTS = ["ecdf_trees", "ecdf_hat", "pmse_trees", "pmse_hat"]


@lru_cache(maxsize=64)
def usefulness(d, files=("trees", "hat"), variables=None):
    """ECDF distance of income, and pMSE × 1,000, with trees and with the hat."""
    files = [getattr(d, name) for name in files]
    variables = None if variables is None else list(variables)
    numbers = [ecdf_distance(d.ce.Income, file.Income).largest for file in files]
    numbers += [1000 * pmse(d.ce, file, variables) for file in files]
    return pd.Series(numbers, PARTS)


EXERCISE_5 = Exercise(
    id="04.5",
    form=Numbers(*PARTS, digits=3),
    answer=usefulness,
    mistakes={
        "You have exchanged trees and hat.": lambda d: usefulness(d, ("hat", "trees")),
        "These are the mean squared distances; take the largest.": (
            lambda d: {
                "ecdf_trees": ecdf_distance(d.ce.Income, d.trees.Income).mean_squared,
                "ecdf_hat": ecdf_distance(d.ce.Income, d.hat.Income).mean_squared,
            }
        ),
        "Your pMSE is right, but asked for is pMSE × 1,000.": (
            lambda d: usefulness(d)[PARTS[2:]] / 1000
        ),
        "Your pMSE looks at income alone; compare the files with all their variables.": (
            lambda d: usefulness(d, variables=("Income",))[PARTS[2:]]
        ),
    },
    hints=[
        "sr.ecdf_distance(mine.ce.Income, mine.trees.Income).largest is the first number.",
        "sr.pmse(mine.ce, mine.trees) is the third, once multiplied by 1,000.",
    ],
    code="""files = [mine.trees, mine.hat]
answer = [sr.ecdf_distance(mine.ce.Income, file.Income).largest for file in files]
answer += [1000 * sr.pmse(mine.ce, file) for file in files]""",
    words=lambda d: (
        f"The distance is {usefulness(d)['ecdf_trees']:.3f} and {usefulness(d)['ecdf_hat']:.3f}"
        ", tiny in both: a hat leaves the distribution of incomes as it was. What is lost is "
        "which income goes with which unit, and that pMSE sees: "
        f"{usefulness(d)['pmse_trees']:.1f} and {usefulness(d)['pmse_hat']:.1f}."
    ),
)


# 04.6 half a box
def half_width(m, pool):
    """Half the distance of the quartiles of the average risk of m data sets."""
    box = quartiles(average_of_m(pool, m)).risk
    return (box["third"] - box["first"]) / 2


EXERCISE_6 = Exercise(
    id="04.6",
    form=Function("half_width(m, pool)", lambda d: [(m, d.pool) for m in (1, 4, 16)]),
    answer=half_width,
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
    hints=[
        "sr.average_of_m(pool, m) averages m files a thousand times; leave its seed alone.",
        'sr.quartiles(...).risk has the entries "first" and "third".',
    ],
    code="""box = sr.quartiles(sr.average_of_m(pool, m)).risk
return (box["third"] - box["first"]) / 2""",
    words=lambda d: (
        "For m = 1, 4 and 16 it gives "
        f"{half_width(1, d.pool):.4f}, {half_width(4, d.pool):.4f} and "
        f"{half_width(16, d.pool):.4f}: about a half and a quarter of the first. It falls with the "
        "square root of m."
    ),
)


# 04.7 decide
def hides_nobody(d, number):
    """Say whether ignoring what was synthesized still finds more than half of all units."""
    results = results_of(d, number)
    return results.floor.max() > results.confidential.max() / 2


# What to say to each choice and reason; the numbers are those of the scenarios.
VERDICTS = {
    ("1", "most useful"): "Its pMSE × 1,000 is the lowest, {cost[1]}. But expenditure stays as it "
    "was: even whoever ignores the income and knows the exact expenditure is right {exact} times.",
    ("1", "safest"): "It is the riskiest: {risk[1]}, or {back[1]} if the intruder falls back where "
    "nobody matches; scenario 4 has {risk[4]}, or {back[4]}.",
    ("1", "bargain"): "Nothing is bought here yet: the risk is {risk[1]}, or {back[1]} if the "
    "intruder falls back where nobody matches; in scenario 3 it is {risk[3]}, or {back[3]}.",
    ("2", "most useful"): "Scenarios 1 and 3 are more useful: {cost[1]} and {cost[3]}, against "
    "{cost[2]}.",
    ("2", "safest"): "Scenarios 3 and 4 are safer: {risk[3]} and {risk[4]}, against {risk[2]}. If "
    "the intruder falls back where nobody matches: {back[3]} and {back[4]}, against {back[2]}.",
    ("2", "bargain"): "Scenario 3 beats it on both counts: a risk of {risk[3]} against {risk[2]}, "
    "and a pMSE × 1,000 of {cost[3]} against {cost[2]}.",
    ("3", "most useful"): "By pMSE × 1,000 scenario 1 is more useful: {cost[1]} against {cost[3]}.",
    ("3", "safest"): "Scenario 4 is safer: {risk[4]} against {risk[3]}.",
    (
        "3",
        "bargain",
    ): "The risk falls from {risk[1]} to {risk[3]}; if the intruder falls back where "
    "nobody matches, from {back[1]} (floor {floor[1]}) to {back[3]} (floor {floor[3]}). pMSE × "
    "1,000 rises from {cost[1]} to {cost[3]}. Say for which intruder and radius you report it, and "
    "what users can no longer study.",
    ("4", "most useful"): "It is the least useful: a pMSE × 1,000 of {cost[4]}.",
    ("4", "safest"): "The risk is {risk[4]}, or {back[4]} if the intruder falls back where nobody "
    "matches (floor {floor[4]}); in scenario 3 it is {risk[3]}, or {back[3]} (floor {floor[3]}). "
    "The price: pMSE × 1,000 is {cost[4]} instead of {cost[3]}.",
    ("4", "bargain"): "After scenario 3 it costs much: the risk falls from {risk[3]} to {risk[4]}, "
    "but pMSE × 1,000 rises from {cost[3]} to {cost[4]}, almost three times as much.",
}


def defensible(d):
    """List the choices that can be defended, each with its reason."""
    risk = {number: mean_risk(d, number) for number in SCENARIOS}
    cost = {number: mean_pmse(d, number) for number in SCENARIOS}
    pairs = {(min(cost, key=cost.get), "most useful"), (min(risk, key=risk.get), "safest")}
    if risk["3"] < risk["2"] and cost["3"] < cost["2"]:
        pairs.add(("3", "bargain"))
    return {(number, reason) for number, reason in pairs if not hides_nobody(d, number)}


def decide(d):
    """What speaks for and against each scenario, with the numbers."""
    numbers = {
        "risk": {int(n): f"{mean_risk(d, n):,.0f}" for n in SCENARIOS},
        "cost": {int(n): f"{mean_pmse(d, n):.2f}" for n in SCENARIOS},
        "back": {int(n): f"{mean_risk(d, n, column='falling_back'):,.0f}" for n in SCENARIOS},
        "floor": {int(n): f"{mean_risk(d, n, column='floor'):,.0f}" for n in SCENARIOS},
        "exact": f"{results_of(d, '1').floor.max():,.0f}",
    }
    good = defensible(d)
    return {pair: (pair in good, words.format(**numbers)) for pair, words in VERDICTS.items()}


EXERCISE_7 = Exercise(
    id="04.7",
    form=Choice(
        {number: name.replace("+", ", ") for number, name in SCENARIOS.items()},
        {
            "safest": "the risk is the lowest of the four",
            "most useful": "pMSE is the lowest of the four",
            "bargain": "much risk goes for little usefulness",
        },
    ),
    answer=decide,
    hints=[
        "Section 6 has a table of all; which row is lowest in which column?",
        "What has an intruder who falls back where nobody matches? Look at that column, too.",
        "Is there a scenario that another one beats on both counts?",
    ],
    code='answer = ("3", "bargain")',
    words=lambda d: f"Two can be defended, 3 and 4. For 3: {decide(d)['3', 'bargain'][1]}",
)


EXERCISES = [EXERCISE_1, EXERCISE_2, EXERCISE_3, EXERCISE_4, EXERCISE_5, EXERCISE_6, EXERCISE_7]

PANELS = [
    LessonPanel(
        "scenario",
        "What is synthesized",
        "Risk against the radius in four scenarios, and with m files.",
        lambda d: examples.scenario_panel(
            load_results("ce_releases"), load_results("ce_scenarios")
        ),
        offers={"m": [1, 5, 20]},
    ),
    LessonPanel(
        "release",
        "Which file to release?",
        "Every dot is a file: its risk and its usefulness.",
        lambda d: examples.release_panel(load_results("ce_releases")),
    ),
    LessonPanel(
        "pool",
        "One file, or the average of several?",
        "How much does chance matter when m files are released?",
        lambda d: examples.pool_panel(d.pool, d.together, beside(d)),
    ),
]
