"""Population uniqueness: hand-worked cases, every cell listed, and a population that is known."""

import itertools
from decimal import Decimal, getcontext

import numpy as np
import pandas as pd
import pytest
from scipy.stats import poisson
from threadpoolctl import threadpool_limits

import synthrisk_edu as sr
from synthrisk_edu.households import loglinear, uniqueness
from synthrisk_edu.households.risk import population_counts, qi_names, qi_table, sampling_fractions
from synthrisk_edu.households.structure import flatten
from synthrisk_edu.households.uniqueness import (
    fit_population_model,
    make_cell_grid,
    population_risk,
)

INF = float("inf")


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """As in `fit_population_model`: in small products several threads wait for each other."""
    with threadpool_limits(1):
        yield


# ------------------------------------------------------- every cell listed, one by one


def random_table(rng, absent=True, strata=True):
    """A small table with a second person who may be absent, and a stratum that never occurs."""
    n = int(rng.integers(20, 60))
    table = pd.DataFrame({
        "state": rng.integers(0, 3, n),
        "rural": rng.integers(0, 2, n),
        "age_1": rng.integers(0, int(rng.integers(2, 4)), n),
        "job_1": rng.choice(["a", "b", None], n),
        "age_2": rng.integers(0, 3, n).astype(float),
        "sex_2": rng.choice(["f", "m"], n).astype(object),
    })  # fmt: skip
    if absent:
        table.loc[rng.random(n) < 0.4, ["age_2", "sex_2"]] = [np.nan, None]
    if strata:  # state 2 has no rural household
        table.loc[table.state == 2, "rural"] = 0
    by_stratum = rng.uniform(0.05, 0.9, (3, 2))
    return table, by_stratum[table.state, table.rural]


def triangle(rng, size):
    return np.triu(rng.normal(0, 0.4, (size, size)))


@pytest.mark.parametrize("seed", range(100))
def test_margins_and_bias_equal_sums_over_all_cells(seed):
    rng = np.random.default_rng(seed)
    grid = make_cell_grid(*random_table(rng, absent=seed % 3 > 0, strata=seed % 2 > 0))
    T = triangle(rng, len(grid.observed))
    d, pi, lam, f = grid.every_cell(T)
    mu = pi * lam
    M, total = grid.expected(T)
    assert np.allclose(M, np.einsum("k,ki,kj->ij", mu, d, d), rtol=1e-10)
    assert total == pytest.approx(mu.sum(), rel=1e-12)
    assert (grid.observed == np.einsum("k,ki,kj->ij", f, d, d)).all()
    assert np.allclose(lam[grid.cell], np.exp(grid.log_lambda(T)), rtol=1e-12)
    listed = np.concatenate([mu.ravel() for mu, _ in grid.slabs(T)])
    assert np.allclose(listed, mu[pi > 0], rtol=1e-12)
    there = pi > 0
    B, V = plain_bias(pi[there], lam[there], f[there])
    assert uniqueness.bias(grid, T) == pytest.approx((B, V), rel=1e-9)


def plain_bias(pi, lam, f):
    """B and V as they stand in the paper."""
    mu, h = pi * lam, (1 - pi) * lam
    r = (1 - np.exp(-h)) / h
    a = np.exp(-mu) * r - np.exp(-lam)
    b = (np.exp(-mu) * r - np.exp(-lam) * (1 + h / 2)) / mu
    return (a * (f - mu) + b * ((f - mu) ** 2 - f)).sum(), (a**2 * mu + 2 * b**2 * mu**2).sum()


def test_cells_that_expect_next_to_nobody_add_next_to_nothing():
    # 1 − e^{−h} has no digits left where h is 1e-16: each such cell used to add 2 to V.
    rng = np.random.default_rng(3)
    grid = make_cell_grid(*random_table(rng))
    T = triangle(rng, len(grid.observed))
    T[0, 0] = -37.0
    d, pi, lam, f = grid.every_cell(T)
    there = (pi > 0) & (d[:, 0] == 0)
    _, V = plain_bias(pi[there], lam[there], f[there])
    assert uniqueness.bias(grid, T)[1] == pytest.approx(V, rel=1e-9)


