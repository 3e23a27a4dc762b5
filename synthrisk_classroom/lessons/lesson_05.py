"""Lesson 05: average over files, tell belief from truth, decide what to tell."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_classroom.dora import Dora
from synthrisk_classroom.exercise import exercise, recall
from synthrisk_classroom.forms import Choice, Estimate, Function, Numbers, OneOf
from synthrisk_classroom.lesson import draw_until, tells_apart
from synthrisk_classroom.prediction import Draw, prediction
from synthrisk_edu.data import in_words, load_results, load_youth, prepare_youth
from synthrisk_edu.intruder import intruder_risk
from synthrisk_edu.synthesis import fit_multinomial
from synthrisk_edu.words import counted, rounded, say

TITLE = "Intruder knowledge"

TRUE = pd.DataFrame({"sex": list("FFFFMMMMMM"), "facility": list("AABBAABBCC")})
FIRST, SECOND = list("ABBBAACBCA"), list("AABCACBBBA")


def data(seed=None):
    """Make the ten youths and their two files, and the 2,562 with ten files.

    With a seed: other facilities in the two files, ten other draws from the same fitted model,
    and twelve of the twenty runs behind the table of section 5.
    """
    ten, results = ten_youths(FIRST, SECOND), load_results("youth_knowledge")
    rng = np.random.default_rng(1 if seed is None else seed)
    if seed is not None:
        ten = own_ten(rng)
        results = results[results.run.isin(rng.choice(20, 12, replace=False))]
    youth, known, synthesized = youth_in_words(), ["ethnicity"], ["facility", "race"]
    chain = fit_multinomial(youth, synthesized, ["ethnicity", "age", "sex"])
    return {
        **vars(ten),
        "youth": youth,
        "released": chain.draws(youth, rng, [None] * 10),
        "known": known,
        "synthesized": synthesized,
        "results": results.reset_index(drop=True),
    }


def ten_youths(first, second):
    """Make the small tables."""
    first, second = (TRUE.assign(facility=list(one)) for one in (first, second))
    return SimpleNamespace(true=TRUE, first=first, second=second)


def own_ten(rng):
    """Shuffle the facilities in both files."""
    return draw_until(
        lambda: ten_youths(rng.permutation(FIRST), rng.permutation(SECOND)), is_telling
    )


def is_telling(d):
    """Target 4 shares the top with others, and no mistake gives the right answer."""
    records = target_4(d)
    return records.I == 1 and records.K == 0 and tells_apart(d, "05.1", "05.5")


def youth_in_words():
    """Prepare the youths' file, with ethnicity, race and sex in words."""
    youth = prepare_youth(load_youth())
    for name in ("ethnicity", "race", "sex"):
        youth[name] = in_words(youth, "youth")[name].cat.rename_categories({9: "missing"})
    return youth


# What lesson 04 has taught
BEFORE = "04_ce_example"

recall(
    "05.r1",
    {
        "a": "it is the average of the unit's leaf",
        "b": "it is drawn from the true values in the unit's leaf",
        "c": "it is drawn from a line through the data",
    },
    "b",
    "So a unit gets a true value of a unit like it, and now and then its own.",
    (BEFORE, "1. Eight consumer units and a tree with one question"),
)
recall(
    "05.r2",
    {
        "a": "you have found the peak, and can report it",
        "b": "somewhere there is a mistake",
        "c": "it is an edge, and the risk may go on rising beyond it",
    },
    "c",
    "A peak has lower values on both sides, and beyond an edge nobody has looked.",
    (BEFORE, "Which radius? (the paper's Figure 6)"),
)
recall(
    "05.r3",
    {
        "a": "an office does not choose its intruder, and what it leaves unchanged may be known",
        "b": "an intruder knows only what was synthesized",
        "c": "two intruders would need two synthetic files",
    },
    "a",
    "Otherwise a release looks safe because its intruder was not allowed to know what it shows.",
    (BEFORE, "6. One intruder for all releases"),
)


# Dora: nobody of 58 is in this file, so her double is the oldest girl
DORA = "youth", 1843
LIKE = {"sex": "female", "age": 58}


