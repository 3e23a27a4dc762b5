"""How many records lie under each combination of keys and target?

The tables d_tq and s_tq, what the caller leaves out of them, and every measure that is a function
of the two.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from synthrisk_edu.disclosure import checks
from synthrisk_edu.levels import combine

STEPS = ["target levels", "missing target", "missing keys", "key-target pairs", "limit"]


@dataclass
class Rules:
    """What the caller does not want to be counted as a disclosure."""

    missing_keys: object = True
    missing_target: bool = True
    drop_target: tuple = ()
    exclude: tuple = ()
    denom_limit: int | None = None

    def removed(self, cells, keys, target):
        """Say for each step which cells it removes, in both tables alike."""
        t = cells.variables[target]
        dropped = [_level(target, t, one) for one in checks.level_list(self.drop_target)]
        of_target = cells.code[target]
        yield np.isin(of_target, dropped)
        checks.flag("missing_target", self.missing_target)
        yield cells.is_missing(target) if not self.missing_target else cells.none
        without = checks.keys_without_missing(self.missing_keys, keys)
        yield np.logical_or.reduce([cells.none, *(cells.is_missing(key) for key in without)])
        pairs = cells.none
        for key, key_level, target_level in checks.triples(self.exclude, keys):
            same_key = cells.code[key] == _level(key, cells.variables[key], key_level)
            pairs = pairs | (same_key & (of_target == _level(target, t, target_level)))
        yield pairs


def _level(name, variable, wanted):
    """The code of a level; a missing value, however it is written, is the level "Missing"."""
    if variable.has_missing and pd.api.types.is_scalar(wanted) and pd.isna(wanted):
        return len(variable.levels) - 1
    return checks.level(name, variable.levels, wanted)


class Cells:
    """The cells (q, t) of all data sets together: what they are, and how many records each has."""

    def __init__(self, coded, keys, target):
        """Count every data set into the cells that any of them has."""
        q = coded.q if coded.q is not None else combine(coded.variables[k].codes for k in keys)
        self.of_record = combine([q, coded.variables[target].codes])
        self.variables = coded.variables
        n = int(self.of_record.max()) + 1
        example = np.empty(n, dtype=np.int64)  # a record that lies in each cell
        example[self.of_record] = np.arange(len(self.of_record))
        self.q = q[example]
        self.code = {name: coded.variables[name].codes[example] for name in [*keys, target]}
        self.counts = [
            np.bincount(
                self.of_record[coded.data_set == number],
                None if coded.weight is None else coded.weight[coded.data_set == number],
                minlength=n,
            )
            for number in range(int(coded.data_set.max()) + 1)
        ]
        self.none = np.zeros(n, dtype=bool)

    def is_missing(self, name):
        """Say for each cell whether a variable is missing in it."""
        variable = self.variables[name]
        return (self.code[name] == len(variable.levels) - 1) & variable.has_missing

    def by_q(self, counts):
        """Sum counts over the target, and return the sum for each cell."""
        return np.bincount(self.q, counts)[self.q]


class Pair:
    """The original and one synthetic table.

    all_d, all_s are the counts before anything is left out, d and s those after. Whether a cell is
    found or disclosive is settled before; how many records it stands for, after.
    """

    def __init__(self, cells, d, s, removed, limit):
        """Settle what is found and disclosive, then leave out what does not count."""
        self.cells, self.all_d, self.all_s = cells, d, s
        self.n_d, self.n_s = d.sum(), s.sum()
        d_q, s_q = cells.by_q(d), cells.by_q(s)
        self.found = s_q > 0
        self.disclosive_d = (d > 0) & (d == d_q)
        self.disclosive_s = (s > 0) & (s == s_q)
        self.some_disclosive = cells.by_q(self.disclosive_s) > 0
        self.steps = []
        for gone in removed:
            self.steps.append((d[gone].sum(), s[gone].sum()))
            d, s = np.where(gone, 0, d), np.where(gone, 0, s)
        above = (np.inf, np.inf) if limit is None else (limit, limit)
        self.steps.append((d[d > above[0]].sum(), s[s > above[1]].sum()))
        self.d, self.s = np.where(d > above[0], 0, d), np.where(s > above[1], 0, s)
        self.d_q, self.s_q = cells.by_q(self.d), cells.by_q(self.s)

    def exclusions(self):
        """How many records of both tables each step removed."""
        for step, (d, s) in zip(STEPS, self.steps, strict=True):
            yield {"step": step, "original": int(d), "synthetic": int(s)}

    def identity(self):
        """UiO, UiS, UiOiS and repU; a unique q has exactly one cell with a record in it."""
        unique_d, unique_s = (self.d == 1) & (self.d_q == 1), (self.s == 1) & (self.s_q == 1)
        replicated = unique_d & (self.s_q == 1)
        return {
            "UiO": 100 * unique_d.sum() / self.n_d,
            "UiS": 100 * unique_s.sum() / self.n_s,
            "UiOiS": 100 * (unique_d & self.found).sum() / self.n_d,
            "repU": 100 * replicated.sum() / self.n_d,
        }

    def attribute(self):
        """The chain from iS to DiSDiO, its two ends, and the denominators."""
        disco = self.d[self.disclosive_s]
        used = disco[disco > 0]
        return {
            "Dorig": self._percent(self.disclosive_d),
            "Dsyn": 100 * self.s[self.disclosive_s].sum() / self.n_s,
            "iS": self._percent(self.found),
            "DiS": self._percent(self.some_disclosive),
            "DiSCO": self._percent(self.disclosive_s),
            "DiSDiO": self._percent(self.disclosive_s & self.disclosive_d),
            "max_denom": used.max() if len(used) else 0,
            "mean_denom": used.mean() if len(used) else np.nan,
        }

    def _percent(self, cells):
        """The original records in some cells, in per cent of all."""
        return 100 * self.d[cells].sum() / self.n_d

    def cap(self):
        """The correct attribution probabilities."""
        t = self.cells.code[list(self.cells.code)[-1]]
        shares = np.bincount(t, self.all_d) / self.n_d
        found_now = self.d[self.s_q > 0].sum()
        right = self.d[self.disclosive_s].sum()
        return {
            "baseCAPd": 100 * (shares**2).sum(),
            "CAPd": 100 * (self.d * _ratio(self.d, self.d_q)).sum() / self.n_d,
            "CAPs": 100 * (self.s * _ratio(self.s, self.s_q)).sum() / self.n_s,
            "DCAP": 100 * (self.d * _ratio(self.s, self.s_q)).sum() / self.n_d,
            "TCAP": 100 * right / found_now if found_now else np.nan,
        }


def _ratio(part, whole):
    """Part of the whole; 0 where there is nothing."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
