"""Champions of a run's past."""

import numpy as np
import pytest

from pigevo import load_run
from pigevo.config import check, compose
from pigevo.evolution.plan import plan_from
from pigevo.runs import run
from pigevo.runs.champions import champions_of


@pytest.mark.parametrize(
    "judge", [("fitness=exact_vs_optimal",), ("fitness=archive", "fitness.every=2"), ("fitness=archive_games",)]
)
def test_they_are_the_best_by_the_runs_own_judge(small, tmp_path, judge):
    waves = ("cubes=waves", "cubes.sizes=[6,3]", "cubes.generations=[3,3]")
    words = [word for word in small if not word.startswith("fitness")]
    config = check(compose([*words, "replacement=survivors_and_offspring", "selection=elite", *waves, *judge]))
    run(config, tmp_path / "run")
    found = champions_of(plan_from(config), every=2)
    assert list(found) == [2, 3, 4, 6]
    assert np.array_equal(found[6].roll, load_run(tmp_path / "run").champion.roll)
