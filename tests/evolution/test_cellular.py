"""Cellular selection: who is beside whom on the torus, who mates, and how fast the best one's genes spread."""

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation
from pigevo.evolution.loop import evaluate, next_state
from pigevo.evolution.operators import Context
from pigevo.evolution.plan import State
from pigevo.evolution.selection.cellular import Cellular, neighbours
from tests.evolution.helpers import states_of
from tests.laws import RARE, fits

SIDE = 7
CELLS = SIDE * SIDE


SIX = np.array([0.1, 0.5, 0.3, 0.2, 0.5, 0.1])
"""Scores on three cells; the last three members are the parents."""


def distance(cells, other, moore=False):
    """Steps between cells on the torus of 7 x 7: along edges, or over corners as well."""
    places = [row - column for row, column in zip(np.divmod(cells, SIDE), np.divmod(other, SIDE), strict=True)]
    steps = [np.minimum(place % SIDE, -place % SIDE) for place in places]
    return np.maximum(*steps) if moore else sum(steps)


def couples(scores, generation=0, rows=None, **options):
    context = Context(Draw(1, "crossover", generation, part=1), None)
    rows = np.arange(len(scores)) if rows is None else rows
    return Cellular(**options).couples(np.asarray(scores, dtype=float), rows, context)


@pytest.mark.parametrize("neighbourhood", ["von_neumann", "moore"])
def test_neighbours_are_those_one_step_away(neighbourhood):
    near = neighbours(CELLS, neighbourhood)
    for cell in range(CELLS):
        one_step = np.flatnonzero(distance(np.arange(CELLS), cell, neighbourhood == "moore") == 1)
        assert sorted(near[cell]) == one_step.tolist()


@pytest.mark.parametrize(
    ("cells", "near_first"), [(1, {0}), (2, {1}), (5, {1, 4}), (10, {1, 4, 5}), (12, {1, 3, 4, 8})]
)
def test_the_torus_is_as_square_as_its_cells_let_it_be(cells, near_first):
    assert set(neighbours(cells, "von_neumann")[0].tolist()) == near_first


def test_all_on_one_cell_or_on_neighbouring_ones_meet_once():
    pairs = Cellular().pairs(2 * CELLS, Context(Draw(1, "selection"), None))
    first, second = np.triu_indices(2 * CELLS, 1)
    near = distance(first % CELLS, second % CELLS) <= 1
    assert {tuple(sorted(pair)) for pair in pairs.tolist()} == set(zip(first[near], second[near], strict=True))
    assert len(pairs) == near.sum() == CELLS * (1 + 4 * 2)
    with pytest.raises(InputError, match=r"population.size = 7 is odd"):
        Cellular().pairs(7, Context(Draw(1, "selection"), None))


def test_the_better_of_a_cell_survives_of_equal_ones_the_parent_and_shuffled_on_any_cell():
    evaluation = Evaluation.of_scores(SIX, np.empty((0, 2), int))
    assert Cellular()(SIX, Context(Draw(1, "selection"), None, evaluation=evaluation)).tolist() == [3, 1, 2]
    draws = (Draw(1, "selection", generation) for generation in range(600))
    orders = Counter(tuple(Cellular(shuffled=True)(SIX, Context(draw, None)).tolist()) for draw in draws)
    assert orders.keys() == set(itertools.permutations((1, 2, 3)))
    assert fits([*orders.values()], np.ones(6)) > RARE


def test_each_mates_with_its_best_neighbour_and_a_child_is_of_its_own_cell():
    scores = Draw(1, "validation").uniforms(CELLS)
    rows = np.arange(3, 2 * CELLS)  # three elites stay in the first rows
    own, mates = couples(scores, rows=rows).T
    assert own.tolist() == (rows % CELLS).tolist()
    for cell, mate in zip(own, mates, strict=True):
        near = distance(np.arange(CELLS), cell) == 1
        assert near[mate]
        assert scores[mate] == scores[near].max()


@pytest.mark.parametrize("k", [None, 1, 2, 3, 4])
def test_a_tournament_of_k_neighbours_chooses_the_ith_best_with_its_chance_and_equal_ones_alike(k):
    near, rank = neighbours(CELLS, "von_neumann")[0].tolist(), np.arange(1, 5)
    better = np.zeros(CELLS)
    better[near] = [4, 3, 2, 1]
    for scores, law in ((np.zeros(CELLS), np.ones(4)), (better, (5.0 - rank) ** (k or 99) - (4.0 - rank) ** (k or 99))):
        mates = [near.index(couples(scores, g, **({"k": k} if k else {}))[0, 1]) for g in range(2000)]
        assert fits(np.bincount(mates, minlength=4), law) > RARE


@pytest.mark.parametrize("stays", ["offspring", "survivors_and_offspring"])
def test_the_best_ones_genes_reach_all_cells_so_many_steps_away_and_no_others(make_plan, stays):
    plan = make_plan(
        population={"name": "random", "size": 2 * CELLS},
        selection={"name": "cellular"},
        fitness=lambda tables, context: tables.mean(axis=(1, 2, 3)),
        crossover=lambda first, second, context: np.where(
            (context.scores[0] > context.scores[1])[:, None], first, second
        ),
        replacement={"name": stays},
        mutation=0.0,
    )
    plan = replace(plan, waves=(replace(plan.waves[0], generations=9),))
    genomes = np.zeros((2 * CELLS, plan.waves[0].grid.genes), np.uint8)
    genomes[CELLS + 10] = 1
    state = State(0, 0, genomes, fresh=len(genomes))
    for steps in range(1, 5):
        state = next_state(evaluate(plan, state))
        reached = state.genomes.all(axis=1).reshape(2, CELLS)
        assert reached[1].tolist() == (distance(np.arange(CELLS), 10) <= steps).tolist()
        assert reached[0].tolist() == (distance(np.arange(CELLS), 10) <= steps - (stays != "offspring")).tolist()


def test_it_goes_with_cubes_islands_elites_and_strangers(make_plan):
    for replacement in ("elites", "immigrants", "survivors_and_offspring"):
        plan = make_plan(
            population={"name": "random", "size": 24},
            islands={"name": "ring", "count": 2, "interval": 2, "migrants": 1},
            selection={"name": "cellular", "neighbourhood": "moore"},
            replacement={"name": replacement},
        )
        assert len(states_of(plan)) == 7


def test_couples_of_a_users_own_are_checked(make_plan):
    class Wrong(Cellular):
        def couples(self, scores, rows, context):
            return np.stack([rows, rows], axis=1)

    with pytest.raises(InputError, match=r"pairs of indices from 0 to 3 from `couples`"):
        make_plan(selection=Wrong)
