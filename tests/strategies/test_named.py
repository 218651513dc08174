"""The named strategies, each against its rule restated for one cell at a time."""

import math

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import Pig, Piglet

TARGETS = [37, 100]


def cells(game):
    """Every asked cell."""
    t = game.target
    for i in range(t):
        for k in range(0 if game.allow_pass else 1, t - i):
            for j in range(t):
                yield i, j, k


def assert_follows(strategy, rule):
    roll = strategy.roll.tolist()
    wrong = [(i, j, k) for i, j, k in cells(strategy.game) if roll[i][j][k] != rule(i, j, k)]
    assert wrong == []
    if not strategy.game.allow_pass:
        assert strategy.roll[:, :, 0].all()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("n", [0, 1, 20, 25, 1000])
def test_hold_at_holds_once_the_total_is_n(target, n):
    assert_follows(pigevo.hold_at(Pig(target=target), n), lambda i, j, k: not k >= n)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("n", [1, 20])
def test_score_rolls_until_ahead_and_then_holds_at_n(target, n):
    def rule(i, j, k):
        if i + k <= j:
            return True
        return k < n

    assert_follows(pigevo.score(Pig(target=target), n), rule)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("n", "behind"), [(20, 0), (20, 2), (3, 1), (25, 1000)])
def test_score_may_stop_rolling_for_being_so_far_behind_only(target, n, behind):
    """With 2 it is the rule behind table 1 of Exeter 2016: indices from 1, and `>=`."""
    game = Pig(target=target)
    assert_follows(pigevo.score(game, n, behind), lambda i, j, k: k < n or i + k <= j - behind)
    if behind == 2:
        assert_follows(pigevo.score(game, n, behind), lambda i, j, k: k < n or i + k < j - 1)


def test_score_is_the_rule_of_the_text_unless_told():
    game = Pig(target=40)
    assert pigevo.score(game, 9) == pigevo.score(game, 9, 0) == pigevo.parse_strategy("score:9", game)
    assert pigevo.score(game, 9, 0).name == "score:9"
    assert pigevo.score(game, 9, 2) != pigevo.score(game, 9)


@pytest.mark.parametrize("target", TARGETS)
def test_roll_to_win_never_holds(target):
    assert_follows(pigevo.roll_to_win(Pig(target=target)), lambda i, j, k: True)


@pytest.mark.parametrize("target", TARGETS)
def test_turtle_holds_at_a_small_total(target):
    assert_follows(pigevo.turtle(Pig(target=target), 4), lambda i, j, k: k < 4)
    assert pigevo.turtle(Pig(target=target)) == pigevo.hold_at(Pig(target=target), 5)


@pytest.mark.parametrize(("target", "score", "n"), [(37, 30, 6), (100, 80, 20)])
def test_roll_and_wait_passes_while_ahead_and_rolls_to_win_once_caught_up(target, score, n):
    def rule(i, j, k):
        if i < score:
            return k < n
        if i > j and k == 0:
            return False  # waits
        return True

    assert_follows(pigevo.roll_and_wait(Pig(target=target, allow_pass=True), score, n), rule)


@pytest.mark.parametrize("target", TARGETS)
def test_skip_when_level_passes_at_equal_scores_but_not_at_the_start(target):
    def rule(i, j, k):
        if k == 0 and i == j and (i, j) != (0, 0):
            return False
        return k < 20

    assert_follows(pigevo.skip_when_level(Pig(target=target, allow_pass=True)), rule)


@pytest.mark.parametrize(
    ("target", "c", "d", "e"), [(37, 9, 3, 11), (37, 21, 8, 29), (100, 21, 8, 29), (100, 19, 7, 0)]
)
def test_keep_pace_holds_nearer_to_the_leader_and_ends_the_race(target, c, d, e):
    def rule(i, j, k):
        if i >= target - e or j >= target - e:
            return True
        quotient, rest = divmod(j - i, d)
        nearest = quotient + (2 * rest >= d)  # halves go up
        return k < c + nearest

    assert_follows(pigevo.keep_pace_and_end_race(Pig(target=target), c, d, e), rule)


@pytest.mark.parametrize(
    ("i", "j", "hold"),
    [(0, 0, 21), (0, 3, 21), (0, 4, 22), (4, 0, 21), (5, 0, 20), (0, 12, 23), (12, 0, 20), (0, 20, 24), (20, 0, 19),
     (0, 70, 30), (70, 0, 12)],
)  # fmt: skip
def test_keep_pace_rounds_halves_up_and_keeps_the_sign(i, j, hold):
    roll = pigevo.keep_pace_and_end_race(Pig()).roll[i, j]
    assert int(np.argmin(roll)) == hold
    assert hold == 21 + math.floor((j - i) / 8 + 0.5)


def test_keep_pace_ends_the_race_29_points_from_the_target():
    roll = pigevo.keep_pace_and_end_race(Pig()).roll
    assert roll[71, 0, 1:29].all()
    assert roll[0, 71, 1:].all()
    assert not roll[70, 70, 21:30].any()


@pytest.mark.parametrize("make", [pigevo.roll_and_wait, pigevo.skip_when_level])
def test_strategies_that_pass_need_a_game_that_allows_it(make):
    with pytest.raises(InputError, match="allow_pass=True"):
        make(Pig(target=20))


@pytest.mark.parametrize("game", [Pig(target=30), Pig(target=30, allow_pass=True), Piglet(target=25)], ids=repr)
def test_a_random_strategy_is_fair_coins_of_the_population_stream(game):
    strategy = pigevo.random_strategy(game, seed=5)
    coins = Draw(5, "population").at(part=1).bits(*game.shape).astype(bool)
    asked = np.broadcast_to(game.decision_states, game.shape)
    assert np.array_equal(strategy.roll[asked], coins[asked])
    # two-sided: 4.5 standard deviations are p = 7e-6
    assert abs(strategy.roll[asked].mean() - 0.5) < 4.5 * 0.5 / asked.sum() ** 0.5


def test_random_strategies_of_other_seeds_differ_in_half_of_the_cells():
    game = Pig(target=40)
    asked = np.broadcast_to(game.decision_states, game.shape)
    a, b = (pigevo.random_strategy(game, seed=s).roll[asked] for s in (1, 2))
    assert abs((a ^ b).mean() - 0.5) < 4.5 * 0.5 / asked.sum() ** 0.5  # p = 7e-6


def test_names_can_be_typed_again():
    game = Pig(target=40, allow_pass=True)
    for name in ("hold_at:7", "score:8", "score:8,2", "roll_to_win", "turtle:3", "roll_and_wait:30,9", "skip_when_level:4",
                 "keep_pace_and_end_race:9,3,11", "random_strategy:6"):  # fmt: skip
        strategy = pigevo.parse_strategy(name, game)
        assert strategy.name == name
        assert pigevo.parse_strategy(strategy.name, game) == strategy
