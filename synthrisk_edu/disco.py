"""What do the keys give away? Identity and attribute disclosure, and DiSCO.

An intruder knows some **keys** of a person (sex, age, region, …) and looks the person up in fully
synthetic data, believing it to be real, to learn the **target** (say, the marital status). With q a
combination of the keys, t a level of the target, d_tq and s_tq the counts in the original and the
synthetic data, and d_q, s_q their sums over t, the chain for an original record is

    found?                  s_q > 0                    iS
    all the same answer?    some t has s_tq = s_q      DiS
    is it right?            … and it is the record's   DiSCO
    and truly known?        … and d_tq = d_q too       DiSDiO

each as a percentage of the N_d original records. `chain`, `measures` and `cap` are the definitions;
files are counted into a `CountTable` first. (After Raab, Nowok & Dibben 2024; the definitions are
those that synthpop computes.)
"""

from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.data import plain_names
from synthrisk_edu.words import counted, listing, say

MISSING = "Missing"
MOST_GROUPS = 10_000
IDENTITY = ["UiO", "UiS", "UiOiS", "repU"]
ATTRIBUTE = ["Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DiSDiO", "max_denom", "mean_denom"]
IN_SHORT = ["UiO", "repU", "Dorig", "DiSCO"]
ONE_WAY = ["level", "all", "pct_all", "disclosive", "n_level", "pct_level"]
TWO_WAY = ["target_level", "key", "key_level", "pairs", "key_target_total", "key_total", "pct"]

# ---------------------------------------------------------------------------- the definitions
# The table of counts comes as arrays with an entry for each cell (q, t): q, d = d_tq and s = s_tq.


def chain(q, d, s):
    """Say of each cell (q, t) what an intruder finds who looks its keys up."""
    d_q, s_q = sum_by(q, d), sum_by(q, s)
    found = s_q > 0  # somebody is there
    correct = (s > 0) & (s == s_q)  # everybody there says t, which is true for this cell's records
    disclosive = sum_by(q, correct) > 0  # everybody there says the same, be it t or not
    known = (d > 0) & (d == d_q)  # the original says it too
    return found, disclosive, correct, known


def measures(q, d, s, left_out=False, limit=np.inf):
    """Return identity and attribute disclosure in per cent of all records.

    Whether an answer is found and disclosive is settled before anything is left out.

    >>> found = measures(np.array([30, 40, 50]), np.array([2, 1, 1]), np.array([2, 1, 0]))
    >>> float(found["iS"]), float(found["DiSCO"]), float(found["UiO"])
    (75.0, 75.0, 50.0)
    """
    N_d, N_s = d.sum(), s.sum()
    found, disclosive, correct, known = chain(q, d, s)
    d, s = without(d, left_out, limit), without(s, left_out, limit)
    d_q, s_q = sum_by(q, d), sum_by(q, s)
    alone_d, alone_s = (d == 1) & (d_q == 1), (s == 1) & (s_q == 1)
    of_d = {"UiO": alone_d, "UiOiS": alone_d & found, "repU": alone_d & (s_q == 1)}
    of_d |= {"Dorig": known, "iS": found, "DiS": disclosive}
    of_d |= {"DiSCO": correct, "DiSDiO": correct & known}
    of_s = {"UiS": alone_s, "Dsyn": correct}
    percent = {name: 100 * d[which].sum() / N_d for name, which in of_d.items()}
    percent |= {name: 100 * s[which].sum() / N_s for name, which in of_s.items()}
    denominators = d[correct & (d > 0)]
    mean = denominators.mean() if len(denominators) else np.nan
    return percent | {"max_denom": denominators.max(initial=0), "mean_denom": mean}


