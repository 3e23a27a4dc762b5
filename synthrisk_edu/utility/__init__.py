"""Is it still useful? Measures of utility that stand beside every measure of risk.

| module | the question it answers |
|---|---|
| `propensity` | can a model tell synthetic from confidential records? `pmse`, `pmse_ratio` |
| `tables` | which combinations of variables look different? `pmse_tables` |
| `estimates` | does an analysis give the same answer? `ecdf_distance`, `interval_overlap`, … |
| `checks` | what can be compared? |
"""

from synthrisk_edu.utility.estimates import (
    combine_partially_synthetic,
    ecdf_distance,
    interval_overlap,
)
from synthrisk_edu.utility.propensity import pmse, pmse_ratio, resampled_null
from synthrisk_edu.utility.tables import pmse_tables
