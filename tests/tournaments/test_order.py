"""Cycles, transitivity, ratings and their errors, mixtures and winners, each against another way to the same figure."""

import itertools

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.games import GAMES
from pigevo.tournaments import (
    bradley_terry,
    cycles_of,
    is_transitive,
    knockout_winners,
    match_chances,
    nash,
    round_robin_winners,
)


def matrix(n, seed, spread=0.2):
    """A random matrix of overall win probabilities, some of them level."""
    rng = np.random.default_rng(seed)
    upper = np.triu(np.round(rng.uniform(-spread, spread, (n, n)), 1), 1)
    return 0.5 + upper - upper.T


ROCK = np.array([[0.5, 0.7, 0.4], [0.3, 0.5, 0.9], [0.6, 0.1, 0.5]])
"""0 beats 1 by .2, 1 beats 2 by .4, 2 beats 0 by .1."""


@pytest.mark.parametrize("seed", range(6))
def test_all_cycles_are_those_of_all_triples(seed):
    overall = matrix(7, seed)
    beats = overall > overall.T
    expected = {
        (a, b, c): min(overall[a, b], overall[b, c], overall[c, a]) - 0.5
        for a, b, c in itertools.permutations(range(7), 3)
        if a < min(b, c) and beats[a, b] and beats[b, c] and beats[c, a]
    }
    cycles = cycles_of(overall)
    assert len(cycles) > 0
    assert {tuple(cycle) for cycle in cycles.members.tolist()} == set(expected)
    strengths = [expected[tuple(cycle)] for cycle in cycles.members.tolist()]
    np.testing.assert_allclose(cycles.strengths, strengths)
    assert strengths == sorted(strengths, reverse=True)


def test_transitive_as_the_report_defines_it():
    answers = set()
    for seed in range(30):
        beats = matrix(4, seed) > matrix(4, seed).T
        ways = itertools.permutations(range(4), 3)
        expected = all(beats[a, c] for a, b, c in ways if beats[a, b] and beats[b, c])
        assert is_transitive(matrix(4, seed)) == expected
        answers.add(expected)
    assert answers == {True, False}


def test_rounding_and_stalemates_are_no_margins():
    overall = np.full((3, 3), 0.5)
    overall[[0, 1, 2], [1, 2, 0]] += 1e-15
    assert len(cycles_of(overall)) == 0
    assert is_transitive(overall)
    overall = np.array([[0.0, 0.3, 0.2], [0.3, 0.5, 0.6], [0.1, 0.4, 0.5]])
    assert is_transitive(overall)  # 0 and 1 are level; 0 beats 2 by .05, 1 beats it by .1
    assert len(cycles_of(overall)) == 0


@pytest.mark.parametrize("games", [None, 10**9])
def test_ratings_of_a_matrix_that_follows_the_model(games):
    strengths = np.array([1.2, 0.3, -0.4, -1.1])
    overall = 1 / (1 + np.exp(strengths[None] - strengths[:, None]))
    ratings = bradley_terry(overall, games)
    np.testing.assert_allclose(ratings.ratings, strengths, atol=1e-6)
    assert ratings.largest < 1e-6
    assert (ratings.errors is None) == (games is None)


def test_the_misfit_of_a_cycle():
    """What each wins is what the ratings say, in all: the equation of greatest likelihood; single pairs are missed."""
    ratings = bradley_terry(ROCK)
    expected = 1 / (1 + np.exp(ratings.ratings[None] - ratings.ratings[:, None]))
    np.testing.assert_allclose(expected.sum(axis=1), ROCK.sum(axis=1), atol=1e-7)
    missed = np.abs(ROCK - expected)
    assert ratings.largest == pytest.approx(missed.max())
    assert missed[ratings.pair] == pytest.approx(missed.max())
    assert ratings.rms == pytest.approx(np.sqrt((missed**2).sum() / 6))
    assert ratings.largest > 0.1


@pytest.mark.slow
def test_standard_errors_are_those_of_simulated_tournaments():
    strengths, games = np.array([0.6, 0.1, -0.7]), 400
    chances = 1 / (1 + np.exp(strengths[None] - strengths[:, None]))
    rng, fits = np.random.default_rng(1), []
    for _ in range(400):
        wins = np.triu(rng.binomial(games, chances), 1)
        shares = (wins + np.tril(games - wins.T, -1)) / games
        np.fill_diagonal(shares, 0.5)
        fits.append(bradley_terry(shares, games))
    ratings = np.array([fit.ratings for fit in fits])
    np.testing.assert_allclose(ratings.mean(axis=0), strengths, atol=0.02)
    np.testing.assert_allclose(ratings.std(axis=0), fits[0].errors, rtol=0.12)


