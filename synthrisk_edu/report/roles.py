"""Who plays which part? The roles of the columns, guessed from the two tables and said aloud.

The guess needs no codebook. Where rows pair, a column that is equal in both tables row by row was
left alone: we take it as known. A column that differs was synthesized. Every guess is a sentence in
the report, and whoever knows better names the columns instead.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from synthrisk_edu.matching.checks import radii
from synthrisk_edu.report import checks
from synthrisk_edu.words import listing

CODES = 20  # whole numbers with at most so many values are codes, not quantities …
EACH = 5  # … when each of them stands for so many records on average
ENOUGH = 30  # fewer records than this do not show whether a column is an identifier
NEARLY_ALL = 0.95  # the share of different texts that makes an identifier
FINE = 100  # a numeric key or target with more values than this is looked up …
GROUPS = 20  # … in so many groups
SOME_KEYS = 3
MOST_TARGETS = 30
LONGEST = 40  # characters of a column name in a sentence
NAMED = 12  # so many columns are named in a sentence; of more we give the number


@dataclass
class Roles:
    """The two tables as the report sees them (codes as categories), and what each column is."""

    confidential: pd.DataFrame
    synthetic: pd.DataFrame
    shared: list
    paired: bool
    known: list
    synthesized: list
    radius: dict
    keys: list
    targets: list
    groups: dict
    identifiers: list
    sentences: list


def choose_roles(confidential, synthetic, known, synthesized, radius, keys, targets):
    """Take the roles that are named, guess the others, and say which and why."""
    shared = checks.common_columns(
        checks.frame("confidential", confidential), checks.frame("synthetic", synthetic)
    )
    for name in shared:
        checks.same_kind(confidential, synthetic, name)
    own_radius = radius if isinstance(radius, dict) else {}
    codes = [
        name for name in shared if name not in own_radius
        and looks_like_codes(confidential[name], synthetic[name])
    ]  # fmt: skip
    pair = _with_categories(confidential, synthetic, codes)
    said = [_compared(*pair, shared)]
    if codes:
        said.append(
            f"{named(codes)} {verb(codes, 'holds', 'hold')} few different whole numbers: we take "
            "these as codes, which are equal or not; name a radius for a column to make it a "
            "quantity."
        )
    equal = equal_columns(*pair, shared)
    identifiers = [name for name in shared if looks_like_identifier(*pair, name, name in equal)]
    paired, known, synthesized, why = _matched(pair, shared, equal, identifiers, known, synthesized)
    said += [why, *_about_identifiers(identifiers, known, keys)]
    numeric = checks.numeric_names(known + synthesized, pair)
    radius = radii(radius, known + synthesized, numeric) if paired else {}
    usable = [name for name in shared if name not in identifiers]
    keys, targets, why = _asked(pair, usable, keys, targets, known, synthesized)
    groups = {name: GROUPS for name in keys + targets if _is_fine(*pair, name)}
    said += why
    if groups:
        said.append(
            f"Where people are looked up by keys, {named(groups)} {verb(groups, 'is', 'are')} cut "
            f"into {GROUPS} groups of equal size."
        )
    return Roles(*pair, shared, paired, known, synthesized, radius, keys, targets, groups,
                 identifiers, said)  # fmt: skip


def named(columns):
    """List columns in a sentence, or say how many they are.

    >>> named(["Age", "Sex"]), named(map(str, range(99)))
    ('Age and Sex', '99 columns (0, 1, 2, …)')
    """
    columns = [brief(name) for name in columns]
    if len(columns) <= NAMED:
        return listing(columns)
    return f"{len(columns):,} columns ({', '.join(columns[:3])}, …)"


def brief(name):
    """Return a column name as a sentence gives it: not endless.

    >>> brief("Age"), len(brief("x" * 1000))
    ('Age', 40)
    """
    name = str(name)
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def verb(columns, one, several):
    """Return the verb that goes with one column, or with several."""
    return one if len(columns) == 1 else several


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


def _levels(confidential, synthetic):
    """The different values of a column in both tables."""
    both = pd.concat([confidential, synthetic], ignore_index=True)
    return pd.Index(both.dropna().unique())


def _whole(levels):
    """Say whether all values are whole numbers."""
    values = levels.to_numpy(dtype=float)
    return bool(np.isfinite(values).all() and (values % 1 == 0).all())


def _with_categories(confidential, synthetic, codes):
    """Both tables, codes as categories with the same levels; the caller's are not changed."""
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
    n = len(confidential)
    if n != len(synthetic):
        return []
    codes = {
        name: pd.factorize(pd.concat([confidential[name], synthetic[name]], ignore_index=True))[0]
        for name in shared
    }
    return [name for name, code in codes.items() if (code[:n] == code[n:]).all()]


