"""Mistakes that people make get one clear sentence; what would give a wrong number is never silent.

Each row of `MISTAKES` is something that students, teachers or offices really do: the call, the kind
of error, and the words that must be in its sentence. `NEVER_SILENT` holds calls that would run to
their end and give a wrong number. What nobody does by mistake is not looked at here.
"""
# ruff: noqa: E501

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import synthrisk_edu as sr
from synthrisk_classroom import lesson
from synthrisk_edu import widgets
from synthrisk_edu.intruder import by_sampling_fraction
from synthrisk_edu.matching import three_matches

PEOPLE = pd.DataFrame(
    {
        "Sex": list("FM") * 12,
        "Town": list("AAB") * 8,
        "Job": np.resize(["cook", "nurse", "pilot", "cook", "baker"], 24),
        "Age": np.resize([20, 30, 40, 50, 60, 70, 80], 24),
        "Income": np.arange(24) * 100.0 + 1000,
    }
)
RELEASED = PEOPLE.assign(Job=PEOPLE.Job.iloc[::-1].to_numpy(), Income=PEOPLE.Income + 50)
CODED = PEOPLE.assign(Town=np.resize([1, 2, 2], 24))
AS_TEXT = PEOPLE.assign(Income=(PEOPLE.Income + 0.5).astype(str))
COUNTS = PEOPLE.groupby(["Sex", "Job"]).size().rename("count").reset_index()
SWEEP = sr.radius_sweep(PEOPLE, [RELEASED], ["Sex"], ["Income"], [0.1, 0.2])
FOUND = sr.match(PEOPLE, RELEASED, ["Sex", "Town"], ["Job"])
KEYS = ["Sex", "Town"]

PERSONS = pd.DataFrame(
    {
        "household": [1, 1, 2, 3, 3],
        "couple": [1, 1, 1, 1, 2],
        "place": [1, 2, 1, 1, 1],
        "age": [60, 58, 71, 49, 80],
    }
)
HOMES = pd.DataFrame({"household": [1, 2, 3], "respondents": [2, 1, 2]})
QIS = pd.DataFrame({"state": list("AABB"), "age": list("oyoy"), "income": [1.0, 2.0, 3.0, 4.0]})
POPULATION = QIS.assign(count=5)


def match(confidential=PEOPLE, synthetic=RELEASED, known=KEYS, synthesized=("Job",), *more, **how):
    return sr.match(confidential, synthetic, known, synthesized, *more, **how)


def ranged(radius, **how):
    return sr.match(PEOPLE, RELEASED, ["Sex"], ["Income"], radius, **how)


def told(**how):
    return sr.disclosure(PEOPLE, RELEASED, KEYS, "Job", **how)


def intruder(draws=(RELEASED,), known=KEYS, synthesized=("Job",), **how):
    return sr.intruder_risk(PEOPLE, draws, known, synthesized, **how)


# What was silent when it was tried: wrong numbers without a word. One table for each question.
RNG = np.random.default_rng(7)
UNITS = pd.DataFrame(
    {
        "Urban": RNG.choice(["city", "country"], 200),
        "Educ": RNG.choice(["school", "college", "other"], 200),
        "Tenure": RNG.choice([1, 2, 4, 5, 6], 200),
        "Income": RNG.lognormal(10, 1, 200).round(),
    }
)
MADE = UNITS.assign(Income=(UNITS.Income * RNG.uniform(0.95, 1.05, 200)).round())
SORTED = MADE.sort_values("Income")  # the same release, its rows in another order
READ_AS_TEXT = [data.assign(Income=data.Income.map("{:.0f}".format)) for data in (UNITS, MADE)]
BLANK = MADE.assign(Educ=MADE.Educ + " ")
LOST = MADE.drop(columns="Tenure")
UNIT_COUNTS = UNITS.groupby(["Urban", "Educ", "Income"]).size().rename("count").reset_index()
ONE = ["Urban"]


def by_both(
    how, confidential=UNITS, synthetic=MADE, known=("Urban",), synthesized=("Income",), **options
):
    """Ask the question of one of the functions that match."""
    asked = {
        "match": lambda: sr.match(confidential, synthetic, known, synthesized, **options),
        "match_all": lambda: sr.match_all(confidential, [synthetic], known, synthesized, **options),
        "record_risk": lambda: sr.record_risk(confidential, [synthetic], known, synthesized, **options),
        "intruder_risk": lambda: sr.intruder_risk(confidential, [synthetic], known, synthesized, **options),
        "three_matches": lambda: three_matches(confidential, synthetic, known, synthesized, **options),
        "radius_sweep": lambda: sr.radius_sweep(confidential, [synthetic], known, synthesized, [options.get("radius", 0.1)]),
        "sweep_panel": lambda: widgets.sweep_panel(confidential, synthetic, known, synthesized),
    }  # fmt: skip
    return asked[how]()


