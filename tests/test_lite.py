"""The lessons in a browser that runs Python: what they need there, and the site that is built.

NumPy for browsers cannot be had here, so no lesson runs in the browser; see the guide.
"""

import hashlib
import json
import subprocess
import sys
from importlib import metadata
from threading import current_thread
from types import SimpleNamespace
from urllib.parse import urlsplit
from zipfile import ZipFile

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from nbformat.v4 import new_code_cell, new_notebook
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from test_site import served

from synthrisk_classroom import lite, prediction
from synthrisk_classroom.running import NOTEBOOKS, cores, lesson_paths
from synthrisk_classroom.shipped import all_files
from synthrisk_edu.threads import map_parts

# What Pyodide 314.0.6 has of what we need, from its pyodide-lock.json (npm: `pyodide`). The kernel
# in lite.BUILDER decides which Pyodide it is.
PYODIDE = dict(
    line.split()
    for line in """\
ipython 9.12.0
jinja2 3.1.6
jsonschema 4.26.0
matplotlib 3.10.8
numpy 2.4.6
packaging 26.1
pandas 3.0.2
pillow 12.2.0
platformdirs 4.9.4
pygments 2.20.0
scikit-learn 1.8.0
scipy 1.18.0
threadpoolctl 3.6.0
traitlets 5.14.3
typing-extensions 4.15.0""".splitlines()
)
THE_KERNELS = {"widgetsnbextension"}  # a small one comes with JupyterLite's kernel
BROWSER = {"sys_platform": "emscripten", "platform_system": "Emscripten", "os_name": "posix"}
BROWSER |= {"python_version": "3.14", "python_full_version": "3.14.2", "extra": ""}


# ----------------------------------------------------------------------- what a lesson needs


def test_pyodide_and_the_site_have_what_the_lessons_need():
    needed, waiting = set(), ["synthrisk_edu"]
    while waiting:
        for asked in map(Requirement, metadata.requires(waiting.pop()) or []):
            name = canonicalize_name(asked.name)
            if asked.marker is not None and not asked.marker.evaluate(BROWSER):
                continue
            if name in PYODIDE:
                assert asked.specifier.contains(PYODIDE[name]), asked
            elif name not in needed:
                needed.add(name)
                waiting.append(name)
    assert needed - THE_KERNELS == {canonicalize_name(name) for name in lite.WHEELS}


# A browser has one core and can start neither thread nor process. Nor has it what makes pages.
AS_IN_A_BROWSER = """
import os, subprocess, sys, threading
import sklearn  # the oldest libraries, which no browser has, start programs when imported

def refuse(*_, **__):
    raise RuntimeError("can't start new thread")

for missing in ("nbconvert", "latex2mathml", "jupyterlab", "voila"):
    sys.modules[missing] = None
threading.Thread.start = subprocess.Popen.__init__ = os.fork = refuse
os.cpu_count = lambda: 1
"""
RUN_THEM = """
from synthrisk_classroom.running import run_lesson
for path in sys.argv[1:]:
    run_lesson(path)
"""


def run_as_in_a_browser(program, *words):
    """Run a program in a process that can do as little as a browser's Python."""
    words = [sys.executable, "-c", AS_IN_A_BROWSER + program, *map(str, words)]
    return subprocess.run(words, capture_output=True, encoding="utf-8")


def test_lessons_start_no_thread_and_no_process():
    fast = ("00", "02", "04", "06")
    paths = [path for name, path in cores().items() if name.startswith(fast)]
    done = run_as_in_a_browser(RUN_THEM, *paths)
    assert done.returncode == 0, done.stderr[-2000:]


REFUSED = """
import subprocess, sys, threading
attempts = [
    threading.Thread(target=print).start,
    lambda: subprocess.run([sys.executable, "--version"]),
    lambda: __import__("nbconvert"),
]
for attempt in attempts:
    try:
        attempt()
    except (RuntimeError, ImportError):
        continue
    raise AssertionError(attempt)
raise ValueError("refused, all three")
"""


