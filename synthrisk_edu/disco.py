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

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.data import plain_names
from synthrisk_edu.words import counted, listing, say

MISSING = "Missing"
MOST_GROUPS = 10_000
MANY_ROWS = 100  # in a smaller file many values stand once by chance
IDENTITY = ["UiO", "UiS", "UiOiS", "repU"]
ATTRIBUTE = ["Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DiSDiO", "max_denom", "mean_denom"]
IN_SHORT = ["UiO", "repU", "Dorig", "DiSCO"]
ONE_WAY = ["level", "all", "pct_all", "disclosive", "n_level", "pct_level"]
TWO_WAY = ["target_level", "key", "key_level", "pairs", "key_target_total", "key_total", "pct"]

# ---------------------------------------------------------------------------- the definitions
# The table of counts comes as arrays with an entry for each cell (q, t): q, d = d_tq and s = s_tq.


def chain(q, d, s):
    """Say of each cell (q, t) what an intruder finds who looks its keys up."""
    d_q = sum_by(q, d)
    s_q = sum_by(q, s)
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
    N_d = d.sum()
    N_s = s.sum()
    found, disclosive, correct, known = chain(q, d, s)
    d = without(d, left_out, limit)
    s = without(s, left_out, limit)
    d_q = sum_by(q, d)
    s_q = sum_by(q, s)
    alone_in_d = (d == 1) & (d_q == 1)
    alone_in_s = (s == 1) & (s_q == 1)
    cells_of_d = {
        "UiO": alone_in_d,
        "UiOiS": alone_in_d & found,
        "repU": alone_in_d & (s_q == 1),
        "Dorig": known,
        "iS": found,
        "DiS": disclosive,
        "DiSCO": correct,
        "DiSDiO": correct & known,
    }
    cells_of_s = {"UiS": alone_in_s, "Dsyn": correct}
    percent = {name: 100 * d[which].sum() / N_d for name, which in cells_of_d.items()}
    percent |= {name: 100 * s[which].sum() / N_s for name, which in cells_of_s.items()}
    denominators = d[correct & (d > 0)]
    percent["max_denom"] = denominators.max(initial=0)
    percent["mean_denom"] = denominators.mean() if len(denominators) else np.nan
    return percent


def cap(q, t, d, s, left_out=False, limit=np.inf):
    """Return the correct attribution probabilities in per cent; t numbers the level of each cell.

    baseCAPd = Σ (d_t / N_d)²         CAPd = Σ d_tq² / d_q / N_d    CAPs = Σ s_tq² / s_q / N_s
    DCAP = Σ d_tq s_tq / s_q / N_d    TCAP = records of DiSCO / Σ d_q [s_q > 0]
    """
    N_d = d.sum()
    N_s = s.sum()
    d_t = np.bincount(t, d)
    _, _, correct, _ = chain(q, d, s)
    d = without(d, left_out, limit)
    s = without(s, left_out, limit)
    d_q = sum_by(q, d)
    s_q = sum_by(q, s)
    share_d = d / np.maximum(d_q, 1)  # 0 where nobody is
    share_s = s / np.maximum(s_q, 1)
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
    """Return the level of the target that makes up nearly all of DiSCO: a list of one row or none.

    It has more than `most` records of DiSCO, and more than `share` % of them. `disco` says how many
    of them lie in each cell.
    """
    t = table.place(table.target)
    disco_of_level = np.bincount(t, disco)
    all_of_level = np.bincount(t, table.d)
    level = disco_of_level.argmax()
    n_level = disco_of_level[level]
    total = disco.sum()
    if n_level <= most or n_level <= share / 100 * total:
        return []
    n = all_of_level.sum()
    name = table.levels[table.target][level]
    return [(name, n, 100 * all_of_level[level] / n, total, n_level, 100 * n_level / total)]