MATCHING = ["match", "match_all", "record_risk", "three_matches", "radius_sweep"]
PAIRING = [*MATCHING, "intruder_risk", "sweep_panel"]
COMPARING = {
    "disclosure": lambda made: sr.disclosure(UNITS, made, ONE, "Educ"),
    "multi_disclosure": lambda made: sr.multi_disclosure(UNITS, made, ONE, ["Educ"]),
    "remove_replicated_uniques": lambda made: sr.remove_replicated_uniques(made, UNITS, ["Educ"]),
    "pmse": lambda made: sr.pmse(UNITS, made),
    "pmse_ratio": lambda made: sr.pmse_ratio(UNITS, made),
    "pmse_tables": lambda made: sr.pmse_tables(UNITS, made),
    "copies": lambda made: sr.copies(UNITS, made),
    "closest_record": lambda made: sr.closest_record(UNITS, made),
    "compare_members": lambda made: sr.compare_members(UNITS, lambda half, seed: made, sr.pmse, splits=1),
    "look_up_panel": lambda made: widgets.look_up_panel(UNITS, made, ONE, ["Educ"]),
}  # fmt: skip
SILENT = {
    "rows in another order, known": ([lambda how=how: by_both(how, synthetic=SORTED) for how in PAIRING], "'Urban' differs between confidential and"),
    "rows in another order, nothing known": ([lambda how=how: by_both(how, synthetic=SORTED, known=()) for how in PAIRING], "the same row labels in another order"),
    "a known number that differs by rounding": ([lambda how=how: by_both(how, UNITS.assign(x=0.3), MADE.assign(x=0.1 + 0.2), known=["x"]) for how in PAIRING], "'x' differs by rounding"),
    "a radius that touches nothing": ([lambda how=how: by_both(how, *READ_AS_TEXT, radius=0.2) for how in [*MATCHING, "intruder_risk", "sweep_panel"]], "radius touches no synthesized variable: Income holds text in confidential"),
    "codes read as numbers": ([lambda how=how: by_both(how, synthesized=["Tenure"], radius=0.2) for how in [*MATCHING, "sweep_panel"]] + [lambda: widgets.draws_panel(UNITS, ["Urban"], ["Tenure"])], "'Tenure' has 5 different whole numbers: if they are codes, make it a category"),
    "two per cent": ([lambda how=how: by_both(how, radius=2) for how in MATCHING], "write a share: 0.02 for 2 %"),
    "a level with a blank, matched": ([lambda how=how: by_both(how, synthetic=BLANK, synthesized=["Educ", "Income"]) for how in PAIRING], "'Educ' has 'college ' in"),
    "a level with a blank, compared": ([lambda ask=ask: ask(BLANK) for ask in COMPARING.values()], "'Educ' has 'college ' in synthetic where"),
    "a level in lower case, counted": ([lambda: sr.disclosure_from_counts(UNIT_COUNTS, UNIT_COUNTS.assign(Educ=UNIT_COUNTS.Educ.str.upper()), ONE, "Educ")], "'Educ' has 'COLLEGE' in synthetic_counts where original_counts has 'college'"),
    "a continuous target": (
        [
            lambda: sr.disclosure(UNITS, MADE, ONE, "Income"),
            lambda: sr.multi_disclosure(UNITS, MADE, ONE),
            lambda: sr.disclosure_from_counts(UNIT_COUNTS, UNIT_COUNTS, ONE, "Income"),
            lambda: widgets.look_up_panel(UNITS, MADE, ONE, ["Income"]),
            lambda: sr.compare_members(UNITS, lambda half, seed: MADE, lambda half, made: sr.disclosure(half, made, ONE, "Income").attribute.DiSCO[1], splits=1, share=0.7),
        ],
        "the target 'Income' is a quantity",
    ),
    "a lost column": ([lambda name=name: COMPARING[name](LOST) for name in ("pmse", "pmse_ratio", "pmse_tables", "copies", "closest_record", "compare_members")], "synthetic has no column 'Tenure', which"),
    "a column that the original lacks": ([lambda: sr.pmse(LOST, UNITS), lambda: sr.copies(LOST, UNITS)], "has no column 'Tenure', which synthetic has"),
    "a panel given a column that is not there": (
        [
            lambda: widgets.candidates_panel(UNITS, ["Urban", "Shoe"], []),
            lambda: widgets.file_panel(UNITS, ["Urban", "Shoe"], []),
            lambda: widgets.sweep_panel(UNITS, MADE, ["Shoe"], ["Income"]),
            lambda: widgets.draws_panel(UNITS, ["Urban"], ["Shoe"]),
            lambda: widgets.look_up_panel(UNITS, MADE, ["Urban", "Shoe"], ["Educ"]),
            lambda: widgets.look_up_panel(UNITS, MADE, ["Urban"], ["Educ", "Shoe"]),
            lambda: widgets.funnel_panel(UNITS, [MADE], ["Urban", "Shoe"], ["Educ"]),
            lambda: widgets.guess_panel(UNITS, [MADE], ["Urban", "Shoe"], ["Educ"]),
            lambda: widgets.box_panel(UNITS, MADE, "Income", "Income", "Shoe"),
        ],
        "has no column 'Shoe'",
    ),
    "a panel that ticks what it does not offer": (
        [
            lambda: widgets.candidates_panel(UNITS, ["Urban"], ["Educ"]),
            lambda: widgets.file_panel(UNITS, ["Urban"], ["Educ"]),
            lambda: widgets.draws_panel(UNITS, ["Urban"], ["Income"], ticked=["Educ"]),
            lambda: widgets.guess_panel(UNITS, [MADE], ["Urban"], ["Tenure"], ticked=["Educ"]),
        ],
        "ticked names 'Educ', which is not one of the boxes",
    ),
    "a panel that begins with nobody": (
        [
            lambda: widgets.candidates_panel(UNITS, ["Urban"], [], target=-1),
            lambda: widgets.sweep_panel(UNITS, MADE, ["Urban"], ["Income"], target=200),
            lambda: widgets.draws_panel(UNITS, ["Urban"], ["Income"], target=-1),
            lambda: widgets.look_up_panel(UNITS, MADE, ["Urban"], ["Educ"], person=-1),
        ],
        "positions run from 0 to 199",
    ),
    "positions from the end": ([lambda: FOUND.summary([-1]), lambda: FOUND.lost_on(-1), lambda: ranged(0.1).range(-1, "Income"), lambda: by_sampling_fraction(intruder(), -1, [0.5])], "-1, but there are 24 records"),
    "nobody to sum up": ([lambda: FOUND.summary([])], "targets is empty"),
    "everybody, by yes and no": ([lambda: FOUND.summary(FOUND.records.c > 0)], "0-based position"),
    "no radius in a sweep": ([lambda: sr.radius_sweep(UNITS, [MADE], ONE, ["Income"], [])], "radii is empty"),
    "one threshold of two": ([lambda: told(one_way=(50,)), lambda: told(two_way=(4, 80, 1))], "must be two numbers, (records, per cent)"),
    "facts below none": ([lambda: sr.narrow_down(PEOPLE, KEYS, 0, facts=-1)], "facts must be a whole number from 0 to 2"),
}  # fmt: skip


