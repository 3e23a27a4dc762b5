"""What lesson 05 says, held to its numbers."""

import numpy as np
import pandas as pd

import synthrisk_edu as sr
from claims import after


def give_or_take(differences):
    """Twice the standard error of a mean."""
    return 2 * differences.sem()


# Section 1


@after("2ab3d713")
def the_intruder_believes_ten_and_gets_three_and_a_half_right(risk):
    assert risk.summary().to_dict() == {"perceived": 10, "expected": 3.5, "true": 3}


@after("baselines-05-toy")
def five_with_the_confidential_file_and_two_by_sex_alone(true):
    ends = sr.intruder_baselines(true, ["sex"], ["facility"]).expected
    assert ends.to_dict() == {"confidential": 5, "floor": 2}
    assert sr.floor(true, ["sex"]).summary().expected_match_risk == 2


@after("5c3b1fcb")
def the_likeliest_record_is_right_for_target_0_and_wrong_for_target_1(risk):
    assert risk.records.loc[0, ["highest", "c", "I", "K"]].tolist() == [0.75, 1, 1, 1]
    assert risk.records.loc[1, ["highest", "I"]].tolist() == [0.75, 0]


@after("810b5e13")
def equations_1_and_2_are_the_average_of_the_shares_in_the_draws(true, first, second, risk):
    """For target 8: in each draw 1/n_t for those who fit, then the mean over the draws."""
    shares = []
    for draw in (first, second):
        fits = (draw.sex == "M") & (draw.facility == "C")
        shares.append(fits / fits.sum())
    assert np.allclose(risk.match_probabilities(8).iloc[:-1], np.mean(shares, axis=0))


@after("5c3b1fcb")
def target_8_is_a_half_for_the_wrong_boy(risk):
    assert risk.match_probabilities(8).iloc[[5, 6, 8]].tolist() == [0.5, 0.25, 0.25]


# Section 2


@after("36cbb1a6")
def there_are_2562_youths_in_46_facilities(youth):
    assert (len(youth), youth.facility.nunique()) == (2562, 46)


@after("baselines-05")
def every_risk_lies_between_3_and_224(baselines, youth, known):
    assert baselines.expected.to_dict() == {"confidential": 224, "floor": 3}
    assert sr.floor(youth, known).summary().expected_match_risk == youth.ethnicity.nunique() == 3


# Section 3


@after("32272479")
def perceived_risk_falls_steeply_under_averaging_and_stays_high_under_the_mode(table):
    perceived = table.perceived["averaging"]
    assert 140 < perceived[2] < 180 and perceived[10] < 25
    assert table.perceived["mode"].min() > 140


@after("32272479")
def in_our_release_seven_or_eight_are_right_with_ten_files(table):
    assert 7 <= table.expected["averaging", 10] <= 8


@after("twenty-05")
def perceived_falls_far_beyond_the_spread(spread, releases):
    perceived = spread.perceived
    assert perceived["max"][10] < perceived["min"][2] / 5
    assert perceived["mean"].round().tolist()[::2] == [158, 12]
    assert releases.release.nunique() == 200


@after("twenty-05")
def expected_rises_a_little_and_single_releases_range_from_3_to_19(spread):
    expected = spread.expected
    assert (round(expected["mean"][2]), round(expected["mean"][10])) == (8, 11)
    assert (round(expected["min"][10]), round(expected["max"][10])) == (3, 19)


@after("twenty-05")
def the_rise_with_m_is_more_than_luck_and_one_release_in_seven_falls(releases):
    right = releases.pivot(index="release", columns="m", values="expected")
    rise = right[10] - right[2]
    assert rise.mean() > give_or_take(rise)
    assert round(1 / (rise < 0).mean()) == 7


@after("twenty-05")
def our_release_could_be_one_of_these(table, spread):
    perceived, expected = table.perceived["averaging"], table.expected["averaging"]
    for m in (2, 3, 10):
        assert spread.perceived["min"][m] <= perceived[m] <= spread.perceived["max"][m]
        assert spread.expected["min"][m] <= expected[m] <= spread.expected["max"][m]


@after("810b5e13")
def in_the_toy_all_girls_tie_and_all_boys(true):
    untouched = true.columns.drop("facility")
    assert untouched.tolist() == ["sex"] and true.sex.nunique() == 2


@after("h5a00006")
def at_a_quarter_seven_or_eight_are_believed_in_and_right(at_a_quarter):
    assert 7 <= at_a_quarter.perceived <= 8 and 7 <= at_a_quarter.expected <= 8


