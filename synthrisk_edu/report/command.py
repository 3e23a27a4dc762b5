"""And from the command line? `python3 start.py report CONFIDENTIAL SYNTHETIC -o page.html`.

The exit code is 0 when the report was made, 2 when a limit was passed, and 1 when something was
wrong. A configuration file (TOML) holds the same options for a release that is made every year:

    keys = ["Age", "Sex"]
    radius = 0.1
    [intruders]
    "a neighbour" = ["Age", "Town"]
    [limits]
    "copies of unique rows on all columns" = 0
"""

import argparse
import sys
import tomllib
from pathlib import Path

from synthrisk_edu import checks
from synthrisk_edu.report.reading import read_tables
from synthrisk_edu.report.report import risk_report
from synthrisk_edu.words import listing, say

READING = ("separator", "encoding", "decimal")
LISTS = ("known", "synthesized", "keys", "targets")
PLACES = "confidential synthetic control limit intruder config output overwrite".split()
PASSED, STOPPED = 2, 130


class Parser(argparse.ArgumentParser):
    """A parser whose own errors do not look like a limit that was passed."""

    def error(self, message):
        """Say it, and leave with 1."""
        self.exit(1, f"{message}; see --help.\n")


def parser():
    """Describe the command line."""
    made = Parser(prog="report", description="Measure the risk and the utility of synthetic data.")
    made.add_argument("confidential", help="the true data")
    made.add_argument("synthetic", nargs="+", help="one or more synthetic files")
    made.add_argument("--control", help="people who did not take part")
    for name in LISTS:
        made.add_argument(f"--{name}", nargs="+", metavar="COLUMN")
    for name in (*READING, "title", "date", "weights"):
        made.add_argument(f"--{name}")
    made.add_argument("--intruder", action="append", default=[], metavar="NAME=COLUMN,COLUMN")
    made.add_argument("--fraction", type=float, help="the share of the population in the table")
    made.add_argument("--radius", type=float)
    made.add_argument("--seed", type=int)
    made.add_argument("--records", action="store_true", default=None, help="with the ten at risk")
    made.add_argument("--limit", action="append", default=[], metavar="MEASURE=MOST")
    made.add_argument("--config", help="a TOML file with these options, and [limits]")
    made.add_argument("-o", "--output", default="risk_report.html")
    made.add_argument("--overwrite", action="store_true")
    return made


def main(arguments):
    """Make and save a report; return the exit code."""
    given = vars(parser().parse_args(arguments))
    try:
        report, limits = make_report(given)
        saved = report.save(given["output"], overwrite=given["overwrite"], with_json=True)
        print(f"Saved {listing(path.name for path in saved)}.")
        passed = list(passed_limits(report.numbers, limits))
    except (OSError, ValueError, TypeError, KeyError, IndexError, ImportError) as error:
        print(error.args[0] if isinstance(error, KeyError) else error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped: nothing was written.", file=sys.stderr)
        return STOPPED
    for sentence in passed:
        print(sentence, file=sys.stderr)
    return PASSED if passed else 0


def make_report(given):
    """Read the files and make the report; the command line counts before the configuration."""
    options = {} if given["config"] is None else _read_config(given["config"])
    limits = _table(options, "limits") | dict(map(_limit, given["limit"]))
    limits = {name: checks.number(f"the limit of {name}", most) for name, most in limits.items()}
    intruders = _table(options, "intruders") | dict(map(_intruder, given["intruder"]))
    options |= {k: v for k, v in given.items() if k not in PLACES and v is not None}
    options |= {"intruders": intruders} if intruders else {}
    reading = {name: options.pop(name) for name in READING if name in options}
    sources = {"the confidential file": given["confidential"]}
    sources |= {f"synthetic file {j}": one for j, one in enumerate(given["synthetic"], start=1)}
    sources |= {"the control file": given["control"]} if given["control"] else {}
    confidential, *synthetics = read_tables(sources, **reading)
    control = synthetics.pop() if given["control"] else None
    return risk_report(confidential, synthetics, control=control, **options), limits


def _read_config(path):
    """The options in a configuration file."""
    try:
        return tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ValueError(
            f"the configuration {Path(path).name!r} cannot be read ({reason})."
        ) from None


def _table(options, name):
    """Take a table such as [limits] out of the options of a configuration; there may be none."""
    found = options.pop(name, {})
    if not isinstance(found, dict):
        raise ValueError(f"{name} must be a table in the configuration: a line [{name}] above it.")
    return found


def _limit(text):
    """The measure and its limit in a text such as "repU=2"."""
    measure, sign, most = text.rpartition("=")
    try:
        return measure, float(most) if sign else float("nope")
    except ValueError:
        raise ValueError(
            f"a limit is written as MEASURE=MOST, for example --limit 'repU=2', not {text!r}."
        ) from None


def _intruder(text):
    """The name and the columns in a text such as "a neighbour=Age,Town"."""
    name, sign, listed = text.partition("=")
    if not (sign and name and listed):
        raise ValueError(
            "an intruder is written as NAME=COLUMN,COLUMN, for example --intruder "
            f"'a neighbour=Age,Town', not {text!r}."
        )
    return name, listed.split(",")


def passed_limits(numbers, limits):
    """Say which numbers are above their limit."""
    values = numbers.set_index("measure").value
    for measure, most in limits.items():
        value = values[checks.one_of("limit", measure, values.index)]
        if value > most:
            yield f"{measure} is {say(value)}, above the limit of {say(most)}."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
