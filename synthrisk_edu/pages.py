"""How is it written down? A table or a whole page as HTML, and numbers as CSV.

All can be opened by programs that run things, so nothing in them may run. On a page every text is
escaped, there is no script and no address, and a content security policy forbids both. In a CSV a
text that begins like a formula gets an apostrophe in front; numbers stay numbers.
"""

import csv
import re
from collections.abc import Callable
from html import escape
from io import StringIO
from numbers import Real
from pathlib import Path

import numpy as np
import pandas as pd

from synthrisk_edu.words import say

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
FORMULA = re.compile(r"""(^|\r\n|[,;|\t\r\n])(?=[\s"']*[=+\-@＝＋－＠]|[\t\r\n])()""")
EMPTY_HEAD = re.compile(r"<th\b([^>]*)>\s*(?:<p></p>)?\s*</th>")
STYLE = Path(__file__).with_name("pages.css").read_text("utf-8")


def html_document(title: str, body: str, style: str = STYLE) -> str:
    """Return a page that needs nothing else and runs nothing."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"{body}\n</main>\n</body>\n</html>\n"
    )


def without_empty_heads(html: str) -> str:
    """Return HTML in which the corner of a table, which heads nothing, is an ordinary cell.

    >>> without_empty_heads('<tr><th class="a"></th><th>b</th></tr>')
    '<tr><td class="a"></td><th>b</th></tr>'
    """
    return EMPTY_HEAD.sub(r"<td\1></td>", html)


HEADS = {
    "expected_match_risk": "expected match risk",
    "true_match_rate": "true match rate",
    "false_match_rate": "false match rate",
    "unique_matches": "unique matches",
    "expected_confidential": "expected match risk, confidential",
    "one_way": "one-way flag",
    "two_way": "two-way flag",
    "variable_1": "column",
    "variable_2": "by",
    "pmse": "pMSE",
    "of_unique": "of unique rows",
}


def html_table(
    frame: pd.DataFrame, caption: str, most: int = 30, write: Callable[[float], str] = say
) -> str:
    """Return a frame as an HTML table, every text escaped, every number as `write` writes it.

    >>> html_table(pd.DataFrame({"<b>": ["<i>"]}), "").count("&lt;")
    2
    """
    heads = "".join(_head(name, frame[name]) for name in frame.columns)
    body = ""
    for row in frame.head(most).itertuples(index=False):
        written = "".join(_cell(value, write) for value in row)
        body += f"<tr>{written}</tr>\n"
    note = f"<p>… and {len(frame) - most:,} more rows.</p>" if len(frame) > most else ""
    return (
        f'<div class="wide"><table><caption>{escape(str(caption))}</caption>\n'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}</tbody></table></div>{note}"
    )


def _head(name, column):
    """The name of a column as a reader expects it, above text on the left, above numbers right."""
    side = ' class="text"' if any(isinstance(value, str) for value in column) else ""
    return f'<th scope="col"{side}>{escape(HEADS.get(name, str(name)))}</th>'


def _cell(value, write):
    """One cell: a number as one reads it (from 100 on whole), a flag as yes or no, text escaped."""
    if isinstance(value, bool | np.bool_):
        return f"<td>{'yes' if value else 'no'}</td>"
    if value is None:
        return "<td>–</td>"
    if isinstance(value, Real):
        if pd.isna(value):
            return "<td>undefined</td>"
        if 100 <= abs(value) < np.inf:
            value = round(value)
        return f"<td>{escape(write(value))}</td>"
    return f'<td class="text">{escape(say(value))}</td>'


def csv_text(numbers: pd.DataFrame) -> str:
    """Return the numbers as CSV; a text that a spreadsheet would run begins with an apostrophe.

    >>> print(csv_text(pd.DataFrame({"measure": ["=1+1"], "value": [-2.5]})).splitlines()[1])
    "'=1+1",-2.5
    """
    text = StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow([harmless(name) for name in numbers.columns])
    for row in numbers.itertuples(index=False):
        writer.writerow([_plain(value) for value in row])
    return text.getvalue()


def _plain(value):
    """A number as a number, an undefined one as an empty field, and text made harmless."""
    if isinstance(value, Real):
        number = float(value)
        if np.isnan(number):
            return ""
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    return harmless(value)


def harmless(text: object) -> str:
    """Put an apostrophe before everything that a spreadsheet could take for a formula.

    A program that splits at another sign than the comma sees a new cell after that sign, so a
    formula is looked for there as well.

    >>> harmless("=HYPERLINK(1)"), harmless(" @SUM(1)"), harmless("Age")
    ("'=HYPERLINK(1)", "' @SUM(1)", 'Age')
    >>> harmless("a;=1+1")
    "a;'=1+1"
    """
    return FORMULA.sub(r"\1'\2", str(text))
