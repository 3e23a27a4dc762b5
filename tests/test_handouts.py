"""Handouts and slides: lessons are really made; they hold everything and need no network."""

import re
from copy import deepcopy
from functools import lru_cache
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from notebook_runner import run_lesson

from synthrisk_edu.classroom import formulas as formulas_
from synthrisk_edu.classroom import handouts, slides
from synthrisk_edu.classroom.engine import lessons
from synthrisk_edu.classroom.solutions import exercise_in
from synthrisk_edu.classroom.worksheets import to_pdf

pytestmark = pytest.mark.slow  # lessons are run once more

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
LESSONS = ["00_start_here", "01_matching_approach"]
IN_00, IN_01 = (pytest.mark.parametrize("name", [name]) for name in LESSONS)
ENDINGS = ["", "_solutions", "_slides"]
# What a browser would fetch: the address of a script, a style, a picture, a font or a frame.
FETCHED = re.compile(r"""(?:\bsrc\s*=\s*|<link[^>]*href\s*=\s*|url\()(?!["']?data:)|@import""")


@lru_cache(maxsize=2)
def pages_of(name):
    """The pages of a lesson by their ending, made once."""
    path = FOLDER / f"{name}.ipynb"
    return handouts.pages_from(read_lesson(name), deepcopy(run_lesson(path)))


def read_lesson(name):
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def headings(notebook):
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return re.findall(r"^## (.*)$", text, re.MULTILINE)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", LESSONS)
def test_a_page_holds_the_lesson_and_needs_no_network(name, ending):
    page = pages_of(name)[ending]
    assert FETCHED.findall(page) == []
    assert not re.search(r"(?<!w3\.org)https?://(?!www\.w3\.org)", page)
    assert "$$" not in page and "FORMULA" not in page and "widget-view" not in page
    plain = page if ending == "_slides" else re.sub(r"<[^>]*>", "", page)
    for heading in headings(read_lesson(name)):
        left_out = ending == "_slides" and heading.startswith(slides.LEFT_OUT)
        assert left_out or heading.split("?")[0][:20].replace(">", "&gt;") in plain
    panels = len(lessons()[name[:2]].PANELS)
    assert page.count('<div class="panel">') == panels > 0
    assert page.count("data:image/png;base64,") > panels  # and the pictures of the lesson
    assert "No description has been provided" not in page
    assert "Traceback (most" not in page and "synthrisk-error" not in page


@IN_01
def test_solutions_are_only_where_they_are_wanted(name):
    pages = pages_of(name)
    exercises = [exercise_in(cell) for cell in read_lesson(name).cells]
    exercises = [number for number in exercises if number]
    assert len(exercises) > 3
    for number in exercises:
        told = f"Solution of {number}."
        shown = {ending: told in pages[ending] for ending in ENDINGS}
        assert shown == {"": False, "_solutions": True, "_slides": False}
    dots = '<span class="o">...</span>'
    counts = {ending: pages[ending].count(dots) for ending in ENDINGS}
    assert counts == {"": len(exercises), "_solutions": 0, "_slides": 0}


@IN_01
def test_code_that_is_no_method_is_left_out(name):
    page = pages_of(name)[""]
    plain = re.sub(r"<[^>]*>", "", page)
    assert "sr.match(confidential, synthetic" in plain and "def true_match_rate" in plain
    assert not re.search(r"import pandas|plots\.lineup|widgets\.file_panel", plain)


@IN_00
def test_links_lead_to_the_page_of_the_same_kind(name):
    pages = pages_of(name)
    assert 'href="01_matching_approach_slides.html"' in pages["_slides"]
    assert 'href="01_matching_approach.html"' in pages[""]
    assert not any(re.search(r'href="[^"]*\.ipynb', page) for page in pages.values())


@IN_01
def test_only_solutions_are_unfolded(name):
    pages = pages_of(name)
    assert "<details>" in pages[""] and "<details open" not in pages[""]
    assert "<details open>" in pages["_solutions"] and "<details>" not in pages["_solutions"]
    assert "<script" not in pages[""] + pages["_solutions"]  # nothing opens them for the printer


@IN_01
def test_lesson_01_fits_ten_pages_and_its_print_shows_no_answer(name, chromium, tmp_path):
    path = tmp_path / "lesson.html"
    path.write_text(pages_of(name)[""], "utf-8")
    assert to_pdf(path)
    assert len(re.findall(rb"/Type /Page\b", path.with_suffix(".pdf").read_bytes())) <= 10
    page = chromium.new_page()
    page.goto(path.as_uri())
    page.emulate_media(media="print")
    assert "Predict first" in page.inner_text("body")
    assert "c goes up (from 5 to 406)" not in page.inner_text("body")
    page.close()


# ------------------------------------------------------------------------- slides

LAID_OUT = """() => all.map((slide, number) => {
    const place = slide.getBoundingClientRect(), scale = place.width / 1280, found = [];
    for (const part of slide.querySelectorAll(".room *")) {
        const {bottom, right, width} = part.getBoundingClientRect();
        const over = Math.max(bottom - place.bottom, right - place.right) / scale;
        if (width && over > 0.5) found.push(`${part.tagName} by ${over}`);
    }
    const zooms = [...slide.querySelectorAll(".block")].map(block => +block.style.zoom || 1);
    return {over: found, zoom: Math.min(...zooms), kinds: [...slide.querySelectorAll(".block")]
        .map(block => block.dataset.kind), text: slide.innerText};
})"""


