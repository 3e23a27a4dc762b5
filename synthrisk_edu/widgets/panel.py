"""The one small base of every panel: compute, then draw and say.

A panel is built once, around one persistent figure. What stays is drawn first and kept as a
backdrop. Moving a control calls

    result = compute(**values)     # touches no widget
    shown = move(result)           # draws, says and computes nothing; see `plots.picture`

puts the new marks on the backdrop, and replaces the picture, its tiles and its sentence. Sizes and
axes are fixed, so nothing on the page jumps. A click on the picture moves the controls, so the
mouse can do nothing that they cannot. An error is shown in the panel in one sentence and kept in
`panel.error`, where the tests look for it.
"""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from time import perf_counter

import ipywidgets
from IPython.display import display
from pandas.api.types import is_numeric_dtype

from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Shown
from synthrisk_edu.widgets.canvas import Canvas, png
from synthrisk_edu.widgets.controls import grid
from synthrisk_edu.widgets.touch import HERE, new_picture

STYLE = f"<style>{look.CSS}{(HERE / 'touch.css').read_text('utf-8')}</style>"
# A notebook opened again has no kernel that knows its panels, and JupyterLab and Notebook 7 say
# "model not found" in their place. This is shown beside the panel, and seen only where it is gone.
AGAIN = """<style>
.synthrisk-again { display: none }
.jp-OutputArea:not(:has(.synthrisk-panel)) .synthrisk-again { display: block }
.jp-OutputArea:has(.synthrisk-again):not(:has(.synthrisk-panel)) .jupyter-widgets { display: none }
</style>
<p class="synthrisk-again">Run the cells above and this one: then the panel stands here again.</p>
"""
TILES, SENTENCE, LISTING = 54, 64, 150  # pixels: one row, three lines, and a short table
SLOW = 0.5  # seconds: longer work says that it is under way
MANY_OBJECTS = 50_000  # a search through so many takes as long as a picture
VEILED = "Answer above, then it opens."
DRAW = "Drag the handles to where you expect the values, or type them above."


@dataclass(frozen=True)
class Guess:
    """What a reader predicted, drawn as black crosses over what is true.

    Args:
        crosses: (number of the axes, x, y) of each.
        joined: whether they are the points of one curve.
        moves: the control that walks along them; where another one is moved they are not shown.
    """

    crosses: Sequence[tuple] = ()
    joined: bool = False
    moves: str = ""


NO_GUESS = Guess()


