"""Predict, then see: a question first, and a panel that stands veiled until it is answered.

    @prediction(
        "01.c",
        Estimate(),
        "Half of the records are redrawn. How many correct matches does the intruder expect?",
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
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

import ipywidgets
import pandas as pd
from IPython import get_ipython
from IPython.core.formatters import DisplayFormatter
from IPython.display import display

from synthrisk_classroom.forms import Form
from synthrisk_classroom.handed_in import MIME, VERSION
from synthrisk_classroom.typed import number_in
from synthrisk_classroom.verdict import NOT_RIGHT, Kind
from synthrisk_edu.widgets.panel import AGAIN, Guess, paragraph

PREDICTIONS = {}  # id → Prediction, of every lesson that was imported
HEIGHT = "79px"  # of the question and its form, or of the verdict: nothing jumps on a wide page
SIGNS = {Kind.RIGHT: "✓", Kind.CLOSE: "≈", Kind.MISTAKE: "✗", Kind.WRONG: "✗", Kind.OPEN: "–"}
SOON = 0.2  # seconds after a key or a click: what was typed arrives just after it


def prediction(id, form, question, *, words, mistakes=None, draw=None, at=None):
    """Make a prediction of the function below it; the arguments are those of `Prediction`."""

    def keep(function):
        """Remember the prediction; the function stays what it is."""
        PREDICTIONS[id] = Prediction(
            id, form, question, function, words, mistakes or {}, draw=draw, at=at or {}
        )
        return function

    return keep


@dataclass(frozen=True)
class Draw:
    """Where a handle stands for each number that is asked for, on the axes of the veiled panel.

    Args:
        places: for each number (number of the axes, where it stands): on the x-axis if the handle
            moves up and down, on the y-axis if it moves to the left and right.
        per: what one of the numbers is on the axis: 0.01 where per cent are asked for and the
            axis has shares.
        along: "y", or "x" for bars that lie.
        moves: the control that walks along these places: wherever it stands, the crosses are true
            of what is seen, while another control asks about something else.
    """

    places: Sequence[tuple]
    per: float = 1.0
    along: str = "y"
    moves: str = ""

    @property
    def is_curve(self):
        """Tell whether a line joins the handles: three points of one curve or more."""
        return self.along == "y" and len(self.places) > 2

    def crosses(self, numbers):
        """Return (number of the axes, x, y) for each of the numbers."""
        made = []
        for (axes, place), number in zip(self.places, numbers, strict=True):
            spot = (place, number * self.per)
            made.append((axes, *(spot if self.along == "y" else spot[::-1])))
        return made

    def handles(self, panel, labels, values):
        """Return what touch.js gets of every handle; a value that is not typed yet is None."""
        rows = zip(self.places, labels, values, strict=True)
        return [self._handle(panel.canvas, place, label, value) for place, label, value in rows]

    def _handle(self, canvas, place, label, value):
        """Return one handle, which goes from end to end of its axis."""
        number, position = place
        ax = canvas.figure.axes[number]
        ends = ax.get_ylim() if self.along == "y" else ax.get_xlim()
        low, high = sorted(end / self.per for end in ends)
        step = readable_step((high - low) / 200)
        low = step * math.ceil(low / step) if low > 0 else 0.0  # nothing that is asked is negative
        high = step * math.floor(high / step)
        spots = [(position, low * self.per), (position, high * self.per)]
        spots = spots if self.along == "y" else [spot[::-1] for spot in spots]
        start, end = canvas.on_page(ax, spots).round(1).tolist()
        ends = {"from": start, "to": end, "low": low, "high": high, "step": step}
        return {"label": label or "your guess", "unit": "", "value": value} | ends


def readable_step(size):
    """Return 1, 2 or 5 times a power of ten, at least as large.

    >>> readable_step(0.83), readable_step(0.0013), readable_step(30)
    (1.0, 0.002, 50.0)
    """
    power = 10.0 ** math.floor(math.log10(size))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= size * (1 - 1e-9))


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
        draw: None, or where the numbers can be drawn instead of typed; see `Draw`.
        at: the values of controls at which the panel stands after the answer, by name.
    """

    id: str
    form: Form
    question: str
    function: Callable
    words: Callable
    mistakes: Mapping
    draw: Draw | None = None
    at: Mapping = field(default_factory=dict)

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
        told = f"{self.form.verb} {truth}."
        if given is None:
            kind = Kind.OPEN
            said = None
            words = f"{told[0].upper()}{told[1:]} {why}"
        else:
            said = self.form.said(given)
            kind, sentence = self._told(given, rows)
            kind, head = closest(kind, *self.form.closeness(given, right))
            if kind is not Kind.RIGHT or said != truth:
                told = f"you said {said}; {told}"
            words = f"{head}: {told} {sentence}"
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
            "near": getattr(self.form, "near", 0),
            "within": getattr(self.form, "within", 0),
            "exactly": self.form.exactly(rows[0][0]) if parts else [],
            "verb": self.form.verb,
            "truth": self.form.said(rows[0][0]),
            "rows": [
                ([value.get(part) for part in parts] if parts else [value], kind, words)
                for value, kind, words in rows
            ],
        }


