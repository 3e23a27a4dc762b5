"""The fast matching equals the definition, written as a double loop, on random tables."""

import numpy as np
import oracle
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import synthrisk_edu as sr
from synthrisk_edu import checks, counting
from synthrisk_edu.counting import BoxCounter

# Few different values make many ties, and bounds that are hit exactly; zeros, negatives and
# decimals that floating point cannot hold are among them.
NUMBERS = st.sampled_from([0.0, -0.0, 1, -1, 2, 5, 10, -10, 11, 9, 0.1, 0.2, 0.3, 99.99, 110, 100])
ANY_NUMBER = st.floats(-1e6, 1e6).map(lambda number: round(number, 6))
TEXTS = st.sampled_from(["a", "b", "c d"])
RADII = st.sampled_from([0, 0.1, 0.15, 0.2, 0.3, 1])


@st.composite
def column(draw, n, kind):
    """One variable for both files, in one of the dtypes a student may have."""
    values = {"number": st.one_of(NUMBERS, ANY_NUMBER), "rounded": NUMBERS, "text": TEXTS}[kind]
    missing = draw(st.sampled_from([0, 0.3]))
    flags = draw(st.lists(st.floats(0, 1), min_size=2 * n, max_size=2 * n))
    drawn = draw(st.lists(values, min_size=2 * n, max_size=2 * n))
    both = [None if flag < missing else value for flag, value in zip(flags, drawn, strict=True)]
    return both[:n], both[n:]


def as_number(values, dtype):
    """Numbers as float64, as nullable Float64, as plain objects, or (whole ones) as integers."""
    if dtype == "int64" and all(value is not None and value == int(value) for value in values):
        return pd.Series(values).astype("int64")
    return pd.Series(values, dtype=dtype if dtype in ("Float64", "object") else "float64")


@st.composite
def questions(draw):
    """A pair of files and a question about them."""
    n = draw(st.integers(1, 12))
    kinds = draw(st.lists(st.sampled_from(["number", "rounded", "text"]), min_size=1, max_size=5))
    confidential, synthetic, numeric = {}, {}, []
    for place, kind in enumerate(kinds):
        ours, theirs = draw(column(n, kind))
        name = f"v{place}"
        if kind == "text":
            dtypes = st.sampled_from(["object", "str", "category"])
            confidential[name] = pd.Series(ours, dtype=draw(dtypes))
            synthetic[name] = pd.Series(theirs, dtype=draw(dtypes))
        else:
            dtypes = st.sampled_from(["float64", "int64", "Float64", "object"])
            confidential[name] = as_number(ours, draw(dtypes))
            synthetic[name] = as_number(theirs, draw(dtypes))
            usable = checks.is_numeric
            if usable(confidential[name]) and usable(synthetic[name]):
                numeric.append(name)
    ranged = draw(st.sets(st.sampled_from(numeric))) if numeric else set()
    radius = {name: draw(RADII) for name in sorted(ranged)}
    how = {
        "relative": draw(st.booleans()),
        "shape": draw(st.sampled_from(["box", "ellipse"])),
        "bounds": draw(st.sampled_from(["closed", "open"])),
    }
    labels = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))  # duplicated labels too
    files = [pd.DataFrame(file).set_axis(labels) for file in (confidential, synthetic)]
    return *files, radius, how


def paired(confidential, synthetic, known):
    """The synthetic file with what was not synthesized as it is in the confidential one."""
    return synthetic.assign(**{name: confidential[name].array for name in known})


@settings(max_examples=120, deadline=None)
@given(questions())
def test_matching_equals_the_double_loop(question):
    confidential, synthetic, _, _ = question
    before = confidential.copy(), synthetic.copy()
    result, c = counts_as_the_double_loop(question)
    assert [len(result.candidates(i)) for i in range(len(c))] == c
    assert all(result.explain(i).count(f"c = {c[i]}") == 1 for i in range(len(c)))
    pd.testing.assert_frame_equal(confidential, before[0])
    pd.testing.assert_frame_equal(synthetic, before[1])


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(questions())
def test_matching_equals_the_double_loop_again_and_again(question):
    counts_as_the_double_loop(question)