def cap(q, t, d, s, left_out=False, limit=np.inf):
    """Return the correct attribution probabilities in per cent; t numbers the level of each cell.

    baseCAPd = Σ (d_t / N_d)²         CAPd = Σ d_tq² / d_q / N_d    CAPs = Σ s_tq² / s_q / N_s
    DCAP = Σ d_tq s_tq / s_q / N_d    TCAP = records of DiSCO / Σ d_q [s_q > 0]
    """
    N_d, N_s, d_t = d.sum(), s.sum(), np.bincount(t, d)
    _, _, correct, _ = chain(q, d, s)
    d, s = without(d, left_out, limit), without(s, left_out, limit)
    d_q, s_q = sum_by(q, d), sum_by(q, s)
    share_d, share_s = d / np.maximum(d_q, 1), s / np.maximum(s_q, 1)  # 0 where nobody is
    found = d[s_q > 0].sum()
    return {
        "baseCAPd": 100 * ((d_t / N_d) ** 2).sum(),
        "CAPd": 100 * (d * share_d).sum() / N_d,
        "CAPs": 100 * (s * share_s).sum() / N_s,
        "DCAP": 100 * (d * share_s).sum() / N_d,
        "TCAP": 100 * d[correct].sum() / found if found else np.nan,
    }


def sum_by(q, counts):
    """Sum counts over the cells with the same q, and return the sum for each cell.

    >>> sum_by(np.array([0, 0, 1]), np.array([2, 1, 4]))
    array([3., 3., 4.])
    """
    return np.bincount(q, counts)[q]


def without(counts, left_out, limit):
    """Return the counts with 0 in cells that are left out or have more records than the limit."""
    return np.where(left_out | (counts > limit), 0, counts)


def one_way_flags(table, disco, most, share):
    """Yield the level of the target that makes up nearly all of DiSCO, if there is one.

    It has more than `most` records of DiSCO, and more than `share` % of them. `disco` says how many
    of them lie in each cell.
    """
    t = table.place(table.target)
    by_level, everybody = np.bincount(t, disco), np.bincount(t, table.d)
    level, total, n = by_level.argmax(), disco.sum(), everybody.sum()
    if by_level[level] > most and by_level[level] > share / 100 * total:
        pct_all, pct_level = 100 * everybody[level] / n, 100 * by_level[level] / total
        yield table.levels[table.target][level], n, pct_all, total, by_level[level], pct_level


def two_way_flags(table, disco, most, share):
    """Yield the pairs of a key level and a target level that nobody needs the data for.

    More than `share` % of the records with the key level have the target level, and the pair
    occurs in DiSCO cells of more than `most` records.
    """
    t, large = table.place(table.target), np.where(disco > most, disco, 0)
    for key in table.keys:
        k = table.place(key)
        pair = cells.combine([k, t], len(t))
        pairs, total, key_total = sum_by(pair, large), sum_by(pair, table.d), sum_by(k, table.d)
        pct = 100 * total / np.maximum(key_total, 1)
        flagged = np.flatnonzero((pairs > 0) & (pct > share))
        in_order = k[flagged] * len(table.levels[table.target]) + t[flagged]
        for cell in flagged[np.unique(in_order, return_index=True)[1]]:
            names = table.level(table.target, cell), key, table.level(key, cell)
            yield *names, pairs[cell], total[cell], key_total[cell], pct[cell]


# --------------------------------------------------------------- from files to a table of counts


