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


def name_roles(confidential, synthetics, control, roles, *, special=None, groups=None):
    """Check the roles that were named, and return the tables ready to be compared: a `Case`.

    `roles` maps keys, targets, known, synthesized, identifiers and weights to lists of columns.

    >>> true = pd.DataFrame({"Sex": list("FFMM"), "Job": ["cook", "nurse"] * 2})
    >>> name_roles(true, [true], None, {"keys": ["Sex"], "targets": ["Job"]}).codes
    []
    """
    tables = {"confidential": confidential} | checks.by_place("synthetic", synthetics)
    tables |= {} if control is None else {"control": control}
    named = {role: checks.names(role, names or []) for role, names in roles.items()}
    _some_roles(checks.frame("confidential", confidential), **named)
    apart = named.get("identifiers", []) + named.get("weights", [])
    looked_up = named.get("keys", []) + named.get("targets", [])
    with_role = [*looked_up, *named.get("known", []), *named.get("synthesized", [])]
    checks.apart({"identifiers and weights": apart, "the other roles": with_role})
    checks.frame("confidential", confidential, apart)
    shared = [name for name in confidential if name not in apart]
    shared = [name for name in shared if all(name in table for table in tables.values())]
    checks.same_kind(tables, [*shared, *with_role])
    if roles.get("identifiers") is None:
        _ask_about_identifiers(tables, [name for name in shared if name not in with_role])
    special = checks.mapping("special", special, shared, "a column that is compared")
    groups = _groups(confidential, looked_up, groups)
    coded = [table[looked_up].reset_index(drop=True) for table in tables.values()]
    for name, k in groups.items():
        columns = cells.group_alike([table[name] for table in coded], k, special.get(name, ()))
        for table, column in zip(coded, columns, strict=True):
            table[name] = column
    compared = {label: table[shared].reset_index(drop=True) for label, table in tables.items()}
    few = [name for name in shared if not is_amount(confidential[name])]
    codes = checks.numeric_names(few, compared.values())
    _as_categories(compared.values(), few)
    return Case(
        confidential=compared.pop("confidential"),
        control=compared.pop("control", None),
        synthetics=list(compared.values()),
        looked_up=coded,
        groups=groups,
        codes=codes,
    )


def _some_roles(confidential, keys=(), targets=(), known=(), synthesized=(), **_others):
    """Raise unless keys and targets are named, or known and synthesized, each column once."""
    if not targets and not synthesized:
        raise ValueError(
            "name the roles: keys=[…] and targets=[…] where everything is synthetic, or "
            "known=[…] and synthesized=[…] where some columns were replaced and rows pair; and "
            "identifiers=[…], weights='…' where there are any. The columns are: "
            f"{checks.shortened(map(str, confidential.columns))}."
        )
    if targets and not keys:
        raise ValueError("keys is empty; name the columns that an intruder looks people up with.")
    checks.apart({"keys": keys, "targets": targets})
    checks.apart({"known": known, "synthesized": synthesized})
    if len(confidential) < FEWEST:
        raise ValueError(f"confidential has {len(confidential)} rows; a report needs {FEWEST}.")


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
    numbers = checks.numeric_names(names, [confidential])
    chosen = {name: GROUPS for name in numbers if confidential[name].nunique() > MANY}
    chosen |= checks.mapping("groups", groups, names, "a key or a target")
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
