"""What lesson 06 says, held to its numbers."""

import contextlib
import os
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
from reproduce import ADULT, ADULT_DISCO, BY_TARGET, DEPRESS

import synthrisk_edu as sr
from claims import after

SURVEY, ADULT_FILE = "sd2011/original.csv", "adult.csv.gz"


def numbers(text):
    """Read the published figures, which stand as text."""
    return [float(word) for word in text.split()]


def near_published(ours, within):
    """Is every synthesis within so many points of the published one?"""
    return all(np.allclose(ours[name], numbers(DEPRESS[name]), atol=within) for name in ours)


def reference(name):
    """Read a published file, or None where it is not at hand; we may not pass it on."""
    folder = os.environ.get("SYNTHRISK_EDU_REFERENCE")
    return pd.read_csv(Path(folder) / name) if folder else None


# ------------------------------------------------------- 1 one person, 2 five thousand


@after("d0068e0e")
def counted_by_hand(found):
    counted = {"iS": 75, "DiS": 62.5, "DiSCO": 37.5, "DiSDiO": 25}
    assert found.attribute.loc[1, list(counted)].to_dict() == counted
    assert found.records()[["found", "disclosive", "correct"]].sum().tolist() == [6, 5, 3]


@after("d0068e0e")
def six_of_eight_have_keys_that_settle_the_answer(found):
    assert found.attribute.Dorig[1] == 75


@after("d0068e0e")
def rob_is_told_right_and_the_original_would_not_settle_it(found, original):
    chains = {name: tuple(found.links(i)) for i, name in enumerate(original.index)}
    assert chains["Rob"] == (True, True, True, False) and chains["Ola"] == (True,) * 4


@after("19e0afe2")
def uniques_come_close_to_the_real_survey(depress):
    assert near_published(depress.identity, within=2)
    assert depress.identity.mean().round().tolist() == [48, 35, 22, 14]


@after("633663a0")
def attributes_come_close_to_the_real_survey(depress, columns):
    assert near_published(depress.attribute[columns], within=2)
    assert depress.attribute.iS.min() > 60 and depress.attribute.iS.max() < 66
    assert depress.attribute.DiSCO.between(8.5, 10.5).all() and (depress.attribute.Dorig > 50).all()


@after("h6a00002")
def denominators_are_small(depress):
    assert depress.attribute.max_denom.max() <= 5 and depress.attribute.mean_denom.max() < 1.3


@after("h6a00006")
def without_age_everybody_is_found_and_nobody_is_answered(fewer):
    assert fewer.loc["iS"].round().tolist() == [64, 100, 91]
    assert fewer.loc["DiSCO"].round().tolist() == [33, 0, 37]


@after("h6a00006")
def without_the_size_of_the_place_disco_rises_in_every_file(persons, released, keys):
    four, three = (
        sr.disclosure(persons, released, known, "marital").attribute.DiSCO
        for known in (keys, keys[:3])
    )
    assert keys[3] == "placesize" and (three - four > 2).all()


def stored_files():
    """What a hundred other files say: the measures of the lesson, a row for each."""
    files = sr.load_results("disclosure_files")
    assert len(files) == 100
    return files


@after("h6a00006")
def it_rises_in_each_of_a_hundred_other_files():
    files = stored_files()
    assert (files.three_keys > files.DiSCO).all()


@after("h6a00006")
def most_single_answers_come_from_a_single_row(persons, released, keys):
    rows = persons.join(released[0].value_counts(keys).rename("rows"), on=keys).rows
    for target, percent in (("marital", 58), ("depress", 81)):
        answered = sr.disclosure(persons, released[0], keys, target).records().disclosive
        assert round(100 * (rows[answered] == 1).mean()) == percent


# ----------------------------------------------------------------------- 3 the funnel


@after("cbda8c08")
def a_third_are_disclosed_and_three_quarters_in_the_original(marital):
    chain = marital.attribute.mean()[["iS", "DiS", "DiSCO", "Dorig"]]
    assert chain.round().tolist() == [64, 46, 34, 77]


@after("196c4ee7")
def coarse_keys_find_many_and_tell_little(persons, released, keys):
    ways = [{"groups": {"age": 2}}, {"groups": {"age": 30}}, {"denom_limit": 1}]
    found = [sr.disclosure(persons, released, keys, "marital", **way) for way in ways]
    abroad = sr.disclosure(persons, released, keys, "workab", drop_target=["NO"])
    disco = [one.attribute.DiSCO.mean() for one in [*found, abroad]]
    assert [round(one) for one in disco] == [3, 36, 16, 1]
    as_it_is = sr.disclosure(persons, released, keys, "marital")
    assert (found[1].attribute.DiSCO > as_it_is.attribute.DiSCO).all()
    assert round(found[2].identity.UiO.mean()) == 51
    assert found[0].attribute.iS.min() > 99


