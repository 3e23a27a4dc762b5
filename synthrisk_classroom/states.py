"""What a panel shows in every state that the website offers.

A page without Python cannot compute. So it offers some values of every control, and for each
combination of them the panel computes, draws and says here what it would in a notebook. What
stays of the picture is kept once, as the backdrop; of every state only what lies on top of it is
kept, as a *layer*: cut to its edges, transparent where the backdrop shows. Marks lie in pixels of
the page, as touch.js gets them in a notebook; what a click does is the number of a control and the
place of a value among those it offers.
"""

import base64
import json
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import product
from numbers import Real

import ipywidgets
import numpy as np
from PIL import Image

from synthrisk_edu.plots import look
from synthrisk_edu.widgets.controls import Picker, Ticks, label_of
from synthrisk_edu.widgets.panel import html_table
from synthrisk_edu.words import counted, listing

MOST_STATES = 1600  # of one panel
MOST_VALUES = 61  # of a slider that is offered whole
A_DOZEN = 12  # persons to pick from
COLOURS = 64  # of a layer, which the eye cannot tell from all


@dataclass(frozen=True)
class Offer:
    """The values of one control that a page offers, each with the text to show for it."""

    name: str
    label: str
    kind: str
    values: list
    texts: list
    start: int
    in_all: int  # so many values the control has in Jupyter


def offer(name, control, values=None, also=None):
    """List what a page offers of a control: the given values, or all, or even steps of them.

    The value that it has now is always offered, and so is `also`.

    >>> offer("m", ipywidgets.IntSlider(2, min=1, max=3)).texts
    ['1', '2', '3']
    >>> two = offer("known", Ticks("known", ["age", "sex"]))
    >>> two.kind, two.values
    ('ticks', [(), ('age',), ('sex',), ('age', 'sex')])
    """
    kind, texts = all_of(control)
    chosen = some_of(control, list(texts)) if values is None else list(values)
    missing = [one for one in (control.value, also) if one is not None and one not in chosen]
    if missing:
        chosen = sorted({*chosen, *missing}, key=list(texts).index)
    kind = "menu" if kind == "ticks" and len(chosen) < len(texts) else kind
    shown = [texts[value] for value in chosen]
    if kind == "ticks":
        shown = [box.description for box in control.boxes.values()]
    start = chosen.index(control.value)
    return Offer(name, label_of(control), kind, chosen, shown, start, len(texts))


def all_of(control):
    """Say how a control looks on the page, and list every value it can have, each with its text."""
    if isinstance(control, Ticks):
        words = {name: box.description for name, box in control.boxes.items()}
        sets = subsets(list(words))
        return "ticks", {ticked: listing(words[name] for name in ticked) for ticked in sets}
    if isinstance(control, ipywidgets.Checkbox):
        return "buttons", {False: "no", True: "yes"}
    if hasattr(control, "options"):
        kinds = {ipywidgets.Dropdown: "menu", ipywidgets.ToggleButtons: "buttons"}
        texts = {value: str(text) for text, value in control._options_full}
        return kinds.get(type(control), "slider"), texts
    numbers = range(control.min, control.max + 1, getattr(control, "step", 1))
    if isinstance(control, Picker):
        return "menu", {number: f"{number:,}" for number in numbers}
    return "slider", {number: f"{number:g}" for number in numbers}


def subsets(names):
    """List all subsets; the place of one, as a binary number, says which names are in it.

    >>> subsets(["a", "b"])
    [(), ('a',), ('b',), ('a', 'b')]
    """
    places = range(len(names))
    return [
        tuple(names[place] for place in places if number >> place & 1)
        for number in range(2 ** len(names))
    ]


def some_of(control, everything):
    """Take all values if they are few, else the one shown first and others in even steps."""
    most = A_DOZEN if isinstance(control, Picker) else MOST_VALUES
    if isinstance(control, Ticks) or hasattr(control, "options") or len(everything) <= most:
        return everything
    places = np.linspace(0, len(everything) - 1, A_DOZEN - 1).round().astype(int)
    return sorted({everything[place] for place in places} | {control.value})


def say_offers(offers):
    """Say what the page leaves out.

    >>> say_offers([offer("person", Picker("person", 0, 9999, 3))])
    'On this page: 12 of 10,000 values of “person”. In Jupyter you have them all.'
    """
    fewer = [
        f"{len(one.values)} of {counted(one.in_all, 'value', 'values')} of “{one.label}”"
        for one in offers
        if len(one.values) < one.in_all
    ]
    return f"On this page: {listing(fewer)}. In Jupyter you have them all." if fewer else ""


def states_of(panel, choices, at=None):
    """Return what a page needs to show a panel: its controls, the backdrops and every state.

    `choices` gives for a control, by its name, the values to offer; see `offer`. Those in `at` are
    offered, too: there the panel stands after its prediction. A state is a list of places, each in
    the list of what is kept of that part: every layer, sentence, mark … is kept once.
    """
    at = at or {}
    offers = {
        name: offer(name, control, choices.get(name), at.get(name))
        for name, control in panel.controls.items()
    }
    number = int(np.prod([len(one.values) for one in offers.values()]))
    if number > MOST_STATES:
        raise ValueError(
            f"a page would need {number:,} states of this panel, and {MOST_STATES:,} are the most: "
            "offer fewer values of its controls (metadata of its cell)."
        )
    kept = {part: Kept() for part in PARTS}
    marks = Kept()
    states = []
    for shown in shown_in_every_state(panel, offers):
        shown["marks"] = [marks.place(mark) for mark in shown["marks"]]
        states.append([kept[part].place(shown[part]) for part in PARTS])
    width, height = panel.canvas.size  # on a wide page; a picture may have more pixels than that
    return {
        "controls": [on_page(one) for one in offers.values()],
        "note": say_offers(list(offers.values())),
        "at": places_of(at, offers),
        "hint": panel.picture.hint,
        "width": width,
        "height": height,
        "parts": {part: list(one.things) for part, one in kept.items()},
        "marks": list(marks.things),
        "states": states,
    }


