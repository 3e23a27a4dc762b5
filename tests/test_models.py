"""The two synthesizers with a model: the regression line and the mixture."""

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu.synthesis import synthesize_dpmpm, synthesize_linear
from synthrisk_edu.synthesis.dpmpm import GibbsSampler

# The Bayesian regression line


@pytest.fixture(scope="module")
def positive():
    ce = sr.load_ce()
    return ce[(ce.Income > 0) & (ce.Expenditure > 0)]


def test_only_the_variable_changes(positive):
    one = synthesize_linear(positive, "Expenditure", ["Income", "Tenure"], seed=1)[0]
    rest = positive.columns.drop("Expenditure")
    pd.testing.assert_frame_equal(one[rest], positive[rest])
    assert (one.Expenditure > 0).all()
    assert one.index.equals(positive.index)


def test_the_draws_have_the_posterior_they_should():
    # Each synthetic regression has the mean β̂ and twice the variance of β̂: once for the drawn
    # β, once for the drawn values.
    rng = np.random.default_rng(2)
    x = rng.normal(size=200)
    data = pd.DataFrame({"x": x, "y": 3 + 2 * x + rng.normal(size=200)})
    slope, cov = np.polyfit(data.x, data.y, 1, cov="unscaled")
    rss = ((data.y - np.polyval(slope, data.x)) ** 2).sum()
    sets = synthesize_linear(data, "y", ["x"], 2000, log=False, seed=2)
    slopes = np.array([np.polyfit(one.x, one.y, 1)[0] for one in sets])
    variance = rss / 198 * cov[0, 0]
    assert abs(slopes.mean() - slope[0]) < 4 * np.sqrt(2 * variance / 2000)
    assert abs(slopes.var() / (2 * variance) - 1) < 0.15


def test_m_sets_have_parameters_of_their_own_and_equal_seeds_are_equal(positive):
    sets = synthesize_linear(positive, "Expenditure", ["Income"], 3, seed=3)
    again = synthesize_linear(positive, "Expenditure", ["Income"], 3, seed=3)
    pd.testing.assert_frame_equal(sets[2], again[2])
    means = {round(np.log(one.Expenditure).mean(), 6) for one in sets}
    assert len(means) == 3


def test_the_line_is_kept_on_the_log_scale(positive):
    one = synthesize_linear(positive, "Expenditure", ["Income"], seed=4)[0]
    true = np.polyfit(np.log(positive.Income), np.log(positive.Expenditure), 1)
    kept = np.polyfit(np.log(one.Income), np.log(one.Expenditure), 1)
    assert abs(kept[0] - true[0]) < 0.03 and abs(kept[1] - true[1]) < 0.35


LINEAR_WRONG = [
    (lambda d: synthesize_linear(d, "Wealth", ["Income"]), KeyError, "no column 'Wealth'"),
    (lambda d: synthesize_linear(d, "Expenditure", ["Wealth"]), KeyError, "no column 'Wealth'"),
    (lambda d: synthesize_linear(d, "Expenditure", "Income"), TypeError, r"\['Income'\]"),
    (lambda d: synthesize_linear(d, "Tenure", ["Income"]), TypeError, "'Tenure' of data must hold"),
    (lambda d: synthesize_linear(d, "Expenditure", ["Income"], 0), ValueError, "m must be"),
    (
        lambda d: synthesize_linear(d.assign(Income=-d.Income), "Expenditure", ["Income"]),
        ValueError,
        "'Income' of data has 40 values that are 0 or negative",
    ),
    (
        lambda d: synthesize_linear(d.assign(Income=np.nan), "Expenditure", ["Income"]),
        ValueError,
        "'Income' of data has missing values",
    ),
    (lambda d: synthesize_linear(d[:2], "Expenditure", ["Income"]), ValueError, "2 rows for 2 coe"),
]


@pytest.mark.parametrize(("wrong", "error", "words"), LINEAR_WRONG)
def test_linear_bad_input(positive, wrong, error, words):
    with pytest.raises(error, match=words):
        wrong(positive.head(40))


# The mixture


@pytest.fixture(scope="module")
def people():
    return sr.load_acs()


