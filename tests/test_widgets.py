"""Every panel at the ends of every control, without a browser."""

import base64
import re
from html import unescape
from io import BytesIO
from itertools import chain, combinations
from types import SimpleNamespace

import ipywidgets
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Annotation
from panel_moves import choose, use_every_control
from panel_moves import look as look_at
from PIL import Image

import synthrisk_edu as sr
from synthrisk_edu import households, plots, widgets
from synthrisk_edu.data import in_words, load_results
from synthrisk_edu.plots import intruder, look
from synthrisk_edu.plots import matching as lineups
from synthrisk_edu.plots import radius as pictures
from synthrisk_edu.plots.picture import Picture
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.synthesis.dpmpm import watch_classes
from synthrisk_edu.widgets import panel as panel_base
from synthrisk_edu.widgets.panel import Canvas, Panel, Picker, Ticks, html_table, paragraph, slider

FACTS = ["SEX", "MAR", "RACE", "WAOB", "DIS", "HICOV", "MIG", "SCH"]  # of lesson 00
FIVE = ["SEX", "RACE", "MAR", "DIS", "HICOV"]
KNOWN, NUMBERS = ["Age", "Urban", "Marital"], ["Expenditure", "Income"]
AGE = {"Age": 0.1}


@pytest.fixture(scope="module")
def people():
    return in_words(sr.load_acs(), "acs")


@pytest.fixture(scope="module")
def units():
    """Consumer units and their synthetic version; zeros, losses and missing values included."""
    ce = in_words(sr.load_ce(), "ce")
    low = ce[ce.Income <= 0].head(20)
    some = pd.concat([ce.head(300), low, ce[ce.Income < 0]], ignore_index=True)
    return some, redraw(some, NUMBERS, NUMBERS, seed=1)


def sweeps(units):
    """Sweeps over two radii of the synthetic and of the confidential file, and the floor."""
    grid = {"Expenditure": [0, 0.1, 0.3], "Income": [0.05, 0.2]}
    both = [
        sr.radius_sweep(units[0], [one], KNOWN, NUMBERS, grid, fixed=AGE) for one in units[::-1]
    ]
    return *both, sr.floor(units[0], KNOWN, AGE)


def averages():
    """A match with each of three files: without unique match, with the truth, and with others."""
    files = [PERSONS.assign(job=list(jobs)) for jobs in ("bbaacc", "aabbba", "abbaab")]
    return [sr.match(PERSONS, file, ["sex"], ["job"]) for file in files]


def pools():
    """Forty data sets, and what an intruder gets from one, two or four of them."""
    rng = np.random.default_rng(1)
    pool = pd.DataFrame({"risk": rng.normal(4, 0.1, 40), "pmse": rng.normal(0.01, 0.001, 40)})
    return pool, pd.DataFrame({"m": [1, 1, 2, 2, 4, 4], "risk": [4, 4.1, 4.5, 4.6, 5, 5.1]})


BESIDE = {"confidential": 6.0, "floor": 3.0}
PERSONS = pd.DataFrame({"sex": list("FFMMFM"), "job": list("aabbba")})
LIMITS = ((-5, 160), (-1, 41))
PANELS = {
    "narrowing": lambda people, _: widgets.narrowing_panel(people, [*FIVE, "MIG"]),
    "candidates": lambda people, _: widgets.candidates_panel(people, FIVE, FIVE[3:], target=55),
    "file": lambda people, _: widgets.file_panel(people, FIVE, FIVE[3:]),
    "share": lambda people, _: widgets.share_panel(people, FIVE[:3], FIVE[3:]),
    "interval": lambda _, units: widgets.interval_panel(*units, "Income", limits=LIMITS[0]),
    "box": lambda _, units: widgets.box_panel(
        *units, *NUMBERS, "Tenure", limits=LIMITS, target=242
    ),
    "sweep": lambda _, units: widgets.sweep_panel(*units, KNOWN, NUMBERS, fixed=AGE, most=40),
    "surface": lambda _, units: widgets.surface_panel(*sweeps(units)),
    "known": lambda people, _: widgets.known_panel(
        people, redraw(people, ["DIS"], ["MAR"], seed=1), FIVE[:3], FIVE[:2], ["DIS"]
    ),
    "average": lambda *_: widgets.average_panel(averages(), BESIDE),
    "gibbs": lambda *_: widgets.gibbs_panel(PERSONS, "job", "a", steps=6, runs=2),
    "draws": lambda _, units: widgets.draws_panel(
        units[0], KNOWN, ["Tenure", *NUMBERS], fixed=AGE, ticked=["Income"]
    ),
    "classes": lambda *_: widgets.classes_panel(load_results("acs_classes"), BESIDE),
    "scenario": lambda *_: widgets.scenario_panel(
        load_results("ce_releases"), load_results("ce_scenarios")
    ),
    "release": lambda *_: widgets.release_panel(load_results("ce_releases")),
    "pool": lambda *_: widgets.pool_panel(*pools(), BESIDE, repeats=50),
}


@pytest.mark.parametrize("name", PANELS)
def test_every_control_moves_the_panel_and_back(name, people, units):
    use_every_control(PANELS[name](people, units))


def test_the_words_of_a_picture_are_those_of_its_panel(people, units):
    """At the same values; the words are the picture's alternative text."""
    synthetic = redraw(people, FIVE[3:], FIVE[:3], seed=1)
    found = sr.match(people, synthetic, FIVE[:3], FIVE[3:])
    own, floor = sr.baseline(people, FIVE[:3], FIVE[3:]), sr.floor(people, FIVE[:3])
    surface, confidential, lowest = sweeps(units)
    best = sr.maximizing_radius(surface)
    standing = {
        "narrowing": plots.narrowing(sr.narrow_down(people, [*FIVE, "MIG"], 0, facts=2)),
        "candidates": plots.lineup(found, 55),
        "file": plots.whole_file({"confidential": own, "synthetic": found, "floor": floor}),
        "share": plots.share(sr.share_curve(people, FIVE[:3], FIVE[3:], seed=1), floor),
        "interval": plots.interval(sr.match(*units, [], ["Income"], 0.2), 0, "Income"),
        "box": plots.box(sr.match(*units, [], NUMBERS, 0.3), 242, *NUMBERS),
        "surface": plots.surface(surface, best, confidential, lowest),
    }
    there = dict(zip(["first", "second"], best.values(), strict=True))
    moved = {"share": {"percent": 100}, "surface": there}
    for name, picture in standing.items():
        panel = PANELS[name](people, units)
        for control, value in moved.get(name, {}).items():
            choose(panel.controls[control], value)
        assert panel.sentence.value == paragraph(picture.alt), name


