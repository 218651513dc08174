"""What pigevo computes does not depend on numpy's error state in the program that calls it, and leaves it as it is."""

import warnings

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.core.intervals import bound_of_means, mean_p
from pigevo.sweeps.report import report
from pigevo.tournaments.dynamics import replicator
from tests.small import two_rates

QUICK = ("cube_random", "debug=fast", "game.target=20")


@pytest.fixture
def strict():
    """A program for which every irregular number is an error."""
    with np.errstate(all="raise"):
        yield
        assert set(np.geterr().values()) == {"raise"}


def divides(genomes, context):
    return genomes ^ (np.ones(1) / np.zeros(1) < 0).astype(np.uint8)


def test_runs_are_the_same_whatever_the_program_has_set(strict):
    with np.errstate(all="warn", under="ignore"):
        usual = pigevo.evolve(*QUICK, seed=1)
    assert pigevo.evolve(*QUICK, seed=1).result["digest"] == usual.result["digest"]
    with warnings.catch_warnings(action="ignore"):
        assert pigevo.evolve(*QUICK, seed=1, mutator=divides, baseline="none").champion
        few = pigevo.generations(*QUICK, mutator=divides, baseline="none")
        assert [len(next(few).exact) for _ in range(3)] == [20, 20, 20]


def test_figures_of_sweeps_tournaments_and_matches_are_computed(strict, tmp_path, monkeypatch, capsys):
    assert bound_of_means(np.linspace(0.0, 0.4, 300), 20, 0.39) < 1
    assert mean_p(np.linspace(1, 1 + 1e-9, 50)) < 1e-300
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    sweep = pigevo.load_sweep(two_rates(tmp_path, 2))
    assert report(sweep).ranking
    assert str(pigevo.compare(sweep))
    game = pigevo.Pig(target=20)
    players = [pigevo.hold_at(game, n) for n in (1, 5, 10)]
    for games in (None, 100):
        overall = pigevo.tournament(players, games=games).overall
    assert replicator(overall).shares.shape[1] == 3
    assert main(["duel", "hold_at:5", "hold_at:20", "--games", "1000"]) == 0
    assert "simulated" in capsys.readouterr().out
