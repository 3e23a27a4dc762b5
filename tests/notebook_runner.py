"""Run notebooks and find what went wrong in them; clean them before they are committed.

    python tests/notebook_runner.py notebooks/*.ipynb           run them and list the problems
    python tests/notebook_runner.py --clean notebooks/*.ipynb   strip outputs, in place

An ordinary runner fails on a cell that raises, and on nothing else. An error inside a
widget's callback ends up in the widget's own output: `problems` looks there, too.
"""

import argparse
import json
import re
import sys
import time
from functools import cache
from pathlib import Path

import claims
import nbformat
from nbformat.v4 import new_code_cell

from synthrisk_edu.classroom import kernels
from synthrisk_edu.classroom.solutions import with_solutions

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
ERROR_CLASS = "synthrisk-error"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
# What a cell's metadata may keep: marks that change how a lesson is shown.
KEPT_CELL_METADATA = ("tags", "jupyter", "slideshow")


# --------------------------------------------------------------------------- run


def run_notebook(path, timeout=300):
    """Run a notebook from its own folder to its end, whatever its cells raise."""
    notebook, folder = nbformat.read(path, as_version=4), Path(path).resolve().parent
    return kernels.run(notebook, folder, timeout=timeout, allow_errors=True)


@cache
def run_lesson(path):
    """Run a lesson once in a process, with its exercises solved and each claim after its cell.

    The cells that check claims are the last word on a cell, and are marked in their metadata.
    """
    lesson = Path(path).name[:2]
    notebook = nbformat.read(path, as_version=4)
    solved = nbformat.from_dict(with_solutions(notebook))
    claimed = {claim.cell for claim in claims.claims_of(lesson)}
    cells = []
    for cell in solved.cells:
        cells.append(cell)
        if cell.id in claimed:
            cells.append(checking(f"claims.hold({lesson!r}, {cell.id!r}, globals())"))
    cells.append(checking(f"claims.hold_tables({lesson!r}, globals())"))
    cells.append(checking(f"claims.hold_panels({lesson!r}, Out.values())"))
    solved.cells = cells
    return kernels.run(solved, Path(path).resolve().parent, timeout=300, allow_errors=True)


def checking(code):
    """Return a cell that checks something about the lesson it stands in."""
    folder = str(Path(__file__).resolve().parent)
    start = f"import sys\nsys.path.insert(0, {folder!r})\nimport claims\n"
    return new_code_cell(start + code, metadata={"checks": True})


def held(notebook):
    """List what the checking cells of an executed lesson have printed, line by line."""
    printed = [
        output.text
        for cell in notebook.cells
        if cell.metadata.get("checks")
        for output in cell.outputs
        if output.output_type == "stream"
    ]
    return "".join(printed).splitlines()


def problems(notebook):
    """List everything that is wrong in an executed notebook, one sentence each."""
    found = []
    for number, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            found += output_problems(output, f"cell {number}")
    for name, model in widget_models(notebook).items():
        where = f"widget {model.get('model_name', name)}"
        state = model.get("state", {})
        for output in state.get("outputs") or []:
            found += output_problems(output, where)
        if shows_error(state):
            found.append(f"{where}: shows an error: {plain(state.get('value', ''))}")
    return found


def output_problems(output, where):
    """List what is wrong in one output: an error, or a warning on the error stream."""
    if output["output_type"] == "error":
        return [f"{where}: {output['ename']}: {output['evalue']}"]
    if output["output_type"] == "stream" and output["name"] == "stderr":
        return [f"{where}: stderr: {joined(output['text']).strip()}"]
    if ERROR_CLASS in joined(output.get("data", {}).get("text/html", "")):
        return [f"{where}: shows an error: {plain(joined(output['data']['text/html']))}"]
    return []


def widget_models(notebook):
    """Return the saved state of all widgets, by their model's id."""
    return notebook.metadata.get("widgets", {}).get(WIDGET_STATE, {}).get("state", {})


def shows_error(state):
    """Tell whether a widget is marked as an error, by its HTML or by its own class."""
    value = state.get("value")
    in_html = isinstance(value, str) and ERROR_CLASS in value
    return in_html or ERROR_CLASS in (state.get("_dom_classes") or [])


def joined(text):
    """Return text that a notebook may hold as a list of lines."""
    return text if isinstance(text, str) else "".join(text)


def plain(html):
    """Return HTML without its tags."""
    return re.sub(r"<[^>]*>", "", str(html)).strip()


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
        "source": joined(cell["source"]).splitlines(keepends=True),
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
    """Clean or run the notebooks named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clean", action="store_true", help="strip outputs in place, do not run")
    parser.add_argument("notebooks", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    failed = False
    for path in options.notebooks:
        if options.clean:
            clean_file(path)
            continue
        begin = time.perf_counter()
        found = problems(run_notebook(path))
        print(f"{path.name}: {time.perf_counter() - begin:.1f} s, {len(found)} problems")
        print("".join(f"  {problem}\n" for problem in found), end="")
        failed = failed or bool(found)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
