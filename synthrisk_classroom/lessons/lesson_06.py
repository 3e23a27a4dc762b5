"""Lesson 06: look up, count, leave out, group, decide, change a line."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_classroom.dora import Dora
from synthrisk_classroom.exercise import exercise, recall
from synthrisk_classroom.forms import Choice, Estimate, Function, Names, Numbers, OneOf
from synthrisk_classroom.lesson import draw_until, tells_apart
from synthrisk_classroom.prediction import Draw, prediction
from synthrisk_edu.data import load_diagnosis
from synthrisk_edu.disco import disclosure, remove_replicated_uniques
from synthrisk_edu.synthesis import synthesize_cart
from synthrisk_edu.utility import pmse_tables
from synthrisk_edu.words import counted, listing, rounded

TITLE = "A DiSCO walkthrough"

TOY = ["sex", "age", "region", "place"]
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
SHARES = "These are shares; hand in per cent."


def data(seed=None):
    """Make the eight persons with twelve rows, and the 5,000 with five syntheses.

    With a seed: the true answers of the eight in another order, and 4,500 persons.
    """
    eight = eight_persons()
    if seed is None:
        many = five_syntheses(load_diagnosis(), seed=1)
    else:
        rng = np.random.default_rng(seed)
        eight = draw_until(lambda: eight_persons(rng), lambda d: tells_apart(d, "06.1", "06.2"))
        many = draw_until(lambda: five_syntheses(some_persons(rng), seed), is_telling, tries=20)
    return {**vars(eight), "toy_keys": TOY, **vars(many)}


def eight_persons(rng=None):
    """Make the small tables; with a generator the true answers stand in another order."""
    columns = [*TOY, "marital"]
    original = pd.DataFrame.from_dict(ORIGINAL, "index", columns=columns)
    if rng is not None:
        original = original.assign(marital=rng.permutation(original.marital).tolist())
    return SimpleNamespace(original=original, synthetic=pd.DataFrame(SYNTHETIC, columns=columns))


def some_persons(rng):
    """Draw 4,500 of the 5,000 persons."""
    persons = load_diagnosis()
    rows = np.sort(rng.choice(len(persons), 4500, replace=False))
    return persons.iloc[rows].reset_index(drop=True)


def five_syntheses(persons, seed):
    """Make the large tables."""
    released = synthesize_cart(persons, list(persons), m=5, special=SPECIAL, seed=seed)
    keys = ["sex", "age", "region", "placesize"]
    return SimpleNamespace(persons=persons, released=released, keys=keys)


# Dora's double among the 5,000
DORA = "persons", 2285
LIKE = {"sex": "FEMALE", "age": 58, "marital": "WIDOWED", "placesize": "URBAN BELOW 20,000"}


def dora(d):
    """What the five files say of her marital status to somebody who knows her keys."""
    her = d.persons.iloc[DORA[1]]
    told = [file.marital[(file[d.keys] == her[d.keys]).all(axis=1)] for file in d.released]
    rows, right = ([len(one) for one in told], [one.eq(her.marital) for one in told])
    met = sum(count > 0 for count in rows)
    said = sorted({str(one).lower() for answers in told for one in answers})
    alike = (d.persons[d.keys] == her[d.keys]).all(axis=1).sum()
    words = (
        f"In the original {counted(alike, 'person has', 'persons have')} her four keys. In "
        f"{met} of the five files somebody has them"
        + (f", and these rows say {' or '.join(said)}" if met else "")
        + f"; she is {her.marital.lower()}. Here c, T and risk are means over the five files: "
        "rows with her keys, her true status among them, and the share of rows that say it."
    )
    risk = np.mean([one.mean() if len(one) else 0 for one in right])
    return Dora(
        "5,000 persons, all columns, five files",
        np.mean(rows),
        np.mean([one.any() for one in right]),
        risk,
        words,
    )


# What lesson 05 has taught
recall(
    "06.r1",
    {
        "a": "how many guesses are right on average",
        "b": "how many targets the intruder believes to have found",
        "c": "how many records are alone with their values",
    },
    "b",
    "The perceived risk is what the intruder believes; the expected risk counts what is right.",
    ("05_intruder_knowledge", "1. Ten youths, two released files"),
)
recall(
    "06.r2",
    {
        "a": "with 1, because somebody will be found",
        "b": "with 0, because synthetic data protect",
        "c": "with the confidential file, and with an intruder who ignores what was synthesized",
    },
    "c",
    "A risk is read between these two: what the true file gives, and what is known anyway.",
    ("05_intruder_knowledge", "1. Ten youths, two released files"),
)
recall(
    "06.r3",
    {
        "a": "row j is the same person in every file",
        "b": "the files have the same totals",
        "c": "the intruder knows the model",
    },
    "a",
    "Only then is there something to average; in this lesson no row is anybody's.",
    ("05_intruder_knowledge", "1. Ten youths, two released files"),
)


# 06.1 wrong
@exercise(
    "06.1",
    Names(),
    hints=[
        "Look up each person's sex, age and place in mine.synthetic: several answers, or one?",
        "records() has the columns disclosive (a single answer) and correct.",
    ],
    mistakes={
        "That is with all four keys; here the intruder does not know the region.": {"keys": TOY},
        "For these the answers differ; an intruder does not know which to believe.": {
            "outcome": "found & ~disclosive"
        },
        "For these the file gives the right answer: they are disclosed.": {"outcome": "correct"},
        "These are all who are not disclosed; for some of them the answers differ.": {
            "outcome": "~correct"
        },
    },
    code="""fewer = ["sex", "age", "place"]
