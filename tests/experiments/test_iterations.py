"""The paper's iterations: they end where the solution is, or cycle where the paper says."""

import importlib
import json
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo import three_player as tp
from pigevo.studies.find import load_study

ORACLE = json.loads((Path(__file__).parents[1] / "oracles.json").read_text())["three_player_cycle"]
iterations = importlib.import_module(f"{load_study('bonnet2018').__name__}.iterations")
CYCLING = ["in_place", "separate", "random_order"]


@pytest.mark.parametrize("method", iterations.METHODS)
def test_a_small_target_converges(method):
    swept = []
    found = iterations.watch(tp.Game(target=12), method, progress=swept.append)
    assert found.converged
    assert swept == [1] * found.sweeps
    assert found.cycle == ()


@pytest.mark.parametrize("method", CYCLING)
def test_where_they_converge_they_find_the_solution(method):
    game = tp.Game(target=12)
    course = iterations.Course(game, iterations.METHODS[method], 3)
    for number in range(200):
        course.sweep(number)
    solution = np.moveaxis(tp.solve(game).values, -1, 0)
    assert course.values[0][:, 1:, 1:, 1:] == pytest.approx(solution[:, 1:, 1:, 1:], abs=1e-13)


@pytest.mark.parametrize("method", ["in_place", *(pytest.param(one, marks=pytest.mark.slow) for one in CYCLING[1:])])
def test_at_62_they_cycle_between_the_states_of_the_paper(pig62, method):
    found = iterations.watch(pig62.game, method, 600, orbit=(pig62, (32, 62, 61)))
    assert not found.converged
    assert sorted(scores for scores, _ in found.cycle) == sorted(map(tuple, ORACLE["states"]))
    assert found.change > 1e-6
    if method == "in_place":
        assert found.period == 10


def test_an_order_can_make_a_cycle_where_there_are_several_pure_equilibria(pig62):
    needs = (43, 43, 50)
    assert needs in [o.needs for o in pig62.several]
    assert not iterations.watch(pig62.game, "by_player", 400, orbit=(pig62, needs)).converged
    assert iterations.watch(pig62.game, "separate", 400, orbit=(pig62, needs)).converged


def test_regret_matching_does_not_come_to_rest_either(pig62):
    assert not iterations.watch(pig62.game, "regret", 3000, orbit=(pig62, (32, 62, 61))).converged


def test_at_an_orbit_with_a_pure_equilibrium_they_come_to_rest_there(pig62):
    for method in ("in_place", "separate", "random_order", "regret"):
        assert iterations.watch(pig62.game, method, 600, orbit=(pig62, (34, 26, 62))).converged


def test_wrong_input_is_told():
    with pytest.raises(pigevo.InputError, match="no method 'in-place'; did you mean in_place"):
        iterations.watch(tp.Game(target=3), "in-place")
    with pytest.raises(pigevo.InputError, match="too few"):
        iterations.watch(tp.Game(target=3), sweeps=10)
