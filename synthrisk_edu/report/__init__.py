"""And my own data? A notebook, run on your files: `report.ipynb`. Read it first.

| module | the question it answers |
|---|---|
| `reading` | may I read this file? |
| `columns` | does a column hold codes, quantities, an identifier or a weight? |
| `roles` | what does the intruder know, what was synthesized, what are keys and targets? |
| `notes` | how is it said? sentences, tables, pictures, numbers and warnings |
| `report` | the notebook, run and written down: `risk_report` |
| `command` | and from the command line? |
"""

from synthrisk_edu.report.notes import Notes, named, percent, picture, say, table
from synthrisk_edu.report.reading import read_files, read_pair
from synthrisk_edu.report.report import Report, describe_files, made_when, risk_report
from synthrisk_edu.report.roles import choose_roles
