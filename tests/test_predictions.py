"""Predict, then see: what is asked, what is veiled, what is said and what is kept."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import ipywidgets
import nbformat
import numpy as np
import pandas as pd
import pytest
from jupyter_browser import jupyter_lab, open_notebook
from matplotlib.colors import to_rgb
from nbformat.v4 import new_code_cell, new_notebook, new_output
from notebook_runner import KERNEL, cells_of

import synthrisk_edu as sr
from synthrisk_classroom import lesson as lesson_of
from synthrisk_classroom.forms import Estimate, OneOf
from synthrisk_classroom.handed_in import MIME
from synthrisk_classroom.lesson import PREDICTED
from synthrisk_classroom.prediction import Asked, Draw, Folded, Kept, Predicted, Prediction
from synthrisk_classroom.solutions import prediction_in
from synthrisk_edu import plots, widgets
from synthrisk_edu.data import load_results
from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Shown
from synthrisk_edu.widgets.canvas import png
from synthrisk_edu.widgets.panel import Guess, inside

LONGEST = 290  # letters of a verdict; more do not fit into its three lines
WORDS = "All of them, and not 7."


def copies():
    """Make a panel that is quick to make."""
    return widgets.copies_panel(load_results("members_copies"))


def asked_of(form=None, truth=40.0, mistakes=None, draw=None, at=None):
    """A question whose answer we know, before a real panel, with what was told."""
    question = Prediction(
        "01.z",
        form or Estimate(),
        "How many?",
        lambda panel: truth,
        lambda panel, r: WORDS,
        mistakes or {},
        draw=draw,
        at=at or {},
    )
    told = []
    return Asked(question, copies(), told.append), told


def guess(asked, *typed):
    """Fill in the form and press the button."""
    for field, one in zip(asked.fields, typed, strict=True):
        field.value = one
    press(asked.ready)


def is_grey(button):
    """Tell whether a button can do nothing yet."""
    return "synthrisk-grey" in button._dom_classes


def press(button):
    """Press a button outside of any loop: that of a browser may be running in this thread."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(button.click).result()


def texts(widget):
    """Everything a page gets to know of a widget and of all in it, but the pictures."""
    states = (one.get_state() for one in inside(widget))
    return json.dumps([[str(value) for value in state.values()] for state in states])


@pytest.fixture
def fresh(monkeypatch):
    """Nobody has predicted anything yet."""
    for key in list(PREDICTED):
        monkeypatch.delitem(PREDICTED, key)


# -------------------------------------------------------------------- numbers that are typed
@pytest.mark.parametrize("typed", ["abc", "nan", "inf", "12 or 13", "about 5", "1,2,3", "%", "-"])
def test_what_is_no_number_gets_a_sentence(typed):
    asked, told = asked_of()
    guess(asked, typed)
    assert f"Not yet: “{typed}” is no number; write it in digits." in plain(asked.words)
    assert "How many?" in plain(asked.words) and told == [] and asked.panel.sentence.value == ""
    guess(asked, "41")
    assert len(told) == 1


def plain(html):
    """The text of a widget, with plain blanks."""
    return html.value.replace("&nbsp;", " ")


def test_an_empty_form_says_what_is_missing():
    for form, words in (
        (Estimate(), "write a number, or press"),
        (Estimate("25 %", "75 %"), "write numbers for 25 % and 75 %, or press"),
        (OneOf({"up": "it rises", "down": "it falls"}), "choose an answer, or press"),
    ):
        asked, told = asked_of(form, truth="up" if isinstance(form, OneOf) else 1.0)
        press(asked.ready)
        assert words in plain(asked.words) and told == []


def test_per_cent_may_be_written_with_their_sign():
    for typed, right in (("40 %", True), ("4 %", False)):
        asked, _told = asked_of(truth=40.0)
        guess(asked, typed)
        assert (asked.kept["kind"] == "right") is right


def test_the_enter_key_answers_with_what_arrives_after_it():
    """The page tells of the key, and then of what was typed."""
    asked, told = asked_of()

    async def page():
        asked.fields[0]._handle_custom_msg({"event": "submit"}, [])
        asked.fields[0].value = "41"
        assert told == []
        await asyncio.sleep(0.3)

    with ThreadPoolExecutor(1) as thread:  # in this one the loop of a browser may be running
        thread.submit(asyncio.run, page()).result()
    assert told[0]["said"] == "41"


