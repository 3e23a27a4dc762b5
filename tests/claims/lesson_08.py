"""Claims of lesson 08: members and others."""

import numpy as np
import pandas as pd

import synthrisk_edu as sr
from claims import after
from synthrisk_classroom import cheats
from synthrisk_classroom.lesson import module, tables
from synthrisk_edu.members import halves
from synthrisk_edu.nearest import nearest_distances


def ratio_of_tables(file, synthetic):
    """The mean pMSE ratio of all two-way tables."""
    return sr.pmse_tables(file, synthetic).ratio.mean()


@after("with-and-without-08")
def dora_is_told_only_when_she_took_part(with_dora, without_dora):
    assert with_dora.Status["Dora"] == "widowed" and "Dora" not in without_dora.index
    for file in (with_dora, without_dora):
        women_of_a = file[(file.Sex == "F") & (file.Town == "A")]
        assert set(women_of_a.Status) == {"single"}
    assert not ((without_dora.Sex == "F") & (without_dora.Town == "B")).any()


@after("leave-one-out-08")
def seven_are_told_in_the_file_and_five_left_out(by_person, ten):
    told = by_person.T
    assert list(told.index[told["in the file"]]) == "Ana Bea Cleo Dora Emil Finn Jon".split()
    assert set(told.index[told["in the file"]]) - set(told.index[told["left out"]]) == {
        "Dora",
        "Jon",
    }
    men_of_b = ten[(ten.Sex == "M") & (ten.Town == "B")]
    assert set(men_of_b.drop("Ivan").Status) == {"married"} and ten.Status["Ivan"] == "single"


@after("agree-08")
def the_residual_is_four_tenths(added, shares):
    assert round(added, 9) == 0.2 and round(added / (1 - shares["left out"]), 9) == 0.4


@after("compare-08")
def members_are_told_more_than_others_in_every_split(found):
    row = found.summary(whole=100)
    assert row.loc["marital", ["members", "others"]].round().tolist() == [29, 15]
    assert row.loc["marital", ["added", "low", "high"]].round().tolist() == [13, 13, 14]
    assert round(row.high["marital"] - row.low["marital"]) == 1
    assert row.loc["depress", ["members", "others", "added"]].round().tolist() == [8, 3, 6]
    assert (found.splits.members > found.splits.others).all()
    assert len(found.splits) == 20


@after("compare-08")
def so_they_are_in_a_hundred_splits(keys, found):
    splits = sr.load_results("members_keys")
    splits = splits[(splits["keys"] == "+".join(keys)) & (splits.target == "marital")]
    added = splits.members - splits.others
    assert len(added) == 100 and (added > 0).all()
    assert [round(added.min(), 1), round(added.max(), 1)] == [10.6, 17.2]
    ten = found.splits[found.splits.measure == "marital"]
    assert np.allclose(ten.members, splits.members.head(10), atol=1e-4)  # the same ten come first


@after("compare-08")
def the_residual_answers_another_question_than_the_part_that_was_added(found):
    """A larger part of the DiSCO on depression was added, and the residual is smaller."""
    row = found.summary(whole=100)
    assert (100 * row.added / row.members).round().tolist() == [46, 68]
    assert row.residual.round(2).tolist() == [0.16, 0.06]


@after("sizes-08")
def a_larger_file_tells_more_of_members_and_of_others(sizes, stored, found):
    assert (stored.groupby(["share", "measure"]).size() == 100).all()
    assert sizes.members.is_monotonic_increasing and sizes.others.is_monotonic_increasing
    tenth, quarter, half, _, nine_tenths, whole = (row for _, row in sizes.iterrows())
    assert tenth[["members", "others"]].round().tolist() == [17, 4]
    assert whole[["members", "others", "added"]].round().tolist() == [34, 24, 10]
    assert nine_tenths[["members", "others", "added"]].round().tolist() == [33, 22, 11]
    assert round(quarter.added) == 15 and tenth.high < quarter.low  # it rises at first, surely
    assert nine_tenths.high < half.low < half.high < quarter.low  # and then it falls
    assert whole.high < nine_tenths.low
    assert half[["members", "others", "added"]].round().tolist() == [29, 15, 14]
    assert 0.5 < half.others / half.members < 0.55
    assert 0.65 < nine_tenths.others / nine_tenths.members < 0.7
    single = stored.query("share == 0.9 and measure == 'marital'")
    single = single.members - single.others
    assert [round(single.min()), round(single.max())] == [7, 17]
    # few others, much chance
    assert nine_tenths.high - nine_tenths.low > half.high - half.low