@pytest.mark.parametrize("pi", [0.001, 0.01, 0.5, 0.999])
def test_the_powers_of_few_equal_what_is_written(pi):
    # Where λ is small the definition loses its digits, so it is taken with fifty.
    getcontext().prec = 50
    lam = np.geomspace(1e-9, uniqueness.FEW, 30)
    B, V = uniqueness._as_if_empty(pi * lam, pi)
    exact_B = exact_V = Decimal(0)
    for one in map(Decimal, lam):
        mu, h = Decimal(pi) * one, (1 - Decimal(pi)) * one
        r = (1 - (-h).exp()) / h
        a = (-mu).exp() * r - (-one).exp()
        b = ((-mu).exp() * r - (-one).exp() * (1 + h / 2)) / mu
        exact_B += b * mu**2 - a * mu
        exact_V += a**2 * mu + 2 * b**2 * mu**2
    assert pytest.approx(float(exact_B), rel=1e-6) == B
    assert pytest.approx(float(exact_V), rel=0.01) == V  # it only says how sure B is


def test_many_cells_are_shared_among_cores_and_nothing_changes(monkeypatch):
    rng = np.random.default_rng(4)
    grid = make_cell_grid(*random_table(rng))
    T = triangle(rng, len(grid.observed))
    M, total = grid.expected(T)
    B, V = uniqueness.bias(grid, T)
    monkeypatch.setattr(loglinear, "MANY_CELLS", 0)
    monkeypatch.setattr(loglinear, "AT_ONCE", 5)
    shared, bias = grid.expected(T), uniqueness.bias(grid, T)
    np.testing.assert_allclose(shared[0], M, rtol=1e-12)
    assert (shared[1], *bias) == pytest.approx((total, B, V), rel=1e-12)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    alone = grid.expected(T)
    assert (alone[0] == shared[0]).all() and alone[1] == shared[1]
    assert uniqueness.bias(grid, T) == bias


def test_an_absent_second_person_is_one_cell_and_one_column():
    table, fraction = random_table(np.random.default_rng(1))
    last = make_cell_grid(table, fraction).blocks[2]
    assert last.D.shape == (3 * 2 + 1, 3 + 2 + 1)
    assert last.D[-1].tolist() == [0, 0, 0, 0, 0, 1]
    assert ((last.cell == 6) == table.age_2.isna()).all()


def test_a_stratum_without_records_has_no_cells():
    table, fraction = random_table(np.random.default_rng(1))
    grid = make_cell_grid(table, fraction)
    per_stratum = grid.pi.reshape(6, -1)
    assert (per_stratum[5] == 0).all() and (per_stratum[:5] > 0).all()


# ------------------------------------------------------------------------- the fit


def as_regression(grid):
    """The same model as any program for Poisson regression wants it: a row a cell, a column a term.

    Returns the columns, π, f, the weight of every column in the penalty, and where it stands in T.
    """
    E = grid.expected(loglinear.main_effects(grid))[0]
    d, pi, _, f = grid.every_cell(np.zeros_like(E))
    d, pi, f = d[pi > 0], pi[pi > 0], f[pi > 0]
    i, j = np.nonzero(np.triu(E > 0, 1) | np.eye(len(E), dtype=bool))
    return d[:, i] * d[:, j], pi, f, np.where(i == j, 0, np.sqrt(E[i, j])), (i, j)


def objective(x, pi, f, weight, beta, penalty):
    mu = pi * np.exp(x @ beta)
    return (mu - f * np.log(mu)).sum() + penalty * (weight * np.abs(beta)).sum()


