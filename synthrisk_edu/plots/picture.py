"""A picture is written once: what stays, what moves, and what it says.

A lesson shows it standing (`plots.share(…)`), a panel gives it controls (`widgets.share_panel(…)`);
both take the same `Picture`, so they look alike and say the same.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from synthrisk_edu.plots import look


@dataclass(frozen=True)
class Picture:
    """One picture in three functions; none of them computes.

    Args:
        frame: frame(axes, *fixed) draws what stays: axes, labels, whole curves.
        draw: draw(axes, result) draws what moves.
        say: say(result) reads it aloud, in plain text; it is the alternative text, too.
        size: what `look.figure` takes: height, columns, margins, …
    """

    frame: Callable
    draw: Callable
    say: Callable
    size: Mapping = field(default_factory=dict)

    def figure(self, screen=None):
        """Return a new figure and its axes, still empty; for a `look.Screen` if one is given."""
        figure, axes = look.figure(**self.size)
        if screen is not None:
            screen.fit(figure)
        return figure, axes

    def show(self, result, *fixed):
        """Return the picture, standing, for a notebook; its words are said to who cannot see it."""
        figure, axes = self.figure()
        self.frame(axes, *fixed)
        self.draw(axes, result)
        return look.show(figure, self.say(result))
