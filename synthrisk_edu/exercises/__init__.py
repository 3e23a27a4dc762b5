"""Did I get it? Questions with hints, checks and solutions; see `engine`."""

from synthrisk_edu.exercises.engine import check, data_for, hint, seed_for, solution
from synthrisk_edu.exercises.handouts import with_solutions

__all__ = ["check", "data_for", "hint", "seed_for", "solution", "with_solutions"]
