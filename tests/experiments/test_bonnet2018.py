"""The study of three players in miniature: every table and picture is made, and nothing twice."""

import csv
import importlib

import numpy as np
import pytest

import pigevo
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


def drawing():
    return importlib.import_module(f"{load_study('bonnet2018').__name__}.drawing")


def rows(path):
    return list(csv.DictReader(path.read_text().splitlines()))


@pytest.mark.parametrize("drawn", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_study_in_miniature(study, tmp_path, monkeypatch, drawn):
    pictures = set()
    if not drawn:  # what they show is read from the tables all the same
        for name in ("plot_curves", "plot_hold_table", "plot_surfaces", "figure_of"):
            monkeypatch.setattr(drawing(), name, lambda *_, **__: None)
        monkeypatch.setattr(drawing(), "save_figure", lambda path, _: pictures.add(path.stem))
    study.run(tmp_path, seeds=2, workers=1)
    assert {p.stem for p in tmp_path.glob("*.csv")} >= TABLES
    pictures |= {p.stem for p in tmp_path.glob("*.png")}
    assert pictures == {"seats", "piglet", "coins", "losses", "piglet_holds", "surface"}
    targets = rows(tmp_path / "targets.csv")
    assert len(targets) == 12
    assert sum(float(targets[-1][s]) for s in ("first", "second", "third")) == pytest.approx(1)
    assert len(rows(tmp_path / "simulation_2.csv")) == 6
    assert all(row["converged"] == "True" for row in rows(tmp_path / "iterations.csv"))

    made = {p: p.stat().st_mtime_ns for p in [*tmp_path.rglob("*.csv"), *tmp_path.rglob("*.json")]}
    (tmp_path / "coins.csv").unlink()
    monkeypatch.setattr(study.piglet_tables, "coin", None)  # each coin is kept: none is computed again
    monkeypatch.setattr(study, "draw", lambda *_: None)
    study.run(tmp_path, seeds=2, workers=1)
    assert all(p.stat().st_mtime_ns == t for p, t in made.items() if p.name != "coins.csv")
    assert len(rows(tmp_path / "coins.csv")) == 4


def test_play_leads_from_an_orbit_to_those_with_less_to_go(study):
    assert study.leads_to((32, 62, 61), (30, 58, 58))
    assert study.leads_to((32, 62, 61), (61, 32, 62))
    assert not study.leads_to((32, 62, 61), (33, 40, 33))


def test_a_curve_has_a_gap_where_equilibria_differ_filled_with_all_of_them():
    rows = [("0.4", 5, 0.1), ("0.5", 5, 0.2), ("0.5", 5, 0.3), ("0.5", 10, 0.7), ("0.4", 10, 0.6), ("0.6", 5, 0.1)]
    data = drawing().coins_data([{"heads": h, "goal": str(g), "gain": str(y)} for h, g, y in [*rows, ("0.6", 10, 0.5)]])
    assert data.x.tolist() == [0.4, 0.5, 0.6]
    assert np.isnan(data.series["goal 5"]).tolist() == [False, True, False]
    assert data.series["goal 10"].tolist() == [0.6, 0.7, 0.5]
    assert data.dots == (("goal 5", 0.5, 0.2), ("goal 5", 0.5, 0.3))


def test_the_hold_table_is_piglets_of_the_paper():
    """Figure 1: when b = 1 the player plays to win in this turn."""
    holds = drawing().hold_table(pigevo.optimal(pigevo.Piglet(10)).strategy)
    assert holds[:, 0].tolist() == list(range(1, 11))
    assert holds.shape == (10, 10)
    drawn = drawing().plot_hold_table(holds)
    assert [int(t.get_text()) for t in drawn.texts] == holds.ravel().tolist()
