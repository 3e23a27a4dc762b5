"""Predict, then see: a question first, and a panel that stands veiled until it is answered.

    @prediction(
        "01.c",
        Estimate(),
        "Half of the records are redrawn. How many right matches does the intruder expect?",
        mistakes={"That is with nobody redrawn.": {"percent": 0}},
        words=lambda panel, r: f"With nobody redrawn it was {…}.",
    )
    def half(panel, percent=50):
        return panel.compute(percent=percent).now.expected_match_risk

The function gets the panel, so that what is true is computed from the lesson's own data, by the
panel itself, and only when somebody has answered. A usual wrong guess is the same function with
other arguments, as in an exercise.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape

import ipywidgets
import pandas as pd
from IPython import get_ipython
from IPython.core.formatters import DisplayFormatter
from IPython.display import display

from synthrisk_classroom.forms import Form
from synthrisk_classroom.handed_in import MIME, VERSION
from synthrisk_classroom.verdict import NOT_RIGHT, Kind
from synthrisk_edu.widgets.panel import AGAIN, paragraph

PREDICTIONS = {}  # id → Prediction, of every lesson that was imported
HEIGHT = "79px"  # of the question and its form, or of the verdict: nothing jumps on a wide page
# Only the page knows where a slider takes its keys. So the kernel puts the focus on a door, and the
# page passes it on: to the form while it asks, else to the first control of the panel.
DOOR = """<style onload="
    const door = this.parentElement, strip = door.closest('.synthrisk-asked');
    const control = ':is(.noUi-handle, input, select, button):not([disabled])';
    door.tabIndex = -1;
    door.onfocus = () => setTimeout(() => (
        strip.querySelector('input, .widget-toggle-button')
        ?? strip.parentElement.querySelector('.synthrisk-panel ' + control))?.focus(), 150);
"></style>"""
SIGNS = {Kind.RIGHT: "✓", Kind.MISTAKE: "✗", Kind.WRONG: "✗", Kind.OPEN: "–"}
SOON = 0.2  # seconds after Enter: what was typed arrives just after the key


def prediction(id, form, question, *, words, mistakes=None, over=None):
    """Make a prediction of the function below it; the arguments are those of `Prediction`."""

    def keep(function):
        """Remember the prediction; the function stays what it is."""
        PREDICTIONS[id] = Prediction(id, form, question, function, words, mistakes or {}, over)
        return function

    return keep


@dataclass(frozen=True, eq=False)
class Prediction:
    """A question about a panel, what is true, and what people usually guess.

    Args:
        id: the lesson and a letter, such as "01.a".
        form: what kind of answer it has: `Estimate` or `OneOf`; see `forms`.
        question: plain text, one or two lines.
        function: of the panel; what is true.
        words: of the panel and what is true; one sentence that says why, for every answer.
        mistakes: what to say → other arguments of the function, or a function of panel and truth.
        over: None, or a function of what was guessed: (number of the axes, x, y), to draw it over
            the true curve.
    """

    id: str
    form: Form
    question: str
    function: Callable
    words: Callable
    mistakes: Mapping
    over: Callable | None

    def result(self, panel):
        """Compute what is true, as the function gives it."""
        return self.function(panel)

    def rows(self, panel):
        """Return what is true and every usual guess, each with its kind and what is said of it."""
        result = self.result(panel)
        right = self.form.value(result)
        why = self.words(panel, result)
        rows = [(right, Kind.RIGHT, why)]
        for sentence, how in self.mistakes.items():
            wrong = self.form.value(self.form.mistake(self, how, panel))
            if not self.form.same(right, wrong):
                rows.append((wrong, Kind.MISTAKE, f"{sentence} {why}"))
        return rows

    def judge(self, given, panel):
        """Return what to keep of an answer (None: show me), with what is said of it.

        Of several usual guesses within reach the first is told.
        """
        rows = self.rows(panel)
        right, _, why = rows[0]
        truth = self.form.said(right)
        if given is None:
            kind = Kind.OPEN
            said = None
            words = f"It is {truth}. {why}"
        else:
            kind, sentence = self._told(given, rows)
            said = self.form.said(given)
            words = f"You said {said}; it is {truth}. {sentence}"
        return {"given": given, "said": said, "truth": truth, "kind": kind.value, "words": words}

    def _told(self, given, rows):
        """Return kind and sentence of a guess: those of the first row it is near to."""
        for value, kind, sentence in rows:
            if self.form.same(given, value):
                return kind, sentence
        _, _, why = rows[0]
        return Kind.WRONG, why

    @property
    def missing(self):
        """What to say of an empty answer."""
        return f"{self.form.invitation}, or press “show me”."

    def page(self, panel):
        """Return what a page without Python needs to ask and to answer back."""
        rows = self.rows(panel)
        parts = getattr(self.form, "parts", None)
        return {
            "id": self.id,
            "question": self.question,
            "fields": self.form.fields,
            "missing": self.form.tell(Kind.UNREADABLE, self.missing),
            "near": getattr(self.form, "near", 0),
            "within": getattr(self.form, "within", 0),
            "truth": self.form.said(rows[0][0]),
            "rows": [
                ([value.get(part) for part in parts] if parts else [value], kind, words)
                for value, kind, words in rows
            ],
        }