@pytest.fixture(scope="module")
def mixtures(people):
    return synthesize_dpmpm(people, ["DIS", "HICOV"], 5, iterations=300, seed=1)


def test_dpmpm_changes_only_what_it_should(people, mixtures):
    rest = people.columns.drop(["DIS", "HICOV"])
    for one in mixtures:
        pd.testing.assert_frame_equal(one[rest], people[rest])
        assert (one.dtypes == people.dtypes).all() and one.columns.equals(people.columns)
    assert not mixtures[0].equals(mixtures[1])


def test_dpmpm_equal_seeds_are_equal(people, mixtures):
    again = synthesize_dpmpm(people, ["DIS", "HICOV"], 5, iterations=300, seed=1)
    pd.testing.assert_frame_equal(again[4], mixtures[4])


def test_dpmpm_keeps_marginals_and_what_goes_with_marriage(people, mixtures):
    for one in mixtures:
        for name in ("DIS", "HICOV"):
            assert abs((one[name] == 1).mean() - (people[name] == 1).mean()) < 0.015
            by_mar = [frame.groupby("MAR", observed=True)[name].apply(lambda c: (c == 1).mean())
                      for frame in (people, one)]  # fmt: skip
            assert (by_mar[0] - by_mar[1]).abs().max() < 0.1


def test_dpmpm_finds_two_classes():
    # Two kinds of people who agree on everything within their kind: the mixture must see it.
    rng = np.random.default_rng(2)
    kind = rng.random(1500) < 0.5
    data = pd.DataFrame({name: np.where(kind, "a", "b") for name in ("u", "v", "w")})
    data = data.astype("category")
    one = synthesize_dpmpm(data, ["w"], classes=5, iterations=200, seed=2)[0]
    assert (one.w == data.w).mean() > 0.97


def test_dpmpm_draws_what_an_independent_sampler_draws():
    # The posterior of a tiny table, by brute force: with two classes and one variable the share
    # of a level in the synthetic data is, on average, its posterior mean (counts + 1) / (n + k),
    # up to the little the second class changes.
    data = pd.DataFrame({"x": ["a"] * 30 + ["b"] * 10}, dtype="category")
    sets = synthesize_dpmpm(data, ["x"], 400, classes=2, iterations=2000, seed=3)
    share = np.mean([(one.x == "a").mean() for one in sets])
    assert abs(share - 31 / 42) < 0.02


def test_one_step_of_the_sampler_keeps_probabilities(people):
    sampler = GibbsSampler(people.head(200), 6, np.random.default_rng(1))
    for _ in range(3):
        sampler.step()
        assert np.exp(sampler.log_pi).sum() == pytest.approx(1) and sampler.alpha > 0
        for table in np.split(sampler.phi, np.cumsum(sampler.levels)[:-1]):
            assert table.sum(axis=0) == pytest.approx(np.ones(6))
        assert sampler.class_probabilities().sum(axis=1) == pytest.approx(1)


def test_who_agrees_on_everything_is_dealt_into_classes_at_random(people):
    sampler = GibbsSampler(people.head(1).loc[[0] * 200], 2, np.random.default_rng(1))
    sampler.counts = np.array([[120, 80]])
    first, second = sampler.deal(), sampler.deal()
    assert np.bincount(first).tolist() == np.bincount(second).tolist() == [120, 80]
    assert (first != second).any() and (np.diff(first) < 0).any()


def test_fewer_records_than_classes(people):
    few = people.head(12)
    one = synthesize_dpmpm(few, ["DIS"], iterations=20, seed=1)[0]
    assert one.drop(columns="DIS").equals(few.drop(columns="DIS")) and one.DIS.notna().all()


def test_dpmpm_missing_is_a_level(people):
    data = people.head(600).astype(object).mask(np.random.default_rng(4).random((600, 10)) < 0.1)
    data = data.astype("category")
    one = synthesize_dpmpm(data, ["DIS"], iterations=60, classes=5, seed=4)[0]
    assert 0 < one.DIS.isna().mean() < 0.3


