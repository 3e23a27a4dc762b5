"""Every panel at the ends of every control, without a browser."""

import base64
import re
from html import unescape
from importlib import import_module
from io import BytesIO
from itertools import chain, combinations

import ipywidgets
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from panel_moves import choose, use_every_control
from panel_moves import look as look_at
from PIL import Image

import synthrisk_edu as sr
from synthrisk_classroom.lesson import predictions
from synthrisk_classroom.prediction import PREDICTIONS, Asked
from synthrisk_edu import households, plots, widgets
from synthrisk_edu.data import in_words, load_results
from synthrisk_edu.plots import households as hh_pictures
from synthrisk_edu.plots import look
from synthrisk_edu.plots import matching as lineups
from synthrisk_edu.plots import radius as pictures
from synthrisk_edu.plots.picture import Shown, Tile, dots, picture
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.synthesis.dpmpm import watch_classes
from synthrisk_edu.widgets import panel as panel_base
from synthrisk_edu.widgets.canvas import Canvas, png
from synthrisk_edu.widgets.controls import Picker, Ticks, slider, variable_menu
from synthrisk_edu.widgets.panel import Panel, html_table, paragraph
from synthrisk_edu.words import rounded

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


def numbers(panel):
    """The numbers of its tiles."""
    shown = re.findall(r'<dd class="number"[^>]*>(.*?)</dd>', panel.tiles.value)
    return [unescape(re.sub("<.*?>", "", one)) for one in shown]


def said_by(panel):
    """Its sentence, as one reads it."""
    return unescape(re.sub("<.*?>", "", panel.sentence.value)).replace("\u00a0", " ")


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
    for name, still in standing.items():
        panel = PANELS[name](people, units)
        for control, value in moved.get(name, {}).items():
            choose(panel.controls[control], value)
        assert panel.sentence.value == paragraph(still.alt), name


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
    assert panel.sentence.value == paragraph(result.explain(55, counts=False))
    assert [">5</dd>" in panel.tiles.value, ">1 in 5</dd>" in panel.tiles.value] == [True, True]


def test_every_candidate_of_a_line_up_can_be_read_and_chosen(people):
    panel = widgets.candidates_panel(people, FIVE, FIVE[3:], target=55)
    found = panel.compute(**panel.values())
    others = [j for j in found.candidates if j != 55]
    (_, _, own, nothing), *marks = panel.picture.marks
    assert own.startswith("record 55, the target's own\nsex female, race Asian")
    assert nothing is None  # she is the target
    assert [sets["target"] for _, _, _, sets in marks] == others
    assert all(f"record {j}, a candidate" in mark[2] for j, mark in zip(others, marks, strict=True))
    panel._touched(None, {"set": marks[2][3]}, [])
    assert panel.controls["target"].value == others[2]
    assert f"record {others[2]}, the target's own" in panel.picture.marks[0][2]
    assert "(true: " in panel.picture.marks[0][2] or found.match.records["T"][others[2]] == 1


def test_a_crowd_is_one_mark_that_nobody_chooses(people):
    panel = widgets.candidates_panel(people, FIVE, FIVE[3:], target=55)
    choose(panel.controls["knows"], ["SEX"])
    _, (_, _, words, sets, left, _, width, _) = panel.picture.marks
    women = int((people.SEX == "female").sum())
    assert words.startswith(f"{women - 1:,} other candidates\n") and sets is None
    assert left < 220 and left + width > 800


@pytest.mark.parametrize("number", [0, 1, 4, 7, 100, 539, 9999])
def test_a_line_up_fills_its_room_and_nobody_touches_a_neighbour(number):
    width, height = 6.5, 2.2
    x, y, side = lineups._places(number, width, height)
    assert len({*zip(x, y, strict=True)}) == len(x) == number
    if number:
        assert (x >= side / 2).all() and (x + side / 2 <= width).all()
        assert (y - side / 2 > -1e-9).all() and (y + side / 2 < height + 1e-9).all()
        assert side == lineups.LARGEST or number * side**2 > 0.5 * width * height


def drawn(ax, marker):
    """The points of one look in the axes, wherever they are drawn in the data's own units."""
    own = [one for one in ax.lines if one.get_marker() == marker]
    return [one for one in own if one.get_transform() == ax.transData and len(one.get_xdata())]


def test_the_true_record_can_be_seen_beside_the_target(units):
    panel = PANELS["interval"](None, units)
    for target in (0, 7):
        panel.controls["target"].value = target
        (star,), (square,) = (drawn(panel.canvas.axes, marker) for marker in "*s")
        assert star.get_ydata()[0] < 0 <= square.get_ydata()[0]


@pytest.mark.parametrize("name", ["interval", "box"])
def test_the_key_is_neither_cut_nor_on_the_data_nor_on_itself(name, units):
    """At every target: its values are part of the key."""
    low = units[0].Income.abs().idxmin()
    most = units[0].Income.idxmax()
    panel = PANELS[name](None, units)
    ax = panel.canvas.axes
    for target in (0, int(low), int(most), 322):
        panel.controls["target"].value = target
        words = [one.get_window_extent() for one in ax.texts]
        marks = [one for one in ax.lines if one.get_transform() == ax.figure.transFigure]
        spots = [ax.figure.transFigure.transform(one.get_xydata()[0]) for one in marks]
        assert len(marks) == 4 and panel.error is None
        assert all(ax.figure.bbox.containsx(one.x1) for one in words)
        assert all(y > ax.bbox.y1 for _, y in spots)
        assert not any(one.overlaps(other) for one, other in combinations(words, 2))
        assert not any(one.contains(*spot) for one in words for spot in spots)


def test_the_file_panel_says_what_was_synthesized(people):
    panel = widgets.file_panel(people, FIVE, FIVE[3:])
    said = "matches on sex, race and marital status (MAR), and on the synthesized disability"
    assert said in panel.sentence.value
    assert "who matches on sex, race and marital status alone." in panel.sentence.value
    choose(panel.controls["synthesized"], [])
    assert "and insurance (HICOV). None of these is synthesized" in panel.sentence.value
    assert ">172 before, floor 172</dd>" in panel.tiles.value


def test_the_file_panel_shows_both_files(people):
    panel = widgets.file_panel(people, FIVE, FIVE[3:])
    own, floor = sr.baseline(people, FIVE, []), sr.floor(people, FIVE[:3])
    risks = [round(found.summary().expected_match_risk) for found in (own, floor)]
    assert f">{risks[0]} before, floor {risks[1]}</dd>" in panel.tiles.value
    alone = int((own.records.c == 1).sum())
    assert f"1 candidate:\n{alone} in the confidential file\n" in panel.picture.marks[1][2]
    choose(panel.controls["knows"], ["SEX"])
    assert "undefined" in panel.sentence.value
    assert ">no unique match</dd>" in panel.tiles.value


def test_where_nothing_is_known_no_number_stays(people):
    panel = widgets.file_panel(people, FIVE, FIVE[3:])
    choose(panel.controls["knows"], [])
    assert ">–</dd>" in panel.tiles.value and "before" not in panel.tiles.value


def test_the_bars_of_a_file_stand_where_people_are(people):
    """Nobody has no bar; the line of the confidential file stands at its own height."""
    found = sr.matching.three_matches(people, people, FIVE[:3], [])
    result = lineups.of_files(found)
    assert result.counts["synthetic"].sum() == len(people)
    _, ax = look.figure(3)
    lineups.file_picture.function(ax, len(people))(result)
    (lines,) = ax.collections
    some = np.flatnonzero(result.counts["confidential"])
    heights = [segment[0][1] for segment in lines.get_segments()]
    assert heights == pytest.approx(np.log10(result.counts["confidential"][some]))


def test_the_share_panel_starts_at_the_truth(people):
    curve = sr.share_curve(people, FIVE[:3], FIVE[3:], seed=1)
    own = sr.baseline(people, FIVE[:3], FIVE[3:]).summary()
    assert curve.iloc[0][own.index].tolist() == own.tolist()
    assert curve.share.iloc[-1] == 1


@pytest.mark.parametrize(
    ("id", "name", "words"),
    [
        ("00.a", "narrowing", "Latin America: this combination of facts is unique"),
        ("01.a", "candidates", "406 of the 10,000"),
        ("01.b", "file", "who matches on sex and marital status alone"),
        ("01.c", "share", "With 50&nbsp;% of the records redrawn"),
    ],
)
def test_after_the_answer_the_panel_stands_at_what_was_asked(id, name, words, people):
    panel = PANELS[name](people, None)
    if name == "narrowing":
        panel = widgets.narrowing_panel(people, FACTS, person=3)
    asked = Asked(predictions(id[:2])[id], panel, tell=lambda record: None)
    assert words not in panel.sentence.value
    asked.reveal(None)
    assert panel.error is None and words in panel.sentence.value
    for one in panel.controls.values():  # what is seen of a control is what it says
        if isinstance(one, Ticks):
            assert one.value == tuple(name for name, box in one.boxes.items() if box.value)