@pytest.mark.parametrize("name", ["candidates", "file"])
def test_all_corners_of_the_tick_boxes(name, people, units):
    panel = PANELS[name](people, units)
    for knows in ([], FIVE, FIVE[:1]):
        for synthesized in ([], FIVE, FIVE[:1]):
            choose(panel.controls["knows"], knows)
            choose(panel.controls["synthesized"], synthesized)
            assert panel.error is None
            if not knows:
                assert "Tick at least one fact" in panel.sentence.value


def test_the_sentence_says_what_match_says(people):
    panel = widgets.candidates_panel(people, FIVE, FIVE[3:], target=55)
    synthetic = redraw(people, FIVE[3:], FIVE[:3], seed=1)
    result = sr.match(people, synthetic, FIVE[:3], FIVE[3:])
    assert panel.sentence.value == paragraph(result.explain(55))
    for place in np.flatnonzero(result.matches(55)):
        assert f">{place}</td>" in panel.listing.value


def test_a_long_list_of_candidates_says_how_many_are_not_shown(people):
    panel = widgets.candidates_panel(people, FIVE, FIVE[3:], target=55)
    assert "more candidates" not in panel.listing.value
    choose(panel.controls["knows"], ["SEX"])
    women = int((people.SEX == "female").sum())
    assert f"and {women - 51:,} more candidates" in panel.listing.value


def test_the_true_record_can_be_seen_beside_the_target():
    data = pd.DataFrame({"Income": [10.0, 20.0, 30.0]})
    _, ax = look.figure(3)
    found = sr.match(data, data, [], ["Income"], 0.2)
    pictures.draw_interval(
        ax, SimpleNamespace(match=found, target=1, variable="Income", unit=1, dot=None)
    )
    heights = {line.get_marker(): line.get_ydata()[0] for line in ax.lines if len(line.get_ydata())}
    assert heights["*"] < 0 <= heights["s"]


def names_and_marks(ax):
    """The room that every name in a picture takes, and the places of all marks, in pixels."""
    FigureCanvasAgg(ax.figure).draw()
    marks = np.concatenate([ax.transData.transform(line.get_xydata()) for line in ax.lines])
    return [one.get_window_extent() for one in ax.texts if isinstance(one, Annotation)], marks


def test_no_name_is_cut_or_lies_on_a_mark_or_on_another_name():
    """On the nine units of lesson 02."""
    income = [50, 38, 45, 62, 57, 20, 30, 75, 90], [46, 41, 52, 55, 59, 22, 33, 68, 80]
    spent = [10, 8, 12, 11, 14, 6, 7, 16, 18], [9, 8.5, 11, 11.5, 14, 5, 7, 13, 17]
    names = "Ana Bob Cleo Dan Eva Finn Gus Hal Ida".split()
    x, y = "Income", "Expenditure"
    true, made = (pd.DataFrame({x: a, y: b}, names) for a, b in zip(income, spent, strict=True))
    found = sr.match(true, made, [], [x, y], 0.2)
    limits = [pictures.limits_of(true, made, variable=name, unit=1) for name in (x, y)]
    for i in range(9):
        ax = pictures.BOX.figure()[1]
        pictures.frame_box(ax, x, y, limits)
        pictures.draw_box(ax, SimpleNamespace(match=found, target=i, x=x, y=y, unit=1, dot=None))
        names, marks = names_and_marks(ax)
        assert len(names) == 9
        assert all(ax.bbox.containsx(one.x0) and ax.bbox.containsx(one.x1) for one in names)
        assert all(ax.bbox.containsy(one.y0) and ax.bbox.containsy(one.y1) for one in names)
        assert not any(one.overlaps(other) for one, other in combinations(names, 2))
        assert not any(one.contains(*mark) for one in names for mark in marks)


def test_the_file_panel_says_what_was_synthesized(people):
    panel = widgets.file_panel(people, FIVE, FIVE[3:])
    said = "Matching on sex, race and marital status (MAR), and on the synthesized disability"
    assert said in panel.sentence.value
    choose(panel.controls["synthesized"], [])
    assert "and insurance (HICOV), an intruder" in panel.sentence.value
    assert "insurance alone, is 172." in panel.sentence.value


def test_the_file_panel_shows_both_files(people):
    panel = widgets.file_panel(people, FIVE, FIVE[3:])
    own, floor = sr.baseline(people, FIVE, []), sr.floor(people, FIVE[:3])
    risks = [round(found.summary().expected_match_risk) for found in (own, floor)]
    assert f"confidential file it would be {risks[0]}." in panel.sentence.value
    assert (
        f"The floor, matching on sex, race and marital status alone, is {risks[1]}."
        in panel.sentence.value
    )
    choose(panel.controls["knows"], ["SEX"])
    assert "undefined" in panel.sentence.value


def test_the_share_panel_starts_at_the_truth(people):
    curve = sr.share_curve(people, FIVE[:3], FIVE[3:], seed=1)
    own = sr.baseline(people, FIVE[:3], FIVE[3:]).summary()
    assert curve.iloc[0][own.index].tolist() == own.tolist()
    assert curve.share.iloc[-1] == 1


def test_the_play_button_walks_the_radius(units):
    panel = PANELS["sweep"](None, units)
    buttons = [w for w in panel.children[1].children if isinstance(w, ipywidgets.Play)]
    assert [(b.min, b.max, b.step) for b in buttons] == [(0, 40, 2)]


# The base


def simple_panel(compute, say=str, table=None):
    picture = Picture(
        lambda ax: ax.set_xlim(0, 10), lambda ax, x: ax.plot([x], [0.5], "ko"), say, {"height": 2}
    )
    return Panel(picture, {"x": slider("x", 0, 10, 5)}, compute, table=table)


def test_an_error_is_shown_in_one_sentence_and_the_panel_lives_on():
    def compute(x):
        if x == 10:
            raise ValueError("Ten is <too> much.")
        return x

    panel = simple_panel(compute)
    panel.controls["x"].value = 10
    assert isinstance(panel.error, ValueError)
    assert 'class="synthrisk-error"' in panel.sentence.value
    assert "Ten is &lt;too&gt; much." in panel.sentence.value
    panel.controls["x"].value = 9
    assert panel.error is None and "synthrisk-error" not in panel.sentence.value