@after("196c4ee7")
def thirty_groups_tell_more_than_exact_ages_in_97_of_a_hundred_other_files():
    files = stored_files()
    assert (files.groups_30 > files.DiSCO).sum() == 97


@after("above-dorig")
def disco_is_above_dorig_in_90_of_a_hundred_other_files():
    files = stored_files()
    assert (files.groups_2 > files.Dorig_2).sum() == 90
    assert round(files.groups_2.mean(), 1) == 2.3 and (files.groups_2 > 1.64).sum() == 90


@after("guess-06")
def a_guess_is_right_as_often_in_a_hundred_other_files():
    files = stored_files()
    assert files.guess.round().between(76, 77).all() and (files.guess > 2 * files.DiSCO).all()
    right = 100 * files.DiSCO / files.DiS
    assert [round(right.mean()), round(right.min()), round(right.max())] == [73, 70, 74]


@after("above-dorig")
def disco_is_above_dorig_in_every_synthesis(coarse):
    assert (coarse.attribute.DiSCO > coarse.attribute.Dorig).all()
    means = coarse.attribute[["Dorig", "DiSCO", "DiSDiO"]].mean()
    assert means.round(1).tolist() == [1.6, 2.8, 0.5]


@after("above-dorig")
def the_original_has_one_or_two_who_differ(coarse):
    """Of those whose answer only the synthetic file settles: how many under their keys differ?"""
    records = coarse.records()
    answers = {i: coarse.look_up(i).original for i in np.flatnonzero(records.correct).tolist()}
    same = {i: found[coarse.truth(i)] for i, found in answers.items()}
    differ = pd.Series({i: found.sum() - same[i] for i, found in answers.items()})
    differ = differ[differ > 0]
    assert (differ <= 2).mean() > 0.7
    assert np.mean([same[i] / answers[i].sum() for i in differ.index]) > 0.7


@after("guess-06")
def looking_more_closely_guesses_worse(persons, released, keys, marital):
    def right(target, known):
        """Guess in plain loops; per cent right in each file."""
        truth = [*zip(*(persons[name] for name in [*known, target]), strict=True)]
        percent = []
        for file in released:
            counts = file.groupby([*known, target], observed=True).size().to_dict()
            best = {}
            for cell in sorted(counts, key=lambda cell: (-counts[cell], cell)):
                best.setdefault(cell[:-1], cell[-1])
            percent.append(100 * np.mean([best.get(row[:-1]) == row[-1] for row in truth]))
        return percent

    by_two, by_four = right("marital", keys[:2]), right("marital", keys)
    assert min(by_two) >= 76 and max(by_two) < 77.5 and round(np.mean(by_four)) == 44
    assert (np.array(by_two) > 2 * marital.attribute.DiSCO).all()
    assert (100 - marital.attribute.iS > 100 / 3).all()
    assert sr.disclosure(persons, released, keys[:2], "marital").attribute.iS.min() > 99
    assert round(100 * (marital.attribute.DiSCO / marital.attribute.DiS).mean()) == 73
    assert round(100 * (persons.marital == "MARRIED").mean()) == 60
    depress = sr.disclosure(persons, released, keys, "depress").attribute.DiSCO.mean()
    commonest = 100 * (persons.depress == persons.depress.mode()[0]).mean()
    guessed = np.mean(right("depress", keys[:2]))
    assert [round(guessed), round(commonest), round(depress)] == [25, 22, 9]


@after("commonest-table")
def a_guess_is_right_more_often_than_disco_in_every_file(intruders):
    disco, certain, guessed, married = intruders.to_numpy().T
    assert np.round([disco.min(), disco.max(), disco.mean()]).tolist() == [33, 35, 34]
    assert np.round([guessed.min(), guessed.max()]).tolist() == [76, 77]
    assert (guessed > 2 * disco).all() and (guessed > certain).all()
    assert np.round(certain).tolist() == [73, 74, 73, 73, 73] and round(married[0]) == 60


@after("commonest-table")
def others_are_guessed_nearly_as_well_as_members(persons):
    def commonest(half, synthetic):
        """Guess by sex and age in plain loops, not as the lesson does."""
        answers = {}
        for *known, answer in synthetic[["sex", "age", "marital"]].dropna().to_numpy():
            counts = answers.setdefault(tuple(known), {})
            counts[answer] = counts.get(answer, 0) + 1
        best = {known: max(counts, key=counts.get) for known, counts in answers.items()}
        rows = half[["sex", "age", "marital"]].to_numpy()
        return np.mean([best.get((sex, age)) == marital for sex, age, marital in rows])

    found = sr.compare_members(persons, from_half, commonest, splits=10, seed=1).summary().iloc[0]
    assert [round(100 * found.members), round(100 * found.others)] == [76, 75]


def from_half(half, seed):
    """One full synthesis of a half."""
    return sr.synthesize_cart(half, list(half), special={"income": [-8]}, seed=seed)[0]


