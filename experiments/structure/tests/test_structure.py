"""The structure study in a tiny form."""

import csv

import pytest

from experiments.common.tests.tiny import shorter
from pigevo.dice import Draw
from pigevo.evolution.operators import Context
from pigevo.experiments import load_study
from pigevo.experiments.common import settings as study_settings
from pigevo.experiments.common.tables import read_sections
from pigevo.settings.settings import Settings

STUDY = load_study("structure")
WORDS = study_settings.read_settings(STUDY.HERE / "settings.yaml")


@pytest.mark.parametrize("luck", WORDS)
def test_all_three_have_the_same_matches(luck):
    met = {}
    for name, words in WORDS[luck].items():
        plan = Settings.of(*words.split(), "workers=1").plan
        count = plan.islands.count
        pairs = plan.selection.pairs(plan.size // count, Context(Draw(1, "selection"), plan.waves[0].grid))
        met[name] = (count * len(pairs), plan.fitness.plays, plan.size, plan.generations, plan.rate)
    assert len(set(map(repr, met.values()))) == 1
    assert met["cellular"][0] == 324


@pytest.mark.slow
def test_the_study_writes_its_tables(monkeypatch, tmp_path):
    tiny = shorter(STUDY, "debug=fast game.target=12", ("cubes.generations=", "game.", "record_every="))
    monkeypatch.setattr(STUDY, "read_settings", lambda _: tiny)
    STUDY.run(tmp_path, 2, 2)
    rows = list(csv.DictReader((tmp_path / "runs.csv").open()))
    assert [(row["luck"], row["population"]) for row in rows[::2]] == [
        (luck, name) for luck, part in WORDS.items() for name in part
    ]
    assert {row["seed"] for row in rows} == {str(STUDY.FRESH), str(STUDY.FRESH + 1)}
    assert all(0 < float(row["mean"]) < float(row["champion"]) + 0.2 < 0.8 for row in rows)
    table = read_sections(tmp_path)["table"]
    assert table.count("| cellular, ") == 3 + 6
    assert "| islands, exact, champion | panmixia, exact, champion | 2 |" in table
