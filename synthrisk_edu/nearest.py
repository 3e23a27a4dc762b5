"""How near is the nearest record? Gower's distance from every synthetic record to a file.

A synthetic record may be the same as a confidential one in all but a hair. `closest_record`
measures how near the nearest one is, and beside it how near people are to each other.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.members import NORMAL, named_files
from synthrisk_edu.threads import map_parts

SAME_DISTANCE = 1e-6  # two distances that differ by less are the same distance
TILE = 64, 4096  # rows looked up, and rows to choose from: so few stay in the processor's memory


def closest_record(
    original: pd.DataFrame,
    synthetic: pd.DataFrame | None = None,
    *,
    columns: Sequence[str] | None = None,
    control: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Measure how far every synthetic record is from the nearest confidential one.

    Without a synthetic file: how far every confidential record is from the nearest *other* one.
    This is the yardstick where there is no control, because a new person of the same kind would
    be about as far away.

    The distance of two records is Gower's: the mean over the named columns, or over all, of
    |x − y| / range for a number (the range of all files together), and of 0 or 1 for a category
    that is equal or not. Missing is at distance 0 from missing and 1 from everything else.

    The files are those of `copies`. Returns a row for `original`, and one for `control` if there is
    one: `median` and `low` (the 5 % quantile) of the distances, and `closer`, the share of the
    synthetic records that are closer to this file than to the other one (missing without a control;
    equal distances count for neither).

    >>> original = pd.DataFrame({"Age": [20, 40, 60], "Town": list("AAB")})
    >>> synthetic = pd.DataFrame({"Age": [20, 50], "Town": list("AB")})
    >>> closest_record(original, synthetic)
              median      low  closer
    original  0.0625  0.00625     NaN
    """
    files = named_files(original, original if synthetic is None else synthetic, control)
    points, kinds = _points(files, checks.shared_columns("columns", columns, files))
    looked_up = points.pop("synthetic")
    own = np.arange(len(looked_up)) if synthetic is None else None
    distance = pd.DataFrame({"original": _nearest(looked_up, points["original"], kinds, own)})
    closer = np.nan
    if control is not None:
        distance["control"] = _nearest(looked_up, points["control"], kinds)
        to_the_other = distance[["control", "original"]].set_axis(distance.columns, axis=1)
        closer = (distance < to_the_other - SAME_DISTANCE).mean()
    measures = {"median": distance.median(), "low": distance.quantile(0.05), "closer": closer}
    return pd.DataFrame(measures, index=distance.columns)


