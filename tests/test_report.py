"""The report: roles are named, other people are the yardstick, honest files are not accused."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu import closeness, widgets
from synthrisk_edu.report import command, name_roles, read_pair, read_table
from synthrisk_edu.report.report import NOTEBOOK, run_cells

OFFICE = pd.DataFrame(
    {
        "Sex": list("FFFFMMMM"),
        "Town": list("AABBAABB"),
        "Job": "cook nurse cook cook nurse nurse cook pilot".split(),
    }
)
RELEASED = OFFICE.assign(Job="cook cook cook nurse nurse cook cook cook".split())
PARTIAL = {"known": ["Sex", "Town"], "synthesized": ["Job"]}
BOTH = PARTIAL | {"keys": ["Sex", "Town"], "targets": ["Job"]}
AMOUNTS = ["Expenditure", "Income"]
EVIL = "<img src=x onerror=alert(1)>"
REFERENCE = Path(os.environ.get("SYNTHRISK_EDU_REFERENCE", "nowhere"))


def values(report):
    """The value of each measure."""
    return report.numbers.drop_duplicates("measure").set_index("measure").value


def compared(report, measure):
    """What a measure is compared with: name → value."""
    rows = report.numbers[report.numbers.measure == measure]
    return dict(zip(rows.compared_with, rows.its_value, strict=True))


# -------------------------------------------------------------------- numbers, counted by hand


def test_eight_people_counted_by_hand():
    report = sr.risk_report(OFFICE, RELEASED, **BOTH)
    found = values(report)
    # Persons 1 and 7 match nobody, and fall back on two records each: 3 + ½ + ½.
    assert found["expected match risk"] == 4
    beside = {"confidential": 6, "floor": 4, "synthetic, giving up": 3}
    assert compared(report, "expected match risk") == beside
    assert found["DiSCO of Job, %"] == 25
    # Four of eight are cooks.
    assert compared(report, "DiSCO of Job, %") == {"Dorig": 50, "commonest answer": 50}
    assert found["copies of people who are alone, %"] == 50


def test_the_numbers_are_those_of_the_methods():
    units = sr.in_words(sr.load_ce(), "ce").head(800)
    made = sr.synthesize_cart(units, AMOUNTS, seed=1)[0]
    known = [name for name in units if name not in AMOUNTS]
    report = sr.risk_report(units, made, known=known, synthesized=AMOUNTS, radius=0.2)
    question = (units, made, known, AMOUNTS, 0.2)
    risk = sr.match(*question, fallback=True).summary().expected_match_risk
    assert values(report)["expected match risk"] == risk
    beside = compared(report, "expected match risk")
    assert beside["synthetic, giving up"] == sr.match(*question).summary().expected_match_risk
    assert beside["floor"] == sr.floor(units, known).summary().expected_match_risk
    hair = closeness.but_for_a_hair(units, made)
    assert values(report)["but for a hair, %"] == pytest.approx(100 * hair)


def test_the_radius_with_the_highest_risk_is_that_of_falling_back():
    units = sr.in_words(sr.load_ce(), "ce").head(800)
    made = sr.synthesize_cart(units, AMOUNTS, seed=1)[0]
    report = sr.risk_report(units, made, known=["Urban", "Tenure"], synthesized=AMOUNTS)
    radii = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1]
    sweep = sr.radius_sweep(units, [made], ["Urban", "Tenure"], AMOUNTS, radii, fallback=True)
    assert values(report)["expected match risk"] == sweep.expected_match_risk.max()


def test_numbers_are_tidy():
    numbers = sr.risk_report(OFFICE, RELEASED, **BOTH).numbers
    assert list(numbers) == ["section", "measure", "value", "compared_with", "its_value"]
    assert not numbers.duplicated(["measure", "compared_with"]).any()


def test_zero_and_special_codes_are_levels_and_groups_come_from_the_confidential_file():
    rng = np.random.default_rng(1)
    income = np.where(rng.random(600) < 0.3, 0, rng.integers(1, 10_000, 600))
    income = np.where(rng.random(600) < 0.2, -8, income)
    true = pd.DataFrame({"sex": rng.choice(list("FM"), 600), "income": income})
    made = true.assign(income=np.where(income > 0, income * 3, income))
    roles = {"keys": ["sex"], "targets": ["income"]}
    case = name_roles(true, [made], None, roles, special={"income": [-8]}, groups={"income": 4})
    ours, theirs = (table.income.value_counts() for table in case.looked_up)
    assert ours["0"] == (income == 0).sum() == theirs["0"]
    assert ours["-8"] == (income == -8).sum() == theirs["-8"]
    assert set(theirs.index) <= set(ours.index) and len(ours) == 6
    grouped = ours.drop(["0", "-8"])
    assert grouped.max() - grouped.min() <= 2


def test_missing_and_minus_eight_are_not_the_same():
    people = pd.DataFrame({"income": [1200, 1500.5, -8, np.nan] + list(range(3000, 3020))})
    swapped = pd.DataFrame({"income": [1200, 1500.5, np.nan, -8] + list(range(3000, 3020))})
    special = {"income": [-8]}
    assert closeness.but_for_a_hair(people, people, special=special) == pytest.approx(4 / 24)
    alone = people.assign(id=range(24))
    assert closeness.but_for_a_hair(alone, swapped.assign(id=range(24)), special=special) < 1


# ---------------------------------------------------------------------------- roles are named


def test_without_roles_one_sentence_lists_the_columns():
    with pytest.raises(ValueError, match=r"keys=\[…\] and targets=\[…\].*Sex, Town, Job"):
        sr.risk_report(OFFICE, RELEASED)


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        ({"targets": ["Job"]}, "keys is empty"),
        ({"keys": ["Sex"], "targets": ["Shoe"]}, "has no column 'Shoe'"),
        ({"keys": ["Sex"], "targets": ["Sex"]}, "both in keys and in targets"),
        (BOTH | {"identifiers": ["Sex"]}, "'Sex' is both in identifiers and weights and in"),
        (BOTH | {"special": {"Shoe": [1]}}, "special names 'Shoe'"),
        (BOTH | {"groups": {"Shoe": 1}}, "groups names 'Shoe'"),
        (BOTH | {"groups": {"Job": 2}}, "must hold numbers"),
        (BOTH | {"limits": {"repU": 1}}, "limits names 'repU'"),
    ],
)
def test_a_role_that_cannot_be_is_one_sentence(roles, words):
    with pytest.raises((ValueError, KeyError, TypeError), match=words):
        sr.risk_report(OFFICE, RELEASED, **roles)


def test_an_identifier_without_a_role_is_asked_about():
    data = diagnosis().assign(id=np.arange(1500))
    made = another_diagnosis().assign(id=np.arange(5000, 6500))
    with pytest.raises(ValueError, match=r"is 'id' an identifier\?.*identifiers=\['id'\]"):
        sr.risk_report(data, made, **ROLES)
    named = sr.risk_report(data, made, **ROLES, identifiers=["id"])
    without = sr.risk_report(diagnosis(), another_diagnosis(), **ROLES)
    pd.testing.assert_frame_equal(named.numbers, without.numbers)
    assert "not compared: id" in named.html
    assert sr.risk_report(data, made, **ROLES, identifiers=[]).numbers is not None


def test_decimal_numbers_are_no_identifiers():
    rng = np.random.default_rng(1)
    data = OFFICE.assign(x=rng.random(8))
    assert sr.risk_report(data, RELEASED.assign(x=rng.random(8)), **BOTH).look_at is not None


def test_weights_take_no_part_and_give_the_population():
    data = diagnosis().assign(w=np.arange(1500) % 90 + 10.5)
    made = another_diagnosis().assign(w=3.25)
    report = sr.risk_report(data, made, **ROLES, weights="w")
    assert "expected matches of people who are alone" in values(report)
    assert f"holds {100 / data.w.mean():.1f} % of its population" in report.html
    plain = sr.risk_report(diagnosis(), another_diagnosis(), **ROLES)
    shared = plain.numbers.measure
    assert values(report)[shared].tolist() == values(plain)[shared].tolist()


def test_known_columns_that_differ_are_refused():
    with pytest.raises(ValueError, match="Are the rows in the same order"):
        sr.risk_report(OFFICE, RELEASED[::-1].reset_index(drop=True), **PARTIAL)


def test_codes_that_were_read_as_numbers_are_asked_about():
    acs = sr.load_acs().head(300).astype({"RACE": int})
    made = acs.assign(RACE=acs.RACE.to_numpy()[::-1])
    with pytest.raises(
        ValueError, match=r"'RACE' has . different whole numbers: if they are codes"
    ):
        sr.risk_report(acs, made, known=["SEX", "MAR"], synthesized=["RACE"])


# ------------------------------------------------------- must warn, and must not, on data of ours

ROLES = {
    "keys": ["sex", "age", "region"],
    "targets": ["income", "marital", "workab"],
    "special": {"income": [-8]},
}
CE_ROLES = {"keys": ["Age", "Urban", "Tenure"], "targets": [*AMOUNTS, "Educ", "Marital"]}


def diagnosis():
    return sr.load_diagnosis().head(1500)


def another_diagnosis():
    return sr.load_diagnosis().tail(1500).reset_index(drop=True)


def units():
    return sr.in_words(sr.load_ce(), "ce").head(2000)


def shuffle(data):
    return data.sample(frac=1, random_state=1, ignore_index=True)


def cart(data, leaf=5):
    special = {"income": [-8]} if "depress" in data else None
    return sr.synthesize_cart(data, list(data), min_leaf=leaf, special=special, seed=1)[0]


def disguise(data):
    """Every row is a real person: ages moved by one, amounts by at most 1 %."""
    rng = np.random.default_rng(4)
    changed = {}
    for name in data.columns.intersection(["age", "Age"]):
        changed[name] = data[name] + rng.choice([-1, 1], len(data))
    for name in data.columns.intersection(["income", *AMOUNTS]):
        changed[name] = (data[name] * rng.uniform(0.99, 1.01, len(data))).round()
    return shuffle(data.assign(**changed))


def partly_disguised(data, share):
    k = int(share * len(data))
    return pd.concat([disguise(data).head(k), cart(data).iloc[k:]], ignore_index=True)


def permuted(data, column):
    rng = np.random.default_rng(5)
    return data.assign(**{column: rng.permutation(data[column])})


COPIES = {
    "shuffled copy": shuffle,
    "half of the file": lambda data: shuffle(data).head(len(data) // 2),
    "bootstrap": lambda data: data.sample(frac=1, replace=True, random_state=1, ignore_index=True),
}
DISGUISES = {
    "disguised": disguise,
    "a fifth disguised": lambda data: partly_disguised(data, 0.2),
    "30 % disguised": lambda data: partly_disguised(data, 0.3),
}
FILES = {"diagnosis": (diagnosis, ROLES), "units": (units, CE_ROLES)}


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("how", COPIES)
def test_a_copy_is_warned_of(file, how):
    make, roles = FILES[file]
    report = sr.risk_report(make(), COPIES[how](make()), **roles)
    assert "repeat, value for value" in report.look_at[0]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("how", DISGUISES)
def test_a_disguise_is_warned_of(file, how):
    make, roles = FILES[file]
    report = sr.risk_report(make(), DISGUISES[how](make()), **roles)
    assert "a real person but for a hair" in report.look_at[0]


@pytest.mark.parametrize("column", [*diagnosis(), *units()])
def test_one_permuted_column_is_warned_of(column):
    make, roles = FILES["diagnosis" if column in diagnosis() else "units"]
    report = sr.risk_report(make(), permuted(make(), column), **roles)
    assert f"in all columns but {column};" in " ".join(report.look_at)


def test_a_copy_with_a_fresh_identifier_is_warned_of_or_asked_about():
    rng = np.random.default_rng(6)
    data = diagnosis().assign(id=rng.permutation(10**6)[:1500])
    made = shuffle(diagnosis()).assign(id=rng.permutation(10**6)[:1500])
    with pytest.raises(ValueError, match="is 'id' an identifier"):
        sr.risk_report(data, made, **ROLES)
    report = sr.risk_report(data, made, **ROLES, identifiers=["id"])
    assert "repeat, value for value" in report.look_at[0]
    silent = sr.risk_report(data, made, **ROLES, identifiers=[])  # what a lie costs
    assert values(silent)["copies of people who are alone, %"] == 0


def test_a_bootstrap_of_few_categories_is_warned_of():
    """Few people are alone there; of those who are, all are repeated."""
    for acs in (sr.load_acs(), sr.load_acs().sample(2000, random_state=1, ignore_index=True)):
        made = acs.sample(frac=1, replace=True, random_state=1, ignore_index=True)
        report = sr.risk_report(acs, made, keys=["SEX", "RACE"], targets=["HICOV"])
        assert "repeat, value for value" in report.look_at[0]


def test_one_disguise_among_several_files_is_enough():
    report = sr.risk_report(units(), [cart(units()), disguise(units())], **CE_ROLES)
    assert "but for a hair" in report.look_at[0]


def test_a_careless_partial_release_is_warned_of():
    rng = np.random.default_rng(1)
    moved = units()[AMOUNTS] * rng.uniform(0.98, 1.02, (2000, 2))
    made = units().assign(**moved.round())
    known = [name for name in units() if name not in AMOUNTS]
    for release in (made, units()):
        report = sr.risk_report(units(), release, known=known, synthesized=AMOUNTS)
        assert report.look_at[0].startswith("The synthetic values of Expenditure and Income hide")


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("leaf", [5, 50])
def test_an_honest_tree_is_not_accused(file, leaf):
    make, roles = FILES[file]
    assert sr.risk_report(make(), cart(make(), leaf), **roles).look_at == []


def test_an_honest_mixture_is_not_accused():
    acs = sr.load_acs().head(2000)
    made = sr.synthesize_dpmpm(acs, list(acs), iterations=100, seed=1)[0]
    assert sr.risk_report(acs, made, keys=["SEX", "RACE"], targets=["HICOV"]).look_at == []


def test_a_partial_synthesis_is_not_accused():
    known = [name for name in units() if name not in AMOUNTS]
    for changed in (AMOUNTS, ["Income"]):
        made = sr.synthesize_cart(units(), changed, seed=1)[0]
        roles = {"known": [name for name in units() if name not in changed]}
        assert sr.risk_report(units(), made, **roles, synthesized=changed).look_at == []
    both = {"known": known, "synthesized": AMOUNTS, "keys": known[:2], "targets": AMOUNTS}
    assert sr.risk_report(units(), sr.synthesize_cart(units(), AMOUNTS, seed=1)[0], **both)
    acs = sr.load_acs()
    changed = [name for name in acs if not acs[name].equals(sr.load_acs_synthetics()[0][name])]
    roles = {"known": [name for name in acs if name not in changed], "synthesized": changed}
    assert sr.risk_report(acs, sr.load_acs_synthetics()[0], **roles).look_at == []


def test_another_sample_is_not_accused():
    assert sr.risk_report(diagnosis(), another_diagnosis(), **ROLES).look_at == []
    whole = sr.in_words(sr.load_ce(), "ce")
    made = whole.tail(2000).reset_index(drop=True)
    assert sr.risk_report(units(), made, **CE_ROLES).look_at == []


def test_a_small_honest_file_is_not_accused_by_chance():
    rng = np.random.default_rng(1)
    for _ in range(20):
        ours, made = (
            pd.DataFrame({"a": rng.choice(list("xyz"), 12), "b": rng.choice(list("pqrst"), 12)})
            for _ in range(2)
        )
        file, people = closeness.other_people(ours, seed=1)
        hair = closeness.but_for_a_hair(ours, made), closeness.but_for_a_hair(file, people)
        assert not closeness.is_beyond(*hair, 12, 6, points=closeness.HAIR_TOO)


# --------------------------------------------------------------------------- the public files

public = pytest.mark.skipif(not REFERENCE.is_dir(), reason="SYNTHRISK_EDU_REFERENCE is not set")


@public
@pytest.mark.parametrize("number", ["1", "2", "3", "4", "5", "contna"])
def test_synthpop_is_not_accused(number):
    ours, made = read_pair(
        REFERENCE / "sd2011/original.csv", REFERENCE / f"sd2011/synthetic_{number}.csv"
    )
    report = sr.risk_report(ours, made, **ROLES)
    assert report.look_at == [] and 4 < values(report)["but for a hair, %"] < 7


def public_file(name):
    if name == "sd2011":
        data, roles = read_table(REFERENCE / "sd2011/original.csv"), ROLES
    elif name == "ce":
        coded = dict.fromkeys(["Urban", "Tenure", "Educ", "Marital"], str)
        data, roles = read_table(REFERENCE / "ce/CEdata.csv", dtype=coded), CE_ROLES
    else:
        data = pd.read_csv(REFERENCE / "adult.csv.gz").sample(5000, random_state=1)
        data = data.drop(columns=["fnlwgt", "part", "education-num"]).reset_index(drop=True)
        roles = {"keys": ["age", "sex", "race"], "targets": ["occupation", "income"]}
    words = data.select_dtypes(exclude="number").columns
    return data.astype(dict.fromkeys(words, "category")), roles


@public
@pytest.mark.parametrize("name", ["sd2011", "ce", "adult"])
def test_public_files_honest_and_not(name):
    data, roles = public_file(name)
    for leaf in (5, 50):
        assert sr.risk_report(data, cart(data, leaf), **roles).look_at == []
    assert "value for value" in sr.risk_report(data, shuffle(data), **roles).look_at[0]
    warned = sr.risk_report(data, permuted(data, data.columns[0]), **roles).look_at
    assert f"in all columns but {data.columns[0]};" in " ".join(warned)
    k = len(data) // 5
    tampered = pd.concat([shuffle(data).head(k), cart(data).iloc[k:]], ignore_index=True)
    assert "but for a hair" in sr.risk_report(data, tampered, **roles).look_at[0]


@public
@pytest.mark.parametrize("scenario", [1, 3])
def test_the_published_partial_syntheses_are_not_accused(scenario):
    coded = dict.fromkeys(["Urban", "Tenure", "Educ", "Marital"], str)
    paths = [REFERENCE / f"ce/scenario{scenario}_{j}.csv" for j in (1, 2)]
    ours, made = read_pair(REFERENCE / "ce/CEdata.csv", paths, dtype=coded)
    changed = [name for name in ours if not ours[name].equals(made[0][name])]
    known = [name for name in ours if name not in changed]
    assert sr.risk_report(ours, made, known=known, synthesized=changed).look_at == []


# ---------------------------------------------------------------------------------- the first page


def test_flagged_targets_stand_last_and_are_called_so():
    page = sr.risk_report(diagnosis(), cart(diagnosis()), **ROLES)
    targets = page.numbers[page.numbers.compared_with == "Dorig"].measure.tolist()
    assert targets[-1] in ("DiSCO of workab, %", "DiSCO of marital, %")
    shown = page.cells["short-table"].outputs[0]["data"]["text/html"]
    assert shown.index("workab") > shown.index("income") and "flagged" in shown


def test_disco_above_dorig_is_explained():
    true = pd.DataFrame({"town": list("AAAB") * 5, "job": ["cook", "cook", "nurse", "pilot"] * 5})
    made = pd.DataFrame({"town": list("AB") * 10, "job": ["cook", "pilot"] * 10})
    report = sr.risk_report(true, made, keys=["town"], targets=["job"], identifiers=[])
    assert values(report)["DiSCO of job, %"] == 75
    assert compared(report, "DiSCO of job, %")["Dorig"] == 25
    assert "DiSCO of job is above Dorig. 50 % of the people have keys under which" in report.html


def test_look_at_holds_warnings_and_nothing_else():
    report = sr.risk_report(OFFICE, RELEASED, **BOTH)
    assert report.look_at == [] and "no proof that the data are safe" in report.html
    passed = sr.risk_report(OFFICE, RELEASED, **BOTH, limits={"DiSCO of Job, %": 20})
    assert passed.look_at == passed.passed == ["DiSCO of Job, % is 25, above your limit of 20."]


# ----------------------------------------------------------------------------------- the control


def test_a_control_with_people_of_the_file_is_refused_with_the_count():
    data = diagnosis()
    control = pd.concat([data.tail(20), another_diagnosis().head(300)], ignore_index=True)
    with pytest.raises(ValueError, match=r"2\d of the 320 rows of the control stand in"):
        sr.risk_report(data, cart(data), **ROLES, control=control)


def test_a_control_is_the_yardstick():
    data, control = diagnosis(), another_diagnosis()
    report = sr.risk_report(data, cart(data), **ROLES, control=control)
    hair = compared(report, "but for a hair, %")["other people"]
    special = {"income": [-8]}
    assert hair == pytest.approx(100 * closeness.but_for_a_hair(data, control, special=special))
    assert f"The control holds {len(control):,} people" in report.html
    assert {one.split(":")[0] for one in report.look_at} <= {"Taking part shows", ADDS}


ADDS = "Taking part adds risk"


def test_what_taking_part_adds_is_found():
    report = sr.risk_report(diagnosis(), shuffle(diagnosis()), **ROLES, control=another_diagnosis())
    assert any(one.startswith("Taking part shows") for one in report.look_at)
    assert any(one.startswith(ADDS) for one in report.look_at)


def test_a_small_control_is_too_small_to_say():
    made = cart(another_diagnosis())
    control = sr.load_diagnosis().iloc[2000:2060].reset_index(drop=True)
    report = sr.risk_report(diagnosis(), made, **ROLES, control=control)
    assert report.look_at == []
    assert "too few to say" in report.html


# ---------------------------------------------------------------------- the page and the notebook


def test_nothing_of_the_data_runs_on_the_page():
    text = ["=1+1", "<script>alert(2)</script>", "*a*", "[x](javascript:1)"] * 10
    data = pd.DataFrame({EVIL: text, "cost*2*3": range(40), "$\\frac$": list("ab") * 20})
    made = data.assign(**{"cost*2*3": range(40, 80)})
    roles = {"keys": [EVIL, "$\\frac$"], "targets": ["cost*2*3"]}
    known = {"known": [EVIL], "synthesized": ["cost*2*3"]}
    page = sr.risk_report(data, made, **roles, **known, title=f"<b>{EVIL}</b>", records=2).html
    assert "<script" not in page and "<img src=x" not in page and "<em>2</em>" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page and "cost*2*3" in page
    assert "http" not in page.replace("http-equiv", "")


def test_values_of_records_stand_on_the_page_only_if_asked_for():
    income = f"{sr.load_diagnosis().income.max():,.0f}"
    assert income not in sr.risk_report(diagnosis(), cart(diagnosis()), **ROLES).html
    shown = sr.risk_report(OFFICE, RELEASED, **BOTH, records=2)
    assert "Record 2: the intruder looks for" in shown.html
    looked_up = sr.risk_report(OFFICE, RELEASED, keys=["Sex"], targets=["Job"], records=1)
    assert "as confidential as the data" in looked_up.html


def written(folder):
    """The paths of the office's two files."""
    paths = [folder / "office.csv", folder / "released.csv"]
    for path, one in zip(paths, (OFFICE, RELEASED), strict=True):
        one.to_csv(path, index=False, sep=";")
    return paths


