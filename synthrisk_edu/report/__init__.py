"""And my own data? Two files in, the whole risk report out.

| module | the question it answers |
|---|---|
| `reading` | may I read this file? |
| `columns` | does a column hold codes, quantities or an identifier? |
| `roles` | what does the intruder know, what was synthesized, what are keys and targets? |
| `compared`, `copying`, `matching`, `intruders`, | each part: measured, and |
| `disclosure`, `population`, `utility`, `records` | put into words |
| `pictures`, `page`, `saving` | how does it look? how is it written down? |
| `report` | all of it together: `risk_report` |
| `command` | and from the command line? |
"""

from synthrisk_edu.report.reading import read_pair, read_table
from synthrisk_edu.report.report import Report, risk_report
