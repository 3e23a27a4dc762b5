"""synthrisk_edu: learn, live in Jupyter, how the disclosure risk of synthetic data is measured.

`import synthrisk_edu as sr` gives the names below; everything else is private. Pictures and panels
are in `synthrisk_edu.plots` and `synthrisk_edu.widgets`, which are imported by themselves so that
a script that only computes needs neither.
"""

from synthrisk_edu.classroom import answer, check, data_for, hint, seed_for, solution
from synthrisk_edu.classroom.environment import check_environment
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
from synthrisk_edu.disclosure import (
    Disclosure,
    disclosure,
    disclosure_from_counts,
    multi_disclosure,
    remove_replicated_uniques,
)
from synthrisk_edu.fetch import (
    at_hand,
    fetch_acs,
    fetch_adult,
    fetch_ce,
    fetch_diagnosis,
    fetch_youth,
)
from synthrisk_edu.households import (
    attribute_risk,
    down_weights,
    draw_sample,
    extremes,
    flatten,
    household_tables,
    marginals,
    mean_ratios,
    population_counts,
    population_risk,
    qi_names,
    qi_table,
    sampling_fractions,
    spouses,
    synthesize_households,
    unflatten,
    unique_pairs,
    unique_uniques,
)
from synthrisk_edu.intruder import (
    IntruderRisk,
    combine_estimates,
    intruder_baselines,
    intruder_risk,
    match_together,
    mode_guess,
    model_draws,
)
from synthrisk_edu.matching import (
    Match,
    Matcher,
    at_maximizing_radius,
    baseline,
    floor,
    floor_from_counts,
    match,
    match_all,
    maximizing_radius,
    narrow_down,
    radius_sweep,
    record_risk,
    share_curve,
)
from synthrisk_edu.members import (
    Members,
    closest_record,
    compare_members,
    copies,
    copies_from_counts,
)
from synthrisk_edu.report import Report, count_file, read_pair, report_from_counts, risk_report
from synthrisk_edu.synthesis import (
    fit_multinomial,
    redraw,
    synthesize_cart,
    synthesize_dpmpm,
    synthesize_linear,
)
from synthrisk_edu.tradeoff import average_of_m, quartiles
from synthrisk_edu.utility import (
    combine_partially_synthetic,
    ecdf_distance,
    interval_overlap,
    pmse,
    pmse_ratio,
    pmse_tables,
)

__version__ = "0.1.0"
