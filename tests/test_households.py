"""Households: the round trip, the synthesis, weights, and the risks, against counting by hand."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from synthrisk_edu.households import (
    attribute_risk,
    down_weights,
    draw_sample,
    extremes,
    flatten,
    marginals,
    mean_ratios,
    near_incomes,
    plan,
    population_counts,
    qi_names,
    qi_table,
    sampling_fractions,
    spouses,
    structure,
    synthesize,
    tables,
    unflatten,
    unique_pairs,
    unique_uniques,
)
from synthrisk_edu.households.structure import KEYS, columns_of_wide, slot_column
from synthrisk_edu.households.weights import _rake, _trimmed, recalibrate
from synthrisk_edu.utility import pmse_tables

QIS = qi_names()

# Every pattern of the report's Table 2: the couples, as numbers of persons, of one household
TABLE_2 = [(1,), (2,), (1, 1), (2, 1), (1, 2), (1, 1, 1)]


def people(patterns, seed=0, missing=0.0):
    """Make both files of households with given couples: (2, 1) is a couple and a widow."""
    rng = np.random.default_rng(seed)
    rows = [
        (home, couple, place)
        for home, pattern in enumerate(patterns, start=101)
        for couple, size in enumerate(pattern, start=1)
        for place in range(1, size + 1)
    ]
    persons = pd.DataFrame(rows, columns=["household", "couple", "place"])
    n = len(persons)
    persons["gender"] = pd.Categorical(rng.choice(["female", "male"], n))
    persons["age"] = pd.Categorical(rng.choice(["45-49", "50-54", "over 54"], n))
    persons["education"] = rng.choice(["none", "school"], n)
    persons["health"] = rng.integers(1, 6, n)
    persons["working"] = rng.random(n) < 0.4
    persons["earnings"] = np.round(rng.lognormal(8, 1, n) * (rng.random(n) < 0.4))
    persons["weight"] = rng.uniform(1, 3, n)
    if missing:
        persons["health"] = persons["health"].astype("Int64").mask(rng.random(n) < missing)
        persons["education"] = persons["education"].mask(rng.random(n) < missing)
    size = [sum(pattern) for pattern in patterns]
    households = pd.DataFrame(
        {
            "household": np.arange(101, 101 + len(patterns)),
            "region": rng.choice(["North", "South"], len(patterns)),
            "rural": rng.choice(["rural", "urban"], len(patterns)),
            "residents": np.array(size) + rng.integers(0, 4, len(patterns)),
            "respondents": size,
            "head_gender": rng.choice(["female", "male"], len(patterns)),
            "weight": rng.uniform(1, 3, len(patterns)),
        }
    )
    state = rng.integers(1, 4, len(patterns)).astype(str)
    households.insert(2, "state", households["region"].str[0] + state)
    return persons, households


def few_variables(persons):
    """Keep a category, a whole number and a quantity: every further one is a tree more a slot."""
    return persons[[*KEYS, "gender", "health", "earnings", "weight"]]


def patterns(n, largest=8, seed=0):
    """Draw the couples of n households with up to `largest` respondents, small ones more often."""
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(n):
        left = min(int(rng.geometric(0.5)), largest)
        couples = []
        while left:
            couples.append(min(left, int(rng.integers(1, 3))))
            left -= couples[-1]
        drawn.append(tuple(couples))
    return drawn


def same(a, b):
    pd.testing.assert_frame_equal(a, b, check_exact=True)


# The round trip


def test_every_pattern_of_table_2_comes_back():
    persons, households = people(TABLE_2)
    wide = flatten(persons, households)
    assert columns_of_wide(wide).slots == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]
    back = unflatten(wide)
    same(back[0], persons)
    same(back[1], households)


def test_every_pattern_of_up_to_eight_persons_comes_back():
    every = [
        pattern
        for number in range(1, 9)
        for pattern in product((1, 2), repeat=number)
        if sum(pattern) <= 8
    ]
    persons, households = people(every, missing=0.2)
    back = unflatten(flatten(persons, households))
    same(back[0], persons)
    same(back[1], households)


def test_a_household_flattened_by_hand():
    persons, households = people([(2, 1), (1,)], seed=3)
    wide = flatten(persons, households)
    assert wide.filter(like="present").to_numpy().tolist() == [[1, 1, 1], [1, 0, 0]]
    assert wide["health_1_2"].isna().tolist() == [False, True]
    assert wide.loc[0, "health_2_1"] == persons.loc[2, "health"]
    assert wide.loc[1, "gender_1_1"] == persons.loc[3, "gender"]


def test_rows_in_any_order_give_the_same_wide_file():
    persons, households = people(patterns(60))
    shuffled = persons.sample(frac=1, random_state=1)
    same(flatten(shuffled, households), flatten(persons, households))


def test_random_files_come_back_whatever_their_types():
    for seed in range(20):
        persons, households = people(patterns(12, 12, seed), seed, missing=0.3 * (seed % 2))
        persons["seen"] = pd.Timestamp("2026-11-16") + pd.to_timedelta(np.arange(len(persons)), "D")
        back = unflatten(flatten(persons, households))
        same(back[0], persons)
        same(back[1], households)


def test_numbers_of_couples_and_places_may_be_read_as_floats():
    persons, households = people([(2, 1), (1,)])
    read = persons.astype({"couple": float, "place": "Float64"})
    same(flatten(read, households), flatten(persons, households))


def test_no_variable_is_lost_for_its_name():
    persons, households = people([(2, 1), (1,)])
    persons = persons.rename(columns={"health": "health,\nself-reported", "age": "age_1"})
    same(unflatten(flatten(persons, households))[0], persons)


def hand_made(first, second):
    """Two households, a couple and a widow, with a variable x typed in by hand."""
    flags = {"household": [1, 2], "present_1_1": [1, 1], "present_1_2": [1, 0]}
    return pd.DataFrame(flags).assign(x_1_1=first, x_1_2=second)


@pytest.mark.parametrize(
    ("first", "second", "values"),
    [
        ([3, 4], [1.5, np.nan], [3, 1.5, 4]),
        ([True, False], [2.0, np.nan], [True, 2, False]),
        (pd.Categorical(["a", "b"]), pd.Categorical(["c", None]), ["a", "c", "b"]),
        ([3, 4], ["c", None], [3, "c", 4]),
        ([3, 4], [2.0, np.nan], [3, 2, 4]),
    ],
)
def test_values_typed_in_by_hand_come_out_unchanged(first, second, values):
    found = unflatten(hand_made(first, second))[0]["x"]
    assert found.tolist() == values
    # Whole numbers with a gap, as a file has them, are whole numbers again.
    assert (found.dtype == "int64") == (values == [3, 2, 4])


def test_a_person_without_a_value_in_a_file_of_whole_numbers():
    found = unflatten(hand_made([3, 4], [np.nan, np.nan]))[0]["x"]
    assert found.isna().tolist() == [False, True, False]


def test_ids_of_a_wide_file_stand_once():
    wide = flatten(*people([(2,), (1, 1)]))
    with pytest.raises(ValueError, match="household 7 stands more than once"):
        unflatten(wide.assign(household=7))


def test_cut_to_the_first_respondents():
    persons, households = people([(2, 2), (1,), (1, 1, 1)])
    wide = flatten(persons, households, max_respondents=2)
    kept, homes = unflatten(wide)
    assert homes["respondents"].tolist() == [2, 1, 2]
    assert kept[["couple", "place"]].to_numpy().tolist() == [[1, 1], [1, 2], [1, 1], [1, 1], [2, 1]]
    same(unflatten(flatten(persons, households, max_respondents=4))[0], persons)


def test_the_first_respondents_are_the_first_in_any_order_of_the_rows():
    persons, households = people(patterns(30, 5))
    shuffled = persons.sample(frac=1, random_state=2)
    cut = flatten(persons, households, max_respondents=2)
    same(flatten(shuffled, households, max_respondents=2), cut)


def test_flatten_changes_nothing_of_the_callers():
    persons, households = people(patterns(20))
    before = persons.copy(deep=True), households.copy(deep=True)
    unflatten(flatten(persons, households, max_respondents=2))
    same(persons, before[0])
    same(households, before[1])


def spoil(persons, households, how):
    """One mistake in the files of two households with couples (2,) and (1, 1)."""
    if how == "homeless":
        persons.loc[0, "household"] = 999
    elif how == "id missing":
        persons["household"] = persons["household"].astype(float)
        persons.loc[0, "household"] = np.nan
    elif how == "same place":
        persons.loc[1, "place"] = 1
    elif how == "no first":
        persons.loc[2, "place"] = 2
    elif how == "gap":
        persons.loc[3, "couple"] = 3
    elif how == "place 3":
        persons.loc[1, "place"] = 3
    elif how == "respondents":
        households.loc[0, "respondents"] = 5
    elif how == "nobody":
        households = pd.concat([households, households.tail(1).assign(household=500)])
    elif how == "twice":
        households.loc[1, "household"] = 101
    elif how == "name":
        persons = persons.rename(columns={"age": "present"})
    return persons, households


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("homeless", "household 999 has persons, but is not among the households"),
        ("id missing", "'household' of persons has missing values"),
        ("same place", "household 101 has two persons in the same place of a couple"),
        ("no first", "household 102 has a second person, but not the first of that couple"),
        ("gap", "household 102 has couples that are not numbered 1, 2, 3"),
        ("place 3", "household 101 has a place that is neither 1 nor 2"),
        ("respondents", "household 101 has another number of respondents than of persons"),
        ("nobody", "household 500 has no person"),
        ("twice", "household 101 stands more than once"),
        ("name", "persons has a column 'present'"),
    ],
)
def test_files_that_are_no_households_are_refused(how, sentence):
    persons, households = spoil(*people([(2,), (1, 1)]), how)
    with pytest.raises(ValueError, match=sentence):
        flatten(persons, households)


def test_ids_that_are_text_in_one_file_and_numbers_in_the_other():
    persons, households = people([(2,), (1, 1)])
    with pytest.raises(TypeError, match="'household' holds text in persons and numbers in househ"):
        flatten(persons.astype({"household": str}), households)


@pytest.mark.parametrize(
    ("column", "row", "value", "sentence"),
    [
        ("present_1_1", 0, 0, "household 101 has no person"),
        ("present_2_1", 2, 0, "household 103 has a second person, but not the first"),
        ("respondents", 0, 4, "household 101 has another number of respondents"),
    ],
)
def test_a_wide_file_that_breaks_the_rules_is_refused(column, row, value, sentence):
    wide = flatten(*people([(1,), (2,), (1, 2)]))
    wide.loc[row, column] = value
    with pytest.raises(ValueError, match=sentence):
        unflatten(wide)


def test_the_rules_are_looked_at_once_a_call(monkeypatch):
    """At the door: what a public function calls trusts the file."""
    wide = flatten(*people(patterns(40, 3)))
    calls = []
    check = structure._check_households
    monkeypatch.setattr(structure, "_check_households", lambda *files: calls.append(check(*files)))
    for call in (
        lambda: unflatten(wide),
        lambda: synthesize(wide, 2, seed=1),
        lambda: qi_table(wide),
        lambda: spouses(wide, "health"),
        lambda: extremes(wide, "health"),
    ):
        calls.clear()
        call()
        assert len(calls) == 1


@pytest.mark.parametrize("nobody", [0, 0.0, False, pd.NA])
def test_nobody_is_there_where_the_flag_is_not_1(nobody):
    wide = hand_made([3, 4], [5, None])
    wide["present_1_2"] = pd.Series([1, nobody]).convert_dtypes()
    assert unflatten(wide)[0]["x"].tolist() == [3, 5, 4]
    with pytest.raises(ValueError, match="household 2 has a value of 'x_1_2'"):
        unflatten(wide.assign(x_1_2=[5, 6]))


# The synthesis


def test_what_predicts_what_by_hand():
    """Weights predict weights alone; a person's variable sees the same one of all before."""
    persons, households = people([(2, 2), (1,)])
    wide = flatten(
        persons[["household", "couple", "place", "weight", "age"]],
        households[["household", "weight", "region", "state", "respondents"]],
    )
    assert {column.name: " ".join(column.predictors) for column in plan(wide)} == {
        "respondents": "region state",
        "weight": "region state respondents",
        "age_1_1": "state respondents",
        "weight_1_1": "weight age_1_1",
        "present_1_2": "state respondents age_1_1",
        "age_1_2": "state respondents age_1_1",
        "weight_1_2": "weight age_1_2 weight_1_1",
        "age_2_1": "state respondents age_1_1 age_1_2",
        "weight_2_1": "weight age_2_1 weight_1_1 weight_1_2",
        "present_2_2": "state respondents present_1_2 age_2_1",
        "age_2_2": "state respondents age_1_1 age_1_2 age_2_1",
        "weight_2_2": "weight age_2_2 weight_1_1 weight_1_2 weight_2_1",
    }


