"""Lesson 03, the ACS example: strangers from a model, several files, and who stays at risk."""

from functools import lru_cache

import numpy as np
import pandas as pd

from synthrisk_classroom.dora import Dora
from synthrisk_classroom.exercise import exercise, recall
from synthrisk_classroom.forms import Choice, Estimate, Function, Number, Numbers, OneOf
from synthrisk_classroom.prediction import Draw, prediction
from synthrisk_edu.data import in_words, load_acs, load_acs_synthetics, load_results
from synthrisk_edu.intruder import intruder_risk
from synthrisk_edu.matching import baseline, floor, match
from synthrisk_edu.sweep import match_all, record_risk
from synthrisk_edu.synthesis import synthesize_dpmpm
from synthrisk_edu.words import say

TITLE = "The ACS example"
OWN_ROWS = 3000  # persons in a student's own files: few, so that a class is graded in half a minute


def data(seed=None):
    """Make the ten persons, and take the 10,000 with 20 synthetic files, or some of their rows."""
    marital = "widowed widowed married married single single single single married married"
    ten = pd.DataFrame({"class": list("AAAABBBBBB"), "MAR": marital.split()})
    ten["DIS"] = "yes yes yes no no no no no no yes".split()
    files = [in_words(file, "acs") for file in [load_acs(), *load_acs_synthetics()]]
    if seed is not None:
        rng = np.random.default_rng(seed)
        rows = np.sort(rng.choice(len(files[0]), OWN_ROWS, replace=False))
        files = [file.iloc[rows].reset_index(drop=True) for file in files]
    return {
        "people": files[0],
        "released": files[1:],
        "known": ["SEX", "RACE", "MAR"],
        "synthesized": ["DIS", "HICOV"],
        "ten": ten,
        "drawn": ten.assign(DIS="yes no yes yes no no no yes no no".split()),
    }


def matched(d, file=None):
    """Match with the first synthetic file, or with another one."""
    return match(d.people, d.released[0] if file is None else file, d.known, d.synthesized)


def total_risk(d, file=None):
    """The expected match risk of the first synthetic file, or of another one."""
    return matched(d, file).summary().expected_match_risk


@lru_cache(maxsize=32)  # several mistakes ask for it, each in a tenth of a second
def all_files(d):
    """The summaries of all 20 files."""
    return match_all(d.people, d.released, d.known, d.synthesized)


# What lesson 02 has taught
BEFORE = "02_radius_illustrations"

recall(
    "03.r1",
    {
        "a": "how far the office has moved the values",
        "b": "how far from the true value a record may lie and still count",
        "c": "how sure the intruder has to be",
    },
    "b",
    "It is the tolerance of the search; it moves no value.",
    (BEFORE, "1. Why equality is not enough"),
)
recall(
    "03.r2",
    {
        "a": "it can turn from 1 to 0",
        "b": "nothing, T does not depend on the radius",
        "c": "it can turn from 0 to 1",
    },
    "c",
    "A wider range takes in the own record at some point, and never loses it again.",
    (BEFORE, "3. Panel: one variable"),
)
recall(
    "03.r3",
    {
        "a": "the one at which the expected match risk is highest",
        "b": "the smallest one, for it searches most closely",
        "c": "the one at which most records are candidates",
    },
    "a",
    "An intruder would choose the radius that serves best, so one reports that.",
    (BEFORE, "5. The whole file, and the radius to report"),
)


# Dora has no age here, and no town: the first widow who has stayed in her house
DORA = "people", 22
LIKE = {"SEX": "female", "MAR": "widowed", "MIG": "same house", "SCH": "not enrolled"}


def dora(d):
    """What the first file of the model does to her."""
    row = DORA[1]
    c, hit, risk = matched(d).records.loc[row, ["c", "T", "risk"]]
    alike = floor(d.people, d.known).records.c[row]
    true = baseline(d.people, d.known, d.synthesized).records.c[row]
    drawn = "the values she had" if hit else "other values than she had"
    words = (
        f"She drew {drawn}. With the confidential file an intruder would guess among {true} "
        f"persons. Who looks at sex, race and marital status alone (the floor) guesses among "
        f"{alike}. She has many look-alikes, and each of them hides her a little."
    )
    return Dora("10,000 persons, two variables by DPMPM (file 1)", c, hit, risk, words)


