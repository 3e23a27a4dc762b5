"""Lesson 03, the ACS example: a whole file, several files, and who stays at risk."""

from functools import cache, lru_cache

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.classroom.engine import Exercise, LessonPanel
from synthrisk_edu.classroom.forms import Choice, Function, Number, Numbers
from synthrisk_edu.data import in_words, load_acs, load_acs_synthetics, load_results
from synthrisk_edu.intruder import intruder_risk
from synthrisk_edu.match import baseline, floor, match
from synthrisk_edu.sweep import match_all, record_risk
from synthrisk_edu.synthesis import synthesize_dpmpm
from synthrisk_edu.widgets import examples
from synthrisk_edu.words import say

TITLE = "The ACS example"
OWN_ROWS = 3000  # persons in a student's own files: few, so that a class is graded in half a minute


def data(seed=None):
    """Take the 10,000 persons and the 20 synthetic files, or the same rows of all of them."""
    files = whole_files()
    if seed is not None:
        rows = np.sort(checks.generator(seed).choice(len(files[0]), OWN_ROWS, replace=False))
        files = [file.iloc[rows].reset_index(drop=True) for file in files]
    return {
        "people": files[0],
        "released": files[1:],
        "known": ["SEX", "RACE", "MAR"],
        "synthesized": ["DIS", "HICOV"],
    }


@cache
def whole_files():
    """Read the persons and the 20 synthetic files once; a class has many seeds."""
    return [in_words(file, "acs") for file in [load_acs(), *load_acs_synthetics()]]


@lru_cache(maxsize=32)
def first(d):
    """Match with the first synthetic file."""
    return match(d.people, d.released[0], d.known, d.synthesized)


@lru_cache(maxsize=32)
def all_files(d):
    """Compute the summaries of all 20 files."""
    return match_all(d.people, d.released, d.known, d.synthesized)


def together(d, sizes=range(1, 21)):
    """Compute, for each m in sizes, the expected match risk of one who uses m files at once."""
    risks = [intruder_risk(d.people, d.released[:m], d.known, d.synthesized) for m in sizes]
    return pd.Series([risk.summary().expected for risk in risks], index=sizes)


def beside(d):
    """Compute the expected match risk of the confidential file, and the floor."""
    found = {"confidential": baseline(d.people, d.known, d.synthesized)}
    found["floor"] = floor(d.people, d.known)
    return {name: one.summary().expected_match_risk for name, one in found.items()}


# 03.1 sums of K, F
def sums(d):
    """Σ K and Σ F in the first synthetic file."""
    return first(d).records[["K", "F"]].sum()


EXERCISE_1 = Exercise(
    id="03.1",
    form=Numbers("K", "F"),
    answer=sums,
    mistakes={
        "These are the sums of the confidential file; the question is about the synthetic.": (
            lambda d: baseline(d.people, d.known, d.synthesized).records[["K", "F"]].sum()
        ),
        "You have exchanged them: K is unique and true, F unique and false.": (
            lambda d: {"K": sums(d)["F"], "F": sums(d)["K"]}
        ),
        "You added up T: K asks for T = 1 and c = 1.": lambda d: {"K": first(d).records["T"].sum()},
        "You counted every T = 0: F asks for c = 1 as well.": (
            lambda d: {"F": (first(d).records["T"] == 0).sum()}
        ),
    },
    hints=[
        "K and F are columns of found.records, and a sum of zeros and ones counts the ones.",
        "Check yourself: together they are s, the number of unique matches.",
    ],
    code="""found = sr.match(mine.people, mine.released[0], mine.known, mine.synthesized)
answer = found.records[["K", "F"]].sum()""",
    words=lambda d: (
        f"Of the unique matches {sums(d)['K']} are true and {sums(d)['F']} false. Each is one "
        f"or the other, so they add up to s = {sums(d).sum()}."
    ),
)


# 03.2 the men
def risk_of(d, sex="male"):
    """Add up the risk over the persons of one sex."""
    return first(d).records.risk[d.people.SEX.eq(sex)].sum()


def share_of_men(d):
    """Return which part of the file are men."""
    return (d.people.SEX == "male").mean()


EXERCISE_2 = Exercise(
    id="03.2",
    form=Number(digits=1),
    answer=risk_of,
    mistakes={
        "These are the women.": lambda d: risk_of(d, "female"),
        "That is everybody; add up over the men only.": lambda d: first(d).records.risk.sum(),
        "You added up 1/c: the risk is T/c, and many T are 0.": (
            lambda d: (1 / first(d).records.c[d.people.SEX == "male"].replace(0, np.inf)).sum()
        ),
        "That is a mean over the file; the expected match risk is a sum.": (
            lambda d: risk_of(d) / len(d.people)
        ),
        "Half of the persons need not carry half of the risk: add up the men's own.": (
            lambda d: first(d).records.risk.sum() * share_of_men(d)
        ),
    },
    hints=[
        "np.flatnonzero(mine.people.SEX == 'male') gives the positions of the men.",
        "found.summary(targets=...) takes positions; candidates are still searched among all.",
    ],
    code="""found = sr.match(mine.people, mine.released[0], mine.known, mine.synthesized)
men = np.flatnonzero(mine.people.SEX == "male")
answer = found.summary(targets=men).expected_match_risk""",
    words=lambda d: (
        f"The men's risks add up to {risk_of(d):.1f} of {first(d).records.risk.sum():.1f}, "
        f"{100 * risk_of(d) / first(d).records.risk.sum():.0f} %; men are "
        f"{100 * share_of_men(d):.0f} % of the file."
    ),
)


