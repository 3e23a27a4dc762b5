"""An error in a lesson shows the reader's own lines and one sentence, not pages of a library's."""

import sys
from types import TracebackType

ADVISED = (KeyError, IndexError, NameError)


def show_own_lines(shell):
    """From now on let this notebook show errors so; `%tb` still shows everything."""
    if shell is not None:
        shell.set_custom_exc((Exception,), show_error)


def show_error(shell, kind, error, trace, tb_offset=None):
    """Show the lines of the notebook's cells that led to an error, and what went wrong."""
    sys.last_type, sys.last_value, sys.last_traceback = kind, error, trace  # for %tb
    if isinstance(error, ADVISED) and not hasattr(error, "__notes__"):
        error.add_note(advice(error))
    own, before = own_lines(trace, shell.user_ns), (error.__cause__, error.__context__)
    error.__cause__ = error.__context__ = None  # how a library came to it, page after page
    lines = shell.InteractiveTB.structured_traceback(kind, error, own, tb_offset=0)
    error.__cause__, error.__context__ = before
    shell._showtraceback(kind, error, lines)
    return lines


def own_lines(trace, names):
    """Return the steps of a traceback that lie in the notebook's cells, which share its names."""
    steps = []
    while trace is not None:
        if trace.tb_frame.f_globals is names:
            steps.append(trace)
        trace = trace.tb_next
    own = None
    for step in reversed(steps):
        own = TracebackType(own, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return own


def advice(error):
    """Say in one sentence what a wrong name or a wrong position means.

    >>> advice(KeyError("Dora"))
    "Nothing is called 'Dora' here: look at the names of the rows and columns first."
    >>> advice(NameError(name="people"))
    'Is people made in a cell above? Run the first cell of the lesson, then the cells down to here.'
    """
    if isinstance(error, NameError):
        return (
            f"Is {error.name} made in a cell above? Run the first cell of the lesson, then the "
            "cells down to here."
        )
    if isinstance(error, KeyError):
        name = repr(error.args[0]) if error.args else "so"
        return f"Nothing is called {name} here: look at the names of the rows and columns first."
    return "Positions start at 0, so the last of n rows has the position n - 1."
