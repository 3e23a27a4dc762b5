"""The report: its numbers, hostile files, what stays out of it, and its panel."""

import csv
import gzip
import hashlib
import io
import json
import os
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from panel_moves import use_every_control

import synthrisk_edu as sr
from synthrisk_edu import pages, widgets
from synthrisk_edu.match import three_matches
from synthrisk_edu.plots import look
from synthrisk_edu.report import pictures, read_table, reading
from synthrisk_edu.report.columns import looks_like_codes
from synthrisk_edu.report.command import main
from synthrisk_edu.report.copying import compare
from synthrisk_edu.report.matching import read_floor, say_what_carries_the_risk
from synthrisk_edu.report.roles import Choices, choose_roles
from synthrisk_edu.report.utility import MANY_RECORDS, propensity_model
from synthrisk_edu.widgets.two_tables import say_matching
from synthrisk_edu.words import about

SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(2)>'
FORMULA = '=HYPERLINK("http://evil.example","x")'
KNOWN, NUMBERS = ["Age", "Urban", "Marital"], ["Expenditure", "Income"]


def toy():
    """Eight persons; the job was synthesized. Counted by hand in lesson 09."""
    confidential = pd.DataFrame(
        {
            "Sex": list("FFFFMMMM"),
            "Town": list("AABBAABB"),
            "Job": "cook nurse cook cook nurse nurse cook pilot".split(),
        }
    )
    return confidential, confidential.assign(
        Job="cook cook cook nurse nurse cook cook cook".split()
    )


BLANK = look.show(look.figure(1)[0], "").data


@pytest.fixture
def drawn():
    """For a test that looks at the pictures of a report."""


@pytest.fixture(autouse=True)
def blank_pictures(request, monkeypatch):
    """Leave the pictures blank for all others, because drawing takes most of a report's time."""
    if "drawn" not in request.fixturenames:
        monkeypatch.setattr(pictures, "draw", lambda name, what: BLANK)


@pytest.fixture(scope="module")
def units():
    """Consumer units as a stranger's CSV would bring them: codes as plain numbers."""
    ce = sr.load_ce()[[*KNOWN, *NUMBERS]].head(600)
    synthetic = sr.synthesize_cart(ce, NUMBERS, seed=1)[0]
    return tuple(pd.read_csv(io.StringIO(one.to_csv(index=False))) for one in (ce, synthetic))


@pytest.fixture(scope="module")
def report(units):
    return sr.risk_report(*units)


@pytest.fixture(scope="module")
def another(report):
    """The same report under another title."""
    return sr.Report("another", report.sections, report.roles)


def number(report, measure):
    found = report.numbers[report.numbers.measure == measure]
    assert len(found) == 1, measure
    return found.value.iloc[0]


# -------------------------------------------------------------------- the numbers


def test_the_toy_is_what_the_pencil_says():
    report = sr.risk_report(*toy())
    # c = 2 0 1 1 1 1 2 0 and T = 1 0 1 0 1 0 1 0: risks ½ 0 1 0 1 0 ½ 0, K twice, F twice
    assert number(report, "expected match risk, synthetic") == 3
    assert number(report, "true match rate, synthetic") == 2 / 8
    assert number(report, "false match rate, synthetic") == 2 / 4
    assert number(report, "unique matches, synthetic") == 4
    assert number(report, "expected match risk, confidential") == 6
    # F A: cook, cook says cook, right for one of two; M B: cook, cook, right for one of two
    assert number(report, "DiSCO of Job") == 25
    assert number(report, "Dorig of Job") == 50
    assert report.roles.known == ["Sex", "Town"] and report.roles.synthesized == ["Job"]


def as_categories(units):
    return [one.astype({"Urban": "category", "Marital": "category"}) for one in units]


def test_matching_equals_the_package(report, units):
    ours, theirs = as_categories(units)
    radius = dict.fromkeys(["Age", *NUMBERS], 0.1)
    for name, found in {
        "confidential": sr.baseline(ours, KNOWN, NUMBERS, radius),
        "synthetic": sr.match(ours, theirs, KNOWN, NUMBERS, radius),
    }.items():
        for key, value in found.summary().items():
            assert number(report, f"{key.replace('_', ' ')}, {name}") == value
            table = report.tables["matching"].set_index("summary")
            assert table.loc[key.replace("_", " "), name] == value


def test_the_sweep_equals_the_package(report, units):
    ours, theirs = as_categories(units)
    radii = report.tables["radius"].radius.tolist()
    sweep = sr.radius_sweep(ours, [theirs], KNOWN, NUMBERS, radii, fixed={"Age": 0.1})
    table = report.tables["radius"]
    assert table.expected_match_risk.tolist() == sweep.expected_match_risk.tolist()
    assert number(report, "maximizing radius") == sr.maximizing_radius(sweep)
    own = sr.radius_sweep(ours, [ours], KNOWN, NUMBERS, radii, fixed={"Age": 0.1})
    assert table.expected_confidential.tolist() == own.expected_match_risk.tolist()
    alone = sr.match(ours, theirs, KNOWN, [], {"Age": 0.1}).summary().expected_match_risk
    assert number(report, "expected match risk without the synthesized numbers") == alone
    highest = max(alone, sweep.expected_match_risk.max())
    assert number(report, "highest expected match risk") == highest
    assert radii[0] == 0 and radii[-1] == 1


def test_disclosure_equals_the_package(report, units):
    groups = dict.fromkeys(NUMBERS, 20)
    table = sr.multi_disclosure(*as_categories(units), KNOWN, NUMBERS, groups=groups)
    pd.testing.assert_frame_equal(report.tables["targets"], table)
    for row in table.itertuples():
        assert number(report, f"DiSCO of {row.target}") == row.DiSCO
        assert number(report, f"Dorig of {row.target}") == row.Dorig


def test_utility_equals_the_package(report, units):
    ours, theirs = as_categories(units)
    assert number(report, "pMSE ratio of the file") == sr.pmse_ratio(ours, theirs)
    two = sr.pmse_tables(ours, theirs)
    assert number(report, "worst two-way pMSE ratio") == two.ratio.max()
    one = sr.pmse_tables(ours, theirs, ways=1)
    pd.testing.assert_frame_equal(report.tables["one_way_tables"], one)


def test_every_number_has_a_meaning_and_every_section_a_sentence(report):
    assert list(report.numbers) == ["section", "measure", "value", "meaning"]
    assert (report.numbers.meaning.str.len() > 10).all()
    assert not report.numbers.duplicated(["section", "measure"]).any()
    assert all(section.sentences for section in report.sections)
    assert not any("nan" in one.split() for one in report.sentences)


def test_nothing_the_caller_passes_is_changed(units, drawn):
    before = [one.copy() for one in units]
    sr.risk_report(*units, records=True).html()
    for one, other in zip(units, before, strict=True):
        pd.testing.assert_frame_equal(one, other)


# ---------------------------------------------------------------------- the roles


def test_rows_that_do_not_pair_leave_matching_out(units):
    ours, theirs = units
    report = sr.risk_report(ours, theirs.head(400))
    assert "matching" not in report.tables and "radius" not in report.tables
    assert any("600 and 400 rows, so rows do not pair" in one for one in report.sentences)
    assert "targets" in report.tables and "two_way_tables" in report.tables
    with pytest.raises(ValueError, match="rows do not pair and nothing can be matched"):
        sr.risk_report(ours, theirs.head(400), known=["Age"])


def test_equal_lengths_alone_do_not_make_a_pair(units):
    ours, theirs = units
    shuffled = theirs.sample(frac=1, random_state=1, ignore_index=True)
    constant = ours.assign(Country="X"), shuffled.assign(Country="X")
    report = sr.risk_report(*constant)
    assert any("nothing shows that row i is the same unit" in one for one in report.sentences)
    assert "matching" not in report.tables
    named = sr.risk_report(*constant, known=[], synthesized=["Income"])
    assert "matching" in named.tables


def test_roles_can_be_given(units):
    report = sr.risk_report(
        *units,
        known=["Urban"],
        synthesized=["Income"],
        radius={"Income": 0.2},
        keys=["Age", "Marital"],
        targets=["Urban"],
    )
    assert report.roles.radius == {"Income": 0.2} and report.roles.keys == ["Age", "Marital"]
    assert report.tables["targets"].target.tolist() == ["Urban"]


def guess(confidential, synthetic, **choices):
    """Return the roles of two tables."""
    return choose_roles({"confidential": confidential, "synthetic": synthetic}, Choices(**choices))


def test_one_role_given_the_other_guessed(units):
    roles = guess(*units, known=["Urban"])
    assert (roles.known, roles.synthesized) == (["Urban"], NUMBERS)
    roles = guess(*units, synthesized=["Income"])
    assert (roles.known, roles.synthesized) == (KNOWN, ["Income"])


@pytest.mark.parametrize("form", [iter, pd.Index, pd.Series, np.array, tuple])
def test_roles_come_in_any_list(units, form):
    given = [KNOWN, NUMBERS, KNOWN[:2], NUMBERS[1:]]
    names = ["known", "synthesized", "keys", "targets"]
    roles = guess(*units, **dict(zip(names, map(form, given), strict=True)))
    assert [roles.known, roles.synthesized, roles.keys, roles.targets] == given


