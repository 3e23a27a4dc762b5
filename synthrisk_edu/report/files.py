"""May this file be read, or written? What is no table, and places where nothing can be saved.

No sentence here repeats a value of the data: a message may be copied into a letter.
"""

import re
from collections import Counter
from pathlib import Path

from synthrisk_edu.checks import show

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
NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*")
SHOWN = 40  # characters of a column name that a sentence repeats


def shortened(name):
    """Return a column name as a sentence shows it: on one line, and not endless.

    >>> shortened("Age"), len(shortened("x" * 1000))
    ("'Age'", 43)
    """
    text = str(name)
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "…")


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
            f"{name}: there is no file {shortened(path.name)} in that folder; check the path, "
            f"which begins at {'the root' if path.is_absolute() else 'the folder of the notebook'}."
        ) from None
    except (OSError, ValueError, RuntimeError) as error:  # a null byte, or far too long a name
        unreadable_table(name, error)
    if path.is_dir():
        raise IsADirectoryError(f"{name} names a folder ({path.name}); name the CSV file in it.")
    if not path.is_file():
        raise ValueError(f"{name} is no ordinary file ({path.name}); name a CSV file.")
    return path


def unreadable_table(name, error):
    """Raise: the system does not let us read the file, or it has just vanished."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    raise OSError(
        f"{name} cannot be read ({reason}); check its path and your rights, then try again."
    ) from None


def table_size(name, size, limit):
    """Raise unless the file is small enough; called before anything of it is read."""
    if size > limit:
        raise ValueError(
            f"{name} has {size / 1e6:,.1f} MB and the limit is {limit / 1e6:,.1f} MB; take a "
            "sample of the rows (the same rows of both files if they pair), for example with "
            "pandas.read_csv(path, nrows=100_000), let DuckDB count it (count_file, --count), or "
            "raise the limit with limit=."
        )


def csv_bytes(data, name, encoding):
    """Raise if the bytes are empty, or of a format that is no CSV."""
    if not data.strip(b"\xef\xbb\xbf \t\r\n"):
        raise ValueError(f"{name} is empty; it needs a line of column names and a row of values.")
    for start, what in OTHER_FORMATS.items():
        if data.startswith(start):
            raise ValueError(f"{name} is {what}, not a CSV file; open it and save it as CSV.")
    wide = str(encoding).lower().replace("_", "-").startswith(("utf-16", "utf-32"))
    if wide:
        return
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ValueError(f"{name} is in UTF-16; pass encoding='utf-16', or save it as UTF-8.")
    place = data.find(b"\0")
    if place >= 0:
        raise ValueError(
            f"{name} holds a null byte (byte {place:,}), so it is damaged or no text; save it "
            "anew as CSV in UTF-8, or pass encoding='utf-16' if it is in that encoding."
        )


def no_reader(name, what, package):
    """Raise: the package that reads this kind of file is not installed."""
    raise ImportError(
        f"{name} is {what}, and this needs {package}, which is not here; install it with "
        f"`python -m pip install {package}`, or save the file as CSV."
    )


def broken_format(name, what, error):
    """Raise: the file is not what its name says."""
    kind = type(error).__name__
    raise ValueError(
        f"{name} cannot be read as {what} ({kind}); it is damaged or something else, so save it "
        "anew, or as CSV."
    ) from None


def one_table(name, value):
    """Return the table a file held, if it held one with names."""
    if value is None:
        raise ValueError(f"{name} holds no table; save the data frame alone, or as CSV.")
    return value


def broken_gzip(name):
    """Raise: the file begins like a gzip archive and is none."""
    raise ValueError(
        f"{name} is a gzip archive that cannot be opened; pack it anew, or save it as CSV."
    ) from None


def wrong_encoding(name, encoding, data, error):
    """Raise: the bytes are not in this encoding; say where and what to do."""
    start = getattr(error, "start", 0)
    line = data.count(b"\n", 0, start) + 1
    raise ValueError(
        f"{name} is not in {encoding}: byte {start:,} (line {line:,}) does not fit; save it as "
        "UTF-8 (in Excel: 'CSV UTF-8'), or pass its encoding, often encoding='cp1252'."
    ) from None


def unknown_encoding(encoding):
    """Raise: Python has no text encoding of this name."""
    raise ValueError(
        f"there is no text encoding {show(encoding)}; use one such as 'utf-8', 'cp1252' or "
        "'utf-16'."
    ) from None


def line_length(name, number, length, most):
    """Raise if a line is so long that the file can hardly be a table."""
    if length > most:
        raise ValueError(
            f"line {number:,} of {name} has more than {most:,} characters; this is no table with "
            "one record a line, so check how it was saved."
        )


def broken_csv(name, number, error):
    """Raise: quotes do not close, or a field has no end."""
    raise ValueError(
        f"{name} cannot be split into fields near line {number:,} ({error}); most often a "
        "quotation mark is not closed, so look at that line."
    ) from None


def header_line(name, names, most):
    """Raise unless the first line gives every column a name of its own."""
    if len(names) > most:
        raise ValueError(
            f"{name} has {len(names):,} columns and the report can take {most:,}; keep the "
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
    twice = [one for one, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(
            f"{name} has more than one column named {shortened(twice[0])}; rename them so that "
            "each name stands once."
        )


def row_width(name, number, found, wanted):
    """Raise unless a row has as many fields as there are columns."""
    if found != wanted:
        raise ValueError(
            f"line {number:,} of {name} has {found:,} fields and the first line has {wanted:,}; "
            "mend that line, put text that holds the separator into quotes, or pass separator=."
        )


def some_rows(name, rows):
    """Raise if there is a header and nothing below it."""
    if rows == 0:
        raise ValueError(f"{name} has column names and no rows; it needs at least one record.")


def decimal_comma(name, column):
    """Raise: a column holds numbers such as 12,5."""
    raise ValueError(
        f"column {shortened(column)} of {name} seems to hold numbers with a decimal comma; pass "
        "decimal=',' to read them as numbers, or decimal='.' to keep them as text."
    )


def report_paths(value, stem):
    """Return the paths of the page and of the numbers, from a folder or a name in .html."""
    if not isinstance(value, str | Path):
        raise TypeError(
            f"save needs a folder, or a file name that ends with .html, not {type(value).__name__}."
        )
    try:
        path = Path(value).expanduser()
        is_folder, has_folder = path.is_dir(), path.parent.is_dir()
    except (OSError, ValueError, RuntimeError) as error:  # a null byte, or far too long a name
        not_saved(Path(value), error)
    if is_folder:
        return path / f"{stem}.html", path / f"{stem}.csv"
    if path.suffix.lower() != ".html":
        raise ValueError(
            f"{path.name!r} is neither a folder that exists nor a file name that ends with .html; "
            "make the folder first, or add .html."
        )
    if not has_folder:
        raise FileNotFoundError(
            f"there is no folder {path.parent.name!r} to save {path.name!r} in; make it first."
        )
    return path, path.with_suffix(".csv")


def no_dangling_link(path):
    """Raise if the name is a link that leads nowhere."""
    if path.is_symlink() and not path.exists():
        raise OSError("it is a link to a file that does not exist")


def already_there(paths):
    """Raise if one of the files exists: nothing is overwritten unasked."""
    for path in paths:
        if path.exists():
            raise FileExistsError(
                f"{path.name!r} exists already; choose another name, or pass overwrite=True."
            )


def not_saved(path, error):
    """Raise: the system does not let us write there."""
    reason = getattr(error, "strerror", None) or str(error)
    raise OSError(
        f"{shortened(path.name)} cannot be written ({reason}); choose another folder or name."
    ) from None
