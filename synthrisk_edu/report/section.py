"""What is a part of the report? Sentences, numbers, tables, pictures; and how columns are named.

Each part is made by the module with its name (`matching`, `disclosure`, `utility`, …): a function
that takes the roles, computes with the package, and adds words.
"""

import math
from dataclasses import dataclass, field

from synthrisk_edu.words import about, listing

LONGEST = 40  # characters of a column name in a sentence
HEADLINE = ("number", "synthetic", "confidential", "floor", "others", "meaning")
NAMED = 12  # so many columns are named in a sentence; of more we give the number


@dataclass
class Section:
    """One part of the report.

    `pictures` holds what to draw, not the drawing: pictures are made only when somebody looks, so
    that a script which only computes needs no drawing library.
    """

    name: str
    title: str
    sentences: list = field(default_factory=list)
    numbers: list = field(default_factory=list)  # (measure, value, what it means)
    tables: dict = field(default_factory=dict)
    pictures: dict = field(default_factory=dict)  # name → (words, what to draw)
    attention: list = field(default_factory=list)  # sentences for the first page
    headlines: list = field(default_factory=list)  # for the first page: dicts with HEADLINE's keys

    def number(self, measure, value, meaning):
        """Add a number, with what it means."""
        self.numbers.append((measure, value, meaning))

    def headline(self, number, meaning=None, **compared):
        """Put a number on the first page: `synthetic`, and what it is compared with."""
        self.headlines.append({"number": number, "meaning": meaning, **compared})


def sample(table, most, seed):
    """Return a random sample of so many rows; a table that has no more stays as it is."""
    return table.sample(most, random_state=seed) if len(table) > most else table


def percent(share):
    """Write a share in per cent as one says it; only what is all of it is 100 %.

    >>> percent(0.0243042), percent(0.56734), percent(0.9997), percent(1)
    ('2.4 %', '57 %', '99.9 %', '100 %')
    """
    value = 100 * share
    if 99.5 <= value < 100:
        return f"{math.floor(10 * value) / 10} %"
    return f"{about(value)} %"


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
    """Return a column name as a sentence gives it: not endless.

    >>> brief("Age"), len(brief("x" * 1000))
    ('Age', 40)
    """
    name = str(name)
    return name if len(name) <= most else name[: most - 1] + "…"


def quoted(name):
    """Return a column or file name as a message shows it: on one line, and not endless."""
    return repr(brief(name))


def verb(columns, one, several):
    """Return the verb that goes with one column, or with several.

    >>> verb(["Age"], "is", "are"), verb(["Age", "Sex"], "is", "are")
    ('is', 'are')
    """
    return one if len(columns) == 1 else several
