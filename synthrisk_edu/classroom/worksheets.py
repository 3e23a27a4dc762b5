"""One page of paper for each lesson: `python3 start.py worksheets [FOLDER]`.

A toy table, empty columns to fill with a pencil, and three questions; on another page the same with
the answers, which are computed and never typed in. HTML always, PDF where chromium is installed.
"""

import shutil
import subprocess
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
import pandas as pd

from synthrisk_edu.classroom.engine import data_for, lessons
from synthrisk_edu.classroom.handouts import new_folder
from synthrisk_edu.disclosure import disclosure
from synthrisk_edu.households import unique_uniques
from synthrisk_edu.intruder import intruder_risk
from synthrisk_edu.match import match
from synthrisk_edu.words import about, listing, say

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")


@dataclass(frozen=True)
class Worksheet:
    """What stands on the page: a task, the tables, what the empty columns hold, three questions."""

    task: str
    table: pd.DataFrame
    counted: pd.DataFrame
    questions: dict  # question → answer
    published: pd.DataFrame | None = None  # a second table to look things up in


# ------------------------------------------------------------------ the eight lessons
def side_by_side(confidential, **synthetic):
    """Return the true table with synthetic columns beside it, each with a name of its own."""
    return confidential.assign(**{name: list(column) for name, column in synthetic.items()})


def risks(records):
    """Return the columns c, T and T/c to fill in."""
    return records[["c", "T"]].assign(**{"T/c": records.risk.map(about)})


def sheet_01():
    """Ten persons, one synthetic column: c, T and T/c."""
    d = data_for("01")
    records = match(d.confidential, d.synthetic, ["Sex", "Town"], ["Job"]).records
    without = match(d.confidential, d.synthetic, ["Sex"], ["Job"]).records
    table = side_by_side(d.confidential, **{"synthetic Job": d.synthetic.Job})
    return Worksheet(
        "The intruder knows Sex, Town and the true Job of a person, and looks for them among the "
        "synthetic rows (Sex, Town, synthetic Job). Count the rows that fit: c. Is the person's "
        "own row one of them? Then T = 1, else T = 0.",
        table,
        risks(records),
        {
            "Add up T/c. How often is an intruder right who tries all ten?": (
                f"{about(records.risk.sum())} times, on average."
            ),
            "Who has exactly one candidate? For whom of them is it somebody else's row?": (
                f"{listing(records.index[records.c == 1])}; somebody else's for "
                f"{listing(records.index[records.F == 1])}."
            ),
            "The intruder forgets the town. What are c and T of Dora now? Can c become smaller?": (
                f"c = {without.c['Dora']} and T = {without['T']['Dora']}. No: with fewer facts "
                "more rows fit, or as many."
            ),
        },
    )


def sheet_02():
    """Nine units: who is in Ana's range?"""
    d = data_for("02")
    names = {f"synthetic {name}": d.synthetic[name] for name in d.synthetic}
    half_width = pd.Series({"Income": 10, "Expenditure": 2})
    inside = (d.synthetic - d.true.loc["Ana"]).abs() <= half_width
    counted = inside.assign(both=inside.all(axis=1)).replace({True: "yes", False: "no"})
    one = match(d.true, d.synthetic, [], ["Income"], 0.2).records.loc["Ana"]
    two = match(d.true, d.synthetic, [], list(d.true), 0.2).records.loc["Ana"]
    narrow = match(d.true, d.synthetic, [], list(d.true), 0.1).records.loc["Ana"]
    return Worksheet(
        "Ana truly has an income of 50 and an expenditure of 10 (thousands). With r = 20 % a "
        "record is a candidate if its synthetic income is from 40 to 60 and its synthetic "
        "expenditure from 8 to 12, both ends included. Write yes or no.",
        side_by_side(d.true, **names),
        counted.set_axis(["income inside", "expenditure inside", "candidate"], axis=1),
        {
            "The intruder knows only the income. What are c and T of Ana?": candidates(one),
            "The intruder knows both. What are c and T now?": candidates(two),
            "And both with r = 10 %: 45 to 55, and 9 to 11?": candidates(narrow),
        },
    )


def candidates(record):
    """Say c and T of one record."""
    return f"c = {record.c:.0f}, T = {record['T']:.0f}, a risk of {about(record.risk)}."


def sheet_03():
    """Ten persons in two classes: c and T."""
    marital = "widowed widowed married married single single single single married married".split()
    true = pd.DataFrame({"class": list("AAAABBBBBB"), "MAR": marital}, index=range(1, 11))
    true["DIS"] = "yes yes yes no no no no no no yes".split()
    drawn = true.assign(DIS="yes no yes yes no no no yes no no".split())
    records = match(true, drawn, ["MAR"], ["DIS"]).records
    ill = true.DIS.eq("yes").groupby(true["class"]).agg(["sum", "size"])
    return Worksheet(
        "A model has put ten persons into two classes, and has drawn DIS (disability) anew within "
        "each class. The intruder knows MAR (marital status) and the true DIS, not the class. "
        "Count c and T among the drawn rows (MAR, drawn DIS).",
        side_by_side(true, **{"drawn DIS": drawn.DIS}),
        risks(records),
        {
            "Which share of each class truly has a disability?": listing(
                f"{row['sum']} of {row['size']} in {name}" for name, row in ill.iterrows()
            ) + ".",
            "What is the expected match risk, the sum of T/c?": f"{about(records.risk.sum())}.",
            "Who is found for certain (T/c = 1), and why?": (
                f"Person {listing(records.index[records.risk == 1])}: no other row fits."
            ),
        },
    )  # fmt: skip


