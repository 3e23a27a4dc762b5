"""The site: its states are the panels' own, its answers are those of `my.check`."""

import base64
import json
import re
import threading
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from html import unescape
from html.parser import HTMLParser
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from io import BytesIO
from itertools import product
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import ipywidgets
import nbformat
import numpy as np
import pytest
from jupyter_browser import axe
from panel_moves import choose
from PIL import Image
from test_exercises import ALL, check, data, hand_in

import synthrisk_edu as sr
from synthrisk_classroom import on_page, site, states
from synthrisk_classroom.exercise import EXERCISES
from synthrisk_classroom.forms import Choice, OneOf
from synthrisk_classroom.lesson import exercises, lesson
from synthrisk_classroom.prediction import PREDICTIONS
from synthrisk_classroom.running import lesson_paths, name_of
from synthrisk_classroom.serving import OnlyTheseFiles
from synthrisk_classroom.solutions import source
from synthrisk_classroom.states import all_of, offer, shown_in_every_state, states_of
from synthrisk_edu.widgets import interval_panel, share_panel
from synthrisk_edu.widgets.controls import Picker, Ticks
from synthrisk_edu.widgets.panel import Panel


def plain(html):
    """The text of a sentence, with ordinary spaces."""
    return unescape(re.sub(r"<[^>]+>", "", html)).replace("\u00a0", " ").strip()


# ------------------------------------------------------------------------------ the states


def state_at(shown, number):
    """All parts of a state of `states_of`, by their names."""
    places = zip(shown["parts"].items(), shown["states"][number], strict=True)
    state = {part: kept[place] for (part, kept), place in places}
    return state | {"marks": [shown["marks"][place] for place in state["marks"]]}


def opened(address):
    """The picture that an address holds."""
    kind, data = address.split(",")
    assert kind == "data:image/webp;base64"
    return Image.open(BytesIO(base64.b64decode(data)))


def test_every_state_is_what_the_panel_shows():
    panel = share_panel(sr.load_acs(), ["SEX", "RACE", "MAR"], ["DIS", "HICOV"])
    shown = states_of(panel, {})
    for place, value in enumerate(all_of(panel.controls["percent"])[1]):
        choose(panel.controls["percent"], value)
        state = state_at(shown, place)
        left, top, width, height, address = state["layer"]
        layer = opened(address)
        sharp = panel.canvas.sharp
        assert layer.size == pytest.approx((sharp * width, sharp * height))
        whole = opened(state["backdrop"]).convert("RGBA")
        whole.alpha_composite(layer, (round(sharp * left), round(sharp * top)))
        ours = np.asarray(whole.convert("RGB"), dtype=float)
        theirs = np.asarray(Image.open(BytesIO(panel.picture.value)).convert("RGB"), dtype=float)
        assert np.abs(ours - theirs).mean() < 0.3  # of 255: few colours are left out
        assert state["sentence"] == plain(panel.sentence.value)
        assert state["tiles"] == panel.tiles.value
    assert len({places[1] for places in shown["states"]}) == len(shown["states"])


def test_ticks_are_counted_as_the_page_counts_them():
    names = ["a", "b", "c"]
    for place, ticked in enumerate(offer("known", Ticks("known", names)).values):
        assert ticked == tuple(name for k, name in enumerate(names) if place & 1 << k)


def test_some_of_many_values_stand_in_order_with_the_one_shown_first():
    some = offer("person", Picker("person", 0, 9999, 3))
    assert some.values == sorted(some.values) and some.values[some.start] == 3


def test_a_few_of_many_ticks_are_a_menu():
    control = Ticks("known", ["a", "b"])
    few = offer("known", control, [(), ("a", "b")])
    assert few.kind == "menu" and few.texts == ["nothing", "a and b"]
    assert offer("known", control).kind == "ticks"


def test_a_place_that_is_asked_about_is_offered_in_its_order():
    control = ipywidgets.IntSlider(0, min=0, max=100)
    few = offer("r", control, [0, 50, 100], also=20)
    assert few.values == [0, 20, 50, 100] and few.start == 0


