"""The general engine against the one for one-die races, its proof of errors, and players who pass by chance."""

import numpy as np
import pytest

import pigevo
from pigevo.exact import against
from pigevo.exact.boards import (
    best_response_on_board,
    board_turns,
    bound_on_falls,
    optimum_on_board,
    prepare_board,
    worth,
)
from pigevo.exact.solve import TIE
from pigevo.exact.turns import turns_of_tables
from pigevo.exact.visits import board_visits
from pigevo.games import GAMES
from tests.cases import duels, law
from tests.games.tiny import assert_best_as_every_state, assert_pair_as_every_state
from tests.people.games import small
from tests.reference import any_game

CLOSE = 1e-12


def on_board(a, b):
    return worth(prepare_board(a), prepare_board(b)).seats


def from_anywhere(a, b, prepared):
    return against(a.table[None], prepared(b.game, b.table), exploring_starts=1.0)[0]


@law(duels(), quick=8)
def test_both_engines_give_the_same_figures(duel):
    game, a, b = duel
    p = pigevo.win_probability(a, b)
    assert on_board(a, b) == pytest.approx((p.first, p.second), abs=CLOSE)
    every = worth(prepare_board(a), prepare_board(b)).moving.reshape(game.shape[:2])
    assert np.allclose(every, pigevo.state_values(a, b)[:, :, 0], atol=CLOSE, rtol=0)
    best, fast = best_response_on_board(prepare_board(b), TIE), pigevo.best_response(b)
    assert best.worth.seats == pytest.approx((fast.value, fast.second), abs=CLOSE)
    if not game.allow_pass:
        best, fast = optimum_on_board(game, TIE), pigevo.optimal(game)
        assert best.worth.seats == pytest.approx((fast.value, fast.second), abs=CLOSE)
        if game.bust < 1:
            assert np.allclose(board_visits(a, b, True), pigevo.reach(a, b).first, atol=1e-9, rtol=1e-9)


@law(duels(), quick=8)
def test_both_engines_begin_games_anywhere_alike(duel):
    game, a, b = duel
    seats = from_anywhere(a, b, board_turns)
    assert seats == pytest.approx(from_anywhere(a, b, turns_of_tables), abs=CLOSE)
    assert seats[0] == pytest.approx(pigevo.state_values(a, b)[:, :, 0].mean(), abs=CLOSE) or game.allow_pass
    half = against(a.table[None], turns_of_tables(game, b.table), exploring_starts=0.5)[0]
    assert half == pytest.approx((seats + on_board(a, b)) / 2, abs=CLOSE)


@pytest.mark.parametrize("game", [small(name) for name in GAMES], ids=str)
def test_nobody_beats_the_optimum_in_games_that_begin_anywhere(game):
    best, other = pigevo.optimal(game).strategy, pigevo.random_strategy(game, seed=1)
    won, lost = (from_anywhere(*pair, turns_of_tables).mean() for pair in ((best, other), (other, best)))
    assert won + lost == pytest.approx(1, abs=1e-9) or not game.constant_sum
    assert won >= lost


@pytest.mark.parametrize("game", [pigevo.Pig(), pigevo.Pig(target=60, sides=4, allow_pass=True)], ids=str)
def test_both_engines_agree_on_large_games(game):
    players = [pigevo.hold_at(game, 20), pigevo.score(game, 20), pigevo.random_strategy(game, seed=3)]
    for a in players:
        for b in players:
            p = pigevo.win_probability(a, b)
            assert on_board(a, b) == pytest.approx((p.first, p.second), abs=CLOSE)
    best = optimum_on_board(game, TIE)
    fast = pigevo.optimal(game)
    assert np.allclose(best.worth.moving, fast.values.ravel(), atol=CLOSE, rtol=0)


def test_a_player_who_hardly_banks_is_solved_by_the_matrix():
    """Plain passes take too long where play falls back nearly for ever; the bound still is a proof."""
    game = GAMES["two_dice"].bind({"target": 20, "sides": 2})
    a, b = pigevo.hold_at(game, 4), pigevo.hold_at(game, 3)
    p = pigevo.win_probability(a, b)
    assert 0 < p.error < 1e-9
    assert p.overall + pigevo.win_probability(b, a).overall == pytest.approx(1, abs=1e-10)


def test_the_bound_holds_for_a_worth_that_is_off():
    """Put a wrong number in, and the change of one pass times the loops covers how far it is from the truth."""
    matrix, constant = np.array([[0.5, 0.4], [0.3, 0.6]]), np.array([0.05, 0.02])
    truth = np.linalg.solve(np.eye(2) - matrix, constant)
    most = bound_on_falls(lambda low: low @ matrix.T, (2,))
    for wrong in (truth + np.array([1e-3, 0]), truth - 0.1, truth + np.array([0.2, -0.1])):
        missed = np.abs(matrix @ wrong + constant - wrong).max()
        assert np.abs(wrong - truth).max() <= missed * most * (1 + 1e-12)
    assert bound_on_falls(lambda low: low, (2,)) == float("inf")


def test_mixed_strategies_are_refused_where_they_cannot_be():
    game = pigevo.Pig(target=10, allow_pass=True)
    halves = pigevo.Strategy(game, np.full(game.shape, 0.5))
    with pytest.raises(pigevo.InputError, match="a gene says roll or hold"):
        pigevo.CubeGrid(game, 2).from_strategies([halves])


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
