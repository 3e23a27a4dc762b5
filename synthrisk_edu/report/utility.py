"""Is it still useful? The part on utility: the whole file, then table by table."""

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.report.section import Section, brief, named, sample, verb
from synthrisk_edu.utility import pmse_ratio, pmse_tables
from synthrisk_edu.words import about

# What would take too long, or too much memory, is left out and said.
MANY_LEVELS = 100
MANY_VARIABLES = 40
MANY_PARAMETERS = 200
MANY_RECORDS = {"logistic": 50_000, "cart": 5_000}  # a tree is grown 21 times


def utility_section(roles):
    """Is it still useful? The pMSE ratio of the file, and the worst tables."""
    section = Section("utility", "Is it still useful?")
    variables = [name for name in roles.shared if _fits(roles, name)]
    left = [name for name in roles.shared if name not in variables]
    if left:
        many = f"{verb(left, 'has', 'have')} too many different values to be compared here."
        section.sentences.append(f"{named(left)} {many}")
    if not variables:
        return section
    ours, synthetics = roles.confidential[variables], [one[variables] for one in roles.synthetics]
    _add_whole_file(section, ours, synthetics, roles)
    _add_tables(section, ours, synthetics, roles)
    return section


def _fits(roles, name):
    """Say whether a column can be compared: a quantity, or a category of not too many levels."""
    if name in roles.identifiers:
        return False
    columns = roles.confidential[name], roles.synthetic[name]
    quantity = all(map(checks.is_numeric, columns))
    return quantity or max(one.nunique() for one in columns) <= MANY_LEVELS


def _add_whole_file(section, ours, synthetics, roles):
    """Add the pMSE ratio of all variables together, on average over the synthetic tables."""
    model = propensity_model(ours, synthetics[0])
    most = MANY_RECORDS[model]
    if max(map(len, [ours, *synthetics])) > most:
        sampled = f"The whole-file comparison uses a random sample of {most:,} records."
        section.sentences.append(sampled)
    ours, *made = (sample(data, most, roles.seed) for data in (ours, *synthetics))
    how = {"model": model, "seed": roles.seed}
    ratio = float(np.mean([roles.done(pmse_ratio(ours, one, **how)) for one in made]))
    kind = {"logistic": "a logistic regression", "cart": "a tree"}[model]
    measured = "undefined, for nothing varies" if np.isnan(ratio) else _ratio(ratio)
    section.sentences.append(
        f"pMSE ratio: {kind} is asked to tell synthetic from confidential records. What it sees "
        f"(the pMSE), divided by what chance alone would show, is {measured}. A draw "
        "from the truth has about 1, and below 10 is usually acceptable; columns that were not "
        "changed pull it below 1, and a copy of the confidential table has 0. Another model may "
        "see differences that this one misses."
    )
    meaning = f"pMSE ({kind}) over what chance gives; chance: 1, a copy: 0, below 10 acceptable"
    section.number("pMSE ratio of the file", ratio, meaning)
    meaning = "usefulness: about 1 is a file drawn anew, 0 a copy, above 10 is poor"
    section.headline(f"pMSE ratio ({kind.removeprefix('a ')})", meaning, synthetic=ratio)


def propensity_model(ours, theirs):
    """Return "logistic" if its main effects and interactions are few enough, else "cart"."""
    effects = [_effects(ours[name], theirs[name]) for name in ours]
    main = sum(effects)
    interactions = (main**2 - sum(one**2 for one in effects)) / 2
    return "logistic" if main + interactions < MANY_PARAMETERS else "cart"


def _effects(ours, theirs):
    """The parameters a column needs: one for a quantity, else one fewer than it has levels."""
    if checks.is_numeric(ours) and checks.is_numeric(theirs):
        return 1
    return max(ours.nunique(dropna=False), theirs.nunique(dropna=False)) - 1


def _add_tables(section, ours, synthetics, roles):
    """Add the tables of one and of two variables, worst first."""
    one = _tables(ours, synthetics, 1, roles)
    section.tables["one_way_tables"] = one
    worst = one.iloc[0]
    section.sentences.append(
        f"Of the single columns {brief(worst.variable_1)} fits worst, with a ratio of "
        f"{_ratio(worst.ratio)}."
    )
    meaning = "the same for this column alone"
    for row in one.itertuples():
        section.number(f"pMSE ratio of {row.variable_1}", row.ratio, meaning)
    section.pictures["utility"] = (section.sentences[-1], (one,))
    if len(one) == 1:
        return
    chosen = list(one.variable_1[:MANY_VARIABLES])
    among = "" if len(chosen) == len(one) else f" (of the {MANY_VARIABLES} worst columns)"
    two = _tables(ours[chosen], [made[chosen] for made in synthetics], 2, roles)
    section.tables["two_way_tables"] = two
    worst, median = two.iloc[0], two.ratio.median()
    section.sentences.append(
        f"Of the tables of two columns{among}, {brief(worst.variable_1)} by "
        f"{brief(worst.variable_2)} fits worst, with a ratio of {_ratio(worst.ratio)}; half of all "
        f"have a ratio of at most {_ratio(median)}."
    )
    meaning = "the highest ratio of a table of two columns"
    section.number("worst two-way pMSE ratio", worst.ratio, meaning)
    section.number("median two-way pMSE ratio", median, "half of these tables have no more")


def _tables(ours, synthetics, ways, roles):
    """Measure every table of one or two columns, on average over the synthetic tables."""
    each = [roles.done(pmse_tables(ours, one, ways=ways)) for one in synthetics]
    if len(each) == 1:
        return each[0]
    names = [name for name in each[0] if name.startswith("variable")]
    mean = pd.concat(each).groupby(names, sort=False).mean().reset_index()
    return mean.sort_values("ratio", ascending=False, kind="stable", ignore_index=True)


def _ratio(value):
    """A ratio in words."""
    return "undefined" if np.isnan(value) else about(round(value, 2))
