"""Lesson 05: average over files, tell belief from truth, decide what to tell."""

from functools import cache, lru_cache

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.classroom.engine import Exercise, LessonPanel
from synthrisk_edu.classroom.forms import Choice, Function, Numbers
from synthrisk_edu.data import in_words, load_results, load_youth, prepare_youth
from synthrisk_edu.intruder import intruder_baselines, intruder_risk, model_draws
from synthrisk_edu.synthesis import fit_multinomial
from synthrisk_edu.widgets import intruder as panels
from synthrisk_edu.words import counted, say

TITLE = "Intruder knowledge"

PREDICTORS = ["ethnicity", "age", "sex"]
SEX, TRUE = list("FFFFMMMMMM"), list("AABBAABBCC")
FIRST, SECOND = list("ABBBAACBCA"), list("AABCACBBBA")


def data(seed=None):
    """Make the ten youths and their two files, and the 2,562 with ten files.

    With a seed: other facilities in the two files, ten other draws from the same fitted model,
    and twelve of the twenty runs behind the table of section 5.
    """
    youth, chain = fitted()
    first, second, results = FIRST, SECOND, load_results("youth_knowledge")
    rng = np.random.default_rng(1) if seed is None else checks.generator(seed)
    if seed is not None:
        first, second = rng.permutation(FIRST), rng.permutation(SECOND)
        results = results[results.run.isin(rng.choice(20, 12, replace=False))]
    true = pd.DataFrame({"sex": SEX, "facility": TRUE})
    return {
        "true": true,
        "first": true.assign(facility=list(first)),
        "second": true.assign(facility=list(second)),
        "youth": youth,
        "released": chain.draws(youth, rng, [None] * 10),
        "known": ["ethnicity"],
        "synthesized": ["facility", "race"],
        "results": results.reset_index(drop=True),
    }


@cache
def fitted():
    """Fit the small model of section 2, once; ethnicity and race are in words."""
    youth = prepare_youth(load_youth())
    for name in ("ethnicity", "race"):
        youth[name] = in_words(youth, "youth")[name].cat.rename_categories({9: "missing"})
    return youth, fit_multinomial(youth, ["facility", "race"], PREDICTORS)


# 05.1 count
def target_4(d, files=("first", "second"), known=("sex",)):
    """The highest probability, c, I and K of target 4, a boy in A."""
    draws = [getattr(d, name) for name in files]
    records = intruder_risk(d.true, draws, list(known), ["facility"]).records
    return records.loc[4, ["highest", "c", "I", "K"]]


EXERCISE_1 = Exercise(
    id="05.1",
    form=Numbers("highest", "c", "I", "K", digits=2),
    answer=target_4,
    mistakes={
        "That is the first file alone; average two.": lambda d: target_4(d, ["first"]),
        "That is the second file alone; average two.": lambda d: target_4(d, ["second"]),
        "You looked among the girls as well; the intruder knows the sex.": (
            lambda d: target_4(d, known=[])
        ),
        "You added up the two files; average them.": lambda d: {"highest": 2 * target_4(d).highest},
        "You pooled the boys of both files; make shares in each file first, then average.": (
            lambda d: {"highest": pooled(4, d.true, [d.first, d.second]).max()}
        ),
        "K is 1 only if the true record is alone on top.": lambda d: {"K": target_4(d).I},
    },
    hints=[
        "In each file, find the boys in A: each gets 1 divided by how many they are.",
        "Average the two files record by record. Who is on top, and how many are they?",
    ],
    code="""files = [mine.first, mine.second]
risk = sr.intruder_risk(mine.true, files, known=["sex"], synthesized=["facility"])
answer = risk.records.loc[4, ["highest", "c", "I", "K"]]""",
    words=lambda d: (
        "In each file the boys in A have equal shares. Averaged, the highest probability is "
        f"{target_4(d).highest:.2f}, and {counted(target_4(d).c, 'record has', 'records have')} "
        f"it. Record 4 is {'' if target_4(d).I else 'not '}among them, so I = "
        f"{target_4(d).I:.0f} and K = {target_4(d).K:.0f}."
    ),
)


# 05.2 perceive
@lru_cache(maxsize=128)
def records_of(d, m):
    """c, I, K and the highest probability of every youth, from the first m files."""
    return intruder_risk(d.youth, d.released[:m], d.known, d.synthesized).records


def perceived_and_right(d, m=2, threshold=0.25):
    """How many are perceived, and how many of these have K = 1."""
    records = records_of(d, m)
    perceived = records.highest > threshold
    return {"perceived": perceived.sum(), "right": (perceived & records.K.eq(1)).sum()}