@after("above-dorig")  # section 5 says it
def a_shuffled_copy_is_not_seen_as_a_copy(persons, keys):
    copy = persons.sample(frac=1, random_state=1)
    found = sr.disclosure(persons, copy, keys, "marital")
    assert found.attribute.DiSCO[1] == found.attribute.Dorig[1] and found.attribute.iS[1] == 100
    assert found.identity.repU[1] == found.identity.UiO[1]
    assert round(found.attribute.DiSCO[1]) == 77
    coarse = sr.disclosure(persons, copy, keys, "marital", groups={"age": 2})
    assert round(coarse.attribute.DiSCO[1], 1) == 1.6
    assert np.allclose(sr.pmse_tables(persons, copy, 2).pmse, 0)


# -------------------------------------------------- 4 when a disclosure is nobody's secret


@after("81a23dd0")
def targets_stand_in_the_published_order_with_the_published_flags(table):
    published = {name: numbers(text) for name, text in BY_TARGET.items()}
    assert table.target.tolist() == ["workab", "marital", "ls", "depress", "income"]
    theirs = [published[name] for name in table.target]
    assert np.allclose(table[["Dorig", "DiSCO"]], theirs, atol=3)
    assert table.one_way.tolist() == [True, False, False, False, False]
    assert table.two_way.tolist() == [True, True, False, False, False]
    assert (table.DiSCO < table.Dorig).all()


@after("81a23dd0")
def the_numbers_of_the_real_survey_are_those_of_two_syntheses(keys, targets):
    """Seven of ten are in no text: they come from the synthesis behind the paper's figure."""
    real = reference(SURVEY)
    if real is None:
        return
    same = {"groups": {"income": 20}, "special": {"income": [-8]}}
    files = [reference(f"sd2011/synthetic_{name}.csv") for name in ("contna", "1")]
    one, first = (sr.multi_disclosure(real, file, keys, targets, **same) for file in files)
    assert one.target.tolist() == ["workab", "marital", "ls", "depress", "income"]
    assert one.Dorig.round(1).tolist() == [90.9, 79.2, 58.5, 53.3, 52.3]
    assert one.DiSCO.round(1).tolist() == [52.1, 35.2, 13.8, 9.5, 6.1]
    assert one.one_way.tolist() == [True, *[False] * 4] and one.two_way.tolist()[:3] == [1, 1, 0]
    assert round(50 * one.DiSCO[0]) == 2605
    assert first.set_index("target").DiSCO[["marital", "workab"]].round(1).tolist() == [36.5, 53.2]


@after("947fbabb")
def nearly_all_who_are_disclosed_answered_no(workab):
    assert workab.one_way.level[0] == "NO" and len(workab.one_way) == 1
    assert workab.one_way[["pct_all", "pct_level"]].round().iloc[0].tolist() == [89, 98]


@after("5d8c76e9")
def five_ages_are_flagged(first):
    found = first.two_way.set_index("key_level")
    assert set(found.key) == {"age"} and len(found) == 5
    assert set(found.index[found.target_level == "SINGLE"]) == {17, 19, 21}
    assert set(found.index[found.target_level == "MARRIED"]) == {55, 62}


@after("69a00982")
def without_the_pairs_a_little_less_is_disclosed(first, without):
    assert first.attribute[["DiSCO", "Dorig"]].round().iloc[0].tolist() == [33, 77]
    assert without.attribute[["DiSCO", "Dorig"]].round().iloc[0].tolist() == [29, 70]


@after("98d00e0c")
def four_hundred_persons_are_left_out(without):
    assert without.exclusions.original.sum() == 412


@after("c11b7609")
def leaving_out_the_commonest_level_empties_workab(persons, released, keys, targets, groups):
    commonest = {name: [persons[name].value_counts().index[0]] for name in targets}
    no_missing = {"missing_keys": False, "missing_target": False}
    ways = {"all": {}, "common": {"drop_target": commonest}, "missing": no_missing}
    question = persons, released[0], keys, targets
    same = {"groups": groups, "special": {"income": [-8]}}
    left = {way: sr.multi_disclosure(*question, **how, **same) for way, how in ways.items()}
    left = pd.DataFrame({way: one.set_index("target").DiSCO for way, one in left.items()})
    share, moved = left.common / left["all"], left["all"] - left.missing
    assert share["workab"] < 0.03 and 0.3 < share["marital"] < 0.37
    assert share[["ls", "depress"]].between(0.45, 0.57).all() and commonest["income"] == [-8]
    assert set(moved.index[moved > 0.1]) == {"income", "workab"}
    assert left.loc["workab", ["all", "common"]].round().tolist() == [49, 1]


