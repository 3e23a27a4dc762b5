"""Claims of lesson 08: members and others."""

import numpy as np

import synthrisk_edu as sr
from claims import after
from synthrisk_edu.members import halves


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
def about_half_of_disco_is_general_knowledge(found):
    row = found.summary(whole=100)
    assert row.loc["marital", ["members", "others"]].round().tolist() == [29, 15]
    assert row.loc["marital", ["added", "low", "high"]].round().tolist() == [13, 13, 14]
    assert row.loc["depress", ["members", "others"]].round().tolist() == [8, 3]
    part = 1 - row.others / row.members
    assert part["depress"] > part["marital"]
    assert (found.splits.members > found.splits.others).all()
    assert len(found.splits) == 20


@after("panel-members-08")
def what_the_panel_of_keys_says():
    mean = sr.load_results("members_keys").groupby(["keys", "target"])[["members", "others"]].mean()
    four = mean.loc["sex+age+region+placesize"]
    assert four.loc["workab"].round().tolist() == [40, 22]
    assert (four.members - four.others).idxmax() == four.members.idxmax() == "workab"
    assert round(four.members["workab"] - four.others["workab"]) == 19
    two = mean.loc[("sex+age", "workab")]
    assert abs(two.members - 32) < 1 and abs(two.others - 33) < 1 and two.members < two.others
    results = sr.load_results("members_keys").assign(measure="DiSCO")
    coarse = results[(results["keys"] == "sex+age") & (results.target == "marital")]
    row = sr.Members(coarse).summary(whole=100).loc["DiSCO"]
    assert row.high < 0 and row.added > -1


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


@after("shuffled-08")
def a_shuffled_copy_has_perfect_usefulness(utility, copied):
    assert utility["shuffled copy"] < 0.05 and round(utility["honest"], 1) == 1.6
    assert copied["shuffled copy"] == 2500


@after("closest-08")
def the_file_is_nearer_to_its_members(members, others, synthetic):
    near = sr.closest_record(members, synthetic, control=others)
    assert near["median"].round(3).tolist() == [0.046, 0.058]
    assert round(near.closer["original"], 2) == 0.61


@after("disguise-disco-08")
def the_disguise_looks_safer_and_is_not(distance, measures, members, disguised):
    assert round(distance["disguised"], 3) == 0.065 and round(distance["honest"], 3) == 0.046
    assert sr.copies(members, disguised).rows["original"] == 4
    disco = {name: one.attribute.DiSCO[1] for name, one in measures.items()}
    assert [round(disco[name]) for name in ("honest", "shuffled copy", "disguised")] == [33, 77, 77]


@after("panel-leaves-08")
def small_leaves_learn_members_by_heart():
    mean = sr.load_results("members_leaves").groupby("min_leaf").mean()
    added = mean.members - mean.others
    assert mean.members[[100, 1]].round().tolist() == [18, 48]
    assert mean.others[[100, 1]].round().tolist() == [16, 14]
    assert added[[100, 1]].round().tolist() == [2, 34]
    assert mean.copies_members[[5, 2, 1]].round().tolist() == [1, 8, 47]
    assert mean.ratio_members[[100, 1]].round(1).tolist() == [2.3, 1.3]
    assert mean.ratio_others[[100, 5]].round(1).tolist() == [3.4, 2.9]
    assert (mean.ratio_others[[1, 2, 3]] >= mean.ratio_others[5]).all()


@after("panel-copies-08")
def what_each_measure_says_of_copying():
    table = sr.load_results("members_copies").set_index("percent")
    assert table.disco_members.is_monotonic_increasing and table.copies.is_monotonic_increasing
    assert table.disco_others.between(16.5, 20).all()
    assert table.distance[0].round(3) == 0.046 and table.distance[10].round(2) == 0.04
    assert (table.distance[table.index >= 55] == 0).all()
    assert round(table.ratio[0], 1) == 1.4 and table.ratio[100] == 0


@after("households-08-code")
def the_riskier_the_household_the_more_was_added(homes):
    row = homes.summary()
    assert row.members.round().tolist() == [66, 31, 15, 3]
    assert row.others.round().tolist() == [44, 18, 8, 1]
    assert (row.low > 0).all()
    part = row.added / row.members
    assert part.is_monotonic_increasing
    assert homes.splits.split.nunique() == 20


@after("cost-code-08")
def a_file_of_everybody_gives_away_a_little_more(everybody, half):
    assert [round(everybody), round(half)] == [33, 30]
