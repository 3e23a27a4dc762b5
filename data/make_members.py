"""Make the stored results of lesson 08, members and others: `python data/make_members.py`.

Everything is computed on `sr.load_diagnosis()` by CART, a hundred splits of everything; about ten
minutes on one core. Equal seeds, equal files.

| file | a row for each |
|---|---|
| `members_keys.csv` | choice of keys, target, and split: DiSCO of members and of others |
| `members_leaves.csv` | smallest leaf, and split: what members have over others, and usefulness |
| `members_leaf_keys.csv` | smallest leaf, and choice of keys: DiSCO of marital, mean of splits |
| `members_copies.csv` | share of the file that is copied: what each measure says |
| `members_sizes.csv` | share of the people who are members, target, and split: DiSCO of both |
| `members_splits.csv` | split: copies, distances and usefulness of an honest file made of a half |
| `members_both.csv` | split, and target: who is told with them, without them, or either way |
"""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

import synthrisk_edu as sr
from synthrisk_edu.members import halves
from synthrisk_edu.progress import track

FOLDER = Path(__file__).parent
SEED, SPLITS = 1, 100
KEYS = ["sex", "age", "region", "placesize"]
TARGETS = ["marital", "workab", "ls", "depress", "income"]
SPECIAL = {"income": [-8]}
LEAVES = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100]
SHARES = np.arange(0, 101, 5)
SIZES = (0.1, 0.25, 0.5, 0.75, 0.9)  # of the people, who are members


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
    """DiSCO of marital for every choice of keys, against the smallest leaf of the trees.

    Means over the splits; `lowest` and `highest` are those of members − others.
    """
    rows = []
    for _, min_leaf, members, others, synthetic in grown(persons):
        for keys in key_sets():
            row = {"keys": "+".join(keys), "min_leaf": min_leaf}
            row["members"] = disco_of_marital(members, synthetic, keys)
            row["others"] = disco_of_marital(others, synthetic, keys)
            rows.append(row)
    table = pd.DataFrame(rows)
    table["added"] = table.members - table.others
    by_leaf = table.groupby(["keys", "min_leaf"])
    means = by_leaf[["members", "others"]].mean()
    return means.join(by_leaf.added.agg(lowest="min", highest="max")).reset_index().round(4)


def disco_of_marital(half, synthetic, keys=KEYS):
    """Return DiSCO of marital status."""
    return sr.disclosure(half, synthetic, keys, "marital").attribute.DiSCO.iloc[0]


def sizes_table(persons):
    """DiSCO of members and others in files made of more and more of the people.

    In the rows with share 1 the file is made of all 5,000, and the others are new people, whom the
    script that made ours makes.
    """
    from make_data import simulate_diagnosis  # needs this folder on the path

    def two_targets(half, synthetic):
        found = sr.multi_disclosure(half, synthetic, KEYS, ["marital", "depress"])
        return found.set_index("target").DiSCO

    tables = []
    for share in track(SIZES, "files of several sizes", True):
        found = sr.compare_members(
            persons, cart, two_targets, splits=SPLITS, share=share, seed=SEED
        )
        tables.append(found.splits.assign(share=share))
    rows = []
    for split in track(range(1, SPLITS + 1), "new people", True):
        new = simulate_diagnosis(np.random.default_rng(100 + split)).astype(persons.dtypes)
        synthetic = cart(persons, split)
        ours, theirs = two_targets(persons, synthetic), two_targets(new, synthetic)
        for target in ours.index:
            rows.append((split, target, ours[target], theirs[target], 1.0))
    columns = ["split", "measure", "members", "others", "share"]
    tables.append(pd.DataFrame(rows, columns=columns))
    return pd.concat(tables)[["share", "split", "measure", "members", "others"]].round(4)


def splits_table(persons):
    """Copies, distances and usefulness of an honest file, split by split.

    `drawn` is the pMSE ratio of members drawn anew with replacement, against the members, and
    `drawn_others` against the others.
    """
    rng, rows = np.random.default_rng(SEED), []
    for split in track(range(1, SPLITS + 1), "honest files", True):
        members, others = halves(persons, rng)
        synthetic = cart(members, SEED)
        drawn = members.sample(frac=1, replace=True, random_state=split, ignore_index=True)
        copied = sr.copies(members, synthetic, control=others)
        near = sr.closest_record(members, synthetic, control=others)
        rows.append(
            {
                "split": split,
                "copies": copied.rows["original"],
                "copies_others": copied.rows["control"],
                "distance": near["median"]["original"],
                "distance_others": near["median"]["control"],
                "closer": 100 * near.closer["original"],
                "yardstick": sr.closest_record(members)["median"]["original"],
                "ratio": table_ratio(members, synthetic),
                "ratio_of_others": table_ratio(members, others),
                "drawn": table_ratio(members, drawn),
                "drawn_others": table_ratio(others, drawn),
            }
        )
    return pd.DataFrame(rows).round(4)


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


def both_table(persons):
    """For how many per cent a file tells the truth that was made with them, and one without them.

    Of each split two files are made, one of either half: everybody is a member of one of them and
    an other of the other one.
    """
    rng, rows = np.random.default_rng(SEED), []
    for split in track(range(1, SPLITS + 1), "with and without", True):
        parts = halves(persons, rng)
        files = [cart(part, int(rng.integers(2**31))) for part in parts]
        for target in ("marital", "depress"):
            told_with, told_without = [], []
            for own, half in enumerate(parts):
                told_with.append(told(half, files[own], target))
                told_without.append(told(half, files[1 - own], target))
            told_with, told_without = np.concatenate(told_with), np.concatenate(told_without)
            rows.append(
                {
                    "split": split,
                    "target": target,
                    "both": 100 * (told_with & told_without).mean(),
                    "only_with": 100 * (told_with & ~told_without).mean(),
                    "only_without": 100 * (told_without & ~told_with).mean(),
                }
            )
    return pd.DataFrame(rows).round(4)


def told(half, synthetic, target):
    """Say of each person whether the file gives a single answer, and the right one."""
    return sr.disclosure(half, synthetic, KEYS, target).records().correct.to_numpy()


MAKERS = {
    "keys": keys_table,
    "leaves": leaves_table,
    "leaf_keys": leaf_keys_table,
    "copies": copies_table,
    "sizes": sizes_table,
    "splits": splits_table,
    "both": both_table,
}


def main():
    """Make the files."""
    persons = sr.load_diagnosis()
    for name, make in MAKERS.items():
        make(persons).to_csv(FOLDER / f"members_{name}.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