def test_a_click_on_a_curve_moves_the_share(people):
    panel = PANELS["share"](people, None)
    marks = panel.picture.marks
    assert [mark[3]["percent"] for mark in marks] == 3 * list(range(0, 105, 5))
    panel._touched(None, {"set": marks[12][3]}, [])
    assert panel.controls["percent"].value == 60
    now = panel.compute(percent=60).now
    risk = f"{now.expected_match_risk:.0f}"
    assert f">{risk}</dd>" in panel.tiles.value
    assert marks[12][2] == f"60 % redrawn\nexpected match risk {risk}"
    assert panel.picture.marks == marks


def test_the_way_to_the_floor_is_told_at_both_ends(people):
    panel = PANELS["share"](people, None)
    assert "this is the confidential file" in panel.sentence.value
    choose(panel.controls["percent"], 100)
    assert "has come down to the floor, give or take chance" in panel.sentence.value


def test_the_play_button_walks_the_radius(units):
    panel = PANELS["sweep"](None, units)
    buttons = [w for w in panel.children[1].children if isinstance(w, ipywidgets.Play)]
    assert [(b.min, b.max, b.step) for b in buttons] == [(0, 40, 2)]


# The base


def simple_panel(compute, say=str, table=None, tiles=lambda x: ()):
    @picture(height=2)
    def dot(ax):
        ax.set(xlim=(0, 10), ylim=(0, 1))

        def move(x):
            ax.plot([x], [0.5], "ko")
            return Shown(say(x), tiles(x), dots(ax, [x], [0.5], [f"x is {x}"], "x", [x + 1]))

        return move

    return Panel(dot, {"x": slider("x", 0, 10, 5)}, compute, table=table)


def test_an_error_is_shown_in_one_sentence_and_the_panel_lives_on():
    def compute(x):
        if x == 10:
            raise ValueError("Ten is <too> much.")
        return x

    panel = simple_panel(compute)
    panel.controls["x"].value = 10
    assert isinstance(panel.error, ValueError)
    assert 'class="synthrisk-words synthrisk-error"' in panel.sentence.value
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
    assert 'alt="&quot;x&quot; = 5 &lt; 9"' in page
    assert panel.sentence.value in page and "<table" not in page
    panel = simple_panel(lambda x: x, table=lambda x: pd.DataFrame({"five": [x]}))
    assert html_table(pd.DataFrame({"five": [5]})) in panel.still()


def test_tiles_marks_and_clicks():
    """A second click on the same mark is told again; what the page tells is checked."""
    panel = simple_panel(lambda x: x, tiles=lambda x: [Tile("x <b>", str(x), "now", look.BLUE)])
    assert '<dd class="number" style="color: #0072B2">5</dd>' in panel.tiles.value
    assert "x &lt;b&gt;" in panel.tiles.value and "<b>" not in panel.tiles.value
    ((x, y, words, sets),) = panel.picture.marks
    assert (words, sets) == ("x is 5", {"x": 6})
    assert [x, y] == pytest.approx(panel.canvas.on_page(panel.canvas.axes, [(5, 0.5)])[0], abs=0.1)
    for _ in range(2):
        panel.picture._handle_custom_msg({"set": panel.picture.marks[0][3]}, [])
    assert panel.controls["x"].value == 7 and panel.picture.alt == "7"
    panel.picture._handle_custom_msg({"set": {"y": 1}}, [])
    assert panel.error is not None and "synthrisk-error" in panel.sentence.value
    panel.controls["x"].value = 3
    panel.veil()
    assert panel.picture.marks == [] and ">?</dd>" in panel.tiles.value
    panel.picture._handle_custom_msg({"set": {"x": 9}}, [])  # of a page that has not heard yet
    assert panel.controls["x"].value == 3


def test_pixels_marks_and_words_are_sent_together():
    panel = simple_panel(lambda x: x)
    sent = []
    panel.picture.send_state = lambda key=None: sent.append(set(key))
    panel.controls["x"].value = 8
    assert sent == [{"value", "alt", "marks"}]


def test_marks_leave_no_trace():
    panel = simple_panel(lambda x: x)
    first = panel.picture.value
    panel.controls["x"].value = 8
    assert panel.picture.value != first
    panel.controls["x"].value = 5
    assert panel.picture.value == first


def test_a_panel_forgets_the_bars_it_drew():
    @picture()
    def two_bars(ax):
        ax.bar([1], [1])

        def move(height):
            ax.bar([2], [height])
            return Shown(f"It is {height}.")

        return move

    canvas = Canvas(two_bars)
    for height in range(50):
        canvas.draw(height)
    assert len(canvas.axes.containers) == 2  # one of the frame, one of the last move
    assert len(canvas.axes.patches) == 2


def test_a_picture_from_the_backdrop_equals_one_drawn_from_scratch(units):
    panel = PANELS["interval"](None, units)
    canvas = panel.canvas
    panel.draw(panel.compute(target=3, r=30, relative=True))
    pixels, _ = panel.draw(panel.compute(target=7, r=30, relative=True))
    quick = np.asarray(Image.open(BytesIO(png(pixels))), dtype=int)
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
    assert "<b>" not in panel.sentence.value + panel.tiles.value
    assert "<i>" not in panel.sentence.value + panel.tiles.value
    assert "Sex <i> <b>M</b>" in panel.picture.marks[0][2]  # the page shows it as text


def test_ticks_collect_names_in_order():
    ticks = Ticks("known", ["a", "b", "c"], ["c", "a"])
    assert ticks.value == ("a", "c")
    ticks.boxes["b"].value = True
    assert ticks.value == ("a", "b", "c")


def test_a_value_that_is_set_ticks_the_boxes_and_is_told_once():
    ticks = Ticks("known", ["a", "b", "c"], ["c", "a"])
    told = []
    ticks.observe(lambda change: told.append(change.new), names="value")
    ticks.value = ["c", "b"]  # as a click tells it: a list, in any order
    assert [box.value for box in ticks.boxes.values()] == [False, True, True]
    assert told == [("b", "c")]
    with pytest.raises(KeyError, match="'z', which is not a box"):
        ticks.value = ["z"]
    assert ticks.value == ("b", "c")
    ticks.boxes["b"].value = False
    assert told == [("b", "c"), ("c",)]


def test_names_can_be_shown_in_other_words():
    ticks = Ticks("known", {"SEX": "sex", "MAR": "marital status (MAR)"}, ["MAR"])
    assert [box.description for box in ticks.boxes.values()] == ["sex", "marital status (MAR)"]
    assert ticks.value == ("MAR",)
    targets = variable_menu("target", {"ls": "feeling about life (ls)"})
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
def test_a_dot_is_read_and_a_click_makes_it_the_target(name, units):
    """From the left to the right; a missing value has no dot."""
    panel = PANELS[name](None, units)
    variables = ["Income"] if name == "interval" else NUMBERS
    published = units[1][variables].dropna()
    marks = panel.picture.marks
    assert len(marks) == len(published)
    assert [mark[0] for mark in marks] == sorted(mark[0] for mark in marks)
    left = int(published.sort_values(variables[0], kind="stable").index[0])
    words, sets = marks[0][2:4]
    assert sets == {"target": left} and words.startswith(f"record {left}\n")
    value = rounded(units[1].Income[left])
    assert f"published as {value}" in words and "candidate" in words.splitlines()[-1]
    panel._touched(None, {"set": sets}, [])
    assert panel.controls["target"].value == left
    assert panel.picture.marks[0][2].startswith(f"record {left}, the target's own\n")


def test_of_very_many_dots_only_candidates_are_marked():
    data = pd.DataFrame({"Income": np.arange(1.0, 1001.0)})
    panel = widgets.interval_panel(data, data, "Income", target=499)
    panel.controls["r"].value = 10
    assert [mark[3]["target"] for mark in panel.picture.marks] == [*range(449, 550)]


def test_of_very_many_candidates_marks_are_spread_over_the_whole_axis():
    data = pd.DataFrame({"Income": np.arange(1000.0, 2000.0)})
    for target in (0, 499, 999):
        panel = widgets.interval_panel(data, data, "Income", target=target)
        panel.controls["r"].value = 60
        marked = [mark[3]["target"] for mark in panel.picture.marks]
        found = np.flatnonzero(sr.match(data, data, [], ["Income"], 0.6).matches(target))
        assert len(marked) == min(len(found), pictures.MOST_MARKS)
        assert target in marked and marked == sorted(marked)
        assert marked[0] == found[0] and marked[-1] == found[-1]
        assert np.diff(marked).max() <= 3


def dragged(panel, edge, to):
    """Drag an edge to a place on the page, as touch.js does it; return what its control gets."""
    low, high, step = edge["low"], edge["high"], edge["step"]
    exact = abs((to - edge["zero"]) / (edge["one"] - edge["zero"]))
    value = low + step * round((exact - low) / step)
    panel._touched(None, {"set": {edge["name"]: max(low, min(high, value))}}, [])
    return panel.controls[edge["name"]].value


