"""What does it say? Each section of the report: numbers, and the sentence that reads each.

A section takes the roles and returns a `Section`; it computes with the functions of the package and
adds nothing of its own but words. `pictures` names the pictures, which are drawn only when somebody
looks, so that a script which only computes needs no drawing library.
"""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from synthrisk_edu.disclosure import disclosure, multi_disclosure
from synthrisk_edu.matching import baseline, match, maximizing_radius, radius_sweep
from synthrisk_edu.report import checks
from synthrisk_edu.report.roles import brief, named, verb
from synthrisk_edu.utility import pmse_ratio, pmse_tables
from synthrisk_edu.words import say

RADII = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0]
SMALL_CELL = 10
MOST_AT_RISK = 10
MOST_CANDIDATES = 10
# Utility: what would take too long, or too much memory, is left out and said.
MANY_LEVELS = 100
MANY_VARIABLES = 40
MANY_PARAMETERS = 200
MANY_RECORDS = 50_000


@dataclass
class Section:
    """One part of the report; `numbers` are (measure, value, what it means)."""

    name: str
    title: str
    sentences: list = field(default_factory=list)
    numbers: list = field(default_factory=list)
    tables: dict = field(default_factory=dict)
    pictures: dict = field(default_factory=dict)  # name → (words, what to draw)


def files_section(roles):
    """What was compared, and how the roles were chosen."""
    n, n_synthetic = len(roles.confidential), len(roles.synthetic)
    numbers = [
        ("records, confidential", n, "the number of rows of the confidential table"),
        ("records, synthetic", n_synthetic, "the number of rows of the synthetic table"),
        ("shared columns", len(roles.shared), "the number of columns that both tables have"),
    ]
    return Section("files", "What was compared", list(roles.sentences), numbers)


# Matching


def matching_section(roles):
    """Identification risk by matching, beside the confidential baseline."""
    section = Section("matching", "Who could this be? Matching")
    own, found = match_both(roles)
    matches = {"confidential": own, "synthetic": found}
    summary = pd.DataFrame({name: one.summary() for name, one in matches.items()})
    summary.index = summary.index.str.replace("_", " ")
    section.tables["matching"] = summary.rename_axis("summary").reset_index()
    section.sentences = [_attack(roles), *read_matching(own, found)]
    for name, one in matches.items():
        section.numbers += _summary_numbers(name, one)
    section.pictures["matching"] = (section.sentences[1], (matches,))
    return section


def match_both(roles):
    """The confidential table matched with itself, and with the synthetic one."""
    how = (roles.known, roles.synthesized, roles.radius)
    return baseline(roles.confidential, *how), match(roles.confidential, roles.synthetic, *how)


def _attack(roles):
    """Say what the intruder knows and does."""
    parts = []
    if roles.known:
        parts.append(f"{named(roles.known)} (unchanged)")
    if roles.synthesized:
        parts.append(f"the true {named(roles.synthesized)} (synthesized)")
    said = f"Suppose an intruder knows {' and '.join(parts)} of everybody in the table"
    if not roles.radius:
        return f"{said}, and looks for records that agree on all of it."
    radii = sorted(set(roles.radius.values()))
    width = say(100 * radii[0]) if len(radii) == 1 else f"{say(100 * radii[0])} to "
    width += "" if len(radii) == 1 else say(100 * radii[-1])
    return (
        f"{said}, and looks for records that agree on it; {named(roles.radius)} may differ by up "
        f"to {width} % of the true value (the radius)."
    )


def read_matching(own, found):
    """Read the three summaries aloud, the confidential baseline beside each."""
    n, own_summary, summary = len(found.records), own.summary(), found.summary()
    yield (
        f"Expected match risk: pointing at one candidate for each of the {n:,} records, the "
        f"intruder is right {say(summary.expected_match_risk)} times on average, "
        f"{percent(summary.expected_match_risk / n)} of them. With the confidential table "
        f"itself it would be {say(own_summary.expected_match_risk)} times. Higher is riskier."
    )
    yield (
        f"True match rate: {say(found.records.K.sum())} of {n:,} records "
        f"({percent(summary.true_match_rate)}) have exactly one candidate, and it is their "
        f"own; in the confidential table {say(own.records.K.sum())} have. Higher is riskier."
    )
    s = summary.unique_matches
    if s == 0:
        yield "Nobody has exactly one candidate, so the false match rate is undefined."
        return
    yield (
        f"False match rate: of the {say(s)} records with exactly one candidate, "
        f"{percent(summary.false_match_rate)} have somebody else's. Here lower is riskier: "
        "an intruder who finds a single candidate can then trust it."
    )


def percent(share):
    """Write a share in per cent, with two decimals at most.

    >>> percent(0.0243042), percent(1)
    ('2.43 %', '100 %')
    """
    return f"{say(round(100 * share, 2))} %"