# Section 4


@after("6c177faa")
def far_fewer_are_believed_in_and_ten_in_place_of_seven_are_right(live):
    assert live.perceived["and the models"] < live.perceived["three files"] / 10
    assert live.expected.round().tolist()[:2] == [7, 10]
    assert live.expected["and f(β)"] > live.expected["three files"]


@after("32272479")
def with_two_files_162_matches_are_believed_in(table):
    assert table.perceived["averaging", 2] == 162


@after("700688cf")
def the_surest_intruder_gives_28_per_cent_to_the_true_record(risks, someone):
    record = risks["and f(β)"].records.loc[someone]
    assert someone == 452 and round(record.highest, 2) == 0.28 and record.K == 1


@after("6c177faa")
def an_accident_in_two_of_three_files_looks_likely(risks, youth, released):
    """The reason that the verdict of 05.b gives."""
    like_452 = youth[["ethnicity", "sex", "age"]].eq(youth.loc[452, ["ethnicity", "sex", "age"]])
    assert like_452.all(axis=1).sum() == 1
    assert youth.loc[452, ["ethnicity", "sex", "age"]].tolist() == ["Hispanic", "female", 13]
    top = risks["three files"].match_probabilities(452).idxmax()
    shown = [
        (one.loc[top, ["facility", "race"]] == youth.loc[452, ["facility", "race"]]).all()
        for one in released[:3]
    ]
    assert sum(shown) == 2


@after("1ac2400b")
def for_most_targets_the_tallest_bar_shrinks(risks):
    few, all_of_it = risks["three files"].records.highest, risks["and f(β)"].records.highest
    assert 0.5 < (all_of_it < few).mean() < 1


@after("beta-05-combine")
def equations_3_to_6(combined, fits):
    beta = np.array([fit.estimates[1] for fit in fits])
    sigma = np.array([fit.covariances[1] for fit in fits])
    mean = sum(beta) / 3
    between = sum(np.outer(one - mean, one - mean) for one in beta) / 2
    assert np.allclose(combined.mean, mean) and np.allclose(combined.within, sum(sigma) / 3)
    assert np.allclose(combined.between, between)
    assert np.allclose(combined.total, sum(sigma) / 3 + between / 3)


@after("beta-05-combine")
def the_coefficient_is_black_against_white_for_not_hispanic(chain, youth):
    """Its place: after the constant, the first level of ethnicity after the first."""
    assert chain.predictors[0] == "ethnicity"
    assert youth.ethnicity.cat.categories[1] == "not Hispanic"
    assert youth.race.cat.categories[:2].tolist() == ["white", "Black"]


@after("beta-05-drawn")
def with_drawn_coefficients_nothing_is_believed_in(drawn, fits, youth, known, synthesized):
    others = sr.model_draws(fits, youth, np.random.default_rng(5), drawn=True)
    here, there = (
        sr.intruder_risk(youth, draws, known, synthesized).summary() for draws in (drawn, others)
    )
    assert here.perceived == there.perceived == 0
    assert 10 <= here.expected <= 11 and round(there.expected) == 19


# Section 5


@after("results-05")
def there_are_twenty_runs_of_everything(results):
    assert (results.groupby(["knows", "m"]).run.nunique() == 20).all()


@after("steps-05")
def the_models_add_18_15_and_6_and_the_coefficients_12_10_and_9(gain):
    assert gain["mean"].round().loc["models"].tolist() == [18, 15, 6]
    assert gain["mean"].round().loc["f(β)"].tolist() == [12, 10, 9]
    assert (gain["mean"] > gain["give or take"])[["models", "f(β)"]].all()


@after("steps-05")
def the_difference_of_the_steps_is_hardly_beyond_luck(gain, steps):
    between = gain.loc["models − f(β)"].round()
    assert between.loc[2].tolist() == [6, 4] and between.loc[3].tolist() == [5, 5]
    assert (steps["models − f(β)"] > 0).sum()[2] == 15
    assert (steps["models − f(β)"] < 0).sum()[2] == 5


@after("steps-05")
def the_first_step_is_larger_with_two_and_three_files_and_not_with_ten(steps):
    for m, larger in {2: True, 3: True, 10: False}.items():
        difference = steps["models"][m] - steps["f(β)"][m]
        assert (difference.mean() > give_or_take(difference)) == larger
    assert abs(difference.mean()) < give_or_take(difference)


