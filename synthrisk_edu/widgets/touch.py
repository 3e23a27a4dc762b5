"""A picture one can touch, as a widget; `new_picture` makes one, or a plain one where it cannot.

The kernel sends the pixels and, in pixels of the page, where the marks are; touch.js finds the mark
under the pointer by itself. A click is told as a message, because a second click on the same mark
changes nothing that could be noticed. Where the server of a hub has no anywidget, set the
environment variable `SYNTHRISK_TOUCH=0`: pictures are plain then, and the controls do everything.
"""

import os
from pathlib import Path

import anywidget
import ipywidgets
import traitlets

HERE = Path(__file__).parent


def script(*names):
    """Return scripts that stand beside this module, as one."""
    return "\n".join((HERE / name).read_text("utf-8") for name in names)


def is_plain() -> bool:
    """Tell whether pictures have to be plain."""
    return os.environ.get("SYNTHRISK_TOUCH") == "0"


def new_picture(width: int, height: int, hint: str = ""):
    """Return the widget that shows the pictures of a panel."""
    picture = Plain() if is_plain() else Touch()
    picture.resize(width, height)
    picture.hint = hint
    return picture


class Touch(anywidget.AnyWidget):
    """A PNG picture with marks, edges and handles; see touch.js for what is in each of them."""

    _esm = script("touch.js", "access.js", "notebook.js")
    value = traitlets.Bytes(b"").tag(sync=True)
    alt = traitlets.Unicode("").tag(sync=True)
    width = traitlets.Int(0).tag(sync=True)
    height = traitlets.Int(0).tag(sync=True)
    hint = traitlets.Unicode("").tag(sync=True)
    marks = traitlets.List([]).tag(sync=True)
    edges = traitlets.List([]).tag(sync=True)
    handles = traitlets.List([]).tag(sync=True)
    heard = traitlets.Int(0).tag(sync=True)  # counts the moves of handles that were told of
    joined = traitlets.Bool(False).tag(sync=True)
    appeared = traitlets.Int(0).tag(sync=True)  # counts how often the truth has appeared

    def resize(self, width: int, height: int) -> None:
        """Take the sides of the picture on a wide page."""
        self.width = width
        self.height = height

    def show(self, **state) -> None:
        """Show pixels (`value`) and what belongs to them, all at once."""
        with self.hold_sync():
            for name, shown in state.items():
                setattr(self, name, shown)

    def show_handles(self, handles: list) -> None:
        """Move the handles, with which one draws what one expects."""
        self.handles = handles

    def take_focus(self) -> None:
        """Let the page put the focus on the question, or on the first control."""
        self.send({"focus": True})


class Plain(ipywidgets.Image):
    """The same picture without anything to touch."""

    alt = ""
    hint = ""
    appeared = 0

    def __init__(self):
        """Be a PNG."""
        super().__init__(format="png")

    def resize(self, width: int, height: int) -> None:
        """Take the sides of the picture on a wide page; it shrinks in proportion."""
        self.width = str(width)
        self.height = str(height)
        self.layout = {"width": f"{width}px", "max_width": "100%", "height": "auto"}

    def show(self, value: bytes | None = None, **_state) -> None:
        """Show the pixels, if there are new ones."""
        if value is not None:
            self.value = value

    def show_handles(self, handles: list) -> None:
        """Show none: there are boxes to type in."""

    def take_focus(self) -> None:
        """Leave the focus where it is."""


class Access(anywidget.AnyWidget):
    """Looks after the names of controls in a panel without a picture; it shows nothing."""

    _esm = script("access.js") + "export default {render: ({model, el}) => { attend(model, el); }};"


def new_access():
    """Return what looks after a panel without a picture."""
    shown = ipywidgets.HTML() if is_plain() else Access()
    shown.layout.display = "none"
    return shown