class CountTable:
    """The counts d_tq and s_tq: a row for each cell (q, t) that any of the files has."""

    def __init__(self, variables, q, file, weight):
        """Count the records of all files.

        `variables` has codes and levels of the keys and, last, of the target (see `code`). For each
        record `q` numbers the combination of its keys, `file` says where it is, and `weight` how
        often.
        """
        *self.keys, self.target = variables
        codes, _ = variables[self.target]
        self.cell_of_record = cells.combine([q, codes + 1], len(q))
        shape = int(file[-1]) + 1, int(self.cell_of_record.max()) + 1
        counts = np.bincount(file * shape[1] + self.cell_of_record, weight, np.prod(shape))
        self.d, *self.each_s = counts.reshape(shape).astype(np.int64)
        example = np.empty(shape[1], dtype=np.int64)  # a record that lies in each cell
        example[self.cell_of_record] = np.arange(len(q))
        self.q = q[example]
        self.codes = {name: codes[example] for name, (codes, _) in variables.items()}
        self.levels = {name: levels for name, (_, levels) in variables.items()}

    def level(self, name, cell):
        """Return the level that a variable has in a cell."""
        return self.levels[name][self.codes[name][cell]]

    def place(self, name):
        """Return the place of each cell's level among the levels: missing, −1, is the last."""
        return self.codes[name] % len(self.levels[name])

    def has(self, name, level):
        """Say which cells have a level of a variable; missing may be written in any way."""
        level = MISSING if pd.api.types.is_scalar(level) and pd.isna(level) else level
        return self.place(name) == checks.level(name, self.levels[name], level)


def code(column, weight=None, k=None, special=()):
    """Number the levels of a variable: a code for each record, and the levels.

    With k, numbers are put into k groups of equal size first; missing and special codes stay what
    they are. Missing has the code −1, which picks the last of the levels.

    >>> column = pd.Series([5, 6, 7, 8, None, -8], name="age")
    >>> codes, levels = code(column, k=2, special=[-8])
    >>> codes.tolist(), levels
    ([0, 0, 1, 1, -1, 2], ['[5, 6.5)', '[6.5, 8]', -8.0, 'Missing'])
    """
    if k is not None:
        checks.number(f"groups[{column.name!r}]", k, 2, MOST_GROUPS, whole=True)
        checks.numeric("the files", column.to_frame(), [column.name])
        special = checks.numbers(f"special[{column.name!r}]", special)
        values = cells.as_floats(column)
        quantity = ~np.isnan(values) & ~np.isin(values, special)
        breaks = cells.quantile_breaks(np.where(quantity, values, np.nan), k, weight)
        if len(breaks):
            labels = np.array(cells.group_labels(breaks), dtype=object)
            groups = labels[cells.quantile_groups(values, breaks)]
            column = column.astype(object).mask(quantity, groups)
    codes, levels = pd.factorize(column)
    return codes, [*levels, MISSING] if (codes < 0).any() else [*levels]


def not_counted(table, missing_keys, missing_target, drop_target, exclude):
    """Say which cells nobody would call a disclosure: a mapping from the reason to the cells."""
    codes, target = table.codes, table.target
    reasons = {
        "target levels": [table.has(target, level) for level in drop_target],
        "missing target": [] if missing_target else [codes[target] < 0],
        "missing keys": [codes[key] < 0 for key, counts in missing_keys.items() if not counts],
        "key-target pairs": [table.has(key, k) & table.has(target, t) for key, k, t in exclude],
    }
    nobody = np.zeros(len(table.q), dtype=bool)
    return {reason: np.logical_or.reduce([nobody, *which]) for reason, which in reasons.items()}


# ------------------------------------------------------------------------------ what one can ask


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
    wants to learn. Returns a `Disclosure`.

    Options:
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
    options = {"groups": groups, "special": special, "denom_limit": denom_limit}
    options |= {"missing_keys": missing_keys, "missing_target": missing_target}
    options |= {"drop_target": drop_target, "exclude": exclude}
    options |= {"one_way": one_way, "two_way": two_way}
    return next(_each_target(_files(original, synthetic), keys, [target], options))


OPTIONS = disclosure.__kwdefaults__  # their names, and what is taken by itself


def disclosure_from_counts(original_counts, synthetic_counts, keys, target, **options):
    """Do the same from frames with the keys, the target and a column `count`.

    For files that do not fit into memory: let a database count, with one GROUP BY over the keys
    and the target for each data set. Takes the options of `disclosure`.
    """
    files = _files(original_counts, synthetic_counts, "_counts")
    weight = np.concatenate([checks.counts(label, data) for label, data in files.items()])
    return next(_each_target(files, keys, [target], options, weight))


