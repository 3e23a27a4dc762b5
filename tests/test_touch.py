"""Pictures in a real JupyterLab: hovered, clicked, dragged, drawn on, by mouse, finger and keys."""

import nbformat
import pytest
from jupyter_browser import NOTEBOOK_7, axe, jupyter_lab, open_notebook
from nbformat.v4 import new_code_cell, new_notebook
from notebook_runner import KERNEL
from playwright.sync_api import expect

from synthrisk_edu.widgets.touch import Plain, Touch, new_picture, script

SET_UP = """import synthrisk_edu as sr
from synthrisk_classroom import lesson
from synthrisk_edu import widgets
my = lesson("02")
village, published = my.data.village, my.data.published
"""
CELLS = [
    SET_UP,
    'widgets.interval_panel(village, published, "Income")',
    'widgets.box_panel(village, published, "Income", "Expenditure", "Tenure")',
    'drawn = lesson("08")\n'
    'drawn.predict("08.c", widgets.copies_panel(sr.load_results("members_copies")))',
]
slow = pytest.mark.slow


def write_notebook(folder, cells, name="touched.ipynb"):
    """Write a notebook of these cells; return its name."""
    cells = [new_code_cell(source) for source in cells]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), folder / name)
    return name


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebooks")
    write_notebook(folder, CELLS)
    return folder


@pytest.fixture
def opened(chromium, folder):
    """The notebook, run, in a new page; its panels are an interval, a box and a question."""
    with jupyter_lab(folder) as lab, open_notebook(chromium, lab, "touched.ipynb") as page:
        page.page.set_viewport_size({"width": 1280, "height": 2200})
        page.run_all()
        yield page
        assert page.problems() == []


def panel_of(page, number):
    """The parts of a panel: its stage, its tip, its sentence, its slider handles."""
    panel = page.page.locator(".synthrisk-panel").nth(number)
    return panel, panel.locator(".synthrisk-stage"), panel.locator(".synthrisk-tip")


def marks(page, number):
    """The marks of a picture, as the kernel sent them, in pixels of the window."""
    stage = page.page.locator(".synthrisk-stage").nth(number)
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    found, width = stage.evaluate("stage => [stage.shows().marks, stage.shows().width]")
    scale = box["width"] / width
    return [(box["x"] + scale * x, box["y"] + scale * y, *rest[:2]) for x, y, *rest in found]


@slow
def test_hover_click_drag_and_draw(opened):
    page = opened.page
    panel, stage, tip = panel_of(opened, 0)
    sentence = panel.locator(".synthrisk-sentence")
    x, y, words, sets = marks(opened, 0)[0]
    # Hover: the record in words, without a word to the kernel.
    before = page.evaluate("kernelWatch.last")
    page.mouse.move(x + 1, y + 1)
    assert tip.inner_text() == words and tip.is_visible()
    assert page.evaluate("kernelWatch.last") == before
    assert stage.evaluate("stage => getComputedStyle(stage).cursor") == "pointer"
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    # Click, twice on the same dot, and on another one: each becomes the target.
    for x, y, _words, sets in (marks(opened, 0)[0], marks(opened, 0)[0], marks(opened, 0)[5]):
        page.mouse.click(x, y)
        opened.settle(200)
        assert sentence.inner_text().startswith(f"Record {sets['target']}:")
        assert panel.get_by_role("textbox", name="target").input_value() == str(sets["target"])
    # Drag an edge of the range: the radius follows.
    readout = panel.locator(".widget-readout")
    edge = panel.locator(".synthrisk-edge").nth(1).bounding_box()
    start = readout.inner_text()
    page.mouse.move(edge["x"] + 7, edge["y"] + 20)
    page.mouse.down()
    page.mouse.move(edge["x"] + 60, edge["y"] + 20, steps=8)
    page.mouse.up()
    opened.settle(300)
    assert int(readout.inner_text()) > int(start)
    assert f"{readout.inner_text()}\xa0% of the target's" in sentence.inner_text()
    # Draw: three handles, and the boxes follow.
    asked = page.locator(".synthrisk-asked")
    ready = asked.get_by_role("button", name="that is my guess")
    assert ready.get_attribute("aria-disabled") == "true"
    for number in range(3):
        box = page.locator(".synthrisk-handle").nth(number).bounding_box()
        page.mouse.move(box["x"] + 22, box["y"] + 22)
        page.mouse.down()
        page.mouse.move(box["x"] + 22, box["y"] + 22 + 20 * number, steps=4)
        page.mouse.up()
    opened.settle(300)
    typed = asked.locator("input").evaluate_all("boxes => boxes.map(box => Number(box.value))")
    assert typed == sorted(typed, reverse=True) and typed[0] > typed[2] > 0
    ready.click()
    opened.settle(400)
    page.wait_for_timeout(400)
    assert "you said" in asked.inner_text() and page.locator(".synthrisk-handle").count() == 0


