"""Bad input gets one sentence of our own: every public function, every argument, hostile values.

A call may succeed (some of the values are fine for some arguments) or raise an error of our own: of
a kind Python users expect, raised in the package, in one sentence that ends with a full stop. A new
public name is walked over by itself; only an argument that is not in `GOOD` has to be added there.
"""
# ruff: noqa: E501

import inspect
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
DATA = table()
CHAIN = sr.fit_multinomial(DATA, ["Job"], ["Sex"])

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
    "attribute_risk.confidential": QIS, "attribute_risk.synthetic": QIS,
    "synthesize_households.wide": SMALL, "household_tables.confidential": WIDE, "household_tables.synthetic": WIDE,
    "attribute_risk.r": [0.5] * 24, "down_weights.r": [0.5, None], "load_results.name": "ce",
    "at_hand.name": "acs", "in_words.data": sr.load_acs(), "read_pair.confidential": b"Sex\nF\n",
    "read_pair.synthetic": b"Sex\nM\n", "share_curve.steps": 2, "average_of_m.repeats": 2,
    "report_from_counts.confidential": counted(DATA), "report_from_counts.synthetic": counted(table(2)),
    "count_file.path": Path(sr.__file__).parent.parent / "data" / "acs.csv", "count_file.columns": ["SEX"],
    "compare_members.splits": 2, "model_draws.h": 2, "synthesize_dpmpm.iterations": 4, "synthesize_dpmpm.classes": 2,
}  # fmt: skip

HOSTILE = [
    None, True, 0, -1, 0.5, 3, float("nan"), float("inf"), 10**30, 10**400, -(10**400), 1j,
    np.float16(0.5), np.array(3), np.array("text"), np.array([]), np.array([[1, 2]]), np.bool_(True),
    pd.NA, pd.NaT, Decimal("0.5"), Fraction(1, 3), date(2020, 1, 1), "", "text", "x" * 10_000,
    b"bytes", [], ["nowhere"], [None], [[]], [[1], [2]], ["Sex", "Sex"], [True], [pd.NA], [1, "a"],
    ("Sex",), {}, {"Sex": []}, {"nowhere": 1}, {None: None}, set(), {1, 2}, object(), len, int,
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
    """Say whether an error was raised by the package, in one sentence."""
    if not isinstance(error, OWN):
        return False
    where = traceback.extract_tb(error.__traceback__)[-1].filename
    words = str(error.args[0]) if error.args else ""
    return (
        where.startswith(PACKAGE)
        and words.endswith(".")
        and "\n" not in words
        and len(words) < LONGEST
    )


CHOICES = [one.name for one in fields(Choices) if one.name != "options"]
LONG = ("synthesize_households", "household_tables", "risk_report", "marginals", "attribute_risk")
# Every third value each time the tests are run, and the others with the slow ones.
WALKS = [(name, 0) for name in PUBLIC if name not in LONG]
SLOW_WALKS = [(name, 0) for name in LONG] + [(name, k) for name in PUBLIC for k in (1, 2)]
WALKS += [pytest.param(*walk, marks=pytest.mark.slow) for walk in SLOW_WALKS]


@pytest.mark.parametrize(("name", "first"), WALKS)
@pytest.mark.filterwarnings("ignore")
def test_every_argument_of_every_public_function(name, first, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function = PUBLIC[name]
    good = good_arguments(name, function)
    raw = []
    arguments = [
        argument
        for argument, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    for argument in [*arguments, *(CHOICES if name == "risk_report" else [])]:
        for value in [*HOSTILE[first::3], *generators()]:
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


TABLES = "confidential synthetic synthetics original data draws released original_counts \
synthetic_counts confidential_counts".split()
HOSTILE_COLUMNS = {
    "Income": [
        DATA.Income.astype("float16"), 10**400, 2**70, np.inf, pd.NA, pd.NaT, 1j, Decimal("0.5"),
        pd.array([1, None] * 12, dtype="Int8"), pd.timedelta_range("1D", periods=24),
        pd.array(DATA.Income, dtype="Float32"), pd.interval_range(0, 24),
    ],
    "Job": [
        [[1]] * 24, [{}] * 24, pd.NA, np.nan, [1, "a"] * 12, pd.Timestamp("2020"), b"x", True,
        [object() for _ in range(24)], [date(2020, 1, 1)] * 24, [Fraction(1, 3)] * 24,
        [(1, 2)] * 24, pd.interval_range(0, 24),
    ],
    "Sex": [[[1], [2]] * 12, pd.Categorical(["F", "M"] * 12, ordered=True), [1, "a"] * 12, np.nan],
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in PUBLIC],
)
@pytest.mark.filterwarnings("ignore")
def test_the_same_hostile_table_in_every_place(name, capsys):
    """Two files that agree pass the comparisons of the two, and go on to the core."""
    good, raw = good_arguments(name, PUBLIC[name]), []
    tables = [one for one in TABLES if one in good]
    columns = HOSTILE_COLUMNS if tables else {}
    for column, value in ((key, one) for key, values in columns.items() for one in values):
        bad = DATA.assign(**{column: value}, count=1)
        places = {one: [bad] * 2 if isinstance(good[one], list) else bad for one in tables}
        try:
            PUBLIC[name](**(good | places))
        except Exception as error:
            if not is_our_own(error):
                raw.append(f"{column}={str(value)[:50]!r}: {error!r:.160}")
    capsys.readouterr()
    assert not raw, f"{len(raw)} raw errors of {name}:\n" + "\n".join(raw)


@pytest.mark.parametrize("name", PUBLIC)
def test_the_usable_arguments_are_usable(name, capsys):
    """Else the walk would meet the same error at every step, and show nothing."""
    if name in ("check", "load_results", "solution", "hint"):
        return  # exercises and results have tests of their own
    PUBLIC[name](**good_arguments(name, PUBLIC[name]))
    capsys.readouterr()