def _summary_numbers(name, found):
    """The summaries of one match as numbers with a meaning."""
    meanings = {
        "expected_match_risk": "how often an intruder is right who points at one candidate for "
        "every record; from 0 to the number of records, higher is riskier",
        "true_match_rate": "share of records whose only candidate is their own; higher is riskier",
        "false_match_rate": "share of the unique matches that are somebody else's; lower is "
        "riskier; empty where nobody has a unique match",
        "unique_matches": "number of records with exactly one candidate",
    }
    summary = found.summary()
    return [(f"{key.replace('_', ' ')}, {name}", summary[key], meanings[key]) for key in meanings]


# The radius


def sweep_section(roles):
    """The same question at every radius of a grid; None where nothing numeric is synthesized."""
    vary = [name for name in roles.synthesized if name in roles.radius]
    if not vary:
        return None
    chosen = {roles.radius[name] for name in vary}
    radii = sorted({*RADII, *chosen})
    fixed = {name: r for name, r in roles.radius.items() if name not in vary}
    how = {"vary": vary, "fixed": fixed}
    sides = (roles.known, roles.synthesized, radii)
    sweep = radius_sweep(roles.confidential, [roles.synthetic], *sides, **how)
    own = radius_sweep(roles.confidential, [roles.confidential], *sides, **how)
    section = _told_sweep(sweep, own, vary, fixed)
    if any(name not in vary for name in roles.known + roles.synthesized):
        _add_without(section, roles, vary, fixed)
    return section


def _add_without(section, roles, vary, fixed):
    """Add what an intruder achieves who leaves the synthesized numbers aside: r without end."""
    rest = [name for name in roles.synthesized if name not in vary]
    found = match(roles.confidential, roles.synthetic, roles.known, rest, fixed)
    risk = found.summary().expected_match_risk
    section.sentences.append(
        f"The wider the radius, the less {named(vary)} {verb(vary, 'counts', 'count')}. An "
        f"intruder who leaves {verb(vary, 'it', 'them')} aside altogether and goes by the other "
        f"columns alone is right {say(risk)} times."
    )
    meaning = "expected match risk by the other columns alone, as if the radius had no end"
    section.numbers.append(("expected match risk without the synthesized numbers", risk, meaning))


def _told_sweep(sweep, own, vary, fixed):
    """Put the sweep into words and numbers."""
    best = maximizing_radius(sweep)
    most = sweep.set_index("radius").expected_match_risk[best]
    stays = f" The radius of {named(fixed)} stays as it is." if fixed else ""
    said = (
        f"No radius is right by itself, so the radius of {named(vary)} is varied from "
        f"{say(100 * sweep.radius.min())} to {say(100 * sweep.radius.max())} %.{stays} The "
        f"expected match risk is highest at {say(100 * best)} %, where it is {say(most)}: this is "
        "the number to report, for no other radius of the grid shows more risk."
    )
    end = best in (sweep.radius.min(), sweep.radius.max())
    section = Section("radius", "What if the radius changes?", [said])
    if end:
        section.sentences.append(
            "This radius is an end of the grid: beyond it the risk may be higher still."
        )
    if most == 0:
        section.sentences = ["At every radius tried, the expected match risk is 0."]
    section.numbers = [
        ("maximizing radius", best, "the radius with the highest expected match risk"),
        ("highest expected match risk", most, "the expected match risk at that radius"),
    ]
    meaning = "expected match risk of the synthetic table at this radius"
    for row in sweep.itertuples():
        section.numbers.append(
            (f"expected match risk at radius {row.radius:g}", row.expected_match_risk, meaning)
        )
    table = sweep.drop(columns="dataset").assign(confidential=own.expected_match_risk)
    section.tables["radius"] = table.rename(columns={"confidential": "expected_confidential"})
    if most > 0:
        section.pictures["radius"] = (said, (sweep, best, own))
    return section


# Keys and targets


def disclosure_section(roles):
    """What the keys give away about each target: the DiSCO table with its flags."""
    section = Section("disclosure", "What do the keys give away?")
    if not (roles.keys and roles.targets):
        section.sentences.append(
            "No column is left as key or as target, so this part is empty; name keys and targets."
        )
        return section
    pair = roles.confidential, roles.synthetic
    table = multi_disclosure(*pair, roles.keys, roles.targets, groups=roles.groups)
    section.tables["targets"] = table
    section.sentences = list(read_disclosure(roles.keys, table))
    if roles.paired and set(roles.keys) <= set(roles.known):
        section.sentences.insert(
            2, "The keys were not synthesized: whoever is alone with them is so in both tables."
        )
    first = table.iloc[0]
    section.numbers += [
        ("UiO", first.UiO, "% of the confidential records that are alone with their keys"),
        ("repU", first.repU, "% that are alone with their keys in both tables"),
    ]
    for row in table.itertuples():
        section.numbers += _target_numbers(row)
    section.pictures["disclosure"] = (section.sentences[1], (table,))
    return section


