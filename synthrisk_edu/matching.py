"""Who could this be? c_i, T_i and the three summaries of identification risk.

An intruder looks for target i in partially synthetic data. Start reading at `Match`: its first
screen is the whole method. (After Reiter & Mitra 2009, Hu's lecture, and Hornby & Hu 2021.)
"""

from copy import copy

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.cells import as_floats, combine, label_cells
from synthrisk_edu.counting import BoxCounter
from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.words import listing, rounded, say

SLACK = 1e-9  # lets a value that is on the bound on paper be on it in floating point too


class Match:
    """Every confidential record i is a target, every synthetic record j a possible candidate.

        c_i = number of synthetic records j that agree with target i
        T_i = 1 if j = i is among them, else 0          risk_i = T_i / c_i  (0 when c_i = 0)
        K_i = 1 if c_i · T_i = 1                        F_i = 1 if c_i · (1 − T_i) = 1

    With N targets, s of them with c_i = 1:

        expected match risk = Σ T_i / c_i
        true match rate = Σ K_i / N        false match rate = Σ F_i / s

    `match` makes one. `.records` holds c, T, K, F and risk, a row for each target.
    """

    def agree(self, i, j):
        """Say whether synthetic record j is a candidate for target i; both may be arrays."""
        inside = self.group[i] == self.group_star[j]  # equal where it must be equal
        for v in range(len(self.ranged)):  # and within R_i everywhere else
            x, R, x_star = self.x[i, v], self.R[i, v], self.x_star[j, v]
            if self.bounds == "closed":
                inside = inside & (np.abs(x_star - x) <= R)
            else:
                inside = inside & (x - R < x_star) & (x_star < x + R)
        return inside & self.in_ellipse(i, j) if self.is_ellipse() else inside

    def in_ellipse(self, i, j):
        """Say whether Σ ((x*_j − x_i) / R_i)² ≤ 1, or < 1 when the bounds are open."""
        gap, R = self.x_star[j] - self.x[i], self.R[i]
        # Where R = 0 the two values are equal, or the box has ruled the pair out.
        parts = np.divide(gap, R, out=np.zeros(gap.shape), where=R > 0) ** 2
        distance = np.sort(parts, axis=-1).sum(axis=-1)  # sorted: no order decides a tie
        return distance <= 1 if self.bounds == "closed" else distance < 1

    def measure(self):
        """Return c, T, K, F and the risk of every target."""
        everyone = np.arange(len(self.confidential))
        c, T = self._count(), self.agree(everyone, everyone) * 1
        if self.fallback:  # where nobody agrees: those who agree on what is known
            n_star, T_star = (self.alike.records[name].to_numpy() for name in "cT")
            c, T = np.where(c > 0, c, n_star), np.where(c > 0, T, T_star)
        risk = np.divide(T, c, out=np.zeros(len(c)), where=c > 0)
        columns = {"c": c, "T": T, "K": (c * T == 1) * 1, "F": (c * (1 - T) == 1) * 1, "risk": risk}
        return pd.DataFrame(columns, index=self.confidential.index)

    def summary(self, targets=None):
        """Return the three summaries and s, over all records or the given 0-based positions.

        The false match rate is NaN when no target has a unique match.
        """
        chosen = self.records if targets is None else self.records.iloc[list(targets)]
        N, s = len(chosen), (chosen.c == 1).sum()
        return pd.Series(
            {
                "expected_match_risk": chosen.risk.sum(),
                "true_match_rate": chosen.K.sum() / N,
                "false_match_rate": chosen.F.sum() / s if s else np.nan,
                "unique_matches": float(s),
            }
        )

    # -------------------------------------------------------- what has to be there before

    def __init__(
        self, confidential, synthetic, known, synthesized, radius, relative, shape, bounds, fallback
    ):
        """Take the question apart; use `match` to get here."""
        files = {"confidential": confidential, "synthetic": synthetic}
        checks.same_kind(files, known + synthesized)
        checks.same_length(files)
        self.shape = checks.one_of("shape", shape, ("box", "ellipse"))
        self.bounds = checks.one_of("bounds", bounds, ("closed", "open"))
        self.known, self.synthesized = known, synthesized
        self.relative, self.fallback = relative, fallback
        # A shallow copy shares the data, yet later changes by the caller do not reach it.
        self.confidential, self.synthetic = (one.copy(deep=False) for one in files.values())
        self.numeric = checks.numeric_names(known + synthesized, files.values())
        self.ranged = self.alike = None
        self._ask(radius)

    def at(self, radius):
        """Ask the same at another radius, without sorting anything again: what a slider calls."""
        other = copy(self)
        other._ask(radius)
        return other

    def _ask(self, radius):
        """Set R_i, and find the candidates."""
        variables = self.known + self.synthesized
        self.radius = checks.radii(radius, variables, self.numeric, self.relative)
        if self.ranged is None or set(self.ranged) != set(self.radius):
            self._prepare()
        r = np.array([self.radius[name] for name in self.ranged])
        R = r * np.abs(self.x) if self.relative else r * np.ones(self.x.shape)
        R = R * (1 + SLACK) if self.bounds == "closed" else R
        self.R = np.where(self.missing, 1.0, R)  # missing stands at 0 in both files, and matches
        if self.fallback:
            self.alike = self._on_known()
        self.records = self.measure()

    def _on_known(self):
        """Return the match on `known` alone, at the radii these have."""
        radius = {name: r for name, r in self.radius.items() if name in self.known}
        if self.alike is not None:
            return self.alike.at(radius)
        question = self.confidential, self.synthetic, self.known, [], radius
        return Match(*question, self.relative, self.shape, self.bounds, fallback=False)

    def _prepare(self):
        """Put both files into arrays, sorted: what stays the same while a radius moves.

        group, group_star: equal numbers agree on every variable without a radius, and on which of
        the others are missing, for missing matches missing only. x, x_star: the variables with a
        radius, a column each; those with most values first, for their ranges hold the fewest.
        """
        files = {"confidential": self.confidential, "synthetic": self.synthetic}
        self.ranged = sorted(self.radius, key=lambda name: -self.synthetic[name].nunique())
        for label, data in files.items():
            checks.numeric(label, data, self.ranged)
        n, variables = len(self.confidential), self.known + self.synthesized
        equal = [name for name in variables if name not in self.radius]
        alike = np.concatenate(label_cells(files.values(), equal))
        both = np.empty((2 * n, len(self.ranged)))
        for v, name in enumerate(self.ranged):
            both[:, v] = np.concatenate([as_floats(data[name]) for data in files.values()])
        missing = np.isnan(both)
        group = combine([alike, *missing.T.astype(np.int64)], 2 * n)
        (self.group, self.group_star), self.missing = np.split(group, 2), missing[:n]
        self.x, self.x_star = np.split(np.nan_to_num(both), 2)
        self.counter = BoxCounter(self.group_star, self.x_star)

    def _bounds(self):
        """Return the lowest and the highest number that `agree` takes, for each target."""
        ends = self.x - self.R, self.x + self.R
        if self.bounds == "open":
            return np.nextafter(ends[0], np.inf), np.nextafter(ends[1], -np.inf)
        # A sum rounds; where it is farther from x than R, the number before it is not.
        return [
            np.nextafter(end, self.x, out=end, where=np.abs(end - self.x) > self.R) for end in ends
        ]

    def _count(self):
        """Return c_i, quickly: `counting` finds the same as `agree` for all pairs would."""
        if not self.is_ellipse():
            return self.counter.count(self.group, *self._bounds())
        found = self.pairs(np.arange(len(self.x)))
        return sum(np.bincount(i, minlength=len(self.x)) for i, _ in found)

    def pairs(self, targets):
        """Yield the pairs of one of some targets, by its place among them, and a record j.

        So many at a time that they fit into memory.
        """
        low, high = self._bounds()
        for place, j in self.counter.pairs(self.group[targets], low[targets], high[targets]):
            hit = self.in_ellipse(targets[place], j) if self.is_ellipse() else slice(None)
            yield place[hit], j[hit]

    def is_ellipse(self):
        """Say whether the shape matters: with one variable an ellipse is the box."""
        return self.shape == "ellipse" and len(self.ranged) > 1

    # ----------------------------------------------------------------- one target

    def matches(self, i):
        """Say for every synthetic record whether it is a candidate for the target at position i."""
        i = checks.position("i", i, len(self.confidential))
        found = self.agree(i, np.arange(len(self.synthetic)))
        return self.alike.matches(i) if self.falls_back(i) else found

    def falls_back(self, i):
        """Say whether nobody agrees with target i, so that the intruder looks at `known` alone."""
        return self.fallback and not self.agree(i, np.arange(len(self.synthetic))).any()

    def candidates(self, i):
        """Return the synthetic rows that match the target at position i."""
        found = self.matches(i)
        return self.synthetic[found].set_axis(self.confidential.index[found])

    def range(self, i, variable):
        """Return the lower and upper bound for a variable with a radius (missing: NaN, NaN)."""
        checks.mapping("range", {variable: i}, list(self.radius), "a variable with a radius")
        x = as_floats(self.confidential[variable])[i]
        half_width = self.radius[variable] * (abs(x) if self.relative else 1)
        return x - half_width, x + half_width

    def lost_on(self, i):
        """List the variables on which the target's own synthetic record fails to match."""
        rows = self.confidential.iloc[[i]], self.synthetic.iloc[[i]]
        how = self.relative, self.shape, self.bounds, False
        lost = []
        for name in self.known + self.synthesized:
            radius = {name: self.radius[name]} if name in self.radius else None
            if not Match(*rows, [name], [], radius, *how).agree(0, 0):
                lost.append(name)
        return lost or self.ranged  # inside the box, yet outside the ellipse

    def explain(self, i):
        """Tell the story of the record at position i in plain words."""
        return _story(self, checks.position("i", i, len(self.confidential)))

    def __repr__(self):
        """Show the summaries in one line."""
        expected, true, false, s = self.summary()
        unique = f"false match rate {say(false)}, {s:,.0f} unique matches"
        return (
            f"<Match of {len(self.records):,} records: expected match risk {say(expected)}, "
            f"true match rate {say(true)}, {unique if s else 'no unique match'}>"
        )