# --------------------------------------------------------------------------------- the veil
def test_a_veiled_panel_shows_axes_and_nothing_else():
    panel = copies()
    veiled = []
    for percent in (0, 60, 100):
        panel.controls["percent"].value = percent
        panel.veil()
        assert panel.sentence.value == panel.listing.value == ""
        assert all(control.disabled for control in panel.controls.values())
        veiled.append(panel.picture.value)
        panel.unveil(Guess([(0, 25, 0.01), (0, 50, 0.02)]))
        assert not any(control.disabled for control in panel.controls.values())
        assert panel.sentence.value and panel.picture.value != veiled[-1]
    assert len(set(veiled)) == 1 == len({png(panel.canvas.bare()), *veiled})
    assert is_empty(panel)


def is_empty(panel):
    """Nothing is drawn inside of any axes, but for a light grid."""
    bare, figure = panel.canvas.bare(), panel.canvas.figure
    grid = np.array(to_rgb(look.SOFT)) * 255
    for ax in figure.axes:
        box = ax.get_window_extent()
        edge = 6  # the axes' own lines, and ticks
        rows = slice(len(bare) - round(box.y1) + edge, len(bare) - round(box.y0) - edge)
        part = bare[rows, round(box.x0) + edge : round(box.x1) - edge].astype(float)
        # Where a line of the grid meets the paper, its colour lies between both.
        shade = (255 - part) / (255 - grid)
        if (np.ptp(shade, axis=2) > 0.1).any() or (shade > 1.1).any():
            return False
    return True


def test_every_veiled_panel_of_the_lessons_shows_no_data(executed):
    for cell in executed.asked:
        assert is_empty(executed.panels[cell]), cell


def test_what_was_greyed_before_stays_so():
    panel = copies()
    extra = ipywidgets.Button(disabled=True)
    panel.children = [*panel.children, extra]
    panel.veil()
    panel.veil()  # guess again, and again
    panel.unveil()
    assert extra.disabled and not panel.controls["percent"].disabled


def test_without_predictions_every_panel_is_open(fresh):
    panel = copies()
    assert lesson_of("08", predict=False).predict("08.c", panel) is panel
    assert panel.sentence.value and not panel.controls["percent"].disabled


def test_an_unknown_prediction_gets_a_sentence(fresh):
    with pytest.raises(ValueError, match=r"no prediction '08.z' in lesson 08: there are 08.a"):
        lesson_of("08").predict("08.z", copies())


# ------------------------------------------------------------------------- what is said of it
MISTAKES = {"That is the first.": lambda panel, r: 80.0, "That is right.": lambda panel, r: 41.0}


@pytest.mark.parametrize(
    ("typed", "kind", "words"),
    [
        ("40", "right", f"Right: it is 40. {WORDS}"),
        ("47", "close", f"Close: you said 47; it is 40. {WORDS}"),
        ("80", "mistake", f"No: you said 80; it is 40. That is the first. {WORDS}"),
        ("75", "mistake", f"No: you said 75; it is 40. That is the first. {WORDS}"),
        ("10", "wrong", f"No: you said 10; it is 40. {WORDS}"),
    ],
)
def test_the_verdict_tells_the_truth_and_the_usual_mistakes(typed, kind, words):
    asked, told = asked_of(mistakes=MISTAKES)
    guess(asked, typed)
    (record,) = told
    assert (record["kind"], record["words"]) == (kind, words)
    assert plain(asked.words).count(words) == 1 and asked.panel.sentence.value


def test_show_me_is_no_answer():
    asked, told = asked_of()
    asked.skip.click()
    (record,) = told
    assert (record["said"], record["kind"]) == (None, "open")
    assert record["words"] == f"It is 40. {WORDS}"


