"""All lessons as pages that move without Python: `synthrisk site [FOLDER]`.

Each lesson is run once; Sphinx makes a book of the notebooks with their outputs (see `conf`). A
panel becomes its states (see `states`); an exercise whose answer is a number or a choice answers
back from a small table that its form writes. The pages need no server and no network: a folder
opened as a file is enough.
"""

import argparse
import json
import re
import shutil
from concurrent.futures import ProcessPoolExecutor, as_completed
from html import escape
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from nbconvert.preprocessors import ClearOutputPreprocessor
from nbformat.v4 import new_markdown_cell, new_output
from PIL import Image
from sphinx.cmd.build import build_main

from synthrisk_classroom.command import folder_of
from synthrisk_classroom.convert import asset
from synthrisk_classroom.handouts import still, title_of
from synthrisk_classroom.lesson import exercises, numbers, tables
from synthrisk_classroom.on_page import on_page
from synthrisk_classroom.running import lesson_paths, name_of, run_lesson
from synthrisk_classroom.serving import serve
from synthrisk_classroom.shipped import NOTEBOOKS
from synthrisk_classroom.solutions import exercise_in, source
from synthrisk_classroom.states import data_url, states_of
from synthrisk_edu.widgets.panel import Panel, paragraph

SIGN = "made_by_synthrisk_edu.txt"  # a folder without it is somebody else's
# What a run leaves in its folder, the site's own; anything else in there stays.
MADE = ("*.html", "further/*.html", "panels/*.js", "pictures/*.webp", "objects.inv")
MADE += ("searchindex.js", "_images", "_sources", "_static")
LONG_FIRST = ("06", "03", "02", "04")  # lessons that take longest, so that no core waits
HAS_RUN = '<p class="kept">All code on this page has been run. <a href="{}run.html">Run it in \
Jupyter</a> to change it.</p>'
NOTEBOOK = (
    '<p class="note">This answer wants a notebook: <a href="{}run.html">run it in Jupyter</a>.</p>'
)
PLAY = '<p class="note">To play yourself, <a href="{}run.html">run this in Jupyter</a>.</p>'
# A row of the map in lesson 00: where it leads to, and one sentence.
ROW_OF_MAP = re.compile(r"^\| \**(?:\[.*?\]\((.*?)\.ipynb\)|00 Start here)\** \| (.*?) \|", re.M)
NOT_SEEN = re.compile("<style.*?</style>|<[^>]*>", re.DOTALL)
TEXT_WIDTH = 80  # letters of the text's column; what is wider takes the room of the contents
THUMB = 860  # pixels: the width of a picture in the list of lessons, for fine screens
JINJA = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates") / "site"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


# ------------------------------------------------------------------ what a lesson is made of
def lesson_files(path, below=""):
    """Run a lesson; return its files by name: the notebook for Sphinx, and what its page loads.

    That is a script for each panel, and the picture of the first one for the list of lessons.
    `below` tells Sphinx what stands below the lesson in the contents.
    """
    run, name = run_lesson(path), name_of(path)
    moving = {id: panel for id, panel in run.panels.items() if type(panel) is Panel}
    offers = {cell.id: cell.metadata.get("offers", {}) for cell in run.notebook.cells}
    files = {}
    for id, panel in moving.items():
        script = panel_script(id, panel, offers[id], run.asked.get(id))
        files[f"pages/panels/{path.stem[:2]}_{id}.js"] = script.encode()
    if moving and not up(name):
        first = next(iter(moving.values()))
        files[f"pages/pictures/{name}.webp"] = small_picture(BytesIO(first.picture.value))
    notebook = with_places(run, moving, name)
    notebook.cells.append(new_markdown_cell(below))
    return files | {f"source/{name}.ipynb": nbformat.writes(notebook).encode()}


def up(name):
    """Return the way from a page to the folder of the site: what goes further lies deeper.

    >>> up("06_disco_walkthrough"), up("further/06_flags")
    ('', '../')
    """
    return "../" * name.count("/")


