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

An orange dot says where the slider stands now, a purple diamond where the maximum is, a black cross
what you have predicted, and a black ring which record is being read.

matplotlib and seaborn are imported by the functions that draw: they are slow to import, and the
first cell of a lesson draws nothing yet.
"""

import warnings
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from IPython.display import Image

BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
WINE, DARK, LIGHT = "#882255", "#333333", "#999999"

# The star is smaller than the square and has a white edge: where they meet, both can be seen.
TARGET = {"marker": "*", "color": "black", "markersize": 13, "linestyle": "none"}
TARGET |= {"markeredgecolor": "white", "markeredgewidth": 0.7, "zorder": 4}
TRUE_RECORD = {"marker": "s", "color": ORANGE, "markersize": 14, "linestyle": "none"}
CANDIDATE = {"marker": "o", "color": BLUE, "markersize": 7, "linestyle": "none"}
EVERYONE_ELSE = {"marker": ".", "color": LIGHT, "markersize": 7, "linestyle": "none"}
READ = {"marker": "o", "color": "black", "fillstyle": "none", "markersize": 19, "zorder": 5}
READ |= {"markeredgewidth": 1.3, "linestyle": "none"}
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
MAXIMUM = {"marker": "D", "color": PURPLE, "markersize": 9, "linestyle": "none", "zorder": 4}

WIDTH = 8.6  # inches; an inch is 100 pixels of the page
INCH = 100
SHARP = 2  # pixels drawn for each pixel of the page, for projectors and fine screens
SMALL, NORMAL = 10.5, 11.5  # points; 14.6 and 16 pixels of the page


def figure(height=3.4, columns=1, *, rows=1, width=WIDTH, margins=None, **subplots):
    """Return a figure of fixed size and its axes; it belongs to no window and never jumps.

    `margins` goes to `subplots_adjust`, further arguments to `subplots`.
    """
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), dpi=INCH * SHARP, facecolor="white")
    axes = made.subplots(rows, columns, **subplots)
    made.subplots_adjust(**margins or {})
    return made, axes


@dataclass(frozen=True)
class Screen:
    """A place of another size for a picture, such as a projector's: what is drawn is not stretched.

    It is `width` × `height` pixels large. An inch of the picture has `inch` pixels, so its letters
    are 10.5 / 72 of that.
    """

    width: int
    height: int
    inch: int

    def fit(self, figure):
        """Give a figure this size; its margins and gaps stay as wide, for they hold words."""
        before = figure.get_size_inches()
        after = (np.array([self.width, self.height]) + 0.1) / self.inch  # pixels are cut off
        now, grid = figure.subplotpars, figure.axes[0].get_gridspec()
        inside = np.array([now.right - now.left, now.top - now.bottom]) * before
        left, bottom = np.array([now.left, now.bottom]) * before / after
        right, top = 1 - (1 - np.array([now.right, now.top])) * before / after
        # A gap is given as a share of an average picture's side.
        number, gap = np.array([grid.ncols, grid.nrows]), np.array([now.wspace, now.hspace])
        gaps = gap * inside / (number + gap * (number - 1))
        sides = (np.array([right - left, top - bottom]) * after - gaps * (number - 1)) / number
        wspace, hspace = gaps / sides
        figure.set_dpi(self.inch)
        figure.set_size_inches(*after)
        figure.subplots_adjust(left, bottom, right, top, wspace, hspace)


def boxplot(ax, data, **options):
    """Draw boxplots with seaborn; `options` go to `seaborn.boxplot`, `BOXES` has our colours."""
    import seaborn

    with warnings.catch_warnings():  # seaborn 0.13 calls matplotlib in its old way
        warnings.filterwarnings("ignore", "vert: bool")
        seaborn.boxplot(data, ax=ax, **options)


def tidy(ax, title="", xlabel="", ylabel="", **axes):
    """Give a picture its words, and take away what is not needed; `axes` goes to `ax.set`."""
    ax.set(**axes)
    ax.set_title(title, fontsize=NORMAL, loc="left")
    ax.set_xlabel(xlabel, fontsize=SMALL)
    ax.set_ylabel(ylabel, fontsize=SMALL)
    ax.tick_params(labelsize=SMALL)
    ax.spines[["top", "right"]].set_visible(False)


FOOT = 0.3  # lets a bar for a single record be seen although log10(1) is 0


def count_axis(ax, n):
    """Make the y-axis count records up to n, each step ten times as many."""
    powers = range(len(str(n)))
    ax.set_ylim(-FOOT, max(powers) + 0.3)
    ax.set_yticks(powers, [f"{10**power:,}" for power in powers])


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


def legend(ax, entries=None, **where):
    """Add a legend in the common size; `entries` are (label, look) for marks not drawn yet."""
    for label, style in entries or ():
        ax.plot([], [], label=label, **style)
    ax.legend(fontsize=SMALL, frameon=False, **where)


def name_bars(ax):
    """Give the three bars their place in the legend."""
    for name, style in BARS.items():
        ax.bar([-9], [0], label=name, **style)


def draw_now(axes, place, values):
    """Mark where the slider stands, in each picture at its value or values."""
    for ax, value in zip(axes, values, strict=True):
        ax.plot([place], [value], **NOW)


def headline(ax, text):
    """Write a title that changes with the marks."""
    ax.text(0, 1.03, text, transform=ax.transAxes, fontsize=NORMAL)


def show(figure, words) -> Image:
    """Return the figure as a picture for a notebook; `words` say it to those who cannot see it."""
    buffer = BytesIO()
    figure.savefig(buffer, format="png", bbox_inches="tight")
    drawn = int.from_bytes(buffer.getvalue()[16:20], "big")  # a PNG keeps its width there
    return Image(buffer.getvalue(), width=round(drawn / SHARP), alt=words)
