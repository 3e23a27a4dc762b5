"""What lesson 07 says about its numbers."""

import numpy as np

import synthrisk_edu as sr
from claims import after
from synthrisk_edu import households as hh


@after("back-07")
def unflatten_gives_back_what_flatten_took(back, persons, homes, households):
    assert back.equals(persons) and homes.equals(households)


@after("90902e84")
def sizes_of_sample_and_population(data):
    assert len(data.households) == 42_311 and len(data.persons) == 70_834
    assert round(data.population["count"].sum() / 1e6) == 15
    assert data.households.state.nunique() == 35


@after("e8f020c8")
def some_shapes_are_not_those_of_a_survey(data):
    persons = data.persons
    assert round(100 * (persons.adl > 0).mean()) == 85
    paid = persons[persons.working == "yes"].assign(paid=lambda one: one.earnings > 0)
    for variable, off in (("gender", 0.005), ("education", 0.015)):
        share = paid.groupby(variable, observed=True).paid.mean()
        assert (share - 0.55).abs().max() < off
    homes = data.households[["household", "state", "rural"]]
    both = data.households, persons.merge(homes, on="household")
    strata = [one.groupby(["state", "rural"], observed=True).weight for one in both]
    of_homes, of_people = (one.std() / one.mean() for one in strata)
    assert round(of_homes.max(), 3) == 0.248
    assert [round(of_people.median(), 2), round(of_people.max(), 2)] == [0.28, 0.30]


@after("weights-plan-07")
def a_persons_weight_comes_last_and_the_households_predicts_nothing_else(plan, kept, data):
    assert data.households.weight.nunique() == 11_895
    person = ["gender", "age", "education_years", "education", "health", "adl", "working"]
    own = [f"{name}_1_2" for name in [*person, "earnings"]]
    assert plan["weight_1_2"] == ["weight", *own, "weight_1_1"]
    uses = {name for name, predictors in plan.items() if "weight" in predictors}
    assert uses == {name for name in plan if name.startswith("weight_")}
    assert "head_gender" in kept


@after("server-07")
def two_answers_are_roughly_right_and_one_misleads(answers, verify):
    said = answers["overlap", ""].map(verify)
    assert said.tolist() == ["roughly", "roughly", "misleading"]


@after("1b099668")
def small_states_are_sampled_heavily(by_state):
    assert by_state.index[0] == "S9" and by_state.index[-1] == "N1"
    assert by_state["N1"].round(4) == 0.1798  # 899 of 5,000
    assert 1 / 1700 < by_state["S9"] < 1 / 1600


@after("8b38267f")
def who_lives_together_identifies_each_other(alone, homes):
    assert alone["… and the first person"] == 20_383
    assert alone["… and the second person"] == 32_575
    assert 0.75 < alone["… and the second person"] / len(homes) < 0.78


@after("dd809296")
def the_plan_is_as_the_table_in_the_text_says(full):
    names = ["state", "rural", "residents", "respondents"]
    small = full[["household", *names]].join(full.filter(regex="^(present|gender|age)_1_[12]$"))
    plan = {column.name: column.predictors for column in hh.plan(small)}
    assert plan == {
        "residents": names[:2],
        "respondents": names[:3],
        "gender_1_1": names,
        "age_1_1": [*names, "gender_1_1"],
        "present_1_2": [*names, "gender_1_1", "age_1_1"],
        "gender_1_2": [*names, "gender_1_1"],
        "age_1_2": [*names, "gender_1_2", "age_1_1"],
    }


@after("dd809296")
def a_synthetic_household_is_a_household(made, flags):
    assert (flags.sum(axis=1) == made.respondents).all()
    assert (made.present_1_2 <= made.present_1_1).all()


@after("1772b511")
def a_flag_that_does_not_see_the_first_person_makes_singles_too_young(old):
    assert [round(100 * share) for share in old.values()] == [41, 40, 22]


@after("be1daa72")
def the_ratio_flattens_at_six(sizes, cut, size):
    ratio = sizes.groupby("largest").ratio.mean()
    assert round(ratio[2]) == 20 and cut[2] == 6_486 and cut[4] == 997
    assert ratio.loc[6:].between(2.4, 2.6).all()
    assert ratio[4] / ratio[6] > 1.9
    assert (size > 6).sum() == 102


