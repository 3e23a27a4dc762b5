"""The reports of three releases, number by number: as they were, and by the functions themselves.

`python tests/test_golden_reports.py` writes tests/golden/reports.json anew.
"""

import json
from pathlib import Path

import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_classroom import lesson
from synthrisk_edu.report.utility import propensity_model

GOLDEN = Path(__file__).parent / "golden" / "reports.json"
RELEASES = {"good": "made", "careless": "careless", "copy": "shuffled"}
ROWS = 1200
NUMBERS = ["Expenditure", "Income"]
SUMMARIES = ["expected_match_risk", "true_match_rate", "false_match_rate", "unique_matches"]


def make_report(release):
    """Return the two tables of a release, and their report."""
    d = lesson("09").story
    ours, theirs = d.units.head(ROWS), getattr(d, RELEASES[release]).head(ROWS)
    if release == "copy":
        theirs = ours.sample(frac=1, random_state=1, ignore_index=True)
    return ours, theirs, sr.risk_report(ours, theirs, progress=False, date="2026-01-01")


@pytest.fixture(scope="module", params=RELEASES)
def release(request):
    return request.param, *make_report(request.param)


def test_every_number_is_the_golden_one(release):
    name, _, _, report = release
    golden = json.loads(GOLDEN.read_text("utf-8"))[name]
    found = report.numbers.set_index("measure").value
    assert list(found.index) == list(golden)
    expected = pd.Series(golden, dtype=float)
    pd.testing.assert_series_equal(
        found, expected, check_names=False, rtol=1e-6, check_index_type=False
    )


def test_every_number_is_that_of_the_method(release):
    name, ours, theirs, report = release
    roles, expected = report.roles, {}
    expected |= files(ours, theirs)
    expected |= copied(ours, theirs, roles.keys)
    if name != "copy":
        known = [one for one in ours if one not in NUMBERS]
        assert (roles.known, roles.synthesized) == (known, NUMBERS)
        expected |= matched(ours, theirs, known) | swept(ours, theirs, known)
    expected |= looked_up(ours, theirs, roles.keys, roles.targets) | useful(ours, theirs)
    found = report.numbers.set_index("measure").value
    assert set(found.index) == set(expected)
    for measure, value in expected.items():
        assert found[measure] == pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True), measure


def files(ours, theirs):
    sizes = {"records, confidential": len(ours), "records, synthetic": len(theirs)}
    return sizes | {"synthetic tables": 1, "shared columns": len(ours.columns)}


def copied(ours, theirs, keys):
    found = {}
    for name, columns in {"all columns": list(ours), "the keys": keys}.items():
        count = sr.copies(ours, theirs, columns=columns).loc["original"]
        found[f"copies on {name}"] = count.rows
        found[f"copies of unique rows on {name}"] = count.of_unique
    distance = sr.closest_record(ours, theirs)["median"]["original"]
    return found | {"median distance to the closest record": distance}


def matched(ours, theirs, known):
    summaries = {
        "confidential": sr.baseline(ours, known, NUMBERS, 0.1).summary(),
        "synthetic": sr.match(ours, theirs, known, NUMBERS, 0.1).summary(),
        "floor": sr.floor(ours, known, {"Age": 0.1}).summary(),
    }
    return {
        f"{key.replace('_', ' ')}, {name}": summary[key]
        for name, summary in summaries.items()
        for key in SUMMARIES
    }


def swept(ours, theirs, known):
    radii = [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1]
    sweep = sr.radius_sweep(ours, [theirs], known, NUMBERS, radii, fixed={"Age": 0.1})
    without = sr.match(ours, theirs, known, [], {"Age": 0.1}).summary().expected_match_risk
    risk = sweep.set_index("radius").expected_match_risk
    return {f"expected match risk at radius {r:g}": risk[r] for r in radii} | {
        "maximizing radius": sr.maximizing_radius(sweep),
        "expected match risk without the synthesized numbers": without,
        "highest expected match risk": max(risk.max(), without),
    }


def looked_up(ours, theirs, keys, targets):
    groups = {name: 20 for name in NUMBERS if name in targets}
    table = sr.multi_disclosure(ours, theirs, keys, targets, groups=groups)
    found = {"UiO": table.UiO[0], "repU": table.repU[0]}
    for row in table.itertuples():
        found |= {f"{m} of {row.target}": getattr(row, m) for m in ("DiSCO", "Dorig")}
        found |= {
            f"{way} flag of {row.target}": int(flag)
            for way, flag in {"one-way": row.one_way, "two-way": row.two_way}.items()
        }
    return found


def useful(ours, theirs):
    model = propensity_model(ours, theirs)
    one, two = (sr.pmse_tables(ours, theirs, ways=ways) for ways in (1, 2))
    found = {"pMSE ratio of the file": sr.pmse_ratio(ours, theirs, model=model)}
    found |= {f"pMSE ratio of {row.variable_1}": row.ratio for row in one.itertuples()}
    two_way = {"worst": two.ratio.max(), "median": two.ratio.median()}
    return found | {f"{which} two-way pMSE ratio": x for which, x in two_way.items()}


def test_the_three_releases_read_as_they_are():
    golden = {
        name: pd.Series(numbers, dtype=float)
        for name, numbers in json.loads(GOLDEN.read_text("utf-8")).items()
    }
    risk, truth = ("expected match risk, synthetic", "expected match risk, confidential")
    assert golden["good"][risk] < 0.1 * golden["good"][truth]
    assert golden["careless"][risk] > 0.9 * golden["careless"][truth]
    unique = "copies of unique rows on all columns"
    assert golden["careless"][unique] < golden["good"][unique] < golden["copy"][unique]
    assert golden["copy"]["pMSE ratio of the file"] == pytest.approx(0, abs=1e-9)


if __name__ == "__main__":
    numbers = {}
    for name in RELEASES:
        found = make_report(name)[2].numbers.set_index("measure").value
        numbers[name] = {measure: None if pd.isna(x) else float(x) for measure, x in found.items()}
    GOLDEN.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")
