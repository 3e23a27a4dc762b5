"""And a file that does not fit? What can be said from counts, as a database gives them.

One GROUP BY over keys and targets counts a table of any size; `count_file` lets DuckDB do it, and
any other database can. What needs the rows themselves is named and left out.
"""

import glob
import importlib.util
from functools import partial

import pandas as pd

from synthrisk_edu.disclosure import disclosure_from_counts
from synthrisk_edu.matching import floor_from_counts
from synthrisk_edu.members import copies
from synthrisk_edu.report import checks
from synthrisk_edu.report.compared import all_pages, made_when
from synthrisk_edu.report.disclosure import fill_disclosure
from synthrisk_edu.report.formats import broken_format, no_reader
from synthrisk_edu.report.reading import read_table, table_path
from synthrisk_edu.report.report import Report
from synthrisk_edu.report.roles import Choices, Roles
from synthrisk_edu.report.section import Section, named, percent
from synthrisk_edu.words import about

NEEDS_ROWS = (
    "What needs the rows themselves, and was left out: matching with a radius and its sweep, the "
    "distance to the closest record, members and others, the population, the pMSE ratio, and "
    "single records. Take a sample of the rows for these, and say so."
)


def report_from_counts(
    confidential, synthetic, keys, targets, *, title="Risk report", date=None, **options
):
    """Make the parts of the risk report that counts are enough for.

    Args:
        confidential: a frame with keys, targets and `count`, a row for each combination that
            occurs: SELECT keys, targets, count(*) AS count … GROUP BY keys, targets.
        synthetic: the same of the synthetic table.
        keys: columns an intruder looks people up with.
        targets: columns an intruder wants to learn.
        title: the headline.
        date: what to date the report; by default today.
        options: those of `disclosure`.

    >>> true = pd.DataFrame({"Sex": list("FFM"), "Job": list("aba"), "count": [2, 1, 4]})
    >>> made = pd.DataFrame({"Sex": list("FM"), "Job": list("aa"), "count": [3, 4]})
    >>> found = report_from_counts(true, made, ["Sex"], ["Job"]).numbers.set_index("measure").value
    >>> float(found["DiSCO of Job"].round(1)), float(found["copies on all columns"])
    (85.7, 7.0)
    """
    choices = Choices(keys=keys, targets=targets, options=options)
    title, made = checks.written("title", title), made_when(date, 0, choices)
    tables = {"confidential": confidential, "synthetic": synthetic}
    columns = keys_and_targets(choices.keys, choices.targets)
    groups, special = checks.grouping(options, columns, "a key or a target")
    for name, table in tables.items():
        checks.columns(name, checks.frame(name, table), columns)
        counts = checks.row_counts(name, table, columns)
        tables[name] = table[columns].assign(count=counts).reset_index(drop=True)
    options |= {"groups": groups, "special": special}
    asked = {"keys": choices.keys, "targets": choices.targets, "options": options}
    roles = Roles(tables["confidential"], [tables["synthetic"]], shared=columns, **asked)
    sections = [_sizes(tables), _copies(tables, roles), _disclosed(tables, roles)]
    introduction = [made], "Nothing here asks for it.", [NEEDS_ROWS]
    n = int(tables["confidential"]["count"].sum())
    return Report(title, all_pages(sections, tables, *introduction, n), roles)


def count_file(path, columns):
    """Let DuckDB count the combinations of some columns in a CSV or Parquet file of any size.

    The values of a CSV are counted as they are written, and then read as `read_pair` reads them.
    """
    path, columns = table_path(path, "the file"), checks.names("columns", columns, "column")
    checks.no_count(columns)
    if importlib.util.find_spec("duckdb") is None:
        no_reader("the file", "to be counted", "duckdb")
    import duckdb

    name, is_parquet = checks.quoted(path.name), path.suffix.lower() == ".parquet"
    as_written = partial(duckdb.read_csv, header=True, all_varchar=True)
    read = duckdb.read_parquet if is_parquet else as_written
    listed = ", ".join('"' + str(one).replace('"', '""') + '"' for one in columns)
    itself = glob.escape(str(path))  # and not all files that a * or [ in its name would fit
    try:
        table = read(itself)
        _has_columns(name, table.columns, columns)
        counts = table.aggregate(f"{listed}, count(*) AS count", listed)
        counts = counts.order(listed).df()  # DuckDB's own order is another one each time
    except duckdb.Error as error:
        broken_format(name, "a table with these columns", error)
    return counts if is_parquet else _read_again(counts)


