"""The class hour on a projector: one step a screen, and the room votes before it sees.

    deck = Deck({"hour": "A class of 50 minutes", "office": "A demonstration of 45 minutes"})
    deck.step("How few facts?", vote("00.a", panel), hour=7, office=5)

Every step is a cell of `notebooks/class_hour.ipynb`; the last cell shows the deck itself, the first
screen. `synthrisk projector` shows the notebook under Voila. Which step is seen is decided
by the page alone (`voila/templates/projector`), so that turning a page never waits for Python.
"""

import json
from html import escape

import ipywidgets

from synthrisk_classroom.lesson import predictions
from synthrisk_classroom.prediction import Asked, Prediction, field_of, grey
from synthrisk_edu.plots.look import Screen
from synthrisk_edu.widgets.panel import html_table, paragraph

WIDTH, HEIGHT = 1800, 560  # pixels of a picture, on a screen of 1920 × 1080
INCH = 168  # pixels: letters of 10.5 points are 24.5 pixels high
HOW = """<p>Vote with your hands. Type the hands of every answer, or the number, and press
<b>show</b>. Page Down goes on, Page Up goes back. The data are simulated: nobody in them
exists.</p>"""


class Deck(ipywidgets.HTML):
    """All steps of some plans; it shows itself as the first screen, from which a plan is chosen."""

    def __init__(self, plans):
        """Take the plans: short name → title."""
        super().__init__()
        self.add_class("synthrisk-step").add_class("step-0")
        self.titles = plans
        self.steps = []

    def step(self, title, shown, **minutes):
        """Return one screen; `minutes` says for each plan that has it how long it takes."""
        self.steps.append((title, shown, minutes))
        self.value = self._start()
        head = ipywidgets.HTML(f"<h2>{escape(title)}</h2>")
        step = ipywidgets.VBox([head, shown]).add_class("synthrisk-step")
        return step.add_class(f"step-{len(self.steps)}")

    def plan(self, name):
        """List the steps of a plan: (number of the screen, title, first minute, last minute)."""
        listed = []
        end = 0
        for number, (title, _, minutes) in enumerate(self.steps, start=1):
            if name in minutes:
                begin = end
                end = begin + minutes[name]
                listed.append((number, title, begin, end))
        return listed

    def _start(self):
        """Return the first screen as HTML, with what the page needs to turn the pages."""
        columns = ""
        for name, title in self.titles.items():
            rows = "".join(
                f'<li><a href="#{name}/{place}">{escape(step)}</a> <span>{begin}–{end}</span></li>'
                for place, (_, step, begin, end) in enumerate(self.plan(name), start=1)
            )
            head = f'<h2><a href="#{name}/1">{escape(title)}</a></h2>'
            columns += f"<section>{head}<ol>{rows}</ol></section>"
        plans = json.dumps({name: self.plan(name) for name in self.titles})
        return f'<div class="start" data-plans="{escape(plans)}">{columns}</div>{HOW}'


def vote(asked, panel, height=HEIGHT, inch=INCH):
    """Put a question to the room, before a panel drawn for the projector.

    Args:
        asked: a `Prediction`, or the id of one of a lesson, such as "00.a".
        panel: the panel; its picture becomes `height` pixels high.
        height: of the picture, in pixels of a screen of 1920 × 1080.
        inch: pixels for each inch of the picture: more make its letters larger.
    """
    if isinstance(asked, str):
        asked = predictions(asked[:2])[asked]
    if hasattr(panel, "lay_canvas"):
        panel.lay_canvas(Screen(WIDTH, height, inch))
    return Vote(asked, panel)


class Vote(Asked):
    """A question to the room: hands are counted for every option, or it agrees on a number."""

    def __init__(self, prediction, panel):
        """Ask; nothing is kept."""
        super().__init__(prediction, panel, tell=lambda record: None)
        self.ready.description = "show"
        self.again.description = "vote again"
        self.again.add_class("synthrisk-vote-again")

    @property
    def options(self):
        """What can be chosen, short name → words; empty where a number is asked for."""
        return self.prediction.form.fields[0].get("options", {})

    def fill_in(self):
        """Return a box for the hands of every option, or for the numbers."""
        boxes = [field_of({"label": words}) for words in self.options.values()]
        for box in boxes:
            box.placeholder = "hands"
        return boxes or super().fill_in()

    def _offer(self, *_actions):
        """Offer one button: it takes the vote, if there was one, and shows."""
        super()._offer(self.ready)

    def _changed(self, _change=None):
        """Move the handles; who wants no vote may show at once."""
        super()._changed()
        grey(self.ready, False)

    def answer(self):
        """Take what most hands are for, or the numbers; without any, only show."""
        if not any(box.value for box in self.fields):
            self.reveal(None)
        elif self.options:
            self._count()
        else:
            super().answer()

    def _count(self):
        """Take the option that has most hands, or say what is wrong."""
        try:
            hands = self.hands()
        except ValueError as error:
            self._complain(str(error))
            return
        most = [name for name, number in hands.items() if number == max(hands.values())]
        if len(most) > 1:
            self._complain("no option has most of the hands: vote again, or leave all boxes empty.")
        else:
            self.reveal(most[0])

    def hands(self):
        """Return the hands for every option; an empty box is none."""
        boxes = zip(self.options, self.fields, strict=True)
        typed = {name: box.value.strip() or "0" for name, box in boxes}
        for one in typed.values():
            if not one.isdecimal():
                raise ValueError(f"“{one}” is no number of hands; write it in digits.")
        return {name: int(one) for name, one in typed.items()}

    def _show(self, record):
        """Show the panel; above it stay the question and the hands, beside what is true."""
        super()._show(record)
        question = paragraph(self.prediction.question, "synthrisk-question")
        self.words.value = question + self._counted(record) + paragraph(record["words"])

    def _counted(self, record):
        """Return the hands of all options in a row, as HTML; the right one is marked."""
        if not self.options or record["given"] is None:
            return ""
        hands = self.hands()
        truth = self.prediction.result(self.panel)
        shown = ""
        for name, words in self.options.items():
            share = 100 * hands[name] / sum(hands.values())
            right = ' class="right"' if name == truth else ""
            text = f"{escape(words)}: {hands[name]}"
            shown += f'<li{right} style="--share: {share:.0f}%">{text}</li>'
        return f'<ul class="hands">{shown}</ul>'


class Shown(ipywidgets.HTML):
    """A table to look at, in the place of a panel: one before the vote, another one after it."""

    def __init__(self, before, after=None):
        """Take the two data frames; without the second the first one stays."""
        super().__init__()
        self.add_class("synthrisk-tables")
        self.before = before
        self.after = before if after is None else after

    def veil(self, *_handles, **_joined):
        """Show what there is to vote on."""
        self.value = html_table(self.before)

    def unveil(self, *_guess, **_values):
        """Show what came out."""
        self.value = html_table(self.after)


def question(words, form, truth, why):
    """Return a question that belongs to no lesson: its words, its form, what is true, and why."""
    return Prediction("", form, words, lambda shown: truth, lambda shown, result: why, {}, None)


def text(asked, sentences, command=""):
    """Return a step without a vote: a question, what there is to look at, and a command."""
    shown = paragraph(asked, "synthrisk-question")
    shown += f"<ul>{''.join(f'<li>{escape(one)}</li>' for one in sentences)}</ul>"
    return ipywidgets.HTML(shown + f"<pre>{escape(command)}</pre>").add_class("synthrisk-text")
