"""How long will it take? One line that moves, for work of more than two seconds."""

import sys
import time


def track(steps, label, show=True, after=2.0):
    """Go through `steps` and show how far we are, once it has taken longer than `after` seconds.

    The line goes to the ordinary output, so that it works in a terminal and in a notebook. When
    the work is stopped (Ctrl-C), the line is ended first.

    >>> sum(track([1, 2, 3], "adding"))
    6
    """
    steps = list(steps)
    start, shown = time.monotonic(), 0.0
    try:
        for done, step in enumerate(steps, start=1):
            yield step
            now = time.monotonic() - start
            if show and now > after and (now - shown > 0.2 or done == len(steps)):
                sys.stdout.write("\r" + line(label, done, len(steps), now))
                sys.stdout.flush()
                shown = now
    finally:
        if shown:
            sys.stdout.write("\n")


def line(label, done, total, seconds):
    """Return the line of progress.

    >>> line("growing trees", 5, 20, 3.0)
    'growing trees [#####...............] 5 of 20, about 9 s left '
    """
    part = round(20 * done / total)
    left = seconds / done * (total - done)
    bar = "#" * part + "." * (20 - part)
    return f"{label} [{bar}] {done} of {total}, about {left:.0f} s left "
