"""What if there are several synthetic data sets, or several radii?

The three summaries are computed per synthetic data set and then averaged; the risk of a single
record is averaged over the data sets too. A sweep repeats that over a grid of radii, because no
radius is right by itself: the one that shows most risk is the one to report.
"""

from itertools import product

import numpy as np
import pandas as pd

from synthrisk_edu.matching import Matcher, checks, match


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
    synthetics, known, synthesized = _checked(confidential, synthetics, known, synthesized)
    rows = [
        match(confidential, synthetic, known, synthesized, radius, **how).summary()
        for synthetic in synthetics
    ]
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
    synthetics, known, synthesized = _checked(confidential, synthetics, known, synthesized)
    risks = [
        match(confidential, synthetic, known, synthesized, radius, **how).records.risk.to_numpy()
        for synthetic in synthetics
    ]
    table = pd.DataFrame(dict(enumerate(risks, start=1)), index=confidential.index)
    return table.assign(mean=table.mean(axis=1))


def _checked(confidential, synthetics, known, synthesized):
    """Check all m data sets before the first is matched; return them and the names as lists."""
    checks.frame("confidential", confidential)
    synthetics = checks.frames("synthetics", synthetics)
    known, synthesized = checks.roles(known, synthesized)
    for number, synthetic in enumerate(synthetics):
        checks.pair(confidential, synthetic, known + synthesized, f"synthetics[{number}]")
    return synthetics, known, synthesized


def radius_sweep(
    confidential, synthetics, known, synthesized, radii, *, vary=None, fixed=None, **how
):
    """Match at every radius of a grid with each of the m synthetic data sets.

    `radii` is a list of radii for the variables in `vary` (by default the numeric synthesized
    ones), or a mapping of two variables to lists. `fixed` holds radii that stay put, such as
    {"Age": 0.1}. Further arguments as for `match`.

    One row per radius and data set: `radius` (or two `radius_<variable>`), `dataset`, summary.
    """
    synthetics, known, synthesized = _checked(confidential, synthetics, known, synthesized)
    grid = checks.radius_grid(radii, vary, synthesized, [confidential, *synthetics])
    fixed = checks.fixed_radii(fixed, grid, known + synthesized)
    rows = []
    for number, synthetic in enumerate(synthetics, start=1):
        matcher = Matcher(confidential, synthetic, known, synthesized, **how)
        for values in product(*(radii for _, radii in grid.values())):
            shown = dict(zip(grid, values, strict=True))
            moving = {name: shown[column] for column in grid for name in grid[column][0]}
            rows.append(shown | {"dataset": number} | dict(matcher.at(fixed | moving).summary()))
    table = pd.DataFrame(rows)
    table.attrs = confidential.attrs  # so that a panel can name the variables
    return table.sort_values([*grid, "dataset"], kind="stable", ignore_index=True)


def maximizing_radius(sweep):
    """Return the radius with the highest expected match risk, averaged over the data sets.

    It is the one to report, because no other radius of the grid shows more risk. On ties the
    smallest radius wins. A sweep over two variables gives a dict variable → radius.

    >>> sweep = pd.DataFrame({"radius": [0.1, 0.2, 0.3], "expected_match_risk": [5.0, 8.0, 8.0]})
    >>> maximizing_radius(sweep)
    0.2
    """
    columns = checks.sweep(sweep)
    mean = sweep.groupby(columns).expected_match_risk.mean()  # sorted from small to large radii
    best = mean.index[np.isclose(mean, mean.max(), rtol=1e-12, atol=0)][0]
    if len(columns) == 1:
        return float(best)
    variables = [name.removeprefix("radius_") for name in columns]
    return {name: float(r) for name, r in zip(variables, best, strict=True)}


def at_maximizing_radius(sweeps, by):
    """Keep the rows of several sweeps that stand at the maximizing radius of their own sweep.

    `by` names the column that tells the sweeps apart. This is how releases are compared fairly.
    """
    checks.sweep(sweeps)
    checks.columns("sweeps", sweeps, ["radius", *checks.names("by", [by])])
    each = [sweep for _, sweep in sweeps.groupby(by, sort=False)]
    return pd.concat([sweep[sweep.radius == maximizing_radius(sweep)] for sweep in each])