def test_what_is_greyed_and_where_the_panel_stood_is_kept():
    """A slider that plays no part is greyed in the states where it is, and nothing is moved."""
    panel = share_panel(sr.load_acs(), ["SEX", "RACE", "MAR"], ["DIS", "HICOV"])
    percent = panel.controls["percent"]
    percent.value = 35
    picture = bytes(panel.picture.value)
    percent.observe(lambda change: setattr(percent, "disabled", change.new == 100), "value")
    shown = states_of(panel, {"percent": [0, 100]}, at={"percent": 55})
    assert shown["controls"][0]["numbers"] == [0, 35, 55, 100] and shown["at"] == {0: 2}
    assert [state_at(shown, place)["greyed"] for place in range(4)] == [[], [], [], [0]]
    assert (percent.value, bytes(panel.picture.value)) == (35, picture)


def test_a_panel_with_too_many_states_says_so():
    sliders = {name: ipywidgets.IntSlider(0, min=0, max=60) for name in "ab"}
    with pytest.raises(ValueError, match=r"3,721 states of this panel, and .* offer fewer values"):
        states_of(SimpleNamespace(controls=sliders), {})


def test_what_a_lesson_offers_are_values_of_its_controls(lesson, executed):
    for cell in executed.notebook.cells:
        for name, values in site.chosen(cell.metadata.get("offers", {})).items():
            assert set(values) <= set(all_of(executed.panels[cell.id].controls[name])[1])


# "target 14", "persons 95, 115 and 164": whom the text tells to choose.
WHO = re.compile(r"\b(target|person|unit)s? (\d[\d,]*(?:(?:, | and )\d[\d,]*)*)")


def test_the_page_offers_whom_the_text_speaks_of(lesson, executed):
    """In the question, in what is said of an answer, and in the text below up to a heading."""
    cells = executed.notebook.cells
    for cell, after in zip(cells, [*cells[1:], {"source": ""}], strict=True):
        asked = executed.asked.get(cell.id)
        if asked is None or type(executed.panels[cell.id]) is not Panel:
            continue
        panel, few = executed.panels[cell.id], site.chosen(cell.metadata.get("offers", {}))
        words = [asked.question, asked.judge(None, panel)["words"]]
        words.append(re.split("^#", after["source"], flags=re.MULTILINE)[0])
        for name, control in panel.controls.items():
            if isinstance(control, Picker):
                here = offer(name, control, few.get(name), asked.at.get(name))
                for label, numbers in WHO.findall(" ".join(words)):
                    if label == here.label:
                        told = re.split(", | and ", numbers)
                        assert {int(one.replace(",", "")) for one in told} <= set(here.values)


def test_no_panel_of_a_lesson_has_too_many_states_for_its_page(lesson, executed):
    offers = {cell.id: cell.metadata.get("offers", {}) for cell in executed.notebook.cells}
    for id, panel in executed.panels.items():
        if type(panel) is Panel:
            few = site.chosen(offers[id])
            shown = [offer(name, one, few.get(name)) for name, one in panel.controls.items()]
            assert np.prod([len(one.values) for one in shown]) <= states.MOST_STATES, id


def test_no_text_can_end_a_script_of_the_page():
    data = {"hints": ["</script><script>alert(1)</script>", "a < b </b>"], "<!--": 1}
    text = site.as_script(data)
    assert "</" not in text and json.loads(text) == data


def test_the_table_of_an_exercise_cannot_end_its_script(monkeypatch):
    evil = replace(exercises("01")["01.1"], hints=["</script><b>"])
    monkeypatch.setitem(EXERCISES, "01.1", evil)
    html = site.exercise_form("01.1")
    assert html.count("</script>") == 1 and html.endswith("</script></div>")


# ----------------------------------------------------------------------- folders and servers


def test_a_folder_of_somebody_else_is_left_alone(tmp_path, capsys):
    (tmp_path / "thesis.html").write_text("mine", "utf-8")
    with pytest.raises(SystemExit):
        site.main([str(tmp_path)])
    assert "holds other files: name an empty or a new folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.html"]


def test_pages_of_an_earlier_run_make_room_and_other_files_stay(tmp_path):
    pages, folder = tmp_path / "pages", tmp_path / "site"
    site.write(pages, {"index.html": b"new"})
    site.write(folder, {site.SIGN: b"", "notes.txt": b"mine"})
    for name in ("99_gone.html", "panels/99_gone.js", "further/99_gone.html", "_static/99_gone.js"):
        site.write(folder, {name: b"old"})
    site.publish(pages, folder)
    assert not list(folder.rglob("99_gone*"))
    assert (folder / "index.html").read_text() == "new" and (folder / "notes.txt").exists()