PARTS = ("backdrop", "layer", "tiles", "sentence", "table", "marks", "edges", "greyed")


class Kept:
    """Things that are kept once, in the order in which they came."""

    def __init__(self):
        """Keep nothing yet."""
        self.things = []
        self._places = {}

    def place(self, thing):
        """Return the place of a thing; what is new is put at the end."""
        key = thing if isinstance(thing, str) else json.dumps(thing)
        if key not in self._places:
            self._places[key] = len(self.things)
            self.things.append(thing)
        return self._places[key]


def on_page(offered):
    """Return what the page needs of a control; numbers let it find the one nearest to a hand."""
    made = {name: getattr(offered, name) for name in ("label", "kind", "texts", "start")}
    if offered.kind == "slider" and all(isinstance(value, Real) for value in offered.values):
        made["numbers"] = [float(value) for value in offered.values]
    return made


def shown_in_every_state(panel, offers):
    """Yield what a panel shows at every combination of offered values, by the names of `PARTS`.

    The controls are moved, so that those without an effect are greyed, and put back in the end.
    """
    pictures = cache(backdrop_of)
    before = panel.values()
    with panel.waiting():
        for values in product(*(one.values for one in offers.values())):
            for control, value in zip(panel.controls.values(), values, strict=True):
                control.value = value
            yield shown_now(panel, offers, pictures)
        for name, value in before.items():
            panel.controls[name].value = value


def shown_now(panel, offers, pictures):
    """Return what a panel shows where its controls stand."""
    result = panel.compute(**panel.values())
    canvas = panel.canvas_for(result)
    backdrop, picture = pictures(canvas)
    pixels, shown = panel.draw(result)
    table = "" if panel.table is None else html_table(panel.table(result))
    names = list(panel.controls)
    greyed = [getattr(control, "disabled", False) for control in panel.controls.values()]
    return {
        "backdrop": picture,
        "layer": layer(pixels, backdrop, canvas.sharp),
        "tiles": look.tiles_html(shown.tiles),
        "sentence": shown.words,
        "table": table,
        "marks": [mark_on_page(mark, offers) for mark in canvas.marks_on_page(shown.marks)],
        "edges": [edge_on_page(panel, canvas, edge, names) for edge in shown.edges],
        "greyed": [place for place, is_grey in enumerate(greyed) if is_grey],
    }


def backdrop_of(canvas):
    """Return what stays of a picture, as pixels and as an address."""
    pixels, _ = canvas.draw(None)
    return pixels, data_url(Image.fromarray(pixels))


def mark_on_page(mark, offers):
    """Return a mark as `canvas.marks_on_page` made it, which sets controls of the page.

    What the page does not offer cannot be chosen; such a mark can still be read.
    """
    x, y, words, sets, *box = mark
    return [x, y, words, places_of(sets or {}, offers) or None, *box]


def places_of(values, offers):
    """Return number of the control → place of its value, of values by the controls' names.

    One that is not offered leaves nothing.

    >>> offers = {"m": offer("m", ipywidgets.IntSlider(2, min=1, max=3))}
    >>> places_of({"m": 3}, offers), places_of({"m": 4}, offers)
    ({0: 2}, {})
    """
    names = list(offers)
    places = {}
    for name, value in values.items():
        value = tuple(value) if isinstance(value, list) else value
        if value not in offers[name].values:
            return {}
        places[names.index(name)] = offers[name].values.index(value)
    return places


def edge_on_page(panel, canvas, edge, names):
    """Return an edge as touch.js gets it, with the number of its control in place of the name."""
    control = panel.controls[edge.sets]
    made = canvas.edge_on_page(edge, control.min, control.max, control.step)
    return made | {"name": names.index(edge.sets)}


def layer(pixels, backdrop, sharp=1):
    """Return what differs from the backdrop: [left, top, width, height, address], or nothing.

    The sides are in pixels of the page, each of which has `sharp` pixels in the picture.

    >>> backdrop = np.full((4, 6, 3), 255, dtype=np.uint8)
    >>> pixels = backdrop.copy()
    >>> pixels[1:3, 2:5] = 0
    >>> layer(pixels, backdrop)[:4]
    [2.0, 1.0, 3.0, 2.0]
    """
    colours = pixels != backdrop
    differs = colours[..., 0] | colours[..., 1] | colours[..., 2]  # ten times as quick as `any`
    if not differs.any():
        return []
    top, bottom = np.flatnonzero(differs.any(axis=1))[[0, -1]]
    left, right = np.flatnonzero(differs.any(axis=0))[[0, -1]]
    inside = np.s_[top : bottom + 1, left : right + 1]
    image = Image.fromarray(np.ascontiguousarray(pixels[inside]))
    image = image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).convert("RGB")
    image.putalpha(Image.fromarray(np.uint8(255) * differs[inside]))
    sides = [round(float(side) / sharp, 2) for side in (left, top, *image.size)]
    return [*sides, data_url(image)]


def data_url(image):
    """Return a picture as an address that holds all of it: WebP, without loss."""
    buffer = BytesIO()
    # A third the size of PNG; more than this quality takes four times as long, for a tenth less.
    image.save(buffer, "webp", lossless=True, quality=20)
    return f"data:image/webp;base64,{base64.b64encode(buffer.getvalue()).decode()}"
