"""Intruder knowledge: a table worked by hand, a double loop, and the published order."""

import warnings
from types import SimpleNamespace

import numpy as np
import oracle
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import synthrisk_edu as sr
from synthrisk_edu import counting, intruder
from synthrisk_edu.data import LEFT_OUT
from synthrisk_edu.synthesis import multinomial
from synthrisk_edu.synthesis.logistic import fit_logistic, shares

# Ten youths in three facilities. Sex is known; facility was synthesized twice.
SEX = list("FFFFMMMMMM")
TRUE = pd.DataFrame({"sex": SEX, "facility": list("AABBAABBCC")})
FIRST = pd.DataFrame({"sex": SEX, "facility": list("ABBBAACBCA")})
SECOND = pd.DataFrame({"sex": SEX, "facility": list("AABCACBBBA")})


@pytest.fixture
def hand():
    return sr.intruder_risk(TRUE, [FIRST, SECOND], ["sex"], ["facility"])


def test_probabilities_by_hand(hand):
    # Target 0 (F, A): in the first draw record 0 alone; in the second records 0 and 1.
    p = hand.match_probabilities(0)
    assert p.tolist() == [0.75, 0.25, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    # Target 8 (M, C): first draw records 6 and 8; second draw record 5.
    p = hand.match_probabilities(8)
    assert p.tolist() == [0, 0, 0, 0, 0, 0.5, 0.25, 0, 0.25, 0, 0]
    # Target 2 (F, B): first draw 1, 2, 3; second draw 2.
    p = hand.match_probabilities(2)
    assert p.tolist()[1:4] == pytest.approx([1 / 6, 2 / 3, 1 / 6])


def test_records_and_summary_by_hand(hand):
    # (F,A): record 0 on top. (F,B): 2. (M,A): first 4, 5, 9; second 4, 9: 4 and 9 tie at 5/12.
    # (M,B): first 7; second 6, 7, 8: 7 on top. (M,C): 5.
    assert hand.records.c.tolist() == [1, 1, 1, 1, 2, 2, 1, 1, 1, 1]
    assert hand.records.I.tolist() == [1, 0, 1, 0, 1, 0, 0, 1, 0, 0]
    assert hand.records.K.tolist() == [1, 0, 1, 0, 0, 0, 0, 1, 0, 0]
    assert hand.summary().to_dict() == {"perceived": 10, "expected": 3.5, "true": 3}
    high = sr.intruder_risk(TRUE, [FIRST, SECOND], ["sex"], ["facility"], threshold=0.6)
    assert high.summary().perceived == 6  # 0.75 twice, 2/3 four times (F,B and M,B)


def test_explain_tells_who_stands_out(hand):
    assert "one record stands out with a probability of 0.75" in hand.explain(0)
    assert "it is the true one" in hand.explain(0)
    assert "a probability of 0.67, which exceeds" in hand.explain(2)  # 2/3, as one says it
    assert "it is not the true one" in hand.explain(1)
    assert "2 records stand out" in hand.explain(4) and "is among them" in hand.explain(4)


def test_a_total_is_found_by_equal_numbers_only():
    true = pd.DataFrame({"sex": list("FM"), "id": [6, 5]})
    totals = pd.Series(4, index=pd.MultiIndex.from_arrays([list("FM"), [7.0, 5.0]]))
    with pytest.raises(ValueError, match=r"nan units for F, 6, but 1 such"):
        sr.intruder_risk(true, [true], ["sex"], ["id"], population=totals)
    missing = pd.DataFrame({"sex": ["F", None], "job": [None, "cook"]})
    of_missing = 4 * missing.value_counts(dropna=False)
    found = sr.intruder_risk(missing, [missing], ["sex"], ["job"], population=of_missing)
    assert found.records.highest.tolist() == [0.25, 0.25]
    alone = sr.intruder_risk(missing, [missing], [], ["job"], population=of_missing.droplevel(0))
    assert alone.records.highest.tolist() == [0.25, 0.25]


def test_fallback_when_nobody_agrees():
    draw = TRUE.assign(facility="B")
    p = sr.intruder_risk(TRUE, [draw], ["sex"], ["facility"]).match_probabilities(0)
    assert p.tolist() == [0.25] * 4 + [0] * 7


def test_population_totals_and_weights():
    totals = pd.Series({("F", "A"): 4, ("F", "B"): 2, ("M", "A"): 2, ("M", "B"): 8, ("M", "C"): 2})
    got = sr.intruder_risk(TRUE, [FIRST], ["sex"], ["facility"], population=totals)
    p = got.match_probabilities(0)  # n_t = 1 of N_t = 4
    assert (p.iloc[0], p["not in file"]) == (0.25, 0.75)
    p = got.match_probabilities(2)  # three records agree: N_t is raised to 3
    assert p.iloc[1:4].tolist() == pytest.approx([1 / 3] * 3) and p["not in file"] == 0
    weighted = sr.intruder_risk(TRUE, [FIRST], ["sex"], ["facility"], weights=[2.0] * 10)
    assert weighted.match_probabilities(0).iloc[[0, -1]].tolist() == [0.5, 0.5]
    # With a population there is no fallback: nobody agrees, so the target is elsewhere.
    nobody = sr.intruder_risk(
        TRUE, [TRUE.assign(facility="B")], ["sex"], ["facility"], weights=[2.0] * 10
    )
    assert nobody.match_probabilities(0)["not in file"] == 1
    assert nobody.records.loc[0, ["c", "I", "K"]].tolist() == [0, 0, 0]
    assert "nothing is matched" in nobody.explain(0)


def test_nothing_to_match_on():
    """Reiter and Mitra: 1/N for each record in the file, (N − n)/N for "not in file"."""
    n = len(TRUE)
    here = sr.intruder_risk(TRUE, [FIRST, SECOND], [], [])
    assert here.match_probabilities(3).tolist() == pytest.approx([1 / n] * n + [0])
    assert here.summary().tolist() == pytest.approx([0, 1, 0])
    assert "(nothing to match on): 10 records stand out" in here.explain(3)
    for how in ({"population": 40}, {"weights": [4] * n}):
        p = sr.intruder_risk(TRUE, [FIRST, SECOND], [], [], **how).match_probabilities(3)
        assert p.tolist() == pytest.approx([1 / 40] * n + [30 / 40])
    matched = sr.match(TRUE, FIRST, [], [])
    assert (matched.records.c == n).all() and (matched.records["T"] == 1).all()
    assert matched.summary().expected_match_risk == pytest.approx(1)
    assert matched.summary().equals(sr.floor(TRUE, []).summary())
    assert "knows nothing to look for" in matched.explain(0)
    assert sr.match_all(TRUE, [FIRST], [], []).expected_match_risk.tolist() == pytest.approx([1])


FIVE = pd.DataFrame({"race": list("WWWBB")})
RELEASED_FIVE = pd.DataFrame({"race": list("WWWWB")})
MARKED = np.array([False, False, False, True, True])


def not_white(draw):
    return ~MARKED | (draw.race != "W")


def test_what_cannot_be_true_is_simulated_again():
    """Records 3 and 4 are not white, so both are B: ½ each for targets 3, 4; ⅓ for others."""
    for seed in range(20):
        question = ["race"], not_white, [], np.random.default_rng(seed)
        draw = sr.simulate_again(RELEASED_FIVE, *question, among=MARKED)
        assert draw.race.tolist() == list("WWWBB")
    risk = sr.intruder_risk(FIVE, [draw], [], ["race"])
    assert risk.match_probabilities(0).tolist() == pytest.approx([1 / 3] * 3 + [0, 0, 0])
    for i in (3, 4):
        assert risk.match_probabilities(i).tolist() == [0, 0, 0, 0.5, 0.5, 0]
    assert RELEASED_FIVE.race.tolist() == list("WWWWB")  # the caller's file is as it was


def test_simulating_again_draws_from_possible_records_that_agree():
    file = pd.DataFrame({"town": list("aaabbb"), "race": list("WBCWDE")})

    def possible(draw):
        return draw.race != "W"

    seen = [
        sr.simulate_again(file, ["race"], possible, ["town"], np.random.default_rng(seed)).race
        for seed in range(60)
    ]
    assert {draw[0] for draw in seen} == {"B", "C"} and {draw[3] for draw in seen} == {"D", "E"}
    assert all(draw[[1, 2, 4, 5]].tolist() == list("BCDE") for draw in seen)


def test_only_uniques_were_synthesized():
    """The paper's second case: a simulated record equals no unaltered one, and no other one."""
    true = pd.DataFrame({"town": list("ab") * 6, "job": list("xxyyxxyyxxwz")})
    altered = ~true.duplicated(keep=False).to_numpy()
    assert altered.tolist() == [False] * 10 + [True] * 2

    def unique(draw):
        return ~altered | ~draw.duplicated(keep=False)

    chain = sr.fit_multinomial(true, ["job"], ["town"])
    file = true.assign(job=list("xxyyxxyyxxxy"))  # both altered records seem to be ordinary
    how = {"h": 30, "possible": unique, "among": altered}
    draws = sr.model_draws([chain], file, np.random.default_rng(1), **how)
    assert all(unique(draw).all() and draw[~altered].equals(file[~altered]) for draw in draws)
    assert {draw.job[10] for draw in draws} <= {"w", "z"}


def test_what_nobody_can_be_ends_in_a_sentence():
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="5 records are still not possible after 1,000 tries"):
        sr.simulate_again(RELEASED_FIVE, ["race"], lambda draw: draw.race == "X", [], rng)
    alone = RELEASED_FIVE.assign(town=list("aaabc"))
    with pytest.raises(ValueError, match="record 3 is not possible, and no record of among agrees"):
        among = np.array([True, True, True, False, True])
        sr.simulate_again(alone, ["race"], not_white, ["town"], rng, among=among)


