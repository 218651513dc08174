"""Simulated matches around the exact figures: fixed seeds, intervals of 99.9 %."""

import numpy as np
import pytest

import pigevo
from tests.reference import play

GAMES = 100_000
DEVIATIONS = 3.2905  # 99.9 % of a normal distribution

PIG = pigevo.Pig()
PASSING = pigevo.Pig(allow_pass=True)
PAIRS = {
    "hold_at 20 v 25": (pigevo.hold_at(PIG, 20), pigevo.hold_at(PIG, 25)),
    "score v keep pace": (pigevo.score(PIG, 20), pigevo.keep_pace_and_end_race(PIG)),
    "turtle v roll_to_win": (pigevo.turtle(PIG, 5), pigevo.roll_to_win(PIG)),
    "random v hold_at 20": (pigevo.random_strategy(PIG, seed=4), pigevo.hold_at(PIG, 20)),
    "roll_and_wait v turtle": (pigevo.roll_and_wait(PASSING), pigevo.turtle(PASSING, 5)),
    "skip_when_level v itself": (pigevo.skip_when_level(PASSING), pigevo.skip_when_level(PASSING)),
    "biased Piglet": tuple(pigevo.hold_at(pigevo.Piglet(10, 0.7), n) for n in (2, 5)),
    "ten-sided": tuple(pigevo.hold_at(pigevo.Pig(60, 10), n) for n in (12, 30)),
}


def assert_near(count, games, p):
    assert abs(count - games * p) <= DEVIATIONS * np.sqrt(games * p * (1 - p)) + 1e-6


@pytest.mark.parametrize("name", PAIRS)
def test_a_match_lies_around_the_exact_win_and_stalemate_probabilities(name):
    a, b = PAIRS[name]
    m = pigevo.play_match(a, b, games=GAMES, seed=11)
    p, q = pigevo.win_probability(a, b), pigevo.win_probability(b, a)
    assert m.unfinished == 0
    assert m.wins + m.losses + m.stalemates == GAMES
    assert_near(m.wins, GAMES, p.overall)
    assert_near(m.losses, GAMES, q.overall)
    assert_near(m.stalemates, GAMES, (p.stalemate_first + p.stalemate_second) / 2)
    low, high = m.interval(0.999)
    assert low <= p.overall <= high
    assert high - low < 0.011
    assert m.win_rate == m.wins / GAMES


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("name", ["skip_when_level v itself", "biased Piglet", "ten-sided"])
def test_an_independent_simulator_lies_around_the_same_figures(name, starter):
    a, b = PAIRS[name]
    games = 1500
    won_a, won_b, nobody = play.play_many(a.game, a.roll, b.roll, games, seed=17, starter=starter)
    p, q = pigevo.win_probability(a, b), pigevo.win_probability(b, a)
    assert_near(won_a, games, (p.first, p.second)[starter])
    assert_near(won_b, games, (q.second, q.first)[starter])
    assert_near(nobody, games, (p.stalemate_first, p.stalemate_second)[starter])


def test_a_match_that_would_take_ages_is_given_up_and_said_to_be_unfinished():
    """With two sides, rolling to 100 takes 2 ** 50 tries."""
    rolls = pigevo.roll_to_win(pigevo.Pig(100, 2))
    m = pigevo.play_match(rolls, rolls, games=2, seed=1)
    assert (m.wins, m.losses, m.stalemates, m.unfinished) == (0, 0, 0, 2)
