"""And my own data? A panel: files in, a role for each column, the report; the data stay here."""

from collections.abc import Sequence

import ipywidgets
import pandas as pd

from synthrisk_edu.report import read_table, risk_report
from synthrisk_edu.report.report import STYLE as PAGE_STYLE
from synthrisk_edu.widgets.controls import LABEL, menu
from synthrisk_edu.widgets.panel import STYLE, paragraph, went_wrong, words
from synthrisk_edu.widgets.touch import new_access

WIDTH, PAGE_HEIGHT = 860, 430  # pixels
ROLES = ["key", "target", "known", "synthesized", "identifier", "weight"]
ARGUMENTS = {"key": "keys", "target": "targets", "identifier": "identifiers"}
NO_ROLE = ("no role", "")
CHOOSE = "Type the paths of two files, then press Read the files."
NEXT = "Give columns their roles, then press Make the report."


def report_panel(
    confidential: pd.DataFrame | None = None,
    synthetic: pd.DataFrame | Sequence[pd.DataFrame] | None = None,
):
    """Build the panel of the report; it may begin with two frames instead of files."""
    return ReportPanel(confidential, synthetic)


class ReportPanel(ipywidgets.VBox):
    """Name files, name roles, make the report, save it; `error` is the last error, or None."""

    def __init__(self, confidential, synthetic):
        """Lay out the panel; with two tables at hand, ask for their roles."""
        self.tables = self.report = self.error = None
        self.roles = {}
        self.paths = [_text(f"{one} file") for one in ("confidential", "synthetic", "control")]
        self.options = _text("how to read them, such as sep=; decimal=,")
        self.read = self._button("Read the files", self._read)
        self.place = ipywidgets.Box(layout={"flex_flow": "row wrap", "max_width": f"{WIDTH}px"})
        self.make = self._button("Make the report", self._make)
        self.where = _text("save as", "risk_report.html")
        self.save = self._button("Save", self._save)
        self.sentence, self.page = words(WIDTH, 52), words(WIDTH, PAGE_HEIGHT)
        self.sentence.add_class("synthrisk-sentence").add_class("synthrisk-status")
        page_style = (
            f".synthrisk-page {{ {PAGE_STYLE} }} .synthrisk-page div {{ background: none }}"
        )
        style = ipywidgets.HTML(f"{STYLE}<style>{page_style}</style>", layout={"display": "none"})
        files = _row(*self.paths, self.options, self.read)
        making = _row(self.make, self.where, self.save)
        parts = [style, new_access(), files, self.place, making, self.sentence, self.page]
        super().__init__(parts)
        self.add_class("synthrisk-panel")
        self.add_class("synthrisk-report")
        if confidential is None:
            self._say(CHOOSE)
        else:
            self._show(confidential, synthetic)

    def _read(self):
        """Read the files; there may be no control."""
        options = dict(part.split("=", 1) for part in self.options.value.split())
        paths = [path.value.strip() for path in self.paths]
        if not (paths[0] and paths[1]):
            return self._say(CHOOSE)
        self._show(*(read_table(path, **options) for path in paths if path))

    def _show(self, confidential, synthetic, control=None):
        """Take the tables, and make a list of roles for each column."""
        self.tables = confidential, synthetic, control
        choices = [NO_ROLE, *((role, role) for role in ROLES)]
        self.roles = {name: menu(str(name), choices, "205px") for name in confidential}
        self.place.children = list(self.roles.values())
        self._say(NEXT)

    def chosen(self):
        """Return the roles, by the names that `risk_report` has for them."""
        columns = {role: [] for role in ROLES}
        for name, control in self.roles.items():
            if control.value:
                columns[control.value].append(name)
        weights = columns.pop("weight")
        named = {ARGUMENTS.get(role, role): names for role, names in columns.items() if names}
        return named | ({"weights": weights[0]} if weights else {})

    def _make(self):
        """Make the whole report and show it."""
        if self.tables is None:
            return self._say("Read two files first.")
        *pair, control = self.tables
        self._say("Making the report …")
        self.report = risk_report(*pair, control=control, **self.chosen())
        self.page.value = f'<div class="synthrisk-page">{self.report.body}</div>'
        self._say("The report stands below; nothing is saved yet.")

    def _save(self):
        """Save the report that was made, as a page or as a notebook."""
        if self.report is None:
            return self._say("Make the report first.")
        self._say(f"Saved {self.report.save(self.where.value).name}.")

    def _say(self, text):
        """Show a sentence."""
        self.error, self.sentence.value = None, paragraph(text)

    def _button(self, label, action):
        """A button that does something; whatever goes wrong is one sentence in the panel."""

        def pressed(_button):
            try:
                action()
            except Exception as error:
                self.error = error
                self.sentence.value = went_wrong(error)

        button = ipywidgets.Button(description=label, layout={"width": "auto"})
        button.on_click(pressed)
        return button


def _text(label, value=""):
    """A line to type into."""
    size = {"width": "420px", "max_width": "98%"}
    return ipywidgets.Text(value, description=label, style=LABEL, layout=size)


def _row(*controls):
    """Controls side by side, as far as the page is wide."""
    return ipywidgets.Box(controls, layout={"flex_flow": "row wrap", "max_width": f"{WIDTH}px"})
