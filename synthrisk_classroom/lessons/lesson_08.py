"""Lesson 08: leave out, residual, copies, cheat, decide."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_classroom import cheats
from synthrisk_classroom.dora import Dora
from synthrisk_classroom.exercise import exercise, recall
from synthrisk_classroom.forms import Choice, Estimate, Function, Number, Numbers, OneOf, Release
from synthrisk_classroom.lesson import draw_until, tells_apart
from synthrisk_classroom.prediction import Draw, prediction
from synthrisk_edu.cells import count_cells
from synthrisk_edu.data import load_diagnosis, load_results
from synthrisk_edu.disco import disclosure
from synthrisk_edu.members import copies, halves
from synthrisk_edu.synthesis import synthesize_cart
from synthrisk_edu.words import counted, say, say_percent

TITLE = "Members and others"

NAMES = "Ana Bea Cleo Dora Emil Finn Gus Hugo Ivan Jon".split()
STATUS = "single single single widowed married married married married single divorced".split()
KEYS = ["sex", "age", "region", "placesize"]
SPECIAL = {"income": [-8]}


def data(seed=None):
    """Make the ten persons, and the 5,000 in two halves with a file made of the first half.

    With a seed: the ten statuses in another order within each sex, and 4,500 persons.
    """
    persons, ten = load_diagnosis(), ten_persons(STATUS)
    rng = np.random.default_rng(1 if seed is None else seed)
    if seed is not None:
        parts = STATUS[:4], STATUS[4:]
        ten = draw_until(
            lambda: ten_persons(np.hstack([*map(rng.permutation, parts)])),
            lambda drawn: tells_apart(SimpleNamespace(ten=drawn), "08.1", "08.2"),
        )
        rows = np.sort(rng.choice(len(persons), 4500, replace=False))
        persons = persons.iloc[rows].reset_index(drop=True)
    members, others = halves(persons, rng)
    return {
        "ten": ten,
        "persons": persons,
        "members": members,
        "others": others,
        "synthetic": synthesize_cart(members, list(members), special=SPECIAL, seed=1)[0],
        "keys": KEYS,
    }


def ten_persons(status):
    """Make the small table."""
    columns = {"Sex": list("FFFFMMMMMM"), "Town": list("AAABAABBBC"), "Status": list(status)}
    return pd.DataFrame(columns, index=NAMES)


def exchanged(d, r):
    """The numbers of members and others, each in the place of the other: a usual mistake."""
    return {"members": r["others"], "others": r["members"]}


# Dora's double, a member of the half that the file was made of
DORA = "members", 2369
LIKE = {"sex": "FEMALE", "age": 58, "marital": "WIDOWED", "placesize": "URBAN BELOW 20,000"}


def dora(d):
    """What the file says of her, who took part, and what a file of the other half would say."""
    her = d.members.iloc[DORA[1]]
    without_her = synthesize_cart(d.others, list(d.others), special=SPECIAL, seed=1)[0]
    told, as_stranger = (under_her_keys(file, her) for file in (d.synthetic, without_her))
    right = told.eq(her.marital)
    words = (
        f"She took part. In the file {looked_up(told)}; she is {her.marital.lower()}. In a file "
        f"made of the other half, for which she never answered, {looked_up(as_stranger)}."
    )
    risk = right.mean() if len(told) else 0.0
    return Dora("one half of the 5,000, all columns", len(told), float(right.any()), risk, words)


def under_her_keys(file, her):
    """The marital status in the rows of a file that have her keys."""
    return file.marital[(file[KEYS] == her[KEYS]).all(axis=1)]


def looked_up(told):
    """Say what an intruder reads who looks her up."""
    if told.empty:
        return "no row has her four keys"
    answers = " and ".join(sorted({str(one).lower() for one in told}))
    return f"{counted(len(told), 'row has', 'rows have')} her four keys, saying {answers}"


# What lesson 06 has taught
BEFORE = "06_disco_walkthrough"

recall(
    "08.r1",
    {
        "a": "two thirds of a person: two of three rows are right",
        "b": "nothing: the rows differ, so there is no single answer",
        "c": "one person: most rows say what is true",
    },
    "b",
    "DiSCO asks for a single answer: all rows with her keys must say the same, and the truth.",
    (BEFORE, "1. One person, twelve rows"),
)
recall(
    "08.r2",
    {
        "a": "iS, DiS and DiSCO",
        "b": "none of the three",
        "c": "iS and DiS, but not DiSCO",
    },
    "c",
    "He is found, and the rows give one answer; but it is wrong, so it discloses nothing.",
    (BEFORE, "1. One person, twelve rows"),
)
recall(
    "08.r3",
    {
        "a": "what the keys would give away if the confidential file itself were published",
        "b": "how many people are the only ones with their keys",
        "c": "how often the commonest answer is right",
    },
    "a",
    "Dorig is the counterpart of DiSCO for publishing the truth.",
    (BEFORE, "1. One person, twelve rows"),
)


# 08.1 leave one out: the ten persons, published as they are, after Cleo has moved
def moved(d, town="B"):
    """Return the ten persons; Cleo lives in town B now."""
    return d.ten.assign(Town=d.ten.Town.mask(d.ten.index == "Cleo", town))


def answers(file, person):
    """Return the statuses that stand under a person's sex and town."""
    return list(file.Status[(file.Sex == person.Sex) & (file.Town == person.Town)].unique())


