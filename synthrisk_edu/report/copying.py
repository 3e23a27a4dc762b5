"""Was anybody copied? The part on copies and the closest record, and the part on the control."""

import numpy as np
import pandas as pd

from synthrisk_edu.members import closest_record, copies
from synthrisk_edu.report.disclosure import look_up_all
from synthrisk_edu.report.section import Section, brief, named, percent, sample
from synthrisk_edu.words import about, listing, say

MANY_PAIRS = 100_000_000  # pairs of records whose distance is computed; of more, a sample
SAME = "synthetic rows that are the same as a confidential row"
ONCE = "stands there only once"
NORMAL = 1.96  # a 95 % interval reaches so many standard errors to either side


def copies_section(roles):
    """Synthetic rows that stand in the confidential table as they are; needs no key or target."""
    section = Section("copies", "Was anybody copied?")
    columns = {"all columns": roles.compared, "the keys": roles.keys}
    counts = {
        name: roles.done(_count_copies(roles, chosen, roles.confidential))
        for name, chosen in columns.items()
        if chosen
    }
    table = pd.DataFrame(counts).T.rename_axis("compared on").reset_index()
    section.tables["copies"] = table.astype({"rows": float, "of_unique": float})
    unique = counts["all columns"]["of_unique"] if roles.compared else 0
    meaning = "synthetic rows that repeat a record that stands only once"
    section.headline("copies of unique records", meaning, synthetic=unique)
    section.sentences = [*_read_copies(roles, counts), *_read_distance(section, roles)]
    section.attention = [*_warn(roles, counts)]
    for name, count in counts.items():
        section.number(f"copies on {name}", count["rows"], SAME)
        once = f"{SAME} that {ONCE}"
        section.number(f"copies of unique rows on {name}", count["of_unique"], once)
    return section


def _count_copies(roles, columns, people):
    """Count the copies of people in the synthetic tables, on average over these."""
    found = [copies(people, one, columns=columns).loc["original"] for one in roles.synthetics]
    return pd.DataFrame(found).mean()


def _read_copies(roles, counts):
    """Read the counts aloud."""
    for name, count in counts.items():
        what = f"all {len(roles.compared)} columns" if name == "all columns" else named(roles.keys)
        yield (
            f"{about(count['rows'])} of the {len(roles.synthetic):,} synthetic rows "
            f"({percent(count['share'])}) are the same as a confidential row in {what}; "
            f"{about(count['of_unique'])} of them repeat a row that {ONCE}."
        )
    if roles.paired:
        ours, *synthetics = roles.numbered
        same = np.mean([(ours == theirs).sum() for theirs in synthetics])
        yield f"In {about(same)} rows nothing was changed at all."
    if roles.control is None:
        yield (
            "A row may be repeated by chance. How often that happens can be told only with a file "
            "of people who did not take part (control); there is none here."
        )


def _warn(roles, counts):
    """Warn from the first copied unique row on; a copy of the whole table is called a copy."""
    ours, *theirs = roles.numbered
    if roles.compared and any(same_rows(ours, one) for one in theirs):
        yield (
            "This is the confidential table itself: the synthetic one has the same rows, each as "
            "often, in the same or in another order. It must not be released as synthetic."
        )
        return
    count = counts.get("all columns", {"of_unique": 0, "share": 0})
    if count["of_unique"] > 0:
        yield (
            f"{about(count['of_unique'])} synthetic rows repeat, value for value, a record that "
            "stands only once in the confidential table. Find out why before the release."
        )
    if count["share"] > 0.5:
        yield f"{percent(count['share'])} of the synthetic rows stand in the confidential table."


def same_rows(ours, theirs):
    """Say whether two lists of numbered rows hold the same, each as often, in any order.

    >>> same_rows(np.array([0, 1, 1]), np.array([1, 0, 1]))
    True
    """
    return len(ours) == len(theirs) and bool((np.sort(ours) == np.sort(theirs)).all())


