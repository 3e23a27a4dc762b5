"""Set up synthrisk_edu and open the lessons.

    python3 start.py              set up and open JupyterLab on the first lesson
    python3 start.py test         set up and run the tests (a few minutes)
    python3 start.py test --all   the same, with the slow ones: a real browser, data made anew
    python3 start.py bench        set up and print the benchmark table
    python3 start.py reproduce    set up and compare every published figure with ours
    python3 start.py handouts     set up and make handouts and slides of every lesson
    python3 start.py worksheets   set up and make a page to print for each lesson, and its answers
    python3 start.py app          set up and show the panels alone, for a projector
    python3 start.py site         set up and make a website that moves without Python
    python3 start.py grade FOLDER grade the notebooks that students have handed in
    python3 start.py key IDS.csv  write the right answers of a class, for the teacher
    python3 start.py reset 01     bring a clean copy of a lesson back; yours is kept beside it
    python3 start.py report CONFIDENTIAL SYNTHETIC -o page.html   a risk report on your files
    python3 start.py pack FOLDER  collect all that another computer without internet needs
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
OLDEST, NEWEST = (3, 11), (3, 14)


def python_problem(version):
    """Return one sentence if this Python is too old, else None."""
    if tuple(version[:2]) >= OLDEST:
        return None
    return (
        "synthrisk_edu needs Python 3.11 or newer and this is Python {}.{}: install a newer one, "
        "then run for example `python3.12 start.py`.".format(version[0], version[1])
    )


if __name__ == "__main__" and python_problem(sys.version_info):
    sys.exit(python_problem(sys.version_info))

import collections
import contextlib
import errno
import hashlib
import importlib.util
import os
import pathlib
import platform
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent
VENV = ROOT / ".venv"
FIRST_LESSON = "notebooks/00_start_here.ipynb"
PANELS = "notebooks/app/panels.ipynb"
REQUIREMENT_FILES = ("pyproject.toml", "constraints.txt")
# What `start.py pack` puts beside start.py: with this folder no internet is needed.
PACKAGES = "packages"
MADE_FOR = "made_for.txt"
# The extras that are installed, and what has to be found in .venv, or somebody has broken it.
# The panels for a projector belong to every set-up: nothing is downloaded on the day of the class.
EXTRAS = {"": "app", "test": "app,test"}
MUST_HAVE = {
    "": ("synthrisk_edu", "jupyterlab", "ipywidgets", "pandas", "voila"),
    "test": ("pytest",),
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
    check_venv_is_ours()
    with one_at_a_time():
        if not is_ready(extra):  # else the start.py we waited for has done it
            make_and_install(extra)


def make_and_install(extra):
    """Make .venv and install the package into it."""
    if tuple(sys.version_info[:2]) > NEWEST:
        say(
            "This Python is newer than those we have tried (the newest is {}.{}): we go on, and if "
            "something fails, take an older one.".format(*NEWEST)
        )
    if is_ready(""):
        say("[1/2] The environment .venv is there already.")
        mark("").unlink()
    else:
        say("[1/2] Making the environment .venv ...")
        make_venv()
    say("[2/2] Installing the packages (a minute or two the first time) ...")
    install(extra)
    keep_lessons()
    # The marks come last: without them an interrupted set-up is seen and done again.
    mark("").write_text(fingerprint())
    mark(extra).write_text(fingerprint())
    say("Ready.")


def keep_lessons():
    """Keep a copy of every lesson that was not run yet; `reset` needs it where there is no git."""
    kept = VENV / "lessons"
    kept.mkdir(exist_ok=True)
    for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"):
        if not re.search(rb'"execution_count": \d|"output_type"', path.read_bytes()):
            shutil.copy(str(path), str(kept))


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


def sign():
    """Return the file by which start.py knows its own .venv, and which it locks while it works."""
    return VENV / "made-by-start-py"


def check_venv_is_ours():
    """Raise a Problem if .venv is a link, or holds files and was not made by this program."""
    is_new = not os.path.lexists(str(VENV)) or (VENV.is_dir() and not any(VENV.iterdir()))
    if VENV.is_symlink() or VENV.resolve() != VENV:  # the second sees the links of Windows too
        kind = "a link, which start.py does not follow"
    elif is_new or sign().exists() or mark("").exists():
        return
    else:
        kind = "there already and was not made by start.py, which empties only what it has made"
    raise Problem("{} is {}: move it away or rename it, and start again.".format(VENV, kind))


@contextlib.contextmanager
def one_at_a_time():
    """Hold the lock of .venv: a second start.py waits until the first has ended, or has died."""
    VENV.mkdir(exist_ok=True)
    with open(str(sign()), "a") as file:  # closing it, or the end of the program, unlocks it
        if not lock(file):
            say("Another start.py is setting up this folder: this one waits until it is done.")
            while not lock(file):
                time.sleep(0.2)
        yield


def lock(file):
    """Try to lock an open file, and tell whether it is ours now."""
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Any other error: this disk knows no locks, as some network drives; we go on without.
        return error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
    return True


def make_venv():
    """Make a new .venv in place of what an earlier start has left."""
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        raise Problem(
            "This Python cannot make an environment because its parts venv and ensurepip are "
            "missing: install them (Debian and Ubuntu: sudo apt install python3-venv) and start "
            "again."
        )
    empty_venv()
    code, last_lines = run_and_show([sys.executable, "-m", "venv", str(VENV)])
    if code != 0:
        say("\n".join(last_lines))
        raise Problem(
            "The environment could not be made: close every running JupyterLab, see that the disk "
            "is not full, delete the folder {} and start again.".format(VENV)
        )


def empty_venv():
    """Delete all that is in .venv except its sign; links in it are removed, not followed."""
    for path in VENV.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(str(path))
        elif path != sign():
            path.unlink()


def install(extra):
    """Install the package and what it needs, as pinned in constraints.txt."""
    source = []
    if (ROOT / PACKAGES).is_dir():
        say("      from the folder {}, without the internet".format(PACKAGES))
        source = ["--no-index", "--find-links", PACKAGES]
    run_pip(["install"] + source + ["-e", ".[{}]".format(EXTRAS[extra])])


def run_pip(words):
    """Run the pip of .venv with the tested versions, or raise a Problem that says why it failed."""
    command = [str(venv_python()), "-m", "pip", words[0], "--progress-bar", "off"]
    command += ["--disable-pip-version-check", "-c", "constraints.txt"]
    code, last_lines = run_and_show(command + words[1:])
    if code != 0:
        say("\n".join(last_lines))
        raise Problem(why_pip_failed("\n".join(last_lines)))


def run_and_show(command):
    """Run a program, show that it moves, and return its exit code and its last lines."""
    last_lines = collections.deque(maxlen=15)
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    text = {"encoding": "utf-8", "errors": "replace"}
    # On Windows there are no sessions: there end_all ends the whole tree of programs.
    options = dict(streams, cwd=str(ROOT), env=environment(), start_new_session=True, **text)
    with subprocess.Popen(command, **options) as process:
        try:
            for line in process.stdout:
                last_lines.append(line.rstrip())
                show_progress(line.strip())
        except BaseException:
            end_all(process)
            raise
    show_progress("")
    return process.returncode, list(last_lines)


def end_all(process):
    """End a program and all that it has started: politely first, and after a while for certain."""
    if os.name == "nt":
        subprocess.call(
            ["taskkill", "/F", "/T", "/PID", str(process.pid)], stdout=subprocess.DEVNULL
        )
        return
    with contextlib.suppress(ProcessLookupError):
        try:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(5)
        except subprocess.TimeoutExpired:
            pass
        finally:
            os.killpg(process.pid, signal.SIGKILL)


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
    if (ROOT / PACKAGES).is_dir():
        return (
            "The packages could not be installed (pip's last lines are above) from the folder {}, "
            "which was made for {}: use the same here, or delete that folder to install from the "
            "internet.".format(PACKAGES, (ROOT / PACKAGES / MADE_FOR).read_text().strip())
        )
    return (
        "The packages could not be installed (pip's last lines are above): check that this "
        "computer is connected to the internet and, if your network needs one, that a proxy is "
        "set, then start again; for a computer without internet, run `python3 start.py pack "
        "FOLDER` on one that has it and carry the folder over."
    )


# ------------------------------------------------------------- the commands

APP_OPTIONS = [
    "--token",
    "--template=panels",
    "--Voila.ip=127.0.0.1",
    # A request that comes by another name than this computer's is refused, as is a wrong token.
    "--Voila.tornado_settings={'allow_remote_access': False}",
    "--Voila.identity_provider_class=synthrisk_edu.classroom.door.OnlyWithToken",
    # A kernel ends with its page; if the page could not say so, after ten minutes.
    "--MappingKernelManager.cull_idle_timeout=600",
    "--MappingKernelManager.cull_interval=60",
]
# What stays behind: other copies' surroundings, and what was made here.
NOT_PACKED = shutil.ignore_patterns(
    ".venv", ".git", "__pycache__", ".*_cache", ".ipynb_checkpoints", PACKAGES
)


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
        "--LabApp.news_url=None",  # no question about news over the first lesson
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
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
    """Return the options for pytest: every core, and the slow tests only when all are asked for.

    With the slow tests one process more than there are cores, because some wait for a browser.
    """
    cores = (os.cpu_count() or 1) + (1 if "--all" in arguments else 0)
    options = "-n {} --dist loadscope --no-loadscope-reorder".format(cores).split()
    if "--all" not in arguments:
        options += ["-m", "not slow"]
    return options + [one for one in arguments if one != "--all"]


def start_app(arguments):
    """Set up and show the panels alone; only who has the token can open them, and only here."""
    check_port(arguments)
    set_up()
    # The page's template stands beside the notebook, where Jupyter would not look for it.
    places = [str((ROOT / PANELS).parent), os.environ.get("JUPYTER_PATH")]
    os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, places))
    options = APP_OPTIONS + browser_options(arguments)
    return run(["-m", "voila", str(ROOT / PANELS)] + options + arguments)


def pack(arguments):
    """Copy the project into a new folder, with all packages: start.py there needs no internet."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        raise Problem("pack takes one new folder: for example `pack /media/stick/synthrisk_edu`.")
    folder = pathlib.Path(arguments[0]).resolve()
    if any(path.exists() and not path.is_dir() for path in [folder] + list(folder.parents)):
        raise Problem("{} is a file, or inside one: name a new folder.".format(folder))
    if ROOT in folder.parents or folder == ROOT or (folder.exists() and any(folder.iterdir())):
        raise Problem("{}: pack needs a new folder outside of this one.".format(folder))
    set_up()
    say("[1/2] Copying the project ...")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(str(ROOT), str(folder), ignore=NOT_PACKED, dirs_exist_ok=True)
    say("[2/2] Collecting the packages ...")
    packages = folder / PACKAGES
    # The last two build our own package: its pyproject.toml asks for the first of them.
    run_pip(["download", "-d", str(packages), ".[{}]".format(EXTRAS[""]), "hatchling", "editables"])
    (packages / MADE_FOR).write_text(this_computer() + "\n")
    say(
        "Done: carry the folder {} to a computer with {} and start it there as always.".format(
            folder, this_computer()
        )
    )
    return 0


