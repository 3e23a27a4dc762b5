"""Lesson 07: fill slots, find unique-uniques, estimate r, count F, weigh, decide."""

from collections import Counter
from functools import cache

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.classroom.engine import Exercise, LessonPanel
from synthrisk_edu.classroom.forms import Choice, Function, Names, Numbers, Table
from synthrisk_edu.data import load_households, load_results
from synthrisk_edu.households import (
    down_weights,
    flatten,
    population_counts,
    qi_names,
    qi_table,
    synthesize_households,
)
from synthrisk_edu.households.uniqueness import mean_inverse
from synthrisk_edu.widgets import households as panels
from synthrisk_edu.words import listing, say_rounded

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
    newcomers, names, released = NEWCOMERS, NAMES, toy(RELEASED)
    (persons, homes, population), pi, expected, r = small_state(), 0.2, 2.5, RISKS
    if seed is not None:
        rng = checks.generator(seed)
        newcomers, names = draw_newcomers(rng), rng.permutation(NAMES).tolist()
        released = released.iloc[rng.permutation(len(released))].reset_index(drop=True)
        pi, expected = rng.integers(5, 60) / 100, rng.integers(11, 60) / 10
        r = rng.permutation([np.nan, 0.5, *rng.integers(1, 100, 4) / 100])
        homes = homes.iloc[np.sort(rng.choice(len(homes), 700, replace=False))]
        persons = persons[persons.household.isin(homes.household)]
    wide = flatten(persons, homes.reset_index(drop=True), max_respondents=2)
    synthetic = synthesize_households(wide, seed=2023 if seed is None else seed)[0]
    people = pd.DataFrame(newcomers, columns=["couple", "place", "age"])
    return {
        "newcomers": people.assign(household=7)[["household", "couple", "place", "age"]],
        "families": toy(FAMILIES).set_axis(names),
        "released": released,
        "toy_qis": TOY,
        "pi": float(pi),
        "expected": float(expected),
        "table": qi_table(wide, total=None),
        "synthetic": qi_table(synthetic, total=None),
        "population": population.copy(),
        "r": pd.Series(r, index=NAMES[: len(r)], name="r"),
    }


def toy(families):
    """Read families written one after the other; a second age is missing where nobody has it."""
    rows = [(one.split() + [None])[:3] for one in families.split(",")]
    return pd.DataFrame(rows, columns=TOY)


@cache
def everyone():
    """Read the simulated households once."""
    return load_households()


def small_state():
    """Return the persons, households and population of the smallest state."""
    persons, homes, population = everyone()
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


# 07.1 slots
FLAGS = ["Z_11", "Z_12", "Z_21", "Z_22", "Z_31", "Z_32"]


def slots_and_age(d):
    """The six flags, and the age of the second respondent."""
    wide = flatten(d.newcomers, pd.DataFrame({"household": [7]}))
    flags = {name: wide.iloc[0].get(f"present_{name[2]}_{name[3]}", 0) for name in FLAGS}
    known = qi_table(wide, household=[], person=["age"], total=None)
    return flags | {"age_2": known.age_2.iloc[0]}


FILL = Exercise(
    id="07.1",
    form=Numbers(*FLAGS, "age_2"),
    answer=slots_and_age,
    mistakes={
        "You filled the slots from the left; a couple of one leaves its second slot empty.": (
            lambda d: {name: int(k < len(d.newcomers)) for k, name in enumerate(FLAGS)}
        ),
        "You went through all first places first; the slots go couple by couple.": (
            lambda d: {
                name: slots_and_age(d)[other]
                for name, other in zip(FLAGS, FLAGS[::2] + FLAGS[1::2], strict=True)
            }
        ),
        "That is slot (1, 2); the second respondent is the second person who is there.": (
            lambda d: {"age_2": d.newcomers.set_index(["couple", "place"]).age.get((1, 2), np.nan)}
        ),
        "That is the second line of the table; go by couple, then by place.": (
            lambda d: {"age_2": d.newcomers.age.iloc[1]}
        ),
        "You went by age; go by couple, then by place.": (
            lambda d: {"age_2": d.newcomers.age.sort_values().iloc[-2]}
        ),
    },
    hints=[
        "Write down the slots (1, 1), (1, 2), (2, 1), …: is there a line with these two?",
        'The second respondent: mine.newcomers.sort_values(["couple", "place"]), second line.',
    ],
    code="""slots = set(zip(mine.newcomers.couple, mine.newcomers.place))
flags = [(couple, place) in slots for couple in (1, 2, 3) for place in (1, 2)]
answer = [*flags, mine.newcomers.sort_values(["couple", "place"]).age.iloc[1]]""",
    words=lambda d: (
        f"{len(d.newcomers)} flags are 1, one for each respondent: "
        f"{listing([name for name in FLAGS if slots_and_age(d)[name]])}. The second respondent "
        f"in the order of couple and place is {slots_and_age(d)['age_2']} years old."
    ),
)


