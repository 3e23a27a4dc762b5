"""Lesson 06: its tables, exercises (look up, count, leave out, group, decide) and panels."""

from functools import lru_cache

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.classroom.engine import Exercise, LessonPanel
from synthrisk_edu.classroom.forms import Choice, Function, Names, Numbers
from synthrisk_edu.data import load_diagnosis
from synthrisk_edu.disclosure import disclosure, remove_replicated_uniques
from synthrisk_edu.synthesis import synthesize_cart
from synthrisk_edu.utility import pmse_tables
from synthrisk_edu.widgets import disclosure as panels
from synthrisk_edu.words import listing

TITLE = "A DiSCO walkthrough"

TOY = ["sex", "age", "region", "place"]
WITHOUT_REGION = ["sex", "age", "place"]
ORIGINAL = {
    "Ola": ("F", 41, "north", "town", "married"),
    "Pia": ("F", 41, "north", "town", "married"),
    "Rob": ("M", 30, "north", "town", "single"),
    "Sam": ("M", 30, "south", "farm", "single"),
    "Tea": ("F", 19, "south", "town", "single"),
    "Udo": ("M", 55, "south", "farm", "divorced"),
    "Vik": ("M", 30, "north", "town", "married"),
    "Wen": ("F", 62, "north", "farm", "widowed"),
}
SYNTHETIC = [
    ("F", 41, "north", "town", "married"),
    ("F", 41, "north", "town", "married"),
    ("M", 30, "north", "town", "single"),
    ("M", 30, "south", "farm", "married"),
    ("M", 30, "south", "farm", "single"),
    ("F", 19, "south", "town", "married"),
    ("F", 19, "north", "town", "single"),
    ("M", 55, "north", "farm", "divorced"),
    ("F", 62, "south", "farm", "widowed"),
    ("M", 30, "north", "town", "single"),
    ("F", 35, "south", "town", "single"),
    ("M", 41, "south", "farm", "married"),
]
NEW_ROW = [("F", 62, "north", "farm", "widowed")]
SPECIAL = {"income": [-8]}


def data(seed=None):
    """Make the eight persons with twelve rows, and the 5,000 with five syntheses.

    With a seed: the true answers of the eight in another order, and 4,500 persons.
    """
    persons, columns = load_diagnosis(), [*TOY, "marital"]
    original = pd.DataFrame.from_dict(ORIGINAL, "index", columns=columns)
    if seed is not None:
        rng = checks.generator(seed)
        original = original.assign(marital=rng.permutation(original.marital).tolist())
        rows = np.sort(rng.choice(len(persons), 4500, replace=False))
        persons = persons.iloc[rows].reset_index(drop=True)
    seed = 1 if seed is None else seed
    return {
        "original": original,
        "synthetic": pd.DataFrame(SYNTHETIC, columns=columns),
        "toy_keys": TOY,
        "persons": persons,
        "released": synthesize_cart(persons, list(persons), m=5, special=SPECIAL, seed=seed),
        "keys": ["sex", "age", "region", "placesize"],
    }


# 06.1 wrong
def who(d, chain, keys=WITHOUT_REGION):
    """Name the persons with this outcome: a function of found, disclosive and correct."""
    records = disclosure(d.original, d.synthetic, keys, "marital").records()
    return list(records.index[chain(records)])


def wrongly_answered(d, keys=WITHOUT_REGION):
    """Name those who get a single answer that is not theirs."""
    return who(d, lambda r: r.disclosive & ~r.correct, keys)


LOOK_UP = Exercise(
    id="06.1",
    form=Names(),
    answer=wrongly_answered,
    mistakes={
        "That is with all four keys; here the intruder does not know the region.": (
            lambda d: wrongly_answered(d, TOY)
        ),
        "For these the answers differ; an intruder does not know which to believe.": (
            lambda d: who(d, lambda r: r.found & ~r.disclosive)
        ),
        "These are told the right answer: they are disclosed.": (
            lambda d: who(d, lambda r: r.correct)
        ),
        "These are all who are not disclosed; some of them are told no single answer.": (
            lambda d: who(d, lambda r: ~r.correct)
        ),
    },
    hints=[
        "Look up each person's sex, age and place in mine.synthetic: several answers, or one?",
        "records() has the columns disclosive (a single answer) and correct.",
    ],
    code="""fewer = ["sex", "age", "place"]
found = sr.disclosure(mine.original, mine.synthetic, fewer, "marital").records()
answer = found.index[found.disclosive & ~found.correct]""",
    words=lambda d: (
        "With one key fewer everybody is found. One answer, and a wrong one: "
        f"{listing(wrongly_answered(d) or ['nobody'])}. The intruder cannot tell that from a right "
        f"one, as for {listing(who(d, lambda r: r.correct) or ['nobody'])}."
    ),
)