def proximal_gradient(x, pi, f, weight, penalty, steps=8000):
    """Take steps downhill, and shrink every interaction towards 0 after each; halve what fails."""
    beta = ahead = np.zeros(x.shape[1])
    best, rate, momentum = objective(x, pi, f, weight, beta, penalty), 0.05, 1.0
    for _ in range(steps):
        moved = ahead - rate * (x.T @ (pi * np.exp(x @ ahead) - f))
        moved = np.sign(moved) * np.maximum(np.abs(moved) - rate * penalty * weight, 0)
        value = objective(x, pi, f, weight, moved, penalty)
        if value > best:
            rate, ahead, momentum = (rate if momentum > 1 else rate / 2), beta, 1.0
            continue
        faster = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = moved + (momentum - 1) / faster * (moved - beta)
        beta, best, momentum = moved, value, faster
    return best


@pytest.mark.parametrize("penalty", [0.3, 0.6, 1.0, 1.3])
def test_lasso_reaches_the_objective_of_a_plain_method(penalty):
    grid = make_cell_grid(*random_table(np.random.default_rng(int(10 * penalty))))
    x, pi, f, weight, place = as_regression(grid)
    main = loglinear.main_effects(grid)
    ours = loglinear.fit(grid, grid.expected(main)[0], penalty, main)[place]
    reached = objective(x, pi, f, weight, ours, penalty)
    assert reached == pytest.approx(proximal_gradient(x, pi, f, weight, penalty), rel=1e-6)
    assert reached < objective(x, pi, f, weight, main[place], penalty)


@pytest.mark.parametrize("penalty", [0.3, 1.0])
def test_an_interaction_stays_0_within_the_penalty(penalty):
    grid = make_cell_grid(*random_table(np.random.default_rng(5)))
    main = loglinear.main_effects(grid)
    E = grid.expected(main)[0]
    T = loglinear.fit(grid, E, penalty, main)
    excess = grid.observed - grid.expected(T)[0]
    i, j = np.nonzero(np.triu(E > 0, 1))
    z = excess[i, j] / np.sqrt(E[i, j])
    assert np.abs(np.diag(excess)).max() < 1e-4  # main effects are free
    assert np.abs(z).max() < penalty + 1e-4
    inside = np.abs(z) < penalty - 1e-3
    assert inside.any() and not inside.all()
    assert (T[i, j][inside] == 0).all()
    assert np.sign(T[i, j][~inside & (T[i, j] != 0)]).tolist() == (
        np.sign(z[~inside & (T[i, j] != 0)]).tolist()
    )


def test_without_penalty_it_is_the_ordinary_log_linear_model():
    statsmodels = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.integers(0, [2, 3, 2], (400, 3)), columns=list("abc"))
    expected = fit_population_model(table, list("abc"), 0.25, [0])[0].expected
    counts = table.value_counts().sort_index()
    cell = counts.index.to_frame(index=False)
    a, b, c = (pd.get_dummies(cell[name], drop_first=True).to_numpy(float) for name in "abc")
    pairs = [p[:, [i]] * q[:, [j]] for p, q in itertools.combinations((a, b, c), 2)
             for i in range(p.shape[1]) for j in range(q.shape[1])]  # fmt: skip
    x = np.hstack([np.ones((len(a), 1)), a, b, c, *pairs])
    poisson_model = statsmodels.GLM(counts.to_numpy(), x, family=statsmodels.families.Poisson())
    fitted = pd.Series(poisson_model.fit(tol=1e-12).fittedvalues, index=counts.index)
    wanted = fitted.loc[pd.MultiIndex.from_frame(table)].to_numpy() / 0.25
    assert np.allclose(expected, wanted, rtol=1e-4)


def test_without_interactions_it_is_independence():
    table = pd.DataFrame({"town": list("AAAB") * 3, "sex": list("FMMFFMMMFFMM")})
    expected = fit_population_model(table, ["town", "sex"], 0.5, [INF])[0].expected
    share = table.town.map(table.town.value_counts()) * table.sex.map(table.sex.value_counts()) / 12
    assert np.allclose(expected, share / 0.5, rtol=1e-6)


