"""Claims of lesson 04."""

import runpy
from pathlib import Path

import numpy as np

import synthrisk_edu as sr
from claims import after

BOTH_AND_TENURE = "Tenure+Expenditure+Income"


@after("nobody-04-sums")
def only_the_third_unit_is_lost_by_giving_up(sums, eight, drawn):
    assert sums.sum().tolist() == [1.5, 1.75, 2]
    assert sums.index[sums["gives up"] != sums["falls back"]].tolist() == [2]
    third = sr.match(eight, drawn, ["Tenure"], ["Income"], 0.1, fallback=True).records.loc[2]
    assert third[["c", "T", "risk"]].tolist() == [4, 1, 0.25]
    assert not drawn.Income[:4].between(72, 88).any()


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


@after("overlap-seeds")
def one_release_says_little_about_the_next(overlaps, overlap):
    assert overlaps.quantile([0, 0.25, 0.75, 1]).round(2).tolist() == [0.45, 0.83, 0.9, 0.99]
    assert len(overlaps) == 100 and overlaps[1] == overlap
    assert overlaps.quantile(0.25) < overlap < overlaps.quantile(0.75)


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


@after("10f9688e")
def the_stored_falling_back_is_what_the_package_gives(stored, live, ce, known, synthesized, radii):
    how = {"fixed": {"Age": 0.1}, "fallback": True}
    made = sr.radius_sweep(ce, live, known, synthesized, radii, **how)
    assert np.allclose(stored.falling_back, made.expected_match_risk, atol=1e-6)


@after("e54517a6")
def where_the_risk_is_highest_and_where_that_is_an_edge(best, paper, radii):
    assert best.tolist() == [0, 0, 0.3, 1]
    assert (best.isin([min(radii), max(radii)])).tolist() == [True, True, False, True]
    third = paper.query("synthesized == 'Expenditure+Income' and 0.1 <= radius <= 0.3")
    assert third.groupby("radius").expected_match_risk.mean().round().tolist() == [97, 98, 99]


@after("e54517a6")
def falling_back_scenarios_3_and_4_have_their_top_inside(back, paper, scenarios):
    assert back.tolist() == [0, 0, 0.05, 0.2]
    fourth = paper[paper.synthesized == scenarios[3]]
    mean = fourth.groupby("radius").falling_back.mean()
    assert mean[[0, 0.2, 1]].round().tolist() == [106, 120, 96]
    tops = hundred_others("falling_back", BOTH_AND_TENURE).tops
    assert tops[0.05:0.3].sum() == 95 and tops.sum() == 100


@after("e54517a6")
def giving_up_the_top_of_scenario_4_is_an_edge_on_average_only():
    """As the table of what we reproduce says (04 further)."""
    others = hundred_others("expected_match_risk", BOTH_AND_TENURE)
    assert others["mean"].idxmax() == 1 and others.tops[1] == 48
    assert others.tops[0.3:0.75].sum() == 52


def hundred_others(measure, synthesized, intruder="paper"):
    """The spread of a hundred other files of a scenario, by radius."""
    spread = sr.load_results("ce_spread")
    chosen = (spread.measure == measure) & (spread.synthesized == synthesized)
    rows = spread[chosen & (spread.intruder == intruder)].set_index("radius")
    return rows.select_dtypes("number")


@after("nobody-share-04")
def in_scenario_4_nobody_matches_for_most_at_small_radii(ce, first, known, fourth, paper):
    radius = {"Age": 0.1, "Expenditure": 0, "Income": 0}
    found = sr.match(ce, first, known, fourth, radius)
    assert round(100 * (found.records.c == 0).mean()) == 93
    stored = paper[(paper.synthesized == "+".join(fourth)) & (paper.dataset == 1)]
    at_0 = stored[stored.radius == 0].expected_match_risk.item()
    assert np.isclose(found.summary().expected_match_risk, at_0)


