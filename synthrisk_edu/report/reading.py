"""May I read this file? With pandas, and with the options that you know it needs.

The end of the name says which function of pandas reads it; what is no other format is a CSV. All
options go to that function: sep=";", decimal=",", encoding="cp1252", dtype={"zip": str}. Nothing is
found out. What pandas would read without a word, and wrongly, is one sentence here.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from synthrisk_edu import checks

READERS = {
    ".parquet": pd.read_parquet,
    ".xlsx": pd.read_excel,
    ".dta": pd.read_stata,
    ".sav": pd.read_spss,
    ".zsav": pd.read_spss,
    ".sas7bdat": pd.read_sas,
    ".xpt": pd.read_sas,
}
DECIMAL_COMMA = re.compile(r"\s*[+-]?[\d.]+,\d+\s*")


class Tables(NamedTuple):
    """The tables of a report; `synthetic` is a list if several files were named."""

    confidential: pd.DataFrame
    synthetic: pd.DataFrame | list


def read_pair(
    confidential: str | Path, synthetic: str | Path | Sequence[str | Path], **options: object
) -> "Tables":
    """Read the confidential and the synthetic file, or a list of synthetic files.

    `options` are those of `pandas.read_csv` (or of its sister, for files of other programs), such
    as sep=";", decimal=",", encoding="cp1252", dtype={"zip": str}; they count for all files. Files
    that need different ones you read with pandas yourself: `risk_report` takes any data frames.
    """
    if isinstance(synthetic, list | tuple):
        return Tables(
            read_table(confidential, **options), [read_table(one, **options) for one in synthetic]
        )
    return Tables(read_table(confidential, **options), read_table(synthetic, **options))


def read_table(path: str | Path, **options: object) -> pd.DataFrame:
    """Read one file with pandas; see `read_pair`."""
    if not isinstance(path, str | Path):
        raise TypeError(f"name the path of a file, not {checks.type_of(path)}.")
    path = Path(path).expanduser()
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path.name!r} there; check the path.")
    is_csv = path.suffix.lower() not in READERS
    read = pd.read_csv if is_csv else READERS[path.suffix.lower()]
    try:
        table = read(path, **options)
    except UnicodeError:
        raise ValueError(
            f"{path.name} is not in {options.get('encoding', 'UTF-8')}; name its encoding, often "
            "encoding='cp1252'."
        ) from None
    except ImportError:
        raise  # pandas says which package is missing
    except Exception as error:  # each reader has errors of its own
        first_line = str(error).strip().splitlines()[0] if str(error).strip() else "no table"
        raise ValueError(
            f"{path.name} cannot be read ({first_line.rstrip('.')}); name what is special about "
            "it, such as sep=';', or save it anew."
        ) from None
    if is_csv:
        _is_read_rightly(path.name, table, options)
    table.attrs = {"file": str(path), "options": dict(options)}
    table.attrs["as_read"] = fingerprint(table)
    return table


def _is_read_rightly(name, table, options):
    """Raise one sentence for what pandas reads without a word: separator, decimal comma, index."""
    if len(table.columns) == 1:
        raise ValueError(
            f"{name} has one column only, {checks.show(table.columns[0])}: name the separator, "
            "such as sep=';'."
        )
    if not isinstance(table.index, pd.RangeIndex) and options.get("index_col") is None:
        raise ValueError(f"the rows of {name} have more fields than its first line has names.")
    for column in table.select_dtypes(exclude="number").columns:
        texts = table[column].dropna().head(100)
        if (
            "decimal" not in options
            and len(texts)
            and all(DECIMAL_COMMA.fullmatch(str(text)) for text in texts)
        ):
            raise ValueError(
                f"column {checks.show(column)} of {name} seems to hold numbers with a decimal "
                "comma; pass decimal=',' to read them as numbers, or decimal='.' if it is text."
            )


def fingerprint(table):
    """Return a number that is another one as soon as a value or a type of a table is changed.

    >>> table = pd.DataFrame({"Age": [1, 2]})
    >>> fingerprint(table) == fingerprint(table.copy()), fingerprint(table) == fingerprint(-table)
    (True, False)
    """
    values = pd.util.hash_pandas_object(table).to_numpy().tolist()
    return hash((tuple(values), tuple(map(str, table.dtypes)), tuple(table.columns)))
