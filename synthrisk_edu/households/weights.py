"""Survey weights of synthetic households: trimmed, and raked to the confidential totals.

Raking multiplies the weights of every label of a margin by one factor, so that they sum to the
label's total, then does the same for the next margin, and goes round until all margins hold.
"""

import numpy as np
import pandas as pd

from synthrisk_edu.cells import label_cells
from synthrisk_edu.households.structure import FLAG, slot_column, unflatten

ROUNDS = 1000
CLOSE = 1e-9
TRIM = (0.2, 5)
HOUSEHOLD_MARGINS = [["rural", "head_gender"]]
PERSON_MARGINS = [["gender", "age"], ["rural"], ["gender", "education"]]


def recalibrate(synthetic, confidential):
    """Return a synthetic wide file with weights trimmed and raked to the confidential totals.

    Households: head's gender × rural. Persons: gender × age, rural, gender × education. All of them
    in the whole file and within every state. Weights of small, oversampled states are much smaller
    than others by design, so they are trimmed within states. Where a combination is in one of the
    files only, coarser totals are met in that state; where not all margins can be met at once, as
    in a small file, the finest are given up. A file without weights, or without these variables,
    stays as it is.
    """
    synthetic = synthetic.copy()
    (ours, homes), (theirs, their_homes) = unflatten(synthetic), unflatten(confidential)
    if "weight" in homes:
        synthetic["weight"] = _calibrated(homes, their_homes, HOUSEHOLD_MARGINS)
    if "weight" in ours:
        ours, theirs = _by_slot(ours, homes), _by_slot(theirs, their_homes)
        weights = _calibrated(ours, theirs, PERSON_MARGINS)
        for slot, here in ours.groupby(["couple", "place"]).indices.items():
            there = synthetic[slot_column(FLAG, slot)].to_numpy() == 1
            values = np.full(len(synthetic), np.nan)
            values[there] = weights[here]
            synthetic[slot_column("weight", slot)] = values
    return synthetic


def _by_slot(persons, homes):
    """Return the persons of slot (1, 1), then (1, 2), …: what their weights are raked by."""
    used = ["household", "couple", "place", "gender", "age", "education", "weight"]
    persons = persons[[name for name in used if name in persons]]
    places = homes[[name for name in ("household", "state", "rural") if name in homes]]
    persons = persons.merge(places, on="household")
    return persons.sort_values(["couple", "place"], kind="stable", ignore_index=True)


def _calibrated(ours, theirs, wanted):
    """Our weights, trimmed within states and raked to their weighted totals."""
    state = label_cells([ours], ["state"])[0] if "state" in ours else np.zeros(len(ours))
    weights = _trimmed(ours["weight"].to_numpy(dtype=float), state)
    margins = [(np.zeros(len(ours), dtype=int), np.array([float(theirs["weight"].sum())]))]
    shared = [_shared_labels(ours, theirs, margin) for margin in wanted]
    if "state" in ours:
        shared += [_labels_in_states(ours, theirs, margin) for margin in wanted]
    for labels, their_labels in shared:
        if labels is not None:
            totals = theirs["weight"].astype(float).groupby(their_labels).sum()
            margins.append((labels, totals.to_numpy()))
    while True:
        raked, error = _rake(weights, margins)
        if error < CLOSE or len(margins) == 1:
            return raked
        margins.pop()  # the finest margin, which came last


def _trimmed(weights, group):
    """Cut weights to TRIM times the median of their group.

    >>> _trimmed(np.array([1.0, 2.0, 30.0]), np.zeros(3)).tolist()
    [1.0, 2.0, 10.0]
    """
    median = pd.Series(weights).groupby(group).transform("median").to_numpy()
    cut = np.clip(weights, TRIM[0] * median, TRIM[1] * median)
    return np.where(median > 0, cut, weights)  # a median of 0 is no measure of what is large


def _shared_labels(ours, theirs, margin):
    """The labels of a margin in both files, as fine as both files have the same ones."""
    for size in range(len(margin), 0, -1):
        if set(margin[:size]) <= set(ours.columns):
            labels, their_labels = label_cells([ours, theirs], margin[:size])
            if np.array_equal(np.unique(labels), np.unique(their_labels)):
                return labels, their_labels
    return None, None


def _labels_in_states(ours, theirs, margin):
    """The labels of a margin within every state, as fine as both files have the same ones there.

    >>> ours = pd.DataFrame({"state": list("AABB"), "sex": list("FMFF")})
    >>> theirs = pd.DataFrame({"state": list("AABB"), "sex": list("MFMF")})
    >>> [labels.tolist() for labels in _labels_in_states(ours, theirs, ["sex"])]  # B has no men
    [[1, 2, 0, 0], [2, 1, 0, 0]]
    """
    states = labels = label_cells([ours, theirs], ["state"])
    for size in range(1, 1 + len(margin)):
        if margin[size - 1] not in ours:
            break
        finer = label_cells([ours, theirs], ["state", *margin[:size]])
        odd = np.setxor1d(*finer)
        pairs = zip(states, finer, strict=True)
        differ = np.union1d(*(state[np.isin(one, odd)] for state, one in pairs))
        first = 1 + max(one.max() for one in labels)
        labels = [
            np.where(np.isin(state, differ), label, first + one)
            for state, label, one in zip(states, labels, finer, strict=True)
        ]
    numbers = np.unique(np.concatenate(labels), return_inverse=True)[1]
    return np.split(numbers, [len(ours)])


def _rake(weights, margins):
    """Scale to one margin after the other; return the weights, and how far off a total still is.

    A margin is the label 0, 1, … of every record, and the total that each label should have.

    >>> sex, home = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> _rake(np.ones(4), [(sex, np.array([30.0, 10.0])), (home, np.array([20.0, 20.0]))])[0]
    array([15., 15.,  5.,  5.])
    """
    for _ in range(ROUNDS):
        error = 0.0
        for label, wanted in margins:
            have = np.bincount(label, weights, minlength=len(wanted))
            factor = np.divide(wanted, have, out=np.zeros_like(wanted), where=have > 0)
            error = max(error, np.abs(have - wanted).max() / (wanted.sum() or 1.0))
            weights = weights * factor[label]
        if error < CLOSE:
            break
    return weights, error
