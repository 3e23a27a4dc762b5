"""The panel of lesson 09: two or three files in, the whole report out; the data stay here."""

from dataclasses import replace
from types import SimpleNamespace

import ipywidgets

from synthrisk_edu.disclosure import disclosure
from synthrisk_edu.plots import disclosure as disclosure_pictures
from synthrisk_edu.plots import look
from synthrisk_edu.plots import matching as matching_pictures
from synthrisk_edu.report import checks, risk_report
from synthrisk_edu.report.matching import match_files, varied
from synthrisk_edu.report.page import NOT_THERE, html_body
from synthrisk_edu.report.reading import SEPARATORS, read_tables
from synthrisk_edu.report.roles import Choices, choose_roles
from synthrisk_edu.report.section import named, percent, rounded
from synthrisk_edu.widgets.panel import (
    STYLE,
    Canvas,
    Panel,
    Ticks,
    paragraph,
    percent_slider,
    step_slider,
)
from synthrisk_edu.words import about, listing, say

WIDTH = "860px"
PAGE_HEIGHT = "380px"
PAGE_STYLE = "width: 800px; overflow-wrap: anywhere"
NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
# An empty choice leaves it to `read_table`.
SEPARATOR_CHOICES = [("automatic", ""), *((NAMES[one], one) for one in SEPARATORS)]
DECIMAL_CHOICES = [("point", ""), ("comma", ",")]
ENCODING_CHOICES = [("UTF-8", ""), ("cp1252", "cp1252"), ("UTF-16", "utf-16")]
FILES = ["the confidential file", "the synthetic file", "the control file"]
CHOOSE = "Choose the two files (or type their paths), then press Read the files."
TICK = "Tick at least one thing the intruder knows."


def report_panel(confidential=None, synthetic=None):
    """Build the panel of the report; it may begin with two frames instead of files."""
    return ReportPanel(confidential, synthetic)


