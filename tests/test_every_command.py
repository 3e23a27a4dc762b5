"""Every command works: from a fresh checkout by start.py, and from a wheel by `synthrisk`."""

import json
import re
import runpy
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from types import SimpleNamespace

import empty_environment
import pytest
from empty_environment import answer, printed
from jupyter_browser import free_port
from test_repository import repository_files

from synthrisk_classroom.command import FUNCTIONS
from synthrisk_classroom.shipped import all_files

LESSON = "01_matching_approach.ipynb"


@pytest.fixture(scope="module", params=["checkout", "wheel"])
def place(request, tmp_path_factory, project):
    """A folder where somebody works, where its lessons are, and the words a command begins with."""
    folder = tmp_path_factory.mktemp(request.param) / "my class folder"
    folder.mkdir()
    if request.param == "checkout":
        check_out(project, folder)
        command = [sys.executable, folder / "start.py"]
        return SimpleNamespace(folder=folder, lessons=folder / "notebooks", command=command)
    wheel = empty_environment.build(project, tmp_path_factory.mktemp("built"))
    extras = ["lab", "pages", "app", "site"]
    python = empty_environment.make(folder.with_name("environment"), wheel, extras)
    command = [python.with_name("synthrisk")]
    printed(*command, "lessons", "notebooks", folder=folder)
    return SimpleNamespace(folder=folder, lessons=folder / "notebooks", command=command)


def check_out(project, folder):
    """Make a fresh checkout, as if start.py had set it up: its .venv has what is installed here."""
    for path in repository_files():
        copy = folder / path.relative_to(project)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "all"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    start = runpy.run_path(str(folder / "start.py"))
    venv.create(start["VENV"])
    packages = empty_environment.packages_of(start["PYTHON"], folder)
    here = empty_environment.packages_of(sys.executable, folder)
    (packages / "all.pth").write_text(f"{folder}\n{here}\n", "utf-8")
    empty_environment.link_shared(start["VENV"])
    for extras in (start["EXTRAS"], start["EXTRAS"] + ",site"):
        (start["VENV"] / f"ready-{extras}").write_text(start["fingerprint"]())


@pytest.fixture
def said(place):
    """A function that runs a command there and returns what it prints."""

    def run(*words, folder=place.folder):
        return printed(*place.command, *words, folder=folder)

    return run


@pytest.fixture
def answered(place, tmp_path):
    """A function that starts a server there and returns the page that it shows."""

    def start(*words, folder=place.folder):
        return answer(*place.command, *words, folder=folder, log=tmp_path / "log.txt")

    return start


pytestmark = pytest.mark.slow


def test_lessons(place, said):
    """All that is linked to is there."""
    said("lessons", "for the class")
    copied = place.folder / "for the class"
    files = {path.relative_to(copied).as_posix() for path in copied.rglob("*") if path.is_file()}
    assert files == set(all_files())
    for name in files:
        if name.endswith((".md", ".ipynb")):
            text = (copied / name).read_text("utf-8")
            for to in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", text):
                assert "://" in to or (copied / name).parent.joinpath(to).exists(), (name, to)


def test_reset(place, said):
    lesson = place.lessons / LESSON
    clean = lesson.read_bytes()
    lesson.write_text("mine")
    assert "Yours is kept as my_01" in said("reset", "01", folder=place.lessons)
    assert lesson.read_bytes() == clean
    assert (place.lessons / f"my_{LESSON}").read_text() == "mine"


def test_report(place, said):
    (place.folder / "a.csv").write_text("Sex,Job\n" + "F,cook\nM,nurse\n" * 2)
    (place.folder / "b.csv").write_text("Sex,Job\n" + "F,cook\nM,cook\n" * 2)
    said("report", "a.csv", "b.csv", "--keys", "Sex", "--targets", "Job")
    assert (place.folder / "risk_report.html").exists()


@pytest.fixture
def anna(place):
    """A notebook that a teacher has collected beside the lessons; it must not be run."""
    cell = {"cell_type": "code", "id": "x", "metadata": {}, "outputs": [], "execution_count": None}
    cell["source"] = "from pathlib import Path; Path('ran.txt').touch()"
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path = place.lessons / "00_anna.ipynb"
    path.write_text(json.dumps(notebook))
    yield "00_anna"
    path.unlink()
    assert not list(place.folder.rglob("ran.txt"))


def test_handouts(place, said, anna):
    said("handouts", "--only", "00")
    names = {path.name for path in (place.folder / "handouts").iterdir()}
    assert names == {"00_start_here.html", "00_start_here_solutions.html"}


def test_worksheets(place, said):
    said("worksheets")
    assert len([*(place.folder / "worksheets").glob("*.html")]) == 16


def test_site(place, said, answered, anna):
    said("site", "--only", "00")
    pages = [path for path in (place.folder / "site").rglob("*.html")]
    assert {"index.html", "00_start_here.html"} <= {path.name for path in pages}
    assert not any(anna in page.read_text("utf-8") for page in pages)
    assert "00_start_here.html" in answered("site", "--serve")


def test_lab(place, answered):
    page = answered("lab", f"--port={free_port()}", "--no-browser", folder=place.lessons)
    assert "jupyter-config-data" in page


def test_projector(answered):
    assert "synthrisk-step" in answered("projector", f"--port={free_port()}", "--no-browser")


def test_grade(place, said):
    said("grade", "notebooks", "--lesson", "01")
    assert (place.folder / "grades" / "01_points.csv").exists()


def test_lite(place, said):
    """With the internet: it brings JupyterLite."""
    said("lite", "browser")
    assert (place.folder / "browser" / "lab" / "index.html").exists()
    assert len([*(place.folder / "browser" / "files").glob("[0-9]*.ipynb")]) == 10


def test_every_command_is_tried_here():
    tried = set(re.findall(r"^def test_(\w+)\(", Path(__file__).read_text("utf-8"), re.M))
    assert set(FUNCTIONS) <= tried