def assert_structure(wide):
    """The rules of a household, each looked up on its own."""
    flags = {
        slot: wide[slot_column("present", slot)].to_numpy() for slot in columns_of_wide(wide).slots
    }
    assert (flags[1, 1] == 1).all()
    for (couple, place), flag in flags.items():
        assert set(np.unique(flag)) <= {0, 1}
        if place == 2:
            assert (flag <= flags[couple, 1]).all()
        elif couple > 1:
            assert (flag <= flags[couple - 1, 1]).all()
        for name in columns_of_wide(wide).of_persons:
            missing = wide[slot_column(name, (couple, place))].isna().to_numpy()
            assert missing[flag == 0].all()
            assert not missing[flag == 1].any()
    assert (sum(flags.values()) == wide["respondents"]).all()


@pytest.mark.parametrize("seed", [0, 1, 3, 7])
def test_every_synthetic_household_keeps_the_rules(seed):
    """Each seed is another way to weigh: not, trees and donors, trees alone, and the classes."""
    persons, households = people(patterns(80, 6, seed), seed)
    wide = flatten(persons[[*KEYS, "gender", "health", "weight"]], households)
    weights = np.random.default_rng(seed).integers(0, 2, len(wide)) if seed % 2 else None
    weigh_donors = "classes" if seed == 7 else seed % 4 == 1
    sets = synthesize(wide, 2, weights=weights, weigh_donors=weigh_donors, seed=seed)
    for synthetic in sets:
        assert_structure(synthetic)
        assert list(synthetic.columns) == list(wide.columns)
        assert (synthetic.dtypes == wide.dtypes).all()
        assert (synthetic["residents"] >= synthetic["respondents"]).all()
        assert synthetic["household"].tolist() == list(range(1, len(wide) + 1))
        kept = ["region", "state", "rural"]
        same(synthetic[kept], wide[kept])


