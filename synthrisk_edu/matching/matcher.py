"""Who could this be? c_i, T_i and the three summaries of identification risk.

An intruder looks for target i in partially synthetic data. Candidate j matches when every
variable without a radius is equal and every variable with one lies within it:

    c_i = number of synthetic records j that match target i
    T_i = 1 if j = i is among them, else 0            risk_i = T_i / c_i  (0 when c_i = 0)
    K_i = 1 if c_i · T_i = 1                          F_i = 1 if c_i · (1 − T_i) = 1

    expected match risk = Σ T_i / c_i    true match rate = Σ K_i / N    false match rate = Σ F_i / s

N is the number of targets and s the number of them with c_i = 1. Start reading at `match`.
(After Reiter & Mitra 2009, Hu's lecture, and Hornby & Hu 2021.)
"""

import numpy as np
import pandas as pd

from synthrisk_edu.levels import combine, count_combinations, number_combinations
from synthrisk_edu.matching import checks, story
from synthrisk_edu.matching.counting import BoxCounter, Side
from synthrisk_edu.words import say

SUMMARIES = ["expected_match_risk", "true_match_rate", "false_match_rate", "unique_matches"]
SLACK = 1e-9  # lets a value that is on the bound on paper be on it in floating point too


def match(
    confidential,
    synthetic,
    known,
    synthesized,
    radius=None,
    *,
    relative=True,
    shape="box",
    bounds="closed",
):
    """Match every confidential record with the synthetic data.

    Args:
        confidential: the true data, one row per record.
        synthetic: the released data; row j is the same unit as row j of `confidential`.
        known: names of the variables the intruder knows and that were not synthesized.
        synthesized: names of the variables that were replaced; the intruder knows the true values.
        radius: None, one number for every numeric variable, or a mapping variable → r. A variable
            without a radius must be equal; missing equals missing and nothing else. With one,
            numbers are floats: whole numbers up to 2**53, and about 16 digits of longer ones.
        relative: the half-width is r·|x_i| (True) or r itself (False).
        shape: "box", or "ellipse": Σ ((x*_j − x_i) / R_i)² ≤ 1.
        bounds: "closed" counts a tie, also one on the axis of an ellipse, as inside; "open" not.

    Returns a `Match`: `.records`, `.summary()`, `.candidates(i)`, `.explain(i)`.

    >>> confidential = pd.DataFrame({"Sex": list("FFMMM"), "Income": [20, 30, 20, 30, 30]})
    >>> synthetic = pd.DataFrame({"Sex": list("FFMMM"), "Income": [20, 20, 20, 20, 30]})
    >>> match(confidential, synthetic, ["Sex"], ["Income"]).records
       c  T  K  F  risk
    0  2  1  0  0   0.5
    1  0  0  0  0   0.0
    2  2  1  0  0   0.5
    3  1  0  0  1   0.0
    4  1  1  1  0   1.0
    """
    known, synthesized = checks.roles(known, synthesized)
    how = {"relative": relative, "shape": shape, "bounds": bounds}
    return Matcher(confidential, synthetic, known, synthesized, **how).at(radius)


def baseline(confidential, known, synthesized, radius=None, **how):
    """Match the confidential data with itself: the risk of releasing it as it is.

    Further arguments as for `match`.
    """
    return match(confidential, confidential, known, synthesized, radius, **how)


def floor(confidential, known, radius=None, **how):
    """Match on the untouched variables alone: the intruder who ignores what was synthesized.

        c_i = number of records equal to i on `known` (within the radius)        T_i = 1

    The synthetic data play no part, so any release leaves this risk. Without a radius the
    expected match risk is the number of different combinations of `known`; an empty `known` makes
    everybody a candidate for everybody, and the risk is 1 in all. Further arguments as for `match`.

    >>> floor(pd.DataFrame({"Sex": list("FFMMM")}), ["Sex"]).records.c.tolist()
    [2, 2, 3, 3, 3]
    """
    return Matcher(confidential, confidential, known, [], **how).at(radius)


def three_matches(confidential, synthetic, known, synthesized, radius=None):
    """Match the confidential file with itself, with the synthetic one, and by known alone.

    A risk means something only between the two others: "confidential" above it, "floor" below.
    """
    of_known = {name: r for name, r in (radius or {}).items() if name in known}
    return {
        "confidential": baseline(confidential, known, synthesized, radius),
        "synthetic": match(confidential, synthetic, known, synthesized, radius),
        "floor": floor(confidential, known, of_known),
    }


