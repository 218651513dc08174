"""The lineage study in a tiny form."""

import csv

import pytest

from experiments.common.tests.tiny import shorter
from pigevo.experiments import load_study
from pigevo.experiments.common.tables import read_sections

STUDY = load_study("lineage")


@pytest.mark.slow
def test_the_gains_of_each_wave_add_up_to_the_change_of_the_mean(monkeypatch, tmp_path):
    tiny = shorter(STUDY, "debug=fast game.target=12")
    monkeypatch.setattr(STUDY, "read_settings", lambda _: tiny)
    STUDY.run(tmp_path, 2, 2)
    rows = list(csv.DictReader((tmp_path / "runs.csv").open()))
    assert {(row["setting"], int(row["seed"]) - STUDY.FRESH) for row in rows} == {
        (n, k) for n in tiny["runs"] for k in (0, 1)
    }
    for row in rows:
        assert sum(float(row[name]) for name in STUDY.OPERATORS) == pytest.approx(float(row["change"]), abs=1e-12)
    assert read_sections(tmp_path)["table"].count("| games | ") == len({row["cubes"] for row in rows})
