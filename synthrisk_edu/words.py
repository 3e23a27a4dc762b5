"""How do we say it? Numbers and lists as one reads them aloud."""

import math
from collections.abc import Iterable
from numbers import Real

import numpy as np
import pandas as pd


def say(value: object) -> str:
    """Write a value the way one reads it aloud.

    >>> say(36000.0), say(0.0625), say(1 / 3), say(1 / 30000), say("F"), say(float("nan"))
    ('36,000', '0.0625', '0.3333', '0.000033', 'F', 'missing')
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


def rounded(value: float) -> str:
    """Round a number as one says it: whole from 10 upwards, else two digits that matter.

    >>> rounded(56.73), rounded(3.5), rounded(0.6903), rounded(0.00062), rounded(1069.2), rounded(0)
    ('57', '3.5', '0.69', '0.00062', '1,069', '0')
    """
    if pd.isna(value) or abs(value) == math.inf:
        return say(value)
    if abs(value) >= 9.95:
        return f"{value:,.0f}"
    return np.format_float_positional(value, precision=2, fractional=False, trim="-")


def say_percent(value: float) -> str:
    """Write a percentage as one says it: whole above ten, one digit below.

    >>> say_percent(30.71), say_percent(3.14)
    ('31', '3.1')
    """
    return say(round(value)) if abs(value) >= 10 else say(round(value, 1))


def percent(value: float) -> str:
    """Write a percentage with its sign.

    >>> percent(30.71), percent(3.14)
    ('31 %', '3.1 %')
    """
    return f"{say_percent(value)} %"


def counted(number: float, singular: str, plural: str) -> str:
    """Say a number with its noun and verb.

    >>> counted(1, "unique match is", "unique matches are"), counted(2, "match", "matches")
    ('1 unique match is', '2 matches')
    """
    return f"{number:,.0f} {singular if number == 1 else plural}"


def listing(names: Iterable[object]) -> str:
    """Join names the way one reads them aloud.

    >>> listing(["Age", "Urban", "Marital"]), listing(["Age"]), listing([])
    ('Age, Urban and Marital', 'Age', 'nothing')
    """
    names = [str(name) for name in names]
    if not names:
        return "nothing"
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"
