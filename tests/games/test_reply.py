"""Races in which the other player has a last turn: equal turns, Skunk, and what their caps lose."""

import itertools
from dataclasses import dataclass

import numpy as np
import pytest

import pigevo
from pigevo.games import GAMES
from pigevo.games.game import Game, Throw
from tests.games.every_state import assert_best_as_every_state, assert_pair_as_every_state
from tests.reference import any_game


@dataclass(frozen=True)
class Race(Game):
    """A die of three: 1 loses the turn total."""

    target: int = 5
    reply: str = "second"
    level: str = "draw"
    draw: float = 0.5
    cap: int = 9
    allow_pass: bool = False
    throws = (Throw(0, 0.3, "turn"), Throw(1, 0.1, "score"), Throw(2, 0.4), Throw(3, 0.2))


EVERY = itertools.product(("second", "other"), ("draw", "kept"), (False, True))


@pytest.mark.parametrize("game", [Race(reply=r, level=n, allow_pass=p) for r, n, p in EVERY], ids=str)
def test_every_reply_is_played_as_every_state_says(game):
    a, b = pigevo.random_strategy(game, seed=1), pigevo.hold_at(game, 3)
    for pair in ((a, b), (b, a), (a, a)):
        assert_pair_as_every_state(*pair)
    assert_best_as_every_state(game, a)


def test_what_a_draw_is_worth_counts_and_stalemates_are_no_draws():
    game = Race(draw=0.2, allow_pass=True)
    a = pigevo.Strategy.from_function(game, lambda i, j, k: (k < 2) & ((k > 0) | (i + j != 4)))
    b = pigevo.Strategy.from_function(game, lambda i, j, k: (k < 3) & ((k > 0) | (i + j != 4)))
    assert_pair_as_every_state(a, b)
    p = pigevo.win_probability(a, b)
    assert min(p.draw_first, p.stalemate_first) > 0.001


def test_with_equal_turns_who_looks_at_nothing_but_the_own_turn_wins_as_often_in_either_seat():
    game = GAMES["equal_turns"].bind({"target": 30, "cap": 60})
    a, b = (pigevo.Strategy.from_function(game, lambda i, j, k, n=n: k < n) for n in (7, 11))
    p = pigevo.win_probability(a, b)
    assert p.first == pytest.approx(p.second, abs=1e-12)
    plain = pigevo.win_probability(pigevo.hold_at(pigevo.Pig(30), 7), pigevo.hold_at(pigevo.Pig(30), 11))
    assert plain.first > plain.second + 0.05


def test_to_one_point_equal_turns_are_counted_by_hand():
    """Who moves first banks a roll of 2 to 6, or busts; the other needs more, or goes on from 0 to 0."""
    game = GAMES["equal_turns"].bind({"target": 1, "cap": 7})
    once = pigevo.Strategy.from_function(game, lambda i, j, k: False)
    p = pigevo.win_probability(once, once)
    # Both busts aside, 35 pairs of rolls are alike, of which 5 are level; who is higher moves first as often as second.
    assert p.draw_first == pytest.approx(5 / 35)
    assert p.first == pytest.approx(0.5)


def test_the_other_players_last_turn_is_worth_more_than_the_round():
    """In Skunk who moves second may come to the target first too, and then the first one has a last turn."""
    game = Race(reply="other", level="kept")
    a = pigevo.random_strategy(game, seed=1)
    other = any_game.solve(game, a, a)[0, 0]
    equal = pigevo.Strategy(Race(level="kept"), np.stack([a.roll, a.roll]))
    assert other > any_game.solve(equal.game, equal, equal)[0, 0] + 0.005


def test_named_strategies_bank_at_the_target_and_roll_until_ahead_in_a_last_turn():
    game = GAMES["skunk"].bind({"target": 20, "cap": 40})
    for player in (pigevo.hold_at(game, 25), pigevo.score(game, 3), pigevo.roll_to_win(game)):
        assert not player.roll[10, 5, 10]
        assert player.roll[10, 24, 14]
        assert not player.roll[10, 24, 15]
    assert pigevo.roll_to_win(game).roll[10, 5, 9]
    assert not pigevo.hold_at(game, 3).roll[10, 5, 3]


def widened(best, wide):
    """The same strategy where scores may go farther: it holds at the cap, and rolls until ahead of who did not."""
    roll = np.zeros(wide.shape, np.bool_)
    roll[tuple(slice(n) for n in best.game.shape)] = best.roll
    i, j, k = wide.scores
    beyond = np.broadcast_to(j >= best.game.cap, wide.shape)
    return pigevo.Strategy(wide, np.where(beyond, i + k <= j, roll) | wide.starts)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("equal_turns", {"target": 20, "cap": 70}),
        ("skunk", {"target": 20, "cap": 90}),
        pytest.param("equal_turns", {}, marks=pytest.mark.slow),
        pytest.param("skunk", {}, marks=pytest.mark.slow),
    ],
)
def test_the_caps_lose_less_than_a_thousand_millionth(name, options):
    """The optimum, played where 100 more points win at once, is answered by nobody with more than its value.

    Such an answer is worth no less than one without any cap, since it wins at once where it would only lead by far; the
    optimum itself never comes so far, as it holds at the cap.  So no play without caps gains more than this on it, and
    the value without caps lies between these two.
    """
    game = GAMES[name].bind(options)
    best = pigevo.optimal(game)
    wide = GAMES[name].bind(options | {"cap": game.cap + 100})
    answer = pigevo.best_response(widened(best.strategy, wide))
    assert abs(answer.value - best.value) + answer.error + best.error < 1e-9
    assert abs(answer.second - best.second) + answer.error + best.error < 1e-9


def test_a_cap_that_is_too_low_loses_more():
    low, wide = (GAMES["equal_turns"].bind({"target": 20, "cap": cap}) for cap in (22, 80))
    best = pigevo.optimal(low)
    assert pigevo.best_response(widened(best.strategy, wide)).overall > best.overall + 1e-3
