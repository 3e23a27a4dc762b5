"""Fill the solutions into a notebook: for tests, and for handouts.

An exercise's cell holds one line with dots, and hands in what they stand for:

    answer = ...
    sr.check("01.1", answer, seed=me)

The solution's lines take the place of the line with the dots, moved in as far as it was.
"""

import re
from copy import deepcopy
from textwrap import indent

from synthrisk_edu.classroom.engine import find, solution_words

DOTS = re.compile(r"^([ \t]*)(?:\w+ = )?\.\.\.[ \t]*$", re.MULTILINE)
CHECK = re.compile(r"""\bcheck\(\s*["'](\d\d\.\d+)["']""")

# Code that calls or defines a method, and not only loads, arranges, draws or shows.
NO_METHOD = "data_for|load_|in_words|fetch_|at_hand|codebook|seed_for|check_env|show_code"
METHOD = re.compile(rf"\bsr\.(?!{NO_METHOD})\w+\(|^def ", re.MULTILINE)


def exercise_in(cell):
    """Return the id of the exercise that a code cell checks, or None.

    >>> exercise_in({"cell_type": "code", "source": 'sr.check("01.1", answer)'})
    '01.1'
    """
    found = CHECK.search(source(cell)) if cell["cell_type"] == "code" else None
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


def with_solutions(notebook):
    """Return a copy of a notebook (as JSON, or read by nbformat) with its exercises solved."""
    solved = deepcopy(notebook)
    for cell in solved["cells"]:
        number = exercise_in(cell)
        if number:
            text = fill_in(source(cell), find(number).solution)
            cell["source"] = text if isinstance(cell["source"], str) else text.splitlines(True)
    return solved


def with_words(solved):
    """Return a copy of a solved notebook with a cell after each exercise that says why."""
    told, cells = deepcopy(solved), []
    for cell in told["cells"]:
        cells.append(cell)
        number = exercise_in(cell)
        if number:
            text = f"**Solution of {number}.** {solution_words(number)}"
            made = {"cell_type": "markdown", "id": f"{cell['id']}-solution", "metadata": {}}
            cells.append(type(cell)(made | {"source": text}))
    told["cells"] = cells
    return told
