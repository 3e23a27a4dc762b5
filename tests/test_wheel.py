"""The wheel alone is enough: in an empty environment two lessons and a report run elsewhere."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LESSONS = ["00_start_here.ipynb", "further/10_paper_and_code.ipynb"]
# An error in a cell ends the run, and the program.
RUN_LESSON = """import sys
from synthrisk_classroom.running import run_lesson
run_lesson(sys.argv[1])"""
NEVER = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "JUPYTER_PATH", "MPLBACKEND"}


def run(*words, folder):
    """Run a program as somebody who has never seen this project would."""
    kept = {name: value for name, value in os.environ.items() if name not in NEVER}
    done = subprocess.run(words, cwd=folder, env=kept, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, made of the files as they are."""
    project = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", ".", project, folder=folder)
    return next(folder.glob("*.whl"))


@pytest.mark.slow
def test_the_wheel_holds_both_packages_the_data_and_nothing_else(wheel, project):
    inside = zipfile.ZipFile(wheel).namelist()
    packages = [project / "synthrisk_edu", project / "synthrisk_classroom"]
    ours = {file for one in packages for file in one.rglob("*.*") if file.suffix != ".pyc"}
    ours = {file.relative_to(project).as_posix() for file in ours}
    assert {Path(name).suffix for name in ours} >= {".py", ".css", ".js", ".md", ".ipynb"}
    data = [*(project / "data").glob("*.csv"), *(project / "data").glob("*.npz")]
    wanted = ours | {f"synthrisk_edu/files/{file.name}" for file in data}
    assert {name for name in inside if ".dist-info/" not in name} == wanted


def what_it_asks_for(dist_info):
    """List the distributions that an installed one asks for, and those that these ask for.

    Nothing else is to be found in the new environment: what is imported and not declared fails.
    """
    found, waiting = {}, [(metadata.Distribution.at(dist_info), "")]
    while waiting:
        asking, extra = waiting.pop()
        for needed in map(Requirement, asking.requires or []):
            if needed.marker is not None and not needed.marker.evaluate({"extra": extra}):
                continue
            for wanted in {"", *needed.extras}:
                key = canonicalize_name(needed.name), wanted
                if key not in found:
                    found[key] = metadata.distribution(needed.name)
                    assert needed.specifier.contains(found[key].version), needed
                    waiting.append((found[key], wanted))
    return found.values()


def link(distribution, packages):
    """Let what a distribution has installed here be found in another folder too."""
    tops = {file.parts[0] for file in distribution.files} - {"..", "__pycache__"}
    for top in tops:
        if not (packages / top).exists():
            (packages / top).symlink_to(Path(distribution.locate_file(top)))


@pytest.mark.slow
def test_two_lessons_and_a_report_run_with_the_wheel_alone(wheel, project, tmp_path):
    venv.create(tmp_path / "empty")
    place = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    python = str(tmp_path / "empty" / place)
    install = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps"]
    run(*install, str(wheel), folder=tmp_path)
    find = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(run(python, "-c", find, folder=tmp_path).strip())
    (name,) = (path.name for path in packages.glob("*.dist-info"))
    for needed in what_it_asks_for(packages / name):
        link(needed, packages)
    (tmp_path / "empty" / "share").symlink_to(Path(sys.prefix) / "share")  # nbconvert's templates
    elsewhere = tmp_path / "elsewhere on the disk"
    elsewhere.mkdir()
    for name in ("synthrisk_edu", "synthrisk_classroom"):
        where = run(python, "-c", f"import {name}; print({name}.__file__)", folder=elsewhere)
        assert str(tmp_path / "empty") in where
    for lesson in LESSONS:
        shutil.copy(project / "notebooks" / lesson, elsewhere)
        run(python, "-c", RUN_LESSON, Path(lesson).name, folder=elsewhere)
    (elsewhere / "a.csv").write_text("Sex,Job\n" + "F,cook\nM,nurse\n" * 2)
    (elsewhere / "b.csv").write_text("Sex,Job\n" + "F,cook\nM,cook\n" * 2)
    report = ["synthrisk_edu.report.command", "a.csv", "b.csv", "--keys", "Sex"]
    report += ["--targets", "Job", "-o", "page.html", "report.ipynb"]
    assert "Saved page.html" in run(python, "-m", *report, folder=elsewhere)