found = sr.disclosure(mine.original, mine.synthetic, fewer, "marital").records()
answer = found.index[found.disclosive & ~found.correct]""",
    words=lambda d, r: (
        "With one key fewer everybody is found. One answer, and a wrong one: "
        f"{listing(r or ['nobody'])}. The intruder cannot tell that from a right "
        f"one, as for {listing(looked_up(d, outcome='correct') or ['nobody'])}, because in both "
        "cases all rows with the keys say the same."
    ),
)
def looked_up(d, keys=("sex", "age", "place"), outcome="disclosive & ~correct"):
    """Name those with this outcome: a single answer that is not theirs."""
    found = disclosure(d.original, d.synthetic, list(keys), "marital").records()
    return found.query(outcome).index.tolist()


# 06.2 one row more
CHAIN = ["iS", "DiS", "DiSCO"]


@exercise(
    "06.2",
    Numbers(*CHAIN, digits=1),
    hints=[
        "Only one person has the keys of the new row. What changes for her?",
        "Count found, single answer, and right; then divide by eight.",
    ],
    mistakes={
        "That is without the new row: who is Wen?": {"new": []},
        "You divided by the 13 synthetic rows; the base is the eight original persons.": (
            lambda d, r: r * 8 / 13
        ),
        "You counted persons; hand in per cent of the eight.": lambda d, r: r * 0.08,
        SHARES: lambda d, r: r / 100,
        "In DiSCO you left out the new row, or you asked for an original that tells the same, "
        "which is DiSDiO.": lambda d, r: {"DiSCO": r.DiSDiO},
        "That is Dorig; for DiSCO look the persons up in the synthetic rows.": (
            lambda d, r: {"DiSCO": r.Dorig}
        ),
    },
    code="""new = [("F", 62, "north", "farm", "widowed")]