def test_dpmpm_takes_codes_as_a_csv_file_has_them(people):
    coded, plain = people.head(800), people.head(800).astype(int)
    one, same = (
        synthesize_dpmpm(data, ["DIS"], iterations=50, classes=6, seed=5)[0]
        for data in (coded, plain)
    )
    assert one.DIS.astype(int).tolist() == same.DIS.tolist()
    assert same.DIS.dtype == plain.DIS.dtype
    many = plain.assign(income=range(800))
    with pytest.raises(TypeError, match="'income' of data holds quantities"):
        synthesize_dpmpm(many, ["DIS"])


def test_progress_is_shown_after_a_while_and_ctrl_c_ends_the_line(capsys, monkeypatch):
    from synthrisk_edu import progress

    assert list(progress.track(range(3), "quick")) == [0, 1, 2]
    assert capsys.readouterr().out == ""
    clock = iter(range(0, 100, 5))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    steps = progress.track(range(4), "slow")
    assert [next(steps), next(steps)] == [0, 1]
    with pytest.raises(KeyboardInterrupt):
        steps.throw(KeyboardInterrupt)
    out = capsys.readouterr().out
    assert "slow [#####" in out and out.endswith("\n")


DPMPM_WRONG = [
    (lambda d: synthesize_dpmpm(d, ["WEALTH"]), KeyError, "no column 'WEALTH'"),
    (lambda d: synthesize_dpmpm(d, ["DIS"], classes=1), ValueError, "classes must be a whole"),
    (lambda d: synthesize_dpmpm(d, ["DIS"], 0), ValueError, "m must be"),
    (lambda d: synthesize_dpmpm(d, ["DIS"], iterations=1), ValueError, "iterations must be"),
    (
        lambda d: synthesize_dpmpm(d.assign(AGE=2.5), ["DIS"]),
        TypeError,
        "'AGE' of data holds quantities",
    ),
    (lambda d: synthesize_dpmpm(d.assign(DIS=None), ["DIS"]), ValueError, "no value at all"),
]


@pytest.mark.parametrize(("wrong", "error", "words"), DPMPM_WRONG)
def test_dpmpm_bad_input(people, wrong, error, words):
    with pytest.raises(error, match=words):
        wrong(people.head(60))


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))]
)
def test_dpmpm_on_the_real_file(reference, seed):
    acs = pd.read_csv(reference / "acs" / "ACSdata.csv").astype("category")
    sets = synthesize_dpmpm(acs, ["DIS", "HICOV"], 10, seed=seed)
    table = sr.match_all(acs, sets, ["SEX", "RACE", "MAR"], ["DIS", "HICOV"])
    assert 58 < table.expected_match_risk.mean() < 78
    assert table.expected_match_risk.between(52, 84).all()
    assert 0.0005 < table.true_match_rate.mean() < 0.0012


@pytest.mark.slow
def test_a_hundred_syntheses_of_the_real_file_lie_above_its_floor(reference):
    """What the third section of `further/03_measures` says of them."""
    acs = pd.read_csv(reference / "acs" / "ACSdata.csv").astype("category")
    known, synthesized = ["SEX", "RACE", "MAR"], ["DIS", "HICOV"]
    risks = []
    for seed in range(1, 11):
        sets = synthesize_dpmpm(acs, synthesized, 10, seed=seed)
        risks.append(sr.match_all(acs, sets, known, synthesized).expected_match_risk)
    assert risks[0].agg(["min", "max"]).round().tolist() == [58, 74]
    every = pd.concat(risks)
    assert every.agg(["min", "mean", "max"]).round().tolist() == [58, 67, 78]
    assert every.min() > sr.floor(acs, known).summary().expected_match_risk == 57


# Odd but legal, and odd and not


def test_column_names_may_be_numbers():
    data = pd.DataFrame({0: [1.0, 2, 3, 4, 5], 1: [2.0, 4, 6, 9, 9], 2: list("ababa")})
    assert list(synthesize_linear(data, 1, [0], seed=1)[0].columns) == [0, 1, 2]
    assert list(synthesize_dpmpm(data[[2]], [2], classes=2, iterations=4)[0].columns) == [2]


def test_a_line_does_not_predict_a_variable_from_itself():
    data = pd.DataFrame({"x": [1.0, 2, 3, 4, 5], "y": [2.0, 4, 6, 9, 9]})
    with pytest.raises(ValueError, match="'y' cannot be predicted from 'y'"):
        synthesize_linear(data, "y", ["x", "y"])


