"""Files of other programs: each is written by its own library, and read as the same table.

The libraries are those of the extra `formats`; where one is missing, its test is skipped.
"""

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu.report import read_pair, read_table

TABLE = pd.DataFrame(
    {
        "age": [31.0, 58, np.nan, 44] * 10,
        "town": ["Aarhus", "Bonn", "Cork", "Ærø"] * 10,
        "income": [1250.5, 0, 99_999, 42] * 10,
    }
)


def write_parquet(path):
    pytest.importorskip("pyarrow")
    TABLE.to_parquet(path)


def write_excel(path):
    pytest.importorskip("openpyxl")
    TABLE.to_excel(path, index=False)


def write_spss(path):
    pytest.importorskip("pyreadstat").write_sav(TABLE, path)


def write_sas(path):
    writer = pytest.importorskip("pyreadstat")
    writer.write_xport(TABLE.replace("Ærø", "Oslo"), path, file_format_version=5)


def write_stata(path):
    TABLE.to_stata(path, write_index=False, version=118)


WRITERS = {
    "t.parquet": write_parquet,
    "t.xlsx": write_excel,
    "t.sav": write_spss,
    "t.zsav": write_spss,
    "t5.xpt": write_sas,
    "t.dta": write_stata,
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_is_read_as_the_table_it_was(tmp_path, name):
    WRITERS[name](tmp_path / name)
    options = {"encoding": "utf-8"} if name.endswith(".xpt") else {}
    table = read_table(tmp_path / name, **options)
    expected = TABLE.replace("Ærø", "Oslo") if name.endswith(".xpt") else TABLE
    assert list(table.columns) == list(expected.columns)
    assert table.town.astype(str).tolist() == expected.town.tolist()
    for column in ("age", "income"):
        assert table[column].to_numpy(dtype=float, na_value=np.nan) == pytest.approx(
            expected[column].to_numpy(), nan_ok=True
        )
    roles = {"keys": ["town"], "targets": ["age", "income"]}
    saved = sr.risk_report(table, table[::-1].reset_index(drop=True), **roles)
    assert name in saved.cells["parameters"].source


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_is_something_else_is_one_sentence(tmp_path, name):
    (tmp_path / name).write_bytes(b"this is no table")
    with pytest.raises((ValueError, ImportError), match=r"cannot be read|[Ii]nstall"):
        read_table(tmp_path / name)


# ------------------------------------------------------------------------------------- CSV


def written(folder, data):
    """The path of a CSV with this content."""
    path = folder / "table.csv"
    path.write_bytes(data)
    return path


def test_the_options_are_those_of_pandas(tmp_path):
    path = written(tmp_path, "Ort;Preis;zip\nÆrø;1,5;01234\n".encode("cp1252"))
    options = {"sep": ";", "encoding": "cp1252", "decimal": ",", "dtype": {"zip": str}}
    ours, made = read_pair(path, [path, path], **options)
    assert ours.Preis.item() == 1.5 and made[1].zip.item() == "01234" and ours.Ort.item() == "Ærø"
    assert ours.attrs["options"] == options


WRONG = {
    b"Sex;Job\nF;cook\n": r"has one column only, 'Sex;Job': name the separator, as sep=';'",
    b"Sex;Income\nF;10,5\nM;12,5\n": r"one column only",
    b'Sex,Income\nF,"10,5"\nM,"-1.012,5"\n': r"'Income' of table.csv .* decimal comma; pass dec",
    "Straße,Job\nA,cook\n".encode("cp1252"): r"is not in UTF-8; .* encoding='cp1252'",
    b"Sex,Job\nF,cook,1\nM,nurse,2\n": r"more fields than its first line",
    b"Sex,Job\nF,cook\nM,nurse,2\n": r"table.csv cannot be read \(Error tokenizing",
    b"": r"table.csv cannot be read \(No columns",
}


@pytest.mark.parametrize("data", WRONG)
def test_a_strange_file_is_one_sentence(tmp_path, data):
    with pytest.raises(ValueError, match=WRONG[data]) as caught:
        read_table(written(tmp_path, data))
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)


def test_a_text_of_commas_is_read_when_decimal_is_named(tmp_path):
    path = written(tmp_path, b'Sex,Pair\nF,"1,2"\nM,"3,4"\n')
    assert read_table(path, decimal=".").Pair.tolist() == ["1,2", "3,4"]


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(FileNotFoundError, match=r"there is no file 'nowhere.csv' there"):
        read_table("nowhere.csv")
    with pytest.raises(TypeError, match="name the path of a file, not a DataFrame"):
        read_table(TABLE)