@pytest.mark.parametrize(
    ("panel", "words"),
    [
        (lambda d: widgets.narrowing_panel(d, ["SXE"]), "no column 'SXE'; its columns are: SEX"),
        (lambda d: widgets.narrowing_panel(d, "SEX"), "must be a list of column names"),
        (lambda d: widgets.candidates_panel(d, ["SXE"], ["SXE"]), "no column 'SXE'"),
        (lambda d: widgets.look_up_panel(d, d, ["SEX"], ["SXE"]), "no column 'SXE'"),
        (lambda d: widgets.targets_panel(d, d, ["SEX"], ["SEX"]), "leave it"),
        (lambda d: widgets.look_up_panel(d, d.astype(str), ["SEX"], ["MAR"]), "holds numbers in"),
        (lambda d: widgets.target_panel(d, {"one": d}, ["SEX"], ["MAR"]), "a list of data frames"),
    ],
)
def test_a_panel_that_cannot_begin_is_refused_as_the_method_says_it(panel, words):
    with pytest.raises((KeyError, TypeError, ValueError)) as caught:
        panel(sr.load_acs().head(50))
    assert words in str(caught.value.args[0])


def test_groups_of_the_funnel_come_from_the_columns_and_are_greyed_without_effect():
    persons = sr.load_diagnosis().head(300)
    wage = persons.assign(wage=np.arange(300) % 60)
    panel = widgets.funnel_panel(wage, [wage], ["sex", "wage"], ["marital", "income"])
    groups = {name: control for name, control in panel.controls.items() if "groups" in name}
    assert list(groups) == ["groups_wage", "groups_income"]
    assert [control.disabled for control in groups.values()] == [False, True]
    panel.controls["target"].value = "income"
    panel.controls["known"].boxes["wage"].value = False
    assert [control.disabled for control in groups.values()] == [True, False]
    few = persons[["sex", "marital", "region"]]
    panel = widgets.funnel_panel(few, [few], ["sex", "region"], ["marital"])
    assert not [name for name in panel.controls if "groups" in name]


@pytest.mark.parametrize(
    ("panel", "error", "words"),
    [
        (lambda d: widgets.interval_panel(d, d, "Incme"), KeyError, "no column 'Incme'"),
        (lambda d: widgets.interval_panel(d, d, "Urban"), TypeError, "must hold numbers"),
        (lambda d: widgets.box_panel(d, d, "Income", "Urban", "Age"), TypeError, "hold numbers"),
        (lambda d: widgets.sweep_panel(d, d, ["Age"], ["Incme"]), KeyError, "no column 'Incme'"),
        (lambda d: widgets.sweep_panel(d, d, [], ["Income"], most=0.6), ValueError, "10 to 100"),
        (lambda d: widgets.file_panel(d, ["Ubran"], []), KeyError, "no column 'Ubran'"),
        (lambda d: widgets.threshold_panel(d, [d], ["Age"], ["Urban"]), ValueError, "1 to 1"),
        (lambda d: widgets.target_panel(d, [d], ["Age"], ["Urban"]), TypeError, "a mapping from"),
    ],
)
def test_a_panel_that_cannot_be_built_says_why(panel, error, words):
    with pytest.raises(error, match=words):
        panel(sr.load_ce().head(50))


def test_who_has_been_slow_says_that_it_is_at_work(monkeypatch):
    for limit, expected in ((0, ["Computing …", "7"]), (100, ["7"])):
        monkeypatch.setattr(panel_base, "SLOW", limit)
        panel, said = simple_panel(lambda x: x), []
        panel.sentence.observe(lambda change, said=said: said.append(change["new"]), "value")
        panel.controls["x"].value = 7
        assert [re.sub("<[^>]+>", "", words) for words in said] == expected


def test_a_number_that_is_none_is_seen_in_a_sentence():
    panel = simple_panel(lambda x: x, say=lambda x: "So c = nan.")  # behind a space without break
    assert "c&nbsp;=&nbsp;nan" in panel.sentence.value
    with pytest.raises(AssertionError, match="nan"):
        look_at(panel, Image.open(BytesIO(panel.picture.value)).size)


def test_a_panel_standing_still_holds_picture_sentence_and_table():
    panel = simple_panel(lambda x: x, say=lambda x: f'"x" = {x} < 9')
    page = panel.still()
    assert base64.b64encode(panel.picture.value).decode() in page
    assert 'alt="&quot;x&quot;&nbsp;=&nbsp;5 &lt; 9"' in page
    assert panel.sentence.value in page and "<table" not in page
    panel = simple_panel(lambda x: x, table=lambda x: pd.DataFrame({"five": [x]}))
    assert html_table(pd.DataFrame({"five": [5]})) in panel.still()


def test_marks_leave_no_trace():
    panel = simple_panel(lambda x: x)
    first = panel.picture.value
    panel.controls["x"].value = 8
    assert panel.picture.value != first
    panel.controls["x"].value = 5
    assert panel.picture.value == first


def test_a_panel_forgets_the_bars_it_drew():
    frame, draw = lambda ax: ax.bar([1], [1]), lambda ax, height: ax.bar([2], [height])
    canvas = Canvas(Picture(frame, draw, str))
    for height in range(50):
        canvas.pixels(height)
    assert len(canvas.axes.containers) == 2  # one of the frame, one of the last move
    assert len(canvas.axes.patches) == 2


def test_a_picture_from_the_backdrop_equals_one_drawn_from_scratch(units):
    confidential, synthetic = units
    found = sr.match(confidential, synthetic, [], ["Income"], 0.3)
    canvas = Canvas(pictures.INTERVAL, "Income", (0, 100), 1000)
    now = {"match": found, "variable": "Income", "unit": 1000, "dot": None}
    canvas.pixels(SimpleNamespace(**now, target=3))
    pixels = canvas.pixels(SimpleNamespace(**now, target=7))
    quick = np.asarray(Image.open(BytesIO(panel_base.png(pixels))), dtype=int)
    canvas.figure.canvas.draw()
    slow = np.asarray(canvas.figure.canvas.buffer_rgba(), dtype=int)[:, :, :3]
    # The marks lie over the axes rather than under them, which a few pixels show.
    assert (np.abs(quick - slow).max(axis=2) > 40).mean() < 0.002


def test_text_from_data_cannot_become_html():
    evil = '<script>alert("x")</script>'
    table = html_table(pd.DataFrame({evil: [evil]}))
    assert "<script" not in table and table.count("&lt;script&gt;") == 2
    assert "<script" not in paragraph(evil)
    panel = simple_panel(
        lambda x: x, say=lambda x: evil, table=lambda x: pd.DataFrame({"a": [evil]})
    )
    assert "<script" not in panel.sentence.value + panel.listing.value


