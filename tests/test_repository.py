"""The house is in order: which room may use which, and what never gets in."""

import ast
import hashlib
import os
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import synthrisk_edu

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = ("synthrisk_edu", "synthrisk_classroom")

# Data flows down this list and never up: a room may import the ones above it. `plots` draws and
# computes nothing, so it stands above every method.
ROOMS = """words progress threads pages checks cells data fetch plots synthesis utility counting
matching sweep first_steps draws intruder disco noise members nearest closeness households game
source in_r report widgets""".split()

# Written in pieces, so that this file does not find itself.
HOSTS = ("pypi" + ".org", "python" + "hosted.org", "deb." + "debian.org", "registry." + "npmjs.org")
HOMES = ("work", "root", "home", "Users", "opt")
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(" + "|".join(HOMES) + r")/\w|[A-Z]:\\Users\\")

# Published data that we compare with but may not pass on.
FOREIGN_FILES = ("ACSdata*", "CEdata*", "syc.csv", "adult.*", "SD2011*", "*.rda", "*.RData")
CACHES = {".git", ".venv", ".hypothesis", ".pytest_cache", ".ruff_cache", "__pycache__"}


@cache
def repository_files():
    """All files that are, or would be, committed."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    inside = (PROJECT / ".git").exists()
    listed = subprocess.run(command, cwd=PROJECT, capture_output=True) if inside else None
    if listed and listed.returncode == 0:
        paths = [PROJECT / name for name in listed.stdout.decode().split("\0") if name]
    else:  # a download without git
        paths = [p for p in PROJECT.rglob("*") if not CACHES & set(p.relative_to(PROJECT).parts)]
    return [path for path in paths if path.is_file()]


def texts():
    """The name and the text of every file that is text."""
    for path in repository_files():
        data = path.read_bytes()
        if b"\0" not in data:
            yield path.relative_to(PROJECT).as_posix(), data.decode("utf-8")


@cache
def trees(package):
    """Every module of a package, parsed once: its path and its syntax tree."""
    paths = sorted((PROJECT / package).rglob("*.py"))
    return [(path, ast.parse(path.read_text("utf-8"))) for path in paths]


def imported(path, tree):
    """The full names of all that a module imports, anywhere in it; also by `import_module`."""
    package = path.relative_to(PROJECT).parent.parts
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # One dot means this package, every further dot the package above.
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and "import_" in ast.unparse(node.func):
            yield ast.unparse(node.args[0]).strip("'\"")
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.modules":
            yield "sys.modules"


# ------------------------------------------------------------------- the files


# Stands for every program that .ci/run calls: it writes down how it was called.
PROGRAM = """#!/bin/sh
echo "${0##*/} $*" >> "$TMPDIR/log"
case "$*" in
    "start.py test --all") exit "$ALL" ;;
    "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && cp "$0" "$3/bin/uv" ;;
    *"lowest-direct"*) exit "$INSTALLED" ;;
    *"not slow") exit "$OLDEST" ;;
esac
"""


@pytest.mark.skipif(os.name == "nt", reason="a script for bash")
@pytest.mark.parametrize("codes", ["000", "100", "010", "001", "101"])
def test_ci_runs_all_tests_then_the_fast_ones_with_the_oldest_libraries(codes, tmp_path):
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("python3", "node", "nproc", "apt-get", "sudo"):
        (programs / name).write_text(PROGRAM)
        (programs / name).chmod(0o755)
    places = {"PATH": f"{programs}:{os.environ['PATH']}", "TMPDIR": str(tmp_path)}
    environment = (
        os.environ | places | dict(zip(("ALL", "INSTALLED", "OLDEST"), codes, strict=True))
    )
    done = subprocess.run([PROJECT / ".ci" / "run"], env=environment, capture_output=True)
    assert done.returncode == int("1" in codes)
    called = (tmp_path / "log").read_text()
    assert "python3 start.py test --all\n" in called and "lowest-direct" in called
    assert ("-m not slow\n" in called) == (codes[1] == "0")  # nothing is tested half installed
    assert {path.name for path in tmp_path.iterdir()} == {"programs", "log"}


def test_no_file_names_a_place_of_somebodys_machine():
    found = [
        f"{name}:{number}: {line.strip()[:80]}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), start=1)
        if MACHINE_PATH.search(line)
    ]
    assert found == []


def test_no_file_names_a_package_index():
    assert [(name, host) for name, text in texts() for host in HOSTS if host in text] == []


def requirements(*without):
    """All requirements that pyproject.toml names, also in its extras, `without` some of them."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {k: v for k, v in project["optional-dependencies"].items() if k not in without}
    named = [*project["dependencies"], *(one for extra in extras.values() for one in extra)]
    return [Requirement(one) for one in named]