# ------------------------------------------------------------------- how to ask


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
    fallback=False,
):
    """Match every confidential record with the synthetic data; see `Match` for what comes out.

    Args:
        confidential: the true data, one row per record.
        synthetic: the released data; row j is the same unit as row j of `confidential`.
        known: names of the variables the intruder knows and that were not synthesized.
        synthesized: names of the variables that were replaced; the intruder knows the true values.
        radius: None, one number for every numeric variable, or a mapping variable → r. A variable
            without a radius must be equal; missing equals missing and nothing else.
        relative: the half-width R_i is r·|x_i| (True) or r itself (False).
        shape: "box", or "ellipse": Σ ((x*_j − x_i) / R_i)² ≤ 1.
        bounds: "closed" counts a tie as inside; "open" does not.
        fallback: where nobody agrees, the intruder does not give up but guesses among the records
            that agree on `known`: these are the candidates then.

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
    how = relative, shape, bounds, fallback
    return Match(confidential, synthetic, known, synthesized, radius, *how)


def baseline(confidential, known, synthesized, radius=None, **how):
    """Match the confidential data with itself: the risk of releasing it as it is.

    Further arguments as for `match`.
    """
    return match(confidential, confidential, known, synthesized, radius, **how)


def floor(confidential, known, radius=None, *, relative=True, shape="box", bounds="closed"):
    """Match on the untouched variables alone: the intruder who ignores what was synthesized.

        c_i = number of records equal to i on `known` (within the radius)        T_i = 1

    The synthetic data play no part, so any release leaves this risk. Without a radius the
    expected match risk is the number of different combinations of `known`; an empty `known` makes
    everybody a candidate for everybody, and the risk is 1 in all. Further arguments as for `match`.

    >>> floor(pd.DataFrame({"Sex": list("FFMMM")}), ["Sex"]).records.c.tolist()
    [2, 2, 3, 3, 3]
    """
    known, how = checks.names("known", known), (relative, shape, bounds, False)
    return Match(confidential, confidential, known, [], radius, *how)


def three_matches(confidential, synthetic, known, synthesized, radius=None, fallback=False):
    """Match the confidential file with itself, with the synthetic one, and by known alone.

    A risk means something only between the two others: "confidential" above it, "floor" below.
    """
    of_known = {name: r for name, r in (radius or {}).items() if name in known}
    return {
        "confidential": baseline(confidential, known, synthesized, radius),
        "synthetic": match(confidential, synthetic, known, synthesized, radius, fallback=fallback),
        "floor": floor(confidential, known, of_known),
    }


# ------------------------------------------------------------- the story of one target


def _story(match, i):
    """Tell what the intruder asks for the target at position i, finds, and gets out of it."""
    c, T = int(match.records.c.iloc[i]), int(match.records["T"].iloc[i])
    plain = plain_names(match.known + match.synthesized, match.confidential)
    looked = listing(_condition(match, i, name, word) for name, word in plain.items())
    if match.is_ellipse():
        ranged = [word for name, word in plain.items() if name in match.ranged]
        looked += f". A record must also lie inside the ellipse of {listing(ranged)}"
    asked = f"looks for {looked}" if plain else "knows nothing to look for"
    n = len(match.synthetic)
    if match.falls_back(i):
        alike = listing(word for name, word in plain.items() if name in match.known)
        found = f"Nobody matches, so the intruder falls back on {alike}: {c:,} of the {n:,}"
        found += f" synthetic records agree{'s' if c == 1 else ''} there, so c = {c:,}."
    else:
        found = f"{c:,} of the {n:,} synthetic records match{'es' if c == 1 else ''}, so c = {c:,}."
    label = match.confidential.index[i]
    name = f"Record {i}" if str(label) == str(i) else f"{label} (record {i})"
    return f"{name}: the intruder {asked}. {found} {_verdict(match, i, c, T)}"


def _condition(match, i, name, word):
    """Say what the intruder asks of one variable, called by its plain word."""
    value = match.confidential[name].iloc[i]
    if name not in match.radius or pd.isna(value):
        return f"{word} = {say(value)}"
    low, high = match.range(i, name)
    if low == high and match.bounds == "closed":
        return f"{word} = {say(value)}"
    ends = "between" if match.bounds == "closed" else "strictly between"
    # Thousands are said without decimals.
    low, high = (rounded(end) if abs(end) >= 1000 else say(end) for end in (low, high))
    return f"{word} {ends} {low} and {high}"


def _verdict(match, i, c, T):
    """Say what the intruder gets out of it."""
    if c == 0:
        return "Nobody matches, so T = 0 and the risk is 0."
    if T == 1 and c == 1:
        return "It is the target's own record: T = 1, a true unique match, and the risk is 1."
    if T == 1:
        return (
            "The target's own record is among them: T = 1, and a guess among the "
            f"{c:,} is right with probability T/c = 1/{c:,} = {rounded(1 / c)}."
        )
    plain = labels(match.known + match.synthesized, match.confidential)
    lost = listing(
        f"{plain[name]} became {say(match.synthetic[name].iloc[i])}" for name in match.lost_on(i)
    )
    if c == 1:
        return f"But it is somebody else's ({lost}): T = 0, a false unique match, and risk 0."
    return f"The target's own record is not among them ({lost}): T = 0 and the risk is 0."