def test_an_identifier_is_found_and_said(units):
    ours, theirs = (one.assign(Id=range(1000, 1600)) for one in units)
    names = [f"person {k}" for k in range(600)]
    ours, theirs = ours.assign(Name=names), theirs.assign(Name=names)
    report = sr.risk_report(ours, theirs)
    assert report.roles.identifiers == ["Id", "Name"]
    assert any("Id and Name differ in nearly every record" in one for one in report.sentences)
    assert not {"Id", "Name"} & {*report.roles.known, *report.roles.keys}
    used = sr.risk_report(ours, theirs, known=["Id"])
    assert any(one.startswith("Mind: Id differs") for one in used.sentences)


def test_an_amount_of_money_is_no_identifier(units):
    amounts = pd.Series(np.random.default_rng(1).permutation(600) * 37 + 10_000)
    ours = units[0].assign(Wage=amounts)
    theirs = units[1].assign(Wage=amounts.sample(frac=1, random_state=2, ignore_index=True))
    roles = guess(ours, theirs)
    assert roles.identifiers == [] and "Wage" in roles.synthesized


def test_codes_are_told_from_quantities():
    few, many = pd.Series([1, 2, 3] * 40), pd.Series(range(120))
    assert looks_like_codes(few, few)
    assert looks_like_codes(few.where(few > 1), few)  # missing makes them floats
    assert not looks_like_codes(many, many)
    assert not looks_like_codes(few / 2, few)
    assert not looks_like_codes(few.astype(str), few.astype(str))
    assert not looks_like_codes(few.where(few > 1, np.inf), few)
    data = pd.DataFrame({"Code": few, "Sex": ["F", "M"] * 60})
    roles = guess(data, data.assign(Code=few[::-1].to_numpy()))
    assert roles.radius == {} and roles.synthesized == ["Code"]
    asked = guess(data, data, radius={"Code": 0.1})
    assert asked.radius == {"Code": 0.1}


def test_the_same_file_twice(drawn):
    confidential, _ = toy()
    report = sr.risk_report(confidential, confidential)
    assert any("no column seems to be synthesized" in one for one in report.sentences)
    assert number(report, "expected match risk, synthetic") == 6
    report.html()


def test_small_tables_give_a_report(drawn):
    one = pd.DataFrame({"a": ["x"]})
    sr.risk_report(one, one).html()
    sr.risk_report(one, pd.DataFrame({"a": ["x", "y"]})).html()
    numbers = pd.DataFrame({"a": ["x", "y"], "b": [1.5, 2.5]})
    sr.risk_report(numbers, numbers.assign(b=[100.5, 200.5])).html()  # never a match
    empty = numbers.assign(c=np.nan)
    sr.risk_report(empty, empty.assign(b=[1.5, 3.5])).html()


def test_wide_and_categorical_tables_stay_computable(drawn):
    rng = np.random.default_rng(1)
    data = pd.DataFrame({f"v{k}": rng.integers(0, 4, 200).astype(str) for k in range(60)})
    data["many"] = [f"level {k % 150}" for k in range(200)]
    other = data.assign(**{f"v{k}": rng.permutation(data[f"v{k}"]) for k in range(40)})
    assert propensity_model(data, other) == "cart"
    report = sr.risk_report(data, other)
    assert len(report.tables["two_way_tables"]) == 40 * 39 / 2
    assert len(report.tables["targets"]) == 30
    assert any("many has too many different values" in one for one in report.sentences)
    assert any("Of 40 possible targets the first 30" in one for one in report.sentences)


def test_wrong_arguments_give_one_sentence(units):
    for wrong, error, words in [
        ({"records": "all"}, TypeError, "records must be a list of 0-based positions"),
        ({"records": [99999]}, IndexError, "records is 99999"),
        ({"radius": -1}, ValueError, "0 or more"),
        ({"keys": ["Nope"]}, KeyError, "no column 'Nope'"),
        ({"known": ["Nope"]}, KeyError, "no column 'Nope'"),
        (
            {"known": ["Age"], "synthesized": ["Age"]},
            ValueError,
            "both in known and in synthesized",
        ),
        ({"known": "Age"}, TypeError, "list of column names"),
    ]:
        with pytest.raises(error, match=words):
            sr.risk_report(*units, **wrong)
    with pytest.raises(ValueError, match="no column name in common"):
        sr.risk_report(units[0], units[1].add_prefix("x"))
    with pytest.raises(TypeError, match="holds numbers in confidential and text"):
        sr.risk_report(units[0], units[1].astype({"Income": str}))


# ---------------------------------------------------- copies, floor, control, first page


def attention(report):
    return " ".join(next(one for one in report.sections if one.name == "attention").sentences)


def test_a_shuffled_copy_is_called_what_it_is(units):
    ours = units[0]
    shuffled = ours.sample(frac=1, random_state=3, ignore_index=True)
    for copy in (shuffled, ours):
        assert "This is the confidential table itself" in attention(sr.risk_report(ours, copy))
    most = shuffled.copy()
    most.loc[0, "Income"] = -1
    report = sr.risk_report(ours, most)
    assert "confidential table itself" not in attention(report)
    assert "99.8 % of the synthetic rows stand in the confidential table" in attention(report)


def test_the_first_copied_unique_row_is_warned_of():
    ours = pd.DataFrame({"Sex": list("FFMMM"), "Job": "cook cook nurse pilot baker".split()})
    none = pd.DataFrame({"Sex": list("FFM"), "Job": "cook cook cook".split()})
    report = sr.risk_report(ours, none)
    assert number(report, "copies on all columns") == 2
    assert number(report, "copies of unique rows on all columns") == 0
    assert "value for value" not in attention(report)
    report = sr.risk_report(ours, none.assign(Job="cook cook pilot".split()))
    assert number(report, "copies of unique rows on all columns") == 1
    assert "1 synthetic rows repeat, value for value" in attention(report)


def test_an_identifier_does_not_hide_a_copy(units):
    ours = units[0].assign(Id=range(1000, 1600))
    theirs = units[0].sample(frac=1, random_state=3, ignore_index=True).assign(Id=range(600))
    assert "This is the confidential table itself" in attention(sr.risk_report(ours, theirs))


def test_copies_and_distances_equal_the_package(report, units):
    ours, theirs = as_categories(units)
    found = sr.copies(ours, theirs).loc["original"]
    assert number(report, "copies on all columns") == found["rows"]
    assert number(report, "copies of unique rows on all columns") == found.of_unique
    by_keys = sr.copies(ours, theirs, columns=KNOWN).loc["original"]
    assert number(report, "copies of unique rows on the keys") == by_keys.of_unique
    closest = sr.closest_record(ours, theirs)
    assert report.tables["closest"]["median"].tolist() == closest["median"].tolist()


def test_the_floor_stands_beside_the_risk(report, units):
    ours, _ = as_categories(units)
    least = sr.floor(ours, KNOWN, {"Age": 0.1}).summary()
    table = report.tables["matching"].set_index("summary")
    assert table.floor.tolist() == least.tolist()
    assert number(report, "expected match risk, floor") == least.expected_match_risk
    assert "(the floor)" in report.text("matching")


def test_amounts_that_hardly_moved_are_warned_of(units):
    true = units[0]
    moved = true.assign(**(true[NUMBERS] * 1.01))
    assert "hide hardly anything" in attention(sr.risk_report(true, moved, progress=False))
    assert "hide hardly anything" not in attention(sr.risk_report(*units, progress=False))


def test_the_floor_is_said_beside_the_sweep_where_it_is_another_number():
    town = pd.DataFrame({"Town": list("ABCDEFGHIJ") * 4, "Wage": np.arange(40) + 100.5})
    true = town.assign(Job=list("cook") * 10)
    report = sr.risk_report(
        true, true.assign(Wage=true.Wage[::-1].to_numpy(), Job=list("okoc") * 10)
    )
    assert "The floor, all that was synthesized left aside, is 10" in report.text("radius")


def test_sentences_say_numbers_as_one_would():
    town = pd.DataFrame({"Town": list("ABCDEFGHIJ") * 4, "Wage": np.arange(40) + 100.5})
    made = town.assign(Wage=town.Wage[::-1].to_numpy())
    who = {"a bank": ["Wage"]}
    report = sr.risk_report(town, made, control=town, fraction=0.1, intruders=who, progress=False)
    assert "Town is equal in both, row by row, so we take it as known" in report.text("files")
    assert "percentage points (95 % interval" in report.text("members")
    assert "Of these" not in report.text("intruders")  # there is one


def test_the_first_page_rounds_as_its_sentences_do(units):
    page = sr.risk_report(*units, progress=False).html()
    first = page[: page.index("What to look at")]
    (row,) = re.findall(r"<tr><td class=\"text\">DiSCO.*</tr>", first)
    shown = re.findall(r"<td>([^<]+)</td>", row)
    assert [number for number in shown if len(number.replace(".", "")) > 2 and number != "–"] == []