class Panel(ipywidgets.VBox):
    """Controls above, then tiles, a picture, and what it says in words.

    Args:
        picture: a `Picture`: what stays is drawn once, what moves at every move.
        controls: a mapping name → control; `compute` gets their values under these names.
        compute: a function from the controls' values to a result.
        fixed: further arguments of the picture's function.
        views: None, or a mapping view → a further argument of the picture's function, where what
            stays is not always the same; every result names its `view`.
        nothing: what to say where `compute` gives None; then nothing is drawn.
        table: None, or a function from the result to a data frame to list under the sentence.
        extra: further widgets that belong beside the controls, such as a play button.
    """

    def __init__(
        self, picture, controls, compute, *fixed, views=None, nothing="", table=None, extra=()
    ):
        """Lay out the panel and show it at the controls' first values."""
        set_aside()
        self.controls = controls
        self.compute = compute
        self.table = table
        self.views = views
        self.nothing = nothing
        self.error = None
        self.seconds = 0.0
        self.guess = NO_GUESS
        self._asked_at = {}  # where the other controls stood when it was predicted
        self.is_veiled = False
        self._greyed = None  # while it is veiled: what could not be moved before
        self._is_waiting = False  # while several controls are moved at once
        self._tiles = ()  # the last ones: where nothing is drawn they keep their places
        self._stays = (picture, fixed)
        self.picture = new_picture(0, 0, picture.touch)
        self.lay_canvas()
        width = self.canvas.size[0]
        self.tiles = words(width, TILES).add_class("synthrisk-tilebox")
        self.sentence = words(width, SENTENCE).add_class("synthrisk-sentence")
        self.sentence.add_class("synthrisk-status")
        self.listing = words(width, LISTING).add_class("synthrisk-listing")
        below = [self.sentence] if table is None else [self.sentence, self.listing]
        style = ipywidgets.HTML(STYLE, layout={"display": "none"})
        above = grid([*controls.values()], extra, width)
        super().__init__([style, above, self.tiles, self.picture, *below])
        self.add_class("synthrisk-panel")
        for control in controls.values():
            control.observe(self.refresh, names="value")
        self.picture.on_msg(self._touched)
        self.refresh()
        if self.error is not None:  # nobody has moved anything yet: the call itself is wrong
            raise self.error

    def _ipython_display_(self):
        """Show the panel, with a sentence for the day on which nothing answers any more."""
        display(self._repr_mimebundle_(), raw=True)
        display({"text/html": AGAIN, "text/plain": ""}, raw=True)

    def lay_canvas(self, screen: look.Screen | None = None) -> None:
        """Make what is drawn on, one for each view; `screen` as in `look.figure`."""
        self._canvases = {}
        for view in self.views or [None]:
            self._canvases[view] = partial(self._new_canvas, view, screen)
        self.canvas = self.canvas_of(next(iter(self._canvases)))  # of the first view
        self.picture.resize(*self.canvas.size)

    def _new_canvas(self, view, screen):
        """Make what one view is drawn on."""
        picture, fixed = self._stays
        if view is not None:
            fixed = (*fixed, self.views[view])
        return Canvas(picture, *fixed, screen=screen)

    def canvas_of(self, view: object) -> Canvas:
        """Return what a view is drawn on; it is made when it is seen for the first time."""
        canvas = self._canvases[view]
        if not isinstance(canvas, Canvas):
            canvas = canvas()
            self._canvases[view] = canvas
        return canvas

    def values(self) -> dict:
        """Return what the controls say now, by name."""
        return {name: control.value for name, control in self.controls.items()}

    def set(self, **values) -> None:
        """Move several controls at once, and show what comes out."""
        with self.waiting():
            for name, value in values.items():
                self.controls[name].value = value
        self.refresh()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Show nothing while controls are moved: who moves them shows what comes out."""
        self._is_waiting = True
        try:
            yield
        finally:
            self._is_waiting = False

    def _touched(self, _picture, content, _buffers):
        """Do what was clicked or dragged: the page says which controls get which values."""
        if "set" not in content or self.is_veiled:
            return
        try:
            self.set(**content["set"])
        except Exception as error:  # such as a value that a control does not offer
            self._complain(error)

    def refresh(self, _change: object = None) -> None:
        """Compute, draw and say anew; who has been slow before says that it is at work."""
        if self._is_waiting:
            return
        if self.seconds > SLOW:
            self.sentence.value = paragraph("Computing …")
        start = perf_counter()
        try:
            result = self.compute(**self.values())
            canvas = self.canvas_for(result)
            pixels, shown = self.draw(result)
            state = {
                "value": png(pixels),
                "alt": shown.words,
                "marks": canvas.marks_on_page(shown.marks),
                "edges": [self._edge(canvas, edge) for edge in shown.edges],
            }
            listing = "" if self.table is None else html_table(self.table(result))
        except Exception as error:  # whatever it is, the student sees a sentence, not a blank
            self._complain(error)
            return
        self.error = None
        self.seconds = perf_counter() - start
        self.picture.show(**state)
        self.tiles.value = look.tiles_html(shown.tiles)
        self.sentence.value = paragraph(shown.words)
        self.listing.value = listing

    def _complain(self, error):
        """Say in one sentence what went wrong."""
        self.error = error
        self.sentence.value = went_wrong(error)

    def canvas_for(self, result: object) -> Canvas:
        """Return what a result is drawn on: each view has a canvas of its own."""
        return self.canvas_of(result.view) if self.views and result is not None else self.canvas

    def draw(self, result: object) -> tuple:
        """Return the pixels of a result, and what is `Shown` of it."""
        others = {name: value for name, value in self.values().items() if name in self._asked_at}
        guess = self.guess if others == self._asked_at else NO_GUESS
        pixels, shown = self.canvas_for(result).draw(result, guess.crosses, guess.joined)
        if shown is None:
            tiles = [replace(tile, number="–", words="", square=None) for tile in self._tiles]
            shown = Shown(self.nothing, tiles)
        self._tiles = shown.tiles
        return pixels, shown

    def _edge(self, canvas, edge):
        """Return an edge for the page, with the ends of its control."""
        control = self.controls[edge.sets]
        return canvas.edge_on_page(edge, control.min, control.max, control.step)

    def veil(self, handles: list = (), joined: bool = False) -> None:
        """Hide what the panel shows, until a reader has predicted it: axes without data.

        `handles` are there to draw what one expects, and a line joins them if they are points of
        one curve; see touch.js.
        """
        self.is_veiled = True
        self._use_controls(False)
        self.picture.show(
            value=png(self.canvas.bare()),
            alt="Axes without data: answer the question above.",
            marks=[],
            edges=[],
            handles=list(handles),
            joined=joined,
            hint=DRAW if handles else VEILED,
        )
        unknown = [replace(tile, number="?", words="", square=None) for tile in self._tiles]
        self.tiles.value = look.tiles_html(unknown)
        self.sentence.value = ""
        self.listing.value = ""

    def unveil(self, guess: Guess = NO_GUESS, **values) -> None:
        """Show everything, at these values of controls, with what was predicted."""
        was_veiled = self.is_veiled
        self.is_veiled = False
        self._use_controls(True)
        self.guess = guess
        there = self.values() | values
        there.pop(guess.moves, None)
        self._asked_at = there
        picture, _ = self._stays
        self.picture.show(handles=[], joined=False, hint=picture.touch)
        if was_veiled:
            self.picture.appeared += 1
        self.set(**values)

    def _use_controls(self, on):
        """Let all that can be moved be moved, or not; what was greyed before stays so."""
        movable = [one for one in inside(self) if isinstance(getattr(one, "disabled", None), bool)]
        if self._greyed is None:  # veiled twice, it would take all for greyed
            self._greyed = [one for one in movable if one.disabled]
        for one in movable:
            one.disabled = not on or one in self._greyed
        if on:
            self._greyed = None

    def still(self) -> str:
        """Return the panel standing still, as HTML: tiles, picture, sentence and table."""
        pixels, shown = self.draw(self.compute(**self.values()))
        image = look.picture_html(png(pixels), self.canvas.size[0], shown.words)
        tiles = look.tiles_html(shown.tiles)
        return (
            f'<div class="panel">{tiles}{image}{paragraph(shown.words)}{self.listing.value}</div>'
        )


def set_aside():
    """Take what libraries hold, which stays for ever, out of the search for garbage.

    Python searches all it holds now and then, in the middle of a move, and with pandas, matplotlib
    and scikit-learn loaded that takes a fifth of a second.
    """
    if len(gc.get_objects()) > MANY_OBJECTS:
        gc.collect()  # or garbage would stay for ever as well
        gc.freeze()  # and none of it is among the objects of the next search


def inside(widget):
    """Yield a widget and all that stand in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from inside(child)


