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
    champion = "pigevo.web.report.champion"
    for name in ("show_first_hold", "landscape", "plot_difference"):
        patch.setattr(f"{champion}.{name}", lambda *_, **__: None)
    patch.setattr(f"{champion}.picture", lambda _, label, *__: tag("img", src="data:image/png,", alt=label))
    if curves:
        patch.setattr("pigevo.web.report.curves.svg", lambda *_: tag("svg", role="img", aria_label="none"))


@pytest.fixture
def sketched(monkeypatch):
    sketch(monkeypatch)


@dataclass(frozen=True)
class Report:
    """A report that tests only read."""

    folder: Path
    record: dict
    page: Page


def reported(folder, samples, *words):
    output = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output):
        patch.setenv("XDG_CACHE_HOME", str(samples))
        assert main(["report", str(folder), *words, "--json"]) == 0
    record = json.loads(output.getvalue())
    return Report(folder, record, read(Path(record["html"])))


@pytest.fixture(scope="session")
def run_report(finished_sweep, samples, tmp_path_factory):
    """The report of a run, with its film."""
    folder = tmp_path_factory.mktemp("run_report") / "outputs" / "default" / RUN
    shutil.copytree(finished_sweep.parents[1] / "default" / RUN, folder)
    return reported(folder, samples)


@pytest.fixture(scope="session")
def sweep_report(finished_sweep, samples, tmp_path_factory):
    """The report of a sweep, ranked by the last means, without its drawings."""
    home = tmp_path_factory.mktemp("sweep_report") / "outputs"
    shutil.copytree(finished_sweep.parents[1], home)
    with pytest.MonkeyPatch.context() as patch:
        sketch(patch)
        return reported(home / "sweeps" / finished_sweep.name, samples, "--metric", "last_mean")


@pytest.fixture
def sweep(finished_sweep, tmp_path):
    """A sweep to change."""
    shutil.copytree(finished_sweep.parents[1], tmp_path / "outputs")
    return tmp_path / "outputs" / "sweeps" / finished_sweep.name


@pytest.fixture
def run_copy(finished_sweep, tmp_path):
    """A run to change."""
    folder = tmp_path / "outputs" / "default" / RUN
    if not folder.exists():  # it is there where the sweep is
        shutil.copytree(finished_sweep.parents[1] / "default" / RUN, folder)
    return folder


@pytest.fixture
def report(capsys):
    """Call the command line: its JSON."""

    def call(*words):
        assert main(["report", *map(str, words), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return call


@pytest.fixture
def refusal(capsys):
    """Call the command line with something wrong: its one sentence."""

    def call(*words):
        assert main(["report", *map(str, words)]) == 2
        return capsys.readouterr().err.splitlines()[-1]

    return call