def persons(**changed):
    return sr.households.flatten(PERSONS.assign(**changed), HOMES)


def wide(people=PERSONS, homes=HOMES, **changed):
    return sr.households.flatten(people, homes).assign(**changed)


def weighted_marginals(weight):
    data = sr.load_households()
    homes = data.households.head(30)
    file = sr.households.flatten(data.persons[data.persons.household.isin(homes.household)], homes)
    return sr.households.marginals(file.assign(weight_1_1=weight), weighted=True)


MISTAKES = {
    # columns and lists of them
    "keys that are all columns": (lambda: widgets.identity_panel(UNITS, [MADE], [*UNITS]), ValueError, "all columns of original are keys; leave one out"),
    "a misspelt column": (lambda: match(known=["Sx"]), KeyError, "has no column 'Sx'; its columns are: Sex, Town"),
    "a column that only one file has": (lambda: match(synthetic=RELEASED[["Sex", "Town"]]), KeyError, "synthetic has no column 'Job'"),
    "a string for a list": (lambda: match(known="Sex"), TypeError, "known must be a list of column names, such as ['Sex']"),
    "a list for a frame": (lambda: match(synthetic=[RELEASED]), TypeError, "synthetic must be one data frame, not a list"),
    "a frame for a list": (lambda: sr.match_all(PEOPLE, RELEASED, KEYS, ["Job"]), TypeError, "put the single frame into brackets: [synthetic]"),
    "a function that forgot to return": (lambda: match(synthetic=None), TypeError, "synthetic must be a pandas DataFrame, not None"),
    "the same column twice in a list": (lambda: match(known=["Sex", "Sex"]), ValueError, "names 'Sex' more than once"),
    "the same column twice in a file": (lambda: match(PEOPLE.rename(columns={"Age": "Sex"})), ValueError, "has 2 columns named 'Sex'"),
    "a variable in two roles": (lambda: match(known=["Sex", "Job"]), ValueError, "'Job' is both in known and in synthesized"),
    "no variable at all in a report": (lambda: sr.risk_report(PEOPLE, RELEASED, known=[], synthesized=[]), ValueError, "name the roles"),
    "one total where there is something to match on": (lambda: sr.intruder_risk(PEOPLE, [RELEASED], KEYS, ["Job"], population=99), TypeError, "one number will do only where both are empty"),
    "fewer people in the population than in the file": (lambda: sr.intruder_risk(PEOPLE, [RELEASED], [], [], population=23), ValueError, "population must be"),
    "an empty frame after a filter": (lambda: match(PEOPLE[PEOPLE.Age > 99]), ValueError, "confidential is an empty frame"),
    "unequal lengths": (lambda: match(synthetic=RELEASED[:20]), ValueError, "24 rows and synthetic has 20; rows pair by position"),
    "unequal lengths, second file": (lambda: sr.match_all(PEOPLE, [RELEASED, RELEASED[:9]], KEYS, ["Job"]), ValueError, "synthetics[1] has 9"),
    "text against numbers, after a CSV": (lambda: match(CODED, CODED.assign(Town=CODED.Town.astype(str))), TypeError, "'Town' holds numbers in confidential and text in synthetic"),
    "a column of both": (lambda: match(PEOPLE.assign(Town=["1", 2, "3"] * 8)), TypeError, "'Town' of confidential mixes different kinds"),
    # options and radii
    "a misspelt shape": (lambda: ranged(0.1, shape="elipse"), ValueError, "shape must be one of 'box', 'ellipse', not 'elipse'"),
    "a misspelt option": (lambda: ranged(0.1, bounds="close"), ValueError, "bounds must be one of 'closed', 'open'"),
    "a negative radius": (lambda: ranged(-0.1), ValueError, "radius must be a number, 0 or more, not -0.1"),
    "a radius for a category": (lambda: match(radius={"Town": 0.1}), TypeError, "radius names 'Town', which is not numeric"),
    "a radius for another variable": (lambda: match(radius={"Age": 0.1}), KeyError, "radius names 'Age', which is not one of the variables: Sex"),
    "per cent for a share": (lambda: ranged(20), ValueError, "radius is 20; write a share: 0.2 for 20 %"),
    "per cent for one variable": (lambda: ranged({"Income": 20}), ValueError, "write a share: 0.2 for 20 %"),
    "per cent as text": (lambda: ranged("20%"), ValueError, "radius is '20%'; write a share: 0.2 for 20 %"),
    "per cent in a sweep": (lambda: sr.radius_sweep(PEOPLE, [RELEASED], ["Sex"], ["Income"], [10, 20]), ValueError, "a radius is 10; write a share: 0.1 for 10 %"),
    "one radius for a grid": (lambda: sr.radius_sweep(PEOPLE, [RELEASED], ["Sex"], ["Income"], 0.1), TypeError, "radii must be a list of radii"),
    "fixed and varied": (lambda: sr.radius_sweep(PEOPLE, [RELEASED], ["Sex"], ["Income"], [0.1], fixed={"Income": 0.1}), ValueError, "'Income' is both in fixed and in vary"),
    "no sweep": (lambda: sr.maximizing_radius(PEOPLE), KeyError, "sweep has no column 'expected_match_risk'"),
    "an infinite income": (lambda: sr.match(PEOPLE.assign(Income=np.inf), RELEASED, ["Sex"], ["Income"], 0.1), ValueError, "'Income' of confidential holds an infinite value"),
    "a label for a position": (lambda: FOUND.explain("Bea"), TypeError, "i must be the 0-based position of a record"),
    "a record too far": (lambda: FOUND.candidates(24), IndexError, "there are 24 records: positions run from 0 to 23"),
    "a record counted from the end": (lambda: FOUND.explain(-1), IndexError, "i is -1"),
    # the intruder
    "one draw without brackets": (lambda: intruder(RELEASED), TypeError, "draws must be a list of data frames"),
    "a known variable that was changed": (lambda: intruder(known=["Sex", "Income"]), ValueError, "'Income' differs between confidential and draws[0], first in row 0: 1000.0 and 1050.0. Are the rows in the same order?"),
    "a threshold in per cent": (lambda: intruder(threshold=20), ValueError, "threshold must be a number from 0 to 1"),
    "totals below the file": (lambda: intruder(population=PEOPLE[[*KEYS, "Job"]].value_counts() - 1), ValueError, "at least as large as the file's"),
    "totals of other variables": (lambda: intruder(population=PEOPLE[KEYS].value_counts()), ValueError, "population must be indexed by the levels of known and synthesized"),
    "totals and weights": (lambda: intruder(population=PEOPLE[[*KEYS, "Job"]].value_counts(), weights=[1] * 24), ValueError, "population and weights both give N_t"),
    "too few weights": (lambda: intruder(weights=[1, 2]), ValueError, "weights has 2 numbers for 24 records"),
    "no draw": (lambda: sr.model_draws([sr.fit_multinomial(PEOPLE, ["Job"], ["Sex"])], PEOPLE, np.random.default_rng(1), h=0), ValueError, "h must be a whole number, 1 or more"),
    # disclosure
    "keys as one string": (lambda: sr.disclosure(PEOPLE, RELEASED, "Sex", "Job"), TypeError, "keys must be a list of column names"),
    "a target that is a key": (lambda: sr.disclosure(PEOPLE, RELEASED, ["Sex", "Job"], "Job"), ValueError, "'Job'"),
    "several targets": (lambda: sr.disclosure(PEOPLE, RELEASED, ["Sex"], ["Job", "Town"]), TypeError, "multi_disclosure"),
    "a level that does not exist": (lambda: told(drop_target=["Cook"]), ValueError, "'Job' has no level 'Cook'; its levels are"),
    "a level as text that is a number": (lambda: sr.disclosure(PEOPLE, RELEASED, ["Sex"], "Age", drop_target=["20"]), ValueError, "'Age' has no level '20'"),
    "one level without brackets": (lambda: told(drop_target="cook"), TypeError, "drop_target must be a list"),
    "an exclusion with a level that does not exist": (lambda: told(exclude=[("Sex", "X", "cook")]), ValueError, "'Sex' has no level 'X'"),
    "an exclusion by another variable": (lambda: told(exclude=[("Age", 20, "cook")]), ValueError, "exclude holds ('Age', 20, 'cook'); write (one of the keys"),
    "groups for text": (lambda: told(groups={"Town": 3}), TypeError, "'Town'"),
    "groups for another variable": (lambda: told(groups={"Age": 3}), KeyError, "groups names 'Age'"),
    "negative counts": (lambda: sr.disclosure_from_counts(COUNTS.assign(count=-1), COUNTS, ["Sex"], "Job"), ValueError, "whole numbers, 0 or more"),
    "broken counts": (lambda: sr.disclosure_from_counts(COUNTS, COUNTS.assign(count=0.5), ["Sex"], "Job"), ValueError, "whole numbers, 0 or more"),
    "a control that is the file": (lambda: sr.risk_report(PEOPLE.assign(Age=range(24)), RELEASED.assign(Age=range(24)), keys=["Age"], targets=["Job"], identifiers=[], control=PEOPLE.assign(Age=range(24))), ValueError, "24 of the 24 rows of the control stand in the confidential file too"),
    "weights that are no numbers of people": (lambda: sr.risk_report(PEOPLE.assign(w=-0.5), RELEASED, keys=["Sex"], targets=["Job"], identifiers=[], weights="w"), ValueError, "weights must be finite numbers"),
    "weights and a fraction": (lambda: sr.risk_report(PEOPLE.assign(w=2.0), RELEASED, keys=["Sex"], targets=["Job"], identifiers=[], weights="w", fraction=0.1), ValueError, "give weights or fraction, not both"),
    "a limit of what is no number of the report": (lambda: sr.risk_report(PEOPLE, RELEASED, keys=["Sex"], targets=["Job"], identifiers=[], limits={"Shoe": 1}), KeyError, "limits names 'Shoe', which is not a number of this report"),
    "a key that is in no table": (lambda: sr.risk_report(PEOPLE, RELEASED, keys=["Shoe"], targets=["Job"]), KeyError, "confidential has no column 'Shoe'"),
    "a report without roles": (lambda: sr.risk_report(PEOPLE, RELEASED), ValueError, "name the roles: keys=[…] and targets=[…]"),
    "a report on a column that may be an identifier": (lambda: sr.risk_report(PEOPLE.assign(id=range(24)), RELEASED.assign(id=range(24)), keys=["Sex"], targets=["Income"]), ValueError, "is 'id' an identifier?"),
    "a table without counts": (lambda: sr.disclosure_from_counts(PEOPLE, COUNTS, ["Sex"], "Job"), KeyError, "has no column 'count'"),
    # synthesis
    "linked by nothing": (lambda: sr.relink([PEOPLE, PEOPLE], []), ValueError, "by is empty; name at least one column that was not synthesized"),
    "linked by a synthesized column": (lambda: sr.relink([PEOPLE, PEOPLE.assign(Job=PEOPLE.Job.iloc[0])], ["Job"]), ValueError, "have different values in Job; link by columns that were not synthesized"),
    "one file where several are linked": (lambda: sr.relink(PEOPLE, ["Sex"]), TypeError, "released must be a list of data frames"),
    "a variable to synthesize that is missing everywhere": (lambda: sr.synthesize_cart(PEOPLE.assign(Job=None), ["Job"]), ValueError, "'Job'"),
    "a misspelt variable to synthesize": (lambda: sr.synthesize_cart(PEOPLE, ["Jobs"]), KeyError, "data has no column 'Jobs'"),
    "a seed that is a float": (lambda: sr.redraw(PEOPLE, ["Job"], ["Sex"], seed=1.5), ValueError, "seed must be a whole number, 0 or more, not 1.5"),
    "a share in per cent": (lambda: sr.redraw(PEOPLE, ["Job"], ["Sex"], share=50), ValueError, "share must be a number from 0 to 1"),
    "a predictor that comes later": (lambda: sr.synthesize_cart(PEOPLE, ["Job", "Income"], predictors={"Job": ["Income"]}), ValueError, "'Job' cannot be predicted from 'Income'"),
    "a logarithm of 0": (lambda: sr.synthesize_linear(PEOPLE.assign(Income=0.0).assign(Income=lambda d: d.index * 1.0), "Income", ["Age"]), ValueError, "logarithm"),
    "missing values in a regression": (lambda: sr.synthesize_linear(PEOPLE.assign(Income=PEOPLE.Income.where(PEOPLE.index > 0)), "Income", ["Age"]), ValueError, "'Income' of data has missing values"),
    "quantities in a mixture of tables": (lambda: sr.synthesize_dpmpm(PEOPLE.assign(Income=PEOPLE.Income + 0.5), ["Job"], classes=2, iterations=4), TypeError, "'Income' of data holds quantities"),
    "no data set": (lambda: sr.synthesize_cart(PEOPLE, ["Job"], 0), ValueError, "m must be a whole number, 1 or more"),
    "weights forgotten": (lambda: sr.synthesize_cart(PEOPLE, ["Job"], weigh_donors=True), ValueError, "weigh_donors is True, but there are no weights"),
    "special codes of a category": (lambda: sr.synthesize_cart(PEOPLE, ["Job"], special={"Job": ["cook"]}), TypeError, "special names 'Job', which holds no numbers"),
    "a smallest leaf of nobody": (lambda: sr.synthesize_cart(PEOPLE, ["Job"], min_leaf=0), ValueError, "min_leaf must be a whole number, 1 or more, not 0"),
    "a negative share": (lambda: sr.redraw(PEOPLE, ["Job"], ["Sex"], share=-1), ValueError, "share must be a number from 0 to 1, not -1"),
    "a negative seed": (lambda: sr.synthesize_dpmpm(PEOPLE[["Sex", "Job"]], ["Job"], seed=-1), ValueError, "seed must be a whole number, 0 or more, not -1"),
    "redrawn among those who have the same": (lambda: sr.redraw(PEOPLE, ["Job"], ["Sex", "Job"]), ValueError, "'Job' is both in variables and in given, so everybody would keep it"),
    "numbers as text, to grow a tree": (lambda: sr.synthesize_cart(AS_TEXT, ["Job"]), TypeError, "'Income' of data holds numbers that were read as text, such as '1000.5'"),
    "numbers as text, for a line": (lambda: sr.synthesize_linear(AS_TEXT, "Age", ["Income"]), TypeError, "'Income' of data holds numbers that were read as text"),
    "numbers as text, in a mixture": (lambda: sr.synthesize_dpmpm(AS_TEXT, ["Job"]), TypeError, "'Income' of data holds numbers that were read as text"),
    "numbers as text, in a chain": (lambda: sr.fit_multinomial(AS_TEXT, ["Job"], ["Income"]), TypeError, "'Income' of data holds numbers that were read as text"),
    "numbers as text, to look alike on": (lambda: sr.redraw(AS_TEXT, ["Job"], ["Income"]), TypeError, "'Income' of data holds numbers that were read as text"),
    "quantities in a chain": (lambda: sr.fit_multinomial(PEOPLE.assign(Income=PEOPLE.Income + 0.5), ["Income"], ["Sex"]), TypeError, "'Income' of data holds quantities"),
    "all weights 0": (lambda: sr.synthesize_cart(PEOPLE, ["Job"], weights=[0] * 24), ValueError, "not all of them 0"),
    # usefulness, members
    "no column in common": (lambda: sr.pmse(PEOPLE, RELEASED.add_suffix("_new")), ValueError, "no column in common"),
    "a column that the synthetic file has lost": (lambda: sr.pmse(PEOPLE, RELEASED.drop(columns="Job")), KeyError, "synthetic has no column 'Job', which confidential has"),
    "a column that the confidential file has not": (lambda: sr.pmse_ratio(PEOPLE, RELEASED.assign(id=1)), KeyError, "confidential has no column 'id', which synthetic has"),
    "a lost column, and tables": (lambda: sr.pmse_tables(PEOPLE, RELEASED.drop(columns="Job")), KeyError, "name the columns to compare in variables=[…]"),
    "nothing was synthesized": (lambda: sr.pmse_ratio(PEOPLE, RELEASED, synthesized=[]), ValueError, "synthesized is empty; name at least one variable that was synthesized"),
    "a misspelt model": (lambda: sr.pmse(PEOPLE, RELEASED, model="tree"), ValueError, "model must be one of 'logistic', 'cart'"),
    "an interval the wrong way round": (lambda: sr.interval_overlap((2, 1), (0, 3)), ValueError, "low below high"),
    # households
    "two heads in a household": (lambda: persons(place=[1, 1, 1, 1, 1]), ValueError, "household 1 has two persons in the same place of a couple"),
    "a couple without its first place": (lambda: persons(place=[1, 2, 2, 1, 1]), ValueError, "household 2"),
    "a person without a household": (lambda: persons(household=[1, 1, 2, 3, 4]), ValueError, "household"),
    "a household twice": (lambda: sr.households.flatten(PERSONS, HOMES.assign(household=[1, 2, 2])), ValueError, "household"),
    "respondents counted wrong": (lambda: sr.households.flatten(PERSONS, HOMES.assign(respondents=[2, 1, 1])), ValueError, "respondents"),
    "a cutoff in per cent": (lambda: sr.households.down_weights([0.5, None], 50), ValueError, "cutoff must be a number from 0 to 1"),
    "a fraction in per cent": (lambda: sr.households.population_risk(QIS, ["state"], 20), ValueError, "fraction"),
    "quantities as quasi-identifiers": (lambda: sr.households.population_risk(QIS.assign(income=[0.5, 1.5, 2.5, 3.5]), ["state", "income"], 0.5), TypeError, "'income' of table holds quantities"),
    "r of other records": (lambda: sr.households.unique_uniques(QIS, QIS, ["state"], r=[0.5]), ValueError, "r has 1 numbers for 4 records"),
    "a sample larger than the population": (lambda: sr.households.draw_sample(POPULATION, {"A": 99}, strata=["state"]), ValueError, "sizes"),
    "a negative survey weight of a household": (lambda: sr.households.synthesize(wide(weight=[2.0, -1.0, 3.0])), ValueError, "'weight' of households holds -1.0; a survey weight says"),
    "a negative survey weight of a person": (lambda: sr.households.synthesize(wide(PERSONS.assign(weight=[1, 2, 3, 4, -9]))), ValueError, "'weight' of persons holds -9; a survey weight says"),
    "a missing survey weight": (lambda: sr.households.synthesize(wide(weight=[2.0, np.nan, 3.0])), ValueError, "'weight' of households has missing values"),
    "survey weights as text": (lambda: sr.households.synthesize(wide(weight=["2", "1", "3"])), TypeError, "'weight' of households must hold numbers"),
    "a value of an absent person": (lambda: sr.households.unflatten(wide(age_1_2=[58, 33, None])), ValueError, "household 2 has a value of 'age_1_2', but its 'present_1_2' says that nobody is there"),
    "somebody taken out by the flag alone": (lambda: sr.households.qi_table(wide(present_2_1=0, respondents=[2, 1, 1]), household=[], person=["age"], total=None), ValueError, "household 3 has a value of 'age_2_1'"),
    "a slot without its flag": (lambda: sr.households.unflatten(wide(respondents=[2, 1, 1]).drop(columns="present_2_1")), ValueError, "column 'age_2_1' of wide would be lost, because there is no column 'present_2_1'"),
    "a variable that the first person lacks": (lambda: sr.households.unflatten(wide(health_1_2=5)), ValueError, "column 'health_1_2' of wide would be lost, because there is no column 'health_1_1'"),
    "a household variable named like a person's": (lambda: wide(homes=HOMES.assign(zone_3_1=1)), ValueError, "column 'zone_3_1' of households is named like a column of the person in slot (3, 1)"),
    "one penalty for a list": (lambda: sr.households.fit_population_model(QIS, ["state"], 0.5, 1.0), TypeError, "penalties must be a list of numbers, such as [1, 0.5]"),
    "a negative penalty": (lambda: sr.households.population_risk(QIS, ["state"], 0.5, penalty=-1), ValueError, "penalty must be a number, 0 or more, not -1"),
    # data
    "a misspelt codebook": (lambda: sr.codebook("asc"), ValueError, "name must be one of 'acs', 'ce'"),
    "words from another codebook": (lambda: sr.in_words(sr.load_acs().head(), "ce"), KeyError, "no column of data is in the codebook 'ce'"),
    # the same in R
    "keys as one string, for R": (lambda: sr.r_script(sr.disclosure, PEOPLE, RELEASED, "Sex", "Job"), TypeError, "keys must be a list of column names"),
    "one level without brackets, for R": (lambda: sr.r_script(sr.disclosure, PEOPLE, RELEASED, KEYS, "Job", drop_target="cook"), TypeError, "drop_target must be a list of levels"),
    "groups for another variable, for R": (lambda: sr.r_script(sr.disclosure, PEOPLE, RELEASED, KEYS, "Job", groups={"Age": 3}), KeyError, "groups names 'Age', which is not a key or the target"),
    "missing keys of another variable, for R": (lambda: sr.r_script(sr.disclosure, PEOPLE, RELEASED, KEYS, "Job", missing_keys={"Age": False}), KeyError, "missing_keys names 'Age', which is not a key"),
    "a lost column, for R": (lambda: sr.r_script(sr.match, PEOPLE, RELEASED.drop(columns="Job"), KEYS, ["Job"]), KeyError, "synthetic has no column 'Job'"),
    "words for data without codes": (lambda: sr.in_words(pd.DataFrame({"SEX": [1, 2]}), "acs"), TypeError, "'SEX' of data must be a category"),
}  # fmt: skip


