"""Is everything in place? What the first lesson asks before it starts."""

import platform
from importlib import metadata

import pandas as pd
from packaging.requirements import Requirement


def check_environment() -> pd.DataFrame:
    """Return one row for Python and each package the lessons need: wanted, found, fine or not.

    >>> check_environment().columns.tolist()
    ['needs', 'wanted', 'found', 'fine']
    """
    python = "Python" + metadata.metadata("synthrisk_edu")["Requires-Python"]
    rows = []
    for need in map(Requirement, [python, *metadata.requires("synthrisk_edu")]):
        if need.marker is None:  # the others belong to extras, such as the tests
            version = version_of(need.name)
            fine = version != "missing" and need.specifier.contains(version, prereleases=True)
            rows.append((need.name, str(need.specifier), version, fine))
    return pd.DataFrame(rows, columns=["needs", "wanted", "found", "fine"])


def version_of(package):
    """The version of a package, or that it is missing."""
    try:
        return platform.python_version() if package == "Python" else metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"
