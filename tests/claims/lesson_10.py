"""Claims of lesson 10."""

from pathlib import Path

import numpy as np
import pandas as pd

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
def who_falls_back_reaches_the_floor_and_who_gives_up_does_not(files, sums):
    assert len(files) == 108 and {len(sums[name]) for name in ("gives up", "falls back")} == {108}
    means = {name: round(float(np.mean(some)), 9) for name, some in sums.items()}
    assert means["falls back"] == means["floor"] == 2 and round(means["gives up"], 2) == 1.45
    for up, back in zip(sums["gives up"], sums["falls back"], strict=True):
        assert up <= back  # falling back is never worse than giving up


@after("disco-above-dorig")
def disco_may_exceed_dorig(original, synthetic):
    found = sr.disclosure(original, synthetic, ["sex"], "job").attribute.loc[1]
    assert (found.Dorig, found.DiSCO) == (50, 75)


@after("r-and-unique")
def a_right_match_is_likelier_than_being_alone(h, r):
    assert round(r[h == 2].item(), 2) == 0.43 and round(np.exp(-2), 2) == 0.14
    assert (r > np.exp(-h)).all()


@after("h9a00048")
def by_the_definitions_c_is_not_found(found):
    assert found.identity.loc[1, ["UiO", "UiOiS"]].tolist() == [60, 40]
    assert found.attribute.loc[1, ["iS", "DiSCO"]].tolist() == [80, 60]


@after("synthpop-orders")
def synthpops_orders_make_60_of_40_and_0_of_60(d, s, in_list, theirs):
    assert d.index.tolist() == [9, 10, 11] and s.index.tolist() == [10, 11, 9]
    assert (in_list, theirs) == (60, 0)
    as_text = d.loc[sorted(d.index, key=str)].to_numpy()  # with a missing score both are text
    assert 100 * as_text[((s > 0) & (s == s.sum())).to_numpy()].sum() / 5 == 60


@after("synthpop-flags")
def the_flag_of_region_comes_to_place(asked, theirs, columns):
    assert asked.index[~asked].tolist() == ["region"] and theirs.index[~theirs].tolist() == [
        "place"
    ]
    for pair in (["sex", "region"], ["region", "sex"]):  # two keys, in either order
        two = pd.Series([False, True], index=pair)
        places = [["sex", "region"].index(key) for key in pair]
        assert two.iloc[places].set_axis(["sex", "region"]).to_dict() == two.to_dict()


@after("h9a00052")
def one_two_and_three_draws_of_chance():
    acs = sr.load_acs()[["SEX", "RACE", "MAR", "DIS", "HICOV"]]
    ratios = []
    for seed in range(6):
        ours = acs.sample(5_000, random_state=seed)
        others = acs.drop(ours.index)
        made = ours.sample(frac=1, replace=True, random_state=seed)
        pairs = (ours, made), (ours, others), (others, made)
        ratios.append([sr.pmse_ratio(*pair) for pair in pairs])
    assert np.round(np.mean(ratios, axis=0)).tolist() == [1, 2, 3]


@after("partial-ratio")
def a_perfect_partial_synthesis_scores_23_of_62(acs, ratios):
    mean, low, high = (ratios.agg(how) for how in ("mean", "min", "max"))
    assert abs(mean["everything"] - 1) < 0.15
    assert (round(low["everything"], 1), round(high["everything"], 1)) == (0.9, 1.4)
    part = "DIS and HICOV"
    assert [round(one[part], 1) for one in (mean, low, high)] == [0.4, 0.2, 0.6]
    assert high["a copy"] < 1e-9
    width = acs.nunique() - 1  # a coefficient for every level but one, and for every pair of these
    fixed = width[["SEX", "RACE", "MAR"]]
    every, kept = (one.sum() + (one.sum() ** 2 - (one**2).sum()) // 2 for one in (width, fixed))
    assert (every, kept, every - kept) == (62, 39, 23) and round(23 / 62, 2) == 0.37
    made = sr.redraw(acs, ["DIS", "HICOV"], given=["SEX", "RACE", "MAR"], seed=0)
    named = sr.pmse_ratio(acs, made, synthesized=["DIS", "HICOV"])
    assert np.isclose(named, ratios[part][0] * 62 / 23)  # and so 1 on average


def as_the_lecture(true, made, radius=None):
    """c and T as the lecture's first function finds them, for one synthesized variable."""
    c, T = [], []
    for i, x in enumerate(true):
        match = made == x if radius is None else (made <= x + radius * x) & (made >= x - radius * x)
        probability = np.where(match, 1 / max(match.sum(), 1), 0)
        best = probability == probability.max()
        c.append(int(best.sum()) if probability.max() > 0 else 0)
        T.append(int(best[i]))
    return np.array(c), np.array(T)


@after("in-r-agree")
def the_lectures_t_is_1_where_nobody_matches_and_its_sums_are_ours():
    rng = np.random.default_rng(1)
    for _ in range(20):
        true, made = (pd.DataFrame({"x": rng.integers(1, 9, 12)}) for _ in range(2))
        for radius in (None, 0.25):
            ours = sr.match(true, made, [], ["x"], radius)
            c, T = as_the_lecture(true.x.to_numpy(), made.x.to_numpy(), radius)
            assert (c == ours.records.c).all() and (T[c == 0] == 1).all()
            assert (T[c > 0] == ours.records["T"][c > 0]).all()
            risk = (T[c > 0] / c[c > 0]).sum()
            assert np.isclose(risk, ours.summary().expected_match_risk)


@after("in-r-agree")
def below_0_the_lecture_finds_nobody_and_0_finds_zeros():
    x = np.array([-100.0, -100, 0, 0, 50])
    c, _ = as_the_lecture(x, x, 0.2)
    frame = pd.DataFrame({"x": x})
    assert c.tolist() == [0, 0, 2, 2, 1]
    assert sr.match(frame, frame, [], ["x"], 0.2).records.c.tolist() == [2, 2, 2, 2, 1]


@after("in-r-question")
def on_these_data_the_r_packages_rule_is_ours(ce, released, question):
    found = sr.match(*question, bounds="open")
    for i in range(0, len(ce), 100):
        one, same = ce.iloc[i], (released[["Urban", "Marital"]] == ce.loc[i, ["Urban", "Marital"]])
        inside = same.all(axis=1)
        for name in ("Age", "Income"):  # signed and open
            x, width = one[name], 0.1 * one[name]
            inside &= (released[name] < x + width) & (released[name] > x - width)
        assert inside.sum() == found.records.c[i]


@after("in-r-disclosure")
def the_script_has_computed_504_figures():
    text = (Path(__file__).parents[1] / "golden" / "README.md").read_text("utf-8")
    assert "504 figures, 0 differ" in text


@after("combining-10")
def a_single_fully_synthetic_file_has_twice_the_variance():
    """The mean of a file drawn from a normal model with the sample's mean and variance."""
    rng, n, repeats = np.random.default_rng(1), 50, 20_000
    sample = rng.normal(size=(repeats, n))
    noise = rng.normal(size=(repeats, n))
    drawn = sample.mean(axis=1, keepdims=True) + sample.std(axis=1, ddof=1, keepdims=True) * noise
    v = drawn.var(axis=1, ddof=1).mean() / n
    assert abs(drawn.mean(axis=1).var() / v - 2) < 0.05