def test_a_lesson_that_starts_something_is_found(tmp_path):
    path = tmp_path / "99_threads.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell(REFUSED)]), path)
    done = run_as_in_a_browser(RUN_THEM, path)
    assert done.returncode != 0 and "ValueError: refused, all three" in done.stderr


@pytest.mark.parametrize(("number", "is_here"), [(1, True), (2, False)])
def test_parts_are_done_here_where_there_is_one_core(number, is_here, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: number)
    done_in = set(map_parts(lambda _: current_thread(), range(4)))
    assert (done_in == {current_thread()}) == is_here


def test_the_kernel_of_a_browser_says_which_cell_runs(monkeypatch):
    """Its `get_parent` knows no channels."""
    kernel = SimpleNamespace(get_parent=lambda: {"metadata": {"cellId": "panel-01"}})
    monkeypatch.setattr(prediction, "get_ipython", lambda: SimpleNamespace(kernel=kernel))
    assert prediction.this_cell() == "panel-01"


# ------------------------------------------------------------------------ what is built


def test_copies_are_clean_and_have_a_first_cell_for_browsers(tmp_path):
    (tmp_path / "copies").mkdir()
    lite.copy_lessons(tmp_path / "copies")
    files = [path for path in (tmp_path / "copies").rglob("*") if path.is_file()]
    names = {path.relative_to(tmp_path / "copies").as_posix() for path in files}
    assert names == set(all_files())
    for path in (tmp_path / "copies").rglob("*.ipynb"):
        codes = [one for one in nbformat.read(path, 4).cells if one.cell_type == "code"]
        assert codes[0].source.startswith(lite.FIRST) and lite.FIRST not in codes[1].source
        assert not any(cell.outputs for cell in codes)


@pytest.mark.parametrize(
    ("platform", "asked"),
    [("linux", []), ("emscripten", [("pip", "install -q synthrisk_edu")])],
)
def test_only_a_browser_fetches_what_the_lesson_needs(platform, asked, monkeypatch):
    monkeypatch.setattr(sys, "platform", platform)
    called = []
    shell = SimpleNamespace(run_line_magic=lambda *words: called.append(words))
    names = {"get_ipython": lambda: shell}
    exec(TransformerManager().transform_cell(lite.FIRST + "answer = 42"), names)
    assert called == asked and names["answer"] == 42


def test_the_first_cell_of_every_notebook_is_where_we_are_imported():
    for path in [*lesson_paths().values(), NOTEBOOKS / "class_hour.ipynb"]:
        cells = nbformat.read(path, as_version=4).cells
        first = next(cell.source for cell in cells if cell.cell_type == "code")
        assert "synthrisk_edu" in first or "synthrisk_classroom" in first, path.name


