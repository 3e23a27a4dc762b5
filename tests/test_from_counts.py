"""From counts the same answers as from records: tables of any size need only their cells."""

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


def test_unique_uniques(files):
    rng, (confidential, synthetic, _) = files
    for qis in (NAMES, ["age"]):
        expected = sr.unique_uniques(confidential, synthetic, qis)
        for split in (None, rng):
            counts = count_rows(confidential, split), count_rows(synthetic, split)
            found = sr.unique_uniques_from_counts(*counts, qis)
            pd.testing.assert_frame_equal(found, expected)


def test_unique_uniques_with_r(files):
    rng, (confidential, synthetic, _) = files
    counts = count_rows(confidential, rng), count_rows(synthetic)
    # Like people have the same r: a number made of what they are.
    r = [pd.util.hash_pandas_object(data[NAMES], index=False) / 2**64 for data in counts]
    r_records = pd.util.hash_pandas_object(confidential[NAMES], index=False) / 2**64
    expected = sr.unique_uniques(confidential, synthetic, NAMES, r_records)
    found = sr.unique_uniques_from_counts(*counts, NAMES, r[0])
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
        lambda: sr.unique_uniques_from_counts(counts, bad, NAMES),
        lambda: sr.floor_from_counts(bad, NAMES),
    ):
        with pytest.raises(ValueError, match=r"count of \w+_counts must hold whole numbers, 0 or"):
            call()
    with pytest.raises(KeyError, match="no column 'count'"):
        sr.floor_from_counts(counts.drop(columns="count"), NAMES)
    with pytest.raises(ValueError, match="cannot be one of the variables"):
        sr.floor_from_counts(counts, ["count"])
