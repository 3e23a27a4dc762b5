"""Set up synthrisk_edu and open the lessons.

    python3 start.py                set up (a minute or two, once) and open the first lesson
    python3 start.py test           see that everything is right (a few minutes)
    python3 start.py test --all     the same with the slow tests: a real browser, data made anew
    python3 start.py pack FOLDER    collect what a computer without internet needs

What follows is passed on: to the command (report --help), to pytest (test -k radius), or to
JupyterLab (python3 start.py --port 9999 --no-browser). All is installed into the folder .venv
beside this file, and nothing outside of it; to undo everything, or to begin anew, delete .venv.
The other commands stand in synthrisk_classroom/command.py, and --help lists them, too.
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
import runpy
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
EXTRAS = "lab,pages,app"  # of pyproject.toml; others are installed when a command needs them
COMMAND = ROOT / "synthrisk_classroom" / "command.py"  # the commands of the package
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
    foreign = ("PYTHONPATH", "PYTHONHOME", "JUPYTER_PATH")
    kept = {name: value for name, value in os.environ.items() if name not in foreign}
    return dict(kept, PIP_USER="0")  # a user's own setting may ask for what .venv does not allow


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
    """Keep a copy of every lesson that was not run yet, for `reset` where there is no git."""
    folder = ROOT / "notebooks"
    for path in list(folder.glob("*.ipynb")) + list(folder.glob("further/*.ipynb")):
        if b'"output_type"' not in path.read_bytes():
            copy = CLEAN / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(str(path), str(copy))


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


def pack(words):
    """Copy the project into a new folder, with all packages: start.py there needs no internet."""
    folder = pathlib.Path(words[0]).resolve() if len(words) == 1 else ROOT
    if folder == ROOT or ROOT in folder.parents or folder.exists():
        sys.exit("pack takes one new folder, and not in this one: such as /media/stick/lessons.")
    set_up()
    ours = (".venv", ".git", "__pycache__", ".*_cache", ".ipynb_checkpoints", "packages")
    shutil.copytree(str(ROOT), str(folder), ignore=shutil.ignore_patterns(*ours))
    # The last two build our own package, as its pyproject.toml asks for.
    what = [".[{},site]".format(EXTRAS), "hatchling", "editables"]
    run_pip("download", ["-d", str(folder / "packages")] + what)
    say("Carry the folder {} to a computer with {}, and start it there.".format(folder, HERE))


def bench(words):
    """Measure how fast everything is."""
    set_up(EXTRAS + ",test")
    return run([str(ROOT / "tests" / "bench.py")] + words)


def reproduce(words):
    """Put every published figure beside ours."""
    set_up(EXTRAS + ",test")
    return run([str(ROOT / "tests" / "reproduce.py")] + words)


OWN = {"test": test, "pack": pack, "bench": bench, "reproduce": reproduce}


def main(words):
    """Do what the command line asks for and return the exit code."""
    package = runpy.run_path(str(COMMAND))
    if words[:1] in (["--help"], ["-h"]):
        return say(__doc__ + "\n" + package["HELP"].replace("synthrisk ", "python3 start.py "))
    name, rest = "lab", words
    if words and not words[0].startswith("-"):
        name, rest = words[0], words[1:]
    if name in OWN:
        return OWN[name](rest)
    if name not in package["FUNCTIONS"]:
        known = ", ".join(sorted(set(OWN).union(package["FUNCTIONS"])))
        sys.exit("There is no command {!r}; the commands are {}.".format(name, known))
    extra = package["EXTRAS"].get(name, "lab")
    set_up(EXTRAS if extra in EXTRAS.split(",") else EXTRAS + "," + extra)
    if name == "reset":
        rest = ["--in", str(ROOT)] + rest
    # With -P the modules beside this file are not mistaken for Python's own.
    return run(["-P", str(COMMAND), name] + rest, str(ROOT) if name == "lab" else None)


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # a console may lack a sign that pip uses
    try:
        sys.exit(main(sys.argv[1:]))
    except OSError as error:
        sys.exit("start.py: a file cannot be used: {}; put that right, start again.".format(error))
    except KeyboardInterrupt:
        sys.exit("\nStopped; run the same command again to go on.")