def dora(d):
    """What three files do to her, if the intruder averages them."""
    row = DORA[1]
    c, hit = averaged(d, 3).records.loc[row, ["c", "I"]]
    true, alike = (
        intruder_risk(d.youth, [d.youth], d.known, names).records.c[row]
        for names in (d.synthesized, [])
    )
    words = (
        f"c counts the records with the highest probability; "
        f"the own one is {'' if hit else 'not '}among them. With the confidential file an intruder "
        f"guesses among {counted(true, 'youth', 'youths')}, by ethnicity alone (the floor) among "
        f"{alike:,}."
    )
    return Dora("2,562 youths, three files averaged", c, hit, hit / c, words)


FIRST_ALONE = "That is the first file alone; average two."
BOTH = ("first", "second")


# 05.1 count
@exercise(
    "05.1",
    Numbers("highest", "c", "I", "K", digits=2),
    hints=[
        "In each file, find the boys in A: each gets 1 divided by how many they are.",
        "Average the two files record by record. Who is on top, and how many are they?",
    ],
    mistakes={
        FIRST_ALONE: {"files": ["first"]},
        "That is the second file alone; average two.": {"files": ["second"]},
        "You looked among the girls as well; the intruder knows the sex.": {"known": []},
        "You added up the two files; average them.": lambda d, r: {"highest": 2 * r.highest},
        "You pooled the boys of both files; make shares in each file first, then average.": (
            lambda d, r: {"highest": pooled(4, d.true, [d.first, d.second]).max()}
        ),
        "K is 1 only if the true record is alone on top.": lambda d, r: {"c": r.c, "K": r.I},
    },
    code="""files = [mine.first, mine.second]
risk = sr.intruder_risk(mine.true, files, known=["sex"], synthesized=["facility"])
answer = risk.records.loc[4, ["highest", "c", "I", "K"]]""",
    words=lambda d, r: (
        "In each file the boys in A have equal shares. Averaged, the highest probability is "
        f"{r.highest:.2f}, and {counted(r.c, 'record has', 'records have')} it. Record 4 is "
        f"{'' if r.I else 'not '}among them, so I = {r.I:.0f} and K = {r.K:.0f}."
    ),
)
def target_4(d, files=BOTH, known=("sex",)):
    """The highest probability, c, I and K of target 4, a boy in A."""
    draws = [getattr(d, name) for name in files]
    records = intruder_risk(d.true, draws, list(known), ["facility"]).records
    return records.loc[4, ["highest", "c", "I", "K"]]


# 05.2 perceive
def averaged(d, m):
    """The risk for who averages the first m files of the youths."""
    return intruder_risk(d.youth, d.released[:m], d.known, d.synthesized)


@exercise(
    "05.2",
    Numbers("perceived", "right", digits=1),
    hints=[
        "intruder_risk(...).records has a row for each target, with highest, c and I.",
        "Keep the rows with highest > 0.1: how many are they, and what is their sum of I/c?",
    ],
    mistakes={
        "That is at 0.2; the threshold here is 0.1.": {"threshold": 0.2},
        "You took all ten files; this intruder has two.": {"m": 10},
        "To be perceived, a probability must exceed the threshold; equal is not enough.": (
            lambda d, r: {"perceived": (averaged(d, 2).records.highest >= 0.1).sum()}
        ),
        "That is the expected match risk of all; add up I/c over the perceived ones.": (
            lambda d, r: {"right": averaged(d, 2).summary().expected}
        ),
        "You counted I = 1; where c records share the top, one guess in c is right: I/c.": (
            lambda d, r: {"right": perceived_and_right(d, right="I")["right"]}
        ),
        "You counted K = 1; a guess among several on top can be right, too: add up I/c.": (
            lambda d, r: {"right": perceived_and_right(d, right="K")["right"]}
        ),
    },
    code="""two = mine.released[:2]
records = sr.intruder_risk(mine.youth, two, mine.known, mine.synthesized).records
perceived = records[records.highest > 0.1]
answer = [len(perceived), (perceived.I / perceived.c).sum()]""",
    words=lambda d, r: (
        f"{r['perceived']} matches are perceived, and {r['right']:.1f} of the guesses are right on "
        "average. In two files few records fit, so each gets a large probability, also where the "
        "own one is not among them: the intruder is sure, and mostly wrong."
    ),
    further=True,
)
def perceived_and_right(d, m=2, threshold=0.1, right="I / c"):
    """How many are perceived, and how many guesses among the records on top are right."""
    records = averaged(d, m).records
    perceived = records[records.highest > threshold]
    return {"perceived": len(perceived), "right": perceived.eval(right).sum()}


