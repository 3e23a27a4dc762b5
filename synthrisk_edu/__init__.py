"""synthrisk_edu: learn, live in Jupyter, how the disclosure risk of synthetic data is measured.

`import synthrisk_edu as sr` gives the names below; everything else is private. Pictures and panels
are in `synthrisk_edu.plots` and `synthrisk_edu.widgets`, which are imported by themselves so that
a script that only computes needs neither.
"""

from synthrisk_edu.data import codebook, load_acs, load_ce, load_diagnosis
from synthrisk_edu.disclosure import (
    Disclosure,
    disclosure,
    disclosure_from_counts,
    multi_disclosure,
    remove_replicated_uniques,
)
from synthrisk_edu.matching import Match, Matcher, baseline, match
from synthrisk_edu.sweeps import match_all, maximizing_radius, radius_sweep, record_risk
from synthrisk_edu.synthesis import synthesize_cart, synthesize_dpmpm, synthesize_linear
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
    "Match",
    "Matcher",
    "baseline",
    "codebook",
    "combine_partially_synthetic",
    "disclosure",
    "disclosure_from_counts",
    "ecdf_distance",
    "interval_overlap",
    "load_acs",
    "load_ce",
    "load_diagnosis",
    "match",
    "match_all",
    "maximizing_radius",
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
]
