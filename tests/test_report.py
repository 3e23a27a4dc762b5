"""The report: its notebook run on small tables, numbers counted by hand, warnings and page."""

import json
import subprocess
import sys

import nbformat
import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu import members, nearest, widgets
from synthrisk_edu.report import choose_roles, columns, command, read_files
from synthrisk_edu.report.report import NOTEBOOK, run_cells

OFFICE = pd.DataFrame(
    {
        "Sex": list("FFFFMMMM"),
        "Town": list("AABBAABB"),
        "Job": "cook nurse cook cook nurse nurse cook pilot".split(),
    }
)
RELEASED = OFFICE.assign(Job="cook cook cook nurse nurse cook cook cook".split())
AMOUNTS = ["Expenditure", "Income"]
EVIL = "<img src=x onerror=alert(1)>"


def values(report):
    """The value of each measure."""
    return report.numbers.drop_duplicates("measure").set_index("measure").value


def compared(report, measure):
    """What a measure is compared with: name → value."""
    rows = report.numbers[report.numbers.measure == measure]
    return dict(zip(rows.compared_with, rows.its_value, strict=True))


def survey(n=300, seed=1):
    """A made-up survey: a weight, amounts with codes for missing, and text with missing values."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "sex": rng.choice(["F", "M"], n),
            "age": rng.integers(18, 90, n),
            "job": rng.choice(["cook", "nurse", None], n, p=[0.3, 0.3, 0.4]),
            "income": np.where(rng.random(n) < 0.2, -8, rng.integers(1000, 90_000, n)),
            "PWEIGHT": rng.uniform(80, 400, n).round(4),
        }
    )


# -------------------------------------------------------------------- numbers, counted by hand


def test_eight_persons_counted_by_hand():
    report = sr.risk_report(OFFICE, RELEASED)
    found = values(report)
    assert found["expected match risk, giving up"] == 3
    assert found["true match rate, giving up"] == 0.25
    assert found["false match rate, giving up"] == 0.5
    # Persons 1 and 7 match nobody, and fall back on two records each: 3 + ½ + ½.
    assert found["expected match risk"] == 4
    assert compared(report, "expected match risk") == {"confidential": 6, "floor": 4}
    assert found["DiSCO of Job, %"] == 25
    assert compared(report, "DiSCO of Job, %") == {"Dorig": 50}
    assert found["copies"] == 6 and found["copies of unique rows"] == 4


def test_the_numbers_are_those_of_the_methods():
    units = sr.in_words(sr.load_ce(), "ce").head(800)
    made = sr.synthesize_cart(units, AMOUNTS, seed=1)[0]
    report = sr.risk_report(units, made, radius=0.2)
    known = [name for name in units if name not in AMOUNTS]
    radius = dict.fromkeys(["Age", *AMOUNTS], 0.2)
    found, how = values(report), (units, made, known, AMOUNTS, radius)
    assert found["expected match risk, giving up"] == sr.match(*how).summary().expected_match_risk
    falls_back = sr.match(*how, fallback=True).summary()
    assert found["expected match risk"] == falls_back.expected_match_risk
    lowest = sr.floor(units, known, {"Age": 0.2}).summary()
    assert compared(report, "expected match risk")["floor"] == lowest.expected_match_risk
    disclosed = sr.disclosure(units, made, known, "Income", groups={"Income": 20})
    assert found["DiSCO of Income, %"] == disclosed.attribute.DiSCO.item()
    assert found["copies of unique rows"] == sr.copies(units, made).of_unique.item()
    near, _ = nearest.nearest_distances(units, made)
    assert found["median distance"] == np.median(near)
    ratio = sr.pmse_ratio(units, made, synthesized=AMOUNTS)
    assert found["pMSE ratio of the file"] == pytest.approx(ratio, rel=1e-5)


def test_numbers_are_tidy():
    numbers = sr.risk_report(OFFICE, RELEASED).numbers
    assert list(numbers) == ["section", "measure", "value", "compared_with", "its_value"]
    assert not numbers.duplicated(["measure", "compared_with"]).any()


def test_several_files_are_averaged_and_their_spread_is_said():
    other = OFFICE.assign(Job="cook")
    report = sr.risk_report(OFFICE, [RELEASED, other])
    each = [sr.match(OFFICE, one, ["Sex", "Town"], ["Job"]).summary() for one in (RELEASED, other)]
    mean = np.mean([one.expected_match_risk for one in each])
    assert values(report)["expected match risk, giving up"] == mean
    assert "in 2 files)" in report.html


# --------------------------------------------------------------- the first warning of five files


@pytest.fixture(scope="module")
def halves():
    units = sr.in_words(sr.load_ce(), "ce").sample(1600, random_state=1)
    return members.halves(units, np.random.default_rng(3))


def disguise(data):
    """Every row is a real person: age ± 1, amounts ± 1 %."""
    rng = np.random.default_rng(4)
    amounts = data[AMOUNTS] * rng.uniform(0.99, 1.01, (len(data), 2))
    age = data.Age + rng.choice([-1, 1], len(data))
    return data.assign(Age=age, **amounts.round())


FIRST = {  # how a file was made, and its first warning without and with a control
    "shuffled": (lambda d: d, "This is the confidential table itself", None),
    "disguised": (disguise, "looks like a copy in disguise", None),
    "honest CART": (
        lambda d: sr.synthesize_cart(d, list(d), seed=1)[0],
        "repeat, value for value",
        "Synthetic rows are closer to those who took part",
    ),
    "partial": (
        lambda d: sr.synthesize_cart(d, AMOUNTS, seed=1)[0],
        "repeat, value for value",
        "Taking part adds risk",
    ),
    "redraw": (
        lambda d: sr.redraw(d, AMOUNTS, ["Urban", "Tenure"], seed=1),
        "repeat, value for value",
        "Taking part adds risk",
    ),
}


@pytest.mark.parametrize("with_control", [False, True])
@pytest.mark.parametrize("kind", FIRST)
def test_the_first_warning(halves, kind, with_control):
    make, alone, beside = FIRST[kind]
    ours, others = halves
    made = make(ours)
    if kind in ("shuffled", "disguised"):
        made = made.sample(frac=1, random_state=1, ignore_index=True)
    report = sr.risk_report(ours, made, control=others if with_control else None)
    assert (beside if with_control and beside else alone) in report.look_at[0]
    found = values(report)
    copied = kind in ("shuffled", "disguised")
    assert (found["share nearer than 5 % of the confidential"] > 0.9) == copied
    assert (found["share as far as half of the confidential"] < 0.05) == copied


def test_a_disguise_among_many_is_found_too():
    """So many people that 5 % are nearer to each other than a year of age: nobody is far away."""
    units = sr.in_words(sr.load_ce(), "ce")
    made = disguise(units).sample(frac=1, random_state=1, ignore_index=True)
    report = sr.risk_report(units, made)
    assert values(report)["share nearer than 5 % of the confidential"] < 0.5
    assert "looks like a copy in disguise" in report.look_at[0]


def test_one_disguise_among_several_files_is_enough(halves):
    made = disguise(halves[0]).sample(frac=1, random_state=1, ignore_index=True)
    assert "copy in disguise" in sr.risk_report(halves[0], [halves[1], made]).look_at[0]


def test_new_people_are_no_copy_in_disguise(halves):
    report = sr.risk_report(*halves)
    assert values(report)["share nearer than 5 % of the confidential"] < 0.1
    assert not any("copy" in one or "repeat" in one for one in report.look_at)


def test_a_disguise_in_the_same_order_hides_hardly_anything(halves):
    first = sr.risk_report(halves[0], disguise(halves[0])).look_at[0]
    assert "hide hardly anything" in first and "copy in disguise" in first


def test_nothing_to_look_at_is_no_proof():
    rng = np.random.default_rng(5)
    ours, made = (pd.DataFrame({"x": rng.random(300), "y": rng.random(300)}) for _ in range(2))
    report = sr.risk_report(ours, made)
    assert report.look_at == [] and "no proof that the data are safe" in report.html


# ----------------------------------------------------------------------------------- the control


def test_a_control_that_is_the_file_is_refused():
    data = survey()
    with pytest.raises(ValueError, match="it is the same file"):
        sr.risk_report(data, survey(seed=2), control=data.sample(frac=1, random_state=1))


def test_an_honest_control_says_what_it_shares_and_what_chance_gives():
    acs = sr.load_acs().head(4000)
    one, other = members.halves(acs, np.random.default_rng(1))
    shared, by_chance = members.shared_rows(one, other)
    assert shared == sr.copies(one, other).rows.item()
    assert abs(shared - by_chance) < 0.1 * by_chance
    page = sr.risk_report(one, other.sample(frac=1, random_state=1), control=other.head(60)).html
    assert "this control can show little" in page and "chance would give about" in page


def test_many_targets_need_more_than_one_interval(monkeypatch):
    rng = np.random.default_rng(6)
    files = [
        pd.DataFrame({f"c{k}": rng.choice(list("abc"), 400) for k in range(14)}) for _ in range(3)
    ]
    report = sr.risk_report(files[0], files[1], control=files[2], keys=["c0", "c1", "c2", "c3"])
    assert "Of 10 such intervals about 0.5 would leave out 0 by chance alone" in report.html
    assert not any("Taking part adds risk" in one for one in report.look_at)


# ---------------------------------------------------------------- columns: codes, weights, missing


def test_codes_for_missing_and_missing_values_are_said():
    data = survey()
    report = sr.risk_report(data, survey(seed=2))
    assert "income holds -8: we take this as a code for missing, not as an amount" in report.html
    share = data.job.isna().mean()
    assert f"job {100 * share:.0f} % and" in report.html
    assert "Missing is a level of its own" in report.html
    roles = choose_roles(data, [survey(seed=2)])
    assert roles.confidential.income.min() >= 1000 and data.income.min() == -8


def test_codes_are_told_from_quantities():
    assert columns.looks_like_codes(pd.Series([1, 2] * 50))
    assert not columns.looks_like_codes(pd.Series(range(100)))
    assert columns.missing_codes(pd.Series([-3.0, -2, -1, 0, 1, 2])) == []


@pytest.mark.parametrize("name", ["PWEIGHT", "weight", "wgt_2019", "hh_wt", "W"])
def test_a_weight_is_not_guessed_to_be_known_and_the_report_asks(name):
    data = survey().rename(columns={"PWEIGHT": name})
    made = data.assign(income=survey(seed=2).income)
    roles = choose_roles(data, [made])
    assert name not in [*roles.known, *roles.keys, *roles.compared]
    report = sr.risk_report(data, made)
    assert report.look_at[-1].startswith(f"Is {name} a weight")
    named = sr.risk_report(data, made, weights=name)
    assert not any("a weight" in one for one in named.look_at)
    assert "alone in both tables" in values(named)
    assert name in choose_roles(data, [made], known=["age", name]).known


def test_a_weight_is_seen_by_its_values():
    data = survey().rename(columns={"PWEIGHT": "x17"})
    assert "x17" not in choose_roles(data, [data.assign(income=1)]).known


def test_a_flag_names_its_level_and_is_no_excuse():
    n = 300
    rng = np.random.default_rng(1)
    job = np.where(rng.random(n) < 0.03, "cook", None)
    data = pd.DataFrame({"town": rng.integers(0, 60, n).astype(str), "job": job})
    made = data.sample(frac=1, random_state=1, ignore_index=True).assign(more=1)
    page = sr.risk_report(data, made.head(290), keys=["town"], targets=["job"])
    flag = next(one for one in page.look_at if "flag" in one)
    assert "Missing" in flag and flag.endswith("what is common is disclosed all the same.")


def test_roles_are_said_and_can_be_set_right():
    assert choose_roles(OFFICE, [RELEASED]).known == ["Sex", "Town"]
    report = sr.risk_report(OFFICE, RELEASED, known=["Sex"], synthesized=["Job"])
    assert "You have named what the intruder knows" in report.html
    assert values(report)["expected match risk, giving up"] == 2


def test_the_release_that_is_the_file_is_a_warning_by_itself():
    rng = np.random.default_rng(7)
    data = pd.DataFrame({"a": rng.choice(list("xyzuvw"), 200), "b": rng.choice(list("pqrst"), 200)})
    data["c"] = rng.random(200)
    made = data.assign(c=rng.random(200)).sample(frac=1, random_state=1, ignore_index=True)
    report = sr.risk_report(data, made, keys=["a"], targets=["b"])
    assert any("a and b have exactly the same counts" in one for one in report.look_at)
    report = sr.risk_report(data, made, keys=["a", "b"], targets=["c"])
    assert not any("DiSCO equals Dorig" in one for one in report.look_at)


# ---------------------------------------------------------------------- the page and the notebook


def test_nothing_of_the_data_runs_on_the_page():
    text = ["=1+1", "<script>alert(2)</script>", "*a*", "[x](javascript:1)"] * 10
    data = pd.DataFrame({EVIL: text, "cost*2*3": range(40), "$\\frac$": list("ab") * 20})
    made = data.assign(**{"cost*2*3": range(40, 80)})
    report = sr.risk_report(data, made, title=f"<b>{EVIL}</b>", records=2)
    for page in (report.html, report.body):
        assert "<script" not in page and "<img src=x" not in page and "<em>2</em>" not in page
        assert "&lt;img src=x onerror=alert(1)&gt;" in page and "cost*2*3" in page
    assert "http" not in report.html.replace("http-equiv", "")
    saved = json.loads(nbformat.writes(report.notebook))
    assert not any(EVIL in "".join(c["source"]) for c in saved["cells"] if c["cell_type"] != "code")


def test_what_a_board_reads_comes_before_the_appendix():
    page = sr.risk_report(OFFICE, RELEASED).html
    heads = ["In short", "What to look at", "What was compared", "What was not examined"]
    places = [page.index(f">{one}</h2>") for one in heads] + [page.index("Appendix")]
    assert places == sorted(places)
    assert page.count("is right 4 times of 8 (50 %)") == 2  # the headline, and where it comes from


def test_values_of_records_stand_on_the_page_only_if_asked_for():
    data, made = survey(), survey().assign(income=survey(seed=2).income)
    income = f"{data.income.max():,}"
    assert income not in sr.risk_report(data, made).html
    assert "Record " in sr.risk_report(data, made, records=3).html


def test_small_cells_are_warned_of():
    assert "counts below 10" in sr.risk_report(OFFICE, RELEASED).html


def test_the_banner_stands_where_the_page_is_made_on_binder(monkeypatch):
    report = sr.risk_report(OFFICE, RELEASED)
    monkeypatch.delenv("BINDER_SERVICE_HOST", raising=False)
    assert "Binder" not in report.html
    monkeypatch.setenv("BINDER_SERVICE_HOST", "x")
    assert "Never upload confidential data there" in report.html


def test_no_checksum_of_the_confidential_file(tmp_path):
    pair = read_files(written(tmp_path))
    page = sr.risk_report(*pair).html
    assert pair[0].attrs["sha256"] not in page and pair[1].attrs["sha256"] in page


def written(folder):
    """The paths of the office's two files."""
    paths = [folder / "office.csv", folder / "released.csv"]
    for path, one in zip(paths, (OFFICE, RELEASED), strict=True):
        one.to_csv(path, index=False)
    return paths


