"""What of single records? Only when somebody asks for them: this part holds values of the data."""

import numpy as np
import pandas as pd

from synthrisk_edu.cells import combine
from synthrisk_edu.disclosure import disclosure
from synthrisk_edu.match import floor, match
from synthrisk_edu.report.matching import RADII
from synthrisk_edu.report.section import Section
from synthrisk_edu.sweep import record_risk
from synthrisk_edu.words import about

MOST_AT_RISK = 10
MOST_CANDIDATES = 10


def records_section(roles, records):
    """Stories of single records: the ten most at risk (True), or those at the given positions."""
    section = Section("records", "Single records, because you asked for them")
    section.sentences = [
        "This part shows values of single records: it is as confidential as the data themselves."
    ]
    pair = roles.confidential, roles.synthetic
    found = {  # by the keys, in the first synthetic table
        target: disclosure(*pair, roles.keys, target, **roles.options_of(target))
        for target in roles.targets
        if roles.keys
    }
    if roles.paired:
        _add_matched_records(section, roles, records)
    elif found:
        _add_looked_up_records(section, roles, found, records)
    for target, one in found.items():  # the levels behind the flags
        for way, table in (("one-way", one.one_way), ("two-way", one.two_way)):
            if len(table):
                section.tables[f"{way} flag of {target}"] = table.drop(columns="synthesis")
    return section


def _add_matched_records(section, roles, records):
    """Tell the story of each chosen record, and list its candidates."""
    how = (roles.known, roles.synthesized)
    risk = record_risk(roles.confidential, roles.synthetics, *how, roles.radius)["mean"].to_numpy()
    chosen = most_at_risk(roles, risk)[:MOST_AT_RISK] if records is True else records
    section.sentences += [_tied(risk)] if records is True else []
    found = match(roles.confidential, roles.synthetic, *how, roles.radius)
    table = found.records.iloc[chosen].assign(risk=risk[chosen], position=chosen)
    section.tables["records"] = table[["position", *found.records]]
    for i in map(int, chosen):
        section.sentences.append(found.explain(i))
        candidates = found.candidates(i)[roles.known + roles.synthesized]
        if records is not True and len(candidates):
            section.tables[f"candidates for record {i}"] = candidates.head(MOST_CANDIDATES)


def most_at_risk(roles, risk):
    """Order the records, the most at risk first.

    By T/c; where that is equal, by T/c on average over other radii (who is found at every radius is
    more at risk than who is found at one); where that is equal too, by the floor.
    """
    found = match(roles.confidential, roles.synthetic, roles.known, roles.synthesized)
    wider = [found.at(dict.fromkeys(roles.radius, r)).records.risk for r in RADII if roles.radius]
    rarity = floor(roles.confidential, roles.known).records.risk
    stays = np.mean(wider, axis=0) if wider else np.zeros(len(risk))
    return np.lexsort([-rarity, -stays, -risk])


def _tied(risk):
    """Say how the ten were chosen where more are equally at risk."""
    tied = int((risk == risk.max()).sum())
    have = "records have" if tied > 1 else "record has"
    return (
        f"The highest risk is {about(risk.max())}, and {tied:,} {have} it. Where records are "
        "equal, those come first that are also found at other radii, and then those that are "
        "rarest by what was not synthesized."
    )


def _add_looked_up_records(section, roles, found, records):
    """Tell what an intruder learns about each chosen record from its keys."""
    correct = pd.DataFrame({name: one.records().correct for name, one in found.items()})
    if records is True:
        most = correct.sum(axis=1).to_numpy()
        keys = combine(roles.coded_keys([roles.confidential]).values(), len(correct))
        sharing = np.bincount(keys)[keys]  # how many have the same keys
        records = np.lexsort([sharing, -most])[: min(MOST_AT_RISK, (most > 0).sum())]
        section.sentences.append(
            "Those come first of whom the keys give away the most targets; where that is equal, "
            "those who share their keys with the fewest others."
        )
    for i in map(int, records):
        disclosed = [name for name in found if correct[name].iloc[i]]
        first = found[disclosed[0] if disclosed else next(iter(found))]
        section.sentences.append(f"Record {i}: {len(disclosed)} targets. {first.explain(i)}")