@pytest.mark.parametrize("relative", [True, False])
def test_an_edge_lies_at_the_end_of_the_range_and_follows_the_hand(relative):
    data = pd.DataFrame({"Income": [-50.0, 20.0, 60.0, 100.0]})
    panel = widgets.interval_panel(data, data, "Income", target=1, limits=(-60, 110))
    panel.set(r=20, relative=relative)
    low, high = 16 if relative else 0, 24 if relative else 40
    ends = panel.canvas.on_page(panel.canvas.axes, [(low, 0), (high, 0)])[:, 0]
    assert [edge["left"] for edge in panel.picture.edges] == pytest.approx(ends, abs=0.01)
    for r in (0, 7, 60):  # wherever it is, both edges go everywhere, from both sides
        panel.controls["r"].value = r
        shown = panel.picture.edges
        assert len(shown) == 2 and {edge["along"] for edge in shown} == {"x"}
        (spot,) = panel.canvas.on_page(panel.canvas.axes, [(27 if relative else 55, 0)])[:, :1]
        for edge in shown:
            for to in (spot[0], 2 * edge["zero"] - spot[0]):
                assert dragged(panel, edge, to) == 35


def test_the_edges_of_a_box_without_width_can_still_be_grabbed():
    data = pd.DataFrame({"a": [10.0, 20, 30], "b": [3.0, 2, 1], "sex": list("FFM")})
    panel = widgets.box_panel(data, data, "a", "b", "sex", target=1)
    panel.set(percent_x=0, percent_y=0)
    edges = panel.picture.edges
    assert [edge["name"] for edge in edges] == ["percent_x"] * 2 + ["percent_y"] * 2
    for edge in edges:
        left, top, width, height = (edge[side] for side in ("left", "top", "width", "height"))
        assert (height if edge["along"] == "x" else width) > 40
        assert 0 <= left <= left + width <= 860 and 0 <= top <= top + height <= 274
    for edge in edges:  # and pulled to both sides
        start = edge["left"] if edge["along"] == "x" else edge["top"]
        for aside in (-20, 20):
            assert dragged(panel, edge, start + aside) > 0
            panel.controls[edge["name"]].value = 0


def test_an_edge_out_of_sight_has_no_length_and_around_0_there_is_none():
    """It stays, or it would be gone under the hand that drags it."""
    data = pd.DataFrame({"Income": [0.0, 20.0, 100.0]})
    panel = widgets.interval_panel(data, data, "Income", target=2, limits=(-5, 105))
    lengths = [edge["height"] for edge in panel.picture.edges]
    assert lengths[0] > 100 and lengths[1] == 0  # 80 and 120
    panel.controls["target"].value = 0
    assert panel.picture.edges == [] and panel.controls["r"].disabled
    panel.controls["relative"].value = False
    lengths = [edge["height"] for edge in panel.picture.edges]
    assert lengths[0] == 0 and lengths[1] > 100  # -20 and 20
    assert not panel.controls["r"].disabled
    panel.set(target=1, relative=True)
    assert not panel.controls["r"].disabled


def test_around_a_missing_value_there_is_no_edge():
    data = pd.DataFrame({"a": [10.0, 20, 30], "b": [np.nan, 2, 1], "sex": list("FFM")})
    for x, y in (("a", "b"), ("b", "a")):
        panel = widgets.box_panel(data, data, x, y, "sex")
        assert panel.error is None and panel.picture.edges == []
        panel.controls["target"].value = 1
        assert len(panel.picture.edges) == 4
    panel = widgets.interval_panel(data, data, "b")
    panel.controls["relative"].value = False
    assert panel.error is None and panel.picture.edges == []


@pytest.mark.parametrize("most", [38, 40, 42])
def test_all_curves_of_a_sweep_end_at_the_last_radius(units, most):
    panel = widgets.sweep_panel(*units, KNOWN, NUMBERS, fixed=AGE, most=most)
    lines = chain.from_iterable(ax.lines for ax in panel.canvas.figure.axes)
    (confidential,) = [line for line in lines if line.get_linestyle() == "--"]
    assert confidential.get_xdata().max() == pytest.approx(most)


def test_a_radius_and_a_share_are_said_with_their_decimals():
    sweep = pd.DataFrame(
        {"dataset": 1, "radius": [0.01, 0.025, 0.05], "expected_match_risk": [2.0, 3, 2]}
    )
    assert "is highest, 3, at 2.5 %." in plots.sweep(sweep, 0.025).alt
    by_share = pd.Series([3, 5], index=[0.025, 0.5])
    words = hh_pictures.counts({"Households": by_share}).alt
    assert words == "Households: 3 (2.5 %) and 5 (50 %)."


def test_a_click_on_the_curve_moves_the_radius_there(units):
    panel = PANELS["sweep"](None, units)
    assert [mark[3]["percent"] for mark in panel.picture.marks] == [*range(0, 41, 2)]
    path = panel.compute(target=0, percent=0).path
    for mark in panel.picture.marks[::7]:
        panel._touched(None, {"set": mark[3]}, [])
        percent = mark[3]["percent"]
        assert panel.controls["percent"].value == percent and panel.error is None
        risk = rounded(path.risk[percent / 100])
        assert f"r = {percent} %\nexpected match risk {risk}\n" in mark[2]
        assert f">{risk}</dd>" in panel.tiles.value
        assert f"At r&nbsp;=&nbsp;{percent}&nbsp;% the search" in panel.sentence.value


def test_the_sweep_panel_tells_of_file_and_record_what_match_says(units):
    panel = PANELS["sweep"](None, units)
    for target, percent in ((0, 0), (7, 20), (242, 40)):
        panel.set(target=target, percent=percent)
        radius = AGE | dict.fromkeys(NUMBERS, percent / 100)
        found = sr.match(*units, KNOWN, NUMBERS, radius)
        c, T = found.records.loc[target, ["c", "T"]].astype(int)
        row = panel.compute(target, percent).path.loc[percent / 100]
        assert row.risk == pytest.approx(found.summary().expected_match_risk)
        assert row["T"] == pytest.approx(100 * found.records["T"].mean())
        tiles = panel.tiles.value
        assert f"T of record {target}</dt>" in tiles and f"</span>{T}</dd>" in tiles
        assert f"<dd>c = {c}, risk" in tiles
        assert f"synthrisk-square {'filled' if T else 'hollow'}" in tiles


def test_a_veiled_sweep_tells_neither_curve_nor_reasons(units):
    panel = PANELS["sweep"](None, units)
    panel.veil()
    bare = panel.canvas.bare()
    colourful = np.ptp(bare.astype(int), axis=2) > 60
    assert not colourful.any()  # every curve, dot and line of the picture has a colour
    assert "highest" in panel.tiles.value and panel.tiles.value.count(">?</dd>") == 3
    assert panel.picture.marks == []


def test_names_of_lines_keep_apart_wherever_they_end():
    risk = pd.Series([1.0, 3.0, 2.0], [0, 0.3, 0.6])
    for own, floor in ((2.0, 2.0), (9.0, 0.1), (3.8, 3.7), (0.0, 0.0)):
        _, ax = look.figure(2.7)
        pictures._draw_whole(ax, risk, pd.Series([own, own], [0, 0.6]), floor)
        FigureCanvasAgg(ax.figure).draw()
        ends = [one.get_window_extent() for one in ax.texts]
        assert len(ends) == 3
        assert not any(one.overlaps(other) for one, other in combinations(ends, 2))
        assert all(ax.figure.bbox.containsx(one.x1) for one in ends)
        assert ("confidential ↑" in [one.get_text() for one in ax.texts]) == (own == 9)


def test_the_surface_begins_where_it_is_told_to(units):
    start = {"Expenditure": 0.3, "Income": 0.05}
    panel = widgets.surface_panel(*sweeps(units), start=start)
    assert list(panel.values().values()) == [0.3, 0.05]


def test_the_longest_fact_of_the_lesson_fits_into_the_picture(people):
    panel = widgets.narrowing_panel(people, FACTS)
    panel.controls["facts"].value = len(FACTS)
    right = panel.canvas.figure.bbox.x1
    for name in FACTS:
        for person in people.drop_duplicates(name).index:
            panel.controls["person"].value = int(person)
            ends = [text.get_window_extent() for text in panel.canvas.axes.texts]
            assert min(end.x0 for end in ends) >= 0, people[name][person]
            assert max(end.x1 for end in ends) <= right
            assert not any(one.overlaps(other) for one, other in combinations(ends, 2))


def test_no_end_of_a_bar_lies_behind_a_fact(people):
    panel = widgets.narrowing_panel(people, FACTS)
    panel.controls["facts"].value = len(FACTS)
    for person in (3, 95, 115, 164):
        panel.controls["person"].value = person
        ax = panel.canvas.axes
        for line in ax.lines:
            (x, _), (_, y) = line.get_data()
            place = ax.transData.transform((x, y - 0.4))
            assert not any(text.get_window_extent().contains(*place) for text in ax.texts)


