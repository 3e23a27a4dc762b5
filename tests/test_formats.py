"""Files of other programs: each is written by its own library, and read as the same table.

The libraries are those of the extra `formats`; where one is missing, its test is skipped.
"""

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu.report import read_table

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
    version = 5 if "5" in path.name else 8
    writer = pytest.importorskip("pyreadstat")
    writer.write_xport(TABLE.replace("Ærø", "Oslo"), path, file_format_version=version)


def write_stata(path):
    TABLE.to_stata(path, write_index=False, version=118)


def write_rds(path):
    pytest.importorskip("rdata").write_rds(path, _for_r())


def write_rda(path):
    pytest.importorskip("rdata").write_rda(path, {"note": "a text", "table": _for_r()})


def _for_r():
    """The table with text as R's writer takes it."""
    return TABLE.assign(town=TABLE.town.astype("category"))


WRITERS = {
    "t.parquet": write_parquet,
    "t.xlsx": write_excel,
    "t.sav": write_spss,
    "t.zsav": write_spss,
    "t5.xpt": write_sas,
    "t8.xpt": write_sas,
    "t.dta": write_stata,
    "t.rds": write_rds,
    "t.rda": write_rda,
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_is_read_as_the_table_it_was(tmp_path, name):
    WRITERS[name](tmp_path / name)
    table = read_table(tmp_path / name)
    expected = TABLE.replace("Ærø", "Oslo") if name.endswith(".xpt") else TABLE
    assert list(table.columns) == list(expected.columns)
    assert table.town.astype(str).tolist() == expected.town.tolist()
    for column in ("age", "income"):
        assert table[column].to_numpy(dtype=float, na_value=np.nan) == pytest.approx(
            expected[column].to_numpy(), nan_ok=True
        )
    made = sr.risk_report(table, table[::-1].reset_index(drop=True), progress=False)
    assert "This is the confidential table itself" in made.text("attention")
    assert made.tables["sources"].file[0] == name


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_is_something_else_is_one_sentence(tmp_path, name):
    (tmp_path / name).write_bytes(b"this is no table")
    with pytest.raises((ValueError, ImportError), match=r"cannot be read as|pip install"):
        read_table(tmp_path / name)


def test_an_r_file_without_a_table_is_said(tmp_path):
    pytest.importorskip("rdata").write_rds(tmp_path / "t.rds", np.array([1.0, 2.0]))
    with pytest.raises(ValueError, match="holds no table"):
        read_table(tmp_path / "t.rds")


def test_an_old_workbook_is_named_for_what_it_is(tmp_path):
    (tmp_path / "t.xls").write_bytes(b"\xd0\xcf\x11\xe0" + b"x" * 100)
    with pytest.raises(ValueError, match=r"an old Excel workbook \(.xls\), not a CSV file"):
        read_table(tmp_path / "t.xls")
