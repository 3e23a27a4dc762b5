"""Which question stands before a panel, and what is told after it? Read from the lessons' text."""

import json
import re
from functools import cache
from pathlib import Path

from nbconvert.filters.markdown_mistune import markdown2html_mistune

from synthrisk_edu.classroom.engine import lessons
from synthrisk_edu.classroom.formulas import put_back_formulas, take_out_formulas
from synthrisk_edu.classroom.slides import pieces
from synthrisk_edu.classroom.solutions import source

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
PANEL = re.compile(r"^(widgets\.\w+|intruder_game|\w*_panel)\(", re.MULTILINE)


@cache
def predictions():
    """Return, by the name of the panel, its question and its answer as HTML.

    A panel without a question of its own is left out; so is everything where the package was
    installed without its notebooks.
    """
    found = {}
    for number, module in lessons().items():
        for path in NOTEBOOKS.glob(f"{number}_*.ipynb"):
            asked = questions_in(json.loads(path.read_text("utf-8"))["cells"])
            pairs = zip(module.PANELS, asked, strict=False)
            found |= {entry.name: pair for entry, pair in pairs if all(pair)}
    return found


def questions_in(cells):
    """List for every panel what is asked before it and told after it, as HTML."""
    listed = []
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code" and PANEL.search(source(cell)):
            asked = [text for kind, text in text_near(cells, number, -1) if kind == "question"]
            told = [text for kind, text in text_near(cells, number, 1) if kind == "answer"]
            listed.append((as_html(asked), as_html(told)))
    return listed


def text_near(cells, number, step):
    """Return the pieces of the text cells from here to the next panel, at most four away."""
    texts = []
    for place in range(number + step, number + 5 * step, step):
        if not 0 <= place < len(cells):
            break
        if cells[place]["cell_type"] == "code":
            if PANEL.search(source(cells[place])):
                break
            continue
        texts.insert(0 if step < 0 else len(texts), list(pieces(source(cells[place]))))
    nearest = [text for text in texts if any(kind in ("question", "answer") for kind, _ in text)]
    return nearest[-1 if step < 0 else 0] if nearest else []


def as_html(texts):
    """Return pieces of Markdown as HTML, formulas drawn."""
    formulas = []
    marked = take_out_formulas("\n\n".join(texts), formulas)
    return put_back_formulas(markdown2html_mistune(marked), formulas) if texts else ""
