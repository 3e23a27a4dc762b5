"""Lesson 01: count c and T, read the three summaries, decide."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_classroom.dora import Dora
from synthrisk_classroom.exercise import exercise
from synthrisk_classroom.forms import Choice, Estimate, Function, Number, Numbers, OneOf, Table
from synthrisk_classroom.lesson import draw_until, tables, tells_apart
from synthrisk_classroom.prediction import Draw, prediction
from synthrisk_edu.data import in_words, load_acs
from synthrisk_edu.game import deal_game
from synthrisk_edu.matching import baseline, floor, match
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.words import counted, rounded, say

TITLE = "The matching approach"

PERSONS = "Ana Bea Cleo Dora Emil Finn Gus Hugo Ivan Jon".split()
JOBS = "nurse nurse baker baker baker baker nurse nurse cook cook".split()
NEW_JOBS = "nurse baker baker nurse baker cook nurse cook cook nurse".split()
WOMEN = [0, 1, 2, 3]
TOWNS = "AAABAABBBB"
COUNTED = ["c", "T"]


def data(seed=None):
    """Make the ten persons and the 10,000: the lesson's own, or other towns, jobs and a sample."""
    people = in_words(load_acs(), "acs")
    known, synthesized = ["SEX", "RACE", "MAR"], ["DIS", "HICOV"]
    ten = ten_persons(JOBS, NEW_JOBS, TOWNS)
    if seed is not None:
        rng = np.random.default_rng(seed)
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


def ten_persons(jobs, new_jobs, towns):
    """Make the two small tables."""
    columns = {"Sex": list("FFFFMMMMMM"), "Town": list(towns), "Job": list(jobs)}
    confidential = pd.DataFrame(columns, index=PERSONS)
    return SimpleNamespace(confidential=confidential, synthetic=confidential.assign(Job=new_jobs))


def own_ten(rng):
    """Shuffle the jobs in both tables, and the towns of the men."""
    men = list(TOWNS[4:])
    return draw_until(
        lambda: ten_persons(
            jobs=rng.permutation(JOBS),
            new_jobs=rng.permutation(NEW_JOBS),
            towns=[*TOWNS[:4], *rng.permutation(men)],
        ),
        is_telling,
    )


def is_telling(d):
    """Finn has a candidate, not himself; of the women one match is unique and true, one false.

    With T = 1 his synthetic job is the true one, and who looks for it is right by luck in 01.1.
    """
    records = found(d)
    finn, women = records.loc["Finn"], records.iloc[WOMEN]
    is_worth_asking = finn.c > 0 and finn["T"] == 0 and women.K.any() and women.F.any()
    return is_worth_asking and tells_apart(d, "01.1", "01.3")


def found(d, known=("Sex", "Town"), synthesized=("Job",), target=None, among=None):
    """Match the ten persons; `target` and `among` name a table taken for the wrong one."""
    target = d.confidential if target is None else getattr(d, target)
    among = d.synthetic if among is None else getattr(d, among)
    return match(target, among, list(known), list(synthesized)).records


# Dora herself
DORA = "confidential", 3
LIKE = {"Sex": "F", "Town": "B", "Job": "baker"}


def dora(d):
    """What the synthetic jobs do to Dora, whom nobody in town B is like."""
    row = DORA[1]
    c, hit, risk = found(d).iloc[row][["c", "T", "risk"]]
    alone = floor(d.confidential, ["Sex", "Town"]).records.risk.iloc[row]
    words = (
        "No synthetic record is a woman in town B and a baker: who trusts the jobs finds nobody. "
        f"Who ignores them finds her with a risk of {alone:g}, because no other woman lives there."
    )
    return Dora("ten persons, jobs synthesized", c, hit, risk, words)


def found_last():
    """Match the 10,000 of the text: in the notebook this is `found` when the exercises begin."""
    d = tables("01", None)
    return match(d.people, d.released, d.known, d.synthesized)


# The usual mistakes in counting: the wrong one of the two tables.
SYNTHETIC_JOB = "You looked for the synthetic job; the intruder knows the true one."
NOT_THE_TEN = "By now `found` is the match of the 10,000; match the ten persons of `mine` first."
SYNTHETIC = {"target": "synthetic"}
CONFIDENTIAL = {"among": "confidential"}


def one_over_c(records):
    """1/c without T: what the risk would be if the true record were always there."""
    return (1 / records.c).where(records.c > 0, 0)