def is_told(file, person):
    """One status only stands there, and it is the person's."""
    return answers(file, person) == [person.Status]


def left_out(d):
    """Return for everybody what stands under their keys in the file without them."""
    ten = moved(d)
    return [answers(ten.drop(name), person) for name, person in ten.iterrows()]


@exercise(
    "08.1",
    Numbers("members", "others"),
    hints=[
        "Let Cleo move first: write B in place of A in her row.",
        "Cover a person's row with your finger, and look under the same sex and town.",
        "One answer only, and the right one: otherwise it does not count.",
    ],
    mistakes={
        "That is before Cleo has moved: her town is B now.": {"town": "A"},
        "These are shares of ten; hand in how many persons it is.": lambda d, r: shares(d),
        "You have exchanged the two: first the whole table, then without the own row.": exchanged,
        "You counted everybody who gets one answer; for the others, is it always the right one?": (
            lambda d, r: {"others": sum(len(found) == 1 for found in left_out(d))}
        ),
        "You counted everybody who is found; the answer must also be single, and right.": (
            lambda d, r: {"others": sum(len(found) > 0 for found in left_out(d))}
        ),
        "You left nobody out: take each person's own row away before you look them up.": (
            lambda d, r: {"others": r["members"]}
        ),
        "All ten have somebody under their keys; the answer must also be single, and right.": (
            lambda d, r: {"members": 10}
        ),
    },
    code="""def is_answered(file, person):
    same = (file.Sex == person.Sex) & (file.Town == person.Town)
    return list(file.Status[same].unique()) == [person.Status]

moved = mine.ten.copy()
moved.loc["Cleo", "Town"] = "B"
rows = list(moved.iterrows())
answer = [
    sum(is_answered(moved, person) for _, person in rows),
    sum(is_answered(moved.drop(name), person) for name, person in rows),
]""",
    words=lambda d, r: (
        "The whole table gives {members} of the ten people away, the table without their own row "
        "{others}. What it says of those {others} it would say anyway, because others with their "
        "keys all have their status.".format(**r)
    ),
)
def told(d, town="B"):
    """Count whom the whole table gives away, and whom the table without the person."""
    ten = moved(d, town)
    rows = list(ten.iterrows())
    return {
        "members": sum(is_told(ten, person) for _, person in rows),
        "others": sum(is_told(ten.drop(name), person) for name, person in rows),
    }


# 08.2 the residual
def shares(d, town="B"):
    """Return the shares of 08.1."""
    return {name: number / 10 for name, number in told(d, town).items()}


@exercise(
    "08.2",
    Number(digits=3),
    hints=[
        "Turn the two counts of 08.1 into shares of ten first.",
        "(members − others) / (1 − others).",
    ],
    mistakes={
        "That is what was added; the residual divides it by what could still be added.": {
            "out_of": lambda members, others: 1
        },
        "You divided by the others; divide by what is left above them, 1 − others.": {
            "out_of": lambda members, others: max(others, 0.05)
        },
        "You divided by 1 − members; what could still be added starts from the others.": {
            "out_of": lambda members, others: max(1 - members, 0.05)
        },
        "That is before Cleo has moved: take the counts of 08.1.": {"town": "A"},
    },
    code="""in_file, left_out = (number / 10 for number in answer)  # the answer of 08.1
answer = (in_file - left_out) / (1 - left_out)""",
    words=lambda d, r: (
        "({members} − {others}) / (1 − {others}) = ".format(**shares(d))
        + f"{say(round(r, 3))}: of all that the file did not give away "
        "about strangers, taking part gave away this share."
    ),
)
def residual_of_ten(d, town="B", out_of=lambda members, others: 1 - others):
    """What was added, out of what could still be added, or out of something else."""
    both = shares(d, town)
    return (both["members"] - both["others"]) / out_of(**both)


