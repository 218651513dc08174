"""Coalitions of two against one, and the two-player optimum among three."""

import itertools

import numpy as np
import pytest

import pigevo
from pigevo import three_player as tp
from pigevo.three_player.rules import shape
from tests.reference import three


def random_strategy(game, seed, pure=False):
    chances = np.random.default_rng(seed).random(shape(game))
    return tp.Strategy.from_chances(game, np.round(chances) if pure else chances)


def lone_against_two(game, won):
    """What the lone player (role, a, b, c) expects, by value iteration over all decisions."""
    points = range(1, game.target + 1)
    values = {(r, *n): 0.0 for r in range(3) for n in itertools.product(points, repeat=3)}

    def turn(r, a, b, c):
        def go(k):
            roll = game.bust * values[(r - 1) % 3, b, c, a]
            roll += sum(p * (won(b, c)[r] if k + n >= a else go(k + n)) for n, p in game.die)
            hold = values[(r - 1) % 3, b, c, a - k] if k else None
            return roll if k == 0 else max(roll, hold) if r == 0 else min(roll, hold)

        return go(0)

    while True:
        new = {state: turn(*state) for state in values}
        change = max(abs(new[state] - values[state]) for state in values)
        values = new
        if change < 1e-14:
            return values


REWARDED = [
    (tp.Piglet(4, 0.6), tp.Rewards()),
    *((pigevo.Race(4, {1: 0.3, 2: 0.4}, 0.3), rewards) for rewards in (
        tp.Rewards(), tp.Rewards((2, 1, -3)), tp.Rewards((2, 1, -3), "play_on"), tp.Rewards("points_needed")
    )),
]  # fmt: skip


@pytest.mark.parametrize(("game", "rewards"), REWARDED, ids=str)
def test_a_coalition_is_the_value_of_the_zero_sum_game(game, rewards):
    slow = lone_against_two(game, three.winnings(game, rewards.places, rewards.after_first_win))
    values = tp.coalition(game, rewards=rewards).values
    for (r, a, b, c), value in slow.items():
        assert values[r, r, a, b, c] == pytest.approx(value, abs=1e-12)
    total = 0 if isinstance(rewards.places, str) else sum(rewards.places)
    assert values[:, :, 1:, 1:, 1:].sum(axis=1) == pytest.approx(total, abs=1e-12)


@pytest.fixture(scope="module")
def solution():
    return tp.solve(tp.Game(target=50))


@pytest.mark.slow
def test_a_coalition_takes_something_but_never_gives(solution):
    lone, alone = np.array(tp.coalition(solution.game, workers=2).value), np.array(solution.value)
    assert (lone < alone).all()
    assert (alone - lone < 0.01).all()


def test_piglets_third_player_sacrifices_himself_for_the_coalition():
    """Bonnet et al. 2018: with a coalition of players 2 and 3 the gain of player 3 decreases too."""
    game = tp.Piglet(10)
    together, alone = tp.coalition(game).at(10)[0], tp.solve(game).value
    assert together[0] < alone[0] - 1e-4
    assert together[1] > alone[1]
    assert together[2] < alone[2]
    small = tp.Piglet(3)
    assert tp.coalition(small).at(3)[0] == pytest.approx(tp.solve(small).value, abs=1e-12)


def test_to_30_points_everybody_rolls_to_win_and_whom_he_looks_at_is_all_the_same():
    game = tp.Game(target=30)
    solution = tp.solve(game)
    assert solution.strategy.decisions[30, 30, 30].all()
    assert tp.coalition(game).value == pytest.approx(solution.value, abs=1e-14)


@pytest.mark.parametrize("view", tp.VIEWS)
def test_the_two_player_optimum_falls_short_of_the_equilibrium(view, solution):
    values = tp.evaluate([tp.lifted(solution.game, view), solution.strategy, solution.strategy])[:, 0, 50, 50, 50]
    lost = [solution.value[seat] - values[m] for seat, m in enumerate((0, 2, 1))]
    assert all(0 < x < 0.05 for x in lost)


def test_the_view_decides_which_opponent_counts():
    game = tp.Game(target=20)
    roll = pigevo.optimal(game).strategy.roll
    for a, b, c, k in [(20, 3, 15, 7), (12, 15, 3, 9), (9, 9, 9, 4), (20, 1, 20, 15)]:
        for view, other in (("leader", min(b, c)), ("next", b)):
            assert tp.lifted(game, view).chance(a, b, c, k) == roll[20 - a, 20 - other, k]
        if b == c:
            assert tp.lifted(game, "both").chance(a, b, c, k) == roll[20 - a, 20 - b, k]
    with pytest.raises(pigevo.InputError, match="no view 'leadr'; did you mean leader"):
        tp.lifted(game, "leadr")


def test_wrong_players_are_refused():
    with pytest.raises(pigevo.InputError, match="takes three"):
        tp.evaluate([random_strategy(tp.Piglet(3), 1)] * 2)
    with pytest.raises(pigevo.InputError, match="must play the same game"):
        tp.evaluate([random_strategy(tp.Piglet(n), 1) for n in (3, 3, 4)])