def this_computer():
    """Return what packages depend on: the Python and the kind of computer."""
    names = platform.python_version_tuple()[:2] + (platform.system(), platform.machine())
    return "Python {}.{} on {} {}".format(*names)


COMMANDS = {"test": run_tests, "app": start_app, "pack": pack}
SCRIPTS = ("bench", "reproduce")  # in the folder tests
# What the package itself does: `python -m synthrisk_edu grade ...`
PASSED_ON = ("grade", "handouts", "key", "report", "reset", "site", "worksheets")


def main(arguments):
    """Do what the command line asks for and return the exit code."""
    if arguments[:1] in (["--help"], ["-h"]):
        say(__doc__.strip())
        return 0
    first = arguments[0] if arguments else ""
    if first in COMMANDS:
        return COMMANDS[first](arguments[1:])
    if first in SCRIPTS:
        set_up("test")
        return run([str(ROOT / "tests" / (first + ".py"))] + arguments[1:])
    if first in PASSED_ON:
        set_up()
        return run(["-m", "synthrisk_edu"] + arguments)
    if first and not first.startswith("-") and not os.path.exists(first):
        raise Problem(
            "There is no command {!r}: the commands are {}, and without one the lessons "
            "open.".format(first, ", ".join(sorted(set(COMMANDS).union(SCRIPTS, PASSED_ON))))
        )
    return start_lab(arguments)


def stopped(*_):
    """Treat the request to end, or a closed window, as Ctrl-C: what we have started ends too."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stopped)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, stopped)
    sys.stdout.reconfigure(errors="replace")  # a console may lack a letter of the folder's name
    try:
        sys.exit(main(sys.argv[1:]))
    except Problem as problem:
        sys.exit("start.py: {}".format(problem))
    except OSError as error:
        sys.exit("start.py: A file cannot be used: {}; put that right and try again.".format(error))
    except KeyboardInterrupt:
        sys.exit("\nStopped; run the same command again to go on.")
