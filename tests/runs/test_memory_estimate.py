"""Large populations: the memory of a run is estimated, and the matches that name the champion have a budget."""

import logging
import resource
import subprocess
import sys
import time

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.core import machine
from pigevo.errors import InputError
from pigevo.evolution import loop, plan
from pigevo.evolution.toolbox import toolbox_of
from pigevo.runs import run, stepper
from pigevo.runs.stepper import bytes_needed
from pigevo.settings.settings import Settings
from pigevo.sweeps.job import Job
from pigevo.sweeps.run_sweep import jobs_at_once
from tests.small import environment_of_a_process, small_settings, small_words

TAKING = [
    ("population=random", "population.size=200", "generations=1", "selection=knockout", "fitness.games=2"),
    ("population=random", "population.size=500", "generations=2", "replacement=mu_plus_lambda", "selection=mu_best",
     "selection.mu=100", "fitness.games=2"),
    ("population=random", "population.size=200", "generations=2", "lineage=true", "fitness.games=2"),
    ("experiment=rediscover", "population.size=100", "cubes.sizes=[1]", "cubes.generations=[1]"),
    ("game=ten_rounds", "population=random", "population.size=40", "generations=1", "fitness.games=2"),
]  # fmt: skip
MEASURED = """
import sys, pigevo
from tests.bench.child import peak_of_process
pigevo.evolve(*sys.argv[1:])
print(peak_of_process())
"""


def taken(words):
    """The peak of a process that makes a run, in bytes."""
    process = [sys.executable, "-c", MEASURED, *words]
    done = subprocess.run(process, capture_output=True, text=True, check=True, env=environment_of_a_process())
    return int(done.stdout)


@pytest.mark.long
@pytest.mark.parametrize("words", TAKING, ids=" ".join)
def test_it_is_more_than_is_taken_and_less_than_twice(words):
    words = [*words, "baseline=none", "workers=1"]
    assert 1 < bytes_needed(Settings.of(*words)) / taken(words) < 2


@pytest.mark.slow
def test_the_largest_population_of_cubes_takes_less_than_700_megabytes():
    words = ["cubes=waves", "cubes.sizes=[10]", "cubes.generations=[2]", "fitness.games=2", "record_every=2",
             "baseline=none", "workers=1"]  # fmt: skip
    taken([*words, "population.size=3000"])  # compiles what is not in the cache, which takes memory of its own
    assert taken([*words, "population.size=10000"]) < 700 << 20


def test_it_grows_with_what_makes_it_grow():
    small = {"population": "random", "population.size": 50, "generations": 1, "baseline": "none"}
    for larger in ({"population.size": 500}, {"game.target": 200}):
        assert bytes_needed(Settings.of(**small | larger)) > bytes_needed(Settings.of(**small))


@pytest.fixture
def little(monkeypatch):
    """A machine with hardly any memory left."""
    monkeypatch.setattr(machine, "available_memory", lambda: 50 << 20)


def test_nothing_is_begun_that_would_need_more(little, tmp_path, capsys):
    message = r"a run with a population of 6 needs about \d+ MB of memory, and there is 52.4 MB"
    with pytest.raises(InputError, match=message):
        run(small_settings(), tmp_path / "run")
    with pytest.raises(InputError, match=message):
        pigevo.evolve(*small_words())
    with pytest.raises(InputError, match=message):
        pigevo.generations(*small_words())
    assert main([*small_words(), f"hydra.run.dir={tmp_path / 'run'}"]) == 2
    assert "needs about" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_finished_run_is_shown_all_the_same(tmp_path, monkeypatch):
    done = run(small_settings(), tmp_path / "run")
    monkeypatch.setattr(machine, "available_memory", lambda: 0)
    assert run(small_settings(), tmp_path / "run") == done


