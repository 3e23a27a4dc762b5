"""How many records lie under each combination of keys and target?

The tables d_tq and s_tq, and what the caller leaves out of them. What is made of the two stands in
`measures`.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from synthrisk_edu.disclosure import checks
from synthrisk_edu.levels import combine


@dataclass
class Rules:
    """The options of `disclosure`: above all, what the caller does not call a disclosure.

    groups: variable → number of groups of equal size for a numeric key or target.
    special: variable → codes that stay levels of their own when it is grouped, such as −8.
    missing_keys: whether missing is a level of the keys; a bool, or key → bool.
    missing_target: whether missing is a level of the target.
    drop_target: levels of the target that nobody would call a disclosure.
    exclude: triples (key, key level, target level) that nobody would call one.
    denom_limit: count only cells with at most so many records.
    one_way: flag a target level with more than this many DiSCO records and this share in %.
    two_way: flag a (key level, target level) in DiSCO cells of more than this many records when
        more than this share in % of all records with the key level have the target level.
    """

    groups: dict | None = None
    special: dict | None = None
    missing_keys: object = True
    missing_target: bool = True
    drop_target: tuple = ()
    exclude: tuple = ()
    denom_limit: int | None = None
    one_way: tuple = (50, 90)
    two_way: tuple = (4, 80)

    def removed(self, cells):
        """Say for each step which cells it removes, in both tables alike."""
        keys, target, t = cells.keys, cells.target, cells.variables[cells.target]
        target_code = cells.code[target]
        what = f"levels, such as [{checks.show(self.drop_target)}]"
        dropped = checks.listed("drop_target", self.drop_target, what)
        yield np.isin(target_code, [_level(target, t, one) for one in dropped])
        checks.flag("missing_target", self.missing_target)
        yield cells.is_missing(target) if not self.missing_target else cells.none
        without = checks.keys_without_missing(self.missing_keys, keys)
        yield np.logical_or.reduce([cells.none, *(cells.is_missing(key) for key in without)])
        pairs = cells.none
        for key, key_level, target_level in checks.triples(self.exclude, keys):
            same_key = cells.code[key] == _level(key, cells.variables[key], key_level)
            pairs = pairs | (same_key & (target_code == _level(target, t, target_level)))
        yield pairs


def _level(name, variable, wanted):
    """The code of a level; a missing value, however it is written, is the level "Missing"."""
    if variable.has_missing and pd.api.types.is_scalar(wanted) and pd.isna(wanted):
        return len(variable.levels) - 1
    return checks.level(name, variable.levels, wanted)


class Cells:
    """The cells (q, t) of all data sets together: what they are, and how many records each has."""

    def __init__(self, data_sets, counts, variables, q, target):
        """Count every data set into the cells that any of them has.

        `q` is the combination of the keys of each record; `variables` are the keys and the target.
        """
        self.keys, self.target, self.variables = [*variables][:-1], target, variables
        self.cell_of_record = combine([q, variables[target].codes])
        n = int(self.cell_of_record.max()) + 1
        example = np.empty(n, dtype=np.int64)  # a record that lies in each cell
        example[self.cell_of_record] = np.arange(len(self.cell_of_record))
        self.q = q[example]
        self.code = {name: variable.codes[example] for name, variable in variables.items()}
        ends = np.cumsum([len(data) for data in data_sets])[:-1]
        self.counts = [
            np.bincount(cells, None if counts is None else counts[k], minlength=n)
            for k, cells in enumerate(np.split(self.cell_of_record, ends))
        ]
        self.none = np.zeros(n, dtype=bool)

    def is_missing(self, name):
        """Say for each cell whether a variable is missing in it."""
        variable = self.variables[name]
        return (self.code[name] == len(variable.levels) - 1) & variable.has_missing

    def by_q(self, counts):
        """Sum counts over the target, and return the sum for each cell."""
        return np.bincount(self.q, counts)[self.q]
