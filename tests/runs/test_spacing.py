"""The generations whose champions are recorded, and those in which luck is computed."""

import pytest

from pigevo.evolution.logbook import Champion
from pigevo.games import Pig
from pigevo.runs import stepper as module
from pigevo.runs.metrics import CHAMPIONS
from pigevo.runs.stepper import MOST_MEASURED, measuring, spacing
from pigevo.settings.settings import Settings
from pigevo.strategies import CubeGrid

FREE = ("selection=truncation", "fitness=exact_vs_optimal")


def all_of(settings):
    return [n for n in range(settings.plan.generations + 1) if n in spacing(settings)]


def test_those_of_the_metrics_where_that_is_not_too_much():
    waves = ("cubes=waves", "cubes.sizes=[20,10]", "cubes.generations=[11,12]")
    settings = Settings.of(*waves, *FREE, record_every=5)
    assert all_of(settings) == [0, 5, 10, 11, 15, 20, 23]


@pytest.mark.parametrize(
    ("name", "most", "wanted"),
    [("MOST_CHAMPIONS", 24, 4), ("MOST_CHAMPIONS", 5, 16), ("MOST_CHAMPIONS", 2, 64), ("MOST_CHAMPION_BYTES", 1000, 8)],
)
def test_of_too_many_every_second_is_left_out(monkeypatch, name, most, wanted):
    monkeypatch.setattr(module, name, most)
    settings = Settings.of(*FREE, **{"game.target": 9, "generations": 64}, record_every=1)
    assert spacing(settings).step == wanted
    held = len(all_of(settings))
    assert held <= most if name == "MOST_CHAMPIONS" else held * (40 + settings.plan.waves[0].grid.genes / 6) <= most
    assert set(all_of(settings)) <= set(all_of(settings.with_(record_every=1)))


def test_where_not_even_the_ends_of_waves_fit_only_the_last_one_stays(monkeypatch):
    monkeypatch.setattr(module, "MOST_CHAMPION_BYTES", 10)
    settings = Settings.of(*FREE, **{"game.target": 9}, generations=64)
    assert all_of(settings) == []


def test_a_billion_generations_are_spaced_at_once():
    settings = Settings.of(*FREE, **{"game.target": 9}, generations=10**9, record_every=1)
    assert 10**9 / spacing(settings).step <= module.MOST_CHAMPIONS


@pytest.mark.parametrize(
    ("words", "games"),
    [
        (("selection=knockout", "fitness=games", "fitness.games=100"), 100),
        (("selection=knockout", "fitness=games", "fitness.games=10000"), 10000),
        (("selection=knockout", "fitness=exact"), module.EXACT),
    ],
)
def test_where_members_must_meet_once_more_it_costs_little(words, games):
    settings = Settings.of(*words, **{"population.size": 20, "generations": 1000}, record_every=1)
    most = max(module.MOST_GAMES, 0.1 * 10 * 1000 * games)
    assert most / 2.1 < (len(all_of(settings)) - 1) * 190 * games <= most


@pytest.mark.parametrize("words", [("selection=round_robin", "fitness.games=10000"), FREE])
def test_where_everybody_is_known_all_are_recorded(words):
    settings = Settings.of(*words, **{"game.target": 12, "generations": 1000}, record_every=1)
    assert len(all_of(settings)) == 1001


def test_bytes_are_those_of_the_file(tmp_path):
    grid = CubeGrid(Pig(100), (3, 2, 1))
    champions = [Champion(10**6 + n, grid, bytes(-(-grid.genes // 8))) for n in range(50)]
    CHAMPIONS.write(tmp_path, champions)
    size = (tmp_path / "champions.csv").stat().st_size
    assert 0.99 < size / (50 * (module.PER_LINE + grid.genes // 6)) < 1.01


def test_on_islands_nobody_has_met_everyone_yet():
    words = ("selection=round_robin", "fitness.games=1000", "generations=1000", "record_every=1", "game.target=12")
    assert spacing(Settings.of(*words)).step == 1
    assert spacing(Settings.of(*words, "islands=ring")).step > 100


@pytest.mark.parametrize(("generations", "step"), [(25, 1), (26, 2), (100, 4), (101, 8)])
def test_luck_is_computed_in_few_generations_and_at_the_ends_of_waves(generations, step):
    waves = ("cubes=waves", "cubes.sizes=[20,10]", f"cubes.generations=[11,{generations - 11}]")
    luck = measuring(Settings.of(*waves, record_every=1))
    assert (luck.step, luck.ends) == (step, {11, generations})
    assert generations // luck.step <= MOST_MEASURED


def test_luck_is_computed_nowhere_where_no_champion_is_known(monkeypatch):
    monkeypatch.setattr(module, "MOST_CHAMPION_BYTES", 1)
    assert 0 not in measuring(Settings.of(*FREE, record_every=1))
