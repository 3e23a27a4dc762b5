"""Files of other programs: each is written by its own library, and read as the same table.

The libraries are those of the extra `formats`; where one is missing, its test is skipped.
"""

import gzip

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu.report import read_files, reading

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
    (table,) = read_files([tmp_path / name])
    expected = TABLE.replace("Ærø", "Oslo") if name.endswith(".xpt") else TABLE
    assert list(table.columns) == list(expected.columns)
    assert table.town.astype(str).tolist() == expected.town.tolist()
    for column in ("age", "income"):
        assert table[column].to_numpy(dtype=float, na_value=np.nan) == pytest.approx(
            expected[column].to_numpy(), nan_ok=True
        )
    made = sr.risk_report(table, table[::-1].reset_index(drop=True))
    assert "This is the confidential table itself" in made.look_at[0] and name in made.html


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_is_something_else_is_one_sentence(tmp_path, name):
    (tmp_path / name).write_bytes(b"this is no table")
    with pytest.raises((ValueError, ImportError), match=r"cannot be read as|pip install"):
        read_files([tmp_path / name])


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    def missing(path):
        raise ImportError("pyarrow")

    monkeypatch.setitem(reading.OTHERS, ".parquet", ("a Parquet file", missing))
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    with pytest.raises(ImportError, match=r"pip install synthrisk_edu\[formats\]"):
        read_files([tmp_path / "t.parquet"])


# ------------------------------------------------------------------------------------- CSV


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_separator_and_mark_are_found_out(separator, encoding):
    text = "Ort,Preis\nÆrø,1.5\nBonn,2.5\n".replace(",", separator)
    table = sr.read_pair(text.encode(encoding), text.encode(encoding)).confidential
    assert list(table) == ["Ort", "Preis"] and table.Preis.tolist() == [1.5, 2.5]


def test_decimal_commas_and_other_encodings_are_read_when_named():
    data = "Ort;Preis\nÆrø;1,5\n".encode("cp1252")
    how = {"encoding": "cp1252", "decimal": ","}
    table = sr.read_pair(data, data, **how).synthetic
    assert table.Preis.item() == 1.5 and table.Ort.item() == "Ærø"


def test_a_code_stays_text_in_all_files():
    ours, made = sr.read_pair(b"zip,x\n01234,1\n99999,2\n", b"zip,x\n12345,1\n23456,2\n")
    assert ours.zip.tolist() == ["01234", "99999"] and made.zip.tolist() == ["12345", "23456"]
    assert ours.x.tolist() == [1, 2]


def test_several_synthetic_files_and_gzip():
    data = gzip.compress(b"x,y\n1,2\n")
    pair = sr.read_pair(data, [data, data])
    assert isinstance(pair.synthetic, list) and pair.synthetic[1].y.item() == 2


WRONG = {
    b"Sex,Job\nF,cook\nM\n": "line 3 of the synthetic file has 1 fields",
    b"Sex,Job,Sex\nF,cook,F\n": "more than one column named 'Sex'",
    b"1,2\n3,4\n": "column names seem to be missing",
    b"Sex,,Job\nF,1,cook\n": "column 2 of the synthetic file has no name",
    b'Sex,Job\nF,"cook\n': "a quotation mark is not closed",
    b"Sex,Job\n": "has column names and no rows",
    b"PK\x03\x04 and so on": "is no text",
    b"Town\nA\n": "have no column name in common",
}


@pytest.mark.parametrize("data", WRONG)
def test_a_strange_file_is_one_sentence(data):
    with pytest.raises(ValueError, match=WRONG[data]):
        sr.read_pair(b"Sex,Job\nF,cook\n", data)