@after("steps-05")
def the_models_add_to_two_or_three_files_in_every_run(steps):
    assert (steps["models"][[2, 3]] > 0).all(axis=None)


@after("steps-05")
def given_the_coefficients_the_number_of_files_does_not_matter(right):
    informed = right.xs("f(β) (mode)", axis=1, level="knows")
    assert informed.mean().round().tolist() == [62, 60, 60]
    for one, other in ((2, 3), (3, 10), (2, 10)):
        difference = informed[one] - informed[other]
        assert abs(difference.mean()) < give_or_take(difference)


@after("steps-05")
def averaging_beats_the_mode_in_every_run(right):
    for m in (2, 3, 10):
        assert (right[m]["nothing (averaged)"] > right[m]["nothing (mode)"]).all()


@after("steps-05")
def mean_or_drawn_is_within_the_spread_and_the_mode_is_better_by_about_6(right):
    for m in (2, 3, 10):
        difference = right[m]["models (mean β)"] - right[m]["models (drawn β)"]
        assert abs(difference.mean()) < give_or_take(difference)
    mode, drawn = (right.xs(f"f(β) ({k})", axis=1, level="knows") for k in ("mode", "drawn"))
    difference = (mode - drawn).mean(axis=1)
    assert difference.mean() > give_or_take(difference) and round(difference.mean()) == 6


@after("calibration-05")
def what_is_believed_and_what_is_right(results):
    both = results.groupby(["knows", "m"])[["believed", "expected"]].mean().round()
    assert both.believed["nothing (mode)"].between(200, 206).all()
    assert both.expected["nothing (mode)"].tolist() == [25, 27, 32]
    assert both.loc[("nothing (averaged)", 2)].tolist() == [166, 32]
    assert both.loc[("nothing (averaged)", 10)].tolist() == [84, 45]
    assert both.loc[("models (mean β)", 3)].tolist() == [47, 51]
    assert both.believed["f(β) (mode)"].eq(50).all()
    assert both.expected["f(β) (mode)"].between(60, 62).all()


@after("uniques-05")
def in_every_run_most_of_the_matched_are_not_uniques(informed):
    assert (informed.uniques < informed.true / 2).all()
    assert informed[["true", "uniques"]].mean().round().tolist() == [60, 14]


# Further: is the target in the file at all?


@after("f6e863c8")
def at_ten_per_cent_no_probability_is_higher(my, youth, known, synthesized):
    weights = np.full(len(youth), 10.0)
    risk = sr.intruder_risk(youth, my.story.released, known, synthesized, weights=weights)
    assert risk.records.highest.max() <= 0.1 + 1e-9


@after("weights-05")
def weights_say_10_and_the_truth_is_between_1_and_38(compared):
    assert compared.loc[1].tolist() == [39, 1, 5, 38]
    assert compared.loc[5, ["min", "max"]].tolist() == [16, 44]


@after("census-05")
def belief_changes_and_not_who_is_found(risks):
    found = {name: risk.summary().tolist() for name, risk in risks.items()}
    assert found == {
        "known to be in it": [147, 95, 39],
        "by weights": [0, 95, 39],
        "by census": [20, 95, 39],
    }


@after("samples-05")
def other_samples_have_28_to_55_above_a_tenth_and_1_to_15_certain(samples):
    assert len(samples) == 200
    assert samples.agg(["min", "max"]).to_numpy().tolist() == [[28, 1], [55, 15]]


@after("three-files-05")
def with_synthetic_files_belief_changes_and_about_seven_are_found(three_files):
    means = three_files.groupby("the target is").mean()
    order = ["known to be in it", "by weights", "by census"]
    assert means.perceived[order].round().tolist() == [98, 0, 5]
    assert means.expected[order].round().tolist() == [7, 7, 7]
    assert len(three_files) == 300
    by = {name: rows.expected.to_numpy() for name, rows in three_files.groupby("the target is")}
    lost = pd.Series(by["known to be in it"] - by["by census"])
    assert abs(lost.mean()) < give_or_take(lost)  # next to nothing


@after("declared-05")
def of_declared_matches_6_in_100_are_correct_and_by_census_one_half(
    everyone, kind, sample, youth, alike
):
    assert everyone.declared.tolist() == [1332, 0, 39]
    assert everyone.correct.round(9).tolist() == [78, 0, 19]
    in_sample = kind[sample.index].value_counts()
    assert kind.isin(in_sample.index).sum() == 2022 and in_sample.size == 95


