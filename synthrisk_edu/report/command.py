"""And from the command line? `python3 start.py report CONFIDENTIAL SYNTHETIC -o page.html`.

The exit code is 0 when the report was made, 2 when a limit was passed, and 1 when something was
wrong.
"""

import argparse
import re
import sys

from synthrisk_edu.report.reading import read_files
from synthrisk_edu.report.report import risk_report
from synthrisk_edu.words import listing

READING = ("separator", "encoding", "decimal")
LISTS = {
    "known": "columns the intruder knows and that were not synthesized",
    "synthesized": "columns that were replaced",
    "keys": "columns an intruder looks people up with; by default the known ones",
    "targets": "columns an intruder wants to learn; by default the synthesized ones",
}
TEXTS = {
    "weights": "the column that says how many people of the population a record stands for",
    "title": "the headline of the page",
    "separator": "of a CSV: , ; | or a tab; by default found out",
    "encoding": "of a CSV, such as cp1252; by default UTF-8",
    "decimal": "of a CSV: the decimal sign, a point (.) or a comma (,)",
}
PASSED, STOPPED = 2, 130


class Parser(argparse.ArgumentParser):
    """A parser whose own errors do not look like a limit that was passed."""

    def error(self, message):
        """Say it, and leave with 1."""
        self.exit(1, f"{message}; see --help.\n")


def parser():
    """Describe the command line."""
    made = Parser(
        prog="start.py report", description="Measure the risk and the utility of synthetic data."
    )
    made.add_argument("confidential", help="the file of true data (CSV, Parquet, Excel, Stata, …)")
    made.add_argument("synthetic", nargs="+", help="one or more synthetic files")
    made.add_argument("--control", metavar="FILE", help="people who did not take part")
    for name, words in LISTS.items():
        made.add_argument(f"--{name}", nargs="+", metavar="COLUMN", help=words)
    for name, words in TEXTS.items():
        made.add_argument(f"--{name}", help=words)
    share = "the share of the population that is in the table, instead of weights"
    made.add_argument("--fraction", type=float, help=share)
    made.add_argument("--radius", type=float, help="of all numbers: 0.1 for 10 per cent")
    made.add_argument("--seed", type=int, help="large tables are sampled; equal seeds, equal pages")
    shown = "explain so many records, those most at risk, with their values"
    made.add_argument("--records", type=int, metavar="NUMBER", help=shown)
    most = "exit with 2 if a number is larger, such as --limit 'copies of unique rows=0'"
    made.add_argument("--limit", action="append", default=[], metavar="MEASURE=MOST", help=most)
    where = "what to write: a page (.html), the notebook (.ipynb), or both"
    made.add_argument("-o", "--output", nargs="+", default=["risk_report.html"], help=where)
    return made


def main(arguments):
    """Make and save a report; return the exit code."""
    given = vars(parser().parse_args(arguments))
    try:
        report = make_report(given)
        saved = [report.save(path) for path in given["output"]]
    except (OSError, ValueError, TypeError, KeyError, ImportError) as error:
        said = error.args[0] if isinstance(error, KeyError) else error
        print(in_command_words(str(said)), file=sys.stderr)
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
    limits = dict(map(_limit, given.pop("limit")))
    places = "confidential synthetic control output".split()
    options = {k: v for k, v in given.items() if k not in places and v is not None}
    reading = {name: options.pop(name) for name in READING if name in options}
    files = [given["confidential"], *given["synthetic"]]
    tables = read_files([*files, *filter(None, [given["control"]])], **reading)
    control = tables.pop() if given["control"] else None
    how = {"control": control, "limits": limits, "progress": True}
    return risk_report(tables[0], tables[1:], **how, **options)


def in_command_words(sentence):
    """Turn the arguments of a function that a sentence names into options of the command line.

    >>> in_command_words("pass decimal=',' to read them")
    'pass --decimal , to read them'
    >>> in_command_words("name the separator with separator=.")
    'name the separator with --separator.'
    """
    names = "|".join([*LISTS, *TEXTS, "control", "fraction", "radius", "seed", "records"])
    return re.sub(rf"\b({names})=(?:'([^']*)')?", lambda m: _option(*m.groups()), sentence)


def _option(name, value):
    """An option of the command line with its value, if there is one."""
    return f"--{name}" + (f" {value}" if value else "")


def _limit(text):
    """The measure and its limit in a text such as "copies of unique rows=0"."""
    measure, _, most = text.rpartition("=")
    try:
        return measure, float(most)
    except ValueError:
        raise ValueError(
            "a limit is written as MEASURE=MOST, for example --limit 'copies of unique rows=0', "
            f"not {text!r}."
        ) from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