def looks_like_identifier(confidential, synthetic, name, equal):
    """Say whether a column tells nearly every record apart, as a number or a name does.

    Text does when nearly all values differ. Whole numbers do when all differ, and they are the same
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


def _matched(pair, shared, equal, identifiers, known, synthesized):
    """Say whether rows pair, and which columns are known and synthesized."""
    confidential, synthetic = pair
    differ = [name for name in shared if name not in equal]
    if known is None and synthesized is None:
        why = _why_not_paired(confidential, synthetic, equal)
        if why:
            return False, [], [], why
        known = [name for name in equal if name not in identifiers]
        synthesized = [name for name in differ if name not in identifiers]
        why = _why_paired(known, synthesized)
    else:
        checks.rows_that_pair(confidential, synthetic)
        why = "Which columns are known and which were synthesized was given."
        taken = identifiers + checks.names("known or synthesized", known or synthesized or [])
        known = [n for n in equal if n not in taken] if known is None else list(known)
        if synthesized is None:
            synthesized = [name for name in differ if name not in taken]
    known, synthesized = checks.roles(known, synthesized)
    checks.pair(confidential, synthetic, known + synthesized)
    return True, known, synthesized, why


def _why_paired(known, synthesized):
    """Explain the guess of the roles."""
    same = f"{named(known)} {verb(known, 'is', 'are')} equal in both, row by row"
    other = f"{named(synthesized)} {verb(synthesized, 'differs', 'differ')}"
    if not synthesized:
        return f"{same}, and nothing differs: no column seems to be synthesized at all."
    if not known:
        return f"Rows pair by an identifier; {other}, so we take that as synthesized."
    return (
        f"{same}, so we take that as known to the intruder and unchanged; {other}, so we take that "
        "as synthesized. If you know better, name known and synthesized yourself."
    )


def _why_not_paired(confidential, synthetic, equal):
    """Say why row i may not be the same unit in both tables; empty if it is."""
    ours, theirs = len(confidential), len(synthetic)
    if ours != theirs:
        return (
            f"The tables have {ours:,} and {theirs:,} rows, so rows do not pair (fully synthetic "
            "data): matching is left out; what the keys give away, and utility, remain."
        )
    if not any(confidential[name].nunique(dropna=False) > 1 for name in equal):
        return (
            "No column is equal in both tables row by row, so nothing shows that row i is the same "
            "unit in both (fully synthetic data): matching is left out. If rows do pair, name "
            "known and synthesized yourself."
        )
    return ""


def _about_identifiers(identifiers, known, keys):
    """Warn of columns that tell everyone apart."""
    used = [name for name in identifiers if name in known or name in (keys or [])]
    left = [name for name in identifiers if name not in used]
    if used:
        yield (
            f"Mind: {named(used)} {verb(used, 'differs', 'differ')} in nearly every record, like "
            "an identifier, and this makes everyone unique; the numbers below say more about it "
            "than about the synthesis."
        )
    if left:
        yield (
            f"{named(left)} {verb(left, 'differs', 'differ')} in nearly every record, like an "
            "identifier, which as a key would make everyone unique, and so the report leaves "
            f"{verb(left, 'it', 'them')} out."
        )


def _asked(pair, usable, keys, targets, known, synthesized):
    """Choose the keys the intruder looks people up with, and the targets to learn."""
    said = []
    if keys is None:
        candidates = [name for name in known or usable if name not in (targets or [])]
        coarse = [name for name in candidates if not _is_fine(*pair, name)] or candidates
        keys = list(candidates) if known else coarse[:SOME_KEYS]
        if not known:
            said.append(
                f"Nothing says what an intruder knows, so the keys are simply the first columns: "
                f"{named(keys)}. Name keys yourself: every number of that part depends on them."
            )
    keys = checks.names("keys", keys)
    if targets is None:
        wanted = [name for name in synthesized or usable if name not in keys]
        targets = wanted[:MOST_TARGETS]
        if len(wanted) > MOST_TARGETS:
            said.append(f"Of {len(wanted):,} possible targets the first {MOST_TARGETS} are shown.")
    return keys, checks.names("targets", targets), said


def _is_fine(confidential, synthetic, name):
    """Say whether a column is a quantity with many values."""
    if any(name not in data for data in (confidential, synthetic)):
        return False  # `disclosure` will say so
    columns = confidential[name], synthetic[name]
    return all(map(checks.is_numeric, columns)) and len(_levels(*columns)) > FINE


def _compared(confidential, synthetic, shared):
    """Say what is compared."""
    said = (
        f"The confidential table has {len(confidential):,} records, the synthetic one "
        f"{len(synthetic):,}; they share {len(shared)} column{'s' if len(shared) != 1 else ''}: "
        f"{named(shared)}."
    )
    for data, other, what in (
        (confidential, synthetic, "confidential"),
        (synthetic, confidential, "synthetic"),
    ):
        alone = [name for name in data.columns if name not in other.columns]
        if alone:
            said += f" Only the {what} one has {named(alone)}, which the report does not use."
    return said
