"""What every algorithm must do, registered or an example of the documentation that uses other libraries."""

import shutil

import numpy as np
import pytest

from pigevo.cli.choice_descriptions import sentences
from pigevo.experiments.benchmark import instance, try_out
from pigevo.experiments.benchmark.algorithms import ALGORITHMS
from pigevo.experiments.benchmark.answers import answer, dice_of
from pigevo.experiments.benchmark.entrants import entrant
from tests.cases import sample
from tests.docs.pages import EXAMPLES

PLACES = ["t10-d2-c2-exact", "t10-d2-c2-g10", "t10-d2-c2-exact-oracle", "t10-d2-c2-g10-oracle"]
EVERY_ALGORITHM = pytest.mark.parametrize("name", list(ALGORITHMS))


@EVERY_ALGORITHM
@pytest.mark.parametrize("place", sample(PLACES, 0, 3))
def test_it_spends_its_budget_on_every_kind_of_instance(name, place):
    budget = 1500 * (instance(place).games or 1)
    trial = try_out(ALGORITHMS[name].function, instance(place), 1, budget, name=name)
    assert 0.5 * budget < trial.spent[-1] <= budget


@EVERY_ALGORITHM
def test_it_is_the_same_again_whatever_ran_before(name):
    place = instance("t10-d2-c2-g10")
    first = try_out(ALGORITHMS[name].function, place, 1, 6000)
    other = try_out(ALGORITHMS[name].function, place, 2, 6000)
    again = try_out(ALGORITHMS[name].function, place, 1, 6000)
    assert first.loss.tolist() == again.loss.tolist()
    assert first.champion.tolist() == again.champion.tolist()
    assert first.loss.tolist() != other.loss.tolist()


@EVERY_ALGORITHM
def test_it_changes_nothing_that_it_has_handed_over(name):
    place = instance("t10-d2-c2")
    problem = place.problem(1, 2000)
    algorithm = ALGORITHMS[name].function(problem)
    arrays = []
    for number in range(4):
        question = algorithm.ask()
        assert (question.genomes.dtype, question.genomes.shape[1]) == (np.uint8, problem.genes)
        assert 0 <= question.pairs.min() <= question.pairs.max() < len(question.genomes)
        assert (question.pairs[:, 0] != question.pairs[:, 1]).all()
        wins = answer(place, question, dice_of(1, "", number))
        arrays += [(array, array.copy()) for array in (question.genomes, question.pairs)]
        algorithm.tell(wins)
        champion = algorithm.champion
        assert np.isin(champion, (0, 1)).all()
        arrays.append((champion, champion.copy()))
    for array, former in arrays:
        assert np.array_equal(array, former)


@pytest.mark.parametrize("name", sample(list(ALGORITHMS), 0))
def test_it_learns(name):
    """After two thousand exact answers loss and exploitability are at most half of those of random genomes."""
    trials = [try_out(ALGORITHMS[name].function, instance("t10-d2-c2-exact"), seed, 2000) for seed in range(5)]
    for key in ("loss", "exploitability"):
        begin, end = (np.mean([getattr(trial, key)[place] for trial in trials]) for place in (0, -1))
        assert end < begin * (1 if name == "random_search" else 0.5)


@EVERY_ALGORITHM
def test_it_is_described(name):
    assert len(sentences(ALGORITHMS[name])) > 30


FILES = {"bare_loop.py": "OneCommaTen", "with_deap.py": "Deap", "with_pymoo.py": "Pymoo"}


@pytest.fixture
def make(request, tmp_path, monkeypatch):
    if request.param == "with_pymoo.py":
        pytest.importorskip("pymoo")
    shutil.copy(EXAMPLES / request.param, tmp_path)
    monkeypatch.chdir(tmp_path)
    return entrant(f"{request.param}:{FILES[request.param]}").make


@pytest.mark.slow
@pytest.mark.parametrize("make", FILES, indirect=True)
def test_it_learns_and_is_the_same_again(make):
    place = instance("t10-d2-c2-exact")
    trials = [try_out(make, place, seed, 2000) for seed in (1, 2, 3)]
    again = try_out(make, place, 3, 2000)
    assert again.loss.tolist() == trials[-1].loss.tolist()
    assert sum(trial.loss[-1] for trial in trials) < 0.8 * sum(trial.loss[0] for trial in trials)
    assert min(trial.spent[-1] for trial in trials) > 1800


@pytest.mark.parametrize("make", sample(FILES, 0), indirect=True)
def test_it_takes_part_where_there_are_games(make):
    trial = try_out(make, instance("t10-d2-c2-g10-oracle"), 1, 10_000)
    assert trial.spent[-1] > 8000