@after("c11b7609")
def thresholds_move_flags_and_no_disco(persons, released, keys, first):
    def flagged(two_way):
        found = sr.disclosure(persons, released[0], keys, "marital", two_way=two_way)
        assert found.attribute.equals(first.attribute)
        return len(found.two_way) > 0

    assert flagged((4, 99)) and not flagged((4, 100))
    assert flagged((5, 80)) and not flagged((6, 80))


@after("members-compare")
def half_of_disco_would_be_said_of_others(members):
    found = members.summary(whole=100)
    marital, depress = found.loc["marital"], found.loc["depress"]
    assert [round(marital.members), round(marital.others), round(marital.added)] == [29, 15, 13]
    assert round(marital.residual, 2) == 0.16
    assert [round(depress.members), round(depress.others)] == [8, 3]
    assert depress.low > 0 and 0.6 < depress.added / depress.members < 0.7
    assert round(depress.residual, 2) == 0.06


@after("members-compare")
def a_hundred_splits_say_the_same(keys):
    splits = sr.load_results("members_keys")
    splits = splits[(splits["keys"] == "+".join(keys)) & (splits.target == "marital")]
    added = splits.members - splits.others
    assert len(added) == 100
    assert added.agg(["min", "max", "mean"]).round(1).tolist() == [10.6, 17.2, 13.7]


@after("members-compare")
def sixteen_is_a_net_figure():
    """Two files of each split: one made with them, one without."""
    both = sr.load_results("members_both").query("target == 'marital'")
    mean = both[["only_with", "only_without", "both"]].mean()
    assert both.split.nunique() == 100 and mean.round().tolist() == [23, 9, 6]
    assert round(mean.only_with - mean.only_without) == 14


@after("members-compare")
def a_file_of_nine_tenths_says_more_of_both_and_taking_part_adds_less(members):
    sizes = sr.load_results("members_sizes").query("share == 0.9 and measure == 'marital'")
    added = sizes.members - sizes.others
    assert len(sizes) == 100
    assert [round(sizes.members.mean()), round(sizes.others.mean()), round(added.mean())] == [
        33, 22, 11
    ]  # fmt: skip
    assert added.mean() + 2 * added.sem() < members.summary(whole=100).low["marital"]


@after("denominators-of-one-06")
def the_papers_run_with_denominators_of_one(limited, published, depress, table):
    assert limited.index.tolist() == list(published)
    assert (limited.DiSCO - pd.Series(published)).abs().max() < 2
    assert np.allclose(limited.Dorig, depress.identity.UiO[1])
    fell = table.set_index("target").DiSCO - limited.DiSCO
    assert set(fell.index[fell.argsort()][-2:]) == {"workab", "marital"}


@after("denominators-of-one-06")
def on_the_real_survey_we_get_the_papers_run(keys, targets, published):
    real = reference(SURVEY)
    if real is None:
        return
    file = reference("sd2011/synthetic_contna.csv")
    how = {"groups": {"income": None}, "denom_limit": 1}
    ours = sr.multi_disclosure(real, file, keys, targets, **how).set_index("target").round(2)
    assert ours.DiSCO.to_dict() == published and (ours.Dorig == 48.38).all()
    assert ours.loc["depress", ["UiO", "repU"]].tolist() == [50.26, 16.36]
    assert ours.loc["marital", ["UiO", "repU"]].tolist() == [51.10, 17.00]


@after("5d8c76e9")
def pairs_of_workab_in_the_paper_and_here(persons, released, keys, first):
    abroad = sr.disclosure(persons, released[0], keys, "workab").two_way
    assert len(abroad) == 19 and set(abroad.target_level) == {"NO"}
    real = reference(SURVEY)
    if real is None:
        return
    file = reference("sd2011/synthetic_contna.csv")
    theirs = sr.disclosure(real, file, keys, "workab").two_way
    assert len(theirs) == 26 and set(theirs.target_level) == {"NO"}
    pairs = sr.disclosure(real, file, keys, "marital").two_way
    assert sorted(zip(pairs.target_level, pairs.key_level.astype(int), strict=True)) == [
        ("MARRIED", 41), ("SINGLE", 18), ("SINGLE", 19), ("SINGLE", 22)
    ]  # fmt: skip


@after("383889f0")
def with_denominators_of_one_dorig_is_the_same_for_all(persons, released, keys, targets, depress):
    one = sr.multi_disclosure(persons, released[0], keys, targets, denom_limit=1)
    one = one.set_index("target")
    assert np.allclose(one.Dorig, depress.identity.UiO[1]) and (one.UiO > one.Dorig).all()
    assert round(one.DiSCO["workab"]) == 19 and round(one.DiSCO["income"]) == 4


# ------------------------------------------------------ 5 CAP, 6 grouping, 7 key by key


@after("a6a7050e")
def cap_comes_close_and_tcap_is_disco_of_those_found(depress):
    assert near_published(depress.cap, within=2)
    assert np.allclose(depress.cap.TCAP, 100 * depress.attribute.DiSCO / depress.attribute.iS)