def test_the_saved_notebook_runs_by_run_all_and_finds_the_same(tmp_path):
    from nbconvert.preprocessors import ExecutePreprocessor  # runs it with nbclient

    pair = read_pair(*written(tmp_path), sep=";")
    report = sr.risk_report(*pair, **BOTH, limits={"DiSCO of Job, %": np.float64(20)})
    report.save(tmp_path / "report.ipynb")
    saved = nbformat.read(tmp_path / "report.ipynb", as_version=4)
    nbformat.validate(saved)
    ends_with = "print(numbers.to_csv(index=False))"
    saved.cells.append(nbformat.v4.new_code_cell(ends_with))
    done, _ = ExecutePreprocessor(kernel_name="python3").preprocess(saved)
    text = "".join(one["text"] for one in done.cells[-1].outputs if one["name"] == "stdout")
    (tmp_path / "numbers.csv").write_text(text)
    again = pd.read_csv(tmp_path / "numbers.csv")
    pd.testing.assert_frame_equal(again, report.numbers)


def test_a_cell_is_changed_and_the_report_run_again(tmp_path):
    report = sr.risk_report(*read_pair(*written(tmp_path), sep=";"), **PARTIAL)
    report.cells["parameters"].source += '\nknown = ["Sex"]'
    again = report.run()
    assert compared(again, "expected match risk")["synthetic, giving up"] == 2
    assert compared(report, "expected match risk")["synthetic, giving up"] == 3


