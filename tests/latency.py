"""How long from a key, a click or the pointer to what is seen, in a real browser.

    python tests/latency.py          every panel of every lesson
    python tests/latency.py 02 06    some lessons

Prints a row for each panel: a key or another control, and a click on a mark, in milliseconds until
the new picture is decoded (medians); and the slowest of a hundred moves of the pointer, which never
leave the page. Needs a quiet machine, and chromium like the browser tests.
"""

import statistics
import sys
from pathlib import Path

from jupyter_browser import browser, jupyter_lab, open_notebook

from synthrisk_classroom.running import lesson_paths, name_of

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
TIMES = 9
# Starts a watch that ends when the picture of the panel has new pixels, and these are decoded.
WATCH = """panel => {
    const image = panel.querySelector('img.synthrisk-picture');
    const start = performance.now();
    window.seen = new Promise(done => {
        const watch = new MutationObserver(async () => {
            watch.disconnect();
            await image.decode().catch(() => {});
            done(performance.now() - start);
        });
        watch.observe(image, {attributes: true, attributeFilter: ['src']});
        setTimeout(() => done(null), 3000);
    });
}"""
HOVER = """panel => {
    const stage = panel.querySelector('.synthrisk-stage'), box = stage.getBoundingClientRect();
    let slowest = 0;
    for (let k = 0; k < 100; k++) {
        const start = performance.now();
        stage.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, pointerType: 'mouse',
            clientX: box.x + box.width * (k % 10) / 10, clientY: box.y + box.height * k / 100}));
        stage.getBoundingClientRect();
        slowest = Math.max(slowest, performance.now() - start);
    }
    return slowest;
}"""


def median_of(page, panel, act):
    """Return the median time of an action that changes the picture; None where none did."""
    times = []
    for number in range(TIMES):
        panel.element.evaluate(WATCH)
        act(number)
        took = page.page.evaluate("window.seen")
        if took is not None:
            times.append(took)
        page.settle(30)
    return statistics.median(times) if times else None


def press(panel):
    """Return an action that moves the first control which moves the picture."""
    element = panel.element
    handle = element.locator(".noUi-handle:not([aria-disabled])")
    if handle.count():
        return lambda k: handle.first.press("ArrowRight" if k % 2 == 0 else "ArrowLeft")
    box = element.locator("input[type=checkbox]:enabled")
    if box.count():
        return lambda k: box.first.press("Space")
    select = element.locator("select:enabled")
    if select.count():
        return lambda k: select.first.press("ArrowDown" if k % 2 == 0 else "ArrowUp")
    buttons = element.locator("button:enabled")
    return lambda k: buttons.nth(k % 2).click()


def click(page, panel):
    """Return an action that clicks one mark after the other; None where none can be chosen."""
    stage = panel.element.locator(".synthrisk-stage")
    stage.scroll_into_view_if_needed()
    found = [mark for mark in stage.evaluate("stage => stage.shows().marks") if mark[3]]
    if not found:
        return None
    width = stage.evaluate("stage => stage.shows().width")

    def act(number):
        box = stage.bounding_box()
        x, y, *_ = found[(number * 7 + 1) % len(found)]
        scale = box["width"] / width
        page.page.mouse.click(box["x"] + scale * x, box["y"] + scale * y)

    return act


def main(arguments):
    """Print a row for each panel of the chosen lessons."""
    print(f"{'panel':34}{'key':>8}{'click':>8}{'hover':>8}   (ms)")
    with browser() as chromium, jupyter_lab(NOTEBOOKS) as lab:
        for path in lesson_paths().values():
            if arguments and path.stem[:2] not in arguments:
                continue
            with open_notebook(chromium, lab, f"{name_of(path)}.ipynb") as page:
                page.page.set_viewport_size({"width": 1280, "height": 900})
                page.run_all(seconds=400)
                page.show_all()
                for number, panel in enumerate(page.panels(), start=1):
                    if not panel.element.locator(".synthrisk-stage").count():
                        continue
                    key = median_of(page, panel, press(panel))
                    act = click(page, panel)
                    clicked = median_of(page, panel, act) if act else None
                    row = [key, clicked, panel.element.evaluate(HOVER)]
                    shown = "".join(f"{'–' if t is None else f'{t:.1f}':>8}" for t in row)
                    print(f"{name_of(path)[:30]} {number}".ljust(34) + shown, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
