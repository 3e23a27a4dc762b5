"""A lesson is brought back clean, and what the student wrote is never lost."""

import subprocess

import pytest

from synthrisk_edu.__main__ import main
from synthrisk_edu.classroom import reset

NAME = "01_matching_approach.ipynb"


@pytest.fixture(params=["git", "kept by start.py"])
def root(request, tmp_path):
    """A project with a clean lesson, from git or as a download."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (folder / NAME).write_text("clean")
    if request.param == "git":
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "lesson"]):
            subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    else:
        kept = tmp_path / ".venv" / "lessons"
        kept.mkdir(parents=True)
        (kept / NAME).write_text("clean")
    return tmp_path


def test_the_students_own_copy_is_kept_beside_the_clean_one(root):
    folder = root / "notebooks"
    for turn in ("first", "second"):
        (folder / NAME).write_text(turn)
        path, own = reset.reset("01", root)
        assert path.read_text() == "clean" and own.read_text() == turn
    assert sorted(one.name for one in folder.iterdir()) == [
        NAME,
        "my_01_matching_approach.ipynb",
        "my_01_matching_approach_2.ipynb",
    ]


def test_a_clean_lesson_stays_and_a_lost_one_comes_back(root):
    path, own = reset.reset("01", root)
    assert path == own and len(list(path.parent.iterdir())) == 1
    path.unlink()
    assert reset.reset(NAME, root)[0].read_text() == "clean"


def test_what_cannot_be_reset_is_told_in_a_sentence(root, tmp_path, monkeypatch, capsys):
    with pytest.raises(ValueError, match="there is no lesson '77'; the lessons are 01"):
        reset.reset("77", root)
    assert main(["reset"]) == 1
    assert "name one lesson by its number" in capsys.readouterr().err
    (root / "notebooks" / "02_new.ipynb").write_text("{}")
    with pytest.raises(ValueError, match="no clean copy of 02_new"):
        reset.reset("02", root)
    assert (root / "notebooks" / "02_new.ipynb").exists()
