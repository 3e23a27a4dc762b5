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


def counted(report):
    """Copies, but for a hair, and all but one column, in per cent."""
    names = ["copies of people who are alone, %", "but for a hair, %", "all but one column, %"]
    return [value(report, name) for name in names]


@after("r8a00007")
def the_report_counts_as_we_do_by_hand(report, found):
    assert value(report, "expected match risk") == 4
    risks = {"confidential": 6, "floor": 4, "synthetic, giving up": 3}
    assert beside(report.numbers, "expected match risk") == risks
    assert value(report, "DiSCO of Job, %") == 25 and len(found) == 6
    shares = {"Dorig": 50, "commonest answer": 50}
    assert beside(report.numbers, "DiSCO of Job, %") == shares


@after("r8a00013")
def right_2740_times_and_the_floor_is_2736(report):
    assert round(value(report, "expected match risk")) == 2740
    risks = beside(report.numbers, "expected match risk")
    assert risks["confidential"] == 5228 and risks["floor"] == 2736


@after("r8a00021")
def an_honest_partial_release_is_not_warned_of(report):
    assert report.look_at == []


@after("careless-report")
def few_copies_and_nearly_everybody_is_found(careless, units):
    assert "5,566 times of 5,571" in careless.look_at[0]
    assert beside(careless.numbers, "expected match risk")["confidential"] == 5568
    copies = value(careless, "copies of people who are alone, %")
    assert round(copies * len(units) / 100) == 6


@after("copy-report")
def each_of_the_three_counts_is_needed(reports):
    table = {
        "honest": [4.2, 6.7, 36],
        "copy": [100, 100, 100],
        "disguised": [0, 100, 0.1],
        "new income": [0.7, 1.3, 100],
    }
    for name, expected in table.items():
        shown = [round(one, 1 if one < 10 else 0) for one in counted(reports[name])]
        assert shown == expected
        others = [beside(reports[name].numbers, m)["other people"] for m in MEASURES]
        assert others == [0, 0, 0]
    warnings = {name: len(one.look_at) for name, one in reports.items()}
    assert warnings == {"honest": 0, "copy": 1, "disguised": 1, "new income": 1}


MEASURES = ["copies of people who are alone, %", "but for a hair, %", "all but one column, %"]


@after("three-releases")
def the_copies_are_the_most_useful(useful):
    assert round(useful["copy"], 2) == round(useful["disguised"], 2) == 0
    assert 1 < useful["honest"] < useful["new income"]


@after("disguise")
def an_identifier_is_asked_about(ours, copy, looked_up):
    try:
        sr.risk_report(ours, copy, **looked_up)
    except ValueError as error:
        assert "is 'id' an identifier?" in str(error)
        return
    raise AssertionError("nobody asked")


@after("left-in")
def an_identifier_hides_the_copy(left_in, named):
    assert counted(left_in)[0] == 0 and counted(named)[0] == 100
    assert "all columns but id" in left_in.look_at[0] and counted(left_in)[2] == 100


@after("control-report")
def taking_part_shows(half, took_part, others):
    assert len(took_part) == len(others) == 2785
    assert round(value(half, "closer to members, %")) == 69
    assert beside(half.numbers, "closer to members, %") == {"to others": 31}
    assert "37 points (95 % interval 33 to 42)" in half.look_at[0]
    rows = half.numbers[half.numbers.compared_with == "others"].set_index("measure")
    educ, income = (rows.loc[f"DiSCO of {name}, members, %"] for name in ("Educ", "Income"))
    assert (round(educ.value, 1), round(educ.its_value, 1)) == (3.9, 2.6)
    assert (round(income.value, 1), round(income.its_value, 1)) == (0.8, 0.8)
    assert "no difference seen" in half.html


@after("control-report")
def with_a_hundred_others_intervals_are_several_times_as_wide(took_part, others, d):
    from synthrisk_edu.nearest import closer_to_members

    wide, narrow = (
        closer_to_members(took_part, d.half_made, one) for one in (others.head(100), others)
    )
    assert (wide.high - wide.low) > 2.5 * (narrow.high - narrow.low)


@after("employer")
def the_employer_finds_less_and_the_synthetic_income_helps(right):
    assert set(right.value.round()) == {592}
    found = dict(zip(right.compared_with, right.its_value.round(), strict=True))
    assert found["confidential"] == 4427 and found["floor"] == 481 == 592 - 111


@after("panel-08")
def the_panel_asks(ours, copy):
    def said(**roles):
        try:
            return sr.risk_report(ours, copy, **roles).look_at[0]
        except ValueError as error:
            return str(error)

    assert "name the roles" in said()
    looked_up = {"keys": ["Age", "Marital"], "targets": ["Educ"]}
    assert "is 'id' an identifier?" in said(**looked_up)
    assert said(**looked_up, identifiers=["id"]).startswith("100 % of the synthetic rows repeat")
    differs = said(known=["Age"], synthesized=["Educ"], identifiers=["id"])
    assert "'Age' differs" in differs and "first in row 0" in differs


@after("r8a00025")
def no_income_stands_in_the_notebook_of_the_report(written, incomes):
    assert "expected match risk" in written
    assert len(incomes) > 50 and not any(one in written for one in incomes)


@after("strange-read")
def none_of_the_strange_files_is_read(strange, folder):
    for data in strange.values():
        (folder / "strange.csv").write_bytes(data)
        try:
            sr.read_pair(folder / "strange.csv", folder / "strange.csv")
        except ValueError:
            continue
        raise AssertionError(data)


@after("r8a00033")
def the_name_stands_on_the_page_as_text(page):
    assert "<script" not in page and "&lt;script&gt;" in page


@after("exercise-09-mark")
def a_sixth_of_the_honest_file_is_as_near_as_five_per_cent_of_others(near, apart):
    assert 0.14 < (near <= np.quantile(apart, 0.05)).mean() < 0.18
