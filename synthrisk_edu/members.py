"""Would it also be said of somebody who never took part?

A synthetic file repeats what is true of people in general, and a measure of risk counts that as
well. To tell the two apart, split the records at random into halves A and B, synthesize from A
alone, and ask the same question of both halves against the same synthetic file:

    members     what is said of A, whose records the synthesizer has seen
    others      what is said of B: it would also be said of somebody who never took part
    added       members − others: what taking part has added
    residual    (members − others) / (1 − others), for shares: what was added, as a part of all
                that could be added

Both shares belong to a file made of A alone. As a rule a file made of everybody tells more, of
members and of others: what halves give are lower marks.

`copies` and `closest_record` ask two such questions that need no key and no target: is a synthetic
record the same as a confidential one, and how near is the nearest? (The residual is that of Giomi
et al. 2023.)
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.progress import track

SAME_DISTANCE = 1e-6  # two distances that differ by less are the same distance
MISSING_AT = 3.0  # a missing number stands there: farther than 1 from every number
TILE = 64, 4096  # rows looked up, and rows to choose from: so few stay in the processor's memory
NORMAL = 1.96  # a 95 % interval reaches so many standard errors to either side
SHUFFLES = 20


def compare_members(
    data, synthesize, measure, *, splits=10, share=0.5, together=None, seed=None, progress=False
):
    """Ask the same question of people who took part and of people who did not.

    `synthesize(half, seed)` makes one synthetic frame of a half; `measure(half, synthetic)` gives a
    number, or a Series of numbers with a name for each. `share` of the rows are members. People who
    live together must be split together: `together` names the column they have in common. Returns a
    `Members`.

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
    home = [] if together is None else [together]
    checks.columns("data", data, home)
    checks.complete("data", data, home)
    checks.number("splits", splits, 1, whole=True)
    checks.number("share", share, 0.01, 0.99)
    rng, rows = checks.generator(seed), []
    for split in track(range(1, splits + 1), "splitting and synthesizing", progress):
        members, others = halves(data, rng, share, together)
        synthetic = _one_frame(synthesize(members, int(rng.integers(2**31))))
        ours, theirs = measure(members, synthetic), measure(others, synthetic)
        rows += [(split, *row) for row in _by_name(measure, ours, theirs)]
    table = pd.DataFrame(rows, columns=["split", "measure", "members", "others"])
    table.attrs = data.attrs  # so that a picture can name the targets
    return Members(table)


def halves(data, rng, share=0.5, together=None):
    """Split the rows at random into members and others; `share` of them become members.

    Rows with the same value of the column `together`, such as people of one household, stay
    together. Of an odd number one row (or household) is left out, so that halves are equal.

    >>> homes = pd.DataFrame({"home": list("AABBCCDD"), "person": range(8)})
    >>> a, b = halves(homes, np.random.default_rng(4), together="home")
    >>> "".join(a.home), "".join(b.home)
    ('AADD', 'BBCC')
    """
    group = np.arange(len(data)) if together is None else pd.factorize(data[together])[0]
    order = rng.permutation(group.max() + 1)
    ours, theirs = (int(len(order) * part + SAME_DISTANCE) for part in (share, 1 - share))
    chosen = order[:ours], order[ours : ours + theirs]
    return [data[np.isin(group, some)].reset_index(drop=True) for some in chosen]


def _one_frame(made):
    """Return the synthetic frame; a list of one frame, as our synthesizers give it, is fine too."""
    only = made[0] if isinstance(made, list) and len(made) == 1 else made
    return checks.frame("what synthesize returns", only)


def _by_name(measure, ours, theirs):
    """Yield the name of each number, and what it is for members and for others."""
    name, both = getattr(measure, "__name__", "measure").replace("<lambda>", "measure"), []
    for found in (ours, theirs):
        found = found if isinstance(found, pd.Series) else pd.Series({name: found})
        both.append(found.infer_objects())
        if not pd.api.types.is_numeric_dtype(both[-1].dtype):
            raise TypeError("measure must return a number, or a Series of numbers.")
    ours, theirs = both
    if set(ours.index) != set(theirs.index):
        raise ValueError(
            "measure gives other names for members than for others; let it return the same ones."
        )
    for name in ours.index:
        yield name, float(ours[name]), float(theirs[name])


