"""The panels alone, for a projector: choose a lesson, then a panel (`python3 start.py app`).

Every panel is that of a lesson, with the same data and seeds. It is built when it is first chosen,
so that the page opens at once.
"""

from functools import cache
from typing import NamedTuple

import ipywidgets
import numpy as np

from synthrisk_edu.classroom import game_panel as game
from synthrisk_edu.data import (
    in_words,
    load_acs,
    load_acs_synthetics,
    load_ce,
    load_diagnosis,
    load_households,
    load_results,
    load_youth,
)
from synthrisk_edu.households import flatten, qi_names, qi_table, synthesize_households
from synthrisk_edu.intruder import intruder_risk
from synthrisk_edu.matching import match_all, radius_sweep
from synthrisk_edu.synthesis import fit_multinomial, redraw, synthesize_cart
from synthrisk_edu.widgets import disclosure, examples, households, intruder, matching, report
from synthrisk_edu.widgets.panel import paragraph

# Everything a third larger than in a notebook: about 20 pixels for text, for the last row.
STYLE = """<style>
.synthrisk-app { zoom: 1.3; --jp-widgets-font-size: 15px }
.synthrisk-app > .widget-html p { max-width: 860px }
</style>"""


class Entry(NamedTuple):
    """A panel one can choose: its title, what to try in one sentence, and how it is built."""

    title: str
    sentence: str
    build: object


# Lessons 00, 01 and 03: persons

KNOWN, SYNTHESIZED = ["SEX", "RACE", "MAR"], ["DIS", "HICOV"]
FACTS = ["SEX", "MAR", "RACE", "WAOB", "DIS", "HICOV", "MIG", "SCH"]
OTHERS = ["SEX", "RACE", "MAR", "LANX", "WAOB", "MIG", "SCH", "HISP"]


@cache
def people():
    """The persons of the ACS example, in words."""
    return in_words(load_acs(), "acs")


@cache
def released_people():
    """Twenty synthetic versions of them."""
    return [in_words(data, "acs") for data in load_acs_synthetics()]


# Lessons 02 and 04: consumer units

CE_KNOWN, CE_SYNTHESIZED, CE_FIXED = (
    ["Age", "Urban", "Marital"],
    ["Expenditure", "Income"],
    {"Age": 0.1},
)
RADII = [0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]


@cache
def units():
    """The consumer units and their synthetic version."""
    ce = in_words(load_ce(), "ce")
    return ce, redraw(ce, CE_SYNTHESIZED, given=CE_SYNTHESIZED, seed=1)


@cache
def village():
    """Sixty of them with ordinary incomes and expenditures, in both files."""
    fits = [d.Income.between(1, 150_000) & d.Expenditure.between(1, 30_000) for d in units()]
    few = fits[0].index[fits[0] & fits[1]][:60]
    return [data.loc[few].reset_index(drop=True) for data in units()]


def surface():
    """The expected match risk over two radii."""
    ce, released = units()
    grid = dict.fromkeys(CE_SYNTHESIZED, RADII)
    return radius_sweep(ce, [released], CE_KNOWN, CE_SYNTHESIZED, grid, fixed=CE_FIXED)


# Lesson 05: youths

YOUTH = ["ethnicity"], ["facility", "race"]


@cache
def youths():
    """The youths without the four smallest facilities, and ten released files."""
    youth = load_youth()
    youth = youth[~youth.facility.isin([34, 20, 12, 22])].reset_index(drop=True)
    youth["facility"] = youth.facility.cat.remove_unused_categories()
    for name in ("race", "ethnicity", "crime"):
        youth[name] = youth[name].astype("Int64").fillna(9).astype(int).astype("category")
    chain = fit_multinomial(youth, YOUTH[1], ["ethnicity", "age", "sex"])
    rng = np.random.default_rng(1)
    return youth, [chain.draw(youth, rng) for _ in range(10)]


def someone():
    """The youth whom the intruder is surest of."""
    youth, released = youths()
    return int(intruder_risk(youth, released, *YOUTH).records.highest.to_numpy().argmax())


