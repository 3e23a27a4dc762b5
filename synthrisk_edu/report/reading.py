"""May I read this file? With pandas, and with the options that you know it needs.

The end of the name says which function of pandas reads it; what is no other format is a CSV. All
options go to that function: sep=";", decimal=",", encoding="cp1252", dtype={"zip": str}. What
pandas would read wrongly, without a word, is one sentence here.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from synthrisk_edu import checks

READERS = {".parquet": pd.read_parquet, ".xlsx": pd.read_excel, ".dta": pd.read_stata}
READERS |= {".sav": pd.read_spss, ".zsav": pd.read_spss}
READERS |= {".sas7bdat": pd.read_sas, ".xpt": pd.read_sas}
DECIMAL_COMMA = re.compile(r"\s*[+-]?[\d.]+,\d+\s*")


def read_pair(
    confidential: str | Path, synthetic: str | Path | Sequence[str | Path], **options: object
) -> tuple[pd.DataFrame, pd.DataFrame | list[pd.DataFrame]]:
    """Read the confidential and the synthetic file, or a list of synthetic files.

    `options` are those of `pandas.read_csv` (or of its sister, for files of other programs), such
    as sep=";", decimal=",", encoding="cp1252", dtype={"zip": str}; they count for all files. Files
    that need different ones you read with pandas yourself: `risk_report` takes any data frames.
    """
    true = read_table(confidential, **options)
    if isinstance(synthetic, list | tuple):
        return true, [read_table(path, **options) for path in synthetic]
    return true, read_table(synthetic, **options)


def read_table(path: str | Path, **options: object) -> pd.DataFrame:
    """Read one file with pandas; see `read_pair`."""
    if not isinstance(path, str | Path):
        raise TypeError(f"name the path of a file, not {checks.type_of(path)}.")
    path = Path(path).expanduser()
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path.name!r} there; check the path.")
    is_csv = path.suffix.lower() not in READERS
    try:
        table = READERS.get(path.suffix.lower(), pd.read_csv)(path, **options)
    except ImportError:  # pandas says which package is missing
        raise
    except UnicodeError:
        encoding = options.get("encoding", "UTF-8")
        raise ValueError(
            f"{path.name} is not in {encoding}; name its encoding, often encoding='cp1252'."
        ) from None
    except Exception as error:  # each reader has errors of its own
        what = str(error).strip().partition("\n")[0].rstrip(".") or "no table"
        raise ValueError(
            f"{path.name} cannot be read ({what}); name what is special about it, such as sep=';', "
            "or save it anew."
        ) from None
    if is_csv:
        _check_csv(path.name, table, options)
    table.attrs = {"file": str(path), "options": options, "as_read": fingerprint(table)}
    return table


def _check_csv(name, table, options):
    """Say what pandas reads without a word: another separator, a wide row, a decimal comma."""
    if len(table.columns) == 1:
        only = checks.show(table.columns[0])
        raise ValueError(f"{name} has one column only, {only}: name the separator, as sep=';'.")
    if "index_col" not in options and not isinstance(table.index, pd.RangeIndex):
        raise ValueError(f"the rows of {name} have more fields than its first line has names.")
    for column in table.select_dtypes(exclude="number").columns if "decimal" not in options else []:
        texts = table[column].dropna().astype(str)
        if len(texts) and texts.head(100).map(DECIMAL_COMMA.fullmatch).notna().all():
            raise ValueError(
                f"column {checks.show(column)} of {name} seems to hold numbers with a decimal "
                "comma; pass decimal=',' to read them as numbers, or decimal='.' if it is text."
            )


def fingerprint(table):
    """Return a number that is another one as soon as a value or a type of a table is changed."""
    rows = pd.util.hash_pandas_object(table).to_numpy().tobytes()
    return hash((rows, tuple(map(str, table.dtypes)), tuple(map(str, table.columns))))