def files_of(folder):
    """Write the files that people have in place of a CSV, and one that is right."""
    page, table = (
        "<!DOCTYPE html><html><body>Please log in</body></html>",
        "Sex,Job\nF,cook\nM,nurse\n",
    )
    (folder / "right.csv").write_text(table)
    (folder / "empty.csv").write_text("")
    (folder / "page.csv").write_text(page)
    (folder / "comma.csv").write_text('Sex,Income\nF,"1,5"\nM,"2,5"\n')
    (folder / "semicolon.csv").write_text("Sex;Income\nF;1,5\nM;2,5\n")
    (folder / "utf16.csv").write_text(table, encoding="utf-16")


FILES = {
    "nowhere.csv": (FileNotFoundError, "there is no file 'nowhere.csv'"),
    "empty.csv": (ValueError, "empty.csv cannot be read"),
    "page.csv": (ValueError, "page.csv"),
    "comma.csv": (ValueError, "numbers with a decimal comma; pass decimal=','"),
    "semicolon.csv": (ValueError, "has one column only, 'Sex;Income': name the separator"),
    "utf16.csv": (ValueError, "utf16.csv is not in UTF-8"),
}

NEVER_SILENT = {
    "text against numbers: nobody would be found": lambda: sr.disclosure(CODED, CODED.astype({"Town": str}), ["Town"], "Job"),
    "text against numbers: no copy": lambda: sr.copies(CODED, CODED.astype({"Town": str})),
    "text against numbers: no distance": lambda: sr.closest_record(CODED, CODED.astype({"Town": str})),
    "text against numbers: no SU-CU": lambda: sr.households.unique_uniques(CODED, CODED.astype({"Town": str}), ["Town"]),
    "text against numbers: nothing to remove": lambda: sr.remove_replicated_uniques(CODED.astype({"Town": str}), CODED, ["Town"]),
    "text against numbers: useless by far": lambda: sr.pmse(CODED, CODED.astype({"Town": str})),
    "text against numbers: no draw agrees": lambda: sr.intruder_risk(CODED, [CODED.astype({"Town": str})], ["Sex"], ["Town"]),
    "text against numbers: nobody in the population": lambda: sr.households.population_counts(POPULATION.assign(age=1), QIS, ["age"]),
    "draws with other people in them": lambda: intruder([RELEASED.assign(Sex="F")]),
    "a synthetic file of another order of columns and too short": lambda: match(synthetic=RELEASED[["Job", "Town", "Sex"]][:-1]),
    "modes of unequal files": lambda: sr.mode_guess([PEOPLE, PEOPLE[:9]], ["Job"], np.random.default_rng(1)),
    "linked by what was synthesized": lambda: sr.relink([PEOPLE, PEOPLE.assign(Job=PEOPLE.Job.iloc[0])], ["Job"]),
    "linked files of unequal length": lambda: sr.relink([PEOPLE, PEOPLE[:9]], ["Sex"]),
    "more files than the pool has": lambda: sr.average_of_m(pd.DataFrame({"risk": [1.0, 2.0]}), m=3),
    "a special code as text": lambda: told_income(special={"Income": ["-8"]}, groups={"Income": 4}),
    "negative weights": lambda: intruder(weights=[-1.0] * 24),
    "a missing weight": lambda: sr.synthesize_cart(PEOPLE, ["Job"], weights=[np.nan] + [1.0] * 23),
    "r in per cent": lambda: sr.households.unique_uniques(QIS, QIS, ["state", "age"], r=[50.0, 20, 10, 5]),
    "r in per cent for weights": lambda: sr.households.down_weights([50.0, 20.0], 0.5),
    "more sampled than there are": lambda: sr.households.sampling_fractions(POPULATION.assign(count=0.0).assign(count=[1, 0, 1, 1]), QIS, ["state", "age"]),
    "estimates and variances of different files": lambda: sr.combine_partially_synthetic([1.0, 2.0], [1.0]),
    "estimates and covariances of different files": lambda: sr.combine_estimates([[1.0], [2.0]], [[[1.0]]]),
    "missing values in a distribution": lambda: sr.ecdf_distance([1, 2, np.nan], [1, 2, 3]),
    "a measure that forgot to return": lambda: sr.compare_members(PEOPLE, lambda half, seed: half, lambda half, made: None, splits=1),
    "a level the model has not seen": lambda: sr.fit_multinomial(PEOPLE, ["Job"], ["Town"]).draw(PEOPLE.assign(Town="Z"), np.random.default_rng(1)),
    "a cell of the population twice as fractions": lambda: intruder(population=pd.Series(9.0, index=pd.MultiIndex.from_tuples([("F", "A", "cook")] * 2))),
    "wide files without their flags": lambda: sr.households.unflatten(sr.households.flatten(PERSONS, HOMES).drop(columns="present_1_1")),
    "a negative survey weight in a mean": lambda: weighted_marginals(-1.0),
    "a missing survey weight in a mean": lambda: weighted_marginals(np.nan),
    "an income that is text": lambda: sr.households.attribute_risk(QIS, QIS.assign(income=list("abcd")), ["state", "age"], "income", [0.5] * 4),
}  # fmt: skip


