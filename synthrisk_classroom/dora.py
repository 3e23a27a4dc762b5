"""One person through the course: Dora of lesson 01 has a double in the file of every lesson.

Dora is a woman of 58, a widow, and bakes in a small town. The module of a lesson names her double,
`DORA = (table, position)`, and what it was chosen by, `LIKE`: it is the record that `most_like`
finds. Its function `dora(d)` asks, on the tables of the text, what the lesson's release does to
her.
"""

from dataclasses import dataclass
from html import escape

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Dora:
    """What one release does to Dora's double: her c, T and risk, and a sentence or two.

    `release` says what was published, in a few words. Where a lesson counts otherwise (averaged
    over draws, or by keys), c, T and risk are what comes nearest, and `words` says what.
    """

    release: str
    c: float
    T: float
    risk: float
    words: str

    def __repr__(self):
        """Read her numbers aloud."""
        return f"{self.release}: c = {self.c:g}, T = {self.T:g}, risk {self.risk:.2g}. {self.words}"

    def _repr_html_(self):
        """Show her numbers, and the words."""
        numbers = f"c = {self.c:g}, T = {self.T:g}, risk {self.risk:.2g}"
        return f"<p><b>{escape(self.release)}:</b> {numbers}.</p><p>{escape(self.words)}</p>"


def most_like(file, like):
    """Return the position of the record most like her: equal in most columns, then nearest.

    Text is equal or not; numbers are near or far. Of several the first.

    >>> file = pd.DataFrame({"sex": ["F", "M", "F", "F"], "age": [20, 58, 60, 57]})
    >>> most_like(file, {"sex": "F", "age": 58})
    3
    """
    equal, apart = np.zeros(len(file)), np.zeros(len(file))
    for name, value in like.items():
        if isinstance(value, str):
            equal += (file[name] == value).to_numpy(dtype=float)
        else:
            apart += (file[name] - value).abs().to_numpy(dtype=float, na_value=np.inf)
    return int(np.lexsort([np.arange(len(file)), apart, -equal])[0])


def all_of_her(doras):
    """Return one row a lesson: what was released, and her c, T and risk."""
    columns = ["release", "c", "T", "risk"]
    rows = {number: [getattr(one, name) for name in columns] for number, one in doras.items()}
    return pd.DataFrame.from_dict(rows, "index", columns=columns).rename_axis("lesson")
