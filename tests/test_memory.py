"""Nothing grows with n × n or with n × levels: the peak of memory, on tables sized for seconds.

Each bound is a small multiple of what the data take, and a small part of what a table of all pairs
would: at n = 6,000 the pairs alone take 288 MB.
"""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu import counting, intruder, utility

N = 6_000


def peak(function):
    """Return the largest memory, in MB, that a call held beyond what was there."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def rng():
    return np.random.default_rng(1)


def test_the_two_way_check_counts_the_pairs_that_occur(rng):
    data = pd.DataFrame({"key": rng.random(N), "target": rng.permutation(N).astype(str)})
    found = []
    used = peak(lambda: found.append(sr.disclosure(data, data, ["key"], "target")))
    assert used < 40 and found[0].attribute.DiSCO.item() == 100


def test_the_mode_of_numbers(rng):
    released = [pd.DataFrame({"x": rng.random(N)}) for _ in range(3)]
    assert peak(lambda: sr.mode_guess(released, ["x"], rng)) < 30


def test_a_distance_that_everybody_is_within(rng, monkeypatch):
    for module in (counting, intruder):
        monkeypatch.setattr(module, "PAIRS_AT_ONCE", 100_000)  # of 8 million
    true = pd.DataFrame({"x": rng.random(2000)})
    draws = [pd.DataFrame({"x": rng.random(2000)}) for _ in range(2)]
    found = []
    used = peak(lambda: found.append(sr.intruder_risk(true, draws, [], ["x"], radius=2)))
    assert used < 40 and found[0].records.c.eq(2000).all()


@pytest.mark.parametrize("model", ["logistic", "cart"])
def test_an_identifier_is_named_and_refused_by_the_propensity_models(rng, model):
    data = pd.DataFrame({"age": rng.integers(18, 90, N), "id": rng.permutation(N).astype(str)})
    words = "'id' has 6,000 levels, as an identifier has; leave it out of variables"

    def refused():
        with pytest.raises(ValueError, match=words):
            sr.pmse(data, data, model=model)

    assert peak(refused) < 20


def test_the_design_matrix_is_never_whole_in_memory(rng, monkeypatch):
    n = 30_000
    data = pd.DataFrame({f"v{k}": rng.integers(0, 6, n).astype(str) for k in range(3)})
    data["x"] = rng.random(n)
    other = data.sample(frac=1, random_state=1).assign(x=rng.random(n))
    whole = sr.pmse(data, other)
    monkeypatch.setattr(utility, "CELLS_AT_ONCE", 200_000)
    found = []
    # 2n × 107 columns take 51 MB, and fitting used several times that.
    assert peak(lambda: found.append(sr.pmse(data, other))) < 30
    assert found[0] == pytest.approx(whole, rel=1e-8)


def test_three_ranges_at_once(rng):
    n = 60_000
    data = pd.DataFrame({name: rng.normal(100, 1, n) for name in "xyz"})
    # Every box touches every block: 60,000 rows of 136 bytes were held several times over.
    shuffled = data.sample(frac=1, random_state=1, ignore_index=True)
    assert peak(lambda: sr.match(data, shuffled, [], list("xyz"), 1)) < 90
