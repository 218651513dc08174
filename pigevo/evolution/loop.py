"""The generation loop: from one population to the next, wave after wave."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pigevo.arrays import Bytes, Ints
from pigevo.evolution.offers import Look, Memory, remember
from pigevo.evolution.plan import Plan, judged
from pigevo.evolution.toolbox import make_toolbox
from pigevo.evolution.verdict import Verdict, every_pair, ranking


@dataclass(frozen=True, eq=False)
class State:
    """A run between two generations: all that the next one is made from.

    Args:
        generation: the number of the population, from 0.
        wave: the index of its wave, from 0.
        genomes: the population, shape (n, genes).
        fresh: how many of its members are newly made, and so not judged yet.
        evaluations: strategies judged until here.
        games: games simulated until here.
        memory: arrays that operators remember (`pigevo.evolution.offers`).
    """

    generation: int
    wave: int
    genomes: Bytes
    fresh: int
    evaluations: int = 0
    games: int = 0
    memory: Memory = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """A SHA-256 of the population, the counts and what is remembered."""
        counts = (self.generation, self.wave, self.genomes.shape, self.fresh, self.evaluations, self.games)
        found = hashlib.sha256(repr(counts).encode() + np.packbits(self.genomes).tobytes())
        for name, array in sorted(self.memory.items()):
            found.update(repr((name, array.dtype.str, array.shape)).encode() + array.tobytes())
        return found.hexdigest()


def first_state(plan: Plan) -> State:
    """Generation 0."""
    genomes = make_toolbox(plan, plan.waves[0].grid).population()
    return State(0, 0, genomes, fresh=len(genomes))


def next_state(plan: Plan, toolbox: Any, state: State) -> State:
    """One generation: judge, remember, select, mate, mutate."""
    genomes, number = state.genomes, state.generation
    verdict = toolbox.evaluate(genomes, number, state.memory)
    look = Look(number, plan.waves[state.wave].grid, genomes, verdict.scores, state.fresh)
    memory = remember(plan.operators, state.memory, look)
    chosen = toolbox.select(verdict, number)
    survivors = genomes[chosen]
    kept = toolbox.keep(survivors)
    children = toolbox.mate(survivors, verdict.scores[chosen], len(genomes) - len(kept), number, memory)
    children = toolbox.mutate(children, number, memory)
    return State(
        number + 1,
        state.wave,
        np.concatenate([kept, children]) if len(kept) else children,
        len(children),
        state.evaluations + state.fresh,
        state.games + verdict.games,
        memory,
    )


def evolve(plan: Plan, state: State) -> Iterator[State]:
    """The states after `state`, to the end of the plan."""
    toolbox = make_toolbox(plan, plan.waves[state.wave].grid)
    while state.generation < plan.generations:
        entered = as_judged(plan, state)
        if entered.wave != state.wave:
            toolbox = make_toolbox(plan, plan.waves[entered.wave].grid)
        state = next_state(plan, toolbox, entered)
        yield state


def as_judged(plan: Plan, state: State) -> State:
    """The state on the grid on which its population is judged: at the end of a wave, that of the next."""
    wave = plan.wave_at(min(state.generation + 1, plan.generations))
    return state if wave == state.wave else enter_wave(plan, state, wave)


def meetings(plan: Plan, state: State) -> Ints:
    """Who meets whom when a generation is judged, shape (m, 2): as selection pairs them; in the last, everyone."""
    if state.generation == plan.generations:
        return every_pair(len(state.genomes))
    return plan.selection.pairs(len(state.genomes), plan.draw("selection", state.generation))


def enter_wave(plan: Plan, state: State, wave: int) -> State:
    """The same population on the grid of another wave."""
    coarse, finer = plan.waves[state.wave].grid, plan.waves[wave].grid
    return replace(state, wave=wave, genomes=coarse.refine(state.genomes, finer))


def final_ranking(plan: Plan, state: State) -> tuple[np.ndarray, Verdict]:
    """The last population from the best to the worst by the run's own judge, everyone meeting everyone.

    Returns:
        Indices, the champion first, and the verdict.
    """
    tables = plan.waves[state.wave].grid.to_tables(state.genomes)
    verdict = judged(plan, state.memory, tables, meetings(plan, state), plan.draw("dice", state.generation))
    return ranking(verdict.scores, plan.draw("selection", state.generation).at(part=2)), verdict
