"""From counts the same answers as from records: tables of any size need only their cells."""

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr

NAMES = ["sex", "age", "town"]
COUNTED = pd.DataFrame({"Sex": list("FFM"), "Job": list("aba"), "count": [2, 1, 4]})


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


def count_rows(data, rng):
    """Count as a database does; a cell may come in two rows, and some rows may count nobody."""
    counts = data.groupby(NAMES, dropna=False).size().rename("count").reset_index()
    part = (counts["count"] * rng.random(len(counts))).astype(int)
    return pd.concat([counts.assign(count=part), counts.assign(count=counts["count"] - part)])


@pytest.mark.parametrize("seed", range(25))
def test_disclosure(seed):
    rng = np.random.default_rng(seed)
    original, *made = (random_file(rng) for _ in range(3))
    counts = [count_rows(file, rng) for file in (original, *made)]
    for options in ({}, {"missing_keys": False, "denom_limit": 2}, {"groups": {"age": 2}}):
        expected = sr.disclosure(original, made, NAMES[:2], "town", **options)
        found = sr.disclosure_from_counts(counts[0], counts[1:], NAMES[:2], "town", **options)
        for table in ("identity", "attribute", "cap", "one_way", "two_way", "exclusions"):
            pd.testing.assert_frame_equal(getattr(found, table), getattr(expected, table))


@pytest.mark.parametrize("wrong", [-1, 0.5, "two", None, True])
def test_a_wrong_count_gets_one_sentence(wrong):
    with pytest.raises(ValueError, match=r"count of \w+_counts must hold whole numbers, 0 or more"):
        sr.disclosure_from_counts(COUNTED, COUNTED.assign(count=wrong), ["Sex"], "Job")


def test_the_counts_are_there_and_no_variable():
    with pytest.raises(KeyError, match="original_counts has no column 'count'"):
        sr.disclosure_from_counts(COUNTED[["Sex", "Job"]], COUNTED, ["Sex"], "Job")
    with pytest.raises(ValueError, match="'count' is both in the keys and the target and in"):
        sr.disclosure_from_counts(COUNTED, COUNTED, ["Sex", "count"], "Job")
    with pytest.raises(ValueError, match="is 0 in every row"):
        sr.disclosure_from_counts(COUNTED, COUNTED.assign(count=0), ["Sex"], "Job")
