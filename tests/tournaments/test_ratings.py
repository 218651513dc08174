"""Standard errors of Bradley-Terry ratings."""

import numpy as np
import pytest

import pigevo
from pigevo.tournaments.ratings import bradley_terry


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
