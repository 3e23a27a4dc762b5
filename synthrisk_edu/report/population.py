"""And outside the table? r and SU-CU: needs the share of the population that is in the table.

Who is alone in the table need not be alone in the population. r = E[1/F_k | f_k = 1] is how likely
it is that a match with somebody who is alone (SU-CU: alone in both tables) is right.
"""

from itertools import pairwise

import numpy as np
import pandas as pd

from synthrisk_edu.households import population_risk, unique_uniques
from synthrisk_edu.report.section import Section, named, percent
from synthrisk_edu.words import about

OFTEN = 0.5  # r above this is shown on the first page


def population_section(roles):
    """How many are alone in both tables, and how likely a match with them is right."""
    section = Section("population", "And outside the table? The population")
    ours, *synthetics = coded_keys(roles)
    r, why = _risk(ours, roles)
    section.sentences = [*why]
    if r is None:
        return section
    each = [unique_uniques(ours, one, roles.keys, r) for one in synthetics]
    table = pd.concat(each).groupby(level=0, sort=False).mean().rename_axis("keys")
    table = table.rename(columns={"households": "records"})
    section.tables["population"] = table.reset_index()
    section.sentences += [*_read(roles, r, table.records)]
    meaning = (
        "records alone with their keys in both tables; r: how likely a match with one is right"
    )
    for name, count in table.records.items():
        section.number(f"{name} (keys)", count, meaning)
    among = "expected right matches among all who are alone"
    section.number("sum of r", float(np.nansum(r)), among)
    name, above = f"r > {OFTEN:g}", int((r > OFTEN).sum())
    counts = {"confidential": above, "synthetic": table.records[name]}
    meaning = f"alone with their keys in both tables, and a match is right with more than {OFTEN:g}"
    section.headline(f"SU-CU with {name}", meaning, **counts)
    return section


def coded_keys(roles):
    """The keys of the confidential table and of each synthetic one, quantities in their groups."""
    tables = [roles.confidential, *roles.synthetics]
    frame = pd.DataFrame(roles.coded_keys(tables))
    ends = np.cumsum([0, *map(len, tables)])
    return [frame[start:stop].astype("category") for start, stop in pairwise(ends)]


def _risk(ours, roles):
    """Return r of every record, and what is to be said about it; None if it cannot be modelled."""
    overall = float(len(ours) / np.sum(1 / (roles.fraction * np.ones(len(ours)))))
    held = f"The confidential table holds {percent(overall)} of its population."
    same = (
        f"{held} The weights differ among people whose keys are the same, so that one share is "
        "taken for everybody."
    )
    for fraction, words in ((roles.fraction, held), (overall, same)):
        try:
            return population_risk(ours, roles.keys, fraction).to_numpy(), [words]
        except ValueError as error:
            reason = error
    return None, [f"{held} How many share the keys could not be modelled: {reason}"]


def _read(roles, r, counts):
    """Read the counts aloud."""
    alone = int(np.isfinite(r).sum())
    if not alone:
        yield f"Nobody is alone with {named(roles.keys)} in the confidential table."
        return
    yield (
        f"By {named(roles.keys)}, {alone:,} of {len(r):,} records are alone in the confidential "
        f"table. A match with one of them is right with probability r, for the population holds "
        f"others like them: {about(np.nansum(r))} right matches are expected among them."
    )
    above = counts[f"r > {OFTEN:g}"]
    likely = about(above) if above else "none"
    yield (
        f"{about(counts['SU-CU'])} are alone in both tables (SU-CU), {likely} of them "
        f"with r above {OFTEN:g}. Being alone in both does not mean that the synthetic record was "
        "made of that person; it is who an intruder would look at first."
    )