# 03.1 sums of K, F
@exercise(
    "03.1",
    Numbers("K", "F"),
    hints=[
        "found = sr.match(mine.people, mine.released[0], mine.known, mine.synthesized) is file 1.",
        "K and F are columns of found.records, and a sum of zeros and ones counts the ones.",
    ],
    mistakes={
        "These are the sums of the confidential file; the question is about the synthetic.": (
            lambda d, r: sums(d, d.people)
        ),
        "These are shares of all persons; add up K and F, do not average them.": (
            lambda d, r: r / len(d.people)
        ),
        "You have exchanged them: K is unique and true, F unique and false.": (
            lambda d, r: {"K": r["F"], "F": r["K"]}
        ),
        "That is file 2: Python counts from 0, and file 1 is mine.released[0].": (
            lambda d, r: sums(d, d.released[1])
        ),
        "Your F is s, all unique matches; F counts the false ones among them.": (
            lambda d, r: {"F": r.sum()}
        ),
        "Your K is s, all unique matches; K counts the true ones among them.": (
            lambda d, r: {"K": r.sum()}
        ),
        "You added up T: K asks for T = 1 and c = 1.": (
            lambda d, r: {"K": matched(d).records["T"].sum()}
        ),
        "You counted every T = 0: F asks for c = 1 as well.": (
            lambda d, r: {"F": (matched(d).records["T"] == 0).sum()}
        ),
    },
    code="""found = sr.match(mine.people, mine.released[0], mine.known, mine.synthesized)
answer = found.records[["K", "F"]].sum()""",
    words=lambda d, r: (
        f"Of the unique matches {r['K']} are true and {r['F']} false. Each is one or the other, so "
        f"they add up to s = {r.sum()}."
    ),
)
def sums(d, file=None):
    """Σ K and Σ F in file 1."""
    return matched(d, file).records[["K", "F"]].sum()


# 03.2 the men
def share_of_men(d):
    """Return which part of the file are men."""
    return (d.people.SEX == "male").mean()


@exercise(
    "03.2",
    Number(digits=1),
    hints=[
        "np.flatnonzero(mine.people.SEX == 'male') gives the positions of the men.",
        "found.summary(targets=men) takes positions; candidates are still searched among all. "
        "(found.records.risk[mine.people.SEX == 'male'].sum() is the same sum.)",
    ],
    mistakes={
        "These are the women.": {"sex": "female"},
        "That is everybody; add up over the men only.": lambda d, r: total_risk(d),
        "You added up 1/c: the risk is T/c, and many T are 0.": (
            lambda d, r: (1 / matched(d).records.c[d.people.SEX == "male"].replace(0, np.inf)).sum()
        ),
        "That is almost 0. Is it a mean? The expected match risk is a sum. Or have you chosen "
        "nobody? The values of SEX are male and female.": lambda d, r: r / len(d.people),
        "That is half of the total; add up the men's own risks.": lambda d, r: total_risk(d) / 2,
        "Half of the persons need not carry half of the risk: add up the men's own.": (
            lambda d, r: total_risk(d) * share_of_men(d)
        ),
    },
    code="""found = sr.match(mine.people, mine.released[0], mine.known, mine.synthesized)
men = np.flatnonzero(mine.people.SEX == "male")
answer = found.summary(targets=men).expected_match_risk""",
    words=lambda d, r: (
        f"The men's risks add up to {r:.1f} of {total_risk(d):.1f}, {100 * r / total_risk(d):.0f} "
        f"%; men are {100 * share_of_men(d):.0f} % of the file."
    ),
    further=True,
)
def risk_of(d, sex="male"):
    """Add up the risk over the persons of one sex."""
    return matched(d).records.risk[d.people.SEX.eq(sex)].sum()