# 08.3 change one line
WITHOUT_INCOME = [*KEYS, "depress", "ls", "marital", "workab"]


def counts_of(d, columns):
    """Count each combination of answers: in the synthetic file, and among the members."""
    _, (times, made) = count_cells([d.members, d.synthetic], list(columns))
    return np.asarray(made), np.asarray(times)


def counted_twice(d):
    """A small table, and the file of the lesson with fewer and fewer columns."""
    small = np.array([2, 0, 1, 3]), np.array([1, 4, 0, 2])
    return [small, *(counts_of(d, columns) for columns in (WITHOUT_INCOME, KEYS, KEYS[:2]))]


def as_it_is(made, times):
    """The line of the package: synthetic rows that are the same as some member's."""
    return made[times > 0].sum()


@exercise(
    "08.3",
    Function("repeated(made, times)", counted_twice),
    hints=[
        "made[times > 0] picks synthetic rows. Members are counted in times.",
        "Which members? Those whose combination has a synthetic row: made > 0.",
    ],
    mistakes={
        "That is the line as it is: it counts synthetic rows. Count members.": as_it_is,
        "You count combinations; several members may share one.": (
            lambda made, times: ((made > 0) & (times > 0)).sum()
        ),
        "You count all members; some of them stand nowhere in the file.": (
            lambda made, times: times.sum()
        ),
        "You count only members who are alone with their answers.": (
            lambda made, times: ((made > 0) & (times == 1)).sum()
        ),
        "You count pairs of a row and a member; count each member once.": (
            lambda made, times: (made * times).sum()
        ),
    },
    words=lambda d, r: (
        f"Without the income {as_it_is(*counts_of(d, WITHOUT_INCOME)):.0f} rows repeat "
        f"{r[1]:.0f} members; with the keys alone {as_it_is(*counts_of(d, KEYS)):,.0f} rows "
        f"repeat {r[2]:,.0f} members. Rows say how much of the file is copied, members how many "
        "people it concerns."
    ),
)
def repeated(made, times):
    """Count the members whose answers stand in the synthetic file."""
    return times[made > 0].sum()


# 08.4 copies but for the income
@exercise(
    "08.4",
    Numbers("members", "others", "unique"),
    hints=[
        "sr.copies takes columns=, the list of the columns that are compared, and control=.",
        "The number of unique ones stands in the column of_unique, in the row original.",
    ],
    mistakes={
        "You compared all columns, as the core does; leave the income out.": {"columns": None},
        "You compared with everybody; compare with members and with others apart.": (
            lambda d, r: {
                "members": copies(d.persons, d.synthetic, columns=WITHOUT_INCOME).rows["original"]
            }
        ),
        "You have exchanged members and others: the file was made of the members.": exchanged,
        "You compared the keys only; leave the income out and nothing else.": (
            lambda d, r: {"members": copied(d, KEYS)["members"]}
        ),
    },
    code="""columns = [name for name in mine.members if name != "income"]
table = sr.copies(mine.members, mine.synthetic, columns=columns, control=mine.others)
answer = [*table.rows, table.of_unique["original"]]""",
    words=lambda d, r: (
        "Without the income {members} rows are the same as a member's, {unique} of them as a "
        "member who is the only one with these values; {others} are the same as an other's, and "
        "that is chance.".format(**r)
        + f" With the income it was {copied(d, None)['members']} rows: one column hides many."
    ),
    further=True,
)
def copied(d, columns=WITHOUT_INCOME):
    """Count the rows that are the same as a member's or an other's, and of unique members."""
    table = copies(d.members, d.synthetic, columns=columns, control=d.others)
    return {
        "members": table.rows["original"],
        "others": table.rows["control"],
        "unique": table.of_unique["original"],
    }


