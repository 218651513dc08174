"""Checkpoints: a run that was stopped, killed, or found its disk full goes on to the same end."""

import builtins
import errno
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.evolution.logbook import Logbook
from pigevo.evolution.loop import first_state, generations
from pigevo.runs import Interrupted, run
from pigevo.runs.checkpoint import (
    CHECKPOINT_FILE,
    EARLIER_CHECKPOINT_FILE,
    Checkpoint,
    load_checkpoint,
    save_checkpoint,
)
from pigevo.settings.settings import Settings
from pigevo.storage import files
from pigevo.storage.records import Unreadable
from pigevo.strategies import CubeGrid
from tests.cases import sample
from tests.runs.conftest import ENDED, PROGRESS, RING, STAR, WAVES, contents, left_after, rows_of, untimed
from tests.small import small_settings, small_words

KEY = "a" * 64


@pytest.fixture
def points():
    """Checkpoints of the generations of one run."""
    plan = small_settings("population.size=6").plan
    logbook, made = Logbook(), []
    for generation in generations(plan, first_state(plan)):
        logbook.record(generation, 0.5 * generation.number)
        made.append(Checkpoint(generation.state, logbook, 0.5 * generation.number))
    return made


def test_the_state_and_a_hall_of_equals_in_its_order_come_back(points, tmp_path):
    logbook, grid = Logbook(), CubeGrid(pigevo.Pig(target=5), 1)
    values = np.array([0.5, 0.25, 0.5, 0.5, 0.25, 0.5, 0.5, 0.25])
    logbook.enter(grid, np.eye(8, grid.genes, dtype=np.uint8), values)
    saved = Checkpoint(replace(points[3].state, arrived=(2, 0)), logbook, 1.5)
    save_checkpoint(tmp_path, KEY, saved)
    loaded, refused = load_checkpoint(tmp_path, KEY)
    assert (loaded.state.digest, loaded.seconds, refused) == (saved.state.digest, 1.5, [])
    for name in ("generation", "wave", "fresh", "evaluations", "games", "arrived"):
        assert getattr(loaded.state, name) == getattr(saved.state, name)
    hall, loaded_hall = ([(m.tobytes(), m.fitness.values) for m in point.logbook.hall] for point in (saved, loaded))
    assert len(hall) == 8
    assert hall == loaded_hall


def refusal(folder, point, change):
    """Why a checkpoint is refused of which `change` has changed the record and the arrays."""
    save_checkpoint(folder, KEY, point)
    with np.load(folder / CHECKPOINT_FILE) as file:
        arrays = dict(file)
    record = json.loads(str(arrays["pigevo_checkpoint"]))
    change(record, arrays)
    np.savez(folder / CHECKPOINT_FILE, **arrays | {"pigevo_checkpoint": np.array(json.dumps(record))})
    loaded, (sentence,) = load_checkpoint(folder, KEY)
    assert loaded is None
    assert "\n" not in sentence
    return sentence


OTHER = {
    "config": ({"config_hash": "b" * 64}, "another config hash"),
    "dice": ({"stream_version": 0}, "another stream version (0, not "),
    "format": ({"format": 1}, "another format (1, not 3)"),
    "more rows": ({"rows": 99}, "holds fewer or other rows"),
    "fewer rows": ({"rows": 1}, "holds fewer or other rows"),
    "other rows": ({"rows_hash": "c" * 64}, "holds fewer or other rows"),
}
DAMAGE = {
    "a shape that is a word": lambda record, arrays: record.update(shape="6x9"),
    "a negative shape": lambda record, arrays: record.update(shape=[6, -9]),
    "a count that is a word": lambda record, arrays: record.update(rows="3"),
    "no time": lambda record, arrays: record.update(seconds=None),
    "generation": lambda record, arrays: record.update(generation=3),
    "wave": lambda record, arrays: record.update(wave=7),
    "games": lambda record, arrays: record.update(games=record["games"] + 1),
    "a shape with as many genes": lambda record, arrays: record.update(shape=record["shape"][::-1]),
    "a gene": lambda record, arrays: arrays["genomes"].__setitem__(0, arrays["genomes"][0] ^ 1),
    "what an operator remembers": lambda record, arrays: arrays.update({"memory.mutator.rates": np.ones(3)}),
    "no digest": lambda record, arrays: record.pop("digest"),
    "a generation that is a word": lambda record, arrays: record.update(generation="4"),
    "fewer members of the hall": lambda record, arrays: arrays.update(hall=arrays["hall"][1:]),
    "a hall of numbers": lambda record, arrays: arrays.update(hall=arrays["hall"].astype(float)),
    "versions that are a list": lambda record, arrays: record.update(versions=[1]),
    "packed otherwise": lambda record, arrays: arrays.update(genomes=arrays["genomes"].astype(np.int64)),
}


