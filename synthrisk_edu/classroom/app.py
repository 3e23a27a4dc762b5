"""The panels alone, for a projector: `python3 start.py app`.

First the class of 50 minutes, step by step; then every lesson with its panels. A panel has three
views: predict first, look, the answer. It is built when it is first looked at, so that the page
opens at once. Everything fits a screen of 1280 × 720 and grows with the window.
"""

from pathlib import Path

import ipywidgets

from synthrisk_edu.classroom import class_hour
from synthrisk_edu.classroom.engine import data_for, lessons
from synthrisk_edu.classroom.predictions import predictions
from synthrisk_edu.widgets.panel import paragraph, went_wrong

QUESTION, LOOK, ANSWER = "predict first", "look", "the answer"
# The page's template sets --fit: how much larger the window is than 1280 × 720.
STYLE = Path(__file__).with_name("app.css").read_text("utf-8")


def panels_by_lesson():
    """List the steps of the class, then the panels of every lesson that has some."""
    listed = {class_hour.TITLE: class_hour.steps()}
    for number, module in lessons().items():
        if module.PANELS:
            listed[f"{number} {module.TITLE}"] = module.PANELS
    return listed


def panel_chooser(chosen=None):
    """Build the page of the app: a lesson, a step of it, and its three views."""
    return PanelChooser(panels_by_lesson() if chosen is None else chosen)


class PanelChooser(ipywidgets.VBox):
    """Two lists to choose from, three views, and a button that goes on to the next step."""

    def __init__(self, lessons):
        """Show the first step of the first lesson."""
        self.lessons, self.built = lessons, {}
        self.lesson = ipywidgets.Dropdown(options=list(lessons), layout={"width": "300px"})
        self.panel = ipywidgets.Dropdown(layout={"width": "330px"})
        self.view = ipywidgets.ToggleButtons(options=[QUESTION, LOOK, ANSWER])
        self.view.style = {"button_width": "125px"}
        self.next = ipywidgets.Button(description="next step", layout={"width": "110px"})
        self.words, self.place = ipywidgets.HTML(), ipywidgets.VBox()
        row = {"flex_flow": "row nowrap", "align_items": "center"}
        row = ipywidgets.HBox([self.lesson, self.panel, self.view, self.next], layout=row)
        style = ipywidgets.HTML(f"<style>\n{STYLE}</style>", layout={"display": "none"})
        super().__init__([style, row, self.words, self.place])
        self.add_class("synthrisk-app")
        self.lesson.observe(self._list_panels, names="value")
        self.panel.observe(self._start, names="value")
        self.view.observe(self._show, names="value")
        self.next.on_click(self._go_on)
        self._list_panels()

    def _list_panels(self, _change=None):
        """Offer the steps of the lesson, and choose the first, which shows it."""
        entries = self.lessons[self.lesson.value]
        self.panel.options = [(entry.title, entry) for entry in entries]
        self.panel.value = entries[0]

    def _go_on(self, _button=None):
        """Turn to the next step; after the last comes the first."""
        entries = self.lessons[self.lesson.value]
        self.panel.value = entries[(entries.index(self.panel.value) + 1) % len(entries)]

    def _start(self, _change=None):
        """Begin a step with its question, or with a look if it has none."""
        entry = self.panel.value
        if entry is None:  # while the list is being replaced
            return
        views = [QUESTION, LOOK, ANSWER] if self._asked(entry) else [LOOK]
        if isinstance(entry, class_hour.Step):
            views = [QUESTION, ANSWER]  # both with what there is to see
        with self.view.hold_trait_notifications():
            self.view.options = views
            self.view.value = views[0]
        self._show()

    def _asked(self, entry):
        """Return the question and the answer of a step as HTML, or None."""
        if isinstance(entry, class_hour.Step):
            return paragraph(entry.question), paragraph(entry.answer)
        return predictions().get(entry.name)

    def _show(self, _change=None):
        """Show the chosen view; an error is told in one sentence in its place."""
        entry, view = self.panel.value, self.view.value
        if entry is None or view is None:
            return
        self.words.remove_class("synthrisk-asked").remove_class("synthrisk-told")
        if view == LOOK:
            self._look(entry, paragraph(entry.sentence))
            return
        question, answer = self._asked(entry)
        words = question if view == QUESTION else answer
        self.words.add_class("synthrisk-asked" if view == QUESTION else "synthrisk-told")
        self.place.children, self.words.value = (), words
        if isinstance(entry, class_hour.Step):
            self._look(entry, words)

    def _look(self, entry, words):
        """Show the panel itself below some words; it is built when it is first looked at."""
        self.place.children = ()
        self.words.value = paragraph("One moment: the panel is being built.")
        try:
            if entry.title not in self.built:
                self.built[entry.title] = entry.build(self._data(entry))
        except Exception as error:  # whatever it is, the class sees a sentence, not a blank
            self.words.value = went_wrong(error)
            return
        self.words.value = words
        self.place.children = (self.built[entry.title],)

    def _data(self, entry):
        """Return the tables of the lesson that a panel belongs to; the class takes its own."""
        if isinstance(entry, class_hour.Step):
            return None
        homes = [number for number, module in lessons().items() if entry in module.PANELS]
        return data_for(homes[0] if homes else self.lesson.value[:2])
