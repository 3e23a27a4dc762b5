"""The simulated files: made by the script, like the surveys they stand in for, loaded safely.

The tables of facts read like the list of calibration facts; each says how close is close enough.
Chance moves a simulated share by about one standard error, √(p(1−p)/n): tight tolerances belong to
large groups, wide ones to small groups.
"""

import importlib.util
import os
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu import cells, data, plots
from synthrisk_edu.data import (
    codebook,
    load_acs,
    load_ce,
    load_diagnosis,
    load_youth,
    prepare_youth,
)
from synthrisk_edu.widgets import look_up_panel

ROOT = Path(__file__).parent.parent
REFERENCE = Path(os.environ.get("SYNTHRISK_EDU_REFERENCE", "not at hand"))
LOADERS = {"acs": load_acs, "ce": load_ce, "diagnosis": load_diagnosis, "youth": load_youth}


@pytest.fixture(scope="module")
def script():
    """The script that makes the files, imported by its path."""
    spec = importlib.util.spec_from_file_location("make_data", ROOT / "data" / "make_data.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def acs():
    """The ACS file with codes as numbers."""
    return load_acs().astype(int)


@pytest.fixture(scope="module")
def ce():
    """The CE file with codes as numbers."""
    return load_ce().astype({name: int for name in ["Urban", "Tenure", "Educ", "Marital"]})


@pytest.fixture(scope="module")
def diagnosis():
    """The Diagnosis file."""
    return load_diagnosis()


@pytest.fixture(scope="module")
def youth():
    """The Youth file with codes as numbers, missing ones as NaN."""
    return load_youth().astype(float)


@pytest.fixture(scope="module")
def positive(ce):
    """The units with income and expenditure, and the logarithms of both."""
    both = ce[(ce["Income"] > 0) & (ce["Expenditure"] > 0)]
    return both.assign(lI=np.log(both["Income"]), lE=np.log(both["Expenditure"]))


@cache
def simulated(script, name):
    """What the script makes, made once."""
    return script.simulate(name)


def shares(column):
    """The share of every code, in the order of the codes."""
    return column.value_counts(normalize=True).sort_index()


def cells_and_uniques(frame, names):
    """How many combinations occur, and how many of them once."""
    sizes = frame.groupby(names).size()
    return len(sizes), int((sizes == 1).sum())


def cramers_v(first, second):
    """Cramér's V of two coded variables, from the definition."""
    table = pd.crosstab(first, second).to_numpy(dtype=float)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    chi2 = ((table - expected) ** 2 / expected).sum()
    return np.sqrt(chi2 / table.sum() / (min(table.shape) - 1))


# --- The files are what the script makes ---------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", LOADERS)
def test_file_is_byte_for_byte_what_the_script_makes(script, name):
    assert script.as_csv(simulated(script, name)) == (ROOT / "data" / f"{name}.csv").read_bytes()


def test_script_writes_only_the_files_it_is_asked_for(script, tmp_path, monkeypatch):
    monkeypatch.setattr(script, "FOLDER", tmp_path)
    script.main(["ce"])
    assert [path.name for path in tmp_path.iterdir()] == ["ce.csv"]


def test_script_refuses_an_unknown_name_in_one_sentence(script, tmp_path, monkeypatch):
    monkeypatch.setattr(script, "FOLDER", tmp_path)
    with pytest.raises(SystemExit, match=r"^There is no recipe for 'asc'; choose from acs, ce"):
        script.main(["ce", "asc"])
    assert not any(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("name", LOADERS)
def test_another_seed_gives_another_file_of_the_same_form(script, name):
    other = script.RECIPES[name](np.random.default_rng(999))
    ours = simulated(script, name)
    assert not other.equals(ours)
    assert other.shape == ours.shape
    assert list(other.dtypes) == list(ours.dtypes)


def test_numbers_are_written_as_in_the_survey_file(ce):
    lines = (ROOT / "data" / "ce.csv").read_text(encoding="utf-8").splitlines()
    cells = pd.DataFrame([line.split(",") for line in lines[1:]], columns=lines[0].split(","))
    assert cells["Income"].str.fullmatch(r"-?\d+").all()
    assert cells["Expenditure"].str.fullmatch(r"\d+(\.\d{0,3}[1-9])?").all()
    assert (cells["Expenditure"].astype(float) == ce["Expenditure"]).all()


def test_no_real_unit_is_in_the_ce_file(ce):
    path = REFERENCE / "ce" / "CEdata.csv"
    if not path.is_file():
        pytest.skip("the real CE file is not here (set SYNTHRISK_EDU_REFERENCE to its folder)")
    real = pd.read_csv(path)
    numbers = ["Age", "Income", "Expenditure"]
    both = ce[ce["Expenditure"] > 0].merge(real, on=numbers)
    assert len(both) == 0


# --- ACS -----------------------------------------------------------------------------------------

ACS_COUNTS = {  # exact: the script exchanges persons until these agree
    "SEX": [4699, 5301],
    "RACE": [7429, 1971, 104, 126, 145, 225],
    "MAR": [5341, 805, 1085, 311, 2458],
    "LANX": [812, 9188],
    "WAOB": [9223, 35, 308, 231, 133, 40, 30],
    "DIS": [1846, 8154],
    "HICOV": [8350, 1650],
    "MIG": [8516, 54, 1430],
    "SCH": [8925, 835, 240],
    "HISP": [9539, 461],
}

# P(variable = code | given = 1, 2, …). The list of facts says "RACE 4 → WAOB 4 .840; RACE 6 →
# WAOB 3 .548", but then more than everyone of RACE 4 would be born somewhere (.373 + .840 > 1):
# the two are exchanged here, as in the survey file.
ACS_SHARES = [
    ("LANX", 1, "WAOB", [0.026, 0.829, 0.883, 0.835, 0.308, 0.775, 0.133]),
    ("LANX", 1, "RACE", [0.059, 0.030, 0.115, 0.675, 0.200, 0.844]),
    ("WAOB", 1, "RACE", [0.945, 0.968, 0.933, 0.373, 0.821, 0.147]),
    ("WAOB", 3, "RACE", [None, None, None, 0.548, None, None]),
    ("WAOB", 4, "RACE", [None, None, None, None, None, 0.840]),
    ("DIS", 1, "MAR", [0.139, 0.498, 0.258, 0.228, 0.142]),
    ("HICOV", 2, "MAR", [0.114, 0.048, 0.208, 0.296, 0.279]),
    ("MIG", 1, "MAR", [0.904, 0.925, 0.861, 0.723, 0.727]),
    ("SCH", 2, "MAR", [0.035, 0.007, 0.041, 0.029, 0.239]),
    ("HICOV", 2, "LANX", [0.383, 0.146]),
]

ACS_ASSOCIATIONS = [  # Cramér's V, within .03
    ("LANX", "WAOB", 0.74),
    ("WAOB", "HISP", 0.75),
    ("MAR", "DIS", 0.26),
    ("MAR", "SEX", 0.20),
]

QUASI = ["SEX", "RACE", "MAR"]
ACS_CELLS = [  # variables, cells ± tolerance, uniques ± tolerance
    (QUASI, (57, 3), (4, 3)),
    ([*QUASI, "DIS", "HICOV"], (173, 8), (30, 6)),
    ([*QUASI, "WAOB"], (165, 12), (51, 10)),
    ([*ACS_COUNTS][:-1], (832, 80), (433, 60)),
]


def share_tolerance(size):
    """Three points of 100 in groups of 300 and more; in smaller ones chance needs more room."""
    return 0.03 if size >= 300 else 0.10 if size >= 100 else 0.20


@pytest.mark.parametrize(("name", "counts"), ACS_COUNTS.items())
def test_acs_counts(acs, name, counts):
    assert acs[name].value_counts().sort_index().to_dict() == dict(enumerate(counts, start=1))


@pytest.mark.parametrize(("name", "code", "given", "wanted"), ACS_SHARES)
def test_acs_shares(acs, name, code, given, wanted):
    for group, share in enumerate(wanted, start=1):
        members = acs.loc[acs[given] == group, name]
        if share is not None:
            got = (members == code).mean()
            assert got == pytest.approx(share, abs=share_tolerance(len(members))), (given, group)


@pytest.mark.parametrize(("first", "second", "wanted"), ACS_ASSOCIATIONS)
def test_acs_associations(acs, first, second, wanted):
    assert cramers_v(acs[first], acs[second]) == pytest.approx(wanted, abs=0.03)


@pytest.mark.parametrize(("names", "wanted_cells", "wanted_uniques"), ACS_CELLS)
def test_acs_cells_and_uniques(acs, names, wanted_cells, wanted_uniques):
    cells, uniques = cells_and_uniques(acs, names)
    assert cells == pytest.approx(wanted_cells[0], abs=wanted_cells[1])
    assert uniques == pytest.approx(wanted_uniques[0], abs=wanted_uniques[1])


# --- CE ------------------------------------------------------------------------------------------

CE_SHARES = {  # within .01
    "Urban": {1: 0.9325, 2: 0.0675},
    "Tenure": {1: 0.3685, 2: 0.2712, 4: 0.3367, 5: 0.0171, 6: 0.0065},
    "Educ": {
        0: 0.0036,
        10: 0.0307,
        11: 0.0666,
        12: 0.2267,
        13: 0.2086,
        14: 0.0950,
        15: 0.2289,
        16: 0.1400,
    },
    "Marital": {1: 0.5234, 2: 0.0959, 3: 0.1549, 4: 0.0239, 5: 0.2019},
}

# P(Marital = 1…5 | Tenure), within .015. The survey's figures are of its positive units.
MARITAL_BY_TENURE = {
    1: [0.684, 0.062, 0.132, 0.012, 0.109],
    2: [0.572, 0.177, 0.142, 0.014, 0.095],
    4: [0.326, 0.080, 0.192, 0.044, 0.358],
    6: [0, 0, 0, 0, 1],
}

MEAN_AGES = [  # within 2 years
    ("Tenure", {1: 51, 2: 65, 4: 46, 5: 47, 6: 21}),
    ("Marital", {1: 53, 2: 73, 3: 57, 4: 51, 5: 39}),
]

QUANTILES = [0.01, 0.05, 0.25, 0.50, 0.75, 0.95, 0.99]
QUANTILE_TOLERANCES = [0.30, 0.20, 0.15, 0.15, 0.15, 0.20, 0.30]
LOG_QUANTILES = {
    "Expenditure": [6.65, 7.35, 8.23, 8.84, 9.43, 10.26, 10.91],
    "Income": [6.63, 8.08, 10.09, 10.82, 11.50, 12.30, 12.99],
}

MOMENTS = [  # variable, statistic, wanted, tolerance
    ("Expenditure", "mean", 8.820, 0.05),
    ("Expenditure", "std", 0.899, 0.05),
    ("Income", "mean", 10.650, 0.05),
    ("Income", "std", 1.320, 0.05),
    ("Income", "skew", -1.77, 0.30),
]

CORRELATIONS = [("lE", "lI", 0.496), ("Educ", "lI", 0.331), ("Educ", "lE", 0.302)]  # within .05

# Regressions on the positive units, every coefficient within .1 or two standard errors. Reference
# levels: Urban 1, Tenure 1, Educ 0, Marital 1. R² and residual SD within .04.
REGRESSIONS = {
    "lI": {
        "R²": 0.283,
        "SD": 1.118,
        "const": [10.241],
        "Urban": [-0.495],
        "Tenure": [-0.361, -0.604, -0.915, -2.041],
        "Educ": [0.199, 0.254, 0.453, 0.621, 0.694, 1.055, 1.317],
        "Marital": [-0.601, -0.597, -0.433, -0.589],
        "Age": [0.023],
        "Age²/100": [-0.030],
    },
    "lE": {
        "R²": 0.334,
        "SD": 0.732,
        "const": [6.353],
        "lI": [0.215],
        "Urban": [-0.132],
        "Tenure": [-0.095, -0.208, -0.604, -1.046],
        "Educ": [-0.026, 0.005, 0.050, 0.202, 0.252, 0.309, 0.431],
        "Marital": [-0.263, -0.319, -0.248, -0.345],
        "Age": [0.015],
        "Age²/100": [-0.017],
    },
}

CE_UNIQUES = [  # variables, uniques, tolerance
    (["Age", "Urban"], 5, 4),
    (["Age", "Urban", "Marital"], 114, 25),
    (["Age", "Urban", "Tenure", "Educ", "Marital"], 1582, 120),
]

ROUNDED = {100: 0.49, 1_000: 0.35, 10_000: 0.09}  # share of positive incomes, within .03


def design(frame, terms):
    """One column per coefficient: indicators for categories, the number itself for the others."""
    columns = {"const": np.ones(len(frame))}
    for term in terms:
        if term in ("Urban", "Tenure", "Educ", "Marital"):
            for code in sorted(frame[term].unique())[1:]:
                columns[f"{term} {code}"] = (frame[term] == code).astype(float)
        elif term != "const":
            columns[term] = frame["Age"] ** 2 / 100 if term == "Age²/100" else frame[term]
    return pd.DataFrame(columns)


def least_squares(predictors, outcome):
    """Coefficients, their standard errors, R² and the residual standard deviation."""
    x, y = predictors.to_numpy(), outcome.to_numpy()
    coefficients = np.linalg.lstsq(x, y)[0]
    left = y - x @ coefficients
    sd = np.sqrt((left**2).sum() / (len(y) - x.shape[1]))
    errors = sd * np.sqrt(np.diag(np.linalg.inv(x.T @ x)))
    return coefficients, errors, 1 - left.var() / y.var(), sd


def log_positive(column):
    """The logarithms of the positive values."""
    return np.log(column[column > 0])


def test_ce_signs_and_ends(ce, positive):
    assert (ce["Income"] <= 0).sum() == 449
    assert (ce["Income"] < 0).sum() == 4
    assert (ce["Expenditure"] <= 0).sum() == 5
    assert len(positive) == 5122
    assert ce["Income"].min() == -115_800
    assert ce["Income"].max() == pytest.approx(980_551, rel=0.10)


@pytest.mark.parametrize(("name", "wanted"), CE_SHARES.items())
def test_ce_shares(ce, name, wanted):
    got = shares(ce[name])
    assert got.index.tolist() == list(wanted)
    assert got.to_dict() == pytest.approx(wanted, abs=0.01)


def test_ce_age(ce):
    age = ce["Age"]
    assert (age.min(), age.max()) == (16, 88)
    assert not age.between(84, 87).any()
    assert age.quantile([0.25, 0.5, 0.75]).tolist() == pytest.approx([38, 53, 66], abs=2)
    assert age.std() == pytest.approx(17.7, abs=0.7)


@pytest.mark.parametrize(("given", "wanted"), MEAN_AGES)
def test_ce_mean_age(ce, given, wanted):
    assert ce.groupby(given)["Age"].mean().to_dict() == pytest.approx(wanted, abs=2)


@pytest.mark.parametrize(("tenure", "wanted"), MARITAL_BY_TENURE.items())
def test_ce_marital_by_tenure(ce, tenure, wanted):
    got = shares(ce.loc[ce["Tenure"] == tenure, "Marital"]).reindex(range(1, 6), fill_value=0)
    assert got.tolist() == pytest.approx(wanted, abs=0.015)


@pytest.mark.parametrize(("name", "wanted"), LOG_QUANTILES.items())
def test_ce_log_quantiles(ce, name, wanted):
    got = log_positive(ce[name]).quantile(QUANTILES)
    assert (np.abs(got.to_numpy() - wanted) <= QUANTILE_TOLERANCES).all(), got


@pytest.mark.parametrize(("name", "statistic", "wanted", "tolerance"), MOMENTS)
def test_ce_log_moments(ce, name, statistic, wanted, tolerance):
    assert log_positive(ce[name]).agg(statistic) == pytest.approx(wanted, abs=tolerance)


@pytest.mark.parametrize(("first", "second", "wanted"), CORRELATIONS)
def test_ce_correlations(positive, first, second, wanted):
    assert positive[first].corr(positive[second]) == pytest.approx(wanted, abs=0.05)


@pytest.mark.parametrize(("outcome", "wanted"), REGRESSIONS.items())
def test_ce_regressions(positive, outcome, wanted):
    terms = {term: values for term, values in wanted.items() if isinstance(values, list)}
    predictors = design(positive, terms)
    got, errors, r2, sd = least_squares(predictors, positive[outcome])
    distance = np.abs(got - np.concatenate([*terms.values()]))
    too_far = predictors.columns[distance > np.maximum(0.1, 2 * errors)]
    assert too_far.tolist() == []
    assert (r2, sd) == pytest.approx((wanted["R²"], wanted["SD"]), abs=0.04)


@pytest.mark.parametrize(("names", "wanted", "tolerance"), CE_UNIQUES)
def test_ce_uniques(ce, names, wanted, tolerance):
    assert cells_and_uniques(ce, names)[1] == pytest.approx(wanted, abs=tolerance)


@pytest.mark.parametrize(("step", "wanted"), ROUNDED.items())
def test_ce_incomes_are_rounded_as_people_round(positive, step, wanted):
    assert (positive["Income"] % step == 0).mean() == pytest.approx(wanted, abs=0.03)


# --- Diagnosis -----------------------------------------------------------------------------------

DIAGNOSIS_COUNTS = {  # exact, in the order of the codebook; whoever is left has no answer
    "sex": [2818, 2182],
    "region": [
        *[319, 313, 358, 301, 153, 371, 570, 153],
        *[313, 193, 306, 500, 230, 259, 413, 248],
    ],
    "placesize": [392, 327, 843, 407, 642, 2389],
    "ls": [191, 1947, 1692, 827, 274, 41, 20],
    "marital": [1253, 2979, 531, 199, 7, 22],
    "workab": [130, 4432],
}
DIAGNOSIS_MISSING = {"depress": 89, "income": 683, "ls": 8, "marital": 9, "workab": 438}  # exact

AGE_GROUPS = [16, 25, 35, 45, 60, 65, 98]  # where each group begins
DEPRESS_BY_AGE = [1.5, 1.9, 2.8, 4.6, 6.1, 9.2]  # means, within .25
KEYS = ["sex", "age", "region", "placesize"]
DIAGNOSIS_UNIQUES = [  # variables, uniques, tolerance
    (KEYS, 2419, 60),
    (["sex", "age", "region"], 573, 80),
    (["sex", "age", "placesize"], 120, 50),
]
# What the keys give away: % of records whose combination of keys has a single value of the target
# (missing counts as a value), within 5 points.
GIVEN_AWAY = {"depress": 53.3, "marital": 79.2, "workab": 90.9, "ls": 58.5, "income": 52.1}


def in_twenty_groups(income):
    """Twenty groups of positive incomes; the code and missing are groups of their own."""
    amounts = income.where(income > 0).to_numpy()
    groups = cells.quantile_groups(amounts, cells.quantile_breaks(amounts, 20))
    return income.mask(income > 0, groups)


@pytest.mark.parametrize(("name", "counts"), DIAGNOSIS_COUNTS.items())
def test_diagnosis_counts(diagnosis, name, counts):
    assert diagnosis[name].value_counts(sort=False).sort_index().tolist() == counts


def test_diagnosis_missing_values(diagnosis):
    missing = diagnosis.isna().sum()
    assert missing[missing > 0].to_dict() == DIAGNOSIS_MISSING


def test_diagnosis_age(diagnosis):
    age = diagnosis["age"]
    assert pd.api.types.is_integer_dtype(age)
    assert (age.min(), age.max()) == (16, 97)
    assert age.quantile([0.25, 0.5, 0.75]).tolist() == pytest.approx([32, 49, 61], abs=1)


def test_diagnosis_the_young_are_single(diagnosis):
    single = diagnosis["marital"] == "SINGLE"
    assert single[diagnosis["age"] <= 22].mean() > 0.95
    for age in (18, 19):
        assert (~single[diagnosis["age"] == age]).sum() in (1, 2)


def test_diagnosis_depression(diagnosis):
    points, age = diagnosis["depress"], diagnosis["age"]
    assert set(points.dropna()) == set(range(22))
    assert points.quantile([0.25, 0.5, 0.75]).tolist() == [1, 4, 7]
    groups = pd.cut(age, AGE_GROUPS, right=False)
    means = points.groupby(groups, observed=True).mean().tolist()
    assert means == pytest.approx(DEPRESS_BY_AGE, abs=0.25)
    assert age.corr(points, method="spearman") == pytest.approx(0.634, abs=0.02)


def test_diagnosis_satisfaction_goes_with_depression_and_age(diagnosis):
    level = diagnosis["ls"].cat.codes.where(diagnosis["ls"].notna())
    for name, wanted in {"depress": 0.317, "age": 0.168}.items():
        got = level.corr(diagnosis[name], method="spearman")
        assert got == pytest.approx(wanted, abs=0.05), name


def test_diagnosis_work_abroad_by_age(diagnosis):
    age, answer = diagnosis["age"], diagnosis["workab"]
    assert answer[age < 20].isna().mean() == pytest.approx(0.65, abs=0.07)
    assert answer[age.between(30, 64)].isna().mean() == pytest.approx(0.02, abs=0.015)
    assert (age[answer == "YES"] < 60).mean() > 0.9


def test_diagnosis_income(diagnosis):
    income = diagnosis["income"]
    assert (income == -8).sum() == 603
    positive = income[income > 0]
    assert len(positive) == 3714
    assert np.log(positive).agg(["mean", "std"]).tolist() == pytest.approx([7.211, 0.614], abs=0.02)
    common = [(positive == amount).mean() for amount in (1000, 1500, 2000)]
    assert common == pytest.approx([0.076, 0.071, 0.070], abs=0.015)
    rounded = [(positive % step == 0).mean() for step in (10, 100, 500)]
    assert rounded == pytest.approx([0.94, 0.77, 0.34], abs=0.05)
    medians = positive.groupby(diagnosis["sex"], observed=True).median().to_dict()
    assert medians == pytest.approx({"FEMALE": 1200, "MALE": 1500}, abs=50)


def test_diagnosis_cities_belong_to_regions(diagnosis):
    assert cramers_v(diagnosis["region"], diagnosis["placesize"]) == pytest.approx(0.27, abs=0.02)


@pytest.mark.parametrize(("names", "wanted", "tolerance"), DIAGNOSIS_UNIQUES)
def test_diagnosis_uniques(diagnosis, names, wanted, tolerance):
    uniques = cells_and_uniques(diagnosis.astype(str), names)[1]
    assert uniques == pytest.approx(wanted, abs=tolerance)


@pytest.mark.parametrize(("target", "wanted"), GIVEN_AWAY.items())
def test_diagnosis_keys_give_targets_away(diagnosis, target, wanted):
    frame = diagnosis.assign(income=in_twenty_groups(diagnosis["income"])).astype({target: object})
    by_keys = frame.groupby(KEYS, observed=True)[target]
    values, sizes = by_keys.nunique(dropna=False), by_keys.size()
    given_away = 100 * sizes[values == 1].sum() / len(frame)
    assert given_away == pytest.approx(wanted, abs=5)


def test_no_real_person_with_an_income_is_in_the_diagnosis_file(diagnosis):
    """Without an income, a few agree by chance: most are young, single and without symptoms."""
    path = REFERENCE / "sd2011" / "original.csv"
    if not path.is_file():
        pytest.skip("the real file is not here (set SYNTHRISK_EDU_REFERENCE to its folder)")
    both = diagnosis, pd.read_csv(path)
    ours, real = (frame.astype(object).where(frame.notna(), "") for frame in both)
    both = ours.merge(real.drop_duplicates())
    assert not (pd.to_numeric(both["income"]) > 0).any()
    assert len(both) < 30  # two simulations with different seeds have 10 to 18 rows in common


# --- Youth ---------------------------------------------------------------------------------------

YOUTH_COUNTS = {  # exact, codes 1, 2, …; whoever is left has no answer
    "race": [1348, 1120, 23, 69, 58],
    "ethnicity": [467, 2146],
    "sex": [2473, 148],
    "crime": [1169, 1108, 169, 123, 40],
}
YOUTH_MISSING = {"race": 3, "ethnicity": 8, "crime": 12}  # exact
FACILITY_SIZES = [  # exact, in order of size
    *[5, 5, 6, 7, 7, 8, 8, 12, 13, 15, 18, 19, 19, 22, 28, 28, 32, 39, 44, 45, 46, 47, 47, 48, 48],
    *[48, 51, 52, 57, 57, 58, 59, 65, 65, 66, 69, 72, 76, 77, 78, 81, 83, 84, 93, 94, 103, 105],
    *[115, 143, 154],
]
HISPANIC_BY_RACE = {1: (344, 1345), 2: (53, 1115), 3: (2, 23), 4: (10, 69), 5: (55, 58)}
FACILITY_SHARES = [  # share of a code in the facilities: quantiles 10, 25, 50, 75, 90 %, within .06
    ("race", 1, [0.28, 0.34, 0.51, 0.68, 0.80]),
    ("race", 2, [0.10, 0.26, 0.43, 0.62, 0.71]),
    ("ethnicity", 1, [0, 0.04, 0.13, 0.31, 0.42]),
]
YOUTH_ASSOCIATIONS = [  # Cramér's V, within .04
    ("facility", "race", 0.305),
    ("facility", "ethnicity", 0.417),
    ("race", "ethnicity", 0.402),
]
YOUTH_KEYS = ["facility", "race", "ethnicity"]
YOUTH_UNIQUES = [  # variables, uniques, tolerance
    (YOUTH_KEYS[:2], 26, 10),
    (YOUTH_KEYS, 62, 12),
    ([*YOUTH_KEYS, "age"], 305, 50),
]


@pytest.mark.parametrize(("name", "counts"), YOUTH_COUNTS.items())
def test_youth_counts(youth, name, counts):
    assert youth[name].value_counts().sort_index().to_dict() == dict(enumerate(counts, start=1))


def test_youth_missing_values(youth):
    missing = youth.isna().sum()
    assert missing[missing > 0].to_dict() == YOUTH_MISSING


def test_youth_facilities_lie_in_strata(youth):
    assert sorted(youth["facility"].value_counts()) == FACILITY_SIZES
    assert (youth.groupby("facility")["stratum"].nunique() == 1).all()
    in_stratum = youth.groupby("stratum")["facility"].nunique()
    assert in_stratum.tolist() == [11, 7, 7, 7, 7] + [1] * 11


def test_youth_age_and_weight():
    age, weight = load_youth()["age"], load_youth()["weight"]
    assert pd.api.types.is_integer_dtype(age)
    assert (age.min(), age.max(), age.mode().tolist()) == (11, 24, [17])
    assert weight.min() == 5
    assert 40 <= weight.max() <= 50
    assert weight.mean() == pytest.approx(9.54, abs=0.05)
    ranges = weight.groupby(load_youth()["facility"], observed=True).agg(["min", "max"])
    assert (ranges["max"] - ranges["min"] <= 1).all()


@pytest.mark.parametrize(("race", "wanted"), HISPANIC_BY_RACE.items())
def test_youth_hispanic_by_race(youth, race, wanted):
    answers = youth.loc[youth["race"] == race, "ethnicity"].dropna()
    assert ((answers == 1).sum(), len(answers)) == wanted


@pytest.mark.parametrize(("name", "code", "wanted"), FACILITY_SHARES)
def test_youth_facilities_differ(youth, name, code, wanted):
    got = (youth[name] == code).groupby(youth["facility"]).mean()
    assert got.quantile([0.1, 0.25, 0.5, 0.75, 0.9]).tolist() == pytest.approx(wanted, abs=0.06)


@pytest.mark.parametrize(("first", "second", "wanted"), YOUTH_ASSOCIATIONS)
def test_youth_associations(youth, first, second, wanted):
    assert cramers_v(youth[first], youth[second]) == pytest.approx(wanted, abs=0.04)


@pytest.mark.parametrize(("names", "wanted", "tolerance"), YOUTH_UNIQUES)
def test_youth_uniques(youth, names, wanted, tolerance):
    """Among those who answered; a missing value is not a level here."""
    assert cells_and_uniques(youth, names)[1] == pytest.approx(wanted, abs=tolerance)


def test_youth_without_four_facilities():
    kept = prepare_youth(load_youth()).astype(float)
    assert len(kept) == 2562
    uniques = cells_and_uniques(kept, YOUTH_KEYS)[1]  # here, missing is a level
    assert uniques == pytest.approx(64, abs=12)


def test_youth_crime_goes_with_age_and_sex(youth):
    ages = youth.groupby("crime")["age"].mean()
    assert ages[5] < ages[2] < ages[1] < ages[3]
    juvenile = (youth["crime"] == 5).groupby(youth["sex"]).mean()
    assert juvenile[2] > 2 * juvenile[1]


# --- Loading -------------------------------------------------------------------------------------


@pytest.mark.parametrize("load", LOADERS.values())
def test_every_load_gives_a_fresh_frame(load):
    first, again = load(), load()
    pd.testing.assert_frame_equal(first, again)
    first.iloc[0] = first.iloc[1]
    del first[first.columns[0]]
    pd.testing.assert_frame_equal(load(), again)


@pytest.mark.parametrize("name", LOADERS)
def test_codebook_covers_every_column_and_code(name):
    frame, book = LOADERS[name](), codebook(name)
    assert list(book) == ["variable", "label", "description", "type", "code", "meaning"]
    assert book["variable"].unique().tolist() == list(frame)
    assert book[["variable", "label", "description", "type", "meaning"]].notna().all(axis=None)
    assert book["description"].str.contains("simulated", case=False).all()
    for variable, rows in book.groupby("variable"):
        column = frame[variable]
        if isinstance(column.dtype, pd.CategoricalDtype):
            assert set(rows["type"]) == {"categorical"}
            assert column.cat.categories.tolist() == rows["code"].tolist()
            assert column.notna().all() or variable in {**DIAGNOSIS_MISSING, **YOUTH_MISSING}
            assert set(column.dropna()) == set(rows["code"])
        else:
            assert rows["type"].tolist() == ["numeric"]
            assert rows["code"].isna().all()
            assert pd.api.types.is_numeric_dtype(column)


def test_columns_and_kinds():
    assert list(load_acs()) == list(ACS_COUNTS)
    assert all(isinstance(dtype, pd.CategoricalDtype) for dtype in load_acs().dtypes)
    numbers, coded = ["Age", "Expenditure", "Income"], ["Urban", "Tenure", "Educ", "Marital"]
    assert list(load_ce()) == ["Age", *coded[:3], "Expenditure", "Marital", "Income"]
    assert list(load_ce().select_dtypes("number")) == numbers
    assert list(load_ce().select_dtypes("category")) == coded
    numbers, texts = ["age", "depress", "income"], ["ls", "marital", "workab"]
    assert list(load_diagnosis()) == [*KEYS, "depress", "income", *texts]
    assert list(load_diagnosis().select_dtypes("number")) == numbers
    assert list(load_diagnosis().select_dtypes("category")) == ["sex", *KEYS[2:], *texts]
    coded = ["facility", "stratum", "race", "ethnicity", "sex", "crime"]
    assert list(load_youth()) == [*coded[:5], "age", "crime", "weight"]
    assert list(load_youth().select_dtypes("category")) == coded
    for name in coded:  # also where values are missing, codes are whole numbers
        assert pd.api.types.is_integer_dtype(load_youth()[name].cat.categories)


# What somebody may hear about two variables, SEX and MAR, in a few words.
SAID = {
    "match": lambda frame: sr.baseline(frame, ["SEX"], ["MAR"]).explain(0),
    "narrow_down": lambda frame: " ".join(sr.narrow_down(frame, ["SEX", "MAR"], 0).fact),
    "disclosure": lambda frame: sr.disclosure(frame, frame, ["SEX"], "MAR").explain(0),
    "intruder": lambda frame: sr.intruder_risk(frame, [frame], ["SEX"], ["MAR"]).explain(0),
    "funnel": lambda frame: plots.funnel(sr.disclosure(frame, frame, ["SEX"], "MAR")).alt,
    "panel": lambda frame: " ".join(
        look_up_panel(frame, frame, ["SEX"], ["MAR"]).controls["target"]._options_labels
    ),
}


@pytest.mark.parametrize("where", SAID)
def test_plain_words_are_for_our_own_files_only(where):
    """Somebody's own SEX and MAR are no variables of the ACS."""
    ours = load_acs()[["SEX", "MAR"]].head(50)
    theirs = pd.DataFrame(ours.to_dict("list")).astype("category")
    assert "marital status (MAR)" in SAID[where](ours)
    assert "MAR" in SAID[where](theirs) and "marital" not in SAID[where](theirs)


def test_a_frame_made_from_ours_is_ours():
    acs, persons, youth = load_acs(), load_diagnosis().head(200), load_youth()
    people = sr.in_words(acs, "acs")
    made = [
        people, people.head(3), people[people.SEX == "female"][["SEX", "MAR"]],
        people.assign(AGE=1).sort_values("SEX").reset_index(drop=True),
        sr.redraw(people, ["DIS"], ["SEX"], seed=1), *sr.load_acs_synthetics(),
        *sr.synthesize_dpmpm(people.head(100), ["DIS"], seed=1),
    ]  # fmt: skip
    assert [frame.attrs for frame in made] == [{"codebook": "acs"}] * len(made)
    made = [*sr.synthesize_cart(persons, list(persons), seed=1), sr.load_results("members_keys")]
    assert [frame.attrs for frame in made] == [{"codebook": "diagnosis"}] * 2
    assert sr.prepare_youth(youth).attrs == {"codebook": "youth"}
    homes = sr.load_households()
    wide = sr.households.flatten(homes.persons.head(1), homes.households.head(1))
    for frame in [*homes, sr.load_results("household_risk"), wide]:
        assert frame.attrs == {"codebook": "households"}


def test_results_keep_what_names_their_variables():
    ce, persons = load_ce().head(300), load_diagnosis().head(300)
    sweep = sr.radius_sweep(ce, [ce], ["Age"], ["Income"], [0.1])
    tables = sr.pmse_tables(persons, persons, 2)
    found = sr.compare_members(persons, lambda half, seed: half, lambda half, made: 1, splits=2)
    assert sweep.attrs == {"codebook": "ce"}
    assert tables.attrs == found.splits.attrs == {"codebook": "diagnosis"}
    assert sr.households.mean_ratios(tables).attrs == {"codebook": "diagnosis"}


@pytest.mark.parametrize("name", ["census", "ACS"])
def test_unknown_codebook_is_an_error_in_one_sentence(name):
    with pytest.raises(ValueError, match="name") as error:
        codebook(name)
    message = str(error.value)
    assert "'acs'" in message
    assert "'ce'" in message
    assert message.count(". ") == 0
    assert message.endswith(".")


def test_missing_file_is_an_error_of_the_package(monkeypatch, tmp_path):
    monkeypatch.setattr(data, "_folder", lambda: tmp_path)
    with pytest.raises(FileNotFoundError, match=r"The data file acs\S+ is missing .* make it anew"):
        load_acs()


def test_files_are_found_inside_an_installed_package(monkeypatch, tmp_path):
    package = tmp_path / "synthrisk_edu"
    monkeypatch.setattr(data, "__file__", str(package / "data.py"))
    assert data._folder() == tmp_path / "data"
    (package / "files").mkdir(parents=True)
    assert data._folder() == package / "files"


def test_files_are_found_from_any_working_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert len(load_ce()) == 5571
