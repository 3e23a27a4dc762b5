"""The intruder game as a panel: look at a line-up, point at a record, see what could be known."""

from collections.abc import Sequence
from types import SimpleNamespace

import ipywidgets
import pandas as pd

from synthrisk_edu.game import GAMES, LETTERS, MOST, NOBODY, deal_game
from synthrisk_edu.game import average_scores as average_scores  # for the lesson
from synthrisk_edu.plots.game import game_picture
from synthrisk_edu.widgets.controls import Picker, choice
from synthrisk_edu.widgets.panel import Panel, paragraph

LINEUP = {"width": "598px", "height": "260px", "overflow": "auto", "flex": "0 1 auto"}
SCORES = {"width": "240px", "height": "146px", "flex": "0 0 auto"}  # three tiles, one below another


def intruder_game(
    data: pd.DataFrame,
    known: Sequence[str],
    synthesized: Sequence[str],
    *,
    rounds: int = 10,
    seed: int = 1,
    percent: int = 100,
):
    """Build the game: ten targets, ten guesses, scored against chance and the best intruder.

    `data` is the confidential file, in which at first `percent` (0, 50 or 100) of the records have
    the `synthesized` variables redrawn among look-alikes; the `known` ones stay as they are. The
    first of the games, which have so many `rounds`, is number `seed`: equal numbers, equal games.
    """
    return IntruderGame(data, known, synthesized, rounds, seed, percent)


class IntruderGame(Panel):
    """A panel with a memory: the game that was dealt, and the guesses so far.

    Before a guess nothing on the page tells the answer: the line-up is shuffled, its records go by
    letters, and what the letters stand for stays in the kernel.
    """

    def __init__(self, data, known, synthesized, rounds, seed, percent):
        """Lay out the panel and deal the first game; see `intruder_game`."""
        self.data = data
        self.known = list(known)
        self.synthesized = list(synthesized)
        self.rounds = rounds
        self.dealt = None  # number and percentage of the game
        self.guesses = []
        self.looks_back = False
        self.description = ipywidgets.HTML(layout={"min_height": "52px"})
        self.buttons = {guess: self._guess_button(guess) for guess in [*LETTERS[:MOST], NOBODY]}
        self.buttons["back"] = self._button("look back", self.look_back)
        self.buttons["new"] = self._button("new game", self.start_again)
        controls = {
            "number": Picker("game number", 1, GAMES, seed),
            "percent": choice("records redrawn (%)", [0, 50, 100], percent),
        }
        super().__init__(game_picture, controls, self.play, rounds, table=list_lineup)
        self.listing.layout = LINEUP
        self.tiles.layout = SCORES
        style, above, tiles, picture, sentence, lineup = self.children
        row = {"flex_flow": "row wrap", "max_width": "100%"}
        scores = ipywidgets.VBox([tiles, picture], layout={"flex": "0 0 auto"})
        table = ipywidgets.HBox([lineup, scores], layout=row | {"align_items": "flex-start"})
        guesses = ipywidgets.HBox(list(self.buttons.values()), layout=row)
        self.children = [style, above, self.description, table, guesses, sentence]
        self.sentence.layout.width = "860px"
        self.add_class("synthrisk-game")

    def _guess_button(self, guess):
        """Return the button that points at a record, or at nobody."""
        button = self._button(guess, lambda: self.point_at(guess), "primary")
        button.layout = {"width": "auto" if guess == NOBODY else "44px"}
        return button

    def _button(self, label, action, style=""):
        """Return a button that does something and then shows the game anew."""
        button = ipywidgets.Button(description=label, button_style=style)
        button.on_click(lambda _button: (action(), self.refresh()))
        return button

    def play(self, number, percent):
        """Return the state of the game; another number or another share deals a new one."""
        if self.dealt != (number, percent):
            self.game = deal_game(
                self.data,
                known=self.known,
                synthesized=self.synthesized,
                number=number,
                percent=percent,
                rounds=self.rounds,
            )
            self.dealt = (number, percent)
            self.guesses = []
            self.looks_back = False
        return self.state(f"{percent} % redrawn")

    def state(self, title):
        """Return what became of the guesses so far, and which line-up is on the page."""
        game = self.game
        played = len(self.guesses)
        results = [
            "found" if game.is_right(number, guess) else "not found"
            for number, guess in enumerate(self.guesses)
        ]
        results += ["now", *["to come"] * self.rounds]
        revealed = self.looks_back or played == self.rounds
        return SimpleNamespace(
            title=title,
            game=game,
            guesses=list(self.guesses),
            results=results[: self.rounds],
            scores=[game.score(self.guesses), game.chance(played), game.best(played)],
            shown=played - revealed,
            revealed=revealed,
        )

    def point_at(self, guess):
        """Take a guess, a letter or nobody; the next target follows at once."""
        if len(self.guesses) < self.rounds and not self.looks_back:
            self.guesses = [*self.guesses, guess]

    def look_back(self):
        """Show the line-up of the last guess with what each record is, or go on."""
        self.looks_back = bool(self.guesses) and not self.looks_back

    def start_again(self):
        """Deal the game with the next number; after the last comes the first."""
        number = self.controls["number"]
        number.value = number.value % GAMES + 1

    def refresh(self, change=None):
        """Compute, draw and say anew; then describe the target and show what may be pressed."""
        super().refresh(change)
        if self.error is None:
            state = self.play(**self.values())
            self.description.value = paragraph(state.game.describe(state.shown))
            self._show_buttons(state.game.rounds[state.shown].letters, state.revealed)

    def still(self):
        """Return the game as it stands, as HTML; the target is described above it."""
        return self.description.value + super().still()

    def _show_buttons(self, letters, revealed):
        """Offer the letters of the line-up, unless the answer is on the page."""
        for guess, button in self.buttons.items():
            if guess in LETTERS:
                button.layout.display = None if guess in letters else "none"
            if guess not in ("back", "new"):
                button.disabled = revealed
        self.buttons["back"].disabled = len(self.guesses) in (0, self.rounds)
        self.buttons["back"].description = "go on" if self.looks_back else "look back"


def list_lineup(state):
    """List the target and the line-up; only after the guess what each record is."""
    table = state.game.lineup(state.shown)
    if state.revealed:
        table.index = ["the person", *what_they_are(state.game, state.shown)]
    return table.rename_axis("record").reset_index()


def what_they_are(game, number):
    """Say of every record of a line-up whether it matches and whether it is the target's."""
    turn = game.rounds[number]
    lines = []
    for letter in turn.letters:
        fits = letter in game.matching(number)
        words = "matches" if fits else ""
        if letter == turn.right:
            words = "own, matches" if fits else "own record"
        lines.append(f"{letter}: {words}" if words else letter)
    return lines
