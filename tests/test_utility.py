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


def test_the_resampled_null_of_a_smaller_file_is_that_of_its_size(pair):
    """A third as many synthetic records: c = ¼, and the null is (1 − c) of that of two samples."""
    ce = pair[0]
    rng = np.random.default_rng(4)
    null = utility.resampled_null(ce, 500)
    values = [
        utility.pmse(ce, ce.iloc[rng.integers(len(ce), size=500)], model="cart") for _ in range(12)
    ]
    assert 0.75 < np.mean(values) / null < 1.25


def test_one_row_less_hardly_moves_the_ratio_of_a_tree(pair):
    """Before, the null was halved for equal sizes only: one row less doubled it."""
    ce, synthetic = (one.head(600) for one in pair)
    whole = utility.pmse_ratio(ce, synthetic, model="cart")
    one_less = utility.pmse_ratio(ce, synthetic[:-1], model="cart")
    assert one_less == pytest.approx(whole, rel=0.2)


def test_a_perfect_partial_synthesis_scores_about_one():
    """Only coefficients that involve a synthesized variable can differ by chance."""
    acs, variables = sr.load_acs(), ["SEX", "RACE", "MAR", "DIS", "HICOV"]
    perfect = [sr.redraw(acs, variables[3:], variables[:3], seed=seed) for seed in range(8)]
    partial = [sr.pmse_ratio(acs, one, variables, synthesized=variables[3:]) for one in perfect]
    as_if_full = [sr.pmse_ratio(acs, one, variables) for one in perfect]
    assert 0.85 < np.mean(partial) < 1.25 and 0.3 < np.mean(as_if_full) < 0.5
    k, k_fixed = (
        len(utility.make_design(acs, perfect[0], some).kept) for some in (variables, variables[:3])
    )
    assert (k - 1, k - k_fixed) == (62, 23)
    assert partial[0] / as_if_full[0] == pytest.approx(62 / 23)
    assert sr.pmse_ratio(acs, acs, variables, synthesized=variables[3:]) == pytest.approx(
        0, abs=1e-9
    )
    everything = sr.pmse_ratio(acs, perfect[0], variables, synthesized=variables)
    assert everything == pytest.approx(as_if_full[0])
    with pytest.raises(KeyError, match="synthesized names 'DISS'"):
        sr.pmse_ratio(acs, acs, variables, synthesized=["DISS"])
    with pytest.raises(ValueError, match="goes with the logistic model"):
        sr.pmse_ratio(acs, acs, variables, synthesized=["DIS"], model="cart")


def test_tree_pmse_is_the_spread_of_its_leaves():
    one = pd.DataFrame({"a": [0.0] * 50 + [1.0] * 50})
    two = pd.DataFrame({"a": [0.0] * 80 + [1.0] * 20})
    expected = (130 * (80 / 130 - 0.5) ** 2 + 70 * (20 / 70 - 0.5) ** 2) / 200
    assert utility.pmse(one, two, model="cart") == pytest.approx(expected)


@pytest.mark.parametrize(("n", "leaf"), [(1000, 10), (100, 5)])
def test_the_leaves_of_the_tree_have_a_two_hundredth_of_the_records_and_five_at_least(n, leaf):
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(1)
    one, two = (pd.DataFrame({"x": rng.normal(size=n)}) for _ in range(2))
    x = pd.concat([one, two]).to_numpy()
    y = np.repeat([0, 1], n)
    tree = DecisionTreeClassifier(min_samples_leaf=leaf, random_state=0).fit(x, y)
    expected = np.mean((tree.predict_proba(x)[:, 1] - 0.5) ** 2)
    assert utility.pmse(one, two, model="cart") == pytest.approx(expected, rel=0.02)


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
    codes = utility._grouped(np.array([*range(10), np.nan, *range(20, 30)], dtype=float), 11)
    assert np.bincount(codes[:11]).tolist() == [1, 2, 2, 2, 2, 2]
    assert set(codes[11:]) == {5}


def test_a_number_with_two_values_has_two_groups():
    ours, theirs = pd.DataFrame({"place": [1, 2] * 20}), pd.DataFrame({"place": [1, 1, 2, 1] * 10})
    table = utility.pmse_tables(ours, theirs, 1)
    assert table.pmse[0] == utility.pmse_tables(ours.astype(str), theirs.astype(str), 1).pmse[0] > 0


def test_files_that_are_told_apart_perfectly_are_fitted_all_the_same():
    """Steps of Newton's method that were not halved led to a pMSE above what is possible."""
    rng = np.random.default_rng(0)
    for n in (8, 15, 30, 60):
        ours, theirs = (
            pd.DataFrame({
                "a": rng.choice([0, 1, 2, -8], size), "b": rng.choice(list("xyz"), size),
                "x": rng.normal(size=size).round(1), "t": rng.choice(list("pq"), size),
            }) for size in (n, n + 5)
        )  # fmt: skip
        p = utility.propensities(ours, theirs, list(ours), "logistic")
        k = len(utility.make_design(ours, theirs, list(ours)).kept)
        c = (n + 5) / (2 * n + 5)
        assert utility.pmse(ours, theirs) <= c * (1 - c) + 1e-9
        # At the maximum the mean of p̂ is the share c, in the whole file and in every level.
        assert p.mean() == pytest.approx(c, abs=1e-6) and k > 10
        levels, row = pd.concat([ours, theirs]).b, np.repeat([0, 1], [n, n + 5])
        for level in "xyz":
            assert p[levels == level].mean() == pytest.approx(row[levels == level].mean(), abs=1e-5)