# 03.3 at most k others
def few_cases(d):
    """Two small matches, each with several k."""
    small = d.people.head(400)
    files = [d.released[number].head(400) for number in (0, 1)]
    found = [match(small, file, d.known, d.synthesized) for file in files]
    return [(one, k) for one in found for k in (1, 2, 5, 10, 50)]


@exercise(
    "03.3",
    Function("true_match_rate_at_most(found, k)", few_cases),
    hints=[
        'found.records["T"] == 1 and found.records.c <= k are columns of True and False; join the '
        "two with &, each in brackets.",
        "The mean of True and False is the share of True.",
    ],
    mistakes={
        "Your function gives per cent; return the share, between 0 and 1.": (
            lambda found, k: 100 * true_match_rate_at_most(found, k)
        ),
        "You return how many persons; return their share of all.": (
            lambda found, k: true_match_rate_at_most(found, k) * len(found.records)
        ),
        'Do not write records.T: it turns the table on its side. The column T is records["T"].': (
            lambda found, k: ((found.records.T == 1) & (found.records.c <= k)).mean()
        ),
        "You forgot T: the true record must be among the candidates.": (
            lambda found, k: (found.records.c <= k).mean()
        ),
        "At most k includes k itself.": lambda found, k: true_match_rate_at_most(found, k - 1),
        "At most k includes the smaller numbers, too.": (
            lambda found, k: (found.records["T"] * found.records.c == k).mean()
        ),
        "You divide by the persons with T = 1; the share is out of all.": (
            lambda found, k: true_match_rate_at_most(found, k) / found.records["T"].mean()
        ),
        "You add up risks; count the persons.": (
            lambda found, k: found.records.query("c <= @k").risk.sum() / len(found.records)
        ),
    },
    words=lambda d, r: (
        "For k = 1 it is the true match rate, "
        f"{say(true_match_rate_at_most(matched(d), 1))} in file 1; for k = 5 it is "
        f"{say(true_match_rate_at_most(matched(d), 5))}. The true match rate alone misses those "
        "with two to five candidates."
    ),
    further=True,
)
def true_match_rate_at_most(found, k):
    """Return the share of persons with T = 1 and at most k candidates."""
    records = found.records
    return ((records["T"] == 1) & (records.c <= k)).mean()


# 03.4 the average of the rates
def false_matches(d):
    """Σ F over all files: the false match rate of each times its s."""
    return (all_files(d).false_match_rate * all_files(d).unique_matches).sum()


def pooled(d):
    """Σ F / Σ s over all files: not the average of the rates."""
    return false_matches(d) / all_files(d).unique_matches.sum()


@exercise(
    "03.4",
    Number(digits=4),
    hints=[
        "sr.match_all gives one row for each file.",
        "Compute the rate in every file first, then average the 20 rates.",
    ],
    mistakes={
        "You pooled all unique matches; the rule is a rate for each file, then the mean.": (
            lambda d, r: pooled(d)
        ),
        "That is the first file alone.": lambda d, r: matched(d).summary().false_match_rate,
        "You divided by n instead of s: the rate is out of the unique matches.": (
            lambda d, r: false_matches(d) / len(d.released) / len(d.people)
        ),
        "That is the share of true ones among the unique matches.": lambda d, r: 1 - r,
        "That is the median; the rule takes the mean.": {"average": "median"},
    },
    code="""table = sr.match_all(mine.people, mine.released, mine.known, mine.synthesized)
answer = table.false_match_rate.mean()""",
    words=lambda d, r: (
        f"The mean of the 20 rates is {r:.4f}. Pooling all unique matches gives {pooled(d):.4f}: "
        "files with many of them would count for more."
    ),
    further=True,
)
def false_match_rate(d, average="mean"):
    """The false match rate of every file, averaged."""
    return all_files(d).false_match_rate.agg(average)


# 03.5 still at risk
@lru_cache(maxsize=32)  # several mistakes ask for it, each in a tenth of a second
def risks(d):
    """Every person's risk in each file, and the mean."""
    return record_risk(d.people, d.released, d.known, d.synthesized)