def nearest_distances(
    original: pd.DataFrame,
    synthetic: pd.DataFrame,
    others: pd.DataFrame,
    *,
    special: Mapping[str, Sequence[float]] | None = None,
    most: int | None = None,
    seed: int = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return how far synthetic rows are from the nearest person of the original, and others are.

    `others` are people who are not in the original. An honest file is about as near as they are; a
    copy in disguise is nearer. The distance is that of `closest_record`. `special` maps a column to
    codes that are no amounts, such as −8. At most `most` rows of each, drawn at random, are looked
    up.

    >>> original = pd.DataFrame({"Age": [20, 40, 60], "Town": list("AAB")})
    >>> others = pd.DataFrame({"Age": [25, 55], "Town": list("AB")})
    >>> made, apart = nearest_distances(original, original.assign(Age=[21, 41, 60]), others)
    >>> made.round(4).tolist(), apart.tolist()
    ([0.0125, 0.0125, 0.0], [0.0625, 0.0625])
    """
    files = named_files(original, synthetic, others)
    columns = checks.shared_columns("columns", None, files)
    points, kinds = _points(files, columns, checks.mapping("special", special, columns))
    rng = checks.generator(seed)
    distances = []
    for name in ("synthetic", "control"):
        rows = _some_rows(len(points[name]), most, rng)
        distances.append(_nearest(points[name][rows], points["original"], kinds))
    return tuple(distances)


def closer_to_members(
    original: pd.DataFrame,
    synthetic: pd.DataFrame,
    control: pd.DataFrame,
    *,
    special: Mapping[str, Sequence[float]] | None = None,
    most: int | None = None,
    seed: int = 0,
) -> pd.Series:
    """Compare how many synthetic rows are closer to those who took part and to as many others.

    `members` and `others` are the shares of the S synthetic rows, `added` their difference, `low`
    and `high` its 95 % interval. A person may be the nearest of many rows, and with somebody else
    in that place all of them would change sides. So it is the people who are taken as drawn: each
    of the n members and n others *wins* v rows, and a difference of two means has its usual error.

        added = n (mean of the members' v − mean of the others' v) / S
        error = √(n (variance of the members' v + variance of the others' v)) / S

    >>> people = pd.DataFrame({"Age": range(20, 60)})
    >>> made = pd.DataFrame({"Age": [20, 21, 30, 99]})
    >>> closer_to_members(people, made, people + 40).round(2).to_dict()
    {'members': 0.75, 'others': 0.25, 'added': 0.5, 'low': -0.46, 'high': 1.46}
    """
    files = named_files(original, synthetic, control)
    columns = checks.shared_columns("columns", None, files)
    points, kinds = _points(files, columns, checks.mapping("special", special, columns))
    rng = checks.generator(seed)
    size = min(len(original), len(control))
    rows = points["synthetic"][_some_rows(len(synthetic), most, rng)]
    distance = []
    person = []
    for name in ("original", "control"):
        people = points[name][_some_rows(len(points[name]), size, rng)]
        apart, place = _search(rows, people, kinds)
        distance.append(apart)
        person.append(place)
    gap = distance[1] - distance[0]
    won_by_members = np.bincount(person[0][gap > SAME_DISTANCE], minlength=size)
    won_by_others = np.bincount(person[1][gap < -SAME_DISTANCE], minlength=size)
    closer = won_by_members.sum() / len(rows), won_by_others.sum() / len(rows)
    variance = size * (won_by_members.var(ddof=1) + won_by_others.var(ddof=1))
    added = closer[0] - closer[1]
    reach = NORMAL * np.sqrt(variance) / len(rows)
    return pd.Series(
        [*closer, added, added - reach, added + reach],
        index=["members", "others", "added", "low", "high"],
    )


def _some_rows(n, most, rng):
    """Return the places of all n rows, or of `most` of them drawn at random, in order."""
    if most is None or most >= n:
        return np.arange(n)
    return np.sort(rng.choice(np.arange(n), most, replace=False))


def _points(files, columns, special=None):
    """Return every file as an array in which Gower's distance is the mean of min(|x − y|, 1).

    Numbers go from 0, the smallest of all files, to 1; missing stands at 3 and special codes at 5,
    7, …: farther than 1 from all else. A category has a whole number for each level. Also says of
    each column which it is: "numbers", "numbers, some missing" or "category".
    """
    numeric = checks.numeric_names(columns, files.values())
    for label, file in files.items():
        checks.quantities(label, file, numeric)
    points = []
    kinds = []
    for name in columns:
        column_of_each = [file[name] for file in files.values()]
        if name in numeric:
            values = np.concatenate([cells.as_floats(column) for column in column_of_each])
            level = cells.special_levels(values, (special or {}).get(name, ()))
            amounts = values[level == 0] if (level == 0).any() else np.zeros(1)
            scaled = (values - amounts.min()) / (np.ptp(amounts) or 1)
            points.append(np.where(level > 0, 1 + 2.0 * level, scaled))
            kinds.append("numbers, some missing" if level.any() else "numbers")
        else:
            points.append(cells.label_levels(column_of_each).astype(float))
            kinds.append("category")
    ends = np.cumsum([len(file) for file in files.values()])[:-1]
    points_of_each = np.split(np.column_stack(points), ends)
    return dict(zip(files, points_of_each, strict=True)), kinds


def _nearest(points, file, kinds, own=None):
    """Return each point's smallest distance to a file; of equal records one is enough.

    `own` says at which row of the file each point stands itself: then another record counts.

    >>> _nearest(np.array([[0.5, 2]]), np.array([[0.25, 1], [0.75, 2]]), ["numbers", "category"])
    array([0.125])
    """
    return _search(points, file, kinds, own)[0]


def _search(points, file, kinds, own=None):
    """Return the same, and the row of the file that is nearest to each point."""
    once, place, times = _different(file)
    first, which, _ = _different(points)
    file = file[once]
    points = points[first]
    own = np.full(len(points), -1) if own is None else place[own[first]]
    types = [_small_type(file[:, k], kind) for k, kind in enumerate(kinds)]
    columns_of_points = [points[:, k].astype(small) for k, small in enumerate(types)]
    columns_of_file = [file[:, k].astype(small) for k, small in enumerate(types)]
    parts = [slice(start, start + TILE[0]) for start in range(0, len(points), TILE[0])]
    search = partial(_closest_of, columns_of_points, columns_of_file, kinds, own)
    nearest = np.concatenate(map_parts(search, parts))
    smallest = np.minimum(np.abs(points - file[nearest]), 1).sum(axis=1)
    smallest[(own >= 0) & (times[own] > 1)] = 0  # somebody else has the very same values
    return smallest[which] / len(kinds), once[nearest][which]


def _different(rows):
    """Return where different rows stand first, which of them each row is, and how often each is.

    >>> [one.tolist() for one in _different(np.array([[1, 2], [3, 4], [1, 2]]))]
    [[0, 1], [0, 1, 0], [2, 1]]
    """
    codes = [pd.factorize(column)[0] for column in rows.T]
    which = cells.combine(codes, len(rows))
    return np.unique(which, return_index=True)[1], which, np.bincount(which)


def _small_type(column, kind):
    """Return the smallest type that holds a column: the search goes through it very often."""
    return np.min_scalar_type(int(column.max())) if kind == "category" else np.float32


def _closest_of(points, columns, kinds, own, part):
    """Return the place of the row of the file that is nearest to each of a few points.

    `points` and `columns` are lists of columns, `part` says which points, and `own` where a point
    stands itself in the file (−1: nowhere). This is where the time goes, so one tile of the table
    of all distances is made at a time.
    """
    rows = own[part]
    best = np.inf
    place = 0
    for start in range(0, len(columns[0]), TILE[1]):
        tile = slice(start, start + TILE[1])
        differ = np.zeros((len(rows), len(columns[0][tile])), dtype=np.min_scalar_type(len(kinds)))
        apart, gap = np.zeros((2, *differ.shape), dtype=np.float32)
        for x, y, kind in zip(points, columns, kinds, strict=True):
            if kind == "category":
                differ += (x[part, None] != y[tile]).view(np.uint8)
            else:
                np.abs(np.subtract(x[part, None], y[tile], out=gap), out=gap)
                apart += gap if kind == "numbers" else np.minimum(gap, 1)
        apart += differ
        itself = np.flatnonzero((rows >= start) & (rows < start + apart.shape[1]))
        apart[itself, rows[itself] - start] = np.inf
        j = apart.argmin(axis=1)
        smallest = apart[np.arange(len(rows)), j]
        place = np.where(smallest < best, start + j, place)
        best = np.minimum(best, smallest)
    return place
