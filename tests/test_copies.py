"""What was shipped is known by name; clean copies of it: `synthrisk lessons` and `reset`."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from synthrisk_classroom import copies, shipped

LESSON = "01_matching_approach.ipynb"
FURTHER = "further/01_many_files_and_a_game.ipynb"
PAPER = "further/10_paper_and_code.ipynb"
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]


def test_every_file_of_the_lessons_is_shipped_and_every_shipped_file_is_there(project):
    command = ["git", "-C", str(project / "notebooks"), "ls-files", "-z"]
    if not (project / ".git").exists():
        pytest.skip("this is a download: only git knows which files belong to it")
    listed = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0")
    assert sorted(shipped.all_files()) == sorted({*listed} - {""})


def test_lessons_are_in_their_order():
    """A core, then what goes further from it."""

    def turn(name):
        return name.removeprefix("further/")[:2], "/" in name

    assert sorted(shipped.LESSONS, key=turn) == shipped.LESSONS


def test_what_a_teacher_adds_is_neither_run_nor_listed(project, tmp_path):
    """Such as a student's notebook that was collected there."""
    shutil.copytree(project / "synthrisk_classroom", tmp_path / "synthrisk_classroom")
    shutil.copytree(project / "notebooks", tmp_path / "notebooks")
    (tmp_path / "notebooks" / "01_anna.ipynb").touch()
    (tmp_path / "notebooks" / "further" / "01_anna.ipynb").touch()
    program = "from synthrisk_classroom.running import lesson_paths; print(*lesson_paths())"
    path = os.pathsep.join([str(tmp_path), str(project)])
    command = [sys.executable, "-c", program]
    listed = subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, capture_output=True)
    assert listed.stdout.decode().split() == shipped.LESSONS


@pytest.fixture(params=["git", "kept by start.py", "installed", "never run"])
def notebooks(request, tmp_path, monkeypatch):
    """A folder with three lessons that somebody works in; where clean copies come from.

    With git, and where start.py has kept copies, it is the project's own.
    """
    folder = tmp_path / "my class folder" / "notebooks"
    names = [LESSON, FURTHER, PAPER, "glossary.md"]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("clean")
    shutil.copytree(folder, tmp_path / "kept")
    where = request.param
    if where == "git":
        for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "lessons"]):
            subprocess.run([*GIT, *command], cwd=folder.parent, check=True)
    is_own = where in ("git", "kept by start.py")
    monkeypatch.setattr(copies, "NOTEBOOKS", folder if is_own else tmp_path / "kept")
    monkeypatch.setattr(copies, "IS_INSTALLED", where == "installed")
    nowhere = tmp_path / "nowhere"
    monkeypatch.setattr(
        copies, "KEPT", tmp_path / "kept" if where == "kept by start.py" else nowhere
    )
    monkeypatch.setattr(copies, "LESSONS", [name.removesuffix(".ipynb") for name in names[:3]])
    monkeypatch.setattr(copies, "all_files", lambda: names)
    monkeypatch.chdir(folder.parent)
    return folder


def stopped_with(program, *words):
    """The sentence with which a program ends: one line, no trace of Python."""
    with pytest.raises(SystemExit) as end:
        program(*words)
    assert re.fullmatch(r"\S[^\n]*\.", str(end.value.code))
    return end.value.code


def test_the_students_own_copy_is_kept_beside_the_clean_one(notebooks):
    lesson = notebooks / LESSON
    for turn in ("first", "second", "clean"):
        lesson.write_text(turn)
        copies.reset(["01"])
        assert lesson.read_text() == "clean"
    assert {path.read_text() for path in lesson.parent.glob("my_*")} == {"first", "second"}
    assert len(list(lesson.parent.glob("*.ipynb"))) == 3


def test_more_than_a_hundred_copies_are_kept(notebooks):
    for number in range(103):
        (notebooks / LESSON).write_text(str(number))
        copies.reset(["01"])
    assert len(list(notebooks.glob("my_01_*"))) == 103


