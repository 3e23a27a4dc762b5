"""Make the stored results of lesson 05 that take long: `python data/make_youth_results.py`.

    python data/make_youth_results.py             make all files anew (about fifteen minutes)
    python data/make_youth_results.py releases    make one of them, by its name in RECIPES

Everything is computed on the simulated youths, `sr.prepare_youth(sr.load_youth())`. Equal seeds,
equal files. (`youth_knowledge.csv` is made by `make_synthetic.py`.)

| file | a row for each |
|---|---|
| `youth_releases.csv` | release, what is known, and m: the three risks of the averaging intruder |
| `youth_linked.csv` | release, and the columns that link ten shuffled files again |
| `youth_reasons.csv` | reason for the choice of records, and release: correct guesses |
| `youth_files.csv` | run, what is known of the model, and m: correct guesses with many files |
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

import synthrisk_edu as sr
from synthrisk_edu.cells import label_cells
from synthrisk_edu.progress import track

FOLDER = Path(__file__).parent
SEED = 2021
SYNTHESIZED = ["facility", "race"]
PREDICTORS = ["ethnicity", "age", "sex"]
MORE_PREDICTORS = [*PREDICTORS, "crime", "weight"]
WHITE = 1  # the code of race
BANK = 2_000  # draws from the model, from which those that R allows are taken

# How exactly the age is known: lesson 05 further, what else is known
AGES = {
    "exact": lambda age: age,
    "three-year bands": lambda age: (age - 11) // 3,
    "18 or older": lambda age: age >= 18,
}


def load():
    """Return the youths of lesson 05."""
    return sr.prepare_youth(sr.load_youth())


def make_releases(releases=200, sizes=(2, 3, 10)):
    """The three risks of an intruder who averages m files of the small model.

    The age is not known (`age` is "unknown"), or known in one of three ways.
    """
    youth = load()
    chain = sr.fit_multinomial(youth, SYNTHESIZED, PREDICTORS)
    rows = []
    for release in track(range(releases), "releases"):
        files = chain.draws(youth, np.random.default_rng(SEED + release), [None] * max(sizes))
        for m in sizes:
            risk = sr.intruder_risk(youth, files[:m], ["ethnicity"], SYNTHESIZED).summary()
            rows.append({"release": release, "age": "unknown", "m": m, **risk})
        for age, view in AGES.items():
            seen = [file.assign(age=view(file.age)) for file in [youth, *files]]
            risk = sr.intruder_risk(seen[0], seen[1:], ["ethnicity", "age"], SYNTHESIZED).summary()
            rows.append({"release": release, "age": age, "m": max(sizes), **risk})
    return pd.DataFrame(rows).round(6)


def make_linked(releases=100, m=10):
    """Correct guesses with m files whose rows were shuffled, and linked again by some columns.

    The first file keeps its order: it is as good as any. Each of the others is shuffled; then both
    are sorted by the columns, so that ties fall at random. `columns` is "rows" for files that were
    not shuffled, and "first file" for an intruder who has only one.
    """
    youth = load()
    untouched = youth.columns.drop(SYNTHESIZED).tolist()
    chain = sr.fit_multinomial(youth, SYNTHESIZED, PREDICTORS)
    rows = []
    for release in track(range(releases), "linked"):
        rng = np.random.default_rng(SEED + release)
        files = chain.draws(youth, rng, [None] * m)
        tried = {"first file": files[:1], "rows": files}
        for columns in (["ethnicity"], PREDICTORS, untouched):
            again = [link(youth, file, columns, rng) for file in files[1:]]
            tried[", ".join(columns)] = [files[0], *again]
        for columns, some in tried.items():
            risk = sr.intruder_risk(youth, some, ["ethnicity"], SYNTHESIZED).summary()
            rows.append({"release": release, "columns": columns, **risk})
    return pd.DataFrame(rows).round(6)


def link(youth, file, columns, rng):
    """Shuffle a file, sort it by some columns, and set its rows beside those of the youths."""
    shuffled = file.iloc[rng.permutation(len(file))].sort_values(columns, kind="stable")
    place = youth.reset_index(drop=True).sort_values(columns, kind="stable").index
    linked = shuffled[SYNTHESIZED].set_axis(place).sort_index().set_axis(youth.index)
    return youth.assign(facility=linked.facility, race=linked.race)


def make_reasons(releases=100, h=100):
    """Correct guesses by what is told: nothing, the reason R, the model with f(β), or both.

    Two releases of one file, each made so many times: the race of those who are not white is
    synthesized; or facility and race of those whose combination stands at most five times.
    """
    youth = load()
    minority = (youth.race != WHITE).to_numpy()
    rare = how_often(youth) <= 5
    cases = {
        "not white": (
            sr.fit_multinomial(youth, ["race"], [*PREDICTORS, "facility"]),
            ["ethnicity", "facility"],
            ["race"],
            minority,
            lambda file: ~minority | (file.race != WHITE).to_numpy(),
        ),
        "at most five": (
            sr.fit_multinomial(youth, SYNTHESIZED, PREDICTORS),
            ["ethnicity"],
            SYNTHESIZED,
            rare,
            lambda file: ~rare | (how_often(file) <= 5),
        ),
    }
    return pd.concat([told(youth, case, *cases[case], releases, h) for case in cases]).round(6)


def how_often(file):
    """Count for each youth how many have the same ethnicity, facility and race."""
    (cell,) = label_cells([file], ["ethnicity", *SYNTHESIZED])
    return np.bincount(cell)[cell]


def told(youth, case, chain, known, synthesized, marked, possible, releases, h):
    """Return the correct guesses of one case, a row for each release."""
    allowed = Allowed(youth, chain, marked, possible, np.random.default_rng(SEED))
    rows = []
    for release in track(range(releases), case):
        rng = np.random.default_rng(SEED + release)
        file = chain.draw(youth, rng).where(pd.Series(marked, youth.index), youth, axis=0)
        draws = {
            "nothing": [file],
            "model": sr.model_draws([chain], file, rng, h, among=marked),
            "both": [allowed.draw(rng) for _ in range(h)],
        }
        if case == "not white":  # in the other case too little that is possible can be borrowed
            question = file, synthesized, possible, [], rng
            draws["reason"] = [sr.simulate_again(*question, among=marked) for _ in range(10)]
            draws["reason_by_facility"] = [
                from_the_same_facility(file, marked, possible, rng) for _ in range(10)
            ]
        risks = {
            name: sr.intruder_risk(youth, some, known, synthesized).summary()
            for name, some in draws.items()
        }
        right = {name: risk.expected for name, risk in risks.items()}
        perceived = {f"{name}_perceived": risk.perceived for name, risk in risks.items()}
        rows.append({"case": case, "release": release, **right, **perceived})
    return pd.DataFrame(rows)


class Allowed:
    """Draws from the model that R allows, as `model_draws(…, possible=…)` makes them, but quickly.

    That function draws a record again until it is possible. Here every marked record has a bank of
    draws from the model, and takes one of those that are possible.
    """

    def __init__(self, youth, chain, marked, possible, rng):
        """Fill the bank, and strike out what no single record can be."""
        self.youth = youth
        self.possible = possible
        self.rows = np.flatnonzero(marked)
        self.variables = chain.variables
        bank = chain.draws(youth.iloc[self.rows], rng, [None] * BANK)
        self.bank = {name: np.array([one[name] for one in bank]) for name in chain.variables}
        chances = np.array([self._alone_possible(k) for k in range(BANK)])
        self.how_many = chances.sum(axis=0)
        self.possible_first = np.argsort(~chances, axis=0, kind="stable")
        assert self.how_many.min() > 0, "a record has no possible draw in the bank"

    def _alone_possible(self, k):
        """Say for each marked record whether its draw k is possible beside the unaltered ones."""
        unaltered = self.youth.drop(index=self.youth.index[self.rows])
        drawn = self.youth.iloc[self.rows].copy()
        for name in self.variables:
            drawn[name] = self.bank[name][k]
        if self.variables == ["race"]:
            return (drawn.race != WHITE).to_numpy()
        of_drawn, of_unaltered = label_cells([drawn, unaltered], ["ethnicity", *SYNTHESIZED])
        return ~np.isin(of_drawn, of_unaltered)

    def draw(self, rng):
        """Return one version of the file in which every record is possible."""
        file = self.youth.copy()
        wrong = np.arange(len(self.rows))
        while len(wrong):
            place = rng.integers(self.how_many[wrong])
            k = self.possible_first[place, wrong]
            for name in self.variables:
                values = self.bank[name][k, wrong]
                file.iloc[self.rows[wrong], file.columns.get_loc(name)] = values
            wrong = np.flatnonzero(~self.possible(file)[self.rows])
        return file


def from_the_same_facility(file, marked, possible, rng):
    """Replace impossible races by those of marked youths in the same facility, if there are any."""
    file = file.copy()
    is_possible = possible(file)
    donors = np.flatnonzero(marked & is_possible)
    facility = file.facility.to_numpy()
    race = file.race.to_numpy().copy()
    for i in np.flatnonzero(~is_possible):
        near = donors[facility[donors] == facility[i]]
        race[i] = file.race.iloc[rng.choice(near if len(near) else donors)]
    return file.assign(race=pd.Categorical(race, dtype=file.race.dtype))


def make_files(runs=20, sizes=(2, 10, 30, 100), fitted=(2, 10, 30)):
    """Correct guesses with more and more files of the larger model, beside those with f(β)."""
    youth = load()
    question = ["ethnicity"], SYNTHESIZED
    office = sr.fit_multinomial(youth, SYNTHESIZED, MORE_PREDICTORS)
    rows = []
    for run in track(range(runs), "files"):
        rng = np.random.default_rng(SEED + run)
        files = office.draws(youth, rng, [None] * max(sizes))
        fits = [
            sr.fit_multinomial(file, SYNTHESIZED, MORE_PREDICTORS) for file in files[: max(fitted)]
        ]
        draws = {("nothing (averaged)", m): files[:m] for m in sizes}
        draws |= {("models (mean β)", m): sr.model_draws(fits[:m], youth, rng) for m in fitted}
        draws["f(β) (mode)", max(sizes)] = sr.model_draws([office], youth, rng)
        for (knows, m), some in draws.items():
            risk = sr.intruder_risk(youth, some, *question).summary()
            rows.append({"run": run, "knows": knows, "m": m, **risk})
    return pd.DataFrame(rows).round(6)


RECIPES = {
    "releases": ("youth_releases.csv", make_releases),
    "linked": ("youth_linked.csv", make_linked),
    "reasons": ("youth_reasons.csv", make_reasons),
    "files": ("youth_files.csv", make_files),
}


def main(names):
    """Make the named files, or all of them."""
    for name in names or RECIPES:
        file_name, recipe = RECIPES[name]
        recipe().to_csv(FOLDER / file_name, index=False, lineterminator="\n")
        print(f"made {file_name}")


if __name__ == "__main__":
    main(sys.argv[1:])
