"""Claims of lesson 01."""

import synthrisk_edu as sr
from claims import after

FIVE = ["SEX", "RACE", "MAR", "DIS", "HICOV"]


@after("bd5cb5e0")
def the_baseline_counts_the_different_combinations(own, confidential):
    assert own.summary().expected_match_risk == len(confidential.drop_duplicates()) == 6


@after("bd5cb5e0")
def the_same_rate_but_two_other_persons(own, found):
    alone = [list(m.records.index[m.records.K == 1]) for m in (own, found)]
    assert alone == [["Cleo", "Dora"], ["Ana", "Emil"]]


@after("2ead710b")
def the_summaries_read_aloud(both):
    told = [172, 56.7325, 0.003, 0.0006, 0, 0.75, 30, 24]
    assert both.round(4).to_numpy().ravel().tolist() == told


@after("c121d701")
def without_race_406_candidates(people, released, synthesized):
    found = sr.match(people, released, ["SEX", "MAR"], synthesized)
    assert found.records.c[55] == 406


@after("c121d701")
def target_83_is_found_by_who_knows_less(people, released, known, synthesized, found):
    less = sr.match(people, released, known, [])
    assert (found.records["T"][83], less.records["T"][83]) == (0, 1)


@after("02c659d8")
def nine_persons_have_no_candidate(found):
    assert (found.records.c == 0).sum() == 9


def risk(people, knows, replaced):
    """The expected match risk at these ticks of the panel."""
    given = [name for name in FIVE if name not in replaced]
    released = sr.redraw(people, list(replaced), given, seed=1)
    roles = [n for n in knows if n not in replaced], [n for n in knows if n in replaced]
    return sr.match(people, released, *roles).summary().expected_match_risk.round()


@after("4f6d8d4f")
def the_risk_of_who_knows_less(people, known, synthesized):
    three = ["SEX", *synthesized]
    assert [risk(people, k, synthesized) for k in (["MAR", *three], three, known)] == [12, 2, 59]


@after("4f6d8d4f")
def the_risk_when_other_variables_are_synthesized(people, synthesized):
    three = ["SEX", *synthesized]
    assert [risk(people, FIVE, r) for r in (three, ["SEX"], ["RACE"])] == [27, 103, 39]


@after("c4e2d6a2")
def five_files_have_nearly_the_same_risk(table):
    assert table.expected_match_risk.round().tolist() == [57, 55, 56, 57, 59]


@after("e46616a9")
def five_persons_are_found_in_every_file(always):
    assert always.index.tolist() == [256, 1558, 3418, 4555, 6476]


@after("4bee7fed")
def the_risk_falls_nearly_on_a_straight_line(curve):
    assert curve.expected_match_risk[10].round() == 113


@after("4bee7fed")
def the_false_match_rate_is_ragged(curve):
    assert curve.false_match_rate[[10, 11]].round(2).tolist() == [0.39, 0.29]


@after("09afefb8")
def half_of_the_persons_keep_their_record(found):
    assert round(found.records["T"].mean(), 2) == 0.53


@after("play-01-average")
def the_best_intruder_comes_down_to_chance(averages):
    assert averages["best possible"].round(1).tolist() == [7.4, 5.2, 3.3]


@after("play-01-average")
def chance_does_not_depend_on_what_is_redrawn(averages):
    told = averages[["chance", "luck 5"]].round(2).drop_duplicates().values.tolist()
    assert told == [[3.19, 0.18]]
