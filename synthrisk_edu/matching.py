"""Who could this be? c_i, T_i and the three summaries of identification risk.

An intruder looks for target i in partially synthetic data. Start reading at `Match`: its first
screen is the whole method. (After Reiter & Mitra 2009, Hu's lecture, and Hornby & Hu 2021.)
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.cells import as_floats, combine, label_cells
from synthrisk_edu.counting import BoxCounter
from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.words import listing, rounded, say

SLACK = 1e-9  # lets a value that is on the bound on paper be on it in floating point too
SHAPES = ("box", "ellipse")
BOUNDS = ("closed", "open")


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

    def agree(self, i: int | np.ndarray, j: int | np.ndarray) -> np.ndarray:
        """Say whether synthetic record j is a candidate for target i; both may be arrays."""
        inside = self.group[i] == self.group_star[j]  # equal where it must be equal
        for v in range(len(self.with_radius)):  # and within R_i everywhere else
            x = self.x[i, v]
            R = self.R[i, v]
            x_star = self.x_star[j, v]
            if self.bounds == "closed":
                inside = inside & (np.abs(x_star - x) <= R)
            else:
                inside = inside & (x - R < x_star) & (x_star < x + R)
        if self.is_ellipse():
            inside = inside & self.in_ellipse(i, j)
        return inside

    def in_ellipse(self, i: int | np.ndarray, j: int | np.ndarray) -> np.ndarray:
        """Say whether Σ ((x*_j − x_i) / R_i)² ≤ 1, or < 1 when the bounds are open."""
        gap = self.x_star[j] - self.x[i]
        R = self.R[i]
        # Where R = 0 the two values are equal, or the box has ruled the pair out.
        parts = np.divide(gap, R, out=np.zeros(gap.shape), where=R > 0) ** 2
        distance = np.sort(parts, axis=-1).sum(axis=-1)  # sorted: no order decides a tie
        return distance <= 1 if self.bounds == "closed" else distance < 1

    def measure(self) -> pd.DataFrame:
        """Return c, T, K, F and the risk of every target."""
        everyone = np.arange(len(self.confidential))
        c = self.count_candidates()
        T = self.agree(everyone, everyone) * 1
        if self.fallback:  # where nobody agrees: those who agree on what is known
            nobody = c == 0
            c = np.where(nobody, self.on_known.records["c"], c)
            T = np.where(nobody, self.on_known.records["T"], T)
        K = (c * T == 1) * 1
        F = (c * (1 - T) == 1) * 1
        risk = np.divide(T, c, out=np.zeros(len(c)), where=c > 0)
        columns = {"c": c, "T": T, "K": K, "F": F, "risk": risk}
        return pd.DataFrame(columns, index=self.confidential.index)

    def summary(self, targets: Sequence[int] | None = None) -> pd.Series:
        """Return the three summaries and s, over all records or the given 0-based positions.

        The false match rate is NaN when no target has a unique match.
        """
        chosen = self.records
        if targets is not None:
            chosen = chosen.iloc[checks.positions("targets", targets, len(chosen))]
        N = len(chosen)
        s = (chosen.c == 1).sum()
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
        self,
        confidential: pd.DataFrame,
        synthetic: pd.DataFrame,
        *,
        known: list[str],
        synthesized: list[str],
        radius: dict[str, float],
        relative: bool,
        shape: str,
        bounds: str,
        fallback: bool,
    ):
        """Find the candidates of every target; use `match` to get here, which checks all of it."""
        self.confidential = confidential
        self.synthetic = synthetic
        self.known = known
        self.synthesized = synthesized
        self.relative = relative
        self.shape = shape
        self.bounds = bounds
        self.fallback = fallback
        self.on_known = None
        self._prepare(radius)
        self._search(radius)

    def _prepare(self, radius):
        """Put both files into arrays, sorted: what stays the same while a radius moves.

        group, group_star: equal numbers agree on every variable without a radius, and on which of
        the others are missing, because missing matches missing only. x, x_star: the variables with
        a radius, a column each.
        """
        # Those with most values come first: their ranges hold the fewest records.
        self.with_radius = sorted(radius, key=lambda name: -self.synthetic[name].nunique())
        variables = self.known + self.synthesized
        must_be_equal = [name for name in variables if name not in self.with_radius]
        files = [self.confidential, self.synthetic]
        n = len(self.confidential)
        cell = np.concatenate(label_cells(files, must_be_equal))
        values = np.empty((2 * n, len(self.with_radius)))
        for v, name in enumerate(self.with_radius):
            values[:n, v] = as_floats(self.confidential[name])
            values[n:, v] = as_floats(self.synthetic[name])
        missing = np.isnan(values)
        values = np.nan_to_num(values)  # missing stands at 0 in both files
        group = combine([cell, *missing.T.astype(np.int64)], 2 * n)
        self.group = group[:n]
        self.group_star = group[n:]
        self.x = values[:n]
        self.x_star = values[n:]
        self.missing = missing[:n]
        self.counter = BoxCounter(self.group_star, self.x_star)

    def _search(self, radius):
        """Set the half-width R_i of every range, and find the candidates."""
        self.radius = radius
        r = np.array([radius[name] for name in self.with_radius])
        R = r * np.abs(self.x) if self.relative else r * np.ones(self.x.shape)
        if self.bounds == "closed":
            R = R * (1 + SLACK)
        self.R = np.where(self.missing, 1.0, R)  # missing is near missing, whatever the radius
        if self.fallback:
            self.on_known = self._match_on_known()
        self.records = self.measure()

    def _match_on_known(self):
        """Return the match on `known` alone, at the radii these have."""
        radius = {name: r for name, r in self.radius.items() if name in self.known}
        if self.on_known is not None:
            return self.on_known.moved_to(radius)
        return Match(
            self.confidential,
            self.synthetic,
            known=self.known,
            synthesized=[],
            radius=radius,
            relative=self.relative,
            shape=self.shape,
            bounds=self.bounds,
            fallback=False,
        )

    def at(self, radius: float | Mapping[str, float] | None) -> "Match":
        """Ask the same at another radius, without sorting anything again: what a slider calls."""
        files = {"confidential": self.confidential, "synthetic": self.synthetic}
        return self.moved_to(
            checks.radii(radius, files, self.known, self.synthesized, self.relative)
        )

    def moved_to(self, radius: dict[str, float]) -> "Match":
        """Do what `at` does with a radius that was checked before."""
        other = copy(self)
        if set(radius) != set(self.radius):
            other._prepare(radius)
        other._search(radius)
        return other

    def _bounds(self):
        """Return the lowest and the highest number that `agree` takes, for each target."""
        low = self.x - self.R
        high = self.x + self.R
        if self.bounds == "open":
            return np.nextafter(low, np.inf), np.nextafter(high, -np.inf)
        for end in (low, high):
            # A sum rounds; where it is farther from x than R, the number before it is not.
            too_far = np.abs(end - self.x) > self.R
            np.nextafter(end, self.x, out=end, where=too_far)
        return low, high

    def count_candidates(self) -> np.ndarray:
        """Return c_i, quickly: `counting` finds the same as `agree` for all pairs would."""
        n = len(self.confidential)
        if not self.is_ellipse():
            low, high = self._bounds()
            return self.counter.count(self.group, low, high)
        c = np.zeros(n, dtype=np.int64)
        for i, _ in self.candidate_pairs(np.arange(n)):
            c += np.bincount(i, minlength=n)
        return c

    def candidate_pairs(self, targets: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the pairs of one of some targets, by its place among them, and a candidate j.

        So many at a time that they fit into memory.
        """
        low, high = self._bounds()
        for place, j in self.counter.pairs(self.group[targets], low[targets], high[targets]):
            if self.is_ellipse():
                inside = self.in_ellipse(targets[place], j)
                place = place[inside]
                j = j[inside]
            yield place, j

    @property
    def numeric(self) -> list[str]:
        """The variables that hold quantities in both files, so that they may have a radius."""
        variables = self.known + self.synthesized
        return checks.numeric_names(variables, [self.confidential, self.synthetic])

    def is_ellipse(self) -> bool:
        """Say whether the shape matters: with one variable an ellipse is the box."""
        return self.shape == "ellipse" and len(self.with_radius) > 1

    # ----------------------------------------------------------------- one target

    def matches(self, i: int) -> np.ndarray:
        """Say for every synthetic record whether it is a candidate for the target at position i."""
        i = checks.position("i", i, len(self.confidential))
        if self.falls_back(i):
            return self.on_known.matches(i)
        return self.agree(i, np.arange(len(self.synthetic)))

    def falls_back(self, i: int) -> bool:
        """Say whether nobody agrees with target i, so that the intruder looks at `known` alone."""
        return self.fallback and not self.agree(i, np.arange(len(self.synthetic))).any()

    def candidates(self, i: int) -> pd.DataFrame:
        """Return the synthetic rows that match the target at position i."""
        is_candidate = self.matches(i)
        return self.synthetic[is_candidate].set_axis(self.confidential.index[is_candidate])

    def range(self, i: int, variable: str) -> tuple[float, float]:
        """Return the lower and upper bound for a variable with a radius (missing: NaN, NaN)."""
        i = checks.position("i", i, len(self.confidential))
        checks.mapping("range", {variable: i}, list(self.radius), "a variable with a radius")
        x = as_floats(self.confidential[variable])[i]
        R = self.radius[variable] * (abs(x) if self.relative else 1)
        return x - R, x + R

    def lost_on(self, i: int) -> list[str]:
        """List the variables on which the target's own synthetic record fails to match."""
        i = checks.position("i", i, len(self.confidential))
        lost = []
        for name in self.known + self.synthesized:
            on_one_variable = Match(
                self.confidential.iloc[[i]],
                self.synthetic.iloc[[i]],
                known=[],
                synthesized=[name],
                radius={name: self.radius[name]} if name in self.radius else {},
                relative=self.relative,
                shape=self.shape,
                bounds=self.bounds,
                fallback=False,
            )
            if not on_one_variable.agree(0, 0):
                lost.append(name)
        return lost or self.with_radius  # inside the box, yet outside the ellipse

    def explain(self, i: int, *, counts: bool = True) -> str:
        """Tell the story of the record at position i in plain words.

        Without `counts`, c, T and the risk are left out: they stand beside it.
        """
        return _story(self, checks.position("i", i, len(self.confidential)), counts)

    def __repr__(self) -> str:
        """Show the summaries in one line."""
        expected, true, false, s = self.summary()
        unique = f"false match rate {say(false)}, {s:,.0f} unique matches"
        return (
            f"<Match of {len(self.records):,} records: expected match risk {say(expected)}, "
            f"true match rate {say(true)}, {unique if s else 'no unique match'}>"
        )