def test_the_first_answer_counts_and_one_may_guess_again():
    asked, told = asked_of(draw=Draw([(0, 50)]))
    guess(asked, "80")
    assert asked.panel.guess.crosses == [(0, 50, 80.0)]
    asked.again.click()
    assert "How many?" in asked.words.value and asked.panel.sentence.value == ""
    assert [field.value for field in asked.fields] == [""]
    guess(asked, "40")
    assert "Right: it is 40." in plain(asked.words) and asked.panel.guess.crosses == [(0, 50, 40.0)]
    assert len(told) == 1 and asked.kept["said"] == "80"


def test_running_the_cell_again_shows_the_answer_that_was_kept(fresh):
    my = lesson_of("08")
    first = my.predict("08.c", copies())
    guess(first, "0.034", "0.023", "0.011")
    assert "A straight line" in first.words.value
    again = lesson_of("08").predict("08.c", copies())  # also when the first cell is run again
    assert again.words.value == first.words.value and again.panel.sentence.value
    assert again.panel.guess == first.panel.guess
    assert again.row.children == (again.again,)


# --------------------------------------------------------------------------- you draw it
THREE = Estimate("25 %", "50 %", "75 %")
CURVE = Draw([(0, 25), (0, 50), (0, 75)])


def drawn(asked, number, value):
    """Drag a handle as a hand would: the page tells which one, and where it stands."""
    asked.panel.picture._handle_custom_msg({"drawn": [number, value]}, [])


def three_to_draw():
    """Three points of a curve."""
    return asked_of(THREE, pd.Series({"25 %": 0.03, "50 %": 0.02, "75 %": 0.0}), draw=CURVE)


def test_handles_and_boxes_are_in_step():
    asked, told = three_to_draw()
    picture = asked.panel.picture
    assert [one["value"] for one in picture.handles] == [None] * 3 and picture.joined
    assert [one["label"] for one in picture.handles] == ["25 %", "50 %", "75 %"]
    assert is_grey(asked.ready)
    drawn(asked, 1, 0.02)
    assert [box.value for box in asked.fields] == ["", "0.02", ""]
    asked.fields[0].value = "0.03"
    asked.fields[2].value = "many"  # no number, so its handle has not been set
    assert [one["value"] for one in picture.handles] == [0.03, 0.02, None]
    drawn(asked, 2, 0.0)
    assert picture.heard == 2  # so the page knows that nothing older is to come
    assert not is_grey(asked.ready) and told == []
    press(asked.ready)
    assert told[0]["kind"] == "right" and picture.handles == []
    assert asked.panel.guess.crosses == [(0, 25, 0.03), (0, 50, 0.02), (0, 75, 0.0)]
    assert asked.panel.guess.joined and picture.appeared == 1
    drawn(asked, 0, 0.5)  # of a page that has not heard yet
    assert asked.panel.guess.crosses[0] == (0, 25, 0.03) and len(told) == 1


def test_handles_stand_on_the_axes_in_the_asked_unit():
    asked, _told = three_to_draw()
    canvas = asked.panel.canvas
    ax = canvas.figure.axes[0]
    for place, handle in zip((25, 50, 75), asked.panel.picture.handles, strict=True):
        ends = canvas.on_page(ax, [(place, handle["low"]), (place, handle["high"])])
        assert np.allclose(ends, [handle["from"], handle["to"]], atol=0.1)
        assert handle["low"] == 0 and handle["to"][1] < handle["from"][1]


def test_what_is_asked_may_have_another_unit_than_the_axis():
    panel = copies()
    _bottom, top = panel.canvas.figure.axes[0].get_ylim()
    (handle,) = Draw([(0, 50)], per=0.01).handles(panel, ["per cent"], [None])
    assert handle["high"] <= 100 * top < handle["high"] + 2 * handle["step"]
    assert Draw([(0, 50)], per=0.01).crosses([20]) == [(0, 50, 0.2)]
    assert Draw([(0, 1), (0, 2)], along="x").crosses([7, 8]) == [(0, 7, 1), (0, 8, 2)]


def test_the_panel_stands_at_what_was_asked_about():
    asked, _told = asked_of(at={"percent": 60})
    guess(asked, "40")
    assert asked.panel.controls["percent"].value == 60
    asked.panel.controls["percent"].value = 10
    asked.again.click()
    assert asked.panel.is_veiled
    asked.skip.click()
    assert asked.panel.controls["percent"].value == 60 and asked.panel.guess.crosses == ()