class Asked(ipywidgets.VBox):
    """The question with its form, and below it the panel, veiled until there is an answer.

    `tell(record)` is called with the first answer; `kept` is an earlier one, which is shown again.
    """

    def __init__(self, prediction, panel, tell, kept=None):
        """Ask, or show what was answered before."""
        self.prediction, self.panel, self.tell, self.kept = prediction, panel, tell, kept
        self.fields = self.fill_in()
        self.ready = button("that is my guess", self.answer, "primary")
        self.skip = button("show me", lambda: self.reveal(None))
        self.again = button("guess again", self.ask_again)
        for field in self.fields:
            field.on_msg(self._entered)
        self.words = ipywidgets.HTML(layout={"margin": "0", "width": "auto"})
        row = {"flex_flow": "row wrap", "align_items": "center", "flex": "0 0 auto"}
        self.row = ipywidgets.HBox(layout=row)
        unseen = {"width": "0", "height": "0", "margin": "0", "flex": "0 0 auto"}
        self.door = ipywidgets.HTML(DOOR, layout=unseen | {"overflow": "hidden"})
        self.strip = ipywidgets.Box(
            [self.door, self.words, self.row],
            layout={"min_height": HEIGHT, "width": "860px", "max_width": "100%"},
        )
        super().__init__([self.strip.add_class("synthrisk-asked"), panel])
        self.add_class("synthrisk-predict")
        if kept is None:
            self.ask()
        else:
            self._show(kept)

    def _ipython_display_(self):
        """Show it, and beside it what is kept of the answer in the saved notebook."""
        display(self._repr_mimebundle_(), raw=True)
        self.handle = display(Kept(self), display_id=True)

    def fill_in(self):
        """Return what there is to fill in."""
        return [field_of(field) for field in self.prediction.form.fields]

    def ask(self):
        """Put the question, with the panel veiled."""
        self.panel.veil()
        self._lay_out(below=True)
        self.words.value = paragraph(self.prediction.question, "synthrisk-question")
        for field in self.fields:
            field.value = None if hasattr(field, "options") else ""
        self.row.children = [*self.fields, self.ready, self.skip]

    def ask_again(self):
        """Put the question once more, and the focus on the form."""
        self.ask()
        self.door.focus()

    def _lay_out(self, below):
        """Put the form below the question, or the button beside what is said of an answer."""
        self.strip.layout.flex_flow = "column" if below else "row"
        self.words.layout.flex = "0 0 auto" if below else "1 1 0"

    def _entered(self, _field, content, _buffers):
        """Take the Enter key in a box as "that is my guess"; the page tells of the key first."""
        if content.get("event") == "submit":
            asyncio.get_running_loop().call_later(SOON, self.answer)

    def answer(self):
        """Take what was filled in, or say what is missing."""
        form = self.prediction.form
        texts = [(field.value or "").strip() for field in self.fields]
        if "" in texts:
            self._complain(self.prediction.missing)
            return
        try:
            given = form.guess(texts, form.value(self.prediction.result(self.panel)))
        except ValueError as error:
            self._complain(str(error))
            return
        self.reveal(given)

    def _complain(self, sentence):
        """Say below the question what is wrong with an answer."""
        told = self.prediction.form.tell(Kind.UNREADABLE, sentence)
        text = f"{self.prediction.question} ({told})"
        self.words.value = paragraph(text, "synthrisk-question")

    def reveal(self, given):
        """Show what was predicted beside what is true, and the panel; the first answer counts."""
        record = self.prediction.judge(given, self.panel)
        if self.kept is None:
            self.kept = record
            self.tell(record)
            if hasattr(self, "handle"):
                self.handle.update(Kept(self))
        self._show(record)
        self.door.focus()

    def _show(self, record):
        """Show the panel, what is said of an answer, and a button to guess again."""
        over, given = self.prediction.over, record["given"]
        self.panel.unveil(over(given) if over and given is not None else None)
        self._lay_out(below=False)
        self.words.value = paragraph(record["words"])
        self.row.children = [self.again]


def field_of(field):
    """Return what to fill in: a row of buttons for options, a box to type in for a number."""
    label = {"description": field["label"], "style": {"description_width": "initial"}}
    if "options" in field:
        options = [(words, name) for name, words in field["options"].items()]
        made = ipywidgets.ToggleButtons(options=options, value=None, **label)
        made.style.button_width = "auto"
        return made
    width = {"width": f"{90 + 9 * len(field['label'])}px"}
    # Sent when the box is left: key by key, the click on the button may overtake the last keys.
    how = {"placeholder": "number", "continuous_update": False, "layout": width}
    return ipywidgets.Text(**how, **label)


