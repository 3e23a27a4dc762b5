"""Who plays which part? Known or synthesized, key or target: guessed, and said aloud.

The guess needs no codebook. Where rows pair, a column that is equal in both tables row by row was
left alone: we take it as known. A column that differs was synthesized. Every guess is a sentence in
the report, and whoever knows better names the columns instead.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.cells import as_floats
from synthrisk_edu.disco import code
from synthrisk_edu.report import columns
from synthrisk_edu.report.notes import named, percent, verb
from synthrisk_edu.words import listing

RADIUS = 0.1
GROUPS = 20  # a key or target of many values is looked up in so many groups
SOME_KEYS = 3
MOST_TARGETS = 30
MOST_MISSING = 6  # so many columns with missing values are named


@dataclass
class Roles:
    """The tables as the report sees them, what each column is taken for, and why.

    In the tables codes and text are categories of the same levels, and a code for missing is
    missing. `compared` are the columns that all tables have, without those that were left out.
    """

    confidential: pd.DataFrame
    synthetics: list
    control: pd.DataFrame | None
    compared: list
    left_out: dict = field(default_factory=dict)  # column → why
    paired: bool = False
    known: list = ()
    synthesized: list = ()
    radius: dict = field(default_factory=dict)  # of every quantity that is matched
    keys: list = ()
    targets: list = ()
    groups: dict = field(default_factory=dict)  # of keys and targets with many values
    fraction: object = None  # of the population: None, a number, or one for each record
    sentences: list = field(default_factory=list)
    missing: list = field(default_factory=list)  # sentences about missing values
    questions: list = field(default_factory=list)  # what only the owner of the data can answer

    @property
    def varied(self):
        """The synthesized quantities, whose radius varies."""
        return [name for name in self.synthesized if name in self.radius]

    def coded_keys(self):
        """The keys of the confidential table and of each synthetic one, quantities in groups."""
        tables = [self.confidential, *self.synthetics]
        both = pd.concat([one[self.keys] for one in tables], ignore_index=True)
        coded = {name: code(both[name], k=self.groups.get(name))[0] for name in self.keys}
        frame = pd.DataFrame(coded).astype("category")
        ends = np.cumsum([0, *map(len, tables)])
        return [frame.iloc[a:b] for a, b in pairwise(ends)]


def choose_roles(
    confidential,
    synthetics,
    control=None,
    *,
    known=None,
    synthesized=None,
    keys=None,
    targets=None,
    weights=None,
    fraction=None,
    radius=None,
):
    """Take the roles that are chosen, guess the others, and say which and why.

    >>> true = pd.DataFrame({"Sex": list("FFMM"), "Job": ["cook", "nurse"] * 2})
    >>> roles = choose_roles(true, [true.assign(Job="cook")])
    >>> roles.known, roles.synthesized
    (['Sex'], ['Job'])
    """
    chosen = {"known": known, "synthesized": synthesized, "keys": keys, "targets": targets}
    chosen = {name: checks.names(name, one) for name, one in chosen.items() if one is not None}
    tables = named_tables(confidential, synthetics, control)
    fraction, said = _fraction(confidential, weights, fraction)
    shared = [name for name in columns.common_columns(tables) if name != weights]
    for name, wanted in chosen.items():
        checks.mapping(name, dict.fromkeys(wanted), shared, "a column that all tables have")
    sentences = [*_compared(tables, shared, weights), *said]
    made, about_codes = _prepared(tables, shared, radius)
    missing, about_codes = about_codes
    missing = [*_about_missing(made), *missing]
    sentences += about_codes
    *pair, others = made.values() if control is not None else (*made.values(), None)
    equal = columns.equal_columns(pair, shared)
    left_out = _left_out(pair, shared, equal, {one for some in chosen.values() for one in some})
    roles = Roles(pair[0], pair[1:], others, [name for name in shared if name not in left_out])
    roles.left_out, roles.fraction = left_out, fraction
    roles.sentences, roles.missing = sentences, missing
    _explain_left_out(roles)
    _match_roles(roles, pair, equal, chosen, radius)
    _look_up_roles(roles, pair, chosen)
    return roles


def named_tables(confidential, synthetics, control):
    """Return the tables by what the report calls them."""
    synthetics = checks.frames("synthetic", synthetics)
    several = len(synthetics) > 1
    each = [f"synthetic {j + 1}" if several else "synthetic" for j in range(len(synthetics))]
    tables = {"confidential": confidential} | dict(zip(each, synthetics, strict=True))
    tables |= {} if control is None else {"control": control}
    return {name: checks.frame(name, one) for name, one in tables.items()}


def _fraction(confidential, weights, fraction):
    """Return the share of the population in the table: None, a number, or one for each record."""
    if weights is None:
        return (None if fraction is None else checks.number("fraction", fraction, 1e-12, 1)), []
    if fraction is not None:
        raise ValueError("give weights or fraction, not both: they say the same.")
    checks.frame("confidential", confidential, [weights])
    checks.quantities("confidential", confidential, [weights])
    values = as_floats(confidential[weights])
    if not (np.isfinite(values).all() and (values >= 1).all()):
        raise ValueError(
            f"{checks.show(weights)} cannot hold weights: each must be a number of people, 1 or "
            "more."
        )
    why = f"{named([weights])} says how many people a record stands for. Only the part on the "
    return 1 / values, [f"{why}population uses it."]


def _prepared(tables, shared, radius):
    """Return the tables with codes as categories, and codes for missing as missing.

    And what is to be said: about codes for missing, and about codes.
    """
    quantities = radius if isinstance(radius, dict) else {}
    codes, absent = [], {}
    for name in shared:
        each = [one[name] for one in tables.values()]
        if name not in quantities and columns.looks_like_codes(*each):
            codes.append(name)
        elif found := columns.missing_codes(*each):
            absent[name] = found
    made = columns.with_categories(tables.values(), shared, codes)
    for one in made:
        for name, found in absent.items():
            one[name] = one[name].mask(one[name].isin(found))
    missing = [
        f"{named([name])} holds {listing(found)}: we take {verb(found, 'this', 'these')} as "
        f"{verb(found, 'a code', 'codes')} for missing, not as an amount."
        for name, found in absent.items()
    ]
    said = (
        f"{named(codes)} {verb(codes, 'holds', 'hold')} few different whole numbers: we take "
        "these as codes, which are equal or not. Name a radius to make one a quantity."
    )
    return dict(zip(tables, made, strict=True)), (missing, [said] if codes else [])


def _compared(tables, shared, weights):
    """Say what is compared, and which columns are not used."""
    sizes = listing(f"{len(one):,} ({name})" for name, one in tables.items())
    count = f"{len(shared)} column{'s' if len(shared) != 1 else ''}"
    yield f"The tables have {sizes} records. They share {count}: {named(shared)}."
    for name, one in tables.items():
        alone = [column for column in one.columns if column not in [*shared, weights]]
        if alone:
            yield f"Of the {name} table {named(alone)} {verb(alone, 'is', 'are')} not used."


def _about_missing(tables):
    """Say how missing values are treated, and how many there are in both files."""
    ours, made = list(tables.values())[:2]
    shares = pd.DataFrame({"ours": ours.isna().mean(), "made": made.isna().mean()}).dropna()
    some = shares[shares.max(axis=1) > 0]
    some = some.sort_values(["ours", "made"], ascending=False, kind="stable")
    if not len(some):
        yield "No value is missing."
        return
    each = [
        f"{named([name])} {percent(row.ours)} and {percent(row.made)}"
        for name, row in some.head(MOST_MISSING).iterrows()
    ]
    more = f"; and {len(some) - MOST_MISSING} more columns" if len(some) > MOST_MISSING else ""
    yield (
        "A missing value counts as a value: Missing is a level of its own, it equals missing and "
        f"nothing else. Missing in the confidential and in the synthetic table: {', '.join(each)}"
        f"{more}."
    )


def _left_out(pair, shared, equal, wanted):
    """Return the columns that no part uses unless somebody names them: column → why."""
    found = {}
    for name in shared:
        if name in wanted:
            continue
        if columns.looks_like_weight(pair[0][name], name, name in equal):
            found[name] = "weight"
        elif columns.looks_like_identifier(pair[0], pair[1], name, name in equal):
            found[name] = "identifier"
    return found if len(found) < len(shared) else {}


def _explain_left_out(roles):
    """Say which columns were left out, and ask about weights."""
    identifiers = [name for name, why in roles.left_out.items() if why == "identifier"]
    if identifiers:
        roles.sentences.append(
            f"{named(identifiers)} {verb(identifiers, 'differs', 'differ')} in nearly every "
            "record, as an identifier does. It would make everybody unique, so it is left out."
        )
    for name in (name for name, why in roles.left_out.items() if why == "weight"):
        question = (
            f"Is {named([name])} a weight, which says how many people a record stands for? It "
            "looks like one, so no intruder is taken to know it and no part uses it. If it is "
            "one, name it as weights; if not, name it in known, synthesized, keys or targets."
        )
        roles.questions.append(question)
        roles.sentences.append(f"{named([name])} looks like a weight, and is left out.")


def _match_roles(roles, pair, equal, chosen, radius):
    """Decide whether rows pair, and which columns are known and synthesized."""
    usable, identical = roles.compared, [name for name in roles.compared if name in equal]
    differ = [name for name in usable if name not in equal]
    if not {"known", "synthesized"} & set(chosen):
        why = _why_not_paired(pair, equal)
        if why:
            roles.sentences.append(why)
            return
        known, synthesized = identical, differ
        roles.sentences.append(_why_paired(known, synthesized))
    else:
        known, synthesized = chosen.get("known"), chosen.get("synthesized")
        if known is None:
            known = [name for name in identical if name not in synthesized]
        if synthesized is None:
            synthesized = [name for name in differ if name not in known]
        said = f"known {named(known)}, synthesized {named(synthesized)}"
        roles.sentences.append(f"You have named what the intruder knows: {said}.")
    known, synthesized = checks.roles(known, synthesized)
    if not known and not synthesized:
        raise ValueError(
            "known and synthesized are both empty; name at least one variable to match on."
        )
    for name, one in named_tables(pair[0], pair[1:], None).items():
        if len(one) != len(pair[0]):
            raise ValueError(
                f"confidential has {len(pair[0]):,} rows and {name} has {len(one):,}, so rows do "
                "not pair and nothing can be matched; leave known and synthesized out, and name "
                "keys and targets instead."
            )
    roles.paired, roles.known, roles.synthesized = True, known, synthesized
    roles.radius = _radii(radius, named_tables(pair[0], pair[1:], None), known, synthesized)


def _radii(radius, tables, known, synthesized):
    """Return the radius of every number, known or synthesized; one number stands for all."""
    if not isinstance(radius, Mapping):
        numeric = checks.numeric_names(known + synthesized, tables.values())
        radius = dict.fromkeys(numeric, RADIUS if radius is None else radius)
    return checks.radii(radius, tables, known, synthesized)


def _why_not_paired(pair, equal):
    """Say why row i may not be the same person in all tables; empty if it is."""
    sizes = sorted({len(one) for one in pair[1:]})
    if sizes != [len(pair[0])]:
        lengths = listing(f"{n:,}" for n in [len(pair[0]), *sizes])
        return f"The tables have {lengths} rows, so rows do not pair: nobody is matched."
    if not any(pair[0][name].nunique(dropna=False) > 1 for name in equal):
        return (
            "No column is equal in both tables row by row, so nothing shows that row i is the same "
            "person in both: nobody is matched. If rows do pair, name known and synthesized."
        )
    return ""


def _why_paired(known, synthesized):
    """Explain the guess of the roles."""
    if not synthesized:
        return f"{named(known)}: equal in both, row by row. Nothing seems to be synthesized at all."
    differs = verb(synthesized, "differs, so we take it", "differ, so we take them")
    other = f"{named(synthesized)} {differs} as synthesized."
    if not known:
        return f"Rows pair by a column that is left out. {other}"
    return (
        f"{named(known)} {verb(known, 'is', 'are')} equal in both, row by row, so we take "
        f"{verb(known, 'it', 'them')} as known to the intruder. {other} If you know better, name "
        "known and synthesized."
    )


def _look_up_roles(roles, pair, chosen):
    """Choose the keys the intruder looks people up with, and the targets to learn."""
    keys, targets = chosen.get("keys"), chosen.get("targets")
    if keys is None:
        usable = [name for name in roles.known or roles.compared if name not in (targets or [])]
        coarse = [name for name in usable if not columns.is_fine(pair, name)] or usable
        keys = usable if roles.known else coarse[:SOME_KEYS]
        if not roles.known:
            roles.sentences.append(
                f"Nothing says what an intruder knows, so the keys are simply the first columns: "
                f"{named(keys)}. Name keys yourself: every number of that part depends on them."
            )
    if targets is None:
        wanted = [name for name in roles.synthesized or roles.compared if name not in keys]
        targets = wanted[:MOST_TARGETS]
        if len(wanted) > MOST_TARGETS:
            roles.sentences.append(f"Of {len(wanted):,} targets the first {MOST_TARGETS} count.")
    checks.apart({"keys": keys, "targets": targets})
    roles.keys, roles.targets = keys, targets
    roles.groups = {name: GROUPS for name in keys + targets if columns.is_fine(pair, name)}
    if roles.groups:
        names = list(roles.groups)
        roles.sentences.append(
            f"Where people are looked up by keys, {named(names)} {verb(names, 'is', 'are')} cut "
            f"into {GROUPS} groups of about equal size, or fewer where many values are the same."
        )