def test_the_saved_notebook_runs_and_finds_the_same(tmp_path):
    report = sr.risk_report(*read_files(written(tmp_path)), known=["Sex"], synthesized=["Job"])
    report.save(tmp_path / "report.ipynb")
    saved = nbformat.read(tmp_path / "report.ipynb", as_version=4)
    nbformat.validate(saved)
    first = next(cell for cell in saved.cells if cell.cell_type == "code")
    assert "released.csv" in first.source
    again = run_cells(saved, {})["notes"].numbers
    pd.testing.assert_frame_equal(again, report.numbers)


def test_a_cell_is_changed_and_the_report_run_again(tmp_path):
    report = sr.risk_report(*read_files(written(tmp_path)))
    report.cells["choices"].source += '\nknown, synthesized = ["Sex"], ["Job"]'
    again = report.run()
    assert values(again)["expected match risk, giving up"] == 2
    assert values(report)["expected match risk, giving up"] == 3
    assert "known Sex, synthesized Job" in again.html


def test_a_notebook_from_frames_says_what_to_put_there():
    first = next(c for c in sr.risk_report(OFFICE, RELEASED).notebook.cells if c.id == "files")
    assert "made from data frames" in first.source and "read_files" in first.source
    cut = read_pair_bytes().head(5)
    changed = sr.risk_report(cut, RELEASED.head(5)).notebook.cells[1].source
    assert "made from data frames" in changed