def test_crosses_are_seen_where_they_are_true():
    """While the control moves that walks along them; not where another person is asked about."""
    persons = pd.DataFrame({"sex": list("FFMMFM"), "job": list("aabbba")})
    panel = widgets.population_panel(persons, [persons], ["sex"], ["job"])
    crosses = []
    panel.canvas.draw = lambda result, guess, joined: (
        crosses.append(len(guess))
        or (
            np.zeros((4, 4, 3), dtype=np.uint8),
            Shown("words"),
        )
    )
    panel.unveil(Guess([(0, 10, 0.5)], moves="fraction"), target=2, fraction=0.1)
    panel.controls["fraction"].value = 0.5
    panel.controls["target"].value = 3
    panel.controls["target"].value = 2
    assert crosses == [1, 1, 0, 1]


def test_every_prediction_leaves_its_panel_at_values_it_has(executed):
    for cell, question in executed.asked.items():
        panel = executed.panels[cell]
        before = panel.values()
        panel.set(**question.at)
        for name, value in question.at.items():
            assert panel.controls[name].value == value, (question.id, name)
        panel.set(**before)


def test_three_numbers_of_one_curve_are_drawn(executed):
    """Wherever three numbers or more are asked for, and every handle stands on its axes."""
    for cell, question in executed.asked.items():
        parts = getattr(question.form, "parts", ())
        if question.draw is None:
            assert len(parts) < 3, question.id
            continue
        panel = executed.panels[cell]
        width, height = panel.canvas.size
        right = question.form.value(question.result(panel))
        handles = question.draw.handles(panel, list(parts), list(right.values()))
        for handle in handles:
            for x, y in (handle["from"], handle["to"]):
                assert -1 <= x <= width + 1 and -1 <= y <= height + 1, question.id
            assert handle["low"] <= handle["value"] <= handle["high"], question.id


# -------------------------------------------------------------------------------- what is kept
def test_before_an_answer_nothing_tells_the_truth(fresh):
    """Neither the stored output, nor the table of all, nor what the widgets hold."""
    my = lesson_of("08")
    asked = my.predict("08.c", copies())
    record = asked.prediction.judge(None, asked.panel)
    bundle = Kept(asked)._repr_mimebundle_()
    assert MIME not in bundle and asked.prediction.question in bundle["text/html"]
    stored = json.dumps([bundle, my.predictions()._bundle(), texts(asked)])
    for secret in (record["truth"], record["words"], "median row"):
        assert secret not in stored
    assert asked.panel.picture.value == png(asked.panel.canvas.bare())


def test_after_an_answer_it_is_stored_with_the_words(fresh):
    asked = lesson_of("08").predict("08.c", copies())
    guess(asked, "0.03", "0", "0")
    bundle = json.loads(json.dumps(Kept(asked)._repr_mimebundle_()))
    assert bundle[MIME]["prediction"] == "08.c" and bundle[MIME]["kind"] == "close"
    assert bundle[MIME]["given"] == {"25 %": 0.03, "50 %": 0, "75 %": 0}
    assert bundle[MIME]["words"] in bundle["text/html"]


def test_after_a_new_start_of_the_kernel_the_saved_notebook_is_remembered(
    fresh, monkeypatch, tmp_path
):
    asked = lesson_of("08").predict("08.c", copies())
    guess(asked, "0.034", "0.023", "0.011")
    output = new_output("display_data", Kept(asked)._repr_mimebundle_())
    path = tmp_path / "mine.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("my.predict(…)", outputs=[output])]), path)
    PREDICTED.clear()  # as a new kernel begins
    assert lesson_of("08").predict("08.c", copies()).kept is None
    PREDICTED.clear()
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    again = lesson_of("08").predict("08.c", copies())
    assert again.words.value == asked.words.value and again.panel.guess == asked.panel.guess
    assert "08.c" in lesson_of("08").predictions().kept


