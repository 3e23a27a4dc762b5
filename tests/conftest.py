"""What all tests share: a drawing backend without a screen, and the folders of known results."""

import os
from pathlib import Path

import pytest

# Before anything imports matplotlib: tests draw into memory, never on a screen.
os.environ["MPLBACKEND"] = "Agg"

PROJECT = Path(__file__).resolve().parent.parent

# A script, not a test: `python3 start.py bench` runs it.
collect_ignore = ["bench.py"]


@pytest.fixture(scope="session")
def project():
    """The project's folder."""
    return PROJECT


@pytest.fixture(scope="session")
def golden():
    """The folder of small tables with results worked out independently."""
    return PROJECT / "tests" / "golden"


@pytest.fixture(scope="session")
def reference():
    """The folder of published data with published results; not part of this repository."""
    folder = os.environ.get("SYNTHRISK_EDU_REFERENCE")
    if not folder or not Path(folder).is_dir():
        pytest.skip("the reference data are not here (SYNTHRISK_EDU_REFERENCE names their folder)")
    return Path(folder)


@pytest.fixture(scope="module")
def chromium():
    """A real browser without a window."""
    from jupyter_browser import browser, find_chromium

    if find_chromium() is None:
        # Continuous integration installs chromium, so there a skip would hide a mistake.
        refuse = pytest.fail if os.environ.get("CI") else pytest.skip
        refuse("no chromium is installed (Debian: apt install chromium fonts-dejavu-core)")
    with browser() as started:
        yield started


def pytest_collection_modifyitems(items):
    """Start with the long tests, so that no core waits for the other at the end."""

    def turn(item):
        """0 for a slow test, 1 for a whole lesson, 2 for the many short ones."""
        if item.get_closest_marker("slow"):
            return 0
        return 1 if "keeps_its_word" in item.name else 2

    items.sort(key=turn)
