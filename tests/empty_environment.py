"""An environment with our package and what it asks for, and nothing else; and programs run in it.

Nothing is installed anew: what is needed is linked from the environment that runs the tests.
"""

import contextlib
import os
import re
import subprocess
import sys
import time
import urllib.request
import venv
from importlib import metadata
from pathlib import Path

from jupyter_browser import JUPYTER_FOLDERS
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROGRAMS = "Scripts" if os.name == "nt" else "bin"
NEVER = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "JUPYTER_PATH", "MPLBACKEND"}


def environment(home):
    """The variables of somebody who has never seen this project, and whose Jupyter is new."""
    kept = {name: value for name, value in os.environ.items() if name not in NEVER}
    return kept | {name: str(home / name) for name in JUPYTER_FOLDERS}


def run(*words, folder):
    """Run a program there; return the finished process."""
    words = [str(word) for word in words]
    options = {"capture_output": True, "encoding": "utf-8"}
    return subprocess.run(words, cwd=folder, env=environment(folder.parent), **options)


def printed(*words, folder):
    """Return what a program prints, which ends well."""
    done = run(*words, folder=folder)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    return done.stdout


def answer(*words, folder, log, seconds=120):
    """Start a server, wait for the address that it prints, and return what is found there."""
    words = [str(word) for word in words]
    with open(log, "wb") as file:
        options = {"stdout": file, "stderr": file, "stdin": subprocess.DEVNULL}
        server = subprocess.Popen(words, cwd=folder, env=environment(folder.parent), **options)
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end and server.poll() is None:
            said = log.read_text("utf-8", "replace")
            found = re.search(r"http://127\.0\.0\.1:\d+/\S*", said)
            with contextlib.suppress(OSError):  # it prints its address before it listens
                if found:
                    return urllib.request.urlopen(found[0], timeout=seconds).read().decode()
            time.sleep(0.2)
        raise AssertionError("no answer:\n" + log.read_text("utf-8", "replace")[-2000:])
    finally:
        server.terminate()
        server.wait(30)


def build(project, folder):
    """Make the wheel of the files as they are, and return its path."""
    words = ["-m", "pip", "wheel", "-q", "--no-deps", "-w", ".", project]
    printed(sys.executable, *words, folder=folder)
    return next(folder.glob("*.whl"))


def make(folder, wheel, extras=()):
    """Make an environment with the wheel and what it and its extras ask for.

    Nothing else is to be found in it: what is imported and not declared fails.
    """
    venv.create(folder)
    python = folder / PROGRAMS / ("python.exe" if os.name == "nt" else "python")
    install = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps"]
    printed(*install, wheel, folder=folder)
    packages = packages_of(python, folder)
    (dist_info,) = packages.glob("*.dist-info")
    for needed in what_it_asks_for(dist_info, extras):
        link(needed, packages)
    link_shared(folder)
    return python


def packages_of(python, folder):
    """Return where an environment has its packages."""
    find = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(printed(python, "-c", find, folder=folder).strip())


def what_it_asks_for(dist_info, extras):
    """List the distributions that an installed one asks for, and those that these ask for."""
    ours = metadata.Distribution.at(dist_info)
    found, waiting = {}, [(ours, extra) for extra in ("", *extras)]
    while waiting:
        asking, extra = waiting.pop()
        for needed in map(Requirement, asking.requires or []):
            if needed.marker is not None and not needed.marker.evaluate({"extra": extra}):
                continue
            if canonicalize_name(needed.name) == "synthrisk-edu":  # an extra that names others
                waiting += [(ours, wanted) for wanted in needed.extras]
                continue
            for wanted in {"", *needed.extras}:
                key = canonicalize_name(needed.name), wanted
                if key not in found:
                    found[key] = metadata.distribution(needed.name)
                    assert needed.specifier.contains(found[key].version), needed
                    waiting.append((found[key], wanted))
    return found.values()


def link(distribution, packages):
    """Let what a distribution has installed here be found in another folder too."""
    tops = {file.parts[0] for file in distribution.files} - {"..", "__pycache__"}
    for top in tops:
        if not (packages / top).exists():
            (packages / top).symlink_to(Path(distribution.locate_file(top)))


def link_shared(folder):
    """Let templates and extensions of Jupyter be found, too."""
    (folder / "share").symlink_to(Path(sys.prefix) / "share")