# 05.3 probabilities
def fitting(i, true, file):
    """Say which records have the sex and the true facility of target i."""
    return (file.sex == true.sex[i]) & (file.facility == true.facility[i])


def pooled(i, true, files):
    """Counts how often a record fits, out of all fits in all files."""
    times = np.sum([fitting(i, true, file) for file in files], axis=0)
    return times / max(times.sum(), 1)


def no_fallback(i, true, files):
    """Gives nobody anything where nobody fits."""
    found = [fitting(i, true, file) for file in files]
    return np.mean([one / max(one.sum(), 1) for one in found], axis=0)


def divided_by_nobody(i, true, files):
    """Divides by how many fit, also where nobody does."""
    found = [fitting(i, true, file) for file in files]
    return np.mean([one / one.sum() for one in found], axis=0)


def sex_forgotten(i, true, files):
    """Looks among boys and girls alike."""
    return probabilities(i, true.assign(sex="all"), [file.assign(sex="all") for file in files])


def probability_cases(d):
    """Every target in both files, a third file in which nobody fits, and one file alone."""
    nobody = d.true.assign(facility="B")
    return [
        *((i, d.true, [d.first, d.second]) for i in range(len(d.true))),
        *((i, d.true, [d.first, d.second, nobody]) for i in (0, 4, 8)),
        (8, d.true, [d.second]),
    ]


@exercise(
    "05.3",
    Function("probabilities(i, true, files)", probability_cases),
    hints=[
        "For one file: fits = (file.sex == ...) & (file.facility == ...), then fits / its sum.",
        "If not fits.any(), take those with the same sex instead.",
        "np.mean(a list of columns, axis=0) averages record by record.",
    ],
    mistakes={
        "You add up the files; divide by how many they are.": (
            lambda i, true, files: probabilities(i, true, files) * len(files)
        ),
        "You pool the files; make shares in each file first, then average.": pooled,
        "Where nobody fits, all who share the sex get equal shares.": no_fallback,
        "Where nobody fits your function divides by 0; there all who share the sex get equal "
        "shares.": divided_by_nobody,
        "You count in how many files a record fits; in each file divide by how many fit there.": (
            lambda i, true, files: np.mean([fitting(i, true, file) for file in files], axis=0)
        ),
        "You forgot the sex: a candidate must agree on it as well.": sex_forgotten,
        "You used the first file only.": lambda i, true, files: probabilities(i, true, files[:1]),
        "You looked for the target's released facility; the intruder knows the true one.": (
            lambda i, true, files: np.mean([probabilities(i, one, [one]) for one in files], axis=0)
        ),
    },
    words=lambda d, r: (
        "Shares in each file, then their average, because every file is one plausible truth and "
        f"none is likelier than another. For target 0 the own record gets {say(r[0][0])}."
    ),
    further=True,
)
def probabilities(i, true, files):
    """Return each record's probability to be target i, averaged over the files."""
    shares = []
    for file in files:
        same_sex = file.sex == true.sex[i]
        fits = same_sex & (file.facility == true.facility[i])
        fits = fits if fits.any() else same_sex
        shares.append(fits / fits.sum())
    return np.mean(shares, axis=0)


# 05.4 more files
PERCEIVED = ["perceived_2", "perceived_10"]


