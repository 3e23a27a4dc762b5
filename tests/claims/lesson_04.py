"""Claims of lesson 04."""

import numpy as np

import synthrisk_edu as sr
from claims import after


@after("d8169575")
def units_with_positive_amounts(ce, positive, lines):
    assert len(ce) == 5571 and len(positive) == 5122
    assert (lines.false_match_rate == 1).sum() == 3


@after("24d29942")
def a_line_leaves_a_tenth_of_the_risk(ours):
    assert ours.loc["expected_match_risk"].round(1).tolist() == [110.4, 11.5, 10]


@after("7d6c14d8")
def combining_adds_the_variance_between_divided_by_m(combined, line, slope):
    slopes, variances = np.transpose([slope(one) for one in line])
    assert np.isclose(combined.variance, variances.mean() + slopes.var(ddof=1) / 5)


@after("4b2d10e3")
def the_slope_survives(true_slope, combined, overlap):
    assert abs(true_slope.estimate - combined.estimate) < 0.005
    assert round(overlap, 2) == 0.88


@after("b0f95d06")
def the_risk_is_highest_in_the_middle_and_two_data_sets_differ(sweep):
    shown = sweep.pivot(index="radius", columns="dataset", values="expected_match_risk")
    assert shown.idxmax().between(0.1, 0.5).all()
    assert 20 < (shown[1] - shown[2]).abs().max() < 21


@after("10f9688e")
def the_stored_results_are_those_of_the_lesson(stored, sweep, ce, known):
    assert np.allclose(stored.expected_match_risk, sweep.expected_match_risk, atol=1e-6)
    floor = sr.floor(ce, known, {"Age": 0.1}).summary().expected_match_risk
    assert np.allclose(stored.floor, floor) and round(floor, 2) == 73.05


@after("e54517a6")
def where_the_risk_is_highest_and_where_that_is_an_edge(best, paper, radii):
    assert best.tolist() == [0, 0, 0.3, 1]
    assert (best.isin([min(radii), max(radii)])).tolist() == [True, True, False, True]
    third = paper.query("synthesized == 'Expenditure+Income' and 0.1 <= radius <= 0.3")
    assert third.groupby("radius").expected_match_risk.mean().round().tolist() == [97, 98, 99]


@after("665d3ad6")
def at_small_radii_trusting_is_no_better_than_ignoring(paper):
    mean = paper.groupby(["synthesized", "radius"]).mean(numeric_only=True)
    gain = mean.expected_match_risk - mean.floor
    assert abs(gain["Expenditure+Income", 0.0]) < 1
    assert (gain["Tenure+Expenditure+Income"][:0.1] < -10).all()


@after("4b2d10e5")
def units_that_drew_themselves_carry_nearly_all_of_the_risk(itself, at_one):
    assert itself.sum() == 698
    assert at_one.risk[itself].sum() > 0.95 * at_one.risk.sum()


@after("ca749f41")
def more_variables_less_risk(averages):
    risk = averages.expected_match_risk
    assert risk.round().tolist() == [458, 284, 99, 81]
    assert (risk.iloc[0] - risk.iloc[[2, 1]]).round().tolist() == [359, 174]
    assert (averages.floor.round() == 73).all()


@after("1c5e1e86")
def a_second_number_costs_less_than_a_category(price, two, three):
    assert (price.loc[three] < price.loc[two] / 2).all()
    assert price.pmse.round(2).tolist() == [0.38, 1.45, 0.68, 1.93]


@after("fixed-intruder")
def one_intruder_for_all_releases(every, scenarios, averages, fixed):
    risk = every.expected_match_risk[scenarios]
    assert risk.round().tolist() == [763, 429, 196, 81]
    assert (risk.iloc[:3] > averages.expected_match_risk.iloc[:3]).all()
    assert np.isclose(risk.iloc[3], averages.expected_match_risk.iloc[3])
    assert every.floor[scenarios].round().tolist() == [1576, 1309, 212, 73]
    assert every.radius[scenarios].tolist() == [0.1, 0.05, 1, 1]
    assert fixed.floor[fixed.synthesized == "Income"].max() == 5571


