"""And somebody who knows something else? A line for each intruder, with a fixed set of columns."""

import pandas as pd

from synthrisk_edu.households import unique_uniques
from synthrisk_edu.match import baseline
from synthrisk_edu.report.matching import least_risk
from synthrisk_edu.report.section import Section, brief, named
from synthrisk_edu.sweep import match_all
from synthrisk_edu.words import about, listing

MEANINGS = {
    True: "right guesses of this intruder, who tries to find everybody (expected match risk)",
    False: "records that are alone with what this intruder knows: in the confidential table, and "
    "in both tables",
}


def intruders_section(roles):
    """What each intruder achieves: with the confidential table, the synthetic one, the floor."""
    section = Section("intruders", "And somebody who knows something else?")
    measure = _matched if roles.paired else _alone
    rows = []
    for name, columns in roles.intruders.items():
        found = roles.done(measure(roles, columns))
        rows.append({"intruder": name, "knows": named(columns)} | found)
        section.sentences.append(_read(roles, name, columns, found))
        for table, value in found.items():
            section.number(f"{name}, {table}", value, MEANINGS[roles.paired])
    table = pd.DataFrame(rows).sort_values("synthetic", ascending=False, ignore_index=True)
    section.tables["intruders"] = table
    if len(table) > 1:
        section.sentences.append(
            f"Of these, {brief(table.intruder[0])} finds the most. Who is the most likely to try, "
            "no table can tell."
        )
    return section


def _matched(roles, columns):
    """The expected match risk of an intruder who knows these columns."""
    now = roles.knowing(columns)
    how = (now.known, now.synthesized, now.radius)
    summaries = {
        "confidential": baseline(roles.confidential, *how).summary(),
        "synthetic": match_all(roles.confidential, roles.synthetics, *how).mean(),
        "floor": least_risk(now).summary(),
    }
    return {name: float(one.expected_match_risk) for name, one in summaries.items()}


def _alone(roles, columns):
    """How many are alone with these columns in the confidential table, and in both tables."""
    ours, *made = (
        unique_uniques(roles.confidential, table, columns).households["SU-CU"]
        for table in (roles.confidential, *roles.synthetics)
    )
    return {"confidential": float(ours), "synthetic": float(pd.Series(made).mean())}


def _read(roles, name, columns, found):
    """Read one line aloud."""
    n, name = len(roles.confidential), brief(name)
    knows = f"{name[:1].upper()}{name[1:]} knows {named(columns)}"
    if not roles.paired:
        return (
            f"{knows}: {about(found['confidential'])} of {n:,} are alone with that in the "
            f"confidential table, and {about(found['synthetic'])} in both tables."
        )
    untouched = [one for one in roles.known if one in columns]
    alone = f"by {listing(map(brief, untouched))} alone" if untouched else "by a guess alone"
    return (
        f"{knows}: right {_times(found['synthetic'])} of {n:,} with the synthetic table, "
        f"{_times(found['confidential'])} with the confidential one, and {alone} (the "
        f"floor) {_times(found['floor'])}."
    )


def _times(value):
    """Say how often.

    >>> _times(1.0), _times(67.789)
    ('once', '68 times')
    """
    return "once" if about(value) == "1" else f"{about(value)} times"