def test_a_panel_of_hostile_data_escapes_it():
    evil = "<b>M</b>"
    data = pd.DataFrame({"Sex <i>": ["F", evil, evil], "DIS": ["yes", "no", "no"]})
    panel = widgets.candidates_panel(data, ["Sex <i>", "DIS"], ["DIS"], target=1)
    assert panel.error is None
    assert "<b>" not in panel.sentence.value + panel.listing.value
    assert "<i>" not in panel.sentence.value + panel.listing.value


def test_ticks_collect_names_in_order():
    ticks = Ticks("known", ["a", "b", "c"], ["c", "a"])
    assert ticks.value == ("a", "c")
    ticks.boxes["b"].value = True
    assert ticks.value == ("a", "b", "c")


def test_names_can_be_shown_in_other_words():
    ticks = Ticks("known", {"SEX": "sex", "MAR": "marital status (MAR)"}, ["MAR"])
    assert [box.description for box in ticks.boxes.values()] == ["sex", "marital status (MAR)"]
    assert ticks.value == ("MAR",)
    targets = panel_base.variable_menu("target", {"ls": "feeling about life (ls)"})
    assert (targets.value, targets._options_labels) == ("ls", ("feeling about life (ls)",))


def test_a_person_is_typed_stepped_to_or_drawn():
    chosen = Picker("person", 0, 9, 3)
    _label, box, back, on, other, _refusal = chosen.children
    box.value = " 7"
    assert (chosen.value, box.value) == (7, "7")
    for _ in range(3):
        on.click()
    assert (chosen.value, box.value) == (0, "0")  # after the last comes the first
    back.click()
    assert chosen.value == 9
    seen = {chosen.value for _ in range(20) if other.click() is None}
    assert len(seen) > 4 and seen <= set(range(10))


@pytest.mark.parametrize("typed", ["7.5", "7,5", "-1", "10", "", "Ana", "1e3"])
def test_what_is_no_record_is_refused_in_words(typed):
    chosen = Picker("person", 0, 9, 3)
    chosen.box.value = typed
    assert chosen.value == 3
    assert chosen.refusal.value == f"“{typed}” is no whole number from 0 to 9."
    chosen.box.value = "3"  # the same as before, and no refusal any more
    assert (chosen.value, chosen.refusal.value) == (3, "")


@pytest.mark.parametrize("name", ["interval", "box"])
def test_a_ring_reads_a_record_from_left_to_right(name, units):
    """Of those with a dot: a missing value has none."""
    panel = PANELS[name](None, units)
    variables = ["Income"] if name == "interval" else NUMBERS
    drawn = units[1][variables].dropna()
    assert panel.controls["dot"].max == len(drawn)
    left = drawn.sort_values(variables[0], kind="stable").index[0]
    panel.controls["dot"].value = 1
    said = f"The ring is around record {left}: "
    assert panel.error is None and said in panel.sentence.value
    ring = [line for line in panel.canvas.axes.lines if line.get_markersize() == 19]
    assert len(ring) == 1
    shown = units[1].loc[left, variables[0]] / 1000
    assert ring[0].get_xdata()[0] == pytest.approx(shown)
    panel.controls["target"].value = int(left)
    assert "That is the target's own record." in unescape(panel.sentence.value)


def test_one_two_and_three_candidates_can_be_told_apart(units):
    ax = PANELS["sweep"](None, units).canvas.axes[2, 1]
    heights = ax.transAxes.inverted().transform(ax.transData.transform([(0, c) for c in range(4)]))
    steps = np.diff(heights[:, 1])
    assert steps == pytest.approx(steps[0]) and steps[0] > 0.1


def test_the_surface_begins_where_it_is_told_to(units):
    start = {"Expenditure": 0.3, "Income": 0.05}
    panel = widgets.surface_panel(*sweeps(units), start=start)
    assert list(panel.values().values()) == [0.3, 0.05]


def test_the_longest_fact_of_the_lesson_fits_into_the_picture(people):
    panel = widgets.narrowing_panel(people, FACTS)
    panel.controls["facts"].value = len(FACTS)
    for name in FACTS:
        for person in people.drop_duplicates(name).index:
            panel.controls["person"].value = int(person)
            ends = [text.get_window_extent() for text in panel.canvas.axes.texts]
            assert min(end.x0 for end in ends) >= 0, people[name][person]
            assert max(end.x1 for end in ends) <= panel.canvas.figure.bbox.x1


def test_narrowing_reads_its_ends(people):
    say = lineups.say_narrowing
    nothing = sr.narrow_down(people, FIVE, person=0, facts=0)
    assert say(nothing) == "Knowing nothing, the intruder faces all 10,000 persons."
    alone = pd.DataFrame({"fact": ["nothing yet", "SEX = female"], "left": [10, 1]})
    assert "unique in the file" in say(alone)


def test_lineup_marks_the_true_record_also_among_many():
    data = pd.DataFrame({"x": [1] * 1000})
    _, ax = look.figure(3)
    lineups.draw_lineup(ax, SimpleNamespace(match=sr.match(data, data, [], ["x"]), target=900))
    squares = [line for line in ax.lines if line.get_marker() == "s"]
    assert [len(line.get_xdata()) for line in squares] == [1]
    assert "(180 candidates shown)" in ax.texts[0].get_text()


def test_static_pictures_carry_words():
    figure, _ = look.figure(2)
    picture = look.show(figure, "An empty picture.")
    assert picture.alt == "An empty picture."
    assert picture.data[:4] == b"\x89PNG"


def test_surface_sentence_reads_both_radii():
    best, risks = {"E": 0.3, "I": 0.2}, {"confidential": 9.0, "synthetic": 5.0, "floor": 2.0}
    now = {"now": {"E": 0.1, "I": 0.2}, "plain": {"E": "E", "I": "I"}}
    result = SimpleNamespace(risks=risks, best=best, top=7.0, **now)
    said = pictures.say_surface(result)
    assert "10 % for E and 20 % for I" in said and "7, is at 30 % for E and 20 % for I" in said
    assert "about 5 (confidential: 9, floor: 2)" in said


# Lessons 03 and 04


