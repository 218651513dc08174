"""What pigevo computes in a game of any rules, beside one system of equations over every state."""

import pytest

import pigevo
from tests.reference import any_game


def assert_pair_as_every_state(a, b):
    """Wins, draws and stalemates of both seats."""
    p, ends = pigevo.win_probability(a, b), any_game.solve(a.game, a, b)
    assert (p.first, p.second) == pytest.approx(ends[:, 0] + a.game.draw * ends[:, 2], abs=1e-12)
    assert (p.draw_first, p.draw_second) == pytest.approx(ends[:, 2], abs=1e-12)
    assert (p.stalemate_first, p.stalemate_second) == pytest.approx(ends[:, 3], abs=1e-12)


def assert_best_as_every_state(game, *opponents):
    """The values of the optimum and of best responses."""
    best = pigevo.optimal(game)
    assert (best.value, best.second) == pytest.approx(any_game.optimum(game), abs=1e-11)
    for opponent in opponents:
        answer = pigevo.best_response(opponent)
        assert (answer.value, answer.second) == pytest.approx(any_game.optimum(game, opponent), abs=1e-11)
