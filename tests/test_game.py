"""The intruder game: by hand, against brute force, fair over seeds, and played in its panel."""

from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from panel_moves import use_every_control

import synthrisk_edu as sr
from synthrisk_edu import widgets
from synthrisk_edu.data import in_words
from synthrisk_edu.game import GAMES, NOBODY, Game, Round, deal, deal_game
from synthrisk_edu.synthesis import redraw
from synthrisk_edu.widgets.panel import paragraph
from synthrisk_edu.words import rounded

KNOWN = ["Sex", "Town"]
NAMES = "Ana Bea Cleo Dora Emil Finn Gus Hugo Ivan Jon".split()
CONFIDENTIAL = pd.DataFrame(
    {
        "Sex": list("FFFFMMMMMM"),
        "Town": list("AAABAABBBB"),
        "Job": "nurse nurse baker baker baker baker nurse nurse cook cook".split(),
    },
    index=NAMES,
)
NEW_JOBS = "nurse baker baker nurse baker cook nurse cook cook nurse".split()
SYNTHETIC = CONFIDENTIAL.assign(Job=NEW_JOBS)
# Counted by hand in lesson 01. Dora is alone in her line-up and has no match.
LINEUPS = [{0, 1, 2}, {4, 5}, {6, 7, 8, 9}]
C = [1, 1, 2, 0, 1, 1, 2, 2, 2, 2]
T = [1, 0, 1, 0, 1, 0, 1, 0, 1, 0]


def deal_ten(seed=1, **options):
    return deal(CONFIDENTIAL, SYNTHETIC, KNOWN, ["Job"], **{"rounds": 3, "seed": seed} | options)


@pytest.fixture(scope="module")
def people():
    return in_words(sr.load_acs(), "acs")


# --------------------------------------------------------------------- by hand


@pytest.mark.parametrize("seed", range(20))
def test_every_game_of_the_ten_persons_agrees_with_the_hand_count(seed):
    game = deal_ten(seed)
    assert sorted(map(sorted, (turn.lineup for turn in game.rounds))) == [*map(sorted, LINEUPS)]
    for turn in game.rounds:
        assert turn.target in turn.lineup
        assert (turn.c, turn.T) == (C[turn.target], T[turn.target])
        assert turn.lineup[turn.letters.index(turn.right)] == turn.target
    assert game.chance() == pytest.approx(1 / 3 + 1 / 2 + 1 / 4)
    assert game.best() == pytest.approx(sum(T[t.target] / C[t.target] for t in game.rounds))


def test_what_is_told_about_cleo_and_about_bea():
    found = sr.match(CONFIDENTIAL, SYNTHETIC, KNOWN, ["Job"])
    game = Game(found, [Round(2, (1, 0, 2), 2, 1), Round(1, (1, 0, 2), 1, 0)])
    assert "Sex = F and Town = A" in game.describe(0) and "3 records" in game.describe(0)
    assert "at least one matches" in game.describe(0)  # others are not dealt
    assert game.lineup(0).Job.tolist() == ["baker", "baker", "nurse", "baker"]
    assert game.lineup(0).index.tolist() == ["the person", "A", "B", "C"]
    assert game.matching(0) == ["A", "C"] and game.matching(1) == ["B"]
    assert game.explain(0, "A") == (
        "Wrong: the person's record is C. 2 records match, A and C, so c = 2. The person's "
        "is among them, T = 1: who points at a match is right one time in 2."
    )
    assert game.explain(0, "C").startswith("Right: the person's record is C.")
    assert game.explain(1, "B") == (
        "Wrong: the person's record is A. One record matches, B, so c = 1. It is somebody "
        "else's, T = 0 (Job became baker): who points at a match is wrong."
    )
    assert game.explain(1, NOBODY).startswith("You let it pass: the person's record is A.")
    assert [game.score(g) for g in (["C", "A"], ["C", "B"], ["A", NOBODY], [])] == [2, 1, 0, 0]
    assert game.best() == 0.5 and game.best(played=0) == 0 and game.chance(played=1) == 1 / 3
    assert "You found 2 of 2" in game.summary(["C", "A"])
    assert "2 or more with probability 0.11" in game.summary(["C", "A"])


