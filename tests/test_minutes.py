"""Every lesson announces about as many minutes as a student needs, by one rule for all.

The rule: 150 words of text a minute, one minute for a code cell and what it shows, three for a
question to be answered before reading on, six for a panel and six for an exercise. What a heading
marks as optional, and what stands after the exercises, is not part of the core.
"""

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
LESSONS = {path.name[:2]: path for path in sorted(FOLDER.glob("[0-9]*.ipynb"))}
WORDS, CODE, QUESTION, PANEL, EXERCISE = 150, 1, 3, 6, 6
APART = ("Exercises", "To discuss", "Words to remember", "Where to read on")
QUESTIONS = r"\*\*(?:Predict first|Question|Count by hand|Which way)"
IN_THE_CORE = {"06": 3}  # exercises that the first lines of a lesson call part of its core


def parts(cells):
    """Yield (is it core?, kind, text) for every piece of a lesson under one heading."""
    optional_level = None  # of the heading that began what is not core
    for cell in cells:
        text = "".join(cell["source"])
        pieces = re.split(r"(?m)^(?=#+ )", text) if cell["cell_type"] == "markdown" else [text]
        for piece in pieces:
            heading = re.match(r"(#+) (.*)", piece) if cell["cell_type"] == "markdown" else None
            if heading:
                level, title = len(heading[1]), heading[2]
                if optional_level is None or level <= optional_level:
                    apart = "ptional" in title or title.startswith(APART)
                    optional_level = level if apart else None
            yield optional_level is None, cell["cell_type"], piece


def minutes_for(kind, text):
    """Return the minutes a piece of a lesson takes, by the rule."""
    if kind == "markdown":
        plain = re.sub(r"\$\$.*?\$\$|<[^>]+>|\]\([^)]*\)", "", text, flags=re.DOTALL)
        return len(re.findall(r"\w[\w'’.,-]*", plain)) / WORDS + QUESTION * len(
            re.findall(QUESTIONS, plain)
        )
    if re.search(r"_panel\(|intruder_game\(", text):
        return PANEL
    return EXERCISE if "sr.check(" in text else CODE


def core_minutes(number):
    """Return the minutes for the core of a lesson."""
    cells = json.loads(LESSONS[number].read_text("utf-8"))["cells"]
    core = sum(minutes_for(kind, text) for is_core, kind, text in parts(cells) if is_core)
    return core + EXERCISE * IN_THE_CORE.get(number, 0)


def announced(number):
    """Return the minutes that the head of a lesson announces."""
    head = "".join(json.loads(LESSONS[number].read_text("utf-8"))["cells"][0]["source"])
    return int(re.search(r"\*\*[^*]*?[aA]bout (\d+) minutes", head)[1])


def test_a_lesson_by_hand():
    """300 words and a question, a code cell, a panel; what is optional does not count."""
    cells = [
        ("markdown", "# Title\n" + "word " * 298 + "\n**Predict first.**"),
        ("code", "1 + 1"),
        ("code", "widgets.some_panel(x)"),
        ("markdown", "## 2. Optional: more\n" + "word " * 600),
        ("code", "2 + 2"),
        ("markdown", "### A part of it\n" + "word " * 600),
        ("markdown", "## 3. Back\n" + "word " * 148),
    ]
    cells = [{"cell_type": kind, "source": [text]} for kind, text in cells]
    found = sum(minutes_for(kind, text) for is_core, kind, text in parts(cells) if is_core)
    assert found == pytest.approx(2 + QUESTION + CODE + PANEL + 1, abs=0.05)


@pytest.mark.parametrize("number", LESSONS)
def test_a_lesson_announces_the_minutes_its_core_takes(number):
    """A little more is kind, less is not."""
    assert -5 <= announced(number) - core_minutes(number) <= 15, core_minutes(number)


@pytest.mark.parametrize("path", [LESSONS["00"], FOLDER.parent / "README.md"])
def test_the_maps_tell_the_same_minutes(path):
    text = path.read_text("utf-8")
    for number in LESSONS:
        (minutes,) = re.findall(rf"\| (?:\*\*)?\[?{number} [^|]*\|[^|]*\| (\d+) ", text)
        assert int(minutes) == announced(number), number