def test_narrowing_reads_its_ends(people):
    def say(steps):
        return plots.narrowing(steps).alt

    nothing = sr.narrow_down(people, FIVE, person=0, facts=0)
    assert say(nothing) == "Knowing nothing, the intruder faces all 10,000 people."
    alone = pd.DataFrame({"fact": ["nothing yet", "SEX = female"], "left": [10, 1]})
    assert "nobody else has SEX = female: this combination of facts is unique" in say(alone)
    further = sr.narrow_down(people, FACTS, person=95)
    assert say(further).startswith("With 4 facts nobody else was left.")
    twins = pd.DataFrame({"a": ["x", "x"], "b": ["y", "y"]})
    assert "tells the intruder nothing" in say(sr.narrow_down(twins, ["a", "b"], person=0))


def test_a_click_on_a_fact_learns_all_down_to_it(people):
    panel = widgets.narrowing_panel(people, FACTS, person=95)
    marks = panel.picture.marks
    assert [mark[3] for mark in marks] == [{"facts": k} for k in range(9)]
    assert marks[4][2] == "place of birth (WAOB)\nnot learnt yet"
    panel._touched(None, {"set": marks[4][3]}, [])
    assert panel.controls["facts"].value == 4
    assert panel.picture.marks[4][2] == "place of birth (WAOB) = Latin America\n1 of 10,000 fit"
    assert ">1 in 1</dd>" in panel.tiles.value


@pytest.mark.parametrize("number", [1000, 11_000])
def test_lineup_marks_the_true_record_also_among_many(number):
    data = pd.DataFrame({"x": [1] * number})
    _, ax = look.figure(3)
    found = lineups.in_lineup(sr.match(data, data, [], ["x"]), 900, ["x"])
    shown = lineups.lineup_picture.function(ax)(found)
    squares = [line for line in ax.lines if line.get_marker() == "s"]
    assert [len(line.get_xdata()) for line in squares] == [1]
    assert ("(10,000 of them are drawn.)" in shown.words) == (number > 10_001)


def test_static_pictures_carry_words():
    figure, _ = look.figure(2)
    picture = look.show(figure, "An empty picture.")
    assert picture.alt == "An empty picture."
    assert picture.data[:4] == b"\x89PNG"


def test_a_click_on_a_cell_moves_both_radii(units):
    panel = PANELS["surface"](None, units)
    marks = panel.picture.marks
    assert len(marks) == 6
    sweep = sweeps(units)[0]
    for mark in marks:
        panel._touched(None, {"set": mark[3]}, [])
        assert panel.values() == mark[3] and panel.error is None
        first, second = mark[3].values()
        here = (sweep.radius_Expenditure == first) & (sweep.radius_Income == second)
        risk = rounded(sweep.expected_match_risk[here].item())
        assert f"expected match risk {risk}" in mark[2] and f">{risk}</dd>" in panel.tiles.value
        at = f"{100 * first:g} % for expenditure and {100 * second:g} % for income the risk is"
        assert at in panel.sentence.value.replace("&nbsp;", " ")


def test_the_top_of_the_surface_is_called_the_highest(units):
    panel = PANELS["surface"](None, units)
    assert "so these are the radii to report" in panel.sentence.value
    panel.set(first=0, second=0.05)
    assert "of the highest on the map" in panel.sentence.value


# Lessons 03 and 04


def test_an_undefined_false_match_rate_is_left_out_and_said():
    panel = widgets.average_panel(averages()[:2], BESIDE)
    assert numbers(panel) == ["0", "1.3", "–"]  # the first file has no unique match
    panel.controls["m"].value = 2
    assert numbers(panel)[-1] == "0"
    said = said_by(panel)
    assert "The false match rate of 1 file is undefined and left out." in said
    assert "both at once, and falls back where nobody matches, has gone from 1.3 to 4." in said
    words = [text.get_text() for text in panel.canvas.axes.texts]
    assert "confidential ↑\n6" in words and "floor 3" in words  # one above, one in the picture


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


def test_a_click_on_a_file_moves_m_there_and_tells_which_file_joins():
    panel = widgets.average_panel(averages(), BESIDE)
    panel.set(m=2, file=3)
    words = [mark[2] for mark in panel.picture.marks]
    assert words[0].startswith("m = 1: file 3 joins\nits risk 1\n")
    assert words[1].startswith("m = 2: file 1 joins\nits risk 0\n")
    assert words[2] == "m = 3\nnot drawn yet: go there"
    panel._touched(None, {"set": panel.picture.marks[2][3]}, [])
    assert panel.controls["m"].value == 3 and panel.error is None


@pytest.mark.parametrize("ax", [0, 1])
def test_a_click_on_either_curve_of_classes_moves_the_slider(ax):
    results = load_results("acs_classes")
    panel = widgets.classes_panel(results, BESIDE)
    classes = sorted(results.classes.unique())
    marks = panel.picture.marks[len(classes) * ax :][: len(classes)]
    panel._touched(None, {"set": marks[3][3]}, [])
    assert panel.compute(**panel.values()).classes == classes[3] and panel.error is None
    mean = results.groupby("classes").pmse_ratio.mean()[classes[3]]
    assert numbers(panel)[-1] == rounded(mean) and f"pMSE ratio {rounded(mean)}" in marks[3][2]
    (now,) = [one for one in panel.canvas.axes[1].lines if one.get_marker() == "o"]
    assert now.get_xydata().tolist() == [[classes[3], mean]]


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


def test_the_chance_of_the_gibbs_panel_names_its_variable_in_words(people):
    panel = widgets.gibbs_panel(people[["MAR", "DIS"]].head(6), "DIS", "yes", steps=2, runs=1)
    assert "chance of “yes” (disability)" in list(numbers_of(panel))


def test_a_step_of_the_sampler_tells_who_is_where_and_a_click_goes_there():
    panel = widgets.gibbs_panel(PERSONS, "job", "a", classes=2, steps=6, runs=2)
    panel.set(step=4)
    z = panel.compute(step=4, run=1).z
    for step, mark in enumerate(panel.picture.marks):
        first, *lines = mark[2].split("\n")
        assert first == f"step {step}" and mark[3] == {"step": step}
        if step > 4:
            assert lines == ["not drawn yet: go there"]
            continue
        for k, line in enumerate(lines):
            members = ", ".join(str(i) for i in range(len(PERSONS)) if z[step, i] == k)
            assert line == f"class {'AB'[k]}: {members or 'nobody'}"
    moved = np.count_nonzero(z[4] != z[3])
    assert panel.compute(step=4, run=1).moved == moved
    letters = [text.get_text() for text in panel.canvas.axes["everybody"].texts]
    assert letters == sorted("AB"[k] for k in z[4])  # everybody's class stands beside the mark
    panel._touched(None, {"set": panel.picture.marks[6][3]}, [])
    assert panel.controls["step"].value == 6


@pytest.mark.parametrize(
    ("true", "drawn", "says"),
    [
        (np.nan, np.nan, "missing (drawn: the same)"),
        (np.nan, 3.0, "missing (drawn: 3)"),
        (True, False, "True (drawn: False)"),
        (True, True, "True (drawn: the same)"),
        (1200.0, 90, "1,200 (drawn: 90)"),
    ],
)
def test_what_was_drawn_is_said_as_it_is(true, drawn, says):
    assert f"{plots.ce.rounded_or_said(true)} ({plots.ce._given(true, drawn)})" == says


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
        assert numbers(panel)[0] == rounded(found.expected_match_risk)
    assert "so this is the floor itself" in said_by(panel)
    choose(panel.controls["known"], [])
    assert "Knowing nothing, an intruder" in panel.sentence.value and panel.error is None


def test_the_bars_of_unique_matches_are_s_long_and_begin_with_the_true_ones(people):
    made = redraw(people, FIVE[3:], ["MAR"], seed=1)
    panel = widgets.known_panel(people, made, FIVE[:3], FIVE[:3], FIVE[3:])
    found = panel.compute(tuple(FIVE[:3])).matches["synthetic"].records
    K, F = found.K.sum(), found.F.sum()
    words = [text.get_text() for text in panel.canvas.axes.texts]
    assert f"{K + F} = {K} true + {F} false" in words
    spans = [(bar.get_x(), bar.get_width()) for bar in panel.canvas.axes.patches]
    assert (0, K) in spans and (K, F) in spans
    assert f"for {F} of them it is somebody else" in said_by(panel)


def test_falling_back_is_greyed_where_everybody_has_a_match(people):
    made = redraw(people, FIVE[3:], ["MAR"], seed=1)
    panel = widgets.known_panel(people, made, FIVE[:3], FIVE[:3], FIVE[3:])
    assert not panel.controls["fallback"].disabled
    for ticked in ([], ["DIS"]):
        choose(panel.controls["drawn"], ticked)
        given_up, falls_back = (
            panel.compute(tuple(FIVE[:3]), tuple(ticked), back).matches["synthetic"].records
            for back in (False, True)
        )
        is_same = given_up.equals(falls_back)
        assert panel.controls["fallback"].disabled == is_same
    choose(panel.controls["known"], [])
    choose(panel.controls["drawn"], [])
    assert panel.controls["fallback"].disabled


def test_an_edge_of_the_grid_is_called_an_edge():
    at_radius = plots.ce.at_radius
    assert at_radius(0.3, [0, 0.3, 1]) == "r = 30 %"
    assert at_radius(0, [0, 0.3, 1]) == "r = 0 %, the lower edge"
    assert at_radius(1, [0, 0.3, 1]) == "r = 100 %, the upper edge"