def told_income(**how):
    return sr.disclosure(PEOPLE, RELEASED, ["Sex"], "Income", **how)


def holds_one_sentence(caught):
    """The package raised the error, in one sentence that ends with a full stop."""
    sentence = str(caught.value.args[0])
    assert Path(sr.__file__).parent in Path(caught.traceback[-1].path).parents
    assert sentence.endswith(".") and "\n" not in sentence and len(sentence) < 500
    return sentence


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gets_one_sentence(mistake):
    call, kind, words = MISTAKES[mistake]
    with pytest.raises(kind) as caught:
        call()
    assert words in holds_one_sentence(caught)


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_table_is_named(name, tmp_path):
    files_of(tmp_path)
    kind, words = FILES[name]
    with pytest.raises(kind) as caught:
        sr.read_pair(tmp_path / name, tmp_path / "right.csv")
    assert words in holds_one_sentence(caught)


@pytest.mark.parametrize("mistake", NEVER_SILENT)
def test_a_wrong_number_is_never_silent(mistake):
    with pytest.raises((ValueError, TypeError, KeyError)) as caught:
        NEVER_SILENT[mistake]()
    holds_one_sentence(caught)


@pytest.mark.parametrize("mistake", SILENT)
def test_what_was_silent_is_said(mistake):
    calls, words = SILENT[mistake]
    for call in calls:
        with pytest.raises((ValueError, TypeError, KeyError, IndexError)) as caught:
            call()
        assert words in holds_one_sentence(caught)