def _read_distance(section, roles):
    """Add how near the nearest record is, and say it; too many pairs are sampled."""
    if not roles.compared:
        return
    people, others = _equal_sizes(roles)
    made = roles.synthetic[roles.compared]
    n = max(1, MANY_PAIRS // len(people))
    if n < len(made):
        made = sample(made, n, roles.seed)
        yield f"The distances are those of a random sample of {n:,} synthetic rows."
    found = roles.done(closest_record(people, made, control=others))
    _add_distance(section, found, roles.paired)
    row = found.loc["original"]
    low = row["low"] and max(row["low"], 0.0001)  # nobody says 0.0000018
    yield (
        f"Half of the synthetic rows are at most {about(row['median'])} away from some "
        f"confidential record, one in twenty at most {about(low)} (0 is equal in every "
        "column, 1 is different in every column). A small distance is no proof of harm, and a "
        "large one no proof of safety."
    )
    if others is not None:
        yield (
            f"{percent(row.closer)} of the synthetic rows are closer to a member than to any of "
            f"as many others; {percent(found.closer['control'])} are closer to one of the others."
        )


def _add_distance(section, found, paired):
    """Add the distances to the tables and to the numbers; to the first page where rows pair not."""
    shown = found.rename({"original": "confidential"}).rename_axis("distance to").reset_index()
    names = {"low": "one in twenty", "closer": "share closer"}
    section.tables["closest"] = shown.rename(columns=names)
    median = found["median"]
    meaning = (
        "mean difference over the columns, from 0 (the same) to 1, of a synthetic row to the "
        "nearest confidential one"
    )
    section.number("median distance to the closest record", median.original, meaning)
    if not paired:
        meaning = "half of the synthetic rows are nearer to a confidential one; 0 is equal"
        distances = {"synthetic": median.original, "others": median.get("control")}
        section.headline("distance to the closest record", meaning, **distances)


def _equal_sizes(roles):
    """The members, and as many others: of the longer file a random sample."""
    people = roles.confidential[roles.compared]
    if roles.control is None:
        return people, None
    others = roles.control[roles.compared]
    n = min(len(people), len(others))
    return [sample(one, n, roles.seed) for one in (people, others)]


def members_section(roles):
    """The same questions about people who did not take part."""
    section = Section("members", "Would it also be said of somebody who never took part?")
    table = pd.DataFrame([_compare_copies(roles), *_compare_disclosure(roles)])
    section.tables["members"] = table
    section.sentences = [*_read_members(table, len(roles.control))]
    for row in table.itertuples():
        section.number(f"{row.measure}, members", row.members, "% among those who took part")
        section.number(f"{row.measure}, others", row.others, "% among those who did not")
    if (table.low > 0).any():
        section.attention = [
            f"Taking part adds risk: {listing(table.measure[table.low > 0])}, higher for members "
            "than for others by more than chance gives."
        ]
    copied = _count_copies(roles, roles.compared, roles.control)["of_unique"]
    section.headline("copies of unique records", others=copied)
    for row in table[table.measure.str.startswith("DiSCO")].itertuples():
        section.headline(f"{row.measure} (the highest), in %", others=row.others)
    return section


def _compare_copies(roles):
    """Compare how many synthetic rows repeat a unique row of members, and of as many others."""
    people, others = _equal_sizes(roles)
    counts = [_count_copies(roles, roles.compared, one)["of_unique"] for one in (people, others)]
    n = len(roles.synthetic)
    return compare("synthetic rows that repeat a unique record", *(c / n for c in counts), n, n)


def _compare_disclosure(roles):
    """Compare DiSCO of every target for members and for others."""
    if not (roles.keys and roles.targets):
        return
    members, others = (
        look_up_all(roles, people).set_index("target").DiSCO / 100
        for people in (roles.confidential, roles.control)
    )
    sizes = len(roles.confidential), len(roles.control)
    for target in members.index:
        yield compare(f"DiSCO of {brief(target)}", members[target], others[target], *sizes)


def compare(measure, members, others, n_members, n_others):
    """Return two shares in per cent, their difference with a 95 % interval, and the residual.

    added = members − others ± 1.96 · √(members (1 − members) / n + others (1 − others) / n′)

    >>> compare("DiSCO", 0.5, 0.25, 100, 100)["added"]
    25.0
    """
    spread = members * (1 - members) / n_members + others * (1 - others) / n_others
    added, reach = members - others, NORMAL * np.sqrt(spread)
    residual = added / (1 - others) if others < 1 else np.nan
    numbers = {"members": members, "others": others, "added": added}
    numbers |= {"low": added - reach, "high": added + reach, "residual": residual}
    return {"measure": measure} | {name: round(100 * one, 2) for name, one in numbers.items()}


def _read_members(table, n):
    """Read the comparison aloud."""
    yield (
        f"The control holds {n:,} people who did not take part. What the synthetic table says of "
        "them too is general knowledge; the difference was added by taking part."
    )
    for row in table.itertuples():
        yield (
            f"{row.measure[0].upper()}{row.measure[1:]}: {say(row.members)} % for members, "
            f"{say(row.others)} % for others. The difference is {say(row.added)} percentage "
            f"points (95 % interval {say(row.low)} to {say(row.high)})."
        )