@after("665d3ad6")
def at_small_radii_giving_up_falls_below_the_floor(paper):
    mean = paper.groupby(["synthesized", "radius"]).mean(numeric_only=True)
    gain = mean.expected_match_risk - mean.floor
    assert abs(gain["Expenditure+Income", 0.0]) < 1
    assert (gain[BOTH_AND_TENURE][:0.1] < -10).all()
    assert mean.expected_match_risk[BOTH_AND_TENURE, 0].round() == 36


@after("e54517a6")
def in_our_files_falling_back_is_never_worse_than_ignoring(releases, scenarios):
    """In every file of the four scenarios, at every radius, for both intruders; no law."""
    shown = releases[releases.synthesized.isin(scenarios)]
    assert len(shown) == 2 * 4 * 10 * 20
    assert (shown.falling_back >= shown.floor - 1e-6).all()
    of_paper = shown[shown.intruder == "paper"]
    assert (of_paper.falling_back > of_paper.floor + 5).all()
    mean = of_paper.groupby(["synthesized", "radius"]).mean(numeric_only=True)
    assert (mean.falling_back > mean.expected_match_risk).all()


@after("e54517a6")
def in_a_hundred_other_files_falling_back_is_below_the_floor_only_once_in_a_while():
    spread = sr.load_results("ce_spread").query("measure == 'falling_back'")
    assert (spread[spread.intruder == "paper"].below == 0).all()
    assert (spread["mean"] >= spread.floor).all()
    (row,) = spread[spread.below > 0].itertuples()
    assert (row.synthesized, row.intruder, row.radius) == ("Tenure+Income", "fixed", 0)
    assert row.below == 10 and row.floor - row.lowest == 0.5


@after("e54517a6")
def ignoring_can_win_where_the_own_record_is_the_least_likely(ce):
    """The smallest release that repels: nobody may keep the own value here."""
    true = ce[["Urban"]].head(4).assign(Urban=1, x=[0, 1, 2, 3])
    moved = true.assign(x=[1, 2, 3, 0])
    assert sr.match(true, moved, ["Urban"], ["x"], fallback=True).records.risk.sum() == 0
    assert sr.floor(true, ["Urban"]).records.risk.sum() == 1


@after("4b2d10e5")
def units_that_drew_themselves_carry_nearly_all_of_the_risk(itself, at_one):
    assert itself.sum() == 698
    assert at_one.risk[itself].sum() > 0.95 * at_one.risk.sum()


@after("4b2d10e5")
def our_trees_attract_and_a_release_can_repel(ce, trees, known):
    found = sr.match(ce, trees, known, ["Income"], {"Age": 0.1, "Income": 0.1}).records
    alike = sr.floor(ce, known, {"Age": 0.1}).records.c
    others = (found.c - found["T"]).sum() / (alike - 1).sum()
    assert [round(100 * found["T"].mean()), round(100 * others)] == [19, 6]
    repels = sr.load_results("ce_repels").query("donors == 'never itself' and radius == 0")
    assert round(repels.falls_back.mean()) == 70 and len(repels) == 100


@after("ca749f41")
def more_variables_less_risk(averages):
    risk = averages.expected_match_risk
    assert risk.round().tolist() == [458, 284, 99, 81]
    assert (risk.iloc[0] - risk.iloc[[2, 1]]).round().tolist() == [359, 174]
    assert (averages.floor.round() == 73).all()


@after("ca749f41")
def falling_back_says_the_same_of_the_scenarios_and_more_of_the_fourth(
    averages, highest_back, scenarios
):
    top = highest_back[scenarios]
    assert top.round().tolist() == [511, 342, 156, 120]
    assert (top.iloc[0] - top.iloc[[2, 1]]).round().tolist() == [355, 169]
    others = hundred_others("falling_back", scenarios[3]).loc[0.2]
    assert others[["lowest", "highest"]].round().tolist() == [100, 131]
    assert (others[["lowest", "highest"]] - others.floor).round().tolist() == [27, 58]
    rest = (
        top.iloc[3] - averages.floor.iloc[3],
        (averages.expected_match_risk - averages.floor).iloc[3],
    )
    assert [round(one) for one in rest] == [47, 8]


