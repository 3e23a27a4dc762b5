"""Claims of lesson 09."""

import numpy as np

import synthrisk_edu as sr
from claims import after


def value(report, measure):
    """The value of a measure of a report."""
    return report.numbers.set_index("measure").value.loc[[measure]].iloc[0]


def beside(numbers, measure):
    """What a measure is compared with, rounded: name → value."""
    rows = numbers[numbers.measure == measure]
    return dict(zip(rows.compared_with, rows.its_value.round(), strict=True))


@after("r8a00007")
def the_report_counts_as_we_do_by_hand(report, found):
    assert value(report, "expected match risk, giving up") == 3
    assert value(report, "expected match risk") == 4
    assert beside(report.numbers, "expected match risk") == {"confidential": 6, "floor": 4}
    assert value(report, "DiSCO of Job, %") == 25 and len(found) == 5
    assert beside(report.numbers, "DiSCO of Job, %") == {"Dorig": 50}


@after("r8a00013")
def the_risk_is_highest_at_30_per_cent(sweep):
    highest = sweep.loc[sweep.value.idxmax()]
    assert highest.measure == "expected match risk, radius 30 %" and round(highest.value) == 897
    assert sweep.value.min() > 840


@after("r8a00015")
def right_897_times_and_the_floor_is_831(report, matching):
    assert round(value(report, "expected match risk")) == 897
    expected = {"confidential": 3948, "floor": 831}
    assert beside(report.numbers, "expected match risk") == expected
    assert round(value(report, "expected match risk, giving up")) == 285
    assert "30 % of Expenditure and Income" in matching.section.iloc[0]


@after("r8a00019")
def the_keys_are_unique_and_give_little_away(report):
    assert round(value(report, "DiSCO of Expenditure, %")) == 6
    assert round(value(report, "DiSCO of Income, %")) == 3
    for name in ("Expenditure", "Income"):
        assert beside(report.numbers, f"DiSCO of {name}, %") == {"Dorig": 30}
    assert beside(report.numbers, "repU, %") == {"UiO": 29}
    assert value(report, "repU, %") < 29


@after("r8a00021")
def units_that_are_copied(report):
    assert value(report, "copies of unique rows") == 276 and round(27600 / 5571) == 5
    assert beside(report.numbers, "copies of unique rows") == {"at most by chance": 0}
    assert report.look_at[0].startswith("276 synthetic rows repeat")
    assert "carry the risk" in report.look_at[1]


@after("careless-report")
def few_copies_and_nearly_everybody_is_found(careless_report):
    assert value(careless_report, "copies of unique rows") == 6
    assert round(value(careless_report, "expected match risk")) == 5538
    assert beside(careless_report.numbers, "expected match risk")["confidential"] < 5571
    assert "2 % of Expenditure and Income" in careless_report.look_at[0]


@after("copy-report")
def a_shuffled_copy_is_called_what_it_is(copy_report):
    assert copy_report.look_at[0].startswith("This is the confidential table itself")


@after("three-releases")
def the_copy_is_the_most_useful_and_the_good_release_the_least(three):
    useful = three.loc["pMSE ratio of the file"]
    assert -1e-9 <= useful["copy"] < useful["careless"] < useful["good"]
    assert three.isna().loc["expected match risk"].tolist() == [False, False, True]


@after("disguise")
def every_row_of_the_disguise_is_near_a_true_one(disguised):
    assert value(disguised, "share as far as half of the confidential") < 0.005
    assert "copy in disguise" in disguised.look_at[0]


@after("control-report")
def taking_part_adds_disclosure(half, took_part, others):
    assert len(took_part) == len(others) == 2785
    spent = "DiSCO of Expenditure, members, %"
    assert round(value(half, spent)) == 9 and beside(half.numbers, spent) == {"others": 2}
    assert half.look_at[0].startswith("Taking part adds risk")


@after("employer")
def the_employer_finds_less_and_the_synthetic_income_helps(right):
    assert right.value.round().tolist() == [178, 178]
    assert right.its_value.round().tolist() == [4839, 68]
    assert "0 % of Income" in right.section.iloc[0]


def risk(truth, file, names, r):
    radius = {"Age": 0.1} | dict.fromkeys(names, r)
    known = [name for name in truth if name not in ("Expenditure", "Income")]
    return round(sr.match(truth, file, known, names, radius).summary().expected_match_risk)


@after("panel-08")
def the_two_files_move_in_opposite_directions(units, made):
    names = ["Expenditure", "Income"]
    assert [risk(units, made, names, r) for r in (0, 0.1, 0.5)] == [64, 135, 412]
    assert [risk(units, units, names, r) for r in (0, 0.1, 0.5)] == [5571, 5236, 2931]


@after("panel-08")
def without_the_synthesized_columns_more_are_found(units, made, report):
    assert risk(units, made, [], 0) == risk(units, units, [], 0) == 831
    known = [name for name in units if name not in ("Expenditure", "Income")]
    assert sr.match(units, made, known, [], {"Age": 0.1}).summary().false_match_rate == 0
    amounts = ["Expenditure", "Income"]
    alone = sr.match(units, made, known, amounts, dict.fromkeys(["Age", *amounts], 0.1)).summary()
    assert round(alone.false_match_rate, 2) == 0.88
    assert round(value(report, "expected match risk, radius 10 %")) == 882


@after("r8a00025")
def no_income_stands_on_the_page(page, incomes):
    assert len(incomes) > 50 and not any(one in page for one in incomes)


@after("strange-read")
def none_of_the_strange_files_is_read(strange):
    for data in strange.values():
        try:
            sr.read_pair(b"Sex,Job\nF,cook\n", data)
        except ValueError:
            continue
        raise AssertionError(data)


@after("r8a00033")
def the_name_stands_on_the_page_as_text(page):
    assert "<script" not in page and "&lt;script&gt;" in page


@after("exercise-09-mark")
def a_quarter_of_the_good_release_is_nearer_than_the_mark(near, apart):
    assert 0.23 < (near < np.quantile(apart, 0.05)).mean() < 0.27
