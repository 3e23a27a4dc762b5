"""Handouts: one file without a network; the student's page tells no answer of an exercise."""

import re
from html import unescape

import nbformat
import pytest
from jupyter_browser import axe
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from notebook_runner import ids_in, run_lesson

from synthrisk_classroom import handouts
from synthrisk_classroom.convert import markdown_to_html
from synthrisk_classroom.lesson import exercises, tables
from synthrisk_classroom.running import Run, cores, lesson_paths, name_of


@pytest.fixture(scope="module")
def pages():
    """The pages of a lesson that was run, made once for all tests of it."""
    made = {}

    def make(path, run):
        if path not in made:
            made[path] = handouts.pages_of(run)
        return made[path]

    return make


def text_of(html):
    """What a reader of a page can read, with ordinary spaces."""
    words = unescape(re.sub(r"<[^>]+>", " ", html.split("<main>")[1]))
    return " ".join(words.replace("\u00a0", " ").split())


def test_a_page_needs_no_network_and_runs_nothing(lesson, executed, pages):
    for ending, html in pages(lesson, executed).items():
        fetched = r"<script|<link|src=\"(?!data:)|@import|url\("
        assert not re.search(fetched, html)
        assert "$" not in re.sub(r"<pre.*?</pre>", "", html.split("<main>")[1], flags=re.DOTALL)
        closed = 0 if ending else len(executed.asked)  # the student predicts on paper
        assert html.count('<div class="panel">') == len(executed.panels) - closed


def test_the_students_page_tells_no_answer_of_an_exercise(lesson, executed, pages):
    """No words of a solution, no verdict, no filled-in table; the solutions have each once."""
    number = lesson.name[:2]
    plain, solved = (text_of(html) for html in pages(lesson, executed).values())
    assert "Not answered yet" not in plain + solved and "Not yet" not in plain
    for id in ids_in(executed.notebook.cells)[0]:
        exercise, d = exercises(number)[id], tables(number, None)
        why = " ".join(exercise.why(d).replace("\u00a0", " ").split())
        assert why not in plain, exercise.id
        assert solved.count(f"Solution of {exercise.id}.") == 1
        assert solved.count(why) == 1, exercise.id
        shown = text_of(f"<main>{exercise.form.shown(exercise, d)}")
        if shown:
            assert shown not in plain and shown in solved, exercise.id
        for sentence in exercise.mistakes:
            assert sentence not in plain, exercise.id
    for cell, asked in executed.asked.items():
        words = " ".join(asked.judge(None, executed.panels[cell])["words"].split())
        assert asked.question in plain and words not in plain and words in solved, asked.id


LESSON_01 = pytest.mark.parametrize("path", [*cores().values()][1:2], ids=name_of)


@LESSON_01
def test_the_page_of_lesson_01_shows_cleo_and_nobody_else_of_the_ten(path, pages):
    plain = pages(path, run_lesson(path))[""]
    shown = [one.group() for one in re.finditer(r"<tr>\s*<th>(Ana|Cleo)</th>.*?</tr>", plain, re.S)]
    counted = [one for one in shown if one.count("<td>") == 5]  # c, T, K, F, risk
    assert [re.search("<th>(.*?)</th>", one)[1] for one in counted] == ["Cleo"]


def test_nothing_dead_is_on_paper(lesson, executed, pages):
    for html in pages(lesson, executed).values():
        assert "dtype:" not in html
        assert "application/vnd.jupyter.widget-view" not in html and "Panel(children" not in html
        assert not re.search(r'<div class="input">\s*</div>\s*</div>', html)


def test_only_solutions_are_unfolded(lesson, executed, pages):
    plain, solved = pages(lesson, executed).values()
    assert "<details open>" not in plain and "<details>" not in solved


def test_links_lead_to_the_page_of_the_same_kind(executed, lesson, pages):
    plain, solved = pages(lesson, executed).values()
    assert not re.search(r'href="[./a-z]*\d\d_\w+_solutions', plain)
    assert not re.search(r'href="[./a-z]*\d\d_\w+(?<!_solutions)\.html', solved)
    assert not re.search(r'href="[./a-z]*\d\d_\w+\.ipynb', plain + solved)


@pytest.mark.slow
@LESSON_01
def test_the_print_of_lesson_01_has_no_answer_and_no_triangle(path, chromium, pages):
    """What is folded is not printed at all."""
    page = chromium.new_page()
    page.set_content(pages(path, run_lesson(path))[""])
    assert axe(page) == []
    page.emulate_media(media="print")
    assert not page.get_by_text("What should have surprised you").first.is_visible()
    assert len(re.findall(rb"/Type /Page\b", page.pdf(format="A4"))) <= 10
    page.close()


def test_bars_of_progress_and_kinds_of_columns_are_no_result():
    bar = "\rfitting [##..] 2 of 4, about 1 s left\rfitting [####] 4 of 4\n"
    outputs = [
        new_output("stream", text=bar),
        new_output("execute_result", {"text/plain": "a    1\nb    2\nName: x, dtype: int64"}),
    ]
    cells = [new_markdown_cell("# A"), new_code_cell("sr.match(a, b)", outputs=outputs)]
    made = handouts.still(Run(new_notebook(cells=cells), {}, {}))
    assert [one.get("text") or one.data["text/plain"] for one in made.cells[1].outputs] == [
        "a    1\nb    2"
    ]


def test_every_formula_of_every_lesson_becomes_mathml(project):
    number = 0
    for path in lesson_paths().values():
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown" and "$" in cell.source:
                html = markdown_to_html(cell.source)
                number += html.count("<math")
                assert "$" not in html and "merror" not in html, cell.id
    assert number >= 40


def test_a_lesson_that_fails_is_named_and_the_others_are_made(tmp_path):
    path = tmp_path / "00_broken.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("1 / 0")]), path)
    line, good = handouts.make_lesson(tmp_path, path)
    assert not good and line == "00_broken: could not be made: division by zero"


def test_without_a_name_the_folder_is_made_where_one_stands(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(handouts, "lesson_paths", dict)
    assert handouts.main([]) == 0
    assert (tmp_path / "handouts").is_dir()


def test_only_the_lessons_that_are_asked_for_are_made(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert handouts.main(["paper", "--only", "00"]) == 0
    names = {path.name for path in (tmp_path / "paper").iterdir()}
    assert names == {"00_start_here.html", "00_start_here_solutions.html"}
    with pytest.raises(SystemExit):
        handouts.main(["--only", "77"])


@pytest.mark.parametrize("words", [["a/b"], ["a", "b"]])
def test_no_folder_is_told_in_a_sentence(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").touch()
    with pytest.raises(SystemExit):
        handouts.main(words)
    assert re.search(
        "a is a file: name a folder|unrecognized arguments: b", capsys.readouterr().err
    )
