"""Is it still useful? Measures of utility that stand beside every measure of risk.

| module | the question it answers |
|---|---|
| `propensity` | can a model, or a table, tell synthetic from confidential records? `pmse`, … |
| `estimates` | does an analysis give the same answer? `ecdf_distance`, `interval_overlap`, … |
| `checks` | what can be compared? |
"""

from synthrisk_edu.utility.estimates import (
    combine_estimates,
    combine_partially_synthetic,
    ecdf_distance,
    interval_overlap,
)
from synthrisk_edu.utility.propensity import pmse, pmse_ratio, pmse_tables, resampled_null
