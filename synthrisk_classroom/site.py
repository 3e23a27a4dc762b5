"""All lessons as pages that move without Python: `python3 start.py site [FOLDER]`.

Each lesson is run once and becomes a page. A panel becomes its states (see `states`); an exercise
whose answer is a number or a choice answers back from a small table that its form writes. The
pages need no server and no network: a folder opened as a file is enough.
"""

import argparse
import json
import re
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from html import escape
from io import BytesIO
from multiprocessing import get_context

import nbformat
from nbformat.v4 import new_output
from PIL import Image

from synthrisk_classroom.convert import COLOURS, asset, markdown_to_html, to_html
from synthrisk_classroom.handouts import folder_of, still, title_of
from synthrisk_classroom.lesson import exercises, tables
from synthrisk_classroom.running import NOTEBOOKS, lesson_paths, name_of, run_lesson
from synthrisk_classroom.serving import serve
from synthrisk_classroom.solutions import exercise_in
from synthrisk_classroom.states import data_url, states_of
from synthrisk_edu.plots import look
from synthrisk_edu.widgets.panel import Panel, paragraph
from synthrisk_edu.widgets.touch import HERE

SIGN = "made_by_synthrisk_edu.txt"  # a folder without it is somebody else's
LONG_FIRST = ("07", "05", "06", "08", "09")  # lessons that take longest, so that no core waits
NOTEBOOK = '<p class="note">What wants a table, names, a function, a file of yours or the game is \
the notebook\'s: <a href="{}run.html">run this in Jupyter</a>.</p>'
# A picture looks as in a notebook, and is touched by the same script.
STYLE = look.CSS + (HERE / "touch.css").read_text("utf-8") + COLOURS + asset("site.css")
SCRIPT = '"use strict";\n' + (HERE / "touch.js").read_text("utf-8") + asset("site.js")


# ------------------------------------------------------------------------- a lesson's page
def lesson_files(path, order):
    """Run a lesson; return its files by name: the page, and a script for each panel."""
    run, name = run_lesson(path), name_of(path)
    moving = {id: panel for id, panel in run.panels.items() if type(panel) is Panel}
    offers = {cell.id: cell.metadata.get("offers", {}) for cell in run.notebook.cells}
    files = {
        f"panels/{path.stem[:2]}_{id}.js": panel_script(id, panel, offers[id], run.asked.get(id))
        for id, panel in moving.items()
    }
    notebook = with_places(run, moving, up(name))
    body = around(name, order, links(to_html(notebook, "site")))
    return {f"{name}.html": page(title_of(run.notebook), body, files, up(name))} | files


def up(name):
    """Return the way from a page to the folder of the site: what goes further lies deeper.

    >>> up("06_disco_walkthrough"), up("further/06_flags")
    ('', '../')
    """
    return "../" * name.count("/")


def with_places(run, moving, home=""):
    """Return a lesson whose moving panels and exercises are places for the script to fill."""
    notebook = still(run, solved=False)
    elsewhere = NOTEBOOK.format(home)
    left_out = False
    for cell in notebook.cells:
        id = exercise_in(cell)
        if cell.id in moving:
            inside = without_script(moving[cell.id], run.asked.get(cell.id))
            shown = f'<div class="live" id="panel-{cell.id}">{inside}</div>'
        elif id:
            shown = exercise_form(id) or ("" if left_out else elsewhere)
            left_out = left_out or shown == elsewhere
        else:
            continue
        cell.outputs = [new_output("display_data", {"text/html": shown})] if shown else []
    return notebook


def without_script(panel, asked):
    """Return what a page shows of a panel where no script runs: the answer lies behind a fold."""
    if asked is None:
        return panel.still()
    answer = paragraph(asked.judge(None, panel)["words"])
    return (
        f"<p>{escape(asked.question)}</p><details><summary>the answer</summary>"
        f"{answer}{panel.still()}</details>"
    )


def exercise_form(id):
    """Return the place where an exercise is answered, with its table; "" if it needs Python."""
    exercise, data = exercises(id[:2])[id], tables(id[:2], None)
    known = exercise.form.page(exercise, data)
    if known is None:
        return ""
    known |= {"id": id, "asked": exercise.open().message, "hints": exercise.hints}
    script = f'<script type="application/json">{as_script(known)}</script>'
    return f'<div class="exercise">{script}</div>'


def panel_script(id, panel, offers, asked=None):
    """Go through the states of a panel; return the script that hands them to the page.

    `offers` are the values of its controls to choose from, as the cell's metadata names them;
    `asked` is what is to be predicted first.
    """
    data = {"id": f"panel-{id}"}
    data |= states_of(panel, chosen(offers), {} if asked is None else asked.at)
    if asked is not None:
        data |= {"asked": asked.page(panel), "veil": veil_of(panel, asked)}
    return f"showPanel({as_script(data)});\n"


def veil_of(panel, asked):
    """Return what a panel shows as long as its question is not answered."""
    draw = asked.draw
    handles = []
    if draw is not None:
        labels = [field["label"] for field in asked.form.fields]
        handles = draw.handles(panel, labels, [None] * len(labels))
    panel.veil(handles)
    picture = panel.picture
    shown = {
        "src": data_url(Image.open(BytesIO(picture.value))),
        "alt": picture.alt,
        "hint": picture.hint,
        "tiles": panel.tiles.value,
        "handles": handles,
        "joined": draw is not None and draw.is_curve,
        "moves": None if draw is None or not draw.moves else [*panel.controls].index(draw.moves),
    }
    panel.unveil()
    return shown


