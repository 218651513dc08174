"""Piglet by exhaustion, against the solver, brute force and what the paper says of its figures."""

import importlib

import numpy as np
import pytest

from pigevo import three_player as tp
from pigevo.studies.find import load_study
from tests.reference import three

exhaust = importlib.import_module(f"{load_study('bonnet2018').__name__}.piglet_worlds").exhaust


@pytest.mark.parametrize("heads", [0.3, 0.5, 1.0])
def test_exhaustion_and_the_solver_agree(heads):
    game = tp.Piglet(9, heads)
    found, solution = exhaust(game), tp.solve(game)
    assert found.complete
    gaps = np.abs(found.worlds - solution.values)[:, 1:, 1:, 1:].max(axis=(1, 2, 3, 4))
    assert gaps.min() < 1e-12


def test_where_equilibria_differ_in_payoff_all_are_told():
    """A fair-looking coin at which the orbit (4, 7, 7) has three equilibria, two of them pure."""
    game = tp.Piglet(10, 0.56)
    found = exhaust(game)
    assert found.branches == {(4, 7, 7): 3}
    assert len(found.values_at(10)) == 3
    assert len(found.values_at(9)) == 1
    solution = tp.solve(game)
    (orbit,) = solution.several
    assert orbit.needs == (4, 7, 7)
    for number in range(3):
        value = tp.solve(game, choose={(4, 7, 7): number}).value
        assert np.abs(found.values_at(10) - value).max(axis=1).min() < 1e-12
    pure = three.pure_equilibria(
        (4, 7, 7), game.die, game.bust, lambda m, a, b, c: np.roll(solution.values[a, b, c], m)
    )
    kept = {tuple(np.round(v.ravel(), 9)) for v in pure}
    assert len(kept) == 2


def test_what_the_paper_says_of_its_figures():
    fair, biased = exhaust(tp.Piglet(10)), exhaust(tp.Piglet(10, 0.45))
    gains = np.array([fair.gains_at(goal)[0] for goal in range(1, 11)])
    assert (gains[:, 0] > gains[:, 1]).all()
    assert (gains[:, 1] > gains[:, 2]).all()
    assert gains[3, 1] < gains[2, 1]  # the second player's gain falls from goal 3 to goal 4
    assert gains.sum(axis=1) == pytest.approx(0, abs=1e-12)
    assert biased.gains_at(10)[0, 0] > gains[9, 0]  # goal 10: 0.45 is better for the first player than 0.5
    assert gains[0] == pytest.approx([5 / 7, -1 / 7, -4 / 7])


def test_worlds_beyond_the_limit_are_owned_up_to():
    found = exhaust(tp.Piglet(7, 0.56), most=2)
    assert not found.complete
    assert len(found.worlds) == 2
