"""Who could this be? The part on matching, and the part on the radius."""

import pandas as pd

from synthrisk_edu.matching import baseline, match, maximizing_radius, radius_sweep
from synthrisk_edu.report.section import Section, named, percent, verb
from synthrisk_edu.words import say

RADII = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0]
MEANINGS = {
    "expected_match_risk": "how often an intruder is right who points at one candidate for every "
    "record; from 0 to the number of records, higher is riskier",
    "true_match_rate": "share of records whose only candidate is their own; higher is riskier",
    "false_match_rate": "share of the unique matches that are somebody else's; lower is riskier; "
    "empty where nobody has a unique match",
    "unique_matches": "number of records with exactly one candidate",
}


def matching_section(roles):
    """Identification risk by matching, beside the confidential baseline."""
    section = Section("matching", "Who could this be? Matching")
    matches = match_both(roles)
    summary = pd.DataFrame({name: one.summary() for name, one in matches.items()})
    summary.index = summary.index.str.replace("_", " ")
    section.tables["matching"] = summary.rename_axis("summary").reset_index()
    section.sentences = [describe_attack(roles), *read_matching(**matches)]
    for name, one in matches.items():
        for key, value in one.summary().items():
            section.numbers.append((f"{key.replace('_', ' ')}, {name}", value, MEANINGS[key]))
    section.pictures["matching"] = (section.sentences[1], (matches,))
    return section


def match_both(roles):
    """Match the confidential table with itself, and with the synthetic one."""
    how = (roles.known, roles.synthesized, roles.radius)
    return {
        "confidential": baseline(roles.confidential, *how),
        "synthetic": match(roles.confidential, roles.synthetic, *how),
    }


def describe_attack(roles):
    """Say what the intruder knows and does."""
    parts = []
    if roles.known:
        parts.append(f"{named(roles.known)} (unchanged)")
    if roles.synthesized:
        parts.append(f"the true {named(roles.synthesized)} (synthesized)")
    suppose = f"Suppose an intruder knows {' and '.join(parts)} of everybody in the table"
    if not roles.radius:
        return f"{suppose}, and looks for records that agree on all of it."
    return (
        f"{suppose}, and looks for records that agree on it; {named(roles.radius)} may differ by "
        f"up to {_width(roles.radius)} % of the true value (the radius)."
    )


def _width(radius):
    """The radius in per cent, or the smallest and the largest of several."""
    widths = [say(100 * r) for r in sorted(set(radius.values()))]
    return widths[0] if len(widths) == 1 else f"{widths[0]} to {widths[-1]}"


def read_matching(confidential, synthetic):
    """Read the three summaries aloud, the confidential table matched with itself beside each."""
    n, best, summary = len(synthetic.records), confidential.summary(), synthetic.summary()
    yield (
        f"Expected match risk: pointing at one candidate for each of the {n:,} records, the "
        f"intruder is right {say(summary.expected_match_risk)} times on average, "
        f"{percent(summary.expected_match_risk / n)} of them. With the confidential table "
        f"itself it would be {say(best.expected_match_risk)} times. Higher is riskier."
    )
    yield (
        f"True match rate: {say(synthetic.records.K.sum())} of {n:,} records "
        f"({percent(summary.true_match_rate)}) have exactly one candidate, and it is their "
        f"own; in the confidential table {say(confidential.records.K.sum())} have. Higher is "
        "riskier."
    )
    if summary.unique_matches == 0:
        yield "Nobody has exactly one candidate, so the false match rate is undefined."
        return
    yield (
        f"False match rate: of the {say(summary.unique_matches)} records with exactly one "
        f"candidate, {percent(summary.false_match_rate)} have somebody else's. Here lower is "
        "riskier: an intruder who finds a single candidate can then trust it."
    )


# The radius


def sweep_section(roles):
    """The same question at every radius of a grid; None where nothing numeric is synthesized."""
    vary = [name for name in roles.synthesized if name in roles.radius]
    if not vary:
        return None
    radii = sorted({*RADII, *(roles.radius[name] for name in vary)})
    fixed = {name: r for name, r in roles.radius.items() if name not in vary}
    sweeps = [
        radius_sweep(
            roles.confidential,
            [table],
            roles.known,
            roles.synthesized,
            radii,
            vary=vary,
            fixed=fixed,
        )
        for table in (roles.synthetic, roles.confidential)
    ]
    section = _read_sweep(*sweeps, vary, fixed)
    if any(name not in vary for name in roles.known + roles.synthesized):
        _add_without(section, roles, vary, fixed)
    return section


def _add_without(section, roles, vary, fixed):
    """Add what an intruder achieves who leaves the synthesized numbers aside: r without end."""
    rest = [name for name in roles.synthesized if name not in vary]
    without = match(roles.confidential, roles.synthetic, roles.known, rest, fixed)
    risk = without.summary().expected_match_risk
    section.sentences.append(
        f"The wider the radius, the less {named(vary)} {verb(vary, 'counts', 'count')}. An "
        f"intruder who leaves {verb(vary, 'it', 'them')} aside altogether and goes by the other "
        f"columns alone is right {say(risk)} times."
    )
    meaning = "expected match risk by the other columns alone, as if the radius had no end"
    section.numbers.append(("expected match risk without the synthesized numbers", risk, meaning))


def _read_sweep(sweep, confidential, vary, fixed):
    """Put the sweep into words and numbers."""
    best = maximizing_radius(sweep)
    most = sweep.set_index("radius").expected_match_risk[best]
    section = Section("radius", "What if the radius changes?")
    section.sentences = list(_sweep_sentences(sweep.radius, best, most, vary, fixed))
    section.numbers = [
        ("maximizing radius", best, "the radius with the highest expected match risk"),
        ("highest expected match risk", most, "the expected match risk at that radius"),
    ]
    meaning = "expected match risk of the synthetic table at this radius"
    for row in sweep.itertuples():
        measure = f"expected match risk at radius {row.radius:g}"
        section.numbers.append((measure, row.expected_match_risk, meaning))
    section.tables["radius"] = sweep.drop(columns="dataset").assign(
        expected_confidential=confidential.expected_match_risk
    )
    if most > 0:
        section.pictures["radius"] = (section.sentences[0], (sweep, best, confidential))
    return section


def _sweep_sentences(radii, best, most, vary, fixed):
    """Say where the risk is highest."""
    if most == 0:
        yield "At every radius tried, the expected match risk is 0."
        return
    stays = f" The radius of {named(fixed)} stays as it is." if fixed else ""
    yield (
        f"No radius is right by itself, so the radius of {named(vary)} is varied from "
        f"{say(100 * radii.min())} to {say(100 * radii.max())} %.{stays} The expected match risk "
        f"is highest at {say(100 * best)} %, where it is {say(most)}: this is the number to "
        "report, for no other radius of the grid shows more risk."
    )
    if best in (radii.min(), radii.max()):
        yield "This radius is an end of the grid: beyond it the risk may be higher still."