def chosen(offers):
    """Return what a cell's metadata offers, as a panel's controls take it: ticks are tuples."""
    return {
        name: [tuple(one) if isinstance(one, list) else one for one in values]
        for name, values in offers.items()
    }


def as_script(data):
    """Write data as JSON that can stand inside a script of a page."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def links(html):
    """Let links between lessons lead to their pages."""
    return re.sub(r'(href="[^"#:]*)\.(?:ipynb|md)(?=["#])', r"\1.html", html)


# ---------------------------------------------------------------------------- whole pages
def page(title, inside, scripts=(), home=""):
    """Return a whole page; all it needs lies in the folder of the site, to which `home` leads."""
    scripts = "".join(
        f'\n<script defer src="{home}{name}"></script>' for name in ["site.js", *scripts]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>\n'
        f'<link rel="stylesheet" href="{home}site.css">{scripts}\n</head>\n'
        f"<body>\n{inside}\n</body>\n</html>\n"
    )


def around(name, order, html):
    """Put the ways to other pages above and below a page; `order` has the lessons' titles."""
    home = up(name)
    ways = [
        f'<a href="{home}index.html">contents</a>',
        f'<a href="{home}run.html">run this in Jupyter</a>',
    ]
    if name in order:
        # From a core to the next; what goes further stands between its core and the next.
        way = [one for one in order if one == name or up(name) or not up(one)]
        names = [None, *way, None]
        before, after = (names[names.index(name) + step] for step in (-1, 1))
        if before:
            title = escape(order[before])
            ways.insert(0, f'<a rel="prev" href="{home}{before}.html">← {title}</a>')
        if after:
            ways.append(f'<a rel="next" href="{home}{after}.html">{escape(order[after])} →</a>')
    above, below = (
        f'<nav aria-label="{where} the text">{" ".join(ways)}</nav>' for where in ("above", "below")
    )
    return f"{above}\n<main>{html}</main>\n{below}"


def text_pages(order):
    """Return the pages that are no lessons, by their names."""
    texts = {
        "index": asset("site_index.md").format(lessons=listed(order)),
        "run": asset("site_run.md"),
        "glossary": (NOTEBOOKS / "glossary.md").read_text("utf-8"),
    }
    made = {}
    for stem, text in texts.items():
        body = around(stem, order, links(markdown_to_html(text)))
        made[f"{stem}.html"] = page(text.splitlines()[0].removeprefix("# "), body)
    return made


def listed(order):
    """Return the list of all lessons: what goes further stands below its core, if it has one."""
    numbers = {name[:2] for name in order if not up(name)}
    lines = []
    for name, title in order.items():
        number = name.removeprefix("further/")[:2]
        below = "    " if up(name) and number in numbers else ""
        lines.append(f"{below}- [{title}]({name}.html)")
    return "\n".join(lines)


# --------------------------------------------------------------------------------- making
def make(folder, only=None):
    """Make the whole site, or only the lessons with these numbers, two at a time."""
    paths = lesson_paths()
    order = {name: title_of(nbformat.read(path, 4)) for name, path in paths.items()}
    made = [path for path in paths.values() if only is None or path.stem[:2] in only]
    made.sort(key=lambda path: (*LONG_FIRST, path.stem[:2]).index(path.stem[:2]))
    prepare(folder)
    write(folder, text_pages(order))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(lesson_files, path, order): name_of(path) for path in made}
        for number, done in enumerate(as_completed(waiting), start=1):
            size = write(folder, done.result()) / 1e6
            print(f"[{number}/{len(waiting)}] {waiting[done]}, {size:.1f} MB", flush=True)


def write(folder, files):
    """Write files into a folder; return how many bytes they have."""
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return sum(len(text.encode()) for text in files.values())


def prepare(folder):
    """Empty a folder that an earlier run has made; leave any other folder alone."""
    if folder.exists() and any(folder.iterdir()) and not (folder / SIGN).exists():
        raise ValueError(f"the folder {folder} holds other files: name an empty or a new folder.")
    for made in ("*.html", "further/*.html", "panels/*.js"):
        for path in folder.glob(made):
            path.unlink()
    for inside in ("panels", "further"):
        (folder / inside).mkdir(parents=True, exist_ok=True)
    (folder / SIGN).write_text("python3 start.py site makes these pages anew.\n", "utf-8")
    write(folder, {"site.css": STYLE, "site.js": SCRIPT})


def main(arguments=None):
    """Read the command line, make the site and show it if asked to."""
    parser = argparse.ArgumentParser(prog="site", description="Make pages that move.")
    parser.add_argument("folder", nargs="?", type=folder_of, default="site", metavar="FOLDER")
    parser.add_argument("--only", nargs="+", metavar="NN", help="make only these lessons")
    show = parser.add_mutually_exclusive_group()
    show.add_argument("--serve", action="store_true", help="show the pages on this computer")
    show.add_argument("--share", action="store_true", help="show them on the local network, too")
    given = parser.parse_args(arguments)
    folder = given.folder.resolve()
    made = (folder / SIGN).exists() and (folder / "index.html").exists()
    if not (made and (given.serve or given.share)):
        try:
            make(folder, given.only)
        except ValueError as error:
            parser.error(str(error))
        print(f"The site is in {given.folder}: open index.html in a browser.")
    if given.serve or given.share:
        serve(folder, given.share)


if __name__ == "__main__":
    sys.exit(main())
