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
    about = metadata.metadata("synthrisk_edu")
    rows = [("Python", about["Requires-Python"], platform.python_version())]
    for line in metadata.requires("synthrisk_edu"):
        requirement = Requirement(line)
        if requirement.marker is None:  # the others belong to extras, such as the tests
            rows.append((requirement.name, str(requirement.specifier), _found(requirement.name)))
    table = pd.DataFrame(rows, columns=["needs", "wanted", "found"])
    fine = [
        found != "missing" and Requirement(f"x{wanted}").specifier.contains(found, True)
        for _, wanted, found in rows
    ]
    return table.assign(fine=fine)


def _found(package):
    """The version of a package, or that it is missing."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"
