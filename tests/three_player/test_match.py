"""Simulated games of three: the kernel against plain Python, and both against the exact values."""

import numpy as np
import pytest
from scipy.stats import chisquare

from pigevo import InputError, Race
from pigevo import three_player as tp
from pigevo.dice import Die, Draw
from pigevo.three_player.rules import shape

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
    with pytest.raises(InputError, match="at least 1"):
        tp.play(players, 0)
    with pytest.raises(InputError, match="takes three"):
        tp.play(players[:2], 10)
    with pytest.raises(InputError, match="seed"):
        tp.play(players, 10, seed=-1)
