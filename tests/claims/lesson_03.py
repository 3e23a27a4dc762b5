"""Claims of lesson 03."""

import numpy as np
import pandas as pd
from test_gibbs import exact_shares

import synthrisk_edu as sr
from claims import after
from synthrisk_edu.synthesis.dpmpm import GibbsSampler


@after("question-03-him")
def he_is_alone_and_every_redraw_gives_him_his_own_values(people, redrawn, him, known, synthesized):
    assert (people[known] == people.loc[him, known]).all(axis=1).sum() == 1
    assert redrawn.loc[him].equals(people.loc[him])
    alone = people.groupby(known, observed=True).SEX.transform("size") == 1
    every = people.groupby(list(people.columns.drop(synthesized)), observed=True)
    assert (alone.sum(), (every.SEX.transform("size") == 1).sum()) == (5, 289)


@after("question-03-share")
def redrawing_forgets_the_language(people, redrawn, uninsured):
    assert [round(uninsured(one)) for one in (people, redrawn)] == [37, 22]
    assert people.HICOV.eq("no").mean() == 0.165


@after("12a687a2")
def person_9_rather_belongs_to_class_a(ten):
    fits = {}
    for name, members in ten.groupby("class"):
        chances = [(members[v] == ten.loc[9, v]).mean() for v in ("MAR", "DIS")]
        fits[name] = len(members) / 10 * chances[0] * chances[1]
    assert ten.loc[9].tolist() == ["B", "married", "yes"]
    assert [round(one, 2) for one in fits.values()] == [0.15, 0.03]
    assert round(fits["A"] / sum(fits.values()), 2) == 0.82


@after("0340bfad")
def synthesis_changes_two_columns_only(people, live, synthesized):
    rest = people.columns.drop(synthesized)
    assert live[rest].equals(people[rest]) and not live.equals(people)


@after("0340bfad")
def in_the_models_file_about_a_third_are_without_insurance(live, uninsured):
    assert 30 <= uninsured(live) <= 36


@after("036b0f71")
def the_model_looks_at_the_language_and_the_man_gets_a_stranger(
    released, uninsured, redrawn, kept, people, known, synthesized
):
    shares = [uninsured(file) for file in released]
    assert round(shares[0]) == 34 and min(shares) > uninsured(redrawn) and kept == 8
    again = [sr.redraw(people, synthesized, known, seed=seed) for seed in range(1, 21)]
    assert max(map(uninsured, again)) < min(shares)


@after("860116aa")
def a_hundred_other_files_of_each_kind():
    luck = sr.load_results("acs_luck").groupby("made")
    assert (luck.size() == 100).all()
    risk = luck.expected_match_risk.agg(["min", "max"]).round()
    assert risk.loc["model"].tolist() == [48, 66] and risk.loc["redrawn"].tolist() == [48, 62]
    back = luck.falls_back.mean()
    assert (round(back["model"], 1), round(back["redrawn"])) == (63.5, 59)


@after("860116aa")
def synthesis_leaves_a_third_of_the_risk(both):
    assert both.confidential.tolist() == [172, 0.003, 0, 30]
    assert both.synthetic.round(4).tolist()[1:] == [0.0005, 0.8, 25]
    assert 55 < both.synthetic.expected_match_risk < 56


@after("860116aa")
def redrawn_it_is_57_and_falling_back_58(by_redrawing, people, redrawn, known, synthesized):
    assert round(by_redrawing.expected_match_risk) == 57
    back = sr.match(people, redrawn, known, synthesized, fallback=True).summary()
    assert round(back.expected_match_risk) == 58


@after("860116aa")
def the_floor_counts_combinations(both, people, known):
    assert both.floor.tolist() == [59, 0.0005, 0, 5]
    assert people.groupby(known, observed=True).ngroups == 59


@after("bd05c21e")
def unique_matches_carry_less_than_a_tenth(unique, few, total):
    assert round(unique / total, 2) == 0.09
    assert len(few) == 84 and few.risk.sum() > 3 * unique


@after("ffca23b6")
def single_files_range_widely(table):
    assert table.unique_matches.agg(["min", "max"]).tolist() == [19, 58]
    assert table.expected_match_risk.agg(["min", "max"]).round().tolist() == [51, 65]


