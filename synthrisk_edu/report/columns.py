"""Does a column hold codes, quantities or an identifier? Told from its values, without a codebook.

| a column is taken for | when |
|---|---|
| codes (equal or not) | whole numbers, at most 20 different ones, each in five records on average |
| an identifier (left out) | text that differs in 95 % of the records; or whole numbers that all |
| | differ, and are the same in both tables or a running number |
| a quantity (near or far) | any other numbers |
| a category | anything else |
"""

import numpy as np
import pandas as pd

from synthrisk_edu.levels import number_combinations
from synthrisk_edu.report import checks

CODES = 20  # whole numbers with at most so many values are codes, not quantities …
EACH = 5  # … when each of them stands for so many records on average
ENOUGH = 30  # fewer records than this do not show whether a column is an identifier
NEARLY_ALL = 0.95  # the share of different texts that makes an identifier
FINE = 100  # a quantity with more values than this is looked up in groups


def looks_like_codes(confidential, synthetic):
    """Say whether whole numbers are codes: few values, each of them in several records.

    >>> sex, age = pd.Series([1, 2] * 50), pd.Series(range(20, 120))
    >>> looks_like_codes(sex, sex), looks_like_codes(age, age)
    (True, False)
    """
    if not (checks.is_numeric(confidential) and checks.is_numeric(synthetic)):
        return False
    levels = _levels(confidential, synthetic)
    few = 0 < len(levels) <= min(CODES, len(confidential) / EACH)
    return few and _whole(levels)


def looks_like_identifier(confidential, synthetic, name, equal):
    """Say whether a column tells nearly every record apart, as a number or a name does.

    Text does when nearly all values differ. Whole numbers do when all differ, and they are `equal`
    in both tables or a running number; amounts of money seldom are either.
    """
    column = confidential[name].dropna()
    if len(column) < ENOUGH:
        return False
    different = column.nunique()
    if not checks.is_numeric(column):
        return different >= NEARLY_ALL * len(column)
    if different < len(column) or not _whole(pd.Index(column.unique())):
        return False
    running = float(column.max()) - float(column.min()) < 2 * len(column)
    return bool(equal or (running and synthetic[name].dropna().is_unique))


def is_fine(confidential, synthetic, name):
    """Say whether a column is a quantity with many values."""
    if any(name not in data for data in (confidential, synthetic)):
        return False  # `disclosure` will say so
    columns = confidential[name], synthetic[name]
    return all(map(checks.is_numeric, columns)) and len(_levels(*columns)) > FINE


def with_categories(confidential, synthetic, codes):
    """Return both tables, codes as categories with the same levels; the caller's stay the same."""
    kinds = {
        name: pd.CategoricalDtype(_levels(confidential[name], synthetic[name]).sort_values())
        for name in codes
    }
    return confidential.astype(kinds), synthetic.astype(kinds)


def equal_columns(confidential, synthetic, shared):
    """List the columns that are equal in both tables, row by row; missing equals missing.

    >>> table = pd.DataFrame({"Sex": list("FM"), "Job": ["cook", None]})
    >>> equal_columns(table, table.assign(Job="cook"), ["Sex", "Job"])
    ['Sex']
    """
    if len(confidential) != len(synthetic):
        return []
    codes = {name: number_combinations([confidential, synthetic], [name]) for name in shared}
    return [name for name, (ours, theirs) in codes.items() if (ours == theirs).all()]


def _levels(confidential, synthetic):
    """The different values of a column in both tables."""
    both = pd.concat([confidential, synthetic], ignore_index=True)
    return pd.Index(both.dropna().unique())


def _whole(levels):
    """Say whether all values are whole numbers."""
    values = levels.to_numpy(dtype=float)
    return bool(np.isfinite(values).all() and (values % 1 == 0).all())
