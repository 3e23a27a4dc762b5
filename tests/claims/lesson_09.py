"""Claims of lesson 09."""

import synthrisk_edu as sr
from claims import after


@after("r8a00007")
def the_true_file_gives_six(found):
    assert found["expected match risk, confidential"] == 6


@after("r8a00013")
def right_135_times_and_nine_in_ten_unique_matches_are_false(report):
    found = report.numbers.set_index("measure").value
    assert round(found["expected match risk, synthetic"]) == 135
    assert found["unique matches, synthetic"] == 1006
    assert 0.87 < found["false match rate, synthetic"] < 0.89
    assert found["expected match risk, confidential"] > 0.9 * 5571


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
    assert (targets.UiO == targets.repU).all() and 28 < targets.UiO[0] < 29


@after("r8a00021")
def every_ratio_is_below_one(report):
    found = report.numbers.set_index("measure").value
    assert found["pMSE ratio of the file"] < 1
    assert report.tables["one_way_tables"].ratio.max() < 1


def risk(truth, file, roles, names, r):
    return round(sr.match(truth, file, roles.known, names, r).summary().expected_match_risk)


@after("panel-08")
def the_two_files_move_in_opposite_directions(units, made, report):
    roles, names = report.roles, report.roles.synthesized
    assert [risk(units, made, roles, names, r) for r in (0, 0.1, 0.5)] == [65, 135, 206]
    assert [risk(units, units, roles, names, r) for r in (0, 0.1, 0.5)] == [5571, 5236, 1684]


@after("panel-08")
def without_the_synthesized_columns_more_are_found(units, made, report):
    roles = report.roles
    assert [risk(units, made, roles, [], r) for r in (0.1, 0)] == [831, 2736]
    assert risk(units, units, roles, [], 0) == 2736
    assert sr.match(units, made, roles.known, [], 0.1).summary().false_match_rate == 0


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
    assert found["copies of unique rows on all columns"] == 276


@after("copy-report")
def a_shuffled_copy_is_called_what_it_is(units, shuffled):
    report = sr.risk_report(units, shuffled, progress=False)
    assert report.text("attention").startswith("This is the confidential table itself")
    assert abs(report.numbers.set_index("measure").value["pMSE ratio of the file"]) < 1e-9


@after("first-page")
def the_first_page_reports_the_floor(report):
    table = report.tables["headlines"].set_index("number")
    assert round(table.synthetic["expected match risk"]) == 831


@after("r8a00029")
def saving_in_the_lesson_can_be_done_again(report, folder, saved):
    """The cell may be run twice: what it has saved is written anew, with the same bytes."""
    before = [path.read_bytes() for path in saved]
    assert report.save(folder / "consumer_units.html", overwrite=True) == saved
    assert [path.read_bytes() for path in saved] == before
