"""Run the lessons for the tests, and clean notebooks before they are committed.

python tests/notebook_runner.py --clean notebooks/*.ipynb notebooks/further/*.ipynb

strips outputs, in place.
"""

import argparse
import ast
import json
import sys
import warnings
from functools import cache
from pathlib import Path

import claims
import nbformat

from synthrisk_classroom import lesson, running
from synthrisk_classroom.lesson import exercises
from synthrisk_classroom.solutions import exercise_in, fill_in, prediction_in

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
# What a cell's metadata may keep: marks that change how a lesson is shown, here or on the site.
KEPT_CELL_METADATA = ("tags", "jupyter", "offers")


@cache
def run_lesson(path):
    """Run a lesson once in a process, as a student gets it, with each claim after its cell."""
    number = Path(path).name[:2]
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # a warning is printed, and found by `problems`
        for kind in (DeprecationWarning, PendingDeprecationWarning, ResourceWarning):
            warnings.simplefilter("ignore", kind)  # as Python does by itself
        return running.run_lesson(path, lambda cell, names: claims.hold(number, cell, names))


@cache
def cells_of(number):
    """Name → cells of every notebook of a lesson, the core first."""
    paths = running.lesson_paths()
    return {
        name: nbformat.read(path, as_version=4).cells
        for name, path in paths.items()
        if path.name[:2] == number
    }


def ids_in(cells):
    """The ids of the exercises and of the predictions in some cells, from top to bottom."""
    exercised = [exercise_in(cell) for cell in cells if exercise_in(cell)]
    return exercised, [prediction_in(cell) for cell in cells if prediction_in(cell)]


def problems(run):
    """List everything that is wrong in a lesson that was run, one sentence each."""
    found = []
    for cell in run.notebook.cells:
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                found.append(f"{cell.id}: stderr: {output.text.strip()}")
    for cell, panel in run.panels.items():
        if panel.error is not None:
            found.append(f"{cell}: {panel.error}")
    return found


def solved(run, number, student=None):
    """Solve the exercises of a lesson that was run, in its cells: id → verdict."""
    my = lesson(number, student=student)
    names, verdicts = {**run.names, "my": my, "mine": my.data}, {}
    for cell in run.notebook.cells:
        id = exercise_in(cell)
        if id:
            filled = ast.parse(fill_in(cell.source, exercises(number)[id].solution))
            last = ast.Expression(filled.body.pop().value)
            exec(compile(filled, id, "exec"), names)
            verdicts[id] = eval(compile(last, id, "eval"), names)
    return verdicts


# ------------------------------------------------------------------------- clean


def cleaned(text):
    """Return a notebook's JSON without outputs, counts, widget state and private metadata."""
    notebook = json.loads(text)
    cells = [clean_cell(cell, number) for number, cell in enumerate(notebook["cells"])]
    clean = {
        "cells": cells,
        "metadata": {"kernelspec": KERNEL, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(clean, indent=1, ensure_ascii=False) + "\n"


def clean_cell(cell, number):
    """Return one cell, clean: its keys in the usual order, its source as a list of lines."""
    metadata = cell.get("metadata", {})
    clean = {
        "cell_type": cell["cell_type"],
        "id": cell.get("id", f"cell-{number}"),
        "metadata": {key: metadata[key] for key in KEPT_CELL_METADATA if metadata.get(key)},
        "source": "".join(cell["source"]).splitlines(keepends=True),
    }
    if cell.get("attachments"):
        clean["attachments"] = cell["attachments"]
    if cell["cell_type"] == "code":
        clean |= {"execution_count": None, "outputs": []}
    return dict(sorted(clean.items()))


def is_clean(path):
    """Tell whether a notebook is as `--clean` leaves it, byte for byte."""
    data = Path(path).read_bytes()
    return data == cleaned(data.decode("utf-8")).encode("utf-8")


def clean_file(path):
    """Clean a notebook in place; a clean one is not touched."""
    if not is_clean(path):
        Path(path).write_text(cleaned(Path(path).read_text("utf-8")), "utf-8", newline="\n")


def main(arguments=None):
    """Clean the notebooks named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clean", action="store_true", required=True)
    parser.add_argument("notebooks", nargs="+", type=Path)
    for path in parser.parse_args(arguments).notebooks:
        clean_file(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