def read_pair_bytes():
    return sr.read_pair(OFFICE.to_csv(index=False).encode(), b"Sex,Job\nF,cook\n").confidential


def test_the_notebook_of_the_package_has_no_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


def test_nothing_of_the_caller_is_changed():
    before, names = (OFFICE.copy(), RELEASED.copy()), set(vars(sys.modules["__main__"]))
    first, second = (sr.risk_report(OFFICE, RELEASED) for _ in range(2))
    assert first.html == second.html
    assert nbformat.writes(first.notebook) == nbformat.writes(second.notebook)
    pd.testing.assert_frame_equal(OFFICE, before[0])
    pd.testing.assert_frame_equal(RELEASED, before[1])
    assert set(vars(sys.modules["__main__"])) == names


def test_a_page_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    report, path = sr.risk_report(OFFICE, RELEASED), tmp_path / "page.html"
    path.write_text("the old page")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        report.save(path)
    assert path.read_text() == "the old page" and list(tmp_path.iterdir()) == [path]
    monkeypatch.undo()
    assert report.save(path).read_text("utf-8") == report.html


def test_save_takes_a_page_or_a_notebook(tmp_path):
    report = sr.risk_report(OFFICE, RELEASED)
    with pytest.raises(ValueError, match=r"must end with .html"):
        report.save(tmp_path / "page.pdf")
    with pytest.raises(FileNotFoundError, match="no folder 'nowhere'"):
        report.save(tmp_path / "nowhere" / "page.html")