# 01.0 everybody by hand
@exercise(
    "01.0",
    Table(filled=("Cleo",)),
    story=True,
    hints=[
        "Ana is F, A and a nurse. Which synthetic rows are F, A and nurse? Is Ana's one of them?",
        'A line such as by_hand.loc["Ana"] = 1, 0 would say c = 1 and T = 0.',
    ],
    mistakes={
        SYNTHETIC_JOB: SYNTHETIC,
        "You counted in the confidential half; the intruder sees the synthetic one.": CONFIDENTIAL,
        "With c = 0 nobody matches, so T is 0: look at Dora.": (
            lambda d, r: r.assign(T=r["T"].mask(r.c == 0, 1))
        ),
    },
    code="""found = sr.match(my.story.confidential, my.story.synthetic, ["Sex", "Town"], ["Job"])
by_hand = found.records[["c", "T"]]""",
    words=lambda d, r: (
        "A candidate agrees on Sex, Town and the true Job. Over the ten persons c adds up to "
        f"{r.c.sum()}, and {r['T'].sum()} of them are among their own candidates."
    ),
)
def by_hand(d, **how):
    """Count c and T of everybody."""
    return found(d, **how)[COUNTED]


# 01.1 Finn
@exercise(
    "01.1",
    Numbers("c", "T", "risk", digits=2),
    hints=[
        "Look up Finn's Sex, Town and true Job, and go through the synthetic table for them.",
        "c counts the rows that fit. T asks whether the row of Finn is one of them.",
    ],
    mistakes={
        SYNTHETIC_JOB: lambda d, r: finn(d, **SYNTHETIC)[COUNTED],
        "The risk is T/c, not 1/c: what is T?": lambda d, r: {"risk": 1 / r.c},
        "You counted in the confidential table; the intruder sees the synthetic one.": (
            lambda d, r: finn(d, **CONFIDENTIAL)[["c"]]
        ),
    },
    code="""found = sr.match(mine.confidential, mine.synthetic, ["Sex", "Town"], ["Job"])
answer = found.records.loc["Finn", ["c", "T", "risk"]]""",
    words=lambda d, r: (
        f"Finn has c = {r.c:.0f} and T = {r['T']:.0f}, so the risk T/c is {say(r.risk)}: his own "
        "record has another job by now, and whoever is pointed at is somebody else."
    ),
)
def finn(d, **how):
    """c, T and risk of Finn, who has a candidate."""
    return found(d, **how).loc["Finn", ["c", "T", "risk"]]


# 01.2 without the town
@exercise(
    "01.2",
    Table(),
    hints=[
        "Fewer conditions: a candidate must agree on Sex and on the true Job only.",
        "sr.match takes lists of names; which of them holds Town?",
    ],
    mistakes={
        "That is with the town; leave Town out.": {"known": ["Sex", "Town"]},
        "You left out the job; the intruder knows the true job and not the town.": {
            "known": ["Sex", "Town"],
            "synthesized": [],
        },
        "You left out the job as well; the intruder has the sex and the true job.": {
            "synthesized": []
        },
        "You left out the sex and kept the town; it is the other way round.": {"known": ["Town"]},
        "You counted in the confidential table; the intruder sees the synthetic one.": CONFIDENTIAL,
    },
    code="""found = sr.match(mine.confidential, mine.synthetic, ["Sex"], ["Job"])
answer = found.records[["c", "T"]]""",
    words=lambda d, r: (
        "One condition less, so nobody loses a candidate: over the ten persons c adds up to "
        f"{r.c.sum()}, with the town it was {found(d).c.sum()}."
    ),
)
def without_town(d, known=("Sex",), **how):
    """Count c and T of everybody, for who does not know the town."""
    return found(d, known, **how)[COUNTED]


# 01.3 the women
def told_of_women(four):
    """Say what makes the three summaries of the women."""
    K, F = four.K.sum(), four.F.sum()
    return (
        f"The risks of the four add up to {say(four.risk.sum())}. Of the N = 4 women "
        f"{counted(K, 'is', 'are')} matched uniquely and correctly, and of the unique matches "
        f"(s = {K + F}) {counted(F, 'is', 'are')} false."
    )