def test_a_guess_that_cannot_be_shown_again_is_asked_for_anew(fresh, monkeypatch, tmp_path):
    """A notebook that lost a part of what it stored, or was changed by hand."""
    asked = lesson_of("08").predict("08.c", copies())
    guess(asked, "0.034", "0.023", "0.011")
    bundle = Kept(asked)._repr_mimebundle_()
    del bundle[MIME]["words"]
    path = tmp_path / "mine.ipynb"
    cell = new_code_cell("my.predict(…)", outputs=[new_output("display_data", bundle)])
    nbformat.write(new_notebook(cells=[cell]), path)
    PREDICTED.clear()
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    assert lesson_of("08").predict("08.c", copies()).kept is None


def test_the_table_of_all_tells_who_was_fooled_and_of_the_others_nothing():
    questions = {id: asked_of()[0].prediction for id in ("01.a", "01.b", "01.c", "01.d")}
    for id, one in questions.items():
        object.__setattr__(one, "id", id)
    answers = {"01.a": "40", "01.b": "80", "01.c": None}
    panel = copies()
    kept = {
        id: questions[id].judge({"": float(typed)} if typed else None, panel)
        for id, typed in answers.items()
    }
    table = Predicted(questions, kept, {"01.a": "cell-a"})
    assert repr(table) == "You predicted 2 of 4: 1 right, 0 close. Fooled by: 01.b."
    html = table._repr_html_()
    assert '<a href="#cell-id=cell-a">01.a</a>' in html and "#cell-id=" in html
    for words in ("40 ✓", "80 ✗", "show me –", "not answered yet –"):
        assert words in html
    assert html.endswith('<td style="text-align: left"></td></tr></tbody></table></div>')


def test_the_table_is_shown_anew_with_every_answer(fresh, monkeypatch):
    my, shown = lesson_of("08"), []

    class Handle:
        def update(self, bundle, raw):
            shown.append(bundle["text/plain"])

    my.predictions().handle = Handle()
    guess(my.predict("08.c", copies()), "0.025", "0", "0")
    assert shown == ["You predicted 1 of 1: 1 right, 0 close."]


def test_the_table_is_about_the_notebook_it_stands_in(fresh, monkeypatch, tmp_path):
    """What it asks, also before its cells were run; what other notebooks ask is theirs."""
    path = tmp_path / "mine.ipynb"
    cells = [new_code_cell('panel = 1\nmy.predict("08.b", panel)', id="cell-b")]
    cells.append(new_code_cell('my.predict(\n    "08.c", copies())', id="cell-c"))
    nbformat.write(new_notebook(cells=cells), path)
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    my = lesson_of("08")
    assert repr(my.predictions()) == "You predicted 0 of 2 so far."
    assert my.predictions().cells == {"08.b": "cell-b", "08.c": "cell-c"}
    guess(my.predict("08.c", copies()), "0.025", "0", "0")
    assert repr(my.predictions()) == "You predicted 1 of 2: 1 right, 0 close."
    assert ">08.a<" not in my.predictions()._repr_html_()


# -------------------------------------------------------------- every prediction of every lesson
def test_every_prediction_knows_its_truth_and_its_usual_mistakes(executed):
    for cell, question in executed.asked.items():
        panel = executed.panels[cell]
        rows = question.rows(panel)
        right = rows[0][0]
        verdicts = []
        for value, kind, said in rows:  # a usual mistake may name some of the numbers only
            given = value if isinstance(value, str) else right | value
            verdicts.append((kind, said, question.judge(given, panel)))
        for place, (kind, said, record) in enumerate(verdicts):
            some = record["kind"] == "close" and record["words"].startswith("Close, ")
            assert record["kind"] == kind or (place and some), (question.id, record)
            earlier = any(
                question.form.same(rows[place][0], rows[other][0]) for other in range(place)
            )
            assert earlier or said in record["words"], (question.id, record)
            assert len(record["words"]) <= LONGEST, (question.id, record)
            json.dumps(record, allow_nan=False)
        assert question.judge(None, panel)["kind"] == "open"


