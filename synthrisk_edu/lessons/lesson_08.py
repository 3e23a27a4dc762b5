"""Lesson 08: its tables, exercises (leave out, residual, copies, near, decide) and panels."""

from functools import lru_cache

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.classroom.engine import Exercise, LessonPanel
from synthrisk_edu.classroom.forms import Choice, Function, Number, Numbers
from synthrisk_edu.data import load_diagnosis, load_results
from synthrisk_edu.disclosure import disclosure
from synthrisk_edu.members import closest_record, copies, halves
from synthrisk_edu.synthesis import synthesize_cart
from synthrisk_edu.widgets import members as panels
from synthrisk_edu.words import say

TITLE = "Members and others"

NAMES = "Ana Bea Cleo Dora Emil Finn Gus Hugo Ivan Jon".split()
STATUS = "single single single widowed married married married married single divorced".split()
KEYS = ["sex", "age", "region", "placesize"]
TARGETS = ["marital", "workab", "ls", "depress", "income"]
SPECIAL = {"income": [-8]}


def data(seed=None):
    """Make the ten persons, and the 5,000 in two halves with a file made of the first half.

    With a seed: the ten statuses in another order within each sex, and 4,500 persons.
    """
    persons, status = load_diagnosis(), STATUS
    rng = np.random.default_rng(1) if seed is None else checks.generator(seed)
    if seed is not None:
        status = [*rng.permutation(STATUS[:4]), *rng.permutation(STATUS[4:])]
        rows = np.sort(rng.choice(len(persons), 4500, replace=False))
        persons = persons.iloc[rows].reset_index(drop=True)
    ten = {"Sex": list("FFFFMMMMMM"), "Town": list("AAABAABBBC"), "Status": status}
    members, others = halves(persons, rng)
    return {
        "ten": pd.DataFrame(ten, index=NAMES),
        "persons": persons,
        "members": members,
        "others": others,
        "synthetic": synthesize_cart(members, list(members), special=SPECIAL, seed=1)[0],
        "keys": KEYS,
    }


# 08.1 Leave one out: the ten persons, published as they are, after Ivan has moved
def moved(d):
    """Return the ten persons; Ivan lives in town C now."""
    return d.ten.assign(Town=d.ten.Town.mask(d.ten.index == "Ivan", "C"))


def answers(file, person):
    """Return the statuses that stand under a person's sex and town."""
    return file.Status[(file.Sex == person.Sex) & (file.Town == person.Town)].unique()


def is_told(file, person):
    """One status only stands there, and it is the person's."""
    return list(answers(file, person)) == [person.Status]


def told_with_and_without(d, change=moved):
    """Count who is told right by the whole file, and by the file without the person."""
    ten = change(d)
    rows = list(ten.iterrows())
    return {
        "members": sum(is_told(ten, person) for _, person in rows),
        "others": sum(is_told(ten.drop(name), person) for name, person in rows),
    }


def before(d):
    """Forget that Ivan has moved."""
    return told_with_and_without(d, lambda d: d.ten)


def left_out(d):
    """Return for everybody what stands under their keys in the file without them."""
    ten = moved(d)
    return [answers(ten.drop(name), person) for name, person in ten.iterrows()]


