"""Waves of ever smaller cubes."""

from dataclasses import replace

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.evolution.loop import enter_wave, first_state
from pigevo.evolution.plan import State
from pigevo.evolution.waves_and_islands import single_cells, waves
from pigevo.games import Pig
from tests.evolution.helpers import states_of

GAME = Pig(target=20)


@pytest.mark.parametrize(
    ("planned", "expected"),
    [
        (waves(Pig(), None), [("20", 100), ("10", 100), ("5", 100)]),  # as in the paper
        (waves(GAME, None, [8, 3], 6), [("8", 6), ("3", 6)]),
        (waves(GAME, None, [[8, 4, 2], 3], [6, 9]), [("8x4x2", 6), ("3", 9)]),
        (single_cells(GAME, 55), [("1", 55)]),
    ],
)
def test_sizes_and_generations_make_the_waves(planned, expected):
    assert [(wave.grid.label, wave.generations) for wave in planned] == expected


@pytest.mark.parametrize(("sizes", "generations"), [([], 5), ([], []), ([4, 2], [5]), ([4], [5, 5])])
def test_sizes_and_generations_that_do_not_match_are_refused(sizes, generations):
    with pytest.raises(InputError, match=r"cubes\.sizes has"):
        waves(GAME, None, sizes, generations)


@pytest.mark.parametrize(
    ("cubes", "part"),
    [
        ({"sizes": [0]}, "cube size must be an integer"),
        ({"sizes": [[4, 2]]}, "one size or three"),
        ({"generations": [3, -1, 2]}, "out of range"),
    ],
)
def test_a_plan_refuses_what_is_no_wave(make_plan, cubes, part):
    with pytest.raises(InputError, match=part):
        make_plan(cubes={"name": "waves"} | cubes)


def test_generations_are_numbered_through_all_waves_which_begin_with_their_grid(make_plan):
    plan = make_plan(cubes={"name": "waves", "sizes": [10, 4, 3], "generations": [2, 3, 1]})
    assert plan.generations == 6
    assert [plan.wave_at(generation) for generation in range(8)] == [0, 0, 0, 1, 1, 1, 2, 2]
    assert plan.wave_ends == {2, 5, 6}
    states = states_of(plan)
    assert [state.wave for state in states] == [0, 0, 0, 1, 1, 1, 2]
    assert [state.genomes.shape[1] for state in states] == [plan.waves[state.wave].grid.genes for state in states]


def test_entering_a_wave_of_dividing_cubes_keeps_every_decision(make_plan):
    plan = make_plan(cubes={"name": "waves", "sizes": [12, 4, 2], "generations": 1})
    state = State(1, 0, first_state(plan).genomes, fresh=3, evaluations=8, games=5)
    for wave in (1, 2):
        entered = enter_wave(plan, state, wave)
        before, after = plan.waves[state.wave].grid, plan.waves[wave].grid
        assert np.array_equal(after.to_tables(entered.genomes), before.to_tables(state.genomes))
        assert entered.digest == replace(state, wave=wave, genomes=entered.genomes).digest
        state = entered
