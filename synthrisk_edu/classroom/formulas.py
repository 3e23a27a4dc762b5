"""Formulas without a network: each is drawn by matplotlib, once, and carried along in the page."""

import base64
import re
from functools import cache
from html import escape
from io import BytesIO

import matplotlib
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser
from nbconvert.filters.markdown_mistune import markdown2html_mistune

FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)
CASES = re.compile(r"^(.*?)\\begin\{cases\}(.*?)\\end\{cases\}(.*)$", re.DOTALL)
SIZE = 12  # points; an em of the page
SAME = {r"\le ": r"\leq ", r"\ge ": r"\geq "}  # what TeX knows by two names, and we by one


def markdown_to_html(text):
    """Return a text in Markdown as HTML, its formulas drawn."""
    formulas = []
    marked = take_out_formulas(text, formulas)
    return put_back_formulas(markdown2html_mistune(marked), formulas)


def take_out_formulas(text, formulas):
    """Replace the formulas in a text by marks, and append their pictures to `formulas`."""

    def mark(found):
        """Draw one formula, and return the mark that stands for it."""
        drawn = [draw_formula(line) for line in lines_of(found[1] or found[2])]
        if found[1]:
            drawn = [f'<span class="formula">{line}</span>' for line in drawn]
        formulas.append("".join(drawn))
        return f"FORMULA{len(formulas) - 1}X"

    return FORMULA.sub(mark, text)


def lines_of(tex):
    r"""Split a formula with cases into one line a case, which is what can be drawn.

    >>> lines_of(r"T = \begin{cases}1 & \text{if so}\\ 0 & \text{if not}\end{cases}")
    ['T = 1\\quad \\text{if so}', 'T = 0\\quad \\text{if not}']
    """
    found = CASES.match(tex)
    if not found:
        return [" ".join(tex.split())]
    rows = [row.strip().replace(" & ", r"\quad ") for row in found[2].split(r"\\")]
    return [f"{found[1]}{row}{found[3]}" for row in rows]


@cache
def draw_formula(tex):
    """Return a formula as an image in the line of the text; its source is said aloud."""
    text, font = f"${tex}$", FontProperties(size=SIZE)
    for name, other in SAME.items():
        text = text.replace(name, other)
    width, height, depth = MathTextParser("path").parse(text, dpi=72, prop=font)[:3]
    figure = Figure(figsize=(width / 72, height / 72))
    figure.text(0, depth / height, text, fontproperties=font)
    buffer = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "formula"}):  # equal formulas, equal bytes
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    data = base64.b64encode(buffer.getvalue()).decode()
    style = f"height: {height / SIZE:.2f}em; vertical-align: {-depth / SIZE:.2f}em"
    return f'<img alt="{escape(tex)}" style="{style}" src="data:image/svg+xml;base64,{data}">'


def put_back_formulas(html, formulas):
    """Put the pictures in the places of their marks."""
    return re.sub(r"FORMULA(\d+)X", lambda found: formulas[int(found[1])], html)
