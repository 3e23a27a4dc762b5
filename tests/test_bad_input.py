"""Bad input gets one sentence of our own: every public function, every argument, hostile values.

A call may succeed (some of the values are fine for some arguments) or raise an error of our own: of
a kind Python users expect, by a `raise` of the package, in one sentence that ends with a full stop.
What nothing can use, a bare object, has to be refused: an argument that takes it is not looked at.
A new public name, and a new method of what they return, is walked over by itself; only an argument
that is not in `GOOD` has to be added there.
"""
# ruff: noqa: E501

import inspect
import re
import traceback
from dataclasses import fields
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from test_households import patterns, people

import synthrisk_edu as sr
from synthrisk_edu import widgets
from synthrisk_edu.__main__ import main
from synthrisk_edu.disclosure import OPTIONS
from synthrisk_edu.report.roles import Choices

PACKAGE = str(Path(sr.__file__).parent)
OWN = (ValueError, TypeError, KeyError, IndexError, OSError)
LONGEST = 600  # characters of a sentence


def table(seed=1, n=24):
    """Return a small table with a bit of everything; equal to the others in Sex and Town."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "Sex": list("FM") * (n // 2),
            "Town": list("AAB") * (n // 3),
            "Job": rng.choice(["cook", "nurse", "pilot"], n),
            "Income": rng.integers(10, 90, n) * 100.0,
        }
    )


def counted(data):
    return data.groupby(["Sex", "Town", "Job"]).size().rename("count").reset_index()


PERSONS, HOUSEHOLDS = people(patterns(15, 3))
SCHOOLING = pd.Categorical(np.resize(["none", "middle", "degree"], len(PERSONS)))
PERSONS = PERSONS.assign(education=SCHOOLING, education_years=PERSONS.health, adl=0)
WIDE = sr.flatten(PERSONS, HOUSEHOLDS)
SMALL = sr.flatten(PERSONS[["household", "couple", "place", "gender", "weight"]], HOUSEHOLDS)
QIS = pd.DataFrame(
    {"state": list("AABB") * 6, "rural": list("urr") * 8, "age": list(range(12)) * 2}
)
POPULATION = QIS.groupby(["state", "rural", "age"]).size().mul(10).rename("count").reset_index()
HOMES = QIS.assign(age=range(24), income=np.arange(24) ** 2 + 10.0)  # each is the only one
DATA = table()
CHAIN = sr.fit_multinomial(DATA, ["Job"], ["Sex"])
MATCHER = sr.Matcher(DATA, table(2), ["Sex", "Town"], ["Job", "Income"])
RESULTS = [
    CHAIN, MATCHER, MATCHER.at({"Income": 0.1}),
    sr.intruder_risk(DATA, [table(2)], ["Sex", "Town"], ["Job"]),
    sr.disclosure(DATA, table(2), ["Sex", "Town"], "Job"),
    sr.compare_members(DATA, lambda half, seed: half, lambda half, made: 1.0, splits=2, seed=1),
    sr.risk_report(DATA, table(2), progress=False),
]  # fmt: skip

# Usable values, by the name of the argument, or of the function and the argument.
GOOD = {
    "confidential": DATA, "synthetic": table(2), "synthetics": [table(2), table(3)],
    "original": DATA, "data": DATA, "draws": [table(2)], "released": [table(2), table(3)],
    "known": ["Sex", "Town"], "synthesized": ["Job", "Income"], "variables": ["Job"],
    "given": ["Sex"], "keys": ["Sex", "Town"], "target": "Job", "targets": ["Job"],
    "radius": {"Income": 0.1}, "radii": [0.1, 0.2], "variable": "Income", "predictors": ["Sex"],
    "original_counts": counted(DATA), "synthetic_counts": counted(table(2)),
    "confidential_counts": counted(DATA), "unique_uniques_from_counts.qis": ["Sex", "Town"],
    "estimates": [[1.0], [2.0]], "covariances": [[[1.0]], [[2.0]]], "variances": [[1.0, 2.0]],
    "x": [1, 2, 3], "y": [2, 3, 4], "a": (0, 1), "b": (0.5, 2), "name": "acs", "m": 1,
    "sweep": pd.DataFrame({"radius": [0.1, 0.2], "expected_match_risk": [1.0, 2.0]}),
    "results": pd.DataFrame({"risk": [1.0, 2.0]}), "pool": pd.DataFrame({"risk": [1.0, 2.0]}),
    "rng": np.random.default_rng(1), "fits": [CHAIN], "youth": sr.load_youth(),
    "persons": PERSONS, "households": HOUSEHOLDS, "wide": WIDE, "frame": HOUSEHOLDS,
    "mapping": dict([HOUSEHOLDS.state.unique()[:2]]), "qis": ["state", "rural"], "fraction": 0.1, "table": QIS,
    "population": POPULATION, "weights": np.ones(15), "groups": HOUSEHOLDS[["state"]],
    "totals": {"state": HOUSEHOLDS.state.value_counts().astype(float)}, "r": [None] * 24, "cutoff": 0.5,
    "value": "age", "sizes": pd.Series({("A", "u"): 2}), "synthesize": lambda half, seed: half,
    "measure": lambda half, synthetic: 1.0, "exercise": "01.1", "answer": 1, "lesson": "01",
    "student": "me", "person": 0, "methods": pd.DataFrame({"method": ["tree only, cutoff 0.9"]}),
    "tables": pd.DataFrame({"variable_1": ["age"], "ratio": [1.0]}), "by": "release",
    "sweeps": pd.DataFrame({"release": ["a"], "radius": [0.1], "expected_match_risk": [1.0]}),
    "synthesize_linear.predictors": ["Town"], "intruder_risk.population": None,
    "synthesize_cart.predictors": None, "synthesize_cart.weights": None,
    "synthesize_multinomial.predictors": None, "synthesize_households.weights": None,
    "synthesize_dpmpm.data": DATA.drop(columns="Income"), "disclosure.groups": None,
    "combine_partially_synthetic.estimates": [1.0, 2.0],
    "combine_partially_synthetic.variances": [1.0, 2.0], "intruder_risk.weights": None,
    "narrow_down.variables": ["Sex", "Town"], "attribute_risk.b": (50, 20),
    "radius_sweep.fixed": None, "pmse.variables": ["Job", "Income"], "risk_report.radius": 0.1,
    "pmse_ratio.variables": ["Job"], "risk_report.progress": False, "extremes.variable": "age",
    "spouses.variable": "age", "unique_uniques.confidential": QIS, "unique_uniques.synthetic": QIS,
    "unique_pairs.confidential": QIS, "unique_pairs.synthetic": QIS,
    "attribute_risk.confidential": HOMES, "attribute_risk.synthetic": HOMES,
    "attribute_risk.qis": ["rural", "age"], "attribute_risk.value": "income", "attribute_risk.min_leaf": 2,
    "synthesize_households.wide": SMALL, "household_tables.confidential": WIDE, "household_tables.synthetic": WIDE,
    "attribute_risk.r": [0.5] * 24, "down_weights.r": [0.5, None], "load_results.name": "ce",
    "at_hand.name": "acs", "in_words.data": sr.load_acs(), "read_pair.confidential": b"Sex\nF\n",
    "read_pair.synthetic": b"Sex\nM\n", "share_curve.steps": 2, "average_of_m.repeats": 2,
    "report_from_counts.confidential": counted(DATA), "report_from_counts.synthetic": counted(table(2)),
    "count_file.path": Path(sr.__file__).parent.parent / "data" / "acs.csv", "count_file.columns": ["SEX"],
    "i": 0, "Match.range.variable": "Income", "many": [None], "where": "report.html",
    "Report.save.overwrite": True, "Report.text.name": "files", "Report.picture.name": "disclosure",
    "compare_members.splits": 2, "model_draws.h": 2, "synthesize_dpmpm.iterations": 4, "synthesize_dpmpm.classes": 2,
}  # fmt: skip

HOSTILE = [
    None, True, 0, -1, 0.5, 3, float("nan"), float("inf"), 10**30, 10**400, -(10**400), 1j,
    np.float16(0.5), np.array(3), np.array("text"), np.array([]), np.array([[1, 2]]), np.bool_(True),
    pd.NA, pd.NaT, Decimal("0.5"), Fraction(1, 3), date(2020, 1, 1), "", "text", "x" * 10_000,
    b"bytes", [], ["nowhere"], [None], [[]], [[1], [2]], ["Sex", "Sex"], [True], [pd.NA], [1, "a"],
    ("Sex",), {}, {"Sex": []}, {"nowhere": 1}, {None: None}, {pd.NA: 1}, set(), {1, 2}, len, int,
    np.timedelta64(1, "D"), np, pd.DataFrame, MATCHER, [10**400], [1e308] * 24,
    slice(1), range(300), [0.5] * 300, pd.DataFrame(), pd.DataFrame({"Sex": [[1], [2]] * 12}),
    pd.DataFrame([[1, 2]], columns=["Sex", "Sex"]), pd.DataFrame({"Sex": [1, "a"]}),
    pd.DataFrame({True: [1], None: [2], 3: [3]}), pd.Series([1, 2]), pd.Series(["a"]),
    pd.Series([{}, []]), pd.Index(["Sex"]), pd.date_range("2020", periods=3),
    DATA.astype("category"), DATA.assign(Job=np.nan), DATA.assign(Income=np.inf),
    DATA.assign(Income=10**400), DATA.assign(Job=[[1]] * 24), DATA.head(1), DATA.iloc[:, :0],
]  # fmt: skip


def generators():
    """Return hostile values that are used up by reading them, new for every call."""
    return [iter([]), (name for name in ["Sex"]), zip([1], [2], strict=True)]


PUBLIC = {
    name: getattr(sr, name)
    for name in dir(sr)
    if inspect.isfunction(getattr(sr, name)) and inspect.signature(getattr(sr, name)).parameters
} | {"Matcher": sr.Matcher}
METHODS = {
    f"{type(result).__name__}.{name}": getattr(result, name)
    for result in RESULTS
    for name, method in inspect.getmembers(type(result), inspect.isfunction)
    if not name.startswith("_") and len(inspect.signature(method).parameters) > 1
}
EVERYTHING = PUBLIC | METHODS


def good_arguments(name, function):
    """Return usable arguments for a call."""
    found = {}
    for argument, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        key = f"{name}.{argument}" if f"{name}.{argument}" in GOOD else argument
        if parameter.default is parameter.empty or f"{name}.{argument}" in GOOD:
            assert key in GOOD, f"{name} has a new argument {argument!r}: add a good value to GOOD"
            found[argument] = GOOD[key]
    return found


def is_our_own(error):
    """Say whether an error was raised by the package, in one sentence.

    What C code raises seems to come from the line of ours that called it: that line is no `raise`.
    """
    if not isinstance(error, OWN):
        return False
    last = traceback.extract_tb(error.__traceback__)[-1]
    words = str(error.args[0]) if error.args else ""
    return (
        last.filename.startswith(PACKAGE)
        and last.line.startswith("raise ")
        and words.endswith(".")
        and not re.search(r"\w\. [A-Z]", words)
        and "\n" not in words
        and len(words) < LONGEST
    )


CHOICES = [one.name for one in fields(Choices) if one.name != "options"]
PASSED_ON = {"how": ["relative", "shape", "bounds"], "options": OPTIONS, "choices": CHOICES}


def arguments_of(function):
    """List the arguments of a function, also those it passes on to another one."""
    found = []
    for name, parameter in inspect.signature(function).parameters.items():
        found += PASSED_ON[name] if parameter.kind is parameter.VAR_KEYWORD else [name]
    return list(dict.fromkeys(found))


LONG = ("synthesize_households", "household_tables", "risk_report", "marginals", "attribute_risk")
# Every sixth value each time the tests are run, and the others with the slow ones.
WALKS = [(name, slice(0, None, 6)) for name in EVERYTHING if name not in LONG]
SLOW_WALKS = [(name, slice(0, None, 6)) for name in LONG]
SLOW_WALKS += [(name, slice(k, None, 3)) for name in EVERYTHING for k in (1, 2)]
SLOW_WALKS += [(name, slice(3, None, 6)) for name in EVERYTHING]
SLOW = pytest.mark.slow
WALKS += [pytest.param(*walk, marks=SLOW) for walk in SLOW_WALKS]


@pytest.mark.parametrize(("name", "some"), WALKS)
@pytest.mark.filterwarnings("ignore")
def test_every_argument_of_every_public_function(name, some, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function = EVERYTHING[name]
    good = good_arguments(name, function)
    raw = []
    for argument in arguments_of(function):
        for value in [*HOSTILE[some], *([] if some.start else generators())]:
            if callable(value) and argument in ("allowed", "synthesize", "measure"):
                continue  # what the caller's own function raises is the caller's
            try:
                function(**(good | {argument: value}))
            except Exception as error:
                if not is_our_own(error):
                    last = traceback.extract_tb(error.__traceback__)[-1]
                    where = f"{Path(last.filename).name}:{last.lineno}"
                    raw.append(f"{argument}={str(value)[:50]!r}: {error!r:.160} at {where}")
    capsys.readouterr()
    assert not raw, f"{len(raw)} raw errors of {name}:\n" + "\n".join(raw)


ANY_VALUE = {"check.answer"}  # whatever a student answers is told to be right or wrong


@pytest.mark.parametrize("name", EVERYTHING)
def test_no_argument_is_ignored(name, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    good, taken = good_arguments(name, EVERYTHING[name]), []
    for argument in arguments_of(EVERYTHING[name]):
        try:
            EVERYTHING[name](**(good | {argument: object()}))
            taken.append(f"{name}.{argument}")
        except Exception as error:
            assert is_our_own(error), f"{argument}: {error!r}"
    capsys.readouterr()
    assert set(taken) <= ANY_VALUE


TABLES = "confidential synthetic synthetics original data draws released original_counts \
synthetic_counts confidential_counts".split()
HOSTILE_COLUMNS = {
    "Income": [
        DATA.Income.astype("float16"), DATA.Income.astype(np.longdouble), 10**400, 2**70, np.inf, pd.NA, pd.NaT, 1j, Decimal("0.5"),
        pd.array([1, None] * 12, dtype="Int8"), pd.timedelta_range("1D", periods=24),
        pd.array(DATA.Income, dtype="Float32"), pd.interval_range(0, 24),
    ],
    "Job": [
        [[1]] * 24, [{}] * 24, pd.NA, np.nan, [1, "a"] * 12, pd.Timestamp("2020"), b"x", True,
        [object() for _ in range(24)], [date(2020, 1, 1)] * 24, [Fraction(1, 3)] * 24,
        [(1, 2)] * 24, pd.interval_range(0, 24), [date(2020, 1, 1), pd.Timestamp("2020")] * 12,
    ],
    "Sex": [[[1], [2]] * 12, pd.Categorical(["F", "M"] * 12, ordered=True), [1, "a"] * 12, np.nan],
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=SLOW) if name in LONG else name for name in PUBLIC],
)
@pytest.mark.filterwarnings("ignore")
def test_the_same_hostile_table_in_every_place(name, capsys):
    """Two files that agree pass the comparisons of the two, and go on to the core."""
    good, raw = good_arguments(name, PUBLIC[name]), []
    tables = [one for one in TABLES if one in good]
    columns = HOSTILE_COLUMNS if tables else {}
    for column, value in ((key, one) for key, values in columns.items() for one in values):
        bad = DATA.assign(**{column: value}, count=1).rename_axis("Sex")
        places = {one: [bad] * 2 if isinstance(good[one], list) else bad for one in tables}
        try:
            PUBLIC[name](**(good | places))
        except Exception as error:
            if not is_our_own(error):
                raw.append(f"{column}={str(value)[:50]!r}: {error!r:.160}")
    capsys.readouterr()
    assert not raw, f"{len(raw)} raw errors of {name}:\n" + "\n".join(raw)


@pytest.mark.parametrize("name", EVERYTHING)
def test_the_usable_arguments_are_usable(name, capsys, tmp_path, monkeypatch):
    """Else the walk would meet the same error at every step, and show nothing."""
    if name in ("check", "load_results", "solution", "hint"):
        return  # exercises and results have tests of their own
    monkeypatch.chdir(tmp_path)
    EVERYTHING[name](**good_arguments(name, EVERYTHING[name]))
    capsys.readouterr()


# ------------------------------------------------------------------------------ panels

MADE = table(2).assign(Sex=DATA.Sex, Town=DATA.Town)
TWO = DATA.assign(Spent=DATA.Income * 0.8)
LOOKED_UP = {"original": DATA, "synthetic": MADE, "keys": ["Sex", "Town"], "targets": ["Job"]}
RELEASED = {"original": DATA, "synthetics": [MADE] * 2, "keys": ["Sex", "Town"]}
INTRUDER = {"confidential": DATA, "known": ["Sex", "Town"], "synthesized": ["Job"]}
PANELS = {
    "box_panel": {"confidential": TWO, "synthetic": TWO, "x": "Income", "y": "Spent", "category": "Sex"},
    "candidates_panel": {"data": DATA, "variables": ["Sex", "Town"], "ticked": ["Sex"]},
    "exclusions_panel": LOOKED_UP,
    "file_panel": {"data": DATA, "variables": ["Sex", "Job"], "ticked": ["Sex"]},
    "funnel_panel": RELEASED | {"targets": ["Job"]},
    "identity_panel": RELEASED,
    "interval_panel": {"confidential": DATA, "synthetic": MADE, "variable": "Income"},
    "known_panel": INTRUDER | {"synthetic": MADE, "variables": ["Sex", "Town"], "ticked": ["Sex"]},
    "look_up_panel": LOOKED_UP,
    "narrowing_panel": {"data": DATA, "variables": ["Sex", "Town", "Job"]},
    "population_panel": INTRUDER | {"draws": [MADE] * 2},
    "report_panel": {"confidential": DATA, "synthetic": MADE},
    "share_panel": {"data": DATA, "known": ["Sex", "Town"], "synthesized": ["Job"]},
    "sweep_panel": INTRUDER | {"synthetic": MADE, "synthesized": ["Income"]},
    "target_panel": INTRUDER | {"draws": {"two files": [MADE] * 2}},
    "targets_panel": LOOKED_UP,
    "threshold_panel": INTRUDER | {"released": [MADE] * 3, "files": (2, 3)},
}  # fmt: skip
PANELS["known_panel"] = {key: one for key, one in PANELS["known_panel"].items() if key != "known"}
# These show results that are stored, or that a lesson has just made.
OF_RESULTS = set(
    """attribute_panel average_panel classes_panel copies_panel fraction_panel
    knowledge_panel leaf_panel members_panel pool_panel protection_panel qis_panel release_panel
    scenario_panel sizes_panel surface_panel""".split()
)
AT_PANELS = [
    None, -1, 10**400, np.array(3), pd.NA, "nowhere", [], ["nowhere"], [None], ["Sex", "Sex"], {},
    {pd.NA: 1}, object(), pd.DataFrame(), pd.concat([DATA, DATA[["Sex"]]], axis=1), DATA.head(1),
    DATA.assign(Job=np.nan), DATA.assign(Job="a"), DATA.assign(Income=np.inf), pd.Index(["Sex"]),
    DATA.assign(Job=[[1]] * 24), DATA.assign(Income=10**400), [DATA, None], (3, 1), MATCHER,
]  # fmt: skip


def test_every_panel_of_tables_is_walked_over():
    made = {name for name in dir(widgets) if name.endswith("_panel")}
    assert made == PANELS.keys() | OF_RESULTS


QUICK_PANELS = ("box_panel", "identity_panel", "interval_panel", "narrowing_panel")


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK_PANELS else pytest.param(name, marks=SLOW) for name in PANELS],
)
@pytest.mark.filterwarnings("ignore")
def test_every_argument_of_every_panel(name):
    build, good, raw = getattr(widgets, name), PANELS[name], []
    assert build(**good).error is None
    for argument in inspect.signature(build).parameters:
        for value in AT_PANELS:
            try:
                error = build(**(good | {argument: value})).error
            except Exception as raised:
                error = raised
            if error is not None and not is_our_own(error):
                raw.append(f"{argument}={str(value)[:50]!r}: {error!r:.160}")
    assert not raw, f"{len(raw)} raw errors of {name}:\n" + "\n".join(raw)


# ------------------------------------------------------------------------------ the command line

CSV = "Sex,Job\nF,a\nM,b\nF,b\nM,a\n"
FILES = {
    "c.csv": CSV, "s.csv": CSV.replace("F,a", "F,b"), "limits.toml": "limits = 3",
    "intruders.toml": "intruders = 3", "words.toml": "[limits]\nrepU = 'x'", "broken.toml": "x = [",
}  # fmt: skip
REPORT = ["report", "c.csv", "s.csv"]
COUNT = [*REPORT, "--count", "--keys", "Sex", "--targets", "Job"]
WRONG_COMMANDS = [
    [], ["nonsense"], ["grade"], ["grade", "nowhere"], ["grade", ".", "--nonsense"], ["key"],
    ["key", "nowhere.csv"], ["key", "c.csv", "--lesson", "99"], ["reset"], ["reset", "99"],
    ["worksheets", "c.csv"], ["worksheets", "--x"], ["handouts", "c.csv"], ["handouts", "c.csv/x"],
    ["site", "c.csv"], ["site", "--x"], ["report"], [*REPORT, "--nonsense"], [*REPORT, "--seed", "-1"],
    [*REPORT, "--radius", "nan"], [*REPORT, "--limit", "repU=nan"], [*REPORT, "--limit", "x"],
    [*REPORT, "--config", "nowhere.toml"], [*REPORT, "--config", "broken.toml"],
    [*REPORT, "--config", "limits.toml"], [*REPORT, "--config", "intruders.toml"],
    [*REPORT, "--config", "words.toml"], [*REPORT, "--keys", "Nope"], [*REPORT, "--weights", "Sex"],
    [*REPORT, "-o", "nowhere/x.html"], [*REPORT, "--encoding", ""], [*COUNT, "--control", "c.csv"],
    [*COUNT, "--encoding", "cp1252"], [*COUNT, "--seed", "1"], [*COUNT, "--keys", "Nope"],
    [*COUNT, "--keys", "Job"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", WRONG_COMMANDS, ids=" ".join)
def test_a_wrong_command_gets_a_sentence_and_exit_code_1(arguments, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    try:
        code = main(arguments)
    except SystemExit as end:
        code = end.code
    said = capsys.readouterr().err.removesuffix("\n")
    assert code == 1
    assert said.endswith(".") and "\n" not in said and "Errno" not in said, said
    assert set(FILES) == {path.name for path in tmp_path.iterdir()}  # nothing was written
