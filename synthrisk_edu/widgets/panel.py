"""The one small base of every panel: compute → draw → say.

A panel is built once, around one persistent figure. What stays is drawn first and kept as a
backdrop. Moving a control calls

    result = compute(**values)     # touches no widget
    draw(axes, result)             # computes nothing
    sentence = say(result)         # the result in words

puts the new marks on the backdrop, and replaces the picture and the sentence. These three, and
`frame` for what stays, have the same names in every panel. Sizes and axes are fixed, so nothing on
the page jumps. An error is shown in the panel in one sentence and kept in `panel.error`, where the
tests look for it.
"""

import base64
import gc
import re
import struct
import zlib
from collections.abc import Mapping
from functools import cache
from html import escape
from time import perf_counter

import ipywidgets
import numpy as np
import traitlets
from IPython.display import display

from synthrisk_edu import checks
from synthrisk_edu.plots.look import GUESS, INCH, Screen

# Labels of controls as large as the text around them, so that they can be read on a projector,
# and all beginning at the same edge. After Shift+Enter the next cell is the active one and, being
# in the focus, would push the panel out of the window: the page moves until all of it is in view.
STYLE = """<style onload="setTimeout(() => {
    const panel = this.closest('.synthrisk-predict') ?? this.closest('.synthrisk-panel');
    const cell = panel?.closest('.jp-Cell');
    if (cell?.nextElementSibling?.matches('.jp-mod-active'))
        panel.scrollIntoView({block: 'nearest'});
}, 200)">
.synthrisk-panel { --jp-widgets-font-size: 15px }
.synthrisk-panel .widget-label { text-align: left; flex: 0 0 auto }
.synthrisk-panel .widget-toggle-buttons { display: flex !important; flex-flow: row nowrap }
.synthrisk-panel td { white-space: nowrap }
@media (max-width: 1000px) {
    .synthrisk-sentence, .synthrisk-listing { height: auto !important; max-height: 400px }
    .synthrisk-panel td { white-space: normal }
}
</style>"""
# A notebook opened again has no kernel that knows its panels, and JupyterLab and Notebook 7 say
# "model not found" in their place. This is shown beside the panel, and seen only where it is gone.
AGAIN = """<style>
.synthrisk-again { display: none }
.jp-OutputArea:not(:has(.synthrisk-panel)) .synthrisk-again { display: block }
.jp-OutputArea:has(.synthrisk-again):not(:has(.synthrisk-panel)) .jupyter-widgets { display: none }
</style>
<p class="synthrisk-again">Run the cells above and this one: then the panel stands here again.</p>
"""
COLUMN = 400  # pixels: controls as wide as this stand beside each other
SENTENCE, LISTING = 84, 150  # pixels: four lines, and a short table
SLOW = 0.5  # seconds: longer work says that it is under way
MANY_OBJECTS = 50_000  # a search through so many takes as long as a picture
LABEL = {"description_width": "initial"}  # as wide as its words
WIDE = {"style": LABEL, "layout": {"width": "410px", "margin": "2px"}}  # of a slider