def in_a_row(two, ten, right="expected"):
    """Arrange the risks with two and with ten files in the order they are asked for."""
    return pd.Series(
        [two.perceived, ten.perceived, two[right], ten[right]],
        [*PERCEIVED, "expected_2", "expected_10"],
    )


def averaged_too_late(d):
    """The mean of single files' risks."""
    single = [intruder_risk(d.youth, [one], d.known, d.synthesized) for one in d.released]
    risks = pd.DataFrame(one.summary() for one in single)
    return in_a_row(risks[:2].mean(), risks.mean())


@exercise(
    "05.4",
    Numbers(*PERCEIVED, "expected_2", "expected_10", digits=1),
    hints=[
        "Hand the first two files to sr.intruder_risk in one list, then all ten.",
        ".summary() has perceived, expected and true.",
    ],
    mistakes={
        "You averaged the risks of single files; this intruder averages probabilities.": (
            lambda d, r: averaged_too_late(d)
        ),
        "You took the true match risk for the expected one.": {"right": "true"},
        "You have exchanged two and ten files.": (
            lambda d, r: dict(zip(PERCEIVED, r[PERCEIVED[::-1]], strict=True))
        ),
        "That is perceived at 0.25; the threshold here is 0.2.": (
            lambda d, r: two_and_ten(d, threshold=0.25)[PERCEIVED]
        ),
    },
    code="""two, ten = (
    sr.intruder_risk(mine.youth, mine.released[:m], mine.known, mine.synthesized).summary()
    for m in (2, 10)
)
answer = [two.perceived, ten.perceived, two.expected, ten.expected]""",
    words=lambda d, r: (
        f"Perceived falls from {r.perceived_2:.0f} to {r.perceived_10:.0f}, while expected goes "
        f"from {r.expected_2:.1f} to {r.expected_10:.1f}. Ten files make the intruder more "
        "careful, because they disagree, and the probabilities spread over more records."
    ),
    further=True,
)
def two_and_ten(d, threshold=0.2, right="expected"):
    """Perceived and expected match risk of averaging over two and over ten files."""
    return in_a_row(averaged(d, 2).summary(threshold), averaged(d, 10).summary(threshold), right)


# 05.5 not in the file
@exercise(
    "05.5",
    Numbers("own", "outside", digits=3),
    hints=[
        "In each file n_t girls are in A, and N_t = 4 n_t in the population.",
        "Record 1, if among them, gets 1/N_t; outside gets (N_t − n_t)/N_t, or 1 if n_t = 0.",
        "Average over the two files. Or: weights=[4] * 10 in sr.intruder_risk.",
    ],
    mistakes={
        "That is for an intruder who knows that the target took part.": {"weights": None},
        FIRST_ALONE: {"files": ["first"]},
        "N_t counts four for every girl in A of the file; how many girls are in A there?": (
            lambda d, r: {"own": 1 / 4, "outside": 3 / 4}
        ),
        "The other records that fit have their shares, too, before the rest goes outside.": (
            lambda d, r: {"outside": 1 - r["own"]}
        ),
    },
    code="""files = [mine.first, mine.second]
risk = sr.intruder_risk(mine.true, files, ["sex"], ["facility"], weights=[4] * 10)
answer = risk.match_probabilities(1).iloc[[1, -1]].tolist()""",
    words=lambda d, r: (
        f"Known to have taken part, the target is record 1 with probability "
        f"{say(target_1(d, weights=None)['own'])}; not known, with {say(r['own'])}, and "
        f"{say(r['outside'])} goes to “not in file”, because of every four in the population who "
        "fit only one is in the file."
    ),
    further=True,
)
def target_1(d, weights=(4,) * 10, files=BOTH):
    """Pr(J = 1) and Pr(not in file) for target 1, a girl in A, when every youth stands for four."""
    draws = [getattr(d, name) for name in files]
    risk = intruder_risk(d.true, draws, ["sex"], ["facility"], weights=weights)
    probability = risk.match_probabilities(1)
    return {"own": probability.iloc[1], "outside": probability.iloc[-1]}


# 05.6 which step
STEPS = ["nothing (averaged)", "models (mean β)", "f(β) (mode)"]


