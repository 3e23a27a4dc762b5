"""Does a column hold codes, quantities, an identifier or a weight? Told without a codebook.

| a column is taken for | when |
|---|---|
| codes (equal or not) | whole numbers, at most 20 different ones, each in five records on average |
| an identifier (left out) | text that differs in 95 % of the records; or whole numbers that all |
| | differ, and are the same in both tables or a running number |
| a weight (left out; we ask) | numbers above 0 with a name such as WEIGHT; or with three decimals |
| | or more, and the same in both tables row by row |
| a quantity (near or far) | any other numbers; among them −8 or −99 may be a code for missing |
| a category | anything else |
"""

import re

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.cells import as_floats, label_cells
from synthrisk_edu.words import listing

CODES = 20  # whole numbers with at most so many values are codes, not quantities …
EACH = 5  # … when each of them stands for so many records on average
ENOUGH = 30  # fewer records than this do not show whether a column is an identifier
NEARLY_ALL = 0.95  # the share of different texts that makes an identifier
FINE = 100  # a quantity with more values than this is looked up in groups
WEIGHT = re.compile(r"(^|[^a-z])(w|wt|wgt|\w*weights?|\w*wgt)([^a-z]|$)", re.IGNORECASE)
FOR_MISSING = [*range(-9, 0), *(-int(str(d) * k) for d in (7, 8, 9) for k in (2, 3, 4))]
FOR_MISSING += [-97, -98, -997, -998]


def looks_like_codes(*columns):
    """Say whether whole numbers are codes: few values, each of them in several records.

    >>> sex, age = pd.Series([1, 2] * 50), pd.Series(range(20, 120))
    >>> looks_like_codes(sex, sex), looks_like_codes(age, age)
    (True, False)
    """
    most = min(CODES, len(columns[0]) / EACH)
    if not all(map(checks.is_numeric, columns)) or _more_than(most, columns):
        return False
    levels = _levels(columns)
    return len(levels) > 0 and _whole(levels)


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


def is_fine(tables, name):
    """Say whether a column is a quantity with many values."""
    if any(name not in table for table in tables):
        return False  # `disclosure` will say so
    columns = [table[name] for table in tables]
    return all(map(checks.is_numeric, columns)) and _more_than(FINE, columns)


def with_categories(tables, shared, codes):
    """Return the tables, codes and text as categories of the same levels; the caller's stay.

    A category is compared by its number, which is read once here and not by every part anew.
    """
    tables = [table.copy(deep=False) for table in tables]
    ends = np.cumsum([len(table) for table in tables])[:-1]
    for name in shared:
        text = all(isinstance(table[name].dtype, pd.StringDtype) for table in tables)
        if text or name in codes:
            column = pd.concat([table[name] for table in tables], ignore_index=True)
            numbers, levels = pd.factorize(column, sort=True)
            kind = pd.CategoricalDtype(levels)
            for table, part in zip(tables, np.split(numbers, ends), strict=True):
                table[name] = pd.Categorical.from_codes(part, dtype=kind)
    return tables


def missing_codes(*columns):
    """List the codes for missing among quantities: −8, −9, −99 and the like.

    They are codes when all other values are 0 or more, and each of them stands in more than twice
    as many records as an ordinary value does.

    >>> missing_codes(pd.Series([100, 200, 250, 300, -8, -8, -8]))
    [-8]
    >>> missing_codes(pd.Series([100, 200, 250, -300, -8, -8, -8]))
    []
    """
    if not all(map(checks.is_numeric, columns)):
        return []
    times = pd.Series(np.concatenate([as_floats(one) for one in columns])).value_counts()
    negative, ordinary = times[times.index < 0], times[times.index >= 0]
    often = len(ordinary) and (negative > 2 * ordinary.mean()).all()
    if not often or not set(negative.index) <= set(FOR_MISSING):
        return []
    return sorted(map(int, negative.index))


def looks_like_weight(column, name, equal):
    """Say whether a column may hold weights: how many people a record stands for.

    Its name says so, or it has decimals that nobody would write down and is `equal` in both
    tables row by row.

    >>> looks_like_weight(pd.Series([1.5, 2.0]), "pweight", equal=False)
    True
    >>> looks_like_weight(pd.Series([10.123, 9.456]), "x", equal=True)
    True
    >>> looks_like_weight(pd.Series([10.123, 9.456]), "x", equal=False)
    False
    """
    if not checks.is_numeric(column) or column.isna().all():
        return False
    values = as_floats(column.dropna())
    if (values <= 0).any() or len(np.unique(values)) < 2:
        return False
    decimals = np.abs(100 * values - np.round(100 * values)) > 1e-6 * np.abs(values)
    return WEIGHT.search(str(name)) is not None or bool(equal and decimals.mean() > 0.5)


def equal_columns(tables, shared):
    """List the columns that are equal in all tables, row by row; missing equals missing.

    >>> table = pd.DataFrame({"Sex": list("FM"), "Job": ["cook", None]})
    >>> equal_columns([table, table.assign(Job="cook")], ["Sex", "Job"])
    ['Sex']
    """
    if len({len(table) for table in tables}) > 1:
        return []
    numbered = ((name, label_cells(tables, [name])) for name in shared)
    return [name for name, (ours, *rest) in numbered if all((one == ours).all() for one in rest)]


def _more_than(most, columns):
    """Say whether columns hold more than so many different values; the first rows often tell."""
    first = [column.head(1000) for column in columns]
    return len(_levels(first)) > most or len(_levels(columns)) > most


def _levels(columns):
    """The different values of a column in all tables."""
    values = pd.concat([pd.Series(column.dropna().unique()) for column in columns])
    return pd.Index(values.unique())


def _whole(levels):
    """Say whether all values are whole numbers."""
    values = levels.to_numpy(dtype=float)
    return bool(np.isfinite(values).all() and (values % 1 == 0).all())


def common_columns(tables):
    """Return the columns that all tables have; at least one, each once and of the same kind."""
    for argument, data in tables.items():
        each_once(argument, data.columns)
    first, *others = tables.values()
    shared = [name for name in first.columns if all(name in data.columns for data in others)]
    if not shared:
        raise ValueError(
            f"{listing(tables)} have no column name in common; give equal columns equal names "
            "(capital letters and blanks count)."
        )
    checks.same_kind(tables, shared)
    return shared


def each_once(argument, names):
    """Raise if a column name stands more than once."""
    twice = pd.Index(names)[pd.Index(names).duplicated()]
    if len(twice):
        raise ValueError(
            f"{argument} has more than one column named {checks.show(twice[0])}; rename them so "
            "that each name stands once."
        )
