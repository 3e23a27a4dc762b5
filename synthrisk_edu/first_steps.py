"""What do the first lessons count? How facts narrow a crowd down, and what redrawing changes."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.cells import label_cells
from synthrisk_edu.data import plain_names
from synthrisk_edu.matching import match
from synthrisk_edu.synthesis import redraw


def narrow_down(
    data: pd.DataFrame, variables: Sequence[str], person: int, facts: int | None = None
) -> pd.DataFrame:
    """Count how many records still fit after each fact about one person, at position `person`.

    `variables` names the facts, in the order in which the intruder learns them; `facts` says how
    many of them the intruder knows (all when None).

    >>> people = pd.DataFrame({"Sex": list("FFMM"), "Town": list("ABBB")})
    >>> narrow_down(people, ["Sex", "Town"], person=0)
              fact  left
    0  nothing yet     4
    1      Sex = F     2
    2     Town = A     1
    """
    variables = checks.names("variables", variables)
    checks.frame("data", data, variables)
    person = checks.position("person", person, len(data))
    if facts is None:
        facts = len(variables)
    checks.number("facts", facts, 0, len(variables), whole=True)
    plain = plain_names(variables, data)
    still_fits = np.ones(len(data), dtype=bool)
    rows = [("nothing yet", len(data))]
    for name in variables[:facts]:
        (level,) = label_cells([data], [name])
        still_fits &= level == level[person]
        rows.append((f"{plain[name]} = {data[name].iloc[person]}", int(still_fits.sum())))
    return pd.DataFrame(rows, columns=["fact", "left"])


def share_curve(
    data: pd.DataFrame,
    known: Sequence[str],
    synthesized: Sequence[str],
    *,
    seed: int | None = None,
    steps: int = 20,
) -> pd.DataFrame:
    """Compute the summaries with 0 to 100 % of the records redrawn: one row per share.

    Each record that is redrawn receives the `synthesized` variables of a random record that agrees
    with it on `known`; see `redraw`. The first row, share 0, is the confidential file itself.

    >>> people = pd.DataFrame({"Town": list("AABBB"), "Job": ["baker", "cook", *["nurse"] * 3]})
    >>> share_curve(people, ["Town"], ["Job"], seed=1, steps=2)[["share", "expected_match_risk"]]
       share  expected_match_risk
    0    0.0                  3.0
    1    0.5                  1.5
    2    1.0                  1.5
    """
    checks.number("steps", steps, 1, whole=True)
    rows = []
    for share in np.arange(steps + 1) / steps:
        released = redraw(data, synthesized, known, share, seed=seed)
        summary = match(data, released, known, synthesized).summary()
        rows.append({"share": share} | dict(summary))
    return pd.DataFrame(rows)
