"""Claims of lesson 10."""

import numpy as np

import synthrisk_edu as sr
from claims import after


@after("h9a00004")
def only_the_cook_differs(found):
    theirs = found["T"].where(found.c > 0, 1)
    assert (found.c.mean(), found["T"].mean(), theirs.mean()) == (2, 0.4, 0.6)
    assert (theirs != found["T"]).tolist() == [False, False, True, False, False]


@after("h9a00006")
def without_a_unique_match_the_rate_is_undefined(rate):
    assert rate.unique_matches == 0 and np.isnan(rate.false_match_rate)


@after("h9a00008")
def at_50_the_closed_range_holds_four_and_the_open_one_two(closed, opened):
    assert closed.tolist() == [4, 2, 3, 3, 2] and opened.tolist() == [2, 2, 3, 3, 2]


@after("h9a00012")
def a_signed_half_width_finds_nobody(signed, ours):
    assert signed == [2, 0, 0, 0, 2] and ours.tolist() == [2, 2, 2, 1, 2]


@after("h9a00014")
def the_ellipse_loses_one_and_a_larger_box_gains_one(box, ellipse, larger):
    assert (box, ellipse, larger) == (4, 3, 5)


@after("h9a00016")
def a_missing_number_matches_everything_in_r(ours, theirs):
    assert theirs == [4, 4, 3, 5, 5] and ours.tolist() == [2, 2, 1, 2, 2]


@after("missing-category")
def a_missing_category_matches_nothing_in_r(ours, theirs):
    assert theirs == [2, 2, 1, 0, 0] and ours.tolist() == [2, 2, 1, 2, 2]


@after("h9a00018")
def the_mean_is_332_for_every_m_and_the_spread_shrinks(table):
    assert (table.loc["mean"] == 332).all()
    assert (table.loc["max"] - table.loc["min"]).tolist() == [40, 30, 0]


@after("h9a00020")
def given_tenure_an_owner_keeps_an_owners_income(given, hat):
    assert (given.Income[:2] >= 80).all() and (hat.Income[:2] < 80).any()


@after("h9a00022")
def without_the_second_rule_every_unit_has_its_leaf(both, first):
    assert both < first == 5


@after("h9a00024")
def a_third_for_each_girl(sure):
    assert sure.match_probabilities(2).iloc[:3].round(3).eq(0.333).all()


@after("perhaps-not")
def then_she_is_not_in_the_file(unsure):
    assert unsure.match_probabilities(2).iloc[-1] == 1


@after("h9a00026")
def estimates_are_large_and_finite(chain):
    assert np.isfinite(chain.estimates[0]).all() and abs(chain.estimates[0]).max() > 1


@after("h9a00030")
def four_formulas_as_printed_and_as_meant(ours, printed):
    assert ours.round(6).tolist() == [40, 40, 80, 52]
    assert printed.round(3).tolist() == [80, 20, 40, 0.104]


@after("h9a00032")
def two_denominators(ours, text):
    assert ours.tolist() == [3, 2] and text.tolist() == [4, 2.5]


@after("h9a00034")
def more_than_three_or_at_least(more, least):
    assert len(more) == 0 and least.n_level.tolist() == [3]


@after("of-the-disclosed")
def three_in_four_of_all_women_and_every_disclosed_one(found, share):
    assert found.two_way.set_index("key").pct["sex"] == 75 and share == 100


@after("h9a00038")
def leaving_cells_out_makes_a_man_unique(before, after):
    assert (before, after) == (0, 20)


@after("rep-u-longer")
def everybody_is_alone_in_both(repU):
    assert repU == 100


@after("dcap-rescaled")
def rescaled_it_is_negative(found, cap, scaled):
    chain = found.attribute.loc[1]
    assert np.isclose(cap.TCAP, 100 * chain.DiSCO / chain.iS) and scaled < 0
    assert cap.baseCAPd == 52 and round(cap.DCAP) == 33


@after("h9a00042")
def equal_widths_leave_the_rich_one_alone(quantile, equal):
    assert (quantile, equal) == (0, 20)


@after("h9a00044")
def two_anonymous_and_not_two_diverse(k, diversity):
    assert (k, diversity) == (2, 1)


@after("h9a00046")
def leaving_the_missing_answer_out_lowers_dorig(kept, out):
    assert (kept, out) == (60, 40)


@after("h9a00048")
def rows_in_two_orders_agree_nowhere_and_a_level_is_not_a_record(original, synthetic):
    """Follow synthpop 1.9: levels compared row by row, and declared levels taken for records."""
    rows_d = original.score.tolist()
    rows_s = sorted(rows_d, key=str)
    assert rows_d == [2, 9, 10, 11] and rows_s == [10, 11, 2, 9]
    answers = dict(zip(synthetic.town, synthetic.score, strict=True))
    found = original[original.town.isin(answers)]
    pairs = zip(found.town, found.score, strict=True)
    assert [rows_s.index(answers[town]) == rows_d.index(one) for town, one in pairs] == [False] * 3
    levels = original.town.astype("category").iloc[[0, 1, 2, 2]].cat.categories
    assert original.town.isin(levels).all() and original.town.is_unique  # UiOiS of 100


@after("h9a00050")
def nobody_is_found_and_everybodys_keys_stand_there(matched, repU):
    assert (matched, repU) == (0, 100)


@after("h9a00052")
def our_ratio_is_synthpops(row, ours):
    assert np.isclose(row.ratio, ours)


@after("h9a00054")
def counted_on_persons_equal_households_differ(households, persons):
    assert households == 0 and persons > 3


@after("combining-10")
def combining_partially_synthetic_estimates_adds_b_over_m(estimates, within, rules, b):
    found = sr.combine_partially_synthetic(estimates, within)
    ours, missing, full = rules.values()
    assert np.isclose(found.variance, ours) and np.isclose(b / 5, 0.0074)
    assert missing / ours > 1.7 and round(full, 4) == 0.0044


@after("h9a00056")
def left_out_of_the_trees_it_is_still_drawn(shares):
    assert (shares[False] > 0.5).all() and (shares[True] == 0).all()
    assert shares["classes"]["pilot"] == 0 and shares["classes"]["990"] > 0.5


@after("h9a00058")
def three_unique_by_residents_one_by_respondents(by_residents, by_respondents):
    assert (by_residents, by_respondents) == (3, 1)


@after("h9a00060")
def sixty_per_cent_for_all(shares):
    assert shares.round(2).to_dict() == {"F": 0.33, "M": 1, "everybody": 0.6}


@after("a1-counted")
def two_are_near_either_way(near, row_by_row):
    assert near["a1(10)"].tolist() == [2] and row_by_row == 2


@after("floor-and-match")
def ignoring_beats_trusting(trusting, ignoring):
    assert (trusting, round(ignoring, 9)) == (0, 2)


@after("disco-above-dorig")
def disco_may_exceed_dorig(original, synthetic):
    found = sr.disclosure(original, synthetic, ["sex"], "job").attribute.loc[1]
    assert (found.Dorig, found.DiSCO) == (50, 75)


@after("r-and-unique")
def a_right_match_is_likelier_than_being_alone(h, r):
    assert round(r[h == 2].item(), 2) == 0.43 and round(np.exp(-2), 2) == 0.14
    assert (r > np.exp(-h)).all()