@after("net-08")
def taking_part_does_not_only_add(both):
    columns = ["only_with", "only_without", "both", "net"]
    assert both.loc["marital", columns].round().tolist() == [23, 9, 6, 14]
    assert both.loc["depress", columns].round().tolist() == [8, 2, 0, 6]


@after("panel-members-08")
def what_the_panel_of_keys_says():
    mean = sr.load_results("members_keys").groupby(["keys", "target"])[["members", "others"]].mean()
    four = mean.loc["sex+age+region+placesize"]
    assert four.loc["workab"].round().tolist() == [40, 22]
    assert (four.members - four.others).idxmax() == four.members.idxmax() == "workab"
    assert round(four.members["workab"] - four.others["workab"]) == 19
    two = mean.loc[("sex+age", "workab")]
    assert [round(two.members), round(two.others)] == [30, 32]
    row = intervals().loc["sex+age workab"]
    assert row.high < 0 and -1.5 < row.added < -1


def intervals():
    """The intervals of the panel, and whether anybody was ever told anything in them."""
    stored = sr.load_results("members_keys")
    stored = stored.assign(measure=stored["keys"] + " " + stored.target)
    told = stored.groupby("measure")[["members", "others"]].max().max(axis=1) > 0
    return sr.Members(stored).summary(whole=100).assign(told=told)


@after("panel-members-08")
def fewer_keys_can_tell_more(persons, cart, keys):
    """Without the region more is told on work abroad, because more people are found."""
    row = intervals()[["members", "others", "added"]].loc["sex+age+placesize workab"]
    assert row[["members", "others"]].round().tolist() == [55, 54] and round(row.added) == 1
    of_workab = intervals()[["members", "others"]].filter(like="workab", axis=0)
    assert len(of_workab) == 15 and of_workab.members.idxmax() == "age+region workab"
    assert of_workab.loc["age+region workab"].round().tolist() == [62, 55]
    three = ["sex", "age", "placesize"]

    def met(half, synthetic):
        tables = {"four": keys, "three": three}.items()
        tables = {name: sr.disclosure(half, synthetic, known, "workab") for name, known in tables}
        return pd.Series({name: table.attribute.iS[1] for name, table in tables.items()})

    found = sr.compare_members(persons, cart, met, splits=10, seed=1).summary(whole=100)
    assert found.loc["four", ["members", "others"]].round().tolist() == [50, 27]
    assert found.loc["three", ["members", "others"]].round().tolist() == [92, 89]


@after("panel-members-08")
def of_many_intervals_a_few_leave_out_0_by_chance():
    found = intervals()
    assert (len(found), found.told.sum()) == (75, 52)
    assert ((found.low > 0).sum(), (found.high < 0).sum()) == (27, 13)
    assert 2 < 0.05 * found.told.sum() < 3
    assert round(found.added[found.high < 0].min(), 1) == -1.2
    ten = sr.load_results("members_keys").query("split <= 10")
    ten = sr.Members(ten.assign(measure=ten["keys"] + " " + ten.target)).summary(whole=100)
    assert (ten.high < 0).sum() == 3


@after("panel-members-08")
def where_there_are_few_members_there_are_many_others(persons, keys, cart):
    """Under sex and age, a single answer on marital status is given where members are few."""
    members, others, rng = 0, 0, np.random.default_rng(1)
    for _ in range(4):
        half, rest = halves(persons, rng)
        made = cart(half, int(rng.integers(2**31)))
        answers = made.groupby(keys[:2], observed=True).marital.nunique()
        single = answers.index[answers == 1]
        members += half.set_index(keys[:2]).index.isin(single).sum()
        others += rest.set_index(keys[:2]).index.isin(single).sum()
    assert members < 0.95 * others


@after("one-split-08")
def copies_of_members_and_of_others(members, others, synthetic):
    table = sr.copies(members, synthetic, control=others)
    assert table.rows.tolist() == [29, 7] and table.of_unique["original"] == 29
    assert len(synthetic) == 2500
    splits = sr.load_results("members_splits")
    assert len(splits) == 100 and splits.copies.agg(["min", "max"]).tolist() == [23, 53]
    assert splits.copies_others.agg(["min", "max"]).tolist() == [0, 10]


@after("shuffled-08")
def usefulness_is_best_for_a_copy(ratio, copied):
    assert ratio["shuffled copy"] == 0 and copied["shuffled copy"] == 2500
    assert [round(ratio[name], 1) for name in ("honest", "others")] == [1.4, 2.2]
    splits = sr.load_results("members_splits")
    assert abs(splits.drawn.mean() - 1) < 0.1 and splits.drawn.min() > 0.8  # in a hundred draws
    assert abs(splits.drawn_others.mean() - 3) < 0.1


