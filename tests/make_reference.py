"""Write notebooks/reference.md: every public name, and the first sentence of its docstring.

python tests/make_reference.py
"""

import inspect
import re
from functools import cached_property
from pathlib import Path

import synthrisk_classroom
import synthrisk_edu
from synthrisk_classroom.lesson import Lesson
from synthrisk_edu import households, plots, widgets

PAGE = Path(__file__).resolve().parent.parent / "notebooks" / "reference.md"
HEAD = """# Reference

Every public name, by the question it answers, with the first sentence of its docstring; in a
notebook `sr.match?` shows the whole of it. *This page is made by `python tests/make_reference.py`:
change the docstring, not the page.*
"""
METHOD = {  # the module of a name: the question
    "data": "What do we look at?",
    "fetch": "What do the real files say?",
    "synthesis": "How is synthetic data made?",
    "utility": "Is it still useful, and what does protection cost?",
    "matching": "Who could this be?",
    "first_steps": "What do the first lessons count?",
    "sweep": "And with several files, several radii?",
    "intruder": "What if the intruder knows more?",
    "draws": "What does the intruder believe the synthesized values were?",
    "disco": "What do the keys give away?",
    "noise": "What if every count gets some noise?",
    "members": "Would it also be said of somebody who never took part?",
    "nearest": "How near is the nearest record?",
    "report": "And my own data?",
    "source": "How is it computed?",
    "in_r": "How does one ask the same in R?",
}
HOUSEHOLDS = {"households": "What about people who live together?"}
SHOWN = {  # pictures and panels by their module: the lessons
    "matching": "Lessons 00 and 01: who could this be?",
    "game": "Lesson 01: the game",
    "radius": "Lesson 02: and if the synthesized value is a number?",
    "acs": "Lesson 03: the ACS example",
    "ce": "Lesson 04: the CE example",
    "intruder": "Lesson 05: what if the intruder knows more?",
    "disclosure": "Lesson 06: what do the keys give away?",
    "noise": "Lesson 06, further: what if every count gets some noise?",
    "households": "Lesson 07: what about people who live together?",
    "members": "Lesson 08: members and others",
    "report": "Lesson 09: your own data",
    "look": "A picture of your own",
    "panel": "A panel of your own",
}
CLASSROOM = {"lesson": "Did I get it?", "environment": "Is everything in place?"}
PACKAGES = [  # title, how it is imported, the package, its questions
    ("The method", "import synthrisk_edu as sr", synthrisk_edu, METHOD),
    ("Households", "sr.households", households, HOUSEHOLDS),
    ("Pictures", "from synthrisk_edu import plots", plots, SHOWN),
    ("Panels", "from synthrisk_edu import widgets", widgets, SHOWN),
    ("Lessons", "from synthrisk_classroom import lesson", synthrisk_classroom, CLASSROOM),
]


def public_names(package):
    """Return the public functions and classes of a package; the report comes when asked for."""
    listed = [*vars(package), *getattr(package, "_REPORT", ())]
    found = {name: getattr(package, name) for name in listed if not name.startswith("_")}
    found |= {"Lesson": Lesson} if package is synthrisk_classroom else {}  # what `lesson` gives
    home = package.__name__.split(".")[0]
    return {
        name: value
        for name, value in sorted(found.items(), key=lambda one: one[0].lower())
        if getattr(value, "__module__", "").startswith(home)
    }


def room(value):
    """Return the room that a name comes from: "match", or "radius" for plots.radius."""
    parts = [one for one in value.__module__.split(".")[1:] if one not in ("plots", "widgets")]
    return parts[0]


def entry(name, value, indent=""):
    """Return the lines of one name: how it is called, its first sentence, its methods."""
    called = name + arguments_of(value) if inspect.isfunction(value) else name
    text = " ".join(inspect.getdoc(value).split("\n\n")[0].split())
    sentence = re.match(r".+?[.?!](?= [A-Z`]|$)", text)[0]
    methods = vars(value) if inspect.isclass(value) else {}
    public = {one: method for one, method in methods.items() if is_public(one, method)}
    lines = [f"{indent}  - *{types}*"] if (types := types_of(value)) else []
    lines += [entry(f".{one}", method, "  ") for one, method in public.items()]
    called = re.sub(r"\(self(, )?", "(", called)
    return "\n".join([f"{indent}- `{called}`: {sentence}", *lines])


def arguments_of(function):
    """Return the arguments of a function as one types them."""
    signature = inspect.signature(function)
    bare = [
        one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()
    ]
    return str(inspect.Signature(bare))


def types_of(function):
    """Return what a function takes and gives: arguments of the same type together.

    >>> def between(low: float, high: float, *, seed: int | None = None) -> list[float]: ...
    >>> types_of(between)
    'float: low, high · int | None: seed · gives list[float]'
    """
    if not inspect.isfunction(function):
        return ""
    signature = inspect.signature(function)
    names = {}
    for name, parameter in signature.parameters.items():
        if parameter.annotation is not inspect.Parameter.empty:
            names.setdefault(in_short(parameter.annotation), []).append(name)
    parts = [f"{what}: {', '.join(of_type)}" for what, of_type in names.items()]
    if signature.return_annotation not in (inspect.Signature.empty, None):
        parts.append(f"gives {in_short(signature.return_annotation)}")
    return " · ".join(parts)


def in_short(annotation):
    """Write a type without the modules it comes from: DataFrame, Mapping[str, float]."""
    written = inspect.formatannotation(annotation).strip("'")
    return re.sub(r"[\w.]+\.(\w+)", r"\1", written)


def is_public(name, value):
    """Tell whether something in a class is a public method or property of its own."""
    kinds = (property, cached_property)
    return not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, kinds))


def page():
    """Return the whole page; a name from a room that has no question is an error."""
    parts = [HEAD]
    for title, how, package, questions in PACKAGES:
        entries = {question: [] for question in questions.values()}
        for name, value in public_names(package).items():
            entries[questions[room(value)]].append(entry(name, value))
        parts.append(f"## {title}\n\n`{how}`\n")
        for question, lines in entries.items():
            parts += [f"### {question}\n", *lines, ""] if lines else []
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
