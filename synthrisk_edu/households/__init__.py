"""What about people who live together?

A household is easier to find than a person: two ages, two trades and a village say more than one.

| module | the question it answers |
|---|---|
| `structure` | how do household, couple and person fit into one row, and back? |
| `synthesis` | how is a synthetic household made? |
| `weights` | how do its survey weights meet the totals of the survey? |
| `risk` | who can be found, what would one learn, and how are they protected? |
| `uniqueness` | is somebody who is unique in the sample unique in the population? |
| `loglinear` | how many households of each kind does a model expect there? |
| `comparison` | is the synthetic file still useful? |
"""

from synthrisk_edu.households.comparison import (
    extremes,
    marginals,
    mean_ratios,
    spouses,
    tables,
)
from synthrisk_edu.households.risk import (
    HOUSEHOLD_QIS,
    PERSON_QIS,
    attribute_risk,
    down_weights,
    draw_sample,
    near_incomes,
    population_counts,
    qi_names,
    qi_table,
    sampling_fractions,
    unique_pairs,
    unique_uniques,
)
from synthrisk_edu.households.structure import flatten, unflatten
from synthrisk_edu.households.synthesis import plan, synthesize
from synthrisk_edu.households.uniqueness import fit_population_model, population_risk
