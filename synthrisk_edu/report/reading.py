"""May I read this? A CSV file of any origin, read with care and never run.

A file is a stranger: it may be a workbook in disguise, in another encoding, with other separators,
with a row too short, or 10 GB long. Each of these is one clear sentence here, without a value of
the data: a message may be copied into a letter. Nothing in a file is ever executed or fetched, and
a formula in a cell is a row of characters, not a calculation.
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

from synthrisk_edu import checks
from synthrisk_edu.report.columns import common_columns, each_once
from synthrisk_edu.report.formats import no_rows, read_other
from synthrisk_edu.report.section import named, quoted

LIMIT = 200_000_000  # bytes; checked before anything is read
SEPARATORS = (",", ";", "\t", "|")
MOST_COLUMNS = 5_000
LONGEST_LINE = 1_000_000  # characters
ROWS_AT_ONCE = 200_000
TEXT_FOR_BYTES = 3  # different texts may take so many times the limit of the file
SAMPLE = 50  # rows that decide what the separator is
CODE = re.compile(r"\s*0\d+\s*")  # as in 01234, which is not 1234
LEADING_ZERO = re.compile(rb"(?<![\d.])0\d")
NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*")
COMMA_NUMBER = re.compile(r"\s*[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+\s*")

# How files that are often taken for a CSV begin, and what they are.
OTHER_FORMATS = {
    b"PK\x03\x04": "a zip archive or an Excel workbook (.xlsx)",
    b"PK\x05\x06": "an empty zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook (.xls)",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"PAR1": "a Parquet file",
    b"SQLite format 3": "an SQLite database",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"<!DOCTYPE": "a web page",
    b"<html": "a web page",
}


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
    how = {"separator": separator, "encoding": encoding, "decimal": decimal}
    how["limit"] = checks.number("limit", limit, 1, whole=True)
    pair = {"the confidential file": confidential, "the synthetic file": synthetic}
    return Tables(*read_tables(pair, **how))


def read_tables(sources, **how):
    """Read files by name, and check that they go together; see `read_table` for the arguments."""
    tables = [read_table(source, name=name, **how) for name, source in sources.items()]
    # What is a code such as 01234 in one file is a code in the others as well.
    how["codes"] = sorted({code for table in tables for code in table.attrs.get("codes", ())})
    for k, (name, source) in enumerate(sources.items()):
        if any(code in checks.numeric_names(tables[k], [tables[k]]) for code in how["codes"]):
            tables[k] = read_table(source, name=name, **how)
    labels = [name.removeprefix("the ").removesuffix(" file") for name in sources]
    common_columns(dict(zip(labels, tables, strict=True)))
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
    _texts_fit(text, name, separator, codes, shape[0], limit)
    table = _parse(text, name, separator, decimal or ".", codes, skip_blank=shape[1] > 1)
    if table.shape != shape:  # the two readers disagree: do not guess
        _broken(name, shape[0], "its quotation marks can be read in two ways")
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
        raise ValueError(
            f"{name} is a gzip archive that cannot be opened; pack it anew, or save it as CSV."
        ) from None
    _small_enough(name, len(unpacked), limit)
    return unpacked


def _bytes(source, name, limit):
    """The bytes of the file; its size is looked at first."""
    if isinstance(source, bytes | bytearray | memoryview):
        _small_enough(name, len(source), limit)
        return bytes(source)
    path = table_path(source, name)
    try:
        _small_enough(name, path.stat().st_size, limit)
        with open(path, "rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        _unreadable(name, error)
    _small_enough(name, len(data), limit)  # it may have grown in the meantime
    return data


def table_path(value, name):
    """Return the path of a file to read, if it names a file; an address of the web does not."""
    if not isinstance(value, str | Path):
        raise TypeError(
            f"{name} must be the path of a CSV file or its bytes, not {type(value).__name__}; a "
            "table that is already a data frame goes straight to risk_report."
        )
    try:
        path = Path(value).expanduser()
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(
            f"{name}: there is no file {quoted(path.name)} in that folder; check the path, "
            f"which begins at {'the root' if path.is_absolute() else 'the folder of the notebook'}."
        ) from None
    except (OSError, ValueError, RuntimeError) as error:  # a null byte, or far too long a name
        _unreadable(name, error)
    if path.is_dir():
        raise IsADirectoryError(f"{name} names a folder ({path.name}); name the CSV file in it.")
    if not path.is_file():
        raise ValueError(f"{name} is no ordinary file ({path.name}); name a CSV file.")
    return path


def _unreadable(name, error):
    """Raise: the system does not let us read the file, or it has just vanished."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    raise OSError(
        f"{name} cannot be read ({reason}); check its path and your rights, then try again."
    ) from None


def _small_enough(name, size, limit):
    """Raise unless the file is small enough; called before anything of it is read."""
    if size > limit:
        raise ValueError(
            f"{name} has {size / 1e6:,.1f} MB and the limit is {limit / 1e6:,.1f} MB; take a "
            "sample of the rows (the same rows of both files if they pair), for example with "
            "pandas.read_csv(path, nrows=100_000), or raise the limit with limit=."
        )


