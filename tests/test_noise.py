"""Noise on every count: the promise of ε, the records it becomes, and the panel."""

import re
from html import unescape

import numpy as np
import pandas as pd
import pytest
from panel_moves import use_every_control

import synthrisk_edu as sr
from synthrisk_edu import widgets
from synthrisk_edu.widgets.noise import EPSILONS

JOBS = ["baker", "cook", "nurse"]


@pytest.fixture(scope="module")
def people():
    """Forty people in two towns; nobody in town B bakes."""
    rng = np.random.default_rng(1)
    town = np.repeat(["A", "B"], 20)
    job = np.where(town == "A", rng.choice(JOBS, 40), rng.choice(JOBS[1:], 40))
    sex = rng.choice(["F", "M"], 40)
    data = pd.DataFrame({"Sex": sex, "Town": town, "Job": job})
    levels = {"Sex": ["F", "M"], "Town": ["A", "B"], "Job": JOBS}
    return data.astype({name: pd.CategoricalDtype(some) for name, some in levels.items()})


def test_every_possible_cell_is_counted(people):
    counts = sr.possible_counts(people[["Town", "Job"]])
    assert len(counts) == 6 and counts["B", "baker"] == 0 and counts.sum() == 40


@pytest.mark.parametrize("epsilon", [0.2, 1, 3])
def test_noise_is_laplace_of_scale_one_over_epsilon(epsilon):
    noise = sr.noisy_counts(pd.Series(np.zeros(200_000)), epsilon, seed=1)
    assert noise.mean() == pytest.approx(0, abs=0.02 / epsilon)
    assert noise.abs().mean() == pytest.approx(1 / epsilon, rel=0.02)
    beyond = [(noise.abs() > far / epsilon).mean() for far in (1, 2, 3)]
    assert beyond == pytest.approx(np.exp([-1, -2, -3]), abs=0.005)


@pytest.mark.parametrize("epsilon", [0.5, 1, 2])
def test_one_person_changes_the_chance_of_any_file_by_the_promised_factor_at_most(epsilon):
    """Of one cell: every number of records that may be written, with 3 people and with 2."""
    draws = 200_000

    def chances(count):
        noisy = sr.noisy_counts(pd.Series(np.full(draws, count)), epsilon, seed=count)
        return np.bincount(noisy.round().clip(lower=0).astype(int), minlength=60) / draws

    with_person, without = chances(3), chances(2)
    often = (with_person > 0.005) & (without > 0.005)  # elsewhere there are too few to compare
    ratio = with_person[often] / without[often]
    assert often.sum() >= 4
    assert ratio.max() < 1.06 * np.exp(epsilon) and ratio.min() > np.exp(-epsilon) / 1.06
    assert ratio.max() > 0.9 * np.exp(epsilon)  # it is no tighter promise, either


def test_records_have_the_columns_types_and_counts(people):
    made = sr.synthesize_noisy(people, 1000, seed=1)  # hardly any noise
    assert (made.dtypes == people.dtypes).all() and list(made) == list(people)
    assert sr.possible_counts(made).equals(sr.possible_counts(people))
    noisy = sr.synthesize_noisy(people, 0.5, seed=3)
    again = sr.synthesize_noisy(people, 0.5, seed=3)
    assert noisy.equals(again) and not sr.possible_counts(noisy).equals(sr.possible_counts(people))


def test_a_table_of_which_nothing_is_left_is_an_empty_file():
    one = pd.DataFrame({"Job": pd.Categorical(["baker"], ["baker"])})
    files = [sr.synthesize_noisy(one, 0.1, seed=seed) for seed in range(40)]
    assert min(len(file) for file in files) == 0
    drawn = sr.noise_draws(one.assign(Town=one.Job), ["Town"], "Job", 0.1, looked_at=["Town"])
    assert drawn.notna().all(axis=None)


def test_draws_say_what_disclosure_says_of_the_files(people):
    """DiSCO, and a guess in plain loops, of the same files written out as records."""
    drawn = sr.noise_draws(people, ["Sex", "Town"], "Job", 1, looked_at=["Town"], files=5, seed=4)
    rng = np.random.default_rng(4)
    for row in drawn.itertuples():
        file = sr.synthesize_noisy(people, 1, seed=int(rng.integers(2**31)))
        found = sr.disclosure(people, file, ["Sex", "Town"], "Job").attribute.DiSCO[1]
        assert row.DiSCO == pytest.approx(found) and row.records == len(file)
        gap = (sr.possible_counts(file) - sr.possible_counts(people)).abs().sum()
        assert row.off == pytest.approx(100 * gap / 40)
        commonest = {}
        for town in "AB":
            jobs = file.Job[file.Town == town]
            commonest[town] = max(JOBS, key=lambda job: (jobs == job).sum())
        right = [commonest[one.Town] == one.Job for one in people.itertuples()]
        assert row.guess == pytest.approx(100 * np.mean(right))


