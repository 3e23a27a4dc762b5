"""Did I get it, and did they? Exercises that answer back, the game, handouts and the app."""

from synthrisk_edu.classroom.engine import check, data_for, hint, seed_for, solution
from synthrisk_edu.classroom.keys import answer
