"""Where are the exercises of a notebook, its predictions, and what stands in place of the dots?

An exercise's cell holds one line with dots, and hands in what they stand for:

    answer = ...
    my.check("01.1", answer)

The solution's lines take the place of the line with the dots, moved in as far as it was.
"""

import re
from textwrap import indent

DOTS = re.compile(r"^([ \t]*)(?:\w+ = )?\.\.\.[ \t]*$", re.MULTILINE)
CHECK = re.compile(r"""\bmy\.check\(\s*["'](\d\d\.r?\d+)["']""")
PREDICT = re.compile(r"""\bmy\.predict\(\s*["'](\d\d\.\w)["']""")

# Code that calls or defines a method, and not only loads, arranges, draws or shows.
NO_METHOD = "load_|in_words|fetch_|at_hand|codebook|show_code"
METHOD = re.compile(rf"\bsr\.(?!{NO_METHOD})\w+\(|^def ", re.MULTILINE)


def exercise_in(cell):
    """Return the id of the exercise that a code cell checks, or None.

    >>> exercise_in({"cell_type": "code", "source": 'my.check("01.1", answer)'})
    '01.1'
    """
    found = CHECK.search(source(cell)) if cell["cell_type"] == "code" else None
    return found[1] if found else None


def prediction_in(cell):
    """Return the id of what a code cell asks to predict, or None.

    >>> prediction_in({"cell_type": "code", "source": 'my.predict("01.a", panel)'})
    '01.a'
    """
    found = PREDICT.search(source(cell)) if cell["cell_type"] == "code" else None
    return found[1] if found else None


def is_method(cell):
    """Tell whether a code cell is worth reading on paper: it calls or defines a method.

    >>> is_method({"source": "found = sr.match(a, b, [], [])"}), is_method({"source": "import x"})
    (True, False)
    """
    return bool(METHOD.search(source(cell)))


def source(cell):
    """Return a cell's source as one text; a notebook may hold it as a list of lines."""
    text = cell["source"]
    return text if isinstance(text, str) else "".join(text)


def fill_in(text, code):
    r"""Put a solution's lines in place of the line with the dots.

    >>> print(fill_in("def f(x):\n    ...\nf(1)", "y = 2 * x\nreturn y"))
    def f(x):
        y = 2 * x
        return y
    f(1)
    """
    return DOTS.sub(lambda dots: indent(code, dots[1]), text, count=1)
