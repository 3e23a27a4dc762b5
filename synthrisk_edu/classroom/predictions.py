"""Which question stands before a panel, and what is told after it? Read from the lessons' text."""

import json
import re
from functools import cache
from pathlib import Path

from synthrisk_edu.classroom.engine import lessons
from synthrisk_edu.classroom.formulas import markdown_to_html
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
        if is_panel(cell):
            asked = [text for kind, text in pieces_near(cells, number, -1) if kind == "question"]
            answer = [text for kind, text in pieces_near(cells, number, 1) if kind == "answer"]
            listed.append(tuple(markdown_to_html("\n\n".join(one)) for one in (asked, answer)))
    return listed


def is_panel(cell):
    """Tell whether a cell shows a panel."""
    return cell["cell_type"] == "code" and PANEL.search(source(cell)) is not None


def pieces_near(cells, number, step):
    """Return the pieces of the nearest cell that asks or tells, before the next panel."""
    for place in range(number + step, number + 5 * step, step):
        if not 0 <= place < len(cells) or is_panel(cells[place]):
            break
        if cells[place]["cell_type"] == "markdown":
            found = list(pieces(source(cells[place])))
            if any(kind in ("question", "answer") for kind, _ in found):
                return found
    return []