def in_any_file(d):
    """Count who is above 0.25 in at least one file."""
    return (risks(d).drop(columns="mean") > 0.25).any(axis=1).sum()


@exercise(
    "03.5",
    Numbers("mean", "file_1"),
    hints=[
        "sr.record_risk(mine.people, mine.released, mine.known, mine.synthesized) has a column for "
        "each file, 1 to 20, and one called mean.",
        'Compare risks["mean"] and risks[1] with 0.25, and count: a sum of True and False counts '
        "the True.",
    ],
    mistakes={
        "You have exchanged the two; the mean comes first.": (
            lambda d, r: {"mean": r["file_1"], "file_1": r["mean"]}
        ),
        "For the mean you counted who is above it in at least one file; take the mean first.": (
            lambda d, r: {"mean": in_any_file(d)}
        ),
        "That is file 2: the columns of record_risk are counted from 1, so file 1 is risks[1].": (
            lambda d, r: {"file_1": above(d, file=2)["file_1"]}
        ),
        "That is for 0.2, as in section 6.": {"limit": 0.2},
    },
    code="""risks = sr.record_risk(mine.people, mine.released, mine.known, mine.synthesized)
answer = [(risks["mean"] > 0.25).sum(), (risks[1] > 0.25).sum()]""",
    words=lambda d, r: (
        f"The mean risk of {r['mean']} persons is above 0.25. In file 1 it is {r['file_1']} "
        f"persons, in at least one of the files {in_any_file(d)}: a single file shows luck as well."
    ),
)
def above(d, limit=0.25, file=1):
    """Count whose risk is above a limit: on average, and in one file."""
    return {"mean": (risks(d)["mean"] > limit).sum(), "file_1": (risks(d)[file] > limit).sum()}


# 03.6 race as well
RACE_TOO = ["RACE", "DIS", "HICOV"]


@lru_cache(maxsize=32)  # asked for by every mistake, and takes half a second
def file_with_race(d):
    """Make a file in which race is synthesized as well."""
    return synthesize_dpmpm(d.people, RACE_TOO, iterations=200, seed=1)[0]


def floor_of(d, known):
    """The floor of an intruder for whom these are known."""
    return floor(d.people, known).summary().expected_match_risk


@exercise(
    "03.6",
    Numbers("risk", "floor", digits=1),
    hints=[
        "sr.synthesize_dpmpm returns a list; take its entry 0. RACE is one of the synthesized "
        "variables now, so only SEX and MAR are known.",
        'sr.match(mine.people, file, ["SEX", "MAR"], ["RACE", "DIS", "HICOV"]) gives the risk, and '
        'sr.floor(mine.people, ["SEX", "MAR"]) the floor; both have a .summary().',
    ],
    mistakes={
        "You left RACE in known: it is synthesized now, so the floor may not use it.": (
            lambda d, r: {"floor": floor_of(d, d.known)}
        ),
        "The risk is that of file 1, in which RACE is the true one.": (
            lambda d, r: {"risk": total_risk(d)}
        ),
        "You left RACE out of the risk: the intruder still has the true race of the target.": {
            "searched": ["DIS", "HICOV"]
        },
        "You matched the confidential file with itself.": (
            lambda d, r: {"risk": total_risk(d, d.people)}
        ),
        "That is who falls back; the question is about who gives up.": {"fallback": True},
    },
    code="""variables = ["RACE", "DIS", "HICOV"]
file = sr.synthesize_dpmpm(mine.people, variables, iterations=200, seed=1)[0]
found = sr.match(mine.people, file, ["SEX", "MAR"], variables)
floor = sr.floor(mine.people, ["SEX", "MAR"])
answer = [one.summary().expected_match_risk for one in (found, floor)]""",
    words=lambda d, r: (
        f"The risk falls from {total_risk(d):.1f} to {r['risk']:.1f}, and the floor from "
        f"{floor_of(d, d.known):.0f} to {r['floor']:.0f}: rare races, which gave persons away, are "
        "drawn anew. Above the new floor lies what the synthetic race still tells. But look at a "
        "table of RACE by MAR, true and synthetic: what has it cost?"
    ),
)
def with_race(d, searched=tuple(RACE_TOO), fallback=False):
    """The expected match risk if race is synthesized as well, and the floor."""
    question = d.people, file_with_race(d), ["SEX", "MAR"], list(searched)
    found = match(*question, fallback=fallback)
    return {"risk": found.summary().expected_match_risk, "floor": floor_of(d, ["SEX", "MAR"])}