def with_places(run, moving, name):
    """Return a lesson whose moving panels and exercises are places for the script to fill."""
    notebook = still(run, solved=False)
    title, _, text = notebook.cells[0].source.partition("\n")
    notebook.cells[0].source = f"{title}\n\n{HAS_RUN.format(up(name))}\n{text}"
    for cell in notebook.cells:
        if cell.cell_type != "code":
            cell.source = on_page(cell.source)
            continue
        tags = ["hide-input"]
        id = exercise_in(cell)
        if cell.id in moving:
            script = f"{up(name)}panels/{Path(name).stem[:2]}_{cell.id}.js"
            show(cell, panel_place(cell.id, moving[cell.id], run.asked.get(cell.id), script))
        elif cell.id in run.panels:  # the game
            here = without_script(run.panels[cell.id], run.asked.get(cell.id))
            show(cell, here + PLAY.format(up(name)))
        elif id:
            form = exercise_form(id)
            show(cell, form or NOTEBOOK.format(up(name)))
            tags = ["remove-input"] if form else tags
        elif "my.predictions()" in source(cell):
            show(cell, '<div class="predicted"></div>')
        if any(is_wide(output.get("data", {}).get("text/html", "")) for output in cell.outputs):
            tags.append("full-width")
        cell.metadata["tags"] = tags
    return notebook


def is_wide(html):
    """Tell whether an output holds a picture, or a row of a table or a line of code that is long.

    >>> is_wide("<tr><td>5</td></tr>"), is_wide(f"<tr><td>{100 * 'x'}</td></tr>")
    (False, True)
    """
    rows = re.findall("<tr.*?</tr>", html, re.DOTALL)
    if "synthrisk-code" in html:
        rows += html.splitlines()
    is_long = any(letters_of(row) + 2 * row.count("<t") > TEXT_WIDTH for row in rows)
    return is_long or "synthrisk-picture" in html


def letters_of(html):
    """Count the letters that are seen."""
    return len(" ".join(NOT_SEEN.sub(" ", html).split()))


def show(cell, html):
    """Let a cell show this instead of what it gave."""
    cell.outputs = [new_output("display_data", {"text/html": html})]


def panel_place(id, panel, asked, script):
    """Return the place of a panel that moves: until its script has run, it stands still."""
    return (
        f'<div class="live" id="panel-{id}">{without_script(panel, asked)}</div>'
        f'<script defer src="{script}"></script>'
    )


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


def small_picture(file):
    """Return a picture, the first one if it moves, for the list of lessons."""
    image = Image.open(file).convert("RGB")
    image.thumbnail((THUMB, THUMB))
    buffer = BytesIO()
    image.save(buffer, "webp", quality=80)
    return buffer.getvalue()


# ------------------------------------------------------------------ what surrounds the lessons
def tree_of(titles):
    """Return name → names of what goes further, for every lesson that stands in the contents.

    >>> tree_of(["06_core", "further/06_a", "further/06_b", "further/10_paper"])
    {'06_core': ['further/06_a', 'further/06_b'], 'further/10_paper': []}
    """
    made = {}
    for name in titles:
        number = name.removeprefix("further/")[:2]
        cores = [one for one in made if one[:2] == number]
        if up(name) and cores:
            made[cores[0]].append(name)
        else:
            made[name] = []
    return made


def contents(names, titles):
    """Return a list of pages as Sphinx reads it, each with the short form of its title, or ""."""
    if not names:
        return ""
    lines = [f"{short(titles[name])} </{name}>" for name in names]
    return "\n".join(["```{toctree}", ":hidden:", ":caption: Lessons", "", *lines, "```"])


def short(title):
    """Return the first part of a title; what goes further is known by the lesson above it.

    >>> short("02 · Radius: when it is a number"), short("06 further · Flags, and numbers")
    ('02 · Radius', 'Flags, and numbers')
    """
    return re.sub(r"^\d\d further · ", "", title).split(":")[0]


def text_pages(titles, pictures):
    """Return the sources of the pages that are no lessons, by the names of their files.

    `titles` are those of the lessons that are made, by name; `pictures` those that have one.
    """
    tree = tree_of(titles)
    index = JINJA.get_template("index.md.j2").render(
        tree=tree,
        titles=titles,
        pictures=pictures,
        sentences=sentences(),
        short=short,
        contents=contents(tree, titles),
    )
    moving = NOTEBOOKS / "pictures" / "moving.webp"
    return {
        "pages/pictures/moving.webp": moving.read_bytes(),
        "pages/pictures/still.webp": small_picture(moving),
        "source/index.md": index.encode(),
        "source/run.md": asset("site_run.md").encode(),
        "source/glossary.md": (NOTEBOOKS / "glossary.md").read_bytes(),
    }


