"""Lesson 02: ranges around a number, and the radius to report."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_classroom.dora import Dora
from synthrisk_classroom.exercise import exercise, recall
from synthrisk_classroom.forms import Choice, Estimate, Function, Names, Numbers, OneOf, Table
from synthrisk_classroom.lesson import draw_until, tells_apart
from synthrisk_classroom.prediction import prediction
from synthrisk_edu.data import in_words, load_ce
from synthrisk_edu.matching import baseline, floor, match
from synthrisk_edu.sweep import radius_sweep
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.words import counted, listing, rounded, say

TITLE = "Radius illustrations"

UNITS = "Ana Bob Cleo Dan Eva Finn Gus Hal Ida".split()
RADII = [0.01, 0.05, 0.1, 0.2, 0.3, 0.5]
FEWER = [0.01, 0.05, 0.15, 0.4]  # of 02.5: one of them is clearly the highest, whatever the file
BOTH = ["Income", "Expenditure"]


def data(seed=None):
    """Make the nine units of case 3 and the whole file: the lesson's own, or a sample of it."""
    ce = in_words(load_ce(), "ce")
    income = [50, 38, 45, 62, 57, 20, 30, 75, 90], [46, 41, 52, 55, 59, 22, 33, 68, 80]
    expenditure = [10, 8, 12, 11, 14, 6, 7, 16, 18], [9, 8.5, 11, 11.5, 14, 5, 7, 13, 17]
    true, synthetic = (
        pd.DataFrame(dict(zip(BOTH, columns, strict=True)), index=UNITS)
        for columns in zip(income, expenditure, strict=True)
    )
    if seed is not None:
        rng = np.random.default_rng(seed)
        synthetic = draw_until(lambda: nine_units(true, rng), is_telling).synthetic
        ce = ce.iloc[np.sort(rng.choice(len(ce), 3000, replace=False))].reset_index(drop=True)
    released = redraw(ce, BOTH[::-1], given=BOTH, seed=1 if seed is None else seed)
    village, published = sixty(ce, released)
    return {
        "true": true,
        "synthetic": synthetic,
        "ce": ce,
        "released": released,
        "known": ["Age", "Urban", "Marital"],
        "village": village,
        "published": published,
    }


def nine_units(true, rng):
    """Move every value by up to a quarter or so; incomes are whole, expenditures halves."""
    synthetic = (true * rng.uniform(0.75, 1.3, true.shape)).round({"Income": 0})
    synthetic["Expenditure"] = (2 * synthetic.Expenditure).round() / 2
    return SimpleNamespace(true=true, synthetic=synthetic)


def is_telling(d):
    """Somebody is to be named in 02.1 and 02.3, and no mistake gives the right answer."""
    return bool(outside(d)) and bool(differ(d)) and tells_apart(d, "02.1", "02.2", "02.3")


def sixty(*files):
    """Take the first sixty units whose incomes and expenditures are ordinary in both files."""
    fits = [file.Income.between(1, 150_000) & file.Expenditure.between(1, 30_000) for file in files]
    few = fits[0].index[fits[0] & fits[1]][:60]
    return [file.loc[few].reset_index(drop=True) for file in files]


# Dora: a widow of 58 in the country
DORA = "ce", 2146
LIKE = {"Marital": "widowed", "Urban": "rural", "Age": 58}


def dora(d):
    """What the redrawn incomes and expenditures do to her double, at the radius to report."""
    row, age, radius = DORA[1], {"Age": 0.1}, {"Age": 0.1, "Income": 0.2, "Expenditure": 0.2}
    at_20 = match(d.ce, d.released, d.known, BOTH, radius)
    c, hit, risk = at_20.records.loc[row, ["c", "T", "risk"]]
    exact = match(d.ce, d.released, d.known, BOTH, age).records.c[row]
    own = baseline(d.ce, d.known, BOTH, radius).records.risk[row]
    alone = floor(d.ce, d.known, age).records.risk[row]
    true, new = (file.loc[row, BOTH] for file in (d.ce, d.released))
    words = (
        f"Her income of {rounded(true.Income)} became {rounded(new.Income)}, her expenditure of "
        f"{rounded(true.Expenditure)} became {rounded(new.Expenditure)}. Whoever asks for the "
        f"exact amounts finds {counted(exact, 'record', 'records') if exact else 'nobody'}. At "
        f"r = 20 % the risk is {say(risk)}; in the confidential file it is {say(own)}, and an "
        f"intruder who ignores both amounts has {rounded(alone)}, the floor."
    )
    return Dora("incomes and expenditures redrawn, r = 20 %", c, hit, risk, words)