@after("e8f020c8")
def every_synthetic_interval_overlaps(ours, theirs):
    assert ((theirs.low <= ours.high) & (ours.low <= theirs.high)).all()
    missed = (ours.estimate < theirs.low) | (ours.estimate > theirs.high)
    assert list(missed.index[missed]) == [
        "% less than lower secondary",
        "% upper secondary or vocational",
        "% with earnings",
        "% age 65-69",
        "mean education_years",
    ]
    assert round(ours.estimate["% with earnings"]) == 24


@after("e8f020c8")
def who_lives_together_was_not_sampled_independently(ours, kept):
    persons = hh.unflatten(kept)[0]
    women, years = 100 * (persons.gender == "female"), persons.education_years
    for name, x, times in (("% female", women, 0.6), ("mean education_years", years, 1.2)):
        alone = 1.96 * x.std(ddof=0) / len(x) ** 0.5
        reach = ours.high[name] - ours.estimate[name]
        assert round(reach / alone, 1) == times


@after("edits-07")
def rules_that_are_only_learnt_hold_nearly_always(rules, people, data):
    assert rules["confidential"].tolist() == [0, 0, 1]
    assert rules["synthetic"].tolist() == [716, 66, 31]
    assert round(100 * 716 / len(people["synthetic"])) == 1
    single = ~data.persons.duplicated(["household", "couple"], keep=False)
    assert not (single & (data.persons.age == "under 45")).any()


@after("dfc7472d")
def raked_shares_agree_and_others_lie_within_the_interval(kept, made, weighted, side_by_side):
    ours, theirs = weighted
    not_raked = ["% working", "% with earnings", *ours.index[ours.index.str.startswith("mean")]]
    assert np.allclose(ours.drop(not_raked), theirs.drop(not_raked), rtol=1e-6)
    assert side_by_side["% working"].round(1).tolist() == [45.6, 45.4]
    assert side_by_side["% with earnings"].round(1).tolist() == [24.6, 24.8]
    plain = [sr.households.marginals(one).estimate for one in (kept, made)]
    for x, y in (plain, weighted):
        gap = (x - y).abs().round(2)
        assert gap[["% working", "% with earnings"]].max() <= 0.33
        assert gap[["mean health", "mean adl"]].max() <= 0.01
    interval = sr.households.marginals(kept, weighted=True).loc[not_raked]
    assert theirs[not_raked].between(interval.low, interval.high).all()


@after("dfc7472d")
def persons_are_raked_within_every_state(kept, made):
    persons = []
    for wide in (kept, made):
        one, homes = hh.unflatten(wide)
        persons.append(one.merge(homes[["household", "state", "rural"]], on="household"))
    for margin in (["gender", "age"], ["rural"], ["gender", "education"]):
        by = ["state", *margin]
        ours, theirs = (one.groupby(by, observed=True).weight.sum() for one in persons)
        off = (theirs.reindex(ours.index, fill_value=0) / ours - 1).abs() > 1e-6
        states = off[off].index.get_level_values("state").nunique()
        assert states == (8 if "education" in margin else 0)


@after("one-way-07")
def one_variable_at_a_time(single):
    assert single[["state", "rural"]].tolist() == [0, 0]
    assert single[["earnings", "education_years"]].round().tolist() == [6, 5]
    assert list(single.index[:2]) == ["earnings", "education_years"]
    assert (single[["working", "adl"]] < 1).all()


@after("analysis-07")
def a_relation_is_lost_that_no_single_column_shows(answers):
    estimate = answers.xs("estimate", axis=1, level=1).round(1)
    assert estimate.loc["woman"].tolist() == [-32.5, -31.7]
    assert estimate.loc["age group"].tolist() == [-6.9, -6.6]
    assert estimate.loc["adl"].tolist() == [-5.0, -2.6]
    assert answers["overlap"].round(1).tolist() == [0.4, 0.2, 0]