class ReportPanel(ipywidgets.VBox):
    """Choose files, choose what the intruder knows, make the report, save it.

    `live` is an ordinary panel about the two tables, which follows its controls at once; the whole
    report is made when its button is pressed. `error` is the last error, or None.
    """

    def __init__(self, confidential, synthetic):
        """Lay out the panel; with two tables at hand, show them."""
        self.tables = self.live = self.aims = self.report = self.error = self.control = None
        self.intruders = {}
        self._add_controls()
        files = [_row(*pair) for pair in zip(self.uploads, self.paths, strict=True)]
        reading = _row(self.separator, self.decimal, self.encoding, self.read)
        more = [_row(self.who, self.add), _row(self.share, self.records)]
        making = [*more, _row(self.make, self.where, self.save)]
        style = ipywidgets.HTML(STYLE, layout={"display": "none"})
        warning = ipywidgets.HTML(paragraph(NOT_THERE))
        super().__init__(
            [style, warning, *files, reading, self.place, *making, self.sentence, self.page],
        )
        self.add_class("synthrisk-panel")
        if confidential is None:
            self._say(CHOOSE)
        else:
            self._attempt(lambda: self._show(confidential, synthetic))

    def _add_controls(self):
        """Make the controls, from top to bottom."""
        labels = ["confidential CSV", "synthetic CSV", "control CSV (optional)"]
        self.uploads = [_upload(label) for label in labels]
        self.paths = [_text("or its path") for _ in labels]
        self.separator = _dropdown("separator", SEPARATOR_CHOICES)
        self.decimal = _dropdown("decimal sign", DECIMAL_CHOICES)
        self.encoding = _dropdown("encoding", ENCODING_CHOICES)
        self.read = _button("Read the files", self._read)
        self.place = ipywidgets.VBox(layout={"flex": "0 0 auto"})
        self.records = ipywidgets.Checkbox(
            description="with the ten records most at risk", indent=False
        )
        self.who = _text("a name for who knows this", "a neighbour")
        self.add = _button("Add as one more intruder", self._add)
        self.share = ipywidgets.BoundedFloatText(
            0, min=0, max=100, description="% of the population in the file (0: not known)"
        )
        self.share.style, self.share.layout = {"description_width": "initial"}, {"width": "420px"}
        self.make = _button("Make the report", self._make)
        self.where = _text("save as", "risk_report.html")
        self.save = _button("Save page and numbers", self._save)
        self.sentence = _area("62px")
        self.page = _area(PAGE_HEIGHT)

    def _read(self):
        """Read the files, uploaded or named by a path; there may be no control."""
        sources = {
            name: upload.value[0]["content"] if upload.value else path.value
            for name, upload, path in zip(FILES, self.uploads, self.paths, strict=True)
        }
        if "" in list(sources.values())[:2]:
            self._say(CHOOSE)
            return
        how = {
            "separator": self.separator.value or None,
            "decimal": self.decimal.value or None,
            "encoding": self.encoding.value or None,
        }
        given = {name: one for name, one in sources.items() if one != ""}
        self._show(*read_tables(given, **how))

    def _show(self, confidential, synthetic, control=None):
        """Build the live part for two tables."""
        tables = checks.report_tables(confidential, synthetic, control)
        roles = choose_roles(tables, Choices())
        self.live = matching_panel(roles) if roles.paired else funnel_panel(roles)
        self.tables, self.control = (confidential, synthetic), control
        self.report, self.roles, self.intruders = None, roles, {}
        self.picture = self.live.picture
        self.aims = _ticks(roles.compared, roles.targets, "and wants to learn")
        self.place.children = [self.live, self.aims]
        self.page.value = paragraph("The report will be shown here.")
        self._say(roles.sentences[0])

    def _add(self):
        """Remember what is ticked as what one more intruder knows."""
        knows = list(self.live.values()["knows"]) if self.live else []
        if not knows:
            self._say("Read two files first, and tick what this intruder knows.")
            return
        self.intruders[self.who.value] = knows
        self._say(f"The report will have a line for each of: {listing(self.intruders)}.")

    def _make(self):
        """Make the whole report and show it."""
        if self.tables is None:
            self._say("Read two files first.")
            return
        choices = self.choices()
        if choices is None:
            self._say(TICK)
            return
        self._say("Making the report …")
        options = {"control": self.control, "records": self.records.value, "progress": False}
        self.report = risk_report(*self.tables, **options, **choices)
        self.page.value = f'<div style="{PAGE_STYLE}">{html_body(self.report)}</div>'
        self._say("The report stands below; nothing is saved yet.")

    def choices(self):
        """Return what is chosen, by the names that `risk_report` has for it; None if too little."""
        chosen = self.live.values()
        keys, choices = list(chosen["knows"]), {"intruders": self.intruders}
        if not keys:
            return None
        if self.share.value > 0:
            choices["fraction"] = self.share.value / 100
        if self.roles.paired:
            keys, synthesized = split(self.roles, keys)
            radius = _radii(self.roles, chosen["knows"], chosen["radius"])
            choices |= {"known": keys, "synthesized": synthesized, "radius": radius}
        aims = list(self.aims.value)
        if aims and set(keys) - set(aims):
            choices |= {"keys": [name for name in keys if name not in aims], "targets": aims}
        return choices

    def _save(self):
        """Save the report that was made."""
        if self.report is None:
            self._say("Make the report first.")
            return
        saved = self.report.save(self.where.value)
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
            sentence = f"Something went wrong: {error}"
            self.sentence.value = paragraph(sentence, "synthrisk-error")


# The live part


def matching_panel(roles):
    """Build the live panel of two tables whose rows pair: matching, beside the baseline."""
    variables = roles.known + roles.synthesized
    margins = {"left": 0.03, "right": 0.97, "top": 0.82, "bottom": 0.18, "wspace": 0.25}
    figure, axes = look.figure(2.7, 3, margins=margins)

    def compute(knows, radius):
        """Match with what is ticked: the three tables of the picture."""
        if not knows:
            return None
        known, synthesized = split(roles, knows)
        radii = _radii(roles, knows, radius)
        now = replace(roles, known=known, synthesized=synthesized, radius=radii)
        return match_files(now)

    def draw(axes, result):
        """Draw the summaries of both tables."""
        if result is not None:
            matching_pictures.draw_summaries(axes, result)

    most = compute(variables, 0)["confidential"].summary()
    limits = [most.expected_match_risk, max(most.true_match_rate, 1e-9), 1]
    names = ["confidential", "synthetic", "floor"]
    return Panel(
        {
            "knows": _ticks(variables, variables),
            "radius": percent_slider("radius (synthesized)", 0, 100, 10),
        },
        compute,
        draw,
        say_matching,
        Canvas(figure, axes, lambda axes: matching_pictures.frame_summaries(axes, limits, names)),
    )


