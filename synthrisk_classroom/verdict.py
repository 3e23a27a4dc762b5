"""What is said of an answer, and which kind of verdict that is.

Programs ask for the kind. The words are for readers alone, and may change at any time.
"""

import json
import re
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape
from pathlib import Path

from synthrisk_classroom.handed_in import MIME

COLOURS = {True: "#009E73", False: "#E69F00"}  # told apart by colour-blind readers, too


class Kind(StrEnum):
    """Which verdict it is. Notebooks, pages and scripts keep it as this word.

    >>> Kind.NOT_CHECKED == "not checked", Kind("right") is Kind.RIGHT
    (True, True)
    """

    RIGHT = "right"
    CLOSE = "close"  # of a prediction: near enough, or some of its numbers are
    MISTAKE = "mistake"  # a usual one; the verdict says which
    WRONG = "wrong"  # in a way that no usual mistake explains
    UNREADABLE = "unreadable"  # not in the form that was asked for
    OPEN = "open"  # not answered yet; of a prediction, looked at without a guess
    NOT_CHECKED = "not checked"  # a function in a notebook that was handed in: nobody runs it
    TYPED = "typed"  # an answer in a notebook that was handed in, without a verdict


NOT_RIGHT = (Kind.MISTAKE, Kind.WRONG, Kind.UNREADABLE)  # somebody has answered, and not so


@dataclass(frozen=True, repr=False)
class Verdict:
    """What `my.check` has to say.

    Args:
        kind: which verdict it is.
        message: a sentence or two.
        mistake: what went wrong, without the words around it; if it is a usual mistake, the
            sentence by which its exercise knows it.
        hint: the id of the exercise, where a hint would help.
        see: where to read again: the file's name and the heading of a section.
        handed_in: what the notebook stores.
    """

    kind: Kind
    message: str
    mistake: str = ""
    hint: str = ""
    see: tuple[str, str] | None = None
    handed_in: dict | None = field(default=None, compare=False)

    @property
    def right(self) -> bool:
        """Tell whether the answer is right."""
        return self.kind is Kind.RIGHT

    def __repr__(self):
        """Show the message, and what helps."""
        if self.see:
            return f"{self.message} Read again: {self._place()}."
        return self.message + self._try_hint()

    def _repr_html_(self):
        """Show the message with a coloured line beside it, and a link to where to read on."""
        look = f"border-left: 4px solid {COLOURS[self.right]}; padding-left: 0.6em"
        words = escape(self.message)
        if self.see:
            href = escape(address_of(*self.see))
            words += f' Read again: <a href="{href}">{escape(self._place())}</a>.'
        else:
            words += escape(self._try_hint())
        return f'<p class="synthrisk-verdict" style="{look}">{words}</p>'

    def _try_hint(self):
        """Say how to get a hint, where one would help."""
        return f' Try my.hint("{self.hint}").' if self.hint else ""

    def _place(self):
        """Name the lesson and the section to read again."""
        file, heading = self.see
        return f"lesson {file[:2]}, section {heading}"

    def _repr_mimebundle_(self, **_):
        """Store in the cell's output what was handed in; no reader sees it."""
        return {MIME: self.handed_in} if self.handed_in else {}


def address_of(file, heading):
    """Return the address of a section: of its cell, which JupyterLab finds better than a heading.

    Lessons lie side by side; where the other one cannot be read, the heading has to do.
    """
    try:
        cells = json.loads(Path(f"{file}.ipynb").read_text("utf-8"))["cells"]
    except (OSError, ValueError, KeyError):
        cells = []
    line = re.compile(rf"^#+ {re.escape(heading)}$", re.MULTILINE)
    for cell in cells:
        if line.search("".join(cell["source"])):
            return f"{file}.ipynb#cell-id={cell['id']}"
    return f"{file}.ipynb#{heading.replace(' ', '-')}"