def test_an_undefined_false_match_rate_is_left_out_and_said():
    panel = widgets.average_panel(averages()[:2], BESIDE)
    panel.controls["m"].value = 2
    assert "1 undefined, left out" in panel.sentence.value
    assert "false match rate 0 (" in panel.sentence.value.replace("&nbsp;", " ")
    assert "confidential 6, floor 3." in panel.sentence.value
    assert "both at once, and guesses where nobody matches, expects 4." in panel.sentence.value
    words = [text.get_text() for text in panel.canvas.axes[0].texts]
    assert words == ["↑ confidential 6"]  # far above single files, so it is said in words


def test_another_file_comes_first_and_the_rest_follow_in_a_ring():
    matches = averages()
    panel = widgets.average_panel(matches, BESIDE)
    now = panel.compute(m=2, file=3)
    assert now.first.expected_match_risk.tolist() == [1, 0]  # the third, and then the first
    assert now.means.expected_match_risk.tolist() == [1, 0.5]
    last = [panel.compute(m=3, file=file).means.iloc[-1] for file in (1, 2, 3)]
    assert all(np.allclose(one, last[0]) for one in last)  # of all, in whichever order
    for places in ([2], [2, 0], [2, 0, 1]):
        files = [matches[place].synthetic for place in places]
        expected = sr.intruder_risk(PERSONS, files, ["sex"], ["job"]).summary().expected
        assert panel.compute(m=3, file=3).together[len(places)] == expected
    one, at_once = (panel.canvas.axes[place].get_ylim() for place in (0, 1))
    assert one == at_once  # one scale for both risks


def test_the_curve_of_classes_comes_with_the_slider():
    panel = widgets.classes_panel(load_results("acs_classes"), BESIDE)
    for step in (0, 3):
        choose(panel.controls["step"], step)
        reached = [line.get_xdata() for line in panel.canvas.axes[1].lines]
        assert max(np.max(x) for x in reached if len(x)) == step


def test_the_persons_of_the_gibbs_panel_are_those_of_the_sampler():
    panel = widgets.gibbs_panel(PERSONS, "job", "a", classes=2, steps=6, runs=2)
    z, pi, phi = watch_classes(PERSONS, classes=2, steps=6, seed=2)
    now = panel.compute(step=4, run=2)
    assert now.z.tolist() == z.to_numpy()[:5].tolist()
    assert np.allclose(now.weights, pi.loc[4]) and np.isclose(now.weights.sum(), 1)
    assert np.allclose(now.chances, phi.loc[4, [("job", "a", 0), ("job", "a", 1)]])
    assert np.allclose(phi["job"].T.groupby(level=1).sum(), 1)  # a table for every class
    with pytest.raises(ValueError, match="level"):
        widgets.gibbs_panel(PERSONS, "job", "z")


def test_the_draws_panel_says_what_match_says(units):
    ce = units[0]
    panel = widgets.draws_panel(ce, KNOWN, ["Tenure", *NUMBERS], fixed=AGE)
    files = sr.synthesize_cart(ce, ["Tenure", "Income"], 20, seed=1)[:3]
    now = panel.compute(("Tenure", "Income"), 3, 0.1, 5)
    for place, file in enumerate(files):
        question = ce, file, KNOWN, ["Tenure", "Income"], AGE | {"Income": 0.1}
        gives_up, falls_back = (sr.match(*question, fallback=back) for back in (False, True))
        assert [now.c[place], now.T[place]] == gives_up.records.loc[5, ["c", "T"]].tolist()
        assert np.isclose(now.gives_up[place], gives_up.summary().expected_match_risk)
        assert np.isclose(now.falls_back[place], falls_back.summary().expected_match_risk)
    choose(panel.controls["chosen"], [])
    assert "you publish the truth" in panel.sentence.value and panel.error is None


def test_an_intruder_may_have_forgotten_what_was_synthesized(people):
    made = redraw(people, FIVE[3:], ["MAR"], seed=1)
    panel = widgets.known_panel(people, made, FIVE[:3], FIVE[:2], FIVE[3:])
    for ticked in (["DIS"], []):
        choose(panel.controls["drawn"], ticked)
        found = sr.match(people, made, FIVE[:2], ticked).summary()
        assert panel.error is None
        assert f"right {found.expected_match_risk:.0f} times" in panel.sentence.value
    choose(panel.controls["known"], [])
    assert "Knowing nothing, an intruder" in panel.sentence.value and panel.error is None


def test_an_edge_of_the_grid_is_called_an_edge():
    at_radius = plots.examples.at_radius
    assert at_radius(0.3, [0, 0.3, 1]) == "r = 30 %"
    assert at_radius(0, [0, 0.3, 1]) == "r = 0 %, the lower edge"
    assert at_radius(1, [0, 0.3, 1]) == "r = 100 %, the upper edge"


def test_whoever_falls_back_has_another_picture_and_another_sentence():
    panel = widgets.scenario_panel(load_results("ce_releases"), load_results("ce_scenarios"))
    choose(panel.controls["scenario"], "Tenure+Expenditure+Income")
    first, words = panel.picture.value, panel.sentence.value.replace("&nbsp;", " ")
    assert "and gives up where nobody matches" in words
    assert "highest at r = 100 %, the upper edge: 81." in words
    choose(panel.controls["falls_back"], True)
    words = panel.sentence.value.replace("&nbsp;", " ")
    assert panel.picture.value != first and panel.error is None
    assert "and falls back where nobody matches" in words and "highest at r = 20 %: 120." in words
    choose(panel.controls["m"], 1)  # a single file: both ways of asking agree
    words = panel.sentence.value.replace("&nbsp;", " ")
    assert "the expected match risk is 121;" in words
    assert "Using it, falling back: 121." in words


def test_an_absolute_radius_is_the_same_for_everybody(units):
    panel = widgets.interval_panel(*units, "Income", limits=(-5, 160))
    for control, value in {"r": 10, "relative": False}.items():
        choose(panel.controls[control], value)
    for target in (0, 7):
        choose(panel.controls["target"], target)
        found = sr.match(*units, [], ["Income"], 10_000, relative=False)
        told = f"{found.explain(target)} The half-width R is 10,000, for every target."
        assert panel.sentence.value == paragraph(told)
    choose(panel.controls["relative"], True)
    found = sr.match(*units, [], ["Income"], 0.1)
    assert found.explain(7) in unescape(panel.sentence.value).replace("\u00a0", " ")
    assert "10&nbsp;% of the target" in panel.sentence.value