@pytest.mark.parametrize("name", OTHER)
def test_a_checkpoint_of_another_run_is_refused_with_a_sentence(points, tmp_path, name):
    changes, part = OTHER[name]
    assert part in refusal(tmp_path, points[2], lambda record, _: record.update(changes))


@pytest.mark.parametrize("name", sample(DAMAGE, 1, 2, 4, 8, 12, 14))
def test_a_damaged_checkpoint_is_refused(points, tmp_path, name):
    assert "is damaged, or not a checkpoint of pigevo" in refusal(tmp_path, points[4], DAMAGE[name])


PLACES = ("before rename", "after rename", "half written")
COUNTS = (1, 2, 3, 4, 5, 6, 7, 9, 12, 15, 18)
FEW = (2, 9)
MAP = (
    "experiment=illuminate", "fitness=exact_vs_optimal", "mutator=self_adapting", "cubes=none", "generations=4",
    "checkpoint_every=1", "record_every=1",
)  # fmt: skip
TWO_WAVES = ("cubes=waves", "cubes.sizes=[6,3]", "cubes.generations=[2,3]", "checkpoint_every=1", "record_every=1")


def left_by(folder: Path, settings: Settings):
    """Everything of a finished run that must not depend on how often it was stopped."""
    result = json.loads((folder / "result.json").read_text())
    point, refused = load_checkpoint(folder, settings.hash)
    assert refused == []
    hall = [(member.tobytes(), member.fitness.values) for member in point.logbook.hall]
    counters = (result["generations"], result["evaluations"], result["games"])
    names = ("champion.npz", "champions.csv", "population.npz", "archive.npz")
    files = {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}
    return result["digest"], result["champion"], untimed(folder), hall, counters, point.state.digest, files


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("kind", [TWO_WAVES, MAP], ids=["waves", "illuminate"])
@pytest.mark.parametrize("counts", [FEW, pytest.param(COUNTS, marks=pytest.mark.long)], ids=["few", "all"])
def test_killed_while_writing_any_file_and_going_on_it_is_the_same_run(tmp_path, environment, counts, kind):
    words = small_words(*kind)
    points = [(place, count) for place in PLACES for count in counts]
    script = Path(__file__).with_name("kill_here.py")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path), json.dumps(points), *words],
        env=environment, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    killed = json.loads(done.stdout.splitlines()[-1])
    assert len(killed) == len(points)
    assert sum(killed.values()) > 2 * len(points)  # many died more than once
    settings = Settings.of(*words)
    whole = left_by(tmp_path / "whole", settings)
    assert ("archive.npz" in whole[-1]) == (kind is MAP)
    for name in killed:
        assert left_by(tmp_path / name, settings) == whole, name
        assert list((tmp_path / name).glob(".*.partial")) == [], name


