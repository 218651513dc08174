"""The budget study in a tiny form, and the arithmetic of its settings."""

import csv
import re

import numpy as np
import pytest

from experiments.common.tests.prose import cells_of, readme_and_tables
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


RUNS = [*csv.DictReader((STUDY.HERE / "runs.csv").open())]
README, TABLES = readme_and_tables("budget")


def test_the_tables_are_those_of_the_runs():
    for part, settings in WORDS.items():
        section = "mutation" if part.startswith("mutation") else {"8": "large", "9": "largest"}.get(part[-1], "budget")
        for name in settings:
            own = [row for row in RUNS if (row["part"], row["setting"]) == (part, name)]
            count = {"7": 10, "8": 3, "9": 1}.get(part[-1], 20)
            assert [int(row["seed"]) for row in own] == [*range(STUDY.FRESH, STUDY.FRESH + count)]
            figures = np.array([float(row["champion"]) for row in own])
            (cells,) = (row for row in cells_of(TABLES[section], STUDY._words(part, name) + " |") if len(row) == 9)
            assert cells[1] == str(count)
            assert cells[6].partition(" (")[0] == f"{np.mean(figures):.4f}"
            assert cells[8].partition(" (")[0] == f"{np.mean(-np.log10(0.5 - figures)):.3f}"
            assert [" (" in cell for cell in (cells[6], cells[8])] == [count > 1] * 2  # a single run has no interval


def compared(table, beginning, beside):
    """The ends of the interval of a comparison, and its verdict: A, B or open."""
    (cells,) = cells_of(TABLES[table], f"{beginning} | {beside} |")
    low, high = re.search(r"\((\S+) to (\S+)\)", cells[3]).groups()
    return float(low), float(high), cells[6]


def test_the_verdicts_on_what_is_doubled_are_those_of_the_tables():
    beside = {
        (power, name): compared("budget", f"paper, 10^{power}, generations, champion", name)
        for power in (5, 6, 7)
        for name in ("population", "games")
    }
    assert {verdict for _, _, verdict in beside.values()} == {"B"}  # predictions 1 and 2
    assert {key for key, (_, high, _) in beside.items() if high > -0.05} == {(7, "games")}
    rows = [row for row in cells_of(TABLES["budget"], "twins") if len(row) == 7]
    assert {row[6] for row in rows} == {"open"}  # prediction 3
    for name in ("generations", "population", "games"):  # prediction 4
        assert compared("tenfold", f"paper, 10^6, {name}", "10^5")[1] < 0.1
        assert compared("tenfold", f"twins, 10^6, {name}", "10^5")[2] == "A"
        assert compared("tenfold", f"twins, 10^7, {name}", "10^6")[2] == "A"
    low = {
        name: compared("tenfold", f"twins, 10^6, {name}", "10^5")[0] for name in ("generations", "population", "games")
    }
    assert [name for name, end in low.items() if end < 0.3] == ["generations"]
    high = {name: compared("tenfold", f"twins, 10^7, {name}", "10^6")[1] for name in low}
    assert [name for name, end in high.items() if end < 0.3] == ["generations"]
    assert compared("tenfold", "paper, 10^7, generations", "10^6")[1] > 0.1


def test_with_a_hundred_million_games_nothing_is_decided():
    rows = [row for row in cells_of(TABLES["large"]) if len(row) == 7 and row[2] == "3"]
    assert len(rows) == 18
    assert {row[6] for row in rows} == {"open"}


def test_the_verdicts_on_rates_are_those_of_the_tables():
    for size in STUDY.SIZES:
        assert compared("mutation", f"cubes of {size}, rising, champion", "fixed")[2] == "open"
        assert compared("mutation", f"cubes of {size}, inherited, champion", "fixed")[2] == "open"
        (fifth,) = (row for row in cells_of(TABLES["mutation"], f"cubes of {size}, one_fifth |") if len(row) == 7)
        assert fifth[3:5] == [f"{0.01 / int(fifth[2]):.2g}"] * 2
        (found,) = (row for row in cells_of(TABLES["mutation"], f"cubes of {size}, inherited |") if len(row) == 7)
        assert float(found[3]) < float(said(f"mutation_{size}", "fixed")["mutation"])
    assert compared("mutation", "cubes of 20, one_fifth, champion", "fixed")[1] < -0.02


@pytest.mark.slow
def test_the_study_writes_its_tables(monkeypatch, tmp_path):
    dropped = ("cubes.generations=", "population.size=", "fitness.games=", "mutator.", "record_every=")
    tiny = shorter(STUDY, "debug=fast game.target=40", dropped)
    monkeypatch.setattr(STUDY, "read_settings", lambda _: tiny)
    monkeypatch.setattr(STUDY, "SEEDS", {5: 1, 6: 1, 7: 1, 9: 1 / 2})
    monkeypatch.setattr(STUDY, "TESTED", 6)
    STUDY.run(tmp_path, 2, 2)
    assert "large" not in read_sections(tmp_path)
    STUDY.run_full(tmp_path, 2, 2)
    rows = list(csv.DictReader((tmp_path / "runs.csv").open()))
    spent = {f"{algorithm}_{power}" for algorithm in ("paper", "twins") for power in (5, 6, 7, 9)}
    assert {row["part"] for row in rows} == spent | {f"mutation_{size}" for size in STUDY.SIZES}
    assert {row["seed"] for row in rows} == {str(STUDY.FRESH), str(STUDY.FRESH + 1)}
    tables = read_sections(tmp_path)
    first = [row for row in rows if (row["part"], row["setting"]) == ("paper_5", "games")]
    right = np.mean([-np.log10(max(0.5 - float(row["champion"]), 1e-7)) for row in first])
    assert "| paper, 10^5, games | 2 |" in tables["budget"]
    assert f"{right:.3f} (" in tables["budget"]
    assert tables["budget"].count("| twins, 10^5, generations, champion | population | 2 |") == 1
    assert "10^7" not in tables["budget"] + tables["tenfold"]
    assert tables["large"].count("| twins, 10^7, generations, champion | population | 2 |") == 1
    assert tables["large"].count("| twins, 10^7, games | 10^6 | 2 |") == 1
    assert tables["largest"].count("| twins, 10^9, games | 1 |") == 1
    assert "10^9" not in tables["large"]
    assert tables["mutation"].count(" | fixed | 2 |") == 3 * 3 * 2
    assert tables["mutation"].count("| cubes of 10, one_fifth | 2 |") == 2
    assert (tmp_path / "pictures" / "budget.png").stat().st_size > 10_000