@dataclass(frozen=True)
class Members:
    """What was found for members and for others, in every split; see `compare_members`."""

    splits: pd.DataFrame

    def summary(self, whole=1):
        """Return the means over the splits, their difference with its interval, and the residual.

        `low` and `high` are the 95 % interval of the mean difference over the splits: it says how
        much chance is left in the splits and the syntheses, not how another survey would differ.
        It is missing when there is one split. Of many such intervals one in twenty leaves out 0 by
        chance alone. `whole` is what everybody would be, 1 for shares and
        100 for per cent; the residual is missing for a measure that lies outside 0 to `whole`.
        """
        from scipy.special import stdtrit  # slow to import

        checks.one_of("whole", whole, (1, 100))
        rows = {}
        for name, found in self.splits.groupby("measure", sort=False):
            members, others, n = found.members.mean(), found.others.mean(), len(found)
            added, deviation = members - others, (found.members - found.others).std()
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
    files = _named_files(original, synthetic, control)
    columns = checks.shared_columns("columns", columns, files)
    _, counts = cells.count_combinations(list(files.values()), columns)
    counts, rows = dict(zip(files, counts, strict=True)), {}
    made = counts.pop("synthetic")
    for name, times in counts.items():
        there, once = made[times > 0].sum(), made[times == 1].sum()
        rows[name] = int(there), float(there / made.sum()), int(once)
    return pd.DataFrame.from_dict(rows, "index", columns=["rows", "share", "of_unique"])


def same_rows(original, synthetic, columns=None):
    """Say whether two files hold the same rows, each as often, in whatever order.

    >>> original = pd.DataFrame({"Age": [20, 40, 40]})
    >>> same_rows(original, original[::-1]), same_rows(original, original.head(2))
    (True, False)
    """
    files = _named_files(original, synthetic, None)
    columns = checks.shared_columns("columns", columns, files)
    _, (ours, theirs) = cells.count_combinations(list(files.values()), columns)
    return bool((ours == theirs).all())


