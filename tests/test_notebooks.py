"""Every lesson is committed clean and runs without an error, a warning or a failing panel."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty

import claims
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from notebook_runner import (
    clean_file,
    cleaned,
    held,
    is_clean,
    main,
    problems,
    run_notebook,
)

from synthrisk_edu.classroom.engine import lessons
from synthrisk_edu.classroom.kernels import ThisPython
from synthrisk_edu.classroom.predictions import is_panel
from synthrisk_edu.classroom.solutions import exercise_in

NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "notebooks").glob("*.ipynb"))


def name(path):
    return path.stem


def write(path, *sources):
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources]), path)
    return path


def test_the_first_lesson_is_there():
    assert "00_start_here" in map(name, NOTEBOOKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_lesson_is_committed_clean(path):
    assert is_clean(path), f"run: python tests/notebook_runner.py --clean notebooks/{path.name}"


def test_lesson_runs_and_keeps_its_word(lesson, executed):
    """Once, with its exercises solved: no problem, every claim held, every solution right."""
    lesson = lesson.name[:2]
    assert problems(executed) == []
    lines = held(executed)
    assert sorted(line for line in lines if line.startswith("claim ")) == sorted(
        f"claim {claim.__name__}" for claim in claims.claims_of(lesson)
    )
    panels = [f"panel {panel.name}" for panel in lessons()[lesson].PANELS]
    assert [line for line in lines if line.startswith("panel ")] == panels
    verdicts = {
        exercise_in(cell): cell.outputs[-1].data["text/plain"]
        for cell in executed.cells
        if exercise_in(cell)
    }
    assert list(verdicts) == [one.id for one in lessons()[lesson].EXERCISES]
    assert [told for told in verdicts.values() if not told.startswith(GOOD)] == []


GOOD = ("Right.", "That can be defended.")


def test_no_picture_between_a_question_and_its_panel(lesson):
    """It would show the answer."""
    since_the_question = []
    for cell in nbformat.read(lesson, as_version=4).cells:
        since_the_question.append(cell.source)
        if "**Predict first" in cell.source:
            since_the_question = []
        if is_panel(cell):
            assert "plots." not in "".join(since_the_question)


# ------------------------------------------- proofs that the runner sees problems


def test_runner_finds_nothing_in_a_good_notebook(tmp_path):
    path = write(tmp_path / "good.ipynb", "import ipywidgets as w", "w.interact(lambda x: x, x=3)")
    assert problems(run_notebook(path)) == []


def test_runner_reports_a_raising_cell_and_goes_on(tmp_path):
    path = write(tmp_path / "cell.ipynb", "1 / 0", "import warnings; warnings.warn('old')")
    found = problems(run_notebook(path))
    assert found[0] == "cell 0: ZeroDivisionError: division by zero"
    assert "stderr" in found[1] and "old" in found[1]
    assert len(found) == 2


def test_runner_reports_a_raising_callback(tmp_path):
    path = write(
        tmp_path / "callback.ipynb",
        "import ipywidgets as w\nslider = w.IntSlider(1)",
        "_ = w.interact(lambda x: 1 / x, x=slider)",
        "slider.value = 0",
    )
    executed = run_notebook(path)
    assert not any(o.output_type == "error" for cell in executed.cells for o in cell.outputs)
    assert problems(executed) == ["widget OutputModel: ZeroDivisionError: division by zero"]


def test_runner_reports_a_panel_that_shows_an_error(tmp_path):
    path = write(
        tmp_path / "panel.ipynb",
        "import ipywidgets as w\nhtml = w.HTML('fine')\nhtml",
        "html.value = '<p class=\"synthrisk-error\">No such record.</p>'",
    )
    assert problems(run_notebook(path)) == ["widget HTMLModel: shows an error: No such record."]


def test_runner_reports_a_widget_with_the_error_class(tmp_path):
    path = write(
        tmp_path / "class.ipynb",
        "import ipywidgets as w\nhtml = w.HTML('Oh.')\nhtml.add_class('synthrisk-error')\nhtml",
    )
    assert problems(run_notebook(path)) == ["widget HTMLModel: shows an error: Oh."]


def test_runner_uses_this_python_and_the_notebooks_folder(tmp_path):
    path = write(tmp_path / "where.ipynb", "import os, sys\nprint(sys.prefix)\nprint(os.getcwd())")
    printed = run_notebook(path).cells[0].outputs[0].text.splitlines()
    import sys

    assert Path(printed[0]) == Path(sys.prefix)
    assert Path(printed[1]).resolve() == tmp_path.resolve()


def test_cleaning_strips_everything_and_keeps_ids_and_text(tmp_path):
    path = write(tmp_path / "dirty.ipynb", "print('α × β')")
    executed = run_notebook(path)
    executed.cells[0].metadata = {"tags": ["hide-input"], "collapsed": True}
    nbformat.write(executed, path)
    assert not is_clean(path)
    assert main(["--clean", str(path)]) == 0
    assert is_clean(path)
    clean = nbformat.read(path, as_version=4)
    nbformat.validate(clean)
    assert "widgets" not in clean.metadata
    cell = clean.cells[0]
    assert (cell.outputs, cell.execution_count) == ([], None)
    assert (cell.id, cell.source) == (executed.cells[0].id, executed.cells[0].source)
    assert cell.metadata == {"tags": ["hide-input"]}
    assert "α × β" in path.read_text("utf-8")


def test_cleaning_twice_changes_nothing(tmp_path):
    path = write(tmp_path / "twice.ipynb", "1")
    clean_file(path)
    text = path.read_text("utf-8")
    assert cleaned(text) == text


class ForgetfulSocket:
    """Has a message, and says so only when it is asked a second time, as pyzmq's sometimes do."""

    def __init__(self):
        self.waits = []

    async def poll(self, milliseconds):
        self.waits.append(milliseconds)
        return len(self.waits) > 1

    async def recv_multipart(self):
        return ["the message"]


class PlainSession:
    """Takes messages as they are."""

    def feed_identities(self, parts):
        return [], parts

    def deserialize(self, parts):
        return parts[0]


@pytest.fixture
def channel():
    client = ThisPython().client_factory
    made = object.__new__(client.class_traits()["shell_channel_class"].default_value)
    made.socket, made.session = ForgetfulSocket(), PlainSession()
    return made


def in_a_thread(work):
    """Wait for something; in this thread the browser of another test may be waiting."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def test_a_notebook_can_be_run_from_inside_a_notebook(tmp_path):
    """There a loop is running already, in which no other may be started."""

    async def run():
        return run_notebook(write(tmp_path / "inside.ipynb", "1 + 1"))

    assert problems(in_a_thread(run())) == []


def test_a_message_that_was_missed_is_found_a_second_later(channel):
    """Without, one cell in some hundreds took all of its 300 seconds."""
    assert in_a_thread(channel.get_msg(timeout=300)) == "the message"
    assert channel.socket.waits == [1000, 1000]


def test_a_channel_without_a_message_gives_up_in_time(channel):
    with pytest.raises(Empty):
        in_a_thread(channel.get_msg(timeout=0.3))
    assert len(channel.socket.waits) == 1 and channel.socket.waits[0] <= 300
