"""An intruder who uses all m files at once: by brute force, and as `intruder_risk` has it."""

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu import intruder

LIKE_MATCH = {"relative": True, "shape": "box"}


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
    found = sr.intruder_risk(data, files, known, ["Income"], radius=0.125, **LIKE_MATCH).records
    expected = by_brute_force(data, files, known, "Income", 0.125)
    assert (found.I / found.c).tolist() == pytest.approx(expected)


def test_portions_change_nothing(monkeypatch):
    ce = sr.load_ce().head(300)
    files = sr.synthesize_cart(ce, ["Income"], m=3, seed=1)
    question = ce, files, ["Urban"], ["Income"]
    whole = sr.intruder_risk(*question, radius=0.1, **LIKE_MATCH).records
    monkeypatch.setattr(intruder, "PAIRS_AT_ONCE", 100)
    pd.testing.assert_frame_equal(
        sr.intruder_risk(*question, radius=0.1, **LIKE_MATCH).records, whole
    )


def test_pairs_are_the_candidates():
    ce = sr.load_ce().head(200)
    made = sr.synthesize_cart(ce, ["Income"], seed=1)[0]
    how = {"radius": {"Age": 0.2, "Income": 0.3}, "shape": "ellipse"}
    for options in ({"radius": 0.1}, {"radius": None}, how):
        found = sr.match(ce, made, ["Urban", "Age"], ["Income"], **options)
        some = np.arange(150, 200)
        place, j = (np.concatenate(one) for one in zip(*found.candidate_pairs(some), strict=True))
        assert len(place) == found.records.c[150:].sum()
        for k, i in enumerate(some):
            assert sorted(j[place == k]) == np.flatnonzero(found.matches(i)).tolist()
