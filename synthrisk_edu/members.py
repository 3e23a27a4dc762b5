"""Would it also be said of somebody who never took part?

A synthetic file repeats what is true of people in general, and a measure of risk counts that as
well. To tell the two apart, split the records at random into halves A and B, synthesize from A
alone, and ask the same question of both halves against the same synthetic file:

    members     what is said of A, whose records the synthesizer has seen
    others      what is said of B: it would also be said of somebody who never took part
    added       members − others: what taking part has added
    residual    (members − others) / (1 − others), for shares: what was added, as a part of all
                that could be added

`copies` and `closest_record` ask two such questions that need no key and no target: is a synthetic
record the same as a confidential one, and how near is the nearest? Start reading at
`compare_members`. (The residual is that of Giomi et al. 2023.)
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from synthrisk_edu import old_checks as checks
from synthrisk_edu.levels import combine, count_combinations, number_combinations, stack
from synthrisk_edu.progress import track

TIE = 1e-6  # two distances that differ by less are the same distance
FAR = 3.0  # where a missing number is put: farther than 1 from every number, and at 0 from itself


def compare_members(data, synthesize, measure, *, splits=10, seed=None, progress=False):
    """Ask the same question of people who took part and of people who did not.

    Args:
        data: the confidential data, a row for each record.
        synthesize: a function `synthesize(half, seed)` that makes one synthetic frame of a half.
        measure: a function `measure(half, synthetic)` that gives a number, or a Series of numbers
            with a name for each.
        splits: how often the records are split at random into two halves.
        seed: equal seeds, equal splits.
        progress: show a line of progress.

    Returns a `Members`: `.splits` with every result, `.summary()` with a row for each measure.

    >>> data = pd.DataFrame({"id": range(6), "town": list("ABABAB")})
    >>> def same_file(half, seed):
    ...     return half
    >>> def share_copied(half, synthetic):
    ...     return copies(half, synthetic).share["original"]
    >>> compare_members(data, same_file, share_copied, splits=2, seed=1).summary()
                  members  others  added  low  high  residual
    measure
    share_copied      1.0     0.0    1.0  1.0   1.0       1.0
    """
    _check_request(data, synthesize, measure)
    splits, rng = checks.count("splits", splits), checks.generator(seed)
    rows, progress = [], checks.flag("progress", progress)
    for split in track(range(1, splits + 1), "splitting and synthesizing", progress):
        members, others = halves(data, rng)
        synthetic = _one_frame(synthesize(members, int(rng.integers(2**31))))
        ours, theirs = (_numbers(measure, half, synthetic) for half in (members, others))
        if set(ours) != set(theirs):
            raise ValueError(
                "measure gives other names for members than for others; let it return the same "
                "ones."
            )
        rows += [(split, name, ours[name], theirs[name]) for name in ours]
    table = pd.DataFrame(rows, columns=["split", "measure", "members", "others"])
    table.attrs = data.attrs  # so that a picture can name the targets
    return Members(table)


def halves(data, rng):
    """Split the rows at random into two halves; of an odd number one row is left out.

    >>> a, b = halves(pd.DataFrame({"x": range(5)}), np.random.default_rng(1))
    >>> len(a), len(b), set(a.x) & set(b.x)
    (2, 2, set())
    """
    order, size = rng.permutation(len(data)), len(data) // 2
    chosen = np.sort(order[:size]), np.sort(order[size : 2 * size])
    return [data.iloc[rows].reset_index(drop=True) for rows in chosen]


@dataclass(frozen=True)
class Members:
    """What was found for members and for others, in every split; see `compare_members`."""

    splits: pd.DataFrame

    def summary(self, whole=1):
        """Return the means over the splits, their difference with its interval, and the residual.

        `low` and `high` are the 95 % interval of the mean difference over the splits: it says how
        much chance is left in the splits and the syntheses, not how another survey would differ.
        It is missing when there is one split. `whole` is what everybody would be, 1 for shares and
        100 for per cent; the residual is missing for a measure that lies outside 0 to `whole`.
        """
        from scipy.special import stdtrit  # slow to import

        if not checks.is_number(whole) or whole not in (1, 100):
            raise ValueError("whole must be 1 for shares, or 100 for per cent.")
        rows = {}
        for name, found in self.splits.groupby("measure", sort=False):
            members, others, n = found.members.mean(), found.others.mean(), len(found)
            added = members - others
            deviation = (found.members - found.others).std()
            reach = stdtrit(n - 1, 0.975) * deviation / np.sqrt(n)  # Student's t
            shares = found[["members", "others"]].stack()
            is_share = shares.between(0, whole).all() and others < whole
            residual = added / (whole - others) if is_share else np.nan
            rows[name] = members, others, added, added - reach, added + reach, residual
        columns = ["members", "others", "added", "low", "high", "residual"]
        return pd.DataFrame.from_dict(rows, "index", columns=columns).rename_axis("measure")

    def __repr__(self):
        """Say what it holds in one line."""
        names = ", ".join(self.splits.measure.unique())
        return f"<Members: {names} in {self.splits.split.nunique()} splits>"


def copies(original, synthetic, *, columns=None, control=None):
    """Count the synthetic rows that are the same as a confidential row in every column.

    Compared are the named columns, or all that the files share; the rows of the files need not
    correspond, and missing equals missing. `control` may hold records of people who did not take
    part. Returns a row for `original`, and one for `control` if there is one. `rows`: synthetic
    rows that are the same as some row of that file; `share`: of all synthetic rows; `of_unique`:
    how many of them are the same as a row that stands only once in that file.

    >>> original = pd.DataFrame({"Sex": list("FFMM"), "Job": "cook cook nurse pilot".split()})
    >>> synthetic = pd.DataFrame({"Sex": list("FMMM"), "Job": "cook cook nurse baker".split()})
    >>> copies(original, synthetic)
              rows  share  of_unique
    original     2    0.5          1
    """
    files = _files(original, synthetic, control)
    columns = checks.shared_columns("columns", columns, files)
    return _count_copies(files, columns)


def copies_from_counts(original_counts, synthetic_counts, *, columns=None, control_counts=None):
    """Do the same as `copies` from frames with the columns and a column `count`.

    For files that do not fit into memory: let a database count, with one GROUP BY over the columns
    for each file.
    """
    files = _files(original_counts, synthetic_counts, control_counts, "_counts")
    columns = checks.shared_columns("columns", columns, files, besides=["count"])
    counts = [checks.row_counts(*one, columns) for one in files.items()]
    files = {name.removesuffix("_counts"): file for name, file in files.items()}
    return _count_copies(files, columns, counts)


def _count_copies(files, columns, counts=None):
    """Count the synthetic rows that also stand in the other files; a row may stand for several."""
    _, records = count_combinations(list(files.values()), columns, counts)
    records = dict(zip(files, records, strict=True))
    synthetic = records.pop("synthetic")
    rows = {}
    for name, times in records.items():
        there, once = synthetic[times > 0].sum(), synthetic[times == 1].sum()
        rows[name] = int(there), float(there / synthetic.sum()), int(once)
    return pd.DataFrame.from_dict(rows, "index", columns=["rows", "share", "of_unique"])


def closest_record(original, synthetic, *, control=None):
    """Measure how far every synthetic record is from the nearest confidential one.

    The distance of two records is Gower's: the mean over the columns that the files share of
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
    files = _files(original, synthetic, control)
    columns = checks.shared_columns("columns", None, files)
    for name, file in files.items():
        checks.bounded(name, file, columns)
    points = _points(files, columns)
    synthetic = points.pop("synthetic")
    distance = pd.DataFrame({name: _nearest(synthetic, file) for name, file in points.items()})
    other = distance.iloc[:, ::-1].set_axis(list(distance), axis=1)  # the other file's, if any
    closer = (distance < other - TIE).mean() if len(points) == 2 else np.nan
    median, low = np.median(distance, axis=0), np.quantile(distance, 0.05, axis=0)
    columns = {"median": median, "low": low, "closer": closer}
    return pd.DataFrame(columns, index=distance.columns)


