"""Make handouts and slides of the lessons: `python3 start.py handouts`.

Each lesson is run once, with its exercises solved, and becomes three pages:

    01_matching_approach.html             the lesson, exercises left open
    01_matching_approach_solutions.html   with the solutions filled in
    01_matching_approach_slides.html      one slide for each section (##)

A page is one file that needs no network: pictures are inside it, formulas are drawn, and a panel
becomes its picture and its words, because paper does not move.
"""

import asyncio
import base64
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from html import escape
from io import BytesIO
from pathlib import Path

import matplotlib
import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_notebook
from pygments.formatters import HtmlFormatter
from traitlets import default

from synthrisk_edu.classroom.solutions import exercise_in, source, with_solutions

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"

# ------------------------------------------------------------------ running a lesson


class ThisPython(AsyncKernelManager):
    """Starts the Python that runs this file, whatever kernels are registered elsewhere."""

    @default("kernel_spec_manager")
    def _no_folders_to_look_for_kernels_in(self):
        return KernelSpecManager(kernel_dirs=[])


def run(notebook, folder, timeout=600):
    """Return a copy of a notebook, run in a folder; an error in a cell ends the run."""
    executed = deepcopy(notebook)
    where = {"metadata": {"path": str(folder)}}
    quiet = ["--IPKernelApp.log_level=40"]  # or every kernel says that it is not encrypted
    client = NotebookClient(
        executed,
        kernel_manager_class=ThisPython,
        timeout=timeout,
        resources=where,
        extra_arguments=quiet,
    )
    asyncio.run(client.async_execute())
    return executed


def without_solutions(notebook, solved):
    """Give a notebook the outputs of its solved version, except where a solution would show."""
    outputs = {cell.id: cell.get("outputs", []) for cell in solved.cells}
    plain = deepcopy(notebook)
    for cell in plain.cells:
        if cell.cell_type == "code":
            cell.outputs = [] if exercise_in(cell) else outputs[cell.id]
    return plain


# --------------------------------------------------------------- panels become pictures


def still_panels(notebook):
    """Return a copy in which every panel is the picture and the words it shows now."""
    still = deepcopy(notebook)
    models = still.metadata.pop("widgets", {}).get(STATE, {}).get("state", {})
    for cell in still.cells:
        for output in cell.get("outputs", []):
            view = output.get("data", {}).pop(VIEW, None)
            if view:
                parts = "".join(panel_parts(models, view["model_id"]))
                output.data["text/html"] = f'<div class="panel">{parts}</div>'
    return still


def panel_parts(models, number):
    """List the words, tables and pictures of a widget and of those inside it, as HTML."""
    model = models.get(number, {"state": {}})
    state, kind = model["state"], model.get("model_name")
    if kind == "ImageModel":
        return [picture(model["buffers"][0]["data"], "The picture of a panel; read on below it.")]
    if kind == "HTMLModel" and "<style>" not in state["value"]:
        return [state["value"]]
    inside = [child.removeprefix("IPY_MODEL_") for child in state.get("children", [])]
    return [part for child in inside for part in panel_parts(models, child)]


def picture(data, words):
    """Return an HTML image that carries its bytes (PNG, in base64) with it."""
    return f'<img alt="{escape(words)}" src="data:image/png;base64,{data.strip()}">'


# ----------------------------------------------------------------- formulas are drawn

FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)
CASES = re.compile(r"^(.*?)\\begin\{cases\}(.*?)\\end\{cases\}(.*)$", re.DOTALL)
SIZE = 12  # points; an em of the page
SAME = {r"\le ": r"\leq ", r"\ge ": r"\geq "}  # what TeX knows by two names, and we by one


def take_out_formulas(text, formulas):
    """Replace the formulas in a text by marks, and append their pictures to `formulas`."""

    def mark(found):
        drawn = [draw_formula(line) for line in lines_of(found[1] or found[2])]
        if found[1]:
            drawn = [f'<span class="formula">{line}</span>' for line in drawn]
        formulas.append("".join(drawn))
        return f"FORMULA{len(formulas) - 1}X"

    return FORMULA.sub(mark, text)


def lines_of(tex):
    r"""Split a formula with cases into one line a case, which is what can be drawn.

    >>> lines_of(r"T = \begin{cases}1 & \text{if so}\\ 0 & \text{if not}\end{cases}")
    ['T = 1\\quad \\text{if so}', 'T = 0\\quad \\text{if not}']
    """
    found = CASES.match(tex)
    if not found:
        return [" ".join(tex.split())]
    rows = [row.strip().replace(" & ", r"\quad ") for row in found[2].split(r"\\")]
    return [f"{found[1]}{row}{found[3]}" for row in rows]


def draw_formula(tex):
    """Return a formula as an image in the line of the text; its source is said aloud."""
    text, font = f"${tex}$", FontProperties(size=SIZE)
    for name, other in SAME.items():
        text = text.replace(name, other)
    width, height, depth = MathTextParser("path").parse(text, dpi=72, prop=font)[:3]
    figure = Figure(figsize=(width / 72, height / 72))
    figure.text(0, depth / height, text, fontproperties=font)
    buffer = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "formula"}):  # equal formulas, equal bytes
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    data = base64.b64encode(buffer.getvalue()).decode()
    style = f"height: {height / SIZE:.2f}em; vertical-align: {-depth / SIZE:.2f}em"
    return f'<img alt="{escape(tex)}" style="{style}" src="data:image/svg+xml;base64,{data}">'


