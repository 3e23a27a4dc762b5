"""Which measure catches a file that was only disguised? The cheat lab of lesson 08.

A vendor has a rule, and five forms of cheating are known by their names. Whatever a measure says of
a file is compared with what it says of an honest one, made of the same members.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import pandas as pd
from pandas.api.types import is_numeric_dtype

from synthrisk_edu.disco import disclosure
from synthrisk_edu.members import copies
from synthrisk_edu.nearest import closest_record
from synthrisk_edu.utility import pmse_tables
from synthrisk_edu.words import counted, listing

COPIES, RATIO, FAR = 0.05, 10, 0.5  # the vendor's rule: at most, at most, at least
MANY, SOME, FEW = 0.2, 0.02, 0.01  # so many more rows than in an honest file are a member's
CLOSER, POINTS = 0.1, 10  # so much more than the honest file: share of rows, points of DiSCO


@dataclass(frozen=True)
class Caught:
    """The form of a disguise, the columns it hides in, and the measure that sees it."""

    form: str
    hidden: tuple
    measure: str


# ------------------------------------------------------------------------- the vendor's rule
def vendors_rule(d, file):
    """Return whether the vendor lets a file pass, and the numbers that decide it, in words."""
    copied = copies(d.members, file).rows["original"]
    most = int(COPIES * len(file))
    ratio = pmse_tables(d.members, file).ratio.mean()
    far, least = median(d.members, file), FAR * median(d.members)
    numbers = [
        (
            copied <= most,
            f"{counted(copied, 'row is an exact copy', 'rows are exact copies')} (at most {most}",
            "copy fewer rows, or change more of them",
        ),
        (
            ratio <= RATIO,
            f"the pMSE ratio is {ratio:.1f} (at most {RATIO}",
            "disturb fewer columns",
        ),
        (
            far >= least,
            f"the median distance to the closest member is {far:.3f} (at least {least:.3f}",
            "a changed category counts more than a number moved a little",
        ),
    ]
    refused = [f"{words}: {advice})" for holds, words, advice in numbers if not holds]
    return not refused, listing(refused or [f"{words})" for _, words, _ in numbers])


def median(*files):
    """Return the median distance to the closest member: of a file, or of the members themselves."""
    return closest_record(*files)["median"]["original"]


# ------------------------------------------------------------------- what the measures see
def beyond(d, file, columns):
    """Return which share of the rows is a member's in these columns, beyond an other's."""
    share = copies(d.members, file, columns=list(columns), control=d.others).share
    return share["original"] - share["control"]


@lru_cache(maxsize=200)
def beyond_honest(d, columns):
    """The same for the honest file."""
    return beyond(d, d.synthetic, columns)


def most_hidden(d, file, number):
    """Return the columns that, left out, turn most rows into a member's; and how many more."""
    hidden = combinations(d.members, number)
    found = {some: more_copies(d, file, some) for some in hidden}
    return max(found.items(), key=lambda one: one[1])


def more_copies(d, file, hidden=()):
    """Return how many more rows than in the honest file are a member's, some columns left out."""
    columns = tuple(name for name in d.members if name not in hidden)
    return beyond(d, file, columns) - beyond_honest(d, columns)


def is_near(d, file, hidden):
    """Tell whether a number was moved a little, so that it still goes with the member's own."""
    (name,) = hidden
    if not is_numeric_dtype(d.members[name]):
        return False
    rest = [one for one in d.members if one != name]
    both = file.astype(object).merge(d.members.astype(object), on=rest)
    return both[[f"{name}_x", f"{name}_y"]].astype(float).corr().iloc[0, 1] > 0.8


def are_rare(d, file):
    """Tell whether the copied members are rare: alone with sex, age and region, or far from all."""
    marked = d.members.merge(file.drop_duplicates(), how="left", indicator=True)
    copied = (marked._merge == "both").to_numpy()
    alone = ~d.members.duplicated(["sex", "age", "region"], keep=False)
    apart = median(d.members[~copied], d.members[copied])
    return alone[copied].mean() > 0.5 or apart > 1.5 * median(d.members)


def closer(d, file):
    """Return the share of the rows that are closer to a member than to an other."""
    return closest_record(d.members, file, control=d.others).closer["original"]


def added(d, file):
    """Return the most that taking part adds to DiSCO of marital status, for any two keys or more.

    Also the keys for which it is so.
    """
    found = {}
    for keys in (some for k in (2, 3, 4) for some in combinations(d.keys, k)):
        ours, theirs = (
            disclosure(half, file, list(keys), "marital").attribute.DiSCO[1]
            for half in (d.members, d.others)
        )
        found[keys] = ours - theirs
    keys = max(found, key=found.get)
    return found[keys], keys


