"""How is it computed? The package's own lines, to be read in a lesson."""

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from textwrap import dedent

from synthrisk_edu import checks

# Dark on light, whatever is around it: a dark page would give plain text a light colour.
BOX = "background: #f8f8f8; border-left: 3px solid #999; padding: 0.4em 0.8em; overflow-x: auto"
PLACE = "color: #555; font-size: 0.85em; margin: 0 0 0.3em"
LINES = "background: none; color: #1a1a1a; margin: 0; padding: 0; border: 0; line-height: 1.4; "
LINES += "font-family: DejaVu Sans Mono, Menlo, Consolas, monospace; "
LINES += "white-space: pre; word-break: normal"  # a long line is scrolled to, not broken in a word


def show_code(function: Callable, *, docstring: bool = False) -> "Code":
    """Show the lines of a function or method as they stand in the package, in colour.

    Of its docstring only the first line is shown, or with `docstring` all of it, with formula and
    examples.

    >>> from synthrisk_edu.cells import as_floats
    >>> print(show_code(as_floats).lines.splitlines()[-1])
        return column.to_numpy(dtype=float, na_value=np.nan)
    """
    if isinstance(function, property | cached_property):
        function = getattr(function, "fget", None) or function.func
    if not inspect.isroutine(function) and not hasattr(function, "__wrapped__"):
        raise TypeError(
            "show_code needs a function or a method itself, such as sr.match without brackets, "
            f"not {checks.type_of(function)}."
        )
    try:
        lines = dedent(inspect.getsource(function)).rstrip()
    except (OSError, TypeError):
        raise ValueError(
            f"{function.__name__} is not written in Python, so there are no lines to show."
        ) from None
    return Code(lines if docstring else _in_short(lines), function.__module__)


def _in_short(lines):
    """Return the lines of a function, but of its docstring only the first line."""
    definition = ast.parse(lines).body[0]
    lines = lines.splitlines()
    first = definition.body[0]
    if ast.get_docstring(definition) and first.end_lineno > first.lineno:
        opening = lines[first.lineno - 1]
        quotes = '"""' if '"""' in opening else "'''"
        lines[first.lineno - 1 : first.end_lineno] = [opening + quotes]
    return "\n".join(lines)


@dataclass(frozen=True, repr=False)
class Code:
    """Lines of Python, and the module they stand in; see `show_code`."""

    lines: str
    module: str

    def __repr__(self) -> str:
        """Show the lines as they are."""
        return self.lines

    def _repr_html_(self) -> str:
        """Show them in colour: no script, all of it escaped, every style beside its words."""
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer

        place = escape(self.module.replace(".", "/")) + ".py"
        lines = highlight(self.lines, PythonLexer(), HtmlFormatter(noclasses=True, nowrap=True))
        return (
            f'<div class="highlight synthrisk-code" style="{BOX}"><p style="{PLACE}">{place}</p>'
            f'<pre style="{LINES}">{lines}</pre></div>'
        )
