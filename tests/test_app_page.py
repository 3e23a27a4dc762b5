"""The app in a real browser: every screen fits, and only who has the token gets in."""

import contextlib
import importlib.util
import os
import re
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import psutil
import pytest
from jupyter_browser import free_port, server_environment

PROJECT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.slow
SCREENSHOTS = os.environ.get("SYNTHRISK_EDU_SCREENSHOTS")  # a folder, for humans to look at


def app_command(port, monkeypatch):
    """What `python3 start.py app` would run; the environment gets what it sets."""
    spec = importlib.util.spec_from_file_location("start", PROJECT / "start.py")
    start = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(start)
    commands = []
    start.set_up = lambda: None
    start.run = commands.append
    monkeypatch.setenv("JUPYTER_PATH", "")  # so that it is put back afterwards
    start.main(["app", "--no-browser", f"--port={port}"])
    return [sys.executable, *commands[0]]


@contextlib.contextmanager
def running_app(home, seconds=90):
    """Start the app as start.py does; yield the address with the token that it prints, and it."""
    log = home / "voila.log"
    with pytest.MonkeyPatch.context() as patch, open(log, "wb") as output:
        command = app_command(free_port(), patch)
        server = subprocess.Popen(
            command, env=server_environment(home), stdout=output, stderr=output
        )
        try:
            end = time.monotonic() + seconds
            while not (found := re.search(r"http://\S+token=\w+", log.read_text())):
                assert time.monotonic() < end and server.poll() is None, log.read_text()[-2000:]
                time.sleep(0.2)
            yield found[0], server
        finally:
            server.terminate()
            server.wait(30)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The address of a running app, and its server."""
    with running_app(tmp_path_factory.mktemp("app")) as started:
        yield started


def wait_for_change(read, before, page, seconds=30):
    """Wait until something on the page is not what it was, and return it."""
    end = time.monotonic() + seconds
    while (now := read()) == before:
        assert time.monotonic() < end, f"nothing changed: {before}"
        page.wait_for_timeout(100)
    return now


def test_the_app_shows_the_panels_alone(chromium, app):
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    page, problems, elsewhere = context.new_page(), [], []
    address, _ = app
    here = address.split("?")[0]
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda r: elsewhere.append(r.url))
    page.goto(address, timeout=180_000)
    page.get_by_text("Is Bea protected?").wait_for(timeout=60_000)
    page.locator("select").first.select_option("00 Start here")
    page.get_by_text("Predict first").wait_for(timeout=30_000)
    page.get_by_role("button", name="look", exact=True).press("Enter")
    panel = page.locator(".synthrisk-panel")
    panel.locator("img").wait_for(timeout=60_000)

    # A slider by keyboard: the picture and the sentence change.
    sentence = panel.locator(".synthrisk-sentence")
    before, picture = sentence.inner_text(), panel.locator("img").get_attribute("src")
    panel.locator(".noUi-handle").first.press("ArrowRight")
    wait_for_change(sentence.inner_text, before, page)
    wait_for_change(lambda: panel.locator("img").get_attribute("src"), picture, page)
    sizes = "e => parseFloat(getComputedStyle(e).fontSize) * e.currentCSSZoom"
    assert sentence.locator("p").evaluate(sizes) >= 18
    assert panel.locator(".widget-label:visible").first.evaluate(sizes) >= 18

    # Another panel, chosen from the two lists: a round of the game.
    page.locator("select").first.select_option("01 The matching approach")
    page.locator("select").nth(1).select_option("The intruder game")
    wait_for_rest(page)  # or the question comes after the look
    page.get_by_role("button", name="look", exact=True).press("Enter")
    game = page.locator(".synthrisk-game")
    game.wait_for(timeout=30_000)
    assert page.locator(".synthrisk-panel").count() == 1
    sentence = game.locator(".synthrisk-sentence")
    assert sentence.inner_text().startswith("Target 1 of 10")
    asked = sentence.inner_text()
    game.get_by_role("button", name="A", exact=True).press("Enter")
    said = wait_for_change(sentence.inner_text, asked, page)
    assert said.startswith(("Right", "Wrong"))
    assert "Target 2 of 10" in said
    game.get_by_role("button", name="look back").press("Enter")
    game.get_by_role("button", name="go on").wait_for(timeout=30_000)
    if SCREENSHOTS:
        Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(SCREENSHOTS) / "app.png")
    for width, height in ((1280, 720), (1920, 1080)):  # no scrolling, and large letters
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(500)
        whole = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        assert page.evaluate(whole) == [width, height]
        bottom = sentence.evaluate("e => e.getBoundingClientRect().bottom")
        assert bottom <= height
    assert sentence.locator("p").evaluate(sizes) >= 27
    assert page.locator(".synthrisk-error").count() == 0
    assert page.locator(".jp-InputArea-editor, .highlight").count() == 0  # no code
    allowed = (here, here.replace("http", "ws"), "data:", "blob:")
    assert [url for url in elsewhere if not url.startswith(allowed)] == []
    assert problems == []
    context.close()


# What does not fit the screen: the page, a box that has to be scrolled, something below the edge.
OVERFLOW = """() => {
    const found = [], whole = document.documentElement;
    if (whole.scrollHeight > innerHeight || whole.scrollWidth > innerWidth) found.push("page");
    for (const one of document.querySelectorAll(".synthrisk-app *")) {
        const box = one.getBoundingClientRect(), scrolls = getComputedStyle(one).overflowY;
        if (!box.height) continue;
        if (scrolls === "auto" && one.scrollHeight > one.clientHeight + 2) found.push("scrolls");
        if (box.bottom > innerHeight + 1) found.push("below: " + one.className);
    }
    return found;
}"""


def wait_for_rest(page):
    """Wait until the page has been the same for two tenths of a second."""
    read = partial(page.evaluate, "document.body.textContent.length + ' ' + document.images.length")
    before, same = None, 0
    while same < 3:
        page.wait_for_timeout(70)
        now = read()
        before, same = now, same + 1 if now == before else 0


def screens(page):
    """Turn to every view of every step of every lesson in the app; yield what it is."""
    lessons, steps = page.locator("select").nth(0), page.locator("select").nth(1)
    for number, lesson in enumerate(lessons.locator("option").all_inner_texts()):
        if number:
            before = steps.inner_text()
            lessons.select_option(lesson)
            wait_for_change(steps.inner_text, before, page)
        for step in steps.locator("option").all_inner_texts():
            steps.select_option(step)
            wait_for_rest(page)
            for view in page.locator(".widget-toggle-buttons").first.locator("button").all():
                view.click()
                wait_for_rest(page)
                page.get_by_text("is being built").wait_for(state="hidden", timeout=60_000)
                wait_for_rest(page)
                yield f"{lesson}, {step}, {view.inner_text()}"


def test_every_screen_of_the_app_fits(chromium, app):
    """Nothing is scrolled at 1280 × 720; other windows show the same, larger or smaller."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(app[0], timeout=180_000)
    page.get_by_text("Is Bea protected?").wait_for(timeout=60_000)
    found = {screen: page.evaluate(OVERFLOW) for screen in screens(page)}
    context.close()
    assert len(found) > 80
    assert {screen: overflow for screen, overflow in found.items() if overflow} == {}


def kernels(server):
    """The kernels that a server has started and that still run."""
    children = psutil.Process(server.pid).children(recursive=True)
    return {child for child in children if "ipykernel_launcher" in " ".join(child.cmdline())}


def test_the_app_lets_in_only_who_has_the_token_and_ends_its_kernels(chromium, app):
    address, server = app
    here, context, before = address.split("?")[0], chromium.new_context(), kernels(server)
    page = context.new_page()
    for wrong in (here, here + "?token=wrong", here + "login", here + "voila/api/shutdown/x"):
        assert page.request.get(wrong).status == 403, wrong
    assert page.request.get(address, headers={"Host": "example.org"}).status == 403
    assert kernels(server) <= before

    page.goto(address, timeout=180_000)
    page.locator(".synthrisk-app select").first.wait_for(timeout=60_000)
    (first,) = kernels(server) - before
    page.reload(timeout=180_000)
    page.locator(".synthrisk-app select").first.wait_for(timeout=60_000)
    psutil.wait_procs([first], timeout=20)
    (second,) = kernels(server) - before
    assert second != first
    page.close(run_before_unload=True)
    psutil.wait_procs([second], timeout=20)
    assert kernels(server) <= before
    context.close()
