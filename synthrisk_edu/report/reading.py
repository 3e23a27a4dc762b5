"""May I read this? A CSV file of any origin, read with care and never run.

A file is a stranger: it may be a workbook in disguise, in another encoding, with other separators,
with a row too short, or 10 GB long. Each of these is one clear sentence here. Nothing in a file is
ever executed, nothing is fetched from the network, and the text of a cell stays text: a formula is
a row of characters, not a calculation.
"""

import csv
import gzip
import hashlib
import re
import zlib
from io import BytesIO, TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from synthrisk_edu.report import checks, files
from synthrisk_edu.report.formats import read_other

LIMIT = 200_000_000  # bytes; checked before anything is read
SEPARATORS = (",", ";", "\t", "|")
MOST_COLUMNS = 5_000
LONGEST_LINE = 1_000_000  # characters
ROWS_AT_ONCE = 200_000
SAMPLE = 50  # rows that decide what the separator is
CODE = re.compile(r"\s*0\d+\s*")  # as in 01234, which is not 1234
LEADING_ZERO = re.compile(rb"(?<![\d.])0\d")
COMMA_NUMBER = re.compile(r"\s*[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+\s*")


class Tables(NamedTuple):
    """The two tables of a report."""

    confidential: pd.DataFrame
    synthetic: pd.DataFrame


def read_pair(confidential, synthetic, *, separator=None, encoding=None, decimal=None, limit=LIMIT):
    r"""Read the confidential and the synthetic CSV file; see `read_table` for the arguments.

    The files may have different numbers of rows (fully synthetic data) and different columns, but
    share at least one, and a shared column holds the same kind of values in both.

    >>> pair = read_pair(b"Sex,Job\nF,cook\nM,nurse", b"Sex;Job\nF;nurse\nM;nurse")
    >>> pair.synthetic.Job.tolist()
    ['nurse', 'nurse']
    """
    limit = checks.count("limit", limit)
    how = {"separator": separator, "encoding": encoding, "decimal": decimal, "limit": limit}
    pair = {"the confidential file": confidential, "the synthetic file": synthetic}
    return Tables(*read_tables(pair, **how))


def read_tables(sources, **how):
    """Read files by name, and check that they go together; see `read_table` for the arguments."""
    tables = [read_table(source, name=name, **how) for name, source in sources.items()]
    # What is a code such as 01234 in one file is a code in the others as well.
    codes = sorted({code for table in tables for code in table.attrs.get("codes", ())})
    if codes:
        pairs = sources.items()
        tables = [read_table(source, name=name, codes=codes, **how) for name, source in pairs]
    labels = [name.removeprefix("the ").removesuffix(" file") for name in sources]
    checks.common_columns(dict(zip(labels, tables, strict=True)))
    return tables


def read_table(
    source, *, name="the file", separator=None, encoding=None, decimal=None, limit=LIMIT, codes=()
):
    r"""Read one CSV file: a first line of column names, then one line a record.

    Args:
        source: the path of the file, or its bytes; a CSV may be packed with gzip, and a path may
            name a file of Stata, SAS, SPSS, R, Excel or Parquet (see `formats`).
        name: what to call the file in messages.
        separator: "," ";" tab or "|"; by default found out from the first lines.
        encoding: by default UTF-8, with or without a byte order mark.
        decimal: "." or ","; by default a point, and a column with decimal commas is an error.
        limit: the most bytes to read.
        codes: columns to read as text; those with a code such as 01234 are found out.

    Empty fields and the words that pandas takes for missing (NA, NaN, null, …) are missing.

    >>> read_table(b"Age|Town\n31|A\n58|").Town.isna().tolist()
    [False, True]
    """
    if separator is not None:
        checks.one_of("separator", separator, SEPARATORS)
    if decimal is not None:
        checks.one_of("decimal", decimal, (".", ","))
    data = _bytes(source, name, limit)
    file = Path(source).name if isinstance(source, str | Path) else "bytes"
    attrs = {"file": file, "sha256": hashlib.sha256(data).hexdigest()}
    table = read_other(Path(source).expanduser(), name) if file != "bytes" else None
    if table is None:
        table, attrs["codes"] = _read_csv(data, name, separator, encoding, decimal, limit, codes)
    table.attrs = attrs
    return table


def _read_csv(data, name, separator, encoding, decimal, limit, codes):
    """The table in the bytes of a CSV file, and the columns with codes such as 01234."""
    data = _unpacked(data, name, limit)
    text = _text(data, name, encoding)
    separator = separator or _separator(text, name)
    shape, found = _shape(text, name, separator)
    codes = [*found, *codes]
    table = _parse(text, name, separator, decimal or ".", codes, skip_blank=shape[1] > 1)
    if table.shape != shape:  # the two readers disagree: do not guess
        files.broken_csv(name, shape[0], "its quotation marks can be read in two ways")
    if decimal is None:
        _no_decimal_commas(table, name)
    return table, found