def test_ratings_of_two_are_the_logarithm_of_the_odds():
    """Half a game more for either: 30.5 against 10.5; and the error of a logarithm of odds, shared by two ratings."""
    ratings = bradley_terry(np.array([[0.5, 0.75], [0.25, 0.5]]), 40)
    np.testing.assert_allclose(ratings.ratings, [np.log(30.5 / 10.5) / 2, -np.log(30.5 / 10.5) / 2], atol=1e-6)
    np.testing.assert_allclose(ratings.errors, np.sqrt(1 / 30.5 + 1 / 10.5) / 2, atol=1e-6)
    exact = bradley_terry(np.array([[0.5, 0.75], [0.25, 0.5]]))
    np.testing.assert_allclose(exact.ratings, [np.log(3) / 2, -np.log(3) / 2], atol=1e-6)


def test_standard_errors_of_random_tournaments_are_finite_and_those_of_the_reduced_information():
    """Compared with the inverse of the information without the first rating, seen from the mean of the ratings."""
    n, games, rng = 20, 100, np.random.default_rng(211)
    centre = np.eye(n) - 1 / n
    for _ in range(60):
        strengths = rng.normal(scale=rng.uniform(0.01, 2), size=n)
        wins = np.triu(rng.binomial(games, 1 / (1 + np.exp(strengths[None] - strengths[:, None]))), 1)
        shares = (wins + np.tril(games - wins.T, -1)) / games
        np.fill_diagonal(shares, 0.5)
        fit = bradley_terry(shares, games)
        chance = 1 / (1 + np.exp(fit.ratings[None] - fit.ratings[:, None]))
        information = -(games + 1) * chance * (1 - chance)
        np.fill_diagonal(information, 0)
        np.fill_diagonal(information, -information.sum(axis=1))
        covariances = np.zeros((n, n))
        covariances[1:, 1:] = np.linalg.inv(information[1:, 1:])
        np.testing.assert_allclose(fit.errors, np.sqrt(np.diag(centre @ covariances @ centre)), rtol=1e-6)


def test_who_never_wins_has_a_finite_rating():
    overall = np.array([[0.5, 1.0, 1.0], [0.0, 0.5, 0.6], [0.0, 0.4, 0.5]])
    for games in (None, 50):
        ratings = bradley_terry(overall, games)
        assert np.isfinite(ratings.ratings).all()
        assert ratings.ratings.argmax() == 0
        assert ratings.ratings[1] - ratings.ratings[2] == pytest.approx(np.log(1.5), abs=0.1)


def test_the_mixture_of_a_cycle_and_of_one_that_is_unbeaten():
    assert cycles_of(ROCK).members.tolist() == [[0, 1, 2]]
    mixture = nash(ROCK)
    np.testing.assert_allclose(mixture.shares, np.array([4, 1, 2]) / 7)  # each the margin of the two others
    assert mixture.value == pytest.approx(0, abs=1e-9)
    unbeaten = np.array([[0.5, 0.5 - 1e-9, 0.6], [0.5 + 1e-9, 0.5, 0.5 + 1e-9], [0.4, 0.5 - 1e-9, 0.5]])
    assert nash(unbeaten).shares.tolist() == [0, 1, 0]


@pytest.mark.parametrize("seed", range(4))
def test_no_strategy_beats_the_mixture(seed):
    overall = matrix(9, seed)
    mixture = nash(overall)
    assert mixture.shares.sum() == pytest.approx(1)
    assert (mixture.shares >= 0).all()
    margins = mixture.shares @ (overall - overall.T) / 2
    assert margins.min() == pytest.approx(mixture.value)
    assert margins.min() > -1e-9


def test_chances_of_a_match_are_those_of_the_binomial_law():
    first, second = np.array([[0.53, 0.62], [0.55, 0.53]]), np.array([[0.47, 0.45], [0.38, 0.47]])
    half = 25
    wins = np.convolve(stats.binom.pmf(range(half + 1), half, 0.62), stats.binom.pmf(range(half + 1), half, 0.45))
    won = match_chances(first, second, 2 * half)
    assert won[0, 1] == pytest.approx(wins[half + 1 :].sum() + wins[half] / 2, abs=1e-12)
    assert won[0, 1] + won[1, 0] == pytest.approx(1)
    assert won[0, 0] == 0.5


def test_chances_of_a_match_with_games_that_nobody_wins():
    """Two games: a wins the first with .5 and b with .2, the second with .3 and .4; all nine ways counted."""
    first, second = np.array([[0.5, 0.5], [0.4, 0.5]]), np.array([[0.5, 0.3], [0.2, 0.5]])
    ways = itertools.product({1: 0.5, -1: 0.2, 0: 0.3}.items(), {1: 0.3, -1: 0.4, 0: 0.3}.items())
    law = [(x + y, p * q) for (x, p), (y, q) in ways]
    expected = sum(p * (1 if d > 0 else 0.5 if d == 0 else 0) for d, p in law)
    assert match_chances(first, second, 2)[0, 1] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("draw", [0.0, 0.25, 0.5, 1.0])
