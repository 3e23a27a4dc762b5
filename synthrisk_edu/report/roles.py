"""Who plays which part? Known or synthesized, key or target: guessed, and said aloud.

The guess needs no codebook. Where rows pair, a column that is equal in both tables row by row was
left alone: we take it as known. A column that differs was synthesized. Every guess is a sentence in
the report, and whoever knows better names the columns instead.
"""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import pandas as pd

from synthrisk_edu.disclosure import OPTIONS
from synthrisk_edu.levels import code, code_variable, number_combinations
from synthrisk_edu.matching.checks import radii
from synthrisk_edu.report import checks, columns
from synthrisk_edu.report.section import brief, named, verb
from synthrisk_edu.words import listing

GROUPS = 20  # a key or target of many values is looked up in so many groups
SOME_KEYS = 3
MOST_TARGETS = 30


@dataclass
class Choices:
    """What can be chosen for a report; what is left out is guessed, and the guess is said.

    Attributes:
        known: columns the intruder knows and that were not synthesized.
        synthesized: columns that were replaced.
        radius: see `match`; one number counts for every quantity, and for codes none does.
        keys: columns an intruder looks people up with; by default the known ones.
        targets: columns an intruder wants to learn; by default the synthesized ones.
        intruders: more intruders, each with a name and the columns it knows, true or synthesized:
            {"a neighbour": ["Age", "Town"], "an employer": ["Job", "Income"]}.
        weights: the column that says how many people of the population a record stands for.
        fraction: the share of the population that is in the confidential table, instead of weights.
        options: those of `disclosure`: groups, special, missing_keys, missing_target, drop_target,
            exclude, denom_limit, and the thresholds of the flags, one_way and two_way.
    """

    known: list | None = None
    synthesized: list | None = None
    radius: float | dict = 0.1
    keys: list | None = None
    targets: list | None = None
    intruders: dict | None = None
    weights: str | None = None
    fraction: float | None = None
    options: dict = field(default_factory=dict)

    def __post_init__(self):
        """Check the lists of columns, and copy them."""
        for name in ("known", "synthesized", "keys", "targets"):
            given = getattr(self, name)
            setattr(self, name, None if given is None else checks.names(name, given))
        self.intruders = checks.intruders(self.intruders)

    @classmethod
    def from_arguments(cls, given):
        """Sort what was given by name into choices of the report and options of `disclosure`."""
        choices = {one.name for one in fields(cls)} - {"options"}
        options = {name: value for name, value in given.items() if name not in choices}
        checks.options(options, [*sorted(choices), *OPTIONS])
        return cls(**{k: v for k, v in given.items() if k in choices}, options=options)


@dataclass
class Roles:
    """The tables as the report sees them (text and codes as categories), and what a column is."""

    confidential: pd.DataFrame
    synthetics: list
    control: pd.DataFrame | None = None
    shared: list = ()
    identifiers: list = ()
    paired: bool = False
    known: list = ()
    synthesized: list = ()
    radius: dict = field(default_factory=dict)
    keys: list = ()
    targets: list = ()
    intruders: dict = field(default_factory=dict)  # name → columns
    fraction: object = None  # of the population: None, a number, or one for each record
    options: dict = field(default_factory=dict)  # of `disclosure`, the groups among them
    sentences: list = ()
    seed: int = 0  # of the samples that large tables need
    step: object = None  # called whenever a piece of the work is done

    def done(self, result):
        """Say that a piece of the work is done, and pass its result on."""
        if self.step is not None:
            self.step()
        return result

    @property
    def synthetic(self):
        """The first synthetic table: the one that pictures and single records are about."""
        return self.synthetics[0]

    @property
    def compared(self):
        """The columns that all tables have, without identifiers."""
        return [name for name in self.shared if name not in self.identifiers]

    @cached_property
    def numbered(self):
        """The rows of the confidential and the synthetic tables as numbers; equal rows agree."""
        return number_combinations([self.confidential, *self.synthetics], self.compared)

    def knowing(self, columns):
        """The same roles for an intruder who knows these columns only."""
        known, synthesized = (
            [name for name in side if name in columns] for side in (self.known, self.synthesized)
        )
        radius = {name: r for name, r in self.radius.items() if name in columns}
        return replace(self, known=known, synthesized=synthesized, radius=radius)

    def options_of(self, *targets):
        """The options of `disclosure` for keys and targets: groups and codes of these only."""
        used = [*self.keys, *targets]
        return self.options | {
            key: {name: one for name, one in value.items() if name in used}
            for key, value in self.options.items()
            if key in ("groups", "special") and value
        }

    def coded_keys(self, tables):
        """Number the levels of each key in some tables, one below the other."""
        options = self.options_of()
        groups, special = (options.get(key) or {} for key in ("groups", "special"))
        coded = code(tables, None, self.keys, groups, special)
        return {name: one.codes for name, one in coded.items()}