# 03.7 decide
def all_at_once(d, m):
    """The expected match risk of one who uses the first m files at once."""
    return intruder_risk(d.people, d.released[:m], d.known, d.synthesized).summary().expected


@exercise(
    "03.7",
    Choice(
        {"1": "one file", "20": "twenty files"},
        {
            "lower average": "the average risk of the files is lower",
            "less to study": "an intruder has fewer files to compare",
            "steady": "what we report depends less on luck",
            "analysts": "analysts can see how uncertain their results are",
        },
    ),
    hints=[
        "Section 5: how far apart are single files, and does their average have a direction?",
        "Who gains from several files: analysts, or intruders, or both?",
    ],
    code='answer = ("20", "analysts")',
    words=lambda d, r: f"Both can be defended. For twenty: {r['20', 'analysts'][1]}",
)
def decide(d):
    """What speaks for one file or for twenty, with the numbers."""
    risk = all_files(d).expected_match_risk
    spread = f"single files range from {risk.min():.0f} to {risk.max():.0f}, the mean is "
    spread += f"{risk.mean():.0f}"
    gain = f"an intruder with one file expects {all_at_once(d, 1):.0f} right matches, one with "
    gain += f"all 20 expects {all_at_once(d, 20):.0f}"
    good = {("1", "less to study"), ("20", "steady"), ("20", "analysts")}
    verdicts = {
        ("1", "less to study"): f"An intruder cannot combine files: {gain}. The price: {spread}, "
        "so the risk of the one you publish is partly luck, and analysts cannot see how uncertain "
        "it is.",
        ("20", "steady"): f"In numbers, {spread}: a report on 20 rests on less luck. The price: "
        f"{gain}.",
        ("20", "analysts"): f"Rules for combining estimates need several files. The price: {gain}.",
        ("1", "steady"): f"You overlook luck: {spread}.",
        ("1", "analysts"): "That speaks for several files: one cannot show how files differ. For "
        "one file there are formulas, but they trust the model that made it.",
        ("20", "less to study"): f"Twenty files are more to study, not less: {gain}.",
        ("1", "lower average"): f"An average over files has no direction: {spread}, and one file "
        f"may lie above it. What is lower is another number, that of all files at once: {gain}. "
        'Its reason is "less to study".',
        ("20", "lower average"): f"An average is steadier, not lower: {spread}; and {gain}.",
    }
    return {pair: (pair in good, words) for pair, words in verdicts.items()}


# 03.8 change one line
def counts_of(d, file):
    """Return c and T in one file, and how many are alike on what is known."""
    records = matched(d, file).records
    columns = records.c, records["T"], floor(d.people, d.known).records.c
    return tuple(column.to_numpy() for column in columns)


def lost(d):
    """Tell what file 1 gives to who gives up and to who falls back."""
    c, T, alike = counts_of(d, d.released[0])
    return (c == 0).sum(), gives_up(c, T, alike).sum(), fall_back(c, T, alike).sum()


def gives_up(c, T, alike):
    """Return everybody's risk: 0 where nobody matches, the line as it was."""
    return np.where(c > 0, T / np.maximum(c, 1), 0)


