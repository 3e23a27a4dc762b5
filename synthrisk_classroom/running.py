"""Run a lesson once, in this process: what its cells show, and the living panels among it.

Handouts, the site, the tests and the benchmark all take what they need from one such run.
"""

import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, field
from io import TextIOBase
from pathlib import Path

import nbformat
from IPython.core.interactiveshell import InteractiveShell
from nbformat.v4 import new_output
from traitlets.config import Config

from synthrisk_classroom.lesson import PREDICTED
from synthrisk_classroom.prediction import Asked
from synthrisk_classroom.shipped import LESSONS, NOTEBOOKS
from synthrisk_classroom.solutions import source
from synthrisk_edu.widgets.panel import Panel


@dataclass
class Run:
    """A lesson that was run: its notebook with outputs, its panels by cell, its names.

    `asked` holds what is to be predicted before a panel, by cell; the panels themselves are open.
    """

    notebook: nbformat.NotebookNode
    panels: dict
    names: dict
    asked: dict = field(default_factory=dict)


def lesson_paths():
    """Return name → file of all lessons in their order: a core, then what goes further from it.

    A core is named as its file, "06_disco_walkthrough"; what goes further has the same number, and
    its folder in its name, "further/06_flags".
    """
    return {name: NOTEBOOKS / f"{name}.ipynb" for name in LESSONS}


def cores():
    """Return name → file of the cores: the lessons that a class does."""
    return {name: path for name, path in lesson_paths().items() if not is_further(path)}


def is_further(path):
    """Tell whether a lesson's file goes further than its core."""
    return Path(path).parent.name == "further"


def name_of(path):
    """Return the name of a lesson's file.

    >>> name_of(Path("notebooks/further/06_flags.ipynb")), name_of(Path("notebooks/06_core.ipynb"))
    ('further/06_flags', '06_core')
    """
    return f"further/{path.stem}" if is_further(path) else path.stem


def run_lesson(path, after=None):
    """Run a lesson as a student gets it, its exercises open; see `run`."""
    return run(nbformat.read(path, as_version=4), Path(path).parent, after)


def run(notebook, folder, after=None):
    """Run a notebook in a folder; the first error ends it, and is raised.

    `after(id, names)` is called after every code cell, with the names that it can see.
    """
    done, names, panels, asked = deepcopy(notebook), {}, {}, {}
    PREDICTED.clear()  # as a new kernel begins
    main = sys.modules["__main__"]  # whose place the shell takes
    shell = new_shell(names)
    try:
        for cell in done.cells:
            if cell.cell_type != "code":
                continue
            shown = run_cell(shell, cell, folder)
            if isinstance(shown, Asked):
                asked[cell.id], shown = shown.prediction, shown.panel
                shown.unveil()
            if isinstance(shown, Panel):
                panels[cell.id] = shown
            if after is not None:
                after(cell.id, names)
    finally:
        InteractiveShell.clear_instance()
        sys.modules["__main__"] = main
    return Run(done, panels, names, asked)


def new_shell(names):
    """Return a shell of our own that keeps no history."""
    InteractiveShell.clear_instance()
    quiet = Config({"HistoryManager": {"enabled": False}})
    return InteractiveShell.instance(config=quiet, user_ns=names)


def run_cell(shell, cell, folder):
    """Run one cell, store its outputs in it, and return what its last line gives."""
    outputs, given = [], []
    cell.outputs = outputs

    def publish(data, metadata=None, **_):
        """Keep what `display` shows."""
        outputs.append(new_output("display_data", data, metadata=metadata or {}))

    def show(value):
        """Keep what the last line gives."""
        given.append(value)
        data, metadata = ({}, {}) if value is None else shell.display_formatter.format(value)
        if data:
            outputs.append(new_output("execute_result", data, metadata=metadata))

    shell.display_pub.publish, shell.display_trap.hook = publish, show
    printed = (Printed(outputs, name) for name in ("stdout", "stderr"))
    with chdir(folder), redirect_stdout(next(printed)), redirect_stderr(next(printed)):
        result = shell.run_cell(source(cell), silent=False)
    result.raise_error()
    return given[-1] if given else None


class Printed(TextIOBase):
    """Keeps what is printed among the outputs of a cell, in the order of all that is shown."""

    def __init__(self, outputs, name):
        """Write into these outputs, under the name of the stream."""
        self.outputs, self.name = outputs, name

    def write(self, text):
        """Add to the last output, if that was printed, too."""
        last = self.outputs[-1] if self.outputs else {}
        if last.get("name") == self.name:
            last.text += text
        else:
            self.outputs.append(new_output("stream", name=self.name, text=text))
        return len(text)
