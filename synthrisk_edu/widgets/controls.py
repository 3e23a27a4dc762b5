"""The controls of panels: ipywidgets with readable labels, laid out in a grid."""

from collections.abc import Mapping

import ipywidgets
import numpy as np
import traitlets

from synthrisk_edu import checks

COLUMN = 400  # pixels: controls as wide as this stand beside each other
LABEL = {"description_width": "initial"}  # as wide as its words
WIDE = {"style": LABEL, "layout": {"width": "410px", "margin": "2px"}}  # of a slider


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
    made = ipywidgets.GridBox([*controls, *extra], layout=size | cells)
    return made.add_class("synthrisk-controls")


def label_of(control):
    """Return the words in front of a control."""
    return getattr(control, "label_text", None) or control.description


def _align(control, label_width):
    """Give a control the common width, and its label the common column."""
    if hasattr(control, "label_text"):
        control.children[0].layout.width = f"{label_width}px"
    elif hasattr(control.style, "description_width"):
        control.style.description_width = f"{label_width}px"
    control.layout.width = "auto"
    control.layout.max_width = "100%"


def _is_long(control, label_width):
    """Say whether a control needs more room than half of the panel."""
    if isinstance(control, Ticks | Picker):
        return True
    if not isinstance(control, ipywidgets.ToggleButtons):
        return False
    buttons = sum(8 * len(str(label)) + 28 for label in control._options_labels)
    return label_width + buttons > COLUMN


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
        self.add_class("synthrisk-group")
        for box in self.boxes.values():
            box.observe(self._collect, names="value")
        self._collect()
        self.observe(self._tick, names="value")

    def _collect(self, _change=None):
        """Gather the names that are ticked."""
        self.value = tuple(name for name, box in self.boxes.items() if box.value)

    @traitlets.validate("value")
    def _in_order(self, proposal):
        """Take only names of boxes, in the order of the boxes."""
        chosen = checks.mapping("value", dict.fromkeys(proposal.value), [*self.boxes], "a box")
        return tuple(name for name in self.boxes if name in chosen)

    def _tick(self, change):
        """Tick the boxes of a value that was set; what they tell on the way is nothing new."""
        for box in self.boxes.values():
            box.unobserve(self._collect, names="value")
        for name, box in self.boxes.items():
            box.value = name in change.new
        for box in self.boxes.values():
            box.observe(self._collect, names="value")


class Picker(ipywidgets.HBox):
    """One of many, by number: type it, step with the arrows, or take "another one".

    `value` is the position, from `min` to `max`. The others come in an order of their own that is
    the same for everybody. What is typed and is no such number is refused in words. (A box for
    whole numbers would swallow the point of 7.5, and take it for 75.)
    """

    value = traitlets.Int()
    min = traitlets.Int()
    max = traitlets.Int()

    def __init__(self, label, low, high, value):
        """Make a box to type in and three buttons."""
        self.label_text = label
        self._order = np.random.default_rng(1)
        small = {"width": "36px", "flex": "0 0 auto"}
        self.box = ipywidgets.Text(continuous_update=False, layout={"width": "90px"})
        self.refusal = ipywidgets.Label(layout={"flex": "1 1 0"})
        back = ipywidgets.Button(description="←", tooltip=f"{label} before", layout=small)
        on = ipywidgets.Button(description="→", tooltip=f"next {label}", layout=small)
        other = ipywidgets.Button(description="another one", layout=small | {"width": "auto"})
        back.on_click(lambda _button: self._go(self.value - 1))
        on.on_click(lambda _button: self._go(self.value + 1))
        other.on_click(lambda _button: self._go(int(self._order.integers(low, high + 1))))
        row = {"flex_flow": "row wrap"}
        buttons = [self.box, back, on, other, self.refusal]
        super().__init__([ipywidgets.Label(label), *buttons], layout=row)
        self.add_class("synthrisk-group")
        self.min = low
        self.max = high
        self.value = value
        self.box.value = str(value)
        self.observe(self._show, names="value")
        self.box.observe(self._read, names="value")

    def _show(self, _change=None):
        """Write the number into the box."""
        self.box.value = str(self.value)
        self.refusal.value = ""

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
