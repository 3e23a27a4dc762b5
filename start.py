"""Set up synthrisk_edu and open the lessons.

    python3 start.py                set up (a minute or two, once) and open the first lesson
    python3 start.py test           see that everything is right (a few minutes)
    python3 start.py test --all     the same with the slow tests: a real browser, data made anew
    python3 start.py reset 01       bring a clean copy of a lesson back; yours is kept beside it
                                    (what goes further by its name: reset 06_flags)
    python3 start.py report CONFIDENTIAL SYNTHETIC -o page.html   the risk report: page or notebook
    python3 start.py handouts       every lesson on paper, with and without solutions
    python3 start.py worksheets     one page with a toy table for each lesson, and its answers
    python3 start.py site           a website of all lessons that needs no Python
    python3 start.py projector      a class, or a demonstration, for the whole room
    python3 start.py grade FOLDER --class ids.csv   points, feedback and key, from notebooks
    python3 start.py pack FOLDER    collect what a computer without internet needs

What follows is passed on: to the command (report --help), to pytest (test -k radius), or to
JupyterLab (python3 start.py --port 9999 --no-browser). All is installed into the folder .venv
beside this file, and nothing outside of it; to undo everything, or to begin anew, delete .venv.
"""

import sys

# Even Python 2 can read this file, and say what is missing: no f-strings, no stars in lists, and
# nothing imported before the version is checked.
if sys.version_info < (3, 11):
    sys.exit(
        "synthrisk_edu needs Python 3.11 or newer and this is Python {}.{}: install a newer one, "
        "then run for example `python3.12 start.py`.".format(*sys.version_info[:2])
    )

import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sysconfig
import time

ROOT = pathlib.Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
SIGN = VENV / "made-by-start-py"  # start.py empties no other .venv
CLEAN = VENV / "lessons"  # copies of the lessons, for `reset` where there is no git
PACKAGES = ROOT / "packages"  # collected by `pack`: where this folder is, no internet is needed
HERE = "Python {0[0]}.{0[1]} on {1}".format(sys.version_info, sysconfig.get_platform())
EXTRAS = "lab,pages,app"  # of pyproject.toml; the rest is for tests and for the website
PROGRAMS = {
    "report": ["-m", "synthrisk_edu.report.command"],
    "grade": ["-m", "synthrisk_classroom.grade"],
    "handouts": ["-m", "synthrisk_classroom.handouts"],
    "worksheets": ["-m", "synthrisk_classroom.worksheets"],
    "site": ["-m", "synthrisk_classroom.site"],
    "bench": [str(ROOT / "tests" / "bench.py")],
    "reproduce": [str(ROOT / "tests" / "reproduce.py")],
}
# What pip says when it fails, and what to do; the first that fits.
WHY = {
    "No space left|not enough space|Errno 28": "The disk is full: the packages need about 1 GB, so "
    "free some space and start again.",
    "Permission denied|Access is denied|Errno 13": "A file could not be written: close every "
    "running JupyterLab, see that this folder is yours, and start again.",
    "ProxyError|Tunnel connection": "The proxy of this network did not let pip through: ask for "
    "its address, set it as HTTPS_PROXY, and start again.",
    "CERTIFICATE_VERIFY_FAILED": "This network shows a certificate of its own: ask for its file, "
    "set the path to it as PIP_CERT, and start again.",
    "Retrying|[Cc]onnection|[Tt]imeout": "The internet cannot be reached: connect this computer "
    "and start again, or run `python3 start.py pack FOLDER` on one that is connected and carry the "
    "folder over.",
    "": "The packages could not be installed (pip's last lines are above): this is {}, tried were "
    "Python 3.11 to 3.14, and a folder `packages` fits only what it was made for.".format(HERE),
}


def say(text, end="\n"):
    """Print at once, also when the output goes into a file."""
    sys.stdout.write(text + end)
    sys.stdout.flush()


def set_up(extra=EXTRAS):
    """Make .venv and install the package into it, unless that is done already."""
    if is_ready(extra):
        return
    VENV.mkdir(exist_ok=True)
    if any(VENV.iterdir()) and not SIGN.exists():
        sys.exit("{} was not made by start.py: move it away, and start again.".format(VENV))
    SIGN.touch()
    if not is_ready(EXTRAS):
        say("[1/2] Making the environment .venv ...")
        make_venv()
    (VENV / ("ready-" + EXTRAS)).unlink(missing_ok=True)
    say("[2/2] Installing the packages (a minute or two the first time) ...")
    offline = ["--no-index", "--find-links", str(PACKAGES)] if PACKAGES.is_dir() else []
    run_pip("install", offline + ["-e", ".[{}]".format(extra)])
    keep_lessons()
    no_news()
    # The marks come last: without them an interrupted set-up is seen, and done again.
    for name in {EXTRAS, extra}:
        (VENV / ("ready-" + name)).write_text(fingerprint())


