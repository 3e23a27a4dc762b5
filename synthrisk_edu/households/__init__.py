"""What about people who live together?

A household is easier to find than a person: two ages, two trades and a village say more than one.
One module for each step: `structure` (three levels in one row), `synthesis`, `weights`,
`loglinear` and `uniqueness` (is a sample unique also unique in the population?), `risk`, and
`comparison` (is it still useful?).
"""

from synthrisk_edu.households.comparison import (
    extremes,
    household_tables,
    marginals,
    mean_ratios,
    person_table,
    spouses,
    whole_file,
    with_family,
)
from synthrisk_edu.households.risk import (
    HOUSEHOLD_QIS,
    PERSON_QIS,
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
from synthrisk_edu.households.synthesis import HouseholdSynthesizer, plan, synthesize_households
from synthrisk_edu.households.uniqueness import (
    PopulationModel,
    fit_population_model,
    population_risk,
)
from synthrisk_edu.households.weights import rake, recalibrate, trimmed
