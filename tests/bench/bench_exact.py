"""The exact engine's speed: `make bench`.  Targets are the project's own, in seconds."""

from __future__ import annotations

import numpy as np
import pytest

import pigevo
from pigevo.exact import against, matrix_of_tables, prepare, turns_of_tables
from pigevo.exact.evaluate import turn_values
from pigevo.exact.response_kernels import best_response_tables, optimal_tables
from pigevo.exact.solve import TIE
from pigevo.exact.thresholds import Thresholds
from pigevo.exact.turns import packed_die
from pigevo.strategies.rules import parse_rule
from tests.bench import plain

GAME = pigevo.Pig()
DIE = np.array([0.0, 0.0] + [1 / 6] * 5)
PLAIN = "a plain numba loop over the cells"


def solve(game: pigevo.Pig):
    """The optimum, without what is remembered from before."""
    return optimal_tables(game.target, *packed_die(game), TIE)


@pytest.fixture(scope="module")
def optimum():
    return pigevo.optimal(GAME).strategy


@pytest.fixture(scope="module")
def population():
    return np.stack([pigevo.random_strategy(GAME, seed).table for seed in range(20)])


@pytest.mark.parametrize("name", ["optimal", "hold_at:20", "random_strategy"])
def test_one_strategy_against_a_prepared_opponent(measure, optimum, name):
    strategy = optimum if name == "optimal" else pigevo.parse_strategy(name, GAME)
    opponent = prepare(optimum)
    assert turn_values(strategy.table, opponent)[0][0, 0] == pytest.approx(
        plain.win_probability(strategy.roll, optimum.roll, 1 / 6, DIE)[0], abs=1e-12
    )
    measure(
        f"{name} against the prepared optimum, one core",
        lambda: turn_values(strategy.table, opponent),
        plain=lambda: plain.win_probability(strategy.roll, optimum.roll, 1 / 6, DIE),
        plain_is=PLAIN,
        target=0.4e-3,
        rounds=300,
    )


def test_threshold_rules_against_a_prepared_opponent(measure, optimum):
    """A family: sixteen races for each of sixteen bases."""
    own = np.arange(GAME.target)
    i, j = own[:, None], own[None, :]
    bases = np.stack([parse_rule(f"{n}+(j-i)/8").planned(GAME) for n in range(16, 32)])
    races = np.stack([(i >= n) | (j >= n) for n in range(60, 76)])
    rules = [(base, race, 0) for base in range(16) for race in range(16)]
    opponent, general = Thresholds(optimum), prepare(optimum)
    table = parse_rule("21+(j-i)/8; race either>=71").strategy(GAME).table
    first = opponent.seats(bases, races, rules)[5 * 16 + 11, 0]
    assert first == pytest.approx(turn_values(table, general)[0][0, 0], abs=1e-12)
    measure(
        "256 threshold rules against the prepared optimum, one core",
        lambda: opponent.seats(bases, races, rules),
        plain=lambda: [turn_values(table, general) for _ in rules],
        plain_is="the general engine, one rule after the other",
        target=256 * 0.1e-3,
    )


def test_preparing_an_opponent(measure, population):
    measure("preparing a random opponent, one core", lambda: turns_of_tables(GAME, population[0]), rounds=100)


def test_a_population_against_a_fixed_opponent(measure, optimum, population):
    opponent = prepare(optimum)
    one = pigevo.Strategy(GAME, population[0].transpose(0, 2, 1).astype(bool))
    measure(
        "20 random strategies against the optimum, two cores",
        lambda: against(population, opponent, workers=2),
        plain=lambda: [plain.win_probability(one.roll, optimum.roll, 1 / 6, DIE) for _ in range(20)],
        plain_is=PLAIN,
        target=5e-3,
        rounds=50,
    )


@pytest.mark.parametrize(("workers", "target"), [(1, None), (2, 60e-3)])
def test_the_win_matrix_of_a_population(measure, population, workers, target):
    measure(
        f"20 x 20 win matrix of random strategies, workers={workers}",
        lambda: matrix_of_tables(GAME, population, workers=workers),
        target=target,
        rounds=10,
    )


def test_the_optimum(measure):
    measure(
        "optimal, target 100",
        lambda: solve(GAME),
        plain=lambda: plain.optimal_value(100, 1 / 6, DIE, 1e-12),
        plain_is="value iteration to 1e-12, compiled",
        target=60e-3,
    )


def test_a_best_response(measure):
    opponent = prepare(pigevo.hold_at(GAME, 20))
    measure(
        "best_response to hold_at:20, target 100",
        lambda: best_response_tables(100, *packed_die(GAME), False, TIE, *opponent.arrays),
        target=60e-3,
    )


@pytest.mark.parametrize("target", [50, 200, 400])
def test_growth_with_the_target(measure, target):
    game = pigevo.Pig(target)
    strategy = pigevo.hold_at(game, 20)
    opponent = prepare(pigevo.hold_at(game, 25))
    measure(f"hold_at:20 against hold_at:25, target {target}", lambda: turn_values(strategy.table, opponent))


@pytest.mark.parametrize("sides", [2, 6, 12, 20])
def test_growth_with_the_sides(measure, sides):
    game = pigevo.Pig(100, sides)
    strategy = pigevo.random_strategy(game)
    opponent = prepare(pigevo.optimal(game).strategy)
    measure(f"random strategy against the optimum, {sides} sides", lambda: turn_values(strategy.table, opponent))


@pytest.mark.parametrize(("target", "rounds"), [(200, 3), (500, 1)])
def test_the_optimum_of_long_games(measure, target, rounds):
    game = pigevo.Pig(target)
    measure(f"optimal, target {target}", lambda: solve(game), rounds=rounds)