# 08.5 another target
@exercise(
    "08.5",
    Numbers("members", "others", digits=1),
    hints=[
        "sr.disclosure(mine.members, mine.synthetic, mine.keys, 'workab') asks it of the members.",
        "Take DiSCO from .attribute, once for mine.members and once for mine.others.",
    ],
    mistakes={
        "These are for marital, as in the lesson; the target is workab.": {"target": "marital"},
        "You took DiS: it counts single answers, right or wrong.": {"measure": "DiS"},
        "You have exchanged members and others.": exchanged,
        "These are shares; hand in per cent.": (
            lambda d, r: {name: one / 100 for name, one in r.items()}
        ),
        "Both are of the members; for the second number ask mine.others.": (
            lambda d, r: {"others": r["members"]}
        ),
        "That is Dorig: what the members' own answers would give away.": (
            lambda d, r: {"members": both_disco(d, measure="Dorig")["members"]}
        ),
    },
    code="""answer = [
    sr.disclosure(half, mine.synthetic, mine.keys, "workab").attribute.DiSCO[1]
    for half in (mine.members, mine.others)
]""",
    words=lambda d, r: (
        "DiSCO is {members:.1f} % for members, {others:.1f} % for others: ".format(**r)
        + "hardly anybody has worked abroad, and so a good part would be said of anybody."
    ),
    further=True,
)
def both_disco(d, target="workab", measure="DiSCO"):
    """DiSCO, or another measure, of members and of others."""
    return {
        name: disclosure(half, d.synthetic, KEYS, target).attribute[measure].iloc[0]
        for name, half in {"members": d.members, "others": d.others}.items()
    }


# 08.6 the cheat lab
@exercise(
    "08.6",
    Release(cheats.same_columns, lambda d, file: cheats.judged(d, file, shown=("sex",))),
    hints=[
        "Whom does an average not see? Start from mine.synthetic and put a few rows of members in "
        "place of its own.",
        "Which few? Those who are alone with sex, age and region have most to lose: "
        'mine.members.duplicated(["sex", "age", "region"], keep=False) is False for them.',
        "Or give one column other people's values. Write .sample(frac=1).to_numpy(): without "
        ".to_numpy() pandas puts every value back into its own row.",
    ],
    code="""alone = ~mine.members.duplicated(["sex", "age", "region"], keep=False)
rare = mine.members[alone].head(60)
answer = pd.concat([rare, mine.synthetic.iloc[60:]], ignore_index=True)""",
    words=lambda d, r: cheats.judged(d, r)[1],
    further=True,
)
def rare_only(d):
    """The honest file, with sixty rows of members who are alone with sex, age and region."""
    alone = ~d.members.duplicated(["sex", "age", "region"], keep=False)
    return pd.concat([d.members[alone].head(60), d.synthetic.iloc[60:]], ignore_index=True)


# 08.7 decide
def apart(results, leaf, other):
    """Is the pMSE ratio on others, split by split, surely not the same (two standard errors)?"""
    ratio = results.pivot(index="split", columns="min_leaf", values="ratio_others")
    difference = ratio[leaf] - ratio[other]
    return abs(difference.mean()) > 2 * difference.sem()


@exercise(
    "08.7",
    Choice(
        {"1": "at least 1 record", "5": "at least 5", "100": "at least 100"},
        {
            "added": "taking part adds least",
            "members": "the pMSE ratio on members is best",
            "others": "the pMSE ratio on others is best",
        },
    ),
    hints=[
        "Move the panel of section 7 to these three sizes.",
        "Which of the three reasons would also speak for a shuffled copy?",
    ],
    code='answer = ("100", "added")',
    words=lambda d, r: r["100", "added"][1],
)
def decide(d):
    """What speaks for each size of the leaves, with the numbers.

    A file that repeats its members looks best to them, so that their ratio is never a good reason.
    """
    results = load_results("members_leaves")
    mean = results.groupby("min_leaf").mean().loc[[1, 5, 100]]
    mean["added"] = mean.members - mean.others
    best = {
        "added": mean.added.idxmin(),
        "members": mean.ratio_members.idxmin(),
        "others": mean.ratio_others.idxmin(),
    }
    judged = {}
    for leaf, row in mean.iterrows():
        numbers = (
            f"leaves of {leaf} add {row.added:.1f} points of DiSCO; the pMSE ratio is "
            f"{row.ratio_members:.1f} on members and {row.ratio_others:.1f} on others."
        )
        for reason, winner in best.items():
            same = reason == "others" and not apart(results, leaf, winner)
            words = why(reason, is_true=leaf == winner, winner=winner, same=same)
            judged[str(leaf), reason] = leaf == winner and reason != "members", f"{words} {numbers}"
    return judged


def why(reason, *, is_true, winner, same):
    """Say why a reason is good, or what is wrong with it.

    `is_true`: it holds for the size that was chosen; `winner` is the size it holds for; `same`: the
    two cannot be told apart.
    """
    if reason == "members":
        start = "True, but no good reason" if is_true else "Neither true nor a good reason"
        return f"{start}, because a file that repeats its members looks best to them:"
    if is_true and reason == "added":
        return "A good reason, because this is what members pay for taking part:"
    if is_true:
        return "A good reason, because the others were not learnt by heart:"
    if reason == "added":
        return f"Not true: leaves of {winner} add least, because they learn only what many share:"
    if same:
        return f"On others it cannot be told from {winner}, and leaves of {winner} add less:"
    return f"Not true: leaves of {winner} have the best pMSE ratio on others:"