def test_equal_seeds_give_equal_files_and_the_input_stays():
    persons, households = people(patterns(80, 3))
    wide = flatten(few_variables(persons), households)
    before = wide.copy(deep=True)
    once, again = (synthesize(wide, seed=4)[0] for _ in range(2))
    same(once, again)
    same(wide, before)
    assert not once.equals(synthesize(wide, seed=5)[0])


def test_a_household_of_weight_zero_never_lends_when_donors_are_weighed():
    persons, households = people(patterns(120, 3))
    persons["earnings"] = np.arange(len(persons)) + 1.0  # everyone's own mark
    wide = flatten(few_variables(persons), households)
    weights = np.arange(len(wide)) % 3 > 0
    marks = set(unflatten(wide[weights])[0]["earnings"])
    drawn = synthesize(wide, 3, weights=weights, weigh_donors=True, seed=1)
    for synthetic in drawn:
        assert set(unflatten(synthetic)[0]["earnings"]) <= marks
    plain = synthesize(wide, weights=weights, seed=1)
    assert not set(unflatten(plain[0])[0]["earnings"]) <= marks


def test_classes_alone_are_silenced_and_numbers_are_lent():
    persons, households = people(patterns(120, 3))
    silent = persons["household"] % 3 == 0
    persons["gender"] = persons["gender"].astype(str).mask(silent, "silent").astype("category")
    persons["earnings"] = np.where(silent, 1.0, 2.0)
    wide = flatten(few_variables(persons), households)
    options = {"weights": wide["household"] % 3 > 0, "seed": 1}
    made = unflatten(synthesize(wide, weigh_donors="classes", **options)[0])[0]
    assert "silent" not in set(made["gender"]) and set(made["earnings"]) == {1, 2}


def test_households_of_weight_zero_leave_no_trace_in_the_trees():
    """Whatever they answer, the others' households are drawn alike."""
    persons, households = people(patterns(120, 3))
    wide = flatten(few_variables(persons), households)
    out = np.arange(len(wide)) % 3 == 0
    other = wide.copy()
    other.loc[out, "health_1_1"] = 5
    other.loc[out, "earnings_1_1"] = 1e6
    options = {"weights": ~out, "weigh_donors": True, "seed": 2}
    same(synthesize(wide, **options)[0], synthesize(other, **options)[0])


def test_a_slot_without_donors_borrows_from_an_earlier_one():
    """Only the north has a third couple; weights take its donors away, and still all is drawn."""
    persons, households = people([(1,), (2,), (1, 1), (2, 1, 1)] * 30, seed=5)
    wide = flatten(few_variables(persons), households)
    weights = wide["present_3_1"] == 0
    weights[wide.index[wide["present_3_1"] == 1][0]] = True
    for weigh_donors in (True, "classes"):
        how = {"weights": weights, "weigh_donors": weigh_donors, "seed": 3}
        assert_structure(synthesize(wide, **how)[0])


def test_a_slot_whose_donors_all_have_weight_zero_borrows_too():
    persons, households = people([(1,), (2,), (1, 1), (2, 1, 1)] * 30, seed=5)
    third = persons["couple"] == 3
    persons["gender"] = persons["gender"].astype(str).mask(third, "silent").astype("category")
    wide = flatten(few_variables(persons), households)
    how = {"weights": wide["present_3_1"] == 0, "weigh_donors": "classes", "seed": 3}
    synthetic = synthesize(wide, **how)[0]
    assert synthetic["present_3_1"].any() and "silent" not in set(synthetic["gender_3_1"])


