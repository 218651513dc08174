"""Piglet in exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

import pigevo
from tests.reference import fractions_
from tests.reference.rules import State

COINS = [Fraction(1, 2), Fraction(1, 3)]


def two_strategies(game, seed, p=0.6):
    coins = np.random.default_rng(seed).random((2, *game.shape)) < p
    if not game.allow_pass:
        coins[:, :, :, 0] = True
    return [pigevo.Strategy(game, roll) for roll in coins]


def assert_equal(game, exact, a, b, tolerance=1e-14):
    p = pigevo.win_probability(a, b)
    ours = (p.first, p.second, p.stalemate_first, p.stalemate_second)
    theirs = fractions_.win(exact, a.roll, b.roll)
    for mine, fraction in zip(ours, theirs, strict=True):
        assert abs(Fraction(mine) - fraction) < tolerance


@pytest.mark.parametrize("allow_pass", [False, True])
@pytest.mark.parametrize("heads", COINS)
@pytest.mark.parametrize("target", [1, 2, 3, 4, 5, 10])
def test_piglet_between_arbitrary_strategies_is_the_fraction(target, heads, allow_pass):
    game = pigevo.Piglet(target, float(heads), allow_pass=allow_pass)
    exact = fractions_.piglet(target, heads, allow_pass)
    for seed in range(1 if target == 10 else 6):
        assert_equal(game, exact, *two_strategies(game, seed), tolerance=2e-14)


@pytest.mark.parametrize("heads", COINS)
@pytest.mark.parametrize("target", [2, 3, 4, 5])
def test_every_state_of_piglet_has_the_value_of_the_fraction(target, heads):
    game = pigevo.Piglet(target, float(heads), allow_pass=True)
    a, b = two_strategies(game, 100 + target)
    values = pigevo.state_values(a, b)
    solved = fractions_.solve(fractions_.piglet(target, heads, True), a.roll, b.roll)
    for i, j, k in np.ndindex(game.shape):
        if i + k < target:
            assert abs(Fraction(values[i, j, k]) - solved[State(0, i, j, k, False)][0]) < 1e-14


SLOW_GAMES = [(Fraction(1, 50), 4), (Fraction(1, 1000), 3), (Fraction(1, 8), 7)]


@pytest.mark.parametrize(("heads", "target"), SLOW_GAMES)
def test_a_game_that_hardly_ends_still_has_its_fraction(heads, target):
    """Here a turn of `roll_to_win` wins once in millions of times, or less often."""
    game = pigevo.Piglet(target, float(heads))
    roll_to_win = pigevo.roll_to_win(game)
    other = two_strategies(game, 3, p=0.9)[1]
    exact = fractions_.piglet(target, Fraction(float(heads)))
    for a, b in [(roll_to_win, roll_to_win), (roll_to_win, other), (other, other)]:
        assert_equal(game, exact, a, b, tolerance=1e-9)


def test_the_optimum_at_target_2_is_the_published_fractions():
    """The example of Neller & Presser 2004."""
    solution = pigevo.optimal(pigevo.Piglet(2))
    values = pigevo.state_values(solution.strategy, solution.strategy)
    published = {
        (0, 0, 0): Fraction(4, 7), (0, 0, 1): Fraction(5, 7), (0, 1, 0): Fraction(2, 5),
        (0, 1, 1): Fraction(3, 5), (1, 0, 0): Fraction(4, 5), (1, 1, 0): Fraction(2, 3),
    }  # fmt: skip
    for state, fraction in published.items():
        assert abs(Fraction(values[state]) - fraction) < 1e-15