# ------------------------------------------------------------------ predicted before a panel
WITHOUT_REGION = ("sex", "age", "placesize")


@prediction(
    "08.a",
    OneOf(
        {
            "up": "they rise, too",
            "same": "they hardly change",
            "half": "they fall by half",
            "nothing": "hardly any are left",
        }
    ),
    "The intruder wants to learn who worked abroad. All four keys are known; then the region is "
    "forgotten, and DiSCO of the members rises. What about the points that taking part adds?",
    mistakes={
        "Not more is added, because what rises is said of others as well.": lambda panel, r: "up",
        "Most of it goes, because DiSCO of the others rises much more.": lambda panel, r: "same",
        "More than half goes, because others are then found as often as members.": (
            lambda panel, r: "half"
        ),
    },
    words=lambda panel, r: (
        f"They go from {say_percent(abroad(panel, KEYS).added)} to "
        f"{say_percent(abroad(panel, WITHOUT_REGION).added)}, because without the region nearly "
        "everybody is found, member or not."
    ),
    at={"known": WITHOUT_REGION, "target": "workab"},
)
def without_region(panel):
    """What becomes of the points that were added when the region is not known."""
    left = abroad(panel, WITHOUT_REGION).added / abroad(panel, KEYS).added
    return "up" if left > 1.2 else "same" if left > 0.8 else "half" if left > 0.2 else "nothing"


def abroad(panel, known):
    """Members, others and what was added, on work abroad."""
    return panel.compute(known=tuple(known), target="workab").row


@prediction(
    "08.b",
    Estimate("100", "10", "1", near=0.25),
    "With at least 100, 10 or 1 records in a leaf DiSCO of the members is 18, 27 and 48 %. What is "
    "it of the others, who never took part (in %)?",
    mistakes={
        "The others do not rise, because what a tree learns by heart is about its members.": (
            lambda panel, r: {leaf: of_leaf(panel, int(leaf)).members for leaf in r}
        ),
        "The others stay, because what holds for people in general stays in the file.": (
            lambda panel, r: {"100": r["100"], "10": r["10"] / 2, "1": 0}
        ),
    },
    words=lambda panel, r: (
        f"The others go from {say_percent(r['100'])} to {say_percent(r['1'])} %, because a small "
        "leaf holds single members and none of the others."
    ),
    draw=Draw([(0, 100), (0, 10), (0, 1)], moves="min_leaf"),
    at={"min_leaf": 1, "known": tuple(KEYS)},
)
def by_heart(panel):
    """DiSCO of the others for three sizes of the smallest leaf."""
    return {str(leaf): of_leaf(panel, leaf).others for leaf in (100, 10, 1)}


def of_leaf(panel, leaf):
    """What the panel shows for all four keys at this smallest leaf."""
    return panel.compute(min_leaf=leaf, known=tuple(KEYS)).row


@prediction(
    "08.c",
    Estimate("25 %", "50 %", "75 %", within=0.005),
    "Half of the rows of the honest file are within 0.046 of a member; of a copy within 0. What is "
    "this median distance with 25, 50 and 75 % of the rows copied?",
    mistakes={
        "A straight line: so a mean would fall, and the median is one row.": lambda panel, r: {
            share: (1 - float(share[:2]) / 100) * distance(panel, 0) for share in r
        },
        "That is as in the honest file. It falls, because every copy has the distance 0.": (
            lambda panel, r: dict.fromkeys(r, distance(panel, 0))
        ),
        "It is not 0 at a quarter, because the row in the middle is no copy yet.": (
            lambda panel, r: dict.fromkeys(r, 0)
        ),
    },
    words=lambda panel, r: (
        "Once half are copies, so is the median row. At 10 % it is still "
        f"{distance(panel, 10):.3f}."
    ),
    draw=Draw([(0, 25), (0, 50), (0, 75)], moves="percent"),
    at={"percent": 50},
)
def half_copied(panel):
    """The median distance to the closest member at three shares."""
    return {f"{percent} %": distance(panel, percent) for percent in (25, 50, 75)}


def distance(panel, percent):
    """The median distance to the closest member, with so many of the rows copied."""
    return panel.compute(percent=percent).row.distance
