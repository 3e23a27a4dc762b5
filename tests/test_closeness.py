"""Copies, but for a hair, all but one column: held to the double loop over all pairs of rows."""

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_edu import closeness, members, nearest


def random_table(rng, n):
    """A few categories, a whole number, an amount with −8 and missing values."""
    amount = rng.lognormal(7, 0.3, n).round(2)
    amount[rng.random(n) < 0.2] = -8
    amount[rng.random(n) < 0.1] = np.nan
    return pd.DataFrame(
        {
            "town": rng.choice(["A", "B", None], n),
            "age": rng.integers(20, 60, n),
            "amount": amount,
            "code": rng.integers(1, 4, n),
        }
    )


def near(person, row):
    """Say whether a row is a person but for a hair, by the words of the definition."""
    for name in person.index:
        x, y = person[name], row[name]
        if pd.isna(x) or pd.isna(y) or name not in ("age", "amount") or -8 in (x, y):
            if not (x == y or (pd.isna(x) and pd.isna(y))):
                return False
        elif abs(x - y) > max(0.015 * abs(x), 1 if name == "age" else 0):
            return False
    return True


@pytest.mark.parametrize("seed", range(8))
def test_but_for_a_hair_is_the_double_loop(seed):
    rng = np.random.default_rng(seed)
    people, made = random_table(rng, 70), random_table(rng, 60)
    made.iloc[:20] = people.iloc[:20]
    made.loc[:19, "age"] += rng.integers(-2, 3, 20)
    rows = [row for _, row in people.iterrows()]
    alone = [one for one in rows if sum(near(one, other) for other in rows) == 1]
    found = [any(near(one, row) for one in alone) for _, row in made.iterrows()]
    share = closeness.but_for_a_hair(people, made, special={"amount": [-8]})
    assert share == pytest.approx(np.mean(found)) and 0 < share < 1


def test_a_hair_is_one_and_a_half_per_cent_or_one():
    people = pd.DataFrame({"age": range(20, 100, 4), "rent": np.arange(20) * 100 + 1000.5})
    for age, rent, share in ((1, 1, 1), (2, 1, 0), (0, 1.0149, 1), (0, 1.0151, 0)):
        made = people.assign(age=people.age + age, rent=people.rent * rent)
        assert closeness.but_for_a_hair(people, made) == share


def test_without_numbers_but_for_a_hair_is_a_copy():
    acs = sr.load_acs().head(1000)
    made = sr.load_acs().tail(1000)
    assert closeness.but_for_a_hair(acs, made) == closeness.copied(acs, made).rows
    assert closeness.copied(acs, made).rows == sr.copies(acs, made).of_unique.item() / 1000


def test_all_but_one_counts_copies_of_the_other_columns():
    rng = np.random.default_rng(1)
    people, made = random_table(rng, 200), random_table(rng, 150)
    made.iloc[:50] = people.iloc[:50]
    found = closeness.all_but_one(people, made)
    for left_out in people:
        columns = [name for name in people if name != left_out]
        expected = sr.copies(people, made, columns=columns).of_unique.item() / 150
        assert found[left_out] == pytest.approx(expected)


def test_by_chance_is_what_another_sample_repeats():
    """Good and Turing: the share of new people who repeat somebody who is alone in the file."""
    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.full(3000, 0.3))
    predicted, seen = [], []
    for _ in range(30):
        file, new = (pd.DataFrame({"x": rng.choice(3000, 1500, p=shares)}) for _ in range(2))
        found = closeness.copied(file, new)
        predicted.append(found.by_chance)
        seen.append(found.rows)
    assert np.mean(predicted) == pytest.approx(np.mean(seen), rel=0.05)


def test_other_people_are_a_control_or_the_other_half():
    data = pd.DataFrame({"x": range(10)})
    file, people = closeness.other_people(data, seed=3)
    assert sorted([*file.x, *people.x]) == list(range(10)) and len(file) == 5
    control = pd.DataFrame({"x": [99]})
    assert closeness.other_people(data, control) == (data, control)


# ------------------------------------------------------------------------------ the intervals


def test_intervals_of_two_groups_of_whom_neither_took_part_hold_0():
    """Of 95 % intervals at most about 5 in 100 may leave out 0; the old ones left it out in 30."""
    rng = np.random.default_rng(1)
    tries, outside, outside_by_rows = 200, 0, 0
    for _ in range(tries):
        members_, others, made = (
            pd.DataFrame(rng.normal(size=(n, 3)), columns=list("xyz")) for n in (400, 100, 1000)
        )
        found = nearest.closer_to_members(members_, made, others)
        outside += not found.low <= 0 <= found.high
        by_rows = 1.96 * np.sqrt((found.members + found.others - found.added**2) / 1000)
        outside_by_rows += abs(found.added) > by_rows
    assert outside <= 0.08 * tries < 0.15 * tries < outside_by_rows


@pytest.mark.parametrize(("share", "n", "n_others"), [(0.02, 2000, 100), (0.3, 1000, 500)])
def test_intervals_of_shares_hold_what_they_promise(share, n, n_others):
    rng = np.random.default_rng(1)
    for tests in (1, 4):
        outside = []
        for _ in range(400):
            pairs = rng.binomial([n, n_others], share, (tests, 2)) / [n, n_others]
            ends = [members.added_share(*pair, n, n_others, tests=tests) for pair in pairs]
            outside.append(any(not low <= 0 <= high for _, low, high in ends))
        assert np.mean(outside) <= 0.06


def test_exact_limits_are_those_of_the_tables():
    """Clopper and Pearson 1934: 5 of 20 has 8.66 to 49.10 %."""
    low, high = members.exact_limits(5 / 20, 20)
    assert (round(100 * low, 2), round(100 * high, 2)) == (8.66, 49.10)
    assert members.exact_limits(1, 20)[1] == 1


def test_two_of_a_hundred_against_six_and_a_half_is_no_finding():
    added, low, high = members.added_share(0.065, 0.02, 1500, 100)
    assert low < 0 < added and members.say_added(0.065, 0.02, low, high) == "too few to say"


@pytest.mark.parametrize(("shared", "refused"), [(0, False), (1, False), (30, True)])
def test_people_of_the_file_in_the_control_are_counted_and_refused(shared, refused):
    rng = np.random.default_rng(1)
    people = pd.DataFrame({"x": rng.permutation(10**6)[:1000]})
    control = pd.concat([people.head(shared), pd.DataFrame({"x": range(-200, -shared)})])
    if refused:
        with pytest.raises(ValueError, match="30 of the 200 rows of the control"):
            members.no_members_among(control, people)
    else:
        assert members.no_members_among(control, people)[0] == shared


def test_an_honest_control_that_shares_many_rows_is_not_refused():
    acs = sr.load_acs()
    for seed in range(5):
        ours, others = members.halves(acs, np.random.default_rng(seed))
        shared, by_chance = members.no_members_among(others, ours, seed)
        assert shared > 4000 and abs(shared - by_chance) < 0.05 * by_chance
