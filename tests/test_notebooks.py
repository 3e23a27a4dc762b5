"""Every lesson is committed clean and runs without an error, a warning or a failing panel."""

import re
from pathlib import Path

import claims
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from notebook_runner import cells_of, clean_file, cleaned, ids_in, is_clean, main, problems

from synthrisk_classroom.lesson import exercises, numbers, predictions
from synthrisk_classroom.running import NOTEBOOKS as FOLDER
from synthrisk_classroom.running import Run, cores, is_further, lesson_paths, name_of, run

NOTEBOOKS = [*lesson_paths().values(), FOLDER / "class_hour.ipynb"]
FURTHER = {name: path for name, path in lesson_paths().items() if is_further(path)}


def notebook(*sources):
    return new_notebook(cells=[new_code_cell(source) for source in sources])


def test_the_first_lesson_is_there():
    assert next(iter(lesson_paths())) == "00_start_here"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_lesson_is_committed_clean(path):
    place = f"notebooks/{name_of(path)}.ipynb"
    assert is_clean(path), f"run: python tests/notebook_runner.py --clean {place}"


def test_lesson_runs_and_keeps_its_word(executed):
    """Once, as a student gets it: no problem; claims are held right after their cells."""
    assert problems(executed) == []


@pytest.mark.parametrize("number", numbers())
def test_every_claim_and_every_prediction_stands_in_one_notebook_of_its_lesson(number):
    """The core or one that goes further; so does every cell, by which claims are found."""
    code = [c.id for cells in cells_of(number).values() for c in cells if c.cell_type == "code"]
    assert len(code) == len(set(code))
    assert {claim.cell for claim in claims.claims_of(number)} <= set(code)
    asked = [id for cells in cells_of(number).values() for id in ids_in(cells)[1]]
    assert sorted(asked) == list(predictions(number))


def test_every_panel_stands_behind_a_prediction(executed):
    """And the notebook ends with all it asks, if these are several."""
    assert executed.asked.keys() == executed.panels.keys()
    asked = [one.id for one in executed.asked.values()]
    assert asked == ids_in(executed.notebook.cells)[1]
    tables = [c for c in executed.notebook.cells if c.source == "my.predictions()"]
    assert len(asked) < 2 or len(tables) == 1
    for cell in tables:
        (shown,) = cell.outputs
        assert shown.data["text/plain"] == f"You predicted 0 of {len(asked)} so far."


# ------------------------------------------------------------------ what goes further


def linked(cells):
    """Where the links of some cells lead, without the section."""
    return {to.partition("#")[0] for c in cells for to in re.findall(r"\]\(([^)\s]+)\)", c.source)}


@pytest.mark.parametrize("name", FURTHER)
def test_what_goes_further_begins_as_its_core_and_says_what_it_needs(name):
    number = FURTHER[name].name[:2]
    first, setup = cells_of(number)[name][:2]
    assert re.match(rf"# {number} further · \S", first.source)
    assert "**What you need.**" in first.source and setup.cell_type == "code"
    assert f'\nmy = lesson("{number}")' in setup.source
    for core in cores().keys() & cells_of(number).keys():
        assert f"../{core}.ipynb" in linked([first])
        start = next(cell for cell in cells_of(number)[core] if cell.cell_type == "code")
        assert setup.source.splitlines()[-1] == start.source.splitlines()[-1]


@pytest.mark.parametrize("name", FURTHER)
def test_what_goes_further_is_found_from_its_core_the_map_and_the_guide(name, project):
    number = FURTHER[name].name[:2]
    map_of_all = next(iter(lesson_paths()))
    for core in {map_of_all, *(cores().keys() & cells_of(number).keys())}:
        assert f"{name}.ipynb" in linked(cells_of(core[:2])[core]), core
    guide = project / "notebooks" / "guide" / "all_lessons.md"
    assert f"](../{name}.ipynb" in guide.read_text("utf-8")


@pytest.mark.parametrize("number", numbers())
def test_recall_stands_in_cores_and_what_goes_further_is_marked_so(number):
    for name, cells in cells_of(number).items():
        for id in ids_in(cells)[0]:
            assert exercises(number)[id].further == (name in FURTHER), f"{id}: further="
            assert not (".r" in id and name in FURTHER), id


# ------------------------------------------- proofs that the runner sees problems


def test_a_raising_cell_ends_the_run(tmp_path):
    with pytest.raises(ZeroDivisionError):
        run(notebook("1 / 0"), tmp_path)


