"""Which combinations of variables look different? pMSE of every table of a few variables."""

from itertools import combinations
from math import prod

import numpy as np
import pandas as pd

from synthrisk_edu.levels import combine, number_levels, stack
from synthrisk_edu.utility import checks
from synthrisk_edu.utility.propensity import are_quantities, null_of, over

GROUPS = 5  # a numeric variable in a table is cut into this many groups of equal size


def pmse_tables(confidential, synthetic, ways=2):
    """Return pMSE and its ratio for every table of `ways` variables, worst first.

    In a table the propensity of a cell is simply its synthetic share. Numeric variables are cut
    into five groups of equal size of the confidential data, and missing is a group of its own.

    >>> data = pd.DataFrame({"Town": list("AABB"), "Job": ["cook", "cook", "cook", "nurse"]})
    >>> pmse_tables(data, data, ways=1).ratio.tolist()
    [0.0, 0.0]
    """
    variables = checks.compared(confidential, synthetic, None)
    ways = checks.count("ways", ways)
    if ways > len(variables):
        raise ValueError(
            f"ways is {ways}, but the frames share only {len(variables)} variables; take fewer "
            "ways."
        )
    codes = {name: _table_codes(confidential[name], synthetic[name]) for name in variables}
    rows = [
        (*names, *_table_pmse([codes[name] for name in names], len(confidential)))
        for names in combinations(variables, ways)
    ]
    columns = [f"variable_{place}" for place in range(1, ways + 1)]
    table = pd.DataFrame(rows, columns=[*columns, "pmse", "ratio"])
    return table.sort_values("ratio", ascending=False, kind="stable", ignore_index=True)


def _table_codes(confidential, synthetic):
    """A variable of both files as whole numbers, one for each level or group."""
    if not are_quantities(confidential, synthetic):
        return number_levels([confidential, synthetic])
    values = stack([confidential, synthetic]).to_numpy(dtype=float, na_value=np.nan)
    known = values[: len(confidential)]
    known = known[~np.isnan(known)]
    inner = np.unique(np.quantile(known, np.arange(1, GROUPS) / GROUPS)) if len(known) else []
    return np.where(np.isnan(values), GROUPS, np.searchsorted(inner, values, side="right"))


def _table_pmse(codes, n):
    """PMSE and ratio of a table; the first n records are confidential, the others synthetic.

    A table with fewer cells than records is counted as it is; a larger one is numbered first.
    """
    sizes = [int(code.max()) + 1 for code in codes]
    small = prod(sizes) < len(codes[0])
    cell = np.ravel_multi_index(codes, sizes) if small else combine(codes)
    o, s = (np.bincount(part, minlength=cell.max() + 1) for part in (cell[:n], cell[n:]))
    o, s = o[o + s > 0], s[o + s > 0]
    c = s.sum() / len(cell)
    value = ((o + s) * (s / (o + s) - c) ** 2).sum() / len(cell)
    return value, over(value, null_of(len(o), n, len(cell) - n))
