"""The study of co-evolution: its worlds have the truth, and something to find."""

import numpy as np
import pytest

import pigevo
from pigevo.studies.find import load_study
from tests.experiments.coevolution import SMALL

load_study("coevolution")
from pigevo_study_coevolution import worlds  # noqa: E402


def test_a_world_has_the_truth():
    genomes = SMALL.everything()
    assert genomes.shape == (2**SMALL.genes, SMALL.genes)
    assert len(np.unique(genomes, axis=0)) == len(genomes)
    strategies = [SMALL.grid.strategy(one) for one in genomes]
    np.testing.assert_allclose(SMALL.matrix(genomes), pigevo.win_matrix(strategies), atol=1e-12)
    best = pigevo.optimal(SMALL.grid.game).strategy
    won = [pigevo.win_probability(one, best).overall for one in strategies]
    np.testing.assert_allclose(SMALL.against_optimum(genomes), won, atol=1e-12)
    assert SMALL.exploitability(SMALL.best) < 1e-12
    assert SMALL.exploitability(1 - SMALL.best) > 0.01


@pytest.mark.parametrize("world", [worlds.TEN, worlds.TWENTY, worlds.FORTY], ids=lambda one: one.name)
def test_in_every_world_there_is_something_to_find(world):
    assert 0.1 < world.best.mean() < 0.9
    assert world.exploitability(world.best) < 0.01
