"""The table of published figures: its form, its verdicts, and that everything of ours is computed.

The whole table takes minutes (`python3 start.py reproduce`); here its quick parts are tried.
"""

import inspect
import math
import re
import shutil

import pandas as pd
import pytest
import reproduce
from reproduce import NO_FILES, PARTS, Ours, draws, figure, finding, judge, point

import synthrisk_edu as sr

QUICK = ["cases", "acs", "lecture_ce"]


def silent(text):
    """Say nothing."""


@pytest.fixture(scope="module")
def without_files():
    """Some parts of the table where the published files are not at hand."""
    return reproduce.reproduce(QUICK, None, silent)


# ------------------------------------------------------------------------- verdicts


@pytest.mark.parametrize(
    ("ours", "published", "verdict"),
    [
        (point(172.996), "173", "agrees"),
        (point(0.0030001), "0.003", "agrees"),
        (point(0.0034), "0.0030", "differs by 13 %: why"),
        (point(102), "100", "agrees within 2.0 %"),
        (point(10, 30), "10 20", "differs by up to 50 %: why"),
        (Ours([60], [50], [70]), "65", "agrees: within the range of our draws"),
        (Ours([60, 1], [50, 1], [70, 1]), "65 3", "differs by up to 67 %: why"),
        (Ours([60], [50], [62]), "65", "differs by 8 %: why"),
    ],
)
def test_verdicts_by_hand(ours, published, verdict):
    assert judge(ours, published, "why") == verdict


def test_the_verdict_is_about_the_published_files_where_they_are():
    both = figure("1", "x", "100", point(50), point(100), "why")
    assert (both.simulated, both.reference, both.verdict) == ("50", "100", "agrees")
    one = figure("1", "x", "100", point(100), NO_FILES, "why")
    assert (one.reference, one.verdict) == (NO_FILES, "agrees (simulated data)")
    none = figure("1", "x", "100", "nothing stands in", NO_FILES, "why")
    assert none.verdict == "needs a file: nothing stands in"


def test_findings_say_yes_or_why_not():
    assert finding("1", "x", (True, "1 2"), NO_FILES, "why").verdict == "agrees (simulated data)"
    assert finding("1", "x", (True, "1"), (False, "2"), "luck").verdict == "differs: luck"
    assert finding("1", "x", "no table", NO_FILES, "why").verdict == "needs a file: no table"


def test_what_is_not_flagged_differs_on_either_file():
    real = figure("3", "x", "1 2", point(1, 2), reproduce.NOT_FLAGGED, "why")
    assert (real.reference, real.verdict) == ("not flagged", "differs: why")
    ours = figure("3", "x", "1 2", reproduce.NOT_FLAGGED, NO_FILES, "why")
    assert ours.verdict == "differs: why (simulated data)"


def has_one_of_three_verdicts(verdict):
    """It agrees, it differs and says why, or it needs a file and says which."""
    near = r"agrees(: within the range of our draws| within [\d.]+ %)?( \(simulated data\))?"
    why = r"(differs( by (up to )?\d+ %)?|needs a file): .*\w \S+ \w.*"  # a reason is some words
    return re.fullmatch(f"{near}|{why}", verdict) is not None


def test_the_three_verdicts_are_told_from_anything_else():
    good = ["agrees", "agrees within 2.0 % (simulated data)", "differs by 7 %: one draw of ours",
            "needs a file: the one of the lecture"]  # fmt: skip
    assert all(map(has_one_of_three_verdicts, good))
    bad = ["", "differs", "differs by 7 %: ", "differs: luck", "not computed: no file at hand",
           "agrees, but not quite", "needs a file: "]  # fmt: skip
    assert not any(map(has_one_of_three_verdicts, bad))


def test_no_reason_is_empty():
    reasons = [why for *_, why in reproduce.SCENARIO_FINDINGS]
    reasons += [why for _, why in reproduce.METHOD_FINDINGS.values()]
    assert all(has_one_of_three_verdicts(f"differs: {why}") for why in reasons)
    for maker in (figure, finding):  # and nobody may leave it out
        assert inspect.signature(maker).parameters["why"].default is inspect.Parameter.empty


