"""Claims of lesson 01."""

from itertools import combinations

import numpy as np

import synthrisk_edu as sr
from claims import after
from synthrisk_edu.game import deal_game

FIVE = ["SEX", "RACE", "MAR", "DIS", "HICOV"]


@after("cc13b11b")
def two_unique_matches_are_true_and_two_are_false(found):
    names = [list(found.records.index[found.records[column] == 1]) for column in "KF"]
    assert names == [["Ana", "Emil"], ["Bea", "Finn"]]


@after("bd5cb5e0")
def the_baseline_counts_the_different_combinations(own, confidential):
    assert own.summary().expected_match_risk == len(confidential.drop_duplicates()) == 6


@after("bd5cb5e0")
def the_same_rate_but_two_other_persons(own, found):
    alone = [list(m.records.index[m.records.K == 1]) for m in (own, found)]
    assert alone == [["Cleo", "Dora"], ["Ana", "Emil"]]


@after("bd5cb5e0")
def the_floor_counts_four_combinations_and_finds_dora(floor, found):
    assert floor.summary().tolist() == [4, 0.1, 0, 1]
    assert (floor.records.risk["Dora"], found.records.c["Dora"]) == (1, 0)


@after("2ead710b")
def the_summaries_read_aloud(summaries):
    assert summaries.confidential.round(4).tolist() == [172, 0.003, 0, 30]
    assert summaries.synthetic.round(4).tolist() == [56.7325, 0.0006, 0.75, 24]
    assert summaries.floor.round(4).tolist() == [59, 0.0005, 0, 5]


@after("d1cad6e8")
def three_persons_three_stories(found):
    assert found.records.loc[[256, 132, 55], ["c", "T"]].values.tolist() == [[1, 1], [1, 0], [5, 1]]


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


def risks(people, facts, replaced, seed=1):
    """Confidential, synthetic and floor at these ticks of the panel, rounded as one says them."""
    given = [name for name in FIVE if name not in replaced]
    released = sr.redraw(people, list(replaced), given, seed=seed)
    known, used = [n for n in facts if n not in replaced], [n for n in facts if n in replaced]
    lines = sr.baseline(people, known, used), sr.match(people, released, known, used)
    lines = *lines, sr.floor(people, known)
    return [round(line.summary().expected_match_risk) for line in lines]


@after("4f6d8d4f")
def fewer_facts_bring_down_the_risk_and_its_floor(people, synthesized):
    three = ["SEX", *synthesized]
    assert risks(people, ["MAR", *three], synthesized)[1:] == [12, 10]
    assert risks(people, three, synthesized)[1:] == [2, 2]


@after("4f6d8d4f")
def with_nothing_synthesized_to_look_at_all_three_are_the_floor(people, known, synthesized):
    assert risks(people, known, synthesized) == [59, 59, 59]


@after("4f6d8d4f")
def every_release_is_near_its_floor(people, synthesized):
    three = ["SEX", *synthesized]
    told = [risks(people, FIVE, names)[1:] for names in (three, ["RACE"], synthesized, ["SEX"])]
    assert told == [[27, 30], [39, 40], [57, 59], [103, 101]]


def summaries_of(people, known, synthesized, share=1.0):
    """The summaries of a hundred other draws, with this share of the records redrawn."""
    files = [sr.redraw(people, synthesized, known, share, seed=seed) for seed in range(2, 102)]
    return sr.match_all(people, files, known, synthesized)


@after("4f6d8d4f")
def a_hundred_draws_lie_around_the_floor(people, known, synthesized):
    drawn = summaries_of(people, known, synthesized).expected_match_risk.round()
    assert (drawn.min(), drawn.max()) == (48, 62)


@after("4f6d8d4f")
def the_average_over_all_draws_is_known_exactly(people, known):
    """Nobody of the n alike draws a value that m of them have with probability (1 - m/n)^n."""
    n = people.groupby(known, observed=True).SEX.transform("size")
    m = people.groupby(FIVE, observed=True).SEX.transform("size")
    assert ((1 - (1 - m / n) ** n) / n).sum().round(1) == 57.4


@after("4f6d8d4f")
def what_is_lost_where_nobody_matches(found, floor):
    assert floor.records.risk[found.records.c == 0].sum().round(1) == 1.5


@after("e46616a9")
def the_five_are_the_unique_matches_of_the_floor(always, floor):
    assert always.index.tolist() == floor.records.index[floor.records.K == 1].tolist()


@after("c4e2d6a2")
def five_files_have_nearly_the_same_risk(table):
    assert table.expected_match_risk.round().tolist() == [57, 55, 56, 57, 59]


@after("c4e2d6a2")
def a_hundred_files_lie_on_both_sides_of_the_floor(people, known, synthesized):
    risk = summaries_of(people, known, synthesized).expected_match_risk
    assert (risk.min().round(), risk.max().round()) == (48, 62)


@after("e46616a9")
def five_persons_are_found_in_every_file(always):
    assert always.index.tolist() == [256, 1558, 3418, 4555, 6476]


@after("4bee7fed")
def the_risk_falls_nearly_on_a_straight_line(curve):
    assert curve.expected_match_risk[10].round() == 113


@after("4bee7fed")
def a_hundred_other_draws_of_half_a_file(people, known, synthesized):
    drawn = summaries_of(people, known, synthesized, share=0.5)
    risk, false = drawn.expected_match_risk, drawn.false_match_rate
    assert (risk.min().round(), risk.max().round(), risk.mean().round()) == (107, 132, 114)
    assert (false.min().round(2), false.max().round(2)) == (0.1, 0.53)


@after("4bee7fed")
def the_false_match_rate_is_ragged(curve):
    assert curve.false_match_rate[[10, 11]].round(2).tolist() == [0.39, 0.29]


@after("09afefb8")
def half_of_the_persons_keep_their_record(found):
    assert round(found.records["T"].mean(), 2) == 0.53


@after("play-01-average")
def one_or_two_of_the_ten_may_come_back(people, facts, redrawn):
    numbered = [(number, percent) for number in (1, 2) for percent in (0, 50, 100)]
    games = [deal_game(people, facts, redrawn, *one).rounds for one in numbered]
    targets = [{turn.target for turn in rounds} for rounds in games]
    again = [len(some & others) for some, others in combinations(targets, 2)]
    assert set(again) == {0, 1, 2}


@after("play-01-average")
def the_best_intruder_comes_down_to_chance(averages):
    assert averages["best possible"].round(1).tolist() == [7.2, 5.2, 3.1]
    assert averages.chance.round(1).tolist() == [3.1, 3.0, 3.1]
    assert averages["luck 5"].round(2).between(0.15, 0.18).all()


@after("play-01-average")
def a_hundred_games_cannot_tell_the_best_from_chance(people, facts, redrawn):
    games = [deal_game(people, facts, redrawn, number, 100) for number in range(1, 101)]
    more = np.array([game.best() - game.chance() for game in games])
    give_or_take = 2 * more.std(ddof=1) / np.sqrt(len(more))
    assert (more.mean().round(2), give_or_take.round(2)) == (0.01, 0.17)


@after("cc13b11b")
def the_three_summaries_as_counted_by_hand(summary):
    assert summary.tolist() == [3.5, 0.2, 0.5, 4]