def test_who_has_nobody_left_to_place_does_not_say_who_has_a_partner():
    """All ten with two or three respondents are couples; sixty live alone and had no choice."""
    persons, households = people([(1,)] * 60 + [(2,)] * 6 + [(2, 1)] * 4)
    homes = households[["household", "respondents"]]
    wide = flatten(persons[[*KEYS, "gender"]], homes)
    for synthetic in synthesize(wide, 3, seed=1):
        several = synthetic[synthetic["respondents"] > 1]
        assert len(several) and (several["present_1_2"] == 1).all()


def test_the_order_and_names_of_other_columns_do_not_matter_to_the_flags():
    """Who has a choice is counted by slots, not by columns that look like flags."""
    persons, households = people([(1,), (2,), (1, 1), (2, 1), (1, 2)] * 12, seed=2)
    wide = flatten(persons[[*KEYS, "gender"]], households[["household", "respondents"]])
    plain = synthesize(wide, seed=1)[0]
    moved = wide[[*wide.columns[::-1]]]
    same(synthesize(moved, seed=1)[0][list(wide.columns)], plain)
    persons, households = persons.assign(present_now="yes"), households.assign(present_note=9)
    synthetic = synthesize(flatten(persons, households), seed=1)[0]
    assert_structure(synthetic)
    # As couples are half of those with two respondents, both kinds must be drawn.
    two = synthetic[synthetic["respondents"] == 2]
    assert 0.2 < two["present_1_2"].mean() < 0.8


def test_missing_places_are_places():
    persons, households = people(patterns(60, 2), seed=4)
    persons = persons[[*KEYS, "gender", "weight"]]
    gaps = np.arange(60) % 4 == 0
    for name in ("region", "state", "rural"):
        for kind in ("str", "category"):
            column = households[name].mask(gaps).astype(kind)
            wide = flatten(persons, households.assign(**{name: column}))
            synthetic = synthesize(wide, seed=1)[0]
            same(synthetic[[name]], wide[[name]])
            assert synthetic["weight"].sum() == pytest.approx(wide["weight"].sum())


def test_residents_in_groups_stay_as_they_are():
    persons, households = people(patterns(40, 2))
    groups = pd.Categorical(np.where(households["residents"] > 3, "many", "few"))
    wide = flatten(persons[[*KEYS, "age"]], households.assign(residents=groups))
    synthetic = synthesize(wide, seed=1)[0]
    assert set(synthetic["residents"]) == {"few", "many"}
    few = flatten(persons[[*KEYS, "age"]], households.assign(residents=np.int8(1)))
    synthetic = synthesize(few.rename(columns={"head_gender": 5}), seed=1)[0]
    assert synthetic["residents"].dtype == "int8"
    assert synthetic["residents"].tolist() == synthetic["respondents"].tolist()


@pytest.mark.parametrize(
    ("change", "error", "sentence"),
    [
        ({"health_1_1": np.inf}, ValueError, "'health_1_1' of wide holds an infinite"),
        ({"weight": np.nan}, ValueError, "'weight' of households has missing values"),
        ({"weight_1_1": np.nan}, ValueError, "'weight' of persons has missing values"),
    ],
)
def test_values_no_tree_can_take_are_refused_before_it_starts(change, error, sentence):
    wide = flatten(*people(TABLE_2[:5] * 2)).assign(**change)
    with pytest.raises(error, match=sentence):
        synthesize(wide)


def test_the_flag_of_a_partner_needs_the_first_person():
    """First persons of couples are men, widows are women: flags that do not see it mix them up."""
    persons, households = people([(2,), (1, 1)] * 200, seed=1)
    couple = persons["household"] % 2 == 1
    persons["gender"] = pd.Categorical(np.where(couple & (persons["place"] == 1), "male", "female"))
    wide = flatten(few_variables(persons), households)

    def men_alone(synthetic):
        alone = synthetic["present_1_2"] == 0
        return (synthetic.loc[alone, "gender_1_1"] == "male").mean()

    assert men_alone(synthesize(wide, seed=1)[0]) < 0.02
    blind = synthesize(wide, flags_see_partner=False, seed=1)[0]
    assert men_alone(blind) > 0.3


def test_nobody_left_to_lend_is_said():
    wide = flatten(*people(patterns(40)))
    weights = (wide["region"] == "North").astype(float)
    with pytest.raises(ValueError, match="every household of a region has weight 0"):
        synthesize(wide, weights=weights, weigh_donors=True)
    synthesize(wide, weights=weights, seed=1)


def test_synthesis_refuses_what_is_no_wide_file():
    wide = flatten(*people(patterns(10)))
    with pytest.raises(KeyError, match="respondents"):
        synthesize(wide.drop(columns="respondents"))
    with pytest.raises(ValueError, match="0 or more"):
        synthesize(wide, weights=[-1] * 10)
    with pytest.raises(KeyError, match="health_1_2"):
        synthesize(wide.drop(columns="health_1_2"))


# Weights


def test_raked_weights_meet_every_total():
    rng = np.random.default_rng(1)
    for _ in range(50):
        n = int(rng.integers(40, 200))
        truth, labels = rng.uniform(0.5, 2, n), rng.integers(0, 3, (2, n))
        margins = [(label, np.bincount(label, truth)) for label in labels]
        raked, error = _rake(rng.uniform(0.1, 9, n), margins)
        assert error < 1e-9
        for label, total in margins:
            np.testing.assert_allclose(np.bincount(label, raked), total, rtol=1e-6)


def test_raking_one_margin_by_hand():
    raked, _ = _rake(np.array([1.0, 3, 5]), [(np.array([0, 0, 1]), np.array([8.0, 10]))])
    assert raked.tolist() == [2, 6, 10]


def test_margins_that_cannot_be_met_at_once_are_seen():
    same = np.array([0, 0, 1, 1])
    _, error = _rake(np.ones(4), [(same, np.array([3.0, 1])), (same, np.array([1.0, 3]))])
    assert error > 0.1


def test_raking_goes_on_until_the_first_margin_holds_too():
    """The last margin, everyone, holds at once: the others do not yet."""
    sex, home, everyone = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.zeros(4, dtype=int)
    totals = np.array([30.0, 10]), np.array([25.0, 15]), np.array([40.0])
    margins = list(zip((sex, home, everyone), totals, strict=True))
    raked, error = _rake(np.array([1.0, 2, 3, 50]), margins)
    assert error < 1e-9
    for label, total in margins:
        np.testing.assert_allclose(np.bincount(label, raked), total, rtol=1e-6)