def test_every_prediction_can_be_answered_in_its_form(executed):
    """What is true, as it is said, is typed in or chosen, and found right."""
    for cell, question in executed.asked.items():
        panel = executed.panels[cell]
        value = question.form.value(question.result(panel))
        asked = Asked(question, panel, lambda record: None)
        typed = [value] if isinstance(value, str) else [repr(float(one)) for one in value.values()]
        guess(asked, *typed)
        assert asked.kept is not None and asked.kept["kind"] == "right", question.id
        assert not asked.panel.error
        asked.panel.unveil()  # without crosses, for who uses this panel next


# ------------------------------------------------------------------------------ in the browser
@pytest.mark.slow
def test_a_reader_predicts_by_keyboard_alone(chromium, project):
    """Run All, veiled panels, an answer, the focus, guess again, the table, saved and opened."""
    name, seen = "predicted.ipynb", {}
    with jupyter_lab(project / "notebooks") as lab:
        nbformat.write(all_that_lesson_01_asks(), lab.folder / name)
        with open_notebook(chromium, lab, name) as page:
            page.page.set_viewport_size({"width": 1280, "height": 720})
            page.run_all()
            assert page.problems() == []
            strips = page.page.locator(".synthrisk-asked")
            assert strips.count() == 4 == len(page.panels())
            veiled = [panel.shown() for panel in page.panels()]
            assert [one.sentence for one in veiled] == [""] * 4
            assert page.page.locator(ENABLED).count() == 0
            seen["before"] = saved(page, lab.folder / name)
            risk, curve = strips.nth(1), strips.nth(2)
            # A word is no number; then a number, with the Enter key; quick as a machine types.
            type_in(page, risk, "abc", keys=["Tab", "Enter"])
            assert "“abc” is no number" in risk.inner_text()
            type_in(page, risk, "57", keys=["Enter"])
            assert risk.inner_text().startswith("No: you said 57; it is 12.")
            assert page.panels()[1].shown().sentence
            # Three numbers, and the button; then the arrow keys move the slider of the panel.
            type_in(page, curve, "150", "120", "84", keys=["Enter"])
            assert "150 (25\xa0%), 120 (50\xa0%) and 84 (75\xa0%)" in curve.inner_text()
            first = page.panels()[2].shown()
            page.page.keyboard.press("ArrowRight")
            page.settle(300)
            assert page.panels()[2].shown().sentence != first.sentence
            assert first.images != veiled[2].images and first.height == veiled[2].height
            # Show me, with the focus on the panel's first control; guess again, on the form.
            page.page.get_by_role("button", name="show me").last.focus()
            page.page.keyboard.press("Enter")
            settle(page)
            assert strips.nth(3).inner_text().startswith("The answer is “")
            assert focus_is_in(page, ".synthrisk-panel")
            risk.get_by_role("button", name="guess again").focus()
            page.page.keyboard.press("Enter")
            settle(page)
            assert page.panels()[1].shown().sentence == "" and focus_is_in(page, ".widget-text")
            type_in(page, None, "12", keys=["Tab", "Space"])
            assert risk.inner_text().startswith("Right: it is 12.")
            # The table has followed, with the first answer; its link leads back.
            table = page.page.locator(".synthrisk-predictions")
            assert table.locator("p").inner_text().startswith("You predicted 2 of 4: ")
            assert "57 ✗" in table.inner_text() and "not answered yet" in table.inner_text()
            table.get_by_role("link", name="01.b").click()
            page.page.wait_for_timeout(1000)
            window = page.page.locator(".jp-WindowedPanel-outer").bounding_box()
            place = risk.bounding_box()["y"]
            assert window["y"] <= place <= window["y"] + window["height"]
            for strip in strips.all():  # nothing has to be scrolled in it
                assert strip.evaluate("e => e.scrollHeight <= e.clientHeight + 1")
            seen["after"] = saved(page, lab.folder / name)
            page.run_all()
            assert strips.nth(1).inner_text().startswith("No: you said 57; it is 12.")
            assert page.problems() == []
        with open_notebook(chromium, lab, name) as page:  # the next day
            page.page.get_by_text("No: you said 57; it is 12.").first.wait_for(state="visible")
            page.page.get_by_text("Target 55 has c = 5").first.wait_for(state="visible")
            page.run_all()  # in a new kernel, which has read what was saved
            strips = page.page.locator(".synthrisk-asked")
            assert strips.nth(1).inner_text().startswith("No: you said 57; it is 12.")
    assert [one[MIME]["prediction"] for one in seen["after"] if MIME in one] == [
        "01.b", "01.c", "01.d"
    ]  # fmt: skip
    assert not any(MIME in one for one in seen["before"])
    for bundle, secret in product(
        seen["before"], (": you said", "Right: ", "race told", "nearly in a line")
    ):
        assert secret not in json.dumps(bundle)


