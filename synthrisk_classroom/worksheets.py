"""One page of paper for each lesson: `synthrisk worksheets [FOLDER]`.

A toy table, empty columns to fill with a pencil, and three questions; on another page the same with
the answers. The texts stand in the folder `sheets`, with the answers behind `=`; the numbers in
them are computed here. HTML always, PDF where chromium is installed.
"""

import argparse
import re
import shutil
import subprocess
from html import escape
from pathlib import Path

import pandas as pd

from synthrisk_classroom.command import folder_of
from synthrisk_classroom.convert import asset, markdown_to_html
from synthrisk_classroom.lesson import module, tables
from synthrisk_edu.disco import disclosure
from synthrisk_edu.households import unique_uniques
from synthrisk_edu.intruder import intruder_risk
from synthrisk_edu.matching import match
from synthrisk_edu.pages import html_document
from synthrisk_edu.words import listing, rounded, say

TEXTS = Path(__file__).with_name("sheets")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
LINES = '<span class="line"></span>' * 2
YES_NO = {True: "yes", False: "no"}


# ---------------- for each lesson: the table, the columns to fill in, the numbers of the answers
def risks(records):
    """Return the columns c, T and T/c to fill in."""
    return records[["c", "T"]].assign(**{"T/c": records.risk.map(rounded)})


def sheet_01(d):
    """Ten persons, one synthetic column: c, T and T/c."""
    records = match(d.confidential, d.synthetic, ["Sex", "Town"], ["Job"]).records
    dora = match(d.confidential, d.synthetic, ["Sex"], ["Job"]).records.loc["Dora"]
    return {
        "table": d.confidential.assign(**{"synthetic Job": d.synthetic.Job}),
        "counted": risks(records),
        "total": rounded(records.risk.sum()),
        "unique": listing(records.index[records.c == 1]),
        "false": listing(records.index[records.F == 1]),
        "c": dora.c,
        "T": dora["T"],
    }


def sheet_02(d):
    """Nine units: who is in Ana's range?"""
    inside = (d.synthetic - d.true.loc["Ana"]).abs() <= {"Income": 10, "Expenditure": 2}
    heads = ["income inside", "expenditure inside", "candidate"]

    def of_ana(variables, radius):
        ana = match(d.true, d.synthetic, [], variables, radius).records.loc["Ana"]
        return f"c = {ana.c:.0f}, T = {ana['T']:.0f}, a risk of {rounded(ana.risk)}."

    return {
        "table": d.true.join(d.synthetic.add_prefix("synthetic ")),
        "counted": inside.assign(both=inside.all(axis=1)).replace(YES_NO).set_axis(heads, axis=1),
        "one": of_ana(["Income"], 0.2),
        "two": of_ana(list(d.true), 0.2),
        "narrow": of_ana(list(d.true), 0.1),
    }


def sheet_03(d):
    """Ten persons in two classes: c and T."""
    true, drawn = d.ten.set_axis(range(1, 11)), d.drawn.set_axis(range(1, 11))
    records = match(true, drawn, ["MAR"], ["DIS"]).records
    ill = true.DIS.eq("yes").groupby(true["class"]).agg(["sum", "size"])
    return {
        "table": true.assign(**{"drawn DIS": drawn.DIS}),
        "counted": risks(records),
        "shares": listing(
            f"{one['sum']} of {one['size']} in {name}" for name, one in ill.iterrows()
        ),
        "total": rounded(records.risk.sum()),
        "certain": listing(records.index[records.risk == 1]),
    }


def sheet_04(d):
    """Eight units, a tree with one question: c and T with a radius."""
    records = match(d.eight, d.drawn, ["Tenure"], ["Income"], 0.2).records
    number = range(1, len(d.eight) + 1)
    return {
        "table": d.eight.assign(**{"drawn Income": d.drawn.Income}).set_axis(number),
        "counted": risks(records.set_axis(number)),
        "low": say(0.8 * d.eight.Income.iloc[0]),
        "high": say(1.2 * d.eight.Income.iloc[0]),
        "total": rounded(records.risk.sum()),
    }


def sheet_05(d):
    """Ten youths, two released files: who is most likely?"""
    files = {"first": d.first, "second": d.second}
    found = intruder_risk(d.true, list(files.values()), ["sex"], ["facility"])
    fits = {
        f"fit in the {name}": match(d.true, file, ["sex"], ["facility"]).records.c
        for name, file in files.items()
    }
    records, likely = found.records, found.match_probabilities(8)
    return {
        "table": d.true.assign(**{f"{name} facility": f.facility for name, f in files.items()}),
        "counted": pd.DataFrame(fits).assign(highest=records.highest.map(rounded), I=records.I),
        "likely": listing(f"{row} with {rounded(p)}" for row, p in likely[likely > 0].items()),
        "expected": rounded(found.summary()["expected"]),
        "alone": records.K.sum(),
    }