def test_weights_are_trimmed_around_the_median():
    one, two = np.zeros(3), np.array([0, 0, 1, 1])
    assert _trimmed(np.array([1.0, 2.0, 100.0]), one).tolist() == [1, 2, 10]
    assert _trimmed(np.array([0.1, 2.0, 3.0]), one).tolist() == [0.4, 2, 3]
    # Within groups: what is common in a small state is no outlier.
    assert _trimmed(np.array([1.0, 1.0, 100.0, 100.0]), two).tolist() == [1, 1, 100, 100]
    # Most weights are 0, and so is their median: there is nothing to trim by.
    assert _trimmed(np.array([0.0, 0.0, 5.0]), one).tolist() == [0, 0, 5]


def test_synthetic_weights_meet_the_confidential_totals():
    persons, households = people(patterns(400, 4), seed=2)
    wide = flatten(persons, households)
    synthetic = synthesize(wide, seed=1)[0]
    their_persons, their_households = unflatten(synthetic)
    for ours, theirs, margins in (
        (households, their_households, [["state", "rural", "head_gender"]]),
        (
            persons.merge(households[["household", "rural"]], on="household"),
            their_persons.merge(their_households[["household", "rural"]], on="household"),
            [["gender", "age"], ["rural"], ["gender", "education"]],
        ),
    ):
        for margin in margins:
            wanted = ours.groupby(margin, observed=True)["weight"].sum()
            have = theirs.groupby(margin, observed=True)["weight"].sum()
            np.testing.assert_allclose(have, wanted, rtol=1e-6)


def test_weights_that_fit_within_their_state_stay():
    """In a few large states weights are a hundred times those of the many small: no outliers."""
    persons, households = people([(1,)] * 60)
    small = np.arange(60) < 40
    households["state"] = np.where(small, "N1", "N2")
    households["weight"] = np.where(small, 1.0, 100.0) * np.resize([1, 2, 3], 60)
    wide = flatten(persons.drop(columns="weight"), households)
    np.testing.assert_allclose(recalibrate(wide, wide)["weight"], wide["weight"])


def test_without_states_the_finest_margins_are_met():
    persons, households = people(patterns(300, 3), seed=2)
    wide = flatten(persons, households.drop(columns=["region", "state"]))
    theirs, their_homes = unflatten(synthesize(wide, seed=1)[0])
    for ours, made, margin in (
        (persons, theirs, ["gender", "age"]),
        (persons, theirs, ["gender", "education"]),
        (households, their_homes, ["rural", "head_gender"]),
    ):
        totals = [one.groupby(margin, observed=True)["weight"].sum() for one in (ours, made)]
        np.testing.assert_allclose(*totals, rtol=1e-6)


def test_weights_of_zero_can_be_synthesized():
    persons, households = people(patterns(40, 2))
    wide = flatten(persons, households.assign(weight=np.arange(40) % 2))
    synthetic = synthesize(wide, seed=1)[0]
    assert (synthetic["weight"] >= 0).all() and synthetic["weight"].sum() == pytest.approx(20)


def with_places(persons, households):
    return persons.merge(households[["household", "state", "rural"]], on="household")


def test_persons_stand_for_as_many_within_every_state():
    persons, households = people(patterns(400, 4), seed=2)
    synthetic = synthesize(flatten(persons, households), seed=1)[0]
    ours, theirs = with_places(persons, households), with_places(*unflatten(synthetic))
    assert ours.state.nunique() > 1
    for margin in (["gender", "age"], ["rural"], ["gender", "education"]):
        wanted, have = (
            one.groupby(["state", *margin], observed=True)["weight"].sum() for one in (ours, theirs)
        )
        assert wanted.index.equals(have.index)
        np.testing.assert_allclose(have, wanted, rtol=1e-6)


def test_where_a_combination_is_missing_its_state_meets_coarser_totals():
    persons, households = people(patterns(400, 4), seed=2)
    synthetic = synthesize(flatten(persons, households), seed=1)[0]
    first = households[households["state"] == households["state"].iloc[0]]
    here = persons["household"].isin(first["household"])
    persons["education"] = persons["education"].mask(here, "none")  # nobody there went to school
    again = unflatten(recalibrate(synthetic, flatten(persons, households)))
    ours, theirs = with_places(persons, households), with_places(*again)
    for margin in (["state", "gender", "age"], ["state", "rural"]):
        totals = [one.groupby(margin, observed=True)["weight"].sum() for one in (ours, theirs)]
        np.testing.assert_allclose(*totals, rtol=1e-6)


def test_small_files_give_up_the_finest_margins_and_keep_the_total():
    for seed in range(5):
        persons, households = people(patterns(12, 3, seed), seed)
        wide = flatten(persons.drop(columns=["health", "working", "earnings"]), households)
        synthetic = synthesize(wide, seed=seed)[0]
        assert synthetic["weight"].sum() == pytest.approx(wide["weight"].sum())
        totals = [unflatten(one)[0]["weight"].sum() for one in (wide, synthetic)]
        assert totals[0] == pytest.approx(totals[1])


def test_weights_of_zero():
    persons, households = people(patterns(12, 2))
    wide = flatten(persons.assign(weight=0.0), households.assign(weight=0.0))
    assert (recalibrate(wide, wide)["weight"] == 0).all()


def test_a_file_without_weights_stays_as_it_is():
    persons, households = people(patterns(30))
    wide = flatten(persons.drop(columns="weight"), households.drop(columns="weight"))
    same(recalibrate(wide, wide), wide)


# Identification and attribute risk


def brute_force(confidential, synthetic, qis):
    """SU-CU pairs by comparing every household with every other."""

    def equal(a, b):
        return all(a[name] == b[name] or (pd.isna(a[name]) and pd.isna(b[name])) for name in qis)

    ours, theirs = confidential.to_dict("records"), synthetic.to_dict("records")
    pairs = []
    for i, one in enumerate(ours):
        there = [j for j, other in enumerate(theirs) if equal(one, other)]
        if len(there) == 1 and sum(equal(one, other) for other in ours) == 1:
            pairs.append([i, there[0]])
    return pairs


