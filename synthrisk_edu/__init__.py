"""synthrisk_edu: learn, live in Jupyter, how the disclosure risk of synthetic data is measured.

`import synthrisk_edu as sr` gives the names below; everything else is private. Pictures and panels
are in `synthrisk_edu.plots` and `synthrisk_edu.widgets`, which are imported by themselves so that
a script that only computes needs neither.
"""

from synthrisk_edu.data import codebook, load_acs, load_ce, load_diagnosis, load_youth
from synthrisk_edu.disclosure import (
    Disclosure,
    disclosure,
    disclosure_from_counts,
    multi_disclosure,
    remove_replicated_uniques,
)
from synthrisk_edu.intruder import IntruderRisk, combine_estimates, intruder_risk, mode_guess
from synthrisk_edu.matching import Match, Matcher, baseline, match
from synthrisk_edu.sweeps import match_all, maximizing_radius, radius_sweep, record_risk
from synthrisk_edu.synthesis import (
    fit_multinomial,
    synthesize_cart,
    synthesize_dpmpm,
    synthesize_linear,
    synthesize_multinomial,
)
from synthrisk_edu.utility import (
    combine_partially_synthetic,
    ecdf_distance,
    interval_overlap,
    pmse,
    pmse_ratio,
    pmse_tables,
)

__version__ = "0.1.0"

__all__ = [
    "Disclosure",
    "IntruderRisk",
    "Match",
    "Matcher",
    "baseline",
    "codebook",
    "combine_estimates",
    "combine_partially_synthetic",
    "disclosure",
    "disclosure_from_counts",
    "ecdf_distance",
    "fit_multinomial",
    "interval_overlap",
    "intruder_risk",
    "load_acs",
    "load_ce",
    "load_diagnosis",
    "load_youth",
    "match",
    "match_all",
    "maximizing_radius",
    "mode_guess",
    "multi_disclosure",
    "pmse",
    "pmse_ratio",
    "pmse_tables",
    "radius_sweep",
    "record_risk",
    "remove_replicated_uniques",
    "synthesize_cart",
    "synthesize_dpmpm",
    "synthesize_linear",
    "synthesize_multinomial",
]