@after("69494233")
def work_earnings_and_adl_are_kept_worst(two):
    worst = hh.mean_ratios(two)
    assert set(worst.index[:3]) == {"working", "earnings", "adl"}
    assert (worst[["working"]] > 10).all() and (worst.drop("working") < 10).all()


@after("e0ea2f32")
def spouses_still_fit_together(equal):
    assert abs(equal[1] - equal[0]) < 0.02


@after("761329ef")
def unique_in_both_files(homes, made_homes, qis):
    found = hh.unique_uniques(homes, made_homes, qis)
    assert found.households["SU-CU"] == 2_970 and round(found.percent["SU-CU"]) == 7


@after("33dd8b4f")
def r_is_not_the_chance_of_being_unique(h):
    for others, both in ((0.8 * 1.25, [0.63, 0.37]), (h, [0.46, 0.17])):
        assert [round((1 - np.exp(-others)) / others, 2), round(np.exp(-others), 2)] == both


@after("199ac0b4")
def household_4_fills_three_slots(wide):
    row = wide.set_index("household").loc[4]
    flags = [row.present_1_1, row.present_1_2, row.present_2_1, row.present_2_2]
    assert flags == [1, 1, 1, 0] and [row.age_1_1, row.age_1_2, row.age_2_1] == [47, 45, 66]


@after("4c7ac64b")
def right_matches_and_population_uniques_with_one_person_known(one, truth):
    assert one.r.notna().sum() == 20_383
    assert [round(one.r.sum(), -1), round(one.unique.sum(), -1)] == [2_970, 1_240]
    assert truth.round(-1).tolist() == [3_010, 1_290]


@after("6ffc1644")
def estimate_and_truth_agree(risk, true, deciles):
    assert [round(risk.r.sum()), round(true.sum())] == [14_017, 13_989]
    assert (deciles["r"] - deciles["true 1/F"]).abs().max() < 0.015
    assert abs(risk.r_main_effects.sum() / true.sum() - 1.36) < 0.02


@after("6ffc1644")
def on_real_people_the_sum_is_right_and_a_tenth_may_not_be():
    found = sr.load_results("household_adult")
    ends = found[["times", "main_effects", "tenth"]].agg(["min", "max", "mean"]).round(2)
    assert len(found) == 100
    assert ends.times.tolist()[:2] == [0.96, 1.03] and ends.tenth["max"] == 0.10
    assert ends.main_effects.tolist() == [1.09, 1.18, 1.13]


@after("9188d164")
def the_smallest_penalty_is_taken(path):
    assert path.B.abs().idxmin() == path.penalty.idxmin()
    assert path.penalty.min() == 0.25 and path.B.min() > 0
    assert path.sort_values("penalty").B.is_monotonic_increasing
    assert path.sort_values("penalty").sum_r.is_monotonic_increasing


@after("2d49d437")
def unique_in_both_files_by_r(found):
    assert found.households.tolist() == [42_311, 2_970, 1_004, 331, 22]
    assert found.percent.round(3).tolist()[1:] == [7.019, 2.373, 0.782, 0.052]


@after("both-07")
def right_matches_are_not_population_uniques(estimated, truth, found):
    assert [round(one) for one in estimated.values()] == [447, 198]
    assert [round(one) for one in truth.values()] == [443, 192]
    assert round(found.households["SU-CU"] / truth["correct matches"]) == 7
    assert found.households["r > 0.95"] == 22


@after("be719810")
def most_would_be_found_in_a_file_made_of_others(by_file, files):
    assert (files.groupby("file").size() == 100).all()
    mean = by_file.mean().round().T
    ours, made = (mean[f"synthesized from {who}"] for who in ("ours", "others"))
    assert [ours["SU-CU"], made["SU-CU"]] == [3_047, 2_333]
    ends = by_file.agg(["min", "max"])["SU-CU"]
    assert ends.loc["synthesized from ours"].tolist() == [2_932, 3_179]
    assert ends.loc["synthesized from others"].tolist() == [2_229, 2_429]
    assert [ours["r > 0.5"], made["r > 0.5"]] == [346, 214]
    assert [ours["r > 0.95"], made["r > 0.95"]] == [26, 12]
    added = 1 - made / ours
    assert 0.21 < added["SU-CU"] < 0.25 and 0.36 < added["r > 0.5"] < 0.4
    assert 0.52 < added["r > 0.95"] < 0.58