# 06.2 one row more
def chain(d, factor=1, names=("iS", "DiS", "DiSCO"), new=NEW_ROW):
    """Return iS, DiS and DiSCO, or other columns in their place, with one row more or without."""
    synthetic = pd.DataFrame([*SYNTHETIC, *new], columns=list(d.synthetic))
    row = disclosure(d.original, synthetic, TOY, "marital").attribute.loc[1]
    return dict(zip(("iS", "DiS", "DiSCO"), factor * row[list(names)], strict=True))


COUNT = Exercise(
    id="06.2",
    form=Numbers("iS", "DiS", "DiSCO", digits=1),
    answer=chain,
    mistakes={
        "That is without the new row: who is Wen?": lambda d: chain(d, new=[]),
        "You divided by the 13 synthetic rows; the base is the eight original persons.": (
            lambda d: chain(d, 8 / 13)
        ),
        "You counted persons; hand in per cent of the eight.": lambda d: chain(d, 0.08),
        "These are shares; hand in per cent.": lambda d: chain(d, 0.01),
        "In DiSCO you asked for an original that tells the same; that is DiSDiO.": (
            lambda d: {"DiSCO": chain(d, names=("iS", "DiS", "DiSDiO"))["DiSCO"]}
        ),
        "That is Dorig; for DiSCO look the persons up in the synthetic rows.": (
            lambda d: {"DiSCO": chain(d, names=("iS", "DiS", "Dorig"))["DiSCO"]}
        ),
    },
    hints=[
        "Only one person has the keys of the new row. What changes for her?",
        "Count found, single answer, and right; then divide by eight.",
    ],
    code="""new = [("F", 62, "north", "farm", "widowed")]
more = pd.concat([mine.synthetic, pd.DataFrame(new, columns=mine.synthetic.columns)])
answer = sr.disclosure(mine.original, more, mine.toy_keys, "marital").attribute.loc[1]""",
    words=lambda d: (
        f"Wen is found now. The file says widowed, and she is {d.original.marital['Wen']}: iS, "
        f"DiS and DiSCO go from {listing(chain(d, new=[]).values())} to "
        f"{listing(chain(d).values())} %."
    ),
)


# 06.3 DiSCO
def disco(original, synthetic, keys, target):
    """100 · the share of original records with a single synthetic answer that is theirs."""
    tables = original, synthetic
    truth, answer = (table[target].astype(object).fillna("Missing") for table in tables)
    answers = synthetic.assign(answer=answer).groupby(keys, observed=True, dropna=False).answer
    found = original[keys].join(answers.agg(["nunique", "first"]), on=keys)
    return 100 * (found["nunique"].eq(1) & found["first"].eq(truth)).mean()


def looked_up(original, synthetic, keys, answers):
    """Look everybody up: how many different answers there are under the keys, and the first."""
    groups = synthetic[keys].assign(answer=answers).groupby(keys, observed=True, dropna=False)
    return original[keys].join(groups.answer.agg(["nunique", "first"]), on=keys)


def as_text(column):
    """Write missing as a level of its own."""
    return column.astype(object).fillna("Missing")


def missing_passed_over(original, synthetic, keys, target):
    """Counts answers as groupby does by itself: without the missing ones."""
    found = looked_up(original, synthetic, keys, synthetic[target].astype(object))
    is_right = found["first"].eq(original[target].astype(object))
    return 100 * (found["nunique"].eq(1) & is_right).mean()


def single_answers(original, synthetic, keys, answers):
    """Does not ask whether the answer is right: DiS."""
    return 100 * looked_up(original, synthetic, keys, answers)["nunique"].eq(1).mean()


