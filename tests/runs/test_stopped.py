"""A run stopped anywhere, by anything, goes on to the same end."""

import signal
import subprocess
import sys
import time

import pytest

from pigevo.runs import Interrupted, checkpoint, run, runner, stepper
from tests.cases import sample
from tests.runs.test_runner import WAVES, rows_of


class Stop(Exception):
    pass


def stopping_after(number):
    def generations(plan, state, original=stepper.generations):
        for generation in original(plan, state):
            if generation.number > number:
                raise Stop
            yield generation

    return generations


ENDED = ("stop=evaluations", "stop.evaluations=30", "generations=50", "record_every=3", "baseline=random_search")
PROGRESS = (
    "fitness=panel", "selection=truncation", "replacement=survivors_and_offspring", "generations=50",
    "record_every=4", "stop=any", "stop.rules=[no_progress:3]", "mutation=0.01",
)  # fmt: skip
RING = ("islands=ring", "islands.count=3", "islands.interval=2", "population.size=12", "generations=5")
STAR = (
    "islands=star", "islands.count=2", "islands.interval=1", "population.size=12", "cubes=waves", "cubes.sizes=[6,3]",
    "cubes.generations=[2,3]", "selection=round_robin", "replacement=elites", "mutator=self_adapting",
    "stop=evaluations", "stop.evaluations=50",
)  # fmt: skip
KINDS = {
    "waves": WAVES, "cells": ("generations=9", "checkpoint_every=4", "record_every=3"), "ended": ENDED,
    "no progress": PROGRESS, "ring": RING, "star": STAR,
}  # fmt: skip


@pytest.mark.parametrize("kind", sample(KINDS, 0, 1, 2, 3, 4))
def test_a_run_killed_after_any_generation_and_resumed_is_the_same(make_settings, tmp_path, monkeypatch, kind):
    settings = make_settings(*KINDS[kind])
    whole = run(settings, tmp_path / "whole")
    for generation in range(whole["generations"]):
        folder = tmp_path / str(generation)
        with monkeypatch.context() as patch, pytest.raises(Stop):
            patch.setattr(stepper, "generations", stopping_after(generation))
            run(settings, folder)
        assert not (folder / "result.json").exists()
        again = run(settings, folder)
        assert again["digest"] == whole["digest"]
        assert again["champion"] == whole["champion"]
        rows = [
            [{k: v for k, v in r.items() if k != "seconds"} for r in rows_of(f)] for f in (folder, tmp_path / "whole")
        ]
        assert rows[0] == rows[1]


@pytest.mark.parametrize("step", ["draw_run", "write_finish", "write_result", "conclude"])
def test_a_run_killed_while_finishing_finishes_later(make_settings, tmp_path, monkeypatch, step):
    from pigevo.runs import pictures

    whole = run(make_settings("figures=png"), tmp_path / "whole")

    def stop(*_):
        raise Stop

    with monkeypatch.context() as patch, pytest.raises(Stop):
        patch.setattr(pictures if step == "draw_run" else runner, step, stop)
        run(make_settings("figures=png"), tmp_path / "run")
    assert not (tmp_path / "run/result.json").exists()
    assert run(make_settings("figures=png"), tmp_path / "run")["digest"] == whole["digest"]


SLOW_RUN = """
import sys, time
from pathlib import Path
from pigevo.runs import Interrupted, stepper, run
from pigevo.settings.settings import Settings
original = stepper.generations
def slow(plan, state):
    for later in original(plan, state):
        time.sleep(0.05)
        yield later
stepper.generations = slow
try:
    run(Settings.of(*sys.argv[2:]), Path(sys.argv[1]))
except Interrupted as stop:
    print(stop)
    sys.exit(7)
"""


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 7), pytest.param(signal.SIGKILL, -9, marks=pytest.mark.slow)]
)
def test_a_signal_stops_a_run_that_then_resumes_to_the_same(
    make_settings, as_overrides, tmp_path, environment, number, status
):
    words = ["generations=30", "checkpoint_every=3", "record_every=50"]
    folder = tmp_path / "run"
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_RUN, str(folder), *as_overrides(*words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=environment,
    )  # fmt: skip
    try:
        until = time.monotonic() + 600
        while not (folder / "checkpoint.before.npz").exists() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(number)
        out, errors = process.communicate(timeout=600)
    finally:
        process.kill()
    assert process.returncode == status, errors
    if status == 7:
        assert "the same command goes on from there" in out
    settings = make_settings(*words)
    point, refused = checkpoint.load_checkpoint(folder, settings.hash)
    assert refused == []
    assert 3 <= point.state.generation < 30
    assert not (folder / "result.json").exists()
    assert run(settings, folder)["digest"] == run(settings, tmp_path / "whole")["digest"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_tells_after_which_generation(make_settings, tmp_path, monkeypatch, number):
    def interrupting(plan, state, original=stepper.generations):
        for generation in original(plan, state):
            if generation.number == 3:
                signal.raise_signal(number)
            yield generation

    before = signal.getsignal(number)
    monkeypatch.setattr(stepper, "generations", interrupting)
    with pytest.raises(Interrupted, match="stopped after generation 3"):
        run(make_settings(), tmp_path / "run")
    assert signal.getsignal(number) is before
    assert (tmp_path / "run/checkpoint.npz").exists()
