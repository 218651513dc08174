"""The generation loop: from one population to the next, wave after wave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pigevo.core.arrays import Bytes, read_only
from pigevo.evolution import operator_calls
from pigevo.evolution.generation import Bar, Generation, final_evaluation, no_bar
from pigevo.evolution.island_model import island_plan, join, joined, migrants, split
from pigevo.evolution.plan import STOP, Plan
from pigevo.evolution.run_state import State, origins, parentage
from pigevo.evolution.tables import Chosen
from pigevo.evolution.toolbox import heirs, make_toolbox, toolbox_of


def generations(plan: Plan, state: State, bar: Bar = no_bar) -> Iterator[Generation]:
    """The generation of `state` and all after it, to the end of the plan, or until it is stopped."""
    while True:
        generation = evaluate(plan, state, bar)
        yield generation
        if generation.is_last:
            return
        state = next_state(generation)


def first_state(plan: Plan) -> State:
    """Generation 0."""
    if plan.islands.count > 1:
        return join([first_state(island_plan(plan, number)) for number in range(plan.islands.count)])
    genomes = make_toolbox(plan, plan.waves[0].grid).population()
    return State(0, 0, genomes, fresh=len(genomes))


def evaluate(plan: Plan, state: State, bar: Bar = no_bar) -> Generation:
    """Let the members meet as selection pairs them; in the last generation of the plan, as the champion is named."""
    number = state.generation
    if number >= plan.generations:
        return Generation(plan, state, state, final_evaluation(plan, state, bar))
    wave = plan.wave_at(number + 1)
    seen = state if wave == state.wave else enter_wave(plan, state, wave)
    if plan.islands.count > 1:
        parts = split(plan, state)
        islands = tuple(evaluate(island_plan(plan, place), part) for place, part in enumerate(parts))
        return Generation(plan, state, seen, joined([one.evaluation for one in islands]), islands)
    tools = toolbox_of(plan, wave)
    pairs = tools.pairs(len(seen.genomes), number, seen.memory)
    return Generation(plan, state, seen, tools.evaluate(seen.genomes, number, seen.memory, pairs, seen.fresh))


def next_state(generation: Generation) -> State:
    """What is bred from a generation, on each island by itself; and what the stop rule remembers of it."""
    plan, state = generation.plan, generation.state
    if islands := generation.islands:
        coming = migrants(plan, [(one.plan, one.evaluated.genomes, one.scores) for one in islands], generation.number)
        born = join([breed(one, guests) for one, guests in zip(islands, coming, strict=True)], state)
    else:
        born = breed(generation)
    remembered = operator_calls.remembered_to_stop(plan, generation)
    return replace(born, memory={**born.memory, STOP: remembered}) if remembered else born


def breed(generation: Generation, guests: Bytes | None = None) -> State:
    """Remember, select, mate, mutate and replace; guests come in the places of as many children."""
    plan, state, evaluation, number = generation.plan, generation.evaluated, generation.evaluation, generation.number
    tools: Any = toolbox_of(plan, state.wave)
    genomes, scores = state.genomes, evaluation.scores
    memory = tools.remember(genomes, scores, state.fresh, number, state.memory, evaluation)

    chosen = tools.select(evaluation, number, memory)
    survivors = Chosen(read_only(genomes), chosen)  # rows of the population itself
    kept = tools.keep(survivors, scores, number, memory)
    guests = genomes[:0] if guests is None else guests[: len(genomes) - len(kept)]
    strangers = tools.arrive(len(genomes) - len(kept) - len(guests), scores, number, memory)
    arrived = np.concatenate([strangers, guests]) if len(guests) else strangers

    places = len(genomes) - len(kept) - len(arrived)
    pairs = tools.parents(len(chosen), places, number)
    children = tools.mate(survivors, scores[chosen], places, number, memory, pairs)
    parents = chosen[pairs]
    children = tools.mutate(children, scores, number, memory, in_place=True, parents=parents)

    if heirs(plan):
        stayed = origins(kept, genomes, scores, chosen)
        memory = tools.inherit(parentage(stayed, parents, len(arrived)), scores, number, memory)
    return State(
        number + 1,
        state.wave,
        np.concatenate([kept, children, arrived]) if len(kept) or len(arrived) else children,
        len(children) + len(arrived),
        state.evaluations + state.fresh,
        state.games + evaluation.games,
        memory,
    )


def enter_wave(plan: Plan, state: State, wave: int) -> State:
    """The same population on the grid of another wave."""
    coarse, finer = plan.waves[state.wave].grid, plan.waves[wave].grid
    return replace(state, wave=wave, genomes=coarse.refine(state.genomes, finer))
