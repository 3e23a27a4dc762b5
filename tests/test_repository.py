"""The house is in order: what stands where, which room may use which, and what never gets in."""

import ast
import hashlib
import json
import os
import re
import statistics
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from functools import cache
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = PROJECT / "synthrisk_edu"

TOP_LEVEL = """notebooks synthrisk_edu data tests environment.yml README.md start.py pyproject.toml
constraints.txt .ci/run LICENSE LICENSE-lessons.md CONTRIBUTING.md CHANGELOG.md""".split()

# Data flows down this list and never up: a room may import the ones above it.
ROOMS = """words progress checks cells data fetch synthesis utility counting match sweep intruder
disclosure members households code plots report widgets classroom lessons __main__""".split()

# Written in pieces, so that this file does not find itself.
HOSTS = ("pypi" + ".org", "python" + "hosted.org", "deb." + "debian.org", "registry." + "npmjs.org")
HOMES = ("work", "root", "home", "Users", "opt")
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(" + "|".join(HOMES) + r")/\w|[A-Z]:\\Users\\")

# Slow to import, so nothing loads them before they are used.
HEAVY = {"matplotlib.figure", "matplotlib.pyplot", "scipy", "scipy.stats", "seaborn", "sklearn"}

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
def trees():
    """Every module of the package, parsed once: its path and its syntax tree."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return [(path, ast.parse(path.read_text("utf-8"))) for path in paths]


def room_of(path):
    """The room a module belongs to; plots and widgets may be folders."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path, tree):
    """The full names of all modules and names that a module imports, anywhere in it."""
    inside = path.is_relative_to(PACKAGE)
    package = ("synthrisk_edu", *path.relative_to(PACKAGE).parent.parts) if inside else ()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # One dot means this package, every further dot the package above.
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


# ------------------------------------------------------------------- the files


@pytest.mark.parametrize("name", TOP_LEVEL)
def test_top_level(name):
    assert (PROJECT / name).exists()


def test_ci_runs_the_test_command():
    script = PROJECT / ".ci" / "run"
    assert script.read_text("utf-8").rstrip().endswith("\npython3 start.py test --all")
    assert os.name == "nt" or os.access(script, os.X_OK)


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


def test_constraints_pin_versions_and_hold_no_address():
    lines = (PROJECT / "constraints.txt").read_text("utf-8").splitlines()
    pin = re.compile(r"[a-z0-9][a-z0-9.-]*==[0-9][\w.]*( ; .*)?")
    assert [line for line in lines if not pin.fullmatch(line) or "/" in line] == []
    assert len(lines) > 50


def test_no_published_data_is_committed():
    names = [path.name for path in repository_files()]
    assert [n for n in names if any(fnmatch(n, pattern) for pattern in FOREIGN_FILES)] == []


def test_no_file_is_a_copy_of_a_reference_file(reference):
    def digest(path):
        return hashlib.sha256(path.read_bytes()).hexdigest()

    theirs = {digest(path) for path in reference.rglob("*") if path.is_file()}
    assert [path.name for path in repository_files() if digest(path) in theirs] == []


# ------------------------------------------------------------------ the package


def test_data_flows_down_and_never_up():
    wrong = []
    for path, tree in trees():
        room = room_of(path)
        if room == "__init__":
            continue  # the front door opens on every room
        assert room in ROOMS, f"{room} is a new room: give it its place in ROOMS"
        for name in imported(path, tree):
            parts = name.split(".")
            if parts[0] != "synthrisk_edu" or parts[1:2] == [room]:
                continue
            if len(parts) < 2 or parts[1] not in ROOMS[: ROOMS.index(room)]:
                wrong.append(f"{path.relative_to(PROJECT)} imports {name}")
    assert wrong == []


def test_only_widgets_imports_ipywidgets():
    users = {
        room_of(path)
        for path, tree in trees()
        for name in imported(path, tree)
        if name.split(".")[0] == "ipywidgets"
    }
    assert users <= {"widgets", "classroom"}


def test_only_fetch_uses_the_network():
    """Others may take an address apart, or name an error; `serving` answers and never asks."""
    network = re.compile(r"(socket|ssl|http\.client|urllib\.request|ftplib|requests|httpx|pooch)\b")
    users = {
        (room_of(path), name)
        for path, tree in trees()
        for name in imported(path, tree)
        if network.match(name) and path.name != "serving.py"
    }
    assert {room for room, _ in users} == {"fetch"}


def test_the_package_runs_no_text_as_code():
    wrong = []
    for path, tree in trees():
        modules = {name.split(".")[0] for name in imported(path, tree)}
        calls = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        bad = modules & {"pickle", "joblib", "marshal", "shelve"} | calls & {"eval", "exec"}
        bad |= {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr in ("read_pickle", "to_pickle", "eval")
        }
        wrong += [f"{path.relative_to(PROJECT)} uses {name}" for name in sorted(bad)]
    # Only `grade --run` does, after a warning and in a process of its own.
    assert wrong == ["synthrisk_edu/classroom/running.py uses exec"]


def loaded_by(program):
    """The modules that Python has loaded after this line of code, in a process of its own."""
    program = f"import sys; {program}; print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return set(answer.stdout.split())


def test_the_import_is_light():
    """A script that only computes does not load the libraries for pictures and panels."""
    loaded = loaded_by("import synthrisk_edu")
    assert "synthrisk_edu" in loaded
    assert not loaded & {"ipywidgets", *HEAVY}


