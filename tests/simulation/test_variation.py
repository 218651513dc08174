"""The luck in a match, again and again."""

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.simulation import match_variation

GAME = pigevo.Pig(target=30)
HOLD = pigevo.hold_at(GAME, 10)


def test_win_rates_spread_as_the_binomial_law_has_it():
    rates = match_variation(HOLD, HOLD, [10, 100], repeats=4000, seed=3)
    assert rates.shape == (2, 4000)
    # Seats alternate, so a rate has the mean variance of both seats: a little less than that of a fair coin.
    first = pigevo.win_probability(HOLD, HOLD).first
    for games, row in zip((10, 100), rates, strict=True):
        assert row.mean() == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(4000 * games))
        assert row.std() == pytest.approx(np.sqrt(first * (1 - first) / games), rel=0.05)


def test_it_depends_on_the_seed_and_on_nothing_else():
    one, two = (match_variation(HOLD, HOLD, [7], 50, seed=1, workers=w) for w in (1, 2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, match_variation(HOLD, HOLD, [7], 50, seed=2))


def test_strategies_of_different_games_do_not_meet():
    with pytest.raises(InputError):
        match_variation(HOLD, pigevo.hold_at(pigevo.Pig(), 20), [1])
