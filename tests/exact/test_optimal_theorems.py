"""What the optimum and a best response promise, against any strategies, and where no flip of a decision gains.

Against a fixed opponent no local maximum is not global (Exeter 2017, section 2.3.5); from the opening alone there are
plateaus. `docs/explanation/equations.md` has the proofs.
"""

import functools

import numpy as np
import pytest

import pigevo
from tests.cases import duels, games, law
from tests.reference import two

CLOSE = 1e-12


@law(games())
def test_the_optimum_is_the_best_response_to_itself_and_reaches_the_values_it_states(game):
    s = pigevo.optimal(game)
    response = pigevo.best_response(s.strategy)
    assert response.value == pytest.approx(s.value, abs=CLOSE)
    np.testing.assert_allclose(response.values, s.values, rtol=0, atol=CLOSE)
    d = two.solve(game, s.strategy.roll, s.strategy.roll)
    assert s.value == pytest.approx(d.first, abs=CLOSE)
    np.testing.assert_allclose(s.values, d.values[:, :, 0], rtol=0, atol=CLOSE)


@law(duels())
def test_no_strategy_does_better_than_the_best_response_from_any_scores_or_beats_the_optimum(duel):
    game, challenger, b = duel
    assert pigevo.win_probability(challenger, pigevo.optimal(game).strategy).overall <= 0.5 + CLOSE
    response = pigevo.best_response(b)
    p = pigevo.win_probability(challenger, b)
    best = pigevo.win_probability(response.strategy, b)
    assert p.first <= response.value + CLOSE
    assert p.first <= best.first + CLOSE
    assert p.second <= best.second + CLOSE
    assert (pigevo.state_values(challenger, b)[:, :, 0] <= response.values + CLOSE).all()
    d = two.solve(game, response.strategy.roll, b.roll)
    assert response.value == pytest.approx(d.first, abs=CLOSE)
    np.testing.assert_allclose(response.values, d.values[:, :, 0], rtol=0, atol=CLOSE)


ENUMERABLE = [pigevo.Piglet(2), pigevo.Piglet(2, 0.25, allow_pass=True), pigevo.Pig(2, 3, allow_pass=True)]


@pytest.mark.parametrize("game", ENUMERABLE, ids=str)
def test_the_best_response_is_the_best_of_all_strategies(game):
    for roll in list(two.all_strategies(game))[::11]:
        first, second, values = two.best_response_by_enumeration(game, roll)
        opponent = pigevo.Strategy(game, roll)
        response = pigevo.best_response(opponent)
        p = pigevo.win_probability(response.strategy, opponent)
        assert (response.value, p.first, p.second) == pytest.approx((first, first, second), abs=CLOSE)
        np.testing.assert_allclose(response.values, values, rtol=0, atol=CLOSE)


@pytest.mark.parametrize("game", ENUMERABLE, ids=str)
def test_no_strategy_is_surer_of_its_share_than_the_optimum(game):
    sure, _ = two.optimum_by_enumeration(game)
    optimum = pigevo.optimal(game).strategy
    worst = min(
        pigevo.win_probability(optimum, pigevo.Strategy(game, other)).overall for other in two.all_strategies(game)
    )
    assert sure == pytest.approx(0.5, abs=CLOSE)
    assert worst == pytest.approx(sure, abs=CLOSE)


@pytest.mark.parametrize(
    "game",
    [pigevo.Piglet(2), pigevo.Piglet(5, 0.7), pigevo.Pig(5, 3), pigevo.Race(6, {2: 0.5, 3: 0.5}, 0.0)],
    ids=str,
)
def test_the_optimum_is_what_equation_2_31_iterates_to(game):
    expected = two.optimum_by_value_iteration(game)
    s = pigevo.optimal(game)
    np.testing.assert_allclose(s.values, expected[:, :, 0], rtol=0, atol=CLOSE)
    values, decided = pigevo.state_values(s.strategy, s.strategy), ~np.isnan(expected)
    np.testing.assert_allclose(values[decided], expected[decided], rtol=0, atol=CLOSE)


@law(games(allow_pass=True))
def test_leave_to_pass_changes_nothing_for_the_optimum(game):
    strict = pigevo.Race(game.target, game.gains, game.bust)
    s = pigevo.optimal(game)
    np.testing.assert_allclose(s.values, pigevo.optimal(strict).values, rtol=0, atol=CLOSE)
    p = pigevo.win_probability(s.strategy, s.strategy)
    assert p.overall == pytest.approx(0.5, abs=CLOSE)
    assert max(p.stalemate_first, p.stalemate_second) <= CLOSE


@law(duels(players=1, allow_pass=True, largest=5), full=20)
def test_no_opponent_can_stalemate_its_best_response(duel):
    _, b = duel
    p = pigevo.win_probability(pigevo.best_response(b).strategy, b)
    assert max(p.stalemate_first, p.stalemate_second) <= CLOSE


def test_iterated_best_response_from_hold_at_20_arrives_at_the_optimum():
    game = pigevo.Pig()
    optimum = pigevo.optimal(game)
    rounds = [pigevo.best_response(pigevo.hold_at(game, 20))]
    while len(rounds) < 9:
        rounds.append(pigevo.best_response(rounds[-1].strategy))
    assert [s.value for s in rounds[:3]] == pytest.approx([0.587368, 0.578090, 0.539263], abs=5e-7)
    overall = [pigevo.win_probability(s.strategy, optimum.strategy).overall for s in rounds]
    own = [pigevo.win_probability(s.strategy, s.strategy).first for s in rounds]
    assert overall[5] < 0.5 - 1e-8
    assert overall[6] == pytest.approx(0.5, abs=CLOSE)
    assert own[6] == pytest.approx(0.530592725274, abs=1e-12)
    assert rounds[7].strategy != rounds[6].strategy
    assert rounds[8].strategy == rounds[7].strategy
    assert rounds[7].value == pytest.approx(optimum.value, abs=CLOSE)