def small_tables(seed, n=25):
    """Two small files with ties, missing second persons and incomes of 0."""
    rng = np.random.default_rng(seed)

    def table():
        alone = rng.random(n) < 0.3
        return pd.DataFrame(
            {
                "state": rng.choice(["A", "B"], n),
                "age_1": pd.Categorical(rng.choice(["old", "young"], n)),
                "age_2": pd.Categorical(rng.choice(["old", "young"], n)).remove_unused_categories(),
                "residents": rng.integers(1, 5, n),
                "income": np.round(rng.normal(100, 60, n), -1) * (rng.random(n) < 0.8),
            }
        ).assign(age_2=lambda t: t["age_2"].mask(alone))

    return table(), table()


def test_su_cu_a1_and_a2_against_counting_one_by_one():
    qis = ["state", "age_1", "age_2", "residents"]
    looked_at = 0
    for seed in range(60):
        ours, theirs = small_tables(seed)
        pairs = brute_force(ours, theirs, qis)
        assert unique_pairs(ours, theirs, qis).to_numpy().tolist() == pairs
        r = np.random.default_rng(seed).random(len(ours))
        table = unique_uniques(ours, theirs, qis, r)
        assert table.loc["SU-CU", "households"] == len(pairs)
        assert table.loc["r > 0.5", "households"] == sum(r[i] > 0.5 for i, _ in pairs)
        # So small a file is one leaf, and a2 counts over all synthetic incomes.
        risk = attribute_risk(ours, theirs, qis, "income", r, thresholds=[0.5])
        chosen = [(i, j) for i, j in pairs if r[i] > 0.5 and ours["income"][i] != 0]
        assert risk.loc[0.5, "records"] == len(chosen)
        for b in (50, 20, 10):
            hits, shares = 0, []
            for i, j in chosen:
                x, factor = ours["income"][i], 1 + b / 100
                low, high = sorted([x / factor, x * factor])
                hits += low < theirs["income"][j] < high
                shares.append(np.mean([low < value < high for value in theirs["income"]]))
            assert risk.loc[0.5, f"a1({b})"] == hits
            if chosen:
                looked_at += 1
                assert risk.loc[0.5, f"a2({b})"] == pytest.approx(np.mean(shares), abs=1e-12)
            else:
                assert np.isnan(risk.loc[0.5, f"a2({b})"])
    assert looked_at > 60


def test_a2_uses_the_leaf_the_household_falls_into():
    """Two towns with different incomes: the tree knows which, and the share is 1 or 0."""
    door = {"town": ["A"] * 40 + ["B"] * 40, "door": [str(number) for number in range(80)]}
    ours = pd.DataFrame(door).assign(income=[100.0] * 40 + [900.0] * 40)
    theirs = ours.assign(income=[101.0] * 40 + [300.0] * 40)
    near = near_incomes(ours, theirs, ["town", "door"], "income")
    assert near["a1(10)"].tolist() == [True] * 40 + [False] * 40
    assert near["a2(10)"].tolist() == [1.0] * 40 + [0.0] * 40


def test_the_ends_of_the_range_do_not_count():
    ours = pd.DataFrame({"town": ["A"], "income": [100.0]})
    for income, hit in ((150.0, False), (149.9, True), (100 / 1.5, False), (66.7, True)):
        theirs = ours.assign(income=income)
        near = near_incomes(ours, theirs, ["town"], "income", b=[50])
        assert near["a1(50)"].tolist() == [hit]


def test_files_of_different_length_and_without_any_pair():
    ours, theirs = small_tables(1)
    found = unique_uniques(ours, theirs.head(5), ["state", "age_1"])
    assert found.loc["all", "households"] == 25
    nothing = attribute_risk(ours, ours.assign(state="C"), ["state"], "income", [0.5] * 25)
    assert nothing["records"].tolist() == [0, 0, 0]


def test_what_the_risks_refuse():
    ours, theirs = small_tables(2)
    with pytest.raises(KeyError, match="'shoe size'"):
        unique_uniques(ours, theirs, ["state", "shoe size"])
    with pytest.raises(ValueError, match="qis is empty"):
        unique_uniques(ours, theirs, [])
    with pytest.raises(ValueError, match="1 numbers for 25 records"):
        unique_uniques(ours, theirs, ["state"], r=[0.5])
    with pytest.raises(ValueError, match="outside 0 to 1"):
        unique_uniques(ours, theirs, ["state"], r=[2.0] * 25)
    with pytest.raises(TypeError, match="'state'"):
        attribute_risk(ours, theirs, ["age_1"], "state", [0.2] * 25)

    with pytest.raises(ValueError, match="'door' of confidential holds an infinite"):
        one = pd.DataFrame({"town": ["A"], "door": [np.inf], "income": [5.0]})
        near_incomes(one, one, ["town", "door"], "income")


def test_r_above_a_threshold_is_more_than_the_threshold():
    ours = pd.DataFrame({"state": list("AB"), "income": [100.0, 100.0]})
    found = unique_uniques(ours, ours, ["state"], [0.5, 0.6], thresholds=[0.5])
    assert found["households"].tolist() == [2, 2, 1]
    near = attribute_risk(ours, ours, ["state"], "income", [0.5, 0.6], thresholds=[0.5])
    assert near["records"].tolist() == [1]


def test_no_threshold_gives_an_empty_table():
    ours, theirs = small_tables(2)
    assert len(attribute_risk(ours, theirs, ["state"], "income", [0.2] * 25, thresholds=[])) == 0
    assert list(unique_uniques(ours, theirs, ["state"], [0.2] * 25, []).index) == ["all", "SU-CU"]


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"household": "state"}, TypeError, "household must be a list"),
        ({"household": ["shoe size"]}, KeyError, "no column 'shoe size'"),
        ({"person": ["shoe"]}, KeyError, "no column 'shoe'"),
        ({"total": "shoe"}, KeyError, "no column 'shoe'"),
        ({"total": "gender"}, TypeError, "'gender' of persons must hold numbers"),
    ],
)
def test_what_an_intruder_cannot_know_is_refused(options, error, sentence):
    wide = flatten(*people(TABLE_2))
    with pytest.raises(error, match=sentence):
        qi_table(wide, **options)
    with pytest.raises(KeyError, match="no column 'household'"):
        qi_table(pd.DataFrame({"age": [1]}))


