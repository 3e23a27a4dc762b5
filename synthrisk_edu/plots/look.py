"""The same role has the same look in every lesson: a colour-blind-safe colour *and* a marker.

| role | who it is | look |
|---|---|---|
| target | the person the intruder looks for, with the true values | black star |
| true record | the synthetic record that really is the target's | orange square |
| candidate | a synthetic record that matches the target | blue circle |
| everyone else | a synthetic record that does not match | small grey dot |

Where whole files are compared there are three lines, or three bars:

| line | whose risk it is | look |
|---|---|---|
| confidential | the file released as it is | dark grey, dashed or hatched |
| synthetic | the released file | green, solid |
| floor | the intruder who ignores what was synthesized | wine red, dotted |

An orange dot says where the slider stands now, a purple diamond where the maximum is, and a black
cross what you have predicted.

Words need a contrast of 4.5 to the paper, marks 3, and so they do where a dark page inverts the
picture: `WORDS` has the shade of each colour in which one can write, and `GREY` is for the words
that are not the point. Only a grid may be fainter.

matplotlib and seaborn are imported by the functions that draw: they are slow to import, and the
first cell of a lesson draws nothing yet.
"""

import base64
import warnings
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path

import numpy as np

BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
WINE, DARK, LIGHT = "#882255", "#333333", "#8794a1"
GREY = "#5b6975"  # of words that are not the point
WORDS = {GREEN: "#007a59", ORANGE: "#b34f00", PURPLE: "#96477a", LIGHT: GREY}
PAPER, SOFT = "white", "#c9d1d8"  # the softest grey: only for what nobody has to see, and grids
CSS = Path(__file__).with_name("picture.css").read_text("utf-8")  # of tiles, and of dark pages

# The star is smaller than the square and has a white edge: where they meet, both can be seen.
TARGET = {"marker": "*", "color": "black", "markersize": 13, "linestyle": "none"}
TARGET |= {"markeredgecolor": "white", "markeredgewidth": 0.7, "zorder": 4}
TRUE_RECORD = {"marker": "s", "color": ORANGE, "markersize": 14, "linestyle": "none"}
CANDIDATE = {"marker": "o", "color": BLUE, "markersize": 7, "linestyle": "none"}
EVERYONE_ELSE = {"marker": ".", "color": LIGHT, "markersize": 7, "linestyle": "none"}
RANGE = {"facecolor": BLUE, "edgecolor": BLUE, "alpha": 0.15}

FLOOR = {"color": WINE, "linestyle": ":", "linewidth": 2.2}
LINES = {
    "confidential": {"color": DARK, "linestyle": "--", "linewidth": 1.2},
    "synthetic": {"color": GREEN, "linewidth": 2},
    "floor": FLOOR,
}
BARS = {
    "confidential": {"edgecolor": DARK, "fill": False, "hatch": "///"},
    "synthetic": {"edgecolor": GREEN, "facecolor": GREEN},
    "floor": {"edgecolor": WINE, "fill": False, "hatch": ".."},
}

BOXES = {"color": GREEN, "fill": False, "width": 0.6, "fliersize": 3}
BOXES |= {"medianprops": {"color": DARK}}

NOW = {"marker": "o", "color": ORANGE, "markersize": 11, "linestyle": "none", "zorder": 5}
GUESS = {"marker": "x", "color": "black", "markersize": 11, "markeredgewidth": 2.5}
GUESS |= {"linestyle": "none", "zorder": 6}
GUESSED_CURVE = {"color": "black", "linestyle": (0, (4, 3)), "linewidth": 1.2, "zorder": 5}
MAXIMUM = {"marker": "D", "color": PURPLE, "markersize": 9, "linestyle": "none", "zorder": 4}
MAXIMUM |= {"markeredgecolor": DARK, "markeredgewidth": 0.8}

WIDTH = 8.6  # inches; an inch is 100 pixels of the page
INCH = 100
SHARP = 2  # pixels drawn for each pixel of the page, for projectors and fine screens
SMALL, NORMAL = 10.5, 11.5  # points; 14.6 and 16 pixels of the page
LINE = 1.35  # the height of a line of words, in letters
ON_PAPER = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}  # `bbox` of words that cross a line


