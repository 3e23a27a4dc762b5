"""Every measure of disclosure as its formula: identity, attribute, CAP, and the two checks.

d_tq and s_tq, their sums d_q and s_q over t, and the chain from "found?" to "truly known?" stand at
the top of `result`; N_d and N_s are the numbers of records, and each measure is a percentage of
them. To add a measure, write it as a method of `Pair` and name it in `Disclosure`.
"""

import numpy as np

STEPS = ["target levels", "missing target", "missing keys", "key-target pairs", "limit"]
ONE_WAY = ["level", "all", "pct_all", "disclosive", "n_level", "pct_level"]
TWO_WAY = ["target_level", "key", "key_level", "pairs", "key_target_total", "key_total", "pct"]


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
        t = self.cells.code[self.cells.target]
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

    def one_way(self, most, share):
        """The level of the target that makes up nearly all of DiSCO, if there is one.

        It stands for more than `most` DiSCO records and more than `share` % of them.
        """
        disco, t = self.d * self.disclosive_s, self.cells.code[self.cells.target]
        by_level, total = np.bincount(t, disco), disco.sum()
        level = int(by_level.argmax())
        n_level = by_level[level]
        if n_level > most and n_level > share / 100 * total:
            everyone = np.bincount(t, self.all_d)
            name = self.cells.variables[self.cells.target].levels[level]
            pct_all = 100 * everyone[level] / everyone.sum()
            values = (name, everyone.sum(), pct_all, total, n_level, 100 * n_level / total)
            yield dict(zip(ONE_WAY, values, strict=True))

    def two_way(self, most, share):
        """The pairs of a key level and a target level that nobody needs the data for.

        More than `share` % of the records with the key level have the target level, and the pair
        occurs in DiSCO cells of more than `most` records.
        """
        large = self.disclosive_s & (self.d > most)
        for key in self.cells.keys:
            yield from self._two_way_of(key, np.where(large, self.d, 0), share)

    def _two_way_of(self, key, in_large, share):
        """The same for one key; `in_large` counts the records in large DiSCO cells."""
        levels = self.cells.variables[key].levels
        target_levels = self.cells.variables[self.cells.target].levels
        key_code, t = self.cells.code[key], self.cells.code[self.cells.target]
        pair = key_code * len(target_levels) + t
        pairs = np.unique(pair[in_large > 0])  # all that could occur would fill the memory
        if len(pairs) == 0:
            return
        place = np.minimum(np.searchsorted(pairs, pair), len(pairs) - 1)
        same = pairs[place] == pair
        total = np.bincount(place[same], self.all_d[same], minlength=len(pairs))
        large = np.bincount(place[same], in_large[same], minlength=len(pairs))
        key_total = np.bincount(key_code, self.all_d)[pairs // len(target_levels)]
        pct = 100 * total / np.maximum(key_total, 1)
        for place in np.flatnonzero(pct > share):
            key_level, target_level = divmod(int(pairs[place]), len(target_levels))
            names = target_levels[target_level], key, levels[key_level]
            values = (*names, large[place], total[place], key_total[place], pct[place])
            yield dict(zip(TWO_WAY, values, strict=True))


def _ratio(part, whole):
    """Part of the whole; 0 where there is nothing."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