# 07.2 and 07.3 unique in both
def unique_in_both(confidential, synthetic, qis):
    """Count the households alone with their QIs in both files."""
    ours, theirs = confidential[qis], synthetic[qis]
    ours, theirs = (file[~file.duplicated(keep=False)] for file in (ours, theirs))
    return len(ours.merge(theirs))


def cells(file, qis):
    """Return a tuple of QIs for each row; missing is a level like others."""
    known = file[qis].astype(object)
    return list(known.where(known.notna(), "nobody").itertuples(index=False, name=None))


def chosen_rows(confidential, synthetic, qis, chosen):
    """Say of each row whether `chosen(f, s)` holds: the numbers of rows like it in both files."""
    ours, theirs = cells(confidential, qis), cells(synthetic, qis)
    f, s = Counter(ours), Counter(theirs)
    return np.array([chosen(f[one], s[one]) for one in ours])


def naming(chosen, qis=TOY):
    """Make an answer that names the families of these numbers f and s."""
    return lambda d: list(d.families.index[chosen_rows(d.families, d.released, qis, chosen)])


def counting(chosen):
    """Make a function that counts the households of these numbers f and s."""
    return lambda *files_and_qis: int(chosen_rows(*files_and_qis, chosen).sum())


both_alone = naming(lambda f, s: f == s == 1)


def in_the_same_row(confidential, synthetic, qis=TOY):
    """Compare row by row: row i of the one file with row i of the other."""
    pairs = zip(cells(confidential, qis), cells(synthetic, qis), strict=False)
    return [one == other for one, other in pairs]


LOOK_UP = Exercise(
    id="07.2",
    form=Names(),
    answer=both_alone,
    mistakes={
        (
            "These are all whose QIs are somewhere in the synthetic file, also those that stand "
            "there, or in the confidential file, more than once."
        ): naming(lambda f, s: s > 0),
        "These are the CU; how often are they in the other file?": naming(lambda f, s: f == 1),
        "One of these stands twice in the synthetic file.": naming(lambda f, s: f == 1 and s > 0),
        "Two of these share their QIs: they are no CU.": naming(lambda f, s: s == 1),
        "You left out families without a second person; having none is a level, too.": (
            lambda d: [name for name in both_alone(d) if pd.notna(d.families.age_2[name])]
        ),
        "You forgot age_2, which is known, too.": naming(lambda f, s: f == s == 1, TOY[:2]),
        "You compared row by row; a synthetic row belongs to nobody: any will do.": (
            lambda d: list(d.families.index[in_the_same_row(d.families, d.released)])
        ),
    },
    hints=[
        "First strike out families that share all three QIs with another family.",
        "Of those left: whose QIs stand exactly once in mine.released, in whichever row?",
    ],
    code="""pairs = sr.unique_pairs(mine.families, mine.released, mine.toy_qis)
answer = mine.families.index[pairs.confidential]""",
    words=lambda d: (
        f"Once in each file stand {listing(both_alone(d))}. {len(naming(lambda f, s: f == 1)(d))} "
        "families are alone in the confidential file."
    ),
)


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


