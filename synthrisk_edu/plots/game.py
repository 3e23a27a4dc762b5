"""The picture of the intruder game: what became of every guess, and three scores side by side."""

from synthrisk_edu.plots import look
from synthrisk_edu.plots.picture import Picture
from synthrisk_edu.words import rounded

SMALLER = {"markersize": 8}
RESULTS = {
    "found": look.TRUE_RECORD | SMALLER,
    "not found": look.CANDIDATE | SMALLER | {"fillstyle": "none"},
    "now": look.TARGET | SMALLER,
    "to come": look.EVERYONE_ELSE,
}
PLAYERS = {  # from top to bottom
    "you": {"color": look.ORANGE},
    "blind chance": {"color": look.LIGHT},
    "best possible": {"color": look.DARK, "fill": False, "hatch": "///"},
}


def frame_game(axes, rounds):
    """Draw the empty picture: a place for each target, and an axis for three scores."""
    strip, bars = axes
    strip.set(xlim=(0.4, rounds + 0.6), ylim=(-1, 0.6))
    look.tidy(strip, "", "square: found", xticks=[1, rounds], yticks=[])
    strip.spines["left"].set_visible(False)
    bars.set(xlim=(0, rounds), ylim=(len(PLAYERS) - 0.4, -0.6))
    bars.set_yticks(range(len(PLAYERS)), PLAYERS)
    look.tidy(bars, "", "found, or expected")


def draw_game(axes, state):
    """Mark what became of every target, and draw the scores of you, chance and the best."""
    strip, bars = axes
    look.headline(strip, state.title)
    for place, result in enumerate(state.results, start=1):
        strip.plot([place], [-0.25], **RESULTS[result])
    for height, (player, score) in enumerate(zip(PLAYERS.values(), state.scores, strict=True)):
        bars.barh([height], [score], height=0.6, **player)
        bars.text(score + 0.15, height, rounded(score), va="center", fontsize=look.SMALL)


def say_game(state):
    """Explain the last guess and ask for the next one, or tell the score."""
    played, rounds = len(state.guesses), len(state.game.rounds)
    if played == rounds:
        return state.game.summary(state.guesses)
    ask = f"Target {played + 1} of {rounds} ({state.title}): which record is it? Press its letter."
    if not played:
        return ask
    return f"{state.game.explain(played - 1, state.guesses[-1])} {ask}"


GAME = Picture(
    frame_game,
    draw_game,
    say_game,
    {
        "height": 2.6,
        "rows": 2,
        "width": 2.4,
        "margins": {"left": 0.44, "right": 0.95, "top": 0.9, "bottom": 0.19, "hspace": 1.5},
    },
)
