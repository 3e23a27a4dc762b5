"""Who could this be? The part on matching, and the part on the radius."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from synthrisk_edu.match import floor, match
from synthrisk_edu.report.section import Section, named, percent, verb
from synthrisk_edu.sweep import match_all, maximizing_radius
from synthrisk_edu.words import about, say

MANY_RECORDS = 20_000  # of more, fewer radii are tried
FEW_RADII = [0.0, 0.1, 0.3, 1.0]
RADII = [0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0]
HARDLY_HIDDEN = 0.5  # of the risk of the confidential table: more asks for a look
MEANINGS = {
    "expected_match_risk": "how often an intruder is right who points at one candidate for every "
    "record; from 0 to the number of records, higher is riskier",
    "true_match_rate": "share of records whose only candidate is their own; higher is riskier",
    "false_match_rate": "share of the unique matches that are somebody else's; lower is riskier; "
    "empty where nobody has a unique match",
    "unique_matches": "number of records with exactly one candidate",
}


class Attack(NamedTuple):
    """Every record's c and T in one table at the chosen radius, and the summaries at all radii.

    It forgets how the table was prepared: prepared tables are large, and one at a time is enough.
    """

    records: pd.DataFrame
    chosen: pd.Series
    sweep: dict  # radius → summary

    def summary(self):
        """The summaries at the chosen radius."""
        return self.chosen


def attack(roles, table, radii=()):
    """Match the confidential table with another one, at the chosen radius and at others."""
    question = roles.confidential, table, roles.known, roles.synthesized
    found = roles.done(match(*question, roles.radius))
    sweep = {}
    for r in radii:
        radius = roles.radius | dict.fromkeys(varied(roles), r)
        sweep[r] = roles.done(found if radius == roles.radius else found.at(radius)).summary()
    return Attack(found.records, found.summary(), sweep)


def varied(roles):
    """The synthesized numbers, whose radius varies."""
    return [name for name in roles.synthesized if name in roles.radius]


def tried_radii(roles):
    """The radii of the sweep: the chosen one is among them, and large tables get fewer."""
    grid = RADII if len(roles.confidential) <= MANY_RECORDS else FEW_RADII
    chosen = {roles.radius[name] for name in varied(roles)}
    return sorted({*grid, *chosen}) if chosen else []


def matching_sections(roles):
    """Make the parts that match: at the chosen radius, and at all radii."""
    radii = tried_radii(roles)
    confidential, *synthetics = (
        attack(roles, table, radii) for table in (roles.confidential, *roles.synthetics)
    )
    least = least_risk(roles)
    yield matching_section(roles, confidential, synthetics, least)
    if radii:
        yield sweep_section(roles, confidential, synthetics, least.chosen.expected_match_risk)


def least_risk(roles):
    """Match by what was not synthesized alone: the floor."""
    radius = {name: r for name, r in roles.radius.items() if name in roles.known}
    found = floor(roles.confidential, roles.known, radius)
    return Attack(found.records, found.summary(), {})


def matching_section(roles, confidential, synthetics, least):
    """Identification risk by matching, between the confidential table and the floor."""
    section = Section("matching", "Who could this be? Matching")
    each = pd.DataFrame([one.summary() for one in synthetics])
    summaries = pd.DataFrame(
        {"confidential": confidential.chosen, "synthetic": each.mean(), "floor": least.chosen}
    )
    section.tables["matching"] = summaries.rename(_spaced).rename_axis("summary").reset_index()
    if len(synthetics) > 1:
        section.tables["files"] = each
    n, m = len(roles.confidential), len(synthetics)
    section.sentences = [describe_attack(roles), *read_matching(summaries, n, m)]
    for name, summary in summaries.items():
        for key, value in summary.items():
            section.number(f"{_spaced(key)}, {name}", value, MEANINGS[key])
    section.attention = list(say_what_carries_the_risk(summaries))
    risk, found = summaries.loc["expected_match_risk"], n * summaries.loc["true_match_rate"]
    meaning = f"right guesses of an intruder who tries to find all {n:,}"
    section.headline("expected match risk", meaning, **risk)
    meaning = "records whose only candidate is their own"
    section.headline("found uniquely and correctly", meaning, **found.round(2))
    matches = {"confidential": confidential, "synthetic": synthetics[0], "floor": least}
    section.pictures["matching"] = (section.sentences[1], (matches,))
    return section


def _spaced(name):
    """The name of a summary as one reads it."""
    return name.replace("_", " ")


def describe_attack(roles):
    """Say what the intruder knows and does."""
    parts = [f"{named(roles.known)} (unchanged)"] if roles.known else []
    parts += [f"the true {named(roles.synthesized)} (synthesized)"] if roles.synthesized else []
    suppose = f"Suppose an intruder knows {' and '.join(parts)} of everybody in the table"
    if not roles.radius:
        return f"{suppose}, and looks for records that agree on all of it."
    widths = [say(100 * r) for r in sorted(set(roles.radius.values()))]
    width = widths[0] if len(widths) == 1 else f"{widths[0]} to {widths[-1]}"
    return (
        f"{suppose}, and looks for records that agree on it; {named(roles.radius)} may differ by "
        f"up to {width} % of the true value (the radius)."
    )


def read_matching(summaries, n, m):
    """Read the three summaries aloud, each between the confidential table and the floor."""
    best, made, least = summaries.confidential, summaries.synthetic, summaries.floor
    found = {name: n * one.true_match_rate for name, one in summaries.items()}
    files = f" These are averages over {m} synthetic tables." if m > 1 else ""
    yield (
        f"Expected match risk: pointing at one candidate for each of the {n:,} records, the "
        f"intruder is right {about(made.expected_match_risk)} times on average, "
        f"{percent(made.expected_match_risk / n)} of them. With the confidential table "
        f"itself it would be {about(best.expected_match_risk)} times, and without a look at what "
        f"was synthesized (the floor) {about(least.expected_match_risk)} times. Higher is "
        f"riskier.{files}"
    )
    yield (
        f"True match rate: {about(found['synthetic'])} of {n:,} records "
        f"({percent(made.true_match_rate)}) have exactly one candidate, and it is their own. With "
        f"the confidential table itself it would be {about(found['confidential'])}, and by the "
        f"columns that were not synthesized alone {about(found['floor'])}. Higher is riskier."
    )
    if made.unique_matches == 0:
        yield "Nobody has exactly one candidate, so the false match rate is undefined."
        return
    yield (
        f"False match rate: of the {about(made.unique_matches)} records with exactly one "
        f"candidate, {percent(made.false_match_rate)} have somebody else's. Here lower is "
        "riskier: an intruder who finds a single candidate can then trust it."
    )


def say_what_carries_the_risk(summaries):
    """Say what a board should look at: what the floor explains, and matches that are sure."""
    made, least = summaries.synthetic, summaries.floor
    with_them, alone = about(made.expected_match_risk), about(least.expected_match_risk)
    if made.expected_match_risk < least.expected_match_risk:
        yield (
            "The columns that were not synthesized carry the risk: by them alone an intruder is "
            f"right {alone} times, {'hardly ' if alone == with_them else ''}more often than with "
            f"the synthesized ones ({with_them} times). No change of the synthesized columns "
            "brings the risk below that."
        )
    if made.false_match_rate == 0:
        yield "Every record with exactly one candidate is found correctly: such a match is sure."


def sweep_section(roles, confidential, synthetics, least):
    """The same question at every radius of the grid."""
    section, vary = Section("radius", "What if the radius changes?"), varied(roles)
    truth, *each = (pd.DataFrame(one.sweep).T for one in (confidential, *synthetics))
    truth = truth.rename_axis("radius").expected_match_risk
    sweep = pd.concat(each, keys=range(1, len(each) + 1), names=["dataset", "radius"]).reset_index()
    table = sweep.drop(columns="dataset").groupby("radius").mean()
    risk, best, without = table.expected_match_risk, maximizing_radius(sweep), _risk_without(roles)
    highest = max(risk[best], without)
    section.sentences = [*read_sweep(risk, best, without, vary, roles)]
    if not np.isclose(least, without):  # categories were synthesized as well
        section.sentences.append(read_floor(highest, least))
    if risk[best] > HARDLY_HIDDEN * truth.max():
        section.attention = [
            f"The synthetic values of {named(vary)} hide hardly anything: within {say(100 * best)} "
            f"% an intruder is right {about(risk[best])} times, and with the confidential table "
            f"itself {about(truth.max())} times."
        ]
    meaning = "expected match risk by the other columns alone, as if the radius had no end"
    section.numbers = [
        ("maximizing radius", best, "the radius of the grid with the highest expected match risk"),
        ("highest expected match risk", highest, "the number to report, over all radii and none"),
        ("expected match risk without the synthesized numbers", without, meaning),
    ]
    meaning = "expected match risk of the synthetic table at this radius"
    for r, value in risk.items():
        section.number(f"expected match risk at radius {r:g}", value, meaning)
    section.tables["radius"] = table.assign(expected_confidential=truth).reset_index()
    section.headline("expected match risk", confidential=truth.max(), synthetic=highest)
    if risk[best] > 0:
        section.pictures["radius"] = (section.sentences[0], (sweep, best, truth, without, least))
    return section


def _risk_without(roles):
    """What an intruder achieves who leaves the synthesized numbers aside: a radius without end."""
    vary = varied(roles)
    rest = [name for name in roles.synthesized if name not in vary]
    radius = {name: r for name, r in roles.radius.items() if name not in vary}
    if not roles.known + rest:
        return 1.0  # everybody is a candidate for everybody
    risks = match_all(roles.confidential, roles.synthetics, roles.known, rest, radius)
    return float(risks.expected_match_risk.mean())


def read_sweep(risk, best, without, vary, roles):
    """Say where the risk is highest, whether that is an edge, and which number to report."""
    last, most = risk.index.max(), risk[best]
    fixed = [name for name in roles.radius if name not in vary]
    stays = f" The radius of {named(fixed)} stays as it is." if fixed else ""
    yield (
        f"No radius is right by itself, so the radius of {named(vary)} is varied from 0 to "
        f"{say(100 * last)} %, in {len(risk)} steps.{stays} On this grid the expected match "
        f"risk is highest at {say(100 * best)} %, where it is {about(most)}."
    )
    if best in (0, last) and most > 0:
        why = ": beyond it the risk may rise." if best else ", where values must be equal."
        yield f"{say(100 * best)} % is an edge of the grid{why}"
    yield (
        f"The wider the radius, the less {named(vary)} {verb(vary, 'counts', 'count')}. An "
        f"intruder who leaves {verb(vary, 'it', 'them')} aside altogether and goes by the other "
        f"columns alone is right {about(without)} times."
    )
    yield f"The number to report is the larger of these: {about(max(most, without))}."


def read_floor(highest, least):
    """Say what an intruder finds who ignores all that was synthesized, and whether it is more."""
    words = f"The floor, all that was synthesized left aside, is {about(least)}"
    return f"{words}, which is more: report it as well." if least > highest else f"{words}."
