"""Runs and sweeps in a notebook: finished, stopped, failed and damaged ones."""

import json
import shutil

import pytest

import pigevo
from pigevo.runs.result import sentences
from pigevo.sweeps.report import ranking_of
from tests.small import small_words
from tests.web.page import View

WORDS = small_words("seed=4", "baseline=none")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        return pigevo.evolve(*WORDS, folder=tmp_path_factory.mktemp("runs") / "<b>run")


@pytest.fixture
def copied(run, tmp_path):
    """A run to change."""
    return shutil.copytree(run.folder, tmp_path / "run")


def test_a_run_shows_its_sentences_its_exact_figures_and_its_curve(run):
    view, record = View(run), run.result
    p = pigevo.win_probability(run.champion, pigevo.optimal(run.champion.game).strategy)
    for seat, wins in (("moving first", p.first), ("moving second", p.second), ("overall", p.overall)):
        assert view.row(f"champion, {seat}") == [f"{wins:.6f}"]
    assert view.row(f"population mean, generation {record['generations']}, the last") == [f"{record['last_mean']:.6f}"]
    assert " ".join(sentences(record)) in view.text
    assert view.title.startswith("Run seed=4 ")
    assert "mutation=0.03" in view.title
    assert f"Folder: {run.folder}" in view.text
    assert view.picture.size
    assert repr(run) == f"<run: its champion wins {p.overall:.4f} against the optimum, in {run.folder}>"


def test_a_run_that_is_only_in_memory_names_no_folder(sketched):
    view = View(pigevo.evolve(*WORDS))
    assert "Folder: " not in view.text
    assert repr(view.record).endswith(", in memory>")


def test_a_run_that_was_stopped_says_how_far_it_is(run, copied, sketched):
    (copied / "result.json").unlink()
    stopped = pigevo.load_run(copied)
    view = View(stopped)
    last = f"{run.metrics['mean'][-1]:.4f}"
    assert f"in generation {run.metrics['generation'][-1]} the population wins {last} on average" in view.text
    assert view.tables == []
    assert view.picture.size
    assert repr(stopped) == f"<run: in generation {run.metrics['generation'][-1]}, not finished, in {stopped.folder}>"


def test_a_run_whose_settings_are_gone_says_so(copied, sketched):
    run = pigevo.load_run(copied)
    (copied / ".hydra" / "config.yaml").unlink()
    view = View(run)
    assert view.title == repr(run)
    assert "config.yaml" in view.text
    assert "Traceback" not in view.html


def test_a_sweep_ranks_its_settings_with_intervals(finished_sweep):
    sweep = pigevo.load_sweep(finished_sweep)
    view = View(sweep)
    ranking = ranking_of(sweep, "champion")
    assert view.title == "A sweep of 6 runs: 6 finished"
    ends = ["undetermined" if r.low is None else f"{r.low:.4f} to {r.high:.4f}" for r in ranking]
    rows = [[r.setting, "3", f"{r.mean:.4f}", end, f"{r.sd:.4f}"] for r, end in zip(ranking, ends, strict=True)]
    assert view.tables[0][1:] == rows
    assert ranking[0].mean > ranking[-1].mean


def test_a_large_sweep_is_cut_and_a_huge_one_not_read(finished_sweep, monkeypatch):
    monkeypatch.setattr("pigevo.web.notebook.MOST_ROWS", 1)
    sweep = pigevo.load_sweep(finished_sweep)
    view = View(sweep)
    assert len(view.tables[0]) == 1 + 1
    assert f"and 3 more: pigevo report {sweep.folder}" in view.text
    monkeypatch.setattr("pigevo.web.notebook.MOST_RUNS", 5)
    assert View(sweep).tables  # its results have been read
    again = View(pigevo.load_sweep(finished_sweep))
    assert again.tables == []
    assert "So many results take a while to read" in again.text
    assert "runs" not in vars(again.record)


def test_a_sweep_that_was_stopped_or_damaged_says_so(finished_sweep, tmp_path):
    shutil.copytree(finished_sweep.parents[1], tmp_path / "outputs")
    folder = tmp_path / "outputs" / "sweeps" / finished_sweep.name
    first, second, *others = (member.folder for member in pigevo.load_sweep(folder).members)
    (first / "result.json").unlink()
    view = View(pigevo.load_sweep(folder))
    assert view.title == "A sweep of 6 runs: 1 interrupted, 5 finished"
    assert sorted(row[1] for row in view.tables[0][1:] if row[0].startswith("mutation=")) == ["2", "3"]
    record = json.loads((second / "result.json").read_text())
    (second / "result.json").write_text(json.dumps(record)[:-9])
    damaged = View(pigevo.load_sweep(folder))
    assert "1 failed" in damaged.title
    assert f"{second.name} has failed: " in damaged.text
    for member in (second, *others):
        (member / "result.json").unlink()
    assert View(pigevo.load_sweep(folder)).tables == []