class Panel(ipywidgets.VBox):
    """Controls above, a picture below them, and under the picture what it says in words.

    Args:
        picture: a `Picture`: its `frame` is drawn once, its `draw` and `say` at every move.
        controls: a mapping name → control; `compute` gets their values under these names.
        compute: a function from the controls' values to a result.
        fixed: further arguments for the picture's `frame`.
        views: None, or a mapping view → a further argument for `frame`, where what stays is not
            always the same; every result names its `view`.
        nothing: what to say where `compute` gives None; then nothing is drawn.
        table: None, or a function from the result to a data frame to list under the sentence.
        extra: further widgets that belong beside the controls, such as a play button.
    """

    def __init__(
        self, picture, controls, compute, *fixed, views=None, nothing="", table=None, extra=()
    ):
        """Lay out the panel and show it at the controls' first values."""
        set_aside()
        self.controls, self.error, self.seconds, self.guess = controls, None, 0.0, None
        self.compute, self.table, self.views = compute, table, views
        self._greyed = []  # while it is veiled: the panel, and what could not be moved before
        self.picture, self._stays = ipywidgets.Image(format="png"), (picture, fixed)
        self.lay_canvas()
        self.say = lambda now: nothing if now is None else picture.say(now)
        width = self.canvas.size[0]
        self.sentence = words(width, SENTENCE).add_class("synthrisk-sentence")
        self.listing = words(width, LISTING).add_class("synthrisk-listing")
        below = [self.sentence] if table is None else [self.sentence, self.listing]
        style = ipywidgets.HTML(STYLE, layout={"display": "none"})
        super().__init__([style, grid([*controls.values()], extra, width), self.picture, *below])
        self.add_class("synthrisk-panel")
        for control in controls.values():
            control.observe(self.refresh, names="value")
        self.refresh()
        if self.error is not None:  # nobody has moved anything yet: the call itself is wrong
            raise self.error

    def _ipython_display_(self):
        """Show the panel, with a sentence for the day on which nothing answers any more."""
        display(self._repr_mimebundle_(), raw=True)
        display({"text/html": AGAIN, "text/plain": ""}, raw=True)

    def lay_canvas(self, screen: Screen | None = None) -> None:
        """Make what is drawn on, one for each view; `screen` as in `Picture.figure`."""
        (picture, fixed), views = self._stays, self.views or {}
        self.canvas_of = cache(
            lambda *view: Canvas(picture, *fixed, *(views[v] for v in view), screen=screen)
        )
        self.canvas = self.canvas_of(*list(views)[:1])  # of the first view
        width, height = self.canvas.size
        self.picture.width, self.picture.height = str(width), str(height)
        self.picture.layout = _size(width, height) | {"height": "auto"}  # shrinks in proportion

    def values(self) -> dict:
        """Return what the controls say now, by name."""
        return {name: control.value for name, control in self.controls.items()}

    def refresh(self, _change: object = None) -> None:
        """Compute, draw and say anew; who has been slow before says that it is at work."""
        if self.seconds > SLOW:
            self.sentence.value = paragraph("Computing …")
        start = perf_counter()
        try:
            result = self.compute(**self.values())
            picture = png(self.pixels(result))
            sentence = paragraph(self.say(result))
            listing = "" if self.table is None else html_table(self.table(result))
        except Exception as error:  # whatever it is, the student sees a sentence, not a blank
            self.error = error
            self.sentence.value = went_wrong(error)
            return
        self.error, self.seconds = None, perf_counter() - start
        self.picture.value, self.sentence.value, self.listing.value = picture, sentence, listing

    def pixels(self, result: object) -> np.ndarray:
        """Return the picture of a result; each view has a canvas of its own."""
        canvas = self.canvas_of(result.view) if self.views else self.canvas
        return canvas.pixels(result, self.guess)

    def veil(self) -> None:
        """Hide what the panel shows, until a reader has predicted it: axes without data."""
        self._use_controls(False)
        self.picture.value = png(self.canvas.bare())
        self.sentence.value = self.listing.value = ""

    def unveil(self, guess: tuple | None = None) -> None:
        """Show everything; `guess` is (number of the axes, x, y), drawn as black crosses."""
        self._use_controls(True)
        self.guess = guess
        self.refresh()

    def _use_controls(self, on):
        """Let all that can be moved be moved, or not; what was greyed before stays so."""
        movable = [one for one in inside(self) if isinstance(getattr(one, "disabled", None), bool)]
        if not on and not self._greyed:  # veiled twice, it would take all for greyed
            self._greyed = [self, *(one for one in movable if one.disabled)]
        for one in movable:
            one.disabled = not on or one in self._greyed
        if on:
            self._greyed = []

    def still(self) -> str:
        """Return the panel standing still, as HTML: the picture, the sentence and the table."""
        data = base64.b64encode(self.picture.value).decode()
        alt = re.sub("<[^>]*>", "", self.sentence.value)  # escaped already
        width = self.canvas.size[0]
        shown = f'<img alt="{alt}" width="{width}" src="data:image/png;base64,{data}">'
        return f'<div class="panel">{shown}{self.sentence.value}{self.listing.value}</div>'


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


