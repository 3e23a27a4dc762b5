"""The simplest synthesizer: redraw."""

import math
from bisect import bisect_left
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu import cells
from synthrisk_edu.synthesis import redraw


@pytest.fixture(scope="module")
def people():
    return sr.load_acs()


def test_only_the_named_variables_change(people):
    made = redraw(people, ["DIS", "HICOV"], ["SEX", "MAR"], seed=1)
    rest = [name for name in people if name not in ("DIS", "HICOV")]
    pd.testing.assert_frame_equal(made[rest], people[rest])
    assert made.columns.equals(people.columns) and made.index.equals(people.index)
    assert (made.dtypes == people.dtypes).all()
    assert not made.DIS.equals(people.DIS)


def test_values_are_borrowed_together_from_a_record_that_looks_alike(people):
    names = ["DIS", "HICOV"]
    made = redraw(people, names, ["SEX", "RACE", "MAR"], seed=2)
    there = set(people[["SEX", "RACE", "MAR", *names]].itertuples(index=False, name=None))
    assert set(made[["SEX", "RACE", "MAR", *names]].itertuples(index=False, name=None)) <= there


def test_equal_seeds_give_equal_files_and_others_do_not(people):
    one, same, other = (redraw(people, ["DIS"], ["MAR"], seed=seed) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(one, same)
    assert not one.equals(other)


def test_a_larger_share_redraws_the_same_records_and_more():
    data = pd.DataFrame({"x": np.arange(500)})
    changed = [redraw(data, ["x"], [], share, seed=3).x != data.x for share in (0, 0.3, 0.6, 1)]
    assert changed[0].sum() == 0
    for fewer, more in pairwise(changed):
        assert (more >= fewer).all() and more.sum() > fewer.sum()


def test_every_donor_is_equally_likely():
    # 60,000 draws among three: each third lies within four standard errors of 20,000.
    data = pd.DataFrame({"g": np.repeat(np.arange(20_000), 3), "x": np.tile([0, 1, 2], 20_000)})
    counts = np.bincount(redraw(data, ["x"], ["g"], seed=4).x)
    assert np.abs(counts - 20_000).max() < 4 * np.sqrt(60_000 * 2 / 9)


def test_numbers_look_alike_within_a_tenth_of_the_file():
    data = pd.DataFrame({"x": np.arange(100.0)})
    made = redraw(data, ["x"], ["x"], seed=5)
    assert (made.x // 10 == data.x // 10).all()


def test_missing_values_look_alike_to_each_other():
    data = pd.DataFrame({"g": ["a", None, None, "a"], "n": [1, np.nan, np.nan, 1], "x": range(4)})
    made = redraw(data, ["x"], ["g", "n"], seed=6)
    assert set(made.x[[1, 2]]) <= {1, 2} and set(made.x[[0, 3]]) <= {0, 3}


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (lambda data: redraw(data, ["WEALTH"], ["SEX"]), KeyError, "no column 'WEALTH'"),
        (lambda data: redraw(data, "DIS", ["SEX"]), TypeError, r"such as \['DIS'\]"),
        (lambda data: redraw(data, ["DIS"], ["SEX"], 1.5), ValueError, "from 0 to 1, not 1.5"),
        (lambda data: redraw(data, ["DIS"], ["SEX"], "all"), TypeError, "from 0 to 1"),
        (lambda data: redraw([data], ["DIS"], ["SEX"]), TypeError, "data must be one data frame"),
        (lambda data: redraw(data[:0], ["DIS"], ["SEX"]), ValueError, "empty frame"),
    ],
)
def test_bad_input_gets_one_clear_sentence(people, wrong, error, words):
    with pytest.raises(error, match=words):
        wrong(people)


def test_column_names_may_be_numbers_and_dtypes_stay():
    data = pd.DataFrame({0: ["x", None] * 20, 1: [1, 2] * 20}).astype({0: object})
    made = redraw(data, [0], [1], seed=1)
    pd.testing.assert_frame_equal(made, data)


def test_a_number_that_is_always_the_same_is_not_missing():
    data = pd.DataFrame({"z": [1, np.nan] * 20, "b": ["x", "y"] * 20})
    pd.testing.assert_frame_equal(redraw(data, ["b"], ["z"], seed=1), data)


def test_a_number_may_be_redrawn_within_its_tenth_and_a_category_not_among_its_own():
    data = pd.DataFrame({"x": np.arange(100.0), "job": list("ab") * 50})
    assert not redraw(data, ["x", "job"], ["x"], seed=1).equals(data)
    for given in (["job"], ["x", "job"]):
        with pytest.raises(ValueError, match="'job' is both in variables and in given"):
            redraw(data, ["x", "job"], given, seed=1)


def test_an_infinite_number_lies_in_no_tenth():
    data = pd.DataFrame({"z": [1, np.inf] * 20, "b": ["x", "y"] * 20})
    with pytest.raises(ValueError, match="'z' of data holds an infinite value"):
        redraw(data, ["b"], ["z"], seed=1)


def in_fractions(values):
    """The tenth of each number, (a, b], by quantiles without rounding; missing is -1."""
    present = sorted(map(Fraction, values[~np.isnan(values)]))
    breaks = set()
    for tenth in range(11):
        place = Fraction(tenth * (len(present) - 1), 10)
        low, high = present[math.floor(place)], present[math.ceil(place)]
        breaks.add(low + (place - math.floor(place)) * (high - low))
    inner = sorted(breaks)[1:-1]
    return [-1 if np.isnan(value) else bisect_left(inner, Fraction(value)) for value in values]


def test_tenths_are_cut_at_the_quantiles():
    """On CE, and where many records have the same number; pandas' qcut may round them apart."""
    ce = sr.load_ce()
    for values in (
        ce.Age,
        ce.Income,
        ce.Expenditure,
        ce.Income.round(-5),
        ce.Age.mask(ce.Age > 60),
    ):
        values = values.to_numpy(dtype=float)
        groups = cells.quantile_groups(values, cells.quantile_breaks(values, 10), right=True)
        assert groups.tolist() == in_fractions(values)
