"""A panel keeps nothing of what it has shown, however often it is moved."""

import gc
import tracemalloc

import psutil
import pytest
from panel_moves import choose, held, move_every_control, settings

import synthrisk_edu as sr
from synthrisk_edu import widgets
from synthrisk_edu.data import in_words
from synthrisk_edu.plots.picture import Shown, picture
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.widgets.controls import slider
from synthrisk_edu.widgets.panel import Panel


def move_to_and_fro(panel, times):
    """Move the first control back and forth, so that every move is drawn."""
    control = next(iter(panel.controls.values()))
    values = settings(control)
    for k in range(times):
        choose(control, values[k % len(values)])


@pytest.mark.slow
def test_every_panel_of_a_lesson_at_the_ends_of_its_controls(lesson, executed):
    for cell, panel in executed.panels.items():
        move_every_control(cell, panel)


def interval_panel():
    """A panel of dots and lines."""
    units = sr.load_ce().head(60)
    return widgets.interval_panel(units, redraw(units, ["Income"], [], seed=1), "Income")


def identity_panel():
    """A panel of bars with text."""
    persons = sr.load_diagnosis()
    return widgets.identity_panel(persons, [persons], ["sex", "age", "region"])


@pytest.mark.slow
@pytest.mark.parametrize("build", [interval_panel, identity_panel])
def test_memory_is_flat_over_many_moves(build):
    panel = build()
    move_to_and_fro(panel, 20)  # until everything that is remembered once is there
    gc.collect()
    tracemalloc.start()
    try:
        move_to_and_fro(panel, 20)
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0]
        move_to_and_fro(panel, 40)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - kept
    finally:
        tracemalloc.stop()
    # pandas remembers the columns it has handed out, and forgets them by the hundred: a thousand
    # or two bytes a move come and go. The bars that once were kept took a hundred thousand.
    assert grown < 40 * 4000, f"{grown / 40:.0f} bytes stay of every move"


def small_panel():
    """A panel with bars and a dot, small enough to be moved thousands of times."""

    @picture(height=1, width=1.5)
    def bars(ax):
        ax.set(xlim=(0, 5), ylim=(0, 10), xticks=[], yticks=[])  # texts take the longest

        def move(height):
            ax.bar(range(5), [height] * 5)
            ax.plot([height], [1], "o")
            return Shown(str(height))

        return move

    return Panel(bars, {"height": slider("height", 0, 10, 5)}, lambda height: height)


@pytest.mark.slow
def test_the_program_does_not_grow_over_2000_moves():
    panel, program = small_panel(), psutil.Process()
    move_to_and_fro(panel, 200)
    gc.collect()
    before = program.memory_info().rss
    move_to_and_fro(panel, 2000)
    gc.collect()
    # When bars were kept, 337 MB stayed of as many moves of a panel of ordinary size.
    assert program.memory_info().rss - before < 10e6


def test_the_game_leaves_nothing_behind():
    people = in_words(sr.load_acs(), "acs")
    panel = widgets.intruder_game(people, ["SEX", "RACE", "MAR", "WAOB"], ["DIS", "HICOV", "SCH"])
    counts = []
    for _ in range(5):
        for button in ("A", "back", "back", "new"):
            panel.buttons[button].click()
        counts.append(held(panel))
    assert counts[4] == counts[2]