more = pd.concat([mine.synthetic, pd.DataFrame(new, columns=mine.synthetic.columns)])
answer = sr.disclosure(mine.original, more, mine.toy_keys, "marital").attribute.loc[1]""",
    words=lambda d, r: (
        f"Wen is found now. The file says widowed, and she is {d.original.marital['Wen']}: iS, "
        f"DiS and DiSCO go from {listing(one_row_more(d, new=[])[CHAIN])} to {listing(r[CHAIN])} %."
    ),
)
def one_row_more(d, new=NEW_ROW):
    """All measures of the eight persons, with one row more or without."""
    synthetic = pd.DataFrame([*SYNTHETIC, *new], columns=list(d.synthetic))
    return disclosure(d.original, synthetic, TOY, "marital").attribute.loc[1]


# 06.3 DiSCO
def as_text(column):
    """Write missing as a level of its own."""
    return column.astype(object).fillna("Missing")


def told(original, synthetic, keys, target, level=as_text, is_right=True):
    """DiSCO; or without a level for missing answers, or of single answers right or wrong."""
    truth, answers = level(original[target]), level(synthetic[target])
    groups = synthetic[keys].assign(answer=answers).groupby(keys, observed=True, dropna=False)
    found = original[keys].join(groups.answer.agg(["nunique", "first"]), on=keys)
    single = found["nunique"].eq(1)
    return 100 * (single & found["first"].eq(truth) if is_right else single).mean()


def missing_passed_over(column):
    """Leave missing answers missing: nunique and first pass over them."""
    return column.astype(object)


def agreeing(original, synthetic, columns):
    """The share of original records with a synthetic one that agrees on these columns."""
    ours, theirs = (frame.set_index(columns).index for frame in (original, synthetic))
    return ours.isin(theirs).mean()


def some_right_answer(original, synthetic, keys, target):
    """Does not ask for a single answer: some synthetic row with the keys tells the truth."""
    files = (file.assign(**{target: as_text(file[target])}) for file in (original, synthetic))
    return 100 * agreeing(*files, [*keys, target])


def disco_cases(d):
    """The eight persons, and two targets of a part of the file; workab is often missing."""
    few, some = d.persons.head(1500), d.released[0].head(1500)
    return [
        (d.original, d.synthetic, TOY, "marital"),
        *((few, some, d.keys, target) for target in ("marital", "workab")),
        (few, some, ["sex", "age"], "workab"),
    ]


@exercise(
    "06.3",
    Function("disco(original, synthetic, keys, target)", disco_cases),
    hints=[
        "Group the synthetic data by the keys: how many different answers, and which first?",
        "original[keys].join(that table, on=keys) looks everybody up; not found is missing.",
        'Before grouping: column.astype(object).fillna("Missing"), in both tables.',
    ],
    mistakes={
        "nunique and first pass over missing answers; make them a level first.": (
            partial(told, level=missing_passed_over)
        ),
        "That is DiS: is the single answer right?": partial(told, is_right=False),
        "That is DiS, and missing answers are passed over: is the single answer right?": (
            partial(told, level=missing_passed_over, is_right=False)
        ),
        "Some row tells the truth, but do all with these keys?": some_right_answer,
        "That is Dorig: look the persons up in the synthetic data.": (
            lambda original, synthetic, keys, target: disco(original, original, keys, target)
        ),
        "You divide by those found; the base is all original records.": (
            lambda *question: disco(*question) / agreeing(*question[:3])
        ),
        "That is the share; return per cent.": lambda *question: disco(*question) / 100,
    },
    words=lambda d, r: (
        "For workab in the first synthesis it gives "
        f"{disco(d.persons, d.released[0], d.keys, 'workab'):.1f} %; without the line about "
        "missing answers it would be "
        f"{told(d.persons, d.released[0], d.keys, 'workab', level=missing_passed_over):.1f} "
        "%, because a row without an answer would no longer contradict the others."
    ),
)
def disco(original, synthetic, keys, target):
    """100 · the share of original records with a single synthetic answer that is theirs."""
    tables = original, synthetic
    truth, answer = (table[target].astype(object).fillna("Missing") for table in tables)
    answers = synthetic.assign(answer=answer).groupby(keys, observed=True, dropna=False).answer
    found = original[keys].join(answers.agg(["nunique", "first"]), on=keys)
    return 100 * (found["nunique"].eq(1) & found["first"].eq(truth)).mean()


# 06.4 leave out
def rows_removed_first(d):
    """Removes the rows with NO from both files, and then looks up: other persons' NO is gone."""
    persons, released = (file[file.workab != "NO"] for file in (d.persons, d.released[0]))
    found = disclosure(persons, released, d.keys, "workab").attribute.DiSCO[1]
    return {"DiSCO": found * len(persons) / len(d.persons)}


