"""Lesson 01: count c and T, read the three summaries, decide."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.classroom.engine import Exercise, LessonPanel, draw_until
from synthrisk_edu.classroom.forms import Choice, Function, Number, Numbers, Table
from synthrisk_edu.classroom.game_panel import intruder_game
from synthrisk_edu.data import in_words, load_acs
from synthrisk_edu.match import baseline, match
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.widgets import matching
from synthrisk_edu.words import counted, say

TITLE = "The matching approach"

PERSONS = "Ana Bea Cleo Dora Emil Finn Gus Hugo Ivan Jon".split()
JOBS = "nurse nurse baker baker baker baker nurse nurse cook cook".split()
NEW_JOBS = "nurse baker baker nurse baker cook nurse cook cook nurse".split()
WOMEN = [0, 1, 2, 3]
COUNTED = ["c", "T"]


def data(seed=None):
    """Make the ten persons and the 10,000: the lesson's own, or other jobs and a sample."""
    people = in_words(load_acs(), "acs")
    known, synthesized = ["SEX", "RACE", "MAR"], ["DIS", "HICOV"]
    ten = ten_persons(JOBS, NEW_JOBS)
    if seed is not None:
        rng = checks.generator(seed)
        ten = own_ten(rng)
        people = people.iloc[np.sort(rng.choice(len(people), 6000, replace=False))]
        people = people.reset_index(drop=True)
    return {
        **vars(ten),
        "people": people,
        "released": redraw(people, synthesized, given=known, seed=1 if seed is None else seed),
        "known": known,
        "synthesized": synthesized,
    }


def ten_persons(jobs, new_jobs):
    """Make the two small tables."""
    columns = {"Sex": list("FFFFMMMMMM"), "Town": list("AAABAABBBB"), "Job": list(jobs)}
    confidential = pd.DataFrame(columns, index=PERSONS)
    return SimpleNamespace(confidential=confidential, synthetic=confidential.assign(Job=new_jobs))


def own_ten(rng):
    """Shuffle the jobs in both tables."""
    return draw_until(
        lambda: ten_persons(rng.permutation(JOBS), rng.permutation(NEW_JOBS)), is_telling
    )


def is_telling(d):
    """Finn has a candidate, and a woman a unique match: else 01.1 and 01.3 ask for nothing."""
    c = found(d).c
    return c["Finn"] > 0 and (c.iloc[WOMEN] == 1).any()


def found(d, known=("Sex", "Town")):
    """Match the ten persons."""
    return match(d.confidential, d.synthetic, list(known), ["Job"]).records


def itself(table, known=("Sex", "Town")):
    """Match one of the two small tables with itself: what one does who takes the wrong one."""
    return baseline(table, list(known), ["Job"]).records


def one_over_c(records):
    """1/c without T: what the risk would be if the true record were always there."""
    return (1 / records.c).where(records.c > 0, 0)


# 01.0 everybody by hand
EXERCISE_0 = Exercise(
    id="01.0",
    form=Table(filled=("Cleo",)),
    answer=lambda d: found(d)[COUNTED],
    mistakes={
        "You looked for the synthetic job; the intruder knows the true one.": (
            lambda d: itself(d.synthetic)[COUNTED]
        ),
        "You counted in the confidential half; the intruder sees the synthetic one.": (
            lambda d: itself(d.confidential)[COUNTED]
        ),
        "With c = 0 nobody matches, so T is 0: look at Dora.": (
            lambda d: found(d)[COUNTED].assign(
                T=lambda counted: counted["T"].mask(counted.c == 0, 1)
            )
        ),
    },
    hints=[
        "Ana is F, A and a nurse. Which synthetic rows are F, A and nurse? Is Ana's one of them?",
        'A line such as by_hand.loc["Ana"] = 1, 0 would say c = 1 and T = 0.',
    ],
    code="""lesson = sr.data_for("01")
found = sr.match(lesson.confidential, lesson.synthetic, ["Sex", "Town"], ["Job"])
by_hand = found.records[["c", "T"]]""",
    words=lambda d: (
        "A candidate agrees on Sex, Town and the true Job. Over the ten persons c adds up to "
        f"{found(d).c.sum()}, and {found(d)['T'].sum()} of them are among their own candidates."
    ),
)


