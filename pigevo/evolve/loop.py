"""The generation loop: from one population to the next, wave after wave."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pigevo.arrays import Bytes, Ints
from pigevo.evolve.plan import Plan
from pigevo.evolve.toolbox import make_toolbox
from pigevo.evolve.verdict import Verdict, every_pair, ranking


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
    """

    generation: int
    wave: int
    genomes: Bytes
    fresh: int
    evaluations: int = 0
    games: int = 0

    @property
    def digest(self) -> str:
        """A SHA-256 of the population and the counts."""
        counts = (self.generation, self.wave, self.genomes.shape, self.fresh, self.evaluations, self.games)
        return hashlib.sha256(repr(counts).encode() + np.packbits(self.genomes).tobytes()).hexdigest()


def first_state(plan: Plan) -> State:
    """Generation 0."""
    genomes = make_toolbox(plan, plan.waves[0].grid).population()
    return State(0, 0, genomes, fresh=len(genomes))


def next_generation(toolbox: Any, genomes: Bytes, generation: int) -> tuple[Bytes, int, int]:
    """One generation: judge, select, mate, mutate.

    Returns:
        The next population, how many of it are newly made, and the games it took.
    """
    verdict = toolbox.evaluate(genomes, generation)
    survivors = toolbox.select(genomes, verdict, generation)
    kept = toolbox.keep(survivors)
    children = toolbox.mate(survivors, len(genomes) - len(kept), generation)
    children = toolbox.mutate(children, generation)
    following = np.concatenate([kept, children]) if len(kept) else children
    return following, len(children), verdict.games


def evolve(plan: Plan, state: State) -> Iterator[State]:
    """The states after `state`, to the end of the plan."""
    toolbox = make_toolbox(plan, plan.waves[state.wave].grid)
    while state.generation < plan.generations:
        entered = as_judged(plan, state)
        if entered.wave != state.wave:
            toolbox = make_toolbox(plan, plan.waves[entered.wave].grid)
        state = entered
        genomes, fresh, games = next_generation(toolbox, state.genomes, state.generation)
        state = State(
            state.generation + 1,
            state.wave,
            genomes,
            fresh,
            state.evaluations + state.fresh,
            state.games + games,
        )
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
    rows = plan.waves[state.wave].grid.to_rows(state.genomes)
    verdict = plan.judge(rows, meetings(plan, state), plan.draw("dice", state.generation))
    return ranking(verdict.scores, plan.draw("selection", state.generation).at(part=2)), verdict
