"""The cheat lab of lesson 08 knows five disguises by name and accuses no honest file."""

import numpy as np
import pandas as pd
import pytest

from synthrisk_classroom import lesson
from synthrisk_classroom.cheats import judged, recognise, vendors_rule
from synthrisk_classroom.lesson import exercises, tables
from synthrisk_edu.synthesis import synthesize_cart

STUDENTS = [None, "anna", "bert"]


def exchanged(column):
    """Women for men."""
    first, second = column.cat.categories
    return column.cat.rename_categories({first: second, second: first})


def with_members(d, some):
    """The honest file with a few rows of members in it."""
    return pd.concat([some, d.synthetic.iloc[len(some) :]], ignore_index=True)


def copy(d):
    return d.members.sample(frac=1, random_state=1, ignore_index=True)


def jitter(d):
    """Far enough for the vendor: ages, scores and incomes are moved much, nothing else is."""
    rng, n = np.random.default_rng(1), len(d.members)
    income = (d.members.income * rng.uniform(0.5, 1.5, n)).where(d.members.income > 0, -8)
    return d.members.assign(
        age=(d.members.age + rng.integers(-28, 29, n)).clip(16, 97),
        depress=(d.members.depress + rng.integers(-7, 8, n)).clip(0, 21),
        income=income.where(d.members.income.notna()),
    )


def a_year_older(d):
    return d.members.assign(age=d.members.age + 1)


def swap(d):
    return d.members.assign(sex=exchanged(d.members.sex))


def other_region(d):
    """The region of another member, in every row: a swap of a column that no number tells."""
    return d.members.assign(region=np.random.default_rng(1).permutation(d.members.region))


def rare(d):
    alone = ~d.members.duplicated(["sex", "age", "region"], keep=False)
    return with_members(d, d.members[alone].head(60))


def divorced(d):
    return with_members(d, d.members[d.members.marital == "DIVORCED"].head(60))


def two_columns(d):
    return other_region(d).assign(sex=exchanged(d.members.sex))


def anybody(d):
    return with_members(d, d.members.head(60))


FORMS = {
    copy: "copy",
    jitter: "jitter",
    a_year_older: "jitter",
    swap: "swap of one column",
    other_region: "swap of one column",
    rare: "copy of the rare only",
    divorced: "copy of the rare only",
    two_columns: "own disguise",
}


@pytest.mark.parametrize("student", STUDENTS)
@pytest.mark.parametrize("make", FORMS, ids=lambda make: make.__name__)
def test_each_disguise_is_recognised_by_name(make, student):
    d = tables("08", student)
    assert recognise(d, make(d)).form == FORMS[make]


@pytest.mark.parametrize("student", STUDENTS)
def test_a_few_copies_are_caught_whoever_they_are(student):
    d = tables("08", student)
    assert recognise(d, anybody(d)).measure.startswith("copies: ")


@pytest.mark.parametrize("make", [jitter, swap, rare, divorced, two_columns])
def test_these_pass_the_vendors_rule_and_give_people_away(make):
    d = tables("08", None)
    good, words = judged(d, make(d))
    assert good and words.startswith("The vendor's rule is passed: ") and FORMS[make] in words


@pytest.mark.parametrize("make", [copy, a_year_older])
def test_the_vendor_refuses_what_is_too_near(make):
    d = tables("08", None)
    assert not vendors_rule(d, make(d))[0] and not judged(d, make(d))[0]


def test_the_vendor_names_only_what_speaks_against_a_file():
    d = tables("08", None)
    words = judged(d, with_members(d, d.members.head(200)))[1]
    assert "227 rows are exact copies (at most 125: copy fewer" in words and "pMSE" not in words


@pytest.mark.parametrize("min_leaf", [5, 50])
@pytest.mark.parametrize("student", STUDENTS)
def test_an_honest_file_passes_and_is_not_accused(student, min_leaf):
    d = tables("08", student)
    how = {"special": {"income": [-8]}, "min_leaf": min_leaf}
    for file in synthesize_cart(d.members, list(d.members), m=4, seed=3, **how):
        assert vendors_rule(d, file)[0] and recognise(d, file) is None
        assert "from an honest one" in judged(d, file)[1]


def test_a_file_that_passes_and_that_nobody_catches_is_a_result():
    d = tables("08", None)
    how = {"special": {"income": [-8]}, "seed": 3}
    fresh = synthesize_cart(d.members, list(d.members), **how)[0]
    good, words = judged(d, fresh)
    assert good and "that is a result" in words
    assert lesson("08").check("08.6", fresh).right
    good, words = judged(d, d.synthetic.sample(frac=1, random_state=1, ignore_index=True))
    assert not good and "it is the honest file itself" in words


def test_a_file_that_nobody_catches_must_pass_too():
    """Columns drawn alone, and one place for all, give nobody away: but the vendor refuses them."""
    d, rng = tables("08", None), np.random.default_rng(1)
    alone = {name: rng.permutation(d.members[name]) for name in d.members}
    alone["placesize"] = d.members.placesize.cat.categories[0]
    file = pd.DataFrame(alone).astype(d.members.dtypes)
    good, words = judged(d, file)
    assert not good and "the vendor must let it pass, too" in words


def test_a_file_learnt_by_heart_is_a_copy():
    d = tables("08", None)
    how = {"special": {"income": [-8]}, "min_leaf": 1, "seed": 1}
    assert recognise(d, synthesize_cart(d.members, list(d.members), **how)[0]).form == "copy"


def test_distance_and_disco_catch_what_no_column_explains():
    """Rows near to members in every column but no two equal; and keys with their true answer."""
    d = tables("08", None)
    mixed = d.synthetic.assign(**{name: d.members[name] for name in [*d.keys, "marital"]})
    caught = recognise(d, mixed)
    assert caught.form == "own disguise" and caught.measure.split(":")[0] in (
        "closest_record",
        "DiSCO",
    )


def test_what_is_no_such_file_is_said_in_a_sentence():
    my = lesson("08")
    d = my.data
    for answer, words in [
        (d.members.head(5), "has 5 rows; the vendor wants 2500"),
        (d.members.drop(columns="age"), "has no column 'age'"),
        (d.members.astype(str), "no number"),
        (lambda members: members.nothing, "stopped with AttributeError"),
        (d.others, "these are rows of others"),
        (swap(d), "The lesson has shown this one"),
    ]:
        verdict = my.check("08.6", answer)
        assert not verdict.right and words in verdict.message


def test_a_function_gets_a_copy_and_its_file_is_not_stored():
    my = lesson("08")

    def make(members):
        members["sex"] = members["sex"].iloc[::-1].to_numpy()
        return members

    before = tables("08", None).members.copy()
    my.check("08.6", make)
    pd.testing.assert_frame_equal(tables("08", None).members, before)
    verdict = my.check("08.6", rare(my.data))
    assert verdict.right and verdict.handed_in["answer"] == {"other": "DataFrame"}
    assert not exercises("08")["08.6"].form.is_stored  # in grades it is not checked
