"""Is everything in place? What the first lesson asks before it starts."""

import platform
from importlib import metadata

import pandas as pd
from packaging.requirements import Requirement


def check_environment():
    """Return one row for Python and each package the lessons need: wanted, found, fine or not.

    >>> check_environment().columns.tolist()
    ['needs', 'wanted', 'found', 'fine']
    """
    python = "Python" + metadata.metadata("synthrisk_edu")["Requires-Python"]
    rows = []
    for one in map(Requirement, [python, *metadata.requires("synthrisk_edu")]):
        if one.marker is None:  # the others belong to extras, such as the tests
            found = _found(one.name)
            fine = found != "missing" and one.specifier.contains(found, True)
            rows.append((one.name, str(one.specifier), found, fine))
    return pd.DataFrame(rows, columns=["needs", "wanted", "found", "fine"])


def _found(package):
    """The version of a package, or that it is missing."""
    try:
        return platform.python_version() if package == "Python" else metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"
