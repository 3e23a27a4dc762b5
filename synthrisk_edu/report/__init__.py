"""And my own data? Two files in, the whole risk report out.

| module | the question it answers |
|---|---|
| `reading` | may I read this file? |
| `columns` | does a column hold codes, quantities or an identifier? |
| `roles` | what does the intruder know, what was synthesized, what are keys and targets? |
| `compared`, `matching`, `disclosure`, `utility`, `records` | each part: measured, and in words |
| `pictures`, `page` | how does it look? how is it written down? |
| `report` | all of it together: `risk_report` |
"""

from synthrisk_edu.report.reading import read_pair, read_table
from synthrisk_edu.report.report import Report, risk_report
