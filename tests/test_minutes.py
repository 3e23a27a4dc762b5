"""Every lesson announces about as many minutes as a student needs, by one rule for all.

The rule: 130 words of text a minute, one minute for a code cell and what it shows, three for a
question to be answered before reading on, six for a panel and seven for an exercise. What a heading
marks as optional, and what stands after the exercises, is not part of the core.

The rule is held to the clock as far as somebody has looked at one: lesson 01 as it was on 16
November 2026 took a student 92 minutes, and 40 more for its six exercises; by the rule 90 and 42.

Nobody sits for more than an hour: a longer lesson has a break, which says how long each part is,
or two sittings, which the head announces. A later sitting has a cell that makes what it needs.
"""

import ast
import builtins
import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
LESSONS = {path.name[:2]: path for path in sorted(FOLDER.glob("[0-9]*.ipynb"))}
WORDS, CODE, QUESTION, PANEL, EXERCISE = 130, 1, 3, 6, 7
APART = ("Exercises", "To discuss", "Words to remember", "Where to read on")
QUESTIONS = r"\*\*(?:Predict first|Question|Count by hand|Which way)"
TWO_SITTINGS = ("06", "07")
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


def cells_of(number):
    """Return the cells of a lesson."""
    return json.loads(LESSONS[number].read_text("utf-8"))["cells"]


def stretches(number):
    """Return the minutes of the core from one break, or sitting, to the next."""
    minutes = [0.0]
    for is_core, kind, text in parts(cells_of(number)):
        if text.startswith("## Sitting"):
            minutes.append(0.0)
        minutes[-1] += minutes_for(kind, text) if is_core else 0
        if "> **Break.**" in text:
            minutes.append(0.0)
    minutes[-1] += EXERCISE * IN_THE_CORE.get(number, 0)
    return minutes


def core_minutes(number):
    """Return the minutes for the core of a lesson."""
    return sum(stretches(number))


def announced(number):
    """Return the minutes that the head of a lesson announces."""
    head = "".join(cells_of(number)[0]["source"])
    return int(re.search(r"\*\*[^*]*?[aA]bout (\d+) minutes", head)[1])


def announced_parts(number):
    """Return the minutes a lesson announces for each sitting, or before and after its break."""
    head = "".join(cells_of(number)[0]["source"])
    whole = "\n".join("".join(cell["source"]) for cell in cells_of(number))
    sittings = re.findall(r"Sitting \d, about (\d+) minutes", head)
    breaks = re.findall(r"> \*\*Break.\*\* About (\d+) minutes are done, about (\d+) are", whole)
    return [int(one) for one in (sittings or (breaks and breaks[0]) or [announced(number)])]


def test_a_lesson_by_hand():
    """260 words and a question, a code cell, a panel; what is optional does not count."""
    cells = [
        ("markdown", "# Title\n" + "word " * 258 + "\n**Predict first.**"),
        ("code", "1 + 1"),
        ("code", "widgets.some_panel(x)"),
        ("markdown", "## 2. Optional: more\n" + "word " * 600),
        ("code", "2 + 2"),
        ("markdown", "### A part of it\n" + "word " * 600),
        ("markdown", "## 3. Back\n" + "word " * 128),
    ]
    cells = [{"cell_type": kind, "source": [text]} for kind, text in cells]
    found = sum(minutes_for(kind, text) for is_core, kind, text in parts(cells) if is_core)
    assert found == pytest.approx(2 + QUESTION + CODE + PANEL + 1, abs=0.05)


@pytest.mark.parametrize("number", LESSONS)
def test_a_lesson_announces_the_minutes_its_core_takes(number):
    """A little more is kind, less is not."""
    assert -5 <= announced(number) - core_minutes(number) <= 15, core_minutes(number)


@pytest.mark.parametrize("number", LESSONS)
def test_nobody_sits_for_more_than_an_hour(number):
    """What each part announces is what it takes, and the parts make the whole."""
    said, found = announced_parts(number), stretches(number)
    assert len(said) == len(found) and max(said) <= 60, found
    assert sum(said) == announced(number) <= (110 if number in TWO_SITTINGS else 90)
    assert all(-5 <= one - other <= 15 for one, other in zip(said, found, strict=True)), found


def names_from(cells):
    """Return the names that these cells use and do not make."""
    made, missing = set(dir(builtins)) | {"display"}, set()
    for cell in (cell for cell in cells if cell["cell_type"] == "code"):
        tree = list(ast.walk(ast.parse("".join(cell["source"]))))
        names = [one for one in tree if isinstance(one, ast.Name)]
        made |= {one.id for one in names if not isinstance(one.ctx, ast.Load)}
        made |= {one.asname or one.name for one in tree if isinstance(one, ast.alias)}
        made |= {one.name for one in tree if isinstance(one, ast.FunctionDef | ast.ExceptHandler)}
        made |= {one.arg for one in tree if isinstance(one, ast.arg)}
        missing |= {one.id for one in names} - made
    return missing


@pytest.mark.parametrize("number", TWO_SITTINGS)
def test_the_second_sitting_can_be_begun_on_another_day(number):
    cells = cells_of(number)
    texts = ["".join(cell["source"]) for cell in cells]
    (start,) = [place for place, text in enumerate(texts) if text.startswith("## Sitting 2")]
    assert "**End of sitting 1.** To remember:" in texts[start - 1]
    assert names_from(cells[start:]) == set()
    assert names_from(cells[start + 2 :]) >= {"sr", "plots"}  # without its cell it could not


@pytest.mark.parametrize("path", [LESSONS["00"], FOLDER.parent / "README.md"])
def test_the_maps_tell_the_same_minutes(path):
    text = path.read_text("utf-8")
    for number in LESSONS:
        (minutes,) = re.findall(rf"\| (?:\*\*)?\[?{number} [^|]*\|[^|]*\| (\d+) ", text)
        assert int(minutes) == announced(number), number