def test_draws_of_a_model_are_drawn_until_they_are_possible():
    data = pd.DataFrame({"town": list("AABB") * 20, "job": list("cccn") * 20})
    chain = sr.fit_multinomial(data, ["job"], ["town"])
    first = np.arange(80) < 20

    def no_cook(draw):
        return ~first | (draw.job != "c")

    draws = sr.model_draws([chain], data, np.random.default_rng(1), h=5, possible=no_cook)
    plain = sr.model_draws([chain], data, np.random.default_rng(1), h=5)
    for draw, before in zip(draws, plain, strict=True):
        assert (draw.job[first] == "n").all() and draw.town.equals(data.town)
        assert draw.job[~first].equals(before.job[~first])


def test_numbers_within_a_distance():
    true = pd.DataFrame({"sex": list("FFF"), "x": [0.0, 3.0, 10.0], "y": [0.0, 4.0, 0.0]})
    got = sr.intruder_risk(true, [true], ["sex"], ["x", "y"], radius=5)
    assert got.match_probabilities(0).tolist() == [0.5, 0.5, 0, 0]
    assert got.records.c.tolist() == [2, 2, 1]


def test_mahalanobis_is_euclidean_after_whitening():
    rng = np.random.default_rng(1)
    true = pd.DataFrame(rng.multivariate_normal([0, 0], [[4, 3], [3, 9]], 40), columns=["x", "y"])
    draw = true.sample(frac=1, random_state=1, ignore_index=True)
    inverse = np.linalg.inv(true.cov())
    whiten = np.linalg.cholesky(inverse)
    ours, theirs = (
        pd.DataFrame(data.to_numpy() @ whiten, columns=["x", "y"]) for data in (true, draw)
    )
    got = sr.intruder_risk(ours, [theirs], [], ["x", "y"], radius=0.8)
    for i in range(40):
        gap = true.to_numpy()[i] - draw.to_numpy()
        within = np.einsum("ij,jk,ik->i", gap, inverse, gap) <= 0.8**2
        assert ((got.match_probabilities(i).to_numpy()[:-1] > 0) == (within | ~within.any())).all()