def means(d, what="expected", m=3):
    """The means over the runs of section 5, by what the intruder knows."""
    return d.results[d.results.m == m].groupby("knows")[what].mean()


@exercise(
    "05.6",
    Numbers("models", "coefficients", digits=1, within=0.1),
    hints=[
        'mine.results[mine.results.m == 3].groupby("knows").expected.mean() has all you need.',
        "Subtract the files from the models, then the models from f(β).",
    ],
    mistakes={
        "That is for m = 10.": {"m": 10},
        "That is for m = 2.": {"m": 2},
        "These are the right matches themselves; subtract, to see what each step adds.": (
            lambda d, r: dict(zip(r, means(d)[STEPS[1:]], strict=True))
        ),
        "You subtracted the other way round; how much does each step add?": (
            lambda d, r: {step: -gain for step, gain in r.items()}
        ),
        "These are perceived matches; take expected.": {"what": "perceived"},
        "These are true match risks; take expected.": {"what": "true"},
        "You started from the mode; start from the averaged files.": {
            "steps": ["nothing (mode)", *STEPS[1:]]
        },
        "You took drawn coefficients; take mean β and the mode of f(β).": {
            "steps": [STEPS[0], "models (drawn β)", "f(β) (drawn)"]
        },
        "In coefficients you started from the files; the step starts from the models.": (
            lambda d, r: {"coefficients": sum(r.values())}
        ),
    },
    code="""table = mine.results[mine.results.m == 3].groupby("knows").expected.mean()
models = table["models (mean β)"]
answer = [models - table["nothing (averaged)"], table["f(β) (mode)"] - models]""",
    words=lambda d, r: (
        "The models add {models:.1f}, the coefficients {coefficients:.1f} more.".format(**r)
        + " With ten files it is {models:.1f} and {coefficients:.1f}: ".format(**gains(d, m=10))
        + "the models add less there, because ten files averaged already come close to many draws "
        "from the model."
    ),
)
def gains(d, what="expected", m=3, steps=STEPS):
    """What the models add to the files, and f(β) to the models."""
    files, models, coefficients = means(d, what, m)[steps]
    return {"models": models - files, "coefficients": coefficients - models}


# 05.7 decide
@exercise(
    "05.7",
    Choice(
        {
            "files": "the files alone",
            "models": "the files and the form of the models",
            "coefficients": "the files, the models and the coefficients, f(β)",
        },
        {
            "believed": "an intruder believes in the fewest matches",
            "right": "an intruder gets the fewest correct matches",
            "users": "users then know what was done",
        },
    ),
    hints=[
        "Section 5: the table of means, the column m = 3.",
        "A good reason is true of your choice and speaks for it. Which of perceived and expected "
        "match risk harms somebody? And what do users need?",
    ],
    code='answer = ("models", "users")',
    words=lambda d, r: f"Three can be defended. For the models: {r['models', 'users'][1]}",
)
def decide(d):
    """What speaks for telling little or much, with the numbers for m = 3 files."""
    expected = means(d)[STEPS]
    right = [f"{value:.0f}" for value in expected]
    believed = [f"{value:.0f}" for value in means(d, "perceived")[STEPS]]
    matches = f"{right[0]} correct matches with the files, {right[1]} with the models as well, "
    matches += f"{right[2]} with f(β)"
    verdicts = {
        ("files", "right"): f"Expected are {matches}. The price: users cannot judge what the files "
        "can answer, because nobody tells them how they were made.",
        ("models", "users"): f"Expected are {matches}: you pay for the form and keep the "
        "coefficients, because a report on usefulness can take their place, or an offer to run "
        "users' code on the true data.",
        ("coefficients", "users"): f"Expected are {matches}. Users then know all there is to know, "
        "and you pay the most for it. The paper leaves open what such details are worth to users, "
        "because nobody has measured it: so say what they can do with f(β) that they cannot do "
        "with the form of the models.",
        ("files", "users"): "This reason does not speak for the files alone, because they do not "
        "tell users how they were made.",
        ("models", "right"): "This reason is not true of the models, because the files alone give "
        f"fewer: {matches}.",
        ("coefficients", "right"): "This reason is not true of the coefficients, because they give "
        f"the most: {matches}.",
        ("files", "believed"): "This reason is not true of the files, because with them alone the "
        f"intruder believes in the most: {believed[0]}, with the models {believed[1]}.",
        ("models", "believed"): f"True, but not a good reason: fewer are believed in, "
        f"{believed[1]} instead of {believed[0]}, and more are correct, {right[1]} instead of "
        f"{right[0]}. Harm comes from correct matches.",
        ("coefficients", "believed"): "Not a good reason, because an intruder who is unsure is not "
        f"wrong: {believed[2]} are believed in, and {right[2]} are correct.",
    }
    good = {("models", "users"), ("coefficients", "users")}
    if expected.idxmin() == STEPS[0]:
        good.add(("files", "right"))
    return {pair: (pair in good, words) for pair, words in verdicts.items()}