@slow
def test_by_keyboard_alone(opened):
    """Plain keys stay in the panel; the knob walks the marks; handles are sliders."""
    page = opened.page
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    panel, _stage, tip = panel_of(opened, 0)
    panel.locator(".noUi-handle").focus()
    for key in ("d", "d", "a", "x"):
        page.keyboard.press(key)
    assert cells.count() == len(CELLS) and panel.is_visible()
    knob = panel.get_by_role("slider", name="read a mark")
    knob.focus()
    walked = []
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        walked.append(knob.get_attribute("aria-valuetext"))
    assert len(set(walked)) == 3 and tip.inner_text() == walked[-1]
    page.keyboard.press("Enter")
    opened.settle(300)
    record = walked[-1].split("\n")[0].split(" ")[1].strip(",")
    assert panel.locator(".synthrisk-sentence").inner_text().startswith(f"Record {record}:")
    assert page.evaluate("document.activeElement.className").startswith("synthrisk-knob")
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    # A handle by keys: the asked unit, and both ends.
    handle = page.locator(".synthrisk-handle").first
    handle.focus()
    page.keyboard.press("End")
    top = float(handle.get_attribute("aria-valuenow"))
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowDown")
    lower = float(handle.get_attribute("aria-valuenow"))
    page.keyboard.press("Home")
    assert 0 == float(handle.get_attribute("aria-valuenow")) < lower < top
    opened.settle(300)
    first = page.locator(".synthrisk-asked input").first
    assert first.input_value() == "0"
    first.fill(f"{top:g}")
    expect(handle).to_have_attribute("aria-valuenow", f"{top:g}")
    # Veiled controls are no tab stops; those of an open panel have names.
    veiled = page.locator(".synthrisk-predict .synthrisk-controls .noUi-handle")
    assert veiled.get_attribute("tabindex") == "-1"
    assert veiled.get_attribute("aria-disabled") == "true"
    sliders = page.locator(".noUi-handle").evaluate_all(
        "all => all.map(one => [one.ariaLabel, one.ariaValueText])"
    )
    assert all(name and said for name, said in sliders)
    pressed = panel.locator(".widget-toggle-buttons button")
    assert sorted(one.get_attribute("aria-pressed") for one in pressed.all()) == ["false", "true"]


HANDLE = {"label": "your guess", "unit": "", "from": [50, 90], "to": [50, 10], "low": 0}
HANDLE |= {"high": 100, "step": 1, "value": None}
PICTURE = {"src": "", "width": 100, "height": 100, "alt": "", "hint": "", "marks": [], "edges": []}
PICTURE |= {"handles": [HANDLE], "joined": False, "heard": 7}


@slow
def test_what_is_typed_is_never_taken_for_an_old_place_of_the_hand(chromium):
    """The page counts what it told; the kernel counts what it heard, so no clock is needed."""
    page = chromium.new_page()
    page.set_content("<div id='picture'></div>")
    page.add_script_tag(content=script("touch.js"))
    page.evaluate("""() => {
        window.told = [];
        window.show = touchable(document.getElementById("picture"), one => told.push(one));
    }""")

    def shown(value, heard):
        """Where the handle stands after the kernel has sent this."""
        sent = PICTURE | {"handles": [HANDLE | {"value": value}], "heard": heard}
        page.evaluate("state => show(state)", sent)
        return float(page.locator(".synthrisk-handle").get_attribute("aria-valuenow"))

    assert shown(None, 7) == 50
    handle = page.locator(".synthrisk-handle")
    handle.focus()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert [one["drawn"] for one in page.evaluate("told")] == [[0, 100], [0, 0]]
    assert shown(100, 8) == 0  # the hand has gone on
    # Both moves are heard, but never seen at 0: what was typed next came with the same message.
    assert shown(33, 9) == 33
    assert shown(44, 9) == 44
    page.close()


@slow
def test_axe_finds_nothing_light_and_dark(opened):
    parts = (".synthrisk-panel", ".synthrisk-predict")
    assert axe(opened.page, *parts) == []
    opened.show_all()
    assert axe(opened.page, *parts) == []
    opened.use_theme("JupyterLab Dark")
    filters = opened.page.locator("img.synthrisk-picture").evaluate_all(
        "all => all.map(one => getComputedStyle(one).filter)"
    )
    assert filters and all("invert" in one for one in filters)


@slow
def test_a_number_typed_and_clicked_at_once_is_not_lost(opened):
    page = opened.page
    asked = page.locator(".synthrisk-asked")
    for number in range(12):
        boxes = asked.locator("input")
        for place in range(3):
            boxes.nth(place).fill(f"0.0{place + 1}{number}")
        ready = asked.get_by_role("button", name="that is my guess")
        ready.click()
        asked.get_by_role("button", name="guess again").wait_for()
        opened.settle(300)
        assert "you said 0.01" in asked.inner_text(), asked.inner_text()
        asked.get_by_role("button", name="guess again").click()
        asked.locator("input").first.wait_for()
        opened.settle(300)


