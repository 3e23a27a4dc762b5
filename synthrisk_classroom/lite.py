"""The lessons in a browser that runs Python itself: `synthrisk lite FOLDER`.

The site is JupyterLab as files (JupyterLite): no server computes anything, and what is typed stays
in the browser. Python and the compiled libraries (Pyodide) are fetched by the reader's browser;
what Pyodide does not bring lies in the site, as wheels.

JupyterLite is installed into an environment that is thrown away afterwards: its kernel puts an
extension into JupyterLab that fails there, and nobody else needs it.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

import nbformat

from synthrisk_classroom.copies import copy_all

PROJECT = Path(__file__).parents[1]  # it has a pyproject.toml where this was not installed
# These versions and no others: the kernel decides which Pyodide is fetched, and so which pandas.
BUILDER = ["jupyterlite-core[contents]==0.8.6", "jupyterlite-pyodide-kernel==0.8.6"]
# What lessons need and this Pyodide lacks; tests/test_lite.py lists what it has.
WHEELS = """anywidget comm fastjsonschema ipywidgets jupyter_core jupyterlab_widgets nbformat
psygnal seaborn""".split()
FRONT_ENDS = ("anywidget", "jupyterlab_widgets")  # of these a part runs in the page
# An import alone finds no wheel of the site: ours has to be asked for, and brings what it needs.
# This stands in the first cell, because a cell of its own can be passed over.
FIRST = """\
import sys

if sys.platform == "emscripten":  # a browser fetches what the lesson needs
    %pip install -q synthrisk_edu

"""
SETTINGS = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
        "litePluginSettings": {
            # Wheels come from the site and from Pyodide, and from nowhere else.
            "@jupyterlite/pyodide-kernel-extension:kernel": {"disablePyPIFallback": True}
        }
    },
}
FAILED = "The site was not built: above stands why. (Its parts come from the internet.)"


def make(folder, pyodide=None):
    """Build the site in a new folder; `pyodide` is a distribution that becomes part of it."""
    with TemporaryDirectory() as place:
        project = Path(place, "project")
        wheels = project / "pypi"
        wheels.mkdir(parents=True)
        print("[1/3] Collecting the lessons and their packages ...", flush=True)
        copy_lessons(project / "content")
        (project / "jupyter-lite.json").write_text(json.dumps(SETTINGS), "utf-8")
        python = new_environment(Path(place, "environment"))
        make_own_wheel(python, wheels)
        fetch_wheels(python, wheels)
        print("[2/3] Installing JupyterLite, for this once ...", flush=True)
        run(python, "pip", "install", *BUILDER)
        front_ends = [path for name in FRONT_ENDS for path in wheels.glob(f"{name}-*.whl")]
        run(python, "pip", "install", "--no-deps", *front_ends)
        print("[3/3] Building the site ...", flush=True)
        options = ["--contents", "content", "--output-dir", "site"]
        options += ["--apps", "lab", "--no-sourcemaps", "--no-unused-shared-packages"]
        if pyodide is not None:
            options += ["--pyodide", pyodide]
        run(python, "jupyterlite_core", "build", *options, folder=project)
        shutil.copytree(project / "site", folder, dirs_exist_ok=True)


def copy_lessons(folder):
    """Copy the lessons and what they link to, ready for a browser."""
    copy_all(folder)
    for path in folder.rglob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        first = next(cell for cell in notebook.cells if cell.cell_type == "code")
        first.source = FIRST + first.source
        nbformat.write(notebook, path)


def new_environment(folder):
    """Make an environment without packages; return its Python."""
    run(sys.executable, "venv", folder)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_own_wheel(python, folder):
    """Make the wheel of this package: from the project's folder, or from what was installed."""
    if (PROJECT / "pyproject.toml").is_file():
        run(python, "pip", "wheel", "--no-deps", "-w", folder, PROJECT)
    else:
        pack_again(metadata.distribution("synthrisk_edu"), folder)


def pack_again(installed, folder):
    """Pack a distribution into a wheel again; what pip has added to it stays out."""
    name = f"{installed.name}-{installed.version}"
    record = f"{name}.dist-info/RECORD"  # lists the files, and is written anew
    lines = [f"{record},,\n"]
    with ZipFile(folder / f"{name}-py3-none-any.whl", "w", ZIP_DEFLATED) as wheel:
        for file in installed.files:
            is_added = file.name in ("INSTALLER", "REQUESTED", "direct_url.json")
            if is_added or ".." in file.parts or file.suffix == ".pyc" or file.name == "RECORD":
                continue
            wheel.write(file.locate(), file)
            lines.append(f"{file},{file.hash.mode}={file.hash.value},{file.size}\n")
        wheel.writestr(record, "".join(lines))


def fetch_wheels(python, folder):
    """Fetch the other wheels, made for any system, in the versions that are installed here."""
    wanted = [f"{name}=={metadata.version(name)}" for name in WHEELS]
    options = ["--no-deps", "--only-binary", ":all:", "--platform", "any", "-d", folder]
    run(python, "pip", "download", *options, *wanted)


def run(python, module, *words, folder=None):
    """Run a module as a program, silently; if it fails, show the end of what it says, and stop."""
    # -I: the modules of that Python alone, whatever PYTHONPATH says.
    words = [str(word) for word in (python, "-I", "-m", module, *words)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace")
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines()
        sys.exit("\n".join([*said[-12:], FAILED]))


def main(arguments=None):
    """Read the command line, build the site and say what to do with it."""
    parser = argparse.ArgumentParser(prog="lite", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder")
    whole = "pyodide-….tar.bz2, all of Pyodide: the site holds it, and readers need no internet"
    parser.add_argument("--pyodide", type=Path, metavar="FILE", help=whole)
    given = parser.parse_args(arguments)
    folder = given.folder.resolve()
    if folder.exists() and (folder.is_file() or any(folder.iterdir())):
        parser.error(f"{given.folder} is there already: name a new folder.")
    if given.pyodide is not None and not given.pyodide.is_file():
        parser.error(f"there is no file {given.pyodide}.")
    make(folder, given.pyodide and given.pyodide.resolve())
    elsewhere = "Python, from the servers of Pyodide, and nothing else"
    if given.pyodide is not None:
        elsewhere = "nothing"
    print(
        f"The site is in {given.folder}: put it on a web server (https). To look at it here, run\n"
        f'    python -m http.server --directory "{given.folder}"\n'
        "and open http://localhost:8000/lab/index.html?path=00_start_here.ipynb in a browser.\n"
        f"From elsewhere a reader's browser fetches {elsewhere}."
    )