def test_every_lesson_has_a_sentence_for_the_list_and_a_place_in_it():
    assert list(site.sentences()) and set(site.sentences()) == set(lesson_paths())
    tree = site.tree_of(lesson_paths())
    assert sorted([*tree, *(one for further in tree.values() for one in further)]) == sorted(
        lesson_paths()
    )


def test_what_a_page_says_in_other_words_is_said_in_a_notebook():
    cells = [cell for path in lesson_paths().values() for cell in nbformat.read(path, 4).cells]
    text = "\n".join(source(cell) for cell in cells if cell.cell_type == "markdown")
    assert [said for said in on_page.ROWS if not re.search(said, text)] == []


# What stands in a notebook and not on a page: cells to run, a play button, boxes to type into.
NOT_HERE = re.compile(
    r"(?i)dots.{0,40} run the cell|run both|all above|\bplay\*|another one\*|<kbd>|student id"
)


def test_words_fit_what_stands_on_the_page(lesson):
    for cell in nbformat.read(lesson, 4).cells:
        if cell.cell_type == "markdown":
            assert not NOT_HERE.search(on_page.on_page(source(cell))), source(cell)


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
    site.write(tmp_path, {"secret.txt": b"secret", "site/site.js": b"", "site/panels/a.js": b""})
    with served(tmp_path / "site") as address:
        yield address


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/site.js", 200), ("GET", "/", 404), ("GET", "/panels/", 404),
        ("GET", "/../secret.txt", 404), ("GET", "/%2e%2e/secret.txt", 404),
        ("POST", "/site.js", 501), ("PUT", "/new.txt", 501), ("DELETE", "/site.js", 501),
    ],
)  # fmt: skip
def test_the_server_hands_out_these_files_and_nothing_else(address, method, path, status):
    connection = HTTPConnection(address.removeprefix("http://"), timeout=10)
    connection.request(method, path)
    assert connection.getresponse().status == status


# ------------------------------------------------------------------------- in a real browser


def visit(chromium, address, **how):
    """Open a page that may ask for nothing from elsewhere and may not fail."""
    page, problems = chromium.new_page(**how), []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: problems.append(request.url) if outside(request) else None)
    page.goto(address)
    page.problems = problems
    return page


def outside(request):
    return not request.url.startswith(("file:", "data:", "http://127.0.0.1:"))


def as_typed(exercise, given):
    """What a reader types into the fields of the page."""
    given = given if isinstance(given, dict) else {"answer": given}
    return [str(given[part]) for part in exercise.form.parts]


def tries_of(exercise, d):
    """What to compare: (what a reader fills in, what the same student hands in, in Python)."""
    form = exercise.form
    if isinstance(form, OneOf):
        return [([name], name) for name in form.options]
    if isinstance(form, Choice):
        return [(list(pair), pair) for pair in exercise.right(d)]
    right = exercise.right(d)
    made = [right, *(hand_in(exercise, sentence, d) for sentence in exercise.mistakes)]
    made += [one for one in form._near(right) if form.digits]
    made = [one.get("answer", one) if isinstance(one, dict) else one for one in made]
    return [(as_typed(exercise, one), one) for one in made]


def test_the_page_says_what_check_says(script):
    """Of every right answer, every usual mistake, and what is right only in per cent or roughly."""
    asked, expected = [], []
    for exercise in ALL:
        d = data(exercise)
        table = exercise.form.page(exercise, d)
        if table is None:
            continue
        table["asked"] = exercise.open().message
        asked.append([table, [""]])
        expected.append(["open", exercise.open().message])
        for typed, given in tries_of(exercise, d):
            verdict = check(exercise.id, given)
            asked.append([table, typed])
            # The page has a button for hints, and no sentence about them.
            expected.append([verdict.kind, str(replace(verdict, hint=""))])
    told = script("data.map(([table, texts]) => judge(table, texts))", asked)
    assert told == expected and len(told) > 250


def test_the_page_says_what_is_no_number_and_what_else_is_wrong(script):
    table = {
        "fields": [{"label": "c"}, {"label": "T"}, {"label": "K"}],
        "within": [0.5, 0.5, 0.5],
        "rows": [([3, 1, "nan"], "right", "Right."), ([5, None, None], "mistake", "No.")],
        "else": "Not these.",
    }
    texts = {
        "3 1 missing": ["right", "Right."],
        "3 1 0": ["wrong", "Not these."],
        "3 x 0": ["unreadable", "Not yet: “x” is no number; write it in digits."],
        "5 1 NaN": ["mistake", "No."],
        "5 2 nan": ["mistake", "No. And T is not right yet."],
        "5 2 0": ["mistake", "No. And T and K are not right yet."],
    }
    asked = [[table, text.split()] for text in texts]
    assert script("data.map(one => judge(...one))", asked) == list(texts.values())