def test_mode_guess_takes_the_most_frequent_and_breaks_ties_by_the_seed():
    released = [
        pd.DataFrame({"job": list(jobs), "age": [1, 2, 3]}) for jobs in ("aax", "aby", "bbz")
    ]
    guess = sr.mode_guess(released, ["job"], np.random.default_rng(1))
    assert guess.job.tolist()[:2] == ["a", "b"] and guess.age.tolist() == [1, 2, 3]
    third = {sr.mode_guess(released, ["job"], np.random.default_rng(k)).job[2] for k in range(40)}
    assert third == {"x", "y", "z"}
    again = [sr.mode_guess(released, ["job"], np.random.default_rng(7)) for _ in range(2)]
    pd.testing.assert_frame_equal(*again)


def test_the_mode_of_a_quantity_draws_as_many_numbers_as_are_shown():
    class Counting(np.random.Generator):
        drawn = 0

        def random(self, size):
            self.drawn += np.prod(size)
            return super().random(size)

    n, rng = 3000, Counting(np.random.PCG64(1))
    one, other = np.random.default_rng(2).random((2, n))
    guess = sr.mode_guess([pd.DataFrame({"x": x}) for x in (one, other)], ["x"], rng)
    assert rng.drawn == 2 * n
    assert 0.45 < (guess.x == one).mean() < 0.55 and np.isin(guess.x, [one, other]).all()
    often = sr.mode_guess([pd.DataFrame({"x": x}) for x in (one, other, other)], ["x"], rng)
    assert (often.x == other).all()


