"""What is false in a run's files is found although all hashes are right: files are compared, and the run made again."""

import base64

import pytest

import pigevo
from pigevo.evolution.champion import Champion
from pigevo.runs import champions
from pigevo.runs.consistency import by_hash
from pigevo.runs.result import read_result
from pigevo.runs.verify import verify
from pigevo.strategies.parse import CHAMPION
from tests.small import resealed

FIGURES = ("champion", "optimum", "peak_mean", "peak_generation", "last_mean", "best_seen", "generations")


@pytest.mark.parametrize("name", FIGURES)
def test_a_false_figure_under_right_hashes_is_not_that_of_the_other_files(copied, name):
    then = read_result(copied)[name]
    now = {**then, "overall": 0.9999} if isinstance(then, dict) else then + 1 if isinstance(then, int) else then / 2
    resealed(copied, **{name: now})
    assert by_hash(copied, read_result(copied)) == []
    found = verify(copied, 0 if name != "optimum" else 99, 1)
    assert any(name in said for said in found.differences), found.differences
    assert pigevo.load_run(copied).result[name] == now  # who computes hashes too deceives a reader, and not `verify`


@pytest.mark.parametrize("name", ["evaluations", "games", "planned", "digest", "baseline"])
def test_a_false_figure_under_right_hashes_is_another_one_when_the_run_is_made_again(copied, name):
    then = read_result(copied)[name]
    resealed(copied, **{name: "0" * 64 if name == "digest" else {} if name == "baseline" else then + 1})
    assert verify(copied, 3, 1).same
    found = verify(copied, 99, 1)
    assert any(name in said for said in found.differences), found.differences


def test_another_champion_under_right_hashes_is_found(copied):
    other = pigevo.hold_at(pigevo.Pig(12), 5)
    other.save(copied / CHAMPION)
    resealed(copied)
    assert any("champion is {" in said for said in verify(copied, 0, 1).differences)
    figures = pigevo.win_probability(other, pigevo.optimal(other.game).strategy)
    told = {"first": figures.first, "second": figures.second, "overall": figures.overall}
    resealed(copied, champion=told)
    assert verify(copied, 0, 1).same
    assert "champion.npz holds another strategy than the champion" in verify(copied, 99, 1).differences


def test_another_population_under_right_hashes_is_found(copied):
    from pigevo.runs.result import load_population, save_population

    grid, genomes = load_population(copied / "population.npz")
    save_population(copied / "population.npz", grid, genomes[::-1], 6)
    resealed(copied)
    assert "population.npz holds another population than the last" in verify(copied, 99, 1).differences


@pytest.mark.parametrize("row", [1, 2, -1])
def test_a_row_that_is_missing_under_right_hashes_is_found(copied, row):
    lines = (copied / "metrics.csv").read_text().splitlines(keepends=True)
    del lines[row]
    (copied / "metrics.csv").write_text("".join(lines))
    resealed(copied)
    told = verify(copied, 0, 1).differences
    assert any("metrics.csv" in said for said in told), told


def test_another_recorded_champion_under_right_hashes_is_found(copied):
    path = copied / "champions.csv"
    head, columns, zero, *lines = path.read_text().splitlines(keepends=True)
    grid = pigevo.load_run(copied).settings.plan.waves[0].grid
    other = Champion(0, grid, bytes(len(base64.b64decode(zero.split(",")[2]))))
    path.write_text("".join([head, columns, champions._line(other), *lines]))
    resealed(copied)
    assert pigevo.load_run(copied).champions[0] == other.strategy
    assert "generation 0: another champion than in champions.csv" in verify(copied, 0, 1).differences


@pytest.mark.parametrize(("line", "generation"), [(3, 2), (4, 3), (-1, 6)])
def test_a_recorded_champion_that_is_missing_under_right_hashes_is_found(copied, line, generation):
    lines = (copied / "champions.csv").read_text().splitlines(keepends=True)
    assert lines.pop(line).startswith(f"{generation},")
    (copied / "champions.csv").write_text("".join(lines))
    resealed(copied)
    assert verify(copied, 0, 1).differences == (f"the champion of generation {generation} is not in champions.csv",)
