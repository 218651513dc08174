"""The generation loop: from one population to the next, wave after wave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pigevo.arrays import Bytes
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
    return np.concatenate([kept, children]), len(children), verdict.games


def evolve(plan: Plan, state: State) -> Iterator[State]:
    """The states after `state`, to the end of the plan."""
    toolbox = make_toolbox(plan, plan.waves[state.wave].grid)
    while state.generation < plan.generations:
        wave = plan.wave_at(state.generation + 1)
        if wave != state.wave:
            state = enter_wave(plan, state, wave)
            toolbox = make_toolbox(plan, plan.waves[wave].grid)
        genomes, fresh, games = next_generation(toolbox, state.genomes, state.generation)
        state = State(
            state.generation + 1,
            wave,
            genomes,
            fresh,
            state.evaluations + state.fresh,
            state.games + games,
        )
        yield state


def enter_wave(plan: Plan, state: State, wave: int) -> State:
    """The same population on the grid of another wave."""
    coarse, finer = plan.waves[state.wave].grid, plan.waves[wave].grid
    return replace(state, wave=wave, genomes=coarse.refine(state.genomes, finer))


def final_ranking(plan: Plan, state: State) -> tuple[np.ndarray, Verdict]:
    """The population from the best to the worst by the run's own judge, everyone meeting everyone.

    Returns:
        Indices, the champion first, and the verdict.
    """
    rows = plan.waves[state.wave].grid.to_rows(state.genomes)
    verdict = plan.judge(rows, every_pair(len(rows)), plan.draw("dice", state.generation))
    return ranking(verdict.scores, plan.draw("selection", state.generation).at(part=2)), verdict