def test_a_notebook_of_frames_asks_for_files(tmp_path):
    frames = sr.risk_report(OFFICE, RELEASED, **PARTIAL)
    assert frames.cells["parameters"].source.startswith("confidential = None  # the path")
    with pytest.raises(TypeError, match="name the path of a file, not None"):
        frames.run()
    true, made = read_pair(*written(tmp_path), sep=";")
    true["Sex"] = true.Sex.astype("category")  # no longer as it was read
    changed = sr.risk_report(true, made, **PARTIAL)
    assert changed.cells["parameters"].source.startswith("confidential = None")


def test_the_notebook_is_plain_and_short():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    assert len(notebook.cells) <= 42
    assert max(len(cell.source.splitlines()) for cell in code) <= 35


def test_the_cells_run_in_this_process_and_show_what_jupyter_shows():
    cells = ["print('a < b')", "x = 1\nx + 1", "pd.DataFrame({'<b>': [1]})", "y = 2"]
    cells = [nbformat.v4.new_code_cell(source) for source in cells]
    notebook = nbformat.v4.new_notebook(cells=cells)
    names = run_cells(notebook, {"pd": pd})
    outputs = [cell.outputs for cell in notebook.cells]
    assert outputs[0][0]["text"] == "a < b\n" and outputs[1][0]["data"]["text/plain"] == "2"
    assert "&lt;b&gt;" in outputs[2][0]["data"]["text/html"] and outputs[3] == []
    assert names["y"] == 2


