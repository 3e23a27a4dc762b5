"""The app without a browser: every panel of every lesson can be chosen, and is built only then."""

import nbformat
import pytest
from notebook_runner import is_clean

from synthrisk_edu.classroom.app import LESSONS, Entry, panel_chooser


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
        for path in (project / "notebooks").glob("0[0-8]*.ipynb")
        if "widgets." in path.read_text("utf-8")
    }
    assert lessons == {name[:2] for name in LESSONS}


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_panel_of_a_lesson_is_built_and_shown(lesson):
    page = panel_chooser({lesson: LESSONS[lesson]})
    for entry in LESSONS[lesson]:
        page.panel.value = entry
        assert "synthrisk-error" not in page.words.value, page.words.value
        (panel,) = page.place.children
        assert "synthrisk-panel" in panel._dom_classes and panel.error is None
        assert entry.sentence.split("’")[0] in page.words.value


def test_titles_are_different_and_sentences_are_sentences():
    entries = [entry for entries in LESSONS.values() for entry in entries]
    assert len({entry.title for entry in entries}) == len(entries)
    assert all(entry.sentence[-1] in ".?" for entry in entries)


def test_a_panel_is_built_once_and_only_when_it_is_chosen():
    built = []

    def build(name):
        built.append(name)
        return LESSONS["03 The ACS example"][2].build()

    lessons = {
        "a": [Entry("one", "First.", lambda: build("one"))],
        "b": [Entry("two", "Second.", lambda: build("two"))],
    }
    page = panel_chooser(lessons)
    assert built == ["one"]
    for lesson in ("b", "a", "b"):
        page.lesson.value = lesson
    assert built == ["one", "two"]
    assert "Second." in page.words.value


def test_an_error_is_told_in_the_place_of_the_panel():
    def fail():
        raise ValueError("there is no <such> file.")

    lessons = {"a": [Entry("one", "First.", fail)]}
    page = panel_chooser(lessons)
    assert page.place.children == ()
    assert "synthrisk-error" in page.words.value
    assert "there is no &lt;such&gt; file." in page.words.value
