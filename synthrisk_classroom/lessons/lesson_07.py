"""Lesson 07: fill slots, find unique-uniques, estimate r, count F, weigh, decide."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_classroom.dora import Dora
from synthrisk_classroom.exercise import exercise, recall
from synthrisk_classroom.forms import Choice, Estimate, Function, Names, Numbers, OneOf, Table
from synthrisk_classroom.lesson import draw_until, tells_apart
from synthrisk_classroom.prediction import Draw, prediction
from synthrisk_edu.data import load_households, load_results
from synthrisk_edu.households import (
    down_weights,
    flatten,
    population_counts,
    qi_names,
    qi_table,
    synthesize,
)
from synthrisk_edu.households.uniqueness import chance_right
from synthrisk_edu.words import listing, rounded

TITLE = "Household risk"

STATE = "N1"  # the smallest state
PERSON = ["gender", "age", "education", "working"]
HOME = ["region", "state", "rural", "residents", "respondents"]
TOY = ["state", "age_1", "age_2"]
NAMES = "Ahn Bose Cruz Dutta Endo Falk Gil Hara Iyer Joshi".split()
FAMILIES = """N1 50s 50s, N1 60s 50s, N2 50s 50s, N1 70s, N1 60s, N2 80s, N2 60s 60s, N2 50s 50s,
N1 60s, N2 70s 60s"""
RELEASED = """N1 50s 50s, N1 60s 50s, N2 60s 60s, N1 60s, N1 60s, N1 70s, N1 60s 50s, N2 50s 50s,
N2 60s, N1 50s 60s"""
NEWCOMERS = [(2, 1, 49), (1, 1, 71), (2, 2, 52), (3, 1, 47)]
SIZES = [(1, 2, 1), (1, 1, 2), (1, 2, 2), (2, 1, 1), (1, 1, 1), (2, 1, 2)]  # of couples 1, 2, 3
TWO = qi_names(2)  # what an intruder knows who knows two persons of a household
RISKS = [np.nan, 0.3, 0.5, 0.62, 0.95, 1.0]


def data(seed=None):
    """Make the small tables, and the smallest state with its population and a synthesis.

    With a seed: other newcomers, families in another order, other π, λ̂ and r, and 700 households.
    """
    small = small_tables()
    persons, homes, population = small_state()
    if seed is not None:
        rng = np.random.default_rng(seed)
        small = draw_until(
            lambda: small_tables(rng), lambda d: tells_apart(d, "07.1", "07.2", "07.4", "07.8")
        )
        homes = homes.iloc[np.sort(rng.choice(len(homes), 700, replace=False))]
        persons = persons[persons.household.isin(homes.household)]
    wide = flatten(persons, homes.reset_index(drop=True), max_respondents=2)
    synthetic = synthesize(wide, seed=2023 if seed is None else seed)[0]
    return {
        **vars(small),
        "table": qi_table(wide, total=None),
        "synthetic": qi_table(synthetic, total=None),
        "population": population,
    }


def small_tables(rng=None):
    """Make what is counted by hand: the lesson's own, or with a generator other tables."""
    newcomers, names, released = NEWCOMERS, NAMES, toy(RELEASED)
    pi, expected, r = 0.2, 2.5, RISKS
    if rng is not None:
        newcomers = draw_newcomers(rng)
        names = rng.permutation(NAMES).tolist()
        released = released.iloc[rng.permutation(len(released))].reset_index(drop=True)
        pi, expected = rng.integers(5, 50) / 100, rng.integers(11, 60) / 10
        r = rng.permutation([np.nan, 0.5, *rng.integers(1, 100, 4) / 100])
    people = pd.DataFrame(newcomers, columns=["couple", "place", "age"])
    return SimpleNamespace(
        newcomers=people.assign(household=7)[["household", "couple", "place", "age"]],
        families=toy(FAMILIES).set_axis(names),
        released=released,
        toy_qis=TOY,
        pi=float(pi),
        expected=float(expected),
        r=pd.Series(r, index=NAMES[: len(r)], name="r"),
    )


def toy(families):
    """Read families written one after the other; a second age is missing where nobody has it."""
    rows = [(one.split() + [None])[:3] for one in families.split(",")]
    return pd.DataFrame(rows, columns=TOY)


def small_state():
    """Return the persons, households and population of the smallest state."""
    persons, homes, population = load_households()
    homes = homes[homes.state == STATE]
    persons = persons[persons.household.isin(homes.household)]
    population = population[population.state == STATE]
    persons = persons[["household", "couple", "place", *PERSON]]
    return persons, homes[["household", *HOME]], population.reset_index(drop=True)