@after("declared-05")
def one_in_N_t_is_how_often_a_guess_is_correct(kind, sample, alike, youth):
    """Over all who are like a target, in the file or not, by hand."""
    n_t = kind.map(kind[sample.index].value_counts())
    for one in kind[sample.index].unique():
        group = youth.index[kind == one]
        correct = sum(1 / n_t[i] for i in group if i in sample.index) / len(group)
        assert round(correct * alike[group[0]], 9) == 1


@after("declared-05-others")
def in_other_samples_5_to_7_and_33_to_65_in_100(per_100):
    assert len(per_100) == 200
    assert per_100.agg(["min", "max"]).round().to_numpy().tolist() == [[5, 33], [7, 65]]


@after("model-N-05")
def a_model_is_a_little_nearer_than_the_weights(ours, others):
    assert [round(ours[name], 1) for name in ("weights", "model")] == [6.5, 5.7]
    assert others.mean().round(1).tolist() == [7.3, 6.5]
    assert (others.model < others.weights).sum() == 195 and len(others) == 200


@after("nothing-05")
def with_nothing_to_match_on_everybody_is_as_likely(nothing, sample, youth):
    p = nothing.match_probabilities(0)
    assert np.allclose(p.iloc[:-1], 1 / 2562) and round(p.iloc[-1], 1) == 0.9
    assert p.iloc[-1] == (len(youth) - len(sample)) / len(youth)
    assert round(nothing.summary().expected, 9) == 1


@after("weights-05")
def most_kinds_that_were_sampled_once_have_fewer_than_ten_youths(n_t, N_t):
    assert (N_t[n_t == 1] < 10).mean() > 0.5


# Further: what else is known; which β, and why records were chosen


@after("partial-05")
def the_less_exactly_age_is_known_the_fewer_are_right(ages):
    assert ages["mean"].round().tolist() == [41, 21, 14]
    assert ages.floor.tolist() == [30, 12, 6]
    assert (ages["mean"] - ages.floor).round().tolist() == [11, 9, 8]
    assert ages.confidential.tolist() == [733, 423, 325]
    assert ages.loc["exact", ["min", "max"]].round().tolist() == [28, 57]


@after("partial-05")
def what_the_files_add_to_the_floor_is_more_than_luck(releases, ages):
    for name in ages.index:
        added = releases[releases.age == name].expected - ages.floor[name]
        assert added.mean() > give_or_take(added) and len(added) == 200


@after("partial-05")
def the_stored_releases_see_ages_as_the_lesson_does(views, youth, synthesized):
    """Ten files made here and looked at by the lesson's views lie within what is stored."""
    chain = sr.fit_multinomial(youth, synthesized, ["ethnicity", "age", "sex"])
    files = chain.draws(youth, np.random.default_rng(3), [None] * 10)
    stored = sr.load_results("youth_releases")
    for name, view in views.items():
        seen = [view(file) for file in files]
        risk = sr.intruder_risk(view(youth), seen, ["ethnicity", "age"], synthesized).summary()
        found = stored[stored.age == name].expected
        assert found.min() <= risk.expected <= found.max()


@after("linked-05")
def shuffled_rows_are_linked_again_and_nothing_is_lost(linked, youth):
    right = linked.pivot(index="release", columns="columns", values="expected")
    untouched = "stratum, ethnicity, sex, age, crime, weight"
    assert len(right) == 100
    assert right[["rows", untouched, "ethnicity, age, sex"]].mean().round().eq(11).all()
    for columns in (untouched, "ethnicity, age, sex"):
        lost = right["rows"] - right[columns]
        assert abs(lost.mean()) < give_or_take(lost)
    assert 6 <= right["first file"].mean() <= 7 and round(right["ethnicity"].mean()) == 4
    cells = youth.groupby(untouched.split(", "), observed=True).age.transform("size")
    assert (cells == 1).sum() == 570


@after("reasons-05-again")
def what_cannot_be_true_is_simulated_again_and_not_thrown_out(without, with_R, again):
    assert without.match_probabilities(0).tolist() == [1 / 4] * 4 + [0, 0]
    assert without.match_probabilities(3).tolist() == [0, 0, 0, 0, 1, 0]
    assert again.race.tolist() == list("WWWBB")
    assert with_R.match_probabilities(0).tolist() == [1 / 3] * 3 + [0, 0, 0]
    assert with_R.match_probabilities(3).tolist() == [0, 0, 0, 1 / 2, 1 / 2, 0]