LEAVE_ONE_OUT = Exercise(
    id="08.1",
    form=Numbers("members", "others"),
    answer=told_with_and_without,
    mistakes={
        "That is before Ivan has moved: his town is C now.": before,
        "These are shares of ten; hand in how many persons it is.": lambda d: toy_shares(d),
        "You have exchanged the two: first the whole table, then without the own row.": (
            lambda d: dict(
                zip(("others", "members"), told_with_and_without(d).values(), strict=True)
            )
        ),
        "You counted everybody who gets one answer; for the others, is it always the right one?": (
            lambda d: {"others": sum(len(found) == 1 for found in left_out(d))}
        ),
        "You counted everybody who is found; the answer must also be single, and right.": (
            lambda d: {"others": sum(len(found) > 0 for found in left_out(d))}
        ),
        "You left nobody out: take each person's own row away before you look them up.": (
            lambda d: {"others": told_with_and_without(d)["members"]}
        ),
        "All ten have somebody under their keys; the answer must also be single, and right.": (
            lambda d: {"members": 10}
        ),
    },
    hints=[
        "Let Ivan move first: write C in place of B in his row.",
        "Cover a person's row with your finger, and look under the same sex and town.",
        "One answer only, and the right one: otherwise it does not count.",
    ],
    code="""def is_answered(file, person):
    same = (file.Sex == person.Sex) & (file.Town == person.Town)
    return list(file.Status[same].unique()) == [person.Status]

moved = mine.ten.copy()
moved.loc["Ivan", "Town"] = "C"
rows = list(moved.iterrows())
answer = [
    sum(is_answered(moved, person) for _, person in rows),
    sum(is_answered(moved.drop(name), person) for name, person in rows),
]""",
    words=lambda d: (
        "{members} of ten are told right when they are in the file, and {others} when they are "
        "not. What is told of those {others} would be told anyway.".format(
            **told_with_and_without(d)
        )
    ),
)


# 08.2 and 08.3 The residual
def toy_shares(d, count=told_with_and_without):
    """Return the shares of 08.1."""
    return {name: number / 10 for name, number in count(d).items()}


def residual(members, others):
    """Return what was added, out of what could still be added."""
    return (members - others) / (1 - others)


def added(d):
    """Return by how much the share of members exceeds that of others."""
    return toy_shares(d)["members"] - toy_shares(d)["others"]


RESIDUAL = Exercise(
    id="08.2",
    form=Number(digits=3),
    answer=lambda d: residual(**toy_shares(d)),
    mistakes={
        "That is what was added; the residual divides it by what could still be added.": added,
        "You divided by the others; divide by what is left above them, 1 − others.": (
            lambda d: added(d) / max(toy_shares(d)["others"], 0.05)
        ),
        "You divided by 1 − members; what could still be added starts from the others.": (
            lambda d: added(d) / max(1 - toy_shares(d)["members"], 0.05)
        ),
        "That is before Ivan has moved: take the counts of 08.1.": (
            lambda d: residual(**toy_shares(d, before))
        ),
    },
    hints=[
        "Turn the two counts of 08.1 into shares of ten first.",
        "(members − others) / (1 − others).",
    ],
    code="""in_file, left_out = (number / 10 for number in answer)  # the answer of 08.1
answer = (in_file - left_out) / (1 - left_out)""",
    words=lambda d: (
        "({members} − {others}) / (1 − {others}) = ".format(**toy_shares(d))
        + f"{say(round(residual(**toy_shares(d)), 3))}: of all that the file did not give away "
        "about strangers, taking part gave away this share."
    ),
)

CASES = [(0.7, 0.5), (0.307, 0.17), (0.088, 0.031), (1.0, 0.0), (0.4, 0.4), (0.2, 0.3)]

WRITE_RESIDUAL = Exercise(
    id="08.3",
    form=Function("residual(members, others)", lambda d: CASES),
    answer=residual,
    mistakes={
        "You return what was added; divide it by what could still be added.": (
            lambda members, others: members - others
        ),
        "You divide by the members; divide by what is left above the others, 1 − others.": (
            lambda members, others: (members - others) / members
        ),
        "You divide by 1 − members; what could still be added starts from the others.": (
            lambda members, others: (members - others) / (1 - members + 1e-12)
        ),
    },
    hints=["What could still be added is 1 − others.", "If nothing was added, the residual is 0."],
    words=lambda d: (
        f"For 30.7 and 17 per cent it is {say(round(residual(0.307, 0.17), 2))}. It can be "
        "negative: then members were told less than others, by chance."
    ),
)


# 08.4 Copies but for the income
WITHOUT_INCOME = [*KEYS, "depress", "ls", "marital", "workab"]


def copied(d, columns=WITHOUT_INCOME):
    """Count the rows that are the same as a member's or an other's, and of unique members."""
    table = copies(d.members, d.synthetic, columns=columns, control=d.others)
    return {
        "members": table.rows["original"],
        "others": table.rows["control"],
        "unique": table.of_unique["original"],
    }


