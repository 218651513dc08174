"""A user's own algorithm works in its own process, which knows only the problem and the answers."""

import json
import os
import shutil
import textwrap
import threading
import time
from pathlib import Path

import pytest

from experiments.benchmark.tests.entrants import Mutants
from pigevo.errors import InputError
from pigevo.experiments.benchmark import instance, try_out
from pigevo.experiments.benchmark.bench import benchmark
from pigevo.experiments.benchmark.entrants import entrant
from pigevo.workers.pool import Worker, WorkerDied

OWN = """
    import json
    import os
    import sys
    from pathlib import Path

    import numpy as np

    import pigevo
    from pigevo.experiments.benchmark import Question
    from entrants import Mutants

    class Looking(Mutants):
        trials = 0

        def __init__(self, problem):
            super().__init__(problem)
            Looking.trials += 1
            known = sorted(name for name in dir(problem) if not name.startswith("_"))
            heavy = [name for name in sys.modules if name.startswith(("pigevo.exact", "pigevo.simulation", "pigevo.games"))]
            saw = {"known": known, "loaded": heavy, "trials": self.trials, "process": os.getpid()}
            Path(f"saw{problem.seed}.json").write_text(json.dumps(saw))

    class Optimal(Mutants):
        def tell(self, wins):
            super().tell(wins)
            self.optimum = pigevo.optimal(pigevo.Pig(target=9, sides=3))

    class Playing(Mutants):
        def __init__(self, problem):
            super().__init__(problem)
            from pigevo.simulation import play_pairs
"""
FAILING = """
    import os
    from pathlib import Path

    def reading(problem):
        input()

    def writing(problem):
        os.write(1, b'["answer", 1]')
        raise ValueError("wrong")

    def leaving(problem):
        raise GeneratorExit

    def interrupting(problem):
        raise KeyboardInterrupt

    def ending(problem):
        os._exit(7)

    def cancelled(problem):
        raise __import__("asyncio").CancelledError("by itself")

    class Looping:
        def __init__(self, problem):
            Path("writing").write_text(str(os.getpid()))
            Path("writing").rename("begun")
            while True:
                pass
"""
PLACE = instance("t9-d3-g10")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")  # more threads of its processes would only wait, and busily
    shutil.copy(Path(__file__).with_name("entrants.py"), tmp_path)
    (tmp_path / "mine.py").write_text(textwrap.dedent(OWN))
    return tmp_path


def trial(name, seed=1, **options):
    own = entrant(f"mine.py:{name}")
    return try_out(own.make, PLACE, seed, 500, name=own.name, **options)


def test_it_has_the_problem_in_a_new_process_for_each_trial_and_neither_game_nor_referee():
    benchmark("mine.py:Looking", PLACE.name, seeds=2, budget=500, workers=1)
    records = [json.loads(Path(f"saw{seed}.json").read_text()) for seed in (0, 1)]
    answers = ["budget", "cost", "draw", "games", "genes", "opponent", "pairs", "seed", "start", "unit"]
    assert [record["known"] for record in records] == [answers] * 2
    assert [record["loaded"] for record in records] == [[], []]
    assert [record["trials"] for record in records] == [1, 1]  # nothing is carried from one trial to the next
    assert len({os.getpid(), *(record["process"] for record in records)}) == 3


@pytest.mark.parametrize(
    ("name", "engine"),
    [pytest.param("Optimal", "pigevo.exact", marks=pytest.mark.slow), ("Playing", "pigevo.simulation")],
)
def test_one_that_computes_or_plays_games_by_itself_is_refused(name, engine):
    with pytest.raises(InputError, match=rf"^mine.py:{name} loads {engine}.*rules of entry.*\(t9-d3-c1-g10\)\.$"):
        trial(name)


def test_its_trial_is_that_of_the_same_algorithm_in_this_process():
    apart, beside = trial("Mutants"), try_out(Mutants, PLACE, 1, 500)
    assert apart.loss.tolist() == beside.loss.tolist()
    assert apart.champion.tolist() == beside.champion.tolist()


@pytest.mark.parametrize(
    ("name", "reason"),
    [("reading", r"a function here may not ask with input\(\)"), ("writing", "ValueError: wrong"), ("leaving", "GeneratorExit"),
     ("cancelled", "CancelledError: by itself"), ("interrupting", "KeyboardInterrupt"),
     ("ending", "it has ended the process that it works in, with exit status 7.")],
)  # fmt: skip
def test_whatever_one_does_to_its_process_is_told(here, name, reason):
    (here / "mine.py").write_text(textwrap.dedent(FAILING))
    with pytest.raises(InputError, match=rf"^mine.py:{name} cannot be made \(t9-d3-c1-g10\): {reason}"):
        trial(name)


def test_its_process_ends_when_the_trial_s_worker_is_gone(here):
    (here / "mine.py").write_text(textwrap.dedent(FAILING))
    own = entrant("mine.py:Looping")
    record = [own.name, own.word, own.identity, own.source]
    task = {"entrant": record, "instance": PLACE.name, "more": [0, 500, None, ""]}

    def died():
        with pytest.raises(WorkerDied):
            worker.call("pigevo.experiments.benchmark.tasks:do", task)

    with Worker() as worker:
        begun = threading.Thread(target=died, daemon=True)
        begun.start()
        while begun.is_alive() and not (here / "begun").exists():
            time.sleep(0.02)
    begun.join()
    with pytest.raises(ProcessLookupError):  # not at once
        for _ in range(600):
            os.kill(int((here / "begun").read_text()), 0)
            time.sleep(0.1)


@pytest.mark.slow
def test_the_noise_follows_from_the_key_which_is_in_no_file():
    public, secret, again, other = (try_out(Mutants, PLACE, 1, 500, key=key) for key in ("", "a", "a", "b"))
    assert secret.loss.tolist() == again.loss.tolist()
    assert len({tuple(trial.loss.tolist()) for trial in (public, secret, other)}) == 3
    runs = [
        benchmark("random_search", PLACE.name, 2, 500, "b", 1, key=key).trials["random_search"][PLACE.name]
        for key in ("", "a long secret", "a long secret")
    ]
    assert [trial.loss.tolist() for trial in runs[1]] == [trial.loss.tolist() for trial in runs[2]]
    assert [trial.loss.tolist() for trial in runs[0]] != [trial.loss.tolist() for trial in runs[1]]
    assert not any(b"a long secret" in file.read_bytes() for file in Path("b").rglob("*") if file.is_file())


def test_a_file_that_changes_while_the_benchmark_runs_is_refused():
    own = entrant("mine.py:Mutants")
    Path("mine.py").write_text(Path("mine.py").read_text() + "\n# changed\n")
    with pytest.raises(InputError, match=r"^mine.py:Mutants is no longer what it was when the benchmark began: "):
        try_out(own.make, PLACE, 1, 500, name=own.name)
