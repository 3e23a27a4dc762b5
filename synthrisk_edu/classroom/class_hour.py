"""The class of 50 minutes, step by step, for the projector; the plan is in `for_teachers.md`.

Each step is an entry of the app like a lesson's panel: what to look at, the question to the room,
and the answer, which stays hidden until the teacher shows it. All numbers are computed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

import ipywidgets
import pandas as pd

from synthrisk_edu.classroom.engine import data_for, lessons
from synthrisk_edu.match import match, three_matches
from synthrisk_edu.widgets.panel import paragraph
from synthrisk_edu.words import about

TITLE = "A class of 50 minutes"
GOOD, BAD = "#009E73", "#B45F00"


@dataclass(frozen=True)
class Step:
    """One step of the class: its title, what to do, how it is built, the question, the answer."""

    title: str
    sentence: str
    build: Callable
    question: str
    answer: str


def big_table(frame, marks=None):
    """Return a table in large letters; `marks` gives the colour of single cells by row and name."""
    marks = marks or {}
    heads = "".join(f"<th>{escape(str(name))}</th>" for name in ["", *frame])
    rows = ""
    for label, row in frame.iterrows():
        cells = "".join(
            f'<td style="color: {marks.get((label, name), "inherit")}">{escape(str(value))}</td>'
            for name, value in row.items()
        )
        rows += f"<tr><th>{escape(str(label))}</th>{cells}</tr>"
    body = f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody>"
    return f'<table class="synthrisk-big">{body}</table>'


def shown(html):
    """Return a widget that only shows something."""
    return ipywidgets.VBox([ipywidgets.HTML(html)])


# ------------------------------------------------------------------------- the steps
def five_people():
    """The five people of lesson 00, as they are and as they are published."""
    table = pd.DataFrame(
        {"Sex": list("FFMMM"), "Town": list("AABBB"), "true Income": [21, 34, 18, 52, 47]},
        index=["Ana", "Bea", "Cem", "Dan", "Eli"],
    )
    return shown(big_table(table.assign(**{"synthetic Income": [23, 34, 20, 45, 49]})))


class RoomTable(ipywidgets.VBox):
    """The table of ten with empty columns: the room calls out c and T, and they are filled in."""

    def __init__(self):
        """Show the table, and below it a person, c, T and a button."""
        d = data_for("01")
        self.table = d.confidential.assign(**{"synthetic Job": d.synthetic.Job})
        self.right = match(d.confidential, d.synthetic, ["Sex", "Town"], ["Job"]).records
        self.called_out = {}
        order = ["Cleo", "Ana", "Bea", "Dora", "Hugo"]
        names = order + [name for name in self.table.index if name not in order]
        self.person = ipywidgets.Dropdown(description="person", options=names)
        self.c = ipywidgets.BoundedIntText(0, min=0, max=10, description="c")
        self.T = ipywidgets.Dropdown(options=[0, 1], description="T")
        self.person.style, self.person.layout = {"description_width": "70px"}, {"width": "200px"}
        self.c.style = self.T.style = {"description_width": "30px"}
        self.c.layout = self.T.layout = {"width": "120px"}
        self.enter = ipywidgets.Button(description="fill in", button_style="primary")
        self.enter.on_click(self._fill_in)
        self.place = ipywidgets.HTML()
        row = {"flex_flow": "row wrap", "align_items": "center"}
        controls = ipywidgets.HBox([self.person, self.c, self.T, self.enter], layout=row)
        super().__init__([controls, self.place])
        self._show()

    def _fill_in(self, _button=None):
        """Take what the room says, and turn to the next person whose row is empty."""
        self.called_out[self.person.value] = (self.c.value, self.T.value)
        left = [name for name in self.person.options if name not in self.called_out]
        self._show()
        if left:
            self.person.value = left[0]

    def is_right(self, name):
        """Tell whether c and T of a person were counted right."""
        return self.called_out[name] == tuple(self.right.loc[name, ["c", "T"]])

    def _show(self):
        """Show what was called out: green where it is right, else a request to count again."""
        words = ["c", "T", "T/c", ""]
        filled = self.table.assign(**dict.fromkeys(words, ""))
        marks = {}
        for name, (c, T) in self.called_out.items():
            good = self.is_right(name)
            risk = about(self.right.risk[name]) if good else ""
            filled.loc[name, words] = [str(c), str(T), risk, "" if good else "count again"]
            marks |= {(name, word): GOOD if good else BAD for word in words}
        self.place.value = big_table(filled, marks)


def three_summaries():
    """The three summaries of the ten, with how each is computed."""
    d = data_for("01")
    summary = match(d.confidential, d.synthetic, ["Sex", "Town"], ["Job"]).summary()
    how = {
        "expected match risk": ("add up T/c", summary["expected_match_risk"]),
        "true match rate": ("unique and true, of all N = 10", summary["true_match_rate"]),
        "false match rate": ("unique and false, of all unique", summary["false_match_rate"]),
    }
    rows = {name: {"how": words, "the ten": about(value)} for name, (words, value) in how.items()}
    return shown(big_table(pd.DataFrame(rows).T))


def ten_thousand():
    """The three summaries of the 10,000: confidential, synthetic, floor."""
    d = data_for("01")
    lines = three_matches(d.people, d.released, d.known, d.synthesized)
    table = pd.DataFrame({name: line.summary().map(about) for name, line in lines.items()})
    return shown(big_table(table.rename(index=lambda name: name.replace("_", " "))))


def steps():
    """List the steps in the order of the plan; panels are those of the lessons."""
    panels = {entry.name: entry for number in ("00", "01") for entry in lessons()[number].PANELS}
    return [
        Step("1 · The five people", "Confidential and synthetic, side by side.",
             lambda d: five_people(),
             "The office replaced one column. Is Bea protected?",
             "No. Her synthetic income came out as it was, by chance. The other four differ."),
        panels["narrowing"],
        Step("3 · The table of ten", "Find Cleo. Then Ana, Bea, Dora, Hugo, with your neighbour.",
             lambda d: RoomTable(),
             "You know Sex, Town and the true Job. How many synthetic rows fit (c)? Is the "
             "person's own row among them (T = 1) or not (T = 0)?",
             "Ana is found. For Bea the intruder is sure, and wrong. Nobody fits Dora. Two fit "
             "Hugo, and he is neither."),
        Step("4 · Three numbers for the file", "Vote with your hands.",
             lambda d: three_summaries(),
             "Which of the three does the office want to be high?",
             "Only the false match rate: then the intruder cannot trust a unique match."),
        Step("5 · Ten thousand persons", "The same three numbers, and s, the unique matches.",
             lambda d: ten_thousand(),
             "172 and 57 right matches. Is that good?",
             "It is about the floor: the intruder who ignores what was synthesized is right as "
             "often. Synthesis has taken away what these two columns gave, and no more."),
        panels["candidates"],
        Step("7 · One sentence", "To take home.",
             lambda d: shown(paragraph(
                 "c counts who fits. T asks whether the true record is among them.")),
             "What does synthesis protect, c or T?",
             "T. A synthesized value can drop the true record from those that fit."),
        panels["game"],
    ]  # fmt: skip