def test_equal_seeds_give_equal_draws(people):
    ask = {"looked_at": ["Town"], "files": 3}
    one, two, other = (
        sr.noise_draws(people, ["Town"], "Job", 1, seed=seed, **ask) for seed in (1, 1, 2)
    )
    assert one.equals(two) and not one.equals(other)


# ----------------------------------------------------------------------------- the panel


@pytest.fixture(scope="module")
def panel(people):
    return widgets.noise_panel(people, ["Sex", "Town"], "Job", ["Town"])


def test_the_panel_at_the_ends_of_its_control(panel):
    use_every_control(panel)


def test_the_panel_shows_a_hundred_files_and_says_them(panel, people):
    now = panel.compute(epsilon=1)
    asked = sr.noise_draws(people, ["Sex", "Town"], "Job", 1, looked_at=["Town"], seed=1)
    pd.testing.assert_frame_equal(now.files, asked)
    ratio = now.with_person / now.without_person
    assert ratio.max() == pytest.approx(np.e) and ratio.min() == pytest.approx(1 / np.e)
    panel.controls["epsilon"].value = 1
    told = unescape(re.sub("<[^>]*>", " ", panel.tiles.value))
    assert "2.7" in told and "times as likely" in told
    said = unescape(re.sub("<[^>]*>", "", panel.sentence.value)).replace("\xa0", " ")
    assert "In 100 files DiSCO lies between" in said and "made of 40 people" in said


def test_a_click_on_either_curve_moves_epsilon(panel):
    for number, name in ((1, "DiSCO"), (2, "guess")):
        ax = panel.canvas.axes[number]
        mean = panel.compute(epsilon=0.5).files[name].mean()
        x, y = panel.canvas.on_page(ax, [(0.5, mean)])[0]
        (mark,) = [mark for mark in panel.picture.marks if np.hypot(mark[0] - x, mark[1] - y) < 1]
        panel._touched(None, {"set": mark[3]}, [])
        assert panel.controls["epsilon"].value == 0.5
        panel.controls["epsilon"].value = 10


def test_the_files_of_every_epsilon_have_room_on_both_axes(panel):
    for number, name in ((1, "DiSCO"), (2, "guess")):
        top = panel.canvas.axes[number].get_ylim()[1]
        for epsilon in EPSILONS:
            assert panel.compute(epsilon=epsilon).files[name].max() <= top


def test_a_published_count_is_as_much_likelier_as_the_densities_say(panel):
    panel.controls["epsilon"].value = 1
    read = {mark[2].split("\n")[0]: mark for mark in panel.picture.marks}
    assert "2.7 times as likely with the person" in read["published 2"][2]
    assert "2.7 times as likely without the person" in read["published -1"][2]
    assert read["published 2"][3] is None  # only read
    panel.controls["epsilon"].value = 10


def test_without_noise_the_panel_has_what_the_data_themselves_give(panel, people):
    true = panel.compute(epsilon=10).true
    found = sr.disclosure(people, people, ["Sex", "Town"], "Job").attribute
    assert true["DiSCO"] == found.Dorig[1]
    sizes = people.groupby(["Town", "Job"], observed=True).size()
    commonest = sizes.groupby("Town", observed=True).max()
    assert true["guess"] == pytest.approx(100 * commonest.sum() / 40)


# ----------------------------------------------------------------------------- bad input


def ask(people, **other):
    """A question that is fine but for what is changed."""
    question = {"keys": ["Town"], "target": "Job", "epsilon": 1, "looked_at": ["Town"]}
    return sr.noise_draws(people, **question | other)


@pytest.mark.parametrize(
    ("wrong", "error", "says"),
    [
        ({"epsilon": 0}, ValueError, "epsilon must be a number from 0.001 to 1000"),
        ({"epsilon": "1"}, TypeError, "epsilon must be a number"),
        ({"keys": ["Shoe"]}, KeyError, "has no column 'Shoe'"),
        ({"keys": ["Job"], "looked_at": ["Job"]}, ValueError, "'Job'"),
        ({"looked_at": ["Sex"]}, KeyError, "looked_at names 'Sex'"),
        ({"files": 0}, ValueError, "files must be a whole number"),
    ],
)
def test_a_wrong_question_gets_a_sentence(people, wrong, error, says):
    with pytest.raises(error, match=re.escape(says)):
        ask(people, **wrong)


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"Job": "cook"}, TypeError, "'Job' of data holds no categories"),
        ({"Job": pd.Categorical([None] * 40, JOBS)}, ValueError, "'Job' of data has missing"),
        ({"Id": pd.Categorical(range(40), range(10**6))}, ValueError, "possible combinations"),
    ],
)
def test_levels_must_be_fixed_beforehand(people, change, error, says):
    with pytest.raises(error, match=re.escape(says)):
        sr.synthesize_noisy(people.assign(**change), 1)