def test_the_tick_box_brings_back_the_papers_intruder():
    releases = load_results("ce_releases")
    panel = widgets.release_panel(releases)
    for name, box in panel.controls["chosen"].boxes.items():
        box.value = name == "Tenure"
    assert (
        "3,420 on average (falling back where nobody matches: 5,571), against 5,571"
        in panel.sentence.value
    )
    panel.controls["paper"].boxes["the paper's intruder"].value = True
    assert (
        "99 on average (falling back where nobody matches: 104), against 212"
        in panel.sentence.value
    )
    for box in panel.controls["chosen"].boxes.values():
        box.value = False
    assert "you publish the truth" in panel.sentence.value and panel.error is None


# Lesson 06


@pytest.fixture(scope="module")
def diagnosis():
    persons = sr.load_diagnosis()
    special = {"income": [-8]}
    sets = sr.synthesize_cart(persons, list(persons.columns), 2, special=special, seed=1)
    return persons, sets


def build_disclosure(name, persons, sets):
    keys, targets = ["sex", "age", "region", "placesize"], ["marital", "workab", "income"]
    grouped = {"groups": {"income": 20}, "special": {"income": [-8]}}
    return {
        "look_up": lambda: widgets.look_up_panel(persons, sets[0], keys, targets),
        "funnel": lambda: widgets.funnel_panel(
            persons, sets, keys, targets, special={"income": [-8]}
        ),
        "targets": lambda: widgets.targets_panel(persons, sets[0], keys, targets, **grouped),
        "identity": lambda: widgets.identity_panel(persons, sets, keys),
        "guess": lambda: widgets.guess_panel(persons, sets, keys, targets, ticked=["sex", "age"]),
    }[name]()


def test_the_chain_stops_at_the_first_no():
    original = pd.DataFrame({"k": list("aabc"), "t": list("pqpp")})
    synthetic = pd.DataFrame({"k": list("abb"), "t": list("ppq")})
    found = sr.disclosure(original, synthetic, ["k"], "t")
    assert found.links(0) == [True, True, True, False]
    assert found.links(1) == [True, True, False, None]
    assert found.links(2) == [True, False, None, None]
    assert found.links(3) == [False, None, None, None]


def test_the_picture_of_the_chain_always_shows_the_truth():
    shown = plots.disclosure._answers_to_show
    answers = pd.Series({"a": 1, "b": 5, "c": 4, "d": 3, "e": 2, "f": 6})
    assert list(shown(answers, "a").index) == ["f", "b", "c", "d", "a"]
    assert list(shown(answers, "nowhere").index) == ["f", "b", "c", "d", "e"]


def test_synthesizers_are_named_with_their_means_and_a_copy_has_its_place():
    original = {"UiO": 48.0, "Dorig": 77.0}
    files = pd.DataFrame(
        [
            {"synthesizer": "trees", "repU": 12, "DiSCO": 33, "ratio": 1.0, **original},
            {"synthesizer": "trees", "repU": 14, "DiSCO": 35, "ratio": 1.4, **original},
            {"synthesizer": "a copy", "repU": 48, "DiSCO": 77, "ratio": 0.0, **original},
        ]
    )
    picture = plots.synthesizers(files)
    assert picture.alt == (
        "Means over the files. trees: repU 13 %, DiSCO 34 %, pMSE ratio 1.2; a copy: repU 48 %, "
        "DiSCO 77 %, pMSE ratio 0.0; the original: UiO 48 %, Dorig 77 %."
    )
    axes = look.figure(3, 3)[1]
    plots.disclosure.draw_synthesizers(axes, files, files.groupby("synthesizer", sort=False).mean())
    assert axes[1].lines[0].get_xydata().tolist() == [[33, 0], [35, 0], [77, 1]]
    assert np.isfinite(axes[2].lines[0].get_xydata()).all()
    assert [text.get_text() for text in axes[2].texts] == ["1.2", "0.0"]


def test_a_standing_picture_says_what_its_panel_says(diagnosis):
    persons, sets = diagnosis
    found = sr.disclosure(persons, sets[0], ["sex", "age", "region", "placesize"], "marital")
    panel = build_disclosure("look_up", persons, sets)
    assert panel.sentence.value == paragraph(plots.look_up(found, 0).alt)
    panel = build_disclosure("funnel", persons, sets[0])
    assert panel.sentence.value == paragraph(plots.funnel(found).alt)
    panel = build_disclosure("identity", persons, sets[0])
    one = sr.disclosure(persons, sets[0], ["sex"], "marital").identity.mean()
    assert panel.sentence.value == paragraph(plots.identity(pd.DataFrame([one], ["sex"])).alt)


def test_a_target_keeps_its_row_whatever_is_moved(diagnosis):
    panel, orders = build_disclosure("targets", *diagnosis), set()
    for known in (("sex", "age", "region", "placesize"), ("sex", "region")):
        table = panel.compute(known, (), 50, 90, 4, 80)
        panel.pixels(table)
        marks = [one for one in panel.canvas.axes.lines if one.get_marker() == "o"]
        (drawn,) = [dict(one.get_xydata()[:, ::-1]) for one in marks if len(one.get_xydata())]
        rows = ["marital", "workab", "income"]
        found = zip(table.target, table.DiSCO, strict=True)
        assert drawn == {rows.index(name): disco for name, disco in found}
        orders.add(tuple(table.target))
    assert len(orders) == 2  # or nothing would have been moved


def test_the_funnel_says_which_level_is_left_out(diagnosis):
    panel = build_disclosure("funnel", *diagnosis)
    panel.controls["levels"].value = "without the commonest"
    assert "among them all with marital status&nbsp;=&nbsp;MARRIED." in panel.sentence.value
    panel.controls["target"].value = "income"
    assert "among them all with income&nbsp;=&nbsp;-8." in panel.sentence.value


def test_the_order_of_the_keys_can_be_changed(diagnosis):
    persons, sets = diagnosis
    panel = build_disclosure("identity", persons, sets)
    panel.controls["order"].value = ("placesize", "region", "age", "sex")
    panel.controls["known"].value = 3
    found = sr.disclosure(persons, sets, ["placesize", "region", "age"], "marital")
    assert "Knowing size of place (placesize), region and age" in panel.sentence.value
    alone = round(found.identity.UiO.mean())  # as one says it
    assert f"{alone}&nbsp;% of the original" in panel.sentence.value