def floor_from_counts(confidential_counts, known):
    """Return the summary of `floor`, without a radius, from a frame with `known` and `count`.

    For a file that does not fit into memory: let a database count, with one GROUP BY over the known
    variables. A cell of c records has c targets with c candidates each, and adds c · 1/c = 1.

    >>> counts = pd.DataFrame({"Sex": list("FM"), "count": [1, 4]})
    >>> floor_from_counts(counts, ["Sex"]).tolist()
    [2.0, 0.2, 0.0, 1.0]
    """
    argument, known = "confidential_counts", checks.names("known", known)
    checks.columns_of_one_kind({argument: confidential_counts}, known)
    counts = checks.row_counts(argument, confidential_counts, known)
    (c,) = count_combinations([confidential_counts], known, [counts])[1]
    s = (c == 1).sum()
    values = [(c > 0).sum(), s / c.sum(), 0.0 if s else np.nan, s]
    return pd.Series(values, index=SUMMARIES, dtype=float)


def count_unique(found):
    """Count the unique matches of a `Match`: s of them, ΣK true and ΣF false, so s = ΣK + ΣF."""
    true, false = (found.records[name].to_numpy().sum() for name in "KF")
    return pd.Series({"s": true + false, "K": true, "F": false})


class Matcher:
    """One question about two files, prepared once and answered at any radius.

    `Matcher(…).at(radius)` is what a slider calls: the sorting is done when a set of variables
    first gets a radius, and only the bounds are new after that.
    """

    def __init__(
        self,
        confidential,
        synthetic,
        known,
        synthesized,
        *,
        relative=True,
        shape="box",
        bounds="closed",
    ):
        """Check the input; see `match` for the arguments."""
        # A shallow copy shares the data, yet later changes by the caller do not reach it.
        self.confidential = checks.frame("confidential", confidential).copy(deep=False)
        self.synthetic = checks.frame("synthetic", synthetic).copy(deep=False)
        self.known, self.synthesized = checks.roles(known, synthesized, empty=True)
        self.variables = self.known + self.synthesized
        checks.pair(confidential, synthetic, self.variables)
        self.numeric = checks.numeric_names(self.variables, [confidential, synthetic])
        self.relative = checks.flag("relative", relative)
        self.shape = checks.one_of("shape", shape, ("box", "ellipse"))
        self.bounds = checks.one_of("bounds", bounds, ("closed", "open"))
        self._prepared = {}

    def at(self, radius=None):
        """Answer the question at this radius; see `match`."""
        radius = checks.radii(radius, self.variables, self.numeric)
        # A closed range without width is equality, which needs no floats.
        exact = [name for name, r in radius.items() if r == 0 and self.bounds == "closed"]
        ranged = tuple(name for name in self.variables if name in radius and name not in exact)
        if ranged not in self._prepared:
            self._prepared[ranged] = _Prepared(self, ranged)
        return Match(self, self._prepared[ranged], radius)


class _Prepared:
    """Both files as arrays, sorted: what stays the same while a radius moves.

    groups, groups_star: one number per record; equal numbers agree on every exact variable.
    x, x_star: the variables with a radius, one column each (x_star is the synthetic x*).
    """

    def __init__(self, matcher, ranged):
        confidential, synthetic = matcher.confidential, matcher.synthetic
        checks.bounded("confidential", confidential, ranged, checks.LARGEST_FLOAT)
        checks.bounded("synthetic", synthetic, ranged, checks.LARGEST_FLOAT)
        # The variable with most values first: its windows hold the fewest points to look at.
        self.ranged = sorted(ranged, key=lambda name: -synthetic[name].nunique())
        self.x, self.x_star = (numbers(data, self.ranged) for data in (confidential, synthetic))
        exact = [name for name in matcher.variables if name not in ranged]
        alike = np.concatenate(number_combinations([confidential, synthetic], exact))
        # Missing matches missing only: whether a number is missing is one more exact variable.
        missing = np.isnan(np.concatenate([self.x, self.x_star])).T.astype(np.int64)
        self.groups, self.groups_star = np.split(combine([alike, *missing]), 2)
        # Every different value once, sorted, and which of them a record has.
        how = {"sort": True, "use_na_sentinel": False}
        self.different = [pd.factorize(column, **how) for column in self.x.T]
        self.x, self.x_star = np.nan_to_num(self.x), np.nan_to_num(self.x_star)
        self.counter = BoxCounter(self.groups_star, self.x_star)
        self.order = slice(None)
        if self.different:
            self.order = np.argsort(self.groups * len(self.groups) + self.different[0][0])


