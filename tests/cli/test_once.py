"""A config is composed, checked and planned once: how often a command does so is counted."""

import functools
from collections import Counter

import pytest

import pigevo as package
from pigevo.settings.settings import Settings
from pigevo.sweeps.job import FINISHED, JobOutcome

SMALL = "game.target=12 population.size=6 fitness.games=10"


@pytest.fixture
def counts(kernels_stay, monkeypatch):
    """How often Hydra composed, settings were read, and a plan was made and tried out."""
    counts = Counter()

    def counting(name, function):
        @functools.wraps(function)
        def called(*arguments, **options):
            counts[name] += 1
            return function(*arguments, **options)

        return called

    from pigevo.settings import compose, settings

    compose._packaged.cache_clear()  # as in a new process
    monkeypatch.setattr(compose, "compose", counting("composed", compose.compose))
    monkeypatch.setattr(Settings, "read", staticmethod(counting("read", Settings.read)))
    monkeypatch.setattr(settings, "try_out", counting("planned", settings.try_out))
    return counts


def test_a_run_is_composed_checked_and_planned_once_and_no_command_composes_it_again(answer, counts):
    answer(f"experiment=cube_random debug=fast hydra.run.dir=run {SMALL}")
    assert counts == {"composed": 1, "read": 1, "planned": 1}
    for command in ("resume run", "verify run", "replay run --generation 1 --pairing 0 --game 0"):
        counts.clear()
        answer(command)
        assert (counts["composed"], counts["read"]) == (0, 1)
        assert counts["planned"] <= 1


def test_a_run_from_python_too(counts, tmp_path):
    package.evolve("cube_random", "debug=fast", *SMALL.split(), folder=tmp_path / "run")
    assert counts == {"composed": 1, "read": 1, "planned": 1}


@pytest.mark.parametrize(
    ("words", "composed", "planned"),
    [
        ("experiment=cube_random mutation=0.005 seed=range(10)", 1, 1),
        (f"mutation=0.1,0.2 seed=range(5) {SMALL}", 1, 2),
        (f"crossover=blocks,fitter_parent seed=range(5) {SMALL}", 3, 2),  # and what the folders' names are made from
    ],
)
def test_a_sweep_composes_once_a_choice_and_plans_once_a_setting(answer, counts, monkeypatch, words, composed, planned):
    run_jobs = lambda jobs, workers, on_outcome: [JobOutcome(job, FINISHED) for job in jobs]  # noqa: E731
    monkeypatch.setattr("pigevo.sweeps.run_sweep.run_jobs", run_jobs)
    answer(f"-m debug=fast {words}")
    assert counts["composed"] <= composed
    assert counts["planned"] == planned
    assert counts["read"] <= 10


def test_nothing_is_composed_again_in_a_study(tmp_path, counts):
    from pigevo.experiments.common.settings import jobs_of

    jobs = jobs_of({"a": f"experiment=cube_random debug=fast {SMALL}"}, 10, tmp_path)
    assert len({job.settings.hash for job in jobs["a"]}) == 10
    assert all(job.settings.plan.seed == seed for seed, job in enumerate(jobs["a"]))
    assert counts["composed"] <= 2
    assert (counts["read"], counts["planned"]) == (1, 1)
