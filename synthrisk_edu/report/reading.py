"""May I read this? By the end of its name, with pandas; and for CSV what people need.

A CSV file does not say how it is written: which separator, which decimal sign, which encoding, and
whether 01234 is a number. What can be found out is found out, and what cannot is one sentence. No
sentence holds a value of the data. Nothing in a file is ever run or fetched.
"""

import csv
import gzip
import hashlib
import re
from collections.abc import Sequence
from io import BytesIO, StringIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.report.columns import common_columns, each_once

SEPARATORS = (",", ";", "\t", "|")
FIRST = 50  # rows that decide what the separator is
CODE = re.compile(r"\s*0\d+\s*")  # as in 01234, which is not 1234
NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?\s*")
COMMA_NUMBER = re.compile(r"\s*[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+\s*")
OTHERS = {  # how a name ends: what it is, how it is read, and what else that needs
    ".parquet": ("a Parquet file", pd.read_parquet),
    ".xlsx": ("an Excel workbook", pd.read_excel),
    ".dta": ("a Stata file", pd.read_stata),
    ".sav": ("an SPSS file", pd.read_spss),
    ".zsav": ("an SPSS file", pd.read_spss),
    ".sas7bdat": ("a SAS file", lambda path: pd.read_sas(path, encoding="infer")),
    ".xpt": ("a SAS file", lambda path: pd.read_sas(path, encoding="utf-8")),
}


class Tables(NamedTuple):
    """The tables of a report; `synthetic` is a list if several files were named."""

    confidential: pd.DataFrame
    synthetic: pd.DataFrame | list


def read_pair(
    confidential: str | Path,
    synthetic: str | Path | Sequence[str | Path],
    *,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
) -> "Tables":
    r"""Read the confidential and the synthetic file, or a list of synthetic files.

    A file is given by its path, or as the bytes of a CSV. By the end of its name it may be one of
    Parquet, Excel, Stata, SPSS or SAS; any other file is taken for a CSV.

    Args:
        confidential: the true data.
        synthetic: the released data: one file or a list of files.
        separator: "," ";" tab or "|"; by default found out from the first lines.
        encoding: by default UTF-8.
        decimal: "." or ","; by default a point, and a column with decimal commas is an error.

    >>> pair = read_pair(b"Sex,Job\nF,cook\nM,nurse", b"Sex;Job\nF;nurse\nM;nurse")
    >>> pair.synthetic.Job.tolist()
    ['nurse', 'nurse']
    """
    several = isinstance(synthetic, list | tuple)
    sources = [confidential, *(synthetic if several else [synthetic])]
    ours, *made = read_files(sources, separator=separator, encoding=encoding, decimal=decimal)
    return Tables(ours, made if several else made[0])


def read_files(sources, *, separator=None, encoding=None, decimal=None):
    """Read the confidential file, the synthetic ones and perhaps a control; see `read_pair`.

    Returns a list of frames. What is a code such as 01234 in one of them is a code in all.
    """
    checks.one_of("separator", separator, (None, *SEPARATORS))
    checks.one_of("decimal", decimal, (None, ".", ","))
    names = ["the confidential file", *(f"file {k}" for k in range(2, len(sources) + 1))]
    names = [*names[:1], "the synthetic file"] if len(sources) == 2 else names
    files = [_File(one, name) for one, name in zip(sources, names, strict=True)]
    codes = set()
    for file in files:
        if file.is_csv:
            codes |= file.look(separator, encoding)
    tables = [file.read(sorted(codes), decimal) for file in files]
    common_columns(dict(zip(names, tables, strict=True)))
    how = {"separator": separator, "encoding": encoding, "decimal": decimal}
    how = {name: value for name, value in how.items() if value is not None}
    for file, one in zip(files, tables, strict=True):
        one.attrs = {"file": file.path and str(file.path), "sha256": file.checksum, "how": how}
        one.attrs |= {"rows": len(one), "columns": list(map(str, one.columns))}
    return tables


class _File:
    """One file on its way to a frame."""

    def __init__(self, source, name):
        """Look at the path, and read the bytes."""
        self.name, self.path, self.data = name, None, source
        if not isinstance(source, bytes | bytearray | memoryview):
            self.path = file_path(source, name)
            self.data = self.path.read_bytes()
        self.data = bytes(self.data)
        self.checksum = hashlib.sha256(self.data).hexdigest()
        self.is_csv = self.path is None or self.path.suffix.lower() not in OTHERS

    def look(self, separator, encoding):
        """Find out how a CSV is written; return its columns with codes such as 01234."""
        self.text = _text(self.data, self.name, encoding)
        self.separator = separator or _separator(self.text)
        return self._check_rows()

    def read(self, codes, decimal):
        """Return the frame."""
        if not self.is_csv:
            return _read_other(self.path, self.name)
        how = {"sep": self.separator, "decimal": decimal or ".", "dtype": dict.fromkeys(codes, str)}
        how |= {"skip_blank_lines": not self.one_column, "low_memory": False, "index_col": False}
        try:
            frame = pd.read_csv(StringIO(self.text), **how)
        except (ValueError, OverflowError) as error:
            raise ValueError(f"{self.name} cannot be read as CSV ({_first(error)}).") from None
        if decimal is None:
            _no_decimal_commas(frame, self.name)
        return frame

    def _check_rows(self):
        """Every column has a name, every row is as wide; return the columns with codes."""
        rows = csv.reader(StringIO(self.text), delimiter=self.separator, strict=True)
        codes, count = set(), 0
        try:
            header = next(row for row in rows if row)
            _check_header(self.name, header)
            self.one_column = len(header) == 1
            for row in rows:
                if row and len(row) != len(header):
                    raise ValueError(
                        f"line {rows.line_num:,} of {self.name} has {len(row):,} fields and the "
                        f"first line has {len(header):,}; mend that line, put text that holds the "
                        "separator into quotes, or name the separator with separator=."
                    )
                count += bool(row) or self.one_column
                codes |= {name for name, x in zip(header, row, strict=False) if _is_code(x)}
        except csv.Error as error:
            raise ValueError(
                f"{self.name} cannot be split into fields near line {rows.line_num:,} ({error}); "
                "most often a quotation mark is not closed."
            ) from None
        if not count:
            raise ValueError(f"{self.name} has column names and no rows; it needs a record.")
        return codes


