"""How a synthetic household is made: one variable after the other, one person after the other.

The wide file (see `structure`) is synthesized from left to right with CART, separately in every
region:

1. the household variables Y, each given those before it. Region, state and rural stay as they are.
2. the first person's variables, each given Y and the person's own earlier variables.
3. every further slot (l, r). Is there a person? Then this person's variables, each given Y, the
   person's own earlier variables, and the *same* variable of the persons before.

A tree cannot promise that flags add up. So Z_l1 = 1 exactly while respondents remain to be placed,
and only Z_l2 is drawn, where somebody remains to be placed: is the next one this person's partner?
Survey weights come last: a household's weight predicts nothing but weights, and a person's weight
is predicted by it, the weights of the persons before, and the person's own variables.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from synthrisk_edu.households import checks
from synthrisk_edu.households.structure import (
    FLAG,
    SLOT_COLUMN,
    check_wide,
    fits,
    layout,
    slot_column,
    spread,
)
from synthrisk_edu.households.weights import recalibrate
from synthrisk_edu.progress import track
from synthrisk_edu.synthesis.cart import Coded, Step, code_columns
from synthrisk_edu.synthesis.lookalikes import is_weighed

KEPT = ("region", "state", "rural")
WEIGHT = "weight"


def synthesize_households(
    wide,
    m=1,
    *,
    min_leaf=15,
    weights=None,
    weigh_donors=False,
    flags_see_partner=True,
    seed=None,
    progress=False,
):
    """Synthesize a wide file m times; return m wide files with the same columns.

    Ids are numbered anew. Weights are trimmed and raked to the confidential totals at the end.

    Args:
        wide: the file that `flatten` makes, with the column respondents.
        m: how many synthetic files to make.
        min_leaf: the smallest number of records in a leaf.
        weights: one weight per household for growing the trees, such as `down_weights` gives.
        weigh_donors: True draws donors by these weights too, so that a household of weight 0 is
            never drawn; "classes" does so for categories only.
        flags_see_partner: predict Z_l2 from person (l, 1) too, not from Y and earlier flags alone.
        seed: equal seeds, equal files.
        progress: show a line of progress.

    >>> wide = pd.DataFrame({"household": range(50), "respondents": 1, "present_1_1": 1,
    ...                      "age_1_1": [61, 47] * 25})
    >>> synthetic, = synthesize_households(wide, seed=1)
    >>> sorted(synthetic["age_1_1"].unique().tolist())
    [47, 61]
    """
    m, progress = checks.count("m", m), checks.flag("progress", progress)
    how = {"min_leaf": min_leaf, "weights": weights, "weigh_donors": weigh_donors, "seed": seed}
    how |= {"flags_see_partner": flags_see_partner, "progress": progress}
    synthesizer = HouseholdSynthesizer(wide, **how)
    return [synthesizer.draw() for _ in track(range(m), "drawing households", progress)]


class HouseholdSynthesizer:
    """Trees grown once; every call of `draw` gives another synthetic file."""

    def __init__(
        self, wide, *, min_leaf, weights, weigh_donors, flags_see_partner, seed, progress=False
    ):
        """Grow the trees; the arguments are those of `synthesize_households`."""
        self.wide, self.slots = wide, _check(wide)
        min_leaf, self.rng = checks.count("min_leaf", min_leaf), checks.generator(seed)
        weights = checks.weights(weights, len(wide))
        weigh_donors = checks.weigh_donors(weigh_donors)
        self.columns = plan(wide, checks.flag("flags_see_partner", flags_see_partner))
        self.regions = [
            _Region(wide.iloc[rows], self.slots, rows, weights[rows], weigh_donors)
            for rows in _regions(wide)
        ]
        work = [(region, column) for region in self.regions for column in self.columns]
        for region, column in track(work, "growing trees", progress):
            region.grow(column, min_leaf, self.rng)

    def draw(self):
        """Draw one synthetic wide file; its weights are trimmed and raked."""
        parts = [region.draw(self.columns, self.rng) for region in self.regions]
        drawn = pd.concat(parts).sort_index().set_axis(self.wide.index)
        drawn["household"] = range(1, len(drawn) + 1)
        return recalibrate(drawn[list(self.wide.columns)], self.wide)


def _check(wide):
    """Look whether a wide file can be synthesized; return its slots."""
    variables, present = check_wide(wide)
    in_slots = {name: [slot_column(name, slot) for slot in present] for name in variables}
    checks.households_to_synthesize(wide, in_slots)
    weighed = {slot_column(WEIGHT, slot): there for slot, there in present.items()}
    for name, there in {WEIGHT: present[1, 1], **weighed}.items():
        if name in wide and there.any():
            checks.survey_weights(wide, name, there)
    return list(present)


class Column(NamedTuple):
    """One column to synthesize: its name, its slot (None for a household's), its predictors."""

    name: str
    slot: tuple | None
    predictors: list


def plan(wide, flags_see_partner=True):
    """List the columns in the order in which they are synthesized, with their predictors.

    >>> wide = pd.DataFrame(columns=["household", "state", "respondents", "present_1_1", "age_1_1",
    ...                              "present_1_2", "age_1_2"])
    >>> for column in plan(wide):
    ...     print(column.name, "given", *column.predictors)
    respondents given state
    age_1_1 given state respondents
    present_1_2 given state respondents age_1_1
    age_1_2 given state respondents age_1_1
    """
    household, variables, slots = layout(wide)
    y = [name for name in KEPT if name in wide]
    columns = []
    for name in _weight_last(name for name in household if name not in KEPT):
        columns.append(Column(name, None, list(y)))
        y.append(name)
    y = [name for name in y if name not in (WEIGHT, "region")]
    for place, slot in enumerate(slots):
        earlier = slots[:place]
        if slot[1] == 2:
            columns.append(_flag(slot, y, earlier, variables if flags_see_partner else []))
        columns += _person(slot, y, earlier, variables, WEIGHT in wide)
    return columns


def _weight_last(names):
    """The names in their order, but a weight at the end: it predicts nothing but weights."""
    return sorted(names, key=lambda name: name == WEIGHT)


def _flag(slot, y, earlier, partner_variables):
    """The column Z_l2: given Y, earlier second flags, and what is known of person (l, 1)."""
    flags = [slot_column(FLAG, one) for one in earlier if one[1] == 2]
    partner = [slot_column(name, (slot[0], 1)) for name in partner_variables if name != WEIGHT]
    return Column(slot_column(FLAG, slot), slot, [*y, *flags, *partner])


def _person(slot, y, earlier, variables, household_has_weight):
    """The columns of one person, each given the household, the person and the same of others."""
    columns, person = [], []
    for name in _weight_last(variables):
        same = [slot_column(name, one) for one in earlier]
        household = ([WEIGHT] if household_has_weight else []) if name == WEIGHT else y
        columns.append(Column(slot_column(name, slot), slot, [*household, *person, *same]))
        person.append(slot_column(name, slot))
    return columns


def _regions(wide):
    """The rows of every region; without a column region, all rows."""
    if "region" not in wide:
        return [np.arange(len(wide))]
    number = wide.groupby("region", observed=True, dropna=False).ngroup().to_numpy()
    return [np.flatnonzero(number == one) for one in range(number.max() + 1)]


class _Region:
    """The confidential households of one region, and the trees grown on them.

    `models` has for every column its trees and its donors, the positions of these households.
    """

    def __init__(self, data, slots, rows, weights, weigh_donors):
        self.data, self.slots, self.rows, self.weights = data, slots, rows, weights
        self.weigh_donors = weigh_donors
        checks.some_donor((weights > 0) | (not weigh_donors), data)
        self.coded, self.models = code_columns(data, data.columns), {}

    def grow(self, column, min_leaf, rng):
        """Grow the trees of one column on the households that have such a value."""
        donors = np.flatnonzero(self.has_value(column) & self.may_be_donor(column))
        if len(donors):
            known = {name: self.coded[name].where(donors) for name in column.predictors}
            values = self.data[column.name].iloc[donors]
            how = {"min_leaf": min_leaf, "weights": self.weights[donors], "rng": rng}
            how |= {"weigh_donors": self.weigh_donors}
            self.models[column.name] = Step(values, known, (), **how), donors

    def may_be_donor(self, column):
        """Which households may be donors: all, or those with a weight if donors are weighed."""
        is_class = not checks.is_numeric(self.data[column.name])
        return (self.weights > 0) | (not is_weighed(self.weigh_donors, is_class))

    def has_value(self, column):
        """Which households have a value: all, those with that person, or those with a choice."""
        if column.slot is None:
            return np.ones(len(self.data), dtype=bool)
        if column.name != slot_column(FLAG, column.slot):
            return self.data[slot_column(FLAG, column.slot)].to_numpy() == 1
        earlier = self.slots[: self.slots.index(column.slot)]
        placed = sum(self.data[slot_column(FLAG, slot)].to_numpy(dtype=int) for slot in earlier)
        first = self.data[slot_column(FLAG, (column.slot[0], 1))].to_numpy() == 1
        return first & (placed < self.data["respondents"].to_numpy())

    def draw(self, columns, rng):
        """Draw the region's synthetic households."""
        synthetic = {name: self.data[name].array for name in KEPT if name in self.data}
        coded = {name: self.coded[name] for name in synthetic}
        everyone = np.ones(len(self.data), dtype=bool)
        for column in columns:
            if column.slot is None:
                synthetic[column.name] = self.borrow(column, coded, everyone, rng)
        _raise_residents(synthetic)
        coded |= code_columns(synthetic, {"residents"} & set(synthetic))
        to_place = np.asarray(synthetic["respondents"], dtype=int)
        there = everyone
        for number, slot in enumerate(self.slots):
            of_slot = [column for column in columns if column.slot == slot]
            possible = to_place > 0
            if slot[1] == 2:
                # With fewer slots to come than people to place, this one must be taken.
                forced = there & (to_place > len(self.slots) - number - 1)
                undecided = there & possible & ~forced
                possible = forced | self.flag(of_slot.pop(0), coded, undecided, rng)
            there, flag = possible, slot_column(FLAG, slot)
            synthetic[flag], coded[flag] = there.astype(np.int64), Coded(there.astype(float), None)
            to_place = to_place - there
            for column in of_slot:
                synthetic[column.name] = self.borrow(column, coded, there, rng)
        return pd.DataFrame(synthetic, index=self.rows)

    def flag(self, column, coded, undecided, rng):
        """Draw Z_l2 for those who are undecided; 0 for the others."""
        drawn = self.borrow(column, coded, undecided, rng)
        return pd.array(drawn, dtype="Int64").fillna(0).to_numpy(dtype=bool)

    def borrow(self, column, coded, wanted, rng):
        """The values of one column, drawn where wanted and missing elsewhere; `coded` gets them."""
        donors = np.full(len(self.data), -1)
        source = column.name
        if wanted.any():
            source, predictors = self.model_for(column)
            trees, households = self.models[source]
            pairs = zip(trees.predictors, predictors, strict=True)
            known = {name: coded[here].where(wanted) for name, here in pairs}
            donors[wanted] = households[trees.donors(known, wanted.sum(), rng)]
        coded[column.name] = self.coded[source].take(donors)
        values = pd.Series(spread(self.data[source], donors))
        dtype = self.data[column.name].dtype
        return (values.astype(dtype) if fits(values, dtype) else values).array

    def model_for(self, column):
        """The column whose trees to use, and what this column has in place of its predictors.

        A slot without donors borrows: from the same place of the couple before, or, for the second
        person of the first couple, from the first person.
        """
        source, slot = column.name, column.slot
        while source not in self.models:
            before = (slot[0] - 1, slot[1]) if slot[0] > 1 else (1, 1)
            source, slot = _moved(source, slot, before), before
        grown = self.models[source][0].predictors
        return source, [_moved(name, slot, column.slot) for name in grown]


def _moved(name, origin, target):
    """The column of the same variable when slot `origin` becomes `target`; partners move along.

    >>> _moved("age_2_1", (2, 2), (5, 2)), _moved("age_1_1", (2, 2), (5, 2))
    ('age_5_1', 'age_1_1')
    """
    found = SLOT_COLUMN.fullmatch(str(name))
    if not found or origin == target:
        return name
    slot = int(found[2]), int(found[3])
    if slot == origin:
        return slot_column(found[1], target)
    if slot[0] == origin[0] != target[0]:
        return slot_column(found[1], (target[0], slot[1]))
    return name


def _raise_residents(synthetic):
    """Nobody answers who does not live there: at least as many residents as respondents."""
    if "residents" not in synthetic:
        return
    residents = pd.Series(synthetic["residents"])
    if checks.is_numeric(residents):  # groups such as "5 or more" stay as they are
        fewest = pd.Series(synthetic["respondents"]).astype(residents.dtype)
        synthetic["residents"] = residents.mask(residents < fewest, fewest).array