WRITE_UNIQUE = Exercise(
    id="07.3",
    form=Function("unique_in_both(confidential, synthetic, qis)", pair_cases),
    answer=unique_in_both,
    mistakes={
        "Households with a missing QI get lost; missing is a level.": without_missing,
        "You count all in both files; are they alone in each of them?": (
            counting(lambda f, s: s > 0)
        ),
        "You count combinations that both files have; count who is alone.": (
            lambda ours, theirs, qis: len(set(cells(ours, qis)) & set(cells(theirs, qis)))
        ),
        "These are CU, but there may be several synthetic ones.": (
            counting(lambda f, s: f == 1 and s > 0)
        ),
        "These are SU, but there may be several confidential ones.": counting(lambda f, s: s == 1),
        "These are the CU; where does the synthetic file come in?": counting(lambda f, s: f == 1),
        "You compare row i with row i; look for the same QIs in any row.": (
            lambda *files_and_qis: sum(in_the_same_row(*files_and_qis))
        ),
    },
    hints=[
        "table.duplicated(keep=False) marks all rows that are not alone. Keep the others.",
        "What is alone in both: ours.merge(theirs) joins rows that agree in every column, "
        "and takes missing for equal to missing.",
    ],
    words=lambda d: (
        f"It gives {unique_in_both(d.families, d.released, TOY)} for the families and "
        f"{unique_in_both(d.table, d.synthetic, TWO)} for the state; without the "
        "households that miss a second person it would be "
        f"{without_missing(d.table, d.synthetic, TWO)}."
    ),
)


# 07.4 r
def h_and_r(d, h=None):
    """Return h = (1 − π) λ̂, or another h, and r = (1 − e^{−h}) / h."""
    h = (1 - d.pi) * d.expected if h is None else h
    return {"h": h, "r": mean_inverse(np.array([h]))[0]}


ESTIMATE = Exercise(
    id="07.4",
    form=Numbers("h", "r", digits=3),
    answer=h_and_r,
    mistakes={
        "You used λ̂ for h; the others were not sampled.": lambda d: h_and_r(d, d.expected),
        "You used π λ̂, what the sample has.": lambda d: h_and_r(d, d.pi * d.expected),
        "That r is the chance of no others at all.": lambda d: {"r": np.exp(-h_and_r(d)["h"])},
        "You forgot to divide by h.": lambda d: {"r": 1 - np.exp(-h_and_r(d)["h"])},
        "That r is 1 over the mean of F, not of 1/F.": lambda d: {"r": 1 / (1 + h_and_r(d)["h"])},
        "That r is 1/λ̂; F itself is random.": lambda d: {"r": 1 / d.expected},
    },
    hints=[
        "h is how many others to expect: those of λ̂ who were not sampled.",
        "r = (1 − e^(−h)) / h; np.exp(-h) is e^(−h).",
    ],
    code="""h = (1 - mine.pi) * mine.expected
answer = [h, (1 - np.exp(-h)) / h]""",
    words=lambda d: (
        f"h = (1 − {d.pi:g}) · {d.expected:g} = {h_and_r(d)['h']:.3f} and r = "
        f"{h_and_r(d)['r']:.3f}. That is more than 1/(1 + h) = "
        f"{1 / (1 + h_and_r(d)['h']):.3f}: the mean of 1/F is more than 1 over the mean of F."
    ),
)


# 07.5 the truth
def frequencies(table, population, qis=TWO):
    """Return F of the sample uniques: how many households of the population have their QIs."""
    return population_counts(population, table, qis)[~table.duplicated(qis, keep=False)]


def truth(F):
    """Sample uniques, those of them alone in the population, and Σ 1/F over the sample uniques."""
    return {"unique": len(F), "alone": (F == 1).sum(), "right": (1 / F).sum()}


def the_truth(d):
    """With the QIs of two persons."""
    return truth(frequencies(d.table, d.population))


def rows_for_households(d):
    """Count the rows of the population, where each stands for `count` households."""
    found = truth(frequencies(d.table, d.population.assign(count=1)))
    return {"alone": found["alone"], "right": found["right"]}


