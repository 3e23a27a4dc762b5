"""The simulated households: made by the script, like the study they stand in for, a true sample.

The facts are those of Tables 1 and 3 of the report on the synthetic LASI file (unweighted); each
says how close is close enough. Chance alone moves a share among 71,000 persons by about 0.2 points
(one standard error), so that tolerances are about two to three standard errors.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu import data

ROOT = Path(__file__).parent.parent
PERSON_QIS = ["age", "gender", "education", "working"]
QIS = ["state", "rural", "residents", *(f"{name}_{k}" for k in (1, 2) for name in PERSON_QIS)]
AGES = ["under 45", "45-49", "50-54", "55-59", "60-64", "65-69", "70-74", "75-79", "over 79"]
EDUCATION = ["no schooling", "some primary", "primary", "middle", "secondary", "higher secondary"]
EDUCATION += ["diploma", "degree", "professional degree", "postgraduate"]
STATES = [f"{letter}{k}" for letter in "NCES" for k in range(1, 9 if letter == "C" else 10)]
STRATUM = ["state", "rural"]


@pytest.fixture(scope="module")
def script():
    """The script that makes the files, imported by its path."""
    path = ROOT / "data" / "make_households.py"
    spec = importlib.util.spec_from_file_location("make_households", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def everyone():
    return sr.load_households()


@pytest.fixture(scope="module")
def persons(everyone):
    """The respondents, with what their household's row says."""
    home = ["household", "region", "state", "rural", "respondents", "residents"]
    return everyone.persons.merge(everyone.households[home], on="household")


@pytest.fixture(scope="module")
def couples(persons):
    """The first person of every couple; the spouse's values end in _spouse, missing if alone."""
    key = ["household", "couple"]
    spouses = persons.loc[persons["place"] == 2, [*key, *PERSON_QIS, "education_years"]]
    first = persons[persons["place"] == 1]
    return first.merge(spouses, on=key, how="left", suffixes=("", "_spouse"))


@pytest.fixture(scope="module")
def sample(everyone):
    """The sampled households with their quasi-identifiers, one row each."""
    number = everyone.persons.groupby("household").cumcount() + 1
    table = everyone.households.set_index("household")[["state", "rural", "residents"]]
    for k in (1, 2):
        persons = everyone.persons[number == k].set_index("household")
        table = table.join(persons[PERSON_QIS].add_suffix(f"_{k}"))
    return table


def cells(table):
    """One number for every combination of quasi-identifiers, the same in sample and population."""
    number = np.zeros(len(table), dtype=np.int64)
    for name in QIS:
        codes = table[name] if name == "residents" else table[name].cat.codes + 1
        number = number * 40 + codes.to_numpy()  # no variable has 40 levels
    return number


@pytest.fixture(scope="module")
def counts(everyone, sample):
    """For every sampled household: f in the sample and F in the population of its combination."""
    ours, population = cells(sample), cells(everyone.population)
    F = pd.Series(everyone.population["count"].to_numpy(), index=population)
    f = pd.Series(ours).map(pd.Series(ours).value_counts())
    return pd.DataFrame({"f": f.to_numpy(), "F": F.reindex(ours).to_numpy()}, index=sample.index)


# --- The files are what the script makes ---------------------------------------------------------


