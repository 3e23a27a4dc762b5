"""Make the stored results of lesson 06, DiSCO: `python data/make_disclosure.py`.

What a lesson reads off five synthetic files is asked here of a hundred others, all of them made of
the 5,000 people of `sr.load_diagnosis()`; some minutes on one core. Equal seeds, equal files.

| file | a row for each |
|---|---|
| `disclosure_files.csv` | full synthesis by CART: the measures of the lesson, and a plain guess |
| `disclosure_actions.csv` | thing an owner can do, and file: risk and usefulness |
| `disclosure_ways.csv` | way to make five columns anew, and file: risk and usefulness |
| `disclosure_exact.csv` | draw of exact incomes: who is found by sex, age and income |
"""

from pathlib import Path

import numpy as np
import pandas as pd

import synthrisk_edu as sr
from synthrisk_edu.progress import track

FOLDER = Path(__file__).parent
FILES = 100
FIRST = 1000  # the first seed: the lessons' own files have small ones
KEYS = ["sex", "age", "region", "placesize"]
SPECIAL = {"income": [-8]}


def cart(persons, seed):
    """Make one full synthesis."""
    return sr.synthesize_cart(persons, list(persons), special=SPECIAL, seed=seed)[0]


def seeds(label):
    """Go through the seeds of the hundred files."""
    return track(range(FIRST, FIRST + FILES), label, True)


def attribute(original, file, keys=KEYS, target="marital", **how):
    """Return the measures of attribute disclosure as one row."""
    return sr.disclosure(original, file, keys, target, **how).attribute.loc[1]


def guessed(persons, file, known, target="marital"):
    """Guess the commonest answer of the rows that agree on what is known; per cent right."""
    counts = file.groupby([*known, target], observed=True).size().reset_index(name="rows")
    counts = counts.sort_values("rows", ascending=False, kind="stable")
    commonest = counts.drop_duplicates(known)
    guess = persons[known].merge(commonest, on=known, how="left")[target]
    return 100 * (guess.astype(object) == persons[target].astype(object)).mean()


def table_ratio(original, file):
    """Return the mean pMSE ratio of all two-way tables."""
    return sr.pmse_tables(original, file, 2).ratio.mean()


def files_table(persons):
    """The measures of lesson 06 in a hundred files."""
    rows = []
    for seed in seeds("files"):
        file = cart(persons, seed)
        identity = sr.disclosure(persons, file, KEYS, "marital").identity.loc[1]
        marital = attribute(persons, file)
        two_groups = attribute(persons, file, groups={"age": 2})
        rows.append(
            {
                "seed": seed,
                "repU": identity.repU,
                "iS": marital.iS,
                "DiS": marital.DiS,
                "DiSCO": marital.DiSCO,
                "depress": attribute(persons, file, target="depress").DiSCO,
                "workab": attribute(persons, file, target="workab").DiSCO,
                "three_keys": attribute(persons, file, KEYS[:3]).DiSCO,
                "groups_30": attribute(persons, file, groups={"age": 30}).DiSCO,
                "groups_2": two_groups.DiSCO,
                "Dorig_2": two_groups.Dorig,
                "guess": guessed(persons, file, ["sex", "age"]),
                "guess_four": guessed(persons, file, KEYS),
            }
        )
    return pd.DataFrame(rows).round(4)


def band(data):
    """Give everybody the middle of a ten-year band of age."""
    return data.assign(age=data.age // 10 * 10 + 5)


def top_code(data):
    """Top and bottom code age."""
    return data.assign(age=data.age.clip(20, 75))


def merge(data):
    """Make one region of those that have fewer than 250 of the 5,000 people."""
    size = sr.load_diagnosis().region.value_counts()
    small = size.index[size < 250]
    return data.assign(region=data.region.astype(str).where(~data.region.isin(small), "other"))


def actions_table(persons):
    """What an owner can do to each of a hundred files, or before it is made."""
    rows = []
    for seed in seeds("what an owner can do"):
        file = cart(persons, seed)
        released = {"nothing": (persons, file)}
        released["no replicated uniques"] = (
            persons,
            sr.remove_replicated_uniques(file, persons, KEYS),
        )
        for action in (band, top_code, merge):
            truth = action(persons)
            released[action.__name__] = (truth, action(file))
        for action in (band, merge):
            truth = action(persons)
            released[f"{action.__name__}, before"] = (truth, cart(truth, seed))
        for name, (truth, made) in released.items():
            row = {"action": name, "seed": seed} | risk_and_ratio(truth, made)
            rows.append(row)
    return pd.DataFrame(rows).round(4)


def risk_and_ratio(truth, file):
    """Return repU, DiSCO of marital status and the mean pMSE ratio of two-way tables."""
    found = sr.disclosure(truth, file, KEYS, "marital")
    return {
        "repU": found.identity.repU[1],
        "DiSCO": found.attribute.DiSCO[1],
        "ratio": table_ratio(truth, file),
    }


def ways_table(persons):
    """Six ways to make four keys and marital status anew, a hundred files each."""
    five = persons[[*KEYS, "marital"]]
    models = sr.fit_multinomial(five, ["region", "placesize", "marital"], ["sex", "age"])
    categories = five.astype({"age": "category"})
    mixed = sr.synthesize_dpmpm(categories, list(five), FILES, iterations=1000, seed=FIRST)

    def again(seed):
        return five.sample(frac=1, replace=True, random_state=seed, ignore_index=True)

    def redrawn(seed, given):
        made = again(seed)
        for step, name in enumerate(["region", "placesize", "marital"]):
            made = sr.redraw(made, [name], given, seed=10 * seed + step)
        return made

    rows = []
    for number, seed in enumerate(seeds("ways to synthesize")):
        made = {
            "persons drawn again": again(seed),
            "CART": sr.synthesize_cart(five, list(five), seed=seed)[0],
            "DPMPM": mixed[number].astype({"age": int}),
            "regression": models.draw(again(seed), np.random.default_rng(seed)),
            "redraw": redrawn(seed, ["sex", "age"]),
            "columns alone": redrawn(seed, []),
        }
        for name, file in made.items():
            rows.append({"synthesizer": name, "seed": seed} | risk_and_ratio(five, file))
    return pd.DataFrame(rows).round(4)


def exact_table(persons):
    """Who is found by sex, age and an exact income, for a hundred draws of the digits."""
    rows = []
    for seed in seeds("exact incomes"):
        rng = np.random.default_rng(seed)
        true = persons[persons.income > 0]
        true = true.assign(income=true.income + rng.uniform(-50, 50, len(true)))
        made = sr.synthesize_cart(true, list(true), seed=seed)[0]
        three = attribute(true, made, ["sex", "age", "income"])
        alone = attribute(true, made, ["income"])
        rows.append(
            {
                "seed": seed,
                "iS": three.iS,
                "DiSCO": three.DiSCO,
                "iS_alone": alone.iS,
                "DiSCO_alone": alone.DiSCO,
            }
        )
    return pd.DataFrame(rows).round(4)


MAKERS = {
    "files": files_table,
    "actions": actions_table,
    "ways": ways_table,
    "exact": exact_table,
}


def main():
    """Make the files."""
    persons = sr.load_diagnosis()
    for name, make in MAKERS.items():
        make(persons).to_csv(FOLDER / f"disclosure_{name}.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
