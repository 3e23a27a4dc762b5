"""How is it said? Sentences, tables and pictures as HTML in which nothing can run.

Names and levels come from a stranger's file. They enter a page through `say`, `table` and
`picture` only, which escape them; nothing of the data ever becomes Markdown.
"""

import math
from base64 import b64encode
from html import escape

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.pages import html_table
from synthrisk_edu.words import listing, rounded
from synthrisk_edu.words import say as in_words

LONGEST = 40  # characters of a column name in a sentence
NAMED = 12  # so many columns are named in a sentence; of more we give the number
MOST_ROWS = 200  # of a table on the page
LABEL = 24  # characters of a name in a picture


class Shown:
    """A piece of HTML, for a notebook and for the page."""

    def __init__(self, html):
        """Keep it; whoever makes one has escaped what comes from data."""
        self.html = html

    def _repr_html_(self):
        return self.html


def say(*sentences, kind="p"):
    """Show sentences, each a paragraph (or, with `kind` "li", a list); all text is escaped.

    >>> say("1 < 2").html
    '<p>1 &lt; 2</p>'
    """
    lines = "\n".join(f"<{kind}>{escape(one)}</{kind}>" for one in sentences)
    return Shown(f"<ul>\n{lines}\n</ul>" if kind == "li" else lines)


def table(frame, caption, write=in_words):
    """Show a frame as a table."""
    return Shown(html_table(frame, caption, most=MOST_ROWS, write=write))


def picture(image):
    """Show a picture of `plots`, with its words for those who cannot see it."""
    data = b64encode(image.data).decode("ascii")
    source = f'src="data:image/png;base64,{data}" width="{image.width}"'
    return Shown(f'<figure><img {source} alt="{escape(image.alt or "")}"></figure>')


def together(*shown):
    """Show several pieces, one below the other."""
    return Shown("\n".join(one.html for one in shown))


class Notes:
    """What the report has found: its numbers, and what to look at."""

    def __init__(self):
        """Begin with nothing."""
        self._rows, self._warnings = [], []

    def number(self, section, measure, value, **compared):
        """Note a number, and what it is compared with; `compared` maps a name to its value."""
        for name, its_value in (compared or {"nothing": np.nan}).items():
            self._rows.append((section, measure, value, name.replace("_", " "), its_value))

    def warn(self, rank, sentence):
        """Note what asks for a look; the lowest rank comes first."""
        self._warnings.append((rank, sentence))

    @property
    def numbers(self):
        """All numbers in a tidy frame, a row for each comparison."""
        columns = ["section", "measure", "value", "compared_with", "its_value"]
        return pd.DataFrame(self._rows, columns=columns).astype({"value": float})

    @property
    def look_at(self):
        """The sentences of *What to look at*, the gravest first."""
        return [sentence for _, sentence in sorted(self._warnings, key=lambda one: one[0])]

    def passed(self, limits):
        """Say which numbers are above their limit; `limits` maps a measure to the most."""
        values = self.numbers.drop_duplicates("measure").set_index("measure").value
        for measure, most in (limits or {}).items():
            if measure not in values:
                raise KeyError(
                    f"a limit names {checks.show(measure)}, which is no number of this report; the "
                    "last table of a page lists them, as .numbers does."
                )
            value = values[measure]
            if value > checks.number(f"the limit of {measure}", most):
                yield f"{measure} is {in_words(value)}, above your limit of {in_words(most)}."


# ------------------------------------------------------------------ names and numbers in words


def named(columns):
    """List columns in a sentence, or say how many they are.

    >>> named(["Age", "Sex"]), named(map(str, range(99)))
    ('Age and Sex', '99 columns (0, 1, 2, …)')
    """
    columns = [brief(name) for name in columns]
    if len(columns) <= NAMED:
        return listing(columns)
    return f"{len(columns):,} columns ({', '.join(columns[:3])}, …)"


def brief(name, most=LONGEST):
    """Return a name as a sentence gives it: not endless.

    >>> brief("Age"), len(brief("x" * 1000))
    ('Age', 40)
    """
    name = str(name)
    return name if len(name) <= most else name[: most - 1] + "…"


def label(name):
    """Return a name that can be drawn: printable, short, and never a formula.

    >>> print(label("a name of far too many characters"))
    a name of far too many …
    """
    text = "".join(sign if sign.isprintable() else " " for sign in str(name))
    return brief(text, LABEL).replace("$", r"\$")


def verb(columns, one, several):
    """Return the verb that goes with one column, or with several.

    >>> verb(["Age"], "is", "are"), verb(["Age", "Sex"], "is", "are")
    ('is', 'are')
    """
    return one if len(columns) == 1 else several


def percent(share):
    """Write a share in per cent as one says it; only what is all of it is 100 %.

    >>> percent(0.0243042), percent(0.56734), percent(0.9997), percent(1)
    ('2.4 %', '57 %', '99.9 %', '100 %')
    """
    value = 100 * share
    if 99.5 <= value < 100:
        return f"{math.floor(10 * value) / 10} %"
    return f"{rounded(value)} %"


def spread(values):
    """Say a mean, and from where to where the files go if there are several.

    >>> spread([56.7]), spread([50.2, 60.4])
    ('57', '55 (50 to 60 in 2 files)')
    """
    mean = rounded(np.mean(values))
    if len(values) == 1:
        return mean
    return f"{mean} ({rounded(min(values))} to {rounded(max(values))} in {len(values)} files)"