@after("reasons-05-all")
def telling_the_reason_gives_more_right_guesses_in_every_release(reasons, told, not_told):
    released = reasons.loc["not white"]
    assert len(released) == 100 and (released.reason > released.nothing).all()
    for found, name, ends in (
        (not_told, "nothing", [122, 128, 136]),
        (told, "reason", [154, 162, 171]),
    ):
        spread = released[name].agg(["min", "mean", "max"])
        assert spread.round().tolist() == ends
        assert spread["min"] <= found <= spread["max"]  # the release made here is one of these


@after("reasons-05-all")
def borrowing_from_the_same_facility_is_a_little_worse(reasons):
    released = reasons.loc["not white"]
    gain = released.reason_by_facility - released.reason
    assert round(released.reason_by_facility.mean()) == 159
    assert gain.mean() < -give_or_take(gain) and (gain > 0).sum() == 15


@after("reasons-05-all")
def with_the_model_the_reason_adds_about_one(reasons):
    released = reasons.loc["not white"]
    assert released[["model", "both"]].mean().round().tolist() == [168, 169]
    added = released.both - released.model
    assert round(added.mean()) == 1 and round(give_or_take(added)) == 1


@after("reasons-05-five")
def no_more_than_five_times_adds_nothing(reasons, youth, known, synthesized):
    released = reasons.loc["at most five", ["nothing", "model", "both"]]
    assert released.mean().round().tolist() == [93, 107, 106] and len(released) == 100
    added = released.both - released.model
    assert added.mean() < give_or_take(added)
    alike = youth.groupby(known + synthesized, observed=True).age.transform("size")
    assert (alike <= 5).sum() == 249


@after("reasons-05-seven-right")
def the_model_takes_away_the_false_certainty_and_R_adds_no_match(risks, chances):
    expected = {name: risk.summary().expected for name, risk in risks.items()}
    assert np.allclose(list(expected.values()), [53 / 28, 3, 3])
    assert round(expected["the file"], 2) == 1.89
    assert chances["the file"].tolist() == [0] * 6 + [1, 0]
    assert np.allclose(chances["and M"].iloc[5:7], 163 / 686) and round(163 / 686, 2) == 0.24
    assert chances["and M and R"].tolist() == [0] * 5 + [0.5, 0.5, 0]


@after("reasons-05-unique")
def there_are_49_draws_and_R_leaves_two(every, allowed):
    assert len(every) == 49 and len({"".join(draw.race) for draw in every}) == 16
    assert {"".join(draw.race) for draw in allowed} == {"WWWBBAO", "WWWBBOA"}
    assert len(allowed) == 2


@after("reasons-05-unique")
def model_draws_simulates_what_R_allows(seven, seven_file, chosen, unique, rng):
    office = sr.fit_multinomial(seven, ["race"], [])
    draws = sr.model_draws([office], seven_file, rng, 20, possible=unique, among=chosen)
    assert {"".join(draw.race) for draw in draws} == {"WWWBBAO", "WWWBBOA"}


@after("files-05")
def a_hundred_files_are_worth_f_of_beta(many):
    right = many.pivot(index="run", columns=["knows", "m"], values="expected")
    averaged, models = right["nothing (averaged)"], right["models (mean β)"]
    informed = right["f(β) (mode)", 100]
    assert averaged.mean().round().tolist() == [32, 45, 53, 59] and round(informed.mean()) == 60
    gap = averaged[100] - informed
    assert abs(gap.mean()) < give_or_take(gap) and len(right) == 20
    assert models.mean().round().tolist() == [51, 52, 53]
    short = informed - models[30]
    assert short.mean() > give_or_take(short)
    added = models[30] - averaged[30]
    assert abs(added.mean()) < give_or_take(added)


@after("office-05")
def every_fit_pulls_the_coefficients_of_facilities_towards_0_again(larger, youth, synthesized):
    files = larger.draws(youth, np.random.default_rng(1), [None] * 3)
    fits = [sr.fit_multinomial(one, synthesized, larger.predictors) for one in files]
    mean = np.mean([fit.estimates[0] for fit in fits], axis=0)
    assert np.linalg.norm(mean) < 0.8 * np.linalg.norm(larger.estimates[0])