@exercise(
    "06.4",
    Numbers("DiSCO", "left_out", digits=1),
    hints=[
        'drop_target=["NO"] leaves the level out after everybody has been looked up.',
        ".exclusions has a row for each step, with the number of original persons.",
    ],
    mistakes={
        "Nothing is left out yet: drop_target= takes a list of levels.": {"drop_target": ()},
        "You left out the missing answers; leave out NO.": {
            "drop_target": (),
            "missing_target": False,
        },
        "You removed rows before looking up, so a NO no longer contradicts a YES.": (
            lambda d, r: rows_removed_first(d)
        ),
        "You divided by those who are left after NO; the base stays everybody.": (
            lambda d, r: {"DiSCO": r["DiSCO"] / (1 - r["left_out"] / len(d.persons))}
        ),
        "These are the synthetic records left out; count the original persons.": (
            lambda d, r: {"left_out": d.released[0].workab.eq("NO").sum()}
        ),
    },
    code="""found = sr.disclosure(
    mine.persons, mine.released[0], mine.keys, "workab", drop_target=["NO"]
)
answer = [found.attribute.DiSCO[1], found.exclusions.original.sum()]""",
    words=lambda d, r: (
        f"DiSCO falls from {workab(d, drop_target=())['DiSCO']:.1f} to {r['DiSCO']:.1f} %; "
        f"{r['left_out']:,} people answered NO. So little is left because nearly every single "
        "answer is NO."
    ),
)
def workab(d, drop_target=("NO",), **options):
    """What is left of DiSCO for workab in the first synthesis, and how many were left out."""
    options |= {"drop_target": list(drop_target)}
    found = disclosure(d.persons, d.released[0], d.keys, "workab", **options)
    return {"DiSCO": found.attribute.DiSCO[1], "left_out": found.exclusions.original.sum()}


# 06.5 uniques
@exercise(
    "06.5",
    Numbers("UiO", "Dorig", "UiO_limited", "Dorig_limited", digits=1),
    hints=[
        ".identity.UiO and .attribute.Dorig, each with a row for every synthesis, from 1.",
        "Do it twice, the second time with denom_limit=1.",
    ],
    mistakes={
        SHARES: lambda d, r: r / 100,
        "Both are the same twice: denom_limit=1 leaves out the rest.": (
            lambda d, r: {"UiO_limited": r.UiO, "Dorig_limited": r.Dorig}
        ),
        "Dorig_limited is not UiO_limited: who becomes unique by leaving others out?": (
            lambda d, r: {"Dorig_limited": r.UiO_limited}
        ),
        "That is DiSCO; Dorig looks up in the original itself.": (
            lambda d, r: {"Dorig": r.DiSCO, "Dorig_limited": r.DiSCO_limited}
        ),
        "In UiO you took repU: alone in both files.": lambda d, r: {"UiO": r.repU},
    },
    code="""answer = []
for limit in (None, 1):
    found = sr.disclosure(
        mine.persons, mine.released[0], mine.keys, "marital", denom_limit=limit
    )
    answer += [found.identity.UiO[1], found.attribute.Dorig[1]]""",
    words=lambda d, r: (
        "DiSCO counts all under keys with a single right answer, groups of several as well; "
        "repU counts only those alone in both files. "
        "A record alone with its keys is always disclosive, so Dorig is never below UiO while "
        f"nothing is left out: {r.Dorig:.1f} and {r.UiO:.1f} %. With denominators above 1 left "
        f"out it is: {r.Dorig_limited:.1f} against {r.UiO_limited:.1f} %."
    ),
    further=True,
)
def uniques(d):
    """All measures for marital status in the first synthesis: of all, and of denominators of 1."""
    question = d.persons, d.released[0], d.keys, "marital"
    found, limited = disclosure(*question), disclosure(*question, denom_limit=1)
    every, some = (
        pd.concat([one.identity.loc[1], one.attribute.loc[1]]) for one in (found, limited)
    )
    return pd.concat([every, some.add_suffix("_limited")])