def button(label, action, style=""):
    """Return a button that does something."""
    made = ipywidgets.Button(description=label, button_style=style, layout={"width": "auto"})
    made.on_click(lambda _button: action())
    return made


class Kept:
    """What the saved notebook keeps of a prediction: the question, and the answer once given."""

    def __init__(self, asked):
        """Take the question, and what was answered so far."""
        self.question, self.record = asked.prediction, asked.kept

    def _repr_mimebundle_(self, **_):
        """Store the record for `grade`; the words are seen only where no living panel stands."""
        words = self.question.question if self.record is None else self.record["words"]
        html = AGAIN + f'<p class="synthrisk-again">{escape(words)}</p>'
        bundle = {"text/html": html, "text/plain": ""}
        if self.record is not None:
            bundle[MIME] = {"version": VERSION, "prediction": self.question.id} | self.record
        return bundle


class Predicted:
    """The predictions of a notebook so far: how many were right, and which ones fooled you.

    What is true is told only of those that were answered. It is shown anew with every answer.
    """

    def __init__(self, questions, kept, cells):
        """Take the questions, the answers (by id), and the cells in which they were asked."""
        self.questions, self.kept, self.cells = questions, kept, cells

    def _ipython_display_(self):
        """Show the table; `update` shows it anew in the same place."""
        self.handle = display(self._bundle(), raw=True, display_id=True)

    def update(self):
        """Show the table anew, where it has been shown."""
        if hasattr(self, "handle"):
            self.handle.update(self._bundle(), raw=True)

    def _bundle(self):
        """Return the table as HTML and as text."""
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}

    def __repr__(self):
        """Say how many were right."""
        kinds = {id: kept["kind"] for id, kept in self.kept.items()}
        answered = [kind for kind in kinds.values() if kind != Kind.OPEN]
        right = answered.count(Kind.RIGHT)
        fooled = sorted(id for id, kind in kinds.items() if kind in NOT_RIGHT)
        some = f" Fooled by: {', '.join(fooled)}." if fooled else ""
        return f"Predicted: {len(answered)} of {len(self.questions)}; near enough: {right}.{some}"

    def _repr_html_(self):
        """Return a row for each question, with a way back to it."""
        rows = "".join(self._row(one) for one in self.questions.values())
        names = ("", "question", "you said", "it is")
        heads = "".join(f'<th style="text-align: left">{name}</th>' for name in names)
        return (
            f'<div class="synthrisk-predictions"><p>{escape(repr(self))}</p><table>'
            f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
        )

    def _row(self, question):
        """Return the row of one question."""
        kept = self.kept.get(question.id)
        sign = SIGNS[kept["kind"] if kept else Kind.OPEN]
        said = (kept["said"] or "show me") if kept else "not answered yet"
        cell = self.cells.get(question.id, "")
        id = f'<a href="#cell-id={escape(cell)}">{question.id}</a>' if cell else question.id
        texts = [question.question, f"{said} {sign}", kept["truth"] if kept else ""]
        cells = "".join(f'<td style="text-align: left">{escape(one)}</td>' for one in texts)
        return f"<tr><td>{id}</td>{cells}</tr>"


def this_cell():
    """Return the id of the notebook's cell that is being run, or nothing outside of Jupyter."""
    kernel = getattr(get_ipython(), "kernel", None)
    parent = kernel.get_parent("shell") if kernel else {}
    return str(parent.get("metadata", {}).get("cellId", ""))


class Folded:
    """Something that is seen only when it is unfolded: a table, a picture or a text."""

    def __init__(self, shown, title="What it shows"):
        """Take what is to be shown, and what is seen before."""
        self.shown, self.title = shown, title

    def __repr__(self):
        """Say that there is something."""
        return "(folded)"

    def _repr_html_(self):
        """Return it inside a fold; a text is escaped."""
        if isinstance(self.shown, str):
            inside = f"<pre>{escape(self.shown)}</pre>"
        elif isinstance(self.shown, pd.Series):
            inside = f"<pre>{escape(self.shown.to_string())}</pre>"  # without its dtype
        else:
            data, _ = DisplayFormatter().format(self.shown)
            inside = data.get("text/html") or f"<pre>{escape(data['text/plain'])}</pre>"
            if "image/png" in data:
                alt = escape(self.shown.alt or "")
                inside = f'<img alt="{alt}" src="data:image/png;base64,{data["image/png"]}" '
                inside += f'width="{self.shown.width}">'
        return f"<details><summary><b>{self.title}</b></summary>{inside}</details>"
