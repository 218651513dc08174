"""Slips of strategy iteration."""

import numpy as np
import pytest

import pigevo
from pigevo.experiments.reconstruction import optimum
from pigevo.experiments.reconstruction.optimum import Equations, by_levels, entries, of_all_states, read_off
from pigevo.games import Pig

GAME = Pig(target=40)
BEST = pigevo.optimal(GAME).strategy


def first(roll):
    """What a strategy wins against the optimum, moving first."""
    return pigevo.win_probability(optimum._strategy(GAME, roll), BEST).overall


def test_strategy_iteration_without_a_slip_finds_the_optimum():
    assert first(by_levels(40)) == pytest.approx(0.5, abs=1e-12)
    *_, last = of_all_states(GAME)
    assert pigevo.win_probability(last, BEST).overall == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("equations", [Equations(1), Equations(-1), Equations(bust=(1, 0)), Equations(bust=(0, 1))])
def test_equations_with_an_index_one_off_find_something_else(equations):
    assert first(by_levels(40, equations=equations)) < 0.5 - 1e-7


def test_fewer_rounds_are_worse():
    wins = [first(by_levels(40, rounds)) for rounds in (0, 1, 4)]
    assert wins[0] < wins[2] - 1e-3
    assert wins[1] < wins[2] - 1e-3


def test_arrays_are_read_off_by_places():
    best = pigevo.optimal(Pig()).strategy.roll
    assert np.array_equal(read_off(100, (0, 1, -1))[5, 7, 9:40], best[5, 8, 8:39])
    assert read_off(98, (3, 0, 0)).shape == (100, 100, 100)


def test_the_entries_are_those_of_the_table_of_the_optimum():
    found = entries(pigevo.optimal(Pig()).strategy)
    assert found[0] == pytest.approx(0.530593, abs=1e-6)  # Neller & Presser 2004
    assert found[5] == pytest.approx(0.5715, abs=5e-5)
    assert optimum.agreeing({"it": found}, found.round(4)) == {"it": 9}
    assert optimum.agreeing({"it": found}, found.round(4) + 0.0002) == {"it": 0}
