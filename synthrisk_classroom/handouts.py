"""Handouts of the lessons: `synthrisk handouts [FOLDER]`, or of some with `--only 01 02`.

Each lesson is run once, as a student gets it, and becomes two pages: its exercises left open, and
solved (`…_solutions`). Those of what goes further lie in a folder `further`, as in `notebooks`. A
page is one file that needs no network. A panel becomes its picture and its words. What is folded
stays folded, so that a student's print shows no answer; in the solutions everything is open.
"""

import argparse
import re
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from functools import partial
from html import escape
from multiprocessing import get_context

from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from synthrisk_classroom.command import folder_of
from synthrisk_classroom.convert import COLOURS, asset, to_html
from synthrisk_classroom.lesson import exercises, numbers, tables
from synthrisk_classroom.running import lesson_paths, name_of, run_lesson
from synthrisk_classroom.solutions import exercise_in, is_method, source
from synthrisk_edu.pages import html_document
from synthrisk_edu.plots import look

VIEW = "application/vnd.jupyter.widget-view+json"
BAR = re.compile(r"[^\r\n]*\[#*\.*\][^\r\n]*[\r\n]*")  # that told how far the work was
KIND = re.compile(r"\n?^(Name: .*, )?(Length: \d+, )?dtype: \w+$", re.MULTILINE)  # of a column


def still(run, solved=True):
    """Return a copy of a lesson that was run, in which nothing moves and nothing is dead.

    A panel that is to be predicted is only its question, unless `solved`.
    """
    notebook = deepcopy(run.notebook)
    for cell in notebook.cells:
        if cell.id in run.panels:
            shown = still_panel(run, cell.id, solved)
            cell.outputs = [new_output("display_data", {"text/html": shown})]
        for output in cell.get("outputs", []):
            if VIEW in output.get("data", {}):  # it reads files of one's own
                output.data = {"text/html": "<p>This panel is the notebook's.</p>"}
            if "synthrisk-predictions" in output.get("data", {}).get("text/html", ""):
                output.data = {"text/html": ""}  # nobody has predicted anything yet
            if output.output_type == "stream":
                output.text = BAR.sub("", output.text).strip("\r")
            elif "text/html" not in output.data and "text/plain" in output.data:
                output.data["text/plain"] = KIND.sub("", output.data["text/plain"])
        if cell.cell_type == "code":
            cell.outputs = [one for one in cell.outputs if is_output(one)]
    return notebook


def is_output(output):
    """Tell whether an output shows anything."""
    return bool(
        "".join(map(str, output.get("data", {"text": output.get("text")}).values())).strip()
    )


def still_panel(run, id, solved):
    """Return a panel as HTML, with its question before it; the answer only if `solved`."""
    panel, asked = run.panels[id], run.asked.get(id)
    if asked is None:
        return panel.still()
    question = f'<p class="question"><b>Predict {asked.id}.</b> {escape(asked.question)}</p>'
    if not solved:
        return f'{question}<p class="line"></p>'
    return f"{question}<p>{escape(asked.judge(None, panel)['words'])}</p>{panel.still()}"


def with_exercises(notebook, solved):
    """Return a copy without verdicts, its exercises open or replaced by their solutions."""
    made = deepcopy(notebook)
    made.cells = []
    for cell in deepcopy(notebook.cells):
        id = exercise_in(cell)
        if id:
            cell.outputs = []
        made.cells += solution_cells(id) if id and solved else [cell]
    return made


def solution_cells(id):
    """Return the solution of an exercise: its lines, why, and what they give."""
    exercise = exercises(id[:2])[id]
    data = tables(id[:2], None)
    words = new_markdown_cell(f"**Solution of {id}.** {exercise.why(data)}", id=f"why-{id[3:]}")
    shown = exercise.form.shown(exercise, data)
    outputs = [new_output("display_data", {"text/html": shown})] if shown else []
    code = new_code_cell(exercise.solution, id=f"code-{id[3:]}", outputs=outputs)
    return [code, words]


def on_paper(notebook):
    """Return a copy whose code is shown only where it is worth reading; dead cells are gone."""
    made = deepcopy(notebook)
    made.cells = [one for one in made.cells if is_alive(one)]
    for cell in made.cells:
        if cell.cell_type == "code" and not is_worth_reading(cell):
            cell.metadata["transient"] = {"remove_source": True}
    return made


def is_alive(cell):
    """Tell whether a cell shows anything on paper."""
    return cell.cell_type != "code" or is_worth_reading(cell) or bool(cell.outputs)


def is_worth_reading(cell):
    """Tell whether the code of a cell is a method, an exercise or a solution."""
    return is_method(cell) or bool(exercise_in(cell)) or cell.id.startswith("code-")


def pages_of(run):
    """Return the two pages of a lesson that was run, by the ending of their names."""
    title = title_of(run.notebook)
    style = look.CSS + COLOURS + asset("lesson.css") + asset("handout.css")
    made = {}
    for ending, solved in {"": False, "_solutions": True}.items():
        body = to_html(on_paper(with_exercises(still(run, solved), solved)))
        # Links between lessons lead to the page of the same kind.
        body = re.sub(r'(href="(?:\.\./|further/)?\d\d_\w+)\.ipynb', rf"\1{ending}.html", body)
        body = body.replace("<details>", "<details open>") if solved else body
        made[ending] = html_document(title, body, style)
    return made


def title_of(notebook):
    """Return the title of a lesson from its first cell."""
    return re.search(r"^# (.*)", source(notebook.cells[0]), re.MULTILINE)[1]


def make_lesson(folder, path):
    """Make the pages of one lesson; return a line that says how it went, and whether well."""
    name = name_of(path)
    try:
        for ending, html in pages_of(run_lesson(path)).items():
            file = folder / f"{name}{ending}.html"
            file.parent.mkdir(exist_ok=True)
            file.write_text(html, "utf-8")
    except Exception as error:  # one lesson that fails must not stop the others
        return f"{name}: could not be made: {error}", False
    return f"{name}: handout and solutions", True


def main(arguments=None):
    """Make the pages of all lessons, two at a time; return 0 if all went well."""
    parser = argparse.ArgumentParser(prog="handouts", description="Make handouts of all lessons.")
    parser.add_argument("folder", nargs="?", type=folder_of, default="handouts", metavar="FOLDER")
    only = {"nargs": "+", "choices": numbers(), "metavar": "NN"}
    parser.add_argument("--only", **only, help="make only these lessons")
    given = parser.parse_args(arguments)
    paths = lesson_paths().values()
    if given.only:
        paths = [path for path in paths if path.stem[:2] in given.only]
    fine = True
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for line, good in pool.map(partial(make_lesson, given.folder), paths):
            print(line, flush=True)
            fine = fine and good
    print(f"The pages are in {given.folder}: open them in a browser, or print them.")
    return 0 if fine else 1