def test_nothing_of_the_caller_is_changed_and_equal_seeds_give_equal_pages():
    before = diagnosis(), cart(diagnosis())
    options = pd.options.display.max_rows
    first, second = (sr.risk_report(*before, **ROLES) for _ in range(2))
    assert first.html == second.html
    assert nbformat.writes(first.notebook) == nbformat.writes(second.notebook)
    pd.testing.assert_frame_equal(before[0], diagnosis())
    assert pd.options.display.max_rows == options


def test_a_page_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    report, path = sr.risk_report(OFFICE, RELEASED, **PARTIAL), tmp_path / "page.html"
    path.write_text("the old page")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        report.save(path)
    assert path.read_text() == "the old page" and list(tmp_path.iterdir()) == [path]
    monkeypatch.undo()
    assert report.save(path).read_text("utf-8") == report.html
    with pytest.raises(ValueError, match=r"must end with .html"):
        report.save(tmp_path / "page.pdf")
    with pytest.raises(FileNotFoundError):
        report.save(tmp_path / "nowhere" / "page.html")


# ------------------------------------------------------------------------------ the command line

ASKED = ["--keys", "Sex", "Town", "--targets", "Job", "--sep", ";"]


def test_without_nbconvert_the_page_is_refused_and_the_notebook_saved(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "nbconvert", None)
    report = sr.risk_report(OFFICE, RELEASED, **PARTIAL)
    with pytest.raises(ImportError, match=r"install it.*synthrisk_edu\[pages\].*save the notebook"):
        report.save(tmp_path / "page.html")
    report.save(tmp_path / "report.ipynb")
    assert [path.name for path in tmp_path.iterdir()] == ["report.ipynb"]