def counts_as_the_double_loop(question):
    """Match, hold c, T and the summary to the double loop, and return the match and c."""
    confidential, synthetic, radius, how = question
    variables = list(confidential.columns)
    known, synthesized = variables[: len(variables) // 2], variables[len(variables) // 2 :]
    synthetic = paired(confidential, synthetic, known)
    result = sr.match(confidential, synthetic, known, synthesized, radius, **how)
    c, T = oracle.match(confidential, synthetic, variables, radius, **how)
    assert result.records.c.tolist() == c
    assert result.records["T"].tolist() == T
    np.testing.assert_allclose(result.summary(), oracle.summary(c, T), rtol=1e-12)
    everyone = np.arange(len(c))
    assert result.agree(everyone[:, None], everyone).sum(axis=1).tolist() == c  # the definition too
    return result, c


@settings(max_examples=60, deadline=None)
@given(questions(), st.integers(0, 5))
def test_the_fallback_equals_the_double_loop_over_what_is_known(question, number):
    confidential, synthetic, radius, how = question
    variables = list(confidential.columns)
    known, synthesized = variables[:number], variables[number:]
    synthetic = paired(confidential, synthetic, known)
    if how["shape"] == "ellipse" and sum(name in known for name in radius) == 1 and len(radius) > 1:
        how = how | {"shape": "box"}  # with one variable an ellipse is the box
    found = sr.match(confidential, synthetic, known, synthesized, radius, fallback=True, **how)
    c, T = oracle.match(confidential, synthetic, variables, radius, **how)
    of_known = {name: r for name, r in radius.items() if name in known}
    n_star, T_star = oracle.match(confidential, synthetic, known, of_known, **how)
    assert found.records.c.tolist() == [a or b for a, b in zip(c, n_star, strict=True)]
    T = [one if a else other for a, one, other in zip(c, T, T_star, strict=True)]
    assert found.records["T"].tolist() == T
    assert [len(found.candidates(i)) for i in range(len(c))] == found.records.c.tolist()
    again = sr.match(confidential, synthetic, known, synthesized, fallback=True, **how).at(radius)
    pd.testing.assert_frame_equal(again.records, found.records)


@settings(max_examples=60, deadline=None)
@given(questions(), st.integers(0, 5))
def test_the_floor_equals_the_double_loop_over_what_is_known(question, number):
    confidential, _, radius, how = question
    known = list(confidential.columns)[:number]
    radius = {name: r for name, r in radius.items() if name in known}
    found = sr.floor(confidential, known, radius, **how)
    c, T = oracle.match(confidential, confidential, known, radius, **how)
    assert found.records.c.tolist() == c
    assert found.records["T"].tolist() == T
    if not radius:
        different = len(confidential[known].drop_duplicates()) if known else 1
        assert found.summary().expected_match_risk == pytest.approx(different)


@settings(max_examples=60, deadline=None)
@given(questions(), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_variables_never_matters(question, random):
    confidential, synthetic, radius, how = question
    variables = list(confidential.columns)
    result = sr.match(confidential, synthetic, [], variables, radius, **how).records
    rows = random.sample(range(len(confidential)), len(confidential))
    shuffled = random.sample(variables, len(variables))
    other = sr.match(
        confidential.iloc[rows], synthetic.iloc[rows], [], shuffled, radius, **how
    ).records
    pd.testing.assert_frame_equal(other, result.iloc[rows])


HOWS = [
    (0.5, {"shape": "box"}),
    (0.5, {"shape": "ellipse"}),
    (0.5, {"bounds": "open"}),
    (1, {"shape": "box"}),  # every lower bound is 0 or twice a negative number
    (100, {"relative": False, "bounds": "open"}),
]


@pytest.mark.parametrize(("r", "how"), HOWS)
@pytest.mark.parametrize("ranged", [1, 2, 3, 4])
def test_larger_tables_cross_blocks_and_portions(monkeypatch, ranged, r, how):
    monkeypatch.setattr(counting, "PAIRS_AT_ONCE", 500)
    monkeypatch.setattr(counting, "BOXES_AT_ONCE", 7)
    rng = np.random.default_rng(ranged)
    n, names = 240, ["w", "x", "y", "z"]
    confidential = pd.DataFrame({name: rng.integers(-20, 60, n) * 10.0 for name in names})
    confidential["g"] = rng.choice(list("abc"), n)
    confidential.loc[rng.random(n) < 0.1, "x"] = np.nan
    synthetic = confidential.copy()
    for name in names:
        synthetic[name] = np.where(rng.random(n) < 0.6, confidential[name], synthetic[name] + 10)
    radius = dict.fromkeys(names[:ranged], r)
    variables = ["g", *names[:ranged]]
    c, T = oracle.match(confidential, synthetic, variables, radius, **how)
    assert max(c) > 1
    # Small blocks and portions make a table of 240 rows cross many of them; 70 points need more
    # than one word of 64 bits. Of the windows none, some or all are looked at point by point.
    for block, short in [(3, 0), (70, 0), (70, 6), (70, 300)]:
        monkeypatch.setattr(counting, "BLOCK", block)
        monkeypatch.setattr(counting, "SHORT", short)
        monkeypatch.setattr(counting, "WORTH_SORTING", 100 * (short > 0))  # or always
        result = sr.match(confidential, synthetic, ["g"], names[:ranged], radius, **how)
        assert result.records.c.tolist() == c, (block, short)
        assert result.records["T"].tolist() == T, (block, short)


def test_counting_knows_groups_that_hold_no_point():
    counter = BoxCounter(np.array([0, 2]), np.empty((2, 0)))
    nothing = np.empty((4, 0))
    assert counter.count(np.array([0, 1, 2, 7]), nothing, nothing).tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (pd.Series([1, 2, 3]), pd.Series([1.0, 2.0, 4.0])),
        (pd.Series([1, 2, 3], dtype="category"), pd.Series([1, 2, 4])),
        (pd.Series([1, 2, 3], dtype="category"), pd.Series([1, 2, 4], dtype="category")),
        (pd.Series([1, 2, 3], dtype="category"), pd.Series([1.0, 2.0, 4.0])),
        (pd.Series([1, 2, 3], dtype="Int64"), pd.Series([1, 2, 4], dtype="object")),
        (pd.Series(["1", "2", "3"]), pd.Series(["1", "2", "4"], dtype="category")),
        (pd.Series(["1", "2", "3"], dtype="object"), pd.Series(["1", "2", "4"], dtype="string")),
        (pd.Series([True, False, True]), pd.Series([1, 0, 2])),
        (pd.Series([1, 2, 3], dtype="category"),
         pd.Series([1, 2, 4], dtype=pd.CategoricalDtype([9, 4, 2, 1], ordered=True))),
        (pd.Series(pd.cut([1, 2, 3], [0, 1, 2, 3])), pd.Series(pd.cut([1, 2, 1], [0, 1, 2, 3]))),
        (pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"]).to_series(),
         pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-04"]).to_series()),
    ],
)  # fmt: skip
def test_equal_values_match_whatever_they_are_stored_as(ours, theirs):
    confidential = pd.DataFrame({"v": ours.to_list()}, dtype=ours.dtype)
    synthetic = pd.DataFrame({"v": theirs.to_list()}, dtype=theirs.dtype)
    result = sr.match(confidential, synthetic, [], ["v"])
    assert result.records["T"].tolist() == [1, 1, 0]


def test_nan_and_na_are_both_missing():
    # Arithmetic on a nullable column leaves NaN beside <NA>.
    ours = pd.arrays.FloatingArray(np.array([np.nan, 1.0, 0.0]), np.array([False, False, True]))
    confidential = pd.DataFrame({"x": ours})
    synthetic = pd.DataFrame({"x": [np.nan, 1.0, np.nan]})
    for radius in (None, 0.1):
        assert sr.match(confidential, synthetic, [], ["x"], radius).records.c.tolist() == [2, 1, 2]
        assert sr.match(synthetic, confidential, [], ["x"], radius).records.c.tolist() == [2, 1, 2]


@pytest.mark.parametrize("variables", [["x", "y", "z"], ["z", "y", "x"], ["y", "x", "z"]])
def test_the_order_of_variables_does_not_decide_a_tie_on_the_ellipse(variables):
    # On paper every point is on the surface; in floating point the three parts add up to 1 or to
    # just below, and for some of the points that depends on which two are added first.
    origin = pd.DataFrame(0.0, index=range(400), columns=list("xyz"))
    parts = np.random.default_rng(4).dirichlet([1, 1, 1], 400)
    surface = pd.DataFrame(np.sqrt(parts) * 1.5, columns=list("xyz"))
    how = {"relative": False, "shape": "ellipse", "bounds": "open"}
    radius = dict.fromkeys("xyz", 1.5)
    result = sr.match(origin, surface, [], variables, radius, **how).records
    _, T = oracle.match(origin, surface, list("xyz"), radius, **how)
    assert result["T"].tolist() == T
    assert 0 < sum(T) < 400  # rounding really decides here