def sheet_04():
    """Eight units, a tree with one question: c and T with a radius."""
    d = data_for("04")
    records = match(d.eight, d.drawn, ["Tenure"], ["Income"], 0.2).records
    first = d.eight.Income.iloc[0]
    number = range(1, len(d.eight) + 1)
    table = side_by_side(d.eight, **{"drawn Income": d.drawn.Income}).set_axis(number)
    return Worksheet(
        "A tree has asked one question, owned or rented, and has drawn each income anew among the "
        "true ones of the same answer. The intruder knows the tenure and, within 20 %, the true "
        "income: from 0.8 to 1.2 times the true one, ends included. Count c and T.",
        table,
        risks(records.set_axis(number)),
        {
            "Which range has the first unit?": f"From {0.8 * first:g} to {1.2 * first:g}.",
            "What is the expected match risk, the sum of T/c?": f"{about(records.risk.sum())}.",
            "Can an owner draw a tenant's income? Why?": (
                "No: the tree has put them into different leaves, and values are drawn in a leaf."
            ),
        },
    )


def sheet_05():
    """Ten youths, two released files: who is most likely?"""
    d = data_for("05")
    files = {"first": d.first, "second": d.second}
    found = intruder_risk(d.true, list(files.values()), ["sex"], ["facility"])
    fits = {
        f"fit in the {name}": match(d.true, file, ["sex"], ["facility"]).records.c
        for name, file in files.items()
    }
    records, likely = found.records, found.match_probabilities(8)
    table = side_by_side(d.true, **{f"{name} facility": f.facility for name, f in files.items()})
    return Worksheet(
        "The facility was synthesized twice. The intruder knows the sex and the true facility. In "
        "each file all records that fit share a probability of 1; then the two files are averaged, "
        "record by record. Write down how many fit in each file, and the highest average. Is the "
        "true record among those that have it (I = 1)?",
        table,
        pd.DataFrame(fits).assign(highest=records.highest.map(about), I=records.I),
        {
            "Target 8: which records are possible, and how likely is each?": (
                listing(f"{row} with {about(p)}" for row, p in likely[likely > 0].items()) + "."
            ),
            "If the intruder guesses among the most likely, how many of ten are right?": (
                f"{about(found.summary()['expected'])}, on average."
            ),
            "For how many is the true record alone on top?": f"{records.K.sum()}.",
        },
    )


def sheet_06():
    """Eight persons looked up in twelve synthetic rows."""
    d = data_for("06")
    found = disclosure(d.original, d.synthetic, d.toy_keys, "marital")
    records, share = found.records(), found.attribute.iloc[0]
    wrong = records.index[records.disclosive & ~records.correct]
    counted = records[["found", "disclosive", "correct"]].replace({True: "yes", False: "no"})
    same = d.original[(d.original[d.toy_keys] == d.original.loc["Rob", d.toy_keys]).all(axis=1)]
    return Worksheet(
        "The intruder knows sex, age, region and place of these eight, and looks each of them up "
        "in the twelve synthetic rows below. Is anybody there? Do all of them give the same "
        "marital status? Is it the right one?",
        d.original,
        counted.set_axis(["found", "one answer", "right"], axis=1),
        {
            "In per cent of the eight: found (iS), one answer (DiS), and right (DiSCO)?": (
                f"iS {about(share.iS)}, DiS {share.DiS:g}, DiSCO {share.DiSCO:g}."
            ),
            "Who gets one answer, and a wrong one?": f"{listing(wrong)}.",
            "Would the true table have told Rob's marital status?": (
                f"No: {listing(same.index)} have the same keys, and are {listing(same.marital)}."
            ),
        },
        d.synthetic,
    )


def sheet_07():
    """Ten families: alone in the sample, and in the synthetic file?"""
    d = data_for("07")
    true, new = (file[d.toy_qis].fillna("–") for file in (d.families, d.released))
    f = true.groupby(d.toy_qis)["state"].transform("size")
    times = [int((new == row).all(axis=1).sum()) for _, row in true.iterrows()]
    counted = pd.DataFrame({"in the sample": f, "in the synthetic file": times})
    both = counted.index[(f == 1) & (counted.iloc[:, 1] == 1)]
    shared = unique_uniques(d.families, d.released, d.toy_qis).households["SU-CU"]
    return Worksheet(
        "Ten families of a sample: the state and the ages of one or two persons (– means that "
        "there is no second). How many families of the sample have exactly these values, the "
        "family itself included? And how many rows of the synthetic file below, in any place?",
        true,
        counted,
        {
            "How many families are alone with their values in the sample?": f"{(f == 1).sum()}.",
            "Whose values stand once in each of the two files (SU-CU)?": (
                f"{listing(both)}: {shared} of {len(true)} families."
            ),
            "A family is alone in the sample. Is it alone in the country?": (
                "Not for sure: families like it may live outside of the sample. What counts is "
                "how many there are in the country, F."
            ),
        },
        new,
    )