def test_whoever_falls_back_has_another_picture_and_another_sentence():
    panel = widgets.scenario_panel(load_results("ce_releases"), load_results("ce_scenarios"))
    choose(panel.controls["scenario"], "Tenure+Expenditure+Income")
    first, words = panel.picture.value, panel.sentence.value.replace("&nbsp;", " ")
    assert "and gives up where nobody matches" in words
    assert "highest at r = 100 %, the upper edge." in words
    assert numbers_of(panel) == {"expected match risk": "52", "highest": "81", "floor": "73"}
    choose(panel.controls["falls_back"], True)
    words = panel.sentence.value.replace("&nbsp;", " ")
    assert panel.picture.value != first and panel.error is None
    assert "and falls back where nobody matches" in words and "highest at r = 20 %." in words
    assert numbers_of(panel)["highest"] == "120"
    choose(panel.controls["m"], 1)  # a single file: both ways of asking agree
    words = panel.sentence.value.replace("&nbsp;", " ")
    assert numbers_of(panel)["expected match risk"] == "121"
    assert "falling back gives 121 in this file" in words


def numbers_of(panel):
    """What the tiles of a panel show: label → number."""
    found = re.findall(r"<dt>(.*?)</dt><dd class=\"number\".*?>([^<>]+)</dd>", panel.tiles.value)
    return {label: number for label, number in found}


def test_a_click_goes_to_a_radius_or_to_a_scenario():
    panel = widgets.scenario_panel(load_results("ce_releases"), load_results("ce_scenarios"))
    sets = [mark[3] for mark in panel.picture.marks]
    assert {"radius": 0.3} in sets and {"scenario": "Expenditure+Income"} in sets
    for one in sets:
        panel._touched(None, {"set": one}, [])
        assert panel.error is None
        assert one.items() <= panel.values().items()
    chosen = panel.canvas.axes["four"]  # the last mark: the small picture of scenario 4
    panel._touched(None, {"set": {"scenario": "Tenure+Expenditure+Income", "radius": 0.3}}, [])
    assert [line.get_xdata() for line in chosen.lines][-1] == [6]


def test_a_click_on_a_cloud_ticks_its_variables():
    panel = widgets.release_panel(load_results("ce_releases"))
    marks = panel.picture.marks
    assert len(marks) == 7 * 20
    for names in (["Tenure", "Expenditure"], ["Expenditure"]):
        _, _, words, sets = next(mark for mark in marks if mark[3] == {"chosen": names})
        assert words.startswith(f"synthesized: {' + '.join(names).lower()}\nfile 1: ")
        panel._touched(None, {"set": sets}, [])
        ticked = [name for name, box in panel.controls["chosen"].boxes.items() if box.value]
        assert ticked == names and panel.error is None


def test_a_click_goes_to_a_draw_also_to_one_that_was_not_made_yet(units):
    panel = PANELS["draws"](None, units)
    last = panel.picture.marks[-1]
    assert last[2:4] == ["draw 20: not made yet", {"draw": 20}]
    panel._touched(None, {"set": last[3]}, [])
    assert panel.controls["draw"].value == 20
    assert panel.picture.marks[-1][2].startswith("draw 20, the whole file\ngives up: ")
    assert len(panel.picture.marks) == 2 * 20


def test_the_radius_is_grey_where_no_number_is_drawn(units):
    panel = PANELS["draws"](None, units)
    for ticked, is_grey in ((["Tenure"], True), (["Tenure", "Income"], False), ([], True)):
        choose(panel.controls["chosen"], ticked)
        assert panel.controls["radius"].disabled == is_grey


def test_a_panel_with_nothing_to_show_keeps_the_labels_of_its_tiles(units):
    panel = PANELS["draws"](None, units)
    labels = list(numbers_of(panel))
    choose(panel.controls["chosen"], [])
    assert numbers_of(panel) == dict.fromkeys(labels, "–")
    assert "own record" not in panel.tiles.value and "square" not in panel.tiles.value


def test_what_is_drawn_of_04_d_stands_on_the_curve_of_all_files_at_once():
    panel = PANELS["pool"](None, None)
    draw = prediction_of("04.d").draw
    for number, m in draw.places:
        ax = panel.canvas.figure.axes[number]
        assert ax is panel.canvas.axes["at once"] and ax.get_yscale() == "linear"
        assert ax.get_ylim()[0] == 0 and ax.get_xlim()[0] < m < 20


def prediction_of(id):
    """A prediction of a lesson, which registers it when it is imported."""
    import_module(f"synthrisk_classroom.lessons.lesson_{id[:2]}")
    return PREDICTIONS[id]


def test_words_beside_lines_stand_apart_in_the_order_of_the_lines():
    places = [0.5, 0.99, 0.02, 0.51, 0.52]
    moved = look.apart(places, 0.1)
    assert list(np.argsort(moved)) == list(np.argsort(places))
    assert np.diff(np.sort(moved)).min() > 0.099 and moved.min() >= 0 and moved.max() <= 1


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_names_at_line_ends_never_touch_whatever_their_lines(scale):
    names = [
        (9.0, "above the picture", look.DARK),
        (0.5, "two lines\nof words", look.GREEN),
        (0.5, "at the same height", look.WINE),
        (0.52, "a little above", look.BLUE),
        (0.1, "at the foot", look.DARK),
    ]
    _, ax = look.figure(2.7)
    below = "a name\nof many\nlines, which\nmakes the\naxes low"
    look.tidy(ax, "A title", below, yscale=scale, xlim=(0, 3), ylim=(0.1, 1))
    look.name_ends(ax, names, [3, 2, 3, 3, 3], bbox=look.ON_PAPER)
    FigureCanvasAgg(ax.figure).draw()
    ends = {text.get_text(): text.get_window_extent() for text in ax.texts}
    assert not any(one.overlaps(other) for one, other in combinations(ends.values(), 2))
    from_above = sorted(ends, key=lambda words: -ends[words].y0)
    assert from_above[:2] == ["above the picture ↑", "a little above"]
    assert from_above[-1] == "at the foot"
    assert ends["two lines\nof words"].x0 < ends["at the foot"].x0 - 100


def test_an_absolute_radius_is_the_same_for_everybody(units):
    panel = widgets.interval_panel(*units, "Income", limits=(-5, 160))
    for control, value in {"r": 10, "relative": False}.items():
        choose(panel.controls[control], value)
    for target in (0, 7):
        choose(panel.controls["target"], target)
        found = sr.match(*units, [], ["Income"], 10_000, relative=False)
        story = found.explain(target, counts=False)
        told = f"{story} The half-width R is 10,000, the same for every target."
        assert panel.sentence.value == paragraph(told)
    choose(panel.controls["relative"], True)
    found = sr.match(*units, [], ["Income"], 0.1)
    said = unescape(panel.sentence.value).replace("\u00a0", " ")
    assert found.explain(7, counts=False) in said
    assert "10&nbsp;% of the target" in panel.sentence.value


def test_a_button_brings_back_the_papers_intruder():
    panel = widgets.release_panel(load_results("ce_releases"))
    choose(panel.controls["chosen"], ["Tenure"])
    shown = numbers_of(panel)
    assert (shown["gives up"], shown["falls back"], shown["floor"]) == ("3,420", "5,571", "5,570")
    assert "(confidential 5,571). There it lies below the floor" in panel.sentence.value
    assert "the sum of falling back above it." in panel.sentence.value
    choose(panel.controls["paper"], True)
    shown = numbers_of(panel)
    assert (shown["gives up"], shown["falls back"], shown["floor"]) == ("99", "104", "73")
    assert "(confidential 212). There both sums lie above the floor" in panel.sentence.value
    choose(panel.controls["chosen"], [])
    assert "you publish the truth" in panel.sentence.value and panel.error is None
    assert numbers_of(panel)["gives up"] == "–"


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
        "exclusions": lambda: widgets.exclusions_panel(persons, sets[0], keys, targets),
    }[name]()


def words_at(panel):
    """Return what every mark says and sets."""
    return [(words, sets) for _, _, words, sets, *_ in panel.picture.marks]


def click(panel, words):
    """Click the first mark that says these words."""
    chosen = next(sets for text, sets in words_at(panel) if words in text)
    panel._touched(None, {"set": chosen}, [])
    assert panel.error is None, panel.error


@pytest.mark.parametrize(
    "name", ["look_up", "funnel", "targets", "identity", "guess", "exclusions"]
)
def test_every_control_of_a_panel_of_disclosure_can_be_moved(diagnosis, name):
    panel = build_disclosure(name, *diagnosis)
    if name == "funnel":  # the groups of the income speak only where it is the target
        panel.controls["target"].value = "income"
    use_every_control(panel)


def test_the_chain_stops_at_the_first_no():
    original = pd.DataFrame({"k": list("aabc"), "t": list("pqpp")})
    synthetic = pd.DataFrame({"k": list("abb"), "t": list("ppq")})
    found = sr.disclosure(original, synthetic, ["k"], "t")
    assert found.links(0) == [True, True, True, False]
    assert found.links(1) == [True, True, False, None]
    assert found.links(2) == [True, False, None, None]
    assert found.links(3) == [False, None, None, None]


