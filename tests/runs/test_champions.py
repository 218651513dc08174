"""Champions of a run's past."""

import pytest

from pigevo import load_run, optimal, win_probability
from pigevo.config import check, compose
from pigevo.evolve.plan import plan_from
from pigevo.runs import run
from pigevo.runs.champions import champions_of


@pytest.mark.parametrize("judge", [("fitness=exact_vs_optimal",), ("fitness=archive", "fitness.every=2")])
def test_they_are_the_best_by_the_runs_own_judge(small, tmp_path, judge):
    waves = ("cubes=waves", "cubes.sizes=[6,3]", "cubes.generations=[3,3]")
    words = [word for word in small if not word.startswith("fitness")]
    config = check(compose([*words, "replacement=survivors_and_offspring", "selection=elite", *waves, *judge]))
    run(config, tmp_path / "run")
    found = champions_of(plan_from(config), every=2)
    assert list(found) == [2, 3, 4, 6]
    last = load_run(tmp_path / "run").champion
    assert found[6].game == last.game
    if "exact" in judge[0]:  # of members that are equally good, either may be named
        best = optimal(last.game).strategy
        found_last, own = (win_probability(champion, best).overall for champion in (found[6], last))
        assert found_last == pytest.approx(own, abs=1e-12)
        first, later = (win_probability(found[n], best).overall for n in (2, 6))
        assert later >= first
