"""Move the controls of a panel as a hand would, and look at what it shows."""

import re
from io import BytesIO

import ipywidgets
import numpy as np
from PIL import Image

from synthrisk_edu.widgets.controls import Picker, Ticks
from synthrisk_edu.widgets.panel import Panel

# Where a control speaks only in some states: the state to try it in.
START = {"196c4ee7": {"target": "income"}}  # by the cell: the funnel of lesson 06


def settings(control):
    """The ends of a control and something between."""
    if isinstance(control, Ticks):
        names = list(control.boxes)
        return [[], names, names[::2]]  # every box is ticked and unticked
    if hasattr(control, "options"):
        values = [value for _, value in control._options_full]
        places = {0, 1, len(values) // 2, len(values) - 1}
        return [values[place] for place in sorted(places)]
    if not hasattr(control, "min"):  # a box to tick
        return [True, False]
    values = np.linspace(control.min, control.max, 3)
    return [type(control.value)(value) for value in values]


def choose(control, value):
    """Set a control as a hand would."""
    if isinstance(control, Ticks):
        for name, box in control.boxes.items():
            box.value = name in value
    else:
        control.value = value


def look(panel, size):
    """Return what the panel shows now; nothing in it may be wrong."""
    assert panel.error is None, panel.error
    assert Image.open(BytesIO(panel.picture.value)).size == size
    assert not re.search(r"\bnan\b", panel.sentence.value, re.IGNORECASE), panel.sentence.value
    return bytes(panel.picture.value), panel.sentence.value, panel.listing.value


def move_every_control(cell, panel):
    """Every control changes what is shown, and putting it back brings the first picture back."""
    if type(panel) is not Panel:
        return  # the game and the report have tests of their own
    for who in {"person", "target"} & set(panel.controls):  # nobody finds a person by sliding
        assert isinstance(panel.controls[who], Picker | Ticks | ipywidgets.Dropdown), cell
    before = {name: panel.controls[name].value for name in START.get(cell, {})}
    for name, value in START.get(cell, {}).items():
        panel.controls[name].value = value
    use_every_control(panel)
    for name, value in before.items():
        panel.controls[name].value = value


def use_every_control(panel):
    """Move every control to its ends and between, and put it back."""
    size = Image.open(BytesIO(panel.picture.value)).size
    first, before = look(panel, size), held(panel)
    sentences = {first[1]}
    for control in panel.controls.values():
        start = list(control.value) if isinstance(control, Ticks) else control.value
        shown = {first}
        for value in [*settings(control), start]:
            choose(control, value)
            shown.add(look(panel, size))
        sentences |= {sentence for _, sentence, _ in shown}
        assert len(shown) > 1, f"moving {control} changed nothing"
        assert look(panel, size) == first
        assert held(panel) == before, "something stays of every move"
    assert len(sentences) > 1


def held(panel):
    """Count all that a move could leave behind: drawn things, callbacks, widgets and observers."""
    figure, counts = panel.canvas.figure, {"widgets": len(ipywidgets.widget._instances)}
    for place in [figure, *figure.axes]:
        groups, listeners = getattr(place, "containers", ()), place._callbacks.callbacks
        counts[place] = len(place.get_children()), len(groups), sum(map(len, listeners.values()))
    for name, control in panel.controls.items():
        listening = [who for kinds in control._trait_notifiers.values() for who in kinds.values()]
        counts[name] = sum(map(len, listening))
    return counts