def test_the_picture_of_the_chain_always_shows_the_truth():
    shown = plots.disclosure.answers_to_show
    answers = pd.DataFrame({"original": 0, "synthetic": [1, 5, 4, 3, 2, 6, 0]}, list("abcdefg"))
    answers.loc["g", "original"] = 1
    assert list(shown(answers, "b").index) == ["f", "b", "c", "d", "e"]
    assert list(shown(answers, "a").index) == ["f", "b", "c", "d", "a"]
    assert list(shown(answers, "g").index) == ["f", "b", "c", "d", "g"]


def test_who_has_the_same_keys_can_be_looked_up_with_a_click():
    original = pd.DataFrame({"k": list("aaab"), "t": list("pqqp")})
    synthetic = pd.DataFrame({"k": list("aac"), "t": list("qqp")})
    panel = widgets.look_up_panel(original, synthetic, ["k"], ["t"])
    assert words_at(panel) == [
        ("person 1, with the same keys\nq", {"person": 1}),
        ("person 2, with the same keys\nq", {"person": 2}),
        ("the person, number 0\np", None),
        ("q: 2 of 2 synthetic records with these keys\n(they belong to nobody)", None),
        ("p: 0 of 2 synthetic records with these keys", None),
    ]
    assert "one answer, wrong" in panel.tiles.value
    click(panel, "person 2")
    assert panel.controls["person"].value == 2
    assert "one answer, right" in panel.tiles.value


def test_many_people_with_the_same_keys_are_counted_and_the_person_is_drawn():
    people = pd.DataFrame({"k": ["a"] * 900, "t": ["p", "q"] * 450})
    panel = widgets.look_up_panel(people, people, ["k"], ["t"], person=899)
    assert len(panel.picture.marks) == 2 * plots.disclosure.MOST_DOTS + 2
    assert ("the person, number 899\nq", None) in words_at(panel)
    assert any("q: 450 of 900 synthetic records" in text for text, _ in words_at(panel))


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
    plots.disclosure._draw_files(axes, files, files.groupby("synthesizer", sort=False).mean())
    assert axes[1].lines[0].get_xydata().tolist() == [[33, 0], [35, 0], [77, 1]]
    assert np.isfinite(axes[2].lines[0].get_xydata()).all()
    assert [text.get_text() for text in axes[2].texts] == ["1.2", "0.0"]


def test_a_standing_picture_says_what_its_panel_says(diagnosis):
    persons, sets = diagnosis
    found = sr.disclosure(persons, sets[0], ["sex", "age", "region", "placesize"], "marital")
    one = sr.disclosure(persons, sets[0], ["sex"], "marital").identity.mean()
    pictures = {
        "look_up": plots.look_up(found, 0),
        "funnel": plots.funnel(found),
        "identity": plots.identity(pd.DataFrame([one], ["sex"])),
    }
    for name, still in pictures.items():
        panel = build_disclosure(name, persons, sets[:1])
        assert panel.sentence.value == paragraph(still.alt)
        assert panel.tiles.value == look.tiles_html(still.tiles)


def test_a_target_keeps_its_row_whatever_is_moved(diagnosis):
    panel, orders = build_disclosure("targets", *diagnosis), set()
    for known in (("sex", "age", "region", "placesize"), ("sex", "region")):
        table = panel.compute(known, (), 50, 90, 4, 80)
        panel.draw(table)
        marks = [one for one in panel.canvas.axes.lines if one.get_marker() == "o"]
        (drawn,) = [dict(one.get_xydata()[:, ::-1]) for one in marks if len(one.get_xydata())]
        rows = ["marital", "workab", "income"]
        found = zip(table.target, table.DiSCO, strict=True)
        assert drawn == {rows.index(name): disco for name, disco in found}
        orders.add(tuple(table.target))
    assert len(orders) == 2  # or nothing would have been moved


def test_the_funnel_says_which_level_is_left_out(diagnosis):
    panel = build_disclosure("funnel", *diagnosis)
    panel.controls["levels"].value = "not the commonest"
    assert "among them all with marital status&nbsp;=&nbsp;MARRIED." in panel.sentence.value
    panel.controls["target"].value = "income"
    assert "among them all with income&nbsp;=&nbsp;-8." in panel.sentence.value


def test_the_curve_beside_the_funnel_has_the_disco_of_every_number_of_groups(diagnosis):
    persons, sets = diagnosis
    keys = ["sex", "age", "region", "placesize"]
    panel = build_disclosure("funnel", *diagnosis)
    found = sr.disclosure(persons, sets, keys, "marital", groups={"age": 10}).attribute.mean()
    click(panel, "age in 10 groups")
    assert panel.controls["groups_age"].value == 10
    assert f"DiSCO {round(found.DiSCO)} %\nDorig {round(found.Dorig)} %" in words_at(panel)[2][0]
    assert f">{round(found.DiSCO)} %<" in panel.tiles.value
    assert words_at(panel)[-1][1] == {"groups_age": 0}  # the exact values
    panel.controls["groups_age"].value = 11
    assert "age in 11 groups" in words_at(panel)[3][0]  # where the slider stands, too
    panel.controls["known"].value = ("sex", "region")
    assert words_at(panel) == []  # the intruder knows no age


def test_the_funnel_of_keys_without_numbers_stands_alone(diagnosis):
    persons, sets = diagnosis
    panel = widgets.funnel_panel(persons, sets, ["sex", "region"], ["marital"])
    assert len(panel.canvas.figure.axes) == 1 and panel.error is None


def test_where_nothing_is_known_no_tile_says_anything_of_before(diagnosis):
    panel = build_disclosure("funnel", *diagnosis)
    assert "UiO 48 %" in panel.tiles.value
    panel.controls["known"].value = ()
    assert "UiO" not in panel.tiles.value and "–" in panel.tiles.value


def test_a_click_on_a_step_lets_the_intruder_know_so_many_keys(diagnosis):
    panel = build_disclosure("identity", *diagnosis)
    assert words_at(panel)[2] == ("3 keys: not shown yet", {"known": 3})
    click(panel, "3 keys")
    assert panel.controls["known"].value == 3
    assert words_at(panel)[2][0].startswith("knowing sex, age and region\nUiO")


def test_a_cell_of_the_table_of_exclusions_can_be_read(diagnosis):
    persons, sets = diagnosis
    panel = build_disclosure("exclusions", *diagnosis)
    keys = ["sex", "age", "region", "placesize"]
    found = sr.disclosure(persons, sets[0], keys, "workab", denom_limit=1).attribute.loc[1]
    words = [text for text, sets in words_at(panel) if sets is None]
    assert words[9] == (
        "worked abroad (workab)\ndenominators above 1 alone\n"
        f"Dorig {found.Dorig:.1f} %, DiSCO {found.DiSCO:.1f} %"
    )


def test_the_order_of_the_keys_can_be_changed(diagnosis):
    persons, sets = diagnosis
    panel = build_disclosure("identity", persons, sets)
    panel.controls["order"].value = ("placesize", "region", "age", "sex")
    panel.controls["known"].value = 3
    found = sr.disclosure(persons, sets, ["placesize", "region", "age"], "marital")
    assert "Knowing size of place (placesize), region and age" in panel.sentence.value
    alone = round(found.identity.UiO.mean())  # as one says it
    assert f">{alone} %<" in panel.tiles.value
    added = (
        found.identity.UiO
        - sr.disclosure(persons, sets, ["placesize", "region"], "marital").identity.UiO
    )
    assert f"adds {round(added.mean(), 1):g} points to UiO" in panel.sentence.value


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


def test_a_guess_about_numbers_of_which_none_is_missing():
    data = pd.DataFrame({"k": list("aabb"), "t": [1, 1, 2, 3]})
    assert widgets.guess_panel(data, [data], ["k"], ["t"]).compute(("k",), "t").guessed == 75


def test_a_guess_says_what_it_looks_at(diagnosis):
    panel = build_disclosure("guess", *diagnosis)
    assert "commonest answer of the rows with the same sex and age is right" in panel.sentence.value
    for box in panel.controls["looked_at"].boxes.values():
        box.value = False
    assert "commonest answer of all rows is right" in panel.sentence.value
    assert "as often as the same answer for everybody" in panel.sentence.value
    assert panel.tiles.value.count(">60 %<") == 2


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
    assert f"{row['records']:.0f}</dd>" in panel.tiles.value
    assert f"a1(20, 0)&nbsp;=&nbsp;{row['a1(20)']:.0f}:" in panel.sentence.value


def test_a_household_is_read_in_words():
    panel = widgets.attribute_panel(load_results("household_incomes"))
    now = panel.compute(R=0.1, b=50)
    assert len(panel.picture.marks) == len(now.near)
    words = [mark[2] for mark in panel.picture.marks]
    assert sum(text.endswith(": near") for text in words) == now.near.hit.sum()
    panel.set(R=0)  # of more than 400 those that are found are among the marks
    words = [mark[2] for mark in panel.picture.marks]
    assert len(words) == 400
    assert sum(text.endswith(": near") for text in words) == panel.compute(0, 50).near.hit.sum()
    panel.set(R=0.95)
    assert "a1(50, 0.95)&nbsp;=&nbsp;0: 0 synthetic households" in panel.sentence.value


