"""Coalitions of two against one, and the figures for three players."""

import itertools
import threading

import numpy as np
import pytest

import pigevo
from pigevo import three_player as tp
from pigevo.experiments.bonnet2018 import curves as three_player
from pigevo.experiments.bonnet2018.coalitions import coalition
from pigevo.experiments.bonnet2018.rewards import Rewards
from pigevo.three_player.rules import count_orbits
from tests.reference import three


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


GAME = pigevo.Race(4, {1: 0.3, 2: 0.4}, 0.3)
REWARDED = [
    (tp.Piglet(4, 0.6), Rewards()), (GAME, Rewards()), (GAME, Rewards((2, 1, -3))),
    (GAME, Rewards((2, 1, -3), "play_on")), (GAME, Rewards("points_needed")),
]  # fmt: skip


@pytest.mark.parametrize(("game", "rewards"), REWARDED, ids=str)
def test_a_coalition_is_the_value_of_the_zero_sum_game(game, rewards):
    slow = lone_against_two(game, three.winnings(game, rewards.places, rewards.after_first_win))
    values = coalition(game, rewards=rewards).values
    for (r, a, b, c), value in slow.items():
        assert values[r, r, a, b, c] == pytest.approx(value, abs=1e-12)
    total = 0 if isinstance(rewards.places, str) else sum(rewards.places)
    assert values[:, :, 1:, 1:, 1:].sum(axis=1) == pytest.approx(total, abs=1e-12)


@pytest.mark.slow
def test_a_coalition_takes_something_but_never_gives():
    solution = tp.solve(tp.Game(target=50))
    lone, alone = np.array(coalition(solution.game, workers=2).value), np.array(solution.value)
    assert (lone < alone).all()
    assert (alone - lone < 0.01).all()


def test_piglets_third_player_sacrifices_himself_for_the_coalition():
    """Bonnet et al. 2018: with a coalition of players 2 and 3 the gain of player 3 decreases too."""
    game = tp.Piglet(10)
    together, alone = coalition(game).at(10)[0], tp.solve(game).value
    assert together[0] < alone[0] - 1e-4
    assert together[1] > alone[1]
    assert together[2] < alone[2]
    small = tp.Piglet(3)
    assert coalition(small).at(3)[0] == pytest.approx(tp.solve(small).value, abs=1e-12)


def test_to_30_points_a_coalition_takes_nothing():
    game = tp.Game(target=30)
    assert coalition(game).value == pytest.approx(tp.solve(game).value, abs=1e-14)


def test_progress_is_called_in_the_callers_thread_and_adds_up_to_all_orbits():
    threads, done = set(), []

    def progress(count):
        threads.add(threading.get_ident())
        done.append(count)

    coalition(tp.Piglet(6), workers=2, progress=progress)
    assert sum(done) == count_orbits(6)
    assert threads == {threading.get_ident()}


@pytest.fixture(scope="module")
def solution():
    return tp.solve(tp.Piglet(10, 0.56))


def test_seats_and_orbits_for_every_target(solution):
    seats, orbits = three_player.seats_data(solution), three_player.orbits_data(solution)
    assert seats.x.tolist() == orbits.x.tolist() == list(range(1, 11))
    assert sum(seats.series.values()) == pytest.approx(1)
    assert [seats.series[f"{s} seat"][-1] for s in three_player.SEATS] == pytest.approx(solution.value)
    assert orbits.series["several equilibria"].tolist() == [0] * 6 + [1] * 4  # (4, 7, 7)
    assert not orbits.series["no pure equilibrium"].any()


def test_pictures(solution):
    panels = [three_player.seats_data(solution), three_player.orbits_data(solution)]
    drawn = three_player.plot_curves(panels)
    assert [axes.get_xlabel() for axes in drawn] == ["target", "target"]
    first = drawn[0].get_lines()
    assert [line.get_label() for line in first] == list(panels[0].series)
    assert np.array_equal(first[0].get_ydata(), panels[0].series["first seat"])