def test_first_and_second_respondent_come_in_order():
    wide = flatten(*people([(1, 1), (2,), (1,), (1, 2)], seed=8))
    table = qi_table(wide)
    assert list(table.columns) == [*QIS, "income"]
    assert table.loc[0, "age_2"] == wide.loc[0, "age_2_1"]
    assert table.loc[1, "age_2"] == wide.loc[1, "age_1_2"]
    assert table.loc[2, [name for name in QIS if name.endswith("_2")]].isna().all()
    assert table.loc[3, "income"] == wide.filter(like="earnings").loc[3].sum()


def test_whole_numbers_of_a_second_person_stay_whole():
    table = qi_table(flatten(*people([(1, 1), (1,)])), household=[], person=["health"], total=None)
    assert table.dtypes.astype(str).to_dict() == {"health_1": "int64", "health_2": "Int64"}


# Protection


def test_down_weights_by_hand():
    r = pd.Series([np.nan, 0.0, 0.3, 0.5, 0.51, 1.0], index=list("abcdef"))
    assert down_weights(r, 0.5).tolist() == [1, 1, 1 - 0.3**2, 0.75, 0, 0]
    assert down_weights(r, 0).tolist() == [1, 1, 0, 0, 0, 0]
    assert list(down_weights(r, 0.9).index) == list("abcdef")
    for wrong in (-0.1, 1.5):
        with pytest.raises(ValueError, match="cutoff"):
            down_weights(r, wrong)
    assert down_weights([None, 0.5, 1.0], 0.5).tolist() == [1, 0.75, 0]
    assert down_weights(np.array([0.5, np.nan]), 0.4).tolist() == [0, 1]
    with pytest.raises(ValueError, match="outside 0 to 1"):
        down_weights([20, 50], 0.5)  # per cent


# The population


def test_population_counts_and_fractions_by_hand():
    population = pd.DataFrame(
        {
            "state": list("AAB"),
            "rural": ["yes", "no", "yes"],
            "age_1": [50, 50, 60],
            "count": [10, 5, 4],
        }
    )
    table = pd.DataFrame(
        {"state": list("ABA"), "rural": ["yes", "yes", "yes"], "age_1": [50, 60, 50]}
    )
    assert population_counts(population, table, ["state", "age_1"]).tolist() == [15, 4, 15]
    assert sampling_fractions(population, table).tolist() == [0.2, 0.25, 0.2]


def test_a_drawn_sample_has_the_wanted_sizes_and_no_more_than_exist():
    population = pd.DataFrame(
        {
            "state": list("AAAB"),
            "rural": ["no"] * 4,
            "age_1": [50, 55, 60, 60],
            "count": [3, 1, 2, 4],
        }
    )
    sizes = pd.Series({("A", "no"): 6, ("B", "no"): 2})
    sample = draw_sample(population, sizes, seed=1)
    assert sample.groupby(["state", "age_1"]).size().tolist() == [3, 1, 2, 2]
    with pytest.raises(ValueError, match="must be a whole number from 0 to 6, not 30"):
        draw_sample(population, sizes * 5)


def test_a_sample_without_the_households_of_another():
    population = pd.DataFrame({"state": list("AAAB"), "rural": "no", "age_1": [50, 55, 60, 60]})
    population["count"] = [3, 1, 2, 4]
    first = pd.DataFrame({"age_1": [55, 50, 50, 60], "state": list("AAAB"), "rural": "no"})
    sizes = pd.Series({("A", "no"): 3, ("B", "no"): 3})
    rest = draw_sample(population, sizes, without=first.assign(income=1), seed=1)
    assert rest.groupby(["state", "age_1"]).size().to_dict() == {
        ("A", 50): 1,
        ("A", 60): 2,
        ("B", 60): 3,
    }  # all there is without the first sample
    with pytest.raises(
        ValueError, match=r"sizes\[\('A', 'no'\)\] must be a whole number from 0 to 3"
    ):
        draw_sample(population, sizes + 1, without=first)
    for wrong in (first.assign(age_1=99), pd.concat([first] * 2)):
        with pytest.raises(ValueError, match="without holds more households"):
            draw_sample(population, sizes, without=wrong)
    with pytest.raises(KeyError, match="without has no column 'age_1'"):
        draw_sample(population, sizes, without=first.drop(columns="age_1"))


def test_nobody_is_in_two_samples_that_leave_each_other_out():
    """Every household is a kind of its own, so that who is drawn twice is seen."""
    population = pd.DataFrame({"state": list("AB") * 200, "door": range(400), "count": 1})
    sizes = {"A": 90, "B": 40}
    for seed in range(20):
        first = draw_sample(population, sizes, strata=["state"], seed=seed)
        other = draw_sample(population, sizes, strata=["state"], without=first, seed=seed)
        assert not set(first.door) & set(other.door)
        assert other.groupby("state").size().to_dict() == sizes


@pytest.mark.parametrize(
    ("change", "sizes", "error", "sentence"),
    [
        ({}, {("C", "no"): 1}, KeyError, "is not a stratum of the population"),
        ({}, {("A", "no"): 1.5}, ValueError, "must be a whole number from 0 to 3, not 1.5"),
        ({}, {("A", "no"): np.nan}, ValueError, "must be a whole number from 0 to 3, not nan"),
        ({"count": -1}, {("A", "no"): 1}, ValueError, "whole numbers, 0 or more"),
        ({"count": [0.5, 1.0]}, {("A", "no"): 1}, ValueError, "whole numbers, 0 or more"),
        ({"count": "many"}, {("A", "no"): 1}, ValueError, "count of population must hold"),
    ],
)
def test_samples_that_cannot_be_drawn(change, sizes, error, sentence):
    population = pd.DataFrame({"state": list("AB"), "rural": "no", "count": [3, 4]}).assign(
        **change
    )
    with pytest.raises(error, match=sentence):
        draw_sample(population, pd.Series(sizes))


