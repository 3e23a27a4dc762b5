"""Bad input gets one clear sentence, and changes nothing."""

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr

GOOD = pd.DataFrame({"Sex": ["F", "M", "F"], "Age": [30, 40, 50], "Income": [1.0, 2.0, 3.0]})
CATEGORY = GOOD.assign(Age=GOOD.Age.astype("category"))
YES_NO = GOOD.assign(Sex=[True, False, True])
COMPLEX = GOOD.assign(Income=[1j, 2j, 3j])
DATES = pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"])
INFINITE = GOOD.assign(Income=[1.0, np.inf, 3.0])


def call(confidential=GOOD, synthetic=GOOD, known=("Sex",), synthesized=("Income",), *args, **how):
    return sr.match(confidential, synthetic, known, synthesized, *args, **how)


def sweep(radii, synthetics=(GOOD,), **how):
    return sr.radius_sweep(GOOD, synthetics, ["Sex"], ["Income"], radii, **how)


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (
            lambda: call(synthetic=GOOD[["Sex", "Age"]]),
            KeyError,
            "synthetic has no column 'Income'",
        ),
        (lambda: call(confidential=GOOD[["Sex"]]), KeyError, "confidential has no column 'Income'"),
        (lambda: call(synthetic=GOOD[:2]), ValueError, "3 rows and synthetic has 2"),
        (lambda: call(GOOD[:0], GOOD[:0]), ValueError, "confidential is an empty frame"),
        (lambda: call(known=[], synthesized=[]), ValueError, "both empty"),
        (lambda: call(known=["Sex", "Income"]), ValueError, "'Income' is both known and"),
        (lambda: call(known=["Sex", "Sex"]), ValueError, "names 'Sex' more than once"),
        (lambda: call(known="Sex"), TypeError, r"such as \['Sex'\]"),
        (lambda: call(known=None), TypeError, "list of column names, such as .* not None"),
        (lambda: call(known=GOOD[["Sex"]]), TypeError, "list of column names, .* not a DataFrame"),
        (lambda: call(known=np.array("Sex")), TypeError, "known must be a list of column names"),
        (lambda: call(known=[["Sex", "Age"]]), TypeError, r"known holds \['Sex', 'Age'\]"),
        (lambda: call(known=np.array([["Sex", "Age"]])), TypeError, "known holds an array of 2"),
        (lambda: call(known=[pd.NA]), TypeError, "known holds <NA>"),
        (lambda: sr.baseline(GOOD, GOOD, ["Sex"], ["Age"]), TypeError, "not a DataFrame"),
        (lambda: call(radius={"Age": 0.1}), KeyError, "'Age', which is not among"),
        (lambda: call(radius={"Sex": 0.1}), TypeError, "'Sex', which is not numeric"),
        (lambda: call(CATEGORY, CATEGORY, ["Age"], [], {"Age": 0.1}), TypeError, "not numeric"),
        (lambda: call(YES_NO, YES_NO, radius={"Sex": 0.1}), TypeError, "'Sex', which is not num"),
        (lambda: call(COMPLEX, COMPLEX, radius={"Income": 1}), TypeError, "which is not numeric"),
        (lambda: call(radius=-0.1), ValueError, "0 or more, not -0.1"),
        (lambda: call(radius=float("nan")), ValueError, "0 or more, not nan"),
        (lambda: call(radius={"Income": np.inf}), ValueError, r"radius\['Income'\] must be a fin"),
        (lambda: call(radius="0.1"), TypeError, "radius must be a number"),
        (lambda: call(radius=True), TypeError, "radius must be a number"),
        (lambda: call(radius=[0.1]), TypeError, "radius must be a number"),
        (lambda: call(radius=np.array(0.1)), TypeError, "radius must be a number"),
        (lambda: call(radius=10**400), ValueError, "not a whole number of about 400 digits"),
        (lambda: call(radius={"Income": None}), TypeError, r"\['Income'\] must be a number such"),
        (lambda: call(shape="circle"), ValueError, "'box', 'ellipse', not 'circle'"),
        (lambda: call(bounds="half"), ValueError, "'closed', 'open', not 'half'"),
        (lambda: call(relative="yes"), TypeError, "relative must be True or False"),
        (lambda: call([GOOD]), TypeError, "confidential must be a pandas DataFrame, not a list"),
        (lambda: call(GOOD, [GOOD]), TypeError, "use match_all for several"),
        (lambda: call(GOOD, None), TypeError, "synthetic must be a pandas DataFrame, not None"),
        (lambda: call(GOOD, GOOD.assign(Income=list("123"))), TypeError, "numbers in confidential"),
        (lambda: call(GOOD.assign(Sex=["F", 1, "M"])), TypeError, "mixes different kinds"),
        (lambda: call(GOOD.assign(Sex=[(1,), (2,), (3,)])), TypeError, "cannot be compared"),
        (
            lambda: call(GOOD.assign(Sex=DATES), GOOD.assign(Sex=DATES.date)),
            TypeError,
            "times in confidential and dates in synthetic",
        ),
        (
            lambda: call(GOOD.assign(Sex=DATES.tz_localize("UTC")), GOOD.assign(Sex=DATES)),
            TypeError,
            "times with a time zone in confidential and times in",
        ),
        (lambda: call(GOOD.assign(Income=[10**400, 1, 2]), radius=1), ValueError, "an infinite"),
        (lambda: call(INFINITE, GOOD, radius=0.1), ValueError, "infinite value"),
        (lambda: call(GOOD, INFINITE, radius=0.1), ValueError, "of synthetic holds an infinite"),
        (
            lambda: call(GOOD[["Sex", "Sex", "Income"]]),
            ValueError,
            "confidential has 2 columns named 'Sex'",
        ),
        (lambda: call().explain(3), IndexError, "positions run from 0 to 2"),
        (lambda: call().candidates(-1), IndexError, "i is -1"),
        (lambda: call().candidates("F"), TypeError, "0-based position"),
        (lambda: call().summary(targets=[0, 7]), IndexError, "targets is 7"),
        (lambda: call().summary(targets=[]), ValueError, "targets is empty"),
        (lambda: call().summary(targets=[1, 1]), ValueError, "more than once"),
        (lambda: call().summary(targets=[True, False]), TypeError, "0-based position"),
        (lambda: call().summary(targets=1), TypeError, "list of 0-based positions, not an int"),
        (lambda: call().summary(targets=np.array(1)), TypeError, "list of 0-based positions"),
        (lambda: call().summary(targets=GOOD), TypeError, "list of 0-based positions"),
        (lambda: call(radius=0.1).range(0, "Sex"), KeyError, "'Sex' has no radius"),
        (lambda: call().range(0, "Income"), KeyError, "have one: none"),
        (lambda: sr.match_all(GOOD, GOOD, ["Sex"], ["Income"]), TypeError, r"\[synthetic\]"),
        (lambda: sr.match_all(GOOD, [], ["Sex"], ["Income"]), ValueError, "empty list"),
        (lambda: sr.match_all(GOOD, [GOOD, 3], ["Sex"], []), TypeError, r"synthetics\[1\] must"),
        (lambda: sr.match_all(GOOD, np.array(1), ["Sex"], []), TypeError, "list of data frames"),
        (
            lambda: sr.match_all(GOOD, [GOOD, GOOD[["Sex"]]], ["Sex"], ["Income"]),
            KeyError,
            r"synthetics\[1\] has no column 'Income'",
        ),
        (
            lambda: sr.record_risk(GOOD, [GOOD, GOOD[:2]], ["Sex"], ["Income"]),
            ValueError,
            r"3 rows and synthetics\[1\] has 2",
        ),
        (
            lambda: sweep([0.1], [GOOD, GOOD.assign(Income=list("123"))]),
            TypeError,
            r"text in synthetics\[1\]",
        ),
        (lambda: sr.record_risk(GOOD, GOOD, ["Sex"], ["Income"]), TypeError, "list of data frames"),
        (lambda: sweep([]), ValueError, "radii is empty"),
        (lambda: sweep(0.1), TypeError, "radii must be a list"),
        (lambda: sweep([0.1, -1]), ValueError, "each entry of radii"),
        (lambda: sweep({"Income": [0.1]}), ValueError, "exactly two variables, not 1"),
        (lambda: sweep([0.1], synthetics=GOOD), TypeError, "list of data frames"),
        (lambda: sweep([0.1], fixed={"Income": 0.1}), ValueError, "both fixed and varied"),
        (lambda: sweep([0.1], fixed=0.1), TypeError, "fixed must be a mapping"),
        (lambda: sweep([0.1], vary=["Wealth"]), KeyError, "'Wealth', which is not among"),
        (lambda: sweep([0.1], vary=[]), ValueError, "vary is empty"),
        (lambda: sweep(np.array(0.1)), TypeError, "radii must be a list"),
        (lambda: sweep([[0.1]]), TypeError, "each entry of radii must be a number such as"),
        (lambda: sweep([0.1], vary="Income"), TypeError, r"such as \['Income'\]"),
        (
            lambda: sr.radius_sweep(GOOD, [GOOD], ["Age"], ["Sex"], [0.1]),
            ValueError,
            "no synthesized variable is numeric",
        ),
        (lambda: sr.maximizing_radius(GOOD), TypeError, "radius_sweep returns"),
        (
            lambda: sr.maximizing_radius(sweep([0.1]).assign(expected_match_risk=np.nan)),
            ValueError,
            "expected_match_risk of sweep is missing",
        ),
        (lambda: sr.maximizing_radius(sweep([0.1])[:0]), ValueError, "no row or no radius"),
        (lambda: sr.maximizing_radius([1]), TypeError, "radius_sweep returns"),
    ],
)
def test_one_clear_sentence(wrong, error, words):
    before = GOOD.copy()
    with pytest.raises(error, match=words) as caught:
        wrong()
    message = str(caught.value.args[0])
    assert message.endswith(".") and "\n" not in message
    pd.testing.assert_frame_equal(GOOD, before)
