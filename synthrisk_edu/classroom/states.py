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
    of: int


def offer(name, control, values=None):
    """List what a page offers of a control: the given values, or all, or even steps of them.

    >>> offer("m", ipywidgets.IntSlider(2, min=1, max=3)).texts
    ['1', '2', '3']
    >>> two = offer("known", Ticks("known", ["age", "sex"]))
    >>> two.kind, two.values
    ('ticks', [(), ('age',), ('sex',), ('age', 'sex')])
    """
    everything = all_values(control)
    chosen = some_of(control, everything) if values is None else list(values)
    if control.value not in chosen:
        chosen = [control.value, *chosen]
    kind = "menu" if isinstance(control, Ticks) and len(chosen) < len(everything) else look(control)
    if kind == "ticks":
        texts = [box.description for box in control.boxes.values()]
    else:
        texts = [text_of(control, one) for one in chosen]
    start = chosen.index(control.value)
    return Offer(name, label_of(control), kind, chosen, texts, start, len(everything))


def look(control):
    """Say how a control looks on the page."""
    if isinstance(control, Ticks):
        return "ticks"
    if isinstance(control, Picker | ipywidgets.Dropdown):
        return "menu"
    pressed = isinstance(control, ipywidgets.ToggleButtons | ipywidgets.Checkbox)
    return "buttons" if pressed else "slider"


def all_values(control):
    """List every value that a control can have."""
    if isinstance(control, Ticks):
        return subsets(list(control.boxes))
    if hasattr(control, "options"):
        return [value for _, value in control._options_full]
    if isinstance(control, ipywidgets.Checkbox):
        return [False, True]
    return list(range(control.min, control.max + 1, getattr(control, "step", 1)))


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


def text_of(control, value):
    """Say a value as the control says it."""
    if isinstance(control, Ticks):
        return listing(control.boxes[name].description for name in value)
    if hasattr(control, "options"):
        return next(str(text) for text, one in control._options_full if one == value)
    if isinstance(control, ipywidgets.Checkbox):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(control, Picker) else f"{value:g}"


def say_offers(offers):
    """Say what the page leaves out.

    >>> say_offers([offer("person", Picker("person", 0, 9999, 3))])
    'On this page: 12 of 10,000 values of “person”. In Jupyter you have them all.'
    """
    fewer = [
        f"{len(one.values)} of {counted(one.of, 'value', 'values')} of “{one.label}”"
        for one in offers
        if len(one.values) < one.of
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
            "offer fewer values of its controls (LessonPanel.offers)."
        )
    backdrop = panel.canvas.backdrop()
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
        yield layer(panel.canvas.pixels(panel.draw, result), backdrop), panel.say(result), bare


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
