"""CART synthesis: what is borrowed, from whom, and how much risk it leaves."""

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu.synthesis import synthesize_cart
from synthrisk_edu.synthesis.cart import Tree, _ranks, _useful_leaves, code_table
from synthrisk_edu.synthesis.lookalikes import draw_donors

SCENARIOS = {
    1: ["Income"],
    2: ["Tenure", "Income"],
    3: ["Expenditure", "Income"],
    4: ["Tenure", "Expenditure", "Income"],
}


@pytest.fixture(scope="module")
def ce():
    return sr.load_ce()


@pytest.fixture(scope="module")
def made(ce):
    return synthesize_cart(ce, SCENARIOS[4], 5, seed=1)


def test_everything_else_is_bit_identical(ce, made):
    rest = ["Age", "Urban", "Educ", "Marital"]
    for synthetic in made:
        pd.testing.assert_frame_equal(synthetic[rest], ce[rest])
        assert synthetic.columns.equals(ce.columns) and synthetic.index.equals(ce.index)
        assert (synthetic.dtypes == ce.dtypes).all()


def test_values_come_from_the_confidential_support(ce, made):
    for name in SCENARIOS[4]:
        assert set(made[0][name]) <= set(ce[name])


def test_m_data_sets_differ_and_equal_seeds_are_equal(ce, made):
    again = synthesize_cart(ce, SCENARIOS[4], 5, seed=1)
    for one, same in zip(made, again, strict=True):
        pd.testing.assert_frame_equal(one, same)
    assert not made[0].equals(made[1])
    assert not synthesize_cart(ce, SCENARIOS[4], seed=2)[0].equals(made[0])


def test_an_index_of_labels_is_kept_and_ignored(ce):
    labelled = ce.head(300).set_axis(["same"] * 300)
    plain = synthesize_cart(ce.head(300), ["Income"], seed=3)[0]
    kept = synthesize_cart(labelled, ["Income"], seed=3)[0]
    assert kept.index.equals(labelled.index)
    assert kept.Income.tolist() == plain.Income.tolist()


def test_marginals_and_correlations_are_preserved(ce, made):
    positive = (ce.Income > 0) & (ce.Expenditure > 0)
    true = np.log(ce[positive][["Expenditure", "Income"]]).corr().iloc[0, 1]
    for synthetic in made:
        for level, share in ce.Tenure.value_counts(normalize=True).items():
            assert abs((synthetic.Tenure == level).mean() - share) < 0.02
        for name in ("Expenditure", "Income"):
            for q in (0.25, 0.5, 0.75):
                assert abs(synthetic[name].quantile(q) / ce[name].quantile(q) - 1) < 0.08
        both = synthetic[(synthetic.Income > 0) & (synthetic.Expenditure > 0)]
        assert abs(np.log(both[["Expenditure", "Income"]]).corr().iloc[0, 1] - true) < 0.08


def test_no_value_of_the_record_itself_is_favoured():
    # One leaf of n records: a record draws itself once in n, as often as anybody else.
    data = pd.DataFrame({"noise": [0] * 400, "x": np.arange(400)})
    sets = synthesize_cart(data, ["x"], 50, predictors={"x": ["noise"]}, seed=4)
    own = np.mean([(one.x == data.x).mean() for one in sets])
    assert abs(own - 1 / 400) < 4 * np.sqrt(1 / 400 / (50 * 400))


def test_later_variables_see_the_synthetic_earlier_ones():
    rng = np.random.default_rng(5)
    town = rng.choice(["A", "B"], 600)
    data = pd.DataFrame({"town": town, "rent": np.where(town == "A", 10, 20)})
    one = synthesize_cart(data, ["town", "rent"], seed=5)[0]
    assert (one.town.to_numpy() != town).any()
    assert ((one.town == "A") == (one.rent == 10)).all()


def test_full_synthesis_draws_the_first_variable_with_replacement(ce):
    small = ce.head(500)
    one = synthesize_cart(small, list(small.columns), seed=6)[0]
    assert set(one.Age) <= set(small.Age)
    assert one.Age.tolist() != small.Age.tolist()
    assert len(one) == 500


