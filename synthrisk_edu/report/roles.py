"""Who plays which part? What you have named, checked; nothing is guessed.

| role | the column |
|---|---|
| keys, targets | of fully synthetic files: an intruder looks people up by it; wants to learn it |
| known, synthesized | of partially synthetic ones: it was not changed, and is known; was replaced |
| identifiers | tells people apart and nothing else, as the number of a record does |
| weights | says how many people of the population a record stands for |

Identifiers and weights take no part in any comparison; all other columns do, with or without role.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.closeness import is_amount

NEARLY_ALL = 0.9  # of the values differ: may be an identifier
GROUPS = 20  # of a key or target …
MANY = 100  # … with more different numbers than this
FEWEST = 4  # records that can be halved and compared


@dataclass
class Case:
    """The tables as they are compared, and how."""

    confidential: pd.DataFrame  # the columns that take part; text and codes are categories
    synthetics: list
    control: pd.DataFrame | None
    looked_up: list  # the same tables with keys and targets in levels and groups
    groups: dict
    codes: list  # numbers with few different values: they are compared as categories


def name_roles(
    confidential,
    synthetics,
    control,
    *,
    keys,
    targets,
    known,
    synthesized,
    identifiers,
    weights,
    special,
    groups,
):
    """Check the roles that were named, and return the tables ready to be compared: a `Case`."""
    tables = {"confidential": confidential} | checks.by_place("synthetic", synthetics)
    tables |= {} if control is None else {"control": control}
    checks.frame("confidential", confidential)
    if not targets and not synthesized:
        raise ValueError(
            "name the roles: keys=[…] and targets=[…] where everything is synthetic, or "
            "known=[…] and synthesized=[…] where some columns were replaced and rows pair; and "
            "identifiers=[…], weights='…' where there are any. The columns are: "
            f"{checks.shortened(map(str, confidential.columns))}."
        )
    if len(confidential) < FEWEST:
        raise ValueError(f"confidential has {len(confidential)} rows; a report needs {FEWEST}.")
    looked_up = checks.names("keys", keys or [], targets and "column to look people up with")
    looked_up += checks.names("targets", targets or [], keys and "column to learn")
    matched = checks.names("known", known or [])
    matched += checks.names("synthesized", synthesized or [])
    checks.names("keys and targets", looked_up)
    checks.names("known and synthesized", matched)
    apart = checks.names("identifiers", identifiers or []) + ([weights] if weights else [])
    checks.apart({"identifiers and weights": apart, "the other roles": looked_up + matched})
    checks.frame("confidential", confidential, apart)
    shared = [name for name in confidential if name not in apart]
    shared = [name for name in shared if all(name in table for table in tables.values())]
    checks.same_kind(tables, [*shared, *looked_up, *matched])
    if identifiers is None:
        roles = looked_up + matched
        _ask_about_identifiers(tables, [name for name in shared if name not in roles])
    special = checks.mapping("special", special, shared, "a column that is compared")
    groups = _groups(confidential, looked_up, groups)
    compared = {label: table[shared].reset_index(drop=True) for label, table in tables.items()}
    codes = checks.numeric_names(shared, compared.values())
    codes = [name for name in codes if not is_amount(confidential[name])]
    _as_categories(compared.values(), [one for one in shared if not is_amount(confidential[one])])
    coded = [table[looked_up].reset_index(drop=True) for table in tables.values()]
    for name, k in groups.items():
        columns = cells.group_alike([table[name] for table in coded], k, special.get(name, ()))
        for table, column in zip(coded, columns, strict=True):
            table[name] = column
    return Case(
        confidential=compared.pop("confidential"),
        control=compared.pop("control", None),
        synthetics=list(compared.values()),
        looked_up=coded,
        groups=groups,
        codes=codes,
    )


def _ask_about_identifiers(tables, without_role):
    """Raise if a column without a role has nearly as many different values as rows."""
    for name in without_role:
        for table in tables.values():
            column = table[name].dropna()
            is_decimal = checks.is_numeric(column) and (cells.as_floats(column) % 1 != 0).any()
            if not is_decimal and column.nunique() > NEARLY_ALL * len(table):
                raise ValueError(
                    f"is {checks.show(name)} an identifier? Nearly all of its values differ, and "
                    f"it has no role. If it is one, write identifiers=[{checks.show(name)}], else "
                    "identifiers=[]."
                )


def _groups(confidential, names, groups):
    """Return the number of groups of each key and target: as named, else 20 for many numbers."""
    many = {
        name: GROUPS
        for name in checks.numeric_names(names, [confidential])
        if confidential[name].nunique() > MANY
    }
    chosen = many | checks.mapping("groups", groups, names, "a key or a target")
    chosen = {name: k for name, k in chosen.items() if k is not None}
    checks.quantities("confidential", confidential, chosen)
    for name, k in chosen.items():
        checks.number(f"groups[{checks.show(name)}]", k, 1, whole=True)
    return chosen


def _as_categories(tables, names):
    """Turn columns into categories with the same levels in all tables: quick to compare."""
    ends = np.cumsum([len(table) for table in tables])[:-1]
    for name in names:
        level = cells.label_levels([table[name] for table in tables])
        for table, part in zip(tables, np.split(level, ends), strict=True):
            table[name] = pd.Categorical(part, categories=range(level.max() + 1))


def population_fraction(confidential, weights, fraction):
    """Return the share of the population that is in the table, or None.

    >>> population_fraction(pd.DataFrame({"w": [10, 30]}), "w", None)
    0.05
    """
    if weights is None:
        return None if fraction is None else checks.number("fraction", fraction, 1e-12, 1)
    if fraction is not None:
        raise ValueError("give weights or fraction, not both: they say the same.")
    checks.quantities("confidential", confidential, [weights])
    if not (confidential[weights] >= 1).all():
        raise ValueError(f"{checks.show(weights)} cannot hold weights: each must be 1 or more.")
    return float(len(confidential) / confidential[weights].sum())
