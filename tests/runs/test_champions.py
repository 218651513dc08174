"""Champions of a run's past."""

import numpy as np
import pytest

from pigevo import load_run
from pigevo.runs import run
from pigevo.runs.champions import champions_of
from pigevo.settings import Settings


@pytest.mark.parametrize(
    "fitness", [("fitness=exact_vs_optimal",), ("fitness=archive", "fitness.every=2"), ("fitness=archive_games",)]
)
def test_they_are_the_best_by_the_runs_own_fitness(as_overrides, tmp_path, fitness):
    waves = ("cubes=waves", "cubes.sizes=[6,3]", "cubes.generations=[3,3]")
    words = [word for word in as_overrides(*waves) if not word.startswith("fitness")]
    settings = Settings.of(*words, "replacement=survivors_and_offspring", "selection=truncation_tenth", *fitness)
    run(settings, tmp_path / "run")
    found = champions_of(settings.plan, every=2)
    assert list(found) == [2, 3, 4, 6]
    assert np.array_equal(found[6].roll, load_run(tmp_path / "run").champion.roll)
