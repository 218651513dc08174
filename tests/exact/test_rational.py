"""Fractions beside floats."""

from fractions import Fraction

import numpy as np
import pytest

import pigevo

GAMES = [
    pigevo.Piglet(10),
    pigevo.Piglet(6, 1 / 3),
    pigevo.Pig(8),
    pigevo.Pig(7, 4, allow_pass=True),
    pigevo.Race(9, {1: 0.25, 4: 0.25}, bust=0.5),
]


def random_pair(game, seed):
    rolls = np.random.default_rng(seed).random((2, *game.shape)) < 0.6
    if not game.allow_pass:
        rolls[:, :, :, 0] = True
    return [pigevo.Strategy(game, roll) for roll in rolls]


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_floats_are_the_fractions_to_rounding(game, seed):
    a, b = random_pair(game, seed)
    first, second = pigevo.rational_win_probability(a, b)
    p = pigevo.win_probability(a, b)
    assert p.first == pytest.approx(float(first), abs=1e-14)
    assert p.second == pytest.approx(float(second), abs=1e-14)


def test_known_fractions():
    game = pigevo.Piglet(2)
    best = pigevo.optimal(game).strategy
    assert pigevo.rational_win_probability(best, best) == (Fraction(4, 7), Fraction(3, 7))
    two = pigevo.optimal(pigevo.Pig(2)).strategy
    assert pigevo.rational_win_probability(two, two) == (Fraction(6, 7), Fraction(1, 7))


def test_without_passing_the_seats_of_two_players_add_up_to_one():
    a, b = random_pair(pigevo.Pig(6), 9)
    assert pigevo.rational_win_probability(a, b)[0] + pigevo.rational_win_probability(b, a)[1] == 1
