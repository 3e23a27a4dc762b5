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

from synthrisk_edu import checks
from synthrisk_edu.households.structure import FLAG, SLOT_COLUMN, layout, slot_column, unflatten
from synthrisk_edu.households.weights import recalibrate
from synthrisk_edu.synthesis.cart import VariableTrees, code_table, is_weighed, matrix

KEPT = ("region", "state", "rural")
WEIGHT = "weight"
LEAF = 15  # the smallest number of records in a leaf, as in the report


def synthesize(wide, m=1, *, weights=None, weigh_donors=False, flags_see_partner=True, seed=None):
    """Synthesize a wide file m times; return m wide files with the same columns.

    Ids are numbered anew. Weights are trimmed and raked to the confidential totals at the end.

    Args:
        wide: the file that `flatten` makes, with the column respondents.
        m: how many synthetic files to make.
        weights: one weight per household for growing the trees, such as `down_weights` gives.
        weigh_donors: True draws donors by these weights too, so that a household of weight 0 is
            never drawn; "classes" does so for categories only.
        flags_see_partner: predict Z_l2 from person (l, 1) too, not from Y and earlier flags alone.
        seed: equal seeds, equal files.

    >>> wide = pd.DataFrame({"household": range(50), "respondents": 1, "present_1_1": 1,
    ...                      "age_1_1": [61, 47] * 25})
    >>> synthetic, = synthesize(wide, seed=1)
    >>> sorted(synthetic["age_1_1"].unique().tolist())
    [47, 61]
    """
    _check(wide)
    checks.one_of("weigh_donors", weigh_donors, (False, True, "classes"))
    weights, rng = checks.weights(weights, len(wide)), checks.generator(seed)
    columns, regions = plan(wide, flags_see_partner), []
    coded, levels = _coded(wide)
    for rows in _regions(wide):
        here = {name: numbers[rows] for name, numbers in coded.items()}
        regions.append(Region(here, levels, layout(wide)[2], rows, weights[rows], weigh_donors))
        for column in columns:
            regions[-1].grow(column, rng)
    made = []
    for _ in range(checks.number("m", m, 1, whole=True)):
        drawn = pd.concat([region.draw(columns, rng) for region in regions]).sort_index()
        made.append(recalibrate(_decoded(drawn, levels, wide), wide))
    return made


def _check(wide):
    """Look whether a wide file can be synthesized."""
    checks.columns("wide", wide, ["respondents"])
    checks.numeric("wide", wide, checks.numeric_names(wide.columns, [wide]))
    for label, file in zip(("persons", "households"), unflatten(wide), strict=True):
        if WEIGHT in file:
            checks.complete(label, file, [WEIGHT])


def _coded(wide):
    """Return the columns as numbers, and their levels; a variable has the same in all slots."""
    household, variables, slots = layout(wide)
    of_slots = [[slot_column(name, slot) for slot in slots] for name in (FLAG, *variables)]
    return code_table(wide, [*([name] for name in household), *of_slots])


def _regions(wide):
    """The rows of every region; without a column region, all rows."""
    if "region" not in wide:
        return [np.arange(len(wide))]
    number = wide.groupby("region", observed=True, dropna=False).ngroup().to_numpy()
    return [np.flatnonzero(number == one) for one in range(number.max() + 1)]


def _decoded(drawn, levels, wide):
    """Return drawn numbers as the values they stand for, in a file like the confidential one."""
    synthetic = {"household": np.arange(1, len(wide) + 1)}
    for name in drawn:
        values = drawn[name]
        if levels[name] is not None:
            values = pd.Series(levels[name]).reindex(values.fillna(-1).astype(int))
        synthetic[name] = values.astype(wide[name].dtype).array
    return pd.DataFrame(synthetic, index=wide.index)[list(wide.columns)]


class PlannedColumn(NamedTuple):
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
        columns.append(PlannedColumn(name, None, list(y)))
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
    return PlannedColumn(slot_column(FLAG, slot), slot, [*y, *flags, *partner])


def _person(slot, y, earlier, variables, household_has_weight):
    """The columns of one person, each given the household, the person and the same of others."""
    columns, person = [], []
    for name in _weight_last(variables):
        same = [slot_column(name, one) for one in earlier]
        household = ([WEIGHT] if household_has_weight else []) if name == WEIGHT else y
        columns.append(PlannedColumn(slot_column(name, slot), slot, [*household, *person, *same]))
        person.append(slot_column(name, slot))
    return columns