def _unpacked(data, name, limit):
    """The bytes of a file that may be packed with gzip; no more than the limit is unpacked."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as file:
            unpacked = file.read(limit + 1)
    except (OSError, EOFError, zlib.error):
        files.broken_gzip(name)
    files.table_size(name, len(unpacked), limit)
    return unpacked


def _bytes(source, name, limit):
    """The bytes of the file; its size is looked at first."""
    if isinstance(source, bytes | bytearray | memoryview):
        files.table_size(name, len(source), limit)
        return bytes(source)
    path = files.table_path(source, name)
    try:
        files.table_size(name, path.stat().st_size, limit)
        with open(path, "rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        files.unreadable_table(name, error)
    files.table_size(name, len(data), limit)  # it may have grown in the meantime
    return data


def _text(data, name, encoding):
    """The text in UTF-8, whatever the file is in: Python's own text may take four times as much."""
    files.csv_bytes(data, name, encoding)
    try:
        text = data.decode(encoding or "utf-8-sig").removeprefix("\ufeff").encode()
        return data if text == data else text  # one of the two is enough
    except UnicodeError as error:
        files.wrong_encoding(name, encoding or "UTF-8", data, error)
    except (LookupError, TypeError, ValueError):
        files.unknown_encoding(encoding)


def _separator(text, name):
    """The separator that splits the first rows alike, into the most fields."""
    best = max(SEPARATORS, key=lambda one: _fields(text, name, one))  # the first of them on ties
    if _fields(text, name, best) > 1:
        return best
    # Rows differ with every separator: take the header's word for it, and name the ragged line.
    header = next(_lines(text, name))
    return max(SEPARATORS, key=header.count)


def _fields(text, name, separator):
    """The number of fields of the first rows if it is the same in all, else 0."""
    try:
        rows = islice((row for _, row in _rows(text, name, separator) if row), SAMPLE)
        widths = {len(row) for row in rows}
    except ValueError:
        return 0
    return widths.pop() if len(widths) == 1 else 0


def _lines(text, name):
    """The lines of a text; an endless one is refused."""
    for number, line in enumerate(TextIOWrapper(BytesIO(text), "utf-8", newline=""), start=1):
        files.line_length(name, number, len(line), LONGEST_LINE)
        yield line


def _rows(text, name, separator):
    """The rows of a text with their line numbers; a blank line is an empty row."""
    reader = csv.reader(_lines(text, name), delimiter=separator, strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        files.broken_csv(name, reader.line_num, error)


def _shape(text, name, separator):
    """Check the header and that every row is as wide.

    Returns the numbers of rows and columns, and the columns with codes such as 01234. Blank lines
    are passed over; in a file of one column they are missing values.
    """
    rows = _rows(text, name, separator)
    names = next(row for _, row in rows if row)
    files.header_line(name, names, MOST_COLUMNS)
    count, codes = 0, set()
    look_for_codes = LEADING_ZERO.search(text)
    for line, row in rows:
        if row or len(names) == 1:
            row = row or [""]
            files.row_width(name, line, len(row), len(names))
            count += 1
            if look_for_codes:
                codes |= {j for j, value in enumerate(row) if CODE.fullmatch(value)}
    files.some_rows(name, count)
    return (count, len(names)), [names[j] for j in sorted(codes)]


def _parse(text, name, separator, decimal, codes, skip_blank):
    """The text as a data frame; columns of numbers become numbers, codes stay text."""
    how = {"sep": separator, "decimal": decimal, "index_col": False, "low_memory": False}
    how |= {"dtype": dict.fromkeys(codes, str), "skip_blank_lines": skip_blank}
    text = text.lstrip(b"\r\n")
    try:
        # A piece at a time takes less memory. Where pieces differ in type, only the whole can tell.
        pieces = list(pd.read_csv(BytesIO(text), chunksize=ROWS_AT_ONCE, **how))
        if all(one.dtypes.equals(pieces[0].dtypes) for one in pieces):
            return pd.concat(pieces, ignore_index=True)
        return pd.read_csv(BytesIO(text), **how)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError, OverflowError) as error:
        files.broken_csv(name, 1, str(error).strip().splitlines()[0])


def _no_decimal_commas(table, name):
    """Say so if a column of text is made of numbers with decimal commas."""
    for column in table.columns:
        values = table[column].dropna()
        if pd.api.types.is_numeric_dtype(values) or values.empty:
            continue
        if all(COMMA_NUMBER.fullmatch(str(one)) for one in values.unique()):
            files.decimal_comma(name, column)
