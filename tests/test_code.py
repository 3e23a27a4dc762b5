"""The package's own lines, shown in a notebook, in a handout and on the website."""

import inspect
import re
from functools import cache, cached_property
from html import unescape

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import synthrisk_edu as sr
from synthrisk_edu import cells
from synthrisk_edu.classroom import handouts, website


class Example:
    """Something to show."""

    def doubled(self, x):
        """Double it.

            2 · x

        >>> Example().doubled(2)
        4
        """
        return 2 * x  # <b>as it stands</b>

    @property
    def one(self):
        """One."""
        return 1

    @cached_property
    def two(self):
        return 2


def test_the_lines_are_those_of_the_package():
    shown = sr.show_code(cells.as_floats)
    assert repr(shown) == inspect.getsource(cells.as_floats).rstrip()
    whole = sr.show_code(cells.quantile_groups, docstring=True)
    assert repr(whole) == inspect.getsource(cells.quantile_groups).rstrip()


def test_of_a_docstring_only_the_first_line_is_shown():
    assert repr(sr.show_code(Example.doubled)).splitlines() == [
        "def doubled(self, x):",
        '    """Double it."""',
        "    return 2 * x  # <b>as it stands</b>",
    ]
    assert "2 · x" in repr(sr.show_code(Example.doubled, docstring=True))
    assert sr.show_code(Example().doubled) == sr.show_code(Example.doubled)


def test_whatever_makes_a_method_or_remembers_it():
    assert repr(sr.show_code(Example.one)).startswith("@property\ndef one(self):")
    assert repr(sr.show_code(Example.two)).endswith("return 2")
    assert repr(sr.show_code(cache(cells.as_floats))).startswith("def as_floats")


@pytest.mark.parametrize("wrong", ["match", None, 5, sr.load_ce, Example])
def test_what_is_no_function_gets_a_sentence(wrong):
    wrong = wrong() if wrong is sr.load_ce else wrong  # what a function gives is not the function
    with pytest.raises(TypeError, match=r"show_code needs a function .* not \w+( \w+)?\.$"):
        sr.show_code(wrong)


def test_what_is_not_written_in_python_gets_a_sentence():
    with pytest.raises(ValueError, match="len is not written in Python, so there are no lines"):
        sr.show_code(len)


def test_the_html_holds_the_same_lines_escaped_and_needs_nothing():
    html = sr.show_code(Example.doubled)._repr_html_()
    assert "<b>" not in html and "&lt;b&gt;" in html and "test_code.py" in html
    assert not re.search(r"<script|<style|<link|https?:|url\(|class=\"(?!highlight)", html)
    lines = re.search(r"<pre[^>]*>(.*)</pre>", html, re.DOTALL)[1]
    assert unescape(re.sub("<[^>]+>", "", lines)).strip() == repr(sr.show_code(Example.doubled))


def colours(html):
    """How many words have a colour of their own."""
    return html.count('<span style="color: #')


def test_it_is_in_colour_on_every_page():
    shown = sr.show_code(cells.combine)
    output = new_output(
        "execute_result", {"text/html": shown._repr_html_(), "text/plain": repr(shown)}
    )
    lesson = new_notebook(
        cells=[
            new_markdown_cell("# A lesson", id="title"),
            new_code_cell("sr.show_code(cells.combine)", id="code", outputs=[output]),
        ]
    )
    pages = handouts.pages_from(lesson, lesson) | {"site": website.content(lesson)}
    for page in pages.values():
        assert shown._repr_html_() in page and colours(page) >= colours(shown._repr_html_()) > 20
    for ending in ("", "_solutions", "_slides"):
        assert "sr.show_code" not in re.sub("<[^>]+>", "", pages[ending])  # the lines alone