def test_what_was_kept_is_shown_again_only_where_the_same_is_asked(script):
    number, choice = {"label": "c"}, {"label": "", "options": {"a": "first", "b": "second"}}
    asked = [
        ([number], ["3"], True), ([number], ["3", "1"], False), ([number], None, True),
        ([choice, choice], ["a", ""], True), ([choice], ["c"], False), ([choice], [], False),
    ]  # fmt: skip
    told = script("data.map(([fields, texts]) => fits(fields, texts))", [one[:2] for one in asked])
    assert told == [one[2] for one in asked]


def one_move_away(panel, offers):
    """The states to which one move leads from the start; the others are blank, to save time."""
    blank = dict.fromkeys(states.PARTS, "") | {"marks": [], "edges": [], "greyed": [], "layer": []}
    for values in product(*(one.values for one in offers.values())):
        pairs = list(zip(offers.items(), values, strict=True))
        if sum(value != one.values[one.start] for (_, one), value in pairs) > 1:
            yield blank
        else:
            here = {name: replace(one, values=[value]) for (name, one), value in pairs}
            yield from shown_in_every_state(panel, here)


def at_its_ends(id, panel, asked):
    """A panel's script with the ends of its controls only, and what the panel says there.

    What it says: (row of the control, what the page offers, place of the value, sentence). After
    the question the panel stands where it was asked about: there it stands from the beginning.
    """
    before = panel.values()
    if asked is not None:
        panel.set(**asked.at)
    values = {key: list(all_of(one)[1]) for key, one in panel.controls.items()}
    ends = {key: every[:: len(every) - 1 or 1] for key, every in values.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(states, "shown_in_every_state", one_move_away)
        script = site.panel_script(id, panel, ends, asked)
    steps = []
    for row, (key, control) in enumerate(panel.controls.items()):
        one = offer(key, control, ends[key])
        for place in (*range(len(one.values)), one.start):
            choose(control, one.values[place])
            is_greyed = getattr(control, "disabled", False)
            if not is_greyed:
                steps.append((row, one, place, plain(panel.sentence.value)))
    for key, value in before.items():
        choose(panel.controls[key], value)
    return script, steps


def opened_both_ways(chromium, folder, name):
    """Open a page as a file, and then from a server."""
    with served(folder) as address:
        for where in (folder.as_uri(), address):
            page = visit(chromium, f"{where}/{name}")
            yield page
            assert narrow(page)
            assert page.problems == []
            page.close()


INDEX = "# Index\n\n```{{toctree}}\n{}\n```\n"


def made(folder, files):
    """Let Sphinx make pages of these sources, as the site does; return their folder."""
    names = [name.partition("/")[2] for name in files if name.startswith("source/")]
    site.write(folder, files | {"source/index.md": INDEX.format("\n".join(names)).encode()})
    site.build(folder)
    return folder / "pages"


def narrow(page):
    """Tell whether a page is as wide as its window, and not wider."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_every_page_at_the_ends_of_its_controls(lesson, executed, chromium, tmp_path):
    """The page says what the panel says, after every control was moved to both ends."""
    name = name_of(lesson)
    moving = {id: panel for id, panel in executed.panels.items() if type(panel) is Panel}
    notebook = site.with_places(executed, moving, name)
    files = {f"source/{name}.ipynb": nbformat.writes(notebook).encode()}
    said = {}
    for id, panel in moving.items():
        script, said[id] = at_its_ends(id, panel, executed.asked.get(id))
        files[f"pages/panels/{lesson.stem[:2]}_{id}.js"] = script.encode()
    pages = made(tmp_path, files)
    for page in opened_both_ways(chromium, pages, f"{name}.html"):
        assert axe(page, "html") == []  # veiled
        assert page.locator(".live").count() == len(moving)
        assert page.locator("article h1").count() == 1
        assert page.locator(".exercise form").count() == page.locator(".exercise").count()
        for id, steps in said.items():
            live = page.locator(f"#panel-{id}")
            if id in executed.asked:  # predict first: until then there is nothing to see
                assert live.locator(".controls :is(input, select, button):enabled").count() == 0
                assert not live.locator(".sentence").inner_text()
                live.get_by_role("button", name="show me").click()
                truth = executed.asked[id].judge(None, moving[id])["words"]
                assert plain(live.locator(".verdict").inner_text()) == f"– {truth}"
            # Every step where the page is a file; from a server the same script takes the first.
            for row, one, place, sentence in steps if page.url.startswith("file:") else steps[:1]:
                move(live.locator(".controls > :nth-child(2n)").nth(row), one, place)
                assert plain(live.locator(".sentence").inner_text()) == sentence
        assert axe(page, "html") == []  # open
    for width, scheme in ((820, "light"), (390, "dark")):
        screen = {"viewport": {"width": width, "height": 844}, "has_touch": True}
        page = visit(chromium, (pages / f"{name}.html").as_uri(), color_scheme=scheme, **screen)
        for id, steps in said.items():
            touch_panel(page.locator(f"#panel-{id}"), moving[id], steps)
        assert axe(page, "html") == []
        assert narrow(page)
        assert page.problems == []
        page.context.close()


# Of every control of a panel: does it stand inside of it? And how large is the picture?
ROOM = """live => {
    const inside = live.getBoundingClientRect();
    const parts = [...live.querySelectorAll('.controls *, .asked *')];
    return {
        fits: parts.every(one => one.getBoundingClientRect().right <= inside.right),
        picture: live.querySelector('.synthrisk-stage').getBoundingClientRect().width,
    };
}"""


def touch_panel(live, panel, steps):
    """Move every control with a finger; labels in the picture keep nine tenths of their size."""
    show = live.get_by_role("button", name="show me")
    if show.count():
        show.tap()
    room = live.evaluate(ROOM)
    assert room["fits"] and room["picture"] >= 0.87 * panel.canvas.size[0]
    said = {(row, place): sentence for row, _, place, sentence in steps}
    for row, one in {row: one for row, one, *_ in steps}.items():
        element = live.locator(".controls > :nth-child(2n)").nth(row)
        for place in touch(element, one):
            assert plain(live.locator(".sentence").inner_text()) == said[row, place]


def touch(element, one):
    """Touch a control, and in the end put it back; yield the place of the value it then has."""
    last = len(one.values) - 1
    if one.kind == "slider":
        box = element.locator("input").bounding_box()
        for place in (*(end for end in (last, 0) if end != one.start), one.start):
            part = place / last if last else 0
            at = {"x": 8 + part * (box["width"] - 16), "y": box["height"] / 2}
            element.locator("input").tap(position=at)
            yield place
    elif one.kind == "menu":
        for step in range(1, last + 2):  # after the last comes the first
            element.get_by_role("button", name="the next one").tap()
            yield (one.start + step) % (last + 1)
    elif one.kind == "buttons":
        for place in (*range(last + 1), one.start):
            element.locator("label").nth(place).tap()
            yield place
    else:
        for k, label in enumerate(element.locator("label").all()):
            for place in (one.start ^ 1 << k, one.start):
                label.tap()
                yield place


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


@pytest.fixture(scope="module")
def touched(tmp_path_factory):
    """A page with two panels: a range with dots and edges, and a curve that is to be drawn first.

    Of the range it offers seven targets and a few radii.
    """
    d = lesson("02").data
    interval = interval_panel(d.village, d.published, "Income")
    share = share_panel(sr.load_acs(), ["SEX", "RACE", "MAR"], ["DIS", "HICOV"])
    offers = {"target": [0, 1, 2, 3, 4, 5, 6], "r": [0, 10, 20, 30, 60], "relative": [True]}
    asked = PREDICTIONS["01.c"]
    text = (
        '# Touched\n\n<p class="kept"></p>\n\n'
        + site.panel_place("interval", interval, None, "interval.js")
        + site.panel_place("share", share, asked, "share.js")
        + site.exercise_form("01.5")
    )
    files = {
        "source/page.md": text.encode(),
        "pages/interval.js": site.panel_script("interval", interval, offers).encode(),
        "pages/share.js": site.panel_script("share", share, {}, asked).encode(),
    }
    return (made(tmp_path_factory.mktemp("touched"), files) / "page.html").as_uri()


def marks_of(live):
    """The marks of a picture as the page has them: x and y in the window, words, what they set."""
    stage = live.locator(".synthrisk-stage")
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    marks, width = stage.evaluate("stage => [stage.shows().marks, stage.shows().width]")
    scale = box["width"] / width
    return [(box["x"] + scale * x, box["y"] + scale * y, *rest) for x, y, *rest in marks]


@pytest.mark.slow
def test_a_picture_is_touched_by_mouse_and_keys(chromium, touched):
    page = visit(chromium, touched, viewport={"width": 1280, "height": 900})
    live = page.locator("#panel-interval")
    tip, target = live.locator(".synthrisk-tip"), live.get_by_label("target", exact=True)
    marks = marks_of(live)
    assert len(marks) == 60
    # What is offered can be chosen, the others can only be read.
    assert sorted(sets["0"] for *_, sets in marks if sets) == [0, 1, 2, 3, 4, 5, 6]
    x, y, words, _ = next(one for one in marks if not one[3])
    page.mouse.move(x, y)
    assert tip.inner_text() == words and tip.is_visible()
    page.mouse.click(x, y)
    assert target.input_value() == "0"
    for x, y, _words, sets in [one for one in marks if one[3]][:2]:
        page.mouse.click(x, y)
        assert target.input_value() == str(sets["0"])
        said = plain(live.locator(".sentence").inner_text())
        assert said.startswith(f"Record {sets['0']}:")
        assert live.get_by_role("img", name=said, exact=True).count() == 1
    # The keyboard walks the marks and chooses.
    knob = live.get_by_role("slider", name="read a mark")
    knob.focus()
    page.keyboard.press("Home")
    while marks_of(live)[int(knob.get_attribute("aria-valuenow")) - 1][3] != {"0": 5}:
        page.keyboard.press("ArrowRight")
    assert tip.inner_text() == knob.get_attribute("aria-valuetext")
    page.keyboard.press("Enter")
    assert target.input_value() == "5"
    # An edge is dragged: of the radii offered the nearest is taken.
    slider = live.get_by_role("slider", name="radius r")
    assert slider.get_attribute("aria-valuetext") == "20"
    edge = live.locator(".synthrisk-edge").nth(1).bounding_box()
    other = live.locator(".synthrisk-edge").nth(0).bounding_box()
    half = (edge["x"] - other["x"]) / 2  # this is 20 %
    page.mouse.move(edge["x"] + 7, edge["y"] + 20)
    page.mouse.down()
    page.mouse.move(edge["x"] + 7 + 0.6 * half, edge["y"] + 20, steps=4)
    page.wait_for_timeout(100)
    assert slider.get_attribute("aria-valuetext") == "30"  # while it is dragged
    page.mouse.up()
    assert page.problems == []
    page.close()


def middle(live, inside):
    """The middle of something in a picture, from the picture's upper left corner."""
    stage, box = (live.locator(one).first.bounding_box() for one in (".synthrisk-stage", inside))
    return [box[x] + box[side] / 2 - stage[x] for x, side in (("x", "width"), ("y", "height"))]


@pytest.mark.slow
def test_a_curve_is_drawn_before_it_is_seen(chromium, touched):
    """Handles and boxes keep in step; after the answer, crosses stand where it was guessed."""
    page = visit(chromium, touched, viewport={"width": 1280, "height": 1100})
    live = page.locator("#panel-share")
    handles, boxes = live.locator(".synthrisk-handle"), live.locator("form input")
    ready = live.get_by_role("button", name="that is my guess")
    assert handles.count() == boxes.count() == 3
    assert live.locator(".synthrisk-drawn polyline").count() == 1
    boxes.nth(0).fill("150")
    assert handles.nth(0).get_attribute("aria-valuenow") == "150"
    boxes.nth(0).fill("many")
    assert handles.nth(0).get_attribute("aria-valuetext") == "not set"
    handles.nth(1).focus()
    page.keyboard.press("Home")
    page.keyboard.press("PageUp")
    assert float(boxes.nth(1).input_value()) > 0 and ready.is_disabled()
    box = handles.nth(2).bounding_box()
    page.mouse.move(box["x"] + 22, box["y"] + 22)
    page.mouse.down()
    page.mouse.move(box["x"] + 22, box["y"] + 52, steps=3)
    page.mouse.up()
    assert boxes.nth(2).input_value() == handles.nth(2).get_attribute("aria-valuenow")
    ready.click()
    assert "“many” is no number" in live.locator(".verdict").inner_text()
    boxes.nth(0).fill("150")
    place = middle(live, ".synthrisk-handle")
    ready.click()
    assert plain(live.locator(".verdict").inner_text()).startswith(
        "≈ Close, 1 of 3: you said 150 (25 %), "
    )
    assert handles.count() == 0 and live.locator(".synthrisk-drawn path").count() == 3
    assert middle(live, ".synthrisk-drawn path") == pytest.approx(place, abs=1)
    assert live.locator(".sentence").inner_text()
    assert page.problems == []
    page.close()


@pytest.mark.slow
def test_a_finger_reads_first_and_then_chooses(chromium, touched):
    screen = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = visit(chromium, touched, **screen)
    live = page.locator("#panel-interval")
    target = live.get_by_label("target", exact=True)
    marks = [one for one in marks_of(live) if one[3] and one[3]["0"] and one[0] < 350]
    x, y, words, sets = marks[0]
    page.touchscreen.tap(x, y)
    assert live.locator(".synthrisk-tip").inner_text() == f"{words}\nTap again to choose it."
    assert target.input_value() == "0"
    page.touchscreen.tap(x, y)
    assert target.input_value() == str(sets["0"])
    assert page.problems == []
    page.context.close()


@pytest.mark.slow
def test_without_a_script_the_answer_lies_behind_a_fold(chromium, touched):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(touched)
    live = page.locator("#panel-share")
    picture = live.get_by_role("img")
    assert live.get_by_text(PREDICTIONS["01.c"].question).is_visible()
    assert not picture.is_visible()
    live.get_by_text("the answer").click()
    assert picture.is_visible()
    context.close()


def inverted(element):
    """Tell whether an element is shown in the colours of a dark page."""
    return "invert" in element.evaluate("one => getComputedStyle(one).filter")


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_pictures_follow_the_switch_of_the_theme(chromium, touched, width):
    """Light as the system asks, then dark by the theme's switch, and back."""
    page = visit(chromium, touched, viewport={"width": width, "height": 900})
    live = page.locator("#panel-interval")
    parts = [live.locator(one).first for one in (".synthrisk-picture", ".synthrisk-tiles")]
    parts += [page.locator("#panel-share .synthrisk-handle").first]
    assert not any(inverted(one) for one in parts)
    for mode in ("light", "dark"):
        page.get_by_role("button", name="Color mode").click()
        assert axe(page, "html") == []
        page.locator(f".theme-change-button[data-mode={mode}]").click()
        page.mouse.move(0, 0)
        page.wait_for_timeout(600)  # colours change slowly, and the word beside the switch goes
        assert [inverted(one) for one in parts] == [mode == "dark"] * 3
        assert axe(page, "html") == []
    layer = live.locator(".synthrisk-layer")  # lets the picture below shine through
    assert layer.evaluate("one => getComputedStyle(one).backgroundColor") == "rgba(0, 0, 0, 0)"
    page.reload()
    assert inverted(parts[0]) and page.problems == []
    page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_answers_are_kept_until_the_page_begins_anew(chromium, touched, scheme):
    """In the browser, for a page that is a file, too."""
    page = visit(chromium, touched, color_scheme=scheme)
    live, exercise = page.locator("#panel-share"), page.locator(".exercise")
    forget = page.get_by_role("button", name="begin this page anew")
    assert forget.is_disabled()
    for box, number in zip(live.locator("form input").all(), ("150", "100", "70"), strict=True):
        box.fill(number)
    live.get_by_role("button", name="that is my guess").click()
    exercise.locator("input").fill("3")
    exercise.get_by_role("button", name="check").click()

    def shown():
        verdicts = [one.locator(".verdict").inner_text() for one in (live, exercise)]
        crosses = live.locator(".synthrisk-drawn path").count()
        return [*verdicts, live.locator(".sentence").inner_text(), crosses]

    before = shown()
    assert all(before) and before[-1] == 3
    page.reload()
    assert shown() == before and exercise.locator("input").input_value() == "3"
    assert page.evaluate("document.activeElement === document.body")  # nothing takes the focus
    forget.click()
    page.wait_for_load_state()
    assert forget.is_disabled() and exercise.locator("input").input_value() == ""
    assert live.get_by_role("button", name="show me").is_visible()
    assert page.problems == []
    page.context.close()


# --------------------------------------------------------------------------- the site, as made


class Links(HTMLParser):
    """What a page leads to and loads, and the names of its places."""

    def __init__(self, path):
        super().__init__()
        self.path, self.names, self.links = path, set(), set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.names.add(value)
            elif name in ("href", "src", "srcset"):
                self.links.add(value)


@pytest.fixture(scope="module")
def made_site(tmp_path_factory):
    """The site with the first lesson and with the last, which link to many others."""
    folder = tmp_path_factory.mktemp("site")
    site.main([str(folder), "--only", "00", "10"])
    return folder


def pages_in(folder):
    """The pages of the site, without the templates that its theme leaves in `_static`."""
    return [*folder.glob("*.html"), *folder.glob("further/*.html")]


@pytest.mark.slow
def test_no_link_is_dead_where_only_some_lessons_are_made(made_site):
    pages = {path: Links(path) for path in pages_in(made_site)}
    assert len(pages) == 6  # two lessons, index, glossary, how to run this, search
    dead = []
    for page in pages.values():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https"):
                continue  # an address of the literature
            if parts.scheme != "data":
                path = (
                    (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
                )
                is_there = path.is_file()
                if is_there and parts.fragment and path in pages:
                    is_there = unquote(parts.fragment) in pages[path].names
                dead += [] if is_there else [(page.path.name, link)]
    assert dead == []


@pytest.mark.slow
def test_what_is_downloaded_is_the_clean_lesson(made_site):
    for name in ("00_start_here", "further/10_paper_and_code"):
        got = nbformat.read(made_site / "_sources" / f"{name}.ipynb", 4)
        assert got.cells == nbformat.read(lesson_paths()[name], 4).cells
        assert f"{name.split('/')[-1]}.ipynb" in (made_site / f"{name}.html").read_text("utf-8")


@pytest.mark.slow
def test_formulas_are_drawn_by_the_browser(made_site):
    page = (made_site / "further" / "10_paper_and_code.html").read_text("utf-8")
    assert "<math" in page and "mathjax" not in page.lower() and "$$" not in page


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 820, 390])
def test_every_page_asks_nobody_and_fits_its_window(chromium, made_site, width):
    """Pages that are no lessons, too."""
    for path in pages_in(made_site):
        page = visit(chromium, path.as_uri(), viewport={"width": width, "height": 844})
        page.wait_for_load_state("networkidle")
        assert page.locator("main :is(h1, h2):visible").count()
        assert narrow(page), path
        assert axe(page, "html") == [], path
        assert page.problems == [], path
        page.close()


