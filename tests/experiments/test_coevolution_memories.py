"""The study of co-evolution: what the dominance tournament and the Nash memory keep."""

import numpy as np
import pytest

import pigevo
from pigevo.benchmark.instances import Instance
from pigevo.studies.find import load_study

load_study("coevolution")
from pigevo_study_coevolution import memories, trials  # noqa: E402


def test_who_enters_the_dominance_tournament_beats_all_before():
    instance = Instance(10, 2, cube=2)
    algorithm, _ = trials.ended(memories.MEMORIES["dominance tournament"], instance, 1, 4000)
    dominant = algorithm._dominant
    assert len(dominant) > 3
    won = pigevo.win_matrix([instance.grid.strategy(one) for one in dominant])
    assert (won[np.tril_indices(len(dominant), -1)] > 0.5).all()
    np.testing.assert_array_equal(algorithm.champion, dominant[-1])


def test_the_best_of_a_generation_wants_to_enter_the_dominance_tournament():
    algorithm = memories.DominanceTournament(Instance(10, 2).problem(0, 1000), size=6)
    genomes, wins = algorithm.ask().genomes, np.array([0.3, 0.4, 0.8, 0.9, 0.7, 0.2])
    algorithm.tell(wins)
    question = algorithm.ask()
    np.testing.assert_array_equal(question.genomes, genomes[[3, 6]])
    assert question.pairs.tolist() == [[0, 1]]
    algorithm.tell(np.array([0.5]))  # a draw does not beat
    np.testing.assert_array_equal(algorithm.champion, genomes[6])
    np.testing.assert_array_equal(algorithm.ask().genomes[:3], genomes[[3, 2, 4]])


def test_the_loss_of_a_mixture_is_the_mean_of_its_strategies():
    key = ("t10-d2-c1-exact", "Nash memory", 1, 3000)
    instance = memories.INSTANCES[key[0]]
    algorithm, _ = trials.ended(memories.NashMemory, instance, 1, 3000)
    genomes, weights = algorithm.mixture
    best = pigevo.optimal(instance.game).strategy
    loss = sum(w * (0.5 - pigevo.win_probability(instance.grid.strategy(g), best).overall)
               for g, w in zip(genomes, weights, strict=True))  # fmt: skip
    assert memories.figures(key)["mixture loss"] == pytest.approx(loss, abs=1e-12)
