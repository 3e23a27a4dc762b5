"""What do the keys give away? Identity and attribute disclosure, and DiSCO.

An intruder knows some **keys** of a person (sex, age, region, …) and looks the person up in fully
synthetic data, believing it to be real, to learn the **target** (say, the marital status). With q a
combination of the keys, t a level of the target, d_tq and s_tq the counts in the original and the
synthetic data, and d_q, s_q their sums over t, the chain for an original record is

    found?                  s_q > 0                    iS
    all the same answer?    some t has s_tq = s_q      DiS
    is it right?            … and it is the record's   DiSCO
    and truly known?        … and d_tq = d_q too       DiSDiO

each as a percentage of the N_d original records. `cells` counts, `measures` holds every formula.
(After Raab, Nowok & Dibben 2024; the definitions are those that synthpop computes.)
"""

from dataclasses import fields
from functools import cached_property

import numpy as np
import pandas as pd

from synthrisk_edu.data import plain_names
from synthrisk_edu.disclosure import checks
from synthrisk_edu.disclosure.cells import Cells, Rules
from synthrisk_edu.disclosure.measures import ONE_WAY, TWO_WAY, Pair
from synthrisk_edu.levels import code, combine, count_combinations
from synthrisk_edu.words import counted, listing, say

OPTIONS = [field.name for field in fields(Rules)]


def disclosure(
    original,
    synthetic,
    keys,
    target,
    *,
    groups=None,
    special=None,
    missing_keys=True,
    missing_target=True,
    drop_target=(),
    exclude=(),
    denom_limit=None,
    one_way=(50, 90),
    two_way=(4, 80),
):
    """Measure what synthetic data disclose about a target from the keys.

    `original` is the true data, `synthetic` one synthetic frame or a list of them, whose rows need
    not correspond. `keys` names the variables the intruder knows, `target` the one the intruder
    wants to learn. The options say above all what nobody would call a disclosure: see `Rules`.

    Returns a `Disclosure`: `.identity`, `.attribute`, `.cap`, `.one_way`, `.two_way` and
    `.exclusions` (a row per synthesis each), and `.records(l)`.

    >>> original = pd.DataFrame({"age": [30, 30, 40, 50], "job": list("aabc")})
    >>> synthetic = pd.DataFrame({"age": [30, 30, 40, 60], "job": list("aacb")})
    >>> disclosure(original, synthetic, ["age"], "job").attribute.loc[1, ["iS", "DiS", "DiSCO"]]
    iS       75.0
    DiS      75.0
    DiSCO    50.0
    Name: 1, dtype: float64
    """
    missing = missing_keys, missing_target
    rules = Rules(groups, special, *missing, drop_target, exclude, denom_limit, one_way, two_way)
    return _disclosure(original, synthetic, keys, target, rules)


def disclosure_from_counts(original_counts, synthetic_counts, keys, target, **options):
    """Do the same from frames with the keys, the target and a column `count`.

    For files that do not fit into memory: let a database count, with one GROUP BY over the keys
    and the target for each data set. Takes the options of `disclosure`.
    """
    rules = Rules(**checks.options(options, OPTIONS))
    return _disclosure(original_counts, synthetic_counts, keys, target, rules, counted=True)


def _disclosure(original, synthetic, keys, target, rules, counted=False):
    files = checks.data_sets(original, synthetic, what="_counts" if counted else "")
    keys = checks.keys(files, keys)
    target = checks.target(files, keys, target)
    counts = checks.counts(files, [*keys, target]) if counted else None
    groups, special = checks.grouping(vars(rules), [*keys, target], "a key or the target")
    variables = code(files.values(), counts, [*keys, target], groups, special)
    q = combine(variables[key].codes for key in keys)
    return Disclosure(Cells(files.values(), counts, variables, q, target), rules, original)


