"""Three given strategies: what they hold, exact win probabilities, certificates, and simulated games."""

import hypothesis.strategies as st
import numpy as np
import pytest
from scipy.stats import chisquare

import pigevo
from pigevo import InputError, Race
from pigevo import three_player as tp
from pigevo.dice import Die, Draw
from pigevo.three_player.rules import shape
from tests.cases import games, law
from tests.reference import three


def random_strategy(game, seed, pure=False):
    chances = np.random.default_rng(seed).random(shape(game))
    return tp.Strategy.from_chances(game, np.round(chances) if pure else chances)


@law(games(largest=4, allow_pass=False), st.integers(0, 2**32), quick=8, full=30)
def test_given_strategies_solve_the_dense_system(game, seed):
    players, t = [random_strategy(game, seed + n, pure=n == 2) for n in range(3)], game.target
    dense = three.solve(t, game.die, game.bust, [p.chance for p in players])
    values = tp.evaluate(players)
    for (m, a, b, c), expected in dense.items():
        assert values[m, :, a, b, c] == pytest.approx(expected, abs=1e-10)
    assert tp.win_probabilities(players) == pytest.approx(values[0, :, t, t, t], abs=1e-15)


@law(games(largest=6, allow_pass=False), st.integers(0, 2**32), st.booleans(), quick=8, full=60)
def test_the_certificate_holds_and_no_random_policy_gains(game, seed, pure):
    other, solution = random_strategy(game, seed, pure), tp.solve(game)
    assert solution.certificate.holds
    values = tp.evaluate([other, solution.strategy, solution.strategy])
    for m in range(3):
        own = np.moveaxis(solution.values, -1, 0)[-m % 3]
        assert (values[m, 0] - own)[1:, 1:, 1:].max() <= 1e-12
    assert solution.values[1:, 1:, 1:].sum(axis=-1) == pytest.approx(1, abs=1e-10)


@pytest.fixture(scope="module")
def solution():
    return tp.solve(tp.Game(target=50))


def test_to_30_points_everybody_rolls_to_win_and_whom_he_looks_at_is_all_the_same():
    game = tp.Game(target=30)
    solution = tp.solve(game)
    assert solution.strategy.decisions[30, 30, 30].all()


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


GAMES = [tp.Game(target=20), tp.Piglet(5, 0.6), Race(9, {1: 0.2, 2: 0.35, 5: 0.15}, 0.3)]


def random_players(game):
    rng = np.random.default_rng(7)
    return [tp.Strategy.from_chances(game, rng.random(shape(game)) * 1.4 // 0.7 / 2) for _ in range(3)]


def word_by_word(players, seed, number):
    """The winner of one game, in plain Python."""
    game = players[0].game
    die = Die.of(game.die, game.bust)
    words = iter(Draw(seed, "dice", part=number).words(4000).tolist())
    needs = [game.target] * 3
    for turn in range(1000):
        m = turn % 3
        a, b, c = (needs[(m + n) % 3] for n in range(3))
        total = 0
        while True:
            points = die.read(next(words))[0]
            if points == 0:
                total = 0
                break
            total += points
            if total >= a:
                return m
            chance = players[m].chance(a, b, c, total)
            if 0 < chance < 1:
                chance = float((next(words) >> 11) * 2.0**-53 < chance)
            if not chance:
                break
        needs[m] -= total
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_kernel_plays_the_plain_games_which_agree_with_the_exact_values(game):
    """The latter by a chi-square test at 1e-4, with a fixed seed."""
    players = random_players(game)
    winners = [word_by_word(players, 11, n) for n in range(80)]
    match = tp.play(players, 80, seed=11)
    assert match.wins == tuple(winners.count(m) for m in range(3))
    assert match.unfinished == 0
    match = tp.play(players, 60_000, seed=5)
    expected = np.array(tp.win_probabilities(players)) * match.games
    assert chisquare(match.wins, expected).pvalue > 1e-4


def test_the_equilibrium_of_target_30_lies_in_its_intervals():
    solution = tp.solve(tp.Game(target=30))
    match = tp.play([solution.strategy] * 3, 100_000, seed=2)
    for value, (low, high), rate in zip(solution.value, match.intervals(0.999), match.win_rates, strict=True):
        assert low < value < high
        assert low < rate < high


def test_the_result_does_not_depend_on_the_threads_and_progress_adds_up_to_all_games():
    players, done = random_players(GAMES[1]), []
    assert tp.play(players, 25_000, 1, workers=1) == tp.play(players, 25_000, 1, workers=2, progress=done.append)
    assert done == [10_000, 10_000, 5_000]


def test_wrong_input_is_refused():
    players = random_players(GAMES[0])
    for number in (0, 10**30, 1.5, "9" * 400):
        with pytest.raises(
            InputError, match=r"^games = .{1,80}: play a whole number of games, from 1 to 1,000,000,000\.$"
        ):
            tp.play(players, number)
    with pytest.raises(InputError, match="takes three"):
        tp.play(players[:2], 10)
    with pytest.raises(InputError, match="seed"):
        tp.play(players, 10, seed=-1)


GAME = tp.Piglet(4)


def rule(a, b, c, k):
    return 0.25 if k == b else k < c


def test_a_rule_becomes_a_strategy_everywhere():
    s = tp.Strategy.from_function(GAME, rule)
    for a, b, c, k in np.ndindex(5, 5, 5, 4):
        if min(a, b, c) > 0 and k < a:
            assert s.chance(a, b, c, k) == (1 if k == 0 else rule(a, b, c, k))
    assert all(p == 0.25 for _, p in s.mixed)
    assert ((3, 2, 1, 2), 0.25) in s.mixed
    assert f"mixed states: {len(s.mixed)}" in repr(s)


def test_a_rule_that_draws_random_numbers_is_refused():
    draw = np.random.default_rng(1)
    with pytest.raises(InputError, match=r"at \(4, 4, 4, 3\) is 0\.\d+ and 0\.\d+ when it is asked again"):
        tp.Strategy.from_function(GAME, lambda a, b, c, k: draw.random())


def test_strategies_of_any_memory_layout_can_be_mixed():
    s = tp.Strategy.from_function(GAME, rule)
    frozen = tp.Strategy(GAME, np.asfortranarray(s.decisions), s.codes.astype(np.int32), s.chances.copy())
    frozen.chances.setflags(write=False)
    assert tp.win_probabilities([s, frozen, s]) == tp.win_probabilities([s, s, s])
    assert tp.play([frozen, s, s], 100) == tp.play([s, s, s], 100)


def test_wrong_arrays_are_refused():
    chances = np.full(shape(GAME), 0.5)
    with pytest.raises(InputError, match="from 0 to 1"):
        tp.Strategy.from_chances(GAME, chances + 1)
    s = tp.Strategy.from_chances(GAME, chances)
    with pytest.raises(InputError, match="do not fit"):
        tp.Strategy(tp.Piglet(5), *s.tables)
    with pytest.raises(InputError, match="needs its chance"):
        tp.Strategy(GAME, s.decisions, s.codes[1:], s.chances[1:])
    with pytest.raises(InputError, match="from 0 to 1"):
        tp.Strategy(GAME, s.decisions, s.codes, s.chances + 1)
    with pytest.raises(InputError, match="nobody may pass"):
        tp.Strategy(GAME, np.zeros_like(s.decisions), s.codes[:0], s.chances[:0])