LEAST = 1e-10
"""Gains below it are rounding."""


def gains_of_flips(a, b):
    """What each decision of a that is changed alone gains at once, a going on as before: shape (T, T, T); nan elsewhere."""
    game, t = a.game, a.game.target
    own, other = pigevo.state_values(a, b), pigevo.state_values(b, a)
    gains = np.full((t, t, t), np.nan)
    for i, j, k in np.ndindex(t, t, t):
        if 0 < k < t - i:
            rolled = game.bust * (1 - other[j, i, 0])
            rolled += sum(p * (own[i, j, k + g] if i + k + g < t else 1) for g, p in game.die)
            held = 1 - other[j, i + k, 0]
            gains[i, j, k] = held - rolled if a.roll[i, j, k] else rolled - held
    return gains


def flipped(a, cells):
    roll = a.roll.copy()
    roll[cells] ^= True
    return pigevo.Strategy(a.game, roll)


def by_steepest_flips(a, b):
    """Change the one decision that gains most at once until none gains; the win probability never falls on the way."""
    value = pigevo.win_probability(a, b)
    for _ in range(10 * a.roll.size):
        gains = np.nan_to_num(gains_of_flips(a, b), nan=-1.0)
        if gains.max() <= LEAST:
            return a
        a = flipped(a, np.unravel_index(gains.argmax(), gains.shape))
        before, value = value, pigevo.win_probability(a, b)
        assert min(value.first - before.first, value.second - before.second) >= -CLOSE
    raise AssertionError("no end")


def by_policy_iteration(a, b):
    """Change all decisions that gain at once, until none does."""
    for _ in range(a.roll.size):
        better = np.nan_to_num(gains_of_flips(a, b), nan=-1.0) > LEAST
        if not better.any():
            return a
        a = flipped(a, better)
    raise AssertionError("no end")


def assert_best(a, b):
    best = pigevo.best_response(b)
    np.testing.assert_allclose(pigevo.state_values(a, b)[:, :, 0], best.values, rtol=0, atol=1e-9)
    won = pigevo.win_probability(a, b)
    assert (won.first, won.second) == pytest.approx((best.value, best.second), abs=1e-9)


@law(duels(allow_pass=False, largest=5), quick=8, full=40)
def test_single_flips_and_policy_iteration_end_at_the_best_response_from_anywhere_against_anybody(duel):
    _, a, b = duel
    assert_best(by_steepest_flips(a, b), b)
    assert_best(by_policy_iteration(a, b), b)


GAME = pigevo.Piglet(3)


@functools.cache
def neighbours():
    """All strategies of Piglet to 3 by their decisions, and for each those that differ in one decision."""
    cells = two.decision_cells(GAME)
    strategies = {tuple(roll[cell] for cell in cells): pigevo.Strategy(GAME, roll) for roll in two.all_strategies(GAME)}
    return strategies, {key: [(*key[:n], not key[n], *key[n + 1 :]) for n in range(len(cells))] for key in strategies}


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 8))])
def test_of_all_strategies_of_a_tiny_game_only_the_best_have_no_flip_that_gains_somewhere(seed):
    b = pigevo.random_strategy(GAME, seed=seed)
    strategies, near = neighbours()
    values = {key: pigevo.state_values(a, b) for key, a in strategies.items()}
    best = pigevo.best_response(b).values
    cells = two.decision_cells(GAME)
    for key, of_flips in near.items():
        gains = gains_of_flips(strategies[key], b)
        for cell, other in zip(cells, of_flips, strict=True):
            change = values[other] - values[key]
            assert change.min() >= -CLOSE or change.max() <= CLOSE  # nowhere better and elsewhere worse
            if abs(gains[cell]) > LEAST:
                assert np.sign(change[cell]) == np.sign(gains[cell])
        is_best = np.allclose(values[key][:, :, 0], best, rtol=0, atol=1e-9)
        gains_nowhere = all((values[other] - values[key]).max() <= LEAST for other in of_flips)
        assert gains_nowhere == (np.nanmax(gains) <= LEAST)
        assert is_best or not gains_nowhere


def trapped(b):
    """How many strategies win less than the best response though no flip of a decision wins more from the opening, and
    of how many of these every flip wins less."""
    strategies, near = neighbours()
    won = {key: pigevo.win_probability(a, b).overall for key, a in strategies.items()}
    most, flat, peaks = max(won.values()), 0, 0
    for key, of_flips in near.items():
        if won[key] < most - LEAST:
            change = [won[other] - won[key] for other in of_flips]
            flat += max(change) <= LEAST
            peaks += max(change) < -LEAST
    return flat, peaks


@pytest.mark.parametrize(
    ("b", "plateaus"),
    [
        (pigevo.optimal(GAME).strategy, 32),
        pytest.param(pigevo.hold_at(GAME, 1), 14, marks=pytest.mark.slow),
        pytest.param(pigevo.hold_at(GAME, 2), 32, marks=pytest.mark.slow),
        pytest.param(pigevo.random_strategy(GAME, seed=5), 96, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_from_the_opening_alone_there_are_plateaus_but_no_strict_local_maximum(b, plateaus):
    """Of 512 strategies; what play cannot reach shows no gain until another decision leads there."""
    assert trapped(b) == (plateaus, 0)