def test_levels_that_nobody_has_need_no_coefficient():
    data = pd.DataFrame({"x": list("ababa"), "y": [2.0, 4, 6, 9, 9]})
    wide = data.assign(x=pd.Categorical(data.x, list("abcdefgh")))
    narrow, made = (synthesize_linear(one, "y", ["x"], seed=1)[0] for one in (data, wide))
    assert made.y.equals(narrow.y)


@pytest.mark.parametrize("name", ["x", "y"])
def test_a_line_through_infinity(name):
    data = pd.DataFrame({"x": [1.0, 2, 3, 4, 5], "y": [2.0, 4, 6, 9, 9]})
    data.loc[2, name] = np.inf
    with pytest.raises(ValueError, match=f"'{name}' of data holds an infinite value"):
        synthesize_linear(data, "y", ["x"])


def test_a_mixture_of_infinite_or_twice_named_columns():
    data = pd.DataFrame({"x": [1, np.inf] * 5, "y": list("ab") * 5})
    with pytest.raises(ValueError, match="'x' of data holds an infinite value"):
        synthesize_dpmpm(data, ["y"], classes=2)
    with pytest.raises(ValueError, match="2 columns named 'y'"):
        synthesize_dpmpm(data[["y", "y"]], ["y"], classes=2)


# The chain of multinomial regressions says what it cannot do


CHAIN = pd.DataFrame({"town": list("AABB") * 10, "age": range(40), "job": list("ccnp") * 10})


MANY = pd.DataFrame({"a": [f"p{k}" for k in range(6000)], "b": [1, 2] * 3000})


def refit(**columns):
    return lambda: sr.fit_multinomial(CHAIN.assign(**columns), ["job"], ["town", "age"])


def redraw_chain(data):
    chain = sr.fit_multinomial(CHAIN, ["job"], ["town", "age"])
    return chain.draw(data, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (refit(age=np.inf), "'age' of data holds an infinite value"),
        (refit(age=np.nan), "'age' of data has no value at all"),
        (refit(town=None), "'town' of data has no value at all"),
        (lambda: redraw_chain(CHAIN.assign(town="Z")), "'town' has no level 'Z'; its levels are"),
        (lambda: redraw_chain(CHAIN.assign(town=None)), "'town' has no level"),
        (lambda: redraw_chain(CHAIN.assign(age=np.nan)), "'age' of data has missing values"),
        (lambda: redraw_chain(CHAIN.drop(columns="age")), "no column 'age'"),
        (
            lambda: redraw_chain(CHAIN.assign(age=list("ab") * 20)),
            "'age' of data must hold numbers",
        ),
        (lambda: redraw_chain(CHAIN.assign(age=np.inf)), "'age' of data holds an infinite value"),
        (lambda: sr.fit_multinomial(CHAIN, ["job"], ["job"]), "'job' cannot be predicted from"),
        (
            lambda: sr.fit_multinomial(MANY, ["a"], ["b"]),
            "'a' would have 11,998 coefficients",
        ),
    ],
)
def test_the_chain_refuses_what_it_would_get_wrong_without_a_word(wrong, words):
    with pytest.raises((ValueError, TypeError, KeyError), match=words):
        wrong()


def test_a_constant_in_a_chain_is_drawn_as_it_is():
    data = CHAIN.assign(land="same")
    drawn = sr.fit_multinomial(data, ["land", "job"], ["town"]).draw(data, np.random.default_rng(1))
    assert (drawn.land == "same").all()
    without = sr.fit_multinomial(data, ["job"], ["town"])
    assert np.allclose(sr.fit_multinomial(data, ["land", "job"], ["town"]).estimates[1],
                       without.estimates[0])  # fmt: skip


def test_a_chain_that_met_a_missing_predictor_draws_with_one():
    data = CHAIN.assign(age=[np.nan, *range(39)], town=[None, *list("ABB"), *list("AABB") * 9])
    chain = sr.fit_multinomial(data, ["job"], ["town", "age"])
    assert chain.draw(data, np.random.default_rng(1)).job.isin(list("cnp")).all()
