"""The class hour on the projector: the room votes, and every step can be seen from the last row."""

import contextlib
import json
import random
import re
import subprocess
import sys
import time
from functools import cache
from html import unescape
from itertools import pairwise

import nbformat
import pandas as pd
import psutil
import pytest
from jupyter_browser import free_port
from matplotlib.text import Text
from panel_moves import choose, settings

from synthrisk_classroom.forms import Estimate, OneOf
from synthrisk_classroom.projector import Deck, Shown, Vote, question, vote
from synthrisk_classroom.running import NOTEBOOKS, run
from synthrisk_edu.plots.look import Screen, tidy
from synthrisk_edu.plots.picture import picture
from synthrisk_edu.widgets.canvas import Canvas
from synthrisk_edu.words import rounded

QUESTION, SENTENCE, LABEL = 44, 32, 24  # pixels of 1920 × 1080, at least
PLANS = {"hour": 50, "office": 45}  # minutes


@cache
def names():
    """All that the notebook has made, once; who moves something puts it back."""
    return run(nbformat.read(NOTEBOOKS / "class_hour.ipynb", as_version=4), NOTEBOOKS).names


def deck():
    """All steps."""
    return names()["deck"]


def votes():
    """The steps in which the room votes, by title."""
    return {title: shown for title, shown, _ in deck().steps if isinstance(shown, Vote)}


def panels():
    """The steps that have a panel, by title."""
    return {title: one.panel for title, one in votes().items() if hasattr(one.panel, "controls")}


# ------------------------------------------------------------------------- the plans


@pytest.mark.parametrize("plan", PLANS)
def test_the_minutes_of_a_plan_add_up(plan):
    steps = deck().plan(plan)
    assert steps[0][2] == 0 and steps[-1][3] == PLANS[plan]
    assert all(before[3] == after[2] for before, after in pairwise(steps))


def test_every_step_belongs_to_a_plan_and_nearly_all_ask():
    assert all(set(minutes) <= set(PLANS) and minutes for _, _, minutes in deck().steps)
    assert [title for title, _, _ in deck().steps if title not in votes()] == ["Your own file"]


def test_what_is_said_of_the_tables_holds():
    ten, five = names()["counted"], names()["five"]
    said = {"Ana": (1, 1), "Bea": (1, 0), "Dora": (0, 0), "Hugo": (2, 0)}
    assert {name: tuple(ten.loc[name, ["c", "T"]]) for name in said} == said
    same = five.confidential.Income == five.synthetic.Income
    assert list(same.index[same]) == ["Bea"]
    confidential, synthetic, floor = names()["risk"].values()
    assert abs(synthetic - floor) < 0.05 * floor < 0.05 * confidential


def test_nothing_refers_to_what_the_room_cannot_see():
    for title, one in votes().items():
        said = [one.prediction.question, *(words for *_, words in one.prediction.rows(one.panel))]
        if title in panels():
            _pixels, shown = one.panel.draw(one.panel.compute(**one.panel.values()))
            said += [shown.words, *(f"{tile.label} {tile.words}" for tile in shown.tiles)]
        for text in said:
            assert not re.search(r"\b(sections?|lessons?|exercises?|cells?|above|below)\b", text)


def test_all_words_in_the_pictures_are_large_enough():
    for title, panel in panels().items():
        panel.unveil()
        for control in panel.controls.values():
            start = control.value
            for value in [*settings(control), start]:
                choose(control, value)
                assert panel.error is None, (title, panel.error)
                assert smallest_letters(panel) >= LABEL, title
        panel.veil()


def smallest_letters(panel):
    """The size of the smallest words in the picture of a panel, in its pixels."""
    figure = panel.canvas.figure
    sizes = [one.get_fontsize() for one in figure.findobj(Text) if one.get_text().strip()]
    return min(sizes) * figure.dpi / 72