@pytest.mark.parametrize(("seed", "n_qis"), [(0, 4), (3, 4), (4, 5)])
def test_a_sparse_table_without_penalty_stays_finite(seed, n_qis):
    # Most pairs of levels never occur, and without penalty their interactions go towards −∞: the
    # search ends near the minimum, not at it (measured: within 0.02 of a household).
    levels = np.random.default_rng(seed).integers(0, 4, (30, n_qis))
    table = pd.DataFrame(levels, columns=list("abcde")[:n_qis])
    grid = make_cell_grid(table, np.full(30, 0.1))
    main = loglinear.main_effects(grid)
    T = loglinear.fit(grid, grid.expected(main)[0], 0.0, main)
    assert np.abs(np.triu(T, 1)).max() <= loglinear.STRONGEST * (1 + 1e-12)
    assert np.abs(grid.expected(T)[0] - grid.observed).max() < 0.1


def test_a_step_too_far_is_taken_back():
    # A level that one record in 3,001 has: on its way the search steps beyond every number.
    rare = np.array([0] * 3000 + [1])
    table = pd.DataFrame({name: np.roll(rare, shift) for shift, name in enumerate("abcd")})
    grid = make_cell_grid(table, np.full(len(table), 0.5))
    fitted, total = grid.expected(loglinear.main_effects(grid))
    assert total == pytest.approx(len(table), rel=1e-6)
    assert np.allclose(np.diag(fitted), np.diag(grid.observed), rtol=1e-4)


def test_sampling_fractions_are_taken_out():
    # Two states alike but for the sampling: the population is what counts.
    few, many = [0, 0, 1] * 20, [0, 0, 1] * 60
    table = pd.DataFrame({"state": ["N"] * 60 + ["S"] * 180, "sex": few + many})
    fraction = np.where(table.state == "N", 0.1, 0.3)
    records, _ = fit_population_model(table, ["state", "sex"], fraction, [INF])
    assert np.allclose(records.expected, np.where(table.sex == 0, 400, 200), rtol=1e-6)


# ------------------------------------------------------------------------- r, B and V


@pytest.mark.parametrize("h", [1e-12, 1e-3, 0.5, 3.0, 40.0])
def test_r_is_the_mean_of_one_over_one_plus_poisson(h):
    j = np.arange(400)
    wanted = (poisson.pmf(j, h) / (1 + j)).sum()
    assert uniqueness.chance_right(np.array([h]))[0] == pytest.approx(wanted, rel=1e-12)


def test_r_is_1_when_no_others_are_expected():
    assert uniqueness.chance_right(np.array([0.0])).tolist() == [1.0]


def test_the_chance_of_being_population_unique_by_hand():
    # Towns of 1 and 3 sampled households, one in four sampled: λ = 4 and 12. For the one household
    # h = ¾ · 4 = 3 others are expected: e^−3 = 0.050, and r = (1 − e^−3)/3 = 0.317.
    table = pd.DataFrame({"town": list("ABBB")}, index=list("wxyz"))
    found = population_risk(table, ["town"], 0.25, unique=True)
    assert list(found.columns) == ["r", "unique"] and list(found.index) == list("wxyz")
    assert found.loc["w"].round(3).tolist() == [0.317, 0.050]
    assert found.loc[["x", "y", "z"]].isna().all(axis=None)
    pd.testing.assert_series_equal(found["r"], population_risk(table, ["town"], 0.25))


# ----------------------------------------------------------------------- what it promises


@pytest.fixture
def small():
    return random_table(np.random.default_rng(11))


QIS = ["state", "rural", "age_1", "job_1", "age_2", "sex_2"]


def test_only_sample_uniques_have_a_risk(small):
    table, fraction = small
    r = population_risk(table, QIS, fraction, penalty=1)
    unique = ~table.duplicated(keep=False)
    assert unique.any() and not unique.all()
    assert (r.notna() == unique).all()
    assert r[unique].between(0, 1).all()
    assert r.index.equals(table.index)


def test_a_census_knows_everyone(small):
    r = population_risk(small[0], QIS, 1)
    assert (r.dropna() == 1).all() and r.notna().any()