@after("exact-incomes")
def every_synthetic_income_is_somebodys(true, made):
    assert len(true) == 3714 and true.income.is_unique
    assert all(data.income.isin(true.income).all() for data in made)
    people = true.set_index("income").loc[made[0].income.head(2)]
    assert people.age.tolist() == [72, 50] and made[0].age.head(2).tolist() == [73, 50]
    assert set(people.sex) == set(made[0].sex.head(2)) == {"FEMALE"}
    assert people.marital.tolist()[1] == made[0].marital.tolist()[1] == "MARRIED"


@after("other-incomes")
def a_line_draws_new_numbers(true, line):
    assert not any(data.income.isin(true.income).any() for data in line)


@after("exact-table")
def exact_incomes_find_people_and_new_numbers_only_seem_safe(rows):
    found = pd.DataFrame(rows, index=["iS", "DiSCO", "lowest", "highest"]).T
    questions = "income alone", "sex, age, income", "the three, income in 20 groups"
    alone, three, grouped = (found.xs(question, level=1) for question in questions)
    ways = ["exact, CART", "line", "rounded"]
    assert alone.iS[ways].round().tolist() == [62, 0, 100]
    assert alone.DiSCO[ways].round().tolist() == [35, 0, 1]
    assert three.iS[ways].round().tolist() == [24, 0, 70]
    assert three.DiSCO[ways].round().tolist() == [15, 0, 33]
    assert grouped.DiSCO[ways].round().tolist() == [37, 36, 35]
    assert (found.highest - found.lowest < 2.5).all()
    assert (alone.loc["line"] == 0).all() and (three.loc["line"] == 0).all()


@after("exact-table")
def a_hundred_other_random_parts_tell_the_same():
    found = sr.load_results("disclosure_exact")
    ends = found[["iS", "DiSCO"]].agg(["min", "max", "mean"]).round()
    assert len(found) == 100
    assert ends.iS.tolist() == [19, 25, 23] and ends.DiSCO.tolist() == [12, 16, 14]
    assert abs(found.iS_alone.mean() - 100 * (1 - np.exp(-1))) < 1


@after("exact-table")
def nobody_who_did_not_take_part_is_found_by_an_exact_income(true):
    made = sr.synthesize_cart(true.head(1857), list(true), seed=1)
    assert sr.disclosure(true.tail(1857), made, ["income"], "marital").attribute.iS[1] == 0


@after("exact-table")
def smoothed_exact_incomes_are_new_numbers_too(true, question, groups):
    borrowed = sr.synthesize_cart(true, list(true), m=5, seed=1)
    noise = np.random.default_rng(1)
    near = [data.assign(income=data.income + noise.normal(0, 100, len(data))) for data in borrowed]
    assert (sr.disclosure(true, near, question, "marital").attribute.iS == 0).all()
    in_groups = sr.disclosure(true, near, question, "marital", groups=groups).attribute
    assert round(in_groups.DiSCO.mean()) == 37


@after("3f87aa30")
def uniqueness_explodes_with_the_last_key(persons, released, keys):
    def mean(known):
        return sr.disclosure(persons, released, known, "depress").identity.mean()

    shared = [len(persons) / persons.groupby(keys[:k], observed=True).ngroups for k in (3, 4)]
    assert np.round(shared, 1).tolist() == [2.6, 1.4]  # the verdicts of 06.e
    assert persons.region.nunique() == 16
    steps = pd.DataFrame([mean(keys[:k]) for k in (1, 2, 3, 4)])
    assert steps.UiO.round().tolist() == [0, 0, 11, 48]
    assert steps.repU.round().tolist() == [0, 0, 4, 14]
    assert (steps.iloc[3] / steps.iloc[2])[["UiO", "repU"]].round(1).tolist() == [4.3, 3.5]
    before = [mean([key for key in keys if key != last]).UiO for last in keys]
    assert np.round(before, 1).tolist() == [29.0, 0.0, 2.6, 11.2]


# ----------------------------------------------- 8 what the owner can do, 9 counts


@after("synthesizers-picture")
def who_keeps_more_gives_away_more(results):
    low, high = (getattr(results.groupby("synthesizer"), end)() for end in ("min", "max"))
    mean = results.groupby("synthesizer").mean()
    persons, alone, middle = (
        "persons drawn again",
        "columns alone",
        ["DPMPM", "regression", "redraw"],
    )
    assert round(mean.DiSCO[persons]) == 62 and round(mean.DiSCO["CART"]) == 35
    assert round(mean.DiSCO[alone]) == 15 and round(mean.ratio[alone]) == 15
    assert low.DiSCO[middle].min() > 25 and high.DiSCO[middle].max() < 28.5
    assert low.DiSCO[middle].max() < high.DiSCO[middle].min()  # cannot be told apart
    assert low.DiSCO[persons] > high.DiSCO["CART"] and low.DiSCO["CART"] > high.DiSCO[middle].max()
    assert low.DiSCO[middle].min() > high.DiSCO[alone]
    assert abs(mean.ratio[persons] - 1) < 0.15 and low.ratio["CART"] < high.ratio[persons]
    assert round(mean.ratio["regression"], 1) == 2.2
    assert high.ratio["regression"] < low.ratio[["DPMPM", "redraw"]].min() > 3
    assert high.ratio[["DPMPM", "redraw"]].max() < 4
    others = low.index.drop(persons)
    assert low.repU[others].min() > 10.5 and high.repU[others].max() < 14.5
    assert low.repU[persons] > high.repU[others].max()


