"""Members and others: by hand, by brute force, and on published files."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import synthrisk_edu as sr
from synthrisk_edu import nearest
from synthrisk_edu.members import halves

TEN = pd.DataFrame(
    {"Sex": list("FFFFFMMMMM"), "Town": list("AABBCAABBC"), "Age": range(20, 70, 5)},
    index=[f"p{number}" for number in range(10)],
)


def random_file(rng, n, columns=4):
    """A file with numbers, text and categories, ties, missing values, zeros and negatives."""
    makers = [
        lambda: rng.integers(-2, 4, n).astype(float),
        lambda: rng.choice(["a", "b", "c"], n).astype(object),
        lambda: pd.Categorical(rng.integers(0, 3, n)),
        lambda: rng.normal(size=n).round(1),
    ]
    file = pd.DataFrame({f"v{k}": makers[k % 4]() for k in range(columns)})
    for name in file:
        file.loc[rng.random(n) < 0.1, name] = np.nan
    return file


def same_value(x, y):
    return (pd.isna(x) and pd.isna(y)) or (not pd.isna(x) and not pd.isna(y) and x == y)


# ------------------------------------------------------------------------ copies


def copies_by_loops(file, synthetic):
    rows, unique = 0, 0
    for _, s in synthetic.iterrows():
        equal = sum(all(map(same_value, s, o)) for _, o in file.iterrows())
        rows, unique = rows + (equal > 0), unique + (equal == 1)
    return [rows, rows / len(synthetic), unique]


@pytest.mark.parametrize("seed", range(60))
def test_copies_are_those_of_a_double_loop(seed):
    rng = np.random.default_rng(seed)
    columns = 1 + seed % 4
    original, synthetic, control = (random_file(rng, n, columns) for n in (12, 9, 7))
    before = [file.copy() for file in (original, synthetic, control)]
    found = sr.copies(original, synthetic, control=control)
    assert found.loc["original"].tolist() == copies_by_loops(original, synthetic)
    assert found.loc["control"].tolist() == copies_by_loops(control, synthetic)
    for file, was in zip((original, synthetic, control), before, strict=True):
        pd.testing.assert_frame_equal(file, was)


def test_a_shuffled_copy_is_a_copy_of_everybody():
    shuffled = TEN.sample(frac=1, random_state=1)
    assert sr.copies(TEN, shuffled).loc["original"].tolist() == [10, 1.0, 10]
    assert sr.copies(TEN, shuffled, columns=["Sex", "Town"]).loc["original"].tolist() == [10, 1, 2]


def test_copies_of_the_published_file(reference):
    original = pd.read_csv(reference / "sd2011" / "original.csv", low_memory=False)
    synthetic = pd.read_csv(reference / "sd2011" / "synthetic_1.csv", low_memory=False)
    assert sr.copies(original, synthetic).rows["original"] == 142


# -------------------------------------------------------------- the closest record


def part(name, x, y, together):
    """One column's part of the distance; v0 and v3 are numbers, the others are categories."""
    if same_value(x, y):
        return 0
    if name not in ("v0", "v3") or pd.isna(x) or pd.isna(y):
        return 1
    return abs(x - y) / (together[name].max() - together[name].min())


def gower_by_loops(synthetic, file, together):
    return np.array(
        [
            min(
                np.mean([part(name, s[name], o[name], together) for name in synthetic])
                for _, o in file.iterrows()
            )
            for _, s in synthetic.iterrows()
        ]
    )


@pytest.mark.parametrize("seed", range(40))
def test_distances_are_those_of_a_double_loop(seed):
    rng = np.random.default_rng(seed)
    columns = 1 + seed % 4
    original, synthetic, control = (random_file(rng, n, columns) for n in (9, 8, 7))
    together = pd.concat([original, synthetic, control])
    found = sr.closest_record(original, synthetic, control=control)
    ours = gower_by_loops(synthetic, original, together)
    theirs = gower_by_loops(synthetic, control, together)
    for name, one, other in (("original", ours, theirs), ("control", theirs, ours)):
        row = found.loc[name]
        assert row.tolist() == pytest.approx(
            [np.median(one), np.quantile(one, 0.05), np.mean(one < other - 1e-6)], abs=1e-12
        )


