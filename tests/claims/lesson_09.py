"""Claims of lesson 09."""

import synthrisk_edu as sr
from claims import after


@after("r8a00007")
def the_true_file_gives_six(found):
    assert found["expected match risk, confidential"] == 6
    assert found["expected match risk, floor"] == 4


@after("r8a00013")
def right_135_times_and_nine_in_ten_unique_matches_are_false(report):
    found = report.numbers.set_index("measure").value
    assert round(found["expected match risk, synthetic"]) == 135
    assert found["unique matches, synthetic"] == 1006
    assert 0.87 < found["false match rate, synthetic"] < 0.89
    assert round(found["expected match risk, confidential"]) == 5236


@after("r8a00017")
def the_unchanged_columns_alone_give_831(report):
    found = report.numbers.set_index("measure").value
    assert round(found["expected match risk without the synthesized numbers"]) == 831
    assert found["maximizing radius"] == 1 and found["highest expected match risk"] > 831
    assert round(found["expected match risk at radius 1"]) == 617


@after("r8a00019")
def the_keys_are_unique_and_give_little_away(report):
    targets = report.tables["targets"]
    assert targets.target[0] == "Expenditure" and round(targets.DiSCO[0]) == 6
    assert targets.DiSCO.max() < 7 and not (targets.one_way | targets.two_way).any()
    assert targets.target[1] == "Income" and round(targets.DiSCO[1]) == 3
    assert targets.Dorig.round().tolist() == [30, 30]
    assert (targets.UiO == targets.repU).all() and 28 < targets.UiO[0] < 29


@after("r8a00021")
def every_ratio_is_below_one(report):
    found = report.numbers.set_index("measure").value
    assert found["pMSE ratio of the file"] < 1
    assert report.tables["one_way_tables"].ratio.max() < 1


def risk(truth, file, names, r):
    radius = {"Age": 0.1} | dict.fromkeys(names, r)
    known = [name for name in truth if name not in ("Expenditure", "Income")]
    return round(sr.match(truth, file, known, names, radius).summary().expected_match_risk)


@after("panel-08")
def the_two_files_move_in_opposite_directions(units, made, report):
    names = report.roles.synthesized
    assert [risk(units, made, names, r) for r in (0, 0.1, 0.5)] == [64, 135, 412]
    assert [risk(units, units, names, r) for r in (0, 0.1, 0.5)] == [5571, 5236, 2931]


@after("panel-08")
def without_the_synthesized_columns_more_are_found(units, made, report):
    assert risk(units, made, [], 0) == risk(units, units, [], 0) == 831
    known = report.roles.known
    assert sr.match(units, made, known, [], {"Age": 0.1}).summary().false_match_rate == 0


@after("careless-report")
def few_copies_and_nearly_everybody_is_found(careless_report):
    found = careless_report.numbers.set_index("measure").value
    assert found["copies of unique rows on all columns"] == 6
    assert found["maximizing radius"] == 0.02
    assert round(found["expected match risk at radius 0.02"]) in (5535, 5536)
    assert round(found["expected match risk at radius 0"]) == 6
    assert "right 5,536 times" in careless_report.text("attention")


@after("three-releases")
def the_copy_is_the_most_useful_and_the_good_release_the_least(three):
    useful = three.loc["pMSE ratio of the file"]
    assert -1e-9 <= useful["copy"] < useful["careless"] < useful["good"]
    assert three.isna().loc["highest expected match risk"].tolist() == [False, False, True]


@after("control-report")
def taking_part_adds_copies_and_disclosure(half, took_part, others):
    assert len(took_part) == len(others) == 2785
    table = half.tables["members"].set_index("measure").round(0)
    copies = table.loc["synthetic rows that repeat a unique record"]
    assert (copies.members, copies.others) == (3, 0)
    spent = table.loc["DiSCO of Expenditure"]
    assert [spent.members, spent.others, spent.added, spent.low, spent.high] == [9, 2, 8, 6, 9]


@after("intruders-report")
def each_intruder_has_its_line(more):
    table = more.tables["intruders"].set_index("intruder").drop(columns="knows").round()
    assert table.loc["a neighbour"].tolist() == [212, 212, 212]
    assert table.loc["an employer"].tolist() == [1276, 85, 68]
    assert table.loc["a bank"].tolist() == [663, 13, 1]


@after("population-read")
def most_who_are_alone_have_others_like_them(more):
    found = more.numbers.set_index("measure").value
    assert found["SU-CU (keys)"] == 1593 and found["r > 0.5 (keys)"] == 0
    assert round(found["sum of r"]) == 12


@after("r8a00025")
def no_income_stands_in_the_report(written, incomes):
    assert len(incomes) > 50 and not any(one in written for one in incomes)


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


@after("r8a00013")
def the_floor_is_831(report):
    assert round(report.tables["matching"].floor[0]) == 831


@after("copies-read")
def units_that_are_copied(report):
    found = report.numbers.set_index("measure").value
    assert found["copies of unique rows on all columns"] == 276 and round(27600 / 5571) == 5


@after("copy-report")
def a_shuffled_copy_is_called_what_it_is(units, shuffled):
    report = sr.risk_report(units, shuffled, progress=False)
    assert report.text("attention").startswith("This is the confidential table itself")
    assert abs(report.numbers.set_index("measure").value["pMSE ratio of the file"]) < 1e-9


@after("first-page")
def the_first_page_reports_the_floor(report):
    table = report.tables["headlines"].set_index("number")
    assert round(table.synthetic["expected match risk"]) == 831
    unique = table.loc["found uniquely and correctly"]
    assert (unique.synthetic, unique.floor) == (118, 296)


@after("r8a00029")
def saving_in_the_lesson_can_be_done_again(report, folder, saved):
    """The cell may be run twice: what it has saved is written anew, with the same bytes."""
    before = [path.read_bytes() for path in saved]
    assert report.save(folder / "consumer_units.html", overwrite=True) == saved
    assert [path.read_bytes() for path in saved] == before


@after("r8a00007")
def the_report_counts_as_we_do_by_hand(report):
    found = report.numbers.set_index("measure").value
    assert found["expected match risk, synthetic"] == 3
    assert found["true match rate, synthetic"] == 0.25
    assert found["false match rate, synthetic"] == 0.5
    assert (found["DiSCO of Job"], found["Dorig of Job"]) == (25, 50)