# Recall: lesson 01
LESSON_01 = "01_matching_approach"

recall(
    "02.r1",
    {"a": "1/2", "b": "1", "c": "0"},
    "c",
    "With T = 0 the true record is not among the candidates: whichever of the two the intruder "
    "points at, it is somebody else's.",
    (LESSON_01, "1. One person"),
)
recall(
    "02.r2",
    {
        "a": "yes: a unique match is more often somebody else's",
        "b": "no: any higher rate means more risk",
        "c": "no: more persons are matched uniquely",
    },
    "a",
    "Of the three summaries it is the only one that one wants to be high: the intruder cannot "
    "trust a unique match.",
    (LESSON_01, "3. Three numbers for the whole file"),
)
recall(
    "02.r3",
    {
        "a": "it falls, as the risk of the file does",
        "b": "it stays, because that intruder does not look at the synthesized values",
        "c": "it rises towards the baseline",
    },
    "b",
    "That intruder looks only at what was not synthesized, and nothing has changed there. A "
    "release may even lie below the floor, because its intruder gives up where nobody matches.",
    (LESSON_01, "4. Compared with what? The baseline and the floor"),
)


# 02.0 five cases by hand
CASES = {  # what Ana's record became; what is matched on
    "case 1": ({}, ["Income"]),
    "case 2": ({"Income": 66}, ["Income"]),
    "case 3": ({}, BOTH),
    "case 4": ({"Expenditure": 13}, BOTH),
    "case 5": ({}, [*BOTH, "Tenure"]),
}


def as_case(r, others):
    """Count some cases as if they were others."""
    counts = r.copy()
    for case, other in others.items():
        counts.loc[case] = r.loc[other]
    return counts


@exercise(
    "02.0",
    Table(),
    story=True,
    hints=[
        "The range is 40 to 60 for income and 8 to 12 for expenditure, both ends included.",
        'A line such as by_hand.loc["case 1"] = 3, 0 would say that c = 3 and T = 0 in case 1.',
    ],
    mistakes={
        "In case 3 a candidate must be inside on both variables: look at Eva.": (
            lambda d, r: as_case(r, {"case 3": "case 1"})
        ),
        "In cases 3 and 4 a candidate must be inside on both variables: look at Eva.": (
            lambda d, r: as_case(r, {"case 3": "case 1", "case 4": "case 2"})
        ),
        "In case 5 a candidate must own a home as well: look at Cleo.": (
            lambda d, r: as_case(r, {"case 5": "case 3"})
        ),
        "T asks whether Ana's own synthetic record is inside: look at cases 2 and 4.": (
            lambda d, r: r.assign(T=1)
        ),
    },
    code="""cases = {
    "case 1": (case_1, ["Income"]),
    "case 2": (case_2, ["Income"]),
    "case 3": (case_3, both),
    "case 4": (case_4, both),
    "case 5": (case_5, [*both, "Tenure"]),
}
for name, (case, variables) in cases.items():
    found = sr.match(true.assign(Tenure="own"), case, [], variables, radius=0.2)
    by_hand.loc[name] = found.records.loc["Ana", ["c", "T"]]""",
    words=lambda d, r: (
        f"Ana is among her candidates in {listing(r.index[r['T'] == 1])}, because her own record "
        f"stays inside there. c is highest, {r.c.max()}, in {r.c.idxmax()}, because she is looked "
        "for by her income alone."
    ),
)
def five_cases(d, r=0.2):
    """C and T of Ana in each of the five cases."""
    true = d.true.assign(Tenure="own")
    tenure = ["own", "own", "rent", "own", *["rent"] * 5]
    counts = {}
    for case, (became, names) in CASES.items():
        synthetic = d.synthetic.assign(Tenure=tenure)
        for name, value in became.items():
            synthetic[name] = synthetic[name].mask(synthetic.index == "Ana", value)
        counts[case] = match(true, synthetic, [], names, r).records.loc["Ana", ["c", "T"]]
    return pd.DataFrame(counts).T.astype(int)


