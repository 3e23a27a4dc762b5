"""What happened to this record? The story of one target in plain words; see `Match.explain`."""

import pandas as pd

from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.words import about, listing, say


def explain(match, i):
    """Tell what the intruder asks for the target at position i, finds, and gets out of it."""
    c, T = int(match.records.c.iloc[i]), int(match.records["T"].iloc[i])
    plain = plain_names(match.known + match.synthesized, match.confidential)
    looked = listing(_condition(match, i, name, word) for name, word in plain.items())
    if match.is_ellipse():
        ranged = [word for name, word in plain.items() if name in match.ranged]
        looked += f". A record must also lie inside the ellipse of {listing(ranged)}"
    n = len(match.synthetic)
    found = f"{c:,} of the {n:,} synthetic records match{'es' if c == 1 else ''}, so c = {c:,}."
    asked = f"looks for {looked}" if plain else "knows nothing to look for"
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
    low, high = (about(end) if abs(end) >= 1000 else say(end) for end in (low, high))
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
            f"{c:,} is right with probability T/c = 1/{c:,} = {about(1 / c)}."
        )
    plain = labels(match.known + match.synthesized, match.confidential)
    lost = listing(
        f"{plain[name]} became {say(match.synthetic[name].iloc[i])}" for name in match.lost_on(i)
    )
    if c == 1:
        return f"But it is somebody else's ({lost}): T = 0, a false unique match, and risk 0."
    return f"The target's own record is not among them ({lost}): T = 0 and the risk is 0."
