"""A picture is one function: it draws what stays, and returns the function that draws what moves.

    @picture(height=3.0, touch="Click a dot to look at that person.")
    def share_picture(ax, curve):
        ax.plot(curve.index, curve)  # what stays

        def move(now):
            ax.plot([now.share], [now.risk], **look.NOW)
            return Shown(
                f"With {now.share} % redrawn …",
                tiles=[Tile("expected match risk", rounded(now.risk), "correct", look.GREEN)],
                marks=columns(ax, curve.index, curve, words, "percent"),
            )

        return move

A lesson shows it standing (`share_picture.show(result, curve)`), a panel gives it controls
(`Panel(share_picture, controls, compute, curve)`); both look alike and say the same. What `move`
gets is computed before: a picture computes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from synthrisk_edu.plots import look


@dataclass(frozen=True)
class Tile:
    """One of the two to four numbers that a picture is about; it stands above it, large.

    Args:
        label: what it is, such as "c".
        number: as it is shown: "10", "1 in 10", "34 %".
        words: about three words, or what it is compared with.
        color: one of the colours of `look`; the number has it.
        square: None, or for T: whether the square of the true record is filled.
    """

    label: str
    number: str
    words: str = ""
    color: str = look.DARK
    square: bool | None = None


def candidates_tile(c: int) -> Tile:
    """Return the tile of c, the number of candidates."""
    return Tile("c", f"{c:,}", "candidate" if c == 1 else "candidates", look.BLUE)


def own_record_tile(T: int, words: str, label: str = "T") -> Tile:
    """Return the tile of T: is the target's own record among the candidates?"""
    return Tile(label, str(T), words, look.ORANGE, square=bool(T))


@dataclass(frozen=True)
class Mark:
    """A place that can be read, and perhaps chosen.

    Args:
        ax: the axes it lies in.
        x, y: where, as it was drawn.
        words: its record in words, shown beside the pointer.
        sets: what a click does: name of an argument of `compute` → its value; empty: only read.
        box: None for a dot, else (left, bottom, right, top): all of it can be touched.
    """

    ax: Any
    x: float
    y: float
    words: str
    sets: Mapping[str, Any] = field(default_factory=dict)
    box: tuple | None = None


@dataclass(frozen=True)
class Edge:
    """A line that can be dragged, and a control follows: the edge of a range or of a box.

    The control has the value 0 where the edge stands at `zero`, and 1 where it stands at `one`, or
    as far on the other side: an edge that stands at `zero` can be pulled to both sides.

    Args:
        ax: the axes it lies in.
        along: "x" if it is dragged to the left and right, "y" if up and down.
        at: where it stands now.
        ends: where the line begins and ends on the other axis.
        zero, one: see above.
        sets: the name of the control.
    """

    ax: Any
    along: str
    at: float
    ends: tuple
    zero: float
    one: float
    sets: str


@dataclass(frozen=True)
class Shown:
    """What a picture says and offers at one position of its controls.

    Args:
        words: the result in one or two sentences; it is the alternative text, too.
        tiles: the numbers it is about.
        marks: what can be read and clicked, in the order in which the keyboard walks them.
        edges: what can be dragged.
    """

    words: str
    tiles: Sequence[Tile] = ()
    marks: Sequence[Mark] = ()
    edges: Sequence[Edge] = ()


@dataclass(frozen=True)
class Picture:
    """A function of axes and of what is fixed, with the size of its figure."""

    function: Callable
    size: Mapping
    touch: str = ""  # one line: what can be clicked or dragged

    def show(self, result: object, *fixed) -> look.Standing:
        """Return the picture, standing, for a notebook, with its tiles above it."""
        figure, axes = look.figure(**self.size)
        with look.plain_words():
            move = self.function(axes, *fixed)
            shown = move(result)
        return look.show(figure, shown.words, shown.tiles)


def picture(touch: str = "", **size) -> Callable:
    """Turn a function into a `Picture`; `size` (height, columns, …) goes to `look.figure`."""

    def keep(function):
        return Picture(function, size, touch)

    return keep


def dots(ax, x, y, words: Sequence[str], name: str, values: Sequence) -> list[Mark]:
    """Return a mark for every dot; a click gives the argument `name` its value."""
    rows = zip(x, y, words, values, strict=True)
    return [Mark(ax, a, b, text, {name: value}) for a, b, text, value in rows]


def columns(ax, x, y, words: Sequence[str], name: str, values: Sequence | None = None) -> list:
    """Return a mark for every point of a curve: anywhere above or below it is near enough.

    A click gives the argument `name` the value of that point; by default its x. On a logarithmic
    axis the middle between two points is that of their logarithms.
    """
    x = np.asarray(x, dtype=float)
    y = np.asarray(y, dtype=float)
    is_log = ax.get_xscale() == "log"
    place = np.log(x) if is_log else x
    middles = (place[1:] + place[:-1]) / 2
    if is_log:
        middles = np.exp(middles)
    left, right = ax.get_xlim()
    bottom, top = ax.get_ylim()
    borders = [left, *middles, right]
    made = []
    for k, value in enumerate(x if values is None else values):
        box = (borders[k], bottom, borders[k + 1], top)
        made.append(Mark(ax, x[k], y[k], words[k], {name: value}, box))
    return made