COMPARE = Exercise(
    id="07.5",
    form=Numbers("unique", "alone", "right", digits=1),
    answer=the_truth,
    mistakes={
        (
            "You counted rows of mine.population; each stands for as many households as its "
            "column count says."
        ): rows_for_households,
        "That is with the QIs of one person; take sr.qi_names(2).": (
            lambda d: truth(frequencies(d.table, d.population, qi_names(1)))
        ),
        "You lost the households with one respondent; a missing second person is a level.": (
            lambda d: truth(frequencies(d.table.dropna(), d.population.dropna()))
        ),
        "You added up 1/F over all households; add over the sample uniques alone.": (
            lambda d: {"right": (1 / population_counts(d.population, d.table, TWO)).sum()}
        ),
        "You took 1 over the mean of F; add up 1/F.": (
            lambda d: {"right": the_truth(d)["unique"] / frequencies(d.table, d.population).mean()}
        ),
        "That is the mean of 1/F; the sum is asked for.": (
            lambda d: {"right": the_truth(d)["right"] / the_truth(d)["unique"]}
        ),
        "You counted different combinations; a sample unique is alone with its own.": (
            lambda d: {"unique": len(d.table.drop_duplicates(TWO))}
        ),
    },
    hints=[
        "F = sr.population_counts(mine.population, mine.table, qis) has F of every household.",
        "mine.table.duplicated(qis, keep=False) marks those who are not alone in the sample.",
    ],
    code="""qis = sr.qi_names(2)
F = sr.population_counts(mine.population, mine.table, qis)
F = F[~mine.table.duplicated(qis, keep=False)]
answer = [len(F), (F == 1).sum(), (1 / F).sum()]""",
    words=lambda d: (
        f"Of {len(d.table)} households {the_truth(d)['unique']} are alone in the sample, and "
        f"{the_truth(d)['alone']} of these in the population. An intruder who tried all sample "
        f"uniques would expect {the_truth(d)['right']:.1f} right matches: in a small state "
        "most of them."
    ),
)


# 07.6 one person or two
def one_or_two(d, count=unique_in_both):
    """Sample uniques and SU-CU of the state, for QIs of one person and of two."""
    found = {}
    for number in (1, 2):
        qis = qi_names(number)
        found[f"unique_{number}"] = int((~d.table.duplicated(qis, keep=False)).sum())
        found[f"SU_CU_{number}"] = count(d.table, d.synthetic, qis)
    return found


def only_su_cu(count):
    """Make an answer with another way of counting SU-CU, whatever the sample uniques are."""
    return lambda d: {name: one_or_two(d, count)[name] for name in ("SU_CU_1", "SU_CU_2")}


EXPLAIN = Exercise(
    id="07.6",
    form=Numbers("unique_1", "unique_2", "SU_CU_1", "SU_CU_2"),
    answer=one_or_two,
    mistakes={
        "These are per cent; hand in numbers of households.": (
            lambda d: {name: 100 * one / len(d.table) for name, one in one_or_two(d).items()}
        ),
        "SU means exactly once, not at least.": only_su_cu(counting(lambda f, s: f == 1 and s > 0)),
        "For SU-CU: are they alone in both files?": only_su_cu(counting(lambda f, s: s > 0)),
        "In SU-CU you lost the households with one respondent.": only_su_cu(without_missing),
        "For the sample uniques count who is alone, not combinations.": (
            lambda d: {f"unique_{n}": len(d.table.drop_duplicates(qi_names(n))) for n in (1, 2)}
        ),
    },
    hints=[
        "qis = sr.qi_names(1), then sr.qi_names(2).",
        "Sample uniques: (~mine.table.duplicated(qis, keep=False)).sum(); SU-CU: "
        "sr.unique_uniques(mine.table, mine.synthetic, qis).",
    ],
    code="""unique, su_cu = [], []
for qis in (sr.qi_names(1), sr.qi_names(2)):
    unique.append((~mine.table.duplicated(qis, keep=False)).sum())
    su_cu.append(len(sr.unique_pairs(mine.table, mine.synthetic, qis)))
answer = unique + su_cu""",
    words=lambda d: (
        "Whoever knows the second person, too, finds more households alone in the sample: "
        "{unique_1} become {unique_2}. But a synthetic household must now agree in eleven QIs "
        "rather than seven, so that a smaller share of the uniques is met: SU-CU goes from "
        "{SU_CU_1} to {SU_CU_2}.".format(**one_or_two(d))
    ),
)