EXERCISE_2 = Exercise(
    id="05.2",
    form=Numbers("perceived", "right"),
    answer=perceived_and_right,
    mistakes={
        "That is at 0.2; the threshold here is 0.25.": (
            lambda d: perceived_and_right(d, threshold=0.2)
        ),
        "You took all ten files; this intruder has two.": lambda d: perceived_and_right(d, m=10),
        "To be perceived, a probability must exceed the threshold; equal is not enough.": (
            lambda d: {"perceived": (records_of(d, 2).highest >= 0.25).sum()}
        ),
        "That is K = 1 among all; count it among the perceived ones.": (
            lambda d: {"right": records_of(d, 2).K.sum()}
        ),
        "You counted I = 1, also where several records share the top; K asks for one.": (
            lambda d: {"right": records_of(d, 2).query("highest > 0.25").I.sum()}
        ),
    },
    hints=[
        "intruder_risk(...).records has a row for each target, with K and highest.",
        "Keep the rows with highest > 0.25: how many are they, and what is their sum of K?",
    ],
    code="""two = mine.released[:2]
records = sr.intruder_risk(mine.youth, two, mine.known, mine.synthesized).records
perceived = records[records.highest > 0.25]
answer = [len(perceived), perceived.K.sum()]""",
    words=lambda d: (
        f"{perceived_and_right(d)['perceived']} are perceived, and K = 1 for "
        f"{perceived_and_right(d)['right']} of them. Few files make large probabilities: the "
        "intruder is sure, and mostly wrong."
    ),
)


# 05.3 probabilities
def probabilities(i, true, files):
    """Return each record's probability to be target i, averaged over the files."""
    shares = []
    for file in files:
        same_sex = file.sex == true.sex[i]
        fits = same_sex & (file.facility == true.facility[i])
        fits = fits if fits.any() else same_sex
        shares.append(fits / fits.sum())
    return np.mean(shares, axis=0)


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


EXERCISE_3 = Exercise(
    id="05.3",
    form=Function("probabilities(i, true, files)", probability_cases),
    answer=probabilities,
    mistakes={
        "You add up the files; divide by how many they are.": (
            lambda i, true, files: probabilities(i, true, files) * len(files)
        ),
        "You pool the files; make shares in each file first, then average.": pooled,
        "Where nobody fits, all who share the sex get equal shares.": no_fallback,
        "You forgot the sex: a candidate must agree on it as well.": sex_forgotten,
        "You used the first file only.": (lambda i, true, files: probabilities(i, true, files[:1])),
        "You looked for the target's released facility; the intruder knows the true one.": (
            lambda i, true, files: np.mean([probabilities(i, one, [one]) for one in files], axis=0)
        ),
    },
    hints=[
        "For one file: fits = (file.sex == ...) & (file.facility == ...), then fits / its sum.",
        "If not fits.any(), take those with the same sex instead.",
        "np.mean(a list of columns, axis=0) averages record by record.",
    ],
    words=lambda d: (
        "Shares in each file, then their average; for target 0 the own record gets "
        f"{say(probabilities(0, d.true, [d.first, d.second])[0])}."
    ),
)


# 05.4 more files
def two_and_ten(two, ten, expected="expected"):
    """Perceived and expected match risk of averaging over two and over ten files."""
    return {
        "perceived_2": two["perceived"],
        "perceived_10": ten["perceived"],
        "expected_2": two[expected],
        "expected_10": ten[expected],
    }


def summary(d, m, threshold=0.2):
    """The three risks, from the first m files."""
    r = records_of(d, m)
    perceived = (r.highest > threshold).sum()
    return {"perceived": perceived, "expected": (r.I / r.c).sum(), "true": r.K.sum()}


@lru_cache(maxsize=64)
def averaged_risks(d):
    """The mean of single files' risks: averages too late."""
    single = pd.DataFrame(
        intruder_risk(d.youth, [file], d.known, d.synthesized).summary() for file in d.released
    )
    return two_and_ten(single[:2].mean(), single.mean())