@after("closest-08")
def the_file_is_nearer_to_its_members(members, others, synthetic):
    near = sr.closest_record(members, synthetic, control=others)
    assert near["median"].round(3).tolist() == [0.046, 0.058]
    assert round(near.closer["original"], 2) == 0.61


@after("yardstick-08")
def members_are_a_little_farther_from_each_other_than_the_file_is(members, others):
    yardstick = sr.closest_record(members).loc["original"]
    assert yardstick[["median", "low"]].round(3).tolist() == [0.053, 0.010]
    splits = sr.load_results("members_splits")
    assert (splits.distance / splits.yardstick).between(0.7, 0.9).all()  # in a hundred splits
    new = sr.closest_record(members, others)["median"]["original"]
    assert abs(new / yardstick["median"] - 1) < 0.05  # a new person is about as far away


@after("yardstick-08")
def the_mark_separates_here_and_not_on_ce(members, synthetic):
    def below_the_mark(half, file):
        """How many per cent of the rows are nearer than 5 % of the people are to each other."""
        made, _ = nearest_distances(half, file, half)
        mark = sr.closest_record(half).low["original"]  # the 5 % quantile
        return round(100 * np.mean(made < mark))

    assert below_the_mark(members, synthetic) == 11
    rng = np.random.default_rng(1)
    half, _ = halves(sr.load_ce(), rng)
    honest = sr.synthesize_cart(half, list(half), seed=1)[0]
    n = len(half)
    disguised = half.assign(
        Age=half.Age + rng.choice([-1, 1], n),
        Income=half.Income * rng.choice([0.99, 1.01], n),
        Expenditure=half.Expenditure * rng.choice([0.99, 1.01], n),
    )
    assert [below_the_mark(half, honest), below_the_mark(half, disguised)] == [13, 3]


@after("closeness-08")
def one_disguise_is_praised_and_near_the_other_is_far(copied, ratio, near, members, files):
    assert [copied[name] for name in ("moved", "exchanged")] == [0, 4]
    assert round(ratio["moved"], 1) == 0.2 < ratio["honest"] < ratio["exchanged"]
    yardstick = sr.closest_record(members)["median"]["original"]
    assert round(near["moved"], 4) == 0.0015 and round(yardstick / near["moved"]) == 35
    assert round(near["exchanged"], 3) == 0.065 > yardstick > near["honest"]
    assert round(near["others"], 3) == 0.052
    for name, hidden in (("exchanged", ["sex"]), ("moved", ["age", "income"])):
        columns = list(members.columns.drop(hidden))
        assert sr.copies(members, files[name], columns=columns).rows["original"] == 2500


@after("disguise-disco-08")
def disco_sees_the_disguise_that_the_distance_misses(measures):
    disco = {name: round(one.attribute.DiSCO[1]) for name, one in measures.items()}
    assert disco == {
        "honest": 33, "shuffled copy": 77, "others": 28, "moved": 28, "exchanged": 77
    }  # fmt: skip


@after("panel-leaves-08")
def small_leaves_learn_members_by_heart():
    mean = sr.load_results("members_leaves").groupby("min_leaf").mean()
    added = mean.members - mean.others
    assert mean.members[[100, 1]].round().tolist() == [18, 48]
    assert mean.others[[100, 1]].round().tolist() == [16, 14]
    assert added[[100, 1]].round().tolist() == [2, 34]
    assert mean.copies_members[[5, 2, 1]].round().tolist() == [1, 8, 46]
    assert mean.ratio_members[[100, 1]].round(1).tolist() == [2.5, 1.3]
    assert mean.ratio_others[[100, 5, 1]].round(1).tolist() == [3.6, 2.8, 3.0]
    split_by_split = sr.load_results("members_leaves").pivot(
        index="split", columns="min_leaf", values="ratio_others"
    )
    worse = split_by_split[[1, 2, 3]].sub(split_by_split[5], axis=0)
    assert len(worse) == 100 and (worse.mean() > 2 * worse.sem()).all()


@after("panel-leaves-08")
def with_fewer_keys_more_is_told_and_less_is_added():
    stored = sr.load_results("members_leaf_keys")
    mean = stored.groupby(["keys", "min_leaf"])[["members", "others"]].mean()
    assert mean.loc["sex+age+region", 5].round().tolist() == [40, 28]
    assert mean.loc["sex+age+region+placesize", 5].round().tolist() == [29, 15]
    added = mean.members - mean.others
    three, four = added["sex+age+region"], added["sex+age+region+placesize"]
    assert [round(three[5]), round(four[5]), round(three[1])] == [11, 14, 20]