class Region:
    """The confidential households of one region, as numbers, and the trees grown on them.

    `models` has for every column its trees, its predictors, and its donors: the positions of those
    of these households that have such a value.
    """

    def __init__(self, coded, levels, slots, rows, weights, weigh_donors):
        """Keep what the trees will be grown on; `rows` are the region's rows of the wide file."""
        self.coded, self.levels, self.slots, self.rows = coded, levels, slots, rows
        self.weights, self.weigh_donors, self.models = weights, weigh_donors, {}
        if weigh_donors and not weights.any():
            raise ValueError(
                "every household of a region has weight 0, so there is nobody to draw a value "
                "from; take a higher cutoff, or weigh_donors=False."
            )

    def grow(self, column, rng):
        """Grow the trees of one column on the households that have such a value."""
        levels = self.levels[column.name]
        weighed = is_weighed(self.weigh_donors, levels is not None)
        donors = np.flatnonzero(self.has_value(column) & ((self.weights > 0) | (not weighed)))
        if len(donors):
            x = matrix(self.coded, column.predictors, donors)
            levels_of_x = [self.levels[name] for name in column.predictors]
            how = {"min_leaf": LEAF, "weights": self.weights[donors], "rng": rng}
            how |= {"weigh_donors": self.weigh_donors}
            trees = VariableTrees(x, levels_of_x, self.coded[column.name][donors], levels, **how)
            self.models[column.name] = trees, column.predictors, donors

    def has_value(self, column):
        """Which households have a value: all, those with that person, or those with a choice."""
        if column.slot is None:
            return np.ones(len(self.rows), dtype=bool)
        if column.name != slot_column(FLAG, column.slot):
            return self.coded[slot_column(FLAG, column.slot)] == 1
        earlier = self.slots[: self.slots.index(column.slot)]
        placed = sum(self.coded[slot_column(FLAG, slot)] for slot in earlier)
        first = self.coded[slot_column(FLAG, (column.slot[0], 1))] == 1
        return first & (placed < self.coded["respondents"])

    def draw(self, columns, rng):
        """Draw the region's synthetic households, as numbers."""
        made = {name: self.coded[name] for name in KEPT if name in self.coded}
        there = np.ones(len(self.rows), dtype=bool)
        for column in columns:
            if column.slot is None:
                made[column.name] = self.borrow(column, made, there, rng)
        to_place = respondents = made["respondents"]
        if "residents" in made and self.levels["residents"] is None:  # not in groups such as "5+"
            residents = made["residents"]  # who answers lives there
            made["residents"] = np.where(residents < respondents, respondents, residents)
        for number, slot in enumerate(self.slots, start=1):
            of_slot = [column for column in columns if column.slot == slot]
            possible = to_place > 0
            if slot[1] == 2:
                # With fewer slots to come than people to place, this one must be taken.
                forced = there & (to_place > len(self.slots) - number)
                undecided = there & possible & ~forced
                possible = forced | (self.borrow(of_slot.pop(0), made, undecided, rng) == 1)
            there = possible
            made[slot_column(FLAG, slot)] = there.astype(float)
            to_place = to_place - there
            for column in of_slot:
                made[column.name] = self.borrow(column, made, there, rng)
        return pd.DataFrame(made, index=self.rows)

    def borrow(self, column, made, wanted, rng):
        """Return the values of one column, drawn where wanted and missing elsewhere."""
        values, rows = np.full(len(wanted), np.nan), np.flatnonzero(wanted)
        if len(rows):
            source, predictors = self.model_for(column)
            trees, _, donors = self.models[source]
            chosen = trees.donors(matrix(made, predictors, rows), rng)
            values[rows] = self.coded[source][donors[chosen]]
        return values

    def model_for(self, column):
        """The column whose trees to use, and what this column has in place of its predictors.

        A slot without donors borrows: from the same place of the couple before, or, for the second
        person of the first couple, from the first person.
        """
        source, slot = column.name, column.slot
        while source not in self.models:
            before = (slot[0] - 1, slot[1]) if slot[0] > 1 else (1, 1)
            source, slot = _moved(source, slot, before), before
        return source, [_moved(name, slot, column.slot) for name in self.models[source][1]]


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
