"""Only damage begins a run anew: a checkpoint that cannot be read now stops it, and everything stays."""

import errno
import io
import os

import pytest

from pigevo.cli import main
from pigevo.runs import run
from pigevo.runs.checkpoint import CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE, load_checkpoint
from pigevo.storage import records
from pigevo.storage.records import Unreadable

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


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


class Failing(io.BufferedReader):
    """A file that is open and cannot be read."""

    error: BaseException

    def read(self, *_):
        raise self.error


def which(found):
    """What tells a file from another, also from a later one in its place."""
    return found.st_ino, found.st_mtime_ns


def failing(monkeypatch, folder, error, names):
    """Files of a folder with these names cannot be opened, or where memory is short, be read."""
    opens, original = os.open, os.fdopen
    found, there = {}, [which(path.stat()) for path in folder.iterdir() if path.name in names]

    def opened(path, *arguments, **options):
        descriptor = opens(path, *arguments, **options)
        if which(os.fstat(descriptor)) in there:
            if isinstance(error, OSError):
                os.close(descriptor)
                raise error
            found[descriptor] = error
        return descriptor

    def read(descriptor, *arguments, **options):
        file = original(descriptor, *arguments, **options)
        if found.pop(descriptor, None) is None:
            return file
        broken = Failing(file.detach())
        broken.error = error
        return broken

    monkeypatch.setattr(records.os, "open", opened)
    monkeypatch.setattr(records.os, "fdopen", read)


@pytest.mark.parametrize(("error", "said"), FAILURES, ids=[said for _, said in FAILURES])
@pytest.mark.parametrize("names", [BOTH, BOTH[:1]], ids=["both", "the last"])
@pytest.mark.parametrize("force", [False, True])
def test_a_checkpoint_that_cannot_be_read_stops_the_run(stopped, monkeypatch, error, said, names, force):
    settings, folder, digest = stopped
    before = contents(folder)
    with monkeypatch.context() as patch:
        failing(patch, folder, error, names)
        if force:  # which asks for nothing of it
            assert run(settings.with_(force=True), folder)["digest"] == digest
            return
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


@pytest.mark.parametrize(("error", "said"), FAILURES, ids=[said for _, said in FAILURES])
def test_rows_that_cannot_be_read_stop_it_too(stopped, monkeypatch, error, said):
    settings, folder, _ = stopped
    before = contents(folder)
    with monkeypatch.context() as patch:
        failing(patch, folder, error, ["metrics.csv"])
        with pytest.raises(Unreadable, match=rf"metrics\.csv cannot be read: {said}"):
            run(settings, folder)
    assert contents(folder) == before


def test_the_command_says_so_in_one_sentence(stopped, monkeypatch, capsys):
    _, folder, _ = stopped
    failing(monkeypatch, folder, FAILURES[1][0], BOTH)
    assert main(["resume", str(folder)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"pigevo: {folder / CHECKPOINT_FILE} cannot be read: Input/output error."


@pytest.mark.skipif(not hasattr(os, "seteuid") or os.geteuid() != 0, reason="needs to be the superuser")
def test_with_the_system_s_own_permissions(stopped):
    settings, folder, _ = stopped
    (folder / CHECKPOINT_FILE).chmod(0o600)
    for home in (folder, *folder.parents):
        home.chmod(home.stat().st_mode | 0o055)
    os.seteuid(65534)
    try:
        with pytest.raises(Unreadable, match="Permission denied"):
            load_checkpoint(folder, settings.hash)
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_damage_does_not_stop_it(stopped, caplog, name, share):
    settings, folder, digest = stopped
    for damaged in BOTH if name == BOTH[0] else [name]:
        content = (folder / damaged).read_bytes()
        (folder / damaged).write_bytes(content[: int(len(content) * share)])
    assert run(settings, folder)["digest"] == digest
    assert ("or it is damaged" in caplog.text) == (name == BOTH[0])


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
