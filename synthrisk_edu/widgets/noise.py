"""The panel of differential privacy: what does ε promise, and what do two intruders get?"""

from collections.abc import Sequence
from functools import lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from synthrisk_edu.disco import disclosure
from synthrisk_edu.noise import noise_draws
from synthrisk_edu.plots import noise as pictures
from synthrisk_edu.widgets.panel import Panel, step_slider

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

    def compute(epsilon):
        return SimpleNamespace(
            epsilon=epsilon,
            times=np.exp(epsilon),
            published=published,
            with_person=np.exp(-epsilon * np.abs(published - 1)),
            without_person=np.exp(-epsilon * np.abs(published)),
            files=files(epsilon),
            true=true,
            people=len(data),
        )

    files(EPSILONS[-1])  # the door: it checks the arguments
    true = {
        "DiSCO": disclosure(data, data, list(keys), target).attribute.DiSCO[1],
        "guess": _commonest_share(data, list(looked_at), target),
    }
    controls = {"epsilon": step_slider("ε", EPSILONS, EPSILONS[-1])}
    return Panel(pictures.NOISE, controls, compute, EPSILONS, true)


def _commonest_share(data, looked_at, target):
    """For how many per cent the commonest answer of those who agree on `looked_at` is right."""
    counts = data.groupby([*looked_at, target], observed=True).size()
    return 100 * counts.groupby(level=looked_at, observed=True).max().sum() / len(data)
