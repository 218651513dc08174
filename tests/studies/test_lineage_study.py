"""The lineage study in a tiny form."""

import csv

import pytest

from pigevo.studies import settings as study_settings
from pigevo.studies.find import load_study

STUDY = load_study("lineage")
WORDS = study_settings.read_settings(STUDY.HERE / "settings.yaml")["runs"]


@pytest.mark.slow
def test_the_gains_of_each_wave_add_up_to_the_change_of_the_mean(monkeypatch, tmp_path):
    tiny = {name: f"{words} debug=fast game.target=12" for name, words in WORDS.items()}
    monkeypatch.setattr(STUDY, "read_settings", lambda _: {"runs": tiny})
    STUDY.run(tmp_path, 2, 2)
    rows = list(csv.DictReader((tmp_path / "runs.csv").open()))
    assert {(row["setting"], int(row["seed"]) - STUDY.FRESH) for row in rows} == {(n, k) for n in WORDS for k in (0, 1)}
    for row in rows:
        assert sum(float(row[name]) for name in STUDY.OPERATORS) == pytest.approx(float(row["change"]), abs=1e-12)
    assert (tmp_path / "table.md").read_text().count("| games | ") == len({row["cubes"] for row in rows})
