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

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from synthrisk_edu import cells, checks
from synthrisk_edu.progress import track

NORMAL = 1.96  # a 95 % interval reaches so many standard errors to either side
DEALS = 1000


def compare_members(
    data: pd.DataFrame,
    synthesize: Callable[[pd.DataFrame, int], pd.DataFrame],
    measure: Callable[[pd.DataFrame, pd.DataFrame], float | pd.Series],
    *,
    splits: int = 10,
    share: float = 0.5,
    together: str | None = None,
    seed: int | None = None,
    progress: bool = False,
) -> "Members":
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
    checks.frame("data", data, home)
    checks.complete("data", data, home)
    checks.number("splits", splits, 1, whole=True)
    checks.number("share", share, 0.01, 0.99)
    rng = checks.generator(seed)
    rows = []
    for split in track(range(1, splits + 1), "splitting and synthesizing", progress):
        members, others = halves(data, rng, share, together)
        synthetic = _one_frame(synthesize(members, int(rng.integers(2**31))))
        of_members = _by_name(measure, measure(members, synthetic))
        of_others = _by_name(measure, measure(others, synthetic))
        if set(of_members.index) != set(of_others.index):
            raise ValueError(
                "measure gives other names for members than for others; let it return the same "
                "ones."
            )
        for name in of_members.index:
            rows.append((split, name, float(of_members[name]), float(of_others[name])))
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
    n_members = int(round(len(order) * share, 6))  # 10 · 0.7 is 6.999… in floating point
    n_others = int(round(len(order) * (1 - share), 6))
    members = np.isin(group, order[:n_members])
    others = np.isin(group, order[n_members : n_members + n_others])
    return [data[rows].reset_index(drop=True) for rows in (members, others)]


def _one_frame(made):
    """Return the synthetic frame; a list of one frame, as our synthesizers give it, is fine too."""
    if isinstance(made, list) and len(made) == 1:
        made = made[0]
    return checks.frame("what synthesize returns", made)


def _by_name(measure, result):
    """Return what a measure gave as numbers with a name each."""
    if not isinstance(result, pd.Series):
        name = getattr(measure, "__name__", "measure").replace("<lambda>", "measure")
        result = pd.Series({name: result})
    result = result.infer_objects()
    if not pd.api.types.is_numeric_dtype(result.dtype):
        raise TypeError("measure must return a number, or a Series of numbers.")
    return result


@dataclass(frozen=True)
class Members:
    """What was found for members and for others, in every split; see `compare_members`."""

    splits: pd.DataFrame

    def summary(self, whole: float = 1) -> pd.DataFrame:
        """Return the means over the splits, their difference with its interval, and the residual.

        `low` and `high` are the 95 % interval of the mean difference over the splits: it says how
        much chance is left in the splits and the syntheses, not how another survey would differ.
        It is missing when there is one split. Of many such intervals one in twenty leaves out 0 by
        chance alone. `whole` is what everybody would be, 1 for shares and 100 for per cent; the
        residual is missing for a measure that lies outside 0 to `whole`.
        """
        from scipy.special import stdtrit  # slow to import

        checks.one_of("whole", whole, (1, 100))
        rows = {}
        for name, splits in self.splits.groupby("measure", sort=False):
            n = len(splits)
            members = splits.members.mean()
            others = splits.others.mean()
            added = members - others
            deviation = (splits.members - splits.others).std()
            reach = stdtrit(n - 1, 0.975) * deviation / np.sqrt(n)  # Student's t
            shares = splits[["members", "others"]].stack()
            is_share = shares.between(0, whole).all() and others < whole
            residual = added / (whole - others) if is_share else np.nan
            rows[name] = members, others, added, added - reach, added + reach, residual
        columns = ["members", "others", "added", "low", "high", "residual"]
        return pd.DataFrame.from_dict(rows, "index", columns=columns).rename_axis("measure")

    def __repr__(self):
        """Say what it holds in one line."""
        names = ", ".join(self.splits.measure.unique())
        return f"<Members: {names} in {self.splits.split.nunique()} splits>"