def test_constraints_pin_every_requirement_and_hold_no_address():
    lines = (PROJECT / "constraints.txt").read_text("utf-8").splitlines()
    pin = re.compile(r"([a-z0-9][a-z0-9.-]*)==([0-9][\w.]*)( ; .*)?")
    assert [line for line in lines if not pin.fullmatch(line) or "/" in line] == []
    pins = dict(pin.match(line).groups()[:2] for line in lines)
    wrong = [
        str(one)
        for one in requirements()
        if not one.specifier.contains(pins.get(canonicalize_name(one.name), "0"))
    ]
    assert wrong == []


def test_conda_brings_python_and_pip_what_start_py_installs():
    """No conda is within reach of the tests: every name in the file is one that they install."""
    yaml = pytest.importorskip("yaml")
    environment = yaml.safe_load((PROJECT / "environment.yml").read_text("utf-8"))
    python, pip, by_pip = environment["dependencies"]
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    newest = max(int(one.rpartition(".")[2]) for one in project["classifiers"] if " 3." in one)
    assert python == f"python{project['requires-python']},<3.{newest + 1}"
    assert pip == "pip"
    (extras,) = re.findall(r'^EXTRAS = "(.*)"', (PROJECT / "start.py").read_text("utf-8"), re.M)
    assert by_pip == {"pip": ["-c constraints.txt", f"-e .[{extras}]"]}


def test_both_licences_are_there_and_in_the_wheel():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["license-files"] == ["LICENSE", "LICENSE-lessons.md"]
    assert all((PROJECT / name).is_file() for name in project["license-files"])