def two_way_flags(table, disco, most, share):
    """Return the pairs of a key level and a target level that nobody needs the data for.

    More than `share` % of the records with the key level have the target level, and the pair
    occurs in DiSCO cells of more than `most` records.
    """
    t = table.place(table.target)
    in_large_cells = np.where(disco > most, disco, 0)
    flags = []
    for key in table.keys:
        k = table.place(key)
        pair = cells.combine([k, t], len(t))
        pairs = sum_by(pair, in_large_cells)
        total = sum_by(pair, table.d)
        key_total = sum_by(k, table.d)
        pct = 100 * total / np.maximum(key_total, 1)
        flagged = np.flatnonzero((pairs > 0) & (pct > share))
        # One cell for each pair of levels, in the order of the levels.
        order = k[flagged] * len(table.levels[table.target]) + t[flagged]
        for cell in flagged[np.unique(order, return_index=True)[1]]:
            target_level = table.level(table.target, cell)
            key_level = table.level(key, cell)
            counts = pairs[cell], total[cell], key_total[cell]
            flags.append((target_level, key, key_level, *counts, pct[cell]))
    return flags


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
        target_codes, _ = variables[self.target]
        self.cell_of_record = cells.combine([q, target_codes + 1], len(q))
        n_files = int(file[-1]) + 1
        n_cells = int(self.cell_of_record.max()) + 1
        place = file * n_cells + self.cell_of_record
        counts = np.bincount(place, weight, n_files * n_cells)
        self.d, *self.each_s = counts.reshape(n_files, n_cells).astype(np.int64)
        example = np.empty(n_cells, dtype=np.int64)  # a record that lies in each cell
        example[self.cell_of_record] = np.arange(len(q))
        self.q = q[example]
        self.codes = {}
        self.levels = {}
        for name, (codes, levels) in variables.items():
            self.codes[name] = codes[example]
            self.levels[name] = levels

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
        column = grouped(column, weight, k, special)
    codes, levels = pd.factorize(column)
    levels = list(levels)
    if (codes < 0).any():
        levels.append(MISSING)
    return codes, levels