def copies(
    original: pd.DataFrame,
    synthetic: pd.DataFrame,
    *,
    columns: Sequence[str] | None = None,
    control: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Count the synthetic rows that are the same as a confidential row in every column.

    Compared are the named columns, or all; the rows of the files need not correspond, and missing
    equals missing. `control` may hold records of people who did not take
    part. Returns a row for `original`, and one for `control` if there is one. `rows`: synthetic
    rows that are the same as some row of that file; `share`: of all synthetic rows; `of_unique`:
    how many of them are the same as a row that stands only once in that file.

    >>> original = pd.DataFrame({"Sex": list("FFMM"), "Job": "cook cook nurse pilot".split()})
    >>> synthetic = pd.DataFrame({"Sex": list("FMMM"), "Job": "cook cook nurse baker".split()})
    >>> copies(original, synthetic)
              rows  share  of_unique
    original     2    0.5          1
    """
    files = named_files(original, synthetic, control)
    columns = checks.shared_columns("columns", columns, files)
    _, counts = cells.count_cells(list(files.values()), columns)
    times_in = dict(zip(files, counts, strict=True))  # how often each combination stands in a file
    times_in_synthetic = times_in.pop("synthetic")
    rows = {}
    for name, times in times_in.items():
        there = times_in_synthetic[times > 0].sum()
        once = times_in_synthetic[times == 1].sum()
        rows[name] = int(there), float(there / times_in_synthetic.sum()), int(once)
    return pd.DataFrame.from_dict(rows, "index", columns=["rows", "share", "of_unique"])


def added_share(
    members: float, others: float, n_members: int, n_others: int, *, tests: int = 1
) -> tuple[float, float, float]:
    """Return the difference of two shares, and the ends of its 95 % interval.

    Each share p = x / n has exact limits l and u (Clopper and Pearson: however small x is, they
    hold what they promise); the difference has those of Newcombe:

        from   members − others − √((members − l)² + (u′ − others)²)
        to     members − others + √((u − members)² + (others − l′)²)

    Of several `tests` together 5 % leave out 0 by chance, so each has 1 − 0.05 / tests.

    >>> [round(float(end), 2) for end in added_share(0.065, 0.02, 2000, 100)]
    [0.04, -0.01, 0.07]
    """
    low, high = exact_limits(members, n_members, 0.05 / tests)
    low_others, high_others = exact_limits(others, n_others, 0.05 / tests)
    added = members - others
    down = np.hypot(members - low, high_others - others)
    up = np.hypot(high - members, others - low_others)
    return added, added - down, added + up


def say_added(members: float, others: float, low: float, high: float) -> str:
    """Say what the interval of a difference of two shares tells.

    People are too few to say where it leaves room for everything: it is wider than the larger share
    itself, and than two points.

    >>> say_added(0.065, 0.02, -0.01, 0.07), say_added(0.09, 0.02, 0.06, 0.08)
    ('too few to say', 'more of members')
    """
    if low > 0:
        return "more of members"
    if high < 0:
        return "more of others"
    if high - low > max(members, others, 0.02):
        return "too few to say"
    return "no difference seen"


def exact_limits(share, n, alpha=0.05):
    """Return the exact limits of a share of n people (Clopper and Pearson).

    >>> [round(float(end), 3) for end in exact_limits(0, 100)]
    [0.0, 0.036]
    """
    from scipy.special import betaincinv  # slow to import

    x = share * n
    low = betaincinv(x, n - x + 1, alpha / 2) if x > 0 else 0.0
    high = betaincinv(x + 1, n - x, 1 - alpha / 2) if x < n else 1.0
    return low, high


def no_members_among(control, original, seed=0):
    """Return how many rows of the control stand in the file too, and how many would by chance.

    By chance: all records are put together and dealt out anew, a thousand times. A control that
    shares more rows than any of these deals holds people of the file, and says nothing: an error.

    >>> town = pd.DataFrame({"Town": list("AABC")})
    >>> no_members_among(pd.DataFrame({"Town": list("AADE")}), town)[0]
    2
    """
    files = {"original": original, "control": control}
    columns = checks.shared_columns("columns", None, files)
    (ours, theirs), (d, c) = cells.count_cells(list(files.values()), columns)
    shared = int(c[d > 0].sum())
    pool = np.concatenate([ours, theirs])
    pool = pool[(d + c)[pool] > 1]  # who is alone in both is never shared
    rng = checks.generator(seed)
    by_chance = np.zeros(DEALS)
    for deal in range(DEALS):
        is_control = rng.random(len(pool)) < len(control) / (len(original) + len(control))
        in_file = np.bincount(pool[~is_control], minlength=len(d)) > 0
        by_chance[deal] = in_file[pool[is_control]].sum()
    if shared > by_chance.max():
        raise ValueError(
            f"{shared:,} of the {len(control):,} rows of the control stand in the confidential "
            f"file too; by chance it would be about {by_chance.mean():,.0f}. A control holds "
            "people who did not take part: take those rows out, or leave control out."
        )
    return shared, float(by_chance.mean())


def named_files(original, synthetic, control):
    """Return the files by name; the control need not be there."""
    files = {"original": original, "synthetic": synthetic}
    if control is not None:
        files["control"] = control
    return files
