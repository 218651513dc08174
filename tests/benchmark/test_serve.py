"""A worker of the benchmark: it ends with whoever sends its tasks, and keeps the pipes to itself."""

import json
import os
import textwrap
import threading
import time
from contextlib import contextmanager
from dataclasses import astuple

import pytest

from pigevo.benchmark import pool
from pigevo.benchmark.entrants import entrant

OWN = """
    import os
    from pathlib import Path

    class Looping:
        def __init__(self, problem):
            Path("writing").write_text(str(os.getpid()))
            Path("writing").rename("begun")
            while True:
                pass

    def reading(problem):
        input()

    def writing(problem):
        __import__("os").write(1, b"no JSON")
        raise ValueError("told")

    def leaving(problem):
        raise GeneratorExit

    def interrupting(problem):
        raise KeyboardInterrupt

    def ending(problem):
        os._exit(7)

    def cancelled(problem):
        raise __import__("asyncio").CancelledError("by itself")
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(textwrap.dedent(OWN))
    return tmp_path


@contextmanager
def worker(algorithm):
    """A process at work on a task, which ends after a minute if it does not end by itself."""
    process = pool._begun()
    end = threading.Timer(60, process.kill)
    end.start()
    one = astuple(entrant(f"mine.py:{algorithm}"))
    task = {"entrant": one, "instance": "t9-d3", "seed": 0, "budget": 9, "key": "", "seconds": None}
    try:
        print(json.dumps(task), file=process.stdin, flush=True)
        yield process
    finally:
        end.cancel()
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.parametrize(
    ("algorithm", "said"),
    [("reading", "EOFError"), ("writing", "ValueError: told"), ("leaving", "GeneratorExit"),
     ("cancelled", "CancelledError: by itself"), ("interrupting", "KeyboardInterrupt"),
     ("ending", "it has ended the process that it works in, with exit status 7.")],
)  # fmt: skip
def test_whatever_an_algorithm_does_to_its_process_the_answer_says_what_went_wrong(here, algorithm, said):
    with worker(algorithm) as process:
        answer = process.stdout.readline()
    assert f"mine.py:{algorithm} cannot be made (t9-d3-c1-exact): {said}" in json.loads(answer)["error"]


def test_a_worker_and_its_algorithm_s_process_end_when_nobody_is_left_to_hear_them(here):
    with worker("Looping") as process:
        while process.poll() is None and not (here / "begun").exists():
            pass
        process.stdin.close()
        assert process.wait() == 0
    with pytest.raises(ProcessLookupError):  # not at once
        for _ in range(600):
            os.kill(int((here / "begun").read_text()), 0)
            time.sleep(0.1)