def figure(
    height=3.0,
    columns=1,
    *,
    rows=1,
    mosaic=None,
    width=WIDTH,
    rect=None,
    screen=None,
    **subplots,
):
    """Return a figure and its axes; it belongs to no window, and its sides are fixed.

    The layout makes room for all words that are drawn before the figure is. Where words come
    later, `rect` leaves room for them: (left, bottom, width, height), in shares of the figure.
    `screen` is a place of another size; further arguments go to `subplots`. A `mosaic` has axes
    of several sizes, by name, as `Figure.subplot_mosaic` takes it; "." leaves room for words.
    """
    from matplotlib.figure import Figure

    made = Figure((width, height), dpi=INCH * SHARP, facecolor=PAPER, layout="constrained")
    if screen is not None:
        made.set_dpi(screen.inch)
        sides = [(pixels + 0.1) / screen.inch for pixels in (screen.width, screen.height)]
        made.set_size_inches(*sides)  # a pixel that is not whole is cut off
    with plain_words():  # titles and names of axes are made here
        if mosaic is None:
            axes = made.subplots(rows, columns, **subplots)
        else:
            axes = made.subplot_mosaic(mosaic, **subplots)
    layout = made.get_layout_engine()
    layout.set(w_pad=0.06, h_pad=0.05, wspace=0.03, hspace=0.03)
    if rect is not None:
        layout.set(rect=rect)
    return made, axes


def plain_words():
    """Take a dollar sign for what it is, as in "Pay ($)", and for no formula; a context."""
    from matplotlib import rc_context

    return rc_context({"text.parse_math": False})


@dataclass(frozen=True)
class Screen:
    """A place of another size for a picture, such as a projector's: what is drawn is not stretched.

    It is `width` × `height` pixels large. An inch of the picture has `inch` pixels, so its letters
    are 10.5 / 72 of that.
    """

    width: int
    height: int
    inch: int


def word(color):
    """Return the shade of a colour in which one can write."""
    return WORDS.get(color, color)


def boxplot(ax, data, **options):
    """Draw boxplots with seaborn; `options` go to `seaborn.boxplot`, `BOXES` has our colours."""
    import seaborn

    with warnings.catch_warnings():  # seaborn 0.13 calls matplotlib in its old way
        warnings.filterwarnings("ignore", "vert: bool")
        seaborn.boxplot(data, ax=ax, **options)