def test_the_last_line_counts_every_row():
    verdicts = ["agrees", "agrees (simulated data)", "differs by 9 %: why", "needs a file: x y z"]
    said = reproduce.count(pd.DataFrame({"verdict": verdicts}))
    assert said == (
        "4 rows: 2 agree, 1 differ and say why, 1 need a file that is not here. "
        "1 are judged on simulated data."
    )


def test_draws_show_mean_and_range():
    ours = draws(pd.DataFrame({"a": [1, 2, 6]}))
    assert reproduce.cell(ours, "1.0") == "3.0 (1.0 to 6.0)"
    assert reproduce.cell(point(math.nan), "0.7") == "undefined"


# ----------------------------------------------------------------------------- form


def test_every_row_is_complete_and_says_that_the_files_are_missing(without_files):
    table = without_files
    assert table.columns.tolist() == reproduce.COLUMNS
    assert (table.map(len) > 0).all().all() and not table.figure.duplicated().any()
    assert table.section.is_monotonic_increasing
    asked = ~table.figure.str.contains("Hornby–Hu, Figure")  # drawings need no file
    assert (table["reference files"][asked] == NO_FILES).all() and asked.sum() > 15
    assert table.verdict.map(has_one_of_three_verdicts).all()


def test_the_five_drawings_agree(without_files):
    cases = without_files[without_files.figure.str.contains("Hornby–Hu, Figure")]
    assert len(cases) == 5 and (cases.verdict == "agrees (simulated data)").all()


def test_the_numbers_are_those_of_the_package(without_files):
    found = sr.baseline(sr.load_acs(), reproduce.ACS_KNOWN, reproduce.ACS_SYNTHESIZED).summary()
    rows = without_files[without_files.figure.str.startswith("lecture, ACS confidential")]
    assert rows["simulated data"].astype(float).tolist() == found.round(3).tolist()


def test_other_data_give_other_numbers(without_files, monkeypatch):
    half = sr.load_acs().iloc[::2].reset_index(drop=True)
    files = [one.iloc[::2].reset_index(drop=True) for one in reproduce.load_acs_synthetics()]
    monkeypatch.setattr(sr, "load_acs", lambda: half)
    monkeypatch.setattr(reproduce, "load_acs_synthetics", lambda: files)
    table = reproduce.reproduce(["acs"], None, silent).set_index("figure")["simulated data"]
    before = without_files.set_index("figure")["simulated data"][table.index]
    name = "lecture, ACS confidential: expected match risk"
    found = sr.baseline(half, reproduce.ACS_KNOWN, reproduce.ACS_SYNTHESIZED).summary()
    assert float(table[name]) == round(found.expected_match_risk)
    same = table.index[table == before]  # only a rate that is 0 by definition cannot move
    assert set(same) <= {f"lecture, ACS confidential: {w} match rate" for w in ("false", "true")}


def test_no_part_is_forgotten():
    """Every function that yields rows from the folder of published files is in PARTS."""
    makers = {
        name
        for name, one in inspect.getmembers(reproduce, inspect.isgeneratorfunction)
        if list(inspect.signature(one).parameters)[:1] == ["folder"]
    }
    assert {maker.__name__ for maker in PARTS.values()} == makers


def test_findings_about_households_by_hand():
    sizes = pd.DataFrame({"largest": [2, 2, 8, 12], "ratio": [20, 22, 2, 1.5]})
    assert reproduce.flattens(sizes) == (True, "ratio by H 2: 21.00 8: 2.00 12: 1.50")
    assert not reproduce.flattens(sizes.assign(ratio=[20, 22, 11, 1]))[0]
    ways = ["no protection", "tree only, cutoff 0.9", "tree and donors, cutoff 0.9",
            "grouped states"]  # fmt: skip
    methods = pd.DataFrame({"method": ways, "ratio": [1.5, 2, 70, 9], "r > 0.95": [25, 10, 0, 20]})
    for holds, _ in reproduce.METHOD_FINDINGS.values():
        assert holds(methods)[0]
        assert not holds(methods.assign(**{"r > 0.95": [1, 10, 5, 3]}))[0]