@slow
def test_a_finger_reads_first_and_chooses_then(chromium, folder):
    with jupyter_lab(folder) as lab:
        context = chromium.new_context(has_touch=True, viewport={"width": 1024, "height": 1400})
        with open_notebook(chromium, lab, "touched.ipynb", context=context) as page:
            page.run_all()
            panel, _stage, tip = panel_of(page, 0)
            x, y, words, sets = marks(page, 0)[3]
            page.page.touchscreen.tap(x, y)
            assert tip.inner_text().startswith(words) and "Tap again" in tip.inner_text()
            assert panel.locator(".synthrisk-sentence").inner_text().startswith("Record 0:")
            page.page.touchscreen.tap(x, y)
            page.settle(300)
            sentence = panel.locator(".synthrisk-sentence").inner_text()
            assert sentence.startswith(f"Record {sets['target']}:")


# ------------------------------------------------------------------------- without anywidget
def test_a_setting_makes_pictures_plain(monkeypatch):
    assert isinstance(new_picture(10, 10), Touch)
    monkeypatch.setenv("SYNTHRISK_TOUCH", "0")
    assert isinstance(new_picture(10, 10), Plain)


@slow
def test_plain_pictures_in_a_server_without_anywidget(chromium, tmp_path, monkeypatch):
    """The server's own folder of extensions has none of anywidget's; the lesson works."""
    monkeypatch.setenv("SYNTHRISK_TOUCH", "0")
    write_notebook(tmp_path, CELLS)
    with (
        jupyter_lab(tmp_path, without="anywidget") as lab,
        open_notebook(chromium, lab, "touched.ipynb") as page,
    ):
        page.run_all()
        page.show_all()
        page.panels()[0].element.locator(".noUi-handle").focus()
        before = page.panels()[0].shown()
        page.page.keyboard.press("ArrowRight")
        page.settle(300)
        after = page.panels()[0].shown()
        assert after.images != before.images and after.sentence != before.sentence
        assert page.problems() == []


@slow
def test_notebook_7_leaves_plain_keys_to_the_panel(chromium, folder):
    """It listens to keys before a panel can: arrows moved the page, and "d d" deleted the cell."""
    with (
        jupyter_lab(folder, front_end=NOTEBOOK_7) as lab,
        open_notebook(chromium, lab, "touched.ipynb") as page,
    ):
        page.run_all()
        panel, _stage, _tip = panel_of(page, 0)
        slider = panel.locator(".noUi-handle")
        slider.focus()
        before = slider.get_attribute("aria-valuenow")
        for key in ("ArrowRight", "d", "d", "a", "x"):
            page.page.keyboard.press(key)
        page.settle(300)
        assert float(slider.get_attribute("aria-valuenow")) > float(before)
        cells = page.page.locator(".jp-Notebook .jp-CodeCell")
        assert cells.count() == len(CELLS) and panel.is_visible()
        x, y, _words, sets = marks(page, 0)[5]
        page.page.mouse.click(x, y)
        page.settle(300)
        sentence = panel.locator(".synthrisk-sentence").inner_text()
        assert sentence.startswith(f"Record {sets['target']}:")
        # Its own settings make this complaint on an empty notebook, too.
        its_own = "console: Cannot read properties of undefined (reading 'schema')"
        assert [one for one in page.problems() if one != its_own] == []


@slow
def test_axe_finds_nothing_in_the_panel_of_the_report(chromium, tmp_path):
    """Empty, with roles to choose, with a sentence about a mistake, and with a report."""
    cells = [SET_UP, "widgets.report_panel(village.head(40), published.head(40))"]
    write_notebook(tmp_path, cells)
    with jupyter_lab(tmp_path) as lab, open_notebook(chromium, lab, "touched.ipynb") as page:
        page.run_all()
        panel = page.page.locator(".synthrisk-panel")
        assert axe(page.page, ".synthrisk-panel") == []
        panel.get_by_role("button", name="Make the report").click()
        page.settle(300)
        assert panel.get_by_role("status").inner_text().startswith("Something went wrong")
        panel.get_by_label("Urban").select_option("known")
        panel.get_by_label("Income").select_option("synthesized")
        panel.get_by_role("button", name="Make the report").click()
        panel.get_by_text("The report stands below").wait_for(timeout=60_000)
        assert axe(page.page, ".synthrisk-panel") == []


@slow
def test_forced_colours_and_reduced_motion(opened):
    """What is pressed has a border where colours are the reader's; the truth appears at once."""
    page = opened.page
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    pressed = page.locator(".synthrisk-panel .mod-active").first
    assert pressed.evaluate("button => getComputedStyle(button).borderTopWidth") == "3px"
    page.evaluate("""() => {
        window.moves = [];
        document.addEventListener('animationstart', event => moves.push(event.animationName));
    }""")
    opened.show_all()
    page.wait_for_timeout(1200)  # as long as it would have taken
    assert page.evaluate("moves") == []
    page.emulate_media(forced_colors="none", reduced_motion="no-preference")
    page.get_by_role("button", name="guess again").click()
    opened.settle(300)
    opened.show_all()
    assert page.evaluate("moves") == ["synthrisk-appear"]