def sheet_06(d):
    """Eight persons looked up in twelve synthetic rows."""
    found = disclosure(d.original, d.synthetic, d.toy_keys, "marital")
    records, share = found.records(), found.attribute.iloc[0]
    same = d.original[(d.original[d.toy_keys] == d.original.loc["Rob", d.toy_keys]).all(axis=1)]
    counted = records[["found", "disclosive", "correct"]].replace(YES_NO)
    return {
        "table": d.original,
        "published": d.synthetic,
        "counted": counted.set_axis(["found", "one answer", "right"], axis=1),
        **{name: say(share[name]) for name in ("iS", "DiS", "DiSCO")},
        "wrong": listing(records.index[records.disclosive & ~records.correct]),
        "same": listing(same.index),
        "statuses": listing(same.marital),
    }


def sheet_07(d):
    """Ten families: alone in the sample, and in the synthetic file?"""
    true, new = (file[d.toy_qis].fillna("–") for file in (d.families, d.released))
    f = true.groupby(d.toy_qis)["state"].transform("size")
    times = [int((new == row).all(axis=1).sum()) for _, row in true.iterrows()]
    counted = pd.DataFrame({"in the sample": f, "in the synthetic file": times})
    return {
        "table": true,
        "published": new,
        "counted": counted,
        "alone": (f == 1).sum(),
        "both": listing(counted.index[(counted == 1).all(axis=1)]),
        "shared": unique_uniques(d.families, d.released, d.toy_qis).households["SU-CU"],
        "families": len(true),
    }


def sheet_08(d):
    """Ten persons, told right with and without their own row?"""
    ten, is_told = d.ten, module("08").is_told
    told = pd.DataFrame(
        {
            "whole table": [is_told(ten, person) for _, person in ten.iterrows()],
            "without the own row": [is_told(ten.drop(n), person) for n, person in ten.iterrows()],
        },
        index=ten.index,
    )
    members, others = told.mean()
    return {
        "table": ten,
        "counted": told.replace(YES_NO),
        "members": rounded(members),
        "others": rounded(others),
        "added": rounded(members - others),
        "most": rounded(1 - others),
        "residual": rounded((members - others) / (1 - others)),
        "believed": listing(ten.drop("Ivan").query("Sex == 'M' and Town == 'B'").Status.unique()),
        "true": ten.Status["Ivan"],
    }


SHEETS = [sheet_01, sheet_02, sheet_03, sheet_04, sheet_05, sheet_06, sheet_07, sheet_08]


# ------------------------------------------------------------------------- the pages
def pages_of(sheet):
    """Return the two pages of a lesson, by the ending of their names."""
    number = sheet.__name__[-2:]
    numbers, title = sheet(tables(number, None)), f"{number} · {module(number).TITLE}"
    text = (TEXTS / f"{number}.md").read_text("utf-8")
    name = '<span class="name">Name: ______________________</span>'
    empty = re.sub(r"\n +=.*", f"<br>{LINES}", text)
    full = re.sub(r"\n += (.*)", r'<br><span class="answer">\1</span>', text)
    return {
        "": page(title, empty, numbers, name, "fill"),
        "_answers": page(f"{title}: answers", full, numbers, "", "fill answer"),
    }


def page(title, text, numbers, name, kind):
    """Return one page: the text with its numbers, and the table with columns of this kind."""
    counted = numbers["counted"] if "answer" in kind else numbers["counted"].map(lambda _: "")
    shown = {"table": html_table(numbers["table"], counted, kind)}
    if "published" in numbers:
        shown["published"] = html_table(numbers["published"])
    body = markdown_to_html(text.format(**numbers | shown))
    return html_document(title, f"{name}<h1>{escape(title)}</h1>\n{body}", asset("worksheets.css"))


def html_table(table, counted=None, kind=""):
    """Return a table, and beside it the columns to fill."""
    counted = pd.DataFrame(index=table.index) if counted is None else counted
    heads = "".join(f"<th>{escape(str(name))}</th>" for name in ["", *table, *counted])
    rows = ""
    for label, given, answers in zip(table.index, table.values, counted.values, strict=True):
        cells = "".join(f"<td>{escape(say(value))}</td>" for value in given)
        cells += "".join(f'<td class="{kind}">{escape(str(one))}</td>' for one in answers)
        rows += f"<tr><th>{escape(str(label))}</th>{cells}</tr>"
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


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


def main(arguments=None):
    """Make the worksheets of all lessons, in the folder that is named or in `worksheets`."""
    parser = argparse.ArgumentParser(prog="worksheets", description="A page of paper per lesson.")
    parser.add_argument("folder", nargs="?", type=folder_of, default="worksheets", metavar="FOLDER")
    folder, printed = parser.parse_args(arguments).folder, True
    for sheet in SHEETS:
        for ending, html in pages_of(sheet).items():
            path = folder / f"{sheet.__name__[-2:]}_worksheet{ending}.html"
            path.write_text(html, "utf-8")
            printed = printed and to_pdf(path)
    without = "" if printed else " There is no chromium for PDF: print the pages from a browser."
    print(f"Worksheets and answers of {len(SHEETS)} lessons are in {folder}.{without}")
