"""What every reference algorithm must do, without asking: one file is found, registered and tried here."""

import numpy as np
import pytest

from pigevo.benchmark import instance, try_out
from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.answers import answer, dice_of
from pigevo.cli.choice_descriptions import sentences
from tests.cases import sample

PLACES = ["t10-d2-c2-exact", "t10-d2-c2-g10", "t10-d2-c2-exact-oracle", "t10-d2-c2-g10-oracle"]
EACH = pytest.mark.parametrize("name", list(ALGORITHMS))


@EACH
@pytest.mark.parametrize("place", sample(PLACES, 0, 3))
def test_it_spends_its_budget_on_every_kind_of_instance(name, place):
    one = instance(place)
    budget = 1500 * (one.games or 1)
    trial = try_out(ALGORITHMS[name].function, one, 1, budget, name=name)
    assert trial.spent[-1] > 0.5 * budget
    assert trial.spent[-1] <= budget


@EACH
def test_it_is_the_same_again_whatever_ran_before(name):
    place = instance("t10-d2-c2-g10")
    first = try_out(ALGORITHMS[name].function, place, 1, 6000)
    other = try_out(ALGORITHMS[name].function, place, 2, 6000)
    again = try_out(ALGORITHMS[name].function, place, 1, 6000)
    assert first.loss.tolist() == again.loss.tolist()
    assert first.champion.tolist() == again.champion.tolist()
    assert first.loss.tolist() != other.loss.tolist()


@EACH
def test_it_changes_nothing_that_it_has_handed_over(name):
    """What was asked and handed over is the benchmark's; an array that changes later would change the past."""
    place = instance("t10-d2-c2")
    problem = place.problem(1, 2000)
    algorithm = ALGORITHMS[name].function(problem)
    kept = []
    for number in range(4):
        question = algorithm.ask()
        assert (question.genomes.dtype, question.genomes.shape[1]) == (np.uint8, problem.genes)
        assert 0 <= question.pairs.min() <= question.pairs.max() < len(question.genomes)
        assert (question.pairs[:, 0] != question.pairs[:, 1]).all()
        wins = answer(place, question, dice_of(1, "", number))
        kept.append((question.genomes, question.genomes.copy(), question.pairs, question.pairs.copy()))
        algorithm.tell(wins)
        champion = algorithm.champion
        assert np.isin(champion, (0, 1)).all()
        kept.append((champion, champion.copy(), champion, champion.copy()))
    for one, was, other, had in kept:
        assert np.array_equal(one, was)
        assert np.array_equal(other, had)


@pytest.mark.parametrize("name", sample(list(ALGORITHMS), 0))
def test_it_learns(name):
    """With two thousand exact answers champions lose, and can be exploited, half as much as coins or less."""
    trials = [try_out(ALGORITHMS[name].function, instance("t10-d2-c2-exact"), seed, 2000) for seed in range(5)]
    for key in ("loss", "exploitability"):
        begin, end = (np.mean([getattr(one, key)[place] for one in trials]) for place in (0, -1))
        assert end < begin * (1 if name == "random_search" else 0.5)


@EACH
def test_it_is_described(name):
    assert len(sentences(ALGORITHMS[name])) > 30
