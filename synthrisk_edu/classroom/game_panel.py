"""The intruder game as a panel: look at a line-up, point at a record, see what could be known."""

from types import SimpleNamespace

import ipywidgets

from synthrisk_edu.classroom.game import GAMES, NOBODY, deal_game
from synthrisk_edu.classroom.game import average_scores as average_scores  # for the lesson
from synthrisk_edu.plots import game as pictures
from synthrisk_edu.plots import look
from synthrisk_edu.widgets.panel import Canvas, Panel, choice, html_table, paragraph, slider

WIDE = {"width": "100%", "flex": "0 0 auto"}


def intruder_game(data, known, synthesized, *, rounds=10, seed=1, percent=50):
    """Build the game: ten targets, ten guesses, scored against chance and the best intruder.

    Args:
        data: the confidential file; the synthesized variables are redrawn among look-alikes.
        known: names of the variables the intruder knows and that are not synthesized.
        synthesized: names of the synthesized variables; the intruder knows the true values.
        rounds: how many targets.
        seed: the number of the first game; equal numbers are equal games.
        percent: which part of the records is redrawn at first: 0, 50 or 100.
    """
    return IntruderGame(data, known, synthesized, rounds, seed, percent)


class IntruderGame(Panel):
    """A panel with a memory: the game that was dealt, and the guesses so far.

    Before a guess nothing on the page tells the answer: the line-up is shuffled, its records go by
    letters, and what the letters stand for stays in the kernel.
    """

    def __init__(self, data, known, synthesized, rounds, seed, percent):
        """Lay out the panel and deal the first game; see `intruder_game`."""
        self.data, self.known, self.synthesized = data, list(known), list(synthesized)
        self.rounds, self.dealt, self.guesses, self.judged = rounds, None, [], False
        self.told = ipywidgets.HTML(layout=WIDE | {"height": "76px", "overflow": "auto"})
        self.lineup = ipywidgets.HTML(layout=WIDE | {"height": "256px", "overflow": "auto"})
        self.guess = ipywidgets.Dropdown(description="I point at", options=[NOBODY])
        self.guess.layout = {"width": "220px"}
        self.buttons = {
            "guess": self._button("guess", "primary", self.hand_in),
            "next": self._button("next target", "", self.go_on),
            "new": self._button("new game", "", self.start_again),
        }
        controls = {
            "number": slider("game number", 1, GAMES, seed),
            "percent": choice("records redrawn (%)", [0, 50, 100], percent),
        }
        extra = [self.told, self.lineup, self.guess, *self.buttons.values()]
        margins = {"left": 0.03, "right": 0.96, "top": 0.86, "bottom": 0.25, "wspace": 0.35}
        figure, axes = look.figure(2.3, 2, margins=margins, width_ratios=[1.35, 1])
        canvas = Canvas(figure, axes, lambda axes: pictures.frame_game(axes, rounds))
        super().__init__(controls, self.play, draw_play, say_play, canvas, extra=extra)
        style, above, picture, sentence = self.children
        self.children = [style, above, sentence, picture]  # the verdict beside the guess
        self.sentence.layout.height = "76px"
        self.add_class("synthrisk-game")

    def _button(self, label, style, action):
        """Return a button that does something and then shows the game anew."""
        button = ipywidgets.Button(description=label, button_style=style)
        button.on_click(lambda _button: (action(), self.refresh()))
        return button

    def play(self, number, percent):
        """Return the state of the game; another number or another share deals a new one."""
        if self.dealt != (number, percent):
            question = self.data, self.known, self.synthesized
            self.game = deal_game(*question, number, percent, rounds=self.rounds)
            self.dealt, self.guesses, self.judged = (number, percent), [], False
        state = {"game": self.game, "guesses": list(self.guesses), "judged": self.judged}
        title = f"game {number}, {percent} % of the records redrawn"
        return SimpleNamespace(title=title, over=self.is_over(), **state)

    def is_over(self):
        """Tell whether the last guess has been made and looked at."""
        return len(self.guesses) == self.rounds and not self.judged

    def hand_in(self):
        """Take the guess that the dropdown holds."""
        if not self.judged and not self.is_over():
            self.guesses, self.judged = [*self.guesses, self.guess.value], True

    def go_on(self):
        """Turn to the next target, or to the end."""
        self.judged = False

    def start_again(self):
        """Deal the game with the next number; after the last comes the first."""
        number = self.controls["number"]
        number.value = number.value % GAMES + 1

    def refresh(self, change=None):
        """Compute, draw and say anew; then show the line-up and what may be pressed."""
        super().refresh(change)
        if self.error is None:
            self._show_lineup()
            self.buttons["guess"].disabled = self.guess.disabled = self.judged or self.is_over()
            self.buttons["next"].disabled = not self.judged
            last = len(self.guesses) == self.rounds
            self.buttons["next"].description = "see the score" if last else "next target"

    def _show_lineup(self):
        """Show the target and the line-up; only after the guess what each record is."""
        current = min(len(self.guesses) - self.judged, self.rounds - 1)
        revealed = self.judged or self.is_over()
        table = self.game.lineup(current)
        if revealed:
            table[""] = ["", *what_they_are(self.game, current)]
        self.told.value = paragraph(self.game.told(current))
        self.lineup.value = html_table(table.rename_axis("record").reset_index())
        if not revealed:
            self.guess.options = [NOBODY, *self.game.rounds[current].letters]
            self.guess.value = NOBODY


def what_they_are(game, number):
    """Say of every record of a line-up whether it matches and whether it is the target's."""
    turn, matching = game.rounds[number], game.matching(number)
    words = {True: "matches", False: ""}
    own = {True: "own record, matches", False: "own record"}
    return [(own if letter == turn.right else words)[letter in matching] for letter in turn.letters]


def draw_play(axes, state):
    """Draw what became of every guess, and the scores so far."""
    game, played = state.game, len(state.guesses)
    results = [
        "found" if game.is_right(number, guess) else "not found"
        for number, guess in enumerate(state.guesses)
    ]
    results += ["to come"] * (len(game.rounds) - played)
    if played < len(game.rounds) and not state.judged:
        results[played] = "now"
    scores = [game.score(state.guesses), game.chance(played), game.best(played)]
    pictures.draw_game(axes, state.title, results, scores)


def say_play(state):
    """Ask for a guess, or explain the last one, or tell the score."""
    played, rounds = len(state.guesses), len(state.game.rounds)
    if state.over:
        return state.game.summary(state.guesses)
    if state.judged:
        return state.game.explain(played - 1, state.guesses[-1])
    here = f"Target {played + 1} of {rounds} ({state.title})"
    return f"{here}: which record is it? Choose one, then press guess."
