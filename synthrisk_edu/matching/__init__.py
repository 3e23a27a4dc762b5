"""Who could this be? c_i, T_i, the radius, and what changes when the radius does.

| module | the question it answers |
|---|---|
| `matcher` | which synthetic records match a target? `match`, `baseline`, `floor`, `Matcher` |
| `story` | what happened to one record, in words? |
| `counting` | how many points lie in a box, without comparing everyone with everyone? |
| `sweeps` | and with several synthetic data sets, or several radii? |
| `illustrations` | how few facts single a person out? what if only some are synthesized? |
| `checks` | is this radius usable? |
"""

from synthrisk_edu.matching.illustrations import narrow_down, share_curve
from synthrisk_edu.matching.matcher import (
    Match,
    Matcher,
    baseline,
    count_unique,
    floor,
    floor_from_counts,
    match,
    three_matches,
)
from synthrisk_edu.matching.sweeps import (
    at_maximizing_radius,
    match_all,
    maximizing_radius,
    radius_sweep,
    record_risk,
)