def multi_disclosure(original, synthetic, keys, targets=None, **options):
    """Measure many targets at once: one row per target, highest DiSCO first.

    Percentages are means over the syntheses; a target is flagged when any synthesis is. By default
    every variable that all data sets share and that is not a key is a target. Takes the options of
    `disclosure`; `missing_target`, `drop_target` and `exclude` may be mappings by target.
    """
    files, keys = _files(original, synthetic), checks.names("keys", keys)
    if targets is None:
        shared = checks.shared_columns("targets", None, files)
        targets = [name for name in shared if name not in keys]
    targets = checks.names("targets", targets, "variable that is not a key")
    table = pd.DataFrame([one.in_short() for one in _each_target(files, keys, targets, options)])
    table.attrs = original.attrs  # so that a picture can name the targets
    return table.sort_values("DiSCO", ascending=False, kind="stable", ignore_index=True)


def remove_replicated_uniques(synthetic, original, keys):
    """Drop the synthetic records whose keys are unique in the original and in the synthetic data.

    >>> original = pd.DataFrame({"age": [30, 40, 40]})
    >>> remove_replicated_uniques(pd.DataFrame({"age": [30, 40, 50]}), original, ["age"])
       age
    1   40
    2   50
    """
    keys = checks.names("keys", keys, "variable the intruder knows")
    checks.same_kind({"original": original, "synthetic": synthetic}, keys)
    (_, q), (d, s) = cells.count_cells([original, synthetic], keys)
    return synthetic[(d[q] != 1) | (s[q] != 1)]


def _files(original, synthetic, what=""):
    """Return the original and all synthetic frames, by what the caller calls each."""
    name, made = f"synthetic{what}", {f"synthetic{what}": synthetic}
    if not isinstance(synthetic, pd.DataFrame):
        made = {f"{name}[{j}]": one for j, one in enumerate(checks.frames(name, synthetic))}
    return {f"original{what}": original} | made


def _each_target(files, keys, targets, options, weight=None):
    """Yield a `Disclosure` for each target; keys are numbered once for all files and targets."""
    keys, options = checks.names("keys", keys, "variable the intruder knows"), _options(options)
    if isinstance(targets[0], list | tuple):
        raise TypeError("target must be one column name; use multi_disclosure for several.")
    checks.apart({"keys": keys, "target": targets})
    checks.same_kind(files, names := [*keys, *targets])
    if weight is not None:
        checks.apart({"the keys and the target": names, "the counts": ["count"]})
    groups, special = (
        checks.mapping(option, options[option], names, "a key or a target")
        for option in ("groups", "special")
    )

    def coded(name):
        column = pd.concat([file[name] for file in files.values()], ignore_index=True)
        return code(column, weight, groups.get(name), special.get(name, ()))

    original, *_ = files.values()
    file = np.repeat(np.arange(len(files)), [len(one) for one in files.values()])
    of_keys = {key: coded(key) for key in keys}
    q = cells.combine([codes + 1 for codes, _ in of_keys.values()], len(file))
    for target in targets:
        table = CountTable(of_keys | {target: coded(target)}, q, file, weight)
        yield Disclosure(table, original, **_of_target(options, keys, target, targets))


def _options(given):
    """Return all options of `disclosure`, with those that were given."""
    for name in given:
        if name not in OPTIONS:
            raise TypeError(f"there is no option {name!r}; the options are {', '.join(OPTIONS)}.")
    given = {name: list(one) if isinstance(one, Iterator) else one for name, one in given.items()}
    return OPTIONS | given


