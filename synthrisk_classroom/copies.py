"""Clean copies of the lessons: `synthrisk lessons FOLDER` and `synthrisk reset 01`."""

import argparse
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path

from synthrisk_classroom.command import folder_of
from synthrisk_classroom.shipped import IS_INSTALLED, LESSONS, NOTEBOOKS, all_files
from synthrisk_edu.words import listing

KEPT = Path(sys.prefix) / "lessons"  # by start.py, for a folder that was downloaded without git


def lessons(words=None):
    """Copy all lessons, and what they link to, into a folder; what differs there stays."""
    parser = argparse.ArgumentParser(prog="lessons", description="Copy all lessons into a folder.")
    parser.add_argument("folder", type=folder_of, metavar="FOLDER", help="new, or old")
    folder = parser.parse_args(words).folder
    differ = copy_all(folder)
    if differ:
        print(f"What you have changed stays as it is: {listing(differ)}.")
    print(f"The lessons are in {folder}: open it in JupyterLab, and begin with {LESSONS[0]}.")


def copy_all(folder):
    """Copy all that was shipped into a folder; list the files that differ there, and stay."""
    differ = []
    for name in all_files():
        path = folder / name
        published = clean(name)
        if path.exists() and path.read_bytes() != published:
            differ.append(name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(published)
    return differ


def reset(words=None):
    """Bring a clean copy of a lesson back; the student's own is kept beside it."""
    parser = argparse.ArgumentParser(prog="reset", description="Bring back a clean lesson.")
    parser.add_argument("lesson", help="its number, or the name of its file, such as 06_flags")
    here = "the folder of lessons; without it, the one where you are"
    parser.add_argument("--in", dest="folder", default=".", metavar="FOLDER", help=here)
    given = parser.parse_args(words)
    name = named(given.lesson)
    folder = lessons_in(given.folder)
    path = folder / name
    published = clean(name)
    if path.exists() and path.read_bytes() != published:
        own = free_name(path)
        path.rename(own)
        print(f"Yours is kept as {own.name}.")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(published)
    print(f"{name} is clean: close it where it is open, and open it again.")


def named(word):
    """Return the file of a lesson that is named by its number, or as its file.

    >>> named("06"), named("06_flags"), named("further/06_flags.ipynb")
    ('06_disco_walkthrough.ipynb', 'further/06_flags.ipynb', 'further/06_flags.ipynb')
    >>> named("10")  # has no core
    'further/10_paper_and_code.ipynb'
    """
    files = {}
    for name in reversed(LESSONS):  # a number is the core's, which comes last
        stem = name.removeprefix("further/")
        files[stem] = files[stem[:2]] = f"{name}.ipynb"
    stem = Path(word).stem
    if stem not in files:
        numbers = ", ".join(sorted(one for one in files if len(one) == 2))
        sys.exit(
            f"reset takes the number of one lesson ({numbers}), or the name of a file, "
            "such as 06_flags."
        )
    return files[stem]


def lessons_in(folder):
    """Return where the lessons are: in this folder, or in `notebooks` in it."""
    for place in (Path(folder), Path(folder) / "notebooks"):
        if any((place / f"{name}.ipynb").exists() for name in LESSONS):
            return place
    sys.exit(
        f"There are no lessons in {Path(folder).resolve()}: go to the folder where yours are, or "
        "make one by `synthrisk lessons FOLDER`."
    )


def free_name(path):
    """Return a name for the student's own copy that is not taken: my_01_…, my_01_…_2."""
    own = path.with_name(f"my_{path.name}")
    numbers = count(2)
    while own.exists():
        own = path.with_name(f"my_{path.stem}_{next(numbers)}.ipynb")
    return own


def clean(name):
    """Return a file as it was published.

    An installed package has it. In the project's own folder people work on it, so there it comes
    from git or from the copies that start.py has kept; else it may at least not have been run.
    """
    path = NOTEBOOKS / name
    if IS_INSTALLED or path.suffix != ".ipynb":
        return path.read_bytes()
    if shutil.which("git"):
        command = ["git", "-C", str(NOTEBOOKS), "show", f"HEAD:./{name}"]
        shown = subprocess.run(command, capture_output=True)
        if shown.returncode == 0:
            return shown.stdout
    if (KEPT / name).exists():
        return (KEPT / name).read_bytes()
    if not path.exists() or b'"output_type"' in path.read_bytes():
        sys.exit(f"There is no clean copy of {name} here: download it again.")
    return path.read_bytes()