# 02.1 on one side
@exercise(
    "02.1",
    Names(),
    hints=[
        "Ana's ranges are 40 to 60 for income and 8 to 12 for expenditure, ends included.",
        "Go through mine.synthetic, and count for each unit how many of the two are outside.",
    ],
    mistakes={
        "These are the candidates: inside on both.": {"times": 0},
        "These are outside on both variables.": {"times": 2},
        "You looked at the others' true values; the intruder sees the synthetic ones.": {
            "table": "true"
        },
    },
    code="""outside = (mine.synthetic - [50, 10]).abs() > [10, 2]
answer = outside.index[outside.sum(axis=1) == 1]""",
    words=lambda d, r: (
        f"Exactly one variable is outside for {listing(r)}. One is enough to be no candidate, "
        "because a candidate must be inside on both."
    ),
)
def outside(d, times=1, table="synthetic"):
    """Name the units that are outside Ana's ranges, at r = 20 %, on so many of the two."""
    out = ((getattr(d, table) - [50, 10]).abs() > [10, 2]).sum(axis=1)
    return list(out.index[out == times])


# 02.2 at 10 %
def ana(d, r=0.1, **how):
    """Return c and T of Ana by her income."""
    return match(d.true, d.synthetic, [], ["Income"], r, **how).records.loc["Ana", ["c", "T"]]


@exercise(
    "02.2",
    Numbers("c", "T", "c_open"),
    hints=[
        "The half-width is 10 % of the true income, 50.",
        "Both ends belong to the range; T asks about Ana's own synthetic income.",
    ],
    mistakes={
        "You counted the open range; here the ends belong to it.": (
            lambda d, r: ana(d, bounds="open")
        ),
        "Your range is 10 % wide in all; the radius goes 10 % to either side.": (
            lambda d, r: ana(d, 0.05)
        ),
        "You went 10 to either side; that is r = 20 % of 50.": lambda d, r: ana(d, 0.2),
        "Look again at T: is Ana's own synthetic income in the range?": (
            lambda d, r: {"T": 1 - r["T"]}
        ),
        "In c_open you counted Bob, who sits on the bound; an open range ends before it.": (
            lambda d, r: {"c_open": counts(d, "closed")["c_open"]}
        ),
    },
    code="""found = sr.match(mine.true, mine.synthetic, [], ["Income"], radius=0.1)
changed = mine.synthetic.copy()
changed.loc["Bob", "Income"] = 40
at_20 = sr.match(mine.true, changed, [], ["Income"], radius=0.2, bounds="open")
answer = [*found.records.loc["Ana", ["c", "T"]], at_20.records.c["Ana"]]""",
    words=lambda d, r: (
        f"From 45 to 55, ends included, there are c = {r['c']} records, and T = {r['T']}. Between "
        f"40 and 60, without the ends and so without Bob, there are {r['c_open']}."
    ),
    further=True,
)
def counts(d, bounds="open"):
    """Count Ana's c and T at 10 %, and c at 20 % if Bob's synthetic income were on the bound."""
    incomes = d.synthetic.Income.mask(d.synthetic.index == "Bob", 40)
    changed = SimpleNamespace(true=d.true, synthetic=incomes.to_frame())
    return {**ana(d), "c_open": ana(changed, 0.2, bounds=bounds).c}


# 02.3 absolute
@exercise(
    "02.3",
    Names(),
    hints=[
        "relative=False makes the radius a half-width in the variable's own unit.",
        "sr.match(…).records is a table with a column c: one for r = 20 %, one for 10 thousand.",
        "Compare the two columns c with !=, and take the names where they differ: "
        "relative.index[relative.c != absolute.c].",
    ],
    mistakes={
        "All these have another range, but another range may hold as many records.": (
            lambda d, r: UNITS[1:]
        ),
        "That is 10 % of each value; with relative=False 10 is the same for everybody.": {
            "radius": 0.1,
            "relative": True,
        },
        "These are the ones for whom c is the same.": lambda d, r: set(UNITS) - set(r),
    },
    code="""relative = sr.match(mine.true, mine.synthetic, [], ["Income"], 0.2).records
absolute = sr.match(mine.true, mine.synthetic, [], ["Income"], 10, relative=False).records
answer = relative.index[relative.c != absolute.c]""",
    words=lambda d, r: (
        f"c changes for {listing(r)}. For Ana both half-widths are 10; for small incomes 20 % is "
        "less than 10, for large ones more, so others come in or drop out."
    ),
    further=True,
)
def differ(d, radius=10, relative=False):
    """Name the units whose c differs if r is 20 % of the value, or 10 whatever the value."""
    share = match(d.true, d.synthetic, [], ["Income"], 0.2).records
    other = match(d.true, d.synthetic, [], ["Income"], radius, relative=relative).records
    return list(share.index[share.c != other.c])


