"""And from the command line?

    synthrisk report CONFIDENTIAL SYNTHETIC --keys … --targets … -o page.html

Options are the arguments of `risk_report`; codes and limits are written as --special income=-8 and
--limits "but for a hair, %=5". The exit code is 0 when the report was made, 2 when a limit was
passed, and 1 when something was wrong.
"""

import argparse
import inspect
import re
import sys
from importlib import import_module

from synthrisk_edu.report.reading import read_table
from synthrisk_edu.report.report import risk_report
from synthrisk_edu.words import listing

LISTS = ["keys", "targets", "known", "synthesized", "identifiers", "special", "limits"]
VALUES = {"control": str, "weights": str, "fraction": float, "radius": float}
VALUES |= {"records": int, "title": str, "seed": int}
READING = {"sep": "the separator, such as ;", "encoding": "such as cp1252"}
READING |= {"decimal": "the decimal sign, such as ,"}
PASSED, STOPPED = 2, 130


class Parser(argparse.ArgumentParser):
    """A parser whose own errors do not look like a limit that was passed."""

    def error(self, message):
        """Say it, and leave with 1."""
        self.exit(1, f"{message}; see --help.\n")


def parser():
    """Describe the command line."""
    made = Parser(prog="report", description="Measure the risk of synthetic data.")
    made.add_argument("confidential", help="the file of true data (CSV, Parquet, Excel, Stata, …)")
    made.add_argument("synthetic", nargs="+", help="one or more synthetic files")
    words = what_arguments_mean()
    for name in LISTS:
        made.add_argument(f"--{name}", nargs="*", metavar="NAME", help=words[name])
    for name, kind in VALUES.items():
        made.add_argument(f"--{name}", type=kind, help=words[name])
    for name, meaning in READING.items():
        made.add_argument(f"--{name}", help=f"of a CSV: {meaning}")
    made.add_argument("--text", nargs="*", default=[], help="columns to read as text, as codes")
    where = "what to write: a page (.html), the notebook (.ipynb), or both"
    made.add_argument("-o", "--output", nargs="+", default=["risk_report.html"], help=where)
    return made


def what_arguments_mean():
    """Return the arguments of `risk_report` with what its docstring says of each.

    >>> what_arguments_mean()["title"]
    'the headline.'
    """
    listed = inspect.getdoc(risk_report).partition("Args:\n")[2].partition("\n\n")[0]
    found = re.findall(r"^    (\w+): (.*?)(?=^    \w|\Z)", listed, re.MULTILINE | re.DOTALL)
    return {name: " ".join(words.split()).replace("%", "%%") for name, words in found}


def main(arguments):
    """Make and save a report; return the exit code."""
    given = vars(parser().parse_args(arguments))
    output = given.pop("output")
    if any(path.lower().endswith(".html") for path in output):
        import_module("nbconvert")  # if it is missing, that is said before the work
    try:
        report = make_report({name: value for name, value in given.items() if value is not None})
        saved = [report.save(path) for path in output]
    except (OSError, ValueError, TypeError, KeyError, ImportError) as error:
        sentence = str(error.args[0] if isinstance(error, KeyError) else error)
        print(re.sub(r"\b([a-z]+)=\[?'?(.[^\]',]*)'?\]?", r"--\1 \2", sentence), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped: nothing was written.", file=sys.stderr)
        return STOPPED
    print(f"Saved {listing(path.name for path in saved)}.")
    for sentence in report.passed:
        print(sentence, file=sys.stderr)
    return PASSED if report.passed else 0


def make_report(given):
    """Read the files and make the report; what is left of the options are its arguments."""
    reading = {name: given.pop(name) for name in READING if name in given}
    reading["dtype"] = dict.fromkeys(given.pop("text"), str)
    paths = [given.pop("confidential"), *given.pop("synthetic")]
    true, *made = [read_table(path, **reading) for path in paths]
    if "control" in given:
        given["control"] = read_table(given["control"], **reading)
    given["limits"] = dict(_pair(text) for text in given.get("limits", []))
    codes = [_pair(text) for text in given.pop("special", [])]
    special = {column: [code for name, code in codes if name == column] for column, _ in codes}
    return risk_report(true, made, special=special, progress=True, **given)


def _pair(text):
    """Return the name and the number of a text such as "but for a hair, %=5"."""
    name, _, value = text.rpartition("=")
    try:
        return name, float(value)
    except ValueError:
        raise ValueError(f"{text!r} must be a name, an equals sign and a number.") from None