# ------------------------------------------------------------------- how to ask


def match(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    known: Sequence[str],
    synthesized: Sequence[str],
    radius: float | Mapping[str, float] | None = None,
    *,
    relative: bool = True,
    shape: str = "box",
    bounds: str = "closed",
    fallback: bool = False,
) -> Match:
    """Match every confidential record with the synthetic data; see `Match` for what comes out.

    Args:
        confidential: the true data, one row per record.
        synthetic: the released data; row j is the same unit as row j of `confidential`.
        known: names of the columns that were not changed; the intruder knows them, and they can be
            trusted. They are the same in both files, row by row.
        synthesized: names of the columns that were replaced; the intruder knows the true values.
        radius: None, one number for every synthesized number, or a mapping variable → r. A variable
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

    With nothing to match on (both lists are empty) everybody is a candidate for everybody:

    >>> match(confidential, synthetic, [], []).records.c.tolist()
    [5, 5, 5, 5, 5]
    """
    known, synthesized = checks.roles(known, synthesized)
    files = {"confidential": confidential, "synthetic": synthetic}
    checks.pairing(files, known, synthesized)
    return Match(
        confidential.copy(),  # later changes by the caller do not reach the result
        synthetic.copy(),
        known=known,
        synthesized=synthesized,
        radius=checks.radii(radius, files, known, synthesized, relative),
        relative=relative,
        shape=checks.one_of("shape", shape, SHAPES),
        bounds=checks.one_of("bounds", bounds, BOUNDS),
        fallback=fallback,
    )