def _has_columns(name, found, wanted):
    """Every column is there, as it is written: to DuckDB alone, Sex and SEX are the same."""
    for one in wanted:
        if one not in found:
            raise KeyError(
                f"{name} has no column {checks.quoted(one)}; its columns are: "
                f"{checks.shortened(found)}."
            )


def _read_again(counted):
    """Read counts whose values are text, so that numbers become numbers and codes stay text.

    What is written in several ways, such as 1 and 1.0, or NA and null, is then counted together.
    """
    written = counted.to_csv(index=False).encode()
    table = read_table(written, separator=",", decimal=".", limit=len(written))
    columns = [name for name in table if name != "count"]
    return table.groupby(columns, dropna=False)["count"].sum().reset_index()


def keys_and_targets(keys, targets):
    """Return the columns to count: keys and targets, at least one of each."""
    if not (keys and targets):
        raise ValueError("counting needs keys and targets; name at least one of each.")
    keys, targets = checks.names("keys", keys), checks.names("targets", targets)
    for name in keys:
        if name in targets:
            raise ValueError(
                f"{checks.quoted(name)} is both a key and a target; leave it in one place."
            )
    return [*keys, *targets]


def _sizes(tables):
    """What was compared."""
    sizes = {name: table["count"].sum() for name, table in tables.items()}
    numbers = [(f"records, {name}", n, f"records of the {name} table") for name, n in sizes.items()]
    words = [
        f"The {name} table has {int(n):,} records, counted in {len(tables[name]):,} combinations."
        for name, n in sizes.items()
    ]
    return Section("files", "What was compared", words, numbers)


def _copies(tables, roles):
    """Synthetic records that agree with a confidential one, and the floor of the keys."""
    section = Section("copies", "Was anybody copied?")
    each = [table.loc[table.index.repeat(table["count"].astype(int))] for table in tables.values()]
    count = copies(*each, columns=roles.shared).loc["original"]
    section.sentences.append(
        f"{about(count.rows)} synthetic records ({percent(count.share)}) agree with a confidential "
        f"one in {named(roles.shared)}; {about(count.of_unique)} of them agree with one that "
        "stands there only once."
    )
    least = floor_from_counts(tables["confidential"], roles.keys)
    section.sentences.append(
        f"Who knows {named(roles.keys)} and nothing else is right "
        f"{about(least.expected_match_risk)} times in the confidential table: so many "
        "combinations there are."
    )
    meaning = "synthetic records that agree with a confidential one that stands there only once"
    section.numbers = [
        ("copies on all columns", count.rows, "synthetic records that agree with a confidential"),
        ("copies of unique rows on all columns", count.of_unique, meaning),
        ("expected match risk, keys alone", least.expected_match_risk, "different keys"),
    ]
    section.headline("copies of unique records", meaning, synthetic=count.of_unique)
    return section


def _disclosed(tables, roles):
    """What the keys give away about each target."""
    rows = []
    for target in roles.targets:
        names = [*roles.keys, target]
        counts = [
            table.groupby(names, dropna=False, observed=True, sort=False)["count"]
            .sum()
            .reset_index()
            for table in tables.values()
        ]
        options = roles.options_of(target)
        rows.append(disclosure_from_counts(*counts, roles.keys, target, **options).in_short())
    table = pd.DataFrame(rows).sort_values("DiSCO", ascending=False, ignore_index=True)
    return fill_disclosure(roles, table)
