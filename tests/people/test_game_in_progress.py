"""A game of a person is a game of the match, if the person plays as the strategy does."""

import itertools

import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.games.game import GAMES
from pigevo.people import MOST_TURNS, Decided, events
from pigevo.simulation.stepwise import outcome, play_turns
from tests.people.games import follow, opponents, play, small


@pytest.mark.parametrize("name", list(GAMES))
def test_whoever_plays_as_a_strategy_plays_its_games(name):
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


def test_all_results_come_up():
    game = small("ten_rounds", turns=1)
    results = {play(pigevo.hold_at(game, 3), lambda _: False, number=n).result for n in range(40)}
    assert results == {"won", "lost", "draw"}
    passing = small("pig", allow_pass=True)
    assert play(pigevo.hold_at(passing, 0), lambda _: False).result == "stalemate"
    assert play(pigevo.hold_at(passing, 5), lambda _: False).result == "lost"


@pytest.mark.parametrize("name", ["pig", "skunk", "ten_rounds"])
def test_who_is_asked_has_a_choice(name):
    game = small(name)
    played = [play(pigevo.hold_at(game, 9), follow(pigevo.hold_at(game, 14)), number=n) for n in range(10)]
    places = [one.place for game_played in played for one in game_played.choices]
    assert places
    for place in places:
        assert place.total > 0
        assert place.own + place.total < (game.size if game.target else 10**6)
        assert place.total < game.size


def test_who_may_pass_is_asked_before_the_first_roll():
    asked = play(pigevo.hold_at(small("pig", allow_pass=True), 5), lambda place: place.total < 8).choices
    assert any(one.place.total == 0 for one in asked)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_leaves_has_played_the_turns_that_were_ended(seat):
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


def test_a_game_that_would_never_end_does():
    game = pigevo.Pig(target=60, sides=2)
    played = play(pigevo.hold_at(game, 60), lambda _: True)
    assert (played.result, len(played.turns)) == ("unfinished", MOST_TURNS)


def test_every_choice_is_told_after_its_question():
    opponent = pigevo.hold_at(pigevo.Pig(target=30), 10)
    happened = list(events(opponent, 0, Draw(1, "dice"), lambda place: place.total < 9))
    for place, event in enumerate(happened):
        if isinstance(event, Decided):
            assert happened[place - 1] == event.place
            assert event.rolled == (event.place.total < 9)