def baseline(
    confidential: pd.DataFrame,
    known: Sequence[str],
    synthesized: Sequence[str],
    radius: float | Mapping[str, float] | None = None,
    *,
    relative: bool = True,
    shape: str = "box",
    bounds: str = "closed",
) -> Match:
    """Match the confidential data with itself: the risk of releasing it as it is.

    Further arguments as for `match`.
    """
    return match(
        confidential,
        confidential,
        known,
        synthesized,
        radius,
        relative=relative,
        shape=shape,
        bounds=bounds,
    )


def floor(
    confidential: pd.DataFrame,
    known: Sequence[str],
    radius: float | Mapping[str, float] | None = None,
    *,
    relative: bool = True,
    shape: str = "box",
    bounds: str = "closed",
) -> Match:
    """Match on the untouched variables alone: the intruder who ignores what was synthesized.

        c_i = number of records equal to i on `known` (within the radius)        T_i = 1

    The synthetic data play no part, so any release leaves this risk. Without a radius the
    expected match risk is the number of different combinations of `known`; an empty `known` makes
    everybody a candidate for everybody, and the risk is 1 in all. One number as radius stands for
    every known number. Further arguments as for `match`.

    >>> floor(pd.DataFrame({"Sex": list("FFMMM")}), ["Sex"]).records.c.tolist()
    [2, 2, 3, 3, 3]
    """
    known = checks.names("known", known)
    files = {"confidential": confidential}
    checks.same_kind(files, known)
    own = confidential.copy()  # later changes by the caller do not reach the result
    return Match(
        own,
        own,
        known=known,
        synthesized=[],
        radius=checks.radii(radius, files, known, [], relative),
        relative=relative,
        shape=checks.one_of("shape", shape, SHAPES),
        bounds=checks.one_of("bounds", bounds, BOUNDS),
        fallback=False,
    )