def sentences():
    """Return name → one sentence of every lesson: the map in lesson 00 has them."""
    name, path = next(iter(lesson_paths().items()))
    text = "\n".join(map(source, nbformat.read(path, 4).cells))
    return {
        target or name: words[0].upper() + words[1:] for target, words in ROW_OF_MAP.findall(text)
    }


def anchor(title):
    """Return the name of a heading, as links in the notebooks have it.

    >>> anchor("1. Matching by hand")
    '1.-Matching-by-hand'
    """
    return title.replace(" ", "-")


# --------------------------------------------------------------------------------- making
def make(folder, only=None):
    """Make the whole site, or only the lessons with these numbers, two at a time."""
    refuse_other(folder)
    paths = lesson_paths()
    if only:
        paths = {name: path for name, path in paths.items() if path.stem[:2] in only}
    notebooks = {name: nbformat.read(path, 4) for name, path in paths.items()}
    titles = {name: title_of(notebook) for name, notebook in notebooks.items()}
    with TemporaryDirectory() as temporary:
        work = Path(temporary)
        run_all(paths, titles, work)
        pictures = {path.stem for path in work.glob("pages/pictures/*")}
        write(work, text_pages(titles, pictures))
        build(work)
        for name, notebook in notebooks.items():  # to download: clean, as it was before it was run
            clean, _ = ClearOutputPreprocessor().preprocess(notebook, {})
            write(work, {f"pages/_sources/{name}.ipynb": nbformat.writes(clean).encode()})
        publish(work / "pages", folder)


def run_all(paths, titles, work):
    """Run lessons, two at a time, and write what they are made of into a folder."""
    tree = tree_of(titles)
    queue = sorted(paths, key=lambda name: turn(paths[name]))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        waiting = {}
        for name in queue:
            further = contents(tree.get(name, []), titles)
            waiting[pool.submit(lesson_files, paths[name], further)] = name
        for number, done in enumerate(as_completed(waiting), start=1):
            size = write(work, done.result()) / 1e6
            print(f"[{number}/{len(waiting)}] {waiting[done]}, {size:.1f} MB", flush=True)


def turn(path):
    """Return when a lesson is run: the longest first."""
    number = path.stem[:2]
    return LONG_FIRST.index(number) if number in LONG_FIRST else len(LONG_FIRST)


def write(folder, files):
    """Write files into a folder; return how many bytes they have."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return sum(map(len, files.values()))


def build(work):
    """Let Sphinx make the folder `pages` of the folder `source`; a warning is an error."""
    print("Sphinx makes the pages …", flush=True)
    here = str(Path(__file__).parent)  # where conf.py is
    where = ["-c", here, "-d", str(work / "doctrees"), str(work / "source"), str(work / "pages")]
    if build_main(["-q", "-W", *where]):
        raise ValueError("the pages could not be made: what Sphinx says above names the place.")


def refuse_other(folder):
    """Raise where a folder is somebody else's: it holds files, and no run of ours has made it."""
    if folder.exists() and any(folder.iterdir()) and not (folder / SIGN).exists():
        raise ValueError(f"the folder {folder} holds other files: name an empty or a new folder.")


def publish(pages, folder):
    """Put pages into a folder, in place of those of an earlier run."""
    for pattern in MADE:
        for path in folder.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(pages, folder, dirs_exist_ok=True)
    (folder / SIGN).write_text("synthrisk site makes these pages anew.\n", "utf-8")


def main(arguments=None):
    """Read the command line, make the site and show it if asked to."""
    parser = argparse.ArgumentParser(prog="site", description="Make pages that move.")
    parser.add_argument("folder", nargs="?", type=folder_of, default="site", metavar="FOLDER")
    only = {"nargs": "+", "choices": numbers(), "metavar": "NN"}
    parser.add_argument("--only", **only, help="make only these lessons")
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