def test_the_chance_of_a_match_with_draws_of_any_value(draw):
    """Every sequence of wins, draws and losses; where a draw is worth more than a half, the sign was wrong."""
    game = GAMES["ten_rounds"].bind({"turns": 1, "cap": 30, "draw": draw})
    a, b = pigevo.hold_at(game, 20), pigevo.hold_at(game, 21)
    p, q = pigevo.win_probability(a, b), pigevo.win_probability(b, a)
    drawn = p.draw_first, p.draw_second
    won = p.first - draw * p.draw_first, p.second - draw * p.draw_second
    expected, length = 0.0, 6
    for results in itertools.product((1, 0, -1), repeat=length):
        chances = [
            {1: won[n % 2], 0: drawn[n % 2]}.get(r, 1 - won[n % 2] - drawn[n % 2]) for n, r in enumerate(results)
        ]
        expected += float(np.prod(chances)) * (0.5 if sum(results) == 0 else sum(results) > 0)
    first, second = np.array([[0, p.first], [q.first, 0]]), np.array([[0, p.second], [q.second, 0]])
    tolerance = 1e-12 if draw != 0.5 else 0.02  # there a draw is taken for a game that a coin decides
    assert match_chances(first, second, length, draw)[0, 1] == pytest.approx(expected, abs=tolerance)
    played = pigevo.tournament([a, b], length=length, times=10)
    ranked = {entry.name: entry.knockout for entry in played.ranking}
    assert ranked["hold_at:20"] == pytest.approx(expected, abs=tolerance)


def test_round_robins_of_three():
    """Of three players, by all eight outcomes of their matches."""
    chances, expected = ROCK, np.zeros(3)
    for outcome in itertools.product((0, 1), repeat=3):
        p, wins = 1.0, np.zeros(3)
        for (a, b), won in zip(((0, 1), (0, 2), (1, 2)), outcome, strict=True):
            p *= chances[a, b] if won else chances[b, a]
            wins[a if won else b] += 1
        expected += p * (wins == wins.max()) / (wins == wins.max()).sum()
    shares = round_robin_winners(chances, 20_000, seed=2)
    assert shares.sum() == pytest.approx(1)
    np.testing.assert_allclose(shares, expected, atol=0.015)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_knockouts_against_every_bracket(n):
    chances = matrix(n, 5, 0.4)
    expected = np.mean([knockout_by_hand(list(order), chances) for order in itertools.permutations(range(n))], axis=0)
    shares = knockout_winners(chances, 4000, seed=1)
    assert shares.sum() == pytest.approx(1)
    np.testing.assert_allclose(shares, expected, atol=0.02)


def knockout_by_hand(order, chances):
    """The chances to win a bracket: as many as are missing for a power of two have no opponent in the first round."""

    def winner(a, b):
        return a * (chances @ b) + b * (chances @ a)

    players = list(np.eye(len(order))[order])
    byes = (1 << (len(order) - 1).bit_length()) - len(order)
    alive = players[:byes] + [winner(a, b) for a, b in zip(players[byes::2], players[byes + 1 :: 2], strict=True)]
    while len(alive) > 1:
        alive = [winner(a, b) for a, b in zip(alive[::2], alive[1::2], strict=True)]
    return alive[0]


def test_draws_are_the_same_for_the_same_seed():
    assert (round_robin_winners(ROCK, 50, 3) == round_robin_winners(ROCK, 50, 3)).all()
    assert (round_robin_winners(ROCK, 50, 3) != round_robin_winners(ROCK, 50, 4)).any()
    assert (knockout_winners(ROCK, 50, 3) == knockout_winners(ROCK, 50, 3)).all()


def test_errors_of_a_tournament_in_which_a_general_pseudo_inverse_fails():
    """Its smallest eigenvalue is a rounding error above the default cut-off of `numpy.linalg.pinv`."""
    game = pigevo.Pig()
    entries = [pigevo.hold_at(game, n) for n in range(16, 26)]
    result = pigevo.tournament(entries, games=100, seed=211)
    errors = bradley_terry(result.overall, 100).errors
    assert errors.max() == pytest.approx(0.0599, abs=2e-4)
    assert errors.min() == pytest.approx(0.0597, abs=2e-4)


@pytest.mark.parametrize("n", [2, 3, 20])
def test_errors_are_those_of_differences(n):
    """The information matrix without a player gives the covariance of the others' differences from that player."""
    rng = np.random.default_rng(n)
    for _ in range(40 if n == 20 else 5):
        games = int(rng.integers(1, 10_000))
        wins = np.triu(rng.binomial(games, 0.5, (n, n)), 1) / games
        overall = wins + np.tril(1 - wins.T, -1) + np.eye(n) / 2
        rated = bradley_terry(overall, games)
        gaps = rated.ratings[:, None] - rated.ratings
        information = -(games + 1) / (2 + 2 * np.cosh(gaps))
        np.fill_diagonal(information, 0.0)
        np.fill_diagonal(information, -information.sum(axis=1))
        covariance = np.zeros((n, n))
        covariance[1:, 1:] = np.linalg.inv(information[1:, 1:])
        centred = np.eye(n) - 1 / n
        assert rated.errors == pytest.approx(np.sqrt(np.diag(centred @ covariance @ centred)), rel=1e-8)
