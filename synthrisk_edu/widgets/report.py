"""And my own data? A panel: files in, who knows what, live numbers, the report; data stay here."""

from collections.abc import Sequence

import ipywidgets
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.report import choose_roles, read_files, risk_report
from synthrisk_edu.report.reading import SEPARATORS
from synthrisk_edu.report.report import ON_BINDER, on_binder
from synthrisk_edu.report.report import STYLE as PAGE_STYLE
from synthrisk_edu.widgets import two_tables
from synthrisk_edu.widgets.panel import LABEL, STYLE, menu, paragraph, went_wrong, words

WIDTH, PAGE_HEIGHT = 860, 430  # pixels
TAB_STYLE = f"""<style>
.synthrisk-panel {{ --jp-widgets-horizontal-tab-width: 190px }}
.synthrisk-panel .widget-tab-contents {{ padding: 6px 4px 0; overflow: hidden }}
.synthrisk-panel .widget-html-content {{ min-width: 0 }}
@media (max-width: 1000px) {{
    .synthrisk-panel .lm-TabBar-tab {{ flex: 0 1 auto !important; padding: 0 4px !important }}
    .synthrisk-below {{ height: auto !important }}
}}
.synthrisk-page div {{ background: none }}
.synthrisk-page {{ max-width: 790px; overflow-wrap: anywhere; {PAGE_STYLE} }}
</style>"""
NAMES = ("comma", "semicolon", "tab", "bar")
READING = {  # an empty choice leaves it to `read_files`
    "separator": ("separator", [("automatic", ""), *zip(NAMES, SEPARATORS, strict=True)]),
    "decimal": ("decimal sign", [("point", ""), ("comma", ",")]),
    "encoding": ("encoding", [("UTF-8", ""), ("cp1252", "cp1252"), ("UTF-16", "utf-16")]),
}
BETWEEN_PATHS = ";"
CHOOSE = "Choose the two files (or type their paths), then press Read the files."
TABS = ("1 · files", "2 · who knows what", "3 · the report")
NO_WEIGHTS = ("none", "")


def report_panel(
    confidential: pd.DataFrame | None = None,
    synthetic: pd.DataFrame | Sequence[pd.DataFrame] | None = None,
):
    """Build the panel of the report; it may begin with two frames instead of files."""
    return ReportPanel(confidential, synthetic)