# ----------------------------------------------------------------------------- and its name
def recognise(d, file):
    """Name the form of cheating and the measure that catches it; None if a file looks honest."""
    numbers = tuple(name for name in d.members if is_numeric_dtype(d.members[name]))
    exact, (hidden, more) = more_copies(d, file), most_hidden(d, file, 1)
    if exact > MANY and exact > more - MANY:
        return Caught("copy", (), counted_copies(d, file, ()))
    if more > MANY:
        form = "jitter" if is_near(d, file, hidden) else "swap of one column"
        return Caught(form, hidden, counted_copies(d, file, hidden))
    if more_copies(d, file, numbers) > MANY and closer(d, file) > closer(d, d.synthetic) + CLOSER:
        return Caught("jitter", numbers, counted_copies(d, file, numbers))
    pair, more_of_pair = most_hidden(d, file, 2)
    if more_of_pair > MANY:
        return Caught("own disguise", pair, counted_copies(d, file, pair))
    if exact > FEW:
        form = "copy of the rare only" if are_rare(d, file) else "own disguise"
        return Caught(form, (), counted_copies(d, file, ()))
    if more > SOME:
        return Caught("own disguise", hidden, counted_copies(d, file, hidden))
    return caught_by_distance(d, file) or caught_by_disco(d, file)


def counted_copies(d, file, hidden):
    """Say how many rows are a member's and an other's, and of the honest file."""
    columns = [name for name in d.members if name not in hidden]
    made, honest = (
        copies(d.members, one, columns=columns, control=d.others).rows
        for one in (file, d.synthetic)
    )
    where = f"copies without {listing(hidden)}" if hidden else "copies"
    return (
        f"{where}: {made['original']:,} of {len(file):,} rows are a member's and "
        f"{made['control']:,} an other's, in the honest file {honest['original']:,} and "
        f"{honest['control']:,}"
    )


def caught_by_distance(d, file):
    """Compare how many rows are closer to a member than to an other."""
    made, honest = closer(d, file), closer(d, d.synthetic)
    if made <= honest + CLOSER:
        return None
    words = f"{made:.0%} of the rows are closer to a member than to an other, in the honest file"
    return Caught("own disguise", (), f"closest_record: {words} {honest:.0%}")


def caught_by_disco(d, file):
    """Compare what taking part adds to DiSCO."""
    (made, keys), (honest, _) = added(d, file), added(d, d.synthetic)
    if made <= honest + POINTS:
        return None
    words = f"with the keys {listing(keys)} taking part adds {made:.0f} points, in the honest file"
    return Caught("own disguise", (), f"DiSCO: {words} at most {honest:.0f}")


def judged(d, file, shown=()):
    """Say whether a file passes the vendor's rule and still gives people away; and why.

    `shown` are the columns of a disguise that the lesson itself has shown: it counts for nothing.
    """
    passes, numbers = vendors_rule(d, file)
    caught = recognise(d, file)
    vendor = f"The vendor's rule is {'' if passes else 'not '}passed: {numbers}."
    if copies(d.others, file).share["original"] > MANY:
        return False, f"{vendor} But these are rows of others, real people too: use the members."
    if caught is None:
        return not_caught(d, file, passes, vendor)
    told = (
        f"People are given away. This is known as {caught.form}. What sees it is {caught.measure}."
    )
    if caught.hidden and caught.hidden == tuple(shown):
        return False, f"{vendor} {told} The lesson has shown this one: find another."
    return passes, f"{vendor} {told}"


def not_caught(d, file, passes, vendor):
    """Judge a file that no measure tells from an honest one: if it passes, that is a result."""
    words = f"{vendor} No measure of this lesson tells your file from an honest one"
    if copies(d.synthetic, file).share["original"] > 1 - MANY:
        return False, f"{words}, because it is the honest file itself: now cheat."
    if not passes:
        return False, f"{words}, but the vendor must let it pass, too."
    return True, (
        f"{words}, and that is a result. Either it gives nobody away more than an honest file "
        "does, or it does so in a way that these measures miss. Say which, and how you know."
    )


def same_columns(d, file):
    """Return the columns of the members; say in one sentence if this is no file of such rows."""
    missing = [name for name in d.members if name not in file]
    if missing:
        raise ValueError(f"your file has no column {missing[0]!r}; keep those of mine.members.")
    if len(file) != len(d.members):
        raise ValueError(f"your file has {len(file)} rows; the vendor wants {len(d.members)}.")
    for name in d.members:
        if is_numeric_dtype(d.members[name]) and not is_numeric_dtype(file[name]):
            raise TypeError(f"the column {name!r} of your file holds something that is no number.")
    return pd.DataFrame(file[list(d.members)]).reset_index(drop=True)
