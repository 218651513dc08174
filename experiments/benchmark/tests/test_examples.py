"""The example algorithms of the documentation, which use other libraries, take part in the benchmark."""

import shutil

import pytest

from pigevo.experiments.benchmark import instance, try_out
from pigevo.experiments.benchmark.entrants import entrant
from tests.cases import sample
from tests.docs.pages import EXAMPLES

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