# 02.4 count one
def count_cases(d):
    """Incomes of the file, and small tables with zero, a loss, and values on the ends."""
    # A quarter and a half are exact in a computer, so no rounding decides a tie here.
    incomes = d.released.Income.head(60)
    small = pd.Series([40, 60, 50, 30, 70, 0, 0, -40, -60, -30])
    targets = [(x, small, r) for x in (40, 0, -40) for r in (0.25, 0.5)]
    return [*targets, *((x, incomes, 0.25) for x in d.ce.Income.head(5))]


@exercise(
    "02.4",
    Function("c_one(x_i, x_star, r)", count_cases),
    hints=[
        "x_star is a column: x_star - x_i is the column of differences, abs() their size.",
        "A comparison gives a column of True and False, and .sum() counts the True.",
        "abs(x_star - x_i) <= … is one comparison. Two at once, a <= x_star <= b, do not work for "
        "a column.",
    ],
    mistakes={
        "You counted the open range: a value on the bound belongs to it.": (
            lambda x_i, x_star, r: (abs(x_star - x_i) < r * abs(x_i)).sum()
        ),
        "Try a negative income: the half-width is r·|x|, with the bars.": (
            lambda x_i, x_star, r: (abs(x_star - x_i) <= r * x_i).sum()
        ),
        "You took r itself as the half-width; it is a share of |x|.": (
            lambda x_i, x_star, r: (abs(x_star - x_i) <= r).sum()
        ),
        "You laid the range around the candidate; it lies around the target x_i.": (
            lambda x_i, x_star, r: (abs(x_star - x_i) <= r * abs(x_star)).sum()
        ),
        "Your range is r wide in all; the half-width r·|x| goes to either side.": (
            lambda x_i, x_star, r: c_one(x_i, x_star, r / 2)
        ),
        "You return the column of True and False; .sum() counts the True.": (
            lambda x_i, x_star, r: abs(x_star - x_i) <= r * abs(x_i)
        ),
        "You count all values with len(), True and False; .sum() counts the True.": (
            lambda x_i, x_star, r: len(x_star)
        ),
        "A value far below counts, too: take the size of the difference, abs().": (
            lambda x_i, x_star, r: (x_star - x_i <= r * abs(x_i)).sum()
        ),
        "Two things: a value far below counts here, too (take abs()), and R is r·|x|.": (
            lambda x_i, x_star, r: (x_star - x_i <= r * x_i).sum()
        ),
        "You looked on one side only; the range goes both ways.": (
            lambda x_i, x_star, r: c_one(x_i, x_star[x_star >= x_i], r)
        ),
    },
    words=lambda d, r: (
        "A value on the bound counts, and the half-width r·|x| is the same above and below, for a "
        "loss as well. Around 0 it is 0: only another 0 counts."
    ),
    further=True,
)
def c_one(x_i, x_star, r):
    """Count x* with |x* − x| ≤ r·|x|, both ends included."""
    half_width = r * abs(x_i) * (1 + 1e-9)  # the slack of further/02_ends, for the bound
    return (abs(x_star - x_i) <= half_width).sum()


# 02.5 what to report
def sweep_of(d, synthesized, age=0.1, radii=tuple(RADII)):
    """Sweep over the radius of what was synthesized; urban and marital status are known."""
    fixed = {"Age": age}
    return radius_sweep(d.ce, [d.released], d.known, list(synthesized), list(radii), fixed=fixed)