@pytest.mark.parametrize("word", [Path(FURTHER).stem, Path(FURTHER).name, FURTHER])
def test_what_goes_further_is_reset_by_its_name_and_a_number_is_the_core(notebooks, word):
    for name in (FURTHER, LESSON):
        (notebooks / name).write_text("mine")
    copies.reset([word])
    assert [(notebooks / name).read_text() for name in (FURTHER, LESSON)] == ["clean", "mine"]
    assert (notebooks / "further" / f"my_{Path(FURTHER).name}").read_text() == "mine"
    copies.reset(["01"])
    assert (notebooks / LESSON).read_text() == "clean"


def test_a_number_without_a_core_is_what_goes_further_and_a_lost_folder_comes_back(notebooks):
    shutil.rmtree(notebooks / "further")
    copies.reset(["10"])
    assert (notebooks / PAPER).read_text() == "clean"


@pytest.mark.parametrize("place", [".", "notebooks"])
def test_lessons_are_found_where_one_stands_or_in_a_folder_that_is_named(
    notebooks, place, monkeypatch
):
    (notebooks / LESSON).write_text("mine")
    monkeypatch.chdir(notebooks.parent / place)
    copies.reset(["01"])
    (notebooks / LESSON).write_text("mine")
    monkeypatch.chdir("/")
    copies.reset(["01", "--in", str(notebooks.parent / place)])
    assert (notebooks / LESSON).read_text() == "clean"


def test_what_cannot_be_reset_is_told_in_a_sentence(notebooks, tmp_path, capsys):
    for word in ("77", "01_m", ""):
        said = stopped_with(copies.reset, [word])
        assert "number of one lesson (01, 10), or the name of a file" in said
    for words in ([], ["01", "02"]):
        with pytest.raises(SystemExit):
            copies.reset(words)
    assert "required: lesson" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    said = stopped_with(copies.reset, ["01", "--in", str(tmp_path / "empty")])
    assert "no lessons in" in said and "`synthrisk lessons FOLDER`" in said


def test_without_git_and_without_copies_a_lesson_that_was_run_is_not_clean(notebooks, monkeypatch):
    monkeypatch.setattr(copies, "KEPT", notebooks / "nowhere")
    monkeypatch.setattr(copies.shutil, "which", lambda name: None)
    (copies.NOTEBOOKS / LESSON).write_text('{"output_type": "stream"}')
    if copies.IS_INSTALLED:  # nobody works in there
        assert copies.clean(LESSON)
    else:
        assert "no clean copy of 01_matching" in stopped_with(copies.clean, LESSON)


def test_all_lessons_are_copied_as_they_were_published(notebooks, tmp_path, capsys):
    """Not as a teacher has run them here."""
    (notebooks / LESSON).write_text('{"output_type": "stream"}')
    (notebooks / "01_anna.ipynb").write_text("handed in")
    copies.lessons(["a lab"])
    copied = Path("a lab")
    files = {path.relative_to(copied).as_posix() for path in copied.rglob("*.*")}
    assert files == {LESSON, FURTHER, PAPER, "glossary.md"}
    assert {(copied / name).read_text() for name in files} == {"clean"}
    assert "The lessons are in a lab: open it in JupyterLab" in capsys.readouterr().out


def test_what_differs_is_named_and_stays(notebooks, capsys):
    copies.lessons(["lab"])
    for name in (LESSON, FURTHER):
        Path("lab", name).write_text("mine")
    Path("lab", PAPER).unlink()
    capsys.readouterr()
    copies.lessons(["lab"])
    said = capsys.readouterr().out
    assert f"What you have changed stays as it is: {LESSON} and {FURTHER}." in said
    assert [Path("lab", name).read_text() for name in (LESSON, FURTHER, PAPER)] == [
        "mine",
        "mine",
        "clean",
    ]


def test_a_file_in_the_way_of_the_folder_gets_a_sentence(notebooks, capsys):
    Path("lab").touch()
    with pytest.raises(SystemExit):
        copies.lessons(["lab"])
    assert "lab is a file: name a folder" in capsys.readouterr().err
