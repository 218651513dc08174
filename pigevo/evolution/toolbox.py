"""The DEAP toolbox: where population, evaluation, selection, mating and mutation meet.

`mate` and `mutate` take and return populations as arrays of shape (n, genes); `select`
returns which members survive, and what is known of them goes with them.
Each tool draws from its own stream at the generation it works on, so nothing depends on
what ran before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from deap import base

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.evolution.offers import Memory
from pigevo.evolution.plan import Plan, change, cross, judged, pair_parents
from pigevo.evolution.verdict import Verdict
from pigevo.strategies import CubeGrid


def make_toolbox(plan: Plan, grid: CubeGrid) -> Any:
    """The tools of a plan on one cube grid.

    Returns:
        A `deap.base.Toolbox` with `population()`, `evaluate(genomes, generation, memory)`,
        `select(verdict, generation)`, which returns indices, `keep(survivors)`,
        `mate(survivors, scores, children, generation, memory)` and
        `mutate(genomes, generation, memory)`.
    """
    toolbox = base.Toolbox()
    toolbox.register("population", plan.population, grid, plan.draw("population", 0))
    toolbox.register("evaluate", _evaluate, plan=plan, grid=grid)
    toolbox.register("select", _select, plan=plan)
    toolbox.register("keep", plan.replacement)
    toolbox.register("mate", _mate, plan=plan, grid=grid)
    toolbox.register("mutate", _mutate, plan=plan, grid=grid)
    return toolbox


def _evaluate(genomes: Bytes, generation: int, memory: Memory, *, plan: Plan, grid: CubeGrid) -> Verdict:
    pairs = plan.selection.pairs(len(genomes), plan.draw("selection", generation))
    return judged(plan, memory, grid.to_tables(genomes), pairs, plan.draw("dice", generation))


def _select(verdict: Verdict, generation: int, *, plan: Plan) -> Ints:
    return plan.selection.survivors(verdict, plan.draw("selection", generation))


def _mate(
    survivors: Bytes, scores: Floats, children: int, generation: int, memory: Memory, *, plan: Plan, grid: CubeGrid
) -> Bytes:
    draw = plan.draw("crossover", generation)
    first, second = pair_parents(len(survivors), children, draw.at(part=1))
    both = np.stack([scores[first], scores[second]], axis=1)
    return cross(plan, grid, memory, survivors[first], survivors[second], both, draw)


def _mutate(genomes: Bytes, generation: int, memory: Memory, *, plan: Plan, grid: CubeGrid) -> Bytes:
    return change(plan, grid, memory, genomes, plan.draw("mutation", generation))
