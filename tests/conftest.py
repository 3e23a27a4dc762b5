"""What all tests share: a drawing backend without a screen, and the folders of known results."""

import os
import sys
from pathlib import Path

import pytest

# Before anything imports matplotlib: tests draw into memory, never on a screen.
os.environ["MPLBACKEND"] = "Agg"

# What is imported is compiled once, and not once more by every kernel that a test starts.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# nbformat asks for grammars of addresses, which take three seconds to make; it works without.
sys.modules["rfc3987_syntax"] = None

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


LESSONS = sorted((PROJECT / "notebooks").glob("[0-9]*.ipynb"))
LONG_FIRST = ("07", "05", "06", "09", "08")  # lessons that take longest to run


def a_lesson(path):
    """The parameter of a test of a lesson, by its file."""
    return pytest.param(path, id=path.stem)


@pytest.fixture(params=map(a_lesson, LESSONS))
def lesson(request):
    """The file of a lesson: a test with this argument is run for each."""
    return request.param


@pytest.fixture
def executed(lesson, tmp_path_factory, worker_id):
    """A lesson that was run once in all, with its exercises solved and its claims checked."""
    from notebook_runner import run_lesson_once

    folder = tmp_path_factory.getbasetemp()
    shared = folder if worker_id == "master" else folder.parent
    return run_lesson_once(lesson, shared / "executed")


def pytest_collection_modifyitems(items):
    """Start with the long tests, so that no core waits for the other at the end.

    The tests of one lesson stand together, so that most often one process has them all.
    """

    def turn(item):
        """First slow tests, then those of whole lessons, then the many short ones."""
        if "executed" in getattr(item, "fixturenames", ()):
            number = item.callspec.params["lesson"].name[:2]
            return 1, LONG_FIRST.index(number) if number in LONG_FIRST else len(LONG_FIRST)
        return (0, 0) if item.get_closest_marker("slow") else (2, lesson_of(item))

    items.sort(key=turn)


def lesson_of(item):
    """Return the number of the lesson whose exercise a test is about, and 0 for others."""
    if item.path.name != "test_exercises.py" or not hasattr(item, "callspec"):
        return 0
    chosen = item.callspec.params
    return int(chosen["exercise"].lesson if "exercise" in chosen else chosen.get("lesson", 0))