@after("by-chance-spread-07")
def the_gap_is_no_accident(by_file):
    mean, spread = by_file.mean().round()["SU-CU"], by_file.agg(["min", "max"])
    for risk in ("SU-CU", "r > 0.5"):
        made = spread.loc["synthesized from others", (risk, "max")]
        assert made < spread.loc["synthesized from ours", (risk, "min")]
    ours, made = mean["synthesized from ours"], mean["synthesized from others"]
    assert [ours, made, mean["others"]] == [3_047, 2_333, 2_607]
    exact = by_file.mean()["SU-CU"]
    gaps = exact["synthesized from ours"] - exact[["others", "synthesized from others"]]
    assert gaps.round().tolist() == [440, 715]


@after("by-chance-spread-07")
def with_our_own_households_a_sample_has_more_than_the_synthetic_file(data, homes, qis, by_file):
    sizes = homes.groupby(["state", "rural"], observed=True).size()
    drawn = hh.draw_sample(data.population, sizes, seed=1)
    assert len(hh.unique_pairs(homes, drawn, qis)) == 3_407
    assert by_file.max().loc["synthesized from ours", "SU-CU"] < 3_407


@after("halves-07")
def taking_part_adds_to_what_would_be_found_anyway(halves):
    mean = halves.groupby("measure")[["members", "others"]].mean()
    assert mean.loc["r > 0"].round().tolist() == [65, 44]
    assert mean.loc["r > 0.5"].round().tolist() == [15, 8]
    more = (halves.members > halves.others).groupby(halves.measure).sum()
    assert halves.split.nunique() == 100 and more.tolist() == [100, 100, 100, 98]
    assert more.index[-1] == "r > 0.95"
    every = halves[halves.measure == "r > 0"]
    added = every.members - every.others
    assert [round(added.min()), round(added.max())] == [15, 27]


@after("halves-07")
def halves_and_whole_files_add_the_same(halves, by_file, risk):
    mean = halves.groupby("measure")[["members", "others"]].mean()
    whole = by_file.mean().loc[["synthesized from ours", "synthesized from others"]]
    for name, threshold, found, added in (
        ("SU-CU", 0, [94, 72], [22, 22]),
        ("r > 0.5", 0.5, [25, 15], [8, 10]),
    ):
        of_1000 = 1000 * whole[name] / (risk.r > threshold).sum()
        assert of_1000.round().tolist() == found
        members, others = mean.loc[f"r > {threshold:g}"]
        assert [round(members - others), round(of_1000.iloc[0] - of_1000.iloc[1])] == added
        assert members < of_1000.iloc[0] and others < of_1000.iloc[1]


@after("static-qis-07")
def more_knowledge_fewer_in_both(rows):
    assert rows["unique"].is_monotonic_increasing
    assert rows["su_cu"].tolist() == [33, 4_480, 2_970]


@after("static-qis-07")
def ages_and_genders_already_say_a_lot(stored, knowledge):
    qis = hh.qi_names(person=["age", "gender"])
    found = stored.loc[" ".join(qis), ["unique", "su_cu", "above_0.5"]]
    assert found.tolist() == [12_676, 2_940, 95]
    assert stored.loc[" ".join(hh.qi_names()), "above_0.5"] == 331
    true = knowledge[knowledge.r == "true"].set_index("qis").loc[" ".join(hh.qi_names())]
    assert true["above_0.95"] == 192


@after("1a557c76")
def most_combinations_of_a_small_state_exist_once(fractions):
    right = fractions.sum_true / fractions.unique
    assert [right[0.5].round(2), right[0.02].round(2), right[0.15].round(2)] == [0.92, 0.69, 0.81]
    assert (fractions.sum_r / fractions.unique)[0.15].round(2) == 0.76
    assert [fractions.alone[0.02], fractions.alone[0.9]] == [56, 2_317]