def test_the_probability_of_luck_by_hand():
    luck = deal_ten().luck
    assert luck(0) == luck(-1) == 1 and luck(4) == 0
    assert luck(1) == pytest.approx(1 - 2 / 3 * 1 / 2 * 3 / 4)
    assert luck(3) == pytest.approx(1 / 24)


# ----------------------------------------------------------------- by brute force


def test_luck_chance_and_best_agree_with_all_possible_games():
    """Every way to point, each as likely as the player makes it."""
    game = deal_ten(seed=3)
    blind = [game.score(guesses) for guesses in product(*(t.letters for t in game.rounds))]
    assert game.chance() == pytest.approx(np.mean(blind))
    for score in range(5):
        assert game.luck(score) == pytest.approx(np.mean(np.array(blind) >= score))
    matching = [game.score(guesses) for guesses in product(*map(game.matching, range(3)))]
    assert game.best() == pytest.approx(np.mean(matching))


@pytest.mark.parametrize("p", [0, 0.3, 0.9, 1])
@pytest.mark.parametrize("true", ["abc", "aab", "aabc", "abbb"])
def test_no_record_is_more_likely_than_one_that_matches(p, true):
    """All orders of a line-up and all ways to redraw it: Pr(record j is the target's | shown)."""
    n, q = len(true), {v: true.count(v) / len(true) for v in true}
    for shown in product(sorted(q), repeat=n):
        likelihood = np.zeros(n)  # of j being the record of the target, unit 0
        for owners in permutations(range(n)):
            ways = [
                (1 - p) * (value == true[owner]) + p * q[value]
                for value, owner in zip(shown, owners, strict=True)
            ]
            likelihood[owners.index(0)] += np.prod(ways)
        matches = np.array(shown) == true[0]
        if matches.any():
            assert np.mean(likelihood[matches]) >= likelihood.max() - 1e-12
        if p == 1:
            np.testing.assert_allclose(likelihood, likelihood[0])


# --------------------------------------------------------------- fair over seeds


def players(share, seeds):
    """The scores of a blind and of a matching player beside chance and best, game after game."""
    rng = np.random.default_rng(7)
    towns = np.repeat(list("ABCDEFGH"), range(2, 10))
    data = pd.DataFrame({"Town": towns, "Job": rng.choice(list("xyz"), len(towns))})
    rows = []
    for seed in seeds:
        synthetic = redraw(data, ["Job"], ["Town"], share, seed=10_000 + seed)
        game = deal(data, synthetic, ["Town"], ["Job"], rounds=5, seed=seed)
        blind = [rng.choice(turn.letters) for turn in game.rounds]
        clever = [rng.choice(game.matching(number)) for number in range(5)]
        rows.append([game.score(blind), game.chance(), game.score(clever), game.best()])
    return np.array(rows).T


def is_near_zero(differences):
    """The mean lies within four standard errors of 0."""
    error = differences.std(ddof=1) / np.sqrt(len(differences))
    return error > 0 and abs(differences.mean()) < 4 * error


def test_blind_and_matching_players_score_what_is_expected_of_them():
    blind, chance, clever, best = players(0.5, range(400))
    assert is_near_zero(blind - chance)
    assert is_near_zero(clever - best)
    assert not is_near_zero(clever - chance)  # the matching rule helps: the game can be played


def test_with_everything_redrawn_the_best_intruder_is_no_better_than_chance():
    _, chance, clever, best = players(1, range(400))
    assert is_near_zero(best - chance)
    assert is_near_zero(clever - chance)


def test_the_place_of_the_true_record_tells_nothing():
    places = [
        turn.letters.index(turn.right)
        for seed in range(400)
        for turn in deal_ten(seed).rounds
        if len(turn.lineup) == 4
    ]
    counts = np.bincount(places, minlength=4)
    assert counts.sum() == 400
    assert (np.abs(counts - 100) < 4 * np.sqrt(400 * 0.25 * 0.75)).all()


