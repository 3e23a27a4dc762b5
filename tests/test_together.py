"""An intruder who uses all m files at once: by brute force, and as `intruder_risk` has it."""

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu.intruder import together


def by_brute_force(confidential, files, known, number, r):
    """Go through every target, file and candidate, with nothing but the definition."""
    risk, n = [], len(confidential)
    for i in range(n):
        t = confidential.iloc[i]
        alike = [j for j in range(n) if (confidential.iloc[j][known] == t[known]).all()]
        chance = np.zeros(n)
        for file in files:
            near = [j for j in alike if abs(file[number].iloc[j] - t[number]) <= r * abs(t[number])]
            chance[near or alike] += 1 / len(near or alike)
        top = np.flatnonzero(chance > chance.max() - 1e-9)
        risk.append((i in top) / len(top))
    return risk


@pytest.mark.parametrize("seed", range(4))
def test_together_by_brute_force(seed):
    rng = np.random.default_rng(seed)
    n, known = 25, ["Area"]
    data = pd.DataFrame({"Area": rng.choice(list("ab"), n), "Income": rng.integers(10, 40, n)})
    files = [data.assign(Income=rng.permutation(data.Income)) for _ in range(3)]
    files[0] = files[0].assign(Income=files[0].Income + 100)  # here nobody matches
    found = sr.match_together(data, files, known, ["Income"], {"Income": 0.125})
    expected = by_brute_force(data, files, known, "Income", 0.125)
    assert found.risk.tolist() == pytest.approx(expected)


def test_without_a_radius_it_is_what_intruder_risk_says():
    people, files = sr.load_acs().head(800), [one.head(800) for one in sr.load_acs_synthetics()[:3]]
    question = ["SEX", "RACE", "MAR"], ["DIS", "HICOV"]
    for m in (1, 3):
        found = sr.match_together(people, files[:m], *question)
        risk = sr.intruder_risk(people, files[:m], *question)
        assert found.risk.sum() == pytest.approx(risk.summary().expected)
        assert found[["c", "I"]].equals(risk.records[["c", "I"]])


def test_blocks_change_nothing_and_the_first_m_files_are_as_if_alone(monkeypatch):
    ce = sr.load_ce().head(300)
    files = sr.synthesize_cart(ce, ["Income"], m=3, seed=1)
    question = ["Urban"], ["Income"], 0.1
    whole = sr.match_together(ce, files, *question)
    monkeypatch.setattr(together, "PAIRS_AT_ONCE", 100)
    pd.testing.assert_frame_equal(sr.match_together(ce, files, *question), whole)
    alone = [sr.match_together(ce, files[:m], *question).risk.sum() for m in (1, 2, 3)]
    assert together.together_by_m(ce, files, *question).tolist() == pytest.approx(alone)


def test_pairs_are_the_candidates():
    ce = sr.load_ce().head(200)
    made = sr.synthesize_cart(ce, ["Income"], seed=1)[0]
    how = {"radius": {"Age": 0.2, "Income": 0.3}, "shape": "ellipse"}
    for options in ({"radius": 0.1}, {"radius": None}, how):
        found = sr.match(ce, made, ["Urban", "Age"], ["Income"], **options)
        target, candidate = found.pairs()
        for i in range(0, 200, 20):
            assert sorted(candidate[target == i]) == np.flatnonzero(found.matches(i)).tolist()
        assert len(target) == found.records.c.sum()
        some = target >= 150
        for ours, whole in zip(found.pairs(slice(150, 200)), (target, candidate), strict=True):
            assert ours.tolist() == whole[some].tolist()
