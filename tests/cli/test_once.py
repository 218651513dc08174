"""What a command does once, it does once: composing, checking and planning are counted."""

import functools
from collections import Counter

import pytest

import pigevo as package
from pigevo.settings.settings import Settings
from pigevo.sweeps.job import FINISHED, Outcome

SMALL = "game.target=12 population.size=6 fitness.games=10"


@pytest.fixture(autouse=True)
def _no_pictures(no_pictures, monkeypatch, tmp_path):
    from pigevo.compiled.cache import cache_folder

    cache_folder()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def counted(monkeypatch):
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


def test_a_run_is_composed_checked_and_planned_once_and_no_command_composes_it_again(pigevo, counted):
    assert pigevo(f"experiment=cube_random debug=fast hydra.run.dir=run {SMALL}").status == 0
    assert counted == {"composed": 1, "read": 1, "planned": 1}
    for command in ("resume run", "verify run", "replay run --generation 1 --pairing 0 --game 0"):
        counted.clear()
        assert pigevo(command).status == 0
        assert counted["composed"] == 0
        assert counted["read"] == 1
        assert counted["planned"] <= 1


def test_a_run_from_python_too(pigevo, counted, tmp_path):
    package.evolve("cube_random", "debug=fast", *SMALL.split(), folder=tmp_path / "run")
    assert counted == {"composed": 1, "read": 1, "planned": 1}


@pytest.fixture
def done_at_once(monkeypatch):
    """The pool says that all runs are finished, and keeps what it was told of them."""
    from pigevo.sweeps.job import job_record

    jobs = []

    def run_jobs(given, workers, on_outcome):
        jobs.extend(job_record(job) for job in given)
        return [Outcome(job, FINISHED) for job in given]

    monkeypatch.setattr("pigevo.sweeps.pool.run_jobs", run_jobs)
    return jobs


def test_a_sweep_of_ten_seeds_composes_and_plans_once(pigevo, counted, done_at_once):
    assert pigevo("-m experiment=cube_random mutation=0.005 debug=fast seed=range(10)").status == 0
    assert len(done_at_once) == 10
    assert (counted["composed"], counted["planned"]) == (1, 1)
    assert counted["read"] <= 10
    counted.clear()
    package.sweep("cube_random", "debug=fast", mutation=0.005, seed=range(10))
    assert len(done_at_once) == 20
    assert (counted["composed"], counted["planned"]) == (0, 1)


def test_a_sweep_over_numbers_composes_once_and_over_choices_once_each(pigevo, counted, done_at_once):
    assert pigevo(f"-m debug=fast mutation=0.1,0.2 seed=range(5) {SMALL}").status == 0
    assert (counted["composed"], counted["planned"]) == (1, 2)
    counted.clear()
    assert pigevo(f"-m debug=fast crossover=blocks,fitter_parent seed=range(5) {SMALL}").status == 0
    assert counted["composed"] <= 3  # and what the folders' names are told from
    assert counted["planned"] == 2


def test_nothing_is_composed_again_in_a_study(tmp_path, counted):
    from pigevo.studies.settings import jobs_of

    jobs = jobs_of({"a": f"experiment=cube_random debug=fast {SMALL}"}, 10, tmp_path)
    assert len({job.settings.hash for job in jobs["a"]}) == 10
    assert all(job.settings.plan.seed == seed for seed, job in enumerate(jobs["a"]))
    assert counted["composed"] <= 2
    assert (counted["read"], counted["planned"]) == (1, 1)
