"""Only damage begins a run anew: a checkpoint that cannot be read now stops it, and everything stays."""

import errno
import os
import zipfile
from pathlib import Path

import pytest

from pigevo.archives import Unreadable
from pigevo.cli import main
from pigevo.runs import run
from pigevo.runs.checkpoint import CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE, load_checkpoint

BOTH = (CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE)
FAILURES = [
    (PermissionError(errno.EACCES, "Permission denied"), "Permission denied"),
    (OSError(errno.EIO, "Input/output error"), "Input/output error"),
    (OSError(errno.ESTALE, "Stale file handle"), "Stale file handle"),
    (MemoryError(), "there is not enough memory"),
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


def failing(monkeypatch, module, name, error, failing_for):
    """A function that opens files fails for those of these names."""
    original = getattr(module, name)

    def opened(path, *arguments, **options):
        if isinstance(path, Path) and path.name in failing_for and path.exists():
            raise error
        return original(path, *arguments, **options)

    monkeypatch.setattr(module, name, opened)


@pytest.mark.parametrize(("error", "said"), FAILURES, ids=[said for _, said in FAILURES])
@pytest.mark.parametrize("names", [BOTH, BOTH[:1]], ids=["both", "the last"])
@pytest.mark.parametrize("force", [False, True])
def test_a_checkpoint_that_cannot_be_read_stops_the_run(stopped, monkeypatch, error, said, names, force):
    settings, folder, digest = stopped
    before = contents(folder)
    with monkeypatch.context() as patch:
        failing(patch, zipfile, "ZipFile", error, names)
        if force:  # which asks for nothing of it
            assert run(settings.with_(force=True), folder)["digest"] == digest
            return
        with pytest.raises(Unreadable, match=rf"checkpoint\.npz cannot be read as a checkpoint: {said}"):
            run(settings, folder)
    assert contents(folder) == before
    assert run(settings, folder)["digest"] == digest


def test_neither_is_one_passed_over_because_the_other_is_damaged(stopped, monkeypatch):
    settings, folder, _ = stopped
    (folder / CHECKPOINT_FILE).write_bytes(b"PK")
    before = contents(folder)
    failing(monkeypatch, zipfile, "ZipFile", FAILURES[0][0], [EARLIER_CHECKPOINT_FILE])
    with pytest.raises(Unreadable, match=r"checkpoint\.before\.npz cannot be read"):
        run(settings, folder)
    assert contents(folder) == before


@pytest.mark.parametrize(("error", "said"), FAILURES, ids=[said for _, said in FAILURES])
def test_rows_that_cannot_be_read_stop_it_too(stopped, monkeypatch, error, said):
    settings, folder, _ = stopped
    before = contents(folder)
    with monkeypatch.context() as patch:
        failing(patch, Path, "read_bytes", error, ["metrics.csv"])
        with pytest.raises(Unreadable, match=rf"metrics\.csv cannot be read: {said}"):
            run(settings, folder)
    assert contents(folder) == before


def test_the_command_says_so_in_one_sentence(stopped, monkeypatch, capsys):
    _, folder, _ = stopped
    failing(monkeypatch, zipfile, "ZipFile", FAILURES[1][0], BOTH)
    assert main(["resume", str(folder)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"pigevo: {folder / CHECKPOINT_FILE} cannot be read as a checkpoint: Input/output error."


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
