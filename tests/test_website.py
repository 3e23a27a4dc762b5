"""The website: its states are the panels' own, its answers are those of `check`."""

import base64
import re
import threading
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from functools import partial
from html import unescape
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from io import BytesIO
from itertools import product
from types import SimpleNamespace

import ipywidgets
import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from panel_moves import choose
from PIL import Image

import synthrisk_edu as sr
from synthrisk_edu.classroom import states, website
from synthrisk_edu.classroom.engine import exercises, lessons
from synthrisk_edu.classroom.on_page import exercise_on_page, games_on_page
from synthrisk_edu.classroom.serving import OnlyTheseFiles
from synthrisk_edu.classroom.states import all_of, offer, shown_in_every_state, states_of
from synthrisk_edu.widgets.panel import Panel


def panel_of(number, name):
    entry = next(one for one in lessons()[number].PANELS if one.name == name)
    return entry.build(sr.data_for(number)), entry


def plain(html):
    """The text of a sentence, with ordinary spaces."""
    return unescape(re.sub(r"<[^>]+>", "", html)).replace("\u00a0", " ").strip()


# ------------------------------------------------------------------------------ the states


def test_every_state_is_what_the_panel_shows():
    panel, entry = panel_of("01", "share")
    shown = states_of(panel, entry.offers)
    backdrop = Image.open(BytesIO(base64.b64decode(shown["backdrop"])))
    for place, value in enumerate(all_of(panel.controls["percent"])[1]):
        choose(panel.controls["percent"], value)
        layer, words, _ = shown["states"][place]
        left, top, width, height, data = shown["layers"][layer]
        marks = Image.open(BytesIO(base64.b64decode(data)))
        assert marks.size == (width, height)
        whole = backdrop.convert("RGBA")
        whole.alpha_composite(marks.convert("RGBA"), (left, top))
        ours = np.asarray(whole.convert("RGB"), dtype=float)
        theirs = np.asarray(Image.open(BytesIO(panel.picture.value)).convert("RGB"), dtype=float)
        assert np.abs(ours - theirs).mean() < 0.3  # of 255: few colours are left out
        assert shown["sentences"][words] == plain(panel.sentence.value)
    assert len({layer for layer, _, _ in shown["states"]}) == len(shown["states"])


def test_ticks_are_counted_as_the_page_counts_them():
    panel, _ = panel_of("03", "known")
    names = list(panel.controls["known"].boxes)
    values = offer("known", panel.controls["known"]).values
    for place, ticked in enumerate(values):
        assert ticked == tuple(name for k, name in enumerate(names) if place & 1 << k)


def test_a_panel_with_too_many_states_says_so():
    sliders = {name: ipywidgets.IntSlider(0, min=0, max=60) for name in "ab"}
    with pytest.raises(ValueError, match=r"3,721 states of this panel, and .* offer fewer values"):
        states_of(SimpleNamespace(controls=sliders), {})


# -------------------------------------------------------------------------------- the game


def test_a_game_on_a_page_says_what_the_game_says():
    d = sr.data_for("01")
    games = games_on_page(d.people, ["SEX", "RACE", "MAR", "WAOB"], ["DIS", "HICOV"])
    assert len(games) == 12
    for game in games.values():
        assert len(game["rounds"]) == 10 and len(game["summaries"]) == 11
        for turn in game["rounds"]:
            assert [guess for guess, said in turn["said"].items() if said.startswith("Right")] == [
                turn["right"]
            ]
        assert all(f"You found {k} of 10" in said for k, said in enumerate(game["summaries"]))


# --------------------------------------------------------------------------------- the page


def test_a_page_shows_no_bar_of_progress():
    lesson = new_notebook(cells=[new_markdown_cell("# A lesson"), new_code_cell("x")])
    executed = deepcopy(lesson)
    bar = "\rfitting [##..] 2 of 4, about 1 s left\rfitting [####] 4 of 4\n"
    executed.cells[1].outputs = [new_output("stream", text=bar + "4 rows\n")]
    page = website.page_from(lesson, executed, "00_start_here", {})
    assert "4 rows" in page and "fitting" not in page


# ----------------------------------------------------------------------- folders and servers


def test_equal_lessons_are_equal_bytes():
    shown = new_output("stream", name="stdout", text="5")
    lesson = new_notebook(cells=[new_code_cell("print(5)", outputs=[shown])])
    assert website.content(lesson) == website.content(lesson)


