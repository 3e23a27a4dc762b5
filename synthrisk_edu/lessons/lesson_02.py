"""Lesson 02: ranges around a number, and the radius to report."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.classroom.engine import Exercise, LessonPanel, draw_until
from synthrisk_edu.classroom.forms import Choice, Function, Names, Numbers
from synthrisk_edu.data import in_words, load_ce
from synthrisk_edu.match import floor, match
from synthrisk_edu.sweep import radius_sweep
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.widgets import radius as panels
from synthrisk_edu.words import listing, say

TITLE = "Radius illustrations"

UNITS = "Ana Bob Cleo Dan Eva Finn Gus Hal Ida".split()
RADII = [0.01, 0.05, 0.1, 0.2, 0.3, 0.5]
GRID = [0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]  # of the surface
FIXED = {"Age": 0.1}
NUMBERS = ["Income", "Expenditure"]
BOTH = NUMBERS[::-1]  # the order in which the lesson matches and redraws them


def data(seed=None):
    """Make the nine units of case 3 and the whole file: the lesson's own, or a sample of it."""
    ce, known = in_words(load_ce(), "ce"), ["Age", "Urban", "Marital"]
    income = [50, 38, 45, 62, 57, 20, 30, 75, 90], [46, 41, 52, 55, 59, 22, 33, 68, 80]
    expenditure = [10, 8, 12, 11, 14, 6, 7, 16, 18], [9, 8.5, 11, 11.5, 14, 5, 7, 13, 17]
    true, synthetic = (
        pd.DataFrame(dict(zip(NUMBERS, columns, strict=True)), index=UNITS)
        for columns in zip(income, expenditure, strict=True)
    )
    if seed is not None:
        rng = checks.generator(seed)
        synthetic = own_nine(true, rng).synthetic
        ce = ce.iloc[np.sort(rng.choice(len(ce), 3000, replace=False))].reset_index(drop=True)
    released = redraw(ce, BOTH, given=NUMBERS, seed=1 if seed is None else seed)
    tables = {"true": true, "synthetic": synthetic, "ce": ce, "released": released, "known": known}
    return tables | dict(zip(["village", "published"], sixty(ce, released), strict=True))


def own_nine(true, rng):
    """Draw other synthetic values for the nine units."""
    return draw_until(lambda: nine_units(true, rng), is_telling)


def nine_units(true, rng):
    """Move every value by up to a quarter or so; incomes are whole, expenditures halves."""
    synthetic = (true * rng.uniform(0.75, 1.3, true.shape)).round({"Income": 0})
    synthetic["Expenditure"] = (2 * synthetic.Expenditure).round() / 2
    return SimpleNamespace(true=true, synthetic=synthetic)


def is_telling(d):
    """Somebody is to be named in 02.1 and 02.3, and Ana has a candidate in 02.2."""
    candidates = d.synthetic.Income.between(45, 55)
    return bool(fail_on(d.synthetic, 1)) and bool(differ(d)) and candidates.any()


def sixty(*files):
    """Take the first sixty units whose incomes and expenditures are ordinary in both files."""
    fits = [file.Income.between(1, 150_000) & file.Expenditure.between(1, 30_000) for file in files]
    few = fits[0].index[fits[0] & fits[1]][:60]
    return [file.loc[few].reset_index(drop=True) for file in files]


# 02.1 on one side
def inside(values):
    """Say for every unit and variable whether the value is in Ana's range, r = 20 %."""
    centre = pd.Series({"Income": 50, "Expenditure": 10})
    return (values - centre).abs() <= 0.2 * centre * (1 + 1e-9)


def fail_on(values, number):
    """Name the units that are outside on so many of the two variables."""
    return [name for name, out in (~inside(values)).sum(axis=1).items() if out == number]


EXERCISE_1 = Exercise(
    id="02.1",
    form=Names(),
    answer=lambda d: fail_on(d.synthetic, 1),
    mistakes={
        "These are the candidates: inside on both.": lambda d: fail_on(d.synthetic, 0),
        "These are outside on both variables.": lambda d: fail_on(d.synthetic, 2),
        "You looked at the others' true values; the intruder sees the synthetic ones.": (
            lambda d: fail_on(d.true, 1)
        ),
    },
    hints=[
        "Ana's ranges are 40 to 60 for income and 8 to 12 for expenditure, ends included.",
        "Go through mine.synthetic, and count for each unit how many of the two are outside.",
    ],
    code="""outside = (mine.synthetic - [50, 10]).abs() > [10, 2]
answer = outside.index[outside.sum(axis=1) == 1]""",
    words=lambda d: (
        f"Exactly one variable is outside for {listing(fail_on(d.synthetic, 1))}, and one is "
        "enough to be no candidate."
    ),
)