@after("together-files")
def an_intruder_with_all_files_gains_with_m(used_at_once):
    together = pd.Series({m: used_at_once(range(m)) for m in range(1, 21)})
    assert together[[1, 10, 20]].round().tolist() == [65, 78, 93]
    assert together[15:].mean() > together[5:15].mean() > together[:5].mean() + 10
    assert (together.diff() < 0).any()  # not at every step


@after("nobody-03")
def thirty_persons_have_no_match(nobody, him):
    assert len(nobody) == 30 and him in nobody


@after("him-03")
def falling_back_finds_the_man_with_a_strangers_value(falling, released, people, him):
    assert falling.records.loc[him, ["c", "T", "risk"]].tolist() == [1, 1, 1]
    assert (people.DIS[him], released[0].DIS[him]) == ("yes", "no")


@after("fallback-03")
def gives_up_falls_back_and_floor_are_one_story(sums, both, found, falling):
    assert sums.round().tolist() == [55, 65, 59]
    given_up = found.records.c == 0
    gained = falling.records.risk[given_up].sum()
    assert round(gained) == 10 and round(sums["gives up"] + gained, 6) == round(
        sums["falls back"], 6
    )
    assert both.confidential.expected_match_risk - sums.floor == 113
    assert round(sums["falls back"] - sums.floor) == 6


@after("back-03")
def falling_back_is_never_below_the_floor_and_giving_up_often_is(table, back, both):
    floor, gives_up = both.floor.expected_match_risk, table.expected_match_risk
    assert back.expected_match_risk.agg(["min", "mean", "max"]).round(1).tolist() == [
        59.2,
        64.5,
        70.9,
    ]
    assert (back.expected_match_risk >= floor).all()
    others = sr.load_results("acs_luck").query("made == 'model'")
    below = others.falls_back[others.falls_back < floor]
    assert len(below) == 1 and below.item() > 58.9
    assert round(gives_up.mean()) == 56 and gives_up.min() < floor < gives_up.max()


@after("back-03")
def redrawn_among_look_alikes_falling_back_gives_the_floor(people, known, synthesized):
    files = [sr.redraw(people, synthesized, known, seed=seed) for seed in range(60)]
    risk = sr.match_all(people, files, known, synthesized, fallback=True).expected_match_risk
    assert abs(risk.mean() - 59) < 2 * risk.std() / 60**0.5


@after("ten-03")
def ten_files_at_once_give_more_than_one(luck):
    assert len(luck) == 100
    for name, numbers in {"falls_back": [59, 63, 71], "at_once": [68, 80, 93]}.items():
        assert luck[name].agg(["min", "mean", "max"]).round().tolist() == numbers
    assert (luck.at_once > luck.falls_back).all()


@after("shuffled-03")
def relinked_by_three_columns_it_is_what_one_file_gives(
    people, known, shuffled, relinked, by_three
):
    assert not any(one[known].equals(people[known]) for one in shuffled[1:])
    assert all(one[known].equals(people[known]) for one in relinked)
    assert round(by_three) == 65


@after("relinked-03")
def shuffling_protects_as_far_as_there_are_ties(by_columns, alone, used_at_once):
    assert by_columns.loc[("acs", 3)].round().tolist() == [61, 51, 72]
    assert by_columns.loc[("acs", 8)].round().tolist() == [72, 58, 83]
    assert by_columns.loc["ce"]["mean"].round().tolist() == [257, 420, 696, 854]
    assert (by_columns.loc[("ce", 6)].round(3) == by_columns.loc[("ce", 6), "mean"].round(3)).all()
    assert alone == [5, 20, 83, 146, 243, 289, 103, 340, 1593, 5571]
    assert [round(used_at_once(range(m))) for m in (1, 20)] == [65, 93]
    stored = sr.load_results("ce_scenarios").query("synthesized == 'Income' and radius == 0.01")
    of_ce = stored[stored.intruder == "paper"].set_index("m").risk
    assert of_ce[[1, 20]].round().tolist() == [364, 854]
    assert round(of_ce[20], 3) == round(by_columns.loc[("ce", 6), "mean"], 3)


@after("relinked-03")
def who_has_all_eight_facts_gains_nothing_from_shuffled_files(
    people, released, synthesized, acs_columns
):
    eight = sr.load_results("acs_relinked").query("data == 'acs' and facts == 8").risk
    assert eight.agg(["mean", "min", "max"]).round().tolist() == [581, 551, 605]
    for files, correct in ((released, 652), (released[:1], 593)):
        risk = sr.intruder_risk(people, files, acs_columns, synthesized).summary().expected
        assert round(risk) == correct
    assert sr.floor(people, acs_columns).summary().expected_match_risk == 577


