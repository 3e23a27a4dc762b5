"""What was compared, and what was not looked at? The first page of the report, and the last."""

import datetime
import hashlib

import pandas as pd

from synthrisk_edu import __version__
from synthrisk_edu.report.section import HEADLINE, Section, named

SMALL_CELL = 10


def all_pages(sections, tables, short, nothing, not_examined, n):
    """Put what a board reads before the parts, and behind them what is left open.

    `nothing` is what to say where no part asks for a look; n is the number of records.
    """
    summary = Section("summary", "In short", short)
    sources = pd.DataFrame([_describe_source(*one) for one in tables.items()])
    summary.tables = {"sources": sources, "headlines": _headlines(sections)}
    look = [sentence for section in sections for sentence in section.attention]
    attention = Section("attention", "What to look at", look or [nothing])
    limits = Section("limits", "What was not examined", not_examined)
    return [summary, attention, limits, *sections, _open_section(sections, n)]


def made_when(date, seed, choices):
    """Say when the report was made, with which version, seed and options; no date is today."""
    date = datetime.date.today() if date is None else date
    options = {"radius": choices.radius} | choices.options
    options |= {} if choices.fraction is None else {"fraction": choices.fraction}
    chosen = ", ".join(f"{name} = {value!r}" for name, value in options.items())
    return f"Made on {date} with synthrisk_edu {__version__}, seed {seed}, {chosen}."


def _describe_source(name, table):
    """Say which table it was: its file if it was read from one, its size and its checksum."""
    return {
        "table": name,
        "file": table.attrs.get("file", "a data frame"),
        "records": len(table),
        "columns": table.shape[1],
        "sha256": table.attrs.get("sha256") or checksum(table),
    }


def checksum(table):
    """Return a number that changes when any name or value of the table changes.

    >>> table = pd.DataFrame({"Age": [31, 58]})
    >>> checksum(table) == checksum(table.copy()), checksum(table) == checksum(table[::-1])
    (True, False)
    """
    rows = pd.util.hash_pandas_object(table, index=False).to_numpy()
    names = "\n".join(map(str, table.columns)).encode()
    return hashlib.sha256(names + rows.tobytes()).hexdigest()


def _headlines(sections):
    """Collect the numbers that matter; a later part may add what one is compared with."""
    rows = {}
    for section in sections:
        for row in section.headlines:
            known = rows.get(row["number"], {})
            rows[row["number"]] = known | {key: x for key, x in row.items() if x is not None}
    table = pd.DataFrame([row for row in rows.values() if "synthetic" in row])
    table = table[[name for name in HEADLINE if name in table]].astype(object)
    return table.where(table.notna(), None)


def roles_in_words(roles):
    """Say what each column was taken for."""
    if roles.paired:
        yield (
            f"Known to the intruder and not synthesized: {named(roles.known)}. Synthesized: "
            f"{named(roles.synthesized)}."
        )
    yield f"Keys: {named(roles.keys)}. Targets: {named(roles.targets)}."


def not_examined(roles):
    """Say what could not be told with what was given."""
    if roles.control is None:
        yield (
            "Whether the same would be said of people who did not take part: this needs a file of "
            "such people (control)."
        )
    if not roles.paired:
        yield "Who could be found by matching: rows of the tables do not pair."
    if roles.identifiers:
        yield f"What {named(roles.identifiers)} would give away: left out as identifiers."
    if len(roles.synthetics) == 1:
        yield "How the numbers vary from one synthetic table to the next: there is only one."
    if roles.fraction is None:
        yield "How many people outside the tables share the same values: needs weights or fraction."
    yield "Other data that could be linked with these."


def files_section(roles):
    """What was compared, and how the roles were chosen."""
    numbers = [
        (f"records, {name}", len(table), f"the number of rows of the {name} table")
        for name, table in (("confidential", roles.confidential), ("synthetic", roles.synthetic))
    ]
    numbers += [
        ("synthetic tables", len(roles.synthetics), "the number of synthetic tables"),
        ("shared columns", len(roles.shared), "the number of columns that all tables have"),
    ]
    return Section("files", "What was compared", list(roles.sentences), numbers)


def _open_section(sections, n):
    """What is not measured, and who may see the report."""
    knows = "It is assumed that the intruder knows the person to be in the table"
    inside = f"{knows}; how many people outside share the same values is not looked at (lesson 07)."
    if any(section.name == "population" for section in sections):
        inside = f"{knows}, in all parts but the one on the population."
    sentences = [
        "An intruder who knows other columns than these, or more about how the data were made "
        "(lesson 05), may do better or worse.",
        inside,
        "Values that are nearly right count for numbers within the radius only, and for keys and "
        "targets only where they fall into the same group.",
        "Other tables that could be linked with this one, and earlier releases, are not looked at.",
        "Another draw of the same synthesis gives other numbers.",
    ]
    if any(0 < round(count) < SMALL_CELL for count in _counts(sections, n)):
        sentences.append(
            f"Small cells: this report gives counts below {SMALL_CELL}. A small count can itself "
            "point at a person, so decide who may see the report, and round it before you publish."
        )
    return Section("open", "What this report does not say", sentences)


def _counts(sections, n):
    """Yield the numbers of the report that stand for so many records."""
    for section in sections:
        for measure, value, meaning in section.numbers:
            if measure.startswith(("unique matches", "copies")):
                yield value
            elif measure.startswith("true match rate"):
                yield value * n
            elif section.name == "disclosure" and meaning.startswith("%"):
                yield value * n / 100
