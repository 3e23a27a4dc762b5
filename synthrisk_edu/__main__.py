"""From the command line: `python -m synthrisk_edu report …`."""

import sys

from synthrisk_edu.report.command import main

if __name__ == "__main__":
    if sys.argv[1:2] != ["report"]:
        sys.exit("The one command is: python -m synthrisk_edu report CONFIDENTIAL SYNTHETIC …")
    sys.exit(main(sys.argv[2:]))