def closest(kind, number_right, number_close, number):
    """Return the kind of a guess and the word that says it, by how many numbers are close.

    Nobody was fooled who has one of several numbers.

    >>> closest(Kind.MISTAKE, 0, 0, 1), closest(Kind.WRONG, 1, 1, 3)
    ((<Kind.MISTAKE: 'mistake'>, 'No'), (<Kind.CLOSE: 'close'>, 'Close, 2 of 3'))
    """
    near = number_right + number_close
    if number_right == number:
        return Kind.RIGHT, "Right"
    if near == number:
        return Kind.CLOSE, "Close"
    if near:
        return Kind.CLOSE, f"Close, {near} of {number}"
    return kind, "No"


class Asked(ipywidgets.VBox):
    """The question with its form, and below it the panel, veiled until there is an answer.

    `tell(record)` is called with the first answer; `kept` is an earlier one, which is shown again.
    """

    def __init__(self, prediction, panel, tell, kept=None):
        """Ask, or show what was answered before."""
        self.prediction = prediction
        self.panel = panel
        self.tell = tell
        self.kept = kept
        self.fields = self.fill_in()
        self.ready = button("that is my guess", lambda: soon(self.answer), "primary")
        self.skip = button("show me", lambda: self.reveal(None))
        self.again = button("guess again", self.ask_again)
        for box in self.fields:
            box.on_msg(self._entered)
            box.observe(self._changed, names="value")
        if prediction.draw is not None and hasattr(panel, "picture"):
            panel.picture.on_msg(self._drawn)
        self.words = ipywidgets.HTML(layout={"margin": "0", "width": "auto"})
        self.words.add_class("synthrisk-status")
        row = {"flex_flow": "row wrap", "align_items": "center", "flex": "0 0 auto"}
        self.row = ipywidgets.HBox(layout=row).add_class("synthrisk-asked-row")
        self.strip = ipywidgets.Box(
            [self.words, self.row],
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
        for box in self.fields:
            box.value = None if hasattr(box, "options") else ""
        draw = self.prediction.draw
        self.panel.veil(self._handles(), joined=draw is not None and draw.is_curve)
        self._lay_out(below=True)
        self.words.value = paragraph(self.prediction.question, "synthrisk-question")
        self._offer(self.ready, self.skip)

    def _offer(self, *actions):
        """Show the answers, and apart from them, on the right, what to do with them."""
        row = {"flex_flow": "row wrap", "align_items": "center"}
        answers = ipywidgets.HBox(self.fields, layout=row)
        self.row.children = [answers, ipywidgets.HBox(actions, layout={"flex": "0 0 auto"})]
        self._changed()

    def ask_again(self):
        """Put the question once more, and the focus on the form."""
        self.ask()
        self._take_focus()

    def _take_focus(self):
        """Only the page knows where a slider takes its keys, so it puts the focus there."""
        if hasattr(self.panel, "picture"):
            self.panel.picture.take_focus()

    def _lay_out(self, below):
        """Put the form below the question, or the button beside what is said of an answer."""
        self.strip.layout.flex_flow = "column" if below else "row"
        self.words.layout.flex = "0 0 auto" if below else "1 1 0"
        self.row.layout.width = "100%" if below else "auto"

    def texts(self):
        """Return what was filled in."""
        return [(box.value or "").strip() for box in self.fields]

    def _changed(self, _change=None):
        """Grey the button until everything is filled in; handles stand at what was typed."""
        grey(self.ready, "" in self.texts())
        if self.prediction.draw is not None and getattr(self.panel, "is_veiled", False):
            self.panel.picture.show_handles(self._handles())

    def _handles(self):
        """Return the handles at what was typed; what is no number has not been set."""
        if self.prediction.draw is None or not hasattr(self.panel, "canvas"):
            return []
        labels = [field["label"] for field in self.prediction.form.fields]
        values = [number_or_none(text) for text in self.texts()]
        return self.prediction.draw.handles(self.panel, labels, values)

    def _drawn(self, picture, content, _buffers):
        """Write down where a handle was dragged to, and say that it was heard."""
        if "drawn" not in content:
            return
        number, value = content["drawn"]
        with picture.hold_sync():  # the page moves no handle back in between
            if self.panel.is_veiled:
                self.fields[number].value = f"{value:g}"
            picture.heard += 1

    def _entered(self, _field, content, _buffers):
        """Take the Enter key in a box as "that is my guess"; the page tells of the key first."""
        if content.get("event") == "submit":
            soon(self.answer)

    def answer(self):
        """Take what was filled in, or say what is missing."""
        form = self.prediction.form
        texts = self.texts()
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
        self._take_focus()

    def _show(self, record):
        """Show the panel where it was asked about, what is said, and a button to guess again."""
        draw = self.prediction.draw
        given = record["given"]
        if draw is None or given is None:
            self.panel.unveil(**self.prediction.at)
        else:
            crosses = draw.crosses(given.values())
            guess = Guess(crosses, draw.is_curve, draw.moves)
            self.panel.unveil(guess, **self.prediction.at)
        self._lay_out(below=False)
        self.words.value = paragraph(record["words"])
        self.row.children = [self.again]


def grey(pressed, is_grey):
    """Grey a button that can do nothing yet; it keeps its place for who is quick with Tab.

    Were it disabled, a Tab that overtakes the last letter would land on the next button.
    """
    if is_grey:
        pressed.add_class("synthrisk-grey")
    else:
        pressed.remove_class("synthrisk-grey")


def soon(action):
    """Do something as soon as what was typed just before has arrived, if anything can arrive."""
    try:
        asyncio.get_running_loop().call_later(SOON, action)
    except RuntimeError:  # nobody is listening to a page
        action()


def number_or_none(text):
    """Return the number that a text says, or None.

    >>> number_or_none("1,250"), number_or_none("40 %"), number_or_none("many")
    (1250.0, 40.0, None)
    """
    try:
        return number_in(text.removesuffix("%").strip(), 0.0)
    except ValueError:
        return None


def field_of(field):
    """Return what to fill in: a row of buttons for options, a box to type in for a number."""
    label = {"description": field["label"], "style": {"description_width": "initial"}}
    if "options" in field:
        options = [(words, name) for name, words in field["options"].items()]
        made = ipywidgets.ToggleButtons(options=options, value=None, **label)
        made.style.button_width = "auto"
        return made
    width = {"width": f"{90 + 9 * len(field['label'])}px"}
    return ipywidgets.Text(placeholder="number", layout=width, **label)


def button(label, action, style=""):
    """Return a button that does something."""
    made = ipywidgets.Button(description=label, button_style=style, layout={"width": "auto"})
    made.on_click(lambda _button: action())
    return made


class Kept:
    """What the saved notebook keeps of a prediction: the question, and the answer once given."""

    def __init__(self, asked):
        """Take the question, and what was answered so far."""
        self.question = asked.prediction
        self.record = asked.kept

    def _repr_mimebundle_(self, **_):
        """Store the record for `grade`; the words are seen only where no living panel stands."""
        words = self.question.question if self.record is None else self.record["words"]
        html = AGAIN + f'<p class="synthrisk-again">{escape(words)}</p>'
        bundle = {"text/html": html, "text/plain": ""}
        if self.record is not None:
            bundle[MIME] = {"version": VERSION, "prediction": self.question.id} | self.record
        return bundle


class Predicted:
    """The predictions of a notebook so far: how many were right or close, and which fooled you.

    What is true is told only of those that were answered. It is shown anew with every answer.
    """

    def __init__(self, questions, kept, cells):
        """Take the questions, the answers (by id), and the cells in which they were asked."""
        self.questions = questions
        self.kept = kept
        self.cells = cells

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
        words = f"You predicted {len(answered)} of {len(self.questions)}"
        if not answered:
            return f"{words} so far."
        words += f": {answered.count(Kind.RIGHT)} right, {answered.count(Kind.CLOSE)} close."
        fooled = sorted(id for id, kind in kinds.items() if kind in NOT_RIGHT)
        return f"{words} Fooled by: {', '.join(fooled)}." if fooled else words

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
    parent = kernel.get_parent() if kernel else {}  # the kernel of a browser knows no channels
    return str(parent.get("metadata", {}).get("cellId", ""))


class Folded:
    """Something that is seen only when it is unfolded: a table, a picture or a text."""

    def __init__(self, shown, title="What it shows"):
        """Take what is to be shown, and what is seen before."""
        self.shown = shown
        self.title = title

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
        return f"<details><summary><b>{escape(self.title)}</b></summary>{inside}</details>"