@after("1a557c76")
def estimate_and_truth_agree_best_in_large_samples(fractions):
    gaps = fractions[["gap_low", "gap_high"]]
    assert gaps.loc[0.15].round(2).tolist() == [-0.05, 0.04]
    assert gaps.loc[0.02].round(2).tolist() == [-0.36, 0.11]
    assert gaps.loc[0.9].abs().max() < 0.004


@after("413fd129")
def whoever_is_found_is_mostly_not_found_out(attribute):
    assert attribute.loc[0.1, ["records", "a1(50)", "a1(20)", "a1(10)"]].tolist() == [
        306,
        37,
        16,
        11,
    ]
    assert [attribute["a1(50)"][0.1], attribute["a1(50)"][0.5]] == [37, 11]


@after("413fd129")
def the_stored_incomes_are_those_of_this_file(incomes, homes, made_homes, qis, attribute):
    near = hh.near_incomes(homes, made_homes, qis, "income", b=[50])
    assert incomes.x.tolist() == near.x.tolist()
    assert incomes.x_synthetic.tolist() == near.x_synthetic.tolist()
    assert np.allclose(incomes["a2(50)"], near["a2(50)"], atol=1e-4)
    assert (incomes.r > 0.1).sum() == attribute.records[0.1]


@after("static-attribute-07")
def few_incomes_are_near(looked_at):
    assert looked_at.tolist() == [306, 37, 16, 11]


@after("static-attribute-07")
def our_column_of_table_5(incomes):
    def column(R):
        found, row = incomes[incomes.r > R], []
        for b in (50, 20, 10):
            times = 1 + b / 100
            row.append(
                int(
                    (
                        (found.x_synthetic > found.x / times)
                        & (found.x_synthetic < found.x * times)
                    ).sum()
                )
            )
        shares = [round(found[f"a2({b})"].mean(), 3) for b in (50, 20, 10)]
        return [len(found), *row, *shares]

    assert column(0.1) == [306, 37, 16, 11, 0.106, 0.050, 0.028]
    assert column(0.5) == [116, 11, 4, 3, 0.104, 0.050, 0.029]
    assert column(0.95) == [10, 0, 0, 0, 0.071, 0.048, 0.030]


@after("files-07-protection")
def couples_slots_and_per_cents_of_the_report():
    data = sr.load_households()
    kept = hh.flatten(data.persons, data.households, max_respondents=8)
    assert hh.unflatten(kept)[0].groupby("household").couple.max().max() == 6
    for h in range(1, 13):
        possible = {slot for couples in arrangements(h) for slot in slots(couples)}
        for couple in range(1, 15):
            for place in (1, 2):
                is_possible = (couple, place) in possible
                assert is_possible != (couple > h or place * couple / 2 >= h)
                assert is_possible != (couple + place - 1 > h)


def arrangements(h):
    """List all ways to seat h people in couples of one or two."""
    if h == 0:
        return [()]
    return [(size, *rest) for size in (1, 2) if size <= h for rest in arrangements(h - size)]


def slots(couples):
    """List the slots that couples of these sizes fill."""
    return [(k, place) for k, size in enumerate(couples, 1) for place in range(1, size + 1)]


@after("dd886e54")
def what_protection_buys(mean, methods):
    plain, grouped, trees = (
        mean.loc[name].round() for name in ("no protection", "grouped states", "grouped trees")
    )
    assert [plain.right, grouped.right, trees.right] == [469, 185, 442]
    assert [plain.certain, grouped.certain] == [208, 48]
    assert [plain["r > 0.5"], grouped["r > 0.5"], trees["r > 0.5"]] == [345, 75, 314]
    assert grouped["SU-CU"] > plain["SU-CU"] and mean.ratio["grouped states"].round(1) == 2.5
    useful = mean[(mean.ratio < 10) & mean.index.str.startswith("tree")]
    assert (useful.right > grouped.right).all() and (useful["r > 0.5"] > grouped["r > 0.5"]).all()


@after("dd886e54")
def weights_on_the_tree_take_away_a_part_of_what_taking_part_adds(mean):
    right = mean.right.round()
    assert right[["tree only, cutoff 0.9", "tree only, cutoff 0.5"]].tolist() == [437, 397]
    assert right["made of others"] == 304


