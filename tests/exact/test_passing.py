"""Players who pass by chance play on; a stalemate is a state that neither player's strategy can leave."""

import numpy as np
import pytest

import pigevo
from tests.games.every_state import assert_best_as_every_state, assert_pair_as_every_state
from tests.reference import any_game

GAME = pigevo.Pig(target=8, sides=4, allow_pass=True)


def by_chance(seed, game=GAME):
    """Rolls, passes and holds surely in some states, and by chance in the others."""
    rng = np.random.default_rng(seed)
    return pigevo.Strategy(game, rng.choice([0.0, 1.0, 0.001, *rng.random(3)], game.shape), f"by_chance:{seed}")


def nine_of_ten(game):
    return pigevo.Strategy(game, np.full(game.shape, 0.9), "return 0.9")


@pytest.mark.parametrize("seed", range(8))
def test_every_state_is_that_of_one_system_and_no_pass_by_chance_ends_a_game(seed):
    a, b = by_chance(seed), by_chance(seed + 100)
    assert_pair_as_every_state(a, b)
    assert_best_as_every_state(GAME, a)
    expected = any_game.values(GAME, a, b)
    reached = ~np.isnan(expected)
    assert pigevo.state_values(a, b)[reached] == pytest.approx(expected[reached], abs=1e-12)


def test_nine_of_ten_against_itself_is_decided_and_beginning_helps():
    """Figures by a backward solve of the scores, independent of pigevo."""
    both = nine_of_ten(pigevo.Pig(allow_pass=True))
    p = pigevo.win_probability(both, both)
    assert (p.first, p.second) == pytest.approx((0.516780379126808, 0.483219620873192), abs=1e-12)
    assert (p.stalemate_first, p.stalemate_second) == (0, 0)  # no word of stalemates in `duel`
    played = pigevo.play_match(both, both, games=2000, seed=2)
    assert (played.stalemates, played.unfinished) == (0, 0)


def test_one_who_always_passes_waits_for_one_who_passes_by_chance():
    waits = pigevo.Strategy(GAME, np.zeros(GAME.shape, bool), "waits")
    p = pigevo.win_probability(nine_of_ten(GAME), waits)
    assert (p.first, p.second) == pytest.approx((1, 1), abs=1e-12)
    assert pigevo.play_match(nine_of_ten(GAME), waits, games=500, seed=1).wins == 500
    itself = pigevo.play_match(waits, waits, games=20, seed=1)
    assert (itself.stalemates, pigevo.win_probability(waits, waits).stalemate_first) == (20, 1.0)


def test_one_who_hardly_ever_rolls_still_wins_half_of_the_games():
    hardly = pigevo.Strategy(GAME, np.where(np.arange(8) == 0, 1e-12, 1.0) * np.ones(GAME.shape), "hardly")
    p = pigevo.win_probability(hardly, hardly)
    assert p.first + p.second == pytest.approx(1, abs=1e-12)
    assert p.first == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_simulated_games_agree_with_the_exact_figures(seed):
    a, b = by_chance(seed), by_chance(seed + 100)
    p, played = pigevo.win_probability(a, b), pigevo.play_match(a, b, games=20_000, seed=seed)
    low, high = played.interval(0.9999)
    assert low <= p.overall <= high or played.unfinished
    left = (p.stalemate_first + p.stalemate_second) / 2
    assert played.stalemates / 20_000 == pytest.approx(left, abs=0.015)