@pytest.fixture(scope="module")
def made(script, tmp_path_factory):
    """The folder into which the script has written its files again (about ten seconds)."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(script, "FOLDER", folder)
        script.main()
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", ["households.csv", "persons.csv"])
def test_file_is_byte_for_byte_what_the_script_makes(made, name):
    assert (made / name).read_bytes() == (ROOT / "data" / name).read_bytes()


@pytest.mark.slow
def test_population_is_what_the_script_makes(made):
    """Arrays are compared, not bytes: libraries for packing differ between machines."""
    again = np.load(made / "population.npz", allow_pickle=False)
    ours = np.load(ROOT / "data" / "population.npz", allow_pickle=False)
    assert sorted(again) == sorted(ours) == ["count", "step", "values"]
    for name in ours:
        assert again[name].dtype == ours[name].dtype
        np.testing.assert_array_equal(again[name], ours[name])


@pytest.mark.slow
def test_script_writes_three_files_and_no_other(made):
    names = sorted(path.name for path in made.iterdir())
    assert names == ["households.csv", "persons.csv", "population.npz"]


@pytest.mark.slow
def test_another_seed_gives_another_sample_of_the_same_form(script, monkeypatch):
    monkeypatch.setattr(script, "LARGEST_STATE", 9_000)  # small states are quickly made
    ours = script.in_words(*script.simulate()[:2])
    monkeypatch.setattr(script, "SEED", 999)
    other = script.in_words(*script.simulate()[:2])
    for mine, new in zip(ours, other, strict=True):
        assert not mine.equals(new)
        assert list(mine.dtypes) == list(new.dtypes)
    assert len(ours[0]) == len(other[0]) == 42_311


@pytest.mark.slow
def test_others_are_other_households_as_many_in_every_stratum(script, monkeypatch):
    """Ours and others together are never more than the population has of a kind."""
    monkeypatch.setattr(script, "LARGEST_STATE", 9_000)
    homes, persons, cell, count = script.simulate()
    ours, _ = script.in_words(homes, persons)
    exists = pd.Series(count, index=cell)
    drawn, seen = [], script.together
    monkeypatch.setattr(script, "together", lambda sample: drawn.append(sample) or seen(sample))
    others = script.simulate_others(2, seed=1)
    assert not others[0][0].equals(others[1][0])
    for (their_homes, their_persons), sample in zip(others, drawn, strict=True):
        assert (their_homes.groupby(STRATUM).size() == ours.groupby(STRATUM).size()).all()
        assert set(their_persons.household) == set(their_homes.household)
        coded = [*(script.cells(one, state) for state, (one, _) in enumerate(sample))]
        coded += [script.cells(one, state) for state, one in homes.groupby("state")]
        found = pd.Series(np.concatenate(coded)).value_counts()
        assert (found <= exists[found.index]).all()


# --- Tables 1 and 3 of the report -----------------------------------------------------------------

SHARES = [  # variable, levels, percent of the persons, tolerance in points
    ("gender", ["female"], 57.8, 0.5),
    ("education", EDUCATION[:3], 70.4, 0.5),
    ("education", EDUCATION[3:7], 24.4, 0.5),
    ("education", EDUCATION[7:], 5.22, 0.25),
    ("working", ["yes"], 43.4, 0.5),
    *(
        ("age", [level], percent, 0.4)
        for level, percent in zip(
            AGES, [9.33, 18.3, 15.2, 13.9, 14.1, 12.2, 7.90, 4.58, 4.41], strict=True
        )
    ),
]

MEANS = [  # table, variable, mean, tolerance
    ("persons", "education_years", 4.32, 0.05),
    ("persons", "health", 3.19, 0.01),
    ("persons", "adl", 1.26, 0.01),
    ("persons", "earnings", 27_800, 1_200),
    ("households", "residents", 4.80, 0.025),
    ("households", "respondents", 1.68, 0.01),
]


@pytest.mark.parametrize(("name", "levels", "percent", "tolerance"), SHARES)
def test_shares(everyone, name, levels, percent, tolerance):
    got = 100 * everyone.persons[name].isin(levels).mean()
    assert got == pytest.approx(percent, abs=tolerance)


@pytest.mark.parametrize(("table", "name", "mean", "tolerance"), MEANS)
def test_means(everyone, table, name, mean, tolerance):
    assert getattr(everyone, table)[name].mean() == pytest.approx(mean, abs=tolerance)


def test_earnings_have_a_long_tail(everyone):
    """The published interval is ± 1,200; most earn nothing."""
    earnings = everyone.persons["earnings"]
    half_width = 1.96 * earnings.std() / np.sqrt(len(earnings))
    assert half_width == pytest.approx(1_200, abs=120)
    assert (earnings == 0).mean() > 0.7


def test_households_and_states(everyone):
    homes = everyone.households
    assert len(homes) == 42_311
    assert homes["state"].cat.categories.tolist() == STATES
    assert homes["state"].nunique() == 35
    assert (homes["state"].astype(str).str[0] == homes["region"].astype(str).str[0]).all()
    assert homes["region"].cat.categories.tolist() == ["North", "Central", "East", "South"]


def test_ranges_of_the_numbers(everyone):
    ends = {
        "education_years": (0, 20),
        "health": (1, 5),
        "adl": (0, 5),
        "place": (1, 2),
    }
    for name, (low, high) in ends.items():
        assert (everyone.persons[name].min(), everyone.persons[name].max()) == (low, high)
    homes = everyone.households
    assert (homes["respondents"].min(), homes["respondents"].max()) == (1, 12)
    assert (homes["residents"].min(), homes["residents"].max()) == (1, 15)
    assert (homes["weight"] > 1).all()
    assert (everyone.persons["weight"] > 0).all()


# --- Who lives together ---------------------------------------------------------------------------


def test_rows_are_in_order(everyone):
    homes, key = everyone.households, ["household", "couple", "place"]
    assert homes["household"].tolist() == list(range(1, 42_312))
    strata = homes["state"].cat.codes * 2 + homes["rural"].cat.codes
    assert strata.is_monotonic_increasing
    assert everyone.persons[key].apply(tuple, axis=1).is_monotonic_increasing
    assert not everyone.persons.duplicated(key).any()


def test_every_respondent_is_there(everyone):
    sizes = everyone.persons.groupby("household").size()
    homes = everyone.households.set_index("household")
    assert sizes.equals(homes["respondents"].rename(None))
    assert (homes["residents"] >= homes["respondents"]).all()


def test_couples_are_filled_in_order(everyone):
    persons = everyone.persons
    for _, places in persons.groupby(["household", "couple"])["place"]:
        assert places.tolist() in ([1], [1, 2])
    first = persons[persons["place"] == 1]
    expected = first.groupby("household").cumcount() + 1
    assert (first["couple"] == expected).all()


def test_who_is_under_45_has_a_spouse_who_is_not(couples):
    young, young_spouse = couples["age"] == AGES[0], couples["age_spouse"] == AGES[0]
    assert couples.loc[young, "age_spouse"].notna().all()
    assert not (young & young_spouse).any()
    assert young.any()
    assert young_spouse.any()


def test_gender_of_the_first_person(couples):
    alone, male = couples["gender_spouse"].isna(), couples["gender"] == "male"
    assert male[~alone].mean() == pytest.approx(0.59, abs=0.01)
    assert male[alone].mean() == pytest.approx(0.29, abs=0.01)


def test_couples_are_alike(couples):
    two = couples[couples["gender_spouse"].notna()]
    same_sex = (two["gender"].astype(str) == two["gender_spouse"].astype(str)).mean()
    assert 0.005 < same_sex < 0.02
    husbands = two[(two["gender"] == "male") & (two["gender_spouse"] == "female")]
    older = husbands["age"].cat.codes - husbands["age_spouse"].cat.codes
    assert 0.5 < older.mean() < 1.2  # age groups of five years
    assert husbands["age"].cat.codes.corr(husbands["age_spouse"].cat.codes) > 0.6
    years = husbands[["education_years", "education_years_spouse"]]
    assert 0.4 < years.corr().iloc[0, 1] < 0.7


def test_large_households_have_several_couples(couples):
    two = couples[couples["gender_spouse"].notna()]
    many = two.groupby("household").size()
    assert (many >= 2).sum() > 500
    assert many.max() >= 4
    larger = couples[couples["respondents"] >= 3]
    first_is_alone = larger.loc[larger["couple"] == 1, "gender_spouse"].isna().mean()
    assert 0.1 < first_is_alone < 0.3


# --- What goes with what --------------------------------------------------------------------------


def test_schooling(persons):
    level = persons["education"]
    years = persons.groupby(level, observed=True)["education_years"]
    assert years.mean().is_monotonic_increasing
    assert (persons.loc[level == EDUCATION[0], "education_years"] == 0).all()
    assert (persons.loc[level != EDUCATION[0], "education_years"] > 0).all()
    by_gender = persons.groupby("gender", observed=True)["education_years"].mean()
    by_place = persons.groupby("rural", observed=True)["education_years"].mean()
    by_state = persons.groupby("state", observed=True)["education_years"].mean()
    assert by_gender["male"] > 1.3 * by_gender["female"]
    assert by_place["urban"] > 1.3 * by_place["rural"]
    assert by_state.max() > 1.5 * by_state.min()


def test_work_and_earnings(persons):
    works = persons["working"] == "yes"
    by_age = works.groupby(persons["age"], observed=True).mean()
    by_gender = works.groupby(persons["gender"], observed=True).mean()
    assert by_age.loc["60-64":].is_monotonic_decreasing
    assert by_gender["male"] > 1.5 * by_gender["female"]
    assert (persons.loc[~works, "earnings"] == 0).all()
    paid = persons[persons["earnings"] > 0]
    assert 0.4 < len(paid) / works.sum() < 0.7
    medians = paid.groupby("education", observed=True)["earnings"].median()
    assert medians["degree"] > 2 * medians["no schooling"]
    by_gender = paid.groupby("gender", observed=True)["earnings"].median()
    assert by_gender["male"] > by_gender["female"]


@pytest.mark.parametrize("name", ["health", "adl"])
def test_health_gets_worse_with_age_and_better_with_work(persons, name):
    by_age = persons.groupby("age", observed=True)[name].mean()
    assert by_age["over 79"] > by_age["60-64"] > by_age["45-49"]
    by_work = persons.groupby("working", observed=True)[name].mean()
    assert by_work["no"] > by_work["yes"]


def test_head_is_mostly_but_not_always_like_the_first_person(everyone, sample):
    head = everyone.households["head_gender"].to_numpy()
    assert 0.6 < (head == sample["gender_1"].to_numpy()).mean() < 0.9


# --- The sample and the population ----------------------------------------------------------------


def test_population_lists_every_combination_once(everyone):
    population = everyone.population
    assert list(population) == [*QIS, "count"]
    assert not pd.Series(cells(population)).duplicated().any()
    assert (population["count"] >= 1).all()
    assert 2_000_000 < len(population) < 3_000_000
    assert 12_000_000 < population["count"].sum() < 20_000_000


def test_second_respondent_is_missing_as_a_whole(everyone, sample):
    second = [f"{name}_2" for name in PERSON_QIS]
    for table in (everyone.population, sample):
        missing = table[second].isna()
        assert (missing.all(axis=1) == missing.any(axis=1)).all()
        assert table[QIS[:7]].notna().all(axis=None)
    alone = everyone.households.set_index("household")["respondents"] == 1
    assert (sample["age_2"].isna() == alone).all()


def test_states_grow_and_every_region_has_small_and_large_ones(everyone):
    sizes = everyone.population.groupby("state", observed=True)["count"].sum()
    assert sizes.min() == pytest.approx(5_000, rel=0.01)
    assert sizes.max() == pytest.approx(2_500_000, rel=0.01)
    steps = np.sort(sizes)[1:] / np.sort(sizes)[:-1]
    assert steps.tolist() == pytest.approx([500 ** (1 / 34)] * 34, rel=0.01)
    for letter in "NCES":
        own = sizes[sizes.index.str.startswith(letter)]
        assert own.min() < 10_000
        assert own.max() > 1_000_000


def test_sampling_fractions(everyone):
    size = everyone.population.groupby(STRATUM, observed=True)["count"].sum()
    number = everyone.households.groupby(STRATUM, observed=True).size()
    fraction = (number / size).unstack()
    assert fraction.notna().all(axis=None)
    ratio = fraction["urban"] / fraction["rural"]
    assert ratio.tolist() == pytest.approx([1.3] * 35, abs=0.01)
    assert 0.15 < fraction.max(axis=None) < 0.25
    assert fraction.min(axis=None) < 0.001
    per_state = everyone.households["state"].value_counts()
    assert per_state.between(850, 1_700).all()


@pytest.mark.parametrize("name", QIS[2:])
def test_within_strata_everyone_has_the_same_chance(everyone, sample, name):
    """Σ π F and Σ f of each level differ by chance only: by at most 4 standard errors."""
    population = everyone.population
    size = population.groupby(STRATUM, observed=True)["count"].sum()
    pi = (sample.groupby(STRATUM, observed=True).size() / size).rename("pi").reset_index()
    levels = population.groupby([*STRATUM, name], observed=True)["count"].sum().reset_index()
    levels = levels.merge(pi, on=STRATUM)
    expected = (levels["count"] * levels["pi"]).groupby(levels[name], observed=True).sum()
    got = sample[name].value_counts().reindex(expected.index, fill_value=0)
    assert (np.abs(got - expected) <= 4 * np.sqrt(expected)).all()


def test_population_holds_the_sample(counts):
    assert counts["F"].notna().all()
    assert (counts["F"] >= counts["f"]).all()


def test_uniques(counts):
    """Most households are unique in the sample; a part of these is unique in the population."""
    unique = counts[counts["f"] == 1]
    assert len(unique) / len(counts) == pytest.approx(0.78, abs=0.02)
    assert 0.2 < (unique["F"] == 1).mean() < 0.4
    assert (unique["F"] > 10).mean() > 0.3


def test_mean_of_one_over_F_is_what_sampling_theory_says(everyone, sample, counts):
    """A household is drawn with chance π: Σ 1/F over the sample expects Σ π · (cells) of strata.

    In a stratum, Σ over all its households of 1/F is its number of cells.
    """
    groups = everyone.population.groupby(STRATUM, observed=True)["count"]
    pi = sample.groupby(STRATUM, observed=True).size() / groups.sum()
    assert (1 / counts["F"]).sum() == pytest.approx((pi * groups.size()).sum(), rel=0.02)


def test_weights_stand_for_the_population(everyone):
    size = everyone.population.groupby(STRATUM, observed=True)["count"].sum()
    weights = everyone.households.groupby(STRATUM, observed=True)["weight"]
    np.testing.assert_allclose(weights.sum(), size, rtol=0.002)  # they are rounded
    spread = weights.std() / weights.mean()
    assert spread.between(0.15, 0.40).all()


@pytest.mark.parametrize(
    ("name", "level"), [("gender", "female"), ("working", "yes"), ("education", "no schooling")]
)
def test_weighted_shares_differ_mildly(everyone, name, level):
    has, weight = everyone.persons[name] == level, everyone.persons["weight"]
    difference = abs(np.average(has, weights=weight) - has.mean())
    assert 0.002 < difference < 0.06


# --- Loading --------------------------------------------------------------------------------------


def test_kinds_of_columns(everyone):
    coded = {"gender", "age", "education", "working"}
    assert set(everyone.persons.select_dtypes("category")) == coded
    homes = {"region", "state", "rural", "head_gender"}
    assert set(everyone.households.select_dtypes("category")) == homes
    numbers = ["residents", "count"]
    assert list(everyone.population.select_dtypes("category")) == [
        q for q in QIS if q != numbers[0]
    ]
    for table, names in [
        (everyone.population, numbers),
        (everyone.households, ["household", "residents", "respondents"]),
        (everyone.persons, ["household", "couple", "place", "health", "adl", "earnings"]),
    ]:
        assert all(pd.api.types.is_integer_dtype(table[name]) for name in names)
    for table, name in [(everyone.persons, "age"), (everyone.population, "age_2")]:
        assert table[name].cat.categories.tolist() == AGES
    for table, name in [(everyone.persons, "education"), (everyone.population, "education_1")]:
        assert table[name].cat.categories.tolist() == EDUCATION


def test_codebook_covers_every_column_and_code(everyone):
    book = sr.codebook("households")
    assert list(book) == ["variable", "label", "description", "type", "code", "meaning"]
    assert book["description"].str.contains("simulated", case=False).all()
    assert book[["variable", "label", "description", "type", "meaning"]].notna().all(axis=None)
    columns = [*everyone.households, *everyone.persons]
    assert book["variable"].unique().tolist() == list(dict.fromkeys(columns))
    for table in (everyone.households, everyone.persons):
        for name, rows in book[book["variable"].isin(table.columns)].groupby("variable"):
            if isinstance(table[name].dtype, pd.CategoricalDtype):
                assert set(rows["type"]) == {"categorical"}
                assert table[name].cat.categories.tolist() == rows["code"].tolist()
                assert set(table[name]) == set(rows["code"])
            else:
                assert rows["type"].tolist() == ["numeric"]
                assert rows["code"].isna().all()


def test_codes_can_be_put_in_words(everyone):
    words = data.in_words(everyone.persons.head(3), "households")
    assert words["age"].astype(str).str.endswith("years").all()


def test_population_is_unpacked_digit_by_digit(everyone):
    """A second way: take the stored numbers apart by division, one digit after the other."""
    stored = np.load(ROOT / "data" / "population.npz", allow_pickle=False)
    numbers = np.cumsum(stored["step"].astype(object)[:200_000])  # plain Python numbers
    for row in [0, 1, 1000, 77_777, 199_999]:
        rest, second = divmod(numbers[row], 361)
        codes = []
        for values in [2, 10, 2, 9, 15, 2, 35]:
            rest, code = divmod(rest, values)
            codes.insert(0, code)
        if second == 360:
            codes += [-1] * 4
        else:
            codes += [second // 40, second // 20 % 2, second // 2 % 10, second % 2]
        got = everyone.population.iloc[[row]]
        assert got["residents"].item() - 1 == codes.pop(2)
        assert [got[name].cat.codes.item() for name in QIS if name != "residents"] == codes
        assert got["count"].item() == stored["count"][row]


def test_every_load_gives_fresh_frames(everyone):
    again = sr.load_households()
    for mine, new in zip(everyone, again, strict=True):
        assert mine.equals(new)
    del again.persons["age"]
    assert "age" in sr.load_households().persons


@pytest.mark.parametrize("name", ["households.csv", "persons.csv", "population.npz"])
def test_missing_file_is_an_error_of_the_package(monkeypatch, tmp_path, name):
    for path in (ROOT / "data").glob("*"):
        if path.name in {"households.csv", "persons.csv", "population.npz"} - {name}:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    book = ROOT / "data" / "households_codebook.csv"
    (tmp_path / book.name).write_bytes(book.read_bytes())
    monkeypatch.setattr(data, "_folder", lambda: tmp_path)
    with pytest.raises(FileNotFoundError, match=name.replace(".", r"\.")):
        sr.load_households()


def test_nobody_sees_what_another_changes_in_the_population():
    one, two = sr.load_households().population, sr.load_households().population
    households, first = two["count"].sum(), two.state.iloc[0]
    one.loc[:, "count"] = 0
    one.loc[0, "state"] = one.state.iloc[-1]
    assert first != one.state.iloc[0]
    for other in (two, sr.load_households().population):
        assert other["count"].sum() == households and other.state.iloc[0] == first