def test_a_picture_of_another_size_is_drawn_not_stretched():
    @picture(height=3, rows=2, columns=3)
    def six(axes):
        for ax in axes.flat:
            tidy(ax, "a title", "below", "beside")

    widths = []
    for screen in (None, Screen(1800, 600, 168), Screen(1800, 700, 204)):
        canvas = Canvas(six, screen=screen)
        assert screen is None or canvas.size == (screen.width, screen.height)
        height, width, _colours = canvas.bare().shape
        assert (width, height) == tuple(round(side * canvas.sharp) for side in canvas.size)
        boxes = [ax.get_tightbbox().bounds for ax in canvas.figure.axes]
        assert all(x >= -1 and x + across <= width + 1 for x, _, across, _ in boxes)
        title = canvas.figure.axes[0].title.get_window_extent()
        widths.append(title.width / canvas.figure.dpi)
    assert widths == pytest.approx([widths[0]] * 3, rel=0.05)


# -------------------------------------------------------------------------- the vote


def ask(form, truth):
    """A vote on nothing in particular."""
    return vote(question("Which?", form, truth, "Because <so>."), Shown(small_table()))


def small_table():
    """A small table with a sign that HTML would take for its own."""
    return pd.DataFrame({"name": ["a<b"], "number": [1]})


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        (["3", "1"], "No: you said “up”; the answer is “down”. Because <so>."),
        (["", "2"], "Right: the answer is “down”. Because <so>."),
        (["", ""], "The answer is “down”. Because <so>."),
        (["2", "2"], "no option has most of the hands"),
        (["two", "1"], "“two” is no number of hands"),
        (["5%", "1"], "“5%” is no number of hands"),
    ],
)
def test_hands_are_counted(hands, said):
    asked = ask(OneOf({"up": "up", "down": "down"}), "down")
    for box, number in zip(asked.fields, hands, strict=True):
        box.value = number
    asked.answer()
    shown = asked.words.value.replace("&lt;", "<").replace("&gt;", ">")
    assert said in shown and "Which?" in shown
    counted = [f"{name}: {number}<" for name, number in zip(["up", "down"], hands, strict=True)]
    assert all(one in shown for one in counted) == (hands == ["3", "1"])
    marked = re.findall(r'<li class="right"[^>]*>(\w+): ', shown)
    assert marked == (["down"] if hands in (["3", "1"], ["", "2"]) else [])


def test_the_first_screen_hands_its_plans_to_the_page():
    deck = Deck({"hour": 'An "hour"'})
    deck.step('<b>"Who?"', Shown(small_table()), hour=7)
    (plans,) = re.findall(r'data-plans="([^"]*)"', deck.value)
    assert json.loads(unescape(plans)) == {"hour": [[1, '<b>"Who?"', 0, 7]]}
    assert "<b>" not in deck.value.split("<section>")[1].split("</section>")[0]


def test_a_number_is_what_the_room_says():
    asked = ask(Estimate(), 100)
    asked.fields[0].value = "110"
    asked.answer()
    assert f"Close: you said {rounded(110)}; it is {rounded(100)}." in asked.words.value
    asked.ask_again()
    assert asked.fields[0].value == "" and "it is" not in asked.words.value


def test_tables_change_with_the_vote_and_are_escaped():
    shown = Shown(small_table(), small_table().assign(answer=7))
    shown.veil()
    assert "answer" not in shown.value and "a&lt;b" in shown.value
    shown.unveil()
    assert "<th" in shown.value and "answer" in shown.value


# ------------------------------------------------------------------ in a real browser


@contextlib.contextmanager
def projector(log, seconds=600):
    """Run `synthrisk projector`; give the process and the address with its token.

    A kernel may be left alone for ten minutes, or for fewer seconds.
    """
    program = f"from synthrisk_classroom import opening; opening.LEFT_ALONE = {seconds}; "
    program += f"opening.projector(['--port={free_port()}', '--no-browser'])"
    with open(log, "wb") as file:
        server = psutil.Popen([sys.executable, "-c", program], stdout=file, stderr=file)
        try:
            yield server, address(log, server)
        finally:
            server.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(20)


