"""What all tests share: a drawing backend without a screen, and the folders of known results."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling

# Before anything imports matplotlib: tests draw into memory, never on a screen.
os.environ["MPLBACKEND"] = "Agg"

# Every core has a process of its own: more threads for the linear algebra would be in its way.
os.environ |= dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"], "1")

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


@pytest.fixture(scope="session")
def chromium():
    """A real browser without a window, one in every process."""
    from jupyter_browser import browser, find_chromium

    if find_chromium() is None:
        # Continuous integration installs chromium, so there a skip would hide a mistake.
        refuse = pytest.fail if os.environ.get("CI") else pytest.skip
        refuse("no chromium is installed (Debian: apt install chromium fonts-dejavu-core)")
    with browser() as started:
        yield started


NO_PAGE = """globalThis.document = {querySelectorAll: () => []};
globalThis.ResizeObserver = class { observe() {} };
"""


@pytest.fixture(scope="session")
def script():
    """A function that evaluates an expression of the site's script, given some `data`."""
    node = shutil.which("node")
    if node is None:
        # Continuous integration installs node, so there a skip would hide a mistake.
        refuse = pytest.fail if os.environ.get("CI") else pytest.skip
        refuse("no node is installed (Debian: apt install nodejs)")
    from synthrisk_classroom.convert import asset

    code = asset("site.js")

    def evaluate(expression, data):
        program = f"{NO_PAGE}{code}\nconst data = {json.dumps(data)};\n"
        program += f"console.log(JSON.stringify({expression}));"
        done = subprocess.run([node], input=program, capture_output=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return evaluate


# Only now, that the drawing backend is chosen.
from synthrisk_classroom.running import lesson_paths, name_of  # noqa: E402

LONG_FIRST = ("07", "05", "06", "09", "08")  # lessons that take longest to run


def a_lesson(path):
    """The parameter of a test of a lesson, by its file."""
    return pytest.param(path, id=name_of(path))


@pytest.fixture(params=map(a_lesson, lesson_paths().values()))
def lesson(request):
    """The file of a lesson, core or further: a test with this argument is run for each."""
    return request.param


@pytest.fixture
def executed(lesson):
    """A lesson that was run once for all tests of it; its panels are put back by who moves them."""
    from notebook_runner import run_lesson

    return run_lesson(lesson)


def pytest_collection_modifyitems(items):
    """Start with the long tests, so that no core waits for the other at the end."""
    items.sort(key=turn)


def turn(item):
    """First slow tests, then those of whole lessons, then the many short ones."""
    if "executed" in getattr(item, "fixturenames", ()):
        number = item.callspec.params["lesson"].name[:2]
        return 1, LONG_FIRST.index(number) if number in LONG_FIRST else len(LONG_FIRST)
    return 0 if item.get_closest_marker("slow") else 2, 0


class Together(LoadScopeScheduling):
    """Gives tests to processes in groups, so that what they share is made in one of them."""

    def _split_scope(self, nodeid):
        """The tests of a lesson stay together, as 07_… and 07.1 here; else those of a file.

        >>> Together._split_scope(None, "tests/test_website.py::test_page[further/07_gibbs]")
        '07'
        """
        lesson = re.search(r"\[(?:further/)?(\d\d)[_.]", nodeid)
        return lesson[1] if lesson else nodeid.split("::")[0]


def pytest_xdist_make_scheduler(config, log):
    """Let the tests be given out as said above; `start.py` asks for "loadscope"."""
    return Together(config, log) if config.getvalue("dist") == "loadscope" else None
