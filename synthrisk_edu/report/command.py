"""And from the command line?

    python3 start.py report CONFIDENTIAL SYNTHETIC --keys … --targets … -o page.html

The exit code is 0 when the report was made, 2 when a limit was passed, and 1 when something was
wrong.
"""

import argparse
import re
import sys

from synthrisk_edu.report.reading import read_table
from synthrisk_edu.report.report import risk_report
from synthrisk_edu.words import listing

READING = {
    "sep": "of a CSV: the separator, such as ;",
    "encoding": "of a CSV, such as cp1252",
    "decimal": "of a CSV: the decimal sign, such as ,",
}
LISTS = {
    "keys": "everything is synthetic: columns an intruder looks people up with",
    "targets": "… and columns an intruder wants to learn",
    "known": "some columns were replaced, and rows pair: columns that were not changed",
    "synthesized": "… and columns that were replaced",
    "identifiers": "columns that tell people apart and nothing else; no name: there are none",
    "text": "columns to read as text, such as codes",
}
VALUES = {
    "weights": (str, "the column that says how many people a record stands for"),
    "fraction": (float, "the share of the population that is in the table, instead of weights"),
    "radius": (float, "of the synthesized numbers: 0.1 for 10 per cent"),
    "records": (int, "explain so many records, those most at risk, with their values"),
    "seed": (int, "equal seeds, equal pages"),
    "title": (str, "the headline of the page"),
}
PAIRS = {
    "special": "codes that are no amounts, such as --special income=-8",
    "limit": "exit with 2 if a number is larger, such as --limit 'but for a hair, %%=5'",
}
PASSED, STOPPED = 2, 130


class Parser(argparse.ArgumentParser):
    """A parser whose own errors do not look like a limit that was passed."""

    def error(self, message):
        """Say it, and leave with 1."""
        self.exit(1, f"{message}; see --help.\n")


def parser():
    """Describe the command line."""
    made = Parser(prog="start.py report", description="Measure the risk of synthetic data.")
    made.add_argument("confidential", help="the file of true data (CSV, Parquet, Excel, Stata, …)")
    made.add_argument("synthetic", nargs="+", help="one or more synthetic files")
    made.add_argument("--control", metavar="FILE", help="people who did not take part")
    for name, words in LISTS.items():
        made.add_argument(f"--{name}", nargs="*", metavar="COLUMN", help=words)
    for name, words in READING.items():
        made.add_argument(f"--{name}", help=words)
    for name, (kind, words) in VALUES.items():
        made.add_argument(f"--{name}", type=kind, help=words)
    for name, words in PAIRS.items():
        made.add_argument(f"--{name}", action="append", default=[], metavar="A=B", help=words)
    where = "what to write: a page (.html), the notebook (.ipynb), or both"
    made.add_argument("-o", "--output", nargs="+", default=["risk_report.html"], help=where)
    return made


def main(arguments):
    """Make and save a report; return the exit code."""
    given = parser().parse_args(arguments)
    try:
        report = make_report(given)
        saved = [report.save(path) for path in given.output]
    except (OSError, ValueError, TypeError, KeyError, ImportError) as error:
        sentence = error.args[0] if isinstance(error, KeyError) else error
        print(in_command_words(str(sentence)), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped: nothing was written.", file=sys.stderr)
        return STOPPED
    print(f"Saved {listing(path.name for path in saved)}.")
    for sentence in report.passed:
        print(sentence, file=sys.stderr)
    return PASSED if report.passed else 0


def make_report(given):
    """Read the files and make the report."""
    reading = {name: getattr(given, name) for name in READING}
    reading = {name: value for name, value in reading.items() if value is not None}
    if given.text:
        reading["dtype"] = dict.fromkeys(given.text, str)
    roles = {name: getattr(given, name) for name in [*LISTS, *VALUES] if name != "text"}
    special = {}
    for column, code in _pairs(given.special):
        special.setdefault(column, []).append(code)
    return risk_report(
        read_table(given.confidential, **reading),
        [read_table(path, **reading) for path in given.synthetic],
        control=read_table(given.control, **reading) if given.control else None,
        special=special or None,
        limits=dict(_pairs(given.limit)),
        progress=True,
        **{name: value for name, value in roles.items() if value is not None},
    )


def _pairs(texts):
    """Return name and number of texts such as "but for a hair, %=5"."""
    try:
        return [(name, float(value)) for name, _, value in (one.rpartition("=") for one in texts)]
    except ValueError:
        raise ValueError(f"write a name, = and a number, not {listing(texts)}.") from None


def in_command_words(sentence):
    """Turn the arguments of a function that a sentence names into options of the command line.

    >>> in_command_words("pass decimal=',' to read them; keys=[…], identifiers=['id'].")
    'pass --decimal , to read them; --keys …, --identifiers id.'
    """
    names = "|".join([*READING, *LISTS, *VALUES, "control", "special"])
    return re.sub(rf"\b({names})=(\[?'?([^\]',]*|,)'?\]?)", r"--\1 \3", sentence)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
