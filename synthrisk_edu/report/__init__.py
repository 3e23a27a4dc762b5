"""And my own data? Two CSV files in, the whole risk report out.

`reading` reads files of any origin, `roles` finds out what each column is, `sections` measures and
says it, `pictures` draws it, `page` writes it down, and `report` joins these.
"""

from synthrisk_edu.report.reading import read_pair, read_table
from synthrisk_edu.report.report import Report, risk_report