def test_the_command_line_makes_page_and_notebook(tmp_path, capsys):
    out = [str(tmp_path / name) for name in ("page.html", "report.ipynb")]
    assert command.main([*map(str, written(tmp_path)), *ASKED, "-o", *out]) == 0
    assert "Saved page.html and report.ipynb." in capsys.readouterr().out
    assert "commonest answer" in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize(("most", "code"), [("20", 2), ("30", 0)])
def test_a_limit_that_is_passed_gives_2(tmp_path, capsys, most, code):
    out = ["-o", str(tmp_path / "page.html"), "--limits", f"DiSCO of Job, %={most}"]
    assert command.main([*map(str, written(tmp_path)), *ASKED, *out]) == code
    said = "DiSCO of Job, % is 25, above your limit of 20."
    assert (said in capsys.readouterr().err) == (code == 2)
    assert (said in (tmp_path / "page.html").read_text("utf-8")) == (code == 2)


def test_errors_speak_the_language_of_the_command_line(tmp_path, capsys):
    ours, _ = written(tmp_path)
    comma, latin = tmp_path / "comma.csv", tmp_path / "latin.csv"
    comma.write_text("Sex;Job;Income\nF;cook;10,5\n")
    latin.write_bytes("Sex;Job\nF;Köchin\n".encode("cp1252"))
    for path, words in ((comma, "--decimal ,"), (latin, "--encoding cp1252")):
        assert command.main([str(ours), str(path), *ASKED]) == 1
        said = capsys.readouterr().err
        assert words in said and "=" not in said and said.count("\n") == 1
    assert command.main([str(ours), str(ours), *ASKED[:-2]]) == 1
    assert "--sep ;" in capsys.readouterr().err
    assert command.main([str(ours), str(ours), "--sep", ";"]) == 1
    assert "--keys … and --targets …" in capsys.readouterr().err
    assert command.main([str(ours), str(ours), *ASKED, "--limits", "repU"]) == 1
    assert "must be a name, an equals sign and a number" in capsys.readouterr().err