# ------------------------------------------------------------------------------ the command line


def test_the_command_line_makes_page_and_notebook(tmp_path, capsys):
    out = [str(tmp_path / name) for name in ("page.html", "report.ipynb")]
    assert command.main([*map(str, written(tmp_path)), "-o", *out]) == 0
    assert "Saved page.html and report.ipynb." in capsys.readouterr().out
    assert "is right 4 times of 8" in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize(("most", "code"), [("1", 2), ("9", 0)])
def test_a_limit_that_is_passed_gives_2(tmp_path, capsys, most, code):
    out = ["-o", str(tmp_path / "page.html"), "--limit", f"copies of unique rows={most}"]
    assert command.main([*map(str, written(tmp_path)), *out]) == code
    said = "copies of unique rows is 4, above your limit of 1."
    assert (said in capsys.readouterr().err) == (code == 2)
    assert (said in (tmp_path / "page.html").read_text("utf-8")) == (code == 2)


def test_errors_speak_the_language_of_the_command_line(tmp_path, capsys):
    ours, _ = written(tmp_path)
    comma, latin = tmp_path / "comma.csv", tmp_path / "latin.csv"
    comma.write_text("Sex;Job;Income\nF;cook;10,5\n")
    latin.write_bytes("Sex,Job\nF,Köchin\n".encode("cp1252"))
    for path, words in ((comma, "--decimal ,"), (latin, "--encoding cp1252")):
        assert command.main([str(ours), str(path)]) == 1
        said = capsys.readouterr().err
        assert words in said and "=" not in said and said.count("\n") == 1
    assert command.main([str(ours), str(ours), "--limit", "repU"]) == 1
    assert "MEASURE=MOST" in capsys.readouterr().err