@pytest.mark.slow
def test_a_search_finds_lessons(chromium, made_site):
    for page in opened_both_ways(chromium, made_site, "search.html?q=identification"):
        page.locator("#search-results li a", has_text="Start here").first.click()
        page.wait_for_url("**/00_start_here.html*")


@pytest.mark.slow
def test_the_way_through_the_pages(chromium, made_site):
    """From the list of lessons to a panel, as files and then from a server."""
    for page in opened_both_ways(chromium, made_site, "index.html"):
        assert page.locator(".lesson").count() == 2
        assert page.locator("article img").evaluate_all("all => all.every(one => one.naturalWidth)")
        page.locator(".lesson").get_by_role("link", name="Start here").click()
        page.wait_for_url("**/00_start_here.html")
        live = page.locator(".live").first
        ready = live.get_by_role("button", name="that is my guess")
        assert ready.is_disabled()
        live.locator("form input").fill("seven")
        ready.click()
        assert live.locator(".verdict").inner_text() == (
            "– Not yet: “seven” is no number; write it in digits."
        )
        assert live.locator("input[type=range]").is_disabled()  # the panel is still veiled
        live.locator("form input").fill("7")
        ready.click()
        assert (
            live.locator(".verdict").inner_text().startswith("✗ No: you said 7; it is 4. That was")
        )
        before = [live.locator(one).inner_text() for one in (".sentence", ".tiles")]
        live.locator("input[type=range]").focus()
        page.keyboard.press("End")
        after = [live.locator(one).inner_text() for one in (".sentence", ".tiles")]
        assert after[0] != before[0] and after[1] != before[1]
        assert page.locator("details .panel").count() == 0  # the still picture made room
        page.get_by_role("link", name="Where the paper and the code differ").first.click()
        page.wait_for_url("**/10_paper_and_code.html")
