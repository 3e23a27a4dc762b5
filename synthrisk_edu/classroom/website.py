"""All lessons as pages that move without Python: `python3 start.py site [FOLDER]`.

Each lesson is run once and becomes a page. A panel becomes its states (see `states`), an exercise
what it would answer (see `on_page`). The pages need no server and no network: a folder opened as
a file is enough.
"""

import json
import re
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from html import escape
from multiprocessing import get_context

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from synthrisk_edu.classroom import handouts, kernels
from synthrisk_edu.classroom.engine import data_for, lessons
from synthrisk_edu.classroom.game_panel import IntruderGame
from synthrisk_edu.classroom.on_page import exercise_on_page, games_on_page
from synthrisk_edu.classroom.serving import serve
from synthrisk_edu.classroom.solutions import exercise_in, source, with_solutions
from synthrisk_edu.classroom.states import states_of
from synthrisk_edu.report.command import Parser
from synthrisk_edu.widgets.panel import Panel

SIGN = "made_by_synthrisk_edu.txt"  # a folder without it is somebody else's
LONG_FIRST = ("07", "05", "06", "08", "09")  # lessons that take longest to run
CODE = re.compile(r"<p>CODE(\d+)X</p>")


# ------------------------------------------------------------------------- a lesson's page
def lesson_page(path, order):
    """Run a lesson and return its page as HTML."""
    lesson = nbformat.read(path, as_version=4)
    executed = kernels.run(with_solutions(lesson), path.parent)
    return page_from(lesson, executed, path.stem, order)


def page_from(lesson, executed, stem, order):
    """Return the page of a lesson that was run with its exercises solved."""
    number = stem[:2]
    still = handouts.stand_still(mark_panels(executed, number))
    shown = handouts.without_solutions(lesson, still)
    scripts = [f"panels/{number}_{entry.name}.js" for entry in lessons()[number].PANELS]
    title = handouts.title_of(source(lesson.cells[0]))
    return page(title, around(stem, order, content(shown)), scripts)


def mark_panels(executed, number):
    """Give every panel that a lesson shows its place on the page, in their order."""
    entries = iter(lessons()[number].PANELS)
    for cell in executed.cells:
        for output in list(cell.get("outputs", [])):
            if handouts.VIEW in output.get("data", {}):
                name = f"{number}_{next(entries).name}"
                live = f'<div class="live" data-panel="{name}" hidden></div>'
                cell.outputs.append(new_output("display_data", {"text/html": live}))
    return executed


def content(lesson):
    """Return the cells of a lesson as HTML: its code folded, exercises with a form to fill in."""
    codes, cells = [], []
    for cell in lesson.cells:
        if cell.cell_type != "code":
            cells.append(cell)
            continue
        code = highlight(source(cell), PythonLexer(), HtmlFormatter())
        code = f'<details class="code"><summary>code</summary>{code}</details>'
        codes.append(code + exercise_form(exercise_in(cell)))
        mark = f"CODE{len(codes) - 1}X"
        cells.append(new_markdown_cell(mark, id=mark))  # or the id would be another each time
        if cell.outputs:
            cells.append(new_code_cell("", outputs=cell.outputs, id=f"{mark}-shown"))
    html = handouts.body(new_notebook(cells=cells))
    html = re.sub(r'(href="[^"#]*)\.(?:ipynb|md)(?=["#])', r"\1.html", html)
    return CODE.sub(lambda found: codes[int(found[1])], html)


def exercise_form(number):
    """Return the place where an exercise is answered, with all its answers; or a sentence."""
    if number is None:
        return ""
    known = exercise_on_page(number)
    if known is None:
        words = "This exercise wants a table, names or a function: it needs the notebook"
        return f'<p class="exercise">{words} (<a href="run.html">run this in Jupyter</a>).</p>'
    return (
        f'<div class="exercise" data-exercise="{number}"></div>'
        f'<script type="application/json" id="exercise-{number}">{as_script(known)}</script>'
    )