COPIES = Exercise(
    id="08.4",
    form=Numbers("members", "others", "unique"),
    answer=copied,
    mistakes={
        "You compared all columns, as in section 5; leave the income out.": (
            lambda d: copied(d, None)
        ),
        "You compared with everybody; compare with members and with others apart.": (
            lambda d: {
                "members": copies(d.persons, d.synthetic, columns=WITHOUT_INCOME).rows["original"]
            }
        ),
        "You have exchanged members and others: the file was made of the members.": (
            lambda d: {"members": copied(d)["others"], "others": copied(d)["members"]}
        ),
        "You compared the keys only; leave the income out and nothing else.": (
            lambda d: {"members": copied(d, KEYS)["members"]}
        ),
    },
    hints=[
        "sr.copies takes columns=, the list of the columns that are compared, and control=.",
        "The number of unique ones stands in the column of_unique, in the row original.",
    ],
    code="""columns = [name for name in mine.members if name != "income"]
table = sr.copies(mine.members, mine.synthetic, columns=columns, control=mine.others)
answer = [*table.rows, table.of_unique["original"]]""",
    words=lambda d: (
        "Without the income {members} rows are the same as a member's, {unique} of them as a "
        "member who is the only one with these values; {others} are the same as an other's, and "
        "that is chance.".format(**copied(d))
        + f" With the income it was {copied(d, None)['members']} rows: one column hides many."
    ),
)


# 08.5 Another target
def both_disco(d, target="workab", measure="DiSCO"):
    """DiSCO, or another measure, of members and of others."""
    half = {"members": d.members, "others": d.others}
    return {
        name: disclosure(data, d.synthetic, KEYS, target).attribute[measure].iloc[0]
        for name, data in half.items()
    }


DISCO = Exercise(
    id="08.5",
    form=Numbers("members", "others", digits=1),
    answer=both_disco,
    mistakes={
        "These are for marital, as in the lesson; the target is workab.": (
            lambda d: both_disco(d, "marital")
        ),
        "You took DiS: it counts single answers, right or wrong.": (
            lambda d: both_disco(d, measure="DiS")
        ),
        "You have exchanged members and others.": (
            lambda d: dict(zip(("others", "members"), both_disco(d).values(), strict=True))
        ),
        "These are shares; hand in per cent.": (
            lambda d: {name: one / 100 for name, one in both_disco(d).items()}
        ),
        "That is Dorig: what the members' own answers would give away.": (
            lambda d: {"members": both_disco(d, measure="Dorig")["members"]}
        ),
    },
    hints=[
        "sr.disclosure(mine.members, mine.synthetic, mine.keys, 'workab') asks it of the members.",
        "Take DiSCO from .attribute, once for mine.members and once for mine.others.",
    ],
    code="""answer = [
    sr.disclosure(half, mine.synthetic, mine.keys, "workab").attribute.DiSCO[1]
    for half in (mine.members, mine.others)
]""",
    words=lambda d: (
        "DiSCO is {members:.1f} % for members, {others:.1f} % for others: ".format(**both_disco(d))
        + "hardly anybody has worked abroad, and so a good part would be said of anybody."
    ),
)


# 08.6 A disguise
def exchanged(d):
    """Exchange the sex in every row of the members, as section 6 does."""
    first, second = d.members.sex.cat.categories
    swap = {first: second, second: first}
    return d.members.assign(sex=d.members.sex.cat.rename_categories(swap))


def older(d):
    """Make every member a year older and leave the rest as it is."""
    return d.members.assign(age=d.members.age + 1)


@lru_cache(maxsize=32)
def distances(d, file=older):
    """Return the median distance of a file to the closest member, and to the closest other."""
    median = closest_record(d.members, file(d), control=d.others)["median"]
    return {"members": median["original"], "others": median["control"]}


def honest(d):
    """Return the file made of the members."""
    return d.synthetic


@lru_cache(maxsize=32)
def yardstick(d):
    """Return the median distance of a member to the nearest other member."""
    return closest_record(d.members)["median"]["original"]