def test_an_income_of_0_stands_below_all_others():
    incomes = load_results("household_incomes")
    places = hh_pictures._power(incomes.x_synthetic)
    assert places[incomes.x_synthetic == 0].max() < places[incomes.x_synthetic > 0].min()


def test_every_tick_of_the_qis_has_a_stored_result():
    panel = widgets.qis_panel(load_results("household_knowledge"))
    names = list(panel.controls["person"].boxes)
    sizes = range(len(names) + 1)
    for ticked in chain.from_iterable(combinations(names, size) for size in sizes):
        for respondents, residents in ((1, 0), (1, 1), (2, 0), (2, 1)):
            result = panel.compute(ticked, respondents, residents)
            assert panel.draw(result)[1].words


def young_panel(**how):
    """Sixty young people with sixty jobs, and ten files in which the jobs are shuffled."""
    true = pd.DataFrame({"sex": ["F", "M"] * 30, "job": range(60)})
    rng = np.random.default_rng(1)
    draws = [true.assign(job=rng.permutation(true.job)) for _ in range(10)]
    return true, draws, widgets.threshold_panel(true, draws, ["sex"], ["job"], **how)


def test_a_click_on_a_likely_record_makes_that_person_the_target():
    true = pd.DataFrame({"sex": list("FFFM"), "job": list("abca")})
    draws = [true, true.assign(job=list("bbca"))]
    panel = widgets.target_panel(true, {"two files": draws}, ["sex"], ["job"], target=1)
    first, second = panel.picture.marks  # Pr(1) = 3/4, and Pr(0) = 1/4
    assert first[2].splitlines() == [
        "record 1, the target's own",
        "sex F, job b",
        "fits in 2 of 2 draws",
        "probability 0.75",
    ]
    assert second[2].startswith("record 0\n") and second[3] == {"target": 0}
    panel._touched(None, {"set": second[3]}, [])
    assert panel.controls["target"].value == 0 and "Record 0 (" in panel.sentence.value


def test_an_own_record_that_does_not_fit_is_shown_apart():
    true = pd.DataFrame({"sex": list("FFF"), "job": list("abc")})
    draws = [true.assign(job=list("bac"))]
    panel = widgets.target_panel(true, {"one file": draws}, ["sex"], ["job"], target=0)
    wrong, own = panel.picture.marks
    assert "record 1\n" in wrong[2] and "record 0, the target's own" in own[2]
    assert own[0] > wrong[0] + 500 and "does not fit" in panel.tiles.value
    assert "sure, and wrong" in panel.sentence.value


def test_the_threshold_panel_tells_small_risks_apart():
    """On an even axis of what is believed, what is correct would be one line at the foot."""
    _, _, panel = young_panel()
    table = panel.compute(0.1, 10, 0).table
    assert table.perceived.max() > 10 * table.expected.max() > 0
    heights = [0, table.expected.iloc[0], table.perceived.max()]
    places = panel.canvas.on_page(panel.canvas.axes, [(0.1, height) for height in heights])[:, 1]
    assert -np.diff(places).max() > 15


def test_whatever_the_intruder_believes_is_inside_the_threshold_picture():
    """What is wrong makes the intruder believe more: the curve has left the picture."""
    _, _, panel = young_panel(files=(2, 10))
    top = panel.canvas.axes.get_ylim()[1]
    for m in (2, 10):
        for _, wrong in panel.controls["wrong"].options:
            assert panel.compute(0.1, m, wrong).table.perceived.max() < top


def test_a_click_on_the_curve_moves_the_threshold():
    _, _, panel = young_panel()
    mark = panel.picture.marks[-1]
    assert mark[2].startswith("threshold 0.9\n")
    panel._touched(None, {"set": mark[3]}, [])
    assert panel.controls["threshold"].value == 0.9


def test_a_click_on_a_row_chooses_what_the_intruder_knows():
    table = load_results("youth_knowledge")
    baselines = pd.DataFrame({"expected": {"confidential": 224.0, "floor": 3.0}})
    panel = widgets.knowledge_panel(table, baselines)
    mark = panel.picture.marks[3]
    assert mark[2].startswith("models (mean β)\n")
    panel._touched(None, {"set": mark[3]}, [])
    assert panel.controls["step"].value == 3 and "models (mean β)" in panel.sentence.value
    mean = table[(table.m == 2) & (table.knows == "models (mean β)")].expected.mean()
    assert f">{mean:.0f}<" in panel.tiles.value


def test_a_click_on_the_curve_moves_the_sampling_fraction():
    true = pd.DataFrame({"sex": list("FFMMM"), "job": list("aabbc")})
    panel = widgets.population_panel(true, [true], ["sex"], ["job"])
    mark = panel.picture.marks[-1]
    panel._touched(None, {"set": mark[3]}, [])
    assert panel.controls["fraction"].value == 1 and "100 %" in mark[2]


def test_every_control_of_the_panels_of_intruder_knowledge():
    true, draws, panel = young_panel(files=(2, 10))
    use_every_control(panel)
    knows = {"two files": draws[:2], "ten files": draws}
    use_every_control(widgets.target_panel(true, knows, ["sex"], ["job"]))
    use_every_control(widgets.population_panel(true, draws[:2], ["sex"], ["job"]))


def members_panel(*targets):
    keys = ["sex", "age", "region", "placesize"]
    return widgets.members_panel(load_results("members_keys"), keys, targets)


def test_an_interval_below_0_does_not_hold_0():
    """With sex and age alone members are told less than others, in nearly every split."""
    panel = members_panel("marital")
    choose(panel.controls["known"], ["sex", "age"])
    assert "interval: -0.6 to -0.3" in panel.tiles.value
    assert "The interval leaves out 0" in panel.sentence.value


def test_what_was_added_is_said_as_it_is_written():
    """-0.04 is written 0: "-0.2 to 0, leaves out 0" would be no sentence."""
    panel = members_panel("marital", "depress")
    choose(panel.controls["known"], ["sex", "region", "placesize"])
    assert "interval: -0.2 to 0<" in panel.tiles.value
    assert "The interval holds 0:" in panel.sentence.value
    choose(panel.controls["known"], ["sex"])
    assert "for hardly anybody, member or not: nothing is added." in panel.sentence.value
    choose(panel.controls["known"], ["age", "region"])
    panel.controls["target"].value = "depress"
    assert "has added 1 percentage point." in panel.sentence.value


def test_tiles_picture_and_lesson_round_once():
    """15.46 % is 15 %; rounded to 15.5 first it was 16 %, beside a 15 in the picture."""
    panel = members_panel("marital")
    assert ">15 %</dd>" in panel.tiles.value
    assert "15 %" in [text.get_text() for text in panel.canvas.axes.texts]


def test_every_split_is_a_dot_that_can_be_read():
    panel = members_panel("marital")
    now = panel.compute(("sex", "age", "region", "placesize"), "marital")
    marks = panel.picture.marks
    assert len(marks) == 3 * len(now.splits)  # members, others and what was added
    assert marks[0][2].startswith("split 1\nmembers ")


def test_nothing_is_compared_where_there_is_nothing():
    panel = widgets.copies_panel(load_results("members_copies"))
    panel.controls["percent"].value = 20
    assert "1.4 of the honest file: usefulness praises the copying." in panel.sentence.value
    panel.controls["percent"].value = 0
    assert "The honest file: hardly a row copies a member" in panel.sentence.value
    assert "praises" not in panel.sentence.value
    panel = widgets.qis_panel(load_results("household_knowledge"))
    assert "rural and residents; of two people age, gender, education" in panel.sentence.value
    choose(panel.controls["person"], ["gender"])
    panel.controls["respondents"].value, panel.controls["residents"].value = 1, 0
    assert "No household is alone in the sample with that" in panel.sentence.value


def test_controls_without_an_effect_are_greyed():
    knowledge = widgets.qis_panel(load_results("household_knowledge"))
    people = knowledge.controls["respondents"]
    assert not people.disabled
    choose(knowledge.controls["person"], [])
    assert people.disabled
    protection = widgets.protection_panel(load_results("household_methods"))
    cutoff = protection.controls["cutoff"]
    for family in protection.controls["family"].options:
        protection.controls["family"].value = family
        assert cutoff.disabled == (not family.startswith("tree"))


def leaf_panel():
    stored = load_results("members_leaves"), load_results("members_leaf_keys")
    return widgets.leaf_panel(*stored, ["sex", "age", "region", "placesize"])


def test_a_click_on_a_curve_moves_the_slider_there():
    sizes = widgets.sizes_panel(load_results("household_sizes"), pd.Series(range(1, 13)))
    click(sizes, "H = 5\n")
    assert sizes.controls["H"].value == 5
    fractions = widgets.fraction_panel(load_results("household_fractions"))
    click(fractions, "90 % in the sample")
    assert fractions.controls["row"].value == 11
    leaves = leaf_panel()
    click(leaves, "at least 5 records in a leaf\nDiSCO of members 29 %")
    assert leaves.controls["min_leaf"].value == 5
    copies = widgets.copies_panel(load_results("members_copies"))
    click(copies, "75 % of the rows copied\nto the closest member 0.000")
    assert copies.controls["percent"].value == 75