def some_right_answer(original, synthetic, keys, target):
    """Does not ask for a single answer: some synthetic row with the keys tells the truth."""
    pairs = [frame.assign(answer=as_text(frame[target])) for frame in (original, synthetic)]
    both = [pair.set_index([*keys, "answer"]).index for pair in pairs]
    return 100 * both[0].isin(both[1]).mean()


def of_those_found(original, synthetic, keys, target):
    """Divides by those found: TCAP."""
    found = looked_up(original, synthetic, keys, 1)["nunique"].notna().mean()
    return disco(original, synthetic, keys, target) / found


def disco_cases(d):
    """The eight persons, and two targets of a part of the file; workab is often missing."""
    few, some = d.persons.head(1500), d.released[0].head(1500)
    return [
        (d.original, d.synthetic, TOY, "marital"),
        *((few, some, d.keys, target) for target in ("marital", "workab")),
        (few, some, ["sex", "age"], "workab"),
    ]


WRITE = Exercise(
    id="06.3",
    form=Function("disco(original, synthetic, keys, target)", disco_cases),
    answer=disco,
    mistakes={
        "nunique and first pass over missing answers; make them a level first.": (
            missing_passed_over
        ),
        "That is DiS: is the single answer right?": (
            lambda original, synthetic, keys, target: single_answers(
                original, synthetic, keys, as_text(synthetic[target])
            )
        ),
        "That is DiS, and missing answers are passed over: is the single answer right?": (
            lambda original, synthetic, keys, target: single_answers(
                original, synthetic, keys, synthetic[target]
            )
        ),
        "Some row tells the truth, but do all with these keys?": some_right_answer,
        "That is Dorig: look the persons up in the synthetic data.": (
            lambda original, synthetic, keys, target: disco(original, original, keys, target)
        ),
        "You divide by those found; the base is all original records.": of_those_found,
        "That is the share; return per cent.": lambda *question: disco(*question) / 100,
    },
    hints=[
        "Group the synthetic data by the keys: how many different answers, and which first?",
        "original[keys].join(that table, on=keys) looks everybody up; not found is missing.",
        'Before grouping: column.astype(object).fillna("Missing"), in both tables.',
    ],
    words=lambda d: (
        "For workab in the first synthesis it gives "
        f"{disco(d.persons, d.released[0], d.keys, 'workab'):.1f} %; without the line about "
        "missing answers it would be "
        f"{missing_passed_over(d.persons, d.released[0], d.keys, 'workab'):.1f} %."
    ),
)


# 06.4 leave out
def workab(d, **options):
    """What is left of DiSCO for workab in the first synthesis, and how many were left out."""
    found = disclosure(d.persons, d.released[0], d.keys, "workab", **options)
    return {"DiSCO": found.attribute.DiSCO[1], "left_out": found.exclusions.original.sum()}


def without_no(d):
    """Leave out the level NO by name."""
    return workab(d, drop_target=["NO"])


def rows_removed_first(d):
    """Removes the rows with NO from both files, and then looks up: other persons' NO is gone."""
    persons, released = (file[file.workab != "NO"] for file in (d.persons, d.released[0]))
    found = disclosure(persons, released, d.keys, "workab").attribute.DiSCO[1]
    return {"DiSCO": found * len(persons) / len(d.persons)}


def smaller_base(d):
    """Divides by the persons who are left."""
    left = len(d.persons) - without_no(d)["left_out"]
    return {"DiSCO": without_no(d)["DiSCO"] * len(d.persons) / left}


LEAVE_OUT = Exercise(
    id="06.4",
    form=Numbers("DiSCO", "left_out", digits=1),
    answer=without_no,
    mistakes={
        "Nothing is left out yet: drop_target= takes a list of levels.": workab,
        "You left out the missing answers; leave out NO.": (
            lambda d: workab(d, missing_target=False)
        ),
        "You removed rows before looking up, so a NO no longer contradicts a YES.": (
            rows_removed_first
        ),
        "You divided by those who are left after NO; the base stays everybody.": smaller_base,
        "These are the synthetic records left out; count the original persons.": (
            lambda d: {"left_out": d.released[0].workab.eq("NO").sum()}
        ),
    },
    hints=[
        'drop_target=["NO"] leaves the level out after everybody has been looked up.',
        ".exclusions has a row for each step, with the number of original persons.",
    ],
    code="""found = sr.disclosure(
    mine.persons, mine.released[0], mine.keys, "workab", drop_target=["NO"]
)
answer = [found.attribute.DiSCO[1], found.exclusions.original.sum()]""",
    words=lambda d: (
        f"DiSCO falls from {workab(d)['DiSCO']:.1f} to {without_no(d)['DiSCO']:.1f} %; "
        f"{without_no(d)['left_out']:,} persons answered NO."
    ),
)