def knowledge_by_files():
    """The panel of one youth, for an intruder with one, three or ten released files."""
    youth, released = youths()
    draws = {"one file": released[:1], "three files": released[:3], "ten files": released}
    return intruder.target_panel(youth, draws, *YOUTH, target=someone())


# Lesson 06: what the keys give away

KEYS = ["sex", "age", "region", "placesize"]
TARGETS = ["marital", "workab", "ls", "depress", "income"]
SPECIAL = {"income": [-8]}


@cache
def diagnosis():
    """The persons of the social survey, and five fully synthetic versions."""
    persons = load_diagnosis()
    made = synthesize_cart(persons, list(persons.columns), m=5, special=SPECIAL, seed=1)
    return persons, made


def all_targets():
    """The panel of all targets beside each other."""
    persons, made = diagnosis()
    options = {"groups": {"income": 20}, "special": SPECIAL}
    return disclosure.targets_panel(persons, made[0], KEYS, TARGETS, **options)


# Lesson 07: households


@cache
def homes():
    """The quasi-identifiers and incomes of the households, confidential and synthetic."""
    data = load_households()
    wide = flatten(data.persons, data.households, max_respondents=8)
    return qi_table(wide), qi_table(synthesize_households(wide, seed=2023)[0])


def found_out():
    """The panel of a1 and a2."""
    return households.attribute_panel(*homes(), qi_names(), load_results("household_risk").r)


def most_respondents():
    """The panel of H."""
    respondents = load_households().households["respondents"]
    return households.sizes_panel(load_results("household_sizes"), respondents)