def tidy(ax, title="", xlabel="", ylabel="", *, grid="", **axes):
    """Give a picture its words, and take away what is not needed; `axes` goes to `ax.set`.

    `grid` is "x" or "y" where values are to be read off, and then the axis needs no line.
    """
    ax.set(**axes)
    ax.set_title(title, fontsize=NORMAL, loc="left", color=DARK)
    ax.set_xlabel(xlabel, fontsize=SMALL, color=DARK)
    ax.set_ylabel(ylabel, fontsize=SMALL, color=DARK)
    ax.tick_params(labelsize=SMALL, labelcolor=GREY, color=LIGHT, length=3)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LIGHT)
    if grid:
        ax.grid(axis=grid, color=SOFT, linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines["left" if grid == "y" else "bottom"].set_visible(False)
        ax.tick_params(axis=grid, length=0)


def label(ax, x, y, text, color=DARK, *, away=(0, 0), size=SMALL, **how):
    """Write words beside a mark, `away` by so many points, in a shade that can be read."""
    style = {"color": word(color), "fontsize": size, "textcoords": "offset points"} | how
    return ax.annotate(text, (x, y), away, **style)


def readable_on(ground):
    """Return the colour of words on a coloured ground, black or white: a contrast of 4.5.

    >>> readable_on("#009e73"), readable_on("#222222")
    ('black', 'white')
    """
    from matplotlib.colors import to_rgb

    parts = np.array(to_rgb(ground))
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    light = linear @ [0.2126, 0.7152, 0.0722]  # as the eye weighs red, green and blue
    return "black" if light > 0.179 else "white"


def spread(number):
    """Return a place between 0 and 1 for each whole number: those of neighbours lie far apart.

    >>> spread([0, 1, 2, 3]).round(2).tolist()
    [0.0, 0.62, 0.24, 0.85]
    """
    return (np.asarray(number) * 0.618034) % 1


def name_ends(ax, names, x=None, *, gap=6, **how):
    """Write the names of lines on the right of their ends, pushed apart: none touches another.

    `names` lists (height, words, color); words may have several lines. Where a line ends above the
    picture, its name stands at the top, with an arrow. `x` is where the lines end, one place or one
    for each; by default the right edge. So many points are the `gap` between a line and its name,
    and `how` goes to `label`.
    """
    ax.figure.get_layout_engine().execute(ax.figure)  # or the axes have not their height yet
    points = ax.transData.transform([(1, height) for height, _, _ in names])
    shares = ax.transAxes.inverted().transform(points)[:, 1]  # of the height of the axes
    line = LINE * SMALL / 72 * ax.figure.dpi / ax.bbox.height
    rooms = [line * (1 + words.count("\n")) for _, words, _ in names]
    ends = np.broadcast_to(ax.get_xlim()[1] if x is None else x, len(names))
    how = {"xycoords": ax.get_xaxis_transform(), "va": "center", "zorder": 6} | how
    placed = zip(names, ends, shares, apart(shares, rooms), strict=True)
    for (_, words, color), end, share, height in placed:
        if share > 1 + 1e-6:
            first, *others = words.split("\n")
            words = "\n".join([f"{first} ↑", *others])
        label(ax, end, height, words, color, away=(gap, 0), **how)


def apart(heights, least) -> np.ndarray:
    """Move heights as little as needed to be `least` apart, all of them between 0 and 1.

    `least` is the room that each height needs, half of it above and half below; one for all, or
    one for each. Beyond 0 and 1 no room reaches farther than half of the smallest.

    >>> apart([0.1, 0.9, 0.1], 0.2).round(2).tolist()
    [0.0, 0.9, 0.2]
    >>> apart([0.5, 0.6], 0.2).round(2).tolist()
    [0.45, 0.65]
    >>> apart([0.1, 0.1, 2], [0.2, 0.4, 0.4]).round(2).tolist()
    [0.0, 0.3, 0.9]
    """
    order = np.argsort(heights, kind="stable")
    room = np.broadcast_to(least, len(order))[order]
    steps = np.concatenate([[0], np.cumsum((room[1:] + room[:-1]) / 2)])
    edge = (room - room.min()) / 2
    left = np.clip(np.asarray(heights)[order], edge, 1 - edge)
    left = left - steps  # what has no steps any more only has to rise
    pushed_up = np.maximum.accumulate(left)
    pushed_down = np.minimum.accumulate(left[::-1])[::-1]
    middle = np.clip((pushed_up + pushed_down) / 2, edge[0], 1 - steps[-1] - edge[-1])
    placed = np.empty(len(order))
    placed[order] = middle + steps
    return placed


FOOT = 0.3  # lets a bar for a single record be seen although log10(1) is 0


def bars(ax, places, heights, width, foot=0.0, *, across=False, **style):
    """Draw bars of one style, as one shape: hatching each by itself takes most of the time.

    They stand on `foot`, or begin there and lie `across` the picture.
    """
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    shapes = []
    for x, height in zip(places, heights, strict=True):
        left, right, top = x - width / 2, x + width / 2, foot + height
        corners = np.array([(left, foot), (right, foot), (right, top), (left, top), (left, foot)])
        shapes.append(Path(corners[:, ::-1] if across else corners, closed=True))
    ax.add_artist(PathPatch(Path.make_compound_path(*shapes), **style))


def show(figure, words, tiles=()) -> "Standing":
    """Return the figure as a picture for a notebook; `words` say it to those who cannot see it."""
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_parse_math(False)
    buffer = BytesIO()
    with plain_words():
        figure.savefig(buffer, format="png")
    return Standing(buffer.getvalue(), round(figure.get_figwidth() * INCH), words, tiles)


class Standing:
    """A picture that stands in a notebook, with its tiles; a dark page turns it dark."""

    def __init__(self, data, width, alt, tiles=()):
        """Take the PNG, its width on the page, what it says, and its tiles."""
        self.data = data
        self.width = width
        self.alt = alt
        self.tiles = tiles

    def __repr__(self):
        """Say what it shows, where there is only text."""
        return self.alt

    def _repr_html_(self):
        """Return it for a page."""
        style = f"<style>{CSS}</style>"
        return style + tiles_html(self.tiles) + picture_html(self.data, self.width, self.alt)


def picture_html(data, width, alt):
    """Return a PNG as HTML that needs no other file."""
    source = base64.b64encode(data).decode()
    return (
        f'<img class="synthrisk-picture" alt="{escape(alt)}" width="{width}" '
        f'src="data:image/png;base64,{source}">'
    )


def tiles_html(tiles):
    """Return tiles as an HTML list of terms: each has its number, its label and its words."""
    if not tiles:
        return ""
    return f'<dl class="synthrisk-tiles">{"".join(map(_tile_html, tiles))}</dl>'


def _tile_html(tile):
    """One tile; the square of T is filled or hollow, in the colour of the true record."""
    color = word(tile.color)
    square = ""
    if tile.square is not None:
        kind = "filled" if tile.square else "hollow"
        square = f'<span class="synthrisk-square {kind}" style="color: {tile.color}"></span>'
    return (
        f'<div style="border-color: {tile.color}"><dt>{escape(tile.label)}</dt>'
        f'<dd class="number" style="color: {color}">{square}{escape(tile.number)}</dd>'
        f"<dd>{escape(tile.words)}</dd></div>"
    )
