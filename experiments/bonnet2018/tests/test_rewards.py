"""Rewards by place and by points: against plain Python, unchanged by adding and scaling, certified."""

import hypothesis.strategies as st
import numpy as np
import pytest

import pigevo
from pigevo import three_player as tp
from pigevo.experiments.bonnet2018.rewarded_solver import evaluate_rewarded, solve_rewarded
from pigevo.experiments.bonnet2018.rewards import Rewards, end_values
from tests.cases import games, law
from tests.reference import three
from tests.test_three_players import TINY, assert_all_pure_profiles, random_strategy

PLAY_ON = Rewards((2, 1, -3), "play_on")


@st.composite
def rewards(draw):
    """Any rewards that are allowed."""
    if draw(st.integers(0, 4)) == 0:
        return Rewards(draw(st.sampled_from(["points_needed", "scores"])))
    least, span = draw(st.integers(-5, 5)), draw(st.integers(1, 9))
    share = draw(st.sampled_from([0, 0.01, 0.3, 0.5, 0.9, 1]))
    return Rewards((least + span, least + share * span, least), draw(st.sampled_from(["stop", "play_on"])))


@law(games(largest=4, allow_pass=False), rewards(), st.integers(0, 2**32), quick=8, full=30)
def test_given_strategies_solve_the_dense_system(game, drawn, seed):
    players = [random_strategy(game, seed + n, pure=n == 2) for n in range(3)]
    won = three.winnings(game, drawn.places, drawn.after_first_win)
    dense = three.solve(game.target, game.die, game.bust, [p.chance for p in players], won)
    values = evaluate_rewarded(players, drawn)
    for (m, a, b, c), expected in dense.items():
        assert values[m, :, a, b, c] == pytest.approx(expected, abs=1e-10)


@law(games(largest=6, allow_pass=False), rewards(), st.integers(0, 2**32), st.booleans(), quick=8, full=60)
def test_the_certificate_holds_and_no_random_policy_gains(game, drawn, seed, pure):
    other = random_strategy(game, seed, pure)
    solution = solve_rewarded(game, drawn)
    assert solution.certificate.holds
    values = evaluate_rewarded([other, solution.strategy, solution.strategy], drawn)
    for m in range(3):
        own = np.moveaxis(solution.values, -1, 0)[-m % 3]
        assert (values[m, 0] - own)[1:, 1:, 1:].max() <= 1e-10
    total = 0 if isinstance(drawn.places, str) else sum(drawn.places)
    assert solution.values[1:, 1:, 1:].sum(axis=-1) == pytest.approx(total, abs=1e-10)


@pytest.mark.parametrize("on", ["stop", "play_on"])
def test_adding_to_all_rewards_or_multiplying_them_changes_no_play(on):
    game = tp.Game(target=18)
    plain = solve_rewarded(game, Rewards((2, 1, -3), on))
    for factor, more in ((1, 7), (3, 0), (0.25, -2)):
        other = solve_rewarded(game, Rewards(tuple(factor * r + more for r in (2, 1, -3)), on))
        assert np.array_equal(other.strategy.decisions, plain.strategy.decisions)
        assert other.value == pytest.approx([factor * v + more for v in plain.value], abs=1e-12)
        assert other.certificate.holds


def test_the_rewards_change_play_and_places_add_up():
    game = tp.Game(target=24)
    win, stop, on = (solve_rewarded(game, r) for r in (Rewards(), Rewards((2, 1, -3)), PLAY_ON))
    assert (win.strategy.decisions != stop.strategy.decisions).any()
    assert (on.strategy.decisions != stop.strategy.decisions).any()
    for solution in (stop, on):
        chances = solution.place_chances()
        assert chances.sum(axis=0) == pytest.approx(1)
        assert chances.sum(axis=1) == pytest.approx(1)
        assert chances @ solution.rewards.places == pytest.approx(solution.value)
    assert win.place_chances()[:, 0] == pytest.approx(win.value)
    lifted = evaluate_rewarded([tp.lifted(game), on.strategy, on.strategy], PLAY_ON)[:, 0, 24, 24, 24]
    assert all(on.value[seat] > lifted[m] - 1e-12 for seat, m in enumerate((0, 2, 1)))


def test_the_second_place_is_what_the_game_for_two_says():
    game = tp.Game(target=20)
    solution = solve_rewarded(game, Rewards((1, 1, 0), "play_on"))
    second = pigevo.optimal(game).values[20 - 7, 20 - 12]  # the mover needs 7 and the other one 12
    assert solution.values[7, 12, 0].tolist() == pytest.approx([second, 1 - second, 1])
    stop = solve_rewarded(game, Rewards((3, 1, 0)))
    assert stop.values[7, 12, 0].tolist() == pytest.approx([1, 0, 3])
    assert stop.values[0, 12, 12].tolist() == pytest.approx([3, 0.5, 0.5])


def test_other_decisions_or_values_fail_the_certificate():
    game = tp.Game(target=35)
    solution, won = solve_rewarded(game, PLAY_ON), end_values(game, PLAY_ON)
    assert tp.certify(solution.strategy, solution.shares.values, won).holds
    assert not tp.certify(tp.solve(game).strategy, solution.shares.values, won).holds
    assert not tp.certify(solution.strategy, solution.shares.values + 1e-9, won).holds


REWARDS = [
    Rewards(), Rewards((2, 1, -3)), Rewards((2, 1, -3), "play_on"), Rewards((1, 0.1, 0), "play_on"),
    Rewards((3, 2.9, -6)), Rewards("points_needed"), Rewards("scores"),
]  # fmt: skip


@pytest.mark.parametrize("rewards", REWARDS, ids=str)
@pytest.mark.parametrize("game", TINY, ids=str)
def test_every_pure_profile_of_every_orbit_was_tried_and_the_same_ones_are_equilibria(game, rewards):
    solution = solve_rewarded(game, rewards)
    won = three.winnings(game, rewards.places, rewards.after_first_win)
    assert_all_pure_profiles(solution, lambda shares: rewards.in_units(shares, game), won)


def test_a_single_reward_for_the_winner_changes_nothing():
    game = tp.Piglet(7, 0.33)
    win = tp.solve(game)
    place, five = (solve_rewarded(game, r) for r in (Rewards((1, 0, 0), "play_on"), Rewards((5, 0, 0))))
    assert np.array_equal(place.values, win.values)
    assert np.array_equal(place.strategy.decisions, win.strategy.decisions)
    assert np.array_equal(five.strategy.decisions, win.strategy.decisions)
    assert five.value == pytest.approx([5 * v for v in win.value], abs=1e-14)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (((1, 2, 0),), "must not rise from first to third place"),
        (((1, 1, 1),), "not be all the same"),
        (((1, 2),), "give three numbers"),
        (((2, float("nan"), 0),), "give three numbers"),
        (((1e6, 1e6, 1e6 - 1),), "take the same number off all"),
        (((1, 0, 0), "stay"), "stop"),
        (("point_needed",), "did you mean points_needed"),
        (("scores", "play_on"), "play cannot go on"),
    ],
)
def test_wrong_rewards_are_refused(arguments, why):
    with pytest.raises(pigevo.InputError, match=why):
        Rewards(*arguments)
