"""Claims of lesson 02."""

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from claims import after

BOTH = ["Income", "Expenditure"]


@after("48429b45")
def the_five_cases(cases):
    ana = pd.DataFrame({case: found.records.loc["Ana"] for case, found in cases.items()}).T
    assert list(zip(ana.c, ana["T"], strict=True)) == [(5, 1), (4, 0), (4, 1), (3, 0), (3, 1)]


@after("absolute-02")
def a_share_finds_one_and_an_amount_the_other(share, amount):
    assert share[["c", "T"]].to_numpy().tolist() == [[0, 0], [1, 1]]
    assert amount[["c", "T"]].to_numpy().tolist() == [[1, 1], [0, 0]]


@after("tenths-02")
def unit_2146_draws_from_79_units_of_its_field(ce, released, both, tenths):
    field = pd.DataFrame({name: np.searchsorted(tenths[name], ce[name]) for name in both})
    alike = (field == field.loc[2146]).all(axis=1)
    assert alike.sum() == 79 and ce.loc[2146, both].astype(float).round().tolist() == [28_000, 4942]
    assert round(4 * ce.Expenditure[2146], -3) == 20_000
    assert (ce.loc[alike, both] == released.loc[2146, both]).all(axis=1).any()


@after("fooled-02")
def a_sorted_file_is_refused(ce, by_income, known, synthesized, radius, released):
    with pytest.raises(ValueError, match=r"column 'Age' differs between .* in the same order"):
        sr.match(ce, by_income, known, synthesized, radius)
    right = sr.match(ce, released, known, synthesized, radius).summary()
    assert round(right.expected_match_risk) == 1069


@after("fooled-02-silent")
def the_order_of_rows_would_have_been_measured(fooled):
    assert round(fooled.expected_match_risk, 1) == 0.6


@after("dora-02")
def the_double_of_dora_is_that_unit_and_is_found(my):
    told = my._dora("02")
    assert (told.c, told.T, told.risk) == (1, 1, 1) and "has 0.14, the floor" in told.words
    assert "finds nobody" in told.words and "in the confidential file it is 1" in told.words


@after("cd338bcb")
def target_0_is_54_and_earns_26_363(village):
    assert village.loc[0, ["Age", "Income"]].tolist() == [54, 26_363]
    assert round(village.Expenditure[0], -3) == 20_000


@after("2fcdeb25")
def a_wider_range_may_hold_fewer(village, published):
    c = sr.match(village, published, [], ["Income"], radius=0.2).records.c
    assert village.Income[[14, 5]].tolist() == [30_000, 100_000]
    assert c[[14, 5]].tolist() == [14, 5]


@after("village-amount-02")
def a_relative_radius_is_hard_on_small_incomes_and_an_absolute_one_on_large_ones(
    village, by_share, by_amount
):
    assert village.Income[[19, 50]].tolist() == [village.Income.min(), village.Income.max()]
    assert village.Income[[19, 50]].tolist() == [1176, 135_000]
    assert by_share.loc[19, ["c", "T"]].tolist() == [1, 1]
    assert [by_share.c[50], by_amount.c[19], by_amount.c[50]] == [8, 8, 2]


@after("d9894651")
def two_candidates_in_the_ellipse_and_three_in_the_box(found, village, published, both):
    assert found.records.loc[0, ["c", "T"]].tolist() == [2, 1]
    assert sr.match(village, published, [], both, radius=0.3).records.c[0] == 3


@after("bc20358b")
def target_4_lies_just_above_the_lower_side_of_the_box(village, published):
    lower = 0.7 * village.Expenditure[4]
    assert lower < published.Expenditure[4] < 1.02 * lower
    box = sr.match(village, published, [], BOTH, 0.3).records
    ellipse = sr.match(village, published, [], BOTH, 0.3, shape="ellipse").records
    assert (box["T"][4], ellipse["T"][4]) == (1, 0)


@after("bc20358b")
def target_42_has_five_candidates_and_one_neighbour_who_pays_no_rent(village, published):
    any_housing = sr.match(village, published, [], BOTH, 0.3).records
    assert any_housing.loc[42, ["c", "T"]].tolist() == [5, 1]
    rent_free = village.index[village.Tenure == village.Tenure[42]]
    assert rent_free.tolist() == [34, 42] and village.Tenure[42] == "occupied without cash rent"


@after("bc20358b")
def a_rare_tenure_is_exposed(village, published):
    same = sr.match(village, published, ["Tenure"], BOTH, 0.3).records
    assert same.K[[34, 42]].tolist() == [1, 1]