# 05.8 change one line
def above(highest, threshold):
    """How many are above the threshold: the line as it was."""
    return (highest > threshold).sum()


def highest_cases(d):
    """The highest probabilities with two and with ten files, at some thresholds."""
    columns = {m: averaged(d, m).records.highest for m in (2, 10)}
    return [(columns[m], threshold) for m in (2, 10) for threshold in (0.2, 0.25, 0.5)]


def at_a_quarter(d):
    """Count the targets above a quarter, and those at or above it, with two files."""
    highest = averaged(d, 2).records.highest
    return above(highest, 0.25), at_least(highest, 0.25)


@exercise(
    "05.8",
    Function("perceived(highest, threshold)", highest_cases),
    hints=[
        "Which sign means greater or equal?",
        "In Python greater or equal is >=; all else in the line may stay.",
    ],
    mistakes={
        "That is the line as it was: a probability equal to the threshold does not count.": above,
        "You count only those equal to the threshold; those above it count as well.": (
            lambda highest, threshold: (highest == threshold).sum()
        ),
        "You return True and False for each target; .sum() counts the True.": (
            lambda highest, threshold: highest >= threshold
        ),
        "You return a share; count the targets with .sum().": (
            lambda highest, threshold: (highest >= threshold).mean()
        ),
        "You turned the sign round: these are the targets up to the threshold.": (
            lambda highest, threshold: (highest <= threshold).sum()
        ),
    },
    words=lambda d, r: (
        "With two files and a threshold of 0.25 it was {} targets, and with your line it is {}: "
        "two files make probabilities such as exactly ¼. Nothing else has changed, and as many "
        "guesses are right as before. So say which sign you use.".format(*at_a_quarter(d))
    ),
)
def at_least(highest, threshold):
    """Return how many targets have a highest probability of at least the threshold."""
    return (highest >= threshold).sum()


# ------------------------------------------------------------------ predicted before a panel
@prediction(
    "05.a",
    OneOf({"fewer": "in fewer", "same": "in about as many", "more": "in more"}),
    "Two files, threshold 0.2: the intruder believes in 162 matches. Now the facility is wrong for "
    "half of the targets. In how many matches does the intruder believe?",
    mistakes={
        "The intruder does not notice the mistake.": lambda panel, r: "fewer",
        "A mistake changes what fits.": lambda panel, r: "same",
    },
    words=lambda panel, r: (
        f"It is {perceived(panel, 50):.0f} in place of {perceived(panel, 0):.0f}: a wrong "
        "facility often does not go with the race, so few records fit, and each looks likely."
    ),
    at={"threshold": 0.2, "m": 2, "wrong": 50},
)
def believed_by_mistake(panel):
    """Does a wrong t make the intruder believe in fewer matches?"""
    ratio = perceived(panel, 50) / perceived(panel, 0)
    return "fewer" if ratio < 0.9 else "more" if ratio > 1.1 else "same"


def perceived(panel, wrong):
    """The matches believed in with two files, if t is wrong for so many per cent."""
    return panel.compute(threshold=0.2, m=2, wrong=wrong).table.loc[0.2, "perceived"]