def test_an_edge_is_called_an_edge_and_the_larger_value_reported():
    town = pd.DataFrame({"Town": list("ABCDEFGHIJ") * 4, "Wage": np.arange(40) + 100.5})
    made = town.assign(Wage=np.arange(40)[::-1] * 10 + 500.5)  # nobody is near
    report = sr.risk_report(town, made)
    # whoever leaves the wage aside is right once in every town
    assert number(report, "highest expected match risk") == 10
    assert "The number to report is the larger of these: 10." in report.text("radius")
    assert "The floor" not in report.text("radius")  # it is these 10, said already
    assert "10" in attention(report)
    near = sr.risk_report(town, town.assign(Wage=town.Wage + 0.25 * (np.arange(40) % 2)))
    assert number(near, "maximizing radius") in (0, 0.01)
    zero = town.assign(Wage=np.where(np.arange(40) < 30, town.Wage, 1e6))
    report = sr.risk_report(town, zero)
    assert number(report, "maximizing radius") == 0
    assert "0 % is an edge of the grid, where values must be equal." in report.text("radius")


def test_large_tables_are_sampled_and_it_is_said(units, monkeypatch):
    monkeypatch.setattr("synthrisk_edu.report.matching.MANY_RECORDS", 500)
    monkeypatch.setitem(MANY_RECORDS, "logistic", 300)
    report = sr.risk_report(*units)
    assert report.tables["radius"].radius.tolist() == [0, 0.1, 0.3, 1]
    assert "in 4 steps" in report.text("radius")
    assert "uses a random sample of 300 records" in report.text("utility")
    ours, theirs = (one.sample(300, random_state=0) for one in as_categories(units))
    assert number(report, "pMSE ratio of the file") == sr.pmse_ratio(ours, theirs)


def test_the_first_page_says_what_was_compared(tmp_path, units):
    for name, data in zip("cs", as_bytes(units), strict=True):
        (tmp_path / f"{name}.csv").write_bytes(data)
    pair = sr.read_pair(tmp_path / "c.csv", tmp_path / "s.csv")
    report = sr.risk_report(*pair, date="2026-05-01", seed=7, one_way=(40, 95))
    assert [one.name for one in report.sections[:3]] == ["summary", "attention", "limits"]
    sources = report.tables["sources"]
    assert sources.file.tolist() == ["c.csv", "s.csv"] and sources.records.tolist() == [600, 600]
    sums = [hashlib.sha256(data).hexdigest() for data in as_bytes(units)]
    assert sources.sha256.tolist() == sums
    text = report.text("summary")
    for part in ("2026-05-01", sr.__version__, "seed 7", "one_way = (40, 95)", "radius = 0.1"):
        assert part in text
    for name in (*KNOWN, *NUMBERS):
        assert name in text
    assert "control" in report.text("limits")
    made = sr.risk_report(*units).tables["sources"]
    assert (made.file == "a data frame").all() and made.sha256.nunique() == 2


def test_the_numbers_that_matter_are_those_of_the_sections(report):
    table = report.tables["headlines"].set_index("number")
    assert len(table) == 5
    risk = table.loc["expected match risk"]
    assert risk.synthetic == number(report, "highest expected match risk")
    assert risk.floor == number(report, "expected match risk, floor")
    assert risk.confidential >= number(report, "expected match risk, confidential")
    worst = report.tables["targets"].iloc[0]
    disco = table.loc[f"DiSCO of {worst.target} (the highest), in %"]
    assert (disco.synthetic, disco.confidential) == (worst.DiSCO, worst.Dorig)
    copied = number(report, "copies of unique rows on all columns")
    assert table.synthetic["copies of unique records"] == copied
    ratio = number(report, "pMSE ratio of the file")
    assert table.synthetic["pMSE ratio (logistic regression)"] == ratio


@pytest.fixture(scope="module")
def halves():
    """Members, others, and two synthetic tables made of the members."""
    ce = as_categories([sr.load_ce()[[*KNOWN, *NUMBERS]].head(1200)])[0]
    members, others = ce.iloc[::2].reset_index(drop=True), ce.iloc[1::2].reset_index(drop=True)
    return members, others, sr.synthesize_cart(members, list(members), 2, seed=1)


def test_members_and_others(halves):
    members, others, made = halves
    report = sr.risk_report(members, made, keys=["Age", "Urban"], control=others)
    groups = dict.fromkeys(NUMBERS, 20)
    for people, column in ((members, "members"), (others, "others")):
        table = sr.multi_disclosure(
            people, made, ["Age", "Urban"], ["Marital", *NUMBERS], groups=groups
        ).set_index("target")
        found = report.tables["members"].set_index("measure")[column]
        assert found["DiSCO of Marital"] == round(table.DiSCO["Marital"], 2)
        copied = np.mean([sr.copies(people, one).of_unique["original"] for one in made])
        assert found["synthetic rows that repeat a unique record"] == round(copied / 6, 2)
    assert "Taking part adds risk" in attention(report)
    assert "control" not in report.text("limits")
    assert report.tables["headlines"].set_index("number").others["copies of unique records"] >= 0
    nobody = sr.risk_report(others, made, keys=["Age", "Urban"], control=members)
    assert "Taking part adds risk" not in attention(nobody)


def test_an_interval_of_two_shares_by_hand():
    row = compare("x", 0.5, 0.25, 100, 50)
    reach = 1.96 * np.sqrt(0.25 / 100 + 0.1875 / 50)
    assert (row["low"], row["high"]) == (round(25 - 100 * reach, 2), round(25 + 100 * reach, 2))
    assert (row["added"], row["residual"]) == (25, 33.33)
    assert np.isnan(compare("x", 1, 1, 5, 5)["residual"])


def test_a_control_without_the_columns_is_refused(units):
    with pytest.raises(ValueError, match="no column name in common"):
        sr.risk_report(*units, control=units[0].add_prefix("x"))
    with pytest.raises(TypeError, match="control must be a pandas DataFrame"):
        sr.risk_report(*units, control="hold-out.csv")


def test_several_synthetic_tables(units, drawn):
    ce = as_categories(units)[0]
    made = sr.synthesize_cart(ce, NUMBERS, 3, seed=2)
    report = sr.risk_report(ce, made)
    radius = dict.fromkeys(["Age", *NUMBERS], 0.1)
    mean = sr.match_all(ce, made, KNOWN, NUMBERS, radius).mean()
    assert np.allclose(report.tables["matching"].synthetic, mean, rtol=1e-12)
    table = sr.multi_disclosure(ce, made, KNOWN, NUMBERS, groups=dict.fromkeys(NUMBERS, 20))
    pd.testing.assert_frame_equal(report.tables["targets"], table)
    ratios = [sr.pmse_ratio(ce, one) for one in made]
    assert np.isclose(number(report, "pMSE ratio of the file"), np.mean(ratios))
    one_way = [sr.pmse_tables(ce, one, 1).set_index("variable_1").ratio for one in made]
    found = report.tables["one_way_tables"].set_index("variable_1").ratio
    assert np.allclose(found, pd.concat(one_way, axis=1).mean(axis=1)[found.index])
    assert "averages over 3 synthetic tables" in report.text("matching")
    assert number(report, "synthetic tables") == 3
    one = sr.risk_report(ce, made[:1])
    assert one.csv() == sr.risk_report(ce, made[0]).csv()


def test_sentences_round_as_one_says_it(units):
    """No hundredths of a person; and what is said of several tables is their average."""
    ours, _ = units
    synthetics = sr.synthesize_cart(ours, ["Income"], m=3, seed=2)
    report = sr.risk_report(ours, synthetics, fraction=0.1, date="2026-01-01", progress=False)
    assert re.findall(r"\d\d\.\d\d+", " ".join(report.sentences)) == []
    unchanged = np.mean([(one == ours).all(axis=1).sum() for one in synthetics])
    assert f"In {about(unchanged)} rows nothing was changed" in report.text("copies")
    assert "a ratio below 0" not in report.text("utility")  # there is none
    assert "half of all have a ratio of at most 0." in " ".join(report.text("utility").split())


def test_several_intruders_each_with_its_line(report, units):
    who = {"a neighbour": ["Age", "Marital"], "a bank": ["Urban", "Income"], "nobody": ["Income"]}
    made = sr.risk_report(*units, intruders=who, progress=False)
    ours, theirs = as_categories(units)
    for name, columns in who.items():
        known, synthesized = ([c for c in side if c in columns] for side in (KNOWN, NUMBERS))
        radius = {c: 0.1 for c in columns if c in ("Age", *NUMBERS)}
        truth = sr.baseline(ours, known, synthesized, radius).summary().expected_match_risk
        risk = sr.match(ours, theirs, known, synthesized, radius).summary().expected_match_risk
        least = sr.floor(ours, known, {"Age": 0.1} if "Age" in known else None).summary().iloc[0]
        for table, value in {"confidential": truth, "synthetic": risk, "floor": least}.items():
            assert number(made, f"{name}, {table}") == value
    assert made.tables["intruders"].synthetic.is_monotonic_decreasing
    assert made.tables["intruders"].floor.tolist()[-1] == 1  # who knows nothing true
    assert made.text("matching") == report.text("matching")


def test_intruders_of_fully_synthetic_tables(units):
    ours, theirs = as_categories(units)
    made = sr.risk_report(
        units[0], units[1][:300], intruders={"one": ["Age", "Urban"]}, progress=False
    )
    alone = ours.groupby(["Age", "Urban"]).transform("size").eq(1).sum()
    assert number(made, "one, confidential") == alone
    both = sr.unique_uniques(ours, theirs[:300], ["Age", "Urban"]).households["SU-CU"]
    assert number(made, "one, synthetic") == both