@after("1c5e1e86")
def at_one_per_cent_the_fourth_looks_twice_as_safe_as_the_third(paper, three, four):
    """As the guide for teachers says."""
    mean = paper[paper.radius == 0.01].groupby("synthesized").mean(numeric_only=True)
    sums = mean.loc[[four, three], ["expected_match_risk", "falling_back"]]
    assert sums.round().to_numpy().tolist() == [[39, 108], [78, 148]]


@after("1c5e1e86")
def a_second_number_costs_less_than_a_category(price, two, three, highest_back):
    assert highest_back[three] < highest_back[two] / 2
    assert (price.loc[three] < price.loc[two] / 2).all()
    assert price.pmse.round(2).tolist() == [0.38, 1.45, 0.68, 1.93]


@after("ecdf-04")
def in_one_column_both_are_near(ecdf):
    assert ecdf.loc["largest"].round(3).tolist() == [0.018, 0.012]
    assert ecdf.loc["mean_squared"].round(5).tolist() == [0.00007, 0.00003]


@after("ecdf-null-04")
def the_line_is_not_beyond_chance_if_chance_is_a_true_line(if_true, ecdf):
    assert len(if_true) == 100 and round(ecdf.line.largest, 4) == 0.0182
    assert [round(if_true.mean(), 4), round(if_true.quantile(0.95), 4)] == [0.0164, 0.0209]
    assert (if_true >= ecdf.line.largest).sum() == 16


@after("ecdf-null-04")
def the_true_column_drawn_anew_would_have_accused_the_line(positive, ecdf):
    true, rng = positive.Expenditure.to_numpy(), np.random.default_rng(1)
    gaps = []
    for _ in range(100):
        five = [rng.choice(true, len(true)) for _ in range(5)]
        gaps.append(np.mean([sr.ecdf_distance(true, one).largest for one in five]))
    assert round(np.mean(gaps), 3) == 0.012 and max(gaps) < ecdf.line.largest


@after("fixed-intruder")
def the_fixed_intruder_never_does_better_to_ignore(every, fixed, ce, known):
    first = fixed[(fixed.synthesized == "Income") & (fixed.radius == 0.1)]
    assert round(every.falling_back["Income"]) == 1861
    others = hundred_others("falling_back", "Income", intruder="fixed").loc[0.1]
    assert others[["lowest", "highest"]].round().tolist() == [1812, 1924]
    assert len(first) == 20
    numbers = {"Age": 0.1, "Expenditure": 0.1, "Income": 0.1}
    files = sr.synthesize_cart(ce, ["Income"], m=2, seed=2021)
    for one in files:
        found = sr.match(ce, one, [*known, "Tenure", "Expenditure"], ["Income"], numbers)
        assert 0.49 < (found.records.c == 0).mean() < 0.51
    exact = fixed[(fixed.synthesized == "Income") & (fixed.radius == 0)]
    assert (exact.falling_back == 5571).all()
    back = fixed.groupby(["synthesized", "radius"]).falling_back.mean()
    for name, told in {"Expenditure+Income": (0.1, 298), BOTH_AND_TENURE: (0.2, 120)}.items():
        assert (back[name].idxmax(), round(back[name].max())) == told


@after("fixed-intruder")
def giving_up_the_floor_is_above_the_boxes_in_three_scenarios(fixed, scenarios):
    mean = fixed.groupby(["synthesized", "radius"]).mean(numeric_only=True)
    gain = mean.expected_match_risk - mean.floor
    assert all((gain[name][:0.3] < 0).all() for name in scenarios[:3])


