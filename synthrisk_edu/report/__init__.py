"""And my own data? A notebook, run on your files: `report.ipynb`. Read it first.

| module | the question it answers |
|---|---|
| `reading` | may I read this file? |
| `roles` | what have you named, and which tables are compared? |
| `report` | the notebook, run and written down: `risk_report` |
| `command` | and from the command line? |
"""

from synthrisk_edu.report.reading import read_pair, read_table
from synthrisk_edu.report.report import Report, risk_report
from synthrisk_edu.report.roles import name_roles
