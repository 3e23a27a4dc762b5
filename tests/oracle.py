"""The definitions of matching, word for word, as a double loop. Slow, and easy to believe."""

import math

import pandas as pd


def matches(target, candidate, variables, radius, relative, shape, bounds):
    """Say whether one synthetic record matches one confidential record."""
    parts = []
    for name in variables:
        x, x_star = target[name], candidate[name]
        if pd.isna(x) or pd.isna(x_star):
            if not (pd.isna(x) and pd.isna(x_star)):
                return False
        elif name not in radius:
            if x != x_star:
                return False
        else:
            half_width = radius[name] * abs(x) if relative else radius[name]
            if bounds == "closed":
                half_width *= 1 + 1e-9
                if not abs(x_star - x) <= half_width:
                    return False
            elif not (x_star > x - half_width and x_star < x + half_width):
                return False
            if half_width > 0:
                parts.append(((x_star - x) / half_width) ** 2)
    if shape == "ellipse" and len(radius) > 1:
        distance = 0.0
        for part in sorted(parts):  # smallest first: no order of variables decides a tie
            distance += part
        return distance <= 1 if bounds == "closed" else distance < 1
    return True


def match(confidential, synthetic, variables, radius, relative=True, shape="box", bounds="closed"):
    """Return the lists of c_i and T_i."""
    targets = records(confidential, variables)
    candidates = records(synthetic, variables)
    c, T = [], []
    for i, target in enumerate(targets):
        found = [
            matches(target, candidate, variables, radius, relative, shape, bounds)
            for candidate in candidates
        ]
        c.append(sum(found))
        T.append(int(found[i]))
    return c, T


def records(data, variables):
    """Return each row as a mapping; before pandas 3.1 `to_dict` has no rows without variables."""
    found = data[variables].astype(object).to_dict("records")
    return found if variables else [{} for _ in range(len(data))]


def summary(c, T):
    """Return expected match risk, true match rate, false match rate and s from c and T."""
    n = len(c)
    s = sum(ci == 1 for ci in c)
    expected = sum(Ti / ci for ci, Ti in zip(c, T, strict=True) if ci > 0)
    true = sum(ci * Ti == 1 for ci, Ti in zip(c, T, strict=True)) / n
    false = sum(ci == 1 and Ti == 0 for ci, Ti in zip(c, T, strict=True))
    return expected, true, false / s if s else math.nan, s