def test_the_runner_keeps_what_is_shown_in_its_order(tmp_path):
    done = run(notebook("x = 2", "print('a')\ndisplay(x)\nprint('b')\nx + 1"), tmp_path)
    kinds = [(one.get("text") or one.data["text/plain"]) for one in done.notebook.cells[1].outputs]
    assert kinds == ["a\n", "2", "b\n", "3"]
    assert done.names["x"] == 2


def test_a_warning_and_a_panel_that_shows_an_error_are_problems(tmp_path):
    warned = run(notebook("import sys; print('old', file=sys.stderr)"), tmp_path)
    assert problems(warned) == [f"{warned.notebook.cells[0].id}: stderr: old"]

    class Broken:
        error = ValueError("No such record.")

    assert problems(Run(new_notebook(), {"panel": Broken()}, {})) == ["panel: No such record."]


def test_the_runner_works_in_the_notebooks_folder_and_leaves_the_process_as_it_was(tmp_path):
    import os
    import sys

    before = os.getcwd(), sys.modules["__main__"], sys.stdout
    done = run(notebook("import os\nprint(os.getcwd())"), tmp_path)
    assert Path(done.notebook.cells[0].outputs[0].text.strip()).resolve() == tmp_path.resolve()
    assert (os.getcwd(), sys.modules["__main__"], sys.stdout) == before


def test_cleaning_strips_everything_and_keeps_ids_and_text(tmp_path):
    dirty = run(notebook("print('α × β')"), tmp_path).notebook
    dirty.cells[0].metadata = {"tags": ["hide-input"], "offers": {"m": [1]}, "collapsed": True}
    path = tmp_path / "dirty.ipynb"
    nbformat.write(dirty, path)
    assert not is_clean(path)
    assert main(["--clean", str(path)]) == 0
    assert is_clean(path)
    clean = nbformat.read(path, as_version=4)
    nbformat.validate(clean)
    cell = clean.cells[0]
    assert (cell.outputs, cell.execution_count) == ([], None)
    assert (cell.id, cell.source) == (dirty.cells[0].id, dirty.cells[0].source)
    assert cell.metadata == {"tags": ["hide-input"], "offers": {"m": [1]}}
    assert "α × β" in path.read_text("utf-8")


def test_cleaning_twice_changes_nothing(tmp_path):
    path = tmp_path / "twice.ipynb"
    nbformat.write(notebook("1"), path)
    clean_file(path)
    text = path.read_text("utf-8")
    assert cleaned(text) == text


# ------------------------------------------------------ no answer in sight of its question

FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)


def open_text(cell):
    """What a reader sees of a cell without unfolding anything: its text, and what it shows."""
    shown = [
        output.get("text", "") or output.get("data", {}).get("text/plain", "")
        for output in cell.get("outputs", [])
    ]
    return " ".join([FOLD.sub("", cell.source), *shown])


def test_a_cell_that_asks_is_answered_by_a_fold_a_check_or_a_prediction(executed):
    """Tagged "asks": up to what answers it, nothing that is open tells what is folded there."""
    cells = executed.notebook.cells
    for place, cell in enumerate(cells):
        if "asks" not in cell.metadata.get("tags", []):
            continue
        rest = cells[place:]
        end = next((k for k, one in enumerate(rest) if answers(one)), None)
        assert end is not None and end <= 4, f"{cell.id} asks, and nothing answers"
        folded = " ".join(FOLD.findall(rest[end].source))
        told = [one for one in re.split(r"(?<=[.?!])\s|\n", folded) if len(one) > 25]
        visible = " ".join(map(open_text, rest[: end + 1]))
        assert [one for one in told if one in visible] == [], cell.id


def answers(cell):
    """Tell whether a cell answers a question: in a fold, by a check, or by a prediction."""
    said = ("my.check(", "my.predict(", "my.fold(")
    return bool(FOLD.search(cell.source)) or any(one in cell.source for one in said)


ASKS = re.compile(r"\*\*(Predict first|Count by hand)")


def test_what_is_asked_in_the_text_is_not_shown_by_the_cell_below(executed):
    """What the next code cell with an output shows is predicted, checked or folded."""
    cells = executed.notebook.cells
    for place, cell in enumerate(cells):
        if cell.cell_type == "markdown" and ASKS.search(FOLD.sub("", cell.source)):
            rest = cells[place + 1 :]
            first = next(one for one in rest if one.get("outputs") or FOLD.search(one.source))
            assert answers(first) or "panel(" in first.source, f"{cell.id}, then {first.id}"