# 06.6 group
@exercise(
    "06.6",
    Numbers("as_it_is", "grouped", digits=1),
    hints=[
        "sr.disclosure takes groups= and special=, both from a name to what is wanted.",
        'groups={"income": 20}, special={"income": [-8]}',
    ],
    mistakes={
        SHARES: lambda d, r: {name: one / 100 for name, one in r.items()},
        "The code −8 went into a group as if it were an income: use special=.": (
            lambda d, r: {"grouped": income_as_key(d, special=None)["grouped"]}
        ),
        "You grouped age as well; group income alone.": (
            lambda d, r: {"grouped": income_as_key(d, grouped=["income", "age"])["grouped"]}
        ),
        "That is Dorig; the question is about the synthetic data.": {"measure": "Dorig"},
        "That is DiS: single answers, right or wrong.": {"measure": "DiS"},
        "That is for marital, as in the sections; the target is workab.": {"target": "marital"},
        "You have exchanged the two.": (
            lambda d, r: {"as_it_is": r["grouped"], "grouped": r["as_it_is"]}
        ),
    },
    code="""question = mine.persons, mine.released[0], ["sex", "age", "income"], "workab"
plain = sr.disclosure(*question).attribute
grouped = sr.disclosure(*question, groups={"income": 20}, special={"income": [-8]}).attribute
answer = [plain.DiSCO[1], grouped.DiSCO[1]]""",
    words=lambda d, r: (
        "DiSCO is {as_it_is:.1f} % as it is and {grouped:.1f} % in groups. Incomes are rounded "
        "here, so many persons share one and are found even ungrouped; in groups still more are. "
        "Report the second: nobody gives up because an income is a few zlotys off.".format(**r)
    ),
    further=True,
)
def income_as_key(d, measure="DiSCO", target="workab", grouped=("income",), special=SPECIAL):
    """DiSCO with income among the keys: as it is, and in 20 groups with −8 kept apart."""
    question = d.persons, d.released[0], ["sex", "age", "income"], target
    groups = dict.fromkeys(grouped, 20)
    plain, coarse = disclosure(*question), disclosure(*question, groups=groups, special=special)
    return {"as_it_is": plain.attribute[measure][1], "grouped": coarse.attribute[measure][1]}