def test_codes_and_text_from_the_command_line(tmp_path):
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for seed, path in enumerate(paths):
        rng = np.random.default_rng(seed)
        income = np.where(rng.random(300) < 0.3, -8, rng.integers(1, 9999, 300))
        pd.DataFrame({"zip": "01234", "income": income, "x": list("abc") * 100}).to_csv(
            path, index=False
        )
    roles = ["--keys", "zip", "x", "--targets", "income", "--special", "income=-8", "--text", "zip"]
    out = ["-o", str(tmp_path / "page.html")]
    assert command.main([*map(str, paths), *roles, *out]) == 0
    assert "income -8.0" in (tmp_path / "page.html").read_text("utf-8")


def test_every_option_is_described():
    assert all(action.help for action in command.parser()._actions)
    with pytest.raises(SystemExit) as stopped:
        command.main(["only_one.csv"])
    assert stopped.value.code == 1  # 2 would be a limit that was passed


def test_a_report_imports_no_widgets():
    code = "import synthrisk_edu as sr, sys; sr.risk_report; sys.exit('ipywidgets' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# -------------------------------------------------------------------------------------- the panel


def test_the_panel_asks_for_roles_and_makes_and_saves_a_report(tmp_path):
    panel = widgets.report_panel(OFFICE, RELEASED)
    panel.make.click()
    assert "name the roles" in panel.sentence.value and panel.error is not None
    for name, role in zip(OFFICE, ("known", "known", "synthesized"), strict=True):
        panel.roles[name].value = role
    panel.make.click()
    assert panel.error is None and "expected match risk" in panel.page.value
    for name in ("page.html", "report.ipynb"):
        panel.where.value = str(tmp_path / name)
        panel.save.click()
        assert panel.error is None and (tmp_path / name).exists()


def test_the_panel_reads_files_and_says_what_is_wrong(tmp_path):
    panel = widgets.report_panel()
    panel.make.click()
    assert "Read two files first" in panel.sentence.value
    ours, made = written(tmp_path)
    panel.paths[0].value, panel.paths[1].value = "nowhere.csv", str(made)
    panel.read.click()
    assert "there is no file" in panel.sentence.value
    panel.paths[0].value = str(ours)
    panel.read.click()
    assert "sep=&#x27;;&#x27;" in panel.sentence.value
    panel.options.value = "sep=;"
    panel.read.click()
    assert panel.error is None and list(panel.roles) == ["Sex", "Town", "Job"]
    panel.roles["Sex"].value, panel.roles["Town"].value = "key", "identifier"
    panel.roles["Job"].value = "weight"
    assert panel.chosen() == {"keys": ["Sex"], "identifiers": ["Town"], "weights": "Job"}
