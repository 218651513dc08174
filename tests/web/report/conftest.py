"""Reports of a small run and a small sweep, and the command line that makes them."""

import io
import json
import shutil
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from pigevo.cli import main
from pigevo.web.html import tag
from tests.web.page import Page, read

RUN = "0.3-1"


@pytest.fixture(autouse=True)
def _own_cache(samples, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(samples))


def sketch(patch, curves=True):
    """Draw no pictures of champions, and no curves: they take most of the time of a report."""
    patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
    for draws in ("show_first_hold", "landscape", "plot_difference"):
        patch.setattr(f"pigevo.web.report.champion.{draws}", lambda *_, **__: None)
    patch.setattr(
        "pigevo.web.report.champion.picture", lambda _, label, *__: tag("img", src="data:image/png,", alt=label)
    )
    if curves:
        patch.setattr("pigevo.web.report.curves.svg", lambda *_: tag("svg", role="img", **{"aria-label": "none"}))


@pytest.fixture
def sketched(monkeypatch):
    sketch(monkeypatch)


@dataclass(frozen=True)
class Made:
    """A report that tests only read."""

    folder: Path
    record: dict
    page: Page


def reported(folder, samples, *words):
    output = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output):
        patch.setenv("XDG_CACHE_HOME", str(samples))
        assert main(["report", str(folder), *words, "--json"]) == 0
    return Made(folder, json.loads(output.getvalue()), read(folder / "report.html"))


@pytest.fixture(scope="session")
def of_run(made, samples, tmp_path_factory):
    """The report of a run, with its film."""
    folder = tmp_path_factory.mktemp("of_run") / "outputs" / "default" / RUN
    shutil.copytree(made.parents[1] / "default" / RUN, folder)
    return reported(folder, samples)


@pytest.fixture(scope="session")
def of_sweep(made, samples, tmp_path_factory):
    """The report of a sweep, ranked by the last means, without its drawings."""
    home = tmp_path_factory.mktemp("of_sweep") / "outputs"
    shutil.copytree(made.parents[1], home)
    with pytest.MonkeyPatch.context() as patch:
        sketch(patch)
        return reported(home / "sweeps" / made.name, samples, "--metric", "last_mean")


@pytest.fixture
def sweep(made, tmp_path):
    """A sweep to change."""
    shutil.copytree(made.parents[1], tmp_path / "outputs")
    return tmp_path / "outputs" / "sweeps" / made.name


@pytest.fixture
def one(made, tmp_path):
    """A run to change."""
    folder = tmp_path / "outputs" / "default" / RUN
    if not folder.exists():  # it is there where the sweep is
        shutil.copytree(made.parents[1] / "default" / RUN, folder)
    return folder


@pytest.fixture
def wording(capsys):
    """Call the command line: what it says as JSON."""

    def call(*words):
        assert main(["report", *map(str, words), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return call


@pytest.fixture
def wrong(capsys):
    """Call the command line with something wrong: its one sentence."""

    def call(*words):
        assert main(["report", *map(str, words)]) == 2
        error = capsys.readouterr().err
        return error.splitlines()[-1]

    return call