@after("uniques-05-table")
def more_uniques_are_found_by_who_knows_more(uniques):
    rows = ["nothing (averaged)", "models (mean β)", "f(β) (mode)"]
    assert uniques.loc[rows, 2].round().tolist() == [6, 11, 14]
    assert uniques.loc[rows, 10].round().tolist() == [10, 12, 14]


@after("reasons-05-runs")
def the_floor_of_that_release_is_92(youth):
    ends = sr.intruder_baselines(youth, ["ethnicity", "facility"], ["race"]).expected
    assert ends.to_dict() == {"confidential": 224, "floor": 92}


@after("distance-05-near")
def within_four_weeks_two_and_a_half_guesses_are_right(near, equal):
    assert near.summary().expected == 2.5 and round(equal.summary().expected) == 1


@after("distance-05-two")
def whitening_tells_two_youths_apart(as_it_is, whitened):
    assert as_it_is.summary().expected == 3 and round(whitened.summary().expected, 1) == 4.2
    assert as_it_is.records.c[:2].tolist() == [2, 2]
    assert whitened.records.K[:2].tolist() == [1, 1]


@after("distance-05-files")
def three_in_ten_get_their_own_age_back(itself):
    assert round(10 * itself) == 3


@after("distance-05-youth")
def on_the_youths_file_a_wider_distance_is_worse(apart, youth, question):
    assert apart.mean().round().tolist() == [122, 106, 98, 93] and len(apart) == 20
    assert (apart.diff(axis=1).iloc[:, 1:] < 0).all(axis=None)
    ends = sr.intruder_baselines(youth, *question).expected
    assert ends.round().to_dict() == {"confidential": 437, "floor": 92}


@after("calibration-05")
def the_baselines_are_calibrated(youth, known, synthesized, baselines):
    risk = sr.intruder_risk(youth, [youth], known, synthesized)
    right, believed = risk.summary().expected, risk.records.highest.sum()
    assert round(right) == round(believed) == 224 == round(baselines.expected["confidential"])


@after("24695fb8")
def an_error_in_t_costs_right_guesses_and_is_not_noticed(youth, released, known, synthesized):
    def risks(wrong, seeds):
        files = [sr.redraw(youth, ["facility"], [], wrong, seed=seed) for seed in seeds]
        found = [sr.intruder_risk(t, released[:2], known, synthesized).summary() for t in files]
        return sum(found) / len(found)

    right, half, all_wrong = risks(0, [1]), risks(0.5, range(1, 101)), risks(1, range(1, 101))
    assert half.perceived > right.perceived
    assert [round(one.expected) for one in (right, half, all_wrong)] == [7, 5, 3]
    assert sr.intruder_baselines(youth, known, synthesized).expected["floor"] == 3


@after("office-05")
def drawing_beta_for_each_file_hides_a_little_more(office_beta):
    assert office_beta.mean().round().tolist() == [37, 31]
    gap = office_beta["one β"] - office_beta["a new β for each file"]
    assert gap.mean() > 2 * gap.sem()


@after("pooled-05")
def the_mean_of_beta_is_a_little_better_than_drawing(better):
    assert better.mean().round().tolist() == [2, 6]
    assert (better.mean() > 2 * better.sem()).all()


@after("f6e863c8")
def target_452_is_alone_in_the_population_and_target_245_is_not(youth, known, synthesized):
    alike = youth.groupby(known + synthesized, observed=True).age.transform("size")
    assert alike[452] == 1 and alike[245] == 5


@after("census-05")
def a_population_unique_is_certain_at_every_fraction(sample, census, risks, known, synthesized):
    assert len(sample) == 256
    highest = risks["by census"].records.highest.round(9)
    assert (highest > 0.1).sum() == 37 and (highest == 1).sum() == 7
    assert (risks["by weights"].records.highest.round(9) <= 0.1).all()
    alone = sample.set_index(known + synthesized).index.map(census) == 1
    assert (highest[alone] == 1).all() and (highest[~alone] <= 0.5).all()


@after("density-05-hill")
def a_radius_approximates_a_guess_by_chance(by_density, hill, ce):
    assert by_density.mean().round().tolist() == [20, 13]
    means = hill.groupby("radius").expected_match_risk.mean()
    assert round(means.max()) == 12 and means[0].round(9) == 10
    question = ["Urban", "Marital"], ["Expenditure"]
    assert sr.baseline(ce, *question).summary().expected_match_risk.round() == 5106


@after("5c3b1fcb")
def the_shares_counted_by_hand(risk):
    assert risk.match_probabilities(0).iloc[:2].tolist() == [0.75, 0.25]