# 02.2 at 10 %
def ana(d, r, **how):
    """Return c and T of Ana by her income."""
    return match(d.true, d.synthetic, [], ["Income"], r, **how).records.loc["Ana", ["c", "T"]]


def bob_at_40(d, bounds):
    """Return c of Ana at r = 20 % if Bob's synthetic income were 40, on the bound."""
    changed = d.synthetic.assign(Income=d.synthetic.Income.mask(d.synthetic.index == "Bob", 40))
    return match(d.true, changed, [], ["Income"], 0.2, bounds=bounds).records.c["Ana"]


EXERCISE_2 = Exercise(
    id="02.2",
    form=Numbers("c", "T", "c_open"),
    answer=lambda d: {**ana(d, 0.1), "c_open": bob_at_40(d, "open")},
    mistakes={
        "You counted the open range; here the ends belong to it.": (
            lambda d: ana(d, 0.1, bounds="open")
        ),
        "Your range is 10 % wide in all; the radius goes 10 % to either side.": (
            lambda d: ana(d, 0.05)
        ),
        "You went 10 to either side; that is r = 20 % of 50.": lambda d: ana(d, 0.2),
        "Look again at T: is Ana's own synthetic income in the range?": (
            lambda d: {"T": 1 - ana(d, 0.1)["T"]}
        ),
        "In c_open you counted Bob, who sits on the bound; an open range ends before it.": (
            lambda d: {"c_open": bob_at_40(d, "closed")}
        ),
    },
    hints=[
        "The half-width is 10 % of the true income, 50.",
        "Both ends belong to the range; T asks about Ana's own synthetic income.",
    ],
    code="""found = sr.match(mine.true, mine.synthetic, [], ["Income"], radius=0.1)
changed = mine.synthetic.copy()
changed.loc["Bob", "Income"] = 40
at_20 = sr.match(mine.true, changed, [], ["Income"], radius=0.2, bounds="open")
answer = [*found.records.loc["Ana", ["c", "T"]], at_20.records.c["Ana"]]""",
    words=lambda d: (
        f"From 45 to 55, ends included, there are c = {ana(d, 0.1).c} records, and "
        f"T = {ana(d, 0.1)['T']}. Between 40 and 60, without the ends and so without Bob, "
        f"there are {bob_at_40(d, 'open')}."
    ),
)


# 02.3 absolute
def differ(d, column="c"):
    """Name the units that differ if r is 20 % of the value, or 10 whatever the value."""
    relative = match(d.true, d.synthetic, [], ["Income"], 0.2).records
    absolute = match(d.true, d.synthetic, [], ["Income"], 10, relative=False).records
    return list(relative.index[relative[column] != absolute[column]])


EXERCISE_3 = Exercise(
    id="02.3",
    form=Names(),
    answer=differ,
    mistakes={
        "All these have another range, but another range may hold as many records.": (
            lambda d: UNITS[1:]
        ),
        "You compared the risks; the question is about c.": lambda d: differ(d, "risk"),
        "These are the ones for whom c is the same.": (
            lambda d: [name for name in UNITS if name not in differ(d)]
        ),
    },
    hints=[
        "relative=False makes the radius a half-width in the variable's own unit.",
        "Compare the two columns c with !=, and take the names where they differ.",
    ],
    code="""relative = sr.match(mine.true, mine.synthetic, [], ["Income"], 0.2).records
absolute = sr.match(mine.true, mine.synthetic, [], ["Income"], 10, relative=False).records
answer = relative.index[relative.c != absolute.c]""",
    words=lambda d: (
        f"c changes for {listing(differ(d))}. For Ana both half-widths are 10; for small "
        "incomes 20 % is less than 10, for large ones more, so others come in or drop out."
    ),
)


# 02.4 count one
def c_one(x_i, x_star, r):
    """Count x* with |x* − x| ≤ r·|x|, both ends included."""
    half_width = r * abs(x_i) * (1 + 1e-9)  # with the slack of section 8, for values on the bound
    return (abs(x_star - x_i) <= half_width).sum()