@pytest.mark.parametrize(
    ("wrong", "kind", "words"),
    [
        ({"intruders": ["Age"]}, TypeError, "mapping from a name"),
        ({"intruders": {"x": ["Nope"]}}, KeyError, "knows 'Nope', which is not a known or a synth"),
        ({"intruders": {"x": []}}, KeyError, "knows nothing"),
        ({"fraction": 2}, ValueError, "fraction must be a number"),
        ({"fraction": 0.1, "weights": "Income"}, ValueError, "not both"),
        ({"weights": "Nope"}, KeyError, "Nope"),
        ({"weights": "Urban"}, ValueError, "cannot hold weights"),
    ],
)
def test_intruders_and_weights_that_cannot_be(units, wrong, kind, words):
    ours, theirs = units
    with pytest.raises(kind, match=words):
        sr.risk_report(ours.assign(Urban=0.5), theirs.assign(Urban=0.5), progress=False, **wrong)


def test_the_population_equals_the_package(units):
    keys = ["Urban", "Marital"]
    ours, theirs = (one.assign(Age=one.Age // 5) for one in as_categories(units))
    made = sr.risk_report(
        ours, theirs, keys=[*keys, "Age"], fraction=0.05, progress=False, groups={}
    )
    r = sr.population_risk(ours, [*keys, "Age"], 0.05)
    assert number(made, "sum of r") == pytest.approx(r.sum(), rel=1e-9)
    counts = sr.unique_uniques(ours, theirs, [*keys, "Age"], r.to_numpy()).households
    for name in ("SU-CU", "r > 0.1", "r > 0.5"):
        assert number(made, f"{name} (keys)") == counts[name]
    assert "5 % of its population" in made.text("population")
    assert "all parts but the one on the population" in made.text("open").replace("\n", " ")
    assert "outside the tables" not in made.text("limits")


def test_weights_are_a_fraction_and_no_column_of_the_other_parts(units):
    weighted = [one.assign(Weight=np.where(one.Urban == 1, 20.0, 10.0)) for one in units]
    how = {"keys": ["Urban", "Marital"], "progress": False}
    made = sr.risk_report(*weighted, weights="Weight", **how)
    fraction = 1 / weighted[0].Weight
    r = sr.population_risk(as_categories(units)[0], how["keys"], fraction.to_numpy())
    assert number(made, "sum of r") == pytest.approx(r.sum(), rel=1e-9)
    assert "Weight" not in made.roles.shared and "Weight says how many" in made.text("files")
    rough = [one.assign(Weight=np.arange(600) + 1.0) for one in units]
    made = sr.risk_report(*rough, weights="Weight", **how)
    share = 600 / rough[0].Weight.sum()
    r = sr.population_risk(as_categories(units)[0], how["keys"], share)
    assert number(made, "sum of r") == pytest.approx(r.sum(), rel=1e-9)
    assert "one share is taken for everybody" in made.text("population")


def test_keys_that_cannot_be_modelled_are_said(units, monkeypatch):
    monkeypatch.setattr("synthrisk_edu.households.uniqueness.MOST_CELLS", 1000)
    made = sr.risk_report(
        *units,
        fraction=0.1,
        keys=[*KNOWN, "Income"],
        targets=["Expenditure"],
        groups={"Income": 1000},
        progress=False,
    )
    assert "modelled: the QIs have" in made.text("population")
    assert not made.numbers.measure.str.contains("SU-CU").any()


def test_progress_moves_within_the_parts(units, capsys, monkeypatch):
    clock = iter(range(10_000))
    monkeypatch.setattr("synthrisk_edu.progress.time.monotonic", lambda: next(clock))
    sr.risk_report(*units, intruders={"one": ["Age"]})
    lines = capsys.readouterr().out.strip().split("\r")
    counts = [re.search(r"(\d+) of (\d+)", one).groups() for one in lines]
    done, total = ([int(pair[k]) for pair in counts] for k in (0, 1))
    assert done == list(range(3, total[0] + 1)) and len(set(total)) == 1 and total[0] > 20


def test_groups_are_called_what_they_are():
    wage = [0.0] * 300 + [*range(1, 201)]
    data = pd.DataFrame({"Sex": ["F", "M"] * 250, "Wage": wage})
    report = sr.risk_report(data, data.assign(Wage=wage[::-1]), targets=["Wage"])
    # three in five earn nothing: of 20 groups 12 fall together
    labels = sr.disclosure(data, data, ["Sex"], "Wage", groups={"Wage": 20}).look_up(0).index
    made = len(labels)
    assert f"Wage is cut into {made} groups" in report.text("files") and made < 20
    assert any("no more, because many values are the same" in one for one in report.sentences)
    four = sr.risk_report(
        data, data, targets=["Wage"], keys=["Sex"], groups={"Wage": 2}, special={"Wage": [0]}
    )
    assert "Wage is cut into 2 groups of about equal size." in four.text("files")


def test_options_of_disclosure_are_passed_on(units):
    ours, theirs = as_categories(units)
    for how in ({"one_way": (0, 1)}, {"two_way": (0, 1)}, {"denom_limit": 3}):
        report = sr.risk_report(*units, keys=["Age", "Urban"], targets=["Marital"], **how)
        table = sr.multi_disclosure(ours, theirs, ["Age", "Urban"], ["Marital"], **how)
        pd.testing.assert_frame_equal(report.tables["targets"], table)
    with pytest.raises(TypeError, match="there is no option 'oneway'"):
        sr.risk_report(*units, oneway=(1, 2))


def test_disco_above_dorig_is_explained():
    ours = pd.DataFrame({"Sex": list("FFMM"), "Job": "cook cook nurse pilot".split()})
    ours = pd.concat([ours] * 3, ignore_index=True)
    made = ours.assign(Job="cook").head(11)
    made.loc[made.Sex == "M", "Job"] = "nurse"
    report = sr.risk_report(ours, made, keys=["Sex"], targets=["Job"])
    row = report.tables["targets"].iloc[0]
    assert (row.Dorig, row.DiSCO) == (50, 75)
    assert "For Job DiSCO is above Dorig" in attention(report)
    assert "above Dorig" not in attention(sr.risk_report(*toy()))


def test_flags_ask_for_a_second_look(units):
    data = pd.DataFrame({"Sex": ["F", "M"] * 100, "Job": ["cook"] * 195 + ["nurse"] * 5})
    report = sr.risk_report(data, data.head(190), keys=["Sex"], targets=["Job"])
    assert report.tables["targets"].one_way[0]
    assert "It does not say that nothing is disclosed." in attention(report)


def test_the_ten_most_at_risk_are_not_the_first_ten():
    n = 28
    ours = pd.DataFrame({"Town": [f"town {k}" for k in range(n)], "Wage": np.arange(n) + 1000.5})
    made = ours.assign(Wage=ours.Wage * np.where(np.arange(n) < 18, 1.09, 1))
    report = sr.risk_report(ours, made, records=True)
    # at 10 % everybody has risk 1; at 0, 1, 2 and 5 % the last ten only
    assert (report.tables["records"].risk == 1).all()
    assert sorted(report.tables["records"].position) == list(range(18, 28))
    assert "28 records have it" in report.text("records")


def test_who_loses_most_targets_comes_first():
    ours = pd.DataFrame({"Age": range(30, 60), "Job": ["cook"] * 30, "Sex": ["F", "M"] * 15})
    made = ours.iloc[::-1].head(29).reset_index(drop=True)
    made.loc[made.Age < 57, "Sex"] = "x"
    report = sr.risk_report(ours, made, keys=["Age"], targets=["Job", "Sex"], records=True)
    stories = [one for one in report.sentences if one.startswith("Record ")]
    assert [int(one.split()[1].strip(":")) for one in stories[:3]] == [27, 28, 29]
    assert len(stories) == 10


# -------------------------------------------------------------------- other formats


def test_files_of_other_programs(tmp_path, units, monkeypatch):
    ours = units[0]
    ours.to_stata(tmp_path / "c.dta", write_index=False)
    (tmp_path / "c.csv.gz").write_bytes(gzip.compress(as_bytes(units)[0]))
    for name in ("c.dta", "c.csv.gz"):
        table = read_table(tmp_path / name)
        pd.testing.assert_frame_equal(table, ours, check_dtype=False)
        assert table.attrs["file"] == name
    for name, package in (
        ("x.parquet", "pyarrow"),
        ("x.sav", "pyreadstat"),
        ("x.xlsx", "openpyxl"),
    ):
        (tmp_path / name).write_bytes(b"PK\x03\x04")
        monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
        with pytest.raises(ImportError, match=f"python -m pip install {package}"):
            read_table(tmp_path / name)
        monkeypatch.undo()
    (tmp_path / "no.dta").write_bytes(b"no")
    with pytest.raises(ValueError, match="cannot be read as a Stata file"):
        read_table(tmp_path / "no.dta")
    bomb = gzip.compress(b"a,b\n" + b"1,2\n" * 100_000)
    with pytest.raises(ValueError, match=r"the limit is 0\.1 MB"):
        read_table(bomb, limit=100_000)


# ------------------------------------------------------------------ the command line


@pytest.fixture
def files(tmp_path, units):
    for name, data in zip("cs", as_bytes(units), strict=True):
        (tmp_path / f"{name}.csv").write_bytes(data)
    return [str(tmp_path / "c.csv"), str(tmp_path / "s.csv")]


def test_the_command_makes_the_same_report(files, tmp_path, capsys, report):
    page_path = tmp_path / "out.html"
    assert main([*files, "-o", str(page_path)]) == 0
    assert "Saved out.html, out.csv and out.json." in capsys.readouterr().out
    numbers = pd.read_csv(tmp_path / "out.csv", encoding="utf-8-sig")
    assert numbers.measure.tolist() == report.numbers.measure.tolist()
    saved = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert [row["value"] for row in saved][:3] == report.numbers.value.tolist()[:3]
    assert main([*files, "-o", str(page_path)]) == 1
    assert "exists already" in capsys.readouterr().err


def test_the_command_takes_intruders_and_a_fraction(files, tmp_path, capsys, units):
    config, out = tmp_path / "release.toml", tmp_path / "r.html"
    config.write_text('[intruders]\n"a neighbour" = ["Age"]\n', encoding="utf-8")
    given = ["--config", str(config), "--intruder", "a bank=Urban,Income", "--fraction", "0.1"]
    named = ["--keys", "Urban", "Marital", "-o", str(out)]
    assert main([*files, *given, *named]) == 0
    found = {
        one["measure"]: one["value"] for one in json.loads(out.with_suffix(".json").read_text())
    }
    who = {"a neighbour": ["Age"], "a bank": ["Urban", "Income"]}
    same = sr.risk_report(
        *units, intruders=who, fraction=0.1, keys=["Urban", "Marital"], progress=False
    )
    for measure in ("a neighbour, floor", "a bank, synthetic", "sum of r"):
        assert found[measure] == pytest.approx(number(same, measure))
    assert main([*files, "--intruder", "nobody", "-o", str(tmp_path / "x.html")]) == 1
    assert "NAME=COLUMN,COLUMN" in capsys.readouterr().err


def test_the_command_writes_all_files_or_none(files, tmp_path, capsys):
    (tmp_path / "r.json").write_text("mine")
    assert main([*files, "-o", str(tmp_path / "r.html")]) == 1
    assert "'r.json' exists already" in capsys.readouterr().err
    assert not (tmp_path / "r.html").exists() and (tmp_path / "r.json").read_text() == "mine"


def test_a_passed_limit_is_exit_code_2(tmp_path, capsys):
    files = [str(tmp_path / "c.csv"), str(tmp_path / "s.csv")]
    for file, table in zip(files, toy(), strict=True):
        table.to_csv(file, index=False)
    out = ["-o", str(tmp_path / "out.html"), "--overwrite"]
    measure = "expected match risk, synthetic"
    assert main([*files, *out, "--limit", f"{measure}=1"]) == 2
    assert f"{measure} is" in capsys.readouterr().err
    assert main([*files, *out, "--limit", f"{measure}=600"]) == 0
    (tmp_path / "c.toml").write_text(f'keys = ["Town"]\n[limits]\n"{measure}" = 1\n')
    assert main([*files, *out, "--config", str(tmp_path / "c.toml")]) == 2
    assert main([*files, *out, "--limit", "no such=1"]) == 1
    assert main([*files, *out, "--limit", "repU"]) == 1
    assert main([*files, *out, "--config", str(tmp_path / "gone.toml")]) == 1
    assert main([files[0], str(tmp_path / "gone.csv")]) == 1
    with pytest.raises(SystemExit) as caught:
        main([*files, "--nonsense"])
    assert caught.value.code == 1


def test_the_command_takes_several_files_and_a_control(files, tmp_path):
    out = tmp_path / "out.html"
    keys = ["--keys", "Age", "Urban", "--targets", "Marital"]
    assert main([*files, files[1], "--control", files[0], "-o", str(out), *keys]) == 0
    text = out.read_text("utf-8")
    assert "synthetic 2" in text and "never took part" in text


# -------------------------------------------------------------------- hostile files


GOOD = b"Sex,Income\nF,10\nM,20\n"


def zipped():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("a.csv", "a,b\n1,2")
    return made.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n\n", "is empty"),
        (b"Sex,Income\n", "no rows"),
        (zipped(), "zip archive or an Excel workbook"),
        (b"\xd0\xcf\x11\xe0rest", "old Excel workbook"),
        (b"\x1f\x8b\x08rest", "gzip archive"),
        (b"<!DOCTYPE html><p>Please log in", "web page"),
        (b"a,b\n1,\x002\n", r"null byte \(byte 6\)"),
        ("a,b\n1,2".encode("utf-16"), "in UTF-16; pass encoding"),
        ("Straße,b\n1,2".encode("cp1252"), r"byte 4 \(line 1\) does not fit.*cp1252"),
        (b"a,b\n1,2\n3\n", "line 3 of the file has 1 fields and the first line has 2"),
        (b"a,b\n1,2\n3,4,5\n", "line 3 of the file has 3 fields"),
        (b"a,b,a\n1,2,3\n", "more than one column named 'a'"),
        (b",b\n1,2\n", "column 1 of the file has no name"),
        (b"1,2\n3,4\n", "numbers only, so the column names seem to be missing"),
        (b'a,b\n1,"2\n3,4\n', "quotation mark is not closed"),
        (b"a,b\n1," + b"x" * 200_000 + b"\n", "near line 2 .field larger"),
        (b"a" + b"," * 10_000_000, "line 1 of the file has more than 1,000,000 characters"),
        (b"a,b\n1" + b"," * 2_000_000, "line 2 of the file has more than 1,000,000"),
        (",".join(f"c{k}" for k in range(6000)).encode() + b"\n", "6,000 columns"),
        (b"a;b\n1,5;2\n2,5;3\n", "'a' of the file seems to hold numbers with a decimal comma"),
    ],
)
def test_a_hostile_file_gives_one_sentence(data, words):
    with pytest.raises(ValueError, match=words) as caught:
        read_table(data)
    said = str(caught.value)
    assert "\n" not in said and said.endswith(".") and len(said) < 400
    assert caught.value.__cause__ is None


