"""How does a teacher see a class at a glance, and what does each student get back?

Two pages from templates in which every text is escaped; nothing in them runs (see `pages`).
"""

import re
from collections import Counter
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from synthrisk_classroom.lesson import module, predictions
from synthrisk_classroom.papers import find
from synthrisk_classroom.verdict import NOT_RIGHT, Kind
from synthrisk_edu.pages import STYLE, html_document
from synthrisk_edu.words import counted

SIGNS = {
    Kind.RIGHT: "✓",
    Kind.MISTAKE: "✗",
    Kind.WRONG: "✗",
    Kind.UNREADABLE: "!",
    Kind.NOT_CHECKED: "ƒ",
    Kind.TYPED: "✎",
    Kind.OPEN: "·",
}
NAMES = {
    Kind.RIGHT: "right",
    Kind.MISTAKE: "a usual mistake",
    Kind.WRONG: "wrong",
    Kind.UNREADABLE: "not in the form asked for",
    Kind.NOT_CHECKED: "a function, not checked",
    Kind.TYPED: "typed, without a verdict",
    Kind.OPEN: "not tried",
}
ANEW = {Kind.RIGHT, *NOT_RIGHT}  # the verdicts that grading computes itself
LOOK = STYLE + Path(__file__).with_name("grade.css").read_text("utf-8")
TEMPLATES = Path(__file__).with_name("templates") / "grade"
JINJA = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
JINJA.globals |= {"signs": SIGNS, "names": NAMES, "anew": ANEW, "counted": counted}
JINJA.filters["points"] = lambda number: "–" if number != number else f"{number:g}"


def class_page(grades, links, mistakes, fooled):
    """Return the page for the teacher; `links` lead from an id to the student's feedback."""
    marks = [item for one in grades.students for item in one.marks.items()]
    others = [item for one in grades.others for item in one.marks.items()]
    seen = {mark.kind for _, mark in marks + others}
    return page(
        "class.html.j2",
        grades,
        links=links,
        here=sum(map(grades.has, grades.students)),
        seen=seen,
        some_anew=bool(seen & ANEW),
        right=Counter(id for id, mark in marks if mark.kind is Kind.RIGHT),
        mistakes=mistakes,
        fooled=fooled,
    )


def feedback_pages(grades):
    """Return (name of the file, page) for each student, by id."""
    questions = predictions(grades.lesson)
    names, pages = set(), {}
    for student in grades.students:
        name = file_name(student.id, names)
        names.add(name)
        made = page("feedback.html.j2", grades, student=student, questions=questions)
        pages[student.id] = (name, made)
    return pages


def page(template, grades, **about):
    """Return one page: the template with what it speaks of, in the frame of every page."""
    title = f"Lesson {grades.lesson} · {module(grades.lesson).TITLE}"
    asked = {id: find(id) for id in grades.points if grades.shows(id)}
    body = JINJA.get_template(template).render(grades=grades, title=title, asked=asked, **about)
    return html_document(title, body, LOOK)


def file_name(id, taken):
    """Return the name of a student's page: letters and digits of the id, and no name twice.

    >>> file_name("anna.k", set()), file_name("../x y", {"x_y.html"})
    ('anna.k.html', 'x_y_2.html')
    """
    stem = re.sub(r"[^\w.-]+", "_", id).strip("._-")[:60] or "student"
    names = (f"{stem}{more}.html" for more in ["", *(f"_{n}" for n in range(2, 10_000))])
    return next(name for name in names if name not in taken)
