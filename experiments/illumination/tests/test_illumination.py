"""The study of illumination in a tiny form, and its maps."""

import csv

import numpy as np
import pytest

import pigevo
from pigevo.experiments import load_study
from pigevo.experiments.common.tables import read_sections
from pigevo.settings.settings import Settings

STUDY = load_study("illumination")


def test_all_that_a_run_of_map_elites_evaluates_makes_the_map_that_it_hands_over():
    words = ("experiment=illuminate", "debug=fast", "game.target=12", "cubes.sizes=[6,2]", "figures=none", "workers=1")
    whole = STUDY.watched(pigevo.generations(*words))
    run = pigevo.evolve(*words)
    assert Settings.of(*words).plan.selection.cells == STUDY.MAP.cells
    assert np.array_equal(whole.wins, run.elite_map.table, equal_nan=True)
    assert whole.evaluations == run.result["evaluations"]
    assert whole.figures["qd_score"] == run.elite_map.qd_score


@pytest.mark.slow
def test_the_study_writes_its_tables_and_goes_on(monkeypatch, tmp_path):
    monkeypatch.setattr(STUDY, "BUDGET", 450)
    monkeypatch.setattr(STUDY, "TARGET", 40)
    STUDY.run(tmp_path, 2, 1)
    names = {path.name for path in tmp_path.iterdir() if path.is_file()}
    tables = "runs.csv tables.md cells.csv map.png visited.csv visited.png"
    assert names == set(tables.split())
    assert list(read_sections(tmp_path)) == ["landscape", "rarely", "table", "visited"]
    rows = list(csv.DictReader((tmp_path / "runs.csv").open()))
    assert [row["experiment"] for row in rows] == ["illuminate"] * 2 + ["rediscover"] * 2
    assert all(int(row["evaluations"]) >= 450 for row in rows)
    cells = list(csv.DictReader((tmp_path / "cells.csv").open()))
    for name in ("illuminate", "rediscover"):
        assert sum(int(row[f"{name} runs"]) for row in cells) == sum(
            int(row["cells"]) for row in rows if row["experiment"] == name
        )
        best = max(float(row["best"]) for row in rows if row["experiment"] == name)
        assert max(float(row[f"{name} best"] or 0) for row in cells) == best
    monkeypatch.setattr(STUDY, "watched", None)  # what is there is not done again
    before = read_sections(tmp_path)["table"]
    STUDY.run(tmp_path, 2, 1)
    assert read_sections(tmp_path)["table"] == before