def test_nothing_overflows_on_any_slide(lesson, executed, chromium, tmp_path):
    path, notebook = tmp_path / "slides.html", nbformat.read(lesson, as_version=4)
    path.write_text(handouts.pages_from(notebook, executed)["_slides"], "utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    page.goto(path.as_uri())
    found = page.evaluate(LAID_OUT)
    fits = "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
    assert page.evaluate(fits) == [720, 1280]
    page.close()
    assert len(found) > 5
    assert [(n, one["over"]) for n, one in enumerate(found, 1) if one["over"]] == []
    assert min(one["zoom"] for one in found) >= 0.5  # 12 pixels of 24 could not be read
    for one in found:  # never the answer beside its question, nor another idea beside a panel
        assert not {"question", "answer"} <= set(one["kinds"])
        assert one["kinds"] == ["panel"] or "panel" not in one["kinds"]


@IN_00
def test_slides_step_by_keys_and_fill_the_window(name, chromium, tmp_path):
    path = tmp_path / "slides.html"
    path.write_text(pages_of(name)["_slides"], "utf-8")
    page = chromium.new_page(viewport={"width": 1920, "height": 1080})
    page.goto(path.as_uri())
    for key, number in (("PageDown", 2), ("ArrowRight", 3), (" ", 4), ("PageUp", 3)):
        page.keyboard.press(key)
        assert page.inner_text(".slide.now .number") == str(number)
    assert page.evaluate("document.querySelector('.now').getBoundingClientRect().width") == 1920
    page.reload()
    assert page.inner_text(".slide.now .number") == "3"  # it stays where it was
    page.close()


def test_a_panel_comes_first_then_its_question_then_the_answer():
    shown = new_output("display_data", {"text/html": '<p class="panel">'})
    cells = [
        new_markdown_cell("# Title\n\n## One\n\nText.\n\n**Predict first.** What?\n\n1. So?"),
        new_code_cell("x", outputs=[shown]),
        new_markdown_cell("<details><summary>Why</summary>\n\nBecause.\n\n</details>\n\nMore."),
    ]
    made = slides.blocks_of(new_notebook(cells=cells))
    kinds = [kind for kind, _, _ in made]
    assert kinds == ["text", "text", "panel", "question", "question", "answer", "text"]
    assert [title for _, title, _ in made] == ["", *["One"] * 6]
    assert "Why" not in made[5][2] and "Because." in made[5][2]


def test_bars_of_progress_are_no_result():
    text = "\rfitting [##..] 2 of 4, about 1 s left\rfitting [####] 4 of 4\n"
    outputs = [
        new_output("stream", text=text),
        new_output("stream", text=text + "4 rows [a, b]\n"),
        new_output("display_data", {"text/plain": "x"}),
    ]
    notebook = new_notebook(cells=[new_code_cell("x", outputs=outputs)])
    (cell,) = handouts.stand_still(notebook).cells
    assert [one.get("text") for one in cell.outputs] == ["4 rows [a, b]\n", None]
    assert notebook.cells[0].outputs == outputs


def test_a_slide_shows_the_first_rows_of_a_long_table():
    table = pd.DataFrame({"a": range(20)}).to_html()
    cell = new_code_cell("x", outputs=[new_output("display_data", {"text/html": table})])
    html = slides.output_html(cell)
    assert html.count("<tr") == 1 + slides.MOST_ROWS and "<td>10</td>" in html
    assert "…" in html and "<td>19</td>" not in html
    assert slides.output_html(new_code_cell("x")) == ""


def test_a_page_that_asks_for_something_is_seen():
    """The proof that the test above can fail."""
    for bad in ('<script src="x.js">', '<link rel="s" href="a.css">', "url(f.woff)", "@import 'a'"):
        assert FETCHED.search(bad)
    assert not FETCHED.search('<img src="data:image/png;base64,AA"> <a href="02.html">')


# ------------------------------------------------------------------------- formulas


def test_a_formula_is_drawn_and_its_source_is_said():
    formulas = []
    text = formulas_.take_out_formulas(
        "the risk $T_i / c_i$ and $$\\sum_i \\frac{T_i}{c_i}$$", formulas
    )
    assert text == "the risk FORMULA0X and FORMULA1X"
    assert 'alt="T_i / c_i"' in formulas[0] and "data:image/svg+xml;base64," in formulas[0]
    assert formulas[1].startswith('<span class="formula">')
    assert formulas_.draw_formula("x_i") == formulas_.draw_formula("x_i")


def test_every_formula_of_every_lesson_can_be_drawn(project):
    formulas = []
    for path in (project / "notebooks").glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                formulas_.take_out_formulas(cell.source, formulas)
    assert len(formulas) > 10


# -------------------------------------------------------------------- small notebooks


def test_a_lesson_that_fails_is_named_and_the_others_are_made(tmp_path, capsys):
    for name, code in (("01_bad", "1 / 0"), ("02_good", "print('fine')")):
        cells = [new_markdown_cell("# A lesson"), new_code_cell(code)]
        nbformat.write(new_notebook(cells=cells), tmp_path / f"{name}.ipynb")
    out = tmp_path / "out"
    out.mkdir()
    assert handouts.make(tmp_path, out) == 1
    said = capsys.readouterr().out
    assert "01_bad: could not be made: ZeroDivisionError: division by zero" in said
    assert sorted(path.name for path in out.iterdir()) == [
        "02_good.html",
        "02_good_slides.html",
        "02_good_solutions.html",
    ]
    assert "fine" in (out / "02_good.html").read_text("utf-8")
