"""The wheel alone is enough: in an empty environment two lessons and a report run elsewhere."""

import zipfile
from pathlib import Path

import empty_environment
import pytest
from empty_environment import printed, run

from synthrisk_classroom.shipped import all_files

LESSONS = ["00_start_here.ipynb", "further/10_paper_and_code.ipynb"]
# An error in a cell ends the run, and the program.
RUN_LESSON = """import sys
from synthrisk_classroom.running import run_lesson
run_lesson(sys.argv[1])"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory, project):
    """The wheel, made of the files as they are."""
    return empty_environment.build(project, tmp_path_factory.mktemp("wheel"))


@pytest.mark.slow
def test_the_wheel_holds_both_packages_data_lessons_and_nothing_else(wheel, project):
    inside = zipfile.ZipFile(wheel).namelist()
    packages = [project / "synthrisk_edu", project / "synthrisk_classroom"]
    ours = {file for one in packages for file in one.rglob("*.*") if file.suffix != ".pyc"}
    ours = {file.relative_to(project).as_posix() for file in ours}
    assert {Path(name).suffix for name in ours} >= {".py", ".css", ".js", ".md", ".ipynb"}
    data = [*(project / "data").glob("*.csv"), *(project / "data").glob("*.npz")]
    wanted = ours | {f"synthrisk_edu/files/{file.name}" for file in data}
    wanted |= {f"synthrisk_classroom/files/{name}" for name in all_files()}
    assert {name for name in inside if ".dist-info/" not in name} == wanted


@pytest.mark.slow
def test_two_lessons_and_a_report_run_with_the_wheel_alone(wheel, tmp_path):
    python = empty_environment.make(tmp_path / "empty", wheel, ["pages"])
    synthrisk = python.with_name("synthrisk")
    elsewhere = tmp_path / "elsewhere on the disk"
    elsewhere.mkdir()
    for name in ("synthrisk_edu", "synthrisk_classroom"):
        where = printed(python, "-c", f"import {name}; print({name}.__file__)", folder=elsewhere)
        assert str(tmp_path / "empty") in where
    printed(synthrisk, "lessons", ".", folder=elsewhere)
    for lesson in LESSONS:
        printed(python, "-c", RUN_LESSON, lesson, folder=elsewhere)
    (elsewhere / "a.csv").write_text("Sex,Job\n" + "F,cook\nM,nurse\n" * 2)
    (elsewhere / "b.csv").write_text("Sex,Job\n" + "F,cook\nM,cook\n" * 2)
    report = ["report", "a.csv", "b.csv", "--keys", "Sex", "--targets", "Job"]
    said = printed(synthrisk, *report, "-o", "page.html", "report.ipynb", folder=elsewhere)
    assert "Saved page.html" in said


@pytest.mark.slow
def test_lessons_reset_and_grade_need_no_extra(wheel, tmp_path):
    synthrisk = empty_environment.make(tmp_path / "empty", wheel).with_name("synthrisk")
    folder = tmp_path / "somewhere"
    folder.mkdir()
    printed(synthrisk, "lessons", ".", folder=folder)
    printed(synthrisk, "reset", "01", folder=folder)
    printed(synthrisk, "grade", ".", "--lesson", "01", folder=folder)
    assert (folder / "grades" / "01_class.html").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("extras", "command", "missing"),
    [
        ([], ["handouts"], "handouts needs latex2mathml"),
        ([], ["worksheets"], "worksheets needs latex2mathml"),
        ([], ["report", "a.csv", "b.csv"], "report needs nbconvert"),
        ([], ["lab"], "lab needs jupyterlab"),
        ([], ["projector"], "projector needs voila"),
        (["pages"], ["site", "--only", "00"], "site needs "),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(wheel, tmp_path, extras, command, missing):
    python = empty_environment.make(tmp_path / "empty", wheel, extras)
    folder = tmp_path / "somewhere"
    folder.mkdir()
    done = run(python.with_name("synthrisk"), *command, folder=folder)
    assert done.returncode == 1 and done.stdout == "" and done.stderr.count("\n") == 1
    assert done.stderr.startswith(missing)
    assert 'which is missing here: pip install "synthrisk_edu[' in done.stderr
    assert list(folder.iterdir()) == []