def address(log, server, seconds=60):
    """Wait until the server has printed its address."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and server.poll() is None:
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\w+", log.read_text(errors="replace"))
        if found:
            return found[0]
        time.sleep(0.2)
    raise RuntimeError("Voila did not start:\n" + log.read_text(errors="replace")[-2000:])


def opened(chromium, address, width=1920, height=1080):
    """Open the deck and wait for its first screen; what goes wrong is kept in `problems`."""
    page, problems = chromium.new_page(viewport={"width": width, "height": height}), []
    page.problems = problems
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda one: problems.append(one.text) if one.type == "error" else None)
    ours = ("http://127.0.0.1:", "data:", "blob:")
    page.on("request", lambda one: None if one.url.startswith(ours) else problems.append(one.url))
    page.goto(address)
    page.wait_for_selector(".start", timeout=120_000)
    return page


def kernels(server):
    """How many kernels run."""
    found = 0
    for one in server.children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it has just ended
            found += "ipykernel_launcher" in " ".join(one.cmdline())
    return found


def wait_for(condition, seconds=30):
    """Wait until something holds; say whether it did."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.2)
    return condition()


# What is seen of the one step that is shown, sizes in pixels of the screen.
SEEN = """() => {
    const [step, ...more] = [...document.querySelectorAll('.synthrisk-step')]
        .filter(one => getComputedStyle(one).display !== 'none');
    const fit = new DOMMatrix(getComputedStyle(step).transform).a;
    const shown = name => [...step.querySelectorAll(name)]
        .filter(one => one.innerText?.trim() && one.getClientRects().length);
    const size = one => fit * parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom;
    const sizes = name => shown(name).map(size);
    const parts = step.querySelectorAll('p, img, td, button, input, .noUi-handle');
    const apart = '.synthrisk-listing, .synthrisk-vote-again';  // scrolls; stands in the foot
    const inside = [...parts].filter(one => !one.closest(apart));
    const boxes = inside.map(one => one.getBoundingClientRect()).filter(one => one.width);
    const room = step.getBoundingClientRect();
    const image = step.querySelector('.synthrisk-picture:not(.synthrisk-layer)');
    return {
        steps: 1 + more.length,
        number: Number(/step-(\\d+)/.exec(step.className)[1]),
        question: Math.min(...sizes('.synthrisk-question'), 1000),
        sentence: Math.min(...sizes('p, li, .synthrisk-tables td'), 1000),
        labels: Math.min(...sizes('label, .widget-label, button, .widget-readout'), 1000),
        drawn: image ? image.width / image.naturalWidth : 1,
        low: Math.max(...boxes.map(one => one.bottom)) <= room.bottom - 46 * fit,  // the foot
        wide: Math.max(...boxes.map(one => one.right)) <= room.right,
        words: step.innerText,
    };
}"""


def look(page, number):
    """Wait for a step to be seen, and return what is seen of it."""
    page.wait_for_function(
        "n => getComputedStyle(document.querySelector(`.step-${n}`)).display !== 'none'", arg=number
    )
    seen = page.evaluate(SEEN)
    assert (seen["steps"], seen["number"]) == (1, number)
    assert seen["low"] and seen["wide"], seen
    return seen


def show(page):
    """Type a vote into every box and press show; wait for what is said of it."""
    step = page.locator(".synthrisk-step:visible")
    for k, box in enumerate(step.locator(".synthrisk-asked input").all()):
        box.fill(str(3 + 7 * k))
    step.get_by_role("button", name="show", exact=True).click()
    step.get_by_role("button", name="vote again").wait_for()
    if step.locator(".synthrisk-panel").count():  # the focus goes to its first control
        page.wait_for_function("document.activeElement.closest('.synthrisk-panel') !== null")