class _Points(NamedTuple):
    """A file for Gower's distance: a row for each column, and in it a value for each record."""

    numbers: np.ndarray  # scaled to 0 … 1, missing far away
    codes: np.ndarray  # of categories; missing is a code of its own


def _points(files, columns):
    """Turn every file into points; a column is numeric if it is so in all files."""
    numeric, frames = checks.numeric_names(columns, files.values()), list(files.values())
    others = [name for name in columns if name not in numeric]
    numbers = [_scaled(stack([file[name] for file in frames])) for name in numeric]
    codes = [np.concatenate(number_combinations(frames, [name])) for name in others]
    lengths = [len(file) for file in frames]
    points = [
        np.split(np.array(one, dtype).reshape(-1, sum(lengths)), np.cumsum(lengths)[:-1], axis=1)
        for one, dtype in ((numbers, float), (codes, np.int32))
    ]
    return dict(zip(files, map(_Points, *points), strict=True))


def _scaled(column):
    """Return the numbers of all files, from 0 for the smallest to 1 for the largest."""
    values = column.to_numpy(dtype=float, na_value=np.nan)
    low, high = (np.nanmin(values), np.nanmax(values)) if not np.isnan(values).all() else (0, 0)
    width = high - low if high > low else 1
    return np.nan_to_num((values - low) / width, nan=FAR)