def read_disclosure(keys, table):
    """Read the table of targets aloud."""
    yield (
        f"Suppose an intruder knows {named(keys)} of a person (the keys), looks these up in the "
        "synthetic table and believes it. DiSCO is the share of the confidential records for whom "
        "all answers found are the same, and right; Dorig is the share for whom the confidential "
        "table would tell it."
    )
    worst = table.iloc[0]
    yield (
        f"Most is given away about {brief(worst.target)}: DiSCO {percent(worst.DiSCO / 100)}, "
        f"beside Dorig {percent(worst.Dorig / 100)}. {percent(worst.UiO / 100)} are alone with "
        f"their keys in the confidential table, {percent(worst.repU / 100)} in both tables."
    )
    flagged = table.target[table.one_way | table.two_way]
    if len(flagged):
        yield (
            f"Check {named(flagged)} before you call it a disclosure: a flag says that an answer "
            "is so common, for everybody (one-way) or for a level of a key (two-way), that nobody "
            "needs these data to guess it."
        )
    yield "There is no threshold that is right for all: compare DiSCO with Dorig and among files."


def _target_numbers(row):
    """The numbers of one target."""
    return [
        (f"DiSCO of {row.target}", row.DiSCO, "% whose answers agree and are right"),
        (f"Dorig of {row.target}", row.Dorig, "% disclosed by the confidential table itself"),
        (f"one-way flag of {row.target}", int(row.one_way), "1: one level makes up nearly all"),
        (f"two-way flag of {row.target}", int(row.two_way), "1: a level of a key tells it anyway"),
    ]


# Utility


def utility_section(roles):
    """Is it still useful? The pMSE ratio of the file, and the worst tables."""
    section = Section("utility", "Is it still useful?")
    variables = [name for name in roles.shared if _fits(roles, name)]
    left = [name for name in roles.shared if name not in variables]
    if left:
        section.sentences.append(
            f"{named(left)} {verb(left, 'has', 'have')} too many different values to be compared "
            "here."
        )
    if not variables:
        return section
    ours, theirs = roles.confidential[variables], roles.synthetic[variables]
    _add_whole_file(section, ours, theirs)
    _add_tables(section, ours, theirs)
    return section


def _fits(roles, name):
    """Say whether a column can be compared: a quantity, or a category of not too many levels."""
    if name in roles.identifiers:
        return False
    columns = roles.confidential[name], roles.synthetic[name]
    quantity = all(checks.is_numeric(one) for one in columns)
    return quantity or max(one.nunique() for one in columns) <= MANY_LEVELS


def _add_whole_file(section, ours, theirs):
    """Add the pMSE ratio of all variables together."""
    model = propensity_model(ours, theirs)
    sizes = len(ours), len(theirs)
    ours, theirs = (
        data.sample(MANY_RECORDS, random_state=0) if len(data) > MANY_RECORDS else data
        for data in (ours, theirs)
    )
    if max(sizes) > MANY_RECORDS:
        section.sentences.append(
            f"The whole-file comparison uses a random sample of {MANY_RECORDS:,} records."
        )
    ratio = pmse_ratio(ours, theirs, model=model)
    kind = {"logistic": "a logistic regression", "cart": "a tree"}[model]
    measured = "undefined, for nothing varies" if np.isnan(ratio) else say(round(ratio, 2))
    section.sentences.append(
        f"pMSE ratio: how well {kind} can tell synthetic from confidential records, compared with "
        f"chance, is {measured}. About 1 is as good as can be, below 10 is usually acceptable; "
        "columns that were not changed pull it below 1."
    )
    meaning = f"pMSE ({kind}) over what chance gives; about 1 is best, below 10 acceptable"
    section.numbers.append(("pMSE ratio of the file", ratio, meaning))


def propensity_model(ours, theirs):
    """Return "logistic" if its main effects and interactions are few enough, else "cart"."""
    columns = [
        1 if checks.is_numeric(ours[name]) and checks.is_numeric(theirs[name])
        else max(ours[name].nunique(dropna=False), theirs[name].nunique(dropna=False)) - 1
        for name in ours
    ]  # fmt: skip
    total = sum(columns)
    pairs = (total**2 - sum(one**2 for one in columns)) / 2
    return "logistic" if total + pairs < MANY_PARAMETERS else "cart"


