"""What do the keys give away? The part on DiSCO, target by target."""

from synthrisk_edu.disclosure import multi_disclosure
from synthrisk_edu.report.section import Section, brief, named, percent


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
