"""Make the stored results of lesson 08, members and others: `python data/make_members.py`.

Everything is computed on `sr.load_diagnosis()` by CART, split into halves; a few minutes on one
core. Equal seeds, equal files.

| file | a row for each |
|---|---|
| `members_keys.csv` | choice of keys, target, and split: DiSCO of members and of others |
| `members_leaves.csv` | smallest leaf, and split: what members have over others, and usefulness |
| `members_leaf_keys.csv` | smallest leaf, choice of keys, and split: DiSCO of marital |
| `members_copies.csv` | share of the file that is copied: what each measure says |
"""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

import synthrisk_edu as sr
from synthrisk_edu.members import halves
from synthrisk_edu.progress import track

FOLDER = Path(__file__).parent
SEED, SPLITS = 1, 10
KEYS = ["sex", "age", "region", "placesize"]
TARGETS = ["marital", "workab", "ls", "depress", "income"]
SPECIAL = {"income": [-8]}
LEAVES = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100]
SHARES = np.arange(0, 101, 5)


def cart(half, seed, min_leaf=5):
    """Make a fully synthetic version of a half."""
    names = list(half.columns)
    return sr.synthesize_cart(half, names, special=SPECIAL, min_leaf=min_leaf, seed=seed)[0]


def key_sets():
    """List every choice of at least one key, the smaller ones first."""
    return [list(some) for k in range(1, len(KEYS) + 1) for some in combinations(KEYS, k)]


def disco(original, synthetic, keys):
    """Return DiSCO of every target."""
    options = {"groups": {"income": 20}, "special": SPECIAL}
    return (
        sr.multi_disclosure(original, synthetic, keys, TARGETS, **options).set_index("target").DiSCO
    )


def keys_table(persons):
    """DiSCO of members and others, for every choice of keys and every target."""

    def every_choice(half, synthetic):
        found = {"+".join(keys): disco(half, synthetic, keys) for keys in key_sets()}
        return pd.concat(found)

    found = sr.compare_members(persons, cart, every_choice, splits=SPLITS, seed=SEED, progress=True)
    table = found.splits
    table.insert(0, "keys", [name[0] for name in table.measure])
    table.insert(1, "target", [name[1] for name in table.measure])
    return table.drop(columns="measure").round(4)


def table_ratio(original, synthetic):
    """Return the mean pMSE ratio of all two-way tables: 0 for a copy, about 1 for a new draw."""
    return sr.pmse_tables(original, synthetic).ratio.mean()


def leaf_row(min_leaf, members, others, synthetic):
    """What one file says of members and others, and how useful it is."""
    risk = [disco(half, synthetic, KEYS) for half in (members, others)]
    copied = sr.copies(members, synthetic, control=others)
    return {
        "min_leaf": min_leaf,
        "members": risk[0].marital,
        "others": risk[1].marital,
        "copies_members": 100 * copied.share["original"],
        "copies_others": 100 * copied.share["control"],
        "ratio_members": table_ratio(members, synthetic),
        "ratio_others": table_ratio(others, synthetic),
    }


def grown(persons):
    """Yield every split with its files: the number, the leaf, members, others, synthetic."""
    rng = np.random.default_rng(SEED)
    for split in track(range(1, SPLITS + 1), "growing trees of many sizes", True):
        members, others = halves(persons, rng)
        for min_leaf in LEAVES:
            yield split, min_leaf, members, others, cart(members, SEED, min_leaf)


def leaves_table(persons):
    """Risk, copies and usefulness against the smallest leaf of the trees."""
    rows = [{"split": split} | leaf_row(*files) for split, *files in grown(persons)]
    return pd.DataFrame(rows).round(4)


def leaf_keys_table(persons):
    """DiSCO of marital for every choice of keys, against the smallest leaf of the trees."""
    rows = []
    for split, min_leaf, *halves_of_it, synthetic in grown(persons):
        for keys in key_sets():
            risk = [
                sr.disclosure(half, synthetic, keys, "marital").attribute.DiSCO.iloc[0]
                for half in halves_of_it
            ]
            names = {"keys": "+".join(keys), "min_leaf": min_leaf, "split": split}
            rows.append(names | dict(zip(("members", "others"), risk, strict=True)))
    return pd.DataFrame(rows).sort_values(["keys", "min_leaf", "split"]).round(4)


def copies_table(persons):
    """What each measure says when a share of an honest file is replaced by confidential rows."""
    rng, rows = np.random.default_rng(SEED), []
    members, others = halves(persons, rng)
    honest = cart(members, SEED)
    shuffled = members.iloc[rng.permutation(len(members))].reset_index(drop=True)
    for percent in track(SHARES, "copying more and more", True):
        number = round(len(members) * percent / 100)
        file = pd.concat([shuffled.head(number), honest.iloc[number:]], ignore_index=True)
        near = sr.closest_record(members, file, control=others)
        copied = sr.copies(members, file, control=others)
        risk = [disco(half, file, KEYS).marital for half in (members, others)]
        rows.append(
            {
                "percent": percent,
                "copies": 100 * copied.share["original"],
                "copies_others": 100 * copied.share["control"],
                "disco_members": risk[0],
                "disco_others": risk[1],
                "ratio": table_ratio(members, file),
                "distance": near["median"]["original"],
                "distance_others": near["median"]["control"],
                "closer": 100 * near.closer["original"],
            }
        )
    return pd.DataFrame(rows).round(4)


def main():
    """Make the four files."""
    persons = sr.load_diagnosis()
    made = {"keys": keys_table, "leaves": leaves_table, "leaf_keys": leaf_keys_table}
    made["copies"] = copies_table
    for name, make in made.items():
        make(persons).to_csv(FOLDER / f"members_{name}.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