def numbers(data, names):
    """Columns of numbers as one array, missing as NaN."""
    columns = [data[name].to_numpy(dtype=float, na_value=np.nan) for name in names]
    return np.column_stack(columns) if columns else np.empty((len(data), 0))


class Match:
    """What `match` found: c_i and T_i for every record, and the summaries made of them."""

    def __init__(self, matcher, prepared, radius):
        """Count the candidates of every record; use `match` or `Matcher.at` to get here."""
        self.confidential, self.synthetic = matcher.confidential, matcher.synthetic
        self.known, self.synthesized = matcher.known, matcher.synthesized
        self.relative, self.shape, self.bounds = matcher.relative, matcher.shape, matcher.bounds
        self.radius, self.ranged, self._prepared = radius, prepared.ranged, prepared
        self._sides = [self._side(v) for v in range(len(self.ranged))]
        self.records = self._count()

    def _side(self, v):
        """The lowest and the highest number in the range around every value of one variable.

        A closed range holds all that satisfy |x* − x| ≤ R·(1 + 1e-9), an open one all between x − R
        and x + R as written.
        """
        which, values = self._prepared.different[v]
        with np.errstate(over="ignore"):  # beyond the largest number: the range has no end there
            x, R = np.nan_to_num(values), self._half_width(values, v)
            if self.bounds == "open":
                return Side(np.nextafter(x - R, np.inf), np.nextafter(x + R, -np.inf), which)
            reach = R * (1 + SLACK)
            return Side(_outermost(x, reach, -1), _outermost(x, reach, +1), which)

    def _half_width(self, values, v):
        """R = r·|x| (relative) or r (absolute)."""
        r = self.radius[self.ranged[v]]
        # A missing number stands at 0 in both files: any half-width above 0 lets it match.
        return np.where(np.isnan(values), 1.0, r * np.abs(values) if self.relative else r)

    def _count(self):
        """c, T, K, F and risk of every record."""
        at = self._prepared
        if self.is_ellipse():
            found = at.counter.pairs_where(at.groups, self._sides[0], self._agreeing)
            c = sum(np.bincount(i, minlength=len(at.groups)) for i, _ in found)
        else:
            c = at.counter.count(at.groups, self._sides, at.order)
        paired = np.flatnonzero(at.groups == at.groups_star)
        T = np.zeros(len(c), dtype=np.int64)
        T[paired[self._agreeing(paired, paired)]] = 1
        risk = np.divide(T, c, out=np.zeros(len(c)), where=c > 0)
        columns = {"c": c, "T": T, "K": (c * T == 1) * 1, "F": (c * (1 - T) == 1) * 1, "risk": risk}
        return pd.DataFrame(columns, index=self.confidential.index)

    def _agreeing(self, i, j):
        """Return the places of those pairs for which synthetic j is in the range of target i.

        Variable after variable, for ever fewer pairs; the ellipse comes last, inside the box.
        """
        places = np.arange(len(i))
        for v in range(len(self.ranged)):
            inside = self._in_range(i, j, v)
            places, i, j = places[inside], i[inside], j[inside]
        return places[self._in_ellipse(i, j)] if self.is_ellipse() else places

    def _in_range(self, i, j, v):
        """Say whether synthetic j is in the range of target i on one variable with a radius."""
        value, (low, high) = self._prepared.x_star[j, v], self._sides[v].bounds(i)
        return (low <= value) & (value <= high)

    def is_ellipse(self):
        """Say whether the shape matters: with one variable an ellipse is the box."""
        return self.shape == "ellipse" and len(self.ranged) > 1

    def _in_ellipse(self, i, j):
        """Say which pairs inside the box satisfy Σ ((x* − x) / R)² ≤ 1, or < 1 when open.

        Where R = 0 the two values are equal, for the pair is inside the box, and add nothing. A
        closed ellipse has the slack of a closed range. An open one has none, and its box is open
        too: a value on the bound of one variable is outside, whatever the other variables are.
        """
        slack = SLACK if self.bounds == "closed" else 0
        with np.errstate(over="ignore", invalid="ignore"):  # an infinite distance is outside
            half_widths = [
                self._half_width(values, v)[which[i]]
                for v, (which, values) in enumerate(self._prepared.different)
            ]
            reach = np.column_stack(half_widths) * (1 + slack)
            gap = self._prepared.x_star[j] - self._prepared.x[i]
            parts = np.divide(gap, reach, out=np.zeros(gap.shape), where=reach > 0)
            # Sorted first, so that the order of the variables cannot decide a tie.
            distance = np.sort(parts**2, axis=-1).sum(axis=-1)
        return distance <= 1 if self.bounds == "closed" else distance < 1

    def matches(self, i):
        """Say for every synthetic record whether it is a candidate for the target at position i."""
        i = checks.position("i", i, len(self.confidential))
        found = np.zeros(len(self.synthetic), dtype=bool)
        same_group = np.flatnonzero(self._prepared.groups_star == self._prepared.groups[i])
        found[same_group[self._agreeing(np.full(len(same_group), i), same_group)]] = True
        return found

    def pairs(self, targets=slice(None)):
        """List the pairs of a target and a candidate, as two arrays of positions.

        `targets` is a slice: those of some targets only, where all pairs would be too many.
        """
        if not isinstance(targets, slice):
            raise TypeError(f"targets must be a slice, not {checks.type_of(targets)}.")
        at, places = self._prepared, np.arange(len(self.records))[targets]
        if self.ranged:
            counter, first = at.counter, Side(*self._sides[0].bounds(places))
        else:  # one side, on which everybody is equal
            counter = BoxCounter(at.groups_star, np.zeros((len(at.groups_star), 1)))
            first = Side(*np.zeros((2, len(places))))

        def inside(place, j):
            """Tell which of these pairs agree on everything."""
            return self._agreeing(places[place], j)

        found = list(counter.pairs_where(at.groups[places], first, inside))
        return places[np.concatenate([i for i, _ in found])], np.concatenate([j for _, j in found])

    def candidates(self, i):
        """Return the synthetic rows that match the target at position i."""
        found = self.matches(i)
        return self.synthetic[found].set_axis(self.confidential.index[found])

    def range(self, i, variable):
        """Return the lower and upper bound for a variable with a radius (missing: NaN, NaN)."""
        i = checks.position("i", i, len(self.confidential))
        if checks.name_of_column("variable", variable) not in self.radius:
            having = ", ".join(map(str, self.radius)) or "none"
            shown = checks.show(variable)
            raise KeyError(f"{shown} has no radius in this match; these have one: {having}.")
        x = self.confidential[variable].iloc[i]
        x = np.nan if pd.isna(x) else float(x)
        half_width = self.radius[variable] * (abs(x) if self.relative else 1)
        return x - half_width, x + half_width

    def summary(self, targets=None):
        """Return the three summaries and s, over all records or the given 0-based positions.

        The false match rate is NaN when no target has a unique match.
        """
        chosen = self.records
        if targets is not None:
            chosen = chosen.iloc[checks.positions("targets", targets, len(chosen))]
        c, K, F, risk = (chosen[name].to_numpy() for name in ("c", "K", "F", "risk"))
        s = (c == 1).sum()
        values = [risk.sum(), K.sum() / len(chosen), F.sum() / s if s else np.nan, s]
        return pd.Series(values, index=SUMMARIES, dtype=float)

    def explain(self, i):
        """Tell the story of the record at position i in plain words."""
        return story.explain(self, checks.position("i", i, len(self.confidential)))

    def lost_on(self, i):
        """List the variables on which the target's own synthetic record fails to match."""
        i = checks.position("i", i, len(self.confidential))
        failed = [name for name in self.known + self.synthesized if not self._keeps(i, name)]
        return failed or self.ranged  # inside the box, yet outside the ellipse

    def _keeps(self, i, name):
        """Say whether the target's own synthetic record agrees with it on one variable."""
        rows = self.confidential.iloc[[i]], self.synthetic.iloc[[i]]
        if name not in self.ranged or any(row[name].isna().item() for row in rows):
            true, released = number_combinations(rows, [name])
            return true == released
        return self._in_range(i, i, self.ranged.index(name))

    def __repr__(self):
        """Show the summaries in one line."""
        expected, true, false, s = self.summary()
        unique = f"false match rate {say(false)}, {s:,.0f} unique matches"
        return (
            f"<Match of {len(self.records):,} records: expected match risk {say(expected)}, "
            f"true match rate {say(true)}, {unique if s else 'no unique match'}>"
        )


def _outermost(x, reach, direction):
    """Return the number farthest from x in one direction that satisfies |x* − x| ≤ reach.

    Adding x and reach rounds; where the sum is farther than reach, the number before it is not.
    """
    edge = x + direction * reach
    return np.nextafter(edge, x, out=edge, where=np.abs(edge - x) > reach)