@exercise(
    "01.3",
    Numbers("expected_match_risk", "true_match_rate", "false_match_rate", digits=2),
    hints=[
        "Add up and count over Ana, Bea, Cleo and Dora only; candidates are still all ten.",
        "summary() has an argument targets: a list of positions. Ana has position 0, Dora 3.",
    ],
    mistakes={
        NOT_THE_TEN: lambda d, r: found_last().summary(targets=WOMEN),
        "By now `found` is the match of the 10,000, and these are all its targets.": (
            lambda d, r: found_last().summary()
        ),
        "These are the summaries of all ten; the targets are four.": {"targets": None},
        "A rate is a share: divide the number of K by N, and that of F by s.": (
            lambda d, r: {
                "true_match_rate": found(d).K.iloc[WOMEN].sum(),
                "false_match_rate": found(d).F.iloc[WOMEN].sum(),
            }
        ),
        "You added up 1/c: the risk is T/c, and not every T is 1.": (
            lambda d, r: {"expected_match_risk": one_over_c(found(d)).iloc[WOMEN].sum()}
        ),
        "In the true match rate you divided by all ten; N is the number of targets.": (
            lambda d, r: {"true_match_rate": found(d).K.iloc[WOMEN].sum() / 10}
        ),
        "In the true match rate you divided by s; it is out of all N targets.": (
            lambda d, r: {"true_match_rate": 1 - r.false_match_rate}
        ),
        "In the false match rate you divided by N; s counts the targets with c = 1.": (
            lambda d, r: {"false_match_rate": found(d).F.iloc[WOMEN].sum() / 4}
        ),
    },
    code="""found = sr.match(mine.confidential, mine.synthetic, ["Sex", "Town"], ["Job"])
answer = found.summary(targets=[0, 1, 2, 3])""",
    words=lambda d, r: told_of_women(found(d).iloc[WOMEN]),
)
def summaries(d, targets=WOMEN):
    """The three summaries for these targets, or for everybody."""
    return match(d.confidential, d.synthetic, ["Sex", "Town"], ["Job"]).summary(targets=targets)


# 01.4 the true match rate
def number_of_true(c, T):
    """Does not divide."""
    return len(c) * true_match_rate(c, T)


def counted_cases(d):
    """The ten persons, and small tables: all unique, some without a match, none of them true.

    Somebody is unique in each: else who divides by s is stopped by the 0, and not told of s.
    """
    records = found(d)
    small = [([1, 1, 2], [1, 0, 1]), ([2, 1], [1, 0]), ([1], [1]), ([0, 1, 3, 1], [0, 1, 1, 0])]
    return [(records.c.tolist(), records["T"].tolist()), *small]


