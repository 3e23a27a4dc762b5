"""What do the keys give away? The part on DiSCO, target by target."""

from synthrisk_edu.disclosure import multi_disclosure
from synthrisk_edu.report.section import Section, brief, named, percent

TITLE = "What do the keys give away?"
ONE_WAY, TWO_WAY = "1: one level makes up nearly all", "1: a level of a key tells it anyway"


def disclosure_section(roles):
    """What the keys give away about each target: the DiSCO table with its flags."""
    if not (roles.keys and roles.targets):
        empty = (
            "No column is left as key or as target, so this part is empty; name keys and targets."
        )
        return Section("disclosure", TITLE, [empty])
    return fill_disclosure(roles, roles.done(look_up_all(roles, roles.confidential)))


def fill_disclosure(roles, table):
    """Put a table of targets into words."""
    section = Section("disclosure", TITLE)
    section.tables["targets"] = table
    section.sentences = [*read_disclosure(roles, table)]
    section.attention = [*_warn(table)]
    first = table.iloc[0]
    section.number("UiO", first.UiO, "% of the confidential records that are alone with their keys")
    section.number("repU", first.repU, "% that are alone with their keys in both tables")
    for row in table.itertuples():
        section.numbers += [
            (f"DiSCO of {row.target}", row.DiSCO, "% whose answers agree and are right"),
            (f"Dorig of {row.target}", row.Dorig, "% disclosed by the confidential table itself"),
            (f"one-way flag of {row.target}", int(row.one_way), ONE_WAY),
            (f"two-way flag of {row.target}", int(row.two_way), TWO_WAY),
        ]
    highest = f"DiSCO of {brief(first.target)} (the highest), in %"
    meaning = "people whose keys lead to one answer, which is right"
    section.headline(highest, meaning, confidential=first.Dorig, synthetic=first.DiSCO)
    if not roles.paired:
        alone = {"confidential": first.UiO, "synthetic": first.repU}
        meaning = "people whose keys nobody else has: in the confidential table, and in both"
        section.headline("alone with their keys, in %", meaning, **alone)
    section.pictures["disclosure"] = (section.sentences[1], (table,))
    return section


def look_up_all(roles, people):
    """Look the people of a table up by the keys: one row for each target."""
    return multi_disclosure(people, roles.synthetics, roles.keys, roles.targets, **roles.options)


def read_disclosure(roles, table):
    """Read the table of targets aloud."""
    yield (
        f"Suppose an intruder knows {named(roles.keys)} of a person (the keys), looks these up in "
        "the synthetic table and believes it. DiSCO is the share of the confidential records for "
        "whom all answers found are the same, and right; Dorig is the share for whom the "
        "confidential table would tell it."
    )
    worst = table.iloc[0]
    yield (
        f"Most is given away about {brief(worst.target)}: DiSCO {percent(worst.DiSCO / 100)}, "
        f"beside Dorig {percent(worst.Dorig / 100)}. {percent(worst.UiO / 100)} are alone with "
        f"their keys in the confidential table, {percent(worst.repU / 100)} in both tables."
    )
    if len(roles.synthetics) > 1:
        yield f"These are averages over {len(roles.synthetics)} synthetic tables."
    if roles.paired:
        yield (
            "DiSCO is meant for data in which everything is synthetic. Here some columns are the "
            "true ones, so read it together with the part on matching."
        )
        if set(roles.keys) <= set(roles.known):
            yield "The keys were not synthesized: who is alone with them is so in both tables."
    yield "There is no threshold that is right for all: compare DiSCO with Dorig and among files."


def _warn(table):
    """Say what asks for a second look."""
    flagged = table.target[table.one_way | table.two_way]
    if len(flagged):
        yield (
            f"Look twice at {named(flagged)}: a flag says that an answer is very common, for "
            "everybody (one-way) or for a level of a key (two-way), so that it may be known "
            "without these data. It does not say that nothing is disclosed."
        )
    above = table[table.DiSCO > table.Dorig]
    if len(above):
        yield (
            f"For {named(above.target)} DiSCO is above Dorig. This happens where the confidential "
            "table has several answers under the same keys and the synthetic one has a single one, "
            "which is right for some: the synthetic table then gives away more than the keys do."
        )