def test_a_guess_is_the_commonest_answer_of_the_rows_that_fit():
    """Missing is an answer; of equally common ones the first counts; not found, not guessed."""
    original = pd.DataFrame({"k": ["a", "a", "b", "c", None], "t": ["p", "q", None, "p", "p"]})
    one = pd.DataFrame(
        {"k": ["a", "a", "a", "b", "b", None], "t": ["q", "q", "p", None, None, "p"]}
    )
    other = pd.DataFrame({"k": ["a", "a", "b", "c"], "t": ["q", "p", "p", "p"]})
    panel = widgets.guess_panel(original, [one, other], ["k"], ["t"])
    now = panel.compute(("k",), "t")
    # Of one: the second a, b and the missing key; of the other: the first a and c.
    assert now.guessed == pytest.approx(100 * (3 + 2) / 2 / 5)
    # Of all rows: in one each answer stands twice, q first; in the other p is the commonest.
    assert panel.compute((), "t").guessed == now.same == pytest.approx(100 * (1 + 3) / 2 / 5)
    assert now.believed == sr.disclosure(original, [one, other], ["k"], "t").attribute.DiSCO.mean()


def test_a_guess_says_what_it_looks_at(diagnosis):
    panel = build_disclosure("guess", *diagnosis)
    assert "commonest answer of the rows with the same sex and age is right" in panel.sentence.value
    for box in panel.controls["looked_at"].boxes.values():
        box.value = False
    assert "commonest answer of all rows is right for 60&nbsp;%" in panel.sentence.value


def test_the_thresholds_of_the_flags_can_be_moved(diagnosis):
    panel = build_disclosure("targets", *diagnosis)
    assert "Flagged, so have a look: worked abroad and marital status." in panel.sentence.value
    panel.controls["two_way_share"].value = 100
    assert "Flagged, so have a look: worked abroad." in panel.sentence.value
    panel.controls["one_way_share"].value = 99
    assert "No target is flagged; that does not say" in panel.sentence.value


def test_look_up_and_explain_tell_the_same_story():
    original = pd.DataFrame({"k": list("aabcd"), "t": list("pqppp")})
    synthetic = pd.DataFrame({"k": list("abbd"), "t": list("ppqp")})
    found = sr.disclosure(original, synthetic, ["k"], "t")
    assert found.look_up(0).to_dict("index") == {
        "p": {"original": 1, "synthetic": 1},
        "q": {"original": 1, "synthetic": 0},
    }
    assert "disclosed. In the original others" in found.explain(0)
    assert "but the truth is q" in found.explain(1)
    assert "differ (p and q)" in found.explain(2)
    many = sr.disclosure(
        original.head(1), pd.DataFrame({"k": ["a"] * 9, "t": list("pqrstuvwx")}), ["k"], "t"
    )
    assert "differ (p, q, r, s, t, u and 3 others)" in many.explain(0)
    assert "not found" in found.explain(3)
    assert "would have told the same" in found.explain(4)


# Lesson 07


@pytest.fixture(scope="module")
def homes():
    """The QIs of both files of the small state N1, and r."""
    data = sr.load_households()
    here = data.households[data.households.state == "N1"]
    inside = data.persons[data.persons.household.isin(here.household)]
    wide = sr.households.flatten(inside, here.reset_index(drop=True))
    other = sr.households.synthesize(wide, seed=1)[0]
    r = load_results("household_risk").set_index("household").r.loc[wide.household]
    return households.qi_table(wide), households.qi_table(other), r.reset_index(drop=True)


def incomes(table, other, r):
    """The SU-CU households with an income, as make_household_results.py stores them."""
    near = households.near_incomes(table, other, households.qi_names(), "income", b=[20, 50])
    places = near.confidential.to_numpy()
    homes = table.iloc[places][["state", "rural", "residents"]].reset_index(drop=True)
    shares = near.filter(like="a2")
    return homes.assign(r=r.to_numpy()[places]).join(near[["x", "x_synthetic"]]).join(shares)


def test_the_attribute_panel_says_what_attribute_risk_says(homes):
    table, other, r = homes
    panel = widgets.attribute_panel(incomes(*homes))
    panel.controls["R"].value, panel.controls["b"].value = 0, 20
    risk = sr.households.attribute_risk(
        table, other, households.qi_names(), "income", r, thresholds=[0]
    )
    row = risk.loc[0]
    assert row["records"] > 0
    assert f"{row['records']:.0f} SU-CU households" in panel.sentence.value
    assert f"a1(20, 0)&nbsp;=&nbsp;{row['a1(20)']:.0f}." in panel.sentence.value


def test_every_tick_of_the_qis_has_a_stored_result():
    panel = widgets.qis_panel(load_results("household_knowledge"))
    names = list(panel.controls["person"].boxes)
    sizes = range(len(names) + 1)
    for ticked in chain.from_iterable(combinations(names, size) for size in sizes):
        for respondents, residents in ((1, 0), (1, 1), (2, 0), (2, 1)):
            assert panel.say(panel.compute(ticked, respondents, residents))


def test_the_square_of_the_true_record_does_not_make_its_bar_look_higher():
    _, ax = look.figure(3)
    one = pd.DataFrame({"job": list("aaab")})
    risk = sr.intruder_risk(one, [one], [], ["job"])
    intruder.draw_probabilities(ax, SimpleNamespace(risk=risk, target=0))
    (square,) = [line for line in ax.lines if line.get_marker() == "s"]
    assert square.get_ydata()[0] < np.log10(1 / 3) - 0.5


def test_the_threshold_panel_tells_small_risks_apart():
    """On the axis of what is believed, what is right would be one line at the foot."""
    true = pd.DataFrame({"sex": ["F", "M"] * 30, "job": range(60)})
    rng = np.random.default_rng(1)
    draws = [true.assign(job=rng.permutation(true.job)) for _ in range(10)]
    panel = widgets.threshold_panel(true, draws, ["sex"], ["job"])
    whole, foot = (ax.get_ylim()[1] for ax in panel.canvas.axes)
    expected = max(panel.compute(0.2, m, 0).table.expected.max() for m in (2, 3, 5, 10))
    assert expected < foot < 3 * expected < whole


def test_an_interval_below_0_does_not_hold_0():
    """With sex and age alone members are told less than others, in nearly every split."""
    keys, targets = ["sex", "age", "region", "placesize"], ["marital"]
    panel = widgets.members_panel(load_results("members_keys"), keys, targets)
    choose(panel.controls["known"], ["sex", "age"])
    assert "The interval, -0.6 to -0.3, leaves out 0." in panel.sentence.value