@after("72ec08ec")
def the_risk_rises_and_falls(sweep):
    assert sweep.expected_match_risk.round().tolist() == [146, 420, 804, 1069, 894, 552]
    assert sweep.true_match_rate.idxmax() == 2


@after("14278cbf")
def the_truth_starts_far_above(own):
    assert int(own.expected_match_risk[0]) == 5570
    assert own.expected_match_risk.is_monotonic_decreasing


@after("14278cbf")
def the_synthetic_file_lies_above_the_floor(risk, floor):
    lowest = floor.summary().expected_match_risk
    assert round(lowest) == 73 and (risk.expected_match_risk > lowest).all()
    assert risk.expected_match_risk.max() > 14 * lowest


@after("f95a0c9f")
def record_100_never_jumps(ce, released, known, synthesized):
    radius = dict.fromkeys(synthesized, 0.6) | {"Age": 0.1}
    assert sr.match(ce, released, known, synthesized, radius).records["T"][100] == 0


@after("f95a0c9f")
def why_the_curve_rises_and_falls(ce, released, known, synthesized):
    told = {0: (2, 1), 0.2: (58, 5), 0.6: (88, 36)}
    for r, (share, typical) in told.items():
        radius = dict.fromkeys(synthesized, r) | {"Age": 0.1}
        records = sr.match(ce, released, known, synthesized, radius).records
        hits = records[records["T"] == 1]
        assert (round(100 * len(hits) / len(ce)), hits.c.median()) == (share, typical)


@after("f95a0c9f")
def record_5_jumps_at_30_per_cent_and_then_has_company(ce, released, known, synthesized):
    told = {0.28: (0, 0), 0.3: (1, 1), 0.6: (3, 1)}
    for r, (c, T) in told.items():
        radius = dict.fromkeys(synthesized, r) | {"Age": 0.1}
        records = sr.match(ce, released, known, synthesized, radius).records
        assert records.loc[5, ["c", "T"]].tolist() == [c, T]


@after("1b94ea2b")
def the_top_of_the_surface(surface):
    assert sr.maximizing_radius(surface) == {"Expenditure": 0.2, "Income": 0.2}


@after("surface-own")
def the_maximum_lies_between_confidential_and_floor(surface, own_surface, floor):
    best = own_surface.query("radius_Expenditure == 0.2 and radius_Income == 0.2")
    top = surface.expected_match_risk.max()
    assert best.expected_match_risk.item() > top > floor.summary().expected_match_risk


@after("surface-own")
def all_four_corners_are_low(surface):
    ends = surface.radius_Expenditure.isin([0.02, 0.5]) & surface.radius_Income.isin([0.02, 0.5])
    assert surface.expected_match_risk[ends].max() < 0.55 * surface.expected_match_risk.max()


@after("a36485d7")
def a_wide_radius_does_not_switch_off(surface):
    wide = surface[(surface.radius_Expenditure == 0.5) & (surface.radius_Income == 0.2)]
    assert wide.expected_match_risk.round().tolist() == [725]


@after("4828e101")
def zeros_and_losses(zeros, losses):
    assert (zeros, losses) == (445, 4)


@after("c3217165")
def a_quarter_has_another_c(differ, closed):
    assert (differ, round(closed.summary().expected_match_risk)) == (1268, 360)


@after("0af59987")
def open_ends_lower_the_risk_by_a_tenth(open_ends):
    assert round(open_ends.summary().expected_match_risk) == 322


@after("7787855d")
def three_effects_of_open_ends(change, group):
    assert change.groupby(group).sum().round(1).tolist() == [7.4, -1.3, -44.6]


@after("7787855d")
def for_a_dozen_of_the_others_the_record_on_the_bound_is_the_true_one(closed, open_ends, group):
    lost = (closed.records["T"] == 1) & (open_ends.records["T"] == 0)
    assert lost[group == "everybody else"].sum() == 12


@after("heard-02")
def a_wider_search_does_better_and_inexact_knowledge_worse(heard):
    table = pd.DataFrame(heard)
    assert table["exact"].round().tolist()[:3] == [420, 804, 1069]
    assert (table[:0.2].diff().dropna() > 0).all(axis=None)
    assert (table.diff(axis=1).iloc[:, 1:] < 0).all(axis=None)
    assert table.loc[0.2].round().tolist() == [1069, 985, 817]


@after("heard-02-hundred")
def a_hundred_wrong_intruders_all_find_less(hundred, heard):
    assert len(hundred) == 100 and max(hundred) < 0.9 * heard["exact"][0.2]
    assert [round(min(hundred)), round(max(hundred))] == [777, 847]