def test_no_sentence_repeats_a_value_of_the_data():
    for data in (b"a,b\nsecret,2\nsecret\n", b"a,b\nsecret,\xff\n", b'a\n"secret', b"a\n\0secret"):
        with pytest.raises(ValueError, match="the file") as caught:
            read_table(data)
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators_are_found_out(separator):
    text = separator.join(["Name", "Age"]) + "\r\n" + separator.join(['"a,b;c|d"', "3"]) + "\r\n"
    table = read_table(text.encode())
    assert table.Name.tolist() == ["a,b;c|d"] and table.Age.tolist() == [3]
    assert read_table(text.encode(), separator=separator).equals(table)


def test_codes_with_a_leading_zero_stay_text_in_both_files():
    ours, theirs = b"Zip,n\n01234,1\n1234,2\n", b"Zip,n\n1234,3\n99,0\n"
    assert read_table(ours).Zip.tolist() == ["01234", "1234"]
    assert read_table(theirs).Zip.tolist() == [1234, 99]
    pair = sr.read_pair(ours, theirs)
    assert pair.confidential.Zip.tolist() == ["01234", "1234"]
    assert pair.synthetic.Zip.tolist() == ["1234", "99"]
    assert pair.synthetic.n.tolist() == [3, 0]
    numbers = read_table(b"x,y\n0.5,1001\n0,10.05\n")
    assert numbers.x.tolist() == [0.5, 0] and numbers.y.tolist() == [1001, 10.05]


def test_a_file_is_read_again_only_if_it_took_a_code_for_a_number(monkeypatch):
    ours, theirs, read = b"Zip\n01234\n", b"Zip\n99\n", Mock(wraps=reading._read_csv)
    monkeypatch.setattr(reading, "_read_csv", read)
    sr.read_pair(ours, ours)
    assert read.call_count == 2
    sr.read_pair(ours, theirs)
    assert read.call_count == 5


def test_a_blank_line_in_a_file_of_one_column_is_missing():
    table = read_table(b"x\n1\n\n3\n")
    assert table.x.isna().tolist() == [False, True, False]
    assert len(read_table(b"\nx\n1\n2\n")) == 2
    assert len(read_table(b"x,y\n1,2\n\n3,4\n\n")) == 2


def test_encodings_and_decimals():
    text = "Straße;x\nä;1,5\n;2,5\n"
    expected = pd.DataFrame({"Straße": ["ä", None], "x": [1.5, 2.5]})
    for encoding in ("utf-8", "cp1252", "utf-16"):
        table = read_table(text.encode(encoding), encoding=encoding, decimal=",")
        pd.testing.assert_frame_equal(table, expected, check_dtype=False)
    table = read_table(text.encode("utf-8-sig"), decimal=",")
    assert list(table) == ["Straße", "x"]
    assert read_table(text.encode(), decimal=".").x.tolist() == ["1,5", "2,5"]
    for wrong in ("no-such", "hex"):
        with pytest.raises(ValueError, match="no text encoding"):
            read_table(GOOD, encoding=wrong)
    with pytest.raises(ValueError, match="separator must be one of"):
        read_table(GOOD, separator="x")