def test_equal_seeds_deal_equal_games_and_nothing_is_changed():
    before = CONFIDENTIAL.copy(), SYNTHETIC.copy()
    assert deal_ten(5).rounds == deal_ten(5).rounds
    assert len({tuple(deal_ten(seed).rounds) for seed in range(10)}) > 5
    pd.testing.assert_frame_equal(CONFIDENTIAL, before[0])
    pd.testing.assert_frame_equal(SYNTHETIC, before[1])


def test_missing_values_are_a_level_in_line_ups_and_in_words():
    data = pd.DataFrame({"Town": ["A", "A", None, None], "Job": ["x", None, "x", None]})
    game = deal(data, data, ["Town"], ["Job"], rounds=2)
    assert sorted(map(sorted, (turn.lineup for turn in game.rounds))) == [[0, 1], [2, 3]]
    assert all("missing" in game.lineup(number).Job.tolist() for number in range(2))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"rounds": 4}, "only 3 line-ups have 2 to 8 records"),
        ({"most": 3}, "only 2 line-ups have 2 to 3 records"),
        ({"rounds": 0}, "rounds must be a whole number, 1 or more, not 0"),
        ({"most": 27}, "most must be a whole number from 2 to 26, not 27"),
        ({"seed": "x"}, "seed must be a whole number, 0 or more"),
    ],
)
def test_wrong_questions_get_a_sentence(options, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        deal_ten(**options)


def test_a_synthesized_variable_is_not_taken_for_a_known_one():
    with pytest.raises(ValueError, match="column 'Job' differs between confidential and"):
        deal(CONFIDENTIAL, SYNTHETIC, ["Sex", "Job"], ["Town"])


@pytest.mark.parametrize("wrong", ["Z", "AB"])
def test_a_guess_is_a_letter_of_the_line_up(wrong):
    with pytest.raises(ValueError, match="guess must be a letter from A to"):
        deal_ten().is_right(0, wrong)


# -------------------------------------------------------------- played in the panel

FACTS = ["SEX", "RACE", "MAR", "WAOB"]
REDRAWN = ["DIS", "HICOV", "LANX", "SCH"]


def build(people, **options):
    return widgets.intruder_game(people, FACTS, REDRAWN, **options)


def press(panel, name):
    assert not panel.buttons[name].disabled
    panel.buttons[name].click()
    assert panel.error is None


def play(panel, player):
    """Play a whole game: `player` chooses a letter from a game and the number of a round."""
    for number in range(panel.rounds):
        assert f"Target {number + 1} of {panel.rounds}" in panel.sentence.value
        before = panel.picture.value
        press(panel, player(panel.game, number))
        assert panel.picture.value != before
        if number < panel.rounds - 1:
            assert f"record is {panel.game.rounds[number].right}." in panel.sentence.value
            assert "T&nbsp;=&nbsp;" in panel.sentence.value
            look_back(panel)
    assert panel.buttons["A"].disabled and panel.buttons["back"].disabled
    assert ": own" in panel.listing.value


def look_back(panel):
    """Look at the last line-up and go on; nothing has changed."""
    before = panel.listing.value
    press(panel, "back")
    assert ": own" in panel.listing.value
    assert panel.buttons["A"].disabled and panel.buttons[NOBODY].disabled
    panel.buttons["A"].click()  # does no harm
    press(panel, "back")
    assert panel.listing.value == before and ": own" not in before


def test_the_controls_at_their_ends(people):
    use_every_control(build(people))


@pytest.mark.parametrize(
    ("player", "score"),
    [
        (lambda game, number: game.rounds[number].right, 10),
        pytest.param(lambda game, number: NOBODY, 0, marks=pytest.mark.slow),
        (lambda game, number: next(x for x in "ABCD" if x != game.rounds[number].right), 0),
    ],
    ids=["who peeps", "who never points", "who is always wrong"],
)
def test_a_whole_game_at_both_ends(people, player, score):
    panel = build(people, seed=4)
    play(panel, player)
    assert f"You found {score} of 10." in panel.sentence.value
    assert f"finds {rounded(panel.game.best())} of these 10 on average" in panel.sentence.value
    luck = rounded(panel.game.luck(score))
    assert f"{score} or more with probability {luck}" in panel.sentence.value


def test_a_new_game_starts_from_nothing_and_the_first_follows_the_last(people):
    panel = build(people, seed=GAMES)
    press(panel, "A")
    press(panel, "new")
    assert panel.controls["number"].value == 1
    assert panel.guesses == [] and not panel.buttons["A"].disabled
    assert "Target 1 of 10" in panel.sentence.value
    rounds = panel.game.rounds
    assert build(people, seed=1).game.rounds == rounds


def test_pressing_too_often_does_no_harm(people):
    panel = build(people)
    panel.buttons["back"].click()
    assert "Target 1 of 10" in panel.sentence.value
    for _ in range(13):
        panel.buttons[NOBODY].click()
    assert panel.guesses == [NOBODY] * 10 and panel.error is None


def page(widget):
    """Everything that the browser is sent about a widget and what is inside it."""
    sent = widget.get_state().items()
    state = {key: bytes(v) if isinstance(v, memoryview) else str(v) for key, v in sent}
    return [state] + [page(child) for child in getattr(widget, "children", ())]


def test_nothing_on_the_page_tells_the_answer_before_the_guess(people):
    """Two persons of one line-up with the same true values: the page is the same for both."""
    panel = build(people, rounds=30)
    values = people[REDRAWN].astype(str).agg("|".join, axis=1)
    number, twin = next(
        (number, j)
        for number, turn in enumerate(panel.game.rounds)
        for j in turn.lineup
        if j != turn.target and values[j] == values[turn.target]
    )
    turn = panel.game.rounds[number]
    pages = []
    for target in (turn.target, twin):
        panel.guesses = [NOBODY] * number
        panel.game.rounds[number] = turn._replace(target=target)
        panel.refresh()
        pages.append(page(panel))
        assert ": own" not in str(pages[-1])
    assert panel.game.rounds[number].right != turn.right
    assert pages[0] == pages[1]
    press(panel, NOBODY)
    assert page(panel) != pages[1]


def test_a_mark_of_the_game_reads_only_what_was_guessed(people):
    panel = build(people)
    press(panel, "A")
    right = panel.game.rounds[0].right
    found = "found" if right == "A" else "not found"
    words = [mark[2] for mark in panel.picture.marks]
    assert words[0] == f"target 1: {found}\nyou said A, it was {right}"
    assert words[1:] == [f"target {k}" for k in range(2, 11)]
    assert ">found in 1 guess</dd>" in panel.tiles.value


def test_the_game_standing_still_shows_the_line_up_and_no_answer(people):
    panel = build(people)
    press(panel, "A")
    page = panel.still()
    assert paragraph(panel.game.describe(1)) in page and "Target 2 of 10" in page
    for letter in panel.game.rounds[1].letters:
        assert f">{letter}</td>" in page
    assert ": own" not in page and ": matches" not in page


def test_other_people_for_each_number_and_percentage(people):
    games = [deal_game(people, FACTS, REDRAWN, n, p) for n in (1, 2) for p in (0, 50, 100)]
    targets = [{turn.target for turn in game.rounds} for game in games]
    for place, some in enumerate(targets):
        assert all(len(some & others) <= 2 for others in targets[:place])


def test_only_the_letters_of_the_line_up_are_offered(people):
    panel = build(people)
    shown = [x for x in "ABCDEFGH" if panel.buttons[x].layout.display != "none"]
    assert shown == panel.game.rounds[0].letters


def test_an_error_is_shown_in_the_panel(people):
    panel = build(people)
    panel.rounds = 1000
    panel.controls["number"].value = 2
    assert "synthrisk-error" in panel.sentence.value
    assert "line-ups have 2 to 8 records" in panel.sentence.value