def test_one_number_widens_what_was_synthesized_and_leaves_codes_alone():
    coded = [data.assign(Urban=data.Urban.map({"city": 1, "country": 2})) for data in (UNITS, MADE)]
    words = sr.match(UNITS, MADE, ["Urban"], ["Income"], 0.2).summary()
    assert sr.match(*coded, ["Urban"], ["Income"], 0.2).summary().equals(words)
    lowest = sr.floor(UNITS[["Income"]], ["Income"], 0.2)  # there it stands for what is known
    assert lowest.summary().expected_match_risk < 200
    named = sr.match(UNITS, MADE, ["Urban"], ["Tenure"], {"Tenure": 0.2})  # who names it, means it
    assert named.radius == {"Tenure": 0.2}


def test_a_suppressed_column_is_a_release_like_others():
    starred = MADE.assign(Educ="*")
    assert sr.match(UNITS, starred, ["Urban"], ["Educ"]).summary().expected_match_risk == 0
    assert sr.disclosure(UNITS, starred, ["Educ"], "Urban").attribute.iS.item() == 0


def test_three_matches_take_one_number():
    found = three_matches(UNITS, MADE, ["Urban"], ["Income"], 0.1)
    assert found["synthetic"].radius == found["confidential"].radius == {"Income": 0.1}
    assert found["floor"].radius == {}