@after("fixed-intruder")
def with_one_file_the_blue_square_is_whoever_falls_back(all_at_once, releases):
    keys = ["intruder", "synthesized", "radius"]
    one = all_at_once[all_at_once.m == 1].merge(releases[releases.dataset == 1], on=keys)
    assert len(one) == 80 and np.allclose(one.risk, one.falling_back, atol=1e-5)


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
def only_in_scenario_2_risk_and_floor_cross(fixed, scenarios):
    mean = fixed.groupby(["synthesized", "radius"]).mean(numeric_only=True)
    gain = (mean.expected_match_risk - mean.floor).unstack("synthesized")
    assert (gain[[scenarios[0], scenarios[2]]] < 0).all(axis=None)
    assert (gain[scenarios[1]][:0.3] < 0).all() and (gain[scenarios[1]][0.5:] > 0).all()
    at_75 = mean.loc[(scenarios[1], 0.75)]
    assert [round(at_75.floor), round(at_75.expected_match_risk)] == [171, 189]


@after("fixed-intruder")
def with_the_income_left_not_quite_everybody_is_found(fixed, ce):
    left = fixed[(fixed.synthesized == "Expenditure") & (fixed.radius == 0)].floor
    assert (left.round() == 4961).all()
    assert ce.Income.duplicated(keep=False).sum() > 2 * ce.Expenditure.duplicated(keep=False).sum()


@after("fixed-intruder")
def single_data_sets_lie_apart(paper):
    first = paper.query("synthesized == 'Income' and radius == 0.01").expected_match_risk
    assert first.agg(["min", "max", "mean"]).round().tolist() == [309, 374, 332]
    others = sr.load_results("ce_pool").risk
    assert others.agg(["min", "max", "mean"]).round().tolist() == [296, 386, 338]
    assert len(others) == 400


@after("4b2d10ef")
def what_is_left_of_seven_releases(every, averages, three, paper):
    left_an_amount = ["Tenure", "Expenditure", "Income", "Tenure+Expenditure", "Tenure+Income"]
    assert (every.floor > 1.4 * every.expected_match_risk)[left_an_amount].all()
    for beaten in ("Tenure", "Tenure+Income", "Tenure+Expenditure"):
        counts = ["expected_match_risk", "falling_back", "floor", "pmse"]
        assert (every.loc[three, counts] < every.loc[beaten, counts]).all()
    assert (every.falling_back > every.floor)[left_an_amount].all()
    assert round(every.expected_match_risk["Tenure"]) == 3420
    assert round(paper[paper.synthesized == "Tenure"].expected_match_risk.mean()) == 99


@after("4b2d10ef")
def falling_back_tenure_alone_is_not_the_riskiest(fixed, every):
    assert every.expected_match_risk.idxmax() == "Tenure"
    exact = fixed[fixed.radius == 0].groupby("synthesized").falling_back.mean()
    assert exact[["Tenure", "Income"]].round(1).tolist() == [5570.6, 5571.0]
    assert exact.idxmax() == "Income"


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
    fourth = risk["fixed", BOTH_AND_TENURE, 0.0]
    assert fourth.round()[[1, 20]].tolist() == [108, 430]
    assert fourth.is_monotonic_increasing


@after("2355b9aa")
def in_the_unit_of_the_table(beside):
    assert [round(beside["confidential"], 2), round(beside["floor"], 3)] == [0.54, 0.013]


@after("2355b9aa")
def an_intruder_with_all_files_gains_with_m(together, beside, ce):
    mean = together.groupby("m").risk.mean()
    assert mean.round(3)[[1, 4, 16]].tolist() == [0.069, 0.116, 0.155]
    assert (mean.diff().dropna().round(2) == 0.02).all()  # what each doubling adds
    sixteen = together.risk[together.m == 16]
    assert len(sixteen) == 100 and sixteen.agg(["min", "max"]).round(3).tolist() == [0.146, 0.163]
    assert (beside * len(ce)).round().tolist() == [3013, 73]