def draw_newcomers(rng):
    """Draw a household of three couples, some of one person, and list its persons in no order."""
    sizes = SIZES[rng.integers(len(SIZES))]
    slots = [(couple, place) for couple, size in enumerate(sizes, 1) for place in (1, 2)[:size]]
    ages = rng.choice(np.arange(45, 85), len(slots), replace=False)
    return [(*slots[k], int(ages[k])) for k in rng.permutation(len(slots))]


# Dora's double lives alone in a town of the smallest state, and works
DORA = "table", 802
LIKE = {
    "gender_1": "female",
    "age_1": "55-59",
    "working_1": "yes",
    "rural": "urban",
    "residents": 1,
}


def dora(d):
    """How many synthetic households look like hers, and is she alone in the population?"""
    like_her = [cells(file, TWO) for file in (d.table, d.synthetic)]
    her = like_her[0][DORA[1]]
    f, c = (file.count(her) for file in like_her)
    F = population_counts(d.population, d.table, TWO).iloc[DORA[1]]
    found = f == 1 and c == 1
    words = (
        f"Households with her quasi-identifiers: {f} in the sample of {STATE}, {F:.0f} in its "
        f"population, {c} in the synthetic file. "
    )
    right = "certainly right" if F == 1 else f"right with a chance of 1/{F:.0f}"
    words += (
        f"She is SU-CU, and a match is {right}."
        if found
        else "So she is not SU-CU: an intruder who wants exactly one household does not find her. "
        f"In the true file a match would be {right}."
    )
    return Dora("the smallest state, households", c, float(found), found / F, words)


# What lesson 06 has taught
recall(
    "07.r1",
    {
        "a": "the marital status that stands in most rows of the file",
        "b": "the rows that agree with the person's keys, if they all give the same answer",
        "c": "the person's own row, if it is in the file",
    },
    "b",
    "No row is anybody's in fully synthetic data: an intruder believes rows that agree.",
    ("06_disco_walkthrough", "1. One person, twelve rows"),
)
recall(
    "07.r2",
    {
        "a": "be alone with one's keys in the original and in the synthetic file",
        "b": "have one's whole row copied into the synthetic file",
        "c": "be alone with one's keys in the population",
    },
    "a",
    "Alone in both files: that is repU. SU-CU is the same for households.",
    ("06_disco_walkthrough", "2. Five thousand persons"),
)
recall(
    "07.r3",
    {
        "a": "yes, always: synthetic data are made of the original",
        "b": "yes, if the synthesizer is CART",
        "c": "no: it can be above Dorig, and a plain guess can be right more often",
    },
    "c",
    "DiSCO is the success of one intruder, who believes only what looks certain.",
    ("06_disco_walkthrough", "DiSCO above Dorig"),
)


# 07.1 slots
FLAGS = ["Z_11", "Z_12", "Z_21", "Z_22", "Z_31", "Z_32"]


@exercise(
    "07.1",
    Numbers(*FLAGS, "age_2"),
    hints=[
        "Write down the slots (1, 1), (1, 2), (2, 1), …: is there a line with these two?",
        'The second respondent: mine.newcomers.sort_values(["couple", "place"]), second line.',
    ],
    mistakes={
        "You filled the slots from the left; a couple of one leaves its second slot empty.": (
            lambda d, r: {name: k < len(d.newcomers) for k, name in enumerate(FLAGS)}
        ),
        "You went through all first places first; the slots go couple by couple.": (
            lambda d, r: dict(zip(FLAGS, map(r.get, FLAGS[::2] + FLAGS[1::2]), strict=True))
        ),
        "That is slot (1, 2); the second respondent is the second person who is there.": (
            lambda d, r: {
                "age_2": d.newcomers.set_index(["couple", "place"]).age.get((1, 2), np.nan)
            }
        ),
        "That is the second line of the table; go by couple, then by place.": (
            lambda d, r: {"age_2": d.newcomers.age.iloc[1]}
        ),
        "You went by age; go by couple, then by place.": (
            lambda d, r: {"age_2": d.newcomers.age.sort_values().iloc[-2]}
        ),
    },
    code="""slots = set(zip(mine.newcomers.couple, mine.newcomers.place))
flags = [(couple, place) in slots for couple in (1, 2, 3) for place in (1, 2)]
answer = [*flags, mine.newcomers.sort_values(["couple", "place"]).age.iloc[1]]""",
    words=lambda d, r: (
        f"{len(d.newcomers)} flags are 1, one for each respondent: "
        f"{listing([name for name in FLAGS if r[name]])}. The second respondent "
        f"in the order of couple and place is {r['age_2']} years old: where a couple has one "
        "person, the next couple follows at once."
    ),
)
def slots_and_age(d):
    """The six flags, and the age of the second respondent."""
    wide = flatten(d.newcomers, pd.DataFrame({"household": [7]}))
    flags = {name: wide.iloc[0].get(f"present_{name[2]}_{name[3]}", 0) for name in FLAGS}
    known = qi_table(wide, household=[], person=["age"], total=None)
    return flags | {"age_2": known.age_2.iloc[0]}