def words(width, height):
    """Return an empty space for words, of fixed size, that scrolls rather than grows."""
    size = {"width": f"{width}px", "height": f"{height}px", "max_width": "100%"}
    made = ipywidgets.HTML(layout=size | {"flex": "0 0 auto", "overflow": "auto", "margin": "2px"})
    return made.add_class("synthrisk-scrolls")


def paragraph(text, css_class=""):
    """Wrap plain text for the page; what comes from data cannot become HTML."""
    safe = escape(str(text)).replace(" = ", "&nbsp;=&nbsp;")  # no line break inside "T = 1"
    safe = safe.replace(" &gt; ", "&nbsp;&gt;&nbsp;").replace(" %", "&nbsp;%")  # nor in "50 %"
    return f'<p class="{f"synthrisk-words {css_class}".strip()}">{safe}</p>'


def went_wrong(error):
    """Return what to show where something went wrong; a `KeyError` would quote its sentence."""
    sentence = error.args[0] if isinstance(error, KeyError) and error.args else error
    return paragraph(f"Something went wrong: {sentence}", "synthrisk-error")


def html_table(frame):
    """Return a small data frame as an HTML table, every value escaped; numbers stand right."""
    sides = ["" if is_numeric_dtype(frame[name]) else ' class="text"' for name in frame]
    heads = "".join(
        f"<th{side}>{escape(str(name))}</th>" for name, side in zip(frame, sides, strict=True)
    )
    body = ""
    for row in frame.itertuples(index=False):
        cells = zip(row, sides, strict=True)
        body += (
            f"<tr>{''.join(f'<td{side}>{escape(str(value))}</td>' for value, side in cells)}</tr>"
        )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