def grouped(column, weight, k, special):
    """Return a column with the name of its group in place of each number."""
    values = cells.as_floats(column)
    is_quantity = ~np.isnan(values) & ~np.isin(values, special)
    breaks = cells.quantile_breaks(np.where(is_quantity, values, np.nan), k, weight)
    if len(breaks) == 0:
        return column
    labels = np.array(cells.group_labels(breaks), dtype=object)
    names = labels[cells.quantile_groups(values, breaks)]
    return column.astype(object).mask(is_quantity, names)


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
    original: pd.DataFrame,
    synthetic: pd.DataFrame | Sequence[pd.DataFrame],
    keys: Sequence[str],
    target: str,
    *,
    groups: Mapping[str, int | None] | None = None,
    special: Mapping[str, Sequence[float]] | None = None,
    missing_keys: bool | Mapping[str, bool] = True,
    missing_target: bool = True,
    drop_target: Sequence = (),
    exclude: Sequence[tuple] = (),
    denom_limit: int | None = None,
    one_way: tuple[float, float] = (50, 90),
    two_way: tuple[float, float] = (4, 80),
) -> "Disclosure":
    """Measure what synthetic data disclose about a target from the keys.

    `original` is the true data, `synthetic` one synthetic frame or a list of them, whose rows need
    not correspond. `keys` names the variables the intruder knows, `target` the one the intruder
    wants to learn. Returns a `Disclosure`.

    Options:
        groups: variable → number of groups of equal size for a numeric key or target. A target
            with many different numbers must be named here; None takes its values as they are.
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
    if isinstance(target, list | tuple):
        raise TypeError("target must be one column name; use multi_disclosure for several.")
    files = Files(
        {"original": original} | _by_name("synthetic", synthetic),
        keys=keys,
        targets=[target],
        groups=groups,
        special=special,
    )
    return files.disclosure(
        target,
        missing_keys=missing_keys,
        missing_target=missing_target,
        drop_target=drop_target,
        exclude=exclude,
        denom_limit=denom_limit,
        one_way=one_way,
        two_way=two_way,
    )


def disclosure_from_counts(
    original_counts: pd.DataFrame,
    synthetic_counts: pd.DataFrame | Sequence[pd.DataFrame],
    keys: Sequence[str],
    target: str,
    *,
    groups: Mapping[str, int | None] | None = None,
    special: Mapping[str, Sequence[float]] | None = None,
    missing_keys: bool | Mapping[str, bool] = True,
    missing_target: bool = True,
    drop_target: Sequence = (),
    exclude: Sequence[tuple] = (),
    denom_limit: int | None = None,
    one_way: tuple[float, float] = (50, 90),
    two_way: tuple[float, float] = (4, 80),
) -> "Disclosure":
    """Do the same from frames with the keys, the target and a column `count`.

    For files that do not fit into memory: let a database count, with one GROUP BY over the keys
    and the target for each data set. Takes the options of `disclosure`.
    """
    frames = {"original_counts": original_counts}
    frames |= _by_name("synthetic_counts", synthetic_counts)
    weight = np.concatenate([checks.counts(label, data) for label, data in frames.items()])
    files = Files(
        frames, keys=keys, targets=[target], groups=groups, special=special, weight=weight
    )
    return files.disclosure(
        target,
        missing_keys=missing_keys,
        missing_target=missing_target,
        drop_target=drop_target,
        exclude=exclude,
        denom_limit=denom_limit,
        one_way=one_way,
        two_way=two_way,
    )


def multi_disclosure(
    original: pd.DataFrame,
    synthetic: pd.DataFrame | Sequence[pd.DataFrame],
    keys: Sequence[str],
    targets: Sequence[str] | None = None,
    *,
    groups: Mapping[str, int | None] | None = None,
    special: Mapping[str, Sequence[float]] | None = None,
    missing_keys: bool | Mapping[str, bool] = True,
    missing_target: bool | Mapping[str, bool] = True,
    drop_target: Sequence | Mapping[str, Sequence] = (),
    exclude: Sequence[tuple] | Mapping[str, Sequence[tuple]] = (),
    denom_limit: int | None = None,
    one_way: tuple[float, float] = (50, 90),
    two_way: tuple[float, float] = (4, 80),
) -> pd.DataFrame:
    """Measure many targets at once: one row per target, highest DiSCO first.

    Percentages are means over the syntheses; a target is flagged when any synthesis is. By default
    every variable that all data sets share and that is not a key is a target. Takes the options of
    `disclosure`; `missing_target`, `drop_target` and `exclude` may be mappings by target.
    """
    keys = checks.names("keys", keys, "variable the intruder knows")
    frames = {"original": original} | _by_name("synthetic", synthetic)
    if targets is None:
        targets = [name for name in _in_all(frames) if name not in keys]
    targets = checks.names("targets", targets, "variable that is not a key")
    files = Files(frames, keys=keys, targets=targets, groups=groups, special=special)
    if not isinstance(drop_target, Mapping):
        drop_target = checks.listed("drop_target", drop_target, "levels")
    if not isinstance(exclude, Mapping):
        exclude = checks.listed("exclude", exclude, "triples")
    rows = []
    for target in targets:
        of_target = files.disclosure(
            target,
            missing_keys=missing_keys,
            missing_target=_of_target("missing_target", missing_target, target, targets, True),
            drop_target=_of_target("drop_target", drop_target, target, targets, ()),
            exclude=_of_target("exclude", exclude, target, targets, ()),
            denom_limit=denom_limit,
            one_way=one_way,
            two_way=two_way,
        )
        rows.append(of_target.in_short())
    table = pd.DataFrame(rows)
    table.attrs = original.attrs  # so that a picture can name the targets
    return table.sort_values("DiSCO", ascending=False, kind="stable", ignore_index=True)


def remove_replicated_uniques(
    synthetic: pd.DataFrame, original: pd.DataFrame, keys: Sequence[str]
) -> pd.DataFrame:
    """Drop the synthetic records whose keys are unique in the original and in the synthetic data.

    >>> original = pd.DataFrame({"age": [30, 40, 40]})
    >>> remove_replicated_uniques(pd.DataFrame({"age": [30, 40, 50]}), original, ["age"])
       age
    1   40
    2   50
    """
    keys = checks.names("keys", keys, "variable the intruder knows")
    files = {"original": original, "synthetic": synthetic}
    kinds = checks.same_kind(files, keys)
    checks.spelt_alike(files, [name for name in keys if kinds.get(name) == "text"])
    (_, q), (d, s) = cells.count_cells([original, synthetic], keys)
    is_replicated = (d[q] == 1) & (s[q] == 1)
    return synthetic[~is_replicated]


# ----------------------------------------------------------------------------- behind the door


def _by_name(argument, synthetic):
    """Return one synthetic frame, or a list of them, by what the caller calls each."""
    if isinstance(synthetic, pd.DataFrame):
        return {argument: synthetic}
    return checks.by_place(argument, checks.frames(argument, synthetic))


def _in_all(frames):
    """Return the columns that all frames have, in the order of the first."""
    first, *others = [checks.frame(label, data).columns for label, data in frames.items()]
    shared = [name for name in first if all(name in other for other in others)]
    if not shared:
        raise ValueError(f"{' and '.join(frames)} have no column in common; rename them.")
    return shared


def _of_target(argument, option, target, targets, default):
    """Return what an option says about one target; it may be a mapping by target."""
    if not isinstance(option, Mapping):
        return option
    return checks.mapping(argument, option, targets, "one of the targets").get(target, default)


def _two_numbers(argument, value):
    """Return a pair of thresholds, (records, per cent)."""
    limits = checks.numbers(argument, value)
    if len(limits) != 2 or not (limits >= 0).all() or limits[1] > 100:
        raise ValueError(f"{argument} must be two numbers, (records, per cent), not {value!r}.")
    return limits


def _triples(exclude, keys):
    """Return a list of (key, key level, target level)."""
    triples = checks.listed("exclude", exclude, "triples")
    for triple in triples:
        if not isinstance(triple, tuple | list) or len(triple) != 3 or triple[0] not in keys:
            raise ValueError(
                f"exclude holds {checks.show(triple)}; write (one of the keys, its level, the "
                "level of the target)."
            )
    return triples


class Files:
    """The original and all synthetic files; their keys are numbered once for all targets."""

    def __init__(self, frames, *, keys, targets, groups, special, weight=None):
        """Check the files, and number the combinations of the keys.

        `weight` says how many records stand behind each row of all files.
        """
        self.frames = frames
        self.keys = checks.names("keys", keys, "variable the intruder knows")
        self.targets = targets
        self.weight = weight
        variables = self.keys + targets
        checks.apart({"keys": self.keys, "target": targets})
        if weight is not None:
            checks.apart({"the keys and the target": variables, "the counts": ["count"]})
        kinds = checks.same_kind(frames, variables)
        checks.spelt_alike(frames, [name for name in variables if kinds.get(name) == "text"])
        self.groups = checks.mapping("groups", groups, variables, "a key or a target")
        self.special = checks.mapping("special", special, variables, "a key or a target")
        for name, k in self.groups.items():
            if k is None:  # its values are taken as they are, and that is meant
                continue
            checks.number(f"groups[{name!r}]", k, 2, MOST_GROUPS, whole=True)
            checks.numbers(f"special[{name!r}]", self.special.get(name, ()))
            for label, data in frames.items():
                checks.quantities(label, data, [name])
        for target in targets:
            self._is_no_quantity(target)
        lengths = [len(data) for data in frames.values()]
        self.file = np.repeat(np.arange(len(lengths)), lengths)
        self.coded_keys = {key: self._code(key) for key in self.keys}
        codes = [codes + 1 for codes, _ in self.coded_keys.values()]
        self.q = cells.combine(codes, len(self.file))

    def _is_no_quantity(self, target):
        """A target is grouped if most of its numbers stand once: nobody could tell them exactly."""
        label, original = next(iter(self.frames.items()))
        if target in self.groups or not checks.is_numeric(original[target]):
            return
        times = original[target].value_counts()
        if self.weight is not None:
            weight = self.weight[: len(original)]
            times = pd.Series(weight).groupby(original[target].to_numpy()).sum()
        n = times.sum()
        if n > MANY_ROWS and (times == 1).sum() > n / 4:
            raise ValueError(
                f"the target {checks.show(target)} is a quantity: {(times == 1).sum():,} of its "
                f"{n:,.0f} values in {label} stand only once, and DiSCO would be near 0 whatever "
                f"was released; group it, groups={{{checks.show(target)}: 20}}, or say None there "
                "to take its values as they are."
            )

    def _code(self, name):
        """Number the levels of one variable over all files."""
        column = pd.concat([data[name] for data in self.frames.values()], ignore_index=True)
        special = self.special.get(name, ())
        return code(column, weight=self.weight, k=self.groups.get(name), special=special)

    def disclosure(
        self,
        target,
        *,
        missing_keys,
        missing_target,
        drop_target,
        exclude,
        denom_limit,
        one_way,
        two_way,
    ):
        """Count, leave out what does not count, and return a `Disclosure` of one target."""
        if not isinstance(missing_keys, Mapping):
            missing_keys = dict.fromkeys(self.keys, missing_keys)
        checks.mapping("missing_keys", missing_keys, self.keys, "a key")
        for choice in (missing_target, *missing_keys.values()):
            checks.one_of("missing_target and missing_keys", choice, (True, False))
        what = f"levels, such as [{checks.show(drop_target)}]"
        table = CountTable(
            self.coded_keys | {target: self._code(target)}, self.q, self.file, self.weight
        )
        limit = np.inf
        if denom_limit is not None:
            limit = checks.number("denom_limit", denom_limit, 1, whole=True)
        return Disclosure(
            table,
            next(iter(self.frames.values())),
            not_counted=not_counted(
                table,
                missing_keys=missing_keys,
                missing_target=missing_target,
                drop_target=checks.listed("drop_target", drop_target, what),
                exclude=_triples(exclude, self.keys),
            ),
            limit=limit,
            one_way=_two_numbers("one_way", one_way),
            two_way=_two_numbers("two_way", two_way),
        )


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

    def __init__(self, table, original, *, not_counted, limit, one_way, two_way):
        """Take the counts, and which of them do not count; use `disclosure` to get here."""
        self.keys = table.keys
        self.target = table.target
        self.attrs = original.attrs
        self._table = table
        self._index = original.index
        self._not_counted = not_counted
        self._left_out = np.logical_or.reduce(list(not_counted.values()))
        self._limit = limit
        self._one_way_limits = one_way
        self._two_way_limits = two_way

    # Each table is made when somebody asks for it, once.

    @cached_property
    def _measures(self):
        table = self._table
        rows = [measures(table.q, table.d, s, self._left_out, self._limit) for s in table.each_s]
        return _by_synthesis(rows)

    @property
    def identity(self) -> pd.DataFrame:
        """UiO, UiS, UiOiS and repU."""
        return self._measures[IDENTITY]

    @property
    def attribute(self) -> pd.DataFrame:
        """The chain from iS to DiSDiO, its two ends, and the denominators."""
        return self._measures[ATTRIBUTE]

    @cached_property
    def cap(self) -> pd.DataFrame:
        """The correct attribution probabilities."""
        table = self._table
        t = table.place(self.target)
        rows = [cap(table.q, t, table.d, s, self._left_out, self._limit) for s in table.each_s]
        return _by_synthesis(rows)

    @cached_property
    def plain_guess(self) -> pd.Series:
        """For how many per cent of the records the commonest synthetic answer is right.

        Who says it of everybody needs no key. Nothing is left out.
        """
        table = self._table
        t = table.place(self.target)
        truth = np.bincount(t, table.d)
        right = [100 * truth[np.bincount(t, s).argmax()] / truth.sum() for s in table.each_s]
        return pd.Series(right, index=self._measures.index, name="plain_guess")

    @cached_property
    def exclusions(self) -> pd.DataFrame:
        """How many records of both data sets each rule left out."""
        d = self._table.d
        rows = []
        for synthesis, s in enumerate(self._table.each_s, start=1):
            gone = np.zeros(len(d), dtype=bool)
            for step, which in self._not_counted.items():
                now = which & ~gone
                rows.append((synthesis, step, d[now].sum(), s[now].sum()))
                gone |= which
            above_d = d[~gone & (d > self._limit)].sum()
            above_s = s[~gone & (s > self._limit)].sum()
            rows.append((synthesis, "limit", above_d, above_s))
        return pd.DataFrame(rows, columns=["synthesis", "step", "original", "synthetic"])

    @cached_property
    def one_way(self) -> pd.DataFrame:
        """The level of the target that makes up nearly all of DiSCO, where there is one."""
        return self._flags(one_way_flags, self._one_way_limits, ONE_WAY)

    @cached_property
    def two_way(self) -> pd.DataFrame:
        """The pairs of a key level and a target level that nobody needs the data for."""
        return self._flags(two_way_flags, self._two_way_limits, TWO_WAY)

    def is_flagged(
        self, one_way: tuple[float, float], two_way: tuple[float, float]
    ) -> dict[str, bool]:
        """Say whether the target is flagged at other thresholds: what a slider calls.

        Nothing is counted or measured again.
        """
        one = self._flags(one_way_flags, _two_numbers("one_way", one_way), ONE_WAY)
        two = self._flags(two_way_flags, _two_numbers("two_way", two_way), TWO_WAY)
        return {"one_way": len(one) > 0, "two_way": len(two) > 0}

    def _flags(self, flags, limits, columns):
        """Put the flags of all syntheses below each other."""
        table = self._table
        most, share = limits
        d = without(table.d, self._left_out, self._limit)
        rows = []
        for synthesis, s in enumerate(table.each_s, start=1):
            _, _, correct, _ = chain(table.q, table.d, s)
            for row in flags(table, d * correct, most, share):
                rows.append((synthesis, *row))
        return pd.DataFrame(rows, columns=["synthesis", *columns])

    def _synthetic_counts(self, number):
        each = self._table.each_s
        return each[checks.position("l", number, len(each), "synthetic data set")]

    def _cell(self, i):
        return self._table.cell_of_record[checks.position("i", i, len(self._index))]

    def records(self, l: int = 0) -> pd.DataFrame:  # noqa: E741
        """Say for each original record whether it was found, disclosive, and correct.

        l is the 0-based number of the synthesis. A record that the rules leave out is `excluded`.
        """
        table = self._table
        cell = table.cell_of_record[: len(self._index)]
        found, disclosive, correct, _ = chain(table.q, table.d, self._synthetic_counts(l))
        excluded = (table.d > 0) & (without(table.d, self._left_out, self._limit) == 0)
        columns = {
            "found": found[cell],
            "disclosive": disclosive[cell],
            "correct": correct[cell],
            "excluded": excluded[cell],
        }
        return pd.DataFrame(columns, index=self._index)

    def look_up(self, i: int, l: int = 0) -> pd.DataFrame:  # noqa: E741
        """Return the answers found under the keys of original record i, with their counts.

        One row per level of the target; columns `original` and `synthetic`.
        """
        table = self._table
        s = self._synthetic_counts(l)
        same_keys = table.q == table.q[self._cell(i)]
        here = np.flatnonzero(same_keys & (table.d + s > 0))
        answers = pd.Index([table.level(self.target, cell) for cell in here], name=self.target)
        return pd.DataFrame({"original": table.d[here], "synthetic": s[here]}, index=answers)

    def same_keys(self, i: int) -> pd.Series:
        """Return the answers of all original records with the keys of record i, by position."""
        table = self._table
        cell = table.cell_of_record[: len(self._index)]
        places = np.flatnonzero(table.q[cell] == table.q[self._cell(i)])
        answers = [table.level(self.target, one) for one in cell[places]]
        return pd.Series(answers, index=places, name=self.target, dtype=object)

    def truth(self, i: int) -> object:
        """Return the target's true level for original record i."""
        return self._table.level(self.target, self._cell(i))

    def links(self, i: int, l: int = 0) -> list[bool | None]:  # noqa: E741
        """Answer the four questions about original record i; None once one does not arise.

        Found? All the same answer? Is it right? And told by the original too?
        """
        table = self._table
        cell = self._cell(i)
        answers = []
        for link in chain(table.q, table.d, self._synthetic_counts(l)):
            settled = len(answers) > 0 and answers[-1] is not True  # a no ends the chain
            answers.append(None if settled else bool(link[cell]))
        return answers

    def explain(self, i: int, l: int = 0) -> str:  # noqa: E741
        """Tell in plain words what an intruder learns who looks original record i up."""
        found, single, right, known = self.links(i, l)
        answers = self.look_up(i, l).synthetic
        plain = plain_names([*self.keys, self.target], self)
        target = plain[self.target]
        own = self._cell(i)
        keys = listing(f"{plain[key]} = {say(self._table.level(key, own))}" for key in self.keys)
        if not found:
            return f"Nobody in the synthetic data has {keys}: not found."
        n = int(answers.sum())
        levels = [say(level) for level in answers.index[answers > 0]]
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

    def in_short(self) -> dict:
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


def _by_synthesis(rows):
    """Make a table of a row for each synthesis, numbered from 1."""
    return pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1, name="synthesis"))
