"""Set up synthrisk_edu and open the lessons.

    python3 start.py              set up and open JupyterLab on the first lesson
    python3 start.py test         set up and run the tests (a few minutes)
    python3 start.py test --all   the same, with the slow ones: a real browser, data made anew
    python3 start.py bench        set up and print the benchmark table
    python3 start.py reproduce    set up and compare every published figure with ours
    python3 start.py handouts     set up and make handouts and slides of every lesson
    python3 start.py app          set up and show the panels alone, for a projector
    python3 start.py report CONFIDENTIAL SYNTHETIC -o page.html   a risk report on your files
    python3 start.py --help       this text

The first start makes the folder .venv beside this file and takes a minute or two;
every later start takes about a second. Further arguments are passed on: to JupyterLab
(python3 start.py --port 9999 --no-browser), to pytest (python3 start.py test -k radius),
to the benchmark, or to the comparison, which writes reproduction.md and reproduction.csv
into the folder it is given (python3 start.py reproduce results). The handouts go into
the folder handouts, or into another (python3 start.py handouts my_folder); the panels
take the options of Voila (python3 start.py app --no-browser). Nothing is installed
outside .venv; to undo everything, delete it.
"""

import sys

# This file is written so that even Python 2 can read it, and say what is missing:
# no f-strings, no annotations, and nothing imported before the version is checked.
OLDEST, NEWEST = (3, 11), (3, 13)


def python_problem(version):
    """Return one sentence if this Python cannot be used, else None."""
    if OLDEST <= tuple(version[:2]) <= NEWEST:
        return None
    return (
        "synthrisk_edu needs Python 3.11, 3.12 or 3.13 and this is Python {}.{}: install one of "
        "these, then run for example `python3.12 start.py`.".format(version[0], version[1])
    )


if __name__ == "__main__" and python_problem(sys.version_info):
    sys.exit(python_problem(sys.version_info))

import collections
import errno
import hashlib
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent
VENV = ROOT / ".venv"
FIRST_LESSON = "notebooks/00_start_here.ipynb"
PANELS = "notebooks/app/panels.ipynb"
REQUIREMENT_FILES = ("pyproject.toml", "constraints.txt")
# If one of these cannot be found in .venv, somebody has broken it.
MUST_HAVE = {
    "": ("synthrisk_edu", "jupyterlab", "ipywidgets", "pandas"),
    "test": ("pytest",),
    "app": ("voila",),
}
FIND_ALL = "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, sys.argv[1:])))"


class Problem(Exception):
    """Something the user can put right, told in one sentence."""


