"""What students read beside the code: links lead somewhere, words are explained, names listed."""

import ast
import builtins
import json
import re
from functools import cache
from pathlib import Path

import make_reference
import numpy as np
import pandas as pd
import pytest

import synthrisk_classroom
import synthrisk_edu
from synthrisk_classroom.running import cores, lesson_paths, name_of
from synthrisk_edu import households, plots, widgets
from synthrisk_edu.pages import html_table

PROJECT = Path(__file__).resolve().parent.parent
FOLDER = PROJECT / "notebooks"
LESSONS = lesson_paths()
PAGES = [*sorted(FOLDER.glob("**/*.md")), *sorted(PROJECT.glob("*.md"))]
# As a lesson calls them, and as it imports from them.
PACKAGES = {
    "sr": synthrisk_edu,
    "sr.households": households,
    "plots": plots,
    "widgets": widgets,
    "synthrisk_edu": synthrisk_edu,
    "synthrisk_classroom": synthrisk_classroom,
}
LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<to>[^)\s]+)\)")
PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<to>[^)\s]+)\)")


@cache
def cells(path):
    """The cells of a notebook: pairs of kind and text."""
    notebook = json.loads(path.read_text("utf-8"))
    return [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]


def prose(path):
    """Everything a notebook says in words, or the text of a page."""
    if path.suffix != ".ipynb":
        return path.read_text("utf-8")
    return "\n\n".join(text for kind, text in cells(path) if kind == "markdown")


def headings(path):
    """The headings of a page as JupyterLab's links name them: a hyphen for every space."""
    return {one.strip().replace(" ", "-") for one in re.findall(r"^#+ (.+)$", prose(path), re.M)}


@pytest.mark.parametrize("path", [*LESSONS.values(), *PAGES], ids=name_of)
def test_every_relative_link_leads_somewhere(path):
    """The file exists, and where a link names a section, the section does, too."""
    lost = []
    for to in [one["to"] for one in LINK.finditer(prose(path))]:
        name, _, heading = to.partition("#")
        there = (path.parent / name) if name else path
        is_address = re.match(r"[a-z]+:", to)
        if not is_address and not (there.exists() and (not heading or heading in headings(there))):
            lost.append(to)
    assert lost == []


@pytest.mark.parametrize("path", [*LESSONS.values(), *PAGES], ids=name_of)
def test_every_picture_in_a_text_is_described_for_those_who_cannot_see_it(path):
    text = prose(path)
    assert [one["to"] for one in PICTURE.finditer(text) if len(one["alt"].split()) < 4] == []
    assert [tag for tag in re.findall(r"<img[^>]*>", text) if 'alt="' not in tag] == []


@pytest.mark.parametrize("name", LESSONS)
def test_every_word_to_remember_is_in_the_glossary(name):
    """A core has such words; what goes further may have some."""
    number, text = LESSONS[name].name[:2], prose(LESSONS[name])
    entries = re.findall(r"^- \*\*(.+?)\*\* \((.+?)\): ", prose(FOLDER / "glossary.md"), re.M)
    terms = {term for term, where in entries if f"[{number}]" in where}
    section = re.search(r"^## Words to remember\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    words = re.findall(r"\*\*(.+?)\*\*", section[1]) if section else []
    assert words or name not in cores()
    missing = [w for w in words if w not in terms and not set(w.split(", ")) <= terms]
    assert missing == [], f"say in notebooks/glossary.md what these mean, with [{number}]"


def test_the_reference_page_is_up_to_date():
    made = make_reference.page()
    assert "`match(confidential, synthetic, known" in made
    assert make_reference.PAGE.read_text("utf-8") == made, "run python tests/make_reference.py"


def names_used(code):
    """Every name that some code takes from our packages, by package."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Attribute):
            where = ast.unparse(node.value)  # "sr", or "sr.households"
            yield where, node.attr
        if isinstance(node, ast.ImportFrom) and node.module.startswith("synthrisk_"):
            yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_uses_public_names_only(name):
    public = {package: make_reference.public_names(value) for package, value in PACKAGES.items()}
    public["synthrisk_edu"] |= {"plots": None, "widgets": None}
    public["sr"] = public["sr"] | {"households": None}
    code = "\n".join(text for kind, text in cells(LESSONS[name]) if kind == "code")
    shown = re.findall(
        r"show_code\((\w+)(?:\.\w+)?\)", code
    )  # a definition may be read wherever it stands
    used = {one for one in names_used(code) if one[1] not in shown}
    assert {package for package, _ in used} >= {"sr"}
    assert [one for one in used if one[0].startswith("synthrisk_") and one[0] not in public] == []
    assert [(where, n) for where, n in used if where in public and n not in public[where]] == []


def names_from(sources):
    """The names that these cells use and do not make."""
    made, missing = set(dir(builtins)) | {"display"}, set()
    for tree in [list(ast.walk(ast.parse(source))) for source in sources]:
        names = [one for one in tree if isinstance(one, ast.Name)]
        made |= {one.id for one in names if not isinstance(one.ctx, ast.Load)}
        made |= {one.asname or one.name for one in tree if isinstance(one, ast.alias)}
        made |= {one.name for one in tree if isinstance(one, ast.FunctionDef | ast.ExceptHandler)}
        made |= {one.arg for one in tree if isinstance(one, ast.arg)}
        missing |= {one.id for one in names} - made
    return missing


def test_numbers_in_the_table_of_a_page():
    """Whole from 100 on, as one reads them below; what has no value is undefined, not nan."""
    table = pd.DataFrame({"risk": [99.55, 100.4, -100.6, np.nan, np.inf], "flag": [True] * 5})
    written = re.findall("<td>([^<]*)</td><td>yes</td>", html_table(table, "risks"))
    assert written == ["99.55", "100", "-101", "undefined", "infinity"]
