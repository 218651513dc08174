"""The DEAP toolbox: where population, evaluation, selection, mating and mutation meet.

`select`, `mate` and `mutate` take and return populations as arrays of shape (n, genes).
Each tool draws from its own stream at the generation it works on, so nothing depends on
what ran before.
"""

from __future__ import annotations

from typing import Any

from deap import base

from pigevo.arrays import Bytes
from pigevo.evolve.plan import Plan, pair_parents
from pigevo.evolve.verdict import Verdict
from pigevo.strategies import CubeGrid


def make_toolbox(plan: Plan, grid: CubeGrid) -> Any:
    """The tools of a plan on one cube grid.

    Returns:
        A `deap.base.Toolbox` with `population()`, `evaluate(genomes, generation)`,
        `select(genomes, verdict, generation)`, `keep(survivors)`,
        `mate(survivors, children, generation)` and `mutate(genomes, generation)`.
    """
    toolbox = base.Toolbox()
    toolbox.register("population", plan.population, grid, plan.draw("population", 0))
    toolbox.register("evaluate", _evaluate, plan=plan, grid=grid)
    toolbox.register("select", _select, plan=plan)
    toolbox.register("keep", plan.replacement)
    toolbox.register("mate", _mate, plan=plan)
    toolbox.register("mutate", _mutate, plan=plan)
    return toolbox


def _evaluate(genomes: Bytes, generation: int, *, plan: Plan, grid: CubeGrid) -> Verdict:
    pairs = plan.selection.pairs(len(genomes), plan.draw("selection", generation))
    return plan.judge(grid.to_rows(genomes), pairs, plan.draw("dice", generation))


def _select(genomes: Bytes, verdict: Verdict, generation: int, *, plan: Plan) -> Bytes:
    return genomes[plan.selection.survivors(verdict, plan.draw("selection", generation))]


def _mate(survivors: Bytes, children: int, generation: int, *, plan: Plan) -> Bytes:
    draw = plan.draw("crossover", generation)
    first, second = pair_parents(len(survivors), children, draw.at(part=1))
    return plan.crossover(survivors[first], survivors[second], draw)


def _mutate(genomes: Bytes, generation: int, *, plan: Plan) -> Bytes:
    return plan.mutator(genomes, plan.rate, plan.draw("mutation", generation))
