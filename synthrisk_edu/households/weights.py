"""Survey weights of synthetic households: trimmed, and raked to the confidential totals.

Raking multiplies the weights of every label of a margin by one factor, so that they sum to the
label's total, then does the same for the next margin, and goes round until all margins hold.
"""

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.cells import label_cells
from synthrisk_edu.households.structure import is_there, persons_and_households, slot_column

WEIGHT = "weight"
ROUNDS = 1000
CLOSE = 1e-9
TRIM = (0.2, 5)
HOUSEHOLD_MARGINS = [["rural", "head_gender"]]
PERSON_MARGINS = [["gender", "age"], ["rural"], ["gender", "education"]]


def check_survey_weights(persons, households):
    """Where a file has a survey weight, everyone has one, and none is below 0."""
    for label, file in (("persons", persons), ("households", households)):
        if WEIGHT not in file:
            continue
        checks.quantities(label, file, [WEIGHT])
        checks.complete(label, file, [WEIGHT])
        if (file[WEIGHT] < 0).any():
            raise ValueError(
                f"column 'weight' of {label} holds {checks.show(file[WEIGHT].min())}; a survey "
                "weight says for how many others somebody stands, so correct it to a number that "
                "is 0 or more, or leave the record out."
            )


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
    persons, homes = persons_and_households(synthetic)
    their_persons, their_homes = persons_and_households(confidential)
    if WEIGHT in homes:
        synthetic[WEIGHT] = _calibrated(homes, their_homes, HOUSEHOLD_MARGINS)
    if WEIGHT in persons:
        persons = _by_slot(persons, homes)
        their_persons = _by_slot(their_persons, their_homes)
        weights = _calibrated(persons, their_persons, PERSON_MARGINS)
        for slot, rows in persons.groupby(["couple", "place"]).indices.items():
            weights_of_slot = np.full(len(synthetic), np.nan)
            weights_of_slot[is_there(synthetic, slot)] = weights[rows]
            synthetic[slot_column(WEIGHT, slot)] = weights_of_slot
    return synthetic


def _by_slot(persons, homes):
    """Return the persons of slot (1, 1), then (1, 2), …: what their weights are raked by."""
    of_persons = ["household", "couple", "place", "gender", "age", "education", WEIGHT]
    of_homes = ["household", "state", "rural"]
    persons = persons[[name for name in of_persons if name in persons]]
    homes = homes[[name for name in of_homes if name in homes]]
    persons = persons.merge(homes, on="household")
    return persons.sort_values(["couple", "place"], kind="stable", ignore_index=True)


def _calibrated(ours, theirs, wanted):
    """Our weights, trimmed within states and raked to their weighted totals.

    `wanted` lists the margins: the names of the variables of each.
    """
    everyone = np.zeros(len(ours), dtype=int)
    state = everyone
    labelled = [_shared_labels(ours, theirs, margin) for margin in wanted]
    if "state" in ours:
        (state,) = label_cells([ours], ["state"])
        labelled += [_labels_in_states(ours, theirs, margin) for margin in wanted]
    total = float(theirs[WEIGHT].sum())
    margins = [(everyone, np.array([total]))]
    for labels, their_labels in labelled:
        if labels is not None:
            totals = theirs[WEIGHT].astype(float).groupby(their_labels).sum()
            margins.append((labels, totals.to_numpy()))
    weights = _trimmed(ours[WEIGHT].to_numpy(dtype=float), state)
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
        names = margin[:size]
        if set(names) <= set(ours.columns):
            labels, their_labels = label_cells([ours, theirs], names)
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
    states = np.concatenate(label_cells([ours, theirs], ["state"]))  # ours first, then theirs
    labels = states
    for size in range(1, 1 + len(margin)):
        if margin[size - 1] not in ours:
            break
        our_cells, their_cells = label_cells([ours, theirs], ["state", *margin[:size]])
        in_one_file_only = np.setxor1d(our_cells, their_cells)
        finer = np.concatenate([our_cells, their_cells])
        states_that_differ = states[np.isin(finer, in_one_file_only)]
        stays = np.isin(states, states_that_differ)
        new_labels = labels.max() + 1 + finer
        labels = np.where(stays, labels, new_labels)
    numbers = np.unique(labels, return_inverse=True)[1]
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
            off = np.abs(have - wanted).max() / (wanted.sum() or 1.0)
            error = max(error, off)
            factor = np.divide(wanted, have, out=np.zeros_like(wanted), where=have > 0)
            weights = weights * factor[label]
        if error < CLOSE:
            break
    return weights, error