def is_ready(extra):
    """Tell whether .venv was completed here, by this Python and with these requirement files."""
    mark = VENV / ("ready-" + extra)
    return PYTHON.exists() and mark.exists() and mark.read_text() == fingerprint()


def fingerprint():
    """Hash what .venv depends on: this Python, this folder and the requirement files."""
    files = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    return hashlib.sha256((HERE + str(ROOT)).encode() + b"".join(files)).hexdigest()


def make_venv():
    """Make a new .venv in place of what an earlier start has left."""
    for path in set(VENV.iterdir()) - {SIGN, CLEAN}:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(str(path))
        else:
            path.unlink()
    if subprocess.call([sys.executable, "-m", "venv", str(VENV)], env=environment()):
        sys.exit("No environment could be made (Debian, Ubuntu: sudo apt install python3-venv).")


def environment():
    """Return the environment for our programs, without settings that belong to other Pythons."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    # A user's own settings may ask for what .venv does not allow; the projector's page is ours.
    return dict(kept, PIP_USER="0", JUPYTER_PATH=str(ROOT / "synthrisk_classroom"))


def run_pip(command, words):
    """Run the pip of .venv with the tested versions, showing that it moves; say why it failed."""
    pip = [str(PYTHON), "-m", "pip", command, "--progress-bar", "off"]
    pip += ["--disable-pip-version-check", "-c", "constraints.txt"] + words
    log, start = VENV / "pip.log", time.monotonic()
    with open(str(log), "wb") as file:
        streams = {"stdin": subprocess.DEVNULL, "stdout": file, "stderr": file}
        process = subprocess.Popen(pip, cwd=str(ROOT), env=environment(), **streams)
        while process.poll() is None:
            time.sleep(0.2)
            doing = log.read_text("utf-8", "replace").strip().split("\n")[-1]
            show_progress("{:6.0f} s  {}".format(time.monotonic() - start, doing.strip()))
    show_progress("")
    if process.returncode:
        text = log.read_text("utf-8", "replace")
        say("\n".join(text.splitlines()[-15:]))
        sys.exit(next(why for sign, why in WHY.items() if re.search(sign, text)))


def show_progress(line):
    """Show on a screen, in one line that changes, for how long pip works and on what."""
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns - 1
        say("\r" + line[:width].ljust(width), end="\r")


def keep_lessons():
    """Keep a copy of every lesson that was not run yet."""
    folder = ROOT / "notebooks"
    (CLEAN / "further").mkdir(parents=True, exist_ok=True)
    for name in lesson_names(folder):
        if b'"output_type"' not in (folder / name).read_bytes():
            shutil.copy(str(folder / name), str(CLEAN / name))


def lesson_names(folder):
    """List the lessons in a folder by their files, such as further/06_flags.ipynb."""
    paths = list(folder.glob("[0-9]*.ipynb")) + list(folder.glob("further/[0-9]*.ipynb"))
    return [path.relative_to(folder).as_posix() for path in paths]


def no_news():
    """Let this JupyterLab, and no other, not ask about its news over every first lesson."""
    path = VENV / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    never = {"fetchNews": "false", "checkForUpdates": False}
    path.write_text(json.dumps({"@jupyterlab/apputils-extension:notification": never}))


def run(words, folder=None):
    """Run the Python of .venv and return its exit code; Ctrl-C is left to the program run."""
    process = subprocess.Popen([str(PYTHON)] + words, cwd=folder, env=environment())
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    return process.wait()


def lab(words):
    """Open JupyterLab on the first lesson; its address and its token stay as it sets them."""
    set_up()
    options = ["--ServerApp.root_dir={}".format(ROOT)]
    options += ["--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options += ["--allow-root"]  # as in most containers
    return run(["-m", "jupyterlab"] + options + no_browser() + words)


def projector(words):
    """Show the class hour: only on this computer, and only to who has the token."""
    set_up()
    hour = str(ROOT / "notebooks" / "class_hour.ipynb")
    # A page that is closed ends its kernel; one that vanished leaves it behind, for ten minutes.
    cull = "--MappingKernelManager.cull_"
    options = ["--token", "--Voila.ip=127.0.0.1", "--template=projector"]
    options += [cull + "idle_timeout=600", cull + "interval=60"]
    return run(["-m", "voila", hour] + options + no_browser() + words)


def no_browser():
    """Return the option that keeps the browser closed, where there is no screen to open it on."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    if os.name == "nt" or sys.platform == "darwin" or any(map(os.environ.get, screens)):
        return []
    say("There is no display here: open the address that is printed below in a browser.")
    return ["--no-browser"]