def all_that_lesson_01_asks():
    """One notebook with the four panels of lesson 01, wherever they stand, and their table."""
    cells = [cell for there in cells_of("01").values() for cell in there]
    by_id = {cell.id: cell for cell in cells}
    asking = [cell for cell in cells if prediction_in(cell)]
    table = by_id["predictions-01"]
    cells = [by_id["66ccdb72"], by_id["140955fe"], *asking, table]
    return new_notebook(cells=cells, metadata={"kernelspec": KERNEL})


ENABLED = ".synthrisk-panel :is(input, select, button):enabled"


def settle(page):
    """Wait for the kernel, and for the focus, which comes a moment later."""
    page.settle(400)
    page.page.wait_for_timeout(400)


def type_in(page, strip, *numbers, keys):
    """Type numbers, going on with Tab, and then these keys; without a strip where the focus is."""
    if strip is not None:
        strip.locator("input").first.focus()
        page.page.keyboard.press("Control+a")
    for place, number in enumerate(numbers):
        if place:
            page.page.keyboard.press("Tab")
        page.page.keyboard.type(number)
    for key in keys:
        page.page.keyboard.press(key)
    settle(page)


def focus_is_in(page, selector):
    """Tell whether what has the focus stands in such an element."""
    return page.page.evaluate("where => !!document.activeElement.closest(where)", selector)


def saved(page, path):
    """Save the notebook, and return what it stores of predictions: the bundles of their cells."""
    page.page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    page.settle(1000)
    cells = nbformat.read(path, as_version=4).cells
    asking = [cell for cell in cells if "my.predict" in cell.source and cell.cell_type == "code"]
    return [output.data for cell in asking for output in cell.outputs]


def test_what_answers_a_question_is_folded_and_escaped():
    my = lesson_of("01")
    shown = my.fold(pd.DataFrame({"<b>": ["<i>"]}))._repr_html_()
    assert shown.startswith("<details><summary>") and "&lt;i&gt;" in shown and "<i>" not in shown
    assert "&lt;b&gt;" in my.fold("a <b>")._repr_html_() and repr(my.fold(57)) == "(folded)"
    assert "<b>a &lt;b&gt;</b>" in Folded(57, "a <b>")._repr_html_()
    steps = sr.narrow_down(sr.load_acs(), ["SEX", "MAR"], person=3)
    assert 'src="data:image/png;base64,' in my.fold(plots.narrowing(steps))._repr_html_()


# ------------------------------------------------------------- what is said alike is judged alike
def test_ten_sixtieths_are_seventeen_per_cent(fresh):
    """10.a: whoever divides has 16.7, and was told "you said 17; it is 17", and wrong."""
    ages = pd.DataFrame({"Age": [50, 45, 46, 55, 60]})
    panel = widgets.interval_panel(ages, ages, "Age", limits=(20, 100))
    for typed, kind in {"17": "right", "16.7": "right", "16": "wrong", "20": "mistake"}.items():
        asked = lesson_of("10").predict("10.a", panel)
        given = asked.prediction.form.guess([typed], {"": 17})
        record = asked.prediction.judge(given, panel)
        assert record["kind"] == kind and "because a relative radius" in record["words"], typed


def test_a_guess_that_is_said_like_the_truth_is_right(executed):
    for cell, prediction in executed.asked.items():
        form = prediction.form
        if not isinstance(form, Estimate):
            continue
        right = form.value(prediction.result(executed.panels[cell]))
        for shift in (-0.4, 0.4):
            given = {part: round(number) + shift for part, number in right.items()}
            if form.said(given) == form.said(right):
                assert form.same(given, right), prediction.id