@after("3a1c09d5")
def from_which_m_on_an_average_settles(settled):
    assert settled.tolist() == [12, 13, 17, 19]


@after("b68737a5")
def those_at_the_top_share_their_values_with_two_others_at_most(alike, worst, risks):
    assert alike[worst.index].max() == 3
    assert (risks > 0.2).sum() == 28


@after("b68737a5")
def the_man_keeps_0_4_and_who_falls_back_always_finds_him(
    people, released, known, synthesized, worst, him
):
    assert round(worst[him], 9) == 0.4
    back = sr.record_risk(people, released, known, synthesized, fallback=True).loc[him]
    assert (back == 1).all()


@after("b7b45b6a")
def small_groups_carry_most_of_the_risk(by_race, risks):
    small = by_race[by_race.persons < 1000]
    assert len(small) == 4 and small.persons.sum() == 600
    assert round(small.risk.sum() / risks.sum(), 1) == 0.6
    times = small["risk per 1,000 persons"] / by_race["risk per 1,000 persons"].min()
    assert times.agg(["min", "max"]).round().tolist() == [27, 57]


@after("3a1c09d9")
def more_knowledge_singles_out_more_people(answers, asked, people, released, synthesized):
    given_up = [answers[f"{name}: gives up"] for name in asked]
    assert [one.unique_matches for one in given_up] == [25, 145, 350, 0]
    assert [round(one.expected_match_risk) for one in given_up] == [55, 145, 368, 1]
    with_area = sr.match(people, released[0], asked["and WAOB"], synthesized).records
    assert with_area[["K", "F"]].sum().tolist() == [56, 89]
    nothing = sr.match(people, released[0], [], synthesized).records.c
    assert nothing.agg(["min", "max"]).tolist() == [283, 6738]


@after("3a1c09d9")
def with_eight_known_falling_back_is_best_in_file_1(answers, people, released, variables):
    names = ("gives up", "falls back", "floor")
    found = {name: answers[f"all eight: {name}"] for name in names}
    assert [round(found[name].expected_match_risk) for name in names] == [368, 593, 577]
    assert found["floor"].tolist() == [577, 0.0289, 0, 289]
    records = sr.match(people, released[0], variables, ["DIS", "HICOV"]).records
    assert (records.c == 0).sum() == 359 and records[["K", "F"]].sum().tolist() == [196, 154]
    others = sr.load_results("acs_luck").query("made == 'model'").eight
    assert others.agg(["min", "mean", "max"]).round().tolist() == [574, 589, 611]
    assert (others < 577).sum() == 2
    confidential = sr.baseline(people, variables, ["DIS", "HICOV"]).summary()
    assert confidential.expected_match_risk == 956
    assert answers["none: floor"].expected_match_risk.round(9) == 1


@after("7fa54259")
def a_bad_model_protects_hardly_anybody(averages):
    assert averages.loc[2].round().tolist() == [51, 60, 44]
    assert averages.loc[40].round().tolist() == [57, 65, 3]
    assert averages.pmse_ratio[averages.pmse_ratio < 10].index.min() == 4
    assert round(averages.pmse_ratio[4]) == 9
    assert (averages.expected_match_risk < 59).all() and (averages.falls_back > 59).all()


@after("counted-03")
def the_hand_count_is_the_packages(found):
    assert found.records.c.tolist() == [1, 1, 2, 2, 3, 3, 3, 3, 2, 2]
    assert found.records["T"].tolist() == [1, 0, 1, 0, 1, 1, 1, 0, 1, 0]
    assert round(found.summary().expected_match_risk, 9) == 3


@after("gibbs-03")
def ten_people_say_too_little_to_decide_on_a_number_of_classes():
    steps = sr.load_results("acs_steps")[["one", "two", "three"]]
    assert len(steps) == 100
    assert (100 * steps.mean()).round().tolist() == [27, 33, 39]


@after("gibbs-03")
def ten_thousand_people_use_about_eighteen_classes():
    sampler = GibbsSampler(sr.load_acs(), 40, np.random.default_rng(1))
    used = []
    for _ in range(600):
        sampler.step()
        used.append(np.count_nonzero(sampler.counts.sum(axis=0)))
    assert round(np.mean(used[300:])) == 18