EXERCISE_4 = Exercise(
    id="05.4",
    form=Numbers("perceived_2", "perceived_10", "expected_2", "expected_10", digits=1),
    answer=lambda d: two_and_ten(summary(d, 2), summary(d, 10)),
    mistakes={
        "You averaged the risks of single files; this intruder averages probabilities.": (
            averaged_risks
        ),
        "You took the true match risk for the expected one.": (
            lambda d: two_and_ten(summary(d, 2), summary(d, 10), "true")
        ),
        "You have exchanged two and ten files.": lambda d: {
            "perceived_2": summary(d, 10)["perceived"],
            "perceived_10": summary(d, 2)["perceived"],
        },
        "That is perceived at 0.25; the threshold here is 0.2.": lambda d: {
            "perceived_2": summary(d, 2, 0.25)["perceived"],
            "perceived_10": summary(d, 10, 0.25)["perceived"],
        },
    },
    hints=[
        "Hand the first two files to sr.intruder_risk in one list, then all ten.",
        ".summary() has perceived, expected and true.",
    ],
    code="""two, ten = (
    sr.intruder_risk(mine.youth, mine.released[:m], mine.known, mine.synthesized).summary()
    for m in (2, 10)
)
answer = [two.perceived, ten.perceived, two.expected, ten.expected]""",
    words=lambda d: (
        "Perceived falls from {perceived_2} to {perceived_10}, while expected goes from "
        "{expected_2:.1f} to {expected_10:.1f}: ten files make the intruder more careful.".format(
            **two_and_ten(summary(d, 2), summary(d, 10))
        )
    ),
)


# 05.5 not in the file
def target_0(d, weight=4, files=("first", "second")):
    """Pr(J = 0) and Pr(not in file) for target 0, when every youth stands for some."""
    weights = None if weight is None else [float(weight)] * len(d.true)
    draws = [getattr(d, name) for name in files]
    risk = intruder_risk(d.true, draws, ["sex"], ["facility"], weights=weights)
    probability = risk.match_probabilities(0)
    return {"own": probability.iloc[0], "outside": probability.iloc[-1]}


EXERCISE_5 = Exercise(
    id="05.5",
    form=Numbers("own", "outside", digits=3),
    answer=target_0,
    mistakes={
        "That is for an intruder who knows that the target took part.": (
            lambda d: target_0(d, weight=None)
        ),
        "That is the first file alone; average two.": lambda d: target_0(d, files=["first"]),
        "N_t counts four for every girl in A of the file; how many girls are in A there?": (
            lambda d: {"own": 1 / 4, "outside": 3 / 4}
        ),
        "The other records that fit have their shares, too, before the rest goes outside.": (
            lambda d: {"outside": 1 - target_0(d)["own"]}
        ),
    },
    hints=[
        "In each file n_t girls are in A, and N_t = 4 n_t in the population.",
        "Record 0, if among them, gets 1/N_t; outside gets (N_t − n_t)/N_t, or 1 if n_t = 0.",
        "Average over the two files. Or: weights=[4] * 10 in sr.intruder_risk.",
    ],
    code="""files = [mine.first, mine.second]
risk = sr.intruder_risk(mine.true, files, ["sex"], ["facility"], weights=[4] * 10)
answer = risk.match_probabilities(0).iloc[[0, -1]].tolist()""",
    words=lambda d: (
        f"Known to have taken part, the target is record 0 with probability "
        f"{say(target_0(d, weight=None)['own'])}; not known, with {say(target_0(d)['own'])}, "
        f"and {say(target_0(d)['outside'])} goes to “not in file”."
    ),
)


# 05.6 which step
def means(d, what="expected", m=3):
    """The means over the runs of section 5, by what the intruder knows."""
    return d.results[d.results.m == m].groupby("knows")[what].mean()


STEPS = ["nothing (averaged)", "models (mean β)", "f(β) (mode)"]


def gains(d, what="expected", m=3, steps=STEPS):
    """What the models add to the files, and f(β) to the models."""
    files, models, coefficients = means(d, what, m)[steps]
    return {"models": models - files, "coefficients": coefficients - models}


EXERCISE_6 = Exercise(
    id="05.6",
    form=Numbers("models", "coefficients", digits=1, within=0.1),
    answer=gains,
    mistakes={
        "That is for m = 10.": lambda d: gains(d, m=10),
        "You subtracted the other way round; how much does each step add?": (
            lambda d: {step: -gain for step, gain in gains(d).items()}
        ),
        "These are perceived matches; take expected.": lambda d: gains(d, "perceived"),
        "These are true match risks; take expected.": lambda d: gains(d, "true"),
        "You started from the mode; start from the averaged files.": (
            lambda d: gains(d, steps=["nothing (mode)", *STEPS[1:]])
        ),
        "You took drawn coefficients; take mean β and the mode of f(β).": (
            lambda d: gains(d, steps=[STEPS[0], "models (drawn β)", "f(β) (drawn)"])
        ),
        "In coefficients you started from the files; the step starts from the models.": (
            lambda d: {"coefficients": sum(gains(d).values())}
        ),
    },
    hints=[
        'mine.results[mine.results.m == 3].groupby("knows").expected.mean() has all you need.',
        "Subtract the files from the models, then the models from f(β).",
    ],
    code="""table = mine.results[mine.results.m == 3].groupby("knows").expected.mean()
models = table["models (mean β)"]
answer = [models - table["nothing (averaged)"], table["f(β) (mode)"] - models]""",
    words=lambda d: (
        f"The models add {gains(d)['models']:.1f}, the coefficients "
        f"{gains(d)['coefficients']:.1f} more. With ten files it is "
        f"{gains(d, m=10)['models']:.1f} and {gains(d, m=10)['coefficients']:.1f}."
    ),
)


