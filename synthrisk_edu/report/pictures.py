"""How does the report look? Its pictures, as the bytes of PNG files.

Names come from a stranger's file: a name that would start a formula of the drawing library, hold a
line break or run off the page is made harmless first.
"""

import warnings

import numpy as np

from synthrisk_edu.plots import disclosure, look, matching, radius
from synthrisk_edu.report.section import brief

LABEL = 24  # characters of a name in a picture
MOST_BARS = 15


def draw(name, what):
    """Draw the picture of a section and return it as bytes."""
    pictures = {"matching": _file, "radius": _radius, "disclosure": _targets, "utility": _ratios}
    figure = pictures[name](*what)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a script our font does not have
        return look.show(figure, "").data


def label(name):
    """Return a name that can be drawn: printable, short, and never a formula.

    >>> print(label("a name of far too many characters"))
    a name of far too many …
    """
    text = "".join(sign if sign.isprintable() else " " for sign in str(name))
    return brief(text, LABEL).replace("$", r"\$")


def _file(matches):
    """How many candidates everybody has, with room for the legend above the bars."""
    figure, axes = matching.FILE.figure()
    matching.FILE.frame(axes, matches["confidential"])
    matching.FILE.draw(axes, matches)
    axes[0].set_ylim(top=1.5 * np.log10(len(matches["confidential"].records)) + 0.5)
    return figure


def _radius(sweep, best, confidential, without, floor):
    """The expected match risk against the radius, with the floor: alone, and beside the truth."""
    figure, (alone, beside) = look.figure(3.6, 2)
    baseline = confidential.reset_index()
    radius.frame_sweep(alone, sweep, best)
    radius.frame_sweep(beside, sweep, best, baseline)
    highest = max(sweep.expected_match_risk.max(), without, floor, 1e-9)
    alone.set_ylim(0, 1.9 * highest)
    beside.set_ylim(0, 2 * max(highest, confidential.max()))
    beside.set_ylabel("")
    for ax, title in ((alone, "the synthetic table"), (beside, "both tables (mind the scale)")):
        if not np.isclose(without, floor):  # columns without a radius were synthesized too
            ax.axhline(without, color=look.LIGHT, label="without the numbers")
        ax.axhline(floor, label="floor", **look.FLOOR)
        look.tidy(ax, title, "radius r (%)", ax.get_ylabel())
        look.legend(ax, loc="upper left")
    return figure


def _targets(table):
    """Dorig and DiSCO of every target."""
    figure, ax = look.figure(1.2 + 0.5 * len(table), margins={"left": 0.28, "right": 0.77})
    disclosure.frame_targets(ax, [label(name) for name in table.target])
    disclosure.draw_targets(ax, table)
    return figure


def _ratios(tables):
    """The pMSE ratio of the worst columns."""
    shown = tables.head(MOST_BARS)
    figure, ax = look.figure(1.1 + 0.32 * len(shown), margins={"left": 0.28, "right": 0.97})
    place, ratios = np.arange(len(shown)), np.nan_to_num(shown.ratio)
    ax.barh(place, ratios, 0.6, color=look.GREEN)
    for y, ratio in zip(place, shown.ratio, strict=True):
        text = "undefined" if np.isnan(ratio) else f"{ratio:.2f}"
        how = {"va": "center", "fontsize": look.SMALL, "textcoords": "offset points"}
        how["bbox"] = {"color": "white", "pad": 0.5}  # or a line could run through it
        ax.annotate(text, (np.nan_to_num(ratio), y), (4, 0), **how)
    ax.axvline(1, color=look.DARK, linestyle="--", linewidth=1)
    if ratios.max() > 8:
        ax.axvline(10, color=look.ORANGE, linewidth=1.6)
    ax.set_yticks(place, [label(name) for name in shown.variable_1])
    ax.set_ylim(len(shown) - 0.4, -0.6)
    ax.set_xlim(0, 1.15 * max(ratios.max(), 1.2))
    bound = "; orange: 10, usually acceptable" if ratios.max() > 8 else ""
    look.tidy(ax, "each column by itself", f"pMSE ratio (dashed: 1, what chance gives{bound})")
    return figure