def test_the_first_cell_of_a_lesson_is_light():
    """Panels and pictures are there at once; what draws and fits is loaded by its first use."""
    loaded = loaded_by("import synthrisk_edu.classroom.game_panel, synthrisk_edu.widgets")
    assert {"ipywidgets", "synthrisk_edu.plots.radius"} <= loaded
    assert not loaded & HEAVY
    assert HEAVY & loaded_by("from synthrisk_edu.plots import look; look.figure()") == {
        "matplotlib.figure"
    }


def names_used_in_lessons():
    """Every name that a lesson takes from the package, and the names it imports from elsewhere."""
    used, imports = set(), set()
    for path in sorted((PROJECT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        code = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                used |= {node.attr} if node.value.id in ("sr", "plots", "widgets") else set()
            if isinstance(node, ast.ImportFrom) and node.module.startswith("synthrisk_edu"):
                imports |= {f"{node.module}.{alias.name}" for alias in node.names}
    return used, imports


def listed_in_the_readme():
    return set(re.findall(r"`(\w+)`", (PROJECT / "README.md").read_text("utf-8")))


def test_everything_a_lesson_uses_is_public_and_listed():
    used, imports = names_used_in_lessons()
    assert {"match", "lineup", "file_panel"} <= used
    assert sorted(used - listed_in_the_readme()) == []
    game = "synthrisk_edu.classroom.game_panel."
    others = {name for name in imports if not name.startswith(game)}
    assert others == {"synthrisk_edu.plots", "synthrisk_edu.widgets"}
    assert {name.removeprefix(game) for name in imports - others} <= listed_in_the_readme()


def test_every_public_function_is_listed():
    import synthrisk_edu as sr

    public = {
        name
        for name, value in vars(sr).items()
        if not name.startswith("_") and callable(value) and name[0].islower()
    }
    assert sorted(public - listed_in_the_readme()) == []


def test_the_signs_lead_somewhere():
    """Every file that CONTRIBUTING.md names is there."""
    text = (PROJECT / "CONTRIBUTING.md").read_text("utf-8").split("### Where do I look?")[1]
    named = set(re.findall(r"`((?:\w+/)?\w+\.py)`", text.split("\n\n")[1])) - {
        "lessons/lesson_NN.py"
    }
    assert len(named) > 8
    assert [name for name in sorted(named) if not (PACKAGE / name).is_file()] == []


def declared(*without):
    """The distributions that pyproject.toml names, also in its extras, `without` some of them."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {k: v for k, v in project["optional-dependencies"].items() if k not in without}
    named = chain(project["dependencies"], *extras.values())
    return {canonicalize_name(Requirement(one).name) for one in named}


@cache
def installed():
    """Which distributions bring a module: read once, for it takes seconds."""
    return packages_distributions()


def imported_from_elsewhere(paths):
    """The distributions that some files import."""
    ours = {"synthrisk_edu", "claims"} | {path.stem for path in repository_files()}
    names = (name for path in paths for name in imported(path, ast.parse(path.read_text("utf-8"))))
    modules = {name.split(".")[0] for name in names} - sys.stdlib_module_names - ours
    return {canonicalize_name(installed().get(one, [one])[0]) for one in modules}


def test_every_import_is_declared():
    scripts = [path for path in repository_files() if path.suffix == ".py"]
    package = imported_from_elsewhere(path for path, _ in trees())
    assert {"pandas", "pillow", "scikit-learn"} <= package
    assert sorted(package - declared("test")) == []
    assert sorted(imported_from_elsewhere(scripts) - declared()) == []


def test_the_readme_of_the_data_names_every_file_and_script():
    text = (PROJECT / "data" / "README.md").read_text("utf-8")
    named = text.replace("<name>_codebook", " ".join(f"{n}_codebook.csv" for n in CODEBOOKS))
    files = [path.name for path in repository_files() if path.parent.name == "data"]
    assert "make_members.py" in files
    assert [name for name in files if name not in named and name != "README.md"] == []


CODEBOOKS = ("acs", "ce", "diagnosis", "youth")


# ------------------------------------------------------ proofs of the rules above


def test_imports_of_every_kind_are_seen():
    source = "import a.b\nfrom synthrisk_edu import data\nfrom . import plots\nfrom .x import y\n"
    names = list(imported(PACKAGE / "matching.py", ast.parse(source + "def f(): import c")))
    assert names == "a.b synthrisk_edu.data synthrisk_edu.plots synthrisk_edu.x.y c".split()
    inner = PACKAGE / "widgets" / "panel.py"
    assert list(imported(inner, ast.parse("from ..data import z"))) == ["synthrisk_edu.data.z"]
    assert list(imported(inner, ast.parse("from .base import z"))) == [
        "synthrisk_edu.widgets.base.z"
    ]


def test_machine_paths_are_seen():
    slash = "/"
    assert MACHINE_PATH.search(f"open('{slash}home{slash}anna/file.csv')")
    assert MACHINE_PATH.search(f"see {slash}work{slash}shared")
    assert not MACHINE_PATH.search("at home/work/school, or ../home/x")


@cache
def functions():
    """Every function of the package, with its length in lines."""
    return [
        (node.end_lineno - node.lineno + 1, f"{path.relative_to(PROJECT)}: {node.name}")
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    ]


def test_functions_are_short():
    """One idea a function: nothing over 40 lines with its docstring, most under nine."""
    assert [where for lines, where in functions() if lines > 40] == []
    assert statistics.median(lines for lines, _ in functions()) <= 8