def test_one_column_and_blank_lines():
    assert read_table(b"a\n\n1\n\n2\n").a.fillna(0).tolist() == [0, 1, 0, 2]
    assert read_table(b"a,b\r1,2\r").b.tolist() == [2]


def test_a_large_file_is_refused_before_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "large.csv"
    with open(path, "wb") as file:
        file.truncate(200_000_001)  # sparse: it takes no room
    opened = []
    monkeypatch.setattr("builtins.open", lambda *a, **k: opened.append(a))
    with pytest.raises(ValueError, match=r"200.0 MB and the limit is 200.0 MB; take a sample"):
        read_table(path)
    assert opened == []
    monkeypatch.undo()
    with pytest.raises(ValueError, match="limit"):
        read_table(GOOD, limit=5)
    assert len(read_table(GOOD, limit=len(GOOD))) == 2


def test_paths_that_name_no_file(tmp_path, monkeypatch):
    with pytest.raises(IsADirectoryError, match="names a folder"):
        read_table(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"there is no file 'gone\.csv'"):
        read_table(tmp_path / "gone.csv")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        read_table("http://127.0.0.1:9/data.csv")  # an address is no path: nothing is fetched
    with pytest.raises(OSError, match="cannot be read"):
        read_table("x" * 10_000)
    with pytest.raises(TypeError, match="goes straight to risk_report"):
        read_table(pd.DataFrame({"a": [1]}))
    path = tmp_path / "soon gone.csv"
    path.write_bytes(GOOD)

    def vanish(*_, **__):
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("builtins.open", vanish)
    with pytest.raises(OSError, match=r"cannot be read \(No such file"):
        read_table(path)


def test_a_pair_must_go_together(tmp_path):
    first, second = tmp_path / "c.csv", tmp_path / "s.csv"
    first.write_bytes(GOOD)
    second.write_bytes(b"Sex;Income;More\nF;ten;1\n")
    with pytest.raises(TypeError, match="'Income' holds numbers in confidential and text"):
        sr.read_pair(first, second)
    second.write_bytes(b"A;B\nF;1\n")
    with pytest.raises(ValueError, match="no column name in common"):
        sr.read_pair(str(first), second)
    second.write_bytes(b"Sex;Income\nF;1\n")
    pair = sr.read_pair(first, second)
    assert (len(pair.confidential), len(pair.synthetic)) == (2, 1)


# ------------------------------------------------------------- nothing runs, nothing leaks


class Page(HTMLParser):
    """What stands in a page: its tags with their attributes."""

    def __init__(self, text):
        super().__init__()
        self.tags = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))


def assert_harmless(text):
    tags = Page(text).tags
    allowed = set(
        "html head meta title style body main section h1 h2 p figure img div table "
        "caption thead tbody tr th td".split()
    )
    assert {tag for tag, _ in tags} <= allowed
    names = {name for _, attributes in tags for name in attributes}
    assert names <= {
        "lang",
        "charset",
        "http-equiv",
        "content",
        "name",
        "src",
        "alt",
        "class",
        "scope",
    }
    sources = [attributes["src"] for tag, attributes in tags if tag == "img"]
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    assert all(attributes["alt"] for tag, attributes in tags if tag == "img")
    assert "url(" not in text and "@import" not in text
    return tags


def hostile():
    """Forty persons with dangerous names and levels."""
    names = [IMAGE, "=cmd|' /C calc'!A0", "price $x^$ $", "a\tb", "+1", "名前", "x" * 300]
    levels = [SCRIPT, FORMULA, "@SUM(1)", "-2+3", "$\\frac$", "\u202e", "&amp;", "'"]
    data = pd.DataFrame(
        {name: [levels[(k * (j + 1)) % 8] for k in range(40)] for j, name in enumerate(names)}
    )
    data["=SUM(A1)"] = np.arange(40) * 1.5 + 7
    changed = data.assign(**{IMAGE: data[IMAGE].to_numpy()[::-1], "=SUM(A1)": data["=SUM(A1)"] + 1})
    return data, changed


@pytest.mark.parametrize("records", [False, True, [3, 5]])
def test_hostile_names_and_levels_stay_text(records, drawn):
    report = sr.risk_report(*hostile(), records=records, title=SCRIPT)
    text = report.html()
    tags = assert_harmless(text)
    policy = [a["content"] for tag, a in tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy == ["default-src 'none'; img-src data:; style-src 'unsafe-inline'"]
    assert_harmless(report._repr_html_())
    assert "&lt;script&gt;" in text and "&quot;&gt;&lt;img" in text
    assert ("evil.example" in text) == bool(records)
    rows = pd.read_csv(io.StringIO(report.csv()), keep_default_na=False)
    texts = rows.drop(columns="value").astype(str)
    assert not texts.apply(lambda c: c.str.strip().str[:1].isin(list("=+-@"))).any().any()


def test_hostile_files_survive_the_way_through_a_file(tmp_path, drawn):
    for name, table in zip(("c", "s"), hostile(), strict=True):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    pair = sr.read_pair(tmp_path / "c.csv", tmp_path / "s.csv")
    assert list(pair.confidential) == list(hostile()[0])
    assert_harmless(sr.risk_report(*pair, records=True).html())


def test_cells_that_begin_like_a_formula_get_an_apostrophe():
    for text in ("=1", "+1", "-1", "@a", "\tx", "\rx", "  =1"):
        assert pages.harmless(text) == "'" + text
    assert pages.harmless("a=1") == "a=1"
    rows = pd.DataFrame({"measure": [FORMULA, "x"], "value": [-1.5, np.nan]})
    assert pages.csv_text(rows).splitlines()[1:] == [
        '"\'=HYPERLINK(""http://evil.example"",""x"")",-1.5',
        '"x",""',
    ]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", "\n", "\r\n"])
def test_a_formula_after_any_separator_is_neutralised(separator):
    for start in ("=1+1", "+1", "-1", "@SUM(1)", ' "=1'):
        assert pages.harmless(f"x{separator}{start}") == f"x{separator}'{start}"
    data = pd.DataFrame({f"a{separator}=1+1": list("xyz") * 4, "Sex": list("FFMM") * 3})
    text = sr.risk_report(data, data.head(10)).csv()
    # A reader of the standard library takes no line break for a separator from Python 3.13 on.
    by_lines = [[line] for line in text.splitlines()]
    rows = (
        by_lines if separator.endswith("\n") else csv.reader(io.StringIO(text), delimiter=separator)
    )
    for row in rows:
        assert not [cell for cell in row if cell.strip(' "').startswith("=")]


def distinctive(n=60):
    """Values that stand nowhere else: finding one in a report means that it leaked."""
    rng = np.random.default_rng(5)
    ours = pd.DataFrame(
        {
            "Town": [f"Qzt{k % 6}wick" for k in range(n)],
            "Job": [f"Vxjob{k % 4}er" for k in range(n)],
            "Wage": 700_000 + rng.integers(0, 99_999, n) + 0.25,
        }
    )
    return ours, ours.assign(
        Job=ours.Job.to_numpy()[::-1], Wage=700_000 + rng.integers(0, 99_999, n) + 0.75
    )


WAYS = ["{:,.2f}".format, "{:.2f}".format, "{:.0f}".format, "{:.6g}".format]


def leaks(report, data):
    written = report.html() + report.csv() + " ".join(report.sentences)
    values = {str(value) for frame in data for name in frame for value in frame[name]}
    values |= {write(v) for frame in data for v in frame.Wage for write in WAYS}
    return {value for value in values if value in written}


def test_records_stay_out_unless_asked():
    data = distinctive()
    assert leaks(sr.risk_report(*data), data) == set()
    assert leaks(sr.risk_report(data[0], data[1].head(50)), data) == set()
    assert leaks(sr.risk_report(*data, records=True), data) != set()


def test_only_the_records_asked_for_enter():
    ours, theirs = distinctive()
    theirs = theirs.assign(Wage=ours.Wage)  # so that everybody is a candidate for themselves
    report = sr.risk_report(
        ours, theirs, known=["Town"], synthesized=["Wage"], radius=0, records=[7]
    )
    found = leaks(report, (ours[["Wage"]], theirs[["Wage"]]))
    assert found == {f"{ours.Wage[7]:,.2f}"}
    assert list(report.tables["candidates for record 7"]) == ["Town", "Wage"]
    assert report.tables["records"].position.tolist() == [7]


def test_the_ten_most_at_risk(units):
    report = sr.risk_report(*units, records=True)
    ours, theirs = as_categories(units)
    risk = sr.match(ours, theirs, KNOWN, NUMBERS, 0.1).records.risk
    assert report.tables["records"].risk.tolist() == risk.nlargest(10).tolist()
    assert "as confidential as the data" in " ".join(report.sentences)


def test_small_cells_are_warned_of(units):
    said = " ".join(sr.risk_report(*toy()).sentences)
    assert "Small cells" in said
    crowd = pd.DataFrame({"Sex": ["F", "M"] * 50, "Job": ["cook"] * 100})
    assert "Small cells" not in " ".join(sr.risk_report(crowd, crowd).sentences)


# ------------------------------------------------------------------------- saving


def test_saving(tmp_path, report):
    paths = report.save(tmp_path)
    assert [path.name for path in paths] == ["risk_report.html", "risk_report.csv"]
    assert paths[0].read_text("utf-8") == report.html()
    numbers = pd.read_csv(paths[1], encoding="utf-8-sig")
    assert numbers.measure.tolist() == report.numbers.measure.tolist()
    np.testing.assert_array_equal(numbers.value, report.numbers.value.astype(float))
    with pytest.raises(FileExistsError, match=r"'risk_report\.html' exists already"):
        report.save(tmp_path)
    paths[0].write_text("mine")
    report.save(str(tmp_path), overwrite=True)
    assert paths[0].read_text("utf-8") == report.html()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_name_that_exists_is_left_alone(tmp_path, report):
    (tmp_path / "x.csv").write_text("mine")
    with pytest.raises(FileExistsError, match=r"'x\.csv' exists already"):
        report.save(tmp_path / "x.html")
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]


