"""What if I move this? The panels of the lessons; nothing else imports ipywidgets.

`panel` is the base that every panel is built on; one module for each room holds its panels.
"""

from synthrisk_edu.widgets.acs import average_panel, classes_panel, gibbs_panel, known_panel
from synthrisk_edu.widgets.ce import draws_panel, pool_panel, release_panel, scenario_panel
from synthrisk_edu.widgets.disclosure import (
    exclusions_panel,
    funnel_panel,
    guess_panel,
    identity_panel,
    look_up_panel,
    targets_panel,
)
from synthrisk_edu.widgets.game import average_scores, intruder_game
from synthrisk_edu.widgets.households import (
    attribute_panel,
    fraction_panel,
    protection_panel,
    qis_panel,
    sizes_panel,
)
from synthrisk_edu.widgets.intruder import (
    knowledge_panel,
    population_panel,
    target_panel,
    threshold_panel,
)
from synthrisk_edu.widgets.matching import (
    candidates_panel,
    file_panel,
    narrowing_panel,
    share_panel,
)
from synthrisk_edu.widgets.members import copies_panel, leaf_panel, members_panel
from synthrisk_edu.widgets.noise import noise_panel
from synthrisk_edu.widgets.panel import Panel
from synthrisk_edu.widgets.radius import box_panel, interval_panel, surface_panel, sweep_panel
from synthrisk_edu.widgets.report import report_panel
