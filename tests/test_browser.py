"""The lessons in a real JupyterLab and a real browser: every control of every panel is used."""

import os
import re
from pathlib import Path

import nbformat
import pytest
from jupyter_browser import axe, jupyter_lab, open_notebook
from nbformat.v4 import new_code_cell, new_notebook

from synthrisk_classroom.running import lesson_paths

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = list(lesson_paths())
pytestmark = pytest.mark.slow

SMALLEST = 14  # pixels; less cannot be read on a projector
HIGHEST = 599  # pixels; more does not fit on a screen of 1280 × 720
SCREENSHOTS = os.environ.get("SYNTHRISK_EDU_SCREENSHOTS")  # a folder, for humans to look at

BAD_PANEL = """
import ipywidgets as w
slider, image = w.IntSlider(5, 0, 10), w.Image(value=b"")
sentence = w.HTML("Fine.")
sentence.add_class("synthrisk-sentence")

def move(change):
    sentence.value = "<br>Jump!" * change["new"]
    if change["new"] == 10:
        sentence.value = '<p class="synthrisk-error">Ten is too much.</p>'
        raise ValueError("ten")

slider.observe(move, "value")
panel = w.VBox([slider, sentence])
panel.add_class("synthrisk-panel")
panel
"""


@pytest.fixture(scope="module")
def lab():
    with jupyter_lab(FOLDER) as started:
        yield started


def save_screenshot(panel, name, when):
    if SCREENSHOTS:
        Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
        panel.screenshot(Path(SCREENSHOTS) / f"{name} {when}.png".replace(" ", "-"))


def use_panel(panel, name, strip=0):
    """Use every control of a panel; list what is wrong with it. `strip` is what is asked above."""
    where, found = f"panel {name}", []
    save_screenshot(panel, name, "first")
    first = panel.shown()
    if panel.element.evaluate("panel => panel.classList.contains('synthrisk-report')"):
        return [f"{where}: {text!r} is cut off" for text in panel.cut_off()]  # tests of its own
    pictures = {(first.images, first.numbers)}
    for step in panel.use_everything():
        shown = panel.shown()
        pictures.add((shown.images, shown.numbers))
        # At once, because the next step may clear it away.
        found += [f"{where}: shows {error!r} after {step}" for error in shown.errors]
        if not shown.sentence:
            found.append(f"{where}: no sentence after {step}")
        if shown.is_long:
            found.append(f"{where}: the sentence is too long after {step}")
        if abs(shown.height - first.height) > 1:
            found.append(f"{where}: height {first.height} became {shown.height} after {step}")
    save_screenshot(panel, name, "last")
    size, text = panel.smallest_text()
    if size < SMALLEST:
        found.append(f"{where}: {text!r} is only {size} pixels high")
    if first.height + strip > HIGHEST:
        found.append(f"{where}: {first.height} + {strip} pixels are higher than a screen")
    found += [f"{where}: {text!r} is cut off" for text in panel.cut_off()]
    if len(pictures) < 2:
        found.append(f"{where}: nothing that is shown ever changed")
    return found


def bars(page, when):
    """List what bars readers out of any panel or question of a notebook."""
    parts = [
        part for part in (".synthrisk-panel", ".synthrisk-predict") if page.query_selector(part)
    ]
    return [f"{when}: {text}" for text in axe(page, *parts)] if parts else []


@pytest.mark.parametrize("name", NOTEBOOKS[1:])
def test_every_control_of_every_panel(chromium, lab, name):
    with open_notebook(chromium, lab, f"{name}.ipynb") as page:
        page.run_all(seconds=400)
        assert page.problems() == []
        strips = [
            one.bounding_box()["height"] for one in page.page.locator(".synthrisk-asked").all()
        ]
        found = bars(page.page, "veiled")
        page.show_all()
        found += bars(page.page, "open")
        for place, panel in enumerate(page.panels(), start=1):
            found += use_panel(panel, f"{Path(name).name[:12]} {place}", max(strips, default=0))
        cells = nbformat.read(lab.folder / f"{name}.ipynb", as_version=4).cells
        built = [cell for cell in cells if re.search(r"_panel\(|intruder_game\(", cell.source)]
        assert len(page.panels()) == len(built) and found + page.problems() == []


def test_the_first_lesson_as_a_student_goes_through_it(chromium, lab):
    """With Shift+Enter at 1280 × 720, where the next cell must not push a panel out of view."""
    name = "00_start_here.ipynb"
    with open_notebook(chromium, lab, name) as page:
        page.page.set_viewport_size({"width": 1280, "height": 720})
        page.page.locator(".jp-Notebook .jp-Cell").first.click()
        page.page.keyboard.press("Escape")
        for cell in nbformat.read(lab.folder / name, as_version=4).cells:
            page.page.keyboard.press("Shift+Enter")
            page.settle(300)
            if "_panel(" in cell.source:
                page.show_all()
                page.page.wait_for_timeout(500)
                window = page.page.locator(".jp-WindowedPanel-outer").bounding_box()
                box = page.page.locator(".synthrisk-predict").bounding_box()
        (panel,) = page.panels()
        found = use_panel(panel, "00") + page.problems()
    assert window["y"] - 1 <= box["y"]
    assert box["y"] + box["height"] <= window["y"] + window["height"] + 1
    assert found == []


def test_the_harness_sees_a_bad_panel(chromium, lab):
    """The proof that the test above can fail, for each reason."""
    notebook = new_notebook(cells=[new_code_cell(BAD_PANEL)])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, lab.folder / "bad.ipynb")
    with open_notebook(chromium, lab, "bad.ipynb") as page:
        page.run_all()
        assert page.problems() == []
        found = use_panel(page.panels()[0], "bad")
        problems = page.problems()
    assert any("no sentence" in text for text in found)
    assert any("height" in text for text in found)
    assert any("shows 'Ten is too much.' after slider" in text for text in found)
    assert "panel bad: nothing that is shown ever changed" in found
    assert "kernel: ValueError: ten" in problems


ONE_PANEL = """import synthrisk_edu as sr
from synthrisk_edu import widgets
widgets.narrowing_panel(sr.load_acs().head(100), ["SEX", "MAR", "RACE"])"""


def test_the_next_day_a_sentence_stands_where_the_panel_was(chromium, lab):
    """The kernel has gone, and with it the panel; JupyterLab alone would say "model not found"."""
    notebook = new_notebook(cells=[new_code_cell(ONE_PANEL)])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, lab.folder / "next_day.ipynb")
    with open_notebook(chromium, lab, "next_day.ipynb") as page:
        page.run_all()
        assert not page.page.get_by_text("Run the cells above").is_visible()
        page.page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
        page.settle(500)
    assert (lab.folder / "next_day.ipynb").stat().st_size < 5000
    with open_notebook(chromium, lab, "next_day.ipynb") as page:
        page.page.get_by_text("Run the cells above").wait_for(state="visible")
        page.page.get_by_text("model not found").wait_for(state="hidden")
        page.run_all()
        assert not page.page.get_by_text("Run the cells above").is_visible()
        assert len(page.panels()) == 1