# 03.3 at most k others
def true_match_rate_at_most(found, k):
    """Return the share of persons with T = 1 and at most k candidates."""
    records = found.records
    return ((records["T"] == 1) & (records.c <= k)).mean()


def few_cases(d):
    """Two small matches, each with several k."""
    small = d.people.head(400)
    files = [d.released[number].head(400) for number in (0, 1)]
    found = [match(small, file, d.known, d.synthesized) for file in files]
    return [(one, k) for one in found for k in (1, 2, 5, 10, 50)]


EXERCISE_3 = Exercise(
    id="03.3",
    form=Function("true_match_rate_at_most(found, k)", few_cases),
    answer=true_match_rate_at_most,
    mistakes={
        "Your function gives per cent; return the share, between 0 and 1.": (
            lambda found, k: 100 * true_match_rate_at_most(found, k)
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
    hints=[
        "found.records has the columns c and T; compare each, and join the two with &.",
        "The mean of True and False is the share of True.",
    ],
    words=lambda d: (
        "For k = 1 it is the true match rate, "
        f"{say(true_match_rate_at_most(first(d), 1))} in the first file; for k = 5 it is "
        f"{say(true_match_rate_at_most(first(d), 5))}: what section 4 is about."
    ),
)


# 03.4 the average of the rates
def false_matches(d):
    """Return F of every file: its false match rate times s."""
    return all_files(d).false_match_rate * all_files(d).unique_matches


def pooled(d):
    """Σ F / Σ s over all files: not the average of the rates."""
    return false_matches(d).sum() / all_files(d).unique_matches.sum()


EXERCISE_4 = Exercise(
    id="03.4",
    form=Number(digits=4),
    answer=lambda d: all_files(d).false_match_rate.mean(),
    mistakes={
        "You pooled all unique matches; the rule is a rate for each file, then the mean.": pooled,
        "That is the first file alone.": lambda d: all_files(d).false_match_rate.iloc[0],
        "You divided by n instead of s: the rate is out of the unique matches.": (
            lambda d: false_matches(d).mean() / len(d.people)
        ),
        "That is the share of true ones among the unique matches.": (
            lambda d: 1 - all_files(d).false_match_rate.mean()
        ),
        "That is the median; the rule takes the mean.": (
            lambda d: all_files(d).false_match_rate.median()
        ),
    },
    hints=[
        "sr.match_all gives one row for each file.",
        "Compute the rate in every file first, then average the 20 rates.",
    ],
    code="""table = sr.match_all(mine.people, mine.released, mine.known, mine.synthesized)
answer = table.false_match_rate.mean()""",
    words=lambda d: (
        f"The mean of the 20 rates is {all_files(d).false_match_rate.mean():.4f}. Pooling all "
        f"unique matches gives {pooled(d):.4f}: files with many of them would count for more."
    ),
)


# 03.5 still at risk
@lru_cache(maxsize=32)
def risks(d):
    """Compute every person's risk in each file, and the mean."""
    return record_risk(d.people, d.released, d.known, d.synthesized)


def in_any_file(d):
    """Count who is above 0.25 in at least one file."""
    return (risks(d).drop(columns="mean") > 0.25).any(axis=1).sum()


EXERCISE_5 = Exercise(
    id="03.5",
    form=Number(),
    answer=lambda d: (risks(d)["mean"] > 0.25).sum(),
    mistakes={
        "You looked at the first file alone.": lambda d: (risks(d)[1] > 0.25).sum(),
        "You counted who is above it in at least one file; take the mean first.": in_any_file,
        "That is for 0.2, as in section 6.": lambda d: (risks(d)["mean"] > 0.2).sum(),
    },
    hints=[
        "sr.record_risk has a column for each file, and one called mean.",
        "Compare the column with 0.25, and count: a sum of True and False counts the True.",
    ],
    code="""risks = sr.record_risk(mine.people, mine.released, mine.known, mine.synthesized)
answer = (risks["mean"] > 0.25).sum()""",
    words=lambda d: (
        f"The mean risk of {(risks(d)['mean'] > 0.25).sum()} persons is above 0.25. In the first "
        f"file it is {(risks(d)[1] > 0.25).sum()} persons, in at least one of the files "
        f"{in_any_file(d)}: a single file shows luck as well."
    ),
)


# 03.6 race as well
@lru_cache(maxsize=32)
def with_race(d):
    """Synthesize race as well, and add up the risks."""
    variables = ["RACE", "DIS", "HICOV"]
    file = synthesize_dpmpm(d.people, variables, iterations=200, seed=1)[0]
    return match(d.people, file, ["SEX", "MAR"], variables)


EXERCISE_6 = Exercise(
    id="03.6",
    form=Number(digits=1),
    answer=lambda d: with_race(d).summary().expected_match_risk,
    mistakes={
        "That is the first released file, in which RACE is the true one.": (
            lambda d: first(d).records.risk.sum()
        ),
        "You left RACE out: the intruder still knows the true race of the target.": (
            lambda d: (
                match(d.people, with_race(d).synthetic, ["SEX", "MAR"], d.synthesized)
                .summary()
                .expected_match_risk
            )
        ),
        "You matched the confidential file with itself.": lambda d: beside(d)["confidential"],
    },
    hints=[
        "Call sr.synthesize_dpmpm as the exercise says; it returns a list, take its entry 0.",
        "RACE is now one of the synthesized variables in sr.match, SEX and MAR are known.",
    ],
    code="""variables = ["RACE", "DIS", "HICOV"]
file = sr.synthesize_dpmpm(mine.people, variables, iterations=200, seed=1)[0]
answer = sr.match(mine.people, file, ["SEX", "MAR"], variables).summary().expected_match_risk""",
    words=lambda d: (
        f"It falls from {first(d).records.risk.sum():.1f} to "
        f"{with_race(d).summary().expected_match_risk:.1f}: rare races, which gave persons "
        "away, are redrawn. Look at a table of RACE by MAR before you rejoice."
    ),
)


# 03.7 decide
def decide(d):
    """What speaks for one file or for twenty, with the numbers."""
    risk, all_at_once = all_files(d).expected_match_risk, together(d, [1, 20])
    spread = f"single files range from {risk.min():.0f} to {risk.max():.0f}, the mean is "
    spread += f"{risk.mean():.0f}"
    gain = f"an intruder with one file expects {all_at_once.iloc[0]:.0f} right matches, one with "
    gain += f"all 20 expects {all_at_once.iloc[-1]:.0f}"
    good = {("1", "less to study"), ("20", "steady"), ("20", "analysts")}
    verdicts = {
        ("1", "less to study"): f"An intruder cannot combine files: {gain}. The price: {spread}, "
        "so the risk of the one you publish is partly luck, and analysts cannot see how uncertain "
        "it is.",
        ("20", "steady"): f"In numbers, {spread}: a report on 20 rests on less luck. The price: "
        f"{gain}.",
        ("20", "analysts"): f"Rules for combining estimates need several files. The price: {gain}.",
        ("1", "steady"): f"You overlook luck: {spread}.",
        ("1", "analysts"): "One file cannot show how files differ, and analysts need two at least "
        "for that.",
        ("20", "less to study"): f"Twenty files are more to study, not less: {gain}.",
        ("1", "lower risk"): f"An average over files has no direction: {spread}, and one file may "
        "lie above it. What is lower is another number: the risk from an intruder who combines "
        "files.",
        ("20", "lower risk"): f"An average is steadier, not lower: {spread}; and {gain}.",
    }
    return {pair: (pair in good, words) for pair, words in verdicts.items()}


EXERCISE_7 = Exercise(
    id="03.7",
    form=Choice(
        {"1": "one file", "20": "twenty files"},
        {
            "lower risk": "the expected match risk is lower",
            "less to study": "an intruder has fewer files to compare",
            "steady": "what we report depends less on luck",
            "analysts": "analysts can see how uncertain their results are",
        },
    ),
    answer=decide,
    hints=[
        "Section 5: how far apart are single files, and does their average have a direction?",
        "Who gains from several files: analysts, or intruders, or both?",
    ],
    code='answer = ("20", "analysts")',
    words=lambda d: f"Both can be defended. For twenty: {decide(d)['20', 'analysts'][1]}",
)


EXERCISES = [EXERCISE_1, EXERCISE_2, EXERCISE_3, EXERCISE_4, EXERCISE_5, EXERCISE_6, EXERCISE_7]

OTHERS = ["SEX", "RACE", "MAR", "LANX", "WAOB", "MIG", "SCH", "HISP"]

PANELS = [
    LessonPanel(
        "average",
        "Several files",
        "How many files until the average settles?",
        lambda d: examples.average_panel(all_files(d), together(d), beside(d)),
    ),
    LessonPanel(
        "known",
        "What the intruder knows",
        "Tick what is known, and count the unique matches, true and false.",
        lambda d: examples.known_panel(d.people, d.released[0], OTHERS, d.known, d.synthesized),
    ),
    LessonPanel(
        "classes",
        "How many classes?",
        "Risk beside usefulness as the model gets more classes.",
        lambda d: examples.classes_panel(load_results("acs_classes"), beside(d)),
    ),
]