# 07.2 and 07.3 unique in both
def cells(file, qis):
    """Return a tuple of QIs for each row; missing is a level like others."""
    known = file[qis].astype(object)
    return list(known.where(known.notna(), "nobody").itertuples(index=False, name=None))


def fitting(confidential, synthetic, qis, rule):
    """Say of each confidential row whether f and s, the rows like it in both files, fit a rule."""
    ours, theirs = cells(confidential, qis), cells(synthetic, qis)
    f, s = Counter(ours), Counter(theirs)
    return pd.DataFrame({"f": [f[one] for one in ours], "s": [s[one] for one in ours]}).eval(rule)


def counting(rule):
    """Make a function that counts the households whose f and s fit a rule."""
    return lambda *files_and_qis: fitting(*files_and_qis, rule).sum()


def in_the_same_row(confidential, synthetic, qis=TOY):
    """Compare row by row: row i of the one file with row i of the other."""
    pairs = zip(cells(confidential, qis), cells(synthetic, qis), strict=False)
    return [one == other for one, other in pairs]


@exercise(
    "07.2",
    Names(),
    hints=[
        "First strike out families that share all three QIs with another family.",
        "Of those left: whose QIs stand exactly once in mine.released, in whichever row?",
    ],
    mistakes={
        (
            "These are all whose QIs are somewhere in the synthetic file, also those that stand "
            "there, or in the confidential file, more than once."
        ): {"rule": "s > 0"},
        "These are the CU; how often are they in the other file?": {"rule": "f == 1"},
        "One of these stands twice in the synthetic file.": {"rule": "f == 1 and s > 0"},
        "Two of these share their QIs: they are no CU.": {"rule": "s == 1"},
        "You left out families without a second person; having none is a level, too.": (
            lambda d, r: [name for name in r if pd.notna(d.families.age_2[name])]
        ),
        "You forgot age_2, which is known, too.": {"qis": TOY[:2]},
        "You compared row by row; a synthetic row belongs to nobody: any will do.": (
            lambda d, r: d.families.index[in_the_same_row(d.families, d.released)]
        ),
    },
    code="""pairs = sr.households.unique_pairs(mine.families, mine.released, mine.toy_qis)
answer = mine.families.index[pairs.confidential]""",
    words=lambda d, r: (
        f"Once in each file stand {listing(r)}. {len(both_alone(d, 'f == 1'))} "
        "families are alone in the confidential file; the rest of these are not SU-CU, because the "
        "synthetic file has their QIs never, or more than once."
    ),
)
def both_alone(d, rule="f == 1 and s == 1", qis=TOY):
    """Name the families that stand once in each file."""
    return list(d.families.index[fitting(d.families, d.released, qis, rule)])


def without_missing(confidential, synthetic, qis):
    """Leave out households with a missing QI."""
    return unique_in_both(confidential.dropna(subset=qis), synthetic.dropna(subset=qis), qis)


def pair_cases(d):
    """The families, also fewer of them, and the state with three choices of QIs."""
    return [
        (d.families, d.released, TOY),
        (d.families.head(6), d.released, TOY),
        (d.families, d.released, ["age_2"]),
        *((d.table, d.synthetic, qis) for qis in (qi_names(1), TWO, ["residents", *TOY[1:]])),
    ]


