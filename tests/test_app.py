"""The app without a browser: every panel of every lesson can be chosen, and is built only then."""

from html import unescape

import nbformat
from notebook_runner import is_clean

from synthrisk_edu.classroom import class_hour
from synthrisk_edu.classroom.app import ANSWER, LOOK, QUESTION, panel_chooser, panels_by_lesson
from synthrisk_edu.classroom.engine import LessonPanel
from synthrisk_edu.classroom.predictions import predictions

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
    assert lessons == {name[:2] for name in LESSONS if name != class_hour.TITLE}


def test_the_panels_of_a_lesson_can_be_chosen_one_after_the_other():
    lesson = "04 The CE example"  # all others are built when their lesson is run
    page = panel_chooser({lesson: LESSONS[lesson]})
    for entry in LESSONS[lesson]:
        page.panel.value = entry
        assert page.view.value == QUESTION and page.place.children == ()
        page.view.value = LOOK
        assert "synthrisk-error" not in page.words.value, page.words.value
        (panel,) = page.place.children
        assert "synthrisk-panel" in panel._dom_classes and panel.error is None
        assert entry.sentence in page.words.value
        question = page._asked(entry)[0]
        page.view.value = ANSWER
        assert page.words.value != question and page.place.children == ()


def test_every_panel_has_its_question_and_its_answer_from_the_lesson():
    found = predictions()
    names = [e.name for title, es in LESSONS.items() if title != class_hour.TITLE for e in es]
    assert len(set(names)) == len(names)
    assert set(names) - set(found) <= {"knowledge"}  # its answer is a table of the lesson
    for question, answer in found.values():
        assert question.startswith("<p><strong>Predict first") and answer not in question


# ---------------------------------------------------------------- a class of 50 minutes


def test_the_class_goes_through_the_plan_in_its_order():
    page = panel_chooser({class_hour.TITLE: LESSONS[class_hour.TITLE]})
    seen = []
    for _ in LESSONS[class_hour.TITLE]:
        entry = page.panel.value
        seen.append(entry.title)
        assert page.view.value == QUESTION
        if isinstance(entry, class_hour.Step):
            assert entry.question in unescape(page.words.value).replace("\xa0", " ")
            assert entry.answer not in page.words.value and len(page.place.children) == 1
            page.view.value = ANSWER
            assert page.words.value != entry.question and len(page.place.children) == 1
        page.next.click()
    assert [title.split(" · ")[-1] for title in seen] == [
        "The five people", "How few facts does it take?", "The table of ten",
        "Three numbers for the file", "Ten thousand persons", "One target", "One sentence",
        "The intruder game",
    ]  # fmt: skip
    assert page.panel.value.title == seen[0]  # after the last comes the first


def test_the_steps_show_the_numbers_of_the_lessons():
    shown = [class_hour.three_summaries(), class_hour.ten_thousand(), class_hour.five_people()]
    summaries, thousands, five = (widget.children[0].value for widget in shown)
    assert all(f'<td style="color: inherit">{x}</td>' in summaries for x in ("3.5", "0.2", "0.5"))
    assert all(f">{number}<" in thousands for number in (172, 57, 59))
    assert five.count("34") == 2  # Bea's income, true and synthetic


def test_the_columns_fill_as_the_room_answers():
    table = class_hour.RoomTable()
    assert table.person.value == "Cleo" and class_hour.GOOD not in table.place.value
    table.c.value, table.T.value = 2, 1
    table.enter.click()
    assert table.is_right("Cleo") and table.person.value == "Ana"
    assert table.place.value.count(class_hour.GOOD) == 4 and ">0.5<" in table.place.value
    table.c.value, table.T.value = 2, 1
    table.enter.click()
    assert not table.is_right("Ana") and "count again" in table.place.value
    assert table.place.value.count(class_hour.BAD) == 4


def test_titles_are_different_and_sentences_are_sentences():
    chosen = [name for name in LESSONS if name != class_hour.TITLE]
    entries = [entry for name in chosen for entry in LESSONS[name]]
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
    page = panel_chooser(lessons)  # without a question one looks at once
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
