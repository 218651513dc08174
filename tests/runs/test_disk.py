"""A disk that is full or fails: one sentence, and what was there is whole; only damage begins a run anew."""

import builtins
import errno
import io
import os
import resource
import subprocess
import sys

import pytest

from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.checkpoint import CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE, load_checkpoint
from pigevo.settings.settings import Settings
from pigevo.storage import files
from pigevo.storage.records import Unreadable

WORDS = ("game.target=40", "generations=8", "checkpoint_every=1", "record_every=1", "hydra.run.dir=run")


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize(("function", "passing"), [("fsync", 3), ("fsync", 6), ("fsync", 7), ("replace", 5)])
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
    sentence = done.stderr.splitlines()[-1]
    assert sentence.startswith("pigevo: ")
    assert sentence.endswith("checkpoint.npz cannot be written: File too large.")
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


@pytest.mark.parametrize("finished", [True, False])
def test_the_run_of_another_config_is_not_overwritten(make_settings, tmp_path, finished):
    run(make_settings(), tmp_path / "run")
    if not finished:
        (tmp_path / "run" / "result.json").unlink()
    before = contents(tmp_path / "run")
    with pytest.raises(InputError, match="holds a run of another config"):
        run(make_settings("seed=7"), tmp_path / "run")
    assert contents(tmp_path / "run") == before


BOTH = (CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE)
FAILURES = [
    (PermissionError(errno.EACCES, "Permission denied"), "Permission denied"),
    (OSError(errno.EIO, "Input/output error"), "Input/output error"),
    (OSError(errno.ESTALE, "Stale file handle"), "Stale file handle"),
    (MemoryError(), "Cannot allocate memory"),
]


@pytest.fixture
def stopped(make_settings, tmp_path):
    """A run with two checkpoints that has not finished, and its digest when it has."""
    settings = make_settings()
    whole = run(settings, tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()
    return settings, tmp_path / "run", whole["digest"]


class Failing(io.BytesIO):
    """A file that is open, and for which there is too little memory."""

    def fileno(self):
        return 0

    def read(self, *_):
        raise MemoryError

    seek = read


def failing(monkeypatch, folder, error, names):
    """Files of a folder with these names cannot be opened, or where memory is short, be read."""
    original, places = open, [str(folder / name) for name in names]

    def opened(path, *arguments, **options):
        if str(path) not in places:
            return original(path, *arguments, **options)
        if isinstance(error, OSError):
            raise error
        return Failing()

    monkeypatch.setattr(builtins, "open", opened)


@pytest.mark.parametrize(("error", "said"), FAILURES, ids=[said for _, said in FAILURES])
def test_a_checkpoint_that_cannot_be_read_stops_the_run(stopped, monkeypatch, error, said):
    settings, folder, digest = stopped
    before = contents(folder)
    with monkeypatch.context() as patch:
        failing(patch, folder, error, BOTH[:1])
        with pytest.raises(Unreadable, match=rf"checkpoint\.npz cannot be read: {said}"):
            run(settings, folder)
    assert contents(folder) == before
    assert run(settings, folder)["digest"] == digest


def test_neither_is_one_passed_over_because_the_other_is_damaged(stopped, monkeypatch):
    settings, folder, _ = stopped
    (folder / CHECKPOINT_FILE).write_bytes(b"PK")
    before = contents(folder)
    failing(monkeypatch, folder, FAILURES[0][0], [EARLIER_CHECKPOINT_FILE])
    with pytest.raises(Unreadable, match=r"checkpoint\.before\.npz cannot be read"):
        run(settings, folder)
    assert contents(folder) == before


def test_rows_that_cannot_be_read_stop_it_too(stopped, monkeypatch):
    (settings, folder, _), (error, said) = stopped, FAILURES[1]
    before = contents(folder)
    with monkeypatch.context() as patch:
        failing(patch, folder, error, ["metrics.csv"])
        with pytest.raises(Unreadable, match=rf"metrics\.csv cannot be read: {said}"):
            run(settings, folder)
    assert contents(folder) == before


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_damage_does_not_stop_it(stopped, caplog, name, share):
    settings, folder, digest = stopped
    for damaged in BOTH if name == BOTH[0] else [name]:
        content = (folder / damaged).read_bytes()
        (folder / damaged).write_bytes(content[: int(len(content) * share)])
    assert run(settings, folder)["digest"] == digest
    assert ("is damaged, or not" in caplog.text) == (name == BOTH[0])


@pytest.mark.parametrize("change", ["gone", "cut", "a figure"])
def test_rows_that_were_changed_are_damage(stopped, caplog, change):
    settings, folder, digest = stopped
    path = folder / "metrics.csv"
    lines = path.read_text().splitlines(keepends=True)
    if change == "gone":
        path.unlink()
    else:
        path.write_text("".join(lines[:2]) if change == "cut" else "".join(lines).replace(",1,", ",7,", 1))
    assert run(settings, folder)["digest"] == digest
    assert path.read_text().count("\n") == len(lines)
    assert caplog.text.count("metrics.csv") == 2  # neither checkpoint can count on its rows