DISGUISE = Exercise(
    id="08.6",
    form=Numbers("members", "others", digits=3),
    answer=distances,
    mistakes={
        "That is the honest file; take mine.members, and make everybody a year older.": (
            lambda d: distances(d, honest)
        ),
        "That is the disguise of section 6; here the sex stays, and the age changes.": (
            lambda d: distances(d, exchanged)
        ),
        "You left the ages as they are: then every row is a copy.": (
            lambda d: distances(d, lambda d: d.members)
        ),
        "You have exchanged members and others.": (
            lambda d: dict(zip(("others", "members"), distances(d).values(), strict=True))
        ),
    },
    hints=[
        "older = mine.members.assign(age=mine.members.age + 1)",
        "sr.closest_record(mine.members, older, control=mine.others) has the column median.",
    ],
    code="""older = mine.members.assign(age=mine.members.age + 1)
answer = [*sr.closest_record(mine.members, older, control=mine.others)["median"]]""",
    words=lambda d: (
        "The median is {members:.3f} to a member and {others:.3f} to an other".format(
            **distances(d)
        )
        + ", where the honest file has {members:.3f} and {others:.3f}: so near to the members "
        "alone is a warning. ".format(**distances(d, honest))
        + f"Without the others, too: members are {yardstick(d):.3f} from each other. And copies "
        f"counts only {copies(d.members, older(d)).rows['original']} of these rows."
    ),
)


# 08.7 Decide
def decide(d):
    """What speaks for each size of the leaves, with the numbers.

    A file that repeats its members looks best to them, so that their ratio is never a good reason.
    """
    results = load_results("members_leaves")
    mean = results.groupby("min_leaf").mean().loc[[1, 5, 100]]
    mean["added"] = mean.members - mean.others
    best = {"added": mean.added.idxmin(), "members": None, "others": mean.ratio_others.idxmin()}
    overlooked = {
        "added": "Another size has the smallest added:",
        "members": "A file that repeats its members looks best to them: judge it by the others;",
        "others": "Another size has the smallest pMSE ratio on others:",
    }
    judged = {}
    for leaf, row in mean.iterrows():
        numbers = (
            f"leaves of {leaf} add {row.added:.1f} points of DiSCO; the pMSE ratio is "
            f"{row.ratio_members:.1f} on members and {row.ratio_others:.1f} on others."
        )
        for reason, winner in best.items():
            words = "In numbers," if leaf == winner else overlooked[reason]
            if reason == "others" and leaf < winner and not apart(results, leaf, winner):
                words = (
                    f"On others it cannot be told from {winner}, and leaves of {winner} add less:"
                )
            judged[str(leaf), reason] = leaf == winner, f"{words} {numbers}"
    return judged


def apart(results, leaf, other):
    """Is the pMSE ratio on others, split by split, surely not the same (two standard errors)?"""
    ratio = results.pivot(index="split", columns="min_leaf", values="ratio_others")
    difference = ratio[leaf] - ratio[other]
    return abs(difference.mean()) > 2 * difference.sem()


DECIDE = Exercise(
    id="08.7",
    form=Choice(
        {"1": "at least 1 record", "5": "at least 5", "100": "at least 100"},
        {
            "added": "taking part adds least",
            "members": "the pMSE ratio on members is best",
            "others": "the pMSE ratio on others is best",
        },
    ),
    answer=decide,
    hints=["Move the panel of section 7 to these three sizes.", "Who may judge a copy?"],
    code='answer = ("100", "added")',
    words=lambda d: decide(d)["100", "added"][1],
)

EXERCISES = [LEAVE_ONE_OUT, RESIDUAL, WRITE_RESIDUAL, COPIES, DISCO, DISGUISE, DECIDE]

PANELS = [
    LessonPanel(
        "members",
        "Members beside others",
        "Tick the keys and choose a target: how much has taking part added?",
        lambda d: panels.members_panel(load_results("members_keys"), KEYS, TARGETS),
    ),
    LessonPanel(
        "leaves",
        "A tree that learns by heart",
        "Make the leaves smaller: who notices, the members, the others, or the utility?",
        lambda d: panels.leaf_panel(load_results("members_leaves")),
    ),
    LessonPanel(
        "copies",
        "Which measures notice a copy?",
        "Copy more and more rows: which numbers move?",
        lambda d: panels.copies_panel(load_results("members_copies")),
    ),
]
