"""Rewards by place and by points: against plain Python, unchanged by adding and scaling, certified."""

import hypothesis.strategies as st
import numpy as np
import pytest

import pigevo
from pigevo import three_player as tp
from tests.cases import games, law
from tests.reference import three
from tests.three_player.test_evaluate import random_strategy

PLAY_ON = tp.Rewards((2, 1, -3), "play_on")


@st.composite
def rewards(draw):
    """Any rewards that are allowed."""
    if draw(st.integers(0, 4)) == 0:
        return tp.Rewards(draw(st.sampled_from(["points_needed", "scores"])))
    least, span = draw(st.integers(-5, 5)), draw(st.integers(1, 9))
    share = draw(st.sampled_from([0, 0.01, 0.3, 0.5, 0.9, 1]))
    return tp.Rewards((least + span, least + share * span, least), draw(st.sampled_from(["stop", "play_on"])))


@law(games(largest=4, allow_pass=False), rewards(), st.integers(0, 2**32), quick=8, full=30)
def test_given_strategies_solve_the_dense_system(game, drawn, seed):
    players, t = [random_strategy(game, seed + n, pure=n == 2) for n in range(3)], game.target
    for given in (tp.Rewards(), drawn):
        won = three.winnings(game, given.places, given.after_first_win)
        dense = three.solve(t, game.die, game.bust, [p.chance for p in players], won)
        values = tp.evaluate(players, given)
        for (m, a, b, c), expected in dense.items():
            assert values[m, :, a, b, c] == pytest.approx(expected, abs=1e-10)
    assert tp.win_probabilities(players) == pytest.approx(tp.evaluate(players)[0, :, t, t, t], abs=1e-15)


@law(games(largest=6, allow_pass=False), rewards(), st.integers(0, 2**32), st.booleans(), quick=8, full=60)
def test_the_certificate_holds_and_no_random_policy_gains(game, drawn, seed, pure):
    other = random_strategy(game, seed, pure)
    for given, slack in ((tp.Rewards(), 1e-12), (drawn, 1e-10)):
        solution = tp.solve(game, rewards=given)
        assert solution.certificate.holds
        values = tp.evaluate([other, solution.strategy, solution.strategy], given)
        for m in range(3):
            own = np.moveaxis(solution.values, -1, 0)[-m % 3]
            assert (values[m, 0] - own)[1:, 1:, 1:].max() <= slack
        total = 0 if isinstance(given.places, str) else sum(given.places)
        assert solution.values[1:, 1:, 1:].sum(axis=-1) == pytest.approx(total, abs=1e-10)


@pytest.mark.parametrize("on", ["stop", "play_on"])
def test_adding_to_all_rewards_or_multiplying_them_changes_no_play(on):
    game = tp.Game(target=25)
    plain = tp.solve(game, rewards=tp.Rewards((2, 1, -3), on))
    for factor, more in ((1, 7), (3, 0), (0.25, -2)):
        other = tp.solve(game, rewards=tp.Rewards(tuple(factor * r + more for r in (2, 1, -3)), on))
        assert np.array_equal(other.strategy.decisions, plain.strategy.decisions)
        assert other.value == pytest.approx([factor * v + more for v in plain.value], abs=1e-12)
        assert other.certificate.holds


def test_the_rewards_change_play_and_places_add_up():
    game = tp.Game(target=40)
    win, stop, on = (tp.solve(game, rewards=r) for r in (tp.Rewards(), tp.Rewards((2, 1, -3)), PLAY_ON))
    assert (win.strategy.decisions != stop.strategy.decisions).any()
    assert (on.strategy.decisions != stop.strategy.decisions).any()
    for solution in (stop, on):
        chances = solution.place_chances()
        assert chances.sum(axis=0) == pytest.approx(1)
        assert chances.sum(axis=1) == pytest.approx(1)
        assert chances @ solution.rewards.places == pytest.approx(solution.value)
    assert win.place_chances()[:, 0] == pytest.approx(win.value)
    assert tp.lifted_loss(on).min() > -1e-12


def test_the_second_place_is_what_the_game_for_two_says():
    game = tp.Game(target=20)
    solution = tp.solve(game, rewards=tp.Rewards((1, 1, 0), "play_on"))
    second = pigevo.optimal(game).values[20 - 7, 20 - 12]  # the mover needs 7 and the other one 12
    assert solution.values[7, 12, 0].tolist() == pytest.approx([second, 1 - second, 1])
    stop = tp.solve(game, rewards=tp.Rewards((3, 1, 0)))
    assert stop.values[7, 12, 0].tolist() == pytest.approx([1, 0, 3])
    assert stop.values[0, 12, 12].tolist() == pytest.approx([3, 0.5, 0.5])


def test_other_decisions_or_values_fail_the_certificate():
    game = tp.Game(target=35)
    solution = tp.solve(game, rewards=PLAY_ON)
    assert not tp.certify(tp.solve(game).strategy, solution.values, PLAY_ON).holds
    assert not tp.certify(solution.strategy, solution.values + 1e-9, PLAY_ON).holds


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
        tp.Rewards(*arguments)
