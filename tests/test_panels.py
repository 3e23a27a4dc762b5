"""Panels at the ends of every control, without a browser, and moved many times."""

import gc
import tracemalloc
from io import BytesIO

import ipywidgets
import numpy as np
import psutil
import pytest
from PIL import Image

import synthrisk_edu as sr
from synthrisk_edu.classroom.engine import lessons
from synthrisk_edu.widgets.panel import Panel, Picker, Ticks

# Where a control speaks only in some states: the state to try it in.
START = {"06 funnel": {"target": "income"}}
PANELS = {
    f"{number} {entry.name}": (number, entry)
    for number, module in lessons().items()
    for entry in module.PANELS
}


def settings(control):
    """The ends of a control and a few values between."""
    if isinstance(control, Ticks):
        names = list(control.boxes)
        return [[], names, names[::2]]  # every box is ticked and unticked
    if hasattr(control, "options"):
        values = [value for _, value in control._options_full]
        places = {0, 1, len(values) // 2, len(values) - 1}
        return [values[place] for place in sorted(places)]
    if not hasattr(control, "min"):  # a box to tick
        return [True, False]
    values = np.linspace(control.min, control.max, 5)
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
    assert "nan" not in panel.sentence.value.lower().split()
    listed = getattr(panel, "lineup", panel.listing).value  # of the game, or a table
    return bytes(panel.picture.value), panel.sentence.value, listed


def move_every_control(name, panel):
    """Every control changes what is shown, and putting it back brings the first picture back.

    `claims.hold_panels` calls this with each panel of a lesson, while the lesson's test runs.
    """
    if type(panel) is not Panel:
        return  # the game and the report have tests of their own
    for who in {"person", "target"} & set(panel.controls):  # nobody finds a person by sliding
        assert isinstance(panel.controls[who], Picker | Ticks | ipywidgets.Dropdown), name
    for control, value in START.get(name, {}).items():
        panel.controls[control].value = value
    use_every_control(panel)


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


# ------------------------------------------------------- flat, however often it is moved


def held(panel):
    """Count all that a move could leave behind: drawn things, callbacks, widgets and observers."""
    shown_first = panel.canvas.of("fixed") if hasattr(panel.canvas, "of") else panel.canvas
    figure, counts = shown_first.figure, {"widgets": len(ipywidgets.widget._instances)}
    for place in [figure, *figure.axes]:
        groups, listeners = getattr(place, "containers", ()), place._callbacks.callbacks
        counts[place] = len(place.get_children()), len(groups), sum(map(len, listeners.values()))
    for name, control in panel.controls.items():
        listening = [who for kinds in control._trait_notifiers.values() for who in kinds.values()]
        counts[name] = sum(map(len, listening))
    return counts


def move_to_and_fro(panel, times):
    """Move the first control back and forth, so that every move is drawn."""
    control = next(iter(panel.controls.values()))
    values = settings(control)
    for k in range(times):
        choose(control, values[k % len(values)])


# Dots and lines; bars with text: a cheap panel of each kind.
@pytest.mark.parametrize(
    "name", [pytest.param("02 interval", marks=pytest.mark.slow), "06 identity"]
)
def test_memory_is_flat_over_many_moves(name):
    number, entry = PANELS[name]
    panel = entry.build(sr.data_for(number))
    move_to_and_fro(panel, 20)  # until everything that is remembered once is there
    gc.collect()
    tracemalloc.start()
    try:
        move_to_and_fro(panel, 20)
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0]
        move_to_and_fro(panel, 40)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - kept
    finally:
        tracemalloc.stop()
    # pandas remembers the columns it has handed out, and forgets them by the hundred: a thousand
    # or two bytes a move come and go. The bars that once were kept took a hundred thousand.
    assert grown < 40 * 4000, f"{grown / 40:.0f} bytes stay of every move"


@pytest.mark.slow
def test_the_program_does_not_grow_over_1000_moves():
    number, entry = PANELS["02 interval"]
    panel = entry.build(sr.data_for(number))
    program = psutil.Process()
    move_to_and_fro(panel, 200)
    gc.collect()
    before = program.memory_info().rss
    move_to_and_fro(panel, 1000)
    gc.collect()
    # Of 2,000 moves 337 MB stayed when bars were kept.
    assert program.memory_info().rss - before < 20e6


def test_the_game_leaves_nothing_behind():
    number, entry = PANELS["01 game"]
    panel = entry.build(sr.data_for(number))
    counts = []
    for _ in range(5):
        for button in ("A", "back", "back", "new"):
            panel.buttons[button].click()
        counts.append(held(panel))
    assert counts[4] == counts[2]