@after("synthesizers-picture")
def with_a_hundred_other_files_the_order_is_the_same():
    ways = sr.load_results("disclosure_ways").groupby("synthesizer")
    assert (ways.size() == 100).all()
    disco, ratio, repU = (
        ways[name].agg(["min", "max", "mean"]) for name in ("DiSCO", "ratio", "repU")
    )
    middle = ["DPMPM", "regression", "redraw"]
    ends = ["min", "max"]
    assert disco.loc["persons drawn again", ends].round().tolist() == [60, 63]
    assert ratio.loc["persons drawn again", ends].round(1).tolist() == [0.7, 1.5]
    assert disco.loc["CART", ends].round().tolist() == [34, 37]
    assert ratio.loc["CART", ends].round(1).tolist() == [0.9, 1.5]
    assert [round(disco["min"][middle].min()), round(disco["max"][middle].max())] == [24, 29]
    assert disco["min"][middle].max() < disco["max"][middle].min()  # single files overlap
    assert disco["mean"][middle].round().tolist() == [27, 27, 26]
    assert disco["max"][middle].max() < disco["min"]["CART"]
    assert disco.loc["columns alone", ends].round().tolist() == [14, 17]
    assert round(ratio["mean"]["regression"], 1) == 2.1
    assert ratio.loc["regression", ends].round(1).tolist() == [1.8, 2.7]
    others = ["DPMPM", "redraw"]
    assert [round(ratio["min"][others].min(), 1), round(ratio["max"][others].max(), 1)] == [
        2.7,
        4.3,
    ]
    assert ratio["max"]["regression"] < ratio["min"][others].min()
    five = repU.drop(index="persons drawn again")
    assert [round(five["min"].min()), round(five["max"].max())] == [10, 15]


@after("da3273d1")
def bands_protect_most_and_only_removed_rows_make_tables_worse(costs, persons, released, removed):
    base, spread = costs.loc["nothing"], costs.highest - costs.lowest
    gone, price = costs.loc["no replicated uniques"], costs["pMSE ratio"]
    assert 1 < spread.max() < 3.5 and round(base.DiSCO) == 34
    assert costs.repU["band"] < 2 and round(costs.DiSCO["band"]) == 22  # of these five files
    assert costs.highest["band"] < gone.lowest < gone.highest < base.lowest
    assert gone.repU == 0 and 0.7 < gone.DiSCO / base.DiSCO < 0.8
    assert (costs.DiSCO[["merge", "top_code"]] - base.DiSCO).abs().max() < 1.5
    assert (costs.repU[["merge", "top_code"]] < base.repU).all()
    assert (price[["band", "merge", "top_code"]] - base["pMSE ratio"]).abs().max() < 0.05
    for data, fewer in zip(released, removed, strict=True):
        before, after_it = (sr.pmse_tables(persons, one, 2).ratio.mean() for one in (data, fewer))
        assert after_it > before


@after("da3273d1")
def what_was_done_to_a_hundred_other_files():
    stored = sr.load_results("disclosure_actions")
    disco = stored.pivot(index="seed", columns="action", values="DiSCO")
    ratio = stored.pivot(index="seed", columns="action", values="ratio")
    assert len(disco) == 100
    assert disco.band.agg(["mean", "min", "max"]).round().tolist() == [21, 19, 24]
    gone = "no replicated uniques"
    assert (disco.band < disco[gone]).all() and (disco[gone] < disco.nothing - 8).all()
    assert (ratio[gone] > ratio.nothing).sum() == 94
    rises = disco[["merge", "top_code"]].sub(disco.nothing, axis=0).mean()
    assert rises.round(1).tolist() == [0.8, 0.5]
    assert (ratio[["band", "merge", "top_code"]].sub(ratio.nothing, axis=0).mean() < 0.02).all()
    assert disco[["merge", "merge, before"]].mean().round(1).tolist() == [35.0, 35.0]
    assert round(disco["band, before"].mean()) == 23
    assert (disco["band, before"] > disco.band).sum() == 81
    more = disco[gone] - disco.band  # verdict of 06.7
    assert [round(more.min()), round(more.max())] == [0, 6] and round(more.std()) == 1


