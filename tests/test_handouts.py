"""Handouts and slides: two lessons are really made; they hold everything and need no network."""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from synthrisk_edu.classroom import handouts
from synthrisk_edu.classroom.engine import lessons
from synthrisk_edu.classroom.solutions import exercise_in

pytestmark = pytest.mark.slow  # two lessons are run once more

LESSONS = ["00_start_here", "01_matching_approach"]
ENDINGS = ["", "_solutions", "_slides"]
# What a browser would fetch: the address of a script, a style, a picture, a font or a frame.
FETCHED = re.compile(r"""(?:\bsrc\s*=\s*|<link[^>]*href\s*=\s*|url\()(?!["']?data:)|@import""")


@pytest.fixture(scope="module")
def pages(project, tmp_path_factory):
    """The pages of two lessons, by lesson and ending."""
    folder = tmp_path_factory.mktemp("handouts")
    paths = [project / "notebooks" / f"{name}.ipynb" for name in LESSONS]
    assert handouts.make(paths, folder)
    return {
        (name, ending): (folder / f"{name}{ending}.html").read_text("utf-8")
        for name in LESSONS
        for ending in ENDINGS
    }


def lesson(project, name):
    return nbformat.read(project / "notebooks" / f"{name}.ipynb", as_version=4)


def headings(notebook):
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return re.findall(r"^## (.*)$", text, re.MULTILINE)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", LESSONS)
def test_a_page_holds_the_lesson_and_needs_no_network(pages, project, name, ending):
    page = pages[name, ending]
    assert FETCHED.findall(page) == []
    assert not re.search(r"(?<!w3\.org)https?://(?!www\.w3\.org)", page)
    assert "$$" not in page and "FORMULA" not in page and "widget-view" not in page
    plain = re.sub(r"<[^>]*>", "", page)
    for heading in headings(lesson(project, name)):
        assert heading.split("?")[0][:20].replace(">", "&gt;") in plain
    panels = len(lessons()[name[:2]].PANELS)
    assert page.count('<div class="panel">') == panels > 0
    assert page.count("data:image/png;base64,") > panels  # and the pictures of the lesson
    assert "No description has been provided" not in page
    assert "Traceback (most" not in page and "synthrisk-error" not in page


def test_solutions_are_only_where_they_are_wanted(pages, project):
    exercises = [exercise_in(cell) for cell in lesson(project, "01_matching_approach").cells]
    exercises = [number for number in exercises if number]
    assert len(exercises) > 3
    for number in exercises:
        told = f"Solution of {number}."
        shown = {ending: told in pages["01_matching_approach", ending] for ending in ENDINGS}
        assert shown == {"": False, "_solutions": True, "_slides": False}
    dots = '<span class="o">...</span>'
    counts = {e: pages["01_matching_approach", e].count(dots) for e in ENDINGS}
    assert counts[""] == counts["_slides"] == len(exercises) and counts["_solutions"] == 0


def test_there_is_one_slide_for_each_section(pages, project):
    for name in LESSONS:
        slides = pages[name, "_slides"].split('<section class="slide">')[1:]
        titles = headings(lesson(project, name))
        assert len(slides) == len(titles) + 1  # and one for the title
        assert slides[0].count("<h1") == 1
        assert all(slide.count("<h2") == 1 for slide in slides[1:])


def test_links_lead_to_the_page_of_the_same_kind(pages):
    assert 'href="01_matching_approach_slides.html"' in pages["00_start_here", "_slides"]
    assert 'href="01_matching_approach.html"' in pages["00_start_here", ""]
    assert not any(re.search(r'href="[^"]*\.ipynb', page) for page in pages.values())


def test_what_is_folded_is_opened_for_the_printer(pages):
    for page in pages.values():
        assert "<details>" in page and 'addEventListener("beforeprint"' in page


def test_a_page_that_asks_for_something_is_seen():
    """The proof that the test above can fail."""
    for bad in ('<script src="x.js">', '<link rel="s" href="a.css">', "url(f.woff)", "@import 'a'"):
        assert FETCHED.search(bad)
    assert not FETCHED.search('<img src="data:image/png;base64,AA"> <a href="02.html">')


# ------------------------------------------------------------------------- formulas


def test_a_formula_is_drawn_and_its_source_is_said():
    formulas = []
    text = handouts.take_out_formulas(
        "the risk $T_i / c_i$ and $$\\sum_i \\frac{T_i}{c_i}$$", formulas
    )
    assert text == "the risk FORMULA0X and FORMULA1X"
    assert 'alt="T_i / c_i"' in formulas[0] and "data:image/svg+xml;base64," in formulas[0]
    assert formulas[1].startswith('<span class="formula">')
    assert handouts.draw_formula("x_i") == handouts.draw_formula("x_i")


def test_every_formula_of_every_lesson_can_be_drawn(project):
    formulas = []
    for path in (project / "notebooks").glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                handouts.take_out_formulas(cell.source, formulas)
    assert len(formulas) > 10


# -------------------------------------------------------------------- small notebooks


def test_sections_are_split_inside_cells():
    cells = [
        new_markdown_cell("# Title\n\ntext\n\n## One\n\na"),
        new_code_cell("1"),
        new_markdown_cell("b\n\n### Deeper\n\n## Two"),
    ]
    parts = handouts.sections(new_notebook(cells=cells))
    assert [[cell.source.split()[0] for cell in part.cells] for part in parts] == [
        ["#"],
        ["##", "1", "b"],
        ["##"],
    ]
    nested = parts[1].cells
    assert nested[2].source.startswith("b\n\n### Deeper")


def test_a_lesson_that_fails_is_named_and_the_others_are_made(tmp_path, capsys):
    for name, code in (("01_bad", "1 / 0"), ("02_good", "print('fine')")):
        cells = [new_markdown_cell("# A lesson"), new_code_cell(code)]
        nbformat.write(new_notebook(cells=cells), tmp_path / f"{name}.ipynb")
    out = tmp_path / "out"
    assert handouts.main([str(tmp_path), str(out)]) == 1
    said = capsys.readouterr().out
    assert "01_bad: could not be made: ZeroDivisionError: division by zero" in said
    assert sorted(path.name for path in out.iterdir()) == [
        "02_good.html",
        "02_good_slides.html",
        "02_good_solutions.html",
    ]
    assert "fine" in (out / "02_good.html").read_text("utf-8")