@pytest.mark.parametrize("seed", range(20))
def test_without_a_synthetic_file_the_nearest_other_record_counts(seed):
    """The yardstick where there is no control: every record but its own is looked at."""
    file = random_file(np.random.default_rng(seed), 12, 1 + seed % 4)
    before = file.copy()
    nearest = [
        gower_by_loops(file.iloc[[i]], file.drop(index=i), file).item() for i in range(len(file))
    ]
    found = sr.closest_record(file)
    assert found.index.tolist() == ["original"] and np.isnan(found.closer["original"])
    row = found.loc["original", ["median", "low"]].tolist()
    assert row == pytest.approx([np.median(nearest), np.quantile(nearest, 0.05)], abs=1e-12)
    pd.testing.assert_frame_equal(file, before)


def test_twins_are_at_distance_zero_from_each_other_and_a_control_is_looked_at_whole():
    twins = TEN.iloc[[0, 0, 1, 1]]
    assert sr.closest_record(twins).loc["original", "median"] == 0
    found = sr.closest_record(TEN, control=TEN)
    assert found["median"]["control"] == 0 < found["median"]["original"]


def test_blocks_make_no_difference(monkeypatch):
    rng = np.random.default_rng(3)
    original, synthetic = random_file(rng, 300), random_file(rng, 200)
    whole = sr.closest_record(original, synthetic)
    monkeypatch.setattr(nearest, "TILE", (7, 50))
    pd.testing.assert_frame_equal(sr.closest_record(original, synthetic), whole)


def test_a_disguised_copy_is_much_nearer_than_the_records_are_to_each_other():
    """METHODS 8: a year and one per cent away from somebody is no copy, and gives itself away."""
    people, rng = sr.load_ce().head(800), np.random.default_rng(1)
    moved = people.assign(
        Age=people.Age + rng.choice([-1, 1], len(people)),
        Income=people.Income * rng.choice([0.99, 1.01], len(people)),
    )
    assert sr.copies(people, moved).rows["original"] < 5
    nearest = sr.closest_record(people, moved)["median"]["original"]
    assert nearest < sr.closest_record(people)["median"]["original"] / 5


def test_a_copy_is_at_distance_zero():
    found = sr.closest_record(TEN, TEN.sample(frac=1, random_state=2), control=TEN.assign(Age=99))
    assert found.loc["original", ["median", "low"]].tolist() == [0, 0]
    assert found.closer.tolist() == [1, 0]


def test_a_constant_column_and_one_without_values_add_nothing():
    odd = pd.DataFrame({"x": [1.0, 2.0], "same": [5, 5], "none": [np.nan, np.nan]})
    assert sr.closest_record(odd, odd.iloc[:1]).loc["original", "median"] == 0


# -------------------------------------------------------------- members and others


def borrowed(half, seed):
    """A synthesizer that gives the half back: the worst there is."""
    return half


def test_halves_share_nobody_and_leave_at_most_one_out():
    for n in (4, 5, 11):
        data = pd.DataFrame({"x": range(n)})
        a, b = halves(data, np.random.default_rng(n))
        assert len(a) == len(b) == n // 2 and not set(a.x) & set(b.x)


@pytest.mark.parametrize("n", [4, 5, 11, 100])
def test_halves_are_drawn_as_they_were_before_shares(n):
    """Stored results were made with these rows: the first half of a permutation, in file order."""
    data = pd.DataFrame({"x": range(n)})
    order, size = np.random.default_rng(n).permutation(n), n // 2
    a, b = halves(data, np.random.default_rng(n))
    assert a.x.tolist() == sorted(order[:size]) and b.x.tolist() == sorted(order[size : 2 * size])


@pytest.mark.parametrize("share", [0.1, 0.25, 0.7, 0.9])
def test_a_share_of_the_rows_are_members(share):
    data = pd.DataFrame({"x": range(100)})
    a, b = halves(data, np.random.default_rng(1), share)
    assert (len(a), len(a) + len(b)) == (round(100 * share), 100) and not set(a.x) & set(b.x)


def test_people_who_live_together_are_split_together():
    homes = pd.DataFrame({"home": np.repeat([f"h{k}" for k in range(50)], [1, 2, 3, 4, 5] * 10)})
    for share in (0.5, 0.8):
        a, b = halves(homes, np.random.default_rng(3), share, "home")
        assert a.home.nunique() == 50 * share and len(a) + len(b) == 150
        assert not set(a.home) & set(b.home)