def test_whoever_cites_us_names_the_version_that_is_installed():
    yaml = pytest.importorskip("yaml")
    cited = yaml.safe_load((PROJECT / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    assert cited["version"] == project["version"] == synthrisk_edu.__version__
    assert cited["authors"] == project["authors"]
    assert cited["license"] == project["license"]


def test_no_published_data_is_committed():
    names = [path.name for path in repository_files()]
    assert [n for n in names if any(fnmatch(n, pattern) for pattern in FOREIGN_FILES)] == []


def test_no_file_is_a_copy_of_a_reference_file(reference):
    def digest(path):
        return hashlib.sha256(path.read_bytes()).hexdigest()

    theirs = {digest(path) for path in reference.rglob("*") if path.is_file()}
    assert [path.name for path in repository_files() if digest(path) in theirs] == []


# ----------------------------------------------------------------- the packages


def test_data_flows_down_and_never_up():
    """And never into the classroom: not by name, not through sys.modules."""
    wrong = []
    for path, tree in trees("synthrisk_edu"):
        room = path.relative_to(PROJECT / "synthrisk_edu").parts[0].removesuffix(".py")
        assert room in ["__init__", *ROOMS], f"{room} is a new room: give it its place in ROOMS"
        above = ROOMS if room == "__init__" else [*ROOMS[: ROOMS.index(room)], room, "__version__"]
        for name in imported(path, tree):
            outer, _, inner = name.partition(".")
            if outer == "synthrisk_edu" and inner.split(".")[0] in above:
                continue
            # What is not written down as a name of a module may be anything.
            if outer in PACKAGES or name == "sys.modules" or not re.fullmatch(r"[\w.]+", name):
                wrong.append(f"{path.relative_to(PROJECT)} imports {name}")
    assert wrong == []


def test_pictures_compute_nothing():
    """What is drawn comes in as an argument: plots imports words and labels, and no method."""
    names = [
        name.split(".")[1]
        for path, tree in trees("synthrisk_edu/plots")
        for name in imported(path, tree)
        if name.startswith("synthrisk_edu.")
    ]
    assert set(names) == {"words", "data", "plots"}


def test_only_fetch_uses_the_network():
    """The promise to an office with confidential data; `serving` answers and never asks."""
    network = re.compile(r"(socket|ssl|http\.client|urllib\.request|ftplib|requests|httpx|pooch)\b")
    users = {
        path.name
        for package in PACKAGES
        for path, tree in trees(package)
        if any(map(network.match, imported(path, tree)))
    }
    assert users == {"fetch.py", "serving.py"}


def test_no_text_is_run_as_code():
    """The promise to a teacher who grades, and to an office that reads files.

    The report runs the cells of its own notebook, which is part of the package.
    """
    modules = {"pickle", "joblib", "marshal", "shelve"}
    calls = {"eval", "exec", "compile", "read_pickle"}
    found = []
    for path, tree in [one for package in PACKAGES for one in trees(package)]:
        nodes = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        called = {ast.unparse(one).removeprefix("pd.") for one in nodes}
        called |= {name.split(".")[0] for name in imported(path, tree)}
        found += [f"{path.parent.name}/{path.name}: {name}" for name in called & (modules | calls)]
    assert sorted(found) == ["report/report.py: compile", "report/report.py: exec"]


def loaded_by(program):
    """The modules that Python has loaded after this line of code, in a process of its own."""
    program = f"import sys; {program}; print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return set(answer.stdout.split())


SLOW = {"matplotlib.figure", "matplotlib.pyplot", "scipy", "seaborn", "sklearn"}
SLOW |= {"nbformat", "nbconvert"}


def test_the_import_is_light():
    """A script that only computes does not load what draws, shows panels or makes pages."""
    loaded = loaded_by("import synthrisk_edu")
    assert "synthrisk_edu.matching" in loaded
    others = {"matplotlib", "ipywidgets", "synthrisk_edu.report", "synthrisk_classroom"}
    assert loaded & (SLOW | others) == set()


def test_the_first_cell_of_a_lesson_is_light():
    """What draws, fits and makes pages is loaded by its first use."""
    first = "from synthrisk_classroom import lesson; lesson('01')"
    loaded = loaded_by(f"import synthrisk_edu.plots, synthrisk_edu.widgets; {first}")
    assert {"ipywidgets", "synthrisk_edu.plots.radius"} <= loaded
    assert loaded & SLOW == set()


@cache
def installed():
    """Which distributions bring a module: read once, for it takes seconds."""
    return packages_distributions()


def imported_from_elsewhere(paths):
    """The distributions that some files import."""
    ours = {*PACKAGES, "claims"} | {path.stem for path in repository_files()}
    names = [name for path in paths for name in imported(path, ast.parse(path.read_text("utf-8")))]
    modules = {name.split(".")[0] for name in names if re.fullmatch(r"[\w.]+", name)}
    modules -= sys.stdlib_module_names | ours
    return {canonicalize_name(installed().get(one, [one])[0]) for one in modules}


def test_every_import_is_declared():
    scripts = [path for path in repository_files() if path.suffix == ".py"]
    package = imported_from_elsewhere(path for one in PACKAGES for path, _ in trees(one))
    assert {"pandas", "pillow", "scikit-learn"} <= package
    for imports, without in [(package, ["test"]), (imported_from_elsewhere(scripts), [])]:
        declared = {canonicalize_name(one.name) for one in requirements(*without)}
        assert sorted(imports - declared) == []


# ------------------------------------------------------ proofs of the rules above


def test_imports_of_every_kind_are_seen():
    source = "import a.b\nfrom synthrisk_edu import data\nfrom . import plots\nfrom .x import y\n"
    path = PROJECT / "synthrisk_edu" / "matching.py"
    names = list(imported(path, ast.parse(source + "def f(): import c")))
    assert names == "a.b synthrisk_edu.data synthrisk_edu.plots synthrisk_edu.x.y c".split()
    dodges = "importlib.import_module('d')\nimport_module(f'e.{x}')\nsys.modules['g']"
    assert set(imported(path, ast.parse(dodges))) == {"d", "f'e.{x}", "sys.modules"}
    inner = PROJECT / "synthrisk_edu" / "widgets" / "panel.py"
    assert list(imported(inner, ast.parse("from ..data import z"))) == ["synthrisk_edu.data.z"]


def test_machine_paths_are_seen():
    slash = "/"
    assert MACHINE_PATH.search(f"open('{slash}home{slash}anna/file.csv')")
    assert MACHINE_PATH.search(f"see {slash}work{slash}shared")
    assert not MACHINE_PATH.search("at home/work/school, or ../home/x")
