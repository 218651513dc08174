"""What a run's own games measured, in its folder: recorded and verified."""

import numpy as np
import pytest

import pigevo
from pigevo.cli.summary import summary
from pigevo.errors import InputError
from pigevo.evolution.logbook import MEASURED
from pigevo.runs import run
from pigevo.runs.metrics import read_metrics
from pigevo.runs.verify import verify
from tests.small import small_settings


def test_every_recorded_row_says_what_was_measured_and_the_last_one_is_the_result(tmp_path):
    made = run(small_settings("generations=5", "record_every=2"), tmp_path)
    metrics = read_metrics(tmp_path)
    assert metrics["generation"].tolist() == [0, 2, 4, 5]
    assert not np.isnan([metrics[name] for name in MEASURED]).any()
    assert {name: metrics[name][-1] for name in MEASURED} == made["measured"]
    assert (metrics["measured_low"] <= metrics["measured"]).all()
    assert (metrics["measured"] <= metrics["measured_high"]).all()
    last = pigevo.load_run(tmp_path)
    matrix = pigevo.win_matrix(last.population)
    truth = (matrix.sum(axis=1) - matrix.diagonal()) / (len(matrix) - 1)
    champion = last.population.index(last.champion)
    assert made["measured"]["luck"] == pytest.approx(made["measured"]["measured"] - truth[champion], abs=1e-12)
    assert verify(tmp_path, 99, 1).same
    lines = " ".join(summary(made, last.settings, tmp_path).split("\nmeasured ", 1)[1].splitlines()[:2])
    assert "games" in lines
    assert "luck" in lines


def test_an_exact_fitness_measures_nothing(tmp_path):
    settings = pigevo.Settings.of("fitness=exact_vs_optimal", "debug=fast", "game.target=12", "baseline=none")
    made = run(settings, tmp_path)
    assert made["measured"] is None
    assert not set(MEASURED) & set(read_metrics(tmp_path))
    assert "measured " not in summary(made, settings, tmp_path)


def test_a_column_of_ones_own_must_have_another_name(tmp_path):
    with pytest.raises(InputError, match="returned the column 'luck'"):
        run(small_settings(), tmp_path, on_generation=lambda _: {"luck": 1.0})