@prediction(
    "05.b",
    OneOf(
        {
            "lower": "less than 0.28",
            "right": "more, for the true record",
            "wrong": "more, for another record",
        }
    ),
    "With f(β) the highest probability for target 452 is 0.28, that of the true record. And with "
    "the three files alone: what is the highest?",
    mistakes={
        "If you know less you are not always less sure.": lambda panel, r: "lower",
        "Here the intruder knows less, is surer, and wrong.": lambda panel, r: "right",
    },
    words=lambda panel, r: (
        f"Three files give {rounded(of_452(panel, 'three files').highest)} to somebody else's "
        f"record, f(β) {rounded(of_452(panel, 'and f(β)').highest)} to the true one, because "
        "chance counts in three files; a hundred draws even it out."
    ),
    at={"target": 452, "knows": "three files"},
)
def with_three_files(panel):
    """Is the highest probability lower with three files, and whose is it?"""
    files, informed = of_452(panel, "three files"), of_452(panel, "and f(β)")
    return "lower" if files.highest < informed.highest else "right" if files.K else "wrong"


def of_452(panel, knows):
    """What an intruder makes of target 452."""
    return panel.compute(target=452, knows=knows).risk.records.loc[452]


@prediction(
    "05.c",
    OneOf({"models": "the models", "f(β)": "f(β)", "neither": "twenty runs cannot tell"}),
    "Two files. Which adds more right matches, on average over twenty runs: the models (mean β) to "
    "the averaged files, or f(β) (mode) to the models?",
    mistakes={
        "The published run says so, too (13, then 18), but it is one run; 5 of ours say so.": (
            lambda panel, r: "f(β)"
        ),
        "They can, but only just.": lambda panel, r: "neither",
    },
    words=lambda panel, r: (
        "The models add {:.0f}, f(β) {:.0f} more: {:.0f} less, give or take {:.0f}; less in {} of "
        "{} runs. Two files are noisy, and a model averages that out; "
        "f(β) only mends its β.".format(*two_steps())
    ),
    at={"m": 2, "step": 3},  # the models (mean β)
)
def larger_step(panel):
    """Which of the two steps is larger, if the spread of the runs lets us say so."""
    _, _, difference, give_or_take, *_ = two_steps()
    if abs(difference) <= give_or_take:
        return "neither"
    return "models" if difference > 0 else "f(β)"


def two_steps(m=2):
    """What the models and f(β) add, their difference, its spread, and in how many runs it is > 0.

    The spread is twice the standard error of the mean: both steps are taken in the same runs.
    """
    results = load_results("youth_knowledge").query("m == @m")
    files, models, coefficients = results.pivot(index="run", columns="knows", values="expected")[
        STEPS
    ].T.to_numpy()
    difference = pd.Series((models - files) - (coefficients - models))
    added = (models - files).mean(), (coefficients - models).mean()
    spread = difference.mean(), 2 * difference.sem()
    return *added, *spread, (difference > 0).sum(), len(difference)


@prediction(
    "05.d",
    Estimate(near=0.1),
    "By the census five youths are like target 245, who is one of them. One in ten youths is in "
    "the file. How high is the highest probability?",
    mistakes={
        "That is by weights.": {"by": "weights"},
        "That would be if nobody outside of the file were like them.": lambda panel, r: 1,
        "Target 245 is in the file: the fraction is not multiplied in.": lambda panel, r: 0.1 * r,
        "That is the probability of not being in the file.": {"by": "outside"},
    },
    words=lambda panel, r: (
        "The census counts all five, in the file or not: 1/5 each, whatever the fraction. By "
        f"weights it is {rounded(by_fraction(panel, by='weights'))}, because every record in the "
        "file stands for ten."
    ),
    draw=Draw([(0, 10)], moves="fraction"),
    at={"target": 245, "fraction": 0.1},
)
def by_fraction(panel, by="census"):
    """The highest probability for target 245 if a tenth is in the file."""
    return panel.compute(target=245, fraction=0.1).curve.loc[0.1, by]