@pytest.mark.slow
def test_every_step_forwards_backwards_and_at_random(chromium, tmp_path):
    """It never freezes, all letters are large, and no kernel stays behind."""
    with projector(tmp_path / "log.txt") as (server, where):
        page = opened(chromium, where)
        for plan in PLANS:
            steps = page.evaluate("plans()")[plan]
            page.evaluate(f"location.hash = '{plan}/0'")
            for place, (number, title, _, _) in enumerate(steps, start=1):
                page.keyboard.press("PageDown")
                seen = look(page, number)
                assert seen["question"] >= QUESTION and seen["sentence"] >= SENTENCE, title
                assert seen["labels"] >= LABEL and seen["drawn"] == pytest.approx(1), title
                if title in votes() and "vote again" not in seen["words"]:
                    show(page)
                    seen = look(page, number)
                    assert seen["question"] >= QUESTION and seen["sentence"] >= SENTENCE, title
                    assert re.search("it is|they are|the answer is", seen["words"].lower()), title
                    for _ in range(2 * (title in panels())):  # to both ends
                        move_something(page)
                        look(page, number)
                assert page.locator("#deck-foot span").inner_text().startswith(f"{place} of ")
            for number, *_ in reversed(steps[:-1]):
                page.keyboard.press("PageUp")
                look(page, number)
        arrows_belong_to_a_control(page)
        order = random.Random(1)
        for _ in range(25):  # and the panels still answer
            plan = order.choice(list(PLANS))
            number, title, *_ = order.choice(steps := page.evaluate("plans()")[plan])
            place = [one[0] for one in steps].index(number) + 1
            page.evaluate(f"location.hash = '{plan}/{place}'")
            look(page, number)
            if title in panels():
                move_something(page)
                look(page, number)
        assert page.problems == []
        page.close(run_before_unload=True)
        assert wait_for(lambda: kernels(server) == 0)


def arrows_belong_to_a_control(page):
    """A slider takes the arrows while it has the focus, and never Page Down and Page Up."""
    page.evaluate("location.hash = 'office/3'")
    slider = page.locator(".synthrisk-step:visible .noUi-handle").first
    slider.focus()
    before = slider.get_attribute("aria-valuenow")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "([one, before]) => one.getAttribute('aria-valuenow') !== before",
        arg=[slider.element_handle(), before],
    )
    after = slider.get_attribute("aria-valuenow")
    page.keyboard.press("PageDown")
    assert page.evaluate("location.hash") == "#office/4"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("location.hash") == "#office/3"
    assert slider.get_attribute("aria-valuenow") == after
    page.locator(".synthrisk-step:visible .noUi-handle").first.focus()
    page.keyboard.press("PageUp")
    assert page.evaluate("location.hash") == "#office/2"


def move_something(page):
    """Move the first slider of a panel to its other end, or tick a box: the picture changes."""
    step = page.locator(".synthrisk-step:visible")
    before = step.locator("img.synthrisk-picture:not(.synthrisk-layer)").get_attribute("src")
    if step.locator(".noUi-handle").count():
        handle = step.locator(".noUi-handle").first
        at_end = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemax")
        control, key = handle, "Home" if at_end else "End"
    else:
        control, key = step.locator("input[type=checkbox]:enabled").first, "Space"
    control.focus()
    page.wait_for_function(
        "control => document.activeElement === control", arg=control.element_handle()
    )
    control.press(key)
    changed = [step.locator("img.synthrisk-picture:not(.synthrisk-layer)").element_handle(), before]
    page.wait_for_function("([one, before]) => one.src !== before", arg=changed, timeout=60_000)


@pytest.mark.slow
def test_a_small_screen_and_a_page_that_vanished(chromium, tmp_path):
    """1280 × 720 shows the same, smaller; a page that is gone without a word leaves no kernel."""
    with projector(tmp_path / "log.txt", seconds=2) as (server, where):
        page = opened(chromium, where, 1280, 720)
        for place, (number, title, *_) in enumerate(page.evaluate("plans()")["office"], start=1):
            page.evaluate(f"location.hash = 'office/{place}'")
            if title in votes():
                show(page)
            seen = look(page, number)
            assert seen["question"] >= QUESTION * 2 / 3 and seen["sentence"] >= SENTENCE * 2 / 3
        assert kernels(server) == 1 and page.problems == []  # not while a page is open
        page.evaluate("navigator.sendBeacon = () => false")  # as when the browser crashes
        page.close()
        assert wait_for(lambda: kernels(server) == 0)
