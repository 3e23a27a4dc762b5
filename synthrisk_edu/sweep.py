"""What if there are several synthetic files, several radii, or only some records synthesized?

The three summaries are computed per synthetic data set and then averaged; the risk of a single
record is averaged over the data sets too. A sweep repeats that over a grid of radii, because no
radius is right by itself: the one that shows most risk is the one to report.
"""

from itertools import product

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.matching import match


def match_all(confidential, synthetics, known, synthesized, radius=None, **how):
    """Match with each of m synthetic data sets: one row of the summary per data set.

    Take `.mean()` for the average over the m data sets; it skips an undefined (NaN) false match
    rate. Further arguments as for `match`.

    >>> confidential = pd.DataFrame({"Sex": list("FFMMM"), "Income": [20, 30, 20, 30, 30]})
    >>> match_all(confidential, [confidential, confidential], ["Sex"], ["Income"]).mean()
    expected_match_risk    4.0
    true_match_rate        0.6
    false_match_rate       0.0
    unique_matches         3.0
    dtype: float64
    """
    found = _matches(confidential, synthetics, known, synthesized, radius, **how)
    rows = [one.summary() for one in found]
    return pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1, name="dataset"))


def record_risk(confidential, synthetics, known, synthesized, radius=None, **how):
    """Return each record's risk T_i/c_i in every synthetic data set, and their mean.

    One column per data set, numbered from 1, and a last column "mean". Further arguments as for
    `match`.

    >>> confidential = pd.DataFrame({"Income": [20, 30]})
    >>> record_risk(confidential, [confidential], [], ["Income"])
         1  mean
    0  1.0   1.0
    1  1.0   1.0
    """
    found = _matches(confidential, synthetics, known, synthesized, radius, **how)
    table = pd.DataFrame({number: one.records.risk for number, one in enumerate(found, start=1)})
    return table.assign(mean=table.mean(axis=1))


def _matches(confidential, synthetics, known, synthesized, radius=None, **how):
    """Match with each of the data sets; all are looked at before the first is matched."""
    synthetics = checks.frames("synthetics", synthetics)
    known, synthesized = checks.roles(known, synthesized)
    for place, one in enumerate(synthetics):
        files = {"confidential": confidential, f"synthetics[{place}]": one}
        checks.same_kind(files, known + synthesized)
        checks.same_length(files)
    return [match(confidential, one, known, synthesized, radius, **how) for one in synthetics]


def radius_sweep(
    confidential, synthetics, known, synthesized, radii, *, vary=None, fixed=None, **how
):
    """Match at every radius of a grid with each of the m synthetic data sets.

    `radii` is a list of radii for the variables in `vary` (by default the numeric synthesized
    ones), or a mapping of two variables to lists. `fixed` holds radii that stay put, such as
    {"Age": 0.1}. Further arguments as for `match`.

    One row per radius and data set: `radius` (or two `radius_<variable>`), `dataset`, summary.
    """
    found = _matches(confidential, synthetics, known, synthesized, fixed, **how)
    if isinstance(radii, dict):
        grid = {f"radius_{name}": ([name], some) for name, some in radii.items()}
    else:
        usual = [name for name in found[0].numeric if name in found[0].synthesized]
        varied = usual if vary is None else checks.names("vary", vary)
        grid = {"radius": (varied, checks.listed("radii", radii, "radii, such as [0.01, 0.1]"))}
    for varied, _ in grid.values():
        checks.apart({"fixed": list(fixed or {}), "vary": varied})
        if not varied:
            raise ValueError("no synthesized variable is numeric; name numeric variables in vary.")
    rows = []
    for dataset, one in enumerate(found, start=1):
        for values in product(*(some for _, some in grid.values())):
            shown = dict(zip(grid, values, strict=True))
            moving = {name: shown[column] for column in grid for name in grid[column][0]}
            one = one.at((fixed or {}) | moving)
            rows.append(shown | {"dataset": dataset} | dict(one.summary()))
    table = pd.DataFrame(rows).sort_values([*grid, "dataset"], kind="stable", ignore_index=True)
    table.attrs = confidential.attrs  # so that a panel can name the variables
    return table


def maximizing_radius(sweep):
    """Return the radius with the highest expected match risk, averaged over the data sets.

    It is the one to report, because no other radius of the grid shows more risk. On ties the
    smallest radius wins. A sweep over two variables gives a dict variable → radius.

    >>> sweep = pd.DataFrame({"radius": [0.1, 0.2, 0.3], "expected_match_risk": [5.0, 8.0, 8.0]})
    >>> maximizing_radius(sweep)
    0.2
    """
    checks.columns("sweep", sweep, ["expected_match_risk"])
    grid = [name for name in sweep if name.split("_")[0] == "radius"]
    mean = sweep.groupby(grid).expected_match_risk.mean()  # sorted from small to large radii
    best = mean.index[np.isclose(mean, mean.max(), rtol=1e-12, atol=0)][0]
    if len(grid) == 1:
        return float(best)
    names = [name.removeprefix("radius_") for name in grid]
    return {name: float(r) for name, r in zip(names, best, strict=True)}


def at_maximizing_radius(sweeps, by):
    """Keep the rows of several sweeps that stand at the maximizing radius of their own sweep.

    `by` names the column that tells the sweeps apart. This is how releases are compared fairly.
    """
    checks.columns("sweeps", sweeps, ["radius", by])
    each = [sweep for _, sweep in sweeps.groupby(by, sort=False)]
    return pd.concat([sweep[sweep.radius == maximizing_radius(sweep)] for sweep in each])