def _add_tables(section, ours, theirs):
    """Add the tables of one and of two variables, worst first."""
    one = pmse_tables(ours, theirs, ways=1)
    section.tables["one_way_tables"] = one
    worst = one.iloc[0]
    section.sentences.append(
        f"Of the single columns {brief(worst.variable_1)} fits worst, with a ratio of "
        f"{_ratio(worst)}."
    )
    for row in one.itertuples():
        section.numbers.append(
            (f"pMSE ratio of {row.variable_1}", row.ratio, "the same for this column alone")
        )
    section.pictures["utility"] = (section.sentences[-1], (one,))
    if len(one) < 2:
        return
    chosen = list(one.variable_1[:MANY_VARIABLES])
    two = pmse_tables(ours[chosen], theirs[chosen], ways=2)
    section.tables["two_way_tables"] = two
    worst = two.iloc[0]
    among = "" if len(chosen) == len(one) else f" (of the {MANY_VARIABLES} worst columns)"
    section.sentences.append(
        f"Of the tables of two columns{among}, {brief(worst.variable_1)} by "
        f"{brief(worst.variable_2)} fits worst, with a ratio of {_ratio(worst)}; half of all have "
        f"a ratio below {say(round(two.ratio.median(), 2))}."
    )
    section.numbers += [
        ("worst two-way pMSE ratio", worst.ratio, "the highest ratio of a table of two columns"),
        ("median two-way pMSE ratio", two.ratio.median(), "half of these tables are below"),
    ]


def _ratio(row):
    """A ratio in words."""
    return "undefined" if np.isnan(row.ratio) else say(round(row.ratio, 2))


# Single records: only when asked


def records_section(roles, records):
    """Stories of single records: the ten most at risk (True), or those at the given positions."""
    section = Section("records", "Single records, because you asked for them")
    section.sentences = [
        "This part shows values of single records: it is as confidential as the data themselves."
    ]
    if roles.paired:
        _add_matched_records(section, roles, records)
    if roles.keys and roles.targets:
        _add_flagged_levels(section, roles)
        if not roles.paired:
            _add_looked_up_records(section, roles, records)
    return section


def _add_matched_records(section, roles, records):
    """Tell the story of each chosen record, and list its candidates."""
    _, found = match_both(roles)
    n = len(found.records)
    if records is True:
        order = np.argsort(-found.records.risk.to_numpy(), kind="stable")
        chosen = [int(i) for i in order[:MOST_AT_RISK]]
    else:
        chosen = [int(i) for i in checks.positions("records", records, n)]
    table = found.records.iloc[chosen]
    section.tables["records"] = table.assign(position=chosen)[["position", *found.records]]
    for i in chosen:
        section.sentences.append(found.explain(i))
        candidates = found.candidates(i)[roles.known + roles.synthesized]
        if records is not True and len(candidates):
            section.tables[f"candidates for record {i}"] = candidates.head(MOST_CANDIDATES)


def _add_looked_up_records(section, roles, records):
    """Tell what an intruder learns about each chosen record from its keys."""
    pair = roles.confidential, roles.synthetic
    worst = multi_disclosure(*pair, roles.keys, roles.targets, groups=roles.groups).target[0]
    groups = {k: v for k, v in roles.groups.items() if k in [*roles.keys, worst]}
    found = disclosure(*pair, roles.keys, worst, groups=groups)
    if records is True:
        chosen = np.flatnonzero(found.records().correct)[:MOST_AT_RISK]
    else:
        chosen = checks.positions("records", records, len(roles.confidential))
    section.sentences += [f"Record {i}: {found.explain(int(i))}" for i in chosen]


def _add_flagged_levels(section, roles):
    """List the levels behind the flags."""
    for target in roles.targets:
        groups = {k: v for k, v in roles.groups.items() if k in [*roles.keys, target]}
        pair = roles.confidential, roles.synthetic
        found = disclosure(*pair, roles.keys, target, groups=groups)
        for way, table in (("one-way", found.one_way), ("two-way", found.two_way)):
            if len(table):
                section.tables[f"{way} flag of {target}"] = table.drop(columns="synthesis")


# What the report leaves open


def open_section(roles, small):
    """What is not measured, and who may see the report."""
    sentences = [
        "An intruder who knows other columns than these, or more about how the data were made "
        "(lesson 05), may do better or worse.",
        "It is assumed that the intruder knows the person to be in the table; whether somebody is "
        "in it (membership) is not measured, nor how many people outside share the same values "
        "(lesson 07).",
        "Values that are nearly right count for numbers within the radius only, and for keys and "
        "targets only where they fall into the same group.",
        "Other tables that could be linked with this one, and several releases together, are not "
        "looked at.",
        "These are numbers of one synthetic table: another draw of the same synthesis gives "
        "others.",
    ]
    if small:
        sentences.append(
            f"Small cells: this report gives counts below {SMALL_CELL}. A small count can itself "
            "point at a person, so decide who may see the report, and round it before you publish."
        )
    return Section("open", "What this report does not say", sentences)