def test_relinking_restores_every_row_that_is_alone_and_mixes_only_ties():
    rng = np.random.default_rng(1)
    columns = {"town": rng.choice(list("ABC"), 60), "age": rng.choice([20, 30, np.nan], 60)}
    first = pd.DataFrame(columns | {"job": np.arange(60)}, index=np.arange(100, 160))
    first.loc[100, ["town", "age"]] = "Z", 99
    other = first.assign(job=first.job + 1000)
    mixed = other.sample(frac=1, random_state=2)
    same, linked = sr.relink([first, mixed], ["town", "age"])
    pd.testing.assert_frame_equal(same, first)
    pd.testing.assert_frame_equal(linked[["town", "age"]], first[["town", "age"]])
    assert sorted(linked.job) == sorted(other.job) and linked.job[100] == 1000
    assert not linked.job.equals(other.job)  # among ties the order is that of the shuffled file
    by_all = sr.relink([other, mixed], ["town", "age", "job"])[1]
    pd.testing.assert_frame_equal(by_all, other)


def test_relinking_does_not_ask_how_categories_are_listed():
    first = pd.DataFrame({"town": pd.Categorical(list("AB")), "job": [1, 2]})
    other = pd.DataFrame({"town": pd.Categorical(list("BA"), categories=list("BA")), "job": [4, 3]})
    assert sr.relink([first, other], ["town"])[1].job.tolist() == [3, 4]


# Brute force


def brute(confidential, draws, known, synthesized):
    """Pr(j | t) by a double loop; rows are targets."""
    n = len(confidential)
    table = np.zeros((n, n))
    same = lambda a, b: a == b or (pd.isna(a) and pd.isna(b))  # noqa: E731
    for i in range(n):
        for draw in draws:
            in_class = [all(same(confidential[k].iloc[i], draw[k].iloc[j]) for k in known)
                        for j in range(n)]  # fmt: skip
            agree = [in_class[j] and all(same(confidential[s].iloc[i], draw[s].iloc[j])
                                         for s in synthesized) for j in range(n)]  # fmt: skip
            found = np.array(agree if any(agree) else in_class, dtype=float)
            table[i] += found / found.sum() / len(draws)
    return table


@st.composite
def releases(draw):
    n, h = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    level = st.sampled_from(["a", "b", "c", None])
    known = draw(st.lists(st.sampled_from(["x", "y"]), min_size=n, max_size=n))
    frames = [
        pd.DataFrame({
            "k": known,
            "s": draw(st.lists(level, min_size=n, max_size=n)),
            "t": draw(st.lists(st.sampled_from([1, 2]), min_size=n, max_size=n)),
        }).astype({"s": object}) for _ in range(h + 1)
    ]  # fmt: skip
    return frames[0], frames[1:]