def second_highest(d):
    """Return the radius with the second highest expected match risk of the four, and that risk."""
    row = sweep_of(d, ["Income"], radii=FEWER).nlargest(2, "expected_match_risk").iloc[-1]
    return {"radius": row.radius, "risk": row.expected_match_risk}


def told_of_the_top(d, r):
    """Say how clear the top is, and that two radii beside it are no better than each other."""
    risk = sweep_of(d, ["Income"]).set_index("radius").expected_match_risk
    return (
        f"The expected match risk is highest at {100 * r.radius:.0f} %, {rounded(r.risk)}, and the "
        f"next highest of the four is {rounded(second_highest(d)['risk'])}: at a smaller radius "
        "few T are 1, and at a larger one c is large. Around its top the hill is flat. At 10 % the "
        f"risk is {rounded(risk[0.1])}, at 20 % {rounded(risk[0.2])}: which of these two is higher "
        "is luck, and another synthetic file may turn them round."
    )


@exercise(
    "02.5",
    Numbers("radius", "risk", digits=2, within={"risk": 0.5}),
    hints=[
        f"Sweep over the radii {FEWER} as section 5 does, with one synthesized variable.",
        'sr.radius_sweep(mine.ce, [mine.released], mine.known, ["Income"], radii, '
        'fixed={"Age": 0.1}) is the sweep.',
        "sr.maximizing_radius(sweep) is the radius; the risk stands in its row of the sweep.",
    ],
    mistakes={
        "That is the second highest of the four; compare all four.": (
            lambda d, r: second_highest(d)
        ),
        "You took the six radii of section 5; here they are 1, 5, 15 and 40 %.": {"radii": RADII},
        "You matched on expenditure as well; leave it out.": {"synthesized": BOTH},
        "You matched age exactly; fixed= keeps its radius at 10 %.": {"age": 0},
        "There the true match rate is highest; report where the expected match risk is.": {
            "highest": "true_match_rate"
        },
        "The largest radius is not the riskiest: look down the whole column.": {
            "highest": "radius"
        },
    },
    code=f"""radii = {FEWER}
sweep = sr.radius_sweep(
    mine.ce, [mine.released], mine.known, ["Income"], radii, fixed={{"Age": 0.1}}
)
best = sr.maximizing_radius(sweep)
answer = [best, sweep.expected_match_risk[sweep.radius == best].item()]""",
    words=told_of_the_top,
)
def reported(d, synthesized=("Income",), age=0.1, highest="expected_match_risk", radii=FEWER):
    """The radius where a column of the sweep is highest, and the expected match risk there."""
    sweep = sweep_of(d, synthesized, age, radii)
    top = sweep.loc[sweep[highest].idxmax(), ["radius", "expected_match_risk"]]
    return top.set_axis(["radius", "risk"])


# 02.6 decide

# What to say to each choice and reason, and which of them can be defended.
VERDICTS = {
    ("5 %", "this intruder"): "It is honest about this one, but you overlook that a wider search "
    "for the same two numbers does better, because more of the own records lie inside: the "
    "expected match risk is {both}.",
    ("5 %", "most risk"): "Read the sweep again: the expected match risk is {both}, because a "
    "narrow search misses most of the own records.",
    ("maximum", "most risk"): "No radius of the grid shows more: the expected match risk is "
    "{both}. Whoever searches in another way finds less, because either fewer own records are "
    "inside or more others. The intruder described is then one of many, and a reader may ask for "
    "that number as well.",
    ("maximum", "this intruder"): "This intruder searches within 5 %, so the reason belongs to "
    "another choice. The expected match risk is {both}.",
    ("both", "this intruder"): "Report {both}: the first because it is the intruder you have heard "
    "of, the second because no radius of the grid shows more.",
    ("both", "most risk"): "Report {both}: the second because no radius of the grid shows more, "
    "the first because it shows how far the intruder you have heard of is from it.",
    ("smallest", "this intruder"): "This intruder searches more widely: the expected match risk is "
    "{least}, but {both}.",
    ("smallest", "most risk"): "It shows the least, because so narrow a search misses nearly all "
    "own records: the expected match risk is {least}, but {both}.",
}
GOOD = {("maximum", "most risk"), ("both", "this intruder"), ("both", "most risk")}