def say(text):
    """Print a line at once, also when the output goes into a file."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


# ---------------------------------------------------------------- setting up


def venv_python():
    """Return the path of the Python inside .venv."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def environment():
    """Return the environment for our programs, without settings that belong to other Pythons."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    # A user's own pip settings may ask for --user, which no environment allows.
    return dict(kept, PIP_USER="0", PYTHONUNBUFFERED="1")


def fingerprint():
    """Hash what .venv depends on: the requirement files, this Python and this folder."""
    digest = hashlib.sha256(repr((sys.version_info[:2], sys.platform, str(ROOT))).encode())
    for name in REQUIREMENT_FILES:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def mark(extra):
    """Return the file that says that .venv is complete, with an extra or without."""
    return VENV / ("ready" + ("-" + extra if extra else ""))


def is_ready(extra):
    """Tell whether .venv is complete, up to date and unbroken."""
    try:
        if mark(extra).read_text() != fingerprint():
            return False
        names = MUST_HAVE[""] + MUST_HAVE[extra]
        command = [str(venv_python()), "-c", FIND_ALL] + list(names)
        return subprocess.call(command, cwd=str(VENV), env=environment()) == 0
    except OSError:
        return False


def set_up(extra=""):
    """Make .venv and install the package into it, unless that is done already."""
    if not all((ROOT / name).exists() for name in REQUIREMENT_FILES):
        raise Problem("start.py has to stay in the project's folder, beside pyproject.toml.")
    if is_ready(extra):
        return
    check_folder()
    if is_ready(""):
        say("[1/2] The environment .venv is there already.")
        mark("").unlink()
    else:
        say("[1/2] Making the environment .venv ...")
        make_venv()
    say("[2/2] Installing the packages (a minute or two the first time) ...")
    install(extra)
    # The marks come last: without them an interrupted set-up is seen and done again.
    mark("").write_text(fingerprint())
    mark(extra).write_text(fingerprint())
    say("Ready.")


def check_folder():
    """Raise a Problem if nothing can be written beside this file."""
    try:
        with tempfile.TemporaryFile(dir=str(ROOT)) as file:
            file.write(b"x" * 10000)
    except OSError as error:
        raise Problem(
            "The folder {} cannot be written to ({}): copy the project to a folder of your own "
            "and start it there.".format(ROOT, error.strerror)
        )


def make_venv():
    """Make an empty .venv in place of whatever is there."""
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        raise Problem(
            "This Python cannot make an environment because its parts venv and ensurepip are "
            "missing: install them (Debian and Ubuntu: sudo apt install python3-venv) and start "
            "again."
        )
    command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
    if subprocess.call(command, env=environment()) != 0:
        raise Problem(
            "The environment could not be made: close every running JupyterLab, see that the disk "
            "is not full, delete the folder {} and start again.".format(VENV)
        )


def install(extra):
    """Install the package and what it needs, as pinned in constraints.txt."""
    package = ".[{}]".format(extra) if extra else "."
    command = [str(venv_python()), "-m", "pip", "install", "--progress-bar", "off"]
    command += ["--disable-pip-version-check", "-c", "constraints.txt", "-e", package]
    code, last_lines = run_and_show(command)
    if code != 0:
        say("\n".join(last_lines))
        raise Problem(why_pip_failed("\n".join(last_lines)))


def run_and_show(command):
    """Run pip, show that it moves, and return its exit code and its last lines."""
    last_lines = collections.deque(maxlen=15)
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    text = {"encoding": "utf-8", "errors": "replace"}
    options = dict(streams, cwd=str(ROOT), env=environment(), **text)
    with subprocess.Popen(command, **options) as process:
        for line in process.stdout:
            last_lines.append(line.rstrip())
            show_progress(line.strip())
    show_progress("")
    return process.returncode, list(last_lines)


def show_progress(line):
    """Show that pip moves: on a screen in one line that changes, in a log as a few lines."""
    width = shutil.get_terminal_size().columns - 8
    if sys.stdout.isatty():
        sys.stdout.write("\r      " + line[:width].ljust(width) + ("" if line else "\r"))
        sys.stdout.flush()
    elif line.startswith(("Installing", "ERROR")):
        say("      " + line[:width])


def why_pip_failed(output):
    """Return the sentence that helps, judging from what pip has said."""
    if re.search("No space left|not enough space|Errno 28", output):
        return "The disk is full: the packages need about 1 GB, so free some space and start again."
    if re.search("Permission denied|Access is denied|Errno 13", output):
        return (
            "A file could not be written: close every running JupyterLab, see that the folder {} "
            "is yours, and start again.".format(ROOT)
        )
    return (
        "The packages could not be installed (pip's last lines are above): check that this "
        "computer is connected to the internet and, if your network needs one, that a proxy is "
        "set, then start again."
    )


# ------------------------------------------------------------- the commands


def run(arguments, folder=None):
    """Run the Python of .venv and return its exit code; Ctrl-C is left to the program run."""
    command = [str(venv_python())] + arguments
    process = subprocess.Popen(command, cwd=folder, env=environment())
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    code = process.wait()
    if code == -signal.SIGINT:
        raise KeyboardInterrupt
    return code


def start_lab(arguments):
    """Set up and open JupyterLab on the first lesson."""
    check_port(arguments)
    set_up()
    return run(["-m", "jupyterlab"] + lab_options(arguments) + arguments)


def lab_options(arguments):
    """Return the options for JupyterLab; its address and its token stay as it sets them."""
    options = [
        "--ServerApp.root_dir=" + str(ROOT),
        "--LabApp.default_url=/lab/tree/" + FIRST_LESSON,
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")  # as in most containers
    return options + browser_options(arguments)


def browser_options(arguments):
    """Return the option that keeps the browser closed, where there is no screen to open it on."""
    if "--no-browser" in arguments or can_open_browser():
        return []
    say("There is no display here: open the address that is printed below in a browser.")
    return ["--no-browser"]


def can_open_browser():
    """Tell whether a browser can show up on this screen."""
    if os.environ.get("BROWSER") or os.name == "nt":
        return True
    if sys.platform == "darwin":
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def check_port(arguments):
    """Raise a Problem if the port asked for is taken; without one, JupyterLab finds a free one."""
    found = re.search(r"--(?:ServerApp\.)?port[= ](\d+)( |$)", " ".join(arguments))
    if not found or int(found.group(1)) > 65535:
        return
    with socket.socket() as probe:
        if os.name != "nt":  # as JupyterLab does; on Windows the option means something else
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", int(found.group(1))))
        except OSError as error:
            reason = "in use" if error.errno == errno.EADDRINUSE else "not allowed"
            raise Problem(
                "Port {} is {}: give another number, or leave --port out and JupyterLab finds a "
                "free one.".format(found.group(1), reason)
            )


def run_tests(arguments):
    """Set up and run the linter, the formatter's check and the tests; all three always run."""
    set_up("test")
    commands = [["ruff", "check"], ["ruff", "format", "--check"], ["pytest"]]
    commands[-1] += pytest_options(arguments)
    codes = [run(["-m"] + command, str(ROOT)) for command in commands]
    return 1 if any(codes) else 0


