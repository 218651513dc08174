import io
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from pigevo.cli import main
from pigevo.settings.settings import Settings
from tests.cli.small import RUN


@dataclass
class Said:
    status: int
    out: str
    err: str


@pytest.fixture
def pigevo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[Sequence[str] | str], Said]:
    """Call the command line in this process, inside an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HYDRA_FULL_ERROR", raising=False)

    def call(words: Sequence[str] | str) -> Said:
        status = main(words.split() if isinstance(words, str) else words)
        return Said(status, *capsys.readouterr())

    return call


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Settings, Path]]:
    """Runs only note here what they were given."""
    import pigevo.runs

    calls: list[tuple[Settings, Path]] = []

    def note(settings: Settings, folder: Path, *_: object) -> dict[str, object]:
        calls.append((settings, folder))
        return {}

    monkeypatch.setattr(pigevo.runs, "run", note)
    monkeypatch.setattr("pigevo.cli.summary.summary", lambda *_: "found")
    return calls


@pytest.fixture
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures take most of the time of a small run."""
    monkeypatch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
    monkeypatch.setattr("pigevo.runs.pictures.draw_so_far", lambda *_: None)


@pytest.fixture
def finished(pigevo):
    assert pigevo(f"{RUN} fitness.games=30").status == 0
    return Path("run").resolve()


@pytest.fixture
def sit(pigevo, monkeypatch):
    """Plays with what comes through a pipe."""

    def play(words, typed=""):
        content = typed if isinstance(typed, bytes) else typed.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        return pigevo(["play", *(words.split() if isinstance(words, str) else words)])

    return play
