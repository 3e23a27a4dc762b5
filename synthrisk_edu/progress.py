"""How long will it take? One line that moves, for work of more than two seconds."""

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Step = TypeVar("Step")


class Progress:
    """A line that moves with every step, once the work has taken longer than `after` seconds.

    When the work is stopped (Ctrl-C), the line is ended first.

    >>> with Progress("counting", 2) as progress:
    ...     progress.step()
    """

    def __init__(self, label: str, total: int, show: bool = True, after: float = 2.0) -> None:
        """Begin; `total` is the number of steps."""
        self.label = label
        self.total = total
        self.show = show
        self.after = after
        self.start = time.monotonic()
        self.done = 0  # steps
        self.shown = 0.0  # when the line moved last, in seconds since the start

    def step(self, steps: int = 1) -> None:
        """Say that one more step is done, or several."""
        self.done += steps
        now = time.monotonic() - self.start
        is_time = now - self.shown > 0.2 or self.done == self.total
        if self.show and now > self.after and is_time:
            bar = ("#" * round(20 * self.done / self.total)).ljust(20, ".")
            rest = now / self.done * (self.total - self.done)
            line = f"{self.label} [{bar}] {self.done:,} of {self.total:,}, about {rest:.0f} s left "
            print("\r" + line, end="", flush=True)
            self.shown = now

    def __enter__(self) -> "Progress":
        """Begin the work."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the line."""
        if self.shown:
            print()


def track(
    steps: Iterable[Step], label: str, show: bool = True, after: float = 2.0
) -> Iterator[Step]:
    """Go through `steps` and show how far we are; see `Progress`.

    >>> sum(track([1, 2, 3], "adding"))
    6
    """
    steps = list(steps)
    with Progress(label, len(steps), show, after) as progress:
        for step in steps:
            yield step
            progress.step()
