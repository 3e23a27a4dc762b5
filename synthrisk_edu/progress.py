"""How long will it take? One line that moves, for work of more than two seconds."""

import time


class Progress:
    """A line that moves with every step, once the work has taken longer than `after` seconds.

    When the work is stopped (Ctrl-C), the line is ended first.

    >>> with Progress("counting", 2) as progress:
    ...     progress.step()
    """

    def __init__(self, label, total, show=True, after=2.0):
        """Begin; `total` is the number of steps."""
        self.label, self.total, self.show, self.after = label, total, show, after
        self.start, self.done, self.shown = time.monotonic(), 0, 0.0

    def step(self, steps=1):
        """Say that one more step is done, or several."""
        self.done += steps
        now = time.monotonic() - self.start
        late = now > self.after and (now - self.shown > 0.2 or self.done == self.total)
        if self.show and late:
            bar = ("#" * round(20 * self.done / self.total)).ljust(20, ".")
            left = now / self.done * (self.total - self.done)
            line = f"{self.label} [{bar}] {self.done:,} of {self.total:,}, about {left:.0f} s left "
            print("\r" + line, end="", flush=True)
            self.shown = now

    def __enter__(self):
        """Begin the work."""
        return self

    def __exit__(self, *error):
        """End the line."""
        if self.shown:
            print()


def track(steps, label, show=True, after=2.0):
    """Go through `steps` and show how far we are; see `Progress`.

    >>> sum(track([1, 2, 3], "adding"))
    6
    """
    steps = list(steps)
    with Progress(label, len(steps), show, after) as progress:
        for step in steps:
            yield step
            progress.step()
