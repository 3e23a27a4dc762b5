"""Survey weights of synthetic households: trimmed, and raked to the confidential totals.

Raking multiplies the weights of every label of a margin by one factor, so that they sum to the
label's total, then does the same for the next margin, and goes round until all margins hold.
"""

import numpy as np
import pandas as pd

from synthrisk_edu.households import checks
from synthrisk_edu.households.structure import FLAG, layout, slot_column
from synthrisk_edu.levels import number_combinations

ROUNDS = 1000
CLOSE = 1e-9
TRIM = (0.2, 5)
HOUSEHOLD_MARGINS = [["state", "rural", "head_gender"]]
PERSON_MARGINS = [["gender", "age"], ["rural"], ["gender", "education"]]


def rake(weights, groups, totals, *, trim=TRIM):
    """Return weights whose sums by group are the wanted totals.

    Args:
        weights: one weight per record, 0 or more.
        groups: a frame with one row per record and one column of labels for each margin.
        totals: a mapping from a column of `groups` to a Series: label → wanted total.
        trim: (low, high): first cut the weights to low and high times their median; None cuts
            nothing. Raking comes last, so that the totals hold exactly.

    >>> groups = pd.DataFrame({"sex": list("FFMM"), "home": list("URUR")})
    >>> totals = {"sex": pd.Series({"F": 30, "M": 10}), "home": pd.Series({"U": 20, "R": 20})}
    >>> rake([1, 1, 1, 1], groups, totals).tolist()
    [15.0, 15.0, 5.0, 5.0]
    """
    checks.usable_frame("groups", groups)
    weights = checks.weights(weights, len(groups))
    checks.raking(weights, groups, totals)
    weights = trimmed(weights, checks.trim_bounds(trim))
    weights, error = _go_round(weights, groups, {name: totals[name] for name in groups})
    if error >= CLOSE:
        raise ValueError(
            f"the margins cannot be met at the same time: after many rounds a total is still off "
            f"by {error:.2g} of the sum of all; join labels that few records have, or correct the "
            "totals."
        )
    return weights


def _go_round(weights, groups, margins):
    """Scale to one margin after the other; return the weights, and how far off a total still is."""
    coded = [
        (total.index.get_indexer(groups[name]), total.to_numpy(dtype=float))
        for name, total in margins.items()
    ]
    for _ in range(ROUNDS):
        error = 0.0
        for code, wanted in coded:
            have = np.bincount(code, weights, minlength=len(wanted))
            factor = np.divide(wanted, have, out=np.zeros_like(wanted), where=have > 0)
            error = max(error, np.abs(have - wanted).max() / (wanted.sum() or 1.0))
            weights = weights * factor[code]
        if error < CLOSE:
            break
    return weights, error


def trimmed(weights, trim=TRIM, within=None):
    """Cut weights to [low, high] times their median, or the median of their group.

    >>> trimmed([1.0, 2.0, 30.0]).tolist()
    [1.0, 2.0, 10.0]
    """
    weights = np.asarray(weights)
    if trim is None:
        return weights
    group = np.zeros(len(weights)) if within is None else within
    median = pd.Series(weights).groupby(np.asarray(group)).transform("median").to_numpy()
    cut = np.clip(weights, trim[0] * median, trim[1] * median)
    return np.where(median > 0, cut, weights)  # a median of 0 is no measure of what is large


def recalibrate(synthetic, confidential):
    """Return a synthetic wide file with weights trimmed and raked to the confidential totals.

    Households: head's gender × rural within state. Persons: gender × age, rural, gender ×
    education. Weights of small, oversampled states are much smaller than others by design, so they
    are trimmed within states. In a small file, where a combination is in one of the files only, or
    not all margins can be met at once, the finest are given up. A file without weights, or without
    these variables, stays as it is.
    """
    synthetic = synthetic.copy()
    if "weight" in synthetic:
        synthetic["weight"] = _calibrated(synthetic, confidential, HOUSEHOLD_MARGINS)
    if "weight" in layout(synthetic)[1]:
        ours, theirs = _stacked(synthetic), _stacked(confidential)
        weights = _calibrated(ours, theirs, PERSON_MARGINS)
        for column, here in ours.groupby("column").indices.items():
            values = np.full(len(synthetic), np.nan)
            values[ours["row"].to_numpy()[here]] = weights[here]
            synthetic[column] = values
    return synthetic


def _stacked(wide):
    """All persons below each other, slot by slot: what their weights are raked by."""
    _, variables, slots = layout(wide)
    used = [name for name in ("gender", "age", "education", "weight") if name in variables]
    parts = []
    for slot in slots:
        part = {name: wide[slot_column(name, slot)] for name in used}
        part |= {name: wide[name] for name in ("state", "rural") if name in wide}
        part |= {"row": np.arange(len(wide)), "column": slot_column("weight", slot)}
        parts.append(pd.DataFrame(part)[wide[slot_column(FLAG, slot)].to_numpy() == 1])
    return pd.concat(parts, ignore_index=True)


def _calibrated(ours, theirs, wanted):
    """Our weights, trimmed within states and raked to their weighted totals."""
    state = number_combinations([ours], ["state"])[0] if "state" in ours else None
    weights = trimmed(ours["weight"].to_numpy(dtype=float), within=state)
    groups = {"all": np.zeros(len(ours), dtype=int)}
    totals = {"all": pd.Series([float(theirs["weight"].sum())])}
    for margin in wanted:
        labels, their_labels = _shared_labels(ours, theirs, margin)
        if labels is not None:
            name = " × ".join(margin)
            groups[name] = labels
            totals[name] = theirs["weight"].astype(float).groupby(their_labels).sum()
    while True:
        raked, error = _go_round(weights, groups, totals)
        if error < CLOSE or len(totals) == 1:
            return raked
        totals.popitem()  # the finest margin, which came last


def _shared_labels(ours, theirs, margin):
    """The labels of a margin in both files, as fine as both files have the same ones."""
    for size in range(len(margin), 0, -1):
        if set(margin[:size]) <= set(ours.columns):
            labels, their_labels = number_combinations([ours, theirs], margin[:size])
            if np.array_equal(np.unique(labels), np.unique(their_labels)):
                return labels, their_labels
    return None, None
