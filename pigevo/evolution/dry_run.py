"""A dry run of operators on coarse grids, so that an error in an operator is reported before a run begins.

It also warns of users' operators that draw from the global random generators, since their runs cannot be repeated.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pigevo.core.arrays import Floats, own_errors
from pigevo.errors import InputError
from pigevo.evolution import operator_calls
from pigevo.evolution.evaluation import Evaluation, every_pair
from pigevo.evolution.island_model import island_plan
from pigevo.evolution.operators import Context
from pigevo.evolution.plan import STOP, Plan, State
from pigevo.strategies import CubeGrid

if TYPE_CHECKING:
    from pigevo.evolution.loop import Generation

LOG = logging.getLogger("pigevo")

FEW_GENES = 64  # a dry run also uses the run's own grids if they have fewer genes than this


@own_errors
def try_out(plan: Plan) -> None:
    """Call selection, crossover, mutator and replacement on each coarse grid, and once more for an island.

    Population, fitness and stop rule are slow, and are only called if they are the user's own.
    """
    _try_operators(plan)
    if plan.islands.count > 1:
        _try_islands(plan)
    plan.stop.check(plan)
    if STOP in plan.user_code:
        _watch(plan, _stop_steps(plan))


def random_state() -> tuple[object, ...]:
    """The state of Python's and of numpy's global random generator, to be compared."""
    name, keys, *rest = np.random.get_state()  # noqa: NPY002
    return random.getstate(), name, np.asarray(keys).tobytes(), *rest


def _watch(plan: Plan, steps: Iterable[str]) -> None:
    """Do steps, each of which yields the kind of its operator, and warn of users' operators that draw by themselves."""
    before, drawing = random_state(), set[str]()
    for kind in steps:
        after = random_state()
        if kind in plan.user_code and after != before:
            drawing.add(kind)
        before = after
    for kind in sorted(drawing):
        LOG.warning(
            "%s draws from Python's or numpy's global generator, so that its runs cannot be repeated: draw from "
            "context.draw (`pigevo check FILE.py:NAME` checks an operator).", plan.called(kind),
        )  # fmt: skip


def _stop_steps(plan: Plan) -> Iterator[str]:
    generation = trial_generation(plan, _coarse(plan), plan.draw("selection", 0).uniforms(plan.size))
    operator_calls.ends(plan, generation)
    operator_calls.remember_to_stop(plan, generation)
    yield STOP


def _try_operators(plan: Plan) -> None:
    small = [wave.grid for wave in plan.waves if wave.grid.genes < FEW_GENES]
    grids = {grid.edges: grid for grid in [_coarse(plan), *small]}.values()
    _watch(plan, (kind for grid in grids for kind in _steps(plan, grid)))


def _coarse(plan: Plan) -> CubeGrid:
    """The grid of the first wave, with cubes of half the size of the game."""
    return replace(plan.waves[0].grid, size=max(1, plan.game.size // 2))


def _try_islands(plan: Plan) -> None:
    """Call the operators of a plan again, with the population size of an island."""
    count = plan.islands.count
    if plan.size % count or plan.size < 2 * count:
        raise InputError(
            f"population.size = {plan.size} cannot be divided among {count} islands: "
            f"all islands must have the same number of members, at least two (islands.count)."
        )
    members, migrants = plan.size // count, plan.islands.migrants
    if migrants > members:
        raise InputError(f"islands.migrants = {migrants}, but an island has {members} members: it sends no more.")
    try:
        _try_operators(island_plan(plan, 0))
    except InputError as error:
        # The user's number is that of all islands.
        why = str(error).replace(f"population.size = {members} ", f"{members} ")
        raise InputError(
            f"with population.size = {plan.size} each of {count} islands has {members} members: {why}"
        ) from error


def trial_generation(plan: Plan, grid: CubeGrid, scores: Floats, number: int = 0) -> Generation:
    """A generation of random members on a grid, with given scores."""
    from pigevo.evolution.loop import Generation  # loads DEAP, which not every command needs

    waves = tuple(replace(wave, grid=grid) for wave in plan.waves)
    genomes = plan.draw("population", 0).bits(len(scores), grid.genes)
    state = State(number, 0, genomes, fresh=len(scores))
    evaluation = Evaluation.of_scores(scores, every_pair(2))
    order = np.argsort(-scores), evaluation  # given, so that no matches are needed to find it
    return Generation(replace(plan, size=len(scores), waves=waves), state, state, evaluation, order=order)


def _steps(plan: Plan, grid: CubeGrid) -> Iterator[str]:
    """Call the operators in the order of a generation, on random genomes of a grid; yield their kinds."""
    scores = plan.draw("selection", 0).uniforms(plan.size)

    def context(kind: str) -> Context:
        plain = Context(plan.draw(kind, 0), grid, rate=plan.rate)
        if kind not in plan.user_code or kind == "population":
            return plain
        genomes = plan.draw("population", 0).bits(plan.size, grid.genes)
        state = operator_calls.remember(plan, kind, genomes, replace(plain, scores=scores, fresh=plan.size))
        return replace(plain, state=state)

    of_selection = context("selection")
    pairs = operator_calls.pairs(plan, plan.size, of_selection)
    evaluation = Evaluation.of_scores(of_selection.draw.uniforms(plan.size), pairs)
    evaluated = replace(of_selection, scores=evaluation.scores, evaluation=evaluation)
    operator_calls.pairs(plan, plan.size, evaluated)
    chosen = operator_calls.select(plan, evaluation, evaluated)
    operator_calls.parents(plan, evaluation.scores[chosen], np.arange(plan.size), of_selection)
    if "selection" in plan.user_code and plan.selection.outcome_name:
        from pigevo.evolution.logbook import refuse_taken  # loads DEAP

        refuse_taken(plan)
        genomes = plan.draw("population", 0).bits(plan.size, grid.genes)
        known = replace(of_selection, scores=scores)
        operator_calls.outcome(plan, genomes, known, lambda members: np.zeros(len(members)))
    yield "selection"
    couple = plan.draw("population", 0).bits(2, grid.genes)
    parents = replace(context("crossover"), scores=np.zeros((2, 2)))
    children = operator_calls.mate(plan, couple, couple[::-1].copy(), parents)
    yield "crossover"
    parents_of_children = np.array([[0, 1], [1, 0]])
    operator_calls.mutate(
        plan, children, replace(context("mutator"), scores=evaluation.scores, parents=parents_of_children)
    )
    yield "mutator"
    survivors = np.zeros((len(chosen), grid.genes), np.uint8)
    of_replacement = replace(context("replacement"), scores=evaluation.scores)
    operator_calls.keep(plan, survivors, of_replacement, plan.size)
    operator_calls.arrive(plan, of_replacement, plan.size)
    yield "replacement"
    if "population" in plan.user_code:
        operator_calls.population(plan, context("population"), plan.size)
        yield "population"
    if "fitness" in plan.user_code:
        operator_calls.evaluate(plan, grid.to_tables(couple), replace(context("fitness"), pairs=np.array([[0, 1]])))
        yield "fitness"