def test_fewer_runs_at_a_time_where_memory_is_short(tmp_path, monkeypatch, caplog):
    jobs = [Job(small_settings(f"seed={seed}"), tmp_path / str(seed)) for seed in range(4)]
    needed = bytes_needed(jobs[0].settings)
    for there, runs in ((1.5 * needed, 1), (3.5 * needed, 3), (9 * needed, 4), (None, 4)):
        left = None if there is None else int(there)
        monkeypatch.setattr("pigevo.sweeps.run_sweep.available_memory", lambda left=left: left)
        assert jobs_at_once(jobs, 4) == runs
    assert "3 runs at a time: one needs" in caplog.text


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "RLIMIT_AS"), reason="of POSIX")
def test_a_process_that_may_take_little_ends_in_one_sentence(tmp_path):
    """Whatever asks for more than `ulimit -v` lets it have."""
    code = (
        "import resource, sys; from pigevo.cli import main;"
        "resource.setrlimit(resource.RLIMIT_AS, (2 * 10**9,) * 2);"
        "sys.exit(main(['experiment=cube_random', 'population.size=5000', 'selection=round_robin']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environment_of_a_process()
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "needs about" in line
    assert list(tmp_path.iterdir()) == []
    assert stepper.ALWAYS < 2 * 10**9


WORDS = {
    "game.target": 12, "population.size": 20, "generations": 2, "fitness.games": 10, "baseline": "random_search",
    "baseline.populations": 2,
}  # fmt: skip
FEW = 8


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(plan, "MOST_FINALISTS", FEW)


def test_the_best_by_the_matches_of_selection_meet_each_other(few):
    generations = list(loop.generations(Settings.of(**WORDS).plan, loop.first_state(Settings.of(**WORDS).plan)))
    last = generations[-1]
    order, evaluation = last.final_order
    tools = toolbox_of(last.plan, last.state.wave)
    before = tools.evaluate(last.genomes, last.number, last.state.memory)
    among = np.unique(evaluation.pairs)
    assert len(evaluation.pairs) == FEW * (FEW - 1) // 2
    assert len(among) == FEW
    assert before.scores[among].min() >= np.delete(before.scores, among).max()
    assert set(order[:FEW]) == set(among)
    assert evaluation.scores[order[0]] == evaluation.scores[among].max()


def test_the_matches_are_announced_and_counted_and_the_run_can_be_made_again(few, caplog, tmp_path, monkeypatch):
    real = loop.final_evaluation
    monkeypatch.setattr(loop, "final_evaluation", lambda *last: (time.sleep(0.2), real(*last))[1])
    with caplog.at_level(logging.INFO):
        run = pigevo.evolve(**WORDS, folder=tmp_path / "run")
    assert f"only the best {FEW} of the last generation" in caplog.text
    assert "which takes 280 games" in caplog.text
    assert run.result["champion_games"] == 10 * (10 + FEW * (FEW - 1) // 2)
    assert run.result["games"] == 2 * 100 + run.result["champion_games"]
    assert run.result["seconds"] >= 0.2
    assert pigevo.evolve(**WORDS).result["digest"] == run.result["digest"]


@pytest.mark.parametrize(
    ("words", "whole"), [({}, False), ({"selection": "truncation"}, True), ({"fitness": "exact_vs_optimal"}, True)]
)
def test_all_meet_where_selection_lets_them_or_nobody_meets(few, words, whole):
    assert Settings.of(**{"population.size": 20, **words}).plan.all_are_finalists == whole


def test_members_that_are_scored_alone_get_no_pairs_and_the_same_champion_as_with_them(few, monkeypatch):
    words = {key: value for key, value in WORDS.items() if key != "fitness.games"} | {"fitness": "exact_vs_optimal"}
    alone, found = Settings.of(**words).plan, pigevo.evolve(**words)
    last = loop.final_evaluation(alone, loop.first_state(alone))
    monkeypatch.setattr(plan, "MOST_FINALISTS", 20)
    paired = loop.final_evaluation(alone, loop.first_state(alone))
    assert (len(last.pairs), len(paired.pairs)) == (0, 190)
    assert np.array_equal(last.scores, paired.scores)
    assert pigevo.evolve(**words).result["champion"] == found.result["champion"]


def test_of_an_ordinary_population_all_meet():
    assert Settings.of(**WORDS).plan.champion_matches == 190