def _nearest(points, file):
    """Return each point's smallest Gower distance to a file.

    Of equal records one is enough. The distances of a block of points are computed at a time, in
    half the usual digits, to find who is nearest; that one distance is then computed in full.
    """
    (points, which), (file, _) = _different(points), _different(file)
    n, size = points.codes.shape[1], file.codes.shape[1]
    nearest, smallest = np.zeros(n, dtype=np.int64), np.full(n, np.inf, dtype=np.float32)
    for rows in _blocks(n, 64):
        for across in _blocks(size, 4096):
            total = _block(points, file, rows, across)
            place = total.argmin(axis=1)
            found = np.take_along_axis(total, place[:, None], axis=1)[:, 0]
            better = found < smallest[rows]
            nearest[rows] = np.where(better, across.start + place, nearest[rows])
            smallest[rows] = np.where(better, found, smallest[rows])
    apart = np.minimum(np.abs(points.numbers - file.numbers[:, nearest]), 1).sum(axis=0)
    unequal = (points.codes != file.codes[:, nearest]).sum(axis=0)
    return ((apart + unequal) / (len(points.numbers) + len(points.codes)))[which]


def _different(points):
    """Return every different point once, in their order, and which of them each record is.

    >>> points, which = _different(_Points(np.array([[0.5, 1, 0.5]]), np.array([[2, 2, 2]])))
    >>> points.numbers.tolist(), which.tolist()
    ([[0.5, 1.0]], [0, 1, 0])
    """
    which = combine([pd.factorize(row)[0] for row in (*points.numbers, *points.codes)])
    first = np.unique(which, return_index=True)[1]
    return _Points(points.numbers[:, first], points.codes[:, first]), which


def _blocks(n, size):
    """Cut 0 … n into slices of a size: blocks small enough for the processor's own memory."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def _block(points, file, rows, across):
    """Return the distances of all pairs of a block, added up over the columns."""
    unequal = np.zeros((rows.stop - rows.start, across.stop - across.start), dtype=np.uint16)
    for one, other in zip(points.codes[:, rows], file.codes[:, across], strict=True):
        unequal += one[:, None] != other
    total = unequal.astype(np.float32)
    for one, other in zip(points.numbers[:, rows], file.numbers[:, across], strict=True):
        apart = np.subtract.outer(one.astype(np.float32), other.astype(np.float32))
        np.abs(apart, out=apart)
        total += np.minimum(apart, 1, out=apart)
    return total


# What can be wrong with the input


def _files(original, synthetic, control, what=""):
    """Return the files by name; each is a frame with rows."""
    files = {f"original{what}": original, f"synthetic{what}": synthetic}
    files |= {} if control is None else {f"control{what}": control}
    for name, file in files.items():
        checks.usable_frame(name, file)
    return files


def _check_request(data, synthesize, measure):
    """Each half needs two records to be a file at all; the other two arguments are functions."""
    checks.frame("data", data)
    if len(data) < 4:
        raise ValueError(f"data has {len(data)} rows; to be split into two halves it needs 4.")
    for argument, value in {"synthesize": synthesize, "measure": measure}.items():
        if not callable(value):
            raise TypeError(f"{argument} must be a function, not {type(value).__name__}.")


def _one_frame(made):
    """Return the synthetic frame; a list of one frame, as our synthesizers give it, is fine too."""
    if isinstance(made, list) and len(made) == 1:
        made = made[0]
    if not isinstance(made, pd.DataFrame):
        raise TypeError(f"synthesize must return one data frame, not {type(made).__name__}.")
    return made


def _numbers(measure, half, synthetic):
    """Return what a measure says of a half: a Series as it is, one number under its own name."""
    found = measure(half, synthetic)
    if not isinstance(found, pd.Series):
        name = getattr(measure, "__name__", "measure")
        found = pd.Series({"measure" if name == "<lambda>" else name: found})
    try:
        if None not in found.to_list():  # of a function that forgot to return
            return dict(found.astype(float))
    except (TypeError, ValueError):
        pass
    raise TypeError("measure must return a number, or a Series of numbers.")
