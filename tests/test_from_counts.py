"""From counts the same answers as from records: tables of any size need only their cells."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr

NAMES = ["sex", "age", "town"]


def random_file(rng):
    """A small file with missing values of every kind."""
    n = int(rng.integers(1, 40))
    return pd.DataFrame(
        {
            "sex": rng.choice(["F", "M", None], n),
            "age": rng.choice([20.0, 30.0, 40.0, np.nan], n),
            "town": pd.array(rng.choice([1, 2, 3], n), dtype="Int64"),
        }
    ).assign(town=lambda data: data.town.mask(data.town == 3))


def count_rows(data, rng=None):
    """Count as a database does; a cell may come in two rows, and some rows may count nobody."""
    counts = data.groupby(NAMES, dropna=False).size().rename("count").reset_index()
    if rng is None:
        return counts
    part = (counts["count"] * rng.random(len(counts))).astype(int)
    return pd.concat([counts.assign(count=part), counts.assign(count=counts["count"] - part)])


@pytest.fixture(params=range(25))
def files(request):
    rng = np.random.default_rng(request.param)
    return rng, [random_file(rng) for _ in range(3)]


def test_copies(files):
    rng, (original, synthetic, control) = files
    for columns in (None, ["sex"], ["age", "town"]):
        expected = sr.copies(original, synthetic, columns=columns, control=control)
        for split in (None, rng):
            counts = [count_rows(file, split) for file in (original, synthetic, control)]
            found = sr.copies_from_counts(*counts[:2], columns=columns, control_counts=counts[2])
            pd.testing.assert_frame_equal(found, expected)


def test_floor(files):
    rng, (confidential, _, _) = files
    for known in (NAMES, ["sex", "town"], []):
        expected = sr.floor(confidential, known).summary()
        for split in (None, rng):
            found = sr.floor_from_counts(count_rows(confidential, split), known)
            pd.testing.assert_series_equal(found, expected)


@pytest.mark.parametrize("wrong", [-1, 0.5, "two", None])
def test_a_wrong_count_gets_one_sentence(wrong):
    counts = count_rows(random_file(np.random.default_rng(1)))
    bad = counts.assign(count=wrong)
    for call in (
        lambda: sr.copies_from_counts(counts, bad),
        lambda: sr.floor_from_counts(bad, NAMES),
    ):
        with pytest.raises(ValueError, match=r"count of \w+_counts must hold whole numbers, 0 or"):
            call()
    with pytest.raises(KeyError, match="no column 'count'"):
        sr.floor_from_counts(counts.drop(columns="count"), NAMES)
    with pytest.raises(ValueError, match="cannot be one of the variables"):
        sr.floor_from_counts(counts, ["count"])


COUNTED = pd.DataFrame({"Sex": list("FFM"), "Job": list("aba"), "count": [2, 1, 4]})


@pytest.mark.parametrize(
    "how", [str, "category", "datetime64[ns]", "timedelta64[ns]", complex, bool]
)
def test_counts_that_are_no_numbers(how):
    counts = COUNTED.assign(count=COUNTED["count"].astype(how))
    for call in (
        lambda: sr.copies_from_counts(COUNTED, counts),
        lambda: sr.floor_from_counts(counts, ["Sex"]),
        lambda: sr.disclosure_from_counts(COUNTED, counts, ["Sex"], "Job"),
        lambda: sr.report_from_counts(COUNTED, counts, ["Sex"], ["Job"]),
    ):
        with pytest.raises(ValueError, match=r"count of \w+ must hold whole numbers, 0 or more\."):
            call()


def test_the_counts_of_a_database_may_be_decimals():
    counts = COUNTED.assign(count=[Decimal(one) for one in COUNTED["count"]])
    found = [sr.report_from_counts(one, one, ["Sex"], ["Job"]) for one in (COUNTED, counts)]
    pd.testing.assert_frame_equal(found[0].numbers, found[1].numbers)


def test_a_key_is_no_target():
    with pytest.raises(ValueError, match="'Sex' is both a key and a target; leave it in one"):
        sr.report_from_counts(COUNTED, COUNTED, ["Sex"], ["Job", "Sex"])


# ------------------------------------------------------------------------------ DuckDB


def counted_by_duckdb(folder, text, columns, name="file.csv"):
    pytest.importorskip("duckdb")
    (folder / name).write_text(text)
    return sr.count_file(folder / name, columns)


def test_columns_are_named_as_they_are_written(tmp_path):
    with pytest.raises(KeyError, match=r"file\.csv' has no column 'SEX'; its columns are: sex"):
        counted_by_duckdb(tmp_path, "sex,age\nF,2\n", ["SEX"])
    with pytest.raises(KeyError, match="no column 'A'"):  # DuckDB would count a instead
        counted_by_duckdb(tmp_path, "a,A\n1,2\n1,3\n", ["A"])
    with pytest.raises(ValueError, match="columns is empty"):
        counted_by_duckdb(tmp_path, "a\n1\n", [])
    with pytest.raises(ValueError, match="count holds the counts"):
        counted_by_duckdb(tmp_path, "a,count\n1,2\n", ["count"])


def test_the_name_of_a_file_is_no_pattern(tmp_path):
    (tmp_path / "file1.csv").write_text("a\n1\n")
    for name in ("file[1].csv", "file*.csv"):
        assert counted_by_duckdb(tmp_path, "a\n7\n", ["a"], name).a.tolist() == [7]


@pytest.mark.parametrize("late", ["01234", "x", "0.5"])
def test_a_late_line_counts_as_much_as_an_early_one(tmp_path, late):
    counts = counted_by_duckdb(tmp_path, "zip\n" + "1234\n" * 30_000 + late, ["zip"])
    assert dict(zip(counts.zip.astype(str), counts["count"], strict=True))[late] == 1


def test_missing_is_what_is_missing_to_read_pair(tmp_path):
    words = "NA NaN null NULL None n/a N/A nan <NA> #N/A #NA -nan none na".split()
    text = "town,sex\n" + "".join(f"{word},F\n" for word in [*words, "", "#N/A N/A", "A"])
    counts = counted_by_duckdb(tmp_path, text, ["town"])
    read = sr.read_pair(text.encode(), text.encode())[0].town
    expected = read.value_counts(dropna=False)
    assert counts.town.isna().sum() == 1
    found = counts.set_index("town")["count"]
    assert found.sort_values().tolist() == expected.sort_values().tolist()
    assert set(found.index.dropna()) == set(read.dropna())


def test_the_rows_come_in_the_order_of_the_columns(tmp_path):
    """DuckDB counts in several places at once; equal files give equal frames all the same."""
    town, age = np.random.default_rng(1).integers(0, 100, (2, 20_000))
    text = "town,age\n" + "".join(f"t{a},{b}\n" for a, b in zip(town, age, strict=True))
    found = counted_by_duckdb(tmp_path, text, ["town", "age"])
    pd.testing.assert_frame_equal(found, found.sort_values(["town", "age"], ignore_index=True))