def test(words):
    """Run the linter, the formatter's check and the tests; all three always run."""
    set_up(EXTRAS + ",test")
    # With the slow tests one process more than there are cores, because some wait for a browser.
    cores = (os.cpu_count() or 1) + ("--all" in words)
    pytest = "pytest -n {} --dist loadscope --no-loadscope-reorder".format(cores).split()
    pytest += [] if "--all" in words else ["-m", "not slow"]
    pytest += [word for word in words if word != "--all"]
    commands = (["ruff", "check"], ["ruff", "format", "--check"], pytest)
    return int(any([run(["-m"] + command, str(ROOT)) for command in commands]))


def reset(words):
    """Bring a clean copy of a lesson back; the student's own is kept beside it."""
    folder = ROOT / "notebooks"
    names = set(lesson_names(folder) + lesson_names(CLEAN))
    by_word = {}  # a file's name without its ending; a number is the core's, which comes last
    for name in sorted(names, key=lambda name: ("/" not in name, name)):
        stem = pathlib.Path(name).stem
        by_word.update({stem: name, stem[:2]: name})
    word = pathlib.Path(words[0]).stem if len(words) == 1 else ""
    if word not in by_word:
        numbers = ", ".join(sorted(word for word in by_word if len(word) == 2))
        named = "or the name of a file, such as {}".format(max(by_word, default=""))
        sys.exit("reset takes the number of one lesson ({}), {}.".format(numbers, named))
    name = by_word[word]
    clean, path = clean_lesson(name), folder / name
    if path.exists() and path.read_bytes() != clean:
        free = [path.with_name("my_" + path.name)]
        free += [path.with_name("my_{}_{}.ipynb".format(path.stem, n)) for n in range(2, 99)]
        own = next(one for one in free if not one.exists())
        path.rename(own)
        say("Yours is kept as {}.".format(own.name))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(clean)
    say("{} is clean: close it where it is open, and open it again.".format(name))


def clean_lesson(name):
    """Return a lesson as it was published, from git or from the copies of the set-up."""
    command = ["git", "-C", str(ROOT), "show", "HEAD:./notebooks/" + name]
    clean = subprocess.run(command, capture_output=True).stdout if shutil.which("git") else b""
    if not clean and not (CLEAN / name).exists():
        sys.exit("There is no clean copy of {} here: download it again.".format(name))
    return clean or (CLEAN / name).read_bytes()


def pack(words):
    """Copy the project into a new folder, with all packages: start.py there needs no internet."""
    folder = pathlib.Path(words[0]).resolve() if len(words) == 1 else ROOT
    if folder == ROOT or ROOT in folder.parents or folder.exists():
        sys.exit("pack takes one new folder, and not in this one: such as /media/stick/lessons.")
    set_up()
    ours = (".venv", ".git", "__pycache__", ".*_cache", ".ipynb_checkpoints", "packages")
    shutil.copytree(str(ROOT), str(folder), ignore=shutil.ignore_patterns(*ours))
    # The last two build our own package, as its pyproject.toml asks for.
    run_pip("download", ["-d", str(folder / "packages"), ".[{}]".format(EXTRAS), "hatchling", "editables"])
    say("Carry the folder {} to a computer with {}, and start it there.".format(folder, HERE))


COMMANDS = {"": lab, "test": test, "projector": projector, "reset": reset, "pack": pack}


def main(words):
    """Do what the command line asks for and return the exit code."""
    name = words[0] if words and not words[0].startswith("-") else ""
    if words[:1] in (["--help"], ["-h"]):
        return say(__doc__.strip())
    if name in COMMANDS:
        return COMMANDS[name](words[1:] if name else words)
    if name not in PROGRAMS:
        known = ", ".join(sorted(set(COMMANDS).union(PROGRAMS) - {""}))
        sys.exit("There is no command {!r}; the commands are {}.".format(name, known))
    set_up(EXTRAS + ",test" if name in ("bench", "reproduce") else EXTRAS)
    return run(PROGRAMS[name] + words[1:])


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # a console may lack a sign that pip uses
    try:
        sys.exit(main(sys.argv[1:]))
    except OSError as error:
        sys.exit("start.py: a file cannot be used: {}; put that right, start again.".format(error))
    except KeyboardInterrupt:
        sys.exit("\nStopped; run the same command again to go on.")