def closest_record(original, synthetic=None, *, control=None):
    """Measure how far every synthetic record is from the nearest confidential one.

    Without a synthetic file: how far every confidential record is from the nearest *other* one.
    This is the yardstick where there is no control, because a new person of the same kind would
    be about as far away.

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
    files = _named_files(original, original if synthetic is None else synthetic, control)
    points, kinds = _points(files, checks.shared_columns("columns", None, files))
    made = points.pop("synthetic")
    own = np.arange(len(made)) if synthetic is None else None
    distance = pd.DataFrame(
        {
            name: _nearest(made, file, kinds, own if name == "original" else None)
            for name, file in points.items()
        }
    )
    other = distance.iloc[:, ::-1].set_axis(list(distance), axis=1)  # the other file's, if any
    closer = (distance < other - SAME_DISTANCE).mean() if control is not None else np.nan
    columns = {"median": distance.median(), "low": distance.quantile(0.05), "closer": closer}
    return pd.DataFrame(columns, index=distance.columns)


def nearest_distances(original, synthetic, *, most=None, seed=0):
    """Return two arrays: how near synthetic records are, and how near true ones are to each other.

    The first holds the distance of synthetic records to the nearest confidential one, the second
    that of confidential records to the nearest *other* one. An honest file is about as near as
    people are to each other; a copy in disguise is much nearer. The distance is that of
    `closest_record`. `most` rows at most are looked up, drawn at random, in the whole file.

    >>> original = pd.DataFrame({"Age": [20, 40, 60], "Town": list("AAB")})
    >>> made, others = nearest_distances(original, original.assign(Age=[21, 41, 61]))
    >>> made.round(3).tolist(), others.round(3).tolist()
    ([0.012, 0.012, 0.012], [0.244, 0.244, 0.744])
    """
    files = _named_files(original, synthetic, None)
    points, kinds = _points(files, checks.shared_columns("columns", None, files))
    rng, found = checks.generator(seed), []
    for name in ("synthetic", "original"):
        rows = np.arange(len(points[name]))
        if most is not None and most < len(rows):
            rows = np.sort(rng.choice(rows, most, replace=False))
        own = rows if name == "original" else None
        found.append(_nearest(points[name][rows], points["original"], kinds, own))
    return tuple(found)


def added_share(members, others, n_members, n_others, z=NORMAL):
    """Return the difference of two shares, and the ends of its interval (95 % by default).

    members − others ± z · √(members (1 − members) / n + others (1 − others) / n′)

    >>> [round(float(one), 2) for one in added_share(0.5, 0.25, 100, 100)]
    [0.25, 0.12, 0.38]
    """
    spread = members * (1 - members) / n_members + others * (1 - others) / n_others
    added, reach = members - others, z * np.sqrt(spread)
    return added, added - reach, added + reach


def shared_rows(original, control, seed=0):
    """Count the control's rows that stand in the file too, and how many would by chance alone.

    By chance: all records are put together and dealt out anew, and the mean over some deals is
    taken. A control that holds the people of the file itself says nothing: it is an error when
    nine tenths of the rows that stand only once in the file are in the control.

    >>> town = pd.DataFrame({"Town": list("AABC")})
    >>> shared_rows(town, pd.DataFrame({"Town": list("AADE")}))[0]
    2
    """
    files = {"confidential": original, "control": control}
    columns = checks.shared_columns("columns", None, files)
    (ours, theirs), (d, c) = cells.count_combinations(list(files.values()), columns)
    checks.another_file(int((d == 1).sum()), int(((d == 1) & (c > 0)).sum()))
    rng, pool, by_chance = checks.generator(seed), np.concatenate([ours, theirs]), []
    for _ in range(SHUFFLES):
        dealt = rng.permutation(pool)
        there = np.bincount(dealt[: len(ours)], minlength=len(d)) > 0
        by_chance.append(there[dealt[len(ours) :]].sum())
    return int(c[d > 0].sum()), float(np.mean(by_chance))


def _named_files(original, synthetic, control):
    """Return the files by name; the control need not be there."""
    files = {"original": original, "synthetic": synthetic}
    return files if control is None else files | {"control": control}


def _points(files, columns):
    """Return every file as an array in which Gower's distance is the mean of min(|x − y|, 1).

    Numbers go from 0, the smallest of all files, to 1; missing is far away. A category has a whole
    number for each level. Also says of each column which it is: "numbers", "numbers, some missing"
    or "category".
    """
    numeric, points, kinds = checks.numeric_names(columns, files.values()), [], []
    for label, file in files.items():
        checks.numeric(label, file, numeric)
    for name in columns:
        each = [file[name] for file in files.values()]
        if name in numeric:
            values = np.concatenate([cells.as_floats(column) for column in each])
            known = values[~np.isnan(values)] if not np.isnan(values).all() else np.zeros(1)
            scaled = (values - known.min()) / (np.ptp(known) or 1)
            points.append(np.nan_to_num(scaled, nan=MISSING_AT))
            kinds.append("numbers, some missing" if np.isnan(values).any() else "numbers")
        else:
            points.append(cells.number_levels(each).astype(float))
            kinds.append("category")
    ends = np.cumsum([len(file) for file in files.values()])[:-1]
    return dict(zip(files, np.split(np.column_stack(points), ends), strict=True)), kinds


def _nearest(points, file, kinds, own=None):
    """Return each point's smallest distance to a file; of equal records one is enough.

    `own` says at which row of the file each point stands itself: then another record counts.

    >>> _nearest(np.array([[0.5, 2]]), np.array([[0.25, 1], [0.75, 2]]), ["numbers", "category"])
    array([0.125])
    """
    once, place, times = _different(file)
    first, which, _ = _different(points)
    file, points = file[once], points[first]
    own = np.full(len(points), -1) if own is None else place[own[first]]
    types = [_small_type(file[:, k], kind) for k, kind in enumerate(kinds)]
    small, columns = (
        [side[:, k].astype(one) for k, one in enumerate(types)] for side in (points, file)
    )
    parts = [slice(start, start + TILE[0]) for start in range(0, len(points), TILE[0])]
    with ThreadPoolExecutor() as threads:  # NumPy lets them work at the same time
        search = partial(_closest_of, small, columns, kinds, own)
        nearest = np.concatenate([*threads.map(search, parts)])
    smallest = np.minimum(np.abs(points - file[nearest]), 1).sum(axis=1)
    smallest[(own >= 0) & (times[own] > 1)] = 0  # somebody else has the very same values
    return smallest[which] / len(kinds)


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
    rows, best, place = own[part], np.inf, 0
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