@exercise(
    "02.6",
    Choice(
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
    hints=[
        "Look at the sweep of section 5: which search does better, a narrow one or a wider one?",
        "A report is for more than one intruder.",
    ],
    code='answer = ("both", "this intruder")',
    words=lambda d, r: f"For instance both. {r['both', 'this intruder'][1]}",
)
def decide(d):
    """What speaks for and against each report, with the numbers."""
    risk = sweep_of(d, BOTH).set_index("radius").expected_match_risk
    at = {r: f"{risk[r]:,.0f} at {100 * r:.0f} %" for r in RADII}
    numbers = {"both": f"{at[0.05]} and {at[risk.idxmax()]}", "least": at[risk.idxmin()]}
    return {pair: (pair in GOOD, words.format(**numbers)) for pair, words in VERDICTS.items()}


# 02.7 change one line
def both_inside(d):
    """Ana among the nine, and units of the file: who is inside at 20 %, variable by variable."""
    units = [(d.true.loc["Ana"], d.synthetic)]
    units += [(d.ce.loc[i, BOTH].astype(float), d.released[BOTH].head(200)) for i in (1, 2, 5)]
    return [((synthetic - x).abs() <= 0.2 * x.abs(),) for x, synthetic in units]


def told_of_one_is_enough(d, r):
    """Say what the change does to Ana, and to the whole file."""
    ana = match(d.true, d.synthetic, [], BOTH, 0.2).records.c["Ana"]
    parts = [match(d.ce, d.released, d.known, names, radius_of(names)).records for names in SETS]
    both, first, second = parts
    c, T = first.c + second.c - both.c, first["T"] | second["T"]  # in one range, or in the other
    risk = (T / c).where(c > 0, 0).sum()
    return (
        f"Ana has {r[0].sum():.0f} candidates in place of {ana}. In the whole file T is 1 for "
        f"{100 * T.mean():.0f} % of the units in place of {100 * both['T'].mean():.0f} %, but the "
        f"typical c is {c.median():.0f} in place of {both.c.median():.0f}. The expected match risk "
        f"goes from {both.risk.sum():,.0f} to {risk:,.0f}, because the crowd of new candidates "
        "outweighs the own records that come in."
    )


SETS = BOTH, BOTH[:1], BOTH[1:]


def radius_of(names):
    """20 % for these, and 10 % for age."""
    return dict.fromkeys(names, 0.2) | {"Age": 0.1}


@exercise(
    "02.7",
    Function("agree(inside)", both_inside),
    hints=[
        "Print a small one: pd.DataFrame([[True, True], [True, False], [False, False]]).",
        ".all(axis=1) asks for True in every column of a row. Which word asks for at least one?",
        ".any(axis=1) does. Or join the two columns by |; the word `or` cannot join columns.",
    ],
    mistakes={
        "That is the package's rule, inside on both; now one of the two is enough.": (
            lambda inside: inside.all(axis=1)
        ),
        "You ask for exactly one; who is inside on both is a candidate, too.": (
            lambda inside: inside.sum(axis=1) == 1
        ),
        "You went down the columns; axis=1 goes along each row.": lambda inside: inside.any(),
        "You return the number of candidates; return True or False for every record.": (
            lambda inside: inside.any(axis=1).sum()
        ),
        "You return how many of the two are inside; return True where it is at least one.": (
            lambda inside: inside.sum(axis=1)
        ),
        "You return the whole table; return one True or False for every record.": (
            lambda inside: inside
        ),
        "You look at income alone; either of the two may be the one.": (
            lambda inside: inside["Income"]
        ),
    },
    words=told_of_one_is_enough,
)
def agree(inside):
    """Say of every record whether it is inside on at least one of the two."""
    return inside.any(axis=1)


# ------------------------------------------------------------------ predicted before a panel
@prediction(
    "02.a",
    Estimate(near=0, within=2),
    "At r = 20 % target 14 (income 30,000) has 14 candidates. The range of target 5 (income "
    "100,000) is three times as wide. How many candidates are in it?",
    mistakes={
        "A range three times as wide need not hold three times as many.": (
            lambda panel, r: 3 * candidates_at_20(panel, 14)
        ),
        "That is as many as target 14 has.": {"target": 14},
    },
    words=lambda panel, r: (
        "The range is wide, but only a few of the sixty earn that much; many earn about 30,000. "
        "Take target 14 to compare."
    ),
    at={"target": 5, "r": 20, "relative": True},
)
def candidates_at_20(panel, target=5):
    """The number of candidates by income, at r = 20 %."""
    return int(panel.compute(target=target, r=20, relative=True).match.records.c[target])


@prediction(
    "02.b",
    OneOf(
        {
            "lower": "it falls",
            "same": "it stays 1/5",
            "half": "it becomes 1/2",
            "one": "it becomes 1",
        }
    ),
    "Target 42 has c = 5 and T = 1 at 30 % and 30 %. One other of the sixty lives without paying "
    "rent, as it does. The intruder asks for the same housing as well. What becomes of T/c?",
    mistakes={
        "More conditions leave fewer candidates, so the risk of those who stay rises.": (
            lambda panel, r: "lower"
        ),
        "Fewer candidates, and the own record is still one of them.": lambda panel, r: "same",
        "The other one must lie in the box as well, and does not.": lambda panel, r: "half",
    },
    words=lambda panel, r: (
        f"c falls from {int(of_42(panel, same=False).c)} to {int(of_42(panel).c)}: "
        "one more fact has singled it out, because nobody else in the box lives rent-free."
    ),
    at={"target": 42, "percent_x": 30, "percent_y": 30, "shape": "box", "same": True},
)
def risk_of_42(panel):
    """What becomes of the risk of target 42 when the housing must be the same."""
    risks = {1: "one", 1 / 2: "half", 1 / 5: "same"}
    return risks.get(of_42(panel).risk, "lower")


def of_42(panel, same=True):
    """c, T and risk of target 42, with the same housing or with any."""
    now = panel.compute(target=42, percent_x=30, percent_y=30, shape="box", same=same)
    return now.match.records.loc[42]


@prediction(
    "02.c",
    OneOf(
        {
            "rises": "it only rises",
            "falls": "it only falls",
            "hill": "it rises, then falls",
            "valley": "it falls, then rises",
        }
    ),
    "r grows from 0 to 60 %, for income and expenditure alike. What does the expected match risk "
    "of the whole file do?",
    mistakes={
        "More and more T turn to 1, but other records fill the ranges, too.": (
            lambda panel, r: "rises"
        ),
        "c can only grow, but T is 0 for most records at the beginning.": lambda panel, r: "falls",
        "It is the other way round.": lambda panel, r: "valley",
    },
    words=lambda panel, r: told_of_hill(panel),
    at={"percent": 60},
)
def shape_of_sweep(panel):
    """Where the risk of the file is highest and lowest: at the ends, or between."""
    risk = panel.compute(target=5, percent=60).path.risk
    if risk.is_monotonic_increasing:
        return "rises"
    if risk.is_monotonic_decreasing:
        return "falls"
    top = risk.idxmax()
    up, down = risk[:top], risk[top:]
    return "hill" if up.is_monotonic_increasing and down.is_monotonic_decreasing else "valley"


def told_of_hill(panel):
    """Say how high the hill is, and what it begins and ends with."""
    risk = panel.compute(target=5, percent=60).path.risk
    return (
        f"It is {rounded(risk.iloc[0])} at 0 %, {rounded(risk.max())} at "
        f"{say(100 * risk.idxmax())} % and {rounded(risk.iloc[-1])} at "
        f"{say(100 * risk.index[-1])} %: up, because own records come in; then down, because "
        "even more others do. Let r grow, and watch."
    )


@prediction(
    "02.d",
    Estimate(near=0.15),
    "With 20 % for both the risk is 1,069. If nobody asks for expenditure, it is 360. And with "
    "20 % for income and a wide 50 % for expenditure?",
    mistakes={
        "That is as if nobody asked for expenditure.": (lambda panel, r: 360),
        "That is with 20 % for both; a wider range takes in others.": {"expenditure": 0.2},
    },
    words=lambda panel, r: (
        f"Even a range of 50 % leaves out many others: {rounded(r)} is twice the 360 of "
        "an intruder who does not ask for expenditure."
    ),
    at={"first": 0.5, "second": 0.2},
)
def wide_expenditure(panel, expenditure=0.5, income=0.2):
    """The expected match risk of the synthetic file at two radii."""
    return panel.compute(first=expenditure, second=income).risks["synthetic"]
