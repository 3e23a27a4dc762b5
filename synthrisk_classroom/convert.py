"""A notebook as HTML: plain nbconvert, with formulas that a browser draws without a network."""

from pathlib import Path

from latex2mathml.converter import convert
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments.formatters import HtmlFormatter

from synthrisk_edu.pages import without_empty_heads

COLOURS = HtmlFormatter().get_style_defs(".highlight")


class WithFormulas(IPythonRenderer):
    """Writes formulas as MathML, which browsers know."""

    def block_math(self, body):
        """Return a formula on a line of its own."""
        return convert(body, display="block")

    def inline_math(self, body):
        """Return a formula within the text."""
        return convert(body)


def markdown_to_html(text):
    """Return a text in Markdown as HTML."""
    return MarkdownWithMath(WithFormulas(escape=False)).render(text)


def to_html(notebook):
    """Return the cells of a notebook as HTML, the body of a page."""
    exporter = HTMLExporter(
        template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True
    )
    exporter.register_filter("markdown2html", markdown_to_html)
    html, _ = exporter.from_notebook_node(notebook)
    return without_empty_heads(html)


def asset(name):
    """Return a style or a script that stands beside this module."""
    return Path(__file__).with_name(name).read_text("utf-8")
