"""A lesson as slides: one idea a screen, pictures rather than code, the question before its answer.

Python cuts a lesson into blocks; `slides.js` deals them onto slides of 1280 × 720, because only a
browser knows how high a block is. Without a script the blocks stand one below the other.
"""

import re
from copy import deepcopy
from functools import cache
from threading import Lock

from nbconvert import HTMLExporter
from nbformat.v4 import new_notebook

from synthrisk_edu.classroom.formulas import markdown_to_html
from synthrisk_edu.classroom.solutions import exercise_in, is_method, source

DETAILS = re.compile(r"(<details>.*?</details>)", re.DOTALL)
SUMMARY = re.compile(r"<summary>.*?</summary>", re.DOTALL)
HEADING = re.compile(r"^#{2,3} (.*)")
QUESTION = re.compile(r"\*\*(Predict first|Question|Which way|Count by hand)")
TABLE_BODY = re.compile(r"<tbody>.*?</tbody>", re.DOTALL)
ROW = re.compile(r"<tr.*?</tr>", re.DOTALL)
MOST_ROWS = 12  # more cannot be read from the last row
CONVERTING = Lock()
# Left out: what is for reading at home, and what only prepares.
LEFT_OUT = ("Where to read on", "Words to remember")


def blocks_of(notebook):
    """Return the blocks of a lesson in the order of the slides: (kind, title, HTML)."""
    title, made = "", []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            html = output_html(cell)
            if html and not exercise_in(cell):
                kind = "panel" if 'class="panel"' in html else "output"
                place = len(made)
                while kind == "panel" and place and made[place - 1][0] == "question":
                    place -= 1  # a panel stands before the question that was just asked
                made.insert(place, (kind, title, html))
            continue
        for kind, text in pieces(cell.source):
            if kind == "heading":
                title = text
            else:
                made.append((kind, title, markdown_to_html(text)))
    return [block for block in made if not block[1].startswith(LEFT_OUT)]


def pieces(text):
    """Cut a text cell at its blank lines: headings, questions, answers and plain text."""
    for part in DETAILS.split(text):
        if part.startswith("<details>"):
            inside = SUMMARY.sub("", part.removeprefix("<details>").removesuffix("</details>"))
            yield from (("answer", one) for one in paragraphs(inside))
        else:
            yield from plain_pieces(part)


def plain_pieces(text):
    """Cut a text without answers; what follows a question in the same cell belongs to it."""
    kind = "text"
    for paragraph in paragraphs(text):
        heading = HEADING.match(paragraph)
        if heading:
            kind = "text"
            yield "heading", heading[1]
            continue
        kind = "question" if QUESTION.match(paragraph) else kind
        yield kind, paragraph


def paragraphs(text):
    r"""Split at blank lines, and below a heading.

    >>> paragraphs("One.\n\n- a\n- b\n\n## Two")
    ['One.', '- a\n- b', '## Two']
    """
    apart = re.sub(r"^(#{2,3} .*)\n", r"\1\n\n", text, flags=re.MULTILINE)
    return [part.strip("\n") for part in re.split(r"\n\s*\n", apart) if part.strip()]


def output_html(cell):
    """Return what a code cell shows; its code only where it is a method in a line or two."""
    if not cell.get("outputs"):
        return ""
    shown = deepcopy(cell)
    if not is_method(cell) or source(cell).strip().count("\n") >= 2:
        shown.metadata["transient"] = {"remove_source": True}
    return TABLE_BODY.sub(shortened, cells_to_html(new_notebook(cells=[shown])))


def cells_to_html(notebook):
    """Return the cells of a notebook as HTML; one notebook at a time, whoever asks."""
    with CONVERTING:
        return converter().from_notebook_node(notebook)[0]


@cache
def converter():
    """Return what turns cells into HTML; its templates take long to prepare, so they are kept."""
    return HTMLExporter(template_name="basic")


def shortened(body):
    """Return the body of a table; of a long one only the first rows."""
    rows = ROW.findall(body[0])
    kept = rows if len(rows) <= MOST_ROWS else [*rows[: MOST_ROWS - 1], "<tr><th>…</th></tr>"]
    return f"<tbody>{''.join(kept)}</tbody>"


def slides(notebook):
    """Return a notebook as HTML: the blocks, for the script to deal."""
    return "\n".join(
        f'<div class="block" data-kind="{kind}" data-title="{plain(title)}">{html}</div>'
        for kind, title, html in blocks_of(notebook)
    )


def plain(title):
    """Return a heading as text for an attribute: without signs of emphasis, escaped."""
    text = re.sub(r"[*`]|\[([^]]*)\]\([^)]*\)", lambda found: found[1] or "", title)
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
