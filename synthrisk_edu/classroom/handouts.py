"""Make handouts and slides of the lessons: `python3 start.py handouts`.

Each lesson is run once, with its exercises solved, and becomes three pages: the lesson with its
exercises left open, with the solutions filled in (`…_solutions`), and for the projector
(`…_slides`, see `slides`). A page is one file that needs no network: pictures are inside it,
formulas are drawn, and a panel becomes its picture and its words. What is folded stays folded on
paper, so that a student's print shows no answer; in the solutions everything is open.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from html import escape
from pathlib import Path

import nbformat
from pygments.formatters import HtmlFormatter

from synthrisk_edu.classroom import slides
from synthrisk_edu.classroom.formulas import put_back_formulas, take_out_formulas
from synthrisk_edu.classroom.kernels import run
from synthrisk_edu.classroom.solutions import (
    exercise_in,
    is_method,
    source,
    with_solutions,
    with_words,
)

STATE = "application/vnd.jupyter.widget-state+json"
BAR = re.compile(r"[^\r\n]*\[#*\.*\][^\r\n]*[\r\n]*")  # that told how far the work was
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
VIEW = "application/vnd.jupyter.widget-view+json"


# ------------------------------------------------------------- a lesson that was run
def without_solutions(notebook, solved):
    """Give a notebook the outputs of its solved version, except where a solution would show."""
    outputs = {cell.id: cell.get("outputs", []) for cell in solved.cells}
    plain = deepcopy(notebook)
    for cell in plain.cells:
        if cell.cell_type == "code":
            cell.outputs = [] if exercise_in(cell) else outputs[cell.id]
    return plain


# --------------------------------------------------------------- what moves stands still
def stand_still(notebook):
    """Return a copy in which a panel is the picture and the words it shows now; bars are gone."""
    still = deepcopy(notebook)
    models = still.metadata.pop("widgets", {}).get(STATE, {}).get("state", {})
    for cell in still.cells:
        for output in cell.get("outputs", []):
            view = output.get("data", {}).pop(VIEW, None)
            if view:
                parts = "".join(panel_parts(models, view["model_id"]))
                output.data["text/html"] = f'<div class="panel">{parts}</div>'
            if output.output_type == "stream":
                output.text = BAR.sub("", output.text).strip("\r")
        if cell.cell_type == "code":
            cell.outputs = [one for one in cell.outputs if one.get("text", "more").strip()]
    return still


def panel_parts(models, number):
    """List the words, tables and pictures of a widget and of those inside it, as HTML."""
    model = models.get(number, {"state": {}})
    state, kind = model["state"], model.get("model_name")
    if kind == "ImageModel":
        words, data = "The picture of a panel; read on below it.", model["buffers"][0]["data"]
        return [f'<img alt="{words}" src="data:image/png;base64,{data.strip()}">']
    if kind == "HTMLModel" and "<style>" not in state["value"]:
        return [state["value"]]
    inside = [child.removeprefix("IPY_MODEL_") for child in state.get("children", [])]
    return [part for child in inside for part in panel_parts(models, child)]


# ------------------------------------------------------------------------- the pages
def body(notebook):
    """Return the cells of a notebook as HTML; code that is no method is left out."""
    marked, formulas = deepcopy(notebook), []
    for cell in marked.cells:
        if cell.cell_type == "markdown":
            cell.source = take_out_formulas(cell.source, formulas)
        elif not is_method(cell):
            cell.metadata["transient"] = {"remove_source": True}
    return put_back_formulas(slides.cells_to_html(marked), formulas)


def whole_page(title, head, inside, kind):
    """Return a whole page; `kind` tells styles what kind of page it is."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{escape(title)}</title>
{head}
</head>
<body class="{kind}">
{inside}
</body>
</html>
"""


def asset(name):
    """Return a style or a script that stands beside this module."""
    return Path(__file__).with_name(name).read_text("utf-8")


def pages_of(path):
    """Run a lesson and return its pages, as a mapping from the ending of the name to HTML."""
    lesson = nbformat.read(path, as_version=4)
    return pages_from(lesson, run(with_solutions(lesson), path.parent))


def title_of(text):
    """Return the title of a lesson, or of another page in Markdown, from its text."""
    return re.search(r"^# (.*)", text, re.MULTILINE)[1]


def pages_from(lesson, executed):
    """Return the pages of a lesson that was run with its exercises solved."""
    solved = stand_still(executed)
    plain = without_solutions(lesson, solved)
    solutions = body(with_words(solved)).replace("<details>", "<details open>")
    contents = {"": body(plain), "_solutions": solutions, "_slides": slides.slides(plain)}
    title, colours = title_of(source(lesson.cells[0])), HtmlFormatter().get_style_defs(".highlight")
    made = {}
    for ending, content in contents.items():
        # Links between lessons lead to the page of the same kind.
        content = re.sub(r'(href="\d\d_\w+)\.ipynb', rf"\1{ending}.html", content)
        kind = "slides" if ending == "_slides" else "handout"
        head = f"<style>{colours}\n{asset('lesson.css')}\n{asset(f'{kind}.css')}</style>"
        script = f"<script>\n{asset('slides.js')}</script>" if kind == "slides" else ""
        made[ending] = whole_page(title, head, f"{content}\n{script}", kind)
    return made


def make_lesson(path, folder):
    """Make the pages of one lesson; return a line that says how it went, and whether well."""
    try:
        for ending, html in pages_of(path).items():
            (folder / f"{path.stem}{ending}.html").write_text(html, "utf-8")
    except Exception as error:  # one lesson that fails must not stop the others
        last = re.sub(r"\x1b\[[\d;]*m", "", str(error)).strip().splitlines()[-1]  # no colours
        return f"{path.stem}: could not be made: {last}", False
    return f"{path.stem}: handout, solutions and slides", True


def new_folder(arguments, usual):
    """Return the folder that pages are written into: the one that is named, or the usual one."""
    if len(arguments) > 1 or "".join(arguments).startswith("-"):
        raise ValueError("name one folder and no options, or nothing.")
    folder = Path(*(arguments or [usual]))
    for path in (folder, *folder.parents):
        if path.exists() and not path.is_dir():
            raise ValueError(f"{path} is a file: name a folder, new or old.")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def main(arguments):
    """Make the pages of all lessons, in the folder that is named or in `handouts`."""
    return make(NOTEBOOKS, new_folder(arguments, NOTEBOOKS.with_name("handouts")))


def make(notebooks, folder):
    """Make the pages of all lessons, two at a time; return 0 if all went well."""
    paths = sorted(notebooks.glob("[0-9]*.ipynb"))
    fine = True
    with ThreadPoolExecutor(2) as pool:
        for line, good in pool.map(lambda path: make_lesson(path, folder), paths):
            print(line, flush=True)
            fine = fine and good
    print(f"The pages are in {folder}: open them in a browser, or print them.")
    return 0 if fine else 1