def test_stored_results_that_are_not_there_are_named():
    assert reproduce.stored_table("household_nothing") == "household_nothing.csv is not there"


def test_the_files_are_written_and_unknown_folders_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SYNTHRISK_EDU_REFERENCE", str(tmp_path / "nowhere"))
    reproduce.main([str(tmp_path), "--only", "cases", "acs"])
    said = capsys.readouterr().out
    assert "[1/2] cases" in said and "Written: reproduction.md" in said
    table = pd.read_csv(tmp_path / "reproduction.csv", dtype=str, keep_default_na=False)
    assert table.columns.tolist() == reproduce.COLUMNS and NO_FILES in set(table.iloc[:, 4])
    page = (tmp_path / "reproduction.md").read_text("utf-8").splitlines()
    assert sum(line.startswith("| ") for line in page) == len(table) + 1
    assert any("The published files are not here" in line for line in page)
    with pytest.raises(SystemExit):
        reproduce.main([str(tmp_path / "nowhere")])
    assert "does not exist" in capsys.readouterr().err


# ------------------------------------------------- where the published files are at hand


@pytest.mark.slow
def test_every_row_of_the_whole_table_has_one_of_three_verdicts():
    table = reproduce.reproduce(list(PARTS), None, silent)
    wrong = table[~table.verdict.map(has_one_of_three_verdicts)]
    assert wrong.empty, wrong[["figure", "verdict"]].to_string()
    counted = [table.verdict.str.startswith(word).sum() for word in reproduce.VERDICTS]
    assert sum(counted) == len(table) > 140 and min(counted) > 20


@pytest.mark.slow
def test_published_tables_on_the_published_files(reference):
    table = reproduce.reproduce(["keys", "adult"], reference, silent).set_index("figure")
    depress = table[table.index.str.contains("depress: .* of five")]
    assert len(depress) == len(reproduce.DEPRESS) and (depress.verdict == "agrees").all()
    whole = table[table.index.str.endswith("Dorig by exclusion")]
    assert len(whole) == 10 and (whole.verdict == "agrees").all()
    drawn = table[table.index.str.endswith("DiSCO by exclusion")]
    assert len(drawn) == 10 and drawn.verdict.str.contains("agrees|synthesis of our own").all()
    printed = table[table.index.str.endswith("missing values out")]
    assert printed.verdict.str.contains("repeats the one before it").sum() == 9


def test_where_the_numbers_come_from_that_lesson_10_gives_for_the_bars(reference):
    survey = reproduce.real_survey(reference)
    bars = reproduce.multi(survey, **reproduce.SD_GROUPS).DiSCO.round(2)
    assert bars[["marital", "workab", "ls", "income"]].tolist() == [35.18, 52.10, 13.78, 6.14]
    assert 100 * 2605 / 5000 == 52.10  # what the paper prints of workab
    first = reproduce.multi(survey._replace(one=survey.five[0]), **reproduce.SD_GROUPS).DiSCO
    assert first[["marital", "workab"]].round(1).tolist() == [36.5, 53.2]


def test_another_published_file_gives_another_verdict(reference, tmp_path):
    shutil.copytree(reference / "sd2011", tmp_path / "sd2011")
    original = pd.read_csv(tmp_path / "sd2011" / "original.csv")
    original.head(4000).to_csv(tmp_path / "sd2011" / "original.csv", index=False)
    table = reproduce.reproduce(["keys"], tmp_path, silent).set_index("figure")
    row = table.loc["Raab, SD2011, target depress: UiO of five syntheses"]
    assert row.verdict.startswith("differs") and row["reference files"] != row["simulated data"]