def choose_roles(tables, choices, seed=0):
    """Take the roles that are chosen, guess the others, and say which and why."""
    checks.generator(seed)  # a seed is looked at even where nothing is drawn
    tables, fraction, sentences = _without_weights(tables, choices)
    shared = checks.common_columns(tables)
    codes = _codes(tables, shared, choices.radius)
    sentences = [*_compared(tables, shared), *_about_codes(codes), *sentences]
    made = columns.with_categories(tables.values(), shared, codes)
    tables = dict(zip(tables, made, strict=True))
    control = tables.pop("control", None)
    pair = confidential, *synthetics = list(tables.values())
    equal, like_id = columns.equal_columns(pair, shared), columns.looks_like_identifier
    identifiers = [name for name in shared if like_id(*pair[:2], name, name in equal)]
    paired, known, synthesized, why = _matched(pair, shared, equal, identifiers, choices)
    sentences += [why, *_about_identifiers(identifiers, known, choices.keys)]
    numeric = checks.numeric_names(known + synthesized, pair)
    radius = radii(choices.radius, known + synthesized, numeric) if paired else {}
    usable = [name for name in shared if name not in identifiers]
    keys, targets, why = _asked(pair, usable, choices, known, synthesized)
    groups = {name: GROUPS for name in keys + targets if columns.is_fine(pair, name)}
    groups |= checks.mapping("groups", choices.options.get("groups"), keys + targets)
    sentences += [*why, *_about_groups(pair, groups, choices.options.get("special"))]
    kind = "a known or a synthesized column" if paired else "a column that the tables share"
    can_know = known + synthesized if paired else usable
    intruders = checks.intruders_know(choices.intruders, can_know, kind)
    who = (shared, identifiers, paired, known, synthesized, radius, keys, targets, intruders)
    options = choices.options | {"groups": groups}
    return Roles(confidential, synthetics, control, *who, fraction, options, sentences, seed)


def _without_weights(tables, choices):
    """Take the weights out of the tables; return the tables, the sampling fraction, and words."""
    name, fraction = choices.weights, choices.fraction
    if name is None:
        given = fraction is not None
        return tables, checks.number("fraction", fraction, 1e-12, 1) if given else None, []
    weights = checks.weights(tables["confidential"], name, fraction)
    sentence = (
        f"{brief(name)} says how many people a record stands for: it serves the part on the "
        "population, and is left out of all others."
    )
    rest = {key: one.drop(columns=name, errors="ignore") for key, one in tables.items()}
    return rest, 1 / weights, [sentence]


def _codes(tables, shared, radius):
    """List the columns that hold codes; a column with a radius of its own is a quantity."""
    quantities = radius if isinstance(radius, dict) else {}
    rest = [name for name in shared if name not in quantities]
    like_codes = columns.looks_like_codes
    return [name for name in rest if like_codes(*(one[name] for one in tables.values()))]


def _about_codes(codes):
    """Say which numbers were taken for codes."""
    if codes:
        yield (
            f"{named(codes)} {verb(codes, 'holds', 'hold')} few different whole numbers: we take "
            "these as codes, which are equal or not; name a radius for a column to make it a "
            "quantity."
        )


def _about_groups(tables, groups, special):
    """Say into how many groups a key or target is cut: duplicate breaks leave fewer."""
    by_number = {}
    for name, k in groups.items():
        variable = code_variable(tables, None, name, k, (special or {}).get(name, ()))
        made = [level for level in variable.levels if str(level).startswith("[")]
        by_number.setdefault(len(made), []).append(name)
    for number, names in by_number.items():
        fewer = any(groups[name] != number for name in names)
        why = ", and no more, because many values are the same" if fewer else ""
        yield (
            f"Where people are looked up by keys, {named(names)} {verb(names, 'is', 'are')} cut "
            f"into {number} group{'s' if number != 1 else ''} of about equal size{why}."
        )


def _matched(pair, shared, equal, identifiers, choices):
    """Say whether rows pair, and which columns are known and synthesized."""
    known, synthesized = choices.known, choices.synthesized
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
        if len(pair[0]) != len(synthetic):
            raise ValueError(
                f"confidential has {len(pair[0]):,} rows and synthetic has {len(synthetic):,}, so "
                "rows do not pair and nothing can be matched; leave known and synthesized out, and "
                "name keys and targets instead."
            )
        checks.pair(pair[0], synthetic, known + synthesized)
    return True, known, synthesized, why


def _why_paired(known, synthesized):
    """Explain the guess of the roles."""
    same = f"{named(known)} {verb(known, 'is', 'are')} equal in both, row by row"
    if not synthesized:
        return f"{same}, and nothing differs: no column seems to be synthesized at all."
    differs = verb(synthesized, "differs, so we take it", "differ, so we take them")
    other = f"{named(synthesized)} {differs} as synthesized."
    if not known:
        return f"Rows pair by an identifier; {other}"
    return (
        f"{same}, so we take {verb(known, 'it', 'them')} as known to the intruder and unchanged; "
        f"{other} If you know better, name known and synthesized yourself."
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


def _asked(pair, usable, choices, known, synthesized):
    """Choose the keys the intruder looks people up with, and the targets to learn."""
    keys, targets, sentences = choices.keys, choices.targets, []
    if keys is None:
        candidates = [name for name in known or usable if name not in (targets or [])]
        coarse = [name for name in candidates if not columns.is_fine(pair, name)] or candidates
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
            note = f"Of {len(wanted):,} possible targets the first {MOST_TARGETS} are shown."
            sentences.append(note)
    return keys, targets, sentences


def _compared(tables, shared):
    """Say what is compared, and which columns are not used."""
    sizes = listing(f"{len(table):,} ({name})" for name, table in tables.items())
    count = f"{len(shared)} column{'s' if len(shared) != 1 else ''}"
    yield f"The tables have {sizes} records; they share {count}: {named(shared)}."
    for name, table in tables.items():
        alone = [column for column in table.columns if column not in shared]
        if alone:
            yield f"Of the {name} table {named(alone)} {verb(alone, 'is', 'are')} not used."