class ReportPanel(ipywidgets.VBox):
    """Choose files, choose what the intruder knows, make the report, save it.

    The choices stand in three tabs, so that all of it fits on a screen. `live` is an ordinary
    panel about the first two tables, which follows its controls at once; the whole report is made
    when its button is pressed. `error` is the last error, or None.
    """

    def __init__(self, confidential, synthetic):
        """Lay out the panel; with two tables at hand, show them."""
        self.tables = self.live = self.report = self.error = None
        self._add_controls()
        self.tabs = ipywidgets.Tab(self._pages(), titles=TABS, layout={"max_width": "900px"})
        style = ipywidgets.HTML(STYLE + TAB_STYLE, layout={"display": "none"})
        super().__init__([style, self.tabs, self.sentence])
        self.add_class("synthrisk-panel")
        if confidential is None:
            self._say(CHOOSE)
        else:
            self._attempt(lambda: self._show(confidential, [synthetic]))

    def _add_controls(self):
        """Make the controls: files and how to read them, who knows what, make and save."""
        labels = ["confidential file", "synthetic file, or several", "control (optional)"]
        self.uploads = [
            ipywidgets.FileUpload(
                multiple="several" in label,
                description=f"{label}: CSV",
                accept=".csv,.tsv,.txt,.gz",
                layout={"width": "290px"},
            )
            for label in labels
        ]
        self.paths = [_text("or its path") for _ in labels]
        self.paths[1].placeholder = f"one path, or several with {BETWEEN_PATHS} between"
        self.how = {name: menu(*listed, "215px") for name, listed in READING.items()}
        self.read = self._button("Read the files", self._read)
        self.place = ipywidgets.VBox(layout={"flex": "0 0 auto"})
        self.weights = menu("weights", [NO_WEIGHTS])
        self.weights.observe(lambda _change: self._attempt(self._show_roles), names="value")
        self.make = self._button("Make the report", self._make)
        self.where = _text("save as", "risk_report.html")
        self.save = self._button("Save", self._save)
        self.page, self.sentence = words(WIDTH, PAGE_HEIGHT), words(WIDTH, 52)
        self.sentence.add_class("synthrisk-below")

    def _pages(self):
        """Return what stands in each tab; all are equally high, so that nothing jumps."""
        files = [_row(*pair) for pair in zip(self.uploads, self.paths, strict=True)]
        banner = [ipywidgets.HTML(paragraph(ON_BINDER))] if on_binder() else []
        pages = (
            [*banner, *files, _row(*self.how.values(), self.read)],
            [self.place, self.weights],
            [_row(self.make, self.where, self.save), self.page],
        )
        layout = {"height": f"{PAGE_HEIGHT + 50}px", "overflow": "hidden auto"}
        return [ipywidgets.VBox(page, layout=layout) for page in pages]

    def _read(self):
        """Read the files, uploaded or named by a path; there may be no control."""
        confidential, synthetic, control = map(_chosen, self.uploads, self.paths)
        if not (confidential and synthetic):
            return self._say(CHOOSE)
        how = {name: control.value or None for name, control in self.how.items()}
        tables = read_files([confidential[0], *synthetic, *control[:1]], **how)
        others = tables.pop() if control else None
        self._show(tables[0], tables[1:], others)

    def _show(self, confidential, synthetics, control=None):
        """Take the tables and build the live part, which is about the first synthetic one."""
        self.tables = confidential, synthetics, control
        numbers = checks.numeric_names(confidential.columns, [confidential])
        some = [name for name in numbers if (confidential[name] >= 1).all()]  # as weights are
        self.weights.options = [NO_WEIGHTS, *((str(name), name) for name in some)]
        self._show_roles()
        self.tabs.selected_index = 1

    def _show_roles(self):
        """Build the live part; a column of weights is none that an intruder could know."""
        if self.tables is None:
            return
        roles = choose_roles(*self.tables, weights=self.weights.value or None)
        build = two_tables.matching_panel if roles.paired else two_tables.funnel_panel
        self.live, self.report, self.roles = build(roles), None, roles
        self.picture = self.live.picture
        self.place.children = [self.live]
        self.page.value = paragraph("The report will be shown here.")
        self._say(roles.questions[0] if roles.questions else roles.sentences[0])

    def _make(self):
        """Make the whole report and show it."""
        if self.tables is None:
            return self._say("Read two files first.")
        choices = self.choices()
        if choices is None:
            return self._say(two_tables.TICK)
        self._say("Making the report …")
        *pair, control = self.tables
        self.report = risk_report(*pair, control=control, **choices)
        self.page.value = f'<div class="synthrisk-page">{self.report.body}</div>'
        self._say("The report stands above; nothing is saved yet.")

    def choices(self):
        """Return what is chosen, by the names that `risk_report` has for it; None if too little."""
        chosen = self.live.values()
        knows, choices = list(chosen["knows"]), {"weights": self.weights.value or None}
        if not knows:
            return None
        if not self.roles.paired:
            target = chosen["target"]
            return choices | {"keys": [name for name in knows if name != target]}
        radius = two_tables.radii_of(self.roles, knows, chosen["radius"])
        sides = {"known": self.roles.known, "synthesized": self.roles.synthesized}
        sides = {side: [one for one in names if one in knows] for side, names in sides.items()}
        return choices | sides | {"radius": radius}

    def _save(self):
        """Save the report that was made, as a page or as a notebook."""
        if self.report is None:
            return self._say("Make the report first.")
        self._say(f"Saved {self.report.save(self.where.value).name}.")

    def _say(self, text):
        """Show a sentence under the tabs."""
        self.error, self.sentence.value = None, paragraph(text)

    def _attempt(self, action):
        """Do something; whatever goes wrong is one sentence in the panel."""
        try:
            action()
        except Exception as error:
            self.error = error
            self.sentence.value = went_wrong(error)

    def _button(self, label, action):
        """A button that does something."""
        button = ipywidgets.Button(description=label, layout={"width": "auto"})
        button.on_click(lambda _: self._attempt(action))
        return button


def _chosen(upload, path):
    """Return the bytes of what was uploaded; if nothing was, the paths that were typed."""
    typed = [one.strip() for one in path.value.split(BETWEEN_PATHS) if one.strip()]
    return [one["content"] for one in upload.value] or typed


def _text(label, value=""):
    """A line to type into."""
    size = {"width": "420px", "max_width": "98%"}
    return ipywidgets.Text(value, description=label, style=LABEL, layout=size)


def _row(*controls):
    """Controls side by side, as far as the page is wide."""
    return ipywidgets.Box(controls, layout={"flex_flow": "row wrap", "max_width": f"{WIDTH}px"})