def test_weights_of_zero_remove_a_record_from_the_trees():
    # Ten rows of the second kind say that town B pays 99; without them the towns do not differ.
    data = pd.DataFrame({"town": list("AB") * 100, "rent": [10, 11] * 50 + [11, 10] * 50})
    data.loc[data.index[1:60:2], "rent"] = 99
    weights = np.where(data.rent == 99, 0, 1)
    kept = synthesize_cart(data, ["rent"], weights=weights, weigh_donors=True, seed=7)[0]
    assert 99 not in set(kept.rent)
    # With the weights on the tree only, the records still lend their values.
    lent = synthesize_cart(data, ["rent"], weights=weights, seed=7)[0]
    assert 99 in set(lent.rent)
    # A tree grown without the rows of weight 0 equals one grown on the others alone.
    alone = synthesize_cart(data[data.rent != 99], ["rent"], seed=7)[0]
    same = kept[data.rent != 99]
    assert set(alone.rent) == set(same.rent)


def oracle_shares(values, weights):
    """The chance of every value to be drawn from one leaf: its share of the leaf's weights."""
    total = {value: 0.0 for value in values}
    for value, weight in zip(values, weights, strict=True):
        total[value] += weight
    return {value: one / sum(weights) for value, one in total.items()}


def test_weights_on_classes_alone_act_on_categories_and_not_on_numbers():
    """One leaf: its class probabilities are weighted, its numbers are drawn from all alike."""
    jobs, rents = list("xxxyyz") * 50, [1, 1, 2, 2, 2, 3] * 50
    weights = np.tile([0, 0.5, 1, 3, 0, 2], 50)
    data = pd.DataFrame({"one": "same", "job": jobs, "rent": rents})
    drawn = pd.concat(
        synthesize_cart(
            data,
            ["job", "rent"],
            40,
            predictors={"job": ["one"], "rent": ["one"]},
            weights=weights,
            weigh_donors="classes",
            seed=3,
        )
    )
    wanted = {"job": oracle_shares(jobs, weights), "rent": oracle_shares(rents, np.ones(300))}
    for name, shares in wanted.items():
        for value, share in shares.items():
            seen = (drawn[name] == value).mean()
            assert abs(seen - share) < 4 * np.sqrt(share * (1 - share) / len(drawn)), (name, value)
    assert wanted["job"]["x"] != oracle_shares(jobs, np.ones(300))["x"]


def test_classes_weigh_like_true_and_numbers_like_false():
    rng = np.random.default_rng(1)
    town, job = rng.choice(list("ABC"), 300), rng.choice(list("xyz"), 300)
    data = pd.DataFrame({"town": town, "job": job, "rent": rng.normal(size=300)})
    weights = rng.random(300) * (rng.random(300) > 0.3)
    for name, like in (("job", True), ("rent", False)):
        how = {"weights": weights, "seed": 2}
        ours = synthesize_cart(data, [name], weigh_donors="classes", **how)[0]
        assert ours.equals(synthesize_cart(data, [name], weigh_donors=like, **how)[0])
        assert not ours.equals(synthesize_cart(data, [name], weigh_donors=not like, **how)[0])


def test_weighted_donors_are_drawn_by_their_weight():
    cells = np.zeros(60_000, dtype=int)
    donors = draw_donors(np.zeros(3, int), cells, np.random.default_rng(8), np.array([0.0, 1, 3]))
    shares = np.bincount(donors, minlength=3) / 60_000
    assert shares[0] == 0
    assert abs(shares[2] - 0.75) < 4 * np.sqrt(0.75 * 0.25 / 60_000)


def test_rounding_never_lends_from_a_record_without_weight():
    """The largest lot of all, behind a large weight, lies at the very end of its stretch."""

    class Last:
        def random(self, n):
            return np.full(n, np.nextafter(1, 0))

    group = np.array([0, 1, 1, 2])
    weights = np.array([1e8, 1.0, 0.0, 5.0])
    assert draw_donors(group, np.array([1, 1]), Last(), weights).tolist() == [1, 1]


def test_missing_and_special_values_keep_their_place():
    rng = np.random.default_rng(9)
    n = 2000
    old = rng.random(n) < 0.5
    income = rng.lognormal(7, 0.5, n).round()
    income[old & (rng.random(n) < 0.4)] = np.nan
    income[~old & (rng.random(n) < 0.3)] = -8
    data = pd.DataFrame({"old": np.where(old, "yes", "no"), "income": income})
    one = synthesize_cart(data, ["income"], special={"income": [-8]}, seed=9)[0]
    for group in ("yes", "no"):
        ours, theirs = (frame.income[data.old == group] for frame in (data, one))
        assert abs(ours.isna().mean() - theirs.isna().mean()) < 0.05
        assert abs((ours == -8).mean() - (theirs == -8).mean()) < 0.05
    assert one.income[data.old == "no"].notna().all()
    assert (one.income[data.old == "yes"] != -8).all()