@exercise(
    "03.8",
    Function("risks(c, T, alike)", lambda d: [counts_of(d, file) for file in d.released[:2]]),
    hints=[
        "np.where(c > 0, a, b) takes a where somebody matches, and b where nobody does. (if c > 0 "
        "cannot: it decides once, and here every person needs a decision.)",
        "Where nobody matches, one of `alike` records is the own one. What is the chance to guess "
        "it? Write that in place of the 0.",
    ],
    mistakes={
        "Where nobody matches, your risk is still 0 (T is 0 there, too); the own record is always "
        "among those alike.": gives_up,
        "Your intruder ignores what was synthesized: that is the floor. Fall back only where c is "
        "0.": lambda c, T, alike: 1 / alike,
        "Where nobody matches your risk is 1: the guess is one among those alike.": (
            lambda c, T, alike: np.where(c > 0, T / np.maximum(c, 1), 1)
        ),
        "Where nobody matches you return how many are alike; the risk is 1 divided by that.": (
            lambda c, T, alike: np.where(c > 0, T / np.maximum(c, 1), alike)
        ),
        "You divide by all persons, len(alike); alike itself has one number for each person.": (
            lambda c, T, alike: np.where(c > 0, T / np.maximum(c, 1), 1 / len(alike))
        ),
        "You forgot T: where somebody matches, the own record need not be among them.": (
            lambda c, T, alike: np.where(c > 0, 1 / np.maximum(c, 1), 1 / alike)
        ),
        "You return the sum; return one risk for each person.": (
            lambda c, T, alike: fall_back(c, T, alike).sum()
        ),
    },
    words=lambda d, r: (
        "In file 1 nobody matches {} persons. Who gives up on them is right {:.1f} times, and who "
        "falls back {:.1f} times.".format(*lost(d))
    ),
)
def fall_back(c, T, alike):
    """Return everybody's risk; where nobody matches, one guess among those alike."""
    return np.where(c > 0, T / np.maximum(c, 1), 1 / alike)


# What the panels are asked


NEARLY_ALWAYS = 0.9  # in nine steps of ten


@prediction(
    "03.a",
    OneOf(
        {
            "one": "one",
            "two": "two",
            "three": "three",
            "all": "now one, now two, now three",
        }
    ),
    "Ten people, at most three classes, and the sampler runs on for thousands of steps. In how "
    "many classes are they nearly always, that is in nine steps of ten or more?",
    mistakes={
        "One class explains the ten about as well as two or three do, and no better.": (
            lambda panel, r: "one"
        ),
        "The text has two, but that is one guess of many that are plausible.": (
            lambda panel, r: "two"
        ),
        "Three are allowed, but a class that is not needed empties.": lambda panel, r: "three",
    },
    words=lambda panel, r: (
        "In {} long runs it is one class in {:.0f} % of the steps, two in {:.0f} %, three in "
        "{:.0f} %: ten people say too little to decide how many there are.".format(
            len(long_runs()), *(100 * shares())
        )
    ),
    at={"run": 5, "step": 40},  # of the five runs, the one that is in one, two and three classes
)
def in_the_long_run(panel):
    """Say in how many classes the ten people nearly always are, if there is such a number."""
    share = shares()
    return share.idxmax() if share.max() >= NEARLY_ALWAYS else "all"


def long_runs():
    """The share of the steps in one, in two and in three classes, of each long run."""
    return load_results("acs_steps").set_index("run")


def shares():
    """The same over all runs."""
    return long_runs().mean()


@prediction(
    "03.b",
    OneOf(
        {
            "neither": "neither moves",
            "second": "only the second rises",
            "both": "both rise",
            "fall": "both fall",
        }
    ),
    "m grows from 1 to 20. First: the average risk of the m files. Second: the risk if all m are "
    "used at once. Which way do they go?",
    mistakes={
        "Every file tells a little more.": lambda panel, r: "neither",
        "An average has no direction.": (lambda panel, r: "both"),
        "More files protect nobody.": lambda panel, r: "fall",
    },
    words=lambda panel, r: (
        "All at once: {:.0f} with one file, {:.0f} with twenty. The average: first {:.0f}, at last "
        "{:.0f}.".format(*first_and_last(panel))
    ),
    at={"m": 20},
)
def which_way(panel):
    """Say which of the two moves by more than single files lie apart."""
    files = panel.compute(m=panel.controls["m"].max).first.expected_match_risk
    first, last, first_average, last_average = first_and_last(panel)
    ways = np.array([last_average - first_average, last - first]) / (files.max() - files.min())
    names = {(0, 0): "neither", (0, 1): "second", (1, 1): "both", (-1, -1): "fall"}
    return names[tuple(ways.astype(int).clip(-1, 1).tolist())]


