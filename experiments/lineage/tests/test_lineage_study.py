"""The lineage study in a tiny form."""

import csv
from types import SimpleNamespace

import pytest

import pigevo
from experiments.common.tests.tiny import shorter
from pigevo.experiments import load_study
from pigevo.experiments.common.tables import read_sections
from pigevo.experiments.lineage import champions

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
    assert read_sections(tmp_path)["champions"].count("| 2 | ") == len(tiny["runs"])


def test_the_earlier_champion_is_counted_where_it_wins_and_half_where_both_do(monkeypatch):
    game = pigevo.Pig(target=12)
    weak, good, best = pigevo.hold_at(game, 1), pigevo.hold_at(game, 6), pigevo.optimal(game).strategy
    met = iter([good, weak, best, best])

    def of_a_run(*words):
        assert words[-2:] == ("seed=7", "baseline=none")
        for number in range(26):
            plan = SimpleNamespace(wave_ends={3, 5, 25})
            champion = next(met) if number in (10, 15, 20, 25) else None
            yield SimpleNamespace(number=number, plan=plan, champion=champion)

    monkeypatch.setattr(pigevo, "generations", of_a_run)
    found = champions.Champions({"games": "mutation=0.1"})(("games", 7))
    assert found == {"champions": 4, "earlier": 1.5 / 6}


def test_the_table_of_champions_is_that_of_the_runs():
    path = STUDY.HERE / "champions.csv"
    keys = [(row["setting"], row["seed"]) for row in csv.DictReader(path.open())]
    assert keys == [(name, str(STUDY.FRESH + k)) for k in range(30) for name in ("games", "exact")]
    rows = STUDY.kept(path, champions.KEY, keys, pytest.fail)
    assert champions.as_markdown(rows) == read_sections(STUDY.HERE)["champions"]