def test_every_option_is_described(capsys):
    assert all(action.help for action in command.parser()._actions)
    with pytest.raises(SystemExit) as stopped:
        command.main(["only_one.csv"])
    assert stopped.value.code == 1  # 2 would be a limit that was passed


def test_a_report_imports_no_widgets():
    code = "import synthrisk_edu as sr, sys; sr.risk_report; sys.exit('ipywidgets' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# -------------------------------------------------------------------------------------- the panel


def test_the_panel_makes_and_saves_a_report(tmp_path):
    panel = widgets.report_panel(OFFICE, RELEASED)
    assert panel.error is None and "right" in panel.live.sentence.value
    panel.make.click()
    assert "is right 4 times of 8" in panel.page.value
    for name in ("page.html", "report.ipynb"):
        panel.where.value = str(tmp_path / name)
        panel.save.click()
        assert panel.error is None and (tmp_path / name).exists()


def test_the_panel_reads_files_and_says_what_is_wrong(tmp_path):
    panel = widgets.report_panel()
    panel.make.click()
    assert "Read two files first" in panel.sentence.value
    ours, made = written(tmp_path)
    panel.paths[0].value, panel.paths[1].value = str(ours), "nowhere.csv"
    panel.read.click()
    assert "there is no file" in panel.sentence.value
    panel.paths[1].value = str(made)
    panel.read.click()
    assert panel.error is None and panel.roles.known == ["Sex", "Town"]


def test_the_panel_of_rows_that_do_not_pair_and_of_weights():
    panel = widgets.report_panel(survey(), survey(seed=2).head(200))
    assert panel.error is None and "Is PWEIGHT a weight" in panel.sentence.value
    panel.weights.value = "PWEIGHT"
    assert panel.error is None and panel.choices()["weights"] == "PWEIGHT"
    assert [label for label, _ in panel.weights.options] == ["none", "age", "PWEIGHT"]
    panel.make.click()
    assert panel.error is None and panel.report is not None
