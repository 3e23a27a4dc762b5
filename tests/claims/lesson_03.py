"""Claims of lesson 03."""

import synthrisk_edu as sr
from claims import after


@after("0340bfad")
def synthesis_changes_two_columns_only(people, live, synthesized):
    rest = people.columns.drop(synthesized)
    assert live[rest].equals(people[rest]) and not live.equals(people)


@after("036b0f71")
def the_relation_of_disability_and_marital_status_survives(shares):
    assert shares.loc["widowed"].between(40, 52).all()
    assert shares.loc["married"].between(12, 16).all()


@after("db6bcbea")
def key_quantities(found):
    records = found.records
    assert records.c.median() == 279 and records.c.agg(["min", "max"]).tolist() == [0, 1677]
    assert round(records["T"].mean(), 2) == 0.55
    assert records[["K", "F"]].sum().tolist() == [5, 20]


@after("860116aa")
def synthesis_leaves_a_third_of_the_risk(both):
    assert both.confidential.tolist() == [172, 0.003, 0, 30]
    assert 55 < both.synthetic.expected_match_risk < 56


@after("860116aa")
def the_floor_counts_combinations(both, people, known):
    assert both.floor.tolist() == [59, 0.0005, 0, 5]
    assert people.groupby(known, observed=True).ngroups == 59


@after("6c5fcd54")
def where_the_risk_comes_from(where):
    assert where["sum"].round(1).tolist() == [5, 5, 9.2, 4.4, 22.2, 9.5]
    assert where["count"].iloc[1:4].sum() == 84 and 650 < where["count"].iloc[4] < 750


@after("bd05c21e")
def unique_matches_carry_less_than_a_tenth(unique, total):
    assert round(unique / total, 2) == 0.09


@after("ffca23b6")
def single_files_range_widely(table):
    assert table.unique_matches.agg(["min", "max"]).tolist() == [19, 58]
    assert table.expected_match_risk.agg(["min", "max"]).round().tolist() == [51, 65]


@after("together-files")
def an_intruder_with_all_files_gains_with_m(together):
    assert together[[1, 10, 20]].round().tolist() == [65, 78, 93]
    assert together[15:].mean() > together[5:15].mean() > together[:5].mean() + 10
    assert (together.diff() < 0).any()  # not at every step


@after("466b25de")
def the_floor_lies_a_little_above_the_average(table, both):
    risk = table.expected_match_risk
    floor = both.floor.expected_match_risk
    assert risk.min() < floor < risk.max() and round(risk.mean()) == 56
    assert floor - risk.mean() > 2 * risk.std() / len(risk) ** 0.5  # more than luck, but little


@after("3a1c09d5")
def from_which_m_on_an_average_settles(settled):
    assert settled.tolist() == [12, 13, 17, 19]


@after("b68737a5")
def those_at_the_top_share_their_values_with_two_others_at_most(alike, worst, risks):
    assert alike[worst.index].max() == 3
    assert (risks > 0.2).sum() == 28


@after("b7b45b6a")
def small_groups_carry_most_of_the_risk(by_race, risks):
    small = by_race[by_race.persons < 1000]
    assert len(small) == 4 and small.persons.sum() == 600
    assert round(small.risk.sum() / risks.sum(), 1) == 0.6
    times = small["risk per 1,000 persons"] / by_race["risk per 1,000 persons"].min()
    assert times.agg(["min", "max"]).round().tolist() == [27, 57]


@after("3a1c09d9")
def more_knowledge_singles_out_more_people(answers, asked, people, released, synthesized):
    unique = [answers[name].unique_matches for name in asked]
    expected = [round(answers[name].expected_match_risk) for name in asked]
    assert unique == [25, 145, 350, 0] and expected == [55, 145, 368, 1]
    with_area = sr.match(people, released[0], asked["and WAOB"], synthesized).records
    assert with_area[["K", "F"]].sum().tolist() == [56, 89]
    nothing = sr.match(people, released[0], [], synthesized).records.c
    assert nothing.agg(["min", "max"]).tolist() == [283, 6738]


@after("3a1c09d9")
def with_eight_known_trusting_is_worse_than_ignoring(answers, people, released, variables):
    floor, trusting = answers["all eight: floor"], answers["all eight"]
    assert floor.tolist() == [577, 0.0289, 0, 289]
    assert trusting.expected_match_risk < floor.expected_match_risk
    found = sr.match(people, released[0], variables, ["DIS", "HICOV"]).records
    assert found[["K", "F"]].sum().tolist() == [196, 154]
    assert trusting.unique_matches > floor.unique_matches  # what an intruder can see
    confidential = sr.baseline(people, variables, ["DIS", "HICOV"]).summary()
    assert confidential.expected_match_risk == 956
    assert answers["none: floor"].expected_match_risk.round(9) == 1


@after("7fa54259")
def a_bad_model_protects_hardly_anybody(averages):
    assert averages.loc[[2, 40]].round(1).to_numpy().tolist() == [[51.0, 16.2], [56.8, 1.2]]
    assert averages.pmse_ratio[averages.pmse_ratio < 10].index.min() == 4
    assert (averages.expected_match_risk < 59).all()