def count_cases(d):
    """Incomes of the file, and small tables with zero, a loss, and values on the ends."""
    # A quarter and a half are exact in a computer, so no rounding decides a tie here.
    incomes = d.released.Income.head(60)
    small = pd.Series([40, 60, 50, 30, 70, 0, 0, -40, -60, -30])
    targets = [(x, small, r) for x in (40, 0, -40) for r in (0.25, 0.5)]
    return [*targets, *((x, incomes, 0.25) for x in d.ce.Income.head(5))]


EXERCISE_4 = Exercise(
    id="02.4",
    form=Function("c_one(x_i, x_star, r)", count_cases),
    answer=c_one,
    mistakes={
        "You counted the open range: a value on the bound belongs to it.": (
            lambda x_i, x_star, r: (abs(x_star - x_i) < r * abs(x_i)).sum()
        ),
        "Try a negative income: the half-width is r·|x|, with the bars.": (
            lambda x_i, x_star, r: (abs(x_star - x_i) <= r * x_i * (1 + 1e-9)).sum()
        ),
        "You took r itself as the half-width; it is a share of |x|.": (
            lambda x_i, x_star, r: (abs(x_star - x_i) <= r).sum()
        ),
        "You laid the range around the candidate; it lies around the target x_i.": (
            lambda x_i, x_star, r: (abs(x_star - x_i) <= r * abs(x_star) * (1 + 1e-9)).sum()
        ),
        "Your range is r wide in all; the half-width r·|x| goes to either side.": (
            lambda x_i, x_star, r: c_one(x_i, x_star, r / 2)
        ),
        "You return the column of True and False; .sum() counts the True.": (
            lambda x_i, x_star, r: abs(x_star - x_i) <= r * abs(x_i)
        ),
        "You looked on one side only; the range goes both ways.": (
            lambda x_i, x_star, r: c_one(x_i, x_star[x_star >= x_i], r)
        ),
    },
    hints=[
        "x_star is a column: x_star - x_i is the column of differences, abs() their size.",
        "A comparison gives a column of True and False, and .sum() counts the True.",
    ],
    words=lambda d: (
        "A value on the bound counts, and the half-width r·|x| is the same above and below, for a "
        "loss as well. Around 0 it is 0: only another 0 counts."
    ),
)


# 02.5 what to report
def sweep_of(d, synthesized=("Income",), fixed=FIXED):
    """Sweep over the radius; age within 10 %, urban and marital status are known."""
    return radius_sweep(d.ce, [d.released], d.known, list(synthesized), RADII, fixed=fixed)


def at_top(sweep, column="expected_match_risk"):
    """Return the radius where a column is highest, and the expected match risk there."""
    row = sweep[column].idxmax()
    return {"radius": sweep.radius[row], "risk": sweep.expected_match_risk[row]}


EXERCISE_5 = Exercise(
    id="02.5",
    form=Numbers("radius", "risk", digits=2),
    answer=lambda d: at_top(sweep_of(d)),
    mistakes={
        "You matched on expenditure as well; leave it out.": lambda d: at_top(sweep_of(d, NUMBERS)),
        "You matched age exactly; fixed= keeps its radius at 10 %.": (
            lambda d: at_top(sweep_of(d, fixed=None))
        ),
        "There the true match rate is highest; report where the expected match risk is.": (
            lambda d: at_top(sweep_of(d), "true_match_rate")
        ),
        "With both numbers, in section 5, that was the top; here the intruder has income alone.": (
            lambda d: {"radius": at_top(sweep_of(d, NUMBERS))["radius"]}
        ),
        "The largest radius is not the riskiest: look down the whole column.": (
            lambda d: at_top(sweep_of(d), "radius")
        ),
    },
    hints=[
        f"Sweep over the radii {RADII} as in section 5, with one synthesized variable.",
        "sr.maximizing_radius(sweep) is the radius; the risk stands in its row.",
    ],
    code=f"""radii = {RADII}
sweep = sr.radius_sweep(
    mine.ce, [mine.released], mine.known, ["Income"], radii, fixed={{"Age": 0.1}}
)
best = sr.maximizing_radius(sweep)
answer = [best, sweep.expected_match_risk[sweep.radius == best].item()]""",
    words=lambda d: (
        f"The hill has its top at {100 * at_top(sweep_of(d))['radius']:.0f} %, with an expected "
        f"match risk of {say(at_top(sweep_of(d))['risk'])}; the next highest of the six is "
        f"{say(sweep_of(d).expected_match_risk.nlargest(2).iloc[-1])}."
    ),
)


