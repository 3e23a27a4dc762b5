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
    assert ours.loc["expected_match_risk"].round(1).tolist() == [110.4, 11.5]


@after("4b2d10e3")
def the_slope_survives(true_slope, combined, overlap):
    assert abs(true_slope.estimate - combined.estimate) < 0.005
    assert round(overlap, 2) == 0.88


@after("b0f95d06")
def the_risk_rises_with_r_and_two_data_sets_differ(sweep):
    shown = sweep.pivot(index="radius", columns="dataset", values="expected_match_risk")
    assert (shown.loc[0.3] > shown.loc[0.01]).all()
    assert 20 < (shown[1] - shown[2]).abs().max() < 21


@after("10f9688e")
def the_stored_results_are_those_of_the_lesson(stored, sweep):
    assert np.allclose(stored.expected_match_risk, sweep.expected_match_risk, atol=1e-6)


@after("e54517a6")
def where_the_risk_is_highest(best, releases):
    assert best.tolist() == [0.01, 0.01, 0.3, 0.3]
    third = releases.query("synthesized == 'Expenditure+Income' and radius >= 0.1")
    assert third.groupby("radius").expected_match_risk.mean().round().tolist() == [97, 98, 99]


@after("4b2d10e5")
def units_that_drew_themselves_carry_nearly_all_of_the_risk(itself, at_one):
    assert itself.sum() == 698
    assert at_one.risk[itself].sum() > 0.95 * at_one.risk.sum()


@after("4b2d10e8")
def single_data_sets_and_the_closest_radius(means, releases):
    first = releases.query("synthesized == 'Income' and radius == 0.01").expected_match_risk
    assert first.agg(["min", "max", "mean"]).round().tolist() == [309, 374, 332]
    gap, ratio = means.iloc[:, 0] - means.iloc[:, 1], means.iloc[:, 0] / means.iloc[:, 1]
    assert gap.idxmin() == ratio.idxmin() == 0.3 and ratio[0.01] > 2


@after("ca749f41")
def more_variables_less_risk(risk, baselines):
    assert risk.round().tolist() == [332, 241, 99, 73]
    times = risk / list(baselines.values())
    assert round(1 / times.iloc[0]) == 9 and (15 * times.iloc[1:] < 1).all()
    assert (risk.iloc[0] - risk.iloc[[2, 1]]).round().tolist() == [232, 91]


@after("1c5e1e86")
def a_second_number_costs_less_than_a_category(price, two, three):
    assert (price.loc[three] < price.loc[two] / 2).all()
    assert price.pmse.round(2).tolist() == [0.38, 1.45, 0.68, 1.93]


@after("4b2d10ef")
def some_releases_are_beaten_on_both_counts(every, three):
    for beaten in ("Tenure+Income", "Tenure+Expenditure"):
        assert (every.loc[three] < every.loc[beaten]).all()
    tenure, both = every.loc["Tenure"], every.loc[three]
    assert 0.99 * both.expected_match_risk < tenure.expected_match_risk < both.expected_match_risk
    assert tenure.pmse > 2 * both.pmse


@after("f202a6d0")
def the_mean_does_not_depend_on_m_and_the_spread_does(table, pool):
    assert (table.maximum - table.minimum).round(4).tolist() == [0.016, 0.0052, 0.0038]
    assert (table["mean"].round(4) == 0.0607).all() and len(pool) == 400


@after("e02d1d0a")
def the_spread_falls_with_the_square_root_of_m(pool):
    boxes = [sr.quartiles(sr.average_of_m(pool, m)).risk for m in (1, 4, 16)]
    height = np.array([box["third"] - box["first"] for box in boxes])
    assert np.allclose(height[1:] / height[0], [1 / 2, 1 / 4], rtol=0.05)


@after("4b2d10f1")
def which_rectangle_is_smallest(size):
    assert size.expected_match_risk.round(1).tolist() == [19.7, 19.1, 7.6, 13.1]
    assert (1000 * size.pmse).round(2).tolist() == [0.14, 0.26, 0.22, 0.26]


@after("a9d3f307")
def out_of_a_hat_the_risk_rises_with_r(rising, ce):
    assert rising.is_monotonic_increasing
    assert rising.iloc[[0, -1]].round().tolist() == [21, 53]
    assert round(rising.max() / len(ce), 4) == 0.0095