def test_a_spouse_who_took_part_makes_an_other_look_known():
    """What stands in both rows of a couple is copied from the spouse when persons are split."""
    couples = pd.DataFrame({"home": np.repeat(range(200), 2), "rent": np.repeat(range(200), 2)})

    def rents(half, synthetic):
        return half.rent.isin(synthetic.rent).mean()

    apart, kept = (
        sr.compare_members(couples, borrowed, rents, splits=4, together=column, seed=1).summary()
        for column in (None, "home")
    )
    assert 0.4 < apart.others["rents"] < 0.6 and apart.added["rents"] < 0.6
    assert kept.others["rents"] == 0 and kept.added["rents"] == 1


def test_who_is_copied_is_a_member():
    found = sr.compare_members(
        TEN, borrowed, lambda half, s: sr.copies(half, s).share.iloc[0], seed=1
    )
    assert found.splits.columns.tolist() == ["split", "measure", "members", "others"]
    assert (len(found.splits), set(found.splits.measure)) == (10, {"measure"})
    assert found.summary().iloc[0].tolist() == [1, 0, 1, 1, 1, 1]


def test_a_file_made_of_nobody_adds_nothing():
    made = pd.DataFrame({"Sex": list("FM"), "Town": list("AB"), "Age": [20, 30]})

    def found_share(half, synthetic):
        return half.Age.isin(synthetic.Age).mean()

    result = sr.compare_members(TEN, lambda half, seed: made, found_share, splits=200, seed=1)
    row = result.summary().loc["found_share"]
    assert row.low < 0 < row.high
    assert row.members == pytest.approx(0.2, abs=0.03)  # two of ten, in either half


def test_the_interval_is_that_of_students_t():
    def ages(half, synthetic):
        return pd.Series({"mean": half.Age.mean(), "share": (half.Age > 40).mean()})

    found = sr.compare_members(TEN, borrowed, ages, splits=7, seed=5)
    one = found.splits[found.splits.measure == "share"]
    difference = one.members - one.others
    low, high = stats.t.interval(0.95, 6, difference.mean(), stats.sem(difference))
    row = found.summary().loc["share"]
    assert row[["added", "low", "high"]].tolist() == pytest.approx([difference.mean(), low, high])
    others = one.others.mean()
    assert row.residual == pytest.approx((one.members.mean() - others) / (1 - others))
    assert np.isnan(found.summary().loc["mean", "residual"])  # an age is no share
    assert found.summary(whole=100).loc["mean", "residual"] == pytest.approx(
        found.summary().loc["mean", "added"] / (100 - found.summary().loc["mean", "others"])
    )


def test_equal_seeds_give_equal_splits():
    def measure(half, synthetic):
        return synthetic.Age.sum() + half.Age.sum()

    def draw(half, seed):
        return half.sample(frac=1, replace=True, random_state=seed)

    one, again, other = (
        sr.compare_members(TEN, draw, measure, splits=3, seed=seed).splits for seed in (4, 4, 5)
    )
    assert one.equals(again) and not one.equals(other)


SYNTHESIZERS = {
    "cart": lambda half, seed: sr.synthesize_cart(half, list(half), seed=seed),
    "dpmpm": lambda half, seed: sr.synthesize_dpmpm(
        half[["SEX", "MAR", "DIS"]], ["DIS"], classes=3, iterations=5, seed=seed
    ),
    "multinomial": lambda half, seed: sr.fit_multinomial(half, ["MAR"], ["SEX", "DIS"]).draw(
        half, np.random.default_rng(seed)
    ),
    "linear": lambda half, seed: sr.synthesize_linear(half, "Income", ["Age"], seed=seed),
    "redraw": lambda half, seed: sr.redraw(half, ["MAR"], ["SEX"], seed=seed),
}


@pytest.mark.parametrize("name", SYNTHESIZERS)
def test_every_synthesizer_can_be_asked(name):
    data = sr.load_acs()[["SEX", "MAR", "DIS"]].head(200)
    if name == "linear":
        data = sr.load_ce()[["Age", "Income"]].query("Income > 0").head(200)
    before = data.copy()

    def share(half, synthetic):
        return sr.copies(half, synthetic, columns=list(synthetic)).share.iloc[0]

    found = sr.compare_members(data, SYNTHESIZERS[name], share, splits=2, seed=1)
    assert found.splits[["members", "others"]].stack().between(0, 1).all()
    pd.testing.assert_frame_equal(data, before)