def three_matches(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    known: Sequence[str],
    synthesized: Sequence[str],
    radius: float | Mapping[str, float] | None = None,
    *,
    fallback: bool = False,
) -> dict[str, Match]:
    """Match the confidential file with itself, with the synthetic one, and by known alone.

    A risk means something only between the two others: "confidential" above it, "floor" below.
    """
    known, synthesized = checks.roles(known, synthesized)
    of_release = match(confidential, synthetic, known, synthesized, radius, fallback=fallback)
    radius_of_known = {name: r for name, r in of_release.radius.items() if name in known}
    return {
        "confidential": baseline(confidential, known, synthesized, radius),
        "synthetic": of_release,
        "floor": floor(confidential, known, radius_of_known),
    }


# ------------------------------------------------------------- the story of one target


def _story(match, i, counts):
    """Tell what the intruder asks for the target at position i, finds, and gets out of it."""
    c = int(match.records.c.iloc[i])
    plain = plain_names(match.known + match.synthesized, match.confidential)
    looked = listing(_condition(match, i, name, word) for name, word in plain.items())
    if match.is_ellipse():
        numbers = [word for name, word in plain.items() if name in match.with_radius]
        looked += f". A record must also lie inside the ellipse of {listing(numbers)}"
    asked = f"looks for {looked}" if plain else "knows nothing to look for"
    n = len(match.synthetic)
    if match.falls_back(i):
        known = listing(word for name, word in plain.items() if name in match.known)
        found = f"Nobody matches, so the intruder falls back on {known}: {c:,} of the {n:,}"
        found += f" synthetic records agree{'s' if c == 1 else ''} there"
    else:
        found = f"{c:,} of the {n:,} synthetic records match{'es' if c == 1 else ''}"
    found += f", so c = {c:,}." if counts else "."
    label = match.confidential.index[i]
    name = f"Record {i}" if str(label) == str(i) else f"{label} (record {i})"
    ending = _verdict(match, i) if counts else _whose(match, i)
    return f"{name}: the intruder {asked}. {found} {ending}"


def _condition(match, i, name, word):
    """Say what the intruder asks of one variable, called by its plain word."""
    value = match.confidential[name].iloc[i]
    if name not in match.radius or pd.isna(value):
        return f"{word} = {say(value)}"
    low, high = match.range(i, name)
    if low == high and match.bounds == "closed":
        return f"{word} = {say(value)}"
    ends = "between" if match.bounds == "closed" else "strictly between"
    return f"{word} {ends} {_say_bound(low)} and {_say_bound(high)}"


def _say_bound(bound):
    """Say the end of a range; thousands are said without decimals."""
    return rounded(bound) if abs(bound) >= 1000 else say(bound)


def _verdict(match, i):
    """Say what the intruder gets out of it: T and the risk."""
    c = int(match.records.c.iloc[i])
    T = int(match.records["T"].iloc[i])
    if c == 0:
        return "Nobody matches, so T = 0 and the risk is 0."
    if T == 1 and c == 1:
        return "It is the target's own record: T = 1, a true unique match, and the risk is 1."
    if T == 1:
        return (
            "The target's own record is among them: T = 1, and a guess among the "
            f"{c:,} is right with probability T/c = 1/{c:,} = {rounded(1 / c)}."
        )
    lost = _what_was_lost(match, i)
    if c == 1:
        return f"But it is somebody else's ({lost}): T = 0, a false unique match, and risk 0."
    return f"The target's own record is not among them ({lost}): T = 0 and the risk is 0."


def _whose(match, i):
    """Say only whether the target's own record is among the candidates."""
    c = int(match.records.c.iloc[i])
    T = int(match.records["T"].iloc[i])
    if c == 0:
        return f"Not even the target's own record does ({_what_was_lost(match, i)})."
    if T == 1 and c == 1:
        return "It is the target's own record: a true unique match."
    if T == 1:
        return "The target's own record is among them."
    if c == 1:
        return f"But it is somebody else's ({_what_was_lost(match, i)}): a false unique match."
    return f"The target's own record is not among them ({_what_was_lost(match, i)})."


def _what_was_lost(match, i):
    """Say how the target's own record changed, so that it does not match any more."""
    plain = labels(match.known + match.synthesized, match.confidential)
    became = [
        f"{plain[name]} became {say(match.synthetic[name].iloc[i])}" for name in match.lost_on(i)
    ]
    return listing(became)