@after("shuffled-04")
def shuffled_files_say_less_than_one_file_and_less_than_the_floor(
    linked, one_file, by_row, beside, ce
):
    assert [round(linked), round(one_file)] == [874, 375]
    assert 43 < by_row < 48 < beside["floor"] * len(ce)


@after("sorted-04")
def sorting_puts_every_row_back(again, linked, ce, untouched):
    assert np.isclose(again.summary().expected, linked)
    assert len(untouched) == 6 and not ce.duplicated(untouched).any() and len(ce) == 5571


@after("sorted-04")
def how_many_units_are_unique_on_fewer_columns(ce, known):
    unique = [~ce.duplicated(some, keep=False) for some in (known, [*known, "Expenditure"])]
    assert [alone.sum() for alone in unique] == [103, 5569]


@after("4b2d10f1")
def which_rectangle_is_smallest(size, top, scenarios):
    assert top[scenarios].tolist() == [0, 0, 0.3, 1]
    assert size.risk.round(1).tolist() == [22.6, 23.5, 8.2, 6.6]
    assert size["pMSE × 1,000"].round(2).tolist() == [0.09, 0.23, 0.17, 0.29]


@after("surface-04")
def with_a_radius_for_each_amount_the_top_is_a_corner(surface):
    tops = {}
    for name, rows in surface.groupby("synthesized"):
        for column in ("expected_match_risk", "falling_back"):
            same = rows[rows.radius_Expenditure == rows.radius_Income][column].max()
            best = rows.loc[rows[column].idxmax()]
            assert best[["radius_Expenditure", "radius_Income"]].tolist() == [0, 1]
            tops[name, column] = [round(same), round(best[column])]
    assert list(tops.values()) == [[99, 358], [156, 415], [81, 173], [120, 232]]


@after("surface-04-alone")
def leaving_the_income_out_is_even_worse_for_the_units(gives_up, falls_back, files, ce):
    assert [round(gives_up.mean()), round(falls_back.mean())] == [449, 500]
    back = [file.Expenditure == ce.Expenditure for file in files]
    both = [one & (file.Income == ce.Income) for one, file in zip(back, files, strict=True)]
    assert np.floor(np.mean([one.sum() for one in back])) == 612
    assert round(np.mean([one.sum() for one in both])) == 77


@after("a9d3f307")
def out_of_a_hat_the_risk_rises_with_r(rising, ce):
    assert rising.is_monotonic_increasing
    assert rising[[0, 0.3, 1]].round().tolist() == [10, 53, 64]
    assert round(rising[0.3] / len(ce), 4) == 0.0095


@after("906db4ec")
def the_hand_count_is_the_packages(found):
    assert found.records.loc[[0, 3], ["c", "T"]].to_numpy().tolist() == [[3, 1], [1, 0]]


@after("draws-04")
def luck_decides_about_a_unit_and_hardly_about_the_file(panel):
    one = panel.compute(("Income",), 20, 0.01, 47)
    assert one.T.sum() == 4 and one.T[0] == 1
    assert [round(one.gives_up.min()), round(one.gives_up.max())] == [312, 357]
    both = panel.compute(("Expenditure", "Income"), 20, 0.01, 47)
    assert (both.c == 0).sum() == 18 and both.T.sum() == 0
    assert [round(both.gives_up.min()), round(both.gives_up.max())] == [63, 92]
    wider = panel.compute(("Expenditure", "Income"), 20, 0.1, 47)
    assert (wider.c > both.c).mean() > 0.5 and wider.T.sum() == 1


@after("four-04-all")
def three_urns(four):
    assert four["attracts"].round(2).tolist() == [1.49, 1, 0.75]
    assert np.allclose(four["neither"], 1)
    assert np.allclose(four["repels"], [8 / 27, 1, 40 / 27])  # by hand: c is binomial


