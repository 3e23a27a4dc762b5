"""The panel of differential privacy: what does ε promise, and what do two intruders get?"""

from collections.abc import Sequence
from functools import lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.disco import disclosure
from synthrisk_edu.noise import noise_draws
from synthrisk_edu.plots import noise as pictures
from synthrisk_edu.widgets.controls import step_slider
from synthrisk_edu.widgets.panel import Panel

EPSILONS = [0.1, 0.2, 0.5, 1, 2, 5, 10]
FILES, SEED = 100, 1


def noise_panel(
    data: pd.DataFrame, keys: Sequence[str], target: str, looked_at: Sequence[str]
) -> Panel:
    """Build the panel of ε: one count with and without a person, and DiSCO of a hundred files.

    `keys` are those of DiSCO; the plain guess looks at some of them, `looked_at`.
    """
    published = np.linspace(*pictures.ENDS, 500)

    @lru_cache(maxsize=len(EPSILONS))
    def files(epsilon):
        return noise_draws(data, keys, target, epsilon, looked_at=looked_at, files=FILES, seed=SEED)

    def chance_with(count, epsilon):
        return np.exp(-epsilon * np.abs(count - 1))

    def chance_without(count, epsilon):
        return np.exp(-epsilon * np.abs(count))

    def compute(epsilon):
        heights = {}
        for count in pictures.COUNTS:
            heights[count] = max(chance_with(count, epsilon), chance_without(count, epsilon))
        return SimpleNamespace(
            epsilon=epsilon,
            times=np.exp(epsilon),
            published=published,
            with_person=chance_with(published, epsilon),
            without_person=chance_without(published, epsilon),
            heights=heights,
            files=files(epsilon),
            found=by_epsilon.loc[epsilon],
            records=files(epsilon).records.mean(),
            true=true,
            people=len(data),
        )

    rows = {}
    for epsilon in EPSILONS:
        both = files(epsilon)[["DiSCO", "guess"]]
        rows[epsilon] = both.agg(["mean", "min", "max"]).unstack()
    by_epsilon = pd.DataFrame(rows).T
    true = {
        "DiSCO": disclosure(data, data, list(keys), target).attribute.DiSCO[1],
        "guess": _commonest_share(data, list(looked_at), target),
    }
    controls = {"epsilon": step_slider("ε", EPSILONS, EPSILONS[-1])}
    return Panel(pictures.noise_picture, controls, compute, by_epsilon, true)


def _commonest_share(data, looked_at, target):
    """For how many per cent the commonest answer of those who agree on `looked_at` is right."""
    counts = data.groupby([*looked_at, target], observed=True).size()
    return 100 * counts.groupby(level=looked_at, observed=True).max().sum() / len(data)
