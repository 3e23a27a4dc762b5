"""What can be done from a terminal? `synthrisk --help` prints the list below.

`python3 start.py` offers the same commands: it reads this list and runs this file with the Python
of its .venv. So nothing but the standard library is imported before a command is called.
"""

import argparse
import sys
from pathlib import Path
from pkgutil import resolve_name

HELP = """\
    synthrisk lessons FOLDER         copy all lessons into a folder
    synthrisk lab                    open the lessons of this folder in JupyterLab
    synthrisk reset 01               a clean copy of a lesson; yours is kept beside it
    synthrisk report TRUE SYNTHETIC  the risk report of your own files
    synthrisk handouts               every lesson on paper, with and without solutions
    synthrisk worksheets             a page with a toy table for each lesson, and its answers
    synthrisk site                   a website of all lessons that needs no Python
    synthrisk lite FOLDER            a website on which the lessons run, in the browser
    synthrisk projector              a class, or a demonstration, for the whole room
    synthrisk grade FOLDER           points and feedback, from notebooks that are never run

Pages are written into the folder where you are. `synthrisk grade --help` tells more.
"""

FUNCTIONS = {
    "lessons": "synthrisk_classroom.copies:lessons",
    "lab": "synthrisk_classroom.opening:lab",
    "reset": "synthrisk_classroom.copies:reset",
    "report": "synthrisk_edu.report.command:main",
    "handouts": "synthrisk_classroom.handouts:main",
    "worksheets": "synthrisk_classroom.worksheets:main",
    "site": "synthrisk_classroom.site:main",
    "lite": "synthrisk_classroom.lite:main",
    "projector": "synthrisk_classroom.opening:projector",
    "grade": "synthrisk_classroom.grade:main",
}

# The extra of pyproject.toml that a command needs.
EXTRAS = {
    "lab": "lab",
    "report": "pages",
    "handouts": "pages",
    "worksheets": "pages",
    "site": "site",
    "projector": "app",
}


def main(words=None, again=None):
    """Run a command; return its exit code, or the sentence that says why it cannot run.

    `again` is what start.py wants to be said where a package is missing.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a console may lack a sign
    words = sys.argv[1:] if words is None else words
    if not words or words[0] in ("-h", "--help"):
        print(f"Learn how the disclosure risk of synthetic data is measured.\n\n{HELP}", end="")
        return 0
    name = words[0]
    if name not in FUNCTIONS:
        return f"There is no command {name!r}; the commands are {', '.join(FUNCTIONS)}."
    try:
        return resolve_name(FUNCTIONS[name])(words[1:])
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith(("synthrisk_edu.", "synthrisk_classroom.")):
            raise  # a mistake of ours
        package = error.name.partition(".")[0]
        extra = f"[{EXTRAS[name]}]" if name in EXTRAS else ""
        remedy = again or f'pip install "synthrisk_edu{extra}"'
        return f"{name} needs {package}, which is missing here: {remedy}"


def folder_of(value):
    """Return the folder that a command writes into, new or old."""
    folder = Path(value)
    for path in (folder, *folder.parents):
        if path.exists() and not path.is_dir():
            raise argparse.ArgumentTypeError(f"{path} is a file: name a folder, new or old.")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


if __name__ == "__main__":  # as start.py runs it
    sys.exit(main(again="delete the folder .venv and start again."))
