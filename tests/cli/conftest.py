"""Ways to call the command line, and a small run with waves, its folder, and a way to alter it."""

import csv
import io
import json
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from pigevo.cli import main
from pigevo.runs import stepper
from pigevo.settings.settings import Settings
from tests.small import environment_of_a_process

SMALL = (
    "debug=fast game.target=12 population.size=6 mutation=0.03 cubes=waves cubes.sizes=[6,4] cubes.generations=[3,3] "
    "checkpoint_every=1 record_every=2"
)
RUN = f"{SMALL} hydra.run.dir=run"


def change(folder, generation, column, value):
    """Alter a figure in a run's metrics."""
    path = folder / "metrics.csv"
    rows = list(csv.DictReader(path.open(newline="")))
    next(row for row in rows if row["generation"] == str(generation))[column] = value
    path.write_text("\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)]) + "\n")


def digest_of(folder):
    return json.loads((folder / "result.json").read_text())["digest"]


@dataclass
class Output:
    status: int
    out: str
    err: str


@pytest.fixture
def pigevo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[Sequence[str] | str], Output]:
    """Call the command line in this process, inside an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HYDRA_FULL_ERROR", raising=False)

    def call(words: Sequence[str] | str) -> Output:
        status = main(words.split() if isinstance(words, str) else words)
        return Output(status, *capsys.readouterr())

    return call


@pytest.fixture
def answer(pigevo):
    """What a command prints on standard output; it must succeed."""

    def call(words):
        output = pigevo(words)
        assert output.status == 0, output.err
        return output.out

    return call


@pytest.fixture
def record_of(answer):
    """What a command prints with --json, without the NaN and Infinity that Python reads and JSON does not have."""

    def call(words):
        printed = answer([*(words.split() if isinstance(words, str) else words), "--json"])
        return json.loads(printed, parse_constant=lambda word: pytest.fail(f"{words} prints {word}"))

    return call


@pytest.fixture
def refused(pigevo: Callable[[Sequence[str] | str], Output]) -> Callable[[Sequence[str] | str, str], None]:
    """Words are refused: one sentence on standard error that says what is wrong, status 2, and nothing else."""

    def check(words: Sequence[str] | str, message: str) -> None:
        output = pigevo(words)
        assert (output.status, output.out) == (2, "")
        assert output.err.startswith("pigevo: ")
        assert output.err.count("\n") == 1
        assert message in output.err

    return check


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Settings, Path]]:
    """Runs only note here what they were given."""
    import pigevo.runs

    calls: list[tuple[Settings, Path]] = []

    def note(settings: Settings, folder: Path, *_: object, began: float) -> dict[str, object]:
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
def stopping():
    """Runs are stopped by Ctrl-C in the generation of a number."""

    @contextmanager
    def stop_in(number):
        def interrupted(plan, state, original=stepper.generations):
            for generation in original(plan, state):
                if generation.number == number:
                    signal.raise_signal(signal.SIGINT)
                yield generation

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(stepper, "generations", interrupted)
            yield

    return stop_in


@pytest.fixture
def kernels_stay(no_pictures: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Worker processes find the compiled kernels; samples go to a folder of the tests."""
    for name, value in environment_of_a_process().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / "cache"))


@pytest.fixture(scope="session")
def finished_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run, which all tests of finished runs share: they get copies of it."""
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        assert main(f"{RUN} fitness.games=30".split()) == 0
    return folder / "run"


@pytest.fixture
def finished(pigevo: object, finished_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished_once, tmp_path / "run"))


@pytest.fixture
def sit(pigevo, monkeypatch):
    """Plays with what comes through a pipe."""

    def play(words, typed=""):
        content = typed if isinstance(typed, bytes) else typed.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        return pigevo(["play", *(words.split() if isinstance(words, str) else words)])

    return play