def _looks_like_csv(data, name, encoding):
    """Raise if the bytes are empty, or of a format that is no CSV."""
    if not data.strip(b"\xef\xbb\xbf \t\r\n"):
        raise ValueError(f"{name} is empty; it needs a line of column names and a row of values.")
    for start, what in OTHER_FORMATS.items():
        if data.startswith(start):
            raise ValueError(f"{name} is {what}, not a CSV file; open it and save it as CSV.")
    if str(encoding).lower().replace("_", "-").startswith(("utf-16", "utf-32")):
        return
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ValueError(f"{name} is in UTF-16; pass encoding='utf-16', or save it as UTF-8.")
    if (place := data.find(b"\0")) >= 0:
        raise ValueError(
            f"{name} holds a null byte (byte {place:,}), so it is damaged or no text; save it "
            "anew as CSV in UTF-8, or pass encoding='utf-16' if it is in that encoding."
        )


def _text(data, name, encoding):
    """The text in UTF-8, whatever the file is in: Python's own text may take four times as much."""
    _looks_like_csv(data, name, encoding)
    used = "utf-8-sig" if encoding is None else encoding
    try:
        text = data.decode(used).removeprefix("\ufeff").encode()
        return data if text == data else text  # one of the two is enough
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        line = data.count(b"\n", 0, start) + 1
        raise ValueError(
            f"{name} is not in {encoding or 'UTF-8'}: byte {start:,} (line {line:,}) does not fit; "
            "save it as UTF-8 (in Excel: 'CSV UTF-8'), or pass its encoding, often "
            "encoding='cp1252'."
        ) from None
    except (LookupError, TypeError, ValueError):
        raise ValueError(
            f"there is no text encoding {checks.show(encoding)}; use one such as 'utf-8', 'cp1252' "
            "or 'utf-16'."
        ) from None


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
        if len(line) > LONGEST_LINE:
            raise ValueError(
                f"line {number:,} of {name} has more than {LONGEST_LINE:,} characters; this is no "
                "table with one record a line, so check how it was saved."
            )
        yield line


def _rows(text, name, separator):
    """The rows of a text with their line numbers; a blank line is an empty row."""
    reader = csv.reader(_lines(text, name), delimiter=separator, strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        _broken(name, reader.line_num, error)


def _broken(name, number, error):
    """Raise: quotes do not close, or a field has no end."""
    raise ValueError(
        f"{name} cannot be split into fields near line {number:,} ({error}); most often a "
        "quotation mark is not closed, so look at that line."
    ) from None


def _shape(text, name, separator):
    """Check the header and that every row is as wide.

    Returns the numbers of rows and columns, and the columns with codes such as 01234. Blank lines
    are passed over; in a file of one column they are missing values.
    """
    rows = _rows(text, name, separator)
    names = next(row for _, row in rows if row)
    _check_header(name, names)
    count, codes = 0, set()
    look_for_codes = LEADING_ZERO.search(text)
    for line, row in rows:
        if row or len(names) == 1:
            row = row or [""]
            if len(row) != len(names):
                raise ValueError(
                    f"line {line:,} of {name} has {len(row):,} fields and the first line has "
                    f"{len(names):,}; mend that line, put text that holds the separator into "
                    "quotes, or pass separator=."
                )
            count += 1
            if look_for_codes:
                codes |= {j for j, value in enumerate(row) if CODE.fullmatch(value)}
    if not count:
        no_rows(name)
    return (count, len(names)), [names[j] for j in sorted(codes)]


def _check_header(name, names):
    """Raise unless the first line gives every column a name of its own."""
    if len(names) > MOST_COLUMNS:
        raise ValueError(
            f"{name} has {len(names):,} columns and the report can take {MOST_COLUMNS:,}; keep the "
            "columns that matter, or check the separator."
        )
    if all(NUMBER.fullmatch(one) for one in names):
        raise ValueError(
            f"the first line of {name} holds numbers only, so the column names seem to be "
            "missing; write them into a first line."
        )
    for place, one in enumerate(names, start=1):
        if not one.strip():
            raise ValueError(
                f"column {place} of {name} has no name in the first line (saved row numbers look "
                "like this); name it, or save the file without row numbers."
            )
    each_once(name, names)


def _texts_fit(text, name, separator, codes, rows, limit):
    """Raise if different texts in nearly every row would fill the memory; the first rows tell.

    As one of Python's texts a short word takes ten times the room that it has in the file.
    """
    if rows <= ROWS_AT_ONCE:
        return
    how = {"sep": separator, "index_col": False, "low_memory": False}
    try:
        first = pd.read_csv(
            BytesIO(text), nrows=ROWS_AT_ONCE, dtype=dict.fromkeys(codes, str), **how
        )
    except (ValueError, OverflowError):
        return  # `_parse` meets it too, and says it
    names = [one for one in first.select_dtypes("str") if first[one].nunique() > len(first) / 2]
    taken = rows * first[names].memory_usage(index=False, deep=True).sum() / len(first)
    if taken > TEXT_FOR_BYTES * limit:
        raise ValueError(
            f"nearly every row of {name} has a text of its own in {named(names)}, as identifiers "
            f"do, and {rows:,} rows of them would fill the memory; leave such columns out, or "
            "raise the limit with limit=."
        )


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
        _broken(name, 1, str(error).strip().splitlines()[0])


def _no_decimal_commas(table, name):
    """Raise if a column of text is made of numbers with decimal commas."""
    for column, values in table.select_dtypes(exclude="number").items():
        found = values[values.notna()]  # not `unique`: the first word settles it for most
        if len(found) and all(COMMA_NUMBER.fullmatch(str(one)) for one in found):
            raise ValueError(
                f"column {quoted(column)} of {name} seems to hold numbers with a decimal comma; "
                "pass decimal=',' to read them as numbers, or decimal='.' to keep them as text."
            )