@after("da3273d1")
def merged_regions_and_cut_off_ages_find_more_people(persons, released, keys, merge, top_code):
    found = {
        name: sr.disclosure(action(persons), [action(one) for one in released], keys, "marital")
        for name, action in (("nothing", lambda data: data), ("merge", merge), ("top", top_code))
    }
    share = {name: one.attribute.iS for name, one in found.items()}
    assert (share["merge"] > share["nothing"]).all() and (share["top"] > share["nothing"]).all()


@after("da3273d1")
def two_levels_are_not_one_footing(persons, released, merge, band):
    def ratio(action):
        file, truth = action(released[0]), persons.astype({"region": str})
        return sr.pmse_tables(truth, file.astype({"region": str}), 2).ratio.mean()

    assert round(ratio(merge)) == 14 and 4 < ratio(band) < 5


@after("h6a00025")
def smoothing_protects_only_from_a_pedant(smoothed):
    assert smoothed.round().to_numpy().tolist() == [[30, 8], [34, 35]]


@after("from-counts")
def counts_give_the_same(counts, first, count, persons):
    assert np.allclose(counts.attribute, first.attribute) and len(count(persons)) == 3931


@after("sql-run")
def a_database_counts_the_same(from_database, count, persons, released, keys, first):
    again = sr.disclosure_from_counts(from_database, count(released[0]), keys, "marital")
    assert np.allclose(again.attribute, first.attribute) and len(from_database) == 3931


@after("sql-run")
def another_database_understands_the_same_words(question_sql, from_database, persons):
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        persons.astype(object).to_sql("survey", database, index=False)
        found = pd.read_sql(question_sql, database)
    counts = [sorted(one["count"]) for one in (found, from_database)]
    assert counts[0] == counts[1] and list(found) == list(from_database)


# ------------------------------------------------- 11 the published data, where they are


@after("f6a00002")
def on_the_real_survey_we_get_the_published_figures(depress_range):
    real = reference(SURVEY)
    if real is None:
        return
    ours = depress_range(real)
    published = pd.DataFrame({name: numbers(text) for name, text in DEPRESS.items()})
    published = published.agg(["min", "max"])
    same = ["UiO", "Dorig", "baseCAPd", "CAPd"]
    assert ours[same].round(2).equals(published[same])
    assert np.allclose(ours[published.columns], published, atol=3)


@after("f6a00008")
def on_adult_we_get_the_published_table_one(prepare_adult, table_one):
    adult = reference(ADULT_FILE)
    if adult is None:
        return
    adult = prepare_adult(adult)
    found = table_one(adult, sr.synthesize_cart(adult, list(adult), seed=1))
    dorig = found.xs("Dorig", axis=1, level=1)
    theirs = pd.DataFrame({name: numbers(text) for name, text in ADULT.items()}).T
    printed = dorig.drop(columns="+ missing values").loc[theirs.index].round(2)
    assert np.array_equal(printed, theirs)
    fell = dorig["target levels"].round(2) > dorig["+ missing values"].round(2)
    assert set(dorig.index[~fell]) == {"capital-loss"}
    zero = (adult[["capital-gain", "capital-loss"]] == 0).mean() * 100
    assert zero.round().tolist() == [92, 95]  # the paper has them exchanged
    made = sr.synthesize_cart(adult, list(adult), seed=1)
    flagged = {}
    for target in ("workclass", "marital-status", "relationship"):
        known = ["age", "occupation", "race", "sex"]
        flagged[target] = sr.disclosure(adult, made, known, target).two_way
    assert [len(pairs) for pairs in flagged.values()] == [9, 7, 2]
    largest = flagged["workclass"].sort_values("pairs").iloc[-1]
    assert [largest.key, largest.key_level, largest.target_level] == [
        "occupation", "Missing", "Missing"
    ]  # fmt: skip
    disco = found.xs("DiSCO", axis=1, level=1)
    published = pd.DataFrame({name: numbers(text) for name, text in ADULT_DISCO.items()}).T
    ours = disco.drop(columns="+ missing values").loc[published.index]
    assert np.allclose(ours, published, atol=1.6)
    assert np.allclose(disco["nothing left out"], OUR_DISCO.reindex(disco.index), atol=0.5)


OUR_DISCO = pd.Series(
    {
        "capital-gain": 20.50,
        "capital-loss": 29.16,
        "education": 1.09,
        "fnlwgt": 0.04,
        "hours-per-week": 1.45,
        "income": 2.14,
        "marital-status": 5.14,
        "native-country": 13.81,
        "relationship": 2.93,
        "workclass": 11.62,
    }
)


@after("and-dora-06")
def her_double_is_57_and_lives_in_a_small_town(my):
    her = my.story.persons.iloc[2285]
    assert (her.sex, her.age, her.marital) == ("FEMALE", 57, "WIDOWED")
    assert her.placesize == "URBAN BELOW 20,000"