# 02.6 decide

# What to say to each choice and reason, and which of them can be defended.
VERDICTS = {
    ("5 %", "this intruder"): "It is honest about this one, but you overlook that a vaguer "
    "intruder does better: the expected match risk is {both}.",
    ("5 %", "most risk"): "Read the sweep again: the expected match risk is {both}.",
    ("maximum", "most risk"): "No radius of the grid shows more: the expected match risk is "
    "{both}. The intruder described is then one of many, and a reader may ask for that number as "
    "well.",
    ("maximum", "this intruder"): "This intruder has both numbers within 5 %: the reason belongs "
    "to another choice. The expected match risk is {both}.",
    ("both", "this intruder"): "Report {both}: the first for the intruder you have heard of, the "
    "second as the bound.",
    ("both", "most risk"): "Report {both}: the second is the bound, the first shows how far "
    "the intruder you have heard of is from it.",
    ("smallest", "this intruder"): "The intruder is not that exact: the expected match risk is "
    "{least}, but {both}.",
    ("smallest", "most risk"): "It shows the least: the expected match risk is {least}, but "
    "{both}.",
}
GOOD = {("maximum", "most risk"), ("both", "this intruder"), ("both", "most risk")}


def decide(d):
    """What speaks for and against each report, with the numbers."""
    risk = sweep_of(d, NUMBERS).set_index("radius").expected_match_risk
    at = {r: f"{risk[r]:,.0f} at {100 * r:.0f} %" for r in RADII}
    numbers = {"both": f"{at[0.05]} and {at[risk.idxmax()]}", "least": at[risk.idxmin()]}
    return {pair: (pair in GOOD, words.format(**numbers)) for pair, words in VERDICTS.items()}


EXERCISE_6 = Exercise(
    id="02.6",
    form=Choice(
        {
            "5 %": "the risk at 5 % alone",
            "maximum": "the risk at the maximizing radius alone",
            "both": "both, beside the sweep",
            "smallest": "the risk at the smallest radius of the grid",
        },
        {
            "this intruder": "it describes the intruder we have heard of",
            "most risk": "no other radius of the grid shows more risk",
        },
    ),
    answer=decide,
    hints=[
        "Look at the sweep of section 5: who does better, the exact intruder or a vaguer one?",
        "A report is for more than one intruder.",
    ],
    code='answer = ("both", "this intruder")',
    words=lambda d: f"For instance both. {decide(d)['both', 'this intruder'][1]}",
)


EXERCISES = [EXERCISE_1, EXERCISE_2, EXERCISE_3, EXERCISE_4, EXERCISE_5, EXERCISE_6]


def surface(d, file):
    """The expected match risk of a file over two radii."""
    return radius_sweep(d.ce, [file], d.known, BOTH, dict.fromkeys(BOTH, GRID), fixed=FIXED)


TENS = range(0, 61, 10)  # per cent, for the website

PANELS = [
    LessonPanel(
        "interval",
        "One variable",
        "Who is a candidate when incomes need only be near?",
        lambda d: panels.interval_panel(d.village, d.published, "Income"),
        offers={"target": range(0, 60, 10), "r": range(0, 61, 2)},
    ),
    LessonPanel(
        "box",
        "Two variables",
        "A box or an ellipse around the target, with or without a category.",
        lambda d: panels.box_panel(d.village, d.published, *NUMBERS, "Tenure"),
        offers={"target": [0, 20, 40], "percent_x": TENS, "percent_y": TENS},
    ),
    LessonPanel(
        "sweep",
        "The radius to report",
        "The risk of the file and of one record against the radius.",
        lambda d: panels.sweep_panel(d.ce, d.released, d.known, BOTH, fixed=FIXED, target=5),
    ),
    LessonPanel(
        "surface",
        "One radius for each variable",
        "A map of the risk over two radii: where is its top?",
        lambda d: panels.surface_panel(
            surface(d, d.released), surface(d, d.ce), floor(d.ce, d.known, FIXED)
        ),
    ),
]