# 01.1 Finn
def finn(d):
    """c, T and risk of Finn."""
    return found(d).loc["Finn", ["c", "T", "risk"]]


EXERCISE_1 = Exercise(
    id="01.1",
    form=Numbers("c", "T", "risk", digits=2),
    answer=finn,
    mistakes={
        "You looked for the synthetic job; the intruder knows the true one.": (
            lambda d: itself(d.synthetic).loc["Finn", COUNTED]
        ),
        "The risk is T/c, not 1/c: what is T?": lambda d: {"risk": one_over_c(found(d))["Finn"]},
        "You counted in the confidential table; the intruder sees the synthetic one.": (
            lambda d: itself(d.confidential).loc["Finn", ["c"]]
        ),
    },
    hints=[
        "Look up Finn's Sex, Town and true Job, and go through the synthetic table for them.",
        "c counts the rows that fit. T asks whether the row of Finn is one of them.",
    ],
    code="""found = sr.match(mine.confidential, mine.synthetic, ["Sex", "Town"], ["Job"])
answer = found.records.loc["Finn", ["c", "T", "risk"]]""",
    words=lambda d: (
        f"Finn has c = {finn(d).c:.0f} and T = {finn(d)['T']:.0f}, so the risk T/c is "
        f"{say(finn(d).risk)}."
    ),
)


# 01.2 without the town
EXERCISE_2 = Exercise(
    id="01.2",
    form=Table(),
    answer=lambda d: found(d, ["Sex"])[COUNTED],
    mistakes={
        "That is with the town; leave Town out.": lambda d: found(d)[COUNTED],
        "You left out the job; the intruder knows the true job and not the town.": (
            lambda d: match(d.confidential, d.synthetic, ["Sex", "Town"], []).records[COUNTED]
        ),
        "You counted in the confidential table; the intruder sees the synthetic one.": (
            lambda d: itself(d.confidential, ["Sex"])[COUNTED]
        ),
    },
    hints=[
        "Fewer conditions: a candidate must agree on Sex and on the true Job only.",
        "sr.match takes lists of names; which of them holds Town?",
    ],
    code="""found = sr.match(mine.confidential, mine.synthetic, ["Sex"], ["Job"])
answer = found.records[["c", "T"]]""",
    words=lambda d: (
        "One condition less, so nobody loses a candidate: over the ten persons c adds up to "
        f"{found(d, ['Sex']).c.sum()}, with the town it was {found(d).c.sum()}."
    ),
)


# 01.3 the women
def summaries(d, targets=WOMEN):
    """The three summaries for these targets, or for everybody."""
    result = match(d.confidential, d.synthetic, ["Sex", "Town"], ["Job"])
    return result.summary(targets=targets).drop("unique_matches")


def told_of_women(four):
    """Say what makes the three summaries of the women."""
    K, F = four.K.sum(), four.F.sum()
    return (
        f"The risks of the four add up to {say(four.risk.sum())}. Of the N = 4 women "
        f"{counted(K, 'is', 'are')} matched uniquely and correctly, and of the unique matches "
        f"(s = {K + F}) {counted(F, 'is', 'are')} false."
    )


EXERCISE_3 = Exercise(
    id="01.3",
    form=Numbers("expected_match_risk", "true_match_rate", "false_match_rate", digits=2),
    answer=summaries,
    mistakes={
        "These are the summaries of all ten; the targets are four.": lambda d: summaries(d, None),
        "You added up 1/c: the risk is T/c, and not every T is 1.": (
            lambda d: {"expected_match_risk": one_over_c(found(d)).iloc[WOMEN].sum()}
        ),
        "In the true match rate you divided by all ten; N is the number of targets.": (
            lambda d: {"true_match_rate": found(d).K.iloc[WOMEN].sum() / 10}
        ),
        "In the false match rate you divided by N; s counts the targets with c = 1.": (
            lambda d: {"false_match_rate": found(d).F.iloc[WOMEN].sum() / 4}
        ),
    },
    hints=[
        "Add up and count over Ana, Bea, Cleo and Dora only; candidates are still all ten.",
        "summary() has an argument targets: a list of positions, from 0.",
    ],
    code="""found = sr.match(mine.confidential, mine.synthetic, ["Sex", "Town"], ["Job"])
answer = found.summary(targets=[0, 1, 2, 3])""",
    words=lambda d: told_of_women(found(d).iloc[WOMEN]),
)


