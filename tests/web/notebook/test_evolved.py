"""Runs and sweeps in a notebook: finished, stopped, failed and damaged ones."""

import json

import pytest

import pigevo
from pigevo.core.intervals import SHARE
from pigevo.runs.sentences import sentences
from pigevo.sweeps.report import figures_of
from pigevo.sweeps.statistics import rank_settings
from tests.web.notebook.seen import Seen

SMALL = {"debug": "fast", "game.target": 12, "cubes.sizes": [4, 2], "baseline": "none"}


def small(**values):
    return SMALL | values


def swept(**values):
    return small(**values) | {"cubes.sizes": [[4, 2]]}  # the list is one value


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return pigevo.evolve("cube_random", **small(seed=4), folder=tmp_path_factory.mktemp("runs") / "<b>run")


@pytest.mark.parametrize("where", ["folder", "memory"])
def test_a_run_shows_its_sentences_its_exact_figures_and_its_curve(run, where):
    shown = run if where == "folder" else pigevo.evolve("cube_random", **small(seed=4))
    seen, record = Seen(shown), shown.result
    champion = record["champion"]
    for seat in ("moving first", "moving second", "overall"):
        assert seen.row(f"champion, {seat}") == [f"{champion[seat.removeprefix('moving ')]:.6f}"]
    p = pigevo.win_probability(shown.champion, pigevo.optimal(shown.champion.game).strategy)
    assert seen.row("champion, overall") == [f"{p.overall:.6f}"]
    assert seen.row(f"population mean, generation {record['generations']}, the last") == [f"{record['last_mean']:.6f}"]
    assert " ".join(sentences(record)) in seen.text
    assert seen.title == "Run cube_random seed=4 debug=fast game.target=12 cubes.sizes=[4, 2] baseline=none"
    assert (f"Folder: {shown.folder}" in seen.text) == (where == "folder")
    assert seen.picture.size


@pytest.mark.parametrize("where", ["folder", "memory"])
def test_a_run_in_a_terminal_says_what_its_champion_wins_and_where_it_lies(run, where):
    shown = run if where == "folder" else pigevo.evolve("cube_random", **small(seed=4))
    wins = f"{shown.result['champion']['overall']:.4f}"
    lies = f"in {run.folder}" if where == "folder" else "in memory"
    assert repr(shown) == f"<run: its champion wins {wins} against the optimum, {lies}>"


def test_a_run_that_was_stopped_says_how_far_it_is(tmp_path):
    run = pigevo.evolve("cube_random", **small(), folder=tmp_path / "run")
    (tmp_path / "run" / "result.json").unlink()
    seen = Seen(pigevo.load_run(tmp_path / "run"))
    last = f"{run.metrics['mean'][-1]:.4f}"
    assert f"in generation {run.metrics['generation'][-1]} the population wins {last} on average" in seen.text
    assert seen.tables == []
    assert seen.picture.size
    stopped = pigevo.load_run(tmp_path / "run")
    assert repr(stopped) == f"<run: in generation {run.metrics['generation'][-1]}, not finished, in {stopped.folder}>"


def test_a_run_whose_settings_are_gone_is_told_in_a_sentence(tmp_path):
    pigevo.evolve("cube_random", **small(), folder=tmp_path / "run")
    run = pigevo.load_run(tmp_path / "run")
    (tmp_path / "run" / ".hydra" / "config.yaml").unlink()
    seen = Seen(run)
    assert seen.title == repr(run)
    assert "config.yaml" in seen.text
    assert "Traceback" not in seen.html


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    values = swept(mutation=[0.001, 0.01, 0.1], seed=range(2))
    return pigevo.sweep("cube_random", **values, outputs=tmp_path_factory.mktemp("outputs"), workers=1)


def test_a_sweep_ranks_its_settings_with_intervals(sweep):
    seen = Seen(sweep)
    ranking = rank_settings(figures_of(sweep, "champion"), SHARE)
    assert seen.title == "A sweep of 6 runs: 6 finished"
    ends = ["undetermined" if one.low is None else f"{one.low:.4f} to {one.high:.4f}" for one in ranking]
    assert seen.tables[0][1:] == [
        [one.setting, "2", f"{one.mean:.4f}", end, f"{one.sd:.4f}"] for one, end in zip(ranking, ends, strict=True)
    ]
    assert [one.setting for one in ranking] != sweep.settings or ranking[0].mean > ranking[-1].mean


def test_a_large_sweep_is_cut_and_a_huge_one_not_read(sweep, monkeypatch):
    monkeypatch.setattr("pigevo.web.notebook.parts.MOST_ROWS", 2)
    monkeypatch.setattr("pigevo.web.notebook.evolved.MOST_ROWS", 2)
    seen = Seen(sweep)
    assert len(seen.tables[0]) == 1 + 2
    assert f"and 1 more: pigevo report {sweep.folder}" in seen.text
    monkeypatch.setattr("pigevo.web.notebook.evolved.MOST_RUNS", 5)
    assert Seen(sweep).tables  # its results have been read
    again = pigevo.load_sweep(sweep.folder)
    assert Seen(again).tables == []
    assert "So many results take a while to read" in Seen(again).text
    assert "runs" not in vars(again)


def test_a_sweep_that_was_stopped_or_damaged_says_so(tmp_path):
    done = pigevo.sweep("cube_random", **swept(seed=range(3)), outputs=tmp_path, workers=1)
    first, second, _ = (member.folder for member in done.members)
    (first / "result.json").unlink()
    seen = Seen(pigevo.load_sweep(done.folder))
    assert seen.title == "A sweep of 3 runs: 1 interrupted, 2 finished"
    assert seen.tables[0][1][1] == "2"
    record = json.loads((second / "result.json").read_text())
    (second / "result.json").write_text(json.dumps(record)[:-9])
    damaged = Seen(pigevo.load_sweep(done.folder))
    assert "1 failed" in damaged.title
    assert f"{second.name} has failed: " in damaged.text
    for folder in (second, done.members[2].folder):
        (folder / "result.json").unlink()
    assert Seen(pigevo.load_sweep(done.folder)).tables == []
