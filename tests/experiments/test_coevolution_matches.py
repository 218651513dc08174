"""The study of co-evolution: games in a match, and the size of a population."""

import itertools

import numpy as np
import pytest

import pigevo
from pigevo.benchmark.instances import Instance
from pigevo.studies.find import load_study

load_study("coevolution")
from pigevo_study_coevolution import matches, trials  # noqa: E402


def test_slopes_are_least_squares():
    sizes = {4: np.array([1.0, 5.0]), 8: np.array([3.0, 4.0]), 16: np.array([4.0, 1.0])}
    expected = [np.polyfit([2, 3, 4], [one[seed] for one in sizes.values()], 1)[0] for seed in range(2)]
    np.testing.assert_allclose(matches.slope(sizes), expected)


def test_a_population_spends_its_games(monkeypatch):
    monkeypatch.setattr(matches, "GENERATIONS", 2)
    seen = []
    monkeypatch.setattr(
        matches, "_ended", lambda kind, instance, size, budget, seed: seen.append((instance.games, size, budget))
    )
    matches.by_size(("winners stay", 1280, 64, 0))
    matches.by_size(("winners stay", 0, 64, 0))
    assert seen == [(40, 64, 2560), (0, 64, 64)]
    for size, spent in itertools.product(matches.SIZES, matches.PER_GENERATION):
        assert spent % (size // 2) == 0
        assert spent // (size // 2) % 2 == 0


def test_the_loss_of_a_population_is_the_mean_of_its_members():
    instance = Instance(10, 2, cube=2)
    algorithm, _ = trials.ended(matches.Knockout, instance, 0, 100)
    best = pigevo.optimal(instance.game).strategy
    members = [instance.grid.strategy(one) for one in algorithm.population]
    loss = 0.5 - np.mean([pigevo.win_probability(one, best).overall for one in members])
    assert trials.population_loss(algorithm, instance) == pytest.approx(loss, abs=1e-12)
