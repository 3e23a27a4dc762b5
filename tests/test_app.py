"""The app without a browser: every panel of every lesson can be chosen, and is built only then."""

import nbformat
from notebook_runner import is_clean

from synthrisk_edu.classroom.app import panel_chooser, panels_by_lesson
from synthrisk_edu.classroom.engine import LessonPanel

LESSONS = panels_by_lesson()


def test_the_notebook_of_the_app_is_clean_and_only_shows_the_panels(project):
    path = project / "notebooks" / "app" / "panels.ipynb"
    assert is_clean(path)
    cells = nbformat.read(path, as_version=4).cells
    assert [cell.cell_type for cell in cells] == ["markdown", "code"]
    assert cells[1].source.endswith("panel_chooser()")


def test_every_lesson_with_a_panel_is_in_the_app(project):
    """Lessons in which a panel is built, by the number at the beginning of their name."""
    lessons = {
        path.name[:2]
        for path in (project / "notebooks").glob("[01]*.ipynb")
        if "widgets." in path.read_text("utf-8")
    }
    assert lessons == {name[:2] for name in LESSONS}


def test_the_panels_of_a_lesson_can_be_chosen_one_after_the_other():
    lesson = "04 The CE example"  # all others are built when their lesson is run
    page = panel_chooser({lesson: LESSONS[lesson]})
    for entry in LESSONS[lesson]:
        page.panel.value = entry
        assert "synthrisk-error" not in page.words.value, page.words.value
        (panel,) = page.place.children
        assert "synthrisk-panel" in panel._dom_classes and panel.error is None
        assert entry.sentence in page.words.value


def test_titles_are_different_and_sentences_are_sentences():
    entries = [entry for entries in LESSONS.values() for entry in entries]
    assert len({entry.title for entry in entries}) == len(entries)
    assert all(entry.sentence[-1] in ".?" for entry in entries)


def test_a_panel_is_built_once_and_only_when_it_is_chosen():
    built = []

    def build(name):
        built.append(name)
        return LESSONS["08 Members and others"][1].build(None)

    lessons = {
        "00 a": [LessonPanel("1", "one", "First.", lambda d: build("one"))],
        "00 b": [LessonPanel("2", "two", "Second.", lambda d: build("two"))],
    }
    page = panel_chooser(lessons)
    assert built == ["one"]
    for lesson in ("00 b", "00 a", "00 b"):
        page.lesson.value = lesson
    assert built == ["one", "two"]
    assert "Second." in page.words.value


def test_an_error_is_told_in_the_place_of_the_panel():
    def fail(data):
        raise ValueError("there is no <such> file.")

    lessons = {"00": [LessonPanel("1", "one", "First.", fail)]}
    page = panel_chooser(lessons)
    assert page.place.children == ()
    assert "synthrisk-error" in page.words.value
    assert "there is no &lt;such&gt; file." in page.words.value