# 01.4 the true match rate
def true_match_rate(c, T):
    """Σ K / N, with K = 1 where c·T = 1."""
    return sum(ci * Ti == 1 for ci, Ti in zip(c, T, strict=True)) / len(c)


def number_of_true(c, T):
    """Does not divide."""
    return len(c) * true_match_rate(c, T)


def counted_cases(d):
    """The ten persons, and small tables with nobody unique, all unique, some without a match."""
    records = found(d)
    small = [([1, 1, 2], [1, 0, 1]), ([2, 2], [1, 1]), ([1], [1]), ([0, 1, 3, 1], [0, 1, 1, 0])]
    return [(records.c.tolist(), records["T"].tolist()), *small]


EXERCISE_4 = Exercise(
    id="01.4",
    form=Function("true_match_rate(c, T)", counted_cases),
    answer=true_match_rate,
    mistakes={
        "You count every c = 1; a unique match may be false. Use T.": (
            lambda c, T: c.count(1) / len(c)
        ),
        "You divide by s; the true match rate is out of all N.": (
            lambda c, T: number_of_true(c, T) / c.count(1) if 1 in c else np.nan
        ),
        "You count them; a rate is a share, so divide by N.": number_of_true,
        "You count every T = 1, also where c is more than 1.": lambda c, T: sum(T) / len(T),
        "You return per cent; a rate is a share, between 0 and 1.": (
            lambda c, T: 100 * true_match_rate(c, T)
        ),
        "You divide by ten whatever the table; N is len(c).": (
            lambda c, T: number_of_true(c, T) / 10
        ),
    },
    hints=[
        "K is 1 where c times T is 1. How many are there, out of how many?",
        "zip(c, T) goes through both lists at once; sum() adds up True as 1.",
    ],
    words=lambda d: (
        "c times T is 1 only where both are 1. On the ten persons it gives "
        f"{say(true_match_rate(*counted_cases(d)[0]))}."
    ),
)


# 01.5 as it is
def as_it_is(d):
    """The summary of the file matched with itself: its risk counts different combinations."""
    return baseline(d.people, d.known, d.synthesized).summary()


EXERCISE_5 = Exercise(
    id="01.5",
    form=Number(),
    answer=lambda d: as_it_is(d).expected_match_risk,
    mistakes={
        "These are the persons who are alone with their values; the others share a risk.": (
            lambda d: as_it_is(d).unique_matches
        ),
        "That would be everybody with certainty; persons who look alike share one risk.": (
            lambda d: len(d.people)
        ),
        "You left out disability and insurance; the intruder has their true values, too.": (
            lambda d: len(d.people[d.known].drop_duplicates())
        ),
        "Not every combination that is possible occurs in the file.": (
            lambda d: d.people[d.known + d.synthesized].nunique().prod()
        ),
        "That is the released file; here nothing is redrawn.": (
            lambda d: match(d.people, d.released, d.known, d.synthesized).records.risk.sum()
        ),
        "You counted combinations of all ten columns; the intruder has five facts.": (
            lambda d: len(d.people.drop_duplicates())
        ),
    },
    hints=[
        "Section 4: what do c persons who share a combination add up to?",
        "Count the different combinations: drop_duplicates(), or sr.baseline.",
    ],
    code="answer = len(mine.people[mine.known + mine.synthesized].drop_duplicates())",
    words=lambda d: (
        f"c persons with the same values have a risk of 1/c each, together 1: there are "
        f"{as_it_is(d).expected_match_risk:,.0f} different combinations."
    ),
)