def test_a_folder_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.html").write_text("mine", "utf-8")
    with pytest.raises(ValueError, match="holds other files: name an empty or a new folder"):
        website.prepare(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.html"]


@contextmanager
def served(folder):
    """Serve a folder on this computer, and give the address."""
    handler = partial(OnlyTheseFiles, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        quick = {"poll_interval": 0.02}  # or its end takes half a second
        threading.Thread(target=server.serve_forever, kwargs=quick, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def address(tmp_path):
    """A server for a folder `site`, beside which lies a secret."""
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    website.prepare(tmp_path / "site")
    with served(tmp_path / "site") as address:
        yield address


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/website.js", 200), ("GET", "/", 404), ("GET", "/panels/", 404),
        ("GET", "/../secret.txt", 404), ("GET", "/%2e%2e/secret.txt", 404),
        ("POST", "/website.js", 501), ("PUT", "/new.txt", 501), ("DELETE", "/website.js", 501),
    ],
)  # fmt: skip
def test_the_server_hands_out_these_files_and_nothing_else(address, method, path, status):
    connection = HTTPConnection(address.removeprefix("http://"), timeout=10)
    connection.request(method, path)
    assert connection.getresponse().status == status


# ------------------------------------------------------------------------- in a real browser


def visit(chromium, address):
    """Open a page that may ask for nothing from elsewhere and may not fail."""
    page, problems = chromium.new_page(), []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: problems.append(request.url) if outside(request) else None)
    page.goto(address)
    page.problems = problems
    return page


def outside(request):
    return not request.url.startswith(("file:", "data:", "http://127.0.0.1:"))


def given_answers(data):
    """Answers of all kinds: right, every usual mistake, per cent, too short, far away."""
    right = [np.nan if one is None else one for one in data["right"]]
    shorter = [one[-1] if one else 0.5 for one in data["short"]]
    tries = [right, [100 * one for one in right], shorter, [one + 77.7 for one in right]]
    tries += [[*right[:-1], right[-1] + 3], [round(one, 1) for one in right]]
    for _, values in data["mistakes"]:
        tries.append([a if b is None else b for a, b in zip(right, values, strict=True)])
    return [one for one in tries if not np.isnan(one).any()]


@pytest.mark.slow
def test_the_page_says_what_check_says(chromium, tmp_path):
    website.prepare(tmp_path)
    (tmp_path / "page.html").write_text(website.page("answers", ""), "utf-8")
    page = visit(chromium, (tmp_path / "page.html").as_uri())
    compared = 0
    for number in exercises():
        data = exercise_on_page(number)
        if data is None or data["kind"] == "choice":
            continue
        for given in given_answers(data):
            verdict = sr.check(number, given if len(given) > 1 else given[0])
            right, words = page.evaluate("([d, g]) => judgeNumbers(d, g)", [data, given])
            assert (right, words) == (verdict.right, verdict.message), (number, given)
            compared += 1
    assert compared > 200 and page.problems == []


def one_move_away(panel, offers, backdrop):
    """The states to which one move leads from the start; the others are blank, to save time."""
    for values in product(*(one.values for one in offers)):
        pairs = list(zip(offers, values, strict=True))
        if sum(value != one.values[one.start] for one, value in pairs) > 1:
            yield (0, 0, 0, 0, ""), "not asked for", ""
        else:
            here = [replace(one, values=[value]) for one, value in pairs]
            yield from shown_in_every_state(panel, here, backdrop)