def multi_disclosure(original, synthetic, keys, targets=None, **options):
    """Measure many targets at once: one row per target, highest DiSCO first.

    Percentages are means over the syntheses; a target is flagged when any synthesis is. By default
    every variable that all data sets share and that is not a key is a target. Takes the options of
    `disclosure`; `missing_target`, `drop_target` and `exclude` may be mappings by target.
    """
    options = checks.options(options, OPTIONS)
    files = checks.data_sets(original, synthetic)
    keys, data_sets = checks.keys(files, keys), files.values()
    targets = checks.targets(files, keys, targets)
    per_target = checks.per_target(options, targets)
    grouping = checks.grouping(options, [*keys, *targets], "a key or a target")
    of_keys, rows = code(data_sets, None, keys, *grouping), []
    q = combine(variable.codes for variable in of_keys.values())
    for target in targets:
        checks.target(files, keys, target)
        variables = of_keys | code(data_sets, None, [target], *grouping)
        rules = Rules(**(options | per_target[target]))
        cells = Cells(data_sets, None, variables, q, target)
        rows.append(Disclosure(cells, rules, original).in_short())
    table = pd.DataFrame(rows)
    table.attrs = original.attrs  # so that plots can name the targets
    return table.sort_values("DiSCO", ascending=False, kind="stable", ignore_index=True)


def remove_replicated_uniques(synthetic, original, keys):
    """Drop the synthetic records whose keys are unique in the original and in the synthetic data.

    >>> original = pd.DataFrame({"age": [30, 40, 40]})
    >>> remove_replicated_uniques(pd.DataFrame({"age": [30, 40, 50]}), original, ["age"])
       age
    1   40
    2   50
    """
    files = checks.data_sets(original, synthetic, single=True)
    keys = checks.keys(files, keys)
    (_, q), (d, s) = count_combinations(files.values(), keys)
    return synthetic[(d[q] != 1) | (s[q] != 1)]


IN_SHORT = ["UiO", "repU", "Dorig", "DiSCO"]


