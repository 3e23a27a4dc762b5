"""What is the whole story? All measures of two tables in one report, in words with pictures.

    pair = read_pair("confidential.csv", "synthetic.csv")
    risk_report(*pair).save("my_folder")

The data never leave the machine. Values of single records, and levels of the columns, enter the
report only when `records` asks for them.
"""

import json
from functools import cached_property
from textwrap import fill

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.pages import csv_text, html_document
from synthrisk_edu.progress import Progress
from synthrisk_edu.report import compared, page
from synthrisk_edu.report.copying import copies_section, members_section
from synthrisk_edu.report.disclosure import disclosure_section
from synthrisk_edu.report.intruders import intruders_section
from synthrisk_edu.report.matching import matching_sections, tried_radii
from synthrisk_edu.report.population import population_section
from synthrisk_edu.report.records import records_section
from synthrisk_edu.report.roles import Choices, choose_roles, report_tables
from synthrisk_edu.report.saving import already_there, report_paths, write_files
from synthrisk_edu.report.utility import utility_section

LINE = 90  # characters
WIDTH = 760  # pixels of a picture in a notebook
NOTHING = "Nothing here asks for a second look. That is no proof that the data are safe."


def risk_report(
    confidential,
    synthetic,
    *,
    control=None,
    records=False,
    title="Risk report",
    date=None,
    seed=0,
    progress=True,
    **choices,
):
    """Measure risk and utility of synthetic tables, and put all of it into words.

    Args:
        confidential: the true data.
        synthetic: one frame or a list of m frames. Rows pair if a column is equal in both row by
            row, or if you name the roles; else nothing is matched.
        control: records of people of the same kind who did not take part, for comparison.
        records: False: no single records. True: the ten most at risk, and the levels behind the
            flags. A list of 0-based positions: these records instead.
        title: the headline.
        date: the date of the report; by default today.
        seed: large tables are sampled in places; equal seeds, equal samples.
        progress: whether to show how far it is.
        choices: known, synthesized, radius, keys, targets, intruders and more; see `Choices`.

    >>> true = pd.DataFrame({"Sex": list("FFMM"), "Job": ["cook", "nurse"] * 2})
    >>> risk_report(true, true.assign(Job="cook")).tables["matching"].synthetic[0]
    np.float64(1.0)
    """
    choices = Choices.from_arguments(choices)
    made = compared.made_when(date, seed, choices)
    tables = report_tables(confidential, synthetic, control)
    roles = choose_roles(tables, choices, seed)
    with Progress("making the report", _steps(roles), progress) as shown:
        roles.step = shown.step
        sections = [*_sections(roles, records)]
    return Report(title, compared.all_pages(sections, tables, *_around(roles, made)), roles)


def _around(roles, made):
    """What stands before the parts: how it was made, what was not examined, and how many rows."""
    short = [made, *compared.roles_in_words(roles)]
    return short, NOTHING, [*compared.not_examined(roles)], len(roles.confidential)


def _sections(roles, records):
    """Make the parts in order, each when its turn comes."""
    if not isinstance(records, bool):  # looked at before the work begins
        places, n = checks.listed("records", records, "0-based positions"), len(roles.confidential)
        records = [checks.position("records", one, n) for one in places]
    yield compared.files_section(roles)
    yield copies_section(roles)
    if roles.paired:
        yield from matching_sections(roles)
    if roles.intruders:
        yield intruders_section(roles)
    yield disclosure_section(roles)
    if roles.control is not None:
        yield members_section(roles)
    if roles.fraction is not None and roles.keys:
        yield population_section(roles)
    yield utility_section(roles)
    if records is not False:
        yield records_section(roles, records)


def _steps(roles):
    """How many pieces of work there are, so that the line of progress moves within the parts."""
    m, copied, looked_up = len(roles.synthetics), 3, 1
    matched = (1 + m) * (1 + len(tried_radii(roles))) if roles.paired else 0
    return copied + matched + len(roles.intruders) + looked_up + 3 * m  # 3: of the utility


class Report:
    """What `risk_report` found.

    Attributes:
        title: the headline.
        sections: the parts in order, each with title, sentences, numbers, tables and pictures.
        roles: what each column was taken for.
        numbers: one frame of all numbers: section, measure, value, meaning.
        tables: the tables by name.
        sentences: all sentences in order.
    """

    def __init__(self, title, sections, roles):
        """Collect what the sections hold; use `risk_report` to get here."""
        self.title, self.sections, self.roles = title, sections, roles
        rows = [(one.name, *number) for one in sections for number in one.numbers]
        self.numbers = pd.DataFrame(rows, columns=["section", "measure", "value", "meaning"])
        self.tables = {name: table for one in sections for name, table in one.tables.items()}
        self.sentences = [sentence for one in sections for sentence in one.sentences]

    @cached_property
    def pictures(self):
        """The pictures by name, as the bytes of PNG files; drawn when first asked for."""
        from synthrisk_edu.report import pictures  # here, so that scripts need no drawing library

        return {
            name: pictures.draw(name, what)
            for section in self.sections
            for name, (_, what) in section.pictures.items()
        }

    def picture(self, name):
        """Return one picture for a notebook, with its sentence for those who cannot see it."""
        from IPython.display import Image

        words = {n: words for one in self.sections for n, (words, _) in one.pictures.items()}
        checks.one_of("name", name, list(words))
        return Image(self.pictures[name], width=WIDTH, alt=words[name])

    def text(self, name):
        """Return the sentences of one section, in lines that fit on a page.

        >>> table = pd.DataFrame({"Job": ["cook", "nurse"]})
        >>> risk_report(table, table).text("files").splitlines()[0]
        'The tables have 2 (confidential) and 2 (synthetic) records; they share 1 column: Job.'
        """
        names = [section.name for section in self.sections]
        section = self.sections[names.index(checks.one_of("name", name, names))]
        return "\n\n".join(fill(sentence, LINE) for sentence in section.sentences)

    def html(self):
        """Return the report as one page that needs no other file and no network."""
        return html_document(self.title, page.html_body(self))

    def csv(self):
        """Return the numbers as CSV."""
        return csv_text(self.numbers)

    def json(self):
        """Return the numbers as JSON; what is undefined is null."""
        return json.dumps(self.numbers.replace({np.nan: None}).to_dict("records"), indent=1)

    def save(self, where, *, overwrite=False, with_json=False):
        """Write the page and the numbers, all files or none; return their paths.

        `where` is a folder (then the files are risk_report.html and risk_report.csv) or a file name
        that ends with .html (then the numbers get the same name with .csv). A file that exists is
        left alone unless `overwrite` is True. `with_json` writes the numbers as JSON too.
        """
        paths = report_paths(where, "risk_report")
        if with_json:
            paths += (paths[0].with_suffix(".json"),)
        # The mark in front of the CSV tells spreadsheets that it is UTF-8.
        texts = [self.html(), "\ufeff" + self.csv(), self.json()]
        if not overwrite:
            already_there(paths)
        write_files(dict(zip(paths, texts, strict=False)))
        return paths

    def _repr_html_(self):
        """Show the report in a notebook."""
        return page.html_body(self)

    def __repr__(self):
        """Say what is in it."""
        parts = f"{len(self.sections)} sections, {len(self.numbers)} numbers"
        return f"<Report {self.title!r}: {parts}>"