# 01.6 decide
def decide(d):
    """What speaks for and against each release, with the numbers.

    In plan B RACE is redrawn among those who agree on the other four variables.
    """
    plan_b = redraw(d.people, ["RACE"], given=["SEX", "MAR", "DIS", "HICOV"], seed=1)
    risk, born = {}, {}
    for plan, file in {"A": d.released, "B": plan_b, "C": d.people}.items():
        matched = match(d.people, file, d.known, d.synthesized)
        risk[plan] = matched.summary().expected_match_risk
        born[plan] = 100 * (file.WAOB[file.RACE == "Asian"] == "Asia").mean()
    risks = f"the expected match risk is {risk['A']:.0f} with A and {risk['B']:.0f} with B"
    use = (
        f"of those recorded as Asian {born['C']:.0f} % were born in Asia, which A leaves alone and "
        f"B turns into {born['B']:.0f} %"
    )
    verdicts = {
        ("A", "use"): f"The price: {risks}; but {use}.",
        ("B", "risk"): f"In numbers, {risks}. The price: {use}.",
        ("A", "risk"): f"Compare the two: {risks}.",
        ("B", "use"): f"You overlook what happens to race: {use}.",
        ("C", "use"): f"It is the most useful, but you overlook the risk: {risk['C']:.0f} against "
        f"{risk['A']:.0f} with A, and every unique match is true.",
        ("C", "risk"): f"It is the riskiest of the three: {risk['C']:.0f}, while {risks}.",
    }
    good = {(one, "risk") for one, other in ("AB", "BA") if risk[one] < risk[other]}
    return {pair: (pair in good | {("A", "use")}, words) for pair, words in verdicts.items()}


EXERCISE_6 = Exercise(
    id="01.6",
    form=Choice(
        {
            "A": "disability and insurance redrawn for everybody",
            "B": "race redrawn for everybody",
            "C": "the file as it is",
        },
        {
            "risk": "an intruder finds fewest",
            "use": "what the file says about race and place of birth (WAOB) stays true",
        },
    ),
    answer=decide,
    hints=[
        "Make file B with redraw, and match both; then compare a table of RACE by WAOB.",
        "No file is best in both; what is yours best in, and does the number say so?",
    ],
    code='answer = ("A", "use")',
    words=lambda d: (
        "A for its use, or B for its risk; risk alone decides nothing. " + decide(d)["A", "use"][1]
    ),
)


EXERCISES = [EXERCISE_0, EXERCISE_1, EXERCISE_2, EXERCISE_3, EXERCISE_4, EXERCISE_5, EXERCISE_6]


# What the website offers of the tick boxes: facts learnt one after the other, and what may be
# synthesized of them.
FACTS = ["SEX", "RACE", "MAR", "DIS", "HICOV"]
ONE_BY_ONE = [tuple(FACTS[:number]) for number in range(6)]
REPLACED = [(), ("MAR",), ("DIS",), ("HICOV",), ("DIS", "HICOV"), ("MAR", "DIS"), tuple(FACTS)]
PEOPLE = [55, 0, 3, 956, 2500, 5000, 7777, 9999]  # for the website

PANELS = [
    LessonPanel(
        "candidates",
        "One target",
        "Who could this be? Change what the intruder knows and what is synthesized.",
        lambda d: matching.candidates_panel(
            d.people, d.known + d.synthesized, d.synthesized, target=55
        ),
        offers={"target": PEOPLE, "knows": ONE_BY_ONE, "synthesized": REPLACED},
    ),
    LessonPanel(
        "file",
        "The whole file",
        "How many candidates has everybody, and what do the three summaries say?",
        lambda d: matching.file_panel(d.people, d.known + d.synthesized, d.synthesized),
        offers={"synthesized": REPLACED},
    ),
    LessonPanel(
        "share",
        "How much is synthesized?",
        "Redraw a larger share of the records, and watch the three summaries.",
        lambda d: matching.share_panel(d.people, d.known, d.synthesized),
    ),
    LessonPanel(
        "game",
        "The intruder game",
        "Ten line-ups: point at a record, and compare with chance and the best intruder.",
        lambda d: intruder_game(d.people, [*d.known, "WAOB"], [*d.synthesized, "LANX", "SCH"]),
    ),
]