def test_a_tiny_sample_says_little(small):
    r = population_risk(small[0], QIS, 1e-6, penalty=1)
    assert (r.dropna() < 1e-2).all() and r.notna().any()


def test_a_smaller_fraction_means_less_risk(small):
    table, _ = small
    sums = [population_risk(table, QIS, pi, penalty=1).sum() for pi in (0.9, 0.5, 0.1, 0.01)]
    assert sums == sorted(sums, reverse=True)


def test_the_fraction_may_depend_on_three_variables(small):
    table, _ = small
    fraction = 0.1 + 0.1 * table.state + 0.2 * table.rural + 0.05 * table.age_1
    r = population_risk(table, QIS, fraction, penalty=1)
    assert r.notna().any()
    with pytest.raises(ValueError, match="not constant within the cells of any 3 or fewer"):
        population_risk(table, QIS, fraction + 0.01 * (table.job_1 == "a"), penalty=1)


def test_rows_in_another_order_have_the_same_risk(small):
    table, fraction = small
    order = np.random.default_rng(0).permutation(len(table))
    r = population_risk(table, QIS, fraction, penalty=0.5)
    again = population_risk(table.iloc[order], QIS, fraction[order], penalty=0.5)
    pd.testing.assert_series_equal(r.iloc[order], again)


def test_the_order_of_the_qis_does_not_matter(small):
    table, fraction = small
    r = population_risk(table, QIS, fraction, penalty=0.5)
    again = population_risk(table, QIS[::-1], fraction, penalty=0.5)
    assert np.allclose(r, again, rtol=1e-3, equal_nan=True)


def test_nothing_is_changed_and_the_same_comes_out_again(small):
    table, fraction = small
    before = table.copy()
    first, second = (population_risk(table, QIS, fraction) for _ in range(2))
    pd.testing.assert_frame_equal(table, before)
    assert first.to_numpy().tobytes() == second.to_numpy().tobytes()


@pytest.mark.parametrize("names", [["state"], ["age_2"], ["state", "sex_2"], ["age_2", "sex_2"]])
def test_one_or_two_qis_are_enough(small, names):
    table = small[0].drop_duplicates(names)
    assert population_risk(table, names, 0.5, penalty=1).notna().all()


def test_categories_text_and_numbers_are_alike(small):
    table, fraction = small
    r = population_risk(table, QIS, fraction, penalty=1)
    again = population_risk(table.astype("category"), QIS, pd.Series(fraction), penalty=1)
    pd.testing.assert_series_equal(r, again)


def test_missing_alone_is_a_level(small):
    table, fraction = small
    filled = table.fillna({"job_1": "none of these"})
    r = population_risk(table, QIS, fraction, penalty=1)
    again = population_risk(filled, QIS, fraction, penalty=1)
    assert np.allclose(r, again, rtol=1e-3, equal_nan=True)


# ---------------------------------------------------------------------- the choice


def test_the_chosen_penalty_has_the_smallest_bias(small):
    table, fraction = small
    records, path = fit_population_model(table, QIS, fraction, [0.5, 4, 1])
    assert path.penalty.tolist() == [4, 1, 0.5]
    chosen = path.loc[path.B.abs().idxmin()]
    assert records.r.sum() == chosen.sum_r
    _, alone = fit_population_model(table, QIS, fraction, [chosen.penalty])
    assert alone.iloc[0].to_numpy() == pytest.approx(chosen.to_numpy(), rel=1e-3)


def test_infinity_leaves_main_effects_only(small):
    table, fraction = small
    _, path = fit_population_model(table, QIS, fraction, [INF, 0.5])
    assert path.interactions[0] == 0 < path.interactions[1]


# ------------------------------------------------------------ a known population


