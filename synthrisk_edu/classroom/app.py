"""The panels alone, for a projector: choose a lesson, then a panel (`python3 start.py app`).

Every panel is that of a lesson, with the same data and seeds. It is built when it is first chosen,
so that the page opens at once.
"""

import ipywidgets

from synthrisk_edu.classroom.engine import data_for, lessons
from synthrisk_edu.widgets.panel import paragraph

# Everything a third larger than in a notebook: about 20 pixels for text, for the last row.
STYLE = """<style>
.synthrisk-app { zoom: 1.3; --jp-widgets-font-size: 15px }
.synthrisk-app > .widget-html p { max-width: 860px }
</style>"""


def panels_by_lesson():
    """List the panels of every lesson that has some, under its number and title."""
    return {
        f"{number} {module.TITLE}": module.PANELS
        for number, module in lessons().items()
        if module.PANELS
    }


def panel_chooser(chosen=None):
    """Build the page of the app: a lesson, a panel of it, what to try, and the panel itself."""
    return PanelChooser(panels_by_lesson() if chosen is None else chosen)


class PanelChooser(ipywidgets.VBox):
    """Two lists to choose from; the chosen panel below them, built when it is first asked for."""

    def __init__(self, lessons):
        """Show the first panel of the first lesson."""
        self.lessons, self.built = lessons, {}
        self.lesson = ipywidgets.Dropdown(description="lesson", options=list(lessons))
        self.panel = ipywidgets.Dropdown(description="panel")
        self.lesson.layout = self.panel.layout = {"width": "420px"}
        self.words, self.place = ipywidgets.HTML(), ipywidgets.VBox()
        row = ipywidgets.HBox([self.lesson, self.panel], layout={"flex_flow": "row wrap"})
        style = ipywidgets.HTML(STYLE, layout={"display": "none"})
        super().__init__([style, row, self.words, self.place])
        self.add_class("synthrisk-app")
        self.lesson.observe(self._list_panels, names="value")
        self.panel.observe(self._show, names="value")
        self._list_panels()

    def _list_panels(self, _change=None):
        """Offer the panels of the lesson, and choose the first, which shows it."""
        entries = self.lessons[self.lesson.value]
        self.panel.options = [(entry.title, entry) for entry in entries]
        self.panel.value = entries[0]

    def _show(self, _change=None):
        """Show the chosen panel; an error is told in one sentence in its place."""
        entry = self.panel.value
        if entry is None:  # while the list is being replaced
            return
        self.place.children = ()
        self.words.value = paragraph("One moment: the panel is being built.")
        try:
            if entry.title not in self.built:
                self.built[entry.title] = entry.build(data_for(self.lesson.value[:2]))
        except Exception as error:  # whatever it is, the class sees a sentence, not a blank
            self.words.value = paragraph(f"Something went wrong: {error}", "synthrisk-error")
            return
        self.words.value = paragraph(entry.sentence)
        self.place.children = (self.built[entry.title],)