def test_disco_of_the_published_file_is_higher_for_members(reference):
    """METHODS 7: from half of SD2011 by CART, DiSCO of marital was 30.7 and 17.0."""
    keys = ["sex", "age", "region", "placesize"]
    original = pd.read_csv(reference / "sd2011" / "original.csv", low_memory=False)
    original = original[[*keys, "marital", "depress"]]

    def cart(half, seed):
        return sr.synthesize_cart(half, list(half), seed=seed)[0]

    def disco(half, synthetic):
        table = sr.multi_disclosure(half, synthetic, keys, ["marital", "depress"])
        return table.set_index("target").DiSCO.loc[["marital", "depress"]]

    found = sr.compare_members(original, cart, disco, splits=3, seed=1).summary(whole=100)
    assert (found.added > 0).all() and (found.others < 0.75 * found.members).all()


# ------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sr.copies(TEN, TEN[[]]), "have no column in common"),
        (lambda: sr.copies(TEN, TEN, columns=["Job"]), "Job"),
        (lambda: sr.copies(TEN, TEN.assign(Sex=1)), "Sex"),
        (lambda: sr.copies(TEN, [TEN]), "synthetic must be one data frame"),
        (lambda: sr.closest_record(TEN, TEN.assign(Age=np.inf)), "Age"),
        (lambda: sr.closest_record(TEN, TEN, control="TEN"), "control"),
        (lambda: sr.compare_members(TEN.head(0), borrowed, len), "data is an empty frame"),
        (lambda: sr.compare_members(TEN, borrowed, lambda h, s: "x"), "a number, or a Series"),
        (lambda: sr.compare_members(TEN, lambda h, s: [h, h], len), "one data frame, not a list"),
        (lambda: sr.compare_members(TEN, borrowed, lambda h, s: 1, splits=0), "splits"),
        (lambda: sr.compare_members(TEN, borrowed, len, share=90), "share must be a number from"),
        (lambda: sr.compare_members(TEN, borrowed, len, together="Home"), "no column 'Home'"),
        (
            lambda: sr.compare_members(TEN.replace("C", None), borrowed, len, together="Town"),
            "column 'Town' of data has missing values",
        ),
        (
            lambda: sr.compare_members(TEN, borrowed, lambda h, s: pd.Series(1, index=[h.Age[0]])),
            "other names for members",
        ),
        (
            lambda: sr.compare_members(TEN, borrowed, lambda h, s: 1).summary(whole=10),
            "whole must be one of 1, 100",
        ),
    ],
)
def test_bad_input_is_told_in_one_sentence(call, words):
    with pytest.raises((TypeError, ValueError, KeyError)) as error:
        call()
    assert words in str(error.value)


def shares(members, others):
    table = pd.DataFrame(
        {"split": [1, 2], "measure": "share", "members": members, "others": others}
    )
    return sr.Members(table).summary().loc["share"]


def test_the_residual_is_defined_up_to_the_ends_of_a_share():
    assert shares([1.0, 1.0], [0.0, 0.0]).residual == 1  # 0 and 1 are shares
    assert np.isnan(shares([1.0, 1.1], [0.0, 0.0]).residual)
    assert np.isnan(shares([1.0, 1.0], [1.0, 1.0]).residual)  # nothing could be added
    assert np.isnan(shares([0.5, 0.5], [-0.1, 0.0]).residual)


@pytest.mark.parametrize(("share", "sizes"), [(0.7, [7, 3]), (0.9, [9, 1]), (0.3, [3, 7])])
def test_a_share_of_ten_is_a_whole_number_whatever_floating_point_says(share, sizes):
    ten = pd.DataFrame({"x": range(10)})  # 10 · (1 − 0.9) is 0.99…98, 10 · 0.7 is 7.000…1 or less
    assert [len(some) for some in halves(ten, np.random.default_rng(1), share)] == sizes


def test_a_standing_picture_has_the_tiles_of_one_measure_or_what_each_has_added():
    rows = {"split": [1, 2], "members": [30.0, 28.0], "others": [15.0, 17.0]}
    one = pd.DataFrame(rows).assign(measure="DiSCO")
    other = one.assign(measure="iS", members=10.0, others=12.0)
    tiles = sr.plots.members_and_others(sr.Members(one)).tiles
    assert [tile.number for tile in tiles] == ["29 %", "16 %", "13"]
    tiles = sr.plots.members_and_others(sr.Members(pd.concat([one, other]))).tiles
    assert [(tile.label, tile.number) for tile in tiles] == [("DiSCO", "+13"), ("iS", "−2")]


def test_the_tiles_of_distances_are_two_medians_and_who_is_within_the_second():
    tiles = sr.plots.distances(np.array([0.0, 0.1, 0.2, 0.6]), np.array([0.1, 0.3, 0.5])).tiles
    assert [tile.number for tile in tiles] == ["0.150", "0.300", "75 %"]