@pytest.mark.parametrize("known_persons", [pytest.param(k, marks=pytest.mark.slow) for k in (1, 2)])
def test_the_risk_is_the_true_one_on_average(known_persons):
    everyone = sr.load_households()
    table, qis = qi_table(flatten(everyone.persons, everyone.households)), qi_names(known_persons)
    fraction = sampling_fractions(everyone.population, table)
    F = population_counts(everyone.population, table, qis)
    records, path = fit_population_model(table, qis, fraction, [INF, *uniqueness.PENALTIES])
    unique = records.r.notna()
    r, true = records.r[unique], 1 / F[unique]
    if known_persons == 1:  # lesson 07 takes this penalty, to fit one model and not eight
        assert path.penalty[path.B.abs().argmin()] == 1.4
    assert r.sum() == pytest.approx(true.sum(), rel=0.1)
    place = r.rank(method="first")
    decile = 10 * (place - 1) // place.max()
    assert (r.groupby(decile).mean() - true.groupby(decile).mean()).abs().max() < 0.03
    main_effects_only = path.sum_r[0]
    assert abs(main_effects_only - true.sum()) > 3 * abs(r.sum() - true.sum())


@pytest.mark.slow
def test_the_risk_of_a_sample_of_adult_is_nearly_the_true_one(reference):
    """A population nobody has simulated: the 48,842 persons of the Adult file, one in ten drawn."""
    adult = pd.read_csv(reference / "adult.csv.gz").eval("age = age // 5")
    qis = ["age", "sex", "race", "marital-status", "education", "occupation"]
    F = adult.groupby(qis, dropna=False)["age"].transform("size")
    sample = adult.sample(frac=0.1, random_state=0)
    penalties = [INF, *uniqueness.PENALTIES]
    records, path = fit_population_model(sample, qis, len(sample) / len(adult), penalties)
    there = F[records.r.dropna().index]
    assert records.r.sum() == pytest.approx((1 / there).sum(), rel=0.05)
    assert records.unique.sum() == pytest.approx((there == 1).sum(), rel=0.1)
    main_effects_only = path.sum_r[0]
    assert main_effects_only > 1.08 * (1 / there).sum()


# --------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"qis": ["state", "shoe"]}, KeyError, "table has no column 'shoe'"),
        ({"qis": []}, ValueError, "qis is empty"),
        ({"qis": "state"}, TypeError, "qis must be a list of column names"),
        ({"qis": ["state", "state"]}, ValueError, "'state' more than once"),
        ({"qis": ["state", "size"]}, TypeError, "column 'size' of table holds quantities"),
        ({"table": pd.DataFrame({"state": []})}, ValueError, "table is an empty frame"),
        ({"fraction": 0}, ValueError, "fraction must be above 0 and at most 1"),
        ({"fraction": 20}, ValueError, "write 0.1 for 10 %"),
        ({"fraction": [0.1, 0.2]}, ValueError, "fraction has 2 numbers for 6 records"),
        ({"fraction": [0.1, 0.2, 0.1, 0.1, 0.1, 0.1]}, ValueError, "not constant within the cells"),
        ({"penalty": -1}, ValueError, "penalty must be a number, 0 or more"),
    ],
)
def test_bad_input_is_named_in_one_sentence(change, error, says):
    table = pd.DataFrame({"state": list("AAABBC"), "size": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]})
    asked = {"table": table, "qis": ["state"], "fraction": 0.5, "penalty": None} | change
    penalty = asked.pop("penalty")
    with pytest.raises(error) as caught:
        population_risk(**asked, penalty=penalty)
    message = str(caught.value.args[0])
    assert says in message
    assert message.endswith(".") and "\n" not in message


def test_too_many_combinations_are_refused():
    n = 2100
    names = pd.DataFrame({"name": [f"person {k}" for k in range(n)]})
    with pytest.raises(ValueError, match="2,100 levels"):
        population_risk(names, ["name"], 0.5)
    rng = np.random.default_rng(0)
    wide = pd.DataFrame(rng.integers(0, 60, (500, 6)), columns=list("abcdef"))
    with pytest.raises(ValueError, match="combinations, too many to model"):
        population_risk(wide, list("abcdef"), 0.5)
