"""What a panel shows in every state that the website offers.

A page without Python cannot compute. So it offers some values of every control, and for each
combination of them the panel computes, draws and says here what it would in a notebook. What
stays of the picture is kept once, as the backdrop; of every state only what lies on top of it is
kept, as a *layer*: cut to its edges, transparent where the backdrop shows.
"""

import base64
import re
from dataclasses import dataclass
from io import BytesIO
from itertools import product

import ipywidgets
import numpy as np
from PIL import Image

from synthrisk_edu.widgets.panel import Picker, Ticks, html_table, label_of
from synthrisk_edu.words import counted, listing

MOST_STATES = 1600  # of one panel
MOST_VALUES = 61  # of a slider that is offered whole
A_DOZEN = 12  # persons to pick from
COLOURS = 63  # of a layer, which the eye cannot tell from all; one more means "transparent"


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


def offer(name, control, values=None):
    """List what a page offers of a control: the given values, or all, or even steps of them.

    >>> offer("m", ipywidgets.IntSlider(2, min=1, max=3)).texts
    ['1', '2', '3']
    >>> two = offer("known", Ticks("known", ["age", "sex"]))
    >>> two.kind, two.values
    ('ticks', [(), ('age',), ('sex',), ('age', 'sex')])
    """
    kind, texts = all_of(control)
    chosen = some_of(control, list(texts)) if values is None else list(values)
    if control.value not in chosen:
        chosen = [control.value, *chosen]
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


def states_of(panel, choices):
    """Return what a page needs to show a panel: its controls, the backdrop and every state.

    `choices` gives for a control, by its name, the values to offer; see `offer`.
    """
    offers = [offer(name, one, choices.get(name)) for name, one in panel.controls.items()]
    number = int(np.prod([len(one.values) for one in offers]))
    if number > MOST_STATES:
        raise ValueError(
            f"a page would need {number:,} states of this panel, and {MOST_STATES:,} are the most: "
            "offer fewer values of its controls (metadata of its cell)."
        )
    backdrop = panel.canvas.pixels(None)
    kept = {"layers": {}, "sentences": {}, "tables": {}}
    # A state is three places among what is kept; what is new is put at the end.
    states = [
        [one.setdefault(part, len(one)) for one, part in zip(kept.values(), shown, strict=True)]
        for shown in shown_in_every_state(panel, offers, backdrop)
    ]
    wanted = ("label", "kind", "texts", "start")
    return {
        "controls": [{name: getattr(one, name) for name in wanted} for one in offers],
        "note": say_offers(offers),
        "width": panel.canvas.size[0],  # on a wide page; a picture may have more pixels than that
        "pixels": (backdrop.shape[1], backdrop.shape[0]),
        "backdrop": png(Image.fromarray(backdrop)),
        "states": states,
    } | {part: list(shown) for part, shown in kept.items()}


def shown_in_every_state(panel, offers, backdrop):
    """Yield layer, sentence and table of every combination of offered values."""
    names = [one.name for one in offers]
    for values in product(*(one.values for one in offers)):
        result = panel.compute(**dict(zip(names, values, strict=True)))
        table = "" if panel.table is None else html_table(panel.table(result))
        bare = re.sub(r' style="[^"]*"', "", table)  # the page has a style of its own
        yield layer(panel.pixels(result), backdrop), panel.say(result), bare


def layer(pixels, backdrop):
    """Return (left, top, width, height, picture) of what differs from the backdrop.

    >>> backdrop = np.full((4, 6, 3), 255, dtype=np.uint8)
    >>> pixels = backdrop.copy()
    >>> pixels[1:3, 2:5] = 0
    >>> layer(pixels, backdrop)[:4]
    (2, 1, 3, 2)
    """
    differs = (pixels != backdrop).any(axis=2)
    if not differs.any():
        return (0, 0, 0, 0, "")
    top, bottom = np.flatnonzero(differs.any(axis=1))[[0, -1]]
    left, right = np.flatnonzero(differs.any(axis=0))[[0, -1]]
    inside = np.s_[top : bottom + 1, left : right + 1]
    image = Image.fromarray(np.ascontiguousarray(pixels[inside]))
    image = image.quantize(COLOURS, method=Image.Quantize.FASTOCTREE)
    # The colour after the last one stands for "the backdrop shows here".
    numbers = np.where(differs[inside], np.asarray(image), COLOURS).astype(np.uint8)
    marks = Image.fromarray(numbers).convert("L")
    marks.putpalette(image.getpalette()[: 3 * COLOURS] + [255, 255, 255])  # now mode P
    width, height = marks.size
    return int(left), int(top), width, height, png(marks, transparency=COLOURS)


def png(image, **options):
    """Return a picture as PNG, in base64."""
    buffer = BytesIO()
    image.save(buffer, "png", compress_level=9, **options)
    return base64.b64encode(buffer.getvalue()).decode()