@exercise(
    "07.3",
    Function("unique_in_both(confidential, synthetic, qis)", pair_cases),
    hints=[
        "table.duplicated(keep=False) marks all rows that are not alone. Keep the others.",
        "What is alone in both: ours.merge(theirs) joins rows that agree in every column, "
        "and takes missing for equal to missing.",
    ],
    mistakes={
        "Households with a missing QI get lost; missing is a level.": without_missing,
        "You count all in both files; are they alone in each of them?": counting("s > 0"),
        "You count combinations that both files have; count who is alone.": (
            lambda ours, theirs, qis: len(set(cells(ours, qis)) & set(cells(theirs, qis)))
        ),
        "These are CU, but there may be several synthetic ones.": counting("f == 1 and s > 0"),
        "These are SU, but there may be several confidential ones.": counting("s == 1"),
        "These are the CU; where does the synthetic file come in?": counting("f == 1"),
        "You compare row i with row i; look for the same QIs in any row.": (
            lambda *files_and_qis: sum(in_the_same_row(*files_and_qis))
        ),
    },
    words=lambda d, r: (
        f"It gives {unique_in_both(d.families, d.released, TOY)} for the families and "
        f"{unique_in_both(d.table, d.synthetic, TWO)} for the state; without the "
        "households that miss a second person it would be "
        f"{without_missing(d.table, d.synthetic, TWO)}, because living without a second "
        "respondent is something that a neighbour knows, too."
    ),
    further=True,
)
def unique_in_both(confidential, synthetic, qis):
    """Count the households alone with their QIs in both files."""
    ours, theirs = confidential[qis], synthetic[qis]
    ours, theirs = (file[~file.duplicated(keep=False)] for file in (ours, theirs))
    return len(ours.merge(theirs))


# 07.4 r
@exercise(
    "07.4",
    Numbers("h", "r", digits=3),
    hints=[
        "h is how many others to expect: those of λ̂ who were not sampled.",
        "r = (1 − e^(−h)) / h; np.exp(-h) is e^(−h).",
    ],
    mistakes={
        "You used λ̂ for h; the others were not sampled.": lambda d, r: h_and_r(d, d.expected),
        "You used π λ̂, what the sample has.": lambda d, r: h_and_r(d, d.pi * d.expected),
        "That r is the chance of no others at all.": lambda d, r: {"r": np.exp(-r["h"])},
        "You forgot to divide by h.": lambda d, r: {"r": 1 - np.exp(-r["h"])},
        "That r is 1 over the mean of F, not of 1/F.": lambda d, r: {"r": 1 / (1 + r["h"])},
        "That r is 1/λ̂; F itself is random.": lambda d, r: {"r": 1 / d.expected},
    },
    code="""h = (1 - mine.pi) * mine.expected
answer = [h, (1 - np.exp(-h)) / h]""",
    words=lambda d, r: (
        f"h = (1 − {d.pi:g}) · {d.expected:g} = {r['h']:.3f} and r = {r['r']:.3f}. That is more "
        f"than 1/(1 + h) = {1 / (1 + r['h']):.3f}: the mean of 1/F is more than 1 over the mean "
        "of F."
    ),
)
def h_and_r(d, h=None):
    """Compute h = (1 − π) λ̂, or take another h, and r = (1 − e^{−h}) / h."""
    h = (1 - d.pi) * d.expected if h is None else h
    return {"h": h, "r": chance_right(np.array([h]))[0]}


# 07.5 the truth
def frequencies(d, qis=TWO, of=lambda file: file):
    """F of the sample uniques: how many households of the population have their QIs.

    `of` is what somebody makes of both files first.
    """
    table, population = of(d.table), of(d.population)
    return population_counts(population, table, qis)[~table.duplicated(qis, keep=False)]


