"""Who plays which part? Known or synthesized, key or target: guessed, and said aloud.

The guess needs no codebook. Where rows pair, a column that is equal in both tables row by row was
left alone: we take it as known. A column that differs was synthesized. Every guess is a sentence in
the report, and whoever knows better names the columns instead.
"""

from dataclasses import dataclass

import pandas as pd

from synthrisk_edu.matching.checks import radii
from synthrisk_edu.report import checks
from synthrisk_edu.report.columns import (
    equal_columns,
    is_fine,
    looks_like_codes,
    looks_like_identifier,
    with_categories,
)
from synthrisk_edu.report.section import named, verb

GROUPS = 20  # a key or target of many values is looked up in so many groups
SOME_KEYS = 3
MOST_TARGETS = 30


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
    given = {"known": known, "synthesized": synthesized, "keys": keys, "targets": targets}
    known, synthesized, keys, targets = (
        None if columns is None else checks.names(argument, columns)
        for argument, columns in given.items()
    )
    pair, shared, sentences = _read_columns(confidential, synthetic, radius)
    equal = equal_columns(*pair, shared)
    identifiers = [name for name in shared if looks_like_identifier(*pair, name, name in equal)]
    paired, known, synthesized, why = _matched(pair, shared, equal, identifiers, known, synthesized)
    sentences += [why, *_about_identifiers(identifiers, known, keys)]
    numeric = checks.numeric_names(known + synthesized, pair)
    radius = radii(radius, known + synthesized, numeric) if paired else {}
    usable = [name for name in shared if name not in identifiers]
    keys, targets, why = _asked(pair, usable, keys, targets, known, synthesized)
    sentences += why
    groups = {name: GROUPS for name in keys + targets if is_fine(*pair, name)}
    sentences += _about_groups(groups)
    who = (paired, known, synthesized, radius, keys, targets, groups, identifiers)
    return Roles(*pair, shared, *who, sentences)


def _read_columns(confidential, synthetic, radius):
    """Both tables with codes as categories, the columns they share, and the sentences about it."""
    tables = checks.frame("confidential", confidential), checks.frame("synthetic", synthetic)
    shared = checks.common_columns(*tables)
    for name in shared:
        checks.same_kind(*tables, name)
    quantities = radius if isinstance(radius, dict) else {}
    codes = [
        name
        for name in shared
        if name not in quantities and looks_like_codes(confidential[name], synthetic[name])
    ]
    sentences = [_compared(*tables, shared)]
    if codes:
        sentences.append(
            f"{named(codes)} {verb(codes, 'holds', 'hold')} few different whole numbers: we take "
            "these as codes, which are equal or not; name a radius for a column to make it a "
            "quantity."
        )
    return with_categories(*tables, codes), shared, sentences


def _about_groups(groups):
    """Say which keys and targets are cut into groups."""
    if groups:
        yield (
            f"Where people are looked up by keys, {named(groups)} {verb(groups, 'is', 'are')} cut "
            f"into {GROUPS} groups of equal size."
        )


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
        taken = identifiers + (known or synthesized or [])
        known = [name for name in equal if name not in taken] if known is None else known
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
    sentences = []
    if keys is None:
        candidates = [name for name in known or usable if name not in (targets or [])]
        coarse = [name for name in candidates if not is_fine(*pair, name)] or candidates
        keys = candidates if known else coarse[:SOME_KEYS]
        if not known:
            sentences.append(
                f"Nothing says what an intruder knows, so the keys are simply the first columns: "
                f"{named(keys)}. Name keys yourself: every number of that part depends on them."
            )
    if targets is None:
        wanted = [name for name in synthesized or usable if name not in keys]
        targets = wanted[:MOST_TARGETS]
        if len(wanted) > MOST_TARGETS:
            sentences.append(
                f"Of {len(wanted):,} possible targets the first {MOST_TARGETS} are shown."
            )
    return keys, targets, sentences


def _compared(confidential, synthetic, shared):
    """Say what is compared."""
    sentence = (
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
            sentence += f" Only the {what} one has {named(alone)}, which the report does not use."
    return sentence