def test_missing_predictors_are_a_branch_of_their_own():
    data = pd.DataFrame({"x": [np.nan, 1.0] * 100, "c": [None, "a"] * 100, "y": [5.0, 9.0] * 100})
    for predictor in ("x", "c"):
        one = synthesize_cart(data, ["y"], predictors={"y": [predictor]}, seed=10)[0]
        assert one.y.tolist() == data.y.tolist()


def test_levels_stand_in_the_order_of_their_mean_outcome():
    codes, ones = np.array([0.0, 1, 2, 0, 1, 2]), np.ones(6)
    # What the tree has never met stands in the middle, and so does missing, the last.
    assert _ranks(codes, 4, np.array([5.0, 1, 3, 5, 1, 3]), ones).tolist() == [2, 0, 1, 1.5, 1.5]
    ranks = _ranks(codes, 3, np.array([0, 2, 1, 0, 2, 1]), ones)
    assert sorted(ranks[:3]) == [0, 1, 2]


def test_columns_of_one_variable_share_their_levels():
    town = {"a": ["x", None, "y"], "b": pd.Categorical(["z", "y", None])}
    data = pd.DataFrame(town).assign(c=[1, 2, 9], d=np.nan)
    coded, levels = code_table(data, [["a", "b"], ["c", "d"]])
    assert list(levels["a"]) == list(levels["b"]) == ["x", "y", "z"]
    assert levels["c"] is None and levels["d"] is None
    found = np.nan_to_num([coded[name] for name in "abcd"], nan=-1)
    assert found.tolist() == [[0, -1, 1], [2, 1, -1], [1, 2, 9], [-1] * 3]


def test_a_record_borrows_from_its_own_leaf():
    """By brute force: whoever lends lies in the same leaf of the tree, and all of them lend."""
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(200, 2)), rng.normal(size=200)
    y += 5 * (x[:, 0] > 0)
    tree = Tree(x, [None, None], y, weights=np.ones(200), min_leaf=20, rng=rng)
    leaf, target = tree.leaves(x), rng.normal(size=(5, 2))
    assert len(set(leaf)) > 1
    drawn = np.array([tree.donors(target, rng) for _ in range(2000)])
    for place, own in enumerate(tree.leaves(target)):
        assert set(drawn[:, place]) == set(np.flatnonzero(leaf == own))


def test_useless_splits_of_a_classification_tree_are_taken_back():
    from sklearn.tree import DecisionTreeClassifier

    # Left half 60 % ones, right half 90 %: purer, yet both halves predict a one.
    x = np.repeat([0.0, 1.0], 100)[:, None]
    y = np.concatenate([np.repeat([1, 0], [60, 40]), np.repeat([1, 0], [90, 10])])
    tree = DecisionTreeClassifier(random_state=0).fit(x, y)
    assert tree.get_n_leaves() == 2
    assert set(_useful_leaves(tree)[tree.apply(x)]) == {0}
    # With 40 % on the left the prediction changes, and the split stays.
    y = np.concatenate([np.repeat([1, 0], [40, 60]), np.repeat([1, 0], [90, 10])])
    tree = DecisionTreeClassifier(random_state=0).fit(x, y)
    assert len(set(_useful_leaves(tree)[tree.apply(x)])) == 2


