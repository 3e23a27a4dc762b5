"""The intruder game as a panel: look at a line-up, point at a record, see what could be known."""

from types import SimpleNamespace

import ipywidgets

from synthrisk_edu.classroom.game import GAMES, LETTERS, MOST, NOBODY, deal_game
from synthrisk_edu.classroom.game import average_scores as average_scores  # for the lesson
from synthrisk_edu.plots import game as pictures
from synthrisk_edu.plots import look
from synthrisk_edu.widgets.panel import Canvas, Panel, Picker, choice, html_table, paragraph

LINEUP = {"width": "470px", "height": "250px", "overflow": "auto", "flex": "0 1 auto"}


def intruder_game(data, known, synthesized, *, rounds=10, seed=1, percent=100):
    """Build the game: ten targets, ten guesses, scored against chance and the best intruder.

    Args:
        data: the confidential file; the synthesized variables are redrawn among look-alikes.
        known: names of the variables that are not synthesized.
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
        self.description = ipywidgets.HTML(layout={"min_height": "52px"})
        self.lineup = ipywidgets.HTML(layout=LINEUP)
        self.buttons = {guess: self._guess_button(guess) for guess in [*LETTERS[:MOST], NOBODY]}
        self.buttons["next"] = self._button("next target", self.go_on)
        self.buttons["new"] = self._button("new game", self.start_again)
        controls = {
            "number": Picker("game number", 1, GAMES, seed),
            "percent": choice("records redrawn (%)", [0, 50, 100], percent),
        }
        margins = {"left": 0.33, "right": 0.93, "top": 0.9, "bottom": 0.19, "hspace": 1.5}
        figure, axes = look.figure(2.6, rows=2, width=3.5, margins=margins)
        canvas = Canvas(figure, axes, lambda axes: pictures.frame_game(axes, rounds))
        super().__init__(controls, self.play, draw_play, say_play, canvas)
        style, above, picture, sentence = self.children
        row = {"flex_flow": "row wrap", "max_width": "100%"}
        table = ipywidgets.HBox([self.lineup, picture], layout=row)
        guesses = ipywidgets.HBox(list(self.buttons.values()), layout=row)
        self.children = [style, above, self.description, table, guesses, sentence]
        self.sentence.layout.width = "860px"
        self.add_class("synthrisk-game")

    def _guess_button(self, guess):
        """Return the button that points at a record, or at nobody."""
        width = {"width": "auto" if guess == NOBODY else "44px"}
        button = self._button(guess, lambda: self.point_at(guess), "primary")
        button.layout = width
        return button

    def _button(self, label, action, style=""):
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
        title = f"game {number}, {percent} % redrawn"
        return SimpleNamespace(title=title, over=self.is_over(), **state)

    def is_over(self):
        """Tell whether the last guess has been made and looked at."""
        return len(self.guesses) == self.rounds and not self.judged

    def point_at(self, guess):
        """Take a guess: a letter, or nobody."""
        if not self.judged and not self.is_over():
            self.guesses, self.judged = [*self.guesses, guess], True

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

    def _show_lineup(self):
        """Show the target and the line-up; only after the guess what each record is."""
        current = min(len(self.guesses) - self.judged, self.rounds - 1)
        revealed = self.judged or self.is_over()
        table = self.game.lineup(current)
        if revealed:
            table[""] = ["", *what_they_are(self.game, current)]
        self.description.value = paragraph(self.game.describe(current))
        self.lineup.value = html_table(table.rename_axis("record").reset_index())
        self._show_buttons(self.game.rounds[current].letters, revealed)

    def _show_buttons(self, letters, revealed):
        """Offer the letters of the line-up, or the next target."""
        for guess, button in self.buttons.items():
            if guess in LETTERS:
                button.layout.display = None if guess in letters else "none"
            if guess not in ("next", "new"):
                button.disabled = revealed
        last = len(self.guesses) == self.rounds
        self.buttons["next"].disabled = not self.judged
        self.buttons["next"].description = "see the score" if last else "next target"


def what_they_are(game, number):
    """Say of every record of a line-up whether it matches and whether it is the target's."""
    turn, matching = game.rounds[number], game.matching(number)
    words = {True: "matches", False: ""}
    true = {True: "own record, matches", False: "own record"}
    return [
        (true if letter == turn.right else words)[letter in matching] for letter in turn.letters
    ]


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
    return f"{here}: which record is it? Press its letter."
