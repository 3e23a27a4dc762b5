"""Could I find them myself? The intruder game: a line-up for every target, one guess each.

The player is told the true values of a target i and sees a *line-up*: the n_i synthetic records
that agree with the target on the known variables, in random order. These variables were not
synthesized, so the target's own record is always in the line-up. The player points at one record.

    chance                   points blindly                      Σ 1 / n_i right on average
    best possible intruder   points at a record that matches     Σ T_i / c_i right on average

Why is the second the best? Say each record was redrawn with probability p from its line-up's true
values (see `redraw`), q_v of which are v. The best intruder knows p, the line-up and even all true
values in it, only not whose they are. The target's value is t. Compare a record j that shows t with
a record k that shows s ≠ t. Suppose k were the target's, and j had the true value y ≠ t: both must
have been redrawn, with probability p·q_s · p·q_t. Exchange the two true values: now j shows what it
had, with probability (1 − p) + p·q_t ≥ p·q_t, and k shows s with at least p·q_s. (If y = t, nothing
changes.) So no record is more likely the target's than one that matches, and records that look the
same are equally likely: nobody can do better on average than to point at a match. When p = 1 every
record is equally likely, and the best intruder is no better than chance.

Targets without any match (c = 0) are left out, and every line-up is used once, because what is
told after one guess would help in the next.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from synthrisk_edu import checks
from synthrisk_edu.cells import label_cells
from synthrisk_edu.data import labels, plain_names
from synthrisk_edu.matching import Match, match
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.words import listing, rounded, say

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NOBODY = "nobody"  # a player need not guess; it is never right
MOST = 8  # records in a line-up
GAMES = 100  # games are numbered from 1 to this


def deal_game(
    data: pd.DataFrame,
    known: Sequence[str],
    synthesized: Sequence[str],
    number: int,
    percent: int,
    *,
    rounds: int = 10,
) -> "Game":
    """Redraw `percent` of the records among look-alikes, and deal the game with this number.

    >>> people = pd.DataFrame({"Town": list("AABB"), "Job": ["baker", "cook", "cook", "nurse"]})
    >>> deal_game(people, ["Town"], ["Job"], number=1, percent=0, rounds=2).best()
    2.0
    """
    checks.number("number", number, 1, GAMES, whole=True)
    checks.number("percent", percent, 0, 100, whole=True)
    # Other people for each number and each percentage. Who is redrawn has a seed of its own: it may
    # have nothing to do with how the line-ups are shuffled.
    seed = GAMES * percent + number
    synthetic = redraw(data, synthesized, known, percent / 100, seed=GAMES * 1000 + seed)
    return deal(data, synthetic, known, synthesized, rounds=rounds, seed=seed)


def average_scores(
    data: pd.DataFrame,
    known: Sequence[str],
    synthesized: Sequence[str],
    percents: Sequence[int] = (0, 50, 100),
    *,
    games: int = 30,
) -> pd.DataFrame:
    """Average over games 1 to `games`: a row per percentage of the records redrawn.

    Columns: what `chance` and the `best possible` intruder find, and `luck 5`, the probability
    that a blind player finds five or more.
    """
    rows = {}
    for percent in percents:
        scores = []
        for number in range(1, games + 1):
            game = deal_game(data, known, synthesized, number, percent)
            scores.append((game.chance(), game.best(), game.luck(5)))
        rows[f"{percent} %"] = np.mean(scores, axis=0)
    columns = ["chance", "best possible", "luck 5"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


class Round(NamedTuple):
    """One target: its position, the positions in its line-up as shown, and its c and T."""

    target: int
    lineup: tuple[int, ...]
    c: int
    T: int

    @property
    def letters(self) -> list[str]:
        """The letters of the records in the line-up."""
        return list(LETTERS[: len(self.lineup)])

    @property
    def right(self) -> str:
        """The letter of the target's own record."""
        return LETTERS[self.lineup.index(self.target)]


def deal(
    confidential: pd.DataFrame,
    synthetic: pd.DataFrame,
    known: Sequence[str],
    synthesized: Sequence[str],
    *,
    rounds: int = 10,
    most: int = MOST,
    seed: int | None = 1,
) -> "Game":
    """Deal a game: choose the targets and shuffle their line-ups.

    The data as for `match`; the known variables were not synthesized. A game has so many `rounds`,
    each with a target and a line-up of its own, of two to `most` records.

    >>> true = pd.DataFrame({"Town": list("AABBB"), "Job": ["baker", "cook", *["nurse"] * 3]})
    >>> game = deal(true, true, ["Town"], ["Job"], rounds=2, seed=1)
    >>> [turn.c for turn in game.rounds], round(game.chance(), 4), round(game.best(), 4)
    ([1, 3], 0.8333, 1.3333)
    """
    result = match(confidential, synthetic, known, synthesized)
    checks.number("rounds", rounds, 1, whole=True)
    checks.number("most", most, 2, len(LETTERS), whole=True)  # one letter a record
    rng = checks.generator(seed)
    # Records with equal numbers agree on all known variables.
    (lineup_of,) = label_cells([confidential], result.known)
    size = np.bincount(lineup_of)[lineup_of]
    playable = (size >= 2) & (size <= most) & (result.records.c > 0).to_numpy()
    lineups = np.unique(lineup_of[playable])
    if len(lineups) < rounds:
        raise ValueError(
            f"only {len(lineups)} line-ups have 2 to {most} records and one that matches, and "
            f"{rounds} rounds need one each; ask for fewer rounds, or change what the intruder "
            "knows."
        )
    dealt = []
    for lineup in rng.permutation(lineups)[:rounds]:
        dealt.append(_deal_round(result, lineup_of == lineup, playable, rng))
    return Game(result, dealt)