def test_a_click_on_a_method_chooses_it_with_its_cutoff():
    panel = widgets.protection_panel(load_results("household_methods"))
    for words, family, cutoff in (
        ("tree and donors, weight 0 for r > 0.5", "tree and donors", 0.5),
        ("tree only, weight 0 for r > 0\n", "tree only", 0.0),
        ("grouped states", "grouped states", 0.0),  # the cutoff stays where it was
    ):
        mark = next(mark for mark in panel.picture.marks if mark[2].startswith(words))
        panel._touched(None, {"set": mark[3]}, [])
        assert panel.values() == {"family": family, "cutoff": cutoff}


def test_the_curve_that_is_asked_about_is_the_large_one():
    """Predictions 08.b and 08.c are drawn on the first axes; the veil hides the curves."""
    for panel, name in ((leaf_panel(), "risk"), (copies_panel(), "distance")):
        first = panel.canvas.figure.axes[0]
        assert first is panel.canvas.axes[name]
        widths = [ax.get_position().width for ax in panel.canvas.figure.axes]
        assert widths[0] > 1.5 * max(widths[1:])


def copies_panel():
    return widgets.copies_panel(load_results("members_copies"))


def test_the_leaf_panel_asks_with_the_keys_that_are_ticked():
    panel = leaf_panel()
    stored = load_results("members_leaf_keys")
    choose(panel.controls["known"], ["sex", "age"])
    panel.controls["min_leaf"].value = 1
    these = stored[(stored["keys"] == "sex+age") & (stored.min_leaf == 1)]
    row = panel.compute(**panel.values()).row
    assert row.members == pytest.approx(these.members.mean())
    assert "who knows sex and age, taking part adds" in panel.sentence.value
    choose(panel.controls["known"], [])
    assert "tick at least one key" in panel.sentence.value and panel.error is None


def test_the_leaves_stand_where_their_size_says():
    ax = leaf_panel().canvas.axes["risk"]
    x = [ax.transData.transform((leaf, 0))[0] for leaf in (1, 10, 100)]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1])  # ten times is ten times
    assert [int(tick.get_text()) for tick in ax.get_xticklabels()] == list(ax.get_xticks())


def ends_of_sliders():
    """Panels of lessons 07 and 08 with one slider, at both of its ends."""
    sizes = widgets.sizes_panel(load_results("household_sizes"), pd.Series(range(1, 13)))
    leaves = leaf_panel()
    for panel, values in ((sizes, (2, 12)), (leaves, (1, 100)), (copies_panel(), (0, 100))):
        control = next(iter(panel.controls.values()))
        for value in values:
            control.value = value
            yield panel


def test_a_dot_at_the_end_of_a_slider_is_not_cut():
    for panel in ends_of_sliders():
        for ax in panel.canvas.figure.axes:
            box = ax.get_window_extent()
            dots = [one for one in ax.lines if one.get_color() == look.ORANGE]
            assert dots
            for dot in dots:
                radius = dot.get_markersize() / 2 * panel.canvas.figure.dpi / 72
                for x, y in ax.transData.transform(dot.get_xydata()):
                    assert box.x0 <= x - radius and x + radius <= box.x1
                    assert box.y0 <= y - radius and y + radius <= box.y1


def test_the_names_of_the_methods_do_not_lie_on_each_other_or_on_means():
    panel = widgets.protection_panel(load_results("household_methods"))
    ax = panel.canvas.axes["r > 0.5"]
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(boxes) == 6
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    spots = [(mark[0], mark[1]) for mark in panel.picture.marks[:12]]
    sharp, height = panel.canvas.sharp, panel.canvas.figure.bbox.height
    for box in boxes:
        for x, y in spots:
            assert not box.contains(x * sharp, height - y * sharp)


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


@pytest.mark.parametrize("name", ["$a_$", "Pay ($) and rent ($)"])
def test_a_dollar_sign_is_no_formula(name):
    data = pd.DataFrame({name: ["$x^$", "b", "b"], "n": [1.0, 2, 3]})
    panel = widgets.narrowing_panel(data, [name, "n"])
    panel.controls["facts"].value = 2
    assert panel.error is None and len(plots.narrowing(sr.narrow_down(data, [name], 0)).data) > 100
    numbers = data.rename(columns={"n": "$n_$"})[["$n_$"]]
    panel = widgets.interval_panel(numbers, numbers, "$n_$")
    assert panel.error is None


def test_text_stands_left_in_a_table_and_numbers_right():
    html = html_table(pd.DataFrame({"who": ["Ana"], "c": [2]}))
    assert '<th class="text">who</th><th>c</th>' in html
    assert '<td class="text">Ana</td><td>2</td>' in html


# ----------------------------------------------------------- tables shorter than those of a lesson
def test_one_split_has_no_interval():
    """It was written "nan to nan", and said to leave out 0."""
    results = load_results("members_keys").query("split == 1")
    panel = widgets.members_panel(results, ["sex", "age", "region", "placesize"], ["marital"])
    choose(panel.controls["known"], ["sex", "age", "region"])
    assert "one split: no interval" in panel.tiles.value and "nan" not in panel.tiles.value
    assert panel.sentence.value.count("One split has no interval.") == 1
    assert "chance" not in panel.sentence.value


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_panels_of_stored_results_take_shorter_tables(rows):
    leaves = load_results("members_leaves")
    few = leaves.min_leaf.drop_duplicates().head(rows)
    by_keys = load_results("members_leaf_keys")
    keys = ["sex", "age", "region", "placesize"]
    some = [table[table.min_leaf.isin(few)] for table in (leaves, by_keys)]
    panels = [
        widgets.leaf_panel(*some, keys),
        widgets.copies_panel(load_results("members_copies").head(rows)),
        widgets.fraction_panel(load_results("household_fractions").head(rows)),
    ]
    for panel in panels:
        assert panel.error is None and panel.sentence.value


def test_the_leaf_panel_names_its_target():
    stored = load_results("members_leaves"), load_results("members_leaf_keys")
    panel = widgets.leaf_panel(*stored, ["sex", "age", "region", "placesize"], target="depress")
    assert "DiSCO of depression score (%" in panel.canvas.axes["risk"].get_title("left")


@pytest.mark.parametrize("copies, ratio", [(30.0, 1.4), (0.5, 3.0)])
def test_the_sentence_of_copies_follows_the_numbers(copies, ratio):
    table = load_results("members_copies").copy()
    table.loc[0, "copies"] = copies
    table.loc[1, "ratio"] = ratio
    panel = widgets.copies_panel(table)
    assert ("hardly a row copies" in panel.sentence.value) == (copies < 2)
    panel.controls["percent"].value = 5
    assert "praises" not in panel.sentence.value
    assert ("worse than the 1.4" if ratio == 3 else "as good as the 1.4") in panel.sentence.value


def test_files_are_counted():
    methods = load_results("household_methods")
    few = methods[methods["method"] != "tree and donors"].groupby("method").head(4)
    few = few[~few["method"].str.startswith("grouped")]
    protection = widgets.protection_panel(few)
    assert "Means over 4 files:" in protection.sentence.value
    assert "grouped states" not in protection.controls["family"].options
    sizes = load_results("household_sizes").groupby("largest").head(1)
    panel = widgets.sizes_panel(sizes, pd.Series(range(1, 13)))
    assert "mean of 1 file;" in panel.tiles.value
    assert "a dot for each of 1 file" in panel.canvas.axes.get_title("left")


def test_pictures_take_a_part_of_their_groups():
    states = load_results("household_states").query("state == 'N1'")
    assert "Ratios of" in plots.states_by_variable(states).alt
    places = [("models (mean β)", 3), ("f(β) (mode)", 3)]
    index = pd.MultiIndex.from_tuples(places, names=["knows", "m"])
    means = pd.DataFrame({"believed": [50.0, 60.0], "expected": [36.0, 40.0]}, index=index)
    baselines = pd.DataFrame({"expected": {"floor": 20.0, "confidential": 90.0}})
    assert (
        "models (mean β), m = 3: 50 expected, 36 correct" in plots.calibration(means, baselines).alt
    )


def test_eight_keys_offer_rotations_and_no_axis_ends_above_100():
    """All orders of eight keys would be 40,320 entries."""
    names = list("abcdefgh")
    rng = np.random.default_rng(1)
    people = pd.DataFrame(rng.integers(0, 9, (60, 9)), columns=[*names, "i"]).astype(str)
    panel = widgets.identity_panel(people, [people], names)
    assert len(panel.controls["order"].options) == 8
    assert max(panel.canvas.axes.get_yticks()) == 100
    assert panel.canvas.axes.get_ylim()[1] == 130
    panel = widgets.identity_panel(people, [people], names[:4])
    assert len(panel.controls["order"].options) == 24
