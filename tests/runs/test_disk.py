"""A disk that is full or fails: one sentence, and what was there is whole; only damage begins a run anew."""

import builtins
import errno
import resource
import sys
from contextlib import contextmanager

import pytest

from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.checkpoint import CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE, load_checkpoint
from pigevo.settings.settings import Settings
from pigevo.storage import files
from pigevo.storage.records import Unreadable
from tests.runs.cases import contents, rows_of
from tests.small import small_settings

WORDS = (
    "debug=fast", "game.target=12", "population.size=6", "fitness.games=10", "generations=20", "checkpoint_every=1",
    "record_every=1", "figures=none",
)  # fmt: skip
BOTH = (CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE)


@contextmanager
def largest_file(most):
    """The operating system lets no file grow beyond so many bytes."""
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