def test_an_id_without_its_name_is_asked_about():
    with pytest.raises(TypeError, match=r"write lesson\('01', student='s1'\)\."):
        lesson("01", "s1")


def test_labels_that_differ_or_repeat_are_no_order():
    x = pd.DataFrame({"x": [1, 2, 3]})
    for labels in ([3, 4, 5], [0, 2, 7], [1, 0, 0]):  # other people, other labels, or repeated ones
        assert sr.match(x, x.set_axis(labels), [], ["x"]).records["T"].tolist() == [1, 1, 1]
    repeated = x.set_axis([0, 1, 1])
    assert sr.match(repeated, x.set_axis([1, 0, 1]), [], ["x"]).records["T"].sum() == 3
    with pytest.raises(ValueError, match="in another order"):
        sr.match(x, x.set_axis([1, 0, 2]), [], ["x"])


@pytest.mark.parametrize(
    ("rows", "values", "asked"), [(101, 20, True), (101, 21, False), (100, 20, False)]
)
def test_twenty_whole_numbers_in_more_than_a_hundred_rows_may_be_codes(rows, values, asked):
    data = pd.DataFrame({"x": np.arange(rows) % values})
    if asked:
        with pytest.raises(ValueError, match="'x' has 20 different whole numbers"):
            sr.match(data, data, [], ["x"], 0.1)
    else:
        assert sr.match(data, data, [], ["x"], 0.1).radius == {"x": 0.1}
    assert sr.match(data + 0.5, data + 0.5, [], ["x"], 0.1).radius == {"x": 0.1}  # not whole


