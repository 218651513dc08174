"""The recipes for trackers of experiments."""

import csv

import pytest

import pigevo
from tests.docs.pages import EXAMPLES

WORDS = ("debug=fast", "game.target=9", "generations=6", "baseline=none", "figures=none", "record_every=1")


def test_each_generation_is_a_line_of_a_csv_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain = pigevo.evolve(*WORDS)
    run = pigevo.evolve(*WORDS, on_generation=f"{EXAMPLES}/track.py:to_csv")
    with open("tracked.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert [int(number) for _, number, _, _ in rows] == list(range(7))
    assert [float(mean) for _, _, mean, _ in rows] == run.metrics["mean"].tolist()
    assert run.result["digest"] == plain.result["digest"]


@pytest.mark.slow
def test_mlflow_is_told_of_a_run(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "store").as_uri())
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    words = {"on_generation": f"{EXAMPLES}/track.py:to_mlflow"}
    run = pigevo.evolve(*WORDS, "on_generation.options.every=4", "seed=3", **words, folder=tmp_path / "run")
    assert mlflow.active_run() is None
    client = mlflow.MlflowClient()
    [told] = client.search_runs([client.get_experiment_by_name("pigevo").experiment_id])
    assert told.info.status == "FINISHED"
    assert told.data.params["seed"] == "3"
    history = client.get_metric_history(told.info.run_id, "mean")
    means = run.metrics["mean"]
    assert [(one.step, one.value) for one in history] == [(n, means[n]) for n in (0, 4, 6)]