def pytest_options(arguments):
    """Return the options for pytest: every core, and the slow tests only when all are asked for."""
    options = ["-n", "auto", "--dist", "worksteal"]
    if "--all" not in arguments:
        options += ["-m", "not slow"]
    return options + [one for one in arguments if one != "--all"]


def run_benchmark(arguments):
    """Set up and print the benchmark table."""
    set_up("test")
    return run([str(ROOT / "tests" / "bench.py")] + arguments)


def run_reproduction(arguments):
    """Set up, and print and write the table of published figures and ours."""
    set_up("test")
    return run([str(ROOT / "tests" / "reproduce.py")] + arguments)


def make_handouts(arguments):
    """Set up and make handouts and slides, in the folder that is named or in `handouts`."""
    if len(arguments) > 1 or "".join(arguments).startswith("-"):
        raise Problem("handouts takes one folder and no options: for example `handouts my_folder`.")
    set_up()
    folder = arguments[0] if arguments else str(ROOT / "handouts")
    module = "synthrisk_edu.classroom.handouts"
    return run(["-m", module, str(ROOT / "notebooks"), folder])


def start_app(arguments):
    """Set up and show the panels alone; only who has the token can open them, and only here."""
    check_port(arguments)
    set_up("app")
    # The page's template stands beside the notebook, where Jupyter would not look for it.
    places = [str((ROOT / PANELS).parent), os.environ.get("JUPYTER_PATH")]
    os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, places))
    options = ["--token", "--template=panels", "--Voila.ip=127.0.0.1"] + browser_options(arguments)
    return run(["-m", "voila", str(ROOT / PANELS)] + options + arguments)


def make_report(arguments):
    """Set up and make a risk report on two or more files."""
    set_up()
    return run(["-m", "synthrisk_edu", "report"] + arguments)


COMMANDS = {
    "test": run_tests,
    "bench": run_benchmark,
    "reproduce": run_reproduction,
    "handouts": make_handouts,
    "app": start_app,
    "report": make_report,
}


def main(arguments):
    """Do what the command line asks for and return the exit code."""
    if arguments[:1] in (["--help"], ["-h"]):
        say(__doc__.strip())
        return 0
    first = arguments[0] if arguments else ""
    if first in COMMANDS:
        return COMMANDS[first](arguments[1:])
    if first and not first.startswith("-") and not os.path.exists(first):
        raise Problem(
            "There is no command {!r}: the commands are {}, and without one the lessons "
            "open.".format(first, ", ".join(sorted(COMMANDS)))
        )
    return start_lab(arguments)


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # a console may lack a letter of the folder's name
    try:
        sys.exit(main(sys.argv[1:]))
    except Problem as problem:
        sys.exit("start.py: {}".format(problem))
    except OSError as error:
        sys.exit("start.py: A file cannot be used: {}; put that right and try again.".format(error))
    except KeyboardInterrupt:
        sys.exit("\nStopped; run the same command again to go on.")