# 06.7 decide
def band(persons):
    """Give everybody the middle of a ten-year band of age."""
    return persons.assign(age=persons.age // 10 * 10 + 5)


def merged(persons, small):
    """Merge the small regions into one."""
    names = persons.region.astype(str)
    return persons.assign(region=names.where(~names.isin(small), "other"))


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


# Less than this is no difference: in DiSCO, where what bands take off more than removing uniques
# varies from file to file with a standard deviation of 1 (disclosure_actions.csv); and in the pMSE
# ratio, which changes by so much where regions are merged.
FALLS, WORSE = 2, 0.05

# What to say to each choice and reason; in brackets stand the numbers of an action.
VERDICTS = {
    ("bands", "risk"): "Bands give {bands}; {reference}. The tables that can still be made stay as "
    "good, and nobody can make one by single years of age any more: that is the price.",
    ("uniques", "detail"): "Removing them gives {uniques}; {reference}. All levels stay, the "
    "tables get worse. Say in the documentation that rows were removed.",
    ("nothing", "price"): "The file as it is has {nothing}, and no detail is given up. Then say "
    "why this DiSCO is acceptable: put Dorig beside it, and what is said of people who took no "
    "part.",
    ("uniques", "risk"): "Removing uniques gives {uniques}, bands of age {bands}. Fewer than "
    f"{FALLS} points between them are no difference, because single files vary: in a hundred, "
    "uniques left 0 to 6 points more.",
    ("uniques", "price"): "The tables get worse, because the rows that go are not a random part of "
    "the file: removing uniques gives {uniques}, {reference}.",
    ("bands", "detail"): "DiSCO falls ({bands}), but that is not the reason, because single ages "
    "are given up.",
    ("bands", "price"): "The tables that are left stay as good ({bands}), but single ages are "
    "given up.",
    ("regions", "risk"): "DiSCO does not fall, because merged regions find more people: merging "
    "gives {regions}, {reference}.",
    ("regions", "detail"): "The small regions are given up: {regions}, {reference}.",
    ("regions", "price"): "The tables that are left stay as good ({regions}; {reference}), but the "
    "small regions are given up, and DiSCO does not fall.",
    ("nothing", "risk"): "Nothing falls: {reference}, bands of age {bands}.",
    ("nothing", "detail"): "All levels stay, but DiSCO does not fall: {reference}, removing "
    "uniques {uniques}.",
}


def true_reasons(table):
    """Say of each action which of the three reasons are true of it."""
    nothing, keeps = table.loc["nothing"], table.index.isin(["nothing", "uniques"])
    return pd.DataFrame(
        {
            "risk": table.DiSCO < table.DiSCO.min() + FALLS,
            "detail": keeps & (table.DiSCO < nothing.DiSCO - FALLS),
            "price": keeps & (table.ratio < nothing.ratio + WORSE),
        }
    )


def is_telling(d):
    """Bands lower DiSCO most and make no table worse, and removing uniques makes them worse."""
    table = measures(d)
    worse = table.ratio > table.ratio["nothing"] + WORSE
    return true_reasons(table).risk["bands"] and worse["uniques"] and not worse["bands"]


@exercise(
    "06.7",
    Choice(
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
    hints=[
        "The table above has them; read DiSCO and the pMSE ratio against the row nothing.",
        "Which rows lower DiSCO at all? What do users lose in each: levels, rows, or nothing?",
    ],
    code='answer = ("bands", "risk")',
    words=lambda d, r: (
        f"Three choices can be defended. Bands: {r['bands', 'risk'][1]} Remove uniques: "
        f"{r['uniques', 'detail'][1]} Nothing: {r['nothing', 'price'][1]}"
    ),
    further=True,
)
def decide(d):
    """What each action does to DiSCO, and what it costs, with the numbers."""
    table, words = measures(d), "a DiSCO of {DiSCO:.0f} % and a pMSE ratio of {ratio:.2f}"
    numbers = {name: words.format(**row) for name, row in table.iterrows()}
    numbers["reference"] = f"doing nothing gives {numbers['nothing']}"
    true = true_reasons(table)
    return {
        (action, reason): (bool(true[reason][action]), verdict.format(**numbers))
        for (action, reason), verdict in VERDICTS.items()
    }


# 06.8 change one line
def counts_by_keys(d, keys):
    """Count the cells (keys and answer) of the original: d, s, and s_q, the rows with the keys."""
    files = [file.assign(marital=as_text(file.marital)) for file in (d.persons, d.released[0])]
    ours, theirs = (file.groupby([*keys, "marital"], observed=True).size() for file in files)
    rows = files[1].groupby(list(keys), observed=True).size()
    of_keys = rows.reindex(ours.index.droplevel("marital"), fill_value=0)
    s = theirs.reindex(ours.index, fill_value=0)
    return ours.to_numpy(), s.to_numpy(), of_keys.to_numpy()


def count_cases(d):
    """A small table, and the cells of the lesson with all keys and with two of them."""
    small = np.array([0, 2, 4, 1, 8, 9]), np.array([0, 2, 5, 5, 10, 10])
    return [small, *(counts_by_keys(d, keys)[1:] for keys in (d.keys, d.keys[:2]))]


def disco_with(d, keys, rule):
    """DiSCO in per cent, with another line for what is believed."""
    count, s, s_q = counts_by_keys(d, keys)
    return 100 * count[rule(s, s_q)].sum() / len(d.persons)


def all_agree(s, s_q):
    """The line of the package."""
    return (s > 0) & (s == s_q)


@exercise(
    "06.8",
    Function("correct(s, s_q)", count_cases),
    hints=[
        "s counts the rows with the keys that say t, s_q all rows with the keys.",
        "Four of five rows: s is at least 0.8 times s_q. And somebody must be there: s > 0.",
    ],
    mistakes={
        "That is the line as it is: all rows must agree.": all_agree,
        "You forgot s > 0: where nobody is, nobody says anything.": lambda s, s_q: s >= 0.8 * s_q,
        "More than four of five is not at least four of five.": (
            lambda s, s_q: (s > 0) & (s > 0.8 * s_q)
        ),
        "You ask for a majority; four of five rows must agree.": (
            lambda s, s_q: (s > 0) & (s > 0.5 * s_q)
        ),
        "You turned it round: s counts the rows that say t, s_q all of them.": (
            lambda s, s_q: (s > 0) & (s_q >= 0.8 * s)
        ),
    },
    words=lambda d, r: (
        f"With the four keys DiSCO of marital status goes from "
        f"{rounded(disco_with(d, d.keys, all_agree))} to "
        f"{rounded(disco_with(d, d.keys, correct))} %: "
        "under so many keys there are few rows, and few rows agree or they do not. With sex and "
        f"age alone it goes from {rounded(disco_with(d, d.keys[:2], all_agree))} to "
        f"{rounded(disco_with(d, d.keys[:2], correct))} %: one row that differs no longer protects."
    ),
    further=True,
)
def correct(s, s_q):
    """Say of each cell whether at least four of five rows with the keys say its answer."""
    return (s > 0) & (s >= 0.8 * s_q)


# ------------------------------------------------------------------ predicted before a panel
KEYS = ("sex", "age", "region", "placesize")
FLAGS = {"one_way_most": 50, "one_way_share": 90, "two_way_most": 4, "two_way_share": 80}


@prediction(
    "06.a",
    OneOf(
        {
            "differ": "the answers now differ",
            "wrong": "that, or a wrong answer",
            "lost": "that, or nobody is found",
        }
    ),
    "A person gets a single answer, and it is correct. The intruder forgets one of the keys. If "
    "the answer does not stay correct, what can happen to it?",
    mistakes={
        "The rows that fitted before still fit, and they tell the truth.": lambda panel, r: "wrong",
        "The rows that fitted before still fit.": lambda panel, r: "lost",
    },
    words=lambda panel, r: (
        "Without the region {differ:,} of {right:,} correct answers become “they differ”, and "
        "{wrong} become wrong, because true rows stay and others join "
        "them.".format(**told_without(panel, "region"))
    ),
    at={"person": 1, "known": ("sex", "age", "placesize"), "target": "marital"},
)
def without_a_key(panel):
    """What a right answer can become without one of the keys."""
    without = pd.DataFrame([told_without(panel, key) for key in KEYS]).sum()
    return next(name for name in ("lost", "wrong", "differ") if without[name])


def told_without(panel, key):
    """What becomes of the right answers on marital status if the intruder forgets this key."""
    some = tuple(one for one in KEYS if one != key)
    before, now = (
        panel.compute(person=1, known=known, target="marital").found.records()
        for known in (KEYS, some)
    )
    now = now[before.correct]
    single = now.disclosive
    return {
        "right": len(now),
        "lost": int((~now.found).sum()),
        "wrong": int((single & ~now.correct).sum()),
        "differ": int((now.found & ~single).sum()),
    }


@prediction(
    "06.b",
    Estimate("2 groups", "10 groups", "30 groups", near=0.1, within=2),
    "With exact ages DiSCO of marital status is 34 %. What is it with age in 2, 10 and "
    "30 groups, in per cent?",
    mistakes={
        "30 groups tell no less than exact ages.": lambda panel, r: r | {"30 groups": 31},
        "Two groups leave much less.": (
            lambda panel, r: {"2 groups": 15, "10 groups": 25, "30 groups": 30}
        ),
    },
    words=lambda panel, r: (
        f"30 groups find {rounded(with_groups(panel, 'iS')['30 groups'])} % of the people, exact "
        f"ages {rounded(with_groups(panel, 'iS', [0])['0 groups'])} %. 2 groups settle little, "
        "because people who share one differ."
    ),
    draw=Draw([(1, 2), (1, 10), (1, 30)], moves="groups_age"),
    at={"known": KEYS, "target": "marital", "groups_age": 30},
)
def with_groups(panel, measure="DiSCO", groups=(2, 10, 30)):
    """A measure of marital status with age in so many groups, as a mean over the files."""
    how = {"known": KEYS, "target": "marital", "groups_income": 20, "limit": 0}
    how |= {"missing": True, "levels": "all"}
    found = {f"{k} groups": panel.compute(groups_age=k, **how).found.attribute for k in groups}
    return {name: one[measure].mean() for name, one in found.items()}


@prediction(
    "06.c",
    OneOf({"falls": "it falls", "same": "it stays 33 %", "rises": "it rises"}),
    "Marital status loses its flag if cells must have more than 10 records. What happens to its "
    "DiSCO of 33 %?",
    mistakes={
        "A flag leaves nothing out; you do that, by name.": lambda panel, r: "falls",
        "A threshold of the flags changes no count.": lambda panel, r: "rises",
    },
    words=lambda panel, r: (
        f"Without the flag it is {rounded(disco_of_marital(panel, two_way_most=10))} %, as before: "
        "a flag asks for a look, so a target without one is no less disclosed."
    ),
    at={"two_way_most": 10},
)
def without_flag(panel):
    """What moving a threshold of the flags does to DiSCO."""
    change = disco_of_marital(panel, two_way_most=10) - disco_of_marital(panel)
    return "same" if change == 0 else "falls" if change < 0 else "rises"


def disco_of_marital(panel, **flags):
    """DiSCO of marital status with these thresholds of the flags."""
    table = panel.compute(known=KEYS, leave_out=(), **FLAGS | flags)
    return table.set_index("target").DiSCO["marital"]


@prediction(
    "06.d",
    Estimate(),
    "Only denominators of 1 count (last column): Dorig is 48 % for every target. What is DiSCO of "
    "worked abroad (workab), 49 % with nothing left out, in per cent?",
    mistakes={
        "That is with nothing left out; groups who agree no longer count.": {
            "column": "nothing left out"
        },
        "That is Dorig: to be alone in the original settles it there only.": {"measure": "Dorig"},
    },
    words=lambda panel, r: (
        "It is less than Dorig because, of those who are alone in the original, not all are found, "
        "and not all get their answer. "
        f"For income it is {rounded(left_in_table(panel, target='income'))} %."
    ),
    at={"measure": "DiSCO"},
)
def left_in_table(panel, measure="DiSCO", target="workab", column="denominators above 1 alone"):
    """An entry of the table of exclusions."""
    return panel.compute(known=KEYS, measure=measure).table.loc[target, column]


@prediction(
    "06.e",
    Estimate("UiO", "repU", near=0.25),
    "With sex and age hardly anybody is alone, with all four keys 48 % (UiO) and 14 % (repU). With "
    "sex, age and region, in per cent?",
    mistakes={
        "You went half of the way; it rises late, and steeply.": (
            lambda panel, r: {"UiO": 24, "repU": 7}
        ),
        "That is with all four keys.": {"keys": 4},
        "That is with two keys, sex and age.": {"keys": 2},
    },
    words=lambda panel, r: (
        f"The fourth key takes UiO from {rounded(r['UiO'])} to "
        f"{rounded(alone_with(panel, 4)['UiO'])}, "
        f"repU from {rounded(r['repU'])} to {rounded(alone_with(panel, 4)['repU'])}, because "
        "with three keys 2.6 people share a combination on average, and with four 1.4."
    ),
    draw=Draw([(0, 1.8), (0, 2.2)], moves="known"),
    at={"order": KEYS, "known": 3},
)
def alone_with(panel, keys=3):
    """UiO and repU with the first keys."""
    return panel.compute(order=KEYS, known=keys).iloc[-1][["UiO", "repU"]].to_dict()


@prediction(
    "06.f",
    Estimate(near=0.12),
    "DiSCO of marital status is 34 %. For how many per cent of the people is the plain guess by "
    "sex and age right?",
    mistakes={
        "That is DiSCO. A guess need not give up where answers differ.": (
            lambda panel, r: by_guess(panel, who="believed")
        ),
        "That is with all four keys: many people are not found, and nothing is guessed.": {
            "looked_at": KEYS
        },
        "That is the same answer, married, for everybody; age tells more.": {"looked_at": ()},
        "It is more than DiSCO: a guess need not give up where answers differ.": (
            lambda panel, r: 20
        ),
    },
    words=lambda panel, r: (
        "It is so much because nearly everybody is found, and at most ages one answer is far "
        "commoner than the others. "
        f"With age alone it is {rounded(by_guess(panel, ('age',)))} %."
    ),
    draw=Draw([(0, 1)], along="x"),
    at={"looked_at": ("sex", "age"), "target": "marital"},
)
def by_guess(panel, looked_at=("sex", "age"), who="guessed"):
    """For how many per cent an intruder is right about the marital status."""
    return getattr(panel.compute(looked_at=looked_at, target="marital"), who)


@prediction(
    "06.g",
    Estimate("DiSCO", "guess", near=0.05, within=1.5),
    "Without noise DiSCO of marital status is 8.9 %, and the plain guess by sex and age is right "
    "for 77 %. Every count gets noise with ε = 1. What are both then, in per cent?",
    mistakes={
        "That is without noise.": (lambda panel, r: with_noise(panel, epsilon=10)),
        "The guess hardly moves.": (lambda panel, r: r | {"guess": 40}),
        "DiSCO falls far more.": (lambda panel, r: r | {"DiSCO": 5}),
    },
    words=lambda panel, r: (
        "Noise hides what rests on one person, because a second answer appears where nobody was. "
        "It cannot hide what hundreds share: with "
        f"ε = 0.1 the guess is still right for {rounded(with_noise(panel, 0.1)['guess'])} %."
    ),
    draw=Draw([(1, 1), (2, 1)], moves="epsilon"),
    at={"epsilon": 1},
)
def with_noise(panel, epsilon=1):
    """DiSCO and the plain guess with noise, means over the files."""
    return panel.compute(epsilon=epsilon).files[["DiSCO", "guess"]].mean().to_dict()
