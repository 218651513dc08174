"""The study of co-evolution: how far an estimate by some opponents misses, beside the binomial law."""

import itertools

import numpy as np
import pytest
from scipy import stats

from pigevo.studies.find import load_study
from tests.experiments.coevolution import SMALL

load_study("coevolution")
from pigevo_study_coevolution import generalised  # noqa: E402

LEVEL = 1e-4


def test_the_chance_that_games_miss_by_an_error():
    for mean, games, error in ((0.3, 5, 0.15), (0.55, 8, 0.1), (0.5, 10, 0.1), (0.05, 4, 0.2)):
        chance = sum(
            np.prod([mean if won else 1 - mean for won in results])
            for results in itertools.product((0, 1), repeat=games) if abs(sum(results) / games - mean) > error + 1e-9
        )  # fmt: skip
        assert generalised.missing(np.array([mean]), games, error) == pytest.approx(chance)


def test_the_fewest_games_miss_seldom_enough():
    mean = np.array([0.4, 0.5])
    games = generalised.needed_games(mean, 0.2)
    assert (generalised.missing(mean, games, 0.2) <= 0.05).all()
    assert all((generalised.missing(mean, fewer, 0.2) > 0.05).any() for fewer in range(1, games))


def test_chebyshev_holds_and_estimates_are_right_on_average(monkeypatch):
    monkeypatch.setattr(generalised, "WORLDS", {"small": SMALL})
    monkeypatch.setattr(generalised, "LEARNERS", 4)
    generalised.truth.cache_clear()
    _, matrix = generalised.truth("small")
    found = generalised.figures(("small", 10, 0))
    for error in generalised.ERRORS:
        assert found[f"mean {error}"] <= found[f"most {error}"]
        assert found[f"most {error}"] <= generalised.chebyshev(matrix.var(axis=1).max(), 10, error) + 0.1
    exact = generalised.whole(("small", 0))
    assert exact["variance"] == pytest.approx(matrix.var(axis=1).max())
    assert exact["champion exploitability"] < 1e-12
    assert exact["best mean"] == pytest.approx(matrix.mean(axis=1).max())
    generalised.truth.cache_clear()


def test_an_estimate_misses_as_often_as_it_does(monkeypatch):
    """Two results, equally often: the mean of n of them is binomial."""
    fair = np.array([[0.0, 1.0]] * 2)
    monkeypatch.setattr(generalised, "truth", lambda _: (None, fair))
    monkeypatch.setattr(generalised, "LEARNERS", 2)
    shares = [generalised.figures(("any", 10, seed))["mean 0.1"] for seed in range(10)]
    missed = round(sum(shares) * generalised.SAMPLES)
    chance = float(generalised.missing(np.array([0.5]), 10, 0.1)[0])
    assert stats.binomtest(missed, 10 * generalised.SAMPLES, chance).pvalue > LEVEL
