"""Who plays which part? Known or synthesized, key or target: guessed, and said aloud.

The guess needs no codebook. Where rows pair, a column that is equal in both tables row by row was
left alone: we take it as known. A column that differs was synthesized. Every guess is a sentence in
the report, and whoever knows better names the columns instead.
"""

from dataclasses import dataclass

import pandas as pd

from synthrisk_edu.levels import code_variable
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
from synthrisk_edu.words import listing

GROUPS = 20  # a key or target of many values is looked up in so many groups
SOME_KEYS = 3
MOST_TARGETS = 30


@dataclass
class Roles:
    """The tables as the report sees them (codes as categories), and what each column is."""

    confidential: pd.DataFrame
    synthetics: list
    control: pd.DataFrame | None
    shared: list
    identifiers: list
    paired: bool
    known: list
    synthesized: list
    radius: dict
    keys: list
    targets: list
    options: dict  # of `disclosure`, the groups among them
    sentences: list
    seed: int = 0  # of the samples that large tables need

    @property
    def synthetic(self):
        """The first synthetic table: the one that pictures and single records are about."""
        return self.synthetics[0]

    @property
    def compared(self):
        """The columns that all tables have, without identifiers."""
        return [name for name in self.shared if name not in self.identifiers]

    def options_of(self, target):
        """The options of `disclosure` for one target: groups and codes of its variables only."""
        mappings = {
            key: {name: one for name, one in value.items() if name in [*self.keys, target]}
            for key, value in self.options.items()
            if key in ("groups", "special") and value
        }
        return self.options | mappings


def choose_roles(
    confidential,
    synthetic,
    known,
    synthesized,
    radius,
    keys,
    targets,
    control=None,
    seed=0,
    **options,
):
    """Take the roles that are named, guess the others, and say which and why."""
    given = {"known": known, "synthesized": synthesized, "keys": keys, "targets": targets}
    known, synthesized, keys, targets = (
        None if columns is None else checks.names(argument, columns)
        for argument, columns in given.items()
    )
    tables = checks.report_tables(confidential, synthetic, control)
    shared, codes, sentences = _read_columns(tables, radius)
    tables = dict(zip(tables, with_categories(tables.values(), codes), strict=True))
    control = tables.pop("control", None)
    pair = confidential, *synthetics = list(tables.values())
    equal = equal_columns(pair, shared)
    identifiers = [name for name in shared if looks_like_identifier(*pair[:2], name, name in equal)]
    paired, known, synthesized, why = _matched(pair, shared, equal, identifiers, known, synthesized)
    sentences += [why, *_about_identifiers(identifiers, known, keys)]
    numeric = checks.numeric_names(known + synthesized, pair)
    radius = radii(radius, known + synthesized, numeric) if paired else {}
    usable = [name for name in shared if name not in identifiers]
    keys, targets, why = _asked(pair, usable, keys, targets, known, synthesized)
    groups = _groups(pair, keys + targets, options.get("groups"))
    sentences += [*why, *_about_groups(pair, groups, options.get("special"))]
    who = (shared, identifiers, paired, known, synthesized, radius, keys, targets)
    return Roles(
        confidential, synthetics, control, *who, options | {"groups": groups}, sentences, seed
    )


def _read_columns(tables, radius):
    """The columns that all tables share, those that hold codes, and the sentences about it."""
    shared = checks.common_columns(tables)
    quantities = radius if isinstance(radius, dict) else {}
    codes = [
        name
        for name in shared
        if name not in quantities and looks_like_codes(*(one[name] for one in tables.values()))
    ]
    sentences = [*_compared(tables, shared)]
    if codes:
        sentences.append(
            f"{named(codes)} {verb(codes, 'holds', 'hold')} few different whole numbers: we take "
            "these as codes, which are equal or not; name a radius for a column to make it a "
            "quantity."
        )
    return shared, codes, sentences


def _groups(tables, names, given):
    """Return the number of groups of every quantity with many values; what is given counts."""
    groups = {name: GROUPS for name in names if is_fine(tables, name)}
    return groups | checks.mapping("groups", given, names)


def _about_groups(tables, groups, special):
    """Say into how many groups a key or target is cut: duplicate breaks leave fewer."""
    by_number = {}
    for name, k in groups.items():
        variable = code_variable(tables, None, name, k, (special or {}).get(name, ()))
        made = [level for level in variable.levels if str(level).startswith("[")]
        by_number.setdefault(len(made), []).append(name)
    for number, names in by_number.items():
        fewer = (
            ""
            if all(groups[name] == number for name in names)
            else (", and no more, because many values are the same")
        )
        yield (
            f"Where people are looked up by keys, {named(names)} {verb(names, 'is', 'are')} cut "
            f"into {number} group{'s' if number != 1 else ''} of about equal size{fewer}."
        )


def _matched(pair, shared, equal, identifiers, known, synthesized):
    """Say whether rows pair, and which columns are known and synthesized."""
    differ = [name for name in shared if name not in equal]
    if known is None and synthesized is None:
        why = _why_not_paired(pair, equal)
        if why:
            return False, [], [], why
        known = [name for name in equal if name not in identifiers]
        synthesized = [name for name in differ if name not in identifiers]
        why = _why_paired(known, synthesized)
    else:
        why = "Which columns are known and which were synthesized was given."
        taken = identifiers + (known or synthesized or [])
        known = [name for name in equal if name not in taken] if known is None else known
        if synthesized is None:
            synthesized = [name for name in differ if name not in taken]
    known, synthesized = checks.roles(known, synthesized)
    for synthetic in pair[1:]:
        checks.rows_that_pair(pair[0], synthetic)
        checks.pair(pair[0], synthetic, known + synthesized)
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


def _why_not_paired(pair, equal):
    """Say why row i may not be the same unit in all tables; empty if it is."""
    confidential, *synthetics = pair
    sizes = sorted({len(one) for one in synthetics})
    if sizes != [len(confidential)]:
        lengths = listing(f"{n:,}" for n in [len(confidential), *sizes])
        return (
            f"The tables have {lengths} rows, so rows do not pair (fully synthetic data): "
            "matching is left out; what the keys give away, and utility, remain."
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
        coarse = [name for name in candidates if not is_fine(pair, name)] or candidates
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


def _compared(tables, shared):
    """Say what is compared, and which columns are not used."""
    sizes = listing(f"{len(table):,} ({name})" for name, table in tables.items())
    columns = f"{len(shared)} column{'s' if len(shared) != 1 else ''}: {named(shared)}"
    yield f"The tables have {sizes} records; they share {columns}."
    for name, table in tables.items():
        alone = [column for column in table.columns if column not in shared]
        if alone:
            yield f"Of the {name} table {named(alone)} {verb(alone, 'is', 'are')} not used."