@exercise(
    "07.5",
    Numbers("unique", "alone", "right", digits=1),
    hints=[
        "F = sr.households.population_counts(mine.population, mine.table, qis) has F of every "
        "household.",
        "mine.table.duplicated(qis, keep=False) marks those who are not alone in the sample.",
    ],
    mistakes={
        (
            "You counted rows of mine.population; each stands for as many households as its "
            "column count says."
        ): lambda d, r: truth(d, of=lambda file: file.assign(count=1))[["alone", "right"]],
        "That is with the QIs of one person; take sr.households.qi_names(2).": {"qis": qi_names(1)},
        "You lost the households with one respondent; a missing second person is a level.": {
            "of": pd.DataFrame.dropna
        },
        "You added up 1/F over all households; add over the sample uniques alone.": (
            lambda d, r: {"right": (1 / population_counts(d.population, d.table, TWO)).sum()}
        ),
        "You took 1 over the mean of F; add up 1/F.": (
            lambda d, r: {"right": r["unique"] / frequencies(d).mean()}
        ),
        "That is the mean of 1/F; the sum is asked for.": (
            lambda d, r: {"right": r["right"] / r["unique"]}
        ),
        "You counted different combinations; a sample unique is alone with its own.": (
            lambda d, r: {"unique": len(d.table.drop_duplicates(TWO))}
        ),
    },
    code="""qis = sr.households.qi_names(2)
F = sr.households.population_counts(mine.population, mine.table, qis)
F = F[~mine.table.duplicated(qis, keep=False)]
answer = [len(F), (F == 1).sum(), (1 / F).sum()]""",
    words=lambda d, r: (
        f"Of {len(d.table)} households {r['unique']:.0f} are alone in the sample, and "
        f"{r['alone']:.0f} of these in the population. An intruder who tried all sample uniques "
        f"would expect {r['right']:.1f} correct matches: most of them, because a large part of a "
        "small state is in the sample and most combinations exist once."
    ),
    further=True,
)
def truth(d, **how):
    """Sample uniques, those of them alone in the population, and Σ 1/F over the sample uniques."""
    F = frequencies(d, **how)
    return pd.Series({"unique": len(F), "alone": (F == 1).sum(), "right": (1 / F).sum()})


# 07.6 one person or two
def su_cu(d, count=unique_in_both):
    """SU-CU of the state, for QIs of one person and of two."""
    return {f"SU_CU_{n}": count(d.table, d.synthetic, qi_names(n)) for n in (1, 2)}


@exercise(
    "07.6",
    Numbers("unique_1", "unique_2", "SU_CU_1", "SU_CU_2"),
    hints=[
        "qis = sr.households.qi_names(1), then sr.households.qi_names(2).",
        "Sample uniques: (~mine.table.duplicated(qis, keep=False)).sum(); SU-CU: "
        "sr.households.unique_uniques(mine.table, mine.synthetic, qis).",
    ],
    mistakes={
        "These are per cent; hand in numbers of households.": (
            lambda d, r: {name: 100 * one / len(d.table) for name, one in r.items()}
        ),
        "SU means exactly once, not at least.": (
            lambda d, r: su_cu(d, counting("f == 1 and s > 0"))
        ),
        "For SU-CU: are they alone in both files?": lambda d, r: su_cu(d, counting("s > 0")),
        "In SU-CU you lost the households with one respondent.": (
            lambda d, r: su_cu(d, without_missing)
        ),
        "For the sample uniques count who is alone, not combinations.": (
            lambda d, r: {f"unique_{n}": len(d.table.drop_duplicates(qi_names(n))) for n in (1, 2)}
        ),
    },
    code="""unique, su_cu = [], []
for qis in (sr.households.qi_names(1), sr.households.qi_names(2)):
    unique.append((~mine.table.duplicated(qis, keep=False)).sum())
    su_cu.append(len(sr.households.unique_pairs(mine.table, mine.synthetic, qis)))
answer = unique + su_cu""",
    words=lambda d, r: (
        "Whoever knows the second person, too, finds more households alone in the sample: "
        "{unique_1} become {unique_2}. But a synthetic household must now agree in eleven QIs "
        "rather than seven, so that a smaller share of the uniques is met: SU-CU goes from "
        "{SU_CU_1} to {SU_CU_2}.".format(**r)
    ),
    further=True,
)
def one_or_two(d):
    """Sample uniques and SU-CU of the state, for QIs of one person and of two."""
    alone = {n: (~d.table.duplicated(qi_names(n), keep=False)).sum() for n in (1, 2)}
    return {"unique_1": alone[1], "unique_2": alone[2], **su_cu(d)}


# 07.7 change one line
def as_it_is(x, b):
    """The line of the package: x/b' and x·b' with b' = 1 + b/100."""
    return x / (1 + b / 100), x * (1 + b / 100)


def near_with(rule, b=50, R=0.1):
    """a1: for how many households with r > R the synthetic income lies between the ends."""
    found = load_results("household_incomes").query("r > @R")
    low, high = rule(found.x, b)
    return int(((found.x_synthetic > low) & (found.x_synthetic < high)).sum())