# 07.7 near
def near(x, x_s, b):
    """1 if x_s lies strictly between x/b' and x·b', b' = 1 + b/100, else 0."""
    factor = 1 + b / 100
    return int(x / factor < x_s < x * factor)


def near_cases(d):
    """Both ends, both sides of both ends, zero, and three ranges."""
    around_90_000 = (60_000, 135_000, 59_000, 61_000, 134_000, 136_000, 50_000, 0)
    others = [(100, 79, 25), (100, 124, 25), (1_000, 850, 20), (1_000, 1_010, 10)]
    return [(90_000, x_s, 50) for x_s in around_90_000] + others


WRITE_NEAR = Exercise(
    id="07.7",
    form=Function("near(x, x_s, b)", near_cases),
    answer=near,
    mistakes={
        "You count the ends; near is strictly between them.": (
            lambda x, x_s, b: int(x / (1 + b / 100) <= x_s <= x * (1 + b / 100))
        ),
        "The lower end is x/b', not b per cent below x: for b = 50 two thirds, not half of x.": (
            lambda x, x_s, b: int(x * (1 - b / 100) < x_s < x * (1 + b / 100))
        ),
        "You took b for b'; b' = 1 + b/100.": lambda x, x_s, b: int(x / b < x_s < x * b),
        "There is a lower end, too: x/b'.": lambda x, x_s, b: int(x_s < x * (1 + b / 100)),
        "You allow a difference of b; b is in per cent of x.": (
            lambda x, x_s, b: int(abs(x_s - x) < b)
        ),
    },
    hints=["Make b' first: 1 + b / 100.", "Python compares twice at once: low < x_s < high."],
    words=lambda d: (
        "For x = 90,000 and b = 50 the ends are 60,000 and 135,000: x / 1.5 and x · 1.5, and "
        "neither end counts."
    ),
)


# 07.8 weights
def weights(d, rule=down_weights):
    """Return the weights for both cutoffs; `rule(r, cutoff)` gives those for one."""
    return pd.DataFrame({f"cutoff {c:g}": rule(d.r, c) for c in (0.5, 0)})


def cut(weights, risky):
    """Set the weights of risky households to 0, and those without r to 1."""
    return weights.where(~risky, 0).fillna(1)


WEIGH = Exercise(
    id="07.8",
    form=Table(digits=2),
    answer=weights,
    mistakes={
        "You took 1 − r; the weight is 1 − r².": (
            lambda d: weights(d, lambda r, c: cut(1 - r, r > c))
        ),
        "0 is for r above, not at the cutoff.": (
            lambda d: weights(d, lambda r, c: cut(1 - r**2, r >= c))
        ),
        "Whoever has no r is not unique in the sample, and keeps the weight 1.": (
            lambda d: weights(d, lambda r, c: down_weights(r, c).where(r.notna()))
        ),
        "You gave 0 where r is missing; these are not unique, the safest of all.": (
            lambda d: weights(d, lambda r, c: down_weights(r, c).where(r.notna(), 0))
        ),
        "You forgot the cutoff: above it the weight is 0.": (
            lambda d: weights(d, lambda r, c: down_weights(r, 1))
        ),
        "You turned it round: 0 is for r above.": (
            lambda d: weights(d, lambda r, c: cut(1 - r**2, r <= c))
        ),
    },
    hints=[
        "Three cases: r above the cutoff, r up to the cutoff, r missing.",
        "sr.down_weights(mine.r, 0.5) does one column; do it by hand first.",
    ],
    code="""columns = {f"cutoff {c}": sr.down_weights(mine.r, c) for c in (0.5, 0)}
answer = pd.DataFrame(columns)""",
    words=lambda d: (
        f"Cutoff 0.5 leaves {int((weights(d)['cutoff 0.5'] > 0).sum())} of {len(d.r)} households "
        "with a say, cutoff 0 only the one that is not unique."
    ),
)


# 07.9 decide
METHODS = {
    "nothing": "no protection",
    "tree": "tree only, cutoff 0.9",
    "donors": "tree and donors, cutoff 0.9",
    "group": "grouped states",
}
WITH = {
    "nothing": "no protection",
    "tree": "weights on the tree only",
    "donors": "weights on tree and donors",
    "group": "grouped states",
}