@after("dd886e54")
def what_a_weight_acts_on_decides(mean):
    ratio, riskiest = mean.ratio.round(1), mean["r > 0.95"].round()
    tree, donors = "tree only, cutoff ", "tree and donors, cutoff "
    assert [ratio["no protection"], ratio[tree + "0.9"], ratio[tree + "0.5"]] == [2.5, 2.8, 3.6]
    assert [riskiest["no protection"], riskiest[tree + "0.9"], riskiest[tree + "0.5"]] == [
        25,
        17,
        13,
    ]
    assert [round(ratio[donors + "0.9"]), round(ratio[donors + "0.5"])] == [19, 32]
    assert riskiest[donors + "0.9"] <= 2 and riskiest[donors + "0.5"] <= 2
    assert mean["r > 0.1"][donors + "0.9"] > mean["r > 0.1"]["no protection"]


@after("dd886e54")
def weights_on_the_classes_lie_between(mean):
    classes = mean.loc[["tree and classes, cutoff 0.9", "tree and classes, cutoff 0.5"]]
    assert classes.ratio.round(1).tolist() == [4.3, 6.6]
    assert classes["r > 0.95"].round().tolist() == [15, 12]


@after("weights-07")
def each_way_costs_more_and_only_the_last_silences_the_riskiest(spread, methods, ways):
    ratio, riskiest = spread["ratio"], spread["r > 0.95"]
    assert (ratio["min"].to_numpy()[1:] > ratio["max"].to_numpy()[:-1]).all()
    assert ratio[["min", "max"]].round(1).iloc[:2].to_numpy().tolist() == [[2.4, 3.3], [3.7, 4.9]]
    assert ratio.loc[ways[2], ["min", "max"]].round().tolist() == [18, 20]
    assert riskiest[["min", "max"]].iloc[:2].to_numpy().tolist() == [[10, 26], [8, 22]]
    assert riskiest["mean"].round().tolist()[:2] == [17, 15] and riskiest["max"].iloc[2] == 4
    assert (methods.groupby("method").size() == 30).all()


@after("weighed-07")
def a_weight_helps_the_risky_and_not_everybody(weighed, by_method):
    ways = ["no protection", "tree only", "tree and classes", "tree and donors"]
    mean = by_method.mean().added.round(1)
    assert mean["r > 0.5"][ways].tolist() == [7.5, 4.9, 5.3, 4.7]
    assert mean["r > 0.95"][ways[-1]] == 0.1
    assert mean["r > 0"][ways].round().tolist() == [22, 20, 22, 25]
    table = weighed.pivot(index=["measure", "split"], columns="method", values="added")
    less = table[ways[1:]].lt(table[ways[0]], axis=0).groupby("measure").sum()
    assert less.loc["r > 0.5"].min() == 82 and 100 - less.loc["r > 0", "tree and donors"] == 86


@after("c90263e3")
def a_share_hardly_moves(mean):
    assert mean["a2(50)"]["no protection"].round(3) == 0.105
    assert [mean["a2(50)"].max().round(3), mean["a2(50)"].min().round(3)] == [0.107, 0.094]


@after("242b3db9")
def grouping_costs_the_small_state(within):
    small = within["N1"].round(1)
    assert [small["no protection"], small["grouped trees"]] == [1.8, 4.4]
    assert within["N7"].round(1)[["no protection", "grouped trees"]].tolist() == [1.9, 3.3]
    assert (within.loc["tree only, cutoff 0.9"].round(1) == 2.1).all()


@after("fig6-07")
def grouping_hits_work_and_schooling_most_and_age_least(states):
    mean = states.groupby(["state", "method", "variable"]).ratio.mean()
    for state in ("N1", "N7"):
        cost = mean[state, "grouped trees"].sort_values(ascending=False)
        assert set(cost.index[:3]) == {"working", "earnings", "education_years"}
        assert cost.index[-1] == "age"


@after("and-dora-07")
def her_double_lives_alone_in_a_town_of_the_smallest_state_and_works(my):
    her = my.story.table.iloc[802]
    assert (her.state, her.rural, her.residents) == ("N1", "urban", 1)
    assert (her.gender_1, her.age_1, her.working_1) == ("female", "55-59", "yes")
