"""synthrisk_edu: learn, live in Jupyter, how the disclosure risk of synthetic data is measured.

`import synthrisk_edu as sr` gives the names below; everything else is private. Pictures and panels
are in `synthrisk_edu.plots` and `synthrisk_edu.widgets`, which are imported by themselves so that
a script that only computes needs neither.
"""

from importlib import import_module

from synthrisk_edu import households
from synthrisk_edu.data import (
    Households,
    codebook,
    in_words,
    load_acs,
    load_acs_synthetics,
    load_ce,
    load_diagnosis,
    load_households,
    load_results,
    load_youth,
    prepare_youth,
)
from synthrisk_edu.disco import (
    Disclosure,
    disclosure,
    disclosure_from_counts,
    multi_disclosure,
    remove_replicated_uniques,
)
from synthrisk_edu.draws import mode_guess, model_draws, relink, simulate_again
from synthrisk_edu.fetch import (
    at_hand,
    fetch_acs,
    fetch_adult,
    fetch_ce,
    fetch_diagnosis,
    fetch_youth,
)
from synthrisk_edu.first_steps import narrow_down, share_curve
from synthrisk_edu.in_r import r_script
from synthrisk_edu.intruder import (
    IntruderRisk,
    intruder_baselines,
    intruder_risk,
)
from synthrisk_edu.matching import Match, baseline, floor, match
from synthrisk_edu.members import Members, compare_members, copies
from synthrisk_edu.nearest import closest_record
from synthrisk_edu.noise import noise_draws, noisy_counts, possible_counts, synthesize_noisy
from synthrisk_edu.source import show_code
from synthrisk_edu.sweep import (
    at_maximizing_radius,
    match_all,
    maximizing_radius,
    radius_sweep,
    record_risk,
)
from synthrisk_edu.synthesis import (
    fit_multinomial,
    redraw,
    synthesize_cart,
    synthesize_dpmpm,
    synthesize_linear,
)
from synthrisk_edu.utility import (
    average_of_m,
    combine_estimates,
    combine_partially_synthetic,
    ecdf_distance,
    interval_overlap,
    pmse,
    pmse_ratio,
    pmse_tables,
    quartiles,
)

__version__ = "0.2.0"
_REPORT = ("Report", "read_pair", "risk_report")  # takes long to import, and few need it


def __getattr__(name):
    """Bring the report when it is asked for."""
    if name in _REPORT:
        return getattr(import_module("synthrisk_edu.report"), name)
    raise AttributeError(f"module 'synthrisk_edu' has no attribute {name!r}")
