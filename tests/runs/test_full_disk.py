"""A disk that is full, or a folder that cannot be written: one sentence, and what was there is whole."""

import errno
import os
import resource
import subprocess
import sys

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.checkpoint import CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE, load_checkpoint
from pigevo.settings.settings import Settings
from pigevo.storage import files

WORDS = ("game.target=40", "generations=8", "checkpoint_every=1", "record_every=1", "hydra.run.dir=run")


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("function", ["fsync", "replace"])
@pytest.mark.parametrize("passing", [3, 6, 9])
def test_a_full_disk_leaves_the_earlier_files_whole(make_settings, tmp_path, monkeypatch, function, passing):
    settings, folder = make_settings("checkpoint_every=1", "record_every=1"), tmp_path / "run"
    before = {}
    original, left = getattr(os, function), [passing]

    def full(*arguments, **options):
        left[0] -= 1
        if left[0] == 0:
            before.update({n: c for n, c in contents(folder).items() if not n.endswith(".partial")})
            raise OSError(errno.ENOSPC, "No space left on device")
        return original(*arguments, **options)

    with (
        monkeypatch.context() as patch,
        pytest.raises(InputError, match=r"cannot be written: No space left on device\."),
    ):
        patch.setattr(files.os, function, full)
        run(settings, folder)
    after = contents(folder)
    growing = {name: (before.pop(name, b""), after.pop(name, b"")) for name in ("metrics.csv", "champions.csv")}
    assert {n: after.get(n) for n in before} == before
    assert set(after) == set(before)  # nothing half written is left
    for there, left_there in growing.values():
        assert there.startswith(left_there)  # what was being added is taken back
        assert left_there.endswith(b"\n") or not left_there
    assert run(settings, folder)["digest"] == run(settings, tmp_path / "whole")["digest"]


@pytest.mark.slow
def test_a_file_larger_than_the_disk_gives_is_one_sentence_and_status_2(tmp_path, environment):
    """With a real limit of the operating system, on the size of any file."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    run(Settings.of(*WORDS[:-1]), tmp_path / "whole")  # the kernels are compiled and kept after this
    python = [sys.executable, "-m", "pigevo", *WORDS]
    given = {"cwd": tmp_path, "capture_output": True, "text": True, "check": False}
    uncounted = {name: value for name, value in environment.items() if not name.startswith("COVERAGE_")}
    given["env"] = uncounted | {"PYTHONDONTWRITEBYTECODE": "1"}  # what counts lines would write a large file, too
    done = subprocess.run(python, preexec_fn=limit, **given)
    assert done.returncode == 2
    told = done.stderr.splitlines()[-1]
    assert told.startswith("pigevo: ")
    assert told.endswith("checkpoint.npz cannot be written: File too large.")
    assert "Traceback" not in done.stderr
    assert subprocess.run(python, **given).returncode == 0


def test_a_refused_checkpoint_does_not_push_out_the_good_one(make_settings, tmp_path, monkeypatch):
    settings, folder = make_settings("checkpoint_every=2"), tmp_path / "run"
    whole = run(settings, folder)
    (folder / "result.json").unlink()
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
    assert run(settings, folder)["digest"] == whole["digest"]


def test_the_unfinished_run_of_another_config_is_not_overwritten(make_settings, tmp_path):
    run(make_settings(), tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()
    before = contents(tmp_path / "run")
    with pytest.raises(InputError, match="holds a run of another config"):
        run(make_settings("seed=7"), tmp_path / "run")
    assert contents(tmp_path / "run") == before


def test_a_checkpoint_of_another_stream_version_is_refused_and_the_run_begins_anew(
    make_settings, tmp_path, monkeypatch, caplog
):
    settings = make_settings()
    whole = run(settings, tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()
    for name in (CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE):
        arrays = dict(np.load(tmp_path / "run" / name))
        text = str(arrays["pigevo_checkpoint"]).replace('"stream_version": 1', '"stream_version": 0')
        np.savez(tmp_path / "run" / name, **(arrays | {"pigevo_checkpoint": np.array(text)}))
    assert run(settings, tmp_path / "run")["digest"] == whole["digest"]
    assert caplog.text.count("another stream version (0, not 1)") == 2