def test_what_was_added_is_said_as_it_is_written():
    """-0.04 is written 0: "-0.2 to 0, leaves out 0" would be no sentence."""
    keys, targets = ["sex", "age", "region", "placesize"], ["marital", "depress"]
    panel = widgets.members_panel(load_results("members_keys"), keys, targets)
    choose(panel.controls["known"], ["sex", "region", "placesize"])
    assert "The interval, -0.2 to 0, holds 0:" in panel.sentence.value
    choose(panel.controls["known"], ["sex"])
    assert "for hardly anybody, member or not: nothing is added." in panel.sentence.value
    choose(panel.controls["known"], ["age", "region"])
    panel.controls["target"].value = "depress"
    assert "has added 1 percentage point." in panel.sentence.value


def test_nothing_is_compared_where_there_is_nothing():
    panel = widgets.copies_panel(load_results("members_copies"))
    panel.controls["percent"].value = 20
    assert "1.4 of the honest file: usefulness praises the copying." in panel.sentence.value
    panel.controls["percent"].value = 0
    assert "The pMSE ratio is 1.4. This is the honest file itself." in panel.sentence.value
    panel = widgets.qis_panel(load_results("household_knowledge"))
    assert "rural and residents; of two persons age, gender, education" in panel.sentence.value
    choose(panel.controls["person"], ["gender"])
    panel.controls["respondents"].value, panel.controls["residents"].value = 1, 0
    assert "No household is alone in the sample with that" in panel.sentence.value


def leaf_panel():
    stored = load_results("members_leaves"), load_results("members_leaf_keys")
    return widgets.leaf_panel(*stored, ["sex", "age", "region", "placesize"])


def test_the_curves_of_leaves_and_copies_come_with_the_slider():
    """Issue 30: a frame that holds the whole curve answers the panel's own question."""
    copies = widgets.copies_panel(load_results("members_copies"))
    for panel, name, first, last in (
        (leaf_panel(), "min_leaf", 100, 1),
        (copies, "percent", 0, 100),
    ):
        control = panel.controls[name]
        assert control.value == first
        shown = [len(curve.get_xdata()) for curve in panel.canvas.axes[0].lines]
        assert max(shown) == 1  # only the dot
        control.value = last
        assert panel.error is None
        shown = [len(curve.get_xdata()) for curve in panel.canvas.axes[0].lines]
        assert max(shown) == len(panel.compute(**panel.values()).so_far) > 10


def test_the_leaf_panel_asks_with_the_keys_that_are_ticked():
    panel = leaf_panel()
    stored = load_results("members_leaf_keys")
    choose(panel.controls["known"], ["sex", "age"])
    panel.controls["min_leaf"].value = 1
    these = stored[(stored["keys"] == "sex+age") & (stored.min_leaf == 1)]
    row = panel.compute(**panel.values()).row
    assert row.members == pytest.approx(these.members.mean())
    assert "who knows sex and age, DiSCO is" in panel.sentence.value
    choose(panel.controls["known"], [])
    assert "tick at least one key" in panel.sentence.value and panel.error is None


def test_the_leaves_stand_where_their_size_says():
    ax = leaf_panel().canvas.axes[0]
    x = [ax.transData.transform((leaf, 0))[0] for leaf in (1, 10, 100)]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1])  # ten times is ten times
    assert [int(tick.get_text()) for tick in ax.get_xticklabels()] == list(ax.get_xticks())


def ends_of_sliders():
    """Panels of lessons 07 and 08 with one slider, at both of its ends."""
    sizes = widgets.sizes_panel(load_results("household_sizes"), pd.Series(range(1, 13)))
    leaves = leaf_panel()
    copies = widgets.copies_panel(load_results("members_copies"))
    for panel, values in ((sizes, (2, 12)), (leaves, (1, 100)), (copies, (0, 100))):
        control = next(iter(panel.controls.values()))
        for value in values:
            control.value = value
            yield panel


def test_a_dot_at_the_end_of_a_slider_is_not_cut():
    for panel in ends_of_sliders():
        radius = look.NOW["markersize"] / 2 * panel.canvas.figure.dpi / 72
        for ax in panel.canvas.axes:
            box = ax.get_window_extent()
            dots = [one for one in ax.lines if one.get_markersize() == look.NOW["markersize"]]
            assert dots
            for x, y in np.concatenate([ax.transData.transform(dot.get_xydata()) for dot in dots]):
                assert box.x0 <= x - radius and x + radius <= box.x1
                assert box.y0 <= y - radius and y + radius <= box.y1


def test_the_names_of_the_methods_stand_above_all_marks():
    panel = widgets.protection_panel(load_results("household_methods"))
    (legend,) = panel.canvas.figure.legends
    for ax in panel.canvas.axes:
        assert ax.get_legend() is None
        assert legend.get_window_extent().y0 > ax.title.get_window_extent().y0


@pytest.mark.parametrize("target", [0, 1, 4])
def test_the_population_panel_tells_what_the_method_tells(target):
    """At a fraction of 1 everybody is in the file: what `intruder_risk` says with census totals."""
    true = pd.DataFrame({"sex": list("FFMMM"), "job": list("aabbc")})
    draws = [true.assign(job=list(jobs)) for jobs in ("abbca", "aacba", "bbaab")]
    panel = widgets.population_panel(true, draws, ["sex"], ["job"], target=target)
    whole = panel.compute(target, 0.2).curve.loc[1.0]
    for name, how in {
        "census": {"population": true.value_counts()},
        "weights": {"weights": np.ones(5)},
    }.items():
        found = sr.intruder_risk(true, draws, ["sex"], ["job"], **how).match_probabilities(target)
        assert whole[name] == pytest.approx(found[:-1].max())
        if name == "census":
            assert whole.outside == pytest.approx(found.iloc[-1], abs=1e-12)
    assert (panel.compute(target, 0.2).curve.weights <= 0.5)[:0.5].all()


def test_what_libraries_hold_is_set_aside(monkeypatch):
    """A search for garbage in all of it would stop a move for a fifth of a second."""
    calls = []
    monkeypatch.setattr(panel_base.gc, "collect", lambda: calls.append("collect"))
    monkeypatch.setattr(panel_base.gc, "freeze", lambda: calls.append("freeze"))
    for number, expected in {50_000: [], 50_001: ["collect", "freeze"]}.items():
        monkeypatch.setattr(panel_base.gc, "get_objects", lambda number=number: [None] * number)
        widgets.average_panel(averages(), BESIDE)
        assert calls == expected  # in this order, or garbage would stay for ever


def test_veiled_twice_a_panel_can_still_be_moved():
    panel = widgets.average_panel(averages(), BESIDE)
    panel.veil()
    panel.veil()
    assert panel.controls["m"].disabled
    panel.unveil()
    assert not panel.controls["m"].disabled
