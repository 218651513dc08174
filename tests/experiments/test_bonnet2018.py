"""The study of three players in miniature: every table and picture is made, and nothing twice."""

import csv

import numpy as np
import pytest

from pigevo.studies.find import load_study

TABLES = {"targets", "shortfall", "coalition", "piglet", "simulation_2", "coins", "iterations", "target62", "one_orbit"}


@pytest.fixture
def study(monkeypatch):
    module = load_study("bonnet2018")
    short = {"TARGET": 12, "GAMES": 500, "target62": lambda _: [{"x": 1}], "one_orbit": lambda _: [{"x": 1}],
             "piglet_tables.PIGLET_GOALS": 4, "piglet_tables.COINS": np.array([0.4, 0.5]),
             "piglet_tables.COIN_GOALS": (1, 3),
             "iteration_tables.WATCHED": [(9, "in_place"), (9, "regret")]}  # fmt: skip
    for name, value in short.items():
        monkeypatch.setattr(f"{module.__name__}.{name}", value)
    return module


def rows(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def test_the_study_in_miniature(study, tmp_path, monkeypatch):
    study.run(tmp_path, seeds=2, workers=1)
    assert {p.stem for p in tmp_path.glob("*.csv")} >= TABLES
    assert {p.stem for p in tmp_path.glob("*.png")} == {"seats", "piglet", "coins", "losses", "piglet_holds", "surface"}
    targets = rows(tmp_path / "targets.csv")
    assert len(targets) == 12
    assert sum(float(targets[-1][s]) for s in ("first", "second", "third")) == pytest.approx(1)
    assert len(rows(tmp_path / "simulation_2.csv")) == 6
    assert all(row["converged"] == "True" for row in rows(tmp_path / "iterations.csv"))

    made = {p: p.stat().st_mtime_ns for p in [*tmp_path.rglob("*.csv"), *tmp_path.rglob("*.json")]}
    (tmp_path / "coins.csv").unlink()
    monkeypatch.setattr(study.piglet_tables, "coin", None)  # each coin is kept: none is computed again
    study.run(tmp_path, seeds=2, workers=1)
    assert all(p.stat().st_mtime_ns == t for p, t in made.items() if p.name != "coins.csv")
    assert len(rows(tmp_path / "coins.csv")) == 4


def test_play_leads_from_an_orbit_to_those_with_less_to_go(study):
    assert study.leads_to((32, 62, 61), (30, 58, 58))
    assert study.leads_to((32, 62, 61), (61, 32, 62))
    assert not study.leads_to((32, 62, 61), (33, 40, 33))
