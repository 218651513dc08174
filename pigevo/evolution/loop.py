"""The generation loop, from one population to the next, through all waves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pigevo.core.arrays import Bytes, read_only
from pigevo.evolution import operator_calls
from pigevo.evolution.births import Birth, origins, parentage
from pigevo.evolution.generation import Bar, Generation, final_evaluation, no_bar
from pigevo.evolution.island_model import island_plan, join, joined, migrations, split
from pigevo.evolution.plan import STOP, Plan, State
from pigevo.evolution.tables import Chosen
from pigevo.evolution.toolbox import NOBODY, inheriting_kinds, make_toolbox, toolbox_of


def generations(plan: Plan, state: State, bar: Bar = no_bar) -> Iterator[Generation]:
    """Yield the generation of `state` and all later ones, until the plan or the stop rule ends the run."""
    while True:
        generation = evaluate(plan, state, bar)
        yield generation
        if generation.is_last:
            return
        state = next_state(generation)


def first_state(plan: Plan) -> State:
    """The first population, on its islands, not evaluated yet."""
    if plan.islands.count > 1:
        return join([first_state(island_plan(plan, number)) for number in range(plan.islands.count)])
    genomes = make_toolbox(plan, plan.waves[0].grid).population()
    return State(0, 0, genomes, fresh=len(genomes))


def evaluate(plan: Plan, state: State, bar: Bar = no_bar) -> Generation:
    """Evaluate a population in the pairs that the selection chooses; the plan's last one as in `final_evaluation`."""
    number = state.generation
    if number >= plan.generations:
        return Generation(plan, state, state, final_evaluation(plan, state, bar))
    entered = enter_wave(plan, state, plan.wave_at(number + 1))  # its children belong to the next generation's wave
    if plan.islands.count > 1:
        return _evaluate_islands(plan, state, entered)
    tools = toolbox_of(plan, entered.wave)
    evaluation = tools.evaluate(entered.genomes, number, entered.memory, fresh=entered.fresh)
    return Generation(plan, state, entered, evaluation)


def enter_wave(plan: Plan, state: State, wave: int) -> State:
    """The same population on the grid of a wave."""
    if wave == state.wave:
        return state
    coarse, finer = plan.waves[state.wave].grid, plan.waves[wave].grid
    return replace(state, wave=wave, genomes=coarse.refine(state.genomes, finer))


def next_state(generation: Generation) -> State:
    """Breed the next population, and let the stop rule update its memory."""
    born = _breed_islands(generation) if generation.islands else breed(generation)
    stop_memory = operator_calls.remember_to_stop(generation.plan, generation)
    return replace(born, memory={**born.memory, STOP: stop_memory}) if stop_memory else born


def breed(generation: Generation, migrants: Bytes = NOBODY) -> State:
    """One step: remember, select, choose members that stay and arrive, then mate and mutate to fill the other slots.

    Each migrant from another island takes the slot of a child.
    """
    plan, state, evaluation, number = generation.plan, generation.evaluated, generation.evaluation, generation.number
    tools: Any = toolbox_of(plan, state.wave)
    genomes, scores = state.genomes, evaluation.scores
    memory = tools.remember(genomes, scores, state.fresh, number, state.memory, evaluation)

    chosen = tools.select(evaluation, number, memory)
    survivors = Chosen(read_only(genomes), chosen)  # rows of the population, copied only when they are read
    staying = tools.keep(survivors, scores, number, memory)
    arriving = tools.arrive(len(genomes) - len(staying), scores, number, memory, migrants)
    free = len(genomes) - len(staying) - len(arriving)
    couples = tools.parents(scores[chosen], len(staying) + np.arange(free), number)
    crossed = tools.mate(survivors, scores[chosen], free, number, memory, couples)
    parents = chosen[couples]
    young = crossed.copy() if plan.lineage else crossed  # mutated in place; the lineage needs them unmutated
    children = tools.mutate(young, scores, number, memory, in_place=True, parents=parents)

    born = State(
        number + 1,
        state.wave,
        np.concatenate([staying, children, arriving]) if len(staying) or len(arriving) else children,
        len(children) + len(arriving),
        state.evaluations + state.fresh,
        state.games + evaluation.games,
        memory,
    )
    if not (inheriting_kinds(plan) or plan.lineage):
        return born
    all_parents = parentage(origins(staying, genomes, scores, chosen), parents, len(arriving))
    memory = tools.inherit(all_parents, scores, number, memory)
    birth = Birth(genomes, all_parents, np.concatenate([staying, crossed, arriving])) if plan.lineage else None
    return replace(born, memory=memory, birth=birth)


def _evaluate_islands(plan: Plan, state: State, entered: State) -> Generation:
    """Evaluate each island separately."""
    parts = enumerate(split(plan, state))
    islands = tuple(evaluate(island_plan(plan, island), part) for island, part in parts)
    return Generation(plan, state, entered, joined([one.evaluation for one in islands]), islands)


def _breed_islands(generation: Generation) -> State:
    """Breed each island separately, with migrants from its neighbours."""
    plan, islands = generation.plan, generation.islands
    populations = [(one.plan, one.evaluated.genomes, one.scores) for one in islands]
    arriving = migrations(plan, populations, generation.number)
    return join([breed(one, migrants) for one, migrants in zip(islands, arriving, strict=True)], generation.state)