# 06.5 uniques
def marital(d, **options):
    """The disclosure of marital status in the first synthesis."""
    return disclosure(d.persons, d.released[0], d.keys, "marital", **options)


def uniques(d, ending="", **options):
    """UiO and Dorig for marital status in the first synthesis."""
    found = marital(d, **options)
    return {f"UiO{ending}": found.identity.UiO[1], f"Dorig{ending}": found.attribute.Dorig[1]}


def all_four(d):
    """Nothing left out, and then what has a denominator above 1."""
    return uniques(d) | uniques(d, "_limited", denom_limit=1)


UNIQUES = Exercise(
    id="06.5",
    form=Numbers("UiO", "Dorig", "UiO_limited", "Dorig_limited", digits=1),
    answer=all_four,
    mistakes={
        "These are shares; hand in per cent.": (
            lambda d: {name: one / 100 for name, one in all_four(d).items()}
        ),
        "Both are the same twice: denom_limit=1 leaves out the rest.": (
            lambda d: uniques(d, "_limited")
        ),
        "Dorig_limited is not UiO_limited: who becomes unique by leaving others out?": (
            lambda d: {"Dorig_limited": uniques(d, denom_limit=1)["UiO"]}
        ),
        "That is DiSCO; Dorig looks up in the original itself.": lambda d: {
            "Dorig": marital(d).attribute.DiSCO[1],
            "Dorig_limited": marital(d, denom_limit=1).attribute.DiSCO[1],
        },
        "In UiO you took repU: alone in both files.": (
            lambda d: {"UiO": marital(d).identity.repU[1]}
        ),
    },
    hints=[
        ".identity.UiO and .attribute.Dorig, each with a row for every synthesis, from 1.",
        "Do it twice, the second time with denom_limit=1.",
    ],
    code="""answer = []
for limit in (None, 1):
    found = sr.disclosure(
        mine.persons, mine.released[0], mine.keys, "marital", denom_limit=limit
    )
    answer += [found.identity.UiO[1], found.attribute.Dorig[1]]""",
    words=lambda d: (
        "DiSCO counts all under keys with a single right answer, groups of several as well; "
        "repU counts only those alone in both files. "
        "A record alone with its keys is always disclosive, so Dorig is never below UiO while "
        "nothing is left out: {Dorig:.1f} and {UiO:.1f} %. With denominators above 1 left out it "
        "is: {Dorig_limited:.1f} against {UiO_limited:.1f} %.".format(**all_four(d))
    ),
)


# 06.6 group
def income_as_key(d, target="workab", **options):
    """DiSCO with income among the keys, in the first synthesis."""
    keys = ["sex", "age", "income"]
    return disclosure(d.persons, d.released[0], keys, target, **options).attribute


def ungrouped_and_grouped(d, measure="DiSCO", target="workab"):
    """With income as it is, and in 20 groups with −8 kept apart."""
    plain = income_as_key(d, target)
    grouped = income_as_key(d, target, groups={"income": 20}, special=SPECIAL)
    return {"as_it_is": plain[measure][1], "grouped": grouped[measure][1]}