@exercise(
    "01.4",
    Function("true_match_rate(c, T)", counted_cases),
    hints=[
        "K is 1 where c times T is 1. How many are there, out of how many?",
        "zip(c, T) goes through both lists at once; sum() adds up True as 1.",
    ],
    mistakes={
        "You count every c = 1; a unique match may be false. Use T.": (
            lambda c, T: c.count(1) / len(c)
        ),
        "You divide by s; the true match rate is out of all N.": (
            lambda c, T: number_of_true(c, T) / c.count(1)
        ),
        "Your function looks at `found`, by now the match of the 10,000; use its own c and T.": (
            lambda c, T: found_last().summary().true_match_rate
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
    words=lambda d, r: (
        "c times T is 1 only where both are 1, so K counts the unique matches that are true; N "
        f"counts everybody, matched or not. On the ten persons it gives {say(float(r[0]))}."
    ),
)
def true_match_rate(c, T):
    """Σ K / N, with K = 1 where c·T = 1."""
    return sum(ci * Ti == 1 for ci, Ti in zip(c, T, strict=True)) / len(c)


# 01.5 as it is
@exercise(
    "01.5",
    Number(),
    hints=[
        "Section 4: what do c persons who share a combination add up to?",
        "Count the different combinations: drop_duplicates(), or sr.baseline.",
    ],
    mistakes={
        "These are the persons who are alone with their values; the others share a risk.": {
            "what": "unique_matches"
        },
        "That would be everybody with certainty; persons who look alike share one risk.": (
            lambda d, r: len(d.people)
        ),
        "You left out disability and insurance; the intruder has their true values, too.": {
            "synthesized": []
        },
        "Not every combination that is possible occurs in the file.": (
            lambda d, r: d.people[d.known + d.synthesized].nunique().prod()
        ),
        "That is the released file; here nothing is redrawn.": (
            lambda d, r: round(
                match(d.people, d.released, d.known, d.synthesized).records.risk.sum()
            )
        ),
        "You counted combinations of all ten columns; the intruder has five facts.": (
            lambda d, r: len(d.people.drop_duplicates())
        ),
    },
    code="answer = len(mine.people[mine.known + mine.synthesized].drop_duplicates())",
    words=lambda d, r: (
        f"c persons with the same values have a risk of 1/c each, together 1: there are {r:,.0f} "
        "different combinations."
    ),
    further=True,
)
def as_it_is(d, synthesized=None, what="expected_match_risk"):
    """The risk of the file matched with itself: it counts different combinations."""
    synthesized = d.synthesized if synthesized is None else synthesized
    return baseline(d.people, d.known, synthesized).summary()[what]


# 01.6 decide
@exercise(
    "01.6",
    Choice(
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
    hints=[
        "Make file B with redraw, and match both; then compare a table of RACE by WAOB.",
        "No file is best in both; what is yours best in, and does the number say so?",
    ],
    code='answer = ("A", "use")',
    words=lambda d, r: (
        f"A for its use, or B for its risk; risk alone decides nothing. {r['A', 'use'][1]}"
    ),
)
def decide(d):
    """What speaks for and against each release, with the numbers.

    In plan B RACE is redrawn among those who agree on the other four variables.
    """
    others = ["SEX", "MAR", "DIS", "HICOV"]
    plan_b = redraw(d.people, ["RACE"], given=others, seed=1)
    plans = {
        "A": (d.released, d.known, d.synthesized),
        "B": (plan_b, others, ["RACE"]),
        "C": (d.people, d.known, d.synthesized),
    }
    risk = {}
    born = {}
    for plan, (file, known, synthesized) in plans.items():
        matched = match(d.people, file, known, synthesized)
        risk[plan] = matched.summary().expected_match_risk
        born[plan] = 100 * (file.WAOB[file.RACE == "Asian"] == "Asia").mean()
    risks = f"the expected match risk is {risk['A']:.0f} with A and {risk['B']:.0f} with B"
    why = "race has the rare values, and A leaves them as they are"
    use = (
        f"of those recorded as Asian {born['C']:.0f} % were born in Asia, which A leaves alone and "
        f"B turns into {born['B']:.0f} %"
    )
    verdicts = {
        ("A", "use"): f"The price: {risks}; but {use}.",
        ("B", "risk"): f"In numbers, {risks}, because {why}. The price: {use}.",
        ("A", "risk"): f"Compare the two: {risks}, because {why}.",
        ("B", "use"): f"You overlook what happens to race: {use}.",
        ("C", "use"): f"It is the most useful, but you overlook the risk: {risk['C']:.0f} against "
        f"{risk['A']:.0f} with A, and every unique match is true.",
        ("C", "risk"): f"It is the riskiest of the three: {risk['C']:.0f}, while {risks}.",
    }
    good = {(one, "risk") for one, other in ("AB", "BA") if risk[one] < risk[other]}
    return {pair: (pair in good | {("A", "use")}, words) for pair, words in verdicts.items()}


# 01.7 change one line
def record_tables(d):
    """Tables of c, T, K, F and risk: of both files, of a crowd and of one who stands alone."""
    ten = d.confidential, d.synthetic, ["Sex", "Town"], ["Job"]
    large = d.people, d.released, d.known, d.synthesized
    crowd, alone = (pd.DataFrame({"Job": [job, *["cook"] * 4]}) for job in ("cook", "pilot"))
    small = [(crowd, crowd, [], ["Job"]), (alone, alone[::-1].reset_index(drop=True), [], ["Job"])]
    return [(match(*one).records,) for one in (ten, large, *small)]


def package_rate(records):
    """The package's own: ΣF over s, undefined when nobody is matched uniquely."""
    s = (records.c == 1).sum()
    return records.F.sum() / s if s else np.nan


def told_of_all(d, r):
    """Say what both rates are on the large file, and in a crowd."""
    ours = package_rate(match(d.people, d.released, d.known, d.synthesized).records)
    return (
        f"On the large file your rate is {say(float(r[1]))}, ours {say(ours)}. Nearly everybody "
        "has more than one candidate. So out of all N the rate is tiny, and it hides how often a "
        "unique match is wrong. In a crowd it is 0. That sounds as if every unique match were "
        "true, and there is none."
    )


@exercise(
    "01.7",
    Function("false_match_rate(records)", record_tables),
    hints=[
        "In section 3 the package's line is: chosen.F.sum() / s if s else np.nan. What is s?",
        "N is the number of rows, len(records). It is never 0, so no `if` is needed.",
    ],
    mistakes={
        "That is the package's own rate, out of s; change it to be out of all N.": package_rate,
        "You count the true ones, K; the false ones are marked by F.": (
            lambda records: records.K.sum() / len(records)
        ),
        "You count all unique matches; only the false ones are meant, F.": (
            lambda records: (records.c == 1).sum() / len(records)
        ),
        "You count them; a rate is a share, so divide by N.": lambda records: records.F.sum(),
        "You return per cent; a rate is a share, between 0 and 1.": (
            lambda records: 100 * false_match_rate(records)
        ),
        "You return a column; add it up first, with .sum().": (
            lambda records: records.F / len(records)
        ),
        "You count every T = 0; F is 1 only where c is 1 as well.": (
            lambda records: (records["T"] == 0).mean()
        ),
    },
    words=told_of_all,
    further=True,
)
def false_match_rate(records):
    """ΣF / N: the share of all targets with a unique match that is false."""
    return records.F.sum() / len(records)


# ------------------------------------------------------------------ predicted before a panel
FACTS = ("SEX", "RACE", "MAR", "DIS", "HICOV")
WITHOUT_RACE = ("SEX", "MAR", "DIS", "HICOV")


@prediction(
    "01.a",
    OneOf(
        {
            "up": "c goes up, T stays 1",
            "lost": "c goes up, T becomes 0",
            "down": "c goes down",
        }
    ),
    "Target 55 has c = 5 and T = 1. The intruder forgets the race. What happens to c and to T?",
    mistakes={
        "Who asks for less never loses a record that fits.": lambda panel, r: "lost",
        "Fewer conditions, more records that fit.": lambda panel, r: "down",
    },
    words=lambda panel, r: (
        "A record that fits five facts fits four of them as well, so none is lost, not even her "
        f"own, and others come in: {forgotten(panel).c:.0f} records fit without the race."
    ),
    at={"target": 55, "knows": WITHOUT_RACE, "synthesized": FACTS[3:]},
)
def without_race(panel):
    """What becomes of c and T."""
    record = forgotten(panel)
    return "down" if record.c < 5 else "up" if record["T"] else "lost"


def forgotten(panel):
    """C and T of target 55 for an intruder who forgets the race."""
    found = panel.compute(target=55, knows=WITHOUT_RACE, synthesized=FACTS[3:]).match
    return found.records.loc[55]


@prediction(
    "01.b",
    Estimate(near=0.3),
    "With all five facts an intruder expects 57 correct matches. How many without the race?",
    mistakes={
        "That is as with the race.": {"knows": FACTS},
        "That is in the confidential file.": {"file": "confidential"},
    },
    words=lambda panel, r: (
        "Race has the rare values. Without it most people look alike, so that the floor falls as "
        f"well, to {rounded(risk_of_file(panel, file='floor'))}."
    ),
    at={"knows": WITHOUT_RACE, "synthesized": FACTS[3:]},
)
def risk_of_file(panel, knows=WITHOUT_RACE, file="synthetic"):
    """The expected match risk of a file for an intruder with these facts."""
    return panel.compute(knows, FACTS[3:]).summaries[file].expected_match_risk


@prediction(
    "01.c",
    Estimate("25 %", "50 %", "75 %", near=0.1),
    "With none redrawn 172 guesses are correct, with all redrawn 57. And with 25, 50 and 75 %?",
    mistakes={
        "You expect little protection before all are redrawn.": (
            lambda panel, r: dict.fromkeys(r, 172)
        ),
        "You expect most protection from the first records.": lambda panel, r: dict.fromkeys(r, 60),
    },
    words=lambda panel, r: (
        "It falls nearly in a line, because every redrawn record takes away its own part of the "
        "risk, whichever come first."
    ),
    draw=Draw([(0, 25), (0, 50), (0, 75)], moves="percent"),
    at={"percent": 50},
)
def partly_redrawn(panel):
    """The expected match risk at three shares."""
    shares = (25, 50, 75)
    return {f"{one} %": panel.compute(percent=one).now.expected_match_risk for one in shares}


@prediction(
    "01.d",
    OneOf({"none": "none", "chance": "about three", "most": "seven or more"}),
    "All records are redrawn. How many of ten does the best possible intruder find, on average?",
    mistakes={
        "That would be with no record redrawn.": lambda panel, r: "most",
        "A match is still right now and then, as a blind guess is.": lambda panel, r: "none",
    },
    words=lambda panel, r: (
        "All drew from the same true values, so a record that matches may be anybody's."
    ),
    at={"percent": 100},
)
def best_at_100(panel):
    """How many the best intruder finds, compared with chance."""
    dealt = [deal_game(panel.data, panel.known, panel.synthesized, n, 100) for n in range(1, 11)]
    best, chance = (np.mean([getattr(game, who)() for game in dealt]) for who in ("best", "chance"))
    return "none" if best < 1 else "chance" if abs(best - chance) < 1.5 else "most"
