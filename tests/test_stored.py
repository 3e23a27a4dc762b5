"""What ships beside the data: it is what the script makes, and says what the lessons say."""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu.data import load_acs_synthetics, load_results
from synthrisk_edu.utility import average_of_m, quartiles

DATA = Path(__file__).parent.parent / "data"


def script_named(name):
    spec = importlib.util.spec_from_file_location(name, DATA / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def script():
    return script_named("make_synthetic")


@pytest.fixture(scope="module")
def youths():
    return script_named("make_youth_results")


def test_acs_synthetics_change_two_variables_only():
    acs, sets = sr.load_acs(), load_acs_synthetics()
    assert len(sets) == 20
    rest = acs.columns.drop(["DIS", "HICOV"])
    for one in sets:
        assert one[rest].equals(acs[rest])
        assert (one.dtypes == acs.dtypes).all()
        assert not one.DIS.equals(acs.DIS)
    assert len({tuple(one.DIS) for one in sets}) == 20


def test_acs_risk_is_cut_to_about_a_third():
    acs = sr.load_acs()
    question = ["SEX", "RACE", "MAR"], ["DIS", "HICOV"]
    table = sr.match_all(acs, load_acs_synthetics(), *question)
    own = sr.baseline(acs, *question).summary()
    assert 0.25 < table.expected_match_risk.mean() / own.expected_match_risk < 0.45
    assert table.false_match_rate.mean() > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("intruder", ["paper", "fixed"])
def test_stored_releases_are_what_the_script_makes(script, intruder):
    # Two data sets of one release, made anew with the script's own settings.
    ce, names = sr.load_ce(), ["Tenure", "Income"]
    sets = sr.synthesize_cart(ce, names, 2, seed=script.SEED)
    known = script.CE_KNOWN + (["Expenditure"] if intruder == "fixed" else [])
    made = script.risk_over_radii(ce, sets, known, names)
    stored = load_results("ce_releases").query("synthesized == 'Tenure+Income' and dataset <= 2")
    stored = stored[stored.intruder == intruder]
    for column in ("radius", "expected_match_risk", "falling_back", "confidential", "floor"):
        np.testing.assert_allclose(stored[column], made[column], atol=1e-6)
    first = stored[stored.dataset == 1].pmse.iloc[0]
    assert sr.pmse(ce, sets[0]) == pytest.approx(first, rel=1e-3)


def test_the_fixed_intruder_knows_the_same_whatever_was_synthesized():
    """So the confidential file is as risky in every release, and what is not matched is known."""
    stored = load_results("ce_releases").query("intruder == 'fixed'")
    assert (stored.groupby("radius").confidential.nunique() == 1).all()
    ce = sr.load_ce()
    known, radius = ["Age", "Urban", "Marital", "Tenure"], {"Age": 0.1}
    both = stored[stored.synthesized == "Expenditure+Income"]
    assert both.floor.to_numpy() == pytest.approx(
        sr.floor(ce, known, radius).summary().expected_match_risk
    )


def test_falling_back_is_stored_beside_giving_up(script):
    """Of one file of scenario 4 made anew; nobody is lost by falling back where nobody matches."""
    ce, names = sr.load_ce(), ["Tenure", "Expenditure", "Income"]
    made = script.risk_over_radii(
        ce, sr.synthesize_cart(ce, names, seed=script.SEED), script.CE_KNOWN, names
    )
    every = load_results("ce_releases")
    stored = every[(every.synthesized == "+".join(names)) & (every.intruder == "paper")]
    stored = stored[stored.dataset == 1]
    np.testing.assert_allclose(stored.falling_back, made.falling_back, atol=1e-6)
    assert (every.falling_back >= every.expected_match_risk - 1e-6).all()


def test_stored_pool_is_what_the_script_makes(script):
    pool = script.make_pool(size=2)
    stored = load_results("ce_pool")
    assert len(stored) == 400
    np.testing.assert_allclose(pool, stored.head(2), rtol=1e-3)


def test_stored_files_used_together_are_what_the_script_makes(script):
    made = script.make_together(repeats=1, sizes=(1, 2))
    stored = load_results("ce_together").query("repeat == 0 and m <= 2")
    np.testing.assert_allclose(made.risk, stored.risk, rtol=1e-6)


def test_a_hundred_sets_of_files_were_used_together():
    stored = load_results("ce_together")
    assert (stored.groupby("m").repeat.nunique() == 100).all()
    by_m = stored.pivot(index="repeat", columns="m", values="risk")
    assert (by_m.diff(axis=1).iloc[:, 1:] > 0).all(axis=None)  # more files, more units found


def test_stored_releases_that_repel_are_what_the_script_makes(script):
    made = script.make_repels(seeds=2, radii=(0, 0.1))
    stored = load_results("ce_repels")
    assert (stored.groupby(["donors", "radius"]).seed.nunique() == 100).all()
    some = stored[(stored.seed <= 2) & stored.radius.isin([0, 0.1])].reset_index(drop=True)
    pd.testing.assert_frame_equal(some, made)


def test_the_leaves_that_repel_are_those_of_the_synthesizer(script):
    """The same draws from these leaves are the file that `synthesize_cart` makes."""
    ce, rng = sr.load_ce(), np.random.default_rng(3)
    leaf = script.leaves_of_income(ce, rng)
    donors = script.draw_donors(leaf, leaf, rng)
    made = sr.synthesize_cart(ce, ["Income"], seed=3)[0]
    assert np.array_equal(ce.Income.to_numpy()[donors], made.Income)


def test_nobody_borrows_from_itself_and_everybody_else_is_as_likely(script):
    group, rng = np.array([0, 1, 0, 0, 2, 1]), np.random.default_rng(1)
    drawn = np.array([script.never_itself(group, rng) for _ in range(3000)])
    assert (group[drawn] == group).all()
    assert (drawn[:, [0, 1, 2, 3, 5]] != [0, 1, 2, 3, 5]).all() and (drawn[:, 4] == 4).all()
    assert abs((drawn[:, 0] == 2).mean() - 0.5) < 0.03  # the other of two others


def test_stored_surface_has_the_releases_on_its_diagonal(script):
    surface, releases = load_results("ce_surface"), load_results("ce_releases")
    sums = ["expected_match_risk", "falling_back"]
    mean = releases[releases.intruder == "paper"].groupby(["synthesized", "radius"])[sums].mean()
    same = surface[surface.radius_Expenditure == surface.radius_Income]
    assert len(same) == 2 * len(script.RADII) and len(surface) == 2 * len(script.RADII) ** 2
    keys = list(zip(same.synthesized, same.radius_Income, strict=True))
    np.testing.assert_allclose(same[sums], mean.loc[keys], atol=1e-5)


@pytest.mark.slow
def test_stored_corner_of_the_surface_is_what_the_script_makes(script, monkeypatch):
    monkeypatch.setattr(script, "RADII", [0.0, 1.0])
    made = script.make_surface()
    stored = load_results("ce_surface")
    ends = stored.radius_Expenditure.isin([0, 1]) & stored.radius_Income.isin([0, 1])
    pd.testing.assert_frame_equal(stored[ends].reset_index(drop=True), made)


@pytest.mark.slow
def test_stored_spread_is_what_the_script_makes(script, monkeypatch):
    monkeypatch.setattr(script, "CE_SCENARIOS", [["Income"]])
    monkeypatch.setattr(script, "RADII", [0.01])
    monkeypatch.setattr(script, "pmse", lambda *files: 0.0)
    keys = ["synthesized", "measure", "intruder", "radius"]
    numbers = ["mean", "lowest", "first", "third", "highest", "floor", "below"]
    made = script.make_spread().query("measure != 'pmse'").set_index(keys)[numbers]
    stored = load_results("ce_spread").set_index(keys)[numbers]
    pd.testing.assert_frame_equal(stored.loc[made.index], made)


def test_stored_spread_counts_a_hundred_files(script):
    stored = load_results("ce_spread")
    risks = stored[stored.measure != "pmse"]
    assert len(risks) == 4 * 2 * 2 * len(script.RADII)
    assert (risks.groupby(["synthesized", "measure", "intruder"]).tops.sum() == 100).all()
    ordered = stored[["lowest", "first", "third", "highest"]].diff(axis=1).iloc[:, 1:]
    assert (ordered >= 0).all(axis=None)


def test_stored_scenarios_with_all_files_are_what_the_script_makes(script, monkeypatch):
    monkeypatch.setattr(script, "CE_SCENARIOS", [["Income"]])
    monkeypatch.setattr(script, "RADII", [0.01, 0.3])
    keys = ["intruder", "synthesized", "radius", "m"]
    made = script.make_scenarios(m=2).set_index(keys).risk
    stored = load_results("ce_scenarios").set_index(keys).risk
    np.testing.assert_allclose(made, stored[made.index], rtol=1e-6)
    assert len(stored) == 4 * 2 * 10 * 20


def test_stored_classes_cover_the_script(script):
    stored = load_results("acs_classes")
    assert sorted(stored.classes.unique()) == sorted(script.CLASSES)
    ratio = stored.groupby("classes").pmse_ratio.mean()
    assert ratio[2] > 5 * ratio[40]


def test_stored_luck_is_what_the_script_makes(script):
    stored = load_results("acs_luck")
    assert stored.made.value_counts().to_dict() == {"model": 100, "redrawn": 100}
    pd.testing.assert_frame_equal(script.make_luck(draws=1), stored.head(2))


def test_stored_steps_are_what_the_script_makes(script):
    stored = load_results("acs_steps")
    assert len(stored) == 100
    pd.testing.assert_frame_equal(script.make_steps(runs=1), stored.head(1))


def test_stored_relinked_files_are_what_the_script_makes(script):
    stored = load_results("acs_relinked")
    sizes = stored.groupby(["data", "facts", "columns"]).size()
    assert (sizes == 100).all() and len(sizes) == 6 + 1 + 4
    made = script.make_relinked(shuffles=1)
    first = stored[stored.shuffle == 0]
    pd.testing.assert_frame_equal(made.reset_index(drop=True), first.reset_index(drop=True))


def test_every_choice_of_variables_has_its_results(script):
    stored = load_results("ce_releases")
    assert stored.synthesized.nunique() == 7
    assert (stored.groupby(["intruder", "synthesized"]).dataset.nunique() == 20).all()
    swept = stored[(stored.synthesized != "Tenure") | (stored.intruder == "fixed")]
    radii = swept.groupby(["intruder", "synthesized"]).radius.agg(["nunique", "min", "max"])
    assert (radii == [len(script.RADII), 0, 1]).all(axis=None)


def test_averages_keep_the_mean_and_shrink_the_spread():
    pool = load_results("ce_pool")
    spread = {m: average_of_m(pool, m, repeats=2000).risk for m in (1, 4, 16)}
    for m, risk in spread.items():
        assert abs(risk.mean() - pool.risk.mean()) < 4 * pool.risk.std() / np.sqrt(2000 * m)
    assert abs(spread[1].std() / spread[4].std() - 2) < 0.2
    # Without replacement from a pool of 400, sixteen shrink it a little more than fourfold.
    expected = 4 / np.sqrt((400 - 16) / 399)
    assert abs(spread[1].std() / spread[16].std() - expected) < 0.4


def test_averages_use_m_different_data_sets():
    pool = pd.DataFrame({"risk": 2.0 ** np.arange(6)})
    sums = average_of_m(pool, 3, repeats=500).risk * 3
    assert all(bin(round(total)).count("1") == 3 for total in sums)


def test_quartiles_by_hand():
    box = quartiles(pd.DataFrame({"risk": [4, 1, 3, 2, 5]}))
    assert box.index.tolist() == ["minimum", "first", "median", "third", "maximum"]
    assert box.risk.tolist() == [1, 2, 3, 4, 5]


def test_unknown_results_give_one_sentence():
    with pytest.raises(ValueError, match=r"'youth_knowledge', .*, not 'x'"):
        load_results("x")


def test_stored_knowledge_has_twenty_runs_and_the_published_order():
    results = load_results("youth_knowledge")
    assert results.groupby(["knows", "m"]).run.nunique().eq(20).all()
    mean = results.groupby(["knows", "m"]).mean()
    for m in (2, 3, 10):
        for risk in ("expected", "true"):
            at = mean[risk].xs(m, level="m")
            order = ["f(β) (mode)", "models (mean β)", "nothing (averaged)", "nothing (mode)"]
            assert at[order].is_monotonic_decreasing
            assert at["f(β) (mode)"] > at["f(β) (drawn)"]
    averaged = mean.perceived["nothing (averaged)"]
    assert averaged[2] > averaged[3] > averaged[10]


def test_stored_releases_of_the_youths_are_what_the_script_makes(youths):
    made = youths.make_releases(releases=1)
    stored = load_results("youth_releases")
    pd.testing.assert_frame_equal(made, stored.head(len(made)), check_exact=False, atol=1e-5)
    assert stored.release.nunique() == 200


def test_stored_links_of_shuffled_files_are_what_the_script_makes(youths):
    made = youths.make_linked(releases=1)
    stored = load_results("youth_linked")
    pd.testing.assert_frame_equal(made, stored.head(len(made)), check_exact=False, atol=1e-5)
    assert stored.release.nunique() == 100


def test_linking_by_columns_exchanges_only_those_who_tie(youths):
    youth = youths.load()
    numbered = youth.assign(facility=np.arange(len(youth)), race=1)
    for columns in (["ethnicity"], ["stratum", "ethnicity", "sex", "age", "crime", "weight"]):
        place = youths.link(youth, numbered, columns, np.random.default_rng(1)).facility
        assert sorted(place) == list(range(len(youth))) and (place != np.arange(len(youth))).any()
        there = youth[columns].iloc[place].reset_index(drop=True)
        assert there.equals(youth[columns].reset_index(drop=True))


@pytest.mark.slow
def test_stored_reasons_are_what_the_script_makes(youths):
    made = youths.make_reasons(releases=1)
    stored = load_results("youth_reasons")
    first = stored[stored.release == 0].reset_index(drop=True)
    pd.testing.assert_frame_equal(made.reset_index(drop=True), first, check_exact=False, atol=1e-5)
    assert stored.groupby("case").release.nunique().eq(100).all()


def test_what_the_reason_allows_is_drawn_as_model_draws_does(youths, monkeypatch):
    """Quick draws out of a bank have the shares of draws that are repeated until possible."""
    monkeypatch.setattr(youths, "BANK", 4_000)
    data = pd.DataFrame({"ethnicity": 1, "facility": 1, "race": [1, 1, 1, 1, 2, 2, 3]})
    data["race"] = data.race.astype("category")
    marked = (data.race != 1).to_numpy()

    def possible(file):
        return ~marked | (file.race != 1).to_numpy()

    chain = sr.fit_multinomial(data, ["race"], [])
    quick = youths.Allowed(data, chain, marked, possible, np.random.default_rng(1))
    rng = np.random.default_rng(2)
    slow = sr.model_draws([chain], data, rng, 400, possible=possible, among=marked)
    of_quick = np.mean([(quick.draw(rng).race[marked] == 3).mean() for _ in range(400)])
    of_slow = np.mean([(draw.race[marked] == 3).mean() for draw in slow])
    assert abs(of_quick - of_slow) < 0.06


@pytest.mark.slow
def test_stored_runs_with_many_files_are_what_the_script_makes(youths):
    made = youths.make_files(runs=1)
    stored = load_results("youth_files")
    pd.testing.assert_frame_equal(made, stored.head(len(made)), check_exact=False, atol=1e-5)
    assert stored.run.nunique() == 20
