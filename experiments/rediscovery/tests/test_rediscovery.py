"""The rediscovery study in a tiny form."""

import numpy as np
import pytest

from experiments.common.tests.tiny import shorter
from pigevo.experiments import load_study
from pigevo.experiments.common.tables import read_sections

LONG = ("cubes.generations=", "cubes.sizes=", "record_every=", "population.size=80", "selection.share=")


@pytest.fixture
def tiny(monkeypatch):
    """The study on games to 20 and short, a few generations a run."""
    study = load_study("rediscovery")
    words = shorter(study, "debug=fast game.target=20", LONG)
    monkeypatch.setattr(study, "read_settings", lambda _: words)
    return study


@pytest.mark.slow
def test_the_study_writes_every_picture_and_table(tiny, tmp_path):
    tiny.run(tmp_path, 1, 2)
    seeds = {
        part: sorted(path.name for path in (tmp_path / "runs" / part).iterdir()) for part in ("coevolve", "no_flips")
    }
    assert seeds == {"coevolve": ["seed_2000"], "no_flips": ["seed_00", "seed_01"]}  # goals have fresh ones
    pictures = {path.name for path in tmp_path.iterdir() if path.suffix in {".png", ".gif"}}
    assert pictures == {"goals.png", "ingredients.png", "generations.png", "learned.png", "evolution.gif"}
    goals, confirmation, ingredients = (
        read_sections(tmp_path)[name] for name in ("goals", "confirmation", "ingredients")
    )
    assert "coevolve exploring starts" in confirmation
    assert all(tiny._words(name) in goals + confirmation for name in tiny.GOALS)
    assert "random search" in ingredients
    assert ingredients.count("hill climber on cubes") == 2
    assert "the last champion alone" in read_sections(tmp_path)["archives"]
    assert "cycles of three" in read_sections(tmp_path)["learned"]


def test_a_goal_is_met_by_a_share_of_the_runs_with_its_interval():
    study = load_study("rediscovery")
    assert study._met(np.array([*[0.4998] * 29, 0.49979]), 0.4998) == "0.4998 | 29 of 30 (0.83 to 1.00)"
    assert study._met(np.array([-0.0011, 0.0]), -0.001) == "-0.001 | 1 of 2 (0.01 to 0.99)"
    assert study._met(np.array([0.4]), None) == " | "
