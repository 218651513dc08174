"""Target 62, which the literature left open, and its certificate."""

import json
from pathlib import Path

import numpy as np
import pytest

from pigevo import three_player as tp

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
    other = tp.solve(pig62.game, choose={(30, 58, 58): 1})
    assert (32, 62, 61) in [o.needs for o in other.without_pure]
    assert other.exploitability() < 1e-14


@pytest.mark.parametrize("shift", [-0.01, 0.01])
def test_another_mixture_is_refused(pig62, shift):
    s = pig62.strategy
    moved = tp.Strategy(s.game, s.decisions, s.codes, s.chances + shift)
    certificate = tp.certify(moved, pig62.values)
    assert not certificate.holds
    assert certificate.gain > 1e-9


def test_a_changed_decision_is_refused(pig62):
    s = pig62.strategy
    decisions = s.decisions.copy()
    state = (40, 40, 40, 5)
    assert decisions[state] == 1
    decisions[state] = 0
    certificate = tp.certify(tp.Strategy(s.game, decisions, s.codes, s.chances), pig62.values)
    assert certificate.gain > 1e-4
    assert not certificate.holds


def test_changed_values_are_refused(pig62):
    values = pig62.values.copy()
    values[10, 20, 30, 1] += 1e-9
    certificate = tp.certify(pig62.strategy, values)
    assert certificate.error == pytest.approx(1e-9)
    assert not certificate.holds


def test_what_is_no_number_is_refused(pig62):
    values = pig62.values.copy()
    values[10, 20, 30] = np.nan
    assert not tp.certify(pig62.strategy, values).holds