def sheet_08():
    """Ten persons, told right with and without their own row?"""
    ten, is_told = data_for("08").ten, lessons()["08"].is_told
    is_answered = pd.DataFrame(
        {
            "whole table": [is_told(ten, person) for _, person in ten.iterrows()],
            "without the own row": [is_told(ten.drop(n), person) for n, person in ten.iterrows()],
        },
        index=ten.index,
    )
    members, others = is_answered.mean()
    left = ten.drop("Ivan").query("Sex == 'M' and Town == 'B'").Status.unique()
    return Worksheet(
        "The intruder knows sex and town, and reads the status. For each person look at all rows "
        "with the same sex and town: does only one status stand there, and is it the right one? "
        "First in the whole table, then without the person's own row. Write yes or no.",
        ten,
        is_answered.replace({True: "yes", False: "no"}),
        {
            "Which share is told right as a member, and which as a stranger?": (
                f"Members {about(members)}, others {about(others)}."
            ),
            "What has taking part added? Which part of what could be added at most is that?": (
                f"{about(members - others)}; at most {about(1 - others)} could be added, so the "
                f"residual is {about((members - others) / (1 - others))}."
            ),
            "What would the intruder believe about Ivan if he had stayed away? Is it right?": (
                f"That he is {listing(left)}; he is {ten.Status['Ivan']}."
            ),
        },
    )


SHEETS = {
    "01": sheet_01, "02": sheet_02, "03": sheet_03, "04": sheet_04,
    "05": sheet_05, "06": sheet_06, "07": sheet_07, "08": sheet_08,
}  # fmt: skip


# ------------------------------------------------------------------------- the pages
STYLE = Path(__file__).with_name("worksheets.css").read_text("utf-8")
LINES = '<span class="line"></span>' * 2


def page(number, sheet, with_answers):
    """Return the page of a lesson, with its columns empty or filled in."""
    title = f"{number} · {lessons()[number].TITLE}"
    kind = "answers" if with_answers else "worksheet"
    name = "" if with_answers else '<span class="name">Name: ______________________</span>'
    second = "" if sheet.published is None else f"<p>Published:</p>{html_table(sheet.published)}"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}: '
        f"{kind}</title>\n<style>\n{STYLE}</style></head>\n<body>\n{name}<h1>{escape(title)}"
        f"{': answers' if with_answers else ''}</h1>\n<p>{escape(sheet.task)}</p>\n"
        f"{html_table(sheet.table, sheet.counted, with_answers)}\n{second}\n"
        f"{question_list(sheet.questions, with_answers)}\n</body></html>\n"
    )


def html_table(table, counted=None, with_answers=False):
    """Return a table, and beside it the columns to fill, empty or with what belongs there."""
    counted = pd.DataFrame(index=table.index) if counted is None else counted
    heads = "".join(f"<th>{escape(str(name))}</th>" for name in ["", *table, *counted])
    rows = []
    for label, given, answers in zip(table.index, np.array(table), np.array(counted), strict=True):
        cells = [f"<td>{escape(say(value))}</td>" for value in given]
        kind = '<td class="fill answer">' if with_answers else '<td class="fill">'
        cells += [f"{kind}{escape(str(one)) if with_answers else ''}</td>" for one in answers]
        rows.append(f"<tr><th>{escape(str(label))}</th>{''.join(cells)}</tr>")
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def question_list(questions, with_answers):
    """Return the questions, each with lines to write on or with its answer."""
    items = ""
    for question, answer in questions.items():
        below = f'<br><span class="answer">{escape(answer)}</span>' if with_answers else LINES
        items += f"<li>{escape(question)}{below}</li>"
    return f"<ol>{items}</ol>"


def to_pdf(path):
    """Print a page into a PDF beside it; return whether there is a browser that can."""
    browser = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if browser is None:
        return False
    target = path.with_suffix(".pdf")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    command = [browser, *options, f"--print-to-pdf={target}", path.resolve().as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=120)
    return done.returncode == 0 and target.exists()


def main(arguments):
    """Make the worksheets of all lessons, in the folder that is named or in `worksheets`."""
    folder = new_folder(arguments, "worksheets")
    printed = True
    for number, make in SHEETS.items():
        sheet = make()
        for ending, with_answers in (("", False), ("_answers", True)):
            path = folder / f"{number}_worksheet{ending}.html"
            path.write_text(page(number, sheet, with_answers), "utf-8")
            printed = printed and to_pdf(path)
    without = "" if printed else " There is no chromium for PDF: print the pages from a browser."
    print(f"Worksheets and answers of {len(SHEETS)} lessons are in {folder}.{without}")