# -------------------------------------------------- further: how differential privacy differs


@after("women-06")
def only_the_count_of_widows_differs_and_by_one(with_wen, without_wen):
    assert with_wen.tolist() == [1, 2, 1, 0]
    assert (with_wen - without_wen).to_dict() == {
        "single": 0, "married": 0, "widowed": 1, "divorced": 0
    }  # fmt: skip


@after("likely-06")
def no_published_number_has_a_ratio_beyond_e_to_the_epsilon(seen, likely, published):
    by_number = seen.set_index(published).ratio.round(2)
    assert by_number[[2.0, 0.4]].tolist() == [2.72, 0.82]
    far = np.linspace(-30, 30, 6001)
    for epsilon in (0.1, 1, 5):
        ratio = likely(far, 1, epsilon) / likely(far, 0, epsilon)
        assert np.isclose(ratio.max(), np.exp(epsilon))
        assert np.isclose(ratio.min(), np.exp(-epsilon))
    assert round(np.exp(-1), 2) == 0.37


@after("belief-06")
def a_large_epsilon_is_worth_nothing(belief):
    assert belief["at most"].round(2)[[0.1, 1]].tolist() == [0.52, 0.73]
    assert belief["at most"].round(5)[10] == 0.99995


@after("noisy-file-06-code")
def a_thousand_files_agree_with_the_formula(shares):
    exact = np.array([1 - np.exp(-0.5) / 2, np.exp(-0.5) / 2])
    assert exact.round(2).tolist() == [0.7, 0.3] and round(exact[0] / exact[1], 1) == 2.3
    assert np.round(shares, 2).tolist() == [0.69, 0.32]
    assert np.abs(shares - exact).max() < 3 * np.sqrt(0.7 * 0.3 / 1000)


@after("noisy-file-06-code")
def the_mean_of_many_noisy_files_is_the_truth(with_wen):
    noisy = [sr.noisy_counts(with_wen, 1, seed=seed) for seed in range(2000)]
    assert np.allclose(np.mean(noisy, axis=0), with_wen, atol=0.15)


@after("table-06-privacy")
def two_thirds_of_the_cells_are_empty(counts, table):
    assert [len(counts), (counts == 1).sum(), counts.sum()] == [2016, 201, 5000]
    assert 0.65 < (counts == 0).mean() < 0.67
    found = sr.disclosure(table, table, ["sex", "age", "region"], "marital").attribute.loc[1]
    assert round(found.Dorig, 1) == round(found.DiSCO, 1) == 8.9
    by_group = table.groupby(["sex", "age"], observed=True).marital
    assert round(by_group.apply(lambda one: one.value_counts().iloc[0]).sum() / 50) == 77


@after("noise-table-06-show")
def noise_stops_who_believes_single_answers_and_not_who_guesses(rows, beside):
    mean = {name: files.mean() for name, files in rows.items()}
    assert all(len(files) == 100 for files in rows.values())
    assert round(mean["noise, ε = 10"].DiSCO, 1) == 8.8
    one = beside.loc["noise, ε = 1"]
    assert one[["DiSCO", "lowest", "highest"]].round(1).tolist() == [1.4, 0.4, 4.1]
    assert round(mean["noise, ε = 1"].guess) == 77 and round(mean["noise, ε = 0.1"].guess) == 73
    assert 0.5 < mean["noise, ε = 0.1"].DiSCO < 1.5
    assert round(mean["noise, ε = 0.1"].records, -2) == 13_700


@after("noise-table-06-show")
def cart_lies_between_and_promises_nothing(beside):
    disco, off = beside.DiSCO.round(1), beside.off.round()
    assert disco[["noise, ε = 2", "CART", "noise, ε = 5"]].tolist() == [3.0, 3.7, 7.1]
    assert beside.loc["CART", ["lowest", "highest"]].round(1).tolist() == [2.0, 5.9]
    assert beside.lowest["CART"] < beside.highest["noise, ε = 2"]
    assert beside.highest["CART"] > beside.lowest["noise, ε = 5"]
    assert off[["noise, ε = 0.5", "CART", "noise, ε = 1"]].tolist() == [50, 37, 25]


@after("no-promise-06")
def by_sex_alone_nobody_gets_a_single_answer(two):
    assert sr.disclosure(two, two, ["sex"], "marital").attribute.DiSCO[1] == 0
    assert len(sr.possible_counts(two)) == 14


@after("price-06-code")
def the_price_is_paid_by_the_cell(price):
    found = pd.DataFrame(price).T
    assert found.cells.tolist() == [2_016, 12_096, 110_208]
    assert found.records.round(-2).tolist() == [5_700, 10_100, 56_600]
    assert found.off["and the place"] > 100 and found.guess.round().tolist() == [77, 77, 63]
    assert found.DiSCO.round(1)[["three keys", "and exact ages"]].tolist() == [1.4, 7.6]