@settings(max_examples=80, deadline=None)
@given(releases())
def test_probabilities_equal_the_double_loop(pair):
    confidential, draws = pair
    got = sr.intruder_risk(confidential, draws, ["k"], ["s", "t"])
    table = brute(confidential, draws, ["k"], ["s", "t"])
    for i, row in enumerate(table):
        p = got.match_probabilities(i)
        np.testing.assert_allclose(p.to_numpy()[:-1], row, atol=1e-12)
        assert p.sum() == pytest.approx(1)
        top = row >= row.max() - 1e-9
        assert got.records.c.iloc[i] == top.sum()
        assert got.records.I.iloc[i] == top[i]
        assert got.records.highest.iloc[i] == pytest.approx(row.max())


@settings(max_examples=60, deadline=None)
@given(releases())
def test_one_draw_is_the_matching_approach_where_somebody_matches(pair):
    confidential, draws = pair
    found = sr.match(confidential, draws[0], ["k"], ["s", "t"]).records
    got = sr.intruder_risk(confidential, draws[:1], ["k"], ["s", "t"]).records
    matched = found.c > 0
    assert (
        got[matched][["c", "I"]].to_numpy().tolist() == found[matched][["c", "T"]].values.tolist()
    )
    assert (got[~matched].I == 1).all()  # the others guess among all who agree on k


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 12), st.integers(0, 3), st.booleans(), st.sampled_from(["box", "ellipse"]))
def test_a_radius_equals_the_double_loop_in_portions_of_any_size(n, seed, relative, shape):
    rng = np.random.default_rng([n, seed])
    true = pd.DataFrame({"k": rng.choice(list("ab"), n), "x": rng.integers(0, 6, n) * 1.0})
    true["y"] = rng.integers(-3, 3, n)
    draws = [true.assign(x=rng.permutation(true.x), y=rng.permutation(true.y)) for _ in range(3)]
    radius = {"x": 2 - relative, "y": 2 - relative}
    how = {"relative": relative, "shape": shape}
    table = np.zeros((n, n))
    for draw in draws:
        for i in range(n):
            in_class = (draw.k == true.k[i]).to_numpy()
            row = [true.iloc[i].to_dict(), draw.to_dict("records")]
            question = ["k", "x", "y"], radius, relative, shape, "closed"
            agree = np.array([oracle.matches(row[0], one, *question) for one in row[1]])
            found = (agree if agree.any() else in_class).astype(float)
            table[i] += found / found.sum() / 3
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intruder, "PAIRS_AT_ONCE", 1 + seed)
        patch.setattr(counting, "PAIRS_AT_ONCE", 1 + seed)
        got = sr.intruder_risk(true, draws, ["k"], ["x", "y"], radius=radius, **how)
    shown = np.array([got.match_probabilities(i).to_numpy()[:-1] for i in range(n)])
    np.testing.assert_allclose(shown, table, atol=1e-12)
    top = table >= table.max(axis=1, keepdims=True) - 1e-9
    assert got.records.c.tolist() == top.sum(axis=1).tolist()
    assert got.records.I.tolist() == top.diagonal().astype(int).tolist()
    assert got.records.highest.tolist() == pytest.approx(table.max(axis=1))


@pytest.mark.parametrize("seed", range(6))
def test_all_targets_at_once_get_what_one_target_gets(seed):
    """The fast way equals `probabilities` with totals, weights and possible records, too."""
    rng = np.random.default_rng(seed)
    n = 40
    true = pd.DataFrame({"k": rng.choice(list("ab"), n), "s": rng.choice(list("cdef"), n)})
    draws = [true.assign(s=rng.permutation(true.s)) for _ in range(3)]
    totals = true.value_counts() + rng.integers(0, 9, true.value_counts().size)
    for how in ({}, {"population": totals}, {"weights": rng.integers(1, 4, n)}):
        got = sr.intruder_risk(true, draws, ["k"], ["s"], **how)
        for i in range(n):
            *p, _ = got.match_probabilities(i)
            top = np.array(p) >= max(p) - 1e-9
            assert got.records.highest.iloc[i] == pytest.approx(max(p))
            assert got.records.c.iloc[i] == (top.sum() if max(p) > 0 else 0)
            assert got.records.I.iloc[i] == (top[i] and max(p) > 0)


def test_draws_that_change_what_is_known_are_refused():
    with pytest.raises(ValueError, match=r"'sex' differs between confidential and draws\[1\]"):
        sr.intruder_risk(TRUE, [FIRST, SECOND.assign(sex="F")], ["sex"], ["facility"])