@pytest.mark.parametrize("name", ["Ä b'c (1).html", "UPPER.HTML", "..html.html", "50%25;x.html"])
def test_odd_file_names(tmp_path, report, name):
    page_path, numbers_path = report.save(tmp_path / name)
    assert page_path.name == name and numbers_path.suffix == ".csv"
    assert {one.name for one in tmp_path.iterdir()} == {name, numbers_path.name}


def test_places_where_nothing_can_be_saved(tmp_path, report):
    for where, error, words in [
        (tmp_path / "no" / "x.html", FileNotFoundError, "there is no folder 'no'"),
        (tmp_path / "x.pdf", ValueError, "neither a folder that exists nor"),
        (tmp_path / ("x" * 300 + ".html"), OSError, "cannot be written"),
    ]:
        with pytest.raises(error, match=words):
            report.save(where)
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_while_the_report_is_made_leaves_nothing(files, tmp_path, monkeypatch, capsys):
    def stop(*_):
        raise KeyboardInterrupt

    out = tmp_path / "out"
    out.mkdir()
    monkeypatch.setattr("synthrisk_edu.report.report.utility_section", stop)
    assert main([*files, "-o", str(out / "r.html")]) == 130
    assert "nothing was written" in capsys.readouterr().err
    assert list(out.iterdir()) == []


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_report_whole(tmp_path, report, another, monkeypatch, error):
    paths = report.save(tmp_path)
    before = [path.read_bytes() for path in paths]
    write = Path.write_bytes

    def write_bytes(path, data):
        if path.suffix == ".csv":  # the page is written, the numbers are half written
            write(path, data[:10])
            raise error
        write(path, data)

    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    with pytest.raises((OSError, KeyboardInterrupt), match=r"cannot be written|^$"):
        another.save(tmp_path, overwrite=True)
    assert [path.read_bytes() for path in paths] == before
    assert sorted(tmp_path.iterdir()) == sorted(paths)


@pytest.mark.parametrize("error", [PermissionError(13, "in use"), KeyboardInterrupt()])
@pytest.mark.parametrize("there", [True, False])
def test_a_failure_between_the_files_leaves_the_old_report_whole(
    tmp_path, report, another, monkeypatch, error, there
):
    before = {path: path.read_bytes() for path in report.save(tmp_path)} if there else {}
    replace, failures = os.replace, [None, error]  # the page takes its place, the numbers do not

    def move(source, target):
        if failures and (failure := failures.pop(0)):
            raise failure
        replace(source, target)

    monkeypatch.setattr(os, "replace", move)
    with pytest.raises((OSError, KeyboardInterrupt), match=r"cannot be written|^$"):
        another.save(tmp_path, overwrite=True)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_where_the_numbers_belong_leaves_no_page(tmp_path, report):
    (tmp_path / "x.csv").mkdir()
    with pytest.raises(OSError, match=r"'x.csv' cannot be written"):
        report.save(tmp_path / "x.html", overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]


def test_a_link_that_leads_nowhere_is_an_error(tmp_path, report):
    (tmp_path / "x.html").symlink_to(tmp_path / "gone.html")
    for overwrite in (False, True):
        with pytest.raises(OSError, match="link to a file that does not exist"):
            report.save(tmp_path / "x.html", overwrite=overwrite)
    assert [path.name for path in tmp_path.iterdir()] == ["x.html"]
    (tmp_path / "gone.html").write_text("old")
    report.save(tmp_path / "x.html", overwrite=True)
    assert (tmp_path / "x.html").is_symlink()
    assert (tmp_path / "gone.html").read_text("utf-8") == report.html()


def test_a_saved_file_can_be_read_like_any_other(tmp_path, report):
    (tmp_path / "plain").write_text("x")
    mode = (tmp_path / "plain").stat().st_mode
    assert all(path.stat().st_mode == mode for path in report.save(tmp_path))


def test_equal_inputs_give_equal_bytes(units, drawn):
    one, again = (sr.risk_report(*units) for _ in range(2))
    assert BLANK not in one.pictures.values()
    assert again.html() == one.html() and again.csv() == one.csv()


def test_pictures_have_words_and_survive_every_name(report, drawn):
    assert set(report.pictures) == {"matching", "radius", "disclosure", "utility"}
    assert pictures.label("a\nb$") == "a b\\$"
    report = sr.risk_report(*hostile())
    assert set(report.pictures) == {"matching", "disclosure", "utility"}  # no risk at any radius
    assert all(data.startswith(b"\x89PNG") for data in report.pictures.values())


# -------------------------------------------------------------------------- the panel


def upload(panel, *files):
    for control, data in zip(panel.uploads, files, strict=False):
        control.value = tuple(
            {
                "name": "x.csv",
                "type": "text/csv",
                "size": len(one),
                "content": memoryview(one),
                "last_modified": LONG_AGO,
            }
            for one in (data if isinstance(data, list) else [data])
        )
    panel.read.click()


LONG_AGO = pd.Timestamp("2020-01-01", tz="UTC").to_pydatetime()


def as_bytes(tables):
    return [table.to_csv(index=False).encode() for table in tables]


def test_every_control_of_the_panel_at_its_ends(units):
    panel = widgets.report_panel(*units)
    assert panel.error is None
    use_every_control(panel.live)
    unpaired = widgets.report_panel(units[0], units[1].head(500))
    assert unpaired.error is None
    use_every_control(unpaired.live)


def test_the_panel_says_what_match_says(units):
    panel = widgets.report_panel(*units)
    ours, theirs = as_categories(units)
    panel.live.controls["radius"].value = 20
    radius = {"Age": 0.1, "Expenditure": 0.2, "Income": 0.2}  # as the report's sweep moves it
    summary = sr.match(ours, theirs, KNOWN, NUMBERS, radius).summary()
    assert f"right about {about(summary.expected_match_risk)} times" in panel.live.sentence.value
    panel.live.controls["knows"].boxes["Age"].value = False
    panel.make.click()
    assert panel.error is None and panel.report.roles.known == ["Urban", "Marital"]
    assert panel.report.roles.radius == dict.fromkeys(NUMBERS, 0.2)


@pytest.mark.parametrize(
    ("true", "made", "words"),
    [
        (
            "aab",
            "aab",
            "right about 2 times (confidential: 2; floor: 1). Unique matches: 1 (1 true",
        ),
        (
            "aab",
            "baa",
            "right about 0.5 times (confidential: 2; floor: 1). Unique matches: 1 (0 tr",
        ),
        ("aab", "aaa", "Unique matches: none, so the false match rate is undefined; confidential"),
        ("aaa", "aaa", "undefined; confidential: none."),
        ("abc", "abc", "Unique matches: 3 (3 true and 0 false); confidential: 3, all true."),
    ],
)
def test_the_panel_speaks_of_one_and_of_none(true, made, words):
    """ "64.31 times" and "1 records are" were said here before."""
    files = (pd.DataFrame({"x": list(one)}) for one in (true, made))
    assert words in say_matching(three_matches(*files, [], ["x"]))


@pytest.mark.slow
def test_the_panel_writes_the_report_that_the_function_makes(halves, tmp_path, drawn):
    members, others, _ = halves
    made = sr.synthesize_cart(members, NUMBERS, seed=1)[0]
    panel = widgets.report_panel()
    upload(panel, *as_bytes([members, made, others]))
    panel.who.value = "a bank"
    panel.live.controls["knows"].boxes["Age"].value = False
    panel.add.click()
    assert "a bank" in panel.sentence.value and panel.error is None
    panel.live.controls["knows"].boxes["Age"].value = True
    panel.share.value = 10
    panel.live.controls["radius"].value = 30
    panel.make.click()
    assert panel.error is None
    read = [read_table(data) for data in as_bytes([members, made, others])]
    same = sr.risk_report(
        *read[:2],
        control=read[2],
        fraction=0.1,
        progress=False,
        radius={"Age": 0.1, "Expenditure": 0.3, "Income": 0.3},
        **{"known": KNOWN, "synthesized": NUMBERS, "keys": KNOWN, "targets": NUMBERS},
        intruders={"a bank": [name for name in KNOWN + NUMBERS if name != "Age"]},
    )
    assert panel.report.csv() == same.csv() and panel.report.html() == same.html()
    assert {"members", "intruders", "population"} <= {one.name for one in same.sections}
    panel.add.click()
    for box in panel.live.controls["knows"].boxes.values():
        box.value = False
    panel.add.click()
    assert "tick what this intruder knows" in panel.sentence.value


