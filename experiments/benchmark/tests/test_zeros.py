"""The best genome known of a grid is a local optimum, and an algorithm that has it reaches all targets."""

import numpy as np
import pytest

import pigevo
from pigevo.experiments.benchmark import Question, try_out
from pigevo.experiments.benchmark.instances import SUITES, instance
from pigevo.experiments.benchmark.statistics import area
from pigevo.experiments.benchmark.zeros import BEST_KNOWN, JUDGES, LEAST, descend, neighbours, pair_gain, zero

QUICK = ("t20-d3-c2", "piglet-t20-c2")
PLACES = [
    pytest.param(f"{name} {by}", marks=() if by == "loss" and name in QUICK else pytest.mark.slow)
    for name, by in BEST_KNOWN
]


def figures(name, by, genomes):
    """By the public functions of the package, one genome at a time."""
    grid = instance(name).grid
    best, strategies = pigevo.optimal(grid.game).strategy, [grid.strategy(genome) for genome in genomes]
    if by == "loss":
        return np.array([0.5 - pigevo.win_probability(strategy, best).overall for strategy in strategies])
    return np.array([pigevo.best_response(strategy).overall - 0.5 for strategy in strategies])


@pytest.mark.parametrize("words", PLACES)
def test_no_other_choice_of_one_gene_is_better_than_the_best_genome_known(words):
    """Every gene is flipped, or every 25th where that takes long."""
    name, by = words.split()
    best, place = zero(instance(name), by), instance(name)
    assert best.figure == pytest.approx(figures(name, by, [best.genome])[0], abs=1e-12)
    genes = slice(None) if by == "loss" else slice(None, None, 25)
    assert JUDGES[by](place.grid)(neighbours(best.genome)[genes]).min() >= best.figure - LEAST
    assert (best.proof == "optimal") == (best.figure < LEAST)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for (name, by), (_, proof) in BEST_KNOWN.items() if proof == "two"])
def test_no_other_choices_of_two_genes_are_better(name):
    place = instance(name)
    assert pair_gain(JUDGES["loss"](place.grid), zero(place, "loss").genome) < LEAST


def test_where_a_gene_is_a_cell_the_zero_is_the_optimum():
    for by in JUDGES:
        best = zero(instance("t9-d3"), by)
        assert (best.figure, best.proof) == (0, "optimal")


def test_an_unknown_zero_is_computed_and_better_than_most_decisions_of_the_optimum():
    place = instance("t15-d2-c3")
    begin = place.grid.from_strategies([pigevo.optimal(place.game).strategy])[0]
    for by in JUDGES:
        best = zero(place, by)
        assert best.proof == "one"
        assert best.figure < figures("t15-d2-c3", by, [begin])[0] - 1e-4
        assert figures("t15-d2-c3", by, neighbours(best.genome)).min() >= best.figure - LEAST


def test_descent_on_a_sum_of_bits_finds_the_least():
    weights = np.array([3.0, -1.0, 2.0, -5.0])
    assert descend(lambda genomes: genomes @ weights, np.array([1, 0, 0, 0], np.uint8)).tolist() == [0, 1, 0, 1]
    both = lambda genomes: np.where(genomes[:, 0] == genomes[:, 1], -1.0 * genomes[:, 0], 1.0)  # noqa: E731
    begin = np.zeros(2, np.uint8)
    assert descend(both, begin).tolist() == [0, 0]  # each alone is worse, and both together better by 1
    assert pair_gain(both, begin) == 1


@pytest.mark.parametrize("name", sorted({name for names in SUITES.values() for name in names if "-c1-" not in name}))
def test_a_perfect_entrant_has_an_area_of_1(name):
    place = instance(name)
    best = zero(place, "loss")

    class Perfect:
        def __init__(self, problem):
            self.genomes, self.done = np.vstack([best.genome] * 2), False

        def ask(self):
            pairs = np.empty((0, 2), int) if self.done else np.array([[0, 1]])
            return Question(self.genomes, pairs)

        def tell(self, wins):
            self.done = True

        champion = property(lambda self: self.genomes[0])

    trial = try_out(Perfect, place)
    assert area([trial], "loss", place.games or 1, best.figure)[0] == 1
