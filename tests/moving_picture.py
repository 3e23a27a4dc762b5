"""Make the moving picture of the README from a real panel: `python tests/moving_picture.py`.

In a real JupyterLab the radius goes from 0 % to 60 % and back, a dot is read, and another person is
looked for; every step is photographed. Like the browser tests it needs chromium.
"""

import tempfile
from io import BytesIO
from pathlib import Path

import nbformat
from jupyter_browser import browser, jupyter_lab, open_notebook
from nbformat.v4 import new_code_cell, new_notebook
from notebook_runner import KERNEL
from PIL import Image

FILE = Path(__file__).resolve().parent.parent / "notebooks" / "pictures" / "moving.webp"
CELL = """from synthrisk_classroom import lesson
from synthrisk_edu import widgets
data = lesson("02").data
widgets.interval_panel(data.village, data.published, "Income")"""
WIDTH, SLOW, QUICK, STEP = 880, 1600, 130, 2  # pixels; milliseconds a frame; per cent a frame


def frames(page):
    """Yield (picture, milliseconds) of one round."""
    panel = page.panels()[0].element
    handle = panel.locator(".noUi-handle")

    def photograph():
        page.settle(80)
        picture = Image.open(BytesIO(panel.screenshot())).convert("RGB")
        return picture.crop((0, 0, WIDTH, picture.height))

    def walk(key, times):
        for _ in range(times):
            for _ in range(STEP):
                handle.press(key)
            yield photograph(), QUICK

    handle.press("Home")
    yield photograph(), SLOW
    yield from walk("ArrowRight", 30)
    yield photograph(), SLOW
    yield from walk("ArrowLeft", 20)
    x, y, *_ = _a_candidate(panel)
    page.page.mouse.move(x, y)
    yield photograph(), SLOW
    page.page.mouse.click(x, y)
    page.settle(300)
    yield photograph(), 2 * SLOW


def _a_candidate(panel):
    """Return where a candidate stands that is not the target's own record."""
    stage = panel.locator(".synthrisk-stage")
    box = stage.bounding_box()
    marks = stage.evaluate("stage => stage.shows().marks")
    width = stage.evaluate("stage => stage.shows().width")
    scale = box["width"] / width
    found = [m for m in marks if m[2].endswith("\na candidate") and "own" not in m[2]]
    x, y, *_ = found[0]
    return box["x"] + scale * x, box["y"] + scale * y


def main():
    """Photograph one round, and write it as an animated WebP."""
    with tempfile.TemporaryDirectory() as folder:
        book = new_notebook(cells=[new_code_cell(CELL)], metadata={"kernelspec": KERNEL})
        nbformat.write(book, Path(folder) / "moving.ipynb")
        with (
            browser() as chromium,
            jupyter_lab(folder) as lab,
            open_notebook(chromium, lab, "moving.ipynb") as page,
        ):
            page.run_all()
            taken = list(frames(page))
    pictures = [picture for picture, _ in taken]
    sizes = {"duration": [time for _, time in taken], "loop": 0, "quality": 70, "method": 6}
    pictures[0].save(FILE, save_all=True, append_images=pictures[1:], **sizes)
    print(f"{FILE.name}: {len(pictures)} frames, {FILE.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