LESSONS = {
    "00 Start here": [
        Entry(
            "How few facts does it take?",
            "Choose a person, and see who still fits as the intruder learns more.",
            lambda: matching.narrowing_panel(people(), FACTS, person=3),
        ),
    ],
    "01 The matching approach": [
        Entry(
            "The intruder game",
            "Ten line-ups: point at a record, and compare with chance and the best intruder.",
            lambda: game.intruder_game(people(), [*KNOWN, "WAOB"], [*SYNTHESIZED, "LANX", "SCH"]),
        ),
        Entry(
            "One target",
            "Who could this be? Change what the intruder knows and what is synthesized.",
            lambda: matching.candidates_panel(
                people(), KNOWN + SYNTHESIZED, SYNTHESIZED, target=55
            ),
        ),
        Entry(
            "The whole file",
            "How many candidates has everybody, and what do the three summaries say?",
            lambda: matching.file_panel(people(), KNOWN + SYNTHESIZED, SYNTHESIZED),
        ),
        Entry(
            "How much is synthesized?",
            "Redraw a larger share of the records, and watch the three summaries.",
            lambda: matching.share_panel(people(), KNOWN, SYNTHESIZED),
        ),
    ],
    "02 Radius illustrations": [
        Entry(
            "One variable",
            "Who is a candidate when incomes need only be near?",
            lambda: matching.interval_panel(*village(), "Income", limits=(-5, 155)),
        ),
        Entry(
            "Two variables",
            "A box or an ellipse around the target, with or without a category.",
            lambda: matching.box_panel(
                *village(), "Income", "Expenditure", "Tenure", limits=((-5, 155), (-1, 32))
            ),
        ),
        Entry(
            "The radius to report",
            "The risk of the file and of one record against the radius.",
            lambda: matching.sweep_panel(
                *units(), CE_KNOWN, CE_SYNTHESIZED, fixed=CE_FIXED, target=5
            ),
        ),
        Entry(
            "One radius for each variable",
            "A map of the risk over two radii: where is its top?",
            lambda: matching.surface_panel(surface()),
        ),
    ],
    "03 The ACS example": [
        Entry(
            "Several files",
            "How many files until the average settles?",
            lambda: examples.average_panel(
                match_all(people(), released_people(), KNOWN, SYNTHESIZED)
            ),
        ),
        Entry(
            "What the intruder knows",
            "Tick what is known, and count the unique matches, true and false.",
            lambda: examples.known_panel(
                people(), released_people()[0], OTHERS, KNOWN, SYNTHESIZED
            ),
        ),
        Entry(
            "How many classes?",
            "Risk beside usefulness as the model gets more classes.",
            lambda: examples.classes_panel(load_results("acs_classes")),
        ),
    ],
    "04 The CE example": [
        Entry(
            "What is synthesized",
            "Risk against the radius, for one variable synthesized or for both.",
            lambda: examples.scenario_panel(load_results("ce_releases")),
        ),
        Entry(
            "Which file to release?",
            "Every dot is a file: its risk and its usefulness.",
            lambda: examples.release_panel(load_results("ce_releases")),
        ),
        Entry(
            "One file, or the average of several?",
            "How much does chance matter when m files are released?",
            lambda: examples.pool_panel(load_results("ce_pool"), len(units()[0])),
        ),
    ],
    "05 Intruder knowledge": [
        Entry(
            "When is a match believed?",
            "Move the threshold, and count who is believed to be found and who is.",
            lambda: intruder.threshold_panel(*youths(), *YOUTH),
        ),
        Entry(
            "One youth",
            "What the intruder believes with one, three or ten released files.",
            knowledge_by_files,
        ),
        Entry(
            "What the intruder knows of the making",
            "The same file, and an intruder who knows more and more of how it was made.",
            lambda: intruder.knowledge_panel(load_results("youth_knowledge")),
        ),
        Entry(
            "Is the person in the file at all?",
            "With a larger population the intruder can be less sure.",
            lambda: intruder.population_panel(*youths(), *YOUTH, target=someone()),
        ),
    ],
    "06 A DiSCO walkthrough": [
        Entry(
            "Look this person up",
            "Found? One answer only? The right one? Try several persons and targets.",
            lambda: disclosure.look_up_panel(
                diagnosis()[0], diagnosis()[1][0], KEYS, TARGETS, person=1
            ),
        ),
        Entry(
            "The funnel of the file",
            "From everybody to those who are disclosed, and right.",
            lambda: disclosure.funnel_panel(*diagnosis(), KEYS, TARGETS, special=SPECIAL),
        ),
        Entry("All targets", "Which target is given away most, and is it a secret?", all_targets),
        Entry(
            "The table of exclusions",
            "Leave out what is nobody’s secret, step by step.",
            lambda: disclosure.exclusions_panel(diagnosis()[0], diagnosis()[1][0], KEYS, TARGETS),
        ),
        Entry(
            "Identity, key by key",
            "Who is unique as the keys are added one after the other?",
            lambda: disclosure.identity_panel(*diagnosis(), KEYS),
        ),
    ],
    "07 Household risk": [
        Entry(
            "How many respondents?",
            "Keep more persons of every household: when does it stop helping?",
            most_respondents,
        ),
        Entry(
            "Which quasi-identifiers are known?",
            "Tick what the intruder knows: who is unique, and how likely is a match right?",
            lambda: households.qis_panel(load_results("household_knowledge")),
        ),
        Entry(
            "A small state",
            "Sample more and more of it: how likely is a match right?",
            lambda: households.fraction_panel(load_results("household_fractions")),
        ),
        Entry(
            "What would be learnt?",
            "Choose whom to look at and how near is near (building it takes some seconds).",
            found_out,
        ),
        Entry(
            "Weights against risk",
            "Weight risky households down, and see what it costs.",
            lambda: households.protection_panel(load_results("household_methods")),
        ),
    ],
    "08 Your own data": [
        Entry(
            "A report on two files of yours",
            "Upload a confidential and a synthetic CSV file; they stay on this machine.",
            report.report_panel,
        ),
    ],
}


def panel_chooser(lessons=None):
    """Build the page of the app: a lesson, a panel of it, what to try, and the panel itself."""
    return PanelChooser(LESSONS if lessons is None else lessons)


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
                self.built[entry.title] = entry.build()
        except Exception as error:  # whatever it is, the class sees a sentence, not a blank
            self.words.value = paragraph(f"Something went wrong: {error}", "synthrisk-error")
            return
        self.words.value = paragraph(entry.sentence)
        self.place.children = (self.built[entry.title],)
