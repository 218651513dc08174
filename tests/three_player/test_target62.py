"""Target 62, which the literature left open, and its certificate."""

import json
from pathlib import Path

import numpy as np
import pytest

from pigevo import three_player as tp
from pigevo.three_player.rules import won_values
from pigevo.three_player.solver import OrbitSolver

ORACLE = json.loads((Path(__file__).parents[1] / "oracles.json").read_text())["three_player_cycle"]
MIXED = {(32, 62, 61, 14), (62, 61, 32, 28)}


def scores(needs, target=62):
    return [target - n for n in needs]


def test_up_to_61_every_orbit_has_a_pure_equilibrium_and_at_62_one_has_not(pig62):
    without = [o.needs for o in pig62.without_pure]
    assert ORACLE["first_target_without"] == 62
    assert all(max(needs) > ORACLE["largest_target_with_convergence"] for needs in without)
    assert without == [(32, 62, 61)]


def test_the_states_that_mix_are_those_between_which_iterations_cycle(pig62):
    assert {state for state, _ in pig62.mixed} == MIXED
    assert sorted(scores(state[:3]) for state in MIXED) == sorted(ORACLE["states"])
    assert all(0 < p < 1 for _, p in pig62.mixed)


def test_the_certificate_holds(pig62):
    assert 0 < pig62.exploitability() < 1e-14  # rounding
    assert min(pig62.certificate.where[:3]) > 0
    assert pig62.certificate.error < 1e-14


def test_the_other_equilibria_of_an_earlier_orbit_do_not_help(pig62):
    """Of the orbits with several equilibria that can come before, in play after, (32, 62, 61), there is one."""
    before = [o for o in pig62.several if all(n <= m for n, m in zip(sorted(o.needs), (32, 61, 62), strict=True))]
    assert [o.needs for o in before] == [(30, 58, 58)]
    assert len(before[0].equilibria) == 3


@pytest.mark.slow
def test_with_another_one_of_them_the_orbit_mixes_too(pig62):
    solver = OrbitSolver(pig62.game, won_values(62))
    other = solver.solve(choose=lambda orbit: 1 if orbit.needs == (30, 58, 58) else 0)
    assert (32, 62, 61) in [o.needs for o in other.without_pure]
    assert other.exploitability() < 1e-14


@pytest.mark.slow
def test_another_mixture_decision_or_value_is_refused(pig62):
    s = pig62.strategy
    moved = tp.certify(tp.Strategy(s.game, s.decisions, s.codes, s.chances + 0.01), pig62.values)
    assert not moved.holds
    assert moved.gain > 1e-9
    decisions, state = s.decisions.copy(), (40, 40, 40, 5)
    assert decisions[state] == 1
    decisions[state] = 0
    other = tp.certify(tp.Strategy(s.game, decisions, s.codes, s.chances), pig62.values)
    assert not other.holds
    assert other.gain > 1e-4


def test_other_values_are_refused_and_so_is_what_is_no_number():
    solution = tp.solve(tp.Piglet(7, 0.33))
    values = solution.values.copy()
    values[2, 3, 4, 1] += 1e-9
    certificate = tp.certify(solution.strategy, values)
    assert certificate.error == pytest.approx(1e-9)
    assert not certificate.holds
    values[2, 3, 4, 1] = np.nan
    assert not tp.certify(solution.strategy, values).holds


def test_right_values_of_what_is_no_equilibrium_are_refused():
    game = tp.Piglet(7, 0.33)
    turtle = tp.Strategy.from_function(game, lambda a, b, c, k: k < 1)
    certificate = tp.certify(turtle, np.moveaxis(tp.evaluate([turtle] * 3)[0], 0, -1))
    assert certificate.error < 1e-14 < 1e-3 < certificate.gain
    assert not certificate.holds
