"""Exercises and the game for a page without Python: every answer is given here, ahead of time.

A page can compare numbers and look up sentences, and that is all it does. The sentences are those
of `check` and of the game: computed here, one for everything a reader may hand in or press.
"""

from itertools import combinations

import numpy as np

from synthrisk_edu.classroom.engine import data_for, find
from synthrisk_edu.classroom.forms import Choice, Number, Numbers
from synthrisk_edu.classroom.game import NOBODY, deal_game
from synthrisk_edu.classroom.game_panel import what_they_are
from synthrisk_edu.widgets.panel import html_table

GAME_NUMBERS, PERCENTS = range(1, 5), (0, 50, 100)  # of the games a page offers
FAR = 1234.5678  # added to a number, nobody's mistake


def exercise_on_page(number):
    """Return what a page needs to answer back, or None if the exercise needs a notebook.

    >>> exercise_on_page("01.1")["parts"]
    ['c', 'T', 'risk']
    """
    exercise = find(number)
    ways = {Number: numbers_on_page, Numbers: numbers_on_page, Choice: choice_on_page}
    if type(exercise.form) not in ways:
        return None
    data = data_for(exercise.lesson)
    right = exercise.form.value(exercise.answer, data)
    common = {"id": number, "asked": exercise.open().message, "hints": exercise.hints}
    return common | ways[type(exercise.form)](exercise, right, data)


def numbers_on_page(exercise, right, data):
    """Return the right numbers, the usual mistakes, and what to say of other numbers.

    `remarks` has a key for each set of wrong parts: "101" if the first and the third are.
    """
    form, parts = exercise.form, list(exercise.form.parts)
    wrong = {words: form.value(mistake, data) for words, mistake in exercise.mistakes.items()}
    sets = [bad for size in range(1, len(parts) + 1) for bad in combinations(parts, size)]
    return {
        "kind": "numbers",
        "parts": parts,
        "right": [to_json(right[part]) for part in parts],
        "digits": form.digits,
        "within": form.within,
        "why": f"{form.good} {exercise.words(data)}",
        "mistakes": [
            (f"Not yet. {words}", [to_json(value.get(part)) for part in parts])
            for words, value in wrong.items()
        ],
        "short": [shorter(right[part], form.digits) for part in parts],
        "remarks": {
            "".join("01"[part in bad] for part in parts): remarks_on(exercise, right, bad)
            for bad in sets
        },
        "cut_off": isinstance(form, Number) and form.digits is not None,
    }


def remarks_on(exercise, right, bad):
    """Return what `check` says if these parts are per cent, or too short, or wrong otherwise."""
    given = {
        "percent": {part: 100 * right[part] for part in bad},
        "short": {part: too_short(exercise.form, part, right[part]) for part in bad},
        "other": {part: right[part] + FAR for part in bad},
    }
    remarks = {kind: exercise.form.remark(right | one, right) for kind, one in given.items()}
    return {kind: exercise.not_yet(remark) for kind, remark in remarks.items()}


def too_short(form, part, right):
    """Return the number with too few digits to be right, or another wrong one."""
    if isinstance(form, Number):
        return right + 0.9 * 10 ** -(form.digits or 0)  # cut off, or one digit too few
    tries = [*reversed(shorter(right, form.digits)), right + FAR]
    return next(one for one in tries if one and not form.same({part: one}, {part: right}))


def shorter(right, digits):
    """List a number with fewer digits than asked for.

    >>> shorter(56.73, digits=2), shorter(3.0, digits=None)
    ([57.0, 56.7], [])
    """
    return [] if np.isnan(right) else [round(right, fewer) for fewer in range(digits or 0)]


def to_json(number):
    """Return a number for the page, where missing is null."""
    return None if number is None or np.isnan(number) else float(number)


def choice_on_page(exercise, right, data):
    """Return what can be chosen, and what is said of every choice and reason."""
    form = exercise.form
    verdicts = {
        f"{choice}|{reason}": exercise.judge((choice, reason), data)
        for choice in form.choices
        for reason in form.reasons
    }
    return {
        "kind": "choice",
        "choices": form.choices,
        "reasons": form.reasons,
        "verdicts": {pair: [verdict.right, verdict.message] for pair, verdict in verdicts.items()},
    }


def games_on_page(data, known, synthesized):
    """Deal the games a page offers, with all that may be shown and said in them."""
    return {
        f"{number}|{percent}": game_on_page(deal_game(data, known, synthesized, number, percent))
        for number in GAME_NUMBERS
        for percent in PERCENTS
    }


def game_on_page(game):
    """Return the rounds of a game, and a summary for every score."""
    rounds = range(len(game.rounds))
    right = [turn.right for turn in game.rounds]
    guesses = [[*right[:score], *[NOBODY] * (len(right) - score)] for score in range(11)]
    return {
        "rounds": [round_on_page(game, number) for number in rounds],
        "chance": [game.chance(number + 1) for number in rounds],
        "best": [game.best(number + 1) for number in rounds],
        "summaries": [game.summary(one) for one in guesses],
    }


def round_on_page(game, number):
    """Return a line-up before and after the guess, and what is said of every guess."""
    turn, table = game.rounds[number], game.lineup(number)
    shown = table.rename_axis("record").reset_index()
    revealed = shown.assign(record=["the person", *what_they_are(game, number)])
    return {
        "description": game.describe(number),
        "lineup": html_table(shown),
        "revealed": html_table(revealed),
        "right": turn.right,
        "said": {guess: game.explain(number, guess) for guess in [*turn.letters, NOBODY]},
    }
