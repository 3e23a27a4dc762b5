"""synthrisk_edu: learn, live in Jupyter, how the disclosure risk of synthetic data is measured.

`import synthrisk_edu as sr` gives the names below; everything else is private. Pictures and panels
are in `synthrisk_edu.plots` and `synthrisk_edu.widgets`, which are imported by themselves so that
a script that only computes needs neither.
"""

from importlib import import_module

from synthrisk_edu.code import r_script, show_code
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
    intruder_baselines,
    intruder_risk,
    mode_guess,
    model_draws,
    simulate_again,
)
from synthrisk_edu.match import Match, baseline, floor, match
from synthrisk_edu.members import Members, closest_record, compare_members, copies
from synthrisk_edu.sweep import (
    at_maximizing_radius,
    match_all,
    maximizing_radius,
    narrow_down,
    radius_sweep,
    record_risk,
    share_curve,
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

_LESSON = '`from synthrisk_classroom import lesson`, `my = lesson("01")`, then `{}`'
# What went with 0.2.0, and where its work is done now.
_GONE = {
    "check": _LESSON.format('my.check("01.1", answer)'),
    "hint": _LESSON.format('my.hint("01.1")'),
    "solution": _LESSON.format('my.solution("01.1")'),
    "data_for": _LESSON.format("my.data"),
    "seed_for": '`lesson("01", student="your id")` of synthrisk_classroom gives tables of your own',
    "answer": "`python3 start.py grade` writes the key of a class",
    "check_environment": "`from synthrisk_classroom import check_environment`",
    "Matcher": "`match(...)` gives a Match, and its `.at(radius)` answers at another radius",
    "match_together": "`intruder_risk(..., radius=..., relative=True, shape='box')` uses all files",
    "synthesize_multinomial": "`fit_multinomial(...)` fits the chain, and its `.draws` makes files",
    "rake": "`synthesize_households` rakes the weights it makes",
    "group_states": "it stands in data/make_household_results.py, which uses it",
    "with_family": "`plots.risk_and_utility` and its panel use the methods' own names",
    "floor_from_counts": "`floor` takes the records themselves",
    "copies_from_counts": "`copies` takes the records themselves",
    "unique_uniques_from_counts": "`unique_uniques` takes the records themselves",
    "count_file": "let a database count, and give the table to `disclosure_from_counts`",
    "report_from_counts": "`disclosure_from_counts` measures tables of counts",
}


def __getattr__(name):
    """Bring the report when it is asked for; say where a name of an older version is now."""
    if name in _REPORT:
        return getattr(import_module("synthrisk_edu.report"), name)
    if name in _GONE:
        raise AttributeError(f"synthrisk_edu.{name} went with version 0.2.0: {_GONE[name]}.")
    raise AttributeError(f"module 'synthrisk_edu' has no attribute {name!r}")