def test_the_panel_has_the_options_of_the_function(units):
    confidential, made = (one.assign(Weight=np.arange(len(one)) % 7 + 2) for one in units)
    panel = widgets.report_panel(confidential, made)
    assert "Weight" in panel.live.controls["knows"].boxes
    panel.weights.value = "Weight"
    assert panel.error is None and "Weight" not in panel.live.controls["knows"].boxes
    panel.limit.value, panel.missing.value = 3, False
    panel.flags[0].value, panel.flags[3].value = 100, 70
    panel.make.click()
    assert panel.error is None
    options = {"weights": "Weight", "missing_keys": False, "missing_target": False}
    options |= {"denom_limit": 3, "one_way": (100, 90), "two_way": (4, 70), "progress": False}
    same = sr.risk_report(
        confidential,
        made,
        **options,
        radius=dict.fromkeys(["Age", *NUMBERS], 0.1),
        **{"known": KNOWN, "synthesized": NUMBERS, "keys": KNOWN, "targets": NUMBERS},
    )
    assert panel.report.csv() == same.csv() and panel.report.html() == same.html()
    panel.share.value = 10
    panel.make.click()
    assert "give weights or fraction, not both" in panel.sentence.value
    panel.weights.value = "Income"  # holds 0 and losses
    assert "cannot hold weights" in panel.sentence.value


@pytest.mark.slow
def test_the_panel_takes_several_files_and_every_other_choice(units, tmp_path):
    confidential = units[0]
    made = as_bytes(sr.synthesize_cart(confidential, NUMBERS, m=2, seed=1))
    panel = widgets.report_panel()
    upload(panel, *as_bytes([confidential]), made)
    panel.more.value = 'groups = {Age = 5}\nspecial = {Income = [0]}\ntitle = "Ours"'
    panel.make.click()
    assert panel.error is None
    read = [read_table(data) for data in [*as_bytes([confidential]), *made]]
    roles = {"known": KNOWN, "synthesized": NUMBERS, "keys": KNOWN, "targets": NUMBERS}
    radius = dict.fromkeys(["Age", *NUMBERS], 0.1)
    options = {"groups": {"Age": 5}, "special": {"Income": [0]}, "title": "Ours"}
    same = sr.risk_report(read[0], read[1:], progress=False, radius=radius, **roles, **options)
    assert panel.report.html() == same.html() and "Ours" in same.html()
    for name, data in zip("ab", made, strict=True):
        (tmp_path / f"{name}.csv").write_bytes(data)
    panel.uploads[1].value = ()
    panel.paths[1].value = f"{tmp_path / 'a.csv'} ; {tmp_path / 'b.csv'}"
    panel.read.click()
    assert panel.error is None and [len(one) for one in panel.tables[1]] == [600, 600]
    panel.more.value = "groups = {Age"
    panel.make.click()
    assert "under “more” cannot be read" in panel.sentence.value


def test_the_panel_reads_uploads_and_saves(tmp_path, units):
    panel = widgets.report_panel()
    panel.save.click()
    assert "Make the report first." in panel.sentence.value
    panel.make.click()
    assert "Read two files first." in panel.sentence.value
    upload(panel, *as_bytes(units))
    assert panel.error is None and "600 (confidential)" in panel.sentence.value
    panel.make.click()
    assert panel.error is None and "<h1>" in panel.page.value
    looks = panel.children[0].value  # without these, headings were broken letter by letter
    assert 'class="synthrisk-page"' in panel.page.value and pages.STYLE in looks
    panel.where.value = str(tmp_path / "mine.html")
    panel.save.click()
    assert "Saved mine.html and mine.csv." in panel.sentence.value
    above, _, _ = (tmp_path / "mine.html").read_text("utf-8").partition("<section>")
    assert "Never upload confidential data to Binder" in above
    panel.save.click()
    assert isinstance(panel.error, FileExistsError)
    assert "synthrisk-error" in panel.sentence.value and "exists already" in panel.sentence.value
    assert "overwrite" not in panel.sentence.value  # an argument, which nobody can pass here


def test_the_panel_reads_paths(tmp_path, units):
    panel = widgets.report_panel()
    for control, name, data in zip(panel.paths[:2], "cs", as_bytes(units), strict=True):
        (tmp_path / name).write_bytes(data)
        control.value = str(tmp_path / name)
    panel.read.click()
    assert panel.error is None and panel.live is not None
    panel.paths[0].value = str(tmp_path / "gone.csv")
    panel.read.click()
    assert isinstance(panel.error, FileNotFoundError) and panel.live is not None


def test_the_panel_shows_hostile_files_in_one_sentence(units):
    panel = widgets.report_panel()
    good = as_bytes(units)[0]
    for bad in (b"", zipped(), b"a,b\n1\n", b"\xff\xfea"):
        upload(panel, good, bad)
        assert panel.error is not None
        assert 'class="synthrisk-error"' in panel.sentence.value
        assert "the synthetic file" in panel.sentence.value
    upload(panel, *as_bytes(hostile()))
    assert panel.error is None
    panel.records.value = True
    panel.make.click()
    shown = panel.page.value + panel.sentence.value + panel.live.sentence.value
    assert panel.error is None
    assert "<script" not in shown and "<img src=x" not in shown
    assert "evil.example" in panel.page.value  # the records, because they were asked for


def test_a_radius_is_offered_where_something_has_one(units):
    jobs = pd.DataFrame({"Sex": list("FFMM"), "Job": ["cook", "nurse"] * 2})
    panel = widgets.report_panel(jobs, jobs.assign(Job=["nurse", "cook"] * 2))
    assert panel.live.controls["radius"].disabled
    assert not widgets.report_panel(*units).live.controls["radius"].disabled


def test_a_panel_without_anything_ticked(units):
    panel = widgets.report_panel(*units)
    for box in panel.live.controls["knows"].boxes.values():
        box.value = False
    assert "Tick at least one thing" in panel.live.sentence.value
    panel.make.click()
    assert panel.report is None and "Tick at least one thing" in panel.sentence.value


def test_buttons_can_be_pressed_in_any_order():
    panel = widgets.report_panel()
    for button in (panel.make, panel.save, panel.read):
        button.click()
        assert panel.error is None and panel.sentence.value


def test_the_proof_that_a_leak_is_seen():
    data = distinctive()
    leaking = SimpleNamespace(html=lambda: data[0].Town[0], csv=str, sentences=[])
    assert leaks(leaking, data) == {"Qzt0wick"}
    with pytest.raises(AssertionError):
        assert_harmless(f"<p>{SCRIPT}</p>")
    with pytest.raises(AssertionError):
        assert_harmless('<img src="http://a/b.png" alt="x">')
    with pytest.raises(AssertionError):
        assert_harmless('<p onclick="x">')


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(tmp_path):
    """The guide and lesson 09 promise 200 MB; these bytes are no CSV, and nobody looks at them."""
    path = tmp_path / "large.csv"
    for size, words in {200_000_000: "null byte", 200_000_001: "limit is 200"}.items():
        with path.open("wb") as file:
            file.truncate(size)
        with pytest.raises(ValueError, match=words):
            read_table(path)


def test_the_panel_reports_on_the_targets_that_are_ticked():
    true = pd.DataFrame(
        {"Sex": list("FFMM") * 10, "Town": list("ABAB") * 10, "Job": ["cook", "nurse"] * 20}
    )
    panel = widgets.report_panel(true, true.assign(Job=["nurse", "cook"] * 20))
    for name, box in panel.aims.boxes.items():
        box.value = name == "Town"
    panel.make.click()
    assert panel.error is None
    table = panel.report.tables["targets"]
    assert table.target.tolist() == ["Town"]


def test_a_floor_above_every_risk_is_to_be_reported_too():
    assert read_floor(57, 59).endswith("is 59, which is more: report it as well.")
    assert read_floor(59, 57).endswith("left aside, is 57.")


def test_two_numbers_that_are_said_alike_are_not_called_different():
    names = ["expected_match_risk", "true_match_rate", "false_match_rate", "unique_matches"]
    summaries = pd.DataFrame({"synthetic": [73.1, 0, 1, 0], "floor": [73.4, 0, 0, 0]}, names)
    (told,) = say_what_carries_the_risk(summaries)
    assert "right 73 times, hardly more often than with the synthesized ones (73 times)" in told
    (told,) = say_what_carries_the_risk(summaries.assign(synthetic=[57.3, 0, 1, 0]))
    assert "right 73 times, more often than with the synthesized ones (57 times)" in told


def test_identifiers_that_would_fill_the_memory_are_named(monkeypatch):
    monkeypatch.setattr(reading, "ROWS_AT_ONCE", 100)
    rows = [f"{k % 3},{'FM'[k % 2]},person{k},{k:07}" for k in range(1000)]
    file = "\n".join(["a,sex,who,code", *rows]).encode()
    assert len(file) < 40_000
    assert read_table(file, limit=50_000).shape == (1000, 4)
    with pytest.raises(ValueError, match="a text of its own in who and code, as identifiers do"):
        read_table(file, limit=40_000)
    few = b"a,sex\n" + b"1,F\n" * 1000  # texts that repeat take no room
    assert read_table(few, limit=len(few)).shape == (1000, 2)
