"""What about people who live together?

A household is easier to find than a person: two ages, two trades and a village say more than one.
One module for each step: `structure` (three levels in one row), `synthesis`, `weights`,
`uniqueness` (is a sample unique also unique in the population?) and `risk`.
"""

from synthrisk_edu.households.risk import (
    attribute_risk,
    down_weights,
    draw_sample,
    group_states,
    near_incomes,
    population_counts,
    qi_names,
    qi_table,
    sampling_fractions,
    unique_pairs,
    unique_uniques,
)
from synthrisk_edu.households.structure import flatten, unflatten
from synthrisk_edu.households.synthesis import synthesize_households
from synthrisk_edu.households.weights import rake, recalibrate, trimmed

__all__ = [
    "attribute_risk",
    "down_weights",
    "draw_sample",
    "flatten",
    "group_states",
    "near_incomes",
    "population_counts",
    "qi_names",
    "qi_table",
    "rake",
    "recalibrate",
    "sampling_fractions",
    "synthesize_households",
    "trimmed",
    "unflatten",
    "unique_pairs",
    "unique_uniques",
]
