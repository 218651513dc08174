"""Fractions beside floats: of a plain reference for Piglet, and of the package itself."""

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


def assert_equal(game, exact, a, b, tolerance):
    p, fractions = pigevo.win_probability(a, b), fractions_.win(exact, a.roll, b.roll)
    figures = p.first, p.second, p.stalemate_first, p.stalemate_second
    assert all(abs(Fraction(x) - fraction) < tolerance for x, fraction in zip(figures, fractions, strict=True))


@pytest.mark.parametrize("allow_pass", [False, True])
@pytest.mark.parametrize("heads", COINS)
@pytest.mark.parametrize("target", [1, 2, 4])
def test_piglet_is_the_fraction_from_every_state(target, heads, allow_pass):
    game = pigevo.Piglet(target, float(heads), allow_pass=allow_pass)
    exact = fractions_.piglet(target, heads, allow_pass)
    for seed in range(3):
        a, b = two_strategies(game, seed)
        assert_equal(game, exact, a, b, tolerance=2e-14)
        assert pigevo.rational_win_probability(a, b) == fractions_.win(exact, a.roll, b.roll)[:2]
        values, solved = pigevo.state_values(a, b), fractions_.solve(exact, a.roll, b.roll)
        for i, j, k in np.ndindex(game.shape):
            if i + k < target and (k > 0 or i + j + k == 0):
                assert abs(Fraction(values[i, j, k]) - solved[State(0, i, j, k, False)][0]) < 2e-14


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


GAMES = [
    pigevo.Piglet(10),
    pigevo.Piglet(6, 1 / 3),
    pigevo.Pig(8),
    pigevo.Pig(7, 4, allow_pass=True),
    pigevo.Race(9, {1: 0.25, 4: 0.25}, bust=0.5),
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_floats_are_the_fractions_to_rounding(game):
    a, b = two_strategies(game, 2)
    first, second = pigevo.rational_win_probability(a, b)
    p = pigevo.win_probability(a, b)
    assert p.first == pytest.approx(float(first), abs=1e-14)
    assert p.second == pytest.approx(float(second), abs=1e-14)
    assert game.allow_pass or first + pigevo.rational_win_probability(b, a)[1] == 1