@exercise(
    "07.7",
    Function("ends(x, b)", lambda d: [(90_000, 50), (100, 25), (1_000, 10), (1_000, 20)]),
    hints=[
        "b per cent of x are x * b / 100.",
        "For x = 90,000 and b = 50 the ends are 45,000 and 135,000. Return the lower end first.",
    ],
    mistakes={
        "That is the line as it is: for b = 50 the lower end is two thirds of x.": as_it_is,
        "You go b away from x; b is in per cent of x.": lambda x, b: (x - b, x + b),
        "Divide b by 100: it is in per cent.": lambda x, b: (x * (1 - b), x * (1 + b)),
        "The lower end comes first.": lambda x, b: (x * (1 + b / 100), x * (1 - b / 100)),
        "You moved only the upper end; the lower one is b per cent below x.": (
            lambda x, b: (x, x * (1 + b / 100))
        ),
    },
    words=lambda d, r: (
        "For x = 90,000 and b = 50 the ends are now 45,000 and 135,000, and they were 60,000 and "
        f"135,000. On the lesson's households a1(50, 0.1) goes from {near_with(as_it_is)} to "
        f"{near_with(ends)}: a wider range finds no fewer."
    ),
)
def ends(x, b):
    """Return x less b per cent, and x plus b per cent."""
    return x * (1 - b / 100), x * (1 + b / 100)


# 07.8 weights
def cut(weights, risky):
    """Set the weights of risky households to 0, and those without r to 1."""
    return weights.where(~risky, 0).fillna(1)


@exercise(
    "07.8",
    Table(digits=2),
    hints=[
        "Three cases: r above the cutoff, r up to the cutoff, r missing.",
        "sr.households.down_weights(mine.r, 0.5) does one column; do it by hand first.",
    ],
    mistakes={
        "You took 1 − r; the weight is 1 − r².": {"rule": lambda r, c: cut(1 - r, r > c)},
        "0 is for r above, not at the cutoff.": {"rule": lambda r, c: cut(1 - r**2, r >= c)},
        "Whoever has no r is not unique in the sample, and keeps the weight 1.": {
            "rule": lambda r, c: down_weights(r, c).where(r.notna())
        },
        "You gave 0 where r is missing; these are not unique, the safest of all.": {
            "rule": lambda r, c: down_weights(r, c).where(r.notna(), 0)
        },
        "You forgot the cutoff: above it the weight is 0.": {
            "rule": lambda r, c: down_weights(r, 1)
        },
        "You turned it round: 0 is for r above.": {"rule": lambda r, c: cut(1 - r**2, r <= c)},
    },
    code="""columns = {f"cutoff {c}": sr.households.down_weights(mine.r, c) for c in (0.5, 0)}
answer = pd.DataFrame(columns)""",
    words=lambda d, r: (
        f"Cutoff 0.5 leaves {(r['cutoff 0.5'] > 0).sum()} of {len(d.r)} households "
        "with a say, cutoff 0 only the one that is not unique, because every sample unique has an "
        "r above 0."
    ),
    further=True,
)
def weights(d, rule=down_weights):
    """The weights for both cutoffs; `rule(r, cutoff)` gives those for one."""
    return pd.DataFrame({f"cutoff {c:g}": rule(d.r, c) for c in (0.5, 0)})


# 07.9 decide
METHODS = {
    "nothing": "no protection",
    "tree": "tree only, cutoff 0.9",
    "donors": "tree and donors, cutoff 0.9",
    "group": "grouped states",
}
WITH = METHODS | {"tree": "weights on the tree only", "donors": "weights on tree and donors"}


def protected():
    """Risk and usefulness of the four files, means over all replicates.

    `right`: correct matches among the SU-CU; `riskiest`: SU-CU with r > 0.95; `ratio`: the pMSE
    ratio of the whole file, of the release as it is; `local`: that within N1. With grouped states
    nobody can look into N1, and with weights on the donors it was not measured: both are missing.
    """
    mean = load_results("household_methods").groupby("method").mean(numeric_only=True)
    local = load_results("household_states").query("state == 'N1'").groupby("method").ratio.mean()
    table = mean.loc[list(METHODS.values()), ["right", "r > 0.95", "ratio"]]
    table = table.rename(columns={"r > 0.95": "riskiest"})
    table["local"] = local.reindex(table.index)
    return table.set_axis(list(METHODS))


def numbers(table):
    """Tell what was measured of every file."""
    sentences = []
    for name, row in table.iterrows():
        within = "" if np.isnan(row.local) else f", within N1 {rounded(row.local)}"
        sentences.append(
            f"{WITH[name]} {row.right:.0f}, {rounded(row.riskiest)} and "
            f"{rounded(row.ratio)}{within}"
        )
    return f"Correct matches, r > 0.95, pMSE ratio: {'; '.join(sentences)}."