# ------------------------------------------------------------------------- the pages


def body(notebook):
    """Return the cells of a notebook as HTML."""
    marked, formulas = deepcopy(notebook), []
    for cell in marked.cells:
        if cell.cell_type == "markdown":
            cell.source = take_out_formulas(cell.source, formulas)
    html = HTMLExporter(template_name="basic").from_notebook_node(marked)[0]
    return re.sub(r"FORMULA(\d+)X", lambda found: formulas[int(found[1])], html)


def sections(notebook):
    """Split a notebook into parts that begin with a heading of the second level."""
    parts = [[]]
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            parts[-1].append(cell)
            continue
        for piece in re.split(r"^(?=## )", cell.source, flags=re.MULTILINE):
            if piece.startswith("## "):
                parts.append([])
            if piece.strip():
                parts[-1].append(type(cell)(cell | {"source": piece}))
    return [new_notebook(cells=cells) for cells in parts if cells]


def slides(notebook):
    """Return a notebook as HTML, each section in a slide of its own."""
    return "\n".join(
        f'<section class="slide">{body(part)}</section>' for part in sections(notebook)
    )


def page(title, content, kind):
    """Return a whole page: nothing in it comes from elsewhere."""
    colours = HtmlFormatter().get_style_defs(".highlight")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{escape(title)}</title>
<style>{colours}{STYLE}</style>
</head>
<body class="{kind}">
{content}
<script>{SCRIPT}</script>
</body>
</html>
"""


STYLE = """
body { font: 17px/1.5 "DejaVu Sans", Verdana, sans-serif; max-width: 900px; margin: 2em auto;
    padding: 0 1em; color: #111; background: white }
body.slides { font-size: 21px; max-width: none; margin: 0; padding: 0 }
.slide { min-height: 100vh; box-sizing: border-box; padding: 2em max(2em, calc(50vw - 550px));
    border-bottom: 3px solid #999 }
h1, h2, h3 { line-height: 1.25 }
.anchor-link, .jp-InputPrompt, .jp-OutputPrompt, .prompt { display: none }
pre { font: 0.82em/1.4 "DejaVu Sans Mono", monospace; margin: 0.4em 0; white-space: pre-wrap }
.highlight { background: #f5f5f5; border-left: 3px solid #999; padding: 0.2em 0.8em;
    margin: 0.6em 0 }
table { border: 0; border-collapse: collapse; font-size: 0.85em; margin: 0.6em 0 }
th, td { padding: 0.15em 0.7em; text-align: right; border: 0; border-bottom: 1px solid #ddd }
.formula { display: block; margin: 0.7em 0; text-align: center }
img { max-width: 100% }
.panel { border: 1px solid #999; padding: 0.8em; margin: 0.8em 0 }
details { border-left: 3px solid #0072B2; padding-left: 0.8em; margin: 0.6em 0 }
@media print {
    body, body.slides { font-size: 10.5pt; max-width: none; margin: 0 }
    .slide { page-break-after: always; min-height: 0; padding: 0; border: 0 }
    h1, h2, h3 { page-break-after: avoid }
    img, table, .panel { page-break-inside: avoid }
}
"""
# On paper nothing can be unfolded. On slides the arrow keys go from one to the next.
SCRIPT = """
addEventListener("beforeprint", () =>
    document.querySelectorAll("details").forEach(folded => { folded.open = true; }));
addEventListener("keydown", event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    const all = [...document.querySelectorAll(".slide")];
    if (!step || !all.length) return;
    const now = all.findLastIndex(slide => slide.getBoundingClientRect().top < 5);
    all[Math.min(Math.max(now + step, 0), all.length - 1)].scrollIntoView();
});
"""


def pages_of(path):
    """Run a lesson and return its pages, as a mapping from the ending of the name to HTML."""
    lesson = nbformat.read(path, as_version=4)
    solved = still_panels(run(with_solutions(lesson), path.parent))
    plain = without_solutions(lesson, solved)
    title = re.search(r"^# (.*)", source(lesson.cells[0]), re.MULTILINE)[1]
    contents = {"": body(plain), "_solutions": body(solved), "_slides": slides(plain)}
    made = {}
    for ending, content in contents.items():
        # Links between lessons lead to the page of the same kind.
        content = re.sub(r'(href="\d\d_\w+)\.ipynb', rf"\1{ending}.html", content)
        kind = "slides" if ending == "_slides" else "handout"
        made[ending] = page(title, content, kind)
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


def make(paths, folder):
    """Make the pages of several lessons, two at a time; return whether all went well."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    fine = True
    with ThreadPoolExecutor(2) as pool:
        for line, good in pool.map(lambda path: make_lesson(path, folder), paths):
            print(line, flush=True)
            fine = fine and good
    print(f"The pages are in {folder}: open them in a browser, or print them.")
    return fine


def main(arguments):
    """Make the pages of all lessons: the folder of the lessons, and where the pages go."""
    notebooks, folder = map(Path, arguments)
    return 0 if make(sorted(notebooks.resolve().glob("[0-9]*.ipynb")), folder) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
