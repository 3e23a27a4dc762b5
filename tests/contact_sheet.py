"""Photograph every panel of a lesson, at first, veiled and at both ends of every control.

    python tests/contact_sheet.py 02              all panels of 02 and of what goes further
    python tests/contact_sheet.py 02 --dark       on a dark page
    python tests/contact_sheet.py 02 --width=760  on a page of this width (1280 × 720: 860)

Writes sheets into screenshots/, to be looked at. The lesson is run in
this process and its panels stand still, so this is quick; tests/screenshots.py has the real thing.
"""

import sys
from html import escape
from pathlib import Path

from jupyter_browser import browser
from panel_moves import choose, settings

from synthrisk_classroom.running import lesson_paths, name_of, run_lesson
from synthrisk_edu.plots import look
from synthrisk_edu.widgets.canvas import png
from synthrisk_edu.widgets.panel import STYLE, Panel

FOLDER = Path(__file__).resolve().parent.parent / "screenshots"
PAGE = """<body data-jp-theme-light="{light}" style="margin: 8px; width: {width}px; {ground};
font-family: DejaVu Sans">{style}<style>table {{ font-size: 14px; max-height: 150px; display: block;
overflow: auto }} h4 {{ margin: 0 0 2px; font-size: 13px; color: #888 }}
section {{ width: {one}px; display: inline-block; vertical-align: top; margin: 0 24px 24px 0 }}
</style>{body}"""
ON_A_SHEET = 8  # pictures; a taller sheet cannot be read


def stills(panel):
    """Yield what each picture shows, and the picture as HTML."""
    yield "first", panel.still()
    bare = look.picture_html(png(panel.canvas.bare()), panel.canvas.size[0], "")
    yield "veiled", bare
    for name, control in panel.controls.items():
        start = control.value
        for value in settings(control):
            choose(control, value)
            yield f"{name} = {value}", panel.still()
        choose(control, start)


def distinct(pictures):
    """Return when → picture, each picture once."""
    first = {}
    for when, html in pictures:
        first.setdefault(html, when)
    return {when: html for html, when in first.items()}


def standing(run):
    """Return the standing pictures of a lesson by their cells."""
    shown = {}
    for cell in run.notebook.cells:
        for output in cell.get("outputs", []):
            html = output.get("data", {}).get("text/html", "")
            if "synthrisk-picture" in html and cell.id not in run.panels:
                shown[cell.id] = html
    return shown


def photograph(chromium, name, pictures, dark, width):
    """Photograph pictures, two beside each other, some on a sheet."""
    parts = [f"<section><h4>{escape(k)}</h4>{html}</section>" for k, html in pictures.items()]
    for number in range(0, len(parts), ON_A_SHEET):
        page = chromium.new_page(viewport={"width": 2 * width + 80, "height": 300})
        ground = "background: #111; color: #eee" if dark else "background: white"
        text = "".join(parts[number : number + ON_A_SHEET])
        light = str(not dark).lower()
        sizes = {"width": 2 * width + 60, "one": width}
        page.set_content(PAGE.format(light=light, ground=ground, style=STYLE, body=text, **sizes))
        file = FOLDER / f"{name}{'-dark' * dark}-{number // ON_A_SHEET + 1}.png"
        page.screenshot(path=file, full_page=True)
        page.close()
        print(file.name, flush=True)


def main(arguments):
    """Photograph the panels of the chosen lessons."""
    chosen = [one for one in arguments if not one.startswith("-")]
    width = int([860, *(one.split("=")[1] for one in arguments if one.startswith("--width"))][-1])
    dark = "--dark" in arguments
    FOLDER.mkdir(exist_ok=True)
    with browser() as chromium:
        for path in lesson_paths().values():
            if not any(path.stem.startswith(one) for one in chosen):
                continue
            run = run_lesson(path)
            name = name_of(path).replace("/", "-")
            for number, panel in enumerate(run.panels.values(), start=1):
                if not isinstance(panel, Panel):
                    continue
                photograph(chromium, f"{name}-{number}", distinct(stills(panel)), dark, width)
            photograph(chromium, f"{name}-standing", standing(run), dark, width)


if __name__ == "__main__":
    main(sys.argv[1:])
