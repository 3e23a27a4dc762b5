"""What a lesson asks and a teacher runs: exercises, grades, handouts, worksheets, the site.

`from synthrisk_classroom import lesson` and `my = lesson("01")` is all that a lesson needs.
"""

from synthrisk_classroom.environment import check_environment
from synthrisk_classroom.lesson import lesson