# What to say to each choice and reason: the because, to which the numbers are added.
BECAUSE = {
    ("nothing", "risk"): "Most matches are correct here, because nothing was done.",
    ("nothing", "riskiest"): "Most of the riskiest are left here, because nothing was done.",
    ("nothing", "price"): "Nothing gets worse, but no match fewer is correct: the reason asks for "
    "both.",
    ("nothing", "use"): "It can be defended, because no analysis loses anything. Then say why the "
    "risk is acceptable: in a file made of others {others:.0f} matches would be correct, too.",
    ("tree", "risk"): "Only a few matches fewer are correct, because risky households still lend "
    "their values.",
    ("tree", "riskiest"): "A third of the riskiest go, not nearly all, because they still lend "
    "their values.",
    ("tree", "price"): "It can be defended, because fewer matches are correct and the ratio within "
    "N1 hardly rises.",
    ("tree", "use"): "All states stay, but the ratio rises a little, because the trees see less.",
    ("donors", "risk"): "Hardly fewer matches are correct, because copies of less risky households "
    "take the place of the others.",
    ("donors", "riskiest"): "It can be defended, because whoever has weight 0 lends no value: "
    "fewest of the riskiest are left. Tell the users what the file has lost.",
    ("donors", "price"): "The price is the highest of the four, because a part of the households "
    "lends no values.",
    ("donors", "use"): "Every analysis loses, because a part of the households lends no values.",
    ("group", "risk"): "It can be defended, because in a larger group more households share the "
    "QIs. Nobody can study N1 any more.",
    ("group", "riskiest"): "Few of the riskiest are left, because the groups are larger, but with "
    "weights on tree and donors there are fewer.",
    (
        "group",
        "price",
    ): "Users of the groups lose nothing, but users in N1 lose everything, because "
    "the file no longer says who lives there.",
    ("group", "use"): "The ratio of the groups is as good, but states are joined, so N1 is gone.",
}


def defended(judged):
    """List what can be defended, and the numbers once."""
    pairs = [f'("{one}", "{why}")' for (one, why), (fine, _) in judged.items() if fine]
    return f"Can be defended: {listing(pairs)}. {numbers(protected())}"


@exercise(
    "07.9",
    Choice(
        METHODS,
        {
            "risk": "of all matches with SU-CU households fewest would be correct",
            "riskiest": "fewest SU-CU households with r > 0.95 are left",
            "price": "fewer matches would be correct than with no protection, and analyses within "
            "N1 lose least",
            "use": "all states stay, and no analysis gets worse",
        },
    ),
    hints=[
        'The columns "right" and "r > 0.95" of the table of part 1, and N1 in the table of part 3.',
        "For each of the four there is a reason that is true of it alone.",
    ],
    code='answer = ("tree", "price")',
    words=lambda d, r: defended(r),
    further=True,
)
def decide(d):
    """What each protection does, and what it costs, with numbers."""
    table = protected()
    fewer = table.index[table.right < table.right["nothing"]]
    true_of = {
        "risk": table.right.idxmin(),
        "riskiest": table.riskiest.idxmin(),
        "price": table.local[fewer].idxmin(),
        "use": "nothing",
    }
    others = load_results("household_others").groupby("file").right.mean()
    judged = {}
    for (name, why), words in BECAUSE.items():
        because = words.format(others=others["synthesized from others"])
        judged[name, why] = (name == true_of[why], f"{because} {numbers(table)}")
    return judged


# ------------------------------------------------------------------ predicted before a panel
@prediction(
    "07.a",
    Estimate(near=0.25),
    "With H = 12 nobody is cut, and the pMSE ratio is 2.5. H = 4 cuts 997 of 70,834 persons, "
    "1 in 71. What is the ratio?",
    mistakes={
        "That is with nobody cut.": {"H": 12},
        "That is with H = 3.": {"H": 3},
        "That is with H = 2.": {"H": 2},
    },
    words=lambda panel, r: (
        f"It is {rounded(r)} with H = 4, and {rounded(ratio_of(panel, H=12))} with nobody cut, "
        "because a tree finds the empty slots at once, few as they are."
    ),
    draw=Draw([(0, 4)], moves="H"),
    at={"H": 4},
)
def ratio_of(panel, H=4):
    """The mean pMSE ratio of the file with so many respondents."""
    return panel.compute(H=H).ratio