@after("acs-repels-04")
def without_oneself_falling_back_is_worse_than_the_floor(from_anybody, from_others, acs, acs_known):
    assert from_others["falls back"].round(1).tolist() == [53.1, 49.1, 56.5]
    assert round(from_others["looks away"]["mean"], 1) == 63.6
    assert from_anybody["falls back"].round(1).tolist() == [58.8, 54.2, 64.3]
    floor = sr.floor(acs, acs_known).summary().expected_match_risk
    assert floor == 59 and from_others["falls back"]["max"] < floor


@after("acs-repels-04")
def redrawn_among_look_alikes_the_expectation_is_exact(acs, acs_known, acs_changed):
    """A record matches with the share p of its values among its n look-alikes, itself included."""
    n = acs.groupby(acs_known, observed=True).SEX.transform("size")
    p = acs.groupby(acs_known + acs_changed, observed=True).SEX.transform("size") / n
    gives_up = (1 - (1 - p) ** n) / n
    assert round(gives_up.sum(), 2) == 57.43 and round((1 / n).sum(), 6) == 59


@after("ce-repels-04")
def trees_without_the_own_income_repel_at_zero_and_attract_at_ten(repels, ce, known):
    table = repels.groupby(["donors", "radius"]).falls_back.agg(["mean", "min", "max"]).round()
    assert table.loc["anybody", "mean"][[0, 0.1]].tolist() == [515, 198]
    assert table.loc[("never itself", 0)].tolist() == [70, 65, 76]
    assert table.loc[("never itself", 0.1)].tolist() == [92, 79, 104]
    floor = sr.floor(ce, known, {"Age": 0.1}).summary().expected_match_risk
    below = repels[repels.falls_back < floor]
    assert below.groupby(["donors", "radius"]).size()[("never itself", 0)] == 90
    assert (below.donors == "never itself").all() and (below.radius < 0.1).all()
    assert repels.seed.nunique() == 100


@after("attracts-04")
def in_one_file_the_own_record_matches_three_times_as_often(own, others):
    assert [round(100 * own), round(100 * others)] == [19, 6]


@after("attracts-04")
def the_chances_from_the_leaves(ce, alike):
    own, others = chances_of_a_match(ce, 0.1)
    assert [round(own.mean(), 3), round(np.nanmean(others), 3)] == [0.188, 0.060]
    assert round(np.mean(own < others), 3) == 0.036
    own, others = chances_of_a_match(ce, 0, itself=False)
    assert [round(own.mean(), 3), round(np.nanmean(others), 3)] == [0.012, 0.01]
    assert own[ce.Income == 0].sum() > 0.8 * own.sum() and (ce.Income == 0).sum() == 445
    assert round(np.mean(own == 0), 2) == 0.94


def chances_of_a_match(ce, r, itself=True):
    """For each unit the chance that its own record matches, and the mean chance of a look-alike's.

    Both from the leaves of one tree for income; a unit may or may not borrow from itself.
    """
    script = Path(__file__).parents[2] / "data" / "make_synthetic.py"
    leaf = runpy.run_path(str(script))["leaves_of_income"](ce, np.random.default_rng(1))
    income, age = ce.Income.to_numpy(), ce.Age.to_numpy()
    place = ce.groupby(["Urban", "Marital"], observed=True).ngroup().to_numpy()
    leaf = np.unique(leaf, return_inverse=True)[1]
    size = np.bincount(leaf)
    own, others = np.empty(len(ce)), np.full(len(ce), np.nan)
    for i in range(len(ce)):
        near = np.abs(income - income[i]) <= r * abs(income[i]) * (1 + 1e-9)
        fits = np.bincount(leaf, weights=near)[leaf]  # donors of each unit's leaf that would match
        chance = fits / size[leaf] if itself else (fits - near) / (size[leaf] - 1)
        look_alike = (place == place[i]) & (np.abs(age - age[i]) <= 0.1 * age[i] * (1 + 1e-9))
        own[i] = chance[i]
        look_alike[i] = False
        if look_alike.any():
            others[i] = chance[look_alike].mean()
    return own, others
