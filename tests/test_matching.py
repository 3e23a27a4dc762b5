"""Matching: hand-worked examples, the R package's answers, and the published figures."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu.words import say

# Ten persons, counted by hand. Sex and Town are known, Job was synthesized.
HAND = pd.DataFrame(
    {
        "Sex": list("FFFFMMMMMM"),
        "Town": list("AAABAABBBB"),
        "Job": ["nurse", "nurse", "baker", "baker"] + ["baker"] * 2 + ["nurse"] * 2 + ["cook"] * 2,
    }
)
HAND_SYNTHETIC = HAND.assign(
    Job=["nurse", "baker", "baker", "nurse"] + ["baker", "cook", "nurse", "cook", "cook", "nurse"]
)
HAND_C = [1, 1, 2, 0, 1, 1, 2, 2, 2, 2]
HAND_T = [1, 0, 1, 0, 1, 0, 1, 0, 1, 0]


@pytest.fixture
def hand():
    return sr.match(HAND, HAND_SYNTHETIC, ["Sex", "Town"], ["Job"])


def test_hand_counted_records(hand):
    assert hand.records.c.tolist() == HAND_C
    assert hand.records["T"].tolist() == HAND_T
    assert hand.records.K.tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert hand.records.F.tolist() == [0, 1, 0, 0, 0, 1, 0, 0, 0, 0]
    assert hand.records.risk.tolist() == [1, 0, 0.5, 0, 1, 0, 0.5, 0, 0.5, 0]


def test_hand_counted_summaries(hand):
    assert hand.summary().to_dict() == {
        "expected_match_risk": 3.5,
        "true_match_rate": 0.2,
        "false_match_rate": 0.5,
        "unique_matches": 4,
    }


def test_targets_may_be_some_of_the_records(hand):
    some = hand.summary(targets=[0, 1, 2])
    assert some.to_dict() == {
        "expected_match_risk": 1.5,
        "true_match_rate": pytest.approx(1 / 3),
        "false_match_rate": 0.5,
        "unique_matches": 2,
    }


def test_no_unique_match_leaves_the_false_match_rate_undefined(hand):
    assert np.isnan(hand.summary(targets=[2, 3]).false_match_rate)


def test_candidates_are_the_synthetic_rows_with_the_confidential_labels():
    labels = list("abcdefghij")
    result = sr.match(HAND.set_axis(labels), HAND_SYNTHETIC, ["Sex", "Town"], ["Job"])
    assert result.candidates(2).index.tolist() == ["b", "c"]
    assert result.candidates(2).Job.tolist() == ["baker", "baker"]
    assert result.candidates(3).empty
    assert result.records.index.tolist() == labels


def test_baseline_is_the_data_matched_with_itself():
    own = sr.baseline(HAND, ["Sex", "Town"], ["Job"])
    assert own.records["T"].eq(1).all()
    # Every cell contributes exactly 1 to the sum, so the sum is the number of cells.
    assert own.summary().expected_match_risk == len(HAND.drop_duplicates())


def test_floor_counts_the_records_equal_on_what_was_left_untouched():
    # By hand, on sex and town: three F A, one F B, two M A, four M B.
    floor = sr.floor(HAND, ["Sex", "Town"])
    assert floor.records.c.tolist() == [3, 3, 3, 1, 2, 2, 4, 4, 4, 4]
    assert floor.records["T"].eq(1).all()
    assert floor.summary().expected_match_risk == pytest.approx(4)  # four combinations
    assert floor.known == ["Sex", "Town"] and floor.synthesized == []


def test_floor_of_an_intruder_who_knows_nothing_is_one_in_all():
    floor = sr.floor(HAND, [])
    assert floor.records.c.eq(10).all() and floor.records["T"].eq(1).all()
    assert floor.summary().expected_match_risk == pytest.approx(1)
    assert "Record 3: the intruder knows nothing to look for. 10 of the 10" in floor.explain(3)


def test_floor_with_a_radius_by_hand():
    # Within 10 %: 100 finds 100 and 109; 109 finds both as well; 200 finds itself.
    floor = sr.floor(pd.DataFrame({"Age": [100, 109, 200]}), ["Age"], 0.1)
    assert floor.records.c.tolist() == [2, 2, 1]
    assert floor.summary().expected_match_risk == 2
    how = {"relative": False, "bounds": "open"}
    assert sr.floor(pd.DataFrame({"Age": [100, 109]}), ["Age"], 9, **how).records.c.tolist() == [
        1,
        1,
    ]


@pytest.mark.parametrize(
    ("i", "words"),
    [
        (0, "true unique match"),
        (1, "somebody else's (Job became baker)"),
        (2, "T/c = 1/2 = 0.5"),
        (3, "Nobody matches"),
        (7, "not among them (Job became cook)"),
    ],
)
def test_explain_tells_each_story(hand, i, words):
    assert words in hand.explain(i)
    assert hand.explain(i).startswith(f"Record {i}: the intruder looks for Sex = ")


def test_where_nobody_matches_the_intruder_may_fall_back():
    found = sr.match(HAND, HAND_SYNTHETIC, ["Sex", "Town"], ["Job"], fallback=True)
    assert found.records.loc[3, ["c", "T", "K", "risk"]].tolist() == [1, 1, 1, 1]
    assert found.summary().expected_match_risk == 4.5  # one more than giving up
    assert found.candidates(3).index.tolist() == [3]
    assert "Nobody matches, so the intruder falls back on Sex and Town: 1 of the 10" in (
        found.explain(3)
    )
    assert "falls back" not in found.explain(0)
    everybody = sr.match(HAND, HAND_SYNTHETIC.assign(Job="pilot"), [], ["Job"], fallback=True)
    assert everybody.records.c.eq(10).all() and everybody.records["T"].all()
    assert "falls back on nothing: 10 of the 10 synthetic records agree there" in (
        everybody.explain(0)
    )
    question = HAND, [HAND_SYNTHETIC], ["Sex", "Town"], ["Job"]
    assert sr.match_all(*question, fallback=True).expected_match_risk.item() == 4.5
    assert sr.record_risk(*question, fallback=True)["mean"].sum() == 4.5


def test_a_sweep_falls_back_too():
    ours = pd.DataFrame({"town": list("AAB"), "x": [10.0, 20, 30]})
    theirs = ours.assign(x=[10.0, 25, 60])
    question = ours, [theirs], ["town"], ["x"], [0, 0.1, 0.5]
    gives_up = sr.radius_sweep(*question).expected_match_risk.tolist()
    falls_back = sr.radius_sweep(*question, fallback=True).expected_match_risk.tolist()
    assert gives_up == [1, 1, 1.5] and falls_back == [2.5, 2.5, 2.5]


def test_explain_with_a_radius_names_the_range():
    confidential = pd.DataFrame({"Income": [1000.0, 500.0, np.nan]})
    synthetic = pd.DataFrame({"Income": [1250.0, 1100.0, np.nan]})
    result = sr.match(confidential, synthetic, [], ["Income"], 0.2)
    assert "Income between 800 and 1,200" in result.explain(0)
    assert "Income became 1,250" in result.explain(0)
    assert "Income = missing" in result.explain(2)
    open_range = sr.match(confidential, synthetic, [], ["Income"], 0.2, bounds="open")
    assert "strictly between 800 and 1,200" in open_range.explain(0)
    assert result.range(0, "Income") == (800, 1200)
    assert np.isnan(result.range(2, "Income")).all()


def test_ellipse_can_lose_what_the_box_keeps():
    confidential = pd.DataFrame({"x": [100.0], "y": [100.0]})
    synthetic = pd.DataFrame({"x": [109.0], "y": [109.0]})
    assert sr.match(confidential, synthetic, [], ["x", "y"], 0.1).records.c[0] == 1
    ellipse = sr.match(confidential, synthetic, [], ["x", "y"], 0.1, shape="ellipse")
    assert ellipse.records.c[0] == 0
    assert "A record must also lie inside the ellipse of x and y." in ellipse.explain(0)


def test_a_radius_of_zero_reads_as_equality():
    data = pd.DataFrame({"x": [100.0]})
    assert "looks for x = 100." in sr.match(data, data, [], ["x"], 0).explain(0)
    assert "strictly between 100 and 100" in sr.match(
        data, data, [], ["x"], 0, bounds="open"
    ).explain(0)


def test_explain_names_both_variables_when_only_the_ellipse_is_left():
    confidential = pd.DataFrame({"x": [100.0, 100.0], "y": [100.0, 100.0]})
    synthetic = pd.DataFrame({"x": [109.0, 100.0], "y": [109.0, 100.0]})
    ellipse = sr.match(confidential, synthetic, [], ["x", "y"], 0.1, shape="ellipse")
    assert "(x became 109 and y became 109): T = 0" in ellipse.explain(0)


@pytest.mark.parametrize(
    ("bounds", "lost"), [("closed", "(y became 80)"), ("open", "(x became 110 and y became 80)")]
)
def test_explain_names_what_is_lost_and_only_that(bounds, lost):
    confidential = pd.DataFrame({"x": [100.0, 100.0], "y": [100.0, 100.0]})
    synthetic = pd.DataFrame({"x": [110.0, 100.0], "y": [80.0, 100.0]})
    result = sr.match(confidential, synthetic, [], ["x", "y"], 0.1, bounds=bounds)
    assert lost in result.explain(0)


def test_explain_does_not_blame_a_zero_that_stayed_zero():
    confidential = pd.DataFrame({"x": [0.0, 0.0], "y": [100.0, 100.0]})
    synthetic = confidential.assign(y=[80.0, 100.0])
    assert "(y became 80)" in sr.match(confidential, synthetic, [], ["x", "y"], 0.1).explain(0)


def test_a_range_finer_than_floating_point_stays_closed():
    # Between 1e16 and 1e16 + 2 there is no number: x + 1 is rounded to a value 2 away.
    confidential = pd.DataFrame({"x": [1e16 - 2, 1e16, 1e16 + 2]})
    result = sr.match(confidential, confidential, [], ["x"], 1, relative=False)
    assert result.records.c.tolist() == [1, 1, 1]


@pytest.mark.parametrize(("bounds", "c"), [("closed", [1, 1, 1]), ("open", [1, 0, 0])])
def test_a_value_on_the_bound(bounds, c):
    confidential = pd.DataFrame({"x": [100.0, 0.0, -40.0]})
    for synthetic in ([105.0, 0.0, -36.0], [95.0, 0.0, -44.0]):
        synthetic = pd.DataFrame({"x": synthetic})
        result = sr.match(confidential, synthetic, [], ["x"], 0.1, bounds=bounds)
        assert result.records["T"].tolist() == c
        assert result.records.c.tolist() == c
        assert [len(result.candidates(i)) for i in range(3)] == c


def test_closed_bounds_agree_with_whole_number_arithmetic():
    # Rounded values and r = 15 %: |x* − x| ≤ 0.15·x on paper is 100·|x* − x| ≤ 15·x, exactly.
    rng = np.random.default_rng(1)
    x = rng.integers(1, 2000, 3000) * 100
    x_star = np.where(rng.random(3000) < 0.5, x * 115 // 100, rng.permutation(x))
    confidential, synthetic = pd.DataFrame({"x": x}), pd.DataFrame({"x": x_star})
    result = sr.match(confidential, synthetic, [], ["x"], 0.15)
    on_paper = 100 * np.abs(x_star - x) <= 15 * x
    assert (result.records["T"] == on_paper).all()
    assert (100 * np.abs(x_star - x) == 15 * x).sum() > 100  # the bound itself is really tested


@pytest.mark.parametrize("shape", ["box", "ellipse"])
def test_the_slack_lets_prices_in_cents_stand_on_the_bound(shape):
    # 0.33 − 0.30 is 0.030000000000000027 in floating point, yet 10 % of 0.30 on paper.
    cents = np.arange(10, 3000, 10)
    own = pd.DataFrame({"price": cents / 100, "y": 1.0})
    for percent in (90, 110):
        on = own.assign(price=cents * percent // 10 / 1000)
        assert sr.match(own, on, [], ["price", "y"], 0.1, shape=shape).records["T"].all()
        off = on.assign(price=on.price + (percent - 100) * 1e-7)
        assert not sr.match(own, off, [], ["price", "y"], 0.1, shape=shape).records["T"].any()


@pytest.mark.parametrize("shape", ["box", "ellipse"])
def test_the_slack_is_one_billionth_of_the_half_width(shape):
    own = pd.DataFrame({"x": [100.0, 100.0, -100.0, -100.0], "y": 1.0})
    beyond = 10 * (1 + np.array([0.9e-9, 1.1e-9, 0.9e-9, 1.1e-9]))
    moved = own.assign(x=own.x + beyond)
    result = sr.match(own, moved, [], ["x", "y"], 0.1, shape=shape)
    assert result.records["T"].tolist() == [1, 0, 1, 0]


def test_match_all_and_record_risk_average_over_the_data_sets():
    synthetics = [HAND, HAND_SYNTHETIC]
    table = sr.match_all(HAND, synthetics, ["Sex", "Town"], ["Job"])
    assert table.index.tolist() == [1, 2]
    assert table.expected_match_risk.tolist() == [6, 3.5]
    risks = sr.record_risk(HAND, synthetics, ["Sex", "Town"], ["Job"])
    assert risks.columns.tolist() == [1, 2, "mean"]
    assert risks["mean"].tolist() == ((risks[1] + risks[2]) / 2).tolist()
    assert risks.sum().tolist() == [6, 3.5, 4.75]


def test_at_gives_what_match_gives():
    rng = np.random.default_rng(2)
    confidential = pd.DataFrame({"g": rng.integers(0, 3, 200), "x": rng.lognormal(3, 1, 200)})
    synthetic = confidential.assign(x=rng.permutation(confidential.x))
    matcher = sr.match(confidential, synthetic, ["g"], ["x"])
    for radius in (None, 0, 0.1, {"x": 0.3}, 1):
        once = sr.match(confidential, synthetic, ["g"], ["x"], radius)
        pd.testing.assert_frame_equal(matcher.at(radius).records, once.records)


def test_variables_of_a_codebook_are_told_in_plain_words():
    """The code stands in brackets where a variable is mentioned first; others keep their names."""
    confidential = pd.DataFrame({"MAR": [1, 2], "DIS": [1, 2]})
    confidential.attrs["codebook"] = "acs"
    synthetic = confidential.assign(DIS=[2, 2])
    told = sr.match(confidential, synthetic, ["MAR"], ["DIS"]).explain(0)
    assert "looks for marital status (MAR) = 1 and disability (DIS) = 1." in told
    lost = sr.match(confidential, synthetic.assign(DIS=[2, 1], MAR=1), [], ["MAR", "DIS"])
    assert "(disability became 2): T = 0" in lost.explain(0)
    own = pd.DataFrame({"MAR": [1, 2], "DIS": [1, 2]})
    assert "looks for MAR = 1 and DIS = 1." in sr.baseline(own, ["MAR"], ["DIS"]).explain(0)


def test_a_frame_changed_afterwards_does_not_change_the_answer():
    confidential, synthetic = HAND.copy(), HAND_SYNTHETIC.copy()
    result = sr.match(confidential, synthetic, ["Sex", "Town"], ["Job"])
    averaged = sr.intruder_risk(confidential, [synthetic], ["Sex", "Town"], ["Job"])
    floor = sr.floor(confidential, ["Sex", "Town"])
    synthetic.loc[:, "Job"] = "pilot"
    confidential.loc[:, "Sex"] = "X"
    for found in (result, averaged.draws[0]):
        assert found.candidates(2).Job.tolist() == ["baker", "baker"]
    for found in (result, averaged, floor):
        assert "Sex = F" in found.explain(2)


@pytest.mark.parametrize("names", [[0, 1, 2], [("a", 1), ("a", 2), ("b", 1)]])
def test_column_names_need_not_be_text(names):
    data = pd.DataFrame([["F", 10.0, 5], ["M", 20.0, 6]])
    data.columns = names
    sex, income, age = names
    result = sr.match(data, data, [sex], [income, age], {income: 0.1}, shape="ellipse")
    assert result.records.c.tolist() == [1, 1]
    assert f"{income} between 9 and 11 and {age} = 5" in result.explain(0)
    assert result.range(1, income) == (18, 22)


def test_every_label_can_be_explained():
    labels = pd.Index([None, 5, 2], dtype="Int64")
    result = sr.baseline(pd.DataFrame({"x": [1, 2, 3]}, index=labels), [], ["x"])
    assert result.explain(0).startswith("<NA> (record 0): ")
    assert result.explain(1).startswith("5 (record 1): ")
    assert result.explain(2).startswith("Record 2: ")


def test_no_unique_match_is_shown_in_words():
    twice = pd.DataFrame({"x": [1, 1]})
    assert repr(sr.baseline(twice, [], ["x"])).endswith("true match rate 0, no unique match>")
    once = pd.DataFrame({"x": [1, 2]})
    assert repr(sr.baseline(once, [], ["x"])).endswith("false match rate 0, 2 unique matches>")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1 / 30000, "0.000033"),
        (-0.5, "-0.5"),
        (-1e-17, "0"),
        (np.inf, "infinity"),
        (-np.inf, "-infinity"),
        (1j, "1j"),
        (10**400, f"{10**400:,}"),
        (np.float32(0.25), "0.25"),
        (np.True_, "True"),
        (1234.567, "1,234.57"),
        (pd.NA, "missing"),
    ],
)
def test_values_are_said_as_one_reads_them(value, words):
    assert say(value) == words


def test_lists_of_names_come_in_many_forms():
    for names in (("Job",), {"Job"}, {"Job": 1}.keys(), pd.Index(["Job"]), np.array(["Job"])):
        assert sr.match(HAND, HAND_SYNTHETIC, ["Sex", "Town"], names).records.c.tolist() == HAND_C


def test_targets_come_in_many_forms(hand):
    wanted = hand.summary([0, 1, 2])
    for targets in ((2, 1, 0), range(3), np.arange(3), pd.Series([0, 1, 2], index=[7, 8, 9])):
        pd.testing.assert_series_equal(hand.summary(targets), wanted)


def test_the_caller_keeps_what_was_passed():
    confidential, synthetic = HAND.copy(), HAND_SYNTHETIC.copy()
    confidential.attrs["source"] = synthetic.attrs["source"] = "by hand"
    known, synthesized, radius = ["Sex", "Town"], ["Job"], {}
    result = sr.match(confidential, synthetic, known, synthesized, radius)
    assert (known, synthesized, radius) == (["Sex", "Town"], ["Job"], {})
    known.append("Job")
    radius["Job"] = 1
    assert "Job = nurse" in result.explain(0) and result.radius == {}
    assert confidential.attrs == {"source": "by hand"}
    pd.testing.assert_frame_equal(confidential, HAND)


# Sweeps


@pytest.fixture(scope="module")
def sweep_data():
    rng = np.random.default_rng(3)
    n = 150
    confidential = pd.DataFrame(
        {"Age": rng.integers(20, 80, n), "E": rng.lognormal(8, 1, n), "I": rng.lognormal(10, 1, n)}
    )
    synthetics = [
        confidential.assign(
            E=confidential.E * rng.lognormal(0, 0.2, n), I=confidential.I * rng.lognormal(0, 0.2, n)
        )
        for _ in range(3)
    ]
    return confidential, synthetics


def test_sweep_rows_are_the_summaries_at_each_radius(sweep_data):
    confidential, synthetics = sweep_data
    sweep = sr.radius_sweep(
        confidential, synthetics, ["Age"], ["E", "I"], [0.3, 0.1], fixed={"Age": 0.1}
    )
    assert sweep.columns.tolist()[:3] == ["radius", "dataset", "expected_match_risk"]
    assert sweep.radius.tolist() == [0.1] * 3 + [0.3] * 3
    assert sweep.dataset.tolist() == [1, 2, 3] * 2
    at = {"Age": 0.1, "E": 0.3, "I": 0.3}
    single = sr.match(confidential, synthetics[1], ["Age"], ["E", "I"], at).summary()
    pd.testing.assert_series_equal(sweep.iloc[4, 2:].astype(float), single, check_names=False)


def test_a_surface_has_one_column_per_radius(sweep_data):
    confidential, synthetics = sweep_data
    radii = {"E": [0.05, 0.2], "I": [0.1, 0.2, 0.4]}
    surface = sr.radius_sweep(confidential, synthetics, ["Age"], ["E", "I"], radii)
    assert surface.columns.tolist()[:3] == ["radius_E", "radius_I", "dataset"]
    assert len(surface) == 2 * 3 * 3
    best = sr.maximizing_radius(surface)
    mean = surface.groupby(["radius_E", "radius_I"]).expected_match_risk.mean()
    assert (best["E"], best["I"]) == mean.idxmax()


def test_vary_moves_only_the_named_variable(sweep_data):
    confidential, synthetics = sweep_data
    sweep = sr.radius_sweep(
        confidential, synthetics[:1], [], ["E", "I"], [0.2], vary=["E"], fixed={"I": 0.4}
    )
    single = sr.match(confidential, synthetics[0], [], ["E", "I"], {"E": 0.2, "I": 0.4})
    assert sweep.expected_match_risk[0] == single.summary().expected_match_risk


def test_every_data_set_answers_the_same_question(sweep_data):
    # A generator can be read only once; it must not leave the second data set without variables.
    confidential, _ = sweep_data
    question = lambda: (iter(["Age"]), iter(["E", "I"]))  # noqa: E731
    table = sr.match_all(confidential, iter([confidential] * 2), *question(), 0.3)
    assert table.expected_match_risk.nunique() == 1
    risks = sr.record_risk(confidential, [confidential] * 2, *question(), 0.3)
    pd.testing.assert_series_equal(risks[1], risks[2], check_names=False)


def test_maximizing_radius_takes_the_smallest_on_ties():
    sweep = pd.DataFrame(
        {
            "radius": [0.1, 0.1, 0.2, 0.2, 0.3, 0.3],
            "dataset": [1, 2] * 3,
            "expected_match_risk": [1.0, 1, 5, 3, 4, 4],
        }
    )
    assert sr.maximizing_radius(sweep) == 0.2


@pytest.mark.parametrize(
    ("risks", "best"),
    [
        ([5.0, 2, 4, 4, 1, 1], 0.2),  # the highest mean, not the highest value
        ([0.3, 0.3, 0.1 * 3, 0.1 * 3, 0, 0], 0.1),  # 0.1 · 3 is above 0.3 by rounding only
        ([1.0, 1, 1 + 1e-9, 1 + 1e-9, 1, 1], 0.2),  # small, yet no rounding
        ([0.0] * 6, 0.1),
    ],
)
def test_maximizing_radius_looks_at_means_and_forgives_rounding(risks, best):
    sweep = pd.DataFrame({"radius": [0.1, 0.1, 0.2, 0.2, 0.3, 0.3], "expected_match_risk": risks})
    assert sr.maximizing_radius(sweep) == best
    assert sr.maximizing_radius(sweep[::-1]) == best


def test_record_risk_is_the_mean_of_all_data_sets_and_keeps_the_labels():
    labels = list("abcdefghij")
    synthetics = [HAND, HAND, HAND_SYNTHETIC]
    risks = sr.record_risk(HAND.set_axis(labels), synthetics, ["Sex", "Town"], ["Job"])
    assert risks.index.tolist() == labels
    np.testing.assert_allclose(risks["mean"], (2 * risks[1] + risks[3]) / 3)
    assert risks.loc["b", [1, 2, 3]].tolist() == [0.5, 0.5, 0]


# The R package IdentificationRiskCalculation (its range is open)


GOLDEN = Path(__file__).parent / "golden"
CASES = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))["matching"]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_golden(case):
    confidential = pd.read_csv(GOLDEN / "mixed_confidential.csv")
    synthetics = [pd.read_csv(GOLDEN / f"mixed_synthetic_{k}.csv") for k in (1, 2, 3)]
    ranged = [
        name for name in ("age", "spend", "income") if name in case["known"] + case["synthesized"]
    ]
    radius = dict(zip(ranged, case["radius"], strict=True))
    how = {"relative": case["relative"][0], "bounds": "open"}
    question = case["known"], case["synthesized"], radius
    table = sr.match_all(confidential, synthetics, *question, **how)
    np.testing.assert_allclose(table.expected_match_risk, case["expected"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(table.true_match_rate, case["true_rate"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(table.false_match_rate, case["false_rate"], rtol=0, atol=1e-9)
    assert table.unique_matches.tolist() == case["unique"]
    first = sr.match(confidential, synthetics[0], *question, **how).records
    assert first.c.tolist() == case["c_first"]
    found = first.c > 0  # where nobody matches the R package says T = 1, and we say 0
    assert first["T"][found].tolist() == np.array(case["T_first"])[found].tolist()
    assert first["T"][~found].eq(0).all()


# The published figures, on the real files, where they are at hand


def test_lecture_confidential_acs(reference):
    acs = pd.read_csv(reference / "acs" / "ACSdata.csv")
    summary = sr.baseline(acs, ["SEX", "RACE", "MAR"], ["DIS", "HICOV"]).summary()
    assert summary.tolist() == [173, 0.003, 0, 30]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, [41.36863, 0.0005, 0.974359, 195]),
        (2, [42.36825, 0.0007, 0.9530201, 149]),
        (3, [40.6654, 0.0005, 0.9640288, 139]),
    ],
)
def test_acs_of_the_earlier_edition(reference, number, expected):
    acs = pd.read_csv(reference / "acs" / "ACSdata.csv")
    synthetic = pd.read_csv(reference / "acs" / f"ACSdata_syn{number}.csv")
    known, synthesized = ["SEX", "RACE", "MAR"], ["LANX", "WAOB", "DIS", "HICOV"]
    got = sr.match(acs, synthetic, known, synthesized).summary()
    printed_digits = [5e-6, 5e-8, 5e-8, 0]
    for value, figure, digits in zip(got, expected, printed_digits, strict=True):
        assert abs(value - figure) <= digits


@pytest.mark.parametrize(
    ("scenario", "synthesized", "mean"),
    [
        (1, ["Income"], 165.8198),
        (2, ["Tenure", "Income"], 139.5064),
        (3, ["Expenditure", "Income"], 87.9883),
        (4, ["Tenure", "Expenditure", "Income"], 48.6054),
    ],
)
def test_ce_scenarios_with_an_open_range(reference, scenario, synthesized, mean):
    ce = pd.read_csv(reference / "ce" / "CEdata.csv")
    positive = ((ce.Income > 0) & (ce.Expenditure > 0)).to_numpy()
    synthetics = [
        pd.read_csv(reference / "ce" / f"scenario{scenario}_{k}.csv")[positive] for k in range(1, 6)
    ]
    radius = {"Age": 0.1} | {name: 0.1 for name in synthesized if name != "Tenure"}
    known = ["Age", "Urban", "Marital"]
    table = sr.match_all(ce[positive], synthetics, known, synthesized, radius, bounds="open")
    assert abs(table.expected_match_risk.mean() - mean) < 5e-5


def test_on_the_real_file_scenario_4_peaks_inside_the_grid_for_whoever_falls_back(reference):
    """With synthpop's files: giving up the risk rises to the end of the grid (lesson 04)."""
    codes = dict.fromkeys(["Urban", "Tenure", "Marital"], "category")
    files = ["CEdata.csv", *(f"scenario4_{k}.csv" for k in range(1, 6))]
    ce, *synthetics = (pd.read_csv(reference / "ce" / file).astype(codes) for file in files)
    synthesized, radii = ["Tenure", "Expenditure", "Income"], [0.01, 0.1, 0.2, 0.5, 1]
    question = ["Age", "Urban", "Marital"], synthesized, radii
    how = {"vary": synthesized[1:], "fixed": {"Age": 0.1}, "bounds": "open"}
    best = {
        fallback: sr.maximizing_radius(
            sr.radius_sweep(ce, synthetics, *question, fallback=fallback, **how)
        )
        for fallback in (False, True)
    }
    assert best == {False: 1, True: 0.2}
