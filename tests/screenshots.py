"""Take a picture of every panel of every lesson, and list them in notebooks/gallery.md.

    python tests/screenshots.py               all lessons, and the gallery
    python tests/screenshots.py 01 07         some lessons, only to look at: into screenshots/
    python tests/screenshots.py --dark        the dark theme, only to look at: into screenshots/
    python tests/screenshots.py --width=820   a window of this width, only to look at

It needs chromium, like the browser tests. The words under each picture are the panel's own. Beside
each lesson stand the heights of its panels, and what is cut off in them.
"""

import re
import sys
from io import BytesIO
from pathlib import Path

from jupyter_browser import browser, jupyter_lab, open_notebook
from PIL import Image

from synthrisk_classroom.running import lesson_paths, name_of

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
HEAD = """# All panels

What the panels look like, lesson by lesson. Each works by mouse and by keyboard. The pictures are
made by `tests/screenshots.py`.
"""
PICTURES = NOTEBOOKS / "pictures" / "panels"


def save_small(png, path):
    """Save a screenshot with 128 colours, which is a quarter of its size."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture = Image.open(BytesIO(png)).convert("RGB")
    picture.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


def photograph(page, folder):
    """Save all panels of an open lesson; return their file names and sentences."""
    taken = []
    for number, panel in enumerate(page.panels(), start=1):
        path = folder / f"{Path(page.name).stem}-{number}.png"
        save_small(panel.element.screenshot(), path)
        taken.append((path, panel.shown().sentence))
    return taken


def title(lesson):
    """Return the first heading of a lesson."""
    found = re.search(r'"# ([^"\\]+)', lesson.read_text(encoding="utf-8"))
    return found[1] if found else lesson.stem


def section(lesson, taken):
    """Return the lines of the gallery for one lesson."""
    lines = [f"## [{title(lesson)}]({name_of(lesson)}.ipynb)", ""] if taken else []
    for path, words in taken:
        source = path.relative_to(NOTEBOOKS).as_posix()
        alt = words.replace("[", "(").replace("]", ")")
        lines += [f"![{alt}]({source})", "", words, ""]
    return lines


def main(arguments):
    """Photograph the chosen lessons; write the gallery when it is all of them."""
    numbers = [one for one in arguments if not one.startswith("-")]
    widths = [int(one.split("=")[1]) for one in arguments if one.startswith("--width=")]
    chosen = [one for one in lesson_paths().values() if not numbers or one.name[:2] in numbers]
    folder = ROOT / "screenshots" if arguments else PICTURES
    lines = [HEAD]
    with browser() as chromium, jupyter_lab(NOTEBOOKS) as lab:
        for lesson in chosen:
            with open_notebook(chromium, lab, f"{name_of(lesson)}.ipynb") as page:
                page.page.set_viewport_size({"width": [1400, *widths][-1], "height": 1800})
                if "--dark" in arguments:
                    page.use_theme("JupyterLab Dark")
                page.run_all(seconds=400)
                page.show_all()
                taken = photograph(page, folder)
                heights = [round(panel.shown().height) for panel in page.panels()]
                cut = [text for panel in page.panels() for text in panel.cut_off()]
            print(lesson.name, heights, cut, flush=True)
            lines += [] if arguments else section(lesson, taken)
    if not arguments:
        (NOTEBOOKS / "gallery.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