def _of_target(options, keys, target, targets):
    """Return the options of one target, as `Disclosure` takes them; some may differ by target."""
    own = {name: one for name, one in options.items() if name not in ("groups", "special")}
    for name in ("missing_target", "drop_target", "exclude"):
        if isinstance(own[name], Mapping):
            each = checks.mapping(name, own[name], targets, "one of the targets")
            own[name] = each.get(target, OPTIONS[name])
    what = f"levels, such as [{checks.show(own['drop_target'])}]"
    own["drop_target"] = checks.listed("drop_target", own["drop_target"], what)
    own["exclude"] = checks.listed("exclude", own["exclude"], "triples")
    for one in own["exclude"]:
        if not isinstance(one, tuple | list) or len(one) != 3 or one[0] not in keys:
            raise ValueError(
                f"exclude holds {checks.show(one)}; write (one of the keys, its level, the level "
                "of the target)."
            )
    if not isinstance(own["missing_keys"], Mapping):
        own["missing_keys"] = dict.fromkeys(keys, own["missing_keys"])
    checks.mapping("missing_keys", own["missing_keys"], keys, "a key")
    for one in (own["missing_target"], *own["missing_keys"].values()):
        checks.one_of("missing_target and missing_keys", one, (True, False))
    return own


class Disclosure:
    """What the keys give away; see `disclosure`.

    `.identity`, `.attribute` and `.cap` have a row for each synthesis; `.one_way`, `.two_way` and
    `.exclusions` say what was flagged and left out; `.records(l)` goes through the records.

    >>> original = pd.DataFrame({"age": [30, 30, 40, 50], "job": list("aabc")})
    >>> synthetic = pd.DataFrame({"age": [30, 30, 40, 60], "job": list("aacb")})
    >>> disclosure(original, synthetic, ["age"], "job").attribute.loc[1, ["iS", "DiS", "DiSCO"]]
    iS       75.0
    DiS      75.0
    DiSCO    50.0
    Name: 1, dtype: float64
    """

    def __init__(self, table, original, *, denom_limit, one_way, two_way, **left_out):
        """Leave out what does not count; use `disclosure` to get here."""
        self.keys, self.target, self._table = table.keys, table.target, table
        self._original, self.attrs = original.copy(deep=False), original.attrs
        self._not_counted = not_counted(table, **left_out)
        self._left_out = np.logical_or.reduce([*self._not_counted.values()])
        self._limit = np.inf
        if denom_limit is not None:
            self._limit = checks.number("denom_limit", denom_limit, 1, whole=True)
        what = "two numbers, (records, per cent)"
        self._one_way_limits = checks.listed("one_way", one_way, what)
        self._two_way_limits = checks.listed("two_way", two_way, what)

    # Each table is made when somebody asks for it, once.

    @cached_property
    def _measures(self):
        table, how = self._table, (self._left_out, self._limit)
        return _numbered([measures(table.q, table.d, s, *how) for s in table.each_s])

    @property
    def identity(self):
        """UiO, UiS, UiOiS and repU."""
        return self._measures[IDENTITY]

    @property
    def attribute(self):
        """The chain from iS to DiSDiO, its two ends, and the denominators."""
        return self._measures[ATTRIBUTE]

    @cached_property
    def cap(self):
        """The correct attribution probabilities."""
        table, how = self._table, (self._left_out, self._limit)
        t = table.place(self.target)
        return _numbered([cap(table.q, t, table.d, s, *how) for s in table.each_s])

    @cached_property
    def exclusions(self):
        """How many records of both data sets each rule left out."""
        d, rows = self._table.d, []
        for synthesis, s in enumerate(self._table.each_s, start=1):
            gone = np.zeros(len(d), dtype=bool)
            for step, which in self._not_counted.items():
                rows.append((synthesis, step, *(n[which & ~gone].sum() for n in (d, s))))
                gone |= which
            above = (n[~gone & (n > self._limit)].sum() for n in (d, s))
            rows.append((synthesis, "limit", *above))
        return pd.DataFrame(rows, columns=["synthesis", "step", "original", "synthetic"])

    @cached_property
    def one_way(self):
        """The level of the target that makes up nearly all of DiSCO, where there is one."""
        return self._flags(one_way_flags, self._one_way_limits, ONE_WAY)

    @cached_property
    def two_way(self):
        """The pairs of a key level and a target level that nobody needs the data for."""
        return self._flags(two_way_flags, self._two_way_limits, TWO_WAY)

    def _flags(self, flags, limits, columns):
        """Put the flags of all syntheses below each other."""
        table, d, rows = self._table, without(self._table.d, self._left_out, self._limit), []
        for synthesis, s in enumerate(table.each_s, start=1):
            _, _, correct, _ = chain(table.q, table.d, s)
            rows += [(synthesis, *row) for row in flags(table, d * correct, *limits)]
        return pd.DataFrame(rows, columns=["synthesis", *columns])

    def _synthetic_counts(self, number):
        each = self._table.each_s
        return each[checks.position("l", number, len(each), "synthetic data set")]

    def _cell(self, i):
        return self._table.cell_of_record[checks.position("i", i, len(self._original))]

    def records(self, l=0):  # noqa: E741
        """Say for each original record whether it was found, disclosive, and correct.

        l is the 0-based number of the synthesis. A record that the rules leave out is `excluded`.
        """
        table, here = self._table, self._table.cell_of_record[: len(self._original)]
        found, disclosive, correct, _ = chain(table.q, table.d, self._synthetic_counts(l))
        excluded = (table.d > 0) & (without(table.d, self._left_out, self._limit) == 0)
        flags = {"found": found, "disclosive": disclosive, "correct": correct, "excluded": excluded}
        flags = {name: which[here] for name, which in flags.items()}
        return pd.DataFrame(flags, index=self._original.index)

    def look_up(self, i, l=0):  # noqa: E741
        """Return the answers found under the keys of original record i, with their counts.

        One row per level of the target; columns `original` and `synthetic`.
        """
        table, cell, s = self._table, self._cell(i), self._synthetic_counts(l)
        here = np.flatnonzero((table.q == table.q[cell]) & (table.d + s > 0))
        answers = pd.Index([table.level(self.target, one) for one in here], name=self.target)
        return pd.DataFrame({"original": table.d[here], "synthetic": s[here]}, index=answers)

    def truth(self, i):
        """Return the target's true level for original record i."""
        return self._table.level(self.target, self._cell(i))

    def chain(self, i, l=0):  # noqa: E741
        """Answer the four questions about original record i; None once one does not arise.

        Found? All the same answer? Is it right? And told by the original too?
        """
        of_cells = chain(self._table.q, self._table.d, self._synthetic_counts(l))
        links = [bool(link[self._cell(i)]) for link in of_cells]
        asked = links.index(False) + 1 if False in links else len(links)
        return links[:asked] + [None] * (len(links) - asked)

    def explain(self, i, l=0):  # noqa: E741
        """Tell in plain words what an intruder learns who looks original record i up."""
        (found, single, right, known), answers = self.chain(i, l), self.look_up(i, l).synthetic
        plain = plain_names([*self.keys, self.target], self)
        target, own = plain.pop(self.target), self._cell(i)
        keys = listing(f"{plain[key]} = {say(self._table.level(key, own))}" for key in self.keys)
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
        flags = {"one_way": len(self.one_way) > 0, "two_way": len(self.two_way) > 0}
        return {"target": self.target} | self._measures[IN_SHORT].mean().to_dict() | flags

    def __repr__(self):
        """Show the chain in one line."""
        mean = self.attribute.mean()
        return (
            f"<Disclosure of {self.target} from {', '.join(map(str, self.keys))}: Dorig "
            f"{mean.Dorig:.2f} %, iS {mean.iS:.2f} %, DiS {mean.DiS:.2f} %, "
            f"DiSCO {mean.DiSCO:.2f} %>"
        )


def _numbered(rows):
    """Make a table of a row for each synthesis, numbered from 1."""
    return pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1, name="synthesis"))