def test_smallest_leaf_and_smallest_split():
    # 14 records are too few to split (3 × 5); 15 are enough.
    for n, varied in ((14, True), (16, False)):
        data = pd.DataFrame(
            {"x": [0] * (n // 2) + [1] * (n // 2), "y": [1.0] * (n // 2) + [2.0] * (n // 2)}
        )
        sets = synthesize_cart(data, ["y"], 20, seed=11)
        assert any(not one.equals(data) for one in sets) is varied


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (lambda d: synthesize_cart(d, ["Wealth"]), KeyError, "no column 'Wealth'"),
        (lambda d: synthesize_cart(d.assign(k=np.nan), ["k"]), ValueError, "has no value at all"),
        (lambda d: synthesize_cart(d, []), ValueError, "variables is empty"),
        (lambda d: synthesize_cart(d, "Income"), TypeError, r"such as \['Income'\]"),
        (lambda d: synthesize_cart(d, ["Income"], 0), ValueError, "m must be a whole number"),
        (lambda d: synthesize_cart(d, ["Income"], 1.5), ValueError, "m must be a whole number"),
        (lambda d: synthesize_cart(d, ["Income"], min_leaf=0), ValueError, "min_leaf must"),
        (lambda d: synthesize_cart(d, ["Income"], weights=[1]), ValueError, "1 numbers for 50 rec"),
        (lambda d: synthesize_cart(d, ["Income"], weights=[-1] * 50), ValueError, "0 or more"),
        (lambda d: synthesize_cart(d, ["Income"], weights=[0] * 50), ValueError, "all of them 0"),
        (lambda d: synthesize_cart(d, ["Income"], weights="equal"), TypeError, "list of numbers"),
        (
            lambda d: synthesize_cart(d, ["Income"], predictors={"Age": ["Urban"]}),
            KeyError,
            "'Age', which is not one of the variables",
        ),
        (
            lambda d: synthesize_cart(d, ["Tenure", "Income"], predictors={"Tenure": ["Income"]}),
            ValueError,
            "'Tenure' cannot be predicted from 'Income'",
        ),
        (lambda d: synthesize_cart([d], ["Income"]), TypeError, "data must be one data frame"),
        (lambda d: synthesize_cart(d[:0], ["Income"]), ValueError, "empty frame"),
    ],
)
def test_bad_input_gets_one_clear_sentence(ce, wrong, error, words):
    data = ce.head(50)
    before = data.copy()
    with pytest.raises(error, match=words):
        wrong(data)
    pd.testing.assert_frame_equal(data, before)


# On the real file, where it is at hand


@pytest.fixture(scope="module")
def real(reference):
    codes = dict.fromkeys(["Urban", "Tenure", "Educ", "Marital"], "category")
    return pd.read_csv(reference / "ce" / "CEdata.csv").astype(codes)


@pytest.fixture(scope="module")
def real_sweeps(real):
    """The mean expected match risk of 20 syntheses over six radii, for each scenario."""
    radii = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3]
    curves = {}
    for number, names in SCENARIOS.items():
        sets = synthesize_cart(real, names, 20, seed=1)
        varied = [name for name in names if name != "Tenure"]
        sweep = sr.radius_sweep(
            real, sets, ["Age", "Urban", "Marital"], names, radii,
            vary=varied, fixed={"Age": 0.1}, bounds="open",
        )  # fmt: skip
        curves[number] = sweep.groupby("radius").expected_match_risk.mean()
    return curves


@pytest.mark.parametrize(
    ("scenario", "synthpop"),
    [(1, {0.01: 326, 0.1: 158, 0.3: 125}), (3, {0.01: 70, 0.1: 85, 0.3: 80})],
)
def test_risk_is_that_of_synthpop_within_15_percent(real_sweeps, scenario, synthpop):
    for radius, risk in synthpop.items():
        assert abs(real_sweeps[scenario][radius] / risk - 1) < 0.15


def test_more_variables_less_risk_and_a_number_protects_more_than_tenure(real_sweeps):
    highest = {number: curve.max() for number, curve in real_sweeps.items()}
    assert highest[1] > highest[2] > highest[3] > highest[4]


def test_scenario_3_has_its_maximum_inside_the_grid(real_sweeps):
    assert 0.01 < real_sweeps[3].idxmax() < 0.3


# Odd but legal, and odd and not


def test_a_record_of_weight_0_does_not_order_the_levels():
    # By the records that count, levels a and c are alike; by the others, a and b would be.
    levels, weights = np.tile(list("abc"), 40), np.repeat([1.0, 0], 60)
    rent = np.where(levels == "b", 9.0, 1.0)
    rent[60:] = np.where(levels[60:] == "c", -900.0, 500.0)
    data = pd.DataFrame({"Town": levels, "Rent": rent + np.arange(120) / 1e3})
    other = data.assign(Rent=data.Rent.where(weights > 0, data.Rent * -7 + 3))
    made, again = (
        synthesize_cart(one, ["Rent"], weights=weights, weigh_donors=True, min_leaf=15, seed=1)[0]
        for one in (data, other)
    )
    assert made.Rent.equals(again.Rent)
    assert (made.Rent[levels == "b"] >= 9).all()


def test_missing_stands_apart_from_large_numbers():
    big = np.where(np.arange(200) % 2, 1e9 + np.arange(200) % 3, np.nan)
    data = pd.DataFrame({"Id": big, "Rent": np.where(np.isnan(big), 5, 9)})
    assert synthesize_cart(data, ["Rent"], seed=1)[0].equals(data)


