"""The panel of lesson 09: a few files in, the whole report out; the data stay here."""

import tomllib
from itertools import chain

import ipywidgets

from synthrisk_edu import checks
from synthrisk_edu.pages import STYLE as PAGE_STYLE
from synthrisk_edu.report import page, risk_report
from synthrisk_edu.report.columns import common_columns
from synthrisk_edu.report.reading import SEPARATORS, read_tables
from synthrisk_edu.report.roles import OPTIONS, Choices, choose_roles, report_tables
from synthrisk_edu.widgets import two_tables
from synthrisk_edu.widgets.disclosure import flag_sliders, none_or
from synthrisk_edu.widgets.panel import LABEL, STYLE, grid, menu, paragraph, went_wrong, words
from synthrisk_edu.words import listing

WIDTH, PAGE_HEIGHT = 860, 430  # pixels
TAB_STYLE = f"""<style>
.synthrisk-panel {{ --jp-widgets-horizontal-tab-width: 190px }}
.synthrisk-panel .widget-tab-contents {{ padding: 6px 4px 0; overflow: hidden }}
.synthrisk-panel .widget-html-content {{ min-width: 0 }}
@media (max-width: 1000px) {{
    .synthrisk-panel .lm-TabBar-tab {{ flex: 0 1 auto !important; padding: 0 4px !important }}
    .synthrisk-panel .lm-TabBar-tab {{ font-size: 13px }}
    .synthrisk-below {{ height: auto !important }}
}}
.synthrisk-page {{ max-width: 790px; overflow-wrap: anywhere; {PAGE_STYLE} }}
</style>"""
NAMES = ("comma", "semicolon", "tab", "bar")
READING = {  # an empty choice leaves it to `read_table`
    "separator": ("separator", [("automatic", ""), *zip(NAMES, SEPARATORS, strict=True)]),
    "decimal": ("decimal sign", [("point", ""), ("comma", ",")]),
    "encoding": ("encoding", [("UTF-8", ""), ("cp1252", "cp1252"), ("UTF-16", "utf-16")]),
}
BETWEEN_PATHS = ";"
CHOOSE = "Choose the two files (or type their paths), then press Read the files."
TABS = ("1 · files", "2 · who knows what", "3 · options", "4 · the report")
ABOUT_OPTIONS = (
    "How many people outside the file share the same values can be estimated from weights, or from "
    "the share of the population that is in the file (0: not known); give one of the two. The rest "
    "says what counts as a disclosure, and when a target is flagged."
)
NO_WEIGHTS = ("none", "")
MORE = 'groups = {Age = 10}\nspecial = {Income = [-8]}\ndrop_target = ["NO"]'  # in grey


def report_panel(confidential=None, synthetic=None):
    """Build the panel of the report; it may begin with two frames instead of files."""
    return ReportPanel(confidential, synthetic)


