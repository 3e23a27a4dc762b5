"""The lessons in a real JupyterLab and a real browser: every control of every panel is used."""

import os
from pathlib import Path

import nbformat
import pytest
from jupyter_browser import browser, find_chromium, jupyter_lab, open_notebook
from nbformat.v4 import new_code_cell, new_notebook

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))
SMALLEST = 14  # pixels; less cannot be read on a projector
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
def chromium():
    if find_chromium() is None:
        # Continuous integration installs chromium, so there a skip would hide a mistake.
        refuse = pytest.fail if os.environ.get("CI") else pytest.skip
        refuse("no chromium is installed (Debian: apt install chromium fonts-dejavu-core)")
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def lab():
    with jupyter_lab(FOLDER) as started:
        yield started


def save_screenshot(panel, name, number, when):
    if SCREENSHOTS:
        Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
        panel.screenshot(Path(SCREENSHOTS) / f"{Path(name).stem}-panel-{number}-{when}.png")


def use_panel(panel, name, number):
    """Use every control of a panel; list what is wrong with it."""
    where, found = f"panel {number}", []
    save_screenshot(panel, name, number, "first")
    height, pictures = panel.height(), {tuple(panel.images())}
    for step in panel.use_everything():
        pictures.add(tuple(panel.images()))
        # At once, because the next step may clear it away.
        found += [f"{where}: shows {error!r} after {step}" for error in panel.errors()]
        if not panel.sentence():
            found.append(f"{where}: no sentence after {step}")
        if abs(panel.height() - height) > 1:
            found.append(f"{where}: height {height} became {panel.height()} after {step}")
    save_screenshot(panel, name, number, "last")
    size, text = panel.smallest_text()
    if size < SMALLEST:
        found.append(f"{where}: {text!r} is only {size} pixels high")
    if len(pictures) < 2:
        found.append(f"{where}: the picture never changed")
    return found


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_control_of_every_panel(chromium, lab, name):
    with open_notebook(chromium, lab, name) as page:
        page.run_all()
        assert page.problems() == []
        panels = page.panels()
        assert panels, "a lesson without a panel"
        found = []
        for number, panel in enumerate(panels, start=1):
            found += use_panel(panel, name, number)
        assert found + page.problems() == []


def test_the_harness_sees_a_bad_panel(chromium, lab):
    """The proof that the test above can fail, for each reason."""
    notebook = new_notebook(cells=[new_code_cell(BAD_PANEL)])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, lab.folder / "bad.ipynb")
    with open_notebook(chromium, lab, "bad.ipynb") as page:
        page.run_all()
        assert page.problems() == []
        found = use_panel(page.panels()[0], "bad.ipynb", 1)
        problems = page.problems()
    assert any("no sentence" in text for text in found)
    assert any("height" in text for text in found)
    assert any("shows 'Ten is too much.' after slider" in text for text in found)
    assert "panel 1: the picture never changed" in found
    assert "kernel: ValueError: ten" in problems