@prediction(
    "07.b",
    OneOf({"below": "far below 2,970", "same": "about the same", "above": "far above"}),
    "With all eleven QIs 2,970 households are SU-CU. How many, if of both persons only the age and "
    "the gender are known?",
    mistakes={
        "Who knows less finds fewer alone in the sample, but more of these in both files.": (
            lambda panel, r: "below"
        ),
        "More of the sample uniques are in both files, but there are fewer of them.": (
            lambda panel, r: "above"
        ),
    },
    words=lambda panel, r: (
        f"There are {in_both(panel, 'su_cu', PARTLY):,}, because fewer are alone in the sample and "
        f"more of these are met. But r is lower: {in_both(panel, 'above_0.5', PARTLY)} have "
        f"r > 0.5; with all known it is {in_both(panel, 'above_0.5')}."
    ),
    at={"person": ("age", "gender"), "respondents": 2, "residents": 1},
)
def with_age_and_gender(panel):
    """Is SU-CU lower if the intruder knows less?"""
    ratio = in_both(panel, "su_cu", PARTLY) / in_both(panel, "su_cu")
    return "below" if ratio < 0.8 else "above" if ratio > 1.25 else "same"


PARTLY = ("age", "gender")


def in_both(panel, what, person=("age", "gender", "education", "working")):
    """A count of SU-CU households if this is known of two persons."""
    return int(panel.compute(person=person, respondents=2, residents=1).estimated[what])


@prediction(
    "07.c",
    Estimate("2 %", "15 %", "50 %", near=0.1),
    "2, 15 or 50 % of N1 are in the sample. How likely (0 to 1) is it that a match with a sample "
    "unique is right?",
    mistakes={
        "You took the sampling fraction for the chance.": (
            lambda panel, r: {"2 %": 0.02, "15 %": 0.15, "50 %": 0.5}
        ),
    },
    words=lambda panel, r: (
        f"{rounded(r['2 %'])} already at 2 %, because in a small state most combinations exist "
        "once. The sample only shows them."
    ),
    draw=Draw([(0, 2), (0, 15), (0, 50)], moves="row"),
    at={"row": 0},
)
def right_by_fraction(panel):
    """The mean true chance that a match is right at three sampling fractions."""
    rows = [panel.compute(row=row) for _, row in panel.controls["row"].options]
    chance = {f"{100 * one['fraction']:g} %": one["mean_true"] for one in rows}
    return {name: chance[name] for name in ("2 %", "15 %", "50 %")}


@prediction(
    "07.d",
    OneOf({"R": "r > 0.5", "b": "within 20 %", "same": "both as many"}),
    "With r > 0.1 and an income within 50 %, a1 is 37. Which takes more away: asking for r > 0.5, "
    "or for within 20 %?",
    mistakes={
        "With a narrower range all households are still looked at.": lambda panel, r: "b",
        "They differ.": lambda panel, r: "same",
    },
    words=lambda panel, r: (
        f"{near_incomes(panel, R=0.5)} are left with r > 0.5, and {near_incomes(panel, b=20)} "
        "within 20 %, because a higher R takes the households themselves away."
    ),
    at={"R": 0.5, "b": 50},
)
def takes_more(panel):
    """Which of the two takes more of a1 away."""
    by_r, by_range = near_incomes(panel, R=0.5), near_incomes(panel, b=20)
    return "same" if by_r == by_range else "R" if by_r < by_range else "b"


def near_incomes(panel, R=0.1, b=50):
    """a1: how many households have a synthetic income that is near."""
    return int(panel.compute(R=R, b=b).near["hit"].sum())


@prediction(
    "07.e",
    Estimate(near=0.3),
    "Without protection the pMSE ratio of the whole file is 2.5. What is it with weights on tree "
    "and donors, those with r > 0.9 at 0?",
    mistakes={
        "That is with weights on the tree only.": {"family": "tree only"},
        "That is with weights on tree and classes.": {"family": "tree and classes"},
        "That is without protection.": {"family": "no protection"},
    },
    words=lambda panel, r: (
        f"On the tree only it is {rounded(ratio_with(panel, 'tree only'))}, on tree and donors "
        f"{rounded(r)}, because whoever has weight 0 lends no values there. The same weights, the "
        "same cutoff: what they act on decides."
    ),
    at={"family": "tree and donors", "cutoff": 0.9},
)
def ratio_with(panel, family="tree and donors"):
    """The mean pMSE ratio with a cutoff of 0.9."""
    return panel.compute(family=family, cutoff=0.9).row["ratio"]
