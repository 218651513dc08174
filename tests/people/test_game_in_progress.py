"""A game of a person is a game of the match, and its odds and costs are those of the exact engine."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.exact import decision_costs, reach
from pigevo.games.game import GAMES
from pigevo.people import MOST_TURNS, Decided, Judge, Odds, events, odds_of, review
from pigevo.people.game_in_progress import SIZES
from pigevo.simulation.stepwise import Position, outcome, play_turns
from tests.people.games import follow, opponents, play, small


@pytest.mark.parametrize("name", list(GAMES))
def test_a_person_who_plays_as_a_strategy_plays_its_games(name):
    game = small(name)
    mine = pigevo.hold_at(game, 11)
    for opponent in opponents(game):
        for seat, number in itertools.product((0, 1), range(6)):
            draw = Draw(3, "dice", part=number)
            players = (mine, opponent) if seat == 0 else (opponent, mine)
            turns = list(play_turns(*players, draw, MOST_TURNS))
            played = play(opponent, follow(mine), 3, number, seat)
            assert list(played.turns) == turns
            ended = outcome(turns, game)
            assert (played.result == "won") == (ended == seat)
            assert (played.result == "lost") == (ended == 1 - seat)
            assert (played.result == "draw") == (ended == 5)


def test_every_result_is_possible():
    game = small("ten_rounds", turns=1)
    results = {play(pigevo.hold_at(game, 3), lambda _: False, number=n).result for n in range(40)}
    assert results == {"won", "lost", "draw"}
    passing = small("pig", allow_pass=True)
    assert play(pigevo.hold_at(passing, 0), lambda _: False).result == "stalemate"
    assert play(pigevo.hold_at(passing, 5), lambda _: False).result == "lost"


@pytest.mark.parametrize("name", ["pig", "skunk", "ten_rounds"])
def test_a_player_is_asked_only_where_there_is_a_choice(name):
    game = small(name)
    played = [play(pigevo.hold_at(game, 9), follow(pigevo.hold_at(game, 14)), number=n) for n in range(10)]
    positions = [choice.position for game_played in played for choice in game_played.choices]
    assert positions
    for position in positions:
        assert position.total > 0
        assert position.own + position.total < (game.size if game.target else 10**6)
        assert position.total < game.size


def test_where_passing_is_allowed_the_first_roll_is_a_choice():
    choices = play(pigevo.hold_at(small("pig", allow_pass=True), 5), lambda position: position.total < 8).choices
    assert any(choice.position.total == 0 for choice in choices)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_that_was_left_has_the_turns_that_were_ended(seat):
    opponent = pigevo.hold_at(pigevo.Pig(), 20)
    answers = iter([True, False, False])
    left = play(opponent, lambda _: next(answers, None), seed=2, seat=seat)
    answers = iter([True, False, False])
    whole = play(opponent, lambda _: next(answers, False), seed=2, seat=seat)
    assert left.result == "unfinished"
    assert len(left.choices) == 3
    assert left.turns == whole.turns[: len(left.turns)]
    assert left.scores != (0, 0)
    assert play(opponent, lambda _: None).scores == (0, 0)


def test_scores_are_the_person_s_first():
    opponent = pigevo.hold_at(pigevo.Pig(target=20), 20)
    for seat in (0, 1):
        for number in range(6):
            played = play(opponent, lambda _: False, number=number, seat=seat)
            banked = [sum(turn.banked for turn in played.turns if turn.player == player) for player in (seat, 1 - seat)]
            assert played.scores == tuple(banked)
            assert played.result == ("won" if banked[0] > banked[1] else "lost")


def test_an_endless_game_is_ended_as_unfinished():
    game = pigevo.Pig(target=60, sides=2)
    played = play(pigevo.hold_at(game, 60), lambda _: True)
    assert (played.result, len(played.turns)) == ("unfinished", MOST_TURNS)


def test_every_decision_follows_its_question():
    opponent = pigevo.hold_at(pigevo.Pig(target=30), 10)
    happened = list(events(opponent, 0, Draw(1, "dice"), lambda position: position.total < 9))
    for number, event in enumerate(happened):
        if isinstance(event, Decided):
            assert happened[number - 1] == event.position
            assert event.rolled == (event.position.total < 9)


@pytest.mark.parametrize("own", [0, 8, 15])
@pytest.mark.parametrize("rolls", [(), (3,), (2, 2)])
@pytest.mark.parametrize("name", list(GAMES))
def test_odds_add_up_all_throws(name, rolls, own):
    game = small(name)
    own = min(own, game.size - 6)
    position = Position(game, 0, 1, own, 0, rolls=rolls)
    ends = falls = wins = 0.0
    gains = []
    for throw in game.throws if rolls else game.first_throws:
        match throw.ends:
            case "turn":
                ends, after = ends + throw.chance, own + throw.points
            case "score":
                falls, after = falls + throw.chance, 0
            case _:
                gains.append(throw.points)
                after = own + sum(rolls) + throw.points
        wins += throw.chance * bool(game.target and after >= game.size)
    assert odds_of(position) == Odds(
        pytest.approx(ends), pytest.approx(falls), pytest.approx(wins), (min(gains), max(gains))
    )


CLOSE = 1e-12
FALLING = 1e-9
"""Where a score can fall, worths are found to within a proven error."""


def close(game):
    return FALLING if game.falls else CLOSE


@pytest.mark.parametrize("name", list(GAMES))
def test_best_play_costs_nothing_and_costs_and_luck_lead_from_the_start_to_the_end(name):
    """The luck is counted by itself: from what a choice was worth to what the next place is worth, by another way."""
    game, costs = small(name), 0.0
    for opponent in opponents(game):
        judge = Judge(opponent)
        worth = pigevo.state_values(judge.best.strategy, opponent)
        for seat, number in itertools.product((0, 1), range(4)):
            best = review(play(opponent, follow(judge.best.strategy), 1, number, seat), judge)
            assert best.cost <= close(game)
            reviewed = review(play(opponent, lambda position: position.total < 6, 2, number, seat), judge)
            stood, luck = reviewed.start, 0.0
            for decision in reviewed.judged:
                luck += worth[decision.position.cell] - stood
                stood = decision.choice.roll if decision.rolled else decision.choice.hold
            luck += reviewed.end - stood
            assert reviewed.start - reviewed.cost + luck == pytest.approx(reviewed.end, abs=close(game))
            assert reviewed.luck == pytest.approx(luck, abs=close(game))
            costs += reviewed.cost
    assert costs > 0.1


@pytest.mark.parametrize("name", ["pig", "two_dice", "ten_rounds"])
def test_over_all_games_the_costs_are_what_a_strategy_wins_less_than_the_best_response(name):
    """How often play comes to each place, times what the choice there costs (Kakade & Langford 2002)."""
    game = small(name, target=12) if GAMES[name].defaults.get("target") else small(name, cap=12, turns=2)
    mine, opponent = pigevo.hold_at(game, 4), pigevo.hold_at(game, 7)
    judge, often = Judge(opponent), reach(mine, opponent)
    lost = {0: 0.0, 1: 0.0}
    for seat, visits in ((0, often.first), (1, often.second)):
        for cell in map(tuple, np.argwhere((visits > 0) & np.broadcast_to(game.decision_states, game.shape)).tolist()):
            choice = judge._choices.at(*numbers(game, cell))
            chosen = choice.roll if mine.roll[cell] else choice.hold
            lost[seat] += visits[cell] * (max(choice.roll, choice.hold) - chosen)
    p = pigevo.win_probability(mine, opponent)
    assert lost[0] == pytest.approx(judge.start(0) - p.first, abs=1e-9)
    assert lost[1] == pytest.approx(judge.start(1) - p.second, abs=1e-9)
    assert lost[0] > 0.01


def numbers(game, cell):
    between = len(game.between)
    return (int(np.ravel_multi_index(cell[:between], game.shape[:between])),
            int(np.ravel_multi_index(cell[between:], game.shape[between:])))  # fmt: skip


def test_a_game_that_was_left_has_no_luck():
    opponent = pigevo.hold_at(pigevo.Pig(target=30), 10)
    answers = iter([False, True])
    reviewed = review(play(opponent, lambda _: next(answers, None)), Judge(opponent))
    assert (reviewed.end, reviewed.luck) == (None, None)
    assert len(reviewed.judged) == 2


def test_against_an_opponent_that_passes_by_chance_a_pass_is_worth_what_follows_it():
    game = pigevo.Pig(target=10, allow_pass=True)
    opponent = pigevo.Strategy(game, np.full(game.shape, 0.5), "half")
    judge = Judge(opponent)
    choice = judge.choice(Position(game, 0, 1, 0, 0))
    assert choice.hold == pytest.approx(judge.start(1), abs=1e-12)
    assert choice.roll == pytest.approx(judge.start(0), abs=1e-12)


def test_a_pass_that_costs_the_game():
    """Against one who passes as well, a pass ends the game, and nobody wins."""
    game = pigevo.Pig(target=10, allow_pass=True)
    opponent = pigevo.hold_at(game, 0)
    reviewed = review(play(opponent, lambda _: False), Judge(opponent))
    assert [decision.choice.hold for decision in reviewed.judged] == [0.0]
    assert reviewed.cost == pytest.approx(1.0)  # who never passes cannot lose
    assert reviewed.start == pytest.approx(1.0)


def test_a_review_knows_the_number_of_rolls_where_it_matters():
    game = small("ten_rounds", rolls=True, turns=2, cap=20)
    mine = pigevo.Strategy.from_function(game, lambda left, second, lead, total, rolls: (rolls < 3) & (total < 12))
    judge = Judge(mine)
    played = [play(mine, lambda position: len(position.rolls) < 2, number=n) for n in range(8)]
    worth = pigevo.state_values(judge.best.strategy, mine)
    judged = [decision for game_played in played for decision in review(game_played, judge).judged]
    assert {len(decision.position.rolls) for decision in judged} == {1, 2}
    for decision in judged:
        assert max(decision.choice.roll, decision.choice.hold) == pytest.approx(
            worth[decision.position.cell], abs=CLOSE
        )
        assert decision.rolled == (len(decision.position.rolls) < 2)


@pytest.mark.parametrize(
    "game", [small("pig"), small("pig", allow_pass=True), small("skunk"), small("ten_rounds")], ids=str
)
def test_a_review_says_until_when_the_best_response_rolls(game):
    """Read off its array: from the place on while it rolls, and back to the first of the holds while it holds."""
    seen = set()
    for opponent, number in itertools.product(opponents(game), range(6)):
        judge = Judge(opponent)
        played = play(
            opponent, lambda position: position.total < 7 * (position.turn % 4), number=number, seat=number % 2
        )
        for judged in review(played, judge).judged:
            position = judged.position
            end = game.size - position.own if game.target else game.size
            rolls = judge.best.strategy.roll[(*position.cell[:-1], slice(0, end))]
            holds = np.flatnonzero(~rolls)
            if rolls[position.total]:
                expected = min(holds[holds > position.total], default=end)
            else:
                expected = 1 + max(np.flatnonzero(rolls[: position.total]), default=-1)
            assert judged.until == expected
            above = np.flatnonzero(rolls[position.total :])
            assert judged.again == (None if rolls[position.total] or not above.size else position.total + above[0])
            seen.add((bool(rolls[position.total]), judged.until == end))
    assert {(False, False), (True, False)} <= seen


def test_the_size_of_a_wrong_choice_is_said_in_a_word():
    played = play(pigevo.hold_at(small("pig"), 9), lambda position: position.total < 3)
    judged = review(played, Judge(played.opponent)).judged[0]
    worths = {
        0.0: "",
        0.0005: "inaccuracy",
        0.0019: "inaccuracy",
        0.0021: "mistake",
        0.0099: "mistake",
        0.0187: "blunder",
    }
    for cost, size in worths.items():
        choice = replace(judged.choice, roll=0.5 + cost, hold=0.5)
        assert replace(judged, rolled=False, choice=choice).size == size


def test_the_sizes_of_the_errors_of_hold_at_20_are_as_their_docstring_says():
    strategy = pigevo.hold_at(pigevo.Pig(), 20)
    costs, visits = decision_costs(strategy), reach(strategy, pigevo.optimal(strategy.game).strategy).overall
    wrong = (costs > 0) & (visits > 0)
    each = np.divide(costs, visits, out=np.zeros_like(costs), where=wrong)
    shares = [visits[wrong & (each >= least)].sum() / visits[wrong].sum() for least in SIZES.values()]
    assert shares == pytest.approx([0.25, 0.69, 1], abs=0.02)