def say_matching(result):
    """Read the three summaries aloud, in short."""
    if result is None:
        return TICK
    truth, found, least = result["confidential"], result["synthetic"], result["floor"]
    summary = found.summary()
    false = "nobody has a single candidate, so the false match rate is undefined."
    if summary.unique_matches:
        false = (
            f"of the {say(summary.unique_matches)} with a single candidate, "
            f"{about(100 * summary.false_match_rate)} % have somebody else's."
        )
    return (
        f"Pointing at one candidate for each of the {len(found.records):,} records, the intruder "
        f"is right {rounded(summary.expected_match_risk)} times on average (confidential table: "
        f"{rounded(truth.summary().expected_match_risk)}; floor: "
        f"{rounded(least.summary().expected_match_risk)}). {say(found.records.K.sum())} records "
        f"are found uniquely and correctly (confidential table: {say(truth.records.K.sum())}); "
        f"{false}"
    )


def _radii(roles, knows, per_cent):
    """The radius of every number that is ticked; known ones keep theirs, as in the report."""
    moved = varied(roles) or list(roles.radius)
    return {
        name: per_cent / 100 if name in moved else r
        for name, r in roles.radius.items()
        if name in knows
    }


def split(roles, knows):
    """Split what the intruder knows into unchanged and synthesized columns."""
    known = [name for name in roles.known if name in knows]
    return known, [name for name in roles.synthesized if name in knows]


def funnel_panel(roles):
    """Build the live panel of two tables whose rows do not pair: how far keys lead."""
    names = roles.compared
    figure, ax = look.figure(3.4, margins={"left": 0.38, "right": 0.97, "bottom": 0.18})

    def compute(knows, target):
        """Look everybody up by what is ticked."""
        keys = [name for name in knows if name != target]
        if not keys:
            return None
        options = replace(roles, keys=keys).options_of(target)
        found = disclosure(roles.confidential, roles.synthetic, keys, target, **options)
        return SimpleNamespace(keys=keys, target=target, attribute=found.attribute.iloc[0])

    def draw(ax, now):
        """Draw the funnel, if there is one."""
        if now is not None:
            disclosure_pictures.draw_funnel(ax, now.attribute)

    first = roles.targets[0] if roles.targets else names[0]
    return Panel(
        {
            "knows": _ticks(names, roles.keys),
            "target": step_slider("and wants to learn", [(str(n), n) for n in names], first),
        },
        compute,
        draw,
        say_funnel,
        Canvas(figure, ax, disclosure_pictures.frame_funnel),
    )


def say_funnel(now):
    """Read the funnel aloud."""
    if now is None:
        return TICK
    found = now.attribute
    return (
        f"Knowing {named(now.keys)}, the intruder finds {percent(found.iS / 100)} of the records' "
        f"keys in the synthetic table; for {percent(found.DiS / 100)} all answers about "
        f"{now.target} agree, and for {percent(found.DiSCO / 100)} (DiSCO) they are right. The "
        f"confidential table itself would tell it for {percent(found.Dorig / 100)} (Dorig)."
    )


# Controls


def _upload(label):
    """A button that takes one file into the kernel."""
    upload = ipywidgets.FileUpload(accept=".csv,.tsv,.txt,.gz", multiple=False, description=label)
    upload.layout = {"width": "260px"}
    return upload


def _text(label, value=""):
    """A line to type into."""
    style = {"description_width": "initial"}
    return ipywidgets.Text(value, description=label, style=style, layout={"width": "420px"})


def _ticks(names, ticked, label="the intruder knows"):
    """Tick boxes for the columns; many of them scroll."""
    ticks = Ticks(label, names, ticked)
    ticks.layout.max_height, ticks.layout.overflow = "150px", "auto"
    return ticks


def _dropdown(label, options):
    """A list to choose one of."""
    style = {"description_width": "initial"}
    return ipywidgets.Dropdown(
        options=options, description=label, style=style, layout={"width": "215px"}
    )


def _row(*controls):
    """Controls side by side, as far as the page is wide."""
    return ipywidgets.Box(controls, layout={"flex_flow": "row wrap", "max_width": WIDTH})


def _area(height):
    """A space for words, of fixed size, that scrolls rather than grows."""
    sides = {"width": WIDTH, "max_width": "100%", "height": height, "overflow": "auto"}
    return ipywidgets.HTML(layout=sides | {"flex": "0 0 auto"})


def _button(label, action):
    """A button; `action` is a method of the panel it stands in."""
    button = ipywidgets.Button(description=label, layout={"width": "auto"})
    button.on_click(lambda _: action.__self__._attempt(action))
    return button