def test_levels_differ_by_blanks_or_case_in_either_file():
    files = [pd.DataFrame({"x": ["No ", "YES"]}), pd.DataFrame({"x": ["no", "YES"]})]
    for ours, theirs in (files, files[::-1]):
        with pytest.raises(ValueError, match="write both in the same way"):
            sr.match(ours, theirs, [], ["x"])


@pytest.mark.parametrize(("once", "refused"), [(30, False), (31, True)])
def test_a_target_is_a_quantity_if_more_than_a_quarter_of_it_stands_once(once, refused):
    twice = np.repeat(np.arange(500, 545), 2)[: 120 - once]
    data = pd.DataFrame({"key": "x", "t": [*range(once), *twice]})
    if len(twice) % 2:
        data.loc[len(data) - 1, "t"] = 500
    if refused:
        with pytest.raises(ValueError, match="is a quantity: 31 of its 120 values"):
            sr.disclosure(data, data, ["key"], "t")
    else:
        assert sr.disclosure(data, data, ["key"], "t").attribute.DiSCO.item() == 0


def test_per_cent_is_noticed_wherever_it_stands_in_a_grid():
    with pytest.raises(ValueError, match="a radius is 20; write a share"):
        sr.radius_sweep(PEOPLE, [RELEASED], ["Sex"], ["Income"], [0.1, 20])


def test_facts_narrow_down_and_never_widen():
    people = pd.DataFrame({"Sex": list("FFMM"), "Town": list("ABAA")})
    assert sr.narrow_down(people, ["Sex", "Town"], 0).left.tolist() == [4, 2, 1]


def test_a_radius_for_a_category_says_where_it_is_one():
    coded = MADE.assign(Income=MADE.Income.astype("category"))
    with pytest.raises(
        TypeError, match="variable: Income is a category in synthetic; only numbers"
    ):
        sr.match(UNITS, coded, ["Urban"], ["Income"], 0.2)


def test_who_wants_a_quantity_as_it_is_says_so():
    found = sr.disclosure(UNITS, MADE, ONE, "Income", groups={"Income": None})
    assert found.attribute.DiSCO.item() == 0