# The chain of regressions


def test_multinomial_against_statsmodels():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the library warns about is not ours
        statsmodels = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(1)
    x = rng.normal(size=(3000, 2))
    eta = np.column_stack([np.zeros(3000), 0.5 + x @ [1, -0.5], -0.2 + x @ [-0.3, 0.8]])
    p = np.exp(eta) / np.exp(eta).sum(axis=1, keepdims=True)
    y = (rng.random(3000)[:, None] > p.cumsum(axis=1)[:, :-1]).sum(axis=1)
    codes = y
    design = np.column_stack([np.ones(3000), x])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = statsmodels.MNLogit(codes, design).fit(disp=0, maxiter=200, gtol=1e-10)
    data = pd.DataFrame({"y": pd.Categorical(y), "a": x[:, 0], "b": x[:, 1]})
    assert sr.fit_multinomial(data, ["y"], ["a", "b"]).estimates[0].shape == (6,)
    beta, information = fit_logistic([(design, np.eye(3)[codes])], 3, np.full(3, 1e-8))
    covariance = np.linalg.inv(information)
    np.testing.assert_allclose(beta.ravel(), fitted.params.T.ravel(), atol=1e-7)
    np.testing.assert_allclose(covariance, fitted.cov_params(), rtol=1e-6)


def test_the_fit_ends_at_the_maximum():
    """Also where small facilities separate: the slope is nothing and the information its change."""
    youth = sr.prepare_youth(sr.load_youth())
    chain = sr.fit_multinomial(youth, ["facility", "race"], ["ethnicity", "age"])
    for name, flat, covariance in zip(
        chain.variables, chain.estimates, chain.covariances, strict=True
    ):
        x, kind = chain._different(youth, chain._before(name))
        x, y = x[kind], chain.columns[name].codes(youth)
        penalty = np.tile(multinomial._penalty(x.shape[1]), len(flat) // x.shape[1])

        def slope(flat, x=x, y=y, penalty=penalty):
            p = shares(x @ flat.reshape(-1, x.shape[1]).T)
            p[np.arange(len(y)), y] -= 1
            return (p[:, 1:].T @ x).ravel() + penalty * flat

        assert np.abs(slope(flat)).max() < 1e-5
        step = 1e-5 * np.random.default_rng(1).normal(size=len(flat))
        change = (slope(flat + step) - slope(flat - step)) / 2
        np.testing.assert_allclose(covariance @ change, step, rtol=1e-4, atol=1e-9)


def test_multinomial_keeps_what_it_should():
    data = sr.load_acs().head(1500)
    chain = sr.fit_multinomial(data, ["DIS", "HICOV"], ["SEX", "MAR"])
    made = chain.draws(data, np.random.default_rng(1), [None] * 2)
    rest = data.columns.drop(["DIS", "HICOV"])
    pd.testing.assert_frame_equal(made[0][rest], data[rest])
    assert (made[0].dtypes == data.dtypes).all() and not made[0].equals(made[1])
    again = chain.draws(data, np.random.default_rng(1), [None] * 2)
    pd.testing.assert_frame_equal(made[1], again[1])
    for one in made:
        assert abs((one.DIS == 1).mean() - (data.DIS == 1).mean()) < 0.04


def test_a_later_variable_sees_the_drawn_earlier_one():
    rng = np.random.default_rng(2)
    town = rng.choice(["A", "B"], 1000)
    job = np.where(town == "A", "cook", "nurse")
    data = pd.DataFrame({"x": rng.normal(size=1000), "town": town, "job": job})
    chain = sr.fit_multinomial(data, ["town", "job"], ["x"])
    one = chain.draw(data, np.random.default_rng(2))
    assert ((one.town == "A") == (one.job == "cook")).mean() > 0.97
    assert (one.town != data.town).mean() > 0.3


# What a risk is compared with


def test_baselines_are_the_number_of_combinations():
    """With c alike, each of them gets 1/c: a combination adds 1 to the right guesses."""
    ends = sr.intruder_baselines(TRUE, ["sex"], ["facility"])
    assert ends.expected.to_dict() == {"confidential": len(TRUE.drop_duplicates()), "floor": 2}
    assert ends.expected["floor"] == sr.floor(TRUE, ["sex"]).summary().expected_match_risk
    assert ends.perceived.to_dict() == {"confidential": 10, "floor": 4}  # 1/2; 1/4 and 1/6


# A partial t: a record fits if it could be the target


@pytest.mark.parametrize("width", [1, 3, 5, 100])
def test_comparing_coarsely_is_asking_who_could_be_the_target(width):
    """The intruder knows a band [low, low + width) that holds the age; the file has the age."""
    rng = np.random.default_rng(width)
    true = pd.DataFrame({"age": rng.integers(11, 25, 40), "job": rng.choice(list("abc"), 40)})
    draws = [true.assign(job=rng.permutation(true.job)) for _ in range(3)]

    def view(file):
        return file.assign(age=file.age // width)

    risk = sr.intruder_risk(view(true), [view(draw) for draw in draws], ["age"], ["job"])
    for i, t in enumerate(true.itertuples()):
        low = t.age // width * width
        by_hand = np.zeros(40)
        for draw in draws:
            could = np.array([low <= age < low + width for age in draw.age])
            fits = could & (draw.job == t.job).to_numpy()
            fits = fits if fits.any() else could
            by_hand += fits / fits.sum() / 3
        assert risk.match_probabilities(i).iloc[:-1].to_numpy() == pytest.approx(by_hand)


# The draws of an intruder who knows the models


@pytest.fixture(scope="module")
def jobs():
    """Towns A and B; in A everybody is c, in B one in four is n."""
    return pd.DataFrame({"town": list("AABB") * 25, "job": list("cccn") * 25})


def test_draws_at_the_mean_are_those_of_the_chain_at_the_mean_of_beta(jobs):
    office = sr.fit_multinomial(jobs, ["job"], ["town"])
    released = office.draws(jobs, np.random.default_rng(1), [None] * 3)
    fits = [sr.fit_multinomial(one, ["job"], ["town"]) for one in released]
    mean = sum(fit.estimates[0] for fit in fits) / 3
    rng = np.random.default_rng(2)
    by_hand = [fits[0].draw(jobs, rng, [mean]) for _ in range(4)]
    draws = sr.model_draws(fits, jobs, np.random.default_rng(2), h=4)
    assert all(one.equals(other) for one, other in zip(draws, by_hand, strict=True))


def test_drawn_coefficients_scatter_as_their_covariance_says(jobs):
    """A stand-in for the chain keeps every β it is asked to draw with."""

    fit = SimpleNamespace(
        variables=["job"],
        estimates=[np.array([1.0, -2.0])],
        covariances=[np.array([[4.0, 1.0], [1.0, 1.0]])],
        draws=lambda data, rng, many: [estimates[0] for estimates in many],
    )
    betas = np.array(sr.model_draws([fit], jobs, np.random.default_rng(3), h=20_000, drawn=True))
    assert betas.mean(axis=0) == pytest.approx([1, -2], abs=0.05)
    assert np.cov(betas.T).ravel() == pytest.approx([4, 1, 1, 1], abs=0.1)
    assert sr.model_draws([fit], jobs, np.random.default_rng(3), h=2)[1].tolist() == [1, -2]


def test_number_of_draws_is_checked(jobs):
    chain = sr.fit_multinomial(jobs, ["job"], ["town"])
    with pytest.raises(ValueError, match="h must be a whole number, 1 or more, not 0"):
        sr.model_draws([chain], jobs, np.random.default_rng(1), h=0)


def test_only_the_perceived_risk_depends_on_the_threshold(hand):
    risks = pd.DataFrame([hand.summary(one) for one in (0.2, 0.45, 0.7)])
    assert risks.perceived.tolist() == [10, 8, 2]  # 3/4, 2/3, 2/3, 1/2 and 5/12, two youths each
    assert risks.expected.tolist() == [3.5] * 3 and risks.true.tolist() == [3] * 3
    assert hand.summary().equals(hand.summary(0.2))
    with pytest.raises(ValueError, match="threshold"):
        hand.summary(2)


# The published order of risks, where the file is at hand


@pytest.mark.slow
def test_published_order(reference):
    data = pd.read_csv(reference / "syc" / "syc.csv")
    assert (len(data), data.psu.nunique()) == (2621, 50)
    data = data[~data.psu.isin(LEFT_OUT)].reset_index(drop=True)
    names = {"psu": "facility", "ethnicty": "ethnicity"}
    data = data.rename(columns=names)[["facility", "race", "ethnicity", "age", "sex", "crimtype"]]
    data = data.astype({name: "category" for name in data if name != "age"})
    cells = data.groupby(["facility", "race", "ethnicity"], dropna=False, observed=True).size()
    assert (len(data), (cells == 1).sum()) == (2562, 64)
    for name in ("race", "ethnicity", "crimtype"):  # missing as a level of its own, everywhere
        data[name] = data[name].astype(str).fillna("missing").astype("category")
    variables, predictors = ["facility", "race"], ["ethnicity", "age", "sex", "crimtype"]
    chain = sr.fit_multinomial(data, variables, predictors)
    rows = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        released = chain.draws(data, rng, [None] * 10)
        fits = [sr.fit_multinomial(one, variables, predictors) for one in released]
        draws = {"f(β)": chain.draws(data, rng, [None] * 100)}
        for m in (2, 3, 10):
            point = [np.mean([fit.estimates[k] for fit in fits[:m]], axis=0) for k in range(2)]
            draws[f"models {m}"] = chain.draws(data, rng, [point] * 100)
            draws[f"files {m}"] = released[:m]
        for name, one in draws.items():
            summary = sr.intruder_risk(data, one, ["ethnicity"], variables).summary()
            rows.append({"who": name, **summary})
    mean = pd.DataFrame(rows).groupby("who").mean()
    for m in (2, 3, 10):
        for risk in ("expected", "true"):
            values = mean.loc[["f(β)", f"models {m}", f"files {m}"], risk]
            assert values.is_monotonic_decreasing and values.is_unique, values
    assert mean.perceived["files 2"] > mean.perceived["files 3"] > mean.perceived["files 10"]


def test_the_baselines_take_an_iterator_and_an_intruder_who_knows_nothing():
    data = pd.DataFrame({"sex": list("FFM"), "job": list("aba")})
    listed = sr.intruder_baselines(data, ["sex"], ["job"])
    pd.testing.assert_frame_equal(sr.intruder_baselines(data, iter(["sex"]), iter(["job"])), listed)
    nothing = sr.intruder_baselines(data, [], ["job"])
    assert nothing.loc["floor"].tolist() == [3, 1, 0]  # everybody is a candidate, at one third


def test_a_threshold_that_is_reached_is_not_exceeded():
    two = pd.DataFrame({"town": list("AABB")})  # everybody's highest probability is ½
    risk = sr.intruder_risk(two, [two], [], ["town"], threshold=0.5)
    assert risk.summary().perceived == 0 and risk.summary(0.49).perceived == 4
    assert "0.5, which does not exceed the threshold of 0.5" in risk.explain(0)


def test_of_the_smallest_fraction_the_target_is_still_in_the_file():
    towns = pd.DataFrame({"town": list("AAAB")})
    risk = sr.intruder_risk(towns, [towns], [], ["town"])
    smallest = intruder.by_sampling_fraction(risk, 0, [0.01])
    # One record is in the file, the target: N_t = 3 by census; by weights it stands for 100.
    assert smallest.loc[0.01].tolist() == pytest.approx([1 / 3, 0.01, 2 / 3])
    with_all = intruder.by_sampling_fraction(risk, 0, [1.0])
    assert with_all.loc[1.0].tolist() == pytest.approx([1 / 3, 1 / 3, 0])


def test_weights_below_one_stand_for_at_least_the_records_themselves():
    two = pd.DataFrame({"town": list("AAB")})
    risk = sr.intruder_risk(two, [two], [], ["town"], weights=[0.1, 0.1, 0.1])
    assert risk.match_probabilities(0).tolist() == [0.5, 0.5, 0, 0]
    assert risk.records.highest.tolist() == [0.5, 0.5, 1]
