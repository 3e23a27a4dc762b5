"""A lesson as it was: `python3 start.py reset 01`.

The student's own copy is kept beside it, under another name. The clean one comes from git or, where
the project was downloaded without it, from the copy that start.py kept when it was set up.
"""

import subprocess
from pathlib import Path

from synthrisk_edu.checks import show

ROOT = Path(__file__).resolve().parents[2]


def reset(lesson, root=ROOT):
    """Bring a clean copy of a lesson back; return its path, and where the student's own is now.

    The two are the same if nothing had to be done.
    """
    path = lesson_path(lesson, root)
    clean = clean_lesson(path.name, root)
    if path.exists() and path.read_bytes() == clean:
        return path, path
    kept = free_name(path)
    if path.exists():
        path.rename(kept)
    path.write_bytes(clean)
    return path, kept


def lesson_path(lesson, root):
    """Find a lesson by its number or its name, such as 01 or 01_matching_approach.ipynb."""
    number = str(lesson)[:2]
    paths = git(root, "ls-files", "notebooks").decode().split()
    names = {Path(name).name for name in paths}
    names |= {path.name for place in places(root) for path in place.glob("[0-9]*.ipynb")}
    lessons = {name[:2]: name for name in sorted(names) if name[:2].isdigit()}
    if number not in lessons:
        known = ", ".join(lessons)
        raise ValueError(f"there is no lesson {show(number)}; the lessons are {known}.")
    return root / "notebooks" / lessons[number]


def places(root):
    """Return where lessons are: the student's, and the clean ones kept by start.py."""
    return root / "notebooks", root / ".venv" / "lessons"


def clean_lesson(name, root):
    """Return a lesson as it was published."""
    kept = places(root)[1] / name
    clean = git(root, "show", f"HEAD:notebooks/{name}")
    clean = clean or (kept.read_bytes() if kept.exists() else b"")
    if not clean:
        raise ValueError(
            f"there is no clean copy of {name} on this computer; take it from where you got the "
            "project."
        )
    return clean


def git(root, *command):
    """Return what git says, or nothing where there is no git."""
    try:
        answer = subprocess.run(["git", "-C", str(root), *command], capture_output=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return answer.stdout if answer.returncode == 0 else b""


def free_name(path):
    """Return a name for the student's own copy that nothing has yet."""
    names = [f"my_{path.stem}.ipynb", *(f"my_{path.stem}_{n}.ipynb" for n in range(2, 1000))]
    return next(path.with_name(name) for name in names if not path.with_name(name).exists())


def main(arguments):
    """Reset one lesson, and say where everything is."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        raise ValueError("name one lesson by its number, such as 01.")
    path, kept = reset(arguments[0])
    yours = "it was as it should be" if kept == path else f"yours is kept as {kept.name}"
    print(f"{path.name} is clean; {yours}. In an open window, close the lesson and open it again.")
