"""How do we say it? Numbers and lists as one reads them aloud."""

import math
from numbers import Real

import numpy as np
import pandas as pd


def say(value):
    """Write a value the way one reads it aloud.

    >>> say(36000.0), say(0.0625), say(1 / 3), say("F"), say(float("nan"))
    ('36,000', '0.0625', '0.3333', 'F', 'missing')
    >>> say(1 / 30000)
    '0.000033'
    """
    if pd.isna(value):
        return "missing"
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return str(value)
    if value in (math.inf, -math.inf):
        return "infinity" if value > 0 else "-infinity"
    if value == int(value) or abs(value) < 1e-12:  # so little is what rounding leaves of 0
        return f"{int(value):,}"
    if abs(value) < 0.001:
        return np.format_float_positional(value, precision=2, fractional=False, trim="-")
    digits = 4 if abs(value) < 10 else 2
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".")


def listing(names):
    """Join names the way one reads them aloud.

    >>> listing(["Age", "Urban", "Marital"]), listing(["Age"]), listing([])
    ('Age, Urban and Marital', 'Age', 'nothing')
    """
    names = [str(name) for name in names]
    if not names:
        return "nothing"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