def test_a_column_of_special_codes_and_missing_values_alone():
    data = pd.DataFrame({"Town": list("AB") * 50, "Income": [-8.0, np.nan] * 50})
    made = synthesize_cart(data, ["Income"], special={"Income": [-8]}, seed=1)[0]
    pd.testing.assert_frame_equal(made, data)


@pytest.mark.parametrize("weigh_donors", [False, True, "classes"])
def test_quantities_that_all_have_weight_0(weigh_donors):
    income = np.where(np.arange(100) % 2, -8, np.arange(100.0))
    data = pd.DataFrame({"Town": list("AABB") * 25, "Income": income})
    made = synthesize_cart(
        data,
        ["Income"],
        special={"Income": [-8]},
        weights=income == -8,
        weigh_donors=weigh_donors,
        seed=1,
    )[0]
    assert set(made.Income) <= set(income)
    # Without weights every record lends, and half of them hold a quantity.
    code = (made.Income == -8).mean()
    assert code == 1 if weigh_donors else 0.3 < code < 0.7


@pytest.mark.parametrize(
    ("texts", "refused"),
    [
        ([str(k) for k in range(101)], True),  # more different numbers than codes have
        ([str(k) for k in range(100)], False),
        (["1.5", "2"], True),
        (["36,000", "1,250.5"], True),
        (["01", "02", None], False),
        (["1.5", "about 2"], False),
    ],
)
def test_numbers_that_were_read_as_text_are_named_and_codes_pass(texts, refused):
    data = pd.DataFrame({"code": np.resize(np.array(texts, dtype=object), 303), "y": range(303)})
    if refused:
        with pytest.raises(TypeError, match="'code' of data holds numbers that were read as text"):
            synthesize_cart(data, ["y"], seed=1)
    else:
        synthesize_cart(data, ["y"], seed=1)
    coded = data.astype({"code": "category"})
    assert synthesize_cart(coded, ["code"], seed=1)[0].code.dtype == coded.code.dtype


def test_many_classes_in_a_small_table_give_no_warning():
    data = pd.DataFrame({"name": [f"p{k}" for k in range(30)], "town": list("ab") * 15})
    made = synthesize_cart(data, ["name"], seed=1)[0]
    assert set(made.name) <= set(data.name)


def test_a_column_of_objects_stays_one():
    data = pd.DataFrame({"x": pd.Series(["a", None] * 20, dtype=object), "y": range(40)})
    assert synthesize_cart(data, ["x"], seed=1)[0].x.dtype == object


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"special": {"y": -8}}, TypeError, "list of codes"),
        ({"special": {"y": ["-8"]}}, TypeError, "'-8'"),
        ({"special": {"z": [-8]}}, KeyError, "'z'"),
        ({"special": [-8]}, TypeError, "mapping"),
        ({"weigh_donors": "no"}, ValueError, "False, True, 'classes', not 'no'"),
    ],
)
def test_odd_options_in_one_sentence(options, error, words):
    data = pd.DataFrame({"x": list("ab") * 20, "y": range(40)})
    with pytest.raises(error, match=words):
        synthesize_cart(data, ["y"], **options)


@pytest.mark.parametrize("variable", ["x", "y"])
def test_numbers_no_tree_can_split(variable):
    data = pd.DataFrame({"x": [*range(39), np.inf], "y": range(40)})
    with pytest.raises(ValueError, match="'x' of data holds an infinite value"):
        synthesize_cart(data, [variable])


def test_a_column_that_never_changes_stays_as_it_is():
    data = pd.DataFrame({"x": list("ab") * 20, "y": 7, "z": "same"})
    assert synthesize_cart(data, ["y", "z"], seed=1)[0].equals(data)


def test_a_name_that_stands_twice():
    data = pd.DataFrame([[1, 2, 3], [4, 5, 6]], columns=["x", "x", "y"])
    with pytest.raises(ValueError, match="2 columns named 'x'"):
        synthesize_cart(data, ["y"])


@pytest.mark.parametrize(("seed", "error"), [("one", TypeError), (-1, ValueError)])
def test_a_seed_that_is_none(seed, error):
    data = pd.DataFrame({"x": list("ab") * 20, "y": range(40)})
    with pytest.raises(error, match="seed must be a whole number, 0 or more"):
        synthesize_cart(data, ["y"], seed=seed)
