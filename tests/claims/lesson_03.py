"""Claims of lesson 03."""

import pandas as pd

import synthrisk_edu as sr
from claims import after
from synthrisk_edu.synthesis.dpmpm import watch_classes


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
    risk = sr.match_all(people, again, known, synthesized).expected_match_risk
    assert risk.agg(["min", "max"]).round().tolist() == [53, 62]
    back = sr.match_all(people, again, known, synthesized, fallback=True).expected_match_risk
    assert round(back.mean()) == 59


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
    assert round(gives_up.mean()) == 56 and gives_up.min() < floor < gives_up.max()


@after("back-03")
def redrawn_among_look_alikes_falling_back_gives_the_floor(people, known, synthesized):
    files = [sr.redraw(people, synthesized, known, seed=seed) for seed in range(60)]
    risk = sr.match_all(people, files, known, synthesized, fallback=True).expected_match_risk
    assert abs(risk.mean() - 59) < 2 * risk.std() / 60**0.5


@after("ten-03")
def ten_files_at_once_range_from_75_to_90(at_once, back):
    assert at_once.agg(["min", "mean", "max"]).round().tolist() == [75, 81, 90]
    assert len(at_once) == 30 and at_once.min() > back.expected_match_risk.max()


@after("shuffled-03")
def shuffled_files_give_about_the_floor(people, shuffled, known, synthesized, released, shuffle):
    assert all(one[known].equals(people[known]) for one in shuffled)
    again = [[shuffle(f, 20 * k + i) for i, f in enumerate(released)] for k in (1, 2)]
    risks = [
        sr.intruder_risk(people, files, known, synthesized).summary().expected
        for files in (shuffled, *again)
    ]
    assert all(47 <= round(risk) <= 71 for risk in risks)


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
def with_eight_known_falling_back_is_best_in_every_file(answers, people, released, variables):
    names = ("gives up", "falls back", "floor")
    found = {name: answers[f"all eight: {name}"] for name in names}
    assert [round(found[name].expected_match_risk) for name in names] == [368, 593, 577]
    assert found["floor"].tolist() == [577, 0.0289, 0, 289]
    records = sr.match(people, released[0], variables, ["DIS", "HICOV"]).records
    assert (records.c == 0).sum() == 359 and records[["K", "F"]].sum().tolist() == [196, 154]
    back = sr.match_all(people, released, variables, ["DIS", "HICOV"], fallback=True)
    assert back.expected_match_risk.agg(["min", "max"]).round().tolist() == [579, 604]
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
def ten_persons_say_too_little_for_classes(ten):
    """In a long run, too, one class for all is what the sampler draws most often."""
    z, _, _ = watch_classes(ten[["MAR", "DIS"]], classes=3, steps=5000, seed=1)
    used = z.nunique(axis=1).value_counts(normalize=True)
    assert used[1] > 0.5