class Disclosure:
    """What the keys give away, a row for each synthesis; see `disclosure`."""

    def __init__(self, cells, rules, original):
        """Leave out what the rules say; use `disclosure` to get here."""
        self.keys, self.target, self._cells = cells.keys, cells.target, cells
        self._one_way_limits = checks.thresholds("one_way", rules.one_way)
        self._two_way_limits = checks.thresholds("two_way", rules.two_way)
        limit = rules.denom_limit
        limit = None if limit is None else checks.count("denom_limit", limit)
        self._index, self._n, self.attrs = original.index, len(original), original.attrs
        in_original, *synthetics = cells.counts
        removed = list(rules.removed(cells))
        self._pairs = [Pair(cells, in_original, one, removed, limit) for one in synthetics]

    # Each table is made when somebody asks for it, once.

    @cached_property
    def identity(self):
        """UiO, UiS, UiOiS and repU."""
        return self._measured([pair.identity() for pair in self._pairs])

    @cached_property
    def attribute(self):
        """The chain from iS to DiSDiO, its two ends, and the denominators."""
        return self._measured([pair.attribute() for pair in self._pairs])

    @cached_property
    def cap(self):
        """The correct attribution probabilities."""
        return self._measured([pair.cap() for pair in self._pairs])

    @cached_property
    def exclusions(self):
        """How many records of both data sets each rule left out."""
        return self._tidy([pair.exclusions() for pair in self._pairs])

    @cached_property
    def one_way(self):
        """The level of the target that makes up nearly all of DiSCO, where there is one."""
        return self._tidy([pair.one_way(*self._one_way_limits) for pair in self._pairs], ONE_WAY)

    @cached_property
    def two_way(self):
        """The pairs of a key level and a target level that nobody needs the data for."""
        return self._tidy([pair.two_way(*self._two_way_limits) for pair in self._pairs], TWO_WAY)

    def _measured(self, rows):
        """Number the rows of all syntheses from 1."""
        return pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1, name="synthesis"))

    def _tidy(self, tables, columns=None):
        """Put the rows of all syntheses below each other, numbered from 1."""
        rows = [{"synthesis": k} | row for k, table in enumerate(tables, start=1) for row in table]
        return pd.DataFrame(rows, columns=None if columns is None else ["synthesis", *columns])

    def _pair(self, l):  # noqa: E741
        return self._pairs[checks.position("l", l, len(self._pairs), "synthetic data set")]

    def records(self, l=0):  # noqa: E741
        """Say for each original record whether it was found, disclosive, and correct.

        l is the 0-based number of the synthesis. A record that the rules leave out is `excluded`.
        """
        pair = self._pair(l)
        cell = self._cells.cell_of_record[: self._n]
        table = {
            "found": pair.found[cell],
            "disclosive": pair.some_disclosive[cell],
            "correct": pair.disclosive_s[cell],
            "excluded": (pair.all_d > 0)[cell] & (pair.d == 0)[cell],
        }
        return pd.DataFrame(table, index=self._index)

    def look_up(self, i, l=0):  # noqa: E741
        """Return the answers found under the keys of original record i, with their counts.

        One row per level of the target; columns `original` and `synthetic`.
        """
        i = checks.position("i", i, self._n)
        synthetic = self._pair(l).all_s
        original, cell = self._cells.counts[0], self._cells.cell_of_record[i]
        here = np.flatnonzero((self._cells.q == self._cells.q[cell]) & (original + synthetic > 0))
        levels = self._cells.variables[self.target].levels
        names = [levels[code] for code in self._cells.code[self.target][here]]
        counts = {"original": original[here].astype(int), "synthetic": synthetic[here].astype(int)}
        return pd.DataFrame(counts, index=pd.Index(names, name=self.target))

    def truth(self, i):
        """Return the target's true level for original record i."""
        cell = self._cells.cell_of_record[checks.position("i", i, self._n)]
        return self._level(self.target, cell)

    def _level(self, name, cell):
        """Return the level that a variable has in a cell."""
        return self._cells.variables[name].levels[self._cells.code[name][cell]]

    def chain(self, i, l=0):  # noqa: E741
        """Answer the four questions about original record i; None once one does not arise.

        Found? All the same answer? Is it right? And told by the original too?
        """
        row = self.records(l).iloc[checks.position("i", i, self._n)]
        in_original = int((self.look_up(i, l).original > 0).sum())
        links = [bool(row.found), bool(row.disclosive), bool(row.correct), in_original == 1]
        asked = links.index(False) + 1 if False in links else len(links)
        return links[:asked] + [None] * (len(links) - asked)

    def explain(self, i, l=0):  # noqa: E741
        """Tell in plain words what an intruder learns who looks original record i up."""
        (found, single, right, known), answers = self.chain(i, l), self.look_up(i, l).synthetic
        cell = self._cells.cell_of_record[i]
        plain = plain_names([*self.keys, self.target], self)
        target = plain.pop(self.target)
        keys = listing(f"{plain[key]} = {say(self._level(key, cell))}" for key in self.keys)
        if not found:
            return f"Nobody in the synthetic data has {keys}: not found."
        n, levels = int(answers.sum()), [say(level) for level in answers.index[answers > 0]]
        start = f"{counted(n, 'synthetic record has', 'synthetic records have')} {keys}. "
        if not single:
            some = levels if len(levels) <= 7 else [*levels[:6], f"{len(levels) - 6:,} others"]
            return f"{start}The answers for {target} differ ({listing(some)}): not disclosive."
        start += f"{'All say' if n > 1 else 'It says'} {target} = {levels[0]}"
        if not right:
            return f"{start}, but the truth is {say(self.truth(i))}: wrong."
        same = "The original would have told the same."
        other = "In the original others with these keys answer otherwise."
        return f"{start}, and that is the truth: disclosed. {same if known else other}"

    def in_short(self):
        """The row of `multi_disclosure`: means over the syntheses, and the flags."""
        each = [pair.identity() | pair.attribute() for pair in self._pairs]
        means = {name: np.mean([one[name] for one in each]) for name in IN_SHORT}
        flags = {
            "one_way": any(list(pair.one_way(*self._one_way_limits)) for pair in self._pairs),
            "two_way": any(list(pair.two_way(*self._two_way_limits)) for pair in self._pairs),
        }
        return {"target": self.target} | means | flags

    def __repr__(self):
        """Show the chain in one line."""
        mean = self.attribute.mean()
        return (
            f"<Disclosure of {self.target} from {', '.join(map(str, self.keys))}: Dorig "
            f"{mean.Dorig:.2f} %, iS {mean.iS:.2f} %, DiS {mean.DiS:.2f} %, "
            f"DiSCO {mean.DiSCO:.2f} %>"
        )