# 05.7 decide
def decide(d):
    """What speaks for telling little or much, with the numbers for m = 3 files."""
    expected = means(d)[STEPS]
    right = [f"{value:.0f}" for value in expected]
    believed = [f"{value:.0f}" for value in means(d, "perceived")[STEPS]]
    matches = f"{right[0]} right matches with the files, {right[1]} with the models as well, "
    matches += f"{right[2]} with f(β)"
    verdicts = {
        ("files", "right"): f"Expected are {matches}. The price: users cannot judge what the files "
        "can answer.",
        ("models", "users"): f"Expected are {matches}: you pay for the form and keep the "
        "coefficients, whose place a report on usefulness can take, or an offer to run users' code "
        "on the true data.",
        ("coefficients", "users"): "The form tells how it was made; you overlook what f(β) adds to "
        f"the risk: {matches}.",
        ("files", "users"): "Files alone do not tell users how they were made.",
        ("models", "right"): f"The files alone give fewer: {matches}.",
        ("coefficients", "right"): f"It gives the most: {matches}.",
        ("files", "believed"): "With files alone the intruder perceives most: "
        f"{believed[0]}, with the models {believed[1]}.",
        ("models", "believed"): f"Fewer are perceived, {believed[1]} instead of {believed[0]}, but "
        f"more are right: {right[1]} instead of {right[0]}.",
        ("coefficients", "believed"): "An intruder who is unsure is not wrong: "
        f"{believed[2]} are perceived, and {right[2]} are right.",
    }
    good = {("models", "users"), *([("files", "right")] if expected.idxmin() == STEPS[0] else [])}
    return {pair: (pair in good, words) for pair, words in verdicts.items()}


EXERCISE_7 = Exercise(
    id="05.7",
    form=Choice(
        {
            "files": "the files alone",
            "models": "the files and the form of the models",
            "coefficients": "the files, the models and the coefficients, f(β)",
        },
        {
            "believed": "an intruder believes to have found the fewest",
            "right": "an intruder gets the fewest right matches",
            "users": "users then know what was done",
        },
    ),
    answer=decide,
    hints=[
        "Section 5: the table of means, the column m = 3.",
        "Which of perceived and expected match risk harms somebody? And what do users need?",
    ],
    code='answer = ("models", "users")',
    words=lambda d: f"Two can be defended. For the models: {decide(d)['models', 'users'][1]}",
)


EXERCISES = [EXERCISE_1, EXERCISE_2, EXERCISE_3, EXERCISE_4, EXERCISE_5, EXERCISE_6, EXERCISE_7]


@cache
def three_intruders():
    """The draws of section 4: of three files, of the models as well, and of f(β) as well."""
    youth, chain = fitted()
    rng, released = np.random.default_rng(4), data()["released"][:3]
    fits = [fit_multinomial(one, chain.variables, PREDICTORS) for one in released]
    return {
        "three files": released,
        "and the models": model_draws(fits, youth, rng),
        "and f(β)": model_draws([chain], youth, rng),
    }


def surest(d):
    """Return the position of the youth whom the best-informed intruder is surest of."""
    found = intruder_risk(d.youth, three_intruders()["and f(β)"], d.known, d.synthesized)
    return int(found.records.highest.to_numpy().argmax())


PANELS = [
    LessonPanel(
        "threshold",
        "When is a match believed?",
        "Move the threshold, and count who is believed to be found and who is.",
        lambda d: panels.threshold_panel(d.youth, d.released, d.known, d.synthesized),
    ),
    LessonPanel(
        "target",
        "One youth",
        "What the intruder believes with three files, with the models, and with f(β).",
        lambda d: panels.target_panel(
            d.youth, three_intruders(), d.known, d.synthesized, target=surest(d)
        ),
    ),
    LessonPanel(
        "knowledge",
        "What the intruder knows of the making",
        "The same file, and an intruder who knows more and more of how it was made.",
        lambda d: panels.knowledge_panel(
            d.results, intruder_baselines(d.youth, d.known, d.synthesized)
        ),
    ),
    LessonPanel(
        "population",
        "Is the person in the file at all?",
        "With a smaller fraction in the file the intruder can be less sure, but not of everybody.",
        lambda d: panels.population_panel(d.youth, [d.youth], d.known, d.synthesized),
    ),
]