def grid(controls, extra=(), width=860):
    """Lay out the controls: labels in one column, equal widths, long ones over the whole row."""
    label_width = min(max(90, *(8 * len(label_of(one)) + 14 for one in controls)), 250)
    for control in controls:
        _align(control, label_width)
        if _is_long(control, label_width):
            control.layout.grid_area = "auto / 1 / auto / -1"  # from the first line to the last
        elif len(controls) <= 3:
            control.layout.max_width = f"{1.5 * COLUMN}px"
    several = f"repeat(auto-fit, minmax(min({COLUMN}px, 100%), 1fr))"
    columns = several if len(controls) > 3 else "minmax(0, 1fr)"
    size = {"width": f"{max(width, 1.5 * COLUMN)}px", "max_width": "100%"}
    cells = {"grid_template_columns": columns, "grid_gap": "0 12px", "align_items": "center"}
    return ipywidgets.GridBox([*controls, *extra], layout=size | cells)


def label_of(control):
    """Return the words in front of a control."""
    return getattr(control, "label_text", None) or control.description


def _align(control, label_width):
    """Give a control the common width, and its label the common column."""
    if hasattr(control, "label_text"):
        control.children[0].layout.width = f"{label_width}px"
    elif hasattr(control.style, "description_width"):
        control.style.description_width = f"{label_width}px"
    control.layout.width, control.layout.max_width = "auto", "100%"


def _is_long(control, label_width):
    """Say whether a control needs more room than half of the panel."""
    if isinstance(control, Ticks | Picker):
        return True
    if not isinstance(control, ipywidgets.ToggleButtons):
        return False
    buttons = sum(8 * len(str(label)) + 28 for label in control._options_labels)
    return label_width + buttons > COLUMN


def words(width, height):
    """Return an empty space for words, of fixed size, that scrolls rather than grows."""
    return ipywidgets.HTML(layout=_size(width, height) | {"overflow": "auto"})


def _size(width, height):
    """Return a layout of fixed size that is never wider than the page."""
    sides = {"width": f"{width}px", "height": f"{height}px"}
    return sides | {"max_width": "100%", "flex": "0 0 auto"}


