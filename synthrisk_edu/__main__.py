"""From the command line: `python -m synthrisk_edu report …`; start.py passes its commands on."""

import sys
from importlib import import_module

COMMANDS = {
    "report": "report.command",
    "grade": "classroom.grades",
    "key": "classroom.keys",
    "reset": "classroom.reset",
    "worksheets": "classroom.worksheets",
    "handouts": "classroom.handouts",
    "site": "classroom.website",
}


def main(arguments):
    """Do what a command asks for; what is wrong is one sentence, and the exit code 1."""
    name = arguments[0] if arguments else ""
    if name not in COMMANDS:
        print(f"The commands are {', '.join(COMMANDS)}.", file=sys.stderr)
        return 1
    try:
        return import_module(f"synthrisk_edu.{COMMANDS[name]}").main(arguments[1:])
    except OSError as error:
        sentence = f"{error.filename}: {error.strerror}; name another one."
        print(f"{name}: {sentence if error.strerror else error}", file=sys.stderr)
    except ValueError as error:
        print(f"{name}: {error}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
