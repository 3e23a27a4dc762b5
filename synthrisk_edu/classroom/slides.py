"""A lesson as slides: one idea a screen, pictures rather than code, the question before its answer.

Python cuts a lesson into blocks; the page's own script deals them onto slides of 1280 × 720,
because only a browser knows how high a block is. A slide takes blocks as long as they fit and
belong together; a block that is too large alone is made smaller. Without a script the blocks stand
one below the other.
"""

import re
from copy import deepcopy

from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from nbformat.v4 import new_notebook

from synthrisk_edu.classroom.formulas import put_back_formulas, take_out_formulas
from synthrisk_edu.classroom.solutions import exercise_in, is_method, source

DETAILS = re.compile(r"(<details>.*?</details>)", re.DOTALL)
SUMMARY = re.compile(r"<summary>.*?</summary>", re.DOTALL)
HEADING = re.compile(r"^#{2,3} (.*)")
QUESTION = re.compile(r"\*\*(Predict first|Question|Which way|Count by hand)")
TABLE_BODY = re.compile(r"<tbody>.*?</tbody>", re.DOTALL)
ROW = re.compile(r"<tr.*?</tr>", re.DOTALL)
MOST_ROWS = 12  # more cannot be read from the last row
# Left out: what is for reading at home, and what only prepares.
LEFT_OUT = ("Where to read on", "Words to remember")


def blocks_of(notebook):
    """Return the blocks of a lesson in the order of the slides: (kind, title, HTML)."""
    formulas, title, made = [], "", []
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
        for kind, text in pieces(take_out_formulas(cell.source, formulas)):
            if kind == "heading":
                title = text
            else:
                made.append((kind, title, markdown2html_mistune(text)))
    kept = [block for block in made if not block[1].startswith(LEFT_OUT)]
    return [(kind, title, put_back_formulas(html, formulas)) for kind, title, html in kept]


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
    shown = new_notebook(cells=[deepcopy(cell)])
    is_point = is_method(cell) and source(cell).strip().count("\n") < 2
    exporter = HTMLExporter(template_name="basic", exclude_input=not is_point)
    return TABLE_BODY.sub(shortened, exporter.from_notebook_node(shown)[0])


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


STYLE = """
body.slides { font-size: 25px; line-height: 1.4; max-width: none; margin: 0; padding: 0 }
body.dealt { overflow: hidden; background: #444; height: 100vh }
.slide { position: absolute; left: 0; top: 0; width: 1280px; height: 720px; box-sizing: border-box;
    padding: 30px 60px; background: white; transform-origin: 0 0; overflow: hidden }
.slide:not(.now) { visibility: hidden }
.slide > h2 { margin: 0; font-size: 24px; color: #0072B2; height: 44px }
.slide > .number { position: absolute; right: 24px; bottom: 12px; font-size: 16px; color: #777 }
.room { height: 600px; display: flow-root }
.room > .block { display: flow-root } .room p, .room ul, .room ol { margin: 0.35em 0 }
.room h1 { font-size: 42px; margin: 0.2em 0 }
.block[data-kind=question] { border-left: 8px solid #E69F00; padding-left: 24px }
.block[data-kind=answer] { border-left: 8px solid #009E73; padding-left: 24px }
.slides .formula { font-size: 1.45em; margin: 0.5em 0 }
.slides pre { font-size: 21px } .slides table { font-size: 24px }
.slides th, .slides td { padding: 0.12em 0.4em }
.slides .panel { border: 0; padding: 0; margin: 0 } .slides .panel table { font-size: 20px }
.slides .jp-OutputArea-output img { width: 1100px; max-height: 440px; object-fit: contain;
    object-position: left }
.slides .panel p { font-size: 22px !important }
@media print { @page { size: 1280px 720px; margin: 0 }
    body.dealt { overflow: visible; height: auto; background: white }
    .slide { position: relative; visibility: visible !important; transform: none !important;
        page-break-after: always } }
"""

# Deals the blocks when the page has been loaded, shows one slide at a time in the size of the
# window, and steps with the keys of a keyboard or of a clicker.
SCRIPT = """
const TALLEST = 600, ENOUGH = 400;
let all = [], now = 0;
function newSlide(title) {
    const slide = document.createElement("section"), room = document.createElement("div");
    slide.className = "slide"; room.className = "room";
    const head = document.createElement("h2"), number = document.createElement("span");
    head.textContent = title; number.className = "number"; number.textContent = all.length + 1;
    slide.append(head, room, number);
    document.body.append(slide);
    all.push(slide);
    return room;
}
function used(room) {
    const last = room.lastElementChild;
    return last ? last.getBoundingClientRect().bottom - room.getBoundingClientRect().top : 0;
}
function startsAnew(block, room, last) {
    const {kind, title} = block.dataset;
    if (!last || title !== last.title || kind === "panel") return true;
    if (kind !== last.kind && (kind === "question" || kind === "answer")) return true;
    if (kind !== last.kind && ["panel", "question", "answer"].includes(last.kind)) return true;
    return kind === "text" && last.kind === "text" && used(room) > ENOUGH;
}
function shrink(block, room) {
    for (let zoom = 0.95; zoom > 0.2; zoom -= 0.05) {
        if (used(room) <= TALLEST && block.scrollWidth <= block.clientWidth + 1) return;
        block.style.zoom = zoom;
    }
}
function deal() {
    let room = null, last = null;
    for (const block of [...document.querySelectorAll("body > .block")]) {
        if (startsAnew(block, room, last)) room = newSlide(block.dataset.title);
        room.append(block);
        if (used(room) > TALLEST && room.childElementCount > 1) {
            room = newSlide(block.dataset.title);
            room.append(block);
        }
        shrink(block, room);
        last = block.dataset;
    }
    document.body.classList.add("dealt");
}
function show(number) {
    now = Math.min(Math.max(number, 0), all.length - 1);
    all.forEach((slide, one) => slide.classList.toggle("now", one === now));
    history.replaceState(null, "", "#" + (now + 1));
    const scale = Math.min(innerWidth / 1280, innerHeight / 720);
    const left = (innerWidth - 1280 * scale) / 2, top = (innerHeight - 720 * scale) / 2;
    all[now].style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
}
const STEPS = {ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, Enter: 1, ArrowLeft: -1,
    ArrowUp: -1, PageUp: -1, Backspace: -1, Home: -1e6, End: 1e6};
addEventListener("load", () => { deal(); show((parseInt(location.hash.slice(1)) || 1) - 1); });
addEventListener("resize", () => show(now));
addEventListener("keydown", event => {
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    show(now + STEPS[event.key]);
});
"""