def as_script(data):
    """Write data as JSON that can stand inside a script of a page."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


# ------------------------------------------------------------------------ a panel's states
def panel_script(number, name):
    """Build a panel, go through its states, and return a script that hands them to the page."""
    entry = next(one for one in lessons()[number].PANELS if one.name == name)
    panel = entry.build(data_for(number))
    if isinstance(panel, IntruderGame):
        question = panel.data, panel.known, panel.synthesized
        data = {"kind": "game", "games": games_on_page(*question)}
    elif type(panel) is Panel:
        data = {"kind": "panel"} | states_of(panel, entry.offers)
    else:
        data = {"kind": "notebook"}
    return f"showPanel({as_script({'id': f'{number}_{name}'} | data)});\n"


# ---------------------------------------------------------------------------- whole pages
def page(title, inside, scripts=()):
    """Return a whole page; all it needs lies beside it."""
    scripts = [f'<script defer src="{name}"></script>' for name in ["website.js", *scripts]]
    head = ['<link rel="stylesheet" href="website.css">', *scripts]
    return handouts.whole_page(title, "\n".join(head), inside, "site")


def around(stem, order, html):
    """Put the ways to other pages above and below a page."""
    ways = ['<a href="index.html">contents</a>', '<a href="run.html">run this in Jupyter</a>']
    if stem in order:
        stems = [None, *order, None]
        place = stems.index(stem)
        before, after = stems[place - 1], stems[place + 1]
        if before:
            ways.insert(0, f'<a rel="prev" href="{before}.html">← {escape(order[before])}</a>')
        if after:
            ways.append(f'<a rel="next" href="{after}.html">{escape(order[after])} →</a>')
    nav = f"<nav>{' '.join(ways)}</nav>"
    return f"{nav}\n<main>{html}</main>\n{nav}"


def titles(notebooks):
    """Return the titles of all lessons in their order, by the name of the file."""
    lessons = {path.stem: nbformat.read(path, 4) for path in sorted(notebooks.glob("[0-9]*.ipynb"))}
    return {stem: handouts.title_of(source(one.cells[0])) for stem, one in lessons.items()}


def write_text_pages(notebooks, folder, order):
    """Write the pages that are no lessons."""
    listed = "\n".join(f"- [{title}]({stem}.html)" for stem, title in order.items())
    texts = {name: handouts.asset(f"website_{name}.md") for name in ("index", "run")}
    texts["index"] = texts["index"].format(lessons=listed)
    texts["glossary"] = (notebooks / "glossary.md").read_text("utf-8")
    for stem, text in texts.items():
        html = around(stem, order, content(new_notebook(cells=[new_markdown_cell(text)])))
        (folder / f"{stem}.html").write_text(page(handouts.title_of(text), html), "utf-8")


# --------------------------------------------------------------------------------- making
def make(notebooks, folder, only=None):
    """Make the whole website, or only the lessons with these numbers; say how far it is."""
    prepare(folder)
    order = titles(notebooks)
    write_text_pages(notebooks, folder, order)
    chosen = [stem for stem in order if only is None or stem[:2] in only]
    # Those that take longest come first, so that no core waits at the end.
    tasks = {}
    for stem in sorted(chosen, key=lambda stem: (*LONG_FIRST, stem[:2]).index(stem[:2])):
        tasks[f"{stem}.html"] = partial(lesson_page, notebooks / f"{stem}.ipynb", order)
    for stem in chosen:
        for entry in lessons()[stem[:2]].PANELS:
            name = f"panels/{stem[:2]}_{entry.name}.js"
            tasks[name] = partial(panel_script, stem[:2], entry.name)
    write_all(tasks, folder)


def prepare(folder):
    """Empty a folder that an earlier run has made; leave any other folder alone."""
    if folder.exists() and any(folder.iterdir()) and not (folder / SIGN).exists():
        raise ValueError(f"the folder {folder} holds other files: name an empty or a new folder.")
    for path in [*folder.glob("*.html"), *folder.glob("panels/*.js")]:
        path.unlink()
    (folder / "panels").mkdir(parents=True, exist_ok=True)
    (folder / SIGN).write_text("python3 start.py site makes these pages anew.\n", "utf-8")
    style = handouts.asset("website.css") + HtmlFormatter().get_style_defs(".highlight")
    (folder / "website.css").write_text(style, "utf-8")
    (folder / "website.js").write_text(handouts.asset("website.js"), "utf-8")


def write_all(tasks, folder):
    """Do the tasks in two processes and write what each returns, with a line for each."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(task): name for name, task in tasks.items()}
        for number, done in enumerate(as_completed(waiting), start=1):
            name, text = waiting[done], done.result()
            (folder / name).write_text(text, "utf-8")
            print(f"[{number}/{len(tasks)}] {name}, {len(text.encode()) / 1e6:.1f} MB", flush=True)


def main(arguments):
    """Read the command line, make the website and show it if asked to."""
    parser = Parser(prog="python3 start.py site")
    parser.add_argument("folder", nargs="?", default="site", metavar="FOLDER")
    parser.add_argument("--only", nargs="+", metavar="NN", help="make only these lessons")
    show = parser.add_mutually_exclusive_group()
    show.add_argument("--serve", action="store_true", help="show the pages on this computer")
    show.add_argument("--share", action="store_true", help="show them on the local network, too")
    given = parser.parse_args(arguments)
    folder = handouts.new_folder([given.folder], "site")
    made = (folder / SIGN).exists() and (folder / "index.html").exists()
    if not (made and (given.serve or given.share)):
        make(handouts.NOTEBOOKS, folder.resolve(), given.only)
        print(f"The website is in {folder}: open index.html in a browser.")
    if given.serve or given.share:
        serve(folder.resolve(), given.share)
