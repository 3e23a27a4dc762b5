"""Checks of the game room."""

from synthrisk_edu.checks.synthesis import count


def unchanged(confidential, synthetic, known):
    """Known variables are the same in both files: so a target's record is in its line-up."""
    for name in known:
        if (
            not confidential[name]
            .reset_index(drop=True)
            .equals(synthetic[name].reset_index(drop=True))
        ):
            raise ValueError(
                f"column {name!r} differs between the two files; name it in synthesized, because "
                "known variables are those that were not synthesized."
            )


def lineup_size(value, letters):
    """Return the most records a line-up may have: at least two, and a letter for each."""
    value = count("most", value, 2)
    if value > letters:
        raise ValueError(f"most must be {letters} or less, one letter a record, not {value}.")
    return value


def enough_lineups(found, rounds, most):
    """There is a line-up for every round."""
    if found < rounds:
        raise ValueError(
            f"only {found} line-ups have 2 to {most} records and one that matches, and {rounds} "
            "rounds need one each; ask for fewer rounds, or change what the intruder knows."
        )


def guess(value, letters, nobody):
    """Return a guess: a letter of the line-up, or nobody."""
    if value not in [*letters, nobody]:
        raise ValueError(
            f"guess must be a letter from {letters[0]} to {letters[-1]}, or {nobody!r}, "
            f"not {value!r}."
        )
    return value