def _deal_round(result, inside, playable, rng):
    """Choose one target of a line-up, and shuffle the line-up."""
    target = int(rng.choice(np.flatnonzero(inside & playable)))
    shuffled = rng.permutation(np.flatnonzero(inside))
    record = result.records.iloc[target]
    return Round(
        target=target, lineup=tuple(shuffled.tolist()), c=int(record.c), T=int(record["T"])
    )


class Game:
    """A dealt game. Rounds count from 0; a guess is a letter, or "nobody"; see `deal`."""

    def __init__(self, result: Match, rounds: list[Round]) -> None:
        """Keep the match and the rounds; use `deal` to get here."""
        self.match = result
        self.rounds = rounds

    def describe(self, number: int) -> str:
        """Say what the player is told about the target of a round."""
        turn = self.rounds[number]
        plain = plain_names(self.match.known, self.match.confidential)
        row = self.match.confidential.iloc[turn.target]
        facts = listing(f"{plain[name]} = {say(row[name])}" for name in self.match.known)
        return (
            f"You look for a person with {facts} (not synthesized). {len(turn.lineup)} records "
            "agree: one of them is this person's, and at least one matches. The first row says "
            "what is true of the person."
        )

    def lineup(self, number: int) -> pd.DataFrame:
        """Return the table of a round: the target's true values, then the line-up in letters."""
        turn = self.rounds[number]
        names = self.match.synthesized
        plain = plain_names(names, self.match.confidential)
        true = self.match.confidential[names].iloc[[turn.target]].astype(object)
        shown = self.match.synthetic[names].iloc[list(turn.lineup)].astype(object)
        table = pd.concat([true, shown], ignore_index=True).map(say)
        return table.set_axis(["the person", *turn.letters]).rename(columns=plain)

    def matching(self, number: int) -> list[str]:
        """List the letters of the records that match the target."""
        turn = self.rounds[number]
        matches = self.match.matches(turn.target)
        return [letter for letter, j in zip(turn.letters, turn.lineup, strict=True) if matches[j]]

    def is_right(self, number: int, guess: str) -> bool:
        """Tell whether a guess is right."""
        letters = self.rounds[number].letters
        if guess not in [*letters, NOBODY]:
            wanted = f"a letter from {letters[0]} to {letters[-1]}, or {NOBODY!r}"
            raise ValueError(f"guess must be {wanted}, not {guess!r}.")
        return guess == self.rounds[number].right

    def explain(self, number: int, guess: str) -> str:
        """Tell in words whether a guess was right, and what could be known."""
        turn = self.rounds[number]
        letters = self.matching(number)
        verdict = "Right" if self.is_right(number, guess) else "Wrong"
        if guess == NOBODY:
            verdict = "You let it pass"
        if turn.c == 1:
            fits = f"One record matches, {letters[0]}"
        else:
            fits = f"{turn.c} records match, {listing(letters)}"
        sentence = f"{verdict}: the person's record is {turn.right}. {fits}, so c = {turn.c}."
        return f"{sentence} {self._hit_or_miss(turn)}"

    def _hit_or_miss(self, turn):
        """Say whether the target's own record is among those that match."""
        if turn.T == 1:
            whose = "It is the person's" if turn.c == 1 else "The person's is among them"
            odds = "is surely right" if turn.c == 1 else f"is right one time in {turn.c}"
            return f"{whose}, T = 1: who points at a match {odds}."
        whose = "It is somebody else's" if turn.c == 1 else "The person's is not among them"
        changed = " and ".join(self._changes(turn.target))
        return f"{whose}, T = 0 ({changed}): who points at a match is wrong."

    def _changes(self, target):
        """List what became of the target's values in the synthetic data."""
        true = self.match.confidential.iloc[target]
        drawn = self.match.synthetic.iloc[target]
        plain = labels(self.match.synthesized, self.match.confidential)
        changes = []
        for name in self.match.synthesized:
            if say(drawn[name]) != say(true[name]):
                changes.append(f"{plain[name]} became {say(drawn[name])}")
        return changes

    def score(self, guesses: Sequence[str]) -> int:
        """Count the right guesses; the first guess is that of round 0."""
        return sum(self.is_right(number, guess) for number, guess in enumerate(guesses))

    def chance(self, played: int | None = None) -> float:
        """Σ 1/n_i: how many a blind player finds on average, in the rounds played so far."""
        return sum(1 / len(turn.lineup) for turn in self.rounds[:played])

    def best(self, played: int | None = None) -> float:
        """Σ T_i/c_i: how many one finds on average who always points at a match."""
        return sum(turn.T / turn.c for turn in self.rounds[:played])

    def luck(self, score: int) -> float:
        """Return the probability that a blind player finds at least `score` of the targets.

        Target after target: P(k found) = P(k before) · (1 − 1/n_i) + P(k − 1 before) · 1/n_i.
        """
        p = np.array([1.0])  # before the first target: 0 found, surely
        for turn in self.rounds:
            hit = 1 / len(turn.lineup)
            p = np.append(p, 0) * (1 - hit) + np.insert(p, 0, 0) * hit
        return min(1.0, float(p[max(score, 0) :].sum()))  # rounding may exceed 1 by a hair

    def summary(self, guesses: Sequence[str]) -> str:
        """Tell the score of a whole game beside those of chance and of the best intruder."""
        score = self.score(guesses)
        n = len(self.rounds)
        return (
            f"You found {score} of {n}. Pointing blindly finds {rounded(self.chance())} on "
            f"average, and {score} or more with probability {rounded(self.luck(score))}. The "
            f"best possible intruder always points at a record that matches, and finds "
            f"{rounded(self.best())} of these {n} on average (the sum of T/c)."
        )