def test_strata_are_named_and_no_sample_is_larger_than_its_population():
    population = pd.DataFrame({"state": list("AB"), "rural": "no", "count": [3.0, 4.0]})
    drawn = draw_sample(population, pd.Series({"A": 2, "B": 4}), strata=["state"], seed=1)
    assert drawn["state"].tolist() == list("AABBBB")
    assert sampling_fractions(population, drawn, ["state"]).tolist() == [2 / 3] * 2 + [1.0] * 4
    for table in (drawn.assign(state="C"), pd.concat([drawn, drawn])):
        with pytest.raises(ValueError, match=r"but the population has [04]"):
            sampling_fractions(population, table.tail(8), ["state"])
    assert sampling_fractions(population, drawn, []).tolist() == [6 / 7] * 6  # one stratum
    for strata, error in (("state", TypeError), (["shoe"], KeyError)):
        with pytest.raises(error, match=r"strata|shoe"):
            sampling_fractions(population, drawn, strata)
        with pytest.raises(error, match=r"strata|shoe"):
            draw_sample(population, pd.Series({"A": 2}), strata=strata)


# Utility


def survey_file(n=300, seed=0):
    """A small file with the variables of the survey, so that marginals can be made."""
    persons, households = people(patterns(n, 4, seed), seed)
    levels = ["none", "middle", "degree"]
    rng = np.random.default_rng(seed)
    persons["education"] = pd.Categorical(rng.choice(levels, len(persons)), levels)
    persons["working"] = np.where(persons["working"], "yes", "no")
    persons = persons.assign(education_years=rng.integers(0, 12, len(persons)), adl=1)
    return persons, households, flatten(persons, households)


def test_marginals_against_numpy():
    persons, households, wide = survey_file()
    table, weighted = marginals(wide), marginals(wide, weighted=True)
    share = 100 * (persons["gender"] == "female")
    of_homes = (share - share.mean()).groupby(persons["household"]).sum()
    reach = 1.96 * np.sqrt((of_homes**2).sum()) / len(persons)
    np.testing.assert_allclose(
        table.loc["% female"], [share.mean(), share.mean() - reach, share.mean() + reach]
    )
    mean = np.average(persons["earnings"], weights=persons["weight"])
    assert weighted.loc["mean earnings", "estimate"] == pytest.approx(mean)
    paid = persons[persons["earnings"] > 0]
    assert table.loc["% with earnings", "estimate"] == pytest.approx(100 * len(paid) / len(persons))
    mean = np.average(paid["earnings"], weights=paid["weight"])
    assert weighted.loc["mean earnings above 0", "estimate"] == pytest.approx(mean)
    mean = np.average(households["residents"], weights=households["weight"])
    assert weighted.loc["mean residents", "estimate"] == pytest.approx(mean)
    groups = [name for name in table.index if "secondary" in name or "tertiary" in name]
    assert table.loc[groups, "estimate"].sum() == pytest.approx(100)


def test_spouses_and_extremes_one_by_one():
    persons, _, wide = survey_file(80, seed=3)
    pairs, ends = [], []
    for _, home in persons.groupby("household"):
        if len(home) > 1:
            ends.append([home["health"].min(), home["health"].max()])
        for _, couple in home.groupby("couple"):
            genders = dict(zip(couple["gender"], couple["health"], strict=True))
            if len(couple) == 2 and len(genders) == 2:
                pairs.append([genders["female"], genders["male"]])
    found = spouses(wide, "health").to_numpy().tolist()
    assert sorted(found) == sorted(pairs) and len(pairs) > 5
    assert extremes(wide, "health").to_numpy().tolist() == ends


def test_couples_of_unknown_gender_are_no_mixed_couples():
    wide = flatten(*people([(2,)] * 6))
    assert len(spouses(wide.assign(gender_1_1=None), "health")) == 0


def test_what_a_comparison_needs_is_said():
    persons, households, wide = survey_file(20)
    alone = flatten(*people([(1,)] * 4))
    unschooled = persons.assign(education=pd.Categorical(["none"] * len(persons)))
    for call, error, sentence in (
        (lambda: spouses(wide, "working"), TypeError, "must hold numbers"),
        (
            lambda: spouses(wide.filter(regex="^(?!gender)"), "health"),
            KeyError,
            "no column 'gender'",
        ),
        (lambda: extremes(wide, "shoe"), KeyError, "no column 'shoe'"),
        (lambda: extremes(wide, "working"), TypeError, "must hold numbers"),
        (lambda: marginals(alone), KeyError, "education_years"),
        (lambda: marginals(flatten(unschooled, households)), ValueError, "no level 'middle'"),
        (lambda: tables(wide, None), TypeError, "wide must be"),
        (lambda: mean_ratios(None), TypeError, "tables must be"),
    ):
        with pytest.raises(error, match=sentence):
            call()


def test_tables_of_household_variables_count_households():
    _, _, wide = survey_file()
    other = synthesize(wide, seed=1)[0]
    table = tables(wide, other, 2).set_index(["variable_1", "variable_2"])["ratio"]
    names = ["residents", "respondents"]
    alone = pmse_tables(wide[names], other[names], 2).loc[0, "ratio"]
    assert table["residents", "respondents"] == pytest.approx(alone)
    assert not any("weight" in pair or "head_gender" in pair for pair in table.index)
    # Counted on persons, the same table looks different.
    frames = [one.loc[one.index.repeat(one["respondents"]), names] for one in (wide, other)]
    assert pmse_tables(*frames, 2).loc[0, "ratio"] != pytest.approx(alone, rel=0.05)


def test_ratios_of_samples_of_the_same_households_are_near_two():
    """Two independent samples: twice the null of a synthesis; on persons more for households."""
    _, _, wide = survey_file(3000)
    rng = np.random.default_rng(1)
    values = []
    for _ in range(30):
        a, b = (wide.iloc[rng.integers(len(wide), size=len(wide))] for _ in range(2))
        values.append(pmse_tables(a[["residents", "rural"]], b[["residents", "rural"]], 2).ratio[0])
    assert 1.6 < np.mean(values) < 2.4


def test_mean_ratios_by_hand():
    tables = pd.DataFrame(
        {
            "variable_1": list("aab"),
            "variable_2": list("bcc"),
            "pmse": 0.0,
            "ratio": [1.0, 3.0, 8.0],
        }
    )
    assert mean_ratios(tables).to_dict() == {"c": 5.5, "b": 4.5, "a": 2.0}
