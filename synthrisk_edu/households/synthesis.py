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

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.households.structure import (
    FLAG,
    columns_of_wide,
    slot_column,
    split_slot_column,
    unflatten,
)
from synthrisk_edu.households.weights import WEIGHT, check_survey_weights, recalibrate
from synthrisk_edu.synthesis.cart import VariableTrees, code_table, is_weighed, matrix

KEPT = ("region", "state", "rural")
LEAF = 15  # the smallest number of records in a leaf, as in the report


def synthesize(
    wide: pd.DataFrame,
    m: int = 1,
    *,
    weights: Iterable[float] | None = None,
    weigh_donors: bool | str = False,
    flags_see_partner: bool = True,
    seed: int | None = None,
) -> list[pd.DataFrame]:
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
    _check_wide(wide)
    checks.number("m", m, 1, whole=True)
    checks.one_of("weigh_donors", weigh_donors, (False, True, "classes"))
    weights = checks.weights(weights, len(wide))
    rng = checks.generator(seed)
    rows_of_regions = _rows_of_regions(wide)
    if weigh_donors:
        _check_donors(weights, rows_of_regions)

    columns = plan(wide, flags_see_partner)
    slots = columns_of_wide(wide).slots
    coded, levels = _coded(wide)
    regions = []
    for rows in rows_of_regions:
        region = Region(coded, levels, slots, rows, weights[rows], weigh_donors)
        for column in columns:
            region.grow(column, rng)
        regions.append(region)

    files = []
    for _ in range(m):
        drawn = pd.concat([region.draw(columns, rng) for region in regions]).sort_index()
        synthetic = _decoded(drawn, levels, wide)
        files.append(recalibrate(synthetic, wide))
    return files


def _check_wide(wide):
    """A wide file can be synthesized."""
    checks.frame("wide", wide, ["respondents"])
    checks.quantities("wide", wide, checks.numeric_names(wide.columns, [wide]))
    persons, households = unflatten(wide)
    check_survey_weights(persons, households)


def _check_donors(weights, rows_of_regions):
    """Every region has somebody to draw a value from."""
    for rows in rows_of_regions:
        if not weights[rows].any():
            raise ValueError(
                "every household of a region has weight 0, so there is nobody to draw a value "
                "from; take a higher cutoff, or weigh_donors=False."
            )


def _rows_of_regions(wide):
    """Return the rows of every region; without a column region, all rows."""
    if "region" not in wide:
        return [np.arange(len(wide))]
    number = wide.groupby("region", observed=True, dropna=False).ngroup().to_numpy()
    return [np.flatnonzero(number == region) for region in range(number.max() + 1)]


def _coded(wide):
    """Return the columns as numbers, and their levels; a variable has the same in all slots."""
    names = columns_of_wide(wide)
    columns_of_variables = [[name] for name in names.of_households]
    for name in (FLAG, *names.of_persons):
        columns_of_variables.append([slot_column(name, slot) for slot in names.slots])
    return code_table(wide, columns_of_variables)


def _decoded(drawn, levels, wide):
    """Return drawn numbers as the values they stand for, in a file like the confidential one."""
    synthetic = {"household": np.arange(1, len(wide) + 1)}
    for name in drawn:
        values = drawn[name]
        if levels[name] is not None:
            codes = values.fillna(-1).astype(int)
            values = pd.Series(levels[name]).reindex(codes)  # there is no level −1: missing
        synthetic[name] = values.astype(wide[name].dtype).array
    return pd.DataFrame(synthetic, index=wide.index)[list(wide.columns)]


# ------------------------------------------------------------------- what predicts what


class PlannedColumn(NamedTuple):
    """One column to synthesize: its name, its slot (None for a household's), its predictors."""

    name: str
    slot: tuple | None
    predictors: list


def plan(wide: pd.DataFrame, flags_see_partner: bool = True) -> list[PlannedColumn]:
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
    names = columns_of_wide(wide)
    y = [name for name in KEPT if name in wide]
    columns = []
    for name in _weight_last(names.of_households):
        if name not in KEPT:
            columns.append(PlannedColumn(name, slot=None, predictors=list(y)))
            y.append(name)
    y = [name for name in y if name not in (WEIGHT, "region")]
    for number, slot in enumerate(names.slots):
        earlier = names.slots[:number]
        if slot[1] == 2:
            of_partner = names.of_persons if flags_see_partner else []
            columns.append(_planned_flag(slot, y, earlier, of_partner))
        columns += _planned_person(slot, y, earlier, names.of_persons, WEIGHT in wide)
    return columns


def _weight_last(names):
    """The names in their order, but a weight at the end: it predicts nothing but weights."""
    return sorted(names, key=lambda name: name == WEIGHT)


def _planned_flag(slot, y, earlier, of_partner):
    """The column Z_l2: given Y, earlier second flags, and what is known of person (l, 1)."""
    couple, _ = slot
    flags = [slot_column(FLAG, before) for before in earlier if before[1] == 2]
    partner = [slot_column(name, (couple, 1)) for name in of_partner if name != WEIGHT]
    return PlannedColumn(slot_column(FLAG, slot), slot, predictors=[*y, *flags, *partner])


def _planned_person(slot, y, earlier, variables, household_has_weight):
    """The columns of one person, each given the household, the person and the same of others."""
    columns = []
    own = []  # the person's own columns so far
    for name in _weight_last(variables):
        if name != WEIGHT:
            household = y
        elif household_has_weight:
            household = [WEIGHT]
        else:
            household = []
        same = [slot_column(name, before) for before in earlier]
        column = slot_column(name, slot)
        columns.append(PlannedColumn(column, slot, predictors=[*household, *own, *same]))
        own.append(column)
    return columns