def first_and_last(panel):
    """The risk of using one file and all at once, and the averages over one and over all."""
    now = panel.compute(m=panel.controls["m"].max)
    two = now.together, now.means.expected_match_risk
    return [one.iloc[place] for one in two for place in (0, -1)]


THREE = ("SEX", "RACE", "MAR")
FOUR = (*THREE, "WAOB")


@prediction(
    "03.c",
    OneOf(
        {
            "both": "both rise",
            "opposed": "s rises, the rate falls",
            "fewer": "s falls, the rate rises",
            "neither": "both fall",
        }
    ),
    "With three facts there are s = 25 unique matches, 80 % of them false. Add the place of birth "
    "(WAOB). What happens to s and to the false match rate?",
    mistakes={
        "There are more false ones, but the true ones grow faster.": lambda panel, r: "both",
        "More facts single out more people.": lambda panel, r: "fewer",
        "More facts single out more people, so s rises.": lambda panel, r: "neither",
    },
    words=lambda panel, r: (
        "In smaller groups one record alone fits more often, and it is more often the own one. "
        "True ones go from {} to {}, false ones from {} to {}.".format(
            *(unique_of(panel, known)[name] for name in "KF" for known in (THREE, FOUR))
        )
    ),
    at={"known": FOUR, "fallback": False},
)
def with_place_of_birth(panel):
    """Say what becomes of s and of the false match rate."""
    before, after = unique_of(panel, THREE), unique_of(panel, FOUR)
    more = after.sum() > before.sum()
    if after.F / after.sum() > before.F / before.sum():
        return "both" if more else "fewer"
    return "opposed" if more else "neither"


def unique_of(panel, known):
    """Σ K and Σ F of the synthetic file, with these facts."""
    return panel.compute(known=known, fallback=False).unique["synthetic"][["K", "F"]]


CLASSES = (2, 4, 12)  # as many may the model use


@prediction(
    "03.d",
    Estimate("2 classes", "4", "12"),
    "The model may use 40 classes: an intruder who gives up expects 57 correct guesses "
    "(confidential file 172, floor 59). How many if the model may use only 2, 4 or 12?",
    mistakes={
        "You let the risk fall with the number of classes.": (
            lambda panel, r: dict(zip(r, in_proportion(panel), strict=True))
        ),
        "You let half of the risk go with 2 classes.": (
            lambda panel, r: {"2 classes": of_classes(panel, 40).expected_match_risk / 2}
        ),
    },
    words=lambda panel, r: (
        "From 40 to 2 classes: falling back {:.0f} → {:.0f}, pMSE ratio {:.0f} → {:.0f}. Most of "
        "the risk comes from what was not synthesized; no model can hide that.".format(
            *(of_classes(panel, number)[name] for name in SUMS[1:] for number in (40, 2))
        )
    ),
    draw=Draw([(0, number) for number in CLASSES], moves="step"),
    at={"step": 0},
)
def with_few_classes(panel):
    """The expected match risk with three numbers of classes."""
    risks = [of_classes(panel, number).expected_match_risk for number in CLASSES]
    return dict(zip(("2 classes", "4", "12"), risks, strict=True))


SUMS = ["expected_match_risk", "falls_back", "pmse_ratio"]


def of_classes(panel, number):
    """Mean risks and pMSE ratio with so many classes at most."""
    return panel.compute(step=0).mean.loc[number, SUMS]


def in_proportion(panel):
    """What the risk would be if it fell as the number of classes does."""
    return [of_classes(panel, 40).expected_match_risk * number / 40 for number in CLASSES]
