"""One numbering of combinations: what is equal to one measure is equal to all of them."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import synthrisk_edu as sr
from synthrisk_edu.levels import combine, number_combinations
from synthrisk_edu.report.columns import equal_columns

LARGE = 2**53  # the next whole number is no float any more


def answers(ours, theirs):
    """Ask every measure whether the first values of two columns are equal; the second ones are."""
    ours, theirs = ours.to_frame("x"), theirs.to_frame("x")
    alone = pd.Series([1, 2])
    return {
        "match": bool(sr.match(ours, theirs, [], ["x"]).records["T"].iloc[0]),
        "match with radius 0": bool(
            sr.match(ours, theirs, [], ["x"], 0).records["T"].iloc[0]
            if sr.matching.checks.is_numeric(ours.x) and sr.matching.checks.is_numeric(theirs.x)
            else sr.match(ours, theirs, [], ["x"]).records["T"].iloc[0]
        ),
        "intruder": sr.intruder_risk(ours, [theirs], [], ["x"]).match_probabilities(0).iloc[0] == 1,
        "disclosure": bool(
            sr.disclosure(ours.assign(t=alone), theirs.assign(t=alone), ["x"], "t")
            .records()
            .found.iloc[0]
        ),
        "unique_uniques": sr.unique_uniques(ours, theirs, ["x"]).households["SU-CU"] == 2,
        "replicated uniques": len(sr.remove_replicated_uniques(theirs, ours, ["x"])) == 0,
        "copies": sr.copies(ours, theirs).rows["original"] == 2,
        "report": equal_columns([ours, theirs], ["x"]) == ["x"],
    }


EQUAL = [
    (pd.Series([1, 2]), pd.Series([1.0, 2.0])),
    (pd.Series([1, 2]), pd.Series([1, 2], dtype="Int64")),
    (pd.Series([1, 2], dtype="uint8"), pd.Series([1.0, 2.0], dtype="Float64")),
    (pd.Series([LARGE, 2]), pd.Series([float(LARGE), 2.0])),
    (pd.Series([LARGE + 1, 2]), pd.Series([LARGE + 1, 2], dtype="uint64")),
    (pd.Series([0.5, 2.0]), pd.Series([Decimal("0.5"), Decimal(2)])),
    (pd.Series(["a", "b"]), pd.Series(["a", "b"], dtype="category")),
    (pd.Series([1, 2]).astype("category"), pd.Series([1.0, 2.0]).astype("category")),
    (pd.Series([None, "b"]), pd.Series([np.nan, "b"], dtype="category")),
    (pd.Series([np.nan, 2.0]), pd.Series([pd.NA, 2], dtype="Int64")),
    (pd.Series([True, False]), pd.Series([1, 0])),
]
UNEQUAL = [
    (pd.Series([LARGE + 1, 2]), pd.Series([float(LARGE), 2.0])),
    (pd.Series([-LARGE - 1, 2]), pd.Series([-float(LARGE), 2.0])),
    (pd.Series([LARGE + 1, 2], dtype="uint64"), pd.Series([LARGE, 2])),
    (pd.Series([LARGE + 1, 2], dtype="Int64"), pd.Series([float(LARGE), 2.0], dtype="Float64")),
    (pd.Series([LARGE + 1, 2]).astype("category"), pd.Series([float(LARGE), 2.0])),
    tuple(pd.Series(one).astype("category") for one in ([LARGE + 1, 2], [float(LARGE), 2.0])),
    (pd.Series([LARGE + 1, 2], dtype=object), pd.Series([float(LARGE), 2.0])),
    (pd.Series([0.1, 2.0]), pd.Series([0.1, 2.0], dtype="float32")),
    (pd.Series([None, "b"]), pd.Series(["Missing", "b"])),
]


@pytest.mark.parametrize(("ours", "theirs"), EQUAL)
def test_what_is_equal_is_equal_everywhere(ours, theirs):
    assert answers(ours, theirs) == dict.fromkeys(answers(ours, theirs), True)
    assert answers(theirs, ours) == dict.fromkeys(answers(ours, theirs), True)


@pytest.mark.parametrize(("ours", "theirs"), UNEQUAL)
def test_what_is_unequal_is_unequal_everywhere(ours, theirs):
    assert answers(ours, theirs) == dict.fromkeys(answers(ours, theirs), False)
    assert answers(theirs, ours) == dict.fromkeys(answers(ours, theirs), False)


def test_whole_numbers_that_are_all_missing_meet_other_numbers():
    frames = [pd.Series([pd.NA], dtype="Int64").to_frame("x"), pd.DataFrame({"x": [1.0, np.nan]})]
    assert [codes.tolist() for codes in number_combinations(frames, ["x"])] == [[0], [1, 0]]


def test_dates_meet_a_category_without_any_level():
    dates = pd.DataFrame({"x": pd.to_datetime(["2020-01-01", None])})
    frames = [dates, dates.iloc[[1, 1]].astype("category")]
    assert [codes.tolist() for codes in number_combinations(frames, ["x"])] == [[0, 1], [1, 1]]


def test_a_lost_large_number_is_explained():
    ours = pd.DataFrame({"number": [LARGE + 1, 2]})
    theirs = pd.DataFrame({"number": [float(LARGE), LARGE + 1]}, dtype=object)
    story = sr.match(ours, theirs, [], ["number"]).explain(0)
    assert "somebody else's (number became 9,007,199,254,740,992): T = 0" in story


VALUES = st.one_of(
    st.none(),
    st.sampled_from([LARGE, LARGE + 1, LARGE + 2, float(LARGE), 0, 0.0, -0.0, 1, 1.0, 0.5, 2**64]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=8), st.integers(0, 8))
def test_the_numbering_agrees_with_comparing_every_pair(rows, cut):
    table = pd.DataFrame(rows, columns=["a", "b"], dtype=object)
    frames = [table.iloc[:cut].infer_objects(), table.iloc[cut:].infer_objects()]
    numbers = np.concatenate(number_combinations(frames, ["a", "b"]))
    # infer_objects may make floats of whole numbers: compare what the frames hold.
    held = [row for frame in frames for row in frame.astype(object).to_numpy().tolist()]
    for i, first in enumerate(held):
        for j, second in enumerate(held):
            same = all(
                (pd.isna(x) and pd.isna(y)) or (not pd.isna(x) and not pd.isna(y) and x == y)
                for x, y in zip(first, second, strict=True)
            )
            assert (numbers[i] == numbers[j]) == same


def test_without_variables_everybody_is_alike():
    one, two = pd.DataFrame({"x": [1, 2]}), pd.DataFrame({"x": [3]})
    assert [codes.tolist() for codes in number_combinations([one, two], [])] == [[0, 0], [0]]


def test_combinations_beyond_the_largest_number_are_still_told_apart():
    rng = np.random.default_rng(3)
    codes = [rng.integers(0, 1000, 500) for _ in range(9)]  # 1000**9 is far beyond 2**62
    codes.append(rng.integers(0, 2, 500))
    rows = pd.Series(list(zip(*codes, strict=True)))
    twice = [np.tile(code, 2) for code in codes]
    assert combine(codes).tolist() == pd.factorize(rows)[0].tolist()
    assert (combine(twice)[:500] == combine(twice)[500:]).all()
