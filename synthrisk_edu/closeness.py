"""Is anybody in it, unchanged or changed by a hair? Counted, and beside what other people give.

    copies            rows equal to a person who is alone with these values, in every column
    but for a hair    the same, when every number may be off by a hair
    all but one       the same, when one column may be anything

All are shares of the rows, and each means something only beside *other people*: real people who
took no part, of whom some agree with somebody by chance. Without a control one random half of the
file stands for them, against the other half.

What is too much was tried on files of SD2011, Adult, CE and our diagnosis file, where nearly all
people are alone. Honest trees exceed other people by about 7 points at most but for a hair, and by
37 in all columns but one; a file of which a fifth is disguised by 20 or more, and one with a
shuffled column by 60 or more. Where few are alone, as in ACS, a shuffled column is not seen.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.counting import BoxCounter
from synthrisk_edu.members import added_share, halves

HAIR = 0.015  # of the value; of a whole number at least 1, so that an age may move by a year
SLACK = 1e-9  # lets a value that is on the bound on paper be on it in floating point too
# So many points above other people are too much.
COPIED_TOO = 0.30
HAIR_TOO = 0.12
ALL_BUT_ONE_TOO = 0.55
FEW = 15  # a number with at most so many different values is a category here


def other_people(original: pd.DataFrame, control: pd.DataFrame | None = None, seed: int = 0):
    """Return two tables of different people: a file, and others who are not in it.

    With a control these are the original and the control; else two random halves of the original.
    Whatever is counted of synthetic rows and the original is counted of these, too.

    >>> file, others = other_people(pd.DataFrame({"Age": range(6)}))
    >>> sorted([*file.Age, *others.Age])
    [0, 1, 2, 3, 4, 5]
    """
    if control is not None:
        return original, control
    return halves(original, checks.generator(seed))


def but_for_a_hair(
    original: pd.DataFrame,
    synthetic: pd.DataFrame,
    *,
    special: Mapping[str, Sequence[float]] | None = None,
) -> float:
    """Return the share of the synthetic rows that are a person of the original but for a hair.

    Categories are equal, missing equals missing, and every number lies within R of the person's:
    1.5 % of the value, of a whole number at least 1. The person is alone: no other one lies there.
    It is the matching of lesson 02, asked of all columns. A number with at most 15 different values
    counts as a category. `special` maps a column to codes that are no amounts, such as −8.

    >>> original = pd.DataFrame({"Town": list("AB") * 10, "Income": range(1000, 3000, 100)})
    >>> but_for_a_hair(original, original.assign(Income=original.Income + 10))
    1.0
    >>> but_for_a_hair(original, original.assign(Income=original.Income + 50))
    0.0
    """
    files = {"original": original, "synthetic": synthetic}
    columns = checks.shared_columns("columns", None, files)
    special = checks.mapping("special", special, columns)
    numbers = [name for name in columns if is_amount(original[name])]
    others = [name for name in columns if name not in numbers]
    codes = [np.concatenate(cells.label_cells([original, synthetic], others))]
    sides = []
    for name in numbers:
        values = np.concatenate([cells.as_floats(file[name]) for file in files.values()])
        level = cells.special_levels(values, special.get(name, ()))
        codes.append(level)
        sides.append(np.where(level > 0, 0, values))
    n = len(original)
    length = n + len(synthetic)
    group = cells.combine(codes, length)
    points = np.column_stack(sides) if sides else np.empty((length, 0))
    x = points[:n]
    is_whole = (x % 1 == 0).all(axis=0)
    R = np.maximum(HAIR * np.abs(x), np.where(is_whole, 1, 0)) * (1 + SLACK)
    low = x - R
    high = x + R
    people_there = BoxCounter(group[:n], x).count(group[:n], low, high)
    alone = np.flatnonzero(people_there == 1)
    is_found = np.zeros(len(synthetic), dtype=bool)
    rows = BoxCounter(group[n:], points[n:])
    for _, row in rows.pairs(group[alone], low[alone], high[alone]):
        is_found[row] = True
    return float(is_found.mean())


def is_amount(column):
    """Say whether a column holds numbers with more than a few different values."""
    return checks.is_numeric(column) and column.nunique() > FEW


def copied(original: pd.DataFrame, synthetic: pd.DataFrame) -> pd.Series:
    """Return how many rows repeat somebody who is alone in the original, as shares of the rows.

        rows        synthetic rows that are the same as a row that stands only once there
        by_chance   2 f₂ / n: so many of new people would (Good and Turing), where f₂ combinations
                    stand twice among the n rows
        if_copied   f₁ / n: so many of a copy would, where f₁ stand once

    >>> original = pd.DataFrame({"Town": list("AABCDE")})
    >>> copied(original, pd.DataFrame({"Town": list("BA")})).round(2).to_dict()
    {'rows': 0.5, 'by_chance': 0.33, 'if_copied': 0.67}
    """
    files = {"original": original, "synthetic": synthetic}
    columns = checks.shared_columns("columns", None, files)
    _, (d, s) = cells.count_cells(list(files.values()), columns)
    n = len(original)
    shares = {"rows": s[d == 1].sum() / len(synthetic)}
    shares["by_chance"] = 2 * (d == 2).sum() / n
    shares["if_copied"] = (d == 1).sum() / n
    return pd.Series(shares)


def all_but_one(original: pd.DataFrame, synthetic: pd.DataFrame) -> pd.Series:
    """Return, for each column left out, the share of rows equal to a person in all others.

    The person is alone with the other columns. A file of which one column was shuffled has few
    copies, and nearly all of its rows here.

    >>> original = pd.DataFrame({"Town": list("AABB"), "Age": [20, 30, 40, 50]})
    >>> all_but_one(original, original.assign(Town=list("BABA")))
    Town    1.0
    Age     0.0
    dtype: float64
    """
    files = {"original": original, "synthetic": synthetic}
    columns = checks.shared_columns("columns", None, files)
    codes = {name: cells.label_levels([original[name], synthetic[name]]) for name in columns}
    n = len(original)
    shares = {}
    for left_out in columns:
        others = [code for name, code in codes.items() if name != left_out]
        cell = cells.combine(others, n + len(synthetic))
        people = np.bincount(cell[:n], minlength=cell.max() + 1)
        shares[left_out] = float((people[cell[n:]] == 1).mean())
    return pd.Series(shares)


def is_beyond(share: float, others: float, n: int, n_others: int, *, points: float) -> bool:
    """Say whether a share of n rows is more than so many points above that of other people.

    And by more than chance, which matters in small files.

    >>> is_beyond(0.2, 0.01, 5000, 2500, points=0.12), is_beyond(0.2, 0.01, 10, 5, points=0.12)
    (True, False)
    """
    added, low, _ = added_share(share, others, n, n_others)
    return bool(added > points and low > 0)
