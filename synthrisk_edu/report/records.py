"""What of single records? Only when somebody asks for them: this part holds values of the data."""

import numpy as np

from synthrisk_edu.disclosure import disclosure, multi_disclosure
from synthrisk_edu.report import checks
from synthrisk_edu.report.matching import match_both
from synthrisk_edu.report.section import Section

MOST_AT_RISK = 10
MOST_CANDIDATES = 10


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
    found = match_both(roles)["synthetic"]
    if records is True:
        order = np.argsort(-found.records.risk.to_numpy(), kind="stable")
        chosen = [int(i) for i in order[:MOST_AT_RISK]]
    else:
        chosen = [int(i) for i in checks.positions("records", records, len(found.records))]
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
    found = _look_up(roles, worst)
    if records is True:
        chosen = np.flatnonzero(found.records().correct)[:MOST_AT_RISK]
    else:
        chosen = checks.positions("records", records, len(roles.confidential))
    section.sentences += [f"Record {i}: {found.explain(int(i))}" for i in chosen]


def _look_up(roles, target):
    """What the keys give away about one target."""
    groups = {name: k for name, k in roles.groups.items() if name in [*roles.keys, target]}
    return disclosure(roles.confidential, roles.synthetic, roles.keys, target, groups=groups)


def _add_flagged_levels(section, roles):
    """List the levels behind the flags."""
    for target in roles.targets:
        found = _look_up(roles, target)
        for way, table in (("one-way", found.one_way), ("two-way", found.two_way)):
            if len(table):
                section.tables[f"{way} flag of {target}"] = table.drop(columns="synthesis")