# ------------------------------------------------------------------------------ regions


class ColumnModel(NamedTuple):
    """How one column is drawn: its trees, its predictors, and the positions of its donors."""

    trees: VariableTrees
    predictors: list
    donors: np.ndarray


class Region:
    """The confidential households of one region, as numbers, and the trees grown on them.

    `models` has the `ColumnModel` of every column that has donors: households of this region with
    such a value.
    """

    def __init__(self, coded, levels, slots, rows, weights, weigh_donors):
        """Keep what the trees will be grown on.

        `coded` and `levels` are those of the whole wide file, `rows` are the region's rows of it,
        and `weights` the weights of these rows.
        """
        self.coded = {name: numbers[rows] for name, numbers in coded.items()}
        self.levels = levels
        self.slots = slots
        self.rows = rows
        self.weights = weights
        self.weigh_donors = weigh_donors
        self.models = {}

    def grow(self, column, rng):
        """Grow the trees of one column on the households that have such a value."""
        levels = self.levels[column.name]
        may_lend = self.has_value(column)
        if is_weighed(self.weigh_donors, levels is not None):
            may_lend = may_lend & (self.weights > 0)
        donors = np.flatnonzero(may_lend)
        if len(donors) == 0:
            return
        trees = VariableTrees(
            matrix(self.coded, column.predictors, donors),
            [self.levels[name] for name in column.predictors],
            self.coded[column.name][donors],
            levels,
            weights=self.weights[donors],
            min_leaf=LEAF,
            rng=rng,
            weigh_donors=self.weigh_donors,
        )
        self.models[column.name] = ColumnModel(trees, column.predictors, donors)

    def has_value(self, column):
        """Which households have a value: all, those with that person, or those with a choice."""
        if column.slot is None:
            return np.ones(len(self.rows), dtype=bool)
        flag = slot_column(FLAG, column.slot)
        if column.name != flag:
            return self.coded[flag] == 1
        couple, _ = column.slot
        first_is_there = self.coded[slot_column(FLAG, (couple, 1))] == 1
        earlier = self.slots[: self.slots.index(column.slot)]
        placed = sum(self.coded[slot_column(FLAG, slot)] for slot in earlier)
        return first_is_there & (placed < self.coded["respondents"])

    def draw(self, columns, rng):
        """Draw the region's synthetic households, as numbers."""
        drawn = {name: self.coded[name] for name in KEPT if name in self.coded}
        everybody = np.ones(len(self.rows), dtype=bool)
        for column in columns:
            if column.slot is None:
                drawn[column.name] = self.borrow(column, drawn, everybody, rng)
        respondents = drawn["respondents"]
        if "residents" in drawn and self.levels["residents"] is None:  # not in groups such as "5+"
            residents = drawn["residents"]  # who answers lives there
            drawn["residents"] = np.where(residents < respondents, respondents, residents)
        to_place = respondents
        for number, slot in enumerate(self.slots, start=1):
            flag = slot_column(FLAG, slot)
            of_slot = [column for column in columns if column.slot == slot]
            if slot[1] == 1:
                there = to_place > 0
            else:
                slots_to_come = len(self.slots) - number
                flag_column = of_slot.pop(0)
                there = self.draw_second(flag_column, drawn, there, to_place, slots_to_come, rng)
            drawn[flag] = there.astype(float)
            to_place = to_place - there
            for column in of_slot:
                drawn[column.name] = self.borrow(column, drawn, there, rng)
        return pd.DataFrame(drawn, index=self.rows)

    def draw_second(self, column, drawn, first_is_there, to_place, slots_to_come, rng):
        """Say where a couple has a second person; drawn where somebody remains to be placed.

        With fewer slots to come than people to place, this one must be taken.
        """
        forced = first_is_there & (to_place > slots_to_come)
        undecided = first_is_there & (to_place > 0) & ~forced
        flags = self.borrow(column, drawn, undecided, rng)
        return forced | (flags == 1)

    def borrow(self, column, drawn, wanted, rng):
        """Return the values of one column, drawn where wanted and missing elsewhere."""
        values = np.full(len(wanted), np.nan)
        rows = np.flatnonzero(wanted)
        if len(rows):
            source, predictors = self.model_for(column)
            model = self.models[source]
            chosen = model.trees.donors(matrix(drawn, predictors, rows), rng)
            values[rows] = self.coded[source][model.donors[chosen]]
        return values

    def model_for(self, column):
        """The column whose trees to use, and what this column has in place of its predictors.

        A slot without donors borrows: from the same place of the couple before, or, for the second
        person of the first couple, from the first person.
        """
        source = column.name
        slot = column.slot
        while source not in self.models:
            couple, place = slot
            before = (couple - 1, place) if couple > 1 else (1, 1)
            source = _moved(source, slot, before)
            slot = before
        predictors = [_moved(name, slot, column.slot) for name in self.models[source].predictors]
        return source, predictors


def _moved(name, origin, target):
    """The column of the same variable when slot `origin` becomes `target`; partners move along.

    >>> _moved("age_2_1", (2, 2), (5, 2)), _moved("age_1_1", (2, 2), (5, 2))
    ('age_5_1', 'age_1_1')
    """
    variable, slot = split_slot_column(name)
    if slot is None or origin == target:
        return name
    if slot == origin:
        return slot_column(variable, target)
    if slot[0] == origin[0] != target[0]:
        return slot_column(variable, (target[0], slot[1]))
    return name
