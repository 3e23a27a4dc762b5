"""Utility: each measure against an independent computation."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression

import synthrisk_edu as sr
from synthrisk_edu import utility
from synthrisk_edu.synthesis import synthesize_cart
from synthrisk_edu.tradeoff import average_of_m


@pytest.fixture(scope="module")
def pair():
    ce = sr.load_ce().head(1500)
    return ce, synthesize_cart(ce, ["Tenure", "Expenditure", "Income"], seed=1)[0]


def test_pmse_equals_an_independent_logistic_regression(pair):
    names = ["Urban", "Marital", "Age", "Income"]
    both = pd.concat(pair)[names]
    synthetic_row = np.repeat([0, 1], 1500)
    parts = [pd.get_dummies(both[n], prefix=n, drop_first=True).to_numpy(float)
             for n in ("Urban", "Marital")]  # fmt: skip
    parts += [((both[n] - both[n].mean()) / both[n].std(ddof=0)).to_numpy()[:, None]
              for n in ("Age", "Income")]  # fmt: skip
    columns = [part[:, k] for part in parts for k in range(part.shape[1])]
    columns += [
        one * other
        for place, first in enumerate(parts)
        for second in parts[place + 1 :]
        for one in first.T
        for other in second.T
    ]
    x = np.column_stack(columns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression(C=np.inf, max_iter=5000, tol=1e-10).fit(x, synthetic_row)
    expected = np.mean((model.predict_proba(x)[:, 1] - 0.5) ** 2)
    assert utility.pmse(*pair, names) == pytest.approx(expected, rel=0.01)


def test_pmse_of_a_saturated_model_is_that_of_the_table():
    # Two categories with their interaction: the propensity of a cell is its synthetic share.
    rng = np.random.default_rng(2)
    one = pd.DataFrame({"a": rng.choice(list("xyz"), 400), "b": rng.choice(list("uv"), 400)})
    two = pd.DataFrame({"a": rng.choice(list("xyz"), 300), "b": rng.choice(list("uv"), 300)})
    table = utility.pmse_tables(one, two, ways=2)
    assert len(table) == 1
    assert utility.pmse(one, two) == pytest.approx(table.pmse[0], rel=1e-6)
    assert utility.pmse_ratio(one, two) == pytest.approx(table.ratio[0], rel=1e-6)


def test_the_closed_null_is_what_draws_from_the_model_give():
    # Synthetic tables drawn from the confidential shares: the ratio is 1 on average.
    rng = np.random.default_rng(3)
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    one = pd.DataFrame({"a": rng.choice(list("wxyz"), 500, p=shares)})
    levels = one.a.value_counts(normalize=True)
    ratios = [
        utility.pmse_tables(one, pd.DataFrame({"a": rng.choice(levels.index, 500, p=levels)}), 1)
        .ratio[0] for _ in range(600)
    ]  # fmt: skip
    assert abs(np.mean(ratios) - 1) < 4 * np.std(ratios) / np.sqrt(600)


def test_the_resampled_null_puts_a_perfect_synthesis_near_one(pair):
    ce = pair[0]
    rng = np.random.default_rng(4)
    # A draw from the data itself: as good as a synthesis can be.
    ratios = [
        utility.pmse_ratio(ce, ce.iloc[rng.integers(len(ce), size=len(ce))], model="cart")
        for _ in range(5)
    ]
    assert 0.7 < np.mean(ratios) < 1.3


def test_tree_pmse_is_the_spread_of_its_leaves():
    one = pd.DataFrame({"a": [0.0] * 50 + [1.0] * 50})
    two = pd.DataFrame({"a": [0.0] * 80 + [1.0] * 20})
    expected = (130 * (80 / 130 - 0.5) ** 2 + 70 * (20 / 70 - 0.5) ** 2) / 200
    assert utility.pmse(one, two, model="cart") == pytest.approx(expected)


def test_identical_files_are_perfect_and_worse_ones_are_worse(pair):
    ce, synthetic = pair
    assert utility.pmse(ce, ce) == pytest.approx(0, abs=1e-10)
    rng = np.random.default_rng(5)
    shuffled = ce.assign(Income=rng.permutation(ce.Income), Tenure=rng.permutation(ce.Tenure))
    for model in ("logistic", "cart"):
        good = utility.pmse_ratio(ce, synthetic, model=model)
        assert utility.pmse_ratio(ce, shuffled, model=model) > good


def test_tables_are_one_row_per_combination_worst_first(pair):
    for ways, combinations in ((1, 7), (2, 21), (3, 35)):
        table = utility.pmse_tables(*pair, ways)
        assert len(table) == combinations
        assert table.ratio.is_monotonic_decreasing
        assert table.columns.tolist()[:ways] == [f"variable_{k}" for k in range(1, ways + 1)]


def test_a_table_by_hand():
    one = pd.DataFrame({"a": list("xxxy")})
    two = pd.DataFrame({"a": list("xyyy")})
    row = utility.pmse_tables(one, two, 1).iloc[0]
    # Cells x: 3 and 1, y: 1 and 3. c = ½, pMSE = (4·(¼−½)² + 4·(¾−½)²)/8 = 1/16.
    assert row.pmse == pytest.approx(1 / 16)
    assert row.ratio == pytest.approx((1 / 16) / (1 * 0.5 * 0.25 / 8))


def test_numbers_are_cut_into_five_groups_and_missing():
    values = pd.Series([*range(10), np.nan], dtype=float)
    codes = utility.propensity._table_codes(values, values)
    assert len(np.unique(codes)) == 6
    assert np.bincount(codes[:10]).tolist() == [2, 2, 2, 2, 2]


def test_ecdf_distance_against_scipy_and_a_loop():
    rng = np.random.default_rng(6)
    for _ in range(50):
        x, y = rng.integers(0, 12, rng.integers(1, 40)), rng.integers(0, 12, rng.integers(1, 40))
        got = utility.ecdf_distance(x, y)
        assert got.largest == pytest.approx(stats.ks_2samp(x, y, method="asymp").statistic)
        gaps = [np.mean(x <= point) - np.mean(y <= point) for point in [*x, *y]]
        assert got.mean_squared == pytest.approx(np.mean(np.square(gaps)))


def test_combining_rule_by_hand():
    q, v = [1.0, 2.0, 4.5], [0.5, 0.7, 0.6]
    b = ((1 - 2.5) ** 2 + (2 - 2.5) ** 2 + (4.5 - 2.5) ** 2) / 2
    got = utility.combine_partially_synthetic(q, v)
    assert got.estimate == pytest.approx(2.5)
    assert got.variance == pytest.approx(b / 3 + 0.6)
    assert got.degrees_of_freedom == pytest.approx(2 * (1 + 0.6 / (b / 3)) ** 2)
    low, high = got.interval()
    reach = stats.t.ppf(0.975, got.degrees_of_freedom) * np.sqrt(got.variance)
    assert (low, high) == pytest.approx((2.5 - reach, 2.5 + reach))


@pytest.mark.parametrize(("q", "v"), [([3.0], [0.4]), ([3.0, 3.0], [0.3, 0.5])])
def test_one_set_or_no_spread_leaves_the_mean_variance(q, v):
    got = utility.combine_partially_synthetic(q, v)
    assert got == (3.0, pytest.approx(0.4), np.inf)
    assert got.interval()[1] == pytest.approx(3 + 1.959964 * np.sqrt(0.4), rel=1e-6)


def test_interval_overlap_against_a_grid():
    rng = np.random.default_rng(7)
    grid = np.linspace(-5, 5, 200_001)
    for _ in range(30):
        a, b = np.sort(rng.uniform(-4, 4, 2)), np.sort(rng.uniform(-4, 4, 2))
        inside = [(grid >= low) & (grid <= high) for low, high in (a, b)]
        shared = (inside[0] & inside[1]).sum()
        expected = (shared / inside[0].sum() + shared / inside[1].sum()) / 2
        assert utility.interval_overlap(a, b) == pytest.approx(expected, abs=1e-3)
    assert utility.interval_overlap((0, 1), (2, 3)) == 0
    assert utility.interval_overlap((0, 1), (0, 1)) == 1


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (lambda a, b: utility.pmse(a, b, model="forest"), ValueError, "'logistic', 'cart'"),
        (lambda a, b: utility.pmse(a, b, ["Wealth"]), KeyError, "no column 'Wealth'"),
        (lambda a, b: utility.pmse(a, [b]), TypeError, "synthetic must be a pandas"),
        (lambda a, b: utility.pmse(a, b, []), ValueError, "variables is empty"),
        (lambda a, b: utility.pmse(a, b.add_prefix("x")), ValueError, "no column in common"),
        (lambda a, b: utility.pmse_tables(a, b, 8), ValueError, "share only 7"),
        (lambda a, b: utility.pmse_tables(a, b, 0), ValueError, "ways must be"),
        (lambda a, b: utility.ecdf_distance([], [1]), ValueError, "x is empty"),
        (lambda a, b: utility.ecdf_distance([1, np.nan], [1]), ValueError, "missing or infinite"),
        (lambda a, b: utility.ecdf_distance(["a"], [1]), TypeError, "numbers only"),
        (lambda a, b: utility.interval_overlap((1, 0), (0, 1)), ValueError, "low below high"),
        (
            lambda a, b: utility.combine_partially_synthetic([1, 2], [1]),
            ValueError,
            "estimates has 2 entries and variances has 1",
        ),
    ],
)
def test_bad_input_gets_one_clear_sentence(pair, wrong, error, words):
    with pytest.raises(error, match=words):
        wrong(*pair)


# Odd but legal, and odd and not


@pytest.mark.parametrize("model", ["logistic", "cart"])
def test_a_constant_has_no_ratio_and_a_column_without_values_says_nothing(model):
    one = pd.DataFrame({"x": [1] * 20})
    assert sr.pmse(one, one, model=model) == 0
    assert np.isnan(sr.pmse_ratio(one, one, model=model))
    ours = pd.DataFrame({"x": range(40), "t": list("ab") * 20})
    theirs = ours.assign(x=ours.x + 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain = sr.pmse(ours, theirs, model=model)
        more = sr.pmse(ours.assign(z=np.nan), theirs.assign(z=np.nan), model=model)
    assert more == pytest.approx(plain)
    assert type(sr.pmse_ratio(ours, theirs, model=model)) is float


def test_one_record_each_is_told_apart_by_any_column():
    ours = pd.DataFrame({"a": [1], "b": ["x"], "c": ["y"]})
    assert sr.pmse(ours, ours) == pytest.approx(0)
    assert sr.pmse(ours, ours.assign(c="z")) == pytest.approx(0.25, abs=1e-3)
    theirs = pd.DataFrame({"a": [2], "b": ["z"], "c": ["z"]})  # more columns than rows
    assert sr.pmse(ours, theirs) == pytest.approx(0.25, abs=1e-3)


def test_the_tree_sees_missing_values_among_large_numbers():
    rng = np.random.default_rng(1)
    ours = pd.DataFrame({"x": rng.integers(0, 9, 300).astype(float)})
    theirs = ours.mask(rng.random((300, 1)) < 0.3)
    shifted = sr.pmse(ours + 1e9, theirs + 1e9, model="cart")
    assert shifted == pytest.approx(sr.pmse(ours, theirs, model="cart"))
    assert shifted > 0.02


def test_what_is_a_category_in_one_file_is_no_quantity():
    ours = pd.DataFrame({"x": [0, 1, 2, 0, 1, 2, 1, 1]})
    theirs = pd.DataFrame({"x": [0, 1, 2, 0, 2, 2, 0, 2]})
    both = sr.pmse(ours.astype("category"), theirs.astype("category"))
    assert sr.pmse(ours.astype("category"), theirs) == pytest.approx(both)
    assert sr.pmse(ours, theirs) != pytest.approx(both)


def test_a_file_without_values_is_cut_into_groups_like_the_other():
    ours = pd.DataFrame({"x": np.arange(50.0)})
    as_object, as_float = (
        sr.pmse_tables(ours, pd.DataFrame({"x": [empty] * 50}), 1) for empty in (None, np.nan)
    )
    pd.testing.assert_frame_equal(as_object, as_float)


@pytest.mark.parametrize("value", [np.inf, 1e300])
@pytest.mark.parametrize("measure", [sr.pmse, sr.pmse_ratio, sr.pmse_tables])
def test_an_infinite_value_is_named(measure, value):
    ours = pd.DataFrame({"x": [1.0, 2, 3], "y": [1, 2, 3]})
    with pytest.raises(ValueError, match="'x' of synthetic holds an infinite value"):
        measure(ours, ours.replace({"x": {2.0: value}}))


@pytest.mark.parametrize("values", [["1", "2"], pd.to_datetime(["2020-01-01"]), [1j]])
def test_texts_dates_and_complex_numbers_have_no_distance(values):
    with pytest.raises(TypeError, match="x must hold numbers only"):
        sr.ecdf_distance(values, [1, 2])


def test_numbers_beyond_every_float_variances_below_0_and_levels_in_per_cent():
    with pytest.raises(ValueError, match="x holds a missing or infinite value"):
        sr.ecdf_distance([10**400], [1])
    with pytest.raises(ValueError, match="variances holds -5"):
        sr.combine_partially_synthetic([1, 2], [1, -5])
    with pytest.raises(ValueError, match="level must be a number from 0 to 1, not 95"):
        sr.combine_partially_synthetic([1, 2], [1, 1]).interval(95)


def test_a_pool_lends_no_more_data_sets_than_it_has():
    with pytest.raises(ValueError, match="m is 3, but the pool has only 2"):
        average_of_m(pd.DataFrame({"risk": [1.0, 2]}), 3)