def file_path(source, name):
    """Return the path of a file that is there."""
    if not isinstance(source, str | Path):
        raise TypeError(
            f"{name} must be the path of a file or its bytes, not {checks.type_of(source)}; a "
            "table that is already a data frame goes straight to risk_report."
        )
    path = Path(source).expanduser()
    if path.is_dir():
        raise IsADirectoryError(f"{name} names a folder ({path.name}); name the file in it.")
    if not path.exists():
        raise FileNotFoundError(f"{name}: there is no file {path.name!r} there; check the path.")
    return path


def _read_other(path, name):
    """The table in a file of another program."""
    what, read = OTHERS[path.suffix.lower()]
    try:
        found = read(path)
    except ImportError:
        raise ImportError(
            f"{name} is {what}, which needs one more package: install it with `python -m pip "
            "install synthrisk_edu[formats]`, or save the file as CSV."
        ) from None
    except Exception as error:  # each reader has errors of its own
        raise ValueError(
            f"{name} cannot be read as {what} ({type(error).__name__}); save it anew, or as CSV."
        ) from None
    if not len(found):
        raise ValueError(f"{name} has column names and no rows; it needs a record.")
    return found


def _text(data, name, encoding):
    """The text of a CSV; it may be packed with gzip."""
    if data.startswith(b"\x1f\x8b"):
        data = gzip.GzipFile(fileobj=BytesIO(data)).read()
    utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if encoding is None and utf_16:
        raise ValueError(f"{name} is in UTF-16; pass encoding='utf-16', or save it as UTF-8.")
    if not utf_16 and (b"\0" in data or data.startswith(b"PK\x03\x04")):
        raise ValueError(f"{name} is no text, as a workbook is none; open it and save it as CSV.")
    try:
        text = data.decode(encoding or "utf-8-sig").lstrip("\ufeff\r\n")
    except UnicodeError as error:
        line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
        raise ValueError(
            f"{name} is not in {encoding or 'UTF-8'} (line {line:,}); save it as UTF-8, or name "
            "its encoding, often encoding='cp1252'."
        ) from None
    except LookupError:
        raise ValueError(f"there is no encoding {encoding!r}; often it is 'cp1252'.") from None
    if text.startswith("<"):
        raise ValueError(f"{name} is a web page, not a CSV file; save the table itself.")
    if not text.strip():
        raise ValueError(f"{name} is empty; it needs a line of column names and a row of values.")
    return text


def _separator(text):
    r"""The separator that splits the first rows alike, into the most fields.

    >>> _separator("Sex;Income\nF;10,5\nM;12,5\n")
    ';'
    """
    lines = list(islice((line for line in StringIO(text) if line.strip()), FIRST))

    def alike(separator):
        widths = {len(row) for row in csv.reader(lines, delimiter=separator)}
        return min(widths) if len(widths) == 1 else 1

    best = max(SEPARATORS, key=alike)
    return best if alike(best) > 1 else max(SEPARATORS, key=lines[0].count)


def _check_header(name, header):
    """The first line gives every column a name of its own."""
    if all(NUMBER.fullmatch(one) for one in header):
        raise ValueError(
            f"the first line of {name} holds numbers only, so the column names seem to be "
            "missing; write them into a first line."
        )
    for place, one in enumerate(header, start=1):
        if not one.strip():
            raise ValueError(
                f"column {place} of {name} has no name in the first line (saved row numbers look "
                "like this); name it, or save the file without row numbers."
            )
    each_once(name, header)


def _is_code(text):
    """Say whether a field is a code such as 01234."""
    return text[:1] in "0 \t" and CODE.fullmatch(text) is not None


def _no_decimal_commas(frame, name):
    """No column of text is made of numbers with decimal commas."""
    for column, values in frame.select_dtypes(exclude="number").items():
        found = values[values.notna()]
        if len(found) and all(COMMA_NUMBER.fullmatch(str(one)) for one in found):
            raise ValueError(
                f"column {checks.show(column)} of {name} seems to hold numbers with a decimal "
                "comma; pass decimal=',' to read them as numbers, or decimal='.' to keep the text."
            )


def _first(error):
    """The first line of an error of pandas."""
    return str(error).strip().splitlines()[0]