class ReportPanel(ipywidgets.VBox):
    """Choose files, choose what the intruder knows, make the report, save it.

    The choices stand in four tabs, so that all of it fits on a screen. `live` is an ordinary panel
    about the two tables, which follows its controls at once; the whole report is made when its
    button is pressed. `error` is the last error, or None.
    """

    def __init__(self, confidential, synthetic):
        """Lay out the panel; with two tables at hand, show them."""
        self.tables = self.live = self.aims = self.report = self.error = None
        self.intruders = {}
        self._add_file_controls()
        self._add_options()
        self.tabs = ipywidgets.Tab(self._pages(), titles=TABS, layout={"max_width": "900px"})
        style = ipywidgets.HTML(STYLE + TAB_STYLE, layout={"display": "none"})
        super().__init__([style, self.tabs, self.sentence])
        self.add_class("synthrisk-panel")
        if confidential is None:
            self._say(CHOOSE)
        else:
            self._attempt(lambda: self._show(confidential, synthetic))

    def _pages(self):
        """Return what stands in each tab; all are equally high, so that nothing jumps."""
        files = [_row(*pair) for pair in zip(self.uploads, self.paths, strict=True)]
        reading = _row(*self.how.values(), self.read)
        numbers = [self.weights, self.share, *self.flags, self.limit]
        about = ipywidgets.HTML(paragraph(ABOUT_OPTIONS))
        pages = (
            [ipywidgets.HTML(paragraph(page.NOT_THERE)), *files, reading],
            [self.place, _row(self.who, self.add)],
            [self.targets, about, grid(numbers), _row(self.missing, self.records), self.more],
            [_row(self.make, self.where, self.save), self.page],
        )
        layout = {"height": f"{PAGE_HEIGHT + 50}px", "overflow": "hidden auto"}
        for widget in chain(*pages):
            widget.layout.flex = "0 0 auto"  # on a narrow page they scroll and are not squeezed
        return [ipywidgets.VBox(page, layout=layout) for page in pages]

    def _add_file_controls(self):
        """Make the controls that say which files to read, and how; and who knows what in them."""
        labels = ["confidential CSV", "synthetic CSV, or several", "control CSV (optional)"]
        how = {"accept": ".csv,.tsv,.txt,.gz", "layout": {"width": "290px"}}
        self.uploads = [
            ipywidgets.FileUpload(multiple="several" in label, description=label, **how)
            for label in labels
        ]
        self.paths = [_text("or its path") for _ in labels]
        self.paths[1].placeholder = f"one path, or several with {BETWEEN_PATHS} between"
        self.how = {name: menu(*listed, "215px") for name, listed in READING.items()}
        self.read = _button("Read the files", self._read)
        self.place, self.targets = (ipywidgets.VBox(layout={"flex": "0 0 auto"}) for _ in range(2))
        self.who = _text("a name for who knows this", "a neighbour")
        self.add = _button("Add as one more intruder", self._add)

    def _add_options(self):
        """Make the controls of the options, at what the report takes by itself, and its buttons."""
        self.weights = menu("weights", [NO_WEIGHTS])
        self.weights.observe(lambda _change: self._attempt(self._show_roles), names="value")
        self.share = ipywidgets.BoundedFloatText(0, min=0, max=100)
        self.share.description = "share in the file (%)"
        self.limit = none_or("largest denominator", range(1, 21), 0)
        self.missing = _box("missing values count", True)
        self.records = _box("with the ten records most at risk")
        self.flags = list(flag_sliders().values())
        size = {"width": "806px", "height": "84px", "flex": "0 0 auto"}
        self.more = ipywidgets.Textarea(placeholder=MORE, style=LABEL, layout=size)
        self.more.description = "more, as in a configuration file"
        self.make = _button("Make the report", self._make)
        self.where = _text("save as", "risk_report.html")
        self.save = _button("Save page and numbers", self._save)
        self.sentence = words(WIDTH, 52).add_class("synthrisk-below")
        self.page = words(WIDTH, PAGE_HEIGHT)

    def _sources(self):
        """Return what to read: name → the bytes that were uploaded, or a path."""
        confidential, synthetic, control = map(_chosen, self.uploads, self.paths)
        if not (confidential and synthetic):
            return {}
        sources = {"the confidential file": confidential[0]}
        if len(synthetic) == 1:
            sources["the synthetic file"] = synthetic[0]
        else:
            sources |= {f"synthetic file {j}": one for j, one in enumerate(synthetic, start=1)}
        return sources | ({"the control file": control[0]} if control else {})

    def _read(self):
        """Read the files, uploaded or named by a path; there may be no control."""
        sources = self._sources()
        if not sources:
            return self._say(CHOOSE)
        how = {name: control.value or None for name, control in self.how.items()}
        confidential, *others = read_tables(sources, **how)
        control = others.pop() if "the control file" in sources else None
        self._show(confidential, others, control)

    def _show(self, confidential, synthetic, control=None):
        """Take the tables and build the live part, which is about the first synthetic one."""
        common_columns(report_tables(confidential, synthetic, control))
        self.tables = confidential, synthetic, control
        numbers = checks.numeric_names(confidential.columns, [confidential])
        self.weights.options = [NO_WEIGHTS, *((str(name), name) for name in numbers)]
        self._show_roles()
        self.tabs.selected_index = 1

    def _show_roles(self):
        """Build the live part; a column of weights is none that an intruder could know."""
        if self.tables is None:
            return
        tables = report_tables(*self.tables)
        roles = choose_roles(tables, Choices(weights=self._weights()))
        build = two_tables.matching_panel if roles.paired else two_tables.funnel_panel
        self.live = build(roles)
        self.report, self.roles, self.intruders = None, roles, {}
        self.picture = self.live.picture
        self.aims = two_tables.ticks(roles.compared, roles.targets, "targets")
        self.place.children, self.targets.children = [self.live], [self.aims]
        self.page.value = paragraph("The report will be shown here.")
        self._say(roles.sentences[0])

    def _add(self):
        """Remember what is ticked as what one more intruder knows."""
        knows = list(self.live.values()["knows"]) if self.live else []
        if not knows:
            return self._say("Read two files first, and tick what this intruder knows.")
        self.intruders[self.who.value] = knows
        self._say(f"The report will have a line for each of: {listing(self.intruders)}.")

    def _make(self):
        """Make the whole report and show it."""
        if self.tables is None:
            return self._say("Read two files first.")
        choices = self.choices()
        if choices is None:
            return self._say(two_tables.TICK)
        self._say("Making the report …")
        *pair, control = self.tables
        options = {"control": control, "records": self.records.value, "progress": False}
        self.report = risk_report(*pair, **options, **choices)
        self.page.value = f'<div class="synthrisk-page">{page.html_body(self.report)}</div>'
        self._say("The report stands above; nothing is saved yet.")

    def choices(self):
        """Return what is chosen, by the names that `risk_report` has for it; None if too little."""
        chosen = self.live.values()
        keys, choices = list(chosen["knows"]), {"intruders": self.intruders, **self._options()}
        if not keys:
            return None
        if self._weights() is not None:
            choices["weights"] = self._weights()
        if self.share.value > 0:
            choices["fraction"] = self.share.value / 100
        if self.roles.paired:
            now = self.roles.knowing(keys)
            radius = two_tables.radii_of(self.roles, keys, chosen["radius"])
            choices |= {"known": now.known, "synthesized": now.synthesized, "radius": radius}
            keys = now.known
        aims = list(self.aims.value)
        if aims and set(keys) - set(aims):
            choices |= {"keys": [name for name in keys if name not in aims], "targets": aims}
        return choices | self._more()

    def _weights(self):
        """Return the column of weights, or None."""
        return None if self.weights.value == "" else self.weights.value

    def _options(self):
        """Return the options of `disclosure` that are not what the report takes by itself."""
        one_most, one_share, two_most, two_share = (flag.value for flag in self.flags)
        missing = self.missing.value
        chosen = {"missing_keys": missing, "missing_target": missing}
        chosen["denom_limit"] = self.limit.value or None
        chosen |= {"one_way": (one_most, one_share), "two_way": (two_most, two_share)}
        return {name: value for name, value in chosen.items() if value != OPTIONS[name]}

    def _more(self):
        """Return what was typed as in a configuration file."""
        try:
            return tomllib.loads(self.more.value)
        except ValueError as error:
            raise ValueError(
                f"what stands under “more” cannot be read ({error}); write one choice a line, "
                "for example special = {Income = [-8]}."
            ) from None

    def _save(self):
        """Save the report that was made."""
        if self.report is None:
            return self._say("Make the report first.")
        try:
            saved = self.report.save(self.where.value)
        except FileExistsError:
            text = f"{self.where.value} exists already; choose another name after “save as”."
            raise FileExistsError(text) from None
        self._say(f"Saved {saved[0].name} and {saved[1].name}.")

    def _say(self, text):
        """Show a sentence under the buttons."""
        self.error, self.sentence.value = None, paragraph(text)

    def _attempt(self, action):
        """Do something; whatever goes wrong is one sentence in the panel."""
        try:
            action()
        except Exception as error:
            self.error = error
            self.sentence.value = went_wrong(error)


def _chosen(upload, path):
    """Return the bytes of what was uploaded; if nothing was, the paths that were typed."""
    typed = [one.strip() for one in path.value.split(BETWEEN_PATHS) if one.strip()]
    return [one["content"] for one in upload.value] or typed


def _text(label, value=""):
    """A line to type into."""
    size = {"width": "420px", "max_width": "98%"}
    return ipywidgets.Text(value, description=label, style=LABEL, layout=size)


def _box(label, ticked=False):
    """A box to tick."""
    return ipywidgets.Checkbox(ticked, description=label, indent=False, layout={"width": "300px"})


def _row(*controls):
    """Controls side by side, as far as the page is wide."""
    return ipywidgets.Box(controls, layout={"flex_flow": "row wrap", "max_width": f"{WIDTH}px"})


def _button(label, action):
    """A button; `action` is a method of the panel it stands in."""
    button = ipywidgets.Button(description=label, layout={"width": "auto"})
    button.on_click(lambda _: action.__self__._attempt(action))
    return button