@pytest.mark.parametrize("delays", sample([(0.1, None), (0.02, 0.1, 0.4, None)]))
def test_killed_at_any_time_and_given_again_the_command_ends_in_the_same_run(tmp_path, environment, delays):
    words = (
        "game.target=24", "population.size=20", "generations=200", "checkpoint_every=7", "fitness.games=20", "seed=8",
        "workers=2", "hydra.run.dir=run",
    )  # fmt: skip
    settings = Settings.of(*words[:-1])
    kills = 0
    for delay in delays:  # from the first checkpoint on; the last one may finish
        process = subprocess.Popen(
            [sys.executable, "-m", "pigevo", *words], cwd=tmp_path, env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until, begun = time.monotonic() + 600, tmp_path / "run" / CHECKPOINT_FILE
        while process.poll() is None and not begun.exists() and time.monotonic() < until:
            time.sleep(0.01)
        if delay is not None:
            time.sleep(delay)
            process.kill()
        kills += process.wait(600) == -9
    assert kills >= 1
    run(settings, tmp_path / "whole")
    assert left_by(tmp_path / "run", settings) == left_by(tmp_path / "whole", settings)


KINDS = {
    "waves": (*WAVES, "replacement=survivors_and_offspring"), "seldom": ("generations=9", "checkpoint_every=4", "record_every=3"),
    "ended": ENDED, "no progress": PROGRESS, "ring": RING,
    "rates": ("replacement=immigrants", "replacement.share=0.3", "mutator=inherited_rate"), "star": STAR,
    "roulette": ("selection=roulette", "fitness=exact_vs_optimal", "crossover=blocks"),
}  # fmt: skip


@pytest.mark.parametrize("kind", sample(KINDS, 0, 1, 2, 3, 4, 5))
def test_a_run_killed_after_any_generation_and_resumed_is_the_same(tmp_path, kind):
    """Its record of descent, too, which changes nothing in the run itself."""
    settings = small_settings(*KINDS[kind], "lineage=true")
    whole = run(settings, tmp_path / "whole")
    without = pigevo.evolve(*small_words(*KINDS[kind])).result
    assert whole["digest"] == without["digest"]
    assert whole["config_hash"] != without["config_hash"]
    for generation in range(whole["generations"]):
        folder = tmp_path / str(generation)
        left_after(generation, settings, folder)
        assert not (folder / "result.json").exists()
        again = run(settings, folder)
        assert again["digest"] == whole["digest"]
        assert again["champion"] == whole["champion"]
        assert untimed(folder) == untimed(tmp_path / "whole")
        for name in ("champions.csv", "lineage.csv"):
            assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_run_after_its_generation(tmp_path, number):
    def interrupt(generation):
        if generation.number == 3:
            signal.raise_signal(number)

    settings, before = small_settings(), signal.getsignal(number)
    with pytest.raises(Interrupted, match="stopped after generation 3; the same command goes on from there"):
        run(settings, tmp_path / "run", on_generation=interrupt)
    assert signal.getsignal(number) is before
    point, refused = load_checkpoint(tmp_path / "run", settings.hash)
    assert (point.state.generation, refused) == (3, [])
    assert run(settings, tmp_path / "run")["digest"] == run(settings, tmp_path / "whole")["digest"]


WORDS = (
    "debug=fast", "game.target=12", "population.size=6", "fitness.games=10", "generations=20", "checkpoint_every=1",
    "record_every=1", "figures=none",
)  # fmt: skip
BOTH = (CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE)


@contextmanager
def largest_file(most):
    """The operating system lets no file grow beyond so many bytes."""
    import resource

    before, written = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    sys.dont_write_bytecode = True  # Python keeps the beginning of a file of bytecode as if it were whole
    try:
        yield
    finally:
        sys.dont_write_bytecode = written
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("most", [300, 2500, 4500])
def test_where_a_file_cannot_grow_the_earlier_files_stay_whole(tmp_path, capsys, most):
    folder, settings = tmp_path / "run", Settings.of(*WORDS)
    whole = run(settings, tmp_path / "whole")
    with largest_file(most):
        assert main([*WORDS, f"hydra.run.dir={folder}"]) == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith("cannot be written: File too large.")
    left = contents(folder)
    assert not [name for name in left if name.endswith(".partial")]
    assert load_checkpoint(folder, settings.hash)[1] == []
    assert left.get("metrics.csv", b"\n").endswith(b"\n")  # what was being added is taken back
    assert ("metrics.csv" in left, CHECKPOINT_FILE in left) == (most > 300, most > 2500)
    assert run(settings, folder)["digest"] == whole["digest"]


def test_a_refused_checkpoint_does_not_push_out_the_good_one(stopped, monkeypatch):
    settings, folder, digest = stopped
    (folder / CHECKPOINT_FILE).write_bytes((folder / CHECKPOINT_FILE).read_bytes()[:500])
    good = (folder / EARLIER_CHECKPOINT_FILE).read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(InputError):
        patch.setattr(files.os, "fsync", full)
        run(settings, folder)
    assert (folder / EARLIER_CHECKPOINT_FILE).read_bytes() == good
    point, refused = load_checkpoint(folder, settings.hash)
    assert (point.state.generation, refused) == (4, [])
    assert (folder / "checkpoint.refused.npz").exists()
    assert run(settings, folder)["digest"] == digest


@pytest.mark.parametrize("finished", [True, False])
def test_the_run_of_another_config_is_not_overwritten(tmp_path, finished):
    run(small_settings(), tmp_path / "run")
    if not finished:
        (tmp_path / "run" / "result.json").unlink()
    before = contents(tmp_path / "run")
    with pytest.raises(InputError, match="holds a run of another config"):
        run(small_settings("seed=7"), tmp_path / "run")
    assert contents(tmp_path / "run") == before


@pytest.fixture
def stopped(tmp_path):
    """A run with two checkpoints that has not finished, and its digest when it has."""
    settings = small_settings()
    whole = run(settings, tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()
    return settings, tmp_path / "run", whole["digest"]


@pytest.mark.parametrize(
    ("name", "error", "reason"),
    [
        (CHECKPOINT_FILE, OSError(errno.EIO, "Input/output error"), "Input/output error"),
        (EARLIER_CHECKPOINT_FILE, PermissionError(errno.EACCES, "Permission denied"), "Permission denied"),
        ("metrics.csv", OSError(errno.EIO, "Input/output error"), "Input/output error"),
    ],
)
def test_a_file_that_cannot_be_read_stops_the_run_and_is_not_taken_for_damaged(
    stopped, monkeypatch, name, error, reason
):
    settings, folder, digest = stopped
    if name == EARLIER_CHECKPOINT_FILE:  # which is read where the later one is damaged
        (folder / CHECKPOINT_FILE).write_bytes(b"PK")
    before = contents(folder)

    def opened(path, *arguments, original=open, **options):
        if str(path) == str(folder / name):
            raise error
        return original(path, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(builtins, "open", opened)
        with pytest.raises(Unreadable, match=f"{name} cannot be read: {reason}"):
            run(settings, folder)
    assert contents(folder) == before
    assert run(settings, folder)["digest"] == digest


@pytest.mark.parametrize("names", [BOTH, [EARLIER_CHECKPOINT_FILE]], ids=["both", "earlier"])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_damaged_checkpoints_do_not_stop_it(stopped, caplog, names, share):
    settings, folder, digest = stopped
    for name in names:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: int(len(content) * share)])
    assert run(settings, folder)["digest"] == digest
    assert ("is damaged, or not" in caplog.text) == (names == BOTH)


@pytest.mark.parametrize("change", ["gone", "cut", "a figure"])
def test_rows_that_were_changed_are_damage(stopped, caplog, change):
    settings, folder, digest = stopped
    path, rows = folder / "metrics.csv", len(rows_of(folder))
    text = path.read_text()
    changed = {"cut": text[: text.index("\n", text.index("\n") + 1) + 1], "a figure": text.replace(",1,", ",7,", 1)}
    if change == "gone":
        path.unlink()
    else:
        path.write_text(changed[change])
    assert run(settings, folder)["digest"] == digest
    assert len(rows_of(folder)) == rows
    assert caplog.text.count("metrics.csv") == 2  # neither checkpoint can count on its rows
