"""The generation loop: from one population to the next, wave after wave."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.evolution.evaluation import Evaluation, every_pair, ranking
from pigevo.evolution.plan import Plan
from pigevo.evolution.referee import referee
from pigevo.evolution.seam import fixed
from pigevo.evolution.tables import tables_of
from pigevo.evolution.toolbox import Memory, make_toolbox
from pigevo.strategies import CubeGrid, Strategy
from pigevo.threads import Progress


@dataclass(frozen=True, eq=False)
class State:
    """A run between two generations: all that the next one is made from.

    Args:
        generation: the number of the population, from 0.
        wave: the index of its wave, from 0.
        genomes: the population, shape (n, genes).
        fresh: how many of its members are newly made, and so not evaluated yet.
        evaluations: strategies evaluated until here.
        games: games simulated until here.
        memory: what operators remember: arrays by name, by the kind of operator.
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
        states = [(name, kind, array) for kind, state in self.memory.items() for name, array in state.items()]
        for name, _, array in sorted(states, key=lambda one: one[:2]):
            found.update(repr((name, array.dtype.str, array.shape)).encode() + array.tobytes())
        return found.hexdigest()


@dataclass(frozen=True, eq=False)
class Generation:
    """A generation of a run, to be looked at.

    Args:
        plan: the run's.
        state: the population and the counts, on the grid on which it was made.
    """

    plan: Plan
    state: State

    @property
    def number(self) -> int:
        """The number of the generation, from 0."""
        return self.state.generation

    @property
    def genomes(self) -> Bytes:
        """The population, shape (n, genes), not to be written to: the run goes on from it."""
        return fixed(self.state.genomes)

    @property
    def grid(self) -> CubeGrid:
        """Where its genomes live."""
        return self.plan.waves[self.state.wave].grid

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """Its members."""
        return tuple(self.grid.strategy(genome, f"member {n}") for n, genome in enumerate(self.genomes))

    @property
    def scores(self) -> Floats:
        """How good each member is by the run's own fitness, shape (n,)."""
        return self.evaluation.scores

    @cached_property
    def exact(self) -> Floats:
        """The exact win probability of each member against the optimal strategy, shape (n,); the run never sees it."""
        return referee(self.plan.game, tables_of(self.grid, self.genomes), self.plan.workers)

    @cached_property
    def evaluated(self) -> State:
        """The state on the grid on which its population is evaluated: at the end of a wave, that of the next."""
        wave = self.plan.wave_at(min(self.number + 1, self.plan.generations))
        return self.state if wave == self.state.wave else enter_wave(self.plan, self.state, wave)

    @cached_property
    def evaluation(self) -> Evaluation:
        """What the run's fitness says of it, members meeting as selection pairs them; in the last, everyone."""
        return self._evaluate(self.evaluated, self.meetings, self.state.fresh)

    @property
    def meetings(self) -> Ints:
        """Who meets whom when it is evaluated, indices of shape (m, 2)."""
        size = len(self.genomes)
        if self.number >= self.plan.generations:
            return every_pair(size)
        seen = self.evaluated
        met: Ints = self._tools(seen).pairs(size, self.number, seen.memory)
        return met

    def _tools(self, seen: State) -> Any:
        return make_toolbox(self.plan, self.plan.waves[seen.wave].grid)

    def _evaluate(
        self, seen: State, pairs: Ints, fresh: int | None = None, progress: Progress | None = None
    ) -> Evaluation:
        tools = self._tools(seen)
        found: Evaluation = tools.evaluate(seen.genomes, self.number, seen.memory, pairs, fresh, progress)
        return found

    @cached_property
    def best(self) -> int:
        """The index of its champion: the best member by the run's own fitness, as if the run ended here.

        Where the evaluation that selection reads says who it is, nothing is evaluated once more; where members
        have not met everyone yet, they do, and that counts nowhere.
        """
        return int(self.judged[0][0])

    @cached_property
    def judged(self) -> tuple[Ints, Evaluation]:
        """The members from the best to the worst by the run's own fitness, and the evaluation that says so."""
        known = self.evaluated is self.state and (
            not self.plan.fitness.plays.members or np.array_equal(self.meetings, every_pair(len(self.genomes)))
        )
        return (self._order(self.scores), self.evaluation) if known else self.ranked()

    @property
    def champion(self) -> Strategy:
        """The best member by the run's own fitness, which the run would hand over if it ended here."""
        return self.grid.strategy(self.genomes[self.best], f"generation {self.number}")

    def ranked(self, progress: Progress | None = None) -> tuple[Ints, Evaluation]:
        """The members from the best to the worst by the run's own fitness, as at the end of the run.

        Returns:
            Indices, the champion first, and the evaluation, in which everyone met everyone.
        """
        found = self._evaluate(self.state, every_pair(len(self.genomes)), progress=progress)
        return self._order(found.scores), found

    def truth(self, pairs: Ints, members: Ints) -> Floats | None:
        """What the run's fitness would say of some members without luck, shape (m,); None where it does not know.

        Args:
            pairs: who met whom.
            members: indices, shape (m,).
        """
        found: Floats | None = self._tools(self.state).truth(
            self.genomes, self.number, self.state.memory, pairs, members
        )
        return found

    def _order(self, scores: Floats) -> Ints:
        return ranking(scores, self.plan.draw("selection", self.number).at(part=2))


def first_state(plan: Plan) -> State:
    """Generation 0."""
    genomes = make_toolbox(plan, plan.waves[0].grid).population()
    return State(0, 0, genomes, fresh=len(genomes))


def generations(plan: Plan, state: State) -> Iterator[Generation]:
    """The generation of `state` and all after it, to the end of the plan."""
    while True:
        generation = Generation(plan, state)
        yield generation
        if state.generation >= plan.generations:
            return
        state = next_state(generation)


def next_state(generation: Generation) -> State:
    """One generation: evaluate, remember, select, mate, mutate."""
    state, number, evaluation = generation.evaluated, generation.number, generation.evaluation
    toolbox: Any = make_toolbox(generation.plan, generation.plan.waves[state.wave].grid)
    genomes, scores = state.genomes, evaluation.scores
    memory = toolbox.remember(genomes, scores, state.fresh, number, state.memory, evaluation)
    chosen = toolbox.select(evaluation, number, memory)
    survivors = genomes[chosen]
    kept = toolbox.keep(survivors, scores, number, memory)
    arrived = toolbox.arrive(len(genomes) - len(kept), scores, number, memory)
    children = toolbox.mate(survivors, scores[chosen], len(genomes) - len(kept) - len(arrived), number, memory)
    del survivors  # a large population is not held once more than it must be
    children = toolbox.mutate(children, scores, number, memory, in_place=True)
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