class Canvas:
    """A figure whose fixed part is drawn once; only the marks on top of it are drawn anew.

    Drawing axes, tick labels and legends takes most of the time of a picture. They are kept here
    as a backdrop, in pixels, which makes a picture three to eight times as quick.
    """

    def __init__(self, picture, *fixed, screen=None):
        """Draw what stays of a `Picture` (`screen`: see there), and keep it as the backdrop."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # slow to import

        self.picture = picture
        self.figure, self.axes = figure, axes = picture.figure(screen)
        inch = INCH if screen is None else screen.inch
        self.size = tuple(round(inch * side) for side in figure.get_size_inches())  # on the page
        self._agg = FigureCanvasAgg(figure)
        picture.frame(axes, *fixed)
        for ax in figure.axes:
            ax.set_autoscale_on(False)  # the marks may not move the axes
        self._agg.draw()
        self._backdrop = self._agg.copy_from_bbox(figure.bbox)
        self._fixed = {artist for ax in figure.axes for artist in ax.get_children()}
        self._fixed_groups = {ax: len(ax.containers) for ax in figure.axes}

    def bare(self):
        """Return the axes with their words and without any data, as pixels."""
        shown = [
            artist
            for ax in self.figure.axes
            for kind in ("lines", "patches", "collections", "images", "texts", "artists", "tables")
            for artist in getattr(ax, kind)
            if artist.get_visible()
        ]
        for artist in shown:
            artist.set_visible(False)
        self._agg.draw()
        drawn = np.asarray(self._agg.buffer_rgba())[..., :3].copy()
        for artist in shown:
            artist.set_visible(True)
        return drawn

    def pixels(self, result, guess=None):
        """Return the backdrop with the marks of a result on it; None has no marks.

        `guess` is (number of the axes, x, y). An array: height × width × (red, green, blue).
        """
        for _, artist in self._marks():
            artist.remove()
        for ax, number in self._fixed_groups.items():
            del ax.containers[number:]  # or the axes would remember every bar ever drawn
        if result is not None:
            self.picture.draw(self.axes, result)
        if guess is not None:
            place, x, y = guess
            self.figure.axes[place].plot(x, y, **GUESS)
        self._agg.restore_region(self._backdrop)
        for ax, artist in self._marks():
            ax.draw_artist(artist)
        drawn = np.asarray(self._agg.buffer_rgba())
        # Colour by colour takes a fifth of the time of a copy of all three.
        return np.stack([drawn[..., colour] for colour in range(3)], axis=-1)

    def _marks(self):
        """List what is not part of the backdrop, from back to front."""
        marks = [
            (ax, artist)
            for ax in self.figure.axes
            for artist in ax.get_children()
            if artist not in self._fixed
        ]
        return sorted(marks, key=lambda mark: mark[1].get_zorder())


def png(pixels):
    """Return pixels as the bytes of a PNG picture, in half the time of the usual way.

    Every row is written as its difference to the row above it (filter 2 of the format). In a
    drawing that is 0 nearly everywhere, so that even the quickest packing makes it small.
    """
    height, width, _ = pixels.shape
    rows = np.full((height, 1 + 3 * width), 2, dtype=np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    rows[1:, 1:] -= pixels[:-1].reshape(height - 1, -1)  # modulo 256, as the format asks
    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)  # 8 bits each of red, green, blue
    chunks = {b"IHDR": header, b"IDAT": zlib.compress(rows, 1), b"IEND": b""}
    written = b"\x89PNG\r\n\x1a\n"
    for name, data in chunks.items():
        check = zlib.crc32(name + data)
        written += struct.pack(">I", len(data)) + name + data + struct.pack(">I", check)
    return written


def paragraph(text, css_class="synthrisk-words"):
    """Wrap plain text for the page; what comes from data cannot become HTML."""
    style = "font-size: 16px; line-height: 1.3; margin: 0"
    safe = escape(str(text)).replace(" = ", "&nbsp;=&nbsp;")  # no line break inside "T = 1"
    safe = safe.replace(" &gt; ", "&nbsp;&gt;&nbsp;").replace(" %", "&nbsp;%")  # nor in "50 %"
    return f'<p class="{css_class}" role="status" style="{style}">{safe}</p>'


def went_wrong(error):
    """Return what to show where something went wrong; a `KeyError` would quote its sentence."""
    sentence = error.args[0] if isinstance(error, KeyError) and error.args else error
    return paragraph(f"Something went wrong: {sentence}", "synthrisk-error")


def html_table(frame):
    """Return a small data frame as an HTML table, every value escaped."""
    cell = "padding: 2px 7px; text-align: right; font-size: 14px; line-height: 1.4"
    heads = "".join(f'<th style="{cell}">{escape(str(name))}</th>' for name in frame.columns)
    rows = (
        "".join(f'<td style="{cell}">{escape(str(value))}</td>' for value in row)
        for row in frame.itertuples(index=False)
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


class Ticks(ipywidgets.HBox):
    """A row of tick boxes with a label; `value` is the tuple of the names that are ticked.

    `names` is a list, or a mapping from names to the words that are shown.
    """

    value = traitlets.Tuple()

    def __init__(self, label, names, ticked=()):
        """Make one box per name."""
        checks.mapping("ticked", dict.fromkeys(ticked), list(names), "one of the boxes")
        look = {"indent": False, "layout": {"width": "auto", "margin": "2px 12px 2px 0"}}
        self.label_text = label
        self.boxes = {
            name: ipywidgets.Checkbox(name in ticked, description=plain, **look)
            for name, plain in with_words(names).items()
        }
        text = ipywidgets.Label(label, layout={"width": "170px"})
        wrap = {"flex_flow": "row wrap"}  # where the page is narrow, the boxes go below the label
        row = wrap | {"flex": "1 1 0", "min_width": "300px"}
        boxes = ipywidgets.HBox(list(self.boxes.values()), layout=row)
        super().__init__([text, boxes], layout=wrap)
        for box in self.boxes.values():
            box.observe(self._collect, names="value")
        self._collect()

    def _collect(self, _change=None):
        """Gather the names that are ticked."""
        self.value = tuple(name for name, box in self.boxes.items() if box.value)


class Picker(ipywidgets.HBox):
    """One of many, by number: type it, step with the arrows, or take "another one".

    `value` is the position, from `min` to `max`. The others come in an order of their own that is
    the same for everybody. What is typed and is no such number is refused in words. (A box for
    whole numbers would swallow the point of 7.5, and take it for 75.)
    """

    value, min, max = traitlets.Int(), traitlets.Int(), traitlets.Int()

    def __init__(self, label, low, high, value):
        """Make a box to type in and three buttons."""
        self.label_text, self._order = label, np.random.default_rng(1)
        small = {"width": "36px", "flex": "0 0 auto"}
        self.box = ipywidgets.Text(continuous_update=False, layout={"width": "90px"})
        self.refusal = ipywidgets.Label(layout={"flex": "1 1 0"})
        back, on = (ipywidgets.Button(description=arrow, layout=small) for arrow in "←→")
        other = ipywidgets.Button(description="another one", layout=small | {"width": "auto"})
        back.tooltip, on.tooltip = f"{label} before", f"next {label}"
        back.on_click(lambda _button: self._go(self.value - 1))
        on.on_click(lambda _button: self._go(self.value + 1))
        other.on_click(lambda _button: self._go(int(self._order.integers(low, high + 1))))
        row = {"flex_flow": "row wrap"}
        buttons = [self.box, back, on, other, self.refusal]
        super().__init__([ipywidgets.Label(label), *buttons], layout=row)
        self.min, self.max, self.value = low, high, value
        self.box.value = str(value)
        self.observe(self._show, names="value")
        self.box.observe(self._read, names="value")

    def _show(self, _change=None):
        """Write the number into the box."""
        self.box.value, self.refusal.value = str(self.value), ""

    def _read(self, change):
        """Take the number that was typed, or say why not; the picture then stays as it is."""
        typed = change.new.strip()
        if typed.isdecimal() and self.min <= int(typed) <= self.max:
            self.value = int(typed)
            self._show()
        else:
            allowed = f"whole number from {self.min:,} to {self.max:,}"
            self.refusal.value = f"“{typed[:9]}” is no {allowed}."

    def _go(self, place):
        """Turn to this position; before the first comes the last."""
        self.value = self.min + (place - self.min) % (self.max - self.min + 1)


def picker(label, number, value):
    """Return a control that picks one of so many records, counted from 0."""
    return Picker(label, 0, number - 1, checks.position(label, value, number))


def slider(label, low, high, value, step=1):
    """Return a slider over whole numbers, with a readable label."""
    ends = {"min": low, "max": high, "step": step}
    return ipywidgets.IntSlider(value, **ends, description=label, readout_format=",d", **WIDE)


def percent_slider(label, low, high, value, step=1):
    """Return a slider in per cent; `compute` gets the whole number."""
    return slider(f"{label} (%)", low, high, value, step)


def step_slider(label, options, value):
    """Return a slider over a list of values, or of (text, value) pairs."""
    return ipywidgets.SelectionSlider(description=label, options=options, value=value, **WIDE)


def radius_slider(label, radii):
    """Return a slider over a given list of radii, shown in per cent."""
    return step_slider(label, [(f"{100 * r:g} %", r) for r in radii], radii[len(radii) // 3])


def choice(label, options, value=None):
    """Return a row of buttons of which exactly one is pressed."""
    made = ipywidgets.ToggleButtons(description=str(label), options=options)
    made.style = LABEL | {"button_width": "auto"}
    made.layout = {"width": "auto", "flex_flow": "row nowrap", "margin": "2px 16px 2px 2px"}
    if value is not None:
        made.value = value
    return made


def variable_menu(label, names):
    """Return a list that opens, of which one is chosen; `names` as in `Ticks`."""
    return menu(label, [(plain, name) for name, plain in with_words(names).items()])


def with_words(names):
    """Return a mapping from names to the words that are shown: of a list, the names themselves."""
    return names if isinstance(names, Mapping) else {name: str(name) for name in names}


def menu(label, options, width="520px"):
    """Return a list that opens, of which one (text, value) pair is chosen."""
    how = {"style": LABEL, "layout": {"width": width}}
    return ipywidgets.Dropdown(description=label, options=options, **how)


def play_button(slider):
    """Return a play button that walks the slider from end to end."""
    steps = {name: getattr(slider, name) for name in ("min", "max", "step", "value")}
    button = ipywidgets.Play(**steps, interval=250, description="play")
    ipywidgets.jslink((button, "value"), (slider, "value"))
    return button