def protected():
    """Right matches among the SU-CU and the usefulness in N1, means over all replicates.

    How useful the file is within N1 was not measured for donors: the ratio of the whole file,
    which is far above 10, stands for it. A file with grouped states does not say who lives in N1;
    what its trees make of N1 stands for it, were the rows marked.
    """
    mean = load_results("household_methods").groupby("method").mean(numeric_only=True)
    local = load_results("household_states").query("state == 'N1'").groupby("method").ratio.mean()
    table = mean.loc[list(METHODS.values()), ["right", "ratio"]]
    local = local.rename({"grouped trees": "grouped states"})
    table["local"] = local.reindex(table.index).fillna(table["ratio"])
    return table.set_axis(list(METHODS))


def numbers(table):
    """Tell both numbers of every file."""
    sentences = []
    for name, row in table.iterrows():
        where = " (of the whole file)" if row.local == row.ratio else ""
        where = " (were the rows of N1 marked)" if name == "group" else where
        sentences.append(f"{row.right:.0f} and {say_rounded(row.local)}{where} with {WITH[name]}")
    return f"Right matches, and the pMSE ratio within N1: {'; '.join(sentences)}."


def decide(d):
    """What each protection does to right matches, and what it costs in N1, with numbers."""
    table = protected()
    lower = table.index[table.right < table.right["nothing"]]
    safest, cheapest = table.right.idxmin(), table.local[lower].idxmin()
    verdicts = {}
    for name, method in WITH.items():
        risk = "fewest of all" if name == safest else "not the fewest of all"
        price = "what they were; the question is what lowers them"
        if name in lower:
            cost = "least" if name == cheapest else f"more than with {WITH[cheapest]}"
            price = f"fewer than without protection, and N1 pays {cost}"
        for why, best, words in (("risk", safest, risk), ("price", cheapest, price)):
            sentence = f"With {method} the right matches are {words}. {numbers(table)}"
            verdicts[name, why] = name == best, sentence
    return verdicts


def defended(d):
    """List what can be defended, and the numbers once."""
    pairs = [f'("{one}", "{why}")' for (one, why), (fine, _) in decide(d).items() if fine]
    return f"Can be defended: {listing(pairs)}. {numbers(protected())}"


DECIDE = Exercise(
    id="07.9",
    form=Choice(
        METHODS,
        {
            "risk": "of all matches with SU-CU households fewest would be right",
            "price": "fewer would be right than with no protection, and of all methods that do "
            "this, analyses within N1 lose least",
        },
    ),
    answer=decide,
    hints=[
        'Section 7: the column "right" of the table of all methods, and N1 in the last table.',
        "Where are fewer right than with no protection? Which of these has the smallest ratio?",
    ],
    code='answer = ("tree", "price")',
    words=defended,
)


EXERCISES = [FILL, LOOK_UP, WRITE_UNIQUE, ESTIMATE, COMPARE, EXPLAIN, WRITE_NEAR, WEIGH, DECIDE]


PANELS = [
    LessonPanel(
        "sizes",
        "How many respondents?",
        "Keep more persons of every household: when does it stop helping?",
        lambda d: panels.sizes_panel(
            load_results("household_sizes"), everyone().households["respondents"]
        ),
    ),
    LessonPanel(
        "qis",
        "Which quasi-identifiers are known?",
        "Tick what the intruder knows: who is unique, and how likely is a match right?",
        lambda d: panels.qis_panel(load_results("household_knowledge")),
    ),
    LessonPanel(
        "fraction",
        "A small state",
        "Sample more and more of it: how likely is a match right?",
        lambda d: panels.fraction_panel(load_results("household_fractions")),
    ),
    LessonPanel(
        "attributes",
        "What would be learnt?",
        "Choose whom to look at, and how near is near.",
        lambda d: panels.attribute_panel(load_results("household_incomes")),
    ),
    LessonPanel(
        "protection",
        "Weights against risk",
        "Weight risky households down, or join small states: what does it buy, and cost?",
        lambda d: panels.protection_panel(load_results("household_methods")),
    ),
]
