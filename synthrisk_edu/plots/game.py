"""The picture of the intruder game: what became of every guess, below three scores."""

from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Mark, Shown, Tile, picture
from synthrisk_edu.words import counted, rounded

RESULTS = {
    "found": look.TRUE_RECORD,
    "not found": look.CANDIDATE | {"fillstyle": "none", "markeredgewidth": 2},
    "now": look.TARGET,
    "to come": look.EVERYONE_ELSE,
}
LARGE = 11  # points: the mark of a round where there are ten


@picture(height=1.0, width=2.4, touch="Point at a mark to read it.")
def game_picture(ax, rounds):
    """A place for each target: a filled square where it was found, a hollow circle where not."""
    look.tidy(ax, "Your guesses", "filled square: found", xticks=[], yticks=[])
    ax.set(xlim=(0.4, rounds + 0.6), ylim=(-1, 1))
    ax.spines[:].set_visible(False)
    size = LARGE * min(1, 10 / rounds)

    def move(state):
        for place, result in enumerate(state.results, start=1):
            ax.plot([place], [0], **RESULTS[result] | {"markersize": size})
        return Shown(_say_game(state), _score_tiles(state), _rounds(ax, state))

    return move


def _score_tiles(state):
    """Return the scores of you, of chance and of the best, in the rounds played so far."""
    you, chance, best = (rounded(score) for score in state.scores)
    played = len(state.guesses)
    return [
        Tile("you", you, f"found in {counted(played, 'guess', 'guesses')}", look.ORANGE),
        Tile("blind chance", chance, "expected so far", look.WINE),
        Tile("best possible", best, "expected so far", look.GREEN),
    ]


def _rounds(ax, state):
    """Return a mark for every round: what was said, and what it was; nothing of those to come."""
    made = []
    for number, result in enumerate(state.results):
        words = f"target {number + 1}"
        if number < len(state.guesses):
            own = state.game.rounds[number].right
            words += f": {result}\nyou said {state.guesses[number]}, it was {own}"
        made.append(Mark(ax, number + 1, 0, words))
    return made


def _say_game(state):
    """Explain the last guess and ask for the next one, or tell the score."""
    played, rounds = len(state.guesses), len(state.game.rounds)
    if played == rounds:
        return state.game.summary(state.guesses)
    ask = f"Target {played + 1} of {rounds} ({state.title}): which record is it? Press its letter."
    if not played:
        return ask
    return f"{state.game.explain(played - 1, state.guesses[-1])} {ask}"
