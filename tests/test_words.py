"""The words of the lessons: glossary, symbols, links, and words for every picture."""

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
FOLDER = PROJECT / "notebooks"
LESSONS = {path.name[:2]: path for path in sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))}
GLOSSARY = FOLDER / "glossary.md"
PAGES = sorted(FOLDER.glob("*.md")) + [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md"]

ENTRY = re.compile(r"- \*\*(?P<term>.+?)\*\* \((?P<where>\[.+?\))\): (?P<text>.+)")
LINK = re.compile(r"(?<!\!)\[(?P<text>[^\]]*)\]\((?P<to>[^)\s]+)\)")
PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<to>[^)\s]+)\)")


@cache
def cells(path):
    """The cells of a notebook: pairs of kind and text."""
    notebook = json.loads(path.read_text("utf-8"))
    return [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]


def prose(path):
    """Everything a notebook says in words, or the text of a page."""
    if path.suffix == ".md":
        return path.read_text("utf-8")
    return "\n\n".join(text for kind, text in cells(path) if kind == "markdown")


def section(path, title):
    """The text under a heading of a lesson, up to the next heading."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", prose(path), re.M | re.S)
    return found[1] if found else ""


def plain(text):
    """Text without the signs of formulas, so that $d_{tq}$ is d_tq."""
    return re.sub(r"[{}$\\]", "", text)


def entries():
    """The glossary: triples of term, lessons and sentence."""
    lines = prose(GLOSSARY).split("## Symbols")[0].splitlines()
    found = [ENTRY.fullmatch(line) for line in lines if line.startswith("- ")]
    assert all(found), "a line of the glossary has another form"
    return [(one["term"], re.findall(r"\[(\d\d)\]", one["where"]), one["text"]) for one in found]


def symbols():
    """The symbol table: its rows as lists of four cells."""
    text = prose(GLOSSARY).split("## Symbols")[1].split("\n## ")[0]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def remembered(path):
    """The bold words under "Words to remember"."""
    return re.findall(r"\*\*(.+?)\*\*", section(path, "Words to remember"))


# ------------------------------------------------------------- glossary and symbols


@pytest.mark.parametrize("number", LESSONS)
def test_every_word_to_remember_is_in_the_glossary(number):
    terms = {term for term, where, _ in entries() if number in where}
    words = remembered(LESSONS[number])
    assert words, "a lesson without words to remember"
    missing = [
        word
        for word in words
        if word not in terms and not all(part in terms for part in word.split(", "))
    ]
    assert missing == [], f"say in notebooks/glossary.md what these mean, with lesson {number}"


def test_every_entry_is_one_sentence_and_stands_in_its_place():
    found = entries()
    assert [term for term, _, _ in found] == sorted((t for t, _, _ in found), key=str.lower)
    assert len({(term, *where) for term, where, _ in found}) == len(found) > 90
    assert [text for _, _, text in found if not text.endswith(".") or ". " in text] == []


def test_every_word_is_said_in_the_lesson_it_points_to():
    lost = []
    for term, where, _ in entries():
        parts = [re.sub(r" \(.*\)| [A-Za-zπ]$| R = .*", "", part) for part in term.split(", ")]
        for number in where:
            text = plain(prose(LESSONS[number])).lower()
            lost += [(part, number) for part in parts if not said(part.lower(), text)]
    assert lost == []


def said(word, text):
    """Whether a text has this word, not as part of another; a plural is the same word."""
    return re.search(rf"(?<!\w){re.escape(word)}(?:e?s|d|ed)?(?!\w)", text) is not None


def test_every_symbol_stands_in_the_lesson_it_points_to():
    rows, lost = symbols(), []
    assert len(rows) > 40 and all(len(row) == 4 and all(row) for row in rows)
    for names, _, _, where in rows:
        for number in re.findall(r"\[(\d\d)\]", where):
            text = plain(prose(LESSONS[number])) + "".join(t for _, t in cells(LESSONS[number]))
            lost += [(name, number) for name in names.split(", ") if not said(name, text)]
    assert lost == []


def test_letters_with_two_meanings_are_listed():
    letters = [row[0] for row in symbols()]
    twice = {letter for letter in letters if letters.count(letter) > 1}
    listed = prose(GLOSSARY).split("## Letters with two meanings")[1]
    assert {"r", "R"} <= twice and all(f"| {letter} |" in listed for letter in twice)


# ---------------------------------------------------------------------------- links


@pytest.mark.parametrize("path", [*LESSONS.values(), *PAGES], ids=lambda path: path.stem)
def test_every_relative_link_leads_somewhere(path):
    """The file exists, and where a link names a section, the section does, too."""
    lost = []
    for to in [one["to"] for form in (LINK, PICTURE) for one in form.finditer(prose(path))]:
        if re.match(r"[a-z]+:", to):
            continue  # an address of the internet
        name, _, heading = to.partition("#")
        there = (path.parent / name) if name else path
        if not there.exists() or (heading and heading not in headings(there)):
            lost.append(to)
    assert lost == []


def headings(path):
    """The headings of a page as JupyterLab's links name them: a hyphen for every space."""
    found = re.findall(r"^#+ (.+)$", prose(path), re.M)
    return {one.strip().replace(" ", "-") for one in found}


