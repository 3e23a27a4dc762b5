"""What Sphinx is told of the site; it looks for a file of this name (see `site`).

The theme is a Jupyter Book's. Nothing that a page needs comes from the network: formulas are
MathML, which browsers know, and widget scripts are switched off, because a panel is HTML here.
"""

from pathlib import Path

from docutils.nodes import SkipNode
from latex2mathml.converter import convert
from sphinx.addnodes import pending_xref

from synthrisk_edu.pages import without_empty_heads
from synthrisk_edu.widgets import touch

HERE = Path(__file__).parent

project = html_title = "The disclosure risk of synthetic data"
extensions = ["myst_nb"]
smartquotes = False  # code and text keep the quotes they have

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_heading_slug_func = "synthrisk_classroom.site.anchor"
myst_update_mathjax = False
nb_execution_mode = "off"  # the notebooks come with their outputs
nb_ipywidgets_js = {}
nb_code_prompt_show = nb_code_prompt_hide = "code"

html_theme = "sphinx_book_theme"
html_theme_options = {
    "footer_content_items": [],
    "navbar_persistent": [],  # the sidebar has a field to search in
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_context = {"default_mode": "auto"}  # light or dark as the system, until a reader switches
html_math_renderer = "mathml"
html_static_path = [
    str(touch.HERE / "touch.css"),
    str(touch.HERE / "touch.js"),
    str(touch.HERE.parent / "plots" / "picture.css"),
    str(HERE / "site.css"),
    str(HERE / "site.js"),
]
html_css_files = ["picture.css", "touch.css", "site.css"]
html_js_files = [("touch.js", {"defer": "defer"}), ("site.js", {"defer": "defer"})]
html_show_copyright = False
html_show_search_summary = False  # a page that is a file may not read other files
html_sourcelink_suffix = ""
html_use_index = False


def setup(app):
    """Let formulas be MathML, and links lead only to pages that are here."""
    renderers = {"inline_renderers": (formula, None), "block_renderers": (block_formula, None)}
    app.add_html_math_renderer("mathml", **renderers)
    app.connect("doctree-read", without_dead_links)
    app.connect("html-page-context", with_heads)


def formula(page, node):
    """Write a formula within the text."""
    page.body.append(convert(node.astext()))
    raise SkipNode


def block_formula(page, node):
    """Write a formula on a line of its own."""
    formula = convert(node.astext(), display="block")
    page.body.append(f'<div class="formula">{formula}</div>')
    raise SkipNode


def without_dead_links(_app, page):
    """Let a link to a lesson that is not made, or to the teachers' guide, be only its words."""
    for link in list(page.findall(pending_xref)):
        if link["reftype"] == "myst" and not link["refdomain"]:  # no file of the site
            link.replace_self(link[0])


def with_heads(_app, _name, _template, context, _page):
    """Let every head of a table head something."""
    if "body" in context:
        context["body"] = without_empty_heads(context["body"])
