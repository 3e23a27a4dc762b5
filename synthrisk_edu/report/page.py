"""The report as one page of HTML; see `pages` for what keeps it from running anything."""

from base64 import b64encode
from html import escape

from synthrisk_edu.pages import html_table
from synthrisk_edu.words import about, say

NOT_THERE = "Never upload confidential data to Binder, or to a hub that is not your office's."


def html_body(report):
    """Return what stands on the page; also what a notebook shows."""
    numbers = report.numbers[["measure", "value", "meaning"]]
    parts = [
        f"<h1>{escape(report.title)}</h1>",
        f"<p>{escape(NOT_THERE)}</p>",
        *(_section(section, report.pictures) for section in report.sections),
        "<h2>All numbers, each with its meaning</h2>",
        html_table(numbers, "the same numbers as in the CSV file", most=len(numbers)),
    ]
    return "\n".join(parts)


def _section(section, pictures):
    """One section: its sentences, then its pictures, then its tables."""
    parts = [f"<section>\n<h2>{escape(section.title)}</h2>"]
    parts += [f"<p>{escape(one)}</p>" for one in section.sentences]
    for name, (words, _) in section.pictures.items():
        source = f"data:image/png;base64,{b64encode(pictures[name]).decode('ascii')}"
        parts.append(f'<figure><img src="{source}" alt="{escape(words)}"></figure>')
    for name, table in section.tables.items():
        write = about if name == "headlines" else say
        parts.append(html_table(table, CAPTIONS.get(name, name), write=write))
    return "\n".join([*parts, "</section>"])


CAPTIONS = {
    "sources": "the tables",
    "headlines": "the numbers that matter, each with what it is compared with",
    "copies": "synthetic rows that are the same as a confidential row",
    "closest": "distance of the synthetic rows to the closest record",
    "members": "members and others, in %; the 95 % interval of the difference",
    "files": "the synthetic tables one by one",
    "matching": "the three summaries, and the number of unique matches",
    "radius": "the sweep: synthetic table, and the expected match risk of the confidential one",
    "intruders": "expected match risk of each (rows that do not pair: how many are alone)",
    "population": "records alone with their keys in both tables (SU-CU), by r",
    "targets": "one row for each target, in % of the confidential records",
    "one_way_tables": "pMSE and its ratio, column by column",
    "two_way_tables": "tables of two columns, worst first",
    "records": "the chosen records",
}