@pytest.mark.parametrize("number", LESSONS)
def test_every_lesson_leads_to_the_glossary(number):
    assert "(glossary.md)" in section(LESSONS[number], "Where to read on")


def test_the_map_leads_to_every_page():
    text = prose(LESSONS["00"])
    pages = [*(path.name for path in LESSONS.values())][1:] + ["glossary.md", "for_teachers.md"]
    assert [name for name in pages if f"({name})" not in text] == []


# ------------------------------------------------------------------ words for pictures


def shows(tree):
    """Every call of plots.show in a cell, with the function around it, if there is one."""
    inside = {
        id(node): function
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "plots.show":
            yield node, inside.get(id(node))


def is_sentence(node):
    """Whether an argument is a text of some words that ends like a sentence."""
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and len(text.split()) >= 4 and text.endswith(".")


def pictures_without_words(sources):
    """The pictures of a notebook that say nothing: shown bare, or with too little text."""
    wrong, helpers = [], {}
    trees = [ast.parse(re.sub(r"^[%!].*$", "", source, flags=re.M)) for source in sources]
    for tree in trees:
        calls = list(shows(tree))
        made = [n for n in ast.walk(tree)
                if isinstance(n, ast.Call) and ast.unparse(n.func) == "plots.figure"]  # fmt: skip
        if len(made) > len(calls):
            wrong.append("a figure that plots.show never shows")
        for call, function in calls:
            words = call.args[1] if len(call.args) > 1 else None
            if function and isinstance(words, ast.Name):  # the caller says the words
                names = [one.arg for one in function.args.args]
                helpers[function.name] = names.index(words.id)
            elif not is_sentence(words):
                wrong.append(ast.unparse(call))
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in helpers:
            place = helpers[ast.unparse(node.func)]
            if len(node.args) <= place or not is_sentence(node.args[place]):
                wrong.append(ast.unparse(node))
    return wrong


@pytest.mark.parametrize("number", LESSONS)
def test_every_static_picture_carries_words(number):
    assert pictures_without_words([t for kind, t in cells(LESSONS[number]) if kind == "code"]) == []


@pytest.mark.parametrize("path", [*LESSONS.values(), *PAGES], ids=lambda path: path.stem)
def test_every_picture_in_a_text_has_alternative_text(path):
    text = prose(path)
    assert [one["to"] for one in PICTURE.finditer(text) if len(one["alt"].split()) < 4] == []
    assert [tag for tag in re.findall(r"<img[^>]*>", text) if 'alt="' not in tag] == []


HELPER = "def s(d, w):\n    f = plots.figure(3)\n    plots.show(f, w)\n"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("f, ax = plots.figure(3)\nplots.show(f, 'Two bars of equal height.')", 0),
        ("f, ax = plots.figure(3)\nplots.show(f)", 1),
        ("f, ax = plots.figure(3)\nplots.show(f, '')", 1),
        ("f, ax = plots.figure(3)\nf", 1),
        (HELPER + "s(1, 'Bars that fall fast.')", 0),
        (HELPER + "s(1, 'Bars.')", 1),
        (HELPER + "s(1)", 1),
    ],
)
def test_pictures_without_words_are_seen(source, found):
    assert len(pictures_without_words([source])) == found


@pytest.mark.parametrize("number", LESSONS)
def test_a_number_and_its_per_cent_stay_on_one_line(number):
    """Between them stands a space that does not break; in code, and in formulas, any may."""
    words = re.sub(r"`[^`\n]*`|\$\$.*?\$\$", "", prose(LESSONS[number]), flags=re.DOTALL)
    assert re.findall(r"\d %[^\n]{0,20}", words) == []