GROUP = Exercise(
    id="06.6",
    form=Numbers("as_it_is", "grouped", digits=1),
    answer=ungrouped_and_grouped,
    mistakes={
        "These are shares; hand in per cent.": (
            lambda d: {name: one / 100 for name, one in ungrouped_and_grouped(d).items()}
        ),
        "The code −8 went into a group as if it were an income: use special=.": (
            lambda d: {"grouped": income_as_key(d, groups={"income": 20}).DiSCO[1]}
        ),
        "You grouped age as well; group income alone.": lambda d: {
            "grouped": income_as_key(d, groups={"income": 20, "age": 20}, special=SPECIAL).DiSCO[1]
        },
        "That is Dorig; the question is about the synthetic data.": (
            lambda d: ungrouped_and_grouped(d, "Dorig")
        ),
        "That is DiS: single answers, right or wrong.": lambda d: ungrouped_and_grouped(d, "DiS"),
        "That is for marital, as in the sections; the target is workab.": (
            lambda d: ungrouped_and_grouped(d, target="marital")
        ),
        "You have exchanged the two.": (
            lambda d: dict(
                zip(("grouped", "as_it_is"), ungrouped_and_grouped(d).values(), strict=True)
            )
        ),
    },
    hints=[
        "sr.disclosure takes groups= and special=, both from a name to what is wanted.",
        'groups={"income": 20}, special={"income": [-8]}',
    ],
    code="""question = mine.persons, mine.released[0], ["sex", "age", "income"], "workab"
plain = sr.disclosure(*question).attribute
grouped = sr.disclosure(*question, groups={"income": 20}, special={"income": [-8]}).attribute
answer = [plain.DiSCO[1], grouped.DiSCO[1]]""",
    words=lambda d: (
        "DiSCO is {as_it_is:.1f} % as it is and {grouped:.1f} % in groups. Incomes are rounded "
        "here, so many persons share one and are found even ungrouped; in groups still more are. "
        "Report the second: nobody gives up because an income is a few zlotys off (section "
        "6).".format(**ungrouped_and_grouped(d))
    ),
)


