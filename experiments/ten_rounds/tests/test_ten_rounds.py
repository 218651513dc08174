"""The study of ten rounds in a tiny form, and its players."""

from dataclasses import dataclass

import numpy as np
import pytest

import pigevo
from pigevo.evolution.evaluation import referee
from pigevo.experiments import experiments_folder, load_study
from pigevo.experiments.common.tables import read_sections
from pigevo.games import GAMES
from pigevo.games.pig_variants import TenRounds
from pigevo.strategies.grid import CubeGrid
from pigevo.strategies.stick_formula import by_rolls, sticking

STUDY = load_study("ten_rounds")


def game_of(**options):
    return GAMES["ten_rounds"].bind({"turns": 2, "cap": 14} | options)


def test_the_study_plays_the_formula_by_its_public_name():
    game = game_of()
    assert STUDY.formula(game) == pigevo.parse_strategy("stick_formula:4,50", game)
    assert STUDY.formula(game, 8.0, 17700.0).name == "stick_formula:8,17700"


def test_the_formula_becomes_a_rule_without_chance_as_its_power_grows():
    threshold = STUDY.worth_of(21, 6)
    sharp, power = STUDY.sharp(threshold), 600.0
    for rolls in range(1, 9):
        for total in range(rolls, 6 * rolls + 1):
            if abs(STUDY.worth_of(total, rolls) - threshold) > 0.04:
                steep = sticking(rolls, total / rolls / 6, power, np.exp(power * threshold))
                assert steep == pytest.approx(float(sharp(total, rolls)), abs=1e-9)
    assert [bool(sharp(total, 6)) for total in (20, 21)] == [False, True]


def test_the_best_threshold_is_better_than_its_neighbours():
    game = game_of(turns=3, cap=40)
    best = pigevo.optimal(game).strategy

    def wins(value):
        return pigevo.win_probability(by_rolls(game, STUDY.sharp(value), "sharp"), best).overall

    threshold = STUDY.best_threshold(game, best)
    assert wins(threshold) > max(wins(threshold - 0.05), wins(threshold + 0.05))
    assert wins(threshold) > STUDY.best_divisor(game, best, 8.0)[1] > STUDY.best_divisor(game, best, 4.0)[1]


def test_who_repairs_the_last_turn_rolls_until_ahead():
    game = game_of()
    mended = STUDY.repaired(STUDY.formula(game))
    behind = game.cell(left=1, second=1, difference=-5, total=5)
    ahead = game.cell(left=1, second=1, difference=-5, total=6)
    assert mended.roll[behind] == 1
    assert mended.roll[ahead] == 0
    assert 0 < mended.roll[game.cell(left=1, second=0, difference=-5, total=6)] < 1


@dataclass(frozen=True)
class Remembering(TenRounds):
    """Ten rounds in which a decision may depend on what the opponent's last turn banked."""

    @property
    def remembers(self):
        return ("last_turn",)


@pytest.mark.parametrize("least", [1, 5])
def test_who_must_beat_the_last_turn_wins_what_the_engine_says(least):
    """The engine knows the last turn in a game whose decisions may depend on it."""
    plain, wide = game_of(), Remembering(turns=2, cap=14)
    best = pigevo.optimal(plain).strategy
    roll = best.roll
    opponent = pigevo.Strategy.from_function(
        wide, lambda last, left, second, lead, k: roll[left - 1, second, lead + 14, k]
    )
    mine = pigevo.Strategy.from_function(wide, lambda last, left, second, lead, k: k < np.maximum(least, last + 1))
    expected = pigevo.win_probability(mine, opponent)
    assert STUDY.beating_turns(best, least) == pytest.approx((expected.first, expected.second), abs=1e-12)


def test_most_points_of_a_turn_are_made_by_holding_where_a_roll_gains_what_it_risks():
    points = STUDY.mean_points(game_of(cap=60), range(15, 26))
    assert points.argmax() + 15 in (20, 21)
    assert points[5] == pytest.approx(points[6], abs=1e-12)
    once = STUDY.mean_points(game_of(cap=60), [1])
    assert once == pytest.approx([3.5])  # the first roll is safe


def test_what_beating_the_opponent_wins_is_in_its_table():
    game = GAMES["ten_rounds"].bind({})
    rule = pigevo.parse_strategy("rule: max(19,j-i+1)", game)
    text = read_sections(experiments_folder() / "ten_rounds")["beaten"]
    row = next(line for line in text.splitlines() if line.startswith("| 19 |"))
    assert f" {pigevo.win_probability(rule, pigevo.optimal(game).strategy).overall:.4f} |" in row


def test_the_optimum_in_cubes_wins_what_the_readme_says():
    game = game_of(turns=10, cap=120)
    grid = CubeGrid(game, (4, 4, 1))
    (won,) = referee(game, grid.to_tables(grid.from_strategies([pigevo.optimal(game).strategy])))
    assert f"{won:.4f}"[1:] in (STUDY.HERE / "README.md").read_text()


@pytest.mark.slow
def test_the_study_writes_its_tables(monkeypatch, tmp_path):
    monkeypatch.setattr(
        STUDY,
        "read_settings",
        lambda _: {
            "evolution": {"ten_rounds": "experiment=ten_rounds debug=fast"},
            "games": {"self_play": "experiment=coevolve_noisy game=ten_rounds_capped debug=fast"},
        },
    )
    monkeypatch.setattr(STUDY, "LEASTS", (1, 4))
    monkeypatch.setattr(STUDY, "POWERS", (4.0, 16.0))
    monkeypatch.setattr(STUDY, "TARGETS", range(3, 7))
    monkeypatch.setattr(STUDY, "EXACT", {"turns": 2, "cap": 14})
    STUDY.run(tmp_path, 1, 1)
    names = {path.name for path in tmp_path.iterdir() if path.is_file()}
    assert names == {"tables.md", "optimum.png"}
    assert set(read_sections(tmp_path)) == {"table", "targets", "rolls", "answers", "beaten", "self_play", "ten_rounds"}
    rows = read_sections(tmp_path)["table"].splitlines()[2:]
    cells = [[tuple(map(float, cell.split("/"))) for cell in row.split("|")[2:-1]] for row in rows]
    assert len(cells) == len(cells[0]) == 9
    for a in range(9):
        for b in range(9):
            assert cells[a][b][0] + cells[b][a][1] == pytest.approx(1, abs=2e-4)
            assert sum(cells[a][-1]) / 2 <= 0.5 + 1e-4
