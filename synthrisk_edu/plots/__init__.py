"""How does it look? One module for each room; `look` holds what every lesson shares.

A `@picture` (see `picture`) is a function that draws what stays while a slider moves, and returns
the function `move`, which draws what moves and says what it shows. A picture computes nothing. The
functions listed here show one standing, for a notebook.
"""

from synthrisk_edu.plots.acs import unique_matches
from synthrisk_edu.plots.ce import radius_boxes, scenario_boxes, tradeoff, two_way_boxes
from synthrisk_edu.plots.disclosure import funnel, identity, look_up, synthesizers, targets
from synthrisk_edu.plots.households import (
    counts,
    differences,
    estimates,
    most_respondents,
    ratio_map,
    risk_and_utility,
    risk_by_tenth,
    states_by_variable,
    table_ratios,
)
from synthrisk_edu.plots.intruder import calibration, knowledge, probabilities
from synthrisk_edu.plots.look import figure, show
from synthrisk_edu.plots.matching import lineup, narrowing, share, whole_file
from synthrisk_edu.plots.members import distances, members_and_others
from synthrisk_edu.plots.radius import box, interval, surface, sweep, tenths
