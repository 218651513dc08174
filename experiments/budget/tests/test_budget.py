"""The budget study in a tiny form, and the arithmetic of its settings."""

import csv

import numpy as np
import pytest

from experiments.common.tests.tiny import shorter
from pigevo.experiments import load_study
from pigevo.experiments.common import settings as study_settings
from pigevo.experiments.common.tables import read_sections
from pigevo.settings.settings import Settings

STUDY = load_study("budget")
WORDS = study_settings.read_settings(STUDY.HERE / "settings.yaml")
BUDGETS = [part for part in WORDS if not part.startswith("mutation")]


def plans_of(part):
    return {name: Settings.of(*words.split(), "workers=1").plan for name, words in WORDS[part].items()}


def said(part, name):
    """The values of a setting by key."""
    return dict(word.split("=", 1) for word in WORDS[part][name].split())


@pytest.mark.parametrize("part", BUDGETS)
def test_one_factor_is_doubled_at_equal_games(part):
    plans = plans_of(part)
    assert [*plans] == ["generations", "population", "games"]
    base = {"population": plans["games"].size, "games": plans["population"].fitness.games}
    assert plans["generations"].size == base["population"]
    assert plans["generations"].fitness.games == base["games"]
    assert plans["population"].size == 2 * base["population"]
    assert plans["games"].fitness.games == 2 * base["games"]
    for plan in plans.values():
        meetings = plan.champion_matches if part.startswith("paper") else plan.size // 2
        games = plan.fitness.games * (plan.generations * plan.size // 2 + meetings)
        assert games == pytest.approx(10.0 ** int(part[-1]), rel=0.005)


@pytest.mark.parametrize("part", [part for part in BUDGETS if part.startswith("twins")])
def test_the_schedules_of_twins_keep_their_shares_of_the_generations(part):
    for name, plan in plans_of(part).items():
        count, values = plan.generations, said(part, name)
        assert [wave.generations / count for wave in plan.waves] == pytest.approx([0.12, 0.28, 0.6], abs=0.01)
        assert int(values["mutator.over"]) == pytest.approx(0.4 * count, abs=1)
        assert int(values["mutator.until"]) == count - 3


@pytest.mark.parametrize("size", STUDY.SIZES)
def test_the_fixed_rate_is_the_best_of_the_grid_of_rates(size):
    path = STUDY.HERE.parent / "mutation_by_cube_size" / "ranking.csv"
    best = next(row for row in csv.DictReader(path.open()) if row["setting"].startswith(f"cubes.sizes=[{size}],"))
    fixed, rising = (said(f"mutation_{size}", name) for name in ("fixed", "rising"))
    assert best["setting"] == f"cubes.sizes=[{size}],mutation={fixed['mutation']}"
    assert (rising["mutation"], rising["mutator.end"]) == ("0", fixed["mutation"])


@pytest.mark.slow
def test_the_study_writes_its_tables(monkeypatch, tmp_path):
    dropped = ("cubes.generations=", "population.size=", "fitness.games=", "mutator.", "record_every=")
    tiny = shorter(STUDY, "debug=fast game.target=40", dropped)
    monkeypatch.setattr(STUDY, "read_settings", lambda _: tiny)
    monkeypatch.setattr(STUDY, "LARGEST", 6)
    STUDY.run(tmp_path, 2, 2)
    rows = list(csv.DictReader((tmp_path / "runs.csv").open()))
    assert {row["part"] for row in rows} == {"paper_5", "paper_6", "twins_5", "twins_6"} | {
        f"mutation_{size}" for size in STUDY.SIZES
    }
    assert {row["seed"] for row in rows} == {str(STUDY.FRESH), str(STUDY.FRESH + 1)}
    tables = read_sections(tmp_path)
    first = [row for row in rows if (row["part"], row["setting"]) == ("paper_5", "games")]
    right = np.mean([-np.log10(max(0.5 - float(row["champion"]), 1e-7)) for row in first])
    assert "| paper, 10^5, games | 2 |" in tables["budget"]
    assert f"{right:.3f} (" in tables["budget"]
    assert tables["budget"].count("| twins, 10^5, generations, champion | population | 2 |") == 1
    assert tables["mutation"].count(" | fixed | 2 |") == 3 * 3 * 2
    assert tables["mutation"].count("| cubes of 10, one_fifth | 2 |") == 2
    assert (tmp_path / "pictures" / "budget.png").stat().st_size > 10_000