@after("fixed-intruder")
def risk_and_floor_meet_only_at_very_wide_radii(fixed, scenarios):
    for scenario in scenarios[:2]:
        mean = fixed[fixed.synthesized == scenario].groupby("radius").mean(numeric_only=True)
        above = mean.floor / mean.expected_match_risk
        assert (above[:0.3] > 1.15).all() and (above[0.5:] < 1.15).all()


@after("fixed-intruder")
def single_data_sets_lie_apart(paper):
    first = paper.query("synthesized == 'Income' and radius == 0.01").expected_match_risk
    assert first.agg(["min", "max", "mean"]).round().tolist() == [309, 374, 332]


@after("4b2d10ef")
def what_is_left_of_seven_releases(every, averages, three, paper):
    left_an_amount = ["Tenure", "Expenditure", "Income", "Tenure+Expenditure", "Tenure+Income"]
    assert (every.floor > 1.4 * every.expected_match_risk)[left_an_amount].all()
    for beaten in ("Tenure", "Tenure+Income", "Tenure+Expenditure"):
        counts = ["expected_match_risk", "floor", "pmse"]
        assert (every.loc[three, counts] < every.loc[beaten, counts]).all()
    assert round(every.expected_match_risk["Tenure"]) == 3420
    assert round(paper[paper.synthesized == "Tenure"].expected_match_risk.mean()) == 99


@after("f202a6d0")
def the_mean_does_not_depend_on_m_and_the_spread_does(table, pool):
    assert (table.maximum - table.minimum).round(4).tolist() == [0.016, 0.0052, 0.0038]
    assert (table["mean"].round(4) == 0.0607).all() and len(pool) == 400


@after("e02d1d0a")
def the_spread_falls_with_the_square_root_of_m(pool):
    boxes = [sr.quartiles(sr.average_of_m(pool, m)).risk for m in (1, 4, 16)]
    height = np.array([box["third"] - box["first"] for box in boxes])
    assert np.allclose(height[1:] / height[0], [1 / 2, 1 / 4], rtol=0.05)


@after("fixed-intruder")
def all_files_at_once_climb_with_m_in_every_scenario(all_at_once):
    risk = all_at_once.set_index(["intruder", "synthesized", "radius", "m"]).risk.sort_index()
    assert risk["paper", "Income", 0.01].round()[[1, 20]].tolist() == [364, 854]
    fourth = risk["fixed", "Tenure+Expenditure+Income", 0.0]
    assert fourth.round()[[1, 20]].tolist() == [108, 430]
    assert fourth.is_monotonic_increasing


@after("2355b9aa")
def in_the_unit_of_the_table(beside):
    assert [round(beside["confidential"], 2), round(beside["floor"], 3)] == [0.54, 0.013]


@after("2355b9aa")
def an_intruder_with_all_files_gains_with_m(together, beside, ce):
    mean = together.groupby("m").risk.mean()
    assert mean.round(3)[[1, 4, 16]].tolist() == [0.069, 0.117, 0.156]
    assert (mean.diff().dropna().round(2) == 0.02).all()  # what each doubling adds
    ranges = together.groupby("m").risk.agg(["min", "max"])
    assert (ranges["min"].to_numpy()[1:] > ranges["max"].to_numpy()[:-1]).all()
    assert (beside * len(ce)).round().tolist() == [3013, 73]


@after("4b2d10f1")
def which_rectangle_is_smallest(size):
    assert size.expected_match_risk.round(1).tolist() == [18.8, 20.7, 7.6, 8.0]
    assert (1000 * size.pmse).round(2).tolist() == [0.14, 0.26, 0.22, 0.26]


@after("a9d3f307")
def out_of_a_hat_the_risk_rises_with_r(rising, ce):
    assert rising.is_monotonic_increasing
    assert rising[[0, 0.3, 1]].round().tolist() == [10, 53, 64]
    assert round(rising[0.3] / len(ce), 4) == 0.0095