@after("panel-leaves-08")
def the_two_stored_tables_of_leaves_agree():
    leaves = sr.load_results("members_leaves").groupby("min_leaf")[["members", "others"]].mean()
    stored = sr.load_results("members_leaf_keys").set_index(["keys", "min_leaf"])
    four = stored.loc["sex+age+region+placesize"]
    pd.testing.assert_frame_equal(leaves, four[["members", "others"]], atol=1e-3)
    assert (four.lowest < leaves.members - leaves.others).all()
    assert (four.highest > leaves.members - leaves.others).all()


@after("panel-copies-08")
def what_each_measure_says_of_copying():
    table = sr.load_results("members_copies").set_index("percent")
    assert table.disco_members.is_monotonic_increasing and table.copies.is_monotonic_increasing
    assert table.disco_others.between(16.5, 20).all()
    assert table.distance[0].round(3) == 0.046 and table.distance[10].round(3) == 0.037
    assert (table.distance[table.index >= 55] == 0).all()
    assert round(table.ratio[0], 1) == 1.4 and table.ratio[100] == 0
    assert (table.ratio[table.index > 0] < table.ratio[0]).all()


@after("households-08-code")
def the_riskier_the_household_the_more_was_added(homes):
    row = homes.summary()
    assert row.members.round().tolist() == [65, 31, 15, 3]
    assert row.others.round().tolist() == [44, 19, 8, 1]
    assert (row.low > 0).all()
    part = row.added / row.members
    assert part.is_monotonic_increasing
    assert homes.splits.split.nunique() == 100


@after("together-08")
def splitting_persons_hides_more_than_half_of_what_was_added(rows, people):
    apart, kept = rows["persons are split"], rows["households are split"]
    assert (100 * apart[["others", "added"]]).round().tolist() == [38, 32]
    assert (100 * kept[["others", "added"]]).round().tolist() == [1, 74]
    assert apart.high < kept.low / 2
    assert (people.groupby("household").income.nunique() == 1).all()


@after("weighed-08")
def a_weight_of_0_helps_those_who_have_it_and_not_the_rest(weighing, alone, members):
    assert abs(alone(members).mean() - 0.3) < 0.01
    added = weighing.added.round().unstack()
    names = ["no weights", "trees only", "trees and donors"]
    assert added.loc[names, "alone (weight 0)"].tolist() == [6, 3, -8]
    assert added.loc[names, "not alone"].tolist() == [16, 14, 23]
    gone = weighing.loc["trees and donors", ["members", "others"]].round()
    assert gone.loc["alone (weight 0)"].tolist() == [2, 10]
    of_alone = weighing.xs("alone (weight 0)", level=1)
    assert of_alone.high["trees only"] < of_alone.low["no weights"]
    rest = weighing.xs("not alone", level=1)
    assert rest.low["trees and donors"] > rest.high["no weights"]


@after("dora-everywhere-08")
def dora_s_double_took_part_and_is_nearly_as_old(my):
    her = my.story.members.iloc[2369]
    assert (her.age, her.marital, her.placesize) == (59, "WIDOWED", "URBAN BELOW 20,000")


@after("dora-everywhere-08")
def one_row_gives_dora_away(her, my):
    """Lesson 02 gives her away; in 03 she is one of 231; the others miss her, each in its way."""
    assert list(her.index) == ["01", "02", "03", "04", "05", "06", "07", "08"]
    assert her.loc["02", ["c", "T", "risk"]].tolist() == [1, 1, 1]
    assert her.loc["03", ["c", "T"]].tolist() == [231, 1] and round(her.risk["03"], 3) == 0.004
    rest = her.drop(index=["02", "03"])
    assert (rest["T"] == 0).all() and (rest.risk == 0).all()
    assert rest.c.round(9).tolist() == [0, 0, 2, 0.4, 2, 2]  # of lessons 01, 04, 05, 06, 07, 08


@after("dora-everywhere-08")
def what_the_files_say_of_dora():
    """She is widowed; lessons 06 and 08 say married, also without her. In 01 the floor is 1."""
    told = {
        number: module(number).dora(tables(number, None)).words for number in ("01", "06", "08")
    }
    assert "with a risk of 1, because no other woman lives there" in told["01"]
    assert "these rows say married; she is widowed" in told["06"]
    assert "saying married; she is widowed" in told["08"]
    assert told["08"].endswith("1 row has her four keys, saying married.")


@after("exercise-08-6-answer")
def the_vendor_s_rule_is_the_one_of_the_text():
    assert (cheats.COPIES, cheats.RATIO, cheats.FAR) == (0.05, 10, 0.5)
    assert cheats.MANY > cheats.COPIES  # so that what is called a copy never passes
