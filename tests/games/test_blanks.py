"""Throws of 0 points after which the turn goes on, compared with a solution that takes each as a state of its own."""

from dataclasses import dataclass

import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.games.game import Game, Throw
from pigevo.strategies import hold_at, random_strategy
from tests.games.every_state import assert_best_as_every_state, assert_pair_as_every_state

DIE = (Throw(0, 0.3), Throw(0, 0.2, "turn"), Throw(1, 0.25), Throw(3, 0.25))


@dataclass(frozen=True)
class Blank(Game):
    target: int = 8
    allow_pass: bool = False
    throws = DIE


@dataclass(frozen=True)
class BlankFirst(Game):
    target: int = 8
    allow_pass: bool = False
    throws = (*DIE[:3], Throw(3, 0.15), Throw(0, 0.1, "score"))
    first_throws = (Throw(0, 0.6), Throw(2, 0.4))


@dataclass(frozen=True)
class BlankTurns(Game):
    turns: int = 2
    cap: int = 6
    throws = DIE


@pytest.mark.parametrize("game", [Blank(), Blank(allow_pass=True), BlankFirst(), BlankTurns()], ids=repr)
def test_it_is_solved_as_every_state_says(game):
    for a, b in ((hold_at(game, 3), random_strategy(game, seed=1)), (random_strategy(game, seed=2), hold_at(game, 2))):
        assert_pair_as_every_state(a, b)
    assert_best_as_every_state(game)


@pytest.mark.parametrize("game", [Blank(), BlankFirst()], ids=repr)
def test_it_is_played_as_it_is_solved(game):
    a, b = hold_at(game, 3), hold_at(game, 5)
    match = pigevo.play_match(a, b, games=40_000, seed=3)
    low, high = match.interval(0.9999)
    assert low < pigevo.win_probability(a, b).overall < high


def test_a_race_takes_it_out():
    race = pigevo.Race(30, {0: 0.25, 2: 0.25, 3: 0.25}, bust=0.25)
    assert dict(race.gains) == pytest.approx({2: 1 / 3, 3: 1 / 3})
    assert race.bust == pytest.approx(1 / 3)
    plain = pigevo.Race(8, {1: 0.25 / 0.7, 3: 0.25 / 0.7}, bust=0.2 / 0.7)
    assert pigevo.optimal(Blank()).value == pytest.approx(pigevo.optimal(plain).value, abs=1e-12)


def test_where_it_would_be_a_state_of_its_own_it_is_refused():
    @dataclass(frozen=True)
    class Counts(Blank):
        remembers = ("rolls",)

    with pytest.raises(InputError, match="cannot be played where decisions depend on the rolls of the turn"):
        Counts()
    with pytest.raises(InputError, match="where a player may hold after it and the first throw of a turn is another"):
        BlankFirst(allow_pass=True)
