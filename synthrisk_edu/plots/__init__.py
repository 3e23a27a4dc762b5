"""How does it look? `draw_*(ax, …)` fills axes it is given, and computes nothing.

One module for each room it draws; `look` holds the colours and markers that every lesson shares.
`frame_*` draws what stays while a slider moves, `draw_*` what moves.
"""

from synthrisk_edu.plots.disclosure import funnel, identity, look_up, synthesizers, targets
from synthrisk_edu.plots.examples import (
    radius_boxes,
    scenario_boxes,
    tradeoff,
    two_way_boxes,
    unique_matches,
)
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