def at_its_ends(number, entry):
    """A panel's script with the ends of its controls only, and what the panel says there.

    What it says: (row of the control, what the page offers, place of the value, sentence).
    """
    panel = entry.build(sr.data_for(number))
    if type(panel) is not Panel:
        return website.panel_script(number, entry.name), []
    values = {key: list(all_of(one)[1]) for key, one in panel.controls.items()}
    ends = {key: every[:: len(every) - 1 or 1] for key, every in values.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(states, "shown_in_every_state", one_move_away)
        data = {"kind": "panel", "id": f"{number}_{entry.name}"} | states_of(panel, ends)
    steps = []
    for row, (key, control) in enumerate(panel.controls.items()):
        one = offer(key, control, ends[key])
        for place in (*range(len(one.values)), one.start):
            choose(control, one.values[place])
            steps.append((row, one, place, plain(panel.sentence.value)))
    return f"showPanel({website.as_script(data)});", steps


def opened_both_ways(chromium, folder, name):
    """Open a page as a file, and then from a server."""
    with served(folder) as address:
        for where in (folder.as_uri(), address):
            page = visit(chromium, f"{where}/{name}")
            yield page
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.problems == []
            page.close()


@pytest.mark.slow
def test_every_page_at_the_ends_of_its_controls(lesson, executed, chromium, tmp_path):
    """The page says what the panel says, after every control was moved to both ends."""
    website.prepare(tmp_path)
    number, notebook = lesson.name[:2], nbformat.read(lesson, as_version=4)
    html = website.page_from(notebook, executed, lesson.stem, website.titles(lesson.parent))
    (tmp_path / f"{lesson.stem}.html").write_text(html, "utf-8")
    entries = {f"{number}_{entry.name}": entry for entry in lessons()[number].PANELS}
    said = {}
    for name, entry in entries.items():
        script, said[name] = at_its_ends(number, entry)
        (tmp_path / "panels" / f"{name}.js").write_text(script, "utf-8")
    for page in opened_both_ways(chromium, tmp_path, f"{lesson.stem}.html"):
        assert page.locator(".live").count() == len(entries) and page.locator("h1").count() == 1
        for name, steps in said.items():
            live = page.locator(f'[data-panel="{name}"]')
            # Every step where the page is a file; from a server the same script takes the first.
            for row, one, place, sentence in steps if page.url.startswith("file:") else steps[:1]:
                move(live.locator(".controls > :nth-child(2n)").nth(row), one, place)
                assert plain(live.locator(".sentence").inner_text()) == sentence


@pytest.mark.slow
def test_every_page_that_is_no_lesson(chromium, tmp_path, project):
    order = website.titles(project / "notebooks")
    website.prepare(tmp_path)
    website.write_text_pages(project / "notebooks", tmp_path, order)
    names = sorted(path.name for path in tmp_path.glob("*.html"))
    assert names == ["glossary.html", "index.html", "run.html"]
    for name in names:
        for page in opened_both_ways(chromium, tmp_path, name):
            assert page.locator("h1").count() == 1


def move(element, one, place):
    """Move a control of the page as a hand would."""
    if one.kind == "slider":
        element.locator("input").fill(str(place))
    elif one.kind == "menu":
        element.locator("select").select_option(index=place)
    elif one.kind == "buttons":
        element.locator("input").nth(place).check()
    else:
        for k, box in enumerate(element.locator("input").all()):
            box.set_checked(bool(place & 1 << k))


@pytest.mark.slow
def test_the_way_through_the_pages(chromium, tmp_path):
    """The website with its first lesson, as files and then from a server."""
    website.main([str(tmp_path), "--only", "00"])
    (tmp_path / "01_matching_approach.html").write_text(website.page("01", "next"), "utf-8")
    for page in opened_both_ways(chromium, tmp_path, "index.html"):
        assert page.locator("main li a").count() == len(lessons())
        page.get_by_role("link", name="Start here").first.click()
        page.wait_for_url("**/00_start_here.html")
        live = page.locator(".live").first
        before = live.locator(".sentence").inner_text()
        live.locator("input[type=range]").focus()
        page.keyboard.press("End")
        assert live.locator(".sentence").inner_text() != before
        assert page.locator(".panel").count() == 0  # the still picture made room
        page.locator("nav a[rel=next]").first.click()
        page.wait_for_url("**/01_matching_approach.html")


@pytest.mark.slow
def test_the_game_is_played_to_its_end_with_the_words_of_the_game(chromium, tmp_path):
    website.prepare(tmp_path)
    (tmp_path / "panels" / "game.js").write_text(website.panel_script("01", "game"), "utf-8")
    place = '<div class="live" data-panel="01_game" hidden></div>'
    (tmp_path / "game.html").write_text(website.page("game", place, ["panels/game.js"]), "utf-8")
    page, game = visit(chromium, (tmp_path / "game.html").as_uri()), panel_of("01", "game")[0]
    for _ in range(game.rounds):
        assert plain(page.locator(".sentence").inner_text()) == plain(game.sentence.value)
        letter = page.locator(".guesses button").nth(1).inner_text()
        page.locator(".guesses button").nth(1).click()
        game.buttons[letter].click()
    assert plain(page.locator(".sentence").inner_text()) == plain(game.sentence.value)
    assert "You found" in game.sentence.value and page.problems == []