def installed_in(folder):
    """A distribution as pip leaves it, with a script, a compiled file and what pip adds."""
    files = {
        "ours/__init__.py": "",
        "ours/__pycache__/__init__.cpython-311.pyc": "compiled",
        "ours/files/a.csv": "a\n1\n",
        "ours-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: ours\nVersion: 1.0\n",
        "ours-1.0.dist-info/INSTALLER": "pip",
        "ours-1.0.dist-info/direct_url.json": '{"url": "where the teacher keeps it"}',
        "ours-1.0.dist-info/RECORD": "",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    lines = [f"{name},sha256=sum-of-{len(text)},{len(text)}\n" for name, text in files.items()]
    lines.append("../../../bin/ours,sha256=x,1\n")
    (folder / "ours-1.0.dist-info/RECORD").write_text("".join(lines), "utf-8")
    return metadata.Distribution.at(folder / "ours-1.0.dist-info")


def test_an_installed_package_is_packed_again_without_what_pip_has_added(tmp_path):
    lite.pack_again(installed_in(tmp_path / "site-packages"), tmp_path)
    wheel = ZipFile(tmp_path / "ours-1.0-py3-none-any.whl")
    kept = ["ours/__init__.py", "ours/files/a.csv", "ours-1.0.dist-info/METADATA"]
    assert wheel.namelist() == [*kept, "ours-1.0.dist-info/RECORD"]
    assert wheel.read("ours/files/a.csv") == b"a\n1\n"
    listed = wheel.read("ours-1.0.dist-info/RECORD").decode().splitlines()
    assert listed[:2] == ["ours-1.0.dist-info/RECORD,,", "ours/__init__.py,sha256=sum-of-0,0"]
    assert [line.split(",")[0] for line in listed[1:]] == kept


def test_what_fails_is_shown():
    with pytest.raises(SystemExit) as stopped:
        lite.run(sys.executable, "pip", "install", "--no-index", "there-is-no-such-package")
    assert "there-is-no-such-package" in str(stopped.value)
    assert str(stopped.value).endswith(lite.FAILED)


def test_a_folder_with_files_and_a_missing_pyodide_are_refused(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    for words in ([tmp_path], [tmp_path / "mine.txt"], [tmp_path / "new", "--pyodide", "no.bz2"]):
        with pytest.raises(SystemExit):
            lite.main([str(word) for word in words])
    said = capsys.readouterr().err
    assert said.count("is there already: name a new folder.") == 2
    assert "there is no file no.bz2." in said
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_pyodide_becomes_part_of_the_site_where_it_is_given(tmp_path, monkeypatch, capsys):
    """What is asked of JupyterLite; that it does so was seen with a distribution made by hand."""
    asked = []

    def run(python, module, *words, folder=None):
        if module == "jupyterlite_core":
            asked.append(words)
            (folder / "site").mkdir()

    monkeypatch.setattr(lite, "run", run)
    given = tmp_path / "pyodide.tar.bz2"
    given.touch()
    lite.main([str(tmp_path / "a")])
    assert (
        "fetches Python, from the servers of Pyodide, and nothing else." in capsys.readouterr().out
    )
    lite.main([str(tmp_path / "b"), "--pyodide", str(given)])
    assert "fetches nothing." in capsys.readouterr().out
    assert asked[1][-2:] == ("--pyodide", given) and asked[0] == asked[1][:-2]


# --------------------------------------------------------------------------- the site itself


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as a teacher builds it."""
    folder = tmp_path_factory.mktemp("lite") / "site"
    lite.main([str(folder)])
    return folder


@pytest.mark.slow
def test_every_wheel_is_in_the_site_as_its_index_says(site):
    config = json.loads((site / "jupyter-lite.json").read_text("utf-8"))["jupyter-config-data"]
    kernel = config["litePluginSettings"]["@jupyterlite/pyodide-kernel-extension:kernel"]
    assert kernel["disablePyPIFallback"] is True
    found = {}
    for address in kernel["pipliteUrls"]:
        index = site / urlsplit(address).path
        assert hashlib.sha256(index.read_bytes()).hexdigest() in address
        for name, project in json.loads(index.read_text("utf-8")).items():
            for version, (release,) in project["releases"].items():
                wheel = index.with_name(release["filename"]).read_bytes()
                assert hashlib.sha256(wheel).hexdigest() == release["digests"]["sha256"]
                found[name] = version
    ours = {canonicalize_name(name): metadata.version(name) for name in lite.WHEELS}
    assert ours.items() <= found.items() and "synthrisk-edu" in found and set(found) >= THE_KERNELS
    front_ends = {one["name"] for one in config["federated_extensions"]}
    assert front_ends >= {"@jupyter-widgets/jupyterlab-manager", "anywidget"}


@pytest.mark.slow
def test_the_lessons_in_the_site_differ_in_their_first_cell_alone(site):
    for path in [*lesson_paths().values(), NOTEBOOKS / "class_hour.ipynb"]:
        ours = nbformat.read(path, as_version=4).cells
        copies = nbformat.read(site / "files" / path.relative_to(NOTEBOOKS), as_version=4).cells
        assert len(copies) == len(ours)
        differ = [(a.source, b.source) for a, b in zip(ours, copies, strict=True) if a != b]
        ((before, after),) = differ
        assert after == lite.FIRST + before
    texts = [*NOTEBOOKS.rglob("*.md"), *NOTEBOOKS.rglob("*.png")]
    assert len(texts) > 30
    for path in texts:
        assert (site / "files" / path.relative_to(NOTEBOOKS)).read_bytes() == path.read_bytes()


# The kernel that JupyterLite has in a browser, here: it shows nothing to anybody.
IN_ITS_KERNEL = """
import asyncio
from pathlib import Path
from types import SimpleNamespace
import nbformat

async def load_packages(code):
    "Fetch nothing."

wheels, *paths = map(Path, sys.argv[1:])
sys.path[:0] = [str(wheel) for wheel in wheels.glob("*.whl") if "kernel" in wheel.name]
sys.modules["pyodide_js"] = SimpleNamespace(loadPackagesFromImports=load_packages)
import pyodide_kernel

kernel = pyodide_kernel.kernel_instance
kernel.interpreter.send_comm = lambda *_: None
for path in paths:
    kernel.interpreter.reset()
    os.chdir(path.parent)
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            kernel._parent_header = {"metadata": {"cellId": cell.id}}
            ended = asyncio.run(kernel.run(cell.source))
            if ended["status"] != "ok":
                sys.exit(f"{path.name} {cell.id}: {ended['ename']} {ended['evalue']}")
"""


@pytest.mark.slow
def test_the_lessons_run_in_the_kernel_of_the_site(site):
    wheels = site / "extensions/@jupyterlite/pyodide-kernel-extension/static/pypi"
    paths = [site / "files" / path.relative_to(NOTEBOOKS) for path in cores().values()]
    done = run_as_in_a_browser(IN_ITS_KERNEL, wheels, *paths, site / "files" / "class_hour.ipynb")
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.slow
def test_the_site_opens_in_a_browser_and_shows_a_lesson(site, chromium):
    """Beside the site, the browser asks for Pyodide and for nothing else."""
    asked, failed = [], []
    with served(site) as address, chromium.new_context() as context:
        page = context.new_page()
        context.on("request", lambda request: asked.append(request.url))
        context.on("response", lambda one: failed.append(one.url) if one.status >= 400 else None)
        # The kernel is started as soon as the lesson is open, so we listen before.
        with context.expect_event("request", lambda one: one.url.endswith("pyodide.mjs")):
            page.goto(f"{address}/lab/index.html?path=01_matching_approach.ipynb")
            page.locator(
                ".jp-RenderedMarkdown h1", has_text="01 · The matching approach"
            ).wait_for()
        page.locator(".jp-Cell .cm-content", has_text="%pip install -q synthrisk_edu").wait_for()
        page.locator(".jp-DirListing-itemText", has_text="glossary.md").wait_for()
        assert page.locator(".jp-Toolbar-kernelName").inner_text() == "Python (Pyodide)"
        assert page.locator(".jp-Dialog").count() == 0
    schema = "extensions/@jupyterlite/pyodide-kernel-extension/static/schema/kernel.v0.schema.json"
    known = json.loads((site / schema).read_text("utf-8"))["properties"]["pyodideUrl"]["default"]
    elsewhere = {url for url in asked if not url.startswith((address, "blob:", "data:"))}
    assert {url.rsplit("/", 1)[0] for url in elsewhere} == {known.rsplit("/", 1)[0]}
    assert [url for url in failed if url.startswith(address)] == []


@pytest.mark.slow
def test_what_was_installed_from_a_wheel_gives_the_same_wheel(project, tmp_path):
    lite.run(sys.executable, "pip", "wheel", "--no-deps", "-w", tmp_path, project)
    (first,) = tmp_path.glob("*.whl")
    install = sys.executable, "pip", "install", "--no-deps", "--target"
    lite.run(*install, tmp_path / "one", first)
    (place,) = (tmp_path / "one").glob("*.dist-info")
    (tmp_path / "again").mkdir()
    lite.pack_again(metadata.Distribution.at(place), tmp_path / "again")
    (again,) = (tmp_path / "again").glob("*.whl")
    assert again.name == first.name
    kept = {name: ZipFile(first).read(name) for name in ZipFile(first).namelist()}
    packed = {name: ZipFile(again).read(name) for name in ZipFile(again).namelist()}
    (record,) = (name for name in kept if name.endswith("RECORD"))
    lines, lines_again = (set(files.pop(record).split()) for files in (kept, packed))
    assert packed == kept and lines_again == lines
    lite.run(*install, tmp_path / "two", again)