@after("steps-03")
def the_mean_of_the_runs_is_exact_and_a_single_run_is_luck(steps, ten):
    exact = exact_shares(ten[["MAR", "DIS"]])
    assert (100 * exact).round(1).tolist() == [27.9, 33.4, 38.7]
    assert (100 * steps.mean()).round().tolist() == [27, 33, 39]
    assert (abs(steps.mean() - exact) < 0.01).all()
    assert (100 * steps.one.agg(["min", "max"])).round().tolist() == [9, 56]
    independent = exact[0] * (1 - exact[0]) / steps.one.var()  # as many draws have this spread
    assert 20 < independent < 30


@after("copula-03")
def the_copula_keeps_the_shares_and_leaves_the_rest_alone(people, synthesized, eight, copula):
    file = copula(people, synthesized, seed=2)
    assert file[eight].equals(people[eight])
    for name in synthesized:
        gap = file[name].value_counts(normalize=True) - people[name].value_counts(normalize=True)
        assert gap.abs().max() < 0.02
    assert copula(people, synthesized, seed=2).equals(file)


@after("makers-03")
def four_makers_leave_about_the_floor_and_differ_in_usefulness(
    measures, people, eight, copula, synthesized
):
    assert measures.loc["confidential"].round(1).tolist() == [172, 172, 8.0, 37.1]
    four = measures.drop("confidential")
    ends = four.agg(["min", "max"])
    assert ends["gives up"].round().tolist() == [50, 57]
    assert ends["falls back"].round().tolist() == [57, 65]
    assert ends.DiSCO.round(1).tolist() == [4.7, 6.4]
    assert four.uninsured.round().tolist() == [22, 34, 38, 21]
    luck = sr.load_results("acs_luck").query("made == 'model'").falls_back
    assert luck.max() - luck.min() > 65 - 57
    again = [copula(people, synthesized, seed) for seed in range(2, 12)]
    assert max(100 * one.HICOV[one.LANX == "yes"].eq("no").mean() for one in again) < 27


@after("makers-03")
def half_of_the_scores_of_insurance_is_luck(people, normal_scores):
    scores = normal_scores(people.HICOV, np.random.default_rng(1))
    within = scores.groupby(people.HICOV, observed=True).transform("mean")
    assert 0.5 < (scores - within).var() / scores.var() < 0.6


@after("income-03")
def trees_give_away_incomes_and_the_copula_hardly_any(ce, basic, radius, risk):
    assert len(risk["trees"]) == 400 and len(risk["copula"]) == 100
    for maker, numbers in {"trees": [338, 296, 386], "copula": [22, 12, 32]}.items():
        assert risk[maker].agg(["mean", "min", "max"]).round().tolist() == numbers
    confidential = sr.baseline(ce, basic, ["Income"], radius).summary()
    floor = sr.floor(ce, basic, {"Age": 0.1}).summary()
    assert round(confidential.expected_match_risk) == 3013
    assert round(floor.expected_match_risk) == 73


@after("income-03-own")
def trees_give_the_own_income_back_and_the_copula_is_less_useful(own):
    assert [round(one["own income back, %"], 1) for one in own.values()] == [13.0, 1.4]
    assert own["copula"]["10,000 × pMSE"] > 10 * own["trees"]["10,000 × pMSE"]


@after("pmse-03-files")
def the_order_of_mean_pmse_over_m_is_luck(by_m):
    means = {place: round(one["mean"], 4) for place, one in by_m.items()}
    assert min((0, 1), (0, 10), (0, 20), key=means.get) == (0, 1)
    assert max((1, 1), (1, 10), (1, 20), key=means.get) == (1, 1)
    assert {round(mean, 1) for mean in means.values()} == {3.4}
    for seed in (0, 1):
        assert by_m[seed, 1][["min", "max"]].round(1).tolist() == [1.2, 6.9]
        assert by_m[seed, 20][["min", "max"]].round(1).tolist() in ([2.8, 4.0], [2.8, 4.1])


@after("one-03-coverage")
def an_interval_from_one_file_needs_two_or_three_times_the_variance(holds):
    survey, drawn = holds["with the survey's share"], holds["with a drawn share"]
    assert [round(100 * survey[name]) for name in ("1v", "2v")] == [84, 95]
    assert [round(100 * drawn[name]) for name in ("1v", "3v")] == [74, 95]
