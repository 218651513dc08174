"""The study of co-evolution: the gradient that is left between unequal opponents."""

import itertools

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.studies.find import load_study

load_study("coevolution")
from pigevo_study_coevolution import disengagement, worlds  # noqa: E402


def test_results_are_means_of_all_pairs():
    learners, opponents = Draw(0, "population").bits(3, 550), Draw(1, "population").bits(2, 550)
    strategies = [worlds.TWENTY.grid.strategy(one) for one in (*learners, *opponents)]
    means = [np.mean([pigevo.win_probability(a, b).overall for b in strategies[3:]]) for a in strategies[:3]]
    np.testing.assert_allclose(disengagement.results(learners, opponents), means, atol=1e-12)


def test_the_gradient_by_all_outcomes(monkeypatch):
    monkeypatch.setattr(disengagement, "GAMES", 3)
    fitness, alike, right = np.array([0.2, 0.6]), 0.0, 0.0
    for a, b in itertools.product(range(4), repeat=2):
        p = stats.binom.pmf(a, 3, 0.2) * stats.binom.pmf(b, 3, 0.6)
        alike += p * (a == b)
        right += p * (1.0 if b > a else 0.5 if b == a else 0.0)
    found = disengagement.gradient(fitness, np.array([1.0, 2.0]))
    assert found["all alike"] == pytest.approx(alike)
    assert found["right"] == pytest.approx(right)
    assert found["spread"] == pytest.approx(0.2)
    assert found["rank"] == pytest.approx(1)


def test_learners_become_stronger_and_keep_their_better_half():
    learners, opponents = (
        Draw(0, "population").bits(6, 550),
        worlds.mutants(worlds.TWENTY.best, 3, 0.2, Draw(0, "dice")),
    )
    once = disengagement.evolved(learners, opponents, 1, 0, 0)
    order = np.argsort(-disengagement.results(learners, opponents))
    np.testing.assert_array_equal(once[:3], learners[order[:3]])
    later = disengagement.evolved(learners, opponents, 10, 0, 0)
    assert disengagement.results(later, opponents).mean() > disengagement.results(learners, opponents).max()