# 06.7 decide
def band(persons):
    """Give everybody the middle of a ten-year band of age."""
    return persons.assign(age=persons.age // 10 * 10 + 5)


def merged(persons, small):
    """Merge the small regions into one."""
    names = persons.region.astype(str)
    return persons.assign(region=names.where(~names.isin(small), "other"))


@lru_cache(maxsize=32)
def measures(d):
    """DiSCO for marital status and the mean pMSE ratio of two-way tables, by action.

    Both at the level that is released: ages in bands are compared with true ages in bands. Regions
    with fewer than a twentieth of the persons are merged.
    """
    file, truth = d.released[0], d.persons
    share = truth.region.astype(str).value_counts(normalize=True)
    small, rows = share.index[share < 0.05], {}
    files = {
        "nothing": (truth, file),
        "uniques": (truth, remove_replicated_uniques(file, truth, d.keys)),
        "bands": (band(truth), band(file)),
        "regions": (merged(truth, small), merged(file, small)),
    }
    for name, (true, released) in files.items():
        found = disclosure(true, released, d.keys, "marital")
        rows[name] = found.attribute.DiSCO[1], pmse_tables(true, released, 2).ratio.mean()
    return pd.DataFrame(rows, index=["DiSCO", "ratio"]).T


# Five syntheses of the same persons differ by less than this: in DiSCO, and in the pMSE ratio.
FALLS, WORSE = 2, 0.15

# What to say to each choice and reason; in brackets stand the numbers of an action.
VERDICTS = {
    ("bands", "risk"): "Bands give {bands}; {reference}. The tables that can still be made stay as "
    "good, and nobody can make one by single years of age any more: that is the price.",
    ("uniques", "detail"): "Removing them gives {uniques}; {reference}. All levels stay, the "
    "tables get worse. Say in the documentation that rows were removed.",
    ("nothing", "price"): "The file as it is has {nothing}, and no detail is given up. Then say "
    "why this DiSCO is acceptable: put Dorig beside it, and what is said of people who took no "
    "part.",
    ("uniques", "risk"): "Removing uniques gives {uniques}, bands of age {bands}; two syntheses of "
    f"the same persons differ by up to {FALLS} points of DiSCO.",
    ("uniques", "price"): "The tables get worse: removing uniques gives {uniques}, {reference}.",
    ("bands", "detail"): "DiSCO falls ({bands}), but single ages are given up.",
    ("bands", "price"): "The tables that are left stay as good ({bands}), but single ages are "
    "given up.",
    ("regions", "risk"): "Compare DiSCO: merging regions gives {regions}, {reference}.",
    ("regions", "detail"): "The small regions are given up: {regions}, {reference}.",
    ("regions", "price"): "The tables that are left stay as good ({regions}; {reference}), but the "
    "small regions are given up, and DiSCO does not fall.",
    ("nothing", "risk"): "Nothing falls: {reference}, bands of age {bands}.",
    ("nothing", "detail"): "All levels stay, but DiSCO does not fall: {reference}, removing "
    "uniques {uniques}.",
}


def defensible(d):
    """List the choices that can be defended, each with its reason."""
    table = measures(d)
    falls = table.DiSCO < table.DiSCO["nothing"] - FALLS
    as_low = table.DiSCO < table.DiSCO.min() + FALLS
    as_good = table.ratio < table.ratio["nothing"] + WORSE
    pairs = {(name, "risk") for name in ("uniques", "bands", "regions") if as_low[name]}
    pairs |= {(name, "price") for name in ("nothing", "uniques") if as_good[name]}
    return pairs | ({("uniques", "detail")} if falls["uniques"] else set())


def decide(d):
    """What each action does to DiSCO, and what it costs, with the numbers."""
    words = "a DiSCO of {DiSCO:.0f} % and a pMSE ratio of {ratio:.1f}"
    numbers = {name: words.format(**row) for name, row in measures(d).iterrows()}
    numbers["reference"] = f"doing nothing gives {numbers['nothing']}"
    good = defensible(d)
    return {pair: (pair in good, words.format(**numbers)) for pair, words in VERDICTS.items()}


DECIDE = Exercise(
    id="06.7",
    form=Choice(
        {
            "nothing": "release it as it is",
            "uniques": "remove replicated uniques",
            "bands": "publish age in bands of ten years",
            "regions": "merge the small regions",
        },
        {
            "risk": "DiSCO for marital status falls most, or within 2 points of it",
            "detail": "DiSCO falls, and every variable keeps all its levels",
            "price": "no detail is given up, and no table gets worse",
        },
    ),
    answer=decide,
    hints=[
        "Section 8 has the table; read DiSCO and the pMSE ratio against the row nothing.",
        "Which rows lower DiSCO at all? What do users lose in each: levels, rows, or nothing?",
    ],
    code='answer = ("bands", "risk")',
    words=lambda d: (
        f"Three answers can be defended. Bands: {decide(d)['bands', 'risk'][1]} Remove uniques: "
        f"{decide(d)['uniques', 'detail'][1]} Nothing: {decide(d)['nothing', 'price'][1]}"
    ),
)


EXERCISES = [LOOK_UP, COUNT, WRITE, LEAVE_OUT, UNIQUES, GROUP, DECIDE]

TARGETS = ["marital", "workab", "ls", "depress", "income"]

# What the website offers of the keys: one after the other.
KNOWN = [("sex",), ("sex", "age"), ("sex", "age", "region"), ("sex", "age", "region", "placesize")]

PANELS = [
    LessonPanel(
        "look_up",
        "Look this person up",
        "Found? One answer only? The right one? Try several persons and targets.",
        lambda d: panels.look_up_panel(d.persons, d.released[0], d.keys, TARGETS, person=1),
        offers={"person": [1, 0, 3, 500, 1234, 2500, 3333, 4999]},
    ),
    LessonPanel(
        "funnel",
        "The funnel of the file",
        "From everybody to those who are disclosed, and right.",
        lambda d: panels.funnel_panel(d.persons, d.released, d.keys, TARGETS, special=SPECIAL),
        offers={"known": KNOWN, "age": [0, 10], "income": [0, 20], "limit": [0, 5]},
    ),
    LessonPanel(
        "targets",
        "All targets",
        "Which target is given away most, and is it a secret?",
        lambda d: panels.targets_panel(
            d.persons, d.released[0], d.keys, TARGETS, groups={"income": 20}, special=SPECIAL
        ),
        offers={
            "known": KNOWN,
            "one_way_most": [50, 500],
            "one_way_share": [90],
            "two_way_most": [4, 10],
            "two_way_share": [80],
        },
    ),
    LessonPanel(
        "exclusions",
        "The table of exclusions",
        "Leave out what is nobody’s secret, step by step.",
        lambda d: panels.exclusions_panel(d.persons, d.released[0], d.keys, TARGETS),
    ),
    LessonPanel(
        "identity",
        "Identity, key by key",
        "Who is unique as the keys are added one after the other?",
        lambda d: panels.identity_panel(d.persons, d.released, d.keys),
    ),
]