def test_two_levels_of_the_multinomial_are_the_logistic_regression():
    from synthrisk_edu.synthesis.logistic import fit_logistic

    rng = np.random.default_rng(1)
    x = np.column_stack([np.ones(200), rng.normal(size=(200, 2))])
    y = rng.random(200) < 1 / (1 + np.exp(-x @ [0.5, 1, -1]))
    counts = np.column_stack([~y, y]).astype(float)
    beta, information = fit_logistic([(x, counts)], 2, np.full(3, 1e-12))
    model = LogisticRegression(C=1e12, solver="newton-cholesky", tol=1e-10).fit(x[:, 1:], y)
    assert beta[0] == pytest.approx([*model.intercept_, *model.coef_[0]], rel=1e-5)
    p = 1 / (1 + np.exp(-x @ beta[0]))
    assert information == pytest.approx(x.T @ (x * (p * (1 - p))[:, None]), rel=1e-6)
    parts = [(x[:70], counts[:70]), (x[70:], counts[70:])]
    assert fit_logistic(parts, 2, np.full(3, 1e-12))[0] == pytest.approx(beta)


def test_ecdf_distance_against_scipy_and_a_loop():
    rng = np.random.default_rng(6)
    for _ in range(50):
        x, y = rng.integers(0, 12, rng.integers(1, 40)), rng.integers(0, 12, rng.integers(1, 40))
        got = utility.ecdf_distance(x, y)
        assert got.largest == pytest.approx(stats.ks_2samp(x, y, method="asymp").statistic)
        gaps = [np.mean(x <= point) - np.mean(y <= point) for point in [*x, *y]]
        assert got.mean_squared == pytest.approx(np.mean(np.square(gaps)))


def test_combining_estimates_by_hand():
    got = sr.combine_estimates([[1.0, 0.0], [3.0, 4.0]], [np.eye(2), 3 * np.eye(2)])
    assert got.mean.tolist() == [2, 2]
    assert got.within.tolist() == [[2, 0], [0, 2]]
    assert got.between.tolist() == [[2, 4], [4, 8]]
    assert got.total.tolist() == [[3, 2], [2, 6]]
    assert sr.combine_estimates([[1.0]], [[[4.0]]]).total.tolist() == [[4]]


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
        (lambda a, b: utility.pmse(a, [b]), TypeError, "synthetic must be one data frame"),
        (lambda a, b: utility.pmse(a, b, []), ValueError, "variables is empty"),
        (lambda a, b: utility.pmse(a, b.add_prefix("x")), ValueError, "no column in common"),
        (lambda a, b: utility.pmse_tables(a, b, 8), ValueError, "share only 7"),
        (lambda a, b: utility.pmse_tables(a, b, 0), ValueError, "ways must be"),
        (lambda a, b: utility.ecdf_distance([], [1]), ValueError, "x must hold numbers"),
        (lambda a, b: utility.ecdf_distance([1, np.nan], [1]), ValueError, "missing or infinite"),
        (lambda a, b: utility.ecdf_distance(["a"], [1]), TypeError, "numbers only"),
        (lambda a, b: utility.interval_overlap((1, 0), (0, 1)), ValueError, "low below high"),
        (
            lambda a, b: utility.combine_partially_synthetic([1, 2], [1]),
            ValueError,
            "estimates has 2 rows and variances has 1",
        ),
        (
            lambda a, b: utility.combine_estimates([[1.0]], [[[1.0]], [[2.0]]]),
            ValueError,
            "as many",
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


@pytest.mark.parametrize("measure", [sr.pmse, sr.pmse_ratio, sr.pmse_tables])
def test_a_lost_column_costs_usefulness_unless_variables_says_what_to_compare(measure, pair):
    """Before, it was left out in silence: a copy without the income was perfect, 0.0."""
    ce, synthetic = pair[0].head(200), pair[1].head(200)
    names = ["Age", "Tenure", "Income"]
    for files, sentence in (
        (
            (ce, synthetic.drop(columns="Educ")),
            "synthetic has no column 'Educ', which confi",
        ),
        (
            (ce.drop(columns="Educ"), synthetic),
            "confidential has no column 'Educ', which synth",
        ),
        ((ce, synthetic.assign(id=1)), "confidential has no column 'id', which synthetic has"),
    ):
        with pytest.raises(KeyError, match=sentence):
            measure(*files)
        ours, all_named = measure(*files, variables=names), measure(ce[names], synthetic[names])
        assert ours.equals(all_named) if measure is sr.pmse_tables else ours == all_named
    shuffled = synthetic[list(synthetic)[::-1]]  # another order is no loss
    assert measure(ce, shuffled) is not None


@pytest.mark.parametrize("measure", [sr.pmse, sr.pmse_ratio, sr.pmse_tables])
def test_an_infinite_value_is_named(measure):
    ours = pd.DataFrame({"x": [1.0, 2, 3], "y": [1, 2, 3]})
    with pytest.raises(ValueError, match="'x' of synthetic holds an infinite value"):
        measure(ours, ours.replace({"x": {2.0: np.inf}}))


def test_variances_below_0_and_levels_in_per_cent():
    with pytest.raises(ValueError, match="variances must hold numbers, 0 or more"):
        sr.combine_partially_synthetic([1, 2], [1, -5])
    with pytest.raises(ValueError, match="level must be a number from 0 to 1, not 95"):
        sr.combine_partially_synthetic([1, 2], [1, 1]).interval(95)


def test_a_pool_lends_no_more_data_sets_than_it_has():
    with pytest.raises(ValueError, match="m is 3, but the pool has only 2"):
        sr.average_of_m(pd.DataFrame({"risk": [1.0, 2]}), 3)
